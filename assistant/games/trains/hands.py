"""What a hand holds, as far as the referee knows: by name, or only as one of several (TR-VIS-2, TR-VIS-3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from assistant import cards as c


class Hand(Struct, frozen=True, gc=False):
    """Numbers of named cards, the number of unnamed ones, and what those can be.

    `pool` are the owner's unnamed cards in all zones, of which `elsewhere` do not lie in the hand.
    """

    named: Mapping[str, int]
    unnamed: int
    pool: Mapping[str, int]
    elsewhere: int
    size: int

    def most(self, card: str) -> int:
        """How many of a card it can hold."""
        there = self.named.get(card, 0)
        return there + min(self.unnamed, self.pool.get(card, 0)) if self.unnamed else there

    def least(self, card: str) -> int:
        """How many of a card it holds for certain."""
        there = self.named.get(card, 0)
        return there + max(0, self.pool.get(card, 0) - self.elsewhere) if self.unnamed else there

    def kinds(self) -> list[str]:
        """Cards of which it may hold one, in a fixed order."""
        return sorted({*self.named, *self.pool} if self.unnamed else self.named)

    def any(self, cards: Iterable[str]) -> bool:
        """Whether it may hold one of `cards`."""
        if self.unnamed:
            return any(self.most(card) for card in cards)
        named = self.named
        return any(card in named for card in cards)

    def without(self, card: str) -> Hand:
        """The hand after one `card` has left it."""
        there = self.named.get(card, 0)
        if there:
            named = {name: count - (name == card) for name, count in self.named.items()}
            if there == 1:
                del named[card]
            return Hand(named, self.unnamed, self.pool, self.elsewhere, self.size - 1)
        pool = {
            name: count - (name == card) for name, count in self.pool.items() if name != card or count > 1
        }
        return Hand(self.named, self.unnamed - 1, pool, self.elsewhere, self.size - 1)


def hand_of(cards: c.Cards, zone: str = "hand") -> Hand:
    """What a zone of an owner holds."""
    here = cards.zones[zone]
    named: dict[str, int] = {}
    for known in here.named:
        name = known.card
        named[name] = named.get(name, 0) + 1
    unnamed = here.unnamed
    elsewhere = sum([z.unnamed for z in cards.zones.values()]) - unnamed if unnamed else 0
    return Hand(named, unnamed, cards.pool, elsewhere, len(here.named) + unnamed)
