"""What people and the table do in Russian Railroads, as records."""

from __future__ import annotations

from typing import Literal

from assistant.actions import TABLE, Action, Codec


class Engineers(Action, frozen=True):
    """The table: the engineers on the strip, from the left to the hiring space (RR-SETUP-8)."""

    numbers: tuple[int, ...]
    seat: Literal["table"] = TABLE


class Order(Action, frozen=True):
    """The table: the turn order that was dealt, first to last (RR-SETUP-13)."""

    seats: tuple[str, ...]
    seat: Literal["table"] = TABLE


class Reveal(Action, frozen=True):
    """The table: the end bonus cards that a player kept, by id (RR-END-1)."""

    owner: str
    cards: tuple[str, ...]
    seat: Literal["table"] = TABLE


class TakeStart(Action, frozen=True):
    """A starting bonus card is taken (RR-SETUP-14)."""

    seat: str
    card: str


class Use(Action, frozen=True):
    """A space is occupied and paid with so many pieces of each kind (RR-PAY)."""

    seat: str
    space: str
    workers: int = 0
    black: int = 0
    temps: int = 0
    roubles: int = 0


class Pass(Action, frozen=True):
    """The player passes for this round (RR-PASS)."""

    ends = True

    seat: str


class Step(Action, frozen=True):
    """A track piece moves one space to the right (RR-TRACK)."""

    seat: str
    railroad: str
    colour: str


class March(Action, frozen=True):
    """An industry marker moves one cell (RR-IND)."""

    seat: str
    marker: int = 1


class PlaceLoco(Action, frozen=True):
    """The locomotive in hand goes to a slot: TS1, TS2, SP or KV (RR-LOCO)."""

    seat: str
    slot: str


class Flip(Action, frozen=True):
    """The locomotive in hand becomes a returned factory (RR-LOCO-6, -7)."""

    seat: str


class Build(Action, frozen=True):
    """A factory is built: its number, and its place from the left, 1 to 5 (RR-FACT)."""

    seat: str
    number: int
    place: int


class First(Action, frozen=True):
    """Of what is due together, the one that comes next, counted from 1 (RR-TRIG-2, A-59)."""

    seat: str
    number: int


class Branch(Action, frozen=True):
    """One branch of an action that lets choose, counted from 1."""

    seat: str
    number: int


class Accept(Action, frozen=True):
    """An own effect is used (RR-TURN-5)."""

    seat: str


class Decline(Action, frozen=True):
    """An own effect, or what is left of it, lapses (RR-TURN-5, A-03)."""

    seat: str


class PickToken(Action, frozen=True):
    """A ?-token is chosen (RR-SPEC-Q)."""

    seat: str
    token: str


class PickCard(Action, frozen=True):
    """A ?-card is chosen (RR-TOK-5)."""

    seat: str
    card: str


class Bonus(Action, frozen=True):
    """An end bonus card is kept face down, or 10 points are scored (RR-EB-1)."""

    seat: str
    keep: bool = False


class Reuse(Action, frozen=True):
    """The space whose action is carried out again (A-57)."""

    seat: str
    space: str


class Borrow(Action, frozen=True):
    """The engineer of another player whose action is used."""

    seat: str
    number: int


class Swap(Action, frozen=True):
    """The own worker on `space` goes to the turn-order space and the piece there to `space` (RR-ORD-5)."""

    seat: str
    space: str


class Move(Action, frozen=True):
    """The worker of a turn-order space moves to a free space (RR-MOVE)."""

    seat: str
    space: str


class Stay(Action, frozen=True):
    """The worker move is forfeited (RR-MOVE-5)."""

    ends = True

    seat: str


CODEC = Codec[Action](
    [
        Engineers,
        Order,
        Reveal,
        TakeStart,
        Use,
        Pass,
        Step,
        March,
        PlaceLoco,
        Flip,
        Build,
        First,
        Branch,
        Accept,
        Decline,
        PickToken,
        PickCard,
        Bonus,
        Reuse,
        Borrow,
        Swap,
        Move,
        Stay,
    ]
)
