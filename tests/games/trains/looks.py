"""Looks at a table of Trains: what a camera would report after people have laid and taken pieces."""

from __future__ import annotations

from functools import cache
from typing import Any, Self

from assistant.actions import Action
from assistant.dealing import Deal
from assistant.game import find_title
from assistant.games.trains.actions import First, Stacks, StartPlace
from assistant.games.trains.game import Trains
from assistant.games.trains.state import State
from assistant.observation import Observation, Sighting
from assistant.reading import Reading, Roster, read

STACKS = ("TC-IC", "TC-GA", "TC-EA", "TC-WF", "TC-HT", "TC-LF", "TC-TT", "TC-MF")


@cache
def game(seats: int = 2, **options: str) -> Trains:
    """A game on the map of Kestrel Bay."""
    title = find_title("trains")
    made = title.open(title.load_pack("kestrel_bay"), seats, options)
    assert isinstance(made, Trains)
    return made


def done(table: Trains, state: State, *actions: Action) -> State:
    """The state after legal actions."""
    for action in actions:
        assert table.refuse(state, action) is None, (action, table.refuse(state, action))
        state, _ = table.apply(state, action)
    return state


def begun(table: Trains, *starts: str) -> State:
    """A table with unnamed hands; the starting tokens that are named lie there."""
    letters = table.seats
    state = done(table, table.start(), Stacks(STACKS), First("A"), *(Deal(s, 5) for s in letters))
    return done(table, state, *(StartPlace(s, name) for s, name in zip(letters, starts, strict=False)))


def holding(table: Trains, state: State, *hand: str, deck: tuple[str, ...] = ("TC-NT",) * 5) -> State:
    """The state with these cards in A's hand and deck, known to all; what that takes comes from the box."""
    position: dict[str, Any] = table.to_position(state)
    seats = {**position["seats"], "A": {**position["seats"]["A"], "hand": hand, "deck": deck}}
    seats["A"] |= {"unnamed": {}, "pool": {}, "gained": [], "discard": []}
    position |= {"seats": seats, "box": None}
    for card in hand:
        if card in position["supply"] and card not in ("TC-LR", "TC-SE"):
            position["supply"] = {**position["supply"], card: position["supply"][card] - hand.count(card)}
    return table.from_position(position)


class Look:
    """What lies on the mat: at first what the record says, then what people do with it."""

    def __init__(self, table: Trains, state: State) -> None:
        self.table, self.state = table, state
        self._pieces = {piece.payload: piece for piece in table.printed.pieces}
        self._lies = [(placement.payload, placement.space) for placement in table.scene(state).placements]
        self._hidden: frozenset[str] = frozenset()
        self._order: tuple[str, ...] = ()

    def lay(self, what: str, seat: str | None, *spaces: str) -> Self:
        """Lay tokens out of the supply."""
        for space in spaces:
            taken = {payload for payload, _ in self._lies}
            spare = (p for p in self._pieces.values() if (p.what, p.seat) == (what, seat))
            self._lies.append((next(p.payload for p in spare if p.payload not in taken), space))
        return self

    def rail(self, seat: str, *spaces: str) -> Self:
        return self.lay("rail", seat, *spaces)

    def station(self, *spaces: str) -> Self:
        return self.lay("station", None, *spaces)

    def cards(self, lane: str, *names: str) -> Self:
        """Lay cards by their names, `TC-LR-07`."""
        payload = {piece.name: piece.payload for piece in self._pieces.values() if piece.what == "card"}
        self._lies += [(payload[name], lane) for name in names]
        return self

    def carry(self, name: str, lane: str) -> Self:
        """Move a card to another lane."""
        payload = next(piece.payload for piece in self._pieces.values() if piece.name == name)
        self._lies = [(p, lane if p == payload else space) for p, space in self._lies]
        return self

    def clear(self, lane: str) -> Self:
        """Nothing of a lane is seen: it is cleared, or all is covered."""
        self._lies = [(payload, space) for payload, space in self._lies if space != lane]
        return self

    def take(self, what: str, seat: str | None, space: str, to: str = "") -> Self:
        """Take a token away, or push it elsewhere."""
        for at, (payload, here) in enumerate(self._lies):
            piece = self._pieces[payload]
            if (piece.what, piece.seat, here) == (what, seat, space):
                self._lies[at : at + 1] = [(payload, to)] if to else []
                return self
        raise AssertionError(f"no {what} of {seat} lies on {space}")

    def hide(self, *spaces: str) -> Self:
        """A hand over some spaces: what lies there is not read."""
        self._hidden = frozenset(spaces)
        self._lies = [(payload, space) for payload, space in self._lies if space not in self._hidden]
        return self

    def in_order(self, *names: str) -> Self:
        """The names of pieces, or the hexes of tokens, in the order in which they came."""
        by_name = {self._pieces[payload].name: payload for payload, _ in self._lies}
        by_place = {space: payload for payload, space in self._lies}
        self._order = tuple(by_name.get(name) or by_place[name] for name in names)
        return self

    def read(self) -> Reading:
        """The reading of this look."""
        sightings = tuple(Sighting(p, 0.0, 0.0, 0.0, 3.0, space or None) for p, space in self._lies)
        observation = Observation(sightings, hidden=self._hidden, order=self._order)
        return read(self.table, self.state, observation, Roster(self._pieces))
