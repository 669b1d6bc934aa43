"""A position as people read it: seats side by side, the rest as indented lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from assistant.positions import flat
from ui.terminal import table

_WIDE = 100


def lines(position: Mapping[str, Any], names: Mapping[str, str] | None = None) -> Iterator[str]:
    """The position, `seats` as a table with one column a seat, under the seats' names."""
    shown = names or {}
    for key, value in position.items():
        if (
            key == "seats"
            and isinstance(value, Mapping)
            and all(isinstance(v, Mapping) for v in value.values())
        ):
            yield ""
            yield from _seats(value, shown)
            yield ""
        else:
            yield from _entry(key, value, "")


def _seats(seats: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[str]:
    values = {seat: dict(flat(held)) for seat, held in seats.items()}
    paths = list(dict.fromkeys(path for held in values.values() for path in held))
    # A table that is empty for one seat and not for another would show twice.
    paths = [path for path in paths if not any(other.startswith(f"{path}.") for other in paths)]
    head = ["", *(f"{seat} {names[seat]}" if names.get(seat, seat) != seat else seat for seat in seats)]
    width = max(12, (_WIDE - max(map(len, paths), default=0)) // max(len(seats), 1) - 2)
    rows: list[tuple[str, ...]] = []
    for path in paths:
        cells = [textwrap.wrap(_leaf(values[seat].get(path)), width) for seat in seats]
        rows += zip_longest([path], *cells, fillvalue="")
    yield from table(rows, head)


def _leaf(value: Any) -> str:
    if value is None or value in ([], {}, ()):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        # A thing with an id is called by it; what else is said of it follows.
        name = [str(value["id"])] if "id" in value else []
        rest = [
            key if inner is True else f"{key} {_leaf(inner)}" for key, inner in value.items() if key != "id"
        ]
        return " ".join([*name, *([f"({', '.join(rest)})"] if name and rest else rest)])
    if isinstance(value, list | tuple):
        return ", ".join(_leaf(item) for item in value)
    return str(value)


def _entry(key: str, value: Any, indent: str) -> Iterator[str]:
    inner = value.values() if isinstance(value, Mapping) else ()
    deep = any(isinstance(item, Mapping | list | tuple) for item in inner)
    text = f"{indent}{key}: {_leaf(value)}"
    if isinstance(value, Mapping) and (deep or len(text) > _WIDE):
        yield f"{indent}{key}:"
        for name, item in value.items():
            yield from _entry(str(name), item, indent + "  ")
    else:
        yield from textwrap.wrap(text, _WIDE, subsequent_indent=f"{indent}  ", break_long_words=False)
