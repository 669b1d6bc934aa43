"""The map of a pack as tables: what each hex costs and yields, for fast and exact lookup (RB-MAP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from assistant.games.railway_boom.pack import TRACK_INDEX, City, CityTile, Content, Icon, TouristTile
from assistant.games.railway_boom.state import Seat
from assistant.hexes import Grid


class CityInfo(msgspec.Struct, frozen=True):
    """One Regular City with the tile that lies on it; `resources` are track indices in track order."""

    city: City
    bit: int
    resources: tuple[int, ...]
    power: int
    raises: tuple[tuple[int, int], ...]
    """Track and steps of each income raise that a station brings."""


class Board:
    """Lookup tables for one layout of tiles.

    `cost[low bit]` is the printed power cost of a hex, `within[p]` the set of hexes that cost p or less,
    `terrain[kind]` the hexes of a terrain, `cities[hex name]` and `tourists[bit]` what cities yield.
    """

    def __init__(
        self,
        content: Content,
        grid: Grid,
        tiles: Sequence[str],
        options: Mapping[str, str | bool],
    ) -> None:
        self.grid = grid
        city_tiles = {tile.id: tile for tile in content.city_tiles}
        tourist_tiles = {tile.id: tile for tile in content.tourist_tiles}
        cities = sorted(content.cities, key=lambda city: city.number)
        laid = dict(zip([c.id for c in cities] + [t.id for t in content.tourists], tiles, strict=False))
        self.terrain: dict[str, int] = {}
        self.coastal = 0
        self.cost: dict[int, int] = {}
        self.cities: dict[str, CityInfo] = {}
        self.yields: dict[int, tuple[int, ...]] = {}
        self.tourists: dict[int, Icon] = {}
        for place in content.hexes:
            bit = grid.bit[place.id]
            self.terrain[place.terrain] = self.terrain.get(place.terrain, 0) | bit
            self.cost[bit] = place.cost
            if place.coastal:
                self.coastal |= bit
        for city in cities:
            printed = city_tiles[city.default_tile]
            tile = city_tiles[laid.get(city.id, city.default_tile)]
            tile = _by_source(printed, tile, options)
            bit = grid.bit[city.hex]
            yields = tuple(sorted(TRACK_INDEX[name] for name in tile.resources))
            self.cost[bit] = tile.rail_cost
            self.yields[bit] = yields
            raises = tuple((track, yields.count(track)) for track in sorted(set(yields)))
            self.cities[city.hex] = CityInfo(city, bit, yields, tile.station_power, raises)
        for tourist in content.tourists:
            spot: TouristTile = tourist_tiles[laid.get(tourist.id, tourist.default_tile)]
            self.tourists[grid.bit[tourist.hex]] = spot.effect
        top = max(self.cost.values(), default=0)
        self.within = [0] * (top + 1)
        for bit, cost in self.cost.items():
            for budget in range(cost, top + 1):
                self.within[budget] |= bit
        self.by_cost = tuple(
            (price, sum(bit for bit, cost in self.cost.items() if cost == price))
            for price in sorted(set(self.cost.values()))
        )
        self.by_id = {info.city.id: info for info in self.cities.values()}
        self.regular = self.terrain.get("city", 0)

    def affordable(self, power: int, targets: int, seats: Sequence[Seat]) -> int:
        """Those of `targets` whose cost, one more per player's piece there (RB-EXP-8), is at most `power`."""
        if power < 0:
            return 0
        within = self.within
        top = len(within) - 1
        if power < top:
            targets &= within[power]
        one = two = three = 0
        for record in seats:
            if hit := (record.rails | record.stations) & targets:
                three |= two & hit
                two |= one & hit
                one |= hit
        if not one:
            return targets
        out = targets & ~one
        if power >= 1:
            out |= within[min(power - 1, top)] & one & ~two
            if power >= 2:
                out |= within[min(power - 2, top)] & two & ~three
                if power >= 3:
                    out |= within[min(power - 3, top)] & three
        return out


def _by_source(printed: CityTile, tile: CityTile, options: Mapping[str, str | bool]) -> CityTile:
    """Which data come from the tile and which stay with the space (HR-38)."""
    if printed is tile:
        return tile
    return CityTile(
        tile.id,
        *(
            getattr(tile if options[f"tile.{field}"] == "tile" else printed, field)
            for field in ("resources", "station_power", "rail_cost")
        ),
    )
