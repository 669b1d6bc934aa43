"""Draws the wiring of the panel: `python -m deploy.wiring` writes docs/pictures/wiring.svg from
deploy/kiosk.toml.

The header of the board is drawn as one sees it with the USB ports to the right and the header at the far edge
turned upright: pin 1 is at the top left. What is connected to a pin stands beside it, with its sign.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
CONFIG = HERE / "kiosk.toml"
PICTURE = HERE.parent / "docs" / "pictures" / "wiring.svg"

# Place on the header of each GPIO number, on every Raspberry Pi with 40 pins.
# fmt: off
PLACES = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# fmt: on
GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
POWERS = {1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V"}
# Seats have the colours of the screen, and always their letter as well.
COLOURS = {"A": "#C2410C", "B": "#1D4ED8", "C": "#15803D", "D": "#7E22CE", "": "#334155"}

WIDTH, ROW, TOP, LEFT_HOLE, RIGHT_HOLE = 1000, 34, 96, 470, 530
FONT = "font-family='DejaVu Sans, Verdana, sans-serif'"


class Wire(NamedTuple):
    """One pin that is used: its GPIO number, the seat's letter or "", "button", "lamp" or "buzzer", and its
    words."""

    gpio: int
    seat: str
    kind: str
    words: str


def wires(panel: Mapping[str, Any]) -> Iterator[Wire]:
    """All wires of a panel's settings."""
    for seat, pins in sorted(panel.get("seats", {}).items()):
        yield Wire(pins["plus"], seat, "button", f"seat {seat}: plus")
        yield Wire(pins["ok"], seat, "button", f"seat {seat}: OK")
        lamps = pins.get("lamp", [])
        for number, pin in enumerate(lamps if isinstance(lamps, list) else [lamps]):
            part = f" {('red', 'green', 'blue')[number]}" if isinstance(lamps, list) else ""
            yield Wire(pin, seat, "lamp", f"seat {seat}: lamp{part}")
    if "next" in panel:
        yield Wire(panel["next"], "", "button", "table: next")
    if "buzzer" in panel:
        yield Wire(panel["buzzer"], "", "buzzer", "table: buzzer")


def drawing(panel: Mapping[str, Any]) -> str:
    """The picture as SVG text; the same settings give the same text."""
    used = {PLACES[wire.gpio]: wire for wire in wires(panel)}
    height = TOP + 20 * ROW + 150
    out = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' role='img' {FONT}>",
        "<title>Wiring of the panel</title>",
        f"<rect width='{WIDTH}' height='{height}' fill='#FFFFFF'/>",
        _text(WIDTH / 2, 36, "The panel on the header of the Raspberry Pi", 22, "middle", bold=True),
        _text(WIDTH / 2, 62, "GPIO numbers are bold; small numbers are places on the header", 14, "middle"),
        f"<rect x='{LEFT_HOLE - 36}' y='{TOP - 20}' width='132' height='{20 * ROW + 6}' rx='8' "
        "fill='#E2E8F0'/>",
    ]
    names = {place: gpio for gpio, place in PLACES.items()}
    for place in range(1, 41):
        out += _pin(place, names.get(place), used.get(place))
    out += _legend(TOP + 20 * ROW + 24)
    return "\n".join([*out, "</svg>"]) + "\n"


def _pin(place: int, gpio: int | None, wire: Wire | None) -> Iterator[str]:
    right = place % 2 == 0
    x, y = RIGHT_HOLE if right else LEFT_HOLE, TOP + (place - 1) // 2 * ROW
    side = 1 if right else -1
    anchor = "start" if right else "end"
    colour = COLOURS[wire.seat] if wire is not None else "#94A3B8"
    if place in GROUNDS:
        colour = "#000000"
    shape = f"<circle cx='{x}' cy='{y}' r='10' fill='{colour}'/>"
    if place == 1:
        shape = f"<rect x='{x - 10}' y='{y - 10}' width='20' height='20' fill='{colour}'/>"
    yield shape
    yield _text(x, y + 4, str(place), 10, "middle", colour="#FFFFFF")
    if wire is None:
        words = "ground" if place in GROUNDS else POWERS.get(place, f"GPIO {gpio}")
        yield _text(
            x + side * 44, y + 5, words, 12, anchor, colour="#000000" if place in GROUNDS else "#64748B"
        )
        return
    near, far = x + side * 14, x + side * 130
    yield f"<line x1='{near}' y1='{y}' x2='{far}' y2='{y}' stroke='{colour}' stroke-width='3'/>"
    yield _text(x + side * 44, y - 6, f"GPIO {wire.gpio}", 12, anchor, bold=True)
    yield from _sign(wire.kind, far, y, side, colour)
    yield _text(far + side * 130, y + 5, wire.words, 15, anchor, bold=True, colour=colour)


def _sign(kind: str, x: float, y: float, side: int, colour: str) -> Iterator[str]:
    """The sign of a part between its wire and ground, 120 wide, away from the header."""
    line = f"stroke='{colour}' stroke-width='2.5' fill='none'"
    ground = x + side * 112
    if kind == "button":
        yield f"<path d='M{x} {y} h{side * 24} l{side * 34} -10 M{x + side * 60} {y} h{side * 52}' {line}/>"
        yield f"<circle cx='{x + side * 24}' cy='{y}' r='3' fill='{colour}'/>"
        yield f"<circle cx='{x + side * 60}' cy='{y}' r='3' fill='{colour}'/>"
    elif kind == "lamp":
        left = min(x + side * 8, x + side * 44)
        yield f"<path d='M{x} {y} h{side * 8} M{x + side * 44} {y} h{side * 14}' {line}/>"
        yield f"<rect x='{left}' y='{y - 7}' width='36' height='14' {line}/>"
        yield f"<path d='M{x + side * 58} {y - 9} v18 l{side * 18} -9 z' fill='{colour}'/>"
        yield f"<path d='M{x + side * 76} {y - 9} v18 M{x + side * 76} {y} h{side * 36}' {line}/>"
    else:
        yield f"<path d='M{x} {y} h{side * 30} M{x + side * 66} {y} h{side * 46}' {line}/>"
        yield f"<circle cx='{x + side * 48}' cy='{y}' r='13' {line}/>"
        yield _text(x + side * 48, y + 5, "♪", 14, "middle", colour=colour)
    bars = f"M{ground} {y - 9} v18 M{ground + side * 5} {y - 6} v12 M{ground + side * 10} {y - 2} v4"
    yield f"<path d='{bars}' {line}/>"


def _legend(y: float) -> Iterator[str]:
    rows = (
        ("button", "a button between its pin and ground; no resistor, the board pulls the pin up"),
        ("lamp", "an LED with 330 ohm between its pin and ground (16 mA at most; more needs a transistor)"),
        ("buzzer", "a passive piezo between its pin and ground"),
    )
    for number, (kind, words) in enumerate(rows):
        at = y + number * 32
        yield from _sign(kind, 60, at, 1, "#334155")
        yield _text(210, at + 5, words, 14, "start")
    yield _text(
        60,
        y + 104,
        "Any ground will do (6, 9, 14, 20, 25, 30, 34, 39). Never connect 5 V or 3.3 V.",
        14,
        "start",
    )


def _text(
    x: float, y: float, words: str, size: int, anchor: str, *, bold: bool = False, colour: str = "#0F172A"
) -> str:
    weight = " font-weight='bold'" if bold else ""
    look = f"font-size='{size}' text-anchor='{anchor}' fill='{colour}'{weight}"
    return f"<text x='{x}' y='{y}' {look}>{escape(words)}</text>"


def panel_of(config: Path = CONFIG) -> dict[str, Any]:
    """The panel's settings in a configuration file."""
    panel: dict[str, Any] = tomllib.loads(config.read_text(encoding="utf-8"))["panel"]
    return panel


def main() -> int:
    """Write the picture."""
    PICTURE.write_text(drawing(panel_of()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
