"""What people do to a kiosk besides what it is made for: double taps, resting hands, buttons behind a page,
a full disk. A real host, a real window, fingers that are Kivy's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.journal import Journal, JournalIOError
from assistant.messages import Command, Holding, PanelState, PanelStatus, Press
from hardware.scripted import ScriptedPanel
from ui.kiosk.config import SETTINGS, Config
from ui.kiosk.host import COUNTDOWN_S, Host
from ui.kiosk.store import Settings, Store
from ui.presenters.elements import Button, Page, Text, intents, walk
from ui.presenters.intents import Ask, Go, Say
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav

SIZE = (1024, 600)
M = metrics(*SIZE)
NAMES = {"A": "Mira", "B": "Jonas", "C": "Aiko"}


class Table:
    """A kiosk at which an auction is judged, with its clock, a panel and a hand."""

    def __init__(self, screen: Any, games: Path, **begin: Any) -> None:
        from ui.kiosk.screen import PageWidget

        self.now, self.asked = 1000.0, 0
        self.panel = ScriptedPanel([])
        self.host = Host(Config(games=games), M, clock=lambda: self.now, panel=self.panel)
        self.widget = PageWidget(
            M, self.host.do, self.host.explain, late=self.host.late, clock=lambda: self.now
        )
        screen.show(self.widget)
        if begin:
            asked = {"title": "auction", "seats": NAMES, "set_up": True, **begin}
            self.host.do(Ask("begin", asked))
            if asked["title"] == "auction":
                self.told("try", "A", action={"do": "next_lot"})
        self.look()

    @property
    def view(self) -> Any:
        assert self.host.session is not None
        return self.host.session.view

    @property
    def bids(self) -> dict[str, int]:
        return {bidder.seat: bidder.value for bidder in self.view.display.auction.bidders}

    def look(self) -> Page:
        """The page as it stands once the table has done what it was told."""
        if self.host.session is not None:
            # The table does one thing after the other: when it has this, it has all before.
            self.asked += 1
            self.host.session.post(PanelStatus(PanelState.RUNNING, str(self.asked)))
            end = time.monotonic() + 10
            while self.view.panel is None or self.view.panel.text != str(self.asked):
                assert time.monotonic() < end, "the table does not come to rest"
                time.sleep(0.001)
        page = self.host.page(self.now)
        self.widget.update(page)
        return page

    def told(self, what: str, seat: str, **values: Any) -> Page:
        """The table is told something by other ways than this screen."""
        assert self.host.session is not None
        self.host.session.post(Command(what, seat, values, self.now))
        return self.look()

    def down(self, name: str) -> Any:
        from kivy.tests.common import UnitTestTouch

        from ui.kiosk.screen import middle

        x, y = middle(self.widget, name)
        finger = UnitTestTouch(x, SIZE[1] - y)
        finger.touch_down()
        return finger

    def tap(self, name: str, after: float = 1.0) -> Page:
        self.now += after
        self.down(name).touch_up()
        return self.look()

    def press(self, name: str, seat: str | None = None, *, held: bool = False) -> Page:
        """A button as the panel tells it: while a long press lasts it says so first."""
        if held:
            self.host._post(Holding(name, seat, self.now, self.now + 0.8, at=self.now))
        self.now += 1.0
        self.host._post(Press(name, seat, held=held, at=self.now))
        return self.look()


@pytest.fixture
def sit(screen: Any, tmp_path: Path) -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def sitting(**begin: Any) -> Table:
        tables.append(Table(screen, tmp_path / "games", **begin))
        return tables[-1]

    yield sitting
    for one in tables:
        one.host.close()


def texts(page: Page) -> list[str]:
    return [e.text for e in walk(page) if isinstance(e, Text | Button)]


# Fingers ------------------------------------------------------------------------------------------


def test_a_double_tap_bids_for_one_player_only(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    seq = table.view.seq
    table.tap("take")
    table.tap("take", after=0.25)
    assert table.view.seq == seq + 1
    assert sorted(table.bids.values()) == [0, 0, 1]
    table.tap("take", after=0.6)
    assert table.view.seq == seq + 2


def test_a_finger_that_was_down_before_another_played_does_nothing_and_says_so(
    sit: Callable[..., Table],
) -> None:
    table = sit(options={})
    finger = table.down("take")
    table.press("ok", "A")
    assert table.bids["A"] == 1
    finger.touch_up()
    page = table.look()
    assert table.bids == {"A": 1, "B": 0, "C": 0}
    assert page.prompt is not None
    assert page.prompt.text == "This changed while you touched it. Nothing was done."


def test_a_resting_hand_leaves_the_rest_of_the_page_free(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    table.down("plus")
    table.tap("take", after=0.2)
    assert table.bids["A"] == 1
    table.tap("plus", after=4.0)
    assert table.bids == {"A": 1, "B": 0, "C": 0}
    table.tap("take")
    assert table.bids["B"] == 3, "the finger whose lifting was lost no longer holds the button"


# Taking back ---------------------------------------------------------------------------------------


def test_taking_back_again_says_first_whose_consent_it_needs(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    table.tap("take")
    table.tap("take")
    assert (table.bids["A"], table.bids["B"]) == (1, 2)
    assert table.tap("undo").id == "auction"
    assert (table.bids["A"], table.bids["B"]) == (1, 0)
    page = table.tap("undo")
    assert page.id == "consent"
    assert (table.bids["A"], table.bids["B"]) == (1, 0)
    assert table.view.asking.needs == ("A",)
    assert "Mira bids 1" in texts(page)


def test_a_long_next_says_what_it_takes_back_and_ok_confirms_it(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    table.tap("take")
    page = table.press("next", held=True)
    assert page.id == "consent"
    assert table.bids["A"] == 1
    assert "Mira bids 1" in texts(page)
    table.press("ok", "B")
    assert table.bids == {"A": 1, "B": 0, "C": 0}, "whoever is not asked does not play on behind the page"
    table.press("ok", "A")
    assert table.bids["A"] == 0


# Buttons behind a page -------------------------------------------------------------------------------


@pytest.mark.parametrize("held", [False, True])
def test_ok_on_the_question_whether_anybody_is_there_plays_nothing(
    sit: Callable[..., Table], held: bool
) -> None:
    table = sit(options={})
    seq = table.view.seq
    table.now += 31 * 60
    assert table.look().id == "idle"
    assert table.press("ok", "A", held=held).id == "auction"
    assert table.view.seq == seq
    table.now += COUNTDOWN_S
    assert table.look().id == "auction", "it is answered"
    table.press("ok", "A")
    assert table.view.seq == seq + 1


@pytest.mark.parametrize("where", ["log", "rule", "score", "menu", "pin"])
def test_a_button_on_a_page_that_covers_the_table_brings_the_table_back(
    sit: Callable[..., Table], where: str
) -> None:
    table = sit(options={})
    seq = table.view.seq
    table.host.do(Go(where))
    assert table.look().id == where
    table.press("ok", "A")
    assert (table.look().id, table.view.seq) == ("auction", seq)
    table.press("ok", "A")
    assert table.view.seq == seq + 1


def test_a_button_while_the_clocks_stand_still_lets_them_go_on(sit: Callable[..., Table]) -> None:
    table = sit(options={}, clocks=True)
    table.tap("pause")
    assert table.view.paused
    assert "clocks stand still" in texts(table.look())
    seq = table.view.seq
    table.press("ok", "A")
    assert not table.view.paused
    assert table.view.seq == seq


def test_a_button_that_leaves_staffs_page_logs_staff_out(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    table.host.do(Ask("set_pin", {"digits": "2580"}))
    assert table.look().id == "staff"
    table.press("plus", "A")
    assert table.look().id == "auction"
    assert not table.host.staff


# What comes before a page that is open ---------------------------------------------------------------


def test_consent_comes_before_an_open_page_which_is_there_again_afterwards(
    sit: Callable[..., Table],
) -> None:
    table = sit(options={})
    table.tap("take")
    table.tap("take")
    table.tap("log")
    assert table.told("ask_undo", "B", steps=2).id == "consent"
    assert table.tap("rule").id == "rule", "to look something up is not to leave the question"
    assert table.tap("back").id == "consent"
    assert table.tap("agree:A").id == "log"
    assert table.bids == {"A": 0, "B": 0, "C": 0}


def test_a_refusal_comes_before_an_open_page_and_goes_when_something_else_is_accepted(
    sit: Callable[..., Table],
) -> None:
    table = sit(options={})
    table.host.do(Go("log"))
    assert table.told("try", "A", action={"do": "bid", "space": 0}).id == "refusal"
    assert table.told("try", "A", action={"do": "bid", "space": 3}).id == "log"
    table.tap("leave")
    assert table.told("try", "B", action={"do": "bid", "space": 3}).id == "refusal"
    seq = table.view.seq
    assert table.press("plus", "B").id == "auction"
    assert table.view.seq == seq


# The record --------------------------------------------------------------------------------------------


def test_a_ruling_that_was_lost_is_told_until_something_is_recorded(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sit(options={})
    lost = "the disk failed, and works again. This ruling is not recorded."

    def fails(*_: Any) -> Any:
        raise JournalIOError(lost)

    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", fails)
        page = table.tap("take")
    assert table.bids["A"] == 0
    assert page.id == "refusal"
    assert page.alarm
    assert page.prompt is not None
    assert page.prompt.text == "NOT recorded: what was done last"
    assert lost not in texts(page), "which file it is, and why, is for staff"
    table.host.staff_until = table.now + 100
    assert lost in texts(table.look())
    assert table.host.shown(table.now).house.record.health == "look"
    assert table.tap("understood").id == "auction"
    assert table.host.shown(table.now).house.record.health == "look"
    table.tap("take")
    assert table.bids["A"] == 1
    assert table.host.shown(table.now).house.record.health == "good"


# The menu ------------------------------------------------------------------------------------------------


def test_staff_let_a_game_go_on_whose_disk_fails_again_and_again(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sit(options={})

    def fails(*_: Any) -> Any:
        raise JournalIOError("the disk failed, and works again")

    monkeypatch.setattr(Journal, "append", fails)
    for _ in range(2):
        page = table.tap("take")
        assert page.id == "refusal"
        assert "unrecorded" not in intents(page)
        page = table.tap("understood")
    table.tap("take")
    table.tap("staff")
    table.host.do(Ask("set_pin", {"digits": "2580"}))
    page = table.look()
    assert page.id == "refusal"
    table.tap("unrecorded")
    assert table.view.unrecorded
    page = table.look()
    if page.id == "refusal":
        page = table.tap("understood")
    assert page.id == "auction"
    table.tap("take")
    assert table.bids["A"] == 1
    assert "not recorded" in texts(table.look())


def test_a_game_is_parked_from_the_table_with_one_tap_and_a_second_elsewhere(
    sit: Callable[..., Table],
) -> None:
    table = sit(options={})
    assert table.tap("menu").id == "menu"
    assert table.tap("park").id == "menu-park"
    assert table.tap("keep").id == "auction"
    table.tap("menu")
    first = table.down("park")
    first.touch_up()
    assert table.look().id == "menu-park"
    table.now += 0.2
    again = type(first)(first.x, first.y)
    again.touch_down()
    again.touch_up()
    assert table.look().id == "menu-park", "the second half of a double tap confirms nothing"
    table.tap("park")
    assert table.host.session is None


def test_staff_come_and_go_while_a_game_is_played(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    table.tap("take")
    assert table.told("try", "A", action={"do": "bid", "space": 1}).id == "refusal"
    table.tap("understood")
    table.tap("menu")
    assert table.tap("staff").id == "pin"
    table.host.do(Ask("set_pin", {"digits": "2580"}))
    assert table.look().id == "staff"
    assert table.tap("leave").id == "auction", "what was answered before stays answered"
    assert table.bids["A"] == 1


def test_the_sheet_is_saved_from_the_menu(sit: Callable[..., Table]) -> None:
    table = sit(title="railway_boom", machine_draws=True)
    table.tap("menu")
    table.tap("save_sheet")
    assert table.host.said.startswith("Saved as ")
    assert Path(table.host.said.removeprefix("Saved as ")).read_text()


def test_the_chart_is_offered_where_there_is_one(sit: Callable[..., Table]) -> None:
    table = sit(options={})
    for _ in range(40):
        if table.view.finished:
            break
        choice = next(c for c in table.view.choices if c.why or c.options)
        kinds = [option.kind for option in choice.options]
        wanted = next((k for k in ("close", "lock_in", "confirm") if k in kinds), kinds[0])
        values = {"choice": choice.id, "index": kinds.index(wanted)}
        table.host.do(Say(Command("take", choice.seat, values)))
        table.look()
    page = table.look()
    assert page.id == "final"
    assert "save_chart" not in intents(page)
    assert "save_sheet" in intents(page)


# Staff and settings ------------------------------------------------------------------------------------


def test_a_pin_that_is_too_easy_is_chosen_from_the_beginning(sit: Callable[..., Table]) -> None:
    table = sit()
    table.host.do(Go("pin"))
    table.look()
    for _ in range(2):
        for _ in range(4):
            table.tap("key:1", after=0.1)
        table.tap("ok")
    page = table.look()
    assert page.prompt is not None
    assert page.prompt.text == "Staff: choose a PIN of 4 to 12 digits"
    assert page.prompt.detail == "This PIN is too easy to guess."


def test_a_pin_that_could_not_be_written_is_not_said_to_be_set(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sit()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Store, "save", full)
    table.host.do(Ask("set_pin", {"digits": "2580"}))
    assert table.host.said == "The PIN could not be written: it holds until the machine is switched off."
    assert table.host.staff


@pytest.mark.parametrize("wrong", [{"language": "fr"}, {"idle_minutes": 0.0}, {"idle_minutes": -5.0}])
def test_a_setting_out_of_range_is_a_damaged_file(
    sit: Callable[..., Table], tmp_path: Path, wrong: dict[str, Any]
) -> None:
    games = tmp_path / "games"
    games.mkdir()
    bad = msgspec.structs.replace(Settings(), **wrong)
    (games / SETTINGS).write_bytes(msgspec.json.encode(bad))
    table = sit()
    assert (table.host.language, table.host.idle_minutes) == ("en", 30)
    assert (games / f"{SETTINGS}.damaged-1").exists()
    assert table.host.said


def test_names_that_were_entered_go_with_the_group(sit: Callable[..., Table]) -> None:
    table = sit()
    table.host.nav = Nav(drafts={"new_game auction": {"title": "auction", "seats": {"A": "Mira"}}})
    table.host.do(Ask("forget"))
    assert table.host.nav.drafts == {}
    table.host.nav = Nav(since=table.now, drafts={"new_game auction": {"title": "auction"}})
    table.now += 60 * 60
    table.look()
    assert table.host.nav.drafts == {}


def test_a_tie_that_is_settled_by_what_nobody_entered_says_so(sit: Callable[..., Table]) -> None:
    table = sit()
    position = {"objectives": ["O01", "O05", "O08", "O11"]}
    asked = {"title": "railway_boom", "seats": dict.fromkeys(NAMES, "")}
    table.host.do(Ask("score_position", {**asked, "position": position}))
    level = "Some are level, and what settles it was not entered: discs, left to right."
    assert table.look().id == "final"
    assert table.host.said.lower() == level.lower()
    table.host.do(Ask("close"))
    entered = {**position, "white": ["A", "B", "C"]}
    table.host.do(Ask("score_position", {**asked, "position": entered}))
    assert table.host.said == ""
