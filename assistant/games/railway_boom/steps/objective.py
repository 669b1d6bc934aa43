"""Phase VI, Turn Step: cubes onto the round's Objective card (RB-OBJ)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import EndTurn
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.flow import next_turn
from assistant.games.railway_boom.state import Phase, State, Step
from assistant.games.railway_boom.steps.base import StepPart, not_your_turn
from assistant.offers import Offer
from assistant.rulings import Violation


class ObjectiveTurn(StepPart):
    """The OBJECTIVE step, and the end of every turn in phases I to III."""

    actions = (EndTurn,)

    def acting(self, state: State) -> tuple[Acting, ...]:
        return self.game.asked["cube"][self.game.acting_seat(state)]

    def offers(self, state: State, seat: int) -> list[Offer]:
        return [self.game.end_turns[self.game.seats[seat]]]

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        step = state.step if state.step in self.game.turn_parts else Step.OBJECTIVE
        yield from not_your_turn(self.game, state, seat, step)
        part = self.game.turn_parts.get(state.step)
        missing = part.unfinished(state) if part is not None else None
        if missing is not None:
            yield missing

    def open_space(self, state: State) -> int:
        """Index of the open space with the highest multiplier, the first printed of equals (RB-OBJ-2)."""
        card = self.game.objectives[state.objectives[state.round - 1]]
        used = {record.cubes[state.round - 1] for record in state.seats}
        players = len(state.seats)
        free = [
            index
            for index, space in enumerate(card.spaces)
            if space.min_players <= players and index not in used
        ]
        return max(free, key=lambda index: (card.spaces[index].multiplier, -index))

    def apply(self, change: Change, seat: int, action: Action) -> None:
        state = change.state
        if state.phase == Phase.OBJECTIVE:
            space = self.open_space(state)
            cubes = list(state.seats[seat].cubes)
            cubes[state.round - 1] = space
            change.alter(seat, cubes=tuple(cubes))
            card = self.game.objectives[state.objectives[state.round - 1]]
            change.tell("cube", seat, card=card.id, multiplier=card.spaces[space].multiplier)
        next_turn(change)
