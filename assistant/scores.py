"""Score sheets: every point has a source.

A sheet is folded from `Points` events in order. Points that were rolled back are void. The sum of a
seat's lines is its total; `check` compares that with what the state says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assistant.events import Back, Event, Mark, Points


class Line(msgspec.Struct, frozen=True):
    """Points of one seat from one thing; `source` is a catalogue key."""

    seat: str
    amount: int
    source: str
    detail: str = ""
    rule: str = ""


class Tie(msgspec.Struct, frozen=True):
    """Why, of two seats with equal points, `seat` stands before `to`: a key of the catalogue table `ties`
    with its values, and the rule."""

    seat: str
    to: str
    why: str
    values: dict[str, Any] = {}
    rule: str = ""


class ScoreSheet(msgspec.Struct, frozen=True):
    """All lines in the order in which they were scored."""

    seats: tuple[str, ...]
    lines: tuple[Line, ...]

    @classmethod
    def from_events(cls, seats: Sequence[str], events: Iterable[Event]) -> ScoreSheet:
        """Add up what the events say."""
        lines: list[Line | None] = []
        marks: dict[str, int] = {}
        for event in events:
            if isinstance(event, Points):
                line = Line(event.seat, event.amount, event.source, event.detail, event.rule)
                lines.append(line)
            elif isinstance(event, Mark):
                marks[event.seat] = len(lines)
            elif isinstance(event, Back):
                # Without a mark there is nothing to return to.
                for index in range(marks.get(event.seat, len(lines)), len(lines)):
                    void = lines[index]
                    if void is not None and void.seat == event.seat:
                        lines[index] = None
        return cls(tuple(seats), tuple(line for line in lines if line is not None))

    def total(self, seat: str) -> int:
        """Sum of the seat's lines."""
        return sum(line.amount for line in self.lines if line.seat == seat)

    def by_source(self, seat: str) -> dict[str, int]:
        """The seat's points by source, in order of first appearance."""
        out: dict[str, int] = {}
        for line in self.lines:
            if line.seat == seat:
                out[line.source] = out.get(line.source, 0) + line.amount
        return out

    def check(self, totals: Mapping[str, int]) -> list[str]:
        """Where the sheet and the given totals differ, one line each; empty when they agree."""
        return [
            f"{seat}: the sheet adds up to {self.total(seat)}, the record says {want}"
            for seat, want in totals.items()
            if self.total(seat) != want
        ]

    def to_json(self) -> dict[str, Any]:
        """JSON-able form: totals, points by source and every line."""
        return {
            "totals": {seat: self.total(seat) for seat in self.seats},
            "by_source": {seat: self.by_source(seat) for seat in self.seats},
            "lines": [msgspec.to_builtins(line) for line in self.lines],
        }
