"""The kiosk as a service of systemd: it says when it is ready, and that its loops move on.

What is watched are the real loops: the screen's (it calls `Service.turn`), the table's (it answers a `Tick`
with a new view), the record's (a ruling that is being written must come to an end) and the camera's (its
thread must live). While all have moved on lately, the watchdog is told so; when one has not, it is not, and
systemd starts the kiosk anew, which goes on with the game as it was at its last ruling. A camera that fails
or gives no picture is no such case: its own thread starts it again, and the game goes on by touch.

The protocol is that of sd_notify(3): datagrams on the socket that NOTIFY_SOCKET names.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from assistant.messages import Tick
from ui.health import Pulse, memory_mb, write_pulse

_log = logging.getLogger(__name__)

ASK_S = 5.0
"""So often the table is asked for a sign of life."""
TABLE_S = 20.0
"""The longest that the table may take to answer: a slow card may hold a ruling for seconds."""
WRITING_S = 25.0
"""The longest that one ruling may take to be written."""
PULSE_S = 5.0
"""So often the kiosk's state is written for `stationmaster doctor`."""
READY_TURNS = 2
"""The screen's loop has drawn a page once it comes round again."""


class Session(Protocol):
    """What is asked of a running game."""

    @property
    def view(self) -> Any:
        """The newest view; a new object with every message that the table has handled."""

    def post(self, message: Tick) -> None:
        """Enqueue a message for the table."""


class Notifier:
    """Sends words to systemd; without its socket nothing is sent. Raises nothing."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name
        self._every = _watchdog(environment)

    @property
    def there(self) -> bool:
        """Whether a service manager listens."""
        return bool(self._address)

    @property
    def every(self) -> float | None:
        """Seconds between two signs of life: a third of what systemd waits; None when it does not watch."""
        return self._every

    def send(self, **words: str) -> None:
        """Send variables, such as READY=1."""
        if not self._address:
            return
        text = "\n".join(f"{name}={value}" for name, value in words.items())
        kind = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
        # A service manager that does not listen must not hold up the screen.
        with suppress(OSError), socket.socket(socket.AF_UNIX, kind) as link:
            link.connect(self._address)
            link.sendall(text.encode())


def _watchdog(environment: Mapping[str, str]) -> float | None:
    try:
        if int(environment.get("WATCHDOG_PID", os.getpid())) != os.getpid():
            return None
        microseconds = int(environment["WATCHDOG_USEC"])
    except (KeyError, ValueError):
        return None
    return microseconds / 3e6 if microseconds > 0 else None


class Loops:
    """Whether the table, the record and the camera have moved on. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._view: Any = None
        self._asked: float | None = None
        self._next_ask = 0.0

    def stuck(self, now: float, session: Session | None, eyes: Any) -> str:
        """The name of a loop that has not moved on, with what it is about; "" while all have."""
        if session is not self._session:
            self._session, self._asked, self._next_ask = session, None, now
        if session is not None:
            view = session.view
            if self._asked is not None and view is not self._view:
                self._asked = None
            if self._asked is None and now >= self._next_ask:
                self._view, self._asked, self._next_ask = view, now, now + ASK_S
                session.post(Tick(now))
            elif self._asked is not None and now - self._asked > TABLE_S:
                return f"table: no answer for {now - self._asked:.0f} s"
            since = view.writing_since
            if since is not None and now - since > WRITING_S:
                return f"record: a ruling is being written for {now - since:.0f} s"
        if eyes is not None and not eyes.alive:
            return "camera: its thread has ended"
        return ""


class Service:
    """What the kiosk tells systemd. `turn` is called from the screen's loop, before each page."""

    def __init__(
        self, notifier: Notifier, *, began: float, pulse: Path | None = None, version: str = ""
    ) -> None:
        self._notifier = notifier
        self._began = began
        self._pulse = pulse
        self._version = version
        self._loops = Loops()
        self._turns = 0
        self._next_sign = 0.0
        self._next_pulse = 0.0
        self._started: float | None = None
        self._told = ""

    @property
    def started_s(self) -> float | None:
        """Seconds from the start of the process to the first page, None before it."""
        return self._started

    def waiting(self, what: str) -> None:
        """The storage is open and everything but the screen is there: that is up, for the service manager."""
        self._notifier.send(READY="1", WATCHDOG="1", STATUS=what)

    def turn(self, now: float, host: Any) -> None:
        """The screen's loop has come round. Raises nothing that would stop it."""
        self._turns += 1
        if self._turns == READY_TURNS:
            self._started = now - self._began
            self._notifier.send(READY="1", STATUS=f"the first page was drawn after {self._started:.1f} s")
        every = self._notifier.every
        if every is not None and now >= self._next_sign:
            self._next_sign = now + every / 2
            stuck = self._loops.stuck(now, host.session, host.eyes)
            if not stuck:
                self._notifier.send(WATCHDOG="1")
            elif stuck != self._told:
                _log.error("the watchdog is not fed: %s", stuck)
                self._notifier.send(STATUS=f"stuck: {stuck}")
            self._told = stuck
        if self._pulse is not None and now >= self._next_pulse:
            self._next_pulse = now + PULSE_S
            write_pulse(self._pulse, self._state(now, host))

    def end(self) -> None:
        """The kiosk ends because it was told to."""
        self._notifier.send(STOPPING="1")

    def _state(self, now: float, host: Any) -> Pulse:
        eyes = host.eyes
        status = eyes.status if eyes is not None else None
        _, at = eyes.pictures if eyes is not None else (0, None)
        rate = host.pictures.rate
        return Pulse(
            version=self._version,
            running_s=round(now - self._began, 1),
            started_s=None if self._started is None else round(self._started, 2),
            memory_mb=memory_mb(),
            playing=host.session is not None,
            trouble=host.trouble,
            camera="off" if eyes is None else "starting" if status is None else status.state.value,
            camera_text="" if status is None else status.text,
            picture_age_s=None if at is None else round(max(0.0, now - at), 1),
            pictures_s=None if rate is None else round(rate, 1),
            stuck=self._told,
        )


def process_age(stat: Path = Path("/proc/self/stat"), uptime: Path = Path("/proc/uptime")) -> float:
    """Seconds since this process was started, its imports included; 0 where it cannot be told."""
    with suppress(OSError, ValueError, IndexError):
        # The second field is the program's name in brackets, and may hold blanks.
        started = int(stat.read_text().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, float(uptime.read_text().split()[0]) - started)
    return 0.0


def pausing(service: Service, sleep: Callable[[float], None], step: float = 5.0) -> Callable[[float], None]:
    """A `sleep` for who waits for a screen: the service manager hears of it in between."""

    def pause(seconds: float) -> None:
        left = seconds
        while left > 0:
            service.waiting("there is no screen yet; everything else is up")
            sleep(min(step, left))
            left -= step

    return pause
