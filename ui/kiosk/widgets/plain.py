"""The plain elements: words, signs, grounds, buttons, bars."""

from __future__ import annotations

import math
from typing import Any

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box, fitted, stop_widths
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
    if box.w >= box.h:
        pen.box(box.x, box.y + (box.h - thick) / 2, box.w, thick, el.tone)
    else:
        pen.box(box.x + (box.w - thick) / 2, box.y, thick, box.h, el.tone)


def panel(pen: Pen, el: e.Panel, box: Box, m: Metrics, down: bool) -> None:
    """The element `panel` in its box."""
    if el.ground != "none" or down:
        if el.acting:
            pen.box(*box, el.ground, m.px(8))
            pen.box(box.x, box.y, m.px(6), box.h, "paper", m.px(3))
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


def prompt_words(el: e.Prompt, m: Metrics, room: float) -> tuple[int, tuple[str, ...], tuple[str, ...], bool]:
    """Size and lines of the question, the detail's line, and whether something was cut."""
    size, most = m.type["prompt"], 1
    rows, cut = lettering.wrap(el.text, size, True, room, 1)
    if cut:
        size, most = m.type["button"], 2
        rows, cut = lettering.wrap(el.text, size, True, room, most)
    detail, short = lettering.wrap(el.detail, m.type["text"], False, room, 1) if el.detail else ((), False)
    if short:
        detail, short = lettering.wrap(el.detail, m.type["note"], False, room, 2 if len(rows) == 1 else 1)
    return size, rows, detail, cut or short


def prompt_room(el: e.Prompt, box: Box, m: Metrics, right: float) -> tuple[float, float]:
    """Left edge and width of the words; `right` is the width at the right that is taken."""
    x = m.px(16) + (m.px(80) if el.signal != "none" else 0) + (m.px(64) if el.seat else 0)
    return x, box.w - x - m.px(16) - (right + m.px(16) if right else 0)


def prompt(pen: Pen, el: e.Prompt, box: Box, m: Metrics, down: bool) -> None:
    """The element `prompt` in its box."""
    from ui.kiosk.layout import need

    pen.box(*box, "ballast")
    pen.box(box.x, box.y, box.w, 2, "sleeper")
    x, y = m.px(16), box.y + box.h / 2
    if el.signal != "none":
        signal(pen, x + m.px(28), y, m.px(56), el.signal)
        x += m.px(80)
    if el.seat:
        pen.seat(x + m.px(20), y, m.px(48), el.seat, size=m.type["note"])
    x, room = prompt_room(el, box, m, need(el.right, m, box.w / 3)[0] if el.right is not None else 0)
    size, rows, detail, _ = prompt_words(el, m, room)
    step, small = size * 1.15, m.type["text"]
    if len(detail) > 1 or lettering.width(el.detail, small, False) > room + 1:
        small = m.type["note"]
    total = step * len(rows) + small * 1.2 * len(detail)
    at = y - total / 2 + step / 2
    for row in rows:
        pen.text(x, at, row, size, "text", True)
        at += step
    for row in detail:
        pen.text(x, at - step / 2 + small * 0.6, row, small, "text2")
        at += small * 1.2


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
