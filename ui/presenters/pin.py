"""Staff's way in: digits on large keys. Never a shell behind it."""

from __future__ import annotations

import math

from ui.presenters.elements import Button, Column, Page, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.keypad import DIGITS
from ui.presenters.nav import BACK, Nav
from ui.presenters.parts import top
from ui.presenters.shown import Shown

LEAST, MOST = 4, 12
DOT = "•"


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, house = shown.words.t, shown.house
    digits, first = str(nav.values.get("digits", "")), str(nav.values.get("first", ""))
    wait = house.pin_wait > 0
    if not house.pin_set:
        asked = t("Staff: the same digits again") if first else t("Staff: choose a PIN of 4 to 12 digits")
    else:
        asked = t("Staff: the PIN")
    detail = t("Camera, panel, house rules, parked games, backup.")
    if house.said or nav.explain:
        detail = nav.explain or house.said
    elif nav.values.get("differ"):
        detail = t("The two differ. Begin again.")
    elif wait:
        detail = t("Not that one. Wait {n} s.", n=math.ceil(house.pin_wait))
    elif house.pin_wrong:
        detail = t("Not that one. Try again.")
    ready = LEAST <= len(digits) <= MOST and not wait
    reason = t("Wait {n} s.", n=math.ceil(house.pin_wait)) if wait else t("A PIN has 4 to 12 digits.")
    return Page(
        id="pin",
        top=top(shown),
        prompt=Prompt(asked, detail, "caution" if wait or house.pin_wrong else "none"),
        body=Column(
            children=(
                Text(text=" ".join(DOT * len(digits)) or " ", size="title", bold=True, align="centre"),
                *(
                    Row(children=(Space(grow=1), *_keys(row, digits), Space(grow=1)), gap=12)
                    for row in DIGITS
                ),
                Row(
                    children=(
                        Space(grow=1),
                        Button(id="wipe", icon="cross", w=120, intent=Set({"digits": ""})),
                        *_keys("0", digits),
                        Button(id="delete", icon="back", w=120, intent=Set({"digits": digits[:-1]})),
                        Space(grow=1),
                    ),
                    gap=12,
                ),
            ),
            gap=8,
            pad=8,
        ),
        left=(Button(id="back", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK)),),
        right=(
            Button(
                id="ok",
                text=t("OK"),
                kind="paper",
                w=160,
                intent=_ok(shown, digits, first) if ready else None,
                reason="" if ready else reason,
            ),
        ),
    )


def _keys(row: str, digits: str) -> tuple[Button, ...]:
    return tuple(
        Button(id=f"key:{sign}", text=sign, w=120, intent=Set({"digits": (digits + sign)[:MOST]}))
        for sign in row
    )


def _ok(shown: Shown, digits: str, first: str) -> Intent:
    if shown.house.pin_set:
        return Ask("pin", {"digits": digits})
    if not first:
        return Set({"first": digits, "digits": "", "differ": False})
    if first != digits:
        return Set({"first": "", "digits": "", "differ": True})
    return Ask("set_pin", {"digits": digits})
