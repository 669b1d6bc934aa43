"""The operation vocabulary: what spaces, tiles and cards can do, as records (part B of the rules).

A space, an engineer, a factory, a token or a card holds a list of these. No tile is code: whoever owns the
box puts its values into a pack. What each does is told by `resolving`, whether it can be carried out by
`feasible`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Colour = Literal["black", "grey", "brown", "natural", "white"]
"""Track colours, lowest first (RR-MODEL-2)."""
COLOURS: tuple[Colour, ...] = ("black", "grey", "brown", "natural", "white")


class Op(Struct, frozen=True, tag_field="op", omit_defaults=True, forbid_unknown_fields=True):
    """Base of all operations."""


class Advance(Op, frozen=True, tag="advance"):
    """`n` track steps of any of `colours`, split freely; `distinct`: each on another piece (RR-TRACK-5)."""

    colours: tuple[Colour, ...]
    n: int
    distinct: bool = False
    railroads: tuple[str, ...] = ()
    """Only on these; on all where it is empty."""


class Loco(Op, frozen=True, tag="loco"):
    """Take the lowest locomotive and place it (RR-LOCO)."""


class Factory(Op, frozen=True, tag="factory"):
    """Build a factory (RR-FACT)."""


class Industry(Op, frozen=True, tag="industry"):
    """`n` steps on the industry track (RR-IND)."""

    n: int


class Doubler(Op, frozen=True, tag="doubler"):
    """Take and place `n` doublers (RR-DBL)."""

    n: int


class Roubles(Op, frozen=True, tag="roubles"):
    """Take `n` roubles."""

    n: int


class TempWorkers(Op, frozen=True, tag="temp_workers"):
    """Take the temporary workers (RR-TEMP)."""


class Points(Op, frozen=True, tag="points"):
    """Score `n` points at once."""

    n: int


class SumEngineers(Op, frozen=True, tag="points_sum_engineers"):
    """Score the sum of the numbers of the own engineers."""


class TopLocos(Op, frozen=True, tag="points_top_locos"):
    """Score the sum of the `n` highest own locomotives."""

    n: int


class EndBonus(Op, frozen=True, tag="end_bonus_choice"):
    """Keep an end bonus card or score 10 points, at the end of the turn (RR-EB-1, RR-TRIG-4)."""


class TakeQCard(Op, frozen=True, tag="q_card"):
    """Take one of the ?-cards that are left (RR-QC-1)."""


class Worker(Op, frozen=True, tag="worker"):
    """A worker of the own colour comes from the reserve (RR-SPEC-3)."""


class BlackWorker(Op, frozen=True, tag="black_worker"):
    """The black worker joins (RR-QC-1)."""


class SpecialLoco(Op, frozen=True, tag="special_loco"):
    """The locomotive without a factory back is placed (RR-LOCO-10)."""


class SpecialEngineer(Op, frozen=True, tag="special_engineer"):
    """The engineer without a letter joins (RR-ENG-9)."""


class Revalue(Op, frozen=True, tag="revalue"):
    """The raised values hold from now on (RR-TOK-2)."""


class SecondMarker(Op, frozen=True, tag="second_marker"):
    """The second industry marker starts, then `steps` steps with either (RR-TOK-3)."""

    steps: int


class Medal(Op, frozen=True, tag="medal"):
    """The Kiev medal is placed (RR-TOK-4)."""


class ReuseSpace(Op, frozen=True, tag="reuse_space"):
    """The action of an own space of this round that took one piece is carried out again (A-57, A-58)."""


class UseOtherEngineer(Op, frozen=True, tag="use_other_engineer"):
    """The action of an engineer that another player hired."""


class TurnOrder(Op, frozen=True, tag="turn_order"):
    """Book a place in the next turn order (RR-ORD)."""

    pos: int


class Hire(Op, frozen=True, tag="hire"):
    """Take the engineer of the hiring space (RR-ENG-2)."""


Plain = (
    Advance
    | Loco
    | Factory
    | Industry
    | Doubler
    | Roubles
    | TempWorkers
    | Points
    | SumEngineers
    | TopLocos
    | EndBonus
    | TakeQCard
    | Worker
    | BlackWorker
    | SpecialLoco
    | SpecialEngineer
    | Revalue
    | SecondMarker
    | Medal
    | ReuseSpace
    | UseOtherEngineer
    | TurnOrder
    | Hire
)


class Choice(Op, frozen=True, tag="choice"):
    """One of the branches."""

    branches: tuple[Plain, ...]


AnyOp = Plain | Choice


def grants(action: Sequence[AnyOp], *kinds: type[Op]) -> bool:
    """Whether an action holds an operation of these kinds, be it in a branch."""
    return any(
        isinstance(op, kinds) or (isinstance(op, Choice) and grants(op.branches, *kinds)) for op in action
    )
