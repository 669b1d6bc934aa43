"""What the tests of the camera process put into it: eyes and cameras that fail as they are told."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from assistant.observation import Observation, Sighting
from vision.cameras import Camera, CameraBusy, CameraNoMemory, Frame, register
from vision.geometry import MatGeometry
from vision.worker_link import Area


class Levels:
    """Eyes that see the brightness of a picture's first pixel, and fail at one of them.

    The roster tells how: "WHAT" and the brightness.
    """

    def __init__(self, mat: MatGeometry, roster: tuple[str, ...] | None) -> None:
        self.what, level = roster or ("nothing", "-1")
        self.level = int(level)

    def look(self, frame: Frame) -> Observation:
        level = int(frame.y[0, 0])
        if level == self.level:
            self.fail()
        return Observation((Sighting(str(level), 0.0, 0.0, 0.0, 3.0),), at=frame.at)

    def area(self, frame: Frame) -> Area | None:
        return (2, 3, 8, 4)

    def fail(self) -> None:
        if self.what == "segfault":
            ctypes.string_at(8)
        elif self.what == "spin":
            while True:
                pass
        elif self.what == "sleep":
            time.sleep(3600)
        elif self.what == "raise":
            raise ArithmeticError("these pixels do not add up")
        elif self.what == "torn":
            # A message of 200 bytes is promised, and three come.
            os.write(int(sys.argv[1]), b"\xc8\0\0\0abc")
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.what == "nonsense":
            os.write(int(sys.argv[1]), b"\x03\0\0\0abc")
            time.sleep(3600)
        elif self.what == "exit":
            sys.exit(3)


def broken(mat: MatGeometry, roster: tuple[str, ...] | None) -> Levels:
    raise LookupError("the glasses are missing")


class Grey(Camera):
    """A picture that grows brighter by one each time."""

    live: bool = True

    def __init__(self) -> None:
        self.count = 0

    def frame(self, timeout_s: float = 2.0) -> Frame:
        self.count += 1
        return Frame(np.full((20, 30), self.count % 256, np.uint8), self.count, time.monotonic(), "grey")


def _grey(what: str) -> Camera:
    """A camera that cannot be opened as often as the file says: "memory" or "busy" and a count."""
    if what:
        path = Path(what)
        kind, count = path.read_text().split()
        if int(count):
            path.write_text(f"{kind} {int(count) - 1}")
            raise (CameraNoMemory if kind == "memory" else CameraBusy)(f"no luck, {count} to go")
    return Grey()


register("grey", _grey)
