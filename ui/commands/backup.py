"""`stationmaster backup`: all games and settings as one file, also while a game is played."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.records import add_folder, folder
from ui.terminal import GOOD, No, Usage, print_json, say

ABOUT = (
    "Writes all games, the kiosk's settings, the house's packs and, with --config, the configuration to one "
    "zip with check sums. A game that is being played is in it as recorded at that moment. Damaged files "
    "are in it as they are. It holds people's names."
)
CONFIG = Path("/etc/stationmaster/config.toml")
"""The configuration of an installed table; taken along where it is there."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("backup", help="all games and settings as one file", description=ABOUT)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the zip to write")
    parser.add_argument("--into", type=Path, metavar="DIR", help="a folder, in which it gets the next number")
    parser.add_argument(
        "--keep", type=int, metavar="N", help="with --into: remove all but the newest N there"
    )
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=f"default: {CONFIG}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """0 when it is written, 1 when it cannot be, 2 for a wrong call."""
    from importlib.metadata import version

    from ui import backup

    if (args.file is None) == (args.into is None):
        raise Usage("name the FILE to write, or a folder with --into DIR")
    if args.keep is not None and (args.into is None or args.keep < 1):
        raise Usage("--keep N belongs to --into DIR, and N is 1 or more")
    where = folder(args)
    if not where.is_dir():
        raise No(f"there is no folder {where}")
    if args.file is not None and args.file.exists():
        raise No(f"{args.file} is there already; choose another name")
    place = args.file or backup.free_place(args.into)
    made = backup.back_up(place, where, config=args.config, program=version("stationmaster"))
    removed = backup.thin_out(args.into, args.keep) if args.keep else []
    if args.json:
        print_json(
            {"file": str(made.place), "games": made.games, "damaged": [name for name, _ in made.damaged]}
        )
        return GOOD
    say(f"{made.games} games are in {made.place}")
    if not made.apart:
        say("That is the disk of the games: keep a copy elsewhere, too.")
    for name, fault in made.damaged:
        say(f"taken as it is, for it is damaged: {name}: {fault}")
    for file in removed:
        say(f"removed the old one {file}")
    return GOOD
