"""What of Trains is printed: one mat with the map and the lanes of the turn, stickers, and tags for cards.

The mat is made from a pack's content alone. From top to bottom: a strip with the title and three markers;
the map, with the lanes to its right; a strip with three markers and the ruler. All lengths are millimetres.

The cards are the owner's own. Each gets a strip with its tag at the top edge (in the sleeve), and cards in a
lane overlap so that these strips show. A lane is a single place: a card lies anywhere in it. The lanes serve
every seat from one end of the mat: with the chairs round that end nobody reaches farther than 45 cm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.games.trains.pack import Content, Hex
from assistant.layout import (
    EPSILON_MM,
    MARKER_EDGE_MM,
    SEAT_LETTERS,
    Box,
    CardFace,
    HexGrid,
    LayoutError,
    Legend,
    Mat,
    Piece,
    Slot,
    Space,
    Zone,
    compose_payload,
    piece_number,
    six_markers,
    slot_mm,
    slot_rows,
    smallest_hex_mm,
)
from assistant.packs import Pack

GAME = "trains"
TAG_LETTER = "T"
"""First character of every tag of this game."""
HEX_MM = 72.0
"""Across flats: what a city of four rails and three stations needs (68.0), and room for barriers."""
STICKER_MM = (17.3, 14.3)
CARD_MM = (42.0, 16.0)
"""The strip with a card's tag."""
SLEEVE_MM = (66.0, 91.0)
"""A card of the game in its sleeve; the strip lies at its top edge."""
STRIP_PITCH_MM = 18.0
"""From one card of a lane to the next: its strip, and a little more."""
MARKER_MM = 24.0

SLOT_SEAM_MM = 0.4
"""Between the slots of one hex."""
EDGE_MM = 12.0
"""From the mat's edge to whatever is printed."""
HEAD_MM = 42.0
FOOT_MM = MARKER_MM + 2 * MARKER_EDGE_MM
MAP_GAP_MM = 18.0
LANE_MM = SLEEVE_MM[0] + 10.0
LANE_GAP_MM = 4.0
HEADING_MM = 7.0
LANE_SIDE_MM = 10.0
"""From a lane's frame to its place for strips: a card laid askew in the next lane covers none of it."""
LANE_END_MM = 1.5

SEAT_BLOCK = 40
FIRST_STATION = SEAT_BLOCK * len(SEAT_LETTERS)
FIRST_CARD = 300
"""Tag numbers: seat k has the rails from 40 k, then come the stations; cards have those from 300 in the order
of the pack."""


@dataclass(frozen=True)
class Lane:
    """A place for cards beside the map. `share` is how much of its column it takes."""

    id: str
    title: str
    column: int
    share: float = 1.0


PLAY, GAINED, DISCARD, RETURN, TRASH = "play", "gained", "discard", "return", "trash"
REVEAL, LEFTOVER = "reveal", "leftover"
LANES = (
    Lane(PLAY, "Played", 0),
    Lane(GAINED, "Gained", 1),
    Lane(DISCARD, "Discarded", 2, 1 / 3),
    Lane(RETURN, "Waste back", 2, 1 / 3),
    Lane(TRASH, "Trashed", 2, 1 / 3),
    Lane(REVEAL, "Revealed", 3, 1 / 2),
    Lane(LEFTOVER, "Left in hand", 3, 1 / 2),
)
COLUMNS = 1 + max(lane.column for lane in LANES)

TINTS = {"field": "plains"}
"""Terrains that print knows by another name."""
COSTS = {"field": "0", "river": "1", "mountain": "2", "city": "1"}
LEGEND = (
    Legend("tint", "plains", "Field"),
    Legend("tint", "river", "River"),
    Legend("tint", "mountain", "Mountain"),
    Legend("tint", "city", "City"),
    Legend("tint", "remote", "Remote location"),
    Legend("tint", "sea", "Sea"),
    Legend("ring", "2", "Money for a rail; in a city 1 more for each station"),
)


def mat(pack: Pack[Content], *, copy: str = "01", hex_mm: float = HEX_MM) -> Mat:
    """The printed mat and roster of one box; `copy` is its number (two base 36 characters).

    Raises LayoutError for a hex too small for its stickers and for a copy that is not of that form.
    """
    content = pack.content
    most = len(SEAT_LETTERS) + max(
        (h.number for h in content.hexes.values() if h.terrain == "city"), default=0
    )
    least = smallest_hex_mm(STICKER_MM, most)
    if hex_mm < least - EPSILON_MM:
        raise LayoutError(
            [
                f"a hex of {hex_mm:g} mm across flats is too small: {most} stickers of {STICKER_MM[0]:g} x "
                f"{STICKER_MM[1]:g} mm need at least {least:.1f} mm"
            ]
        )
    cells = [h.place for h in content.hexes.values()]
    grid = HexGrid.laid(cells, hex_mm, EDGE_MM, HEAD_MM)
    map_box = grid.bounds(hex_mm, EDGE_MM, HEAD_MM)
    zones, lanes = _lanes(map_box.x + map_box.w + MAP_GAP_MM, map_box.y, map_box.h)
    right = max(zone.box.x + zone.box.w for zone in zones if zone.box)
    # Whole millimetres, so that pixels and millimetres agree at both edges.
    width = float(math.ceil(right + EDGE_MM))
    height = float(math.ceil(map_box.y + map_box.h + LANE_GAP_MM + FOOT_MM + EDGE_MM))
    pieces, cards = _roster(content, copy)
    return Mat(
        game=GAME,
        pack=pack.id,
        title=f"Trains · {pack.title}",
        width_mm=width,
        height_mm=height,
        markers=six_markers(width, height, MARKER_MM, EDGE_MM),
        spaces=(*_hex_spaces(content, grid), *lanes),
        pieces=pieces,
        cards=cards,
        hexgrid=grid,
        sticker_mm=STICKER_MM,
        card_mm=CARD_MM,
        zones=(Zone("map", pack.title), *zones),
        copy=copy,
        provenance=pack.provenance,
        digest=pack.digest,
        legend=LEGEND,
        barriers=tuple((barrier.a, barrier.b) for barrier in content.barriers),
    )


def lane_room(mat: Mat, lane: str) -> tuple[float, ...]:
    """Where in a lane the strips of cards lie, from the top: distances from the lane's middle (mm).

    As many as fit with the last card whole in the lane.
    """
    box = mat.space_named(lane).slots[0].box
    count = 1 + int((box.h - SLEEVE_MM[1]) / STRIP_PITCH_MM)
    first = CARD_MM[1] / 2 - box.h / 2
    return tuple(first + n * STRIP_PITCH_MM for n in range(count))


# ---- the map


def _hex_spaces(content: Content, grid: HexGrid) -> Iterator[Space]:
    """Every hex, the sea too: a piece on it is told as one that cannot be there."""
    for h in content.hexes.values():
        centre = grid.centre(*h.place)
        notes = {} if h.terrain == "sea" else {"cost": COSTS.get(h.terrain, str(h.number))}
        if h.terrain == "remote":
            notes["effect"] = f"{h.number} points"
        yield Space(
            id=h.id,
            zone="map",
            kind="hex",
            centre=centre,
            slots=() if h.terrain == "sea" else _slots(*centre, h),
            hex=h.place,
            title=f"{h.id} {content.names.get(h.id, h.terrain.capitalize())}",
            tint=TINTS.get(h.terrain, h.terrain),
            notes=notes,
        )


def _slots(x: float, y: float, place: Hex) -> tuple[Slot, ...]:
    """A place for each seat and, in a city, for each station: A B, then the stations, then C D."""
    w, h = slot_mm(STICKER_MM)
    stations = place.number if place.terrain == "city" else 0
    owners: list[str | None] = [*SEAT_LETTERS[:2], *[None] * stations, *SEAT_LETTERS[2:]]
    rows = slot_rows(len(owners))
    out: list[Slot] = []
    for row, count in enumerate(rows):
        top = y + (row - len(rows) / 2) * (h + SLOT_SEAM_MM) + SLOT_SEAM_MM / 2
        for column in range(count):
            left = x + (column - count / 2) * (w + SLOT_SEAM_MM) + SLOT_SEAM_MM / 2
            seat = owners[len(out)]
            out.append(Slot(seat or f"s{column + 1}", Box(left, top, w, h), seat))
    return tuple(out)


# ---- the lanes


def _lanes(x: float, top: float, height: float) -> tuple[tuple[Zone, ...], tuple[Space, ...]]:
    """Lanes right of the map, in columns as high as it; each with its frame."""
    zones, spaces = [], []
    used = [0.0] * COLUMNS
    for lane in LANES:
        left = x + lane.column * (LANE_MM + LANE_GAP_MM)
        high = (height + LANE_GAP_MM) * lane.share - LANE_GAP_MM
        frame = Box(left, top + used[lane.column], LANE_MM, high)
        used[lane.column] += high + LANE_GAP_MM
        place = Box(
            frame.x + LANE_SIDE_MM,
            frame.y + HEADING_MM,
            LANE_MM - 2 * LANE_SIDE_MM,
            high - HEADING_MM - LANE_END_MM,
        )
        zones.append(Zone(lane.id, lane.title, frame))
        spaces.append(Space(lane.id, lane.id, "card", place.centre, (Slot("1", place),), title=lane.title))
    return tuple(zones), tuple(spaces)


# ---- the pieces


def _roster(content: Content, copy: str) -> tuple[tuple[Piece, ...], tuple[CardFace, ...]]:
    """Rails, stations and a strip for each card. A card's name is its number on the table, `TC-LR-07`."""

    def tag(number: int) -> str:
        return compose_payload(TAG_LETTER, copy, piece_number(number))

    pieces: list[Piece] = []
    for k, seat in enumerate(SEAT_LETTERS):
        for n in range(content.setup.rail_tokens):
            name = f"{n + 1:02d}"
            pieces.append(Piece(tag(k * SEAT_BLOCK + n), "rail", name, seat, label=name, first=True))
    for n in range(content.setup.station_tokens):
        name = f"{n + 1:02d}"
        payload = tag(FIRST_STATION + n)
        pieces.append(Piece(payload, "station", name, label=name, sign="double", first=True))
    cards: list[CardFace] = []
    number = FIRST_CARD
    for card in content.cards:
        for n in range(card.count):
            name = f"{card.id}-{n + 1:02d}"
            payload = tag(number)
            number += 1
            # What everybody has or buys comes first; a random deck needs its strips when it is first used.
            pieces.append(Piece(payload, "card", name, form="card", first=card.role != "random"))
            price = "" if card.cost < 0 else str(card.cost)
            cards.append(
                CardFace(
                    payload,
                    card.name,
                    name,
                    corner=price,
                    corner_icon="money" if price else "",
                    tint=card.colour,
                )
            )
    return tuple(pieces), tuple(cards)
