"""What the campaign has found once, so that it is never found again."""

from __future__ import annotations

import random
import struct
from itertools import pairwise
from pathlib import Path

from assistant.journal import read
from tests.torture.games import Child
from ui.bench import crashes

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
