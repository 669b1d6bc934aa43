"""`stationmaster games`: the saved games of a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ui.records import add_folder, folder, saved
from ui.terminal import GOOD, print_json, table


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("games", help="list the saved games", description="Lists the saved games.")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0, also when there are none. A file that is no sound record is listed with what is wrong."""
    where = folder(args)
    rows = [_about(path) for path in saved(where)]
    if args.json:
        print_json(rows)
        return GOOD
    if not rows:
        print(f"No saved games in {where}.")
    shown = [[row["name"], row.get("game", ""), row.get("names", ""), row["about"]] for row in rows]
    for line in table(shown):
        print(line)
    return GOOD


def _about(path: Path) -> dict[str, Any]:
    from assistant.journal import JournalError, read

    try:
        journal = read(path)
    except JournalError as wrong:
        return {"name": path.stem, "file": str(path), "about": str(wrong), "sound": False}
    header = journal.header
    return {
        "name": path.stem,
        "file": str(path),
        "game": header.game,
        "pack": header.pack_id,
        "names": ", ".join(seat.name for seat in header.seats),
        "entries": journal.last_seq,
        "about": f"{journal.last_seq} entries, begun {header.noted_at or 'at an unknown time'}",
        "sound": True,
    }
