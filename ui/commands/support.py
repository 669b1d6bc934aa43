"""`stationmaster support`: what a helper needs to know about a table, without names, PINs and pictures."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import platform
import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distributions, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.commands.backup import CONFIG
from ui.records import ENDING, add_folder, folder, saved
from ui.terminal import GOOD, No, say

if TYPE_CHECKING:
    from assistant.journal.records import Header

ABOUT = (
    "Writes one zip for whoever helps: what the doctor finds, versions, the configuration, how long and how "
    "sound each record is, and the newest lines of the log. No names of people, no name of the table, no "
    "PIN, no moves, no pictures are in it; that is checked before it is written. Look into it before you "
    "hand it on."
)
LINES = 2000
"""Lines of the log at most."""
GONE = "[removed]"
_OURS = re.compile(r"[a-z_]+-\d{4}(-restored-\d+)?")
"""How the kiosk names games. A name that somebody typed may be a person's."""
_SECRET = frozenset({"name", "pin", "games", "playing", "names", "hash"})
"""Keys of the configuration and the settings that say who or where."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("support", help="what a helper needs, without names", description=ABOUT)
    parser.add_argument("file", type=Path, metavar="FILE", help="the zip to write")
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=f"default: {CONFIG}")
    parser.add_argument("--log", type=Path, metavar="FILE", help="a log to take instead of the service's own")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """0 when it is written."""
    if args.file.exists():
        raise No(f"{args.file} is there already; choose another name")
    where = folder(args)
    people = names_in(where, args.config)
    if nameless := [file.name for file in saved(where) if _header(file) is None]:
        said = ", ".join(nameless)
        say(f"{said}: too damaged to tell whose names to look for; read log.txt before you hand it on")
    parts = dict(_parts(where, args.config, args.log))
    parts = {name: redacted(text, people) for name, text in parts.items()}
    left = [(name, who) for name, text in parts.items() for who in people if _whole(who).search(text)]
    if left:
        raise No(f"a name is still in {left[0][0]}; nothing was written")
    with zipfile.ZipFile(args.file, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in parts.items():
            pack.writestr(name, text)
    say(f"written to {args.file}: {', '.join(parts)}")
    return GOOD


def names_in(where: Path, config: Path) -> list[str]:
    """Everything that must not be in the bundle, the longest first: people's names and names of the table."""
    found: set[str] = set()
    for file in saved(where):
        if (header := _header(file)) is not None:
            found |= {seat.name for seat in header.seats if seat.name != seat.letter}
        if not _OURS.fullmatch(file.name.removesuffix(ENDING)):
            found.add(file.name.removesuffix(ENDING))
    with contextlib.suppress(OSError, ValueError):
        found.add(str(_toml(config).get("name", "")))
    with contextlib.suppress(OSError, ValueError, AttributeError):
        settings = json.loads((where / "kiosk-settings.json").read_text(encoding="utf-8"))
        found.add(str(settings.get("name") or ""))
        found.add(str(settings.get("pin", {}).get("hash", "")))
    return sorted({one.strip() for one in found if one.strip()}, key=len, reverse=True)


def _header(file: Path) -> Header | None:
    """What a record tells about itself; None when that is damaged, too."""
    from assistant.journal import JournalError, salvage

    try:
        return salvage(file)[0].header
    except JournalError:
        return None


def _whole(name: str) -> re.Pattern[str]:
    """The name by itself: "Al" is not in "Also"."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def redacted(text: str, people: Iterable[str]) -> str:
    """The text without these names, and without what looks like a PIN that was typed: logs of versions that
    quoted refused touches call it digits."""
    for name in people:
        text = _whole(name).sub(GONE, text)
    return re.sub(r"(?i)\b((?:pin|digits)\W{1,6})\d{4,12}\b", rf"\1{GONE}", text)


def _parts(where: Path, config: Path, log: Path | None) -> Iterator[tuple[str, str]]:
    from ui.kiosk.config import faults_of

    yield "about.json", _json(_about())
    yield "doctor.json", _doctor(where)
    yield "games.json", _json(list(_games(where)))
    yield "packages.txt", "".join(sorted(f"{one.name} {one.version}\n" for one in distributions()))
    with contextlib.suppress(OSError, ValueError):
        import tomli_w

        yield "config.toml", tomli_w.dumps(_without(_toml(config)))
    if faults := faults_of(config):
        yield "config-faults.txt", "".join(f"{fault}\n" for fault in faults)
    with contextlib.suppress(OSError, ValueError):
        settings = json.loads((where / "kiosk-settings.json").read_text(encoding="utf-8"))
        yield "settings.json", _json(_without(settings))
    yield "log.txt", _log(log)


def _about() -> dict[str, Any]:
    with contextlib.suppress(OSError):
        model = Path("/proc/device-tree/model").read_text(errors="replace").strip("\0\n")
        return {**_versions(), "model": model}
    return _versions()


def _versions() -> dict[str, Any]:
    release = (
        platform.freedesktop_os_release().get("PRETTY_NAME", "") if Path("/etc/os-release").exists() else ""
    )
    kernel = f"{platform.release()} {platform.machine()}"
    return {
        "stationmaster": version("stationmaster"),
        "python": platform.python_version(),
        "os": release,
        "kernel": kernel,
    }


def _doctor(where: Path) -> str:
    from ui.cli import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        main(["doctor", "--json", "--games-dir", str(where)])
    return said.getvalue()


def _games(where: Path) -> Iterator[dict[str, Any]]:
    """Of each record: which game, how long, whether it is sound. File names that people gave are left out."""
    from assistant.journal import JournalError, read

    for number, file in enumerate(saved(where), 1):
        stem = file.name.removesuffix(ENDING)
        about: dict[str, Any] = {"file": stem if _OURS.fullmatch(stem) else f"game {number}"}
        about["bytes"] = file.stat().st_size
        try:
            journal = read(file)
            header = journal.header
            about |= {"game": header.game, "rules": header.rules_version, "pack": header.pack_id}
            about |= {"seats": len(header.seats), "entries": journal.last_seq, "fault": ""}
        except JournalError as wrong:
            about["fault"] = str(wrong).replace(file.name, about["file"])
        yield about


def _toml(file: Path) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(file.read_text(encoding="utf-8-sig"))


def _without(table: Mapping[str, Any]) -> dict[str, Any]:
    """The table without what says who or where; a camera's name is a device's, and stays."""
    return {
        key: {k: v for k, v in value.items() if k != "hash"} if isinstance(value, Mapping) else value
        for key, value in table.items()
        if key not in _SECRET and value is not None
    }


def _log(file: Path | None) -> str:
    if file is not None:
        return "".join(file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)[-LINES:])
    command = ["journalctl", "-u", "stationmaster", "-n", str(LINES), "-o", "short-iso", "--no-pager", "-q"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout
        return said or "the log is empty, or this user may not read it: call with sudo\n"
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the log cannot be read: {error}\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
