"""Random legal games of Railway Boom: nothing is lost, nothing goes below zero, nobody is stuck."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.actions import TABLE, Action
from assistant.cases import case_of, find, read
from assistant.cases import opened as opened_case
from assistant.events import Back, Event, Mark, Moved, Points
from assistant.game import PositionFaults, find_title
from assistant.games.railway_boom import actions as act
from assistant.games.railway_boom.game import RailwayBoom
from assistant.games.railway_boom.pack import STOCK, TIMINGS, TRACKS
from assistant.games.railway_boom.scoring import COUNTS
from assistant.games.railway_boom.state import AskBuy, Deck, State, Step
from assistant.games.railway_boom.title import TITLE
from assistant.offers import STOP, Form, Offer
from assistant.positions import merged
from assistant.random_play import POLICY, play
from assistant.rulings import NotUnderstood
from tests import properties

OTHERWISE = {name: switch.values[1] for name, switch in TITLE.switches.items()}
"""Every switch at its second value."""
GAMES = [(2, 1, {}), (3, 2, {}), (4, 3, {}), (4, 4, {}), (3, 5, OTHERWISE), (4, 6, OTHERWISE)]


@cache
def opened(players: int, otherwise: bool = False) -> RailwayBoom:
    title = find_title("railway_boom")
    game = title.open(title.load_pack("inland_sea"), players, OTHERWISE if otherwise else {})
    assert isinstance(game, RailwayBoom)
    return game


# What must hold of every state --------------------------------------------------------------------


def places(game: RailwayBoom, state: State, deck: Deck) -> Counter[tuple[str, str]]:
    """Where each card of a kind lies, as (card, place); a card that has left the game lies nowhere."""
    out: Counter[tuple[str, str]] = Counter()
    for index, name in enumerate(game.card_order[deck]):
        if state.decks[deck] >> index & 1:
            out[name, "deck"] += 1
    market: Sequence[str] = ()
    owned: list[str] = []
    if deck is Deck.LOCOMOTIVES:
        market, owned = state.locomotives, [c.id for s in state.seats for c in s.locos]
    elif deck is Deck.CARRIAGES:
        market, owned = state.carriages, [c.id for s in state.seats for c in s.carriages]
    elif deck is Deck.STATIONS:
        market = [place.card for place in state.stations]
    elif deck is Deck.DEVELOPMENTS:
        market = [name for row in state.rows for name in row.cards]
        owned = [c.id for s in state.seats for c in s.devs]
        drawn = [e for stack in state.stacks for e in stack.open if isinstance(e, AskBuy)]
        out.update((name, "drawn") for entry in drawn for name in entry.cards)
    elif deck is Deck.OBJECTIVES:
        market = state.objectives
    else:
        market = state.routes
    out.update((name, "market") for name in market)
    out.update((name, "owned") for name in owned)
    return out


class Ledger:
    """Follows a game action by action: each card in one place, each piece somewhere, all points told.

    A card that has left the game never comes back. Points and stock are added up from the events alone.
    """

    def __init__(self, game: RailwayBoom) -> None:
        self.game = game
        self.gone: dict[Deck, set[str]] = {deck: set() for deck in Deck}
        stock = dict.fromkeys(STOCK, 8)
        self.told: dict[str, Counter[str]] = {name: Counter(stock) for name in game.seats}
        self.marked: dict[str, Counter[str]] = {}

    def follow(self, before: State, action: Action, after: State, events: list[Event]) -> None:
        self.cards(after)
        self.pieces(after)
        self.events(after, events)
        self.somebody_acts(after)
        assert not self.game.faults(after)

    def cards(self, state: State) -> None:
        for deck in Deck:
            where = places(self.game, state, deck)
            starts = {name for name, place in where if name not in self.game.card_bit[deck]}
            cards = {name for name, _ in where}
            assert sum(where.values()) == len(cards), f"in two places: {where}"
            assert not cards & self.gone[deck], f"came back: {cards & self.gone[deck]}"
            assert deck is Deck.LOCOMOTIVES or not starts
            self.gone[deck] = set(self.game.card_order[deck]) - cards
        assert not self.gone[Deck.DEVELOPMENTS], "developments never leave the game"

    def pieces(self, state: State) -> None:
        for record in state.seats:
            assert record.rails.bit_count() + record.rails_left == 30
            assert record.stations.bit_count() + record.stations_left == 4
            assert not record.rails & record.stations
            assert min(*record.stock, record.vp, *record.tiles, record.rails_left, record.stations_left) >= 0
            cubes = [space for space in record.cubes if space >= 0]
            assert len(cubes) in (state.round, state.round - 1)
            for cards in (record.locos, record.carriages):
                for card in cards:
                    room = (self.game.locomotives.get(card.id) or self.game.carriages[card.id]).capacity
                    assert sum(card.tiles) <= room
        for index in range(4):
            spaces = [record.cubes[index] for record in state.seats if record.cubes[index] >= 0]
            assert len(set(spaces)) == len(spaces), "two cubes on one space"
        assert state.turn.power >= -1
        assert min(state.supply) >= 0
        if not self.game.unlimited_tiles:
            for kind in range(5):
                owned = sum(
                    record.tiles[kind] + sum(card.tiles[kind] for card in (*record.locos, *record.carriages))
                    for record in state.seats
                )
                assert state.supply[kind] + owned == 20

    def events(self, state: State, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Points):
                self.told[event.seat]["vp"] += event.amount
                assert event.rule, f"points without a rule: {event}"
            elif isinstance(event, Moved) and event.what in STOCK:
                self.told[event.seat][event.what] += event.amount
            elif isinstance(event, Mark):
                self.marked[event.seat] = self.told[event.seat].copy()
            elif isinstance(event, Back):
                self.told[event.seat] = self.marked[event.seat].copy()
        for name, record in zip(self.game.seats, state.seats, strict=True):
            amounts = (record.vp, *record.stock)
            assert tuple(self.told[name][what] for what in TRACKS) == amounts, f"{name}: {events}"

    def somebody_acts(self, state: State) -> None:
        game = self.game
        if state.step == Step.OVER:
            assert not game.acting(state)
            return
        asked = game.acting(state)
        assert asked
        for acting in asked:
            if acting.seat == TABLE:
                draw = game.chance(state, random.Random(0))
                assert draw is not None
                assert game.refuse(state, draw) is None
            else:
                assert game.offers(state, acting.seat), f"{acting} has nothing to do"


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_nothing_is_lost_in_a_random_game(players: int, seed: int, options: dict[str, str | bool]) -> None:
    assert POLICY.startswith("even"), "the figures below were set for that policy"
    game = opened(players, bool(options))
    ledger = Ledger(game)
    played = play(game, random.Random(seed), observe=ledger.follow)
    assert game.finished(played.state)
    assert played.state.round == 4
    assert all(record.stations_left == 0 for record in played.state.seats)
    assert all(min(record.cubes) >= 0 for record in played.state.seats)
    if not options:
        # With virtual conversion a payer has to convert, so that the share is larger there.
        assert sum(played.shares.get(kind, 0) for kind in ("convert", "use_dev")) < 0.15


# Everything that can be said ----------------------------------------------------------------------


def said(game: RailwayBoom, state: State, rng: random.Random) -> Iterator[Action]:
    """Every action of a seat that can be said with the words of the table, as far as order matters.

    Trains are said with up to two carriages, payments of Major Investment and of the auction in full.
    """
    hexes = (*game.grid.bit, "z1")
    locos, carriages = tuple(game.locomotives), tuple(game.carriages)
    developments = (*game.developments, "D99")
    for seat, record in zip(game.seats, state.seats, strict=True):
        own = [card.id for card in (*record.locos, *record.carriages)]
        some = [*own, *rng.sample(carriages, 3), *rng.sample(locos, 2)]
        yield from (act.Bid(seat, space) for space in range(-1, 23))
        yield from (kind(seat) for kind in (act.Confirm, act.OperateNext, act.Rollback, act.Decline))
        yield from (kind(seat) for kind in (act.EndTurn, act.Done))
        for give in itertools.combinations_with_replacement((*TRACKS, "gold"), 2):
            yield from (act.Convert(seat, give, take) for take in (*TRACKS, "gold"))
        yield from (act.TakeLoco(seat, card) for card in (*locos, "K01"))
        yield from (act.BuyCarriage(seat, card) for card in (*carriages, "L01"))
        yield from (act.PlaceStation(seat, name) for name in hexes)
        yield from (act.MoneyToPower(seat, n) for n in range(1, record.stock[0] + 2))
        for name in hexes:
            yield act.PlaceRT(seat, name)
            yield act.PlaceRT(seat, name, free_placement=True)
        yield from (act.ChooseSet(seat, row) for row in range(1, len(game.seats) + 2))
        for card in developments:
            yield act.TakeFree(seat, card)
            yield act.BuyDev(seat, card)
            yield act.UseDev(seat, card)
        for owned in record.devs:
            yield from (act.UseDev(seat, owned.id, hex=name) for name in hexes)
            yield from (act.UseDev(seat, owned.id, carriage=name) for name in some)
            if game.developments[owned.id].kind == "major_investment":
                due = game.developments[owned.id].pay_any
                yield from (act.UseDev(seat, owned.id, pay=pay) for pay in mixes(range(due - 1, due + 2)))
                yield act.UseDev(seat, owned.id, pay={"vp": 1, "coal": due - 1})
        if state.step == Step.PAY and len(game.bidding.payable(state)) > 1:
            due = game.paying.due(state, game.paying.payer(state))
            yield from (act.PayWild(seat, pay) for pay in mixes(range(due - 1, due + 2)))
        yield act.PayWild(seat, {"vp": 1})
        for tile in (*TRACKS, "gold"):
            yield from (act.LoadTile(seat, tile, card) for card in some)
            yield from (act.UnloadTile(seat, tile, card) for card in own[:2])
        for loco in some:
            yield act.DeclareTrain(seat, loco)
            for train in itertools.chain(((c,) for c in some), itertools.permutations(some, 2)):
                yield act.DeclareTrain(seat, loco, train)
        yield from (act.Choose(seat, (name,)) for name in (*TRACKS, *some))
        yield from (act.Choose(seat, pair) for pair in itertools.combinations_with_replacement(TRACKS, 2))
        yield act.Choose(seat, ())


def mixes(totals: range) -> Iterator[dict[str, int]]:
    """All payments of some totals in the four stock resources; without resources that pay nothing."""
    for total in totals:
        for a, b, c in itertools.product(range(total + 1), repeat=3):
            if a + b + c <= total:
                parts = zip(STOCK, (a, b, c, total - a - b - c), strict=True)
                yield {name: amount for name, amount in parts if amount}


def offered(game: RailwayBoom, state: State) -> tuple[set[str], list[Offer]]:
    """What is offered to all seats, spelled out where that is short; and the forms for trains."""
    spelled: set[str] = set()
    trains: list[Offer] = []
    for seat in game.seats:
        for offer in game.offers(state, seat):
            if isinstance(offer, Form) and offer.kind == "declare_train":
                trains.append(offer)
            elif isinstance(offer, Form):
                spelled |= {spell(action) for action in offer.expand()}
            else:
                spelled.add(spell(offer))
    return spelled, trains


def spell(action: Action) -> str:
    """An action in one spelling: what is given for a conversion and two resources of choice have no order."""
    if isinstance(action, act.Convert):
        action = act.Convert(action.seat, _ordered(action.give), action.take)
    elif isinstance(action, act.Choose) and len(action.option) == 2:
        action = act.Choose(action.seat, _ordered((action.option[0], action.option[1])))
    form: dict[str, Any] = act.CODEC.to_json(action)
    if "pay" in form:
        form["pay"] = sorted(form["pay"].items())
    return repr(sorted(form.items()))


def _ordered(pair: tuple[str, str]) -> tuple[str, str]:
    a, b = sorted(pair)
    return a, b


def train_offered(trains: list[Offer], action: act.DeclareTrain) -> bool:
    for form in trains:
        assert isinstance(form, Form)
        if form.domain(()) is not None and getattr(form, "seat", "") == action.seat:
            try:
                form.check((action.loco, *action.carriages, STOP))
            except ValueError:
                continue
            return True
    return False


def refusal(game: RailwayBoom, state: State, action: Action) -> str | None:
    """The rule that forbids an action, "?" when it names what does not exist, None when it is legal."""
    try:
        violation = game.refuse(state, action)
    except NotUnderstood:
        return "?"
    return violation.rule if violation else None


def agree(game: RailwayBoom, state: State, rng: random.Random) -> tuple[int, int]:
    """`offers` and `refuse` agree about everything that can be said; how many were legal and how many not."""
    spelled, trains = offered(game, state)
    digest = game.digest(state)
    legal = refused = 0
    missed = set(spelled)
    for action in said(game, state, rng):
        rule = refusal(game, state, action)
        if isinstance(action, act.DeclareTrain):
            there = train_offered(trains, action)
        else:
            form = spell(action)
            there = form in spelled
            missed.discard(form)
        assert there == (rule is None), f"{action}: offered {there}, refused {rule}"
        legal += there
        refused += not there
    assert not missed, f"offered, but not among all that can be said: {sorted(missed)[:3]}"
    assert game.digest(state) == digest
    return legal, refused


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_offers_and_refusals_agree_about_all_that_can_be_said(
    players: int, seed: int, options: dict[str, str | bool]
) -> None:
    game = opened(players, bool(options))
    rng = random.Random(seed)
    met: dict[tuple[int, str], int] = {}
    chosen: list[State] = []

    def sample(before: State, action: Action, after: State, events: list[Event]) -> None:
        # A few states of every step and every reason to be asked.
        why = ",".join(sorted({acting.why for acting in game.acting(after)}))
        key = (after.step, why)
        met[key] = met.get(key, 0) + 1
        if met[key] in (2, 9):
            chosen.append(after)

    play(game, rng, observe=sample)
    counts = [agree(game, state, rng) for state in chosen]
    assert len(chosen) > 12
    assert sum(legal for legal, _ in counts) > 300
    assert sum(refused for _, refused in counts) > 10_000


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_offer_is_legal_and_every_position_comes_back(
    players: int, seed: int, options: dict[str, str | bool]
) -> None:
    game = opened(players, bool(options))
    rng = random.Random(seed + 10)
    count = 0

    def sample(before: State, action: Action, after: State, events: list[Event]) -> None:
        nonlocal count
        count += 1
        if count % 7 == 0 or after.stacks:
            properties.check_round_trip(game, after)
        if count % 16 == 0:
            properties.check_forms(game, after, rng, samples=2, limit=30)
        if count % 150 == 0:
            case_of(game, after, "kept")

    play(game, rng, observe=sample)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_garbage_is_refused_and_leaves_the_state_as_it_was(players: int) -> None:
    game = opened(players)
    rng = random.Random(players)
    played = play(game, rng)
    words = properties.Vocabulary(game, played.actions)
    count = refused = 0

    def sample(before: State, action: Action, after: State, events: list[Event]) -> None:
        nonlocal count, refused
        count += 1
        if count % 10:
            return
        digest = game.digest(after)
        for _ in range(40):
            wild = words.sample(rng)
            if refusal(game, after, wild) is None:
                continue
            refused += 1
            ruling = game.ruling(after, wild) if refused % 50 == 0 else None
            assert ruling is None or all(game.refuse(after, near) is None for near in ruling.nearest)
        assert game.digest(after) == digest

    play(game, random.Random(players + 1), observe=sample)
    assert refused > 500


def test_what_is_not_understood_is_said_so() -> None:
    game = opened(3)
    with pytest.raises(NotUnderstood, match="no seat"):
        game.refuse(game.start(), act.Confirm("D"))
    with pytest.raises(NotUnderstood, match="by the table"):
        game.refuse(game.start(), act.Draw("objectives", ("O01", "O02", "O03", "O04"), seat="A"))


# Illegal, yet it happened -------------------------------------------------------------------------


TRAIN_TURN: dict[str, Any] = {
    "phase": "train",
    "step": "turn",
    "market": {"locomotives": ["L02", "L03"], "carriages": ["K01", "K02", "K08", "K09"]},
    "seats": {"A": {"locomotives": ["SA", "L01"]}},
    "turn": {"locomotive": True},
}
BUILDING: dict[str, Any] = {
    "phase": "expansion",
    "step": "turn",
    "market": {"stations": [{"card": "S14", "taken": "A"}, "S01", "S02"]},
    "seats": {"A": {"stations": ["e6"], "stations_left": 3}},
    "turn": {"station": "e6", "power": 1},
}
ROWS: dict[str, Any] = {
    "phase": "development",
    "step": "turn",
    "market": {"rows": [["D01", "D02", "D14"], ["D03", "D05", "D06"], ["D07", "D09", "D11"]]},
    "turn": {"row": 1},
}
OPERATION: dict[str, Any] = {"phase": "operation", "step": "turn"}
BID: dict[str, Any] = {"phase": "train", "step": "auction", "market": {"locomotives": ["L01", "L02", "L03"]}}
WILD: dict[str, Any] = {"phase": "objective", "step": "auction", "auction": {"discs": {"A": 1, "B": 2}}}
NEXT_TO = {"rails": ["f1"], "rails_left": 29}
WAIVED: list[tuple[str, dict[str, Any], dict[str, Any], Action]] = [
    ("RB-AUC-8", BID, {}, act.Bid("C", 20)),
    ("RB-AUC-8", WILD, {"seats": {"C": dict.fromkeys(STOCK, 1)}}, act.Bid("C", 20)),
    ("RB-AUC-9", BID, {"auction": {"discs": {"C": 8}}}, act.Convert("C", ("materials", "money"), "coal")),
    ("RB-RES-1", TRAIN_TURN, {"seats": {"A": {"materials": 3}}}, act.BuyCarriage("A", "K08")),
    ("RB-RES-1", BUILDING, {}, act.MoneyToPower("A", 12)),
    ("RB-RES-4", BID, {"seats": {"A": {"developments": ["D48"]}}}, act.UseDev("A", "D48")),
    ("RB-TRN-4", TRAIN_TURN, {"turn": {"bought": 2}}, act.BuyCarriage("A", "K01")),
    ("RB-TRN-4", TRAIN_TURN, {"box": {"carriages": ["K10"]}}, act.BuyCarriage("A", "K10")),
    ("RB-TRN-5", TRAIN_TURN, {"turn": {"locomotive": False}}, act.BuyCarriage("A", "K01")),
    ("RB-EXP-7", BUILDING, {}, act.PlaceRT("A", "f2")),
    ("RB-EXP-8", BUILDING, {}, act.PlaceRT("A", "e7")),
    ("RB-EXP-11", BUILDING, {}, act.PlaceRT("A", "i9", free_placement=True)),
    ("RB-EXP-11", OPERATION, {"seats": {"A": {"developments": ["D07"]}}}, act.UseDev("A", "D07", hex="i9")),
    ("RB-DEV-4", ROWS, {}, act.TakeFree("A", "D14")),
    ("RB-DEV-4", ROWS, {}, act.EndTurn("A")),
    (
        "RB-DEV-8",
        BID,
        {"seats": {"A": {"developments": [{"id": "D64", "turned": True}]}}},
        act.UseDev("A", "D64", pay={"coal": 3}),
    ),
    ("RB-DEV-8", BID, {}, act.UseDev("A", "D58")),
    (
        "RB-FLOW-6",
        OPERATION,
        {"seats": {"B": {**NEXT_TO, "developments": ["D07"]}}},
        act.UseDev("B", "D07", hex="f2"),
    ),
    (
        "RB-FLOW-6",
        OPERATION,
        {"seats": {"B": NEXT_TO}, "pending": {"B": [{"ask": "free_rt"}]}},
        act.PlaceRT("B", "f2", free_placement=True),
    ),
    (
        "RB-FLOW-6",
        OPERATION,
        {"seats": {"B": NEXT_TO}, "pending": {"B": [{"ask": "free_rt"}]}},
        act.Done("B"),
    ),
]


@pytest.mark.parametrize(("rule", "given", "more", "action"), WAIVED, ids=lambda value: str(value)[:30])
def test_after_an_overruled_action_the_game_goes_on_to_its_end(
    rule: str, given: dict[str, Any], more: dict[str, Any], action: Action
) -> None:
    game = opened(3)
    table = {"round": 1, "white": ["C", "B", "A"], "objectives": ["O03", "O02", "O09", "O08"]}
    table["routes"] = ["R1", "R2", "R3", "R4"]
    position = merged(merged(merged(game.to_position(game.start()), table), given), more)
    state = game.from_position(position)
    assert rule in game.waivable
    assert {violation.rule for violation in game.violations(state, action)} == {rule}
    after, _ = game.apply(state, action)
    assert not game.faults(after)
    for seed in (1, 2):
        played = properties.random_playout(game, random.Random(seed), state=after, faults_every=5)
        assert played.state.round == 4
        assert min(min(record.vp, *record.stock) for record in played.state.seats) >= 0


def test_every_rule_that_can_be_waived_has_been() -> None:
    assert {rule for rule, *_ in WAIVED} == opened(3).waivable


# Positions ----------------------------------------------------------------------------------------

IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"seats": {"A": {"rails": ["f1"]}}}, "more than 30"),
    ({"seats": {"A": {"rails": ["f1"], "stations": ["f1"], "rails_left": 29, "stations_left": 3}}}, "MAP-3"),
    ({"seats": {"A": {"stations": ["f2"], "stations_left": 3}}}, "outside a Regular City"),
    ({"seats": {"A": {"stations_left": 5}}}, "stations_left"),
    ({"seats": {"A": {"levels": {"coal": 9}}}}, "off the track"),
    ({"seats": {"A": {"carriages": [{"id": "K11", "tiles": {"coal": 2}}]}}}, "more tiles than it has room"),
    ({"seats": {"A": {"tiles": {"coal": 1}}}}, "more than 20 coal tiles"),
    ({"seats": {"A": {"carriages": ["K01"]}, "B": {"carriages": ["K01"]}}}, "in two places"),
    ({"seats": {"A": {"coal": -1}}}, "seats.A.coal"),
    ({"seats": {"A": {"gold": 1}}}, "unknown key"),
    ({"white": ["A", "A", "B"]}, "each of A, B, C once"),
    ({"phase": "train", "step": "over"}, "phase 'train' has no step 'over'"),
    ({"phase": ["train"]}, "has no step 'setup'"),
    ({"market": {"stations": "S01"}}, "market.stations: a list is expected"),
    ({"pending": {"A": "gain2"}}, "pending.A: a list is expected"),
    ({"seats": {"A": {"locomotives": [{"id": ["SA"]}]}}}, "there is no"),
    ({"phase": "objective", "step": "auction", "round": 1}, "there is none for round 1"),
    ({"phase": "expansion", "step": "turn", "turn": {"station": "f1"}}, "no station on f1"),
    ({"phase": "development", "step": "turn", "turn": {"free_card": True}}, "turn.row"),
    ({"trains": {"A": {"cards": ["SA"]}}}, "Operation phase"),
    ({"phase": "operation", "step": "turn", "trains": {"A": {"cards": ["SB"]}}}, "no own locomotive"),
    ({"phase": "operation", "step": "turn", "trains": {"A": {"cards": ["SA", "K01"]}}}, "no own carriage"),
    ({"phase": "operation", "step": "turn", "trains": {"A": {"cards": ["SA"], "next": 1}}}, "trains.A.next"),
    ({"pending": {"A": [{"ask": "buy", "cards": ["D99"]}]}}, "refers to nothing"),
    ({"pending": {"A": [{"ask": "lease"}]}}, "refers to nothing"),
    ({"pending": {"A": [{"ask": "draw", "deck": "carriages"}]}}, "refers to nothing"),
    ({"pending": {"A": [{"ask": "effect", "source": "K01"}]}}, "refers to nothing"),
    ({"pending": {"A": [{"ask": "raise", "track": "gold"}]}}, "pending.A"),
    ({"pending": {"A": [{"ask": "whistle"}]}}, "pending.A"),
]


@pytest.mark.parametrize(("changes", "words"), IMPOSSIBLE, ids=lambda value: str(value)[:50])
def test_an_impossible_position_is_refused_with_the_reason(changes: dict[str, Any], words: str) -> None:
    game = opened(3)
    with pytest.raises(PositionFaults, match=words):
        game.from_position(merged(game.to_position(game.start()), changes))


# What the cases cover ------------------------------------------------------------------------------

ROOT = Path(__file__).parents[3]
CASES = [read(file) for file in find([ROOT / "tests" / "conformance" / "railway_boom"])]
COMPOSITE = {"RB-AUC-7", "RB-EXP-6", "RB-DRAW-3"}
"""Named in the check order, but by no refusal: lists of other rules, and what the referee never does."""


def test_every_rule_of_the_check_order_refuses_something_in_a_case() -> None:
    text = (ROOT / "docs" / "rules" / "railway-boom.md").read_text(encoding="utf-8")
    chapter = text.split("## 16. Check order")[1].split("## 17.")[0]
    wanted = set(re.findall(r"RB-[A-Z]+-\d+", chapter)) - COMPOSITE
    refused = {step.refused for case in CASES for step in case.steps if step.refused}
    assert wanted
    assert not wanted - refused
    assert {case.refused for case in CASES} >= {"RB-SETUP-1", "RB-ICON-3"}


def test_every_kind_of_card_and_every_switch_has_a_case() -> None:
    title = find_title("railway_boom")
    asked = {step.args.get("kind") for case in CASES for step in case.steps}
    assert asked >= set(COUNTS)
    used = set()
    for case in CASES:
        if case.refused is None:
            cards = opened_case(case)[0].pack.content.developments
            words = set(re.findall(r'"(D\w+)"', Path(case.file).read_text(encoding="utf-8")))
            used |= {card.kind for card in cards if card.id in words}
    assert used == set(TIMINGS)
    for name, switch in title.switches.items():
        assert any(case.options.get(name) == switch.values[1] for case in CASES), name
