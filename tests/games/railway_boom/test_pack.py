"""The packs of Railway Boom: what their maps and cards say, and how a pack with faults is refused.

The oracle for Inland Sea is the design of the set: its map as a drawing, the list of cities, the rule by
which tiles were dealt out, and figures that were computed from it elsewhere (routes, means).
"""

from __future__ import annotations

import argparse
import ast
import heapq
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant.game import Game, Title
from assistant.games.railway_boom import pack as railway_boom_pack
from assistant.games.railway_boom.pack import (
    COUNTS,
    PARAMETERS,
    STOCK,
    TIMINGS,
    TRACKS,
    Content,
    Hex,
    check,
)
from assistant.games.railway_boom.title import TITLE
from assistant.hexes import Grid, from_odd_r
from assistant.packs import Pack, PackFaults
from ui.commands import pack as pack_command

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "assistant" / "games" / "railway_boom"
INLAND_SEA = FOLDER / "packs" / "inland_sea.toml"
FX = ROOT / "tests" / "fixtures" / "fx.toml"

TERRAINS = {
    "C": "city",
    "T": "tourist",
    "P": "plains",
    "F": "forest",
    "M": "mountain",
    "R": "river",
    "I": "inlet",
}
COSTS = {"plains": 1, "forest": 2, "river": 2, "inlet": 3, "mountain": 4, "tourist": 2, "city": 0}

INLAND_SEA_MAP = """
a . . . . . . . . . C C . . .
b . . . . . . I C F P T C . .
c . . . C I . C P M F C C I .
d . . C P C . . C M M C F C .
e . T P R F C I . C C M C C T
f C P C R M F C P R C P C C .
g . C F C M M T C R P C T . .
h . T P C F C P C F C T C . .
i . . . C T P C R I C . . . .
"""
COASTAL = """a10 a11 b7 b8 b9 b11 b12 c4 c5 c7 c8 c13 d3 d5 d8 d13 e2 e3 e6 e7 e9 e14 f1 f7 f8 f12 f13
g2 g12 h2 h3 h10 h11 h12 i4 i5 i6 i7 i8 i9 i10"""
# Number, hex, name, icons, station power, rail cost.
CITIES = """
1 a10 Northcape Co 7 2, 2 a11 Elmhaven Mo 6 2, 3 b8 Greyferry VP 5 2, 4 b12 Pinewick Ma 6 2,
5 c4 Coldwater Co 7 2, 6 c7 Westmere VP 5 2, 7 c11 Larkhill VP+Co 4 3, 8 c12 Summerby Ma 6 2,
9 d3 Kestrel Co 7 2, 10 d5 Oldbridge Co+Te 4 3, 11 d8 Stonecroft Te 7 2, 12 d11 Marlow Ma 6 2,
13 d13 Redcliff Mo+Ma 4 3, 14 e6 Highgate Mo 7 2, 15 e9 Dunmore Te 7 2, 16 e10 Fairhaven VP 5 2,
17 e12 Millbrook Co 6 2, 18 e13 Ashford Mo 7 2, 19 f1 Tarnwick Te 7 2, 20 f3 Rosedale VP+Mo 4 3,
21 f7 Saltmarsh Co 6 2, 22 f10 Brackley Mo 7 2, 23 f12 Windholm Co+Ma 4 3, 24 f13 Copperton Ma 7 2,
25 g2 Longreach Co 6 2, 26 g4 Eastmoor Mo+Co 4 3, 27 g8 Foxley Te 6 2, 28 g11 Goldbeck Ma 7 2,
29 h4 Hartwell VP 5 2, 30 h6 Ironmere Mo 6 2, 31 h8 Juniper Te 6 2, 32 h10 Kingsway Ma 7 2,
33 h12 Lowfield Ma+Te 4 3, 34 i4 Meadowbank Mo 6 2, 35 i7 Newport Te 6 2, 36 i10 Quarrytown Mo+Te 4 3
"""
SHORT = {"Mo": "money", "Ma": "materials", "Te": "tech", "Co": "coal", "VP": "vp"}


@pytest.fixture(scope="module")
def inland_sea() -> Pack[Content]:
    return TITLE.load_pack("inland_sea")


@pytest.fixture(scope="module")
def fx() -> Pack[Content]:
    return TITLE.load_pack(FX)


def grid(content: Content) -> Grid:
    return Grid({place.id: (place.q, place.r) for place in content.hexes})


def rail_costs(content: Content) -> dict[str, int]:
    tiles = {tile.id: tile.rail_cost for tile in content.city_tiles}
    costs = {place.id: place.cost for place in content.hexes}
    return costs | {city.hex: tiles[city.default_tile] for city in content.cities}


# Inland Sea.


def test_inland_sea_is_whole_and_invented(inland_sea: Pack[Content]) -> None:
    assert (inland_sea.id, inland_sea.game) == ("inland_sea", "railway_boom")
    assert inland_sea.warnings == ()
    assert inland_sea.invented
    assert not inland_sea.fixture
    for table, (count, _) in COUNTS.items():
        assert len(getattr(inland_sea.content, table)) == count
        assert inland_sea.provenance_of(table).mark == "invented"
    assert Pack.from_canonical(inland_sea.text, Content) == inland_sea


def test_every_shipped_pack_loads_under_its_own_name() -> None:
    for path in (FOLDER / "packs").glob("*.toml"):
        assert TITLE.load_pack(path.stem).id == path.stem


def test_the_map_is_the_drawn_one(inland_sea: Pack[Content]) -> None:
    coastal = COASTAL.split()
    drawn = [
        Hex(f"{line[0]}{column}", *from_odd_r(column - 1, row), TERRAINS[letter], cost, name in coastal)  # type: ignore[arg-type]
        for row, line in enumerate(INLAND_SEA_MAP.split("\n")[1:-1])
        for column, letter in enumerate(line.split()[1:], 1)
        if letter != "."
        for name in [f"{line[0]}{column}"]
        for cost in [COSTS[TERRAINS[letter]]]
    ]
    assert list(inland_sea.content.hexes) == drawn
    terrains = Counter(place.terrain for place in drawn)
    assert [terrains[terrain] for terrain in ("city", "tourist", "plains", "forest")] == [36, 8, 11, 8]
    assert [terrains[terrain] for terrain in ("mountain", "river", "inlet")] == [7, 5, 5]


@pytest.mark.parametrize("path", [INLAND_SEA, FX])
def test_coastal_is_what_touches_the_ocean_or_the_edge(path: Path) -> None:
    content = TITLE.load_pack(path).content
    land = grid(content)
    for place in content.hexes:
        neighbours = land.neighbours(land.bit[place.id]).bit_count()
        assert place.coastal == (neighbours < 6), place.id


@pytest.mark.parametrize("path", [INLAND_SEA, FX])
def test_the_land_is_connected(path: Path) -> None:
    land = grid(TITLE.load_pack(path).content)
    assert land.components(land.all) == [land.all]


def test_city_tiles_follow_their_rule_and_the_list(inland_sea: Pack[Content]) -> None:
    content = inland_sea.content
    rule: list[tuple[tuple[str, ...], int, int]] = []
    for copy in range(6):
        rule += [((kind,), 6 + copy % 2, 2) for kind in ("money", "coal", "materials", "tech")]
    rule += [(("vp",), 5, 2)] * 4
    doubles = ["Mo+Co", "Mo+Ma", "Mo+Te", "Co+Ma", "Co+Te", "Ma+Te", "VP+Mo", "VP+Co"]
    rule += [(tuple(SHORT[half] for half in double.split("+")), 4, 3) for double in doubles]
    assert [(tile.resources, tile.station_power, tile.rail_cost) for tile in content.city_tiles] == rule

    tiles = {tile.id: tile for tile in content.city_tiles}
    listed = [entry.split() for entry in CITIES.replace("\n", " ").split(",")]
    assert len(content.cities) == len(listed)
    for city, (number, place, name, icons, power, rail) in zip(content.cities, listed, strict=True):
        tile = tiles[city.default_tile]
        assert (city.id, str(city.number), city.name, city.hex) == (number, number, name, place)
        assert set(tile.resources) == {SHORT[icon] for icon in icons.split("+")}
        assert (tile.station_power, tile.rail_cost) == (int(power), int(rail))
        assert tile is content.city_tiles[(11 * (city.number - 1) + 5) % 36]


def test_tourist_tiles(inland_sea: Pack[Content]) -> None:
    content = inland_sea.content
    effects = Counter((tile.effect.kind, tile.effect.n) for tile in content.tourist_tiles)
    assert effects == {
        ("vp", 2): 2,
        ("vp", 3): 2,
        ("gain2", 0): 4,
        ("inc_choice", 0): 3,
        ("draw2", 0): 3,
    }
    tiles = {tile.id: tile.effect for tile in content.tourist_tiles}
    assert [(spot.name, spot.hex, tiles[spot.default_tile].kind) for spot in content.tourists] == [
        ("Skyfall", "b11", "vp"),
        ("Mistlake", "e2", "gain2"),
        ("Hotspring", "e14", "inc_choice"),
        ("Whitecliff", "g7", "draw2"),
        ("Lanternhill", "g12", "vp"),
        ("Sunbeach", "h2", "gain2"),
        ("Oakshrine", "h11", "draw2"),
        ("Southcape", "i5", "inc_choice"),
    ]


def cheapest(content: Content, start: str, weight: Callable[[str], int]) -> dict[str, int]:
    """Dijkstra over the land, with names: slow, plain, and not the engine's way."""
    land = grid(content)
    best, queue = {start: 0}, [(0, start)]
    while queue:
        spent, here = heapq.heappop(queue)
        for there in land.names(land.neighbours(land.bit[here])):
            if spent + weight(there) < best.get(there, 10**6):
                best[there] = spent + weight(there)
                heapq.heappush(queue, (best[there], there))
    return best


def test_routes_are_as_long_and_as_dear_as_designed(inland_sea: Pack[Content]) -> None:
    content = inland_sea.content
    where = {city.id: city.hex for city in content.cities}
    costs = rail_costs(content)
    found = []
    for route in content.routes:
        start, end = where[route.city_a], where[route.city_b]
        steps = cheapest(content, start, lambda _: 1)[end]
        found.append(
            (steps, cheapest(content, start, costs.__getitem__)[end], route.vp_first, route.vp_later)
        )
    assert found == [
        (6, 11, 7, 4),
        (7, 13, 8, 5),
        (8, 15, 9, 5),
        (9, 18, 11, 6),
        (10, 16, 12, 7),
        (11, 20, 14, 8),
        (12, 22, 16, 9),
    ]


def test_means_of_the_set(inland_sea: Pack[Content]) -> None:
    content = inland_sea.content

    def mean(values: list[int]) -> float:
        return round(sum(values) / len(values), 2)

    power = {tile.id: tile.station_power for tile in content.city_tiles}
    assert mean([power[city.default_tile] for city in content.cities]) == 5.78
    assert mean(list(rail_costs(content).values())) == 2.2
    assert mean([card.cost for card in content.developments]) == 2.99
    assert mean([card.coal for card in content.locomotives]) == 1.55
    assert mean([card.capacity for card in content.locomotives]) == 3.41
    assert sum(card.capacity >= 4 for card in content.locomotives) == 10
    carriages = content.carriages
    assert [mean([getattr(card, name) for card in carriages]) for name in ("price", "coal", "vp")] == [
        3.37,
        1.23,
        1.4,
    ]


def test_cards_of_every_kind_and_deck(inland_sea: Pack[Content]) -> None:
    content = inland_sea.content
    assert Counter(card.kind for card in content.developments) == {
        "subsidy": 6,
        "tactical_expansion": 4,
        "tourist_line": 2,
        "skilled_labor": 5,
        "industrial_growth": 8,
        "forest_line": 3,
        "specialty_product": 6,
        "coastal_line": 3,
        "river_line": 3,
        "locomotive_lease": 2,
        "inlet_line": 2,
        "plains_line": 3,
        "investment": 4,
        "crossing_line": 3,
        "mountain_line": 3,
        "investment_strategy": 4,
        "aggressive_spending": 2,
        "major_investment": 3,
        "economical_spending": 2,
        "planned_expansion": 4,
        "efficiency": 2,
    }
    assert all(card.timing == TIMINGS[card.kind] for card in content.developments)
    assert len({card.kind for card in content.objectives}) == 18
    assert [card.id for card in content.start_locomotives] == ["SA", "SB", "SC", "SD"]
    for track in TRACKS:
        amounts = [level.amount for level in content.income[track]]
        assert amounts == ([0, 1, 2, 3, 5, 7, 9, 12] if track == "vp" else [4, 5, 6, 7, 9, 11, 13, 15])
    wild = [card.id for card in content.objectives if set(card.bid) == set(STOCK)]
    assert wild == ["O03", "O08", "O13", "O14", "O18"]


# The fixture of the conformance cases.


def test_fx(fx: Pack[Content]) -> None:
    content = fx.content
    assert fx.fixture
    assert fx.warnings == ()
    land = grid(content)
    for name, neighbours in {
        "b3": "a3 a4 b2 b4 c3 c4",
        "c4": "b3 b4 c3 c5 d3 d4",
        "c5": "b4 b5 c4 c6 d4 d5",
        "d5": "c5 c6 d4",
        "a3": "a2 a4 b2 b3",
        "c2": "b2 c1 c3 d2",
    }.items():
        assert land.names(land.neighbours(land.bit[name])) == neighbours.split()
    assert {place.id for place in content.hexes if not place.coastal} == {"b3", "b4", "c3", "c4", "c5"}
    assert [(city.number, city.hex) for city in content.cities] == [
        (1, "a4"),
        (2, "b3"),
        (3, "c2"),
        (4, "c5"),
        (5, "d4"),
    ]
    assert [card.id for card in content.start_locomotives] == ["S0"] * 4
    assert len(content.hexes) == 19


def test_cards_of_fx_named_twice_are_equal(fx: Pack[Content]) -> None:
    cards = {card.id: card for card in fx.content.developments}
    for name in ("D3", "D5", "D7"):
        one, two = cards[name], cards[f"{name}b"]
        assert (one.kind, one.cost, one.vp, one.power) == (two.kind, two.cost, two.vp, two.power)


# Refused packs.


def refused(tmp_path: Path, changes: list[tuple[str, str]], base: Path = INLAND_SEA) -> list[str]:
    """The faults of a pack after the given replacements (each must hit once), without the file."""
    text = base.read_text(encoding="utf-8")
    for old, new in changes:
        found = re.sub(r" +", r" +", re.escape(old).replace(r"\ ", " "))
        text, count = re.subn(found, lambda _, new=new: new, text)  # type: ignore[misc]
        assert count == 1, old
    path = tmp_path / "planted.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PackFaults) as caught:
        TITLE.load_pack(path)
    return [str(fault).removeprefix(f"{path}: ") for fault in caught.value.faults]


PLANTED = [
    (
        '{ id = "e4", q = 1, r = 4, terrain = "river"',
        '{ id = "e4", q = 1, r = 4, terrain = "rivver"',
        'hexes, e4.terrain: expected one of "city", "forest", "inlet", "mountain", "plains", "river", '
        '"tourist", found "rivver"; nearest is "river"',
    ),
    (
        'number = 3, name = "Greyferry"',
        'number = 4, name = "Greyferry"',
        "cities, 4.number: has the same number as 3",
    ),
    (
        'id = "CT29", resources = ["money", "coal"]',
        'id = "CT29", resources = []',
        "city_tiles, CT29.resources: expected 1 to 2 entries, found 0",
    ),
    (
        '{ id = "TT05", effect = { kind = "gain2" } }',
        '{ id = "TT05", effect = { kind = "free_rt" } }',
        'tourist_tiles, TT05.effect: a Tourist City never has a "free_rt" icon [RB-ICON-3]',
    ),
    (
        "{ level = 6, amount = 7 }",
        "{ level = 7, amount = 7 }",
        "income, vp: expected levels 1, 2, 3, ... without a gap, found 1, 2, 3, 4, 5, 7, 7, 8 [RB-SETUP-10]",
    ),
    (
        '3 = ["full", "half", "empty"]',
        '3 = ["full", "empty"]',
        "bid_chart, 3: expected 3 circles, one per rank, found 2 [RB-AUC-13]",
    ),
    (
        "value = 4",
        "value = 3",
        "white_spaces: expected at least 4, one per player, found 3 [RB-AUC-1]",
    ),
    (
        '{ id = "L01", coal = 0, capacity = 1 },',
        "",
        "locomotives: expected 22 rows, found 21 [RB-COMP-3]",
    ),
    (
        "price = 6, coal = 3, vp = 8, capacity = 0",
        "price = -6, coal = 3, vp = 8, capacity = 0",
        "carriages, K08.price: expected a whole number, at least 0, found -6",
    ),
    (
        '{ id = "S07", number = 7, city = "7" }',
        '{ id = "S07", number = 8, city = "8" }',
        "cities, 7: no station card names this city [RB-COMP-5]",
    ),
    (
        'timing = "round", power = 1 }',
        'timing = "round", vp = 1 }',
        'developments, D13.vp: has no meaning on a card of kind "skilled_labor", which has power [RB-DFX-04]',
    ),
    (
        'kind = "terrain_tycoon", bid = ["coal"], spaces = [{ multiplier = 4, min_players = 2 }',
        'kind = "terrain_tycoon", bid = ["coal"], spaces = [{ multiplier = 4, min_players = 3 }',
        "objectives, O02.spaces: expected exactly 2 open spaces with 2 players, found 1 [RB-SETUP-9]",
    ),
    (
        '{ id = "R1", city_a = "3", city_b = "18"',
        '{ id = "R1", city_a = "3", city_b = "3"',
        "routes, R1.city_b: the two cities of a route must differ [RB-RTE-1]",
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), PLANTED, ids=[row[2].split(":")[0] for row in PLANTED])
def test_one_planted_fault_is_found(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert expected in refused(tmp_path, [(old, new)])


def test_all_planted_faults_of_one_file_are_found(tmp_path: Path) -> None:
    found = refused(tmp_path, [(old, new) for old, new, _ in PLANTED])
    # An unread terrain and an unread price leave conclusions about other tables out, and nothing else.
    assert [expected for _, _, expected in PLANTED if expected not in found] == []
    assert set(found) - {expected for _, _, expected in PLANTED} == {
        "stations, S03.number: expected 4, the number of city 3, found 3 [RB-COMP-5]",
        "stations, S08.city: names the same city as S07",
        'developments, D13.power: missing; a card of kind "skilled_labor" needs it [RB-DFX-04]',
    }


SINGLE = [
    (
        '{ id = "b10", q = 9, r = 1, terrain = "plains", cost = 1 }',
        '{ id = "b10", q = 9, r = 1, terrain = "plains", cost = 1, coastal = true }',
        ["hexes, b10.coastal: coastal, though all six neighbours are land [RB-MAP-8]"],
    ),
    (
        '{ id = "c9", q = 7, r = 2,',
        '{ id = "c9", q = 8, r = 2,',
        ["hexes, c10: lies in the same place as c9"],
    ),
    (
        '{ id = "c11", q = 9, r = 2, terrain = "city" }',
        '{ id = "c11", q = 9, r = 2, terrain = "city", cost = 3 }',
        ["hexes, c11.cost: a Regular City's cost stands on its tile [RB-MAP-4]"],
    ),
    (
        'name = "Greyferry", hex = "b8"',
        'name = "Greyferry", hex = "b9"',
        [
            'hexes, b8.terrain: "city", but no row of cities lies here',
            'cities, 3.hex: expected a hex of terrain "city", b9 is "forest"',
        ],
    ),
    (
        'name = "Greyferry", hex = "b8"',
        'name = "Greyferry", hex = "B8"',
        [
            'hexes, b8.terrain: "city", but no row of cities lies here',
            'cities, 3.hex: there is no hex "B8"; nearest is "b8"',
        ],
    ),
    (
        'hex = "b8", default_tile = "CT28"',
        'hex = "b8", default_tile = "CT06"',
        ["cities, 3.default_tile: has the same tile as 1"],
    ),
    (
        'number = 36, name = "Quarrytown"',
        'number = 37, name = "Quarrytown"',
        [
            "cities, 36.number: expected a number from 1 to 36, found 37",
            "stations, S36.number: expected 37, the number of city 36, found 36 [RB-COMP-5]",
        ],
    ),
    (
        '{ id = "TT05", effect = { kind = "gain2" } }',
        '{ id = "TT05", effect = { kind = "gain2", n = 2 } }',
        ['tourist_tiles, TT05.effect: only a "vp" icon has an n, this one is "gain2" [RB-ICON-3]'],
    ),
    (
        '4 = ["full", "full", "half", "empty"]',
        '5 = ["full", "full", "half", "half", "empty"]',
        [
            "bid_chart, 4: missing; expected 4 circles [RB-AUC-13]",
            "bid_chart, 5: expected a player count of 2, 3 or 4 [RB-SETUP-1]",
        ],
    ),
    (
        "coal = 0, capacity = 2, effects = [{ gain = { vp = 1 } }]",
        'coal = 0, capacity = 2, effects = [{ icon = { kind = "free_rt" } }, { need = { any = 2 } }]',
        [
            'locomotives, L03.effects[1].icon: a train card never has a "free_rt" icon [RB-ICON-3]',
            "locomotives, L03.effects[2]: does nothing; expected gain, income or icon [RB-OPS-8]",
        ],
    ),
    (
        "coal = 0, capacity = 2, effects = [{ gain = { vp = 1 } }]",
        "coal = 0, capacity = 2, effects = [{ need = { any = 0 }, gain = { vp = 1 } }]",
        ["locomotives, L03.effects[1].need.any: expected a whole number, at least 1, found 0"],
    ),
    (
        "coal = 0, capacity = 2, effects = [{ gain = { vp = 1 } }]",
        'coal = 0, capacity = 2, effects = [{ icon = { kind = "draw2" } }]',
        [
            'locomotives, L03.effects[1].icon: a train card has only "vp", "inc_choice" or "gain2" '
            'icons, found "draw2" [RB-OPS-8]'
        ],
    ),
    (
        '{ id = "L01",',
        '{ id = "SA",',
        ["locomotives, SA: the id is already used in start_locomotives"],
    ),
    (
        'kind = "humble_investor", bid = ["money", "coal", "materials", "tech"]',
        'kind = "humble_investor", bid = ["money", "coal", "coal"]',
        ["objectives, O03.bid: names a resource twice [RB-OBJ-1]"],
    ),
    (
        'kind = "humble_investor", bid = ["money", "coal", "materials", "tech"]',
        'kind = "humble_investor", bid = ["vp"]',
        ['objectives, O03.bid[1]: expected one of "coal", "materials", "money", "tech", found "vp"'],
    ),
    (
        "[white_spaces]",
        '[switches]\nauction.next = "cyclical"\n"gain2.vp" = "yes"\nauction.nxt = true\n[white_spaces]',
        [
            'switches, auction.next: expected "rearmost" or "cyclic", found "cyclical"',
            'switches, auction.nxt: there is no switch "auction.nxt"; nearest is "auction.next"',
            'switches, gain2.vp: expected false or true, found "yes"',
        ],
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), SINGLE, ids=[row[2][0].split(":")[0] for row in SINGLE])
def test_faults_of_single_rules(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert refused(tmp_path, [(old, new)]) == expected


def test_a_whole_table_is_missing(tmp_path: Path) -> None:
    assert refused(tmp_path, [("[routes]", "[rootes]")]) == ['routes: missing; the file has "rootes" instead']


def test_only_a_fixture_may_be_short_and_repeat_rows(tmp_path: Path) -> None:
    assert refused(tmp_path, [("fixture = true", "fixture = false")], FX) == [
        "cities: expected 36 rows, found 5 [RB-COMP-5]",
        "city_tiles: expected 36 rows, found 5 [RB-COMP-13]",
        "tourist_tiles: expected 14 rows, found 2 [RB-COMP-13]",
        'start_locomotives, row 2 (S0): the id "S0" is already used by row 1',
        'start_locomotives, row 3 (S0): the id "S0" is already used by row 1',
        'start_locomotives, row 4 (S0): the id "S0" is already used by row 1',
        "locomotives: expected 22 rows, found 3 [RB-COMP-3]",
        "carriages: expected 30 rows, found 6 [RB-COMP-4]",
        "stations: expected 36 rows, found 5 [RB-COMP-5]",
        "developments: expected 74 rows, found 19 [RB-COMP-7]",
        "objectives: expected 18 rows, found 2 [RB-COMP-6]",
        "routes: expected 7 rows, found 2 [RB-COMP-8]",
    ]


def test_a_tourist_tile_of_a_fixture_with_a_free_rail(tmp_path: Path) -> None:
    changes = [('id = "TTY", effect = { kind = "inc_choice" }', 'id = "TTY", effect = { kind = "free_rt" }')]
    assert refused(tmp_path, changes, FX) == [
        'tourist_tiles, TTY.effect: a Tourist City never has a "free_rt" icon [RB-ICON-3]'
    ]


def test_warnings_do_not_refuse(tmp_path: Path) -> None:
    text = INLAND_SEA.read_text(encoding="utf-8")
    text = text.replace("vp_first = 7,  vp_later = 4", "vp_first = 4, vp_later = 4")
    text = text.replace('timing = "round",     power = 1', 'timing = "instant", power = 1')
    path = tmp_path / "odd.toml"
    path.write_text(text, encoding="utf-8")
    found = [str(warning).removeprefix(f"{path}: ") for warning in TITLE.load_pack(path).warnings]
    assert found == [
        'developments, D13.timing: "instant", though cards of this kind are usually "round" [RB-DFX-04]',
        "routes, R1.vp_first: expected more for the first (4) than for later ones (4) [RB-RTE-2]",
    ]


def test_an_island_is_a_warning(fx: Pack[Content]) -> None:
    lonely = Hex("z9", 40, 40, "plains", 1, True)
    content = Content(
        **{name: getattr(fx.content, name) for name in Content.__struct_fields__}
        | {"hexes": (*fx.content.hexes, lonely)}
    )
    found = check(content, True)
    assert [(fault.text, fault.rule, fault.warning) for fault in found] == [
        ("not connected with the rest of the land: z9", "RB-MAP-1", True)
    ]


def test_packs_by_name() -> None:
    with pytest.raises(PackFaults, match='there is no pack "inland_see"; nearest is "inland_sea"'):
        TITLE.load_pack("inland_see")
    with pytest.raises(PackFaults, match="there is no such file"):
        TITLE.load_pack("inland_see.toml")


def test_a_pack_of_another_game(tmp_path: Path) -> None:
    found = refused(tmp_path, [('game = "railway_boom"', 'game = "trains"')])
    assert found == ['pack, game: the pack is for the game "trains", expected "railway_boom"']


def test_tables_of_kinds_are_complete() -> None:
    kinds = railway_boom_pack.DevelopmentKind.__args__  # type: ignore[attr-defined]
    assert list(PARAMETERS) == list(TIMINGS) == list(kinds)
    assert len(kinds) == 21


# The command line.


class Shelved(Title):
    """As much of the title as `stationmaster pack` asks for."""

    id = "railway_boom"
    name = "Railway Boom"
    default_pack = "inland_sea"
    folder = FOLDER

    def load_pack(self, name_or_path: str | Path) -> Pack[Content]:
        return TITLE.load_pack(name_or_path)

    # The command looks at packs alone: were it to ask for one of these, a test here would fail.
    def pack_from_canonical(self, text: str) -> Pack[Content]:
        raise NotImplementedError

    def bind(self, pack: Pack[Content], seats: int, options: Mapping[str, str | bool]) -> Game[Any]:
        raise NotImplementedError


@pytest.fixture
def stationmaster(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Calls the command with one title on the shelf: exit code, stdout, stderr."""
    monkeypatch.setattr("assistant.game.titles", lambda: {"railway_boom": Shelved()})

    def call(*words: str | Path) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        pack_command.add(parser.add_subparsers())
        args = parser.parse_args([str(word) for word in words])
        code: int = args.run(args)
        return code, *capsys.readouterr()

    return call


Call = Callable[..., tuple[int, str, str]]


def test_command_checks_a_sound_pack(stationmaster: Call) -> None:
    digest = TITLE.load_pack("inland_sea").digest
    code, out, err = stationmaster("pack", "check", INLAND_SEA)
    assert (code, err) == (0, "")
    about = f"{INLAND_SEA}: Inland Sea (Stationmaster demo set, 1) for railway_boom, with invented values."
    assert out.splitlines()[:2] == [f"{about} No faults.", f"digest {digest}"]
    assert out.splitlines()[2].startswith("invented: all of hexes, cities, ")
    code, out, err = stationmaster("pack", "check", "--json", FX)
    record = json.loads(out)
    assert (code, err) == (0, "")
    assert (record["ok"], record["id"], record["fixture"], record["invented"]) == (True, "fx", True, True)
    assert record["faults"] == record["warnings"] == []


def test_command_lists_the_faults_of_a_pack(tmp_path: Path, stationmaster: Call) -> None:
    path = tmp_path / "planted.toml"
    path.write_text(FX.read_text(encoding="utf-8").replace('"half"', '"haff"'), encoding="utf-8")
    code, out, err = stationmaster("pack", "check", path)
    text = 'expected one of "empty", "full", "half", found "haff"; nearest is "half"'
    lines = [f"{path}: bid_chart, 3[2]: {text}", f"{path}: bid_chart, 4[3]: {text}", f"{path}: 2 faults."]
    assert (code, out, err.splitlines()) == (1, "", lines)
    code, out, err = stationmaster("pack", "check", path, "--json")
    assert (code, err.splitlines()) == (1, lines)
    assert json.loads(out) == {
        "file": str(path),
        "ok": False,
        "faults": [
            {"table": "bid_chart", "key": key, "text": text, "rule": None} for key in ("3[2]", "4[3]")
        ],
        "warnings": [],
    }


def test_command_and_files_that_are_no_pack(tmp_path: Path, stationmaster: Call) -> None:
    path = tmp_path / "other.toml"
    assert stationmaster("pack", "check", path) == (
        1,
        "",
        f"{path}: there is no such file\n{path}: 1 fault.\n",
    )
    text = FX.read_text(encoding="utf-8").replace('game = "railway_boom"', 'game = "railway-bomb"')
    path.write_text(text, encoding="utf-8")
    fault = 'there is no game "railway-bomb"; nearest is "railway_boom"; games here: railway_boom'
    assert stationmaster("pack", "check", path)[2].splitlines()[0] == f"{path}: pack, game: {fault}"


def test_command_lists_packs(stationmaster: Call) -> None:
    code, out, err = stationmaster("pack", "list")
    assert (code, err) == (0, "")
    line = "railway_boom  inland_sea*  Inland Sea (Stationmaster demo set, 1), with invented values"
    assert line in out.splitlines()
    code, out, err = stationmaster("pack", "list", "--json")
    rows = {row["id"]: row for row in json.loads(out)}
    assert (code, err) == (0, "")
    assert rows["inland_sea"]["default"]
    assert rows["inland_sea"]["digest"] == TITLE.load_pack("inland_sea").digest


def test_a_wrong_call_exits_with_2(stationmaster: Call) -> None:
    for words in [("pack",), ("pack", "check"), ("pack", "lost"), ("pack", "list", "--jsn")]:
        with pytest.raises(SystemExit, match="2"):
            stationmaster(*words)


# Sentences and documents.

NAMES = {
    "seat",
    "name",
    "hex",
    "cost",
    "have",
    "need",
    "space",
    "value",
    "card",
    "city",
    "kind",
    "count",
    "limit",
    "phase",
    "resource",
    "other",
}


def sentences() -> dict[str, str]:
    catalogue = tomllib.loads((FOLDER / "locale" / "en.toml").read_text(encoding="utf-8"))
    found = catalogue["refusals"]
    assert isinstance(found, dict)
    return found


def test_sentences_are_short_calm_and_use_known_names() -> None:
    for rule, sentence in sentences().items():
        assert re.fullmatch(r"RB-[A-Z]+-\d+[a-z]?", rule), rule
        assert set(re.findall(r"\{(\w*)\}", sentence)) <= NAMES, rule
        assert len(sentence.split()) <= 16, rule
        assert sentence.endswith("."), rule
        assert not re.search(r"!|error|invalid|please|oops|illegal", sentence, re.I), rule


def test_whatever_the_rules_tell_has_words() -> None:
    # Where the key stands among the arguments of what tells it.
    tables = {"Violation": ("refusals", 0), "Told": ("told", 0), "tell": ("told", 0)}
    tables |= {"points": ("sources", 2), "gain": ("sources", 3)}
    catalogue = tomllib.loads((FOLDER / "locale" / "en.toml").read_text(encoding="utf-8"))
    lost = set()
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            table, place = tables.get(name, ("", 0))
            key = node.args[place] if table and len(node.args) > place else None
            if isinstance(key, ast.Constant) and key.value not in catalogue[table]:
                lost.add((table, key.value))
    assert lost == set()


def test_the_document_shows_a_pack_file(tmp_path: Path) -> None:
    """The first example of docs/packs.md has faults only because it is so small; all are TOML."""
    text = (ROOT / "docs" / "packs.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert all(tomllib.loads(example) for example in examples)
    path = tmp_path / "small_island.toml"
    path.write_text(examples[0].replace("[switches]", "[switches]\n"), encoding="utf-8")
    with pytest.raises(PackFaults) as caught:
        TITLE.load_pack(path)
    assert {fault.text for fault in caught.value.faults if "missing" not in fault.text} == {
        "expected 7 rows, found 1",
    }


def test_every_rule_of_pack_and_sentences_is_in_the_document() -> None:
    document = (ROOT / "docs" / "rules" / "railway-boom.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"RB-[A-Z]+-\d+[a-z]?", document))
    source = (FOLDER / "pack.py").read_text(encoding="utf-8")
    assert set(sentences()) <= rules
    assert set(re.findall(r"RB-[A-Z]+-\d+", source)) <= rules
    for name, switch in TITLE.switches.items():
        assert f"`{name}`" in document
        assert re.search(rf"\b{switch.ruling}\b", document)
