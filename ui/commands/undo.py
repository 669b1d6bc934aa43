"""`stationmaster undo`: take back the last steps of a saved game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ui.records import add_game, names_of, playing, seat_of, seats_of
from ui.terminal import GOOD, NO, Usage, print_json, say

if TYPE_CHECKING:
    from assistant.referee import Referee, UndoTerms

ABOUT = (
    "Takes back the last ruling, or the last N. Nothing is erased: taking back is an entry too, and redo "
    "brings it back. Past another seat's action that seat must agree (--consent); past something revealed "
    "the cards must be put back first (--steps-done). Without these the terms are told and nothing is done."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("undo", help="take back the last steps", description=ABOUT)
    add_game(parser)
    parser.add_argument("--steps", type=int, default=1, metavar="N", help="how many rulings (default 1)")
    parser.add_argument("--by", metavar="SEAT", help="who takes back (default: who acted last)")
    parser.add_argument("--consent", metavar="SEATS", help='who agrees: "A,B" or "all"')
    parser.add_argument("--steps-done", action="store_true", help="the cards told of have been put back")
    parser.add_argument("--terms", action="store_true", help="only tell what it takes")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is taken back (or the terms were asked for), 1 when something is still needed."""
    from assistant.rulings import Refused
    from ui.answers import described, sentences_of, tell

    if args.steps < 1:
        raise Usage("--steps: at least one step is taken back")
    with playing(args) as referee:
        names = names_of(referee.journal)
        by = seat_of(args.by, names, ("table", "staff")) if args.by else _last_seat(referee)
        terms = referee.undo_terms(by, args.steps)
        if args.terms:
            _tell_terms(referee, terms, by, args)
            return GOOD if terms.entries else NO
        consents = seats_of(args.consent, names)
        answer = referee.undo(by, args.steps, consents, args.steps_done)
        if isinstance(answer, Refused) and answer.rule in ("SM-UNDO-2", "SM-UNDO-3"):
            if not args.json:
                say(f"not yet: {sentences_of(referee).violation(answer.violation)} [{answer.rule}]")
            _tell_terms(referee, terms, by, args)
            return NO
        if not isinstance(answer, Refused) and not args.json:
            print(f"taken back: {described(referee, terms.entries, sentences_of(referee))}")
        return tell(referee, answer, args)


def _last_seat(referee: Referee[Any]) -> str:
    """Who did the last thing that still stands and was not only the table's."""
    for written in reversed(referee.history()):
        if written.live and written.by != "table":
            return written.by
    return "table"


def _tell_terms(referee: Referee[Any], terms: UndoTerms, by: str, args: argparse.Namespace) -> None:
    import msgspec

    from ui.answers import described, public, sentences_of

    words = sentences_of(referee)
    if args.json:
        print_json(
            {
                "ruling": "terms",
                "by": by,
                "consents": list(terms.consents),
                "steps": [words.told(told) for told in terms.tells],
                "actions": [msgspec.to_builtins(public(referee, action)) for action in terms.actions],
                "entries": list(terms.entries),
            }
        )
        return
    if not terms.entries:
        say("There is nothing to take back.")
        return
    say(f"would be taken back: {described(referee, terms.entries, words)}")
    if terms.consents:
        say(f"must agree: {', '.join(terms.consents)} (--consent {','.join(terms.consents)})")
    for told in terms.tells:
        say(f"to do first: {words.told(told)}")
    if terms.tells:
        say("when that is done: --steps-done")
