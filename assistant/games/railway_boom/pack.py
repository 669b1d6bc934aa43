"""The content of a Railway Boom pack: everything the rulebook's text does not give (RB part B).

All ids are strings. Ranges stand in the types; counts and cross references are checked by `check`. See
`assistant.packs` for how a pack file is read and how its faults are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from assistant.hexes import DIRECTIONS, Grid
from assistant.packs import Fault, nearest

Amount = Annotated[int, msgspec.Meta(ge=0)]
"""A count or price that may be nothing."""
Some = Annotated[int, msgspec.Meta(ge=1)]
"""A count of at least one."""
Name = Annotated[str, msgspec.Meta(min_length=1)]
Resource = Literal["money", "coal", "materials", "tech"]
Track = Literal["vp", "money", "coal", "materials", "tech"]
Terrain = Literal["plains", "forest", "mountain", "river", "inlet", "city", "tourist"]
IconKind = Literal["free_rt", "vp", "draw2", "inc_choice", "gain2"]
Circle = Literal["full", "half", "empty"]
Timing = Literal["instant", "automatic", "round"]
DevelopmentKind = Literal[
    "subsidy",
    "tactical_expansion",
    "tourist_line",
    "skilled_labor",
    "industrial_growth",
    "forest_line",
    "specialty_product",
    "coastal_line",
    "river_line",
    "locomotive_lease",
    "inlet_line",
    "plains_line",
    "investment",
    "crossing_line",
    "mountain_line",
    "investment_strategy",
    "aggressive_spending",
    "major_investment",
    "economical_spending",
    "planned_expansion",
    "efficiency",
]
"""The 21 kinds in the order of RB-DFX-01 to RB-DFX-21."""
ObjectiveKind = Literal[
    "residential_tycoon",
    "terrain_tycoon",
    "humble_investor",
    "express_tycoon",
    "forest_tycoon",
    "material_investor",
    "cargo_mogul",
    "city_tycoon",
    "mountain_tycoon",
    "money_investor",
    "development_mogul",
    "tech_investor",
    "water_tycoon",
    "partnership_tycoon",
    "coal_investor",
    "tourism_tycoon",
    "fleet_mogul",
    "stock_investor",
]
"""The 18 kinds in the order of RB-OFX-01 to RB-OFX-18."""

TRACKS: tuple[Track, ...] = ("vp", "money", "coal", "materials", "tech")
"""The five income tracks in the rulebook's order (RB-ICON-1)."""
STOCK: tuple[str, ...] = ("money", "coal", "materials", "tech")
"""The four stock resources, in track order."""
TRACK_INDEX: dict[str, int] = {name: index for index, name in enumerate(TRACKS)}
STOCK_INDEX: dict[str, int] = {name: index for index, name in enumerate(STOCK)}


class Icon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An icon of an income track, a Tourist City or a train card (RB-ICON-3). `n` only for "vp"."""

    kind: IconKind
    n: Amount = 0


class Hex(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One land hex, axial coordinates. Ocean is not listed. A city's cost comes from its tile."""

    id: str
    q: int
    r: int
    terrain: Terrain
    cost: Amount = 0
    coastal: bool = False


class City(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Regular City space: number and name stay on the map (HR-38)."""

    id: str
    number: Some
    name: Name
    hex: str
    default_tile: str


class CityTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a Regular City yields: resource icons (1 or 2), station power, railway power cost."""

    id: str
    resources: Annotated[tuple[Track, ...], msgspec.Meta(min_length=1, max_length=2)]
    station_power: Amount
    rail_cost: Amount


class Tourist(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Tourist City space."""

    id: str
    name: Name
    hex: str
    default_tile: str


class TouristTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a Tourist City; never FREE_RT (RB-ICON-3)."""

    id: str
    effect: Icon


class IncomeLevel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One space of an income track."""

    level: Some
    amount: Amount
    icon: Icon | None = None


class Raise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Raise one income track by some steps."""

    track: Track
    steps: Some = 1


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A printed effect of a train card.

    Without `need` a plain gain, once per operation (RB-OPS-7a). With `need` it happens once for every
    disjoint copy of that multiset of tiles on the whole train (RB-OPS-8); "any" names any kind.
    """

    need: dict[Literal["vp", "money", "coal", "materials", "tech", "any"], Some] = {}
    gain: dict[Track, Some] = {}
    income: tuple[Raise, ...] = ()
    icon: Icon | None = None


class Locomotive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A locomotive card; starting ones are listed apart and never shuffled."""

    id: str
    coal: Amount
    capacity: Amount
    effects: tuple[Effect, ...] = ()


class Carriage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A carriage card. `price` is in Materials. `name` is the class printed on the card, if any."""

    id: str
    price: Amount
    coal: Amount
    vp: Amount
    capacity: Amount = 0
    effects: tuple[Effect, ...] = ()
    name: str = ""


class StationCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A station card; `number` is the number of the city it names."""

    id: str
    number: Some
    city: str


class Development(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A development card and the parameters of its kind (RB-DFX)."""

    id: str
    kind: DevelopmentKind
    cost: Amount
    timing: Timing
    gain: dict[Track, Some] = {}
    """Subsidy: what it gives."""
    pay: dict[Resource, Some] = {}
    """Tactical Expansion and Investment Strategy: the price."""
    pay_any: Amount = 0
    """Major Investment: how many resources of any types."""
    power: Amount = 0
    """Skilled Labor."""
    income: tuple[Raise, ...] = ()
    """Industrial Growth."""
    tiles: dict[Track, Some] = {}
    """Specialty Product."""
    vp: Amount = 0
    """Line cards, Lease, Major Investment, Aggressive and Economical Spending."""
    threshold: Amount = 0
    """Aggressive Spending: smallest payment that counts."""
    track: Track | None = None
    """Investment and Investment Strategy."""
    count: Amount = 0
    """Planned Expansion."""


class ObjectiveSpace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A multiplier space and the smallest number of players that opens it (RB-SETUP-9)."""

    multiplier: Some
    min_players: Annotated[int, msgspec.Meta(ge=2, le=4)]


class Objective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An objective card. `bid` lists the payable types; all four of them means wild."""

    id: str
    kind: ObjectiveKind
    bid: Annotated[tuple[Resource, ...], msgspec.Meta(min_length=1)]
    spaces: tuple[ObjectiveSpace, ...]


class Route(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A route card between two cities (ids of `cities`)."""

    id: str
    city_a: str
    city_b: str
    vp_first: Amount
    vp_later: Amount


class Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole pack's content, one field per table of the file."""

    hexes: tuple[Hex, ...]
    cities: tuple[City, ...]
    city_tiles: tuple[CityTile, ...]
    tourists: tuple[Tourist, ...]
    tourist_tiles: tuple[TouristTile, ...]
    income: dict[Track, tuple[IncomeLevel, ...]]
    bid_chart: dict[str, tuple[Circle, ...]]
    """Player count ("2", "3", "4") to the circles of rank 1, 2, ..."""
    white_spaces: Some
    start_locomotives: tuple[Locomotive, ...]
    """One per seat, in seat order A to D."""
    locomotives: tuple[Locomotive, ...]
    carriages: tuple[Carriage, ...]
    stations: tuple[StationCard, ...]
    developments: tuple[Development, ...]
    objectives: tuple[Objective, ...]
    routes: tuple[Route, ...]
    switches: dict[str, str | bool] = {}
    """Defaults of the house-rule switches of part A that this pack sets otherwise."""


COUNTS: dict[str, tuple[int, str]] = {
    "cities": (36, "RB-COMP-5"),
    "city_tiles": (36, "RB-COMP-13"),
    "tourist_tiles": (14, "RB-COMP-13"),
    "start_locomotives": (4, "RB-COMP-2"),
    "locomotives": (22, "RB-COMP-3"),
    "carriages": (30, "RB-COMP-4"),
    "stations": (36, "RB-COMP-5"),
    "objectives": (18, "RB-COMP-6"),
    "developments": (74, "RB-COMP-7"),
    "routes": (7, "RB-COMP-8"),
}
"""What is in the box (RB-COMP), with the rule that says so. Not asked of a fixture."""

TIMINGS: dict[DevelopmentKind, Timing] = {
    "subsidy": "instant",
    "tactical_expansion": "round",
    "tourist_line": "automatic",
    "skilled_labor": "round",
    "industrial_growth": "instant",
    "forest_line": "automatic",
    "specialty_product": "instant",
    "coastal_line": "automatic",
    "river_line": "automatic",
    "locomotive_lease": "instant",
    "inlet_line": "automatic",
    "plains_line": "automatic",
    "investment": "round",
    "crossing_line": "automatic",
    "mountain_line": "automatic",
    "investment_strategy": "round",
    "aggressive_spending": "automatic",
    "major_investment": "round",
    "economical_spending": "automatic",
    "planned_expansion": "instant",
    "efficiency": "round",
}
"""The usual timing of each kind (RB-DFX, HR-27)."""

_LINE = ("vp",)
PARAMETERS: dict[DevelopmentKind, tuple[str, ...]] = {
    "subsidy": ("gain",),
    "tactical_expansion": ("pay",),
    "tourist_line": _LINE,
    "skilled_labor": ("power",),
    "industrial_growth": ("income",),
    "forest_line": _LINE,
    "specialty_product": ("tiles",),
    "coastal_line": _LINE,
    "river_line": _LINE,
    "locomotive_lease": ("vp",),
    "inlet_line": _LINE,
    "plains_line": _LINE,
    "investment": ("track",),
    "crossing_line": _LINE,
    "mountain_line": _LINE,
    "investment_strategy": ("pay", "track"),
    "aggressive_spending": ("threshold", "vp"),
    "major_investment": ("pay_any", "vp"),
    "economical_spending": ("vp",),
    "planned_expansion": ("count",),
    "efficiency": (),
}
"""Which fields a card of each kind needs; it must leave the others alone."""

_CARDS = (
    "start_locomotives",
    "locomotives",
    "carriages",
    "stations",
    "developments",
    "objectives",
    "routes",
)


def check(content: Content, fixture: bool, unsure: Collection[str] = ()) -> list[Fault]:
    """Everything wrong with a pack that its types cannot say (part B and the balance check's list).

    With `fixture` the counts of RB-COMP are not asked for. Tables in `unsure` hold stand-ins for values that
    could not be read: nothing is concluded from them about other tables. Faults have no file yet.
    """
    faults: list[Fault] = []
    for tables, examine in _EXAMINERS:
        if not set(tables) & set(unsure):
            faults += examine(content)
    if not fixture:
        for table, (count, rule) in COUNTS.items():
            found = len(getattr(content, table))
            if found != count:
                faults.append(_fault(table, "", f"expected {count} rows, found {found}", rule))
    return faults


def _fault(table: str, key: str, text: str, rule: str | None = None, warning: bool = False) -> Fault:
    return Fault("", table, key, text, rule, warning)


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    close = nearest(name, known)
    return f'there is no {what} "{name}"' + (f'; nearest is "{close}"' if close is not None else "")


def _repeats(table: str, field: str, values: Iterable[tuple[str, object]], what: str) -> Iterator[Fault]:
    first: dict[object, str] = {}
    for row, value in values:
        if value in first:
            yield _fault(table, f"{row}.{field}" if field else row, f"{what} as {first[value]}")
        first.setdefault(value, row)


# Each function reads only the tables it is listed with in _EXAMINERS; with one table it looks at single rows
# or at the table as a whole, and `load` drops what it says about rows that could not be read.


def _hexes(content: Content) -> Iterator[Fault]:
    places = ((hex_.id, (hex_.q, hex_.r)) for hex_ in content.hexes)
    yield from _repeats("hexes", "", places, "lies in the same place")
    for hex_ in content.hexes:
        if hex_.terrain == "city" and hex_.cost:
            yield _fault("hexes", f"{hex_.id}.cost", "a Regular City's cost stands on its tile", "RB-MAP-4")


def _map_whole(content: Content) -> Iterator[Fault]:
    land = {(hex_.q, hex_.r) for hex_ in content.hexes}
    for hex_ in content.hexes:
        inland = all((hex_.q + q, hex_.r + r) in land for q, r in DIRECTIONS)
        if hex_.coastal and inland:
            text = "coastal, though all six neighbours are land"
            yield _fault("hexes", f"{hex_.id}.coastal", text, "RB-MAP-8")
    if not land or len(land) != len(content.hexes) or len({hex_.id for hex_ in content.hexes}) != len(land):
        return
    grid = Grid({hex_.id: (hex_.q, hex_.r) for hex_ in content.hexes})
    parts = sorted(grid.components(grid.all), key=int.bit_count)
    for part in parts[:-1]:
        names = ", ".join(grid.names(part)[:6]) + (", ..." if part.bit_count() > 6 else "")
        yield _fault(
            "hexes", "", f"not connected with the rest of the land: {names}", "RB-MAP-1", warning=True
        )


def _spaces(
    table: str,
    terrain: Terrain,
    spaces: Iterable[City | Tourist],
    hexes: Iterable[Hex],
) -> Iterator[Fault]:
    """Every space lies on a hex of its terrain, and every such hex has one space."""
    spaces = list(spaces)
    by_id = {hex_.id: hex_ for hex_ in hexes}
    yield from _repeats(table, "hex", ((space.id, space.hex) for space in spaces), "lies on the same hex")
    for space in spaces:
        place = f"{space.id}.hex"
        if space.hex not in by_id:
            yield _fault(table, place, _unknown("hex", space.hex, by_id))
        elif by_id[space.hex].terrain != terrain:
            text = f'expected a hex of terrain "{terrain}", {space.hex} is "{by_id[space.hex].terrain}"'
            yield _fault(table, place, text)
    taken = {space.hex for space in spaces}
    for hex_ in by_id.values():
        if hex_.terrain == terrain and hex_.id not in taken:
            yield _fault("hexes", f"{hex_.id}.terrain", f'"{terrain}", but no row of {table} lies here')


def _cities_on_map(content: Content) -> Iterator[Fault]:
    yield from _spaces("cities", "city", content.cities, content.hexes)


def _tourists_on_map(content: Content) -> Iterator[Fault]:
    yield from _spaces("tourists", "tourist", content.tourists, content.hexes)


def _tiles(
    table: str, spaces: Iterable[City | Tourist], tiles: Iterable[CityTile | TouristTile]
) -> Iterator[Fault]:
    spaces, known = list(spaces), [tile.id for tile in tiles]
    used = ((space.id, space.default_tile) for space in spaces)
    yield from _repeats(table, "default_tile", used, "has the same tile")
    for space in spaces:
        if space.default_tile not in known:
            yield _fault(table, f"{space.id}.default_tile", _unknown("tile", space.default_tile, known))


def _city_default_tiles(content: Content) -> Iterator[Fault]:
    yield from _tiles("cities", content.cities, content.city_tiles)


def _tourist_default_tiles(content: Content) -> Iterator[Fault]:
    yield from _tiles("tourists", content.tourists, content.tourist_tiles)


def _city_numbers(content: Content) -> Iterator[Fault]:
    numbers = ((city.id, city.number) for city in content.cities)
    yield from _repeats("cities", "number", numbers, "has the same number")
    for city in content.cities:
        if city.number > COUNTS["cities"][0]:
            text = f"expected a number from 1 to {COUNTS['cities'][0]}, found {city.number}"
            yield _fault("cities", f"{city.id}.number", text)


def _icon(table: str, key: str, icon: Icon) -> Iterator[Fault]:
    if icon.kind == "vp" and icon.n < 1:
        yield _fault(table, key, 'a "vp" icon needs n, at least 1', "RB-ICON-3")
    if icon.kind != "vp" and icon.n:
        yield _fault(table, key, f'only a "vp" icon has an n, this one is "{icon.kind}"', "RB-ICON-3")


def _tourist_effects(content: Content) -> Iterator[Fault]:
    for tile in content.tourist_tiles:
        key = f"{tile.id}.effect"
        yield from _icon("tourist_tiles", key, tile.effect)
        if tile.effect.kind == "free_rt":
            yield _fault("tourist_tiles", key, 'a Tourist City never has a "free_rt" icon', "RB-ICON-3")


def _income(content: Content) -> Iterator[Fault]:
    for track in TRACKS:
        levels = content.income.get(track)
        if levels is None:
            yield _fault("income", track, "missing; there are five income tracks", "RB-SETUP-10")
            continue
        found = [level.level for level in levels]
        if found != list(range(1, len(found) + 1)) or not found:
            text = "expected levels 1, 2, 3, ... without a gap, found " + (
                ", ".join(map(str, found)) or "none"
            )
            yield _fault("income", track, text, "RB-SETUP-10")
        for place, level in enumerate(levels, 1):
            if level.icon is not None:
                yield from _icon("income", f"{track}[{place}].icon", level.icon)


def _bid_chart(content: Content) -> Iterator[Fault]:
    for players in ("2", "3", "4"):
        circles = content.bid_chart.get(players)
        if circles is None:
            yield _fault("bid_chart", players, f"missing; expected {players} circles", "RB-AUC-13")
        elif len(circles) != int(players):
            text = f"expected {players} circles, one per rank, found {len(circles)}"
            yield _fault("bid_chart", players, text, "RB-AUC-13")
    for players in content.bid_chart:
        if players not in ("2", "3", "4"):
            yield _fault("bid_chart", players, "expected a player count of 2, 3 or 4", "RB-SETUP-1")


def _white_spaces(content: Content) -> Iterator[Fault]:
    if content.white_spaces < 4:
        text = f"expected at least 4, one per player, found {content.white_spaces}"
        yield _fault("white_spaces", "", text, "RB-AUC-1")


def _effects(table: str) -> Callable[[Content], Iterator[Fault]]:
    def examine(content: Content) -> Iterator[Fault]:
        rows: tuple[Locomotive | Carriage, ...] = getattr(content, table)
        for row in rows:
            for place, effect in enumerate(row.effects, 1):
                key = f"{row.id}.effects[{place}]"
                if not effect.gain and not effect.income and effect.icon is None:
                    yield _fault(table, key, "does nothing; expected gain, income or icon", "RB-OPS-8")
                if effect.icon is None:
                    continue
                yield from _icon(table, f"{key}.icon", effect.icon)
                if effect.icon.kind == "free_rt":
                    yield _fault(table, f"{key}.icon", 'a train card never has a "free_rt" icon', "RB-ICON-3")
                elif effect.icon.kind == "draw2":
                    text = 'a train card has only "vp", "inc_choice" or "gain2" icons, found "draw2"'
                    yield _fault(table, f"{key}.icon", text, "RB-OPS-8")

    return examine


def _stations(content: Content) -> Iterator[Fault]:
    cities = {city.id: city for city in content.cities}
    drawn = ((card.id, card.city) for card in content.stations)
    yield from _repeats("stations", "city", drawn, "names the same city")
    for card in content.stations:
        city = cities.get(card.city)
        if city is None:
            yield _fault("stations", f"{card.id}.city", _unknown("city", card.city, cities), "RB-COMP-5")
        elif city.number != card.number:
            text = f"expected {city.number}, the number of city {city.id}, found {card.number}"
            yield _fault("stations", f"{card.id}.number", text, "RB-COMP-5")
    for city_id in cities.keys() - {card.city for card in content.stations}:
        yield _fault("cities", city_id, "no station card names this city", "RB-COMP-5")


def _developments(content: Content) -> Iterator[Fault]:
    usual = Development(id="", kind="efficiency", cost=0, timing="round")
    for card in content.developments:
        rule = f"RB-DFX-{list(PARAMETERS).index(card.kind) + 1:02}"
        wanted = PARAMETERS[card.kind]
        for name in (
            "gain",
            "pay",
            "pay_any",
            "power",
            "income",
            "tiles",
            "vp",
            "threshold",
            "track",
            "count",
        ):
            given = getattr(card, name) != getattr(usual, name)
            if given and name not in wanted:
                wants = " and ".join(wanted) or "no parameters"
                text = f'has no meaning on a card of kind "{card.kind}", which has {wants}'
                yield _fault("developments", f"{card.id}.{name}", text, rule)
            if not given and name in wanted:
                text = f'missing; a card of kind "{card.kind}" needs it'
                yield _fault("developments", f"{card.id}.{name}", text, rule)
        if card.timing != TIMINGS[card.kind]:
            text = f'"{card.timing}", though cards of this kind are usually "{TIMINGS[card.kind]}"'
            yield _fault("developments", f"{card.id}.timing", text, rule, warning=True)


def _objectives(content: Content) -> Iterator[Fault]:
    for card in content.objectives:
        if len(set(card.bid)) != len(card.bid):
            yield _fault("objectives", f"{card.id}.bid", "names a resource twice", "RB-OBJ-1")
        key = f"{card.id}.spaces"
        if len(card.spaces) != 4:
            yield _fault("objectives", key, f"expected 4 spaces, found {len(card.spaces)}", "RB-SETUP-9")
            continue
        for players in (2, 3, 4):
            found = sum(space.min_players <= players for space in card.spaces)
            if found != players:
                text = f"expected exactly {players} open spaces with {players} players, found {found}"
                yield _fault("objectives", key, text, "RB-SETUP-9")


def _routes(content: Content) -> Iterator[Fault]:
    for card in content.routes:
        if card.city_a == card.city_b:
            text = "the two cities of a route must differ"
            yield _fault("routes", f"{card.id}.city_b", text, "RB-RTE-1")
        if card.vp_first <= card.vp_later:
            text = f"expected more for the first ({card.vp_first}) than for later ones ({card.vp_later})"
            yield _fault("routes", f"{card.id}.vp_first", text, "RB-RTE-2", warning=True)


def _route_cities(content: Content) -> Iterator[Fault]:
    cities = {city.id for city in content.cities}
    for card in content.routes:
        for field in ("city_a", "city_b"):
            if getattr(card, field) not in cities:
                text = _unknown("city", getattr(card, field), cities)
                yield _fault("routes", f"{card.id}.{field}", text, "RB-RTE-1")


def _card_ids(content: Content) -> Iterator[Fault]:
    # A tag on the table names one card, whatever its deck.
    first: dict[str, str] = {}
    for table in _CARDS:
        for card_id in dict.fromkeys(card.id for card in getattr(content, table)):
            if card_id in first:
                yield _fault(table, card_id, f"the id is already used in {first[card_id]}")
            first.setdefault(card_id, table)


def _switches(content: Content) -> Iterator[Fault]:
    # The title has the switches and imports this module.
    from assistant.games.railway_boom.title import TITLE

    known = TITLE.switches
    for name, value in content.switches.items():
        if name not in known:
            yield _fault("switches", name, _unknown("switch", name, known))
            continue
        allowed = [_toml(choice) for choice in known[name].values]
        if _toml(value) not in allowed:
            yield _fault("switches", name, f"expected {' or '.join(allowed)}, found {_toml(value)}")


def _toml(value: str | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


_EXAMINERS: tuple[tuple[tuple[str, ...], Callable[[Content], Iterator[Fault]]], ...] = (
    ((), _hexes),
    (("hexes",), _map_whole),
    (("hexes", "cities"), _cities_on_map),
    (("hexes", "tourists"), _tourists_on_map),
    ((), _city_numbers),
    (("cities", "city_tiles"), _city_default_tiles),
    (("tourists", "tourist_tiles"), _tourist_default_tiles),
    ((), _tourist_effects),
    ((), _income),
    ((), _bid_chart),
    ((), _white_spaces),
    ((), _effects("start_locomotives")),
    ((), _effects("locomotives")),
    ((), _effects("carriages")),
    (("cities", "stations"), _stations),
    ((), _developments),
    ((), _objectives),
    ((), _routes),
    (("cities", "routes"), _route_cities),
    (_CARDS, _card_ids),
    ((), _switches),
)
