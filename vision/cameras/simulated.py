"""A simulated table as a camera: it gets pictures from somewhere and hands on nothing but pixels."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from vision.cameras.base import Camera, CameraError, Frame
from vision.optics import Image


class SimulatedCamera(Camera):
    """Looks at whatever `take` renders (e.g. `SimulatedTable.picture`), one picture per call.

    `clock` gives the time of each picture; the demo passes its own so that a run repeats exactly.
    """

    def __init__(self, take: Callable[[], Image], clock: Callable[[], float] = time.monotonic) -> None:
        self._take: Callable[[], Image] | None = take
        self._clock = clock
        self._count = 0

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """A new picture of the table as it is now."""
        if self._take is None:
            raise CameraError("the simulated camera was closed; open a new one")
        picture = self._take()
        if picture.ndim != 2 or picture.dtype != np.uint8:
            raise CameraError("the simulated camera was given a picture that is not 8-bit grey")
        self._count += 1
        return Frame(picture, self._count, self._clock(), "simulated table")

    def close(self) -> None:
        """Let go of the table."""
        self._take = None
