"""The chooser: cards, forms, trains, payments, and what it goes back to."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.choosing import Choice
from assistant.display import Car
from assistant.layout import CardFace
from assistant.messages import Command
from tests.ui.presenters import playing as p
from ui.presenters import choice as chooser
from ui.presenters import elements, parts, present
from ui.presenters.elements import Button, Page, Panel, StopLine, Text
from ui.presenters.intents import Go, Say
from ui.presenters.nav import Nav


def button(page: Page, id: str) -> Button:
    return next(e for e in elements.walk(page) if isinstance(e, Button) and e.id == id)


def texts(page: Page) -> list[str]:
    return [e.text for e in elements.walk(page) if isinstance(e, Text)]


def opened(judge: Any, choice: Choice, kind: str) -> Choice:
    """The choice once the form of that kind is open."""
    index = next(n for n, o in enumerate(choice.options) if o.kind == kind and o.role == "form")
    judge.handle(Command("take", choice.seat, {"choice": choice.id, "index": index}))
    again: Choice = next(c for c in judge.view.choices if c.seat == choice.seat)
    return again


@pytest.fixture
def boom() -> Any:
    return p.table(p.game("railway_boom"))


def test_cards_are_shown_by_their_faces(boom: Any) -> None:
    choice = p.at(boom, "locomotive", random.Random(3))
    page = present.page(p.shown(boom), Nav())
    assert page.id == "choice"
    panels = [e for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("option:")]
    mains = [o for o in choice.options if not o.free]
    assert len(panels) == len(mains)
    assert any("Take Locomotive" in text for text in texts(page))
    p.touch(boom, Nav(), elements.intents(page)["option:0"])
    page = present.page(p.shown(boom), Nav())
    chosen = [e.id for e in elements.walk(page) if isinstance(e, Panel) and e.chosen]
    assert chosen == ["option:0"]
    assert page.prompt is not None
    assert "Coal a run" in page.prompt.detail
    assert button(page, "take").intent == parts.take(p.shown(boom).playing.view.choices[0], 0)  # type: ignore[union-attr]


def test_free_actions_stand_apart_on_a_page_of_their_own(boom: Any) -> None:
    p.at(boom, "locomotive", random.Random(3))
    now = p.shown(boom)
    nav = present.on(Nav(), button(present.page(now, Nav()), "page:later").intent, now)  # type: ignore[arg-type]
    page = present.page(now, nav)
    assert "Besides your turn" in texts(page)
    assert "Convert" in texts(page)


def test_a_form_asks_blank_by_blank_and_goes_back(boom: Any) -> None:
    choice = p.at(boom, "locomotive", random.Random(3))
    opened(boom, choice, "convert")
    nav = Nav("choice", parts.heard(p.shown(boom), choice.seat))
    page = p.every(boom, nav)[2]
    assert page.prompt is not None
    assert page.prompt.text == "Jonas: give what?"
    p.touch(boom, nav, elements.intents(page)["option:0"])
    page = present.page(p.shown(boom), nav)
    assert page.prompt.text == "Jonas: and what else?"  # type: ignore[union-attr]
    assert page.prompt.detail.startswith("So far: ")  # type: ignore[union-attr]
    back = next(b for b in page.right if b.text == "Back")
    assert p.touch(boom, nav, back.intent).screen == "choice"  # type: ignore[arg-type]
    assert present.page(p.shown(boom), nav).prompt.text == "Jonas: give what?"  # type: ignore[union-attr]


def test_what_was_opened_by_hand_is_left_once_it_is_done(boom: Any) -> None:
    choice = p.at(boom, "locomotive", random.Random(3))
    now = p.shown(boom)
    nav = Nav("choice", parts.heard(now, choice.seat), back=(("", {}),))
    form = next(n for n, o in enumerate(choice.options) if o.role == "form")
    assert present.on(nav, parts.take(choice, form), now).screen == "choice"
    offer = next(n for n, o in enumerate(choice.options) if o.role == "offer")
    assert present.on(nav, parts.take(choice, offer), now).screen == ""
    assert present.on(nav, parts.point(choice, offer), now).screen == "choice"


def test_a_train_shows_the_coal_before_and_after_each_card(boom: Any) -> None:
    rng = random.Random(3)
    ready: list[Choice] = []
    for _ in range(300):
        owners = {group.seat for group in boom.view.display.cards if group.words == "carriages"}
        forms = [
            c
            for c in boom.view.choices
            if any(o.kind == "declare_train" and o.role == "form" for o in c.options)
        ]
        ready = [c for c in forms if c.why == "train" and c.seat in owners]
        if ready:
            break
        p.play(boom, rng, 1)
    choice = opened(boom, ready[0], "declare_train")
    nav = Nav("", {"seat": choice.seat})
    if not any(o.value == "stop" for o in choice.options):
        boom.handle(Command("take", choice.seat, {"choice": choice.id, "index": 0}))
        choice = next(c for c in boom.view.choices if c.seat == choice.seat)
    stop = [n for n, o in enumerate(choice.options) if o.value == "stop"]
    page = present.page(p.shown(boom), nav)
    assert not any(isinstance(e, StopLine) and e.h for e in elements.walk(page))
    boom.handle(Command("point", choice.seat, {"choice": choice.id, "index": stop[0]}))
    for page in p.every(boom, nav):
        line = next(e for e in elements.walk(page) if isinstance(e, StopLine) and e.h)
        assert len(line.stops) >= 2
    page = present.page(p.shown(boom), nav)
    assert button(page, "take").text == "Form a train"
    assert button(page, "take").kind == "paper"


def test_the_coal_line_is_a_sum_for_each_card() -> None:
    face = CardFace("x", "Mail")
    line = chooser.coal_line([Car(face, 1, 2, 2), Car(face, 0, 2, 3), Car(face, 1, 3, 2)])
    assert [stop.between for stop in line.stops] == ["2 − 1 + 1", "2 − 0 + 1", "3 − 1", ""]
    assert [stop.mark for stop in line.stops] == ["2", "2", "3", "2"]


def test_cards_of_a_deck_are_those_that_lie_nowhere() -> None:
    judge: Any = p.table(p.game("railway_boom"))
    now = p.shown(judge)
    open_cards = {name for group in judge.view.display.cards for name in group.names}
    names = chooser.deck_cards(now, "locomotives")
    assert names
    assert not open_cards & set(names)
    assert all(name.startswith("L") for name in names)


def test_a_roll_of_the_table_is_entered_by_hand() -> None:
    judge = p.table(p.game("toy_yard", 2), dealt=False)
    page = present.page(p.shown(judge), Nav())
    assert page.id == "choice"
    inputs = [i for key, i in elements.intents(page).items() if key.startswith("input:")]
    assert len(inputs) == 3
    assert all(isinstance(i, Say) and i.command.what == "try" for i in inputs)
    before = judge.view.seq
    p.touch(judge, Nav(), inputs[0])
    assert judge.view.seq == before + 1


def test_seats_that_may_speak_are_picked_at_the_side(boom: Any) -> None:
    p.at(boom, "locomotive", random.Random(3))
    page = present.page(p.shown(boom), Nav())
    seats = [i for i in elements.intents(page) if i.startswith("seat:")]
    assert len(seats) == len(boom.view.choices) - 1
    other = present.on(Nav(), elements.intents(page)[seats[0]], p.shown(boom))
    assert present.page(p.shown(boom), other).prompt.seat == seats[0].removeprefix("seat:")  # type: ignore[union-attr]


def test_a_screen_opened_by_hand_has_a_way_back(boom: Any) -> None:
    choice = p.at(boom, "route", random.Random(3))
    page = present.page(p.shown(boom), Nav("choice", parts.heard(p.shown(boom), choice.seat)))
    assert button(page, "leave").intent == Go("")


def coupling(judge: Any) -> Choice:
    """Somebody who forms a train has coupled a carriage and can couple more."""
    rng = random.Random(3)
    for _ in range(400):
        p.play(judge, rng, 1)
        for each in judge.view.choices:
            if not any(o.kind == "declare_train" and o.role == "form" for o in each.options):
                continue
            form = opened(judge, each, "declare_train")
            while len(form.filled) < 2:
                more = [n for n, o in enumerate(form.options) if o.role == "value" and not o.action]
                if not more:
                    break
                judge.handle(Command("take", form.seat, {"choice": form.id, "index": more[0]}))
                form = next(c for c in judge.view.choices if c.seat == form.seat)
            if len(form.filled) == 2:
                return form
            while form.kind:
                judge.handle(Command("back", form.seat, {"choice": form.id}))
                form = next(c for c in judge.view.choices if c.seat == each.seat)
    raise AssertionError("nobody couples anything")


def test_touching_a_card_of_a_train_uncouples_it_and_what_is_behind(boom: Any) -> None:
    choice = coupling(boom)
    nav, seat, coupled = Nav("", {"seat": choice.seat}), choice.seat, choice.filled
    for page in p.every(boom, nav):
        assert page.id == "choice"
        assert [i for i in elements.intents(page) if i.startswith("car:")] == ["car:0", "car:1"]
    page = present.page(p.shown(boom), nav)
    assert "A touch uncouples a card and what is behind it." in texts(page)
    p.touch(boom, nav, elements.intents(page)["car:1"])
    again = next(c for c in boom.view.choices if c.seat == seat)
    assert (again.kind, again.filled) == ("declare_train", coupled[:1])
    boom.handle(Command("take", seat, {"choice": again.id, "index": 0}))
    page = present.page(p.shown(boom), nav)
    p.touch(boom, nav, elements.intents(page)["car:0"])
    again = next(c for c in boom.view.choices if c.seat == seat)
    assert again.filled == ()


def test_a_train_that_runs_is_not_uncoupled(boom: Any) -> None:
    choice = p.at(boom, "operate", random.Random(3))
    page = present.page(p.shown(boom), Nav("", {"seat": choice.seat}))
    assert any(isinstance(e, Panel) and e.id == "car:0" for e in elements.walk(page))
    assert not [i for i in elements.intents(page) if i.startswith("car:")]
