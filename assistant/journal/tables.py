"""The tables of a journal's file: made, opened for writing, read and checked."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from assistant.journal.errors import DamagedFile, LogMissing
from assistant.journal.files import APPLICATION_ID, SCHEMA_VERSION, damaged, look
from assistant.journal.records import Chain, Header, header_from, secret_check

_TABLES = {
    "header": "CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), "
    "body TEXT NOT NULL, hash BLOB NOT NULL) STRICT",
    # The dealer's seed lies apart from everything that views and exports read.
    "secret": "CREATE TABLE secret (id INTEGER PRIMARY KEY CHECK (id = 1), "
    "value TEXT NOT NULL, hash BLOB NOT NULL) STRICT",
    # One row: the end of the chain, and how often the journal was opened since it was last closed.
    "head": "CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), "
    "seq INTEGER NOT NULL, hash BLOB NOT NULL, open INTEGER NOT NULL) STRICT",
    "entry": "CREATE TABLE entry (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT",
}
INSERT = "INSERT INTO entry VALUES (?, ?, ?)"
HEAD = "UPDATE head SET seq = ?, hash = ? WHERE id = 1"


class Loaded(msgspec.Struct, frozen=True):
    """What stands in a journal's file. `fault` says why reading stopped early, "" if all is well;
    `log_missing` that all is well but newer entries may have been in a log that is not there."""

    chain: Chain
    secret: str
    fault: str
    log_missing: bool


def connect(path: Path, *, new: bool = False) -> sqlite3.Connection:
    """The one connection that writes. It never creates a file unless `new`, waits for nobody, and keeps
    SQLite's own lock: a second writer can corrupt the log (sqlite.org/wal.html, "The WAL-Reset Bug")."""
    mode = "rwc" if new else "rw"
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=0,
        check_same_thread=False,
    )
    try:
        for pragma in (
            "locking_mode = EXCLUSIVE",
            "synchronous = FULL",
            "wal_autocheckpoint = 0",  # We choose the moments, and so can promise one flush per ruling.
            "trusted_schema = OFF",
        ):
            database.execute(f"PRAGMA {pragma}").fetchall()
    except sqlite3.Error:
        database.close()
        raise
    return database


def checkpoint(database: sqlite3.Connection) -> None:
    """Fold the log into the file and empty it. Raises sqlite3.Error."""
    busy, _, _ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        error = sqlite3.OperationalError("another program reads the journal")
        # As SQLite's own errors have it: whoever catches them asks for it.
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error


def build(path: Path, chain: Chain, secret: str) -> None:
    """Make a whole new file at `path`, where nothing is; it is not flushed. Raises sqlite3.Error."""
    database = connect(path, new=True)
    try:
        # Nobody knows this file yet, and it is flushed as a whole before it gets its name.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA page_size = 4096")
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        database.execute("PRAGMA journal_mode = WAL").fetchall()
        database.execute("BEGIN IMMEDIATE")
        for table in _TABLES.values():
            database.execute(table)
        database.execute("INSERT INTO header VALUES (1, ?, ?)", (chain.raw_header.decode(), chain.genesis))
        if secret:
            check = secret_check(chain.genesis, secret)
            database.execute("INSERT INTO secret VALUES (1, ?, ?)", (secret, check))
        rows = [(seq, one.raw.decode(), one.hash) for seq, one in enumerate(chain.sealed, 1)]
        database.executemany(INSERT, rows)
        database.execute("INSERT INTO head VALUES (1, ?, ?, 0)", (len(rows), chain.head))
        database.execute("COMMIT")
        checkpoint(database)
    finally:
        database.close()


def checked(path: Path, *, without_log: bool = False) -> Loaded:
    """Read and check a journal's file without touching it.

    Raises the errors of `look`, DamagedFile, and unless told to do `without_log`, LogMissing.
    """
    loaded = load(path)
    if loaded.fault:
        raise damaged(path, loaded.fault)
    if loaded.log_missing and not without_log:
        count = len(loaded.chain.sealed)
        raise LogMissing(
            f"{path} was not closed, and its log {path.name}-wal is missing: the newest entries may be "
            f"missing too. Bring both files over together. Or go on with the {count} entries that are here, "
            f"after comparing them with the table: stationmaster import --salvage {path} --name NEW",
            path,
        )
    return loaded


def load(path: Path) -> Loaded:
    """Read what can be trusted of a journal's file without touching it: entries up to the first fault.

    Raises the errors of `look`, and DamagedFile when not even the header can be trusted.
    """
    image = look(path)
    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        database.deserialize(image.data)
        database.text_factory = bytes
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA cell_size_check = ON")
        return _load(database, image.log, image.behind)
    except (sqlite3.Error, DamagedFile, UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise damaged(path, str(error)) from error
    finally:
        database.close()


def _load(database: sqlite3.Connection, log: bool, behind: int) -> Loaded:
    tables = dict(database.execute("SELECT name, sql FROM sqlite_schema").fetchall())
    if tables != {name.encode(): sql.encode() for name, sql in _TABLES.items()}:
        raise DamagedFile("its tables are not those of a journal")
    raw_header, genesis = _row(database, "SELECT body, hash FROM header", bytes, bytes)
    chain = Chain(raw_header)
    if chain.genesis != genesis:
        raise DamagedFile("its header was changed")
    header = header_from(raw_header)
    faults = []
    seq, head, is_open = 0, b"", 0
    try:
        seq, head, is_open = _row(database, "SELECT seq, hash, open FROM head", int, bytes, int)
    except (sqlite3.Error, DamagedFile) as error:
        faults.append(str(error))
    try:
        # One by one: what lies before a damaged page can be read for `salvage`.
        for number, raw, stored in database.execute("SELECT seq, body, hash FROM entry ORDER BY seq"):
            if number != len(chain.sealed) + 1:
                raise DamagedFile(f"entry {len(chain.sealed) + 1} is missing")
            chain.adopt(*_typed((raw, stored), bytes, bytes))
        chain.settle()
    except (sqlite3.Error, DamagedFile) as error:
        faults.append(str(error))
    if not faults and (seq, head) != (len(chain.sealed), chain.head):
        faults.append(f"it holds {len(chain.sealed)} entries, but {seq} were recorded")
    secret, fault = _secret(database, chain.genesis, header)
    faults += fault
    if behind:
        faults.append("the log beside it (its name ends in -wal) has a damaged place before its end")
    if not faults:
        found = [str(row[0], "utf-8", "replace") for row in database.execute("PRAGMA quick_check(3)")]
        faults = [] if found == ["ok"] else found
    return Loaded(chain, secret, "; ".join(faults), log_missing=bool(is_open) and not log)


def _row(database: sqlite3.Connection, query: str, *kinds: type) -> tuple[Any, ...]:
    rows = database.execute(query).fetchall()
    if len(rows) != 1:
        raise DamagedFile(f"{len(rows)} rows where one should be ({query.rsplit(' ', 1)[-1]})")
    return _typed(rows[0], *kinds)


def _typed(row: tuple[Any, ...], *kinds: type) -> tuple[Any, ...]:
    """The row, if its values are of these types: in a damaged page they need not be what the table says."""
    if not all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True)):
        raise DamagedFile("a row holds values of the wrong type")
    return row


def _secret(database: sqlite3.Connection, genesis: bytes, header: Header) -> tuple[str, list[str]]:
    """The secret and what is wrong with it. None is stored when an export withheld it."""
    try:
        rows = database.execute("SELECT value, hash FROM secret").fetchall()
        if not rows:
            return "", []
        raw, stored = _typed(rows[0], bytes, bytes)
        value = str(raw, "utf-8")
        if len(rows) > 1 or not header.seed_hidden or stored != secret_check(genesis, value):
            return "", ["the dealer's seed was changed"]
        return value, []
    except (sqlite3.Error, DamagedFile, UnicodeDecodeError) as error:
        return "", [f"the dealer's seed cannot be read: {error}"]
