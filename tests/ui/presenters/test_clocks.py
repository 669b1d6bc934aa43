"""Clocks are stopped with one touch wherever somebody acts, and go on with one."""

from __future__ import annotations

import random

import pytest

from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.nav import Nav


@pytest.mark.parametrize(
    ("why", "screen"), [("bid", "auction"), ("route", "table"), ("pay", "choice"), ("", "")]
)
def test_one_touch_stops_the_clocks_and_one_lets_them_go_on(why: str, screen: str) -> None:
    judge = p.table(p.game("auction" if not why else "railway_boom"), clocks=True)
    if why:
        p.at(judge, why, random.Random(4))
    for page in p.every(judge, Nav()):
        assert page.id == screen or not why
        assert "pause" in elements.intents(page)
    p.touch(judge, Nav(), elements.intents(present.page(p.shown(judge), Nav()))["pause"])
    assert judge.view.paused
    for page in p.every(judge, Nav()):
        assert page.prompt is not None
        assert page.prompt.text in ("The clocks stand still", "Die Uhren stehen still")
        (paper,) = [e for e in elements.walk(page) if isinstance(e, elements.Button) and e.kind == "paper"]
        assert paper.id == "go_on"
    p.touch(judge, Nav(), elements.intents(present.page(p.shown(judge), Nav()))["go_on"])
    assert not judge.view.paused


def test_without_clocks_there_is_nothing_to_stop() -> None:
    for page in p.every(p.table(p.game("railway_boom")), Nav()):
        assert "pause" not in elements.intents(page)
