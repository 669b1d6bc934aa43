"""Marker cards for people who play on their own board: eight squares to lay round it, and how to.

The numbers are none of those on printed mats, so that a mat and a framed board may lie on one table.
"""

from __future__ import annotations

import math
from pathlib import Path

from assistant.layout import Box
from vision import symbols
from vision.drawing import RULER_MM, ruler_items
from vision.primitives import (
    CAPITAL_EM,
    Drawing,
    Ink,
    Item,
    Page,
    line,
    modules,
    pdf,
    polygon,
    rect,
    text,
    wrap,
)
from vision.symbols import INK, SMALL_TEXT
from vision.tags import marker_matrix

FILE = "marker-cards.pdf"
CARD_IDS = (40, 41, 42, 43, 44, 45, 46, 47)
"""Numbers of the cards of one set, in the order of the places on the sheet's little plan."""
MARKER_MM = 40.0
"""Side of the black square: at 900 mm it is 158 px wide, enough to tell the table's slant."""
EDGE_MM = 7.0
"""White round the square: one of its six modules, and a little."""
CARD_MM = (MARKER_MM + 2 * EDGE_MM, MARKER_MM + 2 * EDGE_MM + 6.0)
"""Width and height of a card; the words stand below the white edge."""
PAGE_MM = (210.0, 297.0)
COLUMNS = 3
GAP_MM = 5.0
TOP_MM = 62.0
MARGIN_MM = 12.0
CUT_MARK = Ink(stroke=SMALL_TEXT, width=0.15)
CUT_GAP_MM, CUT_MM = 0.5, 1.6
WORDS_MM = 3.0
LEADING = 1.35

ADVICE = (
    "1.  Print at 100 % on matt card, or on paper glued to card. Measure the ruler below: it must be 100 mm "
    "long. If it is not, measure the side of a black square and give it to the command below as --marker-mm.",
    "2.  Cut along the marks. Keep the white edge round each square.",
    "3.  Lay the cards round the board as in the plan, any way round, in any order: near the four corners "
    "and near the middle of the sides, flat, as high as the board (on its rim, or on a piece of card of its "
    "thickness), all within the camera's view. Six are enough, eight are better, never all along one side. "
    "Stick them down: when one is moved, the board has to be taught again.",
    "4.  Take a picture with nothing on the board. On a map of hexes name three or more far apart, better "
    "six, and the pixel of the middle of each: stationmaster teach PICTURE --game {game} --point NAME=X,Y "
    "... On any other board point at every space: stationmaster teach --game {game} --skeleton prints a file "
    "to fill in.",
)


def write_marker_cards(out: Path, *, game: str) -> Path:
    """Write `marker-cards.pdf` into the folder `out` (made when missing); gives its path.

    `game` is the title's id, for the call that the sheet tells. Raises OSError when it cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    file = out / FILE
    file.write_bytes(pdf([Page(cards_drawing(game))], "Marker cards"))
    return file


def card_places() -> list[Box]:
    """Where on the page the cards lie (mm), in the order of `CARD_IDS`; the last place has the plan."""
    w, h = CARD_MM
    left = (PAGE_MM[0] - COLUMNS * w - (COLUMNS - 1) * GAP_MM) / 2
    return [
        Box(left + k % COLUMNS * (w + GAP_MM), TOP_MM + k // COLUMNS * (h + GAP_MM), w, h) for k in range(9)
    ]


def marker_box(card: Box) -> Box:
    """The black square of a card that lies at that place (mm)."""
    return Box(card.x + EDGE_MM, card.y + EDGE_MM, MARKER_MM, MARKER_MM)


def cards_drawing(game: str) -> Drawing:
    """The sheet of marker cards at true size."""
    w, h = PAGE_MM
    items: list[Item] = [text(MARGIN_MM, MARGIN_MM + 4, "Marker cards for your own board", 5, bold=True)]
    y = MARGIN_MM + 11.0
    for advice in ADVICE:
        for row, words in enumerate(wrap(advice.format(game=game), WORDS_MM, w - 2 * MARGIN_MM - 4)):
            items.append(text(MARGIN_MM + (4 if row else 0), y, words, WORDS_MM))
            y += WORDS_MM * LEADING
        y += 0.6
    places = card_places()
    for number, place in zip(CARD_IDS, places, strict=False):
        square = marker_box(place)
        items.append(modules(marker_matrix(number), square.x, square.y, square.w))
        base = place.y + place.h - 3.0
        words = f"card {number}  ·  {MARKER_MM:g} mm  ·  do not move"
        items.append(text(place.x + place.w / 2, base, words, 2.6, colour=SMALL_TEXT, align="middle"))
        items += _cut_marks(place)
    items += _plan(places[-1])
    words = "100 mm. Print at 100 %. If this line is not 100 mm long, measure a black square."
    items += ruler_items(MARGIN_MM, h - 9.0, words, width=w - 2 * MARGIN_MM - RULER_MM - 2.5)
    return Drawing(w, h, tuple(items))


def _cut_marks(place: Box) -> list[Item]:
    """Two short lines outside each corner."""
    items: list[Item] = []
    near, far = CUT_GAP_MM, CUT_GAP_MM + CUT_MM
    for x, dx in ((place.x, -1), (place.x + place.w, 1)):
        for y, dy in ((place.y, -1), (place.y + place.h, 1)):
            items.append(line(x + dx * near, y, x + dx * far, y, CUT_MARK))
            items.append(line(x, y + dy * near, x, y + dy * far, CUT_MARK))
    return items


def _plan(place: Box) -> list[Item]:
    """A little plan: the board, eight cards round it, the edge of the camera's view."""
    view = Ink(stroke=SMALL_TEXT, width=0.2, dash=(1.0, 0.8))
    board = Ink(fill=symbols.TINTS["plains"], stroke=INK, width=0.3)
    x, y, w, h = place.x, place.y + 6, place.w, 40.0
    items: list[Item] = [rect(x, y, w, h, view), rect(x + 10, y + 9, w - 20, h - 18, board)]
    xs, ys = (x + 5, x + w / 2, x + w - 5), (y + 4.5, y + h / 2, y + h - 4.5)
    spots = [(a, b) for b in ys for a in xs if (a, b) != (xs[1], ys[1])]
    for k, (a, b) in enumerate(spots):
        # Turned a little, as cards lie.
        turns = [math.radians((-12, 7, 20)[k % 3] + 45 + 90 * corner) for corner in range(4)]
        corners = ((a + 3.6 * math.cos(turn), b + 3.6 * math.sin(turn)) for turn in turns)
        items.append(polygon(corners, Ink(fill=INK)))
    middle = y + h / 2 + 3.2 * CAPITAL_EM / 2
    items.append(text(x + w / 2, middle, "your board", 3.2, align="middle"))
    items.append(text(x + w / 2, y + h + 4, "dashed: what the camera sees", 2.6, align="middle"))
    return items
