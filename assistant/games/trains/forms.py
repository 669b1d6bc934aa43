"""Forms: choices of several cards, offered card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assistant.games.trains.actions import Discard, Leftovers, Order, Stacks
from assistant.games.trains.hands import Hand
from assistant.offers import STOP, Form


class StacksForm(Form, frozen=True):
    """A recommended set by its id, or `count` random stacks out of `cards` in the order of the pack."""

    cards: tuple[str, ...]
    count: int
    sets: Mapping[str, tuple[str, ...]]

    @property
    def kind(self) -> str:
        """The tag of `Stacks`."""
        return "stacks"

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """The sets first; of cards later ones in the order, so that every choice is listed once."""
        missing = self.count - len(filled)
        if not missing or (filled and filled[0] in self.sets):
            return None
        start = self.cards.index(filled[-1]) + 1 if filled else 0
        cards = self.cards[start : len(self.cards) - missing + 1]
        return cards if filled else (*self.sets, *cards)

    def make(self, filled: Sequence[str]) -> Stacks:
        """The stacks."""
        return Stacks(self.sets.get(filled[0], tuple(filled)))


class DiscardForm(Form, frozen=True):
    """Cards of a hand: exactly `count`, or any number for -1; `order` lists equal choices once."""

    seat: str
    hand: Hand
    order: tuple[str, ...]
    count: int = -1

    @property
    def kind(self) -> str:
        """The tag of `Discard`."""
        return "discard"

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """Cards that the hand can hold besides those named, not before the last one in the order."""
        if (filled and filled[-1] == STOP) or len(filled) == self.count:
            return None
        start = self.order.index(filled[-1]) if filled else 0
        if self.count < 0 and len(filled) == self.hand.size:
            return None
        kinds = self.hand.kinds()
        out = [k for k in self.order[start:] if k in kinds and possible(self.hand, (*filled, k))]
        if self.count < 0:
            return [STOP, *out]
        return [card for card in out if self._enough((*filled, card))]

    def _enough(self, filled: tuple[str, ...]) -> bool:
        """Whether cards at or after the last one can make up the number."""
        hand, used = self.hand, Counter(filled)
        unnamed = {card: max(0, count - hand.named.get(card, 0)) for card, count in used.items()}
        rest = self.order[self.order.index(filled[-1]) :]
        named = sum(max(0, hand.named.get(card, 0) - used[card]) for card in rest)
        pool = sum(hand.pool.get(card, 0) - unnamed.get(card, 0) for card in rest)
        return named + min(hand.unnamed - sum(unnamed.values()), pool) >= self.count - len(filled)

    def make(self, filled: Sequence[str]) -> Discard:
        """The discard."""
        return Discard(self.seat, tuple(card for card in filled if card != STOP))


def possible(hand: Hand, cards: Sequence[str]) -> bool:
    """Whether a hand can hold all of `cards` at once."""
    missing = Counter(cards)
    missing.subtract({card: hand.named.get(card, 0) for card in missing})
    needed = {card: count for card, count in missing.items() if count > 0}
    return sum(needed.values()) <= hand.unnamed and all(
        hand.pool.get(card, 0) >= count for card, count in needed.items()
    )


class OrderForm(Form, frozen=True):
    """The revealed cards in any order, the first one on top."""

    seat: str
    cards: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The tag of `Order`."""
        return "order"

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """The cards not yet placed, each name once."""
        left = list((Counter(self.cards) - Counter(filled)).keys())
        return left or None

    def make(self, filled: Sequence[str]) -> Order:
        """The order."""
        return Order(self.seat, tuple(filled))


class LeftoversForm(Form, frozen=True):
    """What is left in a hand: every card by name (`open`), or only their number."""

    owner: str
    hand: Hand
    order: tuple[str, ...]
    open: bool

    @property
    def kind(self) -> str:
        """The tag of `Leftovers`."""
        return "leftovers"

    @property
    def _cards(self) -> DiscardForm:
        return DiscardForm(self.owner, self.hand, self.order, self.hand.size if self.open else 0)

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """As for laying down the whole hand."""
        return self._cards.domain(filled)

    def make(self, filled: Sequence[str]) -> Leftovers:
        """The leftovers."""
        return Leftovers(self.owner, self.hand.size, tuple(filled))
