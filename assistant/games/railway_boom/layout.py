"""What of Railway Boom is printed: one mat for the map, the cards and the auction, and the roster of pieces.

The mat is made from a pack's content alone, so another map gives another mat. From top to bottom: a
strip with the title and three markers, the map with the card places to its right, a strip with the
auction track, three markers and the ruler. All lengths are millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assistant.games.railway_boom import card_faces
from assistant.games.railway_boom.pack import Content, Hex
from assistant.layout import (
    EPSILON_MM,
    MARKER_EDGE_MM,
    PIECE_GAP_MM,
    SEAT_LETTERS,
    Box,
    CardFace,
    HexGrid,
    LayoutError,
    Legend,
    Marker,
    Mat,
    Piece,
    Slot,
    Space,
    Zone,
    compose_payload,
    markers_at,
    piece_number,
    slot_mm,
    smallest_hex_mm,
)
from assistant.packs import Pack

GAME = "railway_boom"
TAG_LETTER = "R"
"""First character of every tag of this game."""
HEX_MM = 54.0
"""Across flats: the least that four seats need (52.1) and room for outlines."""
STICKER_MM = (17.3, 14.3)
CARD_MM = (42.0, 30.0)
DISC_MM = 24.0
RAILS = 30
STATIONS = 4
FIRST_RAILS = 20
"""Rails of the minimal set: a seat places about 14 to 21 in a game."""
DISC_HEIGHT_MM = 2.0
"""A disc is two stickers on a counter of this thickness."""
MARKER_MM = 24.0
BID_SPACES = 20

SLOT_SEAM_MM = 0.4
"""Between the slots of one hex."""
EDGE_MM = 12.0
"""From the mat's edge to whatever is printed."""
STRIP_TOP_MM = 42.0
MAP_GAP_MM = 18.0
"""Between the map and the card places; the numbers of the development rows stand here."""
PITCH_X_MM = CARD_MM[0] + 2 * PIECE_GAP_MM
PITCH_Y_MM = CARD_MM[1] + PIECE_GAP_MM + 2.0
CARD_SLOT_MM = (CARD_MM[0] + PIECE_GAP_MM, CARD_MM[1] + PIECE_GAP_MM)
ASIDE_MM = 6.0
"""How much further right the column of drawn cards lies."""
HEADING_MM = 7.0
FRAME_MM = 1.5
"""From a zone's slots to its frame."""
ZONE_GAP_MM = 4.0
TRACK_PITCH_MM = 28.0
TRACK_TOP_MM = 13.0
"""From the auction's frame to its places: heading and numbers."""
COLUMNS = 4
SEAT_BLOCK = 40
CARD_BLOCK = 100
FIRST_CARD = 200
"""Tag numbers: seat k has the block from 40 k, class k of the cards that from 200 + 100 k."""

LEGEND = (
    Legend("tint", "plains", "Plains"),
    Legend("tint", "forest", "Forest"),
    Legend("tint", "mountain", "Mountain"),
    Legend("tint", "river", "River"),
    Legend("tint", "inlet", "Inlet"),
    Legend("tint", "city", "City"),
    Legend("tint", "tourist", "Tourist City"),
    Legend("ring", "2", "power for a rail"),
    Legend("icon", "money", "Money"),
    Legend("icon", "coal", "Coal"),
    Legend("icon", "materials", "Materials"),
    Legend("icon", "tech", "Technology"),
    Legend("icon", "vp", "VP"),
    Legend("icon", "power", "station power"),
)
TILE_CLASSES = ("city_tile", "tourist_tile")


def mat(
    pack: Pack[Content], *, seats: int = len(SEAT_LETTERS), copy: str = "01", hex_mm: float = HEX_MM
) -> Mat:
    """The printed mat and roster of one box; `copy` is its number (two base 36 characters).

    `seats` is the number of slots in each hex and of token sets: four make one mat for all. Raises
    LayoutError, naming every fault, for seats outside 2 to 4, for a hex too small for its stickers and
    for a copy that is not two characters of base 36.
    """
    content = pack.content
    faults = []
    if not 2 <= seats <= len(SEAT_LETTERS):
        faults.append(f"{seats} seats: Railway Boom is printed for 2, 3 or 4")
    least = smallest_hex_mm(STICKER_MM, max(1, min(seats, len(SEAT_LETTERS))))
    if hex_mm < least - EPSILON_MM:
        faults.append(
            f"a hex of {hex_mm:g} mm across flats is too small: stickers of {STICKER_MM[0]:g} x "
            f"{STICKER_MM[1]:g} mm for {seats} seats need at least {least:.1f} mm"
        )
    if not content.hexes:
        faults.append("the pack has no hexes, so there is no map to print")
    if faults:
        raise LayoutError(faults)
    cells = [(h.q, h.r) for h in content.hexes]
    grid = HexGrid.laid(cells, hex_mm, EDGE_MM, STRIP_TOP_MM)
    map_box = grid.bounds(hex_mm, EDGE_MM, STRIP_TOP_MM)
    panel_x = map_box.x + map_box.w + MAP_GAP_MM
    zones, places = _card_places(panel_x, STRIP_TOP_MM)
    panel_bottom = max(zone.box.y + zone.box.h for zone in zones if zone.box)
    track_y = max(map_box.y + map_box.h, panel_bottom) + ZONE_GAP_MM
    track, track_spaces = _auction(content, EDGE_MM + MARKER_MM + 2 * MARKER_EDGE_MM, track_y)
    assert track.box is not None
    # Whole millimetres, so that pixels and millimetres agree at both edges.
    panel_right = max(zone.box.x + zone.box.w for zone in zones if zone.box)
    # Two markers stand right of the track, below the panel.
    track_right = track.box.x + track.box.w + 2 * (MARKER_MM + 2 * MARKER_EDGE_MM)
    width = float(math.ceil(max(panel_right, track_right) + EDGE_MM))
    height = float(math.ceil(track_y + track.box.h + EDGE_MM))
    pieces, cards = _roster(content, seats, copy)
    return Mat(
        game=GAME,
        pack=pack.id,
        title=f"Railway Boom · {pack.title}",
        width_mm=width,
        height_mm=height,
        markers=_markers(grid, places, track.box, width, height),
        spaces=(*_hex_spaces(content, grid, seats), *places, *track_spaces),
        pieces=pieces,
        cards=cards,
        hexgrid=grid,
        sticker_mm=STICKER_MM,
        card_mm=CARD_MM,
        zones=(Zone("map", pack.title), *zones, track),
        copy=copy,
        provenance=pack.provenance,
        digest=pack.digest,
        legend=LEGEND,
        disc_mm=DISC_MM,
    )


# ---- the map


def _seat_slots(x: float, y: float, seats: int) -> tuple[Slot, ...]:
    """The slots of a hex round its centre: A B over C D, for three without D, for two in one row."""
    w, h = slot_mm(STICKER_MM)
    left = x - w - SLOT_SEAM_MM / 2
    top = y - h - SLOT_SEAM_MM / 2 if seats > 2 else y - h / 2
    return tuple(
        Slot(
            id=seat,
            seat=seat,
            box=Box(left + (k % 2) * (w + SLOT_SEAM_MM), top + (k // 2) * (h + SLOT_SEAM_MM), w, h),
        )
        for k, seat in enumerate(SEAT_LETTERS[:seats])
    )


def _hex_spaces(content: Content, grid: HexGrid, seats: int) -> Iterator[Space]:
    names, notes = _hex_notes(content)
    for h in content.hexes:
        centre = grid.centre(h.q, h.r)
        yield Space(
            id=h.id,
            zone="map",
            kind="hex",
            centre=centre,
            slots=_seat_slots(*centre, seats),
            hex=(h.q, h.r),
            title=f"{h.id} {names.get(h.id) or _terrain_name(h)}",
            tint=h.terrain,
            notes=notes.get(h.id, {"cost": str(h.cost)}),
        )


def _terrain_name(h: Hex) -> str:
    return h.terrain.replace("_", " ").capitalize()


def _hex_notes(content: Content) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Names and small prints of the cities, by hex; the values are those of the default tiles."""
    tiles = {tile.id: tile for tile in content.city_tiles}
    effects = {tile.id: tile for tile in content.tourist_tiles}
    costs = {h.id: h.cost for h in content.hexes}
    names: dict[str, str] = {}
    notes: dict[str, dict[str, str]] = {}
    for city in content.cities:
        tile = tiles[city.default_tile]
        names[city.hex] = city.name
        notes[city.hex] = {
            "cost": str(tile.rail_cost),
            "icons": ",".join(tile.resources),
            "power": str(tile.station_power),
            "number": str(city.number),
        }
    for tourist in content.tourists:
        names[tourist.hex] = tourist.name
        notes[tourist.hex] = {
            "cost": str(costs[tourist.hex]),
            "effect": card_faces.icon_text(effects[tourist.default_tile].effect),
        }
    return names, notes


# ---- the card places


def _card_places(x: float, top: float) -> tuple[tuple[Zone, ...], tuple[Space, ...]]:
    """Zones and card places right of the map, downwards; the drawn cards lie beside the developments."""
    aside = x + 3 * PITCH_X_MM + ASIDE_MM
    rounds = tuple(f"round {k}" for k in range(1, COLUMNS + 1))
    columns: tuple[tuple[_CardZone, ...], ...] = (
        (_CardZone("locomotives", "Locomotives", 1, COLUMNS, x, note="take 1"),),
        (_CardZone("carriages", "Carriages", 2, 3, x, note="buy up to 2"),),
        (_CardZone("stations", "Stations", 1, COLUMNS, x),),
        (
            _CardZone("developments", "Developments", 4, 3, x, "a row each, cheapest first", rows_told=True),
            _CardZone("draw", "Drawn aside", 4, 1, aside),
        ),
        (_CardZone("objectives", "Objectives", 1, COLUMNS, x, labels=rounds),),
        (_CardZone("routes", "Routes", 1, COLUMNS, x),),
    )
    zones: list[Zone] = []
    spaces: list[Space] = []
    y = top
    for side_by_side in columns:
        for plan in side_by_side:
            zones.append(Zone(plan.id, plan.title, plan.frame(y), plan.note))
            spaces += plan.places(y)
        y += max(plan.frame(y).h for plan in side_by_side) + ZONE_GAP_MM
    return tuple(zones), tuple(spaces)


@dataclass(frozen=True)
class _CardZone:
    """Rows and columns of card places whose left edge is at `left`; `labels` are hints within them."""

    id: str
    title: str
    rows: int
    columns: int
    left: float
    note: str = ""
    labels: tuple[str, ...] = ()
    rows_told: bool = False
    """Whether the rows are numbered at their left."""

    def frame(self, top: float) -> Box:
        """The zone's frame when its heading begins at `top`."""
        return Box(
            self.left - FRAME_MM,
            top,
            (self.columns - 1) * PITCH_X_MM + CARD_SLOT_MM[0] + 2 * FRAME_MM,
            HEADING_MM + (self.rows - 1) * PITCH_Y_MM + CARD_SLOT_MM[1] + FRAME_MM,
        )

    def places(self, top: float) -> Iterator[Space]:
        """Its spaces, row by row."""
        for k in range(self.rows * self.columns):
            row, column = divmod(k, self.columns)
            place = Box(self.left + column * PITCH_X_MM, top + HEADING_MM + row * PITCH_Y_MM, *CARD_SLOT_MM)
            yield Space(
                id=f"{self.id}:{k + 1}",
                zone=self.id,
                kind="card",
                centre=place.centre,
                slots=(Slot("1", place),),
                title=self.labels[k] if self.labels else "",
                notes={"row": str(row + 1)} if self.rows_told and column == 0 else {},
            )


def _auction(content: Content, x: float, y: float) -> tuple[Zone, tuple[Space, ...]]:
    """The auction track: the white spaces w1 .. wn, worth 0, then 1 to 20, one disc each."""
    names = [f"w{k + 1}" for k in range(content.white_spaces)] + [str(k + 1) for k in range(BID_SPACES)]
    side = DISC_MM + PIECE_GAP_MM
    box = Box(
        x,
        y,
        (len(names) - 1) * TRACK_PITCH_MM + side + 2 * FRAME_MM,
        TRACK_TOP_MM + side + FRAME_MM,
    )
    spaces = []
    for k, name in enumerate(names):
        place = Box(x + FRAME_MM + k * TRACK_PITCH_MM, y + TRACK_TOP_MM, side, side)
        spaces.append(
            Space(
                id=f"auction:{name}",
                zone="auction",
                kind="disc",
                centre=place.centre,
                slots=(Slot("1", place),),
                title="0" if name.startswith("w") else name,
                tint="white" if name.startswith("w") else "",
            )
        )
    return Zone("auction", "Auction", box, "bids rise to the right"), tuple(spaces)


# ---- the markers


def _markers(
    grid: HexGrid, places: tuple[Space, ...], track: Box, width: float, height: float
) -> tuple[Marker, ...]:
    """Four corners, the middle of the top, one below beside the track, one at the right edge, and one
    at the left edge where the map leaves room."""
    half = MARKER_MM / 2
    left, right = EDGE_MM + half, width - EDGE_MM - half
    top, bottom = EDGE_MM + half, height - EDGE_MM - half
    beside = track.x + track.w + MARKER_EDGE_MM + half
    carriages = [space for space in places if space.zone == "carriages"]
    edge_y = sum(space.centre[1] for space in carriages) / len(carriages)
    centres = [
        (left, top),
        (width / 2, top),
        (right, top),
        (right, edge_y),
        (right, bottom),
        (beside, bottom),
        (left, bottom),
    ]
    free = _free_on_left(grid, left, height)
    if free is not None:
        centres.append((left, free))
    return markers_at(centres, MARKER_MM)


def _free_on_left(grid: HexGrid, x: float, height: float) -> float | None:
    """The y nearest the middle of the left edge where a marker meets no hex of the map, or None."""
    reach = MARKER_MM / 2 + MARKER_EDGE_MM
    probe = [k * reach / 4 for k in range(-4, 5)]
    first, last = STRIP_TOP_MM + reach, height - STRIP_TOP_MM - reach
    steps = sorted((first + k for k in range(int(last - first))), key=lambda y: abs(y - height / 2))
    for y in steps:
        if not any(grid.at(x + dx, y + dy) for dx in probe for dy in probe):
            return y
    return None


# ---- the pieces


def card_words(content: Content, catalogue: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """What is printed on cards in English, in the words of another catalogue. KeyError for words that the
    catalogue lacks."""
    seats = len(SEAT_LETTERS)
    english, other = (
        _roster(content, seats, "01", words)[1] for words in (card_faces.ENGLISH, card_faces.Print(catalogue))
    )
    return {
        before: after
        for one, two in zip(english, other, strict=True)
        for before, after in zip(_texts(one), _texts(two), strict=True)
    }


def _texts(face: CardFace) -> tuple[str, ...]:
    return face.title, face.subtitle, *face.lines, *(value.label for value in face.values)


def _roster(
    content: Content, seats: int, copy: str, words: card_faces.Print = card_faces.ENGLISH
) -> tuple[tuple[Piece, ...], tuple[CardFace, ...]]:
    pieces: list[Piece] = []
    cards: list[CardFace] = []

    def tag(number: int) -> str:
        return compose_payload(TAG_LETTER, copy, piece_number(number))

    for k, seat in enumerate(SEAT_LETTERS[:seats]):
        block = k * SEAT_BLOCK
        for n in range(RAILS):
            name = f"{n + 1:02d}"
            pieces.append(Piece(tag(block + n), "rail", name, seat, label=name, first=n < FIRST_RAILS))
        for n in range(STATIONS):
            name = str(n + 1)
            pieces.append(
                Piece(tag(block + RAILS + n), "station", name, seat, label=name, sign="double", first=True)
            )
        for n, face in enumerate(("up", "down")):
            pieces.append(
                Piece(
                    tag(block + RAILS + STATIONS + n),
                    f"disc_{face}",
                    face,
                    seat,
                    height_mm=DISC_HEIGHT_MM,
                    form="disc",
                    label=face,
                )
            )

    cities = {city.id: city for city in content.cities}

    def add(what: str, name: str, face: CardFace, seat: str | None = None) -> None:
        pieces.append(Piece(face.payload, what, name, seat, form="card", first=what not in TILE_CLASSES))
        cards.append(face)

    def card_tag(order: int, index: int) -> str:
        return tag(FIRST_CARD + order * CARD_BLOCK + index)

    starts = zip(content.start_locomotives, SEAT_LETTERS[:seats], strict=False)
    for i, (start, seat) in enumerate(starts):
        add(
            "start_locomotive", start.id, card_faces.locomotive_face(start, card_tag(0, i), seat, words), seat
        )
    for i, loco in enumerate(content.locomotives):
        add("locomotive", loco.id, card_faces.locomotive_face(loco, card_tag(1, i), p=words))
    for i, carriage in enumerate(content.carriages):
        add("carriage", carriage.id, card_faces.carriage_face(carriage, card_tag(2, i), words))
    for i, station in enumerate(content.stations):
        city = cities[station.city]
        add("station_card", station.id, card_faces.station_face(station, city, card_tag(3, i), words))
    for i, development in enumerate(content.developments):
        add("development", development.id, card_faces.development_face(development, card_tag(4, i), words))
    for i, objective in enumerate(content.objectives):
        add("objective", objective.id, card_faces.objective_face(objective, card_tag(5, i), words))
    for i, route in enumerate(content.routes):
        add("route", route.id, card_faces.route_face(route, cities, card_tag(6, i), words))
    for i, tile in enumerate(content.city_tiles):
        add("city_tile", tile.id, card_faces.city_tile_face(tile, card_tag(7, i), words))
    for i, effect in enumerate(content.tourist_tiles):
        add("tourist_tile", effect.id, card_faces.tourist_tile_face(effect, card_tag(8, i), words))
    return tuple(pieces), tuple(cards)
