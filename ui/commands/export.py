"""`stationmaster export`: a saved game as one JSON file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ui.records import add_game, keeps_secrets, reading
from ui.terminal import GOOD, No, say

ABOUT = (
    "Writes a saved game as one JSON file, to stdout or with --out to a file, to be kept, replayed or "
    "imported elsewhere. A virtual dealer's seed is in it only once the game is over."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("export", help="write a saved game as JSON", description=ABOUT)
    add_game(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write it (default: stdout)")
    parser.add_argument(
        "--staff",
        action="store_true",
        help="also when the game is not over and hides things from its players",
    )


def run(args: argparse.Namespace) -> int:
    """0 when it is written, 1 when the game cannot be read or may not be told yet."""
    from assistant.journal import export_text

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
