"""`stationmaster export`: a saved game as one JSON file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ui.records import ENDING, add_folder, folder, keeps_secrets, read_journal, reading, resumed, saved
from ui.terminal import GOOD, NO, No, Usage, say

ABOUT = (
    "Writes a saved game as one JSON file, to stdout or with --out to a file, to be kept, replayed or "
    "imported elsewhere. A virtual dealer's seed is in it only once the game is over."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("export", help="write a saved game as JSON", description=ABOUT)
    parser.add_argument("game", nargs="?", metavar="GAME", help="name of a saved game, or path of its file")
    add_folder(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="where to write it (default: stdout); with --all a folder"
    )
    parser.add_argument("--all", action="store_true", help="every saved game, into the folder --out")
    parser.add_argument(
        "--staff",
        action="store_true",
        help="also when the game is not over and hides things from its players",
    )


def run(args: argparse.Namespace) -> int:
    """0 when it is written, 1 when the game cannot be read or may not be told yet."""
    from assistant.journal import export_text

    if args.all:
        return _all(args)
    if args.game is None:
        raise Usage("name a GAME, or all with --all --out DIR")
    referee = reading(args)
    over = referee.game.finished(referee.state)
    if keeps_secrets(referee) and not args.staff:
        raise No("this game is not over and hides things from its players; staff may add --staff")
    text = export_text(referee.journal, finished=over)
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")
        say(f"written to {args.out}")
    return GOOD


def _all(args: argparse.Namespace) -> int:
    """Every game of the folder; 1 when one of them cannot be exported."""
    from assistant.journal import export_text

    if args.out is None or args.game is not None:
        raise Usage("--all takes no GAME, and needs a folder: --out DIR")
    args.out.mkdir(parents=True, exist_ok=True)
    left = 0
    files = saved(folder(args))
    for file in files:
        try:
            referee = resumed(read_journal(file))
            if keeps_secrets(referee) and not args.staff:
                raise No("it is not over and hides things from its players; staff may add --staff")
            over = referee.game.finished(referee.state)
            text = export_text(referee.journal, finished=over)
        except No as wrong:
            say(f"{file.name}: {wrong}")
            left += 1
            continue
        (args.out / f"{file.name.removesuffix(ENDING)}.json").write_text(text, encoding="utf-8")
    say(f"{len(files) - left} of {len(files)} games are written to {args.out}")
    return NO if left else GOOD
