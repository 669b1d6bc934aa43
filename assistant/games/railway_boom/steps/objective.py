"""Phase VI, Turn Step: cubes onto the round's Objective card (RB-OBJ)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import EndTurn
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.flow import next_turn
from assistant.games.railway_boom.state import Phase, State, Step
from assistant.games.railway_boom.steps.base import Consequence, StepPart, not_your_turn
from assistant.offers import Offer
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


class ObjectiveTurn(StepPart):
    """The OBJECTIVE step, and the end of every turn in phases I to III."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._spaces: dict[str, list[int]] = {}
        """Of each card, the spaces in use with these players, in the order in which they fill (RB-OBJ-2)."""
        for card in game.content.objectives:
            spaces = [i for i, space in enumerate(card.spaces) if space.min_players <= len(game.seats)]
            worth = [-space.multiplier for space in card.spaces]
            self._spaces[card.id] = sorted(spaces, key=worth.__getitem__)

    def acting(self, state: State) -> tuple[Acting, ...]:
        return self.game.asked["cube"][state.track.white[-1 - state.active]]

    def offers(self, state: State, seat: int) -> list[Offer]:
        return [self.game.end_turns[seat]] if state.track.white[-1 - state.active] == seat else []

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        step = state.step if state.step in self.game.turn_parts else Step.OBJECTIVE
        yield from not_your_turn(self.game, state, seat, step)
        part = self.game.turn_parts.get(state.step)
        missing = part.unfinished(state) if part is not None else None
        if missing is not None:
            yield missing

    def open_space(self, state: State) -> int:
        """Index of the open space with the highest multiplier, the first printed of equals (RB-OBJ-2)."""
        now = state.round - 1
        used = [record.cubes[now] for record in state.seats]
        free = [space for space in self._spaces[state.objectives[now]] if space not in used]
        return free[0]

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {EndTurn: self._end}

    def _end(self, change: Change, seat: int, action: EndTurn) -> None:
        table = change.table
        if table.phase == Phase.OBJECTIVE:
            now = table.round - 1
            space = self.open_space(table)
            cubes = list(change.seats[seat].cubes)
            cubes[now] = space
            change.alter(seat, cubes=tuple(cubes))
            card = self.game.objectives[table.objectives[now]]
            change.tell("cube", seat, card=card.id, multiplier=card.spaces[space].multiplier)
        next_turn(change)
