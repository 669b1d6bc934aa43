"""The newest camera picture, or why there is none."""

from __future__ import annotations

import pytest

from tests.ui.presenters import judging as j
from tests.ui.presenters import playing as p
from ui.presenters import elements, present
from ui.presenters.elements import Camera
from ui.presenters.intents import Ask, Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import State


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", p.SIZES)
def test_the_picture_says_that_it_is_not_kept(size: tuple[int, int], language: str) -> None:
    page = j.whole(present.page(j.alone(size, language), Nav("picture")))
    assert any(isinstance(e, Camera) for e in elements.walk(page))
    assert page.prompt is not None
    assert page.prompt.detail
    assert elements.intents(page)["leave"] == Go(BACK)


def test_without_a_camera_it_says_why_and_can_try_again() -> None:
    page = j.whole(present.page(j.alone(camera=State("off", "It is unplugged.")), Nav("picture")))
    assert page.prompt is not None
    assert page.prompt.detail == "It is unplugged."
    assert page.prompt.signal == "caution"
    assert elements.intents(page)["try_camera"] == Ask("camera")
