"""Hex sets as ints against the same operations on plain sets, on random maps with and without barriers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.hexes import DIRECTIONS, Axial, Grid, bits, from_odd_r
from assistant.layout import HexGrid


class Plain:
    """The oracle: hexes by place, sets as sets, barriers as pairs."""

    def __init__(self, places: set[Axial], barriers: set[frozenset[Axial]]) -> None:
        self.places = places
        self.barriers = barriers

    def next_to(self, place: Axial) -> set[Axial]:
        q, r = place
        near = {(q + dq, r + dr) for dq, dr in DIRECTIONS} & self.places
        return {other for other in near if frozenset((place, other)) not in self.barriers}

    def neighbours(self, some: set[Axial]) -> set[Axial]:
        return {other for place in some for other in self.next_to(place)}

    def component(self, seed: set[Axial], within: set[Axial]) -> set[Axial]:
        found, edge = set(seed), list(seed)
        while edge:
            for other in self.next_to(edge.pop()) & within - found:
                found.add(other)
                edge.append(other)
        return found

    def components(self, some: set[Axial]) -> set[frozenset[Axial]]:
        return {frozenset(self.component({place}, some)) for place in some}

    def longest_line(self, some: set[Axial]) -> int:
        best = 0
        for q, r in some:
            for dq, dr in DIRECTIONS:
                length, here = 1, (q, r)
                while (ahead := (here[0] + dq, here[1] + dr)) in some & self.next_to(here):
                    length, here = length + 1, ahead
                best = max(best, length)
        return best

    def reach(
        self, start: set[Axial], cost: dict[Axial, int], budget: int, within: set[Axial]
    ) -> dict[Axial, int]:
        """Cheapest total price of every hex but those of `start`, by relaxing until nothing changes."""
        price = dict.fromkeys(start, 0)
        changed = True
        while changed:
            changed = False
            for place in sorted(price):
                for other in self.next_to(place) & within & set(cost):
                    total = price[place] + cost[other]
                    if total <= budget and total < price.get(other, budget + 1):
                        price[other], changed = total, True
        return {place: total for place, total in price.items() if place not in start}


def name_of(place: Axial) -> str:
    return f"{place[0]},{place[1]}"


@st.composite
def maps(draw: st.DrawFn) -> tuple[Plain, Grid]:
    span = st.integers(-4, 4)
    places = draw(st.sets(st.tuples(span, span), min_size=1, max_size=40))
    touching = [
        ((q, r), (q + dq, r + dr))
        for q, r in sorted(places)
        for dq, dr in DIRECTIONS[::2]
        if (q + dq, r + dr) in places
    ]
    walls = draw(st.lists(st.sampled_from(touching), unique=True, max_size=8)) if touching else []
    plain = Plain(places, {frozenset(pair) for pair in walls})
    grid = Grid(
        {name_of(place): place for place in sorted(places)}, [(name_of(a), name_of(b)) for a, b in walls]
    )
    return plain, grid


@st.composite
def maps_with_sets(draw: st.DrawFn, count: int) -> tuple[Plain, Grid, list[set[Axial]]]:
    plain, grid = draw(maps())
    some = st.sets(st.sampled_from(sorted(plain.places)))
    return plain, grid, [draw(some) for _ in range(count)]


def mask(grid: Grid, places: set[Axial]) -> int:
    return grid.mask(name_of(place) for place in places)


def places(grid: Grid, mask: int) -> set[Axial]:
    return {grid.axial[name] for name in grid.names(mask)}


@given(maps_with_sets(1))
def test_a_set_is_the_names_in_it(case: tuple[Plain, Grid, list[set[Axial]]]) -> None:
    plain, grid, (some,) = case
    assert places(grid, mask(grid, some)) == some
    assert places(grid, grid.all) == plain.places
    assert mask(grid, some).bit_count() == len(some)
    order = [grid.axial[name] for name in grid.names(mask(grid, some))]
    assert order == sorted(some, key=lambda place: (place[1], place[0]))
    assert [1 << index for index in bits(mask(grid, some))] == [
        grid.bit[name] for name in grid.names(mask(grid, some))
    ]


@given(maps_with_sets(1))
def test_neighbours(case: tuple[Plain, Grid, list[set[Axial]]]) -> None:
    plain, grid, (some,) = case
    assert places(grid, grid.neighbours(mask(grid, some))) == plain.neighbours(some)
    for place in plain.places:
        around = grid.around[grid.bit[name_of(place)].bit_length() - 1]
        assert places(grid, around) == plain.next_to(place)


@given(maps())
def test_adjacency_is_mutual(case: tuple[Plain, Grid]) -> None:
    _, grid = case
    for first, near in grid.around.items():
        assert all(grid.around[second] >> first & 1 for second in bits(near))
        assert not near >> first & 1


@given(maps_with_sets(1))
def test_components(case: tuple[Plain, Grid, list[set[Axial]]]) -> None:
    plain, grid, (some,) = case
    parts = grid.components(mask(grid, some))
    assert {frozenset(places(grid, part)) for part in parts} == plain.components(some)
    assert [part & -part for part in parts] == sorted(part & -part for part in parts)


@given(maps_with_sets(2))
def test_component_of_a_seed(case: tuple[Plain, Grid, list[set[Axial]]]) -> None:
    plain, grid, (seed, within) = case
    found = grid.component(mask(grid, seed), mask(grid, seed | within))
    assert places(grid, found) == plain.component(seed, seed | within)


@given(maps_with_sets(1))
def test_longest_line(case: tuple[Plain, Grid, list[set[Axial]]]) -> None:
    plain, grid, (some,) = case
    assert grid.longest_line(mask(grid, some)) == plain.longest_line(some)


@given(maps_with_sets(2), st.integers(0, 7), st.randoms(use_true_random=False))
def test_reach_within_a_budget(case: tuple[Plain, Grid, list[set[Axial]]], budget: int, rng: object) -> None:
    plain, grid, (start, within) = case
    assert hasattr(rng, "choice")
    cost = {
        place: price
        for place in sorted(plain.places)
        if (price := rng.choice((None, 0, 1, 2, 3, 4))) is not None
    }
    by_price = [mask(grid, {place for place, price in cost.items() if price == p}) for p in range(5)]
    layers = grid.reach(mask(grid, start), by_price, budget, mask(grid, within))
    assert len(layers) == budget + 1
    want = plain.reach(start, cost, budget, within)
    assert {place: price for price, layer in enumerate(layers) for place in places(grid, layer)} == want
    assert sum(layer.bit_count() for layer in layers) == len(want)


def test_a_map_that_cannot_be_is_refused() -> None:
    names = {"a1": (0, 0), "a2": (1, 0), "a4": (3, 0)}
    with pytest.raises(ValueError, match="share a place"):
        Grid({**names, "b1": (0, 0)})
    with pytest.raises(ValueError, match="unknown hexes a1 and b9"):
        Grid(names, [("a1", "b9")])
    with pytest.raises(ValueError, match="a2 and a4, which do not touch"):
        Grid(names, [("a2", "a4")])
    with pytest.raises(KeyError):
        Grid(names).mask(["z9"])


def test_an_empty_map_and_empty_sets_are_fine() -> None:
    empty = Grid({})
    assert (empty.all, empty.components(0), empty.longest_line(0), empty.reach(0, [], 2, 0)) == (
        0,
        [],
        0,
        [0, 0, 0],
    )
    assert Grid({"a1": (5, 5)}).component(0, 0) == 0


# --- geometry ------------------------------------------------------------------------------------


@given(maps())
def test_neighbours_are_the_hexes_one_step_away_on_the_mat(case: tuple[Plain, Grid]) -> None:
    plain, _ = case
    grid = Grid({name_of(place): place for place in plain.places})
    mat = HexGrid(20.0, (3.0, 7.0), tuple(plain.places))
    step = 20.0 * math.sqrt(3)
    for name, place in grid.axial.items():
        near = {p for p in plain.places if math.isclose(math.dist(mat.centre(*p), mat.centre(*place)), step)}
        assert places(grid, grid.neighbours(grid.bit[name])) == near


@given(maps(), st.floats(-200, 200), st.floats(-200, 200))
def test_a_point_lies_in_the_hex_whose_centre_is_nearest(
    case: tuple[Plain, Grid], x: float, y: float
) -> None:
    plain, _ = case
    mat = HexGrid(17.5, (1.5, -2.0), tuple(plain.places))
    everywhere = [(q, r) for q in range(-20, 21) for r in range(-15, 16)]
    ranked = sorted(everywhere, key=lambda place: math.dist(mat.centre(*place), (x, y)))
    first, second = (math.dist(mat.centre(*place), (x, y)) for place in ranked[:2])
    if second - first > 1e-6:
        assert mat.at(x, y) == (ranked[0] if ranked[0] in plain.places else None)


@given(maps(), st.floats(0, 2 * math.pi), st.floats(0, 0.999))
def test_every_point_inside_a_hex_is_its_own(case: tuple[Plain, Grid], angle: float, share: float) -> None:
    plain, _ = case
    mat = HexGrid(20.0, (0.0, 0.0), tuple(plain.places))
    # The distance to the edge of a pointy-top hex in that direction.
    turn = (angle + math.pi / 6) % (math.pi / 3) - math.pi / 6
    edge = 20.0 * math.sqrt(3) / 2 / math.cos(turn)
    for place in plain.places:
        x, y = mat.centre(*place)
        assert mat.at(x + share * edge * math.cos(angle), y + share * edge * math.sin(angle)) == place


def test_odd_rows_of_an_offset_map_are_shifted_right() -> None:
    mat = HexGrid(10.0, (0.0, 0.0), ())
    for column in range(5):
        for row in range(5):
            x, y = mat.centre(*from_odd_r(column, row))
            assert x == pytest.approx(10 * math.sqrt(3) * (column + 0.5 * (row % 2)))
            assert y == pytest.approx(15 * row)
