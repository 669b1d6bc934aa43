"""The display list of everything printed: a few primitives in mm, drawn as PDF and, through it, as pixels.

Origin at the top-left corner, x to the right, y down, like `assistant.layout`. A `Drawing` is a value:
the same drawing gives the same PDF bytes. What the simulator sees is the rendered PDF, so a picture of
the table can never differ from what a printer gets.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Literal

import numpy as np
import numpy.typing as npt
import pypdfium2
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from assistant.layout import Box

MM = 72 / 25.4
"""PDF points in a millimetre."""
BOOK = "DejaVuSansCondensed"
BOLD = "DejaVuSansCondensed-Bold"
CAPITAL_EM = 0.729
"""Height of a capital letter in ems of both fonts."""
DESCENDER_EM = 0.236
"""How far the fonts reach below the baseline."""
PIXEL_SLACK = 0.01
"""Parts of a pixel that are rounding errors, not size."""
ROOF_MM = 0.001
"""How far the middle of a rectangle's upper edge is bent."""
CIRCLE = 0.5522847498
"""Control arm of the cubic curve that draws a quarter of a circle of radius 1."""

RGB = npt.NDArray[np.uint8]
Point = tuple[float, float]
Segment = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class Ink:
    """How an outline is filled and drawn: colours as "#rrggbb" or None, width and dashes in mm."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.2
    dash: tuple[float, ...] = ()
    round: bool = False


@dataclass(frozen=True)
class Shape:
    """A path of absolute segments: M, L (x, y), C (two controls and the end), Z."""

    segments: tuple[Segment, ...]
    ink: Ink


@dataclass(frozen=True)
class Text:
    """One line of text; (x, y) is on its baseline, `size` the em in mm."""

    x: float
    y: float
    text: str
    size: float
    colour: str = "#111111"
    bold: bool = False
    align: Literal["left", "middle", "right"] = "left"
    turn_deg: float = 0.0


Item = Shape | Text


# ---- primitives


def rect(x: float, y: float, w: float, h: float, ink: Ink, radius: float = 0.0) -> Shape:
    """A rectangle, optionally with round corners."""
    r = min(radius, w / 2, h / 2)
    if r <= 0:
        # The renderer widens plain rectangles to whole pixels, which would move edges: make it no rectangle.
        roof = (x + w / 2, y + ROOF_MM)
        return polygon(((x, y), roof, (x + w, y), (x + w, y + h), (x, y + h)), ink)
    k = r * (1 - CIRCLE)
    right, bottom = x + w, y + h
    return Shape(
        (
            ("M", (x + r, y)),
            ("L", (right - r, y)),
            ("C", (right - k, y, right, y + k, right, y + r)),
            ("L", (right, bottom - r)),
            ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
            ("L", (x + r, bottom)),
            ("C", (x + k, bottom, x, bottom - k, x, bottom - r)),
            ("L", (x, y + r)),
            ("C", (x, y + k, x + k, y, x + r, y)),
            ("Z", ()),
        ),
        ink,
    )


def polygon(points: Iterable[Point], ink: Ink) -> Shape:
    """A closed polygon."""
    corners = list(points)
    first: Segment = ("M", corners[0])
    lines: list[Segment] = [("L", point) for point in corners[1:]]
    return Shape((first, *lines, ("Z", ())), ink)


def circle(x: float, y: float, r: float, ink: Ink) -> Shape:
    """A circle round (x, y)."""
    return rect(x - r, y - r, 2 * r, 2 * r, ink, radius=r)


def line(x1: float, y1: float, x2: float, y2: float, ink: Ink) -> Shape:
    """A straight line."""
    return Shape((("M", (x1, y1)), ("L", (x2, y2))), ink)


def path(data: str, ink: Ink, x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Shape:
    """A path from SVG data (M L H V C A Z, upper or lower case), scaled, then moved to (x, y).

    The line width of `ink` is in mm after scaling.
    """
    return Shape(
        tuple(
            (verb, tuple(value * scale + (y if i % 2 else x) for i, value in enumerate(values)))
            for verb, values in _parse(data)
        ),
        ink,
    )


def modules(
    matrix: Sequence[Sequence[bool | int]], x: float, y: float, side: float, dark: str = "#000000"
) -> Shape:
    """A square of modules, `side` mm wide: a QR code or a marker. Dark ones are drawn, as one path.

    One path, so that neighbouring modules leave no hairline between them. A code printed light on dark
    is refused (ValueError): most readers do not see it.
    """
    red, green, blue = (int(dark[i : i + 2], 16) for i in (1, 3, 5))
    if max(red, green, blue) > DARKEST_CODE_INK:
        raise ValueError(f"a code in {dark} is too light to be read: codes are printed dark on white")
    unit = side / len(matrix)
    segments: list[Segment] = []
    for j, row in enumerate(matrix):
        start: int | None = None
        for i, value in enumerate([*row, False]):
            if value and start is None:
                start = i
            elif not value and start is not None:
                left, right, top, bottom = x + start * unit, x + i * unit, y + j * unit, y + (j + 1) * unit
                segments += [
                    ("M", (left, top)),
                    ("L", (right, top)),
                    ("L", (right, bottom)),
                    ("L", (left, bottom)),
                    ("Z", ()),
                ]
                start = None
    return Shape(tuple(segments), Ink(fill=dark))


DARKEST_CODE_INK = 0x40
"""Largest red, green or blue of the ink of a code."""


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    colour: str = "#111111",
    bold: bool = False,
    align: Literal["left", "middle", "right"] = "left",
    turn_deg: float = 0.0,
    fit: float | None = None,
) -> Text:
    """A line of text, made smaller where needed to be no wider than `fit` mm (never cut)."""
    if fit is not None:
        wide = text_width(words, size, bold=bold)
        if wide > fit:
            size *= fit / wide
    return Text(x, y, words, size, colour, bold, align, turn_deg)


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """Width in mm of a line of text of `size` mm."""
    _fonts()
    return float(pdfmetrics.stringWidth(words, BOLD if bold else BOOK, size))


def text_box(item: Text) -> Box:
    """The box in mm that an upright line of text covers, from its capitals to its descenders."""
    wide = text_width(item.text, item.size, bold=item.bold)
    left = {"left": item.x, "middle": item.x - wide / 2, "right": item.x - wide}[item.align]
    return Box(left, item.y - item.size * CAPITAL_EM, wide, item.size * (CAPITAL_EM + DESCENDER_EM))


def wrap(words: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Break text at its spaces into lines no wider than `width` mm (a longer word stays whole)."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# ---- a drawing


@dataclass(frozen=True)
class Drawing:
    """Primitives in the order of painting on white paper of `width` x `height` mm."""

    width: float
    height: float
    items: tuple[Item, ...]

    def moved(self, x: float, y: float) -> tuple[Item, ...]:
        """The items with the drawing's origin moved to (x, y), to be put into a larger drawing."""
        return tuple(_moved(item, x, y) for item in self.items)

    def pdf(self) -> bytes:
        """The drawing as a PDF of one page at true size."""
        return pdf([Page(self)])

    def raster(self, px_per_mm: float) -> RGB:
        """The drawing as an RGB picture (rows, columns, 3) uint8, from its own PDF.

        The point (x, y) in mm is at pixel (x, y) times `px_per_mm`, exactly: where the size is no whole
        number of pixels, the last row and column are partly white. Not to be called from two threads at
        a time: the renderer behind it is not made for that.
        """
        columns, rows = (math.ceil(side * px_per_mm - PIXEL_SLACK) for side in (self.width, self.height))
        whole = Drawing(columns / px_per_mm, rows / px_per_mm, self.items)
        return render(whole.pdf(), px_per_mm)[0]


@dataclass(frozen=True)
class Window:
    """Part of a drawing on a page: its origin is moved to (x, y), `clip` is x, y, w, h on the page."""

    drawing: Drawing
    x: float
    y: float
    clip: tuple[float, float, float, float]


@dataclass(frozen=True)
class Page:
    """One page of a PDF: its own drawing, over windows onto larger drawings."""

    drawing: Drawing
    windows: tuple[Window, ...] = ()


def pdf(pages: Sequence[Page], title: str = "") -> bytes:
    """A PDF of these pages at true size; the same pages give the same bytes."""
    _fonts()
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1, pageCompression=1)
    canvas.setTitle(title or "Stationmaster")
    canvas.setCreator("Stationmaster")
    forms: dict[int, str] = {}
    for page in pages:
        for window in page.windows:
            # A mat is drawn once and shown through a window on each sheet it is cut into.
            if id(window.drawing) not in forms:
                forms[id(window.drawing)] = name = f"part{len(forms)}"
                whole = window.drawing
                canvas.beginForm(name, 0, 0, whole.width * MM, whole.height * MM)
                _draw(canvas, whole)
                canvas.endForm()
    for page in pages:
        canvas.setPageSize((page.drawing.width * MM, page.drawing.height * MM))
        for window in page.windows:
            x, y, w, h = window.clip
            canvas.saveState()
            clip = canvas.beginPath()
            clip.rect(x * MM, (page.drawing.height - y - h) * MM, w * MM, h * MM)
            canvas.clipPath(clip, stroke=0, fill=0)
            bottom = page.drawing.height - window.y - window.drawing.height
            canvas.translate(window.x * MM, bottom * MM)
            canvas.doForm(forms[id(window.drawing)])
            canvas.restoreState()
        _draw(canvas, page.drawing)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def render(document: bytes, px_per_mm: float) -> list[RGB]:
    """Every page of a PDF as an RGB picture (rows, columns, 3) uint8.

    A page that is no whole number of pixels wide or high is stretched to the next one.
    """
    opened = pypdfium2.PdfDocument(document)
    try:
        pictures = []
        for page in opened:
            # The renderer rounds the width up, so rounding errors would add a column and stretch the page.
            width = page.get_width()
            columns = math.ceil(width * px_per_mm / MM - PIXEL_SLACK)
            bitmap = page.render(scale=(columns - PIXEL_SLACK) / width, rev_byteorder=True)
            pictures.append(np.array(bitmap.to_numpy()[:, :, :3], dtype=np.uint8))
            page.close()
        return pictures
    finally:
        opened.close()


# ---- within


@cache
def _fonts() -> None:
    """Make the two fonts known to the PDF writer (once)."""
    for name in (BOOK, BOLD):
        with as_file(files("vision") / "fonts" / f"{name}.ttf") as file:
            pdfmetrics.registerFont(TTFont(name, str(file)))


def _moved(item: Item, dx: float, dy: float) -> Item:
    if isinstance(item, Text):
        return Text(
            item.x + dx, item.y + dy, item.text, item.size, item.colour, item.bold, item.align, item.turn_deg
        )
    return Shape(
        tuple(
            (verb, tuple(value + (dy if i % 2 else dx) for i, value in enumerate(values)))
            for verb, values in item.segments
        ),
        item.ink,
    )


def _draw(canvas: Canvas, drawing: Drawing) -> None:
    """Paint a drawing with its lower left corner at the canvas' origin."""
    canvas.saveState()
    for item in drawing.items:
        if isinstance(item, Text):
            _draw_text(canvas, item, drawing.height)
        else:
            _draw_shape(canvas, item, drawing.height)
    canvas.restoreState()


def _draw_text(canvas: Canvas, item: Text, height: float) -> None:
    canvas.saveState()
    canvas.setFillColor(item.colour)
    canvas.setFont(BOLD if item.bold else BOOK, item.size * MM)
    canvas.translate(item.x * MM, (height - item.y) * MM)
    if item.turn_deg:
        canvas.rotate(-item.turn_deg)
    put = {"left": canvas.drawString, "middle": canvas.drawCentredString, "right": canvas.drawRightString}
    put[item.align](0, 0, item.text)
    canvas.restoreState()


def _draw_shape(canvas: Canvas, item: Shape, height: float) -> None:
    ink = item.ink
    outline: PDFPathObject = canvas.beginPath()
    for verb, values in item.segments:
        at = [(height - value if i % 2 else value) * MM for i, value in enumerate(values)]
        if verb == "M":
            outline.moveTo(*at)
        elif verb == "L":
            outline.lineTo(*at)
        elif verb == "C":
            outline.curveTo(*at)
        else:
            outline.close()
    if ink.fill:
        canvas.setFillColor(ink.fill)
    if ink.stroke:
        canvas.setStrokeColor(ink.stroke)
        canvas.setLineWidth(ink.width * MM)
        canvas.setLineCap(1 if ink.round else 0)
        canvas.setLineJoin(1 if ink.round else 0)
        canvas.setDash([part * MM for part in ink.dash])
    canvas.drawPath(outline, stroke=1 if ink.stroke else 0, fill=1 if ink.fill else 0)


TOKEN = re.compile(r"([MLHVCAZ])|(-?(?:\d+\.?\d*|\.\d+))", re.IGNORECASE)
OPERANDS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}


@cache
def _parse(data: str) -> tuple[Segment, ...]:
    """SVG path data as absolute M, L, C and Z segments. Raises ValueError for other verbs."""
    tokens = [verb or number for verb, number in TOKEN.findall(data)]
    if re.sub(r"[\s,]", "", data) != "".join(tokens):
        raise ValueError(f"path data not understood: {data!r}")
    out: list[Segment] = []
    here: Point = (0.0, 0.0)
    start = here
    verb, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            verb, at = tokens[at], at + 1
        values = [float(token) for token in tokens[at : at + OPERANDS[verb.upper()]]]
        at += len(values)
        base = here if verb.islower() else (0.0, 0.0)
        kind = verb.upper()
        if kind == "Z":
            out.append(("Z", ()))
            here = start
            continue
        if kind == "H":
            end = (base[0] + values[0], here[1])
        elif kind == "V":
            end = (here[0], base[1] + values[0])
        else:
            end = (base[0] + values[-2], base[1] + values[-1])
        if kind == "M":
            out.append(("M", end))
            start = end
            verb = "l" if verb.islower() else "L"
        elif kind == "C":
            out.append(("C", tuple(value + base[i % 2] for i, value in enumerate(values))))
        elif kind == "A":
            out += _arc(here, end, values)
        else:
            out.append(("L", end))
        here = end
    return tuple(out)


def _arc(start: Point, end: Point, values: Sequence[float]) -> list[Segment]:
    """A circular arc (rx = ry) as cubic curves, by the endpoint form of SVG."""
    radius, large, sweep = values[0], bool(values[3]), bool(values[4])
    (x1, y1), (x2, y2) = start, end
    chord = math.hypot(x2 - x1, y2 - y1)
    if chord == 0:
        return []
    radius = max(radius, chord / 2)
    lift = math.sqrt(max(radius**2 - (chord / 2) ** 2, 0.0))
    side = -1 if large == sweep else 1
    cx = (x1 + x2) / 2 + side * lift * -(y2 - y1) / chord
    cy = (y1 + y2) / 2 + side * lift * (x2 - x1) / chord
    first = math.atan2(y1 - cy, x1 - cx)
    turn = math.atan2(y2 - cy, x2 - cx) - first
    if sweep and turn < 0:
        turn += 2 * math.pi
    elif not sweep and turn > 0:
        turn -= 2 * math.pi
    pieces = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    step = turn / pieces
    arm = 4 / 3 * math.tan(step / 4) * radius
    out: list[Segment] = []
    for k in range(pieces):
        a, b = first + k * step, first + (k + 1) * step
        ax, ay = cx + radius * math.cos(a), cy + radius * math.sin(a)
        bx, by = cx + radius * math.cos(b), cy + radius * math.sin(b)
        out.append(
            (
                "C",
                (
                    ax - arm * math.sin(a),
                    ay + arm * math.cos(a),
                    bx + arm * math.sin(b),
                    by - arm * math.cos(b),
                    bx,
                    by,
                ),
            )
        )
    return out
