"""Sizes of the panels: type, bars, targets, by the table of the look's guide.

Reference is the 7-inch panel of 1024x600 (154 x 86 mm). Every panel has the type table of its class; lengths
scale with the height.
"""

from __future__ import annotations

import math

import msgspec

from ui.presenters.elements import Size

TARGET_MM = 9.0
"""Least edge of anything to touch."""


class Metrics(msgspec.Struct, frozen=True):
    """Sizes for one panel: pixels, `mm` the panel's size, `type` the font pixels by size name."""

    width: int
    height: int
    mm: tuple[float, float]
    scale: float
    type: dict[Size, int]
    small: bool = False
    """800x480: strips lose the status word, the legend folds."""

    @property
    def target(self) -> int:
        """Least edge of a touch target, in pixels."""
        across, down = self.mm
        return max(math.ceil(TARGET_MM * self.width / across), math.ceil(TARGET_MM * self.height / down))

    def px(self, units: float) -> float:
        """Pixels of a length in units of the 1024x600 panel."""
        return units * self.scale


_TYPE: dict[str, dict[Size, int]] = {
    "small": {"note": 18, "text": 18, "button": 20, "prompt": 24, "title": 32},
    "middle": {"note": 18, "text": 20, "button": 22, "prompt": 28, "title": 40},
    "large": {"note": 22, "text": 24, "button": 28, "prompt": 36, "title": 52},
}

SEVEN_INCH = (154.0, 86.0)
TEN_INCH = (217.0, 136.0)


class Unsuitable(ValueError):
    """A panel that the kiosk cannot be shown on: upright, or too small."""


def metrics(width: int, height: int, mm: tuple[float, float] | None = None) -> Metrics:
    """Sizes for a panel of so many pixels. `Unsuitable` for an upright or too small one."""
    if height > width:
        raise Unsuitable(
            f"the screen stands upright ({width}x{height}): turn it, or its picture, by 90 degrees"
        )
    if width < 800 or height < 480:
        raise Unsuitable(f"the screen has {width}x{height} points; at least 800x480 are needed")
    name = (
        "small" if width < 1024 or height < 600 else "large" if width >= 1280 and height >= 720 else "middle"
    )
    panel = mm or (TEN_INCH if name == "large" else SEVEN_INCH)
    scale = min(width / 1024, height / 600)
    return Metrics(width, height, panel, scale, _TYPE[name], name == "small")
