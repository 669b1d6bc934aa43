"""What a seat may be called: one rule for the command line and the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import category

LONGEST_NAME = 40
_NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what stands after them, also outside the name."""
_TAKEN = frozenset({"all", "table", "staff", "public"})


def fault(seat: str, name: str, seats: Sequence[str]) -> str:
    """What is wrong with a seat's name, "" for nothing. It may be typed for the letter, so it must differ."""
    if not name:
        return "is empty"
    if len(name) > LONGEST_NAME:
        return f"has {len(name)} characters; at most {LONGEST_NAME} will do"
    if any(category(sign) in _NO_TEXT or sign in _TURNING for sign in name):
        return "has characters that are no text"
    if any(name.casefold() == other.casefold() for other in seats if other != seat):
        return f"is {name!r}, the letter of another seat"
    return f"is {name!r}, which means somebody else here" if name.casefold() in _TAKEN else ""


def faults(names: Mapping[str, str]) -> list[str]:
    """Everything that is wrong with the names of a table, in sentences; empty when they will do."""
    found = ["two seats have the same name"] if len(set(names.values())) != len(names) else []
    found += [
        f"the name of seat {seat} {wrong}"
        for seat, name in names.items()
        if (wrong := fault(seat, name, tuple(names)))
    ]
    return found
