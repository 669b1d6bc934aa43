"""Figures about the screen: its first page, a touch to the next page drawn, making a page, and memory."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from ui.bench import Row, percentile, row

SIZE = (1024, 600)
_FIRST = "from ui.bench.ui import drawn; drawn(1)"


def run(*, quick: bool = False) -> list[Row]:
    """Measure the kiosk's pages offscreen at 1024x600, drawn in software. `quick` takes fewer rounds."""
    rounds = 30 if quick else 300
    return [*_first(1 if quick else 5), *_touches(rounds), *_memory(quick)]


def _scenes() -> list[Any]:
    from ui.kiosk.environment import prepare

    prepare(SIZE, offscreen=True)
    from ui.kiosk.shelf import offered
    from ui.kiosk.staging import scenes
    from ui.presenters.metrics import metrics

    wanted = ("table", "refusal", "auction", "choice-operate")
    made = scenes(metrics(*SIZE), "en", offered(("railway_boom", "auction")))
    return [scene for scene in made if scene.name in wanted]


def drawn(frames: int) -> None:
    """Draw pages of the new-game kind, which need no game, so many times."""
    from ui.kiosk.environment import prepare

    prepare(SIZE, offscreen=True)
    from ui.kiosk.picture import widget_of
    from ui.presenters.elements import Button, Page, Prompt, Text
    from ui.presenters.metrics import metrics

    page = Page(id="first", body=Text(text="1"), prompt=Prompt("1"), right=(Button(id="b", text="1"),))
    for _ in range(frames):
        widget_of(page, metrics(*SIZE))


def _first(rounds: int) -> list[Row]:
    walls, cpus = [], []
    for _ in range(rounds):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, "-c", _FIRST], check=True, capture_output=True, timeout=120)
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    how = f"median of {rounds} processes that set up Kivy, draw one small page and end; no host, no game"
    return [
        row("a small first page from process start, CPU", median(cpus), "s", goal="<= 3", how=how),
        row("a small first page from process start, wall", median(walls), "s", how=how),
    ]


def _touches(rounds: int) -> list[Row]:
    from ui.presenters.present import page

    scenes = _scenes()
    from kivy.base import EventLoop

    from ui.kiosk.picture import widget_of

    widget = widget_of(page(scenes[0].shown, scenes[0].nav), scenes[0].shown.metrics)
    making, whole = [], []
    for i in range(rounds):
        scene = scenes[i % len(scenes)]
        start = time.perf_counter()
        made = page(scene.shown, scene.nav)
        making.append((time.perf_counter() - start) * 1000)
        widget.update(made)
        EventLoop.idle()
        whole.append((time.perf_counter() - start) * 1000)
    how = f"{rounds} changes between {len(scenes)} staged pages of a game, each made, laid out and drawn"
    return [
        row("touch to drawn page, median", median(whole), "ms", how=how),
        row("touch to drawn page, p95", percentile(whole, 95), "ms", how=how),
        row("making a page, p99", percentile(making, 99), "ms", how="the same changes, without the drawing"),
    ]


def growth_mb(views: int, frames: int) -> tuple[float, float]:
    """Memory of this process after warm-up, and how much more it is after so many views of which only the
    newest is drawn in each of so many frames; in MB."""
    from ui.presenters.present import page

    scenes = _scenes()
    from kivy.base import EventLoop

    from ui.kiosk.picture import widget_of

    widget = widget_of(page(scenes[0].shown, scenes[0].nav), scenes[0].shown.metrics)
    pages = [page(scene.shown, scene.nav) for scene in scenes]
    newest, each, before = pages[0], max(1, views // frames), 0.0
    warm = 200  # Until then the letters and Mesa's own buffers are being made.
    for frame in range(warm + frames):
        if frame == warm:
            gc.collect()
            before = _rss_mb()
        for view in range(each):
            newest = pages[(frame + view) % len(pages)]
        widget.update(newest)
        EventLoop.idle()
    gc.collect()
    return before, _rss_mb() - before


def _memory(quick: bool) -> list[Row]:
    frames = 100 if quick else 1000
    before, grown = growth_mb(frames * 50, frames)
    how = f"{frames * 50} views, the newest drawn in each of {frames} frames; {before:.0f} MB after warm-up"
    return [row("memory growth", grown, "MB", goal="<= 10", how=how)]


def _rss_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
