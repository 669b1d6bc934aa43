"""Which tags of a box are there: read from pictures of its pieces laid out, with no mat and no markers.

Each picture is read whole, then at twice its size in parts that overlap, then round every code that was
found and could not be read. What several pictures show is one box: a piece seen in any of them is there.
Two faces of one disc are one piece, because only one of them can be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from assistant.layout import TAG_DIGITS, TAG_LENGTH, Mat, Piece, is_own_payload
from assistant.observation import Problem
from vision.decoders import Code, enlarged, moved, read_zbar, read_zxing
from vision.geometry import QR_MODULES, FloatArray, MatGeometry
from vision.markers import find_markers
from vision.mat import lens_for, pose_from
from vision.optics import Image
from vision.problems import LOOSE_KINDS, loose_problems, picture_problems

PART_PX = 1200
"""Side of the parts that are read enlarged; they overlap by the largest code that needs it."""
OVERLAP_PX = 120
SMALL_MODULE_PX = 4.0
"""Codes with larger modules gain nothing from being enlarged."""
SAME_PLACE = 0.6
"""Codes nearer than this share of their side are one code."""


def read_tags(picture: Image) -> list[Code]:
    """Every QR code in a grey picture that can be read, each place once, in no particular order."""
    return read_and_unread(picture)[0]


def read_and_unread(picture: Image) -> tuple[list[Code], list[Code]]:
    """The QR codes in a grey picture that can be read, and those found that cannot, each place once."""
    read: list[Code] = []
    failed: list[Code] = []
    _take(read_zxing(picture, failures=True), read, failed)
    for part, offset in _parts(picture):
        codes = read_zxing(enlarged(part, 2), "zxing-x2", failures=True)
        _take((moved(code, offset, 2) for code in codes), read, failed)
    for code in failed:
        if not _known(code, read):
            _take(_closely(picture, code), read, [])
    unread: list[Code] = []
    for code in failed:
        if not _known(code, read) and not _known(code, unread):
            unread.append(code)
    return read, unread


def _parts(picture: Image) -> Iterator[tuple[Image, FloatArray]]:
    """Overlapping parts of a picture, and where each begins (x, y in pixels)."""
    height, width = picture.shape
    step = PART_PX - OVERLAP_PX
    for y in range(0, max(1, height - OVERLAP_PX), step):
        for x in range(0, max(1, width - OVERLAP_PX), step):
            part = np.ascontiguousarray(picture[y : y + PART_PX, x : x + PART_PX])
            yield part, np.array([x, y], np.float64)


def _take(codes: Iterable[Code], read: list[Code], failed: list[Code]) -> None:
    """Put codes that are new into one list or the other."""
    for code in codes:
        if code.text is None:
            failed.append(code)
        elif not _known(code, read):
            read.append(code)


def _known(code: Code, read: Sequence[Code]) -> bool:
    """Whether a code at that place has been read already."""
    return any(
        float(np.hypot(*(other.centre_px - code.centre_px))) < SAME_PLACE * max(code.side_px, other.side_px)
        for other in read
    )


def _closely(picture: Image, code: Code) -> Iterator[Code]:
    """What is read round a code that was found and not read: enlarged, sharpened, then by zbar."""
    x, y = code.centre_px
    half = code.side_px
    height, width = picture.shape
    x0, y0 = max(0, int(x - half)), max(0, int(y - half))
    crop = np.ascontiguousarray(
        picture[y0 : min(height, int(y + half) + 1), x0 : min(width, int(x + half) + 1)]
    )
    if min(crop.shape) < QR_MODULES:
        return
    offset = np.array([x0, y0], np.float64)
    small = code.side_px / QR_MODULES < SMALL_MODULE_PX
    for factor, sharpen in ((3, 1.0), (3, 2.0), (4, 1.0)) if small else ((1, 1.0), (2, 1.0)):
        found = read_zxing(enlarged(crop, factor, sharpen), f"zxing-x{factor}")
        if found:
            yield from (moved(each, offset, factor) for each in found)
            return
    factor = 3 if small else 1
    yield from (moved(each, offset, factor) for each in read_zbar(enlarged(crop, factor)))


# ---- whose they are


class Group(msgspec.Struct, frozen=True):
    """Pieces of one class and seat: "seat A, rail: 07, 12". `names` and `payloads` go together."""

    what: str
    seat: str | None
    names: tuple[str, ...]
    payloads: tuple[str, ...]

    def told(self) -> str:
        """The group in words."""
        what = self.what.replace("_", " ")
        # Of what a seat has only one, like its disc, the name says nothing more.
        names = "" if self.names in ((what.split(" ")[-1],), ("up",)) else f": {_listed(self.names)}"
        return f"{f'seat {self.seat}, ' if self.seat else ''}{what}{names}"


class Stranger(msgspec.Struct, frozen=True):
    """A tag of another box: its payload, and what it is there, where that is known."""

    payload: str
    copy: str
    piece: str = ""


class Twice(msgspec.Struct, frozen=True):
    """One payload at several places of one picture (numbered from 1), places in pixels (x, y)."""

    payload: str
    piece: str
    picture: int
    places_px: tuple[tuple[int, int], ...]


class Census(msgspec.Struct, frozen=True):
    """What of a box is there. Pieces count once, whatever number of pictures and faces show them.

    `missing_first` are of the minimal set, `missing_rest` the others. `other_copies` are of the same game
    and another box, `not_in_pack` of this box and not among the pack's pieces, `other_games` tags of our
    form with another game's letter, `damaged` have our form and a wrong check character, `foreign` are
    all other codes with how often each was seen.
    """

    game: str
    pack: str
    copy: str
    pictures: tuple[int, ...]
    """How many codes were read in each picture."""
    expected: int
    present: int
    missing_first: tuple[Group, ...]
    missing_rest: tuple[Group, ...]
    other_copies: tuple[Stranger, ...]
    not_in_pack: tuple[Stranger, ...]
    other_games: tuple[Stranger, ...]
    duplicates: tuple[Twice, ...]
    damaged: tuple[str, ...]
    foreign: dict[str, int]
    unread: tuple[int, ...] = ()
    """How many more codes were found in each picture and could not be read."""
    problems: tuple[tuple[Problem, ...], ...] = ()
    """What is wrong with each picture in which no code could be read, or less than half of them."""

    @property
    def missing(self) -> tuple[Group, ...]:
        """All that is missing, the minimal set first."""
        return self.missing_first + self.missing_rest

    @property
    def strange(self) -> bool:
        """Whether something is there that does not belong to the box."""
        return bool(
            self.other_copies
            or self.not_in_pack
            or self.other_games
            or self.duplicates
            or self.damaged
            or self.foreign
        )

    @property
    def blank(self) -> bool:
        """Whether there is a picture in which nothing could be read: what it shows is not known."""
        return not all(self.pictures)

    @property
    def complete(self) -> bool:
        """Whether every piece is there, and nothing else."""
        return not (self.missing or self.strange or self.blank)


def take_census(mat: Mat, pictures: Sequence[Image]) -> Census:
    """The census of one box from grey pictures of its pieces. `mat` says which tags the box has."""
    found = [read_and_unread(picture) for picture in pictures]
    geometry = MatGeometry.from_mat(mat)
    problems = [
        tuple(_problems(picture, geometry, read, unread)) if not read or len(unread) > len(read) else ()
        for picture, (read, unread) in zip(pictures, found, strict=True)
    ]
    return msgspec.structs.replace(
        census_of(mat, [read for read, _ in found]),
        unread=tuple(len(unread) for _, unread in found),
        problems=tuple(problems),
    )


def _problems(
    picture: Image, mat: MatGeometry, read: Sequence[Code], unread: Sequence[Code]
) -> Iterator[Problem]:
    """What is wrong with a picture: measured as for play where the mat is in it, else as well as can be."""
    markers = find_markers(picture, mat.dictionary)
    pose = pose_from(markers, mat, lens_for(picture, mat))
    known = [] if pose is None else list(picture_problems(picture, mat, pose, markers))
    loose = [problem for problem in known if problem.kind in LOOSE_KINDS]
    yield from loose or loose_problems(picture, [code.side_px / QR_MODULES for code in (*read, *unread)])


def census_of(mat: Mat, pictures: Sequence[Sequence[Code]]) -> Census:
    """The census from the codes that were read in each picture."""
    known = {piece.payload: piece for piece in mat.pieces}
    texts = Counter(code.text for codes in pictures for code in codes if code.text is not None)
    letters = {payload[0] for payload in known}
    # The number between copy and check tells the piece, in every box.
    bodies = {payload[3:6]: piece for payload, piece in known.items()}
    copies, odd, games, damaged = [], [], [], []
    foreign: dict[str, int] = {}
    for text, count in sorted(texts.items()):
        if text in known:
            continue
        if is_own_payload(text):
            copy = text[1:3]
            if text[0] not in letters:
                games.append(Stranger(text, copy))
            elif copy != mat.copy:
                piece = bodies.get(text[3:6])
                copies.append(Stranger(text, copy, "" if piece is None else piece_words(piece)))
            else:
                odd.append(Stranger(text, copy))
        elif len(text) == TAG_LENGTH and text[0] in letters and all(c in TAG_DIGITS for c in text):
            damaged.append(text)
        else:
            foreign[text] = count
    physical = _physical(mat.pieces)
    gone = [
        piece for pieces in physical for piece in pieces[:1] if not any(p.payload in texts for p in pieces)
    ]
    return Census(
        game=mat.game,
        pack=mat.pack,
        copy=mat.copy,
        pictures=tuple(len(codes) for codes in pictures),
        expected=len(physical),
        present=len(physical) - len(gone),
        missing_first=tuple(_grouped(piece for piece in gone if piece.first)),
        missing_rest=tuple(_grouped(piece for piece in gone if not piece.first)),
        other_copies=tuple(copies),
        not_in_pack=tuple(odd),
        other_games=tuple(games),
        duplicates=tuple(_twice(pictures, known)),
        damaged=tuple(damaged),
        foreign=foreign,
    )


def _physical(pieces: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    """Pieces as they lie in the box: the faces of one disc together, in the roster's order.

    A seat's n-th face that says "up" and its n-th that says "down" are glued on one disc.
    """
    out: dict[tuple[Any, ...], list[Piece]] = {}
    count: Counter[tuple[str | None, str]] = Counter()
    for piece in pieces:
        key: tuple[Any, ...] = (piece.payload,)
        if piece.form == "disc":
            face = (piece.seat, piece.label)
            key = ("disc", piece.seat, count[face])
            count[face] += 1
        out.setdefault(key, []).append(piece)
    return [tuple(faces) for faces in out.values()]


def piece_words(piece: Piece) -> str:
    """A piece in words: "seat A, rail: 07"."""
    return next(iter(_grouped([piece]))).told()


def _grouped(pieces: Iterable[Piece]) -> Iterator[Group]:
    """Pieces by seat and class, in the roster's order."""
    groups: dict[tuple[str | None, str], list[Piece]] = {}
    for piece in pieces:
        groups.setdefault((piece.seat, _class(piece)), []).append(piece)
    for (seat, what), listed in groups.items():
        yield Group(what, seat, tuple(p.name for p in listed), tuple(p.payload for p in listed))


def _listed(names: Sequence[str]) -> str:
    """Names in words; three and more numbers in a row as "07 to 12"."""
    runs: list[list[str]] = []
    last = ("", -1)
    for name in names:
        letters = name.rstrip("0123456789")
        number = int(name[len(letters) :] or -1)
        if runs and number > 0 and (letters, number - 1) == last:
            runs[-1].append(name)
        else:
            runs.append([name])
        last = (letters, number)
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _class(piece: Piece) -> str:
    """A piece's class; of a disc without the face."""
    return piece.what.removesuffix(f"_{piece.name}") if piece.form == "disc" else piece.what


def _twice(pictures: Sequence[Sequence[Code]], known: dict[str, Piece]) -> Iterator[Twice]:
    """Payloads of our form that lie at several places of one picture."""
    for number, codes in enumerate(pictures, 1):
        places: dict[str, list[tuple[int, int]]] = {}
        for code in codes:
            if code.text is not None and is_own_payload(code.text):
                x, y = code.centre_px
                places.setdefault(code.text, []).append((round(float(x)), round(float(y))))
        for payload, spots in places.items():
            if len(spots) > 1:
                piece = known.get(payload)
                words = "" if piece is None else piece_words(piece)
                yield Twice(payload, words, number, tuple(sorted(spots)))
