"""What an action of Railway Boom would do, said before it is done.

Numbers come from doing it: the state is a value, so trying costs nothing. The sentence says what numbers
do not: the rank of a bid, the power that is left, what a card does. Its values are of the same kinds as
those of events: ids of cards, places, catalogue words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant import auction
from assistant.actions import Action
from assistant.display import Change, Foresight, Train, changes
from assistant.events import Told
from assistant.games.railway_boom.actions import (
    Bid,
    BuyCarriage,
    BuyDev,
    Choose,
    ChooseSet,
    Confirm,
    DeclareTrain,
    Decline,
    Done,
    EndTurn,
    LoadTile,
    MoneyToPower,
    OperateNext,
    PayWild,
    PlaceRT,
    PlaceStation,
    Rollback,
    TakeFree,
    TakeLoco,
    UseDev,
)
from assistant.games.railway_boom.effects import card_of
from assistant.games.railway_boom.pack import TRACK_INDEX, TRACKS
from assistant.games.railway_boom.state import (
    COAL,
    AskBuy,
    AskFree,
    AskGain,
    AskIncome,
    AskLease,
    Phase,
    State,
    Step,
)

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

Said = tuple[str, dict[str, Any]] | None
"""A key of the table `hints` with its values."""
RANKS = ("rank.1", "rank.2", "rank.3", "rank.4")
"""Ranks of an auction as catalogue words."""


class Foresights:
    """Foresees actions of one game."""

    def __init__(self, game: RailwayBoom) -> None:
        self.game = game
        content = game.content
        self._ground: dict[str, str] = {place.id: place.terrain for place in content.hexes}
        """By hex, a city's name or the word for its terrain."""
        self._ground.update({city.hex: city.name for city in content.cities})
        self._ground.update({tourist.hex: tourist.name for tourist in content.tourists})
        self._hints: dict[type[Action], Callable[[State, State, int, Any], Said]] = {
            Bid: self._bid,
            Confirm: self._confirm,
            PayWild: self._pay,
            UseDev: self._development,
            TakeLoco: self._loco,
            BuyCarriage: self._carriage,
            PlaceStation: self._station,
            MoneyToPower: self._power,
            PlaceRT: self._rail,
            ChooseSet: self._set,
            TakeFree: self._development,
            BuyDev: self._development,
            LoadTile: self._load,
            OperateNext: self._operate,
            Rollback: self._rollback,
            Choose: self._choose,
            Decline: self._decline,
            EndTurn: self._end,
            Done: self._done,
        }

    def foresee(self, state: State, action: Action) -> Foresight:
        """What a legal action would do; nothing for what the table turns up."""
        seat = self.game.index.get(action.seat, -1)  # type: ignore[attr-defined]
        if seat < 0:
            return Foresight()
        after = self.game.apply(state, action)[0]
        if isinstance(action, DeclareTrain):
            return self._train(state, after, seat, action)
        hint = self._hints.get(type(action))
        said = hint(state, after, seat, action) if hint else None
        return Foresight(self._changes(state, after, seat), self._told(seat, said))

    def _changes(self, before: State, after: State, seat: int) -> tuple[Change, ...]:
        old, new = before.seats[seat], after.seats[seat]
        if old.stock == new.stock and old.vp == new.vp:
            return ()
        strip = self.game.screen.strip
        return changes(strip(before, seat), strip(after, seat))

    def _told(self, seat: int, said: Said) -> Told | None:
        return None if said is None else Told(said[0], self.game.seats[seat], said[1])

    # Trains ---------------------------------------------------------------------------------------

    def _train(self, state: State, formed: State, seat: int, action: DeclareTrain) -> Foresight:
        """The whole train, run to its end; one that gets stuck changes nothing, as it starts over."""
        train, end = self.game.screen.simulate(formed, seat)
        if train.short:
            return Foresight((), self._told(seat, self._short(train, action)), train)
        left = end.seats[seat].stock[COAL - 1]
        said = "declare_train", {"left": left, "n": len(train.cars)}
        return Foresight(self._changes(state, end, seat), self._told(seat, said), train)

    def _short(self, train: Train, action: DeclareTrain) -> Said:
        names = (action.loco, *action.carriages)
        stuck = next(index for index, car in enumerate(train.cars) if car.pays > car.before)
        car = train.cars[stuck]
        return "declare_train.short", {"card": names[stuck], "need": car.pays, "have": car.before}

    def _operate(self, state: State, after: State, seat: int, action: OperateNext) -> Said:
        train = state.trains[seat]
        assert train is not None
        cost, have = self.game.operation.next_cost(state, seat), state.seats[seat].stock[COAL - 1]
        return "operate_next", {"card": train.cards[train.next], "cost": cost, "left": have - cost}

    def _rollback(self, state: State, after: State, seat: int, action: Rollback) -> Said:
        train = state.trains[seat]
        assert train is not None
        if train.firm:
            return "rollback.firm", {"cards": list(train.cards[train.next :])}
        return "rollback", {"cards": list(train.cards)}

    def _load(self, state: State, after: State, seat: int, action: LoadTile) -> Said:
        record = after.seats[seat]
        is_loco = action.card in self.game.locomotives
        card, owned = card_of(self.game, record, action.card, is_loco)
        return "load_tile", {"card": action.card, "count": sum(owned.tiles), "capacity": card.capacity}

    def _done(self, state: State, after: State, seat: int, action: Done) -> Said:
        record = state.seats[seat]
        left = sum(not card.operated for card in (*record.locos, *record.carriages))
        return ("done", {"n": left}) if left else ("done.all", {})

    # The auction ----------------------------------------------------------------------------------

    def _bid(self, state: State, after: State, seat: int, action: Bid) -> Said:
        screen = self.game.screen
        before = auction.ranks(state.track).index(seat)
        rank, pays, _ = screen.standing(after.track, seat)
        values = {"space": action.space, "rank": RANKS[rank - 1], "pays": pays, "what": screen.bid_in(state)}
        return ("bid.stay" if rank - 1 == before else "bid"), values

    def _confirm(self, state: State, after: State, seat: int, action: Confirm) -> Said:
        # The last to lock in pays at once: only the track before it still tells.
        screen = self.game.screen
        rank, pays, _ = screen.standing(state.track, seat)
        last = state.track.up == 1 << seat
        values = {
            "space": state.track.value[seat],
            "rank": RANKS[rank - 1],
            "pays": pays,
            "what": screen.bid_in(state),
        }
        return ("confirm.last" if last else "confirm"), values

    def _pay(self, state: State, after: State, seat: int, action: PayWild) -> Said:
        return "pay_wild", {"rank": RANKS[state.active], "pays": sum(action.pay.values())}

    # Turns ----------------------------------------------------------------------------------------

    def _loco(self, state: State, after: State, seat: int, action: TakeLoco) -> Said:
        card = self.game.locomotives[action.card]
        return "take_loco", {"coal": card.coal, "capacity": card.capacity}

    def _carriage(self, state: State, after: State, seat: int, action: BuyCarriage) -> Said:
        card = self.game.carriages[action.card]
        values = {"price": card.price, "coal": card.coal, "vp": card.vp, "capacity": card.capacity}
        return "buy_carriage", values

    def _station(self, state: State, after: State, seat: int, action: PlaceStation) -> Said:
        info = self.game.board(state).cities[action.hex]
        key = "place_station.replaces" if state.seats[seat].rails & info.bit else "place_station"
        tracks = [TRACKS[kind] for kind in info.resources]
        return key, {"name": info.city.name, "power": info.power, "tracks": tracks}

    def _power(self, state: State, after: State, seat: int, action: MoneyToPower) -> Said:
        return "money_to_power", {"have": state.turn.power, "left": state.turn.power + action.n}

    def _rail(self, state: State, after: State, seat: int, action: PlaceRT) -> Said:
        values: dict[str, Any] = {"ground": self._ground[action.hex]}
        gain = self._gain(state, after, seat, action.hex)
        if gain:
            values["gain"] = gain
        if action.free_placement:
            return ("place_rt.free.brings" if gain else "place_rt.free"), values
        bit = self.game.grid.bit[action.hex]
        cost, have = self.game.expansion.cost(state, seat, bit), state.turn.power
        values |= {"cost": cost, "have": have, "left": max(0, have - cost)}
        extra = cost - self.game.board(state).cost[bit]
        if extra:
            values["extra"] = extra
        return f"place_rt{'.shared' if extra else ''}{'.brings' if gain else ''}", values

    def _gain(self, state: State, after: State, seat: int, name: str) -> list[str] | dict[str, int]:
        """What the space brings besides points: tiles, or what a Tourist City asks."""
        board, bit = self.game.board(state), self.game.grid.bit[name]
        if bit in board.tourists:
            icon = board.tourists[bit].kind
            return [] if icon == "vp" else [icon]
        old, new = state.seats[seat].tiles, after.seats[seat].tiles
        more = {f"tile:{TRACKS[kind]}": new[kind] - old[kind] for kind in range(len(TRACKS))}
        return {what: n for what, n in more.items() if n}

    def _set(self, state: State, after: State, seat: int, action: ChooseSet) -> Said:
        facts, cards = self.game.developments, state.rows[action.row - 1].cards
        least = min([facts[name].cost for name in cards], default=0)
        free = [name for name in cards if facts[name].cost == least]
        if len(free) != 1:
            return "choose_set.several", {"cards": free}
        return "choose_set", {"card": free[0], "cards": [name for name in cards if name != free[0]]}

    def _development(self, state: State, after: State, seat: int, action: TakeFree | BuyDev | UseDev) -> Said:
        card = self.game.developments[action.card]
        values: dict[str, Any] = {
            "gain": card.gain,
            "pay": card.pay,
            "n": card.pay_any or card.count or card.threshold or card.power,
            "vp": card.vp,
            "income": {raised.track: raised.steps for raised in card.income},
            "tiles": card.tiles,
            "track": card.track or "vp",
        }
        return f"dev.{card.kind}", values

    def _end(self, state: State, after: State, seat: int, action: EndTurn) -> Said:
        game = self.game
        if state.phase == Phase.OBJECTIVE:
            now = state.round - 1
            card = game.objectives[state.objectives[now]]
            space = game.objective.open_space(state)
            return "end_turn.cube", {"card": card.id, "multiplier": card.spaces[space].multiplier}
        if state.step == Step.EXPANSION and state.turn.power > 0:
            return "end_turn.power", {"left": state.turn.power}
        order = game.screen.order(state)
        if state.active + 1 < len(order):
            return "end_turn", {"next": game.seats[order[state.active + 1]]}
        return "end_turn.last", {}

    # Open choices ---------------------------------------------------------------------------------

    def _choose(self, state: State, after: State, seat: int, action: Choose) -> Said:
        game, top = self.game, state.top(seat)
        if isinstance(top, AskIncome):
            track = TRACK_INDEX[action.option[0]]
            level = state.seats[seat].levels[track] + 1
            values = {"track": TRACKS[track], "level": level, "amount": game.amounts[track][level]}
            return "choose.income", values
        if isinstance(top, AskLease):
            return "choose.lease", {"card": action.option[0], "vp": game.developments[top.source].vp}
        assert isinstance(top, AskGain)
        return None

    def _decline(self, state: State, after: State, seat: int, action: Decline) -> Said:
        top = state.top(seat)
        if isinstance(top, AskFree):
            return "decline.free_rt", {}
        if isinstance(top, AskBuy):
            return "decline.buy", {"cards": list(top.cards)}
        return "decline.lease", {}
