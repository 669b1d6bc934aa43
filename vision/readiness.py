"""Whether the eyes are ready: focus, light, glare, shadow, tag size, markers, pieces, certainty of places.

Each check is green, amber (play is possible, but look at it) or red, with the measured values and what to
do. The measures are those of `vision.problems`, made once; here they are weighed. Used before play and,
every now and then, during it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from assistant.observation import Observation
from vision.changes import low_of
from vision.cover import footprint
from vision.drawing import mat_drawing
from vision.geometry import FloatArray, Lens, MarkerPlace, MatGeometry, Places
from vision.markers import FoundMarker, find_markers
from vision.mat import CORNER_SIGMA_PX, K1_SIGMA, Pose, lens_for, pose_from
from vision.optics import Image, inverse, sample, through_lens
from vision.problems import (
    CLIPPED_WHITE,
    DARK_WHITE,
    LARGEST_BLUR_MODULES,
    SHARPER,
    SMALLEST_MODULE_PX,
    Edge,
    blur,
    edges_of,
    levels,
    picture_problems,
    places_of,
    smallest_module,
)
from vision.reader import Reader, grey

DIM_WHITE, BRIGHT_WHITE = 80.0, 246.0
"""White paper between these levels leaves room for a cloud and for a lamp."""
WORST_BLUR_MODULES = 0.6
"""Blur beyond which only a few tags are read at all (measured: nine of ten decodes fail)."""
WORST_MODULE_PX = 1.7
"""Below this no decoder reads anything (measured); only tags known beforehand can be told apart."""
HAZY_BLACK, BLIND_BLACK = 0.35, 0.6
"""Level of black as a share of white from which the lens is hazy or flooded with light: print has 0.05."""
CELL_MM = 4
"""Light is looked at in squares of this size."""
TILE_CELLS = 8
"""Shadow is looked for in tiles of so many cells."""
GLARE_SHARE = 1.2
"""A spot this much brighter than the white paper round it is a reflection, not paper."""
GLARE_LEVEL = 250.0
GLARE_MM2 = 150.0
"""Smaller spots hide no tag."""
DEEP_SHADOW, NO_LIGHT = 0.55, 0.3
"""Brightness as a share of the usual from which a shadow is pointed out, and from which tags are lost."""
SURE_MM, LOOSE_MM = 0.7, 2.0
"""Errors of a place up to the first never matter; beyond the second a piece may be put in the wrong slot."""
CAMERA_MOVED_MM = 3.0
"""Where the mat appears this far from where it was, the camera or the mat was pushed."""
LISTED = 6
"""How many missing pieces are named."""


class Light(StrEnum):
    """How well one thing stands."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    `name` is a stable word, `text` says how it is, `advice` what to do ("" when green), `place` the space it
    is about ("" for none), `values` the figures in the units their names say.
    """

    name: str
    light: Light
    text: str
    advice: str = ""
    place: str = ""
    values: dict[str, float | int | str] = {}


class Readiness(msgspec.Struct, frozen=True):
    """All checks of one picture, in the order in which to mend them."""

    checks: tuple[Check, ...]

    @property
    def light(self) -> Light:
        """The worst of all."""
        lights = {check.light for check in self.checks}
        return next((light for light in (Light.RED, Light.AMBER) if light in lights), Light.GREEN)

    @property
    def first(self) -> Check | None:
        """What to mend first: the first red, else the first amber; None when all is green."""
        return next((c for c in self.checks if c.light is self.light and c.light is not Light.GREEN), None)

    def named(self, name: str) -> Check:
        """The check of that name; KeyError when it could not be made."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)


def to_json(readiness: Readiness) -> dict[str, Any]:
    """The answer of `stationmaster readiness --json`."""
    checks = [msgspec.to_builtins(check) for check in readiness.checks]
    return {"light": str(readiness.light), "checks": checks}


class Inspector:
    """Checks pictures of one mat. `expected` names the payloads that should lie there, None when unknown."""

    def __init__(
        self,
        mat: MatGeometry,
        roster: Collection[str] | None = None,
        expected: Collection[str] | None = None,
        reader: Reader | None = None,
    ) -> None:
        self.mat = mat
        self.expected = None if expected is None else frozenset(expected)
        self._reader = reader or Reader(mat, roster)
        self._places = Places(mat)
        self._size = (math.ceil(mat.width_mm / CELL_MM), math.ceil(mat.height_mm / CELL_MM))
        self._print: NDArray[np.float32] | None = None
        if mat.printed is not None:
            rgb = mat_drawing(mat.printed).raster(1.0)
            tones = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
            small = cv2.resize(tones, self._size, interpolation=cv2.INTER_AREA)
            self._print = np.asarray(small / np.float32(255), np.float32)

    def check(
        self, image: NDArray[Any], observation: Observation | None = None, before: Pose | None = None
    ) -> Readiness:
        """Check one picture (8-bit grey, BGR or BGRA).

        `observation` is what was read in it, when that is known already; `before` is where the mat was when
        all was well. Raises ValueError when it is no picture.
        """
        picture = grey(image)
        markers = find_markers(picture, self.mat.dictionary)
        pose = pose_from(markers, self.mat, lens_for(picture, self.mat))
        if pose is None:
            return Readiness((self._mat(picture, None, markers),))
        seen = observation or self._reader.read(picture)
        return Readiness(tuple(self._checks(picture, pose, markers, seen, before)))

    def _checks(
        self,
        picture: Image,
        pose: Pose,
        markers: Sequence[FoundMarker],
        seen: Observation,
        before: Pose | None,
    ) -> Iterator[Check]:
        edges = edges_of(picture, pose.markers)
        if edges:
            yield self._sharp(list(edges.values()), pose)
            yield _exposure(list(edges.values()))
            yield _lens(list(edges.values()))
        yield self._mat(picture, pose, markers)
        yield self._tags(pose)
        if edges:
            cells = self._cells(picture, pose)
            white = self._white(edges)
            if levels(list(edges.values()))[1] < CLIPPED_WHITE:
                # In a picture that is too bright all over no spot stands out.
                yield self._glare(cells, white, seen)
            yield self._shadow(cells, white, seen)
        yield self._pieces(seen)
        yield self._certain(pose)
        if before is not None:
            yield self._camera(before, pose)

    # ---- one by one

    def _sharp(self, edges: Sequence[Edge], pose: Pose) -> Check:
        sigma, module, share = blur(edges, self.mat, pose)
        light = _light(share <= LARGEST_BLUR_MODULES, share <= WORST_BLUR_MODULES)
        text = f"Edges are {sigma:.1f} px soft, a module of a tag is {module:.1f} px"
        advice = "" if light is Light.GREEN else SHARPER
        values: dict[str, float | int | str] = {"blur_px": round(sigma, 2), "module_px": round(module, 2)}
        return Check("sharp", light, text, advice, values=values)

    def _mat(self, picture: Image, pose: Pose | None, markers: Sequence[FoundMarker]) -> Check:
        """Whether all of the mat is in view; the sentences are those of the reader."""
        found = list(picture_problems(picture, self.mat, pose, markers))
        printed = len(self.mat.markers)
        seen = 0 if pose is None else len({marker.id for marker in pose.markers})
        values: dict[str, float | int | str] = {"seen": seen, "printed": printed}
        problems = {problem.kind: problem for problem in found}
        for kind in ("no_mat", "out_of_view", "few_markers", "uneven_mat"):
            if kind in problems:
                light = Light.AMBER if kind == "uneven_mat" else Light.RED
                first, _, rest = problems[kind].text.partition(". ")
                return Check("mat", light, first, rest, values={**values, **problems[kind].values})
        text = f"{seen} of {printed} markers seen"
        if seen == printed:
            return Check("mat", Light.GREEN, text, values=values)
        there = {marker.id for marker in pose.markers} if pose is not None else set()
        missing = [place for place in self.mat.markers if place.id not in there]
        where = " and the one at the ".join(self._corner(place) for place in missing[:3])
        advice = f"Uncover the marker at the {where}."
        if pose is not None:
            corners = pose.to_px(np.array([corner for place in missing for corner in place.corners_mm]))
            if ((corners < 0) | (corners > [picture.shape[1] - 1, picture.shape[0] - 1])).any():
                advice = f"Move or raise the camera until it sees the marker at the {where}."
        return Check("mat", Light.AMBER, text, advice, values=values)

    def _corner(self, marker: MarkerPlace) -> str:
        """Where on the mat a marker is, in words."""
        x, y = np.array(marker.corners_mm).mean(axis=0) / [self.mat.width_mm, self.mat.height_mm]
        down = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
        across = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
        return " ".join(word for word in (down, across) if word) or "middle"

    def _tags(self, pose: Pose) -> Check:
        smallest, x, y = smallest_module(self.mat, pose)
        light = _light(smallest >= SMALLEST_MODULE_PX, smallest >= WORST_MODULE_PX)
        place = self._near(x, y)
        values: dict[str, float | int | str] = {
            "px_per_module": round(smallest, 2),
            "needed": SMALLEST_MODULE_PX,
            "x_mm": round(x),
            "y_mm": round(y),
        }
        text = f"{smallest:.2f} px a module at {place or 'the far corner'}, {SMALLEST_MODULE_PX:g} needed"
        if light is Light.GREEN:
            return Check("tags", light, text, place=place, values=values)
        cx, cy, cz = pose.camera_mm
        away = math.hypot(x - cx, y - cy, cz)
        lower = math.ceil(away * (1 - smallest / SMALLEST_MODULE_PX) / 10)
        values["lower_cm"] = lower
        advice = f"Lower the camera {lower} cm, point it straight down, or print larger tags."
        return Check("tags", light, text, advice, place, values)

    def _cells(self, picture: Image, pose: Pose) -> NDArray[np.float32]:
        """Brightness of the mat in squares of `CELL_MM` (rows x columns), as seen."""
        low = low_of(picture)
        columns, rows = self._size
        middle = np.array([[self.mat.width_mm / 2, self.mat.height_mm / 2]])
        per_mm = float(pose.px_per_mm(middle)[0]) * low.shape[1] / picture.shape[1]
        factor = max(1, round(per_mm * CELL_MM))
        size = (max(low.shape[1] // factor, 1), max(low.shape[0] // factor, 1))
        small = np.asarray(cv2.resize(low, size, interpolation=cv2.INTER_AREA), np.float32)
        xs = (np.arange(columns) + 0.5) * CELL_MM
        ys = (np.arange(rows) + 0.5) * CELL_MM
        spots = pose.to_px(np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2))
        scale = np.array([size[0] / picture.shape[1], size[1] / picture.shape[0]])
        return np.asarray(sample(small, ((spots + 0.5) * scale - 0.5).reshape(rows, columns, 2)), np.float32)

    def _white(self, edges: dict[int, Edge]) -> NDArray[np.float32]:
        """The level of white paper in every cell: a plane through what the markers' surroundings show."""
        middles = {m.id: np.array(m.corners_mm).mean(axis=0) for m in self.mat.markers}
        points = np.array([middles[number] for number in edges if number in middles])
        whites = np.array([edges[number][1] for number in edges if number in middles])
        columns, rows = self._size
        if len(points) < 4:
            return np.full((rows, columns), np.median(whites), np.float32)
        lifted = np.column_stack([points, np.ones(len(points))])
        plane = np.linalg.lstsq(lifted, whites, rcond=None)[0]
        xs, ys = np.meshgrid((np.arange(columns) + 0.5) * CELL_MM, (np.arange(rows) + 0.5) * CELL_MM)
        level = plane[0] * xs + plane[1] * ys + plane[2]
        return np.asarray(level.clip(0.5 * whites.min(), 255), np.float32)

    def _glare(self, cells: NDArray[np.float32], white: NDArray[np.float32], seen: Observation) -> Check:
        limit = np.minimum(np.maximum(white * GLARE_SHARE, white + 20), GLARE_LEVEL)
        spots = (cells > limit).astype(np.uint8)
        _, labels, stats, middles = cv2.connectedComponentsWithStats(spots, connectivity=8)
        areas = stats[1:, cv2.CC_STAT_AREA].astype(float) * CELL_MM**2
        large = [i + 1 for i in np.argsort(-areas, kind="stable") if areas[i] >= GLARE_MM2]
        if not large:
            return Check("glare", Light.GREEN, "None", values={"spots": 0, "mm2": 0})
        x, y = ((middles[large[0]] + 0.5) * CELL_MM).tolist()
        place = self._near(x, y)
        # Spaces that cannot be read and lie in the light are what matters.
        lost = sorted(
            name for name in seen.hidden | seen.doubtful if self._touches(name, np.isin(labels, large))
        )
        many = "One spot" if len(large) == 1 else f"{len(large)} spots"
        text = f"{many} near {place or f'x {x:.0f}, y {y:.0f} mm'}"
        if lost:
            text += f"; nothing can be read in {_listed(lost)}"
        values: dict[str, float | int | str] = {
            "spots": len(large),
            "mm2": round(float(areas.sum())),
            "x_mm": round(x),
            "y_mm": round(y),
        }
        advice = f"Turn the lamp away from {place or 'the mat'}, or hang it beside the mat."
        return Check("glare", Light.RED if lost else Light.AMBER, text, advice, place, values)

    def _touches(self, name: str, mask: NDArray[np.bool_]) -> bool:
        """Whether a slot of a space has a cell of the mask."""
        for space in self.mat.spaces:
            if space.id == name:
                for slot in space.slots:
                    b = slot.box
                    rows = slice(int(b.y // CELL_MM), math.ceil((b.y + b.h) / CELL_MM))
                    columns = slice(int(b.x // CELL_MM), math.ceil((b.x + b.w) / CELL_MM))
                    if mask[rows, columns].any():
                        return True
        return False

    def _shadow(self, cells: NDArray[np.float32], white: NDArray[np.float32], seen: Observation) -> Check:
        """How evenly the mat is lit: where its print is known everywhere, else by its markers only."""
        darkest, x, y = 1.0, 0.0, 0.0
        if self._print is not None:
            share = self._lit(cells, seen)
            if np.isfinite(share).any():
                share = share / np.nanmedian(share)
                row, column = np.unravel_index(int(np.nanargmin(share)), share.shape)
                darkest = float(share[row, column])
                tile = TILE_CELLS * CELL_MM
                x, y = (float(column) + 0.5) * tile, (float(row) + 0.5) * tile
        else:
            darkest = float(white.min() / max(float(np.median(white)), 1.0))
            row, column = np.unravel_index(int(np.argmin(white)), white.shape)
            x, y = (float(column) + 0.5) * CELL_MM, (float(row) + 0.5) * CELL_MM
        light = _light(darkest >= DEEP_SHADOW, darkest >= NO_LIGHT)
        values: dict[str, float | int | str] = {
            "darkest": round(darkest, 2),
            "x_mm": round(x),
            "y_mm": round(y),
        }
        if light is Light.GREEN:
            return Check("shadow", light, f"Even enough: at least {darkest:.0%} everywhere", values=values)
        place = self._near(x, y)
        text = f"Dark near {place or f'x {x:.0f}, y {y:.0f} mm'}: {darkest:.0%} of the usual light"
        advice = "Move what throws the shadow, or light the mat from two sides."
        return Check("shadow", light, text, advice, place, values)

    def _lit(self, cells: NDArray[np.float32], seen: Observation) -> FloatArray:
        """Light in each tile, by its brightest bare print; not a number where too little of it is bare."""
        assert self._print is not None
        assert self.mat.printed is not None
        bare = np.ones(cells.shape, np.float32)
        for sighting in seen.sightings:
            corners = footprint(self.mat.printed, sighting, 3.0) / CELL_MM
            cv2.fillPoly(bare, [np.round(corners * 16 - 8).astype(np.int32)], 0.0, cv2.LINE_8, 4)
        for space in self.mat.spaces:
            if space.id in seen.hidden or space.id in seen.doubtful:
                x, y = space.centre
                spot = (round(x / CELL_MM), round(y / CELL_MM))
                cv2.circle(bare, spot, round(70 / CELL_MM), 0.0, cv2.FILLED)
        rows, columns = cells.shape[0] // TILE_CELLS, cells.shape[1] // TILE_CELLS
        out = np.full((max(rows, 1), max(columns, 1)), np.nan)
        for row in range(rows):
            for column in range(columns):
                part = (
                    slice(row * TILE_CELLS, (row + 1) * TILE_CELLS),
                    slice(column * TILE_CELLS, (column + 1) * TILE_CELLS),
                )
                free = bare[part] > 0
                if free.sum() >= TILE_CELLS**2 / 4:
                    expected = self._print[part][free]
                    brightest = expected >= np.quantile(expected, 0.75)
                    out[row, column] = float(cells[part][free][brightest].mean() / expected[brightest].mean())
        return out

    def _pieces(self, seen: Observation) -> Check:
        read = {sighting.payload for sighting in seen.sightings}
        covered = sorted(seen.hidden | seen.doubtful)
        missing = sorted((self.expected or frozenset()) - read)
        values: dict[str, float | int | str] = {
            "read": len(read),
            "foreign": len(seen.foreign),
            "covered": len(covered),
        }
        text = f"{len(read)} pieces read"
        if self.expected is not None:
            values |= {"expected": len(self.expected), "missing": len(missing)}
            text = f"{len(self.expected) - len(missing)} of {len(self.expected)} pieces read"
        if seen.foreign:
            text += f"; {len(seen.foreign)} {'code is' if len(seen.foreign) == 1 else 'codes are'} not ours"
        advice = []
        if missing:
            values["missing_list"] = ",".join(missing)
            advice.append(f"Look for {_listed([self._named(payload) for payload in missing])}.")
        if covered:
            advice.append(f"Something covers {_listed(covered)}.")
        if seen.foreign:
            advice.append("Take away what carries other codes.")
        many = self.expected is not None and len(missing) > len(self.expected) / 2
        return Check("pieces", _light(not advice, not many), text, " ".join(advice), values=values)

    def _named(self, payload: str) -> str:
        """What people call a piece."""
        pieces = self.mat.printed.pieces if self.mat.printed is not None else ()
        for piece in pieces:
            if piece.payload == payload:
                return " ".join(word for word in (piece.what, piece.seat, piece.name) if word)
        return payload

    def _certain(self, pose: Pose) -> Check:
        error, x, y = position_error(self.mat, pose, assumed=self.mat.lens is None)
        light = _light(error <= SURE_MM, error <= LOOSE_MM)
        values: dict[str, float | int | str] = {
            "error_mm": round(error, 2),
            "residual_mm": round(pose.residual_mm, 2),
            "markers": len(pose.markers),
        }
        text = f"Places are right to {max(error, 0.1):.1f} mm with {len(pose.markers)} markers"
        advice = "" if light is Light.GREEN else "Uncover more markers; some far apart are best."
        return Check("places", light, text, advice, "" if light is Light.GREEN else self._near(x, y), values)

    def _camera(self, before: Pose, pose: Pose) -> Check:
        """How far the mat appears from where it was, in mm on the mat."""
        w, h = self.mat.width_mm, self.mat.height_mm
        corners = np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])
        moved = float(np.hypot(*(before.to_mm(pose.to_px(corners)) - corners).T).max())
        light = _light(moved <= CAMERA_MOVED_MM, True)
        text = "Where it was" if light is Light.GREEN else f"It moved: the mat appears {moved:.0f} mm away"
        advice = "" if light is Light.GREEN else "Places are right again by themselves; fix the camera's arm."
        return Check("camera", light, text, advice, values={"moved_mm": round(moved, 1)})

    def _near(self, x: float, y: float) -> str:
        """The space at a point or nearest to it, "" on a mat without spaces."""
        space = self._places.at(x, y)[0]
        if space is not None:
            return space
        gaps = [(math.hypot(x - s.centre[0], y - s.centre[1]), s.id) for s in self.mat.spaces]
        return min(gaps)[1] if gaps else ""


def readiness(
    image: NDArray[Any],
    mat: MatGeometry,
    roster: Collection[str] | None = None,
    expected: Collection[str] | None = None,
) -> Readiness:
    """Check one picture of a mat; for many keep an `Inspector`. Raises ValueError when it is no picture."""
    return Inspector(mat, roster, expected).check(image)


def position_error(mat: MatGeometry, pose: Pose, *, assumed: bool = True) -> tuple[float, float, float]:
    """How far off a place may be where it is worst (two standard deviations, mm), and that place (mm).

    The corners of the markers are taken to be as well placed as they fit, at best `CORNER_SIGMA_PX`; what
    that leaves open of the camera's place, direction and (`assumed`) distortion is carried to every place
    where a tag may lie.
    """
    there = {place.id: np.array(place.corners_mm, np.float64) for place in mat.markers}
    corners = np.concatenate([there[marker.id] for marker in pose.markers])
    places = places_of(mat)
    fine = pose.px_per_mm(places)
    sigma = max(CORNER_SIGMA_PX, pose.residual_mm * float(np.median(fine)))
    rotation, shift = _stance(pose)
    count = 7 if assumed else 6

    def seen(points: FloatArray, change: FloatArray) -> FloatArray:
        turned = np.asarray(cv2.Rodrigues(change[:3])[0], np.float64) @ rotation
        solid = points @ turned[:, :2].T + shift + change[3:6] * shift[2]
        lens: Lens = pose.lens
        if assumed:
            lens = msgspec.structs.replace(lens, k1=lens.k1 + change[6])
        return through_lens(solid[:, :2] / solid[:, 2:], lens)

    def slopes(points: FloatArray) -> FloatArray:
        step = 1e-5
        flat = seen(points, np.zeros(count)).ravel()
        moved = [(seen(points, step * unit).ravel() - flat) / step for unit in np.eye(count)]
        return np.column_stack(moved)

    jacobian = slopes(corners)
    known = jacobian.T @ jacobian / sigma**2
    if assumed:
        known[6, 6] += 1 / K1_SIGMA**2
    spread = np.linalg.pinv(known, hermitian=True)
    there_px = slopes(places).reshape(-1, 2, count)
    widths = np.linalg.eigvalsh(there_px @ spread @ there_px.transpose(0, 2, 1))[:, -1]
    errors = 2 * np.sqrt(widths.clip(0)) / fine
    worst = int(np.argmax(errors))
    return float(errors[worst]), float(places[worst, 0]), float(places[worst, 1])


def _stance(pose: Pose) -> tuple[FloatArray, FloatArray]:
    """Rotation (3 x 3) and shift (mm) from the mat to the camera, from a pose's map to the plane."""
    plane = inverse(pose.to_plane)
    plane = plane * 2 / (np.linalg.norm(plane[:, 0]) + np.linalg.norm(plane[:, 1]))
    if plane[2, 2] < 0:
        plane = -plane
    axes = np.column_stack([plane[:, 0], plane[:, 1], np.cross(plane[:, 0], plane[:, 1])])
    left, _, right = np.linalg.svd(axes)
    return np.asarray(left @ right, np.float64), np.asarray(plane[:, 2], np.float64)


def _exposure(edges: Sequence[Edge]) -> Check:
    black, white = levels(edges)
    values: dict[str, float | int | str] = {"white": round(white), "black": round(black)}
    text = f"White paper has the level {white:.0f} of 255"
    if DIM_WHITE <= white <= BRIGHT_WHITE:
        return Check("light", Light.GREEN, text, values=values)
    if white < DIM_WHITE:
        light = _light(False, white >= DARK_WHITE)
        return Check("light", light, text, "Add light, or let the camera expose longer.", values=values)
    light = _light(False, white < CLIPPED_WHITE)
    return Check(
        "light", light, text, "Take light away, or let the camera expose for a shorter time.", values=values
    )


def _lens(edges: Sequence[Edge]) -> Check:
    black, white = levels(edges)
    share = black / max(white, 1.0)
    light = _light(share <= HAZY_BLACK, share <= BLIND_BLACK)
    advice = "" if light is Light.GREEN else "Wipe the lens, and keep light from shining into it."
    text = f"Black is {share:.0%} as bright as white"
    return Check("lens", light, text, advice, values={"black_share": round(share, 2)})


def _light(green: bool, amber: bool) -> Light:
    return Light.GREEN if green else Light.AMBER if amber else Light.RED


def _listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")
