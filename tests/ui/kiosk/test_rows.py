"""Tracks and action spaces as drawn: everything fits at every size, and a touch finds the lit space."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.presenters import playing, test_rows
from ui.presenters import present
from ui.presenters.elements import Page, SpotRow
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav


def pages(size: tuple[int, int], language: str) -> dict[str, Page]:
    """A step, a choice of two, the action spaces and the tracks of a seat."""
    step, choice = test_rows.asked("advance", 3), test_rows.asked("choice", 2)
    loco = test_rows.asked("hold_loco", 3)
    turn = test_rows.reached(lambda state: state.round == 5 and state.stack.idle)
    shown = {
        "step": present.page(playing.shown(step, size, language), Nav()),
        "choice": present.page(playing.shown(choice, size, language), Nav()),
        "loco": present.page(playing.shown(loco, size, language), Nav()),
    }
    for name, values in (("first", {}), ("second", {"spaces": 1}), ("tracks", {"rows": True, "look": "C"})):
        shown[name] = present.page(playing.shown(turn, size, language), Nav(values=values))
    return shown


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", playing.SIZES)
def test_everything_fits(screen: Any, size: tuple[int, int], language: str) -> None:
    from ui.kiosk.screen import PageWidget, overfull

    for name, page in pages(size, language).items():
        widget = PageWidget(metrics(*size), lambda intent: None)
        widget.update(page)
        # A name with its points may be long; that is the strips' matter.
        assert [fault for fault in overfull(widget) if "Tom" not in fault] == [], name


def test_a_touch_near_a_lit_space_means_it(screen: Any) -> None:
    from ui.kiosk.screen import PageWidget, middle
    from ui.kiosk.tree import tree
    from ui.kiosk.widgets import cells

    widget = PageWidget(metrics(1024, 600), lambda intent: None)
    widget.update(pages((1024, 600), "en")["step"])
    rows = [placed for placed in widget.placed if isinstance(placed.element, SpotRow)]
    assert len(rows) == 4
    for placed in rows:
        middles = cells.places(placed.element, placed.box, widget.metrics)
        for index, (x, y) in middles.items():
            hit = widget._hit(x, y + 4)
            lit = [n for n, spot in enumerate(placed.element.spots) if spot.lit]
            if index in lit:
                assert hit == (f"{placed.element.id}:{index}", placed.element.intents[index])
                # Fingers that are not of flesh find it by its name.
                assert middle(widget, hit[0]) == (x, y)
            elif hit is not None:
                # The nearest lit space within a finger's breadth.
                assert hit[0] in {f"{placed.element.id}:{n}" for n in lit}
    text = tree(widget)
    assert "SpotRow #row:TS" in text
    assert "lit" in text
