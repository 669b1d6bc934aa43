"""A seat's name: one from the list of lately used ones, or typed on keys of our own; the table's name too.

Kept in `nav.values`: "seat" (without one it is the table that gets a name), "seats" (all names by letter),
"players" (how many of these play), "typed", "upper", "signs".
"""

from __future__ import annotations

from typing import Any

from assistant.layout import SEAT_LETTERS
from ui.names import LONGEST_NAME, Wrong, fault
from ui.presenters.elements import AnyElement, Badge, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.keypad import LETTERS, SIGNS, keys
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import Shown
from ui.presenters.words import Words

OFFERED = 4
SHORT = 14
"""Characters of a name on a button; what it is in full is seen when it is taken."""


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, values = shown.words.t, nav.values
    seat, typed = str(values.get("seat", "")), str(values.get("typed", ""))
    seats = _playing(values)
    upper = bool(values.get("upper", not typed))
    signs = bool(values.get("signs"))
    wrong = _reason(shown, seat, typed.strip(), seats)
    sign: tuple[AnyElement, ...] = (Badge(seat=seat, side=44),) if seat else ()
    field = Panel(
        child=Row(
            children=(
                *sign,
                Text(text=f"{typed}▏", size="prompt", bold=True, grow=1, shrink=True),
                Text(text=f"{len(typed)}/{LONGEST_NAME}", size="note", tone="text2"),
            ),
            gap=12,
        ),
        ground="sleeper",
        edge="paper",
        pad=8,
        h=64,
    )
    rows: tuple[str, ...] = (
        SIGNS if signs else LETTERS[shown.words.language if shown.words.language in LETTERS else "en"]
    )
    if upper and not signs:
        rows = tuple(row.upper().replace("SS", "ß") for row in rows)
    pad = keys(
        rows,
        lambda sign: Set({"typed": (typed + sign)[:LONGEST_NAME], "upper": False}),
        (Button(id="delete", icon="back", intent=Set({"typed": typed[:-1]}), w=110),),
    )
    fits = [n for n in shown.house.names if n not in seats.values() and not _reason(shown, seat, n, seats)]
    used = fits[:OFFERED] if seat and not signs else []
    picks = tuple(
        Button(
            id=f"name:{name}",
            text=name if len(name) <= SHORT else f"{name[: SHORT - 1]}…",
            intent=_done(values, seat, name),
            grow=1,
        )
        for name in used
    )
    last = Row(
        children=(
            Button(id="upper", text="aA", intent=Set({"upper": not upper}), w=96),
            Button(id="signs", text="abc" if signs else "12.", intent=Set({"signs": not signs}), w=96),
            Button(id="space", text=t("Space"), intent=Set({"typed": (typed + " ")[:LONGEST_NAME]}), grow=1),
        ),
        gap=6,
    )
    return Page(
        id="names",
        body=Column(
            children=(field, *((Row(children=picks, gap=8),) if picks else ()), pad, last, Space(grow=1)),
            gap=6,
            pad=10,
        ),
        prompt=Prompt(
            t("Seat {seat}: which name?", seat=seat) if seat else t("What is this table called?"),
            nav.explain or (t("Empty is fine: the letter then.") if seat else shown.house.said),
            "none",
            seat,
        ),
        left=(Button(id="back", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK)),),
        right=(
            Button(
                id="done",
                text=t("Done"),
                icon="check",
                kind="paper",
                intent=None if wrong else _done(values, seat, typed.strip()),
                reason=wrong,
            ),
        ),
    )


def _playing(values: dict[str, Any]) -> dict[str, str]:
    """Names by seat of those who play; a seat that sits out keeps its name for later."""
    given = {letter: str(name) for letter, name in values.get("seats", {}).items()}
    players = values.get("players")
    if players is None:
        return given
    return {letter: given.get(letter, "") for letter in SEAT_LETTERS[: int(players)]}


def _reason(shown: Shown, seat: str, name: str, seats: dict[str, str]) -> str:
    """Why a name will not do, in the table's language; empty when it will. No name is a seat's letter."""
    if not seat:
        return "" if name else shown.words.t("A table needs a name.")
    if not name:
        return ""
    twice = any(name == other for letter, other in seats.items() if letter != seat)
    wrong = "twice" if twice else fault(seat, name, tuple(seats))
    return fault_words(shown.words, seat, name, wrong) if wrong is not None else ""


def fault_words(words: Words, seat: str, name: str, wrong: Wrong) -> str:
    """What is wrong with a seat's name, as `ui.names` finds it, in a language of the table."""
    t = words.t
    said = {
        "empty": t("Seat {seat} has no name.", seat=seat),
        "long": t("{n} letters are too many for a name: at most {most}.", n=len(name), most=LONGEST_NAME),
        "no_text": t("The name of seat {seat} has signs that are no text.", seat=seat),
        "letter": t("{name} is the letter of another seat.", name=name),
        "taken": t("{name} means somebody else here.", name=name),
        "twice": t("Two seats have the name {name}.", name=name),
    }
    return said[wrong]


def _done(values: dict[str, Any], seat: str, name: str) -> Intent:
    if not seat:
        return Ask("house", {"key": "name", "value": name})
    return Go(BACK, {"seats": {**values.get("seats", {}), seat: name}})
