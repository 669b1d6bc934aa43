"""The virtual dealer at the command line: what the table would draw, drawn at once."""

from __future__ import annotations

import secrets
from typing import Any

from assistant import dealer
from assistant.actions import Action
from assistant.referee import Referee
from ui.answers import sentences_of
from ui.terminal import No


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(16)


def deal(referee: Referee[Any]) -> tuple[Action, ...]:
    """Record every input of the table that is due, as one ruling, and give the actions.

    Does nothing for a record without a dealer's seed. Raises No where the cards do not suffice.
    """
    seed = referee.journal.secret
    try:
        return dealer.deal(referee, dealer.Dealer(seed))[0] if seed else ()
    except dealer.CannotDeal as wrong:
        violation, pack = wrong.refused.violation, referee.game.pack
        raise No(
            f"the dealer cannot deal: {sentences_of(referee).violation(violation)} [{violation.rule}] "
            f"{pack.title} may have too few cards for {len(referee.game.seats)} players"
        ) from None
