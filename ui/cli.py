"""The command `stationmaster`.

Every command is a module of `ui.commands` with `add(subparsers)`, which adds one parser of the command's
name, and `run(args) -> int`. A module is named like its command (`import_` for a name that Python keeps for
itself). Only the module of the command that is called is imported, and modules import what is heavy inside
`run`, so that a call costs what it needs.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn

import ui.commands
from ui.terminal import NO, WRONG_CALL, No, Usage, say

FAILED = 70
"""Exit code for a mistake of the program's own (EX_SOFTWARE of sysexits.h)."""

_ORDER = (
    ("demo", "kiosk", "sheets", "teach", "read", "readiness", "census", "doctor", "panel"),
    ("new", "act", "undo", "redo", "correct", "show", "score", "legal", "history", "games"),
    ("export", "import", "replay", "case", "titles", "pack", "bench"),
    ("backup", "restore", "support", "config", "selfcheck"),
)


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with a call."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message}; see {self.prog} --help")
        raise SystemExit(WRONG_CALL)


def commands() -> dict[str, str]:
    """The commands there are, in order of use, with the modules they live in."""
    found = {
        info.name.rstrip("_"): f"{ui.commands.__name__}.{info.name}"
        for info in pkgutil.iter_modules(ui.commands.__path__)
        if not info.name.startswith("_")
    }
    known = [name for group in _ORDER for name in group if name in found]
    return {name: found[name] for name in [*known, *sorted(found.keys() - set(known))]}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0 good, 1 the answer is no, 2 the call was wrong."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _main(words)
    except SystemExit as end:  # argparse, after --help, --version or a wrong call
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        say("stationmaster: stopped")
        return 130
    except BrokenPipeError:
        # Whoever read our output has had enough; Python must not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _main(words: list[str]) -> int:
    there = commands()
    name = words[0] if words else ""
    if name and not name.startswith("-") and name not in there:
        close = difflib.get_close_matches(name, there, n=1)
        hint = f"nearest is {close[0]!r}" if close else "see stationmaster --help"
        say(f"stationmaster: there is no command {name!r}; {hint}")
        return WRONG_CALL
    wanted = {name: there[name]} if name in there else there
    parser = _Parser(
        prog="stationmaster",
        description="A referee for board games: checks what is done, keeps the record, counts the points.",
        epilog="stationmaster COMMAND --help tells more about a command.",
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    modules = {command: importlib.import_module(module) for command, module in wanted.items()}
    for module in modules.values():
        module.add(subparsers)
    args = parser.parse_args(words)
    if args.version:
        from importlib.metadata import version

        print(f"stationmaster {version('stationmaster')}")
        return 0
    if args.command is None:
        parser.print_help(sys.stderr)
        return WRONG_CALL
    return _run(modules[args.command], args)


def _run(module: Any, args: argparse.Namespace) -> int:
    """Run a command; whatever is wrong with the input is one clear line, never a traceback."""
    prog = f"stationmaster {args.command}"
    try:
        code: int = module.run(args)
        sys.stdout.flush()
        return code
    except Usage as wrong:
        say(f"{prog}: {wrong}")
        return WRONG_CALL
    except No as wrong:
        say(f"{prog}: {wrong}")
        return NO
    except BrokenPipeError:
        raise
    except OSError as wrong:
        where = f"{wrong.filename}: " if wrong.filename else ""
        say(f"{prog}: {where}{wrong.strerror or wrong}")
        return NO
    except Exception as wrong:
        return _lost(prog, wrong)


def _lost(prog: str, wrong: Exception) -> int:
    """Whose mistake it is that nothing else has caught: a game's from a folder, or the program's own."""
    # What was not even read cannot have failed.
    games, words = sys.modules.get("assistant.game"), sys.modules.get("ui.sentences")
    if games is not None and isinstance(wrong, games.NoGame):
        say(f"{prog}: {wrong}")
        return WRONG_CALL
    if words is not None and isinstance(wrong, words.CatalogueFault):
        say(f"{prog}: {wrong}")
        return NO
    traceback.print_exc()
    place = games.place_in_a_game(wrong) if games is not None else None
    if place is not None:
        say(f"{prog}: this is a mistake in the game, at {place}; the lines above tell how it came there")
    else:
        say(f"{prog}: this is a mistake in Stationmaster, not in the call; please report the lines above")
    return FAILED


if __name__ == "__main__":
    raise SystemExit(main())
