"""`stationmaster import`: an exported game into a record that can be played on."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.records import ENDING, add_folder, folder, is_record, locate, text_of
from ui.terminal import GOOD, No, Usage, print_json

ABOUT = (
    "Makes a saved game of an exported one. It is replayed strictly first; nothing is written when anything "
    "about it is wrong. With --salvage FILE is a saved game that is damaged: the entries before the damage "
    "become a new game, and the file stays as it is."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("import", help="make a saved game of an exported one", description=ABOUT)
    parser.add_argument("file", metavar="FILE", help="an exported game, or a damaged one to be salvaged")
    parser.add_argument(
        "--name",
        metavar="GAME",
        help="name of the saved game (default: as the file; salvaged: with -salvaged after it)",
    )
    parser.add_argument(
        "--salvage", action="store_true", help="save what lies before the damage of a saved game"
    )
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it can be played on, 1 when the file is not acceptable or the name is taken."""
    from assistant.journal import JournalError
    from assistant.referee import CannotResume, Differs

    try:
        path, entries, damage = (_salvaged if args.salvage else _imported)(args)
    except (JournalError, CannotResume, Differs) as wrong:
        raise No(str(wrong)) from None
    if args.json:
        found = {"damage": damage} if args.salvage else {}
        print_json({"file": str(path), "name": path.name.removesuffix(ENDING), "entries": entries, **found})
    else:
        print(f"{path}: {entries} entries")
        if args.salvage:
            print(f"They are all before the damage: {damage}. Compare them with the table.")
    return GOOD


def _imported(args: argparse.Namespace) -> tuple[Path, int, str]:
    """The new file and the number of its entries."""
    from assistant.journal import import_memory, import_text
    from assistant.referee import Referee

    file = Path(args.file)
    if not file.is_file():
        raise Usage(f"there is no file {file}")
    path = locate(args.name or file.stem, folder(args))
    if is_record(file):
        raise No(f"{file} is a saved game already: put it into {folder(args)}, or name it by its path")
    text = text_of(file)
    Referee.resume(import_memory(text))
    path.parent.mkdir(parents=True, exist_ok=True)
    with import_text(text, path) as journal:
        return path, journal.last_seq, ""


def _salvaged(args: argparse.Namespace) -> tuple[Path, int, str]:
    """The new file, the number of its entries, and the damage of the old file."""
    from assistant.journal import DamagedFile, salvage, save
    from assistant.referee import Referee

    file = locate(args.file, folder(args))
    if not file.is_file():
        file = Path(args.file)
    if not file.is_file():
        raise Usage(f"there is no game {args.file!r} in {folder(args)} and no such file")
    path = locate(args.name or f"{file.stem}-salvaged", folder(args))
    try:
        game, damage = salvage(file)
    except DamagedFile:
        raise No(
            f"nothing of {file} can be salvaged: not even its beginning can be read. It was left as it is; "
            "restore the last backup, or import the last export."
        ) from None
    if not damage:
        raise No(f"{file} is not damaged: there is nothing to salvage")
    Referee.resume(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    with save(game, path) as journal:
        return path, journal.last_seq, damage
