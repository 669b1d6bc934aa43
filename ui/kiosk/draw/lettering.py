"""Words as textures: measured, wrapped, cut; textures are kept and used again, so memory stays flat."""

from __future__ import annotations

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


def _broken(part: str, size: int, bold: bool, room: float, most: int) -> Iterator[str]:
    """Words; where lines are left, one that is wider than a line is broken behind its hyphens."""
    for word in part.split(" "):
        if most > 1 and "-" in word and width(word, size, bold) > room:
            pieces = word.split("-")
            yield from (f"{piece}-" for piece in pieces[:-1])
            yield pieces[-1]
        else:
            yield word


@lru_cache(2048)
def wrap(text: str, size: int, bold: bool, room: float, most: int) -> tuple[tuple[str, ...], bool]:
    """The lines that a text takes in `room` pixels, `most` at most; whether it had to be cut."""
    out: list[str] = []
    cut = False
    for part in text.split("\n"):
        line = ""
        for word in _broken(part, size, bold, room, most):
            longer = f"{line} {word}" if line else word
            if not line or width(longer, size, bold) <= room + 1:
                line = longer
            else:
                out.append(line)
                line = word
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
