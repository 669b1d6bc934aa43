"""Choices of several cards out of a hand that is known in part."""

from __future__ import annotations

import random

from assistant.games.trains.forms import DiscardForm, possible
from assistant.games.trains.hands import Hand

KINDS = ("a", "b", "c", "d")


def hands(rng: random.Random) -> Hand:
    """Some named cards, some unnamed ones out of a pool that lies elsewhere too."""
    named = {kind: count for kind in KINDS if (count := rng.randint(0, 2))}
    pool = {kind: count for kind in KINDS if (count := rng.randint(0, 2))}
    unnamed = rng.randint(0, sum(pool.values()))
    elsewhere = sum(pool.values()) - unnamed
    return Hand(
        named, unnamed, pool if unnamed else {}, elsewhere if unnamed else 0, sum(named.values()) + unnamed
    )


def test_exactly_so_many_cards_are_every_choice_that_the_hand_allows() -> None:
    rng = random.Random("forms")
    for _ in range(300):
        hand = hands(rng)
        for count in range(hand.size + 1):
            form = DiscardForm("A", hand, KINDS, count)
            made = [action.cards for action in form.expand()]  # type: ignore[attr-defined]
            assert all(len(cards) == count and possible(hand, cards) for cards in made)
            assert len(set(made)) == len(made)
            assert set(made) == {cards for cards in ordered(count) if possible(hand, cards)}


def ordered(count: int, start: int = 0) -> list[tuple[str, ...]]:
    """All choices of so many cards, each in the order of the kinds."""
    if not count:
        return [()]
    return [(KINDS[i], *rest) for i in range(start, len(KINDS)) for rest in ordered(count - 1, i)]
