"""Questions about a position of Trains that only this game knows (`ask` in a case file).

- "stacks": `all` stacks of this game, those that are `countable` for the end, and which of these are `empty`
  (TR-SETUP-6, TR-END-1).
- "zones" (`seat`): how many cards lie in each zone of a seat, known or not.
- "owned" (`seat`): the seat's cards in all zones, by id (TR-VIS-2).
- "cost" (`hex`): what a rail of the active player costs there now: `terrain`, `others` and both together,
  `money`; `waste`, the Waste of sharing it, taken while there is any (TR-LAY-6, TR-LAY-8).
- "ends": the conditions of the end that are `met` (TR-END-1 to 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from assistant import cards as c
from assistant.games.trains.state import OTHERS, State
from assistant.rulings import NotUnderstood

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

Answer = dict[str, Any]


def answer(game: Trains, state: State, name: str, args: Mapping[str, Any]) -> Answer:
    """The answer to a question; `NotUnderstood` for an unknown question, argument, seat or hex."""
    if name not in _QUESTIONS:
        raise NotUnderstood(f"there is no question {name!r}; there are: {', '.join(_QUESTIONS)}")
    question, known = _QUESTIONS[name]
    for key in args:
        if key not in known:
            there = f"it has: {', '.join(known)}" if known else "it has none"
            raise NotUnderstood(f"the question {name} has no argument {key!r}; {there}")
    return question(game, state, args)


def _seat(game: Trains, args: Mapping[str, Any]) -> str:
    seat = str(args.get("seat"))
    if seat not in game.index:
        raise NotUnderstood(f"there is no seat {seat!r}; there are: {', '.join(game.seats)}")
    return seat


def _stacks(game: Trains, state: State, args: Mapping[str, Any]) -> Answer:
    countable = [card for card in state.supply if card != game.waste]
    empty = [card for card in countable if not state.supply[card]]
    return {"all": len(state.supply), "countable": len(countable), "empty": empty}


def _zones(game: Trains, state: State, args: Mapping[str, Any]) -> Answer:
    return {name: zone.size for name, zone in state.cards[_seat(game, args)].zones.items()}


def _owned(game: Trains, state: State, args: Mapping[str, Any]) -> Answer:
    owned = c.owned(state.cards[_seat(game, args)])
    return {card: owned[card] for card in game.order if owned[card]}


def _cost(game: Trains, state: State, args: Mapping[str, Any]) -> Answer:
    name = str(args.get("hex"))
    bit = game.board.grid.bit.get(name)
    if bit is None:
        raise NotUnderstood(f"there is no land hex {name!r}")
    waived = state.turn.waived
    money = game.board.cost(state, state.active, waived, bit)
    terrain = game.board.terrain_cost(state, waived, bit)
    shares = not waived & OTHERS and game.board.others(state, state.active, bit) > 0
    waste = int(shares and not state.turn.no_waste)
    return {"terrain": terrain, "others": money - terrain, "money": money, "waste": waste}


def _ends(game: Trains, state: State, args: Mapping[str, Any]) -> Answer:
    return {"met": game.end_conditions(state)}


_QUESTIONS: dict[str, tuple[Callable[[Trains, State, Mapping[str, Any]], Answer], tuple[str, ...]]] = {
    "stacks": (_stacks, ()),
    "zones": (_zones, ("seat",)),
    "owned": (_owned, ("seat",)),
    "cost": (_cost, ("hex",)),
    "ends": (_ends, ()),
}
