"""`stationmaster teach`: learns somebody's own board from a picture."""

from __future__ import annotations

import argparse
import difflib
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.boxes import add_box, mat_of
from ui.records import add_folder, folder
from ui.terminal import GOOD, NO, No, Usage, png_wanted, print_json, say, table, write_png

if TYPE_CHECKING:
    from assistant.layout import Mat
    from vision.boards import Board, Point
    from vision.card_frame import CannotTeach
    from vision.optics import Image
    from vision.taught import Taught
    from vision.zones import Zone, ZonedBoard

ABOUT = (
    "Learns where the spaces of your own board are: lay the marker cards round it (`sheets --marker-cards`) "
    "and take a picture. On a map of hexes name three or more far apart with the pixel of the middle of each "
    "(--point); six are better, and one that lies more than a quarter of a hex (across flats) from where the "
    "others put it is refused, exit code 1. On any other board point at each space by two or four of its "
    "corners (--zone, --zones); --skeleton prints a file to fill in. Writes a mat file for `read --mat` and "
    "the kiosk. Further pictures of the same cards from other places make it surer."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "teach", help="learn where the spaces of your own board are", description=ABOUT
    )
    parser.add_argument(
        "images", nargs="*", type=Path, metavar="IMAGE", help="points and corners lie in the first picture"
    )
    add_box(parser)
    parser.add_argument(
        "--point",
        action="append",
        default=[],
        metavar="NAME=X,Y",
        help="a hex and the pixel of its middle, from the picture's top left: --point g9=1204,830",
    )
    parser.add_argument(
        "--zone",
        action="append",
        default=[],
        metavar="NAME=X,Y,X,Y",
        help="a space and the pixels of two opposite corners of it, or of all four, going round",
    )
    parser.add_argument("--zones", type=Path, metavar="FILE", help="spaces in a file (TOML), see --skeleton")
    parser.add_argument(
        "--skeleton", action="store_true", help="only print such a file for this game, to be filled in"
    )
    parser.add_argument(
        "--marker-mm", type=float, metavar="MM", help="side of a card's black square as measured (default 40)"
    )
    parser.add_argument(
        "--token-mm", type=float, metavar="MM", help="how high the tags of tokens lie above the board"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="mat file to write (default: boards/GAME-PACK-NN.json in the folder of saved games)",
    )
    parser.add_argument(
        "--overlay", type=Path, metavar="PNG", help="write the picture with the spaces drawn over it"
    )
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when the board was learnt, 1 when picture or points do not do, 2 for a wrong call."""
    from assistant.layout import LayoutError
    from vision.card_frame import CannotTeach

    mat = mat_of(args)
    _check(args, mat)
    try:
        if args.skeleton:
            from vision.zones import skeleton

            print(skeleton(mat), end="")
            return GOOD
        pictures = _pictures(args)
        board, drawn = (_hexes if mat.hexgrid is not None else _zoned)(args, mat, pictures)
    except LayoutError as error:
        raise Usage("; ".join(error.faults)) from None
    except CannotTeach as refused:
        return _refused(refused, args.json)
    from vision.taught import file_name

    out: Path = args.out or folder(args) / "boards" / file_name(mat)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(board.document)
    if args.overlay is not None:
        write_png(args.overlay, drawn())
    _answer(board, mat, out, args.json)
    return GOOD


def _check(args: argparse.Namespace, mat: Mat) -> None:
    """`Usage` for options that do not go together, and for lengths that cannot be."""
    if mat.hexgrid is None and args.point:
        raise Usage(
            f"--point: the board of {mat.title} has no hexes; point at each of its spaces with --zone or "
            "--zones"
        )
    if mat.hexgrid is not None and (args.zone or args.zones is not None or args.skeleton):
        raise Usage(f"the board of {mat.title} is a map of hexes: point at some of them with --point")
    if not args.skeleton and not args.images:
        raise Usage("which picture? write its file: stationmaster teach board.jpg --game ...")
    if args.skeleton and (args.images or args.zone or args.zones is not None):
        raise Usage("--skeleton only prints a file to fill in: it takes no picture and no zones")
    if args.marker_mm is not None and not 5 <= args.marker_mm <= 500:
        raise Usage(f"--marker-mm {args.marker_mm:g}: the side of a black square in mm, 5 to 500")
    if args.token_mm is not None and not 0 <= args.token_mm <= 100:
        raise Usage(f"--token-mm {args.token_mm:g}: a height in mm, 0 to 100")


def _sizes(args: argparse.Namespace) -> dict[str, Any]:
    """What is known of cards and tokens, as the teachers take it."""
    from vision.marker_cards import MARKER_MM

    return {
        "marker_mm": MARKER_MM if args.marker_mm is None else args.marker_mm,
        "token_mm": args.token_mm,
    }


def _hexes(args: argparse.Namespace, mat: Mat, pictures: list[Image]) -> tuple[Board, Callable[[], Image]]:
    """A map of hexes, and what draws it. Raises LayoutError and CannotTeach."""
    from vision.boards import overlay, teach

    points = [_point(word, mat, pictures[0]) for word in args.point]
    board = teach(mat, pictures, points, **_sizes(args))
    return board, lambda: overlay(pictures[0], board)


def _zoned(
    args: argparse.Namespace, mat: Mat, pictures: list[Image]
) -> tuple[ZonedBoard, Callable[[], Image]]:
    """A board of zones, and what draws it. Raises LayoutError and CannotTeach."""
    from vision.zones import overlay, teach_zones, zones_in

    zones = [] if args.zones is None else zones_in(_text(args.zones), mat, str(args.zones))
    zones += [_zone(word) for word in args.zone]
    board = teach_zones(mat, pictures, zones, **_sizes(args))
    return board, lambda: overlay(pictures[0], board)


def _pictures(args: argparse.Namespace) -> list[Image]:
    from vision.cameras.base import CameraError
    from vision.cameras.files import load_picture

    for image in args.images:
        if not image.exists():
            raise Usage(f"there is no file {image}")
    png_wanted("--overlay", args.overlay)
    try:
        return [load_picture(image) for image in args.images]
    except CameraError as error:
        raise No(str(error)) from None


def _point(word: str, mat: Mat, picture: Image) -> Point:
    """A point as typed. `Usage` for what is no point, no space, or outside the picture."""
    from vision.boards import Point

    found = re.fullmatch(r"(.+)=(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)", word.replace(" ", ""))
    if found is None:
        raise Usage(
            f"--point {word!r}: write NAME=X,Y with the pixel of the middle, for instance g9=1204,830"
        )
    name, x, y = found[1], float(found[2]), float(found[3])
    names = [space.id for space in mat.spaces if space.hex is not None]
    if name not in names:
        close = difflib.get_close_matches(name, names, n=3, cutoff=0.3)
        near = f"; there are for instance {', '.join(close or names[:3])}"
        raise Usage(f"--point {word}: this board has no hex {name}{near}")
    height, width = picture.shape
    if not (0 <= x <= width - 1 and 0 <= y <= height - 1):
        raise Usage(f"--point {word}: that is outside the picture of {width} x {height} pixels")
    return Point(name, x, y)


def _zone(word: str) -> Zone:
    """A zone as typed. `Usage` for what is none."""
    from vision.zones import Zone

    name, _, numbers = word.replace(" ", "").rpartition("=")
    try:
        values = [float(number) for number in numbers.split(",")]
    except ValueError:
        values = []
    if not name or len(values) not in (4, 8) or not all(map(math.isfinite, values)):
        raise Usage(
            f"--zone {word!r}: write NAME=X,Y,X,Y with the pixels of two opposite corners, for instance "
            "IND-1=1204,830,1310,934, or NAME=X,Y,X,Y,X,Y,X,Y with all four, going round"
        )
    return Zone.of(name, values, "--zone")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"--zones: {path} cannot be read: {error}") from None


def _refused(refused: CannotTeach, as_json: bool) -> int:
    if as_json:
        print_json(
            {
                "problem": {"kind": refused.kind, "text": refused.text, "values": refused.values},
                "suspected": list(refused.points),
            }
        )
    say(f"stationmaster teach: {refused.text}")
    return NO


def _answer(board: Taught, mat: Mat, out: Path, as_json: bool) -> None:
    from vision.boards import Board
    from vision.zones import ZonedBoard

    assert isinstance(board, Board | ZonedBoard)
    cards = board.frame.cards
    if as_json:
        body: dict[str, Any] = {"out": str(out)}
        body |= _hexes_json(board) if isinstance(board, Board) else _zones_json(board)
        print_json(body | {"cards": [{"id": card.id, "off_mm": round(card.off_mm, 3)} for card in cards]})
        return
    if isinstance(board, Board):
        _tell_hexes(board)
    else:
        _tell_zones(board, mat)
    worst_card = max(cards, key=lambda card: card.off_mm)
    print(f"{len(cards)} marker cards, the worst ({worst_card.id}) {worst_card.off_mm:.2f} mm off")
    if isinstance(board, ZonedBoard) and not board.turned_by:
        longest = board.longest
        per_degree = max(longest.box.w, longest.box.h) * math.sin(math.radians(1))
        say(
            "no space was given by four corners, so the board is taken to lie along the picture's edges: "
            f"each degree of slant makes {longest.space} wrong by {per_degree:.1f} mm; give it by all four"
        )
    if len(cards) < 6:
        say("only few marker cards can be seen: six or more, on all sides, let hands cover some")
    print(out)


def _hexes_json(board: Board) -> dict[str, Any]:
    return {
        "fit": board.model,
        "across_mm": round(board.across_mm, 2),
        "limit_mm": round(board.limit_mm, 2),
        "worst": board.worst.space,
        "points": [
            {"space": p.space, "x_px": p.x_px, "y_px": p.y_px, "off_mm": p.off_mm, "apart_mm": p.apart_mm}
            for p in board.points
        ],
    }


def _tell_hexes(board: Board) -> None:
    rows = [(p.space, f"{p.x_px:g},{p.y_px:g}", f"{p.off_mm:.1f}", f"{p.apart_mm:.1f}") for p in board.points]
    for line in table(rows, ("space", "pixel", "off mm", "from where the others put it, mm")):
        print(line)
    print(f"worst: {board.worst.space}, {board.worst.apart_mm:.1f} mm of at most {board.limit_mm:.1f}")
    print(f"a hex is {board.across_mm:.1f} mm across flats: measure one to check; fit: {board.model}")


def _zones_json(board: ZonedBoard) -> dict[str, Any]:
    return {
        "zones": [
            {
                "space": fit.space,
                **{name: round(getattr(fit.box, name[0]), 1) for name in ("x_mm", "y_mm", "w_mm", "h_mm")},
                "pieces": fit.pieces,
                "room": fit.room,
                "off_mm": fit.off_mm,
            }
            for fit in board.fits
        ],
        "left_out": list(board.left_out),
        "turned_by": list(board.turned_by),
    }


def _tell_zones(board: ZonedBoard, mat: Mat) -> None:
    rows = [
        (
            fit.space,
            mat.space_named(fit.space).title,
            f"{fit.box.w:.1f} x {fit.box.h:.1f}",
            fit.pieces,
            fit.room,
        )
        for fit in board.fits
    ]
    for line in table(rows, ("space", "", "mm", "pieces", "room for")):
        print(line)
    tight = [fit.space for fit in board.fits if fit.room < fit.pieces]
    if tight:
        print(
            f"more pieces may lie there than have room side by side: {', '.join(tight)}. Lay them so that "
            "every tag can be seen; what is not seen is told by touch"
        )
    if board.left_out:
        print(f"left out, and told by touch: {', '.join(board.left_out)}")
    print("measure a space to check")
