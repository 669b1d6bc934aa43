"""Set-up says what is wrong and what to do, and the Makefile has the targets that the papers name."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with what set-up reads, and no environment."""
    (tmp_path / "deploy").mkdir()
    for name in (
        "Makefile",
        "pyproject.toml",
        "deploy/setup.sh",
        "deploy/requirements.txt",
        "deploy/requirements-dev.txt",
    ):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def set_up(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / "deploy" / "setup.sh"],
        env={**os.environ, "PYTHON": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def make_ready(checkout: Path) -> None:
    """Leaves the folder as set-up does when it has done its work."""
    read = ("deploy/requirements.txt", "deploy/requirements-dev.txt", "pyproject.toml", "deploy/setup.sh")
    digest = hashlib.sha256(b"".join((checkout / name).read_bytes() for name in read)).hexdigest()
    (checkout / ".venv" / "bin").mkdir(parents=True, exist_ok=True)
    program(checkout / ".venv" / "bin" / "python", "exit 0")
    (checkout / ".venv" / ".ready").write_text(f"{checkout}\n{digest}  -\n")


def test_an_unfit_python_is_refused_with_what_to_do(checkout: Path) -> None:
    old = program(checkout / "python3.10", "exit 1")
    run = set_up(checkout, PYTHON=str(old))
    assert run.returncode == 1
    assert "needs CPython 3.11, 3.12 or 3.13" in run.stderr
    assert str(old) in run.stderr
    assert "apt-get install python3 python3-venv" in run.stderr
    assert not (checkout / ".venv").exists()


def test_the_first_fitting_python_is_taken(checkout: Path) -> None:
    # Stands for a Python that fits but cannot be used further, so that nothing is installed.
    tools = checkout / "tools"
    tools.mkdir()
    for name in ("python3", "python3.13", "python3.11"):
        program(tools / name, "exit 1")
    program(tools / "python3.12", 'case "$2" in *libc_ver*) exit 1;; esac; exit 0')
    run = set_up(checkout, PATH=f"{tools}:{os.environ['PATH']}")
    assert run.returncode == 1
    assert "64-bit" in run.stderr


def test_no_apt_get_is_said_with_what_is_missing(checkout: Path) -> None:
    tools = checkout / "tools"
    tools.mkdir()
    for name in ("bash", "cat", "dirname", "flock", "sha256sum", "uname", "sh", "id", "env"):
        found = shutil.which(name)
        assert found
        (tools / name).symlink_to(found)
    program(tools / "python3", 'case "$2" in *libzbar*) exit 1;; esac; exit 0')
    run = set_up(checkout, PATH=str(tools))
    assert run.returncode == 1
    assert "libzbar0 is missing" in run.stdout
    assert "Install by other means: libzbar0." in run.stderr
    program(tools / "python3", 'case "$2" in *lib*.so.*) exit 1;; esac; exit 0')
    run = set_up(checkout, PATH=str(tools))
    assert "libegl1 is missing: Kivy draws with it where there is no desktop" in run.stdout
    assert "Install by other means: libzbar0 libgl1 libegl1 libgles2 libmtdev1." in run.stderr


def test_readme_names_every_system_library() -> None:
    script = (ROOT / "deploy" / "setup.sh").read_text()
    packages = re.findall(r'^    "lib\S+\.so\.\d+ +(lib\S+) ', script, re.MULTILINE)
    assert "libgl1" in packages
    for paper in ("README.md", "docs/decisions/0001-dependencies.md"):
        text = (ROOT / paper).read_text()
        assert [package for package in packages if f"`{package}`" not in text] == []


def test_with_nothing_to_do_set_up_says_nothing_and_is_quick(checkout: Path) -> None:
    make_ready(checkout)
    began = time.monotonic()
    run = set_up(checkout)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert time.monotonic() - began < 2


def test_a_change_of_the_pins_or_a_moved_folder_is_noticed(checkout: Path) -> None:
    nothing = str(program(checkout / "nothing", "exit 1"))  # So that set-up stops as soon as it starts.
    make_ready(checkout)
    with (checkout / "deploy" / "requirements.txt").open("a") as pins:
        pins.write("\n")
    assert set_up(checkout, PYTHON=nothing).returncode == 1
    make_ready(checkout)
    assert set_up(checkout).returncode == 0
    moved = checkout.rename(checkout.with_name("moved"))
    assert set_up(moved, PYTHON=str(moved / "nothing")).returncode == 1


def test_readme_names_only_targets_that_exist() -> None:
    named = set(re.findall(r"\bmake ([a-z0-9-]+)", (ROOT / "README.md").read_text()))
    assert {"setup", "demo", "test"} <= named
    assert named <= TARGETS


def test_every_target_is_listed_by_help() -> None:
    said = set(re.findall(r"^([a-z0-9-]+):.* ## ", MAKEFILE, re.MULTILINE))
    assert TARGETS - said == {"ready"}
    phony = set(re.findall(r"^\.PHONY: ([a-z0-9-]+)$", MAKEFILE, re.MULTILINE))
    assert phony == TARGETS


def test_the_checks_run_in_order() -> None:
    assert re.search(r"^test: lint types contracts pytest ##", MAKEFILE, re.MULTILINE)
    assert "\n.NOTPARALLEL:\n" in MAKEFILE
    assert (ROOT / ".ci" / "run").read_text().endswith("\nmake test\n")
