"""Points by round, as lines: how far each seat was behind the leader. Pure; the host saves the same numbers.

A game marks its rounds with the events `ROUND` and `FINAL` (see `assistant.events`). What was taken back, or
rolled back within a round, is in no line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from assistant.events import FINAL, ROUND, Event, Told
from assistant.referee import Written
from assistant.scores import ScoreSheet

END = "end"
"""The label of the last column of a game that is over."""
ASIDE = frozenset({"undo", "redo", "note"})
"""Entries that cause nothing themselves."""


class Series(msgspec.Struct, frozen=True):
    """Points of each seat at the end of each round: `labels` are the rounds, and `END` for the final scoring;
    `totals` by seat, one value a label."""

    labels: tuple[str, ...] = ()
    totals: dict[str, tuple[int, ...]] = {}

    def behind(self, seat: str) -> tuple[int, ...]:
        """How many points the seat was behind the leader, by label."""
        best = [max(column) for column in zip(*self.totals.values(), strict=True)]
        return tuple(top - own for top, own in zip(best, self.totals[seat], strict=True))


def events_of(history: Iterable[Written]) -> list[Event]:
    """Everything that stands, in order."""
    return [e for written in history if written.live and written.kind not in ASIDE for e in written.events]


def by_round(
    history: Iterable[Written], seats: Sequence[str], ended: bool = False, sheet: ScoreSheet | None = None
) -> Series:
    """The points after each round. The last column is the round that goes on, or the end (`ended`), which
    then has the totals of `sheet` where one is given."""
    labels: list[str] = []
    columns: list[dict[str, int]] = []
    so_far: list[Event] = []
    current = ""
    for event in events_of(history):
        if isinstance(event, Told) and event.key in (ROUND, FINAL):
            if current:
                labels.append(current)
                columns.append(_totals(seats, so_far))
            current = "" if event.key == FINAL else str(event.values.get("round", len(labels) + 1))
        so_far.append(event)
    if current:
        labels.append(current)
        columns.append(_totals(seats, so_far))
    if ended and (not current or sheet is not None):
        labels.append(END)
        last = _totals(seats, so_far)
        columns.append(last if sheet is None else {seat: sheet.total(seat) for seat in seats})
    return Series(tuple(labels), {seat: tuple(column[seat] for column in columns) for seat in seats})


def _totals(seats: Sequence[str], events: Sequence[Event]) -> dict[str, int]:
    sheet = ScoreSheet.from_events(seats, events)
    return {seat: sheet.total(seat) for seat in seats}


def csv_of(series: Series, names: Mapping[str, str]) -> str:
    """The totals as a table: a line for each round, a column for each seat."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["", *(names.get(seat) or seat for seat in series.totals)])
    for index, label in enumerate(series.labels):
        rows.writerow([label, *(values[index] for values in series.totals.values())])
    return out.getvalue()
