"""The check before play: what is well, what is to be mended first, and going on whatever it says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.kiosk.eyes import Readiness
from ui.presenters import elements, present
from ui.presenters.elements import Arm, Camera, Page
from ui.presenters.intents import Ask, Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import State
from vision.readiness import Check, Light

ALL = frozenset(f"{seat} {name}" for seat in "ABCD" for name in ("plus", "ok"))
GREEN, AMBER, RED = Light.GREEN, Light.AMBER, Light.RED
WELL = (
    Check("sharp", GREEN, "x", values={"blur_px": 1.0, "module_px": 3.0}),
    Check("light", GREEN, "x", values={"white": 200, "black": 20}),
    Check("lens", GREEN, "x"),
    Check("mat", GREEN, "x", values={"seen": 8, "printed": 8}),
    Check("tags", GREEN, "x", values={"px_per_module": 2.2, "needed": 2.0}),
    Check("glare", GREEN, "x", values={"spots": 0, "mm2": 0}),
    Check("shadow", GREEN, "x", values={"darkest": 0.9}),
    Check("pieces", GREEN, "x", values={"read": 22, "foreign": 0, "covered": 0}),
    Check("places", GREEN, "x", values={"error_mm": 0.4, "residual_mm": 0.1, "markers": 8}),
    Check("camera", GREEN, "x", values={"moved_mm": 0.2}),
)
BAD = (
    (Check("sharp", RED, "x"), "Focus the camera, or add light", "Edges are soft"),
    (Check("light", AMBER, "x", values={"white": 60, "black": 9}), "Add light", "Too dark"),
    (Check("light", AMBER, "x", values={"white": 250, "black": 9}), "Take light away", "Too bright"),
    (
        Check("lens", AMBER, "x"),
        "Wipe the lens, and keep lamps out of its view",
        "Hazy, or a lamp shines into it",
    ),
    (
        Check("mat", RED, "x", values={"seen": 3, "printed": 8}),
        "Uncover all marks, or let the camera see the whole mat",
        "3 of 8 marks seen",
    ),
    (
        Check("tags", RED, "x", values={"px_per_module": 1.2, "needed": 2.0, "lower_cm": 14}),
        "Lower the camera 14 cm, or print larger tags",
        "1.2 px a module, 2.0 needed",
    ),
    (
        Check("glare", AMBER, "x", place="h10", values={"spots": 1, "mm2": 9.0}),
        "Turn the lamp away from h10",
        "One spot near h10",
    ),
    (Check("shadow", AMBER, "x", place="c4"), "Move what throws the shadow", "Dark near c4"),
    (
        Check("pieces", AMBER, "x", values={"read": 4, "foreign": 0, "covered": 2}),
        "Uncover the table",
        "4 pieces read, 2 places covered",
    ),
    (
        Check("pieces", AMBER, "x", values={"read": 1, "foreign": 3, "covered": 0}),
        "Take away what carries other codes",
        "One piece read",
    ),
    (
        Check("places", AMBER, "x", values={"error_mm": 1.5}),
        "Uncover more marks; some far apart are best",
        "Right to 1.5 mm",
    ),
    (Check("camera", AMBER, "x", values={"moved_mm": 9.0}), "Fix the camera's arm", "It was pushed"),
    (Check("news", RED, "Something new", "Do something new"), "Do something new", "Something new"),
)


def page_of(readiness: Readiness | None, values: dict[str, Any] | None = None, **more: Any) -> Page:
    language, size = more.pop("language", "en"), more.pop("size", (1024, 600))
    shown = j.alone(size, language, readiness=readiness, **{"pressed": ALL, **more})
    return j.whole(present.page(shown, Nav("readiness", values or {})))


def rows(readiness: Readiness, **more: Any) -> list[str]:
    """The lines over all pages."""
    out, number = [], 0
    while True:
        page = page_of(readiness, {"page": number}, **more)
        out += j.texts(page)
        if "page:later" not in elements.intents(page):
            return out
        number += 1


def test_all_well() -> None:
    page = page_of(Readiness(WELL))
    assert page.prompt is not None
    assert (page.prompt.text, page.prompt.signal) == ("All is ready", "clear")
    assert {e.signal for e in elements.walk(page) if isinstance(e, Arm)} == {"clear"}
    said = rows(Readiness(WELL))
    assert "x" not in said
    for words in ("Focus holds", "8 of 8 marks seen", "22 pieces read", "Right to 0.4 mm", "Where it was"):
        assert words in said


@pytest.mark.parametrize(("check", "advice", "told"), BAD, ids=lambda each: getattr(each, "name", ""))
def test_what_is_to_be_mended_first_is_said_first(check: Check, advice: str, told: str) -> None:
    others = tuple(each for each in WELL if each.name != check.name)
    page = page_of(Readiness((*others, check)))
    assert page.prompt is not None
    assert (page.prompt.text, page.prompt.detail) == (advice, told)
    assert page.prompt.signal == ("caution" if check.light is AMBER else "stop")


@pytest.mark.parametrize("size", p.SIZES)
def test_every_line_has_its_words_in_german(size: tuple[int, int]) -> None:
    bad = tuple(check for check, _, _ in BAD if check.name != "news")
    english, german = (set(rows(Readiness((*WELL, *bad)), language=one, size=size)) for one in ("en", "de"))
    assert not {text for text in english & german if len(text.split()) > 2}


def test_marks_stand_over_the_picture_where_something_is_to_be_mended() -> None:
    glare = Check("glare", AMBER, "x", place="h10", values={"spots": 1})
    page = page_of(Readiness((*WELL[:5], glare), marks=((0.1, 0.2, 0.3, 0.4, "glare"),)))
    picture = next(e for e in elements.walk(page) if isinstance(e, Camera))
    assert picture.marks == ((0.1, 0.2, 0.3, 0.4, "caution", ""),)


def test_going_on_is_possible_whatever_the_lights_say() -> None:
    for readiness in (None, Readiness(), Readiness(WELL), Readiness((BAD[4][0],))):
        there = elements.intents(page_of(readiness))
        assert there["go"] == Go(BACK)
        assert there["check"] == Ask("check")
        assert there["without"] == Ask("camera", {"on": False})
    begin = {"title": "railway_boom", "seats": {"A": "", "B": ""}}
    for found, words, kind in (
        (Readiness(WELL), "Begin", "paper"),
        (Readiness((BAD[4][0],)), "Begin anyway", "plain"),
    ):
        go = j.button(page_of(found, {"begin": begin}), "go")
        assert (go.text, go.kind, go.intent) == (words, kind, Ask("begin", begin))
    dark = elements.intents(page_of(None, camera=State("off", "No camera is set up.")))
    assert "without" not in dark


def test_buttons_are_ticked_as_they_are_pressed() -> None:
    begin = {"begin": {"seats": {"A": "", "B": "", "C": ""}}}
    page = page_of(Readiness(WELL[:1]), begin, pressed=frozenset({"A plus", "A ok", "B plus"}))
    said = j.texts(page)
    assert said[said.index("Seat A") + 1] == "Both pressed"
    assert said[said.index("Seat B") + 1] == "OK not pressed yet"
    assert said[said.index("Seat C") + 1] == "+, OK not pressed yet"
    assert "Seat D" not in said
    off = page_of(Readiness(WELL[:1]), panel=State("off", "no panel"))
    assert not any("Seat" in text for text in j.texts(off))


def test_a_check_that_runs_or_failed_says_so() -> None:
    for page, words in (
        (page_of(Readiness(running=True)), "The camera looks at the table"),
        (page_of(Readiness(fault="the lens fell off")), "Check the table before play"),
    ):
        assert page.prompt is not None
        assert page.prompt.text == words
    failed = page_of(Readiness(fault="the lens fell off"))
    assert failed.prompt is not None
    assert failed.prompt.detail == "the lens fell off"


def test_what_stands_in_the_way_is_said_in_order_camera_picture_buttons() -> None:
    look = State("look", "The camera is being started.")
    for page, words, signal in (
        (page_of(Readiness(WELL), camera=State("off", "gone")), "No camera looks at this table", "stop"),
        (page_of(None, camera=look), "The camera is being started.", "caution"),
        (page_of(Readiness(WELL), panel=State("look", "A plus sticks")), "Look at the buttons", "caution"),
        (page_of(Readiness(WELL), pressed=frozenset()), "Press each button once", "caution"),
        (page_of(Readiness(WELL), said="The card is full"), "Check the table before play", "caution"),
    ):
        assert page.prompt is not None
        assert (page.prompt.text, page.prompt.signal) == (words, signal)


def test_what_is_to_be_mended_stands_first() -> None:
    page = page_of(Readiness((*WELL, BAD[4][0])), pressed=ALL - {"C ok"})
    arms = [e.signal for e in elements.walk(page) if isinstance(e, Arm)]
    assert arms[:3] == ["stop", "caution", "clear"]
