"""`layout.json`: what is printed and where, as a file the camera's reader can be given.

Keys at top level, lengths in mm, boxes as [x, y, width, height], points as [x, y]:

    version, game, pack, title, copy, digest, provenance
    board_mm        [width, height]
    markers         {dictionary, list: [{id, corners_mm: 4 points, clockwise from the top left}]}
    hexgrid         {orientation: "pointy", size_mm, origin_mm, cells: [[q, r]]}, on hex maps only
    tag             {family, code_mm, quiet_modules, modules}
    zones           [{id, title, box_mm or null}]
    spaces          [{id, zone, kind, centre_mm, hex or null, slots: [{id, seat or null, box_mm}]}]
    pieces          {payload: {what, name, seat, form, code_mm, height_mm, side,
                               file, page, box_mm, code_box_mm}}
    mat_sheets      [{page, part_mm: box on the mat, at_mm: where it lies on the page}]
    stacked         true where one piece may lie on another, so that what is not seen may still be there
    owned           how somebody's own board was taught (`vision.taught`), in place of a printed mat

`side` is the side of the printed code; `page` counts from 1; `box_mm` is the piece on that page. A file
with only `board_mm`, `markers`, `tag` and perhaps `hexgrid` and `camera` is a mat as well: its pieces are
told by a roster. Unknown keys are passed over, so that a newer file still reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from assistant.layout import (
    LAYOUT_VERSION,
    Box,
    HexGrid,
    LayoutError,
    Mat,
    Piece,
    Slot,
    Space,
    Zone,
)
from vision.tags import MARKER_DICTIONARY, QR_MODULES, QUIET_MODULES
from vision.tiling import MatSheet

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
T = TypeVar("T")


class Printed(msgspec.Struct, frozen=True):
    """Where one payload is printed: file, page (from 1), the piece's box and the code's box on that page."""

    payload: str
    file: str
    page: int
    box: Box
    code_box: Box


class MarkerCorners(msgspec.Struct, frozen=True):
    """A marker by its four corners in mm, clockwise from the top left of the marker."""

    id: int
    corners: Corners


class TagPrint(msgspec.Struct, frozen=True):
    """How the tags are printed: `code_mm` is the side without the quiet zone."""

    family: str = "qr"
    code_mm: float = 12.0
    quiet_modules: float = QUIET_MODULES
    modules: int = QR_MODULES


class CameraFigures(msgspec.Struct, frozen=True):
    """A known camera: picture size in pixels, 3 x 3 matrix by rows, distortion k1 k2 p1 p2 k3."""

    width: int
    height: int
    matrix: tuple[tuple[float, ...], ...]
    distortion: tuple[float, ...]


class TableLayout(msgspec.Struct, frozen=True):
    """What a layout file says. `spaces` and `pieces` are empty when it speaks of the mat only."""

    board_mm: tuple[float, float]
    markers: tuple[MarkerCorners, ...]
    tag: TagPrint
    dictionary: str = MARKER_DICTIONARY
    hexgrid: HexGrid | None = None
    camera: CameraFigures | None = None
    game: str = ""
    pack: str = ""
    title: str = ""
    copy: str = ""
    digest: str = ""
    zones: tuple[Zone, ...] = ()
    spaces: tuple[Space, ...] = ()
    pieces: tuple[Piece, ...] = ()
    printed: tuple[Printed, ...] = ()
    stacked: bool = False
    """Whether one piece may lie on another there, as on somebody's own board."""


def _corners(box: Box) -> Corners:
    right, bottom = box.x + box.w, box.y + box.h
    return ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom))


def layout_of(mat: Mat, printed: Iterable[Printed] = ()) -> TableLayout:
    """The layout of a mat in hand, as its file would say it."""
    return TableLayout(
        board_mm=(mat.width_mm, mat.height_mm),
        markers=tuple(MarkerCorners(marker.id, _corners(marker.box)) for marker in mat.markers),
        tag=TagPrint(code_mm=min((piece.code_mm for piece in mat.pieces), default=TagPrint().code_mm)),
        hexgrid=mat.hexgrid,
        game=mat.game,
        pack=mat.pack,
        title=mat.title,
        copy=mat.copy,
        digest=mat.digest,
        zones=mat.zones,
        spaces=mat.spaces,
        pieces=mat.pieces,
        printed=tuple(printed),
    )


# ---- writing


def _round(value: float) -> float:
    return round(value, 4)


def _box(box: Box) -> list[float]:
    return [_round(value) for value in (box.x, box.y, box.w, box.h)]


def _point(point: Sequence[float]) -> list[float]:
    return [_round(value) for value in point]


def to_layout_json(mat: Mat, printed: Sequence[Printed] = (), sheets: Sequence[MatSheet] = ()) -> bytes:
    """The file's bytes (UTF-8 JSON, one entry a line in the long lists, keys in a fixed order)."""
    layout = layout_of(mat, printed)
    where = {entry.payload: entry for entry in printed}
    document: dict[str, Any] = {
        "version": mat.version,
        "game": mat.game,
        "pack": mat.pack,
        "title": mat.title,
        "copy": mat.copy,
        "digest": mat.digest,
        "provenance": mat.provenance,
        "board_mm": _point(layout.board_mm),
        "markers": {
            "dictionary": layout.dictionary,
            "list": [
                {"id": marker.id, "corners_mm": [_point(corner) for corner in marker.corners]}
                for marker in layout.markers
            ],
        },
    }
    if mat.hexgrid is not None:
        document["hexgrid"] = {
            "orientation": "pointy",
            # Not rounded: over a whole map a rounded size would add up.
            "size_mm": mat.hexgrid.size_mm,
            "origin_mm": list(mat.hexgrid.origin_mm),
            "cells": [list(cell) for cell in mat.hexgrid.cells],
        }
    document["tag"] = msgspec.to_builtins(layout.tag)
    document["zones"] = [
        {"id": zone.id, "title": zone.title, "box_mm": _box(zone.box) if zone.box else None}
        for zone in mat.zones
    ]
    document["spaces"] = [_space(space) for space in mat.spaces]
    document["pieces"] = {piece.payload: _piece(piece, where.get(piece.payload)) for piece in mat.pieces}
    if sheets:
        document["mat_sheets"] = [
            {"page": k + 1, "part_mm": _box(sheet.part), "at_mm": _point(sheet.at)}
            for k, sheet in enumerate(sheets)
        ]
    return (as_lines(document) + "\n").encode()


def _space(space: Space) -> dict[str, Any]:
    return {
        "id": space.id,
        "zone": space.zone,
        "kind": space.kind,
        "centre_mm": _point(space.centre),
        "hex": list(space.hex) if space.hex is not None else None,
        "slots": [{"id": slot.id, "seat": slot.seat, "box_mm": _box(slot.box)} for slot in space.slots],
    }


def _piece(piece: Piece, printed: Printed | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "what": piece.what,
        "name": piece.name,
        "seat": piece.seat,
        "form": piece.form,
        "code_mm": piece.code_mm,
        "height_mm": piece.height_mm,
        "side": piece.code_mm,
    }
    if printed is not None:
        entry |= {
            "file": printed.file,
            "page": printed.page,
            "box_mm": _box(printed.box),
            "code_box_mm": _box(printed.code_box),
        }
    return entry


def as_lines(document: Mapping[str, Any]) -> str:
    """JSON that a person can read: one line a key, and one a member of a long list or table."""
    out = []
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            members = ",\n  ".join(json.dumps(member, ensure_ascii=False) for member in value)
            body = f"[\n  {members}\n ]"
        elif isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
            members = ",\n  ".join(
                f"{json.dumps(name)}: {json.dumps(member, ensure_ascii=False)}"
                for name, member in value.items()
            )
            body = f"{{\n  {members}\n }}"
        else:
            body = json.dumps(value, ensure_ascii=False)
        out.append(f" {json.dumps(key)}: {body}")
    return "{\n" + ",\n".join(out) + "\n}"


# ---- reading


def from_layout_json(data: bytes | str) -> TableLayout:
    """Read a layout file, or the public part of a simulated scene (`scenes/*.public.json`).

    Raises LayoutError that names every fault with its place in the file.
    """
    try:
        raw = json.loads(data)
    except (ValueError, UnicodeDecodeError) as error:
        raise LayoutError([f"the layout file is not JSON: {error}"]) from error
    except RecursionError:
        raise LayoutError(["the layout file is nested too deeply"]) from None
    if not isinstance(raw, dict):
        raise LayoutError(["the layout file must be a JSON object with board_mm, markers and tag"])
    reader = _Reader(raw)
    try:
        layout = reader.layout()
    except RecursionError:  # What could just be read need not be short enough to be shown in a fault.
        raise LayoutError(["the layout file is nested too deeply"]) from None
    if reader.faults:
        raise LayoutError(reader.faults)
    return layout


class _Reader:
    """Walks the raw object, collects faults and goes on with a harmless value."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw
        self.faults: list[str] = []

    def fault(self, path: str, expected: str, found: object) -> None:
        """Note that something at `path` is not what it should be."""
        shown = "nothing" if found is None else json.dumps(found, ensure_ascii=False)[:60]
        self.faults.append(f"{path}: expected {expected}, found {shown}")

    def layout(self) -> TableLayout:
        """The whole file."""
        raw = self.raw
        version = raw.get("version", LAYOUT_VERSION)
        if not isinstance(version, int) or isinstance(version, bool):
            self.fault("version", "a whole number", version)
        elif version > LAYOUT_VERSION:
            self.faults.append(
                f"version: the file is of version {version}, this program reads up to {LAYOUT_VERSION}: "
                "update it, or print the sheets anew"
            )
        markers = self.table(raw.get("markers"), "markers")
        listed = list(self.members(markers.get("list"), "markers.list"))
        if not listed and not self.faults:
            self.fault("markers.list", "at least one marker", markers.get("list"))
        ids = [entry.get("id") for _, entry in listed]
        if len(set(map(str, ids))) < len(ids):
            self.faults.append("markers.list: two markers have the same id")
        board = self.numbers(raw.get("board_mm"), "board_mm", 2)
        if min(board) <= 0:
            self.fault("board_mm", "a width and a height above 0", raw.get("board_mm"))
        grid, camera = raw.get("hexgrid"), raw.get("camera")
        pieces = list(self._pieces(raw.get("pieces")))
        return TableLayout(
            board_mm=(board[0], board[1]),
            markers=tuple(self._marker(entry, path) for path, entry in listed),
            tag=self._tag(raw.get("tag")),
            dictionary=self.word(markers.get("dictionary"), "markers.dictionary"),
            hexgrid=self._grid(grid) if grid is not None else None,
            camera=self._camera(camera) if camera is not None else None,
            game=self.word(raw.get("game", ""), "game"),
            pack=self.word(raw.get("pack", ""), "pack"),
            title=self.word(raw.get("title", ""), "title"),
            copy=self.word(raw.get("copy", ""), "copy"),
            digest=self.word(raw.get("digest", ""), "digest"),
            zones=tuple(self._zone(e, p) for p, e in self.members(raw.get("zones", []), "zones")),
            spaces=tuple(self._space(e, p) for p, e in self.members(raw.get("spaces", []), "spaces")),
            pieces=tuple(piece for piece, _ in pieces),
            printed=tuple(printed for _, printed in pieces if printed is not None),
            stacked=self.truth(raw.get("stacked", False), "stacked"),
        )

    # -- plain values

    def table(self, value: object, path: str) -> dict[str, Any]:
        """An object."""
        if isinstance(value, dict):
            return value
        self.fault(path, "an object", value)
        return {}

    def members(self, value: object, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects of a list, each with its path."""
        if not isinstance(value, list):
            self.fault(path, "a list", value)
            return
        for k, member in enumerate(value):
            yield f"{path}[{k}]", self.table(member, f"{path}[{k}]")

    def word(self, value: object, path: str) -> str:
        """A text."""
        if isinstance(value, str):
            return value
        self.fault(path, "a text", value)
        return ""

    def truth(self, value: object, path: str) -> bool:
        """True or false."""
        if isinstance(value, bool):
            return value
        self.fault(path, "true or false", value)
        return False

    def number(self, value: object, path: str) -> float:
        """A finite number."""
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf"):
            return float(value)
        self.fault(path, "a number", value)
        return 1.0

    def whole(self, value: object, path: str) -> int:
        """A whole number."""
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        self.fault(path, "a whole number", value)
        return 1

    def numbers(self, value: object, path: str, count: int) -> list[float]:
        """A list of exactly `count` numbers."""
        if isinstance(value, list) and len(value) == count:
            return [self.number(member, f"{path}[{k}]") for k, member in enumerate(value)]
        self.fault(path, f"{count} numbers", value)
        return [1.0] * count

    def box(self, value: object, path: str) -> Box:
        """A box as [x, y, width, height]."""
        box = Box(*self.numbers(value, path, 4))
        if box.w <= 0 or box.h <= 0:
            self.fault(path, "a width and a height above 0", value)
        return box

    def maybe(self, value: object, read: Callable[[object, str], T], path: str) -> T | None:
        """The value read, or None for null."""
        return None if value is None else read(value, path)

    # -- parts of the file

    def _marker(self, entry: dict[str, Any], path: str) -> MarkerCorners:
        raw = entry.get("corners_mm")
        if not isinstance(raw, list) or len(raw) != 4:
            self.fault(f"{path}.corners_mm", "4 points", raw)
            raw = [[0, 0]] * 4
        points = [self.numbers(point, f"{path}.corners_mm[{k}]", 2) for k, point in enumerate(raw)]
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
        corners = ((ax, ay), (bx, by), (cx, cy), (dx, dy))
        return MarkerCorners(self.whole(entry.get("id"), f"{path}.id"), corners)

    def _tag(self, value: object) -> TagPrint:
        tag = self.table(value, "tag")
        known = TagPrint()
        code = self.number(tag.get("code_mm"), "tag.code_mm")
        modules = self.whole(tag.get("modules", known.modules), "tag.modules")
        if code <= 0 or modules <= 0:
            self.fault("tag", "code_mm and modules above 0", value)
        return TagPrint(
            family=self.word(tag.get("family", known.family), "tag.family"),
            code_mm=code,
            quiet_modules=self.number(tag.get("quiet_modules", known.quiet_modules), "tag.quiet_modules"),
            modules=modules,
        )

    def _grid(self, value: object) -> HexGrid:
        grid = self.table(value, "hexgrid")
        if grid.get("orientation", "pointy") != "pointy":
            self.fault("hexgrid.orientation", '"pointy"', grid.get("orientation"))
        size = self.number(grid.get("size_mm"), "hexgrid.size_mm")
        if size <= 0:
            self.fault("hexgrid.size_mm", "a length above 0", size)
        x, y = self.numbers(grid.get("origin_mm"), "hexgrid.origin_mm", 2)
        raw = grid.get("cells")
        if not isinstance(raw, list):
            self.fault("hexgrid.cells", "a list of [q, r]", raw)
            raw = []
        return HexGrid(size, (x, y), tuple(self.cell(c, f"hexgrid.cells[{k}]") for k, c in enumerate(raw)))

    def cell(self, value: object, path: str) -> tuple[int, int]:
        """Axial coordinates [q, r]."""
        if isinstance(value, list) and len(value) == 2:
            return self.whole(value[0], f"{path}[0]"), self.whole(value[1], f"{path}[1]")
        self.fault(path, "[q, r]", value)
        return 0, 0

    def _camera(self, value: object) -> CameraFigures:
        camera = self.table(value, "camera")
        rows = camera.get("K")
        if not isinstance(rows, list) or len(rows) != 3:
            self.fault("camera.K", "3 rows of 3 numbers", rows)
            rows = [[1.0] * 3] * 3
        dist = camera.get("dist", [])
        if not isinstance(dist, list):
            self.fault("camera.dist", "a list of numbers", dist)
            dist = []
        return CameraFigures(
            width=self.whole(camera.get("width"), "camera.width"),
            height=self.whole(camera.get("height"), "camera.height"),
            matrix=tuple(tuple(self.numbers(row, f"camera.K[{k}]", 3)) for k, row in enumerate(rows)),
            distortion=tuple(self.number(v, f"camera.dist[{k}]") for k, v in enumerate(dist)),
        )

    def _zone(self, entry: dict[str, Any], path: str) -> Zone:
        return Zone(
            id=self.word(entry.get("id"), f"{path}.id"),
            title=self.word(entry.get("title", ""), f"{path}.title"),
            box=self.maybe(entry.get("box_mm"), self.box, f"{path}.box_mm"),
        )

    def _space(self, entry: dict[str, Any], path: str) -> Space:
        x, y = self.numbers(entry.get("centre_mm"), f"{path}.centre_mm", 2)
        return Space(
            id=self.word(entry.get("id"), f"{path}.id"),
            zone=self.word(entry.get("zone", ""), f"{path}.zone"),
            kind=self.word(entry.get("kind", ""), f"{path}.kind"),
            centre=(x, y),
            hex=self.maybe(entry.get("hex"), self.cell, f"{path}.hex"),
            slots=tuple(
                Slot(
                    id=self.word(slot.get("id"), f"{at}.id"),
                    box=self.box(slot.get("box_mm"), f"{at}.box_mm"),
                    seat=self.maybe(slot.get("seat"), self.word, f"{at}.seat"),
                )
                for at, slot in self.members(entry.get("slots", []), f"{path}.slots")
            ),
        )

    def _pieces(self, value: object) -> Iterator[tuple[Piece, Printed | None]]:
        if value is None:
            return
        for payload, raw in self.table(value, "pieces").items():
            path = f"pieces.{payload}"
            entry = self.table(raw, path)
            form = entry.get("form", "sticker")
            if form not in ("sticker", "card", "disc"):
                self.fault(f"{path}.form", '"sticker", "card" or "disc"', form)
                form = "sticker"
            piece = Piece(
                payload=payload,
                what=self.word(entry.get("what"), f"{path}.what"),
                name=self.word(entry.get("name"), f"{path}.name"),
                seat=self.maybe(entry.get("seat"), self.word, f"{path}.seat"),
                code_mm=self.number(entry.get("code_mm"), f"{path}.code_mm"),
                height_mm=self.number(entry.get("height_mm", 0), f"{path}.height_mm"),
                form=form,
            )
            printed = None
            if "file" in entry:
                printed = Printed(
                    payload,
                    self.word(entry.get("file"), f"{path}.file"),
                    self.whole(entry.get("page"), f"{path}.page"),
                    self.box(entry.get("box_mm"), f"{path}.box_mm"),
                    self.box(entry.get("code_box_mm"), f"{path}.code_box_mm"),
                )
            yield piece, printed
