"""Words as textures: measured, wrapped, cut; textures are kept and used again, so memory stays flat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from kivy.core.text import Label

LINE = 1.22
"""Height of a line in sizes of its type."""
CUT = "…"


@lru_cache
def font(bold: bool) -> str:
    """The file of the font."""
    return str(files("vision") / "fonts" / f"DejaVuSansCondensed{'-Bold' if bold else ''}.ttf")


@lru_cache
def _measure(size: int, bold: bool) -> Any:
    return Label(font_name=font(bold), font_size=size)


@lru_cache(4096)
def width(text: str, size: int, bold: bool) -> float:
    """Pixels that a line is wide."""
    return float(_measure(size, bold).get_extents(text)[0]) if text else 0.0


@lru_cache(600)
def texture(text: str, size: int, bold: bool) -> Any:
    """A line as a white texture, to be tinted."""
    label = Label(text=text, font_name=font(bold), font_size=size)
    label.refresh()
    return label.texture


def words(text: str) -> list[str]:
    """The pieces of a text that stand in one line each, however narrow it is: broken at spaces and behind
    hyphens."""
    return [piece for word in text.split() for piece in re.split(r"(?<=-)", word) if piece]


def _broken(
    part: str, size: int, bold: bool, room: float, most: int, anywhere: bool
) -> Iterator[tuple[str, str]]:
    """Pieces of which a line is made, each with what stands before it in its line. Where lines are left, a
    word that is wider than a line is broken behind its hyphens, and where nothing else helps `anywhere`."""
    for word in part.split(" "):
        glue = " "
        for piece in words(word) if most > 1 and width(word, size, bold) > room else [word]:
            while anywhere and most > 1 and len(piece) > 1 and width(piece, size, bold) > room:
                fits = len(piece)
                while fits > 1 and width(piece[:fits], size, bold) > room:
                    fits -= 1
                yield glue, piece[:fits]
                glue, piece = "", piece[fits:]
            yield glue, piece
            glue = ""


@lru_cache(2048)
def wrap(
    text: str, size: int, bold: bool, room: float, most: int, anywhere: bool = False
) -> tuple[tuple[str, ...], bool]:
    """The lines that a text takes in `room` pixels, `most` at most; whether it had to be cut. `anywhere`
    breaks a word that is wider than a line."""
    out: list[str] = []
    cut = False
    for part in text.split("\n"):
        line = ""
        for glue, piece in _broken(part, size, bold, room, most, anywhere):
            longer = f"{line}{glue}{piece}" if line else piece
            if not line or width(longer, size, bold) <= room + 1:
                line = longer
            else:
                out.append(line)
                line = piece
        out.append(line)
    if len(out) > most:
        cut = True
        out = [*out[: most - 1], " ".join(out[most - 1 :])]
    for i, line in enumerate(out):
        if width(line, size, bold) > room + 1:
            cut = True
            while line and width(line + CUT, size, bold) > room:
                line = line[:-1]
            out[i] = line.rstrip() + CUT
    return tuple(out), cut
