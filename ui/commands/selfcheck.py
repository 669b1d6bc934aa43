"""`stationmaster selfcheck`: whether this installation can do its work, and go on with the games there
are."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ui.records import add_folder, folder, saved
from ui.terminal import GOOD, NO, No, print_json, say

ABOUT = (
    "Imports every module, opens every game with its packs, and goes on with every saved game in memory. "
    "With --before, what another version said with --json, it fails when that one can go on with a game "
    "that this one cannot, or read the configuration. Nothing is written. The installer calls it before it "
    "switches to a new version."
)
_ELSEWHERE = frozenset({"picamera2", "libcamera", "lgpio", "chess", "pyspiel"})
"""Packages that only some machines have."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("selfcheck", help="whether this installation is whole", description=ABOUT)
    parser.add_argument("--games-only", action="store_true", help="look at saved games and --config only")
    parser.add_argument("--config", type=Path, metavar="FILE", help="also whether this can be read")
    parser.add_argument("--before", type=Path, metavar="FILE", help="what another version said with --json")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """0 when all is well, 1 when something is not."""
    faults = [] if args.games_only else [*_modules(), *_titles()]
    games = dict(_games(folder(args)))
    before = _said(args.before)
    config = _config(args.config)
    # What the version in use cannot read either does not get worse: its kiosk goes by the last good one.
    if config and not before.get("config"):
        faults += [f"{args.config} cannot be read by this version: {fault}" for fault in config]
    lost = sorted(_could(before) - {name for name, fault in games.items() if not fault})
    faults += [
        f"{name}: the version before can go on with it, this one cannot: {games[name]}"
        for name in lost
        if name in games
    ]
    if args.json:
        print_json({"faults": faults, "games": games, "config": config})
    else:
        for fault in faults:
            say(fault)
        for name, fault in games.items():
            if fault:
                say(f"{name} cannot be gone on with: {fault}")
        held = sum(not fault for fault in games.values())
        say(f"selfcheck: {len(faults)} faults; {held} of {len(games)} saved games can be gone on with")
    return NO if faults else GOOD


def _said(before: Path | None) -> dict[str, Any]:
    """What the other version said; nothing when it could not be asked."""
    if before is None:
        return {}
    try:
        said = json.loads(before.read_text(encoding="utf-8") or "{}")
        if isinstance(said, dict) and isinstance(said.get("games", {}), dict):
            return said
        wrong: Exception | str = "there are no games in it"
    except (OSError, ValueError) as error:
        wrong = error
    raise No(f"{before} is not what selfcheck --json prints: {wrong}")


def _could(before: dict[str, Any]) -> set[str]:
    """Games that the other version can go on with."""
    return {name for name, fault in before.get("games", {}).items() if not fault}


def _config(file: Path | None) -> list[str]:
    """What is wrong with the configuration for this version."""
    if file is None:
        return []
    from ui.kiosk.config import faults_of

    return list(faults_of(file))


def _modules() -> Iterator[str]:
    from ui.kiosk.environment import prepare

    prepare((64, 64), offscreen=True)
    for top in ("assistant", "vision", "hardware", "ui"):
        package = importlib.import_module(top)
        for info in pkgutil.walk_packages(package.__path__, f"{top}."):
            if info.name.endswith(".__main__"):
                continue
            try:
                importlib.import_module(info.name)
            except ModuleNotFoundError as wrong:
                if (wrong.name or "").partition(".")[0] not in _ELSEWHERE:
                    yield f"{info.name}: {wrong}"
            except Exception as wrong:
                yield f"{info.name}: {type(wrong).__name__}: {wrong}"


def _titles() -> Iterator[str]:
    from assistant.game import titles

    there = titles()
    if not there:
        yield "there is no game"
    for name, title in there.items():
        try:
            for seats in range(title.seats[0], title.seats[1] + 1):
                game = title.open(title.load_pack(title.default_pack), seats)
                game.offers(game.start(), game.seats[0])
        except Exception as wrong:
            yield f"game {name}: {type(wrong).__name__}: {wrong}"


def _games(where: Path) -> Iterator[tuple[str, str]]:
    """Saved games with what keeps this version from going on with them, "" for nothing."""
    from assistant.journal import read
    from assistant.referee import Referee

    for file in saved(where):
        yield file.name, _resumed(lambda file=file: Referee.resume(read(file)))


def _resumed(deed: Any) -> str:
    try:
        deed()
    except Exception as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return ""
