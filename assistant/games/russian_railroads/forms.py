"""Forms of the table's inputs: engineers, turn order, cards that were kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant import cards as c
from assistant.games.russian_railroads.actions import Engineers, Order, Reveal
from assistant.offers import Form


class EngineersForm(Form, frozen=True):
    """The strip from the left: first `b` engineers of letter B, then `a` of letter A."""

    letters: Mapping[str, tuple[int, ...]]
    b: int
    a: int

    @property
    def kind(self) -> str:
        """The tag of `Engineers`."""
        return "engineers"

    def domain(self, filled: Sequence[int]) -> Sequence[int] | None:
        """Engineers of the letter that is due and are not there yet."""
        if len(filled) == self.a + self.b:
            return None
        letter = "B" if len(filled) < self.b else "A"
        return [number for number in self.letters[letter] if number not in filled]

    def make(self, filled: Sequence[int]) -> Engineers:
        """The strip."""
        return Engineers(tuple(filled))


class OrderForm(Form, frozen=True):
    """The turn order, first to last."""

    seats: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The tag of `Order`."""
        return "order"

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """Seats that have no place yet."""
        return [seat for seat in self.seats if seat not in filled] or None

    def make(self, filled: Sequence[str]) -> Order:
        """The order."""
        return Order(tuple(filled))


class RevealForm(Form, frozen=True):
    """The end bonus cards that a seat kept, in the order of their ids."""

    owner: str
    bonus: c.Cards

    @property
    def kind(self) -> str:
        """The tag of `Reveal`."""
        return "reveal"

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """Later cards that may be among them; enough must be left."""
        size = self.bonus[self.owner].size
        if len(filled) == size:
            return None
        names = [name for name in c.candidates(self.bonus, self.owner) if not filled or name > filled[-1]]
        fits = [name for name in names if c.may_hold(self.bonus, self.owner, (*filled, name))]
        return [name for name in fits if sum(other >= name for other in fits) >= size - len(filled)]

    def make(self, filled: Sequence[str]) -> Reveal:
        """The cards laid open."""
        return Reveal(self.owner, tuple(filled))
