"""What the parts of the rules have in common: they answer for some kinds of action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.position import PHASE_NAMES
from assistant.games.railway_boom.state import State, Step
from assistant.offers import Offer
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


Consequence = Callable[[Change, int, Any], None]
"""What follows from a legal action: the change to make it in, the index of its seat, the action."""


class Part(ABC):
    """A part of the rules: what it offers, what it forbids, what follows."""

    def __init__(self, game: RailwayBoom) -> None:
        self.game = game

    @abstractmethod
    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        """Broken rules in check order. `seat` is the index of the action's seat (-1: the table)."""

    @abstractmethod
    def consequences(self) -> Mapping[type[Action], Consequence]:
        """The kinds of action that it answers for, each with what follows from it.

        A function for each kind, so that nothing has to ask an action what it is.
        """


class StepPart(Part):
    """A part that is also a step of the ring."""

    @abstractmethod
    def acting(self, state: State) -> tuple[Acting, ...]:
        """Who is asked something, no pending choice being open."""

    @abstractmethod
    def offers(self, state: State, seat: int) -> list[Offer]:
        """What the seat may do here besides free actions; nothing when it is not asked."""


def not_your_turn(game: RailwayBoom, state: State, seat: int, step: int) -> Iterator[Violation]:
    """RB-FLOW-3 unless the seat is acting in that step; RB-ICON-4 while an effect is unresolved."""
    if state.step != step or game.acting_seat(state) != seat:
        yield Violation("RB-FLOW-3", {"phase": PHASE_NAMES[state.phase], **whose_turn(game, state)})
    yield from unresolved(state)


def whose_turn(game: RailwayBoom, state: State) -> dict[str, str]:
    """The value `turn`: who acts, bids or pays next; nothing while nobody in particular does."""
    if state.step == Step.AUCTION:
        seat = state.track.next
    elif state.step == Step.PAY:
        seat = game.paying.payer(state)
    elif state.step in game.turn_parts or state.step == Step.OBJECTIVE:
        seat = game.acting_seat(state)
    else:
        seat = -1
    return {"turn": game.seats[seat]} if seat >= 0 else {}


def unresolved(state: State) -> Iterator[Violation]:
    """RB-ICON-4 while any seat has an open choice."""
    for stack in state.stacks:
        if stack.open:
            yield Violation("RB-ICON-4", {"source": stack.open[-1].source})
            return  # one is enough
