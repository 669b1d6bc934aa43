"""Versions of the configuration file: an older one is brought up to date in memory, a newer one is refused.

The file itself is never changed, so that a program of before still reads it. `migrated_text` gives what its
owner may take into use instead; `stationmaster config --migrate` writes that beside it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import tomli_w

from assistant.positions import leads

Table = Mapping[str, Any]


class Move(NamedTuple):
    """A setting that has another name, or stands in another table, since a version. Both are paths."""

    old: tuple[str, ...]
    new: tuple[str, ...]


STEPS: tuple[tuple[Move, ...], ...] = (
    # The number of the box is printed in its tags, whatever camera looks at them; sizes say their unit.
    (Move(("screen", "mm"), ("screen", "size_mm")), Move(("camera", "copy"), ("box",))),
)
"""What leads from each version to the next: the first is from 1 to 2."""
VERSION = len(STEPS) + 1
"""The newest version, which this program writes. A file that names none is of version 1."""
REWRITTEN = (
    "# Written anew by `stationmaster config --migrate`, which could not keep the comments.\n"
    "# docs/kiosk.md explains every setting.\n"
)


class Migrated(NamedTuple):
    """A table as the newest version has it, the version that it was of, and what is wrong with that.

    `renamed` are the settings that it had under another name.
    """

    table: dict[str, Any]
    version: int
    faults: tuple[str, ...] = ()
    renamed: tuple[Move, ...] = ()


def migrated(table: Table, steps: Sequence[Sequence[Move]] = STEPS) -> Migrated:
    """The table by the names of the newest version, without its key `version`. Nothing is changed in it."""
    newest = len(steps) + 1
    now = {key: value for key, value in table.items() if key != "version"}
    version = table.get("version", 1)
    if type(version) is not int or version < 1:
        fault = f"version = {version!r}: a whole number from 1 to {newest}; write version = {newest}"
        return Migrated(now, newest, (fault,))
    if version > newest:
        fault = (
            f"version = {version}: this program reads versions 1 to {newest}; install a newer one, or put "
            "the file of before back"
        )
        return Migrated(now, version, (fault,))
    faults: list[str] = []
    renamed: list[Move] = []
    for moves in steps[version - 1 :]:
        for move in moves:
            if not leads(now, move.old):
                continue
            if leads(now, move.new):
                faults.append(
                    f"{named(move.old)} is now called {named(move.new)}, and both are there; keep one"
                )
                now = _without(now, move.old)
            else:
                now = moved(now, move)
                renamed.append(move)
    return Migrated(now, version, tuple(faults), tuple(renamed))


def moved(table: Table, move: Move) -> dict[str, Any]:
    """A copy of the table with one setting under its new name. KeyError when it is not there."""
    value: Any = table
    for key in move.old:
        value = value[key]
    return _put(_without(table, move.old), move.new, value)


def named(path: Sequence[str]) -> str:
    """A setting as people write it: "name" or "[screen] size"."""
    return f"[{'.'.join(path[:-1])}] {path[-1]}" if len(path) > 1 else path[0]


def _without(table: Table, path: Sequence[str]) -> dict[str, Any]:
    rest = {key: value for key, value in table.items() if key != path[0]}
    if len(path) > 1:
        # A table stands where it stood, though nothing may be left in it.
        return {k: _without(v, path[1:]) if k == path[0] else v for k, v in table.items()}
    return rest


def _put(table: Table, path: Sequence[str], value: Any) -> dict[str, Any]:
    if len(path) == 1:
        return {**table, path[0]: value}
    return {**table, path[0]: _put(table.get(path[0], {}), path[1:], value)}


# ---- the text


class NewText(NamedTuple):
    """A file in the newest version, and whether everything else in it is as it was, comments as well."""

    text: str
    kept: bool


def migrated_text(text: str, steps: Sequence[Sequence[Move]] = STEPS) -> NewText:
    """The same file in the newest version, changed line by line; where that does not say the same as the file
    did (a setting that is written in some unusual way), its values are written anew. ValueError when the text
    is no TOML, or of no version that can be brought up to date."""
    before = migrated(tomllib.loads(text), steps)
    if before.faults:
        raise ValueError("; ".join(before.faults))
    newest = len(steps) + 1
    wanted = {"version": newest, **before.table}
    lines = text.splitlines(keepends=True)
    for move in before.renamed:
        lines = _line_moved(lines, move)
    made = "".join(_numbered(lines, newest))
    try:
        if tomllib.loads(made) == wanted:
            return NewText(made, True)
    except tomllib.TOMLDecodeError:
        pass
    return NewText(REWRITTEN + tomli_w.dumps(wanted), False)


_HEAD = re.compile(r"\s*\[\s*([\w.\s-]+?)\s*\]\s*(?:#.*)?$")


def _sections(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """In which table each line stands; the line with its name is the first of it."""
    out: list[tuple[str, ...]] = []
    now: tuple[str, ...] = ()
    for line in lines:
        if (head := _HEAD.match(line)) is not None:
            now = tuple(part.strip() for part in head[1].split("."))
        out.append(now)
    return out


def _line_of(lines: Sequence[str], path: tuple[str, ...]) -> int | None:
    """The line that sets something, None when none does so plainly."""
    sets = re.compile(rf"\s*{re.escape(path[-1])}\s*=")
    found = (n for n, where in enumerate(_sections(lines)) if where == path[:-1] and sets.match(lines[n]))
    return next(found, None)


def _line_moved(lines: list[str], move: Move) -> list[str]:
    """The lines with one setting under its new name; as they are where it is not set in a line of its own."""
    at = _line_of(lines, move.old)
    if at is None:
        return lines
    line = re.sub(rf"^(\s*){re.escape(move.old[-1])}", rf"\g<1>{move.new[-1]}", lines[at])
    if move.old[:-1] == move.new[:-1]:
        return [*lines[:at], line, *lines[at + 1 :]]
    rest = [*lines[:at], *lines[at + 1 :]]
    inside = [n for n, where in enumerate(_sections(rest)) if where == move.new[:-1]]
    # After the last line of its table that says something: what stands below is about the next one.
    last = max((n for n in inside if rest[n].strip() and not rest[n].lstrip().startswith("#")), default=-1)
    if move.new[:-1] and not inside:
        return lines
    return [*rest[: last + 1], line if line.endswith("\n") else f"{line}\n", *rest[last + 1 :]]


def _numbered(lines: list[str], version: int) -> list[str]:
    """The lines with this version: where one stands, or below the comment that the file begins with."""
    at = _line_of(lines, ("version",))
    if at is not None:
        line = re.sub(r"=\s*\w+", f"= {version}", lines[at], count=1)
        return [*lines[:at], line, *lines[at + 1 :]]
    head = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    return [*lines[:head], f"version = {version}{end}", *lines[head:]]
