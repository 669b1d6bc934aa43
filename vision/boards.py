"""Somebody's own board, taught from a picture: marker cards round it, and the middles of some named spaces.

The cards give the plane in millimetres (`vision.card_frame`). The spaces of the game's own layout are then
laid over the spaces pointed at. How they may be bent to fit depends on how many points there are:

    from 3   similarity   moved, turned, another size: four numbers
    from 4   affine       also longer one way than the other: six numbers
    from 6   homography   also narrowing to one side: eight numbers

so that every fit has at least two numbers to spare that can contradict it. The plainest that brings each
point within an eighth of a hex of *where the other points put it* is taken, failing that the best. That
distance, the point left out of its own fit, is what is judged: the plain residual of a fit through three
points is small whatever they are called. More than a quarter of a hex, measured across flats, is refused,
and the points that spoil it are named. Where a game has zones instead of hexes, the shorter side of the
smallest space stands for the hex.

What comes out is a mat file like those of printed mats, with the cards as its markers, and marked
`stacked`: spaces have no slots, so that one piece may hide another.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import cv2
import msgspec
import numpy as np

from assistant.layout import Box, HexGrid, LayoutError, Mat, Slot, Space
from vision.card_frame import CannotTeach, CardFrame, frame_of
from vision.geometry import FloatArray, Lens, MatGeometry
from vision.layout_file import as_lines, from_layout_json, to_layout_json
from vision.marker_cards import EDGE_MM, MARKER_MM
from vision.optics import Image, inverse, mapped

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
ROUND_MM = 8.0
"""Board and cards with so much round them make the mat."""

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
class Board:
    """A board that was taught.

    `geometry` is what the reader needs; `document` the mat file's bytes. `across_mm` is a hex across flats
    as found (the smallest space's shorter side on boards without hexes): measure one to check.
    `to_board` maps the plane of `frame` to the board's millimetres (3 x 3).
    """

    geometry: MatGeometry
    document: bytes
    model: Model
    across_mm: float
    limit_mm: float
    points: tuple[PointFit, ...]
    frame: CardFrame
    to_board: FloatArray

    @property
    def worst(self) -> PointFit:
        """The point that fits worst."""
        return max(self.points, key=lambda point: point.apart_mm)

    def to_px(self, points_mm: FloatArray) -> FloatArray:
        """Points of the board (n x 2, mm) as pixels of the first picture (n x 2)."""
        return self.frame.poses[0].to_px(mapped(inverse(self.to_board), points_mm))


def teach(
    mat: Mat,
    pictures: Sequence[Image],
    points: Sequence[Point],
    *,
    marker_mm: float = MARKER_MM,
    token_mm: float | None = None,
    lens: Lens | None = None,
) -> Board:
    """Learn where the spaces of a game's mat are on somebody's own board.

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
    """The spaces of a game's layout: names, middles (n x 2) and the distance that counts as one hex.

    Lengths are in units of the hex's side where there are hexes, else in the printed mat's millimetres.
    """

    names: tuple[str, ...]
    middles: FloatArray
    across: float
    grid: HexGrid | None

    @classmethod
    def of(cls, mat: Mat) -> _Template:
        """The hexes of a mat, or all its spaces where it has none."""
        if mat.hexgrid is not None:
            cells = {space.id: space.hex for space in mat.spaces if space.hex is not None}
            grid = HexGrid(1.0, (0.0, 0.0), tuple(cells.values()))
            middles = np.array([grid.centre(*cell) for cell in grid.cells]).reshape(-1, 2)
            return cls(tuple(cells), middles, math.sqrt(3), grid)
        boxes = {space.id: _union(space) for space in mat.spaces if space.slots}
        sides = [min(box.w, box.h) for box in boxes.values()]
        middles = np.array([box.centre for box in boxes.values()]).reshape(-1, 2)
        return cls(tuple(boxes), middles, min(sides, default=1.0), None)

    def at(self, name: str) -> FloatArray:
        """The middle of a space."""
        return np.asarray(self.middles[self.names.index(name)], np.float64)

    def nearest(self, point: FloatArray) -> tuple[str, float]:
        """The space whose middle is nearest to a point, and how far that is as a share of a hex."""
        apart = np.hypot(*(self.middles - point).T)
        k = int(np.argmin(apart))
        return self.names[k], float(apart[k]) / self.across


def _union(space: Space) -> Box:
    """The box round all slots of a space."""
    left, top = min(slot.box.x for slot in space.slots), min(slot.box.y for slot in space.slots)
    right = max(slot.box.x + slot.box.w for slot in space.slots)
    bottom = max(slot.box.y + slot.box.h for slot in space.slots)
    return Box(left, top, right - left, bottom - top)


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
    cards = {card.id: mapped(straight, card.corners_mm) for card in frame.cards}
    reach = _outline(mat, template, size)
    rim = EDGE_MM * marker_mm / MARKER_MM
    corners = np.concatenate(
        [*[np.array([c.min(axis=0) - rim, c.max(axis=0) + rim]) for c in cards.values()], reach]
    )
    low, high = corners.min(axis=0) - ROUND_MM, corners.max(axis=0) + ROUND_MM
    to_board = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ straight
    width, height = (float(math.ceil(side)) for side in high - low)
    grid, spaces = _spaces(mat, template, size, (float(-low[0]), float(-low[1])))
    pieces = tuple(
        msgspec.structs.replace(piece, height_mm=token_mm)
        if token_mm is not None and piece.form == "sticker"
        else piece
        for piece in mat.pieces
    )
    taught = msgspec.structs.replace(
        mat,
        width_mm=width,
        height_mm=height,
        markers=(),
        hexgrid=grid,
        spaces=spaces,
        pieces=pieces,
        zones=tuple(zone for zone in mat.zones if any(space.zone == zone.id for space in spaces)),
    )
    limit = WORST_SHARE * fit.across_mm
    document = _document(
        taught,
        {k: c - low for k, c in cards.items()},
        {
            "model": fit.model,
            "across_mm": round(fit.across_mm, 2),
            "limit_mm": round(limit, 2),
            "marker_mm": marker_mm,
            "pictures": len(frame.poses),
            "points": [msgspec.to_builtins(point) for point in fits],
            "cards_off_mm": {str(card.id): round(card.off_mm, 3) for card in frame.cards},
        },
    )
    geometry = MatGeometry.from_layout(from_layout_json(document))
    return Board(geometry, document, fit.model, fit.across_mm, limit, fits, frame, to_board)


def _outline(mat: Mat, template: _Template, size: float) -> FloatArray:
    """Points (n x 2, mm) that enclose all spaces, from the template's origin."""
    if template.grid is not None:
        around = np.array([[-1.0, -1.0], [1.0, 1.0]])
        return np.asarray((template.middles[:, None] + around).reshape(-1, 2) * size, np.float64)
    boxes = [_union(space) for space in mat.spaces if space.slots]
    ends = [[[box.x, box.y], [box.x + box.w, box.y + box.h]] for box in boxes]
    return np.asarray(np.array(ends).reshape(-1, 2) * size, np.float64)


def _spaces(
    mat: Mat, template: _Template, size: float, origin: tuple[float, float]
) -> tuple[HexGrid | None, tuple[Space, ...]]:
    """The spaces of the board: hexes without slots, or zones with the boxes that the layout gives them."""
    if template.grid is not None:
        grid = HexGrid(size, origin, template.grid.cells)
        hexes = [space for space in mat.spaces if space.hex is not None]
        return grid, tuple(
            msgspec.structs.replace(space, centre=grid.centre(*space.hex), slots=())
            for space in hexes
            if space.hex is not None
        )

    def laid(slot: Slot) -> Slot:
        box = slot.box
        at = Box(origin[0] + size * box.x, origin[1] + size * box.y, size * box.w, size * box.h)
        return msgspec.structs.replace(slot, box=at)

    spaces = []
    for space in mat.spaces:
        if space.slots:
            slots = tuple(laid(slot) for slot in space.slots)
            moved = msgspec.structs.replace(space, slots=slots)
            spaces.append(msgspec.structs.replace(moved, centre=_union(moved).centre))
    return None, tuple(spaces)


def _document(mat: Mat, cards: Mapping[int, FloatArray], how: Mapping[str, Any]) -> bytes:
    """The mat file: that of a printed mat, with turned markers, and how the board was taught."""
    document: dict[str, Any] = json.loads(to_layout_json(mat))
    document["markers"]["list"] = [
        {"id": number, "corners_mm": [[round(float(v), 4) for v in corner] for corner in corners]}
        for number, corners in sorted(cards.items())
    ]
    document["zones"] = [{**zone, "box_mm": None} for zone in document["zones"]]
    document |= {"stacked": True, "owned": dict(how)}
    return (as_lines(document) + "\n").encode()


# ---- to look at


def overlay(picture: Image, board: Board) -> Image:
    """The first picture (grey) with the taught spaces drawn over it (BGR): outlines, names, cards, points.

    A yellow cross is where somebody pointed, a red line leads from it to the middle that was fitted.
    """
    canvas = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    thick = max(1, round(picture.shape[1] / 1500))
    for outline, _ in _shapes(board.geometry):
        _draw(canvas, board.to_px(outline), (90, 200, 40), thick)
    for marker in board.geometry.markers:
        _draw(canvas, board.to_px(np.array(marker.corners_mm)), (230, 120, 20), 2 * thick)
    for outline, name in _shapes(board.geometry):
        middle = board.to_px(outline.mean(axis=0)[None])[0]
        _write(canvas, name, middle, thick)
    middles = {space.id: space.centre for space in board.geometry.spaces}
    for point in board.points:
        spot = (round(point.x_px), round(point.y_px))
        x, y = board.to_px(np.array([middles[point.space]]))[0]
        cv2.line(canvas, spot, (round(x), round(y)), (40, 40, 230), 2 * thick, cv2.LINE_AA)
        cv2.drawMarker(canvas, spot, (0, 220, 255), cv2.MARKER_CROSS, 14 * thick, 2 * thick)
    return canvas


def _shapes(geometry: MatGeometry) -> Iterator[tuple[FloatArray, str]]:
    """Outline (n x 2, mm) and name of every space."""
    for space in geometry.spaces:
        if space.hex is not None and geometry.hexgrid is not None:
            angles = np.radians(np.arange(6) * 60 - 30)
            ring = np.column_stack([np.cos(angles), np.sin(angles)]) * geometry.hexgrid.size_mm
            yield ring + np.array(space.centre), space.id
        elif space.slots:
            box = _union(space)
            right, bottom = box.x + box.w, box.y + box.h
            yield np.array([[box.x, box.y], [right, box.y], [right, bottom], [box.x, bottom]]), space.id


def _draw(canvas: Image, corners_px: FloatArray, colour: tuple[int, int, int], thick: int) -> None:
    points = np.round(corners_px * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [points], True, colour, thick, cv2.LINE_AA, 4)


def _write(canvas: Image, words: str, at: FloatArray, thick: int) -> None:
    """Words below a point, which stays free for a cross."""
    scale = 0.45 * thick
    (wide, tall), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    place = (round(float(at[0]) - wide / 2), round(float(at[1]) + 2.2 * tall))
    cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, scale, (120, 20, 120), thick, cv2.LINE_AA)
