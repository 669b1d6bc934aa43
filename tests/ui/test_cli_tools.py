from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.ui.conftest import Call
from ui.bench import Row, row
from ui.commands.bench import BENCHES


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
    return seen


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


def test_the_benches_offered_are_those_that_exist(call: Call) -> None:
    assert call("bench", "weather").code == 2
    assert BENCHES
    for name in BENCHES:
        assert callable(importlib.import_module(f"ui.bench.{name}").run)
    root = Path(__file__).parents[2]
    assert f"for bench in {' '.join(BENCHES)};" in (root / "Makefile").read_text(encoding="utf-8")
    listed = "\\|".join(BENCHES)
    assert f"`bench {listed}`" in (root / "docs" / "cli.md").read_text(encoding="utf-8")


def test_a_pack_is_checked_by_its_id(call: Call) -> None:
    said = call("pack", "check", "inland-sea")
    assert said.code == 0
    assert "No faults." in said.out
    assert call("pack", "check", "garden").code == 0
    said = call("pack", "check", "inland_see")
    assert said.code == 2
    assert "nearest is 'inland_sea'" in said.err
