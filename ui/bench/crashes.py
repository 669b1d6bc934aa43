"""What is left of a journal when its process is killed, or the power goes, at any moment.

Two experiments, one question: are all entries there that had been acknowledged, and nothing but those and
perhaps the ruling that was being written?

- *Kills*: a child appends to a journal and tells each commit through a pipe; it gets SIGKILL after a random
  time, and the next child goes on with the same file. The page cache survives, as it does for a crash.
- *Power cuts*: strace(1) notes every write, flush, truncation and change of name that a journal really makes,
  and its acknowledgements among them. A simulated disk then stops at a random one. What was flushed
  (fsync, fdatasync) is there. Of what was not, any part may be: all, nothing, everything up to some
  byte, some of the sectors of 512 or 4096 bytes, later ones without earlier ones too, and sectors full of
  garbage. Of the changes of names since the last flush of the folder, those up to some point are there, as
  on a journaling file system, or any of them, as on one without a journal; a change of name by rename is
  there or not. A sector that is written again in part keeps the bytes it already held ("powersafe
  overwrite", which SQLite assumes too); what was waiting for a flush that failed is lost to all later
  flushes (Rebello et al., USENIX ATC 2020). Storage that lies about flushes is not simulated.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

import msgspec

from assistant.journal import (
    AnyJournal,
    DamagedFile,
    Entry,
    Header,
    Journal,
    JournalError,
    JournalIOError,
    JournalUnwritable,
    LogMissing,
    SeatInfo,
    read,
    salvage,
)

HEADER = Header(
    game="bench",
    edition="none",
    rules_version="1",
    pack_id="bench",
    pack_digest="0" * 64,
    pack_text='[pack]\nid = "bench"\n'
    + "# A line as long as those of a real pack are, more or less.\n" * 300,
    seats=(SeatInfo("A", "Ann"), SeatInfo("B", "Bo"), SeatInfo("C", "Cleo"), SeatInfo("D", "Dan")),
    options={"open_scores": True, "bonus": 3},
)
"""The header of the games that benches play; its pack has the size of a real one."""
TRACED = "traced.journal"
"""The name of a journal whose operations are traced."""
SECTOR = 512
"""Bytes that a disk writes as one, the smallest there is."""
SECTORS = (SECTOR, 4096)
"""What disks write as one."""
GROUPS = (1, 1, 2, 1, 6, 1, 3)
"""Entries per ruling, in turns."""
_CALLS = (
    "openat,open,creat,write,pwrite64,pwritev,pwritev2,writev,ftruncate,truncate,fallocate,fsync,fdatasync,"
    "sync_file_range,link,linkat,unlink,unlinkat,rename,renameat,renameat2,msync"
)
_LINE = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE = re.compile(r"^\d+<([^>]*)>")


def entry(seq: int) -> Entry:
    """The entry that stands at number `seq` in a bench's journal: about as long as a real one."""
    seat = "ABCD"[seq % 4]
    return Entry(
        kind="act",
        body={"type": "place_rail", "seat": seat, "hex": f"{seq % 17}-{seq % 11}", "pay": {"money": seq % 9}},
        digest=f"{seq * 2654435761 % 2**64:016x}" * 2,
        clocks=dict.fromkeys("ABCD", 1800.0 - seq * 0.25),
        by=seat,
    )


def group_after(rulings: int) -> int:
    """How many entries the ruling after so many rulings has."""
    return GROUPS[rulings % len(GROUPS)]


def boundaries(last: int) -> list[int]:
    """Entry numbers at which rulings end, from 0 up to `last` and one further."""
    ends = [0]
    while ends[-1] <= last:
        ends.append(ends[-1] + group_after(len(ends) - 1))
    return ends


def fault_in(present: int, acknowledged: int) -> str:
    """What is wrong with so many entries being there after so many were acknowledged; "" for nothing."""
    ends = boundaries(max(present, acknowledged))
    if present < acknowledged:
        return f"{acknowledged - present} acknowledged entries lost ({present} of {acknowledged} are there)"
    if present not in ends:
        return f"half a ruling is there (up to entry {present})"
    if ends.index(present) > ends.index(acknowledged) + 1:
        return f"{present} entries are there, but only {acknowledged} were acknowledged"
    return ""


def inspect(journal: AnyJournal, acknowledged: int) -> str:
    """What is wrong with what a journal holds after so many entries were acknowledged; "" for nothing."""
    for recorded in journal.entries():
        if recorded.entry != entry(recorded.seq):
            return f"entry {recorded.seq} is not what was written"
    return fault_in(journal.last_seq, acknowledged)


# --- the child that writes -----------------------------------------------------------------------


def tell(text: str) -> None:
    """Acknowledge something on standard output, unbuffered."""
    os.write(1, f"{text}\n".encode())


def write_on(
    path: Path,
    rulings: int,
    chance: random.Random,
    *,
    tidy: bool = True,
    tell: Callable[[str], None] = tell,
) -> NoReturn:
    """Create or open the journal, append `rulings` rulings, with checkpoints and reopenings at random, and
    end the process.

    Tells "at N" after each commit, with the number of the last entry. Without `tidy` nothing but appending
    is done, and the journal is not closed.
    """
    journal = Journal.open(path) if path.exists() else Journal.create(path, HEADER, secret="seed")
    tell(f"at {journal.last_seq}")
    done = boundaries(journal.last_seq).index(journal.last_seq)
    for number in range(done, done + rulings):
        first = journal.last_seq + 1
        group = [entry(seq) for seq in range(first, first + group_after(number))]
        lot = chance.random() if tidy else 1.0
        try:
            journal.append(group)
            if lot < 0.06:
                tell(f"at {journal.last_seq}")
                journal.checkpoint()
        except JournalUnwritable:
            raise
        except JournalIOError as error:
            if not error.recorded:
                journal.append(group)
        tell(f"at {journal.last_seq}")
        if 0.06 <= lot < 0.1:
            journal.close()
            journal = Journal.open(path)
    if tidy and chance.random() < 0.5:
        journal.close()
    # Otherwise the process ends without closing, as a crash does.
    os._exit(0)


def _nursery() -> None:
    """Start a writer for each line "SEED PATH" on standard input. A fork of this process, which has
    everything imported, starts in a millisecond."""
    for line in sys.stdin:
        seed, path = line.rstrip("\n").split(" ", 1)
        child = os.fork()
        if child == 0:
            try:
                write_on(Path(path), 10_000, random.Random(seed))
            except BaseException as error:
                tell(f"failed {error}")
                os._exit(1)
        tell(f"pid {child}")
        os.waitpid(child, 0)
        tell("gone")


# --- kills ---------------------------------------------------------------------------------------


class Outcome(msgspec.Struct, frozen=True):
    """A campaign: how many crashes; what went wrong, one line each; after how many a ruling was there that
    had not been acknowledged yet; after how many the journal asked, with LogMissing, before it went on
    with entries that were all there; and after how many it called itself damaged, several operations having
    failed before, and everything that had been acknowledged was salvaged."""

    crashes: int
    faults: tuple[str, ...]
    pending: int
    asked: int
    salvaged: int = 0


def kills(count: int, seed: int, folder: Path, longest: float = 0.05) -> Outcome:
    """Kill a writing child `count` times, each after a random time of up to `longest` seconds."""
    chance = random.Random(seed)
    faults: list[str] = []
    pending = 0
    nursery = subprocess.Popen(
        [sys.executable, "-m", "ui.bench.crashes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    acknowledged: int | None = None
    path = folder / "0.journal"
    try:
        for number in range(count):
            if number % 50 == 0:
                path, acknowledged = folder / f"{number}.journal", None
            nursery.stdin.write(f"{seed}-{number} {path}\n")
            last, told = _one_kill(nursery.stdout, chance.uniform(0, longest))
            acknowledged = acknowledged if last is None else last
            wrong = told
            if not wrong and (path.exists() or acknowledged is not None):
                try:
                    journal = read(path)
                    wrong = inspect(journal, acknowledged or 0)
                    pending += journal.last_seq > (acknowledged or 0)
                    acknowledged = journal.last_seq
                except JournalError as error:
                    wrong = str(error)
            if wrong:
                faults.append(f"kill {number}: {wrong}")
                path, acknowledged = folder / f"{number}-next.journal", None
    finally:
        nursery.stdin.close()
        nursery.wait()
        nursery.stdout.close()
    return Outcome(count, tuple(faults), pending, 0)


def _one_kill(told: IO[str], delay: float) -> tuple[int | None, str]:
    """Wait, kill the writer that has just been started, and read out what it had acknowledged."""
    pid, last, failed, killed = 0, None, "", False
    for line in told:
        word, _, rest = line.strip().partition(" ")
        if word == "at":
            last = int(rest)
        elif word == "failed":
            failed = rest
        elif word == "gone":
            break
        elif word == "pid":
            pid = int(rest)
        if pid and not killed:
            time.sleep(delay)
            os.kill(pid, signal.SIGKILL)
            killed = True
    return last, failed


# --- power cuts ----------------------------------------------------------------------------------


class Op(msgspec.Struct, frozen=True):
    """Something the traced process did. `what` is "create", "write", "truncate", "flush", "failed" (a
    flush that was), "link", "unlink", "rename", "told" (an acknowledgement), or "fault" (a mark for whoever
    counts that something was made to fail); `name` is the file in the
    folder ("" for the folder itself), `to` a second name, `at` an offset or length in bytes, `data` what
    was written or told."""

    what: str
    name: str = ""
    to: str = ""
    at: int = 0
    data: bytes = b""


def tracer() -> str | None:
    """Where strace is, None if it is missing or may not trace here."""
    strace = shutil.which("strace")
    if strace is None:
        return None
    tried = subprocess.run([strace, "-qq", "-e", "trace=none", "true"], capture_output=True, check=False)
    return strace if tried.returncode == 0 else None


def trace(
    folder: Path, seed: int, sessions: int = 2, rulings: int = 40, *, tidy: bool = True, failing: int = 0
) -> list[Op]:
    """What a journal in `folder` does to the disk while so many processes, one after the other, append to it.

    The flush with number `failing` of each process (counted from 1) fails with an I/O error.

    Raises RuntimeError without strace, or when the traced process does something to its files that the
    simulated disk does not know.
    """
    ops: list[Op] = []
    for session in range(sessions):
        arguments = [str(folder / TRACED), str(rulings), f"{seed}-{session}", str(int(tidy))]
        ops += traced(folder, ["-m", "ui.bench.crashes", *arguments], failing)
    return ops


def traced(folder: Path, python: Sequence[str], failing: int = 0) -> list[Op]:
    """What a Python process with these arguments does to the files of a folder. See `trace`."""
    strace = tracer()
    if strace is None:
        raise RuntimeError("strace is missing or may not trace processes here")
    calls = ",".join(f"?{call}" for call in _CALLS.split(","))
    command = [strace, "-qq", "-y", "-xx", "-s", "70000", "-e", f"trace={calls}", "-e", "signal=none"]
    if failing:
        command += ["-e", f"inject=?fdatasync:error=EIO:when={failing}"]
    with tempfile.NamedTemporaryFile("r", suffix=".strace") as log:
        command += ["-o", log.name, sys.executable, *python]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return [op for line in log for op in _op(line, os.path.realpath(folder))]


def _op(line: str, folder: str) -> Iterator[Op]:
    """The operation that a line of strace's means to the folder, if any."""
    match = _LINE.match(line)
    if match is None:
        return
    call, arguments = match[1], match[2]
    failed = int(match[3]) < 0
    if failed and call not in ("fsync", "fdatasync"):
        return
    texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(arguments)]
    on = _FILE.match(arguments)
    if on is not None:
        place = _unescaped(on[1])
        if call == "write" and place.startswith(("pipe:", "/dev/null")) and arguments.startswith("1<"):
            yield Op("told", data=texts[0])
            return
        name = inside(place, folder)
        if name is None:
            return
        numbers = [int(number) for number in re.findall(r", (\d+)", arguments)]
        if call == "pwrite64":
            yield Op("write", name, at=numbers[-1], data=texts[0][: int(match[3])])
        elif call == "ftruncate":
            yield Op("truncate", name, at=numbers[-1])
        elif call in ("fsync", "fdatasync"):
            yield Op("failed" if failed else "flush", name)
        elif call not in ("openat", "unlinkat", "linkat"):
            raise RuntimeError(f"the simulated disk does not know {call}")
        return
    names = [inside(text.decode(errors="replace"), folder) for text in texts]
    if not names or names[0] is None:
        return
    if call in ("openat", "open"):
        if "O_CREAT" in arguments:
            yield Op("create", names[0])
    elif call in ("link", "linkat", "rename", "renameat", "renameat2"):
        yield Op("link" if call.startswith("link") else "rename", names[0], names[1] or "")
    elif call in ("unlink", "unlinkat"):
        yield Op("unlink", names[0])
    else:
        raise RuntimeError(f"the simulated disk does not know {call}")


def _unescaped(text: str) -> str:
    return bytes.fromhex(text.replace("\\x", "")).decode() if text.startswith("\\x") else text


def inside(place: str, folder: str) -> str | None:
    """The file's name if it is in the folder ("" for the folder); locks do not count."""
    if place == folder:
        return ""
    path = Path(place)
    return path.name if str(path.parent) == folder and path.suffix != ".lock" else None


class Disk:
    """A folder on a disk that forgets what was not flushed."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._flushed_names: dict[str, int] = {}
        self._changes: list[dict[str, int | None]] = []
        """Of names, since the folder was flushed: each name's file, or None for none."""
        self._flushed: list[bytes] = []
        self._waiting: list[list[Op]] = []
        self._doomed: list[list[Op]] = []

    def do(self, op: Op) -> None:
        """Let the process do something."""
        if op.what == "create":
            if op.name not in self._names:
                self._flushed.append(b"")
                self._waiting.append([])
                self._doomed.append([])
                self._change({op.name: len(self._flushed) - 1})
        elif op.what in ("write", "truncate"):
            self._waiting[self._names[op.name]].append(op)
        elif op.what == "flush" and op.name:
            file = self._names[op.name]
            self._flushed[file] = _applied(self._flushed[file], self._waiting[file])
            self._doomed[file] = _without(self._doomed[file], self._waiting[file])
            self._waiting[file] = []
        elif op.what == "failed" and op.name:
            # The kernel takes these pages for written now; no later flush of the file will write them.
            file = self._names[op.name]
            self._doomed[file] = [*_without(self._doomed[file], self._waiting[file]), *self._waiting[file]]
            self._waiting[file] = []
        elif op.what == "flush":
            self._flushed_names, self._changes = self._names, []
        elif op.what == "link":
            self._change({op.to: self._names[op.name]})
        elif op.what == "unlink":
            self._change({op.name: None})
        elif op.what == "rename":
            self._change({op.name: None, op.to: self._names[op.name]})

    def _change(self, change: dict[str, int | None]) -> None:
        self._names = _renamed(self._names, [change])
        self._changes.append(change)

    def after_power_cut(self, chance: random.Random) -> dict[str, bytes]:
        """Files by name as they may be found when power returns."""
        if chance.random() < 0.5:
            changes = self._changes[: chance.randint(0, len(self._changes))]
        else:
            changes = [change for change in self._changes if chance.random() < 0.5]
        names = _renamed(self._flushed_names, changes)
        found = {
            file: _survived(self._flushed[file], self._doomed[file] + self._waiting[file], chance)
            for file in names.values()
        }
        return {name: found[file] for name, file in names.items()}


def _renamed(names: dict[str, int], changes: Sequence[dict[str, int | None]]) -> dict[str, int]:
    merged: dict[str, int | None] = {**names}
    for change in changes:
        merged |= change
    return {name: file for name, file in merged.items() if file is not None}


def _applied(content: bytes, ops: Sequence[Op]) -> bytes:
    result = bytearray(content)
    for op in ops:
        end = op.at + len(op.data)
        if len(result) < end:
            result.extend(bytes(end - len(result)))
        if op.what == "truncate":
            del result[op.at :]
        else:
            result[op.at : end] = op.data
    return bytes(result)


def _without(old: Sequence[Op], new: Sequence[Op]) -> list[Op]:
    """Old writes, less the sectors that new operations wrote or cut off again. Old changes of length are
    left out: the file system's own tables do not depend on the pages that were lost."""
    spans = [(op.at, op.at + len(op.data) if op.what == "write" else sys.maxsize) for op in new]
    return [
        part
        for part in _sectors(old)
        if part.what == "write"
        and not any(start < part.at + len(part.data) and part.at < end for start, end in spans)
    ]


def _sectors(ops: Sequence[Op], size: int = SECTOR) -> Iterator[Op]:
    """The same operations, with writes cut at the boundaries of sectors of so many bytes."""
    for op in ops:
        if op.what == "truncate":
            yield op
            continue
        start = op.at
        while start < op.at + len(op.data):
            end = min((start // size + 1) * size, op.at + len(op.data))
            yield Op("write", op.name, at=start, data=op.data[start - op.at : end - op.at])
            start = end


def _survived(content: bytes, ops: Sequence[Op], chance: random.Random) -> bytes:
    """Flushed content with some part of what was written since."""
    way = chance.choice(("all", "none", "bytes", "sectors", "garbage"))
    if way == "none" or not ops:
        return content
    # A truncation is a change of the file system's own tables: once it is lost, so is all that follows it.
    kept: list[Op] = []
    for op in ops:
        if op.what == "truncate" and way != "all" and chance.random() < 0.5:
            break
        kept.append(op)
    if way == "all":
        return _applied(content, kept)
    if way == "bytes":
        return _applied(content, _first_bytes(kept, chance))
    return _applied(content, list(_some_sectors(kept, chance, garbage=way == "garbage")))


def _first_bytes(ops: Sequence[Op], chance: random.Random) -> list[Op]:
    left = chance.randint(0, sum(len(op.data) for op in ops))
    kept: list[Op] = []
    for op in ops:
        if op.what == "write" and len(op.data) > left:
            return [*kept, msgspec.structs.replace(op, data=op.data[:left])]
        left -= len(op.data)
        kept.append(op)
    return kept


def _some_sectors(ops: Sequence[Op], chance: random.Random, *, garbage: bool) -> Iterator[Op]:
    share = chance.random()
    for op in _sectors(ops, chance.choice(SECTORS)):
        if op.what == "truncate" or chance.random() < share:
            yield op
        elif garbage and chance.random() < 0.5:
            yield msgspec.structs.replace(op, data=chance.randbytes(len(op.data)))


def power_cuts(ops: Sequence[Op], count: int, seed: int, folder: Path) -> Outcome:
    """Cut the power at `count` random moments of a trace, and go on with what is left, in `folder`.

    After each the journal is read, opened for writing, appended to, and read again.
    """
    chance = random.Random(seed)
    moments = sorted(chance.randrange(1, len(ops) + 1) for _ in range(count))
    faults: list[str] = []
    pending = asked = salvaged = 0
    disk, done, acknowledged = Disk(), 0, None
    failures = 0
    for number, moment in enumerate(moments):
        for op in ops[done:moment]:
            disk.do(op)
            failures += op.what == "fault"
            if op.what == "told":
                acknowledged = int(op.data.split()[1])
        done = moment
        place = folder / str(number)
        place.mkdir()
        for name, content in disk.after_power_cut(chance).items():
            (place / name).write_bytes(content)
        try:
            wrong, more, missing = _resumed(place / TRACED, acknowledged)
            pending += more
            asked += missing
        except JournalError as error:
            # Before the journal's creation was acknowledged nothing was promised, but for what else is there.
            wrong = "" if acknowledged is None and _resumed(place / "other", None) else str(error)
            # A flush failed, then the file could not be written from the log: the log goes on behind a hole
            # until that is done. Power that goes just then leaves what looks like damage.
            if wrong and failures > 1 and isinstance(error, DamagedFile):
                found, _ = salvage(place / TRACED)
                wrong = inspect(found, acknowledged or 0)
                salvaged += not wrong
        if wrong:
            faults.append(f"power cut {number} before operation {moment}: {wrong}")
        shutil.rmtree(place)
    return Outcome(count, tuple(faults), pending, asked, salvaged)


def _resumed(path: Path, acknowledged: int | None) -> tuple[str, bool, bool]:
    """Read a journal after a crash, play on, and say what is wrong, whether there was more in it than was
    acknowledged, and whether it asked because of its log. Raises JournalError."""
    if acknowledged is None and not path.exists():
        Journal.create(path, HEADER).close()
        return "", False, False
    missing = False
    try:
        found: AnyJournal = read(path)
    except LogMissing:
        found, missing = salvage(path)[0], True
    wrong = inspect(found, acknowledged or 0)
    if wrong:
        return wrong, False, missing
    before = found.last_seq
    size = group_after(boundaries(before).index(before))
    with Journal.open(path, without_log=missing) as journal:
        journal.append([entry(seq) for seq in range(before + 1, before + 1 + size)])
        journal.verify()
    if read(path).last_seq != before + size:
        return "what was played afterwards is not there", False, missing
    return "", before > (acknowledged or 0), missing


def flushes(ops: Sequence[Op]) -> list[tuple[int, int]]:
    """Of each ruling in a trace: how many entries it had and how often anything was flushed for it."""
    found: list[tuple[int, int]] = []
    last: int | None = None
    flushed = 0
    for op in ops:
        if op.what == "flush":
            flushed += 1
        elif op.what == "told":
            now = int(op.data.split()[1])
            if last is not None and now > last:
                found.append((now - last, flushed))
            last, flushed = now, 0
    return found


def _main(arguments: Sequence[Any]) -> None:
    if arguments:
        path, rulings, seed, tidy = arguments
        try:
            write_on(Path(path), int(rulings), random.Random(seed), tidy=tidy == "1")
        except JournalIOError:
            os._exit(0)  # The disk was told to fail; what had been acknowledged stands.
    else:
        _nursery()


if __name__ == "__main__":
    _main(sys.argv[1:])
