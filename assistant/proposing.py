"""What the camera proposes, as options of the seats that have to say whether it is so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.actions import TABLE, Action
from assistant.choosing import Option
from assistant.game import Acting, Game
from assistant.reading import Hole, Proposal, Reading, Several


def answers(
    reading: Reading | None, game: Game[Any], acting: Sequence[Acting]
) -> dict[str, tuple[Option, ...]]:
    """By seat, one "accept" for each explanation and way to pay that it can confirm, then one "dismiss".

    An explanation that begins with an open question has nothing to accept yet: its seat answers that first.
    """
    ways = reading.choices if isinstance(reading, Several) else (reading,)
    out: dict[str, list[Option]] = {}
    for number, way in enumerate(ways):
        if not isinstance(way, Proposal):
            continue
        for payment in range(_payments(way)):
            actions = way.ready(payment)
            if actions:
                places = dict.fromkeys(space for action in actions for space in action.spaces)
                option = Option("accept", actions[0].kind, None, number, actions, tuple(places))
                out.setdefault(_speaker(game, acting, actions), []).append(option)
    return {seat: (*options, Option("dismiss")) for seat, options in out.items()}


def _payments(way: Proposal) -> int:
    """In how many ways can be paid what could be recorded at once."""
    numbers = []
    for step in way.steps:
        if isinstance(step, Hole):
            if step.kind != "payment":
                break
            if step.options:
                numbers.append(len(step.options))
    return min(numbers, default=1)


def _speaker(game: Game[Any], acting: Sequence[Acting], actions: Sequence[Action]) -> str:
    """Who says whether these actions were done: whose they are, else who is asked."""
    seats = [getattr(action, "seat", TABLE) for action in actions]
    seats += [asked.seat for asked in acting]
    return next((seat for seat in seats if seat in game.seats), game.seats[0])
