"""Phase III, Turn Step: choose a set, take its lowest card free, buy others (RB-DEV)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import BuyDev, ChooseSet, TakeFree
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import gain_development, settle
from assistant.games.railway_boom.state import TECH, AskBuy, Phase, Row, State, Step
from assistant.games.railway_boom.steps.base import Consequence, StepPart, not_your_turn
from assistant.offers import Offer
from assistant.rulings import NotUnderstood, Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


class DevelopmentTurn(StepPart):
    """The DEVELOPMENT step."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        cards = game.developments
        self._takes: list[dict[str, Offer]]
        self._takes = [{name: TakeFree(s, name) for name in cards} for s in game.seats]
        self.buys: list[dict[str, Offer]] = [{name: BuyDev(s, name) for name in cards} for s in game.seats]
        """By index of the seat and by card: the action of buying it."""

    def acting(self, state: State) -> tuple[Acting, ...]:
        turn = state.turn
        why = "set" if turn.row < 0 else "buy" if turn.free_taken else "free_card"
        return self.game.asked[why][state.track.white[-1 - state.active]]

    def lowest(self, state: State) -> list[str]:
        """The cheapest cards of the chosen row (RB-DEV-4)."""
        facts = self.game.developments
        cards = state.rows[state.turn.row].cards
        costs = [facts[name].cost for name in cards]
        least = min(costs, default=0)
        return [name for name, cost in zip(cards, costs, strict=True) if cost == least]

    def offers(self, state: State, seat: int) -> list[Offer]:
        if state.track.white[-1 - state.active] != seat:
            return []
        turn = state.turn
        end = self.game.end_turns[seat]
        if turn.row < 0:
            letter = self.game.seats[seat]
            sets = [index for index, row in enumerate(state.rows, start=1) if row.taken < 0]
            return [ChooseSet(letter, number) for number in sets] or [end]
        if not turn.free_taken:
            takes = self._takes[seat]
            return [takes[name] for name in dict.fromkeys(self.lowest(state))]
        have = state.seats[seat].stock[TECH - 1]
        facts, buys = self.game.developments, self.buys[seat]
        out = [buys[name] for name in dict.fromkeys(state.rows[turn.row].cards) if facts[name].cost <= have]
        out.append(end)
        return out

    def unfinished(self, state: State) -> Violation | None:
        """The mandatory set and free card (RB-DEV-3, RB-DEV-4)."""
        if state.turn.row < 0:
            return Violation("RB-DEV-3") if any(row.taken < 0 for row in state.rows) else None
        return None if state.turn.free_taken else Violation("RB-DEV-4")

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        if isinstance(action, BuyDev):
            if isinstance(state.top(seat), AskBuy):
                yield from self._from_draw(state, seat, action)
                return
            if state.phase != Phase.DEVELOPMENT:
                yield Violation("RB-ICON-3", {"card": action.card})
        yield from not_your_turn(self.game, state, seat, Step.DEVELOPMENT)
        turn = state.turn
        if isinstance(action, ChooseSet):
            rows = state.rows
            if turn.row >= 0 or action.row > len(rows) or rows[action.row - 1].taken >= 0:
                yield Violation("RB-DEV-3", {"space": action.row})
            return
        if isinstance(action, TakeFree):
            if action.card not in self.game.developments:
                raise NotUnderstood(f"there is no development {action.card!r}")
            if turn.row < 0 or turn.free_taken or action.card not in self.lowest(state):
                yield Violation("RB-DEV-4", {"card": action.card})
            return
        assert isinstance(action, BuyDev)
        if not turn.free_taken or action.card not in state.rows[turn.row].cards:
            yield Violation("RB-DEV-5", {"card": action.card})
            return
        yield from self._price(state, seat, action.card, 0)

    def _from_draw(self, state: State, seat: int, action: BuyDev) -> Iterator[Violation]:
        """The purchase that DRAW2 allows (RB-ICON-3)."""
        top = state.top(seat)
        assert isinstance(top, AskBuy)
        if action.card not in top.cards:
            yield Violation("RB-ICON-3", {"card": action.card})
            return
        yield from self.draw_price(state, seat, action.card)

    def draw_price(self, state: State, seat: int, name: str) -> Iterator[Violation]:
        """What forbids paying for a card that DRAW2 revealed (RB-RES-1, RB-AUC-9)."""
        yield from self._price(state, seat, name, 1)
        left = list(state.seats[seat].stock)
        left[TECH - 1] -= max(0, self.game.developments[name].cost - 1)
        yield from self.game.bidding.uncovered(state, seat, left)

    def _price(self, state: State, seat: int, name: str, discount: int) -> Iterator[Violation]:
        need = max(0, self.game.developments[name].cost - discount)
        have = state.seats[seat].stock[TECH - 1]
        if need > have:
            yield Violation("RB-RES-1", {"resource": "tech", "need": need, "have": have, "card": name})

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {ChooseSet: self._choose, TakeFree: self._take_free, BuyDev: self._buy}

    def _choose(self, change: Change, seat: int, action: ChooseSet) -> None:
        row, rows = action.row - 1, change.table.rows
        taken = replace(rows[row], taken=seat)
        turn = replace(change.table.turn, row=row)
        change.set(rows=(*rows[:row], taken, *rows[row + 1 :]), turn=turn)
        lowest = self.lowest(change.table)
        if len(lowest) == 1:
            self._take(change, seat, lowest[0])

    def _take_free(self, change: Change, seat: int, action: TakeFree) -> None:
        self._take(change, seat, action.card)

    def _take(self, change: Change, seat: int, name: str) -> None:
        table = change.table
        change.set(turn=replace(table.turn, free_taken=True), rows=self._without(table, name))
        change.tell("free_card", seat, card=name)
        gain_development(change, seat, name)
        settle(change, seat)

    def _without(self, state: State, name: str) -> tuple[Row, ...]:
        """The rows when a card has left the chosen one."""
        rows, index = state.rows, state.turn.row
        cards = list(rows[index].cards)
        if name in cards:
            cards.remove(name)
        return (*rows[:index], replace(rows[index], cards=tuple(cards)), *rows[index + 1 :])

    def _buy(self, change: Change, seat: int, action: BuyDev) -> None:
        name = action.card
        cost = self.game.developments[name].cost
        top = change.top(seat)
        if isinstance(top, AskBuy):
            change.pay(seat, TECH, max(0, cost - 1), "RB-ICON-3")
            self.game.choices.close_draw(change, seat, name)
        else:
            change.pay(seat, TECH, cost, "RB-DEV-5")
            change.set(rows=self._without(change.table, name))
        gain_development(change, seat, name)
        settle(change, seat)
