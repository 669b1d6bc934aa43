"""`stationmaster legal`: what may be done in a position."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.records import add_folder, is_record, keeps_secrets, names_of, position_in, reading
from ui.terminal import GOOD, No, Usage, print_json

if TYPE_CHECKING:
    from assistant.game import Game
    from ui.sentences import Sentences

ABOUT = (
    "Lists what may be done in a saved game or in the position of a file: a case (its `given`), a position "
    "as `show --json` prints it, or an exported game. Actions of which there are many are one form with "
    "blanks; --expand writes them out."
)
LIMIT = 2000


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("legal", help="what may be done in a position", description=ABOUT)
    parser.add_argument("game", metavar="FILE|GAME", help="a case, position, export, or saved game")
    add_folder(parser)
    parser.add_argument("--seat", metavar="SEAT", help="only what this seat (or table) may do")
    parser.add_argument(
        "--staff", action="store_true", help="all seats, also in a game that hides things from its players"
    )
    parser.add_argument("--expand", action="store_true", help="write out the actions of forms")
    parser.add_argument(
        "--limit", type=int, default=LIMIT, metavar="N", help=f"at most N of each form (default {LIMIT})"
    )
    parser.add_argument("--game", dest="title", metavar="TITLE", help="for a position that names no game")
    parser.add_argument("--pack", metavar="PACK", help="for a position that names no pack")
    parser.add_argument("--players", type=int, metavar="N", help="for a position that names no number")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 with the legal actions (also when there are none), 1 for a file that is no position."""
    from assistant.cases import legal
    from assistant.rulings import NotUnderstood
    from ui.sentences import Sentences
    from ui.shortform import letter_of

    if args.limit < 1:
        raise Usage("--limit: at least 1")
    game, state, names = _position(args)
    try:
        seat = letter_of(args.seat, names) if args.seat else None
        answer = legal(game, state, seat or args.seat, args.limit, expand_forms=args.expand)
    except NotUnderstood as wrong:
        raise Usage(str(wrong)) from None
    if args.json:
        print_json(answer)
        return GOOD
    for line in _lines(game, state, answer, Sentences.of(game.title, names=names), names, args.expand):
        print(line)
    return GOOD


def _position(args: argparse.Namespace) -> tuple[Game[Any], Any, dict[str, str]]:
    path = Path(args.game)
    if path.is_file() and not is_record(path):
        return *position_in(path, args.title, args.pack, args.players), {}
    referee = reading(args)
    if keeps_secrets(referee) and args.seat is None and not args.staff:
        raise No("this game hides things from its players: say which --seat looks, or --staff")
    return referee.game, referee.state, names_of(referee.journal)


def _lines(
    game: Game[Any],
    state: Any,
    answer: dict[str, Any],
    words: Sentences,
    names: dict[str, str],
    expanded: bool,
) -> list[str]:
    from assistant.game import Acting
    from ui.answers import asked
    from ui.shortform import spell, usage

    lines = []
    for who in answer["acting"]:
        lines.append(asked(game, state, Acting(who["seat"], who["why"]), words, names))
    if not answer["acting"]:
        lines.append("Nobody is asked anything.")
    for form in answer["actions"] if expanded else answer["offers"]:
        if "form" in form:
            values = ", ".join(_value(value) for value in form["first"])
            typed = usage(game.codec, form["form"], form)
            lines.append(f"  {form['seat']}: {typed}   first: {values}")
        else:
            lines.append(f"  {spell(game.codec.from_json(form))}")
    if answer.get("cut"):
        lines.append("  ... and more; --limit says how many are written out")
    return lines


def _value(value: Any) -> str:
    """A value of a blank: what it consists of is joined by plus signs."""
    return "+".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
