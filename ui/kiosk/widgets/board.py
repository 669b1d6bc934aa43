"""The hex map."""

from __future__ import annotations

import math

from ui.kiosk.draw import lettering, paths
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics
from ui.presenters.theme import TERRAINS

OCEAN = "#07131F"
CLOSE = 76.0
"""Units that an enlarged hex is wide."""
SAMPLE = 26.0
"""Units that a hex of the legend is wide."""


def grid(el: e.Board, box: Box, m: Metrics) -> tuple[float, dict[str, tuple[float, float]]]:
    """Width of a hex and the middle of each, in pixels; enlarged ones may lie outside of the box."""
    flat = {h.space: (h.q + h.r / 2, h.r * math.sqrt(3) / 2) for h in el.hexes}
    near = [flat[s] for s in el.closer if s in flat] or list(flat.values())
    if not near:
        return m.px(45), {}
    x0, x1 = min(p[0] for p in near), max(p[0] for p in near)
    y0, y1 = min(p[1] for p in near), max(p[1] for p in near)
    left = m.px(24) if el.rows else 0.0
    over = m.px(22) if el.columns else 0.0
    room_w, room_h = box.w - left - 4, box.h - over - 4
    wide = min(room_w / (x1 - x0 + 1), room_h / (y1 - y0 + 2 / math.sqrt(3)))
    if el.closer:
        wide = min(max(wide, 0), m.px(CLOSE))
    mx, my = box.x + left + room_w / 2, box.y + over + room_h / 2
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    return wide, {s: (mx + (x - cx) * wide, my + (y - cy) * wide) for s, (x, y) in flat.items()}


def shown(el: e.Board, box: Box, m: Metrics) -> tuple[float, dict[str, tuple[float, float]]]:
    """The hexes that lie within the box."""
    wide, at = grid(el, box, m)
    r = wide / math.sqrt(3) - 1
    inside = {
        s: (x, y)
        for s, (x, y) in at.items()
        if box.x - 1 <= x - wide / 2 + 1 and x + wide / 2 - 1 <= box.x + box.w + 1
        and box.y - 1 <= y - r and y + r <= box.y + box.h + 1
    }  # fmt: skip
    return wide, inside


def draw(pen: Pen, el: e.Board, box: Box, m: Metrics, down: bool) -> None:
    """The map in its box."""
    pen.box(*box, OCEAN)
    wide, at = shown(el, box, m)
    later = []
    for one in el.hexes:
        if one.space not in at:
            continue
        _ground(pen, one, *at[one.space], wide)
        later.append(one)
    for pair in el.barriers:
        if pair[0] in at and pair[1] in at:
            _barrier(pen, at[pair[0]], at[pair[1]], wide)
    # Marks reach over a hex's edge, so they come when all grounds are there; the chosen one last.
    for one in sorted(later, key=lambda h: (h.chosen, h.wrong, h.lit)):
        _marks(pen, one, *at[one.space], wide, m)
    for one in later:
        # A sign in a legend is a map of one space, which has no name.
        if one.chosen and len(el.hexes) > 1:
            _name(pen, one, *at[one.space], wide, m)
    _edge(pen, el, box, m, at, wide)
    _legend(pen, el, box, m)


def _marked(one: e.Hex) -> bool:
    return bool(one.lit and (one.cost or one.second)) or one.wrong


def _ground(pen: Pen, one: e.Hex, x: float, y: float, wide: float) -> None:
    terrain = TERRAINS.get(one.terrain, TERRAINS["plains"])
    k, n = wide / 46, len(one.tokens)
    quiet = one.dim and not one.lit and not n and not one.wrong
    pen.area(
        ((x, y), *paths.hexagon(x, y, wide / math.sqrt(3) - 1.2 * k)), terrain.fill, 0.7 if quiet else 1.0
    )
    tone = "ink" if terrain.dark else "text"
    size, dy = (
        (0.95, 0.0) if not n and not _marked(one) else (0.62, -14.0) if not _marked(one) else (0.68, -10.0)
    )
    if one.room and not (n and _marked(one)):
        _boxes(pen, one, x, y + dy * k, size * k)
    elif terrain.sign and not (n and _marked(one)):
        pen.sign(x, y + dy * k, size * k, terrain.sign, tone)


def _boxes(pen: Pen, one: e.Hex, x: float, y: float, k: float) -> None:
    """A city as one box a building, full once a station is built."""
    w, h, gap = 9 * k, 18 * k, 3 * k
    left = x - (one.room * w + (one.room - 1) * gap) / 2
    for number in range(one.room):
        at = left + number * (w + gap)
        pen.box(at, y - h / 2, w, h, "ink")
        if number >= one.built:
            pen.box(at + 2 * k, y - h / 2 + 2 * k, w - 4 * k, h - 4 * k, TERRAINS["city"].fill)


def _barrier(pen: Pen, one: tuple[float, float], other: tuple[float, float], wide: float) -> None:
    """The closed edge between two hexes: light beads on a broad line, seen without its colour too."""
    mx, my = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    dx, dy = (other[0] - one[0]) / wide, (other[1] - one[1]) / wide
    half, k = wide / math.sqrt(3) / 2, wide / 46
    line = ((mx + dy * half, my - dx * half), (mx - dy * half, my + dx * half))
    pen.stroke(line, "ink", 8 * k)
    pen.stroke(line, "stop", 5 * k)
    pen.stroke(line, "paper", 2.5 * k, (1 * k, 5 * k))


def _marks(pen: Pen, one: e.Hex, x: float, y: float, wide: float, m: Metrics) -> None:
    k, n, radius = wide / 46, len(one.tokens), wide / math.sqrt(3)
    mark = _marked(one)
    edge = paths.hexagon(x, y, radius - 2.5 * k)
    if one.lit or one.wrong:
        tone = "stop" if one.wrong else "lit"
        pen.stroke(edge, "ink", 6 * k)
        pen.stroke(edge, tone, 3.5 * k, (5 * k, 5 * k) if one.second else ())
    elif one.open:
        pen.stroke(edge, "ink", 3.5 * k, (7 * k, 5 * k))
    if one.chosen:
        # A ring round the whole space, unlike the edge of those that may be chosen.
        ring = paths.hexagon(x, y, radius + 2.5 * k)
        pen.stroke(ring, "ink", 9 * k)
        pen.stroke(ring, "clear", 5.5 * k)
    side = (30 if n <= 1 else 24 if n == 2 else 20) * k
    gap = (21 if n == 2 else 17) * k
    dy = (10 if mark else 6) * k
    for i, token in enumerate(one.tokens):
        tx = x + (i - (n - 1) / 2) * gap if n < 3 else x + (i % 2 - 0.5) * gap
        ty = y + dy if n < 3 else y + (-8 if i < 2 else 9) * k
        pen.seat(tx, ty, side, token.seat, ringed=token.station)
    if mark:
        _disc(pen, one, x, y + (-12 if n else 9) * k, k, m)
    elif one.number:
        pen.text(x + 8 * k, y + 12 * k, one.number, m.type["note"], "text", True, "centre")
    if any(token.seen for token in one.tokens):
        outer = paths.hexagon(x, y, radius + k)
        pen.stroke(outer, "ink", 8 * k)
        pen.stroke(outer, "seen", 4 * k, (9 * k, 5 * k))
        cx, cy = x - 29 * k, y + 20 * k
        pen.disc(cx, cy, 15 * k, "ink")
        pen.disc(cx, cy, 13.5 * k, "seen")
        pen.icon(cx - 9 * k, cy - 9 * k, 18 * k, "camera", "ink", 2.2)


def _name(pen: Pen, one: e.Hex, x: float, y: float, wide: float, m: Metrics) -> None:
    """The name of the chosen space, with a tick where there is room: over its sign, or above it where pieces
    lie, so that its number and those of its neighbours stay to be read."""
    size, k = m.type["note"], wide / 46
    sign = size * 0.9 + 4 if wide >= 3 * size else 0.0
    w, h = lettering.width(one.space, size, True) + sign + 8, size * 1.1
    middle = y - (32 if one.tokens else 14) * k
    pen.box(x - w / 2 - 2, middle - h / 2 - 2, w + 4, h + 4, "ink", 6)
    pen.box(x - w / 2, middle - h / 2, w, h, "clear", 4)
    if sign:
        pen.icon(x - w / 2 + 4, middle - size * 0.45, size * 0.9, "check", "ink", 3)
    pen.text(x - w / 2 + sign + 4, middle, one.space, size, "ink", True)


def _disc(pen: Pen, one: e.Hex, x: float, y: float, k: float, m: Metrics) -> None:
    size = m.type["note"]
    r = max(12.5 * k, size * 0.68)
    w = max(2 * r, lettering.width(one.cost, size, True) + 10)
    fill, ring, words = ("stop", "ink", "ink") if one.wrong else ("lit", "ink", "ink")
    if one.second and not one.wrong:
        fill, ring, words = "ink", "lit", "lit"
    pen.box(x - w / 2 - 1, y - r - 1, w + 2, 2 * r + 2, ring, r + 1)
    pen.box(x - w / 2 + 1, y - r + 1, w - 2, 2 * r - 2, fill, r - 1)
    if one.wrong:
        pen.icon(x - r * 0.7, y - r * 0.7, r * 1.4, "cross", "ink", 4)
    else:
        pen.text(x, y, one.cost, size, words, True, "centre")


def _edge(
    pen: Pen, el: e.Board, box: Box, m: Metrics, at: dict[str, tuple[float, float]], wide: float
) -> None:
    if not at or el.closer:
        return
    by = {h.space: h for h in el.hexes}
    note = m.type["note"]
    tops = {by[s].r: y for s, (_, y) in at.items()}
    first = min(h.r for h in el.hexes)
    for i, name in enumerate(el.rows):
        if first + i in tops:
            pen.text(box.x + m.px(9), tops[first + i], name, note, "text2", False, "centre")
    # A column's number stands over the rows that are not moved by half a hex, be it there or not.
    for name in el.columns:
        xs = [x - ((by[s].r - first) % 2) * wide / 2 for s, (x, _) in at.items() if s[1:] == name]
        if xs:
            pen.text(xs[0], box.y + m.px(11), name, note, "text2", False, "centre")


def legend(el: e.Board, box: Box, m: Metrics) -> list[tuple[float, float]]:
    """Where each entry of the legend stands: its left edge and middle, in corners where it covers no hex.
    Empty on a small panel, and where not all of them find room."""
    note, wide, at = m.type["note"], *shown(el, box, m)
    step = m.px(30)
    spots = [(left, row) for left in (True, False) for row in range(3)] + [
        (left, -1 - row) for left in (True, False) for row in range(2)
    ]
    out: list[tuple[float, float]] = []
    for _, words in () if m.small else el.legend:
        w = m.px(SAMPLE) + m.px(14) + lettering.width(words, note, False)
        for left, row in spots:
            x = box.x + m.px(32) if left else box.x + box.w - w - m.px(8)
            y = box.y + m.px(46) + row * step if row >= 0 else box.y + box.h - m.px(20) + (row + 1) * step
            if not any(
                x - wide / 2 < hx < x + w + wide / 2 and abs(hy - y) < step / 2 + wide * 0.55
                for hx, hy in at.values()
            ):
                spots.remove((left, row))
                out.append((x, y))
                break
    return out if len(out) == len(el.legend) else []


def help_box(el: e.Board, box: Box, m: Metrics) -> Box | None:
    """The "?" in the place of a legend that finds no room: in the corner where it covers the least of what
    can be touched, then the fewest hexes. None where the legend stands on the map, or there is none."""
    if el.help is None or not el.legend or legend(el, box, m):
        return None
    side, edge, (wide, at) = float(m.target), m.px(8), shown(el, box, m)
    corners = [
        Box(x, y, side, side)
        for y in (box.y + box.h - side - edge, box.y + m.px(24))
        for x in (box.x + m.px(24), box.x + box.w - side - edge)
    ]

    def covered(corner: Box) -> tuple[int, int]:
        under = [
            space
            for space, (x, y) in at.items()
            if corner.x - wide / 2 < x < corner.x + side + wide / 2
            and corner.y - wide / 2 < y < corner.y + side + wide / 2
        ]
        return sum(space in el.intents for space in under), len(under)

    return min(corners, key=covered)


def _legend(pen: Pen, el: e.Board, box: Box, m: Metrics) -> None:
    note = m.type["note"]
    for (one, words), (x, y) in zip(el.legend, legend(el, box, m), strict=False):
        middle = x + m.px(SAMPLE) / 2
        _ground(pen, one, middle, y, m.px(SAMPLE))
        _marks(pen, one, middle, y, m.px(SAMPLE), m)
        pen.text(x + m.px(SAMPLE) + m.px(14), y, words, note, "text")
    if (spot := help_box(el, box, m)) is not None:
        pen.box(*spot, "sleeper", m.px(8))
        pen.frame(*spot, "rule", 2)
        sign = m.px(36)
        middle_x, middle_y = spot.x + spot.w / 2, spot.y + spot.h / 2
        pen.icon(middle_x - sign / 2, middle_y - sign / 2, sign, "question", "text")
