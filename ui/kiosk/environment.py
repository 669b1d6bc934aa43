"""How Kivy is set up. This comes first: Kivy reads its environment and its configuration when it is imported.

Nothing of the person's own Kivy folder is read, and none is written: a kiosk behaves the same for everybody.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

_ENVIRONMENT = {
    "KIVY_NO_ARGS": "1",  # The words of the command line are ours.
    "KIVY_NO_CONFIG": "1",
    "KIVY_NO_ENV_CONFIG": "1",
    "KIVY_NO_FILELOG": "1",
    "KIVY_HOME": os.devnull,  # Modules and icons of the person's own would be found there.
    # Python's logging and nothing else. In its other modes Kivy puts a stream of its own in the place of
    # sys.stderr, and a traceback goes where Kivy's handlers send it, or nowhere.
    "KIVY_LOG_MODE": "PYTHON",
    # One provider each, so that a failure is told once and is about the one that counts.
    "KIVY_WINDOW": "sdl2",
    "KIVY_TEXT": "sdl2",
    "KIVY_CLIPBOARD": "dummy",  # The others start xclip and xsel.
    # One dp is one pixel, whatever a screen says about itself: our sizes come from the presenters' metrics.
    "KIVY_DPI": "96",
    "KIVY_METRICS_DENSITY": "1",
    "KIVY_METRICS_FONTSCALE": "1",
}

_OFFSCREEN = {"SDL_VIDEODRIVER": "offscreen", "KIVY_GL_BACKEND": "sdl2"}

_prepared: dict[str, Any] | None = None


def prepare(
    size: tuple[int, int], *, offscreen: bool = False, fullscreen: bool = False, provider: str = "mouse"
) -> None:
    """Sets Kivy up for one window of ``size`` pixels. To be called before anything imports Kivy.

    ``offscreen`` needs no screen: the window is drawn into memory, for tests and for tours. ``provider`` is
    the one source of touches, as Kivy writes it: ``"mouse"`` (on a desk; also a touchscreen that the window
    system turns into a mouse), ``"mtdev,/dev/input/event4"`` or ``"hidinput,/dev/input/event4"``.

    May be called again with the same values. Raises `RuntimeError` when Kivy was set up otherwise.
    """
    global _prepared
    asked = {"size": size, "offscreen": offscreen, "fullscreen": fullscreen, "provider": provider}
    if _prepared is not None:
        if asked != _prepared:
            wrong = ", ".join(
                f"{name} {_prepared[name]}, now {asked[name]}"
                for name in asked
                if asked[name] != _prepared[name]
            )
            raise RuntimeError(f"Kivy is set up once in a process, and was with {wrong}")
        return
    if "kivy" in sys.modules:
        raise RuntimeError("Kivy was imported before ui.kiosk.environment.prepare was called")
    os.environ |= _ENVIRONMENT | (_OFFSCREEN if offscreen else {})
    kind, *rest = provider.split(",")
    # SDL turns touches into movements of a mouse, and of SDL's events Kivy uses only those on Linux.
    os.environ["SDL_TOUCH_MOUSE_EVENTS"] = "1" if kind == "mouse" else "0"
    if kind == "mouse" and not rest:
        provider = "mouse,disable_multitouch"  # Otherwise a right click leaves a red dot on the screen.

    from kivy.config import Config

    # Kivy says INFO for itself when it is imported; how much is written is the root logger's to say.
    logging.getLogger("kivy").setLevel(logging.NOTSET)
    settings = {
        ("kivy", "exit_on_escape"): "0",  # A barcode scanner is a keyboard too.
        ("kivy", "keyboard_mode"): "system",
        ("graphics", "width"): str(size[0]),
        ("graphics", "height"): str(size[1]),
        ("graphics", "resizable"): "0",
        ("graphics", "fullscreen"): "1" if fullscreen else "0",
        ("graphics", "borderless"): "1" if fullscreen else "0",
        ("graphics", "show_cursor"): "1" if kind == "mouse" else "0",
        ("graphics", "allow_screensaver"): "0",
    }
    if offscreen:
        settings["graphics", "multisamples"] = "0"  # Half the work; export_to_png has no use for it anyway.
    for (section, name), value in settings.items():
        Config.set(section, name, value)
    # By itself Kivy listens to the mouse and to every touch device: one tap comes twice.
    Config.remove_section("input")
    Config.add_section("input")
    Config.set("input", kind, provider)

    from kivy.base import EventLoop

    EventLoop.bind(on_start=_drop_idle)
    if offscreen:
        EventLoop.bind(on_start=_finish_frames)
    _prepared = asked


def _drop_idle(loop: Any) -> None:
    """Takes out the provider that comes with every window of SDL: on Linux nothing is ever put into it."""
    for one in [one for one in loop.input_providers if one.device == "sdl"]:
        loop.remove_input_provider(one)


def _finish_frames(loop: Any) -> None:
    """Has each frame drawn to its end. Without a screen nobody waits for it, and Mesa's drawing in software
    can get behind by more and more frames, at two megabytes each."""
    from kivy.graphics.opengl import glFinish

    if loop.window is not None:
        loop.window.bind(on_flip=lambda _: glFinish())


def providers() -> list[str]:
    """The sources of touches in force, by name; one while the kiosk runs, none before and after."""
    if "kivy.base" not in sys.modules:
        return []
    from kivy.base import EventLoop

    return [str(one.device) for one in EventLoop.input_providers]
