"""What the signs mean: all of them on a page of their own, some on the map."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, legend, present
from ui.presenters.elements import Board, Icon
from ui.presenters.intents import Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.parts import ICONS


@pytest.fixture
def table() -> Any:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    return judge


def test_every_sign_of_the_table_is_on_the_page(table: Any) -> None:
    shown, nav = p.shown(table), Nav("legend")
    signs: set[str] = set()
    words: list[str] = []
    tints: set[str] = set()
    for _ in range(3):
        page = present.page(shown, nav)
        body = [e for e in elements.walk(page) if e not in (page.top, *page.left, *page.right)]
        signs |= {e.name for e in body if isinstance(e, Icon)}
        tints |= {h.terrain for e in body if isinstance(e, Board) for h in e.hexes}
        words += j.texts(page)
        nav = j.go(shown, nav, "page")
    assert {ICONS.get(g.what, g.what) for s in table.view.display.strips for g in s.gauges} <= signs
    assert {"star", "power"} <= signs
    mat = p.mat_of(table.referee.game)
    assert mat is not None
    assert tints == {space.tint for space in mat.spaces if space.hex is not None}
    assert {"still open", "station", "seen, not recorded", "power to build here"} <= {*words}


def test_the_page_is_drawn_at_every_size_and_leads_back(table: Any) -> None:
    for page in j.drawn(table, Nav("legend", back=(("", {}),))):
        assert page.id == "legend"
        assert elements.intents(page)["leave"] == Go(BACK)


def test_the_map_explains_what_stands_on_it_and_leads_there(table: Any) -> None:
    page = present.page(p.shown(table), Nav())
    board = next(e for e in elements.walk(page) if isinstance(e, Board))
    said = [words for _, words in board.legend]
    assert "power to build here" in said
    assert "can be chosen" not in said
    assert elements.intents(page)["board:?"] == Go("legend")
    plain = legend.corner(p.shown(table), False, False)
    assert "power to build here" not in [words for _, words in plain]
