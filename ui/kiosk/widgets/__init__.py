"""How each element is drawn: one function an element, by its type in `DRAW`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box
from ui.kiosk.widgets import board, cells, charts, plain, track
from ui.presenters import elements as e
from ui.presenters.metrics import Metrics

Draw = Callable[[Pen, Any, Box, Metrics, bool], None]

DRAW: dict[type, Draw] = {
    e.Text: plain.text,
    e.Icon: plain.icon,
    e.Badge: plain.badge,
    e.Arm: plain.arm,
    e.Space: plain.nothing,
    e.Rule: plain.rule,
    e.Row: plain.nothing,
    e.Column: plain.nothing,
    e.Panel: plain.panel,
    e.Button: plain.button,
    e.Pips: plain.pips,
    e.Meter: plain.meter,
    e.StopLine: plain.stop_line,
    e.Prompt: plain.prompt,
    e.Board: board.draw,
    e.BidTrack: track.draw,
    e.SpotRow: cells.draw,
    e.Chart: charts.draw,
    e.Camera: plain.camera,
}
