"""How machine and camera are: each thing with its light, figure and fix. Staff also see the program.

Kept in `nav.values`: "page".
"""

from __future__ import annotations

from ui.health import Reading
from ui.presenters import vitals
from ui.presenters.elements import Arm, Button, Column, Page, Panel, Prompt, Row, Space, Text, Tone
from ui.presenters.intents import Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.parts import explained, leaf, pager, top
from ui.presenters.shown import Shown

FOR_STAFF = frozenset({"start", "memory"})
"""What guests can do nothing about, and need not wonder at."""
A_PAGE = {True: 4, False: 5}


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t = shown.words.t
    found = [one for one in vitals.by_need(shown) if shown.house.staff or one.name not in FOR_STAFF]
    most = A_PAGE[shown.metrics.small]
    # The buttons that turn pages take the place of one.
    part = leaf(len(found), most if len(found) <= most else most - 1, nav.values.get("page"))
    rows = tuple(_row(shown, one) for one in found[part.first : part.end])
    back = t("Play on") if shown.playing is not None else t("Back")
    return Page(
        id="health",
        top=top(shown, here="health"),
        prompt=explained(shown, nav, _prompt(shown, found)),
        body=Column(children=(*rows, Space(grow=1), *pager(shown, part)), gap=8, pad=12),
        right=(Button(id="leave", text=back, icon="back", kind="paper", intent=Go(BACK)),),
    )


def _prompt(shown: Shown, found: list[Reading]) -> Prompt:
    """What to mend first."""
    first = next((one for one in found if one.light != "green"), None)
    if first is None:
        return Prompt(shown.words.t("This machine is well"), "", "clear")
    said = f"{vitals.title(shown, first)}: {vitals.told(shown, first)}"
    return Prompt(vitals.advice(shown, first), said, vitals.SIGNALS[first.light])


def _row(shown: Shown, one: Reading) -> Panel:
    edge: Tone | None = None if one.light == "green" else vitals.TONES[one.light]
    words = [Text(text=vitals.told(shown, one), bold=True, shrink=True, lines=2)]
    if fix := vitals.advice(shown, one):
        words.append(Text(text=fix, size="note", tone="text2", shrink=True, lines=2))
    child = Row(
        children=(
            Arm(signal=vitals.SIGNALS[one.light], side=36),
            Text(text=vitals.title(shown, one), bold=True, w=150, shrink=True),
            Column(children=tuple(words), gap=2, grow=1),
        ),
        gap=12,
    )
    return Panel(child=child, pad=8, edge=edge)
