"""Score a finished table: read the mat, or enter what lies there; then every point is shown with its source.

What has to be known is the game's to say (`Game.end_facts`). Kept in `nav.values`: "title", "pack" and
"players"; "seat" (whose facts are entered, "" for the table's), "fact" (path of the one at hand), "facts"
(what was entered, by path), "page"; the host puts "seen" there (tokens by seat and kind) and "hidden" (places
that the camera could not judge); "sure" (what of seats without facts was asked about).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from assistant.game import EndFact, Game, find_title
from assistant.layout import SEAT_LETTERS, Mat
from ui.presenters import maps, parts, wording
from ui.presenters.elements import (
    AnyElement,
    Badge,
    Board,
    Button,
    Column,
    Hex,
    Page,
    Panel,
    Prompt,
    Row,
    Space,
    Text,
    Token,
)
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import Shown, TitleFacts
from ui.sentences import Sentences

A_LIST = 4
"""Facts in the list beside the one that is entered."""
ACROSS, DOWN = 3, 4
"""Cards on one page."""
STEPS = (-10, -1, 1, 10)


@cache
def _game(title: str, pack: str, players: int) -> Game[Any]:
    found = find_title(title)
    return found.open(found.load_pack(pack or found.default_pack), players)


@cache
def _mat(title: str, pack: str, players: int) -> Mat | None:
    try:
        return _game(title, pack, players).mat()
    except LookupError:
        return None


@cache
def _scorable(title: str) -> bool:
    found = find_title(title)
    return bool(_game(title, "", found.seats[1]).end_facts({}))


class Draft:
    """What was entered so far about one table."""

    def __init__(self, shown: Shown, title: TitleFacts, values: Mapping[str, Any]) -> None:
        low, high = title.seats
        wanted = values.get("players")
        self.title, self.pack = title, str(values.get("pack") or "")
        self.players = min(max(wanted if isinstance(wanted, int) else high, low), high)
        self.game = _game(title.id, self.pack, self.players)
        self.mat = _mat(title.id, self.pack, self.players)
        self.sentences = Sentences.of(self.game.title, shown.words.language)
        self.own: dict[str, Any] = dict(values.get("facts") or {})
        self.seen: Mapping[str, Any] = values.get("seen") or {}
        self.hidden = len(values.get("hidden") or ())
        self.facts = self.game.end_facts(self.own)

    def value(self, fact: EndFact) -> Any:
        """What was entered, else what the camera saw, else what holds at first."""
        if fact.path in self.own:
            return self.own[fact.path]
        if fact.kind == "spaces" and fact.seat is not None:
            what = fact.path.rpartition(".")[2]
            found = [str(place) for place in self.seen.get(fact.seat, {}).get(what, ())]
            return [place for place in found if not fact.choices or place in fact.choices]
        if fact.kind in ("cards", "spaces", "order"):
            return list(fact.start or ())
        return fact.start

    def missing(self) -> EndFact | None:
        """The first fact without which nothing can be scored."""
        for fact in self.facts:
            value = self.value(fact)
            if fact.kind in ("cards", "spaces") and not fact.low <= len(value) <= fact.high:
                return fact
            if fact.kind == "order" and 0 < len(value) < len(fact.choices):
                return fact
        return None

    def untouched(self) -> list[str]:
        """Seats of which nothing was entered or seen."""
        known = {fact.seat for fact in self.facts if fact.path in self.own}
        return [seat for seat in self.game.seats if seat not in known and not self.seen.get(seat)]

    def as_it_is(self) -> list[Any]:
        """What is agreed to by scoring seats of which nothing is known; other facts are agreed to anew."""
        return [len(self.own), *self.untouched()]

    def position(self) -> dict[str, Any]:
        """What was entered, by path; what nobody said is left to the game."""
        known = {fact.path: self.value(fact) for fact in self.facts}
        orders = {fact.path for fact in self.facts if fact.kind == "order" and not known[fact.path]}
        return {path: value for path, value in known.items() if value is not None and path not in orders}

    def label(self, fact: EndFact) -> str:
        """What is asked for."""
        return wording.capital(self.sentences.say("end", fact.label, fact.values))

    def entered(self, fact: EndFact) -> str:
        """The value as it stands in a list: a number, how many, the word of what was picked."""
        value = self.value(fact)
        if fact.kind == "one":
            return fact.words[fact.choices.index(value)] if value in fact.choices else "–"
        return str(value) if fact.kind == "number" else str(len(value))

    def changed(self, facts: Mapping[str, Any]) -> Set:
        """The draft with other facts, by path."""
        return Set({"facts": {**self.own, **facts}})


def page(shown: Shown, nav: Nav) -> Page:
    """The title and how many played, and then one fact after the other."""
    t, values = shown.words.t, nav.values
    there = [title for title in shown.house.offered if _scorable(title.id)]
    title = next((each for each in there if each.id == values.get("title")), None)
    back = Button(id="leave", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK))
    if title is None:
        return _titles(shown, nav, there, back)
    draft = Draft(shown, title, values)
    seats = draft.game.seats
    seat = str(values.get("seat", ""))
    seat = seat if seat in seats else ""
    mine = [fact for fact in draft.facts if (fact.seat or "") == seat]
    fact = next((each for each in mine if each.path == values.get("fact")), mine[0])
    said = t("Read the mat, or enter what lies there.")
    if draft.hidden:
        covered = shown.words.n("One area is covered.", "{n} areas are covered.", draft.hidden)
        said = f"{covered} {t('Enter by touch what lies there.')}"
    prompt = Prompt(draft.label(fact), said, "none", seat)
    if draft.untouched() and values.get("sure") == draft.as_it_is():
        asked = t("Score it with nothing of seat {seats}?", seats=", ".join(draft.untouched()))
        prompt = Prompt(asked, t("Touch “Score it” once more, or enter what is missing."), "caution")
    body = Row(
        children=(
            _seats(shown, draft, seat),
            _list(shown, draft, mine, fact),
            _entry(shown, nav, draft, fact),
        ),
        gap=12,
        pad=12,
    )
    return Page(
        id="end_position",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=body,
        left=(back, _read(shown, draft), *_over(shown, draft)),
        right=(_next(shown, draft, fact), _score(shown, nav, draft)),
    )


def _titles(shown: Shown, nav: Nav, there: Sequence[TitleFacts], back: Button) -> Page:
    t = shown.words.t
    made: list[AnyElement] = [
        Panel(
            child=Row(
                children=(
                    Text(text=each.name, size="button", bold=True, grow=1, shrink=True),
                    Text(text=each.edition, tone="text2"),
                ),
                gap=12,
            ),
            ground="sleeper",
            edge="rule",
            h=76,
            id=f"title:{each.id}",
            intent=Set({"title": each.id, "pack": each.default_pack, "facts": {}}),
        )
        for each in there[:4]
    ]
    text = t("Which game was played?") if there else t("No game here can be scored at its end")
    return Page(
        id="end_position",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, Prompt(text, "", "none")),
        body=Column(children=(*made, Space(grow=1)), gap=12, pad=16),
        left=(back,),
    )


# Whose, and what ----------------------------------------------------------------------------------


def _seats(shown: Shown, draft: Draft, seat: str) -> Column:
    """Whose facts are entered: the seats, and the table itself; and how many played."""
    t = shown.words.t
    made: list[AnyElement] = [
        Panel(
            child=Text(text=t("Table"), size="note", bold=True, align="centre"),
            ground="ballast" if seat else "sleeper",
            acting=not seat,
            pad=8,
            h=66,
            id="seat:table",
            intent=Set({"seat": "", "fact": "", "page": 0}),
        )
    ]
    made += [
        Panel(
            child=Badge(seat=each, side=44),
            ground="sleeper" if each == seat else "ballast",
            acting=each == seat,
            pad=8,
            h=66,
            id=f"seat:{each}",
            intent=Set({"seat": each, "fact": "", "page": 0}),
        )
        for each in draft.game.seats
    ]
    return Column(children=tuple(made), gap=6, w=92)


def _list(shown: Shown, draft: Draft, mine: Sequence[EndFact], fact: EndFact) -> Column:
    """What is to be entered, with what was; the table's list begins with how many played."""
    number = mine.index(fact)
    leaf = parts.leaf(len(mine), A_LIST, number // A_LIST)
    made: list[AnyElement] = []
    if fact.seat is None:
        low, high = draft.title.seats
        players = low + (draft.players - low + 1) % (high - low + 1)
        made.append(
            Button(
                id="players",
                text=shown.words.n("One player", "{n} players", draft.players),
                icon="person",
                # Another number of players has other seats and other open places: what was entered goes.
                intent=Set({"players": players, "seat": "", "fact": "", "facts": {}, "seen": {}}),
            )
        )
    for each in mine[leaf.first : leaf.end]:
        made.append(
            Panel(
                child=Row(
                    children=(
                        Text(text=draft.label(each), size="note", grow=1, lines=2),
                        Text(text=draft.entered(each), bold=True),
                    ),
                    gap=6,
                ),
                ground="sleeper",
                edge="rule",
                chosen=each == fact,
                pad=8,
                h=66,
                id=f"fact:{each.path}",
                intent=Set({"fact": each.path, "page": 0}),
            )
        )
    made.append(Space(grow=1))
    if leaf.of > 1:
        onward = mine[(leaf.number + 1) % leaf.of * A_LIST].path
        words = f"{leaf.number + 1}/{leaf.of}"
        made.append(Button(id="more", text=words, icon="arrow", intent=Set({"fact": onward, "page": 0})))
    return Column(children=tuple(made), gap=6, w=236)


# How one fact is entered --------------------------------------------------------------------------


def _entry(shown: Shown, nav: Nav, draft: Draft, fact: EndFact) -> AnyElement:
    if fact.kind == "number":
        return _number(draft, fact)
    if fact.kind == "spaces" and draft.mat is not None:
        return Column(children=(_map(draft, draft.mat, fact),), grow=1)
    if fact.kind == "one":
        return _picks(
            shown, nav, [(f"one:{c}", w, c) for c, w in _ones(fact)], [draft.value(fact)], draft, fact
        )
    return _picks(
        shown,
        nav,
        [(f"pick:{c}", _name(draft, fact, c), c) for c in fact.choices],
        draft.value(fact),
        draft,
        fact,
    )


def _ones(fact: EndFact) -> list[tuple[Any, str]]:
    return [(None, "–"), *zip(fact.choices, fact.words, strict=True)]


def _name(draft: Draft, fact: EndFact, choice: Any) -> str:
    if fact.kind == "order":
        return str(choice)
    return wording.capital(draft.sentences.value(draft.game.name_of(str(choice))))


def _number(draft: Draft, fact: EndFact) -> Column:
    value = draft.value(fact) or 0
    made: list[AnyElement] = [
        Button(
            id=f"step:{by:+d}",
            text=f"{by:+d}".replace("-", "−"),
            grow=1,
            intent=draft.changed({fact.path: min(max(value + by, fact.low), fact.high)}),
        )
        for by in STEPS
    ]
    return Column(
        children=(
            Space(grow=1),
            Text(text=str(value), size="title", bold=True, align="centre"),
            Row(children=tuple(made), gap=8),
            Space(grow=1),
        ),
        gap=16,
        grow=1,
    )


def _map(draft: Draft, mat: Mat, fact: EndFact) -> Board:
    """The map with everybody's tokens; a touch lays one of this seat, or takes it up."""
    lying: dict[str, list[Token]] = {}
    spaces = [each for each in draft.facts if each.kind == "spaces" and each.seat is not None]
    for each in spaces:
        for place in draft.value(each):
            station = each.path.endswith(f".{maps.STATION}s")
            lying.setdefault(str(place), []).append(Token(each.seat or "", station))
    own = [str(place) for place in draft.value(fact)]
    others = [each for each in spaces if each.seat == fact.seat and each != fact]
    hexes: list[Hex] = []
    intents: dict[str, Intent] = {}
    for space in mat.spaces:
        if space.hex is None:
            continue
        here, allowed = space.id in own, not fact.choices or space.id in fact.choices
        if here or (allowed and len(own) < fact.high):
            after = [name for name in own if name != space.id] if here else sorted([*own, space.id])
            facts = {fact.path: after}
            if not here:
                # A seat has one piece on a space: the other one is taken up.
                for other in others:
                    if space.id in draft.value(other):
                        facts[other.path] = [name for name in draft.value(other) if name != space.id]
            intents[space.id] = draft.changed(facts)
        tokens = tuple(lying.get(space.id, ()))
        hexes.append(Hex(space.id, *space.hex, space.tint, tokens, lit=here, dim=not allowed and not tokens))
    rows, columns = maps.edges(hexes)
    return Board(hexes=tuple(hexes), intents=intents, rows=rows, columns=columns, grow=1)


def _picks(
    shown: Shown,
    nav: Nav,
    choices: Sequence[tuple[str, str, Any]],
    picked: Sequence[Any],
    draft: Draft,
    fact: EndFact,
) -> Column:
    """Cards, seats or printed values to pick; what is picked in an order has its number before it."""
    leaf = parts.leaf(
        len(choices), ACROSS * DOWN if len(choices) <= ACROSS * DOWN else ACROSS * 3, nav.values.get("page")
    )
    rows: list[AnyElement] = []
    for first in range(leaf.first, leaf.end, ACROSS):
        line: list[AnyElement] = []
        for id, words, choice in choices[first : min(first + ACROSS, leaf.end)]:
            line.append(_pick(draft, fact, id, words, choice, picked))
        line += [Space(grow=1)] * (ACROSS - len(line))
        rows.append(Row(children=tuple(line), gap=8, h=68))
    return Column(children=(*rows, Space(grow=1), *parts.pager(shown, leaf)), gap=8, grow=1)


def _pick(draft: Draft, fact: EndFact, id: str, words: str, choice: Any, picked: Sequence[Any]) -> Panel:
    here = choice in picked
    most = len(fact.choices) if fact.kind == "order" else fact.high
    if fact.kind == "one":
        after: Any = choice
    elif here:
        after = [each for each in picked if each != choice]
    else:
        after = [*picked, choice]
        # At the most, the last one is replaced, as in choosing cards elsewhere.
        after = after if len(after) <= most else [*list(picked)[: most - 1], choice]
    ordered = fact.kind == "order" or (fact.kind == "cards" and fact.low == fact.high)
    label = f"{list(picked).index(choice) + 1}. {words}" if here and ordered else words
    inner: tuple[AnyElement, ...] = (
        Text(text=label, size="button", bold=here, shrink=True, lines=2, grow=1),
    )
    if fact.kind == "order":
        inner = (Badge(seat=str(choice), side=40), *inner)
    return Panel(
        child=Row(children=inner, gap=8),
        ground="sleeper",
        edge="rule",
        chosen=here,
        pad=8,
        grow=1,
        h=68,
        id=id,
        intent=draft.changed({fact.path: after}),
    )


# The bottom bar -----------------------------------------------------------------------------------


def _asked(draft: Draft) -> dict[str, Any]:
    """What the host needs to know of the table."""
    return {
        "title": draft.title.id,
        **({"pack": draft.pack} if draft.pack else {}),
        "seats": dict.fromkeys(SEAT_LETTERS[: draft.players], ""),
    }


def _read(shown: Shown, draft: Draft) -> Button:
    t, off = shown.words.t, shown.house.camera.health == "off"
    reason = shown.house.camera.words or t("No camera is set up.")
    return Button(
        id="read",
        text=t("Read the mat"),
        icon="camera",
        kind="quiet",
        intent=None if off else Ask("read_mat", _asked(draft)),
        reason=reason if off else "",
    )


def _over(shown: Shown, draft: Draft) -> tuple[Button, ...]:
    """The button that forgets what was entered, once there is something."""
    if not draft.own and not draft.seen:
        return ()
    text = shown.words.t("Start over")
    return (Button(id="over", text=text, kind="quiet", intent=Set({"over": True})),)


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """ "Start over" forgets the draft, and which game it was."""
    if not isinstance(intent, Set) or not intent.values.get("over"):
        return None
    return msgspec.structs.replace(nav, values={}, explain="")


def _next(shown: Shown, draft: Draft, fact: EndFact) -> Button:
    """Onward to what is asked next, the next seat's first fact after a seat's last."""
    facts = list(draft.facts)
    order = [each for owner in (None, *draft.game.seats) for each in facts if each.seat == owner]
    following = order[(order.index(fact) + 1) % len(order)]
    values = {"seat": following.seat or "", "fact": following.path, "page": 0}
    return Button(id="next", text=shown.words.t("Next"), icon="arrow", intent=Set(values))


def _score(shown: Shown, nav: Nav, draft: Draft) -> Button:
    """Score it; a seat of which nothing was entered is asked about first."""
    t, missing = shown.words.t, draft.missing()
    reason, ask = "", Ask("score_position", {**_asked(draft), "position": draft.position()})
    if missing is not None:
        reason = t("Still to be entered: {what}", what=draft.label(missing))
    sure = not draft.untouched() or nav.values.get("sure") == draft.as_it_is()
    return Button(
        id="score",
        text=t("Score it"),
        icon="star",
        kind="plain" if reason or not sure else "paper",
        intent=None if reason else ask if sure else Set({"sure": draft.as_it_is()}),
        reason=reason,
    )
