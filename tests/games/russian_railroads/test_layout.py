"""The mat and the roster of Russian Railroads as printed."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path

import cv2
import pytest

from assistant.game import find_title
from assistant.games.russian_railroads.game import RussianRailroads
from assistant.games.russian_railroads.layout import SHARED, STRIP, pieces_on
from assistant.layout import Box, LayoutError, Mat, mat_faults
from assistant.random_play import play
from deploy.plan import PX_PER_MM
from tests.games.russian_railroads.looks import opened

VIEW_MM = (1170, 658)
"""What the camera sees from 900 mm."""
REACH_MM = 450
"""How far somebody reaches who sits at a long edge."""


@cache
def printed(seats: int = 4) -> Mat:
    return opened(seats).printed


def test_the_mat_is_sound_seen_whole_and_within_reach() -> None:
    sheet = printed()
    assert mat_faults(sheet) == []
    assert sheet.width_mm <= VIEW_MM[0]
    assert sheet.height_mm <= min(VIEW_MM[1], REACH_MM)


def test_the_document_has_the_size_of_the_mat_and_its_plan() -> None:
    sheet, docs = printed(), Path(__file__).parents[3] / "docs"
    text = (docs / "russian-railroads-table.md").read_text(encoding="utf-8")
    assert f"{sheet.width_mm:g} x {sheet.height_mm:g} mm" in text
    picture = cv2.imread(str(docs / "pictures" / "russian-railroads-mat.png"))
    assert picture is not None
    assert picture.shape[:2] == (PX_PER_MM * sheet.height_mm, PX_PER_MM * sheet.width_mm)


@pytest.mark.parametrize("seats", [2, 3])
def test_one_mat_serves_every_number_of_players(seats: int) -> None:
    few, four = printed(seats), printed()
    assert (few.spaces, few.pieces, few.markers) == (four.spaces, four.pieces, four.markers)


def test_every_space_of_the_board_has_a_slot_for_each_piece_it_costs() -> None:
    sheet, content = printed(), opened(4).content
    for space in content.spaces:
        there = sheet.space_named(space.id)
        assert len(there.slots) == pieces_on(content, space)
        assert there.title == space.name
    assert len(sheet.space_named("TRK-BOTTOM").slots) == SHARED
    for engineer in content.engineers:
        slots = sheet.space_named(f"ENG-{engineer.number}").slots
        assert len(slots) == engineer.workers + engineer.roubles
    # Whatever is a public engineer's cost finds room.
    most = max(engineer.workers + engineer.roubles for engineer in content.engineers)
    assert len(sheet.space_named("ENG-PUB-1").slots) == most


def test_pieces_that_use_a_public_engineer_lie_under_its_card() -> None:
    sheet = printed()
    for space, place in (("ENG-HIRE", STRIP), ("ENG-PUB-1", STRIP - 1), ("ENG-PUB-2", STRIP - 2)):
        below, card = sheet.space_named(space).slots[0].box, sheet.space_named(f"strip:{place}").slots[0].box
        assert below.x == card.x
        assert below.y > card.y + card.h


def test_frames_hold_their_spaces_and_do_not_meet() -> None:
    sheet = printed()
    frames = {zone.id: zone.box for zone in sheet.zones if zone.box is not None}
    for space in sheet.spaces:
        assert all(slot.box.within(frames[space.zone]) for slot in space.slots), space.id
    boxes = list(frames.values())
    assert not any(a.meets(b) for i, a in enumerate(boxes) for b in boxes[:i])
    markers = [marker.box for marker in sheet.markers]
    assert not any(a.meets(b) for a in markers for b in boxes)


def test_the_roster_of_a_box() -> None:
    sheet = printed()
    counts = Counter(piece.what for piece in sheet.pieces)
    locos = {f"loco_{number}": 4 for number in range(1, 10)}
    loose = {"worker": 32, "pawn": 4, "black": 1, "temp": 2, "rouble": 18, "engineer": 15}
    assert counts == {**loose, **locos}
    whole = Box(0, 0, sheet.width_mm, sheet.height_mm)
    assert all(slot.box.within(whole) for _, slot in sheet.slots())


def test_an_engineers_card_says_in_words_what_it_costs_and_does() -> None:
    sheet = printed()
    faces = {piece.name: sheet.card_named(piece.payload) for piece in sheet.pieces if piece.form == "card"}
    assert (faces["ENG-5"].corner, faces["ENG-5"].subtitle) == ("5", "1 w")
    assert faces["ENG-5"].lines == ("1 industry, 1 black",)
    assert faces["ENG-12"].subtitle == "1 r"
    assert not any("op." in line for face in faces.values() for line in face.lines)


def test_a_piece_has_the_same_number_in_every_copy() -> None:
    game = opened(2)
    other = {(p.what, p.name, p.seat): p.payload for p in game.mat("7K").pieces}
    for piece in game.printed.pieces:
        payload = other[piece.what, piece.name, piece.seat]
        assert payload.startswith("S7K")
        assert payload[3:6] == piece.payload[3:6]
    with pytest.raises(LayoutError, match="two characters"):
        game.mat("a1")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_scene_lays_every_piece_once_where_it_belongs(seats: int) -> None:
    """Through a random game: no tag twice, no slot twice, as many workers as were placed."""
    game = opened(seats)
    pieces = {piece.payload: piece for piece in game.printed.pieces}
    full = 0

    def look(before: object, action: object, state: object, events: object) -> None:
        nonlocal full
        lying = game.scene(state).placements  # type: ignore[arg-type]
        assert len({p.payload for p in lying}) == len(lying)
        assert len({(p.space, p.slot) for p in lying}) == len(lying)
        workers = [p for p in lying if pieces[p.payload].what == "worker"]
        placed = sum(p.workers for p in state.placed)  # type: ignore[attr-defined]
        assert len(workers) == placed
        full += placed > 2 * seats

    play(game, random.Random(seats), observe=look)
    assert full > 20


def test_the_title_names_one_tag_letter() -> None:
    title = find_title("russian_railroads")
    assert isinstance(opened(2), RussianRailroads)
    assert {piece.payload[0] for piece in printed().pieces} == {title.tag}
