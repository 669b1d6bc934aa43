"""The wheel holds everything that the packages hold, and names its doors."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.repository.test_text import files

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = ("assistant", "hardware", "ui", "vision")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    (path,) = folder.glob("stationmaster-*-py3-none-any.whl")
    return zipfile.ZipFile(path)


def test_every_file_of_the_packages_is_in_the_wheel_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    ours = {
        path.relative_to(ROOT).as_posix() for path in files() if path.relative_to(ROOT).parts[0] in PACKAGES
    }
    # The screen shows the text of a rule, which is written among the documents.
    ours |= {f"ui/rules/{path.name}" for path in (ROOT / "docs" / "rules").glob("*.md")}
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == ours


def test_every_package_is_typed(wheel: zipfile.ZipFile) -> None:
    for package in PACKAGES:
        assert f"{package}/__init__.py" in wheel.namelist()
        assert f"{package}/py.typed" in wheel.namelist()


def test_the_wheel_carries_the_command_the_games_and_the_licence(wheel: zipfile.ZipFile) -> None:
    (info,) = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    doors = wheel.read(f"{info}/entry_points.txt").decode()
    assert "[console_scripts]\nstationmaster = ui.cli:main\n" in doors
    assert "[stationmaster.games]\n" in doors
    assert (ROOT / "LICENSE").read_text() == wheel.read(f"{info}/licenses/LICENSE").decode()


def test_every_game_that_is_named_is_there() -> None:
    for name, module in PROJECT["project"]["entry-points"]["stationmaster.games"].items():
        assert module == f"assistant.games.{name}"
        assert (ROOT / "assistant" / "games" / name / "__init__.py").is_file()
