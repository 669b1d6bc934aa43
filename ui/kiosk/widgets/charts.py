"""Lines over labels."""

from __future__ import annotations

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box
from ui.presenters import elements as e
from ui.presenters.chart import Label, Line, plot
from ui.presenters.metrics import Metrics
from ui.presenters.theme import SEATS


def draw(pen: Pen, el: e.Chart, box: Box, m: Metrics, down: bool) -> None:
    """The chart in its box."""
    note = m.type["note"]

    def width_of(words: str, bold: bool) -> float:
        return lettering.width(words, note, bold)

    for piece in plot(el, box.w, box.h, m.px(1), note, width_of):
        if isinstance(piece, Line):
            points = tuple((box.x + x, box.y + y) for x, y in piece.points)
            tone = SEATS[piece.seat].colour if piece.seat else piece.tone
            pen.stroke(points, tone, piece.thick, piece.dash)
        elif isinstance(piece, Label):
            words = piece.text
            if piece.room:
                room = piece.room - width_of(piece.tail, piece.bold)
                (words,), _ = lettering.wrap(words, note, piece.bold, room, 1)
            words += piece.tail
            pen.text(box.x + piece.x, box.y + piece.y, words, note, piece.tone, piece.bold, piece.align)
        else:
            pen.seat(box.x + piece.x, box.y + piece.y, piece.side, piece.seat)
