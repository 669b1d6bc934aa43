"""`stationmaster readiness`: whether a picture shows a table that is ready for play, and what to mend."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ui.commands.read import add_picture, mat_and_roster, payloads_in, picture_of
from ui.terminal import GOOD, NO, Usage, print_json, table

if TYPE_CHECKING:
    from vision.readiness import Readiness

ABOUT = (
    "Checks a picture of the table before play: focus, light, lens, markers, size of the tags, glare, "
    "shadow, pieces, and how certain places are. Each is green, amber (play is possible, but look at it) or "
    "red, with what to do. The mat is named as for `read`. Exit code 1 when something is red or the file is "
    "no picture."
)
SIGNS = {"green": "ok", "amber": "look", "red": "STOP"}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "readiness", help="check a picture of the table before play", description=ABOUT
    )
    add_picture(parser)
    parser.add_argument(
        "--expect", type=Path, metavar="FILE", help="the payloads that should lie there, one a line"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when nothing is red, 1 when something is or there is no picture, 2 for a wrong call."""
    mat, roster = mat_and_roster(args)
    from vision.readiness import readiness, to_json

    expected = None if args.expect is None else payloads_in(args.expect, "--expect")
    picture = picture_of(args, {"checks": []})
    try:
        found = readiness(picture, mat, roster, expected)
    except ValueError as error:
        raise Usage(str(error)) from None
    if args.json:
        print_json(to_json(found))
    else:
        for line in lines(found):
            print(line)
    return NO if found.light == "red" else GOOD


def lines(found: Readiness) -> list[str]:
    """The checks for people: a sign, the name, how it is, and below it what to do."""
    rows = table([(SIGNS[check.light], check.name, check.text) for check in found.checks])
    out = []
    for row, check in zip(rows, found.checks, strict=True):
        out.append(row)
        if check.advice:
            out.append(f"      {check.advice}")
    return out
