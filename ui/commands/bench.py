"""`stationmaster bench`: figures, with a peer measured in the same run where there is one."""

from __future__ import annotations

import argparse
import importlib
import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.terminal import GOOD, NO, print_json, say, table

if TYPE_CHECKING:
    from ui.bench import Row


def _benches() -> tuple[str, ...]:
    """The benches there are: modules of `ui.bench` with a `run`, told without importing any."""
    here = Path(__file__).parents[1] / "bench"
    files = sorted(here.glob("[!_]*.py"))
    return tuple(file.stem for file in files if "\ndef run(" in file.read_text(encoding="utf-8"))


BENCHES = _benches()
ABOUT = (
    "Measures a part of the product. Each figure tells its goal and, where another program does the same "
    "work, that program's figure from the same run."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("bench", help="measure a part of the product", description=ABOUT)
    parser.add_argument("what", choices=BENCHES, help="which part")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of what is drawn by lot")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every goal is met, 1 when one is missed."""
    rows = measure(args.what, args.seed)
    if args.json:
        from msgspec import to_builtins

        print_json([to_builtins(row) for row in rows])
    else:
        for line in _lines(rows):
            print(line)
    missed = [row.name for row in rows if row.ok is False]
    if missed:
        say(f"stationmaster bench: missed: {', '.join(missed)}")
        return NO
    return GOOD


def measure(what: str, seed: int | None = None) -> list[Row]:
    """The rows of one bench."""
    module: Any = importlib.import_module(f"ui.bench.{what}")
    with_seed = (
        {"seed": seed} if seed is not None and "seed" in inspect.signature(module.run).parameters else {}
    )
    rows: list[Row] = module.run(**with_seed)
    return rows


def _lines(rows: list[Row]) -> list[str]:
    verdict = {True: "met", False: "MISSED", None: ""}
    cells = [
        [
            row.name,
            "-" if row.value is None else row.value,
            row.unit,
            row.goal,
            verdict[row.ok],
            row.peer,
            row.peer_value,
            "" if row.ratio is None else f"x {row.ratio}",
        ]
        for row in rows
    ]
    lines = table(cells, ["", "value", "unit", "goal", "", "peer", "its value", ""])
    return [*lines, "", *(f"{row.name}: {row.how}" for row in rows if row.how)]
