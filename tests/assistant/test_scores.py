"""Score sheets: every point has a source, and what was rolled back is void."""

from __future__ import annotations

from assistant.events import Back, Mark, Moved, Points
from assistant.scores import ScoreSheet

EVENTS = [
    Points("A", 3, "carriage", "K1"),
    Mark("A"),
    Points("A", 2, "carriage", "K2"),
    Points("B", 5, "route"),
    Moved("A", "coal", -1),
    Points("A", 1, "tile"),
]


def test_points_add_up_by_seat_and_source() -> None:
    sheet = ScoreSheet.from_events(("A", "B"), EVENTS)
    assert (sheet.total("A"), sheet.total("B")) == (6, 5)
    assert sheet.by_source("A") == {"carriage": 5, "tile": 1}
    assert sheet.check({"A": 6, "B": 5}) == []
    assert sheet.check({"A": 7, "B": 5}) == ["A: the sheet adds up to 6, the record says 7"]
    form = sheet.to_json()
    assert form["totals"] == {"A": 6, "B": 5}
    assert form["lines"][0] == {"seat": "A", "amount": 3, "source": "carriage", "detail": "K1", "rule": ""}


def test_what_is_rolled_back_is_void_for_that_seat_alone() -> None:
    sheet = ScoreSheet.from_events(("A", "B"), [*EVENTS, Back("A"), Points("A", 1, "tile")])
    assert (sheet.total("A"), sheet.total("B")) == (4, 5)


def test_without_a_mark_nothing_is_void() -> None:
    assert ScoreSheet.from_events(("A", "B"), [*EVENTS, Back("B")]).total("B") == 5
