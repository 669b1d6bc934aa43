"""A small mat of our own to look at, seen by a small sensor from nearby."""

from __future__ import annotations

import math
from functools import cache

from assistant.layout import (
    Box,
    CardFace,
    HexGrid,
    Marker,
    Mat,
    Piece,
    Placement,
    Scene,
    Slot,
    Space,
    compose_payload,
    piece_number,
)
from vision.simulator import View
from vision.textures import Textures

LOW = View(width=1536, height=864, height_mm=300.0)
"""A small sensor near the mat: the pixels per millimetre of the real camera, a ninth of the work."""


@cache
def small_mat() -> Mat:
    """360 x 200 mm: six hexes with four slots each, three card places, two disc places, six markers."""
    size = 54 / math.sqrt(3)
    cells = tuple((q, r) for r, columns in enumerate((range(3), range(3))) for q in columns)
    grid = HexGrid(size, (60.0, 68.0), cells)
    spaces = []
    for q, r in cells:
        x, y = grid.centre(q, r)
        slots = tuple(
            Slot(seat, Box(x - 20.4 + 20.5 * (i % 2), y - 17.4 + 17.5 * (i // 2), 20.3, 17.3), seat)
            for i, seat in enumerate("ABCD")
        )
        spaces.append(Space(f"h{q}{r}", "map", "hex", (x, y), slots, (q, r), f"h{q}{r} Plains", "plains"))
    for i in range(3):
        box = Box(255.0, 40.0 + 38 * i, 45, 33)
        spaces.append(Space(f"cards:{i + 1}", "cards", "card", box.centre, (Slot("1", box),)))
    for i in range(2):
        box = Box(100.0 + 30 * i, 160.0, 26, 26)
        spaces.append(Space(f"bid:{i}", "auction", "disc", box.centre, (Slot("1", box),), title=str(i)))
    pieces, cards = [], []
    for i in range(24):
        payload = compose_payload("R", "01", piece_number(i))
        pieces.append(Piece(payload, "rail", f"{i:02d}", "ABCD"[i % 4], label=f"{i:02d}"))
    for i in range(3):
        payload = compose_payload("R", "01", piece_number(200 + i))
        pieces.append(Piece(payload, "card", f"K{i}", form="card"))
        cards.append(CardFace(payload, f"Card {i}", "a card", ("gain 2 coal",), "3"))
    for i in range(2):
        payload = compose_payload("R", "01", piece_number(300 + i))
        pieces.append(Piece(payload, "bid", "up", "AB"[i], height_mm=2.0, form="disc", label="up"))
    corners = ((6.0, 6.0), (170.0, 6.0), (330.0, 6.0), (330.0, 170.0), (220.0, 170.0), (6.0, 170.0))
    return Mat(
        game="small",
        pack="small",
        title="Small",
        width_mm=360.0,
        height_mm=200.0,
        markers=tuple(Marker(i, Box(x, y, 24.0, 24.0)) for i, (x, y) in enumerate(corners)),
        spaces=tuple(spaces),
        pieces=tuple(pieces),
        cards=tuple(cards),
        hexgrid=grid,
    )


@cache
def drawn() -> Textures:
    """The small mat's drawings, shared by all tests of a process."""
    return Textures(small_mat())


def full_scene(mat: Mat, *, without: frozenset[str] = frozenset()) -> Scene:
    """A piece of the right kind in every slot of a mat, except in the spaces named."""
    left = {piece.payload: piece for piece in mat.pieces}
    placements = []
    for space, slot in mat.slots():
        form = {"hex": "sticker"}.get(space.kind, space.kind)
        fits = [p for p, piece in left.items() if piece.form == form and slot.seat in (None, piece.seat)]
        if fits and space.id not in without:
            placements.append(Placement(fits[0], space.id, slot.id))
            del left[fits[0]]
    return Scene(tuple(placements))
