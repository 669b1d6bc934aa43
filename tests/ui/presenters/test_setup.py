"""Steps of setting up: what the record has is ticked, all else by hand; everything can be skipped."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.intents import Ask
from ui.presenters.nav import Nav
from ui.presenters.rules import text_of
from ui.presenters.setup import steps_of


def keys(judge: Any, nav: Nav) -> list[str]:
    """Steps that can be touched, over all pages."""
    shown, out = p.shown(judge, set_up=False), []
    while True:
        there = elements.intents(j.whole(present.page(shown, nav)))
        out += [id.removeprefix("step:") for id in there if id.startswith("step:")]
        if "page:later" not in there:
            return out
        nav = present.on(nav, there["page:later"], shown)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_steps_are_there_and_what_is_recorded_is_ticked(players: int) -> None:
    by_hand, dealt = (p.table(p.game("railway_boom", players), dealt=dealt) for dealt in (False, True))
    assert {page.id for page in j.drawn(by_hand, Nav(), set_up=False)} == {"setup"}
    assert {"objectives", "routes", "order"} <= set(keys(by_hand, Nav()))
    assert not {"objectives", "routes", "order"} & set(keys(dealt, Nav()))
    assert set(keys(dealt, Nav())) < set(keys(by_hand, Nav()))
    assert ("blocked" in keys(by_hand, Nav())) == (players < 4)
    assert ("chart" in keys(by_hand, Nav())) == (players < 4)


def test_the_tile_variant_has_a_step_of_its_own() -> None:
    judge = p.table(p.game("railway_boom", 3, None, **{"setup.random_tiles": True}), dealt=False)
    assert "random_tiles" in keys(judge, Nav())


def test_every_step_names_a_rule_and_has_words_in_every_language() -> None:
    for language in ("en", "de"):
        for players in (2, 3, 4):
            judge = p.table(
                p.game("railway_boom", players, None, **{"setup.random_tiles": True}), dealt=False
            )
            shown = p.shown(judge, language=language)
            assert shown.playing is not None
            for step in steps_of(shown):
                assert text_of(step.rule)[1], step.rule
                assert shown.playing.sentences.has("setup", step.key)
                said = shown.playing.sentences.say("setup", step.key, step.values)
                assert "…" not in said, said
                assert "{" not in said, said


def test_a_step_is_ticked_and_unticked_by_hand_and_the_end_is_said() -> None:
    judge = p.table(p.game("railway_boom", 4))
    shown = p.shown(judge, set_up=False)
    nav = j.go(shown, Nav(), "step:colours")
    assert nav.values["ticked"] == ["colours"]
    assert j.go(shown, nav, "step:colours").values["ticked"] == []
    page = present.page(shown, nav)
    assert j.button(page, "done").text == "Skip the rest"
    assert j.button(page, "done").kind == "plain"
    nav = Nav(values={"ticked": keys(judge, Nav())})
    page = j.whole(present.page(shown, nav))
    assert page.prompt is not None
    assert page.prompt.text == "All is set up"
    assert j.button(page, "done").kind == "paper"
    assert j.button(page, "done").intent == Ask("set_up_done")


def test_how_many_are_open_is_said() -> None:
    judge = p.table(p.game("railway_boom", 4))
    shown, all_ = p.shown(judge, set_up=False), keys(judge, Nav())
    page = present.page(shown, Nav())
    assert page.prompt is not None
    assert page.prompt.detail == f"{len(all_)} steps are open. Touch each when it is done."
    page = present.page(shown, Nav(values={"ticked": all_[1:]}))
    assert page.prompt is not None
    assert page.prompt.detail == "One step is open. Touch it when it is done."


def test_a_game_without_steps_begins() -> None:
    judge = p.table(p.game("auction", 3))
    for page in j.drawn(judge, Nav(), set_up=False):
        assert page.id == "setup"
        assert j.button(page, "done").kind == "paper"
