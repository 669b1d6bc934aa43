"""`stationmaster pack`: check a content pack, or list the packs of every game on the shelf."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from assistant import game
from assistant.game import Title
from assistant.packs import Fault, Pack, PackFaults, available, nearest, read_header
from ui.shelf import is_path, shelf
from ui.terminal import Usage

ABOUT = (
    "A pack holds what a rulebook leaves to the printed components; docs/packs.md says how one is written. "
    "check lists everything wrong with a pack file and exits with 1 if there is anything, with 2 if no "
    "pack has that id; warnings alone exit with 0."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register `pack check` and `pack list`; the parsed arguments have `run` set."""
    parser = subparsers.add_parser("pack", help="check or list content packs", description=ABOUT)
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    checking = actions.add_parser("check", help="list everything wrong with a pack file")
    checking.add_argument("file", metavar="FILE|ID", help="a pack, as TOML, or the id of one that ships")
    listing = actions.add_parser("list", help="list the packs of every game")
    for action in (checking, listing):
        action.add_argument("--json", action="store_true", help="print JSON")
        action.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0 when every pack looked at is sound, 1 when one is not. JSON to stdout, faults in words to stderr."""
    if args.action == "check":
        return _check(_file(args.file), args.json)
    return _list(args.json)


def _file(name: str) -> Path:
    """The file of a pack, by path or by id. `Usage` for an id that no pack has."""
    if is_path(name) or Path(name).exists():
        return Path(name)
    files = [file for title in shelf().values() for file in available(title.folder)]
    packs = {file.stem.replace("-", "_"): file for file in files}
    wanted = name.replace("-", "_")
    if wanted not in packs:
        close = nearest(wanted, packs)
        hint = f"; nearest is {packs[close].stem!r}" if close else ""
        raise Usage(f"there is no pack {name!r}{hint}; `stationmaster pack list` lists them")
    return packs[wanted]


def _check(file: Path, as_json: bool) -> int:
    pack, faults = _load(file)
    warnings = pack.warnings if pack else ()
    if as_json:
        record: dict[str, Any] = {"file": str(file), "ok": pack is not None}
        record |= _facts(pack) if pack else {}
        record |= {"inventions": pack.inventions()} if pack else {}
        record["faults"] = [_fault(fault) for fault in faults]
        record["warnings"] = [_fault(fault) for fault in warnings]
        _print_json(record)
    for fault in faults:
        print(fault, file=sys.stderr)
    for warning in warnings:
        print(f"{warning} (a warning)", file=sys.stderr)
    if pack is None:
        print(f"{file}: {_count(len(faults), 'fault')}.", file=sys.stderr)
        return 1
    if not as_json:
        print(f"{file}: {pack.title} ({pack.edition}) for {pack.game}{_marks(pack)}. No faults.")
        print(f"digest {pack.digest}")
        found = pack.inventions()
        if whole := [table for table, names in found.items() if names == ("",)]:
            print(f"invented: all of {', '.join(whole)}")
        for table, names in found.items():
            if names != ("",):
                print(f"invented in {table}: {', '.join(names)}")
    return 0


def _list(as_json: bool) -> int:
    rows: list[dict[str, Any]] = []
    sound = True
    for title in sorted(game.titles().values(), key=lambda title: title.id):
        for file in available(title.folder):
            pack, faults = _load(file, title)
            sound = sound and pack is not None
            row: dict[str, Any] = {
                "game": title.id,
                "id": file.stem,
                "file": str(file),
                "ok": pack is not None,
            }
            row |= _facts(pack) if pack else {}
            row["default"] = file.stem == title.default_pack
            row["faults"] = len(faults)
            rows.append(row)
            if not as_json:
                about = (
                    f"{pack.title} ({pack.edition}){_marks(pack)}" if pack else _count(len(faults), "fault")
                )
                print(f"{title.id}  {file.stem}{'*' if row['default'] else ''}  {about}")
            if pack is None:
                print(f"{file}: cannot be used; see: stationmaster pack check {file}", file=sys.stderr)
    if as_json:
        _print_json(rows)
    elif not rows:
        print("No game on the shelf has a pack.", file=sys.stderr)
    return 0 if sound else 1


def _load(file: Path, title: Title | None = None) -> tuple[Pack[Any] | None, tuple[Fault, ...]]:
    """The pack, or None and what is wrong with it. Without a title, the pack says for which game it is."""
    try:
        if title is None:
            wanted = read_header(file).game
            try:
                title = game.find_title(wanted)
            except LookupError:
                known = sorted(game.titles())
                close = nearest(wanted, known)
                text = f'there is no game "{wanted}"' + (f'; nearest is "{close}"' if close else "")
                text += f"; games here: {', '.join(known) or 'none'}"
                return None, (Fault(str(file), "pack", "game", text),)
        return title.load_pack(file), ()
    except PackFaults as error:
        return None, error.faults


def _facts(pack: Pack[Any]) -> dict[str, Any]:
    names = ("id", "game", "title", "edition", "rules_version", "fixture", "digest", "invented")
    return {name: getattr(pack, name) for name in names}


def _fault(fault: Fault) -> dict[str, str | None]:
    return {"table": fault.table, "key": fault.key, "text": fault.text, "rule": fault.rule}


def _marks(pack: Pack[Any]) -> str:
    return (", a fixture for tests" if pack.fixture else "") + (
        ", with invented values" if pack.invented else ""
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
