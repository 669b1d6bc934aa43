"""Releases for the machine that is booted: this checkout's, and later ones that are as a test needs them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from tests.boot.machine import ROOT, Wrong

_PARTS = (
    "assistant",
    "hardware",
    "ui",
    "vision",
    "docs",
    "deploy",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
)
_PYTHON = "3.13"
_PLATFORMS = tuple(f"manylinux_2_{n}_x86_64" for n in (39, 36, 34, 31, 28, 27, 26, 24, 17))
NOW, BROKEN, LATER = "0.1.0", "0.1.1", "0.1.2"
"""The checkout's version; one that passes its own check and does not come up; one with a mended ruling."""

_MENDED = """rules_version = 2

    def at_version(self, version):
        if version != 1:
            return super().at_version(version)
        return type("Before", (type(self),), {"rules_version": 1})()
"""


def make_release(into: Path, version: str, wheels: Path) -> None:
    """A release with this version in a folder, its wheels for the emulated machine; `wheels` keeps them."""
    source = ROOT
    if version != NOW:
        source = into.with_name(f"{into.name}-source")
        for part in _PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                source.mkdir(exist_ok=True)
                shutil.copy(ROOT / part, source)
        (source / ".venv").symlink_to(ROOT / ".venv")
        _change(source / "pyproject.toml", f'version = "{NOW}"', f'version = "{version}"')
    if version == BROKEN:
        _change(source / "ui/commands/kiosk.py", "service = _service()\n", "raise SystemExit(3)\n")
    if version == LATER:
        _change(source / "assistant/games/auction/title.py", "rules_version = 1\n", _MENDED)
    _run(source / "deploy/release.sh", "--into", into)
    if not wheels.is_dir():
        platforms = [word for one in _PLATFORMS for word in ("--platform", one)]
        lists = [word for name in ("", "-pi") for word in ("-r", into / f"requirements{name}.txt")]
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps")
        options = ("--only-binary", ":all:", "--require-hashes", "--python-version", _PYTHON)
        _run(*pip, *options, *platforms, *lists, "--dest", wheels)
    shutil.copytree(wheels, into / "wheels")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(into)}\n"
        for path in sorted(into.rglob("*"))
        if path.is_file() and path.name != "SHA256SUMS"
    ]
    (into / "SHA256SUMS").write_text("".join(sums))


def _change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    if text.count(old) != 1:
        raise Wrong(f"{file.name} has not {old!r} once")
    file.write_text(text.replace(old, new))


def _run(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"{' '.join(map(str, words))[:300]}: {done.stderr[-2000:]}")
