"""What lamps and buzzer say."""

from itertools import pairwise

import pytest

from hardware.lamps import FASTEST_HZ, LOCKED_LEVEL, STEADY, Lamp, Sound, level, tones

STEP = 0.001
TIMES = [number * STEP for number in range(12_000)]


@pytest.mark.parametrize("lamp", Lamp)
def test_no_lamp_is_faster_than_2_hz(lamp: Lamp) -> None:
    levels = [level(lamp, at) for at in TIMES]
    assert all(0 <= value <= 1 for value in levels)
    rises = [
        at for at, before, value in zip(TIMES[1:], levels, levels[1:], strict=False) if before < 0.5 <= value
    ]
    assert all(later - at >= 1 / FASTEST_HZ for at, later in pairwise(rises))
    assert (rises == []) == (lamp in STEADY)


@pytest.mark.parametrize("lamp", [lamp for lamp in Lamp if lamp not in STEADY])
def test_lamps_that_change_do_so_as_often_as_they_should(lamp: Lamp) -> None:
    levels = [level(lamp, at) for at in TIMES]
    rises = sum(before < 0.5 <= value for before, value in pairwise(levels))
    wanted = {Lamp.QUESTION: 12, Lamp.OUT_OF_STEP: 12, Lamp.PAY: 16}[lamp]
    assert abs(rises - wanted) <= 1


def test_steady_lamps() -> None:
    assert {level(Lamp.LOCKED, at) for at in TIMES} == {LOCKED_LEVEL} == {0.15}
    assert {level(Lamp.DECIDE, at) for at in TIMES} == {1.0}
    assert {level(Lamp.HELD, at) for at in TIMES} == {1.0}
    assert {level(Lamp.OFF, at) for at in TIMES} == {0.0}


def test_every_pattern_that_means_something_else_looks_different() -> None:
    different = {lamp: tuple(level(lamp, at) for at in TIMES) for lamp in Lamp if lamp is not Lamp.HELD}
    assert len(set(different.values())) == len(different)


def test_tones() -> None:
    assert tones(Sound.RECORDED)[0][1] == pytest.approx(0.04)
    assert len(tones(Sound.RECORDED)) == 1
    assert [hz for hz, _ in tones(Sound.YOUR_TURN)] == [660, 880]
    assert [hz for hz, _ in tones(Sound.REFUSED)] == [880, 660]
    assert [hz for hz, _ in tones(Sound.OUT_OF_STEP) if hz] == [660] * 3
    assert all(sum(seconds for _, seconds in tones(sound)) < 0.6 for sound in Sound)
