"""The tour: every screen in its states as a picture, with its widget tree as text beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ui.kiosk.environment import prepare
from ui.kiosk.shelf import offered
from ui.kiosk.staging import scenes
from ui.presenters.metrics import metrics
from ui.presenters.present import page

OFFERED = ("railway_boom", "auction")


def write(
    folder: Path, size: tuple[int, int], language: str, say: Callable[[str], None] = lambda words: None
) -> list[str]:
    """Draw all scenes at a size into `folder`, as NAME.png and NAME.txt; gives what does not fit anywhere.

    OSError when the folder cannot be written; RuntimeError when Kivy was set up for another size.
    """
    prepare(size, offscreen=True)
    from ui.kiosk.picture import save
    from ui.kiosk.screen import overfull
    from ui.kiosk.tree import tree

    folder.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    for scene in scenes(metrics(*size), language, offered(OFFERED)):
        shows = page(scene.shown, scene.nav)
        widget = save(shows, scene.shown.metrics, folder / f"{scene.name}.png")
        (folder / f"{scene.name}.txt").write_text(tree(widget), encoding="utf-8")
        found = [f"{scene.name}: {fault}" for fault in overfull(widget)]
        for fault in found:
            say(fault)
        faults += found
    return faults
