"""The state of a game of Trains: immutable records, sets of hexes as ints (docs/rules/trains.md).

Cards are known by number or name (`assistant.cards`), per owner: `deck`, `hand`, `play`, `gained`, `discard`
and `revealed`. Letters, names and lists belong to the position (`position.py`).
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from assistant import cards as c
from assistant.games.trains import effects as fx
from assistant.games.trains.effects import Colour, Effect, Primitive

ZONES: Final = ("deck", "hand", "play", "gained", "discard", "revealed")

RIVER, MOUNTAIN, CITY, ALL, OTHERS = 1, 2, 4, 8, 16
"""Parts of the laying cost that are waived this turn."""
WAIVED: Final = {"river": RIVER, "mountain": MOUNTAIN, "city": CITY, "all": ALL, "others": OTHERS}

Phase = Literal["stacks", "first", "start", "turns", "over"]


class TakeOne(Primitive, frozen=True, tag="take_one"):
    """One of the revealed cards may be taken."""


class PutBack(Primitive, frozen=True, tag="put_back"):
    """The revealed cards go back on top in any order."""


class KeepOrDiscard(Primitive, frozen=True, tag="keep_or_discard"):
    """The top card, which its owner has seen, stays or is discarded."""


class Match(Primitive, frozen=True, tag="match"):
    """The top card is turned up and compared with the one that was named."""

    card: str


class GainToHand(Primitive, frozen=True, tag="gain_to_hand"):
    """A card of a colour up to a cost comes from the Supply to the hand."""

    of: Colour
    cost: int


class LayNow(Primitive, frozen=True, tag="lay_now"):
    """A rail is laid within the resolution (`rail_mode` immediate)."""


class ShowHand(Primitive, frozen=True, tag="show_hand"):
    """The table says what was left in hand at Clean Up."""


class DrawHand(Primitive, frozen=True, tag="draw_hand"):
    """The new hand is drawn (TR-CLEAN-1)."""

    n: int


class NextTurn(Primitive, frozen=True, tag="next_turn"):
    """The end check, then the next player (TR-TURN-4)."""


Line = (
    Effect | TakeOne | PutBack | KeepOrDiscard | Match | GainToHand | LayNow | ShowHand | DrawHand | NextTurn
)
"""What can lie on the stack of the open resolution."""


DRAWS: Final = (fx.Draw, fx.Peek, DrawHand)
"""Tasks that wait for cards that only their owner sees."""
REVEALS: Final = (fx.RevealTake, fx.RevealUntil, Match)
"""Tasks that wait for cards that everyone sees."""


class Task(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something to carry out; `this` is the card in play that "this card" means."""

    line: Line
    this: str = ""


class Turn(Struct, frozen=True, gc=False):
    """What holds until the end of the turn (TR-TURN-5)."""

    money: int = 0
    rails: int = 0
    """Rail points."""
    waived: int = 0
    no_waste: bool = False
    bonus: tuple[tuple[Colour, int], ...] = ()
    """Money for each card of a colour that is played from now on."""
    topdeck: bool = False
    played: bool = False
    bought: bool = False
    returned: bool = False
    """Whether the special action of passing was taken (TR-PASS-3)."""
    declined: tuple[str, ...] = ()
    """Cards in play whose effect was not applied (TR-PLAY-3)."""


FRESH: Final = Turn()


class State(Struct, frozen=True):
    """The whole table."""

    phase: Phase
    cards: dict[str, c.Cards]
    supply: dict[str, int]
    """Cards left of each stack; only stacks of this game."""
    box: dict[str, int]
    """Cards out of the game."""
    tokens: tuple[int, ...]
    """By seat, the hexes with its rails."""
    stations: tuple[int, int, int]
    """Hexes with at least one, two, three stations."""
    track: tuple[int, ...]
    """By seat, points on the scoring track."""
    first: int = 0
    """Index of the starting player."""
    active: int = 0
    turn: Turn = FRESH
    stack: tuple[Task, ...] = ()
    """The open resolution, its next task last."""
    copies: dict[str, str] = {}
    """Numbers of cards that have been read, `TC-LR-07`, and whose they are: a seat or "box"."""
