"""Which page is shown: the one place that picks a presenter.

A screen is a module of this package with `page(shown, nav) -> Page`, and, where it keeps values of its own
that need working out, `on(nav, intent, shown) -> Nav | None`. To add one, write the module and name it in
SCREENS.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ui.presenters.elements import Page
from ui.presenters.intents import Intent
from ui.presenters.nav import Nav, step
from ui.presenters.shown import Shown

SCREENS = (
    "attract",
    "new_game",
    "names",
    "house_rules",
    "readiness",
    "setup",
    "table",
    "auction",
    "choice",
    "refusal",
    "out_of_step",
    "consent",
    "log",
    "rule",
    "score",
    "final",
    "end_position",
    "staff",
    "pin",
    "idle",
    "safe",
    "picture",
)
"""Names of screens; each is the module of that name."""


def screen_for(shown: Shown, nav: Nav) -> str:
    """The screen to be shown: trouble first, then where somebody went, else what the game asks for."""
    if shown.house.trouble:
        return (
            "pin"
            if nav.screen == "pin"
            else "staff"
            if nav.screen == "staff" and shown.house.staff
            else "safe"
        )
    if shown.house.countdown is not None:
        return "idle"
    if nav.screen:
        return nav.screen
    playing = shown.playing
    if playing is None:
        return "attract"
    view = playing.view
    if not playing.set_up:
        return "setup"
    if view.asking is not None:
        return "consent"
    if any(n.kind in ("refused", "not_understood") and n.id > nav.seen_notice for n in view.notices):
        return "refusal"
    if view.eyes == "out_of_step" and not nav.values.get("later"):
        return "out_of_step"
    if view.finished:
        return "final"
    display = view.display
    if display is not None and display.auction is not None and display.auction.open:
        return "auction"
    asked = [choice for choice in view.choices if choice.why]
    if playing.mat is None or any(choice.kind for choice in asked) or not _about_places(asked):
        return "choice"
    return "table"


def _about_places(choices: list[Any]) -> bool:
    """Whether what is asked is answered on the map, or by nobody."""
    offers = [o for choice in choices for o in choice.options if not o.free and not o.ends]
    return not offers or any(option.places for option in offers)


def page(shown: Shown, nav: Nav) -> Page:
    """The page to draw."""
    made: Page = import_module(f"ui.presenters.{screen_for(shown, nav)}").page(shown, nav)
    return made


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav:
    """The navigation after an intent: the screen's own doing first, then what all have in common."""
    module = import_module(f"ui.presenters.{screen_for(shown, nav)}")
    own = getattr(module, "on", None)
    if own is not None and (done := own(nav, intent, shown)) is not None:
        result: Nav = done
        return result
    return step(nav, intent)
