"""The mat on paper: one sheet when the page is large enough, otherwise cut into sheets that are joined.

Sheets overlap by a flap at the right and below. The next sheet is cut at its left and upper edge and laid
on the flap, at the joint marks. No joint goes through a marker, because the camera measures by them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

from assistant.layout import MARKER_EDGE_MM, Box, LayoutError, Mat
from vision.drawing import RULER_MM, mat_drawing, ruler_items
from vision.primitives import Drawing, Ink, Item, Page, Window, line, text
from vision.symbols import INK, SMALL_TEXT

PAPER_MM = {"A4": (210.0, 297.0), "A3": (297.0, 420.0)}
SMALLEST_PAGE_MM = (120.0, 80.0)
"""Less has no room for the ruler and a marker."""
LARGEST_PAGE_MM = 5000.0
"""A PDF page cannot be larger (200 inches)."""
SIDE_MM = 9.0
TOP_MM = 9.0
BOTTOM_MM = 13.0
"""White round the mat on each sheet, for marks, ruler and the printer's own edge."""
FLAP_MM = 8.0
MARK_MM = 3.5
MARK_GAP_MM = 0.8
CUT_LINE = Ink(stroke=INK, width=0.15)
JOINT_LINE = Ink(stroke=INK, width=0.25, dash=(1.0, 0.6))
SEARCH_MM = 0.5
"""Step of the search for a joint beside a marker."""


@dataclass(frozen=True)
class MatSheet:
    """One sheet of the mat: which part of the mat (mm) lies where on the page (mm)."""

    part: Box
    at: tuple[float, float]
    size: tuple[float, float]
    column: int
    row: int


def page_size(name: str) -> tuple[float, float]:
    """Width and height in mm of "A4", "A3" (upright) or "WxH" in mm. Raises LayoutError."""
    if name.upper() in PAPER_MM:
        return PAPER_MM[name.upper()]
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)", name.strip())
    if not found:
        raise LayoutError(
            [f"page {name!r} is not understood: use A4, A3, or width x height in mm such as 980x550"]
        )
    w, h = float(found[1]), float(found[2])
    least_w, least_h = SMALLEST_PAGE_MM
    if w < least_w or h < least_h:
        raise LayoutError([f"a page of {w:g} x {h:g} mm is too small: at least {least_w:g} x {least_h:g} mm"])
    if max(w, h) > LARGEST_PAGE_MM:
        raise LayoutError([f"a page of {w:g} x {h:g} mm is too large: a PDF holds {LARGEST_PAGE_MM:g} mm"])
    return w, h


def mat_sheets(mat: Mat, page: str) -> list[MatSheet]:
    """How the mat is laid out on pages: one sheet if it fits, else the fewest sheets, row by row.

    A4 and A3 are turned as needs fewer sheets. Raises LayoutError.
    """
    w, h = page_size(page)
    if w >= mat.width_mm and h >= mat.height_mm:
        at = ((w - mat.width_mm) / 2, (h - mat.height_mm) / 2)
        return [MatSheet(Box(0, 0, mat.width_mm, mat.height_mm), at, (w, h), 1, 1)]
    sizes = [(w, h), (h, w)] if page.upper() in PAPER_MM else [(w, h)]
    return min((_tiles(mat, size) for size in sizes), key=len)


def _tiles(mat: Mat, size: tuple[float, float]) -> list[MatSheet]:
    across = _joints(
        mat.width_mm,
        size[0] - 2 * SIDE_MM,
        [(m.box.x - MARKER_EDGE_MM, m.box.x + m.box.w + MARKER_EDGE_MM) for m in mat.markers],
    )
    down = _joints(
        mat.height_mm,
        size[1] - TOP_MM - BOTTOM_MM,
        [(m.box.y - MARKER_EDGE_MM, m.box.y + m.box.h + MARKER_EDGE_MM) for m in mat.markers],
    )
    sheets = []
    for j, (top, bottom) in enumerate(pairwise(down)):
        for i, (left, right) in enumerate(pairwise(across)):
            part = Box(
                left,
                top,
                min(right + FLAP_MM, mat.width_mm) - left,
                min(bottom + FLAP_MM, mat.height_mm) - top,
            )
            sheets.append(MatSheet(part, (SIDE_MM, TOP_MM), size, i + 1, j + 1))
    return sheets


def _joints(length: float, room: float, shut: list[tuple[float, float]]) -> list[float]:
    """Joints from 0 to `length`, pieces about equal and, with the flap, no longer than `room`.

    No joint lies inside one of the `shut` intervals.
    """
    step = room - FLAP_MM
    count = max(1, math.ceil((length - FLAP_MM) / step))
    while count * step < 4 * length:
        joints = [0.0]
        for k in range(1, count):
            ideal = length * k / count
            low = max(joints[-1] + FLAP_MM, length - FLAP_MM - (count - k) * step)
            high = joints[-1] + step
            tries = [low + n * SEARCH_MM for n in range(max(0, int((high - low) / SEARCH_MM)) + 1)]
            good = [x for x in tries if x <= high and not any(a < x < b for a, b in shut)]
            if not good:
                break
            joints.append(min(good, key=lambda x: abs(x - ideal)))
        else:
            return [*joints, length]
        count += 1
    raise LayoutError([f"pages that leave {room:g} mm cannot carry the mat without cutting a marker"])


def mat_pages(mat: Mat, sheets: list[MatSheet]) -> list[Page]:
    """The pages to print for these sheets."""
    whole = mat_drawing(mat)
    across = max(sheet.column for sheet in sheets)
    return [_page(mat, whole, sheet, k + 1, len(sheets), across) for k, sheet in enumerate(sheets)]


def _page(mat: Mat, whole: Drawing, sheet: MatSheet, number: int, count: int, across: int) -> Page:
    (x, y), part, (w, h) = sheet.at, sheet.part, sheet.size
    box = Box(x, y, part.w, part.h)
    items: list[Item] = []
    flap_right = part.x + part.w < mat.width_mm
    flap_below = part.y + part.h < mat.height_mm
    right = box.x + box.w - (FLAP_MM if flap_right else 0)
    bottom = box.y + box.h - (FLAP_MM if flap_below else 0)
    room = min(box.x, w - box.x - box.w, box.y, h - box.y - box.h)
    if room >= MARK_MM + MARK_GAP_MM:
        items += _marks(box, right, bottom, flap_right, flap_below)
    if count > 1:
        words = f"{mat.title} · mat, sheet {number} of {count} (column {sheet.column}, row {sheet.row})"
        if flap_right:
            words += f" · on the right comes sheet {number + 1}"
        if flap_below:
            words += f" · below comes sheet {number + across}"
        items.append(text(x + 6, y - 5.2, words, 2.6, colour=SMALL_TEXT, fit=w - 2 * x - 12))
    if h - box.y - box.h >= BOTTOM_MM - MARK_MM:
        words = "100 mm, print at 100 %."
        if count > 1:
            words += " Cut left and above at the solid marks, lay on the dashed joint marks of the neighbour."
        items += ruler_items(x, h - 5.0, words, width=w - x - RULER_MM - 2.5 - SIDE_MM / 2)
    window = Window(whole, x - part.x, y - part.y, (box.x, box.y, box.w, box.h))
    return Page(Drawing(w, h, tuple(items)), (window,))


def _marks(box: Box, right: float, bottom: float, flap_right: bool, flap_below: bool) -> list[Item]:
    """Cut marks at the edges that are cut, joint marks where the neighbour's edge will lie."""
    near, far = MARK_GAP_MM, MARK_GAP_MM + MARK_MM
    end_x, end_y = box.x + box.w, box.y + box.h
    upright = [(box.x, CUT_LINE), (right, JOINT_LINE if flap_right else CUT_LINE)]
    level = [(box.y, CUT_LINE), (bottom, JOINT_LINE if flap_below else CUT_LINE)]
    items: list[Item] = []
    for x, ink in upright:
        items.append(line(x, box.y - near, x, box.y - far, ink))
        items.append(line(x, end_y + near, x, end_y + far, ink))
    for y, ink in level:
        items.append(line(box.x - near, y, box.x - far, y, ink))
        items.append(line(end_x + near, y, end_x + far, y, ink))
    return items
