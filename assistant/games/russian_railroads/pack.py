"""The content of Russian Railroads: the shape of its packs (part B); `checks` tells what one may not say."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct

from assistant.games.russian_railroads.ops import AnyOp, Colour

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
    """An action space of the main board."""

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

    @cached_property
    def actions(self) -> tuple[tuple[AnyOp, ...], ...]:
        """What is printed on spaces, tiles and cards."""
        named = (*self.tokens, *self.q_cards, *self.starting)
        return (
            *(space.action for space in self.spaces),
            *(tile.action for tile in named),
            *(tile.action for tile in self.engineers),
            *(tile.action for tile in self.factories),
        )
