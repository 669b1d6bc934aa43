"""Reading positions: what follows from the rest of a position need not be stated (docs/cases.md).

A position is the JSON form of the state. Supplies are what lies nowhere else, workers in hand those that
stand nowhere, and a one-time trigger has happened as soon as its condition holds: what is left out of these
is worked out. What is stated must agree with the rest (`faults`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from assistant.game import PositionFaults
from assistant.games.russian_railroads.faults import count_locos, faults, misshapen, total_workers
from assistant.games.russian_railroads.scoring import fired
from assistant.games.russian_railroads.state import Player, State

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

_TABLE: dict[str, Any] = {"piles": {}, "doublers": 0, "roubles": 0, "q_cards": ()}
_SEAT: dict[str, Any] = {"free": 0, "reserve": 0, "black_free": False, "fired": ()}
"""What may be left out, with stand-ins."""

DERIVED = (*_TABLE, *(f"players.*.{key}" for key in _SEAT))
"""Paths that are worked out where they are absent."""

_CITED = re.compile(r"\((RR-[A-Z]+-\d+)\)")


def from_position(game: RussianRailroads, position: Mapping[str, Any]) -> State:
    """The state of a position; `PositionFaults` lists every fault and cites the first rule named."""
    whole = {**_TABLE, **position}
    seats = whole.get("players")
    if isinstance(seats, Mapping):
        whole["players"] = {s: {**_SEAT, **p} if isinstance(p, Mapping) else p for s, p in seats.items()}
    else:
        seats = {}
    try:
        state = msgspec.convert(whole, State)
    except msgspec.ValidationError as fault:
        raise PositionFaults([str(fault)]) from None
    found = misshapen(game, state)
    if not found:
        players = {seat: _seat(game, state, seat, seats[seat]) for seat in state.players}
        state = _table(game, replace(state, players=players), position)
        found = faults(game, state)
    if found:
        rule = next((cited[1] for text in found if (cited := _CITED.search(text))), None)
        raise PositionFaults(found, rule)
    return state


def _seat(game: RussianRailroads, state: State, seat: str, stated: Mapping[str, Any]) -> Player:
    """A player with what was not stated."""
    player = state.players[seat]
    mine = [placed for placed in state.placed if placed.seat == seat]
    follows = {
        "free": player.workers - sum(placed.workers for placed in mine),
        "reserve": total_workers(game) - player.workers,
        "black_free": player.black and not any(placed.black for placed in mine),
        "fired": fired(game, player),
    }
    return replace(player, **{key: value for key, value in follows.items() if key not in stated})


def _table(game: RussianRailroads, state: State, stated: Mapping[str, Any]) -> State:
    """The table with what was not stated."""
    players = state.players.values()
    supplies = game.content.supplies
    elsewhere: Counter[int] = count_locos(replace(state, piles={}))
    lying = sum(placed.roubles for placed in state.placed)
    taken = {card for player in players for card in player.q_cards}
    follows = {
        "piles": {str(number): game.each - elsewhere[number] for number in range(1, 10)},
        "doublers": supplies.doublers - sum(player.doublers for player in players),
        "roubles": supplies.roubles - lying - sum(player.roubles for player in players),
        "q_cards": tuple(card for card in game.q_cards if card not in taken),
    }
    return replace(state, **{key: value for key, value in follows.items() if key not in stated})
