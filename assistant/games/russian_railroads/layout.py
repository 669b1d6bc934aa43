"""What of Russian Railroads is printed: one action mat for every number of players, and the roster of pieces.

Tracks, factories and what else lies before the players is not on it: its fields are too small for a tag, and
what happens there is told by touch. The mat has the action spaces, with a slot for each piece that they cost,
the engineers, the turn order, the piles of locomotives, and a space for each engineer that somebody may have
hired. All lengths are millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from assistant.games.russian_railroads.ops import Op
from assistant.games.russian_railroads.pack import Content, Engineer
from assistant.games.russian_railroads.pack import Space as Printed
from assistant.layout import (
    MARKER_EDGE_MM,
    PIECE_GAP_MM,
    SEAT_LETTERS,
    Box,
    CardFace,
    Mat,
    Piece,
    Slot,
    Space,
    Zone,
    compose_payload,
    piece_number,
    six_markers,
)
from assistant.packs import Pack

GAME = "russian_railroads"
TAG_LETTER = "S"
"""First character of every tag of this game."""
DISC_MM = 24.0
DISC_HEIGHT_MM = 3.0
"""Tags of workers, roubles and locomotives lie on counters of this thickness."""
CARD_MM = (42.0, 30.0)
MARKER_MM = 24.0
EDGE_MM = 12.0
"""From the mat's edge to whatever is printed."""
STRIP_TOP_MM = EDGE_MM + MARKER_MM + MARKER_EDGE_MM + 2.0
HEADING_MM = 8.0
"""Of a zone; then come its spaces."""
NAME_MM = 9.0
"""Above the slots of a space: its name and cost."""
SLOT_MM = DISC_MM + PIECE_GAP_MM
GAP_MM = 5.0
"""Between spaces, and between zones."""
FRAME_MM = 2.0
ROW_MM = NAME_MM + SLOT_MM + 2.0
"""A row of spaces."""

SHARED = 16
"""Slots of the space that is never occupied."""
STRIP = 7
"""Places for engineers from the left to the hiring space; fewer players leave the left ones empty."""
WORKERS = 8
SEAT_BLOCK = 20
FIRST_LOOSE = 100
FIRST_LOCO = 200
FIRST_ENGINEER = 300
"""Tag numbers: seat k has the block from 20 k."""

WORKER, BLACK, TEMP, ROUBLE, PAWN, ENGINEER = "worker", "black", "temp", "rouble", "pawn", "engineer"
PILE = "pile:"
STRIP_PLACE = "strip:"
ORDER_PLACE = "order:"


def loco(number: int | str) -> str:
    """The kind of piece that a locomotive of a number is."""
    return f"loco_{number}"


def engineer_id(number: int) -> str:
    """The name of an engineer: that of the space beside a board that it is."""
    return f"ENG-{number}"


def mat(pack: Pack[Content], *, action_words: Callable[[Sequence[Op]], str], copy: str = "01") -> Mat:
    """The printed mat and roster of one box; `action_words` says what an engineer does.

    Raises LayoutError for a copy that is not two characters of base 36.
    """
    content = pack.content
    zones, spaces = _zones(content)
    boxes = [slot.box for space in spaces for slot in space.slots]
    low = max(box.y + box.h for box in boxes) + FRAME_MM
    width = float(math.ceil(max(box.x + box.w for box in boxes) + FRAME_MM + EDGE_MM))
    height = float(math.ceil(low + MARKER_EDGE_MM + MARKER_MM + EDGE_MM))
    pieces, cards = _roster(content, copy, action_words)
    return Mat(
        game=GAME,
        pack=pack.id,
        title=pack.title,
        width_mm=width,
        height_mm=height,
        markers=six_markers(width, height, MARKER_MM, EDGE_MM),
        spaces=spaces,
        pieces=pieces,
        cards=cards,
        card_mm=CARD_MM,
        zones=zones,
        copy=copy,
        provenance=pack.provenance,
        digest=pack.digest,
        disc_mm=DISC_MM,
    )


# ---- the places


def pieces_on(content: Content, space: Printed) -> int:
    """How many pieces may lie on a space of the board at once."""
    if not space.occupies:
        return SHARED
    if space.area == "engineer" and space.action == ():
        return max(engineer.workers + engineer.roubles for engineer in content.engineers)
    return space.workers + space.roubles


def cost_words(workers: int, roubles: int) -> str:
    """What a space costs, as printed: "1 w", "1 w + 1 r"."""
    return " + ".join(f"{n} {what}" for n, what in ((workers, "w"), (roubles, "r")) if n)


class _Area:
    """A zone that is filled with rows of spaces, from its top left corner."""

    def __init__(self, id: str, title: str, x: float, y: float, note: str = "") -> None:
        self.id, self.title, self.note = id, title, note
        self.left, self.top = x, y
        self.x, self.y = x + FRAME_MM, y + HEADING_MM
        self.right = self.x
        self.spaces: list[Space] = []

    def add(self, id: str, slots: int, title: str, note: str = "", *, optional: bool = True) -> None:
        """A space of so many slots, right of the one before."""
        boxes = [Box(self.x + n * (SLOT_MM + 1), self.y + NAME_MM, SLOT_MM, SLOT_MM) for n in range(slots)]
        self._put(id, "place", boxes, title, note, optional)

    def add_card(self, id: str, title: str) -> None:
        """A place for a card."""
        w, h = CARD_MM[0] + PIECE_GAP_MM, CARD_MM[1] + PIECE_GAP_MM
        self._put(id, "card", [Box(self.x, self.y, w, h)], title, "", optional=True)

    def _put(self, id: str, kind: str, boxes: list[Box], title: str, note: str, optional: bool) -> None:
        first, last = boxes[0], boxes[-1]
        centre = ((first.x + last.x + last.w) / 2, first.y + first.h / 2)
        slots = tuple(Slot(str(n + 1), box) for n, box in enumerate(boxes))
        notes = {"cost": note} if note else {}
        self.spaces.append(
            Space(id, self.id, kind, centre, slots, title=title, notes=notes, optional=optional)
        )
        self.x = last.x + last.w + GAP_MM
        self.right = max(self.right, last.x + last.w)

    def next_row(self, high: float = ROW_MM) -> None:
        """Go on below."""
        self.x, self.y = self.left + FRAME_MM, self.y + high

    @property
    def bottom(self) -> float:
        """The lower edge of its frame."""
        return FRAME_MM + max(slot.box.y + slot.box.h for space in self.spaces for slot in space.slots)

    @property
    def zone(self) -> Zone:
        """The zone with the frame round all its spaces."""
        box = Box(self.left, self.top, self.right + FRAME_MM - self.left, self.bottom - self.top)
        return Zone(self.id, self.title, box, self.note)


def _zones(content: Content) -> tuple[tuple[Zone, ...], tuple[Space, ...]]:
    every = {setup.players for setup in content.setup}
    by_area: dict[str, list[Printed]] = {}
    for space in content.spaces:
        by_area.setdefault(space.area, []).append(space)

    def fill(area: _Area, spaces: Sequence[Printed]) -> None:
        for space in spaces:
            area.add(
                space.id,
                pieces_on(content, space),
                space.name,
                cost_words(space.workers, space.roubles) if space.action else "",
                # The side of a board for few players has not all of them.
                optional=not every <= set(space.players),
            )

    top = STRIP_TOP_MM
    track = _Area("track", "Track extension", EDGE_MM, top)
    single = [space for space in by_area["track"] if space.occupies and not space.roubles]
    fill(track, single)
    track.next_row()
    fill(track, [space for space in by_area["track"] if space not in single])
    right = track.right + FRAME_MM + GAP_MM
    stock = _Area("loco", "Locomotives and factories", right, top)
    fill(stock, by_area["loco"])
    industry = _Area("industry", "Industry", stock.right + FRAME_MM + GAP_MM, top)
    fill(industry, by_area["industry"])
    below = top + HEADING_MM + ROW_MM + GAP_MM
    auxiliary = _Area("auxiliary", "Auxiliary actions", right, below)
    fill(auxiliary, by_area["auxiliary"])
    order = _Area("order", "Turn order", auxiliary.right + FRAME_MM + GAP_MM, below)
    for place in range(1, len(SEAT_LETTERS) + 1):
        order.add(f"{ORDER_PLACE}{place}", 1, f"place {place}")
    fill(order, [*by_area["order"], *by_area["last"]])

    row = max(area.bottom for area in (track, auxiliary, order)) + GAP_MM
    strip = _Area("strip", "Engineers", EDGE_MM, row, "the right-most can be hired")
    used = by_area["engineer"]
    under: list[float] = []
    for place in range(1, STRIP + 1):
        under.append(strip.x)
        strip.add_card(f"{STRIP_PLACE}{place}", "hire" if place == STRIP else "")
        if place > STRIP - len(used):
            # Below it lie the pieces that use this engineer: two slots are wider than a card.
            strip.x = max(strip.x, under[-1] + 2 * SLOT_MM + 1 + GAP_MM)
    strip.next_row(CARD_MM[1] + PIECE_GAP_MM + 2)
    # The hiring space comes first in the pack and lies right-most, the public ones go left from it.
    for space, x in zip(used, reversed(under), strict=False):
        strip.x = x
        fill(strip, [space])
    hired = _Area("hired", "Hired engineers", strip.right + FRAME_MM + GAP_MM, row, "workers of their owner")
    half = math.ceil(len(content.engineers) / 2)
    for index, engineer in enumerate(content.engineers):
        if index == half:
            hired.next_row()
        cost = engineer.workers + engineer.roubles
        words = cost_words(engineer.workers, engineer.roubles)
        hired.add(engineer_id(engineer.number), cost, f"No. {engineer.number}", words)
    piles = _Area("piles", "Locomotives", hired.right + FRAME_MM + GAP_MM, row)
    for number in range(1, 10):
        if number == 6:
            piles.next_row()
        piles.add(f"{PILE}{number}", 1, f"No. {number}")
    areas = (track, stock, industry, auxiliary, order, strip, hired, piles)
    return tuple(area.zone for area in areas), tuple(space for area in areas for space in area.spaces)


# ---- the pieces


def _roster(
    content: Content, copy: str, action_words: Callable[[Sequence[Op]], str]
) -> tuple[tuple[Piece, ...], tuple[CardFace, ...]]:
    pieces: list[Piece] = []
    cards: list[CardFace] = []

    def disc(index: int, what: str, name: str, label: str, seat: str | None = None) -> None:
        payload = compose_payload(TAG_LETTER, copy, piece_number(index))
        pieces.append(
            Piece(payload, what, name, seat, height_mm=DISC_HEIGHT_MM, form="disc", label=label, first=True)
        )

    for k, seat in enumerate(SEAT_LETTERS):
        for n in range(1, WORKERS + 1):
            disc(k * SEAT_BLOCK + n, WORKER, str(n), str(n), seat)
        disc(k * SEAT_BLOCK, PAWN, seat, "order", seat)
    loose = FIRST_LOOSE
    for what, count, label in (
        (BLACK, 1, "black"),
        (TEMP, content.supplies.temp_workers, "temp"),
        (ROUBLE, content.supplies.roubles, "rouble"),
    ):
        for n in range(1, count + 1):
            disc(loose, what, str(n), label)
            loose += 1
    each = content.supplies.locomotives
    for number in range(1, 10):
        for n in range(1, each + 1):
            disc(FIRST_LOCO + (number - 1) * each + n, loco(number), str(n), f"No. {number}")
    for index, engineer in enumerate(content.engineers):
        payload = compose_payload(TAG_LETTER, copy, piece_number(FIRST_ENGINEER + index))
        pieces.append(Piece(payload, ENGINEER, engineer_id(engineer.number), form="card", first=True))
        cards.append(_face(engineer, payload, action_words(engineer.action)))
    return tuple(pieces), tuple(cards)


def _face(engineer: Engineer, payload: str, words: str) -> CardFace:
    """What is printed on the card of an engineer."""
    return CardFace(
        payload,
        engineer.name or f"Engineer {engineer.letter}".strip(),
        cost_words(engineer.workers, engineer.roubles),
        (words,),
        str(engineer.number),
        tint="station_card",
    )
