"""Hexagons: axial coordinates, pointy-top, sets of hexes as Python ints.

A `Grid` fixes which hexes exist and gives each one bit of an int. Rows are laid out with a stride one
larger than the widest span of q, so the six neighbours of a whole set are six shifts and one AND (the
padding column keeps a shift from wrapping into the next row). Barriers (edges that cannot be crossed)
cost one more AND per direction and only on grids that have them.

Axial directions: east (+1, 0), west (-1, 0), south-east (0, +1), north-west (0, -1),
south-west (-1, +1), north-east (+1, -1). The three straight axes are the three opposite pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

Axial = tuple[int, int]

DIRECTIONS: tuple[Axial, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1))
"""The six neighbours; each even index is followed by its opposite."""


def from_odd_r(column: int, row: int) -> Axial:
    """Axial coordinates of a cell of an offset map whose odd rows are shifted right (both from 0)."""
    return column - (row - (row & 1)) // 2, row


def bits(mask: int) -> Iterator[int]:
    """Indices of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def pick(mask: int, things: Sequence[T]) -> list[T]:
    """Those of `things` whose index is a set bit, lowest first."""
    out = []
    while mask:
        # From the top, as a large number's highest bit is found faster than its lowest.
        index = mask.bit_length() - 1
        out.append(things[index])
        mask ^= 1 << index
    out.reverse()
    return out


class Grid:
    """The hexes of one map, as bits of ints. Immutable after construction.

    `names` gives each hex its printed name; `barriers` are pairs of names between which adjacency is
    removed both ways. Raises ValueError for a name or a place used twice, and for a barrier between
    hexes that do not exist or do not touch.
    """

    def __init__(self, names: Mapping[str, Axial], barriers: Iterable[tuple[str, str]] = ()) -> None:
        if len(set(names.values())) != len(names):
            raise ValueError("two hexes share a place")
        self.axial: dict[str, Axial] = dict(names)
        qs = [q for q, _ in names.values()] or [0]
        rs = [r for _, r in names.values()] or [0]
        self._q0, self._r0 = min(qs), min(rs)
        self._stride = max(qs) - self._q0 + 2
        self.bit: dict[str, int] = {name: 1 << self._index(place) for name, place in names.items()}
        """Name to its one-bit set."""
        self.name: dict[int, str] = {bit.bit_length() - 1: name for name, bit in self.bit.items()}
        """Bit index to name."""
        self.all = 0
        """The set of every hex."""
        for bit in self.bit.values():
            self.all |= bit
        self._shifts = tuple(dq + dr * self._stride for dq, dr in DIRECTIONS)
        self._open: tuple[int, ...] | None = None
        self._block(tuple(barriers))
        self.around: dict[int, int] = {index: self.neighbours(1 << index) for index in self.name}
        """Bit index to the set of its neighbours."""

    def _index(self, place: Axial) -> int:
        return place[0] - self._q0 + (place[1] - self._r0) * self._stride

    def _block(self, barriers: tuple[tuple[str, str], ...]) -> None:
        if not barriers:
            return
        open_from = [self.all] * 6
        for first, second in barriers:
            if first not in self.bit or second not in self.bit:
                raise ValueError(f"barrier between unknown hexes {first} and {second}")
            (q1, r1), (q2, r2) = self.axial[first], self.axial[second]
            step = (q2 - q1, r2 - r1)
            if step not in DIRECTIONS:
                raise ValueError(f"barrier between {first} and {second}, which do not touch")
            way = DIRECTIONS.index(step)
            open_from[way] &= ~self.bit[first]
            open_from[way ^ 1] &= ~self.bit[second]
        self._open = tuple(open_from)

    def by_index(self, things: Mapping[int, T]) -> tuple[T, ...]:
        """What there is for each hex (by its one-bit set) laid out for `pick`."""
        # The padding column's bits are never set; anything may stand there.
        filler = next(iter(things.values()))
        return tuple(things.get(1 << index, filler) for index in range(self.all.bit_length()))

    def mask(self, names: Iterable[str]) -> int:
        """The set of the named hexes; KeyError for a name that does not exist."""
        out = 0
        for name in names:
            out |= self.bit[name]
        return out

    def names(self, mask: int) -> list[str]:
        """Names of the hexes of a set, row by row from the top left."""
        return [self.name[index] for index in bits(mask)]

    def neighbours(self, mask: int) -> int:
        """Every hex adjacent to some hex of the set (members of the set included when adjacent)."""
        east, _, south_east, _, south_west, _ = self._shifts
        if self._open is None:
            return (
                mask << east
                | mask >> east
                | mask << south_east
                | mask >> south_east
                | mask << south_west
                | mask >> south_west
            ) & self.all
        o = self._open
        return (
            (mask & o[0]) << east
            | (mask & o[1]) >> east
            | (mask & o[2]) << south_east
            | (mask & o[3]) >> south_east
            | (mask & o[4]) << south_west
            | (mask & o[5]) >> south_west
        ) & self.all

    def component(self, seed: int, within: int) -> int:
        """All of `within` that hangs together with `seed` (`seed` must lie inside `within`)."""
        found, edge = seed, seed
        while edge:
            edge = self.neighbours(edge) & within & ~found
            found |= edge
        return found

    def components(self, mask: int) -> list[int]:
        """The connected parts of a set, by their lowest bit."""
        parts = []
        while mask:
            part = self.component(mask & -mask, mask)
            parts.append(part)
            mask &= ~part
        return parts

    def longest_line(self, mask: int) -> int:
        """Length of the longest unbroken straight run inside the set, over the three axes."""
        best = 0
        for way in (0, 2, 4):
            shift = self._shifts[way]
            open_from = mask if self._open is None else self._open[way]
            length, run = 0, mask
            while run:
                length += 1
                run = (run & open_from) << shift & mask
            best = max(best, length)
        return best

    def reach(self, start: int, cost: Sequence[int], budget: int, within: int) -> list[int]:
        """Sets reachable from the network `start`, by cheapest total cost 0..budget.

        `cost` gives, per price p >= 0, the set of hexes that cost p to enter; hexes in none of them
        cannot be entered. Entry `b` of the answer holds every hex whose cheapest path of new hexes
        (all of them paid, `start` free) costs exactly b; only hexes of `within` count.
        """
        layers: list[int] = [0] * (budget + 1)
        layers[0] = start
        found = 0
        for spent in range(budget + 1):
            # What was reached for less needs no second look.
            fresh = layers[spent] & ~found
            layers[spent] = fresh
            while fresh:
                found |= fresh
                edge = self.neighbours(fresh) & within & ~found
                fresh = 0
                for price, hexes in enumerate(cost):
                    hit = edge & hexes
                    if not hit:
                        continue
                    if price == 0:
                        fresh |= hit
                    elif spent + price <= budget:
                        layers[spent + price] |= hit
                layers[spent] |= fresh
        layers[0] &= ~start
        return layers
