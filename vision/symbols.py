"""Colours, seat shapes, icons and terrain symbols as printed: the words of the look, as path data.

Paths are SVG data in the box that each table names. Print uses light tints and one dark ink; the seat
colours are those of the screen.
"""

from __future__ import annotations

from vision.primitives import Ink, Item, path

INK = "#111111"
WHITE = "#FFFFFF"
GREY = "#8A8F94"
"""Edges of slots and frames."""
FAINT = "#C9CDD1"
"""Outlines within a slot: light enough to be nothing to the camera."""
FAINT_TEXT = "#A9AFB5"
SMALL_TEXT = "#555555"

SEAT_COLOURS = {"A": "#EE6E66", "B": "#FFD326", "C": "#6E97FF", "D": "#72F5D4"}
TINTS = {
    "plains": "#EDEFCF",
    "forest": "#CDE3CD",
    "mountain": "#DED9D3",
    "river": "#CFE0F8",
    "inlet": "#BFDDE3",
    "city": "#F5EAD0",
    "tourist": "#EBD5EF",
    "remote": "#F3DCC6",
    "sea": "#D3DEE6",
    "start_locomotive": "#E3E6E9",
    "locomotive": "#DED9D3",
    "carriage": "#CFE0F8",
    "station_card": "#F5EAD0",
    "development": "#CDE3CD",
    "objective": "#EBD5EF",
    "route": "#EDEFCF",
    "train": "#CFE0F8",
    "rail": "#CDE3CD",
    "station": "#EBD5EF",
    "action": "#F8D7D3",
    "vp": "#F8E9B8",
    "waste": "#DDDDDD",
}
"""Light grounds of terrains and card classes; anything else stays white."""

SEAT_BOX = 40.0
SEAT_SHAPES = {
    "A": "M20 3A17 17 0 0 1 20 37A17 17 0 0 1 20 3Z",
    "B": "M7 4H33A3 3 0 0 1 36 7V33A3 3 0 0 1 33 36H7A3 3 0 0 1 4 33V7A3 3 0 0 1 7 4Z",
    "C": "M20 -1L42 37H-2Z",
    "D": "M20 0.5L39.5 20L20 39.5L0.5 20Z",
}
"""In a box of 40: circle, square, triangle, diamond."""
SEAT_LETTER_DROP = {"A": 0.0, "B": 0.0, "C": 5.0, "D": 0.0}
"""How far below the centre of the box the letter's middle stands."""

ICON_BOX = 24.0
ICONS = {
    "money": "M12 3A9 9 0 0 1 12 21A9 9 0 0 1 12 3ZM9 9H15V15H9Z",
    "materials": "M3 8h18M3 16h18M3 8a4 4 0 0 0 0 8M21 8a4 4 0 0 1 0 8a4 4 0 0 1 0-8M7 12h8",
    "tech": (
        "M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1"
        "M7.7 16.3l-2.1 2.1M12 7A5 5 0 0 1 12 17A5 5 0 0 1 12 7Z"
    ),
    "coal": "M7 5l8-2 6 7-3 9-9 2-6-7z M7 5l4 6 10-1 M11 11l-2 10",
    "vp": ("M12 2.5l2.8 6.2 6.7.7-5 4.5 1.4 6.6L12 17.2 6.1 20.5l1.4-6.6-5-4.5 6.7-.7z"),
    "power": "M13 2L5 14h6l-1 8 9-13h-6z",
    "tile": "M5 5H19V19H5ZM5 12H19",
}
"""In a box of 24, as lines."""
ICON_LINE = 2.2
"""Width of an icon's lines, in its box."""

SYMBOL_BOX = 24.0
_FILLED = {
    "forest": ("M-4 -10l6 8h-3l4 6h-6v4h-2v-4h-6l4-6h-3zM7 -4l4.500 6h-2l3 4h-4.500v3h-2v-3h-3l2-4z"),
    "city": "M-11 9V-3h7V9M-4 9V-9h8V9M4 9V0h7V9z",
}
_DRAWN = {
    "plains": ("M-9 5v-5M-5 5v-7M-1 5v-5M4 2v-5M8 2v-7M6 2v-3", 2.2),
    "mountain": ("M-12 8L-4 -8L1 1L5 -5L12 8", 2.6),
    "river": ("M-11 7C-5 -8 3 10 11 -7M-11 0C-6 -12 0 0 4 -8", 2.4),
    "inlet": (
        "M-11 -4c3.500 -4 7 4 11 0c4 -4 7 -4 11 0M-11 4c3.500 -4 7 4 11 0c4 -4 7 -4 11 0",
        2.4,
    ),
    "remote": ("M-6 10V-10H8L4 -5L8 0H-6", 2.6),
    "tourist": ("M-11 -7c7 2.500 15 2.500 22 0M-8 -1.500H8M-6 -5V9M6 -5V9", 2.8),
}


def seat_shape(
    seat: str, x: float, y: float, size: float, fill: str | None, stroke: str, line: float
) -> Item:
    """A seat's shape round (x, y), its box `size` mm wide; `line` is the width of its edge in mm."""
    half = size / 2
    ink = Ink(fill=fill, stroke=stroke, width=line, round=True)
    return path(SEAT_SHAPES[seat], ink, x - half, y - half, size / SEAT_BOX)


def icon(name: str, x: float, y: float, size: float, colour: str = INK) -> Item:
    """An icon round (x, y), its box `size` mm wide. KeyError for a name that has no icon."""
    scale = size / ICON_BOX
    ink = Ink(stroke=colour, width=ICON_LINE * scale, round=True)
    return path(ICONS[name], ink, x - size / 2, y - size / 2, scale)


def terrain_symbol(name: str, x: float, y: float, size: float, colour: str = INK) -> list[Item]:
    """A terrain's symbol round (x, y), its box `size` mm wide; nothing for a terrain without one."""
    scale = size / SYMBOL_BOX
    if name in _FILLED:
        return [path(_FILLED[name], Ink(fill=colour), x, y, scale)]
    if name in _DRAWN:
        data, line = _DRAWN[name]
        return [path(data, Ink(stroke=colour, width=line * scale, round=True), x, y, scale)]
    return []
