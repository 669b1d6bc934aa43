"""What the campaign has found once, so that it is never found again."""

from __future__ import annotations

import os
import random
import resource
import struct
import tempfile
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant.journal import Journal, JournalError, MemoryJournal, read
from tests.torture import forgetful
from tests.torture.fuzz import MEMORY
from tests.torture.games import Child
from ui.bench import crashes
from ui.bench.crashes import HEADER, Disk
from ui.kiosk.deeds import without_names
from ui.kiosk.session import free_name
from vision.cameras import CameraError
from vision.cameras.files import load_picture

FRAME = 24 + 4096


def killed(path: Path) -> None:
    """A record whose writer was killed after some rulings, with its log."""
    child = Child(lambda told: crashes.write_on(path, 12, random.Random(1), tidy=False))
    child.finish()


def test_a_torn_header_in_a_ruling_that_was_cut_short_is_no_damage(tmp_path: Path) -> None:
    """Power went while a ruling of several pages was written: the body of its first page never came, and of
    the header of a later one only the second sector did, so that it speaks of page 0."""
    path = tmp_path / "game.journal"
    killed(path)
    log = path.with_name(path.name + "-wal")
    whole = log.read_bytes()
    frames = [struct.unpack_from(">2I", whole, at) for at in range(32, len(whole) - 24, FRAME)]
    commits = [number for number, (_, size) in enumerate(frames) if size]
    start, end = max(pairwise(commits), key=lambda pair: pair[1] - pair[0])
    start += 1
    assert end - start >= 2
    log.write_bytes(whole[: 32 + start * FRAME])
    before = read(path).last_seq
    torn = bytearray(whole[: 32 + (end + 1) * FRAME])
    first, last = 32 + start * FRAME, 32 + end * FRAME
    torn[first + 24 : first + FRAME] = bytes(4096)
    torn[last : last + 8] = bytes(8)
    log.write_bytes(torn)
    assert read(path).last_seq == before


def test_a_log_that_is_left_of_a_deleted_game_does_not_keep_its_name_from_the_next(tmp_path: Path) -> None:
    """Power went when of a deleted game only the file was gone: its log would be mixed into a new game of
    that name, so that none could be begun."""
    (tmp_path / "auction-0003.game-wal").write_bytes(b"left")
    name = free_name(tmp_path, "auction")
    assert name.name == "auction-0004.game"
    Journal.create(name, HEADER).close()


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder that real flushes cost no time in."""
    where = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        yield Path(folder)


def test_power_goes_at_any_moment_while_names_are_forgotten(memory: Path) -> None:
    """The record has its old names or none; what is left beside it does not keep the names from being
    forgotten then; and once that was said, they are."""
    place = memory / "games"
    place.mkdir()

    def forget(chance: random.Random, tell: Callable[[str], None]) -> None:
        path = place / "auction-0001.game"
        with Journal.create(path, HEADER) as journal:
            journal.append([crashes.entry(1)])
        tell("played")
        without_names(path)
        tell("forgotten")

    disk, chance, said = Disk(), random.Random(1), set()
    for number, op in enumerate(forgetful.done_by(forget, place)):
        disk.do(op)
        if op.what == "told":
            said.add(op.data)
        if b"played" not in said or op.what == "write":
            continue
        for lot in range(3):
            left = memory / f"{number}-{lot}"
            left.mkdir()
            for name, content in disk.after_power_cut(chance).items():
                (left / name).write_bytes(content)
            path = left / "auction-0001.game"
            named = [seat.name for seat in read(path).header.seats] == [seat.name for seat in HEADER.seats]
            assert not (named and b"forgotten" in said)
            without_names(path)
            assert [seat.name for seat in read(path).header.seats] == ["A", "B", "C", "D"]
            assert read(path).last_seq == 1
    assert said == {b"played", b"forgotten"}


def test_names_are_not_forgotten_beside_a_log_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk failed when the log was to be folded in: beside a new file it would be taken for its own."""
    path = tmp_path / "auction-0001.game"
    killed(path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".lock"}
    monkeypatch.setattr(Journal, "open", lambda path: MemoryJournal(HEADER))
    with pytest.raises(JournalError, match="names are still there"):
        without_names(path)
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_a_picture_that_claims_two_gigabytes_is_refused_at_once(tmp_path: Path) -> None:
    """Found by the fuzzer: OpenCV took the memory for a part of a PNG file before it saw that it was not
    there."""
    _, png = cv2.imencode(".png", np.zeros((9, 9), np.uint8))
    whole = png.tobytes()
    at = whole.index(b"IDAT")
    file = tmp_path / "picture.png"
    file.write_bytes(whole + b"more")
    assert load_picture(file).shape == (9, 9)
    file.write_bytes(whole[: at - 4] + (2**31 + 5).to_bytes(4) + whole[at:])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(CameraError, match="not a picture"):
        load_picture(file)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
