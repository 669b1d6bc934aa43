"""The record in sentences, and taking back up to an entry."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.events import ROUND, Told
from assistant.messages import Command
from tests.ui.presenters import playing as p
from ui.presenters import elements, log, present
from ui.presenters.elements import Button, Page, Text
from ui.presenters.intents import Say, Set
from ui.presenters.nav import Nav


@pytest.fixture
def judge() -> Any:
    table = p.table(p.game("railway_boom"))
    p.play(table, random.Random(3), 40)
    return table


def button(page: Page, id: str) -> Button:
    return next(e for e in elements.walk(page) if isinstance(e, Button) and e.id == id)


def texts(page: Page) -> list[str]:
    return [e.text for e in elements.walk(page) if isinstance(e, Text)]


def test_entries_stand_newest_first_and_are_paged(judge: Any) -> None:
    for page in p.every(judge, Nav("log")):
        numbers = [int(i.removeprefix("entry:")) for i in elements.intents(page) if i.startswith("entry:")]
        assert numbers == sorted(numbers, reverse=True)
        assert numbers[0] == judge.view.history[-1].seq
    page = present.page(p.shown(judge), Nav("log"))
    assert button(page, "page:later").text == "Earlier"
    seen: list[str] = []
    for number in range(60):
        page = present.page(p.shown(judge), Nav("log", {"page": number}))
        seen += [i for i in elements.intents(page) if i.startswith("entry:")]
        if button(page, "page:later").intent is None:
            break
    assert len(seen) == len(set(seen)) == len([w for w in judge.view.history if w.kind != "note"])


def test_bids_can_be_shown_alone(judge: Any) -> None:
    page = present.page(p.shown(judge), Nav("log", {"only": "bid"}))
    said = [text for text in texts(page) if "bid" in text and not text.endswith("newest first.")]
    assert said
    assert not any("place" in text for text in texts(page) if "Touch" not in text)
    assert button(page, "all").intent == Set({"only": "", "page": 0})


def test_undo_to_an_entry_asks_for_as_many_steps_as_the_referee_counts(judge: Any) -> None:
    referee, by = judge.referee, judge.view.undo_by
    tried = 0
    for written in [w for w in judge.view.history if w.live][-12:]:
        way = log.way_to(p.shown(judge), written)
        if not way.steps:
            continue
        terms = referee.undo_terms(by, way.steps)
        assert terms.entries[0] == min(w.seq for w in judge.view.history if w.ruling == written.ruling)
        assert set(terms.entries) == {w.seq for w in way.entries}
        assert set(terms.consents) == set(way.consents)
        tried += 1
    assert tried > 3


def test_what_undo_takes_is_said_before_it_is_asked(judge: Any) -> None:
    written = [w for w in judge.view.history if w.live and w.by != "table"][-12]
    page = present.page(p.shown(judge), Nav("log", {"entry": written.seq}))
    p.check(page)
    assert page.prompt is not None
    assert page.prompt.detail.startswith("Undo to here takes back ")
    assert "must agree" in page.prompt.detail
    assert "by hand" in page.prompt.detail
    dealt = present.page(p.shown(judge, machine_draws=True), Nav("log", {"entry": written.seq}))
    assert dealt.prompt is not None
    assert "by hand" not in dealt.prompt.detail
    intent = button(page, "undo_to").intent
    assert isinstance(intent, Say)
    assert intent.command.what == "ask_undo"
    nav = p.touch(judge, Nav("log", {"entry": written.seq}, back=(("", {}),)), intent)
    assert nav.screen == ""
    assert present.screen_for(p.shown(judge), nav) == "consent"


def test_what_was_taken_back_is_marked_and_can_come_back(judge: Any) -> None:
    last = judge.view.undo_by
    assert button(present.page(p.shown(judge), Nav("log")), "redo").reason
    judge.handle(Command("ask_undo", last, {"steps": 1}))
    while judge.view.asking is not None:
        seat = next(s for s in judge.view.asking.needs if s not in judge.view.asking.given)
        judge.handle(Command("agree", seat))
    page = present.page(p.shown(judge), Nav("log"))
    assert "undone" in texts(page)
    assert any("takes back" in text for text in texts(page))
    p.touch(judge, Nav("log"), button(page, "redo").intent)  # type: ignore[arg-type]
    assert judge.view.history[-1].kind == "redo"


def test_clocks_can_be_paused_from_here() -> None:
    judge = p.table(p.game("railway_boom"), clocks=True)
    page = present.page(p.shown(judge), Nav("log"))
    p.touch(judge, Nav("log"), button(page, "pause").intent)  # type: ignore[arg-type]
    assert judge.view.paused
    assert button(present.page(p.shown(judge), Nav("log")), "go_on").text == "Go on"


def test_an_empty_record_says_so() -> None:
    judge = p.table(p.game("railway_boom"), dealt=False)
    page = present.page(p.shown(judge), Nav("log"))
    p.check(page)
    assert "Nothing is recorded yet." in texts(page)


def test_the_end_of_each_round_is_one_touch_away() -> None:
    table = p.table(p.game("railway_boom"))
    rng = random.Random(3)
    while table.view.display is None or table.view.display.progress.at < 3:
        p.play(table, rng, 1)
    page = p.every(table, Nav("log"))[2]
    intents = elements.intents(page)
    assert {f"round:{n}" for n in (1, 2)} <= intents.keys()
    # The newest entry of a round is the one that began the next.
    newest = next(
        written
        for written in table.view.history
        if any(isinstance(e, Told) and e.key == ROUND and e.values["round"] == 3 for e in written.events)
    )
    page = p.every(table, p.touch(table, Nav("log"), intents["round:2"]))[2]
    assert f"entry:{newest.seq}" in elements.intents(page)
    assert button(page, "round:2").chosen or button(page, "round:3").chosen
