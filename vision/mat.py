"""Where the printed mat is in a picture: markers to pose, millimetres to pixels and back.

Only points are ever undistorted, never the twelve megapixels: a table of points costs microseconds where
a remapped picture costs more than all decoding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.geometry import FloatArray, Lens, MatGeometry
from vision.markers import FoundMarker, find_markers
from vision.optics import Image, before_lens, inverse, mapped, through_lens

Point3 = tuple[float, float, float]

FEWEST_MARKERS = 2
"""With a single marker the far side of a mat would be guessed to a centimetre: not used."""
MOVED_MARKER_MM = 4.0
"""When markers disagree by more than this, nobody knows where the mat is."""
CORNER_SIGMA_PX = 0.15
"""How well a marker's corner is placed, for weighing the assumed lens against the markers."""
MISFIT_PX = 0.4
"""Misfit of a rigid pose (root mean square) from which a marker was moved or the lens is another."""
ZOOM_SIGMA = 0.15
"""How far the logarithm of an unmeasured lens' focal length may plausibly be off."""
K1_SIGMA = 0.03
"""How far the distortion of an unmeasured lens may plausibly be from `TYPICAL_K1`."""


@dataclass(frozen=True, eq=False)
class Pose:
    """How one picture sees one mat.

    `to_plane` maps undistorted, normalised picture points to mm (3 x 3); `camera_mm` is where the lens
    is (x, y on the mat, height above it); `residuals_mm` tells per marker how far its corners lie from
    where the pose puts them (root mean square, mm).
    """

    lens: Lens
    to_plane: FloatArray
    camera_mm: tuple[float, float, float]
    residuals_mm: dict[int, float]
    markers: tuple[FoundMarker, ...] = ()

    @property
    def residual_mm(self) -> float:
        """Root mean square over all marker corners, mm."""
        values = list(self.residuals_mm.values())
        return math.sqrt(sum(value * value for value in values) / len(values)) if values else 0.0

    def to_mm(self, points_px: NDArray[np.floating]) -> FloatArray:
        """Points of the picture (n x 2, pixels) as points on the mat (n x 2, mm)."""
        return mapped(self.to_plane, before_lens(points_px, self.lens))

    def to_px(self, points_mm: NDArray[np.floating]) -> FloatArray:
        """Points on the mat (n x 2, mm) as points of the picture (n x 2, pixels)."""
        flat = mapped(inverse(self.to_plane), np.asarray(points_mm, float).reshape(-1, 2))
        return through_lens(flat, self.lens)

    def px_per_mm(self, points_mm: NDArray[np.floating]) -> FloatArray:
        """How many pixels a millimetre takes at points of the mat (n x 2), in its worse direction."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        step = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        seen = self.to_px((points[:, None, :] + step).reshape(-1, 2)).reshape(-1, 3, 2)
        jacobian = np.stack([seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0]], axis=-1)
        return np.asarray(np.linalg.svd(jacobian, compute_uv=False)[:, -1], float)

    def raised(self, points_mm: FloatArray, height_mm: NDArray[np.floating] | float) -> FloatArray:
        """Where things seen at points of the mat (n x 2) really are when they lie `height_mm` above it."""
        x, y, z = self.camera_mm
        share = np.clip(np.asarray(height_mm, float) / max(z, 1.0), 0.0, 0.5)
        share = np.broadcast_to(share, (len(points_mm),))[:, None]
        return np.asarray(points_mm + (np.array([x, y]) - points_mm) * share, float)


def locate(picture: Image, geometry: MatGeometry, lens: Lens | None = None) -> Pose | None:
    """The pose of the mat in a grey picture, or None when fewer than two of its markers are seen.

    `lens` overrides the geometry's own; with neither, a Camera Module 3 is assumed and its distortion
    adjusted to the markers.
    """
    return pose_from(find_markers(picture, geometry.dictionary), geometry, lens_for(picture, geometry, lens))


def lens_for(picture: Image, geometry: MatGeometry, lens: Lens | None = None) -> Lens:
    """The lens to use for a picture of that size."""
    height, width = picture.shape[:2]
    measured = lens or geometry.lens
    return measured.scaled_to(width, height) if measured else Lens.camera_module_3(width, height)


def pose_from(found: Sequence[FoundMarker], geometry: MatGeometry, lens: Lens) -> Pose | None:
    """The pose that fits the markers found, or None when they do not say where the mat is.

    Strange numbers are ignored. Of two copies of a marker the one that fits counts, and a marker that
    contradicts all others is left out. Fewer than two markers, or no agreement, give None.
    """
    places = {place.id: np.array(place.corners_mm, np.float64) for place in geometry.markers}
    ours = [marker for marker in found if marker.id in places]
    while len({marker.id for marker in ours}) < len(ours):
        ids = [marker.id for marker in ours]
        ours = _best_without_one(ours, [i for i, k in enumerate(ids) if ids.count(k) > 1], places, lens).ours
    if len(ours) < FEWEST_MARKERS:
        return None
    fit = _Fit.of(ours, places, lens)
    if fit.error_px > CORNER_SIGMA_PX and lens.assumed:
        # All markers under another lens before fewer under this one: three agree about many lenses.
        tuned = msgspec.structs.replace(_tuned(fit.seen, fit.there, lens, zoom=True), assumed=False)
        other = _Fit.of(ours, places, tuned)
        fit = other if other.error_px <= MISFIT_PX else fit
    if fit.error_px > MISFIT_PX:
        fit = _agreeing(fit, places, lens)
    if fit.error_px > MISFIT_PX and len(ours) >= 4:
        fit = fit.loosened()
    return fit.pose()


@dataclass(frozen=True, eq=False)
class _Fit:
    """A pose tried on some markers; the error is infinite when there is none."""

    ours: list[FoundMarker]
    seen: FloatArray
    there: FloatArray
    lens: Lens
    to_plane: FloatArray
    camera_mm: Point3
    error_px: float

    @classmethod
    def of(cls, ours: list[FoundMarker], places: dict[int, FloatArray], lens: Lens) -> _Fit:
        """The best rigid pose; an assumed lens gets the distortion that the markers make most likely."""
        seen = np.concatenate([marker.corners_px for marker in ours])
        there = np.concatenate([places[marker.id] for marker in ours])
        if lens.assumed:
            lens = _undistorted(seen, there, lens)
        rigid = _rigid(seen, there, lens)
        if rigid is None:
            return cls(ours, seen, there, lens, np.eye(3), (0.0, 0.0, 0.0), math.inf)
        plane, camera = rigid
        return cls(ours, seen, there, lens, plane, camera, _error_px(seen, there, inverse(plane), lens))

    def loosened(self) -> _Fit:
        """The same markers by a plain homography, when that fits much better.

        Its eight free numbers make up for a wrong focal length and for a mat that was not put together
        true, where the six of a rigid pose cannot.
        """
        free = _free(self.seen, self.there, self.lens)
        if free is None or not math.isfinite(self.error_px):
            return self
        error = _error_px(self.seen, self.there, inverse(free), self.lens)
        if self.error_px < 1.5 * error:
            return self
        return _Fit(self.ours, self.seen, self.there, self.lens, free, self.camera_mm, error)

    def pose(self) -> Pose | None:
        """The pose found, or None when it contradicts its own markers."""
        if not math.isfinite(self.error_px) or self.camera_mm[2] <= 0:
            return None
        off = mapped(self.to_plane, before_lens(self.seen, self.lens)) - self.there
        each = np.sqrt((off**2).sum(axis=1).reshape(-1, 4).mean(axis=1))
        if each.max() > MOVED_MARKER_MM:
            return None
        residuals = {marker.id: float(value) for marker, value in zip(self.ours, each, strict=True)}
        return Pose(self.lens, self.to_plane, self.camera_mm, residuals, tuple(self.ours))


def _best_without_one(
    ours: list[FoundMarker], which: Sequence[int], places: dict[int, FloatArray], lens: Lens
) -> _Fit:
    """The best fit that leaves out one marker of those at the given indices."""
    fits = [_Fit.of(ours[:i] + ours[i + 1 :], places, lens) for i in which]
    return min(fits, key=lambda fit: fit.error_px)


def _agreeing(fit: _Fit, places: dict[int, FloatArray], lens: Lens) -> _Fit:
    """The fit without up to a third of the markers, if the rest then agree; else the fit as it is.

    At least three have to remain: two always agree about something.
    """
    rest = fit
    for _ in range(len(fit.ours) // 3):
        if len(rest.ours) <= 3:
            break
        rest = _best_without_one(rest.ours, range(len(rest.ours)), places, lens)
        if rest.error_px <= MISFIT_PX:
            return rest
    return fit


def _rigid(seen: FloatArray, there: FloatArray, lens: Lens) -> tuple[FloatArray, Point3] | None:
    """A flat mat before a known lens: six numbers. The map to the plane and the camera's place."""
    flat = before_lens(seen, lens)
    solid = np.column_stack([there, np.zeros(len(there))])
    eye = np.eye(3)
    none = np.zeros(5)
    _, turns, shifts, _ = cv2.solvePnPGeneric(solid, flat, eye, none, flags=cv2.SOLVEPNP_IPPE)
    # A plane has two poses that look nearly alike, and with markers at opposite corners the closed form
    # may rank them wrongly or start far off: each is refined, and so is a camera straight above.
    starts = [
        (np.asarray(t, float).reshape(3), np.asarray(v, float).reshape(3))
        for t, v in zip(turns, shifts, strict=True)
    ]
    fits = [_settled(solid, flat, *start) for start in [*starts, _straight_above(flat, there)]]
    error, rotation, shift = min(fits, key=lambda fit: fit[0])
    if not math.isfinite(error):
        return None
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    if abs(np.linalg.det(plane)) < 1e-9:
        return None
    place = -rotation.T @ shift
    # z runs into the table, so the camera's own z is minus its height.
    return inverse(plane), (float(place[0]), float(place[1]), float(-place[2]))


def _settled(
    solid: FloatArray, flat: FloatArray, turn: FloatArray, shift: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Least squares from a start (Levenberg-Marquardt): error, rotation and shift; infinite when lost.

    OpenCV's own refinement stops on a tolerance made for pixels, long before normalised points settle.
    """

    def seen(rotation: FloatArray, shift: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        before = solid @ rotation.T + shift
        if (before[:, 2] <= 0).any():
            return before, before, math.inf
        residual = before[:, :2] / before[:, 2:] - flat
        return before, residual, float((residual**2).sum())

    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    before, residual, error = seen(rotation, shift)
    damping = 1e-3
    for _ in range(60):
        if not math.isfinite(error) or damping > 1e8:
            break
        x, y, z = before.T
        none = np.zeros_like(z)
        by_point = np.stack(
            [np.column_stack([1 / z, none, -x / z**2]), np.column_stack([none, 1 / z, -y / z**2])], axis=1
        )
        arm = before - shift
        by_turn = np.stack([np.cross(axis, arm) for axis in np.eye(3)], axis=-1)
        # Turning by radians and shifting by distances: in units of the distance both weigh alike.
        far = float(shift[2])
        jacobian = np.concatenate([by_point @ by_turn, by_point * far], axis=2).reshape(-1, 6)
        normal = jacobian.T @ jacobian
        step = -np.linalg.solve(normal + damping * np.diag(np.diag(normal)), jacobian.T @ residual.ravel())
        trial_rotation = np.asarray(cv2.Rodrigues(step[:3])[0], np.float64) @ rotation
        trial_shift = shift + step[3:] * far
        trial = seen(trial_rotation, trial_shift)
        if trial[2] < error:
            gain = error - trial[2]
            rotation, shift, (before, residual, error) = trial_rotation, trial_shift, trial
            damping /= 10
            if gain < 1e-7 * error:
                break
        else:
            damping *= 10
    return error, rotation, shift


def _straight_above(flat: FloatArray, there: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotation vector and shift of an untilted camera: the similarity that fits normalised points."""
    a = flat[:, 0] + 1j * flat[:, 1]
    b = there[:, 0] + 1j * there[:, 1]
    a_mid, b_mid = a.mean(), b.mean()
    turn = np.vdot(b - b_mid, a - a_mid) / np.vdot(b - b_mid, b - b_mid)
    distance = 1 / max(abs(turn), 1e-9)
    shift = (a_mid - turn * b_mid) * distance
    return np.array([0.0, 0.0, float(np.angle(turn))]), np.array([shift.real, shift.imag, distance])


def _free(seen: FloatArray, there: FloatArray, lens: Lens) -> FloatArray | None:
    """A plain homography: eight numbers, true even when the focal length is wrong."""
    found: object = cv2.findHomography(before_lens(seen, lens), there, 0)[0]
    matrix = None if found is None else np.asarray(found, np.float64)
    return None if matrix is None or abs(np.linalg.det(matrix)) < 1e-12 else matrix


def _undistorted(seen: FloatArray, there: FloatArray, lens: Lens) -> Lens:
    """The lens with the most likely distortion: that of the markers, weighed against what is typical."""
    if len(seen) < 16:
        # Two or three markers leave a homography so loose that it swallows any distortion.
        return _tuned(seen, there, lens, zoom=False)

    def cost(k1: float) -> float:
        trial = msgspec.structs.replace(lens, k1=k1)
        plane = _free(seen, there, trial)
        if plane is None:
            return math.inf
        error = _error_px(seen, there, inverse(plane), trial) / CORNER_SIGMA_PX
        return len(seen) * error**2 + ((k1 - lens.k1) / K1_SIGMA) ** 2

    reach = 4 * K1_SIGMA
    return msgspec.structs.replace(lens, k1=_least(cost, lens.k1 - reach, lens.k1 + reach, 2e-4))


def _tuned(seen: FloatArray, there: FloatArray, lens: Lens, *, zoom: bool) -> Lens:
    """The lens whose distortion (and focal length, with `zoom`) lets a rigid pose fit best.

    Gauss-Newton over these one or two numbers, each weighed against what is plausible; the pose that
    goes with them is found anew each time.
    """

    def made(values: FloatArray) -> Lens:
        factor = math.exp(values[1] * ZOOM_SIGMA)
        k1 = lens.k1 + values[0] * K1_SIGMA
        return msgspec.structs.replace(lens, fx=lens.fx * factor, fy=lens.fy * factor, k1=k1)

    def misfit(values: FloatArray) -> FloatArray | None:
        trial = made(values)
        rigid = _rigid(seen, there, trial)
        if rigid is None:
            return None
        off = through_lens(mapped(inverse(rigid[0]), there), trial) - seen
        return np.concatenate([off.ravel() / CORNER_SIGMA_PX, values])

    values = np.zeros(2)
    now = misfit(values)
    for _ in range(8):
        moves = [np.array([0.02, 0.0]), np.array([0.0, 0.02])][: 2 if zoom else 1]
        tried = [misfit(values + move) for move in moves]
        if now is None or any(row is None for row in tried):
            break
        slopes = np.column_stack([(row - now) / 0.02 for row in tried if row is not None])
        step = np.zeros(2)
        step[: len(moves)] = -np.linalg.lstsq(slopes, now, rcond=None)[0]
        step = step.clip(-1.5, 1.5)
        after = misfit(values + step)
        if after is None or after @ after >= now @ now:
            break
        values, now = values + step, after
        if np.abs(step).max() < 0.01:
            break
    return made(values)


def _least(cost: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Where a function with one valley is least (golden section)."""
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = cost(left), cost(right)
    while high - low > tolerance:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = cost(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = cost(right)
    return (low + high) / 2


def _error_px(seen: FloatArray, there: FloatArray, from_plane: FloatArray, lens: Lens) -> float:
    """Root mean square distance in pixels between corners seen and corners expected."""
    expected = through_lens(mapped(from_plane, there), lens)
    return float(np.sqrt(((expected - seen) ** 2).sum(axis=1).mean()))
