"""The drawing shows the wiring that the settings have, and is the one in the documents."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from deploy.wiring import GROUNDS, PICTURE, PLACES, POWERS, drawing, panel_of, wires


def test_every_place_of_the_header_is_one_thing() -> None:
    assert sorted([*PLACES.values(), *GROUNDS, *POWERS]) == list(range(1, 41))
    assert set(PLACES) == set(range(28))


def test_every_wire_of_the_settings_is_drawn_once() -> None:
    panel = panel_of()
    text = drawing(panel)
    ElementTree.fromstring(text)
    found = re.findall(r"bold'>GPIO (\d+)<", text)
    assert sorted(map(int, found)) == sorted(wire.gpio for wire in wires(panel))
    for wire in wires(panel):
        assert text.count(f">{wire.words}<") == 1


def test_a_lamp_of_three_colours_has_three_wires() -> None:
    panel = {"seats": {"A": {"plus": 5, "ok": 6, "lamp": [12, 16, 20]}}}
    assert [wire.gpio for wire in wires(panel)] == [5, 6, 12, 16, 20]
    assert "lamp green" in drawing(panel)


def test_the_documents_show_this_drawing() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawing(panel_of()), "call: python -m deploy.wiring"
