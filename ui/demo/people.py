"""Hands at the simulated table: which sticker of the box lies where.

People lay pieces, take them away and knock them; only pixels tell the referee. The record knows a token
by class and seat, a card by name: here each has its own payload.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from assistant.layout import Mat, Piece, Placement, Scene
from assistant.reading import Spot
from vision.simulator import SimulatedTable


class People:
    """The pieces of one box and where they lie. Raises RuntimeError when a box has no such piece left."""

    def __init__(self, mat: Mat, table: SimulatedTable) -> None:
        self._mat = mat
        self._table = table
        self._pieces = {piece.payload: piece for piece in mat.pieces}
        self._lies: dict[str, Placement] = {}

    def _spot(self, placement: Placement) -> tuple[str, str | None, str, Placement]:
        """What lies there, and its place without the payload."""
        piece = self._pieces[placement.payload]
        name = piece.name if piece.form == "card" else ""
        return piece.what, piece.seat, name, msgspec.structs.replace(placement, payload="")

    def arrange(self, scene: Scene) -> bool:
        """Make the table look like a scene; what already lies right is not touched. Tells whether cards were
        put away."""
        cards = {payload for payload in self._lies if self._pieces[payload].form == "card"}
        wanted = Counter(self._spot(placement) for placement in scene.placements)
        for payload, placement in list(self._lies.items()):
            spot = self._spot(placement)
            if wanted[spot]:
                wanted[spot] -= 1
            else:
                del self._lies[payload]
        for placement in scene.placements:
            spot = self._spot(placement)
            if wanted[spot]:
                wanted[spot] -= 1
                payload = self._unused(self._pieces[placement.payload])
                self._lies[payload] = msgspec.structs.replace(placement, payload=payload)
        self._show()
        return not cards <= self._lies.keys()

    def add(self, spots: Iterable[Spot]) -> list[str]:
        """Lay tokens, and cards by their names; gives their payloads."""
        laid = []
        for spot in spots:
            alike = (p for p in self._mat.pieces if spot.what in (p.what, p.name) and p.seat == spot.seat)
            payload = self._unused(next(alike))
            slots = self._mat.space_named(spot.space).slots
            own = next((slot.id for slot in slots if slot.seat == spot.seat), "")
            self._lies[payload] = Placement(payload, spot.space, self._slot(spot.space, own))
            laid.append(payload)
        self._show()
        return laid

    def take(self, payloads: Iterable[str]) -> None:
        """Take pieces off the table."""
        for payload in payloads:
            del self._lies[payload]
        self._show()

    def knock(self, payload: str, space: str) -> None:
        """Push a piece to the slot of the same seat in another space, or to one that is free."""
        slot = self._slot(space, self._lies[payload].slot)
        self._lies[payload] = Placement(payload, space, slot)
        self._show()

    def lying(self, what: str) -> list[tuple[Piece, str]]:
        """Pieces of a class on the table with their spaces, in the order in which they were laid."""
        found = [(self._pieces[p], place.space) for p, place in self._lies.items()]
        return [(piece, space) for piece, space in found if piece.what == what]

    def at(self, space: str) -> list[Piece]:
        """Pieces that lie in a space."""
        return [self._pieces[p] for p, place in self._lies.items() if place.space == space]

    def _slot(self, space: str, wanted: str) -> str:
        """The slot of a space that is called so, as those of seats are; else its first free one."""
        slots = [slot.id for slot in self._mat.space_named(space).slots]
        taken = {place.slot for place in self._lies.values() if place.space == space}
        if wanted in slots and wanted not in taken:
            return wanted
        return next((slot for slot in slots if slot not in taken), slots[0])

    def _unused(self, like: Piece) -> str:
        if like.form == "card":
            return like.payload
        for piece in self._mat.pieces:
            if piece.what == like.what and piece.seat == like.seat and piece.payload not in self._lies:
                return piece.payload
        raise RuntimeError(f"no {like.what} of seat {like.seat} is left in the box")

    def _show(self) -> None:
        self._table.lay(Scene(tuple(self._lies.values())))
