"""The camera process: opens the camera, takes pictures, reads them, tells its parent. Nothing else.

It is started as `python -m vision.worker_child LINK ORDER MEMORY ROOM PARENT` by `vision.worker`, and may
crash, hang or be killed at any moment: nothing that matters is kept here.
"""

from __future__ import annotations

import ctypes
import faulthandler
import importlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Protocol

import numpy as np

from assistant.observation import Observation
from vision.cameras import (
    Camera,
    CameraBusy,
    CameraError,
    CameraFacts,
    CameraForbidden,
    CameraGone,
    CameraNoMemory,
    CameraTimeout,
    EndOfFrames,
    Frame,
    open_patiently,
)
from vision.geometry import MatGeometry
from vision.optics import Image
from vision.worker_link import (
    Alive,
    Area,
    Ended,
    Failed,
    Opened,
    Order,
    Read,
    SharedPictures,
    Taken,
    Unread,
    Waits,
    Word,
    packed,
    take_order,
)

LATE_IN_A_ROW = 3
"""After so many pictures that did not come, the camera is opened anew."""
UNREAD_IN_A_ROW = 5
"""After so many pictures that could not be read, the process is."""
ALIKE_IN_A_ROW = 10
"""A live camera's pictures are never the same; after so many that are, it is stuck."""
AREA_EVERY_S = 5.0
"""How often it is looked for where the mat lies in the picture."""
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4


class Eyes(Protocol):
    """What reads pictures in the camera process. May remember earlier pictures."""

    def look(self, frame: Frame) -> Observation:
        """What a picture shows."""

    def area(self, frame: Frame) -> Area | None:
        """Where the mat lies in that picture (pixels), None when it cannot be found."""


class WholePictures:
    """Reads every picture as if it were the only one."""

    def __init__(self, mat: MatGeometry, roster: tuple[str, ...] | None) -> None:
        from vision.reader import Reader

        self._reader = Reader(mat, roster)

    def look(self, frame: Frame) -> Observation:
        """What a picture shows."""
        return self._reader.read(frame.y, frame.at)

    def area(self, frame: Frame) -> Area | None:
        """Where the mat lies in that picture (pixels), None when it cannot be found."""
        from vision.mat import locate

        mat = self._reader.mat
        pose = locate(frame.y, mat)
        if pose is None:
            return None
        across, down = mat.width_mm, mat.height_mm
        corners = pose.to_px(np.array([[0.0, 0.0], [across, 0.0], [0.0, down], [across, down]]))
        rows, columns = frame.y.shape
        x0, y0 = np.floor(corners.min(axis=0)).clip(0, [columns, rows]).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0)).clip(0, [columns, rows]).astype(int)
        return int(x0), int(y0), int(x1 - x0), int(y1 - y0)


class _Stuck:
    """Notices a live camera that gives the same picture again and again."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._alike = 0

    def look(self, picture: Image) -> None:
        """Raises CameraGone when this is one equal picture too many."""
        grid = picture[::16, ::16].copy()
        self._alike = self._alike + 1 if self._last is not None and np.array_equal(self._last, grid) else 0
        self._last = grid
        if self._alike >= ALIKE_IN_A_ROW:
            raise CameraGone(f"the camera gave the same picture {self._alike + 1} times; it is stuck")


class _Work:
    """One camera from opening to the end."""

    def __init__(self, order: Order, say: Callable[[Word], None], pictures: SharedPictures) -> None:
        self.order = order
        self.say = say
        self.pictures = pictures
        self.skip = order.skip
        self.late = self.unread = 0
        self.facts: CameraFacts | None = None
        self.next_area = 0.0

    def run(self) -> None:
        """Work until the camera ends. Raises CameraError; other errors are the eyes' or our own."""
        order = self.order
        self.say(Alive())
        for module in order.modules:
            importlib.import_module(module)
        eyes = _eyes(order)
        camera = open_patiently(
            order.camera, patience_s=order.patience_s, told=lambda busy: self.say(Waits("busy", str(busy)))
        )
        camera.skip(order.skip)
        self.say(Opened())
        stuck = _Stuck() if camera.live else None
        generation = order.generation
        while True:
            try:
                frame = camera.frame(order.frame_s)
            except CameraTimeout as late:
                self._is_late(late)
                continue
            except EndOfFrames as end:
                self.say(Ended(str(end)))
                return
            if stuck is not None:
                stuck.look(frame.y)
            self._read(camera, frame, generation, eyes)
            generation += 1
            if order.pause_s:
                time.sleep(order.pause_s)

    def _is_late(self, late: CameraTimeout) -> None:
        self.late += 1
        if self.late >= LATE_IN_A_ROW:
            raise CameraGone(str(late)) from late
        self.say(Waits("late", str(late)))

    def _read(self, camera: Camera, frame: Frame, generation: int, eyes: Eyes) -> None:
        self.late = 0
        self.skip += 1
        try:
            shared = self.pictures.put(frame, generation)
        except ValueError as error:
            raise CameraError(f"{error}; choose a smaller size for the camera") from error
        facts = camera.facts()
        self.say(Taken(generation, self.skip, facts if facts != self.facts else None))
        self.facts = facts
        try:
            observation = eyes.look(shared)
            area = None
            if time.monotonic() >= self.next_area:
                area = eyes.area(shared)
                # A mat that could not be found yet is looked for again soon.
                self.next_area = time.monotonic() + (AREA_EVERY_S if area else AREA_EVERY_S / 5)
        except Exception as error:
            self.unread += 1
            if self.unread >= UNREAD_IN_A_ROW:
                raise
            # The next pictures come before the parent has looked at this one.
            self.pictures.keep(shared)
            self.say(Unread(generation, f"{type(error).__name__}: {error}"))
            return
        self.unread = 0
        self.say(Read(generation, observation, area))


def _eyes(order: Order) -> Eyes:
    module, _, name = order.eyes.partition(":")
    made: Eyes = getattr(importlib.import_module(module), name)(order.mat, order.roster)
    return made


def _speaker(link: socket.socket) -> Callable[[Word], None]:
    """Sends messages. When the parent is gone the process ends at once."""

    def say(message: Word) -> None:
        try:
            link.sendall(packed(message))
            # The parent never writes; the only thing to be read here is its end.
            if not link.recv(1, socket.MSG_DONTWAIT):
                os._exit(0)
        except BlockingIOError:
            return
        except OSError:
            os._exit(0)

    return say


def _settle_in(parent: int) -> None:
    """Die with the parent, leave no picture in a core file, leave Ctrl-C to the parent."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()


def main(arguments: list[str]) -> None:
    """Work as told by a parent: its link, the order and the memory as descriptors, the room, its number."""
    link, order, memory, room, parent = (int(argument) for argument in arguments)
    for descriptor in (link, order, memory):
        os.set_inheritable(descriptor, False)
    _settle_in(parent)
    say = _speaker(socket.socket(fileno=link))
    status = 1
    try:
        _Work(take_order(order), say, SharedPictures(memory, room)).run()
        status = 0
    except CameraForbidden as error:
        say(Failed("forbidden", str(error)))
    except CameraBusy as error:
        say(Failed("busy", str(error)))
    except CameraNoMemory as error:
        say(Failed("memory", str(error)))
    except CameraGone as error:
        say(Failed("gone", str(error)))
    except CameraError as error:
        say(Failed("camera", str(error)))
    except BaseException as error:
        say(Failed("eyes", f"{type(error).__name__}: {error}"))
        sys.excepthook(type(error), error, error.__traceback__)
    sys.stderr.flush()
    # Not the ordinary end: a camera library's own exit handlers may wait for a thread that has died.
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
