"""The mat, the roster and the strips for cards of Trains as printed, and what lies on the mat."""

from __future__ import annotations

import math
import random
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
import pytest

from assistant.actions import TABLE
from assistant.game import find_title
from assistant.games.trains.game import Trains
from assistant.games.trains.layout import LANES, SLEEVE_MM, STRIP_PITCH_MM, lane_room, mat
from assistant.games.trains.state import State
from assistant.layout import (
    Box,
    LayoutError,
    Mat,
    Placement,
    Scene,
    mat_faults,
    slot_rows,
    smallest_hex_mm,
)
from assistant.offers import Form
from tests.layouts import assert_slots_keep_off_the_edges
from vision.careless import middle_of
from vision.geometry import MatGeometry
from vision.reader import Reader
from vision.sheets import print_all
from vision.simulator import SimulatedTable, View
from vision.tags import closest_codes

VIEW_MM = (1120, 620)
"""What a Camera Module 3 sees from 900 mm, with room for a small tilt."""
REACH_MM = 450.0
PACKS = ("kestrel_bay", "tokyo", "osaka")


@cache
def game(pack: str = "kestrel_bay", seats: int = 4) -> Trains:
    title = find_title("trains")
    made = title.open(title.load_pack(pack), seats)
    assert isinstance(made, Trains)
    return made


@pytest.mark.parametrize("pack", PACKS)
def test_the_mat_is_sound_and_the_camera_sees_all_of_it(pack: str) -> None:
    sheet = game(pack).printed
    assert mat_faults(sheet) == []
    assert sheet.width_mm <= VIEW_MM[0]
    assert sheet.height_mm <= VIEW_MM[1]


@pytest.mark.parametrize("pack", PACKS)
def test_every_hex_has_a_slot_for_each_seat_and_each_station(pack: str) -> None:
    table = game(pack)
    for place in table.content.hexes.values():
        slots = table.printed.space_named(place.id).slots
        seats = [slot.seat for slot in slots if slot.seat]
        assert seats == ([] if place.terrain == "sea" else list("ABCD"))
        assert len(slots) - len(seats) == (place.number if place.terrain == "city" else 0)


@pytest.mark.parametrize("pack", PACKS)
def test_slots_keep_off_the_edges_where_barriers_are_printed(pack: str) -> None:
    sheet = game(pack).printed
    assert sheet.hexgrid is not None
    assert sheet.barriers
    assert_slots_keep_off_the_edges(sheet, 1.5)


def test_a_hex_grows_with_its_slots() -> None:
    sticker = (17.3, 14.3)
    assert [slot_rows(n) for n in range(1, 8)] == [
        (1,),
        (2,),
        (2, 1),
        (2, 2),
        (2, 1, 2),
        (2, 2, 2),
        (2, 3, 2),
    ]
    least = [smallest_hex_mm(sticker, n) for n in range(1, 8)]
    assert least == sorted(least)
    assert [round(mm, 1) for mm in (least[3], least[6])] == [52.1, 67.9]
    with pytest.raises(ValueError, match="8 slots"):
        slot_rows(8)


def test_a_hex_too_small_for_a_city_and_a_wrong_copy_are_refused() -> None:
    pack = game().pack
    with pytest.raises(LayoutError, match=r"7 stickers .* need at least 67.9 mm"):
        mat(pack, hex_mm=67.0)
    with pytest.raises(LayoutError, match="two characters"):
        mat(pack, copy="a1")


@pytest.mark.parametrize("pack", PACKS)
def test_lanes_stand_apart_and_are_in_reach(pack: str) -> None:
    """Two chairs at each long side round the lanes' end of the mat."""
    sheet = game(pack).printed
    frames = {zone.id: zone.box for zone in sheet.zones if zone.box is not None}
    assert set(frames) == {lane.id for lane in LANES}
    boxes = list(frames.values())
    assert not any(a.meets(b) for i, a in enumerate(boxes) for b in boxes[:i])
    middle = sum(box.centre[0] for box in boxes) / len(boxes)
    for x in (middle - 180, middle + 180):
        for y in (0.0, sheet.height_mm):
            for id, box in frames.items():
                assert _away(box, x, y) <= REACH_MM, (id, x, y)


def _away(box: Box, x: float, y: float) -> float:
    return math.hypot(
        max(box.x - x, x - box.x - box.w, 0.0),
        max(box.y - y, y - box.y - box.h, 0.0),
    )


@pytest.mark.parametrize("pack", PACKS)
def test_overlapping_cards_fit_in_every_lane(pack: str) -> None:
    sheet = game(pack).printed
    least = {"play": 15, "gained": 15, "reveal": 6, "leftover": 6, "discard": 3, "return": 3, "trash": 3}
    for lane, count in least.items():
        box = sheet.space_named(lane).slots[0].box
        at = lane_room(sheet, lane)
        assert len(at) >= count
        assert box.h / 2 + at[0] == pytest.approx(sheet.card_mm[1] / 2)
        assert all(b - a == pytest.approx(STRIP_PITCH_MM) for a, b in pairwise(at))
        last = box.h / 2 + at[-1] - sheet.card_mm[1] / 2
        assert last + SLEEVE_MM[1] <= box.h


def test_cards_under_the_strips_hide_neither_their_own_lane_nor_the_next() -> None:
    """The strips are the camera's; below them the cards show whatever is printed on them."""
    table = game()
    sheet, names = table.printed, ("TC-NT-01", "TC-LR-02", "TC-ET-03", "TC-SK-01")
    for lane in ("play", "reveal"):
        desk = SimulatedTable(sheet, View(tilt_deg=3.0), 3)
        places = zip(names, table.rooms[lane], strict=False)
        desk.lay(Scene(tuple(Placement(table.payloads["card", None, n], lane, "1", dy=y) for n, y in places)))
        picture = desk.picture()
        cards, strips = np.zeros_like(picture), np.zeros_like(picture)
        for placement in desk.lies.placements:
            for plane, size in ((cards, SLEEVE_MM), (strips, sheet.card_mm)):
                corners = _corners(sheet, placement, *size)
                cv2.fillConvexPoly(plane, desk.simulator.where(corners).round().astype(np.int32), 255)
        blots = np.random.default_rng(1).integers(0, 256, (65, 115)).astype(np.uint8)
        art = cv2.resize(blots, picture.shape[::-1], interpolation=cv2.INTER_CUBIC)
        picture = np.where(cards > strips, art, picture).astype(np.uint8)
        seen = Reader(MatGeometry.from_mat(sheet), [piece.payload for piece in sheet.pieces]).read(picture)
        found = {sighting.payload: sighting.space for sighting in seen.sightings}
        assert found == {placement.payload: lane for placement in desk.lies.placements}
        assert not seen.hidden | seen.doubtful


def _corners(sheet: Mat, placement: Placement, w: float, h: float) -> npt.NDArray[np.float64]:
    """The corners (4 x 2, mm) of something as wide as `w` whose top edge is that of a strip as it lies."""
    turn, top = math.radians(placement.turn_deg), sheet.card_mm[1] / 2
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    plain = np.array([[-w / 2, -top], [w / 2, -top], [w / 2, h - top], [-w / 2, h - top]])
    return np.asarray(plain @ rotation.T + middle_of(sheet, placement), np.float64)


def test_the_roster_of_a_box() -> None:
    sheet = game().printed
    assert Counter(piece.what for piece in sheet.pieces) == {"rail": 80, "station": 30, "card": 500}
    names = [piece.name for piece in sheet.pieces if piece.what == "card"]
    assert len(set(names)) == 500
    assert [name for name in names if name.startswith("TC-LR")] == [f"TC-LR-{n:02}" for n in range(1, 21)]
    faces = {face.payload: face for face in sheet.cards}
    assert all(faces[p.payload].subtitle == p.name for p in sheet.pieces if p.form == "card")


def test_a_piece_has_the_same_number_in_every_copy_and_on_every_map() -> None:
    def numbers(sheet: Mat) -> dict[tuple[str, str, str | None], str]:
        return {(p.what, p.name, p.seat): p.payload[3:6] for p in sheet.pieces}

    first = numbers(game().printed)
    assert numbers(game().mat("7K")) == first
    assert numbers(game("osaka").printed) == first
    assert all(piece.payload.startswith("T7K") for piece in game().mat("7K").pieces)


def test_the_codes_of_a_box_lie_far_apart() -> None:
    apart, _, _ = closest_codes(piece.payload for piece in game().printed.pieces)
    assert apart >= 50


def test_everything_can_be_printed(tmp_path: Path) -> None:
    written = print_all(game().printed, tmp_path)
    names = {path.name for path in written}
    assert names == {"mat.pdf", "stickers-first.pdf", "cards.pdf", "cards-rest.pdf", "layout.json"}


# What lies there ---------------------------------------------------------------------------------


@cache
def states(seed: int, seats: int = 2) -> list[State]:
    """The states of a random game."""
    table, rng = game(seats=seats), random.Random(seed)
    state = table.start()
    out: list[State] = []
    while not table.finished(state) and len(out) < 700:
        seat = table.acting(state)[0].seat
        if seat == TABLE:
            action = table.chance(state, rng)
        else:
            offer = rng.choice(table.offers(state, seat))
            action = offer.sample(rng) if isinstance(offer, Form) else offer
        assert action is not None
        state, _ = table.apply(state, table.tagged(state, action))
        out.append(state)
    return out


@pytest.mark.parametrize("seed", [1, 2])
def test_a_scene_shows_the_tokens_and_the_open_cards_of_the_turn(seed: int) -> None:
    table = game(seats=2)
    pieces = {piece.payload: piece for piece in table.printed.pieces}
    slots = {(space.id, slot.id) for space, slot in table.printed.slots()}
    for state in states(seed)[::7]:
        lying = table.scene(state).placements
        assert len({placement.payload for placement in lying}) == len(lying)
        assert {(placement.space, placement.slot) for placement in lying} <= slots
        tokens = Counter(pieces[p.payload].what for p in lying)
        assert tokens["rail"] == sum(mask.bit_count() for mask in state.tokens)
        assert tokens["station"] == sum(mask.bit_count() for mask in state.stations)
        zones = state.cards[table.seats[state.active]].zones
        for lane, zone in (("play", "play"), ("gained", "gained"), ("reveal", "revealed")):
            here = [pieces[p.payload].name.rpartition("-") for p in lying if p.space == lane]
            room = len(table.rooms[lane])
            assert Counter(id for id, _, _ in here) == Counter(zones[zone].names[:room])


def test_no_card_of_somebody_else_lies_in_a_lane() -> None:
    table = game(seats=2)
    pieces = {piece.payload: piece for piece in table.printed.pieces}
    read = 0
    for state in states(3):
        seat = table.seats[state.active]
        for placement in table.scene(state).placements:
            owner = state.copies.get(pieces[placement.payload].name)
            assert owner in (None, seat)
            read += owner == seat
    assert read


def test_what_is_laid_for_a_play_is_its_card_and_nothing_that_follows() -> None:
    """A card whose effect brings Waste: that comes once the effect is applied."""
    table = game(seats=2)
    seen = 0
    for before in states(4):
        if before.phase != "turns" or before.stack:
            continue
        for offer in table.offers(before, table.seats[before.active]):
            if offer.kind in ("play", "buy") and not isinstance(offer, Form):
                action = table.tagged(before, offer)
                lies, lay = table.scene(before).placements, table.laid(before, action).placements
                assert len(lay) == len(lies) + 1
                seen += 1
    assert seen


def test_a_tagged_purchase_takes_a_number_that_nobody_has() -> None:
    table = game(seats=2)
    for before in states(5):
        for offer in table.offers(before, table.seats[before.active]) if before.phase == "turns" else []:
            if offer.kind == "buy" and not isinstance(offer, Form):
                bought = table.tagged(before, offer)
                form = msgspec.to_builtins(bought)
                assert f"{form['card']}-{form['copy']}" not in before.copies
                assert table.refuse(before, bought) is None
