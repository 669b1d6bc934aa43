"""Mats, spaces, pieces, card faces and scenes: the neutral words of eyes, print and screen.

Lengths are millimetres on the mat: origin at its top-left corner, x to the right, y down. Nothing here
knows a rule. A game makes a `Mat` (what is printed) and `Scene`s (what lies on it); the sheet maker,
the simulator, the reader and the screen draw or read them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

LAYOUT_VERSION = 1
SEAT_LETTERS = "ABCD"
PIECE_GAP_MM = 3.0
"""Room kept free round a sticker in its slot for a careless hand."""
CARELESS_TURN_DEG = 15.0
"""How far a hand may turn a sticker before it would touch its neighbour."""
MIN_MARKERS = 6
"""Markers a mat needs: hands hide corners, and some must remain (two of them mid-edge)."""
MARKER_EDGE_MM = 4.0
"""White that must stay round a marker: one of its six modules of 24 mm."""

EPSILON_MM = 1e-6
"""Lengths that differ by less are equal."""

TAG_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Base 36, the characters of a tag in the order of their values."""
TAG_LENGTH = 7
TAG_NUMBERS = 36**3
"""How many different pieces one game can have."""
TAG_SCATTER = 42881
"""Step between the numbers of neighbouring pieces; see `piece_number`."""


class LayoutError(ValueError):
    """A mat, a tag or a layout file is wrong. `faults` lists all that is wrong, one sentence each."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


def _times_generator(value: tuple[int, int]) -> tuple[int, int]:
    """Multiply by a generator of GF(4) x GF(9): by x in GF(4), by 1 + i in GF(9) = GF(3)[i]."""
    four, nine = value
    four = four << 1 ^ (0b111 if four & 0b10 else 0)
    real, imaginary = nine % 3, nine // 3
    return four, (real - imaginary) % 3 + 3 * ((real + imaginary) % 3)


def _plus(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    (four1, nine1), (four2, nine2) = first, second
    return four1 ^ four2, (nine1 + nine2) % 3 + 3 * ((nine1 // 3 + nine2 // 3) % 3)


def check_character(body: str) -> str:
    """The base 36 character that, put behind `body`, makes it a valid tag.

    A character is a pair from GF(4) x GF(9) (36 is not a prime, so weights modulo 36 miss swaps, and
    modulo 37 some numbers have no character). The whole is read as a polynomial, by Horner, at an
    element whose powers differ in both fields: every changed character and every swap of two
    neighbours, the check character included, changes the sum. Raises ValueError for a character
    outside base 36.
    """
    total = (0, 0)
    for character in body:
        value = TAG_DIGITS.index(character)
        total = _plus(_times_generator(total), divmod(value, 9))
    four, nine = _times_generator(total)
    # Minus: a number of GF(4) is its own negative, one of GF(9) is negated digit by digit.
    return TAG_DIGITS[four * 9 + -nine % 3 + 3 * (-(nine // 3) % 3)]


def compose_payload(game: str, copy: str, number: int) -> str:
    """The seven characters of a tag: game (1), box copy (2), piece number (3, base 36), check (1).

    Raises LayoutError when a part does not fit.
    """
    faults = []
    if len(game) != 1 or game not in TAG_DIGITS:
        faults.append(f"the game's tag letter is {game!r}: it must be one of 0-9 A-Z")
    if len(copy) != 2 or any(c not in TAG_DIGITS for c in copy):
        faults.append(f"the box copy is {copy!r}: it must be two characters of 0-9 A-Z, such as 01 or 0A")
    if not 0 <= number < TAG_NUMBERS:
        faults.append(f"piece number {number} does not fit in three characters (0 to {TAG_NUMBERS - 1})")
    if faults:
        raise LayoutError(faults)
    high, low = divmod(number, 36)
    body = game + copy + TAG_DIGITS[high // 36] + TAG_DIGITS[high % 36] + TAG_DIGITS[low]
    return body + check_character(body)


def piece_number(index: int) -> int:
    """The tag number of a game's `index`-th piece (from 0), the same in every box copy.

    Neighbouring pieces get numbers far apart, so that all three characters differ and the printed
    codes with them; how far apart a whole box really is, is measured in `vision.tags`.
    """
    return (index + 1) * TAG_SCATTER % TAG_NUMBERS


def is_own_payload(text: str) -> bool:
    """Whether the text has the form of one of our tags: seven characters of base 36, check correct."""
    return (
        len(text) == TAG_LENGTH
        and all(c in TAG_DIGITS for c in text)
        and check_character(text[:-1]) == text[-1]
    )


class Box(msgspec.Struct, frozen=True):
    """An axis-parallel rectangle: top-left corner and size in mm."""

    x: float
    y: float
    w: float
    h: float

    @property
    def centre(self) -> tuple[float, float]:
        """Centre point in mm."""
        return self.x + self.w / 2, self.y + self.h / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies inside (left and top edge included)."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def grown(self, by: float) -> Box:
        """The box with `by` mm more on every side (less, when negative)."""
        return Box(self.x - by, self.y - by, self.w + 2 * by, self.h + 2 * by)

    def meets(self, other: Box) -> bool:
        """Whether the two share some area (touching edges do not count)."""
        return (
            self.x + EPSILON_MM < other.x + other.w
            and other.x + EPSILON_MM < self.x + self.w
            and self.y + EPSILON_MM < other.y + other.h
            and other.y + EPSILON_MM < self.y + self.h
        )

    def within(self, other: Box) -> bool:
        """Whether it lies wholly inside the other."""
        return (
            other.x - EPSILON_MM <= self.x
            and other.y - EPSILON_MM <= self.y
            and self.x + self.w <= other.x + other.w + EPSILON_MM
            and self.y + self.h <= other.y + other.h + EPSILON_MM
        )


class Marker(msgspec.Struct, frozen=True):
    """One ArUco marker of DICT_4X4_50, upright; `box` is its black square."""

    id: int
    box: Box


def markers_at(centres: Iterable[tuple[float, float]], side_mm: float) -> tuple[Marker, ...]:
    """Markers of a side, numbered in the order of their centres (mm)."""
    half = side_mm / 2
    boxes = (Box(round(x - half, 3), round(y - half, 3), side_mm, side_mm) for x, y in centres)
    return tuple(Marker(number, box) for number, box in enumerate(boxes))


def six_markers(width: float, height: float, side_mm: float, edge_mm: float) -> tuple[Marker, ...]:
    """Three markers along the top of a mat and three along its bottom, `edge_mm` from its edges."""
    inset = edge_mm + side_mm / 2
    across = (inset, width / 2, width - inset)
    return markers_at(((x, y) for y in (inset, height - inset) for x in across), side_mm)


class Slot(msgspec.Struct, frozen=True):
    """A place for one piece inside a space; `seat` is the only seat that may use it, if any."""

    id: str
    box: Box
    seat: str | None = None


class Space(msgspec.Struct, frozen=True):
    """A place that rules speak of: a hex of the map, a card place of the market, a lane.

    `id` is the name used in actions and refusals ("c4", "locomotives:2"). On a hex map `hex` holds the
    axial coordinates (q, r); otherwise the space is the union of its slots' boxes. `zone` groups spaces
    that belong together ("map", "locomotives"); `kind` says how it is drawn ("hex", "card", "disc", or
    "place", with its name and cost above its slots).
    """

    id: str
    zone: str
    kind: str
    centre: tuple[float, float]
    slots: tuple[Slot, ...] = ()
    hex: tuple[int, int] | None = None
    title: str = ""
    tint: str = ""
    """Terrain or zone tint by name ("plains", "city"); the drawing code owns the colours."""
    notes: dict[str, str] = {}
    """Small prints by role, e.g. {"cost": "2", "power": "7", "number": "28", "icons": "coal,tech"}."""
    optional: bool = False
    """Whether somebody's own board may lack it: what happens there is then told by touch."""


class Zone(msgspec.Struct, frozen=True):
    """A named group of spaces, with the frame and the heading printed round them.

    `box` is the frame in mm; `note` a short line beside the heading. The hex map has no frame.
    """

    id: str
    title: str
    box: Box | None = None
    note: str = ""


class Legend(msgspec.Struct, frozen=True):
    """One sign explained at the mat's head: a "tint" (terrain), an "icon", or a "ring" round a number."""

    kind: Literal["tint", "icon", "ring"]
    name: str
    words: str


class HexGrid(msgspec.Struct, frozen=True):
    """A pointy-top hex grid: centre of (q, r) = origin + size * (sqrt(3) * (q + r / 2), 1.5 * r).

    `size_mm` is centre to corner; across flats it is sqrt(3) times that.
    """

    size_mm: float
    origin_mm: tuple[float, float]
    cells: tuple[tuple[int, int], ...]

    @classmethod
    def laid(cls, cells: Sequence[tuple[int, int]], hex_mm: float, left: float, top: float) -> HexGrid:
        """The grid of hexes of `hex_mm` across flats whose bounding box begins at (`left`, `top`)."""
        size = hex_mm / math.sqrt(3)
        west = min(q + r / 2 for q, r in cells)
        north = min(r for _, r in cells)
        origin = (left + hex_mm / 2 - west * hex_mm, top + size - north * 1.5 * size)
        return cls(size, origin, tuple(cells))

    def bounds(self, hex_mm: float, left: float, top: float) -> Box:
        """The bounding box of all cells, for the same numbers as `laid`."""
        centres = [self.centre(q, r) for q, r in self.cells]
        right = max(x for x, _ in centres) + hex_mm / 2
        bottom = max(y for _, y in centres) + self.size_mm
        return Box(left, top, right - left, bottom - top)

    def centre(self, q: int, r: int) -> tuple[float, float]:
        """Centre of a cell in mm, whether or not the cell exists."""
        ox, oy = self.origin_mm
        return ox + self.size_mm * math.sqrt(3) * (q + r / 2), oy + 1.5 * self.size_mm * r

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """The existing cell that holds the point (mm), or None. Cube rounding, exact up to the edges."""
        ox, oy = self.origin_mm
        rf = (y - oy) / (1.5 * self.size_mm)
        qf = (x - ox) / (self.size_mm * math.sqrt(3)) - rf / 2
        q, r, s = round(qf), round(rf), round(-qf - rf)
        dq, dr, ds = abs(q - qf), abs(r - rf), abs(s + qf + rf)
        if dq > dr and dq > ds:
            q = -r - s
        elif dr > ds:
            r = -q - s
        return (q, r) if (q, r) in self.cells else None


class Piece(msgspec.Struct, frozen=True):
    """A tagged thing: what its code says and what it is to the game.

    `what` is the game's own name of the class ("rail", "station", "locomotive" ...), `seat` its owner
    for tokens, `name` the card id or the running number. Several payloads may be the same kind of token.
    """

    payload: str
    what: str
    name: str
    seat: str | None = None
    code_mm: float = 12.0
    height_mm: float = 0.3
    """How far the printed side lies above the mat."""
    form: Literal["sticker", "card", "disc"] = "sticker"
    """How it is printed: a token's sticker with the seat's strip, a card, or one face of a round disc."""
    label: str = ""
    """What its strip says besides the seat, e.g. "01" or "up"."""
    sign: Literal["", "double"] = ""
    """A mark that tells one class of sticker from another without reading: "double", a double box."""
    first: bool = False
    """Whether it belongs to the minimal set, which is printed first; the rest can be done by touch."""


class CardValue(msgspec.Struct, frozen=True):
    """One printed value of a card: what it is called, the value, an icon by name where there is one."""

    label: str
    value: str
    icon: str = ""


class CardFace(msgspec.Struct, frozen=True):
    """What is printed on one card: heading, short value lines, its tag at the top edge."""

    payload: str
    title: str
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    corner: str = ""
    """The number a player looks for first (price, number), printed large."""
    corner_icon: str = ""
    """Icon beside the corner: what the number counts."""
    values: tuple[CardValue, ...] = ()
    """The printed values, in reading order, at most four."""
    tint: str = ""
    """Class of the card by name ("locomotive"); the drawing code owns the colours."""


class Placement(msgspec.Struct, frozen=True):
    """A piece lying somewhere: by slot when `dx`, `dy` are offsets from that slot's centre (mm)."""

    payload: str
    space: str
    slot: str
    dx: float = 0.0
    dy: float = 0.0
    turn_deg: float = 0.0


class Mat(msgspec.Struct, frozen=True):
    """Everything printed for one game and pack: the one truth that print, eyes and screen share."""

    game: str
    pack: str
    title: str
    width_mm: float
    height_mm: float
    markers: tuple[Marker, ...]
    spaces: tuple[Space, ...]
    pieces: tuple[Piece, ...]
    cards: tuple[CardFace, ...] = ()
    hexgrid: HexGrid | None = None
    sticker_mm: tuple[float, float] = (17.3, 14.3)
    card_mm: tuple[float, float] = (42.0, 30.0)
    version: int = LAYOUT_VERSION
    zones: tuple[Zone, ...] = ()
    copy: str = "01"
    """The box copy, as in the payloads."""
    provenance: str = ""
    """Where the values come from, printed with the title, e.g. "invented values"."""
    digest: str = ""
    """Digest of the content pack the mat was made from, when known."""
    legend: tuple[Legend, ...] = ()
    disc_mm: float = 24.0
    """Diameter of a round disc."""
    barriers: tuple[tuple[str, str], ...] = ()
    """Pairs of touching hexes, by the ids of their spaces, with a barrier printed on their common edge."""

    def space_named(self, name: str) -> Space:
        """The space of that id; KeyError when there is none."""
        for space in self.spaces:
            if space.id == name:
                return space
        raise KeyError(name)

    def piece_named(self, payload: str) -> Piece:
        """The piece of that payload; KeyError when there is none."""
        for piece in self.pieces:
            if piece.payload == payload:
                return piece
        raise KeyError(payload)

    def card_named(self, payload: str) -> CardFace:
        """The card face of that payload; KeyError when there is none."""
        for card in self.cards:
            if card.payload == payload:
                return card
        raise KeyError(payload)

    def slots(self) -> Iterator[tuple[Space, Slot]]:
        """Every slot with its space, in printed order."""
        for space in self.spaces:
            for slot in space.slots:
                yield space, slot


class Scene(msgspec.Struct, frozen=True):
    """What lies on a mat at one moment. Only the simulator and the screen may see one as truth."""

    placements: tuple[Placement, ...]


def slot_mm(sticker_mm: tuple[float, float]) -> tuple[float, float]:
    """Width and height of a slot: the sticker with `PIECE_GAP_MM` to spare, also when it is turned."""
    w, h = sticker_mm
    turn = math.radians(CARELESS_TURN_DEG)
    wide = max(w + PIECE_GAP_MM, w * math.cos(turn) + h * math.sin(turn))
    tall = max(h + PIECE_GAP_MM, h * math.cos(turn) + w * math.sin(turn))
    return wide, tall


def slot_rows(slots: int) -> tuple[int, ...]:
    """How many slots of a hex stand in each row: two in the outer ones, at most three between them.

    ValueError for more than 7.
    """
    if slots > 7:
        raise ValueError(f"{slots} slots do not fit in three rows of a hex")
    if slots > 4:
        return 2, slots - 4, 2
    return (2, slots - 2) if slots > 2 else (slots,)


def smallest_hex_mm(sticker_mm: tuple[float, float], slots: int) -> float:
    """Smallest hex (mm across flats) whose slots keep stickers apart when laid carelessly.

    The slots stand in `slot_rows`; one must hold the sticker with `PIECE_GAP_MM` to spare, and also the
    sticker turned by `CARELESS_TURN_DEG`. 17.3 x 14.3 mm gives 52.1 mm for four slots, 68.0 mm for seven.
    """
    wide, tall = slot_mm(sticker_mm)
    rows = slot_rows(slots)
    half_w, half_h = rows[0] * wide / 2, len(rows) * tall / 2
    # A pointy-top hex of inradius a holds the corner (half_w, half_h) when half_w <= a and the
    # slanted side passes outside it: half_w / 2 + half_h * sqrt(3) / 2 <= a.
    corners = [(half_w, half_h), (max(rows) * wide / 2, tall / 2)]
    return 2 * max(max(w, w / 2 + h * math.sqrt(3) / 2) for w, h in corners)


def mat_faults(mat: Mat) -> list[str]:
    """Everything that keeps a mat from being printed and read, as sentences; empty when it is sound."""
    return [*_size_faults(mat), *_place_faults(mat), *_marker_faults(mat), *_piece_faults(mat)]


def _size_faults(mat: Mat) -> Iterator[str]:
    slots = max((len(space.slots) for space in mat.spaces if space.hex is not None), default=0)
    if mat.hexgrid is not None and slots:
        flats, least = mat.hexgrid.size_mm * math.sqrt(3), smallest_hex_mm(mat.sticker_mm, slots)
        if flats < least - EPSILON_MM:
            w, h = mat.sticker_mm
            yield (
                f"a hex is {flats:.1f} mm across flats, but {slots} stickers of {w:g} x {h:g} mm "
                f"need at least {least:.1f} mm, or neighbours overlap: make the hexes larger"
            )
    wide, tall = slot_mm(mat.sticker_mm)
    for space, slot in mat.slots():
        if space.hex is not None and (slot.box.w < wide - EPSILON_MM or slot.box.h < tall - EPSILON_MM):
            yield (
                f"slot {slot.id} of {space.id} is {slot.box.w:.1f} x {slot.box.h:.1f} mm, "
                f"a sticker needs {wide:.1f} x {tall:.1f} mm"
            )
        if mat.hexgrid is not None and space.hex is not None:
            inradius = mat.hexgrid.size_mm * math.sqrt(3) / 2
            dx = max(abs(slot.box.x - space.centre[0]), abs(slot.box.x + slot.box.w - space.centre[0]))
            dy = max(abs(slot.box.y - space.centre[1]), abs(slot.box.y + slot.box.h - space.centre[1]))
            if max(dx, dx / 2 + dy * math.sqrt(3) / 2) > inradius + EPSILON_MM:
                yield f"slot {slot.id} of {space.id} reaches out of its hex: make the hexes larger"


def _place_faults(mat: Mat) -> Iterator[str]:
    whole = Box(0, 0, mat.width_mm, mat.height_mm)
    seen: set[str] = set()
    for space in mat.spaces:
        if space.id in seen:
            yield f"two spaces are called {space.id}"
        seen.add(space.id)
        if len({slot.id for slot in space.slots}) < len(space.slots):
            yield f"two slots of {space.id} have the same name"
    places = [(space.id, slot.id, slot.box) for space, slot in mat.slots()]
    for space_id, slot_id, box in places:
        if not box.within(whole):
            yield f"slot {slot_id} of {space_id} lies outside the mat of {whole.w:g} x {whole.h:g} mm"
    for (id1, slot1, box1), (id2, slot2, box2) in combinations(places, 2):
        if box1.meets(box2):
            yield f"slot {slot1} of {id1} and slot {slot2} of {id2} overlap"


def _marker_faults(mat: Mat) -> Iterator[str]:
    if len(mat.markers) < MIN_MARKERS:
        yield f"the mat has {len(mat.markers)} markers, it needs at least {MIN_MARKERS}: hands hide some"
    if len({marker.id for marker in mat.markers}) < len(mat.markers):
        yield "two markers have the same number"
    whole = Box(0, 0, mat.width_mm, mat.height_mm)
    for marker in mat.markers:
        clear = marker.box.grown(MARKER_EDGE_MM)
        if not clear.within(whole):
            yield f"marker {marker.id} with its white edge lies outside the mat"
        for space, slot in mat.slots():
            if slot.box.meets(clear):
                yield f"marker {marker.id} and slot {slot.id} of {space.id} overlap"
        if mat.hexgrid is not None:
            corners = [(x, y) for x in (clear.x, clear.x + clear.w) for y in (clear.y, clear.y + clear.h)]
            edge = [
                clear.centre,
                *corners,
                *(((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in combinations(corners, 2)),
            ]
            if any(mat.hexgrid.at(x, y) for x, y in edge):
                yield f"marker {marker.id} lies on a hex of the map"


def _piece_faults(mat: Mat) -> Iterator[str]:
    seen: set[str] = set()
    faces = {card.payload for card in mat.cards}
    for piece in mat.pieces:
        if piece.payload in seen:
            yield f"two pieces carry the tag {piece.payload}"
        seen.add(piece.payload)
        if not is_own_payload(piece.payload):
            yield f"{piece.what} {piece.name}: {piece.payload!r} is not a tag (check character wrong)"
        if piece.form == "card" and piece.payload not in faces:
            yield f"{piece.what} {piece.name}: the card has no face to print"
    for payload in sorted(faces - seen):
        yield f"a card face carries the tag {payload}, which is not in the roster"
