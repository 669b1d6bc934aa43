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
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def before_lens(points_px: NDArray[np.floating], lens: Lens) -> FloatArray:
    """Pixels (n x 2) back through the lens: fixed-point iteration until nothing moves by 1e-10."""
    points = np.asarray(points_px, np.float64).reshape(-1, 2)
    target = (points - [lens.cx, lens.cy]) / [lens.fx, lens.fy]
    flat = target.copy()
    for _ in range(40):
        x, y = flat[:, 0], flat[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3))
        aside = np.column_stack(
            [
                2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x),
                lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y,
            ]
        )
        before, flat = flat, (target - aside) / radial[:, None]
        if not len(flat) or np.abs(flat - before).max() < 1e-10:
            break
    return np.asarray(flat, np.float64)


def through_lens(points: FloatArray, lens: Lens) -> FloatArray:
    """Normalised points (n x 2: x / z, y / z before the lens) through the lens, to pixels (n x 2)."""
    x, y = points[:, 0], points[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3))
    xd = x * radial + 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x)
    yd = y * radial + lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y
    return np.column_stack([lens.fx * xd + lens.cx, lens.fy * yd + lens.cy])


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
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], float)
