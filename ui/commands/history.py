"""`stationmaster history`: what happened in a saved game, entry by entry."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ui.records import add_game, reading
from ui.terminal import GOOD, Usage, print_json

if TYPE_CHECKING:
    from assistant.referee import Written
    from ui.sentences import Sentences

ABOUT = (
    "Lists every entry of a saved (or exported) game, also what was taken back (marked with -), as far as a "
    "viewer may know it. JSON is one line an entry."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("history", help="what happened, entry by entry", description=ABOUT)
    add_game(parser)
    parser.add_argument("--viewer", default="public", metavar="WHO", help="a seat, public (default) or staff")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is listed, 1 when the game cannot be read."""
    import msgspec

    from assistant.game import PUBLIC, STAFF
    from ui.answers import sentences_of

    referee = reading(args)
    viewers = (*referee.game.seats, PUBLIC, STAFF)
    if args.viewer not in viewers:
        raise Usage(f"there is no viewer {args.viewer!r}; there are: {', '.join(viewers)}")
    words = sentences_of(referee)
    for written in referee.history(args.viewer):
        if args.json:
            print_json(msgspec.to_builtins(written))
        else:
            print(_line(written, words))
    return GOOD


def _line(written: Written, words: Sentences) -> str:
    from ui.answers import event_lines

    parts: list[str] = []
    if written.action is not None:
        parts.append(words.action(written.action))
    if written.kind != "act":
        parts.insert(0, written.kind)
    if written.waived:
        parts.append(f"waived: {', '.join(written.waived)}")
    if written.facts:
        parts.append(", ".join(f"{path} = {_fact(value)}" for path, value in written.facts.items()))
    if written.entries:
        parts.append(f"entries {', '.join(map(str, written.entries))}")
    parts += event_lines(written.events, words)
    mark = " " if written.live or written.action is None else "-"
    return f"{written.seq:>4}{mark} {words.value(written.by, 'by')}: {'; '.join(parts)}"


def _fact(value: Any) -> str:
    return "nothing" if value is None else str(value)
