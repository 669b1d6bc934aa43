"""Pending choices: one depth-first stack per seat, holds, and entries filed under a moment.

An entry is any frozen record of the game's. The last entry of a stack is its top and is dealt with
before what lies below. An entry filed under a moment ("end of turn") blocks nothing until that moment
is called; entries due together are put to their seat in an order of its choice, before what lay open
when the moment came.

An entry can be held until a condition that the game names ("the seats before have finished"): it is not
asked, and nothing below it goes on, but what comes on top of it is dealt with as usual. A game whose
condition follows from its state may leave holds alone and ask its state instead.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace

E = TypeVar("E")


class Stack(msgspec.Struct, Generic[E], frozen=True, omit_defaults=True):
    """One seat's pending entries.

    `open` is the stack, top last. `filed` holds (moment, entry). `together` holds groups that became due
    together, each with the height of the stack that it lies on. `holds` holds (index in `open`, condition).
    """

    open: tuple[E, ...] = ()
    filed: tuple[tuple[str, E], ...] = ()
    together: tuple[tuple[int, tuple[E, ...]], ...] = ()
    holds: tuple[tuple[int, str], ...] = ()

    @property
    def top(self) -> E | None:
        """The entry to deal with next, held or not; None when there is none or `due` comes first."""
        if self.together and self.together[-1][0] == len(self.open):
            return None
        return self.open[-1] if self.open else None

    @property
    def run(self) -> tuple[E | None, int]:
        """The top, and how many entries equal to it lie in a row from there down."""
        top = self.top
        count = 0
        for entry in reversed(self.open):
            if top is None or entry != top:
                break
            count += 1
        return top, count

    @property
    def due(self) -> tuple[E, ...]:
        """Entries due together of which the seat chooses one now (two or more), or nothing."""
        if self.together and self.together[-1][0] == len(self.open):
            return self.together[-1][1]
        return ()

    @property
    def held(self) -> str | None:
        """The condition that the top waits for, or None."""
        if self.holds and self.top is not None and self.holds[-1][0] == len(self.open) - 1:
            return self.holds[-1][1]
        return None

    @property
    def idle(self) -> bool:
        """Whether nothing is open or due. What is only filed does not count."""
        return not self.open and not self.together

    def push(self, *entries: E) -> Stack[E]:
        """With entries on top; the last one given is the new top."""
        return replace(self, open=self.open + entries)

    def pop(self, count: int = 1) -> Stack[E]:
        """Without the top entries. ValueError when there are not so many above what is due together."""
        height = len(self.open) - count
        if height < (self.together[-1][0] if self.together else 0):
            raise ValueError(f"the stack has not {count} entries on top")
        if not self.holds:
            return replace(self, open=self.open[:height])
        holds = tuple(hold for hold in self.holds if hold[0] < height)
        return replace(self, open=self.open[:height], holds=holds)

    def file(self, moment: str, entry: E) -> Stack[E]:
        """With an entry that waits for a moment and blocks nothing until then."""
        return replace(self, filed=(*self.filed, (moment, entry)))

    def call(self, moment: str) -> Stack[E]:
        """The moment has come: its entries are due. A single one goes on top by itself."""
        due = tuple(entry for name, entry in self.filed if name == moment)
        if not due:
            return self
        filed = tuple(pair for pair in self.filed if pair[0] != moment)
        if len(due) == 1:
            return replace(self, open=self.open + due, filed=filed)
        group = (len(self.open), due)
        return replace(self, filed=filed, together=(*self.together, group))

    def first(self, index: int) -> Stack[E]:
        """The seat has chosen which of `due` comes next; a last remaining one follows by itself.

        IndexError when there is no such entry.
        """
        due = self.due
        if not 0 <= index < len(due):
            raise IndexError(f"there is no due entry {index}")
        rest = due[:index] + due[index + 1 :]
        together, below = self.together[:-1], self.open
        if len(rest) == 1:
            below = below + rest
        else:
            together = (*together, (len(below), rest))
        return replace(self, open=(*below, due[index]), together=together)

    def hold(self, condition: str) -> Stack[E]:
        """With the top held until `release`. ValueError when there is none or it is held already."""
        if self.top is None or self.held is not None:
            raise ValueError("there is no top to hold, or it is held already")
        return replace(self, holds=(*self.holds, (len(self.open) - 1, condition)))

    def release(self, condition: str) -> Stack[E]:
        """The condition is met: what waited for it is held no longer."""
        if not self.holds:
            return self
        return replace(self, holds=tuple(h for h in self.holds if h[1] != condition))
