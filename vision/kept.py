"""A small file that outlives a power cut: it is replaced whole, and the good one before lies beside it.

The one before is NAME.last. A damaged file is kept aside as NAME.damaged-1, -2 ... and told once; then the
one before is used and put back in its place.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Found(Generic[T]):
    """What reading a file gave: its content, if there is any, and sentences about what was wrong."""

    content: T | None
    notices: tuple[str, ...] = ()


class Kept(Generic[T]):
    """One such file. `decode` turns its bytes into what it holds; ValueError says what is wrong with them.

    `called` is how sentences about it begin, `without` the sentence for when there is no good one at all.
    """

    def __init__(self, path: Path, decode: Callable[[bytes], T], called: str, without: str) -> None:
        self.path = path
        self._decode = decode
        self._called, self._without = called, without

    def load(self) -> Found[T]:
        """The file's content, or that of the one before when it is damaged or missing. Raises nothing."""
        there, wrong = self._read(self.path)
        if there is not None:
            return Found(there)
        last, _ = self._read(self._last)
        if not wrong:
            used = (f"{self._called} is missing; the one before it is used.",)
            return Found(last, used if last is not None else ())
        notices = [f"{self._called} is damaged ({wrong})."]
        aside = next(name for name in self._names() if not name.exists())
        with contextlib.suppress(OSError):
            self.path.rename(aside)
            notices.append(f"It was kept as {aside.name}.")
        notices.append("The one before it is used." if last is not None else self._without)
        if last is not None:
            with contextlib.suppress(OSError):
                write_safely(self.path, self._last.read_bytes())
        return Found(last, tuple(notices))

    def save(self, data: bytes) -> None:
        """Replace the file; a good one that was there is kept as the one before. Raises OSError."""
        good, _ = self._read(self.path)
        if good is not None:
            write_safely(self._last, self.path.read_bytes())
        write_safely(self.path, data)

    def _read(self, path: Path) -> tuple[T | None, str]:
        """The content and "", or None and what is wrong: "" where there is no file."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None, ""
        except OSError as error:
            return None, error.strerror or str(error)
        try:
            return (self._decode(data), "") if data else (None, "it is empty")
        except ValueError as error:
            return None, str(error)

    @property
    def _last(self) -> Path:
        return self.path.with_name(f"{self.path.name}.last")

    def _names(self) -> Iterator[Path]:
        number = 0
        while True:
            number += 1
            yield self.path.with_name(f"{self.path.name}.damaged-{number}")


def write_safely(path: Path, data: bytes) -> None:
    """Replace a file so that there is the old or the new one, whole, whenever power fails.

    Raises OSError when the disk refuses; the old file is then still there.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Names that were given or taken in a folder stay so when power fails. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
