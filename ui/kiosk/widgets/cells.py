"""A track of spaces side by side, with what stands on them and how far it reaches."""

from __future__ import annotations

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics
from ui.presenters.theme import ROW_TINTS

WIDE, OVER, HIGH = 49.0, 22.0, 38.0
"""Units of a space with its gap, of what is drawn over it, and of the space itself."""


def places(el: e.SpotRow, box: Box, m: Metrics) -> dict[int, tuple[float, float]]:
    """The middle of each space, in pixels."""
    wide = _wide(el, box, m)
    y = box.y + m.px(OVER + HIGH / 2)
    return {i: (box.x + wide * (i + 0.5), y) for i in range(len(el.spots))}


def _wide(el: e.SpotRow, box: Box, m: Metrics) -> float:
    return min(m.px(WIDE), box.w / max(1, el.of))


def draw(pen: Pen, el: e.SpotRow, box: Box, m: Metrics, down: bool) -> None:
    """The track in its box."""
    wide, note = _wide(el, box, m), m.type["note"]
    w, h = wide - m.px(3), m.px(HIGH)
    for i, (x, y) in places(el, box, m).items():
        spot, left, top = el.spots[i], x - w / 2, y - h / 2
        _above(pen, spot, x, box.y + m.px(OVER / 2), note)
        fill, tone = ROW_TINTS.get(
            spot.tint, ("sleeper" if spot.text and not spot.gap else "ballast", "text2")
        )
        if spot.gap:
            edge = ((left, top), (left + w, top), (left + w, top + h), (left, top + h), (left, top))
            pen.stroke(edge, "rule", 2, (m.px(4), m.px(3)))
        else:
            pen.box(left, top, w, h, fill, m.px(4))
        if spot.chosen or spot.lit:
            pen.frame(left, top, w, h, "lit", m.px(4) if spot.chosen else 2.5, m.px(4))
        elif spot.here:
            pen.frame(left, top, w, h, "rule", 2, m.px(4))
        _inside(pen, spot, x, y, tone, m)
    if el.reach is not None:
        y = box.y + m.px(OVER + HIGH + 7)
        end = box.x + wide * el.reach
        pen.box(box.x, y - 2, max(end - box.x, 2), 4, "paper", 2)
        pen.box(end - 2, y - m.px(5), 4, m.px(10), "paper", 2)


def _above(pen: Pen, spot: e.Spot, x: float, y: float, note: int) -> None:
    tone = "text" if spot.due else "rule"
    side = note * 0.9 if spot.sign else 0.0
    wide = side + lettering.width(spot.above, note, spot.due)
    if spot.sign:
        pen.icon(x - wide / 2, y - side / 2, side, spot.sign, tone)
    pen.text(x - wide / 2 + side, y, spot.above, note, tone, spot.due)


def _inside(pen: Pen, spot: e.Spot, x: float, y: float, tone: str, m: Metrics) -> None:
    note = m.type["note"]
    if spot.seats:
        step = m.px(18)
        for k, seat in enumerate(spot.seats):
            pen.seat(x + (k - (len(spot.seats) - 1) / 2) * step, y, m.px(28), seat)
    elif spot.number:
        gap = m.px(4) if spot.text else 0.0
        wide = lettering.width(spot.text, note, False) + gap + lettering.width(spot.number, note, True)
        pen.text(x - wide / 2, y, spot.text, note, tone)
        pen.text(x + wide / 2, y, spot.number, note, tone, True, "right")
    else:
        pen.text(x, y, spot.text, note, tone, False, "centre")
