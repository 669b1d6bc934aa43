"""The Auction Step of phases I, II, III and VI (RB-AUC)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assistant import auction
from assistant.actions import Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import Bid, Confirm, PayWild
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import spending_cards
from assistant.games.railway_boom.flow import begin_payment, begin_turns
from assistant.games.railway_boom.pack import STOCK, STOCK_INDEX
from assistant.games.railway_boom.state import (
    MATERIALS,
    MONEY,
    TECH,
    TRACK_LIMIT,
    Phase,
    Seat,
    State,
    Step,
)
from assistant.games.railway_boom.steps.base import Consequence, StepPart, unresolved, whose_turn
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

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._virtual = bool(game.options["auction.virtual_conversion"])
        self._objective_kinds = {
            card.id: tuple(sorted(STOCK_INDEX[name] + 1 for name in card.bid))
            for card in game.content.objectives
        }
        self._asked, self._bids = game.asked["bid"], game.bids
        self.single = [-1] * (Phase.OVER + 1)
        """By phase, the index in the stock of the one resource that covers a bid; else -1."""
        for phase, (kind,) in () if self._virtual else PHASE_RESOURCES.items():
            self.single[phase] = kind - 1

    def acting(self, state: State) -> tuple[Acting, ...]:
        return self._asked[state.track.next]

    def payable(self, state: State) -> tuple[int, ...]:
        """Track indices of the resources that this auction is paid in (RB-AUC-2)."""
        kinds = PHASE_RESOURCES.get(state.phase)
        return self._objective_kinds[state.objectives[state.round - 1]] if kinds is None else kinds

    def holding(self, state: State, stock: Sequence[int]) -> int:
        """How much a stock can cover (RB-AUC-8; with virtual conversion also what could be converted)."""
        kinds = self.payable(state)
        have = stock[kinds[0] - 1] if len(kinds) == 1 else sum([stock[kind - 1] for kind in kinds])
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
        track = state.track
        if track.next != seat:
            return []
        values = track.value
        stock, single = state.seats[seat].stock, self.single[state.phase]
        lowest, top = values[seat], stock[single] if single >= 0 else self.holding(state, stock)
        out = self._bids[seat][lowest:top]
        if out:
            gone = lowest + 1
            for value in sorted(values):
                if value > top:
                    break
                if value > lowest:
                    del out[value - gone]  # another disc stands there
                    gone += 1
        out.append(self.game.confirms[seat])
        return out

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        assert isinstance(action, Bid | Confirm)
        if state.step != Step.AUCTION:
            yield Violation("RB-AUC-6", {"seat": action.seat})
            return
        if state.track.next != seat:
            yield Violation("RB-AUC-6", {"seat": action.seat, **whose_turn(self.game, state)})
        yield from unresolved(state)
        if isinstance(action, Confirm):
            return
        fault = auction.fault(state.track, seat, action.space, TRACK_LIMIT)
        if fault is not None:
            yield Violation(FAULT_RULE[fault], {"seat": action.seat, "space": action.space})
        have = self.holding(state, state.seats[seat].stock)
        if action.space > have:
            values = {"seat": action.seat, "need": action.space, "have": have}
            yield Violation("RB-AUC-8", values)

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {Bid: self._bid, Confirm: self._confirm}

    def _bid(self, change: Change, seat: int, action: Bid) -> None:
        table = change.table
        track = auction.bid(table.track, seat, action.space, self.game.next_rule)
        change.table = replace(table, track=track)

    def _confirm(self, change: Change, seat: int, action: Confirm) -> None:
        table = change.table
        track = auction.confirm(table.track, seat, self.game.next_rule)
        change.table = replace(table, track=track)
        if not track.up:
            begin_payment(change)


class Paying(StepPart):
    """The PAY step: rank by rank; only a mix of resources is asked about (RB-AUC-13, RB-AUC-14)."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._virtual = bool(game.options["auction.virtual_conversion"])

    def payer(self, state: State) -> int:
        """The seat that pays next."""
        return auction.ranks(state.track)[state.active]

    def due(self, state: State, seat: int) -> int:
        """What the payer's rank makes of its bid (RB-AUC-13)."""
        return self.due_at(state.active, state.track.value[seat])

    def due_at(self, rank: int, value: int) -> int:
        """What the Bid Chart makes of a bid at a rank, 0 being the first."""
        circle = self.game.chart[rank]
        return value if circle == "full" else (value + 1) // 2 if circle == "half" else 0

    def settle(self, change: Change) -> None:
        """Take every payment that leaves no choice, then go on to the turns."""
        table = change.table
        ranks, values = auction.ranks(table.track), table.track.value
        kinds = self.game.bidding.payable(table)
        plain = len(kinds) == 1 and not self._virtual
        for rank in range(table.active, len(ranks)):
            seat = ranks[rank]
            due = self.due_at(rank, values[seat])
            # With one kind and no conversions there is nothing to ask about.
            if due and not plain and self._asks(change.seats[seat], kinds, due):
                if rank != table.active:
                    change.set(active=rank)
                return
            spending_cards(change, seat, self._take(change, seat, kinds, due) if due else 0)
        begin_turns(change, ranks)

    def _take(self, change: Change, seat: int, kinds: Sequence[int], due: int) -> int:
        """A payment without a choice; how much of what is due there was."""
        stock = change.seats[seat].stock
        if len(kinds) == 1:
            change.pay(seat, kinds[0], due, "RB-AUC-13")
            return min(due, stock[kinds[0] - 1])
        # After an overruled bid all there is does not suffice.
        have = sum(stock[kind - 1] for kind in kinds)
        for kind in kinds:
            change.pay(seat, kind, stock[kind - 1], "RB-AUC-13")
        change.short(seat, "resources", due - have, "RB-AUC-13")
        return have

    def _asks(self, record: Seat, kinds: Sequence[int], due: int) -> bool:
        """Whether a payment needs an answer: which mix, or what to convert first."""
        if self._must_convert(record, kinds, due):
            return True
        return len(kinds) > 1 and sum(record.stock[kind - 1] for kind in kinds) >= due

    def owed(self, state: State, seat: int) -> int:
        """What the payer hands over: what is due, or all there is where that is less.

        It is less, or leaves no choice, only when the table was corrected during the payment; otherwise such
        payments are made by themselves.
        """
        kinds, due, record = self.game.bidding.payable(state), self.due(state, seat), state.seats[seat]
        if self._must_convert(record, kinds, due):
            return due
        return min(due, sum(record.stock[kind - 1] for kind in kinds))

    def _must_convert(self, record: Seat, kinds: Sequence[int], due: int) -> bool:
        """With virtual conversion a payer may have to convert before paying (HR-45)."""
        if not self._virtual:
            return False
        have = sum(record.stock[kind - 1] for kind in kinds)
        return have < due and sum(record.stock) - have >= 2

    def acting(self, state: State) -> tuple[Acting, ...]:
        seat = self.payer(state)
        kinds, due = self.game.bidding.payable(state), self.due(state, seat)
        why = "convert" if self._must_convert(state.seats[seat], kinds, due) else "pay"
        return self.game.asked[why][seat]

    def offers(self, state: State, seat: int) -> list[Offer]:
        kinds = self.game.bidding.payable(state)
        if self.payer(state) != seat:
            return []
        if self._must_convert(state.seats[seat], kinds, self.due(state, seat)):
            return []
        # A blank for each resource, so that the same blank always asks for the same one.
        stock = state.seats[seat].stock
        holdings = tuple([have if kind in kinds else 0 for kind, have in enumerate(stock, start=1)])
        return [PayForm(self.game.seats[seat], self.owed(state, seat), STOCK, holdings)]

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        assert isinstance(action, PayWild)
        if state.step != Step.PAY or self.payer(state) != seat:
            yield Violation("RB-AUC-13", {"seat": action.seat})
            return
        yield from unresolved(state)
        names = {STOCK[kind - 1] for kind in self.game.bidding.payable(state)}
        for name, amount in action.pay.items():
            if name not in names or amount < 0:
                yield Violation("RB-AUC-14", {"resource": name})
        owed = self.owed(state, seat)
        if sum(action.pay.values()) != owed:
            yield Violation("RB-AUC-13", {"need": owed, "have": sum(action.pay.values())})
        stock = state.seats[seat].stock
        for name, amount in action.pay.items():
            if name in STOCK and amount > stock[STOCK_INDEX[name]]:
                have = stock[STOCK_INDEX[name]]
                yield Violation("RB-RES-1", {"resource": name, "need": amount, "have": have})

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {PayWild: self._pay}

    def _pay(self, change: Change, seat: int, action: PayWild) -> None:
        lacking = self.due(change.table, seat) - sum(action.pay.values())
        held = sum(change.seats[seat].stock)
        change.pay_named(seat, action.pay, "RB-AUC-13")
        if lacking:
            change.short(seat, "resources", lacking, "RB-AUC-13")
        # Of what was named, an overruled payment takes only what is there.
        spending_cards(change, seat, held - sum(change.seats[seat].stock))
        change.set(active=change.table.active + 1)
