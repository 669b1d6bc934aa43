"""Positions: the readable form of a state, as nested dicts, and paths into it.

A path is written with dots: ``seats.A.money``, ``market.locomotives.0.id``. TOML has no null, so in a
position an absent key is null. Digests are over the canonical form: sorted keys, no white space.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

Position = dict[str, Any]

_canonical = msgspec.json.Encoder(order="deterministic")


def canonical(position: Mapping[str, Any]) -> bytes:
    """Canonical JSON bytes of a position: equal positions give equal bytes."""
    return _canonical.encode(position)


def digest(position: Mapping[str, Any]) -> str:
    """BLAKE2b of the canonical form, 32 hex digits."""
    return hashlib.blake2b(_canonical.encode(position), digest_size=16).hexdigest()


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> Position:
    """`base` with `changes` laid over it: tables merge key by key, everything else is replaced."""
    out: Position = dict(base)
    for key, value in changes.items():
        old = out.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            out[key] = merged(old, value)
        else:
            out[key] = value
    return out


def at(position: Any, path: str) -> Any:
    """The value at a path; None when the path leads nowhere (an absent key is null)."""
    here = position
    for part in path.split("."):
        if isinstance(here, Mapping):
            here = here.get(part)
        elif isinstance(here, (list, tuple)):
            if not part.isdecimal() or int(part) >= len(here):
                return None
            here = here[int(part)]
        else:
            return None
    return here


def flat(tables: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path; a table is its values, unless it is empty."""
    for key, value in tables.items():
        if isinstance(value, Mapping) and value:
            yield from flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def leads(tables: Any, path: Sequence[str]) -> bool:
    """Whether keys, one after the other, lead to something."""
    for key in path:
        if not isinstance(tables, Mapping) or key not in tables:
            return False
        tables = tables[key]
    return True


def with_value(position: Any, path: str, value: Any) -> Any:
    """A copy of the position with one value set. KeyError when a table on the way is missing."""
    head, _, rest = path.partition(".")
    if isinstance(position, Mapping):
        if rest and head not in position:
            raise KeyError(head)
        inner = with_value(position[head], rest, value) if rest else value
        return {**position, head: inner}
    if isinstance(position, (list, tuple)):
        if not head.isdecimal() or int(head) >= len(position):
            raise KeyError(head)
        index = int(head)
        inner = with_value(position[index], rest, value) if rest else value
        return [*position[:index], inner, *position[index + 1 :]]
    raise KeyError(head)


def without(position: Any, path: str) -> Any:
    """A copy of the position with the key at a path removed (an absent key is null).

    KeyError when the path leads nowhere, or into a list, whose items have no null.
    """
    head, _, rest = path.partition(".")
    if isinstance(position, Mapping) and head in position:
        if rest:
            return {**position, head: without(position[head], rest)}
        return {key: value for key, value in position.items() if key != head}
    if isinstance(position, (list, tuple)) and rest and head.isdecimal() and int(head) < len(position):
        index = int(head)
        return [*position[:index], without(position[index], rest), *position[index + 1 :]]
    raise KeyError(head)
