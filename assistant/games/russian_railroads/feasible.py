"""Whether an action can be carried out in full (RR-FEAS).

What an action needs is tested on numbers first. Only where that fails because something on the way could help
(a factory that a marker passes, a locomotive that is flipped) the real rules are searched, depth first and
`MOST` positions at most; a space that needs longer ways than that counts as not feasible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.pack import MOST_DOUBLERS, Special
from assistant.games.russian_railroads.state import (
    AskSwap,
    BonusDue,
    HoldLoco,
    Offer,
    Player,
    State,
    Token,
)
from assistant.games.russian_railroads.tracks import (
    INDEX,
    Tracks,
    all_steps,
    most_marches,
    reach,
)

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
            player = state.players[seat]
            if not any(player.factories) and not player.tokens and wants_tiles(action) < 2:
                return False
            others = [other for other in action if other is not op]
            return helped(game, player, op, others) and game.search(state, seat, action, any_order)
    if len(action) > 1:
        scarce = wants_tiles(action) > 1 and sum(state.piles.values()) + len(state.returned) < 2
        # Two of a kind share what there is: each alone being possible says nothing about both.
        if scarce or len({type(op) for op in action}) < len(action):
            return game.search(state, seat, action, any_order)
    return True


def _advance(game: RussianRailroads, state: State, seat: str, op: ops.Advance) -> bool:
    return all_steps(game, state.players[seat].tracks, op)


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
    lying = sum([placed.temps for placed in state.placed])
    return not lying and not sum([player.temps for player in state.players.values()])


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
    return sum([type(op) in TILES for op in action])


def assured(game: RussianRailroads, state: State, duties: Sequence[Any], own: Sequence[Any]) -> bool:
    """Whether numbers show that all of `duties`, the mandatory operations that are open, can still be carried
    out, whatever is open besides (`own`) being left.

    They do where each duty needs something else: one its steps, one its marches, one its doublers, and all
    that take a tile a locomotive each. Otherwise nothing is said.
    """
    needs: set[type[Any]] = set()
    tiles = 0
    for op in duties:
        kind = type(op)
        if takes_tile(op):
            tiles += 1
        elif kind not in ALWAYS:
            if kind not in SEPARATE or kind in needs or not TESTS[kind](game, state, state.turn, op):
                return False
            needs.add(kind)
    if tiles and sum(state.piles.values()) < tiles:
        return False
    return not own or all(type(op) in LEAVABLE for op in own)


def spoils(game: RussianRailroads, state: State, op: Any, duties: Sequence[Any]) -> bool:
    """Whether an answer to `op`, an own operation, could take from `duties` what they need (see `assured`):
    steps, marches, a tile."""
    kind = type(op)
    if kind is Offer:
        # What is accepted is only begun, unless it needs no answer.
        return any(type(one) not in LEAVABLE for one in op.ops)
    if kind is ops.Advance or kind is ops.Industry:
        # One step takes room for one step.
        alike = [replace(duty, n=duty.n + 1) for duty in duties if type(duty) is kind]
        return not all(possible(game, state, state.turn, duty) for duty in alike)
    if takes_tile(op):
        return any(takes_tile(duty) for duty in duties)
    return kind not in ALWAYS


def takes_tile(op: Any) -> bool:
    """Whether an operation takes one locomotive or factory, and nothing else."""
    kind = type(op)
    return kind in TILES or (kind is ops.Choice and all(type(branch) in TILES for branch in op.branches))


TILES = {ops.Loco, ops.Factory}
ALWAYS = {HoldLoco, Token, BonusDue, AskSwap}
"""Decisions that have an answer at any time and take nothing."""
SEPARATE = {ops.Advance, ops.Industry, ops.Doubler}
"""Operations of which one does not hinder one of another kind."""
LEAVABLE = {
    *ALWAYS,
    Offer,
    ops.Advance,
    ops.Industry,
    ops.Factory,
    ops.Choice,
    ops.ReuseSpace,
    ops.UseOtherEngineer,
}
"""Own operations that ask before anything is taken, and may be left or take nothing (RR-TURN-5)."""


def hopeless(game: RussianRailroads, state: State, duties: Sequence[Any], own: Sequence[Any]) -> bool:
    """Whether numbers show that not all of `duties` can be carried out any more, whatever of what is open
    besides (`own`) is used."""
    for op in duties:
        if not possible(game, state, state.turn, op):
            others = [other for other in duties if other is not op]
            for one in own:
                others += one.ops if type(one) is Offer else (one,)
            return not helped(game, state.players[state.turn], op, others)
    return False


def helped(game: RussianRailroads, player: Player, failing: Any, others: Sequence[Any]) -> bool:
    """Whether something on the way could make `failing` possible, a mandatory operation that numbers do not
    allow now; `others` is what is to be carried out besides.

    An operation of the same kind may make room for it, a step may come to a factory or win a ?-token, a
    locomotive may end as a factory, and what is chosen may be anything.
    """
    kind = type(failing)
    if not others and kind not in (ops.Advance, ops.Industry):
        return False
    marches = sum([op.n for op in (failing, *others) if type(op) is ops.Industry])
    marches = most_marches(game.content, player, marches)
    gained = in_gaps(game, player, marches)
    besides = {type(op) for op in (*others, *gained)}
    if kind in besides or not besides <= CALM or any(type(op) is ops.Industry for op in gained):
        return True
    steps = [op for op in (failing, *others, *gained) if type(op) is ops.Advance]
    colours = {colour for op in steps for colour in op.colours}
    return any(
        special.id not in player.fired
        and (player.tokens or special.steps)
        and (not special.loco or reach(player, special.railroad) >= special.space)
        for special in (
            *near(game, player.tracks, colours, sum([op.n for op in steps])),
            *near_industry(game, player.markers, marches),
        )
    )


CALM = {
    ops.Advance,
    ops.Industry,
    ops.Doubler,
    ops.Roubles,
    ops.TempWorkers,
    ops.Points,
    ops.SumEngineers,
    ops.TopLocos,
    ops.EndBonus,
    ops.Worker,
    ops.BlackWorker,
    ops.Revalue,
    ops.Medal,
    ops.TurnOrder,
    ops.Hire,
    BonusDue,
    AskSwap,
}
"""Operations that make no other one possible, but for what steps come to."""


def near(game: RussianRailroads, tracks: Tracks, colours: Collection[str], steps: int) -> list[Special]:
    """Spaces that grant more and that a piece of `colours` is at most so many steps away from. A colour that
    is locked starts at 0."""
    out = []
    for special in game.granting:
        if special.railroad != "IND" and special.colour in colours:
            row, colour = tracks[special.railroad], INDEX[special.colour]
            if special.space - (row[colour] if colour < len(row) else 0) <= steps:
                out.append(special)
    return out


def near_industry(game: RussianRailroads, markers: Sequence[int], marches: int) -> list[Special]:
    """Spaces of industry that grant more and that a marker is at most so many steps away from."""
    there = [special for special in game.granting if special.railroad == "IND"]
    return [s for s in there if any(0 < s.space - marker <= marches for marker in markers)]


def in_gaps(game: RussianRailroads, player: Player, marches: int) -> list[Any]:
    """What the factories do in gaps that a marker is at most so many steps away from (RR-IND-4)."""
    out: list[Any] = []
    for cell, number in zip(game.content.gaps, player.factories, strict=True):
        if number and any(0 < cell - marker <= marches for marker in player.markers):
            out += game.factory_action(number)
    return out
