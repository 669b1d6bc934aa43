"""The virtual dealer at the command line: what the table would draw, drawn at once."""

from __future__ import annotations

import secrets
from typing import Any

from assistant.actions import Action
from assistant.dealer import Dealer
from assistant.referee import Referee
from assistant.rulings import Refused


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(16)


def deal(referee: Referee[Any]) -> tuple[Action, ...]:
    """Record every input of the table that is due, as one ruling, and give the actions.

    Does nothing for a record without a dealer's seed.
    """
    seed = referee.journal.secret
    if not seed:
        return ()
    due = tuple(Dealer(seed).inputs(referee.game, referee.state, referee.seq + 1))
    if due:
        answer = referee.submit(*due)
        if isinstance(answer, Refused):
            raise RuntimeError(f"what the dealer draws is refused: {answer.rule}")
    return due
