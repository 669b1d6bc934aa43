"""The machine is asked beside the screen: what is slow or fails there holds nothing up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.messages import CameraState, CameraStatus
from ui import health
from ui.health import Gauges, Reading
from ui.kiosk.config import Config
from ui.kiosk.gauges import Sampler
from ui.kiosk.host import Host
from ui.presenters.metrics import metrics

SIZES = metrics(1024, 600)


def until(there: Callable[[], Any]) -> None:
    end = time.monotonic() + 20
    while not there():
        assert time.monotonic() < end
        time.sleep(0.005)


class Slow:
    """Gauges that answer when they are let."""

    def __init__(self) -> None:
        self.let, self.asked = threading.Event(), list[int]()

    def sample(self, now: float) -> tuple[Reading, ...]:
        self.asked.append(threading.get_ident())
        assert self.let.wait(20)
        return (health.heat(84.0),)


def test_a_machine_that_answers_late_holds_up_no_page(tmp_path: Path) -> None:
    slow = Slow()
    host = Host(Config(games=tmp_path / "games"), SIZES, gauges=Sampler(slow))
    try:
        until(lambda: slow.asked)
        assert host.shown(1.0).house.health == ()
        assert host.page(1.0).id == "attract"
        slow.let.set()
        until(lambda: host.shown(2.0).house.health)
        assert [one.name for one in host.shown(2.0).house.health] == ["heat", "memory"]
        assert threading.get_ident() not in slow.asked
    finally:
        slow.let.set()
        host.close()


def test_a_machine_that_cannot_be_asked_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[float] = []

    class Broken:
        def sample(self, now: float) -> tuple[Reading, ...]:
            calls.append(now)
            if len(calls) < 4:
                raise RuntimeError("the bus is stuck")
            return (health.heat(50.0),)

    sampler = Sampler(Broken(), every=0.001)
    sampler.start()
    until(lambda: sampler.readings)
    sampler.close()
    # The same fault is logged once.
    assert [record.message for record in caplog.records].count(
        "the machine cannot be asked: RuntimeError: the bus is stuck"
    ) == 1
    sampler._thread.join(5)
    count = len(calls)
    time.sleep(0.02)
    assert len(calls) == count


def test_the_kiosk_tells_of_its_camera_start_and_memory_too(tmp_path: Path) -> None:
    low = Gauges(tmp_path, flags=lambda: 0x1, degrees=lambda: 51.0, free=lambda folder: 9_000_000_000)
    host = Host(Config(games=tmp_path / "games"), SIZES, gauges=Sampler(low))
    try:
        status = CameraStatus(CameraState.RUNNING, "The camera is running.", 0.0)
        eyes: Any = SimpleNamespace(
            pictures=(0, 0.0), status=status, running=True, readiness=None, bad=None, close=lambda: None
        )
        host.eyes, host.started_s = eyes, 3.5
        host.shown(0.0)
        eyes.pictures = (10, 5.0)
        until(lambda: len(host.shown(5.0).house.health) == 6)
        told = {one.name: one for one in host.shown(5.0).house.health}
        assert list(told) == ["power", "heat", "disk", "camera", "start", "memory"]
        assert told["power"].light == "red"
        assert told["camera"].values == {"state": "running", "pictures_s": 2.0, "picture_age_s": 0.0}
        assert told["start"].values == {"started_s": 3.5}
        # Nothing is counted between two samples, so that a page stays the same.
        eyes.pictures = (11, 5.5)
        page = host.page(5.6)
        assert host.page(5.7) is page
    finally:
        host.eyes = None
        host.close()


def test_without_gauges_nothing_is_said_of_the_machine(tmp_path: Path) -> None:
    host = Host(Config(games=tmp_path / "games"), SIZES)
    assert host.shown(0.0).house.health == ()
    host.close()
