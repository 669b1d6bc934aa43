"""The state machine of the buttons on lists of edges: what real contacts did, and what has to follow."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.messages import Holding, Message, PanelState, PanelStatus, Press
from hardware.debounce import Button, Edge, Fault, Inputs, Timing, button

A_PLUS, A_OK, B_OK, NEXT = button("A plus"), button("A ok"), button("B ok"), button("next")
ALL = (A_PLUS, A_OK, B_OK, NEXT)
TIMING = Timing()


def play(
    edges: Iterable[tuple[Button, bool, float]],
    until: float,
    inputs: Inputs | None = None,
    step: float = 0.005,
) -> list[Message]:
    """Feed edges to a machine and let the clock tick at regular steps, up to a time."""
    inputs = inputs or Inputs(ALL)
    out: list[Message] = []
    waiting = sorted(edges, key=lambda edge: edge[2])
    for number in range(int(until / step) + 1):
        now = number * step
        while waiting and waiting[0][2] <= now:
            out += inputs.edge(*waiting.pop(0))
        out += inputs.tick(now)
    return out


def train(button: Button, *milliseconds: float) -> list[Edge]:
    """Edges of one button that go down and up in turn."""
    return [Edge(button, number % 2 == 0, ms / 1000) for number, ms in enumerate(milliseconds)]


def pressed(messages: Iterable[Message]) -> list[Press]:
    return [message for message in messages if isinstance(message, Press)]


def shown(messages: Iterable[Message]) -> list[Holding]:
    return [message for message in messages if isinstance(message, Holding)]


def told(messages: Iterable[Message]) -> list[PanelStatus]:
    return [message for message in messages if isinstance(message, PanelStatus)]


# ---- what people saw


@pytest.mark.parametrize("which", [A_PLUS, A_OK, NEXT])
def test_g01_bounce_is_one_press_and_one_release(which: Button) -> None:
    out = play(train(which, 0, 1, 2, 4, 5, 180), 1.0)
    (press,) = pressed(out)
    assert (press.button, press.seat, press.held) == (which.name, which.seat, False)
    assert press.at == pytest.approx(0.005 if which is A_PLUS else 0.180)


def test_g01_bounce_at_the_release_is_no_second_press() -> None:
    out = play(train(A_OK, 0, 300, 303, 305, 309, 312), 1.0)
    (press,) = pressed(out)
    assert press.at == pytest.approx(0.312)


@pytest.mark.parametrize("which", [A_OK, NEXT])
def test_g03_a_long_press_does_only_the_long_action_at_release(which: Button) -> None:
    inputs = Inputs(ALL)
    out = play([Edge(which, True, 0.0)], 0.99, inputs)
    assert pressed(out) == []
    inputs.edge(which, False, 1.0)
    assert pressed(inputs.tick(1.02)) == [Press(which.name, which.seat, held=True, at=1.0)]


@pytest.mark.parametrize(("milliseconds", "held"), [(100, False), (799, False), (800, True), (1500, True)])
def test_g03_short_and_long_are_told_apart_by_the_release(milliseconds: float, held: bool) -> None:
    assert [press.held for press in pressed(play(train(A_OK, 0, milliseconds), 3.0))] == [held]


def test_g03_the_progress_of_a_press_is_shown_and_ends() -> None:
    out = play(train(A_OK, 100, 1100), 2.0)
    first, last = shown(out)
    assert first.down
    assert [first.since, first.until] == pytest.approx([0.1, 0.9])
    assert first.at == pytest.approx(0.25, abs=0.006)
    assert not last.down
    assert last.at == pytest.approx(1.1)
    assert out.index(last) < out.index(pressed(out)[0])
    assert shown(play(train(A_OK, 0, 140), 1.0)) == []


class Wire:
    """A level that can be read, whatever edges arrive."""

    def __init__(self, up_at: float) -> None:
        self.up_at = up_at
        self.now = 0.0
        self.reads: list[float] = []

    def __call__(self, button: Button) -> bool:
        self.reads.append(self.now)
        return self.now < self.up_at


def lost_release(which: Button, up_at: float, until: float) -> tuple[list[Message], Wire]:
    wire = Wire(up_at)
    inputs = Inputs(ALL, level=wire)
    out = inputs.edge(which, True, 0.0)
    for number in range(int(until * 200)):
        wire.now = number / 200
        out += inputs.tick(wire.now)
    return out, wire


def test_g04_a_lost_release_ends_the_repeats_within_a_period() -> None:
    out, wire = lost_release(A_PLUS, up_at=1.2, until=5.0)
    times = [press.at for press in pressed(out)]
    assert times == pytest.approx([0.0, 0.6, 0.85, 1.1], abs=0.006)
    # Each repeat was preceded by a look at the pin.
    assert all(any(abs(read - at) < 1e-9 for read in wire.reads) for at in times[1:])


def test_g04_the_level_is_read_before_each_repeat_whatever_else_is_read() -> None:
    wire = Wire(up_at=0.84)
    inputs = Inputs(ALL, Timing(reread=3600), level=wire)
    out = inputs.edge(A_PLUS, True, 0.0)
    for number in range(1000):
        wire.now = number / 200
        out += inputs.tick(wire.now)
    assert [press.at for press in pressed(out)] == pytest.approx([0.0, 0.6], abs=0.006)


def test_g04_a_lost_release_of_a_short_press_stays_short_and_comes_once() -> None:
    out, _ = lost_release(NEXT, up_at=0.2, until=5.0)
    (press,) = pressed(out)
    assert not press.held
    assert press.at == pytest.approx(0.2, abs=TIMING.reread + 0.006)


def test_g04_a_lost_release_of_a_long_press_comes_once() -> None:
    out, _ = lost_release(NEXT, up_at=1.0, until=5.0)
    assert [press.held for press in pressed(out)] == [True]


def test_plus_is_felt_at_once_and_repeats_while_held() -> None:
    out = play(train(A_PLUS, 0, 1200), 3.0)
    assert [press.at for press in pressed(out)] == pytest.approx([0.0, 0.6, 0.85, 1.1], abs=0.006)
    assert [press.repeat for press in pressed(out)] == [False, True, True, True]
    assert shown(out) == []
    assert not any(press.held for press in pressed(out))


def test_a_hiccup_brings_one_repeat_and_not_all_at_once() -> None:
    inputs = Inputs(ALL)
    inputs.edge(A_PLUS, True, 0.0)
    inputs.tick(0.03)
    assert len(pressed(inputs.tick(3.0))) == 1
    assert pressed(inputs.tick(3.2)) == []
    assert len(pressed(inputs.tick(3.25))) == 1


def test_edges_that_come_late_count_by_their_own_time() -> None:
    inputs = Inputs(ALL, level=lambda button: False)
    out = inputs.edge(A_OK, True, 0.0) + inputs.edge(B_OK, True, 0.3) + inputs.edge(A_OK, False, 0.9)
    out += inputs.edge(B_OK, False, 0.95) + inputs.tick(4.0)
    assert [(press.seat, press.held) for press in pressed(out)] == [("A", True), ("B", False)]


def test_g08_pulses_with_nobody_there_are_nothing() -> None:
    rng = random.Random(8)
    edges, at = [], 0.0
    while at < 60.0:
        at += rng.uniform(0.2, 3.0)
        which = rng.choice(ALL)
        edges += [Edge(which, True, at), Edge(which, False, at + rng.uniform(0.001, 0.005))]
    assert play(edges, 65.0) == []


def test_g08_down_at_boot_is_ignored_until_it_was_seen_up() -> None:
    inputs = Inputs(ALL, down=[A_OK])
    assert inputs.status(0.0).left_out == ("A ok",)
    assert inputs.status(0.0).state is PanelState.FAULTY
    out = play([Edge(A_OK, False, 3.0), Edge(A_OK, True, 4.0), Edge(A_OK, False, 4.2)], 5.0, inputs)
    assert [press.at for press in pressed(out)] == [4.2]
    (status,) = told(out)
    assert status.state is PanelState.RUNNING
    assert status.at == pytest.approx(3.02, abs=0.006)


def test_g08_down_for_ten_minutes_is_left_out_with_a_notice() -> None:
    inputs = Inputs(ALL)
    out = play([Edge(A_OK, True, 1.0), *train(B_OK, 300_000, 300_200)], 600.0, inputs, step=0.05)
    (status,) = told(out)
    assert (status.state, status.left_out) == (PanelState.FAULTY, ("A ok",))
    assert status.text == "left out, use the screen: A ok (stuck)"
    assert status.at == pytest.approx(1.0 + TIMING.stuck_after, abs=0.06)
    # The others go on, the progress is taken away, and letting go at last does nothing.
    assert [press.seat for press in pressed(out)] == ["B"]
    assert [holding.down for holding in shown(out) if holding.seat == "A"] == [True, False]
    out = inputs.edge(A_OK, False, 600.0) + inputs.tick(600.1)
    assert pressed(out) == []
    assert [status.state for status in told(out)] == [PanelState.RUNNING]
    assert [press.at for press in pressed(play([], 0.0, inputs))] == []
    inputs.edge(A_OK, True, 601.0)
    inputs.edge(A_OK, False, 601.1)
    assert [press.at for press in pressed(inputs.tick(601.2))] == [601.1]


def test_a_plus_that_sticks_ends_its_repeats() -> None:
    out = play([Edge(A_PLUS, True, 0.0)], 60.0, step=0.02)
    assert max(press.at for press in pressed(out)) < TIMING.stuck_after
    assert [status.left_out for status in told(out)] == [("A plus",)]


@pytest.mark.parametrize("pulse", [0.003, 0.03])
@pytest.mark.parametrize("which", [A_OK, A_PLUS])
def test_a_button_that_chatters_is_left_out_until_it_is_quiet(which: Button, pulse: float) -> None:
    inputs = Inputs(ALL)
    edges = [
        Edge(which, down, at)
        for number in range(100)
        for down, at in ((True, number * 0.065), (False, number * 0.065 + pulse))
    ]
    out = play(edges, 20.0, inputs)
    assert len(pressed(out)) <= TIMING.chatter_count + 1
    left_out, back = told(out)
    assert left_out.text == f"left out, use the screen: {which} (chatters)"
    assert all(press.at <= left_out.at for press in pressed(out))
    assert left_out.at < 2.0
    assert back.state is PanelState.RUNNING
    assert back.at == pytest.approx(edges[-1].at + TIMING.chatter_quiet, abs=0.006)


def test_a_button_that_chatters_and_stays_down_is_left_out_until_it_is_let_go() -> None:
    inputs = Inputs(ALL)
    play([*train(A_OK, *range(0, 1001, 7)), Edge(A_OK, True, 2.0)], 9.0, inputs)
    assert inputs.left_out == {A_OK: Fault.CHATTER}
    inputs.edge(A_OK, False, 10.0)
    inputs.tick(10.0 + TIMING.chatter_quiet)
    assert inputs.left_out == {}


def test_a_level_that_never_stands_still_chatters() -> None:
    inputs = Inputs(ALL)
    play(train(A_OK, *range(0, 1001, 7)), 1.0, inputs)
    assert inputs.left_out == {A_OK: Fault.CHATTER}


def test_nobody_presses_fast_enough_to_chatter() -> None:
    edges = [edge for at in range(0, 4400, 110) for edge in train(A_PLUS, at, at + 3, at + 6, at + 60)]
    out = play(edges, 6.0)
    assert len(pressed(out)) == 40
    assert told(out) == []


def test_an_unknown_button_is_nothing() -> None:
    assert play(train(Button("ok", "D"), 0, 200), 1.0) == []


@pytest.mark.parametrize("text", ["A", "ok", "A next", "", "plus", "A up"])
def test_a_button_is_written_with_its_seat(text: str) -> None:
    with pytest.raises(ValueError, match="is no button"):
        button(text)
    assert str(button("A plus")) == "A plus"


# ---- what always holds


def spans(least: float, most: float) -> st.SearchStrategy[float]:
    """Lengths of time in whole milliseconds, in seconds."""
    return st.integers(round(least * 1000), round(most * 1000)).map(lambda ms: ms / 1000)


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[Edge], list[tuple[Button, float, float]]]:
    """Presses of one button after the other, each with bounces, and what they are."""
    edges: list[Edge] = []
    meant = []
    at = 0.5
    for _ in range(draw(st.integers(1, 6))):
        which = draw(st.sampled_from(ALL))
        long = draw(spans(0.06, 2.5))
        begin = end = 0.0
        for down in (True, False):
            edges.append(Edge(which, down, at))
            for pause in draw(st.lists(spans(0.001, 0.015), max_size=3)):
                edges += [Edge(which, not down, at + pause / 2), Edge(which, down, at + pause)]
                at += pause
            begin, end = (at, end) if down else (begin, at)
            at += long if down else draw(spans(0.2, 1.0))
        meant.append((which, begin, end))
    return edges, meant


def outcomes(messages: Iterable[Message]) -> list[tuple[Button, bool]]:
    return [(Button(press.button, press.seat), press.held) for press in pressed(messages) if not press.repeat]


@given(hands(), st.sampled_from([0.001, 0.005, 0.013]))
def test_every_press_has_exactly_one_outcome(
    case: tuple[list[Edge], list[tuple[Button, float, float]]], step: float
) -> None:
    edges, meant = case
    out = play(edges, edges[-1].at + 1.0, step=step)
    wanted = [
        (which, which.name != "plus" and end - begin >= TIMING.long - 1e-6) for which, begin, end in meant
    ]
    assert outcomes(out) == wanted
    assert told(out) == []
    # What is shown is taken away again.
    assert [holding.down for holding in shown(out)] == [True, False] * (len(shown(out)) // 2)


@given(hands())
def test_what_comes_out_does_not_depend_on_when_the_clock_ticks(
    case: tuple[list[Edge], list[tuple[Button, float, float]]],
) -> None:
    edges, _ = case
    until = edges[-1].at + 1.0
    assert outcomes(play(edges, until, step=0.001)) == outcomes(play(edges, until, step=0.4))


@given(
    st.lists(st.tuples(st.sampled_from(ALL), spans(0.021, 0.4), spans(0.001, 0.019)), max_size=30),
    st.booleans(),
)
def test_nothing_comes_of_pulses_shorter_than_settle(
    pulses: list[tuple[Button, float, float]], down: bool
) -> None:
    edges, at = [], 0.1
    for which, pause, long in pulses:
        at += pause
        edges += [Edge(which, True, at), Edge(which, False, at + long)]
        at += long
    out = play(edges, at + 0.2)
    assert pressed(out) == []
    assert shown(out) == []


@given(st.lists(st.tuples(st.sampled_from(ALL), st.booleans(), spans(0.0, 6.0)), max_size=60))
def test_any_edges_at_all_give_sound_messages(edges: list[tuple[Button, bool, float]]) -> None:
    inputs = Inputs(ALL)
    out = play(edges, 40.0, inputs, step=0.02)
    for which in ALL:
        downs = [holding.down for holding in shown(out) if (holding.button, holding.seat) == which]
        assert downs == [number % 2 == 0 for number in range(len(downs))]
        plain = [p for p in pressed(out) if (p.button, p.seat) == which and not p.repeat]
        assert len(plain) <= sum(1 for edge in edges if edge[0] == which and edge[1])
        # A press of ok is short or long and never both: no two at one time.
        assert len({press.at for press in plain}) == len(plain)
    assert [status.state for status in told(out)][-1:] in ([], [inputs.status(40.0).state])


@given(hands())
def test_next_at_is_when_something_happens(
    case: tuple[list[Edge], list[tuple[Button, float, float]]],
) -> None:
    """A machine that is only woken when it asks to be says the same as one that is woken all the time."""
    edges, _ = case
    until = edges[-1].at + 1.0
    inputs = Inputs(ALL)
    out: list[Message] = []
    for edge in [*edges, None]:
        limit = edge.at if edge is not None else until
        while (due := inputs.next_at) is not None and due < limit:
            out += inputs.tick(due)
        if edge is not None:
            out += inputs.edge(*edge)
    assert outcomes(out) == outcomes(play(edges, until))
    assert len(pressed(out)) == len(pressed(play(edges, until)))
