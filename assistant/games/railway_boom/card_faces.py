"""What is printed on the cards of Railway Boom: names, values and effects in our own short words.

Every function takes a content record and its payload and gives the neutral `CardFace`. Texts are
English, made to be read on a card of 42 x 30 mm: at most four values and three short lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.railway_boom.pack import (
    Carriage,
    City,
    CityTile,
    Development,
    Effect,
    Icon,
    Locomotive,
    Objective,
    Raise,
    Resource,
    Route,
    StationCard,
    TouristTile,
    Track,
)
from assistant.layout import CardFace, CardValue

WORDS = {
    "vp": "VP",
    "money": "Money",
    "coal": "Coal",
    "materials": "Materials",
    "tech": "Technology",
    "any": "any",
}
"""Names of the tracks, the stock resources and tiles as printed."""
JOIN = "\u00a0"
"""A space at which no line is broken: a number stays with its word."""
STOCK_KINDS = 4
"""An objective that may be paid with all of these is wild."""

TIMING = {"instant": "at once", "automatic": "always", "round": "once a round"}
LINES = {
    "tourist_line": "rail on a Tourist City",
    "forest_line": "rail on Forest",
    "coastal_line": "rail on a coastal hex",
    "river_line": "rail on a River",
    "inlet_line": "rail on an Inlet",
    "plains_line": "rail on Plains",
    "crossing_line": "rail beside another player's piece in the same hex",
    "mountain_line": "rail on a Mountain",
}
"""Development kinds that pay for each rail placed, and for which."""
COUNTS = {
    "residential_tycoon": "terrain kinds with own rail",
    "terrain_tycoon": "longest straight run of own rails",
    "humble_investor": "lowest of the own 5 income levels",
    "express_tycoon": "own rails on Plains",
    "forest_tycoon": "own rails on Forest",
    "material_investor": "Materials income level",
    "cargo_mogul": "own locomotives with capacity 4 or more",
    "city_tycoon": "most pieces of all players round one own city",
    "mountain_tycoon": "own rails on Mountains",
    "money_investor": "Money income level",
    "development_mogul": "own development cards, used ones too",
    "tech_investor": "Technology income level",
    "water_tycoon": "own rails on Rivers and Inlets",
    "partnership_tycoon": "spaces shared with other players",
    "coal_investor": "Coal income level",
    "tourism_tycoon": "own rails on Tourist Cities",
    "fleet_mogul": "own locomotives and carriages",
    "stock_investor": "VP income level",
}
"""Objective kinds and what each counts."""


def title_of(kind: str) -> str:
    """A kind's printed name: "forest_line" becomes "Forest Line"."""
    return kind.replace("_", " ").title()


def bag(amounts: Mapping[Track, int] | Mapping[Resource, int], sign: str = "") -> str:
    """Amounts as words: "3 Money, 2 VP"; `sign` stands before each number."""
    return ", ".join(f"{sign}{n}{JOIN}{WORDS[name]}" for name, n in amounts.items() if n)


def raises(steps: tuple[Raise, ...]) -> str:
    """Income raises as words: "Money income +1"."""
    return ", ".join(f"{WORDS[step.track]} income{JOIN}+{step.steps}" for step in steps)


def icon_text(icon: Icon) -> str:
    """An icon in words."""
    match icon.kind:
        case "free_rt":
            return "1 free rail"
        case "vp":
            return f"{icon.n}{JOIN}VP"
        case "draw2":
            return "draw 2"
        case "inc_choice":
            return f"income{JOIN}+1"
        case "gain2":
            return "gain 2"


def effect_text(effect: Effect) -> str:
    """A train card's effect in words: "+2 VP", or "per 2 any tiles: 1 VP"."""
    gains = [bag(effect.gain), raises(effect.income), icon_text(effect.icon) if effect.icon else ""]
    given = ", ".join(part for part in gains if part)
    if not effect.need:
        return f"gain {given}" if given and not given.startswith(("gain", "draw", "income")) else given
    tiles = " + ".join(f"{n} {WORDS[name]}" if n > 1 else WORDS[name] for name, n in effect.need.items())
    plural = "tiles" if sum(effect.need.values()) > 1 else "tile"
    return f"per {tiles} {plural}: {given}"


def _effects(effects: tuple[Effect, ...]) -> tuple[str, ...]:
    return tuple(effect_text(effect) for effect in effects)


def locomotive_face(card: Locomotive, payload: str, owner: str = "") -> CardFace:
    """A locomotive; `owner` is the seat of a starting one."""
    return CardFace(
        payload=payload,
        title="Start engine" if owner else "Locomotive",
        subtitle=f"{card.id} · seat {owner}" if owner else card.id,
        lines=_effects(card.effects),
        values=(CardValue("coal", str(card.coal), "coal"), CardValue("capacity", str(card.capacity), "tile")),
        tint="start_locomotive" if owner else "locomotive",
    )


def carriage_face(card: Carriage, payload: str) -> CardFace:
    """A carriage: price in the corner, then coal, VP and room for tiles."""
    return CardFace(
        payload=payload,
        title=card.name or "Carriage",
        subtitle=f"carriage {card.id}",
        lines=_effects(card.effects),
        corner=str(card.price),
        corner_icon="materials",
        values=(
            CardValue("coal", str(card.coal), "coal"),
            CardValue("VP", str(card.vp), "vp"),
            CardValue("capacity", str(card.capacity), "tile"),
        ),
        tint="carriage",
    )


def station_face(card: StationCard, city: City, payload: str) -> CardFace:
    """A station card: the city's number in the corner, its name and where it lies."""
    return CardFace(
        payload=payload,
        title=city.name,
        subtitle=f"station {card.id}",
        lines=(f"on the map: {city.hex}",),
        corner=str(card.number),
        tint="station_card",
    )


def development_text(card: Development) -> str:
    """What a development card does, in words."""
    if card.kind in LINES:
        return f"each own {LINES[card.kind]}: +{card.vp}{JOIN}VP"
    match card.kind:
        case "subsidy":
            return f"gain {bag(card.gain)}"
        case "tactical_expansion":
            return f"pay {bag(card.pay)}: place 1 rail free"
        case "skilled_labor":
            return f"+{card.power} power in own route construction"
        case "industrial_growth":
            return raises(card.income)
        case "specialty_product":
            kinds = ", ".join(f"{n} {WORDS[name]}" for name, n in card.tiles.items())
            return f"take tiles: {kinds}"
        case "locomotive_lease":
            return f"give back 1 own locomotive: +{card.vp}{JOIN}VP"
        case "investment":
            return f"pay 1{JOIN}VP: {WORDS[card.track or 'vp']} income{JOIN}+1"
        case "investment_strategy":
            return f"pay {bag(card.pay)}: {WORDS[card.track or 'vp']} income{JOIN}+1"
        case "aggressive_spending":
            return f"pay {card.threshold} or more in an auction: +{card.vp}{JOIN}VP"
        case "major_investment":
            return f"pay any {card.pay_any} resources: +{card.vp}{JOIN}VP"
        case "economical_spending":
            return f"pay 0 in an auction: +{card.vp}{JOIN}VP"
        case "planned_expansion":
            return f"place {card.count} {'rail' if card.count == 1 else 'rails'} free"
        case "efficiency":
            return "1 carriage runs without coal this round"
    raise AssertionError(card.kind)


def development_face(card: Development, payload: str) -> CardFace:
    """A development: cost in Technology in the corner, then timing and effect."""
    return CardFace(
        payload=payload,
        title=title_of(card.kind),
        subtitle=f"{card.id} · {TIMING[card.timing]}",
        lines=(development_text(card),),
        corner=str(card.cost),
        corner_icon="tech",
        tint="development",
    )


def objective_face(card: Objective, payload: str) -> CardFace:
    """An objective: what it counts, the resource to bid, the four multipliers and who opens them."""
    wild = len(card.bid) == STOCK_KINDS
    bid = "any" if wild else " + ".join(WORDS[name] for name in card.bid)
    return CardFace(
        payload=payload,
        title=title_of(card.kind),
        subtitle=f"{card.id} · bid {bid}",
        lines=(COUNTS[card.kind],),
        values=tuple(CardValue(f"{space.min_players}+ pl.", f"×{space.multiplier}") for space in card.spaces),
        tint="objective",
    )


def route_face(card: Route, cities: Mapping[str, City], payload: str) -> CardFace:
    """A route: its two cities with numbers and hexes, VP for the first and for later players."""
    ends = [cities[card.city_a], cities[card.city_b]]
    return CardFace(
        payload=payload,
        title="Route",
        subtitle=card.id,
        lines=tuple(f"{end.number} {end.name} ({end.hex})" for end in ends),
        values=(CardValue("first", str(card.vp_first), "vp"), CardValue("later", str(card.vp_later), "vp")),
        tint="route",
    )


def city_tile_face(tile: CityTile, payload: str) -> CardFace:
    """A city tile: what a Regular City yields, its station power and railway cost."""
    return CardFace(
        payload=payload,
        title="City",
        subtitle=f"tile {tile.id}",
        lines=(" + ".join(WORDS[name] for name in tile.resources),),
        values=(
            CardValue("power", str(tile.station_power), "power"),
            CardValue("rail cost", str(tile.rail_cost)),
        ),
        tint="city",
    )


def tourist_tile_face(tile: TouristTile, payload: str) -> CardFace:
    """A tourist tile: its effect."""
    return CardFace(
        payload=payload,
        title="Tourist City",
        subtitle=f"tile {tile.id}",
        lines=(icon_text(tile.effect),),
        tint="tourist",
    )
