"""Final scoring: objectives, resources, the best railway, ties (RB-OFX, RB-END)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import other_masks, own_mask, tile_total
from assistant.games.railway_boom.state import COAL, MATERIALS, MONEY, TECH, VP, State
from assistant.scores import Tie

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

Count = Callable[["RailwayBoom", State, int], int]


def _on(terrain: str) -> Count:
    def count(game: RailwayBoom, state: State, seat: int) -> int:
        return (state.seats[seat].rails & game.board(state).terrain.get(terrain, 0)).bit_count()

    return count


def _level(track: int) -> Count:
    return lambda game, state, seat: state.seats[seat].levels[track]


def _residential(game: RailwayBoom, state: State, seat: int) -> int:
    rails = state.seats[seat].rails
    return sum(bool(rails & mask) for mask in game.board(state).terrain.values())


def _terrain(game: RailwayBoom, state: State, seat: int) -> int:
    record = state.seats[seat]
    mask = own_mask(record) if game.options["line.counts_stations"] else record.rails
    return game.grid.longest_line(mask)


def _humble(game: RailwayBoom, state: State, seat: int) -> int:
    return min(state.seats[seat].levels)


def _cargo(game: RailwayBoom, state: State, seat: int) -> int:
    return sum(game.locomotives[card.id].capacity >= 4 for card in state.seats[seat].locos)


def _city(game: RailwayBoom, state: State, seat: int) -> int:
    """Most pieces around one Regular City that holds an own piece (HR-33)."""
    counted = [own_mask(state.seats[seat])]
    if game.options["city_tycoon.owner"] == "all":
        counted += other_masks(state, seat)
    best = 0
    here = own_mask(state.seats[seat]) & game.board(state).regular
    while here:
        low = here & -here
        here ^= low
        around = game.grid.around[low.bit_length() - 1]
        pieces = 0
        for mask in counted:
            pieces += (mask & around).bit_count()
        best = max(best, pieces)
    return best


def _developments(game: RailwayBoom, state: State, seat: int) -> int:
    return len(state.seats[seat].devs)


def _water(game: RailwayBoom, state: State, seat: int) -> int:
    return _on("river")(game, state, seat) + _on("inlet")(game, state, seat)


def _partnership(game: RailwayBoom, state: State, seat: int) -> int:
    others = 0
    for mask in other_masks(state, seat):
        others |= mask
    return (own_mask(state.seats[seat]) & others).bit_count()


def _fleet(game: RailwayBoom, state: State, seat: int) -> int:
    record = state.seats[seat]
    return len(record.locos) + len(record.carriages)


COUNTS: dict[str, Count] = {
    "residential_tycoon": _residential,
    "terrain_tycoon": _terrain,
    "humble_investor": _humble,
    "express_tycoon": _on("plains"),
    "forest_tycoon": _on("forest"),
    "material_investor": _level(MATERIALS),
    "cargo_mogul": _cargo,
    "city_tycoon": _city,
    "mountain_tycoon": _on("mountain"),
    "money_investor": _level(MONEY),
    "development_mogul": _developments,
    "tech_investor": _level(TECH),
    "water_tycoon": _water,
    "partnership_tycoon": _partnership,
    "coal_investor": _level(COAL),
    "tourism_tycoon": _on("tourist"),
    "fleet_mogul": _fleet,
    "stock_investor": _level(VP),
}
"""What each objective kind counts, in the order of RB-OFX-01 to RB-OFX-18."""


def best_railway(game: RailwayBoom, state: State, seat: int) -> int:
    """Railway Tokens in the own railway that has most of them (RB-END-3)."""
    record = state.seats[seat]
    parts = game.grid.components(own_mask(record))
    return max(((part & record.rails).bit_count() for part in parts), default=0)


def final(change: Change) -> None:
    """Add every point of final scoring, objective cards in round order first."""
    game = change.game
    state = change.state  # nothing that is counted changes by the points
    for seat, record in enumerate(state.seats):
        for index, name in enumerate(state.objectives):
            card = game.objectives[name]
            space = record.cubes[index]
            if space < 0:
                continue
            count = COUNTS[card.kind](game, state, seat)
            multiplier = card.spaces[space].multiplier
            detail = f"{name} {count} x {multiplier}"
            change.points(seat, count * multiplier, "objective", detail, "RB-END-1")
        stock = sum(record.stock)
        change.points(seat, stock // 2, "resources", f"{stock} resources", "RB-END-2")
        rails = best_railway(game, state, seat)
        change.points(seat, 2 * rails, "railway", f"{rails} RT", "RB-END-3")


def places(game: RailwayBoom, state: State) -> list[tuple[str, ...]]:
    """Final order, best first; ties by RT on the board, Resource Tiles, Auction Track (RB-END-4)."""
    order = sorted(range(len(state.seats)), key=lambda seat: _rank(state, seat), reverse=True)
    return [(game.seats[seat],) for seat in order]


def ties(game: RailwayBoom, state: State) -> tuple[Tie, ...]:
    """What decided between neighbours of the final order with equal VP (RB-END-4)."""
    order = [game.index[group[0]] for group in places(game, state)]
    out = []
    for first, second in pairwise(order):
        (vp, *mine), (other_vp, *other) = _rank(state, first), _rank(state, second)
        if vp == other_vp:
            at = next(n for n, (one, two) in enumerate(zip(mine, other, strict=True)) if one != two)
            values = {"more": mine[at], "less": other[at]} if at < len(TIED) - 1 else {}
            out.append(Tie(game.seats[first], game.seats[second], TIED[at], values, "RB-END-4"))
    return tuple(out)


TIED = ("rails", "tiles", "track")
"""What decides one after the other, by the keys of the catalogue table `ties`."""


def _rank(state: State, seat: int) -> tuple[int, int, int, int]:
    record = state.seats[seat]
    return record.vp, record.rails.bit_count(), tile_total(record), state.track.white.index(seat)
