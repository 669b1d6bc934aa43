"""Properties that hold for every game, as functions that take a game.

Each raises AssertionError with what went wrong. A game's tests call them with positions from random play
and, for small positions, with every action that its codec can express.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import inspect as shapes

from assistant.actions import TABLE, Action
from assistant.display import Display
from assistant.events import Event, Points, Told
from assistant.game import PUBLIC, STAFF, Game
from assistant.journal import MemoryJournal
from assistant.offers import Form, Offer, expand
from assistant.random_play import FREE_SHARE, Played, play
from assistant.referee import Referee, header_for, replay
from assistant.rulings import Accepted, Refused
from assistant.scores import ScoreSheet
from ui.sentences import Sentences, read_catalogue

State = Any
Rules = Game[Any]

# --- playing -------------------------------------------------------------------------------------


def random_playout(
    game: Rules,
    rng: random.Random,
    free_share: float = FREE_SHARE,
    state: State | None = None,
    faults_every: int = 1,
) -> Played[Any]:
    """Play to the end by the named policy and check on the way what must hold of every playout.

    Structure is sound after every `faults_every`-th action (that is where conservation is checked), the table
    is asked exactly when the dealer has something for it, the game ends, and the sheet adds up to the score.
    """
    events: list[Event] = []
    count = 0

    def observe(before: State, action: Action, after: State, caused: list[Event]) -> None:
        nonlocal count
        count += 1
        events.extend(caused)
        if count % faults_every == 0:
            assert not (faults := game.faults(after)), f"after {action}: {faults}"
            due = game.chance(after, random.Random(0)) is not None
            asked = any(acting.seat == TABLE for acting in game.acting(after))
            assert due == asked, f"after {action}: the table is asked {asked}, the dealer has something {due}"

    played = play(game, rng, free_share, observe, state)
    assert game.finished(played.state)
    assert not game.acting(played.state)
    assert {seat for group in game.places(played.state) for seat in group} == set(game.seats)
    if state is None and (totals := game.totals(played.state)):
        sheet = game.sheet(played.state, events)
        assert isinstance(sheet, ScoreSheet)
        assert sheet.check(totals) == []
    return played


def states_of(game: Rules, rng: random.Random, every: int = 1) -> list[State]:
    """The start and states along one random playout."""
    out = [game.start()]

    def keep(before: State, action: Action, after: State, caused: list[Event]) -> None:
        out.append(after)

    play(game, rng, observe=keep)
    return out[::every]


def any_of(offer: Offer, rng: random.Random) -> Action:
    """One action of an offer."""
    return offer.sample(rng) if isinstance(offer, Form) else offer


# --- actions to ask about ------------------------------------------------------------------------


def expressible(game: Rules, domains: Mapping[str, Sequence[Any]], length: int = 2) -> Iterator[Action]:
    """Every action that the codec can express, with fields from small domains.

    `domains` gives values by field name, or by type ("int", "str"); lists have up to `length` items. A field
    named "seat" takes every seat, "table" and one that does not exist.
    """
    known = {"seat": (*game.seats, TABLE, "Z"), **domains}
    for kind in game.codec.types.values():
        shape = shapes.type_info(kind)
        assert isinstance(shape, shapes.StructType)
        choices = [list(_values(field.name, field.type, known, length)) for field in shape.fields]
        names = [field.name for field in shape.fields]
        for values in itertools.product(*choices):
            yield kind(**dict(zip(names, values, strict=True)))


def _values(name: str, kind: shapes.Type, domains: Mapping[str, Sequence[Any]], length: int) -> Iterator[Any]:
    if isinstance(kind, shapes.LiteralType):
        yield from kind.values
    elif isinstance(kind, shapes.BoolType):
        yield from (False, True)
    elif isinstance(kind, shapes.VarTupleType):
        items = list(_values(name, kind.item_type, domains, length))
        for count in range(length + 1):
            yield from itertools.product(items, repeat=count)
    elif isinstance(kind, shapes.DictType):
        keys = list(_values(name, kind.key_type, domains, length))
        values = list(_values(f"{name}.value", kind.value_type, domains, length))
        yield {}
        yield from ({key: value} for key in keys for value in values)
    else:
        by_type = {shapes.IntType: "int", shapes.StrType: "str"}.get(type(kind), "")
        least = kind.ge if isinstance(kind, shapes.IntType) else None
        known = domains[name if name in domains else by_type]
        yield from (value for value in known if least is None or value >= least)


class Vocabulary:
    """Actions like those that were seen, most of them wrong: each field takes a value seen there before."""

    def __init__(self, game: Rules, actions: Sequence[Action]) -> None:
        self.values: dict[type[Action], dict[str, list[Any]]] = {}
        for action in actions:
            fields = self.values.setdefault(type(action), {})
            for name in action.__struct_fields__:
                seen = fields.setdefault(name, [])
                value = getattr(action, name)
                if value not in seen:
                    seen.append(value)
        for fields in self.values.values():
            if fields.get("seat") not in (None, [TABLE]):
                fields["seat"] = list(game.seats)

    def sample(self, rng: random.Random) -> Action:
        """One action, every field drawn evenly."""
        kind = rng.choice(list(self.values))
        return kind(**{name: rng.choice(seen) for name, seen in self.values[kind].items()})


# --- legal and refused ---------------------------------------------------------------------------


def check_forms(game: Rules, state: State, rng: random.Random, samples: int = 3, limit: int = 200) -> int:
    """Everything that is offered is legal, of the kind and freedom announced, and offered once.

    The completions of a form are all distinct, and every sample is one of them. Gives how many were checked.
    """
    count = 0
    for seat in (*game.seats, TABLE):
        offers = game.offers(state, seat)
        plain = [offer for offer in offers if not isinstance(offer, Form)]
        assert len(set(map(repr, plain))) == len(plain), f"{seat} is offered something twice"
        frees = [offer.free for offer in offers]
        assert frees == sorted(frees), f"{seat}: free actions come last"
        for offer in offers:
            actions = [offer]
            if isinstance(offer, Form):
                actions = list(itertools.islice(offer.expand(), limit))
                assert actions, f"{seat}: a form that nothing completes: {offer}"
                assert len(set(map(repr, actions))) == len(actions), f"{seat}: {offer} gives something twice"
                drawn = [offer.sample(rng) for _ in range(samples)]
                assert len(actions) == limit or all(action in actions for action in drawn)
                actions += drawn
            for action in actions:
                assert isinstance(action, Action)
                assert action.kind == offer.kind
                assert action.free == offer.free
                violation = game.refuse(state, action)
                assert violation is None, f"{action} is offered, and refused by {violation}"
                check_json(game, action)
                count += 1
    return count


def check_refusals(game: Rules, state: State, actions: Sequence[Action]) -> tuple[int, int]:
    """`refuse` and `offers` agree about each action; a refusal changes nothing and names legal actions.

    Gives how many were legal and how many were refused.
    """
    legal: dict[str, list[Action]] = {}
    before = game.digest(state)
    found = [0, 0]
    for action in actions:
        seat = getattr(action, "seat", TABLE)
        violation = game.refuse(state, action)
        if seat not in legal:
            known = seat in (*game.seats, TABLE)
            legal[seat] = list(expand(game.offers(state, seat))) if known else []
        offered = action in legal[seat]
        assert (violation is None) == offered, f"{action}: offered {offered}, refused by {violation}"
        found[violation is not None] += 1
    for action in actions[:: max(1, len(actions) // 20)]:
        refused = game.ruling(state, action)
        if refused is not None:
            assert isinstance(refused, Refused)
            assert all(game.refuse(state, near) is None for near in refused.nearest)
    assert game.digest(state) == before
    return found[0], found[1]


# --- forms of state and action -------------------------------------------------------------------


def check_json(game: Rules, action: Action) -> None:
    """An action comes back equal from JSON, by both ways of the codec."""
    data = game.codec.encode(action)
    assert game.codec.decode(data) == action
    assert game.codec.from_json(msgspec.json.decode(data)) == action
    assert msgspec.json.decode(msgspec.json.encode(game.codec.to_json(action))) == msgspec.json.decode(data)


def check_round_trip(game: Rules, state: State) -> None:
    """A position, sent through JSON, gives a state with the same position, digest and offers."""
    sent = msgspec.json.decode(msgspec.json.encode(game.to_position(state)))
    back = game.from_position(sent)
    assert back == state
    assert game.digest(back) == game.digest(state)
    assert game.acting(back) == game.acting(state)
    assert not game.faults(back)


# --- viewers -------------------------------------------------------------------------------------


def check_views(game: Rules, state: State, twin: State, viewer: str) -> None:
    """Two states that differ only in what the viewer does not know look the same to it."""
    assert game.to_position(state) != game.to_position(twin), "the twin does not differ"
    assert game.view(state, viewer) == game.view(twin, viewer)


def check_histories(game: Rules, first: Referee[Any], second: Referee[Any], viewer: str) -> None:
    """Two games that differ only in what the viewer does not know have the same history for it."""
    assert first.history(STAFF) != second.history(STAFF), "the twin does not differ"
    assert first.history(viewer) == second.history(viewer)


def viewers(game: Rules) -> tuple[str, ...]:
    """Everybody who is not entitled to everything."""
    return (*game.seats, PUBLIC)


# --- the referee ---------------------------------------------------------------------------------


def referee_for(game: Rules) -> Referee[Any]:
    """A referee on a journal in memory, with clocks that can be compared."""
    return Referee.new(game, MemoryJournal(header_for(game), now=lambda: "then"))


def recorded(game: Rules, actions: Sequence[Action]) -> Referee[Any]:
    """A referee that has accepted the actions one by one."""
    referee = referee_for(game)
    for action in actions:
        ruling = referee.submit(action)
        assert isinstance(ruling, Accepted), ruling
    return referee


def check_replay(referee: Referee[Any], digests: bool = True) -> int:
    """The journal replays strictly to the same state and score; gives the number of entries."""
    lines = list(replay(referee.journal, digests))
    assert not [line for line in lines if line.differs]
    again = Referee.resume(referee.journal)
    assert again.game.digest(again.state) == referee.game.digest(referee.state)
    assert again.sheet() == referee.sheet()
    assert again.clocks == referee.clocks
    assert again.history() == referee.history()
    return len(lines)


def check_untouched(referee: Referee[Any], attempt: Callable[[], Accepted | Refused]) -> Refused:
    """An attempt is refused and leaves state, journal and history as they were. Gives the refusal."""
    game, before = referee.game, (referee.state, referee.journal.head, referee.history(), referee.clocks)
    ruling = attempt()
    assert isinstance(ruling, Refused), ruling
    assert before == (referee.state, referee.journal.head, referee.history(), referee.clocks)
    assert game.digest(before[0]) == game.digest(referee.state)
    return ruling


def check_undo(game: Rules, actions: Sequence[Action], rng: random.Random, tries: int = 10) -> int:
    """Undo with what its terms ask goes back; redo goes forward again where nothing was forgotten.

    Without the consents or the confirmed steps that the terms list it is refused. Gives the number of undos.
    """
    referee = referee_for(game)
    digests = [game.digest(referee.state)]
    done = 0
    for index, action in enumerate(actions):
        assert isinstance(referee.submit(action), Accepted)
        digests.append(game.digest(referee.state))
        if rng.random() * len(actions) > tries:
            continue
        by = rng.choice([*game.seats, getattr(action, "seat", TABLE)])
        terms = referee.undo_terms(by)
        if not terms.actions:
            assert check_untouched(referee, partial(referee.undo, by)).rule == "SM-UNDO-1"
            continue
        assert by not in terms.consents
        if terms.consents:
            refused = check_untouched(referee, partial(referee.undo, by, steps_done=True))
            assert refused.rule == "SM-UNDO-2"
        if terms.tells:
            refused = check_untouched(referee, partial(referee.undo, by, consents=terms.consents))
            assert refused.rule == "SM-UNDO-3"
        assert isinstance(referee.undo(by, consents=terms.consents, steps_done=True), Accepted)
        done += 1
        if terms.tells:
            # What was known is unknown now, so the rest of the game may be another one.
            assert check_untouched(referee, partial(referee.redo, by)).rule == "SM-REDO-3"
            assert not game.faults(referee.state)
            break
        assert game.digest(referee.state) == digests[index + 1 - len(terms.actions)]
        assert isinstance(referee.redo(by), Accepted)
        assert game.digest(referee.state) == digests[-1]
    check_replay(referee)
    return done


# --- waived rules --------------------------------------------------------------------------------


TRIED = 200
"""States of one game in which `check_waiver` looks for an occasion."""


def _breaking(
    game: Rules, state: State, candidates: Callable[[State], Sequence[Action]], rule: str
) -> list[Action]:
    """Candidates that break `rule` and no other."""
    return [a for a in candidates(state) if {v.rule for v in game.violations(state, a)} == {rule}]


def check_waiver(
    game: Rules, rule: str, candidates: Callable[[State], Sequence[Action]], seed: int = 0
) -> int:
    """The table overrules `rule` once in each of several games, which then go on to their end.

    `candidates` gives actions to try in a state. Gives how often the rule could be overruled; AssertionError
    when never.
    """
    assert rule in game.waivable
    found = 0
    for number in range(seed, seed + 40):
        rng = random.Random(number)
        steps: list[tuple[State, Action]] = []
        play(game, rng, observe=lambda before, action, *_, steps=steps: steps.append((before, action)))
        stops = rng.sample(range(len(steps)), min(len(steps), TRIED))
        tried = ((stop, _breaking(game, steps[stop][0], candidates, rule)) for stop in stops)
        stop, broken = next((pair for pair in tried if pair[1]), (0, []))
        referee = recorded(game, [action for _, action in steps[:stop]])
        for action in broken[:2]:
            few = check_untouched(referee, partial(referee.overrule, action, [rule], game.seats[:-1]))
            assert few.rule == "SM-OVR-2"
            ruling = referee.overrule(action, [rule], game.seats)
            if isinstance(ruling, Refused):
                assert ruling.rule == "SM-OVR-3"
                continue
            entry = referee.history()[-1]
            assert (entry.waived, entry.consents) == ((rule,), game.seats)
            played = random_playout(game, rng, state=referee.state)
            for later in played.actions:
                assert isinstance(referee.submit(later), Accepted)
            if totals := game.totals(referee.state):
                assert referee.sheet().check(totals) == []
            check_replay(referee)
            found += 1
            break
        if found >= 5:
            break
    assert found, f"{rule} could never be overruled"
    return found


# --- words ---------------------------------------------------------------------------------------

TABLES = frozenset(
    {
        "actions",
        "blanks",
        "differences",
        "effects",
        "end",
        "events",
        "faces",
        "groups",
        "hints",
        "notes",
        "offers",
        "refusals",
        "setup",
        "sources",
        "switches",
        "ties",
        "told",
        "why",
        "words",
    }
)
"""The tables of a catalogue."""


def check_words(game: Rules, rng: random.Random, *languages: str) -> None:
    """There are words for all that the table asks, does, tells and shows in one playout, and each of the
    languages has the keys of the English catalogue. What is refused is not played: its words are not looked
    for, nor are questions of forms."""
    wanted = {(table, kind) for kind in game.codec.types for table in ("actions", "offers")}

    def look(before: State, action: Action, after: State, caused: list[Event]) -> None:
        wanted.update(("why", who.why) for who in game.acting(before))
        wanted.update(("sources", event.source) for event in caused if isinstance(event, Points))
        wanted.update(("told", event.key) for event in caused if isinstance(event, Told))
        if (hint := game.foresee(before, action).hint) is not None:
            wanted.add(("hints", hint.key))
        wanted.update(("words", word) for word in _words_of(game.display(after)))

    play(game, rng, observe=look)
    words = Sentences.of(game.title)
    lacks = sorted(f"{table}.{key}" for table, key in wanted if not words.has(table, key))
    assert not lacks, f"no words for {lacks}"
    folder = game.title.folder / "locale"
    english = read_catalogue(folder / "en.toml")
    assert set(english) <= TABLES, f"nothing reads the tables {sorted(set(english) - TABLES)}"
    for language in languages:
        other = read_catalogue(folder / f"{language}.toml")
        differs = {(t, k) for t in english for k in english[t]} ^ {(t, k) for t in other for k in other[t]}
        assert not differs, f"en and {language} differ in {sorted(differs)}"


def _words_of(display: Display) -> Iterator[str]:
    """The catalogue words that a display names; "" for none."""
    gauges = [gauge for strip in display.strips for gauge in strip.gauges]
    gauges += [gauge for place in display.places for gauge in place.cost]
    gauges += [gauge for row in display.rows for gauge in row.holds]
    yield from (gauge.what for gauge in gauges)
    yield from filter(None, (strip.status for strip in display.strips))
    yield from (f"row.{row.words}" for row in display.rows)
    yield from display.progress.phases
    yield from ["vp"] if any(strip.points is not None for strip in display.strips) else []
    yield from [display.counter.what] if display.counter is not None else []
