"""The file under a journal, looked at without SQLite: who holds it, what it is, what its log still holds.

A journal is read and checked from an image in memory before anything is opened for writing, so a file that
is refused is never touched, and one on a read-only card can still be read. The formats are those of
"Database File Format", sqlite.org/fileformat2.html, sections 1.3 (header) and 4 (write-ahead log).
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import struct
from contextlib import suppress
from pathlib import Path

import msgspec

from assistant.journal.errors import (
    AlreadyThere,
    DamagedFile,
    ForeignFile,
    JournalError,
    JournalUnwritable,
    Locked,
    NewerFile,
    NoSuchJournal,
)

APPLICATION_ID = 0x53744D6A
"""Marks the file as ours ("StMj"); file(1) and SQLite show it."""
SCHEMA_VERSION = 1
"""Grows with every change to the tables; older versions stay readable."""

_MAGIC = b"SQLite format 3\0"
_HEADER_SIZE = 100
_WAL_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_WAL_LITTLE, _WAL_BIG = 0x377F0682, 0x377F0683
_WORD = 0xFFFFFFFF
_TRIES = 5
_FAR = 2**20
"""No journal has so many pages: it would be 4 GB."""


class Lock:
    """The exclusive right to a journal, held in a file beside it until `release` or the process ends.

    It is beside the journal, not on it: closing any descriptor of the journal would drop the locks
    SQLite itself holds there (fcntl(2)). flock(2) ends with the process, however it ends. The lock's
    file says which process holds it and is removed on release.
    """

    def __init__(self, path: Path) -> None:
        """Raises Locked when somebody holds it, JournalUnwritable when nothing can be written there."""
        self._path = path.with_name(path.name + ".lock")
        while True:
            try:
                self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise unwritable(path, error) from error
            if self._taken(path):
                return
            os.close(self._fd)

    def _taken(self, path: Path) -> bool:
        """Whether the lock is ours; False if its file was removed under us and it must be tried anew."""
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._fd, 20, 0).strip()
            os.close(self._fd)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise unwritable(path, error) from error
            pid = int(holder) if holder.isdigit() else None
            by = f"process {pid} on this machine" if pid is not None else "another program"
            raise Locked(
                f"{path} is being played by {by}: park or end the game there, then try again.", path, pid
            ) from error
        try:
            if os.fstat(self._fd).st_ino != self._path.stat().st_ino:
                return False
        except FileNotFoundError:
            return False
        with suppress(OSError):  # The number only helps whoever finds the game locked.
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)
        return True

    def release(self) -> None:
        """Give the journal up."""
        with suppress(OSError):  # On a card that went read-only the file stays; it locks nothing.
            self._path.unlink()
        os.close(self._fd)


def unwritable(
    path: Path, error: BaseException, recorded: bool | None = False, outcome: str = ""
) -> JournalUnwritable:
    """The error for a file that cannot be written, with what to do about it."""
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return JournalUnwritable(
            f"{path}: this name is too long for a file; choose a shorter one.", path, recorded
        )
    return JournalUnwritable(
        f"{path} cannot be written: {_reason(error)}. {outcome}What was recorded before is safe and can be "
        "exported. Free some space, or copy the file to another disk, and try again.",
        path,
        recorded,
    )


def _reason(error: BaseException) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


# --- reading -------------------------------------------------------------------------------------


class Image(msgspec.Struct, frozen=True):
    """A journal's file as a reader sees it: `data` is the database with every committed page of its
    write-ahead log laid over it, in a form SQLite can read in memory. `log` tells whether the log's file
    is there at all. `behind` counts commits in the log that lie behind a damaged place and are not in
    `data`: they had been recorded. A single broken commit at the very end is not counted, because a power
    cut in mid-write leaves just that."""

    data: bytes
    log: bool
    behind: int


def look(path: Path) -> Image:
    """Read a journal's file and its log. Changes nothing.

    Raises NoSuchJournal, ForeignFile, NewerFile, JournalError for a file that may not be read, or DamagedFile
    for one that cannot be a journal.
    """
    data, log = _bytes(path)
    if not data:
        raise DamagedFile(
            f"{path} is empty (0 bytes): there is no game in it. Import the last export under a new name; "
            "this file may be deleted.",
            path,
        )
    pages, behind = _committed(log or b"")
    size = int.from_bytes(pages.pop(0, b""))
    whole = bytearray(data)
    if size:
        page = len(next(iter(pages.values())))
        whole = bytearray(data[: size * page].ljust(size * page, b"\0"))
        for number, content in pages.items():
            whole[(number - 1) * page : number * page] = content
    # Only now: a power cut may have spoilt the first page in the file while the log still has it.
    _check_kind(path, whole)
    # An image in memory has no log: say so in the header, where both bytes are 2 for a file with one.
    whole[18:20] = b"\1\1"
    return Image(bytes(whole), log is not None, behind)


def _bytes(path: Path) -> tuple[bytes, bytes | None]:
    """The file and its log as of one moment; None for a log that is not there."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ForeignFile(f"{path} is not a file: name the journal itself.", path)
        for _ in range(_TRIES):
            before = _log_of(path)
            data = path.read_bytes()
            log = _log_of(path)
            # Somebody who plays may fold the log in meanwhile; what was read then belongs to two times.
            if (before or b"")[: _WAL_HEADER.size] == (log or b"")[: _WAL_HEADER.size]:
                return data, log
    except FileNotFoundError as error:
        raise NoSuchJournal(f"There is no game at {path}: check the name.", path) from error
    except PermissionError as error:
        raise JournalError(
            f"{path} may not be read: check who owns it, and who may read it.", path
        ) from error
    except OSError as error:
        raise DamagedFile(
            f"{path} cannot be read: {_reason(error)}. Copy what can be read to another disk, or import "
            "the last export.",
            path,
        ) from error
    raise JournalError(f"{path} is being written all the time: try again, or park the game first.", path)


def _log_of(path: Path) -> bytes | None:
    try:
        return wal_of(path).read_bytes()
    except FileNotFoundError:
        return None


def wal_of(path: Path) -> Path:
    """Where SQLite keeps the write-ahead log of the file."""
    return path.with_name(path.name + "-wal")


def _check_kind(path: Path, data: bytearray) -> None:
    if len(data) < _HEADER_SIZE or not data.startswith(_MAGIC):
        raise ForeignFile(
            f"{path} is not a Stationmaster journal, or its beginning is destroyed. It was left as it is; "
            "choose another name, or import the last export.",
            path,
        )
    if int.from_bytes(data[68:72]) != APPLICATION_ID:
        raise ForeignFile(
            f"{path} is a database of another program. It was left as it is; choose another name.", path
        )
    version = int.from_bytes(data[60:64])
    if version > SCHEMA_VERSION:
        raise NewerFile(
            f"{path} was written by a newer Stationmaster (journal format {version}, this one reads up to "
            f"{SCHEMA_VERSION}). It was left as it is; update Stationmaster.",
            path,
        )
    if version < 1 or data[18:20] != b"\2\2":
        raise damaged(path, "its first page was changed")


def damaged(path: Path, what: str) -> DamagedFile:
    """The error for a journal that fails its checks, with what to do about it."""
    return DamagedFile(
        f"{path} is damaged: {what}. It was left as it is. Import the last export, or salvage the entries "
        f"before the damage: stationmaster import --salvage {path} --name NEW",
        path,
    )


def _committed(log: bytes) -> tuple[dict[int, bytes], int]:
    """The last committed content of each page in a write-ahead log, and the commits behind damage.

    Key 0 holds the database's size in pages (absent if nothing is committed). A frame counts while its
    salts and the running checksum agree, as in SQLite's own recovery.
    """
    if len(log) <= _WAL_HEADER.size:
        return {}, 0
    magic, _, page, _, salt1, salt2, sum1, sum2 = _WAL_HEADER.unpack_from(log)
    sane = magic in (_WAL_LITTLE, _WAL_BIG) and 512 <= page <= 65536 and page & (page - 1) == 0
    order = "<" if magic == _WAL_LITTLE else ">"
    running = _checksum(order, log[:24], (0, 0)) if sane else (0, 0)
    if not sane or running != (sum1, sum2):
        # The header is flushed before the first frame is written, so frames after a bad one are damage.
        return {}, 1
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    step = _FRAME_HEADER.size + page
    for at in range(_WAL_HEADER.size, len(log) - step + 1, step):
        number, size, *proof = _FRAME_HEADER.unpack_from(log, at)
        body = log[at + _FRAME_HEADER.size : at + step]
        running = _checksum(order, body, _checksum(order, log[at : at + 8], running))
        if proof != [salt1, salt2, *running] or not number:
            heads = (_FRAME_HEADER.unpack_from(log, i) for i in range(at, len(log) - step + 1, step))
            # Where a sector of garbage ends inside a frame's header, the salts may be right and the rest not.
            # There is no page 0: a header whose first sector was never written, and its second was.
            found = [
                head[:2]
                for head in heads
                if head[2:4] == (salt1, salt2) and 0 < head[0] < _FAR and head[1] < _FAR
            ]
            return committed, _begun(found, max(pending, default=0))
        pending[number] = body
        if size:
            committed |= pending
            committed[0] = size.to_bytes(4)
            pending = {}
    return committed, 0


def _begun(frames: list[tuple[int, ...]], page: int) -> int:
    """How many transactions begin among frames (page, size on commit) from a broken one on.

    SQLite writes the pages of a transaction in rising order and begins none before the one before it is
    flushed: a frame after a commit, or with a page not above the last, proves that the broken
    transaction had been flushed, and so recorded.
    """
    begun, ended = 0, False
    for number, size in frames:
        begun += ended or number <= page
        page, ended = number, size != 0
    return begun


def _checksum(order: str, data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    first, second = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second


# --- placing -------------------------------------------------------------------------------------


def place(made: Path, path: Path) -> None:
    """Give the finished file `made` the name `path`, for good, and never over something that is there.

    Raises AlreadyThere, or OSError.
    """
    _sync(made)
    try:
        try:
            os.link(made, path)
            made.unlink()
        except PermissionError:  # A card formatted for cameras has no links: reserve the name instead.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            made.replace(path)
    except FileExistsError as error:
        raise _taken(path) from error
    _sync(path.parent)


def refuse_taken(path: Path) -> None:
    """Raises AlreadyThere if a new journal at `path` would meet something that is there."""
    if os.path.lexists(path):
        raise _taken(path)
    for beside in _beside(path):
        if os.path.lexists(beside):
            # SQLite would take it for the new file's own and mix two games.
            raise AlreadyThere(
                f"{beside} is there without the game it belongs to: put the two together again, or choose "
                "another name.",
                path,
            )


def discard(path: Path) -> None:
    """Remove an unfinished file of our own and what SQLite keeps beside it. Raises OSError."""
    for leftover in (*_beside(path), path):
        leftover.unlink(missing_ok=True)


def _beside(path: Path) -> tuple[Path, Path]:
    return wal_of(path), path.with_name(path.name + "-journal")


def _taken(path: Path) -> AlreadyThere:
    return AlreadyThere(f"{path} is there already and was left as it is: choose another name.", path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
