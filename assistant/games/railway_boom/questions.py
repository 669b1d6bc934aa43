"""Questions about a Railway Boom position that only this game knows (`ask` in a case file).

- "count" (`kind`, `seat`), also asked as "score" with a kind: what an objective counts for a seat, `count`
  (RB-OFX).
- "due": what the table has to turn up now, `deck` and `count`; empty when nothing is due (RB-DRAW-1).
- "decks": how many cards each face-down deck holds.
- "open_multipliers": for each objective the multipliers of its open spaces in printed order (RB-SETUP-9).
- "setup": how many blocking cubes lie on the objectives, and the cubes that each seat placed (RB-COMP-17).
- "railways" (`seat`): the seat's railways as `rails` and `stations` (RB-MAP-5).
- "display": how amounts lie on the tracks. Of `amount` the cubes, of `base`, `on_ten` and `right` the amount
  (RB-RES-2); of `vp` the `platform` and `tracker` with all ways that are `accepted`, of `platform` and
  `tracker` the VP (RB-RES-3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from assistant.games.railway_boom import scoring
from assistant.games.railway_boom.effects import own_mask
from assistant.games.railway_boom.pack import STOCK, TRACKS
from assistant.games.railway_boom.state import Deck, State
from assistant.rulings import NotUnderstood

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

TEN = 10
PLATFORM = 50
Answer = dict[str, Any]


# How amounts lie on the tracks (RB-RES-2, RB-RES-3) ----------------------------------------------


def cubes(amount: int) -> tuple[int, int, int]:
    """The canonical cubes of an amount: base space, cube on 10 (0 or 1), cubes to the right of the board."""
    tens = (amount - 1) // TEN if amount > TEN else 0
    return amount - TEN * tens, tens % 2, tens // 2


def amount_of(base: int, on_ten: int, right: int) -> int:
    """What cubes mean in any arrangement (HR-06)."""
    return base + TEN * on_ten + 2 * TEN * right


def vp_displays(vp: int) -> list[tuple[int, int]]:
    """Every accepted (platform, tracker) of a number of VP, the canonical one first (HR-07)."""
    platform, tracker = divmod(vp, PLATFORM)
    both = tracker == 0 and platform > 0
    return [(platform, tracker), (platform - 1, PLATFORM)] if both else [(platform, tracker)]


def vp_of(platform: int, tracker: int) -> int:
    """VP of a platform and a tracker."""
    return PLATFORM * platform + tracker


# Questions ---------------------------------------------------------------------------------------


def answer(game: RailwayBoom, state: State, name: str, args: Mapping[str, Any]) -> Answer:
    """The answer to a question; `NotUnderstood` for an unknown question or argument."""
    if name == "score":
        name = "count"
    if name not in _QUESTIONS:
        raise NotUnderstood(f"there is no question {name!r}; there are: {', '.join(_QUESTIONS)}")
    return _QUESTIONS[name](game, state, args)


def _only(name: str, args: Mapping[str, Any], *known: str) -> None:
    for key in args:
        if key not in known:
            there = f"it has: {', '.join(known)}" if known else "it has none"
            raise NotUnderstood(f"the question {name} has no argument {key!r}; {there}")


def _seat(game: RailwayBoom, args: Mapping[str, Any]) -> int:
    name = args.get("seat")
    if name not in game.index:
        raise NotUnderstood(f"there is no seat {name!r}; there are: {', '.join(game.seats)}")
    return game.index[name]


def _number(args: Mapping[str, Any], key: str) -> int:
    value = args.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise NotUnderstood(f"{key}: a number from 0 on is expected, not {value!r}")
    return value


def _count(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    _only("count", args, "kind", "seat")
    kind = args.get("kind")
    if kind not in scoring.COUNTS:
        raise NotUnderstood(f"there is no objective {kind!r}; there are: {', '.join(scoring.COUNTS)}")
    return {"count": scoring.COUNTS[kind](game, state, _seat(game, args))}


def _due(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    _only("due", args)
    due = game.table.due(state)
    return {} if due is None else {"deck": due[0], "count": due[1]}


def _decks(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    _only("decks", args)
    return {deck.name.lower(): state.decks[deck].bit_count() for deck in Deck}


def _open_multipliers(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    _only("open_multipliers", args)
    out: Answer = {}
    for index, name in enumerate(state.objectives):
        taken = {record.cubes[index] for record in state.seats}
        out[name] = [
            space.multiplier
            for place, space in enumerate(game.objectives[name].spaces)
            if space.min_players <= len(state.seats) and place not in taken
        ]
    return out


def _setup(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    """Cubes of a seat: one per income and per resource track, the objective cubes, one on the platforms."""
    _only("setup", args)
    players = len(state.seats)
    spaces = [space for name in state.objectives for space in game.objectives[name].spaces]
    each = len(TRACKS) + len(STOCK) + len(state.seats[0].cubes) + 1
    return {
        "blocking": sum(space.min_players > players for space in spaces),
        "cubes": dict.fromkeys(game.seats, each),
    }


def _railways(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    _only("railways", args, "seat")
    record = state.seats[_seat(game, args)]
    grid = game.grid
    return {
        "railways": [
            {"rails": grid.names(part & record.rails), "stations": grid.names(part & record.stations)}
            for part in grid.components(own_mask(record))
        ]
    }


def _display(game: RailwayBoom, state: State, args: Mapping[str, Any]) -> Answer:
    _only("display", args, "amount", "base", "on_ten", "right", "vp", "platform", "tracker")
    if "amount" in args:
        base, on_ten, right = cubes(_number(args, "amount"))
        return {"base": base, "on_ten": on_ten, "right": right}
    if "vp" in args:
        ways = vp_displays(_number(args, "vp"))
        return {"platform": ways[0][0], "tracker": ways[0][1], "accepted": [list(way) for way in ways]}
    if "platform" in args or "tracker" in args:
        return {"vp": vp_of(_number(args, "platform"), _number(args, "tracker"))}
    return {"amount": amount_of(_number(args, "base"), _number(args, "on_ten"), _number(args, "right"))}


_QUESTIONS: dict[str, Callable[[RailwayBoom, State, Mapping[str, Any]], Answer]] = {
    "count": _count,
    "due": _due,
    "decks": _decks,
    "open_multipliers": _open_multipliers,
    "setup": _setup,
    "railways": _railways,
    "display": _display,
}
