"""Which actions explain what the camera saw: rails and stations on the map, cards in the market.

The camera sees tokens and cards. It does not see Money turned into power, conversions, choices, tracks:
those are holes of a proposal or arrive by touch. Cards are explained first (`explain_cards`), then tokens
(`explain_tokens`) from the state that the cards lead to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from assistant.games.railway_boom.explain_cards import ASIDE, MARKET, Cards
from assistant.games.railway_boom.explain_tokens import Tokens, outcome
from assistant.games.railway_boom.state import State
from assistant.reading import (
    NO_GUESS,
    Difference,
    Edit,
    Hole,
    InStep,
    OutOfStep,
    Proposal,
    Reading,
    Seen,
    Several,
    Step,
    repair,
)

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom


class Table(msgspec.Struct):
    """What lies on the map and in the market, as sets. Hexes are bits, seats are indices."""

    rails: list[int]
    stations: list[int]
    cards: dict[str, dict[str, str]]
    """Zone to card id to space."""
    rank: dict[tuple[int, int], int]
    """When a token was first seen, by seat and hex, where that is known."""
    hidden: int
    hidden_zones: frozenset[str]
    odd: list[Difference]
    """Pieces that cannot belong where they lie, whatever was done."""
    stacked: bool = False
    """Whether a piece that is not seen may lie under another."""


def explain(game: RailwayBoom, state: State, seen: Seen) -> Reading:
    """The reading of what was seen in this state."""
    table = _sorted(game, seen)
    cards = Cards(game, table)
    here = cards.explain(state)
    tokens = Tokens(game, table, cards)
    told = tokens.explain(here)
    ways = [(*cards.actions, *way.steps) for way in told.ways]
    if cards.wrong and not told.wrong:
        # What lies there too much may be what the last token let somebody draw.
        ways = [(*way, *_drawn(game, state, way, cards)) for way in ways]
    hidden = tuple(sorted(seen.hidden))
    wrong = (*table.odd, *told.wrong, *cards.wrong)
    if wrong:
        return OutOfStep(wrong, _repairs(wrong, told.mends), hidden)
    sure = cards.sure and tokens.sure
    if not ways[0]:
        return InStep(cards.waiting, hidden)
    if len(ways) == 1:
        return Proposal(ways[0], sure)
    return Several(tuple(Proposal(way, sure) for way in ways))


def _sorted(game: RailwayBoom, seen: Seen) -> Table:
    """Seen pieces by seat and zone. Tokens of seats that do not play count as strangers."""
    players = len(game.seats)
    rails, stations = [0] * players, [0] * players
    cards: dict[str, dict[str, str]] = {}
    odd: list[Difference] = []
    rank: dict[tuple[int, int], int] = {}
    first = {payload: number for number, payload in enumerate(seen.order)}
    bit, index = game.grid.bit, game.index
    for piece, space in seen.pieces:
        what = piece.what
        if what == "rail" or what == "station":
            place = bit.get(space)
            if place is None:
                if space:
                    odd.append(Difference("not_a_space", space, piece.seat, "RB-MAP-2", piece=what))
                continue
            seat = index.get(piece.seat or "")
            masks = rails if what == "rail" else stations
            if seat is None:
                odd.append(Difference("wrong_seat", space, piece.seat, "RB-SETUP-8", piece=what))
            elif masks[seat] & place:
                odd.append(Difference("hex_full", space, piece.seat, "RB-MAP-3", piece=what))
            else:
                masks[seat] |= place
                if first and piece.payload in first:
                    rank[seat, place] = first[piece.payload]
        elif what in MARKET and space:
            zone = space.partition(":")[0]
            if zone == MARKET[what] or zone == ASIDE:
                cards.setdefault(zone, {})[piece.name] = space
            else:
                odd.append(Difference("wrong_place", space, rule="SM-SEE-4", piece=piece.name))
    hidden, zones = 0, set()
    for name in seen.hidden:
        place = bit.get(name)
        if place is None:
            zones.add(name.partition(":")[0])
        else:
            hidden |= place
    return Table(rails, stations, cards, rank, hidden, frozenset(zones), odd, seen.stacked)


def _drawn(game: RailwayBoom, state: State, steps: Sequence[Step], cards: Cards) -> tuple[Step, ...]:
    """The draw that is due after the steps, if its cards lie there."""
    after, rest = outcome(game, state, steps)
    if rest or game.table.due(after) is None:
        return ()
    draw = cards.drawn(after)
    return () if isinstance(draw, Hole) else (draw,)


def _repairs(
    wrong: tuple[Difference, ...], mends: tuple[tuple[Edit, ...], ...]
) -> tuple[tuple[Edit, ...], ...]:
    """Sets of edits that put everything right; none where no guess is better than another."""
    plain: list[Edit] = []
    for d in wrong:
        if d.kind in NO_GUESS:
            return ()
        if d.kind != "not_connected" or not mends:
            plain.append(repair(d))
    return tuple((*plain, *edits) for edits in mends or ((),))
