"""The turn of a game with hidden hands, as Trains shows it: what is drawn unsaid, prices, cards in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from assistant.dealing import Deal
from assistant.table import TableView
from tests.ui.presenters.playing import SIZES
from ui.kiosk.people import grey, unreachable
from ui.kiosk.shelf import offered
from ui.kiosk.staging import Recorder, Stage
from ui.presenters import choice as chooser
from ui.presenters import present
from ui.presenters.elements import Board, Button, Page, Panel, Text, intents, walk
from ui.presenters.intents import Go, Say
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown


@cache
def stage(language: str = "en", size: tuple[int, int] = (1024, 600)) -> Stage:
    return Stage(metrics(*size), language, offered(("trains",)))


def at(there: Callable[[TableView], bool], seed: str = "turn") -> Recorder:
    game = Recorder("trains", 3, seed)
    game.play_until(there)
    return game


def page_of(game: Recorder, **kept: Any) -> tuple[Shown, Page]:
    shown = stage().of("now", game).shown
    return shown, present.page(shown, Nav(kept.pop("screen", ""), kept))


def asks(*whys: str) -> Callable[[TableView], bool]:
    return lambda view: any(who.why in whys for who in view.acting)


def texts(page: Page) -> list[str]:
    return [e.text for e in walk(page) if isinstance(e, Text)]


def test_a_draw_is_one_touch_and_names_no_card() -> None:
    game = at(asks("deal"))
    _, page = page_of(game)
    assert page.id == "table"
    assert page.prompt is not None
    assert page.prompt.text == "Mira draws 5 cards"
    (done,) = page.right
    assert done.kind == "paper"
    assert isinstance(done.intent, Say)
    action = game.game.codec.from_json(done.intent.command.values["action"])
    assert action == Deal("A", 5)
    before = game.view
    for _ in range(2):
        game.table.handle(done.intent.command)
    # The second tap was meant for the first draw, and is not one for the next seat.
    assert game.view.seq == before.seq + 1
    assert game.view.notices[-1].kind == "recorded"


def test_who_lays_down_the_rest_of_a_hand_is_named_and_asked_at_once() -> None:
    def several(view: TableView) -> bool:
        position = view.position
        left = position["seats"][position["turn"]]["unnamed"].get("hand", 0)
        return asks("leftovers")(view) and left > 1

    game = at(several)
    owner = game.game.seats[game.referee.state.active]
    _, page = page_of(game)
    assert page.prompt is not None
    assert page.prompt.text.startswith(f"{game.names[owner]}: ")
    shown, page = page_of(game, screen="choice", owed=True)
    hand = game.referee.state.cards[owner]["hand"]
    first = [b for b in walk(page) if isinstance(b, Button) and b.id.startswith("input:")]
    assert len(first) > 1
    # The record does not name the hand: what may lie there is all that the seat owns and has not laid open.
    assert hand.unnamed > 0
    nav = present.on(Nav("choice", {"owed": True}), intents(page)[first[0].id], shown)
    again = present.page(shown, nav)
    assert again.prompt is not None
    assert again.prompt.detail == f"So far: {first[0].text}."


def test_kinds_of_answers_have_a_button_each() -> None:
    # With a rail to lay and Money in hand there are plays, purchases, places and the end.
    def busy(view: TableView) -> bool:
        options = [option.kind for choice in view.choices for option in choice.options]
        return {"play", "lay", "buy"} <= set(options)

    game = at(busy)
    shown, page = page_of(game)
    assert page.id == "table"
    groups = {b.id: b for b in page.right if b.id.startswith("group:")}
    assert set(groups) == {"group:play", "group:buy"}
    assert grey(page) == []
    (choice,) = game.view.choices
    for kind in ("play", "buy"):
        intent = groups[f"group:{kind}"].intent
        assert isinstance(intent, Go)
        nav = present.on(Nav(), intent, shown)
        listed = present.page(shown, nav)
        indices = [
            int(e.id.partition(":")[2])
            for e in walk(listed)
            if isinstance(e, Panel) and e.id.startswith("option:")
        ]
        assert indices
        assert {choice.options[n].kind for n in indices} == {kind}
        # Once something was taken the map is back.
        taken = chooser.on(nav, Say(_take(choice, indices[0])), shown)
        assert taken is not None
        assert taken.screen == ""
    assert unreachable(shown, Nav()) == []


def test_a_small_panel_has_one_button_for_all_kinds() -> None:
    def several(view: TableView) -> bool:
        return {"play", "buy"} <= {option.kind for choice in view.choices for option in choice.options}

    shown = stage(size=(800, 480)).of("now", at(several)).shown
    page = present.page(shown, Nav())
    assert [b.id for b in page.right if b.id.startswith(("group:", "more"))] == ["more"]
    assert unreachable(shown, Nav()) == []


def test_the_legend_explains_boxes_and_what_the_turn_counts() -> None:
    game = at(asks("turn"))
    pages = [page_of(game, screen="legend", page=number)[1] for number in range(2)]
    boards = [e for page in pages for e in walk(page) if isinstance(e, Board)]
    (station,) = [hexagon for board in boards for hexagon in board.hexes if hexagon.room]
    assert station.built < station.room
    assert {"station", "Money", "Cards in hand"} <= {text for page in pages for text in texts(page)}


def _take(choice: Any, index: int) -> Any:
    from ui.presenters import parts

    return parts.take(choice, index).command


def test_lit_places_show_their_price_and_what_else_they_cost() -> None:
    def sharing(view: TableView) -> bool:
        return any(
            len(option.foresight.price) > 1
            for choice in view.choices
            for option in choice.options
            if option.foresight is not None
        )

    game = at(sharing)
    state, rules = game.referee.state, game.game
    _, page = page_of(game)
    (board,) = [e for e in walk(page) if isinstance(e, Board)]
    lit = [hexagon for hexagon in board.hexes if hexagon.lit]
    assert lit
    for hexagon in lit:
        bit = rules.board.grid.bit[hexagon.space]  # type: ignore[attr-defined]
        cost = rules.board.cost(state, state.active, state.turn.waived, bit)  # type: ignore[attr-defined]
        others = rules.board.others(state, state.active, bit)  # type: ignore[attr-defined]
        assert hexagon.cost == str(cost)
        assert hexagon.second == (others > 0)
    assert any(hexagon.second for hexagon in lit)


def test_the_map_has_rooms_numbers_and_barriers() -> None:
    game = at(asks("turn"))
    _, page = page_of(game)
    (board,) = [e for e in walk(page) if isinstance(e, Board)]
    assert board.barriers == tuple((b.a, b.b) for b in game.game.pack.content.barriers)
    places = game.game.pack.content.hexes
    for hexagon in board.hexes:
        place = places[hexagon.space]
        assert hexagon.room == (place.number if place.terrain == "city" else 0)
        assert hexagon.number == (str(place.number) if place.terrain == "remote" else "")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_turn_shows_what_it_has_and_what_lies_open(size: tuple[int, int], language: str) -> None:
    game = at(lambda view: bool(view.display and view.display.turn and len(view.display.turn.cards) > 1))
    shown = stage(language, size).of("now", game).shown
    page = present.page(shown, Nav())
    said = texts(page)
    turn = game.game.display(game.referee.state).turn
    assert turn is not None
    assert page.prompt is not None
    assert page.prompt.right is not None
    alone = Page(id="prompt", body=page.prompt.right)
    assert Counter(texts(alone)) >= Counter(str(gauge.value) for gauge in turn.gauges)
    assert any(("Empty stacks" if language == "en" else "Leere Stapel") in text for text in said)
    panel = [e for e in walk(page) if isinstance(e, Panel) and e.id == "turn"]
    assert len(panel) == (0 if shown.metrics.small else 1)
    if panel:
        words = " ".join(texts(Page(id="turn", body=panel[0])))
        assert all(face.title in words for group in turn.cards for face in group.faces)
