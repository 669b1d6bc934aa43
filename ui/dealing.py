"""The virtual dealer at the command line: what the table would draw, drawn at once."""

from __future__ import annotations

import secrets
from typing import Any

from assistant import dealer
from assistant.actions import Action
from assistant.referee import Referee


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(16)


def deal(referee: Referee[Any]) -> tuple[Action, ...]:
    """Record every input of the table that is due, as one ruling, and give the actions.

    Does nothing for a record without a dealer's seed.
    """
    seed = referee.journal.secret
    return dealer.deal(referee, dealer.Dealer(seed))[0] if seed else ()
