"""Free actions: conversion, and using a Development card (RB-FREE, RB-DEV-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from assistant.actions import Action
from assistant.games.railway_boom.actions import Convert, UseDev
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import (
    INSTANT,
    earlier_unfinished,
    free_hexes,
    leasable,
    place_rail,
    settle,
)
from assistant.games.railway_boom.pack import STOCK, STOCK_INDEX, TRACK_INDEX, Development
from assistant.games.railway_boom.state import (
    AwaitDraw,
    RaiseTask,
    Seat,
    State,
    Step,
    TrainCard,
)
from assistant.games.railway_boom.steps.base import Part
from assistant.games.railway_boom.steps.choices import over
from assistant.hexes import bits
from assistant.offers import Form, Offer, Value, split_domain
from assistant.rulings import NotUnderstood, Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

Conversion = tuple[str, str, str]

NO_DECISION = (Step.SETUP, Step.REVEAL, Step.OVER)
"""Steps in which no player decides anything (RB-FREE-4)."""
BIDDING = (Step.AUCTION, Step.PAY)
"""Steps in which a bid must stay covered (RB-AUC-9)."""

CONVERSIONS: tuple[Conversion, ...] = tuple(
    (a, b, out)
    for a, b in combinations_with_replacement(STOCK, 2)
    for out in (*STOCK, "vp")
    if out not in (a, b)
)
"""Every conversion there is; VP as output only by a switch (HR-14)."""


def conversions(spare: tuple[int, ...], to_vp: bool) -> tuple[Conversion, ...]:
    """Conversions that can be paid; `spare` is the stock, each amount cut to 2 (more makes no difference)."""
    return tuple(
        (a, b, out)
        for a, b, out in CONVERSIONS
        if spare[STOCK_INDEX[a]] > (a == b) and spare[STOCK_INDEX[b]] > 0 and (to_vp or out != "vp")
    )


class ConvertForm(Form, frozen=True):
    """A conversion: two inputs, then the output."""

    seat: str
    rows: tuple[Conversion, ...]
    kind = "convert"
    free: ClassVar[bool] = True

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        depth = len(filled)
        if depth == 3:
            return None
        want = tuple(filled)
        return tuple(dict.fromkeys(row[depth] for row in self.rows if row[:depth] == want))

    def make(self, filled: Sequence[Value]) -> Action:
        return Convert(self.seat, (filled[0], filled[1]), filled[2])


def _converted(stock: Sequence[int], row: Conversion) -> list[int]:
    """A stock after a conversion."""
    left = list(stock)
    for name, change in ((row[0], -1), (row[1], -1), (row[2], 1)):
        if name != "vp":
            left[STOCK_INDEX[name]] += change
    return left


def _convert_form(seat: str, number: int, to_vp: bool) -> ConvertForm | None:
    """The form for a stock of 0, 1 or 2 of each resource, numbered in base 3."""
    rows = conversions((number // 27, number // 9 % 3, number // 3 % 3, number % 3), to_vp)
    return ConvertForm(seat, rows) if rows else None


class InvestForm(Form, frozen=True):
    """Major Investment: which resources to pay."""

    seat: str
    card: str
    due: int
    stock: tuple[int, int, int, int]
    kind = "use_dev"
    free: ClassVar[bool] = True

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        if len(filled) == len(STOCK):
            return None
        return split_domain(self.due - sum(filled), self.stock[len(filled) :])

    def make(self, filled: Sequence[Value]) -> Action:
        pay = {name: value for name, value in zip(STOCK, filled, strict=True) if value}
        return UseDev(self.seat, self.card, pay=pay)


class Free(Part):
    """What any seat may do at any decision point."""

    actions = (Convert, UseDev)

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._to_vp = bool(game.options["convert.to_vp"])
        self._virtual = bool(game.options["auction.virtual_conversion"])
        self._uses: dict[str, tuple[Callable[[State, int, Development], list[Offer]], Development]] = {
            card.id: (getattr(self, _USES.get(card.kind, "_use_resolved")), card)
            for card in game.content.developments
            if card.timing == "round"
        }
        self._forms = [[_convert_form(seat, n, self._to_vp) for n in range(81)] for seat in game.seats]

    def offers(self, state: State, seat: int) -> list[Offer]:
        """All free actions of a seat that change something now."""
        if state.stacks:
            if not self.game.decision_point(state) or isinstance(state.top(seat), AwaitDraw):
                return []
        elif state.step in NO_DECISION:
            return []
        record = state.seats[seat]
        form = self._conversions(state, seat)
        out: list[Offer] = [] if form is None else [form]
        uses = self._uses
        for owned in record.devs:
            if owned.id in uses and not owned.turned:
                use, card = uses[owned.id]
                out += use(state, seat, card)
        return out

    def _conversions(self, state: State, seat: int) -> ConvertForm | None:
        """Conversions that can be paid and leave a bid covered."""
        stock = state.seats[seat].stock
        if state.step in BIDDING:
            spare = self._spare(state, seat, 1)
            if spare is None:
                return self._covered_conversions(state, seat, stock)
            stock = spare
        a, b, c, d = stock
        # More than two of a resource makes no difference, so there are 81 forms a seat, made once.
        a, b, c, d = a if a < 2 else 2, b if b < 2 else 2, c if c < 2 else 2, d if d < 2 else 2
        return self._forms[seat][((a * 3 + b) * 3 + c) * 3 + d]

    def _covered_conversions(self, state: State, seat: int, stock: Sequence[int]) -> ConvertForm | None:
        """The same where resources cannot be told apart into bound and spare ones."""
        uncovered = self.game.bidding.uncovered
        rows = conversions(tuple(min(n, 2) for n in stock), self._to_vp)
        rows = tuple(row for row in rows if not any(uncovered(state, seat, _converted(stock, row))))
        return ConvertForm(self.game.seats[seat], rows) if rows else None

    def _spare(self, state: State, seat: int, loss: int) -> tuple[int, int, int, int] | None:
        """Of each resource, what may be spent in any mix without uncovering a bid (RB-AUC-9).

        `loss` is by how much the whole stock shrinks. None when no such four numbers say it.
        """
        stock = state.seats[seat].stock
        cover = self.game.bidding.cover(state, seat)
        if not cover:
            return stock
        kinds = self.game.bidding.payable(state)
        if len(kinds) == len(STOCK) and not self._to_vp:
            return stock if sum(stock) - loss >= cover else (0, 0, 0, 0)
        if len(kinds) > 1 or self._virtual:
            return None  # a conversion into VP shrinks the stock by 2, others by 1
        left = list(stock)
        left[kinds[0] - 1] = max(0, left[kinds[0] - 1] - cover)
        a, b, c, d = left
        return a, b, c, d

    def _can_pay(self, state: State, seat: int, price: Mapping[Any, int]) -> bool:
        return not price or next(self._payable(state, seat, price, {}), None) is None

    # Uses of Round cards that are legal but for a bid that must stay covered, by kind.

    def _use_tactical(self, state: State, seat: int, card: Development) -> list[Offer]:
        if not self._can_pay(state, seat, card.pay):
            return []
        if state.step == Step.OPERATION and earlier_unfinished(self.game, state, seat):
            return []
        letter, name = self.game.seats[seat], self.game.grid.name
        spots = bits(free_hexes(self.game, state, seat))
        return [UseDev(letter, card.id, hex=name[index]) for index in spots]

    def _use_skilled(self, state: State, seat: int, card: Development) -> list[Offer]:
        if state.step != Step.EXPANSION or state.turn.power < 0 or self.game.acting_seat(state) != seat:
            return []
        return [UseDev(self.game.seats[seat], card.id)]

    def _use_efficiency(self, state: State, seat: int, card: Development) -> list[Offer]:
        if state.step != Step.OPERATION:
            return []
        names = dict.fromkeys(own.id for own in state.seats[seat].carriages if self._costs(own))
        return [UseDev(self.game.seats[seat], card.id, carriage=name) for name in names]

    def _use_investment(self, state: State, seat: int, card: Development) -> list[Offer]:
        record = state.seats[seat]
        track = TRACK_INDEX[card.track or "vp"]
        if record.levels[track] >= self.game.top_level[track]:
            return []
        if (card.kind == "investment" and record.vp < 1) or not self._can_pay(state, seat, card.pay):
            return []
        return [UseDev(self.game.seats[seat], card.id)]

    def _use_major(self, state: State, seat: int, card: Development) -> list[Offer]:
        spare = self._spare(state, seat, card.pay_any)
        holdings = spare or state.seats[seat].stock
        if sum(holdings) < card.pay_any:
            return []
        form = InvestForm(self.game.seats[seat], card.id, card.pay_any, holdings)
        if spare is not None:
            return [form]
        return [use for use in form.expand() if self.game.refuse(state, use) is None]

    def _use_resolved(self, state: State, seat: int, card: Development) -> list[Offer]:
        use = UseDev(self.game.seats[seat], card.id)
        return [] if next(self._resolved(state, seat, use, card), None) else [use]

    # Rules.

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        if over(state):
            yield Violation("RB-END-5")
            return
        if not self.game.decision_point(state) or isinstance(state.top(seat), AwaitDraw):
            yield Violation("RB-FREE-4")
        if isinstance(action, Convert):
            yield from self._conversion(state, seat, action)
        else:
            assert isinstance(action, UseDev)
            yield from self._use(state, seat, action)

    def _conversion(self, state: State, seat: int, action: Convert) -> Iterator[Violation]:
        outputs = (*STOCK, "vp") if self.game.options["convert.to_vp"] else STOCK
        good = all(name in STOCK for name in action.give) and action.take in outputs
        if not good or action.take in action.give:
            yield Violation("RB-FREE-2", {"resource": action.take})
            return
        price: dict[str, int] = {}
        for name in action.give:
            price[name] = price.get(name, 0) + 1
        gain = {action.take: 1} if action.take in STOCK else {}
        yield from self._payable(state, seat, price, gain)

    def _payable(
        self, state: State, seat: int, price: Mapping[Any, int], gain: Mapping[str, int]
    ) -> Iterator[Violation]:
        """RB-RES-1, then RB-AUC-9 on what would be left."""
        left = list(state.seats[seat].stock)
        for name, amount in price.items():
            index = STOCK_INDEX[name]
            if amount > left[index]:
                values = {"resource": name, "need": amount, "have": left[index]}
                yield Violation("RB-RES-1", values)
            left[index] = max(0, left[index] - amount)
        for name, amount in gain.items():
            left[STOCK_INDEX[name]] += amount
        yield from self.game.bidding.uncovered(state, seat, left)

    def _use(self, state: State, seat: int, action: UseDev) -> Iterator[Violation]:
        card = self.game.developments.get(action.card)
        if card is None:
            raise NotUnderstood(f"there is no development {action.card!r}")
        owned = [own for own in state.seats[seat].devs if own.id == action.card]
        if card.timing != "round" or all(own.turned for own in owned):
            yield Violation("RB-DEV-8", {"card": action.card})
        for name in ("hex", "pay", "carriage"):
            if getattr(action, name) is not None and name != _WANTS.get(card.kind):
                yield Violation(self.game.kind_rule[card.kind], {"card": card.id, "unwanted": name})
        yield from _KINDS.get(card.kind, Free._resolved)(self, state, seat, action, card)
        price: Mapping[Any, int] = card.pay
        if card.kind == "major_investment":
            price = {k: v for k, v in (action.pay or {}).items() if k in STOCK}
        yield from self._payable(state, seat, price, {})

    def _tactical(self, state: State, seat: int, action: UseDev, card: Development) -> Iterator[Violation]:
        if action.hex is None:
            yield Violation("RB-DFX-02", {"card": card.id})
        if state.step == Step.OPERATION and earlier_unfinished(self.game, state, seat):
            yield Violation("RB-FLOW-6", {"card": card.id})
        yield from self.game.choices.free_violations(state, seat, action.hex)

    def _skilled(self, state: State, seat: int, action: UseDev, card: Development) -> Iterator[Violation]:
        own = state.step == Step.EXPANSION and self.game.acting_seat(state) == seat
        if not own or state.turn.power < 0:
            yield Violation("RB-DFX-04", {"card": card.id})

    def _efficiency(self, state: State, seat: int, action: UseDev, card: Development) -> Iterator[Violation]:
        if state.step != Step.OPERATION:
            yield Violation("RB-DFX-21", {"card": card.id})
        own = [c for c in state.seats[seat].carriages if c.id == action.carriage]
        if not own:
            yield Violation("RB-DFX-21", {"card": action.carriage or ""})
        elif not any(self._costs(c) for c in own):
            yield Violation("RB-DFX-24", {"card": action.carriage or ""})

    def _costs(self, card: TrainCard) -> bool:
        return not card.operated and not card.free and self.game.carriages[card.id].coal > 0

    def _investment(self, state: State, seat: int, action: UseDev, card: Development) -> Iterator[Violation]:
        yield from self._track_left(state.seats[seat], card)
        if card.kind == "investment" and state.seats[seat].vp < 1:
            yield Violation("RB-RES-4", {"seat": action.seat, "need": 1, "have": 0})

    def _track_left(self, record: Seat, card: Development) -> Iterator[Violation]:
        track = TRACK_INDEX[card.track or "vp"]
        if record.levels[track] >= self.game.top_level[track]:
            yield Violation("RB-DFX-24", {"card": card.id})

    def _major(self, state: State, seat: int, action: UseDev, card: Development) -> Iterator[Violation]:
        pay = action.pay or {}
        bad = any(name not in STOCK or amount < 0 for name, amount in pay.items())
        if bad or sum(pay.values()) != card.pay_any:
            yield Violation("RB-DFX-18", {"card": card.id, "need": card.pay_any})

    def _resolved(self, state: State, seat: int, action: UseDev, card: Development) -> Iterator[Violation]:
        """A kind that usually resolves on gaining, printed as a Round card (HR-27)."""
        record, top = state.seats[seat], self.game.top_level
        if card.kind == "planned_expansion":
            if record.rails_left <= 0:
                yield Violation("RB-STK-1", {"seat": action.seat})
            elif not free_hexes(self.game, state, seat):
                yield Violation("RB-EXP-11", {"hex": ""})
            return
        use = {
            "subsidy": True,
            "industrial_growth": any(
                record.levels[TRACK_INDEX[r.track]] < top[TRACK_INDEX[r.track]] for r in card.income
            ),
            "specialty_product": self.game.unlimited_tiles
            or any(state.supply[TRACK_INDEX[name]] for name in card.tiles),
            "locomotive_lease": bool(leasable(state, seat)),
        }
        if not use.get(card.kind):
            yield Violation("RB-DFX-24", {"card": card.id})

    # Consequences.

    def apply(self, change: Change, seat: int, action: Action) -> None:
        if isinstance(action, Convert):
            for name in action.give:
                change.pay_named(seat, {name: 1}, "RB-FREE-2")
            taken = TRACK_INDEX[action.take]
            change.gain(seat, taken, 1, "conversion", "", "RB-FREE-2")
            return
        assert isinstance(action, UseDev)
        card = self.game.developments[action.card]
        self._turn(change, seat, card.id)
        if card.kind == "major_investment":
            change.pay_named(seat, action.pay or {}, "RB-DFX-18")
            change.points(seat, card.vp, "major_investment", card.id, "RB-DFX-18")
            return
        change.pay_named(seat, card.pay, self.game.kind_rule[card.kind])
        if card.kind == "tactical_expansion":
            assert action.hex is not None
            place_rail(change, seat, self.game.grid.bit[action.hex], action.hex)
        elif card.kind == "skilled_labor":
            turn = change.state.turn
            change.set(turn=replace(turn, power=max(0, turn.power) + card.power))
        elif card.kind == "efficiency":
            self._make_free(change, seat, action.carriage or "")
        elif card.kind in INSTANT:
            INSTANT[card.kind](change, seat, card)
        else:
            if card.kind == "investment":
                change.points(seat, -1, "investment", card.id, "RB-DFX-13")
            change.push(seat, RaiseTask(card.id, TRACK_INDEX[card.track or "vp"]))
        settle(change, seat)

    def _turn(self, change: Change, seat: int, name: str) -> None:
        devs = change.seats[seat].devs
        for index, card in enumerate(devs):
            if card.id == name and not card.turned:
                turned = replace(card, turned=True)
                change.alter(seat, devs=(*devs[:index], turned, *devs[index + 1 :]))
                return

    def _make_free(self, change: Change, seat: int, name: str) -> None:
        cards = change.seats[seat].carriages
        for index, card in enumerate(cards):
            if card.id == name and self._costs(card):
                free = replace(card, free=True)
                change.alter(seat, carriages=(*cards[:index], free, *cards[index + 1 :]))
                return


_WANTS = {"tactical_expansion": "hex", "major_investment": "pay", "efficiency": "carriage"}
"""What using a card names besides the card."""
_KINDS = {
    "tactical_expansion": Free._tactical,
    "skilled_labor": Free._skilled,
    "efficiency": Free._efficiency,
    "investment": Free._investment,
    "investment_strategy": Free._investment,
    "major_investment": Free._major,
}
_USES = {
    "tactical_expansion": "_use_tactical",
    "skilled_labor": "_use_skilled",
    "efficiency": "_use_efficiency",
    "investment": "_use_investment",
    "investment_strategy": "_use_investment",
    "major_investment": "_use_major",
}
