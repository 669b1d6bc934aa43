"""A camera with faults on demand: what goes wrong at a real table, whenever it is asked for.

It wraps another camera and is opened by name, "faulty:FAULTS:CAMERA", e.g.
"faulty:blur=4@1-15,hang@500:folder:pictures". A fault is NAME[=VALUE][@PICTURES]; pictures are counted
from 1 since opening and written "7", "3-9" or "5-"; without them a fault is there all the time.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from vision.cameras.base import (
    Camera,
    CameraBusy,
    CameraError,
    CameraFacts,
    CameraForbidden,
    CameraGone,
    CameraNoMemory,
    CameraTimeout,
    Frame,
    open_camera,
    register,
)
from vision.optics import Image

FAULTS = {
    "drop": ("", "the picture is lost and the next one comes late"),
    "freeze": ("", "the same picture comes again and again"),
    "blur": ("4", "the picture is blurred, standard deviation in pixels"),
    "dark": ("0.05", "so much is left of the light"),
    "move": ("20x10", "the camera was bumped: the picture is shifted by pixels to the right x down"),
    "crop": ("0.1", "another sensor mode: so much of the view is cut off"),
    "swap": ("", "red and blue change places"),
    "pad": ("64", "rows lie so many bytes further apart than the picture is wide"),
    "late": ("0.2", "the picture comes so many seconds late"),
    "hang": ("", "the camera never answers again"),
    "vanish": ("", "the camera is unplugged"),
    "crash": ("", "the driver takes the process down"),
    "busy": ("3", "so many times opening is refused, because another program has the camera"),
    "forbidden": ("", "this user may not open the camera"),
    "nomemory": ("3", "so many times opening fails for lack of memory"),
}
"""Name: the value that is meant when none is given, and what it does."""
_AT_OPENING = frozenset({"busy", "forbidden", "nomemory"})
_REFUSED: dict[str, int] = {}
"""How often opening a camera of that name was refused in this process."""


class Fault(msgspec.Struct, frozen=True):
    """One fault: its name in `FAULTS`, its value, and the pictures (first and last) it is there for."""

    name: str
    value: str = ""
    first: int = 1
    last: int | None = None

    @classmethod
    def of(cls, text: str) -> Fault:
        """The fault written as NAME[=VALUE][@PICTURES]. Raises CameraError that says what is wrong."""
        what, _, pictures = text.partition("@")
        name, _, value = what.partition("=")
        if name not in FAULTS:
            raise CameraError(f"there is no fault {name!r}; there are: {', '.join(FAULTS)}")
        first, dash, last = pictures.partition("-")
        try:
            begin = int(first) if first else 1
            end = int(last) if last else (begin if first and not dash else None)
            fault = cls(name, value or FAULTS[name][0], begin, end)
            fault.numbers()
        except ValueError as error:
            raise CameraError(f"the fault {text!r} is not written as NAME=VALUE@FIRST-LAST") from error
        return fault

    def numbers(self) -> tuple[float, ...]:
        """Its value as numbers. Raises ValueError when it is none."""
        return tuple(float(part) for part in self.value.split("x")) if self.value else ()

    def at(self, picture: int) -> bool:
        """Whether it is there for the picture with that number."""
        return self.first <= picture and (self.last is None or picture <= self.last)


class FaultyCamera(Camera):
    """Another camera with faults. They may be changed while it runs, with `tell`."""

    def __init__(self, camera: Camera, faults: Sequence[Fault] = ()) -> None:
        self.camera = camera
        self.faults = tuple(faults)
        # With a camera that freezes on demand equal pictures are a fault, whatever it looks at.
        self.live = camera.live or any(fault.name == "freeze" for fault in faults)
        self._count = 0
        self._frozen: Frame | None = None
        self._now: dict[str, Fault] = {}

    def tell(self, *faults: str) -> None:
        """Have these faults (written as in the name) from the next picture on, and no others."""
        self.faults = tuple(Fault.of(text) for text in faults)

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The next picture, with whatever goes wrong with it. Raises what a real camera would."""
        self._step(timeout_s)
        if "freeze" in self._now and self._frozen is not None:
            frame = self._frozen
        else:
            frame = self._frozen = self.camera.frame(timeout_s)
        low = None if frame.low is None else self._spoilt(frame.low)
        return Frame(self._spoilt(frame.y), self._count, time.monotonic(), frame.source, low)

    def facts(self) -> CameraFacts | None:
        """The facts of the camera, with what a fault changes about them."""
        facts = self.camera.facts()
        crop = self._now.get("crop")
        if facts is None or crop is None:
            return facts
        left, top, width, height = _inner(facts.width, facts.height, crop.numbers()[0])
        sensor = facts.sensor or (facts.width, facts.height)
        return msgspec.structs.replace(
            facts, width=width, height=height, sensor=sensor, crop=(left, top, width, height)
        )

    def colour(self, timeout_s: float = 2.0) -> Image:
        """The next picture in colour, with red and blue in each other's place if they are swapped."""
        self._step(timeout_s)
        picture = self.camera.colour(timeout_s)
        return np.ascontiguousarray(picture[..., ::-1]) if "swap" in self._now else picture

    def skip(self, count: int) -> None:
        """Go on behind the first `count` pictures; faults are counted from opening all the same."""
        self.camera.skip(count)

    def close(self) -> None:
        """Give the camera back."""
        self.camera.close()

    def _step(self, timeout_s: float) -> None:
        """Count a picture and raise, wait or die as told."""
        self._count += 1
        now = self._now = {fault.name: fault for fault in self.faults if fault.at(self._count)}
        if "crash" in now:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "vanish" in now:
            raise CameraGone("the camera is gone; push its cable in at both ends")
        while "hang" in now:
            time.sleep(3600)
        if "drop" in now:
            self.camera.frame(timeout_s)
            raise CameraTimeout(f"the camera gave no picture within {timeout_s:g} s")
        if "late" in now:
            time.sleep(now["late"].numbers()[0])

    def _spoilt(self, picture: Image) -> Image:
        now = self._now
        if "move" in now:
            right, down = now["move"].numbers()
            shift = np.array([[1, 0, right], [0, 1, down]], np.float32)
            size = (picture.shape[1], picture.shape[0])
            picture = np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE))
        if "crop" in now:
            rows, columns = picture.shape
            left, top, width, height = _inner(columns, rows, now["crop"].numbers()[0])
            picture = picture[top : top + height, left : left + width]
        if "blur" in now:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), now["blur"].numbers()[0]), np.uint8)
        if "dark" in now:
            picture = np.asarray(picture * np.float32(now["dark"].numbers()[0]), np.uint8)
        if "pad" in now:
            rows, columns = picture.shape
            buffer = np.full((rows, columns + int(now["pad"].numbers()[0])), 255, np.uint8)
            buffer[:, :columns] = picture
            picture = buffer[:, :columns]
        return picture


def _inner(width: int, height: int, share: float) -> tuple[int, int, int, int]:
    """What is left of a picture when `share` of its width and height is cut off: x, y, width, height."""
    inner_width, inner_height = round(width * (1 - share)), round(height * (1 - share))
    return (width - inner_width) // 2, (height - inner_height) // 2, inner_width, inner_height


def _refuse(name: str, faults: Sequence[Fault]) -> None:
    """Raise what opening a camera with these faults meets."""
    for fault in faults:
        if fault.name not in _AT_OPENING:
            continue
        if fault.name == "forbidden":
            raise CameraForbidden(
                "the camera /dev/video0 may only be opened by members of the group 'video', and this user is "
                "none; add the user with: sudo usermod -aG video NAME"
            )
        refused = _REFUSED.get(name, 0)
        if refused < fault.numbers()[0]:
            _REFUSED[name] = refused + 1
            if fault.name == "busy":
                raise CameraBusy("another program has the camera; end it")
            raise CameraNoMemory("there is no memory for the camera's pictures")


def _open_faulty(what: str) -> Camera:
    told, colon, name = what.partition(":")
    if not colon or not name:
        raise CameraError(
            "a faulty camera is named faulty:FAULTS:CAMERA, e.g. faulty:dark@5-:folder:pictures"
        )
    faults = [Fault.of(text) for text in told.split(",") if text]
    _refuse(what, faults)
    return FaultyCamera(open_camera(name), faults)


register("faulty", _open_faulty)
