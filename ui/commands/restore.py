"""`stationmaster restore`: bring a backup in, checked whole first; nothing is written over."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.records import add_folder, folder
from ui.terminal import GOOD, NO, No, print_json, say

ABOUT = (
    "Brings the games of a backup into a games folder. Every byte is checked before the first game is "
    "placed. What is there and says the same or more stays; a shorter or damaged game is moved aside; "
    "another game of the same name keeps it, and the one of the backup gets a name of its own. Calling it "
    "twice changes nothing more."
)
_SAID = {
    "restored": "restored",
    "there": "is here already, the same or longer",
    "renamed": "another game has this name; restored as {to}",
    "replaced": "restored; what was here is {aside}",
    "kept": "not taken over",
}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("restore", help="bring a backup in", description=ABOUT)
    parser.add_argument("file", type=Path, metavar="FILE", help="a backup")
    parser.add_argument("--check", action="store_true", help="only check the backup")
    parser.add_argument("--config", type=Path, metavar="FILE", help="also restore the configuration, to here")
    parser.add_argument(
        "--settings", action="store_true", help="take over the kiosk's settings although there are some here"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """0 when all is there, 1 when the backup is not sound or the folder is in use."""
    from ui import backup

    if not args.file.exists():
        raise No(f"there is no file {args.file}")
    try:
        if args.check:
            return _check(args)
        done = backup.restore(args.file, folder(args), config=args.config, settings=args.settings)
    except backup.BadBackup as wrong:
        for fault in wrong.faults:
            say(fault)
        say("Nothing was changed. Copy the backup once more, or take the one before it.")
        return NO
    except backup.InUse as wrong:
        raise No(str(wrong)) from None
    if args.json:
        print_json([{"name": d.name, "what": d.what, "to": d.to, "aside": d.aside} for d in done])
        return GOOD
    for deed in done:
        said = _SAID[deed.what].format(to=deed.to, aside=deed.aside)
        if deed.what == "restored" and deed.aside:
            said += f"; a log without its game was moved to {deed.aside}"
        say(f"{deed.name}: {said}")
    return GOOD


def _check(args: argparse.Namespace) -> int:
    from ui import backup

    with backup.opened(args.file) as (_, manifest):
        games = [name for name in manifest.files if name.startswith("games/")]
        others = [name for name in manifest.files if not name.startswith("games/")]
    if args.json:
        print_json({"made": manifest.made, "clock_set": manifest.clock_set, "games": games, "others": others})
        return GOOD
    unsure = "" if manifest.clock_set else " (by a clock that was not set)"
    say(f"sound: {len(games)} games, made {manifest.made}{unsure} by version {manifest.program or 'unknown'}")
    return GOOD
