"""The content of Trains: the shape of its packs, and what a pack may not say (docs/rules/trains.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct, field

from assistant.games.trains.effects import (
    ChooseOne,
    Colour,
    DiscardAny,
    Effect,
    MoneyIf,
    TrashSelf,
    Waste,
)
from assistant.hexes import Axial, Grid, from_odd_r
from assistant.packs import Fault

Role = Literal["start", "base", "random"]
"""Start decks only, always in the Supply, or drawn by randomizer (TR-SETUP-5 to 7)."""


class Card(Struct, frozen=True):
    """One deck of equal cards. The first of `types` is the colour; "action" besides it is the red symbol.

    `cost` is what it costs to buy, -1 for what cannot be bought; `value` the money that playing it gives.
    """

    id: str
    name: str
    count: int
    types: tuple[Colour, ...]
    role: Role
    cost: int = -1
    value: int = 0
    vp: int = 0
    effect: tuple[Effect, ...] = ()
    on_buy: tuple[Waste, ...] = ()

    @property
    def colour(self) -> Colour:
        """The primary type (TR-FX-6)."""
        return self.types[0]

    @property
    def action(self) -> bool:
        """Whether it bears the red symbol."""
        return "action" in self.types


class SetUp(Struct, frozen=True):
    """Numbers of the set-up: cards of a starting deck by id, cards in hand, random stacks, tokens."""

    start_deck: dict[str, int]
    hand: int
    random_stacks: int
    rail_tokens: int
    station_tokens: int


class Ends(Struct, frozen=True):
    """When the game ends: empty stacks other than Waste (TR-END-1)."""

    empty_stacks: int


class Stacks(Struct, frozen=True):
    """A recommended choice of random stacks."""

    id: str
    name: str
    cards: tuple[str, ...]


class Row(Struct, frozen=True):
    """One row of the map, cells from the left, parted by blanks: F field, R river, M mountain, S sea, a digit
    for a city with so many buildings, *n for a remote location worth n."""

    id: str
    cells: str


class Barrier(Struct, frozen=True):
    """A marked edge between two touching hexes (TR-LAY-3)."""

    a: str
    b: str


class Hex(Struct, frozen=True):
    """One hex of the map: `number` is a city's buildings or a remote location's points."""

    id: str
    terrain: Literal["field", "river", "mountain", "sea", "city", "remote"]
    number: int
    place: Axial
    column: int
    """From 0, in its own row."""
    row: int


TERRAINS: dict[str, Literal["field", "river", "mountain", "sea"]] = {
    "F": "field",
    "R": "river",
    "M": "mountain",
    "S": "sea",
}


class Content(Struct, frozen=True, dict=True):
    """A pack of Trains."""

    cards: tuple[Card, ...]
    setup: SetUp
    ends: Ends
    rows: tuple[Row, ...]
    names: dict[str, str]
    barriers: tuple[Barrier, ...]
    sets: tuple[Stacks, ...] = ()
    vp_track: int = field(default=70)

    @cached_property
    def hexes(self) -> dict[str, Hex]:
        """The map by the ids of its hexes, row by row. ValueError for a cell that means nothing."""
        return {place.id: place for place in _hexes(self.rows)}

    @cached_property
    def grid(self) -> Grid:
        """The map without its sea as bit sets."""
        land = {place.id: place.place for place in self.hexes.values() if place.terrain != "sea"}
        return Grid(land, [(barrier.a, barrier.b) for barrier in self.barriers])


def _hexes(rows: Iterable[Row]) -> Iterator[Hex]:
    """Rows A, C, E… are long; the others have one hex less and stand half a hex to the right."""
    for index, row in enumerate(rows):
        for column, cell in enumerate(row.cells.split()):
            terrain: Any = TERRAINS.get(cell)
            number = 0
            if terrain is None:
                digits = cell.removeprefix("*")
                if not (digits.isdecimal() and digits.isascii()) or len(digits) > 2:
                    raise ValueError(
                        f"{row.id}{column + 1}: a cell is F, R, M, S, a digit or *n, not {cell!r}"
                    )
                terrain, number = ("remote" if cell.startswith("*") else "city"), int(digits)
            yield Hex(f"{row.id}{column + 1}", terrain, number, from_odd_r(column, index), column, index)


def check(content: Content, fixture: bool, unsure: frozenset[str]) -> Iterator[Fault]:
    """What the shape of a pack cannot say."""
    if "cards" not in unsure:
        yield from _cards(content, fixture)
    if not unsure & {"cards", "setup", "sets", "ends", "vp_track"}:
        yield from _set_up(content)
    if not unsure & {"rows", "names", "barriers"}:
        yield from _map(content)


def _cards(content: Content, fixture: bool) -> Iterator[Fault]:
    ids = {card.id for card in content.cards}
    for card in content.cards:

        def fault(key: str, text: str, rule: str = "TR-COMP-4", card: Card = card) -> Fault:
            return Fault("", "cards", f"{card.id}.{key}", text, rule)

        if not card.types:
            yield fault("types", "a card has a colour")
            continue
        if card.count < 1 and not fixture:
            yield fault("count", "a deck has at least one card", "TR-COMP-2")
        if (card.cost < 0) != (card.colour == "waste"):
            yield fault("cost", "every card has a cost, Waste alone has none", "TR-BUY-4")
        if card.vp and card.colour != "vp":
            yield fault("vp", "points stand on Victory Point cards only", "TR-SCORE-3")
        if card.effect and card.colour in ("vp", "waste"):
            yield fault("effect", "this colour is never played", "TR-PLAY-4")
        if card.colour == "action" and not card.effect:
            yield fault("effect", "an Action does something", "TR-PLAY-3")
        if card.value < 0:
            yield fault("value", "a value is 0 or more", "TR-MONEY-2")
        for line in _lines(card):
            if isinstance(line, MoneyIf) and line.card not in ids:
                yield fault("effect", f"there is no card {line.card!r}", "TR-FX-1")
            if isinstance(line, ChooseOne) and len(line.branches) < 2:
                yield fault("effect", "a choice has two branches or more", "TR-FX-1")
            if isinstance(line, DiscardAny) and not (line.draw or line.money):
                yield fault("effect", "discarding any cards gives cards or money for each", "TR-FX-1")
            if any(getattr(line, name, 1) < 1 for name in ("n", "plus")):
                yield fault("effect", "its numbers are 1 or more", "TR-FX-1")
            if any(getattr(line, name, 0) < 0 for name in ("money", "draw")):
                yield fault("effect", "what it gives for each is 0 or more", "TR-MONEY-2")
    waste = [card for card in content.cards if card.colour == "waste"]
    if len(waste) != 1:
        yield Fault("", "cards", "", f"expected one deck of Waste, found {len(waste)}", "TR-COMP-2")
    total = sum(card.count for card in content.cards)
    if not fixture and total != 500:
        yield Fault("", "cards", "", f"expected 500 cards in all, found {total}", "TR-COMP-1")


def _lines(card: Card) -> Iterator[Effect]:
    """Every line that is printed on a card, those inside other lines included."""
    yield from card.on_buy
    for line in card.effect:
        yield line
        if isinstance(line, ChooseOne):
            yield from line.branches
        elif isinstance(line, TrashSelf):
            yield line.then


def _set_up(content: Content) -> Iterator[Fault]:
    least = {"hand": 1, "random_stacks": 0, "rail_tokens": 2, "station_tokens": 1}
    for name, low in least.items():
        if getattr(content.setup, name) < low:
            yield Fault("", "setup", name, f"expected {low} or more", "TR-SETUP-2")
    countable = sum(card.role == "base" and card.colour != "waste" for card in content.cards)
    most = countable + content.setup.random_stacks
    if not 1 <= content.ends.empty_stacks <= most:
        yield Fault("", "ends", "empty_stacks", f"expected 1 to {most}, as many as can run out", "TR-END-1")
    if content.vp_track < 1:
        yield Fault("", "vp_track", "", "the scoring track has a space or more", "TR-VP-2")
    setup, cards = content.setup, {card.id: card for card in content.cards}
    for name, count in setup.start_deck.items():
        if name not in cards:
            yield Fault("", "setup", f"start_deck.{name}", "there is no such card", "TR-SETUP-3")
        elif not 1 <= 4 * count <= cards[name].count:
            text = f"four starting decks take 4 of each, and there are {cards[name].count}"
            yield Fault("", "setup", f"start_deck.{name}", text, "TR-SETUP-4")
    if sum(setup.start_deck.values()) < setup.hand:
        yield Fault("", "setup", "hand", "a starting deck fills a hand", "TR-SETUP-9")
    random = {card.id for card in content.cards if card.role == "random"}
    if len(random) < setup.random_stacks:
        text = f"expected at least {setup.random_stacks} decks of the role random, found {len(random)}"
        yield Fault("", "setup", "random_stacks", text, "TR-SETUP-6")
    for stacks in content.sets:
        wrong = [name for name in stacks.cards if name not in random]
        if wrong or len(set(stacks.cards)) != setup.random_stacks or len(stacks.cards) != setup.random_stacks:
            text = f"expected {setup.random_stacks} different decks of the role random"
            yield Fault("", "sets", f"{stacks.id}.cards", text, "TR-SETUP-6")


def _map(content: Content) -> Iterator[Fault]:
    try:
        hexes = content.hexes
    except ValueError as error:
        yield Fault("", "rows", "", str(error))
        return
    widths = [len(row.cells.split()) for row in content.rows]
    for index, (row, width) in enumerate(zip(content.rows, widths, strict=True)):
        if width != widths[0] - index % 2:
            yield Fault("", "rows", row.id, f"expected {widths[0] - index % 2} cells, found {width}")
            return
    for place in hexes.values():
        if place.terrain == "city" and not 1 <= place.number <= 3:
            yield Fault("", "rows", place.id, "a city has 1 to 3 buildings", "TR-STN-2")
    for name in content.names:
        if name not in hexes:
            yield Fault("", "names", name, "there is no such hex")
    for barrier in content.barriers:
        wrong = [name for name in (barrier.a, barrier.b) if name not in hexes]
        if wrong:
            yield Fault("", "barriers", f"{barrier.a}|{barrier.b}", f"there is no hex {wrong[0]}")
            return
    try:
        grid = content.grid
    except ValueError as error:
        yield Fault("", "barriers", "", str(error), "TR-LAY-3")
        return
    parts = grid.components(grid.all)
    if len(parts) > 1:
        lost = ", ".join(grid.names(parts[-1])[:5])
        yield Fault("", "rows", "", f"the land does not hang together: {lost}", "TR-LAY-2")
    if grid.all.bit_count() < content.setup.rail_tokens:
        text = f"expected at least {content.setup.rail_tokens} hexes of land, found {grid.all.bit_count()}"
        yield Fault("", "rows", "", text, "TR-END-2")
    room = sum(place.number for place in hexes.values() if place.terrain == "city")
    if room < content.setup.station_tokens:
        text = f"cities have room for {room} of {content.setup.station_tokens} stations: they never run out"
        yield Fault("", "rows", "", text, "TR-END-3", warning=True)
