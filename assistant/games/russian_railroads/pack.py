"""The content of Russian Railroads: the shape of its packs, and what a pack may not say (part B)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from msgspec import Struct

from assistant.games.russian_railroads.ops import COLOURS, AnyOp, Colour
from assistant.packs import Fault

RAILROADS = ("TS", "SP", "KV")
SLOTS = ("TS1", "TS2", "SP", "KV")
"""Places for locomotives (RR-LOCO-1)."""
SLOT_RAILROAD = ("TS", "TS", "SP", "KV")
PLACES = 5
"""Places for factories, and gaps of the industry track."""
MOST_DOUBLERS = 8


class Railroad(Struct, frozen=True):
    """A row of spaces 1..`length`; the pieces of the lowest `colours` colours run on it."""

    id: Literal["TS", "SP", "KV"]
    length: int
    colours: int


class Special(Struct, frozen=True):
    """A one-time effect of the player board: once `colour` has reached `space` and, with `loco`, the
    locomotives have too (section 12). Railroad "IND" means the industry marker on cell `space`."""

    id: str
    railroad: Literal["TS", "SP", "KV", "IND"]
    space: int
    colour: Colour = "black"
    loco: bool = False
    effect: Literal["unlock", "points", "worker", "token"] = "token"
    unlock: Colour = "black"
    steps: int = 0
    """Steps of the unlocked colour at once, as far as they are possible (RR-TRACK-8)."""
    points: int = 0


class Lasting(Struct, frozen=True):
    """What counts in every scoring once `colour` and locomotive have reached `space`."""

    kind: Literal["star", "double"]
    railroad: Literal["TS", "SP", "KV"]
    space: int
    colour: Colour = "black"
    points: int = 0


class Cell(Struct, frozen=True):
    """A cell of the industry track: a gap for a factory, or a space; without a `value` it has no number."""

    gap: bool = False
    value: int = -1


class Space(Struct, frozen=True):
    """An action space of the main board. `black_only` spaces give the black worker its bonus (A-20b)."""

    id: str
    name: str
    area: Literal["track", "loco", "industry", "auxiliary", "engineer", "order", "last"]
    workers: int
    action: tuple[AnyOp, ...] = ()
    roubles: int = 0
    players: tuple[int, ...] = (2, 3, 4)
    occupies: bool = True
    any_order: bool = False
    """The halves of the action come in the order of the player's choice (A-59)."""
    last_round: bool = False


class Engineer(Struct, frozen=True):
    """An engineer: its number, its letter ("" for the one of the ?-card), what its space costs and does."""

    number: int
    letter: Literal["A", "B", ""]
    action: tuple[AnyOp, ...]
    name: str = ""
    workers: int = 1
    roubles: int = 0


class FactoryTile(Struct, frozen=True):
    """What a factory of a number does when a marker comes onto it."""

    number: int
    action: tuple[AnyOp, ...] = ()


class Tile(Struct, frozen=True):
    """A ?-token, a ?-card or a starting bonus card."""

    id: str
    name: str
    action: tuple[AnyOp, ...]


Countable = Literal["factory", "engineer", "end_station", "doubler", "q_token", "extra_worker"]


class EndCard(Struct, frozen=True):
    """An end bonus card and how it scores (RR-END-2)."""

    id: str
    name: str
    kind: Literal["per", "tiers", "track_spaces", "top_locos", "extra_engineer"]
    what: Countable = "factory"
    points: int = 0
    most: int = 0
    """Things that count at most; 0: any number."""
    n: int = 0
    colours: tuple[Colour, ...] = ()
    tiers: tuple[tuple[int, int], ...] = ()


class SetUp(Struct, frozen=True):
    """Numbers for a number of players (section 19)."""

    players: int
    rounds: int
    workers: int
    reserve: int
    roubles: int
    waiting: int
    public: int
    letters_b: int
    letters_a: int
    empty: int = 0
    """Waiting spaces at the left end without an engineer."""


class MedalRule(Struct, frozen=True):
    """When the Kiev medal scores: `space` 0 is always; `loco`: the locomotive must have reached it too."""

    points: int
    colour: Colour = "grey"
    space: int = 0
    loco: bool = False


class Supplies(Struct, frozen=True):
    """Pieces of the box, and which of them are a hard limit."""

    roubles: int
    doublers: int
    locomotives: int
    """Of each number; one less for each player who is missing."""
    temp_workers: int = 2
    special_loco: int = 9
    """Number of the locomotive without a factory back."""


class Content(Struct, frozen=True, dict=True):
    """A pack of Russian Railroads."""

    setup: tuple[SetUp, ...]
    railroads: tuple[Railroad, ...]
    base: tuple[int, ...]
    raised: tuple[int, ...]
    specials: tuple[Special, ...]
    lasting: tuple[Lasting, ...]
    industry: tuple[Cell, ...]
    spaces: tuple[Space, ...]
    engineers: tuple[Engineer, ...]
    factories: tuple[FactoryTile, ...]
    tokens: tuple[Tile, ...]
    q_cards: tuple[Tile, ...]
    end_bonus: tuple[EndCard, ...]
    starting: tuple[Tile, ...]
    pass_points: tuple[int, ...]
    medal: MedalRule
    supplies: Supplies

    @cached_property
    def length(self) -> dict[str, int]:
        """Spaces of each railroad."""
        return {railroad.id: railroad.length for railroad in self.railroads}

    @cached_property
    def gaps(self) -> tuple[int, ...]:
        """Cells of the industry track that are gaps, by place of the factory."""
        return tuple(index for index, cell in enumerate(self.industry) if cell.gap)


def check(content: Content, fixture: bool, unsure: frozenset[str]) -> Iterator[Fault]:
    """The load-time checks of part B."""

    def fault(table: str, key: str, text: str, rule: str) -> Fault:
        return Fault("", table, key, text, rule)

    if "railroads" not in unsure:
        ids = tuple(railroad.id for railroad in content.railroads)
        if ids != RAILROADS:
            yield fault("railroads", "", f"expected {', '.join(RAILROADS)} in this order", "RR-MODEL-1")
        for railroad in content.railroads:
            if not 1 <= railroad.colours <= len(COLOURS) or railroad.length < 1:
                yield fault("railroads", railroad.id, "1 to 5 colours and at least one space", "RR-MODEL-2")
    for table in ("base", "raised"):
        if table not in unsure and len(getattr(content, table)) != len(COLOURS):
            yield fault(table, "", "expected one value for each of the 5 colours", "RR-SCORE-4")
    if "engineers" not in unsure:
        numbers = [engineer.number for engineer in content.engineers]
        lettered = [engineer.letter for engineer in content.engineers if engineer.letter]
        if len(set(numbers)) != len(numbers) or (len(numbers) != 15 and not fixture):
            yield fault("engineers", "", "expected 15 with different numbers", "RR-END-4")
        if len(lettered) != len(numbers) - 1:
            yield fault("engineers", "", "expected exactly one without a letter", "RR-SETUP-3")
        if lettered.count("A") < 3 or lettered.count("B") < 4:
            yield fault("engineers", "", "expected at least 3 A and 4 B", "RR-SETUP-8")
    for table, count, rule in (
        ("end_bonus", 10, "RR-SETUP-4"),
        ("tokens", 7, "RR-TOK-1"),
        ("q_cards", 5, "RR-SETUP-3"),
        ("starting", 4, "RR-SETUP-14"),
    ):
        if table not in unsure and len(getattr(content, table)) != count and not fixture:
            yield fault(table, "", f"expected {count}, found {len(getattr(content, table))}", rule)
    if "industry" not in unsure:
        yield from _industry(content)
    if "spaces" not in unsure:
        for space in content.spaces:
            if space.workers + space.roubles < 1:
                yield fault("spaces", space.id, "a space costs at least one piece", "RR-SPACE-5")
        free = [space.id for space in content.spaces if not space.occupies]
        if len(free) != 1:
            yield fault("spaces", "", f"expected one that is never occupied, found {len(free)}", "RR-SPACE-3")
    if "factories" not in unsure and [tile.number for tile in content.factories] != list(range(1, 10)):
        yield fault("factories", "", "expected the numbers 1 to 9 in order", "RR-FACT-1")
    if "setup" not in unsure:
        if [setup.players for setup in content.setup] != [2, 3, 4]:
            yield fault("setup", "", "expected 2, 3 and 4 players", "RR-P-1")
        for setup in content.setup:
            filled = setup.waiting - setup.empty + setup.public + 1
            if setup.letters_a + setup.letters_b != filled:
                text = f"{filled} engineers lie on the strip"
                yield fault("setup", str(setup.players), text, "RR-SETUP-8")


def _industry(content: Content) -> Iterator[Fault]:
    cells = content.industry

    def wrong(text: str, rule: str = "RR-IND-1") -> Fault:
        return Fault("", "industry", "", text, rule)

    gaps = [index for index, cell in enumerate(cells) if cell.gap]
    if len(gaps) != PLACES:
        yield wrong(f"expected {PLACES} gaps, found {len(gaps)}")
        return
    if gaps[0] != 5:
        yield wrong("the first gap lies behind the first four spaces after the start")
    if any(b - a < 2 for a, b in zip(gaps, [*gaps[1:], len(cells)], strict=False)):
        yield wrong("each gap is followed by a space")
    there = [special for special in content.specials if special.railroad == "IND"]
    if len(there) != 1 or not 0 < there[0].space < len(cells) or cells[there[0].space].gap:
        yield wrong("expected exactly one ?-cell, on a space", "RR-IND-6")
