"""Which spaces can be seen at all: a hand over a space is not an empty space.

Where nothing lies, the picture must show the print. Each slot is compared with what is printed there,
by likeness after evening out the light, so that shadow and brightness do not matter. A slot that
shows neither its print nor a tag that was read is covered by something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.layout import Box, Mat
from assistant.observation import Sighting
from vision.drawing import mat_drawing
from vision.faces import code_box, piece_size
from vision.geometry import FloatArray
from vision.mat import Pose
from vision.optics import Image, sample

Plane = NDArray[np.float32]

ALIKE = 0.65
"""Likeness from which a slot shows its print: bare ones have 0.8 and more even blurred, hands mostly 0.4."""
PRINT_PX_PER_MM = 4.0
BLOCK_MM = 8
"""Points of the map from mat to picture are computed this far apart and filled in between."""
ROUND_SLOT_MM = 2.0
"""Width of the surroundings that are compared with a slot: its printed frame lies there."""
LIGHT_MM = 7.0
"""Light that changes more slowly than this is evened out."""
FEWEST_SEEN = 0.2
"""Share of a slot that must be free of its neighbours' pieces to be judged."""


@dataclass(frozen=True)
class Cover:
    """Spaces that show all their print or their tags, spaces under something, and what cannot be told."""

    visible: frozenset[str]
    hidden: frozenset[str]
    doubtful: frozenset[str]


class PrintedLook:
    """How a mat looks with nothing on it, at one pixel per millimetre.

    `picture` is the print in grey, at least one pixel per mm; it is reduced here.
    """

    @classmethod
    def of(cls, mat: Mat) -> PrintedLook:
        """The look of a mat from its own drawing."""
        rgb = mat_drawing(mat).raster(PRINT_PX_PER_MM)
        return cls(mat, np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8))

    def __init__(self, mat: Mat, picture: Image) -> None:
        self.mat = mat
        self._size = (math.ceil(mat.width_mm), math.ceil(mat.height_mm))
        small = cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA)
        self._expected = _softened(np.asarray(small, np.float32))
        self._slots = [(space.id, slot.id, slot.box) for space, slot in mat.slots()]

    def covered(self, comparison: Comparison, sightings: Sequence[Sighting], unread_mm: FloatArray) -> Cover:
        """Which spaces can be seen.

        `unread_mm` (n x 2) are places that look like a tag and were not read: such a slot is doubtful,
        any other that does not show its print is hidden.
        """
        alike, share = comparison.likeness([box.grown(ROUND_SLOT_MM) for _, _, box in self._slots])
        held = {(sighting.space, sighting.slot) for sighting in sightings}
        hidden, doubtful = set(), set()
        for i, (space, slot, box) in enumerate(self._slots):
            if (space, slot) in held or (alike[i] >= ALIKE and share[i] >= FEWEST_SEEN):
                continue
            if share[i] < FEWEST_SEEN or any(box.holds(float(x), float(y)) for x, y in unread_mm):
                doubtful.add(space)
            else:
                hidden.add(space)
        visible = frozenset(space for space, _, _ in self._slots) - hidden - doubtful
        return Cover(visible, frozenset(hidden), frozenset(doubtful - hidden))

    def compare(self, seen: Plane, sightings: Sequence[Sighting]) -> Comparison:
        """A picture from `flattened` compared with the print, the pieces that were read left out."""
        free = self._free_of_pieces(sightings)
        return Comparison(free, _evened(seen, free), _evened(self._expected, free))

    def flattened(self, half: Image, pose: Pose) -> Plane:
        """The half-size picture as if seen straight from above, one pixel per millimetre."""
        small = cv2.resize(half, (half.shape[1] // 2, half.shape[0] // 2), interpolation=cv2.INTER_AREA)
        return self.sampled(np.asarray(small, np.uint8), self.spots(pose, 4.0))

    def spots(self, pose: Pose, shrink: float, origin_mm: tuple[float, float] = (0.0, 0.0)) -> Plane:
        """Where each millimetre of the mat appears (rows x columns x 2, pixels) in a picture `shrink` times
        smaller than the pose's. `origin_mm` is where this mat begins on the one that the pose is of."""
        width, height = self._size
        columns, rows = math.ceil(width / BLOCK_MM) + 2, math.ceil(height / BLOCK_MM) + 2
        xs = (np.arange(columns) - 0.5) * BLOCK_MM + origin_mm[0]
        ys = (np.arange(rows) - 0.5) * BLOCK_MM + origin_mm[1]
        nodes = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        spots = ((pose.to_px(nodes) + 0.5) / shrink - 0.5).astype(np.float32).reshape(rows, columns, 2)
        dense = cv2.resize(spots, (columns * BLOCK_MM, rows * BLOCK_MM), interpolation=cv2.INTER_LINEAR)
        return np.asarray(dense[BLOCK_MM : BLOCK_MM + height, BLOCK_MM : BLOCK_MM + width], np.float32)

    def sampled(self, small: Image, spots: Plane) -> Plane:
        """A small picture as if seen straight from above, by the `spots` of its millimetres."""
        return _softened(sample(small, spots).astype(np.float32))

    def _free_of_pieces(self, sightings: Sequence[Sighting]) -> Plane:
        """1 where the mat should be bare, 0 under the pieces that were read."""
        free = np.ones((self._size[1], self._size[0]), np.float32)
        for sighting in sightings:
            corners = footprint(self.mat, sighting)
            cv2.fillPoly(free, [np.round(corners * 16 - 8).astype(np.int32)], 0.0, cv2.LINE_8, 4)
        return free


class Comparison:
    """Picture and print side by side, one pixel per millimetre; `free` is 0 where nothing is compared."""

    def __init__(self, free: Plane, seen: Plane, expected: Plane) -> None:
        self._size = (free.shape[1], free.shape[0])
        only_seen, only_expected = free * seen, free * expected
        self._tables = [
            np.asarray(cv2.integral(plane, sdepth=cv2.CV_64F), np.float64)
            for plane in (
                free,
                only_seen,
                only_expected,
                only_seen * seen,
                only_expected * expected,
                only_seen * expected,
            )
        ]

    def likeness(self, boxes: Sequence[Box]) -> tuple[FloatArray, FloatArray]:
        """How alike picture and print are in boxes (mm), and the share of each that could be compared.

        It is the concordance 2 cov / (var + var) of the two: 1 only for the same pattern in the same
        strength. A tag can resemble the print of its slot by chance, but is many times as contrasty.
        """
        where = _corners(boxes, self._size)
        n, s, p, ss, pp, sp = (_over(table, where) for table in self._tables)
        area = np.array([box.w * box.h for box in boxes])
        n_safe = np.maximum(n, 1.0)
        covariance = sp / n_safe - s * p / n_safe**2
        spread_seen = ss / n_safe - (s / n_safe) ** 2
        spread_print = pp / n_safe - (p / n_safe) ** 2
        return 2 * covariance / np.maximum(spread_seen + spread_print, 1e-9), n / area


def footprint(mat: Mat, sighting: Sighting, margin_mm: float = 1.5) -> FloatArray:
    """The corners (4 x 2, mm) of the piece that a tag belongs to, as it lies, a little enlarged.

    For a payload that the mat does not know, a sticker round the code is assumed.
    """
    try:
        piece = mat.piece_named(sighting.payload)
    except KeyError:
        (w, h), (x, y) = mat.sticker_mm, (mat.sticker_mm[0] / 2, mat.sticker_mm[1] / 2)
    else:
        (w, h), (x, y) = piece_size(mat, piece), code_box(mat, piece).centre
    m = margin_mm
    corners = np.array([[-m, -m], [w + m, -m], [w + m, h + m], [-m, h + m]]) - [x, y]
    turn = math.radians(sighting.turn_deg)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(corners @ rotation.T + [sighting.x_mm, sighting.y_mm], np.float64)


def _softened(plane: Plane) -> Plane:
    """A little blur, so that half a millimetre of misplacement does not matter."""
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), 0.8), np.float32)


def _evened(plane: Plane, free: Plane) -> Plane:
    """Each point as a share of the mean of its surroundings, pieces left out of the mean."""
    size = 2 * round(LIGHT_MM) + 1
    total = cv2.boxFilter(plane * free, -1, (size, size), normalize=False)
    count = cv2.boxFilter(free, -1, (size, size), normalize=False)
    return np.asarray(plane * count / np.maximum(total, 1.0), np.float32)


def _corners(boxes: Sequence[Box], size: tuple[int, int]) -> NDArray[np.intp]:
    """Rows and columns of boxes (mm) in an integral image of one pixel per mm: x0, y0, x1, y1 (4 x n)."""
    width, height = size
    edges = [(round(b.x), round(b.y), round(b.x + b.w), round(b.y + b.h)) for b in boxes]
    corners = np.array(edges, np.intp).reshape(-1, 4).T
    return np.clip(corners, 0, np.array([[width], [height], [width], [height]]))


def _over(table: FloatArray, corners: NDArray[np.intp]) -> FloatArray:
    """Sums over boxes from an integral image."""
    x0, y0, x1, y1 = corners
    return np.asarray(table[y1, x1] - table[y0, x1] - table[y1, x0] + table[y0, x0], np.float64)
