"""What a page is made of: plain records, no window.

A presenter makes a `Page` of these; the Kivy layer has one widget for each and draws them. Lengths are in
units of the 1024x600 panel (a unit is a pixel there); the Kivy layer scales them with `Metrics.scale`, and
takes type sizes and the smallest target from the metrics. Colours, seats, signals and icons are named, never
given as values: `theme.py` owns them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from ui.presenters.intents import Intent

Tone = Literal["text", "text2", "ink", "paper", "rule", "clear", "caution", "stop", "seen"]
Size = Literal["note", "text", "button", "prompt", "title"]
Align = Literal["left", "centre", "right"]
Signal = Literal["clear", "caution", "stop", "none"]
Ground = Literal["none", "night", "ballast", "sleeper"]


class Element(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Base of all. `w` and `h` are fixed lengths, None takes what the content needs (or, with `grow`, a share
    of what is left in its row or column)."""

    w: float | None = None
    h: float | None = None
    grow: float = 0


class Text(Element, frozen=True, kw_only=True, tag=True):
    """Words. Wraps to at most `lines` lines, then ends with "…"; `shrink` lets it take the next smaller
    size before it is cut. Never holds markup: names such as "[b]" stand as they are."""

    text: str
    size: Size = "text"
    bold: bool = False
    tone: Tone = "text"
    align: Align = "left"
    lines: int = 1
    shrink: bool = False


class Icon(Element, frozen=True, kw_only=True, tag=True):
    """A drawn sign by name: a resource of a game or one of `theme.ICONS`; `side` is its edge length."""

    name: str
    side: float = 24
    tone: Tone = "text"


class Badge(Element, frozen=True, kw_only=True, tag=True):
    """A seat: its shape in its colour, with the letter from 48 units on. `hollow` draws the edge only (a
    disc that is locked in), `faint` a place where it would go, `ringed` a station."""

    seat: str
    side: float = 48
    hollow: bool = False
    faint: bool = False
    ringed: bool = False


class Arm(Element, frozen=True, kw_only=True, tag=True):
    """The signal disc: arm upright (clear), at 45 degrees (caution), level (stop)."""

    signal: Signal
    side: float = 56


class Space(Element, frozen=True, kw_only=True, tag=True):
    """Nothing, of a length or growing."""


class Rule(Element, frozen=True, kw_only=True, tag=True):
    """A thin line across its row or column. With `stops` it runs across the whole screen, with a ring over
    the middle of each of so many columns that are `gap` apart."""

    tone: Tone = "rule"
    thick: float = 2
    stops: int = 0
    gap: float = 0


class Row(Element, frozen=True, kw_only=True, tag=True):
    """Children side by side, centred in height."""

    children: tuple[AnyElement, ...]
    gap: float = 12
    pad: float = 0


class Column(Element, frozen=True, kw_only=True, tag=True):
    """Children one below the other, from the top."""

    children: tuple[AnyElement, ...]
    gap: float = 8
    pad: float = 0


class Panel(Element, frozen=True, kw_only=True, tag=True):
    """A ground with a child. `edge` draws a frame; `acting` the paper edge at the left. With an `intent` the
    whole panel can be touched (`id` names it in tests and must be unique on the page); `chosen` marks the
    one that the cursor stands on."""

    child: AnyElement
    ground: Ground = "ballast"
    edge: Tone | None = None
    acting: bool = False
    chosen: bool = False
    pad: float = 16
    id: str = ""
    intent: Intent | None = None


class Button(Element, frozen=True, kw_only=True, tag=True):
    """A button, at least one target high and wide.

    "quiet" has no edge, "plain" an edge, "paper" is the usual answer. Without an intent it is grey and says
    its `reason`, which is shown in the prompt's place when it is touched. `detail` is a second line.
    """

    id: str
    text: str = ""
    icon: str = ""
    kind: Literal["quiet", "plain", "paper"] = "plain"
    intent: Intent | None = None
    reason: str = ""
    detail: str = ""
    chosen: bool = False
    progress: float = 0
    """Share of a long press that is over, drawn along the lower edge."""


class Pips(Element, frozen=True, kw_only=True, tag=True):
    """`of` small boxes, the last `left` filled; the outermost of these in paper."""

    left: int
    of: int


class Meter(Element, frozen=True, kw_only=True, tag=True):
    """A bar filled to `share` (0 to 1)."""

    share: float
    tone: Tone = "paper"


class Stop(msgspec.Struct, frozen=True):
    """One stop of a line: `mark` in the ring, `word` beside it, `done`, `now` or still to come; `between`
    stands over the line towards the next stop."""

    mark: str
    word: str = ""
    state: Literal["done", "now", "ahead"] = "done"
    between: str = ""


class StopLine(Element, frozen=True, kw_only=True, tag=True):
    """A line with stops: phases of a round, coal before and after each card of a train."""

    stops: tuple[Stop, ...]


class Token(msgspec.Struct, frozen=True):
    """A seat's token on a space, in a legend that of any seat (""); `seen` when only the camera knows it
    (dashed edge and camera sign)."""

    seat: str
    station: bool = False
    seen: bool = False


class Hex(msgspec.Struct, frozen=True):
    """One space of a hex map: axial place, terrain by name, what lies there.

    `lit` means it is legal now, `cost` is then shown on it (`second` marks a cost in a second resource: an
    ink ring on paper instead of paper); `chosen` it is what the cursor stands on, `open` has a dashed
    edge, `wrong` is where a rule is broken. `dim` is not in question while a choice is open. A city with
    `room` is drawn as so many boxes, of which those that are `built` are full.
    """

    space: str
    q: int
    r: int
    terrain: str
    tokens: tuple[Token, ...] = ()
    lit: bool = False
    cost: str = ""
    second: bool = False
    chosen: bool = False
    open: bool = False
    wrong: bool = False
    dim: bool = False
    number: str = ""
    room: int = 0
    built: int = 0


class Board(Element, frozen=True, kw_only=True, tag=True):
    """A hex map, pointy top. A touch within 9 mm of a lit hex takes the nearest one: `intents` by space.

    `rows` and `columns` label the edge (row letters left, column numbers above). `closer` lists spaces to
    enlarge to; empty for the whole. `legend` explains signs, each a space that has it and words; where it
    finds no room on the map it is folded into "?", and a touch on that means `help`. `barriers` are pairs of
    touching spaces whose common edge is closed.
    """

    hexes: tuple[Hex, ...]
    intents: dict[str, Intent] = {}
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    closer: tuple[str, ...] = ()
    legend: tuple[tuple[Hex, str], ...] = ()
    help: Intent | None = None
    barriers: tuple[tuple[str, str], ...] = ()
    id: str = "board"


class Disc(msgspec.Struct, frozen=True):
    """A disc on the track: `locked` face down (edge only, with a lock below), `faint` where it would go."""

    seat: str
    locked: bool = False
    faint: bool = False


class Cell(msgspec.Struct, frozen=True):
    """One space of an auction track: its number, the disc there, whether the acting seat may bid it."""

    number: int
    disc: Disc | None = None
    legal: bool = False
    chosen: bool = False
    white: bool = False


class BidTrack(Element, frozen=True, kw_only=True, tag=True):
    """An auction track, white spaces first. A touch takes the nearest legal cell within 9 mm: `intents` by
    index of the cell."""

    cells: tuple[Cell, ...]
    intents: dict[int, Intent] = {}
    id: str = "track"


class Spot(msgspec.Struct, frozen=True):
    """One space of a row: `text` is what stands on it, `number` what it counts, `tint` its fill by name.

    `here` has an edge (a piece stands there), `seats` are markers, `above` and the icon `sign` are drawn over
    it, strong once they are `due`. `lit` can be touched, `chosen` is what the cursor stands on; a `gap` has a
    dashed edge.
    """

    text: str
    number: str = ""
    tint: str = ""
    here: bool = False
    seats: tuple[str, ...] = ()
    above: str = ""
    sign: str = ""
    due: bool = False
    lit: bool = False
    chosen: bool = False
    gap: bool = False


class SpotRow(Element, frozen=True, kw_only=True, tag=True):
    """A track: spaces side by side, of which `of` have room; a bar under those that are in `reach` (None: no
    bar). A touch takes the nearest lit space within 9 mm: `intents` by index."""

    spots: tuple[Spot, ...]
    of: int
    reach: int | None = None
    intents: dict[int, Intent] = {}
    id: str = "row"


class Curve(msgspec.Struct, frozen=True):
    """One line of a chart: a seat's values, one for each label of the x axis."""

    seat: str
    name: str
    values: tuple[float, ...]


class Chart(Element, frozen=True, kw_only=True, tag=True):
    """Lines over labels; drawn in the seat's colour, dash and shape. `down` has 0 at the top."""

    labels: tuple[str, ...]
    curves: tuple[Curve, ...]
    down: bool = True


class Camera(Element, frozen=True, kw_only=True, tag=True):
    """The newest camera picture, or the words instead of it; `marks` are boxes over it in shares of its
    width and height: x, y, w, h, signal, words."""

    words: str
    marks: tuple[tuple[float, float, float, float, Signal, str], ...] = ()


AnyElement = (
    Text
    | Icon
    | Badge
    | Arm
    | Space
    | Rule
    | Row
    | Column
    | Panel
    | Button
    | Pips
    | Meter
    | StopLine
    | Board
    | BidTrack
    | SpotRow
    | Chart
    | Camera
)


class Prompt(msgspec.Struct, frozen=True):
    """The prompt bar: whose turn and what is asked in 28 px bold, one line of detail, something at the
    right (a counter)."""

    text: str
    detail: str = ""
    signal: Signal = "none"
    seat: str = ""
    right: AnyElement | None = None


class Page(msgspec.Struct, frozen=True):
    """One screen. `id` names it; a touch that began on another page is cancelled.

    `top` is the bar of 48, None for pages without bars (attract, safe: then `body` has the whole height).
    `left` are the quiet buttons (undo, rule, log), `right` the answers, the usual one last. `alarm` draws the
    stop line under the prompt.
    """

    id: str
    body: AnyElement
    top: AnyElement | None = None
    prompt: Prompt | None = None
    left: tuple[Button, ...] = ()
    right: tuple[Button, ...] = ()
    alarm: bool = False
    sound: Literal["", "recorded", "your_turn", "refused", "out_of_step"] = ""


def walk(page: Page) -> Iterator[AnyElement]:
    """Every element of a page, parents first."""
    roots = [page.top, page.prompt.right if page.prompt else None, page.body, *page.left, *page.right]
    stack = [element for element in reversed(roots) if element is not None]
    while stack:
        element = stack.pop()
        yield element
        if isinstance(element, Row | Column):
            stack.extend(reversed(element.children))
        elif isinstance(element, Panel):
            stack.append(element.child)


def intents(page: Page) -> dict[str, Intent]:
    """What can be touched on a page, by id; spaces of a board and cells of a track as "board:g9"."""
    out: dict[str, Intent] = {}
    for element in walk(page):
        if isinstance(element, Button | Panel):
            if element.intent is not None:
                out[element.id] = element.intent
        elif isinstance(element, Board | BidTrack | SpotRow):
            out |= {f"{element.id}:{key}": intent for key, intent in element.intents.items()}
            if isinstance(element, Board) and element.help is not None:
                out[f"{element.id}:?"] = element.help
    return out
