"""Pictures from a film that was recorded earlier."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.base import Camera, CameraError, CameraFacts, EndOfFrames, Frame, register
from vision.optics import Image


class VideoCamera(Camera):
    """Every picture of a film once, as fast as they are asked for, or over and over with `loop`.

    Raises CameraError when the file is missing or is no film.
    """

    def __init__(self, path: Path, *, loop: bool = False) -> None:
        if not path.is_file():
            raise CameraError(f"there is no film {path}")
        self._path = path
        self._loop = loop
        self._count = 0
        self._facts: CameraFacts | None = None
        # OpenCV would write its own inner troubles to stderr; the sentence below is for a person.
        loud = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        try:
            self._film: cv2.VideoCapture | None = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        finally:
            cv2.utils.logging.setLogLevel(loud)
        if not self._film.isOpened():
            raise CameraError(f"{path} is not a film that can be read; MP4, MKV, AVI and WebM can")

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The next picture of the film, at once. Raises EndOfFrames after the last one."""
        picture = np.asarray(cv2.cvtColor(self.colour(timeout_s), cv2.COLOR_BGR2GRAY), np.uint8)
        return Frame(picture, self._count, time.monotonic(), f"{self._path}#{self._count}")

    def facts(self) -> CameraFacts | None:
        """The size of the film's pictures."""
        return self._facts

    def colour(self, timeout_s: float = 2.0) -> Image:
        """The next picture in colour (rows x columns x 3, blue first)."""
        if self._film is None:
            raise CameraError(f"the film {self._path} was closed; open it again")
        there, picture = self._film.read()
        if not there and self._loop and self._count:
            self._film.set(cv2.CAP_PROP_POS_FRAMES, 0)
            there, picture = self._film.read()
        if not there:
            raise EndOfFrames(f"the film {self._path} is over after {self._count} pictures")
        self._count += 1
        self._facts = CameraFacts("video", picture.shape[1], picture.shape[0])
        return np.asarray(picture, np.uint8)

    def skip(self, count: int) -> None:
        """Go on behind the first `count` pictures."""
        if self._film is not None:
            while self._count < count and self._film.grab():
                self._count += 1

    def close(self) -> None:
        """Let go of the file."""
        if self._film is not None:
            self._film.release()
        self._film = None


def _open_video(what: str) -> Camera:
    return VideoCamera(Path(what))


register("video", _open_video)
