"""Signs as path data, no window: `M x y`, `L x y`, `C` cubic, `Z` close, `O x y r` circle, `R x y w h` box.

Icons stand in a box of 24, terrain signs round 0 in a box of 24, seat shapes in a box of 40; y goes down.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

Point = tuple[float, float]
Lines = tuple[tuple[Point, ...], ...]

ICONS: dict[str, str] = {
    "camera": "R2 6 20 14 O12 13 4 M8 6 L9.5 3 L14.5 3 L16 6",
    "panel": "R2 6 20 12 O8 12 2.5 O16 12 2.5",
    "record": "R4 4 16 16 M8 4 L8 10 L16 10 L16 4 M8 20 L8 14 L16 14 L16 20",
    "check": "M4 13 L9 18 L20 6",
    "cross": "M5 5 L19 19 M19 5 L5 19",
    "undo": "M9 4 L4 9 L9 14 M4 9 L14 9 C22 9 22 20 14 20 L10 20",
    "redo": "M15 4 L20 9 L15 14 M20 9 L10 9 C2 9 2 20 10 20 L14 20",
    "book": "R4 4 7 17 R13 4 7 17 M7 8 L8 8 M16 8 L17 8 M7 12 L8 12 M16 12 L17 12",
    "list": "M4 6 L20 6 M4 12 L20 12 M4 18 L14 18",
    "lock": "R4 11 16 10 M8 11 L8 7 C8 2 16 2 16 7 L16 11",
    "arrow": "M4 12 L20 12 M14 6 L20 12 L14 18",
    "back": "M20 12 L4 12 M10 6 L4 12 L10 18",
    "closer": "O10 10 7 M15 15 L21 21 M10 7 L10 13 M7 10 L13 10",
    "wider": "O10 10 7 M15 15 L21 21 M7 10 L13 10",
    "hand": "M8 13 L8 5 C8 3 11 3 11 5 L11 11 M11 11 L11 4 C11 2 14 2 14 4 L14 11"
    " M14 6 C15 4 17 5 17 7 L17 12"
    " M17 9 C18 7 20 8 20 10 L20 15 C20 20 17 22 13 22 C9 22 7 18 4 14 C4 12 6 11 8 13",
    "chart": "M3 3 L3 21 L21 21 M7 16 L11 11 L15 14 L20 6",
    "person": "O12 8 4.5 M4 21 C4 12 20 12 20 21",
    "pause": "M8 5 L8 19 M16 5 L16 19",
    "play": "M7 4 L19 12 L7 20 Z",
    "minus": "M5 12 L19 12",
    "plus": "M5 12 L19 12 M12 5 L12 19",
    "power": "M13 2 L5 14 L11 14 L10 22 L19 9 L13 9 Z",
    "heat": "M9.5 14 L9.5 5 C9.5 1.500 14.5 1.500 14.5 5 L14.5 14 O12 18 4.500 M12 9 L12 16",
    "disk": "M5 2 L15 2 L20 7 L20 22 L5 22 Z M9 5 L9 10 M12.500 5 L12.500 10 M16 8 L16 10",
    "star": "M12 2.5 L14.7 9 L21.5 9.5 L16.3 14 L18 20.8 L12 17.2 L6 20.8 L7.7 14 L2.5 9.5 L9.3 9 Z",
    "money": "O12 12 9 R9 9 6 6",
    "material": "M3 8 L21 8 M3 16 L21 16 M3 8 C1 10 1 14 3 16 M21 8 C19 10 19 14 21 16 M7 12 L15 12",
    "tech": "O12 12 5 M12 3 L12 6 M12 18 L12 21 M3 12 L6 12 M18 12 L21 12 M5.6 5.6 L7.7 7.7"
    " M16.3 16.3 L18.4 18.4 M18.4 5.6 L16.3 7.7 M7.7 16.3 L5.6 18.4",
    "coal": "M7 5 L15 3 L21 10 L18 19 L9 21 L3 14 Z M7 5 L11 11 L21 10 M11 11 L9 21",
    "locomotive": "M3 16 L3 8 L10 8 L10 16 M10 11 L19 11 L21 16 L3 16 M15 11 L15 6 L18 6 L18 11"
    " O7 18.5 2.5 O16 18.5 2.5",
    "rails": "M7 2 L4 22 M17 2 L20 22 M6 7 L18 7 M5.5 12 L18.5 12 M5 17 L19 17",
    "house": "M3 11 L12 4 L21 11 M5 10 L5 21 L19 21 L19 10 M10 21 L10 15 L14 15 L14 21",
    "gavel": "M5 9 L11 3 M9 13 L15 7 M6 8 L10 12 M10 4 L14 8 M12 10 L20 18 M4 21 L14 21",
    "pencil": "M4 20 L5 15 L16 4 L20 8 L9 19 Z M13 7 L17 11",
    "trash": "M5 7 L19 7 L17.5 21 L6.500 21 Z M3 7 L21 7 M9 7 L9 4 L15 4 L15 7",
    "reload": "M20 4 L20 10 L14 10 M20 10 C17 2 4 3 4 12 C4 21 16 22 19 15",
    "gear": "O12 12 3 O12 12 7 M12 2 L12 5 M12 19 L12 22 M2 12 L5 12 M19 12 L22 12"
    " M5 5 L7 7 M17 17 L19 19 M19 5 L17 7 M7 17 L5 19",
    "question": "O12 12 10 M9 9 C9 5 15 5 15 9 C15 12 12 11 12 14 M12 17.500 L12 18",
    "clock": "O12 12 9 M12 6 L12 12 L16 14",
    "speaker": "M3 9 L7 9 L12 5 L12 19 L7 15 L3 15 Z M15 9 C17 11 17 13 15 15"
    " M18 6 C21.500 10 21.500 14 18 18",
    "mute": "M3 9 L7 9 L12 5 L12 19 L7 15 L3 15 Z M16 9 L21 15 M21 9 L16 15",
    "key": "O7 12 4 M11 12 L21 12 L21 16 M17 12 L17 15",
    "up": "M5 15 L12 8 L19 15",
    "down": "M5 9 L12 16 L19 9",
    "tile": "R4 4 16 16 R8 8 8 8",
    "income": "M4 20 L4 15 L9 15 L9 11 L14 11 L14 7 L20 7 M16 3 L20 7 L16 11",
    "choice": "M12 21 L12 13 M12 13 C12 8 5 9 5 4 M12 13 C12 8 19 9 19 4 M2 7 L5 4 L8 7 M16 7 L19 4 L22 7",
    "gain": "R3 8 11 13 M18 3 L18 11 M14 7 L22 7",
    "draw": "R3 6 11 15 M8 6 L8 3 L19 3 L19 18 L14 18",
    "coins": "O8 8 5 O15 15 6",
    "mixed": "O8 8 5 R12 11 9 9",
    "objective": "O12 12 9 O12 12 4.5 O12 12 1",
    "route": "O5 19 2.500 O19 5 2.500 M7 17 C11 13 8 9 12 8 C15 7.500 15 7 17 6.500",
    "carriage": "R3 6 18 10 M7 9 L7 12 M12 9 L12 12 M17 9 L17 12 O8 19 2 O16 19 2",
    "city": "M3 21 L3 11 L9 11 L9 4 L15 4 L15 13 L21 13 L21 21 Z",
    "double": "M3 8 L11 16 M11 8 L3 16 M14 10 C14 5 21 5 21 10 C21 13 14 15 14 19 L21 19",
    "dot": "O12 12 4",
    "stack": "M3 8 L12 3 L21 8 L12 13 Z M3 12 L12 17 L21 12 M3 16 L12 21 L21 16",
    "discard": "R4 11 16 10 M12 2 L12 8 M8.5 5 L12 8.5 L15.5 5",
}

ALIASES = {
    "vp": "star",
    "materials": "material",
    "technology": "tech",
    "mat": "material",
    "loco": "locomotive",
    "rail": "rails",
    "station": "house",
    "points": "star",
    "VP": "star",
    "paid": "coins",
    "gain2": "gain",
    "draw2": "draw",
    "inc_choice": "choice",
    "free_rt": "rails",
    "capacity": "tile",
    "rail cost": "rails",
    "workers": "person",
    "worker": "person",
    "roubles": "money",
    "doublers": "double",
    "engineers": "gear",
    "rounds": "clock",
    "regular": "city",
    "development": "tech",
    "deck": "stack",
    "left": "stack",
    "waste": "trash",
}

BOLD = frozenset({"check", "cross"})
"""Icons that are drawn with a stroke of 3.5."""

SIGNS: dict[str, tuple[str, float]] = {
    "grass": ("M-9 5 L-9 0 M-5 5 L-5 -2 M-1 5 L-1 0 M4 2 L4 -3 M8 2 L8 -5 M6 2 L6 -1", 2.2),
    "firs": ("M-4 -10 L2 -2 L-1 -2 L3 4 L-3 4 L-3 8 L-5 8 L-5 4 L-11 4 L-7 -2 L-10 -2 Z"
             " M7 -4 L11.500 2 L9.500 2 L12.500 6 L8 6 L8 9 L6 9 L6 6 L4 6 L6 2 L4 2 Z", 0),
    "peaks": ("M-12 8 L-4 -8 L1 1 L5 -5 L12 8", 2.6),
    "slanting_waves": ("M-11 7 C-5 -8 3 10 11 -7 M-11 0 C-6 -12 0 0 4 -8", 2.4),
    "waves": ("M-11 -4 C-7 -9 -4 1 0 -4 C4 -9 7 1 11 -4 M-11 4 C-7 -1 -4 9 0 4 C4 -1 7 9 11 4", 2.4),
    "skyline": ("M-11 9 L-11 -3 L-4 -3 L-4 -9 L4 -9 L4 0 L11 0 L11 9 Z", 0),
    "gate": ("M-11 -7 C-4 -4.500 4 -4.500 11 -7 M-8 -1.500 L8 -1.500 M-6 -5 L-6 9 M6 -5 L6 9", 2.8),
    "flag": ("M-6 10 L-6 -9 L8 -4 L-6 1", 2.8),
}  # fmt: skip
"""Terrain signs with their stroke; 0 is filled."""

SHAPES = {
    "circle": "O20 20 17",
    "square": "M4 4 L36 4 L36 36 L4 36 Z",
    "triangle": "M20 -1 L42 37 L-2 37 Z",
    "diamond": "M20 0.5 L39.5 20 L20 39.5 L0.5 20 Z",
    "pentagon": "M20 1 L39 15 L32 37 L8 37 L1 15 Z",
}
LETTER_Y = {"circle": 20.0, "square": 20.0, "triangle": 26.0, "diamond": 20.0}
_LENGTHS = {"M": 2, "L": 2, "C": 6, "O": 3, "R": 4, "Z": 0}


@cache
def lines(data: str) -> Lines:
    """Path data as polylines; a closed one ends where it began. ValueError for an unknown letter."""
    for letter in _LENGTHS:
        data = data.replace(letter, f" {letter} ")
    words, at = data.split(), 0
    out: list[tuple[Point, ...]] = []
    now: list[Point] = []
    while at < len(words):
        letter = words[at]
        if letter not in _LENGTHS:
            raise ValueError(f"path letter {letter!r}")
        n = [float(word) for word in words[at + 1 : at + 1 + _LENGTHS[letter]]]
        at += 1 + _LENGTHS[letter]
        if letter in "MOR" and now:
            out.append(tuple(now))
            now = []
        if letter in "ML":
            now.append((n[0], n[1]))
        elif letter == "C":
            (x0, y0), steps = now[-1], 12
            for i in range(1, steps + 1):
                t, u = i / steps, 1 - i / steps
                a, b, c, d = u**3, 3 * u * u * t, 3 * u * t * t, t**3
                now.append((a * x0 + b * n[0] + c * n[2] + d * n[4], a * y0 + b * n[1] + c * n[3] + d * n[5]))
        elif letter == "Z":
            now.append(now[0])
        elif letter == "O":
            turns = [math.tau * i / 28 for i in range(29)]
            out.append(tuple((n[0] + n[2] * math.cos(a), n[1] + n[2] * math.sin(a)) for a in turns))
        else:
            x, y, w, h = n
            out.append(((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)))
    if now:
        out.append(tuple(now))
    return tuple(out)


def icon(name: str) -> Lines:
    """The strokes of an icon; a dot for a name that is not known. "income:money" is the sign of income."""
    kind = name.partition(":")[0]
    return lines(ICONS.get(ALIASES.get(kind, kind), ICONS["dot"]))


def known(name: str) -> bool:
    """Whether an icon has a sign of its own."""
    kind = name.partition(":")[0]
    return ALIASES.get(kind, kind) in ICONS


def hexagon(x: float, y: float, radius: float) -> tuple[Point, ...]:
    """The closed edge of a pointy-top hex."""
    turns = [math.radians(60 * i - 30) for i in range(7)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns)


def dashes(points: tuple[Point, ...], pattern: tuple[float, ...]) -> Lines:
    """A polyline cut into dashes: lengths on and off in turn."""
    if not pattern:
        return (points,)
    out: list[tuple[Point, ...]] = []
    now, part, left, on = [points[0]], 0, pattern[0], True
    for (x0, y0), (x1, y1) in pairwise(points):
        length, done = math.hypot(x1 - x0, y1 - y0), 0.0
        while length - done > left:
            done += left
            at = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length)
            if on:
                out.append((*now, at))
            now, part, on = [at], (part + 1) % len(pattern), not on
            left = pattern[part]
        left -= length - done
        now.append((x1, y1))
    if on and len(now) > 1:
        out.append(tuple(now))
    return tuple(out)
