"""The auction's page: stake, track, bidders, and the bid that is thought of."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from assistant.messages import Command, Holding
from tests.ui.presenters import playing as p
from ui.presenters import auction, elements, present
from ui.presenters.elements import BidTrack, Button, Page, Text
from ui.presenters.nav import Nav


@pytest.fixture
def boom() -> Any:
    return p.table(p.game("railway_boom"))


def button(page: Page, id: str) -> Button:
    return next(e for e in elements.walk(page) if isinstance(e, Button) and e.id == id)


def track(page: Page) -> BidTrack:
    return next(e for e in elements.walk(page) if isinstance(e, BidTrack))


def test_the_first_bid_is_thought_of_and_plus_and_minus_move_it(boom: Any) -> None:
    page = present.page(p.shown(boom), Nav())
    assert page.id == "auction"
    assert page.prompt is not None
    assert page.prompt.text == "Mira: raise your bid or lock in at 0"
    assert page.prompt.detail == "You hold 8 Materials. At 1 you are first and would pay 1 Materials."
    assert [b.id for b in page.right] == ["lock", "minus", "plus", "take"]
    assert button(page, "take").text == "Bid 1"
    assert button(page, "minus").intent is None
    p.touch(boom, Nav(), button(page, "plus").intent)  # type: ignore[arg-type]
    page = present.page(p.shown(boom), Nav())
    assert button(page, "take").text == "Bid 2"
    assert "At 2 you are first" in page.prompt.detail  # type: ignore[union-attr]
    cells = track(page).cells
    assert [c.number for c in cells if c.chosen] == [2]
    assert cells[:4] == tuple(c for c in cells if c.white)
    p.touch(boom, Nav(), button(page, "minus").intent)  # type: ignore[arg-type]
    assert button(present.page(p.shown(boom), Nav()), "take").text == "Bid 1"


def test_a_touch_on_the_track_points_and_the_paper_button_bids(boom: Any) -> None:
    page = present.page(p.shown(boom), Nav())
    index = next(i for i, c in enumerate(track(page).cells) if c.number == 3)
    p.touch(boom, Nav(), track(page).intents[index])
    page = present.page(p.shown(boom), Nav())
    assert button(page, "take").kind == "paper"
    p.touch(boom, Nav(), button(page, "take").intent)  # type: ignore[arg-type]
    assert {b.seat: b.value for b in boom.view.display.auction.bidders}["A"] == 3
    page = present.page(p.shown(boom), Nav())
    assert [(c.number, c.disc.seat) for c in track(page).cells if c.disc and not c.disc.faint][-1] == (3, "A")


def test_locking_in_shows_how_long_ok_is_held_already(boom: Any) -> None:
    boom.handle(Holding("ok", "A", since=8.8, until=9.2))
    assert button(present.page(p.shown(boom), Nav()), "lock").progress == pytest.approx(0.5)
    assert auction.held(p.shown(boom), "B") == 0


def test_many_cards_at_stake_are_paged(boom: Any) -> None:
    page = present.page(p.shown(boom), Nav())
    turned = present.on(Nav(), button(page, "stake").intent, p.shown(boom))  # type: ignore[arg-type]
    names = {e.text for e in elements.walk(page) if isinstance(e, Text)}
    other = {e.text for e in elements.walk(present.page(p.shown(boom), turned)) if isinstance(e, Text)}
    assert names != other


def test_with_no_higher_space_locking_in_is_the_answer(boom: Any) -> None:
    shown = p.shown(boom)
    assert shown.playing is not None
    choice = shown.playing.view.choices[0]
    only = tuple(o for o in choice.options if o.locks)
    lone = msgspec.structs.replace(choice, options=only, at=0)
    view = msgspec.structs.replace(shown.playing.view, choices=(lone,))
    shown = msgspec.structs.replace(shown, playing=msgspec.structs.replace(shown.playing, view=view))
    page = present.page(shown, Nav())
    p.check(page)
    assert button(page, "lock").kind == "paper"
    assert button(page, "take").reason


@pytest.mark.parametrize("top", ["10", "20", "30", "50"])
def test_an_auction_without_a_game(top: str) -> None:
    judge = p.table(p.game("auction", 4, top=top))
    counts = p.walk(judge, random.Random(1), 80, look=4)
    assert counts["auction"] > 5
    assert counts["choice"] >= 1


def test_a_long_track_is_shown_where_the_bidding_is() -> None:
    judge = p.table(p.game("auction", 2, top="50"))
    choice = judge.view.choices[0]
    judge.handle(Command("take", choice.seat, {"choice": choice.id, "index": 0}))
    page = present.page(p.shown(judge), Nav())
    assert len(track(page).cells) == auction.MOST_CELLS
    choice = judge.view.choices[0]
    last = max(n for n, o in enumerate(choice.options) if auction.space_of(o) == 50)
    judge.handle(Command("point", choice.seat, {"choice": choice.id, "index": last}))
    assert track(present.page(p.shown(judge), Nav())).cells[-1].number == 50


def test_what_may_be_done_besides_bidding_is_called_by_a_word(boom: Any) -> None:
    for page in p.every(boom, Nav()):
        more = button(page, "more")
        assert more.text in ("More", "Mehr")
        assert more.intent is not None
