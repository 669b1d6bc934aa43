"""Points and pixels through a lens: normalised before it, pixels behind it, values between pixels."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import FloatArray, Lens

Image = NDArray[np.uint8]
"""Rows x columns of 8-bit grey (with a third axis: RGB)."""


def halved(picture: Image) -> Image:
    """A grey picture at half size, each pixel the mean of four."""
    height, width = picture.shape
    size = (max(width // 2, 1), max(height // 2, 1))
    # An odd row or column is left out: with it, pixels are no longer four to one, and it takes 20 times as
    # long.
    even = picture[: max(height // 2 * 2, 1), : max(width // 2 * 2, 1)]
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)


def before_lens(points_px: NDArray[np.floating], lens: Lens) -> FloatArray:
    """Pixels (n x 2) back through the lens: fixed-point iteration until nothing moves by 1e-10."""
    points = np.asarray(points_px, np.float64).reshape(-1, 2)
    # Few points come at a time, so that what counts is the number of steps: x and y go together as two rows.
    target = np.ascontiguousarray(((points - [lens.cx, lens.cy]) / [lens.fx, lens.fy]).T)
    flat = aimed = target
    centred = lens.p1 == lens.p2 == 0
    for _ in range(40 if len(points) else 0):
        x, y = flat
        r2 = x * x + y * y
        radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3 if lens.k3 else lens.k2))
        if not centred:
            aimed = np.empty_like(target)
            aimed[0] = target[0] - (2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x))
            aimed[1] = target[1] - (lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y)
        before, flat = flat, aimed / radial
        if np.abs(flat - before).max() < 1e-10:
            break
    return np.ascontiguousarray(flat.T)


def through_lens(points: FloatArray, lens: Lens) -> FloatArray:
    """Normalised points (n x 2: x / z, y / z before the lens) through the lens, to pixels (n x 2)."""
    x, y = points[:, 0], points[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3))
    xd, yd = x * radial, y * radial
    if lens.p1 or lens.p2:
        xd = xd + 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x)
        yd = yd + lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y
    seen = np.empty((len(points), 2))
    seen[:, 0], seen[:, 1] = lens.fx * xd + lens.cx, lens.fy * yd + lens.cy
    return seen


def sample(picture: NDArray[Any], points: NDArray[np.floating]) -> NDArray[Any]:
    """A picture's values at points (... x 2, pixels) between its pixels; outside, those of its border."""
    places = np.asarray(points, np.float32)
    seen = cv2.remap(
        picture, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen)


def inverse(matrix: FloatArray) -> FloatArray:
    """A 3 x 3 matrix turned round."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def mapped(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """A homography (3 x 3) on points (n x 2)."""
    lifted = np.ones((len(points), 3))
    lifted[:, :2] = points
    lifted = lifted @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], float)
