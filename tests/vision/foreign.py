"""Somebody else's hex board with QR tokens, decoys and an arm, drawn and photographed by other means.

It shares no drawing, lens or pose code with the program, so that a sign or half a pixel that is wrong on
both sides of the program shows here. Its camera is the one of the bench's frames.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from ui.bench.frames import MARKER_MM, PX_PER_MM, Floats, Lens, Plane, geometry_of, mat_file, tilted
from vision.geometry import MatGeometry

SCALE = 6
"""Pixels of the drawing per millimetre."""
WIDTH, HEIGHT = 400.0, 270.0
COLUMNS, ROWS, FX = 1920, 1264, 1820.0
MARKER_SPOTS = ((5.0, 5.0), (371.0, 5.0), (371.0, 241.0), (5.0, 241.0))
WHITE, BLACK = 215.0, 28.0
BORDER_MM = 50.0


@dataclass(frozen=True)
class Token:
    """The truth about one token; `clear` when all of it can be seen."""

    payload: str
    x_mm: float
    y_mm: float
    cell: tuple[int, int]
    clear: bool = True


@dataclass(frozen=True, eq=False)
class ForeignTable:
    """A picture, the mat file that goes with it, the truth, and some points in mm and pixels."""

    picture: NDArray[np.uint8]
    mat: dict[str, Any]
    tokens: tuple[Token, ...]
    points_mm: Floats
    points_px: Floats

    def geometry(self, *, camera: bool = True) -> MatGeometry:
        """The mat as a file would give it, with or without the camera's figures."""
        return geometry_of(self.mat, camera=camera)


@cache
def foreign_table(
    seed: int,
    *,
    px_per_module: float = 3.0,
    tilt_deg: float = 5.0,
    hand: bool = False,
    blur_px: float = 0.75,
    gain: float = 0.8,
) -> ForeignTable:
    """A board of 400 x 270 mm with 15 tokens, 2 each of speckles, bars and dice, and perhaps an arm."""
    rng = np.random.default_rng(seed)
    code = 21 * px_per_module / PX_PER_MM
    board = _board(rng)
    size = 1.75 * code / math.sqrt(3)
    cells = _cells(size)
    _hexes(board, cells, size, rng)
    order = [cells[int(i)] for i in rng.permutation(len(cells))]
    tokens = [_token(board, cell, size, code, rng) for cell in order[:15]]
    for n, cell in enumerate(order[15:21]):
        x, y = _centre(size, *cell)
        _lay(board, _decoy(n % 3, rng), x, y, code, rng)
    camera = _camera(tilt_deg, rng)
    frame = camera.see(board, SCALE, (45.0,), rays=2)
    covered = np.zeros((ROWS, COLUMNS), np.uint8)
    if hand:
        frame = _arm(frame, covered)
    light = gain * (1 - 0.2 * np.linspace(0, 1, COLUMNS)[None])
    lit = np.asarray(cv2.GaussianBlur(frame, (0, 0), blur_px), np.float64) * light
    lit += rng.normal(0, 1, lit.shape) * np.sqrt(2.0 + 0.02 * lit)
    points = rng.uniform([10, 10], [WIDTH - 10, HEIGHT - 10], (60, 2))
    return ForeignTable(
        picture=np.clip(lit + 0.5, 0, 255).astype(np.uint8),
        mat=mat_file((WIDTH, HEIGHT), MARKER_SPOTS, (size, (BORDER_MM, BORDER_MM), cells), camera, code),
        tokens=tuple(_judged(token, code, camera, covered) for token in tokens),
        points_mm=points,
        points_px=camera.project(points),
    )


def _board(rng: np.random.Generator) -> Plane:
    """Wood with four markers on white."""
    noise = rng.normal(0, 1, (int(HEIGHT), int(WIDTH))).astype(np.float32)
    grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=5, sigmaY=1)
    size = (round(WIDTH * SCALE), round(HEIGHT * SCALE))
    board = np.asarray(cv2.resize(150 + 90 * grain, size), np.float32)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(MARKER_MM * SCALE)
    for number, (x, y) in enumerate(MARKER_SPOTS):
        marker = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, side), np.float32)
        x0, y0, edge = round(x * SCALE), round(y * SCALE), 4 * SCALE
        board[y0 - edge : y0 + side + edge, x0 - edge : x0 + side + edge] = WHITE
        board[y0 : y0 + side, x0 : x0 + side] = BLACK + marker * ((WHITE - BLACK) / 255)
    return board


def _centre(size: float, q: int, r: int) -> tuple[float, float]:
    return BORDER_MM + size * math.sqrt(3) * (q + r / 2), BORDER_MM + 1.5 * size * r


def _cells(size: float) -> list[tuple[int, int]]:
    rows = int((HEIGHT - 2 * BORDER_MM) / (1.5 * size)) + 1
    columns = int((WIDTH - 2 * BORDER_MM) / (math.sqrt(3) * size))
    return [(column - r // 2, r) for r in range(rows) for column in range(columns)]


def _hexes(board: Plane, cells: list[tuple[int, int]], size: float, rng: np.random.Generator) -> None:
    angles = np.radians(np.arange(6) * 60 - 30)
    for cell in cells:
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * size + _centre(size, *cell)
        outline = [np.round(ring * SCALE).astype(np.int32)]
        if rng.random() < 0.3:
            cv2.fillPoly(board, outline, float(rng.uniform(90, 200)))
        cv2.polylines(board, outline, True, 60.0, 3, cv2.LINE_AA)


def _token(board: Plane, cell: tuple[int, int], size: float, code: float, rng: np.random.Generator) -> Token:
    x, y = _centre(size, *cell) + rng.normal(0, 0.08 * code, 2).clip(-0.12 * code, 0.12 * code)
    payload = "".join(rng.choice(list("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 6))
    middle = (round(x * SCALE), round(y * SCALE))
    cv2.circle(board, middle, round(0.75 * code * SCALE), float(rng.uniform(60, 230)), -1, cv2.LINE_AA)
    matrix = np.array([list(row) for row in segno.make(payload, error="h", version=1).matrix], np.float32)
    printed = np.pad(WHITE - (WHITE - BLACK) * matrix, 2, constant_values=WHITE)
    _lay(board, printed.astype(np.float32), x, y, code * 25 / 21, rng)
    return Token(payload, float(x), float(y), cell)


def _decoy(kind: int, rng: np.random.Generator) -> Plane:
    """Speckles like a code, bars, or a die."""
    if kind == 0:
        return np.where(rng.random((21, 21)) < 0.5, WHITE, BLACK).astype(np.float32)
    if kind == 1:
        bars = np.repeat(np.arange(24) % 2 * (WHITE - BLACK) + BLACK, rng.integers(1, 4, 24))
        return np.tile(bars.astype(np.float32), (len(bars) // 2, 1))
    die = np.full((40, 40), 225, np.float32)
    for x, y in ((10, 10), (30, 10), (20, 20), (10, 30), (30, 30)):
        cv2.circle(die, (x, y), 4, 25.0, -1)
    return die


def _lay(board: Plane, thing: Plane, x: float, y: float, side: float, rng: np.random.Generator) -> None:
    """Draw a thing `side` mm wide at (x, y) mm, turned at random. Pixel i covers i to i + 1."""
    angle = rng.uniform(0, 2 * math.pi)
    k = side * SCALE / thing.shape[1]
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]) * k
    reach = math.ceil(side * SCALE)
    x0, y0 = round(x * SCALE) - reach, round(y * SCALE) - reach
    middle = np.array([(thing.shape[1] - 1) / 2, (thing.shape[0] - 1) / 2])
    shift = np.array([x * SCALE - 0.5 - x0, y * SCALE - 0.5 - y0]) - turn @ middle
    affine, size = np.column_stack([turn, shift]), (2 * reach, 2 * reach)
    cover = cv2.warpAffine(np.ones_like(thing), affine, size, flags=cv2.INTER_NEAREST)
    drawn = cv2.warpAffine(thing, affine, size, flags=cv2.INTER_NEAREST)
    part = board[y0 : y0 + 2 * reach, x0 : x0 + 2 * reach]
    part[cover > 0.5] = drawn[cover > 0.5]


def _arm(frame: Plane, covered: NDArray[np.uint8]) -> Plane:
    """An arm from the top left corner to the middle, with its shadow."""
    arm = np.array([[0.1, 0.0], [0.24, 0.0], [0.5, 0.5], [0.42, 0.58]]) * [COLUMNS, ROWS]
    cv2.fillPoly(covered, [np.round(arm).astype(np.int32)], 255)
    cv2.circle(covered, (round(COLUMNS * 0.48), round(ROWS * 0.57)), round(ROWS * 0.08), 255, -1)
    shade = cv2.GaussianBlur(np.roll(covered, 30, axis=(0, 1)).astype(np.float32) / 255, (0, 0), 12)
    dark = np.asarray(frame * (1 - 0.4 * shade), np.float32)
    rows = np.arange(ROWS, dtype=np.float32)[:, None] + np.zeros((1, COLUMNS), np.float32)
    return np.where(covered > 0, 95 + 10 * np.sin(rows / 40), dark).astype(np.float32)


def _judged(token: Token, code: float, camera: Lens, covered: NDArray[np.uint8]) -> Token:
    r = code * 0.85
    corners = np.array([[token.x_mm + dx, token.y_mm + dy] for dx in (-r, r) for dy in (-r, r)])
    square = camera.project(corners)
    (x0, y0), (x1, y1) = np.floor(square.min(axis=0)).astype(int), np.ceil(square.max(axis=0)).astype(int)
    inside = x0 >= 0 and y0 >= 0 and x1 < COLUMNS and y1 < ROWS
    clear = bool(inside and not covered[y0:y1, x0:x1].any())
    return Token(token.payload, token.x_mm, token.y_mm, token.cell, clear)


def _camera(tilt_deg: float, rng: np.random.Generator) -> Lens:
    """A slight barrel, tilted in some direction."""
    towards = rng.uniform(0, 2 * math.pi)
    axis = np.array([math.cos(towards), math.sin(towards)]) * math.radians(tilt_deg)
    turn = tilted(axis, rng.uniform(-0.02, 0.02))
    middle = np.array([WIDTH / 2, HEIGHT / 2])
    return Lens((COLUMNS, ROWS), FX, (-0.04, 0.01, 0.0, 0.0, 0.0), turn, middle)
