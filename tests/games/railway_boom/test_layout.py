"""The mat and the roster of Railway Boom as printed."""

import math
from functools import cache
from pathlib import Path

import msgspec
import pytest

import assistant.games.railway_boom.pack as pack_types
from assistant import packs
from assistant.games.railway_boom import card_faces
from assistant.games.railway_boom.layout import mat
from assistant.layout import LayoutError, Mat, mat_faults, smallest_hex_mm
from tests.layouts import assert_slots_keep_off_the_edges

INLAND_SEA = Path(pack_types.__file__).parent / "packs" / "inland_sea.toml"
FIXTURE = Path(__file__).parents[2] / "fixtures" / "fx.toml"
VIEW_MM = (1120, 620)
"""What a Camera Module 3 sees from 900 mm, with room for a small tilt."""


@cache
def pack() -> packs.Pack[pack_types.Content]:
    return packs.load(INLAND_SEA, pack_types.Content)


@cache
def inland_sea(seats: int = 4, copy: str = "01") -> Mat:
    return mat(pack(), seats=seats, copy=copy)


def test_the_mat_is_sound_and_the_camera_sees_all_of_it() -> None:
    sheet = inland_sea()
    assert mat_faults(sheet) == []
    assert sheet.width_mm <= VIEW_MM[0]
    assert sheet.height_mm <= VIEW_MM[1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_hex_has_a_slot_a_seat(seats: int) -> None:
    sheet = inland_sea(seats)
    assert mat_faults(sheet) == []
    hexes = [space for space in sheet.spaces if space.hex is not None]
    assert len(hexes) == 80
    assert all([slot.seat for slot in space.slots] == list("ABCD"[:seats]) for space in hexes)


def test_three_seats_have_the_slots_of_four_without_the_last() -> None:
    for space in inland_sea(3).spaces:
        wide = inland_sea(4).space_named(space.id)
        assert space.slots == wide.slots[: len(space.slots)]


def test_slots_lie_inside_their_hex_with_room_for_a_careless_hand() -> None:
    sheet = inland_sea()
    assert sheet.hexgrid is not None
    inradius = sheet.hexgrid.size_mm * math.sqrt(3) / 2
    assert 2 * inradius >= smallest_hex_mm(sheet.sticker_mm, 4)
    assert_slots_keep_off_the_edges(sheet, 0.5)


def test_hexes_lie_where_the_grid_says() -> None:
    sheet = inland_sea()
    assert sheet.hexgrid is not None
    g9 = sheet.space_named("g9")
    assert g9.hex == (5, 6)
    assert sheet.hexgrid.at(*g9.centre) == g9.hex
    east = sheet.space_named("g10")
    assert east.centre[0] - g9.centre[0] == pytest.approx(54.0)
    assert east.centre[1] == pytest.approx(g9.centre[1])


def test_hexes_are_named_as_printed_and_carry_their_values() -> None:
    sheet = inland_sea()
    assert sheet.space_named("g9").title == "g9 River"
    goldbeck = sheet.space_named("g11")
    assert goldbeck.title == "g11 Goldbeck"
    assert goldbeck.notes == {"cost": "2", "icons": "materials", "power": "7", "number": "28"}
    assert sheet.space_named("h11").notes == {"cost": "2", "effect": "draw 2"}


def test_zones_have_their_places() -> None:
    sheet = inland_sea()
    counts: dict[str, int] = {}
    for space in sheet.spaces:
        counts[space.zone] = counts.get(space.zone, 0) + 1
    assert counts == {
        "map": 80,
        "locomotives": 4,
        "carriages": 6,
        "stations": 4,
        "developments": 12,
        "draw": 4,
        "objectives": 4,
        "routes": 4,
        "auction": 24,
    }
    assert {zone.id for zone in sheet.zones} == set(counts)
    track = [space.id for space in sheet.spaces if space.zone == "auction"]
    assert track[:5] == ["auction:w1", "auction:w2", "auction:w3", "auction:w4", "auction:1"]
    assert track[-1] == "auction:20"
    lefts = [sheet.space_named(name).centre[0] for name in track]
    assert lefts == sorted(lefts)


def test_zone_frames_do_not_meet_and_hold_their_places() -> None:
    sheet = inland_sea()
    frames = {zone.id: zone.box for zone in sheet.zones if zone.box is not None}
    for space in sheet.spaces:
        if space.zone in frames:
            assert all(slot.box.within(frames[space.zone]) for slot in space.slots)
    boxes = list(frames.values())
    assert not any(a.meets(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_at_least_six_markers_some_of_them_mid_edge() -> None:
    sheet = inland_sea()
    assert len(sheet.markers) >= 6
    assert [marker.id for marker in sheet.markers] == list(range(len(sheet.markers)))
    near = 60.0

    def corner(x: float, y: float) -> bool:
        return min(x, sheet.width_mm - x) < near and min(y, sheet.height_mm - y) < near

    corners = [marker for marker in sheet.markers if corner(*marker.box.centre)]
    assert len(corners) == 4
    assert len(sheet.markers) - len(corners) >= 2


def test_the_roster_of_a_box() -> None:
    sheet = inland_sea()
    counts: dict[str, int] = {}
    for piece in sheet.pieces:
        counts[piece.what] = counts.get(piece.what, 0) + 1
    assert counts == {
        "rail": 120,
        "station": 16,
        "disc_up": 4,
        "disc_down": 4,
        "start_locomotive": 4,
        "locomotive": 22,
        "carriage": 30,
        "station_card": 36,
        "development": 74,
        "objective": 18,
        "route": 7,
        "city_tile": 36,
        "tourist_tile": 14,
    }
    rails = [piece.name for piece in sheet.pieces if piece.what == "rail" and piece.seat == "B"]
    assert rails == [f"{n:02d}" for n in range(1, 31)]


def test_a_piece_has_the_same_number_in_every_copy_and_for_every_number_of_seats() -> None:
    def numbers(sheet: Mat) -> dict[tuple[str, str, str | None], str]:
        return {(p.what, p.name, p.seat): p.payload[3:6] for p in sheet.pieces}

    four = numbers(inland_sea())
    assert numbers(inland_sea(4, "7K")) == four
    assert numbers(inland_sea(2)).items() <= four.items()
    assert all(piece.payload.startswith("R7K") for piece in inland_sea(4, "7K").pieces)


def test_small_hexes_too_many_seats_and_a_wrong_copy_are_refused() -> None:
    with pytest.raises(LayoutError) as caught:
        mat(pack(), hex_mm=52.0)
    assert "need at least 52.1 mm" in str(caught.value)
    with pytest.raises(LayoutError, match="printed for 2, 3 or 4"):
        mat(pack(), seats=5)
    with pytest.raises(LayoutError, match="two characters"):
        mat(pack(), copy="a1")


def test_two_seats_may_have_smaller_hexes() -> None:
    small = mat(pack(), seats=2, hex_mm=45.0)
    assert mat_faults(small) == []


def test_a_slot_that_leaves_its_hex_is_a_fault() -> None:
    sheet = inland_sea()
    first = sheet.spaces[0]
    slot = msgspec.structs.replace(first.slots[0], box=first.slots[0].box.grown(3))
    wrong = msgspec.structs.replace(first, slots=(slot, *first.slots[1:]))
    faults = mat_faults(msgspec.structs.replace(sheet, spaces=(wrong, *sheet.spaces[1:])))
    assert f"slot A of {first.id} reaches out of its hex: make the hexes larger" in faults
    assert any("overlap" in fault for fault in faults)


def test_every_card_has_a_face_with_words() -> None:
    sheet = inland_sea()
    faces = {face.payload: face for face in sheet.cards}
    for piece in sheet.pieces:
        if piece.form == "card":
            face = faces[piece.payload]
            assert face.title
            assert piece.what == "start_locomotive" or face.lines or face.values


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (pack_types.Effect(gain={"vp": 2}), "gain 2 VP"),
        (pack_types.Effect(need={"any": 2}, gain={"vp": 1}), "per 2 any tiles: 1 VP"),
        (pack_types.Effect(need={"money": 1, "coal": 1}, gain={"vp": 2}), "per Money + Coal tiles: 2 VP"),
        (
            pack_types.Effect(need={"coal": 1}, income=(pack_types.Raise("tech", 1),)),
            "per Coal tile: Technology income +1",
        ),
        (pack_types.Effect(icon=pack_types.Icon("draw2")), "draw 2"),
    ],
)
def test_effects_in_words(effect: pack_types.Effect, words: str) -> None:
    assert card_faces.effect_text(effect).replace(card_faces.JOIN, " ") == words


def test_a_small_map_makes_a_sound_mat_too() -> None:
    small = packs.load(FIXTURE, pack_types.Content)
    sheet = mat(small)
    assert mat_faults(sheet) == []
    assert len([space for space in sheet.spaces if space.hex is not None]) == len(small.content.hexes)
