"""The plain elements: words, signs, grounds, buttons, bars."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import ACTING, STOP, Box, beside_prompt, fitted, prompt_height, stop_widths
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics
from ui.presenters.theme import TONES


def nothing(pen: Pen, el: Any, box: Box, m: Metrics, down: bool) -> None:
    """Rows, columns and spaces only hold others apart."""


def text(pen: Pen, el: e.Text, box: Box, m: Metrics, down: bool) -> None:
    """The element `text` in its box."""
    size, rows, _ = fitted(el, m, box.w)
    step = size * lettering.LINE
    y = box.y + (box.h - step * len(rows)) / 2 + step / 2
    x = {"left": box.x, "centre": box.x + box.w / 2, "right": box.x + box.w}[el.align]
    for row in rows:
        pen.text(x, y, row, size, el.tone, el.bold, el.align)
        y += step


def icon(pen: Pen, el: e.Icon, box: Box, m: Metrics, down: bool) -> None:
    """The element `icon` in its box."""
    side = m.px(el.side)
    pen.icon(box.x, box.y + (box.h - side) / 2, side, el.name, el.tone)


def badge(pen: Pen, el: e.Badge, box: Box, m: Metrics, down: bool) -> None:
    """The element `badge` in its box."""
    size = m.type["note"] if el.side >= 40 else 0
    pen.seat(
        box.x + box.w / 2, box.y + box.h / 2, m.px(el.side), el.seat,
        hollow=el.hollow, faint=el.faint, ringed=el.ringed, size=size,
    )  # fmt: skip


def signal(pen: Pen, x: float, y: float, side: float, name: e.Signal) -> None:
    """The disc with the arm, round a middle."""
    if name == "none":
        return
    turn = {"stop": 0.0, "caution": -45.0, "clear": -90.0}[name]
    k = side / 56
    pen.disc(x, y, 27.5 * k, name)
    pen.disc(x, y, 24.5 * k, "ink")
    dx, dy = 17 * k * math.cos(math.radians(turn)), 17 * k * math.sin(math.radians(turn))
    pen.stroke(((x - dx, y - dy), (x + dx, y + dy)), name, 9 * k)
    pen.disc(x - dx, y - dy, 4.5 * k, name)
    pen.disc(x + dx, y + dy, 4.5 * k, name)


def arm(pen: Pen, el: e.Arm, box: Box, m: Metrics, down: bool) -> None:
    """The element `arm` in its box."""
    signal(pen, box.x + box.w / 2, box.y + box.h / 2, m.px(el.side), el.signal)


def rule(pen: Pen, el: e.Rule, box: Box, m: Metrics, down: bool) -> None:
    """The element `rule` in its box."""
    thick = max(1.0, m.px(el.thick))
    if el.stops:
        y, radius, step = box.y + box.h / 2, m.px(STOP) / 2, (box.w + m.px(el.gap)) / el.stops
        pen.box(0, y - thick / 2, m.width, thick, el.tone)
        for number in range(el.stops):
            x = box.x + step * (number + 0.5) - m.px(el.gap) / 2
            pen.disc(x, y, radius, "paper")
            pen.disc(x, y, radius - max(2.0, m.px(3)), "night")
        return
    if box.w >= box.h:
        pen.box(box.x, box.y + (box.h - thick) / 2, box.w, thick, el.tone)
    else:
        pen.box(box.x + (box.w - thick) / 2, box.y, thick, box.h, el.tone)


def panel(pen: Pen, el: e.Panel, box: Box, m: Metrics, down: bool) -> None:
    """The element `panel` in its box."""
    if el.ground != "none" or down:
        if el.acting:
            pen.box(*box, el.ground, m.px(8))
            pen.box(box.x, box.y, m.px(ACTING), box.h, "paper", m.px(3))
        else:
            pen.box(*box, "sleeper" if down else el.ground, m.px(8))
    if el.edge:
        pen.frame(*box, el.edge, 2)
    if el.chosen:
        pen.frame(*box, "lit", max(3, m.px(4)))


def button(pen: Pen, el: e.Button, box: Box, m: Metrics, down: bool) -> None:
    """The element `button` in its box."""
    live = el.intent is not None
    tone = "ink" if el.kind == "paper" and live else "text" if live and el.kind == "plain" else "text2"
    if el.kind == "paper" and live:
        pen.box(*box, TONES["text2"] if down else "paper", m.px(8))
    elif el.kind == "plain" or not live:
        pen.box(*box, "rule" if down else "sleeper" if live else "ballast", m.px(8))
        pen.frame(*box, "rule" if live else "sleeper", 2)
        tone = tone if live else "rule"
    elif down:
        pen.box(*box, "sleeper", m.px(8))
    size = m.type["button"]
    sign = m.px(24) if el.icon else 0.0
    gap = m.px(10) if el.icon and el.text else 0.0
    room = box.w - m.px(12) - sign - gap
    (word,), _ = lettering.wrap(el.text, size, True, max(room, 1), 1)
    if word != el.text and room > 0:
        size = m.type["note"]
        (word,), _ = lettering.wrap(el.text, size, True, room, 1)
    wide = lettering.width(word, size, True)
    x, y = box.x + (box.w - wide - sign - gap) / 2, box.y + box.h / 2
    if el.detail:
        y -= m.type["note"] * 0.6
        pen.text(box.x + box.w / 2, y + size * 1.1, el.detail, m.type["note"], tone, False, "centre")
    if el.icon:
        pen.icon(x, y - sign / 2, sign, el.icon, tone, 2.4)
    pen.text(x + sign + gap, y, word, size, tone, True)
    if el.chosen:
        pen.frame(*box, "lit", max(3, m.px(4)))
    if el.progress:
        thick = m.px(6)
        pen.box(box.x, box.y + box.h - thick, box.w * min(1, el.progress), thick, "clear", m.px(3))


def pips(pen: Pen, el: e.Pips, box: Box, m: Metrics, down: bool) -> None:
    """The element `pips` in its box."""
    step, w, h = m.px(28), m.px(22), m.px(16)
    for i in range(el.of):
        x, y, full = box.x + i * step, box.y + (box.h - h) / 2, i >= el.of - el.left
        if full:
            pen.box(x, y, w, h, "paper" if i == el.of - 1 else "seen", m.px(4))
        else:
            pen.frame(x, y, w, h, "rule", 2, m.px(4))


def meter(pen: Pen, el: e.Meter, box: Box, m: Metrics, down: bool) -> None:
    """The element `meter` in its box."""
    pen.box(*box, "sleeper", box.h / 2)
    pen.box(box.x, box.y, max(box.h, box.w * max(0.0, min(1.0, el.share))), box.h, el.tone, box.h / 2)


def stop_line(pen: Pen, el: e.StopLine, box: Box, m: Metrics, down: bool) -> None:
    """The element `stop_line` in its box."""
    note, high = m.type["note"], m.px(30)
    x, y = box.x, box.y + box.h / 2
    for i, (stop, step) in enumerate(zip(el.stops, stop_widths(el, m), strict=True)):
        ring = max(m.px(32), lettering.width(stop.mark, note, True) + m.px(14))
        word = lettering.width(stop.word, note, True) + m.px(16) if stop.word else 0
        if i < len(el.stops) - 1:
            ahead = el.stops[i + 1].state == "ahead"
            start = x + ring + word
            pen.box(
                start,
                y - (1 if ahead else 2),
                x + step - start,
                2 if ahead else 4,
                "rule" if ahead else "paper",
            )
            pen.text((start + x + step) / 2, y - note * 0.7, stop.between, note, "text2", False, "centre")
        now, done = stop.state == "now", stop.state == "done"
        pen.box(x, y - high / 2, ring, high, "paper" if now else "night", high / 2)
        if not now:
            pen.frame(x, y - high / 2, ring, high, "paper" if done else "rule", 2, high / 2 - 1)
        pen.text(
            x + ring / 2, y, stop.mark, note, "ink" if now else "text" if done else "text2", True, "centre"
        )
        pen.text(x + ring + m.px(8), y, stop.word, note, "text", True)
        x += step


def prompt_room(el: e.Prompt, box: Box, m: Metrics) -> tuple[float, float]:
    """Left edge and width of the words."""
    right = beside_prompt(el, m)[0]
    x = m.px(16) + (m.px(80) if el.signal != "none" else 0) + (m.px(64) if el.seat else 0)
    return x, box.w - x - m.px(16) - (right + m.px(16) if right else 0)


def prompt(pen: Pen, el: e.Prompt, box: Box, m: Metrics, down: bool) -> None:
    """The element `prompt` in its box."""
    pen.box(*box, "ballast")
    pen.box(box.x, box.y, box.w, 2, "sleeper")
    x, y = m.px(16), box.y + box.h / 2
    if el.signal != "none":
        signal(pen, x + m.px(28), y, m.px(56), el.signal)
        x += m.px(80)
    if el.seat:
        pen.seat(x + m.px(20), y, m.px(48), el.seat, size=m.type["note"])
    x, room = prompt_room(el, box, m)
    lines, _ = prompt_lines(el, m, room)
    top = y - lines[-1].foot / 2
    for line in lines:
        tone = "text" if line.bold else "text2"
        pen.text(x, top + line.foot - line.size * line.step / 2, line.words, line.size, tone, line.bold)


class PromptLine(NamedTuple):
    """A line of the prompt: its type, its height in sizes of it, and where it ends below the first's top."""

    words: str
    size: int
    bold: bool
    step: float
    foot: float


PROMPT_TYPES: tuple[tuple[e.Size, int, e.Size, int], ...] = (
    ("prompt", 1, "text", 1),
    ("prompt", 1, "note", 1),
    ("button", 2, "text", 1),
    ("button", 2, "note", 1),
    ("button", 1, "note", 2),
    ("text", 2, "note", 1),
    ("text", 1, "note", 2),
    ("note", 2, "note", 1),
    ("note", 1, "note", 2),
    ("note", 1, "note", 3),
    ("note", 2, "note", 2),
)
"""Type and most lines of the question, then of the detail, the best first."""


def prompt_lines(el: e.Prompt, m: Metrics, room: float) -> tuple[list[PromptLine], bool]:
    """The lines of the question, then of the detail, in `room` pixels of width: the largest type in which
    nothing is cut and all stands in the bar. Whether something had to be cut."""
    room, high = max(room, 1), prompt_height(m) - 2
    out: list[PromptLine] = []
    for large, most, small, more in PROMPT_TYPES:
        rows, cut = lettering.wrap(el.text, m.type[large], True, room, most)
        detail, short = (
            lettering.wrap(el.detail, m.type[small], False, room, more) if el.detail else ((), False)
        )
        # Three lines stand as close as their letters allow, or they would not fit the bar of a small panel.
        step = 1.2 if len(rows) + len(detail) < 3 else 1.15 if not m.small else 1.1
        foot, made = 0.0, []
        for words, size, bold in (
            *((row, m.type[large], True) for row in rows),
            *((row, m.type[small], False) for row in detail),
        ):
            foot += size * step
            made.append(PromptLine(words, size, bold, step, foot))
        if not cut and not short and foot <= high:
            return made, False
        out = out or made
    return out, True


def camera(pen: Pen, el: e.Camera, box: Box, m: Metrics, down: bool) -> None:
    """The ground of the camera picture and its words; the picture is laid over by `screen.Picture`."""
    pen.box(*box, "ballast", m.px(8))
    rows, _ = lettering.wrap(el.words, m.type["text"], False, box.w - m.px(32), 4)
    for i, row in enumerate(rows):
        y = box.y + box.h / 2 + (i - (len(rows) - 1) / 2) * m.type["text"] * lettering.LINE
        pen.text(box.x + box.w / 2, y, row, m.type["text"], "text2", False, "centre")


def camera_marks(pen: Pen, el: e.Camera, box: Box, m: Metrics) -> None:
    """The boxes over the picture."""
    for x, y, w, h, name, words in el.marks:
        tone = "paper" if name == "none" else name
        at = Box(box.x + x * box.w, box.y + y * box.h, w * box.w, h * box.h)
        pen.frame(*at, tone, 3, 4)
        if words:
            wide, size = lettering.width(words, m.type["note"], True) + 8, m.type["note"]
            top = max(box.y, at.y - size * 1.3)
            left = min(at.x, box.x + box.w - wide)
            pen.box(left, top, wide, size * 1.3, "ink", 4)
            pen.text(left + 4, top + size * 0.65, words, size, tone, True)
