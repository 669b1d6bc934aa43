"""The newest camera picture as a whole."""

from __future__ import annotations

from ui.presenters import parts
from ui.presenters.elements import Button, Camera, Column, Page, Prompt
from ui.presenters.intents import Ask, Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import Shown


def page(shown: Shown, nav: Nav) -> Page:
    """The picture; where there is none, why."""
    t, camera = shown.words.t, shown.house.camera
    off = camera.health == "off"
    words = camera.words or t("The camera gave no picture yet.")
    prompt = Prompt(
        t("What the camera sees"),
        words if off else t("Live picture. It stays in this box and is not stored."),
        "caution" if camera.health != "good" else "none",
    )
    return Page(
        id="picture",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=Column(children=(Camera(words=words, grow=1),), pad=12),
        left=(
            Button(
                id="try_camera",
                text=t("Try the camera again"),
                icon="reload",
                kind="quiet",
                intent=Ask("camera"),
            ),
        ),
        right=(Button(id="leave", text=t("Back"), icon="back", kind="paper", intent=Go(BACK)),),
    )
