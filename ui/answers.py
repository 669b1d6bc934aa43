"""What the referee answered, for the terminal: as sentences, or as JSON."""

from __future__ import annotations

import argparse
import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.events import Back, Event, Informed, Mark
from assistant.game import PUBLIC, Acting, Game
from assistant.referee import Referee
from assistant.rulings import Accepted, Refused
from ui.records import keeps_secrets, names_of
from ui.sentences import Sentences
from ui.shortform import blank, known_seats, spell
from ui.terminal import GOOD, NO, print_json, say


def sentences_of(referee: Referee[Any]) -> Sentences:
    """The words for a game in progress, with the names of its seats."""
    return Sentences.of(referee.game.title, names=names_of(referee.journal))


def tell(
    referee: Referee[Any],
    answer: Accepted | Refused,
    args: argparse.Namespace,
    actions: Sequence[Action] = (),
    dealt: Sequence[Action] = (),
    line: int = 0,
) -> int:
    """Print the referee's answer to `actions`, and what the dealer did after it; gives the exit code.

    `line` is the number of the line that the actions were read from, 0 for none.
    """
    words = sentences_of(referee)
    if isinstance(answer, Refused):
        return refuse(answer, words, args.json, [public(referee, action) for action in actions], line)
    if args.json:
        print_json(accepted_json(referee, answer, dealt))
        return GOOD
    done = "; ".join(words.action(public(referee, action)) for action in actions)
    print(f"recorded {answer.seq}" + (f": {done}" if done else ""))
    for told in event_lines(answer.events, words):
        print(f"  {told}")
    for action in dealt:
        print(f"dealt: {words.action(public(referee, action))}")
    for told in next_lines(referee, words):
        print(told)
    return GOOD


def event_lines(events: Sequence[Event], words: Sentences) -> list[str]:
    """What happened, one line each, without the marks that only the score sheet needs."""
    told = [event for event in events if not isinstance(event, Mark | Back)]
    return [words.event(event) for event in told if not isinstance(event, Informed) or event.seats]


def public(referee: Referee[Any], action: Action) -> Action:
    """The action as everybody at the table may know it: others look at this terminal too."""
    return referee.game.disclosed(action, PUBLIC)


def accepted_json(referee: Referee[Any], answer: Accepted, dealt: Sequence[Action] = ()) -> dict[str, Any]:
    """An accepted ruling as JSON, with what was dealt after it and who is asked next."""
    from assistant.cases import owed_json

    # A digest would let hidden cards be guessed.
    digest = {} if keeps_secrets(referee) else {"digest": answer.digest}
    return {
        "ruling": "accepted",
        "seq": answer.seq,
        **digest,
        "events": [msgspec.to_builtins(event) for event in answer.events],
        "dealt": [msgspec.to_builtins(public(referee, action)) for action in dealt],
        "acting": [msgspec.to_builtins(who) for who in referee.game.acting(referee.state)],
        "owed": owed_json(referee.game, referee.state),
    }


def refuse(
    answer: Refused, words: Sentences, as_json: bool, actions: Sequence[Action] = (), line: int = 0
) -> int:
    """Print a refusal: why, by which rule, where, and what would be allowed instead.

    Of several `actions` it says which one is refused, and of actions read from lines, in which `line`.
    """
    violation = answer.violation
    refused = {"at": answer.at + 1, "action": spell(actions[answer.at])} if actions else {}
    if as_json:
        print_json(
            {
                "ruling": "refused",
                **({"line": line} if line else {}),
                **refused,
                "rule": violation.rule,
                "sentence": words.violation(violation),
                "values": msgspec.to_builtins(violation.values),
                "places": list(violation.places),
                "nearest": [msgspec.to_builtins(action) for action in answer.nearest],
                "short": [spell(action) for action in answer.nearest],
            }
        )
        return NO
    say(f"refused: {words.violation(violation)} [{violation.rule}]")
    at = [f"line {line}"] if line else []
    at += [f"action {answer.at + 1}"] if len(actions) > 1 else []
    if at:
        say(f"  {', '.join(at)}: {refused['action']}")
    if violation.values:
        told = ", ".join(f"{name} = {words.value(value)}" for name, value in violation.values.items())
        say(f"  values: {told}")
    if violation.places:
        say(f"  places: {', '.join(violation.places)}")
    for action in answer.nearest:
        say(f"  allowed: {spell(action)}")
    return NO


def described(referee: Referee[Any], entries: Collection[int], words: Sentences) -> str:
    """What some entries did, in order."""
    found = [written for written in referee.history(PUBLIC) if written.seq in entries]
    return "; ".join(words.action(one.action) if one.action else one.kind for one in found)


def next_lines(referee: Referee[Any], words: Sentences) -> list[str]:
    """Who is asked what now."""
    if referee.game.finished(referee.state):
        return ["The game is over."]
    game, names = referee.game, names_of(referee.journal)
    return [f"next: {asked(game, referee.state, who, words, names)}" for who in game.acting(referee.state)]


def asked(game: Game[Any], state: Any, who: Acting, words: Sentences, names: Mapping[str, str]) -> str:
    """Whom the game asks what; of the table also which cards, how many, and how that is typed."""
    if who.seat != TABLE:
        seat = known_seats({who.seat: names.get(who.seat, who.seat)})
        return f"{seat}: {words.acting(who)}"
    owed = game.owed(state)
    seat = words.value(TABLE, "seat")
    due = game.chance(state, random.Random(0))
    form = "" if due is None else blank(due)
    # Without blanks it is one answer of several, which is not ours to propose.
    typed = f": {form}" if owed is not None or "?" in form else ""
    if owed is None:
        return f"{seat}: {words.acting(who)}{typed}"
    deck, count = owed
    pile = words.value(deck).replace("_", " ")
    number = f"{count} {pile}" if count != 1 else f"one of the {pile}"
    return f"{seat}: to turn up {number}{typed}"
