"""The journal: what it keeps, what it refuses, and what is left after kills, power cuts and disk errors."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.journal import (
    AlreadyThere,
    AnyJournal,
    BadExport,
    DamagedFile,
    Entry,
    ForeignFile,
    Header,
    Journal,
    JournalError,
    JournalIOError,
    JournalUnwritable,
    Locked,
    LogMissing,
    MemoryJournal,
    NewerFile,
    NoSuchJournal,
    SeatInfo,
    clock_is_set,
    export,
    export_text,
    import_memory,
    import_text,
    read,
    salvage,
    save,
    store,
    tables,
)
from ui.bench import crashes, in_turns, percentile, row

HEADER = Header(
    game="railway_boom",
    edition="2020",
    rules_version="1",
    pack_id="tokyo",
    pack_digest="ab" * 32,
    pack_text='[pack]\nid = "tokyo"\n# 東京\n',
    seats=(SeatInfo("A", "Änne"), SeatInfo("B", "Bo")),
    options={"open_scores": True, "years": [1, 2, 3]},
)
SEED = "a seed nobody may see"
DAMAGE_SEED = 7


def act(number: int) -> Entry:
    return Entry(
        kind="act",
        body={"type": "bid", "seat": "A", "space": number, "pay": {"money": number % 3}},
        digest=f"{number:032x}",
        clocks={"A": 300.0 - number, "B": 299.5},
        by="A",
    )


def ticking() -> Callable[[], str]:
    seconds = iter(range(10**6))
    return lambda: f"2026-11-30T12:00:00Z+{next(seconds)}s"


def begin(path: Path, rulings: int = 0, secret: str = SEED) -> Journal:
    journal = Journal.create(path, HEADER, secret=secret, now=ticking())
    for number in range(1, rulings + 1):
        journal.append([act(number)] * (1 + number % 2))
    return journal


def closed(path: Path, rulings: int = 0) -> bytes:
    """A parked game; gives what lies on the disk."""
    begin(path, rulings).close()
    return path.read_bytes()


def abandoned(path: Path, rulings: int = 3) -> None:
    """A game whose process died: the file and its log, as they are while somebody plays."""
    live = path.with_name("live.journal")
    with begin(live, rulings):
        shutil.copy(live, path)
        shutil.copy(log_of(live), log_of(path))
    live.unlink()


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.journal"


# --- what it keeps -------------------------------------------------------------------------------


def test_a_game_is_read_back_as_it_was_written(path: Path) -> None:
    with begin(path) as journal:
        assert (journal.last_seq, list(journal.entries())) == (0, [])
        first = journal.append([act(1)])
        turn = journal.append([act(2), act(3)])
        assert [one.seq for one in first + turn] == [1, 2, 3]
        assert [one.ruling for one in first + turn] == [1, 2, 2]
        assert [one.entry for one in first + turn] == [act(1), act(2), act(3)]
        assert journal.append([]) == ()
        head = journal.head
        assert head == turn[-1].hash
    with Journal.open(path, now=ticking()) as journal:
        assert tuple(journal.entries()) == first + turn
        assert tuple(journal.entries(3)) == turn[1:]
        assert (journal.last_seq, journal.head, journal.secret) == (3, head, SEED)
        assert journal.append([act(4)])[0].ruling == 3
    assert [one.entry for one in read(path).entries()] == [act(n) for n in (1, 2, 3, 4)]
    assert list(files(path.parent)) == ["game.journal"]


def test_the_header_comes_back_with_what_the_journal_notes_in_it(path: Path) -> None:
    with begin(path) as journal:
        noted = journal.header
    assert noted.seed_hidden
    assert noted.clock_set
    assert noted.noted_at.startswith("2026-11-30")
    plain = msgspec.structs.replace(noted, seed_hidden=False, noted_at="", clock_set=False)
    assert plain == HEADER
    assert read(path).header == noted


def test_the_wall_clock_is_a_note_that_says_whether_it_can_be_believed() -> None:
    assert clock_is_set() in (True, False)
    wall = MemoryJournal(HEADER)
    recorded = wall.append([act(1)])[0]
    assert recorded.noted_at[4] == "-"
    assert recorded.noted_at.endswith("Z")
    assert recorded.clock_set == clock_is_set()
    injected = MemoryJournal(HEADER, now=lambda: "1970-01-01T00:00:07Z", clock_set=lambda: False)
    assert injected.append([act(1)])[0].clock_set is False
    assert MemoryJournal(HEADER, now=lambda: "later").append([act(1)])[0].clock_set is True


def test_nobody_changes_the_record_through_what_they_were_handed(path: Path) -> None:
    with begin(path) as journal:
        recorded = journal.append([act(1)])[0]
        recorded.entry.body["space"] = 99
        next(journal.entries()).entry.body["space"] = 98
        assert next(journal.entries()).entry == act(1)
        journal.verify()


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"x": float("nan")}, "body.x: nan"),
        ({"x": [1, {"y": float("inf")}]}, r"body.x\[1\].y: inf"),
        ({"x": b"bytes"}, "bytes is not a JSON value"),
        ({"x": {1: 2}}, "the key 1 is not text"),
        ({"x": 2**70}, "needs over 64 bits"),
        ({"x": "\ud800"}, "surrogates"),
    ],
)
def test_what_json_cannot_hold_is_refused_and_nothing_is_written(
    path: Path, body: dict[str, Any], complaint: str
) -> None:
    with begin(path) as journal:
        with pytest.raises(ValueError, match=complaint):
            journal.append([act(1), Entry(kind="note", body=body)])
        assert journal.last_seq == 0
        with pytest.raises(ValueError, match=r"clocks\.A: inf"):
            journal.append([Entry(kind="note", body={}, clocks={"A": float("inf")})])
        assert journal.append([act(1)])[0].seq == 1
    assert read(path).last_seq == 1


def test_a_header_that_json_cannot_hold_is_refused(path: Path) -> None:
    for header, complaint in (
        (msgspec.structs.replace(HEADER, options={"x": {1, 2}}), "options.x: set"),
        (msgspec.structs.replace(HEADER, seats=(SeatInfo("A", "x"), SeatInfo("A", "y"))), "twice"),
    ):
        with pytest.raises(ValueError, match=complaint):
            Journal.create(path, header)
        with pytest.raises(ValueError, match=complaint):
            MemoryJournal(header)
    assert not list(path.parent.iterdir())


def test_memory_and_disk_give_the_same_hashes_and_the_same_export(path: Path) -> None:
    memory = MemoryJournal(HEADER, secret=SEED, now=ticking())
    disk = Journal.create(path, HEADER, secret=SEED, now=ticking())
    both: list[AnyJournal] = [memory, disk]
    assert [journal.on_disk for journal in both] == [False, True]
    texts = []
    for journal in both:
        with journal:
            journal.append([act(1), act(2)])
            journal.checkpoint()
            journal.append([act(3)])
            journal.verify()
            texts.append((export_text(journal), export_text(journal, finished=True), journal.head))
    assert texts[0] == texts[1]
    assert not disk.on_disk


def test_the_log_is_folded_in_when_told_and_when_it_grows_long(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_LOG_LIMIT", 5)
    log = log_of(path)
    with begin(path) as journal:
        sizes = []
        for number in range(12):
            journal.append([act(number)])
            sizes.append(log.stat().st_size)
        assert max(sizes) == sizes[4]
        assert sizes[5] < sizes[4]
        journal.checkpoint()
        assert log.stat().st_size == 0
    assert not log.exists()
    assert read(path).last_seq == 12


def test_two_threads_at_once_are_told_so_and_handing_over_is_fine(path: Path) -> None:
    with begin(path) as journal:
        caught: list[BaseException] = []

        def other() -> None:
            try:
                journal.append([act(2)])
            except RuntimeError as error:
                caught.append(error)

        def clock() -> str:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
            return "now"

        journal._notes = type(journal._notes)(clock)
        journal.append([act(1)])
        assert "two threads" in str(caught[0])
        journal._notes = type(journal._notes)(ticking())
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert len(caught) == 1
        assert journal.last_seq == 2


# --- names, owners, foreign files ----------------------------------------------------------------


def test_create_never_writes_over_anything(path: Path) -> None:
    path.write_bytes(b"someone's letter")
    for taken in (path, path.parent):
        with pytest.raises(AlreadyThere, match="choose another name"):
            Journal.create(taken, HEADER)
    link = path.with_name("link")
    link.symlink_to(path)
    with pytest.raises(AlreadyThere):
        Journal.create(link, HEADER)
    assert files(path.parent) == {"game.journal": b"someone's letter", "link": b"someone's letter"}


def test_create_does_not_take_in_the_log_of_a_game_that_was_moved_away(path: Path) -> None:
    abandoned(path)
    path.rename(path.with_name("elsewhere"))
    with pytest.raises(AlreadyThere, match=r"game\.journal-wal is there without the game"):
        Journal.create(path, HEADER)


def test_create_cleans_up_after_a_start_that_was_cut_off(path: Path) -> None:
    for leftover in ("game.journal.new", "game.journal.new-wal", "game.journal.new-journal"):
        (path.parent / leftover).write_bytes(b"half a file")
    closed(path, 2)
    assert list(files(path.parent)) == ["game.journal"]
    assert read(path).last_seq == 3


def test_create_works_where_files_cannot_be_linked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    closed(path, 2)
    assert list(files(path.parent)) == ["game.journal"]
    assert read(path).last_seq == 3


def test_a_game_that_is_being_played_is_locked(path: Path) -> None:
    link = path.with_name("link.journal")
    link.symlink_to(path)
    with begin(path, 2) as journal:
        for name in (path, link):
            with pytest.raises(Locked, match=f"process {os.getpid()} on this machine: park or end") as caught:
                Journal.open(name)
            assert caught.value.pid == os.getpid()
        with pytest.raises(Locked):
            Journal.create(path, HEADER)
        assert read(path).last_seq == 3
        journal.append([act(3)])
    Journal.open(link).close()


def test_the_lock_is_held_against_programs_that_do_not_know_it(path: Path) -> None:
    with begin(path, 1):
        (path.parent / "game.journal.lock").unlink()
        with pytest.raises(Locked, match="another program"):
            Journal.open(path)
        other = sqlite3.connect(path, timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("SELECT * FROM entry").fetchall()
        other.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Locked, match="another program"):
        Journal.open(path)
    other.close()
    Journal.open(path).close()


def test_a_log_that_somebody_reads_is_said_in_the_way_of_sqlite(tmp_path: Path) -> None:
    """Who catches it asks for its code."""
    file = tmp_path / "any.db"
    with closing(sqlite3.connect(file, timeout=0)) as writing, closing(sqlite3.connect(file)) as reading:
        writing.executescript("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        reading.execute("BEGIN").execute("SELECT x FROM t").fetchall()
        writing.execute("INSERT INTO t VALUES (2)")
        writing.commit()
        with pytest.raises(sqlite3.OperationalError, match="another program reads") as caught:
            tables.checkpoint(writing)
        assert caught.value.sqlite_errorcode == sqlite3.SQLITE_BUSY


def test_the_lock_ends_with_the_process_that_holds_it(path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    holder.stdout.readline()
    with pytest.raises(Locked) as caught:
        Journal.open(path)
    assert caught.value.pid == holder.pid
    holder.kill()
    holder.communicate()
    with Journal.open(path) as journal:
        assert journal.last_seq == 1


HOLD = """
import sys
from assistant.journal import Entry, Journal
from ui.bench.crashes import HEADER
journal = Journal.create(sys.argv[1], HEADER)
journal.append([Entry(kind="note", body={})])
print("held", flush=True)
sys.stdin.read()
"""


def a_database(path: Path, *pragmas: str) -> None:
    database = sqlite3.connect(path)
    for pragma in pragmas:
        database.execute(f"PRAGMA {pragma}")
    database.execute("CREATE TABLE recipes (text)")
    database.commit()
    database.close()


def a_changed_header(path: Path, at: int, value: bytes) -> None:
    data = bytearray(closed(path, 2))
    data[at : at + len(value)] = value
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (lambda path: None, NoSuchJournal, "check the name"),
        (lambda path: path.mkdir(), ForeignFile, "not a file"),
        (lambda path: path.touch(), DamagedFile, r"empty \(0 bytes\)"),
        (lambda path: path.write_text("Dear Ann,\n" * 40), ForeignFile, "not a Stationmaster journal"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), ForeignFile, "beginning is destroyed"),
        (lambda path: a_database(path), ForeignFile, "another program"),
        (lambda path: a_changed_header(path, 60, b"\0\0\0\2"), NewerFile, "update Stationmaster"),
        (lambda path: a_changed_header(path, 60, b"\0\0\0\0"), DamagedFile, "Import the last export"),
        (lambda path: a_changed_header(path, 18, b"\1\1"), DamagedFile, "first page"),
    ],
)
def test_what_is_no_journal_is_refused_and_left_as_it_is(
    path: Path, make: Callable[[Path], object], kind: type[JournalError], says: str
) -> None:
    make(path)
    before = files(path.parent)
    for attempt in (Journal.open, read, salvage, export):
        with pytest.raises(kind, match=says) as caught:
            attempt(path)
        assert type(caught.value) is kind
        assert str(path) in str(caught.value)
        assert caught.value.path == str(path)
    assert files(path.parent) == before


def test_a_file_that_may_not_be_read_is_not_called_damaged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed(path)

    def denied(*_: object) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(JournalError, match="who owns it") as caught:
        read(path)
    assert type(caught.value) is JournalError


# --- damage --------------------------------------------------------------------------------------


def edited(path: Path, *statements: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE entry SET body = replace(body, '\"space\":3', '\"space\":4') WHERE seq = 4", "entry 4 was"),
        ("UPDATE entry SET hash = zeroblob(32) WHERE seq = 4", "entry 4 was changed"),
        ("DELETE FROM entry WHERE seq = 4", "entry 4 is missing"),
        ("DELETE FROM entry WHERE seq = 1", "entry 1 is missing"),
        ("DELETE FROM entry WHERE seq > 5", "holds 5 entries, but 8 were recorded"),
        ("DELETE FROM entry", "holds 0 entries, but 8 were recorded"),
        ("UPDATE entry SET seq = seq + 100 WHERE seq > 3", "entry 4 is missing"),
        ("INSERT INTO entry SELECT 9, body, hash FROM entry WHERE seq = 8", "entry 9 was changed"),
        ("UPDATE head SET seq = 9", "holds 8 entries, but 9"),
        ("DELETE FROM head", "0 rows where one should be"),
        ("UPDATE header SET body = replace(body, 'tokyo', 'osaka')", "header was changed"),
        ("UPDATE secret SET value = 'my seed'", "seed was changed"),
        ("UPDATE secret SET value = x'ff' || ''", "seed"),
        ("CREATE TABLE more (x)", "not those of a journal"),
        ("DROP TABLE secret", "not those of a journal"),
        ("CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END", "not those of a journal"),
    ],
)
def test_edits_are_noticed(path: Path, statement: str, says: str) -> None:
    closed(path, 5)
    edited(path, statement)
    before = files(path.parent)
    with pytest.raises(DamagedFile, match=says):
        Journal.open(path)
    with pytest.raises(DamagedFile, match="salvage the entries before the damage"):
        read(path)
    assert files(path.parent) == before


def test_entries_exchanged_for_each_other_are_noticed(path: Path) -> None:
    closed(path, 5)
    edited(
        path,
        "UPDATE entry SET seq = 99 WHERE seq = 3",
        "UPDATE entry SET seq = 3 WHERE seq = 4",
        "UPDATE entry SET seq = 4 WHERE seq = 99",
    )
    with pytest.raises(DamagedFile, match="entry 3 was changed"):
        read(path)


def survives_or_is_refused(path: Path, truth: str) -> bool:
    """Reading a damaged file either gives the truth or is refused; tells which."""
    try:
        journal = read(path)
    except JournalError:
        with pytest.raises(JournalError):
            Journal.open(path)
        return False
    assert export_text(journal, finished=True) == truth
    return True


def test_a_flipped_bit_anywhere_is_noticed_or_harms_nothing(path: Path) -> None:
    whole = closed(path, 12)
    truth = export_text(path, finished=True)
    chance = random.Random(DAMAGE_SEED)
    places = [chance.randrange(len(whole)) for _ in range(250)] + list(range(0, 100, 3))
    refused = 0
    for at in places:
        data = bytearray(whole)
        data[at] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        refused += not survives_or_is_refused(path, truth)
    # Most of a small file is content; what survives hit free space or counters.
    assert refused > len(places) / 8


def test_blocks_of_garbage_are_noticed_or_harm_nothing(path: Path) -> None:
    whole = closed(path, 60)
    truth = export_text(path, finished=True)
    chance = random.Random(DAMAGE_SEED)
    for _ in range(60):
        data = bytearray(whole)
        at = chance.randrange(len(data) // 512) * 512
        data[at : at + 512] = chance.choice((bytes(512), chance.randbytes(512)))
        path.write_bytes(data)
        survives_or_is_refused(path, truth)


def test_a_file_cut_off_anywhere_is_refused(path: Path) -> None:
    whole = closed(path, 12)
    chance = random.Random(DAMAGE_SEED)
    for length in [1, 15, 16, 99, 100, 4096, len(whole) - 1] + [
        chance.randrange(len(whole)) for _ in range(25)
    ]:
        path.write_bytes(whole[:length])
        with pytest.raises(JournalError):
            read(path)


def test_a_torn_end_of_the_log_is_dropped_and_what_was_committed_stays(path: Path) -> None:
    abandoned(path, 3)
    log = log_of(path)
    whole = log.read_bytes()
    frame = 24 + 4096
    # A commit is two frames here; the last of the three entries' commits ends the log.
    for tail in (whole[:-1], whole[: -2 * frame], whole[:-frame] + bytes(frame), whole[: -frame - 100]):
        log.write_bytes(tail)
        assert read(path).last_seq == 3
    for tail in (whole, whole + bytes(512), whole + random.Random(1).randbytes(3 * frame)):
        log.write_bytes(tail)
        assert read(path).last_seq == 5
    with Journal.open(path) as journal:
        assert journal.last_seq == 5
        journal.append([act(6)])
        assert log.stat().st_size < len(whole)
    assert read(path).last_seq == 6


def test_damage_inside_the_log_is_refused_and_nothing_of_it_is_lost(path: Path) -> None:
    abandoned(path, 3)
    log = log_of(path)
    whole = log.read_bytes()
    frame = 24 + 4096
    first_commit = 32 + 2 * frame
    chance = random.Random(DAMAGE_SEED)
    for at in [3, 31, 32, 36, 40, 48, 32 + frame + 7] + [chance.randrange(first_commit) for _ in range(20)]:
        data = bytearray(whole)
        data[at] ^= 0x10
        log.write_bytes(data)
        before = files(path.parent)
        with pytest.raises(DamagedFile, match="-wal"):
            Journal.open(path)
        assert files(path.parent) == before
    game, fault = salvage(path)
    assert game.last_seq == 0
    assert "damaged place" in fault


def test_a_log_left_behind_is_asked_about(path: Path) -> None:
    abandoned(path, 3)
    log_of(path).unlink()
    before = files(path.parent)
    for attempt in (Journal.open, read):
        with pytest.raises(LogMissing, match=r"Bring both files over together\. Or go on with the 0 entries"):
            attempt(path)
    assert "log is missing" in salvage(path)[1]
    assert files(path.parent) == before
    with Journal.open(path, without_log=True) as journal:
        journal.append([act(1)])
    assert read(path).last_seq == 1


def test_what_lies_before_the_damage_can_be_salvaged_into_a_new_game(path: Path, tmp_path: Path) -> None:
    closed(path, 5)
    edited(path, "UPDATE entry SET body = '{}' WHERE seq = 4")
    before = files(tmp_path)
    game, fault = salvage(path)
    assert fault == "entry 4 was changed, or entries before it are missing"
    assert [one.seq for one in game.entries()] == [1, 2, 3]
    assert files(tmp_path) == before
    with save(game, tmp_path / "saved.journal") as saved:
        assert saved.secret == SEED
        saved.append([act(9)])
    assert read(tmp_path / "saved.journal").last_seq == 4
    assert salvage(tmp_path / "saved.journal")[1] == ""
    with pytest.raises(AlreadyThere):
        save(game, path)


def test_verify_reads_the_disk_again(path: Path) -> None:
    with begin(path, 3) as journal:
        journal.checkpoint()
        journal.verify()
        data = bytearray(path.read_bytes())
        at = data.rindex(b'"space":2')
        data[at + 8] = ord("1")
        path.write_bytes(data)
        with pytest.raises(DamagedFile, match="entry"):
            journal.verify()
        path.unlink()
        with pytest.raises(NoSuchJournal):
            journal.verify()
        assert journal.last_seq == 5


# --- a failing disk ------------------------------------------------------------------------------


class FailingDatabase(sqlite3.Connection):
    """A connection that fails at a statement: before it, after it, once or for good."""

    statement = ""
    after = False
    times = 0
    code = sqlite3.SQLITE_IOERR_FSYNC

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        kind = FailingDatabase
        if not (kind.times and kind.statement and sql.startswith(kind.statement)):
            return super().execute(sql, *parameters)
        kind.times -= 1
        if kind.after:
            super().execute(sql, *parameters).fetchall()
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = kind.code
        raise error


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FailingDatabase]]:
    real = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *given, **options: real(*given, factory=FailingDatabase, **options)
    )
    kind = FailingDatabase
    kind.statement, kind.after, kind.times, kind.code = "", False, 0, sqlite3.SQLITE_IOERR_FSYNC
    yield kind
    kind.times = 0


@pytest.mark.parametrize("statement", ["BEGIN", "UPDATE head SET seq", "COMMIT"])
def test_after_one_failure_the_ruling_is_out_and_play_goes_on(
    path: Path, failing: type[FailingDatabase], statement: str
) -> None:
    with begin(path, 2) as journal:
        failing.statement, failing.times = statement, 1
        with pytest.raises(JournalIOError, match=r"game.journal: .*NOT recorded.*play can go on") as caught:
            journal.append([act(8), act(9)])
        assert type(caught.value) is JournalIOError
        assert caught.value.recorded is False
        assert (journal.last_seq, journal.on_disk) == (3, True)
        assert journal.append([act(8), act(9)])[0].ruling == 3
        journal.verify()
    assert read(path).last_seq == 5


def test_a_failure_reported_after_the_commit_is_found_to_be_in(
    path: Path, failing: type[FailingDatabase]
) -> None:
    with begin(path, 2) as journal:
        failing.statement, failing.times, failing.after = "COMMIT", 1, True
        with pytest.raises(JournalIOError, match="The last ruling is recorded") as caught:
            journal.append([act(8), act(9)])
        assert caught.value.recorded is True
        assert journal.last_seq == 5
        assert journal.append([act(10)])[0].ruling == 4
    assert read(path).last_seq == 6


@pytest.mark.parametrize(
    ("code", "recorded"), [(sqlite3.SQLITE_IOERR_FSYNC, None), (sqlite3.SQLITE_FULL, False)]
)
def test_when_the_disk_fails_for_good_play_goes_on_unrecorded(
    path: Path, failing: type[FailingDatabase], code: int, recorded: bool | None
) -> None:
    with begin(path, 2) as journal:
        failing.statement, failing.times, failing.code = "COMMIT", 100, code
        with pytest.raises(JournalUnwritable, match=r"cannot be written.*copy the file to") as caught:
            journal.append([act(8)])
        assert caught.value.recorded is recorded
        assert not journal.on_disk
        with pytest.raises(JournalUnwritable):
            journal.append([act(8)])
        with pytest.raises(JournalUnwritable):
            journal.checkpoint()
        with pytest.raises(JournalUnwritable):
            journal.recover()
        # Everything up to then can be read and exported, and the game goes on without a disk.
        unrecorded = MemoryJournal.following(journal, now=ticking())
        assert export_text(unrecorded) == export_text(journal)
        assert unrecorded.secret == SEED
        assert unrecorded.append([act(8)])[0].seq == 4
        # The card is changed.
        failing.times = 0
        journal.recover()
        assert (journal.on_disk, journal.last_seq) == (True, 3)
        assert journal.append([act(8)])[0].ruling == 3
    with save(unrecorded, path.with_name("after.journal")) as saved:
        assert saved.head == unrecorded.head
        assert saved.on_disk


def test_a_checkpoint_that_fails_loses_nothing(path: Path, failing: type[FailingDatabase]) -> None:
    with begin(path, 2) as journal:
        failing.statement, failing.times = "PRAGMA wal_checkpoint", 1
        with pytest.raises(JournalIOError, match="play can go on") as caught:
            journal.checkpoint()
        assert caught.value.recorded is True
        journal.append([act(3)])
    assert read(path).last_seq == 4


def test_a_fold_that_fails_before_a_ruling_says_that_the_ruling_is_not_in(
    path: Path, failing: type[FailingDatabase], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_LOG_LIMIT", 2)
    with begin(path, 2) as journal:
        failing.statement, failing.times = "PRAGMA wal_checkpoint", 1
        with pytest.raises(JournalIOError, match="NOT recorded") as caught:
            journal.append([act(3)])
        assert caught.value.recorded is False
        assert journal.append([act(3)])[0].seq == 4


@pytest.mark.parametrize("after", [False, True])
def test_an_interrupted_append_leaves_the_journal_knowing_what_it_holds(
    path: Path, failing: type[FailingDatabase], monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    with begin(path, 2) as journal:
        failing.statement, failing.times, failing.after = "COMMIT", 1, after
        monkeypatch.setattr(sqlite3, "OperationalError", lambda *_: KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            journal.append([act(8)])
        monkeypatch.undo()
        assert journal.last_seq == (4 if after else 3)
        journal.verify()
        journal.append([act(9)])


def test_closing_never_fails_and_twice_is_fine(path: Path, failing: type[FailingDatabase]) -> None:
    journal = begin(path, 2)
    failing.statement, failing.times = "UPDATE head SET open", 1
    journal.close()
    journal.close()
    with pytest.raises(JournalUnwritable):
        journal.append([act(1)])
    with pytest.raises(JournalError, match="closed"):
        journal.recover()
    with Journal.open(path) as again:
        assert again.last_seq == 3
    assert list(files(path.parent)) == ["game.journal"]


def test_a_folder_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned(path, 2)
    text = export_text(path)
    real = os.open

    def read_only(name: Any, flags: int, *rest: Any, **options: Any) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(name))
        return real(name, flags, *rest, **options)

    monkeypatch.setattr(os, "open", read_only)
    before = files(path.parent)
    with pytest.raises(JournalUnwritable, match=r"Read-only file system.*can be exported"):
        Journal.open(path)
    with pytest.raises(JournalUnwritable, match="Read-only file system"):
        Journal.create(path.with_name("other"), HEADER)
    assert export_text(path) == text
    assert files(path.parent) == before


def mounted(folder: Path, options: str) -> bool:
    """Whether a small file system in memory could be mounted at the folder."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    return shutil.which("mount") is not None and subprocess.run(command, capture_output=True).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if not mounted(folder, "size=512k"):
        pytest.skip("mounting a small disk is not allowed here; the failing databases above stand in for it")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(write: Callable[[], object]) -> None:
    for _ in range(1000):
        write()


def test_a_disk_that_fills_up_and_is_freed(small_disk: Path) -> None:
    path = small_disk / "game.journal"
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(200 * 1024))
    note = Entry(kind="note", body={"text": "x" * 3000})
    with begin(path) as journal:
        with pytest.raises(JournalIOError) as caught:
            fill(lambda: journal.append([note]))
        assert caught.value.recorded is False
        written = journal.last_seq
        assert written == len(list(read(path).entries())) > 3
        ballast.unlink()
        if not journal.on_disk:
            journal.recover()
        journal.checkpoint()
        assert journal.append([note])[0].seq == written + 1
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            fill(lambda: file.write(bytes(4096)))
        with pytest.raises(JournalUnwritable, match="cannot be written"):
            Journal.create(small_disk / "second.journal", HEADER)
        filler.unlink()
        assert {file.name for file in small_disk.iterdir()} == {
            "game.journal",
            "game.journal-wal",
            "game.journal.lock",
        }
    assert read(path).last_seq == written + 1


# --- exports -------------------------------------------------------------------------------------


def test_an_export_is_one_json_file_without_the_seed_of_a_live_game(path: Path) -> None:
    with begin(path, 3) as journal:
        text = export_text(journal)
        assert text == export_text(path)
        document = json.loads(text)
        assert document == export(journal)
        assert list(document) == ["entries", "genesis", "head", "header", "stationmaster"]
        assert document["stationmaster"] == 1
        assert document["head"] == {"hash": journal.head, "seq": 5}
        assert document["header"]["pack_text"] == HEADER.pack_text
        assert text.endswith("\n}\n")
        for hidden in (text, repr(list(journal.entries())), repr(journal.header)):
            assert SEED not in hidden
        finished = export_text(journal, finished=True)
        assert json.loads(finished)["secret"]["value"] == SEED


def test_the_same_game_with_the_same_clock_exports_the_same_bytes(path: Path, tmp_path: Path) -> None:
    texts = set()
    for name in ("one", "two"):
        with begin(tmp_path / name, 4) as journal:
            journal.checkpoint()
            texts.add(export_text(journal, finished=True))
    assert len(texts) == 1


@pytest.mark.parametrize("finished", [False, True])
def test_an_import_exports_the_same_bytes_again(path: Path, finished: bool) -> None:
    with begin(path, 3) as journal:
        text = export_text(journal, finished=finished)
        head = journal.head
    target = path.with_name("imported.journal")
    with import_text(text, target, now=ticking()) as imported:
        assert export_text(imported, finished=True) == text
        assert imported.head == head
        assert imported.secret == (SEED if finished else "")
        assert imported.header.seed_hidden
        assert imported.append([act(9)])[0].ruling == 4
    assert export_text(import_memory(text), finished=True) == text
    with pytest.raises(AlreadyThere):
        import_text(text, target)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
BODIES = st.dictionaries(TEXTS, JSON_VALUES, max_size=4)
ENTRIES = st.builds(
    Entry,
    kind=TEXTS,
    body=BODIES,
    digest=TEXTS,
    clocks=st.dictionaries(TEXTS, st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 999)),
    by=st.none() | TEXTS,
)
GAMES = st.lists(st.lists(ENTRIES, min_size=1, max_size=3), max_size=4)
HEADERS = st.builds(
    Header,
    game=TEXTS,
    edition=TEXTS,
    rules_version=TEXTS,
    pack_id=TEXTS,
    pack_digest=TEXTS,
    pack_text=TEXTS,
    seats=st.lists(TEXTS, unique=True, max_size=4).map(
        lambda letters: tuple(SeatInfo(letter, letter) for letter in letters)
    ),
    options=BODIES,
)


def played(header: Header, game: list[list[Entry]], secret: str) -> MemoryJournal:
    journal = MemoryJournal(header, secret=secret, now=ticking())
    for ruling in game:
        journal.append(ruling)
    return journal


@settings(max_examples=80, deadline=None, derandomize=True)
@given(HEADERS, GAMES, TEXTS)
def test_any_game_goes_out_and_in_unchanged(header: Header, game: list[list[Entry]], secret: str) -> None:
    journal = played(header, game, secret)
    text = export_text(journal, finished=True)
    back = import_memory(text)
    assert export_text(back, finished=True) == text
    assert [one.entry for one in back.entries()] == [entry for ruling in game for entry in ruling]
    assert list(back.entries()) == list(journal.entries())
    assert back.secret == secret
    # Another program's spaces and order of keys change nothing.
    other = json.dumps(dict(reversed(json.loads(text).items())), ensure_ascii=True)
    assert export_text(import_memory(other), finished=True) == text


@settings(max_examples=15, deadline=None, derandomize=True)
@given(HEADERS, GAMES, TEXTS)
def test_any_game_comes_back_from_the_disk(header: Header, game: list[list[Entry]], secret: str) -> None:
    journal = played(header, game, secret)
    text = export_text(journal, finished=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.journal"
        import_text(text, path).close()
        assert export_text(path, finished=True) == text
        with Journal.open(path) as opened:
            assert list(opened.entries()) == list(journal.entries())


@pytest.fixture
def document(path: Path) -> dict[str, Any]:
    with begin(path, 4) as journal:
        return export(journal, finished=True)


def test_all_faults_of_an_import_are_listed(document: dict[str, Any], path: Path) -> None:
    entries = document["entries"]
    entries[0]["entry"]["body"]["space"] = 77
    entries[1]["ruling"] = 9
    entries[2]["entry"]["kind"] = 5
    del entries[3]["hash"]
    document["header"]["game"] = "trains"
    document["more"] = 1
    document["head"]["seq"] = 99
    document["secret"]["value"] = "mine"
    target = path.with_name("target.journal")
    with pytest.raises(BadExport, match="nothing was written") as caught:
        import_text(json.dumps(document), target)
    found = "\n".join(caught.value.faults)
    for part in (
        "more: unknown",
        "header: it was changed",
        "entries[0]: it was changed",
        "entries[1]: ruling 9 cannot follow ruling 1",
        "entries[2]: Expected `str`, got `int` - at `$.entry.kind`",
        "entries[3]: Object missing required field `hash`",
        "head: entries at the end are missing or changed",
        "secret: it was changed",
    ):
        assert part in found
        assert part in str(caught.value)
    assert len(caught.value.faults) >= 8
    assert not target.exists()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.update(stationmaster=2), "update Stationmaster"),
        (lambda d: d.pop("stationmaster"), "format None"),
        (lambda d: d.update(stationmaster=True), "format True"),
        (lambda d: d.pop("header"), "header: missing"),
        (lambda d: d.update(header=[]), "header: Expected `object`"),
        (lambda d: d["header"].update(colour="red"), "unknown field `colour`"),
        (lambda d: d["header"]["seats"].append({"letter": "A", "name": "x"}), "used twice"),
        (lambda d: d.pop("genesis"), "genesis: missing"),
        (lambda d: d.update(genesis=5), "its hash is not"),
        (lambda d: d.update(entries={}), "entries: not a list"),
        (lambda d: d["entries"].pop(2), "it has number 4 where 3"),
        (lambda d: d["entries"].pop(), "head: entries at the end"),
        (lambda d: d["entries"].insert(0, 5), "entries[0]: Expected `object`"),
        (lambda d: d["entries"][2].update(hash="xyz"), "entries[2]: it was changed"),
        (lambda d: d["entries"][1].update(noted_at="never"), "entries[1]: it was changed"),
        (lambda d: d["entries"][1].update(clock_set=False), "entries[1]: it was changed"),
        (lambda d: d["entries"][1]["entry"].update(by="B"), "entries[1]: it was changed"),
        (lambda d: d["entries"][1]["entry"].update(digest=""), "entries[1]: it was changed"),
        (lambda d: d["entries"][1]["entry"]["clocks"].update(A=1.5), "entries[1]: it was changed"),
        (lambda d: d["entries"][1]["entry"]["body"].update(x=2**64), "needs over 64 bits"),
        (lambda d: d["entries"][1]["entry"]["body"].update(x="\ud800"), "not JSON"),
        (lambda d: d["entries"][1]["entry"]["body"].update(x=float("nan")), "NaN is not a number"),
        (lambda d: d["head"].update(hash="00"), "head: entries at the end"),
        (lambda d: d.update(secret="plain"), "secret: it must hold"),
        (lambda d: d["secret"].update(check="00"), "secret: it was changed"),
    ],
)
def test_each_fault_of_an_import_is_found(
    document: dict[str, Any], change: Callable[[dict[str, Any]], object], says: str
) -> None:
    change(document)
    with pytest.raises(BadExport) as caught:
        import_memory(json.dumps(document))
    assert says in "\n".join(caught.value.faults)
    assert all("\n" not in fault for fault in caught.value.faults)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", '{"stationmaster": 1, "stationmaster": 1}', "[" * 99999]
)
def test_what_is_no_export_is_refused(text: str) -> None:
    with pytest.raises(BadExport, match="cannot be imported"):
        import_memory(text)


def test_one_changed_entry_is_one_fault(document: dict[str, Any]) -> None:
    document["entries"][3]["entry"]["body"]["space"] = 0
    with pytest.raises(BadExport) as caught:
        import_memory(json.dumps(document))
    assert len(caught.value.faults) == 1


def test_a_changed_letter_anywhere_in_an_export_is_noticed() -> None:
    journal = MemoryJournal(HEADER, secret=SEED, now=ticking())
    for number in range(5):
        journal.append([act(number)])
    text = export_text(journal, finished=True)
    for at in range(0, len(text), 7):
        if text[at] in " \n":
            continue
        changed = text[:at] + ("7" if text[at] != "7" else "8") + text[at + 1 :]
        with pytest.raises(BadExport):
            import_memory(changed)


# --- kills and power cuts (the long campaign is `bench journal`) ---------------------------------

needs_strace = pytest.mark.skipif(
    crashes.tracer() is None, reason="strace is not here, or may not trace processes here"
)


def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    outcome = crashes.kills(15, seed=1, folder=tmp_path, longest=0.03)
    assert outcome.faults == ()


@needs_strace
def test_nothing_acknowledged_is_lost_when_the_power_goes(tmp_path: Path) -> None:
    ops = crashes.trace(tmp_path, seed=3, sessions=2, rulings=12)
    whole = tmp_path / "whole"
    whole.mkdir()
    outcome = crashes.power_cuts(ops, 60, seed=5, folder=whole)
    assert outcome.faults == ()
    assert outcome.asked == 0
    assert outcome.pending > 0
    # The same journal on a disk that forgets flushes: the experiment can find losses.
    liar = [op for op in ops if op.what != "flush" or not op.name.endswith("-wal")]
    careless = tmp_path / "careless"
    careless.mkdir()
    assert len(crashes.power_cuts(liar, 40, seed=1, folder=careless).faults) > 10


@needs_strace
@pytest.mark.parametrize("failing", [8, 15])
def test_nothing_acknowledged_is_lost_when_the_power_goes_after_a_failed_flush(
    tmp_path: Path, failing: int
) -> None:
    ops = crashes.trace(tmp_path, seed=failing, sessions=1, rulings=12, failing=failing)
    assert any(op.what == "failed" for op in ops)
    folder = tmp_path / "cuts"
    folder.mkdir()
    assert crashes.power_cuts(ops, 40, seed=1, folder=folder).faults == ()


@needs_strace
def test_a_ruling_is_one_flush_however_many_entries_it_has(tmp_path: Path) -> None:
    ops = crashes.trace(tmp_path, seed=1, sessions=1, rulings=14, tidy=False)
    first, *others = crashes.flushes(ops)
    assert first == (1, 2), "the first after a checkpoint also flushes the log's header"
    assert {flushed for _, flushed in others} == {1}
    assert {entries for entries, _ in others} == {1, 2, 3, 6}


# --- figures -------------------------------------------------------------------------------------


def test_a_figure_is_judged_by_its_goal_and_compared_with_its_peer() -> None:
    less = row("time", 1.23456, "ms", goal="<= 2 ms", peer="other", peer_value=2.46912)
    assert (less.value, less.ok, less.peer_value, less.ratio) == (1.235, True, 2.469, 2.0)
    more = row("speed", 300, "1/s", goal=">= 400", peer="other", peer_value=100, more_is_better=True)
    assert (more.value, more.ok, more.ratio) == (300, False, 3)
    assert row("losses", 0, "crashes", goal="== 0").ok is True
    unmeasured = row("flushes", None, "flushes", goal="== 1", peer_value=4)
    assert (unmeasured.value, unmeasured.ok, unmeasured.ratio) == (None, None, None)
    assert row("note", 7, "things").ok is None
    with pytest.raises(ValueError, match="a goal begins with"):
        row("time", 1, "ms", goal="about 5")


def test_percentiles_are_values_that_were_measured() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [percentile(values, percent) for percent in (0, 20, 50, 99, 100)] == [1, 1, 3, 5, 5]
    for wrong in ([], [1.0]):
        with pytest.raises(ValueError, match="percent"):
            percentile(wrong, 101)


def test_works_are_timed_in_turns() -> None:
    done: list[str] = []
    times = in_turns(3, {"a": lambda: done.append("a"), "b": lambda: done.append("b")})
    assert "".join(done) == "abbaab"
    assert {name: len(taken) for name, taken in times.items()} == {"a": 3, "b": 3}
