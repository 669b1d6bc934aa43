"""What is told about a pack besides its content: its header, where values come from, what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

Kind = Literal["rulebook", "public", "invented"]
"""Where a value comes from: the published rulebook, another public source (named), or our own invention."""
KINDS: tuple[Kind, ...] = ("rulebook", "public", "invented")


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
