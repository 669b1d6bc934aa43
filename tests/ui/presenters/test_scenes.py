"""Every screen in the states that matter: pages are whole, can be answered, and say why they cannot."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from ui.kiosk.people import grey, unreachable
from ui.kiosk.shelf import offered
from ui.kiosk.staging import Staged, scenes
from ui.presenters.elements import Button, Page, Panel, Text, intents, walk
from ui.presenters.metrics import metrics
from ui.presenters.present import SCREENS, page, screen_for

SIZES = ((800, 480), (1024, 600), (1280, 800))
LANGUAGES = ("en", "de")
ALL = [(size, language) for size in SIZES for language in LANGUAGES]


@cache
def staged(size: tuple[int, int], language: str) -> tuple[Staged, ...]:
    return tuple(scenes(metrics(*size), language, offered(("railway_boom", "auction"))))


def pages(size: tuple[int, int], language: str) -> list[tuple[str, Page]]:
    return [(scene.name, page(scene.shown, scene.nav)) for scene in staged(size, language)]


@pytest.mark.parametrize(("size", "language"), ALL)
def test_a_page_has_one_usual_answer_at_most(size: tuple[int, int], language: str) -> None:
    for name, shows in pages(size, language):
        paper = [e.id for e in walk(shows) if isinstance(e, Button) and e.kind == "paper"]
        assert len(paper) <= 1, (name, paper)


@pytest.mark.parametrize(("size", "language"), ALL)
def test_names_of_what_can_be_touched_are_unique(size: tuple[int, int], language: str) -> None:
    for name, shows in pages(size, language):
        ids = Counter(e.id for e in walk(shows) if isinstance(e, Button | Panel) and e.id)
        assert not [each for each, n in ids.items() if n > 1], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_grey_button_says_why(language: str) -> None:
    for name, shows in pages((1024, 600), language):
        assert not grey(shows), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_undo_and_the_usual_answer_are_never_neighbours(language: str) -> None:
    for name, shows in pages((1024, 600), language):
        row = [*shows.left, *shows.right]
        for one, other in pairwise(row):
            assert "undo" not in (one.id, other.id) or "paper" not in (one.kind, other.kind), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_leads_on(language: str) -> None:
    """There is something to touch on every page."""
    for name, shows in pages((1024, 600), language):
        assert intents(shows), name


def test_everything_that_is_asked_can_be_answered_by_touch() -> None:
    for scene in staged((1024, 600), "en"):
        playing = scene.shown.playing
        # The camera's question comes first; what it answers shows the rest again.
        proposed = playing is not None and playing.view.eyes in ("proposal", "several")
        waits = playing is not None and playing.view.paused
        asks = screen_for(scene.shown, scene.nav) in ("table", "auction", "choice")
        if asks and not proposed and not waits:
            assert not unreachable(scene.shown, scene.nav), scene.name


def test_every_screen_has_a_scene() -> None:
    shown = {screen_for(scene.shown, scene.nav) for scene in staged((1024, 600), "en")}
    assert set(SCREENS) - shown == set()


def test_german_pages_are_german() -> None:
    """No text of more than two words stands there as in English, names and terms of the games apart."""
    english = dict(pages((1024, 600), "en"))
    for name, shows in pages((1024, 600), "de"):
        if shows.id == "rule":
            continue  # The text of a rule is in English, and the page says so.
        same = {text for text in _sentences(shows) if text in _sentences(english[name])}
        assert not same, (name, same)


def _sentences(shows: Page) -> set[str]:
    texts = [e.text for e in walk(shows) if isinstance(e, Text | Button)]
    if shows.prompt is not None:
        texts += [shows.prompt.text, shows.prompt.detail]
    return {text for text in texts if len(text.split()) > 3 and text[-1:] in ".?:"}
