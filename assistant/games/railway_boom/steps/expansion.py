"""Phase II, Turn Step: place a station, then build the route from it (RB-EXP)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import MoneyToPower, PlaceRT, PlaceStation
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import (
    own_mask,
    place_rail,
    power_hexes,
    push_raises,
    routes,
    settle,
)
from assistant.games.railway_boom.state import MONEY, AwaitDraw, Deck, PowerTask, State, Step
from assistant.games.railway_boom.steps.base import Consequence, StepPart, not_your_turn, unresolved
from assistant.hexes import pick
from assistant.offers import Form, Offer, Value
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


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

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._stations: list[dict[str, Offer]]
        self._stations = [{name: PlaceStation(s, name) for name in game.grid.bit} for s in game.seats]
        self._rails: list[Sequence[Offer]] = [game.grid.by_index(game.powered[s]) for s in game.seats]

    def acting(self, state: State) -> tuple[Acting, ...]:
        why = "route" if state.turn.station else "station"
        return self.game.asked[why][state.track.white[-1 - state.active]]

    def offers(self, state: State, seat: int) -> list[Offer]:
        if state.track.white[-1 - state.active] != seat:
            return []
        turn = state.turn
        end = self.game.end_turns[seat]
        if not turn.station:
            table = self._stations[seat]
            return [table[name] for name in self._open_cities(state, seat)] or [end]
        out: list[Offer] = []
        if turn.power >= 0:
            letter = self.game.seats[seat]
            out = pick(power_hexes(self.game, state, seat), self._rails[seat])
            money = state.seats[seat].stock[MONEY - 1]
            if money:
                out.append(MoneyForm(letter, money))
        out.append(end)
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

    def _open_cities(self, state: State, seat: int) -> list[str]:
        """Where the seat's station may go (RB-MAP-3 with HR-04).

        A city with an own RT only when no other one is free.
        """
        bit, record = self.game.grid.bit, state.seats[seat]
        rails, stations = record.rails, record.stations
        cities = [name for name in self._free_cities(state) if not stations & bit[name]]
        return [name for name in cities if not rails & bit[name]] or cities

    def unfinished(self, state: State) -> Violation | None:
        """The mandatory station, unless no city is left that it could go to (RB-EXP-3)."""
        seat = self.game.acting_seat(state)
        if state.turn.station or not self._open_cities(state, seat):
            return None
        return Violation("RB-EXP-3")

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        if isinstance(action, PlaceStation):
            yield from not_your_turn(self.game, state, seat, Step.EXPANSION)
            if action.hex not in self._free_cities(state) or state.turn.station:
                yield Violation("RB-EXP-3", {"hex": action.hex}, (action.hex,))
                return
            if action.hex not in self._open_cities(state, seat):
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
        cost = self.game.board(state).cost[bit]
        for index, record in enumerate(state.seats):
            if (record.rails | record.stations) & bit and index != seat:
                cost += 1
        return cost

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {PlaceRT: self._rail, PlaceStation: self._station, MoneyToPower: self._money}

    def _money(self, change: Change, seat: int, action: MoneyToPower) -> None:
        turn = change.table.turn
        change.pay(seat, MONEY, action.n, "RB-EXP-5")
        change.set(turn=replace(turn, power=turn.power + action.n))

    def _rail(self, change: Change, seat: int, action: PlaceRT) -> None:
        """A rail, free by an open choice or paid with power."""
        if action.free_placement:
            self.game.choices.place_free(change, seat, action.hex)
            return
        table = change.table
        bit = self.game.grid.bit[action.hex]
        cost = self.cost(table, seat, bit)
        if cost > table.turn.power:
            change.short(seat, "power", cost - table.turn.power, "RB-EXP-8")
        place_rail(change, seat, bit, action.hex, cost)
        settle(change, seat)

    def _station(self, change: Change, seat: int, action: PlaceStation) -> None:
        """Everything one station causes, in the order of RB-EXP-12."""
        game, table, name = self.game, change.table, action.hex
        info = game.board(table).cities[name]
        record = change.seats[seat]
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
        city = game.station_hex
        stations = tuple(
            [replace(place, taken=seat) if city[place.card] == name else place for place in table.stations]
        )
        line = game.grid.component(info.bit, own_mask(record))
        change.set(stations=stations, turn=replace(table.turn, station=info.bit, line=line))
        routes(change, seat)
        change.push(seat, PowerTask(name, info.power))
        push_raises(change, seat, name, info.raises)
        settle(change, seat)
