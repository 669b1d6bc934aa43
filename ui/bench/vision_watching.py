"""Rows about watching: what a picture costs when little has changed, and how soon a bumped camera is right.

`ui.bench.vision` takes them in. Measured on a simulated table of Railway Boom with a hundred rails, seen as
a Camera Module 3 sees it from 900 mm.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from functools import partial

import msgspec

from assistant.game import find_title
from assistant.layout import Mat, Placement, Scene
from ui.bench import Row, row, timed
from vision.cameras.base import Frame
from vision.changes import Eye, QuickReader, low_of
from vision.decoders import read_zxing
from vision.geometry import MatGeometry
from vision.optics import Image
from vision.simulator import SimulatedTable, View

TOKENS = 100
ROUNDS = 7
STEP_S = 0.2
"""Seconds between two pictures of the bumped camera: five a second, a third of what the camera gives."""
BUMP_MM = 20.0


def rows(*, quick: bool = False, seed: int = 1) -> list[Row]:
    """The rows; takes about ten seconds of processor time, half as long when `quick`."""
    mat = _mat()
    table = SimulatedTable(mat, View(tilt_deg=3.0), seed)
    before, after = _scenes(mat, seed)
    pictures = []
    for scene in (before, after):
        table.lay(scene)
        pictures.append(table.picture())
    return [*_costs(mat, pictures, 3 if quick else ROUNDS), _bump(mat, table)]


def _mat() -> Mat:
    title = find_title("railway_boom")
    return title.open(title.load_pack(title.default_pack), title.seats[1]).mat()


def _scenes(mat: Mat, seed: int) -> tuple[Scene, Scene]:
    """A hundred rails on the map, and the same with one of them in another hex."""
    rng = random.Random(seed)
    slots = [(space, slot) for space, slot in mat.slots() if space.hex is not None]
    rng.shuffle(slots)
    left = [piece for piece in mat.pieces if piece.what == "rail"]
    laid: list[Placement] = []
    for space, slot in slots:
        fits = [piece for piece in left if piece.seat == slot.seat]
        if fits and len(laid) < TOKENS:
            laid.append(Placement(fits[0].payload, space.id, slot.id))
            left.remove(fits[0])
    first = laid[0]
    taken = {(placement.space, placement.slot) for placement in laid}
    space, slot = next(
        (space, slot)
        for space, slot in slots
        if slot.id == first.slot and (space.id, slot.id) not in taken and space.id != first.space
    )
    moved = msgspec.structs.replace(first, space=space.id, slot=slot.id)
    return Scene(tuple(laid)), Scene((moved, *laid[1:]))


class _Film:
    """Shows pictures to a quick reader, one after the other, and times each."""

    def __init__(self, mat: Mat, pictures: Sequence[Image]) -> None:
        roster = [piece.payload for piece in mat.pieces]
        self._quick = QuickReader(MatGeometry.from_mat(mat), roster, sweep_s=1e9)
        self._pictures = pictures
        self._lows = [low_of(picture) for picture in pictures]
        self._at = 0.0
        self._number = 0

    def look(self, which: int, *, after_s: float = 0.01, low: bool = True) -> float:
        """CPU milliseconds that a picture takes, so many seconds after the one before."""
        self._at += after_s
        self._number += 1
        small = self._lows[which] if low else None
        frame = Frame(self._pictures[which], self._number, self._at, "bench", small)
        return 1000 * timed(lambda: self._quick.look(frame))


def _costs(mat: Mat, pictures: Sequence[Image], rounds: int) -> list[Row]:
    """What one picture costs: nothing changed, one token moved, with and without a small stream."""
    film = _Film(mat, pictures)
    for _ in range(4):
        film.look(0)
    still: list[float] = []
    changed: list[float] = []
    alone: list[float] = []
    whole: list[float] = []
    for i in range(2 * rounds):
        low = i % 2 == 0
        which = (i + 1) % 2
        # So far apart the pictures tell of change and not of motion, in which nothing would be read.
        (changed if low else alone).append(film.look(which, after_s=0.6, low=low))
        for _ in range(3):
            film.look(which)
        still.append(film.look(which))
        whole.append(1000 * timed(partial(read_zxing, pictures[which])))
    peer = statistics.median(whole)

    def made(name: str, values: Sequence[float], how: str, goal: str = "") -> Row:
        return row(
            name,
            statistics.median(values),
            "ms CPU",
            goal=goal,
            peer="zxing-cpp, the whole picture",
            peer_value=peer,
            how=f"median of {len(values)} pictures of 4608 x 2592 with {TOKENS} tokens, one thread: {how}",
        )

    return [
        made("picture in which nothing changed", still, "compared on the 1152 x 648 stream"),
        made(
            "picture in which 1 of 100 tokens moved",
            changed,
            "compared on the 1152 x 648 stream, both spaces decoded and checked for cover",
            "<= 3",
        ),
        made("the same without a small stream", alone, "the full picture reduced first"),
    ]


def _bump(mat: Mat, table: SimulatedTable) -> Row:
    """Seconds from a push of the camera until the same pieces are seen at the right places again."""
    eye = Eye(MatGeometry.from_mat(mat), [piece.payload for piece in mat.pieces], quiet_s=0.4)
    at, number = 0.0, 0

    def see() -> None:
        nonlocal at, number
        at, number = at + STEP_S, number + 1
        eye.see(Frame(table.picture(), number, at, "bench"))

    for _ in range(6):
        see()
    table.view_from(View(tilt_deg=3.5, shift_mm=(BUMP_MM, 0.0)))
    lies = {(placement.payload, placement.space) for placement in table.lies.placements}
    bumped = at
    seconds: float | None = None
    for _ in range(15):
        see()
        now = eye.watcher.now(at)
        if eye.quick.moves and {(s.payload, s.space) for s in now.sightings} == lies and not now.hidden:
            seconds = at - bumped
            break
    return row(
        "a camera bumped by 20 mm is right again after",
        seconds,
        "s",
        goal="<= 2",
        how=f"simulated pictures {STEP_S:g} s apart; all {TOKENS} tokens in their places, nothing hidden",
    )
