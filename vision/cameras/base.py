"""The one interface of all cameras, and the registry that opens them by name.

A camera gives grey pictures and nothing else. Whatever a simulated one knows of the truth stays behind
this door.
"""

from __future__ import annotations

import importlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from vision.optics import Image


class CameraError(Exception):
    """A camera cannot give a picture; the text is for a person: what is wrong, where, what to do."""


class CameraTimeout(CameraError):
    """No picture came in time. Asking again may help."""


class EndOfFrames(CameraError):
    """There are no more pictures: a recording is over."""


class CameraBusy(CameraError):
    """Another program has the camera. Opening it again a little later may help."""


class CameraForbidden(CameraError):
    """This user may not open the camera. Trying again does not help; the text names group and device."""


class CameraGone(CameraError):
    """The camera stopped working while it was open. It has to be opened anew, by a new process."""


class CameraNoMemory(CameraError):
    """There is no memory for the camera's pictures. A new process may get some."""


class CameraFacts(msgspec.Struct, frozen=True):
    """What decides where a point of the mat appears in a camera's pictures, where it is known.

    `width` and `height` are the picture's (pixels). `sensor` is the sensor mode's size (pixels), `crop`
    the part of the sensor that is used (x, y, width, height in pixels of the whole sensor), `lens` the
    lens position in dioptres (1 / distance in metres).
    """

    model: str
    width: int
    height: int
    sensor: tuple[int, int] | None = None
    crop: tuple[int, int, int, int] | None = None
    lens: float | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: `y` is its brightness (rows x columns uint8).

    `generation` counts a camera's pictures from 1 and never repeats; `at` is the monotonic clock in
    seconds when it was taken; `source` names where it comes from. `low` is the same view small, where the
    camera makes one. Rows may lie apart in memory: go by the shape, never by the buffer.
    """

    y: Image
    generation: int
    at: float
    source: str
    low: Image | None = None


class Camera(ABC):
    """Something that takes pictures. Used from one thread at a time; close it when done."""

    live: bool = False
    """Whether its pictures are never quite the same twice, so that equal ones mean it is stuck."""

    @abstractmethod
    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The next picture, waiting for it at most so long.

        Raises CameraTimeout when none came, EndOfFrames when none will, CameraGone when the camera has to
        be opened anew, CameraError when it cannot.
        """

    def facts(self) -> CameraFacts | None:
        """What decides the geometry of the pictures; None before the first one."""
        return None

    def colour(self, timeout_s: float = 2.0) -> Image:
        """The next picture in colour (rows x columns x 3, blue, green, red), for set-up only.

        Raises CameraError when this camera has no colours, else as `frame`.
        """
        raise CameraError("this camera gives no colours")

    def skip(self, count: int) -> None:
        """Go on behind the first `count` pictures; a live camera has nothing to skip."""
        return

    def close(self) -> None:
        """Give the camera back. Closing twice is allowed."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_FACTORIES: dict[str, Callable[[str], Camera]] = {}
_MODULES = {
    "faulty": "vision.cameras.faulty",
    "folder": "vision.cameras.files",
    "image": "vision.cameras.files",
    "picamera": "vision.cameras.picamera",
    "simulated": "vision.cameras.simulated",
    "video": "vision.cameras.video",
}
"""Kinds that a module registers when it is imported; others are registered by whoever brings them."""
_VIDEOS = frozenset({".avi", ".m4v", ".mkv", ".mov", ".mp4", ".webm"})


def register(kind: str, factory: Callable[[str], Camera]) -> None:
    """Make a kind of camera known: `factory` gets what follows the colon in `open_camera`.

    Raises ValueError when another factory has that name.
    """
    if _FACTORIES.get(kind, factory) is not factory:
        raise ValueError(f"there already is a kind of camera called {kind!r}")
    _FACTORIES[kind] = factory


def kinds() -> tuple[str, ...]:
    """The names of all kinds of camera there are."""
    return tuple(sorted({*_FACTORIES, *_MODULES}))


def open_camera(name: str) -> Camera:
    """Open a camera named "kind:what", e.g. "folder:pictures"; a plain path is an image, film or folder.

    Raises CameraError when there is no such kind or it cannot be opened, CameraBusy and CameraForbidden
    for these reasons.
    """
    kind, colon, what = name.partition(":")
    if not colon and kind == "picamera":
        return open_camera("picamera:")
    if not colon or (kind not in kinds() and Path(name).exists()):
        kind, what = _kind_of(Path(name)), name
    if kind not in _FACTORIES and kind in _MODULES:
        importlib.import_module(_MODULES[kind])
    if kind not in _FACTORIES:
        raise CameraError(f"there is no kind of camera {kind!r}; there are: {', '.join(kinds())}")
    return _FACTORIES[kind](what)


def _kind_of(path: Path) -> str:
    if path.is_dir():
        return "folder"
    return "video" if path.suffix.lower() in _VIDEOS else "image"


def open_patiently(
    name: str,
    *,
    patience_s: float = 20.0,
    first_pause_s: float = 0.25,
    told: Callable[[CameraBusy], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Camera:
    """Open a camera, waiting for another program to let go of it.

    Between two tries it pauses `first_pause_s`, then twice as long each time up to 4 s; `told` hears of
    each refusal. Raises what `open_camera` raises: CameraBusy after `patience_s` seconds of pauses, all
    others (also CameraForbidden) at once.
    """
    waited, pause = 0.0, first_pause_s
    while True:
        try:
            return open_camera(name)
        except CameraBusy as busy:
            if waited + pause > patience_s:
                raise
            if told is not None:
                told(busy)
        sleep(pause)
        waited += pause
        pause = min(pause * 2, 4.0)
