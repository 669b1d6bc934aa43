"""Somebody's own hex map, taught from a picture: marker cards round it, and the middles of some named hexes.

The cards give the plane in millimetres (`vision.card_frame`). The spaces of the game's own layout are then
laid over the spaces pointed at. How they may be bent to fit depends on how many points there are:

    from 3   similarity   moved, turned, another size: four numbers
    from 4   affine       also longer one way than the other: six numbers
    from 6   homography   also narrowing to one side: eight numbers

so that every fit has at least two numbers to spare that can contradict it. The plainest that brings each
point within an eighth of a hex of *where the other points put it* is taken, failing that the best. That
distance, the point left out of its own fit, is what is judged: the plain residual of a fit through three
points is small whatever they are called. More than a quarter of a hex, measured across flats, is refused,
and the points that spoil it are named. Boards without hexes are taught space by space (`vision.zones`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import cv2
import msgspec
import numpy as np

from assistant.layout import HexGrid, LayoutError, Mat
from vision.card_frame import CannotTeach, CardFrame, frame_of
from vision.geometry import FloatArray, Lens
from vision.marker_cards import MARKER_MM
from vision.optics import Image, inverse, mapped
from vision.taught import Ground, Taught, cross, drawn, geometry_in

FEWEST_POINTS = 3
WORST_SHARE = 1 / 4
"""A point may lie this share of a hex across flats from where the others put it, no more."""
GOOD_SHARE = 1 / 8
"""So near, no freer fit is tried."""
NAMED_SHARE = 0.15
"""With three points, another name is only suggested where it would fit this well (share of a hex)."""
SURE_RATIO = 3.0
"""A point is named alone when without it the others fit so many times better than without any other."""
FARTHEST_REACH = 2.5
"""How many times larger than the error of pointing the error may be at the board's worst space."""
UNEVEN = 1.08
"""Printed hexes are regular: a fit that makes them longer one way than the other by more than this share
explains wrong names, not a board."""

Model = Literal["similarity", "affine", "homography"]


class Point(msgspec.Struct, frozen=True):
    """A space pointed at: its name and the middle of it in the first picture (pixels)."""

    space: str
    x_px: float
    y_px: float


class PointFit(msgspec.Struct, frozen=True):
    """How one point fits: how far (mm) the spot lies from the space's middle in the fit, and from where the
    other points alone put it."""

    space: str
    x_px: float
    y_px: float
    off_mm: float
    apart_mm: float


@dataclass(frozen=True, eq=False)
class Board(Taught):
    """A hex map that was taught. `across_mm` is a hex across flats as found: measure one to check."""

    model: Model
    across_mm: float
    limit_mm: float
    points: tuple[PointFit, ...]

    @property
    def worst(self) -> PointFit:
        """The point that fits worst."""
        return max(self.points, key=lambda point: point.apart_mm)


def teach(
    mat: Mat,
    pictures: Sequence[Image],
    points: Sequence[Point],
    *,
    marker_mm: float = MARKER_MM,
    token_mm: float | None = None,
    lens: Lens | None = None,
) -> Board:
    """Learn where the hexes of a game's map are on somebody's own board.

    `pictures` are grey, of one camera; the points lie in the first, further ones only help to place the
    cards. `marker_mm` is the side of the cards' black squares, `token_mm` how far the printed side of a
    token lies above the board where tokens are not flat. Raises LayoutError for names that are wrong or
    too few, CannotTeach when picture or points do not do.
    """
    template = _Template.of(mat)
    _check(template, points)
    frame = frame_of(pictures, marker_mm=marker_mm, lens=lens)
    spots = np.array([[point.x_px, point.y_px] for point in points])
    there = frame.poses[0].to_mm(spots)
    fit = _chosen(template, [point.space for point in points], there)
    fits = tuple(
        PointFit(p.space, float(p.x_px), float(p.y_px), round(float(off), 2), round(float(apart), 2))
        for p, off, apart in zip(points, fit.off_mm, fit.apart_mm, strict=True)
    )
    return _board(mat, template, frame, fit, fits, marker_mm, token_mm)


# ---- what is laid over the board


@dataclass(frozen=True, eq=False)
class _Template:
    """The hexes of a game's layout: names and middles (n x 2), in units of the hex's side."""

    names: tuple[str, ...]
    middles: FloatArray
    grid: HexGrid

    across = math.sqrt(3)
    """One hex across flats."""

    @classmethod
    def of(cls, mat: Mat) -> _Template:
        """The hexes of a mat. Raises LayoutError where it has none."""
        cells = {space.id: space.hex for space in mat.spaces if space.hex is not None}
        if not cells:
            raise LayoutError([f"{mat.title} has no hexes: its spaces are taught one by one, as zones"])
        grid = HexGrid(1.0, (0.0, 0.0), tuple(cells.values()))
        return cls(tuple(cells), np.array([grid.centre(*cell) for cell in grid.cells]), grid)

    def at(self, name: str) -> FloatArray:
        """The middle of a space."""
        return np.asarray(self.middles[self.names.index(name)], np.float64)

    def nearest(self, point: FloatArray) -> tuple[str, float]:
        """The space whose middle is nearest to a point, and how far that is as a share of a hex."""
        apart = np.hypot(*(self.middles - point).T)
        k = int(np.argmin(apart))
        return self.names[k], float(apart[k]) / self.across


def _check(template: _Template, points: Sequence[Point]) -> None:
    """Names and number of the points. Raises LayoutError."""
    names = [point.space for point in points]
    faults = [f"there is no space {name!r} on this board" for name in names if name not in template.names]
    faults += [f"{name} is pointed at twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    if len(points) < FEWEST_POINTS:
        faults.append(
            f"{len(points)} points are too few: point at {FEWEST_POINTS} spaces or more, far apart; "
            "six are better"
        )
    if faults:
        raise LayoutError(faults)


# ---- the fit


@dataclass(frozen=True, eq=False)
class _Fit:
    """A map from the template to the plane (3 x 3), and how the points lie in it (mm)."""

    model: Model
    to_plane: FloatArray
    off_mm: FloatArray
    apart_mm: FloatArray
    across_mm: float

    @property
    def share(self) -> float:
        """The worst point's distance from where the others put it, as a share of a hex."""
        return float(self.apart_mm.max()) / self.across_mm


def _similarity(there: FloatArray, seen: FloatArray) -> FloatArray | None:
    """Moved, turned and scaled: least squares over complex numbers."""
    a, b = there @ np.array([1, 1j]), seen @ np.array([1, 1j])
    spread = float((np.abs(a - a.mean()) ** 2).sum())
    if spread < 1e-9:
        return None
    turn = complex(np.vdot(a - a.mean(), b - b.mean())) / spread
    shift = complex(b.mean() - turn * a.mean())
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0, 0, 1.0]])


def _affine(there: FloatArray, seen: FloatArray) -> FloatArray | None:
    lifted = np.column_stack([there, np.ones(len(there))])
    if np.linalg.matrix_rank(lifted, tol=1e-6) < 3:
        return None
    rows = np.linalg.lstsq(lifted, seen, rcond=None)[0].T
    return np.vstack([rows, [0, 0, 1.0]])


def _homography(there: FloatArray, seen: FloatArray) -> FloatArray | None:
    found: object = cv2.findHomography(there, seen, 0)[0]
    matrix = None if found is None else np.asarray(found, np.float64)
    return None if matrix is None or abs(np.linalg.det(matrix)) < 1e-9 else matrix


_FITS: tuple[tuple[Model, int, Callable[[FloatArray, FloatArray], FloatArray | None]], ...] = (
    ("similarity", 3, _similarity),
    ("affine", 4, _affine),
    ("homography", 6, _homography),
)
"""Each kind of fit with the points from which on it is tried, the plainest first."""


def _fits(template: _Template, there: FloatArray, seen: FloatArray) -> Iterator[_Fit]:
    """Every fit that so many points allow, whose hexes are regular and whose errors stay small.

    A point without which nothing can be fitted is infinitely far from where the others put it.
    """
    for model, fewest, least in _FITS:
        if len(there) < fewest:
            continue
        whole = least(there, seen)
        if (
            whole is None
            or not _even(template, whole)
            or _reach(template, there, seen, least) > FARTHEST_REACH
        ):
            continue
        apart = np.full(len(there), math.inf)
        for k in range(len(there)):
            rest = np.arange(len(there)) != k
            without = least(there[rest], seen[rest])
            if without is not None:
                apart[k] = float(np.hypot(*(mapped(without, there[k : k + 1]) - seen[k : k + 1])[0]))
        off = np.hypot(*(mapped(whole, there) - seen).T)
        yield _Fit(model, whole, off, apart, template.across * _scale(whole, template.middles.mean(axis=0)))


def _slopes(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """How a homography stretches at points (n x 2): n matrices of 2 x 2."""
    step = 1e-4
    moved = [mapped(matrix, points + shift) for shift in ([step, 0], [-step, 0], [0, step], [0, -step])]
    return np.stack([moved[0] - moved[1], moved[2] - moved[3]], axis=-1) / (2 * step)


def _scale(matrix: FloatArray, at: FloatArray) -> float:
    return math.sqrt(abs(float(np.linalg.det(_slopes(matrix, at[None])[0]))))


def _even(template: _Template, matrix: FloatArray) -> bool:
    """Whether hexes come out regular, all of about one size, and not mirrored."""
    slopes = _slopes(matrix, template.middles)
    if not np.isfinite(slopes).all() or (np.linalg.det(slopes) <= 0).any():
        return False
    stretch = np.linalg.svd(slopes, compute_uv=False)
    return bool(stretch.max() / stretch.min() <= UNEVEN)


def _reach(
    template: _Template,
    there: FloatArray,
    seen: FloatArray,
    least: Callable[[FloatArray, FloatArray], FloatArray | None],
) -> float:
    """How many times an error of pointing is enlarged at the worst space of the board."""
    whole = least(there, seen)
    if whole is None:
        return math.inf
    before = mapped(whole, template.middles)
    nudge = 0.01 * template.across * _scale(whole, template.middles.mean(axis=0))
    moved = np.zeros(len(before))
    for k in range(len(seen)):
        for axis in (0, 1):
            tried = seen.copy()
            tried[k, axis] += nudge
            other = least(there, tried)
            if other is None:
                return math.inf
            moved += ((mapped(other, template.middles) - before) ** 2).sum(axis=1)
    return math.sqrt(float(moved.max()) / 2) / nudge


def _best(template: _Template, there: FloatArray, seen: FloatArray) -> _Fit | None:
    """The plainest good fit, else the best; None when the points are too near together for any."""
    fits = list(_fits(template, there, seen))
    for fit in fits:
        if fit.share <= GOOD_SHARE:
            return fit
    return min(fits, key=lambda fit: fit.share, default=None)


def _chosen(template: _Template, names: Sequence[str], seen: FloatArray) -> _Fit:
    """The fit of the template to the spots (n x 2, mm). Raises CannotTeach, naming suspected points."""
    there = np.array([template.at(name) for name in names])
    reach = _reach(template, there, seen, _similarity)
    if reach > FARTHEST_REACH:
        raise CannotTeach(
            "too_near",
            f"The points lie too near together: an error of pointing would be {reach:.0f} times as large at "
            "the far side of the board. Point at spaces near its ends and corners.",
            {"times": round(reach, 1) if math.isfinite(reach) else 999},
        )
    fit = _best(template, there, seen)
    assert fit is not None  # the similarity at least: it is even, and its reach was looked at
    if fit.share <= WORST_SHARE:
        return fit
    raise _refusal(template, names, there, seen, fit)


def _refusal(
    template: _Template, names: Sequence[str], there: FloatArray, seen: FloatArray, fit: _Fit
) -> CannotTeach:
    """Which points spoil the fit, what they might be called, and what to do."""
    limit = WORST_SHARE * fit.across_mm
    sure, suspects = _suspects(template, names, there, seen)
    if sure:
        told = "; ".join(f"{name} {_hint(name, apart, other)}" for name, apart, other in suspects)
        many = len(suspects) > 1
        text = (
            f"The points do not fit together, but without {' and '.join(s[0] for s in suspects)} the others "
            f"do: {told}. At most {limit:.1f} mm is taken, a quarter of a hex across flats. Check the name "
            f"and the place of {'these points' if many else 'this point'}, and teach again."
        )
        apart_mm = suspects[0][1]
    else:
        k = int(np.argmax(fit.apart_mm))
        apart_mm = float(fit.apart_mm[k])
        maybe = ", or ".join(f"{name} looks like {other}" for name, _, other in suspects if other)
        text = (
            f"The points do not fit together: {names[k]} lies {apart_mm:.1f} mm from where the others put "
            f"it, and at most {limit:.1f} mm is taken, a quarter of a hex across flats. "
            + (f"Perhaps {maybe}. " if maybe else "")
            + "Check the names and places of the points; with more points, far apart, the wrong one can be "
            "told."
        )
        suspects = suspects or [(names[k], apart_mm, "")]
    values: dict[str, float | int | str] = {
        "apart_mm": round(apart_mm, 1),
        "limit_mm": round(limit, 1),
        "looks_like": ",".join(other for _, _, other in suspects if other),
    }
    return CannotTeach("no_fit", text, values, [name for name, _, _ in suspects])


def _hint(name: str, apart_mm: float, other: str) -> str:
    told = f"lies {apart_mm:.1f} mm from where they put it"
    if other == name:
        return f"{told}, though within its hex"
    return f"{told}, which is {other}" if other else told


def _suspects(
    template: _Template, names: Sequence[str], there: FloatArray, seen: FloatArray
) -> tuple[bool, list[tuple[str, float, str]]]:
    """The fewest points without which the others fit: name, how far off (mm), which space it looks like.

    Any two points fit a similarity, so with three points one is only suspected when its spot is the middle
    of another space for the other two. The first value is False when it may be one point or another: then
    all that may be are given.
    """
    if len(names) == FEWEST_POINTS:
        maybe = []
        for k in range(3):
            rest = np.arange(3) != k
            pair = _similarity(there[rest], seen[rest])
            if pair is not None:
                name, apart, other, share = _elsewhere(template, names, pair, k, there, seen)
                if share <= NAMED_SHARE and other not in names:
                    maybe.append((name, apart, other))
        return len(maybe) == 1, maybe
    for count in range(1, (len(names) - FEWEST_POINTS) // 2 + 2):
        if len(names) - count < FEWEST_POINTS:
            break
        ways = []
        for out in combinations(range(len(names)), count):
            rest = np.array([k not in out for k in range(len(names))])
            fit = _best(template, there[rest], seen[rest])
            if fit is not None and fit.share <= WORST_SHARE:
                ways.append((fit.share, out, fit))
        if ways:
            least = min(share for share, _, _ in ways)
            likely = [way for way in ways if way[0] <= SURE_RATIO * least]
            told = [
                _elsewhere(template, names, fit.to_plane, k, there, seen)
                for _, out, fit in likely
                for k in out
            ]
            return len(likely) == 1, [
                (name, apart, other if share <= WORST_SHARE else "") for name, apart, other, share in told
            ]
    return False, []


def _elsewhere(
    template: _Template,
    names: Sequence[str],
    to_plane: FloatArray,
    k: int,
    there: FloatArray,
    seen: FloatArray,
) -> tuple[str, float, str, float]:
    """A point under a fit made without it: name, distance (mm), the space it is nearest to, how near."""
    apart = float(np.hypot(*(mapped(to_plane, there[k : k + 1]) - seen[k : k + 1])[0]))
    other, share = template.nearest(mapped(inverse(to_plane), seen[k : k + 1])[0])
    return names[k], apart, other, share


# ---- the mat file


def _board(
    mat: Mat,
    template: _Template,
    frame: CardFrame,
    fit: _Fit,
    fits: tuple[PointFit, ...],
    marker_mm: float,
    token_mm: float | None,
) -> Board:
    """The board in its own millimetres: hexes upright and regular, board and cards within the mat."""
    size = fit.across_mm / template.across
    straight = np.diag([size, size, 1.0]) @ inverse(fit.to_plane)
    around = np.array([[-1.0, -1.0], [1.0, 1.0]])
    reach = np.asarray((template.middles[:, None] + around).reshape(-1, 2) * size, np.float64)
    ground = Ground.under(frame, straight, reach, marker_mm)
    grid = HexGrid(size, ground.origin, template.grid.cells)
    spaces = tuple(
        msgspec.structs.replace(space, centre=grid.centre(*space.hex), slots=())
        for space in mat.spaces
        if space.hex is not None
    )
    limit = WORST_SHARE * fit.across_mm
    how = {
        "model": fit.model,
        "across_mm": round(fit.across_mm, 2),
        "limit_mm": round(limit, 2),
        "points": [msgspec.to_builtins(point) for point in fits],
    }
    document = ground.document(mat, frame, spaces, grid, how, marker_mm=marker_mm, token_mm=token_mm)
    geometry = geometry_in(document)
    return Board(geometry, document, frame, ground.to_board, fit.model, fit.across_mm, limit, fits)


def overlay(picture: Image, board: Board) -> Image:
    """The first picture (grey) with the taught spaces drawn over it (BGR): outlines, names, cards, points.

    A yellow cross is where somebody pointed, a red line leads from it to the middle that was fitted.
    """
    canvas, thick = drawn(picture, board)
    middles = {space.id: space.centre for space in board.geometry.spaces}
    for point in board.points:
        x, y = board.to_px(np.array([middles[point.space]]))[0]
        spot = (round(point.x_px), round(point.y_px))
        cv2.line(canvas, spot, (round(x), round(y)), (40, 40, 230), 2 * thick, cv2.LINE_AA)
        cross(canvas, spot, 14 * thick, 2 * thick)
    return canvas
