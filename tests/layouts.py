"""What tests of every game ask of a printed mat."""

from __future__ import annotations

import math

from assistant.layout import Mat, slot_mm


def assert_slots_keep_off_the_edges(sheet: Mat, by_mm: float) -> None:
    """Each slot of a hex is large enough for a sticker, and lies `by_mm` or more inside its hex."""
    assert sheet.hexgrid is not None
    inradius = sheet.hexgrid.size_mm * math.sqrt(3) / 2
    for space, slot in sheet.slots():
        if space.hex is None:
            continue
        assert (slot.box.w, slot.box.h) >= slot_mm(sheet.sticker_mm)
        for x in (slot.box.x, slot.box.x + slot.box.w):
            for y in (slot.box.y, slot.box.y + slot.box.h):
                dx, dy = abs(x - space.centre[0]), abs(y - space.centre[1])
                assert max(dx, dx / 2 + dy * math.sqrt(3) / 2) < inradius - by_mm
