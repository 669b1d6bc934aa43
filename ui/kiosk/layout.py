"""Where every element of a page goes: pixels from the top left, y down. Needs the fonts, not the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ui.kiosk.draw import lettering
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics

EDGE, TOP, PROMPT, BOTTOM = 16, 48, 80, 80
SMALLER: dict[e.Size, e.Size] = {"title": "prompt", "prompt": "button", "button": "text", "text": "note"}


class Box(NamedTuple):
    """Left, top, width and height in pixels, y down."""

    x: float
    y: float
    w: float
    h: float

    def has(self, x: float, y: float) -> bool:
        """Whether a place lies in the box."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h


class Placed(NamedTuple):
    """An element at its place; `path` names the place on the page, parents before children."""

    path: str
    element: Any
    box: Box


def fitted(text: e.Text, m: Metrics, room: float) -> tuple[int, tuple[str, ...], bool]:
    """Type size, lines, and whether it was cut."""
    size: e.Size = text.size
    while True:
        rows, cut = lettering.wrap(text.text, m.type[size], text.bold, max(room, 1), text.lines)
        if not cut or not text.shrink or size not in SMALLER:
            return m.type[size], rows, cut
        size = SMALLER[size]


def need(el: Any, m: Metrics, room: float) -> tuple[float, float]:
    """Width and height that an element takes when it is offered `room` pixels of width."""
    w, h = _need(el, m, room if el.w is None else min(room, m.px(el.w)))
    if el.w is not None:
        # A button's words are never cut for its width's sake.
        w = max(w, m.px(el.w)) if isinstance(el, e.Button) else m.px(el.w)
    return (w, h if el.h is None else m.px(el.h))


def _need(el: Any, m: Metrics, room: float) -> tuple[float, float]:
    px = m.px
    match el:
        case e.Text():
            size, rows, _ = fitted(el, m, room)
            return max(lettering.width(r, size, el.bold) for r in rows) + 1, len(rows) * size * lettering.LINE
        case e.Icon() | e.Badge() | e.Arm():
            return px(el.side), px(el.side)
        case e.Space():
            return 0, 0
        case e.Rule():
            return px(el.thick), px(el.thick)
        case e.Row():
            inner = room - 2 * px(el.pad)
            wide = widths(el, m, inner)
            high = max((need(c, m, w)[1] for c, w in zip(el.children, wide, strict=True)), default=0)
            grows = any(c.grow for c in el.children)
            return (
                room if grows else sum(wide) + px(el.gap) * max(len(wide) - 1, 0) + 2 * px(el.pad)
            ), high + 2 * px(el.pad)
        case e.Column():
            sizes = [need(c, m, room - 2 * px(el.pad)) for c in el.children]
            high = sum(s[1] for s in sizes) + px(el.gap) * max(len(sizes) - 1, 0)
            return max((s[0] for s in sizes), default=0) + 2 * px(el.pad), high + 2 * px(el.pad)
        case e.Panel():
            w, h = need(el.child, m, room - 2 * px(el.pad))
            least = m.target if el.intent is not None else 0
            return max(w + 2 * px(el.pad), least), max(h + 2 * px(el.pad), least)
        case e.Button():
            size = m.type["button"]
            words = max(
                lettering.width(el.text, size, True), lettering.width(el.detail, m.type["note"], False)
            )
            sign = px(24) + (px(10) if el.text else 0) if el.icon else 0
            return max(m.target, words + sign + 2 * px(18) + 2), max(m.target, px(64))
        case e.Pips():
            return el.of * px(28) - px(6), px(16)
        case e.Meter():
            return min(room, px(120)), px(12)
        case e.StopLine():
            return sum(stop_widths(el, m)), px(40)
        case e.BidTrack():
            return room, px(120)
        case _:
            return min(room, px(240)), px(160)


def stop_widths(el: e.StopLine, m: Metrics) -> list[float]:
    """Pixels from the left of each stop to the left of the next."""
    note = m.type["note"]
    out: list[float] = []
    for i, stop in enumerate(el.stops):
        ring = max(m.px(32), lettering.width(stop.mark, note, True) + m.px(14))
        word = lettering.width(stop.word, note, True) + m.px(16) if stop.word else 0
        gap = max(m.px(12), lettering.width(stop.between, note, False) + m.px(16) if stop.between else 0)
        out.append(ring + word + (gap if i < len(el.stops) - 1 else 0))
    return out


def widths(row: e.Row, m: Metrics, room: float) -> list[float]:
    """Pixels of each child of a row."""
    left = room - m.px(row.gap) * max(len(row.children) - 1, 0)
    fixed = [need(c, m, left)[0] if not c.grow or c.w is not None else 0.0 for c in row.children]
    total, shares = sum(fixed), sum(c.grow for c in row.children if c.w is None)
    over = total - left
    texts = [
        i
        for i, c in enumerate(row.children)
        if isinstance(c, e.Text | e.Row | e.Column) and c.w is None and not c.grow
    ]
    if over > 0.5 and texts:
        soft = sum(fixed[i] for i in texts) or 1
        for i in texts:
            fixed[i] = max(0, fixed[i] - over * fixed[i] / soft)
    rest = max(0.0, left - sum(fixed))
    return [
        rest * c.grow / shares if c.grow and c.w is None else f
        for c, f in zip(row.children, fixed, strict=True)
    ]


def fills(el: Any) -> bool:
    """Whether an element takes the whole height of its row."""
    match el:
        case e.Board() | e.Chart() | e.Camera() | e.Panel() | e.Rule():
            return el.h is None
        case e.Column() | e.Row():
            return el.h is None and any(
                (c.grow and isinstance(el, e.Column)) or (fills(c) and not isinstance(c, e.Rule))
                for c in el.children
            )
        case _:
            return False


def lay(el: Any, box: Box, m: Metrics, path: str) -> Iterator[Placed]:
    """An element in a box, then what is in it."""
    yield Placed(path, el, box)
    px = m.px
    if isinstance(el, e.Panel):
        pad = px(el.pad)
        inner = Box(box.x + pad, box.y + pad, box.w - 2 * pad, box.h - 2 * pad)
        high = need(el.child, m, inner.w)[1]
        if high > inner.h:
            tall = min(box.h - 4, high)
            inner = Box(inner.x, box.y + (box.h - tall) / 2, inner.w, tall)
        if not fills(el.child) and high < inner.h:
            inner = Box(inner.x, inner.y + (inner.h - high) / 2, inner.w, high)
        yield from lay(el.child, inner, m, f"{path}/0")
    elif isinstance(el, e.Row):
        x, pad = box.x + px(el.pad), px(el.pad)
        for i, (child, w) in enumerate(zip(el.children, widths(el, m, box.w - 2 * pad), strict=True)):
            natural = need(child, m, w)[1]
            # A pad is for the ends first: it gives way above and below when the content needs the height.
            room = max(box.h - 2 * pad, min(box.h, natural))
            high = room if fills(child) else min(room, natural)
            yield from lay(child, Box(x, box.y + (box.h - high) / 2, w, high), m, f"{path}/{i}")
            x += w + px(el.gap)
    elif isinstance(el, e.Column):
        pad = px(el.pad)
        room = box.w - 2 * pad
        highs = [need(c, m, room)[1] for c in el.children]
        shares = sum(c.grow for c in el.children if c.h is None)
        left = box.h - 2 * pad - px(el.gap) * max(len(highs) - 1, 0)
        rest = left - sum(h for c, h in zip(el.children, highs, strict=True) if not c.grow or c.h is not None)
        y = box.y + pad
        for i, (child, h) in enumerate(zip(el.children, highs, strict=True)):
            if child.grow and child.h is None:
                h = max(0.0, rest * child.grow / shares)
            natural = isinstance(child, e.Icon | e.Badge | e.Arm | e.Pips | e.StopLine) or child.w is not None
            w = min(room, need(child, m, room)[0]) if natural else room
            yield from lay(child, Box(box.x + pad, y, w, h), m, f"{path}/{i}")
            y += h + px(el.gap)


def lay_page(page: e.Page, m: Metrics) -> list[Placed]:
    """A whole page."""
    px, wide, high = m.px, float(m.width), float(m.height)
    edge, y = px(EDGE), 0.0
    out: list[Placed] = []
    if page.top is not None:
        out += lay(page.top, Box(0, 0, wide, px(TOP)), m, "top")
        y = px(TOP)
    if page.prompt is not None:
        bar = Box(0, y, wide, px(PROMPT))
        out.append(Placed("prompt", page.prompt, bar))
        if page.prompt.right is not None:
            w, h = need(page.prompt.right, m, wide / 3)
            out += lay(page.prompt.right, Box(wide - edge - w, y + (bar.h - h) / 2, w, h), m, "prompt/right")
        y += px(PROMPT)
    bars = bool(page.left or page.right)
    end = high - px(BOTTOM) if bars else high
    out += lay(page.body, Box(0, y, wide, end - y), m, "body")
    if bars:
        row, gap = end + px(8), px(12)
        widths = bar_widths(page, m, wide - 2 * edge - gap * (len(page.left) + len(page.right) - 1))
        x = edge
        for button in page.left:
            w, h = widths[button.id], need(button, m, wide)[1]
            out.append(Placed(f"left/{button.id}", button, Box(x, row, w, h)))
            x += w + gap
        x = wide - edge
        for button in reversed(page.right):
            w, h = widths[button.id], need(button, m, wide)[1]
            x -= w
            out.append(Placed(f"right/{button.id}", button, Box(x, row, w, h)))
            x -= gap
    return out


def bar_widths(page: e.Page, m: Metrics, room: float) -> dict[str, float]:
    """Widths of the buttons of the bottom bar by id: what they need, or, where that is more than the room,
    first the quiet ones and then the answers with less space beside smaller words."""
    widths = {button.id: need(button, m, room)[0] for button in (*page.left, *page.right)}
    for group in (page.left, page.right):
        over = sum(widths.values(), 0.0) - room
        gives = {b.id: max(0.0, widths[b.id] - least_width(b, m)) for b in group}
        most = sum(gives.values(), 0.0)
        share = min(1.0, over / most) if over > 0 and most > 0 else 0.0
        for name, give in gives.items():
            widths[name] -= give * share
    return widths


def least_width(button: e.Button, m: Metrics) -> float:
    """The width below which a button's words would be cut at the smallest size."""
    sign = m.px(24) + (m.px(10) if button.text else 0) if button.icon else 0
    words = max(lettering.width(text, m.type["note"], True) for text in (button.text, button.detail))
    return max(m.target, words + sign + m.px(12) + 2)
