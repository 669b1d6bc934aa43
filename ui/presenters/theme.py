"""Colours, seats, signals and terrains of the kiosk, as values. Only the Kivy layer and the tests need them.

Contrasts and distances under colour-vision simulation are tested, of the values in
`tests/ui/presenters/test_colours.py` and of drawn pixels in `tests/ui/kiosk/test_colour_vision.py`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

NIGHT, BALLAST, SLEEPER = "#10171D", "#19232C", "#25323D"
GROUNDS = {"night": NIGHT, "ballast": BALLAST, "sleeper": SLEEPER}
TONES = {
    "text": "#EEF3F6",
    "text2": "#B4C2CD",
    "rule": "#8597A6",
    "paper": "#F4F1E6",
    "lit": "#FFFFFF",
    "ink": "#0B1014",
    "clear": "#C2F5CE",
    "caution": "#FFBC52",
    "stop": "#FF6A78",
    "seen": "#63CBFF",
}

Shape = Literal["circle", "square", "triangle", "diamond", "pentagon"]


class SeatLook(msgspec.Struct, frozen=True):
    """How a seat looks: colour, shape, and its dash in charts (lengths on and off, empty for solid)."""

    colour: str
    shape: Shape
    dash: tuple[int, ...]


SEATS = {
    "A": SeatLook("#EE6E66", "circle", ()),
    "B": SeatLook("#FFD326", "square", (12, 5)),
    "C": SeatLook("#6E97FF", "triangle", (3, 5)),
    "D": SeatLook("#72F5D4", "diamond", (12, 4, 3, 4)),
}

ANYBODY = SeatLook("#A9B7C6", "pentagon", ())
"""A piece in a legend, which is of no seat."""


class Terrain(msgspec.Struct, frozen=True):
    """How a terrain looks: its fill, the sign on it, and whether that is dark or light."""

    fill: str
    sign: str
    dark: bool


TERRAINS = {
    "plains": Terrain("#8E8E5C", "grass", True),
    "field": Terrain("#8E8E5C", "grass", True),
    "forest": Terrain("#1B3D21", "firs", False),
    "mountain": Terrain("#4D4843", "peaks", False),
    "river": Terrain("#6496E0", "slanting_waves", True),
    "inlet": Terrain("#1F4B5C", "waves", False),
    "city": Terrain("#DBCBAF", "skyline", True),
    "tourist": Terrain("#975E9E", "gate", False),
    "remote": Terrain("#994F1E", "flag", False),
    "sea": Terrain("#07131F", "", False),
}

ROW_TINTS = {
    "black": ("#2B2F33", "text"),
    "grey": ("#8D959B", "ink"),
    "brown": ("#8A5A34", "text"),
    "natural": ("#D9B77C", "ink"),
    "white": ("#F7F7F2", "ink"),
}
"""Fills of pieces on tracks, and the tone of what is written on them; letters tell them apart as well."""

ICONS = (
    "camera",
    "panel",
    "record",
    "check",
    "cross",
    "undo",
    "redo",
    "book",
    "list",
    "lock",
    "arrow",
    "back",
    "closer",
    "wider",
    "hand",
    "chart",
    "person",
    "pause",
    "play",
    "minus",
    "plus",
    "power",
    "heat",
    "disk",
    "star",
    "money",
    "material",
    "tech",
    "coal",
    "locomotive",
    "rails",
    "house",
    "gavel",
    "pencil",
    "trash",
    "reload",
    "gear",
    "question",
    "clock",
    "speaker",
    "mute",
    "key",
    "up",
    "down",
)
"""Signs of the kiosk itself; games may name others, which fall back to a dot with the word beside it."""


def luminance(colour: str) -> float:
    """Relative luminance of "#RRGGBB" (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
