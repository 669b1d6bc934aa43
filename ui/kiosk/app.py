"""The kiosk's window: asks the host for the newest page at 30 Hz and hands touches and keys back.

The host gives the same page while nothing has changed; it is neither laid out nor drawn again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from ui.kiosk.environment import prepare

_log = logging.getLogger(__name__)
RATE_HZ = 30.0
CAMERA_S = 0.2
WATCH_S = 2.0
FIRST = "the first page was drawn after %.2f s of CPU"
"""Logged once, at the level INFO."""


class NoWindow(RuntimeError):
    """There is no screen that a window could be opened on."""


def dead(providers: list[Any]) -> list[Any]:
    """Input providers whose reading thread has ended; those without a thread cannot be told."""
    return [one for one in providers if (t := getattr(one, "thread", None)) is not None and not t.is_alive()]


def revive(host: Any, providers: list[Any]) -> None:
    """Start input providers again whose thread has ended; what cannot be started is said on the screen."""
    for one in dead(providers):
        _log.error("touch input %s has ended; it is started again", one.device)
        try:
            one.stop()
            one.start()
        except Exception as fault:
            _log.error("it did not start: %s", fault)
            host.said = host.words.t("Touch is off: use the buttons.")


def key_name(code: int) -> str:
    """The name of a key by Kivy's number."""
    return "spacebar" if code == 32 else chr(code) if 32 < code < 127 else str(code)


def moves(host: Any) -> bool:
    """Whether pages fade in: the house's wish, or the configuration's."""
    return bool(host.config.motion if host.settings.motion is None else host.settings.motion)


def show(
    host: Any,
    *,
    size: tuple[int, int],
    fullscreen: bool = False,
    provider: str = "mouse",
    offscreen: bool = False,
    each: Callable[[float], None] | None = None,
) -> None:
    """Run the window until it is closed. `each` is called before every page with monotonic seconds.

    Raises `NoWindow`; what the host's handlers raise is logged and shown, and the window goes on.
    """
    prepare(size, offscreen=offscreen, fullscreen=fullscreen, provider=provider)
    from kivy.app import App
    from kivy.base import EventLoop
    from kivy.clock import Clock
    from kivy.core.window import Window
    from kivy.graphics.opengl import glFinish

    if Window is None:
        raise NoWindow("no window system answers")
    from ui.kiosk.screen import PageWidget

    class Kiosk(App):  # type: ignore[misc, unused-ignore]
        use_kivy_settings = False

        def open_settings(self, *largs: Any) -> bool:
            return False

        def build(self) -> Any:
            self.told, self.camera_at = "", 0.0
            self.view = PageWidget(
                host.metrics,
                self.doing(host.do),
                self.doing(host.explain),
                late=lambda: self.doing(lambda _: host.late())(None),
            )
            Window.bind(on_key_down=self.key_down, on_key_up=self.key_up, on_focus=self.focus)
            Window.bind(on_flip=self.drawn_first)
            self.turn(0)
            Clock.schedule_interval(self.turn, 1 / RATE_HZ)
            Clock.schedule_interval(self.watch, WATCH_S)
            return self.view

        def doing(self, deed: Callable[[Any], None]) -> Callable[[Any], None]:
            def done(value: Any) -> None:
                try:
                    deed(value)
                except Exception as fault:
                    self.tell(fault)
                self.turn(0)

            return done

        def tell(self, fault: Exception) -> None:
            """Log what a handler raised, once for a row of the same, and show it."""
            text = f"{type(fault).__name__}: {fault}"
            if text != self.told:
                _log.error("the screen's handler failed", exc_info=fault)
            self.told = text
            host.said = text

        def turn(self, _: float) -> None:
            now = time.monotonic()
            try:
                if each is not None:
                    each(now)
                self.view.motion = moves(host) and not offscreen
                self.view.update(host.page(now))
                if self.view.wants_camera and now - self.camera_at >= CAMERA_S:
                    self.camera_at = now
                    if (frame := host.frame()) is not None:
                        self.view.camera(*frame)
            except Exception as fault:
                self.tell(fault)

        def drawn_first(self, window: Any) -> None:
            """The first page is drawn: log what that took."""
            window.unbind(on_flip=self.drawn_first)
            glFinish()
            # Once more: SDL without a desktop makes its surface anew at the first swap and drops what was
            # drawn, and a page on which nothing changes would stay black until somebody touches it.
            Clock.schedule_once(lambda _: window.canvas.ask_update())
            _log.info(FIRST, time.process_time())

        def watch(self, _: float) -> None:
            """Start a dead touch device again. Never run with real hardware."""
            revive(host, EventLoop.input_providers)

        def key_down(self, window: Any, code: int, *rest: Any) -> bool:
            self.view.stop_motion()
            self.doing(lambda name: host.key(name, True))(key_name(code))
            return True

        def key_up(self, window: Any, code: int, *rest: Any) -> bool:
            self.doing(lambda name: host.key(name, False))(key_name(code))
            return True

        def focus(self, window: Any, has: bool) -> None:
            if not has and hasattr(host.panel, "release"):
                host.panel.release()

    Kiosk().run()
