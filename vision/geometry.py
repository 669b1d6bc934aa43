"""The printed mat as the eyes need it, and the lens: where things are, no pixels.

`MatGeometry` is made from a game's own `Mat` or from a layout file (written with the sheets, or the
description of somebody else's mat). Millimetres, origin at the mat's top-left corner,
x to the right, y down.
"""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from assistant.layout import Box, HexGrid, LayoutError, Mat, Slot, Space
from vision.layout_file import CameraFigures, TableLayout, from_layout_json

FloatArray = NDArray[np.float64]

FIELD_OF_VIEW_DEG = 66.0
"""Horizontal field of view of a Camera Module 3 (its data sheet)."""
CAMERA_MODULE_3 = (4608, 2592)
"""Width and height of its full picture in pixels."""
TYPICAL_K1 = -0.04
TYPICAL_K2 = 0.01
"""Brown distortion of such a lens: a slight barrel."""
QR_MODULES = 21
"""Modules along one side of a version 1 QR code."""


class Lens(msgspec.Struct, frozen=True):
    """A pinhole with Brown distortion, in pixels; pixel centres have whole numbers.

    `assumed` is True when nobody measured it: the distortion may then be adjusted to the markers.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0
    assumed: bool = False

    @classmethod
    def camera_module_3(cls, width: int = CAMERA_MODULE_3[0], height: int = CAMERA_MODULE_3[1]) -> Lens:
        """The lens of a Camera Module 3 for a full-view picture of that size (pixels)."""
        fx = width / 2 / math.tan(math.radians(FIELD_OF_VIEW_DEG / 2))
        return cls(
            width=width,
            height=height,
            fx=fx,
            fy=fx,
            cx=(width - 1) / 2,
            cy=(height - 1) / 2,
            k1=TYPICAL_K1,
            k2=TYPICAL_K2,
            assumed=True,
        )

    @classmethod
    def of(cls, camera: CameraFigures) -> Lens:
        """The lens that a mat file states. Raises LayoutError when no lens can be like that."""
        (fx, _, cx), (_, fy, cy), _ = camera.matrix
        if min(camera.width, camera.height, fx, fy) <= 0:
            raise LayoutError(
                ["camera: the size and the focal lengths (K[0][0], K[1][1]) have to be above 0"]
            )
        k1, k2, p1, p2, k3 = (*camera.distortion, 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
        return cls(camera.width, camera.height, fx, fy, cx, cy, k1, k2, p1, p2, k3)

    def scaled_to(self, width: int, height: int) -> Lens:
        """The same lens for the whole view in a picture of another size (pixels)."""
        if (width, height) == (self.width, self.height):
            return self
        sx, sy = width / self.width, height / self.height
        return msgspec.structs.replace(
            self,
            width=width,
            height=height,
            fx=self.fx * sx,
            fy=self.fy * sy,
            cx=(self.cx + 0.5) * sx - 0.5,
            cy=(self.cy + 0.5) * sy - 0.5,
        )

    @property
    def matrix(self) -> FloatArray:
        """The 3 x 3 camera matrix."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    @property
    def distortion(self) -> FloatArray:
        """Brown coefficients k1, k2, p1, p2, k3."""
        return np.array([self.k1, self.k2, self.p1, self.p2, self.k3])


class MarkerPlace(msgspec.Struct, frozen=True):
    """One ArUco marker of the mat: its number and its four corners in mm, in ArUco's own order."""

    id: int
    corners_mm: tuple[tuple[float, float], ...]


class MatGeometry(msgspec.Struct, frozen=True):
    """A mat as the reader needs it.

    `code_mm` is the side of a tag without its quiet zone, `code_sizes` and `heights` name the payloads
    that differ (mm). `payloads` are the tags that belong to the mat, None when it does not say.
    `printed` is the full layout where there is one: only then is it known what a free space looks like.
    `stacked` tells that one piece may hide another there, as on a board without slots.
    """

    width_mm: float
    height_mm: float
    markers: tuple[MarkerPlace, ...]
    dictionary: str = "DICT_4X4_50"
    code_mm: float = 12.0
    hexgrid: HexGrid | None = None
    spaces: tuple[Space, ...] = ()
    code_sizes: dict[str, float] = {}
    heights: dict[str, float] = {}
    payloads: frozenset[str] | None = None
    lens: Lens | None = None
    printed: Mat | None = None
    stacked: bool = False

    @classmethod
    def from_mat(cls, mat: Mat) -> MatGeometry:
        """The geometry of a game's own mat."""
        sizes = [piece.code_mm for piece in mat.pieces]
        common = max(set(sizes), key=sizes.count) if sizes else 12.0
        return cls(
            width_mm=mat.width_mm,
            height_mm=mat.height_mm,
            markers=tuple(MarkerPlace(m.id, _box_corners(m.box)) for m in mat.markers),
            code_mm=common,
            hexgrid=mat.hexgrid,
            spaces=mat.spaces,
            code_sizes={p.payload: p.code_mm for p in mat.pieces if p.code_mm != common},
            heights={p.payload: p.height_mm for p in mat.pieces},
            payloads=frozenset(p.payload for p in mat.pieces) | frozenset(c.payload for c in mat.cards),
            printed=mat,
        )

    @classmethod
    def from_file(cls, path: Path) -> MatGeometry:
        """The geometry in a mat file: a `layout.json`, or the description of somebody else's mat.

        Raises LayoutError that names the file and every fault in it.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise LayoutError([f"the mat file {path} cannot be read: {error.strerror or error}"]) from error
        try:
            return cls.from_layout(from_layout_json(data))
        except LayoutError as error:
            raise LayoutError([f"{path}: {fault}" for fault in error.faults]) from error

    @classmethod
    def from_layout(cls, layout: TableLayout) -> MatGeometry:
        """The geometry a layout file describes. What the print looks like is not in it."""
        common = layout.tag.code_mm
        return cls(
            width_mm=layout.board_mm[0],
            height_mm=layout.board_mm[1],
            markers=tuple(MarkerPlace(marker.id, marker.corners) for marker in layout.markers),
            dictionary=layout.dictionary,
            code_mm=common,
            hexgrid=layout.hexgrid,
            spaces=layout.spaces,
            code_sizes={p.payload: p.code_mm for p in layout.pieces if p.code_mm != common},
            heights={p.payload: p.height_mm for p in layout.pieces},
            payloads=frozenset(p.payload for p in layout.pieces) or None,
            lens=None if layout.camera is None else Lens.of(layout.camera),
            stacked=layout.stacked,
        )

    def code_size(self, payload: str) -> float:
        """Side of that payload's code in mm."""
        return self.code_sizes.get(payload, self.code_mm)


SLOT_REACH_MM = 4.0
"""How far outside its slot the middle of a code may lie and still count as being in it."""
NEAR_MM = 32.0
"""Side of the squares of a mat by which the slots round a point are looked up."""


class Places:
    """Finds what lies at a point of a mat: space, slot, hex."""

    def __init__(self, mat: MatGeometry) -> None:
        self._grid = mat.hexgrid
        self._by_cell = {space.hex: space for space in mat.spaces if space.hex is not None}
        self._near: dict[tuple[float, float], list[tuple[Space, Slot]]] = {}
        """By square (column, row): the slots within reach of its points, in the mat's order."""
        reach = SLOT_REACH_MM + 1
        for space in mat.spaces:
            for slot in space.slots:
                b = slot.box
                columns = range(int((b.x - reach) // NEAR_MM), int((b.x + b.w + reach) // NEAR_MM) + 1)
                rows = range(int((b.y - reach) // NEAR_MM), int((b.y + b.h + reach) // NEAR_MM) + 1)
                for square in product(columns, rows):
                    self._near.setdefault(square, []).append((space, slot))

    def at(self, x: float, y: float) -> tuple[str | None, str | None, tuple[int, int] | None]:
        """Space id, slot id and hex of a point in mm; each None where there is none.

        A point in no slot but within `SLOT_REACH_MM` of one belongs to the nearest: a careless hand
        leaves a piece half over the line. Hexes are exact, and a slot of another hex is never taken.
        """
        cell = self._grid.at(x, y) if self._grid is not None else None
        best: tuple[Space, Slot] | None = None
        least = math.inf
        for space, slot in self._near.get((x // NEAR_MM, y // NEAR_MM), ()):
            if cell is not None and space.hex is not None and space.hex != cell:
                continue
            b = slot.box
            gap = math.hypot(max(b.x - x, x - (b.x + b.w), 0.0), max(b.y - y, y - (b.y + b.h), 0.0))
            # Of slots equally near the mat's first counts.
            if gap <= SLOT_REACH_MM and gap < least:
                best, least = (space, slot), gap
        if best is not None:
            space, slot = best
            return space.id, slot.id, space.hex if space.hex is not None else cell
        if cell is not None and cell in self._by_cell:
            return self._by_cell[cell].id, None, cell
        return None, None, cell


def _box_corners(box: Box) -> tuple[tuple[float, float], ...]:
    return (
        (box.x, box.y),
        (box.x + box.w, box.y),
        (box.x + box.w, box.y + box.h),
        (box.x, box.y + box.h),
    )
