"""`stationmaster sheets`: everything to print for a game."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.shelf import open_title, options_of, title_of
from ui.terminal import GOOD, No, Usage, print_json

if TYPE_CHECKING:
    from assistant.game import Game

ABOUT = (
    "Writes the PDFs to print for a game at true size (mat, token stickers, discs, cards) and layout.json, "
    "which `read --mat` and the kiosk use. Print at 100 %, then measure the ruler on every page."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("sheets", help="print mat, cards and stickers", description=ABOUT)
    parser.add_argument("--game", required=True, metavar="TITLE", help="`stationmaster titles` lists them")
    parser.add_argument("--pack", metavar="PACK", help="content pack: an id or a file")
    parser.add_argument(
        "--copy", default="01", metavar="NN", help="number of this box, two characters 0-9 A-Z"
    )
    parser.add_argument("--seats", type=int, metavar="N", help="for how many players (default: the most)")
    parser.add_argument("--page", default="A4", metavar="SIZE", help="A4, A3 or WIDTHxHEIGHT in mm")
    parser.add_argument("--stock", metavar="NAME", help="label stock for the stickers (default: plain paper)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument(
        "--marker-cards",
        action="store_true",
        help="only the cards to lay round a board of your own, for `stationmaster teach`",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when all is written; 1 when the game cannot be printed so; 2 for a wrong call."""
    from assistant.layout import LayoutError
    from vision.labels import PLAIN, find_stock
    from vision.sheets import print_all
    from vision.tiling import page_size

    copy = args.copy.upper()
    if not re.fullmatch(r"[0-9A-Z]{2}", copy):
        raise Usage(f"--copy {args.copy!r}: two characters out of 0-9 and A-Z, for instance 01")
    try:
        page_size(args.page)
        find_stock(args.stock or PLAIN)
    except LayoutError as wrong:
        raise Usage(str(wrong)) from None
    if args.marker_cards:
        from vision.marker_cards import write_marker_cards

        title_of(args.game)
        return _told([write_marker_cards(args.out, game=args.game)], args.json)
    game = _game(args)
    try:
        written = print_all(game.mat(copy), args.out, page=args.page, stock=args.stock)
    except (LayoutError, LookupError) as wrong:
        raise No(str(wrong)) from None
    return _told(written, args.json)


def _told(written: Sequence[Path], as_json: bool) -> int:
    """Say which files were written."""
    if as_json:
        print_json({"files": [str(path) for path in written]})
    else:
        for path in written:
            print(path)
    return GOOD


def _game(args: argparse.Namespace) -> Game[Any]:
    title = title_of(args.game)
    seats = title.seats[1] if args.seats is None else args.seats
    return open_title(title, args.pack, seats, options_of(args.option))
