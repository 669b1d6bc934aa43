"""One box of a game as a call names it: --game, --pack, --copy."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from ui.shelf import open_title, title_of
from ui.terminal import Usage

if TYPE_CHECKING:
    from assistant.layout import Mat


def add_box(parser: argparse.ArgumentParser) -> None:
    """The options that name a box."""
    parser.add_argument("--game", required=True, metavar="TITLE", help="`stationmaster titles` lists them")
    parser.add_argument("--pack", metavar="PACK", help="content pack: an id or a file")
    parser.add_argument(
        "--copy", default="01", metavar="NN", help="number of the box, two characters 0-9 A-Z (default 01)"
    )


def copy_of(args: argparse.Namespace) -> str:
    """The number of the box. `Usage` when it is none."""
    copy: str = args.copy.upper()
    if not re.fullmatch(r"[0-9A-Z]{2}", copy):
        raise Usage(f"--copy {args.copy!r}: two characters out of 0-9 and A-Z, for instance 01")
    return copy


def mat_of(args: argparse.Namespace) -> Mat:
    """The printed mat of the box, for the most players. `Usage` for a game that has none."""
    from assistant.layout import LayoutError

    copy = copy_of(args)
    title = title_of(args.game)
    game = open_title(title, args.pack, title.seats[1], {})
    try:
        return game.mat(copy)
    except (LayoutError, LookupError) as error:
        raise Usage(str(error)) from None
