"""Figures about the screen: its first page, a touch to its answer drawn, a page that stands, and memory."""

from __future__ import annotations

import gc
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from ui.bench import Row, percentile, row

if TYPE_CHECKING:
    from ui.presenters.elements import Page
    from ui.presenters.nav import Nav
    from ui.presenters.shown import Shown

SIZE = (1024, 600)
SEATS = {"A": "Mira", "B": "Jonas", "C": "Aiko", "D": "Tom"}
DOWN_S = 0.08
"""A finger stays so long."""
WHEN_S = 0.05
"""It comes at any time of so long, so that it meets the window in any phase of its loop."""
ANSWER_S = 2.0
"""What is not answered by then is counted as late by so much."""
STAND_S = 10.0
"""So long a page is looked at on which nothing happens."""
WARM = 200
"""Frames until the letters and Mesa's own buffers are made."""

_COMMAND = """
import logging, sys
logging.basicConfig(level=logging.INFO)
from ui.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(*, quick: bool = False) -> list[Row]:
    """Measure the kiosk offscreen at 1024x600, drawn in software. `quick` takes fewer rounds."""
    views, frames = (5_000, 100) if quick else (50_000, 1_000)
    return [
        *_first(1 if quick else 5),
        *_elsewhere("stand", 1.0 if quick else STAND_S),
        *_elsewhere("touch", 20 if quick else 300),
        *_memory(views, frames),
    ]


def _elsewhere(what: str, much: float) -> list[Row]:
    """Rows of a measurement in a process of its own: a window is opened once in each."""
    call = [sys.executable, "-m", "ui.bench.ui", what, str(much)]
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, timeout=900)
    return [
        row(name, value, unit, goal=goal, how=how) for name, value, unit, goal, how in json.loads(done.stdout)
    ]


# ---- the first page


def _first(rounds: int) -> list[Row]:
    walls, cpus = [], []
    for _ in range(rounds):
        wall, cpu = _begun()
        walls.append(wall)
        cpus.append(cpu)
    how = f"median of {rounds} starts of `stationmaster kiosk --config FILE`, up to its first page drawn"
    return [
        row("first page from process start, CPU", median(cpus), "s", goal="<= 3", how=how),
        row("first page from process start, wall", median(walls), "s", how=how),
    ]


def _begun() -> tuple[float, float]:
    """Start the kiosk and end it when its first page is drawn: seconds by the clock, and of CPU as it says
    itself. RuntimeError, with what it said, when that page never came."""
    from ui.kiosk.app import FIRST

    line = re.compile(re.escape(FIRST).replace(re.escape("%.2f"), r"([\d.]+)"))
    with tempfile.TemporaryDirectory(prefix="stationmaster-") as aside:
        config = Path(aside, "kiosk.toml")
        config.write_text('games = "games"\n', encoding="utf-8")
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", _COMMAND, "kiosk", "--config", config, "--size", "x".join(map(str, SIZE))],
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"SDL_VIDEODRIVER": "offscreen", "KIVY_GL_BACKEND": "sdl2"},
        ) as process:
            assert process.stderr is not None
            said = []
            try:
                for text in process.stderr:
                    said.append(text)
                    if (found := line.search(text)) is not None:
                        return time.perf_counter() - start, float(found[1])
            finally:
                process.send_signal(signal.SIGTERM)
                # What it says while it ends must not fill the pipe.
                process.stderr.read()
    raise RuntimeError(f"the kiosk ended before its first page: {''.join(said)}")


# ---- the window as it runs


@contextmanager
def _host(seed: int = 1) -> Iterator[Any]:
    """A kiosk without camera and panel, with a folder of games of its own."""
    from ui.kiosk.config import Config
    from ui.kiosk.host import Host
    from ui.presenters.metrics import metrics

    with tempfile.TemporaryDirectory(prefix="stationmaster-") as aside:
        host = Host(Config(games=Path(aside, "games")), metrics(*SIZE))
        try:
            yield host
        finally:
            host.close()


def _begin(host: Any) -> None:
    from ui.presenters.intents import Ask

    host.do(Ask("begin", {"title": "railway_boom", "seats": SEATS, "machine_draws": True, "set_up": True}))


def stand(seconds: float) -> list[tuple[Any, ...]]:
    """What a page costs on which nothing happens, in the middle of a game."""
    from ui.kiosk.app import show
    from ui.presenters import present

    # Pages are made with `present.page`, whoever asks for them.
    made = drawn = 0
    making = present.page

    def counted(shown: Shown, nav: Nav) -> Page:
        nonlocal made
        made += 1
        return making(shown, nav)

    def flipped(window: Any) -> None:
        nonlocal drawn
        drawn += 1

    began: list[float] = []
    figures: list[float] = []

    def each(now: float) -> None:
        nonlocal made, drawn
        from kivy.app import App
        from kivy.core.window import Window

        if not began:
            Window.bind(on_flip=flipped)
            began.append(now)
        elif not figures and now - began[0] > 2.0:
            made = drawn = 0
            began[0] = now
            figures.append(time.process_time())
        elif figures and now - began[0] >= seconds:
            figures.append((time.process_time() - figures[0]) / (now - began[0]) * 100)
            App.get_running_app().stop()

    present.page = counted
    with _host() as host:
        _begin(host)
        show(host, size=SIZE, offscreen=True, each=each)
    how = f"{seconds:g} s of a game in which nobody does anything"
    return [
        ("a page that stands, CPU", figures[1], "%", "<= 5", f"{how}; share of one core"),
        ("a page that stands, pages made", made, "", "== 0", how),
        ("a page that stands, frames drawn", drawn, "", "== 0", how),
    ]


class Finger:
    """A touch device, as Kivy has them: a thread that feels, and a queue that the window's loop empties."""

    device = "bench"

    def __init__(self, seed: int) -> None:
        self._queue: deque[tuple[str, Any]] = deque()
        self._rng = random.Random(seed)
        self._count = 0
        self.down = self.up = 0.0
        """When it came and was lifted (`time.perf_counter`); 0 while it has not."""
        self.felt = ""
        """What the window has heard of it: "", "begin", "end"."""

    def start(self) -> None:
        """Nothing is opened."""

    def stop(self) -> None:
        """Nothing is closed."""

    def update(self, dispatch_fn: Callable[[str, Any], None]) -> None:
        """Hand on what was felt; the window's loop calls it."""
        while self._queue:
            self.felt, touch = self._queue.popleft()
            dispatch_fn(self.felt, touch)

    def tap(self, x: float, y: float) -> None:
        """Come down at a place (pixels from the left and from the top) soon, and be lifted."""
        self.down = self.up = 0.0
        self.felt = ""
        threading.Thread(target=self._tap, args=(x, y), name="finger", daemon=True).start()

    def _tap(self, x: float, y: float) -> None:
        from kivy.input.providers.mouse import MouseMotionEvent

        time.sleep(self._rng.random() * WHEN_S)
        self._count += 1
        at = (x / (SIZE[0] - 1), 1 - y / (SIZE[1] - 1), "left")
        touch = MouseMotionEvent(self.device, self._count, at, is_touch=True, type_id="touch")
        self.down = time.perf_counter()
        self._queue.append(("begin", touch))
        time.sleep(DOWN_S)
        self.up = time.perf_counter()
        self._queue.append(("end", touch))


class _Hand:
    """Virtual people whose fingers are touches of a device; times what they see, in milliseconds."""

    def __init__(self, host: Any, rounds: int) -> None:
        from ui.kiosk.play import Player

        self.player = Player(host, 1, pace=0.0, touch=self._touch)
        self.finger = Finger(1)
        self.rounds = rounds
        self.looks: list[float] = []
        self.answers: list[float] = []
        self.late = 0
        self._page: Any = None
        self._looked = False
        self._bound = False

    def each(self, now: float) -> None:
        """Touch when nothing is waited for; end when there were enough."""
        from kivy.app import App
        from kivy.base import EventLoop
        from kivy.core.window import Window

        if not self._bound:
            self._bound = True
            EventLoop.add_input_provider(self.finger)
            Window.bind(on_flip=self._flipped)
        elif self._page is not None:
            if self.finger.up and time.perf_counter() - self.finger.up > ANSWER_S:
                self.late += 1
                self._answered(ANSWER_S)
        elif len(self.answers) >= self.rounds:
            App.get_running_app().stop()
        else:
            self.player.turn(now)

    def _touch(self, name: str) -> None:
        from kivy.app import App

        from ui.kiosk.screen import middle

        widget = App.get_running_app().root
        # Nobody waits half a second between two touches here, so each has a second of its own.
        widget.clock = lambda: float(len(self.answers))
        x, y = middle(widget, name)
        self._page, self._looked = widget.page, False
        self.finger.tap(x, y)

    def _flipped(self, window: Any) -> None:
        from kivy.app import App
        from kivy.graphics.opengl import glFinish

        if self._page is None or not self.finger.felt:
            return
        glFinish()
        now = time.perf_counter()
        if self.finger.felt == "begin" and not self._looked:
            self._looked = True
            self.looks.append((now - self.finger.down) * 1000)
        elif self.finger.felt == "end" and App.get_running_app().root.page is not self._page:
            self._answered(now - self.finger.up)

    def _answered(self, seconds: float) -> None:
        self.answers.append(seconds * 1000)
        self._page = None


def touch(rounds: float) -> list[tuple[Any, ...]]:
    """How long people wait for what they see of a touch, while a game is played."""
    from ui.kiosk.app import show

    with _host() as host:
        hand = _Hand(host, int(rounds))
        show(host, size=SIZE, offscreen=True, each=hand.each)
    how = (
        f"{len(hand.answers)} touches of a game by way of an input device, from the finger's lifting to the "
        f"frame with another page, through the table's thread and the record; {hand.late} without an answer"
    )
    look = f"{len(hand.looks)} of them on buttons, from the finger's coming to the button drawn as pressed"
    return [
        ("touch to the button pressed, median", median(hand.looks), "ms", "", look),
        ("touch to the button pressed, p95", percentile(hand.looks, 95), "ms", "<= 100", look),
        ("touch to the answer, median", median(hand.answers), "ms", "", how),
        ("touch to the answer, p95", percentile(hand.answers, 95), "ms", "<= 200", how),
    ]


# ---- memory


def growth_mb(views: int, frames: int) -> tuple[float, float, int]:
    """Memory of this process after warm-up and how much more it is at the end, in MB, and views published.

    A table publishes so many views on its thread, and so many frames are drawn, each of the view that is
    the newest then; every fourth is of another screen.
    """
    from ui.kiosk.environment import prepare

    prepare(SIZE, offscreen=True)
    from kivy.base import EventLoop
    from kivy.graphics.opengl import glFinish

    from assistant.messages import Command
    from ui.kiosk.picture import widget_of
    from ui.presenters.nav import Nav

    with _host() as host:
        _begin(host)
        session = host.session
        choice = next(c for c in session.view.choices if c.why)
        count, handled = 0, threading.Semaphore(0)

        def published(_: Any, __: Any) -> None:
            nonlocal count
            count += 1
            handled.release()

        session._listen = published
        widget = widget_of(host.page(host.clock()), host.metrics)
        each, before, number = max(1, views // frames), 0.0, 0
        screens = ("", "log", "score", "rule")
        for frame in range(WARM + frames):
            if frame == WARM:
                gc.collect()
                before, count = rss_mb(), 0
            for _ in range(each):
                number += 1
                values = {"choice": choice.id, "index": number % len(choice.options)}
                session.post(Command("point", choice.seat, values, host.clock()))
            # The last quarter is made while the frame is drawn.
            for _ in range(each * 3 // 4):
                handled.acquire()
            host.nav = Nav(screens[frame // 4 % 4] if frame % 4 == 3 else "")
            widget.update(host.page(host.clock()))
            EventLoop.idle()
            glFinish()  # Otherwise frames pile up that nobody waits for (`ui.kiosk.environment`).
            for _ in range(each - each * 3 // 4):
                handled.acquire()
        gc.collect()
        return before, rss_mb() - before, count


def _memory(views: int, frames: int) -> list[Row]:
    before, grown, made = growth_mb(views, frames)
    how = f"{made} views, the newest drawn in each of {frames} frames; {before:.0f} MB after warm-up"
    return [row("memory growth", grown, "MB", goal="<= 10", how=how)]


def rss_mb() -> float:
    """Memory of this process that is really there, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    print(json.dumps({"stand": stand, "touch": touch}[sys.argv[1]](float(sys.argv[2]))))
