"""What a screen shows of a game, in neutral words: strips, phases, tokens, cards, an auction, a train, tracks
and action spaces.

A game fills a `Display` from its state for one viewer and says with a `Foresight` what an action would do
before it is done. The screen draws both and knows no rule; names are keys of the game's catalogue (table
`words`), icons have the name of what they stand for. Nothing hidden from the viewer is in either.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from assistant.events import Told
from assistant.layout import CardFace
from assistant.reading import Spot

POINTS = "vp"
"""What points are called among changes."""


class Gauge(msgspec.Struct, frozen=True):
    """So much of something: `what` is a catalogue word and an icon, e.g. "money"."""

    what: str
    value: int


class Strip(msgspec.Struct, frozen=True):
    """One seat beside the board. `status` is a catalogue word ("done", "next"), empty for nothing to say;
    `points` is None where the house keeps scores hidden or the game has none."""

    seat: str
    points: int | None
    gauges: tuple[Gauge, ...] = ()
    status: str = ""


class Progress(msgspec.Struct, frozen=True):
    """Where the game is: `unit` ("round", "turn") number `at` of `of` (0: open end), and its phases.

    `phases` are catalogue words in order, `marks` what is printed for them ("I", "II"); `phase` is the index
    of the current one, -1 for none.
    """

    unit: str = ""
    at: int = 0
    of: int = 0
    phases: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    phase: int = -1


class Counter(msgspec.Struct, frozen=True):
    """Something that runs down in this turn, e.g. power: `left` of `of`."""

    what: str
    left: int
    of: int


class Bidder(msgspec.Struct, frozen=True):
    """One seat in an auction: its disc on `value`, face `up` or locked in; it `holds` so much of what is
    bid (None: not known here). If the auction ended now it would have `rank` (1 first) and pay `pays`;
    `share` is a catalogue word for the rule behind it ("all", "half", "nothing")."""

    seat: str
    value: int
    up: bool
    holds: int | None
    rank: int
    pays: int
    share: str = ""


class Auction(msgspec.Struct, frozen=True):
    """An ascending track of spaces 1 to `top`, in `what`. `white` are the seats on the white spaces, left to
    right, in the order that breaks ties; `bidders` stand in the order of play. `stake` are the cards that
    are bid for, `stake_words` the catalogue word above them. `open` is False once all are locked in."""

    top: int
    what: str
    white: tuple[str, ...]
    white_spaces: int
    bidders: tuple[Bidder, ...]
    stake: tuple[CardFace, ...] = ()
    stake_words: str = ""
    open: bool = True


class Car(msgspec.Struct, frozen=True):
    """One card of a train: what it pays of the fuel, what it yields, what lies on it; `ran` once done.

    `before` and `after` are the fuel at hand round this card.
    """

    face: CardFace
    pays: int
    before: int
    after: int
    yields: tuple[Gauge, ...] = ()
    load: tuple[str, ...] = ()
    ran: bool = False


class Train(msgspec.Struct, frozen=True):
    """A train front to back with its fuel (`what`, e.g. "coal"); `short` where the fuel does not reach."""

    seat: str
    what: str
    cars: tuple[Car, ...]
    short: bool = False


class Cards(msgspec.Struct, frozen=True):
    """A group of open cards: `words` a catalogue word, the seat that owns them or None for the table, and
    those that are `spent` (turned sideways, run) by name of the card.

    `effects` says for each face what the card does, as keys of the catalogue table `effects`, where that is
    told in the language of the screen instead of the face's own lines.
    """

    words: str
    seat: str | None
    faces: tuple[CardFace, ...]
    names: tuple[str, ...]
    spent: frozenset[str] = frozenset()
    effects: tuple[tuple[Told, ...], ...] = ()


class Turn(msgspec.Struct, frozen=True):
    """The turn that is played: what its seat has until it ends (`gauges`), the cards it has laid open, and
    what holds meanwhile, as keys of the catalogue table `effects`."""

    seat: str
    gauges: tuple[Gauge, ...] = ()
    cards: tuple[Cards, ...] = ()
    holds: tuple[Told, ...] = ()


class Cell(msgspec.Struct, frozen=True):
    """One space of a row: `print` is what stands on it, `tint` the word for its fill ("brown"), `value` what
    it counts now (None: nothing yet). `piece`: something stands just here; `seats` are those whose markers
    do. `above` (a catalogue word or text) is printed over it beside the icon `sign`, `due` tells that it
    holds now; `gap`: it is still to be filled."""

    print: str
    tint: str = ""
    value: int | None = None
    piece: bool = False
    seats: tuple[str, ...] = ()
    above: str = ""
    sign: str = ""
    due: bool = False
    gap: bool = False


class Row(msgspec.Struct, frozen=True):
    """A track before a seat: `words` is its catalogue word, `reach` how many of its cells are in reach (None
    where that is no matter), `holds` what stands beside it, `total` what it counts now."""

    words: str
    seat: str
    cells: tuple[Cell, ...]
    reach: int | None = None
    holds: tuple[Gauge, ...] = ()
    total: int | None = None


class Place(msgspec.Struct, frozen=True):
    """A space of the board where actions are taken: `name` is a catalogue word or what is printed, `area` the
    catalogue word for where it lies. `cost` is what it takes, `owner` the seat whose pieces lie there.
    `state`: "free" for the seat that acts, "taken", or "closed", which it is for this seat now."""

    space: str
    name: str
    area: str
    cost: tuple[Gauge, ...]
    state: Literal["free", "taken", "closed"] = "free"
    owner: str = ""
    detail: str = ""
    """What lies there besides pieces, by its name: said after the name of the space."""


class Display(msgspec.Struct, frozen=True):
    """Everything of a state that a viewer's screen shows. Strips stand in the order of play.

    `tokens` lie on the board's spaces, `tints` are spaces whose print is covered by another (a tile),
    `notes` the small prints that show there instead (as `layout.Space.notes`), `open_spaces` those that the
    phase is about (dashed edge). `barriers` are pairs of spaces that touch and are parted. `notice` is one
    sentence about the whole game (a key of the catalogue table `hints`), say how far its end is. `rows` are
    the tracks of all seats, `places` the action spaces of the table and of the seat that acts.
    """

    strips: tuple[Strip, ...]
    progress: Progress = Progress()
    tokens: tuple[Spot, ...] = ()
    tints: dict[str, str] = {}
    open_spaces: tuple[str, ...] = ()
    counter: Counter | None = None
    auction: Auction | None = None
    train: Train | None = None
    cards: tuple[Cards, ...] = ()
    notes: dict[str, dict[str, str]] = {}
    turn: Turn | None = None
    notice: Told | None = None
    barriers: tuple[tuple[str, str], ...] = ()
    rows: tuple[Row, ...] = ()
    places: tuple[Place, ...] = ()


class Change(msgspec.Struct, frozen=True):
    """What an action would do to one number of its seat."""

    what: str
    before: int
    after: int


class Foresight(msgspec.Struct, frozen=True):
    """What an action would do, before it is done: numbers of its own seat that change, a sentence (a key of
    the catalogue table `hints`) where the game has more to say, the train that would run.

    `price` is what it costs, 0 too, where the numbers that go down do not say it; what stands on the space
    comes first.
    """

    changes: tuple[Change, ...] = ()
    hint: Told | None = None
    train: Train | None = None
    price: tuple[Gauge, ...] = ()


def changes(before: Strip, after: Strip) -> tuple[Change, ...]:
    """Which numbers of a seat differ between two displays."""
    then = {gauge.what: gauge.value for gauge in before.gauges}
    out = [
        Change(gauge.what, then.get(gauge.what, 0), gauge.value)
        for gauge in after.gauges
        if then.get(gauge.what, 0) != gauge.value
    ]
    if before.points is not None and after.points is not None and before.points != after.points:
        out.append(Change(POINTS, before.points, after.points))
    return tuple(out)
