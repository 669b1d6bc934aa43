"""What rails cost and what a seat could pay for them, as far as the camera cannot see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.games.railway_boom.actions import Convert, MoneyToPower, UseDev
from assistant.games.railway_boom.effects import other_masks
from assistant.games.railway_boom.pack import STOCK
from assistant.games.railway_boom.state import MONEY
from assistant.reading import Hole, Step

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom
    from assistant.games.railway_boom.pack import Development
    from assistant.games.railway_boom.state import State

MOST_OPTIONS = 6
"""Ways to pay that are offered at most."""


def cost_of(game: RailwayBoom, state: State, seat: int, mask: int) -> int:
    """Power for a set of placements (RB-EXP-8)."""
    total = 0
    for price, hexes in game.board(state).by_cost:
        total += price * (mask & hexes).bit_count()
    for other in other_masks(state, seat):
        total += (mask & other).bit_count()
    return total


def upright(game: RailwayBoom, state: State, seat: int, kind: str) -> list[Development]:
    """Upright cards of a kind that the seat owns."""
    cards = [game.developments[own.id] for own in state.seats[seat].devs if not own.turned]
    return [card for card in cards if card.kind == kind]


def payable(game: RailwayBoom, state: State, seat: int) -> int:
    """The most power that the seat can still find: Money, Skilled Labor, and what converts into Money."""
    stock = state.seats[seat].stock
    money = stock[MONEY - 1]
    cards = sum(card.power for card in upright(game, state, seat, "skilled_labor"))
    return money + cards + (sum(stock) - money) // 2


def payment(game: RailwayBoom, state: State, seat: int, cost: int) -> list[Hole]:
    """The hole for what the power pool lacks: ways to find it, the cheapest first. Empty for nothing."""
    need = cost - state.turn.power
    if need <= 0:
        return []
    letter, stock = game.seats[seat], state.seats[seat].stock
    cards = upright(game, state, seat, "skilled_labor")
    ways: list[tuple[int, tuple[Action, ...]]] = []
    for count in range(len(cards) + 1):
        for some in combinations(cards, count):
            given = sum(card.power for card in some)
            if some and given - min(card.power for card in some) >= need:
                continue  # one card too many
            money = max(0, need - given)
            converts = _conversions(letter, stock, money - stock[MONEY - 1], "money", {})
            if converts is None:
                continue
            uses = tuple(UseDev(letter, card.id) for card in some)
            pays = (MoneyToPower(letter, money),) if money else ()
            ways.append((money + len(converts), (*uses, *converts, *pays)))
    ways.sort(key=lambda way: way[0])
    return [Hole("payment", letter, need, tuple(way for _, way in ways[:MOST_OPTIONS]))]


def card_rail(game: RailwayBoom, state: State, seat: int, card: Development, bit: int) -> tuple[Step, ...]:
    """A Tactical Expansion on a hex, conversions before it where its price needs them; or nothing."""
    use = UseDev(game.seats[seat], card.id, hex=game.grid.names(bit)[0])
    broken = game.refuse(state, use)
    if broken is None:
        return (use,)
    if broken.rule != "RB-RES-1":
        return ()
    lacking = broken.values["need"] - broken.values["have"]
    stock = state.seats[seat].stock
    converts = _conversions(use.seat, stock, lacking, broken.values["resource"], card.pay)
    if not converts:
        return ()
    here = state
    for action in converts:
        if game.refuse(here, action) is not None:
            return ()
        here, _ = game.apply(here, action)
    rest = card_rail(game, here, seat, card, bit)
    return (Hole("payment", use.seat, lacking, (converts,)), *rest) if rest else ()


def _conversions(
    letter: str, stock: Sequence[int], lacking: int, into: str, kept: Mapping[Any, int]
) -> tuple[Action, ...] | None:
    """Conversions of what there is most, besides what is `kept`; None when there is too little."""
    left = {name: n - kept.get(name, 0) for name, n in zip(STOCK, stock, strict=True) if name != into}
    out: list[Action] = []
    for _ in range(max(0, lacking)):
        give: list[str] = []
        for _ in range(2):
            most = max(left, key=lambda name: left[name])
            if left[most] <= 0:
                return None
            left[most] -= 1
            give.append(most)
        out.append(Convert(letter, (give[0], give[1]), into))
    return tuple(out)
