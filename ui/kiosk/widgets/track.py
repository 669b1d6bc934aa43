"""The auction track."""

from __future__ import annotations

from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics


def places(el: e.BidTrack, box: Box, m: Metrics) -> tuple[float, dict[int, tuple[float, float]]]:
    """Width of a cell and the middle of each, in pixels."""
    wide = box.w / max(1, len(el.cells))
    y = box.y + m.px(24) + m.px(34)
    return wide, {i: (box.x + wide * (i + 0.5), y) for i in range(len(el.cells))}


def draw(pen: Pen, el: e.BidTrack, box: Box, m: Metrics, down: bool) -> None:
    """The track in its box."""
    wide, at = places(el, box, m)
    note = m.type["note"]
    for i, cell in enumerate(el.cells):
        x, y = at[i]
        w, h = wide - m.px(3), m.px(64)
        left, top = x - w / 2, y - h / 2
        bold = cell.legal or cell.chosen
        pen.text(x, box.y + m.px(11), str(cell.number), note, "text" if bold else "text2", bold, "centre")
        pen.box(left, top, w, h, "sleeper" if cell.white else "ballast", m.px(6))
        if cell.chosen:
            pen.frame(left, top, w, h, "lit", max(3, m.px(4)), m.px(6))
        elif cell.legal:
            edge = ((left, top), (left + w, top), (left + w, top + h), (left, top + h), (left, top))
            pen.stroke(edge, "text", 2, (m.px(4), m.px(3)))
        if cell.disc is not None:
            disc = cell.disc
            pen.seat(x, y - m.px(13), min(m.px(34), w), disc.seat, hollow=disc.locked, faint=disc.faint)
            if not disc.faint:
                pen.text(x, y + m.px(19), disc.seat, note, "text", True, "centre")
            if disc.locked:
                pen.icon(x - m.px(11), top + h + m.px(2), m.px(22), "lock", "text2")
