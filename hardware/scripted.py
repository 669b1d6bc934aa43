"""A panel that plays a list of presses and keeps what it was shown: for tests and for a simulated table."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from hardware.debounce import Button, Edge, Inputs, Timing, button
from hardware.driven import DrivenPanel
from hardware.keyboard import KEYS
from hardware.lamps import Lamp, Sound
from hardware.panel import Post

BUTTONS = tuple(dict.fromkeys(KEYS.values()))
PRESS_S = 0.1


def presses(*given: tuple[str, float] | tuple[str, float, float]) -> Iterator[Edge]:
    """Edges of presses, each ("A ok", when) or ("A ok", when, how long), in order of time."""
    edges = []
    for name, at, *long in given:
        edges.append(Edge(button(name), True, at))
        edges.append(Edge(button(name), False, at + (long[0] if long else PRESS_S)))
    return iter(sorted(edges, key=lambda edge: edge.at))


class ScriptedPanel(DrivenPanel):
    """Plays edges at their times through the same state machine as real buttons.

    Time stands where `advance` put it, from `began` on, and nothing needs a thread. `start(post, live=True)`
    plays on `clock` instead, the edges' times counted from the start. `shown` and `sounds` keep, with their
    times, what the lamps said and what was heard.
    """

    def __init__(
        self,
        edges: Iterable[Edge] = (),
        *,
        buttons: Iterable[Button] = BUTTONS,
        timing: Timing | None = None,
        began: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now = began
        self._real = clock
        super().__init__(lambda: self._now)
        self._script = sorted(edges, key=lambda edge: edge.at)
        self._buttons = tuple(buttons)
        self._timing = timing or Timing()
        self.shown: list[tuple[float, dict[str, Lamp]]] = []
        self.sounds: list[tuple[float, Sound]] = []

    def start(self, post: Post, live: bool = False) -> None:
        if not live:
            self.begin(post)
            return
        began = self._real()
        self._script = [edge._replace(at=edge.at + began) for edge in self._script]
        self._clock = self._real
        super().start(post)

    def add(self, *edges: Edge) -> None:
        """Play these as well."""
        with self._lock:
            self._script = sorted([*self._script, *edges], key=lambda edge: edge.at)
        self._wake.set()

    def press(self, name: str, seconds: float = PRESS_S) -> None:
        """Press a button now and let go after so long."""
        self.add(*presses((name, self._clock(), seconds)))

    def advance(self, to: float) -> None:
        """Let time pass up to a moment, stopping wherever something is due."""
        while True:
            self.turn(self._now)
            times = [edge.at for edge in self._script[:1]]
            if self._inputs is not None and self._inputs.next_at is not None:
                times.append(self._inputs.next_at)
            due = min((time for time in times if time <= to), default=to)
            if due <= self._now and self._now >= to:
                return
            self._now = max(due, self._now)

    def turn(self, now: float) -> float:
        with self._lock:
            due = [edge for edge in self._script if edge.at <= now]
            self._script = self._script[len(due) :]
            ahead = self._script[0].at - now if self._script else 3600.0
        for edge in due:
            self._queue.put(edge)
        return min(super().turn(now), ahead)

    def show(self, lamps: Mapping[str, Lamp], held: Collection[str] = ()) -> None:
        super().show(lamps, held)
        self.shown.append((self._clock(), dict(self.lamps)))

    def sound(self, sound: Sound) -> None:
        self.sounds.append((self._clock(), sound))

    def _open(self) -> Inputs:
        return Inputs(self._buttons, self._timing, at=self._clock())

    def _light(self, seat: str, value: float) -> None:
        return

    def _tone(self, hz: float) -> None:
        return
