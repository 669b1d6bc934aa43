"""Phase III, Turn Step: choose a set, take its lowest card free, buy others (RB-DEV)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import BuyDev, ChooseSet, TakeFree
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import gain_development, settle
from assistant.games.railway_boom.state import TECH, AskBuy, Phase, State, Step
from assistant.games.railway_boom.steps.base import StepPart, not_your_turn
from assistant.offers import Offer
from assistant.rulings import NotUnderstood, Violation


class DevelopmentTurn(StepPart):
    """The DEVELOPMENT step."""

    actions = (ChooseSet, TakeFree, BuyDev)

    def acting(self, state: State) -> tuple[Acting, ...]:
        turn = state.turn
        why = "set" if turn.row < 0 else "buy" if turn.free_taken else "free_card"
        return self.game.asked[why][self.game.acting_seat(state)]

    def lowest(self, state: State) -> list[str]:
        """The cheapest cards of the chosen row (RB-DEV-4)."""
        cards = state.rows[state.turn.row].cards
        least = min((self.game.developments[name].cost for name in cards), default=0)
        return [name for name in cards if self.game.developments[name].cost == least]

    def offers(self, state: State, seat: int) -> list[Offer]:
        letter = self.game.seats[seat]
        turn = state.turn
        if turn.row < 0:
            rows = [index + 1 for index, row in enumerate(state.rows) if row.taken < 0]
            return [ChooseSet(letter, row) for row in rows] or [self.game.end_turns[letter]]
        if not turn.free_taken:
            return [TakeFree(letter, name) for name in dict.fromkeys(self.lowest(state))]
        have = state.seats[seat].stock[TECH - 1]
        cards = dict.fromkeys(state.rows[turn.row].cards)
        out: list[Offer] = [
            BuyDev(letter, name) for name in cards if self.game.developments[name].cost <= have
        ]
        out.append(self.game.end_turns[letter])
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

    def apply(self, change: Change, seat: int, action: Action) -> None:
        state = change.state
        turn = state.turn
        if isinstance(action, ChooseSet):
            row = action.row - 1
            rows = state.rows
            taken = replace(rows[row], taken=seat)
            change.set(rows=(*rows[:row], taken, *rows[row + 1 :]), turn=replace(turn, row=row))
            lowest = self.lowest(change.state)
            if len(lowest) == 1:
                self._take_free(change, seat, lowest[0])
        elif isinstance(action, TakeFree):
            self._take_free(change, seat, action.card)
        else:
            assert isinstance(action, BuyDev)
            self._buy(change, seat, action.card)
        settle(change, seat)

    def _take_free(self, change: Change, seat: int, name: str) -> None:
        change.set(turn=replace(change.state.turn, free_taken=True))
        self._leave_row(change, name)
        change.tell("free_card", seat, card=name)
        gain_development(change, seat, name)

    def _leave_row(self, change: Change, name: str) -> None:
        rows = change.state.rows
        index = change.state.turn.row
        cards = list(rows[index].cards)
        if name in cards:
            cards.remove(name)
        left = replace(rows[index], cards=tuple(cards))
        change.set(rows=(*rows[:index], left, *rows[index + 1 :]))

    def _buy(self, change: Change, seat: int, name: str) -> None:
        cost = self.game.developments[name].cost
        top = change.top(seat)
        if isinstance(top, AskBuy):
            change.pay(seat, TECH, max(0, cost - 1), "RB-ICON-3")
            self.game.choices.close_draw(change, seat, name)
        else:
            change.pay(seat, TECH, cost, "RB-DEV-5")
            self._leave_row(change, name)
        gain_development(change, seat, name)
