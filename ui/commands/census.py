"""`stationmaster census`: which pieces of a box are there."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.boxes import add_box, mat_of
from ui.terminal import GOOD, NO, No, Usage, print_json, say

if TYPE_CHECKING:
    from vision.census import Census, Stranger

ABOUT = (
    "Reads the tags in pictures of a box laid out (no mat, no markers; several pictures are one box) and "
    "says which pieces are missing, and what is there that does not belong: pieces of other boxes, codes "
    "seen twice, foreign codes; and what is wrong with a picture in which little or nothing can be read. "
    "Exit code 0 when all is there and nothing else, 1 otherwise, also when a picture shows no tag."
)


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("census", help="which pieces of a box are there", description=ABOUT)
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="pictures of the pieces")
    add_box(parser)
    parser.add_argument(
        "--first", action="store_true", help="only the minimal set has to be complete, the rest may be absent"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when the box is complete, 1 when something is missing or strange, 2 for a wrong call."""
    for image in args.images:
        if not image.exists():
            raise Usage(f"there is no file {image}")
    from vision.cameras.base import CameraError
    from vision.cameras.files import load_picture
    from vision.census import take_census

    mat = mat_of(args)
    try:
        pictures = [load_picture(image) for image in args.images]
    except CameraError as error:
        raise No(str(error)) from None
    census = take_census(mat, pictures)
    missing = census.missing_first if args.first else census.missing
    complete = not (missing or census.strange or census.blank)
    for line in _unreadable(census, args.images):
        say(line)
    if args.json:
        print_json(_json(census, complete, args.images))
    else:
        for line in _lines(census):
            print(line)
    return GOOD if complete else NO


def _json(census: Census, complete: bool, images: list[Path]) -> dict[str, Any]:
    import msgspec

    body: dict[str, Any] = msgspec.to_builtins(census)
    first, rest = body.pop("missing_first"), body.pop("missing_rest")
    kept = zip(images, *(body.pop(key) for key in ("pictures", "unread", "problems")), strict=True)
    pictures = [
        {"image": str(image), "codes": codes, "unread": unread, "problems": problems}
        for image, codes, unread, problems in kept
    ]
    return {"complete": complete, "missing": {"first": first, "rest": rest}, "pictures": pictures} | body


def _unreadable(census: Census, images: list[Path]) -> Iterator[str]:
    """One sentence for each thing that is wrong with a picture."""
    for image, codes, unread, problems in zip(
        images, census.pictures, census.unread, census.problems, strict=True
    ):
        failed = f"{unread} of {codes + unread} codes could not be read" if codes else "no tag could be read"
        for problem in problems:
            yield f"picture {image}: {failed}: {problem.text}"


def _lines(census: Census) -> list[str]:
    """The census in words, what is missing first."""
    blank = census.pictures.count(0)
    if blank == len(census.pictures):
        return [f"box copy {census.copy}: nothing could be read, so nothing is known of its pieces"]
    lines = [f"box copy {census.copy}: {census.present} of {census.expected} pieces are there"]
    if blank:
        lines.append(f"not counted: what {blank} of {len(census.pictures)} pictures show, no tag can be read")
    for title, groups in (
        ("missing from the minimal set", census.missing_first),
        ("missing from the rest", census.missing_rest),
    ):
        if groups:
            lines += [f"{title}:", *(f"  {group.told()}" for group in groups)]
    copies: dict[str, list[Stranger]] = {}
    for stranger in census.other_copies:
        copies.setdefault(stranger.copy, []).append(stranger)
    for copy, strangers in copies.items():
        lines += [f"of box copy {copy}:", *(f"  {s.piece or s.payload}" for s in strangers)]
    for title, strange in (
        ("of this box, but not among the pack's pieces", census.not_in_pack),
        ("of another game", census.other_games),
    ):
        if strange:
            lines.append(f"{title}: {', '.join(stranger.payload for stranger in strange)}")
    for twice in census.duplicates:
        places = " and ".join(f"{x},{y}" for x, y in twice.places_px)
        lines.append(f"twice in picture {twice.picture}: {twice.piece or twice.payload} (at {places})")
    if census.damaged:
        lines.append(f"wrong check character: {', '.join(census.damaged)}")
    if census.foreign:
        lines.append(f"codes that are not ours: {sum(census.foreign.values())}")
    if census.complete:
        lines.append("the box is complete")
    return lines
