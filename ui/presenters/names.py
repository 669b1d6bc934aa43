"""A seat's name: one from the list of lately used ones, or typed on keys of our own."""

from __future__ import annotations

from typing import Any

from ui.names import LONGEST_NAME, fault
from ui.presenters.elements import Badge, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Go, Set
from ui.presenters.keypad import LETTERS, SIGNS, keys
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import Shown

OFFERED = 4
SHORT = 14
"""Characters of a name on a button; what it is in full is seen when it is taken."""


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, values = shown.words.t, nav.values
    seat, typed = str(values.get("seat", "A")), str(values.get("typed", ""))
    seats: dict[str, str] = {letter: str(name) for letter, name in values.get("seats", {}).items()} or {
        seat: ""
    }
    upper = bool(values.get("upper", not typed))
    signs = bool(values.get("signs"))
    wrong = _fault(seat, typed, seats)
    field = Panel(
        child=Row(
            children=(
                Badge(seat=seat, side=44),
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
    taken = set(seats.values())
    fits = [n for n in shown.house.names if n not in taken and not fault(seat, n, tuple(seats))]
    used = [] if signs else fits[:OFFERED]
    picks = tuple(
        Button(
            id=f"name:{name}",
            text=name if len(name) <= SHORT else f"{name[: SHORT - 1]}…",
            intent=_done(values, seats, seat, name),
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
            t("Seat {seat}: which name?", seat=seat),
            nav.explain or t("Empty is fine: the letter then."),
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
                intent=None if wrong else _done(values, seats, seat, typed.strip()),
                reason=wrong,
            ),
        ),
    )


def _fault(seat: str, typed: str, seats: dict[str, str]) -> str:
    name = typed.strip()
    if not name:
        return ""
    if any(name == other for letter, other in seats.items() if letter != seat):
        return f"{name}: two seats have the same name"
    wrong = fault(seat, name, tuple(seats))
    return f"the name {wrong}" if wrong else ""


def _done(values: dict[str, Any], seats: dict[str, str], seat: str, name: str) -> Go:
    return Go(BACK, {"seats": {**seats, seat: name}})
