"""How long each seat has used, in seconds of a monotonic clock. The wall clock has no part in it.

Clocks belong to the table and not to the state: entries of the journal carry them, digests ignore them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

DIGITS = 3
"""Decimals that are kept: a millisecond."""


class Clocks:
    """One clock a seat. They run for the seats that were named last, from the moment they were named."""

    def __init__(self, seats: Sequence[str], used: Mapping[str, float], now: float) -> None:
        self._used = {seat: float(used.get(seat, 0.0)) for seat in seats}
        self._running: frozenset[str] = frozenset()
        self._now = now

    def advance(self, now: float) -> None:
        """Let time pass up to `now`; a clock never runs backwards."""
        passed = max(0.0, now - self._now)
        self._now = max(now, self._now)
        for seat in self._running:
            self._used[seat] += passed

    def run(self, seats: Collection[str]) -> None:
        """From now on the clocks of these seats run, and no others."""
        self._running = frozenset(seat for seat in seats if seat in self._used)

    def set(self, used: Mapping[str, float]) -> None:
        """Go back to what was recorded."""
        self._used = {seat: float(used.get(seat, 0.0)) for seat in self._used}

    @property
    def used(self) -> dict[str, float]:
        """Seconds that each seat has used."""
        return {seat: round(seconds, DIGITS) for seat, seconds in self._used.items()}
