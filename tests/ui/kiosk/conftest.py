"""A window in memory, one in each process that runs tests, and a hand that touches it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from ui.kiosk.environment import prepare

SIZE = (1024, 600)

# Before any module of tests here is read, because those may import Kivy.
prepare(SIZE, offscreen=True)


class Screen:
    """The window. Places are in Kivy's pixels: from the left and from the bottom."""

    def __init__(self, folder: Path) -> None:
        from kivy.core.window import Window

        self.window: Any = Window
        self.folder = folder

    def show(self, root: Any) -> None:
        """Puts ``root`` into the window, in the place of what was there, and draws it."""
        self.clear()
        self.window.add_widget(root)
        self.frames()

    def frames(self, count: int = 3) -> None:
        """Lets ``count`` frames pass, and draws each. Three are enough for a layout in a layout."""
        from kivy.base import EventLoop

        for _ in range(count):
            self.window.canvas.ask_update()
            EventLoop.idle()

    def resize(self, size: tuple[int, int]) -> None:
        """Another panel; every test begins with 1024x600."""
        if tuple(self.window.size) != size:
            self.window.size = size
            self.frames()
            assert tuple(self.window.size) == size

    def png(self, widget: Any = None, name: str = "screen") -> Path:
        """Draws ``widget``, or else all that is shown, into a picture file."""
        path = self.folder / f"{name}.png"
        widget = widget or self.window.children[0]
        widget.export_to_png(str(path))
        return path

    def picture(self, widget: Any = None) -> NDArray[np.uint8]:
        """The same as an array: rows from the top, blue, green, red, alpha."""
        picture = cv2.imread(str(self.png(widget)), cv2.IMREAD_UNCHANGED)
        assert picture is not None
        return picture.astype(np.uint8)

    def press(self, x: float, y: float) -> Any:
        """A finger comes down; `release` lifts it."""
        from kivy.tests.common import UnitTestTouch

        touch = UnitTestTouch(x, y)
        touch.touch_down()
        self.frames(1)
        return touch

    def release(self, touch: Any) -> None:
        touch.touch_up()
        self.frames(1)

    def tap(self, x: float, y: float) -> None:
        """A finger comes down and is lifted at the same place."""
        self.release(self.press(x, y))

    def tap_on(self, widget: Any) -> None:
        """A tap in the middle of ``widget``."""
        self.tap(*widget.to_window(*widget.center))

    def clear(self) -> None:
        for child in list(self.window.children):
            self.window.remove_widget(child)


@contextmanager
def opened() -> Iterator[None]:
    """The window of this process, with Kivy's loop started but not running by itself."""
    from kivy.base import runTouchApp, stopTouchApp
    from kivy.clock import Clock
    from kivy.uix.widget import Widget

    Clock._max_fps = 0  # A frame is not waited for. By the configuration it would be for everybody.
    runTouchApp(Widget(), embedded=True)
    yield
    stopTouchApp()


@pytest.fixture(scope="session")
def _window() -> Iterator[None]:
    with opened():
        yield


@pytest.fixture
def screen(_window: None, tmp_path: Path) -> Iterator[Screen]:
    """An empty window of 1024x600."""
    screen = Screen(tmp_path)
    screen.clear()
    screen.resize(SIZE)
    yield screen
    screen.clear()
