"""Somebody's own board as it was taught: its plane, its mat file, and the picture to look at.

`vision.boards` teaches hex maps, `vision.zones` boards whose spaces lie anywhere. What comes out of both is
a mat file like those of printed mats, with the marker cards as its markers, and marked `stacked`: one piece
may hide another, so that nothing is concluded from what is not seen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from assistant.layout import HexGrid, LayoutError, Mat, Space
from vision.card_frame import CardFrame
from vision.geometry import FloatArray, MatGeometry
from vision.layout_file import as_lines, from_layout_json, to_layout_json
from vision.marker_cards import EDGE_MM, MARKER_MM
from vision.optics import Image, inverse, mapped

ROUND_MM = 8.0
"""Board and cards with so much round them make the mat."""

Colour = tuple[int, int, int]
LINES: Colour = (90, 200, 40)
CARDS: Colour = (230, 120, 20)
WORDS: Colour = (120, 20, 120)
POINTED: Colour = (0, 220, 255)


@dataclass(frozen=True, eq=False)
class Taught:
    """A board that was taught.

    `geometry` is what the reader needs; `document` the mat file's bytes. `to_board` maps the plane of
    `frame` to the board's millimetres (3 x 3).
    """

    geometry: MatGeometry
    document: bytes
    frame: CardFrame
    to_board: FloatArray

    def to_px(self, points_mm: FloatArray) -> FloatArray:
        """Points of the board (n x 2, mm) as pixels of the first picture (n x 2)."""
        return self.frame.poses[0].to_px(mapped(inverse(self.to_board), points_mm))


@dataclass(frozen=True, eq=False)
class Ground:
    """A board's own millimetres: everything of board and cards lies between 0 and `size_mm`.

    `to_board` maps the plane of the cards there (3 x 3), `origin` is where the origin of the upright plane
    comes to lie, `cards` are the corners of the cards by number (4 x 2).
    """

    size_mm: tuple[float, float]
    origin: tuple[float, float]
    to_board: FloatArray
    cards: Mapping[int, FloatArray]

    @classmethod
    def under(cls, frame: CardFrame, straight: FloatArray, reach: FloatArray, marker_mm: float) -> Ground:
        """The ground below cards and spaces.

        `straight` maps the plane of the cards to an upright one (3 x 3), `reach` are points of that (n x 2)
        which enclose all spaces, `marker_mm` is the side of a card's black square.
        """
        cards = {card.id: mapped(straight, card.corners_mm) for card in frame.cards}
        rim = EDGE_MM * marker_mm / MARKER_MM
        ends = [np.array([c.min(axis=0) - rim, c.max(axis=0) + rim]) for c in cards.values()]
        corners = np.concatenate([*ends, reach])
        low, high = corners.min(axis=0) - ROUND_MM, corners.max(axis=0) + ROUND_MM
        to_board = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ straight
        width, height = (float(math.ceil(side)) for side in high - low)
        origin = (float(-low[0]), float(-low[1]))
        return cls((width, height), origin, to_board, {k: c - low for k, c in cards.items()})

    def document(
        self,
        mat: Mat,
        frame: CardFrame,
        spaces: tuple[Space, ...],
        grid: HexGrid | None,
        how: Mapping[str, Any],
        *,
        marker_mm: float,
        token_mm: float | None,
    ) -> bytes:
        """The mat file: that of a printed mat, with turned markers, and `how` the board was taught.

        `token_mm` is how far the printed side of everything that is no card lies above the board, where
        that is not as for the printed pieces.
        """
        pieces = tuple(
            msgspec.structs.replace(piece, height_mm=token_mm)
            if token_mm is not None and piece.form != "card"
            else piece
            for piece in mat.pieces
        )
        taught = msgspec.structs.replace(
            mat,
            width_mm=self.size_mm[0],
            height_mm=self.size_mm[1],
            markers=(),
            hexgrid=grid,
            spaces=spaces,
            pieces=pieces,
            zones=tuple(zone for zone in mat.zones if any(space.zone == zone.id for space in spaces)),
        )
        document: dict[str, Any] = json.loads(to_layout_json(taught))
        document["markers"]["list"] = [
            {"id": number, "corners_mm": [[round(float(v), 4) for v in corner] for corner in corners]}
            for number, corners in sorted(self.cards.items())
        ]
        document["zones"] = [{**zone, "box_mm": None} for zone in document["zones"]]
        told = {
            **how,
            "marker_mm": marker_mm,
            "pictures": len(frame.poses),
            "cards_off_mm": {str(card.id): round(card.off_mm, 3) for card in frame.cards},
        }
        document |= {"stacked": True, "owned": told}
        return (as_lines(document) + "\n").encode()


def geometry_in(document: bytes) -> MatGeometry:
    """What the reader needs of a mat file's bytes. Raises LayoutError."""
    return MatGeometry.from_layout(from_layout_json(document))


def file_name(mat: Mat) -> str:
    """The name of the file of the board that stands for a mat: that of its game, pack and box."""
    return f"{mat.game}-{mat.pack}-{mat.copy}.json"


def board_for(mat: Mat, folder: Path) -> MatGeometry | None:
    """The board in a folder that stands for a game's mat, None when there is none.

    Raises LayoutError when there is no such folder, and when the file cannot be read, is of another game,
    pack or box, or of a pack that has changed since.
    """
    if not folder.is_dir():
        raise LayoutError([f"there is no folder {folder}: `stationmaster teach` writes boards"])
    file = folder / file_name(mat)
    if not file.exists():
        return None
    geometry = MatGeometry.from_file(file)
    layout = from_layout_json(file.read_bytes())
    faults = []
    if (layout.game, layout.pack, layout.copy) != (mat.game, mat.pack, mat.copy):
        found = " ".join((layout.game, layout.pack, layout.copy)).strip() or "no game"
        faults.append(f"{file} is of {found}, not of {mat.game} {mat.pack} {mat.copy}: teach this board")
    else:
        known = {space.id for space in mat.spaces}
        strange = [space.id for space in geometry.spaces if space.id not in known]
        lost = {piece.payload for piece in mat.pieces} - {piece.payload for piece in layout.pieces}
        if strange or lost:
            what = f"the spaces {', '.join(strange)}" if strange else f"{len(lost)} pieces"
            faults.append(
                f"{file} was taught for another edition of the pack {mat.pack} ({what}): teach it again"
            )
    if faults:
        raise LayoutError(faults)
    return geometry


# ---- to look at


def drawn(picture: Image, board: Taught) -> tuple[Image, int]:
    """The first picture (grey) with outlines and names of the spaces and the cards over it (BGR), and how
    thick its lines are (pixels)."""
    canvas = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    thick = max(1, round(picture.shape[1] / 1500))
    for outline, _ in _shapes(board.geometry):
        _draw(canvas, board.to_px(outline), LINES, thick)
    for marker in board.geometry.markers:
        _draw(canvas, board.to_px(np.array(marker.corners_mm)), CARDS, 2 * thick)
    for outline, name in _shapes(board.geometry):
        _write(canvas, name, board.to_px(outline), thick)
    return canvas, thick


def cross(canvas: Image, spot: tuple[float, float], size: int, thick: int) -> None:
    """A yellow cross where somebody pointed (pixels)."""
    at = (round(spot[0]), round(spot[1]))
    cv2.drawMarker(canvas, at, POINTED, cv2.MARKER_CROSS, size, thick)


def _shapes(geometry: MatGeometry) -> Iterator[tuple[FloatArray, str]]:
    """Outline (n x 2, mm) and name of every space."""
    for space in geometry.spaces:
        if space.hex is not None and geometry.hexgrid is not None:
            angles = np.radians(np.arange(6) * 60 - 30)
            ring = np.column_stack([np.cos(angles), np.sin(angles)]) * geometry.hexgrid.size_mm
            yield ring + np.array(space.centre), space.id
        for slot in space.slots:
            box = slot.box
            right, bottom = box.x + box.w, box.y + box.h
            yield np.array([[box.x, box.y], [right, box.y], [right, bottom], [box.x, bottom]]), space.id


def _draw(canvas: Image, corners_px: FloatArray, colour: Colour, thick: int) -> None:
    points = np.round(corners_px * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [points], True, colour, thick, cv2.LINE_AA, 4)


def _write(canvas: Image, words: str, outline_px: FloatArray, thick: int) -> None:
    """Words inside an outline, below its middle, which stays free for a cross."""
    font, scale = cv2.FONT_HERSHEY_SIMPLEX, 0.45 * thick
    across, along = np.ptp(outline_px, axis=0)
    (wide, tall), _ = cv2.getTextSize(words, font, scale, thick)
    # A fifth of the height, so that the words end above the lower edge.
    scale *= min(1.0, 0.8 * float(across) / wide, 0.2 * float(along) / tall)
    line = max(1, round(thick * scale / (0.45 * thick)))
    (wide, tall), _ = cv2.getTextSize(words, font, scale, line)
    x, y = outline_px.mean(axis=0)
    place = (round(float(x) - wide / 2), round(float(y) + 1.6 * tall))
    cv2.putText(canvas, words, place, font, scale, WORDS, line, cv2.LINE_AA)
