"""Every point with its source: the table by source, then the lines of one seat, with their rules, on the map.

Both score pages use it. Kept in `nav.values`: "of" (the seat whose points are looked at), "source" (one of
its sources), "page".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.scores import Line, ScoreSheet
from ui.presenters import maps, parts, wording
from ui.presenters.chart import END, Series, by_round
from ui.presenters.elements import (
    AnyElement,
    Badge,
    Button,
    Chart,
    Column,
    Curve,
    Icon,
    Page,
    Panel,
    Prompt,
    Row,
    Rule,
    Space,
    Text,
)
from ui.presenters.intents import Go, Set
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import Shown, playing_of

ROWS = 8
"""Sources that stand on one page without turning it; with turning there is room for fewer."""
FEWER = 6
HEAD, LINE, TOTAL = 56.0, 30.0, 44.0
SEAT_WIDTH = 86.0
CHART_WIDTH = 352.0
LIST_WIDTH = 524.0
SOURCES, LINES = 4, 5
"""Sources of a seat, and lines of a source, on one page."""
_WORD = re.compile(r"[\w-]+")


def page(shown: Shown, nav: Nav) -> Page:
    """The score while the game goes on."""
    t, playing = shown.words.t, playing_of(shown)
    leave = Button(id="leave", text=t("Back"), icon="back", kind="paper", intent=Go(BACK))
    left = (parts.log_button(shown),)
    if playing.hidden_scores:
        prompt = Prompt(t("The score is hidden"), t("Scores are hidden until the game is over."), "none")
        return Page(
            id="score", top=parts.top(shown), prompt=prompt, body=Space(grow=1), left=left, right=(leave,)
        )
    if (seat := looked_at(shown, nav)) is not None:
        return lines_page(shown, nav, "score", seat)
    sheet = sheet_of(shown)
    prompt = Prompt(t("The score so far"), t("Touch a column to see where its points come from."), "none")
    order = sorted(playing.game.seats, key=sheet.total, reverse=True)
    return Page(
        id="score",
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=Row(children=(table(shown, nav, order), beside(shown)), gap=20, pad=12),
        left=left,
        right=(leave,),
    )


def sheet_of(shown: Shown) -> ScoreSheet:
    """The sheet of the game; an empty one while there is none."""
    playing = playing_of(shown)
    return playing.view.sheet or ScoreSheet(playing.game.seats, ())


def series_of(shown: Shown) -> Series:
    """The points by round of the game that is shown."""
    playing = playing_of(shown)
    return by_round(playing.view.history, playing.game.seats, playing.view.finished, playing.view.sheet)


def looked_at(shown: Shown, nav: Nav) -> str | None:
    """The seat whose points are looked at."""
    seat = nav.values.get("of")
    return seat if seat in playing_of(shown).game.seats else None


def source_words(shown: Shown, source: str) -> str:
    """What points came from."""
    return wording.capital(playing_of(shown).sentences.source(source))


# The table ----------------------------------------------------------------------------------------


def table(shown: Shown, nav: Nav, order: Sequence[str], ranks: dict[str, int] | None = None) -> AnyElement:
    """Points by source, a column for each seat in this order; the best of each source is bold."""
    t, sheet = shown.words.t, sheet_of(shown)
    sources = list(dict.fromkeys(line.source for line in sheet.lines))
    leaf = parts.leaf(len(sources), ROWS if len(sources) <= ROWS else FEWER, nav.values.get("page"))
    by_seat = {seat: sheet.by_source(seat) for seat in order}
    here = sources[leaf.first : leaf.end]
    labels: list[AnyElement] = [Text(text=t("Points from"), tone="text2", h=HEAD)]
    labels += [Text(text=source_words(shown, source), tone="text2", shrink=True, h=LINE) for source in here]
    labels += [Rule(), Text(text=t("Total"), size="prompt", bold=True, h=TOTAL)]
    columns: list[AnyElement] = [
        Panel(child=Column(children=tuple(labels), gap=2), ground="none", pad=4, grow=1)
    ]
    for seat in order:
        cells: list[AnyElement] = [_head(shown, seat, (ranks or {}).get(seat))]
        for source in here:
            points = by_seat[seat].get(source, 0)
            best = max(by_seat[other].get(source, 0) for other in order)
            cells.append(Text(text=str(points), bold=points == best != 0, align="right", h=LINE))
        total = Text(text=str(sheet.total(seat)), size="prompt", bold=True, align="right", h=TOTAL)
        cells += [Rule(), total]
        columns.append(
            Panel(
                child=Column(children=tuple(cells), gap=2),
                ground="none",
                pad=4,
                w=SEAT_WIDTH,
                id=f"seat:{seat}",
                intent=Set({"of": seat, "source": "", "page": 0}),
            )
        )
    rows: list[AnyElement] = [Row(children=tuple(columns), gap=4)]
    return Column(children=(*rows, Space(grow=1), *parts.pager(shown, leaf)), gap=4, grow=1)


def _head(shown: Shown, seat: str, rank: int | None) -> Column:
    number = (Text(text=f"{rank}.", size="note"),) if rank is not None else ()
    badge = Row(children=(Space(grow=1), *number, Badge(seat=seat, side=24)), gap=6, h=26)
    name = Text(text=wording.seat_name(shown, seat), size="note", align="right")
    return Column(children=(badge, name), gap=2, h=HEAD)


def has_chart(shown: Shown) -> bool:
    """Whether there are points and rounds to draw."""
    return bool(series_of(shown).labels) and any(line.amount for line in sheet_of(shown).lines)


def beside(shown: Shown, more: Sequence[str] = ()) -> AnyElement:
    """The chart by round, and sentences below it."""
    t, playing = shown.words.t, playing_of(shown)
    series = series_of(shown)
    under = [Text(text=words, size="note", tone="text2", lines=3) for words in more[:2]]
    if not has_chart(shown):
        words = Text(text=t("Nobody has points yet."), tone="text2")
        return Column(children=(words, *under), gap=8, w=CHART_WIDTH)
    labels = tuple(t("end") if label == END else label for label in series.labels)
    curves = tuple(
        Curve(seat, wording.seat_name(shown, seat), tuple(float(v) for v in series.behind(seat)))
        for seat in playing.game.seats
    )
    heading = Text(text=t("Points behind the leader, by round"), size="note", tone="text2", lines=2)
    chart = Chart(labels=labels, curves=curves, grow=1)
    return Column(children=(heading, chart, *under), gap=8, w=CHART_WIDTH)


# One seat -----------------------------------------------------------------------------------------


def lines_page(shown: Shown, nav: Nav, id: str, seat: str) -> Page:
    """A seat's points: its sources, or the lines of one of them, and the places they came from."""
    t, n, sheet = shown.words.t, shown.words.n, sheet_of(shown)
    source = str(nav.values.get("source") or "")
    own = [line for line in sheet.lines if line.seat == seat]
    if source not in sheet.by_source(seat):
        source = ""
    lines = [line for line in own if not source or line.source == source]
    name, sum_ = wording.seat_name(shown, seat), sum(line.amount for line in lines)
    count = n("{name}: one point", "{name}: {n} points", sum_, name=name)
    if source:
        prompt = Prompt(count, source_words(shown, source), "none", seat)
        leaf = parts.leaf(len(lines), LINES, nav.values.get("page"))
        made: list[AnyElement] = [_line(shown, line) for line in lines[leaf.first : leaf.end]]
        rules = list(dict.fromkeys(line.rule for line in lines[leaf.first : leaf.end] if line.rule))
        back = Set({"source": "", "page": 0})
    else:
        prompt = Prompt(count, t("Touch a source to see each of its points."), "none", seat)
        by_source = list(sheet.by_source(seat).items())
        leaf = parts.leaf(len(by_source), SOURCES, nav.values.get("page"))
        made = [_source(shown, *each) for each in by_source[leaf.first : leaf.end]]
        rules = list(dict.fromkeys(line.rule for line in lines if line.rule))
        back = Set({"of": "", "page": 0})
    if not made:
        made = [Text(text=t("No points yet."), tone="text2")]
    body: list[AnyElement] = [
        Column(children=(*made, Space(grow=1), *parts.pager(shown, leaf)), gap=8, w=LIST_WIDTH, pad=8)
    ]
    drawn = maps.hexes(shown, lit=places_of(shown, lines))
    if drawn:
        body.insert(0, maps.board(shown, drawn))
    else:
        body += [Space(grow=1)]
    left = (parts.rule_button(shown, rules, t("Rules")),) if rules else ()
    return Page(
        id=id,
        top=parts.top(shown),
        prompt=parts.explained(shown, nav, prompt),
        body=Row(children=tuple(body), gap=0),
        left=(*left, parts.log_button(shown)),
        right=(Button(id="up", text=t("Back"), icon="back", kind="paper", intent=back),),
    )


def places_of(shown: Shown, lines: Sequence[Line]) -> dict[str, str]:
    """Places that the lines name, with the points from each."""
    mat = maps.map_of(shown)
    known = {space.id for space in mat.spaces if space.hex is not None} if mat is not None else set()
    out: dict[str, int] = {}
    for line in lines:
        for word in _WORD.findall(line.detail):
            if word in known:
                out[word] = out.get(word, 0) + line.amount
    return {place: str(points) for place, points in out.items()}


def detail_words(shown: Shown, line: Line) -> str:
    """What exactly the points are from, with printed names for ids."""
    game = playing_of(shown).game
    return _WORD.sub(lambda match: game.name_of(match[0]), line.detail)


def _source(shown: Shown, source: str, points: int) -> Panel:
    return Panel(
        child=Row(
            children=(
                Text(text=source_words(shown, source), size="button", bold=True, grow=1, shrink=True),
                Text(text=str(points), size="prompt", bold=True, align="right"),
                Icon(name="arrow", side=24, tone="text2"),
            ),
            gap=10,
        ),
        ground="sleeper",
        edge="rule",
        pad=10,
        h=68,
        id=f"source:{source}",
        intent=Set({"source": source, "page": 0}),
    )


def _line(shown: Shown, line: Line) -> Panel:
    words = detail_words(shown, line) or source_words(shown, line.source)
    parts_: list[AnyElement] = [
        Text(text=f"{line.amount:+}", size="button", bold=True, align="right", w=56),
        Text(text=words, grow=1, shrink=True),
    ]
    if line.rule:
        parts_.append(Text(text=line.rule, size="note", tone="text2", bold=True))
    return Panel(child=Row(children=tuple(parts_), gap=12), pad=8, h=48)
