"""The staff's PIN: kept as an Argon2 hash, with a growing pause after wrong ones.

The number of wrong PINs in a row is kept on the disk, so that switching off does not help; the pause itself
runs on the monotonic clock and begins anew at a start.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from ui.kiosk.store import PinRecord

FEWEST, MOST = 4, 12
"""Digits of a PIN."""
FREE = 3
"""So many wrong PINs cost no pause."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 15.0, 900.0


def pause(wrong: int) -> float:
    """Seconds to wait after so many wrong PINs in a row."""
    if wrong < FREE:
        return 0.0
    return min(FIRST_PAUSE_S * 2.0 ** min(wrong - FREE, 20), LONGEST_PAUSE_S)


class Pin:
    """Checks PINs against a record; `keep` is given every new record, to be written at once."""

    def __init__(self, record: PinRecord, keep: Callable[[PinRecord], None], now: float) -> None:
        self.record = record
        self._keep = keep
        self._until = now + pause(record.wrong)
        self._hasher = PasswordHasher()

    @property
    def there(self) -> bool:
        """Whether a PIN was ever set."""
        return bool(self.record.hash)

    def wait(self, now: float) -> float:
        """Seconds until another PIN may be tried."""
        return max(0.0, self._until - now)

    def check(self, digits: str, now: float) -> bool:
        """Whether this is the PIN. During a pause, or without a PIN, nothing is."""
        if not self.there or self.wait(now) > 0:
            return False
        # Counted before it is looked at: pulling the plug in between is a wrong one too.
        wrong = self.record.wrong + 1
        self._put(msgspec.structs.replace(self.record, wrong=wrong))
        good = False
        with contextlib.suppress(Argon2Error, InvalidHashError):
            good = self._hasher.verify(self.record.hash, digits)
        if good:
            self._put(msgspec.structs.replace(self.record, wrong=0))
        self._until = now + pause(self.record.wrong)
        return good

    def set(self, digits: str) -> None:
        """Take a new PIN. ValueError says why it will not do."""
        if not (digits.isascii() and digits.isdigit() and FEWEST <= len(digits) <= MOST):
            raise ValueError(f"a PIN has {FEWEST} to {MOST} digits")
        if len(set(digits)) == 1 or digits in "0123456789" or digits in "9876543210":
            raise ValueError("this PIN is too easy to guess")
        self._put(PinRecord(self._hasher.hash(digits)))

    def _put(self, record: PinRecord) -> None:
        self._keep(record)
        self.record = record
