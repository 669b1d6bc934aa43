"""Faults, injected on purpose: each trial says how many there were, what was lost, and what a table sees of
it."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from assistant.journal import (
    Journal,
    JournalError,
    Locked,
    LogMissing,
    MemoryJournal,
    NoSuchJournal,
    read,
    salvage,
)
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted
from tests.torture import forgetful, fuzz, malformed
from tests.torture.fuzz import MEMORY
from tests.torture.games import Child, Told, a_game, a_move, lost, play_on, play_on_a_full_disk
from ui.bench import crashes


class Figure(NamedTuple):
    """What a trial came to: injections, faults found (a line each), a remark, seconds. `skipped` says why
    nothing was tried here."""

    injected: int
    faults: tuple[str, ...] = ()
    remark: str = ""
    skipped: str = ""


Trial = Callable[[float, int, Path], Figure]


def share_of(full: int, share: float) -> int:
    """So many of a full campaign."""
    return max(3, round(full * share))


# ---- the process ends


def kills(share: float, seed: int, folder: Path) -> Figure:
    """SIGKILL at random moments of whole games, each gone on with by the next child."""
    count = share_of(2000, share)
    chance = random.Random(seed)
    faults: list[str] = []
    games = pending = over = 0
    acknowledged = (0, "")
    path = folder / "kills-0.game"
    for number in range(count):
        child = Child(partial(play_on, path, seed * 100_003 + number))
        # One in ten dies while it opens the record and plays it again, the others while it plays.
        if chance.random() < 0.1:
            time.sleep(chance.uniform(0, 0.1))
        else:
            child.listen("ready")
            time.sleep(chance.uniform(0, 0.06))
        child.kill()
        told = child.acknowledged
        acknowledged = max(acknowledged, told)
        wrong = lost(path, acknowledged)
        if wrong:
            faults.append(f"kill {number}: {wrong}")
        elif path.exists():
            journal = read(path)
            pending += journal.last_seq > acknowledged[0]
            acknowledged = journal.last_seq, journal.head if journal.last_seq else ""
        if wrong or child.said("over") or number == count - 1:
            over += child.said("over")
            games += 1
            path, acknowledged = folder / f"kills-{games}.game", (0, "")
    remark = (
        f"{games} games, {over} played to their end; {pending} times a ruling not yet shown was there too"
    )
    return Figure(count, tuple(faults), remark)


# ---- the disk loses or changes what was written


def power_cuts(share: float, seed: int, folder: Path) -> Figure:
    """Writes since the last flush lost, in part or whole, torn or turned to garbage, at random operations."""
    if crashes.tracer() is None:
        return Figure(0, skipped="strace is not here, or may not trace")
    faults: list[str] = []
    count = asked = 0
    runs = max(1, round(5 * share))
    for number in range(runs):
        for failing in (0, 5 + number):
            place = folder / f"cuts-{number}-{failing}"
            place.mkdir()
            ops = crashes.trace(place, seed + number, sessions=2, rulings=40, failing=failing)
            outcome = crashes.power_cuts(ops, share_of(200, min(1.0, share * 5)), seed + number, place)
            faults += outcome.faults
            count += outcome.crashes
            asked += outcome.asked
            shutil.rmtree(place)
    return Figure(count, tuple(faults), f"{asked} times the record asked, its log being gone, with all there")


RECORDINGS = (
    # Processes one after the other, rulings in each, one operation in so many failing (0: none).
    (2, 40, 0),
    (2, 40, 400),
    (2, 40, 60),
    (1, 1, 0),
    (3, 2, 30),
)
CUTS_EACH = 10


def lost_writes(share: float, seed: int, folder: Path) -> Figure:
    """The same on a file system of our own below SQLite: names as well as content, and every operation may
    fail."""
    faults: list[str] = []
    count = asked = pending = salvaged = failed = 0
    recordings = share_of(400, share)
    for number in range(recordings):
        sessions, rulings, every = RECORDINGS[number % len(RECORDINGS)]
        place = folder / f"forgetful-{number}"
        place.mkdir()
        ops = forgetful.record(place, seed * 100_003 + number, sessions, rulings, every)
        failed += sum(op.what == "fault" for op in ops)
        outcome = crashes.power_cuts(ops, CUTS_EACH, seed + number, place)
        faults += [f"recording {number}: {fault}" for fault in outcome.faults]
        count += outcome.crashes
        asked += outcome.asked
        pending += outcome.pending
        salvaged += outcome.salvaged
        shutil.rmtree(place)
    remark = (
        f"{recordings} recordings, in which {failed} operations failed; {asked} times the record asked, its "
        f"log being gone, with all there; {salvaged} times it called itself damaged, several operations "
        f"having failed, and was salvaged whole; {pending} times a ruling not yet shown was there too"
    )
    return Figure(count, tuple(faults), remark)


def blocks(share: float, seed: int, folder: Path) -> Figure:
    """Blocks of a record or its log zeroed, turned to garbage, exchanged or cut off."""
    count = share_of(3000, share)
    chance = random.Random(seed)
    path = folder / "blocks.game"
    child = Child(partial(play_on, path, seed, moves=60, checkpoint=0.05))
    child.listen("at 55 ")
    child.kill()
    truth = read(path)
    hashes = [one.hash for one in truth.entries()]
    whole = {name: name.read_bytes() for name in (path, path.with_name(path.name + "-wal")) if name.exists()}
    faults: list[str] = []
    refused = saved = short = 0
    for number in range(count):
        for name, data in whole.items():
            name.write_bytes(data)
        victim = chance.choice([name for name, data in whole.items() if data])
        victim.write_bytes(_damaged(whole[victim], chance))
        before = {name: name.read_bytes() for name in whole}
        try:
            found: MemoryJournal = read(path)
        except JournalError as wrong:
            refused += 1
            with suppress(JournalError):
                found, _ = salvage(path)
                saved += 1
                if [one.hash for one in found.entries()] != hashes[: found.last_seq]:
                    faults.append(f"damage {number}: what was salvaged is not the beginning of the game")
            if not str(wrong):
                faults.append(f"damage {number}: refused without a reason")
        else:
            if [one.hash for one in found.entries()] != hashes[: found.last_seq]:
                faults.append(f"damage {number}: another game was read")
            short += found.last_seq < len(hashes)
        if any(name.read_bytes() != data for name, data in before.items()):
            faults.append(f"damage {number}: the damaged file was changed")
    remark = (
        f"{refused} refused with the reason, {saved} of them salvaged up to the damage; "
        f"{count - refused} harmless, {short} of these with the end of the log gone, as a power cut leaves it"
    )
    return Figure(count, tuple(faults), remark)


def _damaged(data: bytes, chance: random.Random) -> bytes:
    out = bytearray(data)
    size = chance.choice([512, 4096, 8192])
    at = chance.randrange(0, len(out), 512)
    part = len(out[at : at + size])
    how = chance.choice(["zeros", "garbage", "torn", "other", "cut"])
    if how == "zeros":
        out[at : at + part] = bytes(part)
    elif how == "garbage":
        out[at : at + part] = chance.randbytes(part)
    elif how == "torn":
        out[at : at + part // 2] = chance.randbytes(part // 2)
    elif how == "other":
        other = chance.randrange(0, max(1, len(out) - part + 1))
        out[at : at + part] = data[other : other + part]
    else:
        del out[at:]
    return bytes(out)


# ---- the disk refuses


def disk_full(share: float, seed: int, folder: Path) -> Figure:
    """No room for one more byte, at random moments; then there is room again."""
    count = share_of(200, share)
    chance = random.Random(seed)
    faults: list[str] = []
    stopped = recovered = once = 0
    for number in range(count):
        path = folder / f"full-{number}.game"
        room = chance.randrange(70_000, 250_000)
        child = Child(partial(play_on_a_full_disk, path, seed + number, room=room))
        status = child.finish()
        if status:
            faults.append(f"disk full {number}: the table ended with {status}")
        stopped += child.said("unwritable")
        recovered += child.said("recovered")
        once += child.said("refused once")
        if wrong := lost(path, child.acknowledged):
            faults.append(f"disk full {number}: {wrong}")
        for left in folder.glob(f"full-{number}.game*"):
            left.unlink()
    remark = (
        f"{once} games were refused a ruling and went on once the log was folded in; {stopped} met the end "
        f"of the disk for good, {recovered} of them went on when there was room"
    )
    return Figure(count, tuple(faults), remark)


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path | None]:
    """A file system of its own, which can be turned read-only; None where nobody may mount."""
    place = folder / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def read_only(share: float, seed: int, folder: Path) -> Figure:
    """The data partition turns read-only while a game is played, and is mended."""
    count = share_of(60, share)
    chance = random.Random(seed)
    faults: list[str] = []
    with _small_disk(folder) as disk:
        if disk is None:
            return Figure(0, skipped="mounting is not allowed here")
        for number in range(count):
            game = a_game()
            path = disk / f"{number}.game"
            rng = random.Random(seed + number)
            with Journal.create(path, header_for(game)) as journal:
                referee = Referee.new(game, journal)
                _play(referee, rng, chance.randrange(1, 50))
                at = journal.last_seq, journal.head
                # A file that is open for writing keeps a disk writable; a failing card asks nobody.
                turned = subprocess.run(
                    ["mount", "-o", "remount,ro", str(disk)], capture_output=True, check=False
                ).returncode
                if turned:
                    faults += _refusing(journal, referee, rng, number)
                else:
                    try:
                        _play(referee, rng, 1)
                        faults.append(f"read-only {number}: a ruling was acknowledged on a read-only disk")
                    except JournalError:
                        pass
                    if lost(path, at):
                        faults.append(f"read-only {number}: {lost(path, at)}")
                    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
                if not journal.on_disk:
                    journal.recover()
                    referee.catch_up()
                _play(referee, rng, 3)
                at = journal.last_seq, journal.head
            if wrong := lost(path, at):
                faults.append(f"read-only {number}: {wrong}")
            path.unlink()
    return Figure(
        count, tuple(faults), "the record says so at once, can be read and exported, and goes on afterwards"
    )


def _refusing(journal: Journal, referee: Referee[Any], rng: random.Random, number: int) -> list[str]:
    """Stands for a remount where an open file forbids it: SQLite itself is told to write nothing."""
    database = journal._database
    assert database is not None
    database.execute("PRAGMA query_only = ON")
    before = journal.last_seq
    try:
        _play(referee, rng, 1)
    except JournalError:
        return []
    if journal.last_seq == before:
        return []
    return [f"read-only {number}: a ruling was acknowledged on a read-only disk"]


def _play(referee: Referee[Any], rng: random.Random, moves: int) -> None:
    for _ in range(moves):
        action = a_move(referee.game, referee.state, rng)
        if action is None:
            return
        if not isinstance(referee.submit(action), Accepted):
            raise AssertionError(f"a legal action was refused: {action}")


# ---- the clock jumps


JUMPS_S = (-20 * 60, 6 * 24 * 3600, 94 * 365 * 24 * 3600, -94 * 365 * 24 * 3600)


def clocks(share: float, seed: int, folder: Path) -> Figure:
    """The wall clock goes back 20 minutes, forward six days, to the year 2120, and back, in a game."""
    from datetime import UTC, datetime, timedelta

    count = share_of(200, share)
    faults: list[str] = []
    for number in range(count):
        chance = random.Random(seed + number)
        wall = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)

        def now(chance: random.Random = chance) -> str:
            nonlocal wall
            if chance.random() < 0.2:
                wall += timedelta(seconds=chance.choice(JUMPS_S))
                wall = max(datetime(1970, 1, 1, tzinfo=UTC), min(wall, datetime(2120, 12, 31, tzinfo=UTC)))
            return wall.isoformat()

        game = a_game()
        path = folder / f"clock-{number}.game"
        with Journal.create(path, header_for(game), now=now, clock_set=lambda: False) as journal:
            _play(Referee.new(game, journal), random.Random(number), 40)
        steady = Referee.new(game, MemoryJournal(header_for(game)))
        _play(steady, random.Random(number), 40)
        there = Referee.resume(read(path))
        if there.actions != steady.actions or game.digest(there.state) != game.digest(steady.state):
            faults.append(f"clock {number}: the order or the result has changed")
        path.unlink()
    return Figure(
        count,
        tuple(faults),
        "40 actions each, the clock jumping at every fifth entry: order and result the same",
    )


# ---- two at once


def two_at_once(share: float, seed: int, folder: Path) -> Figure:
    """Several processes open the same record, and several kiosks the same folder, at the same moment."""
    count = share_of(200, share)
    faults: list[str] = []
    game = a_game()
    path = folder / "two.game"
    with Journal.create(path, header_for(game)) as journal:
        _play(Referee.new(game, journal), random.Random(seed), 20)
        head = journal.last_seq, journal.head
    for number in range(count):
        held, release = os.pipe()

        def race(told: Told, held: int = held, release: int = release) -> None:
            os.close(release)
            try:
                with Journal.open(path):
                    told.word("race: has it")
                    os.read(held, 1)  # Until all have tried.
            except Locked:
                told.word("race: taken")

        children = [Child(race) for _ in range(3)]
        for child in children:
            child.listen("race:")
        os.close(release)
        os.close(held)
        for child in children:
            child.finish()
        have = sum(child.said("race: has it") for child in children)
        told = sum(child.said("race: taken") for child in children)
        if have != 1 or told != 2:
            faults.append(f"race {number}: {have} have it, {told} were told")
    if wrong := lost(path, head):
        faults.append(wrong)
    faults += _two_kiosks(folder)
    return Figure(
        count,
        tuple(faults),
        "three at a time: one has it, the others say who; a second kiosk ends with a line",
    )


def _two_kiosks(folder: Path) -> list[str]:
    from ui.kiosk.config import Config
    from ui.kiosk.host import Host, Taken
    from ui.presenters.metrics import metrics

    config = Config(games=folder / "kiosk")
    first = Host(config, metrics(1024, 600))
    try:
        Host(config, metrics(1024, 600)).close()
    except Taken:
        return []
    finally:
        first.close()
    return ["two kiosks use one folder"]


# ---- camera, malformed things, files of settings


def camera(share: float, seed: int, folder: Path) -> Figure:
    """The camera hangs, crashes, vanishes, comes back: its process is started anew, and sees again."""
    seconds = max(15, round(180 * share))
    command = [sys.executable, "-m", "tests.camera.soak", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    words = (done.stdout.strip().splitlines() or [""])[-1]
    faults = () if done.returncode == 0 else (f"{words} {done.stderr.strip()[-300:]}",)
    rounds = sum(" MB  " in line for line in done.stdout.splitlines())
    heard = words.removeprefix("soak: ").replace("'", "")
    return Figure(rounds, faults, f"{seconds} s, nine kinds of fault in turns: {heard}")


def panel(share: float, seed: int, folder: Path) -> Figure:
    """Buttons vanish, stick, chatter and come back while a game is played."""
    from assistant.messages import PanelState, PanelStatus, Press
    from assistant.table import Table

    count = share_of(500, share)
    chance = random.Random(seed)
    game = a_game()
    table = Table(Referee.new(game, MemoryJournal(header_for(game))))
    faults: list[str] = []
    for number in range(count):
        state = chance.choice(list(PanelState))
        table.handle(PanelStatus(state, "the cable is off", ("A plus",), float(number)))
        for _ in range(chance.randrange(30)):
            button, seat = chance.choice(["plus", "ok", "next"]), chance.choice(["A", "B", None])
            table.handle(Press(button, seat, at=float(number)))
        action = a_move(game, table.referee.state, chance)
        if action is None:
            table = Table(Referee.new(game, MemoryJournal(header_for(game))))
        elif not isinstance(table.referee.submit(action), Accepted):
            faults.append(f"panel {number}: a touch was refused")
    return Figure(
        count, tuple(faults), "the panel off, faulty and back, with bursts of presses: touch goes on"
    )


def malformations(share: float, seed: int, folder: Path) -> Figure:
    """Malformed messages, packs, imports, tags, pictures and backups."""
    faults: list[str] = []
    counts: list[str] = []
    total = 0
    for name, trial, part in malformed.SHARES:
        try:
            done = trial(round(10_000 * part * share), seed)
        except Exception as wrong:
            faults.append(f"{name}: {type(wrong).__name__}: {str(wrong)[:300]}")
            continue
        total += done
        counts.append(f"{done} {name}")
    return Figure(total, tuple(faults), ", ".join(counts))


def fuzzed(share: float, seed: int, folder: Path) -> Figure:
    """The same by a fuzzer that looks into the code, where it is installed."""
    if not fuzz.there():
        return Figure(0, skipped=fuzz.MISSING)
    seconds = max(1.0, 60 * share)
    done = [fuzz.fuzz(name, seconds) for name in fuzz.TARGETS]
    faults = tuple(f"{one.name}: {one.found}" for one in done if one.found)
    counts = ", ".join(f"{one.inputs} {one.name}" for one in done)
    return Figure(sum(one.inputs for one in done), faults, f"{seconds:g} s of the processor's each: {counts}")


def settings_files(share: float, seed: int, folder: Path) -> Figure:
    """The kiosk's settings cut off, zeroed or empty, and the power gone between writing and renaming."""
    from ui.kiosk.store import Settings, Store

    count = share_of(500, share)
    chance = random.Random(seed)
    faults: list[str] = []
    lasts = 0
    for number in range(count):
        place = folder / f"settings-{number}" / "kiosk-settings.json"
        place.parent.mkdir()
        store = Store(place)
        store.save(Settings(name="one"))
        store.save(Settings(name="two"))
        data = bytearray(place.read_bytes())
        how = chance.choice(["empty", "half", "zeros", "leftover"])
        if how == "leftover":
            (place.parent / f".{place.name}.1.new").write_bytes(data[: len(data) // 2])
        else:
            bad = {
                "empty": b"",
                "half": bytes(data[: chance.randrange(len(data))]),
                "zeros": bytes(len(data)),
            }[how]
            place.write_bytes(bad)
        found: Any = Store(place).load()
        settings = getattr(found, "content", None) or getattr(found, "settings", None)
        name = None if settings is None else settings.name
        if name != ("two" if how == "leftover" else "one"):
            faults.append(f"settings {number} ({how}): {name!r} was loaded")
        if how != "leftover":
            lasts += 1
            aside = list(place.parent.glob(f"{place.name}.damaged-*"))
            if len(aside) != 1 or not found.notices:
                faults.append(f"settings {number} ({how}): not kept aside, or not said")
        shutil.rmtree(place.parent)
    return Figure(
        count, tuple(faults), f"{lasts} times the last good file was used, with a notice, the bad one kept"
    )


def missing_files(share: float, seed: int, folder: Path) -> Figure:
    """A record whose log, or which itself, is gone: asked about or refused, never begun anew in silence."""
    count = share_of(100, share)
    faults: list[str] = []
    path = folder / "gone.game"
    for number in range(count):
        child = Child(partial(play_on, path, number, moves=10, checkpoint=0))
        child.listen("at 5 ")
        child.kill()
        log = path.with_name(path.name + "-wal")
        with suppress(FileNotFoundError):
            log.unlink()
        try:
            read(path)
            if lost(path, child.acknowledged):
                faults.append(
                    f"missing log {number}: opened without a question, {lost(path, child.acknowledged)}"
                )
        except LogMissing:
            pass
        for left in folder.glob("gone.game*"):
            left.unlink()
        try:
            Journal.open(path)
            faults.append(f"missing file {number}: a new record was begun in silence")
        except NoSuchJournal:
            pass
    return Figure(count, tuple(faults), "asked about (LogMissing) or refused; no empty record in its place")


TRIALS: dict[str, tuple[Trial, str, str]] = {
    "kills": (kills, "the process is killed", "the kiosk is back within seconds, at the last ruling"),
    "power cuts": (power_cuts, "power goes; unflushed writes are lost or torn", "the same, after the start"),
    "lost writes": (
        lost_writes,
        "power goes on a file system that forgets; names are lost too, and any operation may fail",
        "the same, after the start",
    ),
    "blocks": (
        blocks,
        "blocks torn, zeroed, exchanged, cut",
        "the game is marked with the reason; import --salvage",
    ),
    "missing": (missing_files, "a log or a record is gone", "a question, or the reason"),
    "disk full": (
        disk_full,
        "the disk is full",
        "at once: not recorded; goes on when there is room, or unrecorded",
    ),
    "read-only": (read_only, "the disk turns read-only", "the same"),
    "settings": (settings_files, "the settings are damaged", "a sentence; the last good ones are used"),
    "clock": (clocks, "the clock jumps", "nothing; dates are marked as not set"),
    "camera": (camera, "the camera fails and returns", "a sentence; play goes on by touch"),
    "panel": (panel, "the buttons fail and return", "a sentence; play goes on by touch"),
    "malformed": (malformations, "malformed things come in", "the reason, where people see it"),
    "fuzz": (fuzzed, "bytes that reach ever more of the code", "the reason, where people see it"),
    "two": (two_at_once, "two start at once", "the second says who has it, and ends"),
}


SIMULATED = {"power cuts", "lost writes"}
"""Their disk is a simulated one, so that real flushes would only cost time."""


def run(name: str, share: float = 1.0, seed: int = 1) -> Figure:
    """One trial in a folder of its own."""
    where = MEMORY if name in SIMULATED and os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="stationmaster-torture-", dir=where) as folder:
        return TRIALS[name][0](share, seed, Path(folder))
