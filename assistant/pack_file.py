"""Pack files: TOML turned into records, value by value, with every fault told in words.

A value that cannot be read is replaced by a stand-in, so that one broken row hides neither the next row nor
the checks of other tables. Which tables there are, and what must hold between them, is `assistant.packs`' and
the game's matter.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, cast

import msgspec
from msgspec import inspect as shapes

from assistant.pack_records import (
    KINDS,
    Fault,
    Header,
    PackFaults,
    Provenance,
    RowMarks,
    TableMarks,
)
from assistant.positions import flat

_TOML_AT = re.compile(
    r"^(?P<text>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S
)
_INT64 = (-(2**63), 2**63 - 1)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known spelling closest to `word`, or None when nothing is close."""
    spelled = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(word.casefold(), spelled, n=1, cutoff=0.55)
    return spelled[close[0]] if close else None


def near(word: str, known: Iterable[str]) -> str:
    """The words that name the closest known spelling at the end of a fault; empty where nothing is close."""
    close = nearest(word, known)
    return f'; nearest is "{close}"' if close is not None else ""


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file, as TOML has them. PackFaults (one fault) where it cannot be read."""
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


class Lent(msgspec.Struct, frozen=True):
    """A table that another pack lends: the file, the table as it stands there, that pack's default mark."""

    file: str
    raw: Any
    default: Provenance


class Reader:
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
        lent: Mapping[str, Lent],
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
                self.fault(name, "", "unknown table" + near(name, [*known, "pack"]))
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

    def lent_table(self, lent: Lent, kind: shapes.Type, name: str, fixture: bool) -> object:
        """A table of the pack that this one extends: faults name that file, marks are its own."""
        below = Reader(lent.file)
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
                    self.fault(table, f"{key}.fields.{name}", "unknown field" + near(name, names))
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
                    close = near(name, ("mark", "source", "fields"))
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
            close = near(spec, KINDS) if isinstance(spec, str) else ""
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
                found = f"{_show(raw[field])}{near(str(raw[field]), tagged)}"
                self.fault(table, here, f"expected one of {_listed(tagged)}, found {found}")
            return None
        if len(choices) == 1:
            return self.value(raw, choices[0], table, at)
        for choice in choices:
            trial = Reader(self.file)
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
            # Names with dots may stand without quotes: TOML reads the bare key `a.b` as a table in a table.
            raw = dict(flat(raw))
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


def _problem(raw: object, kind: shapes.Type, said: shapes.Type) -> str | None:
    """What is wrong with a plain value of this type, or None; `said` may add a description to `kind`."""
    if isinstance(kind, shapes.AnyType) or _fits(raw, kind):
        return None
    found = f"expected {_expected(said)}, found {_show(raw)}"
    if isinstance(raw, str) and isinstance(kind, shapes.LiteralType | shapes.EnumType):
        return found + near(raw, [word for word in _words(kind) if isinstance(word, str)])
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
