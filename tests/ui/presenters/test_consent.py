"""What the table has to agree on: what happens, who agrees, what is put back by hand."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from assistant.actions import TABLE
from assistant.events import Told
from assistant.games.railway_boom.actions import PlaceRT
from assistant.messages import Command
from assistant.rulings import Violation
from assistant.views import Asking
from hardware.debounce import Inputs
from hardware.debounce import button as contact
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.elements import Button, Page, Text
from ui.presenters.intents import Go
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown


@pytest.fixture
def judge() -> Any:
    table = p.table(p.game("railway_boom"))
    p.at(table, "route", random.Random(3))
    return table


def asked(judge: Any, asking: Asking, size: tuple[int, int] = (1024, 600), language: str = "en") -> Shown:
    shown = p.shown(judge, size, language)
    assert shown.playing is not None
    view = msgspec.structs.replace(shown.playing.view, asking=asking)
    return msgspec.structs.replace(shown, playing=msgspec.structs.replace(shown.playing, view=view))


def button(page: Page, id: str) -> Button:
    return next(e for e in elements.walk(page) if isinstance(e, Button) and e.id == id)


def texts(page: Page) -> list[str]:
    return [e.text for e in elements.walk(page) if isinstance(e, Text)]


UNDO = Asking(
    "undo",
    "B",
    ("A", "C"),
    ("C",),
    (
        Told("undo.return", "B", {"count": 2, "pile": "developments"}),
        Told("undo.reshuffle", None, {"pile": "routes"}),
    ),
    False,
    (PlaceRT("B", "g9"), PlaceRT("B", "h10")),
)


def test_an_undo_says_what_it_takes_back_and_whom_it_asks(judge: Any) -> None:
    page = present.page(asked(judge, UNDO), Nav())
    assert page.id == "consent"
    p.check(page)
    assert page.prompt is not None
    assert page.prompt.text == "Jonas: take back these 2?"
    said = texts(page)
    assert said.index("Jonas places a rail on h10") < said.index("Jonas places a rail on g9")
    assert "agrees" in said
    assert button(page, "agree:A").intent is not None
    assert not any(isinstance(e, Button) and e.id == "agree:C" for e in elements.walk(page))


def test_what_is_put_back_is_ticked_before_it_is_done(judge: Any) -> None:
    shown, nav = asked(judge, UNDO), Nav()
    assert button(present.page(shown, nav), "told").reason
    for number in range(2):
        nav = present.on(nav, elements.intents(present.page(shown, nav))[f"told:{number}"], shown)
    page = present.page(shown, nav)
    assert button(page, "told").kind == "paper"
    assert button(page, "told").intent is not None
    other = msgspec.structs.replace(UNDO, by="A")
    assert button(present.page(asked(judge, other), nav), "told").reason


def test_an_overrule_names_the_rule_it_waives(judge: Any) -> None:
    asking = Asking(
        "overrule",
        "B",
        ("A", "B", "C"),
        ("B",),
        action=PlaceRT("B", "a1"),
        waived=("RB-EXP-7",),
        violation=Violation("RB-EXP-7"),
    )
    for size in p.SIZES:
        for language in ("en", "de"):
            p.check(present.page(asked(judge, asking, size, language), Nav()))
    page = present.page(asked(judge, asking), Nav())
    assert "A rail bought with power must touch the railway of this turn's station." in texts(page)
    assert any("RB-EXP-7" in text for text in texts(page))
    assert page.prompt is not None
    assert page.prompt.detail == "Mira, Aiko must agree too."


def test_a_correction_says_what_the_record_then_says(judge: Any) -> None:
    asking = Asking("correct", "table", ("A", "B", "C"), facts={"seats.A.money": 5, "round": None})
    page = present.page(asked(judge, asking), Nav())
    p.check(page)
    assert "seats A Money: 5" in texts(page)
    assert "Round: nothing" in texts(page)


def test_agreeing_and_leaving_it(judge: Any) -> None:
    p.play(judge, random.Random(3), 40)
    by = judge.view.undo_by
    judge.handle(Command("ask_undo", by, {"steps": 12}))
    assert judge.view.asking is not None
    assert {page.id for page in p.every(judge, Nav())} == {"consent"}
    before = judge.view.seq
    page = present.page(p.shown(judge), Nav())
    p.touch(judge, Nav(), button(page, "cancel").intent)  # type: ignore[arg-type]
    assert judge.view.asking is None
    assert judge.view.seq == before
    judge.handle(Command("ask_undo", by, {"steps": 12}))
    again: Any = judge.view.asking
    for seat in again.needs:
        page = present.page(p.shown(judge), Nav())
        p.touch(judge, Nav(), button(page, f"agree:{seat}").intent)  # type: ignore[arg-type]
    assert judge.view.asking is None
    assert judge.view.history[-1].kind == "undo"


def test_with_nothing_asked_there_is_a_way_on(judge: Any) -> None:
    page = present.page(p.shown(judge), Nav("consent"))
    assert [b.intent for b in page.right] == [Go("")]


def test_by_buttons_alone_cards_are_put_back_and_all_agree() -> None:
    """Edges of real contacts, through the machine that makes presses of them."""
    judge = p.table(p.game("toy_yard", 2), dealt=False)
    judge.handle(Command("try", TABLE, {"action": {"do": "roll", "value": 2}}))
    mint = {"do": "place", "space": "mint", "coins": 0, "goods": 0}
    judge.handle(Command("try", "A", {"action": mint}))
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    judge.handle(Command("try", TABLE, {"action": {"do": "roll", "value": 1}}))
    judge.handle(Command("try", "B", {"action": {**mint, "space": "shed"}}))
    judge.handle(Command("ask_undo", "A", {"steps": 3}))
    asking: Any = judge.view.asking
    assert (asking.told, asking.needs) == (False, ("B",))
    buttons = {(seat, which): contact(f"{seat} {which}") for seat in "AB" for which in ("plus", "ok")}
    inputs, now = Inputs(buttons.values()), 1.0

    def press(seat: str, which: str) -> None:
        nonlocal now
        for at, down in ((now, True), (now + 0.1, False)):
            for message in (*inputs.edge(buttons[seat, which], down, at), *inputs.tick(at + 0.05)):
                judge.handle(message)
        now += 1.0

    before = judge.view.seq
    press("A", "ok")
    assert judge.view.asking == asking  # nobody has pointed at it
    assert not button(present.page(p.shown(judge), Nav()), "told").chosen
    press("A", "plus")
    page = present.page(p.shown(judge), Nav())
    p.check(page)
    assert button(page, "told").chosen
    assert "Or Mira presses plus, then OK, once it is all done." in texts(page)
    press("A", "ok")
    assert judge.view.asking.told  # type: ignore[union-attr]
    press("B", "ok")
    assert judge.view.asking is None
    assert judge.view.seq > before
    assert judge.view.history[-1].kind == "undo"
