"""Questions about a position that only this game knows (`ask` in a case file).

- "points" (`seat`): what a seat would score if the round ended now: `TS`, `SP` and `KV` (spaces of the
  railroads), `stars`, `medal`, `industry`, and the `total` (RR-SCORE).
- "reach" (`seat`): how far the locomotives of a seat reach, by railroad (RR-MODEL-5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from assistant.games.russian_railroads.scoring import (
    industry_points,
    medal_points,
    railroad_points,
    star_points,
)
from assistant.games.russian_railroads.state import State
from assistant.games.russian_railroads.tracks import reach
from assistant.rulings import NotUnderstood

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

Answer = dict[str, Any]


def answer(game: RussianRailroads, state: State, name: str, args: Mapping[str, Any]) -> Answer:
    """The answer to a question; `NotUnderstood` for an unknown question, argument or seat."""
    if name not in _QUESTIONS:
        raise NotUnderstood(f"there is no question {name!r}; there are: {', '.join(_QUESTIONS)}")
    for key in args:
        if key != "seat":
            raise NotUnderstood(f"the question {name} has no argument {key!r}; it has: seat")
    seat = args.get("seat")
    if seat not in game.seats:
        raise NotUnderstood(f"there is no seat {seat!r}; there are: {', '.join(game.seats)}")
    return _QUESTIONS[name](game, state, seat)


def _points(game: RussianRailroads, state: State, seat: str) -> Answer:
    player = state.players[seat]
    parts = {name: railroad_points(game, player, name) for name in player.tracks}
    parts |= {"stars": star_points(game, player), "medal": medal_points(game, player)}
    parts["industry"] = sum(industry_points(game, marker) for marker in player.markers)
    return {**parts, "total": sum(parts.values())}


def _reach(game: RussianRailroads, state: State, seat: str) -> Answer:
    player = state.players[seat]
    return {name: reach(player, name) for name in player.tracks}


_QUESTIONS: dict[str, Callable[[RussianRailroads, State, str], Answer]] = {
    "points": _points,
    "reach": _reach,
}
