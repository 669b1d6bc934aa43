"""Virtual players for demonstrations: they know the rules and play plainly, not well.

And their slips: pieces that people put down wrongly, one of each kind that the camera can tell.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from assistant.actions import Action
from assistant.games.railway_boom.actions import (
    Bid,
    BuyCarriage,
    BuyDev,
    Choose,
    DeclareTrain,
    MoneyToPower,
    PlaceStation,
    TakeLoco,
)
from assistant.games.railway_boom.effects import own_mask
from assistant.games.railway_boom.explain_power import payable, upright
from assistant.games.railway_boom.state import COAL, MONEY, State, Step
from assistant.hexes import bits
from assistant.offers import Form, Offer
from assistant.reading import Spot

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

BOLD = 0.55
"""How often a bidder raises again."""
BIDS_UP_TO = 4
"""How far above the own disc a bidder jumps at most."""
SPENDS_MONEY = 0.4
BUYS = 0.6
USES_CARDS = 0.3
SLIPS = frozenset({"not_connected", "wrong_seat", "over_budget"})
"""What `slips` can show."""


def sensible(game: RailwayBoom, state: State, seat: str, rng: random.Random) -> Action:
    """What a virtual player does now."""
    offers = game.offers(state, seat)
    free = [offer for offer in offers if offer.kind == "use_dev"]
    main = [offer for offer in offers if not offer.free] or offers
    if free and rng.random() < USES_CARDS:
        return _made(rng.choice(free), rng)
    kinds = {offer.kind for offer in main}
    if "bid" in kinds:
        return _bid(state, main, rng)
    if "declare_train" in kinds:
        return _train(game, state, seat, main, rng)
    for kind in ("load_tile", "place_rt", "take_loco", "place_station"):
        if kind in kinds:
            return _best(game, state, [o for o in main if o.kind == kind], rng)
    buy = [offer for offer in main if isinstance(offer, (BuyCarriage, BuyDev))]
    if buy and rng.random() < BUYS:
        return rng.choice(buy)
    if "money_to_power" in kinds and rng.random() < SPENDS_MONEY:
        return MoneyToPower(seat, min(3, state.seats[game.index[seat]].stock[MONEY - 1]))
    ends = [offer for offer in main if offer.kind in ("end_turn", "done", "decline")]
    if ends and not any(isinstance(offer, Choose) for offer in main):
        return _made(ends[0], rng)
    return _made(rng.choice(main), rng)


def _made(offer: Offer, rng: random.Random) -> Action:
    return offer.sample(rng) if isinstance(offer, Form) else offer


def _bid(state: State, main: list[Offer], rng: random.Random) -> Action:
    bids = [offer for offer in main if isinstance(offer, Bid)]
    lowest = min((bid.space for bid in bids), default=0)
    near = [bid for bid in bids if bid.space < lowest + BIDS_UP_TO]
    if near and rng.random() < BOLD:
        return rng.choice(near)
    return _made(main[-1], rng)


def _best(game: RailwayBoom, state: State, offers: list[Offer], rng: random.Random) -> Action:
    """Larger locomotives and stronger stations first; rails anywhere."""

    def worth(offer: Offer) -> float:
        if isinstance(offer, TakeLoco):
            return game.locomotives[offer.card].capacity
        if isinstance(offer, PlaceStation):
            return game.board(state).cities[offer.hex].power
        return 0.0

    top = max(map(worth, offers))
    return _made(rng.choice([offer for offer in offers if worth(offer) == top]), rng)


def _train(game: RailwayBoom, state: State, seat: str, main: list[Offer], rng: random.Random) -> Action:
    """The first locomotive that coal allows, with carriages as long as coal lasts; else done."""
    record = state.seats[game.index[seat]]
    coal = record.stock[COAL - 1]
    for loco in record.locos:
        left = coal - game.locomotives[loco.id].coal
        if loco.operated or left < 0:
            continue
        behind = []
        for card in record.carriages:
            cost = 0 if card.free else game.carriages[card.id].coal
            if not card.operated and cost <= left:
                behind.append(card.id)
                left -= cost
        return DeclareTrain(seat, loco.id, tuple(behind))
    return game.dones[seat]


# Slips -------------------------------------------------------------------------------------------


def slips(game: RailwayBoom, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
    """Pieces that somebody could put down wrongly in a Route Construction."""
    if state.step != Step.EXPANSION or state.turn.power < 0 or state.stacks:
        return {}
    seat = game.acting_seat(state)
    letter = game.seats[seat]
    record = state.seats[seat]
    out: dict[str, tuple[Spot, ...]] = {}
    near = game.grid.neighbours(state.turn.line)
    free = game.grid.all & ~own_mask(record)
    far = [
        name
        for name in game.grid.names(free & ~near & ~game.grid.neighbours(own_mask(record)))
        if not game.grid.neighbours(game.grid.bit[name]) & near
    ]
    if far:
        out["not_connected"] = (Spot("rail", letter, rng.choice(far)),)
    others = [
        s
        for i, s in enumerate(game.seats)
        if i != seat and state.seats[i].rails_left and not upright(game, state, i, "tactical_expansion")
    ]
    open_to = near & free & ~_all_pieces(state)
    if others and open_to:
        spot = rng.choice(game.grid.names(open_to))
        out["wrong_seat"] = (Spot("rail", rng.choice(others), spot),)
    long = _too_far(game, state, seat)
    if long:
        out["over_budget"] = tuple(Spot("rail", letter, name) for name in long)
    return out


def _all_pieces(state: State) -> int:
    total = 0
    for record in state.seats:
        total |= own_mask(record)
    return total


def _too_far(game: RailwayBoom, state: State, seat: int) -> list[str]:
    """A connected row of rails, dearest first, that costs more than everything payable."""
    record = state.seats[seat]
    if upright(game, state, seat, "tactical_expansion"):
        return []
    most = state.turn.power + payable(game, state, seat)
    own, line, spent = own_mask(record), state.turn.line, 0
    row: list[str] = []
    while spent <= most:
        # What a Tourist City brings could pay for more.
        edge = game.grid.neighbours(line) & ~own & ~line & ~game.tourist_mask
        costs = {1 << i: game.expansion.cost(state, seat, 1 << i) for i in bits(edge)}
        if not costs or len(row) >= min(8, record.rails_left):
            return []
        bit = max(costs, key=lambda place: costs[place])
        spent += costs[bit]
        line |= bit
        row.append(game.grid.names(bit)[0])
    return row
