"""Label stocks as data: which sheets of labels there are, and where stickers lie on one.

The stocks stand in `labels.toml` beside this module.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from assistant.layout import EPSILON_MM, Box, LayoutError

PLAIN = "plain"
"""The stock that is always there: plain paper with cut marks."""
CUT_GAP_MM = 4.0
"""Between pieces on plain paper: room for the cut marks of both."""
LABEL_AIR_MM = 0.5
"""From a sticker to the edge of its label, at least: printers feed that exactly."""
LABEL_GAP_MM = 0.6
"""Between two stickers on one label."""


class Stock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One label stock, lengths in mm; see `labels.toml` for the fields. Without `label` it is plain paper."""

    name: str
    page: tuple[float, float]
    label: tuple[float, float] | None = None
    grid: tuple[int, int] = (0, 0)
    first: tuple[float, float] = (0.0, 0.0)
    pitch: tuple[float, float] = (0.0, 0.0)

    def labels(self) -> list[Box]:
        """The labels of one sheet, row by row."""
        if self.label is None:
            return []
        (columns, rows), (x, y), (dx, dy) = self.grid, self.first, self.pitch
        return [Box(x + i * dx, y + j * dy, *self.label) for j in range(rows) for i in range(columns)]


@cache
def stocks() -> dict[str, Stock]:
    """Every known stock by its id. Raises LayoutError, naming all faults, when the data is wrong."""
    raw = tomllib.loads((files("vision") / "labels.toml").read_text(encoding="utf-8"))
    return read_stocks(raw)


def read_stocks(raw: dict[str, object]) -> dict[str, Stock]:
    """Stocks from the parsed TOML. Raises LayoutError with every fault."""
    found: dict[str, Stock] = {}
    faults: list[str] = []
    for name, table in raw.items():
        try:
            stock = msgspec.convert(table, Stock)
        except msgspec.ValidationError as error:
            faults.append(f"label stock {name}: {error}")
            continue
        faults += [f"label stock {name}: {fault}" for fault in _stock_faults(stock)]
        found[name] = stock
    if PLAIN not in found:
        faults.append(f"the label stocks lack {PLAIN!r}, plain paper")
    if faults:
        raise LayoutError(faults)
    return found


def _stock_faults(stock: Stock) -> list[str]:
    if stock.label is None:
        return []
    if min(*stock.label, *stock.grid, *stock.pitch) <= 0:
        return ["label, grid and pitch must be larger than 0"]
    faults = []
    last = stock.labels()[-1]
    if last.x + last.w > stock.page[0] + EPSILON_MM or last.y + last.h > stock.page[1] + EPSILON_MM:
        faults.append("the last label lies outside the page")
    if stock.pitch[0] < stock.label[0] - EPSILON_MM or stock.pitch[1] < stock.label[1] - EPSILON_MM:
        faults.append("the pitch is smaller than the label, so labels overlap")
    return faults


def find_stock(name: str) -> Stock:
    """The stock of that id. Raises LayoutError that lists the known ones."""
    known = stocks()
    if name not in known:
        raise LayoutError([f"there is no label stock {name!r}; known are {', '.join(sorted(known))}"])
    return known[name]


def places(stock: Stock, size: tuple[float, float]) -> list[Box]:
    """Where pieces of `size` lie on one sheet of labels, row by row; as many to a label as fit, centred.

    Raises LayoutError when a label is too small for one.
    """
    out: list[Box] = []
    for label in stock.labels():
        across = _fit(label.w, size[0])
        down = _fit(label.h, size[1])
        if not across or not down:
            raise LayoutError(
                [
                    f"{stock.name}: a label of {label.w:g} x {label.h:g} mm is too small for a sticker of "
                    f"{size[0]:g} x {size[1]:g} mm; choose a larger stock, or {PLAIN!r} with cut marks"
                ]
            )
        dx, dy = size[0] + LABEL_GAP_MM, size[1] + LABEL_GAP_MM
        x = label.x + (label.w - across * dx + LABEL_GAP_MM) / 2
        y = label.y + (label.h - down * dy + LABEL_GAP_MM) / 2
        out += [Box(x + i * dx, y + j * dy, *size) for j in range(down) for i in range(across)]
    return out


def _fit(room: float, size: float) -> int:
    return int((room - 2 * LABEL_AIR_MM + LABEL_GAP_MM + EPSILON_MM) // (size + LABEL_GAP_MM))


def cut_places(area: Box, size: tuple[float, float]) -> list[Box]:
    """Where pieces of `size` lie in an area of plain paper with room for cut marks, row by row, centred.

    Raises LayoutError when the area does not hold one.
    """
    dx, dy = size[0] + CUT_GAP_MM, size[1] + CUT_GAP_MM
    across = int((area.w + CUT_GAP_MM + EPSILON_MM) // dx)
    down = int((area.h + CUT_GAP_MM + EPSILON_MM) // dy)
    if across < 1 or down < 1:
        raise LayoutError(
            [f"the page leaves {area.w:g} x {area.h:g} mm, too small for {size[0]:g} x {size[1]:g} mm"]
        )
    x = area.x + (area.w - across * dx + CUT_GAP_MM) / 2
    return [Box(x + i * dx, area.y + j * dy, *size) for j in range(down) for i in range(across)]
