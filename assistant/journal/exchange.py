"""Games in and out: the export as one JSON file, import, reading without writing, salvage."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assistant.journal.errors import BadExport
from assistant.journal.memory import MemoryJournal
from assistant.journal.records import (
    AnyJournal,
    Chain,
    Header,
    Notes,
    Recorded,
    canonical,
    chain_of,
    checked_header,
    genesis_of,
    json_faults,
    line_of,
    link,
    secret_check,
)
from assistant.journal.store import Journal
from assistant.journal.tables import checked, load

EXPORT_VERSION = 1
"""The value of `stationmaster` in an export; older ones stay readable."""
_PARTS = {"stationmaster", "header", "genesis", "entries", "head", "secret"}
_Kind = TypeVar("_Kind")


def export(journal: AnyJournal | str | os.PathLike[str], *, finished: bool = False) -> dict[str, Any]:
    """A game as JSON values, from an open journal or from a file (which is read, not opened).

    The dealer's seed is in it only if the game is `finished`. Raises the errors of `read` for a path.
    """
    if isinstance(journal, (str, os.PathLike)):
        journal = read(journal)
    header = canonical(journal.header)
    genesis = genesis_of(header)
    document = {
        "stationmaster": EXPORT_VERSION,
        "header": msgspec.json.decode(header),
        "genesis": genesis.hex(),
        "entries": [msgspec.to_builtins(recorded) for recorded in journal.entries()],
        "head": {"seq": journal.last_seq, "hash": journal.head},
    }
    if finished and journal.secret:
        check = secret_check(genesis, journal.secret)
        document["secret"] = {"value": journal.secret, "check": check.hex()}
    return document


def export_text(journal: AnyJournal | str | os.PathLike[str], *, finished: bool = False) -> str:
    """`export` as text: the same game always gives the same bytes (sorted keys, one blank of indent per
    level, a newline at the end, UTF-8)."""
    return msgspec.json.format(canonical(export(journal, finished=finished)), indent=1).decode() + "\n"


def import_text(
    text: str,
    path: str | os.PathLike[str],
    *,
    now: Callable[[], str] | None = None,
    clock_set: Callable[[], bool] | None = None,
) -> Journal:
    """Write an exported game into a new journal, whose export is the same bytes again.

    Raises BadExport (all faults listed), AlreadyThere, Locked, JournalUnwritable.
    """
    chain, secret = _parse(text)
    return Journal.write(path, chain, secret, Notes(now, clock_set))


def import_memory(
    text: str, *, now: Callable[[], str] | None = None, clock_set: Callable[[], bool] | None = None
) -> MemoryJournal:
    """An exported game in memory, checked as by `import_text`, for a replay. Raises BadExport."""
    return MemoryJournal.of(*_parse(text), now, clock_set)


def save(
    journal: AnyJournal,
    path: str | os.PathLike[str],
    *,
    now: Callable[[], str] | None = None,
    clock_set: Callable[[], bool] | None = None,
) -> Journal:
    """Write a game, secret included, into a new journal: what was played unrecorded is recorded from here.

    Raises AlreadyThere, Locked, JournalUnwritable.
    """
    return Journal.write(path, chain_of(journal), journal.secret, Notes(now, clock_set))


def read(path: str | os.PathLike[str]) -> MemoryJournal:
    """A game from its file, without writing a byte: also from a card that is read-only.

    Of a game that is being played elsewhere this is what is recorded so far. Raises NoSuchJournal,
    ForeignFile, NewerFile, DamagedFile (LogMissing among them), and JournalError for a file that may not be
    read.
    """
    loaded = checked(Path(os.path.realpath(path)))
    return MemoryJournal.of(loaded.chain, loaded.secret)


def salvage(path: str | os.PathLike[str]) -> tuple[MemoryJournal, str]:
    """The entries of a damaged journal that can still be trusted: all before the first damage.

    Gives the game up to there, to be written with `save` under a new name, and what is wrong with
    the file ("" for nothing). The file is not touched. Raises DamagedFile when not even the header is whole,
    and the other errors of `read`.
    """
    loaded = load(Path(os.path.realpath(path)))
    fault = loaded.fault or ("its log is missing, and newer entries with it" if loaded.log_missing else "")
    return MemoryJournal.of(loaded.chain, loaded.secret), fault


# --- checking an export --------------------------------------------------------------------------


def _parse(text: str) -> tuple[Chain, str]:
    faults: list[str] = []
    document = _document(text)
    version = document.get("stationmaster")
    if version != EXPORT_VERSION or isinstance(version, bool):
        newer = isinstance(version, int) and version > EXPORT_VERSION
        update = ": update Stationmaster" if newer else ""
        raise BadExport([f"format {version!r} is not one this version reads{update}"])
    faults += [f"{name}: unknown" for name in sorted(document.keys() - _PARTS)]
    faults += [f"{name}: missing" for name in sorted(_PARTS - {"secret"} - document.keys())]
    header = _convert(document.get("header"), Header, "header", faults) if "header" in document else None
    if header is not None:
        try:
            checked_header(header)
        except ValueError as error:
            faults.append(f"header: {error}")
            header = None
    rows = document.get("entries", [])
    if not isinstance(rows, list):
        faults.append("entries: not a list")
        rows = []
    records = [_convert(row, Recorded, f"entries[{i}]", faults) for i, row in enumerate(rows)]
    if header is None:
        raise BadExport(faults)
    chain = Chain(canonical(header))
    previous = document.get("genesis")
    if "genesis" in document and previous != chain.genesis.hex():
        faults.append("header: it was changed, its hash is not `genesis`")
    ruling = 0
    for i, (row, recorded) in enumerate(zip(rows, records, strict=True)):
        # Each entry is judged by the hash that is given before it, so that one change is one fault.
        if recorded is None:
            previous = row.get("hash") if isinstance(row, dict) else None
            continue
        faults += _entry_faults(recorded, i + 1, ruling, previous, f"entries[{i}]")
        previous, ruling = recorded.hash, recorded.ruling
    head = {"seq": len(rows), "hash": previous}
    if "head" in document and document["head"] != head:
        faults.append("head: entries at the end are missing or changed")
    secret = _secret(document, chain, header, faults)
    if faults:
        raise BadExport(faults)
    for recorded in records:
        assert recorded is not None
        chain.adopt(line_of(recorded), bytes.fromhex(recorded.hash))
    chain.settle()
    return chain, secret


def _document(text: str) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in pairs)
        if len(counts) < len(pairs):
            twice = sorted(key for key, count in counts.items() if count > 1)
            raise ValueError(f"given twice: {', '.join(twice)}")
        return dict(pairs)

    def no_number(name: str) -> float:
        raise ValueError(f"{name} is not a number JSON has")

    try:
        document = json.loads(text, object_pairs_hook=once, parse_constant=no_number)
        canonical(document)  # Half a surrogate pair is text to JSON, but cannot be written down.
    except (ValueError, RecursionError) as error:
        raise BadExport([f"not JSON: {error}"]) from error
    if not isinstance(document, dict):
        raise BadExport(["not an exported game: the outermost value is no object"])
    return document


def _convert(value: object, kind: type[_Kind], where: str, faults: list[str]) -> _Kind | None:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        faults.append(f"{where}: {error}")
        return None


def _entry_faults(recorded: Recorded, number: int, ruling: int, previous: object, where: str) -> list[str]:
    faults = json_faults(recorded.entry.body, f"{where}.entry.body")
    faults += json_faults(recorded.entry.clocks, f"{where}.entry.clocks")
    if recorded.seq != number:
        faults.append(f"{where}: it has number {recorded.seq} where {number} was expected")
    if recorded.ruling not in ({ruling, ruling + 1} if ruling else {1}):
        faults.append(f"{where}: ruling {recorded.ruling} cannot follow ruling {ruling}")
    if not faults and isinstance(previous, str):
        try:
            whole = link(bytes.fromhex(previous), line_of(recorded)).hex() == recorded.hash
        except ValueError:
            whole = False
        if not whole:
            faults.append(f"{where}: it was changed, or what stood before it was (the hash does not fit)")
    return faults


def _secret(document: dict[str, Any], chain: Chain, header: Header, faults: list[str]) -> str:
    if "secret" not in document:
        return ""
    given = document["secret"]
    if not isinstance(given, dict) or set(given) != {"value", "check"} or not isinstance(given["value"], str):
        faults.append("secret: it must hold `value` and `check`")
        return ""
    value: str = given["value"]
    if not header.seed_hidden or not value or given["check"] != secret_check(chain.genesis, value).hex():
        faults.append("secret: it was changed")
    return value
