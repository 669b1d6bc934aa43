"""A chart as a PNG file, for people who want to keep it."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from ui.kiosk.draw import paths
from ui.presenters.chart import Dot, Label, Line, plot
from ui.presenters.elements import Chart
from ui.presenters.theme import GROUNDS, NIGHT, SEATS, TONES
from vision.cameras.files import as_png
from vision.primitives import Drawing, Ink, Item, line, polygon, rect, text, text_width

WIDTH, HEIGHT = 160.0, 100.0
"""Of the drawing, in mm."""
EDGE = 5.0
PX_PER_MM = 8.0
UNIT, NOTE = 0.2, 3.8
"""Millimetres of a unit of the screen, and of the type."""
MIDDLE = 0.36
"""How far below the middle of a line of type its baseline is, in sizes of the type."""


def picture(chart: Chart) -> bytes:
    """The chart as PNG, 1280 x 800 pixels. ValueError when it cannot be made."""

    def width_of(words: str, bold: bool) -> float:
        return text_width(words, NOTE, bold=bold)

    items: list[Item] = [rect(0, 0, WIDTH, HEIGHT, Ink(fill=NIGHT))]
    for piece in plot(chart, WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE, UNIT, NOTE, width_of):
        if isinstance(piece, Line):
            items += _line(piece)
        elif isinstance(piece, Label):
            items.append(_label(piece))
        else:
            items.append(_dot(piece))
    moved = Drawing(WIDTH, HEIGHT, (items[0], *Drawing(WIDTH, HEIGHT, tuple(items[1:])).moved(EDGE, EDGE)))
    rgb = moved.raster(PX_PER_MM)
    return as_png(np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), np.uint8))


def _line(piece: Line) -> list[Item]:
    colour = SEATS[piece.seat].colour if piece.seat else (TONES | GROUNDS)[piece.tone]
    ink = Ink(stroke=colour, width=piece.thick * UNIT)
    dashes = paths.dashes(piece.points, tuple(part * UNIT for part in piece.dash))
    return [line(*start, *end, ink) for one in dashes for start, end in pairwise(one)]


def _label(piece: Label) -> Item:
    return text(
        piece.x,
        piece.y + MIDDLE * NOTE,
        piece.text + piece.tail,
        NOTE,
        colour=TONES[piece.tone],
        bold=piece.bold,
        align="middle" if piece.align == "centre" else piece.align,
        fit=piece.room or None,
    )


def _dot(piece: Dot) -> Item:
    look, k = SEATS[piece.seat], piece.side / 48
    (shape,) = paths.lines(paths.SHAPES[look.shape])
    points = [(piece.x + k * (x - 20), piece.y + k * (y - 20)) for x, y in shape[:-1]]
    return polygon(points, Ink(fill=look.colour, stroke=TONES["ink"], width=3 * k))
