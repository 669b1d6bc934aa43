"""`stationmaster import`: an exported game into a record that can be played on."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.records import ENDING, add_folder, folder, locate, text_of
from ui.terminal import GOOD, No, Usage, print_json

ABOUT = (
    "Makes a saved game of an exported one. It is replayed strictly first; nothing is written when anything "
    "about it is wrong."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("import", help="make a saved game of an exported one", description=ABOUT)
    parser.add_argument("file", type=Path, metavar="FILE", help="an exported game")
    parser.add_argument("--name", metavar="GAME", help="name of the saved game (default: as the file)")
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it can be played on, 1 when the file is not acceptable or the name is taken."""
    from assistant.journal import JournalError, import_memory, import_text
    from assistant.referee import CannotResume, Differs, Referee

    if not args.file.is_file():
        raise Usage(f"there is no file {args.file}")
    path = locate(args.name or f"{args.file.stem}", folder(args))
    text = text_of(args.file)
    try:
        Referee.resume(import_memory(text))
        path.parent.mkdir(parents=True, exist_ok=True)
        with import_text(text, path) as journal:
            entries = journal.last_seq
    except (JournalError, CannotResume, Differs) as wrong:
        raise No(str(wrong)) from None
    if args.json:
        print_json({"file": str(path), "name": path.name.removesuffix(ENDING), "entries": entries})
    else:
        print(f"{path}: {entries} entries")
    return GOOD
