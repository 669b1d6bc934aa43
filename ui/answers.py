"""What the referee answered, for the terminal: as sentences, or as JSON."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from assistant.actions import Action
from assistant.events import Back, Event, Informed, Mark
from assistant.game import PUBLIC
from assistant.referee import Referee
from assistant.rulings import Accepted, Refused
from ui.records import keeps_secrets, names_of
from ui.sentences import Sentences
from ui.shortform import spell
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
) -> int:
    """Print the referee's answer to `actions`, and what the dealer did after it; gives the exit code."""
    words = sentences_of(referee)
    if isinstance(answer, Refused):
        return refuse(answer, words, args.json)
    if args.json:
        print_json(accepted_json(referee, answer, dealt))
        return GOOD
    done = "; ".join(words.action(public(referee, action)) for action in actions)
    print(f"recorded {answer.seq}" + (f": {done}" if done else ""))
    for line in event_lines(answer.events, words):
        print(f"  {line}")
    for action in dealt:
        print(f"dealt: {words.action(public(referee, action))}")
    for line in next_lines(referee, words):
        print(line)
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
    # A digest would let hidden cards be guessed.
    digest = {} if keeps_secrets(referee) else {"digest": answer.digest}
    return {
        "ruling": "accepted",
        "seq": answer.seq,
        **digest,
        "events": [msgspec.to_builtins(event) for event in answer.events],
        "dealt": [msgspec.to_builtins(public(referee, action)) for action in dealt],
        "acting": [msgspec.to_builtins(who) for who in referee.game.acting(referee.state)],
    }


def refuse(answer: Refused, words: Sentences, as_json: bool) -> int:
    """Print a refusal: why, by which rule, where, and what would be allowed instead."""
    violation = answer.violation
    if as_json:
        print_json(
            {
                "ruling": "refused",
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
    acting = referee.game.acting(referee.state)
    return [f"next: {words.value(who.seat, 'seat')}: {words.acting(who)}" for who in acting]
