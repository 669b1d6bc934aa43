"""Offers: what a seat may do now, as concrete actions or as forms with finite blanks.

A form stands for many actions of one kind ("a train: a locomotive, then carriages in order") and is
filled blank by blank: `domain` lists the values of the next blank given the ones before, `complete`
makes the action. Every completion is legal; nothing legal of that kind is outside all forms.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import msgspec

from assistant.actions import PLACES, Action

Value = Any
"""A value of a blank: a string, a number, or a tuple of these."""

STOP = "stop"
"""A value of a repeating blank that ends the list."""


class Form(msgspec.Struct, frozen=True):
    """Base of all forms. Filling stops when `domain` answers None: the form is then complete."""

    free: ClassVar[bool] = False
    """Whether the action that it completes to is a free one; agrees with `Action.free`."""

    @property
    def about(self) -> dict[str, str]:
        """Spaces of the mat that are settled already, by field of the action, e.g. {"space": "LOC-1"}."""
        found = {name: getattr(self, name, None) for name in PLACES}
        return {name: place for name, place in found.items() if isinstance(place, str)}

    @property
    @abstractmethod
    def kind(self) -> str:
        """Name of the action that the form completes to, e.g. "declare_train"."""

    @abstractmethod
    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        """Values of the next blank after `filled`, or None when nothing is left to fill."""

    @abstractmethod
    def make(self, filled: Sequence[Value]) -> Action:
        """The action for a full list of values from the domains, unchecked."""

    def complete(self, filled: Sequence[Value]) -> Action:
        """The action for a full list of values. ValueError when it is not full or a value is foreign."""
        self.check(filled)
        return self.make(filled)

    def check(self, filled: Sequence[Value]) -> None:
        """ValueError unless `filled` is full and every value is in its blank's domain."""
        for index, value in enumerate(filled):
            domain = self.domain(filled[:index])
            if domain is None or value not in domain:
                raise ValueError(f"{self.kind}: {value!r} is not a value of blank {index + 1}")
        if self.domain(filled) is not None:
            raise ValueError(f"{self.kind}: blank {len(filled) + 1} is not filled")

    def expand(self, filled: tuple[Value, ...] = ()) -> Iterator[Action]:
        """All completions, lazily, in the order of the domains."""
        domain = self.domain(filled)
        if domain is None:
            yield self.make(filled)
            return
        for value in domain:
            yield from self.expand((*filled, value))

    def sample(self, rng: random.Random) -> Action:
        """One completion, each blank drawn evenly."""
        filled: list[Value] = []
        while (domain := self.domain(filled)) is not None:
            filled.append(domain[int(rng.random() * len(domain))])
        return self.make(filled)


class Fill(Form, frozen=True):
    """A form made of two functions, for games that need no record of their own for it.

    `blanks` is its `domain`, `maker` its `make`, `action` the type of the action it completes to. `space` is
    the one that all its actions are about, where there is one: the form is opened by touching it.
    """

    action: type[Action]
    blanks: Callable[[Sequence[Value]], Sequence[Value] | None]
    maker: Callable[[Sequence[Value]], Action]
    space: str | None = None

    @property
    def kind(self) -> str:
        """The tag of the action's type."""
        return str(self.action.__struct_config__.tag)

    def domain(self, filled: Sequence[Value]) -> Sequence[Value] | None:
        """What `blanks` says."""
        return self.blanks(filled)

    def make(self, filled: Sequence[Value]) -> Action:
        """What `maker` makes."""
        return self.maker(filled)


Offer = Action | Form


def split_domain(left: int, holdings: Sequence[int]) -> range:
    """How much of the first of `holdings` can be part of a payment of `left` from all of them."""
    rest = sum(holdings[1:])
    return range(max(0, left - rest), min(left, holdings[0]) + 1)


def expand(offers: Sequence[Offer], limit: int | None = None) -> Iterator[Action]:
    """The concrete actions behind a list of offers; at most `limit` from each form."""
    for offer in offers:
        if isinstance(offer, Form):
            for count, action in enumerate(offer.expand()):
                if limit is not None and count >= limit:
                    break
                yield action
        else:
            yield offer
