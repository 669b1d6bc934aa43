from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ui.bench
from tests.ui.conftest import Call
from ui.bench import Row, row


def test_sheets_are_written(call: Call, tmp_path: Path) -> None:
    said = call("sheets", "--game", "railway_boom", "--seats", 2, "--page", "A3", "--out", tmp_path, "--json")
    assert said.code == 0
    names = {Path(file).name for file in said.json["files"]}
    assert {"mat.pdf", "layout.json"} <= names
    assert names == {file.name for file in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--game", "chess"], 2, "there is no game 'chess'"),
        (["--game", "pebbles"], 1, "Pebbles has no mat"),
        (["--game", "railway_boom", "--copy", "1"], 2, "--copy '1': two characters"),
        (["--game", "railway_boom", "--page", "Q"], 2, "page 'Q' is not understood"),
        (["--game", "railway_boom", "--stock", "none"], 2, "there is no label stock 'none'"),
        (["--game", "railway_boom", "--seats", "9"], 1, "[RB-SETUP-1]"),
    ],
)
def test_sheets_that_cannot_be(words: list[str], code: int, line: str, call: Call, tmp_path: Path) -> None:
    said = call("sheets", *words, "--out", tmp_path / "out")
    assert said.code == code
    assert line in said.err
    assert not (tmp_path / "out").exists()


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A bench of ours in the place of the real one."""
    seen: dict[str, Any] = {"value": 9.0}

    def run(seed: int = 1) -> list[Row]:
        seen["seed"] = seed
        how = "twice round"
        return [row("laps", seen["value"], "ms", goal="<= 10", peer="snail", peer_value=90.0, how=how)]

    module = ModuleType("ui.bench.engine")
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ui.bench.engine", module)
    monkeypatch.setattr("pkgutil.iter_modules", lambda path: [ModuleInfo("engine")])
    monkeypatch.setattr("ui.cli.commands", lambda: {"bench": "ui.commands.bench"})
    return seen


class ModuleInfo:
    def __init__(self, name: str) -> None:
        self.name = name


def test_a_bench_prints_a_table_and_how(call: Call, engine: dict[str, Any]) -> None:
    said = call("bench", "engine", "--seed", 5)
    assert said.code == 0
    assert engine["seed"] == 5
    assert said.out.splitlines() == [
        "      value  unit  goal        peer   its value",
        "laps    9.0  ms    <= 10  met  snail       90.0  x 10.0",
        "",
        "laps: twice round",
    ]
    assert call("bench", "engine", "--json").json[0]["ratio"] == 10.0


def test_a_missed_goal_is_a_no(call: Call, engine: dict[str, Any]) -> None:
    engine["value"] = 11.0
    said = call("bench", "engine")
    assert said.code == 1
    assert said.err == "stationmaster bench: missed: laps\n"


def test_a_bench_that_is_not_there(call: Call, engine: dict[str, Any]) -> None:
    said = call("bench", "ui")
    assert said.code == 1
    assert "no bench for ui" in said.err
    assert call("bench", "weather").code == 2
    assert ui.bench.__doc__
