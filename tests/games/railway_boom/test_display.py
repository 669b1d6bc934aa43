from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from assistant import cases
from assistant.actions import Action
from assistant.display import (
    POINTS,
    Change,
    Counter,
    Display,
    Foresight,
    Gauge,
    Progress,
    Strip,
    changes,
)
from assistant.events import FINAL, ROUND, Event, Points, Told
from assistant.game import PUBLIC, find_title
from assistant.games.railway_boom import actions as act
from assistant.games.railway_boom.game import RailwayBoom
from assistant.games.railway_boom.pack import STOCK
from assistant.games.railway_boom.state import Deck, State, Step
from assistant.games.railway_boom.title import TITLE
from assistant.offers import Form, Offer
from assistant.positions import merged
from assistant.random_play import play
from assistant.reading import Spot
from ui.sentences import Sentences

OTHERWISE = {name: switch.values[1] for name, switch in TITLE.switches.items()}
GAMES = [(players, seed, seed % 5 == 4) for seed in range(10) for players in (2, 3, 4)]
"""Thirty random games: players, seed, whether every switch is at its second value."""
TRIED = 6
"""How many of a seat's offers are tried in each state."""


@cache
def opened(players: int, otherwise: bool = False) -> RailwayBoom:
    title = find_title("railway_boom")
    game = title.open(title.load_pack("inland_sea"), players, OTHERWISE if otherwise else {})
    assert isinstance(game, RailwayBoom)
    return game


@cache
def words() -> Sentences:
    return Sentences.of(TITLE)


# In every state of random games -------------------------------------------------------------------


def shown_cards(display: Display) -> set[str]:
    """Payloads of all faces that a display shows."""
    faces = [face for group in display.cards for face in group.faces]
    if display.auction:
        faces += display.auction.stake
    if display.train:
        faces += [car.face for car in display.train.cars]
    return {face.payload for face in faces}


def in_decks(game: RailwayBoom, state: State) -> set[str]:
    """Payloads of all cards that nobody may see."""
    return {
        game.screen.faces[name].payload
        for deck in Deck
        for index, name in enumerate(game.card_order[deck])
        if state.decks[deck] >> index & 1
    }


def strip_of(display: Display, seat: str) -> Strip:
    return next(strip for strip in display.strips if strip.seat == seat)


def check_display(game: RailwayBoom, state: State) -> Display:
    display = game.display(state, PUBLIC)
    assert {strip.seat for strip in display.strips} == set(game.seats)
    for strip in display.strips:
        record = state.seats[game.index[strip.seat]]
        assert strip.points == record.vp
        assert {gauge.what: gauge.value for gauge in strip.gauges} == dict(
            zip(STOCK, record.stock, strict=True)
        )
        assert not strip.status or words().has("words", strip.status)
    assert not shown_cards(display) & in_decks(game, state)
    rails = sum(record.rails.bit_count() + record.stations.bit_count() for record in state.seats)
    assert len(display.tokens) == rails
    assert (display.auction is not None) == (state.step in (Step.AUCTION, Step.PAY))
    assert (display.counter is not None) == (state.step == Step.EXPANSION and state.turn.power >= 0)
    if display.counter:
        assert 0 <= display.counter.left <= display.counter.of
    if display.auction:
        assert sorted(bidder.rank for bidder in display.auction.bidders) == [*range(1, len(game.seats) + 1)]
        assert display.auction.stake
        assert words().has("words", display.auction.stake_words)
    for group in display.cards:
        assert len(group.faces) == len(group.names)
        assert group.spent <= set(group.names)
        assert words().has("words", group.words)
    if display.train:
        for car, behind in zip(display.train.cars, display.train.cars[1:], strict=False):
            assert car.after == behind.before
        ahead = [car for car in display.train.cars if not car.ran]
        if ahead and not state.stacks:
            seat = game.index[display.train.seat]
            assert ahead[0].before == state.seats[seat].stock[STOCK.index("coal")]
    return display


def tried(game: RailwayBoom, state: State, rng: random.Random) -> list[Action]:
    """Some actions of every kind that is offered."""
    out = []
    for seat in game.seats:
        offers = game.offers(state, seat)
        kinds: dict[str, list[Offer]] = {}
        for offer in offers:
            kinds.setdefault(offer.kind, []).append(offer)
        for same in kinds.values():
            for offer in rng.sample(same, min(len(same), TRIED // len(kinds) + 1)):
                out.append(offer.sample(rng) if isinstance(offer, Form) else offer)
    return out


def run(game: RailwayBoom, state: State, action: act.DeclareTrain) -> State | None:
    """The state after the whole train, or None when it gets stuck or asks something."""
    index = game.index[action.seat]
    here = game.apply(state, action)[0]
    while here.trains[index] is not None:
        if here.stacks and here.stacks[index].open:
            return None
        step = act.OperateNext(action.seat)
        if game.refuse(here, step) is not None:
            return None
        here = game.apply(here, step)[0]
    return None if here.stacks and here.stacks[index].open else here


def check_foresight(game: RailwayBoom, state: State, shown: Display, action: Action) -> Foresight:
    foreseen = game.foresee(state, action)
    seat = action.seat  # type: ignore[attr-defined]
    after: State | None = game.apply(state, action)[0]
    if isinstance(action, act.DeclareTrain):
        assert foreseen.train is not None
        assert len(foreseen.train.cars) == 1 + len(action.carriages)
        after = run(game, state, action)
        if foreseen.train.short:
            assert after is None
            assert not foreseen.changes
        if after is None:
            return foreseen
        assert foreseen.train.cars[-1].after == after.seats[game.index[seat]].stock[STOCK.index("coal")]
        assert yields(foreseen, POINTS) == gained(shown, game.display(after), seat)
    else:
        assert foreseen.train is None
    assert after is not None
    assert foreseen.changes == changes(strip_of(shown, seat), strip_of(game.display(after), seat))
    if foreseen.hint is not None:
        assert words().has("hints", foreseen.hint.key), foreseen.hint
        text = words().say("hints", foreseen.hint.key, {"seat": seat, **foreseen.hint.values})
        assert "…" not in text
    return foreseen


def yields(foreseen: Foresight, what: str) -> int:
    assert foreseen.train is not None
    return sum(gauge.value for car in foreseen.train.cars for gauge in car.yields if gauge.what == what)


def gained(before: Display, after: Display, seat: str) -> int:
    new, old = strip_of(after, seat).points, strip_of(before, seat).points
    assert new is not None
    assert old is not None
    return new - old


def follow(game: RailwayBoom, seed: int, plain: bool) -> tuple[State, set[str], set[str]]:
    """A whole game, tried in every state; its end, the kinds tried and the hints given.

    Players choose evenly, or as virtual players do (they get further in a turn).
    """
    rng, state = random.Random(seed), game.start()
    kinds: set[str] = set()
    hints: set[str] = set()
    while asked := game.acting(state):
        shown = check_display(game, state)
        candidates = tried(game, state, rng)
        for candidate in candidates:
            kinds.add(candidate.kind)
            foreseen = check_foresight(game, state, shown, candidate)
            hints.update({foreseen.hint.key} if foreseen.hint else ())
        seat = rng.choice(asked).seat
        mine = [c for c in candidates if c.seat == seat]  # type: ignore[attr-defined]
        action = game.chance(state, rng)
        if action is None:
            action = rng.choice(mine) if plain else game.sensible(state, seat, rng)
        state = game.apply(state, action)[0]
    return state, kinds, hints


@pytest.mark.parametrize(("players", "seed", "otherwise"), GAMES)
def test_what_is_foreseen_is_what_happens(players: int, seed: int, otherwise: bool) -> None:
    game = opened(players, otherwise)
    end, kinds, _ = follow(game, seed, plain=seed % 2 == 0)
    display = check_display(game, end)
    assert display.progress.phase == -1
    assert {"bid", "confirm", "place_rt", "declare_train", "end_turn", "convert"} <= kinds
    assert bool(display.notes) == otherwise
    assert set(display.tints) == set(display.notes)


# Tables of the pictures ---------------------------------------------------------------------------


def table(given: Mapping[str, Any], players: int = 4) -> tuple[RailwayBoom, State]:
    """A game of the demo pack in a position."""
    raw = {"id": "display", "game": "railway_boom", "pack": "inland_sea", "players": players}
    game, state = cases.opened(cases.from_toml({**raw, "given": dict(given)}))
    assert isinstance(game, RailwayBoom)
    return game, state


AUCTION: dict[str, Any] = {
    "round": 2,
    "phase": "expansion",
    "step": "auction",
    "white": ["D", "A", "B", "C"],
    "market": {"stations": ["S22", "S18", "S35", "S26"]},
    "auction": {"discs": {"A": 3, "B": 5, "C": 6, "D": 0}, "confirmed": ["C", "D"]},
    "seats": {
        "A": {"money": 8, "vp": 12},
        "B": {"money": 9},
        "C": {"money": 9},
        "D": {"money": 6},
    },
}


def test_an_auction() -> None:
    game, state = table(AUCTION)
    display = game.display(state)
    shown = display.auction
    assert shown is not None
    assert [(strip.seat, strip.status) for strip in display.strips] == [
        ("C", "locked_in"),
        ("B", "open"),
        ("A", "deciding"),
        ("D", "locked_in"),
    ]
    assert display.strips[2].points == 12
    assert display.strips[2].gauges[0] == Gauge("money", 8)
    assert [gauge.what for gauge in display.strips[0].gauges] == ["money", "materials", "tech", "coal"]
    assert (shown.top, shown.what, shown.white, shown.white_spaces) == (20, "money", ("D", "A", "B", "C"), 4)
    assert shown.open
    assert [(b.seat, b.value, b.up, b.holds, b.rank, b.pays, b.share) for b in shown.bidders] == [
        ("C", 6, False, 9, 1, 6, "all"),
        ("B", 5, True, 9, 2, 5, "all"),
        ("A", 3, True, 8, 3, 2, "half"),
        ("D", 0, False, 6, 4, 0, "nothing"),
    ]
    brackley = shown.stake[0]
    assert (brackley.title, brackley.subtitle, brackley.corner, brackley.corner_icon) == (
        "Brackley",
        "f10",
        "7",
        "power",
    )
    assert [value.icon for value in shown.stake[3].values] == ["money", "coal"]
    assert set(display.open_spaces) == {"f10", "e13", "i7", "g4"}
    assert display.progress == Progress(
        "round",
        2,
        4,
        ("train", "expansion", "development", "income", "operation", "objective"),
        ("I", "II", "III", "IV", "V", "VI"),
        1,
    )


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (act.Bid("A", 4), "At 4 you stay third and would pay 2 Money."),
        (act.Bid("A", 7), "At 7 you are first and would pay 7 Money."),
        (act.Confirm("A"), "You stay at 3. As it stands you are third and pay 2 Money."),
    ],
)
def test_what_a_bid_means(action: Action, said: str) -> None:
    game, state = table(AUCTION)
    foreseen = game.foresee(state, action)
    assert foreseen.hint is not None
    assert words().say("hints", foreseen.hint.key, foreseen.hint.values) == said


def test_the_last_to_lock_in_sees_the_payment() -> None:
    game, state = table(merged(AUCTION, {"auction": {"confirmed": ["B", "C", "D"]}}))
    foreseen = game.foresee(state, act.Confirm("A"))
    assert foreseen.hint is not None
    assert foreseen.hint.key == "confirm.last"
    assert foreseen.changes == (Change("money", 8, 6),)


TRAIN: dict[str, Any] = {
    "round": 2,
    "phase": "operation",
    "step": "turn",
    "white": ["D", "C", "B", "A"],
    "seats": {
        "A": {
            "coal": 2,
            "money": 8,
            "locomotives": [{"id": "L10", "tiles": {"money": 2, "coal": 1}}],
            "carriages": [{"id": "K25"}, {"id": "K03"}, {"id": "K17"}],
        }
    },
}
COUPLED = act.DeclareTrain("A", "L10", ("K25", "K03", "K17"))


def test_a_train_before_it_runs() -> None:
    game, state = table(TRAIN)
    foreseen = game.foresee(state, COUPLED)
    train = foreseen.train
    assert train is not None
    assert [(car.pays, car.before, car.after) for car in train.cars] == [
        (1, 2, 2),
        (0, 2, 3),
        (1, 3, 2),
        (1, 2, 1),
    ]
    assert [car.yields for car in train.cars] == [
        (Gauge("vp", 1), Gauge("money", 2), Gauge("coal", 1)),
        (Gauge("coal", 1),),
        (Gauge("vp", 3),),
        (Gauge("vp", 2),),
    ]
    assert train.cars[0].load == ("money", "money", "coal")
    assert not train.short
    assert foreseen.changes == (Change("money", 8, 10), Change("coal", 2, 1), Change(POINTS, 0, 6))
    assert foreseen.hint == Told("declare_train", "A", {"left": 1, "n": 4})


def test_a_train_that_gets_stuck() -> None:
    game, state = table(merged(TRAIN, {"seats": {"A": {"coal": 1, "locomotives": [{"id": "L10"}]}}}))
    foreseen = game.foresee(state, act.DeclareTrain("A", "L10", ("K03", "K25")))
    assert foreseen.train is not None
    assert foreseen.train.short
    assert [(car.pays, car.before, car.after) for car in foreseen.train.cars] == [
        (1, 1, 0),
        (1, 0, 0),
        (0, 0, 0),
    ]
    assert foreseen.hint == Told("declare_train.short", "A", {"card": "K03", "need": 1, "have": 0})
    assert foreseen.changes == ()


def test_a_running_train_tells_what_has_run() -> None:
    game, state = table(TRAIN)
    before = game.foresee(state, COUPLED).train
    state = game.apply(state, COUPLED)[0]
    assert before is not None
    for run in range(1, 4):
        state = game.apply(state, act.OperateNext("A"))[0]
        display = game.display(state)
        train = display.train
        assert train is not None
        assert [car.ran for car in train.cars] == [True] * run + [False] * (4 - run)
        assert [(car.pays, car.before, car.after) for car in train.cars] == [
            (car.pays, car.before, car.after) for car in before.cars
        ]
        assert [{*car.yields} for car in train.cars] == [{*car.yields} for car in before.cars]
        assert strip_of(display, "A").status == "running"
    spent = next(g.spent for g in game.display(state).cards if (g.words, g.seat) == ("carriages", "A"))
    assert spent == {"K25", "K03"}
    assert game.display(game.apply(state, act.OperateNext("A"))[0]).train is None


def test_each_seat_sees_its_own_train_first() -> None:
    others = {"B": {"coal": 2, "locomotives": [{"id": "L11"}]}}
    game, state = table(merged(TRAIN, {"seats": others}))
    for action in (COUPLED, act.DeclareTrain("B", "L11")):
        state = game.apply(state, action)[0]
    for viewer, seat in ((PUBLIC, "A"), ("A", "A"), ("B", "B"), ("C", "A")):
        train = game.display(state, viewer).train
        assert train is not None
        assert train.seat == seat


BUILDING: dict[str, Any] = {
    "round": 2,
    "phase": "expansion",
    "step": "turn",
    "white": ["D", "A", "B", "C"],
    "market": {"stations": [{"card": "S22", "taken": "B"}, {"card": "S18", "taken": "C"}, "S35", "S26"]},
    "turn": {"seat": "B", "station": "f10", "power": 3},
    "seats": {"B": {"stations": ["f10"], "money": 4}, "C": {"stations": ["e13"]}},
}


def test_route_construction() -> None:
    game, state = table(BUILDING)
    display = game.display(state)
    assert [strip.status for strip in display.strips] == ["done", "building", "next", "last"]
    assert display.counter == Counter("power", 3, 7)
    assert set(display.open_spaces) == {"i7", "g4"}
    assert set(display.tokens) == {Spot("station", "B", "f10"), Spot("station", "C", "e13")}
    spent = next(group.spent for group in display.cards if group.words == "stations")
    assert spent == {"S22", "S18"}
    hint = game.foresee(state, act.PlaceRT("B", "f9")).hint
    assert hint == Told("place_rt", "B", {"ground": "river", "cost": 2, "have": 3, "left": 1})
    assert words().say("hints", hint.key, hint.values) == "River, 2 power. You have 3 and keep 1."
    german = Sentences.of(TITLE, "de")
    assert german.say("hints", hint.key, hint.values) == "Fluss, 2 Kraft. Du hast 3 und behältst 1."
    state = game.apply(state, act.MoneyToPower("B", 4))[0]
    assert game.display(state).counter == Counter("power", 7, 7)
    assert game.foresee(state, act.EndTurn("B")).hint == Told("end_turn.power", "B", {"left": 7})


@pytest.mark.parametrize("seed", range(4))
def test_every_blank_has_a_question_and_every_value_a_word(seed: int) -> None:
    game, rng = opened(2 + seed % 3, seed == 3), random.Random(seed)
    faces, kinds = game.screen.faces, set()

    def observe(before: State, action: Action, after: State, events: list[Event]) -> None:
        for offer in (offer for seat in game.seats for offer in game.offers(before, seat)):
            if not isinstance(offer, Form):
                continue
            kinds.add(offer.kind)
            filled: tuple[Any, ...] = ()
            while (domain := offer.domain(filled)) is not None:
                number = f"{offer.kind}.{len(filled) + 1}"
                assert words().has("blanks", number) or words().has("blanks", f"{offer.kind}.more"), number
                for value in domain:
                    assert isinstance(value, int) or value in faces or words().has("words", value), value
                filled = (*filled, rng.choice(domain))
        for acting in game.acting(before):
            assert words().has("why", acting.why)

    play(game, random.Random(seed), observe=observe)
    assert {"convert", "declare_train", "load_tile", "money_to_power"} <= kinds


def test_cards_have_names() -> None:
    game = opened(4)
    assert game.name_of("L10") == "Locomotive L10"
    assert game.name_of("K17") == "Mail K17"
    assert game.name_of("S22") == "Brackley"
    assert game.name_of("R1") == "Greyferry-Ashford"
    assert game.name_of("nothing") == "nothing"
    names = [game.name_of(name) for name in game.screen.faces]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("players", [2, 4])
def test_rounds_and_the_final_scoring_begin_with_word_of_it(players: int) -> None:
    rounds: list[int] = []
    finals: list[list[Event]] = []

    def observe(before: State, action: Action, after: State, events: list[Event]) -> None:
        told = [event for event in events if isinstance(event, Told) and event.key == ROUND]
        assert len(told) == (after.round != before.round)
        rounds.extend(event.values["round"] for event in told)
        if any(isinstance(event, Told) and event.key == FINAL for event in events):
            finals.append(events)

    play(opened(players), random.Random(players), observe=observe)
    assert rounds == [1, 2, 3, 4]
    (last,) = finals
    at = next(i for i, event in enumerate(last) if isinstance(event, Told) and event.key == FINAL)
    assert all(not isinstance(event, Points) for event in last[:at])
    assert {event.source for event in last[at:] if isinstance(event, Points)} == {
        "objective",
        "resources",
        "railway",
    }
