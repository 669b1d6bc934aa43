"""What a pack of Russian Railroads may not say (the load-time checks of part B).

Numbers are checked wherever they are printed, so that a game that begins can be played to its end. Each check
names the tables that it reads and is left out where one of them could not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.pack import PLACES, RAILROADS, Content
from assistant.packs import Fault

PLAYERS = (2, 3, 4)
NINE = 9
"""Numbers of locomotives and factories."""
STRIP = 7
"""Places for engineers on the mat."""
DISCS = 8
"""Workers of a colour."""
MOST_ROUBLES, MOST_LOCOS = 90, 11
"""As many as there are numbers for tags."""
MOST = 99
"""The highest number that a pack may print."""
PREFIXES = {"engineer": "ENG-", "order": "ORD-"}
"""How the spaces of an area begin, and no others."""


def check(content: Content, fixture: bool, unsure: frozenset[str]) -> Iterator[Fault]:
    """Every fault of a pack; `unsure` are the tables with stand-ins for what could not be read."""
    for tables, look in CHECKS:
        if not unsure.intersection(tables):
            yield from look(content, fixture)


def _fault(table: str, key: str, text: str, rule: str) -> Fault:
    return Fault("", table, key, text, rule)


def _within(table: str, row: Any, rule: str, key: str = "", **limits: tuple[int, int]) -> Iterator[Fault]:
    """A fault for each field of a row that is outside its limits; `key` names the row."""
    for name, (low, high) in limits.items():
        found = getattr(row, name)
        # A range that is empty follows from a fault that is told elsewhere.
        if not low <= found <= high and low <= high:
            where = f"{key}.{name}" if key else name
            yield _fault(table, where, f"expected {low} to {high}, found {found}", rule)


# The player board -----------------------------------------------------------------------------------


def _railroads(content: Content, fixture: bool) -> Iterator[Fault]:
    ids = tuple(railroad.id for railroad in content.railroads)
    if ids != RAILROADS:
        yield _fault("railroads", "", f"expected {', '.join(RAILROADS)} in this order", "RR-MODEL-1")
    for railroad in content.railroads:
        colours = (1, len(ops.COLOURS))
        yield from _within("railroads", railroad, "RR-MODEL-2", railroad.id, colours=colours, length=(1, 30))


def _values(content: Content, fixture: bool) -> Iterator[Fault]:
    for table in ("base", "raised"):
        values = getattr(content, table)
        if len(values) != len(ops.COLOURS):
            yield _fault(table, "", "expected one value for each of the 5 colours", "RR-SCORE-4")
        if not all(0 <= value <= MOST for value in values):
            yield _fault(table, "", f"values are 0 to {MOST}", "RR-SCORE-4")


def _specials(content: Content, fixture: bool) -> Iterator[Fault]:
    opens = [special for special in content.specials if special.effect == "unlock"]
    if [special.unlock for special in opens] != list(ops.COLOURS[1:]):
        text = f"expected one that unlocks each of {', '.join(ops.COLOURS[1:])}, in this order"
        yield _fault("specials", "", text, "RR-TRACK-6")
    if [special.space for special in opens] != sorted({special.space for special in opens}):
        yield _fault("specials", "", "a higher colour is unlocked further right", "RR-TRACK-6")
    for special in opens:
        if (special.railroad, special.colour, special.loco) != ("TS", "black", False):
            text = "colours are unlocked by black on TS, without a locomotive"
            yield _fault("specials", special.id, text, "RR-TRACK-6")
    if sum(special.effect == "token" for special in content.specials) > len(content.tokens):
        yield _fault("specials", "", "more ?-spaces than ?-tokens", "RR-SPEC-Q")
    for special in content.specials:
        last = len(content.industry) - 1
        if special.railroad != "IND":
            last = content.length.get(special.railroad, 0)
        yield from _within(
            "specials", special, "RR-SPEC-11", special.id, space=(1, last), steps=(0, MOST), points=(0, MOST)
        )


def _lasting(content: Content, fixture: bool) -> Iterator[Fault]:
    for number, rule in enumerate(content.lasting, 1):
        limits = {"space": (1, content.length.get(rule.railroad, 0)), "points": (0, MOST)}
        yield from _within("lasting", rule, "RR-SPEC-6", str(number), **limits)
    most = content.length.get("KV", -1)
    yield from _within("medal", content.medal, "RR-TOK-4", points=(0, MOST), space=(0, most))


def _industry(content: Content, fixture: bool) -> Iterator[Fault]:
    cells = content.industry
    gaps = [index for index, cell in enumerate(cells) if cell.gap]
    if len(gaps) != PLACES:
        yield _fault("industry", "", f"expected {PLACES} gaps, found {len(gaps)}", "RR-IND-1")
        return
    if gaps[0] != 5:
        text = "the first gap lies behind the first four spaces after the start"
        yield _fault("industry", "", text, "RR-IND-1")
    if any(b - a < 2 for a, b in zip(gaps, [*gaps[1:], len(cells)], strict=False)):
        yield _fault("industry", "", "each gap is followed by a space", "RR-IND-1")
    if cells[0].value < 0 or not all(-1 <= cell.value <= MOST for cell in cells):
        yield _fault("industry", "", f"the start has a value, and values are 0 to {MOST}", "RR-SCORE-9")
    there = [special for special in content.specials if special.railroad == "IND"]
    if len(there) != 1 or not 0 < there[0].space < len(cells) or cells[there[0].space].gap:
        yield _fault("industry", "", "expected exactly one ?-cell, on a space", "RR-IND-6")


# The main board ---------------------------------------------------------------------------------------


def _spaces(content: Content, fixture: bool) -> Iterator[Fault]:
    free = [space.id for space in content.spaces if not space.occupies]
    if len(free) != 1:
        yield _fault("spaces", "", f"expected one that is never occupied, found {len(free)}", "RR-SPACE-3")
    for area, wanted, rule in (
        ("engineer", ["ENG-HIRE", "ENG-PUB-1", "ENG-PUB-2"], "RR-ENG-1"),
        ("order", ["ORD-1", "ORD-2"], "RR-ORD-1"),
        ("last", ["LAST-IND"], "RR-LAST-1"),
    ):
        if [space.id for space in content.spaces if space.area == area] != wanted:
            yield _fault("spaces", "", f"in the area {area} lie {', '.join(wanted)}, in this order", rule)
    for space in content.spaces:
        yield from _cost("spaces", space.id, space.workers, space.roubles)
        if not set(space.players) <= set(PLAYERS):
            yield _fault("spaces", f"{space.id}.players", "expected some of 2, 3 and 4", "RR-P-6")
        if space.area == "order" and (space.workers, space.roubles) != (1, 0):
            yield _fault("spaces", space.id, "a place in the turn order costs one worker", "RR-ORD-1")
        if space.last_round != (space.area == "last"):
            text = "last_round is true for the space of the last round, and for no other"
            yield _fault("spaces", space.id, text, "RR-LAST-1")
        if space.id == "ENG-HIRE" and (space.workers, space.roubles) != (0, 1):
            yield _fault("spaces", space.id, "hiring costs one rouble", "RR-ENG-2")
        if any(space.id.startswith(prefix) != (space.area == area) for area, prefix in PREFIXES.items()):
            text = (
                "the spaces of engineers, and no others, begin with ENG-, those of the turn order with ORD-"
            )
            yield _fault("spaces", space.id, text, "RR-ENG-1")
    for setup in content.setup:
        public = [space.id for space in content.spaces if space.id.startswith("ENG-PUB-")]
        here = [space.id for space in content.spaces if setup.players in space.players]
        if [space for space in public if space in here] != public[: setup.public]:
            text = f"the public spaces for {setup.players} players are not those of the strip"
            yield _fault("spaces", "", text, "RR-ENG-1")


def _cost(table: str, key: str, workers: int, roubles: int) -> Iterator[Fault]:
    if min(workers, roubles) < 0 or not 1 <= workers + roubles <= DISCS:
        yield _fault(table, key, f"a space costs 1 to {DISCS} pieces", "RR-SPACE-5")


def _engineers(content: Content, fixture: bool) -> Iterator[Fault]:
    numbers = [engineer.number for engineer in content.engineers]
    letters = [engineer.letter for engineer in content.engineers if engineer.letter]
    if len(set(numbers)) != len(numbers) or (len(numbers) != 15 and not fixture):
        yield _fault("engineers", "", "expected 15 with different numbers", "RR-END-4")
    if len(letters) != len(numbers) - 1:
        yield _fault("engineers", "", "expected exactly one without a letter", "RR-SETUP-3")
    if letters.count("A") < 3 or letters.count("B") < 4:
        yield _fault("engineers", "", "expected at least 3 A and 4 B", "RR-SETUP-8")
    for engineer in content.engineers:
        key = str(engineer.number)
        yield from _within("engineers", engineer, "RR-END-4", key, number=(1, MOST))
        yield from _cost("engineers", key, engineer.workers, engineer.roubles)


def _setup(content: Content, fixture: bool) -> Iterator[Fault]:
    if tuple(setup.players for setup in content.setup) != PLAYERS:
        yield _fault("setup", "", "expected 2, 3 and 4 players", "RR-P-1")
    if len(content.pass_points) != PLAYERS[-1] or not all(0 <= n <= MOST for n in content.pass_points):
        yield _fault("pass_points", "", f"expected four values of 0 to {MOST}", "RR-PASS-1")
    letters = [engineer.letter for engineer in content.engineers]
    for setup in content.setup:
        key = str(setup.players)
        yield from _within("setup", setup, "RR-P-1", key, rounds=(1, MOST))
        yield from _within("setup", setup, "RR-P-2", key, workers=(1, DISCS), reserve=(0, DISCS))
        yield from _within("setup", setup, "RR-P-3", key, roubles=(0, MOST))
        yield from _within(
            "setup", setup, "RR-SETUP-8", key, waiting=(0, STRIP), public=(0, 2), empty=(0, STRIP)
        )
        yield from _within(
            "setup",
            setup,
            "RR-SETUP-8",
            key,
            letters_a=(0, letters.count("A")),
            letters_b=(0, letters.count("B")),
        )
        if setup.workers + setup.reserve > DISCS:
            yield _fault("setup", key, f"there are {DISCS} workers of a colour", "RR-SETUP-11")
        filled = setup.waiting - setup.empty + setup.public + 1
        if setup.letters_a + setup.letters_b != filled or setup.waiting + setup.public + 1 > STRIP:
            text = f"{filled} engineers lie on the strip, which has {STRIP} places at most"
            yield _fault("setup", key, text, "RR-SETUP-8")
        if setup.roubles * setup.players > content.supplies.roubles:
            yield _fault("setup", key, "there are not so many roubles", "RR-SETUP-7")


def _supplies(content: Content, fixture: bool) -> Iterator[Fault]:
    yield from _within(
        "supplies",
        content.supplies,
        "RR-SETUP-7",
        roubles=(0, MOST_ROUBLES),
        doublers=(0, MOST),
        locomotives=(PLAYERS[-1], MOST_LOCOS),
        temp_workers=(1, DISCS),
        special_loco=(1, NINE),
    )


# What is printed on tiles -------------------------------------------------------------------------------


def _tiles(content: Content, fixture: bool) -> Iterator[Fault]:
    for table, count, rule in (
        ("end_bonus", 10, "RR-SETUP-4"),
        ("tokens", 7, "RR-TOK-1"),
        ("q_cards", 5, "RR-SETUP-3"),
        ("starting", 4, "RR-SETUP-14"),
    ):
        if len(getattr(content, table)) != count and not fixture:
            yield _fault(table, "", f"expected {count}, found {len(getattr(content, table))}", rule)
    if [tile.number for tile in content.factories] != list(range(1, NINE + 1)):
        yield _fault("factories", "", "expected the numbers 1 to 9 in order", "RR-FACT-1")


def _cards(content: Content, fixture: bool) -> Iterator[Fault]:
    for card in content.end_bonus:
        yield from _within(
            "end_bonus",
            card,
            "RR-END-2",
            card.id,
            points=(0, MOST),
            most=(0, MOST),
            n=(0, len(RAILROADS) + 1),
        )
        needs = {"track_spaces": card.colours, "tiers": card.tiers, "top_locos": card.n}
        if card.kind in needs and not needs[card.kind]:
            yield _fault("end_bonus", card.id, f"a card of the kind {card.kind} says what counts", "RR-END-2")
        if not all(0 <= n <= MOST for tier in card.tiers for n in tier):
            yield _fault("end_bonus", card.id, f"its numbers are 0 to {MOST}", "RR-END-2")


def _actions(content: Content, fixture: bool) -> Iterator[Fault]:
    for table, name in (
        ("spaces", "id"),
        ("engineers", "number"),
        ("factories", "number"),
        ("tokens", "id"),
        ("q_cards", "id"),
        ("starting", "id"),
    ):
        for row in getattr(content, table):
            for text in sorted(set(_wrong(row.action))):
                yield _fault(table, f"{getattr(row, name)}.action", text, "RR-TURN-3")


def _wrong(action: Sequence[Any]) -> Iterator[str]:
    """What is wrong with operations, those of branches included."""
    for op in action:
        if isinstance(op, ops.Choice):
            if len(op.branches) < 2:
                yield "a choice has two branches or more"
            yield from _wrong(op.branches)
        if not 1 <= getattr(op, "n", 1) <= MOST or not 0 <= getattr(op, "steps", 0) <= MOST:
            yield f"its numbers are 1 to {MOST}"
        if isinstance(op, ops.Advance):
            if not op.colours:
                yield "track steps are of some colour"
            if not set(op.railroads) <= set(RAILROADS):
                yield f"the railroads are {', '.join(RAILROADS)}"


CHECKS: tuple[tuple[tuple[str, ...], Callable[[Content, bool], Iterator[Fault]]], ...] = (
    (("railroads",), _railroads),
    (("base", "raised"), _values),
    (("specials", "railroads", "industry", "tokens"), _specials),
    (("lasting", "railroads", "medal"), _lasting),
    (("industry", "specials"), _industry),
    (("spaces", "setup"), _spaces),
    (("engineers",), _engineers),
    (("setup", "pass_points", "engineers", "supplies"), _setup),
    (("supplies",), _supplies),
    (("factories", "end_bonus", "tokens", "q_cards", "starting"), _tiles),
    (("end_bonus",), _cards),
    (("spaces", "engineers", "factories", "tokens", "q_cards", "starting"), _actions),
)
"""The tables that each check reads, and the check."""
