"""Which page is shown: the one place that picks a presenter.

A screen is a module of this package with `page(shown, nav) -> Page`, and, where it keeps values of its own
that need working out, `on(nav, intent, shown) -> Nav | None`. To add one, write the module and name it in
SCREENS.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from assistant.reading import OutOfStep
from assistant.views import Notice, TableView
from ui.presenters.elements import Page
from ui.presenters.intents import Go, Intent, Set
from ui.presenters.maps import on_map
from ui.presenters.nav import Nav, step
from ui.presenters.refusal import notice_after
from ui.presenters.shown import Shown, display_of
from ui.presenters.turn import grouped

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
    "legend",
    "cards",
    "menu",
    "health",
)
"""Names of screens; each is the module of that name."""
DRAFTED = frozenset({"new_game", "end_position"})
"""Screens on which much is entered: it is kept until a game begins, nobody is there, or it is begun anew."""
PLAYED = frozenset({"table", "auction", "choice", "consent", "final"})
"""Screens on which buttons mean what the game hears."""


def question(shown: Shown, nav: Nav) -> tuple[str, Any] | None:
    """What needs people now, whatever page they are on: its screen, and what tells it from another one."""
    playing = shown.playing
    if playing is None or not playing.set_up:
        return None
    view = playing.view
    if (asking := view.asking) is not None:
        return "consent", (asking.by, asking.what, asking.undone, asking.action, tuple(asking.facts))
    if (notice := notice_after(view, nav.seen_notice)) is not None:
        return "refusal", notice.id
    if isinstance(view.reading, OutOfStep) and view.reading.differences != nav.put_off:
        return "out_of_step", view.reading.differences
    return None


def plays(shown: Shown, nav: Nav) -> bool:
    """Whether people see what a button would do in the game."""
    paused = shown.playing is not None and shown.playing.view.paused
    return screen_for(shown, nav) in PLAYED and not paused


def lost(view: TableView) -> Notice | None:
    """The newest trouble, if nothing was recorded since; answering its page does not change that."""
    told = [n for n in view.notices if n.kind in ("trouble", "recorded", "unrecorded")]
    return told[-1] if told and told[-1].kind == "trouble" else None


def uncovered(nav: Nav, shown: Shown) -> Nav:
    """The navigation once a button was pressed on a page that covers the table: a question is put off, a page
    that somebody opened is left."""
    if shown.playing is None or shown.house.trouble:
        return nav
    screen = screen_for(shown, nav)
    if screen == "refusal":
        return on(nav, Set({"understood": True}), shown)
    if screen == "out_of_step":
        return on(nav, Set({"later": True}), shown)
    return nav if screen in PLAYED or screen == "setup" else step(nav, Go(""))


def screen_for(shown: Shown, nav: Nav) -> str:
    """The screen to be shown: trouble first, then what needs people, then where somebody went, else what the
    game asks for."""
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
    asked = question(shown, nav)
    if asked is not None and not (nav.screen and nav.over is not None and _is_over(nav, asked)):
        return asked[0]
    if nav.screen:
        return nav.screen
    playing = shown.playing
    if playing is None:
        return "attract"
    view = playing.view
    if not playing.set_up:
        return "setup"
    if view.finished:
        return "final"
    if view.paused:
        return "table"
    display = view.display
    if display is not None and display.auction is not None and display.auction.open:
        return "auction"
    choices = [choice for choice in view.choices if choice.why]
    bare = playing.mat is None and not display_of(shown).places
    if bare or any(choice.kind for choice in choices) or not _about_places(shown, choices):
        return "choice"
    return "table"


def _draft(screen: str, values: dict[str, Any]) -> str:
    """The name of a draft: one for each title that is set up, and one for a finished table."""
    return f"{screen} {values.get('title', '')}".strip() if screen == "new_game" else screen


def _with_draft(before: Nav, intent: Intent, after: Nav) -> Nav:
    """The navigation with what somebody has entered: kept when its screen is left, there again on coming
    back to it."""
    if not isinstance(intent, Go):
        return after
    if before.screen in DRAFTED and len(after.back) <= len(before.back):
        name = _draft(before.screen, before.values)
        after = msgspec.structs.replace(after, drafts={**after.drafts, name: before.values})
    known = after.drafts.get(_draft(after.screen, after.values)) if after.screen in DRAFTED else None
    if known is not None and len(after.back) > len(before.back):
        after = msgspec.structs.replace(after, values={**known, **after.values})
    return after


def _is_over(nav: Nav, asked: tuple[str, Any]) -> bool:
    """Whether the page that is open was opened from this question, to look something up."""
    return nav.over is not None and nav.over[0] == asked and len(nav.back) >= nav.over[1]


def _about_places(shown: Shown, choices: list[Any]) -> bool:
    """Whether what is asked is answered on the map or the action spaces, by kinds that have buttons below
    them, or by nobody."""
    offers = [o for choice in choices for o in choice.options if not o.free and not o.ends]
    return not offers or any(on_map(shown, option) for option in offers) or grouped(shown, offers)


def page(shown: Shown, nav: Nav) -> Page:
    """The page to draw."""
    made: Page = import_module(f"ui.presenters.{screen_for(shown, nav)}").page(shown, nav)
    return made


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav:
    """The navigation after an intent: the screen's own doing first, then what all have in common."""
    screen, asked = screen_for(shown, nav), question(shown, nav)
    own = getattr(import_module(f"ui.presenters.{screen}"), "on", None)
    done: Nav | None = own(nav, intent, shown) if own is not None else None
    result = _with_draft(nav, intent, step(nav, intent) if done is None else done)
    if (
        asked is not None
        and screen == asked[0]
        and isinstance(intent, Go)
        and len(result.back) > len(nav.back)
    ):
        return msgspec.structs.replace(result, over=(asked, len(result.back)))
    return result
