"""Where marker cards lie that somebody laid round a board, from pictures alone.

Nobody measures where the cards are. Each is a square of a known side, so each tells the scale and the slant
of the table at its own place; together they tell the plane. All unknowns are found at once by least squares
over the corners of all cards in all pictures (a bundle adjustment): for each card its place and turn in the
plane, for each picture where the camera stood, and once the focal length and the distortion of the lens,
weighed against what is plausible unless somebody measured them. A picture of n cards gives 8 n numbers for
6 + 3 (n - 1) unknowns and the lens. Further pictures of the same cards, taken from other places, sharpen
all of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.geometry import FloatArray, Lens
from vision.marker_cards import CARD_IDS, MARKER_MM
from vision.markers import FoundMarker, find_markers
from vision.mat import CORNER_SIGMA_PX, K1_SIGMA, ZOOM_SIGMA, Pose
from vision.optics import Image, before_lens, inverse, through_lens

FEWEST_CARDS = 4
"""Fewer cards leave the slant of the far side to chance."""
BENT_SHARE = 1 / 40
"""A card whose corners lie further than this share of its side from where a flat square of its size would
have them (root mean square) is bent, leaning, or printed at another size."""
OUTLIER = 2.0
"""Corners further off than this many standard deviations (a crease, the picture's edge) count for less."""
ROOM_PX = 8.0
"""Nearer to the picture's edge the corners of a card are only known to a pixel, so it is left out."""
STEPS = 60
"""Rounds of least squares at most; it takes about ten."""


class CannotTeach(ValueError):
    """A board cannot be learnt from these pictures and points.

    `kind` is stable ("few_cards", "two_cards", "bent_card", "sizes", "too_near", "no_fit", "zones"), the text
    says what to do, `values` are the figures in it, `points` the names of the points that are suspected.
    """

    def __init__(
        self,
        kind: str,
        text: str,
        values: dict[str, float | int | str] | None = None,
        points: Sequence[str] = (),
    ) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.values = values or {}
        self.points = tuple(points)


@dataclass(frozen=True, eq=False)
class FramedCard:
    """A marker card in the plane: its number, its four corners (4 x 2, mm), how far they were off (mm)."""

    id: int
    corners_mm: FloatArray
    off_mm: float


@dataclass(frozen=True, eq=False)
class CardFrame:
    """Marker cards in one plane, in mm from the middle of the first, along its sides.

    `poses` tell for each picture how it sees that plane; `error_px` is the root mean square distance of
    corners seen and expected.
    """

    cards: tuple[FramedCard, ...]
    poses: tuple[Pose, ...]
    error_px: float


def frame_of(
    pictures: Sequence[Image], *, marker_mm: float = MARKER_MM, lens: Lens | None = None
) -> CardFrame:
    """The plane of the marker cards in pictures (grey, all of one camera and one size).

    `marker_mm` is the side of the black squares as printed, `lens` a measured lens; without one a Camera
    Module 3 is assumed and adjusted to the cards. Every card must lie still between the pictures. Raises
    CannotTeach.
    """
    shapes = {picture.shape for picture in pictures}
    if len(shapes) > 1:
        raise CannotTeach(
            "sizes", "The pictures differ in size. Take all of them with the same camera, held the same way."
        )
    found = [_cards(picture, k + 1, len(pictures)) for k, picture in enumerate(pictures)]
    height, width = pictures[0].shape
    start = lens.scaled_to(width, height) if lens else Lens.camera_module_3(width, height)
    return _Bundle(found, marker_mm, start).settled()


def _cards(picture: Image, number: int, count: int) -> list[FoundMarker]:
    """The marker cards in one picture. Raises CannotTeach when there are too few, or one twice."""
    where = f"In picture {number}" if count > 1 else "In the picture"
    # The thorough search as well: every card that is seen makes the plane surer.
    found = find_markers(picture, enough=len(CARD_IDS) + 1)
    cards = [marker for marker in found if marker.id in CARD_IDS and _whole(marker, picture)]
    twice = [card for card, times in Counter(card.id for card in cards).items() if times > 1]
    if twice:
        raise CannotTeach(
            "two_cards",
            f"{where} there are two cards with the number {twice[0]}. Take one of them away: every card of "
            "a set is needed once.",
            {"card": twice[0]},
        )
    if len(cards) < FEWEST_CARDS:
        seen = ", ".join(str(card.id) for card in sorted(cards, key=lambda card: card.id)) or "none"
        raise CannotTeach(
            "few_cards",
            f"{where} {len(cards)} marker cards can be seen ({seen}); at least {FEWEST_CARDS} are needed, "
            f"and all {len(CARD_IDS)} are better. Lay them flat round the board, within the picture, and "
            "print them with `stationmaster sheets --marker-cards` if there are none yet.",
            {"seen": len(cards), "needed": FEWEST_CARDS},
        )
    return cards


def _whole(marker: FoundMarker, picture: Image) -> bool:
    """Whether a card lies wholly in the picture, with room to measure its edges."""
    height, width = picture.shape
    low, high = marker.corners_px.min(axis=0), marker.corners_px.max(axis=0)
    return bool((low >= ROOM_PX).all() and (high <= [width - 1 - ROOM_PX, height - 1 - ROOM_PX]).all())


class _Bundle:
    """Cards, cameras and lens as one vector of numbers, and how badly they explain the corners seen."""

    def __init__(self, found: Sequence[Sequence[FoundMarker]], side: float, lens: Lens) -> None:
        self.found = found
        self.side = side
        self.lens = lens
        self.ids = sorted({card.id for cards in found for card in cards})
        # Millimetres are counted from the largest card of the first picture.
        size = {card.id: card.side_px for card in found[0]}
        self.ids.sort(key=lambda k: (-size.get(k, 0.0), k))
        self.rows = [np.array([self.ids.index(card.id) for card in cards]) for cards in found]
        self.seen = [np.concatenate([card.corners_px for card in cards]) for cards in found]
        half = side / 2
        self.square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])

    def settled(self) -> CardFrame:
        """The best frame. Raises CannotTeach when a card does not fit, or nothing does."""
        # From the rough start everything is off, so nothing may count for less before it has settled.
        values = self._least(self._least(self._start(), math.inf), OUTLIER)
        lens, corners, stances = self._parts(values)
        poses, squares = [], np.zeros(len(self.ids))
        times = np.zeros(len(self.ids))
        misfit = []
        for rows, seen, (rotation, shift) in zip(self.rows, self.seen, stances, strict=True):
            plane = np.column_stack([rotation[:, 0], rotation[:, 1], shift])
            eye = -rotation.T @ shift
            pose = Pose(lens, inverse(plane), (float(eye[0]), float(eye[1]), float(-eye[2])), {})
            off = pose.to_mm(seen) - corners[rows].reshape(-1, 2)
            np.add.at(squares, rows, (off**2).sum(axis=1).reshape(-1, 4).mean(axis=1))
            np.add.at(times, rows, 1)
            misfit.append((pose.to_px(corners[rows].reshape(-1, 2)) - seen).ravel())
            poses.append(pose)
        off_mm = np.sqrt(squares / times)
        worst = int(np.argmax(off_mm))
        if not off_mm[worst] <= BENT_SHARE * self.side:
            raise CannotTeach(
                "bent_card",
                f"Card {self.ids[worst]} does not fit the others: it is off by {off_mm[worst]:.1f} mm. Lay "
                f"it flat, check that all cards are printed at the same size (black squares of "
                f"{self.side:g} mm), and take the whole picture, not a part that was cut out.",
                {"card": self.ids[worst], "off_mm": round(float(off_mm[worst]), 2)},
            )
        cards = tuple(FramedCard(number, corners[k], float(off_mm[k])) for k, number in enumerate(self.ids))
        error = float(np.sqrt(2 * np.mean(np.concatenate(misfit) ** 2)))
        return CardFrame(tuple(sorted(cards, key=lambda card: card.id)), tuple(poses), error)

    def _start(self) -> FloatArray:
        """A first guess: every camera straight above, at the height that the size of the cards tells."""
        views: list[list[float]] = []
        places = np.full((len(self.ids), 3), np.nan)
        for rows, seen in zip(self.rows, self.seen, strict=True):
            flat = before_lens(seen, self.lens).reshape(-1, 4, 2)
            sides = np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)
            far = self.side / float(sides.mean())
            middles = flat.mean(axis=1) * far
            right = flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]
            turns = np.arctan2(right[:, 1], right[:, 0])
            known = [k for k, row in enumerate(rows) if not np.isnan(places[row, 0])]
            if not views:
                # The first card lies upright at the origin.
                first = int(np.flatnonzero(rows == 0)[0])
                turn, origin = turns[first], middles[first]
            elif known:
                k = known[0]
                turn = turns[k] - places[rows[k], 2]
                origin = middles[k] - _turned(places[rows[k], :2], turn)
            else:
                raise CannotTeach(
                    "few_cards",
                    "The pictures have no card in common. Take them so that each shows most of the cards.",
                )
            for k, row in enumerate(rows):
                if np.isnan(places[row, 0]):
                    places[row] = [*_turned(middles[k] - origin, -turn), turns[k] - turn]
            views.append([0.0, 0.0, float(turn), *map(float, origin), far])
        return np.concatenate([[0.0, 0.0], np.ravel(views), places[1:].ravel()])

    def _parts(self, values: FloatArray) -> tuple[Lens, FloatArray, list[tuple[FloatArray, FloatArray]]]:
        """The lens, the cards' corners (cards x 4 x 2, mm), and each camera's rotation and shift."""
        lens = self.lens
        if lens.assumed:
            factor = math.exp(values[0] * ZOOM_SIGMA)
            k1 = lens.k1 + values[1] * K1_SIGMA
            lens = msgspec.structs.replace(lens, fx=lens.fx * factor, fy=lens.fy * factor, k1=k1)
        end = 2 + 6 * len(self.found)
        stances = []
        for view in values[2:end].reshape(-1, 6):
            rotation = np.asarray(cv2.Rodrigues(np.ascontiguousarray(view[:3]))[0], np.float64)
            stances.append((rotation, view[3:]))
        places = np.concatenate([np.zeros((1, 3)), values[end:].reshape(-1, 3)])
        cos, sin = np.cos(places[:, 2]), np.sin(places[:, 2])
        turns = np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=1)
        corners = np.einsum("kij,nj->kni", turns, self.square) + places[:, None, :2]
        return lens, corners, stances

    def _misfit(self, values: FloatArray, outlier: float) -> FloatArray | None:
        """Corners expected less corners seen, in standard deviations, and the lens' own; None if absurd."""
        lens, corners, stances = self._parts(values)
        off = []
        for rows, seen, (rotation, shift) in zip(self.rows, self.seen, stances, strict=True):
            there = corners[rows].reshape(-1, 2) @ rotation[:, :2].T + shift
            if (there[:, 2] <= 0).any():
                return None
            off.append((through_lens(there[:, :2] / there[:, 2:], lens) - seen).ravel() / CORNER_SIGMA_PX)
        return np.concatenate([_tamed(np.concatenate(off), outlier), values[:2]])

    def _least(self, values: FloatArray, outlier: float) -> FloatArray:
        """Least squares from a start (Levenberg-Marquardt, slopes by differences)."""
        views, cards = len(self.found), len(self.ids) - 1
        moves = np.concatenate(
            [[1e-4, 1e-4], np.tile([1e-6] * 3 + [1e-3] * 3, views), np.tile([1e-3, 1e-3, 1e-5], cards)]
        )
        now = self._misfit(values, outlier)
        damping = 1e-3
        for _ in range(STEPS):
            if now is None or damping > 1e9:
                break
            slopes = self._slopes(values, now, moves, outlier)
            if slopes is None:
                break
            normal = slopes.T @ slopes
            step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), slopes.T @ now)
            after = self._misfit(values + step, outlier)
            if after is not None and after @ after < now @ now:
                gain = now @ now - after @ after
                values, now = values + step, after
                damping /= 10
                if gain < 1e-9 * (1 + now @ now):
                    break
            else:
                damping *= 10
        return values

    def _slopes(
        self, values: FloatArray, now: FloatArray, moves: FloatArray, outlier: float
    ) -> FloatArray | None:
        columns = []
        for k, move in enumerate(moves):
            tried = values.copy()
            tried[k] += move
            row = self._misfit(tried, outlier)
            if row is None:
                return None
            columns.append((row - now) / move)
        return np.column_stack(columns)


def _tamed(off: FloatArray, outlier: float) -> FloatArray:
    """Residuals whose squares grow only linearly beyond `outlier` (Huber): one bad corner bends no frame."""
    if not math.isfinite(outlier):
        return off
    size = np.abs(off)
    less = np.sqrt(np.maximum(2 * outlier * size - outlier**2, 0))
    return np.where(size <= outlier, off, np.sign(off) * less)


def _turned(point: NDArray[np.floating], angle: float) -> FloatArray:
    """A point (x, y) turned by an angle (radians)."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]])
