"""`stationmaster redo`: bring back what the last undo took back."""

from __future__ import annotations

import argparse

from ui.records import add_game, names_of, playing, seat_of


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    about = "Brings back what the last undo took back, as long as nothing else was done since."
    parser = subparsers.add_parser("redo", help="bring back what was taken back", description=about)
    add_game(parser)
    parser.add_argument("--by", metavar="SEAT", help="who brings it back (default: who took it back)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is back, 1 when that cannot be."""
    from ui.answers import tell
    from ui.dealing import deal

    with playing(args) as referee:
        before = len(referee.actions)
        last = referee.history()[-1:]
        names = names_of(referee.journal)
        last_by = last[0].by if last else "table"
        by = seat_of(args.by, names, ("table", "staff")) if args.by else last_by
        answer = referee.redo(by)
        return tell(referee, answer, args, referee.actions[before:], deal(referee))
