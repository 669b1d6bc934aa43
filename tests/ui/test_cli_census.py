"""`stationmaster census`: which pieces of a box are there, at the command line."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from assistant.cases import load_pack
from assistant.game import find_title
from tests.ui.conftest import Said
from ui.cli import main
from vision.primitives import render
from vision.sheets import print_all


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every page of pieces of box 03 as a picture, the minimal token stickers first."""
    folder = tmp_path_factory.mktemp("sheets")
    title = find_title("railway_boom")
    mat = title.open(load_pack(title, None, Path()), 4, {}).mat("03")
    pictures = []
    for path in print_all(mat, folder):
        if path.suffix == ".pdf" and path.stem != "mat":
            for number, page in enumerate(render(path.read_bytes(), 4.0)):
                picture = folder / f"{path.stem}-{number}.png"
                assert cv2.imwrite(str(picture), page[:, :, ::-1])
                pictures.append(picture)
    return sorted(pictures, key=lambda path: path.name != "stickers-first-0.png")


def census(capsys: pytest.CaptureFixture[str], *words: object) -> Said:
    code = main(["census", *map(str, words)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return Said(code, out, err)


def test_a_complete_box(sheets: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    said = census(capsys, *sheets, "--game", "railway_boom", "--copy", "03", "--json")
    assert said.code == 0
    assert said.err == ""
    assert said.json["complete"] is True
    assert said.json["missing"] == {"first": [], "rest": []}
    assert (said.json["present"], said.json["expected"], said.json["copy"]) == (381, 381, "03")
    assert said.json["pictures"][0] == {"image": str(sheets[0]), "codes": 96, "unread": 0, "problems": []}
    said = census(capsys, *sheets, "--game", "railway_boom", "--copy", "03")
    assert said.out.splitlines() == ["box copy 03: 381 of 381 pieces are there", "the box is complete"]


def test_what_is_missing_is_said_by_class(sheets: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    said = census(capsys, sheets[0], "--game", "railway_boom", "--copy", "03")
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[0] == "box copy 03: 96 of 381 pieces are there"
    first, rest = lines.index("missing from the minimal set:"), lines.index("missing from the rest:")
    assert first < lines.index("  locomotive: L01 to L22") < rest
    assert rest < lines.index("  seat A, rail: 21 to 30")
    assert "seat A, rail: 01" not in said.out


def test_the_minimal_set_may_be_enough(sheets: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    minimal = [path for path in sheets if path.stem.rpartition("-")[0] in ("stickers-first", "cards")]
    words = [*minimal, "--game", "railway_boom", "--copy", "03"]
    assert census(capsys, *words).code == 1
    said = census(capsys, *words, "--first", "--json")
    assert said.code == 0
    assert said.json["complete"] is True
    assert said.json["missing"]["rest"]


def test_pieces_of_another_box_are_told(sheets: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    said = census(capsys, sheets[0], "--game", "railway_boom", "--copy", "01")
    assert said.code == 1
    assert "of box copy 03:" in said.out
    assert "  seat A, rail: 01" in said.out
    said = census(capsys, sheets[0], "--game", "railway_boom", "--json")
    assert len(said.json["other_copies"]) == 96
    assert said.json["other_copies"][0]["copy"] == "03"


def test_a_picture_without_a_readable_tag_is_told_first(
    sheets: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = cv2.imread(str(sheets[0]), cv2.IMREAD_GRAYSCALE)
    assert page is not None
    soft = tmp_path / "soft.png"
    assert cv2.imwrite(str(soft), cv2.GaussianBlur(page, (0, 0), 2.0))
    said = census(capsys, soft, "--game", "railway_boom", "--copy", "03")
    assert said.code == 1
    assert said.err.startswith(f"picture {soft}: no tag could be read: The picture is blurred: edges are ")
    # What nobody could see is not called missing.
    assert said.out == "box copy 03: nothing could be read, so nothing is known of its pieces\n"
    # It makes a complete box uncertain as well.
    said = census(capsys, *sheets, soft, "--game", "railway_boom", "--copy", "03", "--json")
    assert (said.code, said.json["complete"]) == (1, False)
    assert said.err.startswith(f"picture {soft}: no tag could be read: ")
    assert len(said.err.splitlines()) == 1
    last = said.json["pictures"][-1]
    assert (last["image"], last["codes"]) == (str(soft), 0)
    assert [problem["kind"] for problem in last["problems"]] == ["blurred"]
    assert not any(picture["problems"] for picture in said.json["pictures"][:-1])
    said = census(capsys, *sheets, soft, "--game", "railway_boom", "--copy", "03")
    assert (
        said.out.splitlines()[1]
        == f"not counted: what 1 of {len(sheets) + 1} pictures show, no tag can be read"
    )


def test_a_wrong_call_says_what_is_wrong(
    sheets: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, hint in (
        ([tmp_path / "gone.png", "--game", "railway_boom"], "gone.png"),
        ([sheets[0], "--game", "nothing"], "nothing"),
        ([sheets[0], "--game", "railway_boom", "--copy", "x"], "--copy"),
        ([sheets[0]], "--game"),
    ):
        said = census(capsys, *words)
        assert (said.code, said.out) == (2, ""), words
        assert hint in said.err
    (tmp_path / "no.png").write_text("no picture")
    said = census(capsys, tmp_path / "no.png", "--game", "railway_boom")
    assert said.code == 1
    assert "no.png" in said.err
