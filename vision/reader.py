"""Picture to tag readings: what lies where, what could not be made out, what is wrong with the picture.

First the whole picture is read as it is. Then every place that looks like a tag and was not read is cut
out, enlarged and read again, sharper each time; then it is compared with the codes that are known to be
ours, and last, zbar gives a second opinion. Codes that are not ours are counted and never become pieces.
Nothing here remembers an earlier picture's tags.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from assistant.layout import Box, Space
from assistant.observation import Observation, Problem, Sighting
from vision.codebook import Codebook, local_maps, located
from vision.cover import ALIKE, FEWEST_SEEN, Comparison, PrintedLook
from vision.decoders import Code, enlarged, moved, read_zbar, read_zxing
from vision.geometry import QR_MODULES, SLOT_REACH_MM, FloatArray, MatGeometry, Places
from vision.markers import find_markers
from vision.mat import Pose, lens_for, pose_from
from vision.optics import Image, halved
from vision.problems import picture_problems

TEXTURE_LIKE_A_TAG = 0.08
"""Fine contrast (share of the brightness) from which a place may hold a tag: tags have 0.14 to 0.4 under
all lights measured, wood and print less than 0.05."""
MOST_CROPS = 300
"""Places looked at again in one picture; beyond that it is no table but a carpet."""
FEW_SPOTS = 24
"""With so few, enlarging each is cheaper than first looking for finder patterns."""
MOST_SPOTS = 1200
"""Places with a tag's texture that are looked at for finder patterns."""
LARGE_CODE_PX = 24.0
"""Side of a code in the half-size picture from which texture is told apart eight pixels wide, not four."""
WEAKEST_SHARE = 0.35
"""A tag has at least this share of the fine contrast of the other tags in the same picture."""
LARGE_MODULE_PX = 3.5
SMALL_STEPS: tuple[tuple[int, float], ...] = ((2, 0.0), (3, 1.0), (3, 2.0), (4, 1.0))
LARGE_STEPS: tuple[tuple[int, float], ...] = ((1, 0.0), (2, 0.0), (2, 1.0))
"""How often a crop is enlarged and how much it is sharpened, in turn, for modules below and above
`LARGE_MODULE_PX`. Enlarging helps small codes and hurts large ones: about six pixels a module are best."""
SMALLEST_DECODED_PX = 1.7
"""Pixels per module below which no decoder reads anything and only the codebook is asked."""
TAG_FRAME = 0.5
"""Likeness to a code's finder patterns, timing and quiet zone from which decoders try what the codebook
does not know: it may be somebody else's."""
BESIDE_MM = 60.0
"""How far beside the mat a code may lie and still be told of: a piece put down at its edge."""
SAME_PLACE = 0.6
"""Codes nearer than this share of their side are one code."""
SIZE_TOLERANCE = 0.22
"""How far a code's side may differ from the printed one and still be ours."""

SMALLEST_PART_PX = 12
"""A part of a picture narrower than this holds no tag."""


def grey(image: NDArray[Any]) -> Image:
    """A picture as rows of 8-bit grey. Takes grey, BGR or BGRA (also grey with alpha).

    Raises ValueError when it is not an 8-bit picture with at least one pixel.
    """
    if image.dtype != np.uint8:
        raise ValueError(f"a picture has 8 bits per value; this one is {image.dtype}")
    if image.ndim not in (2, 3) or 0 in image.shape:
        raise ValueError(f"a picture has rows and columns; this one has the shape {image.shape}")
    if image.ndim == 2:
        return np.ascontiguousarray(image)
    channels = image.shape[2]
    if channels in (1, 2):
        return np.ascontiguousarray(image[..., 0])
    if channels not in (3, 4):
        raise ValueError(f"a picture has 1, 3 or 4 values per pixel; this one has {channels}")
    code = cv2.COLOR_BGR2GRAY if channels == 3 else cv2.COLOR_BGRA2GRAY
    return np.asarray(cv2.cvtColor(image, code), np.uint8)


@dataclass(frozen=True, eq=False)
class _Look:
    """A place of a picture to look at again (2, pixels), and the side of a code there in pixels."""

    picture: Image
    spot: FloatArray
    code_px: float

    @property
    def steps(self) -> tuple[tuple[int, float], ...]:
        """How much to enlarge and to sharpen, in turn; nothing where only the codebook reads."""
        module = self.code_px / QR_MODULES
        if module < SMALLEST_DECODED_PX:
            return ()
        return SMALL_STEPS if module < LARGE_MODULE_PX else LARGE_STEPS

    def enlarged(self) -> list[Code]:
        """What zxing-cpp reads there by the first step."""
        return self._decoded(self.steps[:1])

    def sharpened(self) -> list[Code]:
        """What it reads by the others, or zbar after it."""
        found = self._decoded(self.steps[1:])
        if found:
            return found
        factor = 1 if self.steps == LARGE_STEPS else 3
        crop, offset = self._crop()
        return [moved(code, offset, factor) for code in read_zbar(enlarged(crop, factor))]

    def _decoded(self, steps: Sequence[tuple[int, float]]) -> list[Code]:
        crop, offset = self._crop()
        for factor, sharpen in steps:
            codes = read_zxing(enlarged(crop, factor, sharpen), f"zxing-x{factor}")
            found = [moved(code, offset, factor) for code in codes]
            if _covered(self.spot[None], found)[0]:
                return found
        return []

    def _crop(self) -> tuple[Image, FloatArray]:
        """The picture round the place, with room for a turned code, and where it was cut out."""
        half = self.code_px * 1.1
        height, width = self.picture.shape
        x0, y0 = np.floor(self.spot - half).clip(0, [width - 1, height - 1]).astype(int)
        x1, y1 = np.ceil(self.spot + half).clip(1, [width, height]).astype(int)
        return self.picture[y0:y1, x0:x1], np.array([x0, y0], np.float64)


class Reader:
    """Reads pictures of one mat.

    `roster` says which payloads are ours; None takes every payload as it is. `printed` is the empty mat's
    look, made from its drawing when not given and the mat is our own. Keeps only what belongs to the mat,
    so that any picture gives the same answer whenever it is read.
    """

    def __init__(
        self, mat: MatGeometry, roster: Collection[str] | None = None, printed: PrintedLook | None = None
    ) -> None:
        self.mat = mat
        self.roster = None if roster is None else frozenset(roster)
        self.printed = printed or (None if mat.printed is None else PrintedLook.of(mat.printed))
        self._places = Places(mat)
        self._code_sizes = sorted({mat.code_mm, *mat.code_sizes.values()})
        w, h = mat.width_mm, mat.height_mm
        self._mat_room = _corners(-BESIDE_MM, -BESIDE_MM, w + BESIDE_MM, h + BESIDE_MM)
        self._rooms = {space.id: _room(space, mat) for space in mat.spaces}

    @cached_property
    def codebook(self) -> Codebook | None:
        """The known codes; None without a roster, because then nothing is known."""
        return None if self.roster is None else Codebook(self.roster)

    def read(self, image: NDArray[Any], at: float = 0.0, pose: Pose | None = None) -> Observation:
        """What one picture (8-bit grey, BGR or BGRA) shows. Raises ValueError when it is no picture.

        `pose` is where the mat is, for a camera that has not moved since it was found: then neither
        markers nor problems are looked for, which takes half of the time. Otherwise, when the mat is not
        found, there are no sightings and a problem `no_mat` says why. What lies farther than `BESIDE_MM`
        from the mat is not read.
        """
        picture = grey(image)
        problems: tuple[Problem, ...] = ()
        if pose is None:
            markers = find_markers(picture, self.mat.dictionary, halved(picture))
            pose = pose_from(markers, self.mat, lens_for(picture, self.mat))
            problems = tuple(picture_problems(picture, self.mat, pose, markers))
        if pose is None:
            return Observation((), problems=problems, at=at, stacked=self.mat.stacked)
        picture, pose = _part(picture, pose, self._mat_room)
        half = halved(picture)
        codes, failed = _sorted_out(read_zxing(picture, failures=True))
        spots = self._suspicious(half, pose, codes, failed)
        hidden: frozenset[str] = frozenset()
        if self.printed is None:
            codes, unread = self._read_again(picture, half, pose, spots, codes)
            sightings, foreign = self._sightings(codes, pose)
            # Words and pictures on a board that nobody knows look like tags; what is not seen there says
            # nothing anyway, and would take what is seen along into doubt.
            doubtful = frozenset() if self.mat.stacked else self._spaces_at(pose.to_mm(unread))
        else:
            flat = self.printed.flattened(half, pose)
            sightings, foreign = self._sightings(codes, pose)
            comparison = self.printed.compare(flat, sightings)
            spots = self._without_print(spots, pose, comparison)
            more, unread = self._read_again(picture, half, pose, spots, codes)
            if len(more) > len(codes):
                sightings, foreign = self._sightings(more, pose)
                comparison = self.printed.compare(flat, sightings)
            cover = self.printed.covered(comparison, sightings, pose.to_mm(unread))
            hidden, doubtful = cover.hidden, cover.doubtful
        return Observation(
            sightings=tuple(sightings),
            hidden=hidden,
            doubtful=doubtful,
            foreign=tuple(foreign),
            problems=problems,
            at=at,
            stacked=self.mat.stacked,
        )

    def read_spaces(
        self, image: Image, pose: Pose, spaces: Collection[str], *, closer: bool = True
    ) -> tuple[list[Sighting], list[str]]:
        """The tags in the named spaces of a grey picture whose pose is known, and payloads not ours.

        Only these spaces are looked at: no markers, no whole picture. What lies in other spaces is left
        out, as far as it can be told. Without `closer` only what reads at once is read. Raises KeyError
        for a space that the mat does not have and ValueError when the array is no picture.
        """
        picture = grey(image)
        sightings: list[Sighting] = []
        foreign: list[str] = []
        for name in sorted(set(spaces)):
            part, here = _part(picture, pose, self._rooms[name])
            if min(part.shape) < SMALLEST_PART_PX:
                continue
            codes, failed = _sorted_out(read_zxing(part, failures=closer))
            if closer:
                half = halved(part)
                spots = self._suspicious(half, here, codes, failed)
                inside = [self._places.at(float(x), float(y))[0] == name for x, y in here.to_mm(spots)]
                codes, _ = self._read_again(part, half, here, spots[np.array(inside, np.bool_)], codes)
            seen, strange = self._sightings(codes, here, name)
            sightings += seen
            foreign += strange
        sightings.sort(key=lambda s: (s.y_mm, s.x_mm, s.payload))
        return sightings, sorted(foreign)

    def _suspicious(
        self, half: Image, pose: Pose, codes: Sequence[Code], failed: Sequence[FloatArray]
    ) -> FloatArray:
        """Places on the mat (n x 2, pixels) with the fine strong texture of a tag that no code explains.

        Where a decoder found a code and could not read it comes first, then the strongest texture.
        """
        middle = np.array([[self.mat.width_mm / 2, self.mat.height_mm / 2]])
        code = float(pose.px_per_mm(middle)[0]) * self.mat.code_mm
        texture, cell = _texture(half, code / 2)
        least = TEXTURE_LIKE_A_TAG
        if codes:
            # Codes of the same picture show how strong a tag is under this light and blur.
            at = np.array([code.centre_px for code in codes]) / cell
            columns, rows = (np.clip(at[:, i].astype(int), 0, texture.shape[1 - i] - 1) for i in (0, 1))
            least = max(least, WEAKEST_SHARE * float(np.median(texture[rows, columns])))
        # One peak per tag: the largest value within half a code.
        reach = max(1, round(code * 0.5 / cell))
        highest = cv2.dilate(texture, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
        rows, columns = np.nonzero((texture >= highest) & (texture > least))
        order = np.argsort(-texture[rows, columns], kind="stable")[:MOST_SPOTS]
        peaks = np.column_stack([columns[order], rows[order]]) * float(cell) + (cell - 1) / 2
        spots = np.concatenate([np.array(failed).reshape(-1, 2), peaks])
        spots = spots[~_covered(spots, codes)]
        on_mat = pose.to_mm(spots)
        fit = (on_mat >= 0).all(axis=1) & (on_mat <= [self.mat.width_mm, self.mat.height_mm]).all(axis=1)
        for marker in self.mat.markers:
            corners = np.array(marker.corners_mm)
            low, high = corners.min(axis=0) - 2, corners.max(axis=0) + 2
            fit &= ~((on_mat >= low) & (on_mat <= high)).all(axis=1)
        spots = spots[fit]
        apart = np.hypot(*(spots[:, None] - spots[None]).transpose(2, 0, 1).astype(np.float32))
        # What lies close to a stronger place is the same place.
        again = np.tril(apart < 0.4 * code, -1).any(axis=1)
        most = MOST_CROPS if self.roster is None else MOST_SPOTS
        return np.asarray(spots[~again][:most], np.float64)

    def _without_print(self, spots: FloatArray, pose: Pose, comparison: Comparison) -> FloatArray:
        """The spots (n x 2, pixels) at which the picture does not simply show what is printed there."""
        if not len(spots):
            return spots
        side = self.mat.code_mm + 2
        boxes = [Box(float(x) - side / 2, float(y) - side / 2, side, side) for x, y in pose.to_mm(spots)]
        alike, share = comparison.likeness(boxes)
        return spots[(alike < ALIKE) | (share < FEWEST_SEEN)]

    def _read_again(
        self, picture: Image, half: Image, pose: Pose, spots: FloatArray, codes: list[Code]
    ) -> tuple[list[Code], FloatArray]:
        """All codes, with those found by a closer look at the spots, and the spots that stayed unread."""
        read = list(codes)
        if not len(spots):
            return read, spots
        sides = pose.px_per_mm(pose.to_mm(spots)) * self.mat.code_mm
        looks = [_Look(picture, spot, float(side)) for spot, side in zip(spots, sides, strict=True)]
        if self.codebook is None:
            looks = _tried(_tried(looks, read, _Look.enlarged), read, _Look.sharpened)
        elif len(looks) <= FEW_SPOTS:
            looks = self._with_codebook(half, pose, _tried(looks, read, _Look.enlarged), read)
        else:
            looks = self._with_codebook(half, pose, looks, read, enlarge=True)
        return read, np.array([look.spot for look in looks]).reshape(-1, 2)

    def _with_codebook(
        self, half: Image, pose: Pose, looks: list[_Look], read: list[Code], *, enlarge: bool = False
    ) -> list[_Look]:
        """The looks that stay unread after comparison with the known codes; what is read goes to `read`.

        With `enlarge` decoders are asked first, wherever there are three finder patterns: without these
        none of them reads anything. The codebook takes no longer than one sharpened crop and reads more,
        so that only codes which it does not know are sharpened after it.
        """
        if not looks or self.codebook is None:
            return looks
        spots = np.array([look.spot for look in looks])
        found = [located(looks[0].picture, half, local_maps(pose, spots, size)) for size in self._code_sizes]
        worth = np.flatnonzero(np.logical_or.reduce([good for good, _ in found]))[:MOST_CROPS]
        maps = {looks[i]: [of_size[i] for _, of_size in found] for i in worth}
        left = [looks[i] for i in worth]
        unread = [look for look in looks if look not in maps]
        if enlarge:
            left = _tried(left, read, _Look.enlarged)
        strange = []
        for look in left:
            matches = [self.codebook.match(look.picture, of_size) for of_size in maps[look]]
            best = max((m for m in matches if m is not None), key=lambda m: m.fit, default=None)
            if best is not None and best.accepted:
                read += [code for code in [best.code()] if not _known(code, read)]
            elif best is not None and best.frame >= TAG_FRAME:
                strange.append(look)
            else:
                unread.append(look)
        return unread + _tried(strange, read, _Look.sharpened)

    def _sightings(
        self, codes: Sequence[Code], pose: Pose, only: str | None = None
    ) -> tuple[list[Sighting], list[str]]:
        """Codes as sightings on the mat, in reading order, and the payloads that are not ours.

        With `only`, of that space alone.
        """
        if not codes:
            return [], []
        sightings, foreign = [], []
        corners_mm = pose.to_mm(np.concatenate([code.corners_px for code in codes])).reshape(-1, 4, 2)
        heights = np.array([self.mat.heights.get(code.text or "", 0.0) for code in codes])
        middles = pose.raised((corners_mm[:, 1] + corners_mm[:, 3]) / 2, heights)
        for code, corners, (x, y) in zip(codes, corners_mm, middles, strict=True):
            text = code.text or ""
            space, slot, cell = self._places.at(float(x), float(y))
            if only is not None and space != only:
                continue
            along, down = corners[1] - corners[0], corners[3] - corners[0]
            if not self._is_ours(text, float(np.hypot(*along) + np.hypot(*down)) / 2):
                foreign.append(text)
                continue
            sightings.append(
                Sighting(
                    payload=text,
                    x_mm=round(float(x), 3),
                    y_mm=round(float(y), 3),
                    turn_deg=round(math.degrees(math.atan2(along[1], along[0])), 1),
                    px_per_module=round(code.side_px / QR_MODULES, 2),
                    space=space,
                    slot=slot,
                    hex=cell,
                    reader=code.reader,
                )
            )
        sightings.sort(key=lambda s: (s.y_mm, s.x_mm, s.payload))
        return sightings, sorted(foreign)

    def _is_ours(self, text: str, side_mm: float) -> bool:
        if "\\x" in text or (self.roster is not None and text not in self.roster):
            return False
        return abs(side_mm / self.mat.code_size(text) - 1) <= SIZE_TOLERANCE

    def _spaces_at(self, points_mm: FloatArray) -> frozenset[str]:
        """The spaces in which points (n x 2, mm) lie."""
        places = (self._places.at(float(x), float(y))[0] for x, y in points_mm)
        return frozenset(space for space in places if space is not None)


def read_picture(image: NDArray[Any], mat: MatGeometry, roster: Collection[str] | None = None) -> Observation:
    """What one picture (8-bit grey, BGR or BGRA) of a mat shows.

    `roster` says which payloads are ours, None takes all as they are. For many pictures keep a `Reader`.
    Raises ValueError when the array is no picture.
    """
    return Reader(mat, roster).read(image)


def to_json(observation: Observation) -> dict[str, Any]:
    """The answer of `stationmaster read --json`: detections and problems, and what is not certain."""
    return {
        "detections": [
            {**msgspec.to_builtins(sighting), "hex": None if sighting.hex is None else list(sighting.hex)}
            for sighting in observation.sightings
        ],
        "problems": [msgspec.to_builtins(problem) for problem in observation.problems],
        "hidden": sorted(observation.hidden),
        "doubtful": sorted(observation.doubtful),
        "foreign": list(observation.foreign),
    }


def _room(space: Space, mat: MatGeometry) -> FloatArray:
    """The corners (4 x 2, mm) of a box round all of a space: whole tags, also those half over the line."""
    reach = 0.8 * mat.code_mm
    if space.hex is not None and mat.hexgrid is not None:
        # A tag belongs to the hex that its middle lies in, however far its slot reaches.
        x, y = space.centre
        across, down = mat.hexgrid.size_mm * math.sqrt(3), 2 * mat.hexgrid.size_mm
        boxes = [Box(x - across / 2, y - down / 2, across, down)]
    else:
        boxes = [slot.box for slot in space.slots] or [Box(*space.centre, 0.0, 0.0)]
        reach += SLOT_REACH_MM
    x0, y0 = min(box.x for box in boxes) - reach, min(box.y for box in boxes) - reach
    x1, y1 = max(box.x + box.w for box in boxes) + reach, max(box.y + box.h for box in boxes) + reach
    return _corners(x0, y0, x1, y1)


def _corners(x0: float, y0: float, x1: float, y1: float) -> FloatArray:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _part(picture: Image, pose: Pose, corners_mm: FloatArray) -> tuple[Image, Pose]:
    """The part of a picture round four points of the mat, perhaps empty, and the pose of the mat in it."""
    height, width = picture.shape
    corners = pose.to_px(corners_mm)
    x0, y0 = (int(v) for v in np.floor(corners.min(axis=0)).clip(0, [width, height]))
    x1, y1 = (int(v) for v in np.ceil(corners.max(axis=0)).clip(0, [width, height]))
    # A part of a picture is the picture of a lens whose middle is elsewhere.
    lens = msgspec.structs.replace(
        pose.lens, width=x1 - x0, height=y1 - y0, cx=pose.lens.cx - x0, cy=pose.lens.cy - y0
    )
    return picture[y0:y1, x0:x1], dataclasses.replace(pose, lens=lens)


def _texture(half: Image, code_half_px: float) -> tuple[NDArray[np.float32], int]:
    """How much fine contrast each place has, as a share of its brightness, and the cell's side in pixels.

    Contrast is taken against the mean of 5 x 5 pixels of the half-size picture: a tag is full of it, the
    edge of a hand or a sleeve has it along one line only.
    """
    shrink = 4 if code_half_px >= LARGE_CODE_PX else 2
    size = (max(half.shape[1] // shrink, 1), max(half.shape[0] // shrink, 1))
    if min(half.shape) >= shrink:
        # Whole cells only: averaging over parts of pixels takes four times as long.
        half = half[: size[1] * shrink, : size[0] * shrink]
    soft = cv2.boxFilter(half, -1, (5, 5))
    fine = cv2.absdiff(half, soft)
    contrast = np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)
    light = np.asarray(cv2.resize(soft, size, interpolation=cv2.INTER_NEAREST), np.float32)
    window = max(3, round(code_half_px * 0.85 / shrink) | 1)
    contrast = np.asarray(cv2.boxFilter(contrast, -1, (window, window)), np.float32)
    # Four grey levels are added so that the noise of a black corner is not taken for contrast.
    light = np.asarray(cv2.boxFilter(light, -1, (window, window)), np.float32) + 4
    return np.asarray(contrast / light, np.float32), 2 * shrink


def _sorted_out(codes: Sequence[Code]) -> tuple[list[Code], list[FloatArray]]:
    """The codes that were read, and where others were found that were not (pixels)."""
    read = [code for code in codes if code.text is not None]
    return read, [code.centre_px for code in codes if code.text is None]


def _tried(looks: list[_Look], read: list[Code], how: Callable[[_Look], list[Code]]) -> list[_Look]:
    """The looks that stay unread; the codes that the others gave, and are new, go to `read`."""
    unread = []
    for look in looks:
        if not _covered(look.spot[None], read)[0]:
            read += [code for code in how(look) if not _known(code, read)]
        if not _covered(look.spot[None], read)[0]:
            unread.append(look)
    return unread


def _known(code: Code, read: Sequence[Code]) -> bool:
    """Whether that text was already read at that place; elsewhere it is a second sighting."""
    return any(
        other.text == code.text
        and float(np.hypot(*(other.centre_px - code.centre_px)))
        < SAME_PLACE * max(code.side_px, other.side_px)
        for other in read
    )


def _covered(spots: FloatArray, read: Sequence[Code]) -> NDArray[np.bool_]:
    """Which points (n x 2, pixels) have a code that was read lying over them."""
    if not read:
        return np.zeros(len(spots), np.bool_)
    centres = np.array([code.centre_px for code in read])
    reach = SAME_PLACE * np.array([code.side_px for code in read])
    apart = np.hypot(*(spots[:, None, :] - centres[None]).transpose(2, 0, 1))
    return np.asarray((apart < reach[None]).any(axis=1), np.bool_)
