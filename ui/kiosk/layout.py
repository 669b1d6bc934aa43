"""Where every element of a page goes: pixels from the top left, y down. Needs the fonts, not the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ui.kiosk.draw import lettering
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics

EDGE, TOP, PROMPT, BOTTOM = 16, 48, 80, 80
PROMPT_SMALL = 92
"""Height of the prompt on a small panel, where its letters are larger beside the lengths."""
ACTING = 6
"""Width of the bar at the left of the panel of who acts."""
STOP = 20
"""Height of a ring on a line with stops."""
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


def touched(one: Placed, m: Metrics) -> Box:
    """Where a thing answers a touch: in its box. The top bar is lower than a finger is wide, so that what can
    be touched there answers a little below it as well, where nothing else does."""
    box = one.box
    if one.path.startswith("top/") and box.h < m.target:
        return Box(box.x, 0.0, box.w, float(m.target))
    return box


def fitted(text: e.Text, m: Metrics, room: float) -> tuple[int, tuple[str, ...], bool]:
    """Type size, lines, and whether it was cut."""
    size: e.Size = text.size
    while True:
        rows, cut = lettering.wrap(text.text, m.type[size], text.bold, max(room, 1), text.lines)
        if not cut:
            return m.type[size], rows, cut
        if not text.shrink or size not in SMALLER:
            return (
                m.type[size],
                *lettering.wrap(text.text, m.type[size], text.bold, max(room, 1), text.lines, True),
            )
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
            return px(el.thick), px(STOP if el.stops else el.thick)
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
            bar = px(ACTING) if el.acting else 0
            w, h = need(el.child, m, room - bar - 2 * px(el.pad))
            least = m.target if el.intent is not None else 0
            return max(w + bar + 2 * px(el.pad), least), max(h + 2 * px(el.pad), least)
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
        case e.SpotRow():
            return room, px(72)
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
    """Pixels of each child of a row. What grows takes what the others leave, though never less than its words
    need; where there is too little, all give way down to that, so that no number and no name is cut while a
    neighbour has room to spare."""
    left = room - m.px(row.gap) * max(len(row.children) - 1, 0)
    low = [least(c, m) for c in row.children]
    grows = [bool(c.grow) and c.w is None for c in row.children]
    wide = [
        small if grown else max(small, need(c, m, left)[0])
        for c, small, grown in zip(row.children, low, grows, strict=True)
    ]
    over = sum(wide) - left
    if over > 0:
        gives = [have - small for have, small in zip(wide, low, strict=True)]
        share = min(1.0, over / sum(gives)) if sum(gives) > 0 else 0.0
        wide = [have - give * share for have, give in zip(wide, gives, strict=True)]
        over = sum(wide) - left
        soft = [(isinstance(c, e.Text | e.Row | e.Column) and c.w is None) or c.grow for c in row.children]
        total = sum(have for have, gives_way in zip(wide, soft, strict=True) if gives_way)
        if over > 0.5 and total:
            # Still too little: words are cut, which the tests tell.
            wide = [
                max(0.0, have - over * have / total) if gives_way else have
                for have, gives_way in zip(wide, soft, strict=True)
            ]
        return wide
    rest = left - sum(have for have, grown in zip(wide, grows, strict=True) if not grown)
    growing = {i for i, grown in enumerate(grows) if grown}
    while growing:
        part = rest / sum(row.children[i].grow for i in growing)
        short = {i for i in growing if row.children[i].grow * part < low[i]}
        if not short:
            for i in growing:
                wide[i] = row.children[i].grow * part
            break
        growing -= short
        rest -= sum(low[i] for i in short)
    return wide


def least(el: Any, m: Metrics) -> float:
    """The width below which words of an element would be cut, in pixels."""
    px = m.px
    if el.w is not None and not isinstance(el, e.Button):
        return px(el.w)
    match el:
        case e.Text():
            size: e.Size = el.size
            while el.shrink and size in SMALLER:
                size = SMALLER[size]
            if el.lines == 1:
                return lettering.width(el.text, m.type[size], el.bold) + 1
            words = max(
                (lettering.width(word, m.type[size], el.bold) for word in lettering.words(el.text)),
                default=0.0,
            )
            return max(words, lettering.width(el.text, m.type[size], el.bold) / el.lines) + 1
        case e.Row():
            return (
                sum(least(c, m) for c in el.children)
                + px(el.gap) * max(len(el.children) - 1, 0)
                + 2 * px(el.pad)
            )
        case e.Column():
            return max((least(c, m) for c in el.children), default=0.0) + 2 * px(el.pad)
        case e.Panel():
            inner = least(el.child, m) + (px(ACTING) if el.acting else 0) + 2 * px(el.pad)
            return max(inner, m.target if el.intent is not None else 0)
        case e.Button():
            return least_width(el, m) if el.grow else need(el, m, 0)[0]
        case e.Icon() | e.Badge() | e.Arm() | e.Pips() | e.StopLine() | e.Rule():
            return need(el, m, 0)[0]
        case _:
            return 0.0


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
        pad, bar = px(el.pad), px(ACTING) if el.acting else 0
        inner = Box(box.x + bar + pad, box.y + pad, box.w - bar - 2 * pad, box.h - 2 * pad)
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


def prompt_height(m: Metrics) -> float:
    """Pixels of the prompt bar."""
    return m.px(PROMPT_SMALL if m.small else PROMPT)


def beside_prompt(prompt: e.Prompt, m: Metrics) -> tuple[float, float]:
    """Width and height of what stands at the right of the prompt: a third of the bar, or what it cannot do
    without; nothing without it."""
    if prompt.right is None:
        return 0.0, 0.0
    return need(prompt.right, m, max(m.width / 3, least(prompt.right, m)))


def lay_page(page: e.Page, m: Metrics) -> list[Placed]:
    """A whole page."""
    px, wide, high = m.px, float(m.width), float(m.height)
    edge, y = px(EDGE), 0.0
    out: list[Placed] = []
    if page.top is not None:
        out += lay(page.top, Box(0, 0, wide, px(TOP)), m, "top")
        y = px(TOP)
    if page.prompt is not None:
        bar = Box(0, y, wide, prompt_height(m))
        out.append(Placed("prompt", page.prompt, bar))
        if page.prompt.right is not None:
            w, h = beside_prompt(page.prompt, m)
            out += lay(page.prompt.right, Box(wide - edge - w, y + (bar.h - h) / 2, w, h), m, "prompt/right")
        y += bar.h
    bars = bool(page.left or page.right)
    end = high - px(BOTTOM) if bars else high
    out += lay(page.body, Box(0, y, wide, end - y), m, "body")
    if bars:
        # Quiet buttons have no edges that must be held apart.
        row, gap, close = end + px(8), px(12), px(4 if m.small else 12)
        apart = close * len(page.left) + gap * max(len(page.right) - 1, 0)
        widths = bar_widths(page, m, wide - 2 * edge - apart)
        x = edge
        for button in page.left:
            w, h = widths[button.id], need(button, m, wide)[1]
            out.append(Placed(f"left/{button.id}", button, Box(x, row, w, h)))
            x += w + close
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
