"""Virtual players for demonstrations: they know the rules and play plainly, not well.

And their slips: pieces that people put down wrongly, one of each kind that the camera can tell.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.games.trains import asking
from assistant.games.trains.actions import (
    Branch,
    Buy,
    Discard,
    EndTurn,
    Lay,
    Name,
    PassReturn,
    Pick,
    PlaceStation,
    Play,
    ReturnWaste,
    StartPlace,
    TrashIt,
)
from assistant.games.trains.forms import DiscardForm
from assistant.games.trains.hands import hand_of
from assistant.games.trains.layout import GAINED, PLAY
from assistant.games.trains.state import KeepOrDiscard, State
from assistant.offers import STOP, Form, Offer
from assistant.reading import Spot

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

PASSES_WITH = 3
"""Waste in hand from which a hand without much money is better spent on returning it."""
LATE = 8
"""Rails laid from which points are bought before better cards."""
TIRED_OF_WASTE = 0.35
"""Share of Waste among the own cards from which nobody takes more for a place that brings nothing."""
SLIPS = frozenset({"not_connected", "wrong_seat", "over_budget", "wrong_card", "not_now"})
"""What `slips` can show."""


def sensible(game: Trains, state: State, seat: str, rng: random.Random) -> Action:
    """What a virtual player does now, who knows the own hand (a state in which it is named)."""
    offers = game.offers(state, seat)
    if state.phase == "start":
        places = [offer for offer in offers if isinstance(offer, StartPlace)]
        return max(places, key=lambda place: (_start_worth(game, place.hex), rng.random()))
    if state.stack:
        return _answer(game, state, offers, rng)
    return _turn(game, state, seat, offers, rng)


def _turn(game: Trains, state: State, seat: str, offers: Sequence[Offer], rng: random.Random) -> Action:
    """Money first, then rails and stations, then purchases."""
    waste = hand_of(state.cards[seat]).named.get(game.waste, 0)
    passes = [offer for offer in offers if isinstance(offer, PassReturn)]
    if waste >= PASSES_WITH and passes:
        return passes[-1]
    plays = [offer for offer in offers if isinstance(offer, Play)]
    money = [play for play in plays if game.cards[play.card].colour in ("train", "action")]
    if money:
        # What is offered with its effect comes before the same without it.
        return money[0]
    lays = [offer for offer in offers if isinstance(offer, Lay)]
    if lays:
        best = max(lays, key=lambda lay: (_worth(game, state, seat, lay.hex), rng.random()))
        if _worth(game, state, seat, best.hex) > 0:
            return best
    for play in plays:
        colour = game.cards[play.card].colour
        if play.apply and (colour == "station" or (colour == "rail" and _goal(game, state, seat))):
            return play
    buys = [offer for offer in offers if isinstance(offer, Buy)]
    if buys:
        best_buy = max(buys, key=lambda buy: (_value(game, state, seat, buy.card), not buy.top, rng.random()))
        if _value(game, state, seat, best_buy.card) > 0:
            return best_buy
    return next(offer for offer in offers if isinstance(offer, EndTurn))


def _start_worth(game: Trains, name: str) -> float:
    """A free place among many cities is a good start."""
    grid, board = game.board.grid, game.board
    near = grid.neighbours(grid.bit[name])
    wide = grid.neighbours(near)
    return 3 * (near & board.city).bit_count() + (wide & board.city).bit_count()


def _worth(game: Trains, state: State, seat: str, name: str) -> float:
    """What a rail on a hex may bring, less what it costs; towards cities and remote locations."""
    board, index = game.board, game.index[seat]
    bit = board.grid.bit[name]
    worth = 1.0
    if bit & board.city:
        worth = 3.0 + board.level(state, bit)
    elif bit in board.remote:
        worth = 1.5 * board.remote[bit]
    else:
        reach = (
            board.grid.neighbours(bit) & ~state.tokens[index] & ~board.grid.neighbours(state.tokens[index])
        )
        worth += 0.5 * (reach & (board.city | sum(board.remote))).bit_count()
    return (
        worth - 0.5 * board.cost(state, index, state.turn.waived, bit) - (board.others(state, index, bit) > 0)
    )


def _goal(game: Trains, state: State, seat: str) -> bool:
    """Whether a rail could be laid that is worth its Waste."""
    board, index, turn = game.board, game.index[seat], state.turn
    if turn.rails or not game.rails_left(state, index):
        return False
    spots = board.affordable(state, index, turn.waived, turn.money)
    best = max((_worth(game, state, seat, board.grid.names(bit)[0]) for bit in spots), default=0.0)
    return best > (2.0 if _waste_share(game, state, seat) > TIRED_OF_WASTE else 0.5)


def _waste_share(game: Trains, state: State, seat: str) -> float:
    zones = state.cards[seat].zones.values()
    names = [name for zone in zones for name in zone.names] + list(state.cards[seat].pool)
    return names.count(game.waste) / max(1, len(names))


def _value(game: Trains, state: State, seat: str, name: str) -> float:
    """How much a card is wanted: points late, before that what costs more; not too many for the map."""
    card = game.cards[name]
    laid = state.tokens[game.index[seat]].bit_count()
    if card.colour == "vp":
        return 10.0 * card.vp if laid >= LATE else 0.0
    if card.colour in ("rail", "station"):
        return card.cost + 0.5 if laid < LATE else 0.0
    return float(card.cost) if card.cost > 2 else 0.0


def _answer(game: Trains, state: State, offers: Sequence[Offer], rng: random.Random) -> Action:
    """An answer to what is open: a station where one's own rail is, back with the Waste, the best card."""
    first = offers[0]
    seat = game.seats[state.active]
    if isinstance(first, DiscardForm):
        return _discard(game, first)
    if isinstance(first, Form):
        return first.sample(rng)
    if isinstance(first, ReturnWaste):
        return max((o for o in offers if isinstance(o, ReturnWaste)), key=lambda o: o.count)
    if isinstance(first, PlaceStation):
        own = state.tokens[state.active]
        bit = game.board.grid.bit
        places = [offer for offer in offers if isinstance(offer, PlaceStation)]
        return max(places, key=lambda place: (bool(own & bit[place.hex]), rng.random()))
    if isinstance(first, Lay):
        lays = [offer for offer in offers if isinstance(offer, Lay)]
        return max(lays, key=lambda lay: (_worth(game, state, seat, lay.hex), rng.random()))
    if isinstance(first, Pick):
        picks = [offer for offer in offers if isinstance(offer, Pick)]
        throws = isinstance(state.stack[-1].line, KeepOrDiscard)
        return max(picks, key=lambda pick: _wanted(game, pick.card) * (-1 if throws else 1))
    if isinstance(first, TrashIt):
        return TrashIt(seat, True)
    if isinstance(first, Name):
        owned = [offer for offer in offers if isinstance(offer, Name) and offer.card in game.playable]
        return rng.choice(owned)
    if isinstance(first, Branch):
        return first
    return rng.choice([offer for offer in offers if not isinstance(offer, Form)])


def _wanted(game: Trains, card: str) -> float:
    """A card to have in hand; none is better than a useless one."""
    return game.cards[card].cost if card in game.playable else -1.0 if card else 0.0


def _discard(game: Trains, form: DiscardForm) -> Discard:
    """The least wanted cards; none that is of use where none has to go."""
    filled: list[Any] = []
    while (domain := form.domain(filled)) is not None:
        cards = [card for card in domain if card != STOP]
        worst = min(cards, key=lambda card: _wanted(game, card), default=STOP)
        keep = form.count < 0 and (worst == STOP or _wanted(game, worst) >= 0)
        filled.append(STOP if keep else worst)
    return form.make(filled)


# Slips -------------------------------------------------------------------------------------------


def slips(game: Trains, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
    """Pieces that somebody could put down wrongly now."""
    if state.phase != "turns":
        return {}
    out: dict[str, tuple[Spot, ...]] = {}
    if state.stack:
        card = next((name for name in state.supply if state.supply[name] and name != game.waste), None)
        if type(state.stack[-1].line) in asking.ANSWERS and card is not None:
            unread = [name for name in game.numbered[card] if name not in state.copies]
            out["not_now"] = (Spot(unread[-1], None, GAINED),)
        return out
    strange = sorted(name for name, owner in state.copies.items() if owner != game.seats[state.active])
    if strange:
        out["wrong_card"] = (Spot(rng.choice(strange), None, PLAY),)
    return {**out, **_rails(game, state, rng)}


def _rails(game: Trains, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
    """Rails that may not be laid."""
    board, seat = game.board, state.active
    grid, letter = board.grid, game.seats[seat]
    out: dict[str, tuple[Spot, ...]] = {}
    reach = board.reach(state, seat)
    others = [other for i, other in enumerate(game.seats) if i != seat and game.rails_left(state, i)]
    open_to = reach
    for tokens in state.tokens:
        open_to &= ~tokens
    if others and open_to:
        out["wrong_seat"] = (Spot("rail", rng.choice(others), rng.choice(grid.names(open_to))),)
    if not state.turn.rails or not game.rails_left(state, seat):
        return out
    broken = {name: game.refuse(state, Lay(letter, name)) for name in grid.bit}
    rules = {name: violation.rule for name, violation in broken.items() if violation is not None}
    for kind, rule in (("not_connected", "TR-LAY-2"), ("over_budget", "TR-LAY-5")):
        found = [name for name in grid.bit if rules.get(name) == rule]
        if found:
            out[kind] = (Spot("rail", letter, rng.choice(found)),)
    return out
