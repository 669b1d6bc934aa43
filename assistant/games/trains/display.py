"""What the screen shows of a game of Trains: strips, the map, the turn that is played, the Supply.

What each player owns is known to all, and so are piles that lie open; hands and the order of decks are in
nothing that is made here, but the viewer's own hand is. Where real hands are held a display names none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from assistant import cards as c
from assistant.display import Cards, Display, Gauge, Progress, Strip, Turn
from assistant.events import Told
from assistant.games.trains import texts
from assistant.games.trains.pack import Card
from assistant.games.trains.state import WAIVED, State
from assistant.hexes import bits
from assistant.layout import CardFace, CardValue
from assistant.reading import Spot

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

NEAR = 3
"""So few rails or stations are worth a warning: each may end the game."""
OPEN = ("play", "gained", "revealed")
"""Zones in which cards lie open during a turn."""


class Screen:
    """Makes displays for one game."""

    def __init__(self, game: Trains) -> None:
        self.game = game
        self.faces = {card.id: _face(card) for card in game.content.cards}
        self.effects = {card.id: texts.does(card) for card in game.content.cards}
        """By card id, numbers of the card and what it does."""

    def display(self, state: State, viewer: str) -> Display:
        """What the screen shows of a state."""
        game = self.game
        return Display(
            tuple(self.strip(state, seat) for seat in self.order(state)),
            Progress(),
            self.tokens(state),
            tints={},
            cards=self._cards(state, viewer),
            notes=self._notes(state),
            turn=self._turn(state) if state.phase == "turns" else None,
            notice=self.notice(state) if state.phase == "turns" else None,
            barriers=tuple((barrier.a, barrier.b) for barrier in game.content.barriers),
        )

    # Seats ------------------------------------------------------------------------------------------

    def order(self, state: State) -> tuple[int, ...]:
        """Seats in the order of play, the first player first."""
        count = len(self.game.seats)
        return tuple((state.first + place) % count for place in range(count))

    def worth(self, state: State, seat: int) -> int:
        """Points if the game ended now: the track, the map and all cards owned (TR-SCORE-4, TR-VIS-2)."""
        board, owned = self.game.board, c.owned(state.cards[self.game.seats[seat]])
        on_map = sum(points for _, _, points in board.scored(state, seat))
        return state.track[seat] + on_map + sum(n * owned[card] for card, n in self.game.worth.items())

    def strip(self, state: State, seat: int) -> Strip:
        """One seat: points if scored now, rails left, cards in deck and discard pile, Waste owned."""
        game = self.game
        cards = state.cards[game.seats[seat]]
        gauges = (
            Gauge("rails", game.rails_left(state, seat)),
            Gauge("deck", cards["deck"].size),
            Gauge("discard", cards["discard"].size),
            Gauge("waste", c.owned(cards)[game.waste]),
        )
        return Strip(game.seats[seat], self.worth(state, seat), gauges, self._status(state, seat))

    def _status(self, state: State, seat: int) -> str:
        if state.phase not in ("start", "turns"):
            return ""
        if seat == state.active:
            return "starting" if state.phase == "start" else "deciding" if state.stack else "playing"
        return "next" if seat == (state.active + 1) % len(self.game.seats) else ""

    # The map ----------------------------------------------------------------------------------------

    def tokens(self, state: State) -> tuple[Spot, ...]:
        """Rails of all seats, then stations, which are nobody's."""
        game = self.game
        name = game.board.grid.name
        rails = [
            Spot("rail", seat, name[place])
            for index, seat in enumerate(game.seats)
            for place in bits(state.tokens[index])
        ]
        stations = [Spot("station", None, name[place]) for level in state.stations for place in bits(level)]
        return (*rails, *stations)

    def _notes(self, state: State) -> dict[str, dict[str, str]]:
        """Small prints of cities and remote locations: room and stations there, or points."""
        board = self.game.board
        out: dict[str, dict[str, str]] = {}
        for place in board.hexes.values():
            if place.terrain == "city":
                there = board.level(state, board.grid.bit[place.id])
                out[place.id] = {"room": str(place.number), "built": str(there)}
            elif place.terrain == "remote":
                out[place.id] = {"number": str(place.number)}
        return out

    # The turn ---------------------------------------------------------------------------------------

    def gauges(self, state: State) -> tuple[Gauge, ...]:
        """What the active player has in this turn: Money, rails to lay, Waste taken so far, cards in hand."""
        turn, cards = state.turn, state.cards[self.game.seats[state.active]]
        return (
            Gauge("money", turn.money),
            Gauge("rails", turn.rails),
            Gauge("waste", cards["gained"].names.count(self.game.waste)),
            Gauge("hand", cards["hand"].size),
        )

    def holds(self, state: State) -> tuple[Told, ...]:
        """What holds until the end of the turn."""
        turn = state.turn
        out = [Told(f"waive.{name}") for name, flag in WAIVED.items() if turn.waived & flag]
        out += [Told("bonus", values={"n": n, "of": f"colour:{colour}"}) for colour, n in turn.bonus]
        if turn.no_waste:
            out.append(Told("no_waste"))
        if turn.topdeck:
            out.append(Told("topdeck_buys"))
        return tuple(out)

    def _turn(self, state: State) -> Turn:
        seat = self.game.seats[state.active]
        cards = state.cards[seat]
        open_ = tuple(self._group(zone, seat, cards[zone].names) for zone in OPEN if cards[zone].names)
        return Turn(seat, self.gauges(state), open_, self.holds(state))

    def notice(self, state: State) -> Told:
        """How far the end is: the condition that is met, else the nearest."""
        game = self.game
        met = game.end_conditions(state)
        if met:
            return Told("ending", values={"rule": met[0]})
        left = min((game.rails_left(state, seat), seat) for seat in range(len(game.seats)))
        if left[0] <= NEAR:
            return Told("near.rails", values={"next": game.seats[left[1]], "left": left[0]})
        if game.stations_left(state) <= NEAR:
            return Told("near.stations", values={"left": game.stations_left(state)})
        empty = sum(not count for card, count in state.supply.items() if card != game.waste)
        return Told("near.stacks", values={"n": empty, "of": game.content.ends.empty_stacks})

    # Cards ------------------------------------------------------------------------------------------

    def _cards(self, state: State, viewer: str) -> tuple[Cards, ...]:
        """The Supply with what is left of each stack, what lies open, the viewer's own hand."""
        game = self.game
        stacks = tuple(state.supply)
        faces = tuple(self._left(card, state.supply[card]) for card in stacks)
        spent = frozenset(card for card, left in state.supply.items() if not left)
        out = [Cards("supply", None, faces, stacks, spent, tuple(self.effects[card] for card in stacks))]
        for seat in game.seats:
            cards = state.cards[seat]
            zones = (*OPEN, "discard", *(("hand",) if seat == viewer else ()))
            out += [
                self._group(zone, seat, names)
                for zone in zones
                if (names := tuple(k.card for k in cards[zone].named if k.to is None or viewer in k.to))
            ]
        return tuple(out)

    def _group(self, zone: str, seat: str, names: Iterable[str]) -> Cards:
        """Cards of a zone in the order of the pack."""
        found = tuple(sorted(names, key=self.game.order.index))
        faces = tuple(self.faces[name] for name in found)
        return Cards(zone, seat, faces, found, effects=tuple(self.effects[name] for name in found))

    def _left(self, card: str, left: int) -> CardFace:
        face = self.faces[card]
        return msgspec.structs.replace(face, values=(*face.values, CardValue("left", str(left), "left")))


def _face(card: Card) -> CardFace:
    """What is printed on a card in numbers: its cost large, its Money and points."""
    values = [CardValue("money", f"+{card.value}", "money")] if card.value else []
    if card.vp:
        values.append(CardValue("vp", str(card.vp), "vp"))
    return CardFace(
        card.id,
        card.name,
        corner=str(card.cost) if card.cost >= 0 else "",
        corner_icon="money" if card.cost >= 0 else "",
        values=tuple(values),
        tint=card.colour,
    )
