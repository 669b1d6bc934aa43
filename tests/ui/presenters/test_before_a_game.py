"""The screens round a game: first screen, new game, names, house rules, staff, PIN, idle, safe."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from tests.ui.presenters import playing
from tests.ui.presenters.playing import SIZES
from ui.kiosk.deeds import DEEDS
from ui.kiosk.shelf import offered
from ui.names import LONGEST_NAME
from ui.presenters import present
from ui.presenters.attract import age_words
from ui.presenters.elements import Button, Page, Panel, Size, Text, intents, walk
from ui.presenters.house_rules import switch_words, value_words
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.metrics import metrics
from ui.presenters.nav import BACK, Nav
from ui.presenters.rules import text_of
from ui.presenters.shown import House, ParkedFacts, Shown, State, TitleFacts
from ui.presenters.words import LANGUAGES, Words

GOOD = State("good")
LITERAL = "[b]x[/b]"
LONG = {seat: f"{seat.lower()}{'w' * (LONGEST_NAME - 1)}" for seat in "ABCD"}
FAULT = "the record is damaged from entry 41 on"
AGES = (10.0, 4800.0, 90000.0, None, 3599.0)


@cache
def titles() -> tuple[TitleFacts, ...]:
    return offered(("railway_boom", "auction"))


def title(name: str) -> TitleFacts:
    return next(each for each in titles() if each.id == name)


def parked(number: int, fault: str = "") -> tuple[ParkedFacts, ...]:
    """So many games that wait, every other one with a fault."""
    return tuple(
        ParkedFacts(
            f"g{n}",
            "railway_boom",
            "Railway Boom",
            {**LONG, "B": LITERAL},
            "Round 2 of 4",
            "Mira: to bid",
            AGES[n % len(AGES)],
            fault=fault if n % 2 == 0 else "",
        )
        for n in range(number)
    )


def shown(language: str = "en", size: tuple[int, int] = (1024, 600), **more: Any) -> Shown:
    """A table in a café."""
    house = House("Table 4", titles(), camera=GOOD, panel=GOOD, record=GOOD, version="0.1.0")
    return Shown(msgspec.structs.replace(house, **more), metrics(*size), Words(language), None, 1000.0)


def touch(now: Shown, nav: Nav, id: str) -> Nav:
    """The navigation after something was touched."""
    return present.on(nav, intents(present.page(now, nav))[id], now)


def texts(page: Page) -> list[str]:
    return [e.text for e in walk(page) if isinstance(e, Text)]


def test_a_game_with_hidden_hands_is_never_dealt_by_the_machine() -> None:
    now = shown(offered=offered(("trains",)))
    page = present.page(now, Nav("new_game", {"title": "trains", "machine_draws": True}))
    change = next(e for e in walk(page) if isinstance(e, Button) and e.id == "machine_draws")
    assert change.intent is None
    assert "all see this screen" in change.reason
    assert "held and drawn by hand" in texts(page)
    begin = intents(page)["begin"]
    assert isinstance(begin, Go)
    assert begin.values["begin"]["machine_draws"] is False


def reasons(page: Page) -> list[str]:
    return [e.reason for e in walk(page) if isinstance(e, Button) and e.reason]


def states() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Screen, its own values, what differs in the house."""
    for number in (0, 1, 5):
        for fault in ("", FAULT):
            games = parked(number, fault)
            yield "attract", {}, {"parked": games}
            yield "attract", {"parked": True, "page": 1}, {"parked": games}
            for sure in ("", "g0"):
                yield "staff", {"section": "parked", "sure": sure}, {"parked": games, "staff": True}
    for section in ("camera", "rules", "house", "about", "unheard of"):
        yield "staff", {"section": section}, {"staff": True, "panel": State("off", "No panel")}
    for each in ("railway_boom", "auction", "nothing"):
        for players in (2, 4, 9):
            yield "new_game", {"title": each, "players": players, "seats": LONG}, {}
        for house in (False, True):
            yield "house_rules", {"title": each, "page": 1, "house": house}, {"staff": house}
    seats = {"A": "", "B": LONG["B"]}
    for values in ({}, {"typed": LITERAL}, {"typed": LONG["B"]}, {"signs": True}, {"upper": True}):
        yield "names", {"seat": "A", "seats": seats, **values}, {"names": ("Mira", LITERAL, *LONG.values())}
    for digits in ("", "123456789012"):
        for more in ({}, {"pin_set": False}, {"pin_wait": 8.0, "pin_wrong": 3}):
            yield "pin", {"digits": digits}, more
    yield "idle", {}, {"countdown": 41.2}
    yield "names", {"typed": "Table 4"}, {"staff": True}
    begin = {"begin": {"title": "railway_boom", "seats": {"A": "", "B": ""}}}
    for pressed in (frozenset(), frozenset({"A ok"})):
        yield "readiness", {}, {"pressed": pressed}
        yield "readiness", begin, {"pressed": pressed}
    yield "safe", {}, {"trouble": "The storage card is read-only", "trouble_since": 700.0}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_state_makes_a_whole_page(size: tuple[int, int], language: str) -> None:
    for screen, values, more in states():
        page = present.page(shown(language, size, **more), Nav(screen, values))
        _whole(page)
        for intent in intents(page).values():
            _known(intent)
        sizes = {e.size for e in walk(page) if isinstance(e, Text)}
        assert sizes <= set(get_args(Size)), screen


def _whole(page: Page) -> None:
    """One usual answer at most, a reason for what is grey, names that are unique. These need no prompt."""
    buttons = [e for e in walk(page) if isinstance(e, Button)]
    assert sum(button.kind == "paper" for button in buttons) <= 1, page.id
    for button in buttons:
        assert button.text or button.icon, page.id
        assert (button.intent is None) == bool(button.reason), (page.id, button.id)
    ids = [e.id for e in walk(page) if isinstance(e, Button | Panel) and e.id]
    assert len(ids) == len(set(ids)), (page.id, ids)
    assert intents(page), page.id


def _known(intent: Intent) -> None:
    if isinstance(intent, Ask):
        assert intent.what in DEEDS
    elif isinstance(intent, Go):
        assert intent.screen in (*present.SCREENS, BACK, "")
    else:
        assert isinstance(intent, Set)


# The first screen --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_title_is_shown_with_its_players_and_where_its_values_come_from(language: str) -> None:
    now = shown(language)
    said = texts(present.page(now, Nav()))
    boom = title("railway_boom")
    assert boom.name in said
    assert now.words.t("{low} to {high} players", low=boom.seats[0], high=boom.seats[1]) in said
    assert now.words.t("Invented values") in said
    assert touch(now, Nav(), "start:railway_boom").screen == "new_game"


def test_both_uses_without_a_game_are_there() -> None:
    now = shown()
    judged = touch(now, Nav(), "judge")
    assert (judged.screen, judged.values["title"]) == ("new_game", "auction")
    assert touch(now, Nav(), "score").screen == "end_position"


def test_the_newest_game_that_waits_is_resumed_and_a_damaged_one_says_why() -> None:
    page = present.page(shown(parked=parked(1)), Nav())
    assert intents(page)["resume:g0"] == Ask("resume", {"file": "g0"})
    page = present.page(shown(parked=parked(1, FAULT)), Nav())
    assert "resume:g0" not in intents(page)
    # What is wrong, and where the file lies, is for staff.
    assert FAULT not in (*reasons(page), *texts(page))
    nav = touch(shown(parked=parked(1, FAULT)), Nav(), "parked")
    page = present.page(shown(parked=parked(1, FAULT)), nav)
    assert any(reason.startswith("This record cannot be read.") for reason in reasons(page))
    assert FAULT not in (*reasons(page), *texts(page))


def test_what_is_finished_is_not_offered_to_go_on_with() -> None:
    over = tuple(
        msgspec.structs.replace(game, finished=True, result="Mira wins", fault="") for game in parked(2)
    )
    now = shown(parked=over)
    assert not [id for id in intents(present.page(now, Nav())) if id.startswith("resume:")]
    page = present.page(now, touch(now, Nav(), "parked"))
    assert "Finished: Railway Boom" in texts(page)
    assert any(text.startswith("Mira wins.") for text in texts(page))
    waiting = (*over, *parked(1))
    page = present.page(shown(parked=waiting), Nav())
    assert "Parked: Railway Boom, Round 2 of 4" in texts(page)


def test_what_was_entered_is_there_again_until_it_is_begun_anew() -> None:
    now = shown()
    nav = touch(now, Nav(), "start:railway_boom")
    nav = touch(now, touch(now, nav, "players:3"), "clocks")
    nav = touch(now, nav, "back")
    assert nav.screen == ""
    judged = touch(now, touch(now, nav, "judge"), "back")
    nav = touch(now, judged, "start:railway_boom")
    assert (nav.values["players"], nav.values["clocks"]) == (3, True)
    nav = touch(now, nav, "over")
    assert nav.values == {"title": "railway_boom"}
    assert "over" not in intents(present.page(now, nav))
    nav = touch(now, touch(now, nav, "back"), "start:railway_boom")
    assert "players" not in nav.values


def test_all_games_that_wait_can_be_reached() -> None:
    now, nav, found = shown(parked=parked(5)), Nav(), set[str]()
    nav = touch(now, nav, "parked")
    for _ in range(3):
        page = present.page(now, nav)
        found |= {id for id in intents(page) if id.startswith("resume:")}
        more = [id for id in intents(page) if id.startswith("page")]
        nav = touch(now, nav, more[-1])
    assert found == {f"resume:g{n}" for n in range(5)}


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (10.0, "Left just now."),
        (60.0, "Left 1 min ago."),
        (3599.0, "Left 59 min ago."),
        (4800.0, "Left 1 h 20 min ago."),
        (86400.0, "Left 1 day ago."),
        (2 * 86400.0, "Left 2 days ago."),
        (None, ""),
    ],
)
def test_ages_are_said_in_words(age: float | None, words: str) -> None:
    game = msgspec.structs.replace(parked(1)[0], age=age)
    assert age_words(shown(), game) == words
    german = age_words(shown("de"), game)
    assert german != words or not words


# A new game --------------------------------------------------------------------------------------


def test_a_draft_survives_the_keypad_and_the_house_rules() -> None:
    now = shown()
    nav = Nav("new_game", {"title": "railway_boom"})
    for id in ("players:3", "hidden_scores", "clocks", "rules"):
        nav = touch(now, nav, id)
    assert nav.screen == "house_rules"
    switch = title("railway_boom").switches[0]
    nav = touch(now, nav, f"switch:{switch.name}")
    nav = touch(now, nav, "back")
    assert nav.screen == "new_game"
    nav = touch(now, nav, "seat:B")
    for key in ("key:J", "key:o", "done"):
        nav = touch(now, nav, key)
    values = begins(now, nav)
    assert values["seats"] == {"A": "", "B": "Jo", "C": ""}
    assert values["options"] == {switch.name: switch.values[1]}
    assert values["hidden_scores"] is values["clocks"] is True
    assert values["pack"] == title("railway_boom").default_pack


def begins(now: Shown, nav: Nav) -> dict[str, Any]:
    """What the game begins with, once all pages before it are gone through."""
    intent = intents(present.page(now, nav))["begin"]
    if isinstance(intent, Go):
        intent = intents(present.page(now, touch(now, nav, "begin")))["go"]
    assert isinstance(intent, Ask)
    assert intent.what == "begin"
    return intent.values


def test_a_game_with_a_mat_is_checked_before_it_begins_and_the_draft_is_kept() -> None:
    now, draft = shown(), Nav("new_game", {"title": "railway_boom", "players": 2, "seats": {"A": "Mira"}})
    nav = touch(now, draft, "begin")
    assert nav.screen == "readiness"
    assert touch(now, nav, "back") == draft
    assert "set_up" not in begins(now, draft)
    judged = begins(now, Nav("new_game", {"title": "auction"}))
    assert judged["set_up"] is True


def test_whoever_sits_out_for_now_keeps_the_name() -> None:
    now, nav = shown(), Nav("new_game", {"title": "railway_boom"})
    for seat, key in zip("ABCD", "jklm", strict=True):
        nav = touch(now, nav, f"seat:{seat}")
        nav = touch(now, typing(nav, f"{key}x"), "done")
    nav = touch(now, nav, "players:2")
    assert set(begins(now, nav)["seats"]) == {"A", "B"}
    nav = touch(now, nav, "seat:B")
    # The name of a seat that does not play is free.
    nav = touch(now, typing(touch(now, touch(now, nav, "delete"), "delete"), "Y"), "done")
    nav = touch(now, nav, "players:4")
    assert begins(now, nav)["seats"] == {"A": "jx", "B": "Y", "C": "lx", "D": "mx"}


def test_only_a_game_with_a_deck_asks_who_draws() -> None:
    for each in titles():
        page = present.page(shown(), Nav("new_game", {"title": each.id, "machine_draws": True}))
        assert ("machine_draws" in intents(page)) == each.has_deck
        values = begins(shown(), Nav("new_game", {"title": each.id, "machine_draws": True}))
        assert values["machine_draws"] == each.has_deck


def test_names_that_will_not_do_keep_the_game_from_beginning() -> None:
    page = present.page(shown(), Nav("new_game", {"title": "railway_boom", "seats": {"A": "B"}}))
    assert "begin" not in intents(page)
    assert reasons(page)


# Names -------------------------------------------------------------------------------------------


def naming(**values: Any) -> Nav:
    nav = Nav("new_game", {"title": "railway_boom"})
    return Nav("names", {"seat": "A", "seats": {"A": "", "B": "Mira"}, **values}, ((nav.screen, nav.values),))


def typing(nav: Nav, keys: str, language: str = "en") -> Nav:
    """Type, with the keys on the screen alone."""
    now = shown(language)
    for sign in keys:
        id = "space" if sign == " " else f"key:{sign}"
        if id not in intents(present.page(now, nav)):
            nav = touch(now, nav, "upper")
        nav = touch(now, nav, id)
    return nav


def test_a_name_is_typed_with_capitals_umlauts_and_spaces() -> None:
    nav = typing(naming(), "Jörg Ö", "de")
    assert nav.values["typed"] == "Jörg Ö"
    nav = touch(shown("de"), nav, "delete")
    assert nav.values["typed"] == "Jörg "
    nav = touch(shown("de"), nav, "done")
    assert nav.values["seats"] == {"A": "Jörg", "B": "Mira"}


def test_digits_and_brackets_are_on_the_second_page_and_stay_literal() -> None:
    now = shown()
    nav = touch(now, naming(), "signs")
    for sign in "[7]":
        nav = touch(now, nav, f"key:{sign}")
    assert nav.values["typed"] == "[7]"
    assert any(text.startswith("[7]") for text in texts(present.page(now, nav)))
    assert touch(now, nav, "done").values["seats"]["A"] == "[7]"


def test_a_name_has_forty_characters_at_most() -> None:
    nav = touch(shown(), naming(typed="w" * LONGEST_NAME, upper=False), "key:q")
    assert nav.values["typed"] == "w" * LONGEST_NAME
    assert "done" in intents(present.page(shown(), nav))


def test_no_name_is_the_letter() -> None:
    nav = touch(shown(), naming(typed="  "), "done")
    assert nav.screen == "new_game"
    assert nav.values["seats"]["A"] == ""


@pytest.mark.parametrize("typed", ["Mira", " Mira ", "b", "all", "x\u202ey", "x\ty"])
def test_a_name_that_will_not_do_is_refused_with_a_reason(typed: str) -> None:
    page = present.page(shown(), naming(typed=typed))
    assert "done" not in intents(page)
    assert all(reasons(page))
    assert reasons(page)
    german = reasons(present.page(shown("de"), naming(typed=typed)))
    assert german
    assert not set(german) & set(reasons(page))


def test_what_is_wrong_with_the_names_of_a_new_game_is_said_in_german() -> None:
    for seats in ({"A": "Mira", "B": "Mira"}, {"A": "B"}, {"A": "staff"}, {"A": "x" * 41}, {"A": "a\tb"}):
        nav = Nav("new_game", {"title": "auction", "seats": seats})
        english, german = (set(reasons(present.page(shown(one), nav))) for one in LANGUAGES)
        assert english
        assert german
        assert not english & german


def test_a_name_used_lately_is_one_touch_and_not_offered_twice() -> None:
    now = shown(names=("Mira", LITERAL))
    page = present.page(now, naming())
    assert "name:Mira" not in intents(page), "somebody here has that name"
    assert touch(now, naming(), f"name:{LITERAL}").values["seats"]["A"] == LITERAL


# House rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_house_rule_and_value_has_words_of_its_own(language: str) -> None:
    words, plain = Words(language), {"yes", "no", words_of(language, "yes"), words_of(language, "no")}
    for each in titles():
        for switch in each.switches:
            about = switch_words(each, switch, words)
            assert about != switch.name
            if language != "en":
                assert about != switch.text, "still English"
            said = [value_words(each, switch, value, words) for value in switch.values]
            assert len(set(said)) == len(said), (switch.name, said)
            for value, text in zip(switch.values, said, strict=True):
                assert "_" not in text
                raw = str(value).replace("_", " ")
                assert text != raw or raw.isdecimal() or text in plain, (switch.name, text)


def words_of(language: str, text: str) -> str:
    return Words(language).t(text)


def test_touching_a_house_rule_goes_through_its_values_and_comes_round() -> None:
    now = shown()
    switch = title("auction").switches[0]
    nav, seen = Nav("house_rules", {"title": "auction"}), []
    for _ in switch.values:
        nav = touch(now, nav, f"switch:{switch.name}")
        seen.append(nav.values["options"][switch.name])
    assert seen == [*switch.values[1:], switch.values[0]]


def test_all_house_rules_can_be_reached_on_every_panel() -> None:
    for size in SIZES:
        for each in titles():
            found, nav = set(), Nav("house_rules", {"title": each.id})
            for _ in range(len(each.switches)):
                there = intents(present.page(shown("de", size), nav))
                found |= {id.removeprefix("switch:") for id in there if id.startswith("switch:")}
                if "page:later" not in there:
                    break
                nav = touch(shown("de", size), nav, "page:later")
            assert found == {switch.name for switch in each.switches}


def test_the_house_has_rules_of_its_own_and_a_game_may_go_back_to_the_usual() -> None:
    switch = title("railway_boom").switches[0]
    now = shown(switches={"railway_boom": {switch.name: switch.values[1]}}, staff=True)
    house = intents(present.page(now, Nav("house_rules", {"title": "railway_boom", "house": True})))
    assert house[f"switch:{switch.name}"] == Ask(
        "house", {"key": f"switches.railway_boom.{switch.name}", "value": switch.values[0]}
    )
    nav = touch(now, Nav("house_rules", {"title": "railway_boom"}), "usual")
    assert nav.values["options"][switch.name] == switch.values[0]
    assert house["usual"] == Ask("house", {"key": "usual", "value": "railway_boom"})
    usual = present.page(shown(staff=True), Nav("house_rules", {"title": "railway_boom", "house": True}))
    assert "usual" not in intents(usual), "nothing is changed"


def test_every_house_rule_leads_to_its_text_and_back() -> None:
    now = shown()
    for each in titles():
        nav = Nav("house_rules", {"title": each.id})
        switch = each.switches[0]
        there = touch(now, nav, f"rule:{switch.name}")
        page = present.page(now, there)
        assert page.prompt is not None
        assert page.prompt.text == switch.ruling
        assert text_of(switch.ruling)[1][0][:40] in " ".join(texts(page))
        assert touch(now, there, "back") == nav


# Staff, the table itself --------------------------------------------------------------------------


def reach(now: Shown, nav: Nav, id: str) -> Nav:
    """The page of a list on which something can be touched."""
    while id not in intents(present.page(now, nav)):
        nav = touch(now, nav, "page:later")
    return nav


@pytest.mark.parametrize("size", SIZES)
def test_staff_rename_the_table_on_the_screen(size: tuple[int, int]) -> None:
    now = shown(size=size, staff=True)
    nav = reach(now, Nav("staff", {"section": "house"}), "name")
    nav = touch(now, nav, "name")
    page = present.page(now, nav)
    assert page.prompt is not None
    assert page.prompt.text == "What is this table called?"
    nav = typing(nav, "b")
    assert intents(present.page(now, nav))["done"] == Ask("house", {"key": "name", "value": "Table 4b"})
    empty = present.page(now, Nav("names", {"typed": "  "}))
    assert "done" not in intents(empty)
    assert reasons(empty) == ["A table needs a name."]


@pytest.mark.parametrize(
    ("now", "less", "more"), [(30.0, 20, 45), (12.0, 10, 15), (5.0, None, 10), (240.0, 120, None)]
)
def test_staff_set_idle_minutes_in_steps(now: float, less: int | None, more: int | None) -> None:
    house = shown(staff=True, idle_minutes=now)
    there = intents(present.page(house, reach(house, Nav("staff", {"section": "house"}), "sounds")))
    for id, value in (("idle:less", less), ("idle:more", more)):
        wanted = None if value is None else Ask("house", {"key": "idle_minutes", "value": value})
        assert there.get(id) == wanted


def test_about_says_where_things_lie_and_under_which_licences() -> None:
    places = (("games", "/var/lib/x"), ("config", "/etc/kiosk.toml"), ("backup", "/media/usb"))
    now, nav = shown(staff=True, places=places), Nav("staff", {"section": "about"})
    said = texts(present.page(now, nav))
    while "page:later" in intents(present.page(now, nav)):
        nav = touch(now, nav, "page:later")
        said += texts(present.page(now, nav))
    for words in ("/var/lib/x", "/etc/kiosk.toml", "/media/usb", "Stationmaster 0.1.0"):
        assert words in said
    assert any("MIT" in text and "DejaVu" in text for text in said)


# Staff, PIN, idle, safe --------------------------------------------------------------------------


def test_deleting_takes_a_second_touch_and_says_what_is_lost() -> None:
    now = shown(parked=parked(1), staff=True)
    nav = Nav("staff", {"section": "parked"})
    assert "delete:g0" not in intents(present.page(now, nav))
    nav = touch(now, nav, "sure:g0")
    page = present.page(now, nav)
    assert intents(page)["delete:g0"] == Ask("delete_parked", {"file": "g0"})
    assert "All moves and points of this game would be gone." in texts(page)
    nav = touch(now, touch(now, nav, "section:camera"), "section:parked")
    assert "delete:g0" not in intents(present.page(now, nav)), "leaving the page takes it back"


def test_digits_are_never_shown() -> None:
    now, nav = shown(), Nav("pin")
    for digit in "7295":
        nav = touch(now, nav, f"key:{digit}")
    page = present.page(now, nav)
    assert not [text for text in texts(page) if any(digit in text for digit in "7295")]
    assert intents(page)["ok"] == Ask("pin", {"digits": "7295"})


def test_while_one_waits_no_pin_is_tried_and_the_seconds_are_said() -> None:
    page = present.page(shown(pin_wait=8.0, pin_wrong=3), Nav("pin", {"digits": "7295"}))
    assert "ok" not in intents(page)
    assert page.prompt is not None
    assert "8 s" in page.prompt.detail


@pytest.mark.parametrize(("again", "same"), [("7295", True), ("7296", False)])
def test_the_first_pin_is_typed_twice(again: str, same: bool) -> None:
    now, nav = shown(pin_set=False), Nav("pin")
    for digit in "7295":
        nav = touch(now, nav, f"key:{digit}")
    nav = touch(now, nav, "ok")
    assert nav.values["digits"] == ""
    for digit in again:
        nav = touch(now, nav, f"key:{digit}")
    wanted = Ask("set_pin", {"digits": "7295"}) if same else Set({"first": "", "digits": "", "differ": True})
    assert intents(present.page(now, nav))["ok"] == wanted


def test_an_idle_game_is_asked_about_and_parked_never_lost() -> None:
    page = present.page(shown(countdown=41.2), Nav("log"))
    assert page.id == "idle"
    assert "The game is parked in 41 s" in texts(page)
    found = intents(page)
    assert (found["here"], found["park"]) == (Ask("here"), Ask("park"))


def test_trouble_comes_before_everything_else_but_lets_staff_in() -> None:
    now = shown(trouble="The storage card is read-only", trouble_since=700.0, retry_in=17)
    assert any("in 17 s" in text for text in texts(present.page(now, Nav())))
    page = present.page(now, Nav("new_game", {"title": "railway_boom"}))
    assert page.id == "safe"
    assert "The storage card is read-only" in texts(page)
    assert any("5 min" in text for text in texts(page))
    assert "Every recorded move is kept" in texts(page)
    assert intents(page)["retry"] == Ask("retry")
    assert present.page(now, touch(now, Nav(), "staff")).id == "pin"


def test_the_safe_screen_says_up_to_which_entry_the_last_game_is_kept() -> None:
    games = tuple(msgspec.structs.replace(game, entries=148, fault="") for game in parked(1))
    page = present.page(shown(trouble="The storage card is read-only", parked=games), Nav())
    assert "Railway Boom is kept up to entry 148" in texts(page)


def test_a_game_that_cannot_be_recorded_is_kept_up_to_its_last_entry_and_staff_can_go_on_without() -> None:
    judge = playing.table(playing.game("railway_boom"))
    game = playing.shown(judge)
    for staff in (False, True):
        house = msgspec.structs.replace(shown(staff=staff).house, trouble="The card is full")
        page = present.page(msgspec.structs.replace(game, house=house), Nav())
        assert page.id == "safe"
        assert f"Your game is kept up to entry {judge.view.seq}" in texts(page)
        assert (intents(page).get("unrecorded") == Ask("play_unrecorded")) == staff
