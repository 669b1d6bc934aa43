"""The safe screen: nothing can be started, or no move be recorded. What it is, since when, up to where games
are kept, when it is tried again, what to do."""

from __future__ import annotations

from ui.presenters.elements import Arm, Button, Column, Icon, Page, Panel, Row, Space, Text
from ui.presenters.intents import Ask, Go
from ui.presenters.log import entry_words
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, house = shown.words.t, shown.house
    seconds = max(0, round(shown.now - house.trouble_since))
    since = t("For {n} s now.", n=seconds) if seconds < 90 else t("For {n} min now.", n=seconds // 60)
    again = t("It is tried again by itself in {n} s.", n=house.retry_in)
    playing = shown.playing is not None
    what = t("The game cannot be recorded") if playing else t("The kiosk cannot start")
    head = Row(
        children=(
            Arm(signal="stop", side=96),
            Column(
                children=(
                    Text(text=what, size="title", bold=True, shrink=True),
                    Text(text=house.said or house.trouble, tone="text2", lines=3),
                    Text(text=f"{since} {again}", tone="text2", shrink=True),
                ),
                grow=1,
            ),
        ),
        gap=32,
    )
    unrecorded: tuple[Button, ...] = ()
    if playing and house.staff:
        ask = Ask("play_unrecorded")
        unrecorded = (Button(id="unrecorded", text=t("Go on without a record"), intent=ask),)
    return Page(
        id="safe",
        body=Column(
            children=(
                head,
                Space(h=8),
                _fact("record", *_kept(shown)),
                _fact(
                    "person",
                    t("If it stays like this, call staff"),
                    t("Staff can have the game go on without a record.")
                    if playing
                    else t("You can play on and enter the moves later."),
                ),
                Space(grow=1),
                Row(
                    children=(
                        Button(
                            id="staff",
                            text=t("Staff"),
                            icon="lock",
                            kind="quiet",
                            intent=Go("staff" if house.staff else "pin"),
                        ),
                        Space(grow=1),
                        *unrecorded,
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


def _kept(shown: Shown) -> tuple[str, str]:
    """Up to which entry the game is kept that is played, or was played last; and what was done there."""
    t, playing = shown.words.t, shown.playing
    stay = t("Leave the pieces as they lie.")
    if playing is not None:
        last = next((written for written in reversed(playing.view.history) if written.kind != "note"), None)
        done = f"{entry_words(shown, last)}. " if last is not None else ""
        return t("Your game is kept up to entry {n}", n=playing.view.seq), f"{done}{stay}"
    known = next((game for game in shown.house.parked if game.entries), None)
    if known is None:
        return t("Every recorded move is kept"), stay
    kept = t("{title} is kept up to entry {n}", title=t(known.title_name), n=known.entries)
    return kept, f"{', '.join(known.names.values())}. {stay}"


def _fact(icon: str, words: str, detail: str) -> Panel:
    texts = Column(
        children=(
            Text(text=words, size="button", bold=True, lines=2),
            Text(text=detail, tone="text2", lines=2, shrink=True),
        ),
        gap=4,
        grow=1,
    )
    return Panel(child=Row(children=(Icon(name=icon, side=36, tone="clear"), texts), gap=20))
