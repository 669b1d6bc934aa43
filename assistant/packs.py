"""Content packs: TOML in, one frozen record out, or the list of everything that is wrong with the file.

A pack holds what a rulebook leaves to the printed components: maps, cards, tracks. The game names the shape
(a msgspec struct, one field per table) and a `check` for what a shape cannot say; this module knows no game.
How a pack file is written is told in `docs/packs.md`.

`load` never stops at the first fault. Every value is converted on its own, so one broken row hides neither
the next row nor the cross checks of other tables.

The *canonical text* is JSON with sorted keys, without values that equal their default and without
provenance that repeats what holds anyway. `digest` is over that text, so comments, key order, number
spelling and layout of the file do not matter, while the order of rows does (a seeded shuffle starts from
it). The content itself is always built from the canonical text: packs with one digest behave alike, down
to the order inside dicts.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NoReturn, TypeVar, cast

import msgspec
from msgspec import inspect as shapes

T = TypeVar("T")
Kind = Literal["rulebook", "public", "invented"]
"""Where a value comes from: the published rulebook, another public source (named), or our own invention."""
KINDS: tuple[Kind, ...] = ("rulebook", "public", "invented")

FORMAT = 1
"""Version of the canonical text. A change of it makes every digest new."""

_RESERVED = ("pack", "provenance", "source")
_TOML_AT = re.compile(
    r"^(?P<text>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S
)
_INT64 = (-(2**63), 2**63 - 1)


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong (or, with `warning`, only suspicious) in a pack; `str` gives it on one line.

    `table` is empty for a fault of the whole file, `key` for one of the whole table. `key` begins with the id
    of the row (or "row 3" where it has none). `rule` is the id of the rule that asks for it, where one does.
    """

    file: str
    table: str
    key: str
    text: str
    rule: str | None = None
    warning: bool = False

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.table, self.key) if part)
        line = ": ".join(part for part in (self.file, where, self.text) if part)
        line += f" [{self.rule}]" if self.rule else ""
        return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(line.split()))


class PackFaults(ValueError):
    """A pack cannot be used. `faults` lists everything found, in the order of the tables; never empty."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class Provenance(msgspec.Struct, frozen=True):
    """Where a value comes from. `source` is never empty for "public"."""

    mark: Kind
    source: str = ""


class RowMarks(msgspec.Struct, frozen=True):
    """What a row says about itself; `whole` is None where it says nothing."""

    whole: Provenance | None = None
    fields: dict[str, Provenance] = {}


class TableMarks(msgspec.Struct, frozen=True):
    """What a table says about itself, about one field of all its rows, and what its rows say."""

    whole: Provenance | None = None
    fields: dict[str, Provenance] = {}
    rows: dict[str, RowMarks] = {}


class Marks(msgspec.Struct, frozen=True):
    """All provenance of a pack, without statements that repeat what holds anyway."""

    default: Provenance
    tables: dict[str, TableMarks] = {}


class Header(msgspec.Struct, frozen=True):
    """The `[pack]` table, apart from its provenance.

    `rules_version` names the rules version the pack was made for, empty for the newest. A `fixture` is a pack
    for tests: the counts of its components are not checked and equal rows may repeat. `extends` names another
    pack, by its id or as a path seen from this file: tables that this file lacks are that pack's.
    """

    id: Annotated[
        str,
        msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]*\Z", description="small letters, digits, - and _"),
    ]
    game: Annotated[str, msgspec.Meta(min_length=1)]
    title: Annotated[str, msgspec.Meta(min_length=1)]
    edition: Annotated[str, msgspec.Meta(min_length=1)]
    rules_version: str = ""
    fixture: bool = False
    extends: str = ""


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
    raw = _read(path)
    reader = _Reader(file)
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


class _Lent(msgspec.Struct, frozen=True):
    """A table that another pack lends: the file, the table as it stands there, that pack's default mark."""

    file: str
    raw: Any
    default: Provenance


def _basis(path: Path, name: str, folder: Path | None) -> Path:
    """The file that `extends` names: a path as seen from `path`, a pack beside it, or one of the game's."""
    if name.endswith(".toml"):
        return path.parent / name
    beside = path.parent / f"{name}.toml"
    return beside if folder is None or beside.exists() else find(folder, name)


def _lent(
    path: Path, header: Header, raw: Mapping[str, Any], reader: _Reader, folder: Path | None
) -> dict[str, _Lent]:
    """The tables that `path` lacks and the pack that it extends has, or that one's own basis, by name."""
    out: dict[str, _Lent] = {}
    passed = {path.resolve()}
    while header.extends:
        base = _basis(path, header.extends, folder)
        if base.resolve() in passed:
            reader.fault("pack", "extends", f"{header.extends} extends this pack in turn")
            break
        passed.add(base.resolve())
        path, there = base, _read(base)
        below = _Reader(str(base))
        header, default = below.header(there.get("pack"))
        reader.faults += below.faults
        if below.faults:
            break
        for name, table in there.items():
            if name not in raw:
                out.setdefault(name, _Lent(str(base), table, default))
    return out


def read_header(path: Path) -> Header:
    """Only the `[pack]` table of a file, to see which game it is for; raises PackFaults as `load` does."""
    raw = _read(path)
    reader = _Reader(str(path))
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
        [Fault("", "", "", f'there is no pack "{name}"{_near(wanted, known)}; packs here: {there}')]
    )


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known spelling closest to `word`, or None when nothing is close."""
    spelled = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), spelled, n=1, cutoff=0.55)
    return spelled[close[0]] if close else None


def _near(word: str, known: Iterable[str]) -> str:
    close = nearest(word, known)
    return f'; nearest is "{close}"' if close is not None else ""


def _read(path: Path) -> dict[str, Any]:
    file = str(path)

    def refuse(text: str) -> NoReturn:
        raise PackFaults([Fault(file, "", "", text)]) from None

    try:
        # A device or a pipe might never end.
        data = path.read_bytes() if path.is_file() or not path.exists() else None
    except FileNotFoundError:
        refuse("there is no such file")
    except (OSError, ValueError) as error:
        refuse(f"the file cannot be read: {getattr(error, 'strerror', None) or error}")
    if data is None:
        refuse("this is a folder" if path.is_dir() else "this is not a plain file")
    try:
        # Editors on Windows like to put a byte order mark in front; TOML does not allow it, we do not mind.
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        byte = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        refuse(f"line {line}, column {column}: {byte}")
    try:
        return cast(dict[str, Any], _normal(tomllib.loads(text)))
    except tomllib.TOMLDecodeError as error:
        match = _TOML_AT.match(str(error))
        message, place = (match["text"], match["line"]) if match else (str(error), None)
        if place is not None and match is not None:
            refuse(f"line {place}, column {match['column']}: {_lower(message)}")
        lines = text.split("\n")
        refuse(f"line {len(lines)}, column {len(lines[-1]) + 1}: {_lower(message)} at the end of the file")
    except RecursionError:
        refuse("tables are nested too deeply")
    except ValueError as error:
        refuse(f"a value cannot be read: {error}")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _normal(value: Any) -> Any:
    """The same data with composed Unicode, so that two ways to type an accent are one name."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", key): _normal(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_normal(item) for item in value]
    return value


class _Reader:
    """Turns TOML data into records, collecting faults; what cannot be read is replaced by a stand-in."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.marks: dict[str, TableMarks] = {}

    def fault(self, table: str, key: str, text: str) -> None:
        self.faults.append(Fault(self.file, table, key, text))

    # The three levels of a file: header, tables, rows.

    def header(self, raw: Any) -> tuple[Header, Provenance]:
        shape = cast(shapes.StructType, shapes.type_info(Header))
        unknown = Provenance("invented")
        if not isinstance(raw, dict):
            text = "missing; a pack begins with [pack]: id, game, title, edition, provenance"
            self.fault("pack", "", text if raw is None else f"expected a table [pack], found {_show(raw)}")
            return cast(Header, _blank(shape)), unknown
        rest = dict(raw)
        whole, fields = self.provenance(rest, "pack", "", {}, None)
        if fields:
            self.fault("pack", "provenance.fields", "the pack's default has no fields; name them in a table")
        if whole is None and "provenance" not in raw:
            self.fault("pack", "provenance", f"missing; expected one of {_listed(KINDS)}")
        header = self.struct(rest, shape, "pack", "")
        return cast(Header, header), whole or unknown

    def tables(
        self,
        own: Mapping[str, Any],
        shape: shapes.StructType,
        fixture: bool,
        default: Provenance,
        lent: Mapping[str, _Lent],
    ) -> object:
        raw = {**{name: table.raw for name, table in lent.items()}, **own}
        known = {field.name: field for field in shape.fields}
        missing = [field.name for field in shape.fields if field.required and field.name not in raw]
        for name in raw:
            if name == "pack" or name in known:
                continue
            close = nearest(name, [table for table in known if table not in raw])
            if close in missing:
                missing.remove(close)
                # Stand-ins take its place, so conclusions about it would be about nothing.
                self.fault(close, "", f'missing; the file has "{name}" instead')
            else:
                self.fault(name, "", "unknown table" + _near(name, [*known, "pack"]))
        values: dict[str, object] = {}
        for name, field in known.items():
            if name in own:
                values[name] = self.table(own[name], field.type, name, fixture, default)
            elif name in lent:
                values[name] = self.lent_table(lent[name], field.type, name, fixture)
            elif field.required:
                if name in missing:
                    self.fault(name, "", "missing; every pack has this table")
                values[name] = _blank(field.type)
        return shape.cls(**values)

    def lent_table(self, lent: _Lent, kind: shapes.Type, name: str, fixture: bool) -> object:
        """A table of the pack that this one extends: faults name that file, marks are its own."""
        below = _Reader(lent.file)
        value = below.table(lent.raw, kind, name, fixture, lent.default)
        self.faults += below.faults
        marks = below.marks.get(name, TableMarks())
        if marks.whole is None:
            marks = msgspec.structs.replace(marks, whole=lent.default)
        self.marks[name] = marks
        return value

    def table(self, raw: Any, kind: shapes.Type, name: str, fixture: bool, default: Provenance) -> object:
        kind = _bare(kind)
        rest = dict(raw) if isinstance(raw, dict) else None
        whole: Provenance | None = None
        fields: dict[str, Provenance] = {}
        row_shape = _bare(kind.item_type) if isinstance(kind, shapes.VarTupleType | shapes.ListType) else None
        if rest is not None:
            names = self.field_names(kind, row_shape)
            own = {field.name for field in kind.fields} if isinstance(kind, shapes.StructType) else set()
            whole, fields = self.provenance(rest, name, "", own, names, default.source)
            if not isinstance(kind, shapes.DictType | shapes.StructType):
                # [hexes] with rows = [...], [white_spaces] with value = 4
                inner = "value" if row_shape is None else "rows"
                for key in rest:
                    if key != inner:
                        self.fault(name, key, f'unknown key; the table is written as "{inner} = ..."')
                if inner not in rest:
                    self.fault(name, inner, f'missing; the table is written as "{inner} = ..."')
                    return _blank(kind)
                raw = rest[inner]
            else:
                raw = rest
        rows: dict[str, RowMarks] = {}
        if row_shape is not None and _structs(row_shape):
            source = (whole.source if whole else "") or default.source
            found = self.rows(raw, row_shape, name, fixture, rows, source)
            self.length(len(found), kind, name, "")
            value: object = found
        else:
            value = self.value(raw, kind, name, "")
        if whole is not None or fields or rows:
            self.marks[name] = TableMarks(whole, fields, rows)
        return value

    def field_names(self, kind: shapes.Type, row: shapes.Type | None) -> set[str] | None:
        """What `fields` of a table's provenance may name; None when that is anything."""
        structs = _structs(kind if row is None else row)
        if structs:
            return {field.encode_name for struct in structs for field in struct.fields}
        if isinstance(kind, shapes.DictType):
            key = _bare(kind.key_type)
            return {str(word) for word in key.values} if isinstance(key, shapes.LiteralType) else None
        return set()

    def rows(
        self,
        raw: Any,
        shape: shapes.Type,
        table: str,
        fixture: bool,
        marks: dict[str, RowMarks],
        source: str,
    ) -> tuple[object, ...]:
        if not isinstance(raw, list):
            self.fault(table, "", f"expected rows, found {_show(raw)}")
            return ()
        names = {field.encode_name for struct in _structs(shape) for field in struct.fields}
        out: list[object] = []
        first: dict[str, int] = {}
        for place, row in enumerate(raw, 1):
            label = f"row {place}"
            row_id = str(place)
            rest = row
            if isinstance(row, dict):
                given = row.get("id")
                if "id" in names and isinstance(given, str) and given:
                    label = row_id = given
                    if given in first and not (fixture and row == raw[first[given] - 1]):
                        label = f"row {place} ({given})"
                        self.fault(table, label, f'the id "{given}" is already used by row {first[given]}')
                    first.setdefault(given, place)
                elif given == "" and "id" in names:
                    self.fault(table, f"{label}.id", "the id is empty")
                rest = dict(row)
                whole, fields = self.provenance(rest, table, label, names, names, source)
                if whole is not None or fields:
                    marks[row_id] = RowMarks(whole, fields)
            out.append(self.value(rest, shape, table, label))
        return tuple(out)

    def provenance(
        self,
        rest: dict[str, Any],
        table: str,
        at: str,
        own: Iterable[str],
        names: set[str] | None,
        outer_source: str = "",
    ) -> tuple[Provenance | None, dict[str, Provenance]]:
        """Take `provenance` and `source` out of a table or row; `own` are the keys it has for itself."""
        own = set(own)
        key = f"{at}.provenance" if at else "provenance"
        given = rest.pop("provenance", None) if "provenance" not in own else None
        source = rest.pop("source", None) if "source" not in own else None
        source_key = f"{at}.source" if at else "source"
        if source is not None and (not isinstance(source, str) or not source.strip()):
            self.fault(table, source_key, f"expected a source in words, found {_show(source)}")
            source = None
        if given is None:
            if source is not None and table != "pack":
                self.fault(table, source_key, "a source needs a provenance beside it")
            return None, {}
        fields: dict[str, Provenance] = {}
        if isinstance(given, dict):
            inner = dict(given)
            raw_fields = inner.pop("fields", {})
            whole = self.mark(inner, table, key, source, outer_source) if inner else None
            nearby = (whole.source if whole else "") or source or outer_source
            if not isinstance(raw_fields, dict):
                self.fault(table, f"{key}.fields", f"expected a table of fields, found {_show(raw_fields)}")
                raw_fields = {}
            for name, spec in raw_fields.items():
                if names is not None and name not in names:
                    self.fault(table, f"{key}.fields.{name}", "unknown field" + _near(name, names))
                    continue
                mark = self.mark(spec, table, f"{key}.fields.{name}", None, nearby)
                if mark is not None:
                    fields[name] = mark
            if not inner and not raw_fields:
                self.fault(table, key, f"expected one of {_listed(KINDS)}")
            return whole, fields
        return self.mark(given, table, key, source, outer_source), fields

    def mark(
        self, spec: Any, table: str, key: str, source: str | None, outer_source: str
    ) -> Provenance | None:
        if isinstance(spec, dict):
            for name in spec:
                if name not in ("mark", "source"):
                    close = _near(name, ("mark", "source", "fields"))
                    self.fault(table, f"{key}.{name}", f"unknown key{close}")
            inner = spec.get("source")
            if inner is not None and (not isinstance(inner, str) or not inner.strip()):
                self.fault(table, f"{key}.source", f"expected a source in words, found {_show(inner)}")
                inner = None
            source = inner or source
            if "mark" not in spec:
                self.fault(table, f"{key}.mark", f"missing; expected one of {_listed(KINDS)}")
                return None
            spec = spec["mark"]
        if spec not in KINDS:
            close = _near(spec, KINDS) if isinstance(spec, str) else ""
            self.fault(table, key, f"expected one of {_listed(KINDS)}, found {_show(spec)}{close}")
            return None
        if spec == "public":
            source = source or outer_source
            if not source:
                self.fault(table, key, 'a value marked "public" needs a source')
        return Provenance(spec, source or "")

    # Values, by their type.

    def struct(self, raw: Any, shape: shapes.StructType, table: str, at: str) -> object:
        if not isinstance(raw, dict):
            self.fault(table, at, f"expected a table, found {_show(raw)}")
            return _blank(shape)
        known = {field.encode_name: field for field in shape.fields}
        missing = [name for name, field in known.items() if field.required and name not in raw]
        values: dict[str, object] = {}
        before = len(self.faults)
        for key, item in raw.items():
            here = f"{at}.{key}" if at else key
            if key in known:
                values[known[key].name] = self.value(item, known[key].type, table, here)
            elif key != shape.tag_field:
                close = nearest(key, [name for name in known if name not in raw])
                if close in missing:
                    missing.remove(close)
                self.fault(table, here, "unknown key" + (f'; nearest is "{close}"' if close else ""))
        for name in missing:
            here = f"{at}.{name}" if at else name
            self.fault(table, here, f"missing; expected {_expected(known[name].type)}")
        for field in shape.fields:
            if field.required and field.name not in values:
                values[field.name] = _blank(field.type)
        try:
            return cast(object, shape.cls(**values))
        except (ValueError, TypeError) as error:
            if len(self.faults) == before:
                self.fault(table, at, str(error))
            return None

    def value(self, raw: Any, kind: shapes.Type, table: str, at: str) -> object:
        said, kind = kind, _bare(kind)
        if isinstance(kind, shapes.StructType):
            return self.struct(raw, kind, table, at)
        if isinstance(kind, shapes.UnionType):
            return self.union(raw, kind, table, at)
        if isinstance(kind, shapes.DictType):
            return self.mapping(raw, kind, table, at)
        if isinstance(kind, _ARRAYS):
            return self.array(raw, kind, table, at)
        problem = _problem(raw, kind, said)
        if problem:
            self.fault(table, at, problem)
            return _blank(kind)
        return float(raw) if isinstance(kind, shapes.FloatType) else cast(object, raw)

    def union(self, raw: Any, kind: shapes.UnionType, table: str, at: str) -> object:
        choices = [choice for choice in map(_bare, kind.types) if not isinstance(choice, shapes.NoneType)]
        tagged = {str(choice.tag): choice for choice in _structs(kind) if choice.tag is not None}
        if isinstance(raw, dict) and tagged:
            field = next(choice.tag_field for choice in tagged.values())
            here = f"{at}.{field}" if at else str(field)
            if field not in raw:
                self.fault(table, here, f"missing; expected one of {_listed(tagged)}")
            elif str(raw[field]) in tagged:
                return self.struct(raw, tagged[str(raw[field])], table, at)
            else:
                found = f"{_show(raw[field])}{_near(str(raw[field]), tagged)}"
                self.fault(table, here, f"expected one of {_listed(tagged)}, found {found}")
            return None
        if len(choices) == 1:
            return self.value(raw, choices[0], table, at)
        for choice in choices:
            trial = _Reader(self.file)
            value = trial.value(raw, choice, table, at)
            if not trial.faults:
                return value
        self.fault(table, at, f"expected {_expected(kind)}, found {_show(raw)}")
        return _blank(kind)

    def mapping(self, raw: Any, kind: shapes.DictType, table: str, at: str) -> dict[object, object]:
        if not isinstance(raw, dict):
            self.fault(table, at, f"expected a table of keys, found {_show(raw)}")
            return {}
        values = _bare(kind.value_type)
        if not isinstance(values, shapes.DictType | shapes.StructType | shapes.AnyType):
            raw = dict(_flat(raw))
        out: dict[object, object] = {}
        for key, item in raw.items():
            here = f"{at}.{key}" if at else key
            wanted = _bare(kind.key_type)
            name: object = key
            if isinstance(wanted, shapes.IntType) and re.fullmatch(r"-?\d{1,18}", key):
                name = int(key)
            problem = _problem(name, wanted, kind.key_type)
            if problem:
                self.fault(table, here, f"unknown key: {problem}")
                continue
            out[name] = self.value(item, values, table, here)
        self.length(len(out), kind, table, at)
        return out

    def array(self, raw: Any, kind: shapes.Type, table: str, at: str) -> object:
        if not isinstance(raw, list):
            self.fault(table, at, f"expected a list, found {_show(raw)}")
            return _blank(kind)
        if isinstance(kind, shapes.TupleType):
            if len(raw) != len(kind.item_types):
                self.fault(table, at, f"expected a list of {len(kind.item_types)}, found one of {len(raw)}")
                return _blank(kind)
            pairs = zip(raw, kind.item_types, strict=True)
            return tuple(self.value(v, t, table, f"{at}[{n}]") for n, (v, t) in enumerate(pairs, 1))
        item = cast(shapes.VarTupleType, kind).item_type
        found = [self.value(v, item, table, f"{at}[{n}]") for n, v in enumerate(raw, 1)]
        self.length(len(found), kind, table, at)
        if isinstance(kind, shapes.FrozenSetType | shapes.SetType):
            if len(set(found)) != len(found):
                self.fault(table, at, "a value is listed twice")
            return frozenset(found) if isinstance(kind, shapes.FrozenSetType) else set(found)
        return found if isinstance(kind, shapes.ListType) else tuple(found)

    def length(self, count: int, kind: shapes.Type, table: str, at: str) -> None:
        low, high = getattr(kind, "min_length", None), getattr(kind, "max_length", None)
        if (low is not None and count < low) or (high is not None and count > high):
            self.fault(table, at, f"expected {_bounds(low, high)} entries, found {count}")


_ARRAYS = (shapes.TupleType, shapes.VarTupleType, shapes.ListType, shapes.FrozenSetType, shapes.SetType)


def _bare(kind: shapes.Type) -> shapes.Type:
    return _bare(kind.type) if isinstance(kind, shapes.Metadata) else kind


def _structs(kind: shapes.Type) -> list[shapes.StructType]:
    """The structs a value of this type may be; empty when it is something else."""
    kind = _bare(kind)
    types = kind.types if isinstance(kind, shapes.UnionType) else (kind,)
    return [part for part in map(_bare, types) if isinstance(part, shapes.StructType)]


def _flat(raw: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Names with dots may stand without quotes: TOML reads the bare key `a.b` as a table in a table."""
    for key, item in raw.items():
        if isinstance(item, dict) and item:
            yield from _flat(item, f"{before}{key}.")
        else:
            yield before + key, item


def _problem(raw: object, kind: shapes.Type, said: shapes.Type) -> str | None:
    """What is wrong with a plain value of this type, or None; `said` may add a description to `kind`."""
    if isinstance(kind, shapes.AnyType) or _fits(raw, kind):
        return None
    found = f"expected {_expected(said)}, found {_show(raw)}"
    if isinstance(raw, str) and isinstance(kind, shapes.LiteralType | shapes.EnumType):
        return found + _near(raw, [word for word in _words(kind) if isinstance(word, str)])
    return found


def _fits(raw: object, kind: shapes.Type) -> bool:
    if isinstance(kind, shapes.LiteralType | shapes.EnumType):
        return any(raw == word and type(raw) is type(word) for word in _words(kind))
    if isinstance(kind, shapes.BoolType):
        return isinstance(raw, bool)
    if isinstance(kind, shapes.IntType):
        whole = isinstance(raw, int) and not isinstance(raw, bool)
        return whole and _INT64[0] <= cast(int, raw) <= _INT64[1] and _within(cast(int, raw), kind)
    if isinstance(kind, shapes.FloatType):
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            return False
        return math.isfinite(raw) and _within(raw, kind)
    if isinstance(kind, shapes.StrType):
        if not isinstance(raw, str) or len(raw) < (kind.min_length or 0):
            return False
        if kind.max_length is not None and len(raw) > kind.max_length:
            return False
        return kind.pattern is None or re.search(kind.pattern, raw) is not None
    raise TypeError(f"packs cannot hold {kind!r}")


def _words(kind: shapes.LiteralType | shapes.EnumType) -> list[Any]:
    return list(kind.values) if isinstance(kind, shapes.LiteralType) else [item.value for item in kind.cls]


def _within(number: int | float, kind: shapes.IntType | shapes.FloatType) -> bool:
    return not (
        (kind.ge is not None and number < kind.ge)
        or (kind.gt is not None and number <= kind.gt)
        or (kind.le is not None and number > kind.le)
        or (kind.lt is not None and number >= kind.lt)
        or (kind.multiple_of is not None and number % kind.multiple_of != 0)
    )


def _expected(kind: shapes.Type) -> str:
    if isinstance(kind, shapes.Metadata):
        return (kind.extra_json_schema or {}).get("description") or _expected(kind.type)
    if isinstance(kind, shapes.LiteralType | shapes.EnumType):
        return "one of " + _listed(map(str, _words(kind)))
    if isinstance(kind, shapes.BoolType):
        return "true or false"
    if isinstance(kind, shapes.IntType | shapes.FloatType):
        noun = "a whole number" if isinstance(kind, shapes.IntType) else "a number"
        low = kind.ge if kind.ge is not None else kind.gt
        high = kind.le if kind.le is not None else kind.lt
        if low is None and high is None:
            return noun
        if isinstance(kind, shapes.IntType):
            low = kind.gt + 1 if kind.gt is not None else low
            high = kind.lt - 1 if kind.lt is not None else high
        return f"{noun}, {_bounds(low, high)}"
    if isinstance(kind, shapes.StrType):
        if kind.pattern is not None:
            return f"text of the form {kind.pattern}"
        return "text" if not kind.min_length else "text that is not empty"
    if isinstance(kind, shapes.UnionType):
        parts = [_expected(part) for part in kind.types if not isinstance(part, shapes.NoneType)]
        return " or ".join(dict.fromkeys(parts))
    return "a table" if isinstance(kind, shapes.StructType | shapes.DictType) else "a list"


def _bounds(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{low} to {high}" if low != high else f"{low}"
    return f"at least {low}" if low is not None else f"at most {high}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _show(raw: object) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, str):
        return json.dumps(raw if len(raw) <= 60 else raw[:57] + "...", ensure_ascii=False)
    if isinstance(raw, dict):
        return "a table"
    if isinstance(raw, list):
        return "a list"
    if isinstance(raw, int | float):
        text = str(raw)
        return text if len(text) <= 24 else text[:21] + "..."
    return "nothing" if raw is None else f"a date or time ({raw})"


def _blank(kind: shapes.Type) -> Any:
    """A stand-in of this type for a value that could not be read."""
    kind = _bare(kind)
    if isinstance(kind, shapes.StructType):
        try:
            return kind.cls(**{field.name: _blank(field.type) for field in kind.fields if field.required})
        except (ValueError, TypeError):
            return None
    if isinstance(kind, shapes.LiteralType | shapes.EnumType):
        return _words(kind)[0]
    if isinstance(kind, shapes.UnionType):
        return None if any(isinstance(t, shapes.NoneType) for t in kind.types) else _blank(kind.types[0])
    if isinstance(kind, shapes.TupleType):
        return tuple(_blank(item) for item in kind.item_types)
    stand_ins: dict[type[shapes.Type], Any] = {
        shapes.BoolType: False,
        shapes.IntType: 0,
        shapes.FloatType: 0.0,
        shapes.StrType: "",
        shapes.DictType: {},
        shapes.ListType: [],
        shapes.VarTupleType: (),
        shapes.FrozenSetType: frozenset(),
        shapes.SetType: set(),
    }
    return stand_ins.get(type(kind))


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
