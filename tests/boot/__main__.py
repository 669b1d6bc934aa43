"""`python -m tests.boot [--keep DIR] [NAME ...]`: the installed table on a machine with a real systemd.

Every trial says what it found and how long it took; exit code 1 when one found something wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.boot.machine import PACKAGES, TOOLS, Wrong, make_base
from tests.boot.trials import NEEDS, TRIALS, Table


def main() -> int:
    """0 when every trial went as it must."""
    parser = argparse.ArgumentParser(prog="python -m tests.boot", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(TRIALS)} (default: all)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep cards, logs and pictures there")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in TRIALS]:
        parser.error(f"there is no trial {unknown[0]!r}; there are: {', '.join(TRIALS)}")
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        parser.error(f"{', '.join(missing)} is missing: {PACKAGES}")
    if os.geteuid() != 0:
        parser.error("this needs root, to make the card")
    began = time.monotonic()
    base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "stationmaster/boot"
    if not (base / "card.img").exists():
        make_base(base)
        print(f"the card without the product, once: {time.monotonic() - began:.0f} s", flush=True)
    place = args.keep or Path(tempfile.mkdtemp(prefix="stationmaster-boot-"))
    place.mkdir(parents=True, exist_ok=True)
    wanted = [name for name in TRIALS if not args.names or name in args.names or name in NEEDS]
    table = Table(base, place)
    failed = 0
    try:
        for name in wanted:
            if name in NEEDS and table.done(name):
                continue
            at = time.monotonic()
            try:
                found = TRIALS[name](table)
            except Wrong as wrong:
                failed += 1
                print(f"WRONG  {name} ({time.monotonic() - at:.0f} s): {wrong}", flush=True)
                table.trouble(name)
                if name in NEEDS:
                    break
            else:
                print(f"ok     {name} ({time.monotonic() - at:.0f} s): {found}", flush=True)
    finally:
        table.end()
        if args.keep is None:
            shutil.rmtree(place)
    print(
        f"boot: {len(wanted) - failed} of {len(wanted)} trials, {time.monotonic() - began:.0f} s", flush=True
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
