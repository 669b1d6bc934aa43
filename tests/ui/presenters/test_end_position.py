"""A finished table is entered by touch, or read: all that scoring looks at is within reach, and counts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.game import EndFact, Game
from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.kiosk.deeds import nested
from ui.presenters import elements, present
from ui.presenters.elements import Board, Page, Panel
from ui.presenters.intents import Ask, Go, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, State

START = Nav("end_position", {"title": "railway_boom"}, back=(("attract", {}),))
OBJECTIVES = ("O01", "O05", "O08", "O09")


def ask(shown: Shown, nav: Nav, id: str = "score") -> Ask:
    intent = elements.intents(j.whole(present.page(shown, nav)))[id]
    if id == "score" and isinstance(intent, Set):
        # Nothing is known of some seat, which is asked about.
        nav = present.on(nav, intent, shown)
        intent = elements.intents(j.whole(present.page(shown, nav)))[id]
    assert isinstance(intent, Ask)
    return intent


def with_objectives(shown: Shown, nav: Nav = START) -> Nav:
    for name in OBJECTIVES:
        while f"pick:{name}" not in elements.intents(present.page(shown, nav)):
            nav = j.go(shown, nav, "page:later")
        nav = j.go(shown, nav, f"pick:{name}")
    return nav


def facts(game: Game[Any], entered: dict[str, Any]) -> tuple[EndFact, ...]:
    return game.end_facts(entered)


def scored(players: int, asked: Ask) -> tuple[Any, Any, Any]:
    """What the host makes of it: the game, its state and the sheet of the final scoring."""
    game = p.game("railway_boom", players)
    state = game.from_position(game.end_position(nested(asked.values["position"])))
    assert not game.faults(state)
    after, events = game.final(state)
    return game, after, game.sheet(after, events)


def test_first_the_game_is_chosen_out_of_those_that_can_be_scored() -> None:
    page = j.whole(present.page(j.alone(), Nav("end_position")))
    assert {id for id in elements.intents(page) if id.startswith("title:")} == {"title:railway_boom"}
    assert j.go(j.alone(), Nav("end_position"), "title:railway_boom").values["title"] == "railway_boom"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_fact_has_its_page_at_every_size_in_every_language(players: int) -> None:
    entered = {"objectives": list(OBJECTIVES)}
    game = p.game("railway_boom", players)
    nav = msgspec.structs.replace(START, values={**START.values, "players": players, "facts": entered})
    shown, seen = j.alone(), []
    for _ in range(len(facts(game, entered))):
        nav = j.go(shown, nav, "next")
        seen.append(nav.values["fact"])
    assert sorted(seen) == sorted(fact.path for fact in facts(game, entered))
    for path in ("white", "seats.A.vp", "seats.B.rails", "seats.B.carriages", "seats.A.cubes.O08"):
        owner = path.split(".")[1] if "." in path else ""
        here = msgspec.structs.replace(nav, values={**nav.values, "seat": owner, "fact": path})
        for size in p.SIZES:
            for language in ("en", "de"):
                page = j.whole(present.page(j.alone(size, language), here))
                assert "{" not in " ".join(j.texts(page))


def test_every_label_has_words_in_every_language() -> None:
    entered = {"objectives": list(OBJECTIVES)}
    for language in ("en", "de"):
        shown = p.shown(p.table(p.game("railway_boom")), language=language)
        assert shown.playing is not None
        for fact in facts(p.game("railway_boom"), entered):
            assert shown.playing.sentences.has("end", fact.label), fact.label


def test_nothing_is_scored_before_the_objectives_are_known() -> None:
    page = present.page(j.alone(), START)
    assert j.button(page, "score").intent is None
    assert j.button(page, "score").reason == "Still to be entered: Objectives, rounds 1 to 4"
    assert j.button(present.page(j.alone(), with_objectives(j.alone())), "score").kind == "plain"


def test_a_seat_of_which_nothing_was_entered_is_asked_about_before_it_is_scored() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "seat:A", "step:+1", "score")
    page = j.whole(present.page(shown, nav))
    assert page.prompt is not None
    assert page.prompt.text == "Score it with nothing of seat B, C, D?"
    assert j.button(page, "score").kind == "paper"
    nav = j.go(shown, nav, "seat:B", "step:-1")
    page = j.whole(present.page(shown, nav))
    assert page.prompt is not None
    assert page.prompt.text == "VP so far"
    assert isinstance(j.button(page, "score").intent, Set), "B is known now, and it is asked about the others"
    nav = j.go(shown, nav, "seat:C", "step:-1", "seat:D", "step:-1")
    assert isinstance(j.button(present.page(shown, nav), "score").intent, Ask)


def test_what_was_entered_of_a_finished_table_is_kept_until_it_is_begun_anew() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "seat:A", "step:+10")
    kept = nav.values["facts"]
    nav = present.on(nav, elements.intents(present.page(shown, nav))["leave"], shown)
    nav = present.on(nav, Go("end_position"), shown)
    assert (nav.screen, nav.values["facts"]) == ("end_position", kept)
    assert j.go(shown, nav, "over").values == {}


def test_what_is_entered_by_touch_is_scored_with_every_source() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "players")  # from 4 players round to 2
    assert nav.values["players"] == 2
    nav = with_objectives(shown, nav)
    nav = j.go(shown, nav, "seat:A", "step:+10", "step:+10", "step:+1", "step:-1")
    nav = j.go(shown, nav, "fact:seats.A.rails", "board:g9", "board:g10", "board:h9", "board:h8")
    nav = j.go(shown, nav, "board:h8")  # taken up again
    nav = j.go(shown, nav, "fact:seats.A.stations", "board:g8")
    nav = j.go(shown, nav, "fact:seats.A.money", "step:+1", "step:+1", "step:+1", "step:+1", "step:+1")
    cube = "seats.A.cubes.O05"
    nav = msgspec.structs.replace(nav, values={**nav.values, "seat": "A", "fact": cube})
    nav = j.go(shown, nav, "one:1")
    asked = ask(shown, nav)
    assert asked.what == "score_position"
    assert asked.values["title"] == "railway_boom"
    assert asked.values["seats"] == {"A": "", "B": ""}
    game, state, sheet = scored(2, asked)
    index = game.index["A"]
    assert game.grid.names(state.seats[index].rails) == ["g9", "g10", "h9"]
    assert game.grid.names(state.seats[index].stations) == ["g8"]
    # One rail in a forest at five a rail, three rails in one railway.
    assert sheet.by_source("A") == {"objective": 5, "resources": 2, "railway": 6}
    assert game.totals(state)["A"] == 20 + 5 + 2 + 6


def test_a_rail_and_a_station_never_lie_on_one_place() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "seat:A", "fact:seats.A.rails", "board:g8")
    nav = j.go(shown, nav, "fact:seats.A.stations", "board:g8")
    assert nav.values["facts"]["seats.A.rails"] == []
    assert nav.values["facts"]["seats.A.stations"] == ["g8"]
    scored(4, ask(shown, nav))


def test_stations_stand_on_cities_only_and_there_are_four() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "seat:A", "fact:seats.A.stations")
    board = next(e for e in elements.walk(present.page(shown, nav)) if isinstance(e, Board))
    assert "g9" not in board.intents  # a river
    nav = j.go(shown, nav, "board:g8", "board:h4", "board:h6", "board:g11")
    board = next(e for e in elements.walk(present.page(shown, nav)) if isinstance(e, Board))
    assert set(board.intents) == {"g8", "h4", "h6", "g11"}


def test_what_the_camera_read_holds_until_somebody_says_otherwise() -> None:
    shown = j.alone()
    seen = {"A": {"rails": ["g9"], "stations": ["g8", "g9"]}, "B": {"rails": ["c8", "c9"]}}
    nav = with_objectives(shown)
    nav = msgspec.structs.replace(nav, values={**nav.values, "seen": seen, "hidden": ["a10"]})
    page = j.whole(present.page(shown, nav))
    assert page.prompt is not None
    assert page.prompt.detail == "One area is covered. Enter by touch what lies there."
    position = ask(shown, nav).values["position"]
    assert position["seats.A.rails"] == ["g9"]
    assert position["seats.A.stations"] == ["g8"]  # no station can stand on a river
    assert position["seats.B.rails"] == ["c8", "c9"]
    nav = j.go(shown, nav, "seat:B", "fact:seats.B.rails", "board:c9")
    assert ask(shown, nav).values["position"]["seats.B.rails"] == ["c8"]


def test_reading_the_mat_needs_a_camera() -> None:
    assert ask(j.alone(), START, "read").values["title"] == "railway_boom"
    dark = j.alone(camera=State("off", "No camera is set up."))
    read = j.button(present.page(dark, START), "read")
    assert (read.intent, read.reason) == (None, "No camera is set up.")


def test_an_order_that_is_begun_must_be_ended() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "fact:white", "pick:C")
    assert j.button(present.page(shown, nav), "score").reason == "Still to be entered: Discs, left to right"
    nav = j.go(shown, nav, "pick:A", "pick:D", "pick:B")
    assert ask(shown, nav).values["position"]["white"] == ["C", "A", "D", "B"]
    nav = j.go(shown, nav, "pick:B", "pick:D", "pick:A", "pick:C")
    assert "white" not in ask(shown, nav).values["position"]
    scored(4, ask(shown, nav))


def test_numbers_stay_within_their_bounds() -> None:
    shown = j.alone()
    nav = j.go(shown, with_objectives(shown), "seat:A", "step:-10", "step:-1")
    assert nav.values["facts"]["seats.A.vp"] == 0
    nav = msgspec.structs.replace(nav, values={**nav.values, "fact": "seats.A.levels.money"})
    assert j.go(shown, nav, "step:-1").values["facts"]["seats.A.levels.money"] == 1
    top = p.game("railway_boom").top_level[1]  # type: ignore[attr-defined]
    assert j.go(shown, nav, "step:+10").values["facts"]["seats.A.levels.money"] == top


def test_cards_beyond_the_most_replace_the_last_one() -> None:
    shown = j.alone()
    nav = with_objectives(shown)
    nav = (
        j.go(shown, nav, "page:earlier")
        if "page:earlier" in elements.intents(present.page(shown, nav))
        else nav
    )
    nav = j.go(shown, nav, "pick:O02")
    assert nav.values["facts"]["objectives"] == ["O01", "O05", "O08", "O02"]
    picked = [e for e in elements.walk(present.page(shown, nav)) if isinstance(e, Panel) and e.chosen]
    assert len([e for e in picked if e.id.startswith("pick:")]) == 3 + ("pick:O02" in [e.id for e in picked])


def page_of(shown: Shown, nav: Nav) -> Page:
    return j.whole(present.page(shown, nav))


def test_the_usual_locomotive_is_there_from_the_beginning() -> None:
    shown = j.alone()
    position = ask(shown, with_objectives(shown)).values["position"]
    game = p.game("railway_boom", 4)
    starts = [card.id for card in game.content.start_locomotives]  # type: ignore[attr-defined]
    assert [position[f"seats.{seat}.locomotives"] for seat in "ABCD"] == [[name] for name in starts[:4]]


def test_going_back_leaves_the_screen() -> None:
    intent = elements.intents(page_of(j.alone(), START))["leave"]
    assert present.on(START, intent, j.alone()).screen == "attract"
    assert isinstance(elements.intents(page_of(j.alone(), START))["next"], Set)
