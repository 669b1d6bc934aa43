"""Every screen in its states, drawn: everything fits, and the widget trees are as they are kept in `trees/`.

`make trees` writes the trees anew; what has changed then shows as a difference between texts.
"""

from __future__ import annotations

import os
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ui.presenters.colour_vision import SIMULATIONS, contrast, distance, rgb, seen
from ui.kiosk.shelf import offered
from ui.kiosk.staging import scenes
from ui.presenters.metrics import metrics
from ui.presenters.present import page
from ui.presenters.theme import SEATS

TREES = Path(__file__).parent / "trees"
SIZES = ((800, 480), (1024, 600), (1280, 800))
TOLD_APART = 15.0
"""CIEDE2000 between two seats' colours as drawn, for every kind of eye."""


def drawn(size: tuple[int, int], language: str) -> Any:
    from ui.kiosk.screen import PageWidget

    sizes = metrics(*size)
    for scene in scenes(sizes, language, offered(("railway_boom", "auction"))):
        widget = PageWidget(sizes, lambda intent: None)
        widget.update(page(scene.shown, scene.nav))
        yield scene.name, widget


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_everything_fits(screen: Any, size: tuple[int, int], language: str) -> None:
    from ui.kiosk.screen import overfull

    faults = [f"{name}: {fault}" for name, widget in drawn(size, language) for fault in overfull(widget)]
    assert not faults


@pytest.mark.parametrize("size", SIZES)
def test_the_widget_trees_are_as_kept(screen: Any, size: tuple[int, int]) -> None:
    from ui.kiosk.tree import tree

    folder = TREES / f"{size[0]}x{size[1]}"
    made = {name: tree(widget) for name, widget in drawn(size, "en")}
    if os.environ.get("STATIONMASTER_WRITE_TREES"):
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.txt"):
            file.unlink()
        for name, text in made.items():
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    kept = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}
    changed = [name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)]
    assert not changed, f"make trees, and look at the difference: {sorted(changed)}"


@pytest.mark.parametrize("kind", list(SIMULATIONS))
def test_seats_are_told_apart_in_what_is_drawn(screen: Any, kind: str) -> None:
    """The pixels of a screen with all seats, as that kind of eye sees them."""
    for name, widget in drawn((1024, 600), "en"):
        if name != "auction":
            continue
        screen.show(widget)
        pixels = screen.picture(widget)[:, :, 2::-1].reshape(-1, 3) / 255
        found = {}
        for seat, look in SEATS.items():
            near = np.abs(pixels - rgb(look.colour)).max(axis=1) < 0.02
            assert near.sum() > 200, f"seat {seat} is not drawn"
            found[seat] = seen(pixels[near].mean(axis=0), kind)
        for one, other in combinations(found, 2):
            assert distance(found[one], found[other]) >= TOLD_APART, (one, other)
        words = seen(rgb("#EEF3F6"), kind)
        assert contrast(words, seen(np.median(pixels, axis=0), kind)) >= 4.5
