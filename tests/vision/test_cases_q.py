"""Reading troubles that other projects' users reported, each with its smallest picture (rows Q01 to Q10)."""

import logging
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
import segno
import zxingcpp

from assistant.layout import Placement, Scene
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.clutter import Litter
from vision.codebook import Codebook, local_maps, located
from vision.decoders import read_codes, read_zbar, read_zxing
from vision.geometry import Lens, MatGeometry
from vision.mat import Pose
from vision.optics import Image, halved
from vision.primitives import modules
from vision.reader import Reader
from vision.simulator import SimulatedTable, View
from vision.tags import qr_matrix

MAT = small_mat()
OURS = MatGeometry.from_mat(MAT)
READER = Reader(OURS, OURS.payloads)


def code(content: str | bytes, scale: int, quiet: int = 4) -> Image:
    matrix = np.array([list(row) for row in segno.make_qr(content, error="h").matrix], np.uint8)
    square = np.pad(255 - 255 * matrix, quiet, constant_values=255)
    return np.asarray(np.kron(square, np.ones((scale, scale), np.uint8)), np.uint8)


def table(scene: Scene, view: View = LOW) -> SimulatedTable:
    made = SimulatedTable(MAT, view, 1, drawn())
    made.lay(scene)
    return made


# ---- Q01: a decoder guesses an old East Asian charset


@pytest.mark.parametrize("content", ["TR-012", "Zürich".encode(), b"\xb8\xd6\x90\xaf"])
def test_q01_what_is_not_ours_is_never_guessed_into_a_piece(content: str | bytes) -> None:
    made = table(Scene(()))
    picture = made.picture()
    x, y = made.simulator.where(np.array([MAT.space_named("h11").centre]))[0].astype(int)
    thing = code(content, 2) // 2 + 60
    top, left = y - thing.shape[0] // 2, x - thing.shape[1] // 2
    picture[top : top + thing.shape[0], left : left + thing.shape[1]] = thing
    # Not even when the texts that others make of these bytes were payloads of ours.
    guesses = {"TR-012", "Zurich", "ZURICH", "Zﾃｼrich", "Zürich", "ｸﾖ値", "¸Ö\x90¯", "고맙"} - {content}
    seen = Reader(OURS, (OURS.payloads or frozenset()) | guesses, READER.printed).read(picture)
    assert seen.sightings == ()
    assert len(seen.foreign) == 1
    shown = (
        content
        if isinstance(content, str)
        else "".join(chr(b) if 0x20 <= b < 0x7F else f"\\x{b:02x}" for b in content)
    )
    assert seen.foreign == (shown,)


# ---- Q02: the best scale differs from code to code


def test_q02_codes_of_every_size_are_found_whatever_the_scale() -> None:
    frame = np.full((3000, 4000), 255, np.uint8)
    for i, scale in enumerate((1, 2, 3, 4)):
        thing = code(f"SCALE{scale}", scale)
        frame[500 + 600 * i :, 700 + 800 * i :][: thing.shape[0], : thing.shape[1]] = thing
    assert sorted(c.text or "" for c in read_codes(frame)) == ["SCALE1", "SCALE2", "SCALE3", "SCALE4"]
    for shrink, left in ((0.5, 3), (0.25, 1)):
        small = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        found = {c.text for c in read_codes(np.asarray(small, np.uint8))}
        assert found >= {f"SCALE{scale}" for scale in range(5 - left, 5)}


def test_q02_below_the_floor_it_says_how_far_to_lower_the_camera() -> None:
    made = table(Scene(()), View(width=1536, height=864, height_mm=400.0))
    problem = next(p for p in READER.read(made.picture()).problems if p.kind == "small_tags")
    assert "Lower the camera" in problem.text
    assert float(problem.values["px_per_module"]) < 2.05


# ---- Q03: only a few of many codes in one clean picture


@pytest.mark.parametrize(("count", "columns"), [(9, 3), (27, 9), (60, 10)])
def test_q03_a_grid_of_codes_is_read_whole(count: int, columns: int) -> None:
    texts = [f"GRID{i:02d}" for i in range(count)]
    rows = [np.hstack([code(t, 3) for t in texts[i : i + columns]]) for i in range(0, count, columns)]
    picture = np.vstack(rows).astype(np.uint8)
    assert sorted(c.text or "" for c in read_zxing(picture)) == texts
    assert {c.text for c in read_codes(picture)} == set(texts)


def test_q03_a_piece_that_cannot_be_read_is_not_gone() -> None:
    made = table(full_scene(MAT))
    picture = made.picture()
    x, y = made.simulator.where(np.array([MAT.space_named("h11").slots[0].box.centre]))[0].astype(int)
    rng = np.random.default_rng(1)
    picture[y - 30 : y + 30, x - 30 : x + 30] = rng.permutation(
        picture[y - 30 : y + 30, x - 30 : x + 30].ravel()
    ).reshape(60, 60)
    seen = READER.read(picture)
    assert len(seen.sightings) == 28
    assert "h11" in seen.hidden | seen.doubtful


# ---- Q05: corners outside the picture, texts on the wrong places


def test_q05_each_text_lies_on_its_own_hex() -> None:
    left, right = MAT.pieces[0].payload, MAT.pieces[4].payload
    seen = READER.read(table(Scene((Placement(left, "h00", "A"), Placement(right, "h20", "A")))).picture())
    assert {s.payload: s.hex for s in seen.sightings} == {left: (0, 0), right: (2, 0)}


def test_q05_a_code_with_a_corner_outside_is_dropped_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def found(*corners: tuple[float, float]) -> SimpleNamespace:
        names = ("top_left", "top_right", "bottom_right", "bottom_left")
        points = {name: SimpleNamespace(x=x, y=y) for name, (x, y) in zip(names, corners, strict=True)}
        return SimpleNamespace(valid=True, bytes=b"A", position=SimpleNamespace(**points))

    dream = found((10, 10), (170, 10), (170, 50), (10, 50))
    good = found((10, 10), (50, 10), (50, 50), (10, 50))
    monkeypatch.setattr("vision.decoders.zxingcpp.read_barcodes", lambda *_, **__: [dream, good])
    with caplog.at_level(logging.INFO, logger="vision.decoders"):
        assert len(read_zxing(np.zeros((100, 100), np.uint8))) == 1
    assert "outside the picture" in caplog.text


# ---- Q07: wood grain is reported as a barcode


def test_q07_two_hundred_bare_tables_hold_nothing() -> None:
    rng = np.random.default_rng(7)
    digits = list("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    known = frozenset("".join(rng.choice(digits, 6)) for _ in range(1000))
    codebook = Codebook(known)
    scale = 3.0 * 21 / 12
    pose = Pose(Lens(400, 300, scale, scale, 200, 150), np.eye(3), (0.0, 0.0, 1.0), {})
    spots = np.array([[x, y] for x in (100.0, 200.0, 300.0) for y in (100.0, 200.0)])
    maps = local_maps(pose, spots, 12.0)
    for _ in range(200):
        noise = rng.normal(0, 1, (300, 400)).astype(np.float32)
        grain = cv2.GaussianBlur(noise, (0, 0), sigmaX=rng.uniform(1, 9), sigmaY=rng.uniform(0.5, 3))
        wood = np.clip(120 + 60 * grain / grain.std(), 0, 255).astype(np.uint8)
        # With every symbology on something may be read, but never one of ours.
        assert not {code.text for code in zxingcpp.read_barcodes(wood)} & known
        assert read_zxing(wood) == []
        good, moved = located(wood, halved(wood), maps)
        matches = [codebook.match(wood, place) for place in moved[good]]
        assert all(match is None or not match.accepted for match in matches)


# ---- Q08: light codes on dark ground


def test_q08_inverse_print_is_refused_by_the_sheet_maker() -> None:
    matrix = qr_matrix(MAT.pieces[0].payload)
    for light in ("#ffffff", "#808080", "#ffff00", "#0000ff"):
        with pytest.raises(ValueError, match="dark on white"):
            modules(matrix, 0, 0, 12, dark=light)
    assert modules(matrix, 0, 0, 12).ink.fill == "#000000"


def test_q08_somebody_elses_inverse_code_is_read_when_anything_is_asked_for() -> None:
    both = np.hstack([code("NORMAL", 4), 255 - code("INVERSE", 4)]).astype(np.uint8)
    assert {c.text for c in read_codes(both)} == {"NORMAL", "INVERSE"}
    assert {c.text for c in read_zxing(both)} == {c.text for c in read_zbar(both)} == {"NORMAL"}


# ---- Q10: one card fires many times, two alike collapse into one (what follows in time is the watcher's)


def test_q10_two_pieces_with_one_payload_are_two_sightings() -> None:
    payload = MAT.pieces[0].payload
    made = table(Scene((Placement(payload, "h00", "A"),)))
    x, y = MAT.space_named("h10").slots[0].box.centre
    made.litter = (Litter("qr", x, y, 12 * 25 / 21, text=payload),)
    seen = READER.read(made.picture())
    places = np.array([(s.x_mm, s.y_mm) for s in seen.sightings if s.payload == payload])
    assert len(places) == 2
    assert np.hypot(*(places[0] - places[1])) == pytest.approx(54, abs=4)


def test_q10_a_card_that_stays_is_the_same_sighting_again() -> None:
    made = table(Scene((Placement(MAT.pieces[24].payload, "cards:1", "1"),)))
    looks = [READER.read(made.picture()).sightings for _ in range(5)]
    assert {tuple(s.payload for s in look) for look in looks} == {(MAT.pieces[24].payload,)}
    xs = [look[0].x_mm for look in looks]
    assert max(xs) - min(xs) < 0.3
