"""Railway Boom on the shelf: facts, packs and the house-rule switches (RB part A)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from assistant.game import Switch, Title
from assistant.games.railway_boom.game import RailwayBoom
from assistant.games.railway_boom.pack import Content, check
from assistant.packs import Fault, Pack


class RailwayBoomTitle(Title):
    """The second edition (2025), 2 to 4 players."""

    id = "railway_boom"
    name = "Railway Boom"
    edition = "2025"
    stage = "beta"
    seats = (2, 4)
    seats_rule = "RB-SETUP-1"
    tag = "R"
    rules_version = 1
    default_pack = "inland_sea"
    switches: ClassVar[Mapping[str, Switch]] = {
        "auction.next": Switch(("rearmost", "cyclic"), "HR-17", "Who bids next"),
        "auction.virtual_conversion": Switch.flag("HR-45", "A bid may count on conversions to come"),
        "station.on_own_rt": Switch(
            ("replace", "forbid_then_redraw"), "HR-04", "Only cities with an own rail are left"
        ),
        "city_tycoon.owner": Switch(("all", "self"), "HR-33", "Whose pieces City Tycoon counts"),
        "convert.to_vp": Switch.flag("HR-14", "Two resources may become a VP"),
        "free_rt.bound_in_expansion": Switch.flag(
            "HR-22", "Free rails in the own Expansion turn extend the new station's railway"
        ),
        "line.counts_stations": Switch.flag("HR-32", "Stations count in Terrain Tycoon's line"),
        "gain2.vp": Switch.flag("HR-12", "Resources of choice may be VP"),
        "inc_choice.vp": Switch.flag("HR-13", "An income of choice may be VP", default=True),
        "tiles.unlimited": Switch.flag("HR-36", "Resource Tiles never run out"),
        "setup.random_tiles": Switch.flag("HR-54", "City tiles are shuffled onto the map"),
        "tile.resources": Switch(("tile", "space"), "HR-38", "Resource icons come from"),
        "tile.station_power": Switch(("tile", "space"), "HR-38", "Station power comes from"),
        "tile.rail_cost": Switch(("tile", "space"), "HR-38", "The rail cost of a city comes from"),
    }

    content = Content
    rules = RailwayBoom

    def check(self, content: Content, fixture: bool, unsure: frozenset[str]) -> Iterable[Fault]:
        return check(content, fixture, unsure)

    def pack_switches(self, pack: Pack[Any]) -> Mapping[str, str | bool]:
        switches: Mapping[str, str | bool] = pack.content.switches
        return switches


TITLE = RailwayBoomTitle()
