"""Laying rails (TR-LAY): who may, where, at what price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.games.trains.actions import Lay
from assistant.games.trains.state import State
from assistant.hexes import DIRECTIONS
from assistant.offers import Offer
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains


class Laying:
    """The step of a turn in which a rail point is spent."""

    def __init__(self, game: Trains) -> None:
        self.game = game
        self._at = {place: name for name, place in game.board.grid.axial.items()}

    def offers(self, state: State) -> list[Offer]:
        """Every rail that the active player can lay and pay."""
        game, turn = self.game, state.turn
        if turn.rails < 1 or not game.rails_left(state, state.active):
            return []
        spots = game.board.affordable(state, state.active, turn.waived, turn.money)
        lays = game.lays[game.seats[state.active]]
        return [lays[bit] for bit in spots]

    def violations(self, state: State, action: Lay) -> Iterator[Violation]:
        """What is wrong with spending a rail point so, in the order of the rules."""
        if state.turn.rails < 1:
            yield Violation("TR-LAY-1", {"hex": action.hex}, (action.hex,))
        yield from self.placing(state, action.hex, state.turn.waived)

    def placing(self, state: State, name: str, waived: int) -> Iterator[Violation]:
        """What is wrong with a rail of the active player on a hex."""
        game, board, seat = self.game, self.game.board, state.active
        if not game.rails_left(state, seat):
            yield Violation("TR-LAY-11")
        if name not in board.grid.bit:
            yield Violation("TR-LAY-7", {"hex": name}, (name,))
            return
        bit = board.grid.bit[name]
        if state.tokens[seat] & bit:
            yield Violation("TR-LAY-4", {"hex": name}, (name,))
        elif not board.reach(state, seat) & bit:
            across = self._across(state, name)
            yield Violation("TR-LAY-3" if across else "TR-LAY-2", {"hex": name}, (name,))
        cost = board.cost(state, seat, waived, bit)
        if cost > state.turn.money:
            values = {"hex": name, "cost": cost, "have": state.turn.money}
            yield Violation("TR-LAY-5", values, (name,))

    def _across(self, state: State, name: str) -> bool:
        """Whether a hex touches a rail of the active player across a barrier only."""
        grid = self.game.board.grid
        q, r = grid.axial[name]
        around = [self._at.get((q + dq, r + dr)) for dq, dr in DIRECTIONS]
        return any(state.tokens[state.active] & grid.bit[hex_] for hex_ in around if hex_ is not None)
