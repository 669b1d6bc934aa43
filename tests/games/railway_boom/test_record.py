"""What people set right at the table, and what a refusal or a fault of a position tells them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.events import Points, Shortfall
from assistant.game import PositionFaults, find_title
from assistant.games.railway_boom import actions as act
from assistant.games.railway_boom.game import RailwayBoom
from assistant.journal import MemoryJournal
from assistant.positions import merged
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted, Refused

FX = Path(__file__).parents[2] / "fixtures" / "fx.toml"
PAYING: dict[str, Any] = {
    "round": 1,
    "phase": "objective",
    "step": "pay",
    "white": ["C", "B", "A"],
    "objectives": ["O03", "O02", "O09", "O08"],
    "auction": {"discs": {"A": 6}},
}
SPENDER = {"developments": ["D62"]}
"""Aggressive Spending: 2 VP for a payment of 5 or more."""


def opened(pack: str | Path = "inland_sea", options: dict[str, str | bool] | None = None) -> RailwayBoom:
    title = find_title("railway_boom")
    game = title.open(title.load_pack(pack), 3, options or {})
    assert isinstance(game, RailwayBoom)
    return game


def live(game: RailwayBoom, given: dict[str, Any]) -> Referee[Any]:
    position = merged(game.to_position(game.start()), given)
    return Referee.new(game, MemoryJournal(header_for(game)), given=position)


# Payments ----------------------------------------------------------------------------------------


def test_a_payment_counts_as_much_as_was_there() -> None:
    record = {**SPENDER, "money": 1, "coal": 8, "materials": 0, "tech": 0}
    referee = live(opened(), {**PAYING, "seats": {"A": record}})
    done = referee.overrule(act.PayWild("A", {"money": 6}), ["RB-RES-1"], "ABC")
    assert isinstance(done, Accepted)
    seat = referee.state.seats[0]
    assert (seat.stock, seat.vp) == ((0, 8, 0, 0), 0)
    assert Shortfall("A", "money", 5, "RB-AUC-13") in done.events


def test_a_payment_in_full_counts_in_full() -> None:
    referee = live(opened(), {**PAYING, "seats": {"A": SPENDER}})
    assert isinstance(referee.submit(act.PayWild("A", {"money": 2, "coal": 4})), Accepted)
    assert referee.state.seats[0].vp == 2


def test_what_is_there_can_be_set_right_while_a_bid_is_paid() -> None:
    referee = live(opened(), {**PAYING, "seats": {"A": SPENDER}})
    facts = {"seats.A.money": 0, "seats.A.coal": 0, "seats.A.materials": 1, "seats.A.tech": 0}
    assert isinstance(referee.correct(facts, "ABC"), Accepted)
    game, state = referee.game, referee.state
    position = game.to_position(state)
    assert game.from_position(position) == state
    assert [who.seat for who in game.acting(state)] == ["A"]
    done = referee.submit(act.PayWild("A", {"materials": 1}))
    assert isinstance(done, Accepted)
    assert Shortfall("A", "resources", 5, "RB-AUC-13") in done.events
    assert not [event for event in done.events if isinstance(event, Points)]
    assert game.to_position(referee.state)["step"] == "turn"


@pytest.mark.parametrize(
    ("facts", "pay"),
    [
        ({"auction.discs.A": 0}, {}),
        ({"seats.A.money": 0, "seats.A.coal": 0, "seats.A.materials": 0, "seats.A.tech": 0}, {}),
    ],
    ids=["nothing due", "nothing there"],
)
def test_a_payment_without_a_choice_is_still_made(facts: dict[str, Any], pay: dict[str, int]) -> None:
    referee = live(opened(), PAYING)
    assert isinstance(referee.correct(facts, "ABC"), Accepted)
    (form,) = [offer for offer in referee.game.offers(referee.state, "A") if offer.kind == "pay_wild"]
    assert list(form.expand()) == [act.PayWild("A", pay)]  # type: ignore[union-attr]
    assert isinstance(referee.submit(act.PayWild("A", pay)), Accepted)


def test_a_bid_of_one_kind_can_be_set_right_while_its_payer_converts() -> None:
    game = opened(options={"auction.virtual_conversion": True})
    given = {
        "round": 1,
        "phase": "expansion",
        "step": "pay",
        "white": ["C", "B", "A"],
        "market": {"stations": ["S01", "S02", "S03"]},
        "seats": {"A": {"money": 4}},
        "auction": {"discs": {"A": 6}},
    }
    referee = live(game, given)
    assert [who.why for who in game.acting(referee.state)] == ["convert"]
    assert isinstance(referee.submit(act.PayWild("A", {"money": 4})), Refused)
    assert isinstance(referee.correct({"seats.A.money": 9}, "ABC"), Accepted)
    assert [who.why for who in game.acting(referee.state)] == ["pay"]
    assert isinstance(referee.submit(act.PayWild("A", {"money": 6})), Accepted)
    assert referee.state.seats[0].stock[0] == 3


# Cards -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("under", [[], ["D9"]], ids=["in the deck", "under the deck"])
def test_a_card_in_the_deck_is_not_taken_even_when_all_agree(under: list[str]) -> None:
    game = opened(FX)
    given = {
        "round": 1,
        "phase": "development",
        "step": "turn",
        "white": ["C", "B", "A"],
        "market": {"rows": [{"cards": ["D5", "D5", "D4"], "taken": "A"}]},
        "turn": {"seat": "A", "row": 1},
        "under": under,
    }
    referee = live(game, given)
    refused = referee.overrule(act.TakeFree("A", "D9"), ["RB-DEV-4"], "ABC")
    assert isinstance(refused, Refused)
    assert refused.rule == "SM-OVR-3"
    assert refused.violation.values == {"faults": ["D9 is in two places"]}
    assert isinstance(referee.overrule(act.TakeFree("A", "D4"), ["RB-DEV-4"], "ABC"), Accepted)


# What people are told ----------------------------------------------------------------------------

AUCTION = {"round": 1, "phase": "train", "step": "auction", "market": {"locomotives": ["L01", "L02", "L03"]}}
TURN = {**AUCTION, "step": "turn", "turn": {"seat": "B"}}


@pytest.mark.parametrize(
    ("given", "action", "rule", "values"),
    [
        (AUCTION, act.Bid("B", 3), "RB-AUC-6", {"seat": "B", "turn": "A"}),
        (AUCTION, act.Confirm("C"), "RB-AUC-6", {"seat": "C", "turn": "A"}),
        (TURN, act.Confirm("C"), "RB-AUC-6", {"seat": "C"}),
        (TURN, act.TakeLoco("A", "L01"), "RB-FLOW-3", {"phase": "train", "turn": "B"}),
        (AUCTION, act.EndTurn("B"), "RB-FLOW-3", {"phase": "train", "turn": "A"}),
        (PAYING, act.EndTurn("B"), "RB-FLOW-3", {"phase": "objective", "turn": "A"}),
        (
            {"round": 1, "phase": "operation", "step": "turn"},
            act.EndTurn("B"),
            "RB-FLOW-3",
            {"phase": "operation"},
        ),
    ],
)
def test_a_refusal_says_whose_turn_it_is(
    given: dict[str, Any], action: Any, rule: str, values: dict[str, str]
) -> None:
    game = opened()
    refused = game.refuse(live(game, given).state, action)
    assert refused is not None
    assert (refused.rule, refused.values) == (rule, values)


def test_all_faults_of_a_position_are_told_at_once() -> None:
    game = opened()
    wrong = {
        "round": 9,
        "phase": "lunch",
        "white": "B,A",
        "colour": "red",
        "seats": {"A": {"coal": -1}},
        "turn": {"bought": "two"},
    }
    with pytest.raises(PositionFaults) as told:
        game.from_position(merged(game.to_position(game.start()), wrong))
    known, *faults = told.value.faults
    assert known.startswith("colour: unknown key")
    assert sorted(faults) == [
        "phase 'lunch' has no step 'setup'",
        "round: a number from 0 to 4 is expected, not 9",
        "seats.A.coal: a number from 0 to 1000000 is expected, not -1",
        "turn.bought: a number from 0 to 99 is expected, not 'two'",
        "white: a list is expected",
    ]


def test_a_wrong_order_says_what_was_found() -> None:
    game = opened()
    with pytest.raises(PositionFaults) as told:
        game.from_position(merged(game.to_position(game.start()), {"white": ["B", "Q"], "round": 9}))
    assert told.value.faults == (
        "white: there is no 'Q'",
        "white: each of A, B, C once is expected, not ['B', 'Q']",
        "round: a number from 0 to 4 is expected, not 9",
    )
