"""What the signs on the map and beside the names mean: a page of it, and the few lines that stand on the map.

Kept in `nav.values`: "page".
"""

from __future__ import annotations

from ui.presenters import parts, wording
from ui.presenters.elements import (
    AnyElement,
    Board,
    Hex,
    Icon,
    Page,
    Panel,
    Row,
    Space,
    Text,
    Token,
)
from ui.presenters.maps import STATION, map_of
from ui.presenters.nav import Nav
from ui.presenters.shown import Shown, display_of

COLUMNS, ROWS = 3, 4
"""Signs beside and below one another on one page."""
GROUND = "city"
"""The terrain that signs are explained on."""
Sample = tuple[Hex, str]


def page(shown: Shown, nav: Nav) -> Page:
    """All signs with what they mean: those of the map, its terrains, then those beside the names."""
    t = shown.words.t
    cells = [
        _cell(Board(hexes=(one,), w=92, h=60, id=f"sign:{n}"), words)
        for n, (one, words) in enumerate([*_marks(shown), *_terrains(shown)])
    ]
    cells += [_cell(Icon(name=icon, side=32, tone="text2"), words) for icon, words in _numbers(shown)]
    leaf = parts.leaf(len(cells), COLUMNS * ROWS, nav.values.get("page"))
    rows: list[AnyElement] = []
    for first in range(leaf.first, leaf.end, COLUMNS):
        line: list[AnyElement] = [*cells[first : min(first + COLUMNS, leaf.end)]]
        rows.append(Row(children=(*line, *[Space(grow=1)] * (COLUMNS - len(line))), gap=8, h=68))
    return parts.reading(shown, nav, "legend", t("What the signs mean"), rows, leaf)


def _cell(sign: Board | Icon, words: str) -> Panel:
    mark = sign if isinstance(sign, Board) else Row(children=(Space(w=30), sign), gap=0, w=92)
    return Panel(
        child=Row(children=(mark, Text(text=words, lines=2, shrink=True, grow=1)), gap=10), pad=4, grow=1
    )


def corner(shown: Shown, costs: bool, second: bool) -> tuple[Sample, ...]:
    """What is explained on the map itself: `costs` and `second` tell whether any stand there."""
    display = display_of(shown)
    wanted = {
        "cost": costs,
        "second": second,
        "open": bool(display.open_spaces),
        "station": any(spot.what == STATION and spot.seat is not None for spot in display.tokens),
    }
    return tuple((one, words) for name, one, words in _signs(shown) if wanted.get(name))


def _signs(shown: Shown) -> list[tuple[str, Hex, str]]:
    """Every sign of the map with its name and what it means."""
    t, counter = shown.words.t, display_of(shown).counter
    what = wording.word(shown, counter.what) if counter is not None else ""
    cost = t("{what} to build here", what=what) if what else t("cost of this place")

    def sample(**more: object) -> Hex:
        return Hex(GROUND, 0, 0, GROUND, **more)  # type: ignore[arg-type]

    # Stations that are nobody's fill boxes of their city; others are tokens of a seat.
    filled = any("room" in notes for notes in display_of(shown).notes.values())
    station = sample(room=2, built=1) if filled else sample(tokens=(Token("", True),))
    return [
        ("lit", sample(lit=True), t("can be chosen")),
        ("cost", sample(lit=True, cost="2"), cost),
        ("second", sample(lit=True, cost="2", second=True), t("costs something else too")),
        ("chosen", sample(lit=True, cost="2", chosen=True), t("is chosen")),
        ("open", sample(open=True), t("still open")),
        ("station", station, wording.word(shown, STATION)),
        ("seen", sample(tokens=(Token("", seen=True),)), t("seen, not recorded")),
        ("wrong", sample(wrong=True), t("breaks a rule")),
    ]


def _marks(shown: Shown) -> list[Sample]:
    return [(one, words) for _, one, words in _signs(shown)]


def _terrains(shown: Shown) -> list[Sample]:
    """The terrains of the map in the order in which they come there."""
    mat = map_of(shown)
    tints = dict.fromkeys(space.tint for space in mat.spaces if space.hex is not None) if mat else {}
    return [(Hex(tint, 0, 0, tint), wording.capital(wording.word(shown, tint))) for tint in tints]


def _numbers(shown: Shown) -> list[tuple[str, str]]:
    """Icons that stand beside the names, and what they count."""
    display = display_of(shown)
    found = dict.fromkeys(gauge.what for strip in display.strips for gauge in strip.gauges)
    if display.turn is not None:
        found.update(dict.fromkeys(gauge.what for gauge in display.turn.gauges))
    if display.counter is not None:
        found[display.counter.what] = None
    said = [(parts.ICONS.get(what, what), wording.capital(wording.word(shown, what))) for what in found]
    if any(strip.points is not None for strip in display.strips):
        said.insert(0, ("star", shown.words.t("Points")))
    return said
