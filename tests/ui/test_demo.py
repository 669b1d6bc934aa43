"""The demo: refereed from pictures, the same every time, with every mistake caught."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.journal import import_memory, read
from assistant.reading import Difference, OutOfStep
from assistant.referee import Referee, replay
from tests.demos import quick_demos
from ui.cli import main
from ui.demo import report
from ui.demo.transcript import Clock, Transcript
from ui.sentences import Sentences

MISTAKES = 3
"""Of all mistakes the first so many are made here: each takes pictures, and they take time."""
WORDS = ("demo", "--players", "2", "--rounds", "1", "--seed", "3", "--headless")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two demos with the same words."""
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    with quick_demos(MISTAKES):
        for folder in (first, second):
            (folder / "export.json").write_text("of an earlier demo", encoding="utf-8")
            (folder / "caught-9-old.png").write_text("of an earlier demo", encoding="utf-8")
            (folder / "notes.txt").write_text("mine", encoding="utf-8")
            assert main([*WORDS, "--out", str(folder), *(["--quiet"] if folder is second else [])]) == 0
    return first, second


def test_the_same_seed_gives_the_same_game_byte_for_byte(folders: tuple[Path, Path]) -> None:
    first, second = folders
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted(path.name for path in second.iterdir())
    for name in ("export.json", "transcript.txt", "score-sheet.txt", "score-sheet.json"):
        assert (first / name).read_bytes() == (second / name).read_bytes(), name
    pictures = [name for name in names if name.endswith(".png")]
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in pictures)


def test_it_writes_everything_and_leaves_what_is_not_its_own(folders: tuple[Path, Path]) -> None:
    first, _ = folders
    names = {path.name for path in first.iterdir()}
    assert names >= {*report.FILES, "notes.txt"}
    assert "caught-9-old.png" not in names
    assert (first / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert json.loads((first / "score-sheet.json").read_bytes())["names"] == {"A": "Anna", "B": "Ben"}


def test_the_last_picture_can_be_read_again(
    folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, _ = folders
    capsys.readouterr()
    assert main(["read", str(first / "table-seen.png"), "--game", "railway_boom", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    referee = Referee.resume(import_memory((first / "export.json").read_text(encoding="utf-8")))
    scene = referee.game.scene(referee.state)
    # Which of a seat's rails lies where is nothing to the record.
    for names in (("payload",), ("space", "slot")):
        lying = sorted([getattr(placement, name) for name in names] for placement in scene.placements)
        assert sorted([detection[name] for name in names] for detection in seen["detections"]) == lying
    assert (seen["problems"], seen["hidden"], seen["doubtful"]) == ([], [], [])


def test_every_mistake_is_caught_and_settled(folders: tuple[Path, Path]) -> None:
    first, _ = folders
    caught = sorted(path.stem.split("-", 2)[2] for path in first.glob("caught-*.png"))
    assert caught == ["hand", "not_connected", "wrong_seat"]
    transcript = (first / "transcript.txt").read_text(encoding="utf-8")
    assert transcript.count("settled: table and record agree again") == MISTAKES
    assert "hidden, nothing concluded" in transcript
    for rule in ("RB-EXP-7", "RB-FLOW-3"):
        assert f"[{rule}]" in transcript


def test_what_it_recorded_replays_and_came_from_the_camera(folders: tuple[Path, Path]) -> None:
    first, _ = folders
    text = (first / "export.json").read_text(encoding="utf-8")
    journal = import_memory(text)
    assert [entry.differs for entry in replay(journal) if entry.differs] == []
    assert read(first / "game.game").head == journal.head
    kinds = {row["entry"]["body"]["action"]["do"] for row in json.loads(text)["entries"]}
    assert kinds >= {"draw", "place_station", "place_rt", "take_loco", "bid"}
    transcript = (first / "transcript.txt").read_text(encoding="utf-8")
    assert "the camera sees: Anna places a station on" in transcript
    assert "seen and recorded: the table turns up" in transcript


def test_a_code_in_no_space_lies_somewhere_on_the_table() -> None:
    told = Transcript(Clock(), Sentences.of(), lambda line: None)
    told.reading(OutOfStep((Difference("unknown_tag", "", rule="SM-SEE-1", piece="X9"),)))
    assert "somewhere on the table: a code that is none of ours: X9" in told.lines[1]
