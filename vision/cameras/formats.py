"""What lies in a camera's buffer: brightness and colour by the format that was configured.

Inside this project a colour picture is rows x columns x 3, blue first, as OpenCV has it. libcamera names
formats by the order of bits in a word, so that its "RGB888" lies in memory as blue, green, red and its
"BGR888" as red, green, blue; "XRGB8888" and "XBGR8888" have a fourth value that means nothing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.base import CameraError
from vision.optics import Image

PLANAR = {"YUV420": "I420", "YVU420": "YV12", "NV12": "NV12", "NV21": "NV21"}
"""Formats whose first rows are the brightness, and what OpenCV calls them."""
_CHANNELS = {"RGB888": (3, False), "BGR888": (3, True), "XRGB8888": (4, False), "XBGR8888": (4, True)}
"""Values per pixel, and whether red comes first in memory."""
FORMATS = frozenset({*PLANAR, *_CHANNELS})

COLOUR_GAP = 25.0
"""Red and blue of a test card differ by at least so many grey levels in any usable light."""


class ColourOrder(StrEnum):
    """What a red and a blue patch say about the order of colours."""

    RIGHT = "right"
    SWAPPED = "swapped"
    UNCLEAR = "unclear"


def brightness(array: NDArray[Any], form: str, width: int, height: int) -> Image:
    """The brightness in a buffer (rows x stride, or rows x columns x values), without padding, copied.

    Raises CameraError when the buffer cannot be of that format and size (pixels).
    """
    pixels = _checked(array, form, width, height)
    if form in PLANAR:
        return np.array(pixels[:height, :width], np.uint8, order="C")
    return np.asarray(cv2.cvtColor(_blue_first(pixels, form, width), cv2.COLOR_BGR2GRAY), np.uint8)


def colours(array: NDArray[Any], form: str, width: int, height: int) -> Image:
    """The colours in a buffer (rows x columns x 3, blue first), without padding, copied.

    Good enough to tell colours apart: contrast is 1.16 times too strong where a camera uses all levels.
    Raises CameraError when the buffer cannot be of that format and size (pixels).
    """
    pixels = _checked(array, form, width, height)
    if form not in PLANAR:
        return np.array(_blue_first(pixels, form, width), np.uint8, order="C")
    # The small planes of YUV420 lie two rows to a buffer row, so padding can only be cut off afterwards.
    whole = cv2.cvtColor(np.ascontiguousarray(pixels), getattr(cv2, f"COLOR_YUV2BGR_{PLANAR[form]}"))
    return np.ascontiguousarray(whole[:, :width], np.uint8)


def colour_order(picture: Image, red: tuple[int, int], blue: tuple[int, int], reach: int = 3) -> ColourOrder:
    """Whether a red and a blue patch (pixel x, y; `reach` pixels around) look red and blue.

    `picture` is rows x columns x 3, blue first.
    """
    gaps = []
    for x, y in (red, blue):
        patch = picture[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
        b, _, r = patch.reshape(-1, 3).mean(axis=0) if patch.size else (0.0, 0.0, 0.0)
        gaps.append(float(r - b))
    if gaps[0] >= COLOUR_GAP and gaps[1] <= -COLOUR_GAP:
        return ColourOrder.RIGHT
    if gaps[0] <= -COLOUR_GAP and gaps[1] >= COLOUR_GAP:
        return ColourOrder.SWAPPED
    return ColourOrder.UNCLEAR


def _checked(array: NDArray[Any], form: str, width: int, height: int) -> NDArray[Any]:
    """The buffer, when it can be what it is said to be."""
    if form not in FORMATS:
        raise CameraError(f"the camera gives pictures as {form!r}; known are {', '.join(sorted(FORMATS))}")
    if form in PLANAR:
        fits = array.ndim == 2 and array.shape[0] >= height * 3 // 2 and array.shape[1] >= width
    else:
        fits = array.ndim == 3 and array.shape[0] >= height and array.shape[1] >= width
        fits = fits and array.shape[2] == _CHANNELS[form][0]
    if not fits or array.dtype != np.uint8:
        raise CameraError(
            f"the camera's buffer has the shape {array.shape} and holds {array.dtype}, which is no {form} "
            f"picture of {width} x {height}; picamera2 and libcamera may not belong together"
        )
    return array[: height * 3 // 2] if form in PLANAR else array[:height]


def _blue_first(pixels: NDArray[Any], form: str, width: int) -> NDArray[Any]:
    values = pixels[:, :width, :3]
    return np.ascontiguousarray(values[..., ::-1] if _CHANNELS[form][1] else values)
