"""`stationmaster read`: pictures at the command line."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.foreign import foreign_table
from ui.cli import main


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("table")
    there = foreign_table(1)
    assert cv2.imwrite(str(folder / "table.png"), there.picture)
    (folder / "mat.json").write_text(json.dumps(there.mat))
    return folder / "table.png", folder / "mat.json"


def answer(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any, str]:
    code = main(["read", *map(str, words)])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out.startswith("{") else out.out, out.err


def test_a_picture_is_read(table: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    image, mat = table
    code, found, err = answer(capsys, image, "--mat", mat, "--json")
    truth = {token.payload: list(token.cell) for token in foreign_table(1).tokens}
    assert code == 0
    assert err == ""
    assert {d["payload"]: d["hex"] for d in found["detections"]} == truth
    assert found["problems"] == []
    code, text, _ = answer(capsys, image, "--mat", mat)
    assert code == 0
    assert all(payload in text for payload in truth)


def test_a_roster_is_one_payload_a_line(
    table: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image, mat = table
    ours = foreign_table(1).tokens[0].payload
    (tmp_path / "roster.txt").write_text(f"{ours}\n\nABSENT\n")
    code, found, _ = answer(capsys, image, "--mat", mat, "--roster", tmp_path / "roster.txt", "--json")
    assert code == 0
    assert [d["payload"] for d in found["detections"]] == [ours]
    assert len(found["foreign"]) == 14


def test_the_answer_is_no(
    table: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, mat = table
    blank = tmp_path / "blank.png"
    assert cv2.imwrite(str(blank), np.full((300, 400), 99, np.uint8))
    code, found, err = answer(capsys, blank, "--mat", mat, "--json")
    assert code == 1
    assert found["detections"] == []
    assert [problem["kind"] for problem in found["problems"]] == ["no_mat"]
    assert "No marker" in err
    code, found, err = answer(capsys, mat, "--mat", mat, "--json")
    assert code == 1
    assert [problem["kind"] for problem in found["problems"]] == ["no_picture"]
    assert "mat.json" in err


def test_a_wrong_call_says_what_is_wrong(
    table: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image, mat = table
    (tmp_path / "bad.json").write_text('{"board_mm": [1, 2]}')
    strange = json.loads(mat.read_text())
    strange["markers"]["dictionary"] = "DICT_1X1"
    (tmp_path / "strange.json").write_text(json.dumps(strange))
    for words, hint in (
        ([image], "--game --mat"),
        ([image, "--mat", mat, "--game", "railway_boom"], "--game"),
        ([image, "--game", "no_such_game"], "no_such_game"),
        ([image, "--game", "railway_boom", "--roster", mat], "--roster"),
        ([image, "--game", "railway_boom", "--copy", "123"], "--copy"),
        ([image, "--mat", mat, "--pack", "x"], "--pack"),
        ([tmp_path / "gone.png", "--mat", mat], "gone.png"),
        ([image, "--mat", tmp_path / "gone.json"], "gone.json"),
        ([image, "--mat", tmp_path / "bad.json"], "bad.json"),
        ([image, "--mat", tmp_path / "strange.json"], "DICT_1X1"),
        ([image, "--mat", mat, "--roster", tmp_path / "gone.txt"], "gone.txt"),
    ):
        code, out, err = answer(capsys, *words)
        assert (code, out) == (2, ""), words
        assert hint in err
