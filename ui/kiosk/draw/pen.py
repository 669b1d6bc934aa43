"""A pen on a Kivy canvas. Pixels from the top left corner of the window, y down."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Mesh, Rectangle, SmoothEllipse, SmoothLine, SmoothRoundedRectangle
from kivy.utils import get_color_from_hex

from ui.kiosk.draw import lettering, paths
from ui.presenters.theme import ANYBODY, GROUNDS, SEATS, TONES

SOFT = 0.4
"""Kivy takes 1 off the half width of a smooth line and adds an edge of 1.2 that fades: this much more, and
the line is as thick as asked where it is half faded."""


def colour(name: str) -> str:
    """The "#RRGGBB" of a tone, a ground or a value that is one."""
    return name if name.startswith("#") else (TONES | GROUNDS)[name]


class Pen:
    """Draws into `canvas`; `high` is the window's height in pixels."""

    def __init__(self, canvas: Any, high: float) -> None:
        self.canvas, self.high = canvas, high

    def ink(self, name: str, share: float = 1.0) -> None:
        """The colour of what is drawn next; `share` is how much it covers, 0 to 1."""
        r, g, b, _ = get_color_from_hex(colour(name))
        self.canvas.add(Color(r, g, b, share))

    def box(
        self, x: float, y: float, w: float, h: float, fill: str, radius: float = 0, share: float = 1.0
    ) -> None:
        """A filled box."""
        if w <= 0 or h <= 0:
            return
        self.ink(fill, share)
        at = (x, self.high - y - h)
        if radius:
            self.canvas.add(SmoothRoundedRectangle(pos=at, size=(w, h), radius=[min(radius, w / 2, h / 2)]))
        else:
            self.canvas.add(Rectangle(pos=at, size=(w, h)))

    def frame(
        self, x: float, y: float, w: float, h: float, tone: str, thick: float, radius: float = 8
    ) -> None:
        """The edge of a box, inside of it."""
        self.ink(tone)
        half = thick / 2
        inner = (x + half, self.high - y - h + half, w - thick, h - thick, max(radius, 0.1))
        self.canvas.add(SmoothLine(rounded_rectangle=inner, width=half + SOFT))

    def disc(self, x: float, y: float, radius: float, fill: str, share: float = 1.0) -> None:
        """A filled circle round a middle."""
        self.ink(fill, share)
        self.canvas.add(
            SmoothEllipse(pos=(x - radius, self.high - y - radius), size=(2 * radius, 2 * radius))
        )

    def area(self, points: tuple[paths.Point, ...], fill: str, share: float = 1.0) -> None:
        """A filled convex area."""
        self.ink(fill, share)
        flat = [v for x, y in points for v in (x, self.high - y, 0, 0)]
        self.canvas.add(Mesh(vertices=flat, indices=range(len(flat) // 4), mode="triangle_fan"))

    def outline(self, data: paths.Lines, fill: str) -> None:
        """Filled areas that need not be convex."""
        from kivy.graphics.tesselator import Tesselator

        self.ink(fill)
        for one in data:
            tess = Tesselator()
            tess.add_contour([v for x, y in one[:-1] for v in (x, self.high - y)])
            if tess.tesselate():
                for vertices, indices in tess.meshes:
                    self.canvas.add(Mesh(vertices=vertices, indices=indices, mode="triangle_fan"))

    def stroke(
        self,
        points: tuple[paths.Point, ...],
        tone: str,
        thick: float,
        dash: tuple[float, ...] = (),
        share: float = 1.0,
    ) -> None:
        """A line through points, whole or dashed (lengths on and off, in pixels)."""
        self.ink(tone, share)
        for one in paths.dashes(points, dash):
            flat = [v for x, y in one for v in (x, self.high - y)]
            closed = one[0] == one[-1] and len(one) > 3
            self.canvas.add(
                SmoothLine(points=flat[:-2] if closed else flat, width=thick / 2 + SOFT, close=closed)
            )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        tone: str,
        bold: bool = False,
        align: str = "left",
        share: float = 1.0,
    ) -> None:
        """A line whose middle is at `y`; `x` is its left edge, its middle or its right edge."""
        if not text:
            return
        made = lettering.texture(text, size, bold)
        w, h = made.size
        left = round(x - {"left": 0, "centre": w / 2, "right": w}[align])
        self.ink(tone, share)
        self.canvas.add(Rectangle(texture=made, pos=(left, round(self.high - y - h / 2)), size=(w, h)))

    def icon(self, x: float, y: float, side: float, name: str, tone: str, thick: float = 0.0) -> None:
        """An icon whose top left corner is given; `thick` of a box of 24, 0 for the sign's own."""
        k = side / 24
        thick = thick or (3.5 if name in paths.BOLD else 2.0)
        for one in paths.icon(name):
            self.stroke(tuple((x + k * px, y + k * py) for px, py in one), tone, max(1.5, thick * k))

    def seat(
        self,
        x: float,
        y: float,
        side: float,
        seat: str,
        *,
        hollow: bool = False,
        faint: bool = False,
        ringed: bool = False,
        size: int = 0,
    ) -> None:
        """A seat's shape round a middle, that of no seat for ""; `size` is its letter's type, 0 for none."""
        look = SEATS[seat] if seat else ANYBODY
        k = side / 48
        shape = paths.lines(paths.SHAPES[look.shape])[0]
        at = tuple((x + k * (px - 20), y + k * (py - 20)) for px, py in shape)
        if ringed:
            self.stroke(at, "ink", 11 * k)
            self.stroke(at, "lit", 7 * k)
        if hollow:
            self.stroke(at, look.colour, 3 * k)
        else:
            self.area(at, look.colour, 0.5 if faint else 1.0)
            self.stroke(at, "ink", 3 * k)
        if size:
            letter_y = y + k * (paths.LETTER_Y[look.shape] - 20)
            self.text(x, letter_y, seat, size, look.colour if hollow else "ink", True, "centre")

    def sign(self, x: float, y: float, k: float, name: str, tone: str) -> None:
        """A terrain's sign round a middle, `k` times its size."""
        data, thick = paths.SIGNS[name]
        moved = tuple(tuple((x + k * px, y + k * py) for px, py in one) for one in paths.lines(data))
        if not thick:
            self.outline(moved, tone)
        for one in moved if thick else ():
            self.stroke(one, tone, thick * k)
