"""What a touch means near small things: the nearest within a target's reach, and one tap for one touch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

from ui.presenters.intents import Say, Set
from ui.presenters.metrics import TARGET_MM, Metrics
from ui.presenters.metrics import metrics as usual

DOUBLE_S = 0.030
"""Two touches at one place within this time are one."""
SAME_MM = 2.0
"""Touches so near each other are at one place."""
TWICE_S = 0.5
"""A tap so soon after one that did something is the second half of a double tap."""
Key = TypeVar("Key")


def nearest(
    touch: tuple[float, float], places: Mapping[Key, tuple[float, float]], metrics: Metrics
) -> Key | None:
    """The place nearest to a touch (pixels) within 9 mm on the panel; None when there is none."""
    across, down = metrics.mm[0] / metrics.width, metrics.mm[1] / metrics.height
    best: tuple[float, Key] | None = None
    for key, (x, y) in places.items():
        away = math.hypot((x - touch[0]) * across, (y - touch[1]) * down)
        if away <= TARGET_MM and (best is None or away < best[0]):
            best = (away, key)
    return None if best is None else best[1]


def light(means: Any) -> bool:
    """Whether doing something twice in a row is what people may want: typing, turning pages, moving the
    cursor. A reason (a text) explains a grey button and does nothing."""
    if isinstance(means, Say):
        return means.command.what == "point"
    return isinstance(means, Set | str)


class Taps:
    """Sorts out touches that arrive twice: from two devices, and as the second half of a double tap."""

    def __init__(self, panel: Metrics | None = None) -> None:
        metrics = panel or usual(1024, 600)
        self._mm = (metrics.mm[0] / metrics.width, metrics.mm[1] / metrics.height)
        self._last: tuple[float, float, float, object] | None = None
        self._done: tuple[float, float, float, str] | None = None

    def again(self, x: float, y: float, at: float, device: object) -> bool:
        """Whether a touch that begins (pixels, seconds) has begun already, from another device."""
        last = self._last
        if (
            last is not None
            and 0 <= at - last[2] <= DOUBLE_S
            and device != last[3]
            and math.hypot((x - last[0]) * self._mm[0], (y - last[1]) * self._mm[1]) <= SAME_MM
        ):
            return True
        self._last = (x, y, at, device)
        return False

    def did(self, x: float, y: float, at: float, page: str) -> None:
        """A touch at a place (pixels) of a page did something, at a time (seconds)."""
        self._done = (x, y, at, page)

    def too_soon(self, x: float, y: float, at: float, page: str, means: Any) -> bool:
        """Whether a touch that begins follows one at its place so quickly that it was not meant for what is
        there now: another page, the next player's answer. On one page what is `light` may be done quickly."""
        done = self._done
        if done is None or not 0 <= at - done[2] < TWICE_S:
            return False
        away = math.hypot((x - done[0]) * self._mm[0], (y - done[1]) * self._mm[1])
        return away <= TARGET_MM and not (page == done[3] and light(means))
