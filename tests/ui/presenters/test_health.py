"""What the status bar and the page say of machine, camera and program."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from tests.ui.presenters import playing as p
from ui import health
from ui.health import Reading
from ui.presenters import parts, present, vitals
from ui.presenters.elements import Arm, Icon, Page, Panel, StopLine, Text, intents, walk
from ui.presenters.intents import Go
from ui.presenters.metrics import metrics
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import House, Shown, State
from ui.presenters.words import Words

GOOD = State("good")
WELL = (
    health.power(0),
    health.heat(50.0),
    health.disk(8_000_000_000),
    health.camera("running", rate=2.0, age=0.2),
    health.start(4.0),
    health.memory(200.0),
)
WRONG = (
    health.power(0x1),
    health.power(0x8),
    health.power(0x10000),
    health.power(0x80000),
    health.heat(72.0),
    health.heat(84.0),
    health.disk(300_000_000),
    health.disk(1_000_000),
    health.camera("running", rate=0.2, age=4.0),
    health.camera("running", rate=2.0, age=40.0),
    health.camera("restarting", rate=0.0, age=40.0),
    health.start(90.0),
    health.memory(900.0),
)
WARNED = {
    "power": (health.power(0x1), "low power", "Strom schwach"),
    "slowed": (health.power(0x4), "slowed down", "gebremst"),
    "warm": (health.heat(72.0), "warm: 72 °C", "warm: 72 °C"),
    "hot": (health.heat(84.0), "hot: 84 °C", "heiß: 84 °C"),
    "little": (health.disk(300_000_000), "disk nearly full", "Speicher fast voll"),
    "full": (health.disk(1_000_000), "disk full", "Speicher voll"),
}


def shown(
    *readings: Reading, language: str = "en", size: tuple[int, int] = (1024, 600), **more: Any
) -> Shown:
    house = House("x", (), camera=GOOD, panel=GOOD, record=GOOD, health=readings or WELL)
    return Shown(msgspec.structs.replace(house, **more), metrics(1024, 600), Words(language))


def texts(element: Any) -> list[str]:
    whole = element if isinstance(element, Page) else Page("x", element)
    return [one.text for one in walk(whole) if isinstance(one, Text)]


@pytest.mark.parametrize("name", WARNED)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bar_warns_in_words_beside_a_sign(name: str, language: str) -> None:
    one, english, german = WARNED[name]
    row = Page("x", parts.top(shown(one, language=language)))
    assert texts(row)[0] == (english if language == "en" else german)
    assert vitals.ICONS[one.name] in {each.name for each in walk(row) if isinstance(each, Icon)}


def test_the_bar_says_nothing_of_what_is_well_or_over() -> None:
    assert texts(parts.top(shown())) == ["2/s"]
    was, slow, much = health.power(0x10000), health.start(90.0), health.memory(900.0)
    assert vitals.warnings(shown(was, slow, much)) == ()
    assert "The voltage was too low since the start" in texts(present.page(shown(was), Nav("health")))


def test_of_several_warnings_the_worst_is_named_and_the_others_are_counted() -> None:
    found = shown(health.heat(72.0), health.disk(1_000_000), health.power(0x10000))
    assert texts(parts.top(found))[0] == "disk full +1"


@pytest.mark.parametrize(
    ("state", "rate", "age", "words", "tone"),
    [
        ("running", 2.4, 1.0, "2/s", "text2"),
        ("running", 0.7, 1.0, "0.7/s", "text2"),
        ("running", 0.3, 1.0, "0.3/s", "caution"),
        ("running", 2.0, 15.0, "15 s old", "caution"),
        ("running", None, None, "", "text2"),
        ("restarting", 2.0, 1.0, "", "text2"),
        ("ended", 0.0, 900.0, "", "text2"),
    ],
)
def test_the_cameras_rate_stands_beside_its_sign(
    state: str, rate: float | None, age: float | None, words: str, tone: str
) -> None:
    found = shown(health.camera(state, rate=rate, age=age))
    assert vitals.camera_short(found) == (words, tone)
    # The tick goes with the colour: neither alone says that something is wrong.
    signs = [one.name for one in walk(Page("x", parts.top(found))) if isinstance(one, Icon)]
    assert signs.count("check") == (2 if tone == "caution" else 3)


def test_numbers_are_written_as_the_language_does() -> None:
    assert vitals.told(shown(language="de"), WELL[2]) == "8,0 GB frei"
    assert vitals.told(shown(), WELL[2]) == "8.0 GB free"
    assert vitals.told(shown(), health.disk(310_000_000)) == "310 MB free"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_says_of_each_thing_how_it_is_and_what_to_do(language: str) -> None:
    for one in (*WELL, *WRONG):
        found = shown(one, language=language, staff=True)
        page = present.page(found, Nav("health"))
        fix = vitals.advice(found, one)
        assert bool(fix) == (one.light != "green")
        assert vitals.told(found, one) in texts(page)
        assert (fix in texts(page)) == bool(fix)
        arms = [each.signal for each in walk(page) if isinstance(each, Arm)]
        assert arms == [vitals.SIGNALS[one.light]]
        assert page.prompt is not None
        assert page.prompt.signal == arms[0]
        assert page.prompt.text == (fix or page.prompt.text)


def test_what_is_to_be_mended_stands_first() -> None:
    mixed = (WELL[0], health.heat(72.0), health.disk(1_000_000), WELL[3])
    page = present.page(shown(*mixed), Nav("health"))
    assert [one.signal for one in walk(page) if isinstance(one, Arm)] == ["stop", "caution", "clear", "clear"]


def test_staff_sees_the_program_too() -> None:
    guests, staff = (present.page(shown(staff=staff), Nav("health")) for staff in (False, True))
    assert not {"Start-up", "Memory"} & set(texts(guests))
    onward = present.page(shown(staff=True), Nav("health", {"page": 1}))
    assert {"Start-up", "Memory"} <= {*texts(staff), *texts(onward)}


def test_a_reading_without_words_is_said_as_it_came() -> None:
    odd = Reading("wind", "amber", "from the east", "Close the window.")
    page = present.page(shown(odd), Nav("health"))
    assert {"Wind", "from the east", "Close the window."} <= set(texts(page))


def test_the_signs_lead_there_and_back() -> None:
    found = shown()
    assert intents(Page("x", parts.top(found)))["health"] == Go("health")
    page = present.page(found, Nav("health"))
    assert intents(page) == {"leave": Go(BACK)}
    # Nowhere where nobody asks the machine, and not from where trouble would hide the page.
    bare = msgspec.structs.replace(found, house=msgspec.structs.replace(found.house, health=()))
    assert intents(Page("x", parts.top(bare))) == {}
    assert intents(Page("x", parts.top(shown(trouble="The card is full")))) == {}


@pytest.mark.parametrize("size", p.SIZES)
def test_a_warning_takes_the_place_of_the_phases(size: tuple[int, int]) -> None:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    for readings, phases in ((WELL, 1), ((health.heat(84.0),), 0)):
        house = House("x", (), camera=GOOD, panel=GOOD, record=GOOD, health=readings)
        row = Page("x", parts.top(p.shown(judge, size, house=house)))
        assert sum(isinstance(one, StopLine) for one in walk(row)) == phases


def test_the_menu_and_staff_lead_there() -> None:
    judge = p.table(p.game("railway_boom"))
    house = House("x", (), camera=GOOD, panel=GOOD, record=GOOD, health=WELL)
    menu = present.page(p.shown(judge, house=house), Nav("menu"))
    assert intents(menu)["machine"] == Go("health")
    assert isinstance(next(one for one in walk(menu) if getattr(one, "id", "") == "machine"), Panel)
    staff = present.page(shown(staff=True), Nav("staff", {"section": "about"}))
    assert intents(staff)["machine"] == Go("health")
    bare = House("x", (), camera=GOOD, panel=GOOD, record=GOOD)
    assert "machine" not in intents(present.page(p.shown(judge, house=bare), Nav("menu")))
