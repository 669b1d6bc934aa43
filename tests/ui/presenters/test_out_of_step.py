"""Table and record differ: seen, recorded, allowed, and one tap to settle each."""

from __future__ import annotations

import random
from typing import Any
from unittest import mock

import pytest

from assistant.messages import Saw
from assistant.observation import Observation, Sighting
from assistant.reading import Difference, OutOfStep, Spot
from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.elements import Board, Button, Panel
from ui.presenters.intents import Go
from ui.presenters.nav import Nav


def looked(judge: Any, *added: Spot, gone: int = 0, hidden: tuple[str, ...] = (), codes: int = 0) -> None:
    """The camera sees the recorded table, without its first `gone` tokens, with these pieces besides."""
    game = judge.referee.game
    mat = p.mat_of(game)
    assert mat is not None
    laid = game.scene(judge.referee.state).placements
    used = {placement.payload for placement in laid}
    lying = [Sighting(q.payload, 0.0, 0.0, 0.0, 3.0, q.space, q.slot) for q in laid[gone:]]
    for spot in added:
        piece = next(
            x for x in mat.pieces if (x.what, x.seat) == (spot.what, spot.seat) and x.payload not in used
        )
        used.add(piece.payload)
        lying.append(Sighting(piece.payload, 0.0, 0.0, 0.0, 3.0, spot.space, spot.seat))
    foreign = tuple(f"COFFEE{n}" for n in range(codes))
    judge.handle(Saw(Observation(tuple(lying), frozenset(hidden), foreign=foreign)))


@pytest.fixture
def table() -> Any:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    return judge


def nav_of(judge: Any) -> Nav:
    return Nav(seen_notice=judge.view.notices[-1].id)


def slips(judge: Any) -> Any:
    return judge.referee.game.slips(judge.referee.state, random.Random(3))


def test_differences_come_before_an_open_page_which_is_there_again_afterwards(table: Any) -> None:
    opened = present.on(nav_of(table), Go("log"), p.shown(table))
    assert present.screen_for(p.shown(table), opened) == "log"
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong)
    shown = p.shown(table)
    assert present.screen_for(shown, opened) == "out_of_step"
    # To look at the picture or the record is not to leave the question.
    for name in ("picture", "log"):
        aside = present.on(opened, elements.intents(present.page(shown, opened))[name], shown)
        assert present.screen_for(shown, aside) == name
        assert present.screen_for(shown, present.on(aside, Go("back"), shown)) == "out_of_step"
    later = present.on(opened, elements.intents(present.page(shown, opened))["later"], shown)
    assert present.screen_for(shown, later) == "log"


def test_a_button_puts_the_differences_off_and_plays_nothing(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong)
    shown, nav = p.shown(table), nav_of(table)
    assert not present.plays(shown, nav)
    after = present.uncovered(nav, shown)
    assert present.screen_for(shown, after) == "table"
    assert present.plays(shown, after)


def test_a_rail_that_may_not_lie_there(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong, hidden=("a10",) if wrong.space != "a10" else ("a11",))
    assert isinstance(table.view.reading, OutOfStep)
    for page in j.drawn(table, nav_of(table)):
        assert page.id == "out_of_step"
    page = present.page(p.shown(table), nav_of(table))
    assert page.prompt is not None
    assert page.prompt.text == "Table and record differ in 1 place"
    assert wrong.space in page.prompt.detail
    assert page.alarm
    words = j.texts(page)
    assert "1 area covered, not judged" in words
    assert words.count(p.NAMES[wrong.seat]) == 1  # seen, and not recorded
    assert "empty" in words
    assert "No" in words
    assert "RB-EXP-7" in words
    seen, recorded = (e for e in elements.walk(page) if isinstance(e, Board))
    assert [t.seat for t in seen.hexes[0].tokens] == [wrong.seat]
    assert recorded.hexes[0].tokens == ()


def test_each_way_to_settle_does_what_it_says(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong)
    shown, nav = p.shown(table), nav_of(table)
    there = elements.intents(present.page(shown, nav))
    assert table.view.settles == (("put_back", "agreed"),)
    put_back = j.command(there["put_back:0"])
    assert put_back.values.get("how") == "put_back" or put_back.what == "look"
    nav = p.touch(table, nav, there["agreed:0"])
    assert table.view.asking is not None
    assert table.view.asking.what == "overrule"
    assert present.screen_for(p.shown(table), nav) == "consent"


def test_what_was_seen_and_is_legal_is_recorded_with_one_tap(table: Any) -> None:
    choice = next(c for c in table.view.choices if c.why == "route")
    legal = next(o.places[0] for o in choice.options if o.kind == "place_rt" and o.places)
    odd = OutOfStep((Difference("not_now", legal, choice.seat, piece="rail"),))
    with mock.patch("assistant.table.read", return_value=odd):
        looked(table)
        page = j.whole(present.page(p.shown(table), nav_of(table)))
        assert "Yes" in j.texts(page)
        assert [e.id for e in elements.walk(page) if isinstance(e, Button) and e.id.startswith("record")] == [
            "record:0"
        ]
        before = table.view.seq
        p.touch(table, nav_of(table), elements.intents(page)["record:0"])
    assert table.view.seq == before + 1
    assert (legal, choice.seat) in [(t.space, t.seat) for t in table.view.display.tokens]


def test_many_differences_are_paged_and_each_keeps_its_number(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong, codes=4)
    reading = table.view.reading
    assert isinstance(reading, OutOfStep)
    assert len(reading.differences) == 5
    nav, found = nav_of(table), []
    for _ in range(3):
        for page in j.drawn(table, nav):
            assert page.id == "out_of_step"
        page = present.page(p.shown(table), nav)
        found += [
            e.id for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("difference:")
        ]
        nav = j.go(p.shown(table), nav, "page")
    assert found == [f"difference:{n}" for n in range(5)]


def test_a_recorded_piece_that_is_gone_is_seen_as_empty(table: Any) -> None:
    looked(table, gone=1)
    reading = table.view.reading
    assert isinstance(reading, OutOfStep)
    assert reading.differences[0].kind == "missing"
    page = j.whole(present.page(p.shown(table), nav_of(table)))
    seen, recorded = (e for e in elements.walk(page) if isinstance(e, Board))
    assert len(recorded.hexes[0].tokens) == len(seen.hexes[0].tokens) + 1
    assert [b for b in elements.intents(page) if b.startswith(("record:", "agreed:"))] == []


def test_later_lets_the_game_go_on_by_touch(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong)
    nav = j.go(p.shown(table), nav_of(table), "later")
    assert present.screen_for(p.shown(table), nav) == "table"


def test_later_holds_until_they_differ_in_another_way(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong)
    nav = j.go(p.shown(table), nav_of(table), "later")
    for intent in (Go("log"), Go(""), Go("rule"), Go("")):
        nav = present.on(nav, intent, p.shown(table))
    looked(table, wrong)
    assert present.screen_for(p.shown(table), nav) == "table"
    looked(table, wrong, codes=1)
    assert present.screen_for(p.shown(table), nav) == "out_of_step"
    nav = j.go(p.shown(table), nav, "later")
    looked(table)
    looked(table, wrong)
    assert present.screen_for(p.shown(table), nav) == "out_of_step"


def test_while_it_waits_there_is_a_sign_and_a_way_back(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    assert "table differs" not in j.texts(present.page(p.shown(table), nav_of(table)))
    looked(table, wrong)
    nav = j.go(p.shown(table), nav_of(table), "later")
    for page in j.drawn(table, nav):
        assert page.id == "table"
        assert any(isinstance(e, Panel) and e.id == "differs" for e in elements.walk(page))
        assert elements.intents(page)["differences"] == Go("out_of_step")
    looked(table)
    page = present.page(p.shown(table), nav)
    assert "differences" not in elements.intents(page)
    assert "log" in elements.intents(page)


def test_ways_on_to_the_picture_the_log_and_another_look(table: Any) -> None:
    (wrong,) = slips(table)["not_connected"]
    looked(table, wrong)
    there = elements.intents(present.page(p.shown(table), nav_of(table)))
    assert there["picture"] == Go("picture")
    assert isinstance(there["log"], Go)
    assert j.command(there["look"]).what == "look"
    looked(table)
    assert present.screen_for(p.shown(table), nav_of(table)) == "table"
    for page in j.drawn(table, Nav("out_of_step")):
        assert elements.intents(page)["leave"] == Go("")
