"""The button on every page where somebody acts that lets the seats' clocks stand still. Where none run it is
the menu: whoever wants to leave the table for a while has the clocks stand still first."""

from __future__ import annotations

from assistant.messages import Command
from ui.presenters import parts
from ui.presenters.elements import Button
from ui.presenters.intents import Go, Say
from ui.presenters.shown import Shown, playing_of


def clock_button(shown: Shown) -> tuple[Button, ...]:
    """Pause or go on, where clocks are kept, else the menu; nothing once the game is over."""
    t, view = shown.words.t, playing_of(shown).view
    if view.finished:
        return ()
    if not view.clocks:
        return menu_button(shown)
    what, text, icon = ("go_on", t("Go on"), "play") if view.paused else ("pause", t("Pause"), "pause")
    return (parts.quiet(shown, what, text, icon, Say(Command(what))),)


def menu_button(shown: Shown) -> tuple[Button, ...]:
    """The way to what can be done beside the game."""
    return (parts.quiet(shown, "menu", shown.words.t("Menu"), "gear", Go("menu")),)
