"""Somebody's own board without hexes: spaces of all sizes anywhere on it, marker cards laid round it.

The board is drawn in the place of a printed mat, lying slanted on the table top; pieces are stamped on it as
on any mat, at their own height. Nothing of where spaces and cards lie is known to what reads the picture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np

from assistant.layout import Box, Mat, Placement, Scene, Slot, Space
from tests.vision.owned import _card, _raster, _rotation
from vision.geometry import FloatArray
from vision.marker_cards import CARD_IDS
from vision.optics import Image
from vision.primitives import Drawing, Ink, Item, polygon, text
from vision.simulator import Simulator, View
from vision.textures import Textures, _soft
from vision.zones import Zone

GAP_MM = 3.0
TINTS = ("#e4dfb8", "#c9d8b0", "#b9d3dd", "#ded0c0", "#d8c4d0")


@dataclass(frozen=True)
class ZonedTop:
    """A table top with a board whose spaces are packed in rows, in an order and in sizes of their own.

    `mat` is the game's printed one, `names` are the spaces that the board has. The board is turned by
    `turn_deg`; `marker_mm` is the side of the cards' squares.
    """

    mat: Mat
    names: tuple[str, ...]
    top_mm: tuple[float, float] = (470.0, 264.0)
    turn_deg: float = 3.0
    marker_mm: float = 20.0
    seed: int = 0

    @cached_property
    def boxes(self) -> Mapping[str, Box]:
        """The spaces on the board, in its own upright millimetres."""
        rng = np.random.default_rng([self.seed, 3])
        names = [self.names[int(k)] for k in rng.permutation(len(self.names))]
        sizes = {}
        for name in names:
            space = self.mat.space_named(name)
            if space.kind == "card":
                w, h = (float(v) for v in self.mat.card_mm)
            else:
                w, h = min(len(space.slots), 4) * 25.0, 25.0
            sizes[name] = (w + float(rng.uniform(0, 6)), h + float(rng.uniform(0, 6)))
        margin = 2.1 * self.marker_mm
        out: dict[str, Box] = {}
        y, left = 1.6 * self.marker_mm, list(names)
        while left:
            x, high = margin, 0.0
            for name in list(left):
                w, h = sizes[name]
                if x + w <= self.top_mm[0] - margin:
                    out[name] = Box(x, y + float(rng.uniform(0, 2)), w, h)
                    x, high = x + w + float(rng.uniform(0.5, 2)) * GAP_MM, max(high, h + 2)
                    left.remove(name)
            y += high + GAP_MM
        assert y <= self.top_mm[1] - self.marker_mm, f"{len(names)} spaces need {y:.0f} mm"
        return out

    def corners(self, name: str) -> FloatArray:
        """The corners of a space on the table top (4 x 2, mm)."""
        box = self.boxes[name]
        x, y = box.x + box.w, box.y + box.h
        return self.laid(np.array([[box.x, box.y], [x, box.y], [x, y], [box.x, y]]))

    def laid(self, upright: FloatArray) -> FloatArray:
        """Points of the board (n x 2, mm) on the table top."""
        middle = np.array(self.top_mm) / 2
        return np.asarray((upright - middle) @ _rotation(self.turn_deg).T + middle, np.float64)

    def cards(self) -> list[tuple[int, FloatArray]]:
        """The cards as they lie: number and corners (4 x 2, mm)."""
        rng = np.random.default_rng([self.seed, 7])
        (w, h), half = self.top_mm, self.marker_mm / 2
        edge = self.marker_mm * 0.95
        xs, ys = (edge, w / 2, w - edge), (edge, h / 2, h - edge)
        spots = np.array([(x, y) for y in ys for x in xs if (x, y) != (w / 2, h / 2)])
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        out = []
        for number, spot in zip(CARD_IDS, rng.permutation(spots), strict=True):
            turn = float(rng.normal(0, 6)) + 90 * int(rng.integers(0, 4))
            out.append((number, square @ _rotation(turn).T + spot + rng.uniform(-1, 1, 2)))
        return out

    def drawing(self, without: Collection[int] = ()) -> Drawing:
        """The table top with board and cards, at true size."""
        items: list[Item] = [_quad(Box(0, 0, *self.top_mm), "#8a6f55")]
        for k, (name, box) in enumerate(self.boxes.items()):
            items.append(polygon(self.corners(name).tolist(), Ink(TINTS[k % 5], "#333333", 0.4)))
            x, y = self.laid(np.array([[box.x + 2, box.y + 4]]))[0]
            items.append(text(float(x), float(y), name, 2.4))
        for number, corners in self.cards():
            if number not in without:
                items += _card(number, corners, self.marker_mm)
        return Drawing(*self.top_mm, tuple(items))

    @cached_property
    def _table(self) -> Mat:
        """The table top as a mat, for the simulator: each space has places for its pieces side by side."""
        spaces = []
        for name, box in self.boxes.items():
            space = self.mat.space_named(name)
            middle = tuple(float(v) for v in self.laid(np.array([box.centre]))[0])
            spaces.append(msgspec.structs.replace(space, centre=middle, slots=tuple(self._slots(space, box))))
        return msgspec.structs.replace(
            self.mat,
            width_mm=self.top_mm[0],
            height_mm=self.top_mm[1],
            markers=(),
            zones=(),
            spaces=tuple(spaces),
        )

    def _slots(self, space: Space, box: Box) -> Iterable[Slot]:
        """Places for pieces side by side in a space, on the table top."""
        count = min(len(space.slots), 4)
        for k in range(count):
            at = np.array([[box.x + box.w * (k + 0.5) / count, box.y + box.h / 2]])
            x, y = (float(v) for v in self.laid(at)[0])
            yield Slot(str(k + 1), Box(x - 1, y - 1, 2, 2))

    def places(self, name: str) -> int:
        """How many pieces have a place side by side in a space."""
        return len(self._table.space_named(name).slots)

    def place(self, payload: str, space: str, slot: int = 1, dx: float = 0.0, dy: float = 0.0) -> Placement:
        """A piece on the board, turned with it."""
        return Placement(payload, space, str(slot), dx, dy, self.turn_deg)

    def seen(self, view: View, pieces: Sequence[Placement] = (), without: Collection[int] = ()) -> SeenTop:
        """A picture of the table top."""
        return SeenTop(self, Simulator(self._table, view, self.seed, _Top(self, without)), pieces)


class SeenTop:
    """One look at a board: the picture, and where in it things really are."""

    def __init__(self, top: ZonedTop, simulator: Simulator, pieces: Sequence[Placement]) -> None:
        self.picture: Image = simulator.render(Scene(tuple(pieces)))
        self._top, self._simulator = top, simulator

    def where(self, top_mm: FloatArray) -> FloatArray:
        """Pixels (n x 2) of points of the table top (n x 2, mm)."""
        return self._simulator.where(top_mm)

    def zones(
        self, error_px: float = 2.0, seed: int = 0, four: Collection[str] = (), names: Sequence[str] = ()
    ) -> list[Zone]:
        """A hand that points at corners of spaces, some pixels beside them; at all four of some."""
        rng = np.random.default_rng(seed)
        out = []
        for name in names or self._top.names:
            corners = self.where(self._top.corners(name))
            corners = corners + rng.normal(0, error_px, corners.shape) if error_px else corners
            spots = corners if name in four else corners[[0, 2]]
            out.append(Zone(name, tuple((round(float(x), 1), round(float(y), 1)) for x, y in spots)))
        return out


class _Top(Textures):
    """The drawing of a table top in the place of a printed mat's."""

    def __init__(self, top: ZonedTop, without: Collection[int]) -> None:
        super().__init__(top.mat)
        self._pixels = _soft(_raster(top.drawing(without)))

    def mat(self, colour: bool) -> Image:
        assert not colour
        return self._pixels


def _quad(box: Box, colour: str) -> Item:
    x, y = box.x + box.w, box.y + box.h
    return polygon([(box.x, box.y), (x, box.y), (x, y), (box.x, y)], Ink(fill=colour))
