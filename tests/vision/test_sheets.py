"""Everything printed: true size, codes that read back, joints, label stocks, `layout.json`."""

import json
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pypdfium2
import pytest
import zxingcpp

import assistant.games.railway_boom.pack as pack_types
from assistant import packs
from assistant.games.railway_boom.layout import mat as railway_boom_mat
from assistant.layout import Box, LayoutError, Marker, Mat, Piece, mat_faults
from vision import labels
from vision.drawing import RULER_MM, mat_drawing, piece_drawing
from vision.faces import code_box
from vision.layout_file import TableLayout, from_layout_json, layout_of, to_layout_json
from vision.primitives import MM, RGB, Text, render, text_box
from vision.sheets import parts, print_all
from vision.tags import QR_MODULES, QUIET_MODULES, closest_codes, marker_matrix
from vision.tiling import mat_sheets, page_size

INLAND_SEA = Path(pack_types.__file__).parent / "packs" / "inland_sea.toml"
LEAST_DISTANCE = 50
"""Modules in which any two codes of a box differ, at least (see vision.tags)."""
QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
LIGHTEST_DARK = 0x90
"""What is darker than this could be taken for part of a code."""


@cache
def box(copy: str = "01") -> Mat:
    return railway_boom_mat(packs.load(INLAND_SEA, pack_types.Content), copy=copy)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("a4")
    print_all(box(), out, page="A4")
    return out


@pytest.fixture(scope="module")
def one_sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The mat as one sheet with white round it, token stickers on labels."""
    out = tmp_path_factory.mktemp("one")
    page = f"{box().width_mm + 20:g}x{box().height_mm + 30:g}"
    print_all(box(), out, page=page, stock="avery-l4732")
    return out


@pytest.fixture(scope="module")
def layout(printed: Path) -> TableLayout:
    return from_layout_json((printed / "layout.json").read_bytes())


def codes(picture: RGB) -> dict[str, tuple[float, float]]:
    """Every QR code in a picture with the pixel of its centre."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    found = {}
    for code in zxingcpp.read_barcodes(grey, formats=QR):
        at = code.position
        corners = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        # One pixel's corner is half a pixel from its centre.
        found[code.text] = (
            sum(point.x for point in corners) / 4 + 0.5,
            sum(point.y for point in corners) / 4 + 0.5,
        )
    return found


# ---- the pieces


def test_every_payload_reads_back_where_layout_json_says(printed: Path, layout: TableLayout) -> None:
    px_per_mm = 6.0
    for part in parts(box()):
        pages = render((printed / part.file).read_bytes(), px_per_mm)
        for number, picture in enumerate(pages, 1):
            expected = {
                entry.payload: entry.code_box.centre
                for entry in layout.printed
                if entry.file == part.file and entry.page == number
            }
            found = codes(picture)
            assert found.keys() == expected.keys()
            for payload, (x, y) in expected.items():
                assert math.dist(found[payload], (x * px_per_mm, y * px_per_mm)) < 0.4 * px_per_mm
    assert {entry.payload for entry in layout.printed} == {piece.payload for piece in box().pieces}


def test_every_face_reads_back_alone_and_keeps_its_code_clear() -> None:
    quiet = QUIET_MODULES
    for piece in box().pieces[::5]:
        px = QR_MODULES / piece.code_mm * 4
        picture = piece_drawing(box(), piece.payload).raster(px)
        assert codes(picture).keys() == {piece.payload}
        at = code_box(box(), piece)
        grey = picture.min(axis=2)
        unit = piece.code_mm / QR_MODULES
        rim = at.grown(quiet * unit - 0.05)
        rows = slice(round(rim.y * px), round((rim.y + rim.h) * px))
        outer = grey[rows, round(rim.x * px) : round((rim.x + rim.w) * px)]
        inner = np.ones(outer.shape, dtype=bool)
        cut = round((quiet * unit - 0.05) * px) - 1
        inner[cut:-cut, cut:-cut] = False
        assert outer[inner].min() > 0xF0, piece


def pictured_texts() -> Iterator[tuple[Piece, list[Text], float, float]]:
    for piece in box().pieces:
        drawing = piece_drawing(box(), piece.payload)
        yield piece, [item for item in drawing.items if isinstance(item, Text)], drawing.width, drawing.height


def test_texts_stay_on_their_piece_and_clear_of_the_code_and_of_each_other() -> None:
    for piece, texts, width, height in pictured_texts():
        whole = Box(0, 0, width, height)
        code = code_box(box(), piece)
        clear = code.grown(QUIET_MODULES * piece.code_mm / QR_MODULES)
        boxes = [text_box(item) for item in texts if item.text]
        for item, covered in zip([item for item in texts if item.text], boxes, strict=True):
            assert covered.within(whole), (piece, item)
            bare = msgspec.structs.replace(covered, h=item.size * 0.73)
            assert not bare.meets(clear), (piece, item)
        for k, first in enumerate(boxes):
            for second in boxes[:k]:
                assert not first.grown(-0.3).meets(second.grown(-0.3)), (piece, texts)


def test_codes_of_a_box_lie_far_apart() -> None:
    for copy in ("01", "0A"):
        assert closest_codes(piece.payload for piece in box(copy).pieces)[0] >= LEAST_DISTANCE


def test_the_minimal_set_comes_first() -> None:
    first = parts(box())[0]
    assert first.file == "stickers-first.pdf"
    assert {piece.what for piece in first.pieces} == {"rail", "station"}
    assert len(first.pieces) == 4 * (20 + 4)


def test_drawings_of_unknown_payloads_are_refused() -> None:
    with pytest.raises(KeyError, match="R000000"):
        piece_drawing(box(), "R000000")


# ---- the mat


@cache
def mat_picture() -> RGB:
    return mat_drawing(box()).raster(4)


def test_the_markers_are_found_where_they_are_said_to_be() -> None:
    picture = cv2.cvtColor(mat_picture(), cv2.COLOR_RGB2GRAY)
    settings = cv2.aruco.DetectorParameters()
    settings.minMarkerPerimeterRate = 0.003
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(picture)
    assert sorted(int(number) for number in ids.ravel()) == [marker.id for marker in box().markers]
    told = {marker.id: marker.corners for marker in layout_of(box()).markers}
    for number, found in zip(ids.ravel(), corners, strict=True):
        expected = np.array(told[int(number)], dtype=np.float64)
        assert np.abs((found[0] + 0.5) / 4 - expected).max() < 0.15


def test_nothing_dark_lies_within_a_slot() -> None:
    picture = mat_picture().max(axis=2)
    for space, slot in box().slots():
        # A disc's place is a circle within its box.
        inset = 0.6 if space.kind != "disc" else slot.box.w * 0.17
        at = slot.box.grown(-inset)
        part = picture[round(at.y * 4) : round((at.y + at.h) * 4), round(at.x * 4) : round((at.x + at.w) * 4)]
        assert part.min() > LIGHTEST_DARK, (space.id, slot.id)


def test_names_fit_their_hexes_and_stay_out_of_the_slots() -> None:
    drawing = mat_drawing(box())
    grid = box().hexgrid
    assert grid is not None
    slots = [slot.box for space, slot in box().slots() if space.hex is not None]
    names = {space.title: space for space in box().spaces if space.hex is not None}
    seen = set()
    for item in drawing.items:
        if not isinstance(item, Text) or item.text not in names:
            continue
        space = names[item.text]
        seen.add(item.text)
        covered = text_box(item)
        for x in (covered.x, covered.x + covered.w):
            for y in (covered.y, covered.y + covered.h - item.size * 0.2):
                assert grid.at(x, y) == space.hex, item
        assert item.size > 3.0
        assert not any(msgspec.structs.replace(covered, h=item.size * 0.73).meets(slot) for slot in slots)
    assert seen == names.keys()


def test_the_seats_are_told_by_shape_and_letter_in_every_slot() -> None:
    texts = [item.text for item in mat_drawing(box()).items if isinstance(item, Text)]
    letters = [words for words in texts if words in set("ABCD")]
    assert letters == list("ABCD") * 80


# ---- paper


@pytest.mark.parametrize(
    ("name", "size"),
    [("A4", (210, 297)), ("a3", (297, 420)), ("980x550", (980, 550)), ("980.5 X 550", (980.5, 550))],
)
def test_pages_are_understood(name: str, size: tuple[float, float]) -> None:
    assert page_size(name) == size


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("A5", "use A4, A3, or width x height"),
        ("10x10", "too small"),
        ("9999x500", "too large"),
        ("", "not understood"),
    ],
)
def test_other_pages_are_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(LayoutError, match=why):
        page_size(name)


@pytest.mark.parametrize(("page", "count"), [("A4", 12), ("A3", 6), ("500x400", 6), ("980x550", 1)])
def test_the_sheets_cover_the_mat_and_cut_no_marker(page: str, count: int) -> None:
    sheets = mat_sheets(box(), page)
    assert len(sheets) == count
    covered = np.zeros((math.ceil(box().height_mm), math.ceil(box().width_mm)), dtype=bool)
    for sheet in sheets:
        part, (w, h) = sheet.part, sheet.size
        covered[
            math.floor(part.y) : math.ceil(part.y + part.h), math.floor(part.x) : math.ceil(part.x + part.w)
        ] = True
        assert Box(*sheet.at, part.w, part.h).within(Box(0, 0, w, h))
        for marker in box().markers:
            clear = marker.box.grown(4)
            assert not clear.x < part.x < clear.x + clear.w
            assert not clear.y < part.y < clear.y + clear.h
    assert covered.all()


def test_pages_that_would_cut_a_marker_are_refused() -> None:
    with pytest.raises(LayoutError, match="without cutting a marker"):
        mat_sheets(msgspec.structs.replace(box(), markers=_wall_of_markers()), "A4")


def _wall_of_markers() -> tuple[Marker, ...]:
    first = box().markers[0]
    return tuple(msgspec.structs.replace(first, id=k, box=Box(k * 20.0, 12.0, 24.0, 24.0)) for k in range(49))


def test_the_joined_sheets_are_the_mat(printed: Path) -> None:
    px = 2.0
    whole = mat_drawing(box()).raster(px).astype(np.int16)
    document = json.loads((printed / "layout.json").read_bytes())
    pages = render((printed / "mat.pdf").read_bytes(), px)
    assert len(pages) == len(document["mat_sheets"]) == 12
    for sheet in document["mat_sheets"]:
        (x, y, w, h), (left, top) = sheet["part_mm"], sheet["at_mm"]
        rows, columns = int(h * px) - 2, int(w * px) - 2
        page = pages[sheet["page"] - 1].astype(np.int16)
        shown = page[round(top * px) : round(top * px) + rows, round(left * px) : round(left * px) + columns]
        meant = whole[round(y * px) : round(y * px) + rows, round(x * px) : round(x * px) + columns]
        # Thin lines fall between pixels differently; shapes do not move.
        blur = [cv2.blur(picture.astype(np.float32), (5, 5)) for picture in (shown, meant)]
        assert np.abs(blur[0] - blur[1]).max() < 12


def test_one_sheet_is_the_mat_at_true_size(one_sheet: Path) -> None:
    document = pypdfium2.PdfDocument(one_sheet / "mat.pdf")
    assert len(document) == 1
    size = document[0].get_size()
    document.close()
    assert size == pytest.approx(((box().width_mm + 20) * MM, (box().height_mm + 30) * MM), abs=0.01)
    (sheet,) = json.loads((one_sheet / "layout.json").read_bytes())["mat_sheets"]
    assert sheet["at_mm"] == [10.0, 15.0]


def longest_dark_run(picture: RGB) -> int:
    """Length in pixels of the longest dark horizontal line in the lowest 16 mm (4 px per mm)."""
    best = 0
    for row in picture[-64:].max(axis=2) < 0x80:
        ends = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        best = max(best, int((ends[1::2] - ends[::2]).max(initial=0)))
    return best


def test_every_sheet_carries_a_ruler_of_100_mm(printed: Path, one_sheet: Path) -> None:
    labels_only = (one_sheet / name for name in ("mat.pdf", "stickers-first.pdf", "stickers-rest.pdf"))
    for file in (*printed.glob("*.pdf"), *labels_only):
        for picture in render(file.read_bytes(), 4):
            assert longest_dark_run(picture) == pytest.approx(RULER_MM * 4, abs=3), file.name


def test_the_same_mat_prints_the_same_bytes(printed: Path, tmp_path: Path) -> None:
    again = print_all(box(), tmp_path, page="A4")
    assert [file.name for file in again] == [
        "mat.pdf",
        "stickers-first.pdf",
        "stickers-rest.pdf",
        "discs.pdf",
        "cards.pdf",
        "cards-rest.pdf",
        "layout.json",
    ]
    for file in again:
        assert file.read_bytes() == (printed / file.name).read_bytes()


def test_a_mat_that_cannot_be_read_is_not_printed(tmp_path: Path) -> None:
    grid = box().hexgrid
    assert grid is not None
    small = msgspec.structs.replace(grid, size_mm=44 / math.sqrt(3))
    wrong = msgspec.structs.replace(box(), hexgrid=small, markers=box().markers[:5])
    with pytest.raises(LayoutError) as caught:
        print_all(wrong, tmp_path / "out")
    said = str(caught.value)
    assert "a hex is 44.0 mm across flats" in said
    assert "at least 52.1 mm" in said
    assert "5 markers, it needs at least 6" in said
    assert not (tmp_path / "out").exists()


def test_double_tags_and_missing_faces_are_faults() -> None:
    twice = msgspec.structs.replace(box(), pieces=(*box().pieces, box().pieces[0]), cards=box().cards[1:])
    faults = mat_faults(twice)
    assert f"two pieces carry the tag {box().pieces[0].payload}" in faults
    assert any("the card has no face to print" in fault for fault in faults)


# ---- label stocks


def test_the_known_stocks_hold_stickers_within_their_labels() -> None:
    known = labels.stocks()
    assert labels.PLAIN in known
    assert len(known) >= 4
    for stock in known.values():
        assert stock.page == (210, 297)
        if stock.label is None:
            continue
        spots = labels.places(stock, box().sticker_mm)
        assert len(spots) >= len(stock.labels())
        assert all(any(spot.within(label) for label in stock.labels()) for spot in spots)


def test_stickers_on_labels_read_back(one_sheet: Path) -> None:
    pages = render((one_sheet / "stickers-first.pdf").read_bytes(), 6)
    assert len(pages) == 2
    found = set().union(*(codes(picture) for picture in pages))
    assert found == {piece.payload for piece in parts(box())[0].pieces}


def test_a_label_too_small_is_refused() -> None:
    stock = labels.Stock("Tiny", (210, 297), (17.8, 10.0), (10, 27), (5, 5), (19, 10.6))
    with pytest.raises(LayoutError, match=r"Tiny: a label of 17\.8 x 10 mm is too small"):
        labels.places(stock, (17.3, 14.3))


def test_an_unknown_stock_is_refused_with_the_known_ones() -> None:
    with pytest.raises(LayoutError, match="no label stock 'avery'; known are avery-l4732"):
        labels.find_stock("avery")


def test_all_faults_of_the_label_data_are_named() -> None:
    wrong = {
        "far": {"name": "Far", "page": [210, 297], "label": [60, 30], "grid": [4, 9], "pitch": [61, 31]},
        "flat": {"name": "Flat", "page": [210, 297], "label": [60, 0], "grid": [3, 9], "pitch": [61, 31]},
        "odd": {"name": "Odd", "page": [210, 297], "colour": "blue"},
    }
    with pytest.raises(LayoutError) as caught:
        labels.read_stocks(dict(wrong))
    assert [fault.split(":")[0] for fault in caught.value.faults] == [
        "label stock far",
        "label stock flat",
        "label stock odd",
        "the label stocks lack 'plain', plain paper",
    ]


# ---- layout.json


def test_the_file_has_the_keys_of_a_scene_and_says_where_everything_is(printed: Path) -> None:
    document = json.loads((printed / "layout.json").read_bytes())
    assert document["version"] == 1
    assert document["game"] == "railway_boom"
    assert document["board_mm"] == [box().width_mm, box().height_mm]
    assert document["tag"] == {"family": "qr", "code_mm": 12.0, "quiet_modules": 2, "modules": 21}
    assert document["markers"]["dictionary"] == "DICT_4X4_50"
    assert document["markers"]["list"][0]["corners_mm"] == [[12, 12], [36, 12], [36, 36], [12, 36]]
    assert document["hexgrid"]["orientation"] == "pointy"
    assert len(document["hexgrid"]["cells"]) == 80
    assert "camera" not in document
    rail = box().pieces[0]
    entry = document["pieces"][rail.payload]
    assert entry["what"] == "rail"
    assert entry["seat"] == "A"
    assert entry["side"] == 12.0
    assert entry["file"] == "stickers-first.pdf"
    assert entry["page"] == 1
    x, y, w, h = entry["box_mm"]
    assert (w, h) == box().sticker_mm
    assert Box(x, y, w, h).within(Box(0, 0, 210, 297))


def test_what_is_written_is_read(layout: TableLayout) -> None:
    known = layout_of(box(), layout.printed)
    assert layout.board_mm == known.board_mm
    assert layout.hexgrid == known.hexgrid
    assert layout.markers == known.markers
    assert layout.tag == known.tag
    assert [(p.payload, p.what, p.name, p.seat, p.form, p.height_mm) for p in layout.pieces] == [
        (p.payload, p.what, p.name, p.seat, p.form, p.height_mm) for p in known.pieces
    ]
    for read, meant in zip(layout.spaces, known.spaces, strict=True):
        assert (read.id, read.zone, read.kind, read.hex) == (meant.id, meant.zone, meant.kind, meant.hex)
        for slot, other in zip(read.slots, meant.slots, strict=True):
            assert (slot.id, slot.seat) == (other.id, other.seat)
            assert math.dist(slot.box.centre, other.box.centre) < 0.001


def test_a_mat_without_hexes_has_no_grid() -> None:
    flat = msgspec.structs.replace(box(), hexgrid=None, spaces=box().spaces[80:])
    document = json.loads(to_layout_json(flat))
    assert "hexgrid" not in document
    assert from_layout_json(to_layout_json(flat)).hexgrid is None


SCENE = {
    "board_mm": [800.0, 600.0],
    "markers": {
        "dictionary": "DICT_4X4_50",
        "list": [{"id": 0, "corners_mm": [[5, 5], [29, 5], [29, 29], [5, 29]]}],
    },
    "hexgrid": {
        "orientation": "pointy",
        "size_mm": 20.0,
        "origin_mm": [51.3, 54.0],
        "cells": [[0, 0], [-1, 2]],
    },
    "camera": {
        "width": 4608,
        "height": 2592,
        "K": [[1, 0, 2], [0, 1, 3], [0, 0, 1]],
        "dist": [0.1, 0, 0, 0, 0],
    },
    "tag": {"family": "qr", "code_mm": 13.3, "quiet_modules": 2.0, "modules": 21},
}


def test_a_scene_without_pieces_is_a_layout_too() -> None:
    layout = from_layout_json(json.dumps(SCENE))
    assert layout.board_mm == (800, 600)
    assert layout.hexgrid is not None
    assert layout.hexgrid.cells == ((0, 0), (-1, 2))
    assert layout.camera is not None
    assert layout.camera.matrix[0] == (1, 0, 2)
    assert layout.tag.code_mm == 13.3
    assert layout.pieces == ()


def test_every_fault_of_a_layout_file_is_named_with_its_place() -> None:
    wrong = SCENE | {
        "version": 99,
        "board_mm": [800],
        "markers": {"dictionary": 4, "list": [{"id": "a", "corners_mm": [[5, 5], [29, "x"]]}]},
        "tag": {"code_mm": -1},
        "hexgrid": {"orientation": "flat", "size_mm": 0, "origin_mm": [1, 2], "cells": [[0]]},
        "spaces": [{"id": "g9", "centre_mm": [1, 2], "slots": [{"id": "A", "box_mm": [0, 0, 0, 1]}]}],
        "pieces": {"R01005R": {"what": "rail", "name": 1, "code_mm": 12}},
    }
    with pytest.raises(LayoutError) as caught:
        from_layout_json(json.dumps(wrong))
    said = "\n".join(caught.value.faults)
    for place in (
        "version: the file is of version 99",
        "board_mm: expected 2 numbers, found [800]",
        "markers.dictionary: expected a text, found 4",
        "markers.list[0].id: expected a whole number",
        "markers.list[0].corners_mm: expected 4 points",
        "tag: expected code_mm and modules above 0",
        'hexgrid.orientation: expected "pointy", found "flat"',
        "hexgrid.size_mm: expected a length above 0",
        "hexgrid.cells[0]: expected [q, r], found [0]",
        "spaces[0].slots[0].box_mm: expected a width and a height above 0",
        "pieces.R01005R.name: expected a text, found 1",
    ):
        assert place in said, place


@pytest.mark.parametrize(
    ("text", "why"), [("{", "is not JSON"), ("[]", "must be a JSON object"), ("{}", "markers")]
)
def test_what_is_no_layout_is_refused(text: str, why: str) -> None:
    with pytest.raises(LayoutError, match=why):
        from_layout_json(text)


def test_marker_pictures_are_those_of_the_library() -> None:
    assert len({marker_matrix(number) for number in range(50)}) == 50
