"""People at a table with real hands: what they do next, told to a referee who does not see their cards."""

from __future__ import annotations

import random
from typing import Any

from assistant.actions import TABLE, Action
from assistant.hidden import Truth
from assistant.offers import Form
from assistant.referee import Referee
from assistant.rulings import Accepted


def wanted(truth: Truth, seat: str, rng: random.Random) -> Action:
    """What a seat with its own hand may do; it rather does something than end its turn."""
    offers = truth.game.offers(truth.state, seat)
    offer = rng.choice([o for o in offers if not getattr(o, "ends", False) or rng.random() < 0.1] or offers)
    return offer.sample(rng) if isinstance(offer, Form) else offer


def following(referee: Referee[Any], truth: Truth, rng: random.Random) -> Action:
    """The next thing that happens: a draw without names, what is laid open, what a seat does."""
    truth.follow(referee)
    seat = referee.game.acting(referee.state)[0].seat
    action = truth.due(referee) if seat == TABLE else wanted(truth, seat, rng)
    assert action is not None
    return action


def step(referee: Referee[Any], truth: Truth, rng: random.Random) -> Action:
    """Do it; gives what was done."""
    action = following(referee, truth, rng)
    answer = referee.submit(action)
    assert isinstance(answer, Accepted), f"{action}: {answer}"
    return action
