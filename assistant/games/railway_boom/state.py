"""The state of a Railway Boom game: immutable records, hex sets as ints (RB section 17).

Seats are indices 0..P-1 in here; letters, names and lists belong to the position (`position.py`).
Resources are indexed in track order: VP 0, Money 1, Coal 2, Materials 3, Technology 4; the four stock
resources are 0..3 in the same order.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import msgspec

from assistant.auction import Track
from assistant.stacks import Stack

VP, MONEY, COAL, MATERIALS, TECH = range(5)
"""Indices of tracks and tile kinds. The stock index of a resource is one less."""

ROUNDS = 4
START_STOCK = 8
RAILS = 30
STATIONS = 4
TILES_OF_A_KIND = 20
TRACK_LIMIT = 20


class Phase:
    """Phases by their number in the rulebook. Plain ints: an enum's member costs four times the look-up."""

    SETUP: Final = 0
    TRAIN: Final = 1
    EXPANSION: Final = 2
    DEVELOPMENT: Final = 3
    INCOME: Final = 4
    OPERATION: Final = 5
    OBJECTIVE: Final = 6
    OVER: Final = 7


class Step:
    """What the table is doing: the key of the game's ring of steps. Plain ints, as in `Phase`."""

    SETUP: Final = 0
    REVEAL: Final = 1
    AUCTION: Final = 2
    PAY: Final = 3
    TRAIN: Final = 4
    EXPANSION: Final = 5
    DEVELOPMENT: Final = 6
    OPERATION: Final = 7
    OBJECTIVE: Final = 8
    OVER: Final = 9


class Deck(IntEnum):
    """Face-down decks, in the order of the position."""

    OBJECTIVES = 0
    ROUTES = 1
    LOCOMOTIVES = 2
    CARRIAGES = 3
    STATIONS = 4
    DEVELOPMENTS = 5


DECKS: Final = {deck.name.lower(): deck for deck in Deck}
"""By the name that actions and the position use."""
DECK_NAMES: Final = tuple(DECKS)
"""By `Deck`."""

NO_TILES = (0, 0, 0, 0, 0)


class TrainCard(msgspec.Struct, frozen=True, gc=False):
    """An owned locomotive or carriage; `free` while Efficiency makes it cost no coal this round."""

    id: str
    tiles: tuple[int, int, int, int, int] = NO_TILES
    operated: bool = False
    free: bool = False


class DevCard(msgspec.Struct, frozen=True, gc=False):
    """An owned development card: `down` a resolved instant, `turned` a Round card used this round."""

    id: str
    down: bool = False
    turned: bool = False


class Seat(msgspec.Struct, frozen=True, gc=False):
    """What one player has. `routes` is a bit set over the four route cards in play; `cubes` holds for
    each objective card the index of the own multiplier space, or -1."""

    stock: tuple[int, int, int, int] = (START_STOCK,) * 4
    vp: int = 0
    levels: tuple[int, int, int, int, int] = (1, 1, 1, 1, 1)
    rails: int = 0
    stations: int = 0
    rails_left: int = RAILS
    stations_left: int = STATIONS
    tiles: tuple[int, int, int, int, int] = NO_TILES
    locos: tuple[TrainCard, ...] = ()
    carriages: tuple[TrainCard, ...] = ()
    devs: tuple[DevCard, ...] = ()
    routes: int = 0
    cubes: tuple[int, int, int, int] = (-1, -1, -1, -1)
    done: bool = False


class Indicator(msgspec.Struct, frozen=True, gc=False):
    """A revealed station card and who has placed there this phase (-1: nobody yet)."""

    card: str
    taken: int = -1


class Row(msgspec.Struct, frozen=True, gc=False):
    """A row of revealed development cards, cheapest first, and who has chosen it (-1: nobody)."""

    cards: tuple[str, ...]
    taken: int = -1


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Progress of the acting player's turn in phases I to III."""

    loco: bool = False
    bought: int = 0
    station: int = 0
    """One-bit set of the hex of this turn's station."""
    line: int = 0
    """The railway that contains it."""
    power: int = -1
    """Power left; -1 while the pool is closed (RB-EXP-5)."""
    row: int = -1
    free_taken: bool = False


class Train(msgspec.Struct, frozen=True, gc=False):
    """A running train: card ids front to back, how many have operated, the owner at the declaration."""

    cards: tuple[str, ...]
    next: int
    before: Seat
    firm: bool = False
    """A card was revealed or an RT placed since: it can no longer be rolled back (RB-OPS-9)."""


class Pending(msgspec.Struct, frozen=True, gc=False, tag_field="ask"):
    """Base of what can lie on a seat's stack: questions, and tasks that go on by themselves.

    `source` says what caused it: an icon, a city, a card id.
    """

    source: str = ""


class AskGain(Pending, frozen=True, gc=False, tag="gain2"):
    """GAIN2: choose two resources."""


class AskIncome(Pending, frozen=True, gc=False, tag="inc_choice"):
    """INC_CHOICE: choose a track."""


class AskFree(Pending, frozen=True, gc=False, tag="free_rt"):
    """Up to `left` free placements, one after the other."""

    left: int = 1


class AwaitDraw(Pending, frozen=True, gc=False, tag="draw"):
    """The table turns up cards: two developments (DRAW2), or one more station card (HR-04)."""

    deck: str = "developments"
    count: int = 2


class AskBuy(Pending, frozen=True, gc=False, tag="buy"):
    """DRAW2: one of the revealed cards may be bought for one Technology less."""

    cards: tuple[str, ...] = ()


class AskLease(Pending, frozen=True, gc=False, tag="lease"):
    """Locomotive Lease: which locomotive goes back to the box."""


class RaiseTask(Pending, frozen=True, gc=False, tag="raise"):
    """Raise a track by the steps that are left."""

    track: int = 0
    steps: int = 1


class EffectTask(Pending, frozen=True, gc=False, tag="effect"):
    """A printed effect of the operating card, by its index on the card (RB-OPS-8)."""

    index: int = 0


class IconTask(Pending, frozen=True, gc=False, tag="icon"):
    """A conditional effect's icon, `times` more times."""

    kind: str = ""
    n: int = 0
    times: int = 1


class PowerTask(Pending, frozen=True, gc=False, tag="power"):
    """The power pool opens once the station's income raises are resolved (RB-EXP-12)."""

    power: int = 0


class EndTrainTask(Pending, frozen=True, gc=False, tag="end_train"):
    """The last card has operated; the train is over when its effects are."""


PENDING = (
    AskGain
    | AskIncome
    | AskFree
    | AwaitDraw
    | AskBuy
    | AskLease
    | RaiseTask
    | EffectTask
    | IconTask
    | PowerTask
    | EndTrainTask
)


class State(msgspec.Struct, frozen=True, gc=False):
    """The whole table. `active` is the place in turn order of the acting player (in PAY: the rank)."""

    seats: tuple[Seat, ...]
    round: int
    phase: int
    step: int
    track: Track
    active: int
    turn: Turn
    stacks: tuple[Stack[Pending], ...]
    """One per seat, or none at all while nothing is open anywhere."""
    trains: tuple[Train | None, ...]
    locomotives: tuple[str, ...]
    carriages: tuple[str, ...]
    stations: tuple[Indicator, ...]
    rows: tuple[Row, ...]
    objectives: tuple[str, ...]
    routes: tuple[str, ...]
    decks: tuple[int, ...]
    """Per `Deck`, the bit set of cards still in it, by their order in the pack."""
    under: int
    """Developments that were put back under their deck."""
    supply: tuple[int, int, int, int, int]
    """Resource Tiles left of each kind."""
    tiles: tuple[str, ...] = ()
    """Tile variant: city tiles by number, then Tourist tiles; empty without the variant."""

    def top(self, seat: int) -> Pending | None:
        """What a seat's stack is waiting for, or None."""
        stacks = self.stacks
        if not stacks:
            return None
        entries = stacks[seat].open
        return entries[-1] if entries else None


NO_TURN = Turn()
