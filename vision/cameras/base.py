"""The one interface of all cameras, and the registry that opens them by name.

A camera gives grey pictures and nothing else. Whatever a simulated one knows of the truth stays behind
this door.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from vision.optics import Image


class CameraError(Exception):
    """A camera cannot give a picture; the text is for a person: what is wrong, where, what to do."""


class CameraTimeout(CameraError):
    """No picture came in time. Asking again may help."""


class EndOfFrames(CameraError):
    """There are no more pictures: a recording is over."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: `y` is its brightness (rows x columns uint8).

    `generation` counts a camera's pictures from 1 and never repeats; `at` is the monotonic clock in
    seconds when it was taken; `source` names where it comes from.
    """

    y: Image
    generation: int
    at: float
    source: str


class Camera(ABC):
    """Something that takes pictures. Used from one thread at a time; close it when done."""

    @abstractmethod
    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The next picture, waiting for it at most so long.

        Raises CameraTimeout when none came, EndOfFrames when none will, CameraError when it cannot.
        """

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
_MODULES = {"image": "vision.cameras.files", "folder": "vision.cameras.files"}
"""Kinds that a module registers when it is imported; others are registered by whoever brings them."""


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
    """Open a camera named "kind:what", e.g. "folder:pictures"; a plain path is an image or a folder.

    Raises CameraError when there is no such kind or it cannot be opened.
    """
    kind, colon, what = name.partition(":")
    if not colon or (kind not in kinds() and Path(name).exists()):
        kind, what = ("folder" if Path(name).is_dir() else "image"), name
    if kind not in _FACTORIES and kind in _MODULES:
        importlib.import_module(_MODULES[kind])
    if kind not in _FACTORIES:
        raise CameraError(f"there is no kind of camera {kind!r}; there are: {', '.join(kinds())}")
    return _FACTORIES[kind](what)
