"""What people and the table do in Trains (docs/rules/trains.md, check order), as records."""

from __future__ import annotations

from typing import Literal

from assistant.actions import TABLE, Action, Codec
from assistant.dealing import Deal, Reveal, Shuffle


class Stacks(Action, frozen=True):
    """The table: the random stacks of this game (TR-SETUP-6), by card id."""

    cards: tuple[str, ...]
    seat: Literal["table"] = TABLE


class First(Action, frozen=True):
    """The table: who begins (TR-SETUP-8)."""

    player: str
    seat: Literal["table"] = TABLE


class Leftovers(Action, frozen=True):
    """The table: what a player had left in hand at Clean Up: how many, and which where they are laid open."""

    owner: str
    count: int
    cards: tuple[str, ...] = ()
    seat: Literal["table"] = TABLE


class StartPlace(Action, frozen=True):
    """A starting token is placed (TR-START)."""

    seat: str
    hex: str


class Play(Action, frozen=True):
    """A card is played from the hand, its effect applied or not (TR-PLAY). `copy` is the number on its
    tag."""

    seat: str
    card: str
    apply: bool = False
    copy: str = ""


class Lay(Action, frozen=True):
    """A rail is laid with a rail point (TR-LAY); `immediate` mode asks for it while the card is resolved."""

    seat: str
    hex: str


class Buy(Action, frozen=True):
    """A card is bought from the Supply (TR-BUY), `top`: onto the own deck (TR-BUY-6)."""

    seat: str
    card: str
    top: bool = False
    copy: str = ""


class PassReturn(Action, frozen=True):
    """Who passes returns all Waste of the hand, which is `count` cards (TR-PASS-2)."""

    seat: str
    count: int


class EndTurn(Action, frozen=True):
    """The turn goes to Clean Up (TR-CLEAN)."""

    ends = True

    seat: str


# Answers to what an open resolution asks.


class PlaceStation(Action, frozen=True):
    """A station token is placed on a city (TR-STN)."""

    seat: str
    hex: str


class Pick(Action, frozen=True):
    """One card for what is asked: taken, shown, trashed, gained, put back, copied. Without a card: none."""

    seat: str
    card: str = ""


class Discard(Action, frozen=True):
    """Cards of the hand go to the discard pile."""

    seat: str
    cards: tuple[str, ...] = ()


class ReturnWaste(Action, frozen=True):
    """So many Waste cards go from the hand back to their stack."""

    seat: str
    count: int


class Order(Action, frozen=True):
    """Revealed cards go back onto the deck, the first one on top."""

    seat: str
    cards: tuple[str, ...]


class Branch(Action, frozen=True):
    """One branch of a card that lets choose, counted from 1 in printed order."""

    seat: str
    number: int


class Name(Action, frozen=True):
    """A card is named before the top one is turned up."""

    seat: str
    card: str


class TrashIt(Action, frozen=True):
    """Whether the card itself is trashed for what it offers."""

    seat: str
    yes: bool = False


CODEC = Codec[Action](
    [
        Stacks,
        First,
        Leftovers,
        Deal,
        Reveal,
        Shuffle,
        StartPlace,
        Play,
        Lay,
        Buy,
        PassReturn,
        EndTurn,
        PlaceStation,
        Pick,
        Discard,
        ReturnWaste,
        Order,
        Branch,
        Name,
        TrashIt,
    ]
)
