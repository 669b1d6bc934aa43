"""Which place a touch takes, and which touches are one."""

from __future__ import annotations

from ui.presenters.aim import Taps, nearest
from ui.presenters.metrics import metrics

M = metrics(1024, 600)


def test_the_nearest_place_within_nine_millimetres_is_taken() -> None:
    places = {"a": (100.0, 100.0), "b": (150.0, 100.0)}
    assert nearest((130, 100), places, M) == "b"
    assert nearest((100 - 59, 100), places, M) == "a"  # 8.9 mm across
    assert nearest((100 - 61, 100), places, M) is None  # 9.2 mm
    assert nearest((100, 100 + 62), {"a": (100.0, 100.0)}, M) == "a"  # 8.9 mm down


def test_a_touch_from_another_device_at_once_is_the_same() -> None:
    taps = Taps()
    assert not taps.again(10, 10, 1.0, "one")
    assert taps.again(12, 10, 1.02, "two")
    assert not taps.again(12, 10, 1.2, "two")
    assert not taps.again(200, 10, 1.21, "one")
