"""`stationmaster correct`: set the record right where it does not say what lies on the table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from ui.records import add_game, names_of, playing, seats_of
from ui.terminal import Usage

ABOUT = (
    "Sets fields of the position, by path: `correct GAME seats.A.stock.money=5 --consent all`. A value is "
    "JSON, or text as it stands; nothing after = removes the field. Everybody must agree, the result must be "
    "possible, and the record keeps what was corrected. `show GAME --json` shows the paths."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("correct", help="set the record right", description=ABOUT)
    add_game(parser)
    parser.add_argument("facts", nargs="+", metavar="PATH=VALUE", help="what is so in truth")
    parser.add_argument("--consent", metavar="SEATS", help='who agrees: "A,B" or "all"; all must')
    parser.add_argument("--by", default="staff", metavar="WHO", help="who corrects (default: staff)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is corrected, 1 when it is refused, 2 for a wrong call."""
    from ui.answers import tell

    facts = _facts(args.facts)
    with playing(args) as referee:
        consents = seats_of(args.consent, names_of(referee.journal))
        try:
            answer = referee.correct(facts, consents, args.by)
        except RecursionError:
            raise Usage("a value is nested too deeply") from None
        return tell(referee, answer, args)


def _facts(words: Sequence[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for word in words:
        path, equals, text = word.partition("=")
        if not equals or not path:
            raise Usage(f"{word!r}: write PATH=VALUE")
        if path in out:
            raise Usage(f"{path} is given twice")
        out[path] = _value(text)
    return out


def _value(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
    except RecursionError:
        raise Usage("a value is nested too deeply") from None
