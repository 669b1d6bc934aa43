"""The faces of the pieces at true size: token stickers, round discs, cards.

Each function gives an own small drawing, upright, without cut marks. Nothing dark comes nearer to a
code than the white edge that it needs.
"""

from __future__ import annotations

from assistant.layout import Box, CardFace, CardValue, Mat, Piece
from vision import symbols
from vision.primitives import (
    CAPITAL_EM,
    Drawing,
    Ink,
    Item,
    circle,
    line,
    modules,
    rect,
    text,
    text_width,
    wrap,
)
from vision.symbols import INK, SMALL_TEXT, WHITE
from vision.tags import qr_matrix

STRIP_MM = 3.0
"""The coloured strip of a sticker."""
STRIP_LINE_MM = 0.15
LEFT_STRIP_SEATS = "AC"
"""Seats whose slots are the left ones: their strip points outwards, the codes lie towards the middle."""

CARD_EDGE_MM = 1.8
"""From the card's edge to its code and its texts: at least two modules."""
CARD_LINE_MM = 2.9
"""Size of a card's lines, made smaller when they do not fit."""
SUBTITLE_MM = 2.1
CARD_LEADING = 1.22
"""Distance of lines in ems."""
TITLE_MM = 3.1
TITLE_LINES = 2
SMALLEST_TEXT_MM = 1.9
CORNER_MM = 4.6
BAND_MM = 1.2
"""The card's tinted band at the left edge, and its gap to what follows."""
VALUE_MM = 3.6
LABEL_MM = 2.0
ICON_MM = 3.6

DISC_RING_MM = 1.3
"""Width of the coloured ring of a disc."""


def piece_face(mat: Mat, payload: str) -> Drawing:
    """The printed face of one piece. KeyError when the mat has no piece of that payload."""
    piece = mat.piece_named(payload)
    if piece.form == "card":
        return card_drawing(mat, piece, mat.card_named(payload))
    if piece.form == "disc":
        return disc_drawing(mat, piece)
    return sticker_drawing(mat, piece)


def piece_size(mat: Mat, piece: Piece) -> tuple[float, float]:
    """Width and height in mm of a piece's face."""
    return {"sticker": mat.sticker_mm, "card": mat.card_mm, "disc": (mat.disc_mm, mat.disc_mm)}[piece.form]


def code_box(mat: Mat, piece: Piece) -> Box:
    """Where the code lies on the piece's face, in mm from the face's top-left corner."""
    w, h = piece_size(mat, piece)
    side = piece.code_mm
    if piece.form == "disc":
        return Box((w - side) / 2, (h - side) / 2, side, side)
    if piece.form == "card":
        return Box(w - CARD_EDGE_MM - side, CARD_EDGE_MM, side, side)
    white = (h - side) / 2
    left = STRIP_MM + white if _strip_left(piece) else white
    return Box(left, white, side, side)


def _strip_left(piece: Piece) -> bool:
    return piece.seat is not None and piece.seat in LEFT_STRIP_SEATS


def _code(mat: Mat, piece: Piece) -> Item:
    box = code_box(mat, piece)
    return modules(qr_matrix(piece.payload), box.x, box.y, box.w)


# ---- tokens


def sticker_drawing(mat: Mat, piece: Piece) -> Drawing:
    """A token's sticker: the code, and a strip in the seat's colour with shape, letter and number."""
    w, h = mat.sticker_mm
    x = 0.0 if _strip_left(piece) else w - STRIP_MM
    # The line lies inside the strip: the white edge of the code begins where the strip ends.
    seam = STRIP_MM - STRIP_LINE_MM / 2 if _strip_left(piece) else x + STRIP_LINE_MM / 2
    middle = x + STRIP_MM / 2
    seat = piece.seat or ""
    colour = symbols.SEAT_COLOURS.get(seat, symbols.FAINT)
    items: list[Item] = [
        rect(0, 0, w, h, Ink(fill=WHITE)),
        rect(x, 0, STRIP_MM, h, Ink(fill=colour)),
        line(seam, 0, seam, h, Ink(stroke=INK, width=STRIP_LINE_MM)),
    ]
    if seat in symbols.SEAT_SHAPES:
        items.append(symbols.seat_shape(seat, middle, 2.0, 2.2, WHITE, INK, 0.17))
    items.append(text(middle, 6.4, seat, 2.8, bold=True, align="middle"))
    if piece.sign == "double":
        items.append(rect(middle - 1, 7.5, 2, 2, Ink(stroke=INK, width=0.35)))
        items.append(rect(middle - 0.45, 8.05, 0.9, 0.9, Ink(fill=INK)))
    items.append(text(middle, h - 1.1, piece.label, 2.2, align="middle", fit=STRIP_MM - 0.3))
    items.append(_code(mat, piece))
    return Drawing(w, h, tuple(items))


def disc_drawing(mat: Mat, piece: Piece) -> Drawing:
    """One face of a round disc: the code in the middle, a ring in the seat's colour, shape, letter, face.

    The face that lies down when a bid is locked says so: its ring is broken into dashes.
    """
    d = mat.disc_mm
    centre, radius = d / 2, d / 2
    seat = piece.seat or ""
    colour = symbols.SEAT_COLOURS.get(seat, symbols.FAINT)
    down = piece.label == "down"
    ring = radius - DISC_RING_MM / 2
    dashes = (2.4, 1.2) if down else ()
    items: list[Item] = [
        circle(centre, centre, radius, Ink(fill=WHITE)),
        circle(centre, centre, ring, Ink(stroke=colour, width=DISC_RING_MM, dash=dashes)),
        circle(centre, centre, radius - 0.08, Ink(stroke=INK, width=STRIP_LINE_MM)),
    ]
    side = piece.code_mm
    above = centre - side / 2
    if seat in symbols.SEAT_SHAPES:
        items.append(symbols.seat_shape(seat, centre - 1.6, above / 2 + 0.4, 2.6, colour, INK, 0.2))
    items.append(text(centre + 0.4, above / 2 + 1.45, seat, 3.0, bold=True))
    below = d - above / 2 + 0.2
    items.append(text(centre, below, piece.label, 2.4, align="middle"))
    items.append(_code(mat, piece))
    return Drawing(d, d, tuple(items))


# ---- cards


def card_drawing(mat: Mat, piece: Piece, face: CardFace) -> Drawing:
    """A card: code at the top right, name beside it, below them the values and up to three lines."""
    w, h = mat.card_mm
    code = code_box(mat, piece)
    left = BAND_MM + CARD_EDGE_MM - 0.6
    tint = symbols.TINTS.get(face.tint, WHITE)
    items: list[Item] = [
        rect(0, 0, w, h, Ink(fill=WHITE)),
        rect(0, 0, BAND_MM, h, Ink(fill=_deeper(tint))),
    ]
    right = code.x - CARD_EDGE_MM
    items += _heading(face, left, right, code.y)
    low = code.y + code.h + CARD_EDGE_MM
    items.append(rect(BAND_MM, low, w - BAND_MM, h - low, Ink(fill=tint)))
    items += _body(face, left, w - 1.2, low, h)
    items.append(_code(mat, piece))
    return Drawing(w, h, tuple(items))


def _deeper(tint: str) -> str:
    """A light tint made half as light again, for the band at the edge."""
    return "#" + "".join(f"{max(0, int(tint[i : i + 2], 16) * 3 // 4):02X}" for i in (1, 3, 5))


def _heading(face: CardFace, left: float, right: float, top: float) -> list[Item]:
    """Corner number, title and subtitle in the space left of the code."""
    items: list[Item] = []
    y = top
    if face.corner:
        base = y + CORNER_MM * CAPITAL_EM
        items.append(text(left, base, face.corner, CORNER_MM, bold=True))
        if face.corner_icon:
            x = left + text_width(face.corner, CORNER_MM, bold=True) + 0.8 + ICON_MM / 2
            items.append(symbols.icon(face.corner_icon, x, base - CORNER_MM * CAPITAL_EM / 2, ICON_MM))
        y = base + 1.0
    width = right - left
    lines = wrap(face.title, TITLE_MM, width, bold=True)
    size = TITLE_MM if len(lines) <= TITLE_LINES else TITLE_MM * TITLE_LINES / len(lines)
    y += size * CAPITAL_EM
    for words in lines:
        items.append(text(left, y, words, size, bold=True, fit=width))
        y += size * 1.12
    y += SUBTITLE_MM * CAPITAL_EM - size * 1.12 + 1.2
    items.append(text(left, y, face.subtitle, SUBTITLE_MM, colour=SMALL_TEXT, fit=width))
    return items


def _body(face: CardFace, left: float, right: float, top: float, bottom: float) -> list[Item]:
    """Values in a row, each over its name, then the lines, made smaller until all fit."""
    items: list[Item] = []
    y = top + 0.9
    if face.values:
        step = (right - left) / max(len(face.values), 2)
        for k, value in enumerate(face.values):
            items += _value(value, left + k * step, y, step - 0.8)
        y += VALUE_MM * CAPITAL_EM + LABEL_MM * CAPITAL_EM + 2.0
    size = CARD_LINE_MM
    while True:
        lines = [part for words in face.lines for part in wrap(words, size, right - left)]
        if y + len(lines) * size * CARD_LEADING <= bottom - 0.5 or size <= SMALLEST_TEXT_MM:
            break
        size -= 0.1
    y += size * 0.9
    for words in lines:
        items.append(text(left, y, words, size, fit=right - left))
        y += size * CARD_LEADING
    return items


def _value(value: CardValue, x: float, y: float, width: float) -> list[Item]:
    base = y + VALUE_MM * CAPITAL_EM
    items: list[Item] = []
    at = x
    if value.icon:
        items.append(symbols.icon(value.icon, x + ICON_MM / 2, base - VALUE_MM * CAPITAL_EM / 2, ICON_MM))
        at += ICON_MM + 0.6
    items.append(text(at, base, value.value, VALUE_MM, bold=True))
    label = base + LABEL_MM * CAPITAL_EM + 0.7
    items.append(text(x, label, value.label, LABEL_MM, colour=SMALL_TEXT, fit=width))
    return items
