"""The virtual dealer: the table's chance inputs when no real cards are drawn.

It stands outside the state and feeds the same inputs as a real table, so there is one path through the
rules. It decides nothing ahead: cards that nobody has seen are alike, so whatever is turned up is drawn then
from those that can lie there. That fits open decks and hidden hands, and there is no order to leak.

What it deals depends on the seed, the deck and the number of the coming journal entry, and on nothing else:
a resumed game is dealt as it would have been, and what was undone (an entry too) is dealt anew. The seed is
kept where the journal keeps its secret, never in a state, a view, a history or the export of a running game.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.actions import Action
from assistant.cards import Cards, Impossible
from assistant.game import Game
from assistant.referee import Referee
from assistant.rulings import Accepted, Refused


class Dealer:
    """Deals by a secret seed. It keeps no state, so nothing has to be saved or undone."""

    def __init__(self, seed: str) -> None:
        self._key = hashlib.blake2b(seed.encode(), digest_size=32).digest()

    def __repr__(self) -> str:
        return "Dealer(...)"

    def __reduce__(self) -> Any:
        raise TypeError("a dealer is not copied or saved; keep its seed with the journal's secret")

    def rng(self, deck: str, seq: int) -> random.Random:
        """The randomness of one deck for the journal entry `seq`."""
        text = f"{seq}:{deck}".encode()
        mixed = hashlib.blake2b(text, digest_size=32, key=self._key).digest()
        return random.Random(int.from_bytes(mixed))

    def next(self, game: Game[Any], state: Any, seq: int) -> Action | None:
        """The input that the table owes now, for the journal entry `seq`, or None."""
        return game.chance(state, self.rng(game.deck(state), seq))

    def inputs(self, game: Game[Any], state: Any, seq: int) -> Iterator[Action]:
        """Every input that is due one after the other, from the coming journal entry `seq` on.

        Meant for one ruling: ``referee.submit(*dealer.inputs(game, referee.state, referee.seq + 1))``.
        """
        while (action := self.next(game, state, seq)) is not None:
            yield action
            state, _ = game.apply(state, action)
            seq += 1


class CannotDeal(RuntimeError):
    """What the dealer draws is refused, as by a pack that has fewer cards than the rules ask for."""

    def __init__(self, refused: Refused) -> None:
        self.refused = refused
        super().__init__(f"what the dealer draws is refused: {refused.rule}")


def deal(
    referee: Referee[Any], dealer: Dealer, clocks: Mapping[str, float] | None = None
) -> tuple[tuple[Action, ...], Accepted | None]:
    """Record every input of the table that is due, as one ruling: the actions and the ruling, if any are due.

    `clocks` go into the entries. Raises CannotDeal when the rules refuse what is drawn, and records none.
    """
    due = tuple(dealer.inputs(referee.game, referee.state, referee.seq + 1))
    if not due:
        return (), None
    answer = referee.submit(*due, clocks=clocks)
    if isinstance(answer, Refused):
        raise CannotDeal(answer)
    return due, answer


def top(cards: Cards, zone: str, count: int, rng: random.Random) -> tuple[str, ...]:
    """Which cards lie on top of a zone, as a dealer finds them: drawn evenly from all ways they can lie.

    Known positions are kept. Impossible when the zone has fewer cards.
    """
    here = cards.zones[zone]
    if count > here.size:
        raise Impossible(f"{zone} has {here.size} cards, not {count}")
    placed = {known.at: known.card for known in here.named if known.at is not None}
    pool = [card for card, number in cards.pool.items() for _ in range(number)]
    rest = [known.card for known in here.named if known.at is None]
    rest += rng.sample(pool, here.unnamed)
    rng.shuffle(rest)
    return tuple(placed[at] if at in placed else rest.pop() for at in range(count))
