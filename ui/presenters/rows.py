"""Tracks and action spaces, for every game that shows them: what stands where and counts what, what is free.

A touch on a lit space points at it, as on a map. Kept in `nav.values`: "rows" (the tracks are looked at while
a space is chosen) and "look" (whose), "spaces" (the page of the action spaces).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from assistant.choosing import Choice, Option
from assistant.display import Cell, Gauge, Place, Row
from ui.presenters import elements as e
from ui.presenters import parts, wording
from ui.presenters.intents import Intent, Set
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, display_of

NAME_WIDTH, TOTAL_WIDTH = 180.0, 56.0
ROW_HEIGHT = 76.0
OPTIONS_HEIGHT = 66.0
MOST_LISTED = 4
"""Options that have room below the tracks."""
ACROSS, DOWN = 4, 5
"""Action spaces on one page, beside the strips."""


def of_seat(shown: Shown, seat: str) -> list[Row]:
    """The tracks of a seat; none for a game that shows none."""
    return [row for row in display_of(shown).rows if row.seat == seat]


def cell_of(option: Option) -> tuple[str, int] | None:
    """The cell of a row that an option leads to: the row's word and the index of the cell."""
    row, cell = option.values.get("row"), option.values.get("cell")
    return (row, cell - 1) if isinstance(row, str) and isinstance(cell, int) else None


def fits(shown: Shown, choice: Choice) -> bool:
    """Whether all that a seat is asked can be answered on its tracks and with the buttons below."""
    return bool(of_seat(shown, choice.seat)) and not choice.kind and len(_listed(choice)) <= MOST_LISTED


def _listed(choice: Choice) -> list[int]:
    return [n for n, option in enumerate(choice.options) if cell_of(option) is None and not option.ends]


def answered(shown: Shown, choice: Choice) -> e.AnyElement:
    """The tracks of the seat that is asked, lit where an option leads, and all other options below."""
    lit: dict[tuple[str, int], list[int]] = {}
    for number, option in enumerate(choice.options):
        cell = cell_of(option)
        if cell is not None:
            lit.setdefault(cell, []).append(number)
    below: list[e.AnyElement] = [
        e.Button(
            id=f"option:{n}",
            text=wording.option_label(shown, choice.options[n]),
            intent=parts.point(choice, n),
            chosen=n == choice.at,
            grow=1,
        )
        for n in _listed(choice)
    ]
    if not below:
        below = [e.Text(text=shown.words.t("Touch a lit space."), tone="text2")]
    tracks = [_track(shown, row, choice, lit) for row in of_seat(shown, choice.seat)]
    return e.Column(
        children=(*tracks, e.Space(grow=1), e.Row(children=tuple(below), gap=12, pad=12, h=OPTIONS_HEIGHT)),
        gap=2,
        grow=1,
    )


def looked_at(shown: Shown, nav: Nav, seat: str) -> e.AnyElement:
    """The tracks of a seat that somebody looks at, and the seats to look at."""
    wanted = nav.values.get("look")
    seats = [strip.seat for strip in display_of(shown).strips]
    here = wanted if wanted in seats else seat if seat in seats else seats[0]
    found = of_seat(shown, here)
    picks: list[e.AnyElement] = [
        e.Panel(
            child=e.Badge(seat=each, side=44),
            ground="sleeper" if each == here else "ballast",
            chosen=each == here,
            pad=10,
            id=f"look:{each}",
            intent=Set({"look": each}),
        )
        for each in seats
    ]
    total = sum(row.total or 0 for row in found)
    counts = (
        e.Text(text=shown.words.t("A scoring now"), tone="text2"),
        e.Text(text=str(total), size="prompt", bold=True),
    )
    tracks = [_track(shown, row, None, {}) for row in found]
    below = e.Row(children=(*picks, e.Space(grow=1), *counts), gap=12, pad=12, h=OPTIONS_HEIGHT)
    return e.Column(children=(*tracks, e.Space(grow=1), below), gap=2, grow=1)


def _track(
    shown: Shown, row: Row, choice: Choice | None, lit: Mapping[tuple[str, int], list[int]]
) -> e.AnyElement:
    """One track: its name and what stands beside it, its cells, what it counts now."""
    here = {cell: numbers for (words, cell), numbers in lit.items() if words == row.words}
    intents: dict[int, Intent] = {}
    chosen = -1
    if choice is not None:
        for cell, numbers in here.items():
            intents[cell] = parts.point(choice, parts.following(choice, numbers))
            chosen = cell if choice.at in numbers else chosen
    of = max(len(each.cells) for each in of_seat(shown, row.seat))
    spots = tuple(_spot(shown, cell, n in here, n == chosen) for n, cell in enumerate(row.cells))
    name: list[e.AnyElement] = [
        e.Text(text=wording.word(shown, f"row.{row.words}"), bold=True, shrink=True),
    ]
    if row.holds:
        name.append(e.Row(children=tuple(_held(gauge) for gauge in row.holds), gap=8))
    total = "" if row.total is None else str(row.total)
    return e.Row(
        children=(
            e.Column(children=tuple(name), gap=2, w=NAME_WIDTH),
            e.SpotRow(spots=spots, of=of, reach=row.reach, intents=intents, id=f"row:{row.words}", grow=1),
            e.Text(text=total, size="prompt", bold=True, align="right", w=TOTAL_WIDTH),
        ),
        gap=4,
        pad=10,
        h=ROW_HEIGHT,
    )


def _held(gauge: Gauge) -> e.Row:
    return e.Row(
        children=(e.Icon(name=gauge.what, side=24, tone="text2"), e.Text(text=str(gauge.value), bold=True)),
        gap=4,
    )


def _spot(shown: Shown, cell: Cell, lit: bool, chosen: bool) -> e.Spot:
    sign = wording.word(shown, f"sign.{cell.tint}") if cell.tint and not cell.gap else ""
    known = sign if sign != f"sign.{cell.tint}" else ""
    return e.Spot(
        text=known or cell.print,
        number=str(cell.value) if cell.value else "",
        tint=cell.tint,
        here=cell.piece,
        seats=cell.seats,
        above=wording.word(shown, cell.above) if cell.above else "",
        sign=cell.sign,
        due=cell.due,
        lit=lit,
        chosen=chosen,
        gap=cell.gap,
    )


# Action spaces ------------------------------------------------------------------------------------


def anew(nav: Nav) -> Nav:
    """Once something is done, what is asked next begins on the page where it can be answered."""
    if "spaces" not in nav.values:
        return nav
    return msgspec.structs.replace(nav, values={k: v for k, v in nav.values.items() if k != "spaces"})


def board(shown: Shown, nav: Nav, choice: Choice | None, lit: Mapping[str, list[int]]) -> e.AnyElement:
    """The action spaces, page by page, first that of the first legal one: name, cost, whose pieces lie there;
    raised where they are legal."""
    places = display_of(shown).places
    across = 3 if shown.metrics.small else ACROSS
    down = DOWN if len(places) <= across * DOWN else DOWN - 1
    first_lit = next((number for number, place in enumerate(places) if place.space in lit), 0)
    leaf = parts.leaf(len(places), across * down, nav.values.get("spaces", first_lit // (across * down)))
    here = places[leaf.first : leaf.end]
    rows: list[e.AnyElement] = []
    for first in range(0, len(here), across):
        line: list[e.AnyElement] = [
            _place(shown, place, choice, lit.get(place.space, [])) for place in here[first : first + across]
        ]
        line += [e.Space(grow=1)] * (across - len(line))
        rows.append(e.Row(children=tuple(line), gap=8, h=70))
    pager = parts.pager(shown, leaf, "spaces")
    return e.Column(children=(*rows, e.Space(grow=1), *pager), gap=6, pad=8, grow=1)


def _place(shown: Shown, place: Place, choice: Choice | None, numbers: list[int]) -> e.Panel:
    """One action space."""
    free = choice is not None and bool(numbers)
    tone: e.Tone = "text" if free else "text2"
    words = wording.capital(wording.word(shown, place.name))
    name = e.Text(
        text=f"{words}: {place.detail}" if place.detail else words,
        size="note",
        bold=free,
        tone=tone,
        lines=2,
        grow=1,
    )
    aside: list[e.AnyElement] = []
    if place.owner:
        aside.append(e.Badge(seat=place.owner, side=28))
    else:
        for gauge in place.cost:
            aside.append(
                e.Row(
                    children=(
                        e.Icon(name=gauge.what, side=20, tone="text2"),
                        e.Text(text=str(gauge.value), size="note"),
                    ),
                    gap=2,
                )
            )
    intent = parts.point(choice, parts.following(choice, numbers)) if choice is not None and numbers else None
    return e.Panel(
        child=e.Row(children=(name, *aside), gap=4),
        ground="sleeper" if free else "ballast",
        edge="rule" if free else None,
        chosen=choice is not None and choice.at in numbers,
        pad=8,
        id=f"place:{place.space}",
        intent=intent,
        grow=1,
    )
