"""What no file of the repository may say, and what every source file must be."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Put together here, so that this file does not hold them.
DOMAINS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "pi" + "wheels.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "crates" + ".io",
    "deb" + ".debian" + ".org",
    "security" + ".debian" + ".org",
    "archive" + ".raspberrypi.com",
    "anaconda" + ".org",
]


def files() -> Iterator[Path]:
    """The files that git keeps, or would keep if they were added now."""
    command = [
        "git",
        "-c",
        f"safe.directory={ROOT}",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("this is not a git checkout")
    for name in filter(None, listed.split("\0")):
        if (path := ROOT / name).is_file():
            yield path


def text(path: Path) -> str | None:
    """What the file says, or None if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def test_no_file_holds_the_address_of_a_package_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {domain}"
        for path in files()
        if (content := text(path)) is not None
        for domain in DOMAINS
        if domain in content.lower()
    ]
    assert found == []


def test_shell_scripts_are_executable_and_sound() -> None:
    scripts = [path for path in files() if path.suffix == ".sh" or path == ROOT / ".ci" / "run"]
    assert scripts
    for path in scripts:
        assert path.stat().st_mode & 0o100, f"{path} is not executable"
        content = path.read_text()
        assert content.startswith("#!/usr/bin/env bash\n")
        assert "\nset -euo pipefail\n" in content
        assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
