"""The map of a pack as tables: what a rail costs where, and what it scores (TR-LAY, TR-SCORE)."""

from __future__ import annotations

from assistant.games.trains.pack import Content
from assistant.games.trains.state import ALL, CITY, MOUNTAIN, OTHERS, RIVER, State
from assistant.hexes import bits

CITY_POINTS = (0, 2, 4, 8)
"""By stations on the hex, for each player with a rail there (TR-SCORE-1)."""


class Board:
    """Terrain as hex sets and prices by bit index. The sea is not in the grid: it only has a name."""

    def __init__(self, content: Content) -> None:
        self.grid = content.grid
        self.hexes = content.hexes
        bit = self.grid.bit
        self.terrain: dict[str, int] = {}
        self.remote: dict[int, int] = {}
        """Points of a remote location, by its bit."""
        for place in self.hexes.values():
            if place.terrain != "sea":
                self.terrain[place.terrain] = self.terrain.get(place.terrain, 0) | bit[place.id]
            if place.terrain == "remote":
                self.remote[bit[place.id]] = place.number
        self.city = self.terrain.get("city", 0)
        self.room = tuple(
            sum(bit[p.id] for p in self.hexes.values() if p.terrain == "city" and p.number >= level)
            for level in (1, 2, 3)
        )
        """Cities with room for at least one, two, three stations."""
        price = {"field": 0, "river": 1, "mountain": 2, "city": 1}
        self.price = {
            bit[p.id]: price.get(p.terrain, p.number) for p in self.hexes.values() if p.terrain != "sea"
        }
        """Terrain part of the cost without stations, by one-bit set."""
        self.starts = self.grid.all & ~self.terrain.get("remote", 0)

    def level(self, state: State, bit: int) -> int:
        """Stations on a hex."""
        one, two, three = state.stations
        return (1 + (1 if two & bit else 0) + (1 if three & bit else 0)) if one & bit else 0

    def others(self, state: State, seat: int, bit: int) -> int:
        """How many other players have a rail on a hex."""
        return sum([1 for index, tokens in enumerate(state.tokens) if tokens & bit and index != seat])

    def terrain_cost(self, state: State, waived: int, bit: int) -> int:
        """The terrain part of the cost of a hex (TR-LAY-6), as far as it is not waived (TR-LAY-10)."""
        if waived & ALL:
            return 0
        if bit & self.city:
            return 0 if waived & CITY else 1 + self.level(state, bit)
        if waived & RIVER and bit & self.terrain.get("river", 0):
            return 0
        if waived & MOUNTAIN and bit & self.terrain.get("mountain", 0):
            return 0
        return self.price[bit]

    def cost(self, state: State, seat: int, waived: int, bit: int) -> int:
        """What a rail of `seat` on a hex costs now, in money."""
        shared = 0 if waived & (ALL | OTHERS) else self.others(state, seat, bit)
        return self.terrain_cost(state, waived, bit) + shared

    def reach(self, state: State, seat: int) -> int:
        """Hexes where a rail of `seat` would touch its own and is none yet (TR-LAY-2 to 4)."""
        own = state.tokens[seat]
        return self.grid.neighbours(own) & ~own

    def affordable(self, state: State, seat: int, waived: int, money: int) -> list[int]:
        """Hexes, as one-bit sets, where `seat` could lay a rail with so much money."""
        reach = self.reach(state, seat)
        out = []
        while reach:
            bit = reach & -reach
            reach ^= bit
            if self.cost(state, seat, waived, bit) <= money:
                out.append(bit)
        return out

    def room_left(self, state: State) -> int:
        """Cities where another station fits (TR-STN-2)."""
        one, two, three = state.stations
        first, second, third = self.room
        return (first & ~one) | (second & one & ~two) | (third & two & ~three)

    def slots_left(self, state: State) -> int:
        """How many stations still fit on the whole map."""
        there = sum(level.bit_count() for level in state.stations)
        return sum(level.bit_count() for level in self.room) - there

    def scored(self, state: State, seat: int) -> list[tuple[str, str, int]]:
        """What the rails of a seat score: the source, the hex, the points; nothing for a city of 0."""
        out = []
        for index in bits(state.tokens[seat] & (self.city | self.terrain.get("remote", 0))):
            bit = 1 << index
            name = self.grid.name[index]
            if bit & self.city:
                if points := CITY_POINTS[self.level(state, bit)]:
                    out.append(("city", name, points))
            else:
                out.append(("remote", name, self.remote[bit]))
        return out
