"""What the camera saw, explained: every kind of difference, every way a change can have come about.

The fixture's map, for the hand-made looks (numbers are Regular Cities, X and Y Tourist Cities; Y asks for an
income track):

    row a   o I P 1 F o        b3 = #2: power 6; c4, a3, b2, c3 cost 1; b4, d4, c5, a4 cost 2; c6, b5 cost 4
    row b    o P 2 R M X
    row c   I 3 P P 4 M
    row d    o F Y 5 P o
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, get_args

import pytest

from assistant.actions import Action
from assistant.game import find_title
from assistant.games.railway_boom.actions import (
    BuyCarriage,
    BuyDev,
    ChooseSet,
    Convert,
    Draw,
    MoneyToPower,
    PlaceRT,
    PlaceStation,
    TakeFree,
    TakeLoco,
    UseDev,
)
from assistant.games.railway_boom.effects import own_mask
from assistant.games.railway_boom.game import RailwayBoom
from assistant.games.railway_boom.state import AskBuy, State, Step
from assistant.hexes import bits
from assistant.offers import Form, expand
from assistant.positions import merged
from assistant.random_play import play
from assistant.reading import (
    Difference,
    Hole,
    InStep,
    Kind,
    OutOfStep,
    Proposal,
    Reading,
    Several,
)
from assistant.reading import Step as Part
from tests.games.railway_boom.looks import Look, table

TURN: dict[str, Any] = {"round": 1, "phase": "expansion", "step": "turn", "white": ["C", "B", "A"]}
STATION = merged(TURN, {"market": {"stations": ["S2", "S4", "S5"]}, "turn": {"seat": "A"}})
"""A is to place a station on b3, c5 or d4."""
ROUTE = merged(
    TURN,
    {
        "market": {"stations": [{"card": "S2", "taken": "A"}, "S4", "S5"]},
        "seats": {"A": {"stations": ["b3"]}},
        "turn": {"seat": "A", "station": "b3", "power": 6},
    },
)
"""A has its station on b3 and power 6."""
POOR = {"money": 0, "coal": 1, "materials": 0, "tech": 0}
OPERATION = {"round": 1, "phase": "operation", "step": "turn", "white": ["C", "B", "A"]}
LOCOMOTIVES = ["L1", "L2", "L3"]
REVEAL = {
    "round": 1,
    "phase": "train",
    "step": "reveal",
    "white": ["C", "B", "A"],
    "market": {"locomotives": LOCOMOTIVES},
}
"""Five carriages are to be turned up."""
TRAIN = merged(
    REVEAL,
    {"step": "turn", "turn": {"seat": "A"}, "market": {"carriages": ["K1", "K2", "K3", "K4", "K5"]}},
)
SETS = {
    "round": 1,
    "phase": "development",
    "step": "turn",
    "white": ["C", "B", "A"],
    "turn": {"seat": "A"},
    "market": {
        "rows": [{"cards": ["D5", "D9", "D4"]}, {"cards": ["D1", "D3", "D6"]}, {"cards": ["D8", "D2", "D7"]}]
    },
}
FREE = {"ask": "free_rt", "source": "coal 3", "left": 1}


def with_(given: dict[str, Any], **seats: dict[str, Any]) -> dict[str, Any]:
    """A position with more about some seats."""
    return merged(given, {"seats": seats})


def look(given: dict[str, Any], players: int = 3, options: dict[str, str | bool] | None = None) -> Look:
    return Look(*table(given, players, options))


def rail(seat: str, place: str, free: bool = False) -> PlaceRT:
    return PlaceRT(seat, place, free)


def steps(reading: Reading) -> tuple[Part, ...]:
    assert isinstance(reading, Proposal), reading
    return reading.steps


def plain(reading: Reading) -> list[Part]:
    """A proposal's steps, holes as their kind."""
    return [step.kind if isinstance(step, Hole) else step for step in steps(reading)]  # type: ignore[misc]


# Differences -------------------------------------------------------------------------------------

D = Difference
B_RAIL = with_(ROUTE, B={"rails": ["d5"]})
B_STATION = with_(ROUTE, B={"stations": ["c5"]})

DIFFERENCES: list[tuple[str, dict[str, Any], Callable[[Look], Look], list[Difference]]] = [
    (
        "a rail is not there",
        B_RAIL,
        lambda it: it.take("rail", "B", "d5"),
        [D("missing", "d5", "B", "RB-MAP-7", piece="rail")],
    ),
    (
        "a station is not there",
        B_STATION,
        lambda it: it.take("station", "B", "c5"),
        [D("missing", "c5", "B", "RB-MAP-7", piece="station")],
    ),
    (
        "a rail was pushed to the hex beside",
        B_RAIL,
        lambda it: it.knock("rail", "B", "d5", "c6"),
        [D("moved", "d5", "B", "RB-MAP-7", piece="rail", to="c6")],
    ),
    (
        "a station was pushed to the hex beside",
        B_STATION,
        lambda it: it.knock("station", "B", "c5", "b5"),
        [D("moved", "c5", "B", "RB-MAP-7", piece="station", to="b5")],
    ),
    (
        "a rail was carried further",
        B_RAIL,
        lambda it: it.knock("rail", "B", "d5", "a2"),
        [
            D("missing", "d5", "B", "RB-MAP-7", piece="rail"),
            D("wrong_seat", "a2", "B", "RB-FLOW-3", piece="rail"),
        ],
    ),
    (
        "a rail of a seat whose turn it is not",
        ROUTE,
        lambda it: it.add("rail", "B", "c3"),
        [D("wrong_seat", "c3", "B", "RB-FLOW-3", piece="rail")],
    ),
    (
        "a station of a seat whose turn it is not",
        ROUTE,
        lambda it: it.add("station", "B", "c5"),
        [D("wrong_seat", "c5", "B", "RB-FLOW-3", piece="station")],
    ),
    (
        "a rail of a colour that does not play",
        ROUTE,
        lambda it: it.add("rail", "D", "c3"),
        [D("wrong_seat", "c3", "D", "RB-SETUP-8", piece="rail")],
    ),
    (
        "a bought rail away from the railway",
        ROUTE,
        lambda it: it.add("rail", "A", "d5"),
        [D("not_connected", "d5", "A", "RB-EXP-7", piece="rail")],
    ),
    (
        "a free rail away from every railway",
        merged(ROUTE, {"pending": {"A": [FREE]}}),
        lambda it: it.add("rail", "A", "d5"),
        [D("not_connected", "d5", "A", "RB-EXP-11", piece="rail")],
    ),
    (
        "a rail on the own station",
        ROUTE,
        lambda it: it.add("rail", "A", "b3"),
        [D("hex_full", "b3", "A", "RB-MAP-3", piece="rail")],
    ),
    (
        "two rails of one seat on a hex",
        ROUTE,
        lambda it: it.add("rail", "A", "c4", "c4"),
        [D("hex_full", "c4", "A", "RB-MAP-3", piece="rail")],
    ),
    (
        "a station on an own rail while another city is free",
        with_(STATION, A={"rails": ["b3"]}),
        lambda it: it.take("rail", "A", "b3").add("station", "A", "b3"),
        [
            D("hex_full", "b3", "A", "RB-MAP-3", piece="station"),
            D("missing", "b3", "A", "RB-MAP-7", piece="rail"),
        ],
    ),
    (
        "a station that replaces a rail, and the rail is still there",
        merged(
            with_(STATION, A={"rails": ["b3"]}),
            {"market": {"stations": ["S2", {"card": "S4", "taken": "B"}]}},
        ),
        lambda it: it.add("station", "A", "b3"),
        [D("hex_full", "b3", "A", "RB-MAP-3", piece="rail")],
    ),
    (
        "more rails than can be paid: 9 power, 6 there, nothing to convert",
        with_(ROUTE, A=POOR),
        lambda it: it.add("rail", "A", "c4", "d4", "c5", "c6"),
        [D("over_budget", "d4", "A", "RB-EXP-8", 3, "rail")],
    ),
    (
        "more rails than the supply holds",
        with_(ROUTE, A={"rails_left": 1}),
        lambda it: it.add("rail", "A", "a3", "c4"),
        [D("no_tokens", "c4", "A", "RB-STK-1", 1, "rail")],
    ),
    (
        "a rail among the cards",
        ROUTE,
        lambda it: it.add("rail", "A", "carriages:2"),
        [D("not_a_space", "carriages:2", "A", "RB-MAP-2", piece="rail")],
    ),
    (
        "a station on a city without an Indicator",
        STATION,
        lambda it: it.add("station", "A", "a4"),
        [D("no_indicator", "a4", "A", "RB-EXP-3", piece="station")],
    ),
    (
        "a station on a city that another seat has chosen",
        merged(
            with_(STATION, B={"stations": ["c5"]}),
            {"market": {"stations": ["S2", {"card": "S4", "taken": "B"}]}},
        ),
        lambda it: it.add("station", "A", "c5"),
        [D("no_indicator", "c5", "A", "RB-EXP-3", piece="station")],
    ),
    (
        "a code of somebody else",
        ROUTE,
        lambda it: it.litter("COFFEE"),
        [D("unknown_tag", "", rule="SM-SEE-1", piece="COFFEE")],
    ),
    (
        "a card of another class in a zone",
        ROUTE,
        lambda it: it.card("K1", "locomotives:1"),
        [D("wrong_place", "locomotives:1", rule="SM-SEE-4", piece="K1")],
    ),
    (
        "a card that should have left",
        ROUTE,
        lambda it: it.card("K1", "carriages:1"),
        [D("left_over", "carriages:1", rule="SM-SEE-4", piece="K1")],
    ),
    (
        "a card too many",
        REVEAL,
        lambda it: it.cards("carriages", "K1", "K2", "K3", "K4", "K5", "K6"),
        [D("wrong_count", "carriages:6", rule="RB-DRAW-1", n=1, piece="carriages")],
    ),
    (
        "a card that somebody owns among those turned up",
        with_(REVEAL, B={"carriages": ["K1"]}),
        lambda it: it.cards("carriages", "K1", "K2", "K3", "K4", "K5"),
        [D("wrong_card", "carriages:1", rule="RB-DRAW-2", piece="K1")],
    ),
    (
        "a second station",
        ROUTE,
        lambda it: it.add("station", "A", "c5"),
        [D("not_now", "c5", "A", "RB-EXP-3", piece="station")],
    ),
    (
        "two stations at once",
        STATION,
        lambda it: it.add("station", "A", "c5", "d4"),
        [
            D("not_now", "c5", "A", "RB-EXP-3", piece="station"),
            D("not_now", "d4", "A", "RB-EXP-3", piece="station"),
        ],
    ),
    (
        "a rail before the station",
        with_(STATION, A={"rails": ["d5"]}),
        lambda it: it.add("rail", "A", "c6"),
        [D("not_now", "c6", "A", "RB-EXP-5", piece="rail")],
    ),
    (
        "a rail in another phase",
        with_(OPERATION, A={"stations": ["b3"]}),
        lambda it: it.add("rail", "A", "c4"),
        [D("not_now", "c4", "A", "RB-EXP-11", piece="rail")],
    ),
    (
        "a station in another phase",
        OPERATION,
        lambda it: it.add("station", "A", "b3"),
        [D("not_now", "b3", "A", "RB-FLOW-3", piece="station")],
    ),
    (
        "a free rail that has to wait for an earlier seat",
        merged(with_(OPERATION, B={"stations": ["c5"]}), {"pending": {"B": [FREE]}}),
        lambda it: it.add("rail", "B", "c4"),
        [D("not_now", "c4", "B", "RB-FLOW-6", piece="rail")],
    ),
    (
        "two rails where one is free and none can be bought",
        merged(with_(OPERATION, A={"stations": ["b3"]}), {"pending": {"A": [FREE]}}),
        lambda it: it.add("rail", "A", "c4", "d5"),
        [D("not_now", "d5", "A", "RB-EXP-11", piece="rail")],
    ),
    (
        "a second locomotive is gone",
        merged(
            with_(TRAIN, A={"locomotives": ["S0", "L1"]}),
            {"market": {"locomotives": ["L2", "L3"]}, "turn": {"locomotive": True}},
        ),
        lambda it: it.off("L2"),
        [D("missing", "locomotives", rule="SM-SEE-3", piece="L2")],
    ),
    (
        "the free card is not one of the cheapest",
        SETS,
        lambda it: it.off("D4"),
        [D("missing", "developments", rule="RB-DEV-4", piece="D4")],
    ),
    (
        "several things at once",
        with_(ROUTE, B={"rails": ["d5"]}, C={"rails": ["a2"]}),
        lambda it: (
            it.knock("rail", "B", "d5", "c6")
            .take("rail", "C", "a2")
            .add("rail", "A", "c4", "a5")
            .add("rail", "D", "c3")
        ),
        [
            D("wrong_seat", "c3", "D", "RB-SETUP-8", piece="rail"),
            D("moved", "d5", "B", "RB-MAP-7", piece="rail", to="c6"),
            D("missing", "a2", "C", "RB-MAP-7", piece="rail"),
            D("not_connected", "a5", "A", "RB-EXP-7", piece="rail"),
        ],
    ),
]


@pytest.mark.parametrize(
    ("given", "people", "wrong"), [case[1:] for case in DIFFERENCES], ids=[c[0] for c in DIFFERENCES]
)
def test_what_is_wrong_is_named_with_place_seat_and_rule(
    given: dict[str, Any], people: Callable[[Look], Look], wrong: list[Difference]
) -> None:
    reading = people(look(given)).read()
    assert isinstance(reading, OutOfStep)
    assert list(reading.differences) == wrong
    for edits in reading.repairs:
        after = people(look(given)).mend(edits).read()
        assert not isinstance(after, OutOfStep) or "unknown_tag" in {d.kind for d in wrong}


def test_a_code_seen_twice_counts_nowhere() -> None:
    reading = look(B_RAIL).again("rail", "B", "d5", "c3").read()
    assert isinstance(reading, OutOfStep)
    assert [(d.kind, d.place, d.to, d.seat, d.rule) for d in reading.differences] == [
        ("duplicate_tag", "c3", "d5", "B", "SM-SEE-2")
    ]
    assert set(reading.hidden) == {"c3", "d5"}


def test_every_kind_of_difference_is_shown_here() -> None:
    shown = {difference.kind for _, _, _, wrong in DIFFERENCES for difference in wrong}
    assert shown | {"duplicate_tag"} == set(get_args(Kind))


def test_over_budget_guesses_no_culprit() -> None:
    reading = look(with_(ROUTE, A=POOR)).add("rail", "A", "c4", "d4", "c5", "c6").read()
    assert isinstance(reading, OutOfStep)
    assert reading.repairs == ()


def test_a_stray_is_taken_away_or_joined_by_one_unseen_rail() -> None:
    reading = look(ROUTE).add("rail", "A", "c4", "d5").read()
    assert isinstance(reading, OutOfStep)
    assert [[(e.what, e.place) for e in edits] for edits in reading.repairs] == [
        [("remove", "d5")],
        [("add", "c5")],
        [("add", "d4")],
    ]


def test_a_joining_rail_that_cannot_be_paid_is_no_repair() -> None:
    given = merged(with_(ROUTE, A=POOR), {"turn": {"power": 3}})
    reading = look(given).add("rail", "A", "c4", "d5").read()
    assert isinstance(reading, OutOfStep)
    assert [[(e.what, e.place) for e in edits] for edits in reading.repairs] == [[("remove", "d5")]]


# Hidden ------------------------------------------------------------------------------------------


def test_a_hidden_piece_is_not_missing() -> None:
    reading = look(B_RAIL).hide("d5").read()
    assert reading == InStep(hidden=("d5",))
    assert look(B_STATION).hide("c5", "c6").read() == InStep(hidden=("c5", "c6"))


def test_nothing_is_concluded_of_a_rail_under_a_hand() -> None:
    it = look(ROUTE).add("rail", "A", "c4")
    it.hide("c4")
    assert it.read() == InStep(hidden=("c4",))
    it = look(ROUTE).add("rail", "A", "c4")
    assert it.doubt("c4").read() == InStep(hidden=("c4",))


def test_a_proposal_near_a_hidden_space_is_not_sure() -> None:
    assert look(ROUTE).add("rail", "A", "c4").hide("d4").read() == Proposal((rail("A", "c4"),), sure=False)
    assert look(ROUTE).add("rail", "A", "c4").hide("c6").read() == Proposal((rail("A", "c4"),))
    far = look(ROUTE).add("rail", "A", "c4").hide("developments:1").read()
    assert far == Proposal((rail("A", "c4"),))


def test_a_stray_that_a_hidden_rail_could_connect_is_not_called_wrong() -> None:
    assert look(ROUTE).add("rail", "A", "c4", "d5").hide("d4").read() == Proposal(
        (rail("A", "c4"),), sure=False
    )
    assert look(ROUTE).add("rail", "A", "c2").hide("b2").read() == InStep(hidden=("b2",))
    elsewhere = look(ROUTE).add("rail", "A", "d5").hide("b2").read()
    assert isinstance(elsewhere, OutOfStep)


def test_cards_in_a_zone_with_a_hidden_place_are_not_missing() -> None:
    assert look(TRAIN).off("L1").hide("locomotives:3").read() == InStep(hidden=("locomotives:3",))
    reading = look(REVEAL).cards("carriages", "K1", "K2", "K3", "K4", "K6").hide("carriages:6").read()
    assert reading == Proposal((Draw("carriages", ("K1", "K2", "K3", "K4", "K6")),), sure=False)
    hand = look(REVEAL).cards("carriages", "K1", "K2", "K3", "K4", "K6").hide("c4").read()
    assert isinstance(hand, Proposal)
    assert hand.sure


# Rails and stations ------------------------------------------------------------------------------


def test_a_station_then_rails_in_one_look() -> None:
    reading = look(STATION).add("station", "A", "b3").add("rail", "A", "d4", "c4").read()
    assert steps(reading) == (PlaceStation("A", "b3"), rail("A", "c4"), rail("A", "d4"))


def test_a_station_whose_raise_asks_something_comes_before_its_rails() -> None:
    given = with_(STATION, A={"levels": {"coal": 2}})
    reading = look(given).add("station", "A", "b3").add("rail", "A", "c4").read()
    assert steps(reading) == (
        PlaceStation("A", "b3"),
        Hole("choice", "A", detail="coal 3"),
        rail("A", "c4"),
    )
    assert isinstance(reading, Proposal)
    assert reading.ready() == (PlaceStation("A", "b3"),)


def test_a_station_whose_raises_give_a_free_rail_and_cards() -> None:
    given = merged(
        with_(TURN, A={"levels": {"materials": 3, "tech": 3}}),
        {"market": {"stations": ["S3", "S1", "S2"]}, "turn": {"seat": "A"}},
    )
    reading = look(given).add("station", "A", "c2").add("rail", "A", "c1", "b2").read()
    # c1 costs 3 and b2 1: which of them was free is not seen, and makes a difference.
    assert isinstance(reading, Several)
    free = [
        next(s.hex for s in way.steps if isinstance(s, PlaceRT) and s.free_placement)
        for way in reading.choices
    ]
    assert free == ["c1", "b2"]
    assert [s.kind for s in reading.choices[0].steps] == ["place_station", "place_rt", "cards", "place_rt"]
    hole = next(s for s in reading.choices[0].steps if isinstance(s, Hole))
    assert hole == Hole("cards", None, 2, detail="developments")


def test_rails_go_in_an_order_in_which_each_touches_the_railway() -> None:
    reading = look(with_(ROUTE, A={"rails": ["d5"]})).add("rail", "A", "c6", "d4", "c4").read()
    # d4 joins the old rail on d5, and c6 hangs on that.
    assert plain(reading) == ["payment", rail("A", "c4"), rail("A", "d4"), rail("A", "c6")]


def test_the_order_of_first_sighting_is_kept_where_it_is_possible() -> None:
    it = look(ROUTE).add("rail", "A", "a3", "c4", "d4")
    assert steps(it.read()) == (rail("A", "a3"), rail("A", "c4"), rail("A", "d4"))
    it.seen_in_order(("A", "d4"), ("A", "c4"), ("A", "a3"))
    assert steps(it.read()) == (rail("A", "c4"), rail("A", "d4"), rail("A", "a3"))


def test_a_tourist_city_in_the_middle_of_a_row_asks_first() -> None:
    it = look(ROUTE).add("rail", "A", "c4", "d3", "d4")
    assert steps(it.read()) == (rail("A", "c4"), rail("A", "d4"), rail("A", "d3"))
    it.seen_in_order(("A", "c4"), ("A", "d3"), ("A", "d4"))
    hole = Hole("choice", "A", detail="d3")
    assert steps(it.read()) == (rail("A", "c4"), rail("A", "d3"), hole, rail("A", "d4"))
    it = look(ROUTE).add("rail", "A", "c4", "d3", "d2")
    assert steps(it.read()) == (rail("A", "c4"), rail("A", "d3"), hole, rail("A", "d2"))


def test_the_tourist_city_comes_first_where_only_its_gift_pays_for_the_rest() -> None:
    # The income track brings a free rail: coal 2 to 3 would give resources, materials 3 to 4 a free rail.
    given = merged(with_(ROUTE, A={**POOR, "coal": 0, "levels": {"materials": 3}}), {"turn": {"power": 4}})
    reading = look(given).add("rail", "A", "c4", "d3", "d4").read()
    assert steps(reading) == (
        rail("A", "c4"),
        rail("A", "d3"),
        Hole("choice", "A", detail="d3"),
        rail("A", "d4", free=True),
    )


def test_a_rail_that_makes_room_for_the_station_is_replaced() -> None:
    given = merged(
        with_(STATION, A={"rails": ["b3"]}),
        {"market": {"stations": ["S2", {"card": "S4", "taken": "B"}]}},
    )
    reading = look(given).take("rail", "A", "b3").add("station", "A", "b3").add("rail", "A", "c4").read()
    assert steps(reading) == (PlaceStation("A", "b3"), rail("A", "c4"))


def test_the_indicator_that_is_drawn_anew_may_be_used_in_the_same_look() -> None:
    given = merged(
        with_(STATION, A={"rails": ["b3"]}),
        {
            "market": {"stations": ["S2", {"card": "S4", "taken": "B"}]},
            "pending": {"A": [{"ask": "draw", "source": "HR-04", "deck": "stations", "count": 1}]},
        },
    )
    options: dict[str, str | bool] = {"station.on_own_rt": "forbid_then_redraw"}
    it = look(given, options=options).card("S5", "stations:3").add("station", "A", "d4")
    assert steps(it.read()) == (Draw("stations", ("S5",)), PlaceStation("A", "d4"))
    waiting = look(given, options=options).add("station", "A", "d4").read()
    assert waiting == InStep(Hole("cards", None, 1, detail="stations"))


# Payment -----------------------------------------------------------------------------------------


def test_missing_power_is_a_hole_with_the_ways_to_pay_it() -> None:
    given = with_(ROUTE, A={"money": 3, "developments": ["D3"]})
    reading = look(given).add("rail", "A", "c4", "d4", "c5", "c6").read()
    assert steps(reading)[0] == Hole(
        "payment",
        "A",
        3,
        ((UseDev("A", "D3"), MoneyToPower("A", 1)), (MoneyToPower("A", 3),)),
    )
    assert isinstance(reading, Proposal)
    assert reading.actions[:2] == (UseDev("A", "D3"), MoneyToPower("A", 1))


def test_one_card_too_many_is_no_way_to_pay() -> None:
    given = with_(ROUTE, A={"money": 3, "developments": ["D3", "D3b"]})
    hole = steps(look(given).add("rail", "A", "c4", "d4", "c5", "b4", "a3").read())[0]
    assert isinstance(hole, Hole)
    assert hole.need == 2
    assert hole.options == ((UseDev("A", "D3"),), (UseDev("A", "D3b"),), (MoneyToPower("A", 2),))


def test_what_converts_into_money_can_pay() -> None:
    given = with_(ROUTE, A={"money": 1, "coal": 3, "materials": 0, "tech": 1})
    it = look(given).add("rail", "A", "c4", "d4", "c5", "c6")
    convert = (Convert("A", ("coal", "coal"), "money"), Convert("A", ("coal", "tech"), "money"))
    assert steps(it.read())[0] == Hole("payment", "A", 3, ((*convert, MoneyToPower("A", 3)),))
    reading = look(with_(given, A={"coal": 2})).add("rail", "A", "c4", "d4", "c5", "c6").read()
    assert isinstance(reading, OutOfStep)
    assert reading.differences == (D("over_budget", "d4", "A", "RB-EXP-8", 1, "rail"),)


def test_other_seats_on_a_hex_make_it_dearer() -> None:
    given = merged(
        with_(ROUTE, A={"rails": ["c4"]}, B={"rails": ["c5"]}, C={"stations": ["c5"]}), {"turn": {"power": 3}}
    )
    hole = steps(look(given).add("rail", "A", "c5").read())[0]
    assert isinstance(hole, Hole)
    assert hole.need == 1


# Free rails --------------------------------------------------------------------------------------


def test_free_rails_one_after_the_other() -> None:
    ask = {"ask": "free_rt", "source": "D11", "left": 2}
    given = merged(with_(SETS, A={"stations": ["b3"]}), {"pending": {"A": [ask]}})
    reading = look(given).add("rail", "A", "c4", "d4").read()
    assert steps(reading) == (rail("A", "c4", free=True), rail("A", "d4", free=True))
    assert steps(look(given).add("rail", "A", "a3").read()) == (rail("A", "a3", free=True),)


def test_free_rails_of_several_seats_in_operation() -> None:
    given = merged(
        with_(OPERATION, A={"stations": ["b3"], "done": True}, B={"stations": ["c5"]}),
        {"pending": {"A": [FREE], "B": [FREE]}},
    )
    reading = look(given).add("rail", "A", "c4").add("rail", "B", "d5").read()
    assert steps(reading) == (rail("A", "c4", free=True), rail("B", "d5", free=True))


def test_one_free_and_the_rest_bought() -> None:
    given = merged(ROUTE, {"pending": {"A": [FREE]}})
    same = look(given).add("rail", "A", "c4", "a3").read()
    # Both cost 1: which one was free makes no difference.
    assert steps(same) == (rail("A", "a3", free=True), rail("A", "c4"))
    other = look(given).add("rail", "A", "c4", "b4").read()
    assert other == Several(
        (
            Proposal((rail("A", "b4", free=True), rail("A", "c4"))),
            Proposal((rail("A", "c4", free=True), rail("A", "b4"))),
        )
    )


def test_a_free_rail_alone_is_not_bought() -> None:
    given = merged(ROUTE, {"pending": {"A": [FREE]}})
    assert steps(look(given).add("rail", "A", "c4").read()) == (rail("A", "c4", free=True),)


def test_another_open_choice_comes_before_bought_rails() -> None:
    given = merged(ROUTE, {"pending": {"B": [{"ask": "gain2", "source": "coal 3"}]}})
    reading = look(given).add("rail", "A", "c4").read()
    assert steps(reading) == (Hole("choice", "B", detail="coal 3"), rail("A", "c4"))


def test_the_rail_that_answers_a_choice_comes_before_the_rails_that_wait_for_it() -> None:
    given = merged(with_(ROUTE, B={"rails": ["d5"]}), {"pending": {"B": [FREE]}})
    reading = look(given).add("rail", "A", "c4").add("rail", "B", "d4").read()
    assert steps(reading) == (rail("B", "d4", free=True), rail("A", "c4"))


# Tactical Expansion ------------------------------------------------------------------------------

B_CARD = with_(ROUTE, B={"rails": ["d4"], "developments": ["D2"]})


def test_tactical_expansion_explains_a_rail_out_of_turn() -> None:
    assert steps(look(B_CARD).add("rail", "B", "d5").read()) == (UseDev("B", "D2", hex="d5"),)
    used = with_(B_CARD, B={"developments": [{"id": "D2", "turned": True}]})
    assert isinstance(look(used).add("rail", "B", "d5").read(), OutOfStep)
    far = look(B_CARD).add("rail", "B", "a2").read()
    assert isinstance(far, OutOfStep)
    assert isinstance(look(B_CARD).add("rail", "B", "d5", "c6").read(), OutOfStep)


def test_its_price_may_have_to_be_converted_first() -> None:
    given = with_(B_CARD, B={"materials": 0, "coal": 3})
    assert steps(look(given).add("rail", "B", "d5").read()) == (
        Hole("payment", "B", 1, ((Convert("B", ("money", "tech"), "materials"),),)),
        UseDev("B", "D2", hex="d5"),
    )


def test_it_explains_an_own_rail_that_power_cannot() -> None:
    given = with_(ROUTE, A={"rails": ["d5"], "developments": ["D2"]})
    assert steps(look(given).add("rail", "A", "c6", "a3").read()) == (
        UseDev("A", "D2", hex="c6"),
        rail("A", "a3"),
    )
    poor = with_(ROUTE, A={**POOR, "materials": 1, "developments": ["D2"]})
    assert steps(look(poor).add("rail", "A", "c4", "d4", "c5", "c6").read()) == (
        rail("A", "c4"),
        rail("A", "c5"),
        UseDev("A", "D2", hex="c6"),
        rail("A", "d4"),
    )


def test_it_is_not_proposed_where_power_will_do() -> None:
    given = with_(ROUTE, A={"developments": ["D2"]})
    assert steps(look(given).add("rail", "A", "c4").read()) == (rail("A", "c4"),)


def test_which_seat_came_first_is_asked_where_it_matters_and_is_not_known() -> None:
    it = look(B_CARD).add("rail", "A", "c4").add("rail", "B", "c4")
    mine, theirs = rail("A", "c4"), UseDev("B", "D2", hex="c4")
    # B's rail makes the hex dearer for A if it came first.
    assert it.read() == Several((Proposal((mine, theirs)), Proposal((theirs, mine))))
    it.seen_in_order(("B", "c4"), ("A", "c4"))
    assert it.read() == Proposal((theirs, mine))
    it.seen_in_order(("A", "c4"), ("B", "c4"))
    assert it.read() == Proposal((mine, theirs))
    apart = look(B_CARD).add("rail", "A", "a3").add("rail", "B", "d5").read()
    assert apart == Proposal((rail("A", "a3"), UseDev("B", "D2", hex="d5")))


# Cards -------------------------------------------------------------------------------------------


def test_cards_turned_up_are_a_draw_in_the_order_of_their_places() -> None:
    it = look(REVEAL).cards("carriages", "K5", "K2", "K3", "K6", "K1")
    assert it.read() == Proposal((Draw("carriages", ("K5", "K2", "K3", "K6", "K1")),))


def test_an_incomplete_draw_waits_for_the_rest() -> None:
    assert look(REVEAL).read() == InStep(Hole("cards", None, 5, detail="carriages"))
    it = look(REVEAL).cards("carriages", "K5", "K2")
    assert it.read() == InStep(Hole("cards", None, 3, detail="carriages"))


def test_the_cards_of_the_first_order_lie_aside() -> None:
    given = {"objectives": ["O1", "O2"], "routes": ["R1", "R2"]}
    reading = look(given).cards("draw", "S2", "S4", "S1").read()
    assert reading == Proposal((Draw("stations", ("S2", "S4", "S1")),))


def test_a_locomotive_and_a_carriage_taken_in_one_look() -> None:
    assert steps(look(TRAIN).off("L2", "K1").read()) == (TakeLoco("A", "L2"), BuyCarriage("A", "K1"))
    assert isinstance(look(TRAIN).off("K1").read(), OutOfStep)


def test_a_set_its_free_card_and_a_purchase_in_one_look() -> None:
    assert steps(look(SETS).off("D5").read()) == (ChooseSet("A", 1), TakeFree("A", "D5"))
    assert steps(look(SETS).off("D5", "D4").read()) == (
        ChooseSet("A", 1),
        TakeFree("A", "D5"),
        BuyDev("A", "D4"),
    )


def test_a_card_that_places_rails_and_its_rails_in_one_look() -> None:
    given = merged(
        with_(SETS, A={"stations": ["b3"]}),
        {"market": {"rows": [{"cards": ["D5", "D11"]}]}, "turn": {"seat": "A", "row": 1, "free_card": True}},
    )
    reading = look(given).off("D11").add("rail", "A", "c4").read()
    assert steps(reading) == (BuyDev("A", "D11"), rail("A", "c4", free=True))


DRAWN = merged(ROUTE, {"pending": {"A": [{"ask": "draw", "source": "tech 4"}]}})


def test_a_draw_for_an_effect() -> None:
    assert look(DRAWN).read() == InStep(Hole("cards", None, 2, detail="developments"))
    assert steps(look(DRAWN).cards("draw", "D1", "D3").read()) == (Draw("developments", ("D1", "D3")),)
    reading = look(DRAWN).cards("draw", "D1", "D3").add("rail", "A", "c4").read()
    assert steps(reading) == (
        Draw("developments", ("D1", "D3")),
        Hole("choice", "A", detail="tech 4"),
        rail("A", "c4"),
    )


def test_a_station_and_the_cards_that_it_lets_draw_in_one_look() -> None:
    given = merged(
        with_(TURN, A={"levels": {"tech": 3}}),
        {"market": {"stations": ["S3", "S1", "S2"]}, "turn": {"seat": "A"}},
    )
    reading = look(given).add("station", "A", "c2").add("rail", "A", "b2").cards("draw", "D1", "D3").read()
    assert steps(reading) == (
        PlaceStation("A", "c2"),
        Draw("developments", ("D1", "D3")),
        Hole("choice", "A", detail="tech 4"),
        rail("A", "b2"),
    )
    last = look(given).add("station", "A", "c2").cards("draw", "D1", "D3").read()
    assert steps(last) == (PlaceStation("A", "c2"), Draw("developments", ("D1", "D3")))


def test_one_of_two_drawn_cards_put_away_was_bought() -> None:
    given = merged(ROUTE, {"pending": {"A": [{"ask": "buy", "source": "tech 4", "cards": ["D1", "D3"]}]}})
    assert look(given).read() == InStep()
    assert steps(look(given).off("D3").read()) == (BuyDev("A", "D3"),)
    assert look(given).off("D1", "D3").read() == InStep()


# Random games ------------------------------------------------------------------------------------

SWITCHED: dict[str, str | bool] = {
    "free_rt.bound_in_expansion": True,
    "station.on_own_rt": "forbid_then_redraw",
    "setup.random_tiles": True,
}
GAMES = [(2, 1, SWITCHED), (3, 2, {}), (4, 3, {}), (4, 4, SWITCHED)]
Pieces = tuple[tuple[int, ...], tuple[int, ...]]
"""Rails and stations by seat."""


@cache
def opened(players: int, switched: bool) -> RailwayBoom:
    title = find_title("railway_boom")
    game = title.open(title.load_pack("inland_sea"), players, SWITCHED if switched else {})
    assert isinstance(game, RailwayBoom)
    return game


def states_of(game: RailwayBoom, seed: int) -> list[State]:
    states = [game.start()]
    play(game, random.Random(seed), observe=lambda before, action, after, events: states.append(after))
    return states


def pieces(state: State) -> Pieces:
    return tuple(s.rails for s in state.seats), tuple(s.stations for s in state.seats)


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_a_table_as_it_is_recorded_is_in_step(
    players: int, seed: int, options: dict[str, str | bool]
) -> None:
    game = opened(players, bool(options))
    for state in states_of(game, seed):
        reading = Look(game, state).read()
        assert isinstance(reading, InStep), (state.step, reading)
        due = game.table.due(state)
        shown = due is not None and not due[0].endswith("_tiles")
        assert (reading.waiting is not None) == shown


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_every_draw_is_read_from_its_cards(players: int, seed: int, options: dict[str, str | bool]) -> None:
    game = opened(players, bool(options))
    rng = random.Random(seed)
    drawn = 0
    for state in states_of(game, seed):
        action = game.chance(state, rng)
        if not isinstance(action, Draw) or action.deck.endswith("_tiles"):
            continue
        zone = "draw" if state.stacks and action.deck == "developments" else action.deck
        zone = "draw" if state.step == Step.SETUP and zone == "stations" else zone
        assert Look(game, state).cards(zone, *action.cards).read() == Proposal((action,))
        drawn += 1
    assert drawn > 15


class Search:
    """Whether some sequence of legal actions leads from a state to exactly these pieces.

    Everything that the camera can see is tried, and everything that can pay for it. Cards that would only be
    drawn on the way are not bought: nobody knows them yet.
    """

    def __init__(self, game: RailwayBoom, goal: Pieces) -> None:
        self.game = game
        self.goal = goal
        self._known: dict[tuple[State, frozenset[tuple[str, ...]]], bool] = {}

    def __call__(self, state: State, drawn: frozenset[tuple[str, ...]] = frozenset()) -> bool:
        if pieces(state) == self.goal:
            return True
        key = state, drawn
        if key not in self._known:
            self._known[key] = False
            self._known[key] = any(
                self(after, drawn | {action.cards} if isinstance(action, Draw) else drawn)
                for action in self._moves(state, drawn)
                if self._within(after := self.game.apply(state, action)[0])
            )
        return self._known[key]

    def _within(self, state: State) -> bool:
        seats = zip(state.seats, *self.goal, strict=True)
        return not any(s.rails & ~rails or s.stations & ~stations for s, rails, stations in seats)

    def _moves(self, state: State, drawn: frozenset[tuple[str, ...]]) -> Iterator[Action]:
        game = self.game
        if state.stacks and (draw := game.chance(state, random.Random(0))) is not None:
            yield draw
        for index, seat in enumerate(game.seats):
            top = state.top(index)
            new = isinstance(top, AskBuy) and top.cards in drawn
            lacks = self.goal[0][index] & ~state.seats[index].rails
            for offer in game.offers(state, seat):
                if offer.kind in ("place_rt", "place_station", "choose", "decline"):
                    yield from expand([offer])
                elif offer.kind == "buy_dev" and isinstance(offer, BuyDev) and isinstance(top, AskBuy):
                    yield from () if new else (offer,)
                elif isinstance(offer, UseDev) and lacks:
                    kind = game.developments[offer.card].kind
                    yield from (offer,) if kind in ("tactical_expansion", "skilled_labor") else ()
                elif offer.kind == "money_to_power" and lacks:
                    yield MoneyToPower(seat, 1)
                elif offer.kind == "convert" and isinstance(offer, Form) and lacks:
                    wanted = self._wanted(state, index)
                    yield from (a for a in offer.expand() if isinstance(a, Convert) and a.take in wanted)

    def _wanted(self, state: State, seat: int) -> set[str]:
        """What a conversion could be good for: Money in the own turn, the price of a card."""
        record = state.seats[seat]
        stock = dict(zip(("money", "coal", "materials", "tech"), record.stock, strict=True))
        wanted = {"money"} if state.turn.station and self.game.acting_seat(state) == seat else set()
        for own in record.devs:
            card = self.game.developments[own.id]
            if card.kind == "tactical_expansion" and not own.turned:
                wanted |= {name for name, n in card.pay.items() if stock[name] < n}
        return {name for name in wanted if name != "money" or not stock["money"]}


def leads(game: RailwayBoom, state: State, parts: Sequence[Part], goal: Pieces) -> bool:
    """Whether the steps are legal one after the other, payments in every way that is offered, and end with
    exactly these pieces. After a question (with some answer) the table looks again."""
    if not parts:
        return pieces(state) == goal
    step, rest = parts[0], parts[1:]
    if isinstance(step, Hole):
        if step.kind == "payment":
            return bool(step.options) and all(leads(game, state, (*way, *rest), goal) for way in step.options)
        return any(leads_on(game, after, goal) for after in answered(game, state, step))
    return game.refuse(state, step) is None and leads(game, game.apply(state, step)[0], rest, goal)


def leads_on(game: RailwayBoom, state: State, goal: Pieces) -> bool:
    """Whether a new look at the same pieces explains what is left."""
    if pieces(state) == goal:
        return True
    reading = Look.of(game, state, *goal).read()
    ways = reading.choices if isinstance(reading, Several) else (reading,)
    return all(isinstance(way, Proposal) and leads(game, state, way.steps, goal) for way in ways)


def answered(game: RailwayBoom, state: State, hole: Hole) -> Iterator[State]:
    """The states after a question; of drawn cards nothing is bought."""
    if hole.kind == "cards":
        draw = game.chance(state, random.Random(1))
        assert draw is not None
        yield game.apply(state, draw)[0]
        return
    seat = hole.seat or ""
    assert state.top(game.index[seat]) is not None
    offers = [o for o in game.offers(state, seat) if not o.free and o.kind != "place_rt"]
    for answer in expand(offers):
        yield game.apply(state, answer)[0]


def changed(game: RailwayBoom, state: State, rng: random.Random) -> Pieces:
    """The pieces of a state and one to three more, partly where the rules let them go."""
    count = rng.choice((1, 2, 2, 3, 3))
    rails, stations = ([*masks] for masks in pieces(state))
    acting = game.acting_seat(state)

    def added(now: State) -> int:
        return sum(
            (own_mask(a) & ~own_mask(b)).bit_count() for a, b in zip(now.seats, state.seats, strict=True)
        )

    if rng.random() < 0.6:
        here = state
        for _ in range(12):
            if added(here) >= count:
                break
            seat = game.seats[acting if rng.random() < 0.8 else rng.randrange(len(game.seats))]
            offers = [
                o for o in expand(game.offers(here, seat), 3) if o.kind not in ("end_turn", "done", "convert")
            ]
            lay = [o for o in offers if o.kind in ("place_rt", "place_station")]
            if lay or offers:
                here, _ = game.apply(here, rng.choice(lay if lay and rng.random() < 0.8 else offers))
        rails, stations = ([*masks] for masks in pieces(here))
        count -= added(here)
    while count > 0 and rng.random() < 0.7:
        seat_index = acting if rng.random() < 0.8 else rng.randrange(len(game.seats))
        own = rails[seat_index] | stations[seat_index]
        near = game.grid.neighbours(own) & ~own
        spots = near if near and rng.random() < 0.7 else game.grid.all & ~own
        if rng.random() < 0.2 and state.stations and stations[seat_index].bit_count() < 4:
            city = game.station_hex[rng.choice(state.stations).card]
            stations[seat_index] |= game.grid.bit[city] & ~own
        else:
            rails[seat_index] |= 1 << rng.choice(list(bits(spots)))
        count -= 1
    return tuple(rails), tuple(stations)


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_a_change_is_explained_exactly_if_some_legal_sequence_makes_it(
    players: int, seed: int, options: dict[str, str | bool]
) -> None:
    game = opened(players, bool(options))
    rng = random.Random(seed)
    found = {True: 0, False: 0}
    for number in range(8):
        states = states_of(game, 100 * seed + number)
        mid = [s for s in states if s.stacks or s.step == Step.EXPANSION]
        for state in rng.sample(mid, 10) + rng.sample(states[4:], 2):
            goal = changed(game, state, rng)
            if goal == pieces(state):
                continue
            it = Look.of(game, state, *goal)
            reading = it.read()
            exists = Search(game, goal)(state)
            ways = reading.choices if isinstance(reading, Several) else (reading,)
            told = [way for way in ways if isinstance(way, Proposal)]
            assert bool(told) == exists, reading
            assert all(leads(game, state, way.steps, goal) for way in told), reading
            found[exists] += 1
            if isinstance(reading, OutOfStep):
                assert all(
                    not isinstance(Look.of(game, state, *goal).mend(edits).read(), OutOfStep)
                    for edits in reading.repairs
                ), reading
    assert min(found.values()) > 20


@pytest.mark.parametrize(("players", "seed", "options"), GAMES)
def test_what_a_seat_did_is_explained_from_where_it_began(
    players: int, seed: int, options: dict[str, str | bool]
) -> None:
    game = opened(players, bool(options))
    rng = random.Random(seed)
    laid = 0
    for number in range(6):
        begun = [s for s in states_of(game, 200 * seed + number) if s.step == Step.EXPANSION]
        for state in rng.sample(begun, 12):
            seat = game.seats[game.acting_seat(state)]
            here = state
            for _ in range(rng.randint(1, 9)):
                if here.step != Step.EXPANSION or game.seats[game.acting_seat(here)] != seat:
                    break
                if (draw := game.chance(here, rng)) is not None:
                    here, _ = game.apply(here, draw)
                    continue
                offers = list(expand(game.offers(here, seat), 2))
                offers = [o for o in offers if o.kind not in ("end_turn", "buy_dev", "convert")]
                offers = [o for o in offers if not isinstance(o, UseDev) or o.hex]
                if offers:
                    here, _ = game.apply(here, rng.choice(offers))
            goal = pieces(here)
            it = Look.of(game, state, *goal)
            more = here.stations[len(state.stations) :]
            if len(more) > 1:
                continue  # one card after the other (HR-04) is seen one after the other
            for indicator in more:
                it.card(indicator.card, f"stations:{len(state.stations) + 1}")
            reading = it.read()
            if goal == pieces(state) and here.stations == state.stations:
                assert isinstance(reading, InStep)
                continue
            ways = reading.choices if isinstance(reading, Several) else (reading,)
            told = [way for way in ways if isinstance(way, Proposal)]
            assert told, reading
            assert all(leads(game, state, way.steps, goal) for way in told), reading
            laid += 1
    assert laid > 20
