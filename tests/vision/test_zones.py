"""Somebody's own board without hexes: each space pointed at by itself, and what is then read on it."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest

from assistant.games.russian_railroads.actions import Use
from assistant.layout import LayoutError, Mat
from assistant.observation import Observation
from assistant.reading import Difference, OutOfStep, Proposal, Reading, Roster, read
from tests.games.russian_railroads.looks import at, opened
from tests.vision.tables import small_mat
from tests.vision.zoned import SeenTop, ZonedTop
from vision import zones
from vision.cameras.base import Frame
from vision.card_frame import CannotTeach, CardFrame, frame_of
from vision.changes import Eye
from vision.geometry import FloatArray, MatGeometry
from vision.reader import Reader
from vision.simulator import View
from vision.taught import board_for, file_name
from vision.zones import Zone, ZonedBoard, overlay, skeleton, teach_zones, zones_in

SIDE = 20.0
VIEW = View(width=1920, height=1080, height_mm=372.0, tilt_deg=4.0, towards_deg=60.0, turn_deg=1.0)
PX_PER_MM = 3.9
LONG = "TRK-BOTTOM"
"""The longest space: its four corners tell how the board lies."""
ALSO = ("order:1", "order:2", "order:3", "TRK-BLACK-1", "ENG-PUB-2", "strip:5", "strip:6", "strip:7")


@cache
def mat() -> Mat:
    return opened(3).printed


@cache
def top() -> ZonedTop:
    needed = tuple(space.id for space in mat().spaces if not space.optional)
    return ZonedTop(mat(), needed + ALSO)


@cache
def look() -> SeenTop:
    return top().seen(VIEW)


def pointed(error_px: float = 2.0, seed: int = 0) -> list[Zone]:
    return look().zones(error_px, seed, four=(LONG,))


def taught(given: list[Zone]) -> ZonedBoard:
    return teach_zones(mat(), [look().picture], given, marker_mm=SIDE)


@cache
def board() -> ZonedBoard:
    return taught(pointed(5.0))


def off_mm(found: ZonedBoard) -> FloatArray:
    """How far the corners of all taught spaces are from where they really are seen."""
    out = []
    for fit in found.fits:
        b = fit.box
        ends = [[b.x, b.y], [b.x + b.w, b.y], [b.x + b.w, b.y + b.h], [b.x, b.y + b.h]]
        out.append(found.to_px(np.array(ends)) - look().where(top().corners(fit.space)))
    return np.asarray(np.hypot(*np.concatenate(out).T) / PX_PER_MM, np.float64)


@pytest.fixture(autouse=True)
def _framed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards of the one picture are looked for once."""
    monkeypatch.setattr(zones, "frame_of", lambda pictures, **_: framed())


@cache
def framed() -> CardFrame:
    return frame_of([look().picture], marker_mm=SIDE)


# ---- what is taught


def test_every_space_lies_where_it_was_pointed_at() -> None:
    exact = taught(pointed(0.0))
    assert off_mm(exact).max() < 0.1
    for fit in exact.fits:
        true = top().boxes[fit.space]
        assert (fit.box.w, fit.box.h) == pytest.approx((true.w, true.h), abs=0.1)
    # A hand that is 2 px (half a millimetre) off in x and in y.
    assert off_mm(taught(pointed())).max() < 2.5
    assert [fit.space for fit in exact.fits] == [
        space.id for space in mat().spaces if space.id in top().names
    ]
    assert set(exact.left_out) == {space.id for space in mat().spaces} - set(top().names)
    assert exact.turned_by == (LONG,)
    assert exact.geometry.stacked


def test_a_space_tells_how_many_pieces_may_lie_and_have_room_there() -> None:
    room = {fit.space: (fit.pieces, fit.room) for fit in board().fits}
    assert room["LOC-3"] == (3, 3)
    assert room[LONG] == (16, 4)
    assert room["strip:7"] == (1, 1)


@pytest.mark.parametrize(("tilt", "towards"), [(0.0, 0.0), (15.0, 200.0)])
def test_pieces_lie_in_their_spaces_after_teaching(tilt: float, towards: float) -> None:
    """Taught with errors of 5 px; another day the camera stands elsewhere, and two cards are covered."""
    discs = iter([piece.payload for piece in mat().pieces if piece.form == "disc"])
    cards = iter([piece.payload for piece in mat().pieces if piece.form == "card"])
    rng = np.random.default_rng(7)
    laid = [
        top().place(next(cards if name.startswith("strip") else discs), name, slot, *rng.normal(0, 1.5, 2))
        for name in top().names
        for slot in range(1, top().places(name) + 1)
    ]
    view = msgspec.structs.replace(VIEW, tilt_deg=tilt, towards_deg=towards, turn_deg=-2.0, height_mm=380.0)
    picture = top().seen(view, laid, without=(40, 43)).picture
    found = Reader(board().geometry, [piece.payload for piece in mat().pieces]).read(picture)
    assert {s.payload: s.space for s in found.sightings} == {place.payload: place.space for place in laid}
    assert {s.slot for s in found.sightings} == {"1"}
    assert found.stacked
    # The words on the cards and on the board look like tags, and are no reason for doubt.
    assert not found.hidden | found.doubtful


def test_the_mat_file_says_the_same_and_how_it_was_taught(tmp_path: Path) -> None:
    found = board()
    (tmp_path / "board.json").write_bytes(found.document)
    assert MatGeometry.from_file(tmp_path / "board.json") == found.geometry
    owned = json.loads(found.document)["owned"]
    assert len(owned["zones"][LONG]) == 8
    assert len(owned["zones"]["IND-1"]) == 4
    assert taught(pointed(5.0)).document == found.document
    higher = teach_zones(mat(), [look().picture], pointed(), marker_mm=SIDE, token_mm=9.0).geometry
    assert {higher.heights[p.payload] for p in mat().pieces if p.form == "disc"} == {9.0}
    assert {higher.heights[p.payload] for p in mat().pieces if p.form == "card"} == {0.3}


def test_the_overlay_shows_the_picture_with_lines_over_it() -> None:
    drawn = overlay(look().picture, board())
    assert drawn.shape == (*look().picture.shape, 3)
    coloured = drawn.max(axis=2) - drawn.min(axis=2) > 80
    assert 0.005 < coloured.mean() < 0.1


# ---- what is refused


def changed(space: str, corners: list[FloatArray] | FloatArray) -> list[Zone]:
    """The zones, one of them with other corners (pixels)."""
    spots = tuple((float(x), float(y)) for x, y in corners)
    return [zone if zone.space != space else Zone(space, spots) for zone in pointed()]


def seen(*top_mm: tuple[float, float]) -> FloatArray:
    """Pixels of points of the table top."""
    return look().where(np.array(top_mm))


def refusal(given: list[Zone]) -> CannotTeach:
    with pytest.raises(CannotTeach) as refused:
        taught(given)
    assert refused.value.kind == "zones"
    return refused.value


def test_names_are_refused_all_at_once() -> None:
    given = [zone for zone in pointed() if zone.space not in ("LOC-1", "ENG-HIRE", "order:1")]
    given += [Zone("loc-9", ((10, 10), (90, 90)), "--zone"), Zone("IND-1", ((10, 10), (1990, 90)), "--zone")]
    with pytest.raises(LayoutError) as wrong:
        taught(given)
    assert wrong.value.faults == (
        "there is no space loc-9; did you mean LOC-3 or LOC-2 or LOC-1?",
        "IND-1 is given 2 times: --zone",
        "2 spaces that every board has are missing: LOC-1, ENG-HIRE",
        "IND-1 lies outside the picture of 1920 x 1080 pixels",
    )
    with pytest.raises(LayoutError, match="map of hexes"):
        teach_zones(small_mat(), [look().picture], [])


def test_corners_given_crosswise_are_refused() -> None:
    corners = look().where(top().corners("LOC-3"))
    found = refusal(changed("LOC-3", corners[[0, 2, 1, 3]]))
    assert found.values == {"crosswise": "LOC-3"}
    assert "go round the space" in found.text
    # In either direction and from any corner they do.
    assert set(taught(changed("LOC-3", corners[[2, 1, 0, 3]])).turned_by) == {LONG, "LOC-3"}


def test_corners_that_are_no_rectangle_along_the_board_are_refused() -> None:
    corners = look().where(top().corners("LOC-3"))
    corners[0] += [0.0, 9 * PX_PER_MM]
    found = refusal(changed("LOC-3", corners))
    assert found.values == {"crooked": "LOC-3"}
    assert "give two corners of a rectangle within it" in found.text


def test_a_space_in_which_no_tag_finds_room_is_refused() -> None:
    corners = look().where(top().corners("IND-1"))
    small = refusal(changed("IND-1", [corners[0], corners[0] + 9 * PX_PER_MM]))
    assert small.values == {"small": "IND-1"}
    assert "the tag of a piece needs 12 x 12 mm" in small.text
    # A card has its tag in a corner.
    corners = look().where(top().corners("strip:7"))
    card = refusal(changed("strip:7", [corners[0], corners[0] + 20 * PX_PER_MM]))
    assert card.values == {"small": "strip:7"}
    assert card.points == ("strip:7",)


def test_spaces_that_overlap_or_reach_out_of_the_cards_are_refused_together() -> None:
    given = changed("IND-1", look().where(top().corners("IND-2"))[[0, 2]])
    given = [
        zone if zone.space != "order:1" else Zone("order:1", _pair(seen((6, 100), (-14, 128))))
        for zone in given
    ]
    found = refusal(given)
    assert found.values == {"outside": "order:1", "overlap": "IND-1,IND-2"}
    assert found.points == ("order:1", "IND-1", "IND-2")
    assert "lay cards farther out" in found.text
    assert "IND-1 and IND-2 overlap by" in found.text or "IND-2 and IND-1 overlap by" in found.text


def _pair(spots: FloatArray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in spots)


def test_a_marker_card_within_a_space_is_refused() -> None:
    number, corners = top().cards()[0]
    middle = corners.mean(axis=0)
    around = _pair(seen(tuple(middle - 13), tuple(middle + 13)))
    found = refusal([zone if zone.space != "order:1" else Zone("order:1", around) for zone in pointed()])
    assert found.values["card"] == "order:1"
    assert f"marker card {number} lies in order:1" in found.text


def test_without_four_corners_the_board_lies_along_the_pictures_edges() -> None:
    """It does not here, and a long space is out by millimetres: its four corners put that right."""
    found = taught(look().zones(0.0))
    assert found.turned_by == ()
    assert found.longest.space == LONG
    assert 2.0 < found.longest.box.h - top().boxes[LONG].h < 12.0
    assert off_mm(found).max() > 10 * off_mm(taught(pointed(0.0))).max()
    one, other = (zone.corners_px for zone in found.zones if zone.space in ("IND-1", "IND-2"))
    given = [zone if zone.space != "IND-1" else Zone("IND-1", other) for zone in found.zones]
    assert one != other
    assert "give a long space by all four corners" in refusal(given).text


# ---- the file to fill in


def test_the_file_to_fill_in_has_every_space() -> None:
    text = skeleton(mat())
    table = tomllib.loads(text)
    assert list(table["zones"]) == [space.id for space in mat().spaces]
    assert (table["game"], table["pack"]) == (mat().game, mat().pack)
    lines = {line.partition("=")[0].strip().strip('"'): line for line in text.splitlines() if "= []" in line}
    for space in mat().spaces:
        assert space.title in lines[space.id]
        assert space.notes.get("cost", "") in lines[space.id]
        assert lines[space.id].endswith("optional") == space.optional
    assert zones_in(text, mat(), "file") == []
    filled = text.replace("IND-1       = []", "IND-1       = [1, 2.5, 3, 4]")
    assert zones_in(filled, mat(), "file") == [Zone("IND-1", ((1.0, 2.5), (3.0, 4.0)), "file")]


def test_everything_that_is_wrong_with_a_file_is_told() -> None:
    text = """
game = "trains"
zone = 3
[zones]
IND-1 = [1, 2, 3]
IND-2 = "here"
IND-3 = [1, 2, true, nan]
"""
    with pytest.raises(LayoutError) as wrong:
        zones_in(text, mat(), "z.toml")
    told = "\n".join(wrong.value.faults)
    assert len(wrong.value.faults) == 5
    for words in ("no setting 'zone'", "the game 'trains'", "IND-1: expected 4 numbers", "IND-2:", "IND-3:"):
        assert words in told
    for text in ("[zones]\nIND-1 = [1]\nIND-1 = [2]\n", "zones = 3"):
        with pytest.raises(LayoutError, match=r"z\.toml"):
            zones_in(text, mat(), "z.toml")


# ---- a game on it


def watched(picture: FloatArray) -> Observation:
    """What the kiosk's eyes say of a picture that stays the same for a while."""
    eye = Eye(board().geometry, [piece.payload for piece in mat().pieces], quiet_s=0.4)
    given = [eye.see(Frame(picture, k, 0.3 * k, "")) for k in range(5)]  # type: ignore[arg-type]
    return next(each for each in reversed(given) if each is not None)


def payload(what: str, seat: str | None = None, name: str = "") -> str:
    return next(
        p.payload for p in mat().pieces if (p.what, p.seat) == (what, seat) and (not name or p.name == name)
    )


@cache
def played() -> Observation:
    """A pays for TRK-COIN; the engineer to be hired and two of three discs of the order are seen."""
    pieces = [
        top().place(payload("worker", "A"), "TRK-COIN", 1),
        top().place(payload("rouble"), "TRK-COIN", 2),
        top().place(payload("engineer", name="ENG-3"), "strip:7"),
        top().place(payload("pawn", "A"), "order:1"),
        top().place(payload("pawn", "B"), "order:2"),
    ]
    return watched(top().seen(VIEW, pieces).picture)  # type: ignore[arg-type]


def reading(**facts: object) -> Reading:
    game = opened(3)
    roster = Roster({piece.payload: piece for piece in mat().pieces})
    return read(game, at(game, facts), played(), roster)


def test_what_is_laid_on_the_board_is_read_as_the_action() -> None:
    assert reading() == Proposal((Use("A", "TRK-COIN", workers=1, roubles=1),))
    # B's worker is recorded, and nowhere to be seen: it may lie below another piece.
    placed = [{"space": "LOC-1", "seat": "B", "workers": 1}]
    assert reading(placed=placed) == Proposal((Use("A", "TRK-COIN", workers=1, roubles=1),))


def test_what_is_laid_against_the_rules_is_told() -> None:
    found = reading(turn="B")
    assert isinstance(found, OutOfStep)
    assert found.differences == (Difference("wrong_seat", "TRK-COIN", "A", "RR-TURN-1", piece="worker"),)


# ---- the board that stands for a mat


def test_the_board_of_a_game_is_found_in_a_folder(tmp_path: Path) -> None:
    assert board_for(mat(), tmp_path) is None
    file = tmp_path / file_name(mat())
    assert file.name == "russian_railroads-russian_railroads_2013-01.json"
    file.write_bytes(board().document)
    assert board_for(mat(), tmp_path) == board().geometry
    with pytest.raises(LayoutError, match="no folder"):
        board_for(mat(), tmp_path / "gone")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "trains"}, "is of trains"),
        ({"copy": "02"}, "teach this board"),
        ({"pieces": {}}, "pieces"),
        (
            {"spaces": [{"id": "IND-9", "zone": "z", "kind": "place", "centre_mm": [1, 1], "slots": []}]},
            "IND-9",
        ),
        ({"board_mm": 3}, "board_mm"),
    ],
)
def test_a_board_of_something_else_is_refused(tmp_path: Path, change: dict[str, object], words: str) -> None:
    file = tmp_path / file_name(mat())
    file.write_text(json.dumps(json.loads(board().document) | change), encoding="utf-8")
    with pytest.raises(LayoutError, match=words) as wrong:
        board_for(mat(), tmp_path)
    assert str(file) in wrong.value.faults[0]
