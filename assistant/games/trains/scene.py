"""What lies on the mat in a state: the recorded table, for the screen and the simulator, and to compare with.

Which of a seat's equal tokens lies where is not recorded, nor where in its owner's zones a card lies whose
number was read. Tokens are laid in the order of their numbers. Of a card, the owner's known numbers are laid
before those that nobody has read, so that nothing lies there that is somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assistant.actions import Action
from assistant.dealing import Reveal
from assistant.games.trains.actions import Buy, Discard, Leftovers, PassReturn, Play, ReturnWaste
from assistant.games.trains.layout import DISCARD, GAINED, LEFTOVER, PLAY, RETURN, REVEAL
from assistant.games.trains.state import State
from assistant.hexes import bits
from assistant.layout import Placement, Scene

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

ZONES = {GAINED: "gained", PLAY: "play", REVEAL: "revealed"}
"""Lanes that show a zone of the active player."""

Cards = Sequence[tuple[str, str]]
"""Cards with their numbers, `("TC-LR", "07")`; "" for any number that fits."""


def scene(game: Trains, state: State) -> Scene:
    """Tokens in their slots; what the active player has in play, gained and revealed in the lanes."""
    return Scene((*_tokens(game, state), *_cards(game, state, {})))


def laid(game: Trains, state: State, action: Action) -> Scene:
    """What people lay to do an action: a token, or cards in a lane. What it brings besides comes later."""
    more: dict[str, Cards] = {}
    if isinstance(action, Play):
        more[PLAY] = [(action.card, action.copy)]
    elif isinstance(action, Buy):
        more[GAINED] = [(action.card, action.copy)]
    elif isinstance(action, Reveal):
        more[REVEAL] = [(card, "") for card in action.cards]
    elif isinstance(action, Leftovers):
        more[LEFTOVER] = [(card, "") for card in action.cards]
    elif isinstance(action, Discard):
        more[DISCARD] = [(card, "") for card in action.cards]
    elif isinstance(action, PassReturn | ReturnWaste):
        more[RETURN] = [(game.waste, "")] * action.count
    else:
        return Scene((*_tokens(game, game.apply(state, action)[0]), *_cards(game, state, {})))
    return Scene((*_tokens(game, state), *_cards(game, state, more)))


def tagged(game: Trains, state: State, action: Action) -> Action:
    """A play or purchase with the number of a card that can be used for it."""
    if not isinstance(action, Play | Buy) or action.copy:
        return action
    lying = {placement.payload for placement in scene(game, state).placements}
    owner = action.seat if isinstance(action, Play) else ""
    names = numbers(game, state, owner, action.card)
    free = (name for name in names if game.payloads["card", None, name] not in lying)
    name = next(free, "")
    return replace(action, copy=name.rpartition("-")[2])


def numbers(game: Trains, state: State, owner: str, card: str) -> list[str]:
    """Names of pieces that an owner's card can be: those known to be its own, then those never read."""
    names = game.numbered[card]
    known = [name for name in names if state.copies.get(name) == owner]
    return [*known, *(name for name in names if name not in state.copies)]


def _tokens(game: Trains, state: State) -> Iterator[Placement]:
    payload, grid = game.payloads, game.board.grid
    for seat, mask in zip(game.seats, state.tokens, strict=True):
        for number, name in enumerate(grid.names(mask), start=1):
            yield Placement(payload["rail", seat, f"{number:02}"], name, seat)
    number = 0
    for index in bits(state.stations[0]):
        for place in range(game.board.level(state, 1 << index)):
            number += 1
            yield Placement(payload["station", None, f"{number:02}"], grid.name[index], f"s{place + 1}")


def _cards(game: Trains, state: State, more: Mapping[str, Cards]) -> Iterator[Placement]:
    """The lanes from the top. Cards that find no room, or whose numbers are all taken, stay in the hand."""
    seat = game.seats[state.active]
    zones = state.cards[seat].zones
    used = {f"{card}-{number}" for cards in more.values() for card, number in cards if number}
    for lane in dict.fromkeys((*ZONES, *more)):
        there: list[tuple[str, str]] = (
            [(card, "") for card in zones[ZONES[lane]].names] if lane in ZONES else []
        )
        for (card, number), at in zip([*there, *more.get(lane, ())], game.rooms[lane], strict=False):
            name = f"{card}-{number}" if number else _free(game, state, lane, card, used)
            if name:
                used.add(name)
                yield Placement(game.payloads["card", None, name], lane, "1", dy=at)


def _free(game: Trains, state: State, lane: str, card: str, used: Any) -> str:
    """A number for a card. Gained cards are among those read last, mostly the highest: so that the numbers of
    others do not change when they come."""
    seat = game.seats[state.active]
    known = [name for name in game.numbered[card] if state.copies.get(name) == seat and name not in used]
    if known:
        return known[-1] if lane == GAINED else known[0]
    return next((name for name in numbers(game, state, seat, card) if name not in used), "")
