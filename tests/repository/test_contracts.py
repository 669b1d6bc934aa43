"""Every contract on imports bites: it holds for a small tree, and one planted line breaks it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]

# A tree in which everything that is allowed happens.
TREE = {
    "assistant/__init__.py": "",
    "assistant/hexes.py": "",
    "assistant/layout.py": "import assistant.hexes",
    "assistant/messages.py": "import assistant.observation",
    "assistant/observation.py": "import assistant.layout",
    "assistant/referee.py": "import assistant.layout\nimport sqlite3",
    "assistant/games/__init__.py": "",
    "assistant/games/first/__init__.py": "import assistant.games.first.state",
    "assistant/games/first/state.py": "import assistant.referee",
    "assistant/games/second/__init__.py": "import assistant.hexes",
    "hardware/__init__.py": "",
    "hardware/gpio.py": "import gpiozero",
    "hardware/panel.py": "from assistant.messages import anything",
    "ui/__init__.py": "",
    "ui/cli.py": "import assistant.referee, assistant.games.first, hardware.gpio, ui.kiosk.app, vision.mat",
    "ui/kiosk/__init__.py": "",
    "ui/kiosk/app.py": "import hardware.panel, ui.presenters.table, vision.cameras\nfrom kivy.app import App",
    "ui/presenters/__init__.py": "",
    "ui/presenters/table.py": "import assistant.layout, vision.mat",
    "vision/__init__.py": "",
    "vision/cameras/__init__.py": "import vision.mat",
    "vision/mat.py": "import assistant.hexes, cv2\nfrom assistant import layout, messages, observation",
}

# The contract, the file that breaks it, and the line that is planted there.
VIOLATIONS = [
    ("assistant-alone", "assistant/referee.py", "import vision.mat"),
    ("assistant-alone", "assistant/games/first/state.py", "import hardware"),
    ("assistant-alone", "assistant/__init__.py", "def late():\n    from ui import cli"),
    ("assistant-pure", "assistant/layout.py", "import cv2"),
    ("assistant-pure", "assistant/games/second/__init__.py", "from kivy.app import App"),
    ("vision-alone", "vision/mat.py", "import hardware.panel"),
    ("vision-alone", "vision/cameras/__init__.py", "from ui import cli"),
    ("vision-no-rules", "vision/mat.py", "import assistant.referee"),
    ("vision-no-rules", "vision/cameras/__init__.py", "from assistant import referee"),
    ("vision-no-rules", "vision/__init__.py", "import assistant.games.first"),
    ("hardware-alone", "hardware/panel.py", "from vision import mat"),
    ("hardware-alone", "hardware/panel.py", "import ui"),
    ("hardware-no-rules", "hardware/panel.py", "import assistant.layout"),
    ("games-apart", "assistant/games/second/__init__.py", "from assistant.games.first import state"),
    ("games-found", "assistant/referee.py", "from assistant.games import first"),
    ("games-found", "assistant/hexes.py", "import assistant.games.second"),
    ("kivy-in-kiosk", "ui/cli.py", "from kivy.app import App"),
    ("kivy-in-kiosk", "ui/presenters/table.py", "import kivy.metrics"),
    ("kivy-in-kiosk", "hardware/panel.py", "def late():\n    from kivy.clock import Clock"),
    ("gpiozero-in-gpio", "hardware/panel.py", "import gpiozero"),
    ("gpiozero-in-gpio", "ui/kiosk/app.py", "from gpiozero import Button"),
    ("presenters-windowless", "ui/presenters/table.py", "import ui.kiosk.app"),
    ("presenters-windowless", "ui/presenters/table.py", "from hardware import panel"),
    ("presenters-windowless", "ui/presenters/__init__.py", "import vision.cameras"),
    # By way of another module.
    ("presenters-windowless", "ui/presenters/table.py", "import ui.cli"),
]


def plant(folder: Path, file: str = "", line: str = "") -> Path:
    """Writes the tree, with ``line`` at the end of ``file``."""
    for name, text in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n{line}\n" if name == file else f"{text}\n")
    return folder


def lint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """import-linter's verdict on ``folder``, under the contracts of this repository."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache", "--no-logo", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_what_is_allowed_breaks_nothing(tmp_path: Path) -> None:
    run = lint(plant(tmp_path))
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in run.stdout, run.stdout + run.stderr
    assert run.returncode == 0


@pytest.mark.parametrize(("contract", "file", "line"), VIOLATIONS)
def test_a_planted_violation_is_found(contract: str, file: str, line: str, tmp_path: Path) -> None:
    run = lint(plant(tmp_path, file, line), "--contract", contract)
    assert "Contracts: 0 kept, 1 broken." in run.stdout, run.stdout + run.stderr
    assert run.returncode == 1


def test_every_contract_has_a_planted_violation() -> None:
    assert {contract["id"] for contract in CONTRACTS} == {contract for contract, _, _ in VIOLATIONS}
