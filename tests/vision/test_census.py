"""The census of a box: what is missing, foreign or there twice, from pictures of its pieces."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from assistant.cases import load_pack
from assistant.game import find_title
from assistant.layout import Mat, compose_payload, piece_number
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.census import Census, census_of, piece_words, read_tags, take_census
from vision.clutter import Litter
from vision.decoders import Code
from vision.geometry import MatGeometry
from vision.optics import Image
from vision.primitives import render
from vision.reader import read_picture
from vision.sheets import print_all
from vision.simulator import SimulatedTable

PX_PER_MM = 4.0


@cache
def box() -> Mat:
    """A box of Railway Boom."""
    title = find_title("railway_boom")
    return title.open(load_pack(title, None, Path()), 4, {}).mat("01")


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Image]]:
    """Every sheet of pieces as a picture, by the name of its file."""
    folder = tmp_path_factory.mktemp("sheets")
    out: dict[str, list[Image]] = {}
    for path in print_all(box(), folder):
        if path.suffix == ".pdf" and path.stem != "mat":
            pages = render(path.read_bytes(), PX_PER_MM)
            out[path.stem] = [np.asarray(cv2.cvtColor(p, cv2.COLOR_RGB2GRAY), np.uint8) for p in pages]
    return out


def everything(sheets: dict[str, list[Image]]) -> list[Image]:
    return [page for pages in sheets.values() for page in pages]


def painted_over(picture: Image, codes: list[Code], payload: str) -> Image:
    """A picture without one of its tags."""
    (code,) = (code for code in codes if code.text == payload)
    x, y = code.centre_px.astype(int)
    half = int(code.side_px * 0.7)
    out = picture.copy()
    out[max(0, y - half) : y + half, max(0, x - half) : x + half] = 255
    return out


def seen(*texts: str) -> list[Code]:
    """Codes in one picture, side by side."""
    square = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
    return [Code(text, square + [60.0 * k, 0.0], "zxing") for k, text in enumerate(texts)]


def whole_box() -> list[str]:
    return [piece.payload for piece in box().pieces]


def test_all_sheets_of_a_box_are_complete(sheets: dict[str, list[Image]]) -> None:
    census = take_census(box(), everything(sheets))
    assert census.complete
    # A disc has two faces and is one piece.
    assert (census.present, census.expected) == (381, 381)
    assert sum(census.pictures) == 385


def test_what_is_missing_is_told_by_class_the_minimal_set_apart(sheets: dict[str, list[Image]]) -> None:
    gone = [p for p in box().pieces if p.seat == "A" and p.what == "rail" and p.name in ("07", "12", "25")]
    pictures = everything(sheets)
    for piece in gone:
        for k, picture in enumerate(pictures):
            codes = read_tags(picture)
            if any(code.text == piece.payload for code in codes):
                pictures[k] = painted_over(picture, codes, piece.payload)
    census = take_census(box(), pictures)
    assert [group.told() for group in census.missing_first] == ["seat A, rail: 07, 12"]
    assert [group.told() for group in census.missing_rest] == ["seat A, rail: 25"]
    assert census.missing_first[0].payloads == tuple(piece.payload for piece in gone[:2])
    assert not census.strange
    assert census.present == 378


def test_a_simulated_table_is_counted_without_its_mat() -> None:
    mat = small_mat()
    table = SimulatedTable(mat, LOW, seed=5, textures=drawn())
    scene = full_scene(mat)
    table.lay(scene)
    table.litter = (Litter("qr", 300.0, 20.0), Litter("bars", 90.0, 185.0))
    census = take_census(mat, [table.picture()])
    laid = {placement.payload for placement in scene.placements}
    missing = {payload for group in census.missing for payload in group.payloads}
    assert missing == {piece.payload for piece in mat.pieces} - laid
    assert census.foreign == {"SOMEBODY ELSE": 1}
    assert not census.duplicates


def test_several_pictures_are_one_box_and_one_picture_may_not_show_a_tag_twice() -> None:
    rail = box().pieces[0]
    both = census_of(box(), [seen(*whole_box()), seen(rail.payload)])
    assert both.complete
    twice = census_of(box(), [seen(*whole_box(), rail.payload)])
    assert not twice.complete
    (double,) = twice.duplicates
    assert (double.payload, double.piece, double.picture) == (rail.payload, "seat A, rail: 01", 1)
    assert len(double.places_px) == 2


def test_strangers_are_told_apart() -> None:
    other = compose_payload("R", "02", piece_number(40))
    unknown = compose_payload("R", "01", piece_number(5000))
    game = compose_payload("T", "01", piece_number(3))
    right = box().pieces[3].payload
    damaged = right[:-1] + ("0" if right[-1] != "0" else "1")
    texts = [*whole_box(), other, unknown, game, damaged, "HTTP://X.EX", "\\x00", "XYZ1234"]
    census = census_of(box(), [seen(*texts), seen("HTTP://X.EX")])
    assert [(s.copy, s.piece) for s in census.other_copies] == [("02", "seat B, rail: 01")]
    assert [s.payload for s in census.not_in_pack] == [unknown]
    assert [s.payload for s in census.other_games] == [game]
    assert census.damaged == (damaged,)
    assert census.foreign == {"HTTP://X.EX": 2, "\\x00": 1, "XYZ1234": 1}
    assert not census.missing
    assert not census.complete


def test_one_face_of_a_disc_is_enough() -> None:
    faces = [piece for piece in box().pieces if piece.form == "disc" and piece.seat == "B"]
    assert len(faces) == 2
    for face in faces:
        there = [payload for payload in whole_box() if payload != face.payload]
        assert census_of(box(), [seen(*there)]).complete
    none = [payload for payload in whole_box() if payload not in {face.payload for face in faces}]
    assert [group.told() for group in census_of(box(), [seen(*none)]).missing] == ["seat B, disc"]
    assert piece_words(faces[1]) == "seat B, disc: down"


def test_small_and_soft_tags_are_read_enlarged(sheets: dict[str, list[Image]]) -> None:
    page = sheets["stickers-rest"][0]
    # 12 mm codes at 3.6 px per mm: 2 px a module, and soft.
    small = np.asarray(cv2.resize(page, None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA), np.uint8)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8), np.uint8)
    texts = {code.text for code in read_tags(small)}
    rest = {p.payload for p in box().pieces if p.what == "rail" and not p.first}
    assert len(texts & rest) == len(rest)
    assert read_tags(np.full((40, 60), 255, np.uint8)) == []


def test_of_a_picture_that_cannot_be_read_it_is_said_why(sheets: dict[str, list[Image]]) -> None:
    page = sheets["stickers-first"][0]
    # 12 mm codes at 1.6 px per mm: 0.9 px a module.
    small = np.asarray(cv2.resize(page, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA), np.uint8)
    noise = np.random.default_rng(1).normal(0, 3, page.shape)
    dark = np.asarray(np.clip(page * 0.03 + noise, 0, 255), np.uint8)
    soft = np.asarray(cv2.GaussianBlur(page, (0, 0), 2.0), np.uint8)
    bare = np.full((400, 600), 180, np.uint8)
    census = take_census(box(), [page, small, dark, soft, bare])
    kinds = [[problem.kind for problem in problems] for problems in census.problems]
    assert kinds == [[], ["small_tags"], ["too_dark"], ["blurred"], ["no_tags"]]
    assert census.pictures == (96, 0, 0, 0, 0)
    assert census.blank
    assert not census.complete
    assert not take_census(box(), [page]).blank


def test_with_the_mat_in_it_a_picture_has_the_problems_that_read_tells() -> None:
    mat = small_mat()
    table = SimulatedTable(mat, msgspec.structs.replace(LOW, height_mm=620.0), seed=5, textures=drawn())
    table.lay(full_scene(mat))
    picture = table.picture()
    census = take_census(mat, [picture])
    told = list(read_picture(picture, MatGeometry.from_mat(mat)).problems)
    assert census.pictures == (0,)
    assert [problem.kind for problem in told] == ["small_tags"]
    assert list(census.problems[0]) == told


def test_a_census_is_plain_data() -> None:
    census = census_of(box(), [seen("R01")])
    assert msgspec.json.decode(msgspec.json.encode(census), type=Census) == census
