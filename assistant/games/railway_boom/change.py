"""One action's change in the making: the state so far, the events so far, and the few ways to alter it.

Rules modules call these instead of copying records by hand, so that every payment, gain and placement
has one path. Nothing here decides what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from assistant.events import Event, Moved, Points, Shortfall, Told
from assistant.games.railway_boom.pack import STOCK, TRACKS
from assistant.games.railway_boom.state import VP, Pending, Seat, State
from assistant.stacks import Stack

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


class Change(msgspec.Struct, gc=False):
    """A state under change. `seat` indices are 0..P-1; resources are track indices.

    Players' records and stacks are kept aside while they change and go back into the state when somebody
    looks at it: one action may touch a record many times. A struct, since one is made for every action and
    a class of Python's takes twice as long.
    """

    game: RailwayBoom
    table: State
    """The state as it is now except for `seats` and `stacks`, which may be behind.

    Quicker than `state`; where actions are most frequent, fields are replaced right here instead of by `set`.
    """
    seats: list[Seat]
    """The players' records as they are now; begins as a copy of the state's."""
    events: list[Event] = []
    open: list[list[Pending]] | None = None
    """The players' stacks as they are now, or None while they are the table's."""
    changed: bool = False
    """Whether `seats` or `open` are ahead of the table."""

    @property
    def state(self) -> State:
        """The state with everything changed so far."""
        if self.changed:
            self.changed = False
            stacks = self.open
            if stacks is None:
                self.table = replace(self.table, seats=tuple(self.seats))
            else:
                laid = tuple([Stack(tuple(entries)) for entries in stacks]) if any(stacks) else ()
                self.table = replace(self.table, seats=tuple(self.seats), stacks=laid)
        return self.table

    def set(self, **fields: Any) -> None:
        """Replace fields of the table; players' records by `put`, stacks by `push` and `pop`."""
        self.table = replace(self.table, **fields)

    def put(self, seat: int, record: Seat) -> None:
        """Replace one player's record."""
        self.seats[seat] = record
        self.changed = True

    def alter(self, seat: int, **fields: Any) -> None:
        """Replace fields of one player's record."""
        self.seats[seat] = replace(self.seats[seat], **fields)
        self.changed = True

    def _entries(self, seat: int) -> list[Pending]:
        if self.open is None:
            stacks = self.table.stacks
            self.open = [list(stack.open) for stack in stacks] if stacks else [[] for _ in self.seats]
        return self.open[seat]

    def top(self, seat: int) -> Pending | None:
        """What a seat's stack is waiting for, or None."""
        if self.open is None:
            return self.table.top(seat)
        entries = self.open[seat]
        return entries[-1] if entries else None

    def push(self, seat: int, *entries: Pending) -> None:
        """Put entries on a seat's stack; the last one is dealt with first."""
        self._entries(seat).extend(entries)
        self.changed = True

    def pop(self, seat: int) -> None:
        """Take the top off a seat's stack."""
        self._entries(seat).pop()
        self.changed = True

    def points(self, seat: int, amount: int, source: str, detail: str = "", rule: str = "") -> None:
        """Change VP, never below zero (RB-RES-4)."""
        if not amount:
            return
        record = self.seats[seat]
        vp = record.vp + amount
        if vp < 0:
            self.short(seat, "vp", -vp, rule)
            amount -= vp
            vp = 0
        self.seats[seat] = replace(record, vp=vp)
        self.changed = True
        self.events.append(Points(self.game.seats[seat], amount, source, detail, rule))

    def gain(self, seat: int, resource: int, amount: int, source: str, detail: str, rule: str) -> None:
        """Gain a stock resource, or VP when `resource` is VP."""
        if not amount:
            return
        if resource == VP:
            self.points(seat, amount, source, detail, rule)
            return
        record = self.seats[seat]
        stock = [*record.stock]
        stock[resource - 1] += amount
        self.seats[seat] = replace(record, stock=tuple(stock))
        self.changed = True
        self.events.append(Moved(self.game.seats[seat], TRACKS[resource], amount, rule))

    def gain_all(self, seat: int, amounts: Sequence[int], rule: str) -> None:
        """Gain of all four stock resources at once."""
        record = self.seats[seat]
        self.seats[seat] = replace(record, stock=tuple(map(add, record.stock, amounts)))
        self.changed = True
        letter = self.game.seats[seat]
        self.events += [Moved(letter, name, n, rule) for name, n in zip(STOCK, amounts, strict=True) if n]

    def pay(self, seat: int, resource: int, amount: int, rule: str) -> None:
        """Pay a stock resource; takes what is there and states the shortfall when it is too little."""
        if not amount:
            return
        record = self.seats[seat]
        stock = [*record.stock]
        left = stock[resource - 1] - amount
        if left < 0:
            self.short(seat, TRACKS[resource], -left, rule)
            amount += left
            left = 0
        stock[resource - 1] = left
        self.seats[seat] = replace(record, stock=tuple(stock))
        self.changed = True
        self.events.append(Moved(self.game.seats[seat], TRACKS[resource], -amount, rule))

    def pay_named(self, seat: int, price: Mapping[Any, int], rule: str) -> None:
        """Pay a price given by resource names, in track order whatever the order of the names."""
        for index, name in enumerate(STOCK, start=1):
            if amount := price.get(name):
                self.pay(seat, index, amount, rule)

    def short(self, seat: int, what: str, missing: int, rule: str) -> None:
        """State that a payment took what was there and how much it lacked."""
        self.events.append(Shortfall(self.game.seats[seat], what, missing, rule))

    def take_tile(self, seat: int, kind: int, rule: str) -> None:
        """Give a seat a Resource Tile if one is left (RB-STK-4)."""
        supply = self.table.supply
        if supply[kind] <= 0 and not self.game.unlimited_tiles:
            self.tell("no_tile_left", seat, tile=TRACKS[kind])
            return
        if supply[kind] > 0:
            self.set(supply=bump(supply, kind, -1))
        record = self.seats[seat]
        self.put(seat, replace(record, tiles=bump(record.tiles, kind, 1)))
        self.events.append(Moved(self.game.seats[seat], f"tile:{TRACKS[kind]}", 1, rule))

    def tell(self, key: str, seat: int | None = None, **values: Any) -> None:
        """Something for people at the table."""
        self.events.append(Told(key, None if seat is None else self.game.seats[seat], values))


Five = tuple[int, int, int, int, int]


def bump(five: Five, index: int, by: int) -> Five:
    """A five-tuple with one entry changed."""
    out = [*five]
    out[index] += by
    return tuple(out)  # type: ignore[return-value]
