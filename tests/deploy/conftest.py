"""Games folders to back up, bring back and look into."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.game import find_title
from assistant.journal import Entry, Journal
from assistant.random_play import play
from assistant.referee import Referee, header_for
from ui.cli import main
from ui.records import ENDING

NAMES = {"A": "Annegret", "B": "Boris"}
Began = Callable[..., Journal]
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    return folder


@pytest.fixture
def began(games: Path) -> Began:
    """Begin an auction with so many actions, and leave it open."""

    def begin(name: str = "auction-0001", actions: int = 10, seed: int = 1, folder: Path = games) -> Journal:
        title = find_title("auction")
        game = title.open(title.load_pack(title.default_pack), 2)
        journal = Journal.create(folder / f"{name}{ENDING}", header_for(game, NAMES))
        referee = Referee.new(game, journal)
        for action in moves(game, actions, seed):
            referee.submit(action)
        return journal

    return begin


def moves(game: Any, count: int, seed: int) -> Sequence[Any]:
    """The first actions of a random game."""
    return play(game, random.Random(seed)).actions[:count]


def entry(text: str) -> Entry:
    """An entry that no game reads."""
    return Entry(kind="note", body={"text": text})


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def calling(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return calling
