"""What the open resolution may be answered with: offers, and what is wrong with an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.games.trains import effects as fx
from assistant.games.trains.actions import (
    Branch,
    Discard,
    Lay,
    Name,
    Order,
    Pick,
    PlaceStation,
    ReturnWaste,
    TrashIt,
)
from assistant.games.trains.forms import DiscardForm, OrderForm, possible
from assistant.games.trains.hands import hand_of
from assistant.games.trains.resolving import PICKED, branches_of, pickable, waste_counts
from assistant.games.trains.state import LayNow, PutBack, State, Task
from assistant.hexes import bits
from assistant.offers import Offer
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

ANSWERS: dict[type[Any], type[Action]] = {
    fx.Station: PlaceStation,
    fx.ReturnWaste: ReturnWaste,
    fx.Discard: Discard,
    fx.DiscardAny: Discard,
    fx.ChooseOne: Branch,
    fx.TrashSelf: TrashIt,
    fx.NameReveal: Name,
    PutBack: Order,
    LayNow: Lay,
    **dict.fromkeys(PICKED, Pick),
}
"""By task: the kind of action that answers it. A task that is not here waits for the table."""


def why(task: Task) -> str:
    """What the player is asked, as a key of the catalogue."""
    return str(task.line.__struct_config__.tag)


def offers(game: Trains, state: State, task: Task) -> list[Offer]:
    """Everything that answers the top task."""
    seat = game.seats[state.active]
    line: Any = task.line
    kind = ANSWERS[type(line)]
    if kind is Pick:
        return [Pick(seat, card) for card in pickable(game, state, line, task.this)]
    if kind is PlaceStation:
        return [PlaceStation(seat, game.board.grid.name[i]) for i in bits(game.board.room_left(state))]
    if kind is Lay:
        bits_ = game.board.affordable(state, state.active, state.turn.waived, state.turn.money)
        return [game.lays[seat][bit] for bit in bits_]
    mine = state.cards[seat]
    hand = hand_of(mine)
    if kind is ReturnWaste:
        least, most = waste_counts(game, hand, line.count)
        return [ReturnWaste(seat, count) for count in range(least, most + 1)]
    if kind is Discard:
        count = line.n if type(line) is fx.Discard else -1
        return [DiscardForm(seat, hand, game.order, count)]
    if kind is Branch:
        return [Branch(seat, number) for number in branches_of(game, state, line, task.this)]
    if kind is TrashIt:
        return [TrashIt(seat, True), TrashIt(seat, False)]
    if kind is Name:
        return [Name(seat, card) for card in game.order]
    return [OrderForm(seat, mine.zones["revealed"].names)]


def violations(game: Trains, state: State, task: Task, action: Any) -> Iterator[Violation]:
    """What is wrong with an answer to the top task; TR-TURN-2 where it is none."""
    line: Any = task.line
    if ANSWERS.get(type(line)) is not type(action):
        yield Violation("TR-TURN-2", {"open": why(task), "card": game.name_of(task.this)})
        return
    seat = game.seats[state.active]
    mine = state.cards[seat]
    if isinstance(action, Lay):
        yield from game.laying.placing(state, action.hex, state.turn.waived)
    elif isinstance(action, PlaceStation):
        yield from _station(game, state, action.hex)
    elif isinstance(action, Pick):
        if action.card not in pickable(game, state, line, task.this):
            yield Violation("TR-FX-1", {"card": game.name_of(action.card)})
    elif isinstance(action, Discard):
        exact = type(line) is fx.Discard and len(action.cards) != line.n
        if exact or not possible(hand_of(mine), action.cards):
            yield Violation("TR-FX-1", {"card": game.name_of(task.this)})
    elif isinstance(action, ReturnWaste):
        least, most = waste_counts(game, hand_of(mine), line.count)
        if not least <= action.count <= most:
            yield Violation("TR-FX-1", {"card": game.name_of(task.this)})
    elif isinstance(action, Branch):
        if action.number not in branches_of(game, state, line, task.this):
            yield Violation("TR-FX-1", {"card": game.name_of(task.this)})
    elif isinstance(action, Name):
        if action.card not in game.cards:
            yield Violation("TR-FX-1", {"card": action.card})
    elif isinstance(action, Order) and Counter(action.cards) != Counter(mine.zones["revealed"].names):
        yield Violation("TR-FX-1", {"card": game.name_of(task.this)})


def _station(game: Trains, state: State, name: str) -> Iterator[Violation]:
    board = game.board
    place = board.hexes.get(name)
    if place is None or place.terrain != "city":
        yield Violation("TR-STN-1", {"hex": name}, (name,))
    elif not board.room_left(state) & board.grid.bit[name]:
        yield Violation("TR-STN-2", {"hex": name, "room": place.number}, (name,))
