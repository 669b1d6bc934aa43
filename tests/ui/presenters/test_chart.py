"""Points by round: a column for each round and one for the end; nothing that was taken back counts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

from assistant.events import FINAL, ROUND, Back, Event, Mark, Points, Told
from assistant.referee import Written
from assistant.scores import ScoreSheet
from tests.ui.presenters import playing as p
from ui.presenters.chart import END, Dot, Label, Line, Piece, Series, by_round, csv_of, plot
from ui.presenters.elements import Chart, Curve


def history(*entries: Sequence[Event], kind: str = "do") -> list[Written]:
    return [Written(n, n, kind, "A", True, events=tuple(events)) for n, events in enumerate(entries, start=1)]


def begins(number: int) -> Told:
    return Told(ROUND, values={"round": number})


def test_a_round_ends_where_the_next_begins_and_the_last_with_the_final_scoring() -> None:
    told = history(
        [begins(1), Points("A", 3, "x")],
        [Points("B", 5, "x"), begins(2)],
        [Points("A", 4, "x"), Told(FINAL), Points("B", 10, "y")],
    )
    found = by_round(told, "AB", ended=True)
    assert found.labels == ("1", "2", END)
    assert found.totals == {"A": (3, 7, 7), "B": (5, 5, 15)}
    assert found.behind("A") == (2, 0, 8)
    assert found.behind("B") == (0, 2, 0)


def test_the_round_that_goes_on_is_the_last_column() -> None:
    found = by_round(history([begins(1)], [begins(2), Points("A", 1, "x")]), "AB")
    assert found.labels == ("1", "2")
    assert found.totals["A"] == (0, 1)


def test_a_game_without_a_final_scoring_ends_with_its_last_round() -> None:
    found = by_round(history([begins(1), Points("A", 1, "x")]), "AB", ended=True)
    assert found.labels == ("1",)


def test_a_game_without_rounds_has_only_an_end() -> None:
    assert by_round(history([Points("A", 1, "x")]), "AB", ended=True) == Series(
        (END,), {"A": (1,), "B": (0,)}
    )
    assert by_round([], "AB") == Series((), {"A": (), "B": ()})


def test_what_was_taken_back_or_rolled_back_is_in_no_line() -> None:
    stands = history([begins(1), Points("A", 3, "x")])
    gone = [Written(2, 2, "do", "A", False, events=(Points("A", 90, "x"),))]
    undo = [Written(3, 3, "undo", "A", True, events=(Points("A", 50, "x"),))]
    rolled = history([Mark("A"), Points("A", 7, "x"), Back("A")])
    assert by_round([*stands, *gone, *undo, *rolled], "AB").totals["A"] == (3,)


def test_a_sheet_says_what_the_end_comes_to() -> None:
    sheet = ScoreSheet.from_events("AB", [Points("A", 9, "x")])
    found = by_round(history([begins(1), Points("A", 3, "x")]), "AB", ended=True, sheet=sheet)
    assert found.labels == ("1", END)
    assert found.totals["A"] == (3, 9)


def test_a_table_has_names_with_commas_and_all_numbers() -> None:
    series = Series(("1", END), {"A": (3, 7), "B": (0, 0)})
    assert csv_of(series, {"A": 'Mi, "ra"'}) == ',"Mi, ""ra""",B\n1,3,0\nend,7,0\n'


def test_a_real_game_has_a_column_for_each_of_four_rounds_and_ends_as_it_was_scored() -> None:
    judge = p.table(p.game("railway_boom", 2))
    p.play(judge, random.Random(5), 2000)
    assert judge.view.finished
    assert judge.view.sheet is not None
    found = by_round(judge.view.history, "AB", True, judge.view.sheet)
    assert found.labels == ("1", "2", "3", "4", END)
    assert {seat: values[-1] for seat, values in found.totals.items()} == {
        seat: judge.view.sheet.total(seat) for seat in "AB"
    }
    # Final scoring is in no round.
    assert found.totals["A"][3] < found.totals["A"][4]


def drawing(*curves: Curve, wide: float = 400, down: bool = True) -> list[Piece]:
    labels = tuple(str(n) for n in range(1, 1 + max(len(c.values) for c in curves)))
    chart = Chart(labels=labels, curves=curves, down=down)
    return plot(chart, wide, 200, 1, 18, lambda words, bold: 8.0 * len(words))


def test_a_chart_is_drawn_from_the_top_or_from_the_foot() -> None:
    for down in (True, False):
        pieces = drawing(Curve("A", "Mira", (0, 3, 6)), down=down)
        (line,) = [one for one in pieces if isinstance(one, Line) and one.seat and len(one.points) == 3]
        heights = [y for _, y in line.points]
        assert heights == sorted(heights, reverse=not down)
        assert [x for x, _ in line.points] == sorted({x for x, _ in line.points})
        assert [(m.x, m.y) for m in pieces if isinstance(m, Dot)][:3] == list(line.points)


def test_names_at_the_end_of_a_chart_keep_apart_and_within() -> None:
    pieces = drawing(*(Curve(seat, "Maximiliana-Theodora " * 3, (0, 5)) for seat in "ABCD"))
    names = [one for one in pieces if isinstance(one, Label) and one.bold]
    heights = sorted(one.y for one in names)
    assert min(after - before for before, after in pairwise(heights)) >= 18
    assert all(one.x + one.room <= 400 for one in names)
    assert all(one.room > 100 for one in names)


def test_labels_of_many_rounds_do_not_touch() -> None:
    pieces = drawing(Curve("A", "Mira", tuple(range(60))), wide=300)
    below = [one for one in pieces if isinstance(one, Label) and one.align == "centre"]
    assert 2 < len(below) < 60
    for left, right in pairwise(below):
        assert left.x + 4 * len(left.text) < right.x - 4 * len(right.text)


def test_each_seat_has_its_own_dash() -> None:
    pieces = drawing(*(Curve(seat, seat, (0, 1, 2)) for seat in "ABCD"))
    lines = [one for one in pieces if isinstance(one, Line) and len(one.points) == 3]
    assert len({one.dash for one in lines}) == 4


def test_the_lines_across_stand_at_whole_points() -> None:
    def scale(*values: float) -> list[str]:
        pieces = drawing(Curve("A", "Ann", values), down=False)
        return [p.text for p in pieces if isinstance(p, Label) and p.align == "right"]

    assert scale(0, 11) == ["0", "5", "11"]
    assert scale(0, 1) == ["0", "1"]
