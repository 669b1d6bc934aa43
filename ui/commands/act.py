"""`stationmaster act`: do something in a saved game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ui.records import add_game, names_of, playing, seat_of, seats_of
from ui.terminal import GOOD, NO, Usage, say

if TYPE_CHECKING:
    from assistant.actions import Action
    from assistant.referee import Referee

ABOUT = (
    'Does something in a saved game, as JSON (\'{"do": "bid", "seat": "A", "space": 3}\') or in words '
    "(bid A 3: the action's name, then its fields in order; a seat by its letter or its name; lists with "
    "commas; amounts as coal:2,money:1; NAME=VALUE for a field by its name; - for one left out). A JSON list "
    "of actions is one ruling: all of them or none. With - as the only word, actions are read from stdin, "
    "one a line, up to the first that is refused. `legal GAME` lists what may be done."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("act", help="do something in a saved game", description=ABOUT)
    add_game(parser)
    parser.add_argument("words", nargs="+", metavar="ACTION", help="the action, as JSON or in words")
    parser.add_argument("--by", metavar="SEAT", help="who does it, when that is not the seat of the action")
    parser.add_argument(
        "--overrule", metavar="RULES", help="do it although it breaks these rules (commas between them)"
    )
    parser.add_argument("--consent", metavar="SEATS", help='who agrees to that: "A,B,C" or "all"')
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when it is recorded, 1 when it is refused, 2 when it is no action at all."""
    if args.consent and not args.overrule:
        raise Usage("--consent belongs to --overrule")
    if args.overrule and args.by:
        raise Usage("--by does not go with --overrule: the seat of the action does it")
    from ui.dealing import deal

    with playing(args) as referee:
        if args.by is not None:
            args.by = seat_of(args.by, names_of(referee.journal))
        deal(referee)  # What a call that was cut off has left undone.
        for number, words in _lines(args.words):
            actions = _actions(referee, words, number)
            code = _act(referee, actions, args, number)
            if code != GOOD:
                return code
    return GOOD


def _lines(words: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """What is to be done, with the number of its line on stdin; 0 for what stands in the call."""
    if list(words) != ["-"]:
        yield 0, words
        return
    for number, line in enumerate(sys.stdin, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, [line.strip()]


def _actions(referee: Referee[Any], words: Sequence[str], number: int) -> list[Action]:
    """One action, or the several of a JSON list, which are one ruling: all of them or none."""
    from assistant.rulings import NotUnderstood
    from ui.shortform import json_of, parse

    codec = referee.game.codec
    at = f"line {number}: " if number else ""
    try:
        if len(words) == 1 and words[0].lstrip().startswith("["):
            forms = json_of(words[0])
            if not forms or not all(isinstance(form, dict) for form in forms):
                raise NotUnderstood("a list of actions holds one JSON object for each")
            actions: list[Action] = []
            before = at
            for place, form in enumerate(forms, 1):
                at = f"{before}action {place}: "
                actions.append(codec.from_json(form))
            return actions
        return [parse(codec, words, names_of(referee.journal))]
    except NotUnderstood as wrong:
        raise Usage(f"{at}{wrong}") from None


def _act(referee: Referee[Any], actions: Sequence[Action], args: argparse.Namespace, number: int) -> int:
    from assistant.rulings import NotUnderstood, Refused
    from ui.answers import tell
    from ui.dealing import deal

    try:
        if args.overrule:
            if len(actions) > 1:
                raise Usage("--overrule is for one action")
            rules = [rule.strip() for rule in args.overrule.split(",") if rule.strip()]
            answer = referee.overrule(actions[0], rules, seats_of(args.consent, names_of(referee.journal)))
        else:
            answer = referee.submit(*actions, by=args.by)
    except NotUnderstood as wrong:
        raise Usage(f"line {number}: {wrong}" if number else str(wrong)) from None
    if isinstance(answer, Refused):
        tell(referee, answer, args, actions, line=number)
        if not args.json and answer.rule in referee.game.waivable:
            say(f"  if all agree: add --overrule {answer.rule} --consent all")
        return NO
    dealt = deal(referee)
    return tell(referee, answer, args, actions, dealt)
