"""The journal that is not written down: for simulations, tests, reading, and unrecorded play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Self

import msgspec

from assistant.journal.records import (
    AnyJournal,
    Chain,
    Entry,
    Header,
    Notes,
    Recorded,
    canonical,
    chain_of,
    checked_header,
    header_from,
)


class MemoryJournal:
    """A journal in memory only, with the interface and the hashes of `Journal`.

    `now` gives wall-clock text, `clock_set` whether that clock can be believed. Raises ValueError for a
    header that JSON cannot hold.
    """

    def __init__(
        self,
        header: Header,
        *,
        secret: str = "",
        now: Callable[[], str] | None = None,
        clock_set: Callable[[], bool] | None = None,
    ) -> None:
        self._notes = Notes(now, clock_set)
        self._chain = Chain(canonical(stamped(header, secret, self._notes)))
        self._secret = secret

    @classmethod
    def of(
        cls,
        chain: Chain,
        secret: str,
        now: Callable[[], str] | None = None,
        clock_set: Callable[[], bool] | None = None,
    ) -> Self:
        """Wrap a chain that was read and checked elsewhere."""
        self = cls.__new__(cls)
        self._notes = Notes(now, clock_set)
        self._chain = chain
        self._secret = secret
        return self

    @classmethod
    def following(
        cls,
        journal: AnyJournal,
        *,
        now: Callable[[], str] | None = None,
        clock_set: Callable[[], bool] | None = None,
    ) -> Self:
        """The same game so far, to be continued unrecorded when `journal` can no longer be written."""
        return cls.of(chain_of(journal), journal.secret, now, clock_set)

    @property
    def header(self) -> Header:
        """What the game is replayed under."""
        return header_from(self._chain.raw_header)

    @property
    def secret(self) -> str:
        """The dealer's seed; "" when there is none, or when it was withheld from an export."""
        return self._secret

    @property
    def last_seq(self) -> int:
        """Number of the last entry, 0 before the first."""
        return len(self._chain.sealed)

    @property
    def head(self) -> str:
        """The last chain hash, in hex."""
        return self._chain.head.hex()

    @property
    def on_disk(self) -> bool:
        """False: nothing here survives a power cut."""
        return False

    def append(self, entries: Sequence[Entry]) -> tuple[Recorded, ...]:
        """Take in the entries of one ruling. Raises ValueError for one that JSON cannot hold."""
        recorded, sealed = self._chain.seal(entries, *self._notes.take())
        self._chain.extend(sealed)
        return recorded

    def entries(self, first: int = 1) -> Iterator[Recorded]:
        """The entries from number `first`."""
        return self._chain.records(first)

    def verify(self) -> None:
        """Recompute the chain. Raises DamagedFile."""
        self._chain.verify()

    def checkpoint(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def stamped(header: Header, secret: str, notes: Notes) -> Header:
    """The header as it goes into a new journal: checked, with time noted and secret hinted at."""
    noted_at, clock_set = notes.take()
    return msgspec.structs.replace(
        checked_header(header), seed_hidden=bool(secret), noted_at=noted_at, clock_set=clock_set
    )
