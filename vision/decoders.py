"""The two decoders behind one shape of answer: text, four corners in pixels, who read it.

zxing-cpp reads whole pictures and enlarged crops; zbar only gives a second opinion on crops, because on
twelve megapixels with a hundred tags it reads two of them in twenty times the time. Only QR codes are
asked for: with every symbology on, wood grain is a barcode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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


def read_zxing(picture: Image, reader: str = "zxing", *, failures: bool = False) -> list[Code]:
    """QR codes in a grey picture by zxing-cpp; with `failures` also those found but not read."""
    found = zxingcpp.read_barcodes(
        picture,
        formats=zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]),
        try_rotate=False,
        try_downscale=False,
        try_invert=False,
        text_mode=zxingcpp.TextMode.Plain,
        return_errors=failures,
    )
    return list(_within(_zxing_codes(found, reader), picture))


def _zxing_codes(found: Iterable[Any], reader: str) -> Iterator[Code]:
    for code in found:
        place = code.position
        corners = np.array(
            [[p.x, p.y] for p in (place.top_left, place.top_right, place.bottom_right, place.bottom_left)],
            np.float64,
        )
        # Checked as reported, before the fourth corner is replaced.
        yield Code(readable(code.bytes) if code.valid else None, corners, reader)


def read_zbar(picture: Image, reader: str = "zbar") -> list[Code]:
    """QR codes in a grey picture by zbar; nothing when its library is not installed."""
    if pyzbar is None:  # pragma: no cover
        return []
    codes = []
    for found in pyzbar.decode(picture, symbols=[pyzbar.ZBarSymbol.QRCODE]):
        if len(found.polygon) != 4:
            continue
        corners = np.array([[point.x, point.y] for point in found.polygon], np.float64) + ZXING_SHIFT_PX
        codes.append(Code(readable(found.data), _clockwise(corners, str(found.orientation)), reader))
    return list(_within(codes, picture))


def _clockwise(corners: FloatArray, orientation: str) -> FloatArray:
    """The four corners clockwise from the printed top left; zbar gives a hull and a rough direction."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angles)]
    towards = {"UP": (-1, -1), "RIGHT": (1, -1), "DOWN": (1, 1), "LEFT": (-1, 1)}.get(orientation, (-1, -1))
    first = int(np.argmax((ordered - middle) @ np.array(towards)))
    return np.asarray(np.roll(ordered, -first, axis=0), np.float64)


def _within(codes: Iterable[Code], picture: Image) -> Iterator[Code]:
    """Only codes that lie in the picture and cover some of it; the rest are a decoder's dreams."""
    height, width = picture.shape
    for code in codes:
        x, y = code.corners_px[:, 0], code.corners_px[:, 1]
        if not np.isfinite(code.corners_px).all():
            continue
        if x.min() < 0 or y.min() < 0 or x.max() > width or y.max() > height:
            continue
        area = abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2
        if area < 9 or code.side_px < 3:
            continue
        corners = code.corners_px.copy()
        corners[2] = corners[1] + corners[3] - corners[0]
        yield Code(code.text, corners - ZXING_SHIFT_PX, code.reader)


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
