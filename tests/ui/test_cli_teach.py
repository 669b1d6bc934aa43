"""`stationmaster teach`, and the marker cards it needs: at the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.cases import load_pack
from assistant.game import find_title
from tests.games.russian_railroads.looks import opened
from tests.ui.conftest import Said
from tests.vision.owned import OwnedBoard, Seen, Token
from tests.vision.zoned import SeenTop, ZonedTop
from ui.cli import main
from vision.simulator import View
from vision.zones import Zone

NAMES = ("a10", "e14", "i4", "f1", "i10", "c4")


@cache
def board() -> OwnedBoard:
    title = find_title("railway_boom")
    return OwnedBoard(title.open(load_pack(title, None, Path()), 4, {}).mat("07"))


@cache
def look() -> Seen:
    return board().seen()


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.png"
    assert cv2.imwrite(str(path), look().picture)
    return path


def points(names: Sequence[str] = NAMES, **called: str) -> list[str]:
    """The words of a call that point at spaces, some by another name."""
    words = []
    for name in names:
        x, y = look().middle(name)
        words += ["--point", f"{called.get(name, name)}={x:.0f},{y:.0f}"]
    return words


def call(capsys: pytest.CaptureFixture[str], *words: object) -> Said:
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return Said(code, out, err)


def teach(capsys: pytest.CaptureFixture[str], picture: Path, *words: object) -> Said:
    return call(capsys, "teach", picture, "--game", "railway_boom", "--copy", "07", "--marker-mm", 18, *words)


def test_a_board_is_taught_and_then_read(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, drawn = tmp_path / "own" / "board.json", tmp_path / "overlay.png"
    said = teach(capsys, picture, *points(), "--out", out, "--overlay", drawn, "--json")
    assert said.code == 0
    assert said.json["out"] == str(out)
    assert said.json["fit"] == "similarity"
    assert said.json["across_mm"] == pytest.approx(20.0, abs=0.15)
    assert said.json["worst"] in NAMES
    assert [point["space"] for point in said.json["points"]] == list(NAMES)
    assert max(point["apart_mm"] for point in said.json["points"]) < 0.5
    assert said.json["limit_mm"] == pytest.approx(said.json["across_mm"] / 4, abs=0.01)
    picture_drawn = cv2.imread(str(drawn))
    assert picture_drawn is not None
    assert picture_drawn.shape == (*look().picture.shape, 3)
    file = json.loads(out.read_bytes())
    assert (file["stacked"], file["copy"]) == (True, "07")

    rails = [piece.payload for piece in board().mat.pieces if piece.what == "rail"]
    tokens = [Token(rails[0], "g9", (2.0, 1.0), 30.0), Token(rails[40], "a11", (-3.0, 0.0))]
    assert cv2.imwrite(str(tmp_path / "played.png"), board().seen(tokens=tokens).picture)
    read = call(capsys, "read", tmp_path / "played.png", "--mat", out, "--json")
    assert read.code == 0
    assert {d["payload"]: d["space"] for d in read.json["detections"]} == {
        token.payload: token.space for token in tokens
    }


def test_the_file_of_a_box_lies_with_the_saved_games(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = teach(capsys, picture, *points(NAMES[:3]), "--games-dir", tmp_path)
    file = tmp_path / "boards" / "railway_boom-inland_sea-07.json"
    assert said.code == 0
    assert said.out.splitlines()[-1] == str(file)
    assert file.exists()
    assert "a hex is 20." in said.out or "a hex is 19.9" in said.out
    assert "measure one to check" in said.out


def test_a_wrong_name_is_refused_and_named(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board.json"
    said = teach(capsys, picture, *points(e14="e13"), "--out", out, "--json")
    assert said.code == 1
    assert said.json["problem"]["kind"] == "no_fit"
    assert said.json["suspected"] == ["e13"]
    assert "e13 lies 2" in said.err
    assert "which is e14" in said.err
    assert not out.exists()


def test_a_picture_without_cards_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blank = tmp_path / "blank.png"
    assert cv2.imwrite(str(blank), np.full((864, 1536), 120, np.uint8))
    said = teach(capsys, blank, *points(), "--out", tmp_path / "board.json")
    assert said.code == 1
    assert "0 marker cards can be seen" in said.err
    assert "sheets --marker-cards" in said.err
    (tmp_path / "no.png").write_text("no picture")
    said = teach(capsys, tmp_path / "no.png", *points(), "--out", tmp_path / "board.json")
    assert said.code == 1
    assert "no.png" in said.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--point", "g9"], "NAME=X,Y"),
        (["--point", "z9=10,10"], "no hex z9"),
        (["--point", "g9=9999,10"], "outside the picture"),
        (["--point", "g9=10,10", "--point", "g9=30,10", "--point", "g8=90,10"], "twice"),
        (["--point", "g9=10,10"], "1 points are too few"),
        (["--marker-mm", "0"], "--marker-mm"),
        (["--token-mm", "-1"], "--token-mm"),
        (["--copy", "123"], "--copy"),
        (["--overlay", "picture.jpg"], ".png"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], hint: str
) -> None:
    said = teach(capsys, picture, "--out", tmp_path / "board.json", *words)
    assert (said.code, said.out) == (2, "")
    assert hint in said.err
    assert not (tmp_path / "board.json").exists()


def test_a_file_that_is_not_there_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = teach(capsys, tmp_path / "gone.png", "--out", tmp_path / "board.json")
    assert said.code == 2
    assert "gone.png" in said.err


def test_marker_cards_are_printed_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(
        capsys, "sheets", "--game", "railway_boom", "--marker-cards", "--out", tmp_path / "cards", "--json"
    )
    assert said.code == 0
    assert said.json == {"files": [str(tmp_path / "cards" / "marker-cards.pdf")]}
    assert [path.name for path in (tmp_path / "cards").iterdir()] == ["marker-cards.pdf"]
    said = call(capsys, "sheets", "--game", "nothing", "--marker-cards", "--out", tmp_path / "cards")
    assert said.code == 2


# ---- boards without hexes


VIEW = View(width=1920, height=1080, height_mm=372.0, tilt_deg=4.0, towards_deg=60.0, turn_deg=1.0)


@cache
def table_top() -> ZonedTop:
    mat = opened(3).mat("07")
    # Nearly upright in the picture.
    return ZonedTop(mat, tuple(space.id for space in mat.spaces if not space.optional), turn_deg=-1.0)


@cache
def zoned_look() -> SeenTop:
    return table_top().seen(VIEW)


@pytest.fixture(scope="module")
def top_picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("top") / "board.png"
    assert cv2.imwrite(str(path), zoned_look().picture)
    return path


def typed(zone: Zone) -> str:
    return ", ".join(f"{value:g}" for corner in zone.corners_px for value in corner)


def zone_file(capsys: pytest.CaptureFixture[str], path: Path, *without: str) -> Path:
    """The printed file, filled in."""
    said = call(capsys, "teach", "--game", "russian_railroads", "--skeleton")
    assert said.code == 0
    text = said.out
    for zone in zoned_look().zones(four=("TRK-BOTTOM",)):
        if zone.space not in without:
            text = re.sub(rf"^({zone.space} *= )\[\]", rf"\1[{typed(zone)}]", text, flags=re.M)
    path.write_text(text, encoding="utf-8")
    return path


def teach_rr(capsys: pytest.CaptureFixture[str], picture: Path, *words: object) -> Said:
    return call(
        capsys, "teach", picture, "--game", "russian_railroads", "--copy", "07", "--marker-mm", 20, *words
    )


def test_a_board_without_hexes_is_taught_by_its_spaces_and_then_read(
    top_picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (last,) = zoned_look().zones(names=("IND-1",))
    file = zone_file(capsys, tmp_path / "zones.toml", "IND-1")
    out, drawn = tmp_path / "board.json", tmp_path / "overlay.png"
    single = f"IND-1={typed(last).replace(' ', '')}"
    words = ("--zones", file, "--zone", single, "--out", out, "--overlay", drawn)
    said = teach_rr(capsys, top_picture, *words, "--json")
    assert (said.code, said.err) == (0, f"written to {drawn}\n")
    assert [zone["space"] for zone in said.json["zones"]] == list(table_top().names)
    for zone in said.json["zones"]:
        true = table_top().boxes[zone["space"]]
        assert (zone["w_mm"], zone["h_mm"]) == pytest.approx((true.w, true.h), abs=3.0)
    assert said.json["turned_by"] == ["TRK-BOTTOM"]
    assert {"pile:1", "ENG-1", "ORD-2"} < set(said.json["left_out"])
    assert len(said.json["cards"]) == 8
    picture_drawn = cv2.imread(str(drawn))
    assert picture_drawn is not None
    assert picture_drawn.shape == (*zoned_look().picture.shape, 3)

    workers = [piece.payload for piece in table_top().mat.pieces if piece.what == "worker"]
    pieces = [table_top().place(workers[0], "LOC-1"), table_top().place(workers[9], "TRK-BROWN-2", 2)]
    assert cv2.imwrite(str(tmp_path / "played.png"), table_top().seen(VIEW, pieces).picture)
    read = call(capsys, "read", tmp_path / "played.png", "--mat", out, "--json")
    assert read.code == 0
    assert {d["payload"]: d["space"] for d in read.json["detections"]} == {
        place.payload: place.space for place in pieces
    }

    told = teach_rr(capsys, top_picture, "--zones", file, "--zone", single, "--games-dir", tmp_path)
    assert told.code == 0
    board_file = tmp_path / "boards" / "russian_railroads-russian_railroads_2013-07.json"
    assert told.out.splitlines()[-1] == str(board_file)
    assert board_file.read_bytes() == out.read_bytes()
    assert "more pieces may lie there than have room side by side: TRK-BOTTOM" in told.out
    assert "left out, and told by touch: TRK-BLACK-1" in told.out


def test_missing_spaces_are_told_all_at_once(
    top_picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = zone_file(capsys, tmp_path / "zones.toml", "LOC-1", "AUX-DBL")
    said = teach_rr(capsys, top_picture, "--zones", file, "--out", tmp_path / "board.json")
    assert said.code == 2
    assert "2 spaces that every board has are missing: LOC-1, AUX-DBL" in said.err
    assert not (tmp_path / "board.json").exists()


def test_zones_that_do_not_do_are_refused(
    top_picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (other,) = zoned_look().zones(names=("IND-2",))
    file = zone_file(capsys, tmp_path / "zones.toml", "IND-1")
    words = ("--zones", file, "--zone", f"IND-1={typed(other)}", "--out", tmp_path / "board.json", "--json")
    said = teach_rr(capsys, top_picture, *words)
    assert said.code == 1
    assert said.json["problem"]["kind"] == "zones"
    assert said.json["problem"]["values"] == {"overlap": "IND-2,IND-1"}
    assert said.json["suspected"] == ["IND-2", "IND-1"]
    assert "overlap" in said.err


def test_that_nothing_tells_the_slant_of_the_board_is_said(
    top_picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for zone in zoned_look().zones() for word in ("--zone", f"{zone.space}={typed(zone)}")]
    said = teach_rr(capsys, top_picture, *words, "--out", tmp_path / "board.json")
    assert said.code == 0
    assert "no space was given by four corners" in said.err
    assert "TRK-BOTTOM wrong by 1.8 mm" in said.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--point", "IND-1=10,10"], "no hexes; point at each of its spaces with --zone"),
        (["--zone", "IND-1=10,10"], "NAME=X,Y,X,Y"),
        (["--zone", "IND-1=10,10,20,nan"], "NAME=X,Y,X,Y"),
        (["--zone", "IND-7=10,10,90,90"], "there is no space IND-7; did you mean IND-"),
        (["--zones", "gone.toml"], "gone.toml cannot be read"),
        (["--skeleton"], "--skeleton only prints"),
    ],
)
def test_a_wrong_call_for_zones_says_what_is_wrong(
    top_picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], hint: str
) -> None:
    said = teach_rr(capsys, top_picture, "--out", tmp_path / "board.json", *words)
    assert (said.code, said.out) == (2, "")
    assert hint in said.err
    assert not (tmp_path / "board.json").exists()


@pytest.mark.parametrize("words", [["--zone", "g9=1,1,9,9"], ["--skeleton"], ["--zones", "zones.toml"]])
def test_a_map_of_hexes_has_no_zones(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    said = call(capsys, "teach", "--game", "railway_boom", *words)
    assert (said.code, said.out) == (2, "")
    assert "point at some of them with --point" in said.err


def test_a_call_without_a_picture_asks_for_one(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "teach", "--game", "russian_railroads")
    assert said.code == 2
    assert "which picture?" in said.err
