"""Virtual players for demonstrations: they know the rules and play plainly, not well.

And their slips: pieces that people put down wrongly, one of each kind that the camera can tell.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.actions import Decline, Stay, Use
from assistant.games.russian_railroads.explain import KINDS
from assistant.games.russian_railroads.layout import WORKER
from assistant.games.russian_railroads.spaces import Payment
from assistant.games.russian_railroads.state import State
from assistant.reading import Spot

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

HASTE = 6.0
"""How far apart two spaces may be in worth and still change places by chance."""
WORTH: dict[type[ops.Op], float] = {
    ops.Hire: 14.0,
    ops.Loco: 11.0,
    ops.Choice: 11.0,
    ops.Factory: 7.0,
    ops.Advance: 4.0,
    ops.Industry: 5.0,
    ops.Doubler: 6.0,
    ops.TempWorkers: 6.0,
    ops.Roubles: 3.0,
    ops.TurnOrder: 3.0,
}
"""What operations are worth to a player who does not look ahead; a step each counts."""


def sensible(game: RussianRailroads, state: State, seat: str, rng: random.Random) -> Action:
    """What a virtual player does now."""
    offers = game.offers(state, seat)
    uses: list[tuple[float, Action]] = []
    others: list[Any] = []
    for offer in offers:
        if isinstance(offer, Payment):
            uses.append((_worth(game, state, offer.space, rng), Use(seat, offer.space, *offer.ways[0])))
        elif isinstance(offer, Use):
            uses.append((_worth(game, state, offer.space, rng), offer))
        else:
            others.append(offer)
    if uses:
        return max(uses, key=lambda pair: pair[0])[1]
    active = [offer for offer in others if not isinstance(offer, Decline | Stay)] or others
    best = max(_then(game, state, seat, offer) for offer in active)
    chosen: Action = rng.choice([offer for offer in active if _then(game, state, seat, offer) == best])
    return chosen


def _worth(game: RussianRailroads, state: State, space: str, rng: random.Random) -> float:
    """What a space is worth for each piece that it costs."""
    cost = game.spaces.cost(state, space)
    pieces = cost.workers + cost.roubles if cost is not None else 1
    worth = 0.0
    for op in game.spaces.action(state, space):
        worth += WORTH.get(type(op), 5.0) * getattr(op, "n", 1)
    return worth / pieces + HASTE * rng.random()


def _then(game: RussianRailroads, state: State, seat: str, action: Action) -> int:
    """Points and those of the next scoring, once an action is done."""
    after, _ = game.apply(state, action)
    return game.screen.scoring(after, seat) + after.players[seat].score


# Slips -------------------------------------------------------------------------------------------


def slips(game: RussianRailroads, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
    """Pieces that somebody could put down wrongly while an action is due."""
    if state.phase != "actions" or not state.stack.idle:
        return {}
    seat = state.turn
    out: dict[str, tuple[Spot, ...]] = {}
    spaces = game.spaces
    free = [s for s in spaces.names(state, seat) if next(spaces.closed(state, seat, s), None) is None]
    used = Counter(placement.space for placement in game.scene(state).placements)
    room = {space for space, slots in game.slots.items() if used[space] < slots}
    free = [space for space in free if space in room]
    others = [other for other in game.seats if other != seat and state.players[other].free]
    if free and others:
        out["wrong_seat"] = (Spot(WORKER, rng.choice(others), rng.choice(free)),)
    if not state.players[seat].free:
        return out
    found: dict[str, list[str]] = {}
    for space in sorted(room):
        if spaces.cost(state, space) is None and space not in spaces.all:
            continue
        broken = game.refuse(state, Use(seat, space, workers=1))
        if broken is not None and broken.rule != "RR-PAY-3":
            found.setdefault(KINDS.get(broken.rule, "not_now"), []).append(space)
    for kind, places in found.items():
        out[kind] = (Spot(WORKER, seat, rng.choice(places)),)
    cheap = [s for s in free if (cost := spaces.cost(state, s)) is not None and cost.one_worker]
    wide = [s for s in cheap if used[s] + 1 < game.slots[s] and game.refuse(state, Use(seat, s, 1)) is None]
    if wide and state.players[seat].free > 1:
        out["wrong_count"] = (Spot(WORKER, seat, wide[0]),) * 2
    return out
