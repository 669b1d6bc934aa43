"""What the screen shows of Trains, what it foretells, the edges of a game, and words for all of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import pytest

from assistant import cards as c
from assistant.actions import TABLE, Action
from assistant.display import Display, Foresight
from assistant.events import Told
from assistant.game import PUBLIC, Game, find_title
from assistant.games.trains import effects as fx
from assistant.games.trains import texts
from assistant.games.trains.actions import Buy, Lay, Play
from assistant.games.trains.game import Trains
from assistant.hidden import Truth
from assistant.journal import MemoryJournal
from assistant.offers import Form
from assistant.referee import Referee, header_for
from tests.hands import step
from ui.kiosk.deeds import nested
from ui.sentences import MISSING, Sentences

TITLE = find_title("trains")
LANGUAGES = ("en", "de")


@cache
def trains(seats: int = 3, pack: str = "kestrel_bay", **options: str) -> Trains:
    game = TITLE.open(TITLE.load_pack(pack), seats, options)
    assert isinstance(game, Trains)
    return game


@cache
def played(seed: str) -> tuple[tuple[Any, ...], Trains]:
    """States of a whole game at a table with real hands."""
    game = trains()
    referee = Referee.new(game, MemoryJournal(header_for(game)))
    truth, rng, states = Truth(game, seed), random.Random(seed), [game.start()]
    while not game.finished(referee.state):
        step(referee, truth, rng)
        states.append(referee.state)
        assert len(states) < 5000
    return tuple(states), game


def offered(game: Game[Any], state: Any) -> Iterator[Action]:
    """Everything that is offered as it is, and one action of each form."""
    for who in game.acting(state):
        for offer in game.offers(state, who.seat):
            yield offer.sample(random.Random(0)) if isinstance(offer, Form) else offer


@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_table_with_real_hands_shows_no_hand(seed: str) -> None:
    states, game = played(seed)
    for state in states[::5]:
        display = game.display(state)
        lying = Counter(name for group in display.cards if group.seat for name in group.names)
        open_ = Counter(
            known.card for cards in state.cards.values() for zone in c_open(cards) for known in zone.named
        )
        assert lying == open_
        assert all(group.words != "hand" for group in display.cards)


def c_open(cards: c.Cards) -> list[c.Zone]:
    return [cards[zone] for zone in ("play", "gained", "revealed", "discard")]


def test_a_dealt_hand_is_shown_to_its_seat_alone() -> None:
    game, rng = trains(2), random.Random("dealt")
    state = game.start()
    while game.acting(state)[0].seat == TABLE:
        action = game.chance(state, rng)
        assert action is not None
        state, _ = game.apply(state, action)
    for viewer in (*game.seats, PUBLIC):
        shown = {
            group.seat: group.names for group in game.display(state, viewer).cards if group.words == "hand"
        }
        assert set(shown) == ({viewer} if viewer in game.seats else set())
        for seat, names in shown.items():
            assert seat is not None
            assert Counter(names) == Counter(state.cards[seat]["hand"].names)


@pytest.mark.parametrize("seed", ["one", "two"])
def test_strips_count_what_lies_there_and_score_as_if_it_ended_now(seed: str) -> None:
    states, game = played(seed)
    for state in states[::7]:
        display = game.display(state)
        order = [game.seats[(state.first + n) % len(game.seats)] for n in range(len(game.seats))]
        assert [strip.seat for strip in display.strips] == order
        ended, _ = game.final(state)
        for strip in display.strips:
            cards, gauges = state.cards[strip.seat], {g.what: g.value for g in strip.gauges}
            assert strip.points == game.totals(ended)[strip.seat]
            for zone in ("deck", "discard"):
                assert gauges[zone] == cards[zone].size
            assert gauges["waste"] == c.owned(cards)[game.waste]
            assert gauges["rails"] == game.rails_left(state, game.index[strip.seat])


def test_the_map_shows_rails_stations_and_the_room_of_cities() -> None:
    states, game = played("one")
    state = states[-1]
    display, position = game.display(state), game.to_position(state)
    rails = {seat: {s.space for s in display.tokens if s.seat == seat} for seat in game.seats}
    assert rails == {seat: set(position["seats"][seat]["rails"]) for seat in game.seats}
    built = Counter(spot.space for spot in display.tokens if spot.what == "station")
    assert built == Counter(position["stations"])
    for name, place in game.board.hexes.items():
        note = display.notes.get(name, {})
        if place.terrain == "city":
            assert note == {"room": str(place.number), "built": str(built[name])}
        elif place.terrain == "remote":
            assert note == {"number": str(place.number)}
        else:
            assert note == {}
    assert len(display.barriers) == 10


def test_the_turn_shows_money_rails_waste_and_what_holds() -> None:
    game = trains(2)
    base = _turn_of(game, {"hand": ["TC-SB", "TC-IW", "TC-NT", "TC-DS"]})
    state = base
    for card, apply in (("TC-IW", True), ("TC-SB", True), ("TC-NT", False)):
        state, _ = game.apply(state, Play("A", card, apply))
    turn = game.display(state).turn
    assert turn is not None
    assert {gauge.what: gauge.value for gauge in turn.gauges} == {
        "money": 4,
        "rails": 1,
        "waste": 1,
        "hand": 1,
    }
    assert [told.key for told in turn.holds] == ["waive.river", "bonus"]
    assert {group.words: Counter(group.names) for group in turn.cards} == {
        "play": Counter(["TC-IW", "TC-SB", "TC-NT"]),
        "gained": Counter(["TC-WA"]),
    }


def _turn_of(game: Trains, seat: dict[str, Any], **facts: Any) -> Any:
    """Seat A in its turn with a hand that everybody knows, out of the box besides its starting deck."""
    position: Any = game.to_position(game.start())
    stacks = [card.id for card in game.content.cards if card.role == "random"]
    supply = {**position["supply"], **{card: game.cards[card].count for card in stacks}}
    for name in seat["hand"]:
        if name in supply:
            supply[name] -= 1
    own = {
        **position["seats"]["A"],
        **seat,
        "rails": ["B4"],
        "deck": ["TC-NT"] * 7 + ["TC-LR"] * 2 + ["TC-SE"],
    }
    for name in seat["hand"]:
        if name in ("TC-NT", "TC-LR", "TC-SE"):
            own["deck"].remove(name)
            supply[name] = supply.get(name, 0) + (name != "TC-NT")
    other = {**position["seats"]["B"], "rails": ["B3"]}
    del own["rails_left"], other["rails_left"], position["box"]
    return game.from_position(
        {**position, "phase": "turns", "supply": supply, "seats": {"A": own, "B": other}, **facts}
    )


def test_a_price_says_ground_others_waste_and_what_is_waived() -> None:
    game = trains(2)
    state = _turn_of(game, {"hand": []}, money=5, rail_points=3)
    prices = {
        action.hex: game.foresee(state, action) for action in offered(game, state) if isinstance(action, Lay)
    }
    assert set(prices) == {"A4", "A5", "B3", "B5", "C4", "C5"}
    assert _price(prices["B3"]) == {"money": 1, "waste": 1}
    assert _hint(prices["B3"])[0] == "lay.waste"
    assert _price(prices["B5"]) == {"money": 1}
    assert _hint(prices["C4"]) == (
        "lay",
        {"name": "Alderton", "terrain": "city", "ground": 1, "others": 0, "cost": 1, "left": 4},
    )
    waived = _turn_of(game, {"hand": []}, money=0, rail_points=1, waived=["river", "others"])
    assert _hint(game.foresee(waived, Lay("A", "B5")))[0] == "lay.waived"
    assert _price(game.foresee(waived, Lay("A", "B3"))) == {"money": 0}
    free = _turn_of(game, {"hand": []}, rail_points=1, waived=["all"])
    assert _hint(game.foresee(free, Lay("A", "B3")))[0] == "lay.waste.free"
    clean = _turn_of(game, {"hand": []}, money=1, rail_points=1, no_waste=True)
    assert _price(game.foresee(clean, Lay("A", "B3"))) == {"money": 1}
    assert _hint(game.foresee(clean, Lay("A", "B3")))[0] == "lay.shared"


def _price(foresight: Foresight) -> dict[str, int]:
    return {gauge.what: gauge.value for gauge in foresight.price}


def _hint(foresight: Foresight) -> tuple[str, dict[str, Any]]:
    assert foresight.hint is not None
    return foresight.hint.key, foresight.hint.values


def test_what_is_foretold_is_what_comes() -> None:
    states, game = played("two")
    kinds = set()
    for state in states[::3]:
        for action in offered(game, state):
            if not isinstance(action, Lay | Buy):
                continue
            kinds.add(type(action))
            foresight, (after, _) = game.foresee(state, action), game.apply(state, action)
            assert _price(foresight)["money"] == state.turn.money - after.turn.money
            gained = [s.cards[action.seat]["gained"].names.count(game.waste) for s in (state, after)]
            waste = next((ch.after - ch.before for ch in foresight.changes if ch.what == "waste"), 0)
            assert waste == gained[1] - gained[0]
            if isinstance(action, Lay):
                assert _price(foresight).get("waste", 0) == waste
    assert kinds == {Lay, Buy}


def test_the_end_is_announced() -> None:
    states, game = played("one")
    notices = [notice.key for state in states if (notice := game.display(state).notice) is not None]
    assert notices[0] == "near.stacks"
    assert "ending" in notices
    # A seat that is asked to end that turn is told so.
    last = [s for s in states if game.end_conditions(s) and s.phase == "turns" and not s.stack]
    for state in last:
        seat = game.seats[state.active]
        assert _hint(game.foresee(state, game.ends[seat]))[0] == "end_turn.ends"


def test_steps_of_setting_up_are_ticked_by_the_record() -> None:
    states, game = played("one")
    done = [[step.key for step in game.set_up(state) if step.done] for state in states]
    assert done[0] == []
    assert done[1] == ["stacks"]
    assert done[2] == ["stacks", "first"]
    assert done[2 + len(game.seats)] == ["stacks", "first", "hands"]
    assert done[-1] == ["stacks", "first", "hands"]


def test_a_finished_table_is_scored_by_what_lies_there() -> None:
    states, game = played("two")
    state = states[-1]
    position = game.to_position(state)
    truth: dict[str, Any] = {}
    for fact in game.end_facts({}):
        if fact.path.startswith("with_stations"):
            count = int(fact.path.rpartition(".")[2])
            truth[fact.path] = [name for name, there in position["stations"].items() if there == count]
            assert set(truth[fact.path]) <= set(fact.choices)
            assert len(truth[fact.path]) <= fact.high
        elif ".owned." in fact.path:
            assert fact.seat is not None
            truth[fact.path] = c.owned(state.cards[fact.seat])[fact.path.rpartition(".")[2]]
        else:
            key = fact.path.rpartition(".")[2]
            truth[fact.path] = position["seats"][fact.seat][key]
    entered = game.from_position(game.end_position(nested(truth)))
    ended, events = game.final(entered)
    assert game.totals(ended) == game.totals(state)
    assert game.places(ended) == game.places(state)
    assert {event.source for event in events} >= {"city", "cards"}  # type: ignore[attr-defined]
    nothing = game.from_position(game.end_position({}))
    assert game.totals(game.final(nothing)[0]) == dict.fromkeys(game.seats, 0)


def test_rails_decide_between_equal_points_and_nothing_else_does() -> None:
    game = trains(3)
    seats = {"A": {"rails": ["B4", "B3"]}, "B": {"rails": ["B4", "C3", "D3"]}, "C": {"rails": ["B4", "C2"]}}
    ended, _ = game.final(game.from_position(game.end_position({"seats": seats})))
    assert game.places(ended) == [("B",), ("A", "C")]
    assert [(tie.seat, tie.to, tie.why, tie.values) for tie in game.ties(ended)] == [
        ("B", "A", "rails", {"more": 3, "less": 2}),
        ("B", "C", "rails", {"more": 3, "less": 2}),
    ]


# Words --------------------------------------------------------------------------------------------


def keys_of(display: Display) -> set[tuple[str, str]]:
    """Everything that a display says, as (table, key)."""
    out = {("words", gauge.what) for strip in display.strips for gauge in strip.gauges}
    out |= {("words", strip.status) for strip in display.strips if strip.status}
    out |= {("words", spot.what) for spot in display.tokens}
    out |= {("words", group.words) for group in display.cards if group.words not in ("hand", "discard")}
    if display.turn is not None:
        out |= {("words", gauge.what) for gauge in display.turn.gauges}
        out |= {("effects", told.key) for told in display.turn.holds}
    if display.notice is not None:
        out.add(("hints", display.notice.key))
    return out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_has_its_words(language: str) -> None:
    words = Sentences.of(TITLE, language, {"A": "Mira", "B": "Jonas", "C": "Aiko"})
    states, game = played("one")
    keys: set[tuple[str, str]] = set()
    for state in states[::2]:
        keys |= keys_of(game.display(state))
        keys |= {("why", who.why) for who in game.acting(state)}
        keys |= {("setup", step.key) for step in game.set_up(state)}
        for action in offered(game, state):
            hint = game.foresee(state, action).hint
            if hint is not None:
                keys.add(("hints", hint.key))
                assert MISSING not in words.say("hints", hint.key, {"seat": hint.seat, **hint.values})
            assert MISSING not in words.action(action)
    keys |= {("end", fact.label) for fact in game.end_facts({})}
    assert {key for key in keys if not words.has(*key)} == set()
    assert len(keys) > 40


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pack", ["tokyo", "osaka", "kestrel_bay"])
def test_every_card_says_what_it_does(pack: str, language: str) -> None:
    words = Sentences.of(TITLE, language)
    for card in trains(2, pack).content.cards:
        for told in texts.does(card):
            said = words.value(told)
            assert said != told.key, card.id
            assert MISSING not in said
            # Nothing is left in the language of the pack's file.
            assert ":" not in said.replace(": ", " "), said


def primitives() -> Iterator[fx.Effect]:
    """One of every primitive, in every way in which it can be written."""
    values: dict[str, Any] = {"n": 2, "of": "train", "plus": 3, "card": "TC-NT", "then": fx.Money(3)}
    values |= {"branches": (fx.Draw(1), fx.ReturnWaste("one")), "draw": 1, "money": 1}
    for kind in get_args(fx.Effect):
        names = kind.__struct_fields__
        given = {name: values[name] for name in names if name in values}
        if kind is fx.ReturnWaste:
            yield from (
                kind(count, money)
                for count in ("all", "any", "one")
                for money in (0, 1)
                if not money or count == "any"
            )
        elif kind is fx.Waive:
            yield from (kind(what) for what in get_args(fx.Waived))
        elif kind is fx.DiscardAny:
            yield from (kind(draw, money) for draw in (0, 1) for money in (0, 1))
        else:
            yield kind(**given)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_primitive_has_words(language: str) -> None:
    words = Sentences.of(TITLE, language)
    said = [words.value(texts.effect(line)) for line in primitives()]
    assert not [text for text in said if MISSING in text]
    assert len(set(said)) == len(said) > 30
    colours = [words.value(texts.effect(fx.Recover(colour))) for colour in get_args(fx.Colour)]
    assert len(set(colours)) == len(colours)
    assert not any("colour" in text for text in colours)


def test_a_told_effect_is_told_within_a_sentence() -> None:
    words = Sentences.of(TITLE)
    hint = Told("play.apply", "A", {"money": 0, "effects": [Told("rail", values={"n": 2}), Told("no_waste")]})
    assert (
        words.say("hints", hint.key, hint.values) == "0 Money, then lay 2 rails, you take no Waste this turn."
    )
