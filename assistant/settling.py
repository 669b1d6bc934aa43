"""What can be done about a difference between table and record, besides putting the piece back.

What lies there may be something that could be done: then it is recorded where it is legal, and where it
breaks only rules that the table may waive, all seats can agree to it.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assistant.actions import PLACES, Action
from assistant.game import Game
from assistant.reading import Difference, Spot
from assistant.rulings import Violation

How = Literal["put_back", "record", "agreed"]

_NOTHING_DONE = frozenset({"missing", "moved", "unknown_tag", "duplicate_tag", "left_over", "wrong_card"})
"""Kinds of difference that no single action of a seat explains."""


class Deed(msgspec.Struct, frozen=True):
    """The action that would put a piece where it was seen, and all rules that it breaks."""

    action: Action
    broken: tuple[Violation, ...]


def deed(game: Game[Any], state: Any, difference: Difference) -> Deed | None:
    """What somebody did who laid the piece of a difference, or None where no action does that."""
    seat, place = difference.seat, difference.place
    if seat is None or not place or difference.kind in _NOTHING_DONE:
        return None
    spot = Spot(difference.piece, seat, place)
    found: list[Deed] = []
    tried = [a for kind in sorted(game.seen_kinds) for a in _placing(game.codec.types[kind], seat, place)]
    for action in (*game.placing(state, seat, difference.piece, place), *tried):
        try:
            broken = tuple(game.violations(state, action))
            after, _ = game.apply(state, action)
            laid = spot in game.tokens(after)
        except Exception:  # Rules promise nothing about applying what they forbid.
            continue
        if laid:
            found.append(Deed(action, broken))
    # Of several ways (a rail that is paid for, or free) the one that breaks least.
    return min(found, key=lambda one: len(one.broken), default=None)


def ways(game: Game[Any], state: Any, difference: Difference) -> tuple[How, ...]:
    """How a difference can be settled."""
    found = deed(game, state, difference)
    if found is None:
        return ("put_back",)
    if not found.broken:
        return ("put_back", "record")
    waivable = all(violation.rule in game.waivable for violation in found.broken)
    return ("put_back", "agreed") if waivable else ("put_back",)


def _placing(kind: type[Action], seat: str, place: str) -> list[Action]:
    """The actions of a kind that needs to know nothing but the seat and the place; what can be said besides
    by yes or no is tried either way."""
    fields = msgspec.structs.fields(kind)
    named = [field.name for field in fields if field.name in PLACES]
    needed = {field.name for field in fields if field.required}
    if len(named) != 1 or not needed <= {"seat", *named}:
        return []
    known = {"seat": seat, named[0]: place}
    marks = [field.name for field in fields if field.type is bool or field.type == "bool"]
    return [kind(**known), *(kind(**known, **{mark: True}) for mark in marks)]
