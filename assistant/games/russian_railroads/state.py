"""The state of a game of Russian Railroads: immutable records that read well as they are (RR-MODEL).

Tracks are lists of positions by colour, lowest colour first; a list ends where the colours are still locked.
Locomotives stand by slot (TS1, TS2, SP, KV), factories by place from the left; 0 is an empty one.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from assistant import cards as c
from assistant.games.russian_railroads.ops import AnyOp
from assistant.stacks import Stack

Phase = Literal["engineers", "order", "starting", "actions", "moves", "reveal", "over"]


class HoldLoco(Struct, frozen=True, tag_field="op", tag="hold_loco", omit_defaults=True):
    """A locomotive in hand that has to be placed: newly taken (`new`), or displaced. `special`: it has no
    factory on its back."""

    number: int
    new: bool = False
    special: bool = False


class Offer(Struct, frozen=True, tag_field="op", tag="offer", omit_defaults=True):
    """An own effect that may be used or not (RR-IND-5, RR-SPEC-Q)."""

    ops: tuple[AnyOp, ...]


class Token(Struct, frozen=True, tag_field="op", tag="token", omit_defaults=True):
    """A ?-token is to be chosen; `special` is the ?-space that it fills."""

    special: str


class BonusDue(Struct, frozen=True, tag_field="op", tag="bonus_due", omit_defaults=True):
    """The end of the turn has come: a card is kept, or 10 points are scored (RR-TRIG-4)."""


class AskSwap(Struct, frozen=True, tag_field="op", tag="ask_swap", omit_defaults=True):
    """The own worker that changes places with the piece on a turn-order space."""

    space: str


class Task(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something to carry out. `own`: it may be carried out in part or not at all (RR-TURN-5). `source` is the
    space, tile or trigger that grants it."""

    op: AnyOp | HoldLoco | Offer | Token | BonusDue | AskSwap
    own: bool = False
    source: str = ""
    moved: tuple[tuple[str, int], ...] = ()
    """Pieces, by railroad and colour index, that an action on different pieces has moved."""


class Placed(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Pieces of a seat on a space this round. The space that is never occupied may stand here repeatedly."""

    space: str
    seat: str
    workers: int = 0
    black: int = 0
    temps: int = 0
    roubles: int = 0
    swapped: bool = False
    """A piece came here from a turn-order space: it is not what paid here (RR-ORD-5)."""

    @property
    def pieces(self) -> int:
        """How many lie there."""
        return self.workers + self.black + self.temps + self.roubles


class Player(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What one player has (RR-MODEL-3). `workers` are all of the own colour, `free` those in hand."""

    workers: int
    free: int
    reserve: int
    roubles: int
    tracks: dict[str, tuple[int, ...]]
    score: int = 0
    black: bool = False
    """Owns the black worker."""
    black_free: bool = False
    temps: int = 0
    """Temporary workers in hand."""
    locos: tuple[int, int, int, int] = (1, 0, 0, 0)
    special_loco: str = ""
    """The slot of the locomotive without a factory back."""
    factories: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    markers: tuple[int, ...] = (0,)
    doublers: int = 0
    tokens: tuple[str, ...] = ()
    """?-tokens left."""
    fired: tuple[str, ...] = ()
    """One-time triggers that have happened, ?-spaces included."""
    revalued: bool = False
    medal: bool = False
    engineers: tuple[int, ...] = ()
    q_cards: tuple[str, ...] = ()
    passed: bool = False


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole table (RR-MODEL-4)."""

    phase: Phase
    round: int
    order: tuple[str, ...]
    turn: str
    """Who acts; "" while nobody does."""
    players: dict[str, Player]
    piles: dict[str, int]
    """Locomotives left by number."""
    returned: tuple[int, ...]
    """Factories that were returned, sorted."""
    doublers: int
    roubles: int
    """In the general supply; below 0 where substitutes are in use (A-29)."""
    strip: tuple[int, ...]
    """Engineers from the left-most waiting space to the hiring space; 0 is an empty space."""
    q_cards: tuple[str, ...]
    starting: tuple[str, ...]
    bonus: c.Cards
    """End bonus cards: zones `pile`, `removed`, and one per seat."""
    placed: tuple[Placed, ...] = ()
    claims: tuple[str, ...] = ()
    """Turn-order spaces whose worker has yet to move, first the next (RR-MOVE-1)."""
    stack: Stack[Task] = Stack()
