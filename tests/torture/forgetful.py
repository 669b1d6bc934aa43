"""A journal on a file system of our own that forgets: SQLite's calls come through a VFS (apsw), the others of
the journal's own code through `os`.

The journal's code runs unchanged. `sqlite3.connect`, which it opens its file by, is exchanged for apsw, whose
SQLite brings a VFS that is written in Python; that SQLite is newer than the system's, so two versions are
under test. Everything goes on to real files, which stand for the page cache, and is noted as the operations
of `ui.bench.crashes.Disk`, which knows what of it a power cut leaves. Beside flushes that fail, which strace
can bring about too, writes end half-way, the disk is full, and changes of length, reading and removing fail,
once or for good.

The VFS flushes the folder when a log is flushed for the first time after it was opened, as SQLite's own does
on Unix (`unixSync`); that SQLite's own really does, the campaign with strace shows.
"""

from __future__ import annotations

import errno
import os
import random
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import apsw
import msgspec

from assistant.journal import JournalError
from tests.torture.games import Child, Told
from ui.bench import crashes
from ui.bench.crashes import Op

NAME = "forgetful"
"""Of the VFS."""
_BASE = "unix"
_LOGS = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
_CHANGES = {"link": "link", "unlink": "unlink", "rename": "rename", "replace": "rename"}
"""Calls of `os` that change names, and what they do."""
_LASTING = 0.2
"""How many of the faults stay until the process ends."""

Note = Callable[[Op], None]
Job = Callable[[random.Random, Callable[[str], None]], object]
"""Gets where its random numbers come from, and where to acknowledge something."""


class Faults:
    """Which operations fail: about one in `every`, at random; none with 0. Each is noted."""

    def __init__(self, every: int, chance: random.Random, note: Note) -> None:
        self.chance = chance
        self.note = note
        self._every = every
        self._lasting = False

    def due(self, name: str) -> bool:
        """Whether what is about to be done to that file fails."""
        if not self._lasting:
            if not self._every or self.chance.random() * self._every >= 1:
                return False
            self._lasting = self.chance.random() < _LASTING
        self.note(Op("fault", name))
        return True


class _File(apsw.VFSFile):
    """One file of SQLite's."""

    def __init__(self, path: str, flags: list[int], faults: Faults) -> None:
        super().__init__(_BASE, path, flags)
        self._name = Path(path).name
        self._faults = faults
        # As `unixOpen`, which does not ask whether the log is there already.
        self._flush_folder = bool(flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & _LOGS)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - the names are SQLite's
        if self._faults.due(self._name):
            raise apsw.exception_for(apsw.SQLITE_IOERR_READ)
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        whole = bytes(data)
        failing = self._faults.due(self._name)
        done = whole[: self._faults.chance.randrange(len(whole) + 1)] if failing else whole
        if done:
            super().xWrite(done, offset)
            self._faults.note(Op("write", self._name, at=offset, data=done))
        if failing:
            codes = (apsw.SQLITE_FULL, apsw.SQLITE_IOERR_WRITE)
            raise apsw.exception_for(self._faults.chance.choice(codes))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        if self._faults.due(self._name):
            raise apsw.exception_for(apsw.SQLITE_IOERR_TRUNCATE)
        super().xTruncate(newsize)
        self._faults.note(Op("truncate", self._name, at=newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._faults.due(self._name):
            self._faults.note(Op("failed", self._name))
            raise apsw.exception_for(apsw.SQLITE_IOERR_FSYNC)
        self._faults.note(Op("flush", self._name))
        if self._flush_folder:
            self._faults.note(Op("flush"))
            self._flush_folder = False


class Forgetful(apsw.VFS):
    """SQLite's way to the files of one folder: passes everything on and notes it, or fails."""

    def __init__(self, faults: Faults) -> None:
        super().__init__(NAME, _BASE)
        self._faults = faults

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        new = not path.exists()
        file = _File(str(path), flags, self._faults)
        if new:
            self._faults.note(Op("create", path.name))
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        path = Path(filename)
        if path.exists() and self._faults.due(path.name):
            raise apsw.exception_for(apsw.SQLITE_IOERR_DELETE)
        super().xDelete(filename, syncdir)
        self._faults.note(Op("unlink", path.name))
        if syncdir:
            self._faults.note(Op("flush"))


class Rows:
    """What a statement has given, as sqlite3's cursors hand it out."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchone(self) -> Any:
        """The next row; None after the last."""
        return self._rows.pop(0) if self._rows else None

    def fetchall(self) -> list[Any]:
        """The rows that are left."""
        rows, self._rows = self._rows, []
        return rows


class Connection:
    """apsw's connection with the calls and the errors of sqlite3's that a journal uses."""

    def __init__(self, uri: str) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        with _as_sqlite3():
            self._connection = apsw.Connection(uri, flags=flags, vfs=NAME)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        """Run it to its end, as sqlite3 does for all that a journal asks. Raises sqlite3.Error."""
        with _as_sqlite3():
            return Rows(list(self._connection.execute(statement, values)))

    def executemany(self, statement: str, values: Sequence[Sequence[Any]]) -> Rows:
        """Run it with each of the values. Raises sqlite3.Error."""
        with _as_sqlite3():
            return Rows(list(self._connection.executemany(statement, values)))

    def close(self) -> None:
        """Close it. Raises sqlite3.Error."""
        with _as_sqlite3():
            self._connection.close()


@contextmanager
def _as_sqlite3() -> Iterator[None]:
    try:
        yield
    except apsw.Error as wrong:
        error = sqlite3.OperationalError(str(wrong) or type(wrong).__name__)
        error.sqlite_errorcode = getattr(wrong, "extendedresult", apsw.SQLITE_ERROR)
        raise error from wrong


@contextmanager
def mounted(folder: Path, faults: Faults) -> Iterator[None]:
    """Have what this process does to the files of the folder noted, and fail where `faults` say so."""
    place = os.path.realpath(folder)
    vfs = Forgetful(faults)
    connect, open_file = sqlite3.connect, os.open

    def connected(database: Any, **how: Any) -> Any:
        return Connection(database) if how.get("uri") else connect(database, **how)

    def inside(path: Any) -> str | None:
        return crashes.inside(str(Path(path).absolute()), place)

    def watched(call: Callable[..., Any], what: str) -> Callable[..., Any]:
        def watching(*paths: Any, **how: Any) -> Any:
            done = call(*paths, **how)
            names = [inside(path) for path in paths]
            if names[0] is not None:
                faults.note(Op(what, names[0], to=(names[-1] or "") if len(names) > 1 else ""))
            return done

        return watching

    def opening(path: Any, flags: int, *more: Any, **how: Any) -> int:
        new = bool(flags & os.O_CREAT) and not os.path.lexists(path)
        descriptor = open_file(path, flags, *more, **how)
        name = inside(path)
        if new and name:
            faults.note(Op("create", name))
        return descriptor

    def flushing(descriptor: int) -> None:
        name = inside(Path(f"/proc/self/fd/{descriptor}").readlink())
        if name is None:
            return
        failing = faults.due(name)
        faults.note(Op("failed" if failing else "flush", name))
        if failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with ExitStack() as patched:
        for call, what in _CHANGES.items():
            patched.enter_context(mock.patch.object(os, call, watched(getattr(os, call), what)))
        patched.enter_context(mock.patch.object(os, "open", opening))
        patched.enter_context(mock.patch.object(os, "fsync", flushing))
        patched.enter_context(mock.patch.object(sqlite3, "connect", connected))
        patched.callback(vfs.unregister)
        yield


def record(folder: Path, seed: int, sessions: int, rulings: int, every: int) -> list[Op]:
    """What a journal in `folder` does to its files while so many processes, one after the other, append to
    it, one in `every` operations failing (0: none). Raises RuntimeError as `done_by`."""

    def write(chance: random.Random, tell: Callable[[str], None]) -> None:
        crashes.write_on(folder / crashes.TRACED, rulings, chance, tell=tell)

    sets = [done_by(write, folder, f"{seed}-{session}", every) for session in range(sessions)]
    return [op for ops in sets for op in ops]


def done_by(job: Job, folder: Path, seed: str = "", every: int = 0) -> list[Op]:
    """What a process that does so does to the files of a folder. It ends without closing anything, as a crash
    does. An error of the journal's ends it, too.

    Raises RuntimeError when anything else does.
    """
    child = Child(partial(_job, job, folder, seed, every))
    if child.finish():
        raise RuntimeError(f"the process that writes has failed (seed {seed})")
    log = _log_of(folder)
    ops: list[Op] = []
    with log.open("rb") as stream:
        while size := int.from_bytes(stream.read(4)):
            ops.append(msgspec.msgpack.decode(stream.read(size), type=Op))
    log.unlink()
    return ops


def _log_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.ops")


def _job(job: Job, folder: Path, seed: str, every: int, told: Told) -> None:
    """The child. It notes what it does in a file beside the folder."""
    chance = random.Random(seed)
    notes = os.open(_log_of(folder), os.O_WRONLY | os.O_CREAT)

    def note(op: Op) -> None:
        packed = msgspec.msgpack.encode(op)
        os.write(notes, len(packed).to_bytes(4) + packed)

    def tell(text: str) -> None:
        note(Op("told", data=text.encode()))

    with mounted(folder, Faults(every, chance, note)), suppress(JournalError):
        job(chance, tell)
    os._exit(0)
