"""Nobody has touched anything for long: a question with a countdown. The game is parked, never lost."""

from __future__ import annotations

from ui.presenters.elements import Button, Column, Meter, Page, Prompt, Space, Text
from ui.presenters.intents import Ask
from ui.presenters.nav import Nav
from ui.presenters.parts import top
from ui.presenters.shown import Shown

COUNTDOWN_S = 60.0


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, left = shown.words.t, max(0.0, shown.house.countdown or 0.0)
    return Page(
        id="idle",
        top=top(shown),
        prompt=Prompt(t("Are you still playing?"), t("Thinking is fine. Touch to go on."), "caution"),
        body=Column(
            children=(
                Space(grow=1),
                Text(
                    text=t("The game is parked in {n} s", n=round(left)),
                    size="title",
                    bold=True,
                    align="centre",
                    shrink=True,
                ),
                Meter(share=left / COUNTDOWN_S, h=12),
                Text(
                    text=t("It waits on the first screen with every move. Leave the pieces as they lie."),
                    tone="text2",
                    align="centre",
                    lines=2,
                ),
                Space(grow=1),
            ),
            gap=20,
            pad=56,
        ),
        right=(
            Button(id="park", text=t("Park the game"), icon="pause", intent=Ask("park")),
            Button(id="here", text=t("Yes, go on"), icon="check", kind="paper", intent=Ask("here")),
        ),
    )
