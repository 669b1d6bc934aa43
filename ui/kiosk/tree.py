"""The widgets of a page as text: what a change of the screen looks like in a comparison of texts.

A line for each: class, id, box in whole pixels from the top left, words as they are fitted, size class, marks
and what a touch means. Ids of choices and times are left out: the same page gives the same text in each run.
"""

from __future__ import annotations

import re
from typing import Any

from ui.kiosk.layout import Placed, fitted
from ui.kiosk.widgets import plain
from ui.presenters import elements as e
from ui.presenters.intents import Ask, Go, Intent, Say, Set
from ui.presenters.metrics import Metrics

_PASSING = frozenset({"choice", "since", "at", "now", "time", "file", "until", "pin", "digits"})
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b")
_DEFAULTS = {"size": "text", "tone": "text", "kind": "plain"}
_MARKS = ("acting", "chosen", "locked", "faint", "hollow", "ringed")


def tree(widget: Any) -> str:
    """One line for each widget of a `PageWidget`, indented by depth."""
    m: Metrics = widget.metrics
    rows = [f"Page #{widget.page.id}{' alarm' if widget.page.alarm else ''}"] if widget.page else []
    for one in widget.placed:
        depth = "  " * (one.path.count("/") + 1)
        rows.append(depth + _line(one, m))
        rows += [f"{depth}  {more}" for more in _parts(one.element)]
    return _CLOCK.sub("0:00", "\n".join(rows)) + "\n"


def _line(one: Placed, m: Metrics) -> str:
    el, box = one.element, one.box
    words = [type(el).__name__]
    if getattr(el, "id", ""):
        words.append(f"#{el.id}")
    words.append(f"{box.x:.0f},{box.y:.0f} {box.w:.0f}x{box.h:.0f}")
    words += _said(one, m)
    words += [name for name in _MARKS if getattr(el, name, False)]
    words += [
        f"{key}={value}"
        for key in ("kind", "size", "tone", "ground", "edge", "signal", "icon", "left", "of")
        if isinstance(value := getattr(el, key, None), str | int)
        and value != ""
        and _DEFAULTS.get(key) != value
    ]
    if getattr(el, "reason", "") and el.intent is None:
        words.append(f"grey {el.reason!r}")
    if getattr(el, "intent", None) is not None:
        words.append(f"-> {short(el.intent)}")
    return " ".join(words)


def _said(one: Placed, m: Metrics) -> list[str]:
    """The words of an element, in the lines that they are drawn in."""
    el = one.element
    if isinstance(el, e.Text):
        size, rows, cut = fitted(el, m, one.box.w)
        least = [] if size == m.type[el.size] else [f"{size}px"]
        return [" / ".join(map(repr, rows)), *least, *(["CUT"] if cut else [])]
    if isinstance(el, e.Prompt):
        lines, cut = plain.prompt_lines(el, m, plain.prompt_room(el, one.box, m)[1])
        return [
            *([el.seat] if el.seat else []),
            " / ".join(repr(line.words) for line in lines),
            *(["CUT"] if cut else []),
        ]
    said = [repr(text) for key in ("text", "detail", "words") if (text := getattr(el, key, ""))]
    return said + [text for key in ("name", "seat") if (text := getattr(el, key, ""))]


def _parts(el: Any) -> list[str]:
    """What is on a map, a track, a line of stops or a chart, and what differs from rest."""
    if isinstance(el, e.Board):
        told = [f"sign: {words!r}" for _, words in el.legend]
        means = [f"?: -> {short(el.help)}"] if el.help is not None else []
        return [*filter(None, (_hex(one, el) for one in el.hexes)), *told, *means]
    if isinstance(el, e.BidTrack):
        return [
            " ".join(
                [
                    f"{cell.number}:",
                    *([cell.disc.seat] if cell.disc else []),
                    *(name for name in ("legal", "chosen", "white") if getattr(cell, name)),
                    *(name for name in ("locked", "faint") if cell.disc and getattr(cell.disc, name)),
                    *([f"-> {short(el.intents[i])}"] if i in el.intents else []),
                ]
            )
            for i, cell in enumerate(el.cells)
            if cell.disc or cell.legal or cell.chosen or i in el.intents
        ]
    if isinstance(el, e.SpotRow):
        return [
            " ".join(
                [
                    f"{i}: {spot.text!r}",
                    *(word for word in (spot.number, spot.tint, spot.above, spot.sign, *spot.seats) if word),
                    *(name for name in ("here", "due", "lit", "chosen", "gap") if getattr(spot, name)),
                    *(["reached"] if el.reach is not None and i < el.reach else []),
                    *([f"-> {short(el.intents[i])}"] if i in el.intents else []),
                ]
            )
            for i, spot in enumerate(el.spots)
        ]
    if isinstance(el, e.StopLine):
        return [f"{stop.state}: {stop.mark} {stop.word} {stop.between}".rstrip() for stop in el.stops]
    if isinstance(el, e.Chart):
        return [f"{c.seat} {c.name!r}: {' '.join(f'{v:g}' for v in c.values)}" for c in el.curves]
    return []


def _hex(one: e.Hex, board: e.Board) -> str:
    marks = [name for name in ("lit", "second", "chosen", "open", "wrong") if getattr(one, name)]
    tokens = [t.seat + ("s" if t.station else "") + ("?" if t.seen else "") for t in one.tokens]
    means = [f"-> {short(board.intents[one.space])}"] if one.space in board.intents else []
    cost = [f"cost {one.cost}"] if one.cost else []
    told = [*tokens, *marks, *cost, *means]
    return f"{one.space}: {' '.join(told)}" if told else ""


def short(intent: Intent) -> str:
    """What a touch means, in short."""
    match intent:
        case Say():
            return f"say {intent.command.what}{_values(intent.command.values)}"
        case Go():
            return f"go {intent.screen or 'on'}{_values(intent.values)}"
        case Set():
            return f"set{_values(intent.values)}"
        case Ask():
            return f"ask {intent.what}{_values(intent.values)}"


def _values(values: Any) -> str:
    kept = [f"{key}={str(value)[:40]}" for key, value in sorted(values.items()) if key not in _PASSING]
    return f" {' '.join(kept)}" if kept else ""
