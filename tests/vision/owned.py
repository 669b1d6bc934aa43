"""Somebody's own board: plain hexes without slots on cardboard, marker cards laid carelessly round it.

Drawn as one table top and seen through the simulator's perspective and lens. The board lies turned, the
cards lie anyhow, and nothing of where they lie is known to what reads the picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from assistant.layout import HexGrid, Mat, Scene
from vision.geometry import FloatArray
from vision.marker_cards import CARD_IDS, EDGE_MM, MARKER_MM
from vision.optics import Image
from vision.primitives import Drawing, Ink, Item, circle, polygon
from vision.simulator import Simulator, View
from vision.tags import marker_matrix, qr_matrix
from vision.textures import TEXTURE_PX_PER_MM, Textures, _soft

TOP_MM = (385.0, 212.0)
"""The table top; a little less than the small camera sees."""
VIEW = View(width=1536, height=864, height_mm=312.0, tilt_deg=5.0, towards_deg=60.0, turn_deg=2.0)
INK = Ink(stroke="#333333", width=0.35)


@dataclass(frozen=True)
class Token:
    """A token on the board: its payload, its space, how far off its middle (mm), its turn (degrees)."""

    payload: str
    space: str
    off: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0


@dataclass(frozen=True)
class OwnedBoard:
    """A map of `across_mm` hexes, turned by `turn_deg`, in the middle of a table top with cards round it.

    `squash` makes the print longer one way; `marker_mm` is the side of the cards' squares.
    """

    mat: Mat
    across_mm: float = 20.0
    turn_deg: float = 4.0
    squash: float = 1.0
    marker_mm: float = 18.0
    top_mm: tuple[float, float] = TOP_MM
    seed: int = 0

    def middle(self, space: str) -> FloatArray:
        """The middle of a space on the table top (mm)."""
        cell = self.mat.space_named(space).hex
        assert cell is not None
        return np.asarray(self._laid(np.array([self._unit().centre(*cell)]))[0], np.float64)

    def _unit(self) -> HexGrid:
        assert self.mat.hexgrid is not None
        return HexGrid(1.0, (0.0, 0.0), self.mat.hexgrid.cells)

    def _laid(self, unit: FloatArray) -> FloatArray:
        """Points in hex sides as points of the table top (mm)."""
        grid = self._unit()
        centres = np.array([grid.centre(*cell) for cell in grid.cells])
        middle = (centres.min(axis=0) + centres.max(axis=0)) / 2
        flat = (unit - middle) * self.across_mm / math.sqrt(3) * np.array([self.squash, 1.0])
        return np.asarray(flat @ _rotation(self.turn_deg).T + np.array(self.top_mm) / 2, np.float64)

    def cards(self) -> list[tuple[int, FloatArray]]:
        """The cards as they lie: number and corners (4 x 2, mm)."""
        rng = np.random.default_rng([self.seed, 7])
        (w, h), half = self.top_mm, self.marker_mm / 2
        edge = self.marker_mm * (0.5 + EDGE_MM / MARKER_MM) * 1.3
        xs, ys = (edge, w / 2, w - edge), (edge, h / 2, h - edge)
        spots = [(x, y) for y in ys for x in xs if (x, y) != (w / 2, h / 2)]
        square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        out = []
        for number, spot in zip(CARD_IDS, rng.permutation(np.array(spots)), strict=True):
            turn = float(rng.normal(0, 8)) + 90 * int(rng.integers(0, 4))
            place = spot + rng.uniform(-0.1, 0.1, 2) * self.marker_mm
            out.append((number, square @ _rotation(turn).T + place))
        return out

    def drawing(self, tokens: Sequence[Token] = (), without: Sequence[int] = ()) -> Drawing:
        """The table top at true size, without some of the cards."""
        items: list[Item] = [_box(*self.top_mm, "#8a6f55")]
        ring = np.array([(math.cos(a), math.sin(a)) for a in np.radians(np.arange(6) * 60 - 30)])
        grid = self._unit()
        for k, cell in enumerate(grid.cells):
            corners = self._laid(np.array(grid.centre(*cell)) + ring)
            ground = ("#e4dfb8", "#c9d8b0", "#b9d3dd", "#ded0c0")[k % 4]
            items.append(polygon(corners.tolist(), Ink(fill=ground, stroke="#333333", width=0.35)))
            x, y = self._laid(np.array([grid.centre(*cell)]))[0]
            items.append(circle(float(x), float(y), 0.5, INK))
        for number, corners in self.cards():
            if number not in without:
                items += _card(number, corners, self.marker_mm)
        for token in tokens:
            items += _sticker(token, self.middle(token.space), self.turn_deg)
        return Drawing(*self.top_mm, tuple(items))

    def seen(self, view: View = VIEW, tokens: Sequence[Token] = (), without: Sequence[int] = ()) -> Seen:
        """A picture of the table top."""
        return Seen(self, Simulator(self._top(), view, self.seed, _TableTop(self, tokens, without)))

    def _top(self) -> Mat:
        return Mat("own", "own", "own", *self.top_mm, (), (), ())


class Seen:
    """One look at a board: the picture, and where in it the middle of a space really is."""

    def __init__(self, board: OwnedBoard, simulator: Simulator) -> None:
        self.picture: Image = simulator.render(Scene(()))
        self._board = board
        self._simulator = simulator

    def middle(self, space: str) -> FloatArray:
        """The pixel (x, y) at which a space's middle is seen."""
        return np.asarray(self._simulator.where(self._board.middle(space)[None])[0], np.float64)

    def where(self, top_mm: FloatArray) -> FloatArray:
        """Pixels (n x 2) of points of the table top (n x 2, mm)."""
        return self._simulator.where(top_mm)


class _TableTop(Textures):
    """The drawing of a table top in the place of a printed mat's."""

    def __init__(self, board: OwnedBoard, tokens: Sequence[Token], without: Sequence[int]) -> None:
        self._pixels = _soft(_raster(board.drawing(tokens, without)))

    def mat(self, colour: bool) -> Image:
        assert not colour
        return self._pixels


def _raster(drawing: Drawing) -> Image:
    rgb = drawing.raster(TEXTURE_PX_PER_MM)
    return np.asarray(np.rint(rgb @ np.array([0.299, 0.587, 0.114])), np.uint8)


@cache
def _rotation(degrees: float) -> FloatArray:
    turn = math.radians(degrees)
    return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])


def _box(w: float, h: float, colour: str) -> Item:
    return polygon([(0, 0), (w, 0), (w, h), (0, h)], Ink(fill=colour))


def _card(number: int, corners: FloatArray, side: float) -> list[Item]:
    middle = corners.mean(axis=0)
    paper = middle + (corners - middle) * (1 + 2 * EDGE_MM / MARKER_MM)
    return [
        polygon(paper.tolist(), Ink(fill="#ffffff")),
        *_modules(marker_matrix(number), corners),
    ]


def _sticker(token: Token, middle: FloatArray, board_turn: float) -> list[Item]:
    code, white = 10.0, 12.0
    turn = _rotation(board_turn + token.turn_deg)
    at = middle + np.array(token.off) @ _rotation(board_turn).T
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    paper, corners = square * white @ turn.T + at, square * code @ turn.T + at
    return [
        polygon(paper.tolist(), Ink(fill="#ffffff")),
        *_modules(qr_matrix(token.payload), corners),
    ]


def _modules(matrix: Sequence[Sequence[bool]], corners: FloatArray) -> list[Item]:
    """Dark modules, each run of a row a shape, a hair too high so that no line shows between rows."""
    items: list[Item] = []
    corner = corners[0]
    along, down = ((corners[k] - corner) / len(matrix) for k in (1, 3))
    for j, row in enumerate(matrix):
        start: int | None = None
        for i, value in enumerate([*row, False]):
            if value and start is None:
                start = i
            elif not value and start is not None:
                first, last = corner + along * start + down * j, corner + along * i + down * j
                below = down * (1.02 if j + 1 < len(matrix) else 1.0)
                shape = [first, last, last + below, first + below]
                items.append(polygon([(float(p[0]), float(p[1])) for p in shape], Ink(fill="#000000")))
                start = None
    return items
