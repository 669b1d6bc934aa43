"""Somebody's own board, taught from a picture with marker cards round it."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from assistant.layout import LayoutError, Mat, Space
from tests.vision.owned import VIEW, OwnedBoard, Seen, Token
from tests.vision.tables import small_mat
from vision.boards import Board, Point, overlay, teach
from vision.card_frame import CannotTeach, frame_of
from vision.geometry import FloatArray, MatGeometry
from vision.layout_file import from_layout_json
from vision.marker_cards import (
    CARD_IDS,
    MARKER_MM,
    card_places,
    cards_drawing,
    marker_box,
    write_marker_cards,
)
from vision.markers import find_markers
from vision.primitives import render
from vision.reader import read_picture

SIDE = 18.0
CORNERS = ("h00", "h40", "h-24", "h24", "h20", "h12")
"""Spaces far apart on the map below, in the order in which they are pointed at."""


@cache
def plain_mat() -> Mat:
    """A map of 5 x 5 hexes with the small mat's pieces."""
    mat = small_mat()
    assert mat.hexgrid is not None
    cells = tuple((q - r // 2, r) for r in range(5) for q in range(5))
    grid = msgspec.structs.replace(mat.hexgrid, cells=cells)
    spaces = tuple(Space(f"h{q}{r}", "map", "hex", grid.centre(q, r), hex=(q, r)) for q, r in cells)
    return msgspec.structs.replace(mat, hexgrid=grid, spaces=spaces)


@cache
def board() -> OwnedBoard:
    return OwnedBoard(plain_mat(), across_mm=24.0)


@cache
def look() -> Seen:
    return board().seen()


def pointed(seen: Seen, names: tuple[str, ...], error_px: float = 2.0, seed: int = 0) -> list[Point]:
    """A hand that points at the middles of spaces, some pixels beside them."""
    rng = np.random.default_rng(seed)
    spots = [seen.middle(name) + rng.normal(0, error_px, 2) for name in names]
    return [Point(name, float(x), float(y)) for name, (x, y) in zip(names, spots, strict=True)]


def off_px(taught: Board, seen: Seen) -> FloatArray:
    """How far (pixels) every taught space is from where it really is seen."""
    spaces = taught.geometry.spaces
    middles = taught.to_px(np.array([space.centre for space in spaces]))
    truth = np.array([seen.middle(space.id) for space in spaces])
    return np.asarray(np.hypot(*(middles - truth).T), np.float64)


# ---- the frame of cards


@pytest.mark.parametrize(
    ("seed", "tilt", "turn"), [(0, 0.0, 0.0), (1, 5.0, 2.0), (2, 15.0, 30.0), (3, 25.0, 180.0)]
)
def test_cards_that_lie_anyhow_are_placed_to_a_tenth_of_a_millimetre(
    seed: int, tilt: float, turn: float
) -> None:
    own = OwnedBoard(plain_mat(), seed=seed)
    view = msgspec.structs.replace(VIEW, tilt_deg=tilt, turn_deg=turn, height_mm=330.0)
    frame = frame_of([own.seen(view).picture], marker_mm=SIDE)
    truth = dict(own.cards())
    found = np.concatenate([card.corners_mm for card in frame.cards]) @ [1, 1j]
    there = np.concatenate([truth[card.id] for card in frame.cards]) @ [1, 1j]
    found, there = found - found.mean(), there - there.mean()
    turned = np.vdot(found, there)
    # Turned and moved only: the size is told by the cards.
    assert np.abs(there - turned / abs(turned) * found).max() < 0.1
    assert len(frame.cards) >= 5
    assert frame.error_px < 0.1


def test_two_pictures_make_one_frame() -> None:
    views = [VIEW, msgspec.structs.replace(VIEW, tilt_deg=12.0, towards_deg=200.0, height_mm=320.0)]
    frame = frame_of([board().seen(view).picture for view in views], marker_mm=SIDE)
    assert len(frame.poses) == 2
    assert frame.error_px < 0.1
    assert max(card.off_mm for card in frame.cards) < 0.05


def test_too_few_cards_and_cards_that_do_not_lie_flat_are_refused() -> None:
    with pytest.raises(CannotTeach) as few:
        frame_of([board().seen(without=CARD_IDS[3:]).picture], marker_mm=SIDE)
    assert few.value.kind == "few_cards"
    assert "3 marker cards can be seen" in few.value.text

    class Bent(OwnedBoard):
        def cards(self) -> list[tuple[int, FloatArray]]:
            """The third card stands up at one edge."""
            cards = super().cards()
            number, corners = cards[2]
            bent = corners.copy()
            bent[:2] += 0.12 * (corners[2:][::-1] - corners[:2])
            return [*cards[:2], (number, bent), *cards[3:]]

    with pytest.raises(CannotTeach) as wrong:
        frame_of([Bent(plain_mat(), across_mm=24.0).seen().picture], marker_mm=SIDE)
    assert wrong.value.kind == "bent_card"
    assert wrong.value.values["card"] == CARD_IDS[2]
    with pytest.raises(CannotTeach, match="differ in size"):
        frame_of([look().picture, look().picture[:-2]], marker_mm=SIDE)


# ---- the board


@pytest.mark.parametrize("count", [3, 4, 6])
def test_tokens_lie_in_their_hexes_after_teaching(count: int) -> None:
    taught = teach(
        plain_mat(), [look().picture], pointed(look(), CORNERS[:count], seed=count), marker_mm=SIDE
    )
    assert taught.model == "similarity"
    assert taught.across_mm == pytest.approx(24.0, rel=0.015)
    # A hex is 94 px across; the error of pointing is 2 px in each direction.
    assert off_px(taught, look()).max() < {3: 8, 4: 6, 6: 5}[count]
    names = [space.id for space in plain_mat().spaces]
    tokens = [
        Token(piece.payload, name, (3.0 * math.cos(k), 3.0 * math.sin(k)), 40.0 * k)
        for k, (piece, name) in enumerate(zip(plain_mat().pieces, names[:24], strict=False))
    ]
    # Another day: the camera stands elsewhere, hands hide two cards.
    view = msgspec.structs.replace(VIEW, tilt_deg=8.0, towards_deg=200.0, turn_deg=-3.0, height_mm=315.0)
    picture = board().seen(view, tokens, without=CARD_IDS[:2]).picture
    observation = read_picture(picture, taught.geometry)
    found = {sighting.payload: sighting.space for sighting in observation.sightings}
    assert found == {token.payload: token.space for token in tokens}
    assert {s.slot for s in observation.sightings} == {None}
    assert observation.stacked
    assert not observation.hidden


def test_the_mat_file_says_the_same_and_how_it_was_taught(tmp_path: Path) -> None:
    taught = teach(plain_mat(), [look().picture], pointed(look(), CORNERS), marker_mm=SIDE, token_mm=9.0)
    (tmp_path / "board.json").write_bytes(taught.document)
    geometry = MatGeometry.from_file(tmp_path / "board.json")
    assert geometry == taught.geometry
    assert geometry.stacked
    assert geometry.printed is None
    assert all(not space.slots for space in geometry.spaces)
    assert {marker.id for marker in geometry.markers} == set(CARD_IDS)
    heights = {geometry.heights[p.payload] for p in plain_mat().pieces if p.form == "sticker"}
    assert heights == {9.0}
    for marker in geometry.markers:
        sides = np.hypot(*np.diff(np.array([*marker.corners_mm, marker.corners_mm[0]]), axis=0).T)
        assert sides == pytest.approx([SIDE] * 4, abs=0.01)
        assert (np.array(marker.corners_mm) > 0).all()
        assert (np.array(marker.corners_mm) < [geometry.width_mm, geometry.height_mm]).all()
    owned = json.loads(taught.document)["owned"]
    assert [point["space"] for point in owned["points"]] == list(CORNERS)
    assert owned["limit_mm"] == pytest.approx(24.0 / 4, rel=0.02)
    # The same picture and points give the same file.
    again = teach(plain_mat(), [look().picture], pointed(look(), CORNERS), marker_mm=SIDE, token_mm=9.0)
    assert again.document == taught.document


def test_stacked_has_to_be_true_or_false() -> None:
    taught = teach(plain_mat(), [look().picture], pointed(look(), CORNERS), marker_mm=SIDE)
    wrong = json.loads(taught.document) | {"stacked": "yes"}
    with pytest.raises(LayoutError, match="stacked: expected true or false"):
        from_layout_json(json.dumps(wrong))


def test_a_board_printed_longer_one_way_takes_more_points() -> None:
    own = OwnedBoard(plain_mat(), across_mm=24.0, squash=1.05)
    seen = own.seen()
    names = (*CORNERS[:4], "h-14", "h32")
    taught = teach(plain_mat(), [seen.picture], pointed(seen, names, 1.0), marker_mm=SIDE)
    assert taught.model in ("affine", "homography")
    assert off_px(taught, seen).max() < 6
    # Its cards are no squares any more in the board's millimetres, and still place it.
    view = msgspec.structs.replace(VIEW, tilt_deg=8.0, towards_deg=200.0)
    observation = read_picture(own.seen(view, [Token("R01CV70", "h24")]).picture, taught.geometry)
    assert [s.space for s in observation.sightings] == ["h24"]


@pytest.mark.parametrize("count", [4, 6])
@pytest.mark.parametrize("which", [0, 2, 3])
def test_a_wrong_name_is_refused_and_named(count: int, which: int) -> None:
    points = pointed(look(), CORNERS[:count])
    right = points[which].space
    wrong = {"h00": "h10", "h-24": "h-14", "h24": "h14"}[right]
    points[which] = msgspec.structs.replace(points[which], space=wrong)
    with pytest.raises(CannotTeach) as refused:
        teach(plain_mat(), [look().picture], points, marker_mm=SIDE)
    assert refused.value.kind == "no_fit"
    assert refused.value.points == (wrong,)
    assert f"which is {right}" in refused.value.text
    assert "a quarter of a hex across flats" in refused.value.text


def test_with_three_points_a_wrong_name_is_among_those_suspected() -> None:
    points = pointed(look(), CORNERS[:3])
    points[1] = msgspec.structs.replace(points[1], space="h30")
    with pytest.raises(CannotTeach) as refused:
        teach(plain_mat(), [look().picture], points, marker_mm=SIDE)
    assert "h30" in refused.value.points
    assert "h40" in refused.value.text


def test_two_wrong_points_of_eight_are_both_named() -> None:
    names = (*CORNERS, "h02", "h22")
    points = pointed(look(), names)
    points[0] = msgspec.structs.replace(points[0], space="h10")
    points[3] = msgspec.structs.replace(points[3], x_px=points[3].x_px - 60)
    with pytest.raises(CannotTeach) as refused:
        teach(plain_mat(), [look().picture], points, marker_mm=SIDE)
    assert set(refused.value.points) == {"h10", "h24"}


def test_points_near_together_and_wrong_calls_are_refused() -> None:
    with pytest.raises(CannotTeach) as near:
        teach(plain_mat(), [look().picture], pointed(look(), ("h00", "h10", "h01")), marker_mm=SIDE)
    assert near.value.kind == "too_near"
    with pytest.raises(LayoutError) as wrong:
        teach(plain_mat(), [look().picture], [Point("h00", 1, 1), Point("h00", 2, 2), Point("zz", 3, 3)])
    assert wrong.value.faults == ("there is no space 'zz' on this board", "h00 is pointed at twice")
    with pytest.raises(LayoutError, match="2 points are too few"):
        teach(plain_mat(), [look().picture], pointed(look(), CORNERS[:2]))


def test_a_board_without_hexes_is_not_taught_by_points() -> None:
    mat = msgspec.structs.replace(plain_mat(), hexgrid=None, spaces=(Space("mine", "board", "card", (9, 9)),))
    with pytest.raises(LayoutError, match="no hexes"):
        teach(mat, [look().picture], pointed(look(), CORNERS), marker_mm=SIDE)


def test_the_overlay_shows_the_picture_with_lines_over_it() -> None:
    taught = teach(plain_mat(), [look().picture], pointed(look(), CORNERS), marker_mm=SIDE)
    drawn = overlay(look().picture, taught)
    assert drawn.shape == (*look().picture.shape, 3)
    coloured = drawn.max(axis=2) - drawn.min(axis=2) > 80
    assert 0.005 < coloured.mean() < 0.1


# ---- the cards on paper


def test_the_sheet_of_cards_has_eight_markers_of_their_size(tmp_path: Path) -> None:
    assert len(CARD_IDS) >= 6
    (page,) = render(write_marker_cards(tmp_path, game="railway_boom").read_bytes(), 5.0)
    grey = np.asarray(cv2.cvtColor(page, cv2.COLOR_RGB2GRAY), np.uint8)
    found = {marker.id: marker.corners_px for marker in find_markers(grey, enough=9)}
    assert set(found) == set(CARD_IDS)
    for number, place in zip(CARD_IDS, card_places(), strict=False):
        box = marker_box(place)
        expected = np.array([[box.x, box.y], [box.x + box.w, box.y + box.h]])
        assert (found[number][[0, 2]] + 0.5) / 5 == pytest.approx(expected, abs=0.05)
        assert box.w == MARKER_MM
    words = " ".join(getattr(item, "text", "") for item in cards_drawing("railway_boom").items)
    assert "--marker-mm" in words
    assert "teach PICTURE --game railway_boom" in words
