"""The journal on disk: one SQLite file per game.

What can be noticed and what cannot, precisely:

- A changed, removed, added or moved entry breaks the chain. So does a changed header or secret. A byte
  that carries nothing (free space in a page, a counter nobody reads) may change unnoticed.
- Entries missing at the end are noticed where the head record (last number and hash) survived, where the
  log beside the file is gone though the file was not closed, and where the log has a break before
  its last transaction.
- Not noticed: a log cut exactly between two commits; damage in the very last transaction of the log, which
  looks like a power cut in mid-write; the file replaced as a whole, log included, by an older copy; and
  edits by someone who recomputes the hashes. Compare `head` with an export for those.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from assistant.journal.errors import (
    JournalError,
    JournalIOError,
    JournalUnwritable,
    Locked,
)
from assistant.journal.files import Lock, damaged, discard, look, place, refuse_taken, unwritable, wal_of
from assistant.journal.memory import stamped
from assistant.journal.records import (
    Chain,
    Entry,
    Header,
    Notes,
    Recorded,
    Sealed,
    canonical,
    header_from,
)
from assistant.journal.tables import HEAD, INSERT, Loaded, build, checked, checkpoint, connect

_LOG_LIMIT = 500
"""Appends after which the log is folded in even without an idle moment: about 4 MB."""


class Journal:
    """One game's record on disk. Made by `create` and `open`; use it as a context manager, or `close` it.

    Exactly one process holds it, and one thread may use it at a time (handing over is fine). Every
    `append` is one transaction with one flush. All entries are also kept in memory, so they can be read
    and exported when the disk no longer answers.
    """

    def __init__(self, path: Path, lock: Lock, notes: Notes, *, without_log: bool = False) -> None:
        self._path = path
        self._lock: Lock | None = lock
        self._notes = notes
        self._using = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._since_checkpoint = 0
        loaded = checked(path, without_log=without_log)
        self._chain = loaded.chain
        self._secret = loaded.secret
        self._attach()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        header: Header,
        *,
        secret: str = "",
        now: Callable[[], str] | None = None,
        clock_set: Callable[[], bool] | None = None,
    ) -> Self:
        """Begin a game in a new file; the file appears whole or not at all.

        `secret` is the virtual dealer's seed. `now` gives wall-clock text and `clock_set` whether
        that clock can be believed; an injected clock counts as set. Raises AlreadyThere, Locked,
        JournalUnwritable, and ValueError for a header that JSON cannot hold.
        """
        notes = Notes(now, clock_set)
        chain = Chain(canonical(stamped(header, secret, notes)))
        return cls.write(path, chain, secret, notes)

    @classmethod
    def write(cls, path: str | os.PathLike[str], chain: Chain, secret: str, notes: Notes) -> Self:
        """Begin a new file with a chain made elsewhere. Raises as `create`."""
        real = _real(path)
        lock = Lock(real)
        try:
            refuse_taken(real)
            made = real.with_name(real.name + ".new")
            try:
                discard(made)  # What a start that was cut off left behind.
                build(made, chain, secret)
                place(made, real)
            except (OSError, sqlite3.Error) as error:
                with suppress(OSError):
                    discard(made)
                raise unwritable(real, error) from error
            try:
                return cls(real, lock, notes)
            except JournalIOError:
                with suppress(OSError):  # It has just been made, nobody knows it, and it may be tried again.
                    discard(real)
                raise
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        now: Callable[[], str] | None = None,
        clock_set: Callable[[], bool] | None = None,
        without_log: bool = False,
    ) -> Self:
        """Go on with a game. The whole file is checked first; one that is refused is left as it is.

        `without_log` goes on with a file that LogMissing was raised for. Raises NoSuchJournal, ForeignFile,
        NewerFile, DamagedFile, Locked, or JournalUnwritable (`read` still reads that one).
        """
        real = _real(path)
        if not real.exists():
            look(real)  # Says what is wrong with the name, before a lock is made beside nothing.
        lock = Lock(real)
        try:
            return cls(real, lock, Notes(now, clock_set), without_log=without_log)
        except BaseException:
            lock.release()
            raise

    @property
    def path(self) -> Path:
        """Where the file is, links resolved."""
        return self._path

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
        """Whether an append can reach the disk; False after JournalUnwritable and after `close`."""
        return self._database is not None

    def append(self, entries: Sequence[Entry]) -> tuple[Recorded, ...]:
        """Record the entries of one ruling; when this returns they are on the disk.

        One transaction, one flush (two more fold the log in every 500 appends; the first append after that
        or after a checkpoint flushes the log's own header as well).

        Raises ValueError for an entry that JSON cannot hold, JournalIOError when the disk failed (its
        `recorded` says whether the entries are in), and JournalUnwritable when it fails for good.
        """
        with self._sole_use():
            recorded, sealed = self._chain.seal(entries, *self._notes.take())
            if not sealed:
                return ()
            database = self._attached()
            if self._since_checkpoint >= _LOG_LIMIT:
                self._fold(database, sealed)
            first = len(self._chain.sealed) + 1
            rows = [(seq, one.raw.decode(), one.hash) for seq, one in enumerate(sealed, first)]
            try:
                database.execute("BEGIN IMMEDIATE")
                database.executemany(INSERT, rows)
                database.execute(HEAD, (rows[-1][0], rows[-1][2]))
                database.execute("COMMIT")
                self._chain.extend(sealed)
            except sqlite3.Error as error:
                raise self._recover(error, sealed) from error
            except BaseException as error:  # Interrupted: find out on which side of the commit.
                self._recover(error, sealed)
                raise
            self._since_checkpoint += 1
            return recorded

    def entries(self, first: int = 1) -> Iterator[Recorded]:
        """The entries from number `first`, freshly decoded from what was checked or written."""
        return self._chain.records(first)

    def verify(self) -> None:
        """Read the file again and compare it with what was recorded.

        Raises DamagedFile, or JournalUnwritable when the journal is not open for writing.
        """
        with self._sole_use():
            self._attached()
            if self._compare(checked(self._path), []) != 0:
                raise damaged(self._path, "it no longer holds what was recorded")

    def checkpoint(self) -> None:
        """Fold the log into the file (a few flushes); call it when nobody waits.

        Raises JournalIOError or JournalUnwritable; entries recorded before are safe either way.
        """
        with self._sole_use():
            self._fold(self._attached(), [])

    def recover(self) -> None:
        """After JournalUnwritable, when space was freed or the card is back: check the file, go on recording.

        Entries whose fate was unknown are settled: see `last_seq`. Raises as `open`.
        """
        with self._sole_use():
            if self._lock is None:
                raise JournalError(f"{self._path} was closed: open it again.", self._path)
            if self._database is None:
                loaded = checked(self._path, without_log=True)
                if not _continues(loaded.chain, self._chain):
                    raise damaged(self._path, "entries that were recorded are missing")
                self._adopt(loaded.chain)

    def close(self) -> None:
        """Fold the log in and give the file up. Never fails: what was recorded is safe already."""
        if self._lock is None:
            return
        with self._sole_use():
            if self._database is not None:
                marked = False
                with suppress(sqlite3.Error):
                    self._mark(self._database, is_open=False)
                    marked = True
                self._detach(marked=marked)
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # --- inside ----------------------------------------------------------------------------------

    @contextmanager
    def _sole_use(self) -> Iterator[None]:
        if not self._using.acquire(blocking=False):
            raise RuntimeError("two threads use one journal at the same time")
        try:
            yield
        finally:
            self._using.release()

    def _attached(self) -> sqlite3.Connection:
        if self._database is None:
            raise unwritable(self._path, OSError(0, "it is not open for writing"))
        return self._database

    def _attach(self) -> None:
        """Open the checked file for writing and prove that it can be written.

        The mark that the journal is open is that proof, and the log is folded in behind it: the mark must
        stand in the file itself, so that a copy taken without the log can be told.
        """
        try:
            self._database = database = connect(self._path)
            self._mark(database, is_open=True)
            seq, head = database.execute("SELECT seq, hash FROM head").fetchone()
        except sqlite3.Error as error:
            self._detach()
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise Locked(
                    f"{self._path} is open in another program: close it there, then try again.", self._path
                ) from error
            raise unwritable(self._path, error) from error
        if (seq, head) != (len(self._chain.sealed), self._chain.head):
            self._detach()
            raise damaged(self._path, "SQLite does not see the entries that the check saw")

    def _adopt(self, chain: Chain) -> None:
        """Attach to the file, which holds `chain`; on failure things stay as they were."""
        before, self._chain = self._chain, chain
        try:
            self._attach()
        except JournalError:
            self._chain = before
            raise

    def _detach(self, *, marked: bool = False) -> None:
        database, self._database = self._database, None
        if database is None:
            return
        with suppress(sqlite3.Error):
            database.close()
        if not marked:
            # SQLite removes the log when it could fold it in, but the mark in the file still says that one
            # belongs to it. An empty one is as good.
            with suppress(OSError):
                wal_of(self._path).touch()

    def _mark(self, database: sqlite3.Connection, *, is_open: bool) -> None:
        database.execute("BEGIN IMMEDIATE")
        # Counting up, not setting to one: SQLite does not write what is there already.
        database.execute("UPDATE head SET open = (open + 1) * ? WHERE id = 1", (int(is_open),))
        database.execute("COMMIT")
        checkpoint(database)
        self._since_checkpoint = 0

    def _fold(self, database: sqlite3.Connection, waiting: Sequence[Sealed]) -> None:
        try:
            checkpoint(database)
        except sqlite3.Error as error:
            raise self._recover(error, waiting) from error
        self._since_checkpoint = 0

    def _compare(self, loaded: Loaded, group: Sequence[Sealed]) -> int | None:
        """0 if the file holds what was recorded, 1 if the group of a doubtful commit besides, else None."""
        for extra, sealed in ((0, self._chain.sealed), (1, [*self._chain.sealed, *group])):
            if loaded.chain.sealed == sealed and loaded.chain.genesis == self._chain.genesis:
                return extra
        return None

    def _recover(self, error: BaseException, group: Sequence[Sealed]) -> JournalIOError:
        """Return to what is on the disk after an I/O error. Gives the error to raise.

        A failed flush is not tried again: the kernel may have dropped the pages and would report success.
        The connection is closed, the file read and checked anew, and what it holds is then written to
        other pages (the file itself, at the checkpoint in `_attach`), whose flush says the truth.
        """
        self._detach()
        try:
            loaded = checked(self._path, without_log=True)  # SQLite removes the log when it could fold it in.
        except JournalError as unreadable:
            return _unreadable(self._path, error, unreadable, None if group else True)
        there = self._compare(loaded, group)
        if there is None:
            return _unreadable(self._path, error, damaged(self._path, "recorded entries are missing"), False)
        try:
            self._adopt(loaded.chain)
        except JournalError as failed:
            known = True if not group else False if there == 0 and _cut_short(error) else None
            return unwritable(self._path, failed.__cause__ or failed, known, _outcome(known, group))
        return JournalIOError(
            f"{self._path}: the disk failed ({error}), and works again. {_outcome(bool(there), group)}"
            "Everything before is safe, and play can go on.",
            self._path,
            bool(there) or not group,
        )


def _unreadable(path: Path, error: BaseException, why: Exception, recorded: bool | None) -> JournalUnwritable:
    return JournalUnwritable(
        f"{path} cannot be used any more: writing failed ({error}), and then: {why} Copy the file to "
        "another disk and play on with the copy. While this program runs, all entries up to then are still "
        "in memory and can be exported.",
        path,
        recorded,
    )


def _cut_short(error: BaseException) -> bool:
    """Whether the error came before the commit was written out, so that it can never turn up.

    After a failed flush it may: a power cut can bring back a log that was removed meanwhile.
    """
    code = error.sqlite_errorcode if isinstance(error, sqlite3.Error) else sqlite3.SQLITE_ERROR
    return code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY) or code == sqlite3.SQLITE_IOERR_WRITE


def _outcome(recorded: bool | None, group: Sequence[Sealed]) -> str:
    if not group:
        return ""
    if recorded is None:
        return "Whether the last ruling is recorded can only be told when the disk can be read and written. "
    return "The last ruling is recorded. " if recorded else "The last ruling was NOT recorded. "


def _continues(longer: Chain, shorter: Chain) -> bool:
    count = len(shorter.sealed)
    return longer.genesis == shorter.genesis and longer.sealed[:count] == shorter.sealed


def _real(path: str | os.PathLike[str]) -> Path:
    """The path with links resolved, so that one journal has one lock whatever it is called by."""
    return Path(os.path.realpath(path))
