"""What the pages of a running game share."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from assistant.choosing import Option
from assistant.display import Change, Foresight, Gauge, Strip
from assistant.events import Told
from assistant.games.railway_boom.actions import PlaceRT, TakeLoco
from tests.ui.presenters import playing as p
from ui.presenters import elements, parts
from ui.presenters.elements import Hex, Text, Token
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


def test_labels_name_cards_and_places(boom: Any) -> None:
    now = p.shown(boom)
    assert parts.option_label(now, Option("offer", "place_rt", PlaceRT("A", "g9"))) == "Rail on g9"
    assert (
        parts.option_label(now, Option("offer", "take_loco", TakeLoco("A", "L05"))) == "Take Locomotive L05"
    )
    assert parts.option_label(now, Option("value", "convert", value="money")) == "Money"
    assert parts.option_label(now, Option("value", "convert", value=3)) == "3"
    german = p.shown(boom, language="de")
    assert parts.option_label(german, Option("offer", "place_rt", PlaceRT("A", "g9"))) == "Schiene auf g9"
    assert parts.action_words(now, PlaceRT("B", "g9")) == "Jonas places a rail on g9"


def test_what_would_change_is_said_in_words(boom: Any) -> None:
    now = p.shown(boom)
    told = Told("end_turn", "A", {"next": "B"})
    foresight = Foresight((Change("coal", 3, 1), Change("vp", 0, 2)), told)
    assert parts.foresight_words(now, foresight) == "Jonas is next. 3 → 1 Coal, 0 → 2 VP."
    hidden = p.shown(boom, hidden_scores=True)
    assert parts.foresight_words(hidden, foresight) == "Jonas is next. 3 → 1 Coal."


def test_the_map_is_labelled_by_the_names_of_its_spaces(boom: Any) -> None:
    drawn = parts.hexes(p.shown(boom), lit={"g9": "2"}, chosen="g9", seen=[("g9", Token("B", seen=True))])
    rows, columns = parts.edges(drawn)
    assert rows[0] == "a"
    assert columns[0] == "1"
    lit = next(h for h in drawn if h.space == "g9")
    assert lit.lit
    assert lit.chosen
    assert lit.cost == "2"
    assert any(token.seen for token in lit.tokens)
    assert all(h.dim for h in drawn if h.space != "g9")
    assert parts.edges((Hex("one", 0, 0, "plains"),)) == ((), ())


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
