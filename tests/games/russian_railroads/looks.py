"""Looks at a table of Russian Railroads: what a camera reports once people have laid and taken pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Self

from assistant.game import find_title
from assistant.games.russian_railroads.game import RussianRailroads
from assistant.games.russian_railroads.state import State
from assistant.observation import Observation, Sighting
from assistant.positions import merged
from assistant.reading import Reading, Roster, Spot, read

FIRST = ((1, 2, 3), (8, 9, 10, 11))
"""Engineers of letter A and B that come first onto the strip."""


@cache
def opened(seats: int) -> RussianRailroads:
    """A game of the shipped pack."""
    title = find_title("russian_railroads")
    game = title.open(title.load_pack(title.default_pack), seats)
    assert isinstance(game, RussianRailroads)
    return game


def at(game: RussianRailroads, facts: Mapping[str, Any]) -> State:
    """The first turn of round 1, with other facts; what follows from them is worked out."""
    a, b = FIRST[0][: game.setup.letters_a], FIRST[1][: game.setup.letters_b]
    start = game.to_position(game.start())
    position = merged(
        start,
        {
            "phase": "actions",
            "round": 1,
            "turn": "A",
            "strip": [*(0,) * game.setup.empty, *b, *a],
            "starting": [],
        },
    )
    for key in ("piles", "doublers", "roubles", "q_cards"):
        del position[key]
    for player in position["players"].values():
        for key in ("free", "reserve", "black_free", "fired"):
            del player[key]
    return game.from_position(merged(position, facts))


class Look:
    """What lies on the mat: at first what the record says, then what people do with it."""

    def __init__(self, game: RussianRailroads, state: State) -> None:
        self.game, self.state = game, state
        self.pieces = {piece.payload: piece for piece in game.printed.pieces}
        self.lies = [(place.payload, place.space) for place in game.scene(state).placements]
        self.hidden: set[str] = set()
        self.stacked = False

    @classmethod
    def of(cls, seats: int, **facts: Any) -> Self:
        """The first turn with some facts."""
        game = opened(seats)
        return cls(game, at(game, facts))

    def add(self, what: str, seat: str | None, *spaces: str) -> Self:
        """Lay pieces that lie nowhere on the mat."""
        for space in spaces:
            taken = {payload for payload, _ in self.lies}
            free = (p for p in self.pieces.values() if (p.what, p.seat) == (what, seat))
            self.lies.append((next(p.payload for p in free if p.payload not in taken), space))
        return self

    def card(self, number: int, space: str) -> Self:
        """Lay an engineer, wherever it was."""
        name = f"ENG-{number}"
        payload = next(p.payload for p in self.pieces.values() if p.name == name)
        self.lies = [(other, place) for other, place in self.lies if other != payload]
        self.lies.append((payload, space))
        return self

    def take(self, what: str, seat: str | None, space: str) -> Self:
        """Take a piece away."""
        here = ((p, s) for p, s in self.lies if s == space)
        self.lies.remove(
            next((p, s) for p, s in here if (self.pieces[p].what, self.pieces[p].seat) == (what, seat))
        )
        return self

    def push(self, what: str, seat: str | None, space: str, to: str) -> Self:
        """Push a piece elsewhere."""
        return self.take(what, seat, space).add(what, seat, to)

    def lay(self, *spots: Spot) -> Self:
        """Lay what a slip says."""
        for spot in spots:
            self.add(spot.what, spot.seat, spot.space)
        return self

    def hide(self, *spaces: str) -> Self:
        """A hand over spaces."""
        self.hidden |= set(spaces)
        return self

    def on_a_board(self, *without: str) -> Self:
        """On a board of one's own, on which a piece may lie below another, and that lacks some spaces."""
        self.stacked = True
        self.lies = [(p, s) for p, s in self.lies if s not in without]
        return self

    def read(self) -> Reading:
        """The reading of this look."""
        seen = tuple(
            Sighting(p, 0.0, 0.0, 0.0, 3.0, space) for p, space in self.lies if space not in self.hidden
        )
        observation = Observation(seen, hidden=frozenset(self.hidden), stacked=self.stacked)
        return read(self.game, self.state, observation, Roster(self.pieces))
