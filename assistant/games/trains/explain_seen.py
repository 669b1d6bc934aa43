"""What the camera saw, in the words of the game: what lies where, what is new and what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from assistant.games.trains.layout import GAINED, LEFTOVER, PLAY, REVEAL
from assistant.games.trains.scene import ZONES
from assistant.games.trains.state import DrawHand, ShowHand, State
from assistant.hexes import DIRECTIONS, bits
from assistant.reading import Difference, Seen

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

LATEST = 1 << 30

Sort = Literal["play", "station", "rail", "gained"]
SORTS: tuple[Sort, ...] = ("play", "station", "rail", "gained")
"""New things in the order in which they were done, where it was not seen: what brings money comes first."""
LANE_SORTS: dict[str, Sort] = {PLAY: "play", GAINED: "gained"}


class Card(Struct, frozen=True):
    """A card that lies in a lane: its id, its number, and when it was first seen."""

    id: str
    number: str
    rank: int


class Item(Struct, frozen=True):
    """Something new there: `what` is a card's id or a hex, `mark` the card's number or a rail's seat."""

    sort: Sort
    what: str
    mark: str = ""
    rank: int = LATEST


class Table(Struct):
    """What lies there: rails by seat as hex sets, stations by hex, cards by lane in the order seen."""

    rails: list[int]
    stations: Counter[str]
    lanes: dict[str, list[Card]]
    ranks: dict[tuple[str, str], int]
    """When a token was first seen, by seat ("" for stations) and hex; the latest of several."""
    hidden: int
    hidden_lanes: frozenset[str]
    odd: list[Difference]
    stacked: bool


def sorted_out(game: Trains, state: State, seen: Seen) -> Table:
    """Seen pieces by seat, hex and lane; what cannot belong where it lies is odd."""
    bit, hexes = game.board.grid.bit, game.board.hexes
    table = Table([0] * len(game.seats), Counter(), {}, {}, 0, frozenset(), [], seen.stacked)
    first = {payload: number for number, payload in enumerate(seen.order)}
    for piece, space in seen.pieces:
        rank = first.get(piece.payload, LATEST)
        if not space:
            continue
        if piece.what == "card":
            if space in hexes:
                table.odd.append(
                    Difference("wrong_place", space, rule="SM-SEE-4", piece=called(game, piece.name))
                )
            else:
                id, _, number = piece.name.rpartition("-")
                table.lanes.setdefault(space, []).append(Card(id, number, rank))
            continue
        place = hexes.get(space)
        key = (piece.seat or "", space)
        if place is None:
            table.odd.append(Difference("not_a_space", space, piece.seat, "SM-SEE-4", piece=piece.what))
        elif piece.what == "station":
            table.stations[space] += 1
            if place.terrain != "city":
                table.odd.append(Difference("wrong_place", space, rule="TR-STN-1", piece="station"))
            elif table.stations[space] > place.number:
                table.odd.append(Difference("hex_full", space, rule="TR-STN-2", piece="station"))
            table.ranks[key] = max(rank, table.ranks.get(key, rank))
        elif piece.seat not in game.index:
            table.odd.append(Difference("wrong_seat", space, piece.seat, "TR-SETUP-2", piece="rail"))
        elif place.terrain == "sea":
            rule = "TR-START-2" if state.phase == "start" else "TR-LAY-7"
            table.odd.append(Difference("not_a_space", space, piece.seat, rule, piece="rail"))
        elif table.rails[game.index[piece.seat]] & bit[space]:
            table.odd.append(Difference("hex_full", space, piece.seat, "TR-LAY-4", piece="rail"))
        else:
            table.rails[game.index[piece.seat]] |= bit[space]
            table.ranks[key] = rank
    table.hidden = game.board.grid.mask(name for name in seen.hidden if name in bit)
    table.hidden_lanes = seen.hidden - hexes.keys()
    for cards in table.lanes.values():
        cards.sort(key=lambda card: card.rank)
    return table


def called(game: Trains, name: str) -> str:
    """A card as people know it: its name and the number on its tag."""
    id, _, number = name.rpartition("-")
    return f"{game.name_of(id)} {number}"


class Changes:
    """What has changed on the table since a state was recorded."""

    def __init__(self, game: Trains, table: Table) -> None:
        self.game = game
        self.table = table
        self._moved: list[tuple[str, str]] = []
        """Tokens that were knocked to another hex, by seat and hex: they are nothing new."""

    def missing(self, state: State) -> list[Difference]:
        """Recorded tokens that are not there; one that turned up next door was knocked (TR-LAY-12)."""
        table, grid = self.table, self.game.board.grid
        out: list[Difference] = []
        if table.stacked:
            return out
        for seat, letter in enumerate(self.game.seats):
            new = table.rails[seat] & ~state.tokens[seat]
            for name in grid.names(state.tokens[seat] & ~table.rails[seat] & ~table.hidden):
                out.append(self._gone(name, letter, grid.names(self._beside(name) & new)))
        for index in bits(state.stations[0] & ~table.hidden):
            name = grid.name[index]
            beside = [n for n in grid.names(self._beside(name)) if self._more_stations(state, n) > 0]
            out += [self._gone(name, None, beside) for _ in range(-self._more_stations(state, name))]
        return out

    def _beside(self, name: str) -> int:
        """The hexes that touch one; a sleeve minds no barrier."""
        grid = self.game.board.grid
        q, r = grid.axial[name]
        around = {(q + dq, r + dr) for dq, dr in DIRECTIONS}
        return grid.mask(other for other, place in grid.axial.items() if place in around)

    def _gone(self, name: str, seat: str | None, beside: Sequence[str]) -> Difference:
        """A token that is gone: knocked, if there is just one new place beside it."""
        what = "rail" if seat else "station"
        free = [other for other in beside if (seat or "", other) not in self._moved]
        if len(free) != 1:
            return Difference("missing", name, seat, "TR-LAY-12", piece=what)
        self._moved.append((seat or "", free[0]))
        return Difference("moved", name, seat, "TR-LAY-12", piece=what, to=free[0])

    def _more_stations(self, state: State, name: str) -> int:
        """How many more stations are seen on a hex than recorded."""
        grid = self.game.board.grid
        return self.table.stations[name] - self.game.board.level(state, grid.bit[name])

    def left_over(self, state: State) -> list[Difference]:
        """Cards still lying where the table says what it owes: they would be taken for what comes next."""
        if state.phase != "turns" or state.stack:
            return []
        lanes = {LEFTOVER: self.table.lanes.get(LEFTOVER, []), REVEAL: self.new(state, REVEAL)}
        rules = {LEFTOVER: "TR-CLEAN-1", REVEAL: "SM-SEE-4"}
        return [
            Difference(
                "left_over", lane, rule=rules[lane], piece=called(self.game, f"{card.id}-{card.number}")
            )
            for lane, cards in lanes.items()
            for card in cards
        ]

    def fresh(self, state: State, amiss: list[Difference]) -> list[Item]:
        """What is new, in the order in which it came; other seats' rails are amiss."""
        table, game = self.table, self.game
        grid = game.board.grid
        items: list[Item] = []
        for seat, letter in enumerate(game.seats):
            for name in grid.names(table.rails[seat] & ~state.tokens[seat] & ~table.hidden):
                if (letter, name) in self._moved:
                    continue
                if state.phase == "turns" and seat != state.active:
                    amiss.append(Difference("wrong_seat", name, letter, "TR-TURN-1", piece="rail"))
                else:
                    items.append(Item("rail", name, letter, table.ranks[letter, name]))
        for name in sorted(table.stations):
            place = game.board.hexes[name]
            if place.terrain == "city" and not grid.bit[name] & table.hidden:
                # Those for which there is no room have been told.
                there = min(place.number, table.stations[name]) - self._moved.count(("", name))
                count = there - game.board.level(state, grid.bit[name])
                items += [Item("station", name, rank=table.ranks["", name])] * count
        if not self.clearing(state):
            for lane, sort in LANE_SORTS.items():
                items += [Item(sort, card.id, card.number, card.rank) for card in self.new(state, lane)]
        items.sort(key=lambda item: (item.rank, SORTS.index(item.sort)))
        return items

    def clearing(self, state: State) -> bool:
        """Whether the lanes are being cleared, or there is no turn."""
        return state.phase != "turns" or any(
            isinstance(task.line, ShowHand | DrawHand) for task in state.stack
        )

    def new(self, state: State, lane: str) -> list[Card]:
        """Cards of a lane beyond those recorded there; a Waste is counted, not explained (TR-WASTE-1).

        Of equal cards the strange ones are new, then those never read, then those seen last.
        """
        seat = self.game.seats[state.active]
        recorded = Counter(state.cards[seat].zones[ZONES[lane]].names)

        def age(card: Card) -> tuple[int, int]:
            owner = state.copies.get(f"{card.id}-{card.number}")
            return (1 if owner is None else 2 if owner == seat else 0), -card.rank

        new: list[Card] = []
        cards = self.table.lanes.get(lane, [])
        for id in dict.fromkeys(card.id for card in cards):
            same = sorted((card for card in cards if card.id == id), key=age)
            if id != self.game.waste or lane != GAINED:
                new += same[: max(0, len(same) - recorded[id])]
        return [card for card in cards if card in new]

    def waste(self, state: State) -> int:
        """How much more Waste lies in the gained lane than is recorded."""
        zone = state.cards[self.game.seats[state.active]].zones["gained"]
        there = sum(card.id == self.game.waste for card in self.table.lanes.get(GAINED, ()))
        return there - zone.names.count(self.game.waste)
