"""`stationmaster read`: what a picture of the table shows."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ui.shelf import open_title, title_of
from ui.terminal import GOOD, NO, No, Usage, png_wanted, print_json, say, table, write_png

if TYPE_CHECKING:
    from assistant.observation import Observation
    from vision.geometry import MatGeometry
    from vision.optics import Image

ABOUT = (
    "Reads the tags in a picture of the table: where each lies, what is wrong with the picture. The mat is "
    "a game's own (--game) or described by a file (--mat: a layout.json written by `sheets`, or any mat in "
    "that form). Exit code 1 when the mat is not found or the file is no picture."
)
NO_MAT = "no_mat"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("read", help="read a picture of the table", description=ABOUT)
    add_picture(parser)
    parser.add_argument(
        "--overlay", type=Path, metavar="OUT.png", help="also write the picture with what was read drawn over"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_picture(parser: argparse.ArgumentParser) -> None:
    """The options that name a picture and the mat in it."""
    parser.add_argument("image", type=Path, metavar="IMAGE", help="JPEG, PNG, WebP, BMP, TIFF or PGM")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--game", metavar="TITLE", help="`stationmaster titles` lists them")
    which.add_argument("--mat", type=Path, metavar="MAT.json", help="file that describes the mat")
    parser.add_argument("--pack", metavar="PACK", help="with --game: content pack, an id or a file")
    parser.add_argument(
        "--copy", metavar="NN", help="with --game: number of the box, two characters 0-9 A-Z (default 01)"
    )
    parser.add_argument(
        "--roster", type=Path, metavar="FILE", help="with --mat: the payloads that are ours, one a line"
    )


def run(args: argparse.Namespace) -> int:
    """0 when the picture was read, 1 when it cannot be, 2 for a wrong call."""
    mat, roster = mat_and_roster(args)
    from vision.reader import read_picture

    png_wanted("--overlay", args.overlay)
    picture = picture_of(args, {"detections": [], "problems": []})
    try:
        observation = read_picture(picture, mat, roster)
    except ValueError as error:
        raise Usage(str(error)) from None
    if args.overlay is not None:
        _draw(args.overlay, picture, mat, observation)
    return _answer(observation, args.json)


def mat_and_roster(args: argparse.Namespace) -> tuple[MatGeometry, frozenset[str] | None]:
    """The mat that a call names, and the payloads that are ours (None: all). `Usage` for a wrong call."""
    if args.mat is None and args.roster is not None:
        raise Usage("--roster belongs to --mat: a game knows its own pieces")
    if args.game is None and (args.pack is not None or args.copy is not None):
        raise Usage("--pack and --copy belong to --game")
    if not args.image.exists():
        raise Usage(f"there is no file {args.image}")
    return _of_game(args) if args.game is not None else _of_file(args)


def picture_of(args: argparse.Namespace, answer: dict[str, list[object]]) -> Image:
    """The picture that a call names. `No` for a file that is none; with --json `answer` is printed then,
    the reason among its problems."""
    from vision.cameras.base import CameraError
    from vision.cameras.files import load_picture

    try:
        return load_picture(args.image)
    except CameraError as error:
        if args.json:
            print_json({**answer, "problems": [{"kind": "no_picture", "text": str(error), "values": {}}]})
        raise No(str(error)) from None


def payloads_in(path: Path, option: str) -> frozenset[str]:
    """The payloads in a file, one a line. `Usage` when it cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{option}: {path} cannot be read: {error}") from None
    return frozenset(line.strip() for line in lines if line.strip())


def _draw(out: Path, picture: Image, mat: MatGeometry, observation: Observation) -> None:
    """Write the picture with what was read drawn over it."""
    from vision.mat import locate
    from vision.overlay import overlay

    write_png(out, overlay(picture, mat, locate(picture, mat), observation))


def _of_game(args: argparse.Namespace) -> tuple[MatGeometry, frozenset[str] | None]:
    """The mat of a game's box, and its pieces."""
    from assistant.layout import LayoutError
    from vision.geometry import MatGeometry

    copy = (args.copy or "01").upper()
    if not re.fullmatch(r"[0-9A-Z]{2}", copy):
        raise Usage(f"--copy {args.copy!r}: two characters out of 0-9 and A-Z, for instance 01")
    title = title_of(args.game)
    game = open_title(title, args.pack, title.seats[1], {})
    try:
        mat = MatGeometry.from_mat(game.mat(copy))
    except (LayoutError, LookupError) as error:
        raise Usage(str(error)) from None
    return mat, mat.payloads


def _of_file(args: argparse.Namespace) -> tuple[MatGeometry, frozenset[str] | None]:
    """The mat of a file, and the roster where there is one; without it every payload is taken."""
    from assistant.layout import LayoutError
    from vision.geometry import MatGeometry

    try:
        mat = MatGeometry.from_file(args.mat)
    except LayoutError as error:
        raise Usage(str(error)) from None
    return mat, None if args.roster is None else payloads_in(args.roster, "--roster")


def _answer(observation: Observation, as_json: bool) -> int:
    from vision.reader import to_json

    unreadable = any(problem.kind == NO_MAT for problem in observation.problems)
    if as_json:
        print_json(to_json(observation))
    elif not unreadable:
        rows = [
            (
                s.payload,
                f"{s.x_mm:.1f}",
                f"{s.y_mm:.1f}",
                s.space or "-",
                s.slot or "-",
                "-" if s.hex is None else f"{s.hex[0]},{s.hex[1]}",
                f"{s.px_per_module:.1f}",
            )
            for s in observation.sightings
        ]
        for line in table(rows, ("payload", "x mm", "y mm", "space", "slot", "hex", "px/module")):
            print(line)
        _notes(observation)
    for problem in observation.problems:
        say(f"{problem.kind}: {problem.text}")
    return NO if unreadable else GOOD


def _notes(observation: Observation) -> None:
    """One line each for what cannot be told and for what is not ours."""
    if observation.hidden:
        print(f"covered: {', '.join(sorted(observation.hidden))}")
    if observation.doubtful:
        print(f"something unread in: {', '.join(sorted(observation.doubtful))}")
    if observation.foreign:
        print(f"codes that are not ours: {len(observation.foreign)}")
