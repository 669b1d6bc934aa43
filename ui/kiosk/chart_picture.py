"""A chart as a PNG file, for people who want to keep it."""

from __future__ import annotations

from itertools import pairwise

import cv2

from ui.presenters.elements import Chart
from ui.presenters.theme import NIGHT, SEATS, TONES
from vision.primitives import Drawing, Ink, Item, circle, line, polygon, rect, text

WIDTH, HEIGHT = 160.0, 100.0
LEFT, RIGHT, TOP, BOTTOM = 16.0, 34.0, 12.0, 12.0
PX_PER_MM = 8.0


def picture(chart: Chart) -> bytes:
    """The chart as PNG, 1280 x 800 pixels."""
    values = [value for curve in chart.curves for value in curve.values] or [0.0]
    low, high = min(0.0, *values), max(1.0, *values)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(index: int, value: float) -> tuple[float, float]:
        share = (value - low) / (high - low)
        x = LEFT + across * (index / max(len(chart.labels) - 1, 1))
        return x, TOP + down * (share if chart.down else 1 - share)

    items: list[Item] = [rect(0, 0, WIDTH, HEIGHT, Ink(fill=NIGHT))]
    step = max(1, round((high - low) / 5))
    for value in range(int(low), int(high) + 1, step):
        _, y = at(0, value)
        items.append(line(LEFT, y, LEFT + across, y, Ink(stroke=TONES["rule"], width=0.2)))
        items.append(text(LEFT - 2, y + 1.2, str(value), 3.5, colour=TONES["text2"], align="right"))
    for index, label in enumerate(chart.labels):
        x, _ = at(index, low)
        items.append(text(x, HEIGHT - 4, label, 3.5, colour=TONES["text2"], align="middle"))
    for curve in chart.curves:
        look = SEATS[curve.seat]
        points = [at(index, value) for index, value in enumerate(curve.values)]
        dash = tuple(part / 6 for part in look.dash)
        for (x1, y1), (x2, y2) in pairwise(points):
            items.append(line(x1, y1, x2, y2, Ink(stroke=look.colour, width=0.8, dash=dash)))
        items += [_mark(look.shape, x, y, look.colour) for x, y in points]
        if points:
            x, y = points[-1]
            name = curve.name or curve.seat
            items.append(text(x + 4, y + 1.2, name, 3.8, colour=TONES["text"], bold=True, fit=RIGHT - 6))
    rgb = Drawing(WIDTH, HEIGHT, tuple(items)).raster(PX_PER_MM)
    done, data = cv2.imencode(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))
    if not done:
        raise ValueError("the chart cannot be made into a PNG file")
    return bytes(data.tobytes())


def _mark(shape: str, x: float, y: float, colour: str) -> Item:
    ink, r = Ink(fill=colour, stroke=NIGHT, width=0.3), 1.8
    if shape == "circle":
        return circle(x, y, r, ink)
    if shape == "square":
        return rect(x - r, y - r, 2 * r, 2 * r, ink)
    if shape == "triangle":
        return polygon(((x, y - r), (x + r, y + r), (x - r, y + r)), ink)
    return polygon(((x, y - r * 1.2), (x + r * 1.2, y), (x, y + r * 1.2), (x - r * 1.2, y)), ink)
