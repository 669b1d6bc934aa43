"""What lies on the mat in a state: the recorded table, for the screen and for people to compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.actions import Action
from assistant.games.railway_boom.actions import Draw
from assistant.games.railway_boom.explain_cards import draw_zone, expected_cards
from assistant.games.railway_boom.state import State, Step
from assistant.layout import Placement, Scene

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


def scene(game: RailwayBoom, state: State) -> Scene:
    """Tokens in the slots of their seats, cards in their zones from the first place on, discs.

    Which of a seat's equal tokens lies where is not recorded: they are laid in order of their numbers.
    """
    return Scene((*_tokens(game, state), *_cards(game, state), *_discs(game, state)))


def laid(game: RailwayBoom, state: State, action: Action) -> Scene:
    """What people have laid for an action: cards turned up lie in their zone in order."""
    if not isinstance(action, Draw):
        return scene(game, game.apply(state, action)[0])
    zone = draw_zone(state, action.deck)
    payload = {piece.name: piece.payload for piece in game.printed.pieces if piece.form == "card"}
    cards = (
        Placement(payload[name], f"{zone}:{place}", "1") for place, name in enumerate(action.cards, start=1)
    )
    return Scene((*scene(game, state).placements, *cards))


def _payloads(game: RailwayBoom) -> dict[tuple[str, str | None, str], str]:
    return {(piece.what, piece.seat, piece.name): piece.payload for piece in game.printed.pieces}


def _tokens(game: RailwayBoom, state: State) -> Iterator[Placement]:
    payload = _payloads(game)
    for seat, record in enumerate(state.seats):
        letter = game.seats[seat]
        for what, mask, width in (("rail", record.rails, 2), ("station", record.stations, 1)):
            for number, name in enumerate(game.grid.names(mask), start=1):
                yield Placement(payload[what, letter, f"{number:0{width}}"], name, letter)


def _cards(game: RailwayBoom, state: State) -> Iterator[Placement]:
    payload = {(piece.name): piece.payload for piece in game.printed.pieces if piece.form == "card"}
    for zone, cards in expected_cards(game, state).items():
        places = _row_places(state) if zone == "developments" else range(1, len(cards) + 1)
        for name, place in zip(cards, places, strict=True):
            yield Placement(payload[name], f"{zone}:{place}", "1")


def _row_places(state: State) -> list[int]:
    """Places of the development cards: three to a row, gaps where cards are gone."""
    return [3 * row + k + 1 for row, cards in enumerate(state.rows) for k in range(len(cards.cards))]


def _discs(game: RailwayBoom, state: State) -> Iterator[Placement]:
    """Discs on the Auction Track; on white they keep their order, right-most places first (RB-AUC-16)."""
    if state.step == Step.SETUP:
        return
    payload = _payloads(game)
    track = state.track
    first = game.content.white_spaces - len(game.seats) + 1
    for seat, letter in enumerate(game.seats):
        face = "up" if track.up >> seat & 1 else "down"
        value = track.value[seat]
        place = str(value) if value else f"w{first + track.white.index(seat)}"
        yield Placement(payload[f"disc_{face}", letter, face], f"auction:{place}", "1")
