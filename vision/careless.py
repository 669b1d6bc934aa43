"""How people lay pieces down: off-centre, turned, sometimes quite askew, never one on top of another."""

from __future__ import annotations

import hashlib
import math

import msgspec
import numpy as np

from assistant.layout import Mat, Placement, Scene, Slot
from vision.faces import piece_size
from vision.geometry import FloatArray

OFF_CENTRE_MM = 1.5
"""Standard deviation of a piece's place in x and in y."""
TURN_DEG = 3.5
"""Standard deviation of the usual turn."""
ASKEW_SHARE = 0.15
ASKEW_DEG = 12.0
"""One piece in seven is laid down without looking."""
TRIES = 60


class CarelessHand:
    """Lays pieces of one mat. The same seed and the same sequence of scenes give the same table."""

    def __init__(self, mat: Mat, seed: int = 0) -> None:
        self._mat = mat
        self._seed = seed
        self._laid: dict[Placement, Placement] = {}

    def lay(self, scene: Scene) -> Scene:
        """The scene as it really lies. Pieces that stay are left alone; new ones find room beside them.

        Offsets and turns in the scene are added to the carelessness.
        """
        self._laid = {wanted: lies for wanted, lies in self._laid.items() if wanted in set(scene.placements)}
        for wanted in scene.placements:
            if wanted not in self._laid:
                self._laid[wanted] = self._put_down(wanted)
        return Scene(tuple(self._laid[wanted] for wanted in scene.placements))

    def _put_down(self, wanted: Placement) -> Placement:
        """A place that overlaps nothing: a hand that meets another piece nudges its own aside."""
        key = f"{self._seed}/{wanted.payload}/{wanted.space}/{wanted.slot}".encode()
        rng = np.random.default_rng(int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big"))
        near = [
            outline(self._mat, lies)
            for beside, lies in self._laid.items()
            if not _stacked(beside, wanted) and _close(self._mat, lies, wanted)
        ]
        lies = wanted
        for attempt in range(TRIES):
            # A hand that does not find room becomes more careful.
            care = max(0.0, 1 - attempt / TRIES)
            spread = ASKEW_DEG if rng.random() < ASKEW_SHARE else TURN_DEG
            lies = msgspec.structs.replace(
                wanted,
                dx=round(wanted.dx + care * float(rng.normal(0, OFF_CENTRE_MM)), 3),
                dy=round(wanted.dy + care * float(rng.normal(0, OFF_CENTRE_MM)), 3),
                turn_deg=round(wanted.turn_deg + care * float(rng.normal(0, spread)), 2),
            )
            shape = outline(self._mat, lies)
            if not any(overlap(shape, other) for other in near):
                break
        return lies


def slot_of(mat: Mat, placement: Placement) -> Slot:
    """The slot a placement names. KeyError when the mat has no such space or slot."""
    for slot in mat.space_named(placement.space).slots:
        if slot.id == placement.slot:
            return slot
    raise KeyError(f"{placement.space}/{placement.slot}")


def middle_of(mat: Mat, placement: Placement) -> tuple[float, float]:
    """Where the middle of a placed piece is, in mm."""
    x, y = slot_of(mat, placement).box.centre
    return x + placement.dx, y + placement.dy


def outline(mat: Mat, placement: Placement) -> FloatArray:
    """The corners (n x 2, mm) of a piece as it lies; a disc is an octagon."""
    piece = mat.piece_named(placement.payload)
    w, h = piece_size(mat, piece)
    if piece.form == "disc":
        angles = np.arange(8) * math.pi / 4
        corners = np.column_stack([np.cos(angles), np.sin(angles)]) * w / 2
    else:
        corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    turn = math.radians(placement.turn_deg)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(corners @ rotation.T + middle_of(mat, placement), np.float64)


def overlap(one: FloatArray, other: FloatArray) -> bool:
    """Whether two convex shapes (n x 2) overlap: no line along an edge separates them."""
    for shape in (one, other):
        edges = np.roll(shape, -1, axis=0) - shape
        normals = np.column_stack([-edges[:, 1], edges[:, 0]])
        a, b = one @ normals.T, other @ normals.T
        if ((a.max(axis=0) <= b.min(axis=0)) | (b.max(axis=0) <= a.min(axis=0))).any():
            return False
    return True


def _stacked(one: Placement, other: Placement) -> bool:
    """Whether two pieces are meant to lie on top of each other: in the same place of the same slot."""
    return (one.space, one.slot, one.dx, one.dy) == (other.space, other.slot, other.dx, other.dy)


def _close(mat: Mat, one: Placement, other: Placement) -> bool:
    """Whether two pieces can meet at all."""
    (x1, y1), (x2, y2) = middle_of(mat, one), middle_of(mat, other)
    return math.hypot(x1 - x2, y1 - y2) < 2 * max(*mat.card_mm, *mat.sticker_mm, mat.disc_mm)
