"""A refusal: what, why, what next; the rule, the cost of what is legal, and the ways out."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.messages import Command
from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.elements import Board
from ui.presenters.intents import Go
from ui.presenters.nav import Nav


def refused(action: dict[str, Any], why: str = "route", seed: int = 3) -> Any:
    """A table at which somebody has tried something that is not allowed."""
    judge = p.table(p.game("railway_boom"))
    choice = p.at(judge, why, random.Random(seed))
    judge.handle(Command("try", choice.seat, {"action": {**action, "seat": choice.seat}}))
    assert judge.view.notices[-1].kind == "refused", judge.view.notices[-1]
    return judge


def far_rail() -> tuple[Any, str]:
    """A rail away from the railway, tried in an own Route Construction."""
    judge = p.table(p.game("railway_boom"))
    choice = p.at(judge, "route", random.Random(3))
    legal = {o.places[0] for o in choice.options if o.places}
    mat = p.mat_of(judge.referee.game)
    assert mat is not None
    for space in mat.spaces:
        if space.hex is not None and space.id not in legal:
            judge.handle(
                Command(
                    "try", choice.seat, {"action": {"do": "place_rt", "seat": choice.seat, "hex": space.id}}
                )
            )
            if judge.view.notices[-1].ruling.rule == "RB-EXP-7":  # type: ignore[union-attr]
                return judge, space.id
    raise AssertionError("every place is legal")


@pytest.fixture
def rail() -> tuple[Any, str]:
    return far_rail()


def last(judge: Any) -> Nav:
    """Whoever has seen all but the last notice."""
    return Nav(seen_notice=judge.view.notices[-1].id - 1)


def test_what_why_what_next(rail: tuple[Any, str]) -> None:
    judge, place = rail
    pages = j.drawn(judge, last(judge))
    assert {page.id for page in pages} == {"refusal"}
    page = present.page(p.shown(judge), last(judge))
    seat = judge.view.notices[-1].seat
    assert page.prompt is not None
    assert page.prompt.text == f"{p.NAMES[seat]}: “Rail on {place}” is not recorded"
    assert page.prompt.seat == seat
    assert page.prompt.signal == "stop"
    assert page.alarm
    assert page.sound == "refused"
    said = j.texts(page)
    why = said.index("A rail bought with power must touch the railway of this turn's station.")
    assert said.index("RB-EXP-7") < why < said.index("Legal instead, nearest first.")


def test_the_broken_place_is_marked_and_legal_ones_show_their_cost(rail: tuple[Any, str]) -> None:
    judge, place = rail
    page = present.page(p.shown(judge), last(judge))
    board = next(e for e in elements.walk(page) if isinstance(e, Board))
    assert {h.space for h in board.hexes if h.wrong} == {place}
    nearest = [a.spaces[0] for a in judge.view.notices[-1].ruling.nearest]
    lit = {h.space: h.cost for h in board.hexes if h.lit}
    assert set(lit) == set(nearest)
    assert all(cost.isdecimal() for cost in lit.values())
    # What it costs stands on the button too.
    assert any("power" in text and "keep" in text for text in j.texts(page))


def test_a_legal_action_is_taken_and_the_refusal_is_over(rail: tuple[Any, str]) -> None:
    judge, _ = rail
    page = present.page(p.shown(judge), last(judge))
    intent = elements.intents(page)["legal:0"]
    nearest, before = judge.view.notices[-1].ruling.nearest[0], judge.view.seq
    assert j.command(intent).what == "try"
    nav = p.touch(judge, last(judge), intent)
    assert judge.view.seq > before
    assert nearest in [w.action for w in judge.view.history]
    assert present.screen_for(p.shown(judge), nav) != "refusal"


def test_understood_is_the_usual_answer(rail: tuple[Any, str]) -> None:
    judge, _ = rail
    shown, nav = p.shown(judge), last(judge)
    page = present.page(shown, nav)
    assert page.right[-1].kind == "paper"
    after = present.on(nav, elements.intents(page)["understood"], shown)
    assert after.seen_notice == judge.view.notices[-1].id
    assert present.screen_for(shown, after) == "table"
    # A new refusal is shown again.
    judge.handle(Command("nonsense", "A"))
    assert present.screen_for(p.shown(judge), after) == "refusal"


def test_the_rule_can_be_read(rail: tuple[Any, str]) -> None:
    judge, _ = rail
    intent = elements.intents(present.page(p.shown(judge), last(judge)))["rule"]
    assert intent == Go("rule", {"rules": ["RB-EXP-7"]})


def test_the_table_may_agree_where_the_rule_can_be_waived(rail: tuple[Any, str]) -> None:
    judge, place = rail
    page = present.page(p.shown(judge), last(judge))
    nav = p.touch(judge, last(judge), elements.intents(page)["agreed"])
    assert judge.view.asking is not None
    assert judge.view.asking.what == "overrule"
    assert judge.view.asking.action.hex == place
    assert present.screen_for(p.shown(judge), nav) == "consent"


def test_a_structural_rule_cannot_be_waived() -> None:
    judge = refused({"do": "place_rt", "hex": "g9"}, "bid")
    page = j.whole(present.page(p.shown(judge), last(judge)))
    rule = judge.view.notices[-1].ruling.rule
    assert rule not in judge.referee.game.waivable
    assert "agreed" not in elements.intents(page)
    assert rule in j.texts(page)


def test_a_bid_is_refused_without_a_map() -> None:
    judge = refused({"do": "bid", "space": 0}, "bid")
    for page in j.drawn(judge, last(judge)):
        assert page.id == "refusal"


def test_what_was_not_understood_is_said_plainly() -> None:
    judge = p.table(p.game("railway_boom"))
    judge.handle(Command("dance", "A"))
    for page in j.drawn(judge, Nav()):
        assert page.id == "refusal"
        assert any("dance" in text for text in j.texts(page))
    page = present.page(p.shown(judge), Nav())
    assert page.prompt is not None
    assert page.prompt.text == "That was not understood"


def test_an_undo_that_the_referee_refuses_is_explained() -> None:
    judge = p.table(p.game("railway_boom"))
    judge.handle(Command("ask_undo", "A", {"steps": 99}))
    assert judge.view.notices[-1].kind == "refused"
    for page in j.drawn(judge, last(judge)):
        assert any("SM-UNDO-1" in text for text in j.texts(page))
        assert "agreed" not in elements.intents(page)
