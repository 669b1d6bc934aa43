"""Phase I, Turn Step: take a locomotive, buy up to two carriages (RB-TRN)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import BuyCarriage, TakeLoco
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.state import MATERIALS, State, Step, TrainCard
from assistant.games.railway_boom.steps.base import StepPart, not_your_turn
from assistant.offers import Offer
from assistant.rulings import NotUnderstood, Violation

CARRIAGES_A_TURN = 2


class TrainTurn(StepPart):
    """The TRAIN step."""

    actions = (TakeLoco, BuyCarriage)

    def acting(self, state: State) -> tuple[Acting, ...]:
        why = "train" if state.turn.loco else "locomotive"
        return self.game.asked[why][self.game.acting_seat(state)]

    def offers(self, state: State, seat: int) -> list[Offer]:
        letter = self.game.seats[seat]
        if not state.turn.loco:
            taken: list[Offer] = [TakeLoco(letter, name) for name in state.locomotives]
            return taken or [self.game.end_turns[letter]]
        out: list[Offer] = []
        if state.turn.bought < CARRIAGES_A_TURN:
            have = state.seats[seat].stock[MATERIALS - 1]
            cards = self.game.carriages
            out += [BuyCarriage(letter, name) for name in state.carriages if cards[name].price <= have]
        out.append(self.game.end_turns[letter])
        return out

    def unfinished(self, state: State) -> Violation | None:
        """The mandatory part that is missing (RB-TRN-3)."""
        return None if state.turn.loco or not state.locomotives else Violation("RB-TRN-3")

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        yield from not_your_turn(self.game, state, seat, Step.TRAIN)
        if isinstance(action, TakeLoco):
            if action.card not in state.locomotives or state.turn.loco:
                yield Violation("RB-TRN-3", {"card": action.card})
            return
        assert isinstance(action, BuyCarriage)
        card = self.game.carriages.get(action.card)
        if card is None:
            raise NotUnderstood(f"there is no carriage {action.card!r}")
        if not state.turn.loco:
            yield Violation("RB-TRN-5")
        if action.card not in state.carriages or state.turn.bought >= CARRIAGES_A_TURN:
            yield Violation("RB-TRN-4", {"card": action.card, "limit": CARRIAGES_A_TURN})
        have = state.seats[seat].stock[MATERIALS - 1]
        if card.price > have:
            values = {"resource": "materials", "need": card.price, "have": have}
            yield Violation("RB-RES-1", values)

    def apply(self, change: Change, seat: int, action: Action) -> None:
        state = change.state
        record = state.seats[seat]
        if isinstance(action, TakeLoco):
            left = tuple(name for name in state.locomotives if name != action.card)
            change.set(locomotives=left, turn=replace(state.turn, loco=True))
            change.alter(seat, locos=(*record.locos, TrainCard(action.card)))
            return
        assert isinstance(action, BuyCarriage)
        left = tuple(name for name in state.carriages if name != action.card)
        change.set(carriages=left, turn=replace(state.turn, bought=state.turn.bought + 1))
        change.alter(seat, carriages=(*record.carriages, TrainCard(action.card)))
        change.pay(seat, MATERIALS, self.game.carriages[action.card].price, "RB-TRN-4")
