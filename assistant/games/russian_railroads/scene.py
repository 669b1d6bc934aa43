"""What lies on the mat in a state: pieces on spaces, engineers, the turn order, the tops of the piles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant.actions import Action
from assistant.games.russian_railroads.actions import Move
from assistant.games.russian_railroads.layout import (
    BLACK,
    ENGINEER,
    ORDER_PLACE,
    PAWN,
    PILE,
    ROUBLE,
    STRIP,
    STRIP_PLACE,
    TEMP,
    WORKER,
    engineer_id,
    loco,
)
from assistant.games.russian_railroads.spaces import moved
from assistant.games.russian_railroads.state import Placed, State
from assistant.layout import Placement, Scene
from assistant.reading import Spot

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads


def scene(game: RussianRailroads, state: State) -> Scene:
    """Every piece of the mat in its slot.

    Which of a seat's equal workers lies where is not recorded: they are laid in order of their numbers. Where
    more lie than a space has slots the later ones lie on others, and are not seen.
    """
    free: dict[tuple[str, str | None], list[str]] = {}
    for piece in reversed(game.printed.pieces):
        kind = piece.name if piece.what == ENGINEER else piece.what
        free.setdefault((kind, piece.seat), []).append(piece.payload)
    used: dict[str, int] = {}
    out = []
    for spot in spots(game, state):
        number = used.get(spot.space, 0) + 1
        used[spot.space] = number
        payloads = free.get((spot.what, spot.seat), [])
        if number <= game.slots.get(spot.space, 0) and payloads:
            out.append(Placement(payloads.pop(), spot.space, str(number)))
    return Scene(tuple(out))


def spots(game: RussianRailroads, state: State) -> Iterator[Spot]:
    """Kinds of pieces and where they lie; an engineer is called by its id."""
    for placed in state.placed:
        yield from of_placed(placed)
    for place, number in strip(state).items():
        if number:
            yield Spot(engineer_id(number), None, place)
    if state.phase not in ("engineers", "order"):
        for rank, seat in enumerate(state.order, start=1):
            yield Spot(PAWN, seat, f"{ORDER_PLACE}{rank}")
    for pile, left in state.piles.items():
        if left:
            yield Spot(loco(pile), None, f"{PILE}{pile}")


def of_placed(placed: Placed) -> Iterator[Spot]:
    """The pieces of one use of a space, those with a seat first."""
    for what, seat, count in (
        (WORKER, placed.seat, placed.workers),
        (BLACK, None, placed.black),
        (TEMP, None, placed.temps),
        (ROUBLE, None, placed.roubles),
    ):
        for _ in range(count):
            yield Spot(what, seat, placed.space)


def strip(state: State) -> dict[str, int]:
    """The engineer on each place of the printed strip, 0 for none; shorter strips end at its right."""
    first = STRIP - len(state.strip) + 1
    return {f"{STRIP_PLACE}{first + n}": number for n, number in enumerate(state.strip)}


def laid(game: RussianRailroads, state: State, action: Action) -> Scene:
    """What people have laid for an action, before anybody tidies up what the end of a round moves."""
    after, _ = game.apply(state, action)
    if after.round == state.round and after.phase not in ("reveal", "over"):
        return scene(game, after)
    if isinstance(action, Move):
        return scene(game, replace(state, placed=moved(state, action)))
    return scene(game, state)
