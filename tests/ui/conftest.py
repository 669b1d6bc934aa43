"""A shelf with one tiny game, a folder for saved games, and the command line called in process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ui.cli import main

SHELF = Path(__file__).parent / "shelf" / "pebbles"


class Said(NamedTuple):
    """What a call of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Call = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "games"
    monkeypatch.setenv("STATIONMASTER_GAMES", str(SHELF))
    monkeypatch.setenv("STATIONMASTER_HOME", str(folder))
    return folder


@pytest.fixture
def call(home: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    def calling(*words: object) -> Said:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Said(code, out, err)

    return calling


@pytest.fixture
def game(call: Call) -> str:
    """A game of two in which A may take up to three."""
    assert call("new", "g", "--game", "pebbles", "--players", 2, "--names", "Ann,Ben").code == 0
    assert call("act", "g", "draw", "cards", "three").code == 0
    return "g"
