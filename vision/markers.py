"""Finding the mat's ArUco markers in a picture, their corners to a few hundredths of a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import FloatArray
from vision.optics import Image, halved, sample

HALF_FROM_WIDTH = 2600
"""Pictures at least this wide (pixels) are searched for markers at half size."""
ENOUGH_MARKERS = 4
"""With so many found by the quick search the thorough one is spared."""

EDGE_PX = 1.5
"""A corner nearer to the edge of the searched picture may lie outside it."""


@dataclass(frozen=True, eq=False)
class FoundMarker:
    """One marker seen: its number and its corners in pixels (4 x 2, ArUco's order)."""

    id: int
    corners_px: FloatArray

    @property
    def side_px(self) -> float:
        """Mean length of its sides in pixels."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


def find_markers(
    picture: Image,
    dictionary: str = "DICT_4X4_50",
    half: Image | None = None,
    enough: int = ENOUGH_MARKERS,
) -> list[FoundMarker]:
    """The markers of that dictionary in a grey picture, corners to a fraction of a pixel.

    `half` is the picture from `halved`, when the caller has it already. A quick search that finds `enough`
    is not followed by the thorough one. Raises ValueError for a dictionary OpenCV does not know.
    """
    known: object = getattr(cv2.aruco, dictionary, None)
    if not dictionary.startswith("DICT_") or not isinstance(known, int):
        raise ValueError(f"there is no marker dictionary {dictionary!r}")
    known_markers = cv2.aruco.getPredefinedDictionary(known)
    scale = 2 if picture.shape[1] >= HALF_FROM_WIDTH else 1
    small = picture if scale == 1 else halved(picture) if half is None else half
    found: list[FoundMarker] = []
    for parameters in (_quick(), _thorough()):
        corners, ids, _ = cv2.aruco.ArucoDetector(known_markers, parameters).detectMarkers(small)
        for number, quad in zip(_ids(ids), corners, strict=True):
            if _cut_off(np.asarray(quad), small):
                continue
            # A pixel of the small picture covers `scale` of the large one; centres have whole numbers.
            rough = (np.asarray(quad, np.float32).reshape(4, 2) + 0.5) * scale - 0.5
            if not any(_same(number, rough, other) for other in found):
                found.append(FoundMarker(number, _refined(picture, rough)))
        if len(found) >= enough:
            break
    return found


def _cut_off(quad: NDArray[np.floating], picture: Image) -> bool:
    """Whether the picture's edge cuts a marker off: its corners are then not where they seem to be."""
    x, y = quad.reshape(4, 2).T
    height, width = picture.shape
    return bool(min(x.min(), y.min(), width - 1 - x.max(), height - 1 - y.max()) < EDGE_PX)


def _same(number: int, corners: NDArray[np.floating], other: FoundMarker) -> bool:
    """Whether this is a marker that the other search has found already; elsewhere it is a second copy."""
    apart = corners.mean(axis=0) - other.corners_px.mean(axis=0)
    return number == other.id and float(np.hypot(*apart)) < 0.5 * other.side_px


def _ids(ids: object) -> list[int]:
    """OpenCV says None for no marker; its stubs do not know."""
    return [] if ids is None else [int(number) for number in np.asarray(ids).ravel()]


def _quick() -> cv2.aruco.DetectorParameters:
    """One threshold window, and no outline smaller than a 9 mm marker from 900 mm: a fifth of the time."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.03
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 15
    return parameters


def _thorough() -> cv2.aruco.DetectorParameters:
    """Small markers too, and several windows for bad light.

    OpenCV's own values look for windows of up to 23 but for outlines of at least 3 % only.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.01
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = 25
    parameters.adaptiveThreshWinSizeStep = 10
    # Otherwise a marker goes as well when the paper round it, another square, touches the picture's edge.
    parameters.minDistanceToBorder = 0
    return parameters


def _refined(picture: Image, rough: NDArray[np.float32]) -> FloatArray:
    """Corners as the crossings of the marker's four edges, each edge a line through many profiles.

    Corner finders pull the corner of a black square inwards as blur grows, by 0.2 px here. That cancels
    over four markers, but with two it bends the far side of the mat by millimetres; edges have no such
    pull. Returns the rough corners when an edge is not clear enough.
    """
    corners = np.asarray(rough, np.float64)
    for reach in (5.0, 4.0):
        lines = [_edge(picture, corners[i], corners[(i + 1) % 4], reach) for i in range(4)]
        moved = []
        for i in range(4):
            before, after = lines[i - 1], lines[i]
            point = None if before is None or after is None else _crossing(before, after)
            if point is None or np.linalg.norm(point - rough[i]) > 4:
                return np.asarray(rough, np.float64)
            moved.append(point)
        corners = np.array(moved)
    return corners


def _edge(picture: Image, start: FloatArray, end: FloatArray, reach: float) -> FloatArray | None:
    """The straight edge near start-end: a line (a, b, c), a x + b y = c, or None when it is unclear.

    Profiles run from the black inside to the white outside. Where one goes from black to white follows
    from its mean alone, without bias by blur: the share of white is the share outside.
    """
    along = end - start
    length = float(np.hypot(*along))
    if length < 12:
        return None
    along = along / length
    # ArUco's order is clockwise in the picture, so the outside is on the left of start -> end.
    outward = np.array([along[1], -along[0]])
    # Half a module inside and outside: neither the pattern nor what lies beside the marker.
    reach = min(reach, length / 6 * 0.6)
    steps = np.linspace(-reach, reach, 33)
    places = np.linspace(0.12, 0.88, 25) * length
    spots = start + places[:, None, None] * along + steps[None, :, None] * outward
    if (spots < 1).any() or (spots > [picture.shape[1] - 2, picture.shape[0] - 2]).any():
        return None
    profiles = sample(picture, spots).astype(np.float64)
    black, white = np.median(profiles[:, :5]), np.median(profiles[:, -5:])
    if white - black < 8:
        return None
    share = (profiles.mean(axis=1) - black) / (white - black)
    offsets = reach * (1 - 2 * share)
    good = np.abs(offsets - np.median(offsets)) < 1.0
    if good.sum() < 13:
        return None
    slope, middle = np.polyfit(places[good], offsets[good], 1)
    first = start + middle * outward
    direction = along + slope * outward
    normal = np.array([-direction[1], direction[0]])
    return np.array([normal[0], normal[1], float(normal @ first)])


def _crossing(one: FloatArray, other: FloatArray) -> FloatArray | None:
    system = np.array([one[:2], other[:2]])
    if abs(np.linalg.det(system)) < 0.1:
        return None
    return np.asarray(np.linalg.solve(system, np.array([one[2], other[2]])), np.float64)
