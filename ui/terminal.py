"""What the commands share at the terminal: JSON to stdout, messages to stderr, tables, exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.optics import Image

GOOD, NO, WRONG_CALL = 0, 1, 2
"""Exit codes: done; the answer is no (refused, unreadable); the call itself was wrong."""


class Usage(Exception):
    """The call was wrong: one line that says what, where and what to do. Exit code 2."""


class No(Exception):
    """The answer is no: one line that says why. Exit code 1."""


def print_json(value: Any) -> None:
    """One line of JSON to stdout."""
    print(json.dumps(value, ensure_ascii=False))


def say(text: str) -> None:
    """A message for people, to stderr; stdout is for answers."""
    print(text, file=sys.stderr)


def png_wanted(option: str, path: Path | None) -> None:
    """Usage when the file that an option names for a picture is to have another form than PNG."""
    if path is not None and path.suffix.lower() != ".png":
        raise Usage(f"{option} {path}: the picture is written as PNG, so its name has to end in .png")


def write_png(path: Path, picture: Image) -> None:
    """Write a picture, and say where. Raises OSError."""
    from vision.cameras.files import as_png

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_png(picture))
    say(f"written to {path}")


def table(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> list[str]:
    """Rows as lines with straight columns; numbers stand right, everything else left."""
    cells = [[str(cell) for cell in row] for row in ([head] if head else [])]
    body = [list(row) for row in rows]
    cells += [["" if cell is None else str(cell) for cell in row] for row in body]
    if not cells:
        return []
    columns = range(max(len(row) for row in cells))
    widths = [max((len(row[at]) for row in cells if at < len(row)), default=0) for at in columns]
    right = [bool(body) and all(_is_number(row[at]) for row in body if at < len(row)) for at in columns]
    lines = []
    for row in cells:
        aligned = [
            cell.rjust(widths[at]) if right[at] else cell.ljust(widths[at]) for at, cell in enumerate(row)
        ]
        lines.append("  ".join(aligned).rstrip())
    return lines


def _is_number(cell: object) -> bool:
    return cell is None or cell == "" or (isinstance(cell, int | float) and not isinstance(cell, bool))
