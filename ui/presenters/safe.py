"""The safe screen: something cannot be started. What it is, since when, what is kept, what to do."""

from __future__ import annotations

from ui.presenters.elements import Arm, Button, Column, Icon, Page, Panel, Row, Space, Text
from ui.presenters.intents import Ask, Go
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, house = shown.words.t, shown.house
    seconds = max(0, round(shown.now - house.trouble_since))
    if seconds < 90:
        since = t("For {n} s now. It is tried again by itself.", n=seconds)
    else:
        since = t("For {n} min now. It is tried again by itself.", n=seconds // 60)
    head = Row(
        children=(
            Arm(signal="stop", side=96),
            Column(
                children=(
                    Text(text=t("The kiosk cannot start"), size="title", bold=True, shrink=True),
                    Text(text=house.said or house.trouble, tone="text2", lines=3),
                    Text(text=since, tone="text2"),
                ),
                grow=1,
            ),
        ),
        gap=32,
    )
    return Page(
        id="safe",
        body=Column(
            children=(
                head,
                Space(h=8),
                _fact("record", t("Every recorded move is kept"), t("Leave the pieces as they lie.")),
                _fact(
                    "person",
                    t("If it stays like this, call staff"),
                    t("You can play on and enter the moves later."),
                ),
                Space(grow=1),
                Row(
                    children=(
                        Button(id="staff", text=t("Staff"), icon="lock", kind="quiet", intent=Go("pin")),
                        Space(grow=1),
                        Button(
                            id="retry",
                            text=t("Try again now"),
                            icon="reload",
                            kind="paper",
                            intent=Ask("retry"),
                        ),
                    ),
                ),
            ),
            gap=12,
            pad=56,
        ),
    )


def _fact(icon: str, words: str, detail: str) -> Panel:
    texts = Column(
        children=(Text(text=words, size="button", bold=True, lines=2), Text(text=detail, tone="text2")),
        gap=4,
        grow=1,
    )
    return Panel(child=Row(children=(Icon(name=icon, side=36, tone="clear"), texts), gap=20))
