"""Pending choices: depth first, held, filed under a moment, due together."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.stacks import Stack

Words = Stack[str]


def test_the_last_entry_is_dealt_with_first() -> None:
    stack = Words().push("train", "icon")
    assert stack.top == "icon"
    assert stack.push("draw").pop().pop().top == "train"
    assert stack.run == ("icon", 1)
    assert Words().push("draw", "draw").run == ("draw", 2)
    assert Words().run == (None, 0)
    with pytest.raises(ValueError, match="not 3 entries"):
        stack.pop(3)


def test_a_filed_entry_blocks_nothing_until_its_moment() -> None:
    stack = Words().push("action").file("end of turn", "bonus")
    assert stack.top == "action"
    assert stack.call("chain settled") is stack
    assert stack.pop().idle
    due = stack.pop().call("end of turn")
    assert (due.top, due.filed) == ("bonus", ())


def test_entries_due_together_come_in_the_chosen_order_and_before_what_lay_open() -> None:
    stack = Words().push("action")
    for entry in ("a", "b", "c"):
        stack = stack.file("now", entry)
    stack = stack.call("now")
    assert (stack.top, stack.due, stack.idle) == (None, ("a", "b", "c"), False)
    stack = stack.first(1)
    assert (stack.top, stack.due) == ("b", ())
    # What the chosen one triggers is settled before the others; what becomes due then is a group of its own.
    stack = stack.pop().push("deeper").file("later", "x").file("later", "y").call("later")
    assert stack.due == ("x", "y")
    stack = stack.first(1).pop()
    assert stack.top == "x"
    stack = stack.pop()
    assert stack.top == "deeper"
    stack = stack.pop()
    assert stack.due == ("a", "c")
    assert stack.push("free action").top == "free action"
    stack = stack.first(0)
    assert (stack.top, stack.pop().top, stack.pop().pop().top) == ("a", "c", "action")


def test_an_order_must_be_chosen_before_anything_below_goes_on() -> None:
    stack = Words().push("below").file("now", "a").file("now", "b").call("now")
    with pytest.raises(ValueError, match="not 1 entries"):
        stack.pop()
    for index in (-1, 2):
        with pytest.raises(IndexError):
            stack.first(index)
    with pytest.raises(IndexError):
        Words().push("a").first(0)


def test_a_held_entry_waits_and_what_comes_on_top_does_not() -> None:
    stack = Words().push("train", "draw 2").hold("seats before")
    assert (stack.top, stack.held) == ("draw 2", "seats before")
    above = stack.push("icon")
    assert (above.top, above.held) == ("icon", None)
    assert above.pop() == stack
    assert stack.release("something else") == stack
    assert stack.release("seats before").held is None
    assert stack.pop().held is None
    for wrong in (Words(), stack):
        with pytest.raises(ValueError, match="held already"):
            wrong.hold("again")


def test_the_third_seat_meets_a_draw_in_mid_train_while_the_first_still_operates() -> None:
    """Three seats operate at once; what reveals cards waits for the seats before (RB-FLOW-6)."""
    seats = {seat: Words().push("operate") for seat in "ABC"}

    def asked() -> list[str]:
        return [seat for seat, stack in seats.items() if not stack.idle and not stack.held]

    def release() -> None:
        for index, seat in enumerate("ABC"):
            if all(seats[before].idle for before in "ABC"[:index]):
                seats[seat] = seats[seat].release("seats before")

    seats["C"] = seats["C"].push("draw 2").hold("seats before")
    release()
    assert asked() == ["A", "B"]
    seats["B"] = seats["B"].pop()
    release()
    assert asked() == ["A"]
    seats["A"] = seats["A"].pop()
    release()
    assert asked() == ["C"]
    assert seats["C"].pop().top == "operate"


entries = st.sampled_from("abcd")
moves = st.lists(
    st.one_of(
        st.tuples(st.just("push"), entries),
        st.tuples(st.just("pop"), st.just("")),
        st.tuples(st.just("file"), entries),
        st.tuples(st.just("call"), st.just("")),
        st.tuples(st.just("first"), st.just("")),
        st.tuples(st.just("hold"), st.just("")),
        st.tuples(st.just("release"), st.just("")),
    ),
    max_size=30,
)


@given(moves, st.randoms(use_true_random=False))
def test_nothing_is_lost_and_a_stack_comes_back_from_json(
    sequence: list[tuple[str, str]], rng: object
) -> None:
    stack, there = Words(), 0
    for move, entry in sequence:
        if move == "push":
            stack, there = stack.push(entry), there + 1
        elif move == "pop" and stack.top is not None:
            stack, there = stack.pop(), there - 1
        elif move == "file":
            stack, there = stack.file("now", entry), there + 1
        elif move == "call":
            stack = stack.call("now")
        elif move == "first" and stack.due:
            assert hasattr(rng, "randrange")
            stack = stack.first(rng.randrange(len(stack.due)))
        elif move == "hold" and stack.top is not None and stack.held is None:
            stack = stack.hold("before")
        elif move == "release":
            stack = stack.release("before")
        assert len(stack.open) + len(stack.filed) + sum(len(group) for _, group in stack.together) == there
        assert all(len(group) > 1 for _, group in stack.together)
        assert (stack.top is None) == (not stack.open or bool(stack.due))
        assert msgspec.json.decode(msgspec.json.encode(stack), type=Words) == stack
