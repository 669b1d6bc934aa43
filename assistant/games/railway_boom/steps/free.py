"""Free actions: conversion, and using a Development card (RB-FREE, RB-DEV-8)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from assistant.actions import Action
from assistant.games.railway_boom.actions import Convert, UseDev
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import (
    INSTANT,
    earlier_unfinished,
    free_hexes,
    held,
    leasable,
    place_rail,
    settle,
)
from assistant.games.railway_boom.pack import STOCK, STOCK_INDEX, TRACK_INDEX, Development
from assistant.games.railway_boom.state import (
    AwaitDraw,
    DevCard,
    RaiseTask,
    Seat,
    State,
    Step,
    TrainCard,
)
from assistant.games.railway_boom.steps.base import Consequence, Part
from assistant.games.railway_boom.steps.choices import over
from assistant.hexes import pick
from assistant.offers import Form, Offer, Value, split_domain
from assistant.rulings import NotUnderstood, Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

Conversion = tuple[str, str, str]

NO_DECISION = frozenset({Step.SETUP, Step.REVEAL, Step.OVER})
"""Steps in which no player decides anything (RB-FREE-4)."""
BIDDING = frozenset({Step.AUCTION, Step.PAY})
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


_Use = Callable[[State, int, Development], list[Offer]]
"""What a seat may do with an upright Round card of its own."""

Blanks = Mapping[tuple[str, ...], tuple[str, ...]]
"""Of a conversion's three names, what the next may be, by those before."""


def blanks(rows: Iterable[Conversion]) -> Blanks:
    """Conversions name by name."""
    out: dict[tuple[str, ...], dict[str, None]] = {}
    for row in rows:
        for depth in range(3):
            out.setdefault(row[:depth], {})[row[depth]] = None
    return {before: tuple(names) for before, names in out.items()}


@cache
def stock_blanks(to_vp: bool) -> tuple[Blanks, ...]:
    """What a stock of 0, 1 or 2 of each resource can be converted to; stocks numbered in base 3."""
    return tuple(blanks(conversions(spare, to_vp)) for spare in product(range(3), repeat=4))


class ConvertForm(Form, frozen=True):
    """A conversion: two inputs, then the output."""

    seat: str
    blanks: Blanks
    kind = "convert"
    free: ClassVar[bool] = True

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        return self.blanks.get(tuple(filled))

    def sample(self, rng: random.Random) -> Action:
        draw, blanks = rng.random, self.blanks
        names: tuple[str, ...] = ()
        while (domain := blanks.get(names)) is not None:
            names = (*names, domain[int(draw() * len(domain))])
        return self.make(names)

    def make(self, filled: Sequence[Value]) -> Action:
        return Convert(self.seat, (filled[0], filled[1]), filled[2])


def _converted(stock: Sequence[int], row: Conversion) -> list[int]:
    """A stock after a conversion."""
    left = list(stock)
    for name, change in ((row[0], -1), (row[1], -1), (row[2], 1)):
        if name != "vp":
            left[STOCK_INDEX[name]] += change
    return left


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

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._to_vp = bool(game.options["convert.to_vp"])
        self._virtual = bool(game.options["auction.virtual_conversion"])
        self._uses: dict[str, tuple[_Use, Development]] = {
            card.id: (getattr(self, _USES.get(card.kind, "_use_resolved")), card)
            for card in game.content.developments
            if card.timing == "round"
        }
        # A seat's cards hardly ever change: for each, those of last time and which of them can be used.
        self._upright: list[tuple[tuple[DevCard, ...], list[tuple[_Use, Development]]]]
        self._upright = [((), [])] * len(game.seats)
        self._plain = [{name: UseDev(letter, name) for name in self._uses} for letter in game.seats]
        """By index of the seat and by card: using it, where nothing else has to be named."""
        forms = [[ConvertForm(s, b) if b else None for b in stock_blanks(self._to_vp)] for s in game.seats]
        self._forms = forms
        """By index of the seat and by what a stock can be converted to."""
        # The same stocks come again and again.
        self._form = lru_cache(maxsize=1 << 10)(self._find_form)
        hexes = game.grid.bit.items()
        self._tactical_uses = {
            card.id: [
                game.grid.by_index({bit: UseDev(s, card.id, hex=name) for name, bit in hexes})
                for s in game.seats
            ]
            for _, card in self._uses.values()
            if card.kind == "tactical_expansion"
        }

    def offer(self, out: list[Offer], state: State, seat: int) -> None:
        """Add all free actions of a seat that change something now to what else it may do.

        The step is not one of `NO_DECISION`.
        """
        if state.stacks and (not self.game.decision_point(state) or self._awaits(state, seat)):
            return
        record = state.seats[seat]
        form = self._bound(state, seat) if state.step in BIDDING else self._form(seat, record.stock)
        if form is not None:
            out.append(form)
        devs, upright = self._upright[seat]
        if devs is not record.devs:
            uses = self._uses
            upright = [uses[own.id] for own in record.devs if own.id in uses and not own.turned]
            self._upright[seat] = record.devs, upright
        for use, card in upright:
            out += use(state, seat, card)

    def _awaits(self, state: State, seat: int) -> bool:
        """Whether cards are being turned up for this seat just now (not: once others are done)."""
        return isinstance(state.top(seat), AwaitDraw) and not held(self.game, state, seat)

    def _find_form(self, seat: int, stock: tuple[int, int, int, int]) -> ConvertForm | None:
        """Conversions that can be paid from a stock."""
        a, b, c, d = stock
        # More than two of a resource makes no difference, so there are 81 forms a seat, made once.
        number = (27 * a if a < 2 else 54) + (9 * b if b < 2 else 18) + (3 * c if c < 2 else 6)
        return self._forms[seat][number + (d if d < 2 else 2)]

    def _bound(self, state: State, seat: int) -> ConvertForm | None:
        """Conversions that can be paid and leave a bid covered."""
        stock, bidding = state.seats[seat].stock, self.game.bidding
        cover = state.track.value[seat] if state.step == Step.AUCTION else bidding.cover(state, seat)
        if not cover:
            return self._form(seat, stock)
        if (single := bidding.single[state.phase]) >= 0:
            left = [*stock]
            left[single] = max(0, left[single] - cover)
            return self._form(seat, tuple(left))
        spare = self._spare(state, seat, 1)
        if spare is not None:
            return self._form(seat, spare)
        # Resources cannot be told apart into bound and spare ones.
        rows = conversions(tuple(min(n, 2) for n in stock), self._to_vp)
        rows = tuple(row for row in rows if not any(bidding.uncovered(state, seat, _converted(stock, row))))
        return ConvertForm(self.game.seats[seat], blanks(rows)) if rows else None

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
        bound = kinds[0] - 1
        left = list(stock)
        left[bound] = max(0, left[bound] - cover)
        a, b, c, d = left
        return a, b, c, d

    def _can_pay(self, state: State, seat: int, price: Mapping[Any, int]) -> bool:
        stock = state.seats[seat].stock
        for name, amount in price.items():
            if amount > stock[STOCK_INDEX[name]]:
                return False
        return state.step not in BIDDING or not any(self._payable(state, seat, price, {}))

    # Uses of Round cards that are legal but for a bid that must stay covered, by kind.

    def _use_tactical(self, state: State, seat: int, card: Development) -> list[Offer]:
        if not self._can_pay(state, seat, card.pay):
            return []
        if state.step == Step.OPERATION and earlier_unfinished(self.game, state, seat):
            return []
        return pick(free_hexes(self.game, state, seat), self._tactical_uses[card.id][seat])

    def _use_skilled(self, state: State, seat: int, card: Development) -> list[Offer]:
        if state.step != Step.EXPANSION or state.turn.power < 0 or self.game.acting_seat(state) != seat:
            return []
        return [self._plain[seat][card.id]]

    def _use_efficiency(self, state: State, seat: int, card: Development) -> list[Offer]:
        if state.step != Step.OPERATION:
            return []
        names = dict.fromkeys([own.id for own in state.seats[seat].carriages if self._costs(own)])
        return [UseDev(self.game.seats[seat], card.id, carriage=name) for name in names]

    def _use_investment(self, state: State, seat: int, card: Development) -> list[Offer]:
        record = state.seats[seat]
        track = TRACK_INDEX[card.track or "vp"]
        if record.levels[track] >= self.game.top_level[track]:
            return []
        if (card.kind == "investment" and record.vp < 1) or not self._can_pay(state, seat, card.pay):
            return []
        return [self._plain[seat][card.id]]

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
        use = self._plain[seat][card.id]
        return [] if next(self._resolved(state, seat, use, card), None) else [use]

    # Rules.

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        if over(state):
            yield Violation("RB-END-5")
            return
        if not self.game.decision_point(state) or self._awaits(state, seat):
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

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {Convert: self._convert, UseDev: self._used}

    def _convert(self, change: Change, seat: int, action: Convert) -> None:
        for name in action.give:
            change.pay(seat, TRACK_INDEX[name], 1, "RB-FREE-2")
        change.gain(seat, TRACK_INDEX[action.take], 1, "conversion", "", "RB-FREE-2")

    def _used(self, change: Change, seat: int, action: UseDev) -> None:
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
            turn = change.table.turn
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
