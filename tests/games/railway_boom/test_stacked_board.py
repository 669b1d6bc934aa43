"""A board without slots, where a piece may hide another: what is seen counts, what is not says nothing."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.games.railway_boom.actions import PlaceRT
from assistant.reading import Difference, InStep, OutOfStep, Proposal, Reading, Roster, read
from tests.games.railway_boom.looks import Look, table

ROUTE: dict[str, Any] = {
    "round": 1,
    "phase": "expansion",
    "step": "turn",
    "white": ["C", "B", "A"],
    "market": {"stations": [{"card": "S2", "taken": "A"}, "S4", "S5"], "locomotives": ["L1", "L2"]},
    "seats": {"A": {"stations": ["b3"]}, "B": {"rails": ["d5"], "stations": ["c5"]}},
    "turn": {"seat": "A", "station": "b3", "power": 6},
}
"""A has its station on b3 and power 6; B has a rail and a station."""


def look() -> Look:
    return Look(*table(ROUTE))


def on_a_board(it: Look) -> Reading:
    """The reading of a look at a board without slots."""
    roster = Roster({piece.payload: piece for piece in it.game.printed.pieces})
    return read(it.game, it.state, msgspec.structs.replace(it.observation(), stacked=True), roster)


def test_a_recorded_piece_that_is_not_seen_is_no_difference() -> None:
    bare = look().take("rail", "B", "d5").take("station", "B", "c5").off("L1")
    assert isinstance(bare.read(), OutOfStep)
    assert on_a_board(bare) == InStep()


def test_what_is_seen_is_proposed_although_something_else_is_not() -> None:
    covered = look().take("rail", "B", "d5").add("rail", "A", "c4")
    assert isinstance(covered.read(), OutOfStep)
    assert on_a_board(covered) == Proposal((PlaceRT("A", "c4", False),))


def test_what_is_seen_and_contradicts_is_a_difference() -> None:
    reading = on_a_board(look().take("rail", "B", "d5").add("rail", "C", "a2"))
    assert isinstance(reading, OutOfStep)
    assert reading.differences == (Difference("wrong_seat", "a2", "C", "RB-FLOW-3", piece="rail"),)
    # A rail that turned up next door is not called knocked: the recorded one may still be there.
    reading = on_a_board(look().knock("rail", "B", "d5", "c6"))
    assert isinstance(reading, OutOfStep)
    assert [difference.kind for difference in reading.differences] == ["wrong_seat"]
