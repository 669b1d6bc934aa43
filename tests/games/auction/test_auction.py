"""The auction has every property of a game, under every switch, and its screen has words for all it shows."""

from __future__ import annotations

import random
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.actions import Action
from assistant.cases import find, read
from assistant.game import Game, PositionFaults
from assistant.games.auction import TITLE
from assistant.games.auction.actions import Bid, LockIn, NextLot, SetBudget
from assistant.packs import PackFaults
from assistant.random_play import play
from tests import properties
from tests.assistant.test_toys import code_lines
from ui.sentences import Sentences, read_catalogue

ROOT = Path(__file__).parents[3]
RULES = (ROOT / "docs" / "rules" / "auction.md").read_text(encoding="utf-8")
LINES = 350
"""Of code, for all modules together."""

TABLES: dict[str, tuple[int, dict[str, str | bool]]] = {
    "usual": (3, {}),
    "railway": (4, {"pays": "by_rank", "opens": "slide", "budget": "10", "no_bids": "first"}),
    "cyclic": (2, {"next": "cyclic", "pays": "second_price", "budget": "own", "opens": "winner_first"}),
    "other": (
        3,
        {"pays": "all_pay", "ties": "leftmost", "opens": "winner_last", "budget": "50", "top": "10"},
    ),
}
"""Tables that have every value of the switches that makes a difference."""
every_table = pytest.mark.parametrize("name", TABLES)


@cache
def table(name: str) -> Game[Any]:
    seats, options = TABLES[name]
    return TITLE.open(TITLE.load_pack("house"), seats, options)


def expressible(game: Game[Any]) -> list[Action]:
    return [*properties.expressible(game, {"int": (-1, 0, 1, 2, 3, 5, 9, 10, 11, 20, 21, 199, 200)})]


@every_table
def test_random_play_ends_sound_and_adds_up(name: str) -> None:
    for seed in range(25):
        properties.random_playout(table(name), random.Random(seed))


@every_table
def test_offers_and_refusals_agree(name: str) -> None:
    game, rng = table(name), random.Random(1)
    actions = expressible(game)
    states = [state for seed in range(6) for state in properties.states_of(game, random.Random(seed))]
    for state in states:
        properties.check_forms(game, state, rng)
        properties.check_refusals(game, state, actions)
        properties.check_round_trip(game, state)


@every_table
def test_undo_goes_back_and_the_record_replays(name: str) -> None:
    game = table(name)
    for seed in range(8):
        rng = random.Random(seed)
        properties.check_undo(game, play(game, rng).actions, rng)


@pytest.mark.parametrize(
    ("name", "rule"),
    [*((name, "AU-BID-3") for name in TABLES), ("railway", "AU-BID-6"), ("cyclic", "AU-BID-6")],
)
def test_after_an_overruled_action_the_auction_goes_on(name: str, rule: str) -> None:
    game = table(name)
    properties.check_waiver(game, rule, partial(lambda actions, state: actions, expressible(game)))


@every_table
def test_money_is_never_lost(name: str) -> None:
    game = table(name)

    def conserved(before: Any, action: Action, after: Any, caused: Any) -> None:
        if not isinstance(action, SetBudget):
            for seat in after.holds:
                assert before.holds[seat] + before.paid[seat] == after.holds[seat] + after.paid[seat]
        if game.budget == "none":  # type: ignore[attr-defined]
            assert not after.holds

    for seed in range(10):
        play(game, random.Random(seed), observe=conserved)


@every_table
def test_virtual_players_hold_several_lots(name: str) -> None:
    game, rng = table(name), random.Random(3)
    state = game.start()
    for _ in range(1000):
        if not (asked := game.acting(state)):
            break
        action = game.sensible(state, asked[0].seat, rng)
        assert game.refuse(state, action) is None
        state, _ = game.apply(state, action)
    assert game.finished(state)
    assert state.lot >= 3


# The screen ----------------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_screen_has_words_for_all_it_shows(name: str, language: str) -> None:
    game, words = table(name), Sentences.of(TITLE, language)
    for seed in range(4):
        for state in properties.states_of(game, random.Random(seed)):
            display = game.display(state)
            shown = [gauge.what for strip in display.strips for gauge in strip.gauges]
            shown += [strip.status for strip in display.strips if strip.status] + [display.progress.unit]
            if display.auction:
                assert display.auction.open == (state.step == "lot")
                assert display.auction.white == state.white
                assert sorted(b.rank for b in display.auction.bidders) == [*range(1, len(game.seats) + 1)]
                shown += [display.auction.what, *(bidder.share for bidder in display.auction.bidders)]
            assert [what for what in shown if not words.has("words", what)] == []
            for seat in game.seats:
                for action in [offer for offer in game.offers(state, seat) if isinstance(offer, Action)]:
                    hint = game.foresee(state, action).hint
                    assert hint is not None
                    assert words.has("hints", hint.key)
                    assert "…" not in words.say("hints", hint.key, {"seat": hint.seat, **hint.values})
    for number in (1, 2):
        assert words.has("blanks", f"set_budget.{number}")


@every_table
def test_what_the_screen_foretells_comes_true(name: str) -> None:
    game = table(name)

    def foretold(before: Any, action: Action, after: Any, caused: Any) -> None:
        if not isinstance(action, LockIn) or after.step == "lot":
            return
        # Everybody has read what the own lot would cost; now it did.
        auction = game.display(after).auction
        assert auction is not None
        for bidder in auction.bidders:
            assert after.paid[bidder.seat] - before.paid[bidder.seat] == bidder.pays
        changes = {
            change.what: (change.before, change.after) for change in game.foresee(before, action).changes
        }
        seat = action.seat
        if before.won[seat] != after.won[seat]:
            assert changes["vp"] == (before.won[seat], after.won[seat])

    for seed in range(10):
        play(game, random.Random(seed), observe=foretold)


def test_a_bid_says_its_rank_and_its_price() -> None:
    game = table("railway")
    state = msgspec.structs.replace(game.start(), step="lot", lot=1, discs={"A": 0, "B": 5, "C": 7, "D": 9})
    words = Sentences.of(TITLE)

    def said(action: Action) -> str:
        hint = game.foresee(state, action).hint
        assert hint is not None
        return words.say("hints", hint.key, hint.values)

    assert said(Bid("A", 8)) == "At 8 you are second and would pay 8."
    assert said(Bid("A", 6)) == "At 6 you are third and would pay 3."
    assert said(LockIn("A")) == "You stay at 0. As it stands you are fourth and pay 0."
    refused = game.ruling(state, Bid("A", 7))
    assert refused is not None
    assert [near.space for near in refused.nearest] == [6, 8, 4]  # type: ignore[attr-defined]


# Positions and packs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"white": ["A", "B", "B"]}, "white"),
        ({"discs": {"A": 3, "B": 3, "C": 0}}, "discs"),
        ({"discs": {"A": 21, "B": 3, "C": 0}}, "discs"),
        ({"discs": {"A": 1, "B": 3}}, "discs"),
        ({"locked": ["A", "B", "C"]}, "locked"),
        ({"locked": ["B", "A"]}, "locked"),
        ({"locked": ["Z"]}, "locked"),
        ({"last": "Z"}, "last"),
        ({"lot": 0}, "lot"),
        ({"step": "between"}, "locked"),
        ({"holds": {"A": 1}}, "holds"),
        ({"paid": {"A": -1, "B": 0, "C": 0}}, "paid.A"),
        ({"won": {"A": 1, "B": 0, "C": 0}}, "won"),
        ({"money": 3}, "money"),
    ],
)
def test_what_no_table_looks_like_is_told(changed: dict[str, Any], fault: str) -> None:
    game = table("usual")
    opened, _ = game.apply(game.start(), NextLot("A"))
    with pytest.raises(PositionFaults, match=fault):
        game.from_position({**game.to_position(opened), **changed})


def test_a_pack_needs_a_chart_for_each_number_of_seats(tmp_path: Path) -> None:
    text = (TITLE.folder / "packs" / "house.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('3 = ["all", "half", "nothing"]', '5 = ["all"]'))
    with pytest.raises(PackFaults) as caught:
        TITLE.load_pack(tmp_path / "mine.toml")
    assert [(fault.key, fault.rule) for fault in caught.value.faults] == [
        ("3", "AU-PAY-2"),
        ("5", "AU-SETUP-1"),
    ]


# What is written about it --------------------------------------------------------------------------


def cited() -> set[str]:
    return {*read_catalogue(TITLE.folder / "locale" / "en.toml")["refusals"]}


def test_every_rule_is_described() -> None:
    described = set(re.findall(r"^- \*\*(AU-[A-Z]+-\d+)\*\*", RULES, re.M))
    assert cited() <= described
    assert {switch.ruling for switch in TITLE.switches.values()} <= described
    for name, switch in TITLE.switches.items():
        assert f"`{name}`" in RULES
        assert [value for value in switch.values if f"`{value}`" not in RULES] == []


def test_every_refusal_and_every_rule_has_a_case() -> None:
    cases = [read(file) for file in find([ROOT / "tests" / "conformance" / "auction"])]
    refused = {case.refused for case in cases} | {step.refused for case in cases for step in case.steps}
    assert refused - {None} == cited()
    accepted = {do["do"] for case in cases for step in case.steps if not step.refused for do in step.do}
    assert accepted == set(table("usual").codec.types)


def test_it_stays_small() -> None:
    assert sum(code_lines(file) for file in TITLE.folder.glob("*.py")) < LINES
