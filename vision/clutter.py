"""What may be in a picture besides the game: hands with sleeves, other people's codes, dice.

Hands are built from rounded strokes in millimetres above the mat, then shaded like something round.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import msgspec
import numpy as np
import segno
from numpy.typing import NDArray

from vision.geometry import FloatArray
from vision.optics import Image

Float32 = NDArray[np.float32]
Where = Callable[[FloatArray, float], FloatArray]

HAND_HEIGHT_MM = 25.0
"""How high a hand is above the mat; an arm rises towards its elbow."""
ARM_RISE = 0.25
SHADOW_MM = (9.0, 14.0)
"""Where a hand's shadow lies beside it, and how soft it is, follow from this (x, y)."""
SHADOW = 0.45
COARSE = 4
"""Hands are drawn at a quarter of the picture's resolution: nearer to the lens, they are out of focus."""


class Hand(msgspec.Struct, frozen=True):
    """A right hand: the fingertips' place in mm, and the direction the arm comes from (0 right, 90 down)."""

    x_mm: float
    y_mm: float
    from_deg: float = 90.0
    size: float = 1.0
    skin: tuple[int, int, int] = (186, 138, 112)
    sleeve: tuple[int, int, int] = (42, 46, 58)
    seed: int = 0


class Litter(msgspec.Struct, frozen=True):
    """A thing that is no piece: a foreign QR code with `text`, a strip of bars, or a die."""

    kind: Literal["qr", "bars", "die"]
    x_mm: float
    y_mm: float
    size_mm: float = 16.0
    turn_deg: float = 0.0
    text: str = "SOMEBODY ELSE"
    height_mm: float = 0.5


@dataclass(frozen=True, eq=False)
class HandLayers:
    """A hand over part of a picture from row `y` and column `x`: coverage, colour, shadow."""

    x: int
    y: int
    cover: Float32
    rgb: Float32
    shade: Float32


# Strokes of a hand pointing up (towards -y), fingertips at the origin: from, to, radius from and to (mm).
FINGERS = (
    ((-14.0, 82.0), (-33.0, 18.0), 9.0, 7.0),
    ((-6.0, 78.0), (-10.0, 3.0), 9.0, 7.0),
    ((5.0, 78.0), (7.0, 0.0), 9.0, 7.0),
    ((15.0, 80.0), (25.0, 8.0), 8.5, 6.5),
    ((22.0, 112.0), (58.0, 62.0), 11.0, 8.0),
)
PALM = ((0.0, 88.0), (0.0, 128.0), 30.0, 28.0)
WRIST = ((0.0, 128.0), (0.0, 205.0), 25.0, 27.0)
SLEEVE = ((0.0, 195.0), (10.0, 620.0), 39.0, 56.0)


def hand_layers(hand: Hand, where: Where, shape: tuple[int, ...]) -> HandLayers | None:
    """A hand as it covers a picture of that shape; None when it is outside. `where` is the camera."""
    rows, columns = math.ceil(shape[0] / COARSE), math.ceil(shape[1] / COARSE)
    skin = np.zeros((rows, columns), np.uint8)
    sleeve = np.zeros((rows, columns), np.uint8)
    for stroke in (*FINGERS, PALM, WRIST):
        _stroke(skin, hand, stroke, where)
    _stroke(sleeve, hand, SLEEVE, where)
    both = cv2.max(skin, sleeve)
    x, y, w, h = cv2.boundingRect(both)
    if not w or not h:
        return None
    scale = float(where(np.array([[0.0, 0.0], [1.0, 0.0]]), 0.0)[:, 0] @ [-1, 1]) / COARSE
    soft = max(2.0, 8 * scale)
    room = math.ceil(3 * soft + max(SHADOW_MM) * scale)
    x0, y0, x1, y1 = max(0, x - room), max(0, y - room), min(columns, x + w + room), min(rows, y + h + room)
    part = (slice(y0, y1), slice(x0, x1))
    cover = both[part].astype(np.float32) / 255
    cloth = sleeve[part].astype(np.float32)[..., None] / 255
    shift = np.array([[1, 0, SHADOW_MM[0] * scale], [0, 1, SHADOW_MM[1] * scale]], np.float32)
    size = (cover.shape[1], cover.shape[0])
    shade = cv2.GaussianBlur(cv2.warpAffine(cover, shift, size), (0, 0), soft) * np.float32(SHADOW)
    # Round: darker towards the edge, and never one flat tone.
    depth = np.minimum(cv2.distanceTransform(both[part], cv2.DIST_L2, 3) / (9 * scale), 1)
    rng = np.random.default_rng([hand.seed, 7])
    noise = rng.standard_normal((cover.shape[0] // 12 + 2, cover.shape[1] // 12 + 2)).astype(np.float32)
    blotch = cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
    tone = (0.72 + 0.28 * np.sqrt(depth) + 0.025 * blotch)[..., None]
    rgb = (np.array(hand.skin, np.float32) * (1 - cloth) + np.array(hand.sleeve, np.float32) * cloth) * tone
    full = (
        min(cover.shape[1] * COARSE, shape[1] - x0 * COARSE),
        min(cover.shape[0] * COARSE, shape[0] - y0 * COARSE),
    )
    soft_cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), 0.7), np.float32)
    return HandLayers(
        x=x0 * COARSE,
        y=y0 * COARSE,
        cover=np.clip(_enlarged(soft_cover, full), 0, 1),
        rgb=_enlarged(np.asarray(rgb, np.float32), full),
        shade=_enlarged(np.asarray(shade, np.float32), full),
    )


def _enlarged(layer: NDArray[np.floating], size: tuple[int, int]) -> Float32:
    """A coarse layer at the picture's resolution, cut to (width, height)."""
    large = cv2.resize(layer, None, fx=COARSE, fy=COARSE, interpolation=cv2.INTER_LINEAR)
    return np.asarray(large[: size[1], : size[0]], np.float32)


def _stroke(
    canvas: Image,
    hand: Hand,
    stroke: tuple[tuple[float, float], tuple[float, float], float, float],
    where: Where,
) -> None:
    """A stroke with round ends, thick and thin, into a coarse mask."""
    first, second, thick, thin = stroke
    turn = math.radians(hand.from_deg - 90)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    ends = np.array([first, second]) * hand.size
    heights = HAND_HEIGHT_MM + ARM_RISE * np.maximum(ends[:, 1] - 120, 0)
    middles = np.asarray(ends @ rotation.T + [hand.x_mm, hand.y_mm], np.float64)
    shapes = []
    for (x, y), height, radius in zip(middles, heights, (thick * hand.size, thin * hand.size), strict=True):
        angles = np.linspace(0, 2 * math.pi, 32, endpoint=False)
        ring = np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)])
        shapes.append(where(ring, float(height)) / COARSE)
    # Far outside the picture a lens' polynomial runs away; what lies there is not drawn anyhow.
    points = np.concatenate(shapes).clip(-1e5, 1e5)
    hull = cv2.convexHull(points.astype(np.float32))
    cv2.fillConvexPoly(canvas, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)


def litter_picture(thing: Litter, px_per_mm: float) -> Image:
    """A foreign thing as an RGB picture at that resolution. ValueError for a code that does not fit."""
    side = round(thing.size_mm * px_per_mm)
    if thing.kind == "qr":
        matrix = np.array([list(row) for row in segno.make_qr(thing.text, error="m").matrix], np.uint8)
        padded = np.pad(255 - 255 * matrix, 2, constant_values=255)
        grey = cv2.resize(padded, (side, side), interpolation=cv2.INTER_NEAREST)
    elif thing.kind == "bars":
        rng = np.random.default_rng(len(thing.text))
        widths = rng.integers(1, 4, 40)
        row = np.repeat(np.arange(40) % 2 * 255, widths).astype(np.uint8)[None]
        grey = cv2.resize(row, (side, max(8, side // 2)), interpolation=cv2.INTER_NEAREST)
        grey = cv2.copyMakeBorder(grey, 6, 6, 12, 12, cv2.BORDER_CONSTANT, value=255)
    else:
        grey = np.full((side, side), 235, np.uint8)
        for x, y in ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)):
            cv2.circle(grey, (round(x * side), round(y * side)), round(side * 0.09), 20, -1, cv2.LINE_AA)
    return np.asarray(cv2.cvtColor(np.asarray(grey, np.uint8), cv2.COLOR_GRAY2RGB), np.uint8)
