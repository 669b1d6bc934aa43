"""Whole recorded games replay for ever: every ruling, every digest, every point."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.journal import MemoryJournal, export_text, import_memory
from assistant.referee import Referee, replay
from tests.playthroughs.record import sheet_lines

FOLDERS = [path for path in Path(__file__).parent.iterdir() if path.is_dir() and path.name != "__pycache__"]
GAMES = sorted(path for folder in FOLDERS for path in folder.glob("*.json"))
MOST_BYTES = 320_000

games = pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def journal_of(path: Path) -> MemoryJournal:
    return import_memory(text_of(path))


@cache
def resumed(path: Path) -> Referee[Any]:
    """The game as it ended; `Differs` when an entry is not ruled as it was."""
    return Referee.resume(journal_of(path))


@games
def test_every_ruling_and_every_digest_comes_out_as_recorded(path: Path) -> None:
    journal = journal_of(path)
    journal.verify()
    entries = list(replay(journal))
    assert [entry.differs for entry in entries if entry.differs] == []
    assert [entry.seq for entry in entries] == list(range(1, journal.last_seq + 1))


@games
def test_the_score_sheet_is_the_recorded_one(path: Path) -> None:
    referee = resumed(path)
    assert referee.game.finished(referee.state)
    assert "\n".join(sheet_lines(referee)) + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")
    assert referee.sheet().check(referee.game.totals(referee.state)) == []


@games
def test_the_export_is_the_same_bytes_again(path: Path) -> None:
    assert export_text(journal_of(path), finished=True) == text_of(path)


@games
def test_it_is_of_a_size_that_can_be_kept(path: Path) -> None:
    assert len(text_of(path).encode()) < MOST_BYTES
    assert path.with_suffix(".txt").exists()


def test_the_games_are_of_every_kind() -> None:
    documents = [json.loads(text_of(path)) for path in GAMES]
    kinds = [{row["entry"]["kind"] for row in document["entries"]} for document in documents]
    assert {len(document["header"]["seats"]) for document in documents} == {2, 3, 4}
    assert set().union(*kinds) >= {"act", "overrule", "undo", "redo", "correct", "reread"}
    options = [document["header"]["options"] for document in documents]
    plain = options[0] | {"setup.random_tiles": False}
    assert any(sum(plain[name] != value for name, value in one.items()) > 5 for one in options)
    assert any(one["setup.random_tiles"] for one in options)
    assert any(row["entry"]["clocks"] for document in documents for row in document["entries"])


def test_one_game_was_taken_back_past_what_became_known() -> None:
    told = [
        step["key"]
        for path in GAMES
        for row in json.loads(text_of(path))["entries"]
        if row["entry"]["kind"] == "undo"
        for step in row["entry"]["body"]["steps"]
    ]
    assert "return_and_shuffle" in told


@games
def test_what_was_agreed_or_corrected_stays_visible(path: Path) -> None:
    referee = resumed(path)
    for entry in referee.history():
        if entry.kind == "overrule":
            assert entry.waived
            assert entry.consents == referee.game.seats
        if entry.kind == "correct":
            assert entry.facts
            assert any(line.source == "correction" for line in referee.sheet().lines)
