"""How the machine and the running kiosk are: power, heat, room, camera, start-up and memory.

A reading is green, amber (it works, but look at it) or red, with the fix. What a machine does not have (a PC
has no under-voltage flag) is left out. The doctor asks once; the kiosk asks again and again, and then a light
that is not green stays so until things are better by a margin, so that nothing flickers in its status bar.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

Light = Literal["green", "amber", "red"]
LIGHTS: tuple[Light, ...] = ("red", "amber", "green")
"""The worst first."""
HOT_C, TOO_HOT_C = 70.0, 80.0
"""Degrees Celsius from which it is pointed out, and from which a Raspberry Pi slows itself down."""
COOLER_C = 3.0
"""So much cooler than that it has to be before a light goes out."""
LITTLE_ROOM, NO_ROOM = 500_000_000, 20_000_000
"""Bytes free in the games folder below which it is pointed out, and below which nothing should be begun. A
long game takes a megabyte; a card that is full takes the system down with it."""
MORE_ROOM = 1.1
"""So many times as much has to be free before a light goes out."""
HOLD_S = 60.0
"""The voltage falls for moments: so long after the last one it is still told as now."""
LATE_S = 15.0
"""A camera that runs reads a picture at least so often."""
SLOW_PICTURES_S, ENOUGH_PICTURES_S = 0.5, 0.6
"""Pictures a second below which the table is slow to see a move (two of three must agree, and it waits six
seconds for quiet), and from which that is over."""
PICTURES_S = 5.0
"""So often the pictures are counted, and the last three spans make the rate."""
SLOW_START_S = 30.0
MUCH_MB = 600.0
PULSE = Path("/run/stationmaster/pulse.json")
"""Where a kiosk that runs as a service writes how it is."""
OLD_S = 20.0
"""A pulse older than this is of a kiosk that does not turn any more."""
RUNS = ("running", "skipped", "ended")
"""States of a camera in which nothing is to be mended; after the last no more pictures are to come."""
_SINCE = 16
_NOW = 0xF
_FLAGS = (
    (0, "the voltage is too low"),
    (1, "the processor's speed is limited"),
    (2, "the processor is slowed down"),
    (3, "it is close to the limit of heat"),
)
"""Bits of `vcgencmd get_throttled`; 16 higher they say that it was so since the start."""
_AIR = "Let air to the board: a case with a fan, and not near the lamp."

Values = dict[str, float | int | str]


class Reading(NamedTuple):
    """One thing that was looked at: its name, "green", "amber" or "red", how it is, what to do, figures."""

    name: str
    light: Light
    text: str
    advice: str = ""
    values: Values | None = None


class Pulse(msgspec.Struct, frozen=True, kw_only=True):
    """How a running kiosk is. Times are seconds, memory is MB; `picture_age_s` is the age of the newest
    picture that was read, `pictures_s` how many are read in a second, `started_s` what it took from the
    start to the first page, None before it."""

    version: str = ""
    running_s: float = 0.0
    started_s: float | None = None
    memory_mb: float = 0.0
    playing: bool = False
    trouble: str = ""
    camera: str = ""
    camera_text: str = ""
    picture_age_s: float | None = None
    pictures_s: float | None = None
    stuck: str = ""


def write_pulse(path: Path, pulse: Pulse) -> None:
    """Replace the file; on a full disk or a read-only one nothing is written. Raises nothing."""
    beside = path.with_name(f".{path.name}.new")
    with suppress(OSError):
        beside.write_bytes(msgspec.json.encode(pulse))
        beside.replace(path)


def readings(games: Path, pulse: Path = PULSE) -> Iterator[Reading]:
    """All that can be told on this machine and of the kiosk that runs on it."""
    yield from Gauges(games).sample(0.0)
    yield from kiosk(pulse)


# ---- the machine


class Gauges:
    """What the machine measures. `folder` is that of the games; what is read can be put in for tests.

    `sample` may take seconds, since it asks other programs: it is not for the screen's thread.
    """

    def __init__(
        self,
        folder: Path,
        *,
        flags: Callable[[], int | None] | None = None,
        degrees: Callable[[], float | None] | None = None,
        free: Callable[[Path], int | None] | None = None,
    ) -> None:
        self._folder = folder
        self._flags, self._degrees, self._free = (
            flags or throttled,
            degrees or temperature,
            free or free_bytes,
        )
        self._now, self._now_at, self._since = 0, 0.0, 0
        self._lights: dict[str, Light] = {}

    def sample(self, now: float) -> tuple[Reading, ...]:
        """Power, heat and room at a time (monotonic seconds), as far as this machine tells them."""
        found: list[Reading] = []
        if (flags := self._flags()) is not None:
            found.append(power(self._held(flags, now)))
        if (degrees := self._degrees()) is not None:
            found.append(heat(degrees, self._lights.get("heat", "green")))
        if (free := self._free(self._folder)) is not None:
            found.append(disk(free, self._lights.get("disk", "green")))
        self._lights = {one.name: one.light for one in found}
        return tuple(found)

    def _held(self, flags: int, now: float) -> int:
        """The flags with what was so a moment ago and before, which the kernel's own flag does not tell."""
        if flags & _NOW:
            self._now, self._now_at = flags & _NOW, now
            self._since |= flags & _NOW
        held = self._now if now - self._now_at < HOLD_S else 0
        return flags | held | self._since << _SINCE


def throttled(run: Callable[[], str] | None = None) -> int | None:
    """The flags of a Raspberry Pi's power and heat; None where there are none."""
    try:
        text = (run or _vcgencmd)()
        return int(text.strip().removeprefix("throttled="), 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return _alarm()


def _vcgencmd() -> str:
    command = shutil.which("vcgencmd")
    if command is None:
        raise OSError("there is no vcgencmd")
    done = subprocess.run([command, "get_throttled"], capture_output=True, text=True, timeout=5, check=True)
    return done.stdout


def _alarm(folder: Path = Path("/sys/class/hwmon")) -> int | None:
    """The kernel's own flag of under-voltage, for who may not ask the firmware."""
    for one in sorted(folder.glob("hwmon*")):
        with suppress(OSError, ValueError):
            if (one / "name").read_text().strip() == "rpi_volt":
                return int((one / "in0_lcrit_alarm").read_text()) & 1
    return None


def power(flags: int) -> Reading:
    """What the flags say: what is wrong now is red, what was wrong since the start is amber."""
    now = [text for bit, text in _FLAGS if flags >> bit & 1]
    before = [text for bit, text in _FLAGS if flags >> (bit + _SINCE) & 1]
    low = bool(flags & 1) if now else bool(flags >> _SINCE & 1)
    state = "steady" if not now and not before else f"{'' if now else 'was_'}{'low' if low else 'slowed'}"
    values: Values = {"flags": f"{flags:#x}", "state": state}
    fix = (
        "Use the board's own supply (5.1 V, 3 A; a Pi 5 wants 5 A) and a short cable; power the screen apart."
        if low
        else _AIR
    )
    if now:
        return Reading("power", "red", "; ".join(now), fix, values)
    if before:
        return Reading("power", "amber", f"since the start: {'; '.join(before)}", fix, values)
    return Reading("power", "green", "never too low since the start", values=values)


def temperature(path: Path = Path("/sys/class/thermal/thermal_zone0/temp")) -> float | None:
    """Degrees Celsius of the processor; None where nobody measures."""
    with suppress(OSError, ValueError):
        return int(path.read_text()) / 1000
    return None


def heat(degrees: float, before: Light = "green") -> Reading:
    """Whether the processor is too warm; `before` is the light that it had."""
    values: Values = {"celsius": round(degrees, 1)}
    hot = HOT_C - (COOLER_C if before != "green" else 0)
    too_hot = TOO_HOT_C - (COOLER_C if before == "red" else 0)
    light: Light = "red" if degrees >= too_hot else "amber" if degrees >= hot else "green"
    return Reading("heat", light, f"{degrees:.0f} °C", "" if light == "green" else _AIR, values)


def free_bytes(folder: Path) -> int | None:
    """Bytes free where a folder lies, or would be made; None where nobody tells."""
    there = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path("/"))
    try:
        return shutil.disk_usage(there).free
    except OSError:
        return None


def disk(free: int, before: Light = "green") -> Reading:
    """Whether there is room for games; `before` is the light that it had."""
    values: Values = {"free_mb": round(free / 1e6)}
    little = LITTLE_ROOM * (MORE_ROOM if before != "green" else 1)
    none = NO_ROOM * (MORE_ROOM if before == "red" else 1)
    light: Light = "red" if free < none else "amber" if free < little else "green"
    text = f"{free / 1e9:.1f} GB free" if free >= 1e9 else f"{free / 1e6:.0f} MB free"
    fix = "Make room: back up the games, remove old ones, and what else lies on that card."
    return Reading("disk", light, text, "" if light == "green" else fix, values)


# ---- the camera


class Pictures:
    """How many pictures a camera reads in a second and how old the newest is, counted now and then."""

    def __init__(self) -> None:
        self.rate: float | None = None
        """Pictures a second, None while nobody can tell."""
        self.reading: Reading | None = None
        """How the camera is; None without one."""
        self._eyes: object = None
        self._state = ""
        self._counts: deque[tuple[float, int]] = deque(maxlen=4)

    def turn(self, now: float, eyes: Any) -> None:
        """Count again where it is time: `eyes` are the kiosk's, or None. Nothing here waits."""
        state = "" if eyes is None else "starting" if eyes.status is None else eyes.status.state.value
        if eyes is not self._eyes:
            self._counts.clear()
            self.rate = self.reading = None
        elif state == self._state and (eyes is None or now < self._counts[-1][0] + PICTURES_S):
            return
        self._eyes, self._state = eyes, state
        if eyes is None:
            return
        count, at = eyes.pictures
        if not self._counts or now >= self._counts[-1][0] + PICTURES_S:
            self._counts.append((now, count))
        began, first = self._counts[0]
        self.rate = (count - first) / (now - began) if len(self._counts) > 1 else None
        before = "green" if self.reading is None else self.reading.light
        self.reading = camera(
            state,
            "" if eyes.status is None else eyes.status.text,
            rate=self.rate,
            age=None if at is None else max(0.0, now - at),
            before=before,
        )


def camera(
    state: str, text: str = "", *, rate: float | None, age: float | None, before: Light = "green"
) -> Reading:
    """How a camera is by its state, the pictures that it reads in a second and the age (s) of the newest one;
    `before` is the light that it had."""
    values: Values = {"state": state}
    said = text or state
    if rate is not None:
        values["pictures_s"] = round(rate, 1)
        said += f" {rate:.1f} pictures a second."
    if age is not None:
        values["picture_age_s"] = round(age, 1)
        said += f" The newest is {age:.0f} s old."
    if state == "ended":
        return Reading("camera", "green", said, values=values)
    if state not in RUNS or (age is not None and age >= LATE_S):
        fix = "Staff, then Camera tries it again; if that does not help, check its cable with the power off."
        return Reading("camera", "amber", said, fix, values)
    if rate is not None and rate < (SLOW_PICTURES_S if before == "green" else ENOUGH_PICTURES_S):
        fix = "The processor has too little time for pictures: see power and heat, and docs/camera.md."
        return Reading("camera", "amber", said, fix, values)
    return Reading("camera", "green", said, values=values)


# ---- the kiosk


def start(seconds: float) -> Reading:
    """How long it took from the start of the process to the first page."""
    slow = seconds > SLOW_START_S
    fix = "A slow card, mostly: take one marked A1 or A2, and look at power."
    text = f"first page after {seconds:.1f} s"
    return Reading("start", "amber" if slow else "green", text, fix if slow else "", {"started_s": seconds})


def memory(megabytes: float) -> Reading:
    """How much memory the kiosk takes."""
    much = megabytes > MUCH_MB
    fix = "Start it anew when nobody plays: sudo systemctl restart stationmaster. Games are kept."
    text = f"{megabytes:.0f} MB"
    return Reading(
        "memory", "amber" if much else "green", text, fix if much else "", {"memory_mb": megabytes}
    )


def memory_mb(status: Path = Path("/proc/self/status")) -> float:
    """Resident memory of a process in MB; 0 where it cannot be told."""
    with suppress(OSError, ValueError, IndexError):
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return round(int(line.split()[1]) / 1024, 1)
    return 0.0


def kiosk(path: Path = PULSE, clock: Callable[[], float] = time.time) -> Iterator[Reading]:
    """What the running kiosk says of itself; nothing where none runs as a service."""
    try:
        age = max(0.0, clock() - path.stat().st_mtime)
        pulse = msgspec.json.decode(path.read_bytes(), type=Pulse)
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError) as error:
        yield Reading("kiosk", "amber", f"its state cannot be read: {error}", "Look again in ten seconds.")
        return
    yield _running(pulse, age)
    if pulse.started_s is not None:
        yield start(pulse.started_s)
    yield memory(pulse.memory_mb)
    if pulse.camera not in ("", "off"):
        yield camera(pulse.camera, pulse.camera_text, rate=pulse.pictures_s, age=pulse.picture_age_s)


def _running(pulse: Pulse, age: float) -> Reading:
    values: Values = {"running_s": pulse.running_s}
    fix = "See what it says: journalctl -u stationmaster -n 30"
    wrong = f"it has not moved on for {age:.0f} s" if age > OLD_S else pulse.trouble or pulse.stuck
    if wrong:
        return Reading("kiosk", "red", wrong, fix, values)
    text = f"{pulse.version} runs for {pulse.running_s / 60:.0f} min"
    return Reading("kiosk", "green", text, values=values)
