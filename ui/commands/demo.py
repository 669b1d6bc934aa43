"""`stationmaster demo`: a whole game on a simulated table, refereed from camera pictures."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from pathlib import Path

from ui.terminal import Usage, say


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser("demo", help="watch a game being refereed on a simulated table")
    parser.add_argument("--game", default="railway_boom", help="which game (default: railway_boom)")
    parser.add_argument("--pack", help="content pack, by id or file (default: the game's own)")
    parser.add_argument("--players", type=int, default=4, help="number of players (default: 4)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same game, same export (default: 1)")
    parser.add_argument("--rounds", type=int, help="stop after so many rounds")
    parser.add_argument(
        "--headless", action="store_true", help="do not open the final picture, even where there is a screen"
    )
    parser.add_argument("--quiet", action="store_true", help="do not print the transcript as it comes")
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="folder for what it writes")


def run(args: argparse.Namespace) -> int:
    """Play, then say where everything was written."""
    from assistant.game import PositionFaults, find_title
    from assistant.packs import PackFaults

    if args.rounds is not None and args.rounds < 1:
        raise Usage("--rounds is a number from 1 up")
    try:
        title = find_title(args.game)
        game = title.open(title.load_pack(args.pack or title.default_pack), args.players)
    except (LookupError, PositionFaults, PackFaults) as wrong:
        raise Usage(str(wrong.args[0] if isinstance(wrong, LookupError) else wrong)) from None

    from ui.demo import report
    from ui.demo.show import Show

    args.out.mkdir(parents=True, exist_ok=True)
    report.clear(args.out)
    began, worked = time.monotonic(), time.process_time()
    try:
        show = Show(game, args.seed, args.out, (lambda line: None) if args.quiet else print)
    except LookupError as wrong:
        raise Usage(str(wrong.args[0])) from None
    show.play(args.rounds)
    paths = report.write(show)
    print()
    print((args.out / "score-sheet.txt").read_text(encoding="utf-8").split("Every point")[0].rstrip())
    seconds = time.monotonic() - began
    say(
        f"{show.pictures} pictures read, {len(show.caught)} mistakes caught, in {seconds:.0f} s"
        f" ({time.process_time() - worked:.0f} s of processor time)"
    )
    for path in paths:
        say(f"wrote {path}")
    if not args.headless:
        _open(args.out / "table-seen.png")
    return 0


def _open(picture: Path) -> None:
    """Open a picture with the desktop's own viewer; say so where there is no screen."""
    viewer = shutil.which("xdg-open")
    if viewer is None or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        say("there is no screen here; the pictures lie where they were written")
        return
    subprocess.Popen([viewer, picture], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
