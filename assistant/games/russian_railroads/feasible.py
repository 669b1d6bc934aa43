"""Whether an action can be carried out in full (RR-FEAS).

What an action needs is tested on numbers first. Only where that fails because something on the way could help
(a factory that a marker passes, a locomotive that is flipped) the real rules are searched, depth first and
`MOST` positions at most; a space that needs longer ways than that counts as not feasible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.pack import MOST_DOUBLERS
from assistant.games.russian_railroads.state import Player, State
from assistant.games.russian_railroads.tracks import most_marches, most_steps, steps

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

MOST = 400
"""Positions that are looked at before a search gives up."""


def possible(game: RussianRailroads, state: State, seat: str, op: Any) -> bool:
    """Whether one operation could be carried out in full from here, side effects left aside."""
    test = TESTS.get(type(op))
    return test is None or test(game, state, seat, op)


def in_full(
    game: RussianRailroads, state: State, seat: str, action: Sequence[Any], any_order: bool = False
) -> bool:
    """Whether all of `action` can be carried out, one after the other, or in any order."""
    for op in action:
        test = TESTS.get(type(op))
        if test is not None and not test(game, state, seat, op):
            return helped(game, state.players[seat], action) and game.search(state, seat, action, any_order)
    if len(action) > 1:
        scarce = wants_tiles(action) > 1 and sum(state.piles.values()) + len(state.returned) < 2
        # Two of a kind share what there is: each alone being possible says nothing about both.
        if scarce or len({type(op) for op in action}) < len(action):
            return game.search(state, seat, action, any_order)
    return True


def _advance(game: RussianRailroads, state: State, seat: str, op: ops.Advance) -> bool:
    return most_steps(game, state.players[seat].tracks, op) >= op.n


def _industry(game: RussianRailroads, state: State, seat: str, op: ops.Industry) -> bool:
    return most_marches(game.content, state.players[seat], op.n) >= op.n


def _doubler(game: RussianRailroads, state: State, seat: str, op: ops.Doubler) -> bool:
    return state.players[seat].doublers + op.n <= MOST_DOUBLERS and state.doublers >= op.n


def _loco(game: RussianRailroads, state: State, seat: str, op: ops.Loco) -> bool:
    return any(state.piles.values())


def _factory(game: RussianRailroads, state: State, seat: str, op: ops.Factory) -> bool:
    return bool(state.returned) or any(state.piles.values())


def _roubles(game: RussianRailroads, state: State, seat: str, op: ops.Roubles) -> bool:
    return not game.hard_roubles or state.roubles >= op.n


def _temps(game: RussianRailroads, state: State, seat: str, op: ops.TempWorkers) -> bool:
    return not any(p.temps for p in state.players.values()) and not any(p.temps for p in state.placed)


def _hire(game: RussianRailroads, state: State, seat: str, op: ops.Hire) -> bool:
    return bool(state.strip[-1])


def _choice(game: RussianRailroads, state: State, seat: str, op: ops.Choice) -> bool:
    return any(possible(game, state, seat, branch) for branch in op.branches)


def _reuse(game: RussianRailroads, state: State, seat: str, op: ops.ReuseSpace) -> bool:
    return bool(game.reusable(state, seat, contested=True))


def _borrow(game: RussianRailroads, state: State, seat: str, op: ops.UseOtherEngineer) -> bool:
    return bool(game.borrowable(state, seat, contested=True))


def _second_marker(game: RussianRailroads, state: State, seat: str, op: ops.SecondMarker) -> bool:
    return len(state.players[seat].markers) == 1


TESTS: dict[type[Any], Callable[[RussianRailroads, State, str, Any], bool]] = {
    ops.Advance: _advance,
    ops.Industry: _industry,
    ops.Doubler: _doubler,
    ops.Loco: _loco,
    ops.Factory: _factory,
    ops.Roubles: _roubles,
    ops.TempWorkers: _temps,
    ops.Hire: _hire,
    ops.Choice: _choice,
    ops.ReuseSpace: _reuse,
    ops.UseOtherEngineer: _borrow,
    ops.SecondMarker: _second_marker,
}
"""By operation: whether it can be carried out in full; others always can."""


def wants_tiles(action: Sequence[Any]) -> int:
    """How many locomotives and factories an action takes."""
    return sum(isinstance(op, ops.Loco | ops.Factory) for op in action)


def helped(game: RussianRailroads, player: Player, action: Sequence[Any]) -> bool:
    """Whether something on the way could make the action possible: a step that can be made may pass a factory
    or win a token, a locomotive that can be taken may end as a factory."""
    if not any(player.factories) and not player.tokens and wants_tiles(action) < 2:
        return False
    for op in action:
        if isinstance(op, ops.Advance):
            if steps(game.content, player.tracks, op):
                return True
        elif isinstance(op, ops.Industry):
            if most_marches(game.content, player, 1):
                return True
        elif isinstance(op, ops.Loco | ops.Factory | ops.Choice):
            return True
    return False
