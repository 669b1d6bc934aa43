"""`python -m tests.torture [--share S] [--seed N] [NAME ...]`: the campaign, as rows of a table for the
documents."""

from __future__ import annotations

import argparse
import sys
import time

from tests.torture.campaign import TRIALS, run


def main() -> int:
    """0 when nothing that was acknowledged was lost, and nothing broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(TRIALS)} (default: all)")
    parser.add_argument("--share", type=float, default=1.0, help="of the full campaign (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in TRIALS]:
        parser.error(f"there is no trial {unknown[0]!r}; there are: {', '.join(TRIALS)}")
    broken = 0
    print("| fault | injected | faults found | seconds | what came of it | what the table sees |")
    print("|---|---|---|---|---|---|")
    for name in args.names or TRIALS:
        _, what, sees = TRIALS[name]
        began = time.monotonic()
        figure = run(name, args.share, args.seed)
        seconds = time.monotonic() - began
        if figure.skipped:
            print(f"| {what} | – | – | – | not tried here: {figure.skipped} | {sees} |", flush=True)
            continue
        row = f"{what} | {figure.injected} | {len(figure.faults)} | {seconds:.0f} | {figure.remark} | {sees}"
        print(f"| {row} |", flush=True)
        for fault in figure.faults[:20]:
            print(f"{name}: {fault}", file=sys.stderr, flush=True)
        broken += len(figure.faults)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
