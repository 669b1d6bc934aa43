"""What a seat may be called: one rule for the command line and the screen, each with words of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal
from unicodedata import category

LONGEST_NAME = 40
LONGEST_CALLED = 12
"""Characters of a name that fit beside a sign and in a question."""
_NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what stands after them, also outside the name."""
_TAKEN = frozenset({"all", "table", "staff", "public"})

Wrong = Literal["empty", "long", "no_text", "letter", "taken", "twice"]
"""What can be wrong with a name; "twice" is wrong with two at once."""


def fault(seat: str, name: str, seats: Sequence[str]) -> Wrong | None:
    """What is wrong with a seat's name by itself. It may be typed for the letter, so it must differ."""
    if not name:
        return "empty"
    if len(name) > LONGEST_NAME:
        return "long"
    if any(category(sign) in _NO_TEXT or sign in _TURNING for sign in name):
        return "no_text"
    if any(name.casefold() == other.casefold() for other in seats if other != seat):
        return "letter"
    return "taken" if name.casefold() in _TAKEN else None


def faults(names: Mapping[str, str]) -> list[tuple[str, str, Wrong]]:
    """Everything that is wrong with the names of a table: seat, name and what; empty when they will do."""
    given = list(names.values())
    found: list[tuple[str, str, Wrong]] = [
        (seat, name, "twice") for n, (seat, name) in enumerate(names.items()) if name in given[:n]
    ]
    for seat, name in names.items():
        if (wrong := fault(seat, name, tuple(names))) is not None:
            found.append((seat, name, wrong))
    return found


def sentence(seat: str, name: str, wrong: Wrong) -> str:
    """What is wrong with a seat's name, in English, for the command line."""
    if wrong == "twice":
        return "two seats have the same name"
    said = {
        "empty": "is empty",
        "long": f"has {len(name)} characters; at most {LONGEST_NAME} will do",
        "no_text": "has characters that are no text",
        "letter": f"is {name!r}, the letter of another seat",
        "taken": f"is {name!r}, which means somebody else here",
    }
    return f"the name of seat {seat} {said[wrong]}"


def called(names: Mapping[str, str]) -> dict[str, str]:
    """What seats are called where there is little room: the name, else the first part of a long one, else,
    where that is still long or not only theirs, the letter, which their sign carries too."""
    short = {
        seat: name if len(name) <= LONGEST_CALLED else re.split(r"[\s-]", name)[0]
        for seat, name in names.items()
    }
    heard = [name.casefold() for name in short.values()]
    return {
        seat: name
        if not names[seat]
        or (0 < len(name) <= LONGEST_CALLED and (name == names[seat] or heard.count(name.casefold()) == 1))
        else seat
        for seat, name in short.items()
    }
