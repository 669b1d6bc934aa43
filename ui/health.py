"""How the machine and the running kiosk are: power, heat, room, camera, start-up and memory.

A reading is green, amber (it works, but look at it) or red, with the fix. What a machine does not have (a PC
has no under-voltage flag) is left out.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

HOT_C, TOO_HOT_C = 70.0, 80.0
"""Degrees Celsius from which it is pointed out, and from which a Raspberry Pi slows itself down."""
PULSE = Path("/run/stationmaster/pulse.json")
"""Where a kiosk that runs as a service writes how it is."""
OLD_S = 20.0
"""A pulse older than this is of a kiosk that does not turn any more."""
LATE_S = 15.0
"""A camera that runs reads a picture at least so often."""
SLOW_START_S = 30.0
MUCH_MB = 600.0
_SINCE = 16
_FLAGS = (
    (0, "the voltage is too low"),
    (1, "the processor's speed is limited"),
    (2, "the processor is slowed down"),
    (3, "it is close to the limit of heat"),
)
"""Bits of `vcgencmd get_throttled`; 16 higher they say that it was so since the start."""


class Reading(NamedTuple):
    """One thing that was looked at: its name, "green", "amber" or "red", how it is, what to do, figures."""

    name: str
    light: str
    text: str
    advice: str = ""
    values: dict[str, float | int | str] | None = None


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


def readings(pulse: Path = PULSE) -> Iterator[Reading]:
    """All that can be told on this machine."""
    flags = throttled()
    if flags is not None:
        yield power(flags)
    degrees = temperature()
    if degrees is not None:
        yield heat(degrees)
    yield from kiosk(pulse)


# ---- the machine


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
    values: dict[str, float | int | str] = {"flags": f"{flags:#x}"}
    low = flags & 1 or flags >> _SINCE & 1
    fix = (
        "Use the board's own supply (5.1 V, 3 A; a Pi 5 wants 5 A) and a short cable; power the screen apart."
        if low
        else "Let air to the board: a case with a fan, and not on top of the lamp."
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


def heat(degrees: float) -> Reading:
    """Whether the processor is too warm."""
    values: dict[str, float | int | str] = {"celsius": round(degrees, 1)}
    text = f"{degrees:.0f} °C"
    if degrees < HOT_C:
        return Reading("heat", "green", text, values=values)
    light = "red" if degrees >= TOO_HOT_C else "amber"
    return Reading(
        "heat", light, text, "Let air to the board: a case with a fan, away from the lamp.", values
    )


# ---- the kiosk that runs as a service


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
    if pulse.camera not in ("", "off"):
        yield _camera(pulse)


def _running(pulse: Pulse, age: float) -> Reading:
    values: dict[str, float | int | str] = {"memory_mb": pulse.memory_mb, "running_s": pulse.running_s}
    if pulse.started_s is not None:
        values["started_s"] = pulse.started_s
    fix = "See what it says: journalctl -u stationmaster -n 30"
    if age > OLD_S:
        return Reading("kiosk", "red", f"it has not moved on for {age:.0f} s", fix, values)
    for trouble in (pulse.trouble, pulse.stuck):
        if trouble:
            return Reading("kiosk", "red", trouble, fix, values)
    first = "" if pulse.started_s is None else f", first page after {pulse.started_s:.1f} s"
    text = f"{pulse.version} runs for {pulse.running_s / 60:.0f} min{first}, {pulse.memory_mb:.0f} MB"
    if pulse.memory_mb > MUCH_MB or (pulse.started_s or 0.0) > SLOW_START_S:
        return Reading(
            "kiosk", "amber", text, "A slow card, or too little memory: see docs/appliance.md.", values
        )
    return Reading("kiosk", "green", text, values=values)


def _camera(pulse: Pulse) -> Reading:
    values: dict[str, float | int | str] = {"state": pulse.camera}
    text = pulse.camera_text or pulse.camera
    runs = pulse.camera in ("running", "skipped", "ended")
    if pulse.pictures_s is not None:
        values["pictures_s"] = pulse.pictures_s
        text += f" {pulse.pictures_s:.1f} pictures a second."
    if pulse.picture_age_s is not None:
        values["picture_age_s"] = pulse.picture_age_s
        text += f" The newest is {pulse.picture_age_s:.0f} s old."
    if runs and (pulse.picture_age_s is None or pulse.picture_age_s < LATE_S or pulse.camera == "ended"):
        return Reading("camera", "green", text, values=values)
    fix = "Staff, then Camera tries it again; if that does not help, check its cable with the power off."
    return Reading("camera", "amber", text, fix, values)
