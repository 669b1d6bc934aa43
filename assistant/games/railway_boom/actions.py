"""What can be done in Railway Boom, in the rulebook's words (RB section 16).

Places are hex names as printed on the mat, cards are ids of the pack, resources are "money", "coal",
"materials", "tech" and "vp". Types are as wide as what people might say, so that a wrong resource is a
refusal with its rule and not a misunderstanding.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from assistant.actions import TABLE, Action, Codec

Positive = Annotated[int, Meta(ge=1)]


class Draw(Action, frozen=True):
    """The table turns up cards of a deck, in the order in which they lie (RB-DRAW).

    For the first auction order the cards are in seat order; for the tile variant in order of the
    cities' numbers and of the Tourist spaces.
    """

    deck: str
    cards: tuple[str, ...]
    seat: str = TABLE


class Bid(Action, frozen=True):
    """Move the own disc to a higher free space (RB-AUC-5 A)."""

    seat: str
    space: int


class Confirm(Action, frozen=True):
    """Turn the own disc face down where it stands (RB-AUC-10)."""

    locks: ClassVar[bool] = True

    seat: str


class PayWild(Action, frozen=True):
    """Pay a bid in a mix of resources (RB-AUC-14)."""

    seat: str
    pay: dict[str, int]


class Convert(Action, frozen=True):
    """Two resources into one of another type (RB-FREE-2)."""

    free: ClassVar[bool] = True

    seat: str
    give: tuple[str, str]
    take: str


class UseDev(Action, frozen=True):
    """Use an upright Round card (RB-DEV-8); what it needs besides depends on its kind."""

    free: ClassVar[bool] = True

    seat: str
    card: str
    hex: str | None = None
    pay: dict[str, int] | None = None
    carriage: str | None = None


class TakeLoco(Action, frozen=True):
    """Take a revealed locomotive (RB-TRN-3)."""

    seat: str
    card: str


class BuyCarriage(Action, frozen=True):
    """Buy a revealed carriage (RB-TRN-4)."""

    seat: str
    card: str


class PlaceStation(Action, frozen=True):
    """Put the next own station on a city with an Indicator (RB-EXP-3)."""

    seat: str
    hex: str


class MoneyToPower(Action, frozen=True):
    """Pay Money for power, one for one (RB-EXP-5)."""

    seat: str
    n: Positive


class PlaceRT(Action, frozen=True, tag="place_rt"):
    """Put a Railway Token on a hex: with power, or free by an effect (RB-EXP-6, RB-EXP-11)."""

    seat: str
    hex: str
    free_placement: bool = False


class ChooseSet(Action, frozen=True):
    """Choose a row of development cards, counted from 1 (RB-DEV-3)."""

    seat: str
    row: Positive


class TakeFree(Action, frozen=True):
    """Take a lowest-cost card of the chosen row without paying (RB-DEV-4)."""

    seat: str
    card: str


class BuyDev(Action, frozen=True):
    """Buy a card of the chosen row, or one that DRAW2 revealed (RB-DEV-5, RB-ICON-3)."""

    seat: str
    card: str


class LoadTile(Action, frozen=True):
    """Put an own Resource Tile on an own train card (RB-OPS-6)."""

    seat: str
    tile: str
    card: str


class UnloadTile(Action, frozen=True):
    """Take a tile off a card again: never allowed (RB-OPS-6), but people try it and the camera sees it."""

    seat: str
    tile: str
    card: str


class DeclareTrain(Action, frozen=True):
    """Form a train: one locomotive, then carriages front to back (RB-OPS-1)."""

    seat: str
    loco: str
    carriages: tuple[str, ...] = ()


class OperateNext(Action, frozen=True):
    """Operate the next card of the running train (RB-OPS-3)."""

    seat: str


class Rollback(Action, frozen=True):
    """Take the running train back because its next card cannot be paid (RB-OPS-9)."""

    seat: str


class Choose(Action, frozen=True):
    """Answer an open question: an income track, two resources, a locomotive to return."""

    seat: str
    option: tuple[str, ...]


class Decline(Action, frozen=True):
    """Do without what an effect offers (RB-ICON-5)."""

    seat: str


class EndTurn(Action, frozen=True):
    """End the own turn in a Turn Step (RB-FLOW-3); in phase VI this puts the cube down (RB-OBJ-2)."""

    ends: ClassVar[bool] = True

    seat: str


class Done(Action, frozen=True):
    """Finish the own Operation phase (RB-OPS-11)."""

    ends: ClassVar[bool] = True

    seat: str


ACTIONS: tuple[type[Action], ...] = (
    Draw,
    Bid,
    Confirm,
    PayWild,
    Convert,
    UseDev,
    TakeLoco,
    BuyCarriage,
    PlaceStation,
    MoneyToPower,
    PlaceRT,
    ChooseSet,
    TakeFree,
    BuyDev,
    LoadTile,
    UnloadTile,
    DeclareTrain,
    OperateNext,
    Rollback,
    Choose,
    Decline,
    EndTurn,
    Done,
)

CODEC: Codec[Action] = Codec(ACTIONS)
