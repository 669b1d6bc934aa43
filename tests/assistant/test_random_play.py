"""Random play names its policy, keeps free actions rare and tells what was done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from assistant.actions import TABLE, Action, Codec
from assistant.events import Event
from assistant.game import Acting, Game
from assistant.offers import Fill, Form, Offer, expand
from assistant.random_play import FREE_SHARE, POLICY, Stuck, play
from assistant.rulings import Violation


class Step(Action, frozen=True):
    seat: str
    far: int = 1


class Convert(Action, frozen=True):
    free: ClassVar[bool] = True
    seat: str


class Walk(Game[int]):
    """A seat steps to the end; everything can be converted at any time, to no effect."""

    codec = Codec[Any]([Step, Convert])
    waivable = frozenset()
    seats = ("A", "B")
    length = 400
    offered = True

    def __init__(self) -> None:
        pass

    def start(self) -> int:
        return 0

    def acting(self, state: int) -> tuple[Acting, ...]:
        return (Acting("AB"[state % 2], "step"),) if state < self.length else ()

    def offers(self, state: int, seat: str) -> list[Offer]:
        if not self.offered:
            return []
        step = Fill(Step, lambda f: [1, 2] if not f else None, lambda f: Step(seat, f[0]))
        mine = [step] if seat == self.acting(state)[0].seat else []
        return [*mine, *(Convert(seat) for _ in range(20))]

    def violations(self, state: int, action: Action) -> Iterator[Violation]:
        yield from ()

    def apply(self, state: int, action: Action) -> tuple[int, list[Event]]:
        return state + (action.far if isinstance(action, Step) else 0), []

    def faults(self, state: int) -> list[str]:
        return []

    def chance(self, state: int, rng: random.Random) -> Action | None:
        return None


def test_free_actions_are_a_twentieth_of_the_choices_however_many_are_offered() -> None:
    counts = [play(Walk(), random.Random(seed)).counts for seed in range(40)]
    free = sum(count.get("convert", 0) for count in counts)
    share = free / sum(sum(count.values()) for count in counts)
    assert 0.04 < share < 0.06
    assert play(Walk(), random.Random(1), free_share=0).counts.keys() == {"step"}
    with pytest.raises(ValueError, match="at most 5% of the choices, not 6%"):
        play(Walk(), random.Random(1), free_share=0.06)


def test_a_playout_tells_what_was_done_and_repeats_itself() -> None:
    seen: list[Action] = []
    played = play(Walk(), random.Random(2), observe=lambda before, action, after, events: seen.append(action))
    assert tuple(seen) == played.actions
    assert sum(played.counts.values()) == len(played.actions)
    assert list(played.shares) == ["step", "convert"]
    assert played == play(Walk(), random.Random(2))
    assert play(Walk(), random.Random(2), state=played.state).actions == ()
    assert str(FREE_SHARE) in POLICY


def test_who_is_stuck_is_said() -> None:
    walk = Walk()
    walk.offered = False
    with pytest.raises(Stuck, match=r"A is asked \(step\) and has no offer"):
        play(walk, random.Random(1))
    with pytest.raises(Stuck, match="not ended after 7 actions"):
        play(Walk(), random.Random(1), limit=7)


def test_a_table_without_input_is_stuck() -> None:
    class Waiting(Walk):
        def acting(self, state: int) -> tuple[Acting, ...]:
            return (Acting(TABLE, "draw"),)

    with pytest.raises(Stuck, match=r"table is asked \(draw\)"):
        play(Waiting(), random.Random(1))


def test_a_form_of_two_functions_is_a_form() -> None:
    form = Walk().offers(0, "A")[0]
    assert isinstance(form, Form)
    assert (form.kind, form.free) == ("step", False)
    assert list(expand([form])) == [Step("A", 1), Step("A", 2)]
    assert form.complete([2]) == Step("A", 2)
    for wrong in ([], [3], [1, 1]):
        with pytest.raises(ValueError, match="blank"):
            form.complete(wrong)
