"""The two decoders behind one shape of answer: text, four corners in pixels, who read it.

zxing-cpp reads whole pictures and enlarged crops; zbar only gives a second opinion on crops, because on
twelve megapixels with a hundred tags it reads two of them in twenty times the time. Only QR codes are
asked for: with every symbology on, wood grain is a barcode.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from vision.geometry import FloatArray
from vision.optics import Image

try:
    from pyzbar import pyzbar
except ImportError:  # pragma: no cover - the system library libzbar0 is missing; `doctor` says so
    pyzbar = None

LOG = logging.getLogger(__name__)
SMALLEST_AREA_PX, SMALLEST_SIDE_PX = 9, 3
"""A code covers some of the picture; one that does not is a decoder's dream."""
ZXING_SHIFT_PX = 0.5
"""zxing counts from a pixel's corner, OpenCV from its middle."""


@dataclass(frozen=True, eq=False)
class Code:
    """One code read: corners (4 x 2, pixels) from its top left, clockwise as printed.

    `text` is None when a code was found and could not be read. The bottom right corner is completed
    from the other three, which have finder patterns: as decoders report it, it is three times as noisy.
    """

    text: str | None
    corners_px: FloatArray
    reader: str

    @cached_property
    def centre_px(self) -> FloatArray:
        """The middle of the code in pixels."""
        return np.asarray((self.corners_px[1] + self.corners_px[3]) / 2, np.float64)

    @cached_property
    def side_px(self) -> float:
        """Mean length of the two sides that meet at the top left corner, in pixels."""
        top_left, top_right, _, bottom_left = self.corners_px
        return float((np.hypot(*(top_right - top_left)) + np.hypot(*(bottom_left - top_left))) / 2)


def readable(raw: bytes) -> str:
    """A code's bytes as text. What is not printable ASCII is shown as \\xNN: never guessed into letters."""
    return "".join(chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in raw)


def read_zxing(
    picture: Image, reader: str = "zxing", *, failures: bool = False, thorough: bool = False
) -> list[Code]:
    """QR codes in a grey picture by zxing-cpp; with `failures` also those found but not read.

    `thorough` also looks for light codes on dark ground and in smaller versions of the picture: twice the
    time, for pictures in which anything may be.
    """
    found = zxingcpp.read_barcodes(
        picture,
        formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]),
        try_rotate=thorough,
        try_downscale=thorough,
        try_invert=thorough,
        text_mode=zxingcpp.TextMode.Plain,
        return_errors=failures,
    )
    corners = [
        [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        for at in (code.position for code in found)
    ]
    texts = [readable(code.bytes) if code.valid else None for code in found]
    return _within(texts, np.array(corners, np.float64), picture, reader)


def read_zbar(picture: Image, reader: str = "zbar") -> list[Code]:
    """QR codes in a grey picture by zbar; nothing when its library is not installed."""
    if pyzbar is None:  # pragma: no cover
        return []
    found = [
        code for code in pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE]) if len(code.polygon) == 4
    ]
    corners = [
        _clockwise(np.array([[p.x, p.y] for p in code.polygon]) + ZXING_SHIFT_PX, str(code.orientation))
        for code in found
    ]
    return _within([readable(code.data) for code in found], np.array(corners), picture, reader)


def _clockwise(corners: FloatArray, orientation: str) -> FloatArray:
    """The four corners clockwise from the printed top left; zbar gives a hull and a rough direction."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angles)]
    towards = {"UP": (-1, -1), "RIGHT": (1, -1), "DOWN": (1, 1), "LEFT": (-1, 1)}.get(orientation, (-1, -1))
    first = int(np.argmax((ordered - middle) @ np.array(towards)))
    return np.asarray(np.roll(ordered, -first, axis=0), np.float64)


def _within(texts: Sequence[str | None], corners: FloatArray, picture: Image, reader: str) -> list[Code]:
    """Only codes (corners n x 4 x 2) that lie in the picture and cover some of it; the rest are dreams.

    Corners are checked as reported, before the fourth is completed.
    """
    if not texts:
        return []
    height, width = picture.shape
    x, y = corners[..., 0], corners[..., 1]
    # A corner that is no number is in no picture: every comparison with it is false.
    good = ((x >= 0) & (y >= 0) & (x <= width) & (y <= height)).all(axis=1)
    across, along = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    good &= np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0]) >= 2 * SMALLEST_AREA_PX
    top, left = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    good &= np.hypot(*top.T) + np.hypot(*left.T) >= 2 * SMALLEST_SIDE_PX
    if not good.all():
        LOG.info("%d codes with corners outside the picture or of no size are left out", np.sum(~good))
    corners = corners - ZXING_SHIFT_PX
    corners[:, 2] = corners[:, 1] + corners[:, 3] - corners[:, 0]
    return [Code(texts[int(i)], corners[i], reader) for i in np.flatnonzero(good)]


def read_codes(picture: Image) -> list[Code]:
    """Every QR code in a grey picture of which nothing is known: no mat, no size, any number of codes.

    Which scale suits a decoder differs from code to code, so that all of them are tried and what they
    find is put together; the same text at the same place is one code. Sharpened, and with zbar as second
    opinion, only when nothing was found so far.
    """
    found: list[Code] = []
    for factor, sharpen in ((1.0, 0.0), (0.5, 0.0), (2.0, 0.0), (0.25, 0.0), (2.0, 1.0)):
        if (
            (sharpen and found)
            or min(picture.shape) * factor < FEWEST_ROWS
            or picture.size * factor**2 > MOST_PIXELS
        ):
            continue
        scaled = _scaled(picture, factor, sharpen)
        for code in read_zxing(scaled, thorough=True):
            code = moved(code, np.zeros(2), factor)
            if not any(_one(code, other) for other in found):
                found.append(code)
    for factor in (1.0, 2.0, 0.5):
        if found or min(picture.shape) * factor < FEWEST_ROWS or picture.size * factor**2 > MOST_PIXELS:
            break
        found = [moved(code, np.zeros(2), factor) for code in read_zbar(_scaled(picture, factor))]
    return found


FEWEST_ROWS = 21
"""No code has fewer rows of pixels than a code has modules."""
MOST_PIXELS = 2.5e7
"""Larger than this nothing is scaled: twelve megapixels are not enlarged."""


def _scaled(picture: Image, factor: float, sharpen: float = 0.0) -> Image:
    if factor == 1.0 and not sharpen:
        return picture
    if factor > 1:
        return enlarged(picture, int(factor), sharpen)
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _one(code: Code, other: Code) -> bool:
    """Whether two codes are the same one: the same text where the other lies."""
    apart = float(np.hypot(*(code.centre_px - other.centre_px)))
    return code.text == other.text and apart < 0.5 * max(code.side_px, other.side_px)


def enlarged(crop: Image, factor: int, sharpen: float = 0.0) -> Image:
    """A crop enlarged by a whole factor (cubic); `sharpen` is the share of unsharp masking added."""
    large = cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    if sharpen:
        soft = cv2.GaussianBlur(large, (0, 0), 0.9 * factor)
        large = cv2.addWeighted(large, 1 + sharpen, soft, -sharpen, 0)
    return np.asarray(large, np.uint8)


def moved(code: Code, offset: NDArray[np.floating], factor: float) -> Code:
    """A code read in an enlarged crop, in pixels of the picture it was cut from (offset in pixels)."""
    corners = (code.corners_px + 0.5) / factor - 0.5 + offset
    return Code(code.text, np.asarray(corners, np.float64), code.reader)
