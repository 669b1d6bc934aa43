"""Figures about the journal: reading a game back, recording a ruling, and what crashes leave."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from assistant.journal import Entry, Journal, MemoryJournal, read
from ui.bench import Row, cpu_seconds, crashes, in_turns, percentile, row

ENTRIES = 1000
"""Entries of the game that is read back: a long evening."""
PEER = "SQLite DELETE, FULL"


def run(*, quick: bool = False, seed: int = 1, folder: Path | None = None) -> list[Row]:
    """Measure the journal in `folder`, a temporary one by default: the disk is the one that holds it.

    `quick` takes a few seconds instead of minutes, with fewer rounds and crashes; the rows say how many.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="stationmaster-bench-") as made:
        place = Path(made)
        return [
            _reading(place, rounds=5 if quick else 25),
            *_appending(place, rounds=40 if quick else 400),
            *_flushing(place, rulings=14 if quick else 70),
            *_crashing(place, seed, share=0.03 if quick else 1.0),
        ]


# --- reading -------------------------------------------------------------------------------------


def _reading(place: Path, rounds: int) -> Row:
    path = place / "long.journal"
    with Journal.create(path, crashes.HEADER) as journal:
        for first in range(1, ENTRIES + 1, 100):
            journal.append([crashes.entry(seq) for seq in range(first, first + 100)])

    def ours() -> None:
        assert len(list(read(path).entries())) == ENTRIES

    def peer() -> None:
        database = sqlite3.connect(path)
        rows = [json.loads(body) for (body,) in database.execute("SELECT body FROM entry ORDER BY seq")]
        database.close()
        assert len(rows) == ENTRIES

    times = in_turns(rounds, {"ours": ours, "peer": peer})
    return row(
        f"journal: read, decode and check {ENTRIES} entries",
        percentile(times["ours"], 50) * 1000,
        "ms CPU",
        goal="<= 8",
        peer="sqlite3 and json.loads, nothing checked",
        peer_value=percentile(times["peer"], 50) * 1000,
        how=f"median of {rounds} rounds in turns: file to typed records, SQLite's check of its pages, "
        "header, secret and whole hash chain; no rules. The file is in the page cache",
    )


# --- recording -----------------------------------------------------------------------------------


class DeleteJournal:
    """The peer: the same entries with the same hashes in SQLite's default mode, flushed as fully."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = DELETE",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE entry (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL)",
            "CREATE TABLE head (id INTEGER PRIMARY KEY, seq INTEGER, hash TEXT)",
            "INSERT INTO head VALUES (1, 0, '')",
        ):
            self._database.execute(statement)
        self._chain = MemoryJournal(crashes.HEADER)

    def append(self, entries: Sequence[Entry]) -> None:
        """Record one ruling."""
        recorded = self._chain.append(entries)
        rows = [(one.seq, json.dumps(one.entry.body), one.hash) for one in recorded]
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)
        self._database.execute("UPDATE head SET seq = ?, hash = ? WHERE id = 1", rows[-1][::2])
        self._database.execute("COMMIT")

    @property
    def last_seq(self) -> int:
        """Number of the last entry."""
        return self._chain.last_seq

    def close(self) -> None:
        """Close the database."""
        self._database.close()


def _appender(journal: Journal | DeleteJournal, size: int) -> Callable[[], object]:
    def append() -> None:
        first = journal.last_seq + 1
        journal.append([crashes.entry(seq) for seq in range(first, first + size)])

    return append


def _appending(place: Path, rounds: int) -> list[Row]:
    rows = []
    for size, what in ((1, "one entry"), (6, "six entries")):
        with Journal.create(place / f"append-{size}.journal", crashes.HEADER) as ours:
            peer = DeleteJournal(place / f"append-{size}.db")
            works = {"ours": _appender(ours, size), "peer": _appender(peer, size)}
            in_turns(3, works)
            ours.checkpoint()
            works["ours"]()
            wall = in_turns(rounds, works, time.perf_counter)
            ours.checkpoint()
            works["ours"]()
            cpu = in_turns(rounds, works, cpu_seconds)
            peer.close()
        rows.append(
            row(
                f"journal: record a ruling of {what}, CPU",
                percentile(cpu["ours"], 50) * 1e6,
                "us CPU",
                goal="<= 1000",
                peer=PEER,
                peer_value=percentile(cpu["peer"], 50) * 1e6,
                how=f"median of {rounds} rulings in turns: encode, hash, one transaction, one flush; user "
                "and system time of the calling thread",
            )
        )
        rows += [
            row(
                f"journal: record a ruling of {what}, wall, p{percent}",
                percentile(wall["ours"], percent) * 1000,
                "ms",
                peer=PEER,
                peer_value=percentile(wall["peer"], percent) * 1000,
                how=f"{rounds} rulings in turns on the disk of {place.parent}, which sets it, not the code",
            )
            for percent in (50, 99)
        ]
    return rows


# --- flushing ------------------------------------------------------------------------------------


def _flushing(place: Path, rulings: int) -> list[Row]:
    names = {1: "one entry", 6: "six entries"}
    if crashes.tracer() is None:
        why = "not measured: strace is not here, or may not trace processes here"
        return [_flush_row(names[size], None, None, why) for size in names]
    folder = place / "flushes"
    folder.mkdir()
    ours = crashes.flushes(crashes.trace(folder, seed=1, sessions=1, rulings=rulings, tidy=False))
    peers = crashes.flushes(
        crashes.traced(folder, ["-m", "ui.bench.journal", str(folder / crashes.TRACED) + ".db", str(rulings)])
    )
    rows = []
    for size, what in names.items():
        # The first ruling after a checkpoint flushes the log's header as well.
        counted = [flushed for entries, flushed in ours[1:] if entries == size]
        value = max(counted) if min(counted) == max(counted) else sum(counted) / len(counted)
        peer = [flushed for entries, flushed in peers[1:] if entries == size]
        how = (
            f"strace, {len(counted)} rulings between checkpoints, each counted; the first after a checkpoint "
            f"takes {ours[0][1]}"
        )
        rows.append(_flush_row(what, value, sum(peer) / len(peer), how))
    return rows


def _flush_row(what: str, value: float | None, peer: float | None, how: str) -> Row:
    return row(
        f"journal: flushes for a ruling of {what}",
        value,
        "flushes",
        goal="== 1",
        peer=PEER,
        peer_value=peer,
        how=how,
    )


# --- crashing ------------------------------------------------------------------------------------


def _crashing(place: Path, seed: int, share: float) -> list[Row]:
    killed = place / "kills"
    killed.mkdir()
    outcome = crashes.kills(max(round(1000 * share), 1), seed, killed)
    rows = [
        _crash_row(
            "the writer is killed",
            outcome,
            f"{outcome.crashes} SIGKILLs after 0 to 50 ms to a process that opens, appends, checkpoints and "
            "reopens, and tells each commit through a pipe; the next one goes on with the file",
        )
    ]
    names = {
        "the power goes": "what a real run wrote and flushed, by strace, stopped at a random operation; "
        "unflushed writes survive whole, not at all, up to any byte, by sectors, or as garbage",
        "the power goes after a failed flush": "the same, with one flush of the run failing by injection; "
        "what it should have written is lost to later flushes too",
    }
    if crashes.tracer() is None:
        why = "not measured: strace is not here, or may not trace processes here"
        return rows + [_crash_row(name, None, why) for name in names]
    for name, how in names.items():
        failed = name.endswith("flush")
        runs, cuts = (20, 10) if failed else (4, 200)
        outcomes = []
        for number in range(max(round(runs * share), 1)):
            folder = place / f"{name}-{number}"
            folder.mkdir()
            failing = 5 + number if failed else 0
            ops = crashes.trace(folder, seed + number, sessions=2, rulings=40, failing=failing)
            outcomes.append(crashes.power_cuts(ops, max(round(cuts * share), 10), seed + number, folder))
            shutil.rmtree(folder)
        total = crashes.Outcome(
            sum(one.crashes for one in outcomes),
            tuple(fault for one in outcomes for fault in one.faults),
            sum(one.pending for one in outcomes),
            sum(one.asked for one in outcomes),
        )
        rows.append(
            _crash_row(name, total, f"{total.crashes} simulated power cuts in {len(outcomes)} runs: {how}")
        )
    return rows


def _crash_row(name: str, outcome: crashes.Outcome | None, how: str) -> Row:
    if outcome is not None:
        how += f". A ruling not yet acknowledged was there {outcome.pending} times"
        if outcome.asked:
            how += f"; {outcome.asked} times the journal asked before it went on with everything"
        if outcome.faults:
            how += f". First of {len(outcome.faults)} faults: {outcome.faults[0]}"
    return row(
        f"journal: crashes with a loss when {name}",
        None if outcome is None else len(outcome.faults),
        "crashes",
        goal="== 0",
        how=how,
    )


def _main(arguments: Sequence[Any]) -> None:
    """The traced peer: append rulings and tell each, as `crashes.write_on` does."""
    path, rulings = arguments
    journal = DeleteJournal(Path(path))
    for number in range(int(rulings)):
        _appender(journal, crashes.group_after(number))()
        crashes.tell(f"at {journal.last_seq}")


if __name__ == "__main__":
    _main(sys.argv[1:])
