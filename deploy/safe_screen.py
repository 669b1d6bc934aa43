"""What the console says when the kiosk does not come up: why, what to do, and when it is tried again.

A tap on the screen, a key, or time starts the kiosk anew. It runs with the system's own Python and nothing
but the standard library, since what is broken may be the kiosk's environment. Pauses grow with every time
that the kiosk has failed since the machine was switched on: 1, 2, 4, 8 and then 15 minutes.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

SERVICE = "stationmaster.service"
COUNT = Path("/run/stationmaster-safe/failures")
FIRST_S, LONGEST_S = 60.0, 900.0
SETTLE_S = 30.0
"""A restart that systemd has announced, and that has not come by then, is not waited for any longer."""
CONSOLE = Path("/dev/tty1")
LINES, WIDTH = 8, 76
EVENT = 24
"""Bytes of one input event on a 64-bit system."""
CLEAR = "\033[2J\033[H\033[?25l"


def pause_after(failures: int) -> float:
    """Seconds to wait after so many failures in a row."""
    return float(min(FIRST_S * 2 ** max(0, failures - 1), LONGEST_S))


def screen(why: Sequence[str], seconds: float) -> str:
    """The text of the screen, in both languages of the kiosk."""
    minutes = max(1, round(seconds / 60))
    lines = ["", "  STATIONMASTER", ""]
    lines += ["  The table's screen does not start. All games are safe as they were."]
    lines += ["  Der Bildschirm dieses Tisches startet nicht. Alle Spiele sind, wie sie waren.", ""]
    lines += [f"  Tap the screen or press a key to try again; it tries itself in {minutes} min."]
    lines += [f"  Bildschirm oder eine Taste berühren: neuer Versuch; von selbst in {minutes} min.", ""]
    lines += [
        "  Staff / Personal:  sudo -u stationmaster stationmaster doctor",
        "                     journalctl -u stationmaster -n 30",
        "",
    ]
    lines += ["  Last words / zuletzt gemeldet:"]
    for line in why:
        lines += textwrap.wrap(line, WIDTH, initial_indent="    ", subsequent_indent="      ") or [""]
    return "\n".join(lines) + "\n"


def last_words() -> list[str]:
    """The newest lines that the kiosk has logged."""
    command = ["journalctl", "-u", SERVICE, "-n", str(LINES), "-o", "cat", "--no-pager", "-q"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return [f"(the journal cannot be read: {error})"]
    return done.stdout.splitlines()[-LINES:] or ["(nothing)"]


def wait(seconds: float, devices: Iterable[int]) -> bool:
    """Wait for a tap or a key on one of the open devices; whether one came. A device that goes away is left
    out."""
    there = set(devices)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select(list(there), [], [], min(left, 5.0))
        for one in ready:
            try:
                if os.read(one, EVENT * 64):
                    return True
            except OSError:
                pass
            there.discard(one)
    return False


def inputs(folder: Path = Path("/dev/input")) -> list[int]:
    """Everything that can be tapped or pressed, opened for reading."""
    found = []
    for path in sorted(folder.glob("event*")):
        try:
            found.append(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
        except OSError:
            continue
    return found


def failures(path: Path = COUNT) -> int:
    """How often the kiosk has failed for good since the machine was switched on."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0


def count_up(path: Path = COUNT) -> None:
    """It has failed once more."""
    count = failures(path) + 1
    with contextlib.suppress(OSError):  # Without it the pauses do not grow; the screen is what counts.
        path.write_text(str(count))


def comes_again() -> bool:
    """Whether systemd starts the kiosk once more by itself; it has not given it up then."""
    command = ["systemctl", "show", "--property=ActiveState", "--value", SERVICE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == "activating"


def show(text: str) -> None:
    """Write on the console, which systemd hangs up where it gives the kiosk up."""
    try:
        os.write(sys.stdout.fileno(), text.encode())
    except OSError:
        CONSOLE.write_text(text, encoding="utf-8")


def main() -> int:
    """Show the screen, wait, and have the kiosk started again."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    show(CLEAR)
    # From version 254 on systemd calls at every crash. The kiosk ends this as it comes back.
    end = time.monotonic() + SETTLE_S
    while comes_again() and time.monotonic() < end:
        time.sleep(0.5)
    seconds = pause_after(failures() + 1)
    show(screen(last_words(), seconds))
    count_up()
    wait(seconds, inputs())
    subprocess.run(["systemctl", "reset-failed", SERVICE], check=False)
    return subprocess.run(["systemctl", "--no-block", "start", SERVICE], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
