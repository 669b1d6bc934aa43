"""The map: lit places with costs, pointing and doing, what the camera proposes, cards that are owed."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from assistant.messages import Command
from assistant.reading import Proposal, Several
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.elements import Board, Button, Page
from ui.presenters.intents import Go, Say, Set
from ui.presenters.nav import Nav


@pytest.fixture
def route() -> Any:
    """A table at which a seat builds its railway, and that choice."""
    judge = p.table(p.game("railway_boom"))
    return judge, p.at(judge, "route", random.Random(3))


def board(page: Page) -> Board:
    return next(e for e in elements.walk(page) if isinstance(e, Board))


def button(page: Page, id: str) -> Button:
    return next(e for e in elements.walk(page) if isinstance(e, Button) and e.id == id)


def prompt(page: Page) -> tuple[str, str]:
    assert page.prompt is not None
    return page.prompt.text, page.prompt.detail


def test_legal_places_are_lit_with_their_cost_and_a_touch_points_at_them(route: Any) -> None:
    judge, choice = route
    page = present.page(p.shown(judge), Nav())
    assert page.id == "table"
    lit = {h.space: h.cost for h in board(page).hexes if h.lit}
    assert set(lit) == {o.places[0] for o in choice.options if o.places}
    assert all(cost.isdigit() for cost in lit.values())
    assert prompt(page)[0] == "Jonas: build the railway"
    assert button(page, "take").intent is None

    space = next(iter(lit))
    p.touch(judge, Nav(), board(page).intents[space])
    page = present.page(p.shown(judge), Nav())
    assert prompt(page)[0] == f"Jonas: rail on {space}?"
    assert f"{lit[space]} power" in prompt(page)[1]
    assert button(page, "take").kind == "paper"
    assert button(page, "take").detail == f"{lit[space]} power"
    p.touch(judge, Nav(), button(page, "take").intent)  # type: ignore[arg-type]
    assert judge.view.notices[-1].kind == "recorded"
    assert any(spot.space == space and spot.seat == "B" for spot in judge.view.display.tokens)


def test_closer_shows_the_acting_railway_and_what_is_lit(route: Any) -> None:
    judge, _ = route
    page = present.page(p.shown(judge), Nav())
    assert button(page, "closer").intent == Set({"closer": True})
    near = board(present.page(p.shown(judge), Nav(values={"closer": True})))
    own = {h.space for h in near.hexes if h.lit or any(t.seat == "B" for t in h.tokens)}
    assert set(near.closer) == own
    assert board(page).closer == ()


def test_what_the_camera_sees_lies_over_the_map_until_it_is_recorded(route: Any) -> None:
    judge, choice = route
    action = next(o.action for o in choice.options if o.kind == "place_rt")
    p.see(judge, action)
    assert isinstance(judge.view.reading, Proposal)
    for page in p.every(judge, Nav()):
        assert page.id == "table"
        hexagon = next(h for h in board(page).hexes if h.space == action.hex)
        assert [t.seen for t in hexagon.tokens] == [True]
    page = present.page(p.shown(judge), Nav())
    text, detail = prompt(page)
    assert text == f"Jonas: record this rail on {action.hex}?"
    assert detail.startswith("The camera sees it. ")
    assert "power" in detail
    assert [b.id for b in page.right] == ["dismiss", "take"]
    assert button(page, "take").text.startswith("Record, ")
    german = present.page(p.shown(judge, language="de"), Nav())
    assert f"Schiene auf {action.hex}" in prompt(german)[0]
    p.touch(judge, Nav(), button(page, "dismiss").intent)  # type: ignore[arg-type]
    assert button(present.page(p.shown(judge), Nav()), "take").intent is None
    assert not any(t.seen for h in board(present.page(p.shown(judge), Nav())).hexes for t in h.tokens)


def test_several_explanations_are_told_apart_by_pointing(route: Any) -> None:
    judge, choice = route
    actions = [o.action for o in choice.options if o.kind == "place_rt"][:2]
    judge._reading = Several(tuple(Proposal((action,)) for action in actions))
    judge._show()
    page = p.every(judge, Nav())[0]
    panels = [i for i in elements.intents(page) if i.startswith("option:")]
    assert len(panels) == 2
    second = elements.intents(page)[panels[1]]
    p.touch(judge, Nav(), second)
    page = present.page(p.shown(judge), Nav())
    seen = {h.space for h in board(page).hexes if any(t.seen for t in h.tokens)}
    assert seen == {actions[1].hex}
    p.touch(judge, Nav(), button(page, "take").intent)  # type: ignore[arg-type]
    assert judge.view.history[-1].action == actions[1]


def test_cards_that_are_owed_can_be_entered_by_hand() -> None:
    judge, nav = p.table(p.game("railway_boom"), dealt=False), Nav()
    page = p.every(judge, nav)[1 * 2]
    assert page.id == "table"
    assert prompt(page)[0] == "Turn up 4 cards: objective cards"
    nav = p.touch(judge, nav, Go("choice", {"owed": True}))
    for _ in range(4):
        p.every(judge, nav)
        page = present.page(p.shown(judge), nav)
        assert button(page, "take").reason
        touch = next(
            e
            for e in elements.walk(page)
            if isinstance(e, Button) and e.id.startswith("input:") and not e.chosen
        )
        assert touch.intent is not None
        nav = p.touch(judge, nav, touch.intent)
    page = present.page(p.shown(judge), nav)
    assert isinstance(button(page, "take").intent, Say)
    nav = p.touch(judge, nav, button(page, "take").intent)  # type: ignore[arg-type]
    assert judge.view.notices[-1].kind == "recorded"
    assert nav.screen == ""


def test_paused_clocks_are_said_and_can_go_on(route: Any) -> None:
    judge, _ = route
    shown = p.shown(judge)
    assert shown.playing is not None
    view = msgspec.structs.replace(shown.playing.view, paused=True)
    shown = msgspec.structs.replace(shown, playing=msgspec.structs.replace(shown.playing, view=view))
    page = present.page(shown, Nav())
    p.check(page)
    assert prompt(page)[0] == "The clocks stand still"
    assert [b.id for b in page.right] == ["go_on"]


@pytest.mark.parametrize(("seats", "dealt", "seed"), [(2, True, 1), (4, True, 3), (3, False, 1)])
def test_any_touches_at_a_railway_boom_table(seats: int, dealt: bool, seed: int) -> None:
    judge = p.table(p.game("railway_boom", seats), dealt=dealt)
    counts = p.walk(judge, random.Random(seed), 90, look=12)
    assert counts["choice"] > 5
    assert judge.view.seq > 1


@pytest.mark.parametrize("name", ["toy_yard", "toy_shunt"])
@pytest.mark.parametrize("dealt", [True, False])
def test_any_touches_at_a_toy(name: str, dealt: bool) -> None:
    judge = p.table(p.game(name, 2), dealt=dealt)
    p.walk(judge, random.Random(5), 250, look=5)
    assert judge.view.seq > 5


def test_every_state_of_a_whole_game_can_be_shown() -> None:
    judge, rng = p.table(p.game("railway_boom", 4)), random.Random(9)
    screens = set()
    for _ in range(160):
        if judge.view.finished:
            break
        if judge.view.seq % 6 == 0:
            screens |= {page.id for page in p.every(judge, Nav())}
        p.play(judge, rng, 1)
    assert {"table", "auction", "choice"} <= screens


def test_what_is_the_only_thing_to_do_stands_there_once() -> None:
    judge: Any = p.table(p.game("railway_boom"))
    rng = random.Random(3)

    def only() -> Any:
        for each in judge.view.choices:
            mains = [o for o in each.options if not o.free]
            if each.why and len(mains) == 1 and mains[0].ends and len(each.options) > 1:
                return each
        return None

    while (choice := only()) is None or present.screen_for(p.shown(judge), Nav()) != "table":
        p.play(judge, rng, 1)
    end = next(n for n, o in enumerate(choice.options) if o.ends)
    page = p.every(judge, Nav())[2]
    said = [b.text for b in page.right]
    assert said.count("End turn") == 1
    assert button(page, "take").text == "End turn"
    free = next(n for n, o in enumerate(choice.options) if o.free)
    judge.handle(Command("point", choice.seat, {"choice": choice.id, "index": free}))
    other = present.page(p.shown(judge), Nav())
    assert other.right[0].id == f"option:{end}"
    # What stood there stands where it was: to the right of what has come.
    assert [b.id for b in other.right[1:]] == [b.id for b in page.right]
