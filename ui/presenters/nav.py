"""Which screen is shown and what it keeps for itself: one immutable value and one pure step.

A game that runs decides itself what is shown ("" below): the table, an auction, a refusal. Everything else
is a screen that somebody went to; it keeps its own values (`values`) until it is left.
"""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.reading import Difference
from ui.presenters.intents import Go, Intent, Set


class Nav(msgspec.Struct, frozen=True):
    """`screen` as in `present.SCREENS`, "" for what the game asks. `back` are the screens under it.

    `since` is the monotonic time of the last touch or press, for idling; `seen_notice` the last notice that
    was dismissed; `put_off` are the differences between table and record that are to wait; `explain` is a
    sentence shown in the prompt's place (the reason of a grey button). `over` is the question that a page was
    opened from, with the depth of `back` then; any other question comes before that page. `drafts` are what
    somebody has entered on screens that were left, by screen and title.
    """

    screen: str = ""
    values: dict[str, Any] = {}
    back: tuple[tuple[str, dict[str, Any]], ...] = ()
    since: float = 0.0
    seen_notice: int = 0
    put_off: tuple[Difference, ...] = ()
    explain: str = ""
    over: tuple[Any, int] | None = None
    drafts: dict[str, dict[str, Any]] = {}


BACK = "back"
"""The screen name that `Go` takes to return."""


def step(nav: Nav, intent: Intent) -> Nav:
    """The navigation after an intent that stays in the kiosk; `Say` and `Ask` leave it as it is."""
    if isinstance(intent, Go):
        if intent.screen == BACK:
            screen, values = nav.back[-1] if nav.back else ("", {})
            return msgspec.structs.replace(
                nav, screen=screen, values={**values, **intent.values}, back=nav.back[:-1], explain=""
            )
        back = (*nav.back, (nav.screen, nav.values)) if intent.screen else ()
        return msgspec.structs.replace(
            nav, screen=intent.screen, values=dict(intent.values), back=back, explain=""
        )
    if isinstance(intent, Set):
        return msgspec.structs.replace(nav, values={**nav.values, **intent.values}, explain="")
    return msgspec.structs.replace(nav, explain="")
