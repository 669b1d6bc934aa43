"""Everything to print for one game: mat, token stickers, discs, cards, and `layout.json` beside them.

    mat.pdf             the mat, one sheet or several to be joined
    stickers-first.pdf  the minimal set of token stickers, on the label stock or with cut marks
    stickers-rest.pdf   the other token stickers
    discs.pdf           faces of round discs, to be cut out
    cards.pdf           the cards of the game
    cards-rest.pdf      cards that a game can do without
    layout.json         what lies where, for the camera (`vision.layout_file`)

All PDFs are at true size, and each page has a ruler of 100 mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.layout import Box, LayoutError, Mat, Piece, mat_faults
from vision import symbols
from vision.drawing import RULER_MM, piece_drawing, ruler_items
from vision.faces import code_box, piece_size
from vision.labels import PLAIN, Stock, cut_places, find_stock, places
from vision.layout_file import Printed, to_layout_json
from vision.primitives import CAPITAL_EM, Drawing, Ink, Item, Page, line, pdf, text, text_width
from vision.symbols import INK, SMALL_TEXT
from vision.tiling import PAPER_MM, mat_pages, mat_sheets, page_size

LAYOUT_FILE = "layout.json"
MARGIN_MM = 10.0
HEAD_MM = 24.0
"""Height of the heading of a sheet of plain paper, its margin included."""
FOOT_MM = 14.0
"""Height of the ruler's line, the margin included."""
LABEL_EDGE_MM = 5.5
"""How far from the edge the small heading and the ruler of a label sheet stand, in its bare margin."""
CUT_MARK = Ink(stroke=SMALL_TEXT, width=0.15)
CUT_MARK_GAP_MM = 0.5
CUT_MARK_MM = 1.2
TRIM = Ink(stroke=symbols.FAINT, width=0.15, dash=(0.8, 0.8))
"""Outline of a sticker on a larger label, where it is to be cut."""
BADGE_MM = 7.0


@dataclass(frozen=True)
class Part:
    """One PDF of pieces: its file name, what it is called, and the pieces in printed order."""

    file: str
    title: str
    pieces: tuple[Piece, ...]
    labels: bool = False
    """Whether it goes on the label stock."""


def print_all(mat: Mat, out: Path, *, page: str = "A4", stock: str | None = None) -> list[Path]:
    """Write every PDF and `layout.json` into the folder `out` (made when missing); gives their paths.

    `page` is "A4", "A3" or "WxH" in mm and is the paper of the mat: cut into sheets when it does not fit.
    Cards, discs and plain stickers go on A3 when it is "A3", else on A4. `stock` names a label stock of
    `labels.toml` for the token stickers; None is plain paper with cut marks. Raises LayoutError, naming
    every fault of the mat, before anything is written; OSError when a file cannot be written.
    """
    faults = mat_faults(mat)
    if faults:
        raise LayoutError(faults)
    page_size(page)
    labels = find_stock(stock or PLAIN)
    small = PAPER_MM["A3"] if page.upper() == "A3" else PAPER_MM["A4"]
    sheets = mat_sheets(mat, page)
    made: list[tuple[str, bytes]] = [("mat.pdf", pdf(mat_pages(mat, sheets), mat.title))]
    printed: list[Printed] = []
    for part in parts(mat):
        pages, where = _part_pages(mat, part, labels if part.labels else find_stock(PLAIN), small)
        made.append((part.file, pdf(pages, f"{mat.title} · {part.title}")))
        printed += where
    made.append((LAYOUT_FILE, to_layout_json(mat, printed, sheets)))
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in made:
        path = out / name
        path.write_bytes(content)
        written.append(path)
    return written


def parts(mat: Mat) -> list[Part]:
    """The PDFs of pieces that a mat needs, in the order of printing; the minimal set first."""

    def chosen(form: str, first: bool | None = None) -> tuple[Piece, ...]:
        return tuple(p for p in mat.pieces if p.form == form and first in (None, p.first))

    every = [
        Part("stickers-first.pdf", "token stickers, minimal set", chosen("sticker", True), labels=True),
        Part("stickers-rest.pdf", "token stickers, the rest", chosen("sticker", False), labels=True),
        Part("discs.pdf", "discs", chosen("disc")),
        Part("cards.pdf", "cards", chosen("card", True)),
        Part("cards-rest.pdf", "cards that a game can do without", chosen("card", False)),
    ]
    return [part for part in every if part.pieces]


# ---- sheets of pieces


def _part_pages(
    mat: Mat, part: Part, stock: Stock, paper: tuple[float, float]
) -> tuple[list[Page], list[Printed]]:
    """The pages of one part, and where on them each payload is printed."""
    size = piece_size(mat, part.pieces[0])
    on_labels = stock.label is not None
    if on_labels:
        w, h = stock.page
        spots = places(stock, size)
    else:
        w, h = paper
        area = Box(MARGIN_MM + 2, HEAD_MM, w - 2 * MARGIN_MM - 4, h - HEAD_MM - FOOT_MM)
        spots = cut_places(area, size)
    pages: list[Page] = []
    printed: list[Printed] = []
    groups = list(_pages_of(part.pieces, len(spots)))
    for number, pieces in enumerate(groups, 1):
        items: list[Item] = []
        for piece, spot in zip(pieces, spots, strict=False):
            items += piece_drawing(mat, piece.payload).moved(spot.x, spot.y)
            items += _trim(spot) if on_labels else _cut_marks(spot, round_piece=piece.form == "disc")
            code = code_box(mat, piece)
            box = Box(spot.x + code.x, spot.y + code.y, code.w, code.h)
            printed.append(Printed(piece.payload, part.file, number, spot, box))
        count = f", page {number} of {len(groups)}" if len(groups) > 1 else ""
        heading = f"{mat.title}: {contents(pieces)}"
        words = f"Box copy {mat.copy}{count}. {stock.name}."
        if on_labels:
            items += _label_heading(mat, f"{heading}. {words}", w, h)
        else:
            items += _heading(mat, pieces, heading, f"Box copy {mat.copy}{count}. {_advice(part)}", w, h)
        pages.append(Page(Drawing(w, h, tuple(items))))
    return pages, printed


def _pages_of(pieces: Sequence[Piece], room: int) -> Iterator[Sequence[Piece]]:
    for start in range(0, len(pieces), room):
        yield pieces[start : start + room]


def contents(pieces: Sequence[Piece]) -> str:
    """What a page holds, in words: "rail 01 to 20, station 1 to 4"."""
    ranges: dict[str, list[str]] = {}
    for piece in pieces:
        names = ranges.setdefault(piece.what.replace("_", " "), [])
        if piece.name not in names:
            names.append(piece.name)
    said = []
    for what, names in ranges.items():
        if len(names) > 1:
            said.append(f"{what} {names[0]} to {names[-1]}")
        else:
            said.append(what if what.endswith(f" {names[0]}") else f"{what} {names[0]}")
    return ", ".join(said)


def _advice(part: Part) -> str:
    if part.pieces[0].form == "disc":
        return "Matt paper. Cut along the circles; glue up and down on the two sides of one disc."
    if part.pieces[0].form == "card":
        return "Matt card. Cut on the marks."
    return "Matt paper. Cut on the marks. Keep the white edge round each code."


def _heading(mat: Mat, pieces: Sequence[Piece], heading: str, advice: str, w: float, h: float) -> list[Item]:
    """Title, advice and the seats' badges above, the ruler below."""
    seats = sorted({piece.seat for piece in pieces if piece.seat} & set(symbols.SEAT_SHAPES))
    items: list[Item] = []
    x = w - MARGIN_MM - BADGE_MM / 2
    for seat in reversed(seats):
        items.append(
            symbols.seat_shape(seat, x, MARGIN_MM + 3, BADGE_MM, symbols.SEAT_COLOURS[seat], INK, 0.5)
        )
        drop = symbols.SEAT_LETTER_DROP[seat] * BADGE_MM / symbols.SEAT_BOX
        base = MARGIN_MM + 3 + drop + 3.4 * CAPITAL_EM / 2
        items.append(text(x, base, seat, 3.4, bold=True, align="middle"))
        x -= BADGE_MM + 2
    room = x + BADGE_MM / 2 - MARGIN_MM
    items.append(text(MARGIN_MM, MARGIN_MM + 3, heading, 4, bold=True, fit=room))
    items.append(text(MARGIN_MM, MARGIN_MM + 8.6, advice, 2.8, fit=room))
    size = piece_size(mat, pieces[0])
    words = f"100 mm. Print at 100 %. Each {size[0]:g} x {size[1]:g}, code {pieces[0].code_mm:g}."
    room = w - 2 * MARGIN_MM - RULER_MM - 2.5
    items += ruler_items(MARGIN_MM, h - FOOT_MM + 6, words, width=room)
    return items


def _label_heading(mat: Mat, words: str, w: float, h: float) -> list[Item]:
    """Small print in the bare margins of a label sheet."""
    ruler = "100 mm. Print at 100 %, matt labels."
    wide = text_width(words, 2.6)
    size = min(2.6, 2.6 * (w - 2 * MARGIN_MM) / wide)
    return [
        text(MARGIN_MM, LABEL_EDGE_MM + 0.8, words, size),
        *ruler_items(MARGIN_MM, h - LABEL_EDGE_MM, ruler),
    ]


def _trim(spot: Box) -> list[Item]:
    """A faint outline just outside a sticker, to cut along when its label is larger."""
    edge = spot.grown(0.1)
    x2, y2 = edge.x + edge.w, edge.y + edge.h
    ends = [(edge.x, edge.y), (x2, edge.y), (x2, y2), (edge.x, y2)]
    return [line(*a, *b, TRIM) for a, b in zip(ends, [*ends[1:], ends[0]], strict=True)]


def _cut_marks(spot: Box, *, round_piece: bool) -> list[Item]:
    """Two short lines outside each corner; a round piece is cut along its own circle."""
    if round_piece:
        return []
    items: list[Item] = []
    near, far = CUT_MARK_GAP_MM, CUT_MARK_GAP_MM + CUT_MARK_MM
    for x, dx in ((spot.x, -1), (spot.x + spot.w, 1)):
        for y, dy in ((spot.y, -1), (spot.y + spot.h, 1)):
            items.append(line(x + dx * near, y, x + dx * far, y, CUT_MARK))
            items.append(line(x, y + dy * near, x, y + dy * far, CUT_MARK))
    return items
