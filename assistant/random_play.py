"""Random play by a named policy: the tester's legs and the bench's load.

`POLICY` says how a move is chosen, so that a figure can be compared with another one. Free actions (see
`Action.free`) are kept rare: a game that only converts resources would otherwise look like a fast one.
`Played` tells how many actions of each kind there were.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from assistant.actions import TABLE, Action
from assistant.events import Event
from assistant.game import Game

S = TypeVar("S")

POLICY = (
    "even: a seat is drawn evenly among those that are asked, one of its offers evenly, each blank of a form "
    "evenly; with probability free_share (at most 0.05) one seat of all may do a free action instead"
)
"""How `play` chooses. Printed beside every figure that comes from it."""

FREE_SHARE = 0.05
LIMIT = 100_000
"""More actions than any game takes; a playout that reaches it is stuck."""

Observe = Callable[[S, Action, S, list[Event]], Any]
"""Called after each action with the state before, the action, the state after and the events."""


class Stuck(RuntimeError):
    """Random play cannot go on: a seat that is asked has no offer, or the game does not end."""


class Played(msgspec.Struct, Generic[S], frozen=True):
    """A playout: its last state, every action in order, and how many there were of each kind."""

    state: S
    actions: tuple[Action, ...]
    counts: dict[str, int]

    @property
    def shares(self) -> dict[str, float]:
        """The share of each kind of action, the largest first."""
        total = len(self.actions) or 1
        ordered = sorted(self.counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return {kind: count / total for kind, count in ordered}


def play(
    game: Game[S],
    rng: random.Random,
    free_share: float = FREE_SHARE,
    observe: Observe[S] | None = None,
    state: S | None = None,
    limit: int = LIMIT,
) -> Played[S]:
    """Play to the end by `POLICY`, from the start or from `state`.

    Table inputs (draws, shuffles) are made by `game.chance`. ValueError when `free_share` is above 0.05;
    `Stuck` when nobody can go on or `limit` actions do not end the game.
    """
    if not 0 <= free_share <= FREE_SHARE:
        raise ValueError(f"free actions take at most {FREE_SHARE:.0%} of the choices, not {free_share:.0%}")
    here = game.start() if state is None else state
    acting, offers, apply, chance = game.acting, game.offers, game.apply, game.chance
    seats, count = game.seats, len(game.seats)
    draw = rng.random
    done: list[Action] = []
    for _ in range(limit):
        asked = acting(here)
        if not asked:
            break
        seat = (asked[0] if len(asked) == 1 else asked[int(draw() * len(asked))]).seat
        action: Action | None = None
        if seat == TABLE:
            action = chance(here, rng)
        else:
            if free_share and draw() < free_share:
                other = seats[int(draw() * count)]
                if frees := [offer for offer in offers(here, other) if offer.free]:
                    action = frees[int(draw() * len(frees))].sample(rng)
            if action is None and (choices := offers(here, seat)):
                # Free actions stand last in a list, and may be all there is.
                main = len(choices)
                while main and choices[main - 1].free:
                    main -= 1
                action = choices[int(draw() * (main or len(choices)))].sample(rng)
        if action is None:
            raise Stuck(f"{seat} is asked ({asked[0].why}) and has no offer after {len(done)} actions")
        after, events = apply(here, action)
        if observe is not None:
            observe(here, action, after, events)
        here = after
        done.append(action)
    else:
        raise Stuck(f"the game has not ended after {limit} actions; last: {done[-1:]}")
    kinds: Counter[Any] = Counter(map(type, done))
    counts = {str(kind.__struct_config__.tag): n for kind, n in kinds.items()}
    return Played(here, tuple(done), counts)
