"""Pictures from files: one image, or a folder of them in the order of their names."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.base import Camera, CameraError, CameraFacts, EndOfFrames, Frame, register
from vision.optics import Image

_PNG = b"\x89PNG\r\n\x1a\n"
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})


def load_picture(path: Path, *, colour: bool = False) -> Image:
    """An image file as grey rows (uint8), turned the way its camera was held.

    With `colour` it is rows x columns x 3, blue first. Raises CameraError when the file is missing, cannot
    be read or is no image.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CameraError(f"the picture {path} cannot be read: {error.strerror or error}") from error
    data = np.frombuffer(content, np.uint8)
    kind = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
    # OpenCV would write its own inner troubles to stderr; the sentence below is for a person.
    loud = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        picture: object = cv2.imdecode(data, kind) if content and not _cut_off(content) else None
    except cv2.error as error:
        raise CameraError(f"the picture {path} cannot be decoded: {error}") from error
    finally:
        cv2.utils.logging.setLogLevel(loud)
    if picture is None:
        raise CameraError(
            f"{path} is not a picture that can be read; it has to be JPEG, PNG, WebP, BMP, TIFF or PGM"
        )
    return np.asarray(picture, np.uint8)


def as_png(picture: Image) -> bytes:
    """A PNG file of a picture, grey (H x W) or blue, green, red (H x W x 3), both uint8.

    Raises ValueError for one that has no pixels.
    """
    if not picture.size:
        raise ValueError(f"a picture of {picture.shape} cannot be made into a PNG file")
    return cv2.imencode(".png", picture)[1].tobytes()


def _cut_off(content: bytes) -> bool:
    """Whether a part of a PNG file ends behind the file: OpenCV takes memory for all that a part claims to
    have, up to 2 GB, before it looks."""
    if not content.startswith(_PNG):
        return False
    at, kind = len(_PNG), b""
    while at < len(content) and kind != b"IEND":
        kind = content[at + 4 : at + 8]
        at += 12 + int.from_bytes(content[at : at + 4])
    return at > len(content)


class ImageCamera(Camera):
    """The same image again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._picture = load_picture(path)
        self._count = 0

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The image, at once."""
        self._count += 1
        return Frame(self._picture, self._count, time.monotonic(), str(self._path))

    def facts(self) -> CameraFacts | None:
        """The size of the image."""
        return CameraFacts("image", self._picture.shape[1], self._picture.shape[0])

    def colour(self, timeout_s: float = 2.0) -> Image:
        """The image in colour (rows x columns x 3, blue first)."""
        return load_picture(self._path, colour=True)


class FolderCamera(Camera):
    """Every image of a folder once, or over and over with `loop`.

    The folder is looked at when the camera is opened. Raises CameraError when it holds no image.
    """

    def __init__(self, folder: Path, *, loop: bool = False) -> None:
        if not folder.is_dir():
            raise CameraError(f"there is no folder {folder} with pictures")
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        if not self._paths:
            raise CameraError(f"the folder {folder} holds no picture (JPEG, PNG, WebP, BMP, TIFF or PGM)")
        self._folder = folder
        self._loop = loop
        self._count = 0
        self._facts: CameraFacts | None = None

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The next image, at once. Raises EndOfFrames after the last one."""
        path = self._next()
        picture = load_picture(path)
        self._facts = CameraFacts("folder", picture.shape[1], picture.shape[0])
        return Frame(picture, self._count, time.monotonic(), str(path))

    def facts(self) -> CameraFacts | None:
        """The size of the last image."""
        return self._facts

    def colour(self, timeout_s: float = 2.0) -> Image:
        """The next image in colour (rows x columns x 3, blue first)."""
        return load_picture(self._next(), colour=True)

    def skip(self, count: int) -> None:
        """Go on behind the first `count` images."""
        self._count = max(self._count, count)

    def _next(self) -> Path:
        if self._count >= len(self._paths) and not self._loop:
            raise EndOfFrames(f"all {len(self._paths)} pictures of {self._folder} have been shown")
        path = self._paths[self._count % len(self._paths)]
        self._count += 1
        return path


def _open_image(what: str) -> Camera:
    return ImageCamera(Path(what))


def _open_folder(what: str) -> Camera:
    return FolderCamera(Path(what))


register("image", _open_image)
register("folder", _open_folder)
