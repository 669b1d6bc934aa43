"""All cards that lie open, group by group: what the table offers, what is still to come, what seats own.

Kept in `nav.values`: "page".
"""

from __future__ import annotations

from assistant.display import Cards
from ui.presenters import parts, wording
from ui.presenters.elements import AnyElement, Page, Row, Space
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, display_of

ROWS = 2


def page(shown: Shown, nav: Nav) -> Page:
    """One page of one group; groups follow one another."""
    columns = 3 if shown.metrics.small else 4
    leaves = _leaves(display_of(shown).cards, columns * ROWS)
    at = parts.leaf(len(leaves), 1, nav.values.get("page"))
    group, first, end = leaves[at.number]
    faces = parts.faces_of(shown)
    cells: list[AnyElement] = [
        parts.face(shown, faces[name], id=f"card:{first + n}", lines=3, grow=1)
        for n, name in enumerate(group.names[first:end])
    ]
    rows: list[AnyElement] = []
    for start in range(0, columns * ROWS, columns):
        line = cells[start : start + columns]
        rows.append(Row(children=(*line, *[Space(grow=1)] * (columns - len(line))), gap=8, grow=1))
    return parts.reading(shown, nav, "cards", _title(shown, group), rows, at)


def _leaves(groups: tuple[Cards, ...], a_page: int) -> list[tuple[Cards, int, int]]:
    """Pages: a group, and from where to where of its cards."""
    return [
        (group, first, min(first + a_page, len(group.faces)))
        for group in groups
        for first in range(0, len(group.faces), a_page)
    ]


def _title(shown: Shown, group: Cards) -> str:
    """What a group is, and whose."""
    words = wording.capital(wording.word(shown, group.words))
    return words if group.seat is None else f"{wording.seat_name(shown, group.seat)}: {words}"
