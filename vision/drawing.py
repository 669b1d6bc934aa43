"""The printed mat and pieces as display lists at true size; what print, simulator and tests draw.

`mat_drawing` and `piece_drawing` give `Drawing`s in mm (`pdf()`, `raster(px_per_mm)`). The mat follows the
look: white slots with the seat's shape and letter, light tints, symbols outside the slots, nothing dark
within a slot.
"""

from __future__ import annotations

import math

from assistant.layout import Box, Marker, Mat, Space, Zone
from vision import symbols
from vision.faces import piece_face
from vision.primitives import (
    CAPITAL_EM,
    Drawing,
    Ink,
    Item,
    circle,
    line,
    modules,
    polygon,
    rect,
    text,
    text_width,
    wrap,
)
from vision.symbols import FAINT, FAINT_TEXT, GREY, INK, SMALL_TEXT, WHITE
from vision.tags import marker_matrix

RULER_MM = 100.0
RULER_STEP_MM = 10.0
RULER_LINE = Ink(stroke=INK, width=0.3)
RULER_WORDS = "100 mm. Print at 100 %. If this line is not 100 mm long, the camera cannot place the pieces."

HEX_LINE_MM = 0.5
SLOT_LINE = Ink(fill=WHITE, stroke=GREY, width=0.25)
FRAME_LINE = Ink(stroke=GREY, width=0.3)
SLOT_RADIUS_MM = 0.4
SEAT_SHAPE_MM = 9.0
SEAT_LETTER_MM = 4.2
NAME_MM = 3.4
COST_MM = 3.4
COST_RING_MM = 2.2
HEX_ICON_MM = 3.1
HEX_ICON_GAP_MM = 0.6
INDICATOR_MM = 8.0
"""Diameter of the round place for a city's indicator."""
LEGEND_MM = 4.0
LEGEND_SIGN_MM = 9.0
LEGEND_GAP_MM = 7.0
LEGEND_ROW_MM = 12.5
BARRIER_MM = 2.6
BARRIER_BEADS = Ink(stroke=WHITE, width=1.4, dash=(1.6, 1.6))
PLACE_NAME_MM, PLACE_COST_MM = 2.9, 2.6
PLACE_LINES = 2
PLACE_AIR_MM = 1.0
"""From the words over an action space to its slots."""
TEXT_AIR_MM = 0.9
"""From texts to the sides of the hex."""


def mat_drawing(mat: Mat) -> Drawing:
    """The whole mat at true size, without cut marks."""
    items: list[Item] = [rect(0, 0, mat.width_mm, mat.height_mm, Ink(fill=WHITE))]
    for zone in mat.zones:
        items += _zone_items(zone)
    for space in mat.spaces:
        if space.kind == "hex" and mat.hexgrid is not None:
            items += _hex_items(space, mat.hexgrid.size_mm)
        elif space.kind == "disc":
            items += _disc_items(space)
        elif space.kind == "place":
            items += _place_items(space)
        else:
            items += _card_place_items(space)
    for pair in mat.barriers:
        items += _barrier_items(mat, pair)
    for marker in mat.markers:
        items += marker_items(marker)
    items += _title_items(mat)
    return Drawing(mat.width_mm, mat.height_mm, tuple(items))


def piece_drawing(mat: Mat, payload: str) -> Drawing:
    """The sticker, disc face or card of one payload as an own drawing at true size, upright.

    Raises KeyError when the mat's roster has no such payload.
    """
    return piece_face(mat, payload)


def marker_items(marker: Marker) -> list[Item]:
    """One marker on its white ground."""
    box = marker.box
    return [modules(marker_matrix(marker.id), box.x, box.y, box.w)]


def ruler_items(x: float, y: float, words: str = RULER_WORDS, width: float | None = None) -> list[Item]:
    """A ruler of 100 mm from (x, y) to the right and, beside it, what to do with it (within `width` mm)."""
    items: list[Item] = [line(x, y, x + RULER_MM, y, RULER_LINE)]
    for k in range(round(RULER_MM / RULER_STEP_MM) + 1):
        tick = 1.5 if k % 5 == 0 else 1.0
        at = x + k * RULER_STEP_MM
        items.append(line(at, y - tick, at, y + tick, RULER_LINE))
    if words:
        items.append(text(x + RULER_MM + 2.5, y + 1.0, words, 2.8, fit=width))
    return items


# ---- parts of the mat


def _title_items(mat: Mat) -> list[Item]:
    markers = sorted(mat.markers, key=lambda marker: (marker.box.y, marker.box.x))
    top = [marker for marker in markers if marker.box.y < mat.height_mm / 4]
    if len(top) < 2:
        return []
    left = top[0].box.x + top[0].box.w + 8
    right = top[1].box.x - 8
    y = top[0].box.y
    items: list[Item] = [text(left, y + 8, mat.title, 9, bold=True, fit=right - left)]
    words = f"Box copy {mat.copy}"
    if mat.provenance:
        words += f" · {mat.provenance}"
    items.append(text(left, y + 14.5, words, 4, fit=right - left))
    items += ruler_items(left, y + 20.5, width=right - left - RULER_MM - 2.5)
    if len(top) > 2:
        items += _legend_items(mat, top[1].box.x + top[1].box.w + 10, y, top[-1].box.x - 8)
    return items


def _legend_items(mat: Mat, left: float, top: float, right: float) -> list[Item]:
    """The signs of the mat explained in rows from `left` to `right`; terrains in the first row."""
    items: list[Item] = []
    x, y = left, top + 5.5
    for k, entry in enumerate(mat.legend):
        wide = LEGEND_SIGN_MM + 2 + text_width(entry.words, LEGEND_MM) + LEGEND_GAP_MM
        changed = k > 0 and (entry.kind == "tint") != (mat.legend[k - 1].kind == "tint")
        if x > left and (changed or x + wide - LEGEND_GAP_MM > right):
            x, y = left, y + LEGEND_ROW_MM
        middle = x + LEGEND_SIGN_MM / 2
        if entry.kind == "tint":
            ground = Ink(fill=symbols.TINTS.get(entry.name, WHITE), stroke=INK, width=0.3, round=True)
            items.append(_hexagon(middle, y, LEGEND_SIGN_MM / 2, ground))
            items += symbols.terrain_symbol(entry.name, middle, y, 4.6)
        elif entry.kind == "icon":
            items.append(symbols.icon(entry.name, middle, y, 5))
        else:
            items.append(circle(middle, y, COST_RING_MM, Ink(fill=WHITE, stroke=INK, width=0.35)))
            base = y + COST_MM * CAPITAL_EM / 2
            items.append(text(middle, base, entry.name, COST_MM, bold=True, align="middle"))
        items.append(text(x + LEGEND_SIGN_MM + 2, y + LEGEND_MM * CAPITAL_EM / 2, entry.words, LEGEND_MM))
        x += wide
    return items


def _hexagon(x: float, y: float, size: float, ink: Ink) -> Item:
    """A pointy-top hexagon round (x, y), `size` from centre to corner."""
    angles = [math.radians(60 * k - 30) for k in range(6)]
    return polygon(((x + size * math.cos(a), y + size * math.sin(a)) for a in angles), ink)


def _barrier_items(mat: Mat, pair: tuple[str, str]) -> list[Item]:
    """A beaded bar along the common edge of two hexes."""
    assert mat.hexgrid is not None
    (ax, ay), (bx, by) = (mat.space_named(name).centre for name in pair)
    x, y = (ax + bx) / 2, (ay + by) / 2
    # Half the edge is half the hex's size; it runs across the line between the middles.
    share = mat.hexgrid.size_mm / 2 / math.hypot(bx - ax, by - ay)
    dx, dy = (by - ay) * share, (ax - bx) * share
    ends = (x - dx, y - dy, x + dx, y + dy)
    return [line(*ends, Ink(stroke=INK, width=BARRIER_MM, round=True)), line(*ends, BARRIER_BEADS)]


def _zone_items(zone: Zone) -> list[Item]:
    if zone.box is None:
        return []
    box = zone.box
    items: list[Item] = [rect(box.x, box.y, box.w, box.h, FRAME_LINE, radius=1.5)]
    base = box.y + 4.9
    items.append(text(box.x + 2, base, zone.title, 4, bold=True, fit=box.w - 4))
    if zone.note:
        x = box.x + 4 + text_width(zone.title, 4, bold=True)
        items.append(text(x, base, zone.note, 3, colour=SMALL_TEXT, fit=box.x + box.w - 2 - x))
    return items


def _card_place_items(space: Space) -> list[Item]:
    items: list[Item] = []
    for slot in space.slots:
        box = slot.box
        items.append(rect(box.x, box.y, box.w, box.h, SLOT_LINE, radius=1.5))
        x, y = box.centre
        words = space.title or space.id.rpartition(":")[2]
        items.append(text(x, y + 2, words, 5.5, colour=FAINT, align="middle", fit=box.w - 6))
        if "row" in space.notes:
            items.append(text(box.x - 3.4, y + 2, space.notes["row"], 5.5, bold=True, align="right"))
    return items


def _disc_items(space: Space) -> list[Item]:
    items: list[Item] = []
    for slot in space.slots:
        box = slot.box
        x, y = box.centre
        ground = Ink(fill=WHITE, stroke=GREY, width=0.3, dash=(1.2, 0.9) if space.tint == "white" else ())
        items.append(circle(x, y, box.w / 2 - 0.5, ground))
        items.append(text(x, y + 2, space.title, 6, colour=FAINT, align="middle"))
        items.append(text(x, box.y - 1.2, space.title, 4, bold=True, align="middle"))
    return items


def _place_items(space: Space) -> list[Item]:
    """An action space: name and cost over its slots, each with a faint sign of what it is for."""
    first, last = space.slots[0].box, space.slots[-1].box
    wide = last.x + last.w - first.x
    cost = space.notes.get("cost", "")
    lines = wrap(space.title, PLACE_NAME_MM, wide, bold=True)[:PLACE_LINES]
    base = first.y - PLACE_AIR_MM - (PLACE_COST_MM * 1.2 if cost else 0)
    items: list[Item] = []
    for n, words in enumerate(lines):
        above = (len(lines) - 1 - n) * PLACE_NAME_MM * 1.05
        items.append(text(first.x, base - above, words, PLACE_NAME_MM, bold=True, fit=wide))
    if cost:
        items.append(text(first.x, first.y - PLACE_AIR_MM, cost, PLACE_COST_MM, colour=SMALL_TEXT))
    for slot in space.slots:
        x, y = slot.box.centre
        items.append(rect(slot.box.x, slot.box.y, slot.box.w, slot.box.h, SLOT_LINE, radius=1.5))
        items.append(circle(x, y, slot.box.w / 2 - 1.5, Ink(stroke=FAINT, width=0.3)))
    return items


def _hex_items(space: Space, size: float) -> list[Item]:
    x, y = space.centre
    tint = symbols.TINTS.get(space.tint, WHITE)
    ground = Ink(fill=tint, stroke=INK, width=HEX_LINE_MM, round=True)
    items: list[Item] = [_hexagon(x, y, size - HEX_LINE_MM / 2, ground)]
    for slot in space.slots:
        items.append(rect(slot.box.x, slot.box.y, slot.box.w, slot.box.h, SLOT_LINE, radius=SLOT_RADIUS_MM))
        items += _seat_hint(slot.seat, slot.box)
    half = max((abs(slot.box.y - y) for slot in space.slots), default=size / 2)
    items += _hex_top(space, x, y - half, size)
    items += _hex_bottom(space, x, y + half, size)
    return items


def _seat_hint(seat: str | None, box: Box) -> list[Item]:
    """The faint shape and letter of the seat a slot belongs to; a double box for what belongs to nobody."""
    x, y = box.centre
    if seat is None:
        return [rect(x - k, y - k, 2 * k, 2 * k, Ink(stroke=FAINT, width=0.7)) for k in (3.0, 1.4)]
    if seat not in symbols.SEAT_SHAPES:
        return []
    drop = symbols.SEAT_LETTER_DROP[seat] * SEAT_SHAPE_MM / symbols.SEAT_BOX
    base = y + drop + SEAT_LETTER_MM * CAPITAL_EM / 2
    return [
        symbols.seat_shape(seat, x, y, SEAT_SHAPE_MM, None, FAINT, 0.7),
        text(x, base, seat, SEAT_LETTER_MM, colour=FAINT_TEXT, align="middle"),
    ]


def _half_width(size: float, below_tip: float) -> float:
    """Half the width of a pointy-top hex `below_tip` mm from its tip, in the pointed part."""
    return below_tip * math.sqrt(3)


def _hex_top(space: Space, x: float, edge: float, size: float) -> list[Item]:
    """Above the slots: the cost in a ring, icons of what a city yields, the name."""
    y = space.centre[1]
    base = edge - 1.0
    cap = NAME_MM * CAPITAL_EM
    room = 2 * (_half_width(size, size - (y - base) - cap) - TEXT_AIR_MM)
    items: list[Item] = [text(x, base, space.title, NAME_MM, bold=True, align="middle", fit=room)]
    if "cost" not in space.notes:
        return items
    icons = [name for name in space.notes.get("icons", "").split(",") if name]
    ring_y = base - cap - 0.6 - COST_RING_MM
    wide = 2 * COST_RING_MM + len(icons) * (HEX_ICON_MM + HEX_ICON_GAP_MM)
    at = x - wide / 2 + COST_RING_MM
    items.append(circle(at, ring_y, COST_RING_MM, Ink(fill=WHITE, stroke=INK, width=0.35)))
    cost = space.notes["cost"]
    items.append(text(at, ring_y + COST_MM * CAPITAL_EM / 2, cost, COST_MM, bold=True, align="middle"))
    at += COST_RING_MM + HEX_ICON_GAP_MM + HEX_ICON_MM / 2
    for name in icons:
        items.append(symbols.icon(name, at, ring_y, HEX_ICON_MM))
        at += HEX_ICON_MM + HEX_ICON_GAP_MM
    return items


def _hex_bottom(space: Space, x: float, edge: float, size: float) -> list[Item]:
    """Below the slots: the terrain's symbol, and a city's indicator place with number and station power."""
    items: list[Item] = []
    if "power" in space.notes:
        middle = edge + 0.9 + INDICATOR_MM / 2
        ring = Ink(fill=WHITE, stroke=INK, width=0.35, dash=(0.9, 0.7))
        items.append(circle(x, middle, INDICATOR_MM / 2, ring))
        number = space.notes.get("number", "")
        items.append(text(x, middle + 1.0, number, 2.8, colour=GREY, align="middle"))
        high = edge + 2.9
        items += symbols.terrain_symbol(space.tint, x - 8.6, high, 4.1)
        items.append(symbols.icon("power", x + 6.4, high, 3.4))
        items.append(text(x + 8.2, high + 1.35, space.notes["power"], 3.7, bold=True))
        return items
    items += symbols.terrain_symbol(space.tint, x, edge + 3.4, 4.6)
    words = space.notes.get("effect", space.id)
    base = edge + 8.2
    room = 2 * (_half_width(size, size - (base - space.centre[1])) - 0.5)
    items.append(text(x, base, words, 2.7, colour=SMALL_TEXT, align="middle", fit=room))
    return items
