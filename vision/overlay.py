"""A picture with what was read in it drawn over: for people who set up a table or wonder about a reading.

Never by colour alone: what was read has a whole green line and a tick, what is hidden a dashed white line
and a struck-out eye, what is doubtful a double amber line and an exclamation mark.
"""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.observation import Condition, Observation, Sighting
from vision.changes import space_outline
from vision.cover import footprint
from vision.geometry import FloatArray, MatGeometry
from vision.mat import Pose
from vision.optics import Image

# Blue, green, red, as OpenCV has them; the look's own signal colours.
GREEN = (206, 245, 194)
AMBER = (82, 188, 255)
WHITE = (246, 243, 238)
INK = (20, 16, 11)
LARGEST_PX = 2304
"""Pictures wider than this are made smaller, so that lines can be seen on a screen."""
MAX_PROBLEMS = 6

Colour = tuple[int, int, int]


class _Canvas:
    """A picture to draw on, in the pixels of the original."""

    def __init__(self, picture: NDArray[Any]) -> None:
        wide = picture.shape[1]
        self.scale = min(1.0, LARGEST_PX / wide)
        if self.scale < 1:
            size = (round(wide * self.scale), round(picture.shape[0] * self.scale))
            picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        if picture.ndim == 2:
            picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
        # Dimmed, so that thin light lines stand out on white paper.
        self.picture: Image = (picture[..., :3] * 0.72).astype(np.uint8)
        self.thick = max(2, round(self.picture.shape[1] / 900))

    def at(self, points: FloatArray) -> NDArray[np.int32]:
        """Points of the original (n x 2) as pixels to draw at."""
        return np.asarray(np.round((points + 0.5) * self.scale - 0.5), np.int32)

    def line(self, points: FloatArray, colour: Colour, *, wide: int = 0) -> None:
        """A closed line with a dark edge."""
        spots = self.at(points)
        for ink, width in ((INK, self.thick * 2 + 2 * wide), (colour, self.thick + wide)):
            cv2.polylines(self.picture, [spots], True, ink, width, cv2.LINE_AA)

    def dashes(self, points: FloatArray, colour: Colour) -> None:
        """A closed dashed line with a dark edge."""
        spots = self.at(points).astype(float)
        dash = 6.0 * self.thick
        for start, end in zip(spots, np.roll(spots, -1, axis=0), strict=True):
            length = float(np.hypot(*(end - start)))
            for i in range(max(1, round(length / (2 * dash)))):
                a = start + (end - start) * min(1.0, 2 * i * dash / max(length, 1))
                b = start + (end - start) * min(1.0, (2 * i + 1) * dash / max(length, 1))
                for ink, width in ((INK, self.thick * 2 + 2), (colour, self.thick + 1)):
                    cv2.line(self.picture, _spot(a), _spot(b), ink, width, cv2.LINE_AA)

    def words(self, text: str, x: float, y: float, colour: Colour, size: float = 1.0) -> None:
        """Words from a point of the drawing on (its own pixels, left end of the base line)."""
        scale = size * self.picture.shape[1] / 2304
        font = cv2.FONT_HERSHEY_SIMPLEX
        for ink, width in ((INK, 5), (colour, 2)):
            thick = max(1, round(width * scale))
            cv2.putText(self.picture, text, (round(x), round(y)), font, scale, ink, thick, cv2.LINE_AA)

    def sign(self, what: Condition, x: float, y: float, radius: float) -> None:
        """A disc with a sign: a tick, a struck-out eye, an exclamation mark."""
        colour = {Condition.HIDDEN: WHITE, Condition.DOUBTFUL: AMBER}.get(what, GREEN)
        centre = (round(x), round(y))
        r, thick = radius, max(2, round(radius / 5))
        cv2.circle(self.picture, centre, round(r), INK, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(self.picture, centre, round(r), colour, max(1, thick // 2), cv2.LINE_AA)
        if what is Condition.DOUBTFUL:
            cv2.line(self.picture, _xy(x, y - 0.6 * r), _xy(x, y + 0.1 * r), colour, thick, cv2.LINE_AA)
            cv2.circle(self.picture, _xy(x, y + 0.5 * r), thick // 2 + 1, colour, cv2.FILLED, cv2.LINE_AA)
        elif what is Condition.HIDDEN:
            axes = (round(0.65 * r), round(0.38 * r))
            cv2.ellipse(self.picture, centre, axes, 0, 0, 360, colour, max(1, thick // 2), cv2.LINE_AA)
            start, end = _xy(x - 0.55 * r, y + 0.55 * r), _xy(x + 0.55 * r, y - 0.55 * r)
            cv2.line(self.picture, start, end, colour, thick, cv2.LINE_AA)
        else:
            tick = [_xy(x - 0.5 * r, y), _xy(x - 0.1 * r, y + 0.4 * r), _xy(x + 0.5 * r, y - 0.45 * r)]
            cv2.polylines(self.picture, [np.array(tick, np.int32)], False, colour, thick, cv2.LINE_AA)


def overlay(picture: NDArray[Any], mat: MatGeometry, pose: Pose | None, observation: Observation) -> Image:
    """The picture (grey or BGR, 8 bit) with the observation drawn over it, as BGR.

    Without a pose only the words about the picture are drawn.
    """
    canvas = _Canvas(picture)
    if pose is not None:
        for marker in pose.markers:
            canvas.line(marker.corners_px, GREEN)
        for space in mat.spaces:
            condition = observation.condition(space.id)
            if condition in (Condition.HIDDEN, Condition.DOUBTFUL):
                _uncertain(canvas, pose, condition, space_outline(space, mat.hexgrid, 0.0))
        for sighting in observation.sightings:
            corners = pose.to_px(_outline(mat, sighting))
            canvas.line(corners, GREEN)
            _signed(canvas, Condition.HOLDS, corners, 0.2)
    _legend(canvas, observation)
    return canvas.picture


def _uncertain(canvas: _Canvas, pose: Pose, condition: Condition, outline: FloatArray) -> None:
    middle = outline.mean(axis=0)
    corners = pose.to_px(middle + (outline - middle) * 0.94)
    if condition is Condition.HIDDEN:
        canvas.dashes(corners, WHITE)
    else:
        canvas.line(corners, AMBER)
        canvas.line(pose.to_px(middle + (outline - middle) * 0.82), AMBER)
    _signed(canvas, condition, corners, 0.16)


def _signed(canvas: _Canvas, condition: Condition, corners: FloatArray, size: float) -> None:
    """The sign of a condition at the top right of an outline; `size` is its share of the outline."""
    spots = canvas.at(corners).astype(float)
    low, high = spots.min(axis=0), spots.max(axis=0)
    radius = max(7.0, size * float(min(high - low)))
    canvas.sign(condition, high[0] - radius * 0.6, low[1] + radius * 0.6, radius)


def _outline(mat: MatGeometry, sighting: Sighting) -> FloatArray:
    """Corners (4 x 2, mm) of the piece, where the mat knows it, else of its code."""
    if mat.printed is not None:
        return footprint(mat.printed, sighting, 0.5)
    half = mat.code_size(sighting.payload) / 2 + 1
    turn = math.radians(sighting.turn_deg)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    return np.asarray(corners @ rotation.T + [sighting.x_mm, sighting.y_mm], np.float64)


def _legend(canvas: _Canvas, observation: Observation) -> None:
    """How many of each, and what is wrong with the picture."""
    unit = canvas.picture.shape[1] / 2304
    x, y = 36 * unit, 52 * unit
    rows = (
        (Condition.HOLDS, f"tags read: {len(observation.sightings)}"),
        (Condition.HIDDEN, f"hidden spaces: {len(observation.hidden)}"),
        (Condition.DOUBTFUL, f"doubtful spaces: {len(observation.doubtful)}"),
    )
    for condition, text in rows:
        canvas.sign(condition, x, y - 10 * unit, 20 * unit)
        canvas.words(text, x + 34 * unit, y, WHITE)
        x += (110 + 19 * len(text)) * unit
    if observation.foreign:
        canvas.words(f"codes not ours: {len(observation.foreign)}", x, y, WHITE)
    for problem in observation.problems[:MAX_PROBLEMS]:
        y += 48 * unit
        words = problem.text if len(problem.text) <= 130 else problem.text[:129] + "..."
        canvas.words(f"! {words}", 36 * unit, y, AMBER, 0.85)


def _xy(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)


def _spot(point: FloatArray) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
