"""Points by round, and the lines, dots and words that a chart of them is drawn with.

Pure: the screen and the picture that is saved both walk the same list (`plot`). A game marks its rounds with
the events `ROUND` and `FINAL` (see `assistant.events`). What was taken back, or rolled back within a round,
is in no line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from assistant.events import FINAL, ROUND, Event, Told
from assistant.referee import Written
from assistant.scores import ScoreSheet
from ui.presenters.elements import Chart, Ground, Tone
from ui.presenters.theme import SEATS

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


# Drawing ------------------------------------------------------------------------------------------


class Line(msgspec.Struct, frozen=True):
    """A line through points, in a seat's colour or a tone; `dash` are lengths on and off, empty for solid."""

    points: tuple[tuple[float, float], ...]
    thick: float
    seat: str = ""
    tone: Tone | Ground = "rule"
    dash: tuple[float, ...] = ()


class Dot(msgspec.Struct, frozen=True):
    """A seat's shape round a middle, `side` high."""

    x: float
    y: float
    side: float
    seat: str


class Label(msgspec.Struct, frozen=True):
    """Words whose middle is at `y`; `x` is their left edge, middle or right edge. `room` is the most width
    that they may take, 0 for as much as they need."""

    x: float
    y: float
    text: str
    tone: Tone = "text2"
    bold: bool = False
    align: Literal["left", "centre", "right"] = "left"
    room: float = 0
    tail: str = ""
    """What comes behind the words and is never cut."""


Piece = Line | Dot | Label


def plot(
    chart: Chart,
    wide: float,
    high: float,
    unit: float,
    note: float,
    width_of: Callable[[str, bool], float],
) -> list[Piece]:
    """A chart as what is to be drawn, in the order of drawing, from the top left corner, y down.

    `unit` is the length of a unit of the 1024x600 panel, `note` the size of type, `width_of` how wide words
    (bold or not) are in it; all in the same lengths as `wide` and `high`.
    """
    values = [value for curve in chart.curves for value in curve.values] or [0.0]
    low, high_value = min(0.0, *values), max(1.0, *values)
    tails = {curve.seat: f" {curve.values[-1]:g}" for curve in chart.curves if curve.values}
    names = max((width_of(c.name + tails[c.seat], True) for c in chart.curves if c.values), default=0)
    left, right = 36 * unit, wide - min(names + 40 * unit, wide / 2)
    top, foot = 14 * unit, high - 32 * unit

    def x_of(index: int) -> float:
        return left + (right - left) * index / max(1, len(chart.labels) - 1)

    def y_of(value: float) -> float:
        share = (value - low) / (high_value - low)
        return top + share * (foot - top) if chart.down else foot - share * (foot - top)

    out: list[Piece] = []
    # Points are whole: so is the middle line's number, and there is none between 0 and 1.
    for value in dict.fromkeys((low, (low + high_value) // 2, high_value)):
        out.append(Line(((left, y_of(value)), (right, y_of(value))), 2, tone="sleeper"))
        out.append(Label(left - 12 * unit, y_of(value), f"{value:g}", align="right"))
    widest = max((width_of(label, False) for label in chart.labels), default=0) + 8 * unit
    every = 1
    while every < len(chart.labels) and (x_of(1) - left) * every < widest:
        every += 1
    for index in range(0, len(chart.labels), every):
        out.append(Label(x_of(index), high - 14 * unit, chart.labels[index], align="centre"))
    drawn = [curve for curve in chart.curves if curve.values]
    heights = apart([y_of(curve.values[-1]) for curve in drawn], note * 1.2, top, foot)
    for curve, y in zip(drawn, heights, strict=True):
        points = tuple((x_of(index), y_of(value)) for index, value in enumerate(curve.values))
        if len(points) > 1:
            dash = tuple(float(part) for part in SEATS[curve.seat].dash)
            out.append(Line(points, 3, curve.seat, dash=dash))
        out += [Dot(*point, 16 * unit, curve.seat) for point in points]
        out.append(Line((points[-1], (right + 14 * unit, y)), 1, curve.seat))
        out.append(Dot(right + 24 * unit, y, 20 * unit, curve.seat))
        x, tail = right + 38 * unit, tails[curve.seat]
        out.append(Label(x, y, curve.name, "text", True, room=wide - x, tail=tail))
    return out


def apart(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Heights near the wanted ones, at least `step` apart, between `low` and `high` where possible."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    out = list(wanted)
    floor = low
    for i in order:
        out[i] = max(wanted[i], floor)
        floor = out[i] + step
    ceiling = high
    for i in reversed(order):
        out[i] = min(out[i], ceiling)
        ceiling = out[i] - step
    return out
