"""The camera as the kiosk has it: a process that reads, a watcher that steadies, a check of the table.

What is seen goes to whoever listens as `Saw` and `CameraStatus`; nothing here waits for a camera. Pictures
are kept in memory only.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from assistant.layout import Mat
from assistant.messages import CameraState, CameraStatus, Saw
from assistant.observation import Observation
from vision import calibration as calibrations
from vision.geometry import MatGeometry
from vision.kept import Found
from vision.readiness import Check, Light
from vision.watcher import Watcher
from vision.worker import BadPicture, CameraWorker
from vision.worker_link import Order

if TYPE_CHECKING:
    from vision.census import Census
    from vision.decoders import Code

_log = logging.getLogger(__name__)

PREVIEW_WIDTH = 496
"""Pixels of the preview at most; more would be scaled down again by the screen."""

Hear = Callable[[Saw | CameraStatus], None]


class Readiness(msgspec.Struct, frozen=True):
    """What the last check of the table found. `marks` are boxes in shares of the preview: x, y, w, h, name of
    the check. `running` while a new check is made; `at` monotonic seconds of the check."""

    checks: tuple[Check, ...] = ()
    marks: tuple[tuple[float, float, float, float, str], ...] = ()
    at: float = 0.0
    running: bool = False
    fault: str = ""

    @property
    def light(self) -> Light:
        """The worst of all checks; red without any."""
        lights = {check.light for check in self.checks}
        if not lights:
            return Light.RED
        return next((light for light in (Light.RED, Light.AMBER) if light in lights), Light.GREEN)

    @property
    def first(self) -> Check | None:
        """What to mend first; None when all is green."""
        return next((c for c in self.checks if c.light is self.light and c.light is not Light.GREEN), None)

    def named(self, name: str) -> Check | None:
        """The check of that name, None when it could not be made."""
        return next((check for check in self.checks if check.name == name), None)


class Eyes:
    """One camera over one mat. `hear` is called from the camera's thread and must only enqueue.

    `board` is somebody's own board that stands for the mat, None where the printed one lies there.
    """

    def __init__(
        self,
        camera: str,
        mat: Mat,
        hear: Hear,
        calibration: Path | None = None,
        board: MatGeometry | None = None,
    ) -> None:
        self.mat = mat
        self.status: CameraStatus | None = None
        self.seen: Observation | None = None
        """The newest stable observation."""
        self.readiness: Readiness | None = None
        self._hear = hear
        self._geometry = MatGeometry.from_mat(mat) if board is None else board
        self._roster = tuple(piece.payload for piece in mat.pieces)
        loaded = calibrations.load(calibration) if calibration is not None else Found(None)
        self.notices = loaded.notices
        self._watcher = Watcher(self._geometry)
        order = Order(camera, self._geometry, self._roster)
        self._worker = CameraWorker(order, self._heard, watch=self._watcher.see, calibration=loaded.content)
        self._checking: threading.Thread | None = None
        self._counted: list[list[Code]] = []
        self._worker.start()

    def _heard(self, message: Saw | CameraStatus) -> None:
        if isinstance(message, Saw):
            self.seen = message.observation
        else:
            self.status = message
        self._hear(message)

    @property
    def running(self) -> bool:
        """Whether pictures come."""
        return self.status is not None and self.status.state in (
            CameraState.RUNNING,
            CameraState.SKIPPED,
            CameraState.ENDED,
        )

    @property
    def alive(self) -> bool:
        """Whether the camera is looked after, be it running or not."""
        return self._worker.alive

    @property
    def pictures(self) -> tuple[int, float | None]:
        """How many pictures were read since the beginning, and when the last one was (monotonic seconds)."""
        return self._worker.read_count, self._worker.read_at

    @property
    def bad(self) -> BadPicture | None:
        """The last picture that could not be read, where the mat's part of it was kept."""
        bad = self._worker.bad
        return bad if bad is not None and bad.picture is not None else None

    def retry(self) -> None:
        """Try the camera again at once."""
        self._worker.retry()

    def frame(self) -> tuple[bytes, tuple[int, int]] | None:
        """The newest picture, cut to the mat and made small, as RGB bytes and its size (pixels)."""
        import cv2
        import numpy as np

        found, area = self._worker.picture(), self._worker.area
        if found is None or area is None:
            return None
        x, y, width, height = area
        part = found[0][y : y + height, x : x + width]
        if not part.size:
            return None
        scale = min(1.0, PREVIEW_WIDTH / part.shape[1])
        size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
        small = cv2.resize(np.ascontiguousarray(part), size, interpolation=cv2.INTER_AREA)
        return cv2.cvtColor(small, cv2.COLOR_GRAY2RGB).tobytes(), size

    def check(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Check the newest picture in a thread of its own; `readiness` has the result."""
        if self._checking is not None and self._checking.is_alive():
            return
        before = self.readiness or Readiness()
        self.readiness = msgspec.structs.replace(before, running=True)
        self._checking = threading.Thread(target=self._check, args=(clock,), name="check", daemon=True)
        self._checking.start()

    def _check(self, clock: Callable[[], float]) -> None:
        from vision.readiness import Inspector

        found = self._worker.picture()
        if found is None or not found[0].size:
            # The first pictures may be empty, as long as nobody knows where the mat lies.
            status = None if self.running else self.status
            said = status.text if status is not None else "The camera gave no picture yet."
            self.readiness = Readiness(at=clock(), fault=said)
            return
        try:
            # What the other process read is taken over: a decoder that crashes must not take the game along.
            checks = (
                Inspector(self._geometry, self._roster).check(found[0], self.seen or Observation(())).checks
            )
            self.readiness = Readiness(checks, self._marks(checks), clock())
        except Exception as error:
            _log.exception("the table could not be checked")
            self.readiness = Readiness(at=clock(), fault=f"{type(error).__name__}: {error}")

    def _marks(self, checks: tuple[Check, ...]) -> tuple[tuple[float, float, float, float, str], ...]:
        """Where on the mat something is to be mended, where a check says so. The mat fills the preview."""
        out = []
        for check in checks:
            if check.light is Light.GREEN or not {"x_mm", "y_mm"} <= check.values.keys():
                continue
            x = float(check.values["x_mm"]) / self._geometry.width_mm
            y = float(check.values["y_mm"]) / self._geometry.height_mm
            out.append((max(0.0, x - 0.1), max(0.0, y - 0.1), 0.2, 0.2, check.name))
        return tuple(out)

    def census(self) -> Census | None:
        """Which pieces of the box are there, by all pictures since the first call. None without a picture.

        Takes seconds; not for the screen's thread.
        """
        from vision.census import census_of, read_and_unread

        found = self._worker.picture()
        if found is None:
            return None
        self._counted.append(read_and_unread(found[0])[0])
        return census_of(self.mat, self._counted)

    def close(self) -> None:
        """End the camera's process and forget all pictures."""
        self._worker.close()


def off(text: str, at: float) -> CameraStatus:
    """The status of a table without a camera."""
    return CameraStatus(CameraState.OFF, text, at)
