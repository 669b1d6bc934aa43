"""`stationmaster config`: whether a configuration is right, and the same in the newest version."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.commands.backup import CONFIG
from ui.terminal import GOOD, NO, No, print_json, say

ABOUT = (
    "Tells everything that is wrong with a configuration, and of which version it is. An older one is read "
    "as it is; with --migrate it is also written in the newest version beside it, with its comments. "
    "The file itself is never changed. Exit code 1 when something is wrong with it."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("config", help="whether a configuration is right", description=ABOUT)
    parser.add_argument(
        "file", nargs="?", type=Path, default=CONFIG, metavar="FILE", help=f"default: {CONFIG}"
    )
    parser.add_argument("--migrate", action="store_true", help="write it in the newest version beside it")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is right, 1 when it is not or the new one cannot be written."""
    from ui.kiosk.config import ConfigFaults, parsed, text_of
    from ui.kiosk.config_versions import VERSION

    file: Path = args.file
    version, kept = 0, True
    faults: tuple[str, ...] = ()
    written: Path | None = None
    try:
        text = text_of(file)
        version = parsed(text, file).version
        if args.migrate and version < VERSION:
            written, kept = _migrate(file, text)
    except ConfigFaults as wrong:
        faults = wrong.faults
    if args.json:
        print_json(
            {
                "file": str(file),
                "version": version or None,
                "newest": VERSION,
                "faults": faults,
                "written": None if written is None else str(written),
            }
        )
    elif faults:
        say("\n".join([f"{file} is not right:", *(f"  {fault}" for fault in faults)]))
    else:
        _say(file, version, written, kept)
    return NO if faults else GOOD


def _say(file: Path, version: int, written: Path | None, kept: bool) -> None:
    from ui.kiosk.config_versions import VERSION

    say(f"{file} is right; it is of version {version}, the newest is {VERSION}")
    if written is not None:
        how = "with its comments" if kept else "without its comments, which could not be kept"
        old = file.with_name(f"{file.stem}.version-{version}{file.suffix}")
        say(f"the same in version {VERSION} is in {written}, {how}")
        say(f"to use it, and keep the old one for the way back: mv {file} {old} && mv {written} {file}")
    elif version < VERSION:
        say("it is read as it is; --migrate writes the same in the newest version beside it")


def _migrate(file: Path, text: str) -> tuple[Path, bool]:
    """Write it anew beside the file; where, and whether its comments were kept. `No` when something else is
    there already, OSError when it cannot be written."""
    from ui.kiosk.config_versions import VERSION, migrated_text
    from vision.kept import write_safely

    place = file.with_name(f"{file.stem}.version-{VERSION}{file.suffix}")
    made = migrated_text(text)
    data = made.text.encode()
    if place.exists() and place.read_bytes() != data:
        raise No(f"{place} is there already and says something else; move it away")
    write_safely(place, data)
    return place, made.kept
