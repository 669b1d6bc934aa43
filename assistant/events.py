"""What an action caused: points with their source, things moved, things told, things learned.

Events are data for the log, the score sheet and the screen. The state never depends on them.

A convention: a game with rounds emits one `Told` with the key `ROUND` and the value `round` (the number, from
1 on) when a round begins, after everything that still belongs to the round before; a game with a final
scoring emits one `Told` with the key `FINAL` before its points. The chart of points by round relies on both.
"""

from __future__ import annotations

from typing import Any

import msgspec

ROUND = "round"
FINAL = "final"
"""Keys of the `Told` with which a round and the final scoring begin."""


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of all events."""


class Points(Event, frozen=True, tag="points"):
    """A seat's points change. `source` is a catalogue key, `detail` what exactly (a card, a hex)."""

    seat: str
    amount: int
    source: str
    detail: str = ""
    rule: str = ""


class Moved(Event, frozen=True, tag="moved"):
    """A seat gains (positive) or pays (negative) something countable, by the rule named."""

    seat: str
    what: str
    amount: int
    rule: str = ""


class Shortfall(Event, frozen=True, tag="shortfall"):
    """A payment took what was there and `missing` less than the rule asks (after an overrule)."""

    seat: str
    what: str
    missing: int
    rule: str = ""


class Told(Event, frozen=True, tag="told"):
    """Something for people to know or do at the table; `key` is in the game's catalogue."""

    key: str
    seat: str | None = None
    values: dict[str, Any] = {}


class Informed(Event, frozen=True, tag="informed"):
    """Some seats learned something that was hidden: undo past it lists `steps` to hide it again."""

    seats: tuple[str, ...]
    what: str
    steps: tuple[Told, ...] = ()


class Mark(Event, frozen=True, tag="mark"):
    """A point to which a seat's points may yet return (a train is declared)."""

    seat: str


class Back(Event, frozen=True, tag="back"):
    """A seat's points since its last `Mark` are void (the train is rolled back)."""

    seat: str
