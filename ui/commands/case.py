"""`stationmaster case`: run rule cases kept as data."""

from __future__ import annotations

import argparse
from pathlib import Path

from ui.terminal import GOOD, NO, Usage, print_json, say

ABOUT = (
    "Runs rule cases: a position, what is done, what must follow. Every expectation that does not hold is "
    "listed. A folder stands for all cases in it. docs/cases.md tells how a case is written."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("case", help="run rule cases", description=ABOUT)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="case files, or folders of them")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every case holds, 1 when one does not, 2 when a file is not there or there is no case at all."""
    from assistant.cases import find, run_many

    for file in args.files:
        if not file.exists():
            raise Usage(f"there is no file {file}")
    files = find(args.files)
    if not files:
        raise Usage(f"there are no cases in {', '.join(map(str, args.files))}")
    results = run_many(files)
    failed = [result for result in results if not result.passed]
    if args.json:
        listed = [{"id": one.id, "file": one.file, "why": list(one.why)} for one in failed]
        print_json({"passed": len(results) - len(failed), "failed": listed})
    else:
        for one in failed:
            print(f"{one.id} ({one.file}):")
            for line in one.why:
                print(f"  {line}")
        print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    if failed and args.json:
        say(f"{len(failed)} of {len(results)} cases failed")
    return NO if failed else GOOD
