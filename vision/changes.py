"""The incremental path: what changed on the small picture, and only that is decoded.

`ChangeMap` compares every space with how it looked when it was last read. Each space is compared up to a
factor, so that a cloud or the camera's exposure is no change. `QuickReader` reads changed spaces only, the
whole picture every second or two, and finds the mat again when its markers have moved; `Eye` is this and
the watcher: pictures in, stable observations out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from assistant.layout import Box, HexGrid, Mat, Space
from assistant.observation import Condition, Observation, Sighting
from vision.cameras.base import Frame
from vision.cover import PRINT_PX_PER_MM, PrintedLook
from vision.drawing import mat_drawing
from vision.geometry import SLOT_REACH_MM, FloatArray, MatGeometry
from vision.markers import FoundMarker, find_markers
from vision.mat import Pose, lens_for, pose_from
from vision.optics import Image
from vision.reader import Reader, grey
from vision.watcher import PATIENCE_S, QUIET_S, Watcher

LOW_SIZE = (1152, 648)
"""The camera's small stream (pixels); made here when a camera has none."""
FINEST_PX_PER_MM = 0.45
"""Changes are looked for on a picture at most about this fine: tags need not be made out, only told apart."""
CHANGED_SHARE = 0.10
"""Share of a space's mean brightness by which a point must differ; prints and tags differ by half of it."""
CHANGED_LEVELS = 3.5
"""Grey levels by which a point must differ at least, above the noise of a dark picture."""
CHANGED_MM2 = 24.0
"""Area that must differ: half of a tag's 144 square millimetres changes with the piece."""
MOTION_GAP_S = 0.5
"""Pictures further apart than this say nothing about what moves between them (seconds)."""
SWEEP_S = 1.5
"""The whole picture is read this often even when nothing seems to change (seconds)."""
POSE_S = 5.0
"""The markers are looked at this often even when nothing seems to change (seconds)."""
POSE_AGAIN_S = 0.25
"""And not more often than this, while somebody moves about on them (seconds)."""
POSE_MOVED_PX = 1.0
"""The mat is placed anew when its markers are this far from where they were (pixels)."""
READ_AGAIN = 2
"""How often what reads differently is read again: three readings make a vote."""
MANY_CHANGED = 0.25
"""From this share of all spaces on, reading the whole picture is cheaper."""

Values = NDArray[np.uint8]
"""The grey levels of all spaces and markers, one after the other."""


@dataclass(frozen=True)
class Changes:
    """What is not as it was: spaces that differ from when they were read, and those in motion just now.

    `markers_differ` tells whether a marker at rest looks different, `markers_move` whether one is in motion.
    """

    differ: frozenset[str] = frozenset()
    moving: frozenset[str] = frozenset()
    markers_differ: bool = False
    markers_move: bool = False


class ChangeMap:
    """Compares the spaces and markers of one mat in small pictures under one pose.

    `shape` is that of the full picture the pose belongs to, `small` that of the small one (rows, columns).
    """

    def __init__(self, mat: MatGeometry, pose: Pose, shape: tuple[int, int], small: tuple[int, int]) -> None:
        middle = np.array([[mat.width_mm / 2, mat.height_mm / 2]])
        fine = float(pose.px_per_mm(middle)[0]) * small[1] / shape[1]
        self._shrink = max(1, math.floor(fine / FINEST_PX_PER_MM))
        rows, columns = small[0] // self._shrink, small[1] // self._shrink
        self._size = (max(columns, 1), max(rows, 1))
        scale = np.array([self._size[0] / shape[1], self._size[1] / shape[0]])
        per_mm = fine / self._shrink
        self._least = max(2, round(CHANGED_MM2 * per_mm**2))
        names: list[str] = []
        parts: list[NDArray[np.intp]] = []
        outlines = [(space.id, space_outline(space, mat.hexgrid)) for space in mat.spaces]
        outlines += [("", np.array(marker.corners_mm, np.float64)) for marker in mat.markers]
        for name, corners in outlines:
            inside = self._inside((pose.to_px(corners) + 0.5) * scale - 0.5)
            if len(inside) >= 4:
                names.append(name)
                parts.append(inside)
        self._names = names
        self._parts = {name: i for i, name in enumerate(names) if name}
        self._markers = [i for i, name in enumerate(names) if not name]
        self._where = np.concatenate(parts) if parts else np.zeros(0, np.intp)
        self._counts = np.array([len(part) for part in parts], np.intp)
        self._starts = np.concatenate([[0], np.cumsum(self._counts)[:-1]]).astype(np.intp)
        self._owner = np.repeat(np.arange(len(parts)), self._counts)
        self._reference: Values | None = None
        self._before: Values | None = None
        self._before_at = -math.inf
        self._now: Values = np.zeros(0, np.uint8)

    def _inside(self, corners: FloatArray) -> NDArray[np.intp]:
        """Flat indices of the small picture's pixels inside a polygon (n x 2, its pixels)."""
        width, height = self._size
        low = np.floor(corners.min(axis=0)).clip(0, [width, height]).astype(int)
        high = (np.ceil(corners.max(axis=0)) + 1).clip(0, [width, height]).astype(int)
        if (high <= low).any():
            return np.zeros(0, np.intp)
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round((corners - low) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        rows, columns = np.nonzero(mask)
        return np.asarray((rows + low[1]) * width + columns + low[0], np.intp)

    def compare(self, small: Image, at: float) -> Changes:
        """Compare a small picture with the references and with the picture before it; `at` in seconds."""
        if not len(self._where):
            return Changes()
        picture = small
        if (picture.shape[1], picture.shape[0]) != self._size:
            picture = np.asarray(cv2.resize(small, self._size, interpolation=cv2.INTER_AREA), np.uint8)
        self._now = now = np.take(np.ascontiguousarray(picture).ravel(), self._where)
        moves = np.zeros(len(self._names), np.bool_)
        if self._before is not None and at - self._before_at <= MOTION_GAP_S:
            moves = self._differs(now, self._before)
        differs = np.ones(len(self._names), np.bool_)
        if self._reference is not None:
            differs = self._differs(now, self._reference)
        self._before, self._before_at = now, at
        return Changes(
            frozenset(self._names[i] for i in np.flatnonzero(differs)) - {""},
            frozenset(self._names[i] for i in np.flatnonzero(moves)) - {""},
            bool((differs & ~moves)[self._markers].any()),
            bool(moves[self._markers].any()),
        )

    def _differs(self, now: Values, other: Values) -> NDArray[np.bool_]:
        """Which parts differ, their mean brightness evened out."""
        # Where hardly a point is another by itself there is nothing to even out: most parts, most times.
        rough = cv2.absdiff(now, other).ravel() > CHANGED_LEVELS
        found = np.bincount(self._owner[rough], minlength=len(self._names)) >= self._least
        for i in np.flatnonzero(found):
            part = self._part(int(i))
            here, there = now[part].astype(np.float32), other[part].astype(np.float32)
            mean = float(here.mean())
            gain = mean / max(float(there.mean()), 1.0)
            far = np.abs(here - gain * there) > max(CHANGED_SHARE * mean, CHANGED_LEVELS)
            found[i] = np.count_nonzero(far) >= self._least
        return np.asarray(found, np.bool_)

    def _part(self, i: int) -> slice:
        return slice(int(self._starts[i]), int(self._starts[i] + self._counts[i]))

    def settle(self, spaces: Iterable[str]) -> None:
        """The picture compared last shows these spaces as they were read."""
        if self._reference is None:
            self._reference = self._now.copy()
            return
        for name in spaces:
            i = self._parts.get(name)
            if i is not None:
                self._reference[self._part(i)] = self._now[self._part(i)]

    def settle_markers(self) -> None:
        """The picture compared last shows the markers as they were found."""
        if self._reference is not None:
            for i in self._markers:
                self._reference[self._part(i)] = self._now[self._part(i)]

    def settle_all(self) -> None:
        """The picture compared last shows everything as it was read."""
        self._reference = self._now.copy()


def space_outline(space: Space, grid: HexGrid | None, reach_mm: float = SLOT_REACH_MM) -> FloatArray:
    """A convex polygon (n x 2, mm) round all of a space, its slots grown by `reach_mm`."""
    points: list[tuple[float, float]] = []
    if space.hex is not None and grid is not None:
        x, y = space.centre
        reach = grid.size_mm
        angles = np.radians(np.arange(30, 390, 60))
        points += [(x + reach * math.cos(a), y + reach * math.sin(a)) for a in angles]
    for slot in space.slots:
        box = slot.box.grown(reach_mm)
        points += [(box.x, box.y), (box.x + box.w, box.y), (box.x, box.y + box.h)]
        points.append((box.x + box.w, box.y + box.h))
    if not points:
        x, y = space.centre
        points = [(x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8)]
    hull = cv2.convexHull(np.array(points, np.float32)).reshape(-1, 2)
    return np.asarray(hull, np.float64)


class _Window:
    """One space of a printed mat by itself: whether it is covered, at the cost of that space only."""

    AROUND_MM = 10

    def __init__(self, mat: Mat, print_px: Image, space: Space) -> None:
        x0 = max(0, math.floor(min(slot.box.x for slot in space.slots)) - self.AROUND_MM)
        y0 = max(0, math.floor(min(slot.box.y for slot in space.slots)) - self.AROUND_MM)
        x1 = math.ceil(max(slot.box.x + slot.box.w for slot in space.slots)) + self.AROUND_MM
        y1 = math.ceil(max(slot.box.y + slot.box.h for slot in space.slots)) + self.AROUND_MM
        self.box = Box(x0, y0, min(x1, int(mat.width_mm)) - x0, min(y1, int(mat.height_mm)) - y0)
        slots = tuple(
            msgspec.structs.replace(s, box=Box(s.box.x - x0, s.box.y - y0, s.box.w, s.box.h))
            for s in space.slots
        )
        there = msgspec.structs.replace(
            mat,
            width_mm=float(self.box.w),
            height_mm=float(self.box.h),
            markers=(),
            spaces=(msgspec.structs.replace(space, slots=slots),),
            hexgrid=None,
        )
        px = round(PRINT_PX_PER_MM)
        part = print_px[
            y0 * px : (y0 + int(self.box.h)) * px,
            x0 * px : (x0 + int(self.box.w)) * px,
        ]
        self._look = PrintedLook(there, np.ascontiguousarray(part))
        self._pose: Pose | None = None
        self._shrink = 0.0
        self._spots = np.zeros((0, 0, 2), np.float32)

    def covered(self, small: Image, pose: Pose, shrink: float, sightings: Iterable[Sighting]) -> bool:
        """Whether something that is no tag read here lies over a slot of the space.

        `small` is the whole picture `shrink` times smaller than the pose's.
        """
        x0, y0 = self.box.x, self.box.y
        if self._pose is not pose or self._shrink != shrink:
            self._spots = self._look.spots(pose, shrink, (x0, y0))
            self._pose, self._shrink = pose, shrink
        lying = [msgspec.structs.replace(s, x_mm=s.x_mm - x0, y_mm=s.y_mm - y0) for s in sightings]
        seen = self._look.sampled(small, self._spots)
        cover = self._look.covered(self._look.compare(seen, lying), lying, np.zeros((0, 2)))
        return bool(cover.hidden or cover.doubtful)


class QuickReader:
    """Reads the pictures of one camera over one mat at the cost of what changed.

    `roster` says which payloads are ours, None takes all. `sweep_s` is how often the whole picture is read;
    what lies outside all spaces is seen by whole pictures only. Whether a space that lost its tag is empty
    or covered can be told at once only where the mat's print is known. Every look is complete: what was not
    read is as it was read last. The same pictures at the same times give the same looks.
    """

    def __init__(
        self, mat: MatGeometry, roster: Collection[str] | None = None, *, sweep_s: float = SWEEP_S
    ) -> None:
        self.mat = mat
        self.sweep_s = sweep_s
        self.pose: Pose | None = None
        self.moves = 0
        """How often the mat was found somewhere else than before."""
        printed: PrintedLook | None = None
        self._print: Image | None = None
        if mat.printed is not None:
            rgb = mat_drawing(mat.printed).raster(PRINT_PX_PER_MM)
            self._print = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)
            printed = PrintedLook(mat.printed, self._print)
        self.reader = Reader(mat, roster, printed)
        self._windows: dict[str, _Window] = {}
        self._spaces: Mapping[str, Space] = {space.id: space for space in mat.spaces}
        self._changes: ChangeMap | None = None
        self._shape: tuple[int, ...] = ()
        self._swept = -math.inf
        self._posed = -math.inf
        self._whole = Observation(())
        self._held: dict[str, tuple[Sighting, ...]] = {}
        self._cover: dict[str, Condition] = {}
        self._owed: dict[str, int] = {}
        self._sweeps_owed = 0

    def look(self, frame: Frame) -> Observation:
        """What a picture shows. Raises ValueError when the frame holds none."""
        picture = grey(frame.y)
        at = frame.at
        if self.pose is None and at - self._posed < POSE_AGAIN_S:
            return msgspec.structs.replace(self._whole, at=at)
        small = frame.low if frame.low is not None else low_of(picture)
        if self._changes is None or self.pose is None or picture.shape != self._shape:
            return self._found(picture, small, at, find_markers(picture, self.mat.dictionary))
        changes = self._changes.compare(small, at)
        due = at - self._posed >= POSE_S
        if due or (changes.markers_differ and at - self._posed >= POSE_AGAIN_S):
            markers = find_markers(picture, self.mat.dictionary)
            if self._moved(markers, len(changes.differ)):
                return self._found(picture, small, at, markers)
            self._posed = at
            self._changes.settle_markers()
        spaces = (changes.differ | self._owed.keys()) - changes.moving
        if (
            at - self._swept >= self.sweep_s
            or self._sweeps_owed
            or len(spaces) > MANY_CHANGED * len(self._spaces)
        ):
            return self._sweep(picture, at, changes.moving)
        return self._read(picture, small, at, spaces, changes.moving)

    def area(self, frame: Frame) -> tuple[int, int, int, int] | None:
        """Where the mat lay in the picture read last (x, y, width, height in pixels), None if nowhere."""
        if self.pose is None:
            return None
        w, h = self.mat.width_mm, self.mat.height_mm
        corners = self.pose.to_px(np.array([[0.0, 0.0], [w, 0.0], [0.0, h], [w, h]]))
        rows, columns = frame.y.shape[:2]
        x0, y0 = np.floor(corners.min(axis=0)).clip(0, [columns, rows]).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0)).clip(0, [columns, rows]).astype(int)
        return int(x0), int(y0), int(x1 - x0), int(y1 - y0)

    # ---- where the mat is

    def _moved(self, markers: list[FoundMarker], differing: int) -> bool:
        """Whether the mat, or the camera, is not where it was, or can be placed better now."""
        assert self.pose is not None
        places = {place.id: np.array(place.corners_mm, np.float64) for place in self.mat.markers}
        ours = [marker for marker in markers if marker.id in places]
        if not ours:
            # Hands over all markers leave most spaces alone; a camera turned away does not.
            return differing > 0.5 * len(self._spaces)
        middle = np.array([[self.mat.width_mm / 2, self.mat.height_mm / 2]])
        fine = float(self.pose.px_per_mm(middle)[0])
        fresh = 0
        for marker in ours:
            off = marker.corners_px - self.pose.to_px(places[marker.id])
            # Print that is not flat is as far off as when the mat was found.
            usual = self.pose.residuals_mm.get(marker.id, 0.0) * fine
            fresh += float(np.hypot(*off.T).mean()) > POSE_MOVED_PX + usual
        return 2 * fresh > len(ours) or len(ours) > len(self.pose.markers)

    def _found(self, picture: Image, small: Image, at: float, markers: list[FoundMarker]) -> Observation:
        """Place the mat anew and read everything."""
        before = self.pose
        self._shape = picture.shape
        self._posed = at
        self.pose = pose_from(markers, self.mat, lens_for(picture, self.mat))
        self._changes = None
        if self.pose is not None:
            rows, columns = picture.shape
            self._changes = ChangeMap(self.mat, self.pose, (rows, columns), (small.shape[0], small.shape[1]))
            self._changes.compare(small, at)
            self.moves += before is not None and self._shifted(before, self.pose)
        return self._sweep(picture, at, frozenset())

    def _shifted(self, before: Pose, after: Pose) -> bool:
        """Whether two poses put the mat at different places of the picture."""
        w, h = self.mat.width_mm, self.mat.height_mm
        corners = np.array([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]])
        return float(np.hypot(*(after.to_px(corners) - before.to_px(corners)).T).mean()) > 3 * POSE_MOVED_PX

    # ---- reading

    def _sweep(self, picture: Image, at: float, moving: frozenset[str]) -> Observation:
        """Read the whole picture."""
        before, self._swept = self._whole, at
        self._whole = look = self.reader.read(picture, at)
        if any(problem.kind == "no_mat" for problem in look.problems):
            self.pose = self._changes = None
            return look
        found: dict[str, list[Sighting]] = {}
        for sighting in look.sightings:
            found.setdefault(sighting.space or "", []).append(sighting)
        for name in self._spaces.keys() - moving:
            cover = None
            if name in look.hidden:
                cover = Condition.HIDDEN
            elif name in look.doubtful:
                cover = Condition.DOUBTFUL
            self._hold(name, found.get(name, ()), cover)
        outside = tuple(found.get("", ()))
        news = _payloads(outside) != _payloads(self._held.get("", ())) or _beside(look) != _beside(before)
        self._held[""] = outside
        self._sweeps_owed = READ_AGAIN if news else max(0, self._sweeps_owed - 1)
        if self._changes is not None:
            self._changes.settle(self._spaces.keys() - moving)
        return self._made(at, None, moving)

    def _read(
        self,
        picture: Image,
        small: Image,
        at: float,
        spaces: frozenset[str],
        moving: frozenset[str],
    ) -> Observation:
        """Read some spaces, all others being as they were."""
        assert self.pose is not None
        assert self._changes is not None
        if spaces:
            foreign = self._read_plainly(picture, small, spaces)
            self._changes.settle(spaces)
            if foreign:
                # Which space it lies in is not told: the next picture is read whole.
                self._sweeps_owed = max(self._sweeps_owed, 1)
        return self._made(at, spaces, moving)

    def _read_plainly(self, picture: Image, small: Image, spaces: frozenset[str]) -> list[str]:
        """Read spaces and keep what lies there; gives the codes that are not ours.

        Where all that is no tag shows the print there is nothing more to find; only the others, and those
        whose print is not known, are looked at closely.
        """
        assert self.pose is not None
        shrink = picture.shape[1] / small.shape[1]
        plain = frozenset(name for name in spaces if self._window(name) is not None)
        found, foreign = self.reader.read_spaces(picture, self.pose, plain, closer=False)
        unclear = {name for name in plain if self._covered(name, found, small, shrink)}
        close = unclear | (spaces - plain)
        if close:
            more, strange = self.reader.read_spaces(picture, self.pose, close)
            found = [sighting for sighting in found if sighting.space not in close] + more
            foreign += strange
        for name in spaces:
            covered = name in unclear and self._covered(name, found, small, shrink)
            here = [sighting for sighting in found if sighting.space == name]
            self._hold(name, here, Condition.HIDDEN if covered else None)
        return foreign

    def _covered(self, name: str, found: Sequence[Sighting], small: Image, shrink: float) -> bool:
        """Whether anything but its print and the tags found there is seen in a space."""
        window = self._window(name)
        assert self.pose is not None
        assert window is not None
        return window.covered(small, self.pose, shrink, [s for s in found if s.space == name])

    def _hold(self, name: str, sightings: Sequence[Sighting], cover: Condition | None) -> None:
        """Keep what was read in a space; what is new is owed more readings, so that it can be voted on."""
        here = tuple(sightings)
        same = name in self._held and _payloads(here) == _payloads(self._held[name])
        same = same and (cover is None) == (name not in self._cover)
        owed = self._owed.pop(name, 0) - 1 if same else READ_AGAIN
        if owed > 0:
            self._owed[name] = owed
        self._held[name] = here
        self._cover.pop(name, None)
        if cover is not None:
            self._cover[name] = cover

    def _made(self, at: float, read: frozenset[str] | None, moving: frozenset[str]) -> Observation:
        sightings = [s for name, held in self._held.items() if name not in moving for s in held]
        sightings.sort(key=lambda s: (s.y_mm, s.x_mm, s.payload))
        by = {condition: set[str]() for condition in Condition}
        for name, cover in self._cover.items():
            by[cover].add(name)
        hidden = moving.union(by[Condition.HIDDEN])
        return msgspec.structs.replace(
            self._whole,
            sightings=tuple(sightings),
            hidden=hidden,
            doubtful=frozenset(by[Condition.DOUBTFUL]) - hidden,
            at=at,
            read=read,
            moving=moving,
        )

    def _window(self, name: str) -> _Window | None:
        """A space's print by itself, None where it is not known."""
        printed, space = self.mat.printed, self._spaces[name]
        if self._print is None or printed is None or not space.slots:
            return None
        if name not in self._windows:
            self._windows[name] = _Window(printed, self._print, space)
        return self._windows[name]


class Eye:
    """Watches one mat: pictures in, stable observations out.

    `roster`, `sweep_s` are as for `QuickReader`, `quiet_s` and `patience_s` as for `Watcher`. Where the
    pictures are read in another process than they are watched in, use these two apart.
    """

    def __init__(
        self,
        mat: MatGeometry,
        roster: Collection[str] | None = None,
        *,
        quiet_s: float = QUIET_S,
        patience_s: float = PATIENCE_S,
        sweep_s: float = SWEEP_S,
    ) -> None:
        self.quick = QuickReader(mat, roster, sweep_s=sweep_s)
        self.watcher = Watcher(mat, quiet_s=quiet_s, patience_s=patience_s)

    def see(self, frame: Frame) -> Observation | None:
        """Take in one picture; gives an observation when it is stable and news.

        Raises ValueError when the frame holds no picture.
        """
        return self.watcher.see(self.quick.look(frame))

    def accepted(self) -> None:
        """The record has taken in what lies there: `Observation.order` begins anew."""
        self.watcher.accepted()


def low_of(picture: Image) -> Image:
    """The small picture of a camera that makes none: at most `LOW_SIZE`, by a whole factor."""
    factor = max(1, math.ceil(max(picture.shape[1] / LOW_SIZE[0], picture.shape[0] / LOW_SIZE[1])))
    size = (max(picture.shape[1] // factor, 1), max(picture.shape[0] // factor, 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _payloads(sightings: Sequence[Sighting]) -> tuple[str, ...]:
    return tuple(sorted(sighting.payload for sighting in sightings))


def _beside(look: Observation) -> tuple[object, object]:
    """What only a whole picture tells."""
    return look.foreign, {problem.kind for problem in look.problems}
