"""The effect language: every primitive that can be printed on a card, as a record (docs/rules/trains.md).

A card's effect is a list of these, carried out from top to bottom, all or nothing (TR-FX-1). No card is code:
whoever owns other cards writes them with these words. What each does is told by `resolving`, when it can be
carried out by `feasible`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Colour = Literal["train", "rail", "station", "action", "vp", "waste"]
"""The primary types of cards (TR-COMP-4)."""

Waived = Literal["river", "mountain", "city", "all", "others"]


class Primitive(Struct, frozen=True, tag_field="do", omit_defaults=True, forbid_unknown_fields=True):
    """Base of all primitives."""


class Money(Primitive, frozen=True, tag="money"):
    """`n` more money."""

    n: int


class Vp(Primitive, frozen=True, tag="vp"):
    """`n` points on the scoring track at once (TR-VP-1)."""

    n: int


class Rail(Primitive, frozen=True, tag="rail"):
    """`n` rail points: each lays one rail (HR-1)."""

    n: int


class Station(Primitive, frozen=True, tag="station"):
    """`n` station tokens are placed (TR-STN)."""

    n: int


class Waste(Primitive, frozen=True, tag="waste"):
    """Up to `n` Waste is gained (TR-FX-2)."""

    n: int


class Draw(Primitive, frozen=True, tag="draw"):
    """`n` cards are drawn (TR-DRAW)."""

    n: int


class ReturnWaste(Primitive, frozen=True, tag="return_waste"):
    """Waste goes from the hand to its stack: all of it, one card, or any number for `money` each."""

    count: Literal["all", "any", "one"]
    money: int = 0


Plain = Money | Vp | Rail | Station | Waste | Draw | ReturnWaste
"""What may stand inside another primitive."""


class Discard(Primitive, frozen=True, tag="discard"):
    """Exactly `n` cards of the hand are discarded."""

    n: int


class DiscardAny(Primitive, frozen=True, tag="discard_any"):
    """Any number of cards of the hand is discarded, for `draw` cards and `money` each."""

    draw: int = 0
    money: int = 0


class ChooseOne(Primitive, frozen=True, tag="choose_one"):
    """One of the branches that can be carried out (HR-8)."""

    branches: tuple[Plain, ...]


class RevealTake(Primitive, frozen=True, tag="reveal_take"):
    """`n` cards are revealed, one may be taken, the rest goes back on top in any order."""

    n: int


class RevealUntil(Primitive, frozen=True, tag="reveal_until"):
    """Cards are revealed until there are `n` of a colour; those are taken, the rest is discarded."""

    n: int
    of: Colour


class Peek(Primitive, frozen=True, tag="peek"):
    """The owner sees the top card and discards it or leaves it."""


class NameReveal(Primitive, frozen=True, tag="name_reveal"):
    """A card is named, then the top one revealed: to the hand if it is the one, else back on top."""


class ShowCopy(Primitive, frozen=True, tag="show_copy"):
    """A card of a colour is shown from the hand; another copy is gained if one is left."""

    of: Colour


class Exchange(Primitive, frozen=True, tag="exchange"):
    """A card of a colour is trashed from the hand for one of it that costs up to `plus` more, to the hand."""

    of: Colour
    plus: int


class TrashSelf(Primitive, frozen=True, tag="trash_self"):
    """This card may be trashed, for `then`."""

    then: Plain


class Topdeck(Primitive, frozen=True, tag="topdeck"):
    """A card of a colour goes from play onto the deck; what it gave stays (HR-9)."""

    of: Colour


class Recover(Primitive, frozen=True, tag="recover"):
    """A card of a colour comes from the discard pile to the hand."""

    of: Colour


class Worth(Primitive, frozen=True, tag="worth"):
    """Money equal to the printed value of one card of a colour in play."""

    of: Colour


class MoneyIf(Primitive, frozen=True, tag="money_if"):
    """`n` money once if a card of this id is in play."""

    n: int
    card: str


class CopyAction(Primitive, frozen=True, tag="copy_action"):
    """The effect of another card in hand with the red symbol (HR-10)."""


class Waive(Primitive, frozen=True, tag="waive"):
    """This turn a part of the laying cost is waived (TR-LAY-10)."""

    what: Waived


class NoWaste(Primitive, frozen=True, tag="no_waste"):
    """This turn no Waste is gained."""


class Bonus(Primitive, frozen=True, tag="bonus"):
    """This turn every card of a colour played later gives `n` money more (HR-24)."""

    n: int
    of: Colour


class TopdeckBuys(Primitive, frozen=True, tag="topdeck_buys"):
    """This turn bought cards may go onto the deck (TR-BUY-6)."""


Effect = (
    Plain
    | Discard
    | DiscardAny
    | ChooseOne
    | RevealTake
    | RevealUntil
    | Peek
    | NameReveal
    | ShowCopy
    | Exchange
    | TrashSelf
    | Topdeck
    | Recover
    | Worth
    | MoneyIf
    | CopyAction
    | Waive
    | NoWaste
    | Bonus
    | TopdeckBuys
)
