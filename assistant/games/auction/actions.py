"""What can be done in an auction (docs/rules/auction.md).

Numbers are as wide as what people might say, so that a space beyond the track is a refusal with its rule
and not a misunderstanding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from assistant.actions import Action
from assistant.offers import Form, Value

TEN = 10


class SetBudget(Action, frozen=True):
    """State what the seat holds, between lots (AU-HOLD)."""

    seat: str
    amount: int


class NextLot(Action, frozen=True):
    """Open the next lot (AU-LOT-1)."""

    ends: ClassVar[bool] = True

    seat: str


class Bid(Action, frozen=True):
    """Move the own disc to a higher free space (AU-BID-5)."""

    seat: str
    space: int


class LockIn(Action, frozen=True):
    """Turn the own disc face down where it stands: final for this lot (AU-BID-2)."""

    locks: ClassVar[bool] = True

    seat: str


class Close(Action, frozen=True):
    """End the auction after a lot (AU-LOT-3)."""

    seat: str


class BudgetForm(Form, frozen=True):
    """A holding of 0 to `most` in two blanks: the tens, then the exact amount among the ten from there on."""

    seat: str
    most: int
    kind = "set_budget"

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        if len(filled) == 2:
            return None
        if not filled:
            return range(0, self.most + 1, TEN)
        return range(filled[0], min(filled[0] + TEN - 1, self.most) + 1)

    def make(self, filled: Sequence[Value]) -> Action:
        return SetBudget(self.seat, filled[1])
