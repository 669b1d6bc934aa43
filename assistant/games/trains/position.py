"""The readable form of a state (docs/cases.md): letters, hexes and card ids. No bit set gets out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from assistant import cards as c
from assistant.game import PositionFaults
from assistant.games.trains.effects import Colour, Waived
from assistant.games.trains.state import WAIVED, ZONES, Phase, State, Task, Turn
from assistant.positions import Position

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

Entry = str | c.Known
"""A card of a zone: its id, or a record where its place is known or not everyone knows it."""


class SeatForm(Struct, frozen=True, forbid_unknown_fields=True):
    """One player. `unnamed` says how many cards of which zone are known only as some of `pool`."""

    rails: tuple[str, ...] = ()
    rails_left: int = -1
    track: int = 0
    deck: tuple[Entry, ...] = ()
    hand: tuple[Entry, ...] = ()
    play: tuple[Entry, ...] = ()
    gained: tuple[Entry, ...] = ()
    discard: tuple[Entry, ...] = ()
    revealed: tuple[Entry, ...] = ()
    unnamed: dict[str, int] = {}
    pool: dict[str, int] = {}


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A position of Trains."""

    phase: Phase
    first: str
    turn: str
    supply: dict[str, int]
    seats: dict[str, SeatForm]
    box: dict[str, int] | None = None
    stations: dict[str, int] = {}
    stations_left: int = -1
    money: int = 0
    rail_points: int = 0
    waived: tuple[Waived, ...] = ()
    no_waste: bool = False
    bonus: dict[Colour, int] = {}
    may_topdeck: bool = False
    played: bool = False
    bought: bool = False
    returned: bool = False
    declined: tuple[str, ...] = ()
    open: tuple[Task, ...] = ()
    copies: dict[str, str] = field(default_factory=dict)


def to_position(game: Trains, state: State) -> Position:
    """The position of a state."""
    turn, grid = state.turn, game.board.grid
    levels = ((grid.name[bit.bit_length() - 1], game.board.level(state, bit)) for bit in grid.bit.values())
    return {
        "phase": state.phase,
        "first": game.seats[state.first],
        "turn": game.seats[state.active],
        "money": turn.money,
        "rail_points": turn.rails,
        "waived": [name for name, flag in WAIVED.items() if turn.waived & flag],
        "no_waste": turn.no_waste,
        "bonus": dict(turn.bonus),
        "may_topdeck": turn.topdeck,
        "played": turn.played,
        "bought": turn.bought,
        "returned": turn.returned,
        "declined": list(turn.declined),
        "open": msgspec.to_builtins(state.stack),
        "supply": dict(state.supply),
        "box": dict(state.box),
        "stations": {name: level for name, level in levels if level},
        "stations_left": game.stations_left(state),
        "copies": dict(state.copies),
        "seats": {
            seat: {
                "rails": grid.names(state.tokens[index]),
                "rails_left": game.rails_left(state, index),
                "track": state.track[index],
                **_zones(state.cards[seat]),
            }
            for index, seat in enumerate(game.seats)
        },
    }


def _zones(cards: c.Cards) -> dict[str, Any]:
    out: dict[str, Any] = {
        zone: [
            known.card if known.at is None and known.to is None else msgspec.to_builtins(known)
            for known in cards.zones[zone].named
        ]
        for zone in ZONES
    }
    out["unnamed"] = {zone: cards.zones[zone].unnamed for zone in ZONES if cards.zones[zone].unnamed}
    out["pool"] = dict(cards.pool)
    return out


def from_position(game: Trains, position: Mapping[str, Any]) -> State:
    """The state of a position; `PositionFaults` lists what is wrong with it."""
    try:
        form = msgspec.convert(position, Form)
    except msgspec.ValidationError as fault:
        raise PositionFaults([str(fault)]) from None
    if found := _form_faults(game, form):
        raise PositionFaults(found)
    grid, seats = game.board.grid, game.seats
    cards = {seat: _cards(form.seats[seat]) for seat in seats}
    levels = [0, 0, 0]
    for name, count in form.stations.items():
        for level in range(count):
            levels[level] |= grid.bit[name]
    turn = Turn(
        form.money,
        form.rail_points,
        sum(WAIVED[name] for name in form.waived),
        form.no_waste,
        tuple(sorted(form.bonus.items())),
        form.may_topdeck,
        form.played,
        form.bought,
        form.returned,
        form.declined,
    )
    state = State(
        form.phase,
        cards,
        {card: form.supply[card] for card in game.order if card in form.supply},
        _box(game, form, cards) if form.box is None else dict(form.box),
        tuple(grid.mask(form.seats[seat].rails) for seat in seats),
        (levels[0], levels[1], levels[2]),
        tuple(form.seats[seat].track for seat in seats),
        game.index[form.first],
        game.index[form.turn],
        turn,
        form.open,
        dict(form.copies),
    )
    for index, seat in enumerate(seats):
        left = game.rails_left(state, index)
        if form.seats[seat].rails_left not in (-1, left):
            found.append(f"seats.{seat}.rails_left: with these rails {left} are left")
    if form.stations_left not in (-1, game.stations_left(state)):
        found.append(f"stations_left: with these stations {game.stations_left(state)} are left")
    found += game.faults(state)
    if found:
        raise PositionFaults(found)
    return state


def _cards(form: SeatForm) -> c.Cards:
    zones = {}
    for zone in ZONES:
        entries: tuple[Entry, ...] = getattr(form, zone)
        named = tuple(c.Known(entry) if isinstance(entry, str) else entry for entry in entries)
        zones[zone] = c.Zone(named, form.unnamed.get(zone, 0))
    return c.Cards(zones, dict(form.pool))


def _box(game: Trains, form: Form, cards: Mapping[str, c.Cards]) -> dict[str, int]:
    """What has left the game is what is nowhere else."""
    left = {card.id: card.count - form.supply.get(card.id, 0) for card in game.content.cards}
    for owned in map(c.owned, cards.values()):
        for card, count in owned.items():
            if card in left:
                left[card] -= count
    return {card: count for card, count in left.items() if count}


def _form_faults(game: Trains, form: Form) -> list[str]:
    """Names that mean nothing: nothing else can be said before they do."""
    out = [
        f"{key}: there is no seat {seat!r}"
        for key, seat in (("first", form.first), ("turn", form.turn))
        if seat not in game.index
    ]
    if sorted(form.seats) != sorted(game.seats):
        out.append(f"seats: the seats are {', '.join(game.seats)}")
    for seat, there in form.seats.items():
        out += [
            f"seats.{seat}.rails: there is no land hex {name!r}"
            for name in there.rails
            if name not in game.board.grid.bit
        ]
        out += [
            f"seats.{seat}.unnamed: there is no zone {zone!r}" for zone in there.unnamed if zone not in ZONES
        ]
    for name, count in form.stations.items():
        place = game.board.hexes.get(name)
        if place is None or place.terrain != "city":
            out.append(f"stations.{name}: stations stand in cities")
        elif not 0 <= count <= place.number:
            out.append(f"stations.{name}: the city has room for {place.number}")
    out += [f"supply.{card}: there is no such card" for card in form.supply if card not in game.cards]
    if form.waived and len(set(form.waived)) != len(form.waived):
        out.append("waived: each part is named once")
    return out


def faults(game: Trains, state: State) -> list[str]:
    """What is impossible about a state whose cards are sound (I-1 to I-4)."""
    out = []
    if state.phase in ("stacks", "first") and any(state.tokens):
        out.append(f"phase: no rail lies on the map in {state.phase}")
    out += [
        f"seats.{seat}.rails: more than there are"
        for i, seat in enumerate(game.seats)
        if game.rails_left(state, i) < 0
    ]
    if game.stations_left(state) < 0:
        out.append("stations: more than there are")
    one, two, three = state.stations
    if any(level & ~room for level, room in zip(state.stations, game.board.room, strict=True)):
        out.append("stations: more than a city has room for")
    if two & ~one or three & ~two:
        out.append("stations: a second one stands beside a first one")
    if state.turn.money < 0 or state.turn.rails < 0:
        out.append("money, rail_points: never below 0")
    total = Counter(state.supply) + Counter(state.box)
    if min((*state.supply.values(), *state.box.values()), default=0) < 0:
        out.append("supply, box: no stack has less than nothing")
    for cards in state.cards.values():
        total.update(c.owned(cards))
    for card in game.content.cards:
        if total.pop(card.id, 0) != card.count:
            have = sum(c.owned(cards)[card.id] for cards in state.cards.values())
            have += state.supply.get(card.id, 0) + state.box.get(card.id, 0)
            out.append(f"{card.id}: there are {card.count} of it, not {have}")
    out += [f"cards: there is no card {name!r}" for name, count in total.items() if count]
    return out
