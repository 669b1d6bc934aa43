"""Actions as people type them: `bid A 3`, `draw locomotives L1,L5`, `place_rt A c4 free_placement=yes`.

The first word is the action's name in JSON; then come its fields in order. A `seat` that has a default (the
table's) is left out. Lists are written with commas, amounts as `coal:2,money:1`, an empty list or a left-out
field in the middle as `-`. Fields can also be named, `space=3`. A list that comes last may be written with
spaces. A seat may be called by its name. What no word can hold (a comma inside a name) is written as JSON.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import inspect as shapes

from assistant.actions import TABLE, Action, Codec
from assistant.packs import nearest
from assistant.rulings import NotUnderstood

NOTHING = "-"
SEAT_FIELDS = frozenset({"seat", "to", "owner"})
"""Fields of actions that hold a seat: there its name may be typed for its letter."""


def parse(codec: Codec[Any], words: Sequence[str], names: Mapping[str, str] | None = None) -> Any:
    """The action that the words spell, in the short form or as one word of JSON.

    `names` are those of the seats, by letter; they may be typed for letters. `NotUnderstood` says what is
    wrong and how that action is typed.
    """
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        return codec.from_json(json_of(words[0]))
    if len(words) == 1:
        try:
            words = shlex.split(words[0])
        except ValueError as wrong:
            raise NotUnderstood(f"{words[0]!r} cannot be split into words: {wrong}") from None
    if not words:
        raise NotUnderstood("an action has a name")
    kind = words[0]
    if kind not in codec.types:
        close = nearest(kind, codec.types)
        hint = f"nearest is {close!r}" if close else f"there are: {', '.join(sorted(codec.types))}"
        raise NotUnderstood(f"no action is called {kind!r}; {hint}")
    fields = _fields(codec.types[kind])
    order = [name for name, field in fields.items() if not _is_tables_seat(field)]
    form = {"do": kind}
    waiting = list(order)
    for word in words[1:]:
        name, named, text = word.partition("=")
        if named and name in fields:
            if name in form:
                raise NotUnderstood(f"{kind}: {name} is given twice")
            form[name] = _value(fields[name].type, text, f"{kind}: {name}")
            if name in waiting:
                waiting.remove(name)
        elif waiting:
            name = waiting.pop(0)
            if word == NOTHING and not fields[name].required:
                continue
            form[name] = _value(fields[name].type, word, f"{kind}: {name}")
        elif order and isinstance(form.get(order[-1]), list):
            form[order[-1]] += _value(fields[order[-1]].type, word, f"{kind}: {order[-1]}")
        else:
            raise NotUnderstood(f"{word!r} is one word too many; the form is: {usage(codec, kind)}")
    for name in SEAT_FIELDS & form.keys():
        form[name] = _seat(form[name], names or {}, name)
    missing = [name for name, field in fields.items() if field.required and name not in form]
    if missing:
        raise NotUnderstood(f"{', '.join(missing)} is missing; the form is: {usage(codec, kind)}")
    return codec.from_json(form)


def json_of(text: str, where: str = "") -> Any:
    """The value of JSON text; `NotUnderstood` for anything else."""
    before = f"{where}: {text!r} is not JSON" if where else "this is not JSON"
    try:
        return json.loads(text)
    except ValueError as wrong:
        raise NotUnderstood(f"{before}: {wrong}") from None
    except RecursionError:
        raise NotUnderstood(f"{where}: nested too deeply" if where else "this is nested too deeply") from None


def letter_of(seat: str, names: Mapping[str, str]) -> str | None:
    """The letter of the seat that is called so; a letter is its own. None when there is no such seat."""
    if seat in names:
        return seat
    return next((letter for letter, name in names.items() if name == seat), None)


def known_seats(names: Mapping[str, str]) -> str:
    """The seats as a message lists them: "A (Zoë), B"."""
    return ", ".join(f"{letter} ({name})" if name != letter else letter for letter, name in names.items())


def _seat(value: Any, names: Mapping[str, str], field: str) -> Any:
    """What a field of a seat holds, as a letter. `NotUnderstood` for a seat that is not at the table."""
    if not isinstance(value, str) or not names:
        return value
    letter = letter_of(value, names)
    if letter is None and field == "seat" and value != TABLE:
        raise NotUnderstood(f"there is no seat {value!r}; there are: {known_seats(names)}")
    return value if letter is None else letter


def usage(codec: Codec[Any], kind: str, known: Mapping[str, Any] | None = None) -> str:
    """How an action of that kind is typed, e.g. "bid SEAT SPACE"; a field that is `known`, the seat apart, by
    its value."""
    out = [kind]
    settled = {name: value for name, value in (known or {}).items() if name != "seat"}
    for name, field in _fields(codec.types[kind]).items():
        if name in settled:
            out.append(str(settled[name]))
        elif not _is_tables_seat(field):
            out.append(name.upper() if field.required else f"[{name.upper()}]")
    return " ".join(out)


def spell(action: Action) -> str:
    """The action in the short form; `parse` reads it back."""
    fields = _fields(type(action))
    out = [action.kind]
    skipped = False
    for name, field in fields.items():
        value = getattr(action, name)
        if not field.required and value == _default(field):
            skipped = skipped or not _is_tables_seat(field)
            continue
        word = _word(field.type, value)
        name_like = "=" in word and word.partition("=")[0] in fields
        unclear = name_like or (word == NOTHING and not field.required)
        out.append(f"{name}={word}" if skipped or unclear or _is_tables_seat(field) else word)
    return " ".join(shlex.quote(word) for word in out)


def blank(action: Action) -> str:
    """How an action is typed, with blanks for the names in its last list: `draw routes R?,R?`.

    What all names begin with stands before the blanks, if a number follows.
    """
    name, listed = next(
        ((n, v) for n in reversed(action.__struct_fields__) if isinstance(v := getattr(action, n), tuple)),
        ("", ()),
    )
    heads = {match[1] if (match := _NUMBERED.fullmatch(str(item))) else "" for item in listed}
    gap = f"{heads.pop()}?" if len(heads) == 1 else "?"
    gaps = ",".join([gap] * len(listed))
    fields = _fields(type(action))
    words = [action.kind]
    for field, shape in fields.items():
        if not _is_tables_seat(shape):
            words.append(gaps if field == name else _word(shape.type, getattr(action, field)))
    return " ".join(words)


_NUMBERED = re.compile(r"(\D+)\d+")


def _fields(kind: type[Action]) -> dict[str, shapes.Field]:
    shape = shapes.type_info(kind)
    assert isinstance(shape, shapes.StructType)
    return {field.name: field for field in shape.fields}


def _is_tables_seat(field: shapes.Field) -> bool:
    return field.name == "seat" and field.default == TABLE


def _default(field: shapes.Field) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _bare(kind: shapes.Type) -> list[shapes.Type]:
    """The types that a value may have, without "or nothing"."""
    if isinstance(kind, shapes.Metadata):
        return _bare(kind.type)
    if isinstance(kind, shapes.UnionType):
        return [bare for part in kind.types for bare in _bare(part) if not isinstance(part, shapes.NoneType)]
    return [kind]


_LISTS = (shapes.VarTupleType, shapes.TupleType, shapes.ListType, shapes.FrozenSetType, shapes.SetType)


def _item(kind: shapes.Type, index: int) -> shapes.Type:
    if isinstance(kind, shapes.TupleType):
        return kind.item_types[min(index, len(kind.item_types) - 1)]
    assert isinstance(kind, shapes.VarTupleType | shapes.ListType | shapes.FrozenSetType | shapes.SetType)
    return kind.item_type


def _value(kind: shapes.Type, text: str, where: str) -> Any:
    """The JSON value that a word stands for, as far as the type tells; the codec checks the rest."""
    choices = _bare(kind)
    if text[:1] in ("[", "{") and not all(isinstance(choice, shapes.StrType) for choice in choices):
        return json_of(text, where)
    for choice in choices:
        if isinstance(choice, _LISTS):
            parts = [] if text in ("", NOTHING) else text.split(",")
            return [_value(_item(choice, index), part, where) for index, part in enumerate(parts)]
        if isinstance(choice, shapes.DictType):
            return _amounts(choice, text, where)
        if isinstance(choice, shapes.BoolType) and text.lower() in _TRUTH:
            return _TRUTH[text.lower()]
        if isinstance(choice, shapes.IntType | shapes.FloatType):
            try:
                return int(text) if isinstance(choice, shapes.IntType) else float(text)
            except ValueError:
                continue
        if isinstance(choice, shapes.LiteralType) and text not in choice.values:
            numbers = {str(value): value for value in choice.values}
            if text in numbers:
                return numbers[text]
    return text


_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


def _amounts(kind: shapes.DictType, text: str, where: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for part in [] if text in ("", NOTHING) else text.split(","):
        name, colon, amount = part.partition(":")
        if not colon:
            raise NotUnderstood(f"{where}: {part!r} is no amount; amounts are written as coal:2,money:1")
        out[name] = _value(kind.value_type, amount, where)
    return out


def _word(kind: shapes.Type, value: Any) -> str:
    """How a value is written; as JSON where the short way would not be read back."""
    whole = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        short = ",".join(f"{name}:{amount}" for name, amount in value.items()) or NOTHING
    elif isinstance(value, str):
        return value
    elif isinstance(value, Sequence | frozenset | set):
        short = ",".join(str(item) for item in value) or NOTHING
    else:
        return str(value)
    try:
        again = _value(kind, short, "")
    except NotUnderstood:
        return whole
    return short if again == json.loads(whole) else whole
