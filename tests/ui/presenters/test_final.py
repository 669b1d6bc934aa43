"""The end: who has won and why, places with ties, every point by its source, and what is left to do."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations
from typing import Any

import msgspec
import pytest

from assistant.events import Points
from assistant.scores import ScoreSheet
from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.elements import Board, Chart, Panel, Text
from ui.presenters.final import ranks
from ui.presenters.intents import Ask, Go, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import House, State

ORDERS = sorted(set(permutations((80, 80, 75))))


@cache
def ended(players: int) -> Any:
    """A game that was played to its end; looked at only."""
    judge = p.table(p.game("railway_boom", players))
    p.play(judge, random.Random(3), 3000)
    assert judge.view.finished
    return judge


def scored(of: str, points: tuple[int, ...], **facts: Any) -> Any:
    """A game that ends with these points, scored by its own rules about ties."""
    game = p.game(of, len(points))
    sheet = ScoreSheet.from_events(
        game.seats, [Points(seat, n, "x") for seat, n in zip(game.seats, points, strict=True)]
    )
    judge = p.table(game, dealt=False)
    shown = p.shown(judge)
    if of == "railway_boom":
        seats = {seat: {"vp": n, **facts.get(seat, {})} for seat, n in zip(game.seats, points, strict=True)}
        position = {"phase": "over", "step": "over", "round": 4, "seats": seats}
        places = game.places(game.from_position(position))
        return j.viewed(
            shown, finished=True, sheet=sheet, places=tuple(places), position=position, notices=(), choices=()
        )
    groups = tuple(
        tuple(seat for seat, n in zip(game.seats, points, strict=True) if n == rank)
        for rank in sorted(set(points), reverse=True)
    )
    return j.viewed(shown, finished=True, sheet=sheet, places=groups, notices=(), choices=())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_seats_at_every_size_in_every_language(players: int) -> None:
    judge = ended(players)
    seen = judge.view.notices[-1].id
    for page in j.drawn(judge, Nav(seen_notice=seen)):
        assert page.id == "final"
        columns = [e for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("seat:")]
        assert len(columns) == players
        assert next(e for e in elements.walk(page) if isinstance(e, Chart)).labels[-1] in ("end", "Ende")


def test_the_columns_stand_by_place_and_the_best_of_a_source_is_bold() -> None:
    judge = ended(4)
    page = present.page(p.shown(judge), Nav())
    order = [seat for group in judge.view.places for seat in group]
    columns = [e for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("seat:")]
    assert [c.id for c in columns] == [f"seat:{seat}" for seat in order]
    sheet = judge.view.sheet
    source = next(iter(dict.fromkeys(line.source for line in sheet.lines)))
    best = max(sheet.by_source(seat).get(source, 0) for seat in order)
    for seat, column in zip(order, columns, strict=True):
        cells = [e for e in elements.walk(msgspec.structs.replace(page, body=column)) if isinstance(e, Text)]
        numbers = [cell for cell in cells if cell.align == "right" and cell.size == "text"]
        mine = sheet.by_source(seat).get(source, 0)
        assert numbers[0].text == str(mine)
        assert numbers[0].bold == (mine == best)
        assert str(sheet.total(seat)) in [cell.text for cell in cells]


def test_pages_of_sources_show_all_of_them_once() -> None:
    judge, nav = ended(4), Nav()
    shown = p.shown(judge)
    found: list[str] = []
    for _ in range(9):
        page = j.whole(present.page(shown, nav))
        found += j.texts(page)
        following = elements.intents(page).get("page:later")
        if following is None:
            break
        nav = present.on(nav, following, shown)
    sentences = p.shown(judge).playing.sentences  # type: ignore[union-attr]
    for source in {line.source for line in judge.view.sheet.lines}:
        words = sentences.source(source)
        assert found.count(words[:1].upper() + words[1:]) == 1, source


def test_a_touch_on_a_column_shows_every_point_of_the_seat_with_its_rule_and_place() -> None:
    judge = ended(4)
    shown = p.shown(judge)
    nav = j.go(shown, Nav(), "seat:B")
    lines = [line for line in judge.view.sheet.lines if line.seat == "B"]
    total = sum(line.amount for line in lines)
    page = j.whole(present.page(shown, nav))
    assert page.prompt is not None
    assert page.prompt.text == f"Jonas: {total} points"
    source = next(id for id in elements.intents(page) if id.startswith("source:"))
    inner = j.go(shown, nav, source)
    amounts: list[int] = []
    rules: set[str] = set()
    while True:
        page = j.whole(present.page(shown, inner))
        words = j.texts(page)
        amounts += [int(word) for word in words if word[:1] in "+-" and word[1:].isdecimal()]
        rules |= {line.rule for line in lines if line.rule in words}
        following = elements.intents(page).get("page:later")
        if following is None:
            break
        inner = present.on(inner, following, shown)
    own = [line for line in lines if line.source == source.removeprefix("source:")]
    assert amounts == [line.amount for line in own]
    assert rules == {line.rule for line in own if line.rule}
    assert isinstance(elements.intents(page)["rule"], Go)
    # And back, twice, to the table.
    assert (
        present.on(present.on(inner, elements.intents(page)["up"], shown), Set({"of": ""}), shown).values[
            "of"
        ]
        == ""
    )


def test_places_of_points_are_lit_with_what_they_brought() -> None:
    judge = ended(4)
    shown = p.shown(judge)
    mat = p.mat_of(judge.referee.game)
    assert mat is not None
    known = {space.id for space in mat.spaces if space.hex is not None}
    line = next(n for n in judge.view.sheet.lines if known & set(n.detail.split()))
    nav = j.go(shown, Nav(), f"seat:{line.seat}")
    page = present.page(shown, msgspec.structs.replace(nav, values={**nav.values, "source": line.source}))
    board = next(e for e in elements.walk(page) if isinstance(e, Board))
    (place,) = known & set(line.detail.split())
    lit = {hexagon.space: hexagon.cost for hexagon in board.hexes if hexagon.lit}
    assert int(lit[place]) >= line.amount


def test_places_after_a_shared_one_are_left_out() -> None:
    assert ranks([("A", "C"), ("B",)]) == {"A": 1, "C": 1, "B": 3}
    assert ranks([("B",), ("A", "C"), ("D",)]) == {"B": 1, "A": 2, "C": 2, "D": 4}


@pytest.mark.parametrize("points", ORDERS)
def test_two_of_80_share_the_win_in_each_seat_order(points: tuple[int, ...]) -> None:
    shown = scored("auction", points)
    page = j.whole(present.page(shown, Nav()))
    assert page.prompt is not None
    first = [seat for seat, n in zip("ABC", points, strict=True) if n == 80]
    names = ", ".join(p.NAMES[seat] for seat in first)
    assert page.prompt.text == f"{names} share the win with 80"
    assert page.prompt.seat == ""
    words = j.texts(page)
    assert [word for word in words if word in ("1.", "2.", "3.")] == ["1.", "1.", "3."]
    assert f"{names} have equal points and share the place." in words
    # The same in each order: those of 80 stand before the one of 75.
    columns = [e.id[-1] for e in elements.walk(page) if isinstance(e, Panel) and e.id.startswith("seat:")]
    assert columns[:2] == first


@pytest.mark.parametrize("points", ORDERS)
def test_the_games_own_rule_breaks_a_tie_in_each_seat_order_and_is_named(points: tuple[int, ...]) -> None:
    first, second = (seat for seat, n in zip("ABC", points, strict=True) if n == 80)
    facts: dict[str, Any] = {second: {"rails": ["g9", "g10"]}, first: {"rails": ["h5"]}}
    page = j.whole(present.page(scored("railway_boom", points, **facts), Nav()))
    assert page.prompt is not None
    winner, loser = p.NAMES[second], p.NAMES[first]
    assert page.prompt.text == f"{winner} wins with 80"
    said = f"{winner} comes before {loser} by rails on the map, 2 to 1. RB-END-4"
    assert said in j.texts(page)
    assert page.prompt.detail == said
    assert [w for w in j.texts(page) if w in ("1.", "2.", "3.")] == ["1.", "2.", "3."]


def test_the_last_rule_about_ties_is_named_too() -> None:
    facts: dict[str, Any] = {"A": {"tiles": {"coal": 2}}, "B": {"tiles": {"coal": 1}}}
    tiles = j.texts(present.page(scored("railway_boom", (80, 80, 75), **facts), Nav()))
    assert "Mira comes before Jonas by Resource Tiles, 2 to 1. RB-END-4" in tiles
    track = j.texts(present.page(scored("railway_boom", (80, 80, 75)), Nav()))
    assert "Jonas comes before Mira: the disc is further right on the auction track. RB-END-4" in track


def test_what_is_left_to_do() -> None:
    page = present.page(p.shown(ended(2)), Nav())
    there = elements.intents(page)
    assert there["close"] == Ask("close")
    assert there["save_chart"] == Ask("save_chart")
    assert there["forget"] == Ask("forget")
    assert there["census"] == Ask("census")
    assert page.right[-1].id == "close"
    dark = House("Café", (), camera=State("off", "The camera is switched off."))
    grey = j.button(present.page(p.shown(ended(2), house=dark), Nav()), "census")
    assert (grey.intent, grey.reason) == (None, "The camera is switched off.")


def test_the_score_of_a_game_that_goes_on_can_be_hidden() -> None:
    judge = p.table(p.game("railway_boom", 3))
    p.play(judge, random.Random(3), 150)
    nav = Nav("score", back=(("", {}),))
    for page in j.drawn(judge, nav):
        assert any(isinstance(e, Chart) for e in elements.walk(page))
    for page in j.drawn(judge, nav, hidden_scores=True):
        assert not any(isinstance(e, Chart | Panel) for e in elements.walk(page))
    nav = present.on(nav, elements.intents(present.page(p.shown(judge), nav))["leave"], p.shown(judge))
    assert nav.screen == ""


def test_nobody_has_points_at_the_beginning() -> None:
    judge = p.table(p.game("railway_boom", 3), dealt=False)
    page = j.whole(present.page(p.shown(judge), Nav("score")))
    assert "Nobody has points yet." in j.texts(page)
    seat = j.go(p.shown(judge), Nav("score"), "seat:A")
    assert "No points yet." in j.texts(j.whole(present.page(p.shown(judge), seat)))
