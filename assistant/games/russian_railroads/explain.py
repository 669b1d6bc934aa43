"""Which actions explain what the camera saw: pieces that came onto a space, workers that moved, engineers.

Pieces on one space, all of the seat whose turn it is (or of nobody: roubles, the black worker, temporary
ones), are that seat's action. Whether enough of them lie there is the space's cost: with fewer the reading
waits, with more or with others it tells the rule. While a question is open that only touch can answer, what
came onto the board is left until it is answered.

On a board of one's own (`Seen.stacked`) one piece may lie on another, and some spaces may not be there at
all: what is recorded and not seen is then no difference, and explains only what needs it to be gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from assistant.games.russian_railroads import answering
from assistant.games.russian_railroads.actions import Engineers, Move, Order, Swap, Use
from assistant.games.russian_railroads.layout import (
    BLACK,
    ENGINEER,
    ORDER_PLACE,
    PAWN,
    PILE,
    ROUBLE,
    STRIP,
    STRIP_PLACE,
    TEMP,
    WORKER,
)
from assistant.games.russian_railroads.scene import spots
from assistant.games.russian_railroads.spaces import HIRE, ORDER_SPACES, OWN, Payment
from assistant.games.russian_railroads.state import State
from assistant.reading import (
    Difference,
    Hole,
    InStep,
    Kind,
    OutOfStep,
    Proposal,
    Reading,
    Seen,
    Spot,
    repair,
)

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

PAYING = (WORKER, BLACK, TEMP, ROUBLE)
"""Kinds of pieces that pay for spaces."""
KINDS: dict[str, Kind] = {
    "RR-TURN-1": "wrong_seat",
    "RR-PASS-1": "wrong_seat",
    "RR-SPACE-2": "hex_full",
    "RR-P-6": "not_a_space",
    "RR-SPACE-1": "not_a_space",
}
"""By the rule that a use breaks: the kind of difference; `not_now` for all others."""

Pieces = Counter[Spot]


class Table(msgspec.Struct):
    """What lies on the mat, as kinds of pieces by place; `odd` lies where nothing of its kind belongs."""

    lying: Pieces
    odd: list[Difference]
    stacked: bool


def explain(game: RussianRailroads, state: State, seen: Seen) -> Reading:
    """The reading of what was seen in this state."""
    table = _sorted(game, seen)
    hidden = seen.hidden
    if state.phase in ("engineers", "order"):
        return _set_up(game, state, table, hidden)
    recorded = Counter(spot for spot in _shown(game, state, table) if spot.space not in hidden)
    added, gone = table.lying - recorded, recorded - table.lying
    wrong = [*table.odd]
    reading: Reading | None = None
    came, went = _paying(added), _paying(gone)
    if came or (went and not table.stacked):
        reading, told = _paid(game, state, table, came, went, hidden)
        wrong += told
    busy = reading is not None or not state.stack.idle
    others = _others(added - came, gone - went, hired=_at(added, HIRE), busy=busy)
    # A card or a disc that was seen elsewhere has left its place for sure: there is only one of it.
    wrong += [other for other in others if other.kind != "missing" or not table.stacked]
    if wrong:
        return OutOfStep(tuple(wrong), (tuple(map(repair, wrong)),), tuple(sorted(hidden)))
    if reading is not None:
        return reading
    return InStep(hidden=tuple(sorted(hidden)))


def _shown(game: RussianRailroads, state: State, table: Table) -> list[Spot]:
    """What is recorded on the mat, as far as there are slots for it; all of it where there are none."""
    used: Counter[str] = Counter()
    out = []
    for spot in spots(game, state):
        used[spot.space] += 1
        if table.stacked or used[spot.space] <= game.slots.get(spot.space, 0):
            out.append(spot)
    return out


def _sorted(game: RussianRailroads, seen: Seen) -> Table:
    """Seen pieces by kind and place. Pieces of seats that do not play count as strangers."""
    lying: Pieces = Counter()
    odd: list[Difference] = []
    for piece, space in seen.pieces:
        if not space or space in seen.hidden:
            continue
        if seen.stacked and piece.what == ENGINEER and space.startswith(OWN):
            # There the pieces that use an engineer lie on it, and the place of both is the space.
            continue
        spot = Spot(piece.name if piece.what == ENGINEER else piece.what, piece.seat, space)
        if not _belongs(piece.what, space):
            odd.append(Difference("wrong_place", space, piece.seat, "SM-SEE-4", piece=spot.what))
        elif piece.seat is not None and piece.seat not in game.seats:
            odd.append(Difference("wrong_seat", space, piece.seat, "RR-SETUP-1", piece=spot.what))
        else:
            lying[spot] += 1
    return Table(lying, odd, seen.stacked)


def _belongs(what: str, space: str) -> bool:
    """Whether pieces of a kind ever lie at a place."""
    if what == ENGINEER:
        return space.startswith(STRIP_PLACE)
    if what == PAWN:
        return space.startswith(ORDER_PLACE)
    if what in PAYING:
        return not space.startswith((STRIP_PLACE, ORDER_PLACE, PILE))
    return space == f"{PILE}{what.rpartition('_')[2]}"


def _paying(pieces: Pieces) -> Pieces:
    return Counter({spot: n for spot, n in pieces.items() if spot.what in PAYING})


def _at(pieces: Pieces, space: str) -> bool:
    return any(spot.space == space for spot in pieces)


# Setting up ---------------------------------------------------------------------------------------


def _set_up(game: RussianRailroads, state: State, table: Table, hidden: frozenset[str]) -> Reading:
    """Engineers on the strip, then the discs of the turn order."""
    wrong = [*table.odd]
    if state.phase == "engineers":
        filled = game.setup.letters_b + game.setup.letters_a
        places = [f"{STRIP_PLACE}{STRIP - filled + n + 1}" for n in range(filled)]
        kind = ENGINEER
    else:
        places = [f"{ORDER_PLACE}{n + 1}" for n in range(len(game.seats))]
        kind = PAWN
    here: dict[str, str] = {}
    for spot in table.lying:
        known = spot.what.removeprefix(OWN) if spot.what.startswith(OWN) else spot.seat
        if spot.space in places and known is not None:
            here[spot.space] = known
        elif spot.space.startswith((STRIP_PLACE, ORDER_PLACE)) and kind != PAWN:
            wrong.append(Difference("wrong_place", spot.space, spot.seat, "RR-SETUP-8", piece=spot.what))
        elif spot.what in PAYING:
            wrong.append(Difference("not_now", spot.space, spot.seat, "RR-TURN-1", piece=spot.what))
    tuple_hidden = tuple(sorted(hidden))
    if wrong:
        return OutOfStep(tuple(wrong), (tuple(map(repair, wrong)),), tuple_hidden)
    missing = len(places) - len(here)
    if missing:
        waits = Hole("cards", None, missing) if kind == ENGINEER and here else None
        return InStep(waits, tuple_hidden)
    values = [here[place] for place in places]
    action = Engineers(tuple(int(value) for value in values)) if kind == ENGINEER else Order(tuple(values))
    broken = game.refuse(state, action)
    if broken is not None:
        odd = _misfit(game, action, places)
        return OutOfStep(odd, (tuple(map(repair, odd)),), tuple_hidden)
    return Proposal((action,))


def _misfit(
    game: RussianRailroads, action: Engineers | Order, places: Sequence[str]
) -> tuple[Difference, ...]:
    """Engineers of the wrong letter, each by itself."""
    assert isinstance(action, Engineers)
    wanted = ["B"] * game.setup.letters_b + ["A"] * game.setup.letters_a
    return tuple(
        Difference("wrong_card", place, rule="RR-SETUP-8", piece=f"{OWN}{number}")
        for place, number, letter in zip(places, action.numbers, wanted, strict=True)
        if game.engineers[number].letter != letter
    )


# Pieces that pay ----------------------------------------------------------------------------------


def _paid(
    game: RussianRailroads,
    state: State,
    table: Table,
    came: Pieces,
    went: Pieces,
    hidden: frozenset[str],
) -> tuple[Reading | None, list[Difference]]:
    """What explains the pieces that came onto spaces or left them."""
    still = table.stacked or not went
    told: list[Difference] = []
    if state.stack.idle and still:
        spaces = sorted({spot.space for spot in came})
        if state.phase == "actions" and len(spaces) == 1:
            reading, told = _use(game, state, spaces[0], came, hidden)
            if reading is not None or not table.stacked:
                return reading, told
    found = (
        action for action in _moves(game, state) if _same(game, state, table, came, went, hidden, action)
    )
    # Out of view may lie what would tell two apart: then it is asked.
    actions = tuple(islice(found, 2 if table.stacked else 1))
    if len(actions) == 1:
        return Proposal(actions, not hidden), []
    if told:
        return None, told
    if not state.stack.idle and still:
        hole = Hole("choice", state.turn, detail=answering.why(state))
        return Proposal((hole,), sure=False), []
    return None, _unexplained(game, state, came, Counter() if table.stacked else went)


def _use(
    game: RussianRailroads, state: State, space: str, came: Pieces, hidden: frozenset[str]
) -> tuple[Reading | None, list[Difference]]:
    """One space that the seat whose turn it is may have used."""
    seat = state.turn
    count: Counter[str] = Counter()
    for spot, n in came.items():
        count[spot.what] += n
    others = [spot for spot in came if spot.seat not in (None, seat)]
    if others:
        return None, [_broken(game, state, spot) for spot in others]
    use = Use(seat, space, count[WORKER], count[BLACK], count[TEMP], count[ROUBLE])
    broken = game.refuse(state, use)
    if broken is None:
        return Proposal((use,), not hidden), []
    spot = next(iter(came))
    if broken.rule == "RR-PAY-3":
        cost = game.spaces.cost(state, space)
        need = cost.workers + cost.roubles - count.total() if cost is not None else 0
        short = _short(game, state, use)
        if short:
            return None, [Difference("no_tokens", space, seat, broken.rule, piece=short)]
        if need > 0:
            return InStep(Hole("payment", seat, need), tuple(sorted(hidden))), []
        return None, [Difference("wrong_count", space, seat, broken.rule, -need, spot.what)]
    kind = KINDS.get(broken.rule, "not_now")
    return None, [Difference(kind, space, spot.seat or seat, broken.rule, piece=spot.what)]


def _short(game: RussianRailroads, state: State, use: Use) -> str:
    """A kind of piece of which the seat has not so many; "" for none."""
    player = state.players[use.seat]
    there = (player.free, int(player.black_free), player.temps, player.roubles)
    used = (use.workers, use.black, use.temps, use.roubles)
    return next((what for what, n, have in zip(PAYING, used, there, strict=True) if n > have), "")


def _moves(game: RussianRailroads, state: State) -> list[Any]:
    """Actions that move pieces lying there: a booking with a piece that is no own worker swaps one."""
    if not state.turn:
        return []
    out: list[Any] = []
    for offer in game.offers(state, state.turn):
        if isinstance(offer, Payment) and offer.space in ORDER_SPACES:
            out += offer.expand()
        elif isinstance(offer, Move | Swap) or (isinstance(offer, Use) and offer.space in ORDER_SPACES):
            out.append(offer)
    return out


def _same(
    game: RussianRailroads,
    state: State,
    table: Table,
    came: Pieces,
    went: Pieces,
    hidden: frozenset[str],
    action: Any,
) -> bool:
    """Whether an action moves just these pieces; on a board of one's own some of them may be out of view."""
    if isinstance(action, Move):
        claim = state.claims[0]
        laid = Counter([Spot(WORKER, action.seat, action.space)])
        left = Counter([Spot(WORKER, action.seat, claim)])
    else:
        before = _paying(Counter(s for s in _shown(game, state, table) if s.space not in hidden))
        after = game.apply(state, action)[0]
        then = _paying(Counter(s for s in _shown(game, after, table) if s.space not in hidden))
        laid, left = then - before, before - then
    return came <= laid and left <= went if table.stacked else came == laid and left == went


def _broken(game: RussianRailroads, state: State, spot: Spot) -> Difference:
    """Why a seat may not have laid a piece there."""
    seat = spot.seat or state.turn
    use = Use(seat, spot.space, workers=1)
    broken = game.refuse(state, use)
    rule = broken.rule if broken is not None else "RR-TURN-1"
    return Difference(KINDS.get(rule, "not_now"), spot.space, seat, rule, piece=spot.what)


def _unexplained(game: RussianRailroads, state: State, came: Pieces, went: Pieces) -> list[Difference]:
    """Pieces that were knocked, are missing, are left over from the round before, or should not be there."""
    out: list[Difference] = []
    rest = Counter(came)
    for spot in went.elements():
        to = next((s for s in rest if (s.what, s.seat) == (spot.what, spot.seat)), None)
        if to is None:
            out.append(Difference("missing", spot.space, spot.seat, "SM-SEE-3", piece=spot.what))
        else:
            rest[to] -= 1
            rest += Counter()
            out.append(Difference("moved", spot.space, spot.seat, "SM-SEE-3", piece=spot.what, to=to.space))
    fresh = not state.placed
    for spot in rest:
        if fresh:
            out.append(Difference("left_over", spot.space, spot.seat, "RR-PREP-1", piece=spot.what))
        elif spot.seat not in (None, state.turn) or state.phase == "moves":
            out.append(_broken(game, state, spot))
        else:
            out.append(Difference("not_now", spot.space, spot.seat, "RR-TURN-2", piece=spot.what))
    return out


def placing(game: RussianRailroads, state: State, seat: str, what: str, place: str) -> tuple[Use, ...]:
    """The use of a space that one worker pays for."""
    cost = game.spaces.cost(state, place)
    paid = what == WORKER and cost is not None and cost.one_worker
    return (Use(seat, place, workers=1),) if paid else ()


# Engineers, turn order, piles ---------------------------------------------------------------------


def _others(added: Pieces, gone: Pieces, *, hired: bool, busy: bool) -> list[Difference]:
    """Cards and discs that lie otherwise than recorded. While somebody acts (`busy`) what is about to be
    taken may be gone, and the next locomotive lie open already."""
    out: list[Difference] = []
    rest = Counter(added)
    hire = f"{STRIP_PLACE}{STRIP}"
    for spot in gone:
        to = next((s for s in rest if (s.what, s.seat) == (spot.what, spot.seat)), None)
        if to is not None:
            del rest[to]
            rule = "RR-ORD-6" if spot.what == PAWN else "RR-PREP-4"
            out.append(Difference("moved", spot.space, spot.seat, rule, piece=spot.what, to=to.space))
        elif spot.space == hire and (hired or busy):
            continue
        elif not (busy and spot.space.startswith(PILE)):
            out.append(Difference("missing", spot.space, spot.seat, "SM-SEE-3", piece=spot.what))
    for spot in rest:
        if spot.what.startswith(OWN):
            rule = "RR-PREP-4"
        elif spot.what == PAWN:
            rule = "RR-ORD-6"
        else:
            rule = "RR-LOCO-2"
        if not (busy and spot.space.startswith(PILE)):
            out.append(Difference("left_over", spot.space, spot.seat, rule, piece=spot.what))
    return out
