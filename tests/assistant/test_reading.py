"""From an observation to pieces, and what is common to the readings of all games."""

from __future__ import annotations

from typing import Any, cast

import pytest

from assistant.actions import Action
from assistant.game import Game
from assistant.layout import Piece
from assistant.observation import Observation, Sighting
from assistant.reading import (
    Difference,
    Edit,
    Hole,
    InStep,
    OutOfStep,
    Proposal,
    Reading,
    Roster,
    Seen,
    Several,
    read,
)


class Step(Action, frozen=True):
    n: int


PIECES = {name: Piece(name, "rail", name, "A") for name in ("one", "two", "three")}
ROSTER = Roster(PIECES)


class Judge:
    """A game of which only the reading is asked; it keeps what it was shown."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.shown: Seen | None = None

    def explain(self, state: object, seen: Seen) -> Reading:
        self.shown = seen
        return self.reading


def judged(judge: Judge, observation: Observation) -> Reading:
    return read(cast("Game[Any]", judge), None, observation, ROSTER)


def at(payload: str, space: str | None) -> Sighting:
    return Sighting(payload, 1.0, 2.0, 0.0, 3.0, space)


def test_sightings_become_pieces_with_their_spaces() -> None:
    seen = ROSTER.seen(Observation((at("one", "a1"), at("two", None)), order=("two", "one")))
    assert seen.pieces == ((PIECES["one"], "a1"), (PIECES["two"], ""))
    assert seen.differences == ()
    assert seen.order == ("two", "one")


def test_hidden_and_doubtful_spaces_are_alike() -> None:
    seen = ROSTER.seen(Observation((), hidden=frozenset({"a1"}), doubtful=frozenset({"a2"})))
    assert seen.hidden == {"a1", "a2"}


def test_codes_that_are_none_of_ours_are_no_pieces() -> None:
    seen = ROSTER.seen(Observation((at("four", "a1"), at("one", "a2")), foreign=("COFFEE",)))
    assert seen.pieces == ((PIECES["one"], "a2"),)
    assert seen.differences == (
        Difference("unknown_tag", "a1", rule="SM-SEE-1", piece="four"),
        Difference("unknown_tag", "", rule="SM-SEE-1", piece="COFFEE"),
    )


def test_a_code_read_twice_at_one_place_is_one_piece() -> None:
    seen = ROSTER.seen(Observation((at("one", "a1"), at("one", "a1"))))
    assert seen.pieces == ((PIECES["one"], "a1"),)
    assert seen.differences == ()


@pytest.mark.parametrize(("second", "hidden"), [("a2", {"a1", "a2"}), (None, {"a1"})])
def test_a_code_at_two_places_counts_at_neither(second: str | None, hidden: set[str]) -> None:
    seen = ROSTER.seen(Observation((at("one", "a1"), at("two", "a3"), at("one", second))))
    assert seen.pieces == ((PIECES["two"], "a3"),)
    assert seen.differences == (
        Difference("duplicate_tag", second or "", "A", "SM-SEE-2", piece="one", to="a1"),
    )
    assert seen.hidden == hidden


def test_a_code_at_three_places_is_reported_twice() -> None:
    seen = ROSTER.seen(Observation((at("one", "a1"), at("one", "a2"), at("one", "a3"))))
    assert [(d.place, d.to) for d in seen.differences] == [("a2", "a1"), ("a3", "a1")]
    assert seen.hidden == {"a1", "a2", "a3"}


@pytest.mark.parametrize(
    "reading", [InStep(), Proposal((Step(1),)), Several((Proposal((Step(1),)), Proposal((Step(2),))))]
)
def test_what_the_game_says_is_the_reading(reading: Reading) -> None:
    judge = Judge(reading)
    assert judged(judge, Observation((at("one", "a1"),))) == reading
    assert judge.shown == ROSTER.seen(Observation((at("one", "a1"),)))


@pytest.mark.parametrize("reading", [InStep(), Proposal((Step(1),))])
def test_nothing_is_proposed_while_a_foreign_code_lies_there(reading: Reading) -> None:
    look = Observation((at("four", "a1"),), hidden=frozenset({"b2", "b1"}))
    foreign = Difference("unknown_tag", "a1", rule="SM-SEE-1", piece="four")
    assert judged(Judge(reading), look) == OutOfStep((foreign,), hidden=("b1", "b2"))


def test_foreign_codes_come_before_what_else_is_wrong() -> None:
    missing = Difference("missing", "a2", "A")
    repairs = ((Edit("put_back", "a2", "A"),),)
    reading = judged(Judge(OutOfStep((missing,), repairs)), Observation((at("four", "a1"),)))
    assert isinstance(reading, OutOfStep)
    assert [d.kind for d in reading.differences] == ["unknown_tag", "missing"]
    assert reading.repairs == repairs


def test_the_actions_of_a_proposal_pay_as_proposed() -> None:
    pay = Hole("payment", "A", 2, ((Step(7), Step(8)), (Step(9),)))
    proposal = Proposal((Step(1), pay, Step(2)))
    assert proposal.actions == (Step(1), Step(7), Step(8), Step(2))
    assert proposal.ready() == proposal.actions


@pytest.mark.parametrize("hole", [Hole("choice", "A", detail="x"), Hole("cards", None, 2)])
def test_what_is_ready_ends_at_the_first_question(hole: Hole) -> None:
    proposal = Proposal((Step(1), hole, Step(2)))
    assert proposal.actions == (Step(1), Step(2))
    assert proposal.ready() == (Step(1),)
    assert Proposal((hole, Step(2))).ready() == ()
