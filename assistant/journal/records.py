"""What a journal holds: the header, the entries, and the hash chain that ties them together.

Canonical bytes are JSON as msgspec writes it with sorted keys: no spaces, UTF-8, shortest form of a
float that reads back equal. The chain is BLAKE2b with 32 bytes: the genesis hash is over the header, each
entry's hash over the hash before it and the entry's canonical bytes. There is no key in it: the chain finds
damage and careless edits, it does not prove who wrote the entries.
"""

from __future__ import annotations

import ctypes
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, Self

import msgspec

from assistant.journal.errors import DamagedFile

_ENCODER = msgspec.json.Encoder(order="sorted")
_HEADER_MARK, _ENTRY_MARK, _SECRET_MARK = b"header", b"entry", b"secret"
_INTEGER_LIMIT = 2**63
_TIME_ERROR = 5
"""What adjtimex(2) returns while the clock is not synchronised."""


class SeatInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat at the table: its letter ("A") and the name shown for it."""

    letter: str
    name: str


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the game is replayed under, fixed when it begins.

    `pack_text` is the canonical text of the content pack and `options` the effective switches (JSON
    values), so that a pack or a rule changed later leaves this game as it was. `seed_hidden`, `noted_at`
    and `clock_set` are filled in by the journal: whether a secret is kept apart, the wall-clock time of
    creation as text, and whether that clock had been set.
    """

    game: str
    edition: str
    rules_version: str
    pack_id: str
    pack_digest: str
    pack_text: str
    seats: tuple[SeatInfo, ...]
    options: dict[str, Any] = {}
    seed_hidden: bool = False
    noted_at: str = ""
    clock_set: bool = False


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One thing that happened. `kind` is "act", "undo", "redo", "overrule", "correct", "note" or another
    word of the referee's; `body` its JSON values; `digest` the state's digest afterwards; `clocks` the
    seconds each seat has left; `by` who did it (seat letter, "staff", None for the table).
    """

    kind: str
    body: dict[str, Any]
    digest: str = ""
    clocks: dict[str, float] = {}
    by: str | None = None


class Recorded(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An entry as it stands in the journal.

    `seq` counts entries from 1 and is the only order there is. Entries of one transaction share `ruling`,
    which counts from 1. `noted_at` is wall-clock text, a note only; `clock_set` is False when the clock
    was not known to be right. `hash` is the chain hash in hex.
    """

    seq: int
    ruling: int
    noted_at: str
    clock_set: bool
    entry: Entry
    hash: str


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hashed part of a `Recorded`."""

    seq: int
    ruling: int
    noted_at: str
    clock_set: bool
    entry: Entry


_LINES = msgspec.json.Decoder(_Line)
_HEADERS = msgspec.json.Decoder(Header)


class Sealed(msgspec.Struct, frozen=True):
    """An entry ready to be written: canonical bytes and chain hash."""

    raw: bytes
    hash: bytes


class AnyJournal(Protocol):
    """What the referee needs of a journal; `Journal` and `MemoryJournal` both are one.

    The table may say "recorded" only of what a journal with `on_disk` has taken in. Only one thread may
    use a journal at a time.
    """

    @property
    def header(self) -> Header:
        """What the game is replayed under."""
        ...

    @property
    def secret(self) -> str:
        """The dealer's seed; "" when there is none, or when it was withheld from an export."""
        ...

    @property
    def last_seq(self) -> int:
        """Number of the last entry, 0 before the first."""
        ...

    @property
    def head(self) -> str:
        """The last chain hash, in hex."""
        ...

    @property
    def on_disk(self) -> bool:
        """Whether what `append` takes in is on the disk when it returns."""
        ...

    def append(self, entries: Sequence[Entry]) -> tuple[Recorded, ...]:
        """Record the entries of one ruling."""
        ...

    def entries(self, first: int = 1) -> Iterator[Recorded]:
        """The entries from number `first`."""
        ...

    def verify(self) -> None:
        """Check everything anew. Raises DamagedFile."""
        ...

    def checkpoint(self) -> None:
        """Tidy up; to be called when nobody waits."""
        ...

    def close(self) -> None:
        """Give the journal up."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


# --- canonical bytes and hashes ------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """Canonical JSON bytes of a record or JSON value."""
    return _ENCODER.encode(value)


def header_from(raw: bytes) -> Header:
    """The header that `canonical` wrote. Raises msgspec.MsgspecError."""
    return _HEADERS.decode(raw)


def genesis_of(raw_header: bytes) -> bytes:
    """The hash before the first entry."""
    return hashlib.blake2b(raw_header, digest_size=32, person=_HEADER_MARK).digest()


def link(previous: bytes, raw: bytes) -> bytes:
    """The chain hash of an entry with these canonical bytes, after the hash `previous`."""
    return hashlib.blake2b(previous + raw, digest_size=32, person=_ENTRY_MARK).digest()


def secret_check(genesis: bytes, secret: str) -> bytes:
    """Finds damage to the secret. It is kept with the secret: on its own it would let a short seed be
    guessed."""
    return hashlib.blake2b(genesis + secret.encode(), digest_size=32, person=_SECRET_MARK).digest()


def line_of(recorded: Recorded) -> bytes:
    """The canonical bytes that the chain hash of `recorded` is over."""
    return canonical(
        _Line(
            seq=recorded.seq,
            ruling=recorded.ruling,
            noted_at=recorded.noted_at,
            clock_set=recorded.clock_set,
            entry=recorded.entry,
        )
    )


def json_faults(value: object, where: str) -> list[str]:
    """Why `value` would not come back equal from JSON; empty if it would (tuples come back as lists)."""
    if value is None or isinstance(value, (bool, str)):
        return []
    if isinstance(value, int):
        return [] if -_INTEGER_LIMIT <= value < _INTEGER_LIMIT else [f"{where}: {value} needs over 64 bits"]
    if isinstance(value, float):
        return [] if math.isfinite(value) else [f"{where}: {value} is not a number JSON has"]
    if isinstance(value, (list, tuple)):
        return [fault for i, item in enumerate(value) for fault in json_faults(item, f"{where}[{i}]")]
    if isinstance(value, dict):
        faults = []
        for key, item in value.items():
            if isinstance(key, str):
                faults += json_faults(item, f"{where}.{key}")
            else:
                faults.append(f"{where}: the key {key!r} is not text")
        return faults
    return [f"{where}: {type(value).__name__} is not a JSON value"]


def checked_header(header: Header) -> Header:
    """`header` unless something in it would not come back from the file. Raises ValueError."""
    faults = json_faults(header.options, "options")
    letters = [seat.letter for seat in header.seats]
    if len(set(letters)) != len(letters):
        faults.append(f"seats: a letter is used twice in {', '.join(letters)}")
    if faults:
        raise ValueError("; ".join(faults))
    return header


def _checked_entry(entry: Entry) -> Entry:
    faults = json_faults(entry.body, "body") + json_faults(entry.clocks, "clocks")
    if faults:
        raise ValueError(f"an entry of kind {entry.kind!r} cannot be recorded: {'; '.join(faults)}")
    if any(type(left) is not float for left in entry.clocks.values()):
        # 300 and 300.0 are the same time but not the same bytes.
        clocks = {seat: float(left) for seat, left in entry.clocks.items()}
        return msgspec.structs.replace(entry, clocks=clocks)
    return entry


# --- the chain in memory -------------------------------------------------------------------------


class Chain:
    """All entries of one game as canonical bytes, with their hashes.

    The bytes are kept, not the records, so that nobody who was handed a record can change what the
    journal will say next time.
    """

    def __init__(self, raw_header: bytes) -> None:
        self.raw_header = raw_header
        self.genesis = genesis_of(raw_header)
        self.sealed: list[Sealed] = []
        self.last_ruling = 0

    @property
    def head(self) -> bytes:
        """The last hash: everything before it is tied to it."""
        return self.sealed[-1].hash if self.sealed else self.genesis

    def seal(
        self, entries: Sequence[Entry], noted_at: str, clock_set: bool
    ) -> tuple[tuple[Recorded, ...], list[Sealed]]:
        """The records that `entries` become, all of one ruling, without taking them in yet.

        Raises ValueError for an entry that JSON cannot hold.
        """
        recorded, sealed, previous = [], [], self.head
        for seq, entry in enumerate(entries, len(self.sealed) + 1):
            line = _Line(
                seq=seq,
                ruling=self.last_ruling + 1,
                noted_at=noted_at,
                clock_set=clock_set,
                entry=_checked_entry(entry),
            )
            raw = canonical(line)
            previous = link(previous, raw)
            sealed.append(Sealed(raw, previous))
            recorded.append(_recorded(raw, previous))
        return tuple(recorded), sealed

    def extend(self, sealed: Sequence[Sealed]) -> None:
        """Take in what `seal` made, in one ruling."""
        if sealed:
            self.sealed.extend(sealed)
            self.last_ruling += 1

    def adopt(self, raw: bytes, stored: bytes) -> None:
        """Take in the next entry as read from somewhere. Raises DamagedFile if it does not belong here."""
        seq = len(self.sealed) + 1
        if link(self.head, raw) != stored:
            raise DamagedFile(f"entry {seq} was changed, or entries before it are missing")
        self.sealed.append(Sealed(raw, stored))

    def settle(self) -> None:
        """After `adopt`: find the last ruling's number. Raises DamagedFile if entries are out of order."""
        if self.sealed:
            last = next(self.records(len(self.sealed)))
            if last.seq != len(self.sealed):
                raise DamagedFile(f"the last entry calls itself {last.seq} but is number {len(self.sealed)}")
            self.last_ruling = last.ruling

    def records(self, first: int = 1) -> Iterator[Recorded]:
        """The entries from number `first`, freshly decoded. Raises DamagedFile for one that is no entry."""
        for sealed in self.sealed[max(first, 1) - 1 :]:
            yield _recorded(sealed.raw, sealed.hash)

    def verify(self) -> None:
        """Recompute the whole chain. Raises DamagedFile."""
        fresh = Chain(self.raw_header)
        for sealed in self.sealed:
            fresh.adopt(sealed.raw, sealed.hash)


def _recorded(raw: bytes, stored: bytes) -> Recorded:
    try:
        line = _LINES.decode(raw)
    except msgspec.MsgspecError as error:
        raise DamagedFile(f"an entry is not one this version writes: {error}") from error
    return Recorded(
        seq=line.seq,
        ruling=line.ruling,
        noted_at=line.noted_at,
        clock_set=line.clock_set,
        entry=line.entry,
        hash=stored.hex(),
    )


def chain_of(journal: AnyJournal) -> Chain:
    """A chain of one's own with all that a journal holds. Raises DamagedFile."""
    chain = Chain(canonical(journal.header))
    for recorded in journal.entries():
        chain.adopt(line_of(recorded), bytes.fromhex(recorded.hash))
    chain.settle()
    return chain


# --- wall-clock notes ----------------------------------------------------------------------------


def wall_clock() -> str:
    """Now, in UTC, to the second, as ISO 8601 text."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def clock_is_set() -> bool:
    """Whether the kernel holds the wall clock for synchronised (adjtimex(2)); False if it cannot be asked."""
    try:
        # 64 words are more than struct timex has on any Linux; zero means "only tell me".
        return int(ctypes.CDLL(None).adjtimex((ctypes.c_long * 64)())) not in (-1, _TIME_ERROR)
    except (AttributeError, OSError):
        return False


class Notes:
    """Where wall-clock notes come from. An injected clock counts as set unless told otherwise."""

    def __init__(
        self, now: Callable[[], str] | None = None, clock_set: Callable[[], bool] | None = None
    ) -> None:
        self._now = now or wall_clock
        self._set = clock_set or (clock_is_set if now is None else lambda: True)

    def take(self) -> tuple[str, bool]:
        """The time as text, and whether the clock was set."""
        return self._now(), self._set()
