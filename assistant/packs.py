"""Content packs: TOML in, one frozen record out, or the list of everything that is wrong with the file.

A pack holds what a rulebook leaves to the printed components: maps, cards, tracks. The game names the shape
(a msgspec struct, one field per table) and a `check` for what a shape cannot say; this module knows no game.
How a pack file is written is told in `docs/packs.md`.

`load` never stops at the first fault (`assistant.pack_file` reads value by value).

The *canonical text* is JSON with sorted keys, without values that equal their default and without
provenance that repeats what holds anyway. `digest` is over that text, so comments, key order, number
spelling and layout of the file do not matter, while the order of rows does (a seeded shuffle starts from
it). The content itself is always built from the canonical text: packs with one digest behave alike, down
to the order inside dicts.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import inspect as shapes

from assistant.pack_file import Lent, Reader, near, nearest, read_toml
from assistant.pack_records import (
    Fault,
    Header,
    Marks,
    PackFaults,
    Provenance,
    RowMarks,
    TableMarks,
)

__all__ = [
    "Check",
    "Fault",
    "Header",
    "Pack",
    "PackFaults",
    "Provenance",
    "available",
    "find",
    "load",
    "nearest",
    "read_header",
]

T = TypeVar("T")

FORMAT = 1
"""Version of the canonical text. A change of it makes every digest new."""

_RESERVED = ("pack", "provenance", "source")

Check = Callable[[T, bool, frozenset[str]], Iterable[Fault]]
"""A game's own validation: content, whether the pack is a fixture, and the tables that are not to be trusted.

A table is not to be trusted when a value in it could not be read; a stand-in lies in its place then (0, "",
the first allowed word), and a check that draws conclusions from it about *other* tables should be left out.
Faults at a row that already has one are dropped by `load`. `Fault.file` is filled in by `load`; warnings go
to the pack.
"""


class Pack(msgspec.Struct, Generic[T], frozen=True):
    """A pack that passed every check. Two packs are the same when their digests are."""

    id: str
    game: str
    title: str
    edition: str
    rules_version: str
    fixture: bool
    digest: str
    """blake2b, 32 bytes, hexadecimal, over `text`."""
    text: str
    """The canonical JSON text; `from_canonical` builds the same pack from it."""
    content: T
    marks: Marks
    warnings: tuple[Fault, ...] = ()
    """What `check` found suspicious but playable. Not part of the canonical text."""

    @classmethod
    def from_canonical(cls, text: str, content_type: type[T]) -> Pack[T]:
        """The pack whose `text` this is; raises PackFaults when it is not one.

        Game checks are not run again: a parked game goes on with the pack it began with.
        """
        try:
            document = json.loads(text)
            if not isinstance(document, dict) or document.get("format") != FORMAT:
                raise ValueError(f"expected a canonical pack of format {FORMAT}")
            header = msgspec.convert(document["pack"], Header)
            marks = msgspec.convert(document["provenance"], Marks)
            content = msgspec.convert(document["tables"], content_type, str_keys=True)
        except KeyError as error:
            raise PackFaults([Fault("canonical text", "", "", f"the part {error} is missing")]) from None
        except (ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise PackFaults([Fault("canonical text", "", "", str(error))]) from None
        text = _dump(document)
        return cls(
            **{name: getattr(header, name) for name in Header.__struct_fields__ if name != "extends"},
            digest=hashlib.blake2b(text.encode(), digest_size=32).hexdigest(),
            text=text,
            content=content,
            marks=marks,
        )

    @property
    def invented(self) -> bool:
        """Whether any value of the pack is our own invention."""
        return any(mark.mark == "invented" for mark in self._effective())

    @property
    def provenance(self) -> str:
        """What a printed mat says of where its values come from; "" where there is nothing to say."""
        return "invented values" if self.invented else ""

    def provenance_of(self, table: str, row_id: str | None = None, field: str | None = None) -> Provenance:
        """Where a table, a row of it or one field of a row comes from.

        Rows are named by their id, or by their position from 1 where rows have none; in a table of keys (an
        income track, a chart) the key is the row. Raises KeyError for a name the pack does not have.
        """
        rows = _rows(self.content, table)
        if row_id is not None:
            if row_id not in rows:
                raise KeyError(f"{table} has no row {row_id}")
            names = rows[row_id]
            if names == {row_id}:
                field = row_id
        else:
            names = {name for row in rows.values() for name in row}
        if field is not None and field not in names:
            raise KeyError(f"{table} has no field {field}")
        return _resolve(self.marks, table, row_id, field)

    def inventions(self) -> dict[str, tuple[str, ...]]:
        """What is our own invention, by table: "" for all of it, else rows, or fields as "row.field"."""
        out: dict[str, tuple[str, ...]] = {}
        for table in _field_names(type(self.content)):
            rows = _rows(self.content, table)
            found = [name for row, names in rows.items() for name in self._invented_of(table, row, names)]
            whole = all(name in rows for name in found) and len(found) == len(rows)
            if not rows:
                value = getattr(self.content, table)
                lone = not isinstance(value, tuple | list | dict)
                whole = lone and _resolve(self.marks, table, None, None).mark == "invented"
            if whole:
                out[table] = ("",)
            elif found:
                out[table] = tuple(found)
        return out

    def _invented_of(self, table: str, row: str, names: set[str]) -> list[str]:
        """The row's id when all of it is invented, else its fields that are."""
        fields = sorted(names) or [""]
        marks = {field: _resolve(self.marks, table, row, field or None).mark for field in fields}
        invented = [field for field in fields if marks[field] == "invented"]
        if len(invented) == len(fields):
            return [row]
        return [row if field == row else f"{row}.{field}" for field in invented]

    def _effective(self) -> Iterator[Provenance]:
        for table in _field_names(type(self.content)):
            rows = _rows(self.content, table)
            if not rows:
                value = getattr(self.content, table)
                if not isinstance(value, tuple | list | dict):
                    yield _resolve(self.marks, table, None, None)
            for row_id, names in rows.items():
                for name in names or (None,):
                    yield _resolve(self.marks, table, row_id, name)


def load(
    path: Path,
    content_type: type[T],
    check: Check[T] | None = None,
    *,
    game: str | None = None,
    folder: Path | None = None,
) -> Pack[T]:
    """Read and check one pack file.

    `content_type` is a msgspec struct with one field per table. With `game` the pack must be for that game;
    `folder` is that game's, for packs that extend one of its own.
    Raises PackFaults with every fault; a file that is not there, not readable, not UTF-8 or not TOML has one.
    """
    file = str(path)
    raw = read_toml(path)
    reader = Reader(file)
    header, default = reader.header(raw.get("pack"))
    if game is not None and header.game and header.game != game:
        found = f'the pack is for the game "{header.game}", expected "{game}"'
        raise PackFaults([*reader.faults, Fault(file, "pack", "game", found)])
    shape = shapes.type_info(content_type)
    if not isinstance(shape, shapes.StructType):
        raise TypeError(f"{content_type!r} is no struct")
    clash = {field.name for field in shape.fields} & set(_RESERVED)
    if clash:
        raise TypeError(f"{content_type.__name__} has fields of a reserved name: {', '.join(sorted(clash))}")
    lent = {} if not header.extends or reader.faults else _lent(path, header, raw, reader, folder)
    content = reader.tables(raw, shape, header.fixture, default, lent)

    warnings: list[Fault] = []
    if check is not None:
        unsure = frozenset(fault.table for fault in reader.faults)
        seen = tuple(reader.faults)
        for fault in check(cast(T, content), header.fixture, unsure):
            fault = msgspec.structs.replace(fault, file=fault.file or file)
            if any(_same_row(old, fault) for old in seen):
                continue
            (warnings if fault.warning else reader.faults).append(fault)
    if reader.faults:
        order = {name: place for place, name in enumerate(["", "pack", *_field_names(content_type)])}
        raise PackFaults(sorted(reader.faults, key=lambda fault: order.get(fault.table, 1)))

    marks = _tidy(Marks(default, reader.marks), content)
    document = {
        "format": FORMAT,
        # The text holds everything itself: what the pack was made from does not matter.
        "pack": _plain(msgspec.structs.replace(header, extends="")),
        "provenance": _plain(marks),
        "tables": _plain(content),
    }
    pack = Pack.from_canonical(_dump(document), content_type)
    return msgspec.structs.replace(pack, warnings=tuple(warnings))


def _basis(path: Path, name: str, folder: Path | None) -> Path:
    """The file that `extends` names: a path as seen from `path`, a pack beside it, or one of the game's."""
    if name.endswith(".toml"):
        return path.parent / name
    beside = path.parent / f"{name}.toml"
    return beside if folder is None or beside.exists() else find(folder, name)


def _lent(
    path: Path, header: Header, raw: Mapping[str, Any], reader: Reader, folder: Path | None
) -> dict[str, Lent]:
    """The tables that `path` lacks and the pack that it extends has, or that one's own basis, by name."""
    out: dict[str, Lent] = {}
    passed = {path.resolve()}
    while header.extends:
        base = _basis(path, header.extends, folder)
        if base.resolve() in passed:
            reader.fault("pack", "extends", f"{header.extends} extends this pack in turn")
            break
        passed.add(base.resolve())
        path, there = base, read_toml(base)
        below = Reader(str(base))
        header, default = below.header(there.get("pack"))
        reader.faults += below.faults
        if below.faults:
            break
        for name, table in there.items():
            if name not in raw:
                out.setdefault(name, Lent(str(base), table, default))
    return out


def read_header(path: Path) -> Header:
    """Only the `[pack]` table of a file, to see which game it is for; raises PackFaults as `load` does."""
    raw = read_toml(path)
    reader = Reader(str(path))
    header, _ = reader.header(raw.get("pack"))
    if reader.faults:
        raise PackFaults(reader.faults)
    return header


def available(game_folder: Path) -> list[Path]:
    """The pack files that ship with a game, sorted by name."""
    return sorted((game_folder / "packs").glob("*.toml"))


def find(game_folder: Path, name_or_path: str | Path) -> Path:
    """The file meant by `--pack`: the id of a pack in the game's `packs/` folder, or a path.

    What holds a separator or ends in `.toml` is a path; in ids - and _ are alike. Raises PackFaults (one
    fault) for an id that the game does not have; a path is taken as it is and `load` reports what is wrong
    with it.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, Path) or name.endswith(".toml") or "/" in name or "\\" in name:
        return Path(name)
    known = {path.stem.replace("-", "_"): path for path in available(game_folder)}
    wanted = name.replace("-", "_")
    if wanted in known:
        return known[wanted]
    there = ", ".join(path.stem for path in known.values()) or "none"
    raise PackFaults(
        [Fault("", "", "", f'there is no pack "{name}"{near(wanted, known)}; packs here: {there}')]
    )


def _same_row(old: Fault, new: Fault) -> bool:
    """Whether a fault is about something that could not be read in the first place."""
    if old.table != new.table or old.key == new.key:
        return old.table == new.table
    row = re.split(r"[.\[]", old.key, maxsplit=1)[0]
    return bool(row) and re.match(re.escape(row) + r"($|[.\[])", new.key) is not None


# Canonical form and provenance of content that is known to be whole.


def _field_names(content_type: type[Any]) -> tuple[str, ...]:
    return cast(tuple[str, ...], content_type.__struct_fields__)


def _rows(content: object, table: str) -> dict[str, set[str]]:
    """Row ids of a table with the names of their fields; KeyError for an unknown table."""
    if table not in _field_names(type(content)):
        raise KeyError(f"there is no table {table}")
    value = getattr(content, table)
    if isinstance(value, dict):
        return {str(key): {str(key)} for key in value}
    if isinstance(value, msgspec.Struct):
        return {name: {name} for name in value.__struct_fields__}
    rows: dict[str, set[str]] = {}
    for place, row in enumerate(value if isinstance(value, tuple | list) else (), 1):
        names = set(row.__struct_fields__) if isinstance(row, msgspec.Struct) else set()
        row_id = row.id if "id" in names and isinstance(row.id, str) else str(place)
        rows[row_id] = names
    return rows


def _resolve(marks: Marks, table: str, row_id: str | None, field: str | None) -> Provenance:
    """The row speaks before the table, the table before the pack; in each the field before the whole."""
    stated = marks.tables.get(table)
    if stated is None:
        return marks.default
    row = stated.rows.get(row_id) if row_id is not None else None
    for place in (row, stated):
        if place is None:
            continue
        if field is not None and field in place.fields:
            return place.fields[field]
        if place.whole is not None:
            return place.whole
    return marks.default


def _tidy(marks: Marks, content: object) -> Marks:
    """Without statements that repeat what holds anyway, so that they do not change the digest."""
    tables: dict[str, TableMarks] = {}
    for table, stated in marks.tables.items():
        whole = stated.whole if stated.whole != marks.default else None
        outer = whole or marks.default
        fields = {name: mark for name, mark in stated.fields.items() if mark != outer}
        rows: dict[str, RowMarks] = {}
        for row_id, row in stated.rows.items():
            # A row's own mark also overrides the table's fields; with such fields it says something new.
            own = row.whole if row.whole != outer or fields else None
            bare = Marks(marks.default, {table: TableMarks(whole, fields, {row_id: RowMarks(own)})})
            kept = {
                name: mark for name, mark in row.fields.items() if mark != _resolve(bare, table, row_id, name)
            }
            if own is not None or kept:
                rows[row_id] = RowMarks(own, kept)
        if whole is not None or fields or rows:
            tables[table] = TableMarks(whole, fields, rows)
    return Marks(marks.default, tables)


# msgspec works the hints out anew at every call, which took more time than all else together.
_fields = functools.cache(msgspec.structs.fields)


def _plain(value: object) -> Any:
    """The value as JSON data: keys sorted by `_dump`, defaults left out."""
    if isinstance(value, msgspec.Struct):
        config = value.__struct_config__
        out: dict[str, Any] = {}
        if config.tag is not None and config.tag_field is not None:
            out[config.tag_field] = config.tag
        for field in _fields(type(value)):
            item = getattr(value, field.name)
            if field.default is not msgspec.NODEFAULT and item == field.default:
                continue
            if field.default_factory is not msgspec.NODEFAULT and item == field.default_factory():
                continue
            out[field.encode_name] = _plain(item)
        return out
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(_plain(item) for item in value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return getattr(value, "value", value)


def _dump(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
