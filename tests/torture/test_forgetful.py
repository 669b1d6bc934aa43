"""The file system that forgets: that its campaign would notice, and what a power cut leaves of names."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from unittest import mock

import pytest

from assistant.journal import Journal, JournalIOError, LogMissing, read
from tests.torture import forgetful
from ui.bench import crashes
from ui.bench.crashes import HEADER, TRACED, Disk, Op


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("flushed", ["", f"{TRACED}-wal"], ids=["the folder", "the log"])
def test_a_journal_that_did_not_flush_would_be_found_out(flushed: str, place: Path) -> None:
    ops = forgetful.record(place, seed=1, sessions=1, rulings=12, every=0)
    lazy = [op for op in ops if (op.what, op.name) != ("flush", flushed)]
    assert crashes.power_cuts(ops, 8, 1, place).faults == ()
    assert crashes.power_cuts(lazy, 12, 1, place).faults


@pytest.mark.parametrize("links", [True, False], ids=["with links", "without links"])
def test_a_new_game_is_there_whole_or_not_at_all(links: bool, place: Path) -> None:
    """Power goes while it is made, before its folder was flushed and after, any change of names lost. Where a
    file cannot have two names, an empty file may reserve the name."""

    def begin(chance: random.Random, tell: Callable[[str], None]) -> None:
        refused = mock.patch.object(os, "link", side_effect=PermissionError)
        with nullcontext() if links else refused:
            crashes.write_on(place / TRACED, 1, chance, tell=tell)

    disk, chance, found = Disk(), random.Random(1), set()
    for number, op in enumerate(forgetful.done_by(begin, place)):
        if op.what == "told":
            break
        disk.do(op)
        for lot in range(4):
            left = place / f"{number}-{lot}"
            left.mkdir()
            names = disk.after_power_cut(chance)
            for name, content in names.items():
                (left / name).write_bytes(content)
            found.add("whole" if names.get(TRACED) else "empty" if TRACED in names else "nothing")
            if names.get(TRACED):
                try:
                    assert read(left / TRACED).header.pack_text == HEADER.pack_text
                except LogMissing:  # It is asked about: it is open, and its log was not flushed yet.
                    assert f"{TRACED}-wal" not in names
    assert found == {"whole", "nothing"} | (set() if links else {"empty"})


def test_names_that_were_not_flushed_are_lost_in_any_order() -> None:
    disk = Disk()
    for name in ("a", "b"):
        for op in (Op("create", name), Op("write", name, data=b"x"), Op("flush", name)):
            disk.do(op)
    disk.do(Op("flush"))
    disk.do(Op("unlink", "a"))
    disk.do(Op("rename", "b", to="c"))
    chance = random.Random(1)
    found = {tuple(sorted(disk.after_power_cut(chance))) for _ in range(200)}
    assert found == {("a", "b"), ("b",), ("a", "c"), ("c",)}


def test_sqlite_on_it_is_told_what_failed(place: Path) -> None:
    """The errors that the journal asks for are those that SQLite gives, not those of Python."""
    noted: list[Op] = []
    faults = forgetful.Faults(0, random.Random(1), noted.append)
    with forgetful.mounted(place, faults):
        database = sqlite3.connect(f"file:{place}/x.db", uri=True)
        with closing(database):
            database.execute("CREATE TABLE t (a)")
            faults.due = lambda name: True  # type: ignore[method-assign]
            with pytest.raises(sqlite3.OperationalError) as wrong:
                database.execute("INSERT INTO t VALUES (1)")
    assert wrong.value.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
    assert {op.what for op in noted} >= {"create", "write", "flush", "unlink"}
    with closing(sqlite3.connect(":memory:")) as plain:
        assert plain.execute("SELECT 1").fetchone() == (1,)


def test_a_flush_of_ours_that_fails_is_no_new_game(place: Path) -> None:
    noted: list[Op] = []
    faults = forgetful.Faults(0, random.Random(1), noted.append)
    faults.due = lambda name: name == f"{TRACED}.new"  # type: ignore[method-assign]
    with forgetful.mounted(place, faults), pytest.raises(JournalIOError):
        Journal.create(place / TRACED, HEADER)
    assert list(place.iterdir()) == []
