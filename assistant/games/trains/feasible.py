"""Whether an effect can be carried out as a whole, told before anything happens (TR-FX-1 to 4, HR-6).

Everything is tested on counts: draws always succeed, a "may" is always met. What only a hidden hand could
tell is possible until the hand is known; then the player proves it by showing the card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from assistant.games.trains import effects as fx
from assistant.games.trains.hands import Hand
from assistant.games.trains.state import WAIVED, State

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains


class Situation(Struct):
    """What the lines carried out so far leave behind; changed while they are gone through."""

    game: Trains
    state: State
    seat: int
    this: str
    """The card in play that the effect belongs to."""
    hand: Hand
    in_play: list[str]
    hand_size: int
    pile: int
    """Cards in deck and discard pile."""
    slots: int
    money: int
    waived: int
    waste: int = 0
    """Waste that lines so far have taken from the hand."""
    recovered: int = 0
    """Cards that lines so far have taken from the discard pile."""


def feasible(
    game: Trains, state: State, seat: int, lines: Sequence[Any], this: str, hand: Hand, money: int
) -> bool:
    """Whether `lines` can all be carried out once `this` lies in play and `hand` is left, with `money`."""
    if DEMANDING.isdisjoint(map(type, lines)):
        return True
    mine = state.cards[game.seats[seat]]
    in_play = [*mine.zones["play"].names, this]
    pile = mine.zones["deck"].size + mine.zones["discard"].size
    waived = state.turn.waived
    for line in lines:
        if type(line) is fx.Waive:
            waived |= WAIVED[line.what]
    slots = min(game.board.slots_left(state), game.stations_left(state))
    there = Situation(game, state, seat, this, hand, in_play, hand.size, pile, slots, money, waived)
    return all(possible(there, line) for line in lines)


def possible(there: Situation, line: Any) -> bool:
    """Whether one line can be carried out where those before it have led."""
    test = TESTS.get(type(line))
    return test is None or test(there, line)


def _draw(there: Situation, line: fx.Draw) -> bool:
    drawn = min(line.n, there.pile)
    there.hand_size += drawn
    there.pile -= drawn
    return True


def _discard(there: Situation, line: fx.Discard) -> bool:
    there.hand_size -= line.n
    there.pile += line.n
    return there.hand_size >= 0


def _station(there: Situation, line: fx.Station) -> bool:
    there.slots -= line.n
    return there.slots >= 0


def _rail(there: Situation, line: fx.Rail) -> bool:
    """Banked points need no place; a rail laid at once does (HR-1)."""
    if not there.game.immediate:
        return True
    left = there.game.rails_left(there.state, there.seat)
    return left >= line.n and bool(
        there.game.board.affordable(there.state, there.seat, there.waived, there.money)
    )


def _return_waste(there: Situation, line: fx.ReturnWaste) -> bool:
    left = there.hand.most(there.game.waste) - there.waste
    if line.count == "any":
        return True
    gone = 1 if line.count == "one" else max(0, there.hand.least(there.game.waste) - there.waste)
    there.hand_size -= gone
    there.waste += gone
    return line.count == "all" or (there.hand_size >= 0 and left > 0)


def _choose(there: Situation, line: fx.ChooseOne) -> bool:
    return any(possible(there, branch) for branch in line.branches)


def _show(there: Situation, line: fx.ShowCopy) -> bool:
    return there.hand.any(there.game.of_colour[line.of])


def _exchange(there: Situation, line: fx.Exchange) -> bool:
    return bool(exchangeable(there.game, there.state, there.hand, line))


def exchangeable(game: Trains, state: State, hand: Hand, line: fx.Exchange) -> list[str]:
    """Cards of the hand that leave a card of the Supply to be gained."""
    kinds = game.of_colour[line.of]
    cheapest = min((game.cards[k].cost for k in kinds if state.supply.get(k)), default=None)
    if cheapest is None:
        return []
    return [k for k in kinds if game.cards[k].cost + line.plus >= cheapest and hand.most(k)]


def _worth(there: Situation, line: fx.Worth) -> bool:
    kinds = there.game.of_colour[line.of]
    return any(card in kinds for card in there.in_play)


def _topdeck(there: Situation, line: fx.Topdeck) -> bool:
    kinds = there.game.of_colour[line.of]
    card = next((card for card in there.in_play if card in kinds), None)
    if card is None:
        return False
    there.in_play.remove(card)
    there.pile += 1
    return True


def _recover(there: Situation, line: fx.Recover) -> bool:
    kinds = there.game.of_colour[line.of]
    mine = there.state.cards[there.game.seats[there.seat]]
    pile = mine.zones["discard"]
    hidden = min(pile.unnamed, sum(count for card, count in mine.pool.items() if card in kinds))
    there.recovered += 1
    there.hand_size += 1
    there.pile -= 1
    return sum(card in kinds for card in pile.names) + hidden >= there.recovered


def _money(there: Situation, line: fx.Money) -> bool:
    there.money += line.n
    return True


def _money_if(there: Situation, line: fx.MoneyIf) -> bool:
    return line.card in there.in_play


def _copy(there: Situation, line: fx.CopyAction) -> bool:
    return bool(copyable(there.game, there.state, there.seat, there.this, there.hand, there.money))


def copyable(game: Trains, state: State, seat: int, this: str, hand: Hand, money: int) -> list[str]:
    """Cards of a hand whose effect `this` may copy, in the order of the pack (HR-10)."""
    held = (card for card in game.copied if hand.most(card))
    return [card for card in held if feasible(game, state, seat, game.lines[card], this, hand, money)]


TESTS: dict[type[Any], Callable[[Situation, Any], bool]] = {
    fx.Draw: _draw,
    fx.Discard: _discard,
    fx.Station: _station,
    fx.Rail: _rail,
    fx.ReturnWaste: _return_waste,
    fx.ChooseOne: _choose,
    fx.ShowCopy: _show,
    fx.Exchange: _exchange,
    fx.Topdeck: _topdeck,
    fx.Recover: _recover,
    fx.Worth: _worth,
    fx.Money: _money,
    fx.MoneyIf: _money_if,
    fx.CopyAction: _copy,
}
"""By primitive: whether it can be carried out where those before it have led. Others always can."""

DEMANDING = frozenset(TESTS) - {fx.Draw, fx.Money}
