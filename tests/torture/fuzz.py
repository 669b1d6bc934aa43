"""`python -m tests.torture.fuzz [--for S] [NAME ...]`: a fuzzer that looks into the code (atheris, on
libFuzzer) feeds bytes from outside to whatever reads them.

Each parser refuses with a reason, or takes the bytes for what they are; anything else that is raised, an
input that takes longer than 20 s, and one that takes 2 GB are findings. atheris has wheels for x86_64 only;
`make fuzz` installs it. Where it is missing nothing is fuzzed, and a line says so.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

MISSING = "atheris is not installed; `make fuzz` installs it where there is a wheel (x86_64)"
LOOKED_INTO = ["assistant", "hardware", "ui", "vision", "json", "tomllib", "zipfile"]
"""Modules in which branches are counted. What is written in C (msgspec, SQLite, the decoders) is not seen."""
SLOWEST_S, LARGEST_MB = 20, 2048
MOST_WORDS = 300
LONGEST = 65536
"""Bytes of an input."""

MEMORY = Path("/dev/shm")
"""A folder in memory, on Linux."""

Parse = Callable[[bytes], None]
Target = Callable[[Path], tuple[Parse, list[bytes]]]
"""Gets a folder of its own; gives what is fed, and examples to begin with."""


def there() -> bool:
    """Whether the fuzzer is installed here."""
    return importlib.util.find_spec("atheris") is not None


def reason(wrong: Exception) -> None:
    """Whoever is refused is told why."""
    if not str(wrong):
        raise AssertionError(f"{type(wrong).__name__} without a reason")


# ---- what reads bytes from outside


def tags(folder: Path) -> tuple[Parse, list[bytes]]:
    """What a decoder hands on of a code."""
    from assistant.layout import compose_payload, is_own_payload
    from vision.decoders import readable

    truth = compose_payload("R", "01", 7)

    def parse(data: bytes) -> None:
        text = readable(data)
        if is_own_payload(text):
            assert len(text) == len(truth), text
            assert text.encode() == data

    return parse, [truth.encode(), compose_payload("T", "02", 300).encode()]


def messages(folder: Path) -> tuple[Parse, list[bytes]]:
    """Messages to a table that plays, as hypothesis makes them of the bytes; its record only grows."""
    import hypothesis
    from hypothesis import strategies as st

    from assistant.journal import MemoryJournal
    from assistant.referee import Referee, header_for
    from assistant.table import Table
    from tests.torture.games import a_game
    from tests.torture.malformed import MESSAGES

    game = a_game()

    @hypothesis.settings(deadline=None, database=None)
    @hypothesis.given(st.lists(MESSAGES, min_size=1, max_size=8))
    def play(given: list[Any]) -> None:
        table = Table(Referee.new(game, MemoryJournal(header_for(game))))
        for message in given:
            before = table.referee.journal.last_seq
            table.handle(message)
            assert table.referee.journal.last_seq >= before
            assert not any(one.text.startswith("an internal fault") for one in table.view.notices)

    feed: Callable[[bytes], object] = play.hypothesis.fuzz_one_input  # type: ignore[attr-defined]

    def parse(data: bytes) -> None:
        feed(data)

    return parse, [bytes(range(256))]


def packs(folder: Path) -> tuple[Parse, list[bytes]]:
    """Content packs of every game; the first byte says of which."""
    from assistant.game import titles
    from assistant.packs import PackFaults

    known = [title for _, title in sorted(titles().items())]
    file = folder / "pack.toml"

    def parse(data: bytes) -> None:
        if not data:
            return
        file.write_bytes(data[1:])
        try:
            known[data[0] % len(known)].load_pack(file)
        except PackFaults as wrong:
            reason(wrong)

    examples = [
        bytes([number]) + (title.folder / "packs" / f"{title.default_pack}.toml").read_bytes()
        for number, title in enumerate(known)
    ]
    return parse, examples


def exports(folder: Path) -> tuple[Parse, list[bytes]]:
    """Exported games; what is taken is exported as the same again."""
    import random

    from assistant.journal import BadExport, MemoryJournal, export_text, import_memory
    from assistant.referee import Referee, header_for
    from tests.torture.games import a_game, a_move

    game = a_game()
    referee = Referee.new(game, MemoryJournal(header_for(game)))
    chance = random.Random(1)
    for _ in range(3):
        action = a_move(game, referee.state, chance)
        assert action is not None
        referee.submit(action)

    def parse(data: bytes) -> None:
        try:
            journal = import_memory(data.decode(errors="replace"))
        except BadExport as wrong:
            reason(wrong)
        else:
            text = export_text(journal)
            assert export_text(import_memory(text)) == text

    return parse, [export_text(referee.journal).encode()]


def layouts(folder: Path) -> tuple[Parse, list[bytes]]:
    """`layout.json`, of a printed mat and of a mat without pieces."""
    from assistant.layout import LayoutError
    from tests.vision.tables import small_mat
    from vision.layout_file import from_layout_json, to_layout_json

    def parse(data: bytes) -> None:
        try:
            from_layout_json(data)
        except LayoutError as wrong:
            reason(wrong)

    whole = to_layout_json(small_mat())
    return parse, [whole, b'{"version": 1, "board_mm": [100, 100], "markers": {"list": []}, "tag": {}}']


def backups(folder: Path) -> tuple[Parse, list[bytes]]:
    """Backups: the zip, its list, and the games in it."""
    from assistant.journal import Journal
    from assistant.referee import header_for
    from tests.torture.games import a_game
    from ui.backup import BadBackup, back_up, restore

    games = folder / "games"
    games.mkdir()
    (games / "kiosk-settings.json").write_text('{"version": 1}')
    empty = back_up(folder / "empty.zip", games).place.read_bytes()
    Journal.create(games / "railway_boom-0001.game", header_for(a_game())).close()
    one = back_up(folder / "one.zip", games).place.read_bytes()
    file, fresh = folder / "backup.zip", folder / "fresh"

    def parse(data: bytes) -> None:
        file.write_bytes(data)
        try:
            restore(file, fresh)
        except BadBackup as wrong:
            reason(wrong)

    return parse, [empty, one]


def configs(folder: Path) -> tuple[Parse, list[bytes]]:
    """The kiosk's configuration."""
    from ui.kiosk.config import ConfigFaults, load

    file = folder / "config.toml"

    def parse(data: bytes) -> None:
        file.write_bytes(data)
        try:
            load(file)
        except ConfigFaults as wrong:
            reason(wrong)

    example = (Path(__file__).resolve().parents[2] / "deploy" / "kiosk.toml").read_bytes()
    switches = b'[switches.railway_boom]\n"auction.next" = "cyclic"\n[panel]\nkind = "gpio"\n'
    return parse, [example, switches]


def settings(folder: Path) -> tuple[Parse, list[bytes]]:
    """The settings that the screen keeps, and the camera's calibration beside them."""
    from ui.kiosk.store import Settings, Store
    from vision import calibration

    file = folder / "kept.json"
    Store(file).save(Settings(name="Table 4", language="de"))
    example = file.read_bytes()

    def parse(data: bytes) -> None:
        for kept in folder.glob("*kept*"):
            kept.unlink()
        file.write_bytes(data)
        found = Store(file).load()
        assert found.content is not None or found.notices
        file.write_bytes(data)
        calibration.load(file)

    return parse, [example, b'{"version":1,"idle_minutes":5,"pledges":[]}']


def records(folder: Path) -> tuple[Parse, list[bytes]]:
    """A game's file and its log: two bytes say how long the log is, then it comes, then the file's beginning;
    the rest of the file is that of a sound one."""
    import random

    from assistant.journal import JournalError, read, salvage
    from tests.torture.games import Child
    from ui.bench import crashes

    path, log = folder / "game.game", folder / "game.game-wal"
    Child(lambda told: crashes.write_on(path, 3, random.Random(1), tidy=False)).finish()
    whole, example = path.read_bytes(), log.read_bytes()[:20000]

    def parse(data: bytes) -> None:
        head = 2 + int.from_bytes(data[:2])
        log.write_bytes(data[2:head])
        path.write_bytes(data[head:] + whole[len(data[head:]) :])
        for how in (read, salvage):
            try:
                how(path)
            except JournalError as wrong:
                reason(wrong)

    return parse, [len(example).to_bytes(2) + example, bytes(2) + whole[:4096]]


def pictures(folder: Path) -> tuple[Parse, list[bytes]]:
    """Picture files (PNG, JPEG), and the codes in them."""
    import cv2
    import numpy as np
    import segno

    from assistant.layout import compose_payload
    from vision.cameras import CameraError
    from vision.cameras.files import load_picture
    from vision.decoders import read_codes

    file = folder / "picture.png"
    matrix = np.array([list(row) for row in segno.make(compose_payload("R", "01", 7), micro=False).matrix])
    code = np.kron(np.pad(np.where(matrix > 0, 0, 255), 4, constant_values=255), np.ones((3, 3)))
    examples = [
        cv2.imencode(ending, code.astype(np.uint8))[1].tobytes() for ending in (".png", ".jpg", ".bmp")
    ]

    def parse(data: bytes) -> None:
        file.write_bytes(data)
        try:
            picture = load_picture(file)
        except CameraError as wrong:
            reason(wrong)
            return
        if picture.size <= 250_000:
            read_codes(picture)

    return parse, examples


TARGETS: dict[str, Target] = {
    one.__name__: one
    for one in (tags, messages, packs, exports, layouts, backups, configs, settings, records, pictures)
}


# ---- running them


class Fuzzed(NamedTuple):
    """What became of one parser: inputs tried, branches reached at the start and at the end, seconds of the
    processor's, and what was found (a line, and the input in hexadecimal digits), "" for nothing."""

    name: str
    inputs: int
    branches: tuple[int, int]
    cpu_s: float
    found: str


def fuzz(name: str, seconds: float) -> Fuzzed:
    """Feed one parser for so many seconds of the processor's, in a process of its own."""
    where = MEMORY if os.access(MEMORY, os.W_OK) else None  # Files that are fed need no real disk.
    with tempfile.TemporaryDirectory(prefix="stationmaster-fuzz-", dir=where) as folder:
        command = [sys.executable, "-m", "tests.torture.fuzz", "--inside", folder, name]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [*command, f"--for={seconds:g}"], capture_output=True, text=True, errors="replace", check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = done.stderr
        found = ""
        if done.returncode:
            raised = re.search(r"=== Uncaught Python exception: ===\s+(.*)", said)
            wrong = raised[1] if raised else (re.findall(r"ERROR: (.*)", said) or ["it ended"])[-1]
            crash = next(Path(folder).glob("crash-*"), None) or next(Path(folder).glob("*-*"), None)
            data = crash.read_bytes().hex() if crash is not None and crash.is_file() else "not kept"
            found = f"{wrong[:300]}; input {data[:4000]}"
    reached = [int(number) for number in re.findall(r"\bcov: (\d+)", said)] or [0]
    tried = [int(number) for number in re.findall(r"number_of_executed_units: (\d+)", said)]
    inputs = tried[-1] if tried else max([int(n) for n in re.findall(r"^#(\d+)", said, re.MULTILINE)] or [0])
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Fuzzed(name, inputs, (reached[0], reached[-1]), cpu_s, found)


def _inside(name: str, seconds: float, folder: Path) -> None:
    """The process that is fuzzed. Does not return."""
    import atheris

    place, corpus = folder / "place", folder / "corpus"
    place.mkdir()
    corpus.mkdir()
    with atheris.instrument_imports(include=LOOKED_INTO):
        parse, examples = TARGETS[name](place)
    for number, example in enumerate(examples):
        (corpus / f"{number}").write_bytes(example)
    (folder / "words").write_text("".join(f'"{word}"\n' for word in _words(examples)))
    options = {
        "dict": folder / "words",
        "max_len": LONGEST,
        "timeout": SLOWEST_S,
        "rss_limit_mb": LARGEST_MB,
        "print_final_stats": 1,
        "artifact_prefix": f"{folder}/",
    }
    end_s = time.process_time() + seconds

    def feed(data: bytes) -> None:
        parse(data)
        if time.process_time() > end_s:
            os.kill(os.getpid(), signal.SIGUSR1)  # libFuzzer ends after this input, and tells its figures.

    atheris.Setup([sys.argv[0], *(f"-{key}={value}" for key, value in options.items()), str(corpus)], feed)
    atheris.Fuzz()


def _words(examples: Sequence[bytes]) -> list[str]:
    """Words of the examples, which the fuzzer puts together anew: names of fields, brackets, numbers."""
    text = b" ".join(examples).decode("ascii", errors="ignore")
    found = dict.fromkeys(re.findall(r"\w{2,24}|[][{}:,=.]", text))
    return list(found)[:MOST_WORDS]


def main() -> int:
    """0 when nothing was found, or when there is no fuzzer here."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(TARGETS)} (default: all)")
    parser.add_argument(
        "--for", dest="seconds", type=float, default=60.0, help="seconds of the processor's for each"
    )
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in TARGETS]:
        parser.error(f"there is no parser {unknown[0]!r}; there are: {', '.join(TARGETS)}")
    if args.inside is not None:
        _inside(args.names[0], args.seconds, args.inside)
    if not there():
        print(f"fuzz: nothing was fuzzed: {MISSING}")
        return 0
    print("| parser | inputs | branches reached | seconds (processor) | found |\n|---|---|---|---|---|")
    found = 0
    for name in args.names or TARGETS:
        began = time.monotonic()
        one = fuzz(name, args.seconds)
        first, last = one.branches
        took = f"{time.monotonic() - began:.0f} ({one.cpu_s:.0f})"
        print(f"| {name} | {one.inputs} | {first}, then {last} | {took} | {one.found or 0} |", flush=True)
        found += bool(one.found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
