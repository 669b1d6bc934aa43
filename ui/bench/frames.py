"""Frames to measure reading on: tables with small tags, photographed under stated conditions.

A board with a hex grid, markers, tags on coloured discs and things that are no tags, seen through a lens
from above: tilt, blur, motion, dim and uneven light, shadows, glare, hands, the colour mosaic of a sensor,
noise and JPEG. It shares no lens, pose or drawing code with the program, so that a sign or half a pixel
that is wrong on both sides shows. The same kind and seed give the same frame.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

import cv2
import msgspec
import numpy as np
import segno
from numpy.typing import NDArray

from vision.geometry import MatGeometry
from vision.layout_file import from_layout_json

Floats = NDArray[np.float64]
Plane = NDArray[np.float32]
Picture = NDArray[np.uint8]
Range = tuple[float, float]
Drawn = TypeVar("Drawn", Plane, Picture)

COLUMNS, ROWS = 4608, 2592
FOCAL_PX = 3547.8
"""A Camera Module 3: 66 degrees across."""
PX_PER_MM = 3.94
"""In the middle of an untilted frame: 900 mm away."""
WIDTH, HEIGHT = 800.0, 600.0
HEX_MM = 20.0
FIRST_HEX = (51.3, 54.0)
MARKER_MM = 24.0
MARKER_EDGE_MM = 5.0
BOARD_SCALE = 4
"""Pixels of the drawn board per mm. Tags are drawn by themselves, far finer."""
TEXELS = 12
"""Pixels of a drawn tag per module."""
FINE = 4
"""Rays per pixel, in each direction, through a tag."""
COARSE = 8
"""Light, glare and shadows are computed for every eighth pixel."""
QUIET = 2
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Kind(msgspec.Struct, frozen=True):
    """Conditions; a range is drawn from anew for each frame.

    `px_per_module` in the middle of the board; `tilt` in degrees; `blur` the standard deviation of the
    lens' blur and `motion` the smear, both in pixels; `gain` the brightness of white, `uneven` how much
    darker the darkest corner is; `ink` the grey of black and white print; `noise` the noise of black in
    grey levels. `strangers` things that are no tags, `foreign` QR codes with other payloads.
    `clutter` fills every cell with wood, bars, speckles or foreign codes and lays no tag at all.
    """

    px_per_module: float = 3.0
    tokens: int = 100
    tilt: Range = (0.0, 12.0)
    blur: Range = (0.6, 0.85)
    motion: Range = (0.0, 0.0)
    gain: Range = (0.55, 0.9)
    uneven: Range = (0.15, 0.3)
    ink: tuple[Range, Range] = ((26.0, 32.0), (205.0, 220.0))
    noise: Range = (1.0, 2.3)
    jpeg: tuple[int, int] = (90, 95)
    k1: Range = (-0.06, -0.01)
    shadows: tuple[int, int] = (0, 0)
    glare: tuple[int, int] = (0, 0)
    hands: tuple[int, int] = (0, 1)
    strangers: int = 12
    foreign: int = 0
    markers: int = 4
    clutter: bool = False
    hex_mm: float = HEX_MM


MEDIUM = Kind()
KINDS: Mapping[str, Kind] = {
    "medium": MEDIUM,
    "tilted": Kind(px_per_module=2.0, tokens=150, tilt=(0.0, 25.0), hands=(0, 0)),
    "small": Kind(px_per_module=1.5, tokens=150, tilt=(0.0, 8.0), hands=(0, 0)),
    "tiny": Kind(px_per_module=1.25, tokens=150, tilt=(0.0, 8.0), hands=(0, 0)),
    "moving": Kind(tokens=150, motion=(6.0, 6.0), hands=(0, 0)),
    "soft": Kind(tokens=150, blur=(1.6, 1.6), hands=(0, 0)),
    "hard": Kind(
        px_per_module=2.5,
        tilt=(12.0, 20.0),
        blur=(0.7, 0.95),
        motion=(0.5, 1.3),
        gain=(0.35, 0.8),
        uneven=(0.25, 0.5),
        ink=((25.0, 48.0), (190.0, 212.0)),
        noise=(1.5, 2.6),
        jpeg=(86, 92),
        shadows=(1, 3),
        glare=(0, 2),
        hands=(0, 2),
    ),
    "places": Kind(markers=6, tilt=(0.0, 15.0), hands=(0, 0)),
    "places four": Kind(tilt=(0.0, 15.0), hands=(0, 0)),
    "usual": Kind(tilt=(0.0, 5.0), blur=(0.6, 0.75), gain=(0.7, 0.9), hands=(0, 0), strangers=4),
    "clutter": Kind(
        px_per_module=2.0, tokens=0, clutter=True, hex_mm=9.5, blur=(0.6, 1.1), gain=(0.4, 0.9), hands=(0, 0)
    ),
}
"""The kinds that are measured, by name."""


@dataclass(frozen=True)
class Token:
    """The truth about one tag. `clean` when it is in the frame, not covered and not dazzled."""

    payload: str
    x_mm: float
    y_mm: float
    cell: tuple[int, int]
    clean: bool


@dataclass(frozen=True, eq=False)
class Frame:
    """One grey picture, the mat file that goes with it, the truth, and how many cells hold something."""

    seed: int
    picture: Picture
    mat: dict[str, Any]
    tokens: tuple[Token, ...]
    cells: int

    def geometry(self, *, camera: bool = True) -> MatGeometry:
        """The mat as a file would give it, with or without the camera's figures."""
        return geometry_of(self.mat, camera=camera)

    @property
    def clean(self) -> list[Token]:
        """The tags that count."""
        return [token for token in self.tokens if token.clean]


def roster(tokens: Sequence[Token], seed: int, size: int = 1000) -> frozenset[str]:
    """So many payloads, among them those of the tokens."""
    rng = np.random.default_rng([seed, 99])
    known = {token.payload for token in tokens}
    while len(known) < size:
        known.add(_payload(rng))
    return frozenset(known)


def render(kind: Kind, seed: int) -> Frame:
    """One frame of a kind, about a second and a half of work."""
    rng = np.random.default_rng([seed, 1])
    camera = _aimed(kind, rng)
    cells = _cells(kind.hex_mm)
    ink = (rng.uniform(*kind.ink[0]), rng.uniform(*kind.ink[1]))
    frame = camera.see(_board(kind.hex_mm, seed % 3, kind.markers), BOARD_SCALE, (38, 34, 30))
    _lay_markers(frame, kind, camera, ink)
    order = [cells[int(i)] for i in rng.permutation(len(cells))]
    code = 21 * kind.px_per_module / PX_PER_MM
    laid: list[tuple[str, Floats, tuple[int, int]]] = []
    for cell in order[: kind.tokens]:
        middle = _centre(kind.hex_mm, *cell) + rng.normal(0, 0.08 * code, 2).clip(-0.12 * code, 0.12 * code)
        payload = _payload(rng)
        _lay(frame, camera, _tag(payload, ink, rng), middle, code * TAG_SIDE, rng)
        laid.append((payload, middle, cell))
    rest = order[kind.tokens :]
    others = rest if kind.clutter else rest[: kind.strangers + kind.foreign]
    for n, cell in enumerate(others):
        middle = np.array(_centre(kind.hex_mm, *cell))
        foreign = n % 2 == 0 if kind.clutter else n < kind.foreign
        if foreign:
            thing = _foreign(int(rng.integers(FOREIGN_CODES)))
            _lay(frame, camera, thing, middle, code * TAG_SIDE, rng)
        else:
            thing = _stranger(int(rng.integers(4)), ink, rng)
            _lay(frame, camera, thing, middle, code * rng.uniform(0.8, 1.2), rng)
    covered = np.zeros((ROWS // COARSE * 2, COLUMNS // COARSE * 2), np.uint8)
    for _ in range(rng.integers(kind.hands[0], kind.hands[1] + 1)):
        _reach_in(frame, covered, rng)
    glare = _glare(int(rng.integers(kind.glare[0], kind.glare[1] + 1)), camera, rng)
    light = _light(kind, covered, rng)
    picture = _photographed(frame, light, glare, kind, rng)
    tokens = [
        Token(payload, float(x), float(y), cell, _clean(camera, (x, y), code, covered, glare))
        for payload, (x, y), cell in laid
    ]
    grid = (kind.hex_mm, FIRST_HEX, cells)
    mat = mat_file((WIDTH, HEIGHT), _marker_spots(kind.markers), grid, camera, code)
    return Frame(seed, picture, mat, tuple(tokens), len(cells))


def _aimed(kind: Kind, rng: np.random.Generator) -> Lens:
    """A camera that has at most one marker outside its view: nobody plays with less of the board in it."""
    while True:
        camera = _camera(rng.uniform(*kind.tilt), rng.uniform(*kind.k1), rng)
        near = np.array(_marker_spots(kind.markers))
        seen = [camera.project(near + [x, y]) for x in (0.0, MARKER_MM) for y in (0.0, MARKER_MM)]
        inside = [((c > 0) & (c < [COLUMNS - 1, ROWS - 1])).all(axis=1) for c in seen]
        if np.logical_and.reduce(inside).sum() >= kind.markers - 1:
            return camera


def _payload(rng: np.random.Generator) -> str:
    return "".join(DIGITS[int(i)] for i in rng.integers(0, 36, 6))


# --- the board -----------------------------------------------------------------------------------


def _centre(size: float, q: int, r: int) -> tuple[float, float]:
    return FIRST_HEX[0] + size * math.sqrt(3) * (q + r / 2), FIRST_HEX[1] + 1.5 * size * r


def _cells(size: float) -> list[tuple[int, int]]:
    rows = int((HEIGHT - 2 * FIRST_HEX[1]) / (1.5 * size)) + 1
    columns = int((WIDTH - 2 * FIRST_HEX[0]) / (math.sqrt(3) * size)) + 1
    return [(column - r // 2, r) for r in range(rows) for column in range(columns - r % 2)]


def _marker_spots(count: int) -> list[tuple[float, float]]:
    low, right, bottom = (
        MARKER_EDGE_MM,
        WIDTH - MARKER_EDGE_MM - MARKER_MM,
        HEIGHT - MARKER_EDGE_MM - MARKER_MM,
    )
    spots = [(low, low), (right, low), (right, bottom), (low, bottom)]
    return [*spots, ((low + right) / 2, low), ((low + right) / 2, bottom)][:count]


@cache
def _board(size: float, look: int, markers: int) -> Picture:
    """Wood or felt with a hex grid on it (BGR); one of a few, because drawing it takes long."""
    rng = np.random.default_rng([look, 7])
    width, height = round(WIDTH * BOARD_SCALE), round(HEIGHT * BOARD_SCALE)
    grain = rng.standard_normal((300, 400)).astype(np.float32)
    along = [(6.0, 0.8), (1.2, 1.2), (3.0, 2.0)][look % 3]
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), sigmaX=along[0], sigmaY=along[1]), np.float32)
    grain = 1 + 0.1 * grain / grain.std()
    wood = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    tone = rng.uniform(90, 170, 3).astype(np.float32)
    board = np.clip(wood[..., None] * tone, 0, 255).astype(np.uint8)
    angles = np.radians(np.arange(6) * 60 - 30)
    for q, r in _cells(size):
        ring = np.column_stack([np.cos(angles), np.sin(angles)]) * size + _centre(size, q, r)
        outline = [np.round(ring * BOARD_SCALE * 16).astype(np.int32)]
        if rng.random() < 0.3:
            cv2.fillPoly(board, outline, rng.uniform(70, 190, 3).tolist(), cv2.LINE_AA, 4)
        cv2.polylines(board, outline, True, (40, 40, 40), 2, cv2.LINE_AA, 4)
        x, y = _centre(size, q, r)
        place = (round((x - 3) * BOARD_SCALE), round((y + 0.8 * size) * BOARD_SCALE))
        cv2.putText(board, f"{q},{r}", place, cv2.FONT_HERSHEY_SIMPLEX, 0.35, (50, 50, 50), 1, cv2.LINE_AA)
    return np.asarray(board, np.uint8)


def _lay_markers(frame: Picture, kind: Kind, camera: Lens, ink: Range) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, (x, y) in enumerate(_marker_spots(kind.markers)):
        modules = np.asarray(cv2.aruco.generateImageMarker(dictionary, number, 6), np.float32) / 255
        black, white = ink
        square = np.pad(black + (white - black) * modules, 1, constant_values=white)
        thing = _opaque(np.kron(square, np.ones((32, 32))))
        middle = np.array([x + MARKER_MM / 2, y + MARKER_MM / 2])
        _lay(frame, camera, thing, middle, MARKER_MM * 8 / 6, None)


def mat_file(
    size: tuple[float, float],
    spots: Sequence[tuple[float, float]],
    grid: tuple[float, tuple[float, float], Sequence[tuple[int, int]]],
    camera: Lens,
    code: float,
) -> dict[str, Any]:
    """The mat file of a board of `size` mm: markers with their top left corners at `spots`, a grid of hexes
    (radius, middle of hex 0, 0, cells), the camera over it, tags of `code` mm."""
    markers = []
    for number, (x, y) in enumerate(spots):
        right, bottom = x + MARKER_MM, y + MARKER_MM
        markers.append({"id": number, "corners_mm": [[x, y], [right, y], [right, bottom], [x, bottom]]})
    radius, origin, cells = grid
    columns, rows = camera.pixels
    return {
        "board_mm": list(size),
        "markers": {"dictionary": "DICT_4X4_50", "list": markers},
        "hexgrid": {
            "orientation": "pointy",
            "size_mm": radius,
            "origin_mm": list(origin),
            "cells": [list(cell) for cell in cells],
        },
        "camera": {
            "width": columns,
            "height": rows,
            "K": camera.matrix.tolist(),
            "dist": camera.dist.tolist(),
        },
        "tag": {"family": "qr", "code_mm": code, "quiet_modules": float(QUIET), "modules": 21},
    }


def geometry_of(mat: Mapping[str, Any], *, camera: bool = True) -> MatGeometry:
    """The mat as its file would give it, with or without the camera's figures."""
    given = mat if camera else {k: v for k, v in mat.items() if k != "camera"}
    return MatGeometry.from_layout(from_layout_json(json.dumps(given)))


# --- what lies on it -----------------------------------------------------------------------------

TAG_SIDE = 36 / 21
"""Side of a drawn tag, disc and all, as a multiple of its code."""


def _tag(text: str, ink: Range, rng: np.random.Generator) -> Picture:
    """A code with its quiet zone on a coloured disc (BGR and how opaque)."""
    code = segno.make_qr(text, error="h", boost_error=False)
    dark = np.array([list(row) for row in code.matrix], np.float32)
    black, white = ink
    printed = np.pad(white - (white - black) * dark, QUIET, constant_values=white)
    side = 36 * TEXELS
    thing = np.zeros((side, side, 4), np.uint8)
    colour = [*rng.uniform(20, 220, 3).tolist(), 255]
    cv2.circle(thing, (side // 2, side // 2), round(0.485 * side), colour, -1)
    square = 25 * TEXELS
    grown = cv2.resize(printed, (square, square), interpolation=cv2.INTER_NEAREST_EXACT)
    start = (side - square) // 2
    part = thing[start : start + square, start : start + square]
    part[..., :3] = np.asarray(grown)[..., None].clip(0, 255).astype(np.uint8)
    part[..., 3] = 255
    return thing


FOREIGN_CODES = 600


@cache
def _foreign(number: int) -> Picture:
    """One of so many codes that no roster knows; most have six characters as ours do, some are addresses."""
    rng = np.random.default_rng([number, 41])
    text = _payload(rng) if number % 4 else f"HTTPS://{_payload(rng)}"
    return _tag(text, (rng.uniform(25, 45), rng.uniform(190, 220)), rng)


def _stranger(which: int, ink: Range, rng: np.random.Generator) -> Picture:
    """Speckles like a code, bars, a die, or a strip of wood (BGR and how opaque)."""
    black, white = ink
    if which == 0:
        small = np.where(rng.random((21, 21)) < 0.5, white, black)
        grey = np.kron(small, np.ones((TEXELS, TEXELS)))
    elif which == 1:
        bars = np.repeat(np.where(np.arange(30) % 2 > 0, white, black), rng.integers(1, 4, 30))
        tall = np.tile(bars, (len(bars) // 2, 1))
        grey = np.kron(np.pad(tall, 3, constant_values=white), np.ones((6, 6)))
    elif which == 2:
        die = np.full((160, 160), white, np.float32)
        for x, y in ((40, 40), (120, 40), (80, 80), (40, 120), (120, 120)):
            cv2.circle(die, (x, y), 15, black, -1, cv2.LINE_AA)
        grey = np.asarray(die, np.float64)
    else:
        noise = rng.standard_normal((80, 80)).astype(np.float32)
        grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=rng.uniform(1, 9), sigmaY=rng.uniform(0.5, 2))
        grey = np.asarray(120 + 50 * cv2.resize(grain, (240, 240)) / grain.std(), np.float64)
    return _opaque(np.asarray(grey))


def _opaque(grey: NDArray[np.floating]) -> Picture:
    """A grey drawing as BGR and how opaque."""
    flat = grey.clip(0, 255).astype(np.uint8)
    return np.stack([flat, flat, flat, np.full_like(flat, 255)], axis=-1)


def _lay(
    frame: Picture,
    camera: Lens,
    thing: Picture,
    middle: Floats,
    width_mm: float,
    rng: np.random.Generator | None,
) -> None:
    """Draw a thing so wide with its middle at a point of the board (mm), turned at random with `rng`.

    Over so few pixels the lens is a plain perspective; each pixel is the mean of 4 x 4 rays.
    """
    height, width = thing.shape[:2]
    angle = 0.0 if rng is None else rng.uniform(0, 2 * math.pi)
    half = np.array([width_mm / 2, width_mm / 2 * height / width])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    quad = camera.project(corners @ turn.T + middle)
    x0, y0 = (int(v) for v in np.floor(quad.min(axis=0)) - 1)
    x1, y1 = (int(v) for v in np.ceil(quad.max(axis=0)) + 2)
    if x1 <= 0 or y1 <= 0 or x0 >= COLUMNS or y0 >= ROWS:
        return
    # Pixel i covers i - 0.5 to i + 0.5; so do the rays' and the drawing's own pixels.
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    target = (quad - [x0, y0] + 0.5) * FINE - 0.5
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    size = ((x1 - x0) * FINE, (y1 - y0) * FINE)
    fine = cv2.warpPerspective(thing, matrix, size, flags=cv2.INTER_LINEAR)
    seen = np.asarray(cv2.resize(fine, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA), np.float32)
    part = frame[max(y0, 0) : y1, max(x0, 0) : x1]
    seen = seen[max(-y0, 0) :, max(-x0, 0) :][: part.shape[0], : part.shape[1]]
    share = seen[..., 3:] / 255
    # Outside the thing colour and cover are both 0, so colour is already weighed by cover.
    part[:] = (part * (1 - share) + seen[..., :3] + 0.5).clip(0, 255).astype(np.uint8)


def _reach_in(frame: Picture, covered: Picture, rng: np.random.Generator) -> None:
    """An arm with a hand from beyond an edge, out of focus, and what it covers."""
    rows, columns = covered.shape
    scale = ROWS / rows
    wide = rows / 12
    tip = rng.uniform([0.25, 0.25], [0.75, 0.75]) * [columns, rows]
    start = tip + _direction(rng.uniform(0, 2 * math.pi)) * 1.2 * columns
    away = (start - tip) / np.linalg.norm(start - tip)
    aside = np.array([-away[1], away[0]])
    mask = np.zeros_like(covered)
    wrist = tip + away * wide * 1.8
    arm = [wrist + aside * 0.55 * wide, start + aside * 0.9 * wide, start - aside * 0.9 * wide]
    cv2.fillPoly(mask, [np.round([*arm, wrist - aside * 0.55 * wide]).astype(np.int32)], 255)
    palm = tip + away * wide
    cv2.circle(mask, tuple(int(v) for v in palm), round(0.8 * wide), 255, -1)
    for spread in (-0.7, -0.3, 0.05, 0.4, 1.0):
        finger = palm - away * math.cos(spread) * wide * 1.9 + aside * math.sin(spread) * wide * 1.9
        ends = tuple(int(v) for v in palm), tuple(int(v) for v in finger)
        cv2.line(mask, *ends, 255, round(0.28 * wide), cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.0), np.uint8)
    ys, xs = np.nonzero(soft)
    y0, y1, x0, x1 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
    step = round(scale)
    size = (int(x1 - x0) * step, int(y1 - y0) * step)
    share = np.asarray(cv2.resize(soft[y0:y1, x0:x1], size), np.float32)[..., None] / 255
    skin = np.array([90.0, 120.0, 170.0], np.float32) * rng.uniform(0.5, 1.1)
    wave = np.sin(np.linspace(0, 40, size[1], dtype=np.float32))[:, None, None] * 6
    part = frame[y0 * step : y1 * step, x0 * step : x1 * step]
    part[:] = (part * (1 - share) + (skin + wave) * share).clip(0, 255).astype(np.uint8)
    np.maximum(covered, soft, out=covered)


def _direction(angle: float) -> Floats:
    return np.array([math.cos(angle), math.sin(angle)])


# --- light and camera ----------------------------------------------------------------------------


def _light(kind: Kind, covered: Picture, rng: np.random.Generator) -> Plane:
    """Brightness of white at every eighth pixel: a slope, shadows, and those of the hands."""
    rows, columns = ROWS // COARSE, COLUMNS // COARSE
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    towards = _direction(rng.uniform(0, 2 * math.pi))
    slope = (xs / columns - 0.5) * towards[0] + (ys / rows - 0.5) * towards[1]
    light = 1 - rng.uniform(*kind.uneven) * (0.5 - slope.astype(np.float32) / np.abs(slope).max() / 2)
    for _ in range(rng.integers(kind.shadows[0], kind.shadows[1] + 1)):
        shape = np.zeros((rows, columns), np.float32)
        at = (int(rng.uniform(0, columns)), int(rng.uniform(0, rows)))
        axes = (int(rng.uniform(0.1, 0.3) * columns), int(rng.uniform(0.1, 0.3) * rows))
        cv2.ellipse(shape, at, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
        edge = rng.uniform(1.5, 8)
        light *= 1 - rng.uniform(0.4, 0.65) * np.asarray(cv2.GaussianBlur(shape, (0, 0), edge), np.float32)
    if covered.any():
        hands = cv2.resize(np.roll(covered, (24, 24), (0, 1)), (columns, rows), interpolation=cv2.INTER_AREA)
        light *= 1 - 0.45 * np.asarray(cv2.GaussianBlur(hands, (0, 0), 4), np.float32) / 255
    return np.asarray(light * rng.uniform(*kind.gain), np.float32)


def _glare(count: int, camera: Lens, rng: np.random.Generator) -> Plane:
    """Grey levels that reflections of a lamp add, at every eighth pixel."""
    rows, columns = ROWS // COARSE, COLUMNS // COARSE
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
    glare = np.zeros((rows, columns), np.float32)
    for _ in range(count):
        x, y = camera.project(rng.uniform([100, 100], [WIDTH - 100, HEIGHT - 100], (1, 2)))[0] / COARSE
        a, b = rng.uniform(10, 40), rng.uniform(6, 20)
        far = ((xs - x) / a) ** 2 + ((ys - y) / b) ** 2
        glare += rng.uniform(200, 550) * np.exp(-far / 2)
    return np.asarray(glare, np.float32)


def _photographed(
    frame: Picture, light: Plane, glare: Plane, kind: Kind, rng: np.random.Generator
) -> Picture:
    """Blur, light, the sensor's mosaic, noise and JPEG, as grey rows."""
    sigma = rng.uniform(*kind.blur)
    seen = np.asarray(cv2.GaussianBlur(frame, (0, 0), sigma), np.uint8)
    length = rng.uniform(*kind.motion)
    if length > 0.05:
        seen = np.asarray(
            cv2.filter2D(seen, -1, _smear(length * _direction(rng.uniform(0, math.pi)))), np.uint8
        )
    raw = np.empty((ROWS, COLUMNS), np.float32)
    for row, column, channel in ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
        raw[row::2, column::2] = seen[row::2, column::2, channel]
    raw *= cv2.resize(light, (COLUMNS, ROWS), interpolation=cv2.INTER_LINEAR)
    if glare.any():
        raw += cv2.resize(glare, (COLUMNS, ROWS), interpolation=cv2.INTER_LINEAR)
    base = rng.uniform(*kind.noise)
    raw += np.sqrt(base**2 + 0.03 * raw) * _noise(
        int(rng.integers(NOISE_ROOM)), int(rng.integers(NOISE_ROOM))
    )
    mosaic = raw.clip(0, 255).astype(np.uint8)
    colour = cv2.cvtColor(mosaic, cv2.COLOR_BayerRGGB2BGR)
    quality = int(rng.integers(kind.jpeg[0], kind.jpeg[1] + 1))
    stored = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_GRAYSCALE), np.uint8)


NOISE_ROOM = 512


@cache
def _noise_field() -> Plane:
    rng = np.random.default_rng(3)
    return rng.standard_normal((ROWS + NOISE_ROOM, COLUMNS + NOISE_ROOM), np.float32)


def _noise(row: int, column: int) -> Plane:
    """A window into one field of noise: making new noise for every frame takes a second."""
    return _noise_field()[row : row + ROWS, column : column + COLUMNS]


def _smear(motion: Floats) -> Plane:
    half = math.ceil(float(np.abs(motion).max()) / 2) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 64):
        x, y = half + motion * share
        column, row = int(x), int(y)
        part = kernel[row : row + 2, column : column + 2]
        part += np.outer([row + 1 - y, y - row], [column + 1 - x, x - column])
    return np.asarray(kernel / kernel.sum(), np.float32)


def _clean(camera: Lens, middle: tuple[float, float], code: float, covered: Picture, glare: Plane) -> bool:
    """Whether a whole tag with its quiet zone is in the frame, uncovered and not dazzled."""
    reach = code * 25 / 42 * math.sqrt(2)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * reach / math.sqrt(2) + middle
    quad = camera.project(corners)
    (x0, y0), (x1, y1) = quad.min(axis=0) - 1, quad.max(axis=0) + 1
    if x0 < 0 or y0 < 0 or x1 >= COLUMNS or y1 >= ROWS:
        return False
    step = COLUMNS / covered.shape[1]
    box = [int(v) for v in np.array([y0, y1, x0, x1]) / step]
    dim = [int(v) for v in np.array([y0, y1, x0, x1]) / COARSE]
    hidden = covered[box[0] : box[1] + 1, box[2] : box[3] + 1]
    dazzled = glare[dim[0] : dim[1] + 1, dim[2] : dim[3] + 1]
    return not hidden.any() and float(dazzled.max()) < DAZZLED


DAZZLED = 40.0
"""Grey levels of added light from which a tag no longer counts as clean."""


class Lens:
    """OpenCV's own projection: a pinhole of `focal` pixels with a lens, over a board.

    `pixels` are columns and rows, `dist` is as OpenCV has it, `turn` the rotation of the board as the camera
    sees it, `middle` the point of the board (mm) that it aims at, from where a mm is `PX_PER_MM` wide.
    """

    def __init__(
        self, pixels: tuple[int, int], focal: float, dist: Sequence[float], turn: Floats, middle: Floats
    ) -> None:
        columns, rows = self.pixels = pixels
        self.matrix = np.array([[focal, 0, (columns - 1) / 2], [0, focal, (rows - 1) / 2], [0, 0, 1.0]])
        self.dist = np.array(dist)
        self._turn = turn
        self._shift = np.array([0, 0, focal / PX_PER_MM]) - self._turn @ np.append(middle, 0)

    def project(self, points: Floats) -> Floats:
        """Pixels of points of the board (n x 2, mm)."""
        solid = np.column_stack([points, np.zeros(len(points))])
        vector = np.asarray(cv2.Rodrigues(self._turn)[0], np.float64)
        seen = cv2.projectPoints(solid, vector, self._shift, self.matrix, self.dist)[0]
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def see(self, board: Drawn, scale: float, beyond: Sequence[float], rays: int = 1) -> Drawn:
        """The board, drawn with `scale` pixels per mm, on a table of the grey or colour `beyond`.

        Each pixel is the mean of `rays` by `rays` of them.
        """
        step, (columns, rows) = 16, self.pixels
        xs = (np.arange(columns // step + 2) - 0.5) * step - 0.5
        ys = (np.arange(rows // step + 2) - 0.5) * step - 0.5
        grid = np.stack(np.meshgrid(xs, ys), axis=-1)
        flat = cv2.undistortPoints(grid.reshape(-1, 1, 2), self.matrix, self.dist).reshape(-1, 2)
        back = np.linalg.inv(np.column_stack([self._turn[:, 0], self._turn[:, 1], self._shift]))
        lifted = np.column_stack([flat, np.ones(len(flat))]) @ back.T
        there = (lifted[:, :2] / lifted[:, 2:] * scale - 0.5).reshape(*grid.shape)
        # Nodes are the middles of blocks of 16 pixels; one block to spare on every side.
        fine = rays * step
        ways = cv2.resize(there.astype(np.float32), None, fx=fine, fy=fine)
        ways = np.asarray(ways[fine:, fine:][: rays * rows, : rays * columns], np.float32)
        across, down = (np.ascontiguousarray(ways[..., axis]) for axis in (0, 1))
        border = cv2.BORDER_CONSTANT
        seen = cv2.remap(board, across, down, cv2.INTER_LINEAR, borderMode=border, borderValue=beyond)
        if rays > 1:
            seen = cv2.resize(seen, self.pixels, interpolation=cv2.INTER_AREA)
        return cast(Drawn, seen)


def tilted(axis: Floats, roll: float) -> Floats:
    """A rotation about an axis of the board (length in radians), then by `roll` radians in the picture."""
    turned = cv2.Rodrigues(np.array([0, 0, roll]))[0] @ cv2.Rodrigues(np.append(axis, 0))[0]
    return np.asarray(turned, np.float64)


def _camera(tilt_deg: float, k1: float, rng: np.random.Generator) -> Lens:
    """A camera that is tilted and off the middle."""
    axis = _direction(rng.uniform(0, 2 * math.pi)) * math.radians(tilt_deg)
    turn = tilted(axis, rng.uniform(-0.03, 0.03))
    middle = np.array([WIDTH / 2, HEIGHT / 2]) + rng.uniform(-12, 12, 2)
    return Lens((COLUMNS, ROWS), FOCAL_PX, (k1, 0.01, 0.0, 0.0, 0.0), turn, middle)
