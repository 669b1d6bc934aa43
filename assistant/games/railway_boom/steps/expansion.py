"""Phase II, Turn Step: place a station, then build the route from it (RB-EXP)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import MoneyToPower, PlaceRT, PlaceStation
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import (
    other_masks,
    own_mask,
    place_rail,
    power_hexes,
    push_raises,
    routes,
    settle,
)
from assistant.games.railway_boom.state import MONEY, AwaitDraw, Deck, PowerTask, State, Step
from assistant.games.railway_boom.steps.base import StepPart, not_your_turn, unresolved
from assistant.offers import Form, Offer, Value
from assistant.rulings import Violation


class MoneyForm(Form, frozen=True):
    """Any amount of Money into power."""

    seat: str
    money: int
    kind = "money_to_power"

    def domain(self, filled: tuple[Value, ...]) -> range | None:  # type: ignore[override]
        return None if filled else range(1, self.money + 1)

    def make(self, filled: tuple[Value, ...]) -> Action:  # type: ignore[override]
        return MoneyToPower(self.seat, filled[0])


class ExpansionTurn(StepPart):
    """The EXPANSION step."""

    actions = (PlaceStation, MoneyToPower, PlaceRT)

    def acting(self, state: State) -> tuple[Acting, ...]:
        why = "route" if state.turn.station else "station"
        return self.game.asked[why][self.game.acting_seat(state)]

    def offers(self, state: State, seat: int) -> list[Offer]:
        letter = self.game.seats[seat]
        turn = state.turn
        if not turn.station:
            spots = [
                hex_name for hex_name in self._free_cities(state) if self._may_choose(state, seat, hex_name)
            ]
            return [PlaceStation(letter, name) for name in spots] or [self.game.end_turns[letter]]
        out: list[Offer] = []
        if turn.power >= 0:
            table = self.game.powered[letter]
            targets = power_hexes(self.game, state, seat)
            while targets:
                low = targets & -targets
                targets ^= low
                out.append(table[low])
            money = state.seats[seat].stock[MONEY - 1]
            if money:
                out.append(MoneyForm(letter, money))
        out.append(self.game.end_turns[letter])
        return out

    def open_turn(self, change: Change) -> None:
        """With `forbid_then_redraw`: draw more station cards while only own RTs are left (HR-04)."""
        state = change.state
        if self.game.options["station.on_own_rt"] != "forbid_then_redraw":
            return
        if state.step != Step.EXPANSION or state.turn.station:
            return
        seat = self.game.acting_seat(state)
        free = self._free_cities(state)
        stuck = free and not any(self._clear(state, seat, name) for name in free)
        if stuck and state.decks[Deck.STATIONS]:
            change.push(seat, AwaitDraw("HR-04", "stations", 1))

    def _free_cities(self, state: State) -> list[str]:
        """Hexes with an Indicator that nobody has chosen this phase."""
        city = self.game.station_hex
        return [city[place.card] for place in state.stations if place.taken < 0]

    def _clear(self, state: State, seat: int, name: str) -> bool:
        return not own_mask(state.seats[seat]) & self.game.grid.bit[name]

    def _may_choose(self, state: State, seat: int, name: str) -> bool:
        """RB-MAP-3 with HR-04: a city with an own RT only when no other one is free."""
        if self._clear(state, seat, name):
            return True
        if state.seats[seat].stations & self.game.grid.bit[name]:
            return False
        return not any(self._clear(state, seat, other) for other in self._free_cities(state))

    def unfinished(self, state: State) -> Violation | None:
        """The mandatory station, unless no city is left that it could go to (RB-EXP-3)."""
        seat = self.game.acting_seat(state)
        free = self._free_cities(state)
        if state.turn.station or not any(self._may_choose(state, seat, name) for name in free):
            return None
        return Violation("RB-EXP-3")

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        if isinstance(action, PlaceStation):
            yield from not_your_turn(self.game, state, seat, Step.EXPANSION)
            if action.hex not in self._free_cities(state) or state.turn.station:
                yield Violation("RB-EXP-3", {"hex": action.hex}, (action.hex,))
                return
            if not self._may_choose(state, seat, action.hex):
                yield Violation("RB-MAP-3", {"hex": action.hex}, (action.hex,))
            return
        if isinstance(action, PlaceRT) and action.free_placement:
            yield from self.game.choices.placement_violations(state, seat, action)
            return
        if state.step != Step.EXPANSION or self.game.acting_seat(state) != seat or not state.turn.station:
            yield Violation("RB-EXP-5")
            return
        yield from unresolved(state)
        record = state.seats[seat]
        if isinstance(action, MoneyToPower):
            have = record.stock[MONEY - 1]
            if action.n > have:
                yield Violation("RB-RES-1", {"resource": "money", "need": action.n, "have": have})
            return
        assert isinstance(action, PlaceRT)
        if record.rails_left <= 0:
            yield Violation("RB-STK-1", {"seat": action.seat})
        bit = self.game.grid.bit.get(action.hex, 0)
        if not bit:
            yield Violation("RB-MAP-2", {"hex": action.hex}, (action.hex,))
            return
        if own_mask(record) & bit:
            yield Violation("RB-MAP-3", {"hex": action.hex}, (action.hex,))
        if not self.game.grid.neighbours(state.turn.line) & bit:
            yield Violation("RB-EXP-7", {"hex": action.hex}, (action.hex,))
        cost = self.cost(state, seat, bit)
        if cost > state.turn.power:
            values = {"hex": action.hex, "cost": cost, "have": state.turn.power, "need": cost}
            yield Violation("RB-EXP-8", values, (action.hex,))

    def cost(self, state: State, seat: int, bit: int) -> int:
        """Power for an RT on a hex: printed cost and one more per other player's piece (RB-EXP-8)."""
        others = sum(bool(mask & bit) for mask in other_masks(state, seat))
        return self.game.board(state).cost[bit] + others

    def apply(self, change: Change, seat: int, action: Action) -> None:
        if isinstance(action, PlaceRT):
            self._rail(change, seat, action)
        elif isinstance(action, PlaceStation):
            self._station(change, seat, action.hex)
        else:
            assert isinstance(action, MoneyToPower)
            turn = change.state.turn
            change.pay(seat, MONEY, action.n, "RB-EXP-5")
            change.set(turn=replace(turn, power=turn.power + action.n))

    def _rail(self, change: Change, seat: int, action: PlaceRT) -> None:
        """A rail, free by an open choice or paid with power."""
        if action.free_placement:
            self.game.choices.place_free(change, seat, action.hex)
            return
        state = change.state
        turn = state.turn
        bit = self.game.grid.bit[action.hex]
        cost = self.cost(state, seat, bit)
        if cost > turn.power:
            change.short(seat, "power", cost - turn.power, "RB-EXP-8")
        change.set(turn=replace(turn, power=max(0, turn.power - cost)))
        place_rail(change, seat, bit, action.hex)
        settle(change, seat)

    def _station(self, change: Change, seat: int, name: str) -> None:
        """Everything one station causes, in the order of RB-EXP-12."""
        state, game = change.state, self.game
        info = game.board(state).cities[name]
        record = state.seats[seat]
        replaced = bool(record.rails & info.bit)
        if replaced:
            change.tell("rail_back", seat, hex=name)
        record = replace(
            record,
            rails=record.rails & ~info.bit,
            rails_left=record.rails_left + replaced,
            stations=record.stations | info.bit,
            stations_left=record.stations_left - 1,
        )
        change.put(seat, record)
        stations = tuple(
            replace(place, taken=seat) if game.station_hex[place.card] == name else place
            for place in state.stations
        )
        line = game.grid.component(info.bit, own_mask(record))
        change.set(stations=stations, turn=replace(state.turn, station=info.bit, line=line))
        routes(change, seat)
        change.push(seat, PowerTask(name, info.power))
        push_raises(
            change, seat, name, [(track, info.resources.count(track)) for track in set(info.resources)]
        )
        settle(change, seat)
