"""Demonstrations for tests: few mistakes, small pictures, and what is printed drawn once for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import vision.simulator
from assistant.layout import Mat
from ui.demo import mistakes, report, show
from vision.cover import PrintedLook
from vision.textures import Textures

SMALL = (768, 432)
"""Pictures for people, in pixels."""


@contextmanager
def quick_demos(most_mistakes: int | None = None) -> Iterator[None]:
    """Demos that begin in here make the first so many mistakes (None: all) and write small pictures.

    Mats are drawn and looked at once, however many demos there are: that takes longest.
    """
    agenda, look_of = mistakes.agenda, PrintedLook.of
    drawn: dict[str, Textures] = {}
    looks: dict[str, PrintedLook] = {}

    def textures(mat: Mat) -> Textures:
        return drawn.setdefault(mat.digest, Textures(mat))

    def look(mat: Mat) -> PrintedLook:
        if mat.digest not in looks:
            looks[mat.digest] = look_of(mat)
        return looks[mat.digest]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mistakes, "agenda", lambda game: agenda(game)[:most_mistakes])
        patch.setattr(vision.simulator, "Textures", textures)
        patch.setattr(PrintedLook, "of", look)
        for module in (show, report):
            patch.setattr(module, "ALBUM", SMALL)
        yield
