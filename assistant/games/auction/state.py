"""The state of an auction. It reads well as it is, so it is its own position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """All about a table. Dicts are by seat letter and name every seat, but `holds` (AU-HOLD-1).

    `lot` is the number of the lot that is open or was the last, 0 before the first. Until the next one opens,
    discs stay where they ended: `white` is the order left to right in which they began, `discs` the space of
    each (0: white), `locked` the seats whose disc is face down, in order of their letters, `last` who moved
    last (empty: nobody). `holds` is what each can still spend, `paid` what it has paid, `won` its lots.
    """

    step: Literal["between", "lot", "over"]
    lot: int
    white: tuple[str, ...]
    discs: dict[str, int]
    locked: tuple[str, ...]
    last: str
    holds: dict[str, int]
    paid: dict[str, int]
    won: dict[str, int]


def faults(state: State, seats: tuple[str, ...], top: int, budget: str) -> Iterator[str]:
    """What no table can look like, one line each."""
    if sorted(state.white) != [*seats]:
        yield f"white: each of {', '.join(seats)} stands there once"
    for name in ("discs", "paid", "won"):
        if set(getattr(state, name)) != set(seats):
            yield f"{name}: the seats are {', '.join(seats)}"
    if state.last and state.last not in seats:
        yield f"last: there is no seat {state.last}"
    if sorted(set(state.locked) & set(seats)) != [*state.locked]:
        yield "locked: seats, each once, in order of their letters"
    taken = [space for space in state.discs.values() if space]
    if not all(0 <= space <= top for space in taken) or len(set(taken)) < len(taken):
        yield f"discs: 0 is white; a space from 1 to {top} holds one disc"
    if state.step == "lot" and len(state.locked) == len(seats):
        yield "locked: with all discs face down the lot is over"
    if state.step != "lot" and len(state.locked) != (len(seats) if state.lot else 0):
        yield "locked: between lots all discs are face down, before the first none is"
    if state.lot < 0 or (state.step != "between" and not state.lot):
        yield "lot: the first is 1"
    if not state.lot and taken:
        yield "discs: before the first lot all are white"
    counted = set(seats) if budget != "none" else set()
    some = budget == "own" and not state.lot and set(state.holds) <= counted
    if set(state.holds) != counted and not some:
        yield f"holds: stated for {', '.join(sorted(counted)) or 'nobody'}"
    for name in ("holds", "paid", "won"):
        yield from (f"{name}.{seat}: {n} cannot be" for seat, n in getattr(state, name).items() if n < 0)
    if sum(state.won.values()) > state.lot - (state.step == "lot"):
        yield "won: more lots than there were"
