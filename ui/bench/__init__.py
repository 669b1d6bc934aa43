"""Figures about the product, each with the way it was measured and, where there is one, a peer.

A bench is a module with `run(...) -> list[Row]`. Peers are measured in the same run, in turns with what they
are compared with, because the ratio of two things measured side by side holds on a busy machine where
neither time alone does.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One figure.

    `goal` is what it should be, with its comparison ("<= 15", "== 0"), "" for none; `ok` whether it is met,
    None when there is no goal or nothing was measured. `peer` names what the same work was also done with,
    `peer_value` is its figure in the same unit, and `ratio` is peer_value / value where less is better and
    value / peer_value where more is. `how` says how it was measured, and for a `value` of None why it was
    not.
    """

    name: str
    value: float | None
    unit: str
    goal: str = ""
    ok: bool | None = None
    peer: str = ""
    peer_value: float | None = None
    ratio: float | None = None
    how: str = ""


_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<=": lambda value, goal: value <= goal,
    ">=": lambda value, goal: value >= goal,
    "==": lambda value, goal: value == goal,
}


def row(
    name: str,
    value: float | None,
    unit: str,
    *,
    goal: str = "",
    peer: str = "",
    peer_value: float | None = None,
    more_is_better: bool = False,
    how: str = "",
) -> Row:
    """A `Row` with verdict and ratio worked out, figures cut to four digits.

    Raises ValueError for a goal that does not begin with <=, >= or == and a number.
    """
    ok = None
    if goal:
        sign, _, limit = goal.partition(" ")
        if sign not in _COMPARE:
            raise ValueError(f"a goal begins with one of {', '.join(_COMPARE)}: {goal!r}")
        bound = float(limit.split()[0])
        ok = None if value is None else _COMPARE[sign](value, bound)
    ratio = None
    if value is not None and peer_value is not None:
        better, worse = (value, peer_value) if more_is_better else (peer_value, value)
        ratio = better / worse if worse else None
    return Row(
        name=name,
        value=rounded(value),
        unit=unit,
        goal=goal,
        ok=ok,
        peer=peer,
        peer_value=rounded(peer_value),
        ratio=rounded(ratio),
        how=how,
    )


def rounded(value: float | None, digits: int = 4) -> float | None:
    """`value` to so many significant digits; whole numbers stay whole."""
    if value is None or value == 0 or not math.isfinite(value) or value == int(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile: the smallest value that at least `percent` of 100 do not exceed.

    Raises ValueError for no values or a percentage outside 0 to 100.
    """
    if not values or not 0 <= percent <= 100:
        raise ValueError("a percentile needs values and 0 to 100 percent")
    return sorted(values)[max(math.ceil(len(values) * percent / 100) - 1, 0)]


def cpu_seconds() -> float:
    """CPU time of this thread, user and system, in seconds: waiting for a disk or a core does not count."""
    return time.thread_time()


def timed(work: Callable[[], object], clock: Callable[[], float] = cpu_seconds) -> float:
    """Seconds that `work` takes once by `clock`, with the garbage collector held off."""
    with quiet():
        start = clock()
        work()
        return clock() - start


def in_turns(
    rounds: int,
    works: Mapping[str, Callable[[], object]],
    clock: Callable[[], float] = cpu_seconds,
) -> dict[str, list[float]]:
    """Seconds of each of `works` in each round, by name. Each runs once per round, in turns, so that
    whatever slows the machine slows all of them; the order is reversed in every other round."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds):
        order = list(works.items())
        for name, work in order if number % 2 == 0 else reversed(order):
            times[name].append(timed(work, clock))
    return times


@contextmanager
def quiet() -> Iterator[None]:
    """No garbage collection inside; what was left before is collected first."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
