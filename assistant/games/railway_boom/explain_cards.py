"""Cards on the mat: which draws, purchases and leftovers explain what lies face up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assistant.actions import Action
from assistant.games.railway_boom.actions import BuyCarriage, BuyDev, ChooseSet, Draw, TakeFree, TakeLoco
from assistant.games.railway_boom.state import AskBuy, State, Step
from assistant.reading import Difference, Hole

if TYPE_CHECKING:
    from assistant.games.railway_boom.explain import Table
    from assistant.games.railway_boom.game import RailwayBoom

MARKET = {
    "locomotive": "locomotives",
    "carriage": "carriages",
    "station_card": "stations",
    "development": "developments",
    "objective": "objectives",
    "route": "routes",
}
"""Class of card to the zone in which it lies face up."""
ASIDE = "draw"
"""Zone for cards drawn by an effect and for the cards of the first auction order."""
ZONES = (*MARKET.values(), ASIDE)


class Cards:
    """One look at the cards. `explain` may be called once."""

    def __init__(self, game: RailwayBoom, table: Table) -> None:
        self.game = game
        self.table = table
        self.actions: list[Action] = []
        """What explains the change of the cards."""
        self.wrong: list[Difference] = []
        self.waiting: Hole | None = None
        """Cards that are still to be turned up."""
        self.sure = True

    def explain(self, state: State) -> State:
        """Explain the cards since a state; gives the state after that, the same when something is wrong."""
        due = self.game.table.due(state)
        expected = expected_cards(self.game, state)
        here = state
        for zone in ZONES:
            there, want = self.table.cards.get(zone, {}), expected.get(zone, ())
            fresh = {name: space for name, space in there.items() if name not in want}
            if due is not None and zone == draw_zone(state, due[0]):
                here = self._due(here, fresh)
            else:
                self.wrong += [Difference("left_over", s, rule="SM-SEE-4", piece=n) for n, s in fresh.items()]
            gone = [name for name in want if name not in there]
            if gone and not self.table.stacked and zone not in self.table.hidden_zones:
                here = self._gone(here, zone, gone)
        return state if self.wrong else here

    def drawn(self, state: State) -> Draw | Hole:
        """The draw that an open effect waits for, if its cards lie there; else how many are missing."""
        due = self.game.table.due(state)
        assert due is not None
        deck, count = due
        expected = expected_cards(self.game, state)
        zone = draw_zone(state, deck)
        there = self.table.cards.get(zone, {})
        fresh = {name: space for name, space in there.items() if name not in expected.get(zone, ())}
        draw = Draw(deck, _in_order(fresh))
        if self.game.refuse(state, draw) is not None:
            return Hole("cards", None, max(1, count - len(fresh)), detail=deck)
        # They have been called left over, because nothing waited for them in the state before.
        self.wrong = [d for d in self.wrong if d.kind != "left_over" or d.piece not in fresh]
        return draw

    def _due(self, state: State, fresh: dict[str, str]) -> State:
        """Cards that the table was to turn up; fewer than asked means waiting for the rest."""
        due = self.game.table.due(state)
        assert due is not None
        deck, count = due
        there = self.game.table.in_deck(state, deck)
        wrong = [
            Difference("wrong_card", space, rule="RB-DRAW-2", piece=name)
            for name, space in fresh.items()
            if name not in there
        ]
        if len(fresh) > count:
            place = max(fresh.values(), key=_place_number)
            wrong.append(Difference("wrong_count", place, rule="RB-DRAW-1", n=len(fresh) - count, piece=deck))
        self.wrong += wrong
        if wrong:
            return state
        if len(fresh) < count:
            self.waiting = Hole("cards", None, count - len(fresh), detail=deck)
            return state
        self.sure = self.sure and draw_zone(state, deck) not in self.table.hidden_zones
        return self._do(state, Draw(deck, _in_order(fresh)))

    def _gone(self, state: State, zone: str, gone: list[str]) -> State:
        """Cards that left their zone: the acting seat took or bought them, if it may."""
        game = self.game
        seat = game.seats[game.acting_seat(state)]
        if zone == ASIDE:
            return self._cleared(state, gone)
        for name in gone:
            rule = "SM-SEE-3"
            for action in _ways_to_take(state, seat, zone, name):
                if game.refuse(state, action) is not None:
                    continue
                if isinstance(action, ChooseSet):
                    chosen, _ = game.apply(state, action)
                    if game.refuse(chosen, TakeFree(seat, name)) is not None:
                        rule = "RB-DEV-4"
                        continue
                    state = self._do(state, action)
                    action = TakeFree(seat, name)
                state = self._do(state, action)
                break
            else:
                self.wrong.append(Difference("missing", zone, rule=rule, piece=name))
        return state

    def _cleared(self, state: State, gone: list[str]) -> State:
        """Drawn cards that were put away: one alone was bought; of both nothing is concluded."""
        if len(gone) == 1:
            for seat, letter in enumerate(self.game.seats):
                action = BuyDev(letter, gone[0])
                if isinstance(state.top(seat), AskBuy) and self.game.refuse(state, action) is None:
                    return self._do(state, action)
        return state

    def _do(self, state: State, action: Action) -> State:
        self.actions.append(action)
        return self.game.apply(state, action)[0]


def _ways_to_take(state: State, seat: str, zone: str, name: str) -> Iterator[Action]:
    if zone == "locomotives":
        yield TakeLoco(seat, name)
    elif zone == "carriages":
        yield BuyCarriage(seat, name)
    elif zone == "developments":
        yield TakeFree(seat, name)
        yield BuyDev(seat, name)
        for number, row in enumerate(state.rows, start=1):
            if name in row.cards:
                yield ChooseSet(seat, number)


def _in_order(fresh: dict[str, str]) -> tuple[str, ...]:
    """Card ids by the number of their place."""
    return tuple(sorted(fresh, key=lambda name: _place_number(fresh[name])))


def _place_number(space: str) -> int:
    return int(space.rpartition(":")[2])


def draw_zone(state: State, deck: str) -> str:
    """Where cards of a deck are turned up now: the market, or aside for effects and the first order."""
    if state.stacks and deck == "developments":
        return ASIDE
    if state.step == Step.SETUP and deck == "stations":
        return ASIDE
    return deck


def expected_cards(game: RailwayBoom, state: State) -> dict[str, tuple[str, ...]]:
    """Card ids that should lie face up, by zone."""
    drawn = [e.cards for stack in state.stacks for e in stack.open if isinstance(e, AskBuy)]
    return {
        "locomotives": state.locomotives,
        "carriages": state.carriages,
        "stations": tuple(place.card for place in state.stations),
        "developments": tuple(name for row in state.rows for name in row.cards),
        "objectives": state.objectives,
        "routes": state.routes,
        ASIDE: tuple(name for cards in drawn for name in cards),
    }
