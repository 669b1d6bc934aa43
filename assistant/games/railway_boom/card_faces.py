"""What is printed on the cards of Railway Boom: names, values and effects in our own short words.

Every function takes a content record and its payload and gives the neutral `CardFace`. Sheets are printed in
English, made to be read on a card of 42 x 30 mm: at most four values and three short lines. A screen may ask
for another language; names of cards stay as they are printed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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

JOIN = "\u00a0"
"""A space at which no line is broken: a number stays with its word."""
STOCK_KINDS = 4
"""An objective that may be paid with all of these is wild."""
LINES = frozenset(
    {
        "tourist_line",
        "forest_line",
        "coastal_line",
        "river_line",
        "inlet_line",
        "plains_line",
        "crossing_line",
        "mountain_line",
    }
)
"""Development kinds that pay for each rail placed."""


class Print:
    """The words of cards in one language: the tables "faces" and "words" of a catalogue of this game."""

    def __init__(self, catalogue: Mapping[str, Mapping[str, str]]) -> None:
        self._faces, self._words = catalogue["faces"], catalogue["words"]

    def say(self, key: str, **values: Any) -> str:
        """What stands on the card for a key. KeyError for what the catalogue lacks."""
        return self._faces[key].format(**values)

    def word(self, key: str) -> str:
        """The name of a track, a resource or a tile."""
        return self._words[key]


ENGLISH = Print(tomllib.loads((Path(__file__).parent / "locale" / "en.toml").read_text(encoding="utf-8")))
"""The words of printed sheets."""


def title_of(kind: str) -> str:
    """A kind's printed name: "forest_line" becomes "Forest Line"."""
    return kind.replace("_", " ").title()


def bag(amounts: Mapping[Track, int] | Mapping[Resource, int], p: Print = ENGLISH, sign: str = "") -> str:
    """Amounts as words: "3 Money, 2 VP"; `sign` stands before each number."""
    return ", ".join(p.say("amount", sign=sign, n=n, what=p.word(name)) for name, n in amounts.items() if n)


def raises(steps: tuple[Raise, ...], p: Print = ENGLISH) -> str:
    """Income raises as words: "Money income +1"."""
    return ", ".join(p.say("income", what=p.word(step.track), n=step.steps) for step in steps)


def icon_text(icon: Icon, p: Print = ENGLISH) -> str:
    """An icon in words."""
    if icon.kind == "vp":
        return p.say("amount", sign="", n=icon.n, what=p.word("vp"))
    return p.say(icon.kind)


def effect_text(effect: Effect, p: Print = ENGLISH) -> str:
    """A train card's effect in words: "gain 2 VP", or "per 2 any tiles: 1 VP"."""
    gains = [bag(effect.gain, p), raises(effect.income, p), icon_text(effect.icon, p) if effect.icon else ""]
    given = ", ".join(part for part in gains if part)
    if not effect.need:
        # The other icons say themselves what is done.
        said = effect.gain or effect.income or (effect.icon and effect.icon.kind in ("vp", "free_rt"))
        return p.say("gain", what=given) if given and said else given
    tiles = " + ".join(
        p.say("tiles", n=n, what=p.word(name)) if n > 1 else p.word(name) for name, n in effect.need.items()
    )
    return p.say("per_tiles" if sum(effect.need.values()) > 1 else "per_tile", tiles=tiles, what=given)


def _effects(effects: tuple[Effect, ...], p: Print) -> tuple[str, ...]:
    return tuple(effect_text(effect, p) for effect in effects)


def locomotive_face(card: Locomotive, payload: str, owner: str = "", p: Print = ENGLISH) -> CardFace:
    """A locomotive; `owner` is the seat of a starting one."""
    return CardFace(
        payload=payload,
        title="Start engine" if owner else "Locomotive",
        subtitle=p.say("of_seat", card=card.id, seat=owner) if owner else card.id,
        lines=_effects(card.effects, p),
        values=(
            CardValue(p.say("coal"), str(card.coal), "coal"),
            CardValue(p.say("capacity"), str(card.capacity), "tile"),
        ),
        tint="start_locomotive" if owner else "locomotive",
    )


def carriage_face(card: Carriage, payload: str, p: Print = ENGLISH) -> CardFace:
    """A carriage: price in the corner, then coal, VP and room for tiles."""
    return CardFace(
        payload=payload,
        title=card.name or "Carriage",
        subtitle=p.say("carriage", card=card.id),
        lines=_effects(card.effects, p),
        corner=str(card.price),
        corner_icon="materials",
        values=(
            CardValue(p.say("coal"), str(card.coal), "coal"),
            CardValue(p.word("vp"), str(card.vp), "vp"),
            CardValue(p.say("capacity"), str(card.capacity), "tile"),
        ),
        tint="carriage",
    )


def station_face(card: StationCard, city: City, payload: str, p: Print = ENGLISH) -> CardFace:
    """A station card: the city's number in the corner, its name and where it lies."""
    return CardFace(
        payload=payload,
        title=city.name,
        subtitle=p.say("station", card=card.id),
        lines=(p.say("on_map", hex=city.hex),),
        corner=str(card.number),
        tint="station_card",
    )


def development_text(card: Development, p: Print = ENGLISH) -> str:
    """What a development card does, in words."""
    say, vp, track = p.say, card.vp, p.word(card.track or "vp")
    if card.kind in LINES:
        return say("each_own", what=say(card.kind), n=vp)
    match card.kind:
        case "subsidy":
            return say("gain", what=bag(card.gain, p))
        case "tactical_expansion":
            return say(card.kind, what=bag(card.pay, p))
        case "skilled_labor":
            return say(card.kind, n=card.power)
        case "industrial_growth":
            return raises(card.income, p)
        case "specialty_product":
            kinds = ", ".join(say("tiles", n=n, what=p.word(name)) for name, n in card.tiles.items())
            return say(card.kind, what=kinds)
        case "locomotive_lease" | "economical_spending":
            return say(card.kind, n=vp)
        case "investment":
            return say(card.kind, what=track)
        case "investment_strategy":
            return say(card.kind, pay=bag(card.pay, p), what=track)
        case "aggressive_spending":
            return say(card.kind, least=card.threshold, n=vp)
        case "major_investment":
            return say(card.kind, count=card.pay_any, n=vp)
        case "planned_expansion":
            return say("planned_expansion_one") if card.count == 1 else say(card.kind, n=card.count)
        case "efficiency":
            return say(card.kind)
    raise AssertionError(card.kind)


def development_face(card: Development, payload: str, p: Print = ENGLISH) -> CardFace:
    """A development: cost in Technology in the corner, then timing and effect."""
    return CardFace(
        payload=payload,
        title=title_of(card.kind),
        subtitle=p.say("timed", card=card.id, when=p.say(card.timing)),
        lines=(development_text(card, p),),
        corner=str(card.cost),
        corner_icon="tech",
        tint="development",
    )


def objective_face(card: Objective, payload: str, p: Print = ENGLISH) -> CardFace:
    """An objective: what it counts, the resource to bid, the four multipliers and who opens them."""
    wild = len(card.bid) == STOCK_KINDS
    bid = p.word("any") if wild else " + ".join(p.word(name) for name in card.bid)
    return CardFace(
        payload=payload,
        title=title_of(card.kind),
        subtitle=p.say("bid", card=card.id, what=bid),
        lines=(p.say(card.kind),),
        values=tuple(
            CardValue(p.say("players", n=space.min_players), f"×{space.multiplier}") for space in card.spaces
        ),
        tint="objective",
    )


def route_face(card: Route, cities: Mapping[str, City], payload: str, p: Print = ENGLISH) -> CardFace:
    """A route: its two cities with numbers and hexes, VP for the first and for later players."""
    ends = [cities[card.city_a], cities[card.city_b]]
    return CardFace(
        payload=payload,
        title="Route",
        subtitle=card.id,
        lines=tuple(f"{end.number} {end.name} ({end.hex})" for end in ends),
        values=(
            CardValue(p.say("first"), str(card.vp_first), "vp"),
            CardValue(p.say("later"), str(card.vp_later), "vp"),
        ),
        tint="route",
    )


def city_tile_face(tile: CityTile, payload: str, p: Print = ENGLISH) -> CardFace:
    """A city tile: what a Regular City yields, its station power and railway cost."""
    return CardFace(
        payload=payload,
        title="City",
        subtitle=p.say("tile", card=tile.id),
        lines=(" + ".join(p.word(name) for name in tile.resources),),
        values=(
            CardValue(p.say("power"), str(tile.station_power), "power"),
            CardValue(p.say("rail_cost"), str(tile.rail_cost)),
        ),
        tint="city",
    )


def tourist_tile_face(tile: TouristTile, payload: str, p: Print = ENGLISH) -> CardFace:
    """A tourist tile: its effect."""
    return CardFace(
        payload=payload,
        title="Tourist City",
        subtitle=p.say("tile", card=tile.id),
        lines=(icon_text(tile.effect, p),),
        tint="tourist",
    )
