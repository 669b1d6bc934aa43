"""The known codes: read where no decoder reads any more, and never taken for something that is not there."""

import math
from functools import cache

import cv2
import msgspec
import numpy as np
import pytest
import segno
from numpy.typing import NDArray

from assistant.layout import Scene, compose_payload, piece_number
from tests.vision.foreign import foreign_table
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.codebook import (
    LEAST_FIT,
    LEAST_FIT_TO_FRAME,
    LEAST_LEAD,
    Codebook,
    Match,
    local_maps,
    located,
)
from vision.geometry import QR_MODULES, Lens, MatGeometry
from vision.mat import Pose, locate
from vision.modules import (
    data_bits,
    data_places,
    data_signs,
    format_bits,
    format_places,
    function_modules,
    masks,
)
from vision.optics import Image, halved
from vision.reader import Reader
from vision.simulator import SimulatedTable, View

MAT = small_mat()
OURS = MatGeometry.from_mat(MAT)
FAR = msgspec.structs.replace(LOW, height_mm=440.0)
"""Our small mat at 1.5 px per module."""
CODE_MM = 12.0


@cache
def roster(seed: int, size: int = 1000) -> frozenset[str]:
    rng = np.random.default_rng(seed)
    digits = list("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return frozenset("".join(rng.choice(digits, 6)) for _ in range(size))


def straight(px_per_mm: float) -> Pose:
    """A camera straight above, the mat's origin in the middle of 200 x 200 pixels."""
    lens = Lens(width=200, height=200, fx=px_per_mm, fy=px_per_mm, cx=100, cy=100)
    return Pose(lens, np.eye(3), (0.0, 0.0, 1.0), {})


def pictured(
    payload: str, px_per_module: float, *, turn_deg: float = 0.0, blur: float = 0.6, mask: int | None = None
) -> Image:
    """One code in the middle of a grey picture of 200 x 200 pixels."""
    code = segno.make_qr(payload, error="h", version=1, boost_error=False, mask=mask)
    dark = np.array([list(row) for row in code.matrix], np.float32)
    large = np.kron(np.pad(190 - 150 * dark, 2, constant_values=190), np.ones((12, 12), np.float32))
    scale = px_per_module / 12
    turn = cv2.getRotationMatrix2D(((large.shape[1] - 1) / 2, (large.shape[0] - 1) / 2), -turn_deg, scale)
    turn = turn + np.array([[0, 0, 100 - (large.shape[1] - 1) / 2], [0, 0, 100 - (large.shape[0] - 1) / 2]])
    soft = cv2.GaussianBlur(large.astype(np.float32), (0, 0), 0.4 / scale)
    flat = cv2.warpAffine(soft, turn, (200, 200), borderValue=120.0)
    seen = cv2.GaussianBlur(flat, (0, 0), blur) + np.random.default_rng(1).normal(0, 2, (200, 200))
    return np.clip(seen, 0, 255).astype(np.uint8)


def matched(
    codebook: Codebook, picture: Image, px_per_module: float, at: tuple[float, float] = (100.0, 100.0)
) -> Match | None:
    pose = straight(px_per_module * QR_MODULES / CODE_MM)
    maps = local_maps(pose, np.array([at]), CODE_MM)
    good, maps = located(picture, halved(picture), maps)
    return codebook.match(picture, maps[0]) if good[0] else None


# ---- what codes look like


def built(payload: str, bits: list[int], mask: int) -> NDArray[np.bool_]:
    """A code put together from what the codebook knows of codes."""
    payloads, signs = data_signs([payload])
    ways = [list(way) for way in data_bits(payload)]
    value, _ = function_modules()
    matrix = value > 0
    turned = masks()[mask]
    for (row, column), sign in zip(data_places(), signs[ways.index(bits)], strict=True):
        matrix[row, column] = (sign > 0) ^ turned[row, column]
    for (row, column), bit in zip(format_places(), format_bits(mask) * 2, strict=True):
        matrix[row, column] = bool(bit)
    assert set(payloads) == {payload}
    return np.asarray(matrix)


@pytest.mark.parametrize("mask", range(8))
@pytest.mark.parametrize(
    "payload", ["R01JKIR", "HXNEM9", "0123456", "A", "AB:C/D. +", "abc", "Zürich", "12345"]
)
def test_codes_are_those_of_other_makers(payload: str, mask: int) -> None:
    code = segno.make_qr(
        payload, error="h", version=1, boost_error=False, mask=mask, encoding="utf-8", eci=False
    )
    printed = np.array([list(row) for row in code.matrix], np.bool_)
    # Digits alone may be written in two ways; segno takes the shorter.
    assert any(np.array_equal(built(payload, bits, mask), printed) for bits in data_bits(payload))


def test_digits_may_be_written_as_letters() -> None:
    code = segno.make_qr("0123456", error="h", version=1, boost_error=False, mode="alphanumeric", mask=3)
    printed = np.array([list(row) for row in code.matrix], np.bool_)
    assert any(np.array_equal(built("0123456", bits, 3), printed) for bits in data_bits("0123456"))
    assert len(data_bits("0123456")) == 3


def test_a_roster_of_odd_payloads_does_no_harm() -> None:
    assert "A" in Codebook(["A", "", "12", "X" * 40]).payloads
    assert Codebook([]).payloads.count(None) >= 900


@pytest.mark.parametrize("payload", ["", "ABCDEFGHIJK", "abcdefgh", "HTTPS://EXAMPLE.COM/A"])
def test_what_fits_no_code_of_version_1_is_left_out(payload: str) -> None:
    assert data_bits(payload) == []
    assert payload not in Codebook([payload, "R01JKIR"]).payloads


# ---- what is there


@pytest.mark.parametrize("turn", [0.0, 17.0, 45.0, 90.0, 133.0, 180.0, 271.0, 340.0])
def test_a_code_is_known_any_way_round(turn: float) -> None:
    codebook = Codebook(roster(1) | {"HXNEM9"})
    match = matched(codebook, pictured("HXNEM9", 1.5, turn_deg=turn), 1.5)
    assert match is not None
    assert (match.payload, match.accepted) == ("HXNEM9", True)
    corners = np.array(match.corners_px)
    assert corners.mean(axis=0) == pytest.approx([100.0, 100.0], abs=0.4)
    along = corners[1] - corners[0]
    assert np.hypot(*along) == pytest.approx(21 * 1.5, rel=0.03)
    off = (math.degrees(math.atan2(along[1], along[0])) - turn + 180) % 360 - 180
    assert off == pytest.approx(0, abs=1.5)


@pytest.mark.parametrize("mask", range(8))
def test_whatever_mask_its_maker_chose(mask: int) -> None:
    match = matched(Codebook(roster(1) | {"HXNEM9"}), pictured("HXNEM9", 1.5, turn_deg=30, mask=mask), 1.5)
    assert match is not None
    assert (match.payload, match.accepted) == ("HXNEM9", True)


@pytest.mark.parametrize("px_per_module", [1.25, 1.5, 2.0, 3.0])
def test_it_need_not_lie_where_it_is_looked_for(px_per_module: float) -> None:
    picture = pictured("HXNEM9", px_per_module, turn_deg=25.0)
    codebook = Codebook(roster(1) | {"HXNEM9"})
    reach = 0.4 * 21 * px_per_module
    for way in range(0, 360, 60):
        at = (100 + reach * math.cos(way), 100 + reach * math.sin(way))
        match = matched(codebook, picture, px_per_module, at)
        assert match is not None
        assert (match.payload, match.accepted) == ("HXNEM9", True)


@pytest.mark.parametrize("seed", [1, 2])
def test_small_tags_of_a_foreign_table_are_all_read(seed: int) -> None:
    there = foreign_table(seed, px_per_module=1.5, tilt_deg=4.0)
    known = roster(seed) | {token.payload for token in there.tokens}
    seen = Reader(there.geometry(), known).read(there.picture)
    truth = {token.payload: token for token in there.tokens}
    read = {sighting.payload: sighting for sighting in seen.sightings}
    assert read.keys() == truth.keys()
    for payload, sighting in read.items():
        token = truth[payload]
        assert sighting.reader == "codebook"
        assert sighting.hex == token.cell
        assert math.hypot(sighting.x_mm - token.x_mm, sighting.y_mm - token.y_mm) < 0.3


def test_our_own_pieces_are_read_from_too_far_away() -> None:
    made = SimulatedTable(MAT, FAR, 1, drawn())
    made.lay(full_scene(MAT))
    seen = Reader(OURS, OURS.payloads).read(made.picture())
    lies = {placement.payload: placement for placement in made.lies.placements}
    assert {s.payload: (s.space, s.slot) for s in seen.sightings} == {
        payload: (placement.space, placement.slot) for payload, placement in lies.items()
    }
    assert {s.reader for s in seen.sightings} == {"codebook"}
    for s in seen.sightings:
        assert (s.turn_deg - lies[s.payload].turn_deg + 180) % 360 - 180 == pytest.approx(0, abs=3)


@pytest.mark.parametrize(
    "change", [{"blur_px": 1.5}, {"motion_px": (4.0, 2.0)}, {"exposure": 0.25, "blur_px": 1.0}]
)
def test_what_blur_smear_and_dusk_leave_is_enough(change: dict[str, object]) -> None:
    view = msgspec.convert({**msgspec.to_builtins(LOW), **change}, View)
    made = SimulatedTable(MAT, view, 1, drawn())
    made.lay(full_scene(MAT))
    seen = Reader(OURS, OURS.payloads).read(made.picture())
    assert {s.payload for s in seen.sightings} == {p.payload for p in made.lies.placements}
    assert "codebook" in {s.reader for s in seen.sightings}


# ---- what is not


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_codes_that_are_not_known_are_never_taken_for_one(size: int) -> None:
    codebook = Codebook(list(roster(3))[:size])
    largest = 0.0
    for i, payload in enumerate(sorted(roster(4, 40))):
        for px_per_module in (1.5, 3.0):
            match = matched(codebook, pictured(payload, px_per_module, turn_deg=9.0 * i), px_per_module)
            assert match is None or not match.accepted
            largest = max(largest, 0.0 if match is None else match.lead)
    assert largest < LEAST_LEAD


def test_another_box_of_the_same_game_is_not_ours() -> None:
    ours = Codebook(compose_payload("R", "01", piece_number(i)) for i in range(385))
    for i in range(0, 385, 8):
        other = compose_payload("R", "02", piece_number(i))
        match = matched(ours, pictured(other, 3.0, turn_deg=7.0 * i), 3.0)
        assert match is not None
        assert not match.accepted
        assert match.fit < LEAST_FIT_TO_FRAME * match.frame


def test_a_table_of_strangers_has_nothing_of_ours() -> None:
    there = foreign_table(1, px_per_module=1.5, tilt_deg=4.0)
    assert Reader(there.geometry(), roster(9)).read(there.picture).sightings == ()
    assert Reader(there.geometry(), roster(9, 3)).read(there.picture).sightings == ()


def test_speckles_bars_noise_and_paper_are_nothing() -> None:
    rng = np.random.default_rng(5)
    codebook = Codebook(roster(1))
    for _ in range(20):
        speckles = np.kron(rng.integers(0, 2, (70, 70)) * 150 + 40, np.ones((3, 3)))[:200, :200]
        bars = np.repeat(rng.integers(0, 2, 100) * 150 + 40, 2)[None].repeat(200, axis=0)
        for picture in (speckles, bars, rng.normal(120, 30, (200, 200)), np.full((200, 200), 200)):
            match = matched(codebook, picture.clip(0, 255).astype(np.uint8), 3.0)
            assert match is None or not match.accepted


def test_a_light_code_on_dark_is_not_taken_for_its_negative() -> None:
    codebook = Codebook(roster(1) | {"HXNEM9"})
    match = matched(codebook, 255 - pictured("HXNEM9", 3.0), 3.0)
    assert match is None or not match.accepted


def test_without_a_roster_it_is_off() -> None:
    there = foreign_table(1, px_per_module=1.5, tilt_deg=4.0)
    reader = Reader(there.geometry())
    assert reader.codebook is None
    assert reader.read(there.picture).sightings == ()


@pytest.mark.parametrize("seen", [0.3, 0.45, 0.6, 0.8])
def test_a_part_of_a_code_is_that_code_or_nothing(seen: float) -> None:
    for turn in range(0, 360, 40):
        picture = pictured("HXNEM9", 3.0, turn_deg=turn)
        picture[:, round(68 + seen * 64) :] = 120
        match = matched(Codebook(roster(1) | {"HXNEM9"}), picture, 3.0)
        assert match is None or not match.accepted or match.payload == "HXNEM9"


def test_each_limit_alone_refuses() -> None:
    good = Match("HXNEM9", 0.8, 0.4, 0.8, ())
    assert good.accepted
    for change in (
        {"payload": None},
        {"fit": LEAST_FIT - 0.01, "frame": 0.4},
        {"lead": LEAST_LEAD - 0.01},
        {"fit": 0.55, "frame": 0.95},
        {"frame": 0.3},
    ):
        assert not msgspec.structs.replace(good, **change).accepted


def test_places_at_the_rim_of_the_picture_do_no_harm() -> None:
    made = SimulatedTable(MAT, FAR, 1, drawn())
    made.lay(Scene(()))
    picture = made.picture()
    pose = locate(picture, OURS)
    assert pose is not None
    rim = np.array([[0.0, 0.0], [picture.shape[1] - 1.0, picture.shape[0] - 1.0], [-30.0, 10.0]])
    good, maps = located(picture, halved(picture), local_maps(pose, rim, OURS.code_mm))
    assert not good.any()
    codebook = Codebook(roster(1))
    matches = [codebook.match(picture, place) for place in maps]
    assert all(match is None or not match.accepted for match in matches)
