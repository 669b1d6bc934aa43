"""A stand-in for the library lgpio, so that gpiozero's real back-end for a Pi 5 runs on it.

Lines are files of a folder that are locked while they are claimed, so that a second process finds them busy
as it would at the kernel; what a line is driven to from outside stands in the file.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

REVISION = 0xC04170
BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
PULLS = {"SET_PULL_UP": 32, "SET_PULL_DOWN": 64, "SET_PULL_NONE": 128}


class LgpioError(Exception):
    """What lgpio raises."""


class Chip:
    """The lines of one gpiochip as one process has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.claims: dict[int, int] = {}
        self.modes: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.callbacks: dict[int, Callable[..., None]] = {}
        self.pwm: dict[int, tuple[float, float]] = {}
        self.open = 0

    def claim(self, gpio: int, mode: int) -> None:
        if gpio not in self.claims:
            handle = os.open(self.folder / f"line{gpio}", os.O_CREAT | os.O_RDWR)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(handle)
                raise LgpioError("GPIO busy") from None
            self.claims[gpio] = handle
        self.modes[gpio] = mode
        if mode & PULLS["SET_PULL_UP"]:
            self.levels.setdefault(gpio, 1)
        self.levels.setdefault(gpio, 0)

    def free(self, gpio: int) -> None:
        os.close(self.claims.pop(gpio))
        self.levels.pop(gpio, None)

    def drive(self, gpio: int, level: int) -> None:
        """Set a line from outside."""
        self.levels[gpio] = level
        if gpio in self.callbacks:
            self.callbacks[gpio](0, gpio, level, time.monotonic_ns())

    def close(self) -> None:
        for gpio in tuple(self.claims):
            self.free(gpio)
        self.open -= 1


class _Callback:
    def __init__(self, chip: Chip, gpio: int, call: Callable[..., None]) -> None:
        self.chip, self.gpio = chip, gpio
        chip.callbacks[gpio] = call

    def cancel(self) -> None:
        self.chip.callbacks.pop(self.gpio, None)


def lgpio(chip: Chip) -> ModuleType:
    """The module `lgpio`."""
    made: Any = ModuleType("lgpio")
    made.error = LgpioError
    made.BOTH_EDGES, made.RISING_EDGE, made.FALLING_EDGE = BOTH_EDGES, RISING_EDGE, FALLING_EDGE
    for name, value in PULLS.items():
        setattr(made, name, value)

    def opened(number: int) -> int:
        chip.open += 1
        return number + 1

    made.gpiochip_open = opened
    made.gpiochip_close = lambda handle: chip.close()
    made.gpio_claim_input = lambda handle, gpio, flags=0: chip.claim(gpio, flags)
    made.gpio_claim_output = lambda handle, gpio, level=0, flags=0: chip.claim(gpio, 2)
    made.gpio_claim_alert = lambda handle, gpio, edges, flags=0: chip.claim(gpio, flags)
    made.gpio_free = lambda handle, gpio: chip.free(gpio)
    made.gpio_get_mode = lambda handle, gpio: chip.modes[gpio]
    made.gpio_read = lambda handle, gpio: chip.levels[gpio]
    made.gpio_write = lambda handle, gpio, level: chip.levels.__setitem__(gpio, int(level))
    made.tx_pwm = lambda handle, gpio, hz, duty: chip.pwm.__setitem__(gpio, (hz, duty))
    made.callback = lambda handle, gpio, edges, call: _Callback(chip, gpio, call)
    module: ModuleType = made
    return module


@contextmanager
def installed(folder: Path) -> Iterator[Chip]:
    """A Pi 5 with lgpio whose lines are in a folder."""
    chip = Chip(folder)
    sys.modules.pop("gpiozero.pins.lgpio", None)
    with (
        patch.dict(sys.modules, {"lgpio": lgpio(chip)}),
        patch.dict(os.environ),
        patch("gpiozero.pins.local.get_pi_revision", lambda: REVISION),
    ):
        yield chip
    sys.modules.pop("gpiozero.pins.lgpio", None)
    for handle in chip.claims.values():
        os.close(handle)
