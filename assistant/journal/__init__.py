"""The journal: the append-only record of one game, and the truth about it.

`Journal` keeps a game in one SQLite file (write-ahead log, flushed on every ruling, one owner, hash chain);
`MemoryJournal` is the same without a disk. `export_text` and `import_text` carry a game as one JSON file.
Nothing here knows a game's rules.
"""

from assistant.journal.errors import (
    AlreadyThere,
    BadExport,
    DamagedFile,
    ForeignFile,
    JournalError,
    JournalIOError,
    JournalUnwritable,
    Locked,
    LogMissing,
    NewerFile,
    NoSuchJournal,
)
from assistant.journal.exchange import export, export_text, import_memory, import_text, read, salvage, save
from assistant.journal.memory import MemoryJournal
from assistant.journal.records import AnyJournal, Entry, Header, Recorded, SeatInfo, clock_is_set
from assistant.journal.store import Journal

__all__ = [
    "AlreadyThere",
    "AnyJournal",
    "BadExport",
    "DamagedFile",
    "Entry",
    "ForeignFile",
    "Header",
    "Journal",
    "JournalError",
    "JournalIOError",
    "JournalUnwritable",
    "Locked",
    "LogMissing",
    "MemoryJournal",
    "NewerFile",
    "NoSuchJournal",
    "Recorded",
    "SeatInfo",
    "clock_is_set",
    "export",
    "export_text",
    "import_memory",
    "import_text",
    "read",
    "salvage",
    "save",
]
