"""Kivy runs without a screen, listens to one source of touches, and leaves Python's own ways alone."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.ui.kiosk.conftest import SIZE, Screen
from ui.kiosk.environment import prepare, providers

ROOT = Path(__file__).resolve().parents[3]


def elsewhere(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs ``text`` in a process of its own, because Kivy is set up once in each."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("KIVY_", "KCFG_", "SDL_", "DISPLAY"))}
    return subprocess.run(
        [sys.executable, "-c", text],
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_label_is_drawn(screen: Screen) -> None:
    from kivy.uix.label import Label

    screen.show(Label(text="Track 3", font_size=80))
    picture = screen.picture()
    assert picture.shape == (SIZE[1], SIZE[0], 4)
    drawn = np.count_nonzero(picture[..., 3])
    assert 2_000 < drawn < 200_000


def test_two_sizes_of_panel_can_be_looked_at(screen: Screen) -> None:
    from kivy.uix.label import Label

    screen.resize((800, 480))
    screen.show(Label(text="Track 3"))
    assert screen.picture().shape == (480, 800, 4)


def test_a_tap_arrives_once(screen: Screen) -> None:
    from kivy.uix.button import Button

    taps: list[str] = []
    button = Button(text="Bid +1", size_hint=(None, None), size=(200, 80), pos=(700, 300))
    button.bind(on_release=lambda _: taps.append("tap"))
    screen.show(button)
    screen.tap_on(button)
    screen.tap(100, 100)
    assert taps == ["tap"]


def test_touches_come_from_one_provider(screen: Screen) -> None:
    assert providers() == ["mouse"]


@pytest.mark.parametrize("provider", ["mouse", "mtdev,/dev/input/event99", "hidinput,/dev/input/event99"])
def test_one_provider_of_every_kind(provider: str) -> None:
    run = elsewhere(
        f"""
from ui.kiosk.environment import prepare, providers
assert providers() == []
prepare((1024, 600), offscreen=True, provider={provider!r})
assert providers() == []
from kivy.base import EventLoop, runTouchApp
from kivy.config import Config
from kivy.input import MotionEventFactory, MotionEventProvider
from kivy.uix.widget import Widget
for kind in ("mtdev", "hidinput"):  # There is no such device here.
    standin = type(kind, (MotionEventProvider,), {{"update": lambda self, dispatch_fn: None}})
    MotionEventFactory.register(kind, standin)
runTouchApp(Widget(), embedded=True)
EventLoop.idle()
print(providers(), [name for name, _ in Config.items("input")])
"""
    )
    kind = provider.split(",")[0]
    assert run.stdout == f"{[kind]} {[kind]}\n", run.stderr


def test_a_persons_own_settings_of_kivy_are_not_taken(tmp_path: Path) -> None:
    (tmp_path / ".kivy" / "mods").mkdir(parents=True)
    (tmp_path / ".kivy" / "config.ini").write_text("[graphics]\nwidth = 333\nmaxfps = 7\n")
    run = elsewhere(
        """
from ui.kiosk.environment import prepare
prepare((640, 480), offscreen=True)
from kivy.core.window import Window
from kivy.config import Config
from kivy.metrics import dp, sp
print(tuple(Window.size), Config.get("graphics", "maxfps"), dp(10), sp(10))
""",
        HOME=str(tmp_path),
        KCFG_GRAPHICS_WIDTH="444",
        KIVY_DPI="300",
        KIVY_METRICS_DENSITY="2",
    )
    assert run.stdout == "(640, 480) 60 10.0 10.0\n", run.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".kivy", "config.ini", "mods"]


def test_a_traceback_comes_through_and_nothing_else_is_said() -> None:
    run = elsewhere(
        """
import sys
from ui.kiosk.environment import prepare
before = sys.stderr
prepare((640, 480), offscreen=True)
from kivy.app import App
from kivy.clock import Clock
assert sys.stderr is before
def wrong(_): raise ValueError("it went wrong")
Clock.schedule_once(wrong, 0)
App().run()
"""
    )
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("Traceback (most recent call last):\n"), run.stderr
    assert run.stderr.endswith("ValueError: it went wrong\n")


def test_how_much_kivy_writes_is_the_root_loggers_to_say(screen: Screen) -> None:
    logger = logging.getLogger("kivy")
    assert (logger.level, logger.handlers, logger.propagate) == (logging.NOTSET, [], True)


def test_the_same_again_is_nothing_and_something_else_is_refused() -> None:
    prepare(SIZE, offscreen=True)
    with pytest.raises(RuntimeError, match=r"size \(1024, 600\), now \(800, 480\)"):
        prepare((800, 480), offscreen=True)
    with pytest.raises(RuntimeError, match="provider mouse, now mtdev"):
        prepare(SIZE, offscreen=True, provider="mtdev,/dev/input/event0")


def test_coming_too_late_is_refused() -> None:
    run = elsewhere(
        "import kivy\nfrom ui.kiosk.environment import prepare\nprepare((640, 480), offscreen=True)",
        KIVY_NO_ARGS="1",
        KIVY_NO_CONFIG="1",
        KIVY_NO_FILELOG="1",
        KIVY_LOG_MODE="PYTHON",
    )
    assert "RuntimeError: Kivy was imported before ui.kiosk.environment.prepare was called" in run.stderr


def test_memory_does_not_grow_with_frames() -> None:
    run = elsewhere(
        """
from ui.kiosk.environment import prepare
prepare((1024, 600), offscreen=True)
from kivy.base import EventLoop, runTouchApp
from kivy.clock import Clock
Clock._max_fps = 0
from kivy.uix.button import Button
from kivy.uix.gridlayout import GridLayout
root = GridLayout(cols=14)
for number in range(200):
    root.add_widget(Button(text=str(number)))
runTouchApp(root, embedded=True)
def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6
for frame in range(150):
    EventLoop.window.canvas.ask_update()
    EventLoop.idle()
    if frame == 20:
        before = used()
print(used() - before)
"""
    )
    assert float(run.stdout) < 50, run.stderr
