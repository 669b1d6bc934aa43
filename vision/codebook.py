"""Reading a tag by knowing which tags there are: the last stage, for what no decoder can read.

A decoder must get every module right up to what error correction mends. Here it only has to be told
which of the known codes it is: the three finder patterns are located on the mat's own plane, the 21 x 21
modules are sampled, and the samples are correlated with all known codes in four rotations at once.
Blur of half a module and smears of two, which no decoder survives, leave enough for that.

A code is accepted by how well it fits and by how far ahead of all other known codes it is, so that a
code that is not known, speckles or bars never become a piece.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from functools import cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.decoders import Code
from vision.geometry import QR_MODULES, FloatArray
from vision.mat import Pose
from vision.modules import (
    ALPHANUMERIC,
    Mask,
    Plane,
    data_places,
    data_signs,
    format_bits,
    format_places,
    function_modules,
    masks,
)
from vision.optics import Image

LEAST_FIT = 0.40
"""Correlation of a code's own modules from which it may be accepted. Right codes have 0.58 and more at
1.25 px per module; the nearest of a thousand to a code that is not known has up to 0.55."""
LEAST_LEAD = 0.15
"""How far that correlation must be ahead of every other code's. Right codes lead by 0.2 and more at 1.25 px
per module, 0.4 at 3; the nearest to one that is not known by at most 0.14 in 60 000, for a code of another
box of the same game by up to 0.15. There the fit, measured against the frame, is what refuses."""
LEAST_LEAD_SHARE = 0.25
"""The same as a share of the fit: right codes have 0.33 and more."""
LEAST_FRAME = 0.35
"""Correlation of finder patterns, timing and quiet zone with those of any code."""
LEAST_FIT_TO_FRAME = 0.75
"""Blur and noise spoil the frame of a code as much as its own modules: right codes have 0.93 and more of
the frame's correlation in their own, a code that is not known less than 0.6."""
CROWD = 1000
"""With fewer known codes others are added that are never accepted: being ahead of few says little."""
WEAKEST_FRAME = 0.22
"""Below this a place has no three finder patterns and is not compared with any code."""


class Match(msgspec.Struct, frozen=True):
    """What the codebook made of one place: the best code, its fit, its lead and the fit of the frame.

    `payload` is None when a code of the crowd fits better than all known ones. `corners_px` are the four
    corners (pixels) from the printed top left, clockwise.
    """

    payload: str | None
    fit: float
    lead: float
    frame: float
    corners_px: tuple[tuple[float, float], ...]

    def code(self) -> Code:
        """The match as a code that was read."""
        return Code(self.payload, np.array(self.corners_px, np.float64), "codebook")

    @property
    def accepted(self) -> bool:
        """Whether this is that code beyond doubt."""
        return (
            self.payload is not None
            and self.fit >= max(LEAST_FIT, LEAST_FIT_TO_FRAME * self.frame)
            and self.lead >= max(LEAST_LEAD, LEAST_LEAD_SHARE * self.fit)
            and self.frame >= LEAST_FRAME
        )


# --- where to sample -----------------------------------------------------------------------------


_FRAME_VALUE, _FRAME_KNOWN = function_modules()
_DATA = np.array(data_places())
_FORMAT = np.array(format_places())
_OWN = np.concatenate([_DATA, _FORMAT])
"""Rows and columns of the modules by which codes differ: 208 of data, 30 that name the mask."""
_MASKS = masks()
_MASK_SIGNS = np.asarray(1 - 2 * _MASKS[:, _DATA[:, 0], _DATA[:, 1]].astype(np.float32), np.float32)
_FORMAT_SIGNS = np.array([2.0 * np.array(format_bits(m) * 2) - 1 for m in range(8)], np.float32)
_ROTATED = np.array([np.rot90(np.arange(QR_MODULES**2).reshape(QR_MODULES, -1), k) for k in range(4)])
_OWN_ROTATED = _ROTATED[:, _OWN[:, 0], _OWN[:, 1]]
"""For each quarter turn, which of the 441 samples belong to the modules of `_OWN`."""

ROUND = 1
"""Modules of quiet zone that belong to the frame."""


def _frame_points() -> tuple[Plane, Plane]:
    """Middles of the frame's modules (n x 2, modules from the code's middle); values, norm 1 and mean 0."""
    side = QR_MODULES + 2 * ROUND
    value = -np.ones((side, side), np.float32)
    known = np.ones((side, side), np.bool_)
    value[ROUND:-ROUND, ROUND:-ROUND] = _FRAME_VALUE
    known[ROUND:-ROUND, ROUND:-ROUND] = _FRAME_KNOWN
    rows, columns = np.nonzero(known)
    points = np.column_stack([columns, rows]) - (side - 1) / 2
    signs = value[rows, columns]
    signs -= signs.mean()
    return points.astype(np.float32), signs / np.linalg.norm(signs)


_FRAME_POINTS, _FRAME_SIGNS = _frame_points()
_WIDE = QR_MODULES + 2
_GRID = (np.arange(_WIDE**2).reshape(-1, 1) // [1, _WIDE] % _WIDE - _WIDE // 2).astype(np.float32)
"""Middles of all modules and one ring of quiet zone (529 x 2, modules from the code's middle), by rows."""
SPILL = 0.2
"""Share of its four neighbours that is taken off each sample: about what blur of half a module adds."""
_CORNERS = np.array([[-10.5, -10.5], [10.5, -10.5], [10.5, 10.5], [-10.5, 10.5]])

HYPOTHESES = 4
COARSE, FINE = 1, 2
"""Samples per module: to tell whether a place is worth a look, and to find the finder patterns."""
ANGLES = {COARSE: 16, FINE: 24}
"""Steps in a quarter turn."""
OFF = {COARSE: 12, FINE: 5}
"""How far, in modules, the middle of a code may be from where it is looked for."""
REACH = {samples: off + 15 for samples, off in OFF.items()}
"""Half the side of the patch in modules: with room for the finder pattern of a turned code."""
LIKE_THREE_FINDERS = 0.30
"""Mean likeness of three corners to finder patterns from which a place is worth a look. Tags have 0.34 and
more even at 1.25 px per module, 99 of 100 other places with strong texture less."""
BLOCK = 32
"""Codes compared by one matrix product: so small that no library starts threads for it, which then cost
more by waiting than they save."""


@cache
def _ring(per_module: int) -> Plane:
    """A finder pattern with its white edge, turned every way and averaged: zero mean, unit norm."""
    side = 9 * per_module | 1
    fine = 16
    at = (np.arange(side * fine) + 0.5) / (fine * per_module) - side / (2 * per_module)
    radius = np.hypot(*np.meshgrid(at, at))
    values = np.zeros_like(radius)
    for angle in np.linspace(0, math.pi / 4, 24):
        # Chebyshev distance along a turned ray: where a square pattern changes colour.
        far = radius * math.cos(angle)
        values += np.where(far < 1.5, 1.0, np.where(far < 2.5, -1.0, np.where(far < 3.5, 1.0, -1.0)))
    small = cv2.resize(values.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
    ring = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.35 * per_module), np.float32)
    middle = (np.arange(side) - (side - 1) / 2) / per_module
    inside = np.hypot(*np.meshgrid(middle, middle)) < 4.6
    ring = np.where(inside, ring - ring[inside].mean(), 0)
    return np.asarray(ring / np.linalg.norm(ring), np.float32)


@cache
def _corner_index(per_module: int) -> NDArray[np.intp]:
    """Flat indices into the patch of the four finder places of every hypothesis (4 x angles x places)."""
    side = 2 * REACH[per_module] * per_module + 1
    off = OFF[per_module] * per_module
    steps = np.arange(-off, off + 1) + REACH[per_module] * per_module
    cx, cy = (m.ravel() for m in np.meshgrid(steps, steps))
    index = []
    for step in range(ANGLES[per_module]):
        turn = _turn(math.radians(90 * step / ANGLES[per_module]))
        arms = np.round(np.array([[-7, -7], [7, -7], [7, 7], [-7, 7]]) @ turn.T * per_module).astype(int)
        index.append([(cy + arm[1]) * side + cx + arm[0] for arm in arms])
    return np.array(index, np.intp).transpose(1, 0, 2).copy()


def _three_finders(picture: Image | Plane, local: FloatArray, per_module: int) -> tuple[Plane, Plane]:
    """How much three corners of a code look like finder patterns: for each turn and place the mean
    likeness of the three best corners (angles x places), and that of each (4 x angles x places)."""
    reach = REACH[per_module]
    side = 2 * reach * per_module + 1
    start = np.array([[1 / per_module, 0, -reach], [0, 1 / per_module, -reach], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    border = cv2.BORDER_REPLICATE
    seen = cv2.warpPerspective(picture, local @ start, (side, side), flags=flags, borderMode=border)
    flat = np.asarray(seen, np.float32)
    ring = _ring(per_module)
    mean = cv2.boxFilter(flat, -1, ring.shape)
    power = np.maximum(cv2.boxFilter(flat * flat, -1, ring.shape) - mean * mean, 1)
    rings = -cv2.filter2D(flat, -1, ring) / (np.sqrt(power) * ring.shape[0])
    corners = np.take(rings, _corner_index(per_module))
    worst = np.minimum(np.minimum(corners[0], corners[1]), np.minimum(corners[2], corners[3]))
    return np.asarray((corners[0] + corners[1] + corners[2] + corners[3] - worst) / 3, np.float32), corners


def local_maps(pose: Pose, spots_px: FloatArray, code_mm: float) -> FloatArray:
    """From modules round places (n x 2, pixels), along the mat's axes, to pixels: n homographies (3 x 3).

    They are those of a code of `code_mm` lying flat on the mat, exact at four corners round it.
    """
    middles = pose.to_mm(spots_px)
    corners = _CORNERS * 2
    seen = pose.to_px((middles[:, None] + corners * code_mm / QR_MODULES).reshape(-1, 2)).reshape(-1, 4, 2)
    around = corners.astype(np.float32)
    maps = [cv2.getPerspectiveTransform(around, quad) for quad in seen.astype(np.float32)]
    return np.array(maps, np.float64).reshape(-1, 3, 3)


def located(picture: Image, half: Image, maps: FloatArray) -> tuple[Mask, FloatArray]:
    """Which places have three finder patterns at the corners of a code, and the maps moved to the two
    likeliest middles of it, the likelier first (n x 2 x 3 x 3).

    `maps` (n x 3 x 3) are from `local_maps`; the middle of a code may be half its side off. `half` is the
    picture from `halved`: where modules are large it shows finder patterns with less noise.
    """
    good = np.zeros(len(maps), np.bool_)
    moved = np.repeat(maps[:, None], 2, axis=1)
    off = OFF[COARSE]
    for i, local in enumerate(maps):
        # The map's last row is nearly 0, 0, 1: a module's size is that of its linear part.
        large = abs(np.linalg.det(local[:2, :2] / local[2, 2])) >= HALF_FROM_MODULE_PX**2
        likeness, _ = _three_finders(half if large else picture, HALVING @ local if large else local, COARSE)
        good[i] = likeness.max() >= LIKE_THREE_FINDERS
        if not good[i]:
            continue
        places = likeness.max(axis=0).reshape(2 * off + 1, -1) - _FAR
        for k in range(2):
            row, column = divmod(int(places.argmax()), places.shape[1])
            moved[i, k] = local @ np.array([[1.0, 0, column - off], [0, 1, row - off], [0, 0, 1]])
            places[max(0, row - 4) : row + 5, max(0, column - 4) : column + 5] = -1
    return good, moved


def _far() -> Plane:
    """What a place (coarse, by rows) loses by its distance from where a code is looked for.

    Two finder patterns and something else that is dark look like three at a place half a code off.
    """
    steps = np.arange(-OFF[COARSE], OFF[COARSE] + 1)
    return np.asarray(0.005 * np.maximum(np.hypot(*np.meshgrid(steps, steps)) - 5, 0), np.float32)


_FAR = _far()
HALVING = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
"""From pixels to those of the half-size picture."""
HALF_FROM_MODULE_PX = 2.2
"""Pixels per module from which finder patterns are looked for in the half-size picture."""


def _crowd(known: frozenset[str]) -> list[str]:
    """Payloads of about the lengths of the known ones that make up for a small number of them."""
    # Of less than five characters there are not enough, more than ten do not fit.
    lengths = sorted({min(max(len(payload), 5), 10) for payload in known}) or [6]
    lot = random.Random("crowd")
    crowd: set[str] = set()
    while len(crowd) + len(known) < CROWD:
        payload = "".join(lot.choices(ALPHANUMERIC[:36], k=lengths[len(crowd) % len(lengths)]))
        crowd |= {payload} - known
    return sorted(crowd)


class Codebook:
    """The known codes, ready to be compared with samples of a picture.

    Payloads that no code of version 1, level H, holds are left out. Whatever mask a maker of codes
    chose, the code is found.
    """

    def __init__(self, payloads: Iterable[str]) -> None:
        known = frozenset(payloads)
        listed, signs = data_signs([*known, *_crowd(known)])
        self.payloads = tuple(payload if payload in known else None for payload in listed)
        """What each column stands for; None for the crowd."""
        self._blocks = [np.ascontiguousarray(signs[i : i + BLOCK].T) for i in range(0, len(signs), BLOCK)]
        """Signs of the unmasked data modules, one column a code."""
        first = {payload: i for i, payload in reversed(list(enumerate(listed)))}
        self._number = np.array([first[payload] for payload in listed])

    def match(self, picture: Image, maps: FloatArray) -> Match | None:
        """The known code most like what lies at a place, whether or not it is to be accepted.

        `maps` (n x 3 x 3) are those of the place from `located`, tried in turn until a code is accepted.
        None when no three finder patterns are there.
        """
        best: Match | None = None
        for local in maps:
            match = self._match(picture, local)
            if match is not None and (best is None or match.fit > best.fit):
                best = match
            if best is not None and best.accepted:
                break
        return best

    def _match(self, picture: Image, local: FloatArray) -> Match | None:
        patch = _Patch.cut(picture, local)
        if patch is None:
            return None
        frame, grids = patch.located()
        if not len(grids):
            return None
        number, which, rotation, fit, lead = self._identify(patch, grids)
        corners = _through(local, _CORNERS @ _turn(grids[which][2]).T + grids[which][:2])
        turned = np.roll(corners, -rotation, axis=0)
        return Match(
            self.payloads[number],
            fit,
            lead,
            float(frame[which]),
            tuple((float(x), float(y)) for x, y in turned),
        )

    def _identify(self, patch: _Patch, grids: FloatArray) -> tuple[int, int, int, float, float]:
        """Best code over grids, rotations and masks: number, grid, rotation, fit and lead."""
        dark = _unblurred(-patch.sampled(grids, _GRID))
        own = dark[:, _OWN_ROTATED]
        own = own - own.mean(axis=2, keepdims=True)
        own /= np.linalg.norm(own, axis=2, keepdims=True) + 1e-6
        n = len(_DATA)
        rows = own[:, :, None, :n] * _MASK_SIGNS
        rows = rows.reshape(-1, n)
        scores = np.concatenate([rows @ block for block in self._blocks], axis=1)
        formats = np.einsum("grf,mf->grm", own[..., n:], _FORMAT_SIGNS).reshape(-1, 1)
        scores = (scores + formats) / math.sqrt(len(_OWN))
        each = scores.max(axis=0)
        number = int(each.argmax())
        row = int(scores[:, number].argmax())
        others = each[self._number != self._number[number]]
        second = float(others.max()) if len(others) else 0.0
        which, rest = divmod(row, 32)
        rotation = rest // 8
        fit = float(each[number])
        return number, which, rotation, fit, fit - second


def _unblurred(wide: Plane) -> Plane:
    """Samples of `_GRID` (grids x 529) without what their neighbours spilt into them: grids x 441.

    Measured at 1.25 px per module: the right code's lead rises from 0.22 to 0.33, that of codes that are
    not known from 0.05 to 0.06.
    """
    v = wide.reshape(-1, _WIDE, _WIDE)
    beside = v[:, 1:-1, :-2] + v[:, 1:-1, 2:] + v[:, :-2, 1:-1] + v[:, 2:, 1:-1]
    return np.asarray(v[:, 1:-1, 1:-1] - SPILL * beside, np.float32).reshape(len(v), -1)


def _turn(radians: float) -> FloatArray:
    return np.array([[math.cos(radians), -math.sin(radians)], [math.sin(radians), math.cos(radians)]])


def _through(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """A homography (3 x 3) on points (... x 2)."""
    x, y = _mapped_xy(matrix, points[..., 0], points[..., 1])
    return np.stack([x, y], axis=-1)


def _mapped_xy(
    matrix: FloatArray, x: NDArray[np.floating], y: NDArray[np.floating]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """The same on two arrays, in their own precision."""
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    depth = g * x + h * y + i
    return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth


class _Patch:
    """The picture round a place, and the map from modules on the mat's plane into it."""

    def __init__(self, crop: Plane, local: FloatArray) -> None:
        self.crop = crop
        self.local = local

    @classmethod
    def cut(cls, picture: Image, local: FloatArray) -> _Patch | None:
        """The patch round a place; None when its middle is outside the picture."""
        quad = _through(local, np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (REACH[FINE] + 1.0))
        height, width = picture.shape
        x0, y0 = (int(v) for v in np.floor(quad.min(axis=0)).clip(0, [width, height]))
        x1, y1 = (int(v) for v in np.ceil(quad.max(axis=0)).clip(0, [width, height]))
        if min(x1 - x0, y1 - y0) < QR_MODULES:
            return None
        shift = np.array([[1.0, 0, -x0], [0, 1, -y0], [0, 0, 1]])
        return cls(picture[y0:y1, x0:x1].astype(np.float32), shift @ local)

    def sampled(self, grids: FloatArray, points: Plane) -> Plane:
        """The picture at points (n x 2, modules) of codes at x, y, turn (grids x 3): grids x n values."""
        cos, sin = (f(grids[:, 2:]).astype(np.float32) for f in (np.cos, np.sin))
        x0, y0 = grids[:, :1].astype(np.float32), grids[:, 1:2].astype(np.float32)
        u, v = points.T
        x, y = _mapped_xy(self.local, cos * u - sin * v + x0, sin * u + cos * v + y0)
        seen = cv2.remap(self.crop, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)

    def located(self) -> tuple[FloatArray, FloatArray]:
        """Where three finder patterns make a code: how well (n), and x, y, turn (n x 3; modules, radians)."""
        grids = np.array(self._starts())
        scores = np.zeros(len(grids))
        for step, keep in ((0.6, 4), (0.3, 2), (0.15, 2)):
            d = np.array([-1.0, 0.0, 1.0])
            moves = np.stack(np.meshgrid(d * step, d * step, d * step / 10, indexing="ij"), -1).reshape(-1, 3)
            tried = (grids[:, None] + moves).reshape(-1, 3)
            fits = self._frame_fits(tried).reshape(len(grids), -1)
            best = fits.argmax(axis=1)
            grids = tried.reshape(len(grids), -1, 3)[np.arange(len(grids)), best]
            scores = fits[np.arange(len(grids)), best]
            order = np.argsort(-scores)[:keep]
            grids, scores = grids[order], scores[order]
        good = scores >= WEAKEST_FRAME
        return scores[good], grids[good]

    def _frame_fits(self, grids: FloatArray) -> FloatArray:
        """Correlation of finder patterns, timing and quiet zone for grids (n x 3)."""
        seen = self.sampled(grids, _FRAME_POINTS)
        spread = seen.std(axis=1) * math.sqrt(len(_FRAME_SIGNS)) + np.float32(1e-3)
        return np.asarray(-(seen @ _FRAME_SIGNS) / spread, np.float64)

    def _starts(self) -> list[tuple[float, float, float]]:
        """Rough places and turns at which three of four corners look like finder patterns."""
        likeness, corners = _three_finders(self.crop, self.local, FINE)
        side = round(math.sqrt(likeness.shape[1]))
        volume = likeness.reshape(-1, side, side)
        off = (side - 1) // 2
        starts = []
        for _ in range(HYPOTHESES):
            step, row, column = (int(i) for i in np.unravel_index(int(volume.argmax()), volume.shape))
            # When the bottom right corner (2) is the one without, the code stands upright.
            quarters = int(corners[:, step, row * side + column].argmin()) - 2
            turn = math.radians(90 * step / ANGLES[FINE] + 90 * quarters)
            starts.append(((column - off) / FINE, (row - off) / FINE, turn))
            near = np.arange(step - 2, step + 3) % ANGLES[FINE]
            volume[near, max(0, row - 3) : row + 4, max(0, column - 3) : column + 4] = -1
        return starts
