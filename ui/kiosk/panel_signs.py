"""What lamps and buzzer say of a view: plain functions, no hardware.

The order of what is told, when several things are so: out of step, a question, something to pay, a decision,
locked in, nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from assistant.choosing import Choice
from assistant.views import TableView
from hardware.lamps import Lamp, Sound

PAYING = frozenset({"pay"})
"""Reasons (`Acting.why`) that ask for a payment."""


class Signs(NamedTuple):
    """What each seat's lamp says, and the seats whose OK is down."""

    lamps: dict[str, Lamp]
    held: frozenset[str]


def signs(view: TableView, seats: Sequence[str]) -> Signs:
    """The lamps for a view."""
    held = frozenset(one.seat for one in view.holding if one.button == "ok" and one.down and one.seat)
    if view.eyes == "out_of_step":
        return Signs(dict.fromkeys(seats, Lamp.OUT_OF_STEP), held)
    return Signs({seat: _lamp(view, seat) for seat in seats}, held & frozenset(seats))


def _lamp(view: TableView, seat: str) -> Lamp:
    asking = view.asking
    if asking is not None and seat in asking.needs and seat not in asking.given:
        return Lamp.QUESTION
    choice = next((c for c in view.choices if c.seat == seat), None)
    if choice is not None and _is_question(choice):
        return Lamp.QUESTION
    why = next((who.why for who in view.acting if who.seat == seat), "")
    if why and asking is None and not view.finished:
        return Lamp.PAY if why in PAYING else Lamp.DECIDE
    auction = view.display.auction if view.display is not None else None
    if auction is not None and auction.open:
        bidder = next((b for b in auction.bidders if b.seat == seat), None)
        if bidder is not None and not bidder.up:
            return Lamp.LOCKED
    return Lamp.OFF


def _is_question(choice: Choice) -> bool:
    return any(option.role in ("accept", "agree", "told") for option in choice.options)


def sound(name: str) -> Sound | None:
    """The sound of a page (`Page.sound`), None for none."""
    return Sound(name) if name in {str(one) for one in Sound} else None
