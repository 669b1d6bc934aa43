"""Cards that the table owes: one way for real hands and for the virtual dealer.

When the rules ask for cards from a face-down pile, the table owes a `Deal`; when the pile is empty and there
is something to refill it from, it owes a `Shuffle` first, so that a draw is met in parts around it. A real
table may leave names out of a `Deal` (a hidden hand) or give them (cards laid open, a scanner); the dealer
always gives them, and only the seats entitled to them ever see them again.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from assistant import cards as c
from assistant.actions import TABLE, Action
from assistant.dealer import top
from assistant.events import Informed, Told
from assistant.game import STAFF, Acting, Game
from assistant.offers import STOP, Form, Offer
from assistant.positions import Position


class Deal(Action, frozen=True):
    """The table: cards come from an owner's pile; `cards` says which, top first, as far as it is said."""

    owner: str
    count: int
    cards: tuple[str, ...] = ()
    seat: Literal["table"] = TABLE

    def seen_by(self, viewer: str) -> Deal:
        """As a viewer may know it: only the owner and staff know the names."""
        return self if viewer in (self.owner, STAFF) else Deal(self.owner, self.count)


class Reveal(Action, frozen=True):
    """The table: cards are turned up from an owner's pile for everyone to see, top first."""

    owner: str
    cards: tuple[str, ...]
    seat: Literal["table"] = TABLE

    @property
    def count(self) -> int:
        """How many they are."""
        return len(self.cards)


class Shuffle(Action, frozen=True):
    """The table: an owner's empty pile is refilled and shuffled."""

    owner: str
    seat: Literal["table"] = TABLE


class DealForm(Form, frozen=True):
    """All ways in which `count` cards can lie on top of a pile, named from the top: as far as one likes, or
    all of them where they are turned up for everyone (`open`)."""

    owner: str
    cards: c.Cards
    pile: str
    count: int
    open: bool = False

    @property
    def kind(self) -> str:
        """The tag of `Deal` or `Reveal`."""
        return "reveal" if self.open else "deal"

    def domain(self, filled: Sequence[str]) -> Sequence[str] | None:
        """Every name that the next card from the top can have, and `STOP` where names may be left out."""
        if len(filled) == self.count or STOP in filled:
            return None
        names = c.candidates(self.cards, self.pile)
        lie = [n for n in names if c.may_lie_at(self.cards, self.pile, (*filled, n))]
        return lie if self.open else [STOP, *lie]

    def make(self, filled: Sequence[str]) -> Deal | Reveal:
        """The deal with these names."""
        if self.open:
            return Reveal(self.owner, tuple(filled))
        return Deal(self.owner, self.count, tuple(name for name in filled if name != STOP))


class Owed(msgspec.Struct, frozen=True):
    """What the table owes to one owner: `count` cards of `pile`, which `refill` fills again.

    It is owed nothing when both are empty; the rule that asked then counts as met. With `open` the cards are
    turned up for everyone.
    """

    owner: str
    cards: c.Cards
    count: int
    pile: str = "deck"
    refill: str = "discard"
    open: bool = False

    @property
    def nothing(self) -> bool:
        """Whether no card can come."""
        return not (self.count and (self.cards[self.pile].size or self.cards[self.refill].size))

    @property
    def what(self) -> str:
        """The kind of input that is due now."""
        if not self.cards[self.pile].size:
            return "shuffle"
        return "reveal" if self.open else "deal"

    @property
    def now(self) -> int:
        """How many cards come before the next shuffle."""
        return c.parts(self.count, self.cards[self.pile].size)[0]

    def offer(self) -> Offer:
        """Every input that meets it now."""
        if self.what == "shuffle":
            return Shuffle(self.owner)
        return DealForm(self.owner, self.cards, self.pile, self.now, self.open)

    def chance(self, rng: random.Random) -> Action:
        """The input as a virtual dealer makes it."""
        if self.what == "shuffle":
            return Shuffle(self.owner)
        found = top(self.cards, self.pile, self.now, rng)
        return Reveal(self.owner, found) if self.open else Deal(self.owner, self.now, found)

    def fault(self, action: Action) -> Literal["kind", "cards", "count"] | None:
        """What is wrong with an input, if anything; "cards" means that they cannot lie there."""
        if action.kind != self.what:
            return "kind"
        if isinstance(action, Deal | Reveal):
            size = self.cards[self.pile].size
            if not max(1, len(action.cards)) <= action.count <= size:
                return "cards"
            if not c.may_lie_at(self.cards, self.pile, action.cards):
                return "cards"
            if action.count != self.now:
                return "count"
        return None

    def met(self, action: Action, target: str | None = "hand") -> tuple[c.Cards, Informed]:
        """The cards after an input, and who learned what; what is drawn goes to `target`, seen by its owner.

        With target None the cards are only looked at. Undoing asks to return them and to shuffle the pile.
        """
        if not isinstance(action, Deal | Reveal):
            after = c.shuffle(c.gather(self.cards, self.pile, self.refill), self.pile)
            return after, Informed((), "shuffle", (Told("undo.take_out", self.owner, {"pile": self.refill}),))
        values = {"pile": self.pile, "count": action.count}
        steps = (Told("undo.return", self.owner, values), Told("undo.reshuffle", self.owner, values))
        open_ = isinstance(action, Reveal)
        what = "reveal" if open_ else "draw" if target else "look"
        informed = Informed(() if open_ else (self.owner,), what, steps)
        to = None if open_ else (self.owner,)
        if target:
            return c.draw(self.cards, self.pile, target, action.count, action.cards, to), informed
        after = self.cards
        for place, name in enumerate(action.cards):
            after = c.reveal(after, self.pile, name, place, to)
        return after, informed


class CardState(Protocol):
    """A state with the cards of every seat."""

    @property
    def cards(self) -> Mapping[str, c.Cards]: ...


K = TypeVar("K", bound=CardState)


class CardGame(Game[K]):
    """What every game with hidden hands shares: the table's inputs, views by viewer, forgetting.

    The state is a record with a field `cards` (seat to `Cards`); a game says in `wants` who waits for cards.
    """

    hides = True

    @abstractmethod
    def wants(self, state: K) -> Mapping[str, int]:
        """The seats that wait for cards of their pile, and for how many, first in order first."""

    def debts(self, state: K) -> dict[str, Owed]:
        """What the table owes to whom."""
        return {seat: Owed(seat, state.cards[seat], count) for seat, count in self.wants(state).items()}

    def table_acting(self, state: K) -> tuple[Acting, ...]:
        """The table's part of `acting`."""
        return tuple(Acting(TABLE, owed.what) for owed in self.debts(state).values())[:1]

    def table_offers(self, state: K) -> list[Offer]:
        """The table's part of `offers`."""
        return [owed.offer() for owed in self.debts(state).values()]

    def table_fault(self, state: K, action: Action) -> Literal["kind", "cards", "count"] | None:
        """What is wrong with an action of the table, for `violations`; see `Owed.fault`."""
        owed = self.debts(state).get(action.owner) if isinstance(action, Deal | Reveal | Shuffle) else None
        return "kind" if owed is None else owed.fault(action)

    def chance(self, state: K, rng: random.Random) -> Action | None:
        """The next input that is owed."""
        return next((owed.chance(rng) for owed in self.debts(state).values()), None)

    def deck(self, state: K) -> str:
        """The owner whose pile comes next."""
        return next(iter(self.wants(state)), "")

    def view(self, state: K, viewer: str) -> Position:
        """Cards as the viewer may know them."""
        if viewer == STAFF:
            return self.to_position(state)
        return self.to_position(self._with(state, {s: c.seen_by(k, viewer) for s, k in state.cards.items()}))

    def disclosed(self, action: Action, viewer: str) -> Action:
        """A deal names its cards only to its owner."""
        return action.seen_by(viewer) if isinstance(action, Deal) else action

    def forget(self, before: K, undone: K) -> K:
        """A pile from which cards were taken or seen has been reshuffled."""
        out = dict(before.cards)
        for seat, owed in {s: Owed(s, cards, 0) for s, cards in out.items()}.items():
            if owed.cards[owed.pile] != undone.cards[seat][owed.pile]:
                out[seat] = c.shuffle(owed.cards, owed.pile)
        return self._with(before, out)

    def faults(self, state: K) -> list[str]:
        """Faults of the cards; games add their own."""
        if sorted(state.cards) != sorted(self.seats):
            return [f"cards: the seats are {', '.join(self.seats)}"]
        return [f"cards.{seat}: {fault}" for seat, k in state.cards.items() for fault in c.faults(k)]

    def _with(self, state: K, cards: dict[str, c.Cards]) -> K:
        record: Any = state
        changed: K = msgspec.structs.replace(record, cards=cards)
        return changed
