"""A simulated table as a camera: it gets pictures from somewhere and hands on nothing but pixels."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

from assistant.layout import Mat, Scene
from vision.cameras.base import Camera, CameraError, CameraFacts, Frame, register
from vision.kept import write_safely
from vision.optics import Image
from vision.simulator import SimulatedTable, View


class SimulatedCamera(Camera):
    """Looks at whatever `take` renders (e.g. `SimulatedTable.picture`), one picture per call.

    `clock` gives the time of each picture; the demo passes its own so that a run repeats exactly.
    """

    def __init__(self, take: Callable[[], Image], clock: Callable[[], float] = time.monotonic) -> None:
        self._take: Callable[[], Image] | None = take
        self._clock = clock
        self._count = 0
        self._facts: CameraFacts | None = None

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """A new picture of the table as it is now."""
        if self._take is None:
            raise CameraError("the simulated camera was closed; open a new one")
        picture = self._take()
        if picture.ndim != 2 or picture.dtype != np.uint8:
            raise CameraError("the simulated camera was given a picture that is not 8-bit grey")
        self._count += 1
        self._facts = CameraFacts("simulated", picture.shape[1], picture.shape[0])
        return Frame(picture, self._count, self._clock(), "simulated table")

    def facts(self) -> CameraFacts | None:
        """The size of the last picture."""
        return self._facts

    def close(self) -> None:
        """Let go of the table."""
        self._take = None


class TableFile(msgspec.Struct, frozen=True):
    """A simulated table that another process can look at: what lies there, and from where it is seen."""

    mat: Mat
    scene: Scene = Scene(())
    view: View = View()
    seed: int = 0

    def write(self, path: Path) -> None:
        """Lay this on the table of a camera called "simulated:PATH"; it looks at its next picture."""
        write_safely(path, msgspec.json.encode(self))


class _TableFileCamera(SimulatedCamera):
    """Looks at the table described in a file, again whenever the file has been replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = (0, 0)
        self._lies = self._read()
        self._table = SimulatedTable(self._lies.mat, self._lies.view, self._lies.seed)
        self._table.lay(self._lies.scene)
        super().__init__(self._look)

    def _read(self) -> TableFile:
        try:
            there = self._path.stat()
            table = msgspec.json.decode(self._path.read_bytes(), type=TableFile)
        except OSError as error:
            raise CameraError(
                f"the simulated table {self._path} cannot be read: {error.strerror or error}"
            ) from error
        except msgspec.MsgspecError as error:
            raise CameraError(f"{self._path} is no simulated table: {error}") from error
        self._stamp = (there.st_ino, there.st_mtime_ns)
        return table

    def _look(self) -> Image:
        there = self._path.stat() if self._path.exists() else None
        if there is not None and (there.st_ino, there.st_mtime_ns) != self._stamp:
            before, self._lies = self._lies, self._read()
            if (before.mat, before.seed) != (self._lies.mat, self._lies.seed):
                self._table = SimulatedTable(self._lies.mat, self._lies.view, self._lies.seed)
            elif before.view != self._lies.view:
                self._table.view_from(self._lies.view)
            self._table.lay(self._lies.scene)
        return self._table.picture()


def _open_simulated(what: str) -> Camera:
    return _TableFileCamera(Path(what))


register("simulated", _open_simulated)
