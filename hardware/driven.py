"""A panel with a thread of its own: edges in by a queue, messages out, lamps and tones by the clock."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Mapping

from assistant.messages import PanelState, PanelStatus
from hardware.debounce import Button, Edge, Inputs
from hardware.lamps import STEADY, Lamp, Sound, level, tones
from hardware.panel import Panel, Post, off

FRAME_S = 0.04
"""A lamp that pulses is set anew so often."""
SAME_LIGHT = 0.004


class PanelTrouble(Exception):
    """A panel cannot begin; the text is for a person: what is wrong, and what to do."""


class DrivenPanel(Panel):
    """What the panels of pins and of keys share.

    Whoever reads a contact calls `enter`, which only enqueues. One thread runs the state machine, posts what
    comes of it, and sets lamps and tones. `turn` is what that thread does each time; without a thread (tests,
    the scripted panel) it is called by hand.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._queue: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._lamps: dict[str, Lamp] = {}
        self._sounds: deque[Sound] = deque(maxlen=1)
        self._tones: deque[tuple[float, float]] = deque()
        self._tone_until: float | None = None
        self._lit: dict[str, float] = {}
        self._inputs: Inputs | None = None
        self._post: Post | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._status = PanelStatus(PanelState.OFF, "buttons not started", at=clock())

    # ---- what a panel of its kind does

    @abstractmethod
    def _open(self) -> Inputs:
        """Take hold of everything. Raises PanelTrouble."""

    @abstractmethod
    def _light(self, seat: str, value: float) -> None:
        """Set a seat's lamp, 0 to 1."""

    @abstractmethod
    def _tone(self, hz: float) -> None:
        """Sound a tone until the next one; 0 is silence."""

    def _shut(self) -> None:
        """Give everything back; also after `_open` raised."""
        return

    # ---- the panel

    @property
    def status(self) -> PanelStatus:
        return self._status

    @property
    def lamps(self) -> Mapping[str, Lamp]:
        """What each lamp says now."""
        with self._lock:
            return dict(self._lamps)

    def start(self, post: Post) -> None:
        if self.begin(post):
            self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
            self._thread.start()

    def begin(self, post: Post) -> bool:
        """Begin without a thread; whether it works."""
        self._post = post
        try:
            self._inputs = self._open()
        except Exception as error:
            self._shut()
            why = str(error) if isinstance(error, PanelTrouble) else f"{type(error).__name__}: {error}"
            self._say(off(why, self._clock()))
            return False
        self._say(self._inputs.status(self._clock()))
        return True

    def show(self, lamps: Mapping[str, Lamp], held: Collection[str] = ()) -> None:
        with self._lock:
            self._lamps = {**lamps, **dict.fromkeys(held, Lamp.HELD)}
        self._wake.set()

    def sound(self, sound: Sound) -> None:
        self._sounds.append(sound)
        self._wake.set()

    def close(self) -> None:
        self._stop.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2.0)
        if self._inputs is not None:
            self._inputs = None
            self._dark()
            self._shut()
        self._status = PanelStatus(PanelState.OFF, "buttons closed", at=self._clock())

    def enter(self, button: Button, down: bool, at: float) -> None:
        """A contact changed. This only enqueues; safe from any thread."""
        self._queue.put(Edge(button, down, at))
        self._wake.set()

    def turn(self, now: float) -> float:
        """Do what is due, and give the time until there is something to do again."""
        inputs, post = self._inputs, self._post
        if inputs is None or post is None:
            return FRAME_S
        messages = []
        while not self._queue.empty():
            messages += inputs.edge(*self._queue.get())
        messages += inputs.tick(now)
        for message in messages:
            if isinstance(message, PanelStatus):
                self._status = message
            post(message)
        due = [self._shine(now), self._play(now)]
        if inputs.next_at is not None:
            due.append(inputs.next_at - now)
        return max(0.0, min(due))

    # ---- its thread

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._wake.wait(self.turn(self._clock()))
                self._wake.clear()
        except Exception as error:
            # Whatever a back-end raises in the middle of a game must not end in silence.
            with contextlib.suppress(Exception):
                self._say(off(f"{type(error).__name__}: {error}", self._clock()))

    def _say(self, status: PanelStatus) -> None:
        self._status = status
        if self._post is not None:
            self._post(status)

    def _shine(self, now: float) -> float:
        """Set the lamps, and give the time until they change by themselves."""
        lamps = self.lamps
        for seat in {**self._lit, **lamps}:
            value = level(lamps.get(seat, Lamp.OFF), now)
            before = self._lit.get(seat, 0.0)
            if value != before and (abs(value - before) > SAME_LIGHT or value in (0.0, 1.0)):
                self._light(seat, value)
                self._lit[seat] = value
        return FRAME_S if any(lamp not in STEADY for lamp in lamps.values()) else 3600.0

    def _play(self, now: float) -> float:
        """Go on with the sound, and give the time until its next tone."""
        if self._sounds:
            self._tones = deque(tones(self._sounds.popleft()))
            self._tone_until = now
        if self._tone_until is None:
            return 3600.0
        if now >= self._tone_until:
            if not self._tones:
                self._tone(0.0)
                self._tone_until = None
                return 3600.0
            hz, seconds = self._tones.popleft()
            self._tone(hz)
            self._tone_until = now + seconds
        return self._tone_until - now

    def _dark(self) -> None:
        for seat, value in self._lit.items():
            if value:
                self._light(seat, 0.0)
        self._lit = {}
        if self._tone_until is not None:
            self._tone(0.0)
            self._tone_until = None
