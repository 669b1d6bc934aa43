"""What can be wrong with a journal. Every message says what is wrong, where, and what to do."""

from __future__ import annotations

import os
from collections.abc import Sequence


class JournalError(Exception):
    """Base of everything a journal refuses. `path` is the file in question, "" for text or memory."""

    def __init__(self, message: str, path: str | os.PathLike[str] = "") -> None:
        super().__init__(message)
        self.path = os.fspath(path)


class NoSuchJournal(JournalError):
    """There is no file at the path."""


class AlreadyThere(JournalError):
    """A new journal was to be written where something lies already. Nothing was changed."""


class ForeignFile(JournalError):
    """The file is not a Stationmaster journal. It was not touched."""


class NewerFile(JournalError):
    """The file has a format that only a newer Stationmaster reads. It was not touched."""


class DamagedFile(JournalError):
    """The file is a journal, but part of it is missing or changed. It was not touched; see `salvage`."""


class LogMissing(DamagedFile):
    """The file was not closed, and the log that belongs beside it is not there: the newest entries may be
    missing. What is there is whole; `Journal.open` goes on with it if told `without_log`."""


class Locked(JournalError):
    """Somebody else plays this game. `pid` is the process that holds it, None when that is not known."""

    def __init__(self, message: str, path: str | os.PathLike[str] = "", pid: int | None = None) -> None:
        super().__init__(message, path)
        self.pid = pid


class JournalIOError(JournalError):
    """The disk failed while entries were being written; the journal is open again and can be used.

    `recorded` says whether the entries of that call are in: True, False, or None where nobody can say
    before the file is read again on a working disk (only in `JournalUnwritable`).
    """

    def __init__(
        self, message: str, path: str | os.PathLike[str] = "", recorded: bool | None = False
    ) -> None:
        super().__init__(message, path)
        self.recorded = recorded


class JournalUnwritable(JournalIOError):
    """The file cannot be written any more (full, read-only, failing). What was recorded before is safe and
    can still be read and exported. A program may let play go on unrecorded (`MemoryJournal.following`)."""


class BadExport(JournalError):
    """An exported game is not acceptable. `faults` lists every fault found, not only the first."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        listed = "\n".join(f"  - {fault}" for fault in self.faults)
        super().__init__(
            f"This exported game cannot be imported; nothing was written:\n{listed}\n"
            "Export the game again where it was played, and bring the file over unchanged."
        )
