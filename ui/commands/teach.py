"""`stationmaster teach`: learns somebody's own board from a picture."""

from __future__ import annotations

import argparse
import difflib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.boxes import add_box, mat_of
from ui.records import add_folder, folder
from ui.terminal import GOOD, NO, No, Usage, print_json, say, table

if TYPE_CHECKING:
    from assistant.layout import Mat
    from vision.boards import Board, Point
    from vision.card_frame import CannotTeach
    from vision.optics import Image

ABOUT = (
    "Learns where the spaces of your own board are: lay the marker cards round it (`sheets --marker-cards`), "
    "take a picture, and name three or more spaces far apart with the pixel of the middle of each; six are "
    "better. Writes a mat file for `read --mat` and the kiosk. Further pictures of the same cards from other "
    "places make it surer. A point that lies more than a quarter of a hex (across flats) from where the "
    "others put it is refused, exit code 1."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "teach", help="learn where the spaces of your own board are", description=ABOUT
    )
    parser.add_argument(
        "images", nargs="+", type=Path, metavar="IMAGE", help="the points lie in the first picture"
    )
    add_box(parser)
    parser.add_argument(
        "--point",
        action="append",
        default=[],
        metavar="NAME=X,Y",
        help="a space and the pixel of its middle, from the picture's top left: --point g9=1204,830",
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
    from vision.boards import overlay, teach
    from vision.card_frame import CannotTeach
    from vision.marker_cards import MARKER_MM

    mat = mat_of(args)
    marker_mm = MARKER_MM if args.marker_mm is None else args.marker_mm
    if not 5 <= marker_mm <= 500:
        raise Usage(f"--marker-mm {marker_mm:g}: the side of a black square in mm, 5 to 500")
    if args.token_mm is not None and not 0 <= args.token_mm <= 100:
        raise Usage(f"--token-mm {args.token_mm:g}: a height in mm, 0 to 100")
    pictures = _pictures(args)
    points = [_point(word, mat, pictures[0]) for word in args.point]
    try:
        board = teach(mat, pictures, points, marker_mm=marker_mm, token_mm=args.token_mm)
    except LayoutError as error:
        raise Usage("; ".join(error.faults)) from None
    except CannotTeach as refused:
        return _refused(refused, args.json)
    out: Path = args.out or folder(args) / "boards" / f"{mat.game}-{mat.pack}-{mat.copy}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(board.document)
    if args.overlay is not None:
        _write_picture(args.overlay, overlay(pictures[0], board))
    _answer(board, out, args.json)
    return GOOD


def _pictures(args: argparse.Namespace) -> list[Image]:
    from vision.cameras.base import CameraError
    from vision.cameras.files import load_picture

    for image in args.images:
        if not image.exists():
            raise Usage(f"there is no file {image}")
    if args.overlay is not None and args.overlay.suffix.lower() != ".png":
        raise Usage(
            f"--overlay {args.overlay}: the picture is written as PNG, so its name has to end in .png"
        )
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
    hexes = mat.hexgrid is not None
    names = [space.id for space in mat.spaces if (space.hex is not None if hexes else space.slots)]
    if name not in names:
        close = difflib.get_close_matches(name, names, n=3, cutoff=0.3)
        near = f"; there are for instance {', '.join(close or names[:3])}"
        raise Usage(f"--point {word}: this board has no {'hex' if hexes else 'space'} {name}{near}")
    height, width = picture.shape
    if not (0 <= x <= width - 1 and 0 <= y <= height - 1):
        raise Usage(f"--point {word}: that is outside the picture of {width} x {height} pixels")
    return Point(name, x, y)


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


def _answer(board: Board, out: Path, as_json: bool) -> None:
    grid = board.geometry.hexgrid
    if as_json:
        body: dict[str, Any] = {
            "out": str(out),
            "fit": board.model,
            "across_mm": round(board.across_mm, 2),
            "limit_mm": round(board.limit_mm, 2),
            "worst": board.worst.space,
            "points": [
                {"space": p.space, "x_px": p.x_px, "y_px": p.y_px, "off_mm": p.off_mm, "apart_mm": p.apart_mm}
                for p in board.points
            ],
            "cards": [{"id": card.id, "off_mm": round(card.off_mm, 3)} for card in board.frame.cards],
        }
        print_json(body)
        return
    rows = [(p.space, f"{p.x_px:g},{p.y_px:g}", f"{p.off_mm:.1f}", f"{p.apart_mm:.1f}") for p in board.points]
    for line in table(rows, ("space", "pixel", "off mm", "from where the others put it, mm")):
        print(line)
    what = "a hex is {} mm across flats" if grid is not None else "the smallest space is {} mm wide"
    print(f"worst: {board.worst.space}, {board.worst.apart_mm:.1f} mm of at most {board.limit_mm:.1f}")
    print(f"{what.format(f'{board.across_mm:.1f}')}: measure one to check")
    worst_card = max(board.frame.cards, key=lambda card: card.off_mm)
    count = len(board.frame.cards)
    print(
        f"{count} marker cards, the worst ({worst_card.id}) {worst_card.off_mm:.2f} mm off; "
        f"fit: {board.model}"
    )
    if count < 6:
        say("only few marker cards can be seen: six or more, on all sides, let hands cover some")
    print(out)


def _write_picture(path: Path, picture: Image) -> None:
    import cv2

    path.parent.mkdir(parents=True, exist_ok=True)
    done, data = cv2.imencode(".png", picture)
    assert done
    path.write_bytes(data.tobytes())
