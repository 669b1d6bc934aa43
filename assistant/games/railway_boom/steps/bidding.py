"""The Auction Step of phases I, II, III and VI (RB-AUC)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assistant import auction
from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import Bid, Confirm, PayWild
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import spending_cards
from assistant.games.railway_boom.flow import begin_payment, begin_turns
from assistant.games.railway_boom.pack import STOCK, STOCK_INDEX
from assistant.games.railway_boom.state import MATERIALS, MONEY, TECH, TRACK_LIMIT, Phase, State, Step
from assistant.games.railway_boom.steps.base import StepPart, unresolved
from assistant.offers import Form, Offer, Value, split_domain
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

PHASE_RESOURCES: dict[int, tuple[int, ...]] = {
    Phase.TRAIN: (MATERIALS,),
    Phase.EXPANSION: (MONEY,),
    Phase.DEVELOPMENT: (TECH,),
}
FAULT_RULE = {
    "not_next": "RB-AUC-6",
    "confirmed": "RB-AUC-10",
    "off_track": "RB-AUC-1",
    "not_higher": "RB-AUC-5",
    "taken": "RB-AUC-5",
}


class PayForm(Form, frozen=True):
    """A payment of `due` split over the payable stock resources."""

    seat: str
    due: int
    names: tuple[str, ...]
    holdings: tuple[int, ...]
    kind = "pay_wild"

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        if len(filled) == len(self.names):
            return None
        return split_domain(self.due - sum(filled), self.holdings[len(filled) :])

    def make(self, filled: Sequence[Value]) -> Action:
        return PayWild(self.seat, {n: v for n, v in zip(self.names, filled, strict=True) if v})


class Bidding(StepPart):
    """The AUCTION step: raise or confirm."""

    actions = (Bid, Confirm)

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._virtual = bool(game.options["auction.virtual_conversion"])
        self._objective_kinds = {
            card.id: tuple(sorted(STOCK_INDEX[name] + 1 for name in card.bid))
            for card in game.content.objectives
        }

    def acting(self, state: State) -> tuple[Acting, ...]:
        return self.game.asked["bid"][state.track.next]

    def payable(self, state: State) -> tuple[int, ...]:
        """Track indices of the resources that this auction is paid in (RB-AUC-2)."""
        if state.phase == Phase.OBJECTIVE:
            return self._objective_kinds[state.objectives[state.round - 1]]
        return PHASE_RESOURCES[state.phase]

    def holding(self, state: State, stock: Sequence[int]) -> int:
        """How much a stock can cover (RB-AUC-8; with virtual conversion also what could be converted)."""
        kinds = self.payable(state)
        have = stock[kinds[0] - 1] if len(kinds) == 1 else sum(stock[kind - 1] for kind in kinds)
        if self._virtual:
            have += (sum(stock) - have) // 2
        return have

    def uncovered(self, state: State, seat: int, left: Sequence[int]) -> Iterator[Violation]:
        """RB-AUC-9 when a seat's stock, being `left` after a payment, would not cover its bid.

        After an overruled bid it may not cover it as it is; then it must not cover less.
        """
        need = self.cover(state, seat)
        if not need:
            return
        have = self.holding(state, left)
        if have < need and have < self.holding(state, state.seats[seat].stock):
            yield Violation("RB-AUC-9", {"need": need, "have": have})

    def cover(self, state: State, seat: int) -> int:
        """What the seat must keep in the bid resource until it has paid (RB-AUC-9)."""
        if state.step == Step.AUCTION:
            return state.track.value[seat]
        if state.step == Step.PAY and seat in auction.ranks(state.track)[state.active :]:
            return state.track.value[seat]
        return 0

    def offers(self, state: State, seat: int) -> list[Offer]:
        letter = self.game.seats[seat]
        top = min(TRACK_LIMIT, self.holding(state, state.seats[seat].stock))
        values = state.track.value
        lowest = values[seat]
        out: list[Offer] = [*self.game.bids[letter][lowest:top]]
        for value in sorted(values, reverse=True):
            if lowest < value <= top:
                del out[value - lowest - 1]  # another disc stands there
        out.append(self.game.confirms[letter])
        return out

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        if state.step != Step.AUCTION:
            yield Violation("RB-AUC-6")
            return
        yield from unresolved(state)
        if isinstance(action, Confirm):
            if state.track.next != seat:
                yield Violation("RB-AUC-6", {"seat": action.seat})
            return
        assert isinstance(action, Bid)
        fault = auction.fault(state.track, seat, action.space, TRACK_LIMIT)
        if fault is not None:
            yield Violation(FAULT_RULE[fault], {"seat": action.seat, "space": action.space})
        have = self.holding(state, state.seats[seat].stock)
        if action.space > have:
            values = {"seat": action.seat, "need": action.space, "have": have}
            yield Violation("RB-AUC-8", values)

    def apply(self, change: Change, seat: int, action: Action) -> None:
        track = change.state.track
        if isinstance(action, Bid):
            change.set(track=auction.bid(track, seat, action.space, self.game.next_rule))
            return
        change.set(track=auction.confirm(track, seat, self.game.next_rule))
        if not change.state.track.up:
            begin_payment(change)


class Paying(StepPart):
    """The PAY step: rank by rank; only a mix of resources is asked about (RB-AUC-13, RB-AUC-14)."""

    actions = (PayWild,)

    def payer(self, state: State) -> int:
        """The seat that pays next."""
        return auction.ranks(state.track)[state.active]

    def due(self, state: State, seat: int) -> int:
        """What the payer's rank makes of its bid (RB-AUC-13)."""
        value = state.track.value[seat]
        circle = self.game.chart[state.active]
        return value if circle == "full" else (value + 1) // 2 if circle == "half" else 0

    def settle(self, change: Change) -> None:
        """Take every payment that leaves no choice, then go on to the turns."""
        ranks = auction.ranks(change.state.track)
        kinds = self.game.bidding.payable(change.state)
        while change.state.active < len(ranks):
            seat = ranks[change.state.active]
            due = self.due(change.state, seat)
            if due and self._asks(change.state, seat, kinds, due):
                return
            stock = change.state.seats[seat].stock
            have = sum(stock[kind - 1] for kind in kinds)
            if len(kinds) == 1 or not due:
                change.pay(seat, kinds[0], due, "RB-AUC-13")
            else:  # after an overruled bid all there is does not suffice
                for kind in kinds:
                    change.pay(seat, kind, stock[kind - 1], "RB-AUC-13")
                change.short(seat, "resources", due - have, "RB-AUC-13")
            self._paid(change, seat, min(due, have))
        begin_turns(change)

    def _asks(self, state: State, seat: int, kinds: Sequence[int], due: int) -> bool:
        """Whether a payment needs an answer: which mix, or what to convert first."""
        if self._must_convert(state, seat, due):
            return True
        return len(kinds) > 1 and sum(state.seats[seat].stock[kind - 1] for kind in kinds) >= due

    def asks(self, state: State) -> bool:
        """Whether the next payment needs an answer; otherwise it is made by itself."""
        seat = self.payer(state)
        due = self.due(state, seat)
        return due > 0 and self._asks(state, seat, self.game.bidding.payable(state), due)

    def _must_convert(self, state: State, seat: int, due: int) -> bool:
        """With virtual conversion a payer may have to convert before paying (HR-45)."""
        if not self.game.options["auction.virtual_conversion"]:
            return False
        stock = state.seats[seat].stock
        have = sum(stock[kind - 1] for kind in self.game.bidding.payable(state))
        return have < due and sum(stock) - have >= 2

    def _paid(self, change: Change, seat: int, amount: int) -> None:
        spending_cards(change, seat, amount)
        change.set(active=change.state.active + 1)

    def acting(self, state: State) -> tuple[Acting, ...]:
        seat = self.payer(state)
        why = "convert" if self._must_convert(state, seat, self.due(state, seat)) else "pay"
        return self.game.asked[why][seat]

    def offers(self, state: State, seat: int) -> list[Offer]:
        kinds = self.game.bidding.payable(state)
        if len(kinds) == 1 or self._must_convert(state, seat, self.due(state, seat)):
            return []
        names = tuple(STOCK[kind - 1] for kind in kinds)
        holdings = tuple(state.seats[seat].stock[kind - 1] for kind in kinds)
        return [PayForm(self.game.seats[seat], self.due(state, seat), names, holdings)]

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        assert isinstance(action, PayWild)
        kinds = self.game.bidding.payable(state) if state.step == Step.PAY else ()
        if state.step != Step.PAY or self.payer(state) != seat or len(kinds) == 1:
            yield Violation("RB-AUC-13", {"seat": action.seat})
            return
        yield from unresolved(state)
        names = {STOCK[kind - 1] for kind in kinds}
        for name, amount in action.pay.items():
            if name not in names or amount < 0:
                yield Violation("RB-AUC-14", {"resource": name})
        due = self.due(state, seat)
        if sum(action.pay.values()) != due:
            yield Violation("RB-AUC-13", {"need": due, "have": sum(action.pay.values())})
        stock = state.seats[seat].stock
        for name, amount in action.pay.items():
            if name in STOCK and amount > stock[STOCK_INDEX[name]]:
                have = stock[STOCK_INDEX[name]]
                yield Violation("RB-RES-1", {"resource": name, "need": amount, "have": have})

    def apply(self, change: Change, seat: int, action: Action) -> None:
        assert isinstance(action, PayWild)
        change.pay_named(seat, action.pay, "RB-AUC-13")
        self._paid(change, seat, sum(action.pay.values()))
