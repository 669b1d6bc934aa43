"""Tracks and action spaces: what is lit, what a touch means, whose tracks are looked at."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from assistant.display import Display, Gauge, Place
from assistant.game import Game
from assistant.messages import Command
from assistant.offers import Fill, Form
from assistant.table import Table
from tests.ui.presenters import playing
from ui.kiosk.people import next_touch, unreachable
from ui.presenters import elements, parts, present, rows
from ui.presenters.elements import Badge, Button, Page, Panel, SpotRow, Text
from ui.presenters.intents import Say, Set
from ui.presenters.nav import Nav

STEPPING = "advance"


def reached(until: Callable[[Any], bool], seats: int = 4) -> Table:
    """A table of a game with tracks, played on by virtual people until something holds."""
    table = playing.table(playing.game("russian_railroads", seats))
    game, rng = table.referee.game, random.Random(5)
    while not until(table.referee.state):
        state = table.referee.state
        seat = game.acting(state)[0].seat
        action = game.chance(state, rng) if seat == "table" else game.sensible(state, seat, rng)
        assert action is not None
        table.referee.submit(action)
    table.post(Command("look", None))
    table.drain()
    return table


def asked(why: str, number: int = 1) -> Table:
    """A table where a seat is asked something that has at least so many answers."""

    def until(state: Any) -> bool:
        found = game.acting(state)[0]
        return found.why == why and len(game.offers(state, found.seat)) >= number

    game = playing.game("russian_railroads", 4)
    return reached(until)


def rows_of(page: Page) -> dict[str, SpotRow]:
    return {element.id: element for element in elements.walk(page) if isinstance(element, SpotRow)}


def pointed(table: Table, index: int) -> None:
    (choice,) = [choice for choice in table.view.choices if choice.why]
    table.post(Command("point", choice.seat, {"choice": choice.id, "index": index}))
    table.drain()


def test_steps_are_lit_where_they_lead_and_a_touch_points_at_them() -> None:
    table = asked(STEPPING, 3)
    (choice,) = [choice for choice in table.view.choices if choice.why]
    for page in playing.every(table, Nav()):
        assert page.id == "choice"
        rows = rows_of(page)
        assert list(rows) == ["row:TS", "row:SP", "row:KV", "row:industry"]
        steps = [option for option in choice.options if option.kind == "step"]
        lit = {(name, n) for name, row in rows.items() for n, spot in enumerate(row.spots) if spot.lit}
        assert lit == {(f"row:{o.values['row']}", o.values["cell"] - 1) for o in steps}
        touched = {f"{name}:{n}" for name, n in lit}
        assert touched <= set(elements.intents(page))
    pointed(table, 0)
    page = present.page(playing.shown(table), Nav())
    (chosen,) = [
        (name, n) for name, row in rows_of(page).items() for n, s in enumerate(row.spots) if s.chosen
    ]
    assert chosen == (f"row:{choice.options[0].values['row']}", choice.options[0].values["cell"] - 1)
    assert page.right[-1].kind == "paper"


def test_what_leads_to_no_cell_has_a_button_below() -> None:
    page = present.page(playing.shown(asked("choice", 2)), Nav())
    assert rows_of(page)
    words = [e.text for e in elements.walk(page) if isinstance(e, Button) and e.id.startswith("option:")]
    assert words == ["Take 1 locomotive", "Take 1 factory"]


def test_too_many_answers_for_the_tracks_are_a_list() -> None:
    page = present.page(playing.shown(asked("token", 5)), Nav())
    assert not rows_of(page)
    assert len([name for name in elements.intents(page) if name.startswith("option:")]) >= 5


def test_spaces_show_cost_owner_and_what_can_be_used() -> None:
    table = reached(lambda state: state.round == 2 and len(state.placed) == 6 and state.stack.idle)
    (choice,) = [choice for choice in table.view.choices if choice.why]
    free = {option.places[0] for option in choice.options if option.places}
    seen: dict[str, Panel] = {}
    page_number = 0
    while True:
        page = present.page(playing.shown(table), Nav(values={"spaces": page_number}))
        assert page.id == "table"
        here = {e.id: e for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("place:")}
        if set(here) <= set(seen):
            break
        seen |= here
        page_number += 1
    assert page_number > 1
    display = table.view.display
    assert display is not None
    assert set(seen) == {f"place:{place.space}" for place in display.places}
    touched = {name.removeprefix("place:") for name, panel in seen.items() if panel.intent is not None}
    assert touched == free
    for place in display.places:
        inside = [
            e.seat for e in elements.walk(Page("p", seen[f"place:{place.space}"])) if isinstance(e, Badge)
        ]
        assert inside == ([place.owner] if place.owner else [])


def test_the_tracks_of_everybody_can_be_looked_at_in_place_of_the_spaces() -> None:
    table = reached(lambda state: state.round == 3 and state.stack.idle)
    page = present.page(playing.shown(table), Nav())
    assert not rows_of(page)
    assert elements.intents(page)["rows"] == Set({"rows": True})
    for seat in "ABCD":
        for looked in playing.every(table, Nav(values={"rows": True, "look": seat})):
            assert len(rows_of(looked)) == 4
            assert {f"look:{s}" for s in "ABCD"} <= set(elements.intents(looked))
        display = table.view.display
        assert display is not None
        total = sum(row.total or 0 for row in display.rows if row.seat == seat)
        page = present.page(playing.shown(table), Nav(values={"rows": True, "look": seat}))
        assert str(total) in [e.text for e in elements.walk(page) if isinstance(e, Text)]


def test_whatever_is_asked_can_be_answered_by_touching() -> None:
    """A game on which people only touch what pages let them touch: every action is reached, to the end of
    two rounds, payments with several kinds of pieces included."""
    table = playing.table(playing.game("russian_railroads", 3))
    game, rng, nav = table.referee.game, random.Random(3), Nav()
    table.post(Command("look", None))
    table.drain()
    paid = 0
    while table.referee.state.round < 3:
        state = table.referee.state
        seat = game.acting(state)[0].seat
        offers = game.offers(state, seat)
        forms = [offer for offer in offers if isinstance(offer, Form)]
        action = rng.choice(forms).sample(rng) if forms and paid < 6 else game.sensible(state, seat, rng)
        paid += bool(forms)
        for _ in range(30):
            shown = playing.shown(table)
            assert unreachable(shown, nav) == []
            intent = elements.intents(present.page(shown, nav))[next_touch(game, state, shown, nav, action)]
            if isinstance(intent, Say):
                table.handle(intent.command)
            nav = present.on(nav, intent, shown)
            if table.referee.state is not state:
                break
        else:
            raise AssertionError(f"{action} was not done")
    assert paid >= 6


@pytest.mark.parametrize("name", ["railway_boom", "auction"])
def test_games_without_tracks_have_neither_button_nor_rows(name: str) -> None:
    page = present.page(playing.shown(playing.table(playing.game(name))), Nav())
    assert not rows_of(page)
    assert "rows" not in elements.intents(page)


def test_spaces_begin_on_the_page_where_the_question_can_be_answered() -> None:
    table = reached(lambda state: state.round == 2 and len(state.placed) == 6 and state.stack.idle)
    (choice,) = [choice for choice in table.view.choices if choice.why]
    shown = playing.shown(table)

    def there(nav: Nav) -> set[str]:
        body = rows.board(shown, nav, choice, {"ENG-PUB-1": [0], "ORD-1": [1]})
        return {e.id for e in elements.walk(Page("p", body)) if isinstance(e, Panel)}

    assert "place:ENG-PUB-1" in there(Nav())
    # Whoever turns the pages stays there, until something is done.
    assert "place:TRK-BLACK-1" in there(Nav(values={"spaces": 0}))
    nav = Nav(values={"spaces": 0, "rows": True})
    assert present.on(nav, parts.point(choice, 0), shown).values == nav.values
    does = next(n for n, option in enumerate(choice.options) if option.role == "offer")
    assert present.on(nav, parts.take(choice, does), shown).values == {"rows": True}


# A game without a mat -----------------------------------------------------------------------------


def yard(ways: bool) -> Game[Any]:
    """The toy with its action spaces on the screen: each is a form, or its `ways` to pay are actions and all
    there is to do."""
    toy = playing.game("toy_yard", 2)

    class Open(type(toy)):  # type: ignore[misc]
        def offers(self, state: Any, seat: str) -> list[Any]:
            listed = super().offers(state, seat)
            (form,) = [offer for offer in listed if isinstance(offer, Fill)] or (None,)
            others = [offer for offer in listed if offer is not form]
            if form is None:
                return others
            if ways:
                return [*form.expand()]
            return [self.form(form, space) for space in form.domain(()) or ()] + others

        def form(self, whole: Fill, space: str) -> Fill:
            return Fill(
                whole.action,
                lambda f: whole.domain((space, *f)),
                lambda f: whole.make((space, *f)),
                space=space,
            )

        def display(self, state: Any, viewer: str = "public") -> Display:
            places = tuple(
                Place(space.id, space.id, "yard", (Gauge("coins", space.cost),))
                for space in self.pack.content.spaces
            )
            shown: Display = super().display(state, viewer)
            return msgspec.structs.replace(shown, places=places)

    return Open(toy.title, toy.pack, 2, toy.options)


def placing(of: Game[Any], seed: int = 1) -> Table:
    """A table of the toy where a seat can pay for a space in several ways."""
    table = playing.table(of, dealt=False)
    rng = random.Random(seed)
    while not (options := [o for c in table.view.choices for o in c.options if c.why == "place"]) or (
        not any(option.role == "form" for option in options)
        and len({option.places for option in options}) == len(options)
    ):
        acting = of.acting(table.referee.state)[0].seat
        action = of.chance(table.referee.state, rng) or of.sensible(table.referee.state, acting, rng)
        table.referee.submit(action)
        table.post(Command("look", None))
        table.drain()
    return table


@pytest.mark.parametrize("ways", [False, True])
def test_a_game_without_a_mat_shows_its_action_spaces(ways: bool) -> None:
    table = placing(yard(ways))
    (choice,) = table.view.choices
    for page in playing.every(table, Nav()):
        assert page.id == "table"
        places = {e.id: e for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("place:")}
        assert len(places) == len(table.view.display.places)  # type: ignore[union-attr]
        lit = {name for name, panel in places.items() if panel.intent is not None}
        assert lit == {f"place:{option.places[0]}" for option in choice.options if option.places}
    if not ways:
        assert unreachable(playing.shown(table), Nav()) == []


def test_touching_a_space_again_goes_through_its_ways() -> None:
    table = placing(yard(True))
    (choice,) = table.view.choices
    spaces = [option.places for option in choice.options if option.places]
    several = next(places for places in spaces if spaces.count(places) > 1)
    # People who want the last way touch the space until it is named.
    state, last = table.referee.state, [o.action for o in choice.options if o.places == several][-1]
    assert last is not None
    name = next_touch(table.referee.game, state, playing.shown(table), Nav(), last)
    assert name == f"place:{several[0]}"
    pointed_at = []
    for _ in range(spaces.count(several) + 1):
        shown = playing.shown(table)
        panel = elements.intents(present.page(shown, Nav()))[f"place:{several[0]}"]
        playing.touch(table, Nav(), panel)
        pointed_at.append(table.view.choices[0].at)
    ways = [n for n, option in enumerate(choice.options) if option.places == several]
    assert pointed_at == [*ways, ways[0]]


def test_what_no_drawn_space_stands_for_has_a_button() -> None:
    of = yard(False)

    class Half(type(of)):  # type: ignore[misc]
        def display(self, state: Any, viewer: str = "public") -> Display:
            shown: Display = super().display(state, viewer)
            return msgspec.structs.replace(shown, places=shown.places[:2])

    table = placing(Half(of.title, of.pack, 2, of.options))
    shown = playing.shown(table)
    assert sum(bool(option.places) for option in table.view.choices[0].options) > 2
    assert present.page(shown, Nav()).id == "table"
    assert unreachable(shown, Nav()) == []
