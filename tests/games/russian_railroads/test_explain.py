"""What the camera saw, explained: every way pieces come onto a space, and every kind of difference."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from assistant.actions import TABLE
from assistant.games.russian_railroads.actions import Engineers, Move, Order, Swap, Use
from assistant.observation import Observation, Sighting
from assistant.reading import Edit, Hole, InStep, OutOfStep, Proposal, Reading, Roster, read
from assistant.settling import deed, ways
from tests.games.russian_railroads.looks import Look, opened

CLAIM = {"space": "ORD-1", "seat": "B", "workers": 1}


def kinds(reading: Reading) -> list[tuple[str, str, str]]:
    """The differences as kind, place and rule."""
    assert isinstance(reading, OutOfStep), reading
    return [(d.kind, d.place, d.rule) for d in reading.differences]


# What is recorded, and what may come of it ---------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_random_game_every_visible_action_is_seen_as_itself(seats: int) -> None:
    """The recorded table is in step, and what people lay for an action is read as that action."""
    game, seen = opened(seats), Counter[str]()
    roster = Roster({piece.payload: piece for piece in game.printed.pieces})

    def look(scene: object) -> Reading:
        placed = scene.placements  # type: ignore[attr-defined]
        tags = tuple(Sighting(p.payload, 0.0, 0.0, 0.0, 3.0, p.space, p.slot) for p in placed)
        return read(game, state, Observation(tags), roster)

    for seed in range(3):
        rng, state = random.Random(seed), game.start()
        while asked := game.acting(state):
            assert look(game.scene(state)) == InStep(), state
            seat = asked[0].seat
            if seat == TABLE:
                action = game.chance(state, rng)
            elif rng.random() < 0.5:
                action = game.sensible(state, seat, rng)
            else:
                action = rng.choice(game.offers(state, seat)).sample(rng)
            assert action is not None
            if action.kind in game.seen_kinds:
                reading = look(game.laid(state, action))
                assert isinstance(reading, Proposal), (action, reading)
                assert reading.actions == (action,)
                assert reading.sure
                seen[action.kind] += 1
            state, _ = game.apply(state, action)
    assert set(seen) >= {"engineers", "order", "use"} | ({"move"} if seats > 2 else set())


@pytest.mark.parametrize("seats", [2, 4])
def test_every_slip_is_caught_as_what_it_is(seats: int) -> None:
    """The mistakes that virtual people make are differences of just the kind that they are meant to be."""
    game, caught = opened(seats), Counter[str]()
    rng, state = random.Random(seats), game.start()
    while asked := game.acting(state):
        seat = asked[0].seat
        for kind, spots in game.slips(state, rng).items():
            if caught[kind] < 25:
                assert {d[0] for d in kinds(Look(game, state).lay(*spots).read())} == {kind}
                caught[kind] += 1
        action = game.chance(state, rng) if seat == TABLE else game.sensible(state, seat, rng)
        assert action is not None
        state, _ = game.apply(state, action)
    assert set(caught) == game.slip_kinds - (set() if seats == 2 else {"not_a_space"})


# One use -------------------------------------------------------------------------------------------


def test_any_pieces_of_the_seat_that_pay_are_its_use() -> None:
    look = Look.of(3, players={"A": {"roubles": 2, "temps": 0}})
    assert look.add("worker", "A", "TRK-COIN").add("rouble", None, "TRK-COIN").read() == Proposal(
        (Use("A", "TRK-COIN", workers=1, roubles=1),)
    )


def test_too_few_pieces_are_waited_for() -> None:
    reading = Look.of(3).add("worker", "A", "LOC-3", "LOC-3").read()
    assert reading == InStep(Hole("payment", "A", 1))


@pytest.mark.parametrize(
    ("seat", "spaces", "difference"),
    [
        ("A", ("IND-1", "IND-1"), ("wrong_count", "IND-1", "RR-PAY-3")),
        ("A", ("TRK-COIN", "TRK-COIN"), ("not_now", "TRK-COIN", "RR-PAY-2")),
        ("B", ("IND-1",), ("wrong_seat", "IND-1", "RR-TURN-1")),
        ("A", ("TRK-BROWN-1",), ("not_now", "TRK-BROWN-1", "RR-TURN-4")),
        ("A", ("ENG-HIRE",), ("not_now", "ENG-HIRE", "RR-ENG-2")),
        ("A", ("ENG-1",), ("not_now", "ENG-1", "RR-ENG-6")),
        ("A", ("LAST-IND",), ("not_now", "LAST-IND", "RR-LAST-1")),
        ("A", ("strip:3",), ("wrong_place", "strip:3", "SM-SEE-4")),
        ("D", ("IND-1",), ("wrong_seat", "IND-1", "RR-SETUP-1")),
    ],
)
def test_a_wrong_use_names_its_rule(
    seat: str, spaces: tuple[str, ...], difference: tuple[str, str, str]
) -> None:
    reading = Look.of(3).add("worker", seat, *spaces).read()
    assert kinds(reading) == [difference]
    assert isinstance(reading, OutOfStep)
    assert reading.repairs == ((Edit("remove", spaces[0], seat, "worker"),),)


def test_more_roubles_than_a_seat_has_are_no_use() -> None:
    look = Look.of(3, players={"A": {"roubles": 1}}).add("rouble", None, "TRK-COIN", "TRK-COIN")
    assert kinds(look.read()) == [("no_tokens", "TRK-COIN", "RR-PAY-3")]
    assert kinds(Look.of(3).add("black", None, "IND-1").read()) == [("no_tokens", "IND-1", "RR-PAY-3")]


def test_a_space_that_two_players_do_not_have() -> None:
    assert kinds(Look.of(2).add("worker", "A", "TRK-GREY-1").read()) == [
        ("not_a_space", "TRK-GREY-1", "RR-P-6")
    ]


def test_a_taken_space_that_everybody_agrees_to() -> None:
    """One waivable rule and nothing else: the table may keep it."""
    placed = [{"space": "ENG-PUB-1", "seat": "B", "workers": 1}]
    look = Look.of(3, placed=placed).add("worker", "A", "ENG-PUB-1")
    reading = look.read()
    assert kinds(reading) == [("hex_full", "ENG-PUB-1", "RR-SPACE-2")]
    assert isinstance(reading, OutOfStep)
    (difference,) = reading.differences
    assert ways(look.game, look.state, difference) == ("put_back", "agreed")
    found = deed(look.game, look.state, difference)
    assert found is not None
    assert found.action == Use("A", "ENG-PUB-1", workers=1)


def test_hidden_spaces_say_nothing_and_leave_a_doubt() -> None:
    placed = [{"space": "LOC-1", "seat": "B", "workers": 1}]
    look = Look.of(3, placed=placed).hide("LOC-1")
    assert look.read() == InStep(hidden=("LOC-1",))
    reading = look.add("worker", "A", "IND-1").read()
    assert reading == Proposal((Use("A", "IND-1", workers=1),), sure=False)


def test_while_a_question_is_open_the_next_worker_waits() -> None:
    look = Look.of(3)
    look.state, _ = look.game.apply(look.state, Use("A", "TRK-BLACK-1", workers=1))
    after = Look(look.game, look.state)
    assert after.read() == InStep()
    assert after.add("worker", "B", "IND-1").read() == Proposal(
        (Hole("choice", "A", detail="advance"),), sure=False
    )


# Pieces that move ------------------------------------------------------------------------------------


def test_pushed_and_missing_pieces_are_told() -> None:
    placed = [{"space": "LOC-1", "seat": "B", "workers": 1}]
    reading = Look.of(3, placed=placed).push("worker", "B", "LOC-1", "IND-1").read()
    assert kinds(reading) == [("moved", "LOC-1", "SM-SEE-3")]
    assert isinstance(reading, OutOfStep)
    assert (reading.differences[0].to, reading.repairs[0][0].what) == ("IND-1", "put_back")
    gone = Look.of(3, placed=placed).take("worker", "B", "LOC-1")
    assert kinds(gone.read()) == [("missing", "LOC-1", "SM-SEE-3")]


def test_what_is_left_of_the_round_before_has_to_go() -> None:
    look = Look.of(3).add("worker", "B", "LOC-1").add("worker", "C", "IND-1")
    assert sorted(kinds(look.read())) == [
        ("left_over", "IND-1", "RR-PREP-1"),
        ("left_over", "LOC-1", "RR-PREP-1"),
    ]


def test_a_worker_move_is_seen_and_must_be_allowed() -> None:
    facts = {"phase": "moves", "turn": "B", "claims": ["ORD-1"], "placed": [CLAIM]}
    look = Look.of(3, **facts).push("worker", "B", "ORD-1", "IND-1")
    assert look.read() == Proposal((Move("B", "IND-1"),))
    assert kinds(Look.of(3, **facts).push("worker", "B", "ORD-1", "LOC-3").read()) == [
        ("moved", "ORD-1", "SM-SEE-3")
    ]


def test_a_booking_with_a_rouble_that_was_swapped_at_once() -> None:
    """People may swap before anybody looks, or once they are asked to choose with whom."""
    two = [{"space": s, "seat": "A", "workers": 1} for s in ("LOC-1", "IND-1")]
    facts = {"placed": two[:1], "order": ["B", "A", "C"], "players": {"A": {"roubles": 1}}}
    look = Look.of(3, **facts).push("worker", "A", "LOC-1", "ORD-1").add("rouble", None, "LOC-1")
    assert look.read() == Proposal((Use("A", "ORD-1", roubles=1),))
    asked = Look.of(3, **{**facts, "placed": two})
    state, _ = asked.game.apply(asked.state, Use("A", "ORD-1", roubles=1))
    after = Look(asked.game, state).push("worker", "A", "IND-1", "ORD-1")
    after.push("rouble", None, "ORD-1", "IND-1")
    assert after.read() == Proposal((Swap("A", "IND-1"),))


# Engineers, turn order, piles ------------------------------------------------------------------------


def test_engineers_and_turn_order_are_read_at_the_start() -> None:
    game = opened(3)
    look = Look(game, game.start())
    assert look.read() == InStep()
    numbers = (8, 9, 10, 1, 2, 3)
    for place, number in enumerate(numbers[:5], start=2):
        look.card(number, f"strip:{place}")
    assert look.read() == InStep(Hole("cards", None, 1))
    look.card(11, "strip:7")
    assert kinds(look.read()) == [("wrong_card", "strip:7", "RR-SETUP-8")]
    look.lies.pop()
    assert look.card(3, "strip:7").read() == Proposal((Engineers(numbers),))
    state, _ = game.apply(game.start(), Engineers(numbers))
    order = Look(game, state).add("pawn", "C", "order:1").add("pawn", "A", "order:2")
    assert order.read() == InStep()
    assert order.add("pawn", "B", "order:3").read() == Proposal((Order(("C", "A", "B")),))
    assert kinds(Look(game, state).add("worker", "A", "IND-1").read()) == [("not_now", "IND-1", "RR-TURN-1")]


def test_the_hired_engineer_may_leave_with_its_rouble() -> None:
    look = Look.of(3).add("rouble", None, "ENG-HIRE")
    use = Proposal((Use("A", "ENG-HIRE", roubles=1),))
    assert look.read() == use
    assert look.take("engineer", None, "strip:7").read() == use
    # By itself it is missing.
    assert kinds(Look.of(3).take("engineer", None, "strip:7").read()) == [("missing", "strip:7", "SM-SEE-3")]


def test_engineers_and_turn_order_that_were_not_moved_on() -> None:
    look = Look.of(3)
    hire = look.state.strip[-2]
    assert kinds(look.card(hire, "strip:1").read()) == [("moved", "strip:6", "RR-PREP-4")]
    pawn = Look.of(3).push("pawn", "A", "order:1", "order:4")
    assert kinds(pawn.read()) == [("moved", "order:1", "RR-ORD-6")]


def test_a_pile_must_show_whether_a_locomotive_is_left() -> None:
    look = Look.of(3)
    assert kinds(look.add("loco_1", None, "pile:1").read()) == [("left_over", "pile:1", "RR-LOCO-2")]
    assert kinds(Look.of(3).take("loco_2", None, "pile:2").read()) == [("missing", "pile:2", "SM-SEE-3")]
    # Who takes one may do so before it is said where it goes.
    busy = Look.of(3)
    state, _ = busy.game.apply(busy.state, Use("A", "LOC-1", workers=1))
    assert Look(busy.game, state).take("loco_2", None, "pile:2").read() == InStep()


# A board of one's own ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
def test_on_a_board_of_ones_own_what_is_not_seen_is_never_a_difference(seats: int) -> None:
    """A random game on a board without the spaces that may be left out, where others hide a third of what
    was recorded before: every action that shows there is read as itself, and nothing else is told."""
    game, seen, told = opened(seats), Counter[str](), Counter[str]()
    roster = Roster({piece.payload: piece for piece in game.printed.pieces})
    there = {space.id for space in game.printed.spaces if not space.optional}
    there |= {"strip:7", "order:1", "order:2"}
    rng, state = random.Random(seats), game.start()

    def look(*placed: tuple[str, str]) -> Reading:
        tags = tuple(Sighting(payload, 0.0, 0.0, 0.0, 3.0, space, "1") for payload, space in placed)
        return read(game, state, Observation(tags, stacked=True), roster)

    while asked := game.acting(state):
        lies = {(p.payload, p.space) for p in game.scene(state).placements if p.space in there}
        kept = {place for place in sorted(lies) if rng.random() < 0.67 or place[1] == "TRK-BOTTOM"}
        assert isinstance(look(*sorted(kept)), InStep), state
        seat = asked[0].seat
        action = game.chance(state, rng) if seat == TABLE else game.sensible(state, seat, rng)
        assert action is not None
        if action.kind in ("use", "move", "swap"):
            new = {(p.payload, p.space) for p in game.laid(state, action).placements if p.space in there}
            reading = look(*sorted(new - (lies - kept)))
            if new - lies:
                seen[action.kind] += 1
                assert isinstance(reading, Proposal), (action, reading)
                assert reading.actions == (action,)
            else:
                assert isinstance(reading, InStep)
                told["by touch"] += 1
        state, _ = game.apply(state, action)
    assert seen["use"] > 20
    assert told["by touch"] > 0


def test_on_a_board_of_ones_own_what_is_seen_and_contradicts_is_told() -> None:
    placed = [{"space": "LOC-1", "seat": "B", "workers": 1}]
    look = Look.of(3, placed=placed).on_a_board()
    assert look.take("worker", "B", "LOC-1").read() == InStep()
    # It is not called pushed: the recorded one may still be there.
    assert kinds(look.add("worker", "B", "IND-1").read()) == [("wrong_seat", "IND-1", "RR-TURN-1")]
    # Of an engineer and of a disc of the order there is only one.
    pawn = Look.of(3).on_a_board("strip:7").push("pawn", "A", "order:1", "order:4")
    assert kinds(pawn.read()) == [("moved", "order:1", "RR-ORD-6")]


def test_on_a_board_of_ones_own_workers_lie_on_the_engineer() -> None:
    look = Look.of(3).card(2, "ENG-PUB-1").on_a_board("strip:6")
    assert look.read() == InStep()
    assert look.add("worker", "A", "ENG-PUB-1").read() == Proposal((Use("A", "ENG-PUB-1", workers=1),))
    assert kinds(Look.of(3).card(2, "ENG-PUB-1").read())[0] == ("wrong_place", "ENG-PUB-1", "SM-SEE-4")


def test_on_a_board_of_ones_own_a_worker_moves_only_if_it_is_gone() -> None:
    facts = {"phase": "moves", "turn": "B", "claims": ["ORD-1"], "placed": [CLAIM]}
    look = Look.of(3, **facts).on_a_board("order:2", "strip:6").push("worker", "B", "ORD-1", "IND-1")
    assert look.read() == Proposal((Move("B", "IND-1"),))
    assert kinds(look.add("worker", "B", "ORD-1").read()) == [("not_now", "IND-1", "RR-TURN-2")]


def test_on_a_board_of_ones_own_a_swap_shows_by_what_of_it_can_be_seen() -> None:
    two = [{"space": s, "seat": "A", "workers": 1} for s in ("LOC-1", "IND-1")]
    facts = {"placed": two, "order": ["B", "A", "C"], "players": {"A": {"roubles": 1}}}
    look = Look.of(3, **{**facts, "placed": two[:1]})
    look.push("worker", "A", "LOC-1", "ORD-1").add("rouble", None, "LOC-1")
    assert look.on_a_board("ORD-1").read() == Proposal((Use("A", "ORD-1", roubles=1),))
    # With which of the two the rouble was swapped does not show here.
    state, _ = look.game.apply(Look.of(3, **facts).state, Use("A", "ORD-1", roubles=1))
    asked = Look(look.game, state).take("worker", "A", "LOC-1").take("worker", "A", "IND-1")
    asked.take("rouble", None, "ORD-1").add("worker", "A", "ORD-1")
    assert asked.on_a_board().read() == Proposal((Hole("choice", "A", detail="ask_swap"),), sure=False)


def test_on_a_board_of_ones_own_more_may_lie_in_a_space_than_the_mat_has_slots() -> None:
    uses = [{"space": "TRK-BOTTOM", "seat": seat, "workers": 1} for seat in "ABCD" for _ in range(4)]
    assert len(uses) == 16
    look = Look.of(4, placed=[*uses, {"space": "TRK-BOTTOM", "seat": "A", "workers": 1}]).on_a_board()
    assert look.add("worker", "A", "TRK-BOTTOM").read() == InStep()
    # A new one shows where all recorded of its kind are in view, and cannot be told from one that is hidden.
    use = [{"space": "TRK-BOTTOM", "seat": "A", "workers": 1}]
    few = Look.of(4, placed=use).on_a_board().add("worker", "A", "TRK-BOTTOM")
    assert few.read() == Proposal((Use("A", "TRK-BOTTOM", workers=1),))
    assert few.take("worker", "A", "TRK-BOTTOM").read() == InStep()
