"""A rule is read in pages; without one that is asked for there are all chapters of the game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.intents import Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.rule import chapters
from ui.presenters.rules import known, text_of


@pytest.fixture(scope="module")
def judge() -> Any:
    table = p.table(p.game("railway_boom"))
    p.at(table, "route", random.Random(3))
    return table


def read(shown: Any, nav: Nav) -> str:
    """All that can be read of a rule, over its pages."""
    out = []
    while True:
        page = j.whole(present.page(shown, nav))
        out += j.texts(page)
        following = elements.intents(page).get("page:later")
        if following is None:
            return " ".join(out)
        nav = present.on(nav, following, shown)


def test_every_rule_can_be_read_to_its_end_at_every_size(judge: Any) -> None:
    for size in p.SIZES:
        shown = p.shown(judge, size)
        for rule in known():
            whole = read(shown, Nav("rule", {"rule": rule}))
            for paragraph in text_of(rule)[1]:
                for word in paragraph.split():
                    assert word in whole, rule


def test_the_sentence_stands_in_the_tables_language_and_the_text_says_that_it_does_not(judge: Any) -> None:
    nav = Nav("rule", {"rules": ["RB-EXP-7"]})
    english, german = (present.page(p.shown(judge, language=one), nav) for one in ("en", "de"))
    assert english.prompt is not None
    assert german.prompt is not None
    assert "English" not in english.prompt.detail
    assert german.prompt.detail.endswith("(Text auf Englisch)") or "nglisch" in german.prompt.detail
    assert "A rail bought with power must touch the railway of this turn's station." in j.texts(english)
    said = p.shown(judge, language="de").playing.sentences.say("refusals", "RB-EXP-7")  # type: ignore[union-attr]
    assert said in j.texts(german)


def test_a_sentence_that_lacks_its_values_is_left_out(judge: Any) -> None:
    page = present.page(p.shown(judge), Nav("rule", {"rule": "RB-EXP-8"}))
    assert not any("…" in text for text in j.texts(page))


def test_few_rules_stand_side_by_side_and_many_one_after_the_other(judge: Any) -> None:
    shown = p.shown(judge)
    nav = Nav("rule", {"rules": ["RB-EXP-7", "RB-EXP-8"]})
    nav = j.go(shown, nav, "rule:RB-EXP-8")
    page = present.page(shown, nav)
    assert page.prompt is not None
    assert page.prompt.text == "RB-EXP-8"
    many = [rule for rule in known() if rule.startswith("RB-AUC-")]
    nav, seen = Nav("rule", {"rules": many}), []
    for _ in many:
        page = j.whole(present.page(shown, nav))
        assert page.prompt is not None
        seen.append(page.prompt.text)
        if page.right:
            nav = present.on(nav, page.right[-1].intent, shown)  # type: ignore[arg-type]
    assert seen[: len(many) - 1] == many[: len(many) - 1]


def test_without_a_rule_all_chapters_are_there_that_of_the_phase_first(judge: Any) -> None:
    shown = p.shown(judge)
    assert shown.playing is not None
    there = chapters(shown.playing)
    assert "Expansion" in next(iter(there))
    every = {rule for rules in there.values() for rule in rules}
    assert every == {rule for rule in known() if rule.startswith(("RB-", "SM-"))}
    assert there[text_of("RB-AUC-7")[0]].index("RB-AUC-9") < there[text_of("RB-AUC-7")[0]].index("RB-AUC-10")
    for page in j.drawn(judge, Nav("rule", {"rules": []})):
        assert [id for id in elements.intents(page) if id.startswith("chapter:")]
    first = next(iter(there.values()))[0]
    nav = j.go(shown, Nav("rule"), f"chapter:{first}")
    page = present.page(shown, nav)
    assert page.prompt is not None
    assert page.prompt.text == first
    assert j.go(shown, nav, "contents").values["rules"] == []


def test_an_unknown_rule_says_so_and_leads_back(judge: Any) -> None:
    page = j.whole(present.page(p.shown(judge), Nav("rule", {"rule": "XX-1"})))
    assert "No text is kept for this rule." in j.texts(page)
    assert elements.intents(page)["back"] == Go(BACK)


def test_without_a_game_there_is_nothing_but_the_way_back() -> None:
    page = j.whole(present.page(j.alone(), Nav("rule")))
    assert set(elements.intents(page)) == {"back"}
