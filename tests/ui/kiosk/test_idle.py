"""A page is made and drawn when something that it shows has changed, and at no other time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.messages import Holding
from ui.bench import ui as bench
from ui.kiosk.config import Config
from ui.kiosk.host import PULSE_S, Host, beat
from ui.kiosk.shelf import offered
from ui.kiosk.staging import scenes
from ui.presenters import present
from ui.presenters.intents import Ask, Go
from ui.presenters.metrics import metrics

FRAME_S = 1 / 30
SIZES = metrics(1024, 600)
BEGIN = {"title": "railway_boom", "seats": {"A": "Mira", "B": "Jonas"}, "machine_draws": True, "set_up": True}


class Table:
    """A host, a clock that stands where it is put, and how many pages were made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.pages = 0
        self.host = Host(Config(games=folder), SIZES, clock=lambda: self.now)
        making = present.page

        def counted(*what: Any) -> Any:
            self.pages += 1
            return making(*what)

        monkeypatch.setattr(present, "page", counted)

    def made(self, seconds: float) -> int:
        """How many pages are made in the frames of so many seconds."""
        before = self.pages
        for _ in range(round(seconds / FRAME_S)):
            self.now += FRAME_S
            self.host.page(self.now)
        return self.pages - before

    def begin(self, **more: Any) -> Any:
        self.host.do(Ask("begin", {**BEGIN, **more}))
        session = self.host.session
        assert session is not None, self.host.said
        # What was said when it began has to be through the table.
        self.settle()
        self.host.page(self.now)
        return session

    def settle(self) -> None:
        """Wait until the table has handled what was posted."""
        session = self.host.session
        assert session is not None
        end = time.monotonic() + 10
        while not session.table._queue.empty():
            assert time.monotonic() < end
            time.sleep(0.005)
        time.sleep(0.05)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table(tmp_path / "games", monkeypatch)
    yield table
    table.host.close()


def test_a_page_that_stands_is_made_once(table: Table) -> None:
    assert table.made(20) == 1
    table.begin()
    assert table.made(20) == 0


@pytest.mark.parametrize("screen", ["log", "score", "rule", "names", "new_game", "house_rules", "pin"])
def test_so_is_every_screen_that_somebody_went_to(table: Table, screen: str) -> None:
    table.begin()
    table.host.do(Go(screen, {"title": "railway_boom", "seat": "A"}))
    assert table.made(10) == 1


def test_a_touch_a_view_and_words_of_the_house_are_shown_in_the_next_frame(table: Table) -> None:
    session = table.begin()
    before = table.host.page(table.now)
    table.host.do(Go("log"))
    assert table.host.page(table.now).id != before.id
    table.host.do(Go(""))
    assert table.host.page(table.now) == before
    table.host.said = "The chart is saved."
    said = table.host.page(table.now)
    assert said != before
    table.host.said = ""
    session.view = msgspec.structs.replace(session.view, unrecorded=True)
    assert table.host.page(table.now) != before


def test_a_button_that_is_held_moves_in_every_frame_until_its_end(table: Table) -> None:
    session = table.begin()
    seat = session.view.acting[0].seat
    holding = Holding("ok", seat, table.now, table.now + 0.8, at=table.now)
    session.view = msgspec.structs.replace(session.view, holding=(holding,))
    assert table.made(0.7) == 21
    table.made(0.2)
    assert table.made(5) == 0


def test_clocks_go_on_each_second_and_cost_one_page_each(table: Table) -> None:
    session = table.begin(clocks=True)
    seat = session.view.acting[0].seat
    before = session.view.clocks[seat]
    pages = 0
    for _ in range(10):
        pages += table.made(1)
        table.settle()
    pages += table.made(FRAME_S)
    assert 9 <= session.view.clocks[seat] - before <= 10
    assert 9 <= pages <= 11


def test_seconds_that_are_counted_cost_few_pages(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.begin()
    table.now += table.host.idle_minutes * 60
    assert table.made(FRAME_S) == 1
    assert table.host.page(table.now).id == "idle"
    assert 9 <= table.made(10) <= 11
    table.host.do(Ask("here"))
    monkeypatch.setattr(table.host, "open", lambda: False)
    table.host._in_trouble("the card is full")
    table.made(FRAME_S)
    # For how long, and until the next attempt: they turn at different times.
    assert 9 <= table.made(10) <= 10 / PULSE_S + 10 + 1


def test_no_page_shows_more_of_the_time_than_it_is_made_anew_for() -> None:
    for scene in scenes(SIZES, "en", offered(("railway_boom", "auction"))):
        later = msgspec.structs.replace(scene.shown, now=scene.shown.now + 3600)
        if beat(scene.shown) == beat(later):
            assert present.page(scene.shown, scene.nav) == present.page(later, scene.nav), scene.name


def test_a_window_on_which_nothing_happens_draws_nothing() -> None:
    figures = {row.name: row.value for row in bench._elsewhere("stand", 1.0)}
    assert figures["a page that stands, pages made"] == 0
    assert figures["a page that stands, frames drawn"] == 0
