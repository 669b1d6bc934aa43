"""Looks at a table: what a camera would report of a state after people have laid and taken pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from assistant import cases
from assistant.games.railway_boom.game import RailwayBoom
from assistant.games.railway_boom.state import State
from assistant.layout import Piece
from assistant.observation import Observation, Sighting
from assistant.reading import Edit, Reading, Roster, read

FX = Path(__file__).parents[2] / "fixtures" / "fx.toml"

Token = Literal["rail", "station"]


def table(
    given: Mapping[str, Any], players: int = 3, options: Mapping[str, str | bool] | None = None
) -> tuple[RailwayBoom, State]:
    """A game of the fixture pack in a position, as a case would give it."""
    raw = {
        "id": "look",
        "game": "railway_boom",
        "pack": str(FX),
        "players": players,
        "options": dict(options or {}),
        "given": dict(given),
    }
    game, state = cases.opened(cases.from_toml(raw))
    assert isinstance(game, RailwayBoom)
    return game, state


class Look:
    """What lies on the mat: at first what the record says, then what people do with it."""

    def __init__(self, game: RailwayBoom, state: State) -> None:
        self.game = game
        self.state = state
        self._pieces = {piece.payload: piece for piece in game.printed.pieces}
        self._lies = [(placement.payload, placement.space) for placement in game.scene(state).placements]
        self._hidden: set[str] = set()
        self._doubtful: set[str] = set()
        self._foreign: tuple[str, ...] = ()
        self._order: tuple[str, ...] = ()

    @classmethod
    def of(cls, game: RailwayBoom, state: State, rails: Sequence[int], stations: Sequence[int]) -> Self:
        """The cards of a state with these tokens, as hex sets by seat."""
        look = cls(game, state)
        look._lies = [
            (payload, space) for payload, space in look._lies if look._pieces[payload].form != "sticker"
        ]
        what: Token
        for what, masks in (("rail", rails), ("station", stations)):
            for seat, mask in zip(game.seats, masks, strict=True):
                look.add(what, seat, *game.grid.names(mask))
        return look

    # What people do.

    def add(self, what: Token, seat: str, *spaces: str) -> Self:
        """Lay tokens that were in the supply, or outside this game."""
        taken = {payload for payload, _ in self._lies}
        spare = [p for p in self._of(what, seat) if p.payload not in taken]
        if len(spare) < len(spaces):
            # A box holds no more; for the reading it makes no difference which one lies there.
            spare += [Piece(f"MORE{what}{seat}{i}", what, "99", seat) for i in range(len(spaces))]
            self._pieces |= {piece.payload: piece for piece in spare}
        self._lies += [(piece.payload, space) for piece, space in zip(spare, spaces, strict=False)]
        return self

    def take(self, what: Token, seat: str, space: str) -> Self:
        """Take a token away."""
        self._lies.remove(self._token(what, seat, space))
        return self

    def knock(self, what: Token, seat: str, space: str, to: str) -> Self:
        """Push a token elsewhere."""
        payload, _ = self._token(what, seat, space)
        self._lies[self._lies.index((payload, space))] = (payload, to)
        return self

    def card(self, name: str, space: str) -> Self:
        """Turn up a card."""
        self._lies.append((self._card(name), space))
        return self

    def cards(self, zone: str, *names: str) -> Self:
        """Turn up cards in the places of a zone."""
        for place, name in enumerate(names, start=1):
            self.card(name, f"{zone}:{place}")
        return self

    def off(self, *names: str) -> Self:
        """Take cards off the mat."""
        payloads = {self._card(name) for name in names}
        assert payloads <= {payload for payload, _ in self._lies}
        self._lies = [(payload, space) for payload, space in self._lies if payload not in payloads]
        return self

    def hide(self, *spaces: str) -> Self:
        """A hand over some spaces: what lies there is not read."""
        self._hidden |= set(spaces)
        self._lies = [(payload, space) for payload, space in self._lies if space not in self._hidden]
        return self

    def doubt(self, *spaces: str) -> Self:
        """Spaces where something could not be made out."""
        self._doubtful |= set(spaces)
        return self

    def litter(self, *texts: str) -> Self:
        """Codes that are none of ours."""
        self._foreign += texts
        return self

    def again(self, what: Token, seat: str, space: str, also: str) -> Self:
        """The same code at a second place."""
        payload, _ = self._token(what, seat, space)
        self._lies.append((payload, also))
        return self

    def seen_in_order(self, *tokens: tuple[str, str]) -> Self:
        """The tokens, as (seat, space), in the order in which they came."""
        by_place = {(self._pieces[p].seat, space): p for p, space in self._lies if p in self._pieces}
        self._order = tuple(by_place[token] for token in tokens)
        return self

    def mend(self, edits: Iterable[Edit]) -> Self:
        """Do what a repair says."""
        recorded = self._recorded()
        for edit in edits:
            what: Token = "station" if edit.piece == "station" else "rail"
            seat = edit.seat or ""
            if edit.what == "remove" and edit.piece in ("rail", "station"):
                self.take(what, seat, edit.place)
            elif edit.what == "remove":
                self.off(edit.piece)
            elif edit.piece not in ("rail", "station"):
                self.card(edit.piece, f"{edit.place}:9")
            else:
                grid = self.game.grid
                beside = grid.names(grid.neighbours(grid.bit[edit.place]))
                knocked = [s for s in beside if self._has(what, seat, s) and (what, seat, s) not in recorded]
                if edit.what == "put_back" and len(knocked) == 1:
                    self.take(what, seat, knocked[0])
                self.add(what, seat, edit.place)
        return self

    # What comes of it.

    def observation(self) -> Observation:
        """What the camera reports."""
        sightings = tuple(Sighting(p, 0.0, 0.0, 0.0, 3.0, space or None) for p, space in self._lies)
        return Observation(
            sightings,
            hidden=frozenset(self._hidden),
            doubtful=frozenset(self._doubtful),
            foreign=self._foreign,
            order=self._order,
        )

    def read(self) -> Reading:
        """The reading of this look."""
        return read(self.game, self.state, self.observation(), Roster(self._pieces))

    def _recorded(self) -> set[tuple[str, str | None, str]]:
        lie = self.game.scene(self.state).placements
        return {(self._pieces[p.payload].what, self._pieces[p.payload].seat, p.space) for p in lie}

    def _has(self, what: Token, seat: str, space: str) -> bool:
        here = [self._pieces[payload] for payload, place in self._lies if place == space]
        return any((piece.what, piece.seat) == (what, seat) for piece in here)

    def _of(self, what: Token, seat: str) -> list[Piece]:
        return [p for p in self.game.printed.pieces if p.what == what and p.seat == seat]

    def _token(self, what: Token, seat: str, space: str) -> tuple[str, str]:
        return next(
            (payload, place)
            for payload, place in self._lies
            if place == space and (self._pieces[payload].what, self._pieces[payload].seat) == (what, seat)
        )

    def _card(self, name: str) -> str:
        return next(p.payload for p in self._pieces.values() if p.form == "card" and p.name == name)
