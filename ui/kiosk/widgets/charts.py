"""Lines over labels."""

from __future__ import annotations

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics
from ui.presenters.theme import SEATS


def apart(wanted: list[float], step: float, low: float, high: float) -> list[float]:
    """Heights near the wanted ones, at least `step` apart, between `low` and `high` where possible."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    out = list(wanted)
    floor = low
    for i in order:
        out[i] = max(wanted[i], floor)
        floor = out[i] + step
    ceiling = high
    for i in reversed(order):
        out[i] = min(out[i], ceiling)
        ceiling = out[i] - step
    return out


def draw(pen: Pen, el: e.Chart, box: Box, m: Metrics, down: bool) -> None:
    """The chart in its box."""
    note = m.type["note"]
    values = [v for c in el.curves for v in c.values] or [0.0]
    low, high = min(0.0, *values), max(1.0, *values)
    names = max(
        (lettering.width(f"{c.name} {c.values[-1]:g}", note, True) for c in el.curves if c.values), default=0
    )
    left, right = box.x + m.px(36), box.x + box.w - min(names + m.px(40), box.w / 2)
    top, foot = box.y + m.px(14), box.y + box.h - m.px(32)
    n = max(1, len(el.labels) - 1)

    def x_of(i: int) -> float:
        return left + (right - left) * i / n

    def y_of(value: float) -> float:
        share = (value - low) / ((high - low) or 1)
        return top + share * (foot - top) if el.down else foot - share * (foot - top)

    for value in (low, (low + high) / 2, high):
        pen.stroke(((left, y_of(value)), (right, y_of(value))), "sleeper", 2)
        pen.text(left - m.px(8), y_of(value), f"{value:.0f}", note, "text2", False, "right")
    every = 1
    while (
        every < len(el.labels)
        and (right - left) / n * every
        < max((lettering.width(t, note, False) for t in el.labels), default=0) + 8
    ):
        every += 1
    for i in range(0, len(el.labels), every):
        pen.text(x_of(i), box.y + box.h - m.px(14), el.labels[i], note, "text2", False, "centre")
    ends = apart([y_of(c.values[-1]) if c.values else foot for c in el.curves], note * 1.2, top, foot)
    for curve, y in zip(el.curves, ends, strict=True):
        look = SEATS[curve.seat]
        points = tuple((x_of(i), y_of(v)) for i, v in enumerate(curve.values))
        if len(points) > 1:
            pen.stroke(points, look.colour, 3, tuple(float(d) for d in look.dash))
        for point in points:
            pen.seat(*point, m.px(16), curve.seat)
        if points:
            pen.stroke((points[-1], (right + m.px(14), y)), look.colour, 1)
            pen.seat(right + m.px(24), y, m.px(20), curve.seat)
            pen.text(right + m.px(38), y, f"{curve.name} {curve.values[-1]:g}", note, "text", True)
