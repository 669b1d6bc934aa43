"""What the machine measures, asked on a thread of its own: a slow disk must not hold up the screen."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from ui.health import Reading, memory, memory_mb

_log = logging.getLogger(__name__)
EVERY_S = 10.0
"""So often the machine is asked."""


class Samples(Protocol):
    """What is asked: `ui.health.Gauges`."""

    def sample(self, now: float) -> tuple[Reading, ...]:
        """How the machine is at a time."""


class Sampler:
    """Asks again and again from `start` to `close`; `memory` is that of this process."""

    def __init__(
        self, gauges: Samples, every: float = EVERY_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.readings: tuple[Reading, ...] = ()
        self.memory: Reading | None = None
        self._gauges, self._every, self._clock = gauges, every, clock
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="gauges", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def close(self) -> None:
        """Ask no more. A question that is on its way is not waited for."""
        self._end.set()

    def _run(self) -> None:
        told = ""
        while not self._end.is_set():
            try:
                self.readings = self._gauges.sample(self._clock())
                self.memory = memory(memory_mb())
            except Exception as fault:
                # Whatever a driver does, there is a next time.
                if told != (told := f"{type(fault).__name__}: {fault}"):
                    _log.warning("the machine cannot be asked: %s", told)
            self._end.wait(self._every)
