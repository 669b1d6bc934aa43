"""Pages of judging and scoring at every size and in every language, each looked through."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from assistant.messages import Command
from tests.ui.presenters import playing as p
from ui.kiosk.shelf import offered
from ui.presenters import elements, present
from ui.presenters.elements import Button, Page, Panel, Text
from ui.presenters.intents import Intent, Say
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from ui.presenters.shown import House, Shown, State
from ui.presenters.words import Words

GOOD = State("good")


def whole(page: Page) -> Page:
    """The page, after what holds of every page."""
    buttons = [e for e in elements.walk(page) if isinstance(e, Button)]
    assert sum(b.kind == "paper" for b in buttons) <= 1, page.id
    for button in buttons:
        assert bool(button.intent is not None) != bool(button.reason), (page.id, button)
    ids = Counter(e.id for e in elements.walk(page) if isinstance(e, Button | Panel) and e.id)
    assert not [each for each, n in ids.items() if n > 1], page.id
    assert page.prompt is not None
    assert page.prompt.text
    assert elements.intents(page)
    return page


def drawn(judge: Any, nav: Nav, **more: Any) -> list[Page]:
    """The page at all sizes in both languages."""
    return [
        whole(present.page(p.shown(judge, size, language, **more), nav))
        for size in p.SIZES
        for language in ("en", "de")
    ]


def alone(size: tuple[int, int] = (1024, 600), language: str = "en", **more: Any) -> Shown:
    """A kiosk at which nothing is played."""
    house = House("Café", offered(("railway_boom", "auction")), camera=GOOD, panel=GOOD, record=GOOD)
    return Shown(msgspec.structs.replace(house, **more), metrics(*size), Words(language), now=9.0)


def viewed(shown: Shown, **changes: Any) -> Shown:
    """The same with another view of the table."""
    assert shown.playing is not None
    view = msgspec.structs.replace(shown.playing.view, **changes)
    return msgspec.structs.replace(shown, playing=msgspec.structs.replace(shown.playing, view=view))


def go(shown: Shown, nav: Nav, *ids: str) -> Nav:
    """Touch one thing after the other that stays in the kiosk."""
    for id in ids:
        page = whole(present.page(shown, nav))
        nav = present.on(nav, elements.intents(page)[id], shown)
    return nav


def texts(page: Page) -> list[str]:
    """All words of a page in order, the prompt's last."""
    out = [e.text for e in elements.walk(page) if isinstance(e, Text | Button)]
    assert page.prompt is not None
    return [*out, page.prompt.text, page.prompt.detail]


def button(page: Page, id: str) -> Button:
    return next(e for e in elements.walk(page) if isinstance(e, Button) and e.id == id)


def command(intent: Intent | None) -> Command:
    assert isinstance(intent, Say)
    return intent.command
