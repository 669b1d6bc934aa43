"""Somebody's own board without hexes, taught from a picture: marker cards round it, and each space by itself.

On such a board the spaces lie elsewhere and have other sizes than on the printed mat, so nothing is fitted:
the cards give the plane in millimetres (`vision.card_frame`), and each space is the rectangle that was
pointed at in it. All rectangles lie along one direction, that of the board. Spaces with four corners tell
it, long edges most; without any it is that of the picture's edges. Two opposite corners then span a
rectangle along it.

A space is one area, in which all its pieces may lie (one slot): people lay discs where there is room. What
comes out is marked `stacked`, because discs are larger than many printed spaces and then lie on each other:
what is not seen says nothing. Spaces that are optional (`Space.optional`) may be left out; they are not in
the file at all, so that nothing is ever said of them.
"""

from __future__ import annotations

import cmath
import difflib
import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import cv2
import msgspec
import numpy as np

from assistant.layout import Box, LayoutError, Mat, Slot, Space
from vision.card_frame import CannotTeach, CardFrame, frame_of
from vision.faces import code_box, piece_size
from vision.geometry import FloatArray, Lens
from vision.marker_cards import MARKER_MM
from vision.optics import Image, mapped
from vision.taught import Ground, Taught, cross, drawn, geometry_in

POINTING_MM = 3.0
"""Pointing is not exact: corners may lie so far from a rectangle, and spaces side by side overlap so much. A
piece within any of it is still found, because slots reach farther (`vision.geometry.SLOT_REACH_MM`)."""
OUTSIDE_SHARE = 1 / 2
"""A space may reach out of the cards by this share of a card's side; farther out no card checks the plane."""
ROOM_MM = 1.0
"""What may be missing where pieces are said to have room side by side."""
NUMBERS = "4 numbers (two opposite corners) or 8 (all four corners, going round)"


class Zone(msgspec.Struct, frozen=True):
    """A space pointed at: its name and two opposite corners of it, or all four going round, in the first
    picture (x, y in pixels). `source` is where that was said, for faults."""

    space: str
    corners_px: tuple[tuple[float, float], ...]
    source: str = ""

    @classmethod
    def of(cls, space: str, numbers: Sequence[float], source: str = "") -> Zone:
        """A zone of 4 or 8 numbers: x, y, x, y ... Raises LayoutError for another count."""
        if len(numbers) not in (4, 8):
            raise LayoutError([f"{source or space}: expected {NUMBERS}, found {len(numbers)}"])
        return cls(space, tuple(zip(numbers[::2], numbers[1::2], strict=True)), source)


class ZoneFit(msgspec.Struct, frozen=True):
    """A space as taken: its rectangle on the board (mm), how many pieces may lie there by the rules, and how
    many have room side by side; `off_mm` is how far its corners lay from the rectangle (0 for two)."""

    space: str
    box: Box
    pieces: int
    room: int
    off_mm: float


@dataclass(frozen=True, eq=False)
class ZonedBoard(Taught):
    """A board of zones that was taught: its zones, and the spaces that it does not have.

    `turned_by` names the spaces that told the board's direction; empty when it was the picture's edges.
    """

    zones: tuple[Zone, ...]
    fits: tuple[ZoneFit, ...]
    left_out: tuple[str, ...]
    turned_by: tuple[str, ...]

    @property
    def longest(self) -> ZoneFit:
        """The space that suffers most when the board's direction is wrong."""
        return max(self.fits, key=lambda fit: max(fit.box.w, fit.box.h))


def teach_zones(
    mat: Mat,
    pictures: Sequence[Image],
    zones: Sequence[Zone],
    *,
    marker_mm: float = MARKER_MM,
    token_mm: float | None = None,
    lens: Lens | None = None,
) -> ZonedBoard:
    """Learn where the spaces of a game's mat are on somebody's own board, each from its own corners.

    `pictures` are grey, of one camera; the corners lie in the first, further ones only help to place the
    cards. `marker_mm` is the side of the cards' black squares, `token_mm` how far the tags of discs and
    tokens lie above the board where that is not as printed. Raises LayoutError for names that are wrong or
    missing and corners outside the picture, CannotTeach when the picture or the zones do not do; both tell
    all that is wrong.
    """
    faults = [*_wrong_names(mat, zones), *_outside(zones, pictures[0])]
    if faults:
        raise LayoutError(faults)
    frame = frame_of(pictures, marker_mm=marker_mm, lens=lens)
    turned_by = tuple(zone.space for zone in zones if len(zone.corners_px) == 4 and not _crosswise(zone))
    angle = _direction(frame, [zone for zone in zones if zone.space in turned_by] or zones)
    straight = np.array(
        [[math.cos(angle), math.sin(angle), 0], [-math.sin(angle), math.cos(angle), 0], [0, 0, 1.0]]
    )
    fits = [_fit(mat, zone, frame, straight) for zone in zones]
    _judge(mat, frame, straight, zones, fits, marker_mm)
    boxes = [fit.box for fit in fits]
    reach = np.array([[[b.x, b.y], [b.x + b.w, b.y + b.h]] for b in boxes]).reshape(-1, 2)
    ground = Ground.under(frame, straight, reach, marker_mm)
    dx, dy = ground.origin
    placed = {
        fit.space: msgspec.structs.replace(fit, box=Box(fit.box.x + dx, fit.box.y + dy, fit.box.w, fit.box.h))
        for fit in fits
    }
    # In the mat's order, in whatever order they were pointed at.
    spaces = tuple(_space(space, placed[space.id].box) for space in _spaces(mat) if space.id in placed)
    how = {
        "zones": {
            zone.space: [round(float(v), 1) for corner in zone.corners_px for v in corner] for zone in zones
        }
    }
    document = ground.document(mat, frame, spaces, None, how, marker_mm=marker_mm, token_mm=token_mm)
    return ZonedBoard(
        geometry_in(document),
        document,
        frame,
        ground.to_board,
        tuple(zones),
        tuple(placed[space.id] for space in spaces),
        tuple(space.id for space in _spaces(mat) if space.id not in placed),
        turned_by,
    )


def overlay(picture: Image, board: ZonedBoard) -> Image:
    """The first picture (grey) with the taught spaces drawn over it (BGR): outlines, names, cards, and a
    yellow cross at each corner that was pointed at."""
    canvas, thick = drawn(picture, board)
    for zone in board.zones:
        for corner in zone.corners_px:
            cross(canvas, corner, 8 * thick, thick)
    return canvas


# ---- names


def _spaces(mat: Mat) -> tuple[Space, ...]:
    """The spaces that can be zones. Raises LayoutError for a hex map."""
    if mat.hexgrid is not None:
        raise LayoutError([f"{mat.title} is a map of hexes: it is taught by points, not by zones"])
    return tuple(space for space in mat.spaces if space.slots)


def _wrong_names(mat: Mat, zones: Sequence[Zone]) -> Iterator[str]:
    """Spaces that there are not, that come twice, and all that are missing."""
    spaces = {space.id: space for space in _spaces(mat)}
    near = {name.casefold(): name for name in spaces}
    for zone in zones:
        if zone.space not in spaces:
            close = difflib.get_close_matches(zone.space.casefold(), near, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(near[name] for name in close)}?" if close else ""
            yield f"there is no space {zone.space}{'; ' if hint else ''}{hint}"
    for name, times in Counter(zone.space for zone in zones).items():
        if times > 1:
            where = " and ".join(zone.source for zone in zones if zone.space == name and zone.source)
            yield f"{name} is given {times} times{f': {where}' if where else ''}"
    there = {zone.space for zone in zones}
    missing = [name for name, space in spaces.items() if not space.optional and name not in there]
    if missing:
        many = len(missing) > 1
        yield (
            f"{len(missing)} space{'s' if many else ''} that every board has {'are' if many else 'is'} "
            f"missing: {', '.join(missing)}"
        )


def _outside(zones: Sequence[Zone], picture: Image) -> Iterator[str]:
    height, width = picture.shape
    for zone in zones:
        if not all(0 <= x <= width - 1 and 0 <= y <= height - 1 for x, y in zone.corners_px):
            yield f"{zone.space} lies outside the picture of {width} x {height} pixels"


# ---- from corners to rectangles


def _crosswise(zone: Zone) -> bool:
    """Whether four corners do not go round a space: then its edges cross, or it has a dent."""
    if len(zone.corners_px) != 4:
        return False
    corners = np.array(zone.corners_px)
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return not ((turns > 0).all() or (turns < 0).all())


def _direction(frame: CardFrame, zones: Sequence[Zone]) -> float:
    """The angle (radians) of the board's rows in the plane of the cards: the edges of four-cornered zones
    say it up to quarter turns, and rows run as nearly along the picture's as they can."""
    pose = frame.poses[0]
    middle = np.concatenate([np.array(zone.corners_px) for zone in zones]).mean(axis=0)
    left, right = pose.to_mm(middle + [[-50.0, 0.0], [50.0, 0.0]]) @ np.array([1, 1j])
    rows = cmath.phase(complex(right - left))
    total = 0j
    for zone in zones:
        if len(zone.corners_px) == 4:
            corners = pose.to_mm(np.array(zone.corners_px)) @ np.array([1, 1j])
            edges = np.roll(corners, -1) - corners
            # Four times the angle is the same for all four edges of a rectangle.
            total += complex((np.abs(edges) * np.exp(4j * np.angle(edges))).sum())
    if not total:
        return rows
    quarter = math.pi / 2
    angle = cmath.phase(total) / 4
    return angle + round((rows - angle) / quarter) * quarter


def _fit(mat: Mat, zone: Zone, frame: CardFrame, straight: FloatArray) -> ZoneFit:
    """The rectangle of a zone in the upright plane."""
    corners = mapped(straight, frame.poses[0].to_mm(np.array(zone.corners_px)))
    # Of four corners the two on each side are averaged, of two each is a side.
    per_side = len(corners) // 2
    ordered = np.sort(corners, axis=0)
    low, high = ordered[:per_side].mean(axis=0), ordered[-per_side:].mean(axis=0)
    off = 0.0
    if len(corners) == 4:
        ends = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
        off = float(np.hypot(*(corners[:, None] - ends).transpose(2, 0, 1)).min(axis=1).max())
    box = Box(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))
    space = mat.space_named(zone.space)
    return ZoneFit(zone.space, box, len(space.slots), _room(mat, space, box), round(off, 2))


def _room(mat: Mat, space: Space, box: Box) -> int:
    """How many pieces have room in a rectangle side by side; one always has."""
    wide, tall = mat.card_mm if space.kind == "card" else _largest(mat)

    def rows(a: float, b: float) -> int:
        return int((box.w + ROOM_MM) // a) * int((box.h + ROOM_MM) // b)

    return max(1, rows(wide, tall), rows(tall, wide))


def _largest(mat: Mat) -> tuple[float, float]:
    """Width and height of the largest piece that is no card (mm)."""
    sizes = [piece_size(mat, piece) for piece in mat.pieces if piece.form != "card"]
    return max(sizes, key=lambda size: size[0] * size[1], default=mat.sticker_mm)


def _least(mat: Mat, space: Space) -> tuple[float, float]:
    """The shorter and the longer side (mm) that a space needs: the tag of a piece laid on its middle lies in
    it whichever way the piece is turned."""
    code = max((piece.code_mm for piece in mat.pieces), default=0.0)
    across, along = code, code
    if space.kind == "card":
        for piece in mat.pieces:
            if piece.form == "card":
                (x, y), (w, h) = code_box(mat, piece).centre, piece_size(mat, piece)
                off = sorted((2 * abs(x - w / 2), 2 * abs(y - h / 2)))
                across, along = max(across, off[0]), max(along, off[1])
    return across, along


def _space(space: Space, box: Box) -> Space:
    """A space of the mat that lies elsewhere: one area in place of its slots."""
    return msgspec.structs.replace(space, centre=box.centre, slots=(Slot("1", box),))


# ---- whether they do


@dataclass
class _Faults:
    """What is wrong with zones: a sentence each, and by reason the spaces."""

    told: list[str] = field(default_factory=list)
    by: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, words: str, *spaces: str) -> None:
        self.told.append(words)
        self.by.setdefault(reason, []).extend(spaces)


def _judge(
    mat: Mat,
    frame: CardFrame,
    straight: FloatArray,
    zones: Sequence[Zone],
    fits: Sequence[ZoneFit],
    marker_mm: float,
) -> None:
    """Raises CannotTeach with everything that is wrong with the zones."""
    faults = _Faults()
    cards = {card.id: mapped(straight, card.corners_mm) for card in frame.cards}
    hull = cv2.convexHull(np.concatenate(list(cards.values())).astype(np.float32))
    sound = []
    for zone, fit in zip(zones, fits, strict=True):
        if _crosswise(zone):
            faults.add(
                "crosswise",
                f"the corners of {fit.space} are given crosswise: go round the space, corner by corner",
                fit.space,
            )
            continue
        before = len(faults.told)
        _judge_one(faults, mat, fit, cards, hull, OUTSIDE_SHARE * marker_mm)
        if len(faults.told) == before:
            sound.append(fit)
    for one, other in combinations(sound, 2):
        deep = min(_common(one.box.x, one.box.w, other.box.x, other.box.w),
                   _common(one.box.y, one.box.h, other.box.y, other.box.h))  # fmt: skip
        if deep > POINTING_MM:
            faults.add(
                "overlap",
                f"{one.space} and {other.space} overlap by {deep:.1f} mm (at most {POINTING_MM:g} is taken)",
                one.space,
                other.space,
            )
    if not faults.told:
        return
    slanted = {"overlap", "card"} & faults.by.keys() and all(len(zone.corners_px) == 2 for zone in zones)
    advice = (
        "If the board lies slanted in the picture, give a long space by all four corners."
        if slanted
        else "Look at these spaces in the picture, and teach again."
    )
    names = list(dict.fromkeys(name for spaces in faults.by.values() for name in spaces))
    raise CannotTeach(
        "zones",
        f"{'; '.join(faults.told)}. {advice}",
        {reason: ",".join(dict.fromkeys(spaces)) for reason, spaces in faults.by.items()},
        names,
    )


def _judge_one(
    faults: _Faults,
    mat: Mat,
    fit: ZoneFit,
    cards: Mapping[int, FloatArray],
    hull: Any,
    outside_mm: float,
) -> None:
    """What is wrong with one rectangle by itself."""
    box = fit.box
    ends = [(box.x + a * box.w, box.y + b * box.h) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
    if fit.off_mm > POINTING_MM:
        faults.add(
            "crooked",
            f"the corners of {fit.space} lie up to {fit.off_mm:.1f} mm from a rectangle along the board "
            f"(at most {POINTING_MM:g} is taken): where the space itself is slanted, give two corners of a "
            "rectangle within it",
            fit.space,
        )
    across, along = _least(mat, mat.space_named(fit.space))
    if min(box.w, box.h) < across or max(box.w, box.h) < along:
        what = "a card" if (across, along) != (across, across) else "a piece"
        faults.add(
            "small",
            f"{fit.space} is {box.w:.1f} x {box.h:.1f} mm; the tag of {what} needs {along:g} x {across:g} mm",
            fit.space,
        )
    out = max(-cv2.pointPolygonTest(hull, end, True) for end in ends)
    if out > outside_mm:
        faults.add(
            "outside",
            f"{fit.space} reaches {out:.0f} mm out of the marker cards, and at most {outside_mm:.0f} mm is "
            "taken: lay cards farther out",
            fit.space,
        )
    inner = box.grown(-POINTING_MM)
    right, bottom = inner.x + inner.w, inner.y + inner.h
    quad = np.array([[inner.x, inner.y], [right, inner.y], [right, bottom], [inner.x, bottom]], np.float32)
    for number, corners in cards.items():
        if cv2.intersectConvexConvex(quad, corners.astype(np.float32))[0] > 0:
            faults.add("card", f"marker card {number} lies in {fit.space}", fit.space)


def _common(start: float, length: float, other: float, long: float) -> float:
    """How much of two stretches of a line is common to both; below 0 the gap between them."""
    return min(start + length, other + long) - max(start, other)


# ---- the file


def skeleton(mat: Mat) -> str:
    """A file of zones to fill in (TOML): every space under its heading, with its title, what it costs and
    whether it may be left out. Raises LayoutError for a hex map."""
    spaces = _spaces(mat)
    width = max(len(_key(space.id)) for space in spaces)
    lines = [
        f"# The spaces of your own board for {mat.title}, in pixels of the picture from its top left:",
        "#     NAME = [X, Y, X, Y]                two opposite corners",
        "#     NAME = [X, Y, X, Y, X, Y, X, Y]    all four corners, going round",
        "# Where the board lies slanted in the picture, one long space by four corners tells it for all.",
        '# What is marked "optional" may stay [] and is told by touch; all others have to be filled in.',
        f"game = {json.dumps(mat.game)}",
        f"pack = {json.dumps(mat.pack)}",
        "",
        "[zones]",
    ]
    headings = {zone.id: zone for zone in mat.zones}
    last = ""
    for space in spaces:
        if space.zone != last and space.zone in headings:
            heading = headings[space.zone]
            lines += ["", f"# {heading.title}{f': {heading.note}' if heading.note else ''}"]
        last = space.zone
        cost = space.notes.get("cost", "")
        words = [space.title, f"costs {cost}" if cost else "", "optional" if space.optional else ""]
        told = ", ".join(word for word in words if word)
        lines.append(f"{_key(space.id):<{width}} = []{f'  # {told}' if told else ''}")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    """A space's name as a key of TOML."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def zones_in(text: str, mat: Mat, source: str) -> list[Zone]:
    """The zones in such a file; those that are still empty are left out.

    `source` names it in faults. Raises LayoutError with everything that is wrong with the file itself; names
    are judged when the board is taught.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError([f"{source}: {error}"]) from None
    faults = [
        f"{source}: there is no setting {name!r}; there are game, pack and [zones]"
        for name in table
        if name not in ("game", "pack", "zones")
    ]
    for name, own in (("game", mat.game), ("pack", mat.pack)):
        if table.get(name, own) != own:
            faults.append(f"{source}: it is of the {name} {table[name]!r}, and this is {own!r}")
    given = table.get("zones", {})
    if not isinstance(given, dict):
        faults.append(f"{source}: zones must be a table, written [zones]")
        given = {}
    zones = []
    for name, numbers in given.items():
        if not isinstance(numbers, list) or not all(_is_number(number) for number in numbers):
            faults.append(f"{source}: {name}: expected {NUMBERS}")
        elif len(numbers) not in (0, 4, 8):
            faults.append(f"{source}: {name}: expected {NUMBERS}, found {len(numbers)}")
        elif numbers:
            zones.append(Zone.of(name, [float(number) for number in numbers], source))
    if faults:
        raise LayoutError(faults)
    return zones


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
