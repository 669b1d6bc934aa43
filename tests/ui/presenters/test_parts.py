"""What the pages of a running game share."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from assistant.display import Gauge, Strip
from tests.ui.presenters import playing as p
from ui.presenters import elements, parts
from ui.presenters.elements import Text
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from ui.presenters.shown import House, Shown, State
from ui.presenters.words import Words


@pytest.fixture(scope="module")
def boom() -> Any:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    return judge


def texts(element: Any) -> list[str]:
    page = elements.Page("x", element)
    return [e.text for e in elements.walk(page) if isinstance(e, Text)]


def with_view(shown: Shown, **changes: Any) -> Shown:
    assert shown.playing is not None
    view = msgspec.structs.replace(shown.playing.view, **changes)
    return msgspec.structs.replace(shown, playing=msgspec.structs.replace(shown.playing, view=view))


def test_the_top_bar_says_where_the_game_is(boom: Any) -> None:
    assert texts(parts.top(p.shown(boom)))[0] == "Round 1 of 4"
    line = next(
        e
        for e in elements.walk(elements.Page("x", parts.top(p.shown(boom))))
        if isinstance(e, elements.StopLine)
    )
    assert [stop.state for stop in line.stops] == ["done", "now", "ahead", "ahead", "ahead", "ahead"]
    assert [stop.word for stop in line.stops if stop.word] == ["Expansion"]


def test_a_ruling_on_its_way_is_mentioned_once_it_takes_long(boom: Any) -> None:
    now = p.shown(boom)
    assert "writing" not in texts(parts.top(with_view(now, writing_since=now.now - 0.2)))
    assert "writing" in texts(parts.top(with_view(now, writing_since=now.now - 0.3)))
    assert "not recorded" in texts(parts.top(with_view(now, unrecorded=True)))


def test_a_sign_says_a_word_where_it_has_no_tick() -> None:
    house = House("x", (), camera=State("off"), panel=State("look"), record=State("good"))
    shown = Shown(house, metrics(1024, 600), Words("en"))
    assert texts(parts.top(shown)) == ["off", "look"]


def test_points_are_hidden_where_the_house_says_so(boom: Any) -> None:
    strip = Strip("A", 31, (Gauge("money", 4),), "building")
    assert texts(parts.strip(p.shown(boom), strip, True)) == ["Mira", "building", "31", "4"]
    assert texts(parts.strip(p.shown(boom, hidden_scores=True), strip, True)) == ["Mira", "building", "4"]
    assert "building" not in texts(parts.strip(p.shown(boom, (800, 480)), strip, True))


def test_who_speaks_is_who_was_picked_as_long_as_it_fits(boom: Any) -> None:
    now = p.shown(boom)
    asked = next(c.seat for c in boom.view.choices if c.why)
    free = next(c.seat for c in boom.view.choices if not c.why)
    assert parts.speaking(now, Nav()).seat == asked  # type: ignore[union-attr]
    assert parts.speaking(now, Nav(values=parts.heard(now, free))).seat == free  # type: ignore[union-attr]
    old = {"seat": free, "seq": boom.view.seq - 1}
    assert parts.speaking(now, Nav(values=old)).seat == asked  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("wanted", "number", "first", "end"), [(None, 0, 0, 4), (1, 1, 4, 8), (9, 2, 8, 9), (-1, 0, 0, 4)]
)
def test_pages_of_a_list(wanted: Any, number: int, first: int, end: int) -> None:
    assert parts.leaf(9, 4, wanted) == parts.Leaf(first, end, number, 3)
