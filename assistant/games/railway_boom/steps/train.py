"""Phase I, Turn Step: take a locomotive, buy up to two carriages (RB-TRN)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import BuyCarriage, TakeLoco
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.state import MATERIALS, State, Step, TrainCard
from assistant.games.railway_boom.steps.base import Consequence, StepPart, not_your_turn
from assistant.offers import Offer
from assistant.rulings import NotUnderstood, Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

CARRIAGES_A_TURN = 2


class TrainTurn(StepPart):
    """The TRAIN step."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._takes: list[dict[str, Offer]]
        self._takes = [{name: TakeLoco(s, name) for name in game.locomotives} for s in game.seats]
        self._buys: list[dict[str, Offer]]
        self._buys = [{name: BuyCarriage(s, name) for name in game.carriages} for s in game.seats]

    def acting(self, state: State) -> tuple[Acting, ...]:
        why = "train" if state.turn.loco else "locomotive"
        return self.game.asked[why][state.track.white[-1 - state.active]]

    def offers(self, state: State, seat: int) -> list[Offer]:
        if state.track.white[-1 - state.active] != seat:
            return []
        end = self.game.end_turns[seat]
        if not state.turn.loco:
            return [*map(self._takes[seat].__getitem__, state.locomotives)] or [end]
        if state.turn.bought >= CARRIAGES_A_TURN:
            return [end]
        have = state.seats[seat].stock[MATERIALS - 1]
        cards, buys = self.game.carriages, self._buys[seat]
        out = [buys[name] for name in state.carriages if cards[name].price <= have]
        out.append(end)
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

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {TakeLoco: self._take, BuyCarriage: self._buy}

    def _take(self, change: Change, seat: int, action: TakeLoco) -> None:
        table = change.table
        change.alter(seat, locos=(*change.seats[seat].locos, TrainCard(action.card)))
        left = tuple([name for name in table.locomotives if name != action.card])
        change.set(locomotives=left, turn=replace(table.turn, loco=True))

    def _buy(self, change: Change, seat: int, action: BuyCarriage) -> None:
        table = change.table
        change.alter(seat, carriages=(*change.seats[seat].carriages, TrainCard(action.card)))
        change.pay(seat, MATERIALS, self.game.carriages[action.card].price, "RB-TRN-4")
        left = tuple([name for name in table.carriages if name != action.card])
        change.set(carriages=left, turn=replace(table.turn, bought=table.turn.bought + 1))
