"""The open resolution: what each primitive does, what it asks, and what goes on by itself (TR-FX, TR-TURN-2).

A `Change` is the state while one action is applied. Its stack holds the tasks of the open resolution, the
next one last; `go_on` carries out what needs nobody, and stops at what waits for the player or the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assistant import cards as c
from assistant.events import Event, Moved, Points, Shortfall, Told
from assistant.game import PUBLIC
from assistant.games.trains import effects as fx
from assistant.games.trains.effects import Colour
from assistant.games.trains.feasible import copyable, exchangeable, feasible
from assistant.games.trains.hands import Hand, hand_of
from assistant.games.trains.pack import Card
from assistant.games.trains.state import (
    FRESH,
    WAIVED,
    DrawHand,
    GainToHand,
    KeepOrDiscard,
    LayNow,
    Match,
    NextTurn,
    PutBack,
    ShowHand,
    State,
    TakeOne,
    Task,
)

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains


class Change:
    """A state while an action of the active player, or one of the table for them, is applied."""

    def __init__(self, game: Trains, state: State) -> None:
        self.game = game
        self.before = state
        self.seat = state.active
        self.letter = game.seats[state.active]
        self.mine = state.cards[self.letter]
        self.supply = state.supply
        self.box = state.box
        self.turn = state.turn
        self.money = state.turn.money
        self.stack = list(state.stack)
        self.tokens = state.tokens
        self.stations = state.stations
        self.track = state.track
        self.copies = state.copies
        self.phase = state.phase
        self.active = state.active
        self.events: list[Event] = []

    @property
    def state(self) -> State:
        """The state as it is by now."""
        before = self.before
        turn = self.turn if self.turn.money == self.money else replace(self.turn, money=self.money)
        return State(
            self.phase,
            {**before.cards, self.letter: self.mine},
            self.supply,
            self.box,
            self.tokens,
            self.stations,
            self.track,
            before.first,
            self.active,
            turn,
            tuple(self.stack),
            self.copies,
        )

    # Small steps ----------------------------------------------------------------------------------

    def push(self, *lines: Any, this: str = "") -> None:
        """Tasks for the stack; the first one given comes next."""
        self.stack += [Task(line, this) for line in reversed(lines)]

    def gain_money(self, amount: int, rule: str) -> None:
        """More money for this turn."""
        if amount:
            self.money += amount
            self.events.append(Moved(self.letter, "money", amount, rule))

    def take_waste(self, count: int) -> None:
        """Waste from its stack to the gained cards, as far as there is any (TR-WASTE-1)."""
        waste = self.game.waste
        left = 0 if self.turn.no_waste else min(count, self.supply[waste])
        if left:
            self.supply = {**self.supply, waste: self.supply[waste] - left}
            for _ in range(left):
                self.mine = c.put(self.mine, "gained", waste)
            self.events.append(Moved(self.letter, "waste", left, "TR-WASTE-1"))

    def return_waste(self, count: int, rule: str) -> None:
        """Waste from the hand to its stack."""
        if count:
            waste = self.game.waste
            for _ in range(count):
                self.mine = c.take(self.mine, "hand", waste)
            self.supply = {**self.supply, waste: self.supply[waste] + count}
            self.events.append(Moved(self.letter, "waste", -count, rule))

    def gain(self, card: str, zone: str, where: c.Where = "anywhere") -> None:
        """A card leaves its stack for a zone of the player."""
        self.supply = {**self.supply, card: self.supply[card] - 1}
        self.mine = c.put(self.mine, zone, card, where)

    def place_rail(self, bit: int, waived: int) -> None:
        """Pay, place, then the Waste of a shared hex (TR-LAY-5 to 8, HR-21)."""
        state, board = self.before, self.game.board
        cost = board.cost(state, self.seat, waived, bit)
        shares = not waived & WAIVED["others"] and board.others(state, self.seat, bit) > 0
        self.money -= self.pay(cost, "TR-LAY-5")
        tokens = list(self.tokens)
        tokens[self.seat] |= bit
        self.tokens = tuple(tokens)
        if shares:
            self.take_waste(1)

    def pay(self, cost: int, rule: str) -> int:
        """What is paid of a cost: all of it, or after an overruled act what is there."""
        paid = min(cost, self.money)
        if paid:
            self.events.append(Moved(self.letter, "money", -paid, rule))
        if paid < cost:
            self.events.append(Shortfall(self.letter, "money", cost - paid, rule))
        return paid

    @property
    def pile(self) -> int:
        """Cards that can still be drawn or revealed."""
        return self.mine.zones["deck"].size + self.mine.zones["discard"].size

    @property
    def open(self) -> State:
        """The state as everyone knows it. What goes on by itself goes by this alone: it tells nothing of a
        hand, and real hands and dealt ones take the same way through the rules."""
        state = self.state
        return replace(state, cards={**state.cards, self.letter: c.seen_by(self.mine, PUBLIC)})

    @property
    def hand(self) -> Hand:
        """What the hand holds as far as everyone knows."""
        return hand_of(c.seen_by(self.mine, PUBLIC))

    @property
    def covered(self) -> bool:
        """Whether the hand holds a card that not everyone can name."""
        hand = self.mine.zones["hand"]
        return hand.unnamed > 0 or any(known.to is not None for known in hand.named)

    # Going on -------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Carry out what needs nobody."""
        while self.stack:
            task = self.stack[-1]
            step = STEPS.get(type(task.line))
            if step is None or not step(self, task.line, task.this):
                return

    def drop(self) -> None:
        """The top task is done."""
        self.stack.pop()


Step = Callable[[Change, Any, str], bool]
"""Goes on with the top task; False when it waits."""


def _money(change: Change, line: fx.Money, this: str) -> bool:
    change.drop()
    change.gain_money(line.n, "TR-PLAY-3")
    return True


def _vp(change: Change, line: fx.Vp, this: str) -> bool:
    change.drop()
    points = line.n
    track = list(change.track)
    track[change.seat] += points
    change.track = tuple(track)
    change.events.append(Points(change.letter, points, "track", this, "TR-VP-1"))
    return True


def _rail(change: Change, line: fx.Rail, this: str) -> bool:
    change.drop()
    points = line.n
    if change.game.immediate:
        change.push(*[LayNow()] * points, this=this)
    else:
        change.turn = replace(change.turn, rails=change.turn.rails + points)
        change.events.append(Moved(change.letter, "rail_points", points, "TR-LAY-1"))
    return True


def _station(change: Change, line: fx.Station, this: str) -> bool:
    """Where a station goes is always asked: it has to be put there."""
    return False


def _waste(change: Change, line: fx.Waste, this: str) -> bool:
    change.drop()
    change.take_waste(line.n)
    return True


def _draw(change: Change, line: fx.Draw | fx.Peek | DrawHand, this: str) -> bool:
    if change.pile:
        return False
    change.drop()
    return True


def _return_waste(change: Change, line: fx.ReturnWaste, this: str) -> bool:
    least, most = waste_counts(change.game, change.hand, line.count)
    if least < most:
        return False
    change.drop()
    returned(change, line, most)
    return True


def waste_counts(game: Trains, hand: Hand, count: str) -> tuple[int, int]:
    """The smallest and the largest number of Waste that may be returned."""
    least, most = hand.least(game.waste), hand.most(game.waste)
    if count == "one":
        return min(1, most), min(1, most)
    return (least, most) if count == "all" else (0, most)


def returned(change: Change, line: fx.ReturnWaste, count: int) -> None:
    """Waste is returned, and paid for where the card says so."""
    change.return_waste(count, "TR-WASTE-2")
    change.gain_money(count * line.money, "TR-PLAY-3")


def _discard(change: Change, line: fx.Discard, this: str) -> bool:
    hand = change.hand
    if hand.unnamed or (len(hand.named) > 1 and hand.size > line.n):
        return False
    change.drop()
    cards = [card for card, count in hand.named.items() for _ in range(count)]
    for card in cards[: line.n]:
        change.mine = c.move(change.mine, "hand", "discard", card)
    return True


def _discard_any(change: Change, line: fx.DiscardAny, this: str) -> bool:
    if change.mine.zones["hand"].size:
        return False
    change.drop()
    return True


def _choose(change: Change, line: fx.ChooseOne, this: str) -> bool:
    branches = branches_of(change.game, change.open, line, this)
    if len(branches) > 1:
        return False
    change.drop()
    change.push(*[line.branches[number - 1] for number in branches], this=this)
    return True


def branches_of(game: Trains, state: State, line: fx.ChooseOne, this: str) -> list[int]:
    """Numbers of the branches that can be carried out now (HR-8)."""
    mine = state.cards[game.seats[state.active]]
    money = state.turn.money
    return [
        number
        for number, branch in enumerate(line.branches, 1)
        if feasible(game, state, state.active, (branch,), this, hand_of(mine), money)
    ]


def _reveal_take(change: Change, line: fx.RevealTake, this: str) -> bool:
    revealed = change.mine.zones["revealed"].size
    if revealed < line.n and change.pile:
        return False
    change.drop()
    if revealed:
        change.push(TakeOne(), PutBack(), this=this)
    return True


def _put_back(change: Change, line: PutBack, this: str) -> bool:
    names = change.mine.zones["revealed"].names
    if len(set(names)) > 1:
        return False
    change.drop()
    put_back(change, names)
    return True


def put_back(change: Change, cards: tuple[str, ...]) -> None:
    """Revealed cards go onto the deck, the first one on top."""
    for card in reversed(cards):
        change.mine = c.move(change.mine, "revealed", "deck", card, "top")


def _reveal_until(change: Change, line: fx.RevealUntil, this: str) -> bool:
    kinds = change.game.of_colour[line.of]
    names = change.mine.zones["revealed"].names
    taken = [card for card in names if card in kinds]
    if len(taken) < line.n and change.pile:
        return False
    change.drop()
    for card in names:
        change.mine = c.move(change.mine, "revealed", "hand" if card in kinds else "discard", card)
    return True


def _match(change: Change, line: Match, this: str) -> bool:
    names = change.mine.zones["revealed"].names
    if not names and change.pile:
        return False
    change.drop()
    if names:
        hit = names[0] == line.card
        target, where = ("hand", "anywhere") if hit else ("deck", "top")
        change.mine = c.move(change.mine, "revealed", target, names[0], where)  # type: ignore[arg-type]
    return True


def _pick(change: Change, line: Any, this: str) -> bool:
    """A choice of one card: made by itself where there is only one and everybody can see it."""
    if type(line) in FROM_HAND and change.covered:
        return False
    cards = pickable(change.game, change.open, line, this)
    if len(cards) != 1:
        if not cards:
            change.drop()
        return not cards
    change.drop()
    PICKED[type(line)](change, line, this, cards[0])
    return True


def _trash_self(change: Change, line: fx.TrashSelf, this: str) -> bool:
    if this in change.mine.zones["play"].names:
        return False
    change.drop()
    return True


def _money_if(change: Change, line: fx.MoneyIf, this: str) -> bool:
    change.drop()
    if line.card in change.mine.zones["play"].names:
        change.gain_money(line.n, "TR-PLAY-3")
    return True


def _waive(change: Change, line: fx.Waive, this: str) -> bool:
    change.drop()
    what = WAIVED[line.what]
    change.turn = replace(change.turn, waived=change.turn.waived | what)
    return True


def _no_waste(change: Change, line: fx.NoWaste, this: str) -> bool:
    change.drop()
    change.turn = replace(change.turn, no_waste=True)
    return True


def _bonus(change: Change, line: fx.Bonus, this: str) -> bool:
    change.drop()
    bonus: dict[Colour, int] = dict(change.turn.bonus)
    bonus[line.of] = bonus.get(line.of, 0) + line.n
    change.turn = replace(change.turn, bonus=tuple(sorted(bonus.items())))
    return True


def _topdeck_buys(change: Change, line: fx.TopdeckBuys, this: str) -> bool:
    change.drop()
    change.turn = replace(change.turn, topdeck=True)
    return True


def _lay_now(change: Change, line: LayNow, this: str) -> bool:
    """A rail that finds no place lapses: only an overruled act comes to that."""
    state = change.state
    if change.game.rails_left(state, change.seat) and change.game.board.affordable(
        state, change.seat, change.turn.waived, change.money
    ):
        return False
    change.drop()
    return True


def _show_hand(change: Change, line: ShowHand, this: str) -> bool:
    if change.covered:
        return False
    change.drop()
    if change.game.open_hands:
        change.mine = c.show(change.mine, "hand")
    cleared(change)
    return True


def cleared(change: Change) -> None:
    """Everything goes to the discard pile (TR-CLEAN-1)."""
    change.mine = c.gather(change.mine, "discard", "play", "gained", "hand", "revealed")
    if change.game.open_hands:
        change.mine = c.show(change.mine, "discard")
    else:
        change.mine = c.settled(change.mine)


def _next_turn(change: Change, line: NextTurn, this: str) -> bool:
    change.drop()
    change.money, change.turn = 0, FRESH
    game = change.game
    met = game.end_conditions(change.state)
    if met:
        for rule in met:
            change.events.append(Told("end", values={"rule": rule}))
        game.score(change)
    else:
        change.active = (change.seat + 1) % len(game.seats)
    return True


STEPS: dict[type[Any], Step] = {
    fx.Money: _money,
    fx.Vp: _vp,
    fx.Rail: _rail,
    fx.Station: _station,
    fx.Waste: _waste,
    fx.Draw: _draw,
    fx.ReturnWaste: _return_waste,
    fx.Discard: _discard,
    fx.DiscardAny: _discard_any,
    fx.ChooseOne: _choose,
    fx.RevealTake: _reveal_take,
    fx.RevealUntil: _reveal_until,
    fx.Peek: _draw,
    fx.ShowCopy: _pick,
    fx.Exchange: _pick,
    fx.TrashSelf: _trash_self,
    fx.Topdeck: _pick,
    fx.Recover: _pick,
    fx.Worth: _pick,
    fx.MoneyIf: _money_if,
    fx.CopyAction: _pick,
    fx.Waive: _waive,
    fx.NoWaste: _no_waste,
    fx.Bonus: _bonus,
    fx.TopdeckBuys: _topdeck_buys,
    PutBack: _put_back,
    Match: _match,
    GainToHand: _pick,
    LayNow: _lay_now,
    ShowHand: _show_hand,
    DrawHand: _draw,
    NextTurn: _next_turn,
}
"""What goes on by itself; tasks that are not here always wait."""


# One card out of several ----------------------------------------------------------------------------

FROM_HAND = frozenset({fx.ShowCopy, fx.Exchange, fx.CopyAction})


def pickable(game: Trains, state: State, line: Any, this: str) -> list[str]:
    """Cards that answer the top task, in the order of the pack; "" where none may be taken."""
    kind = type(line)
    mine = state.cards[game.seats[state.active]]
    if kind is TakeOne:
        return ["", *_distinct(mine.zones["revealed"].names)]
    if kind is KeepOrDiscard:
        return ["", *[k for k in c.candidates(mine, "deck") if c.may_lie_at(mine, "deck", (k,))]]
    if kind is GainToHand:
        kinds = game.of_colour[line.of]
        return [
            k for k in game.order if k in kinds and state.supply.get(k) and game.cards[k].cost <= line.cost
        ]
    if kind is fx.CopyAction:
        return copyable(game, state, state.active, this, hand_of(mine), state.turn.money)
    if kind is fx.Exchange:
        there = exchangeable(game, state, hand_of(mine), line)
        return [k for k in game.order if k in there]
    kinds = game.of_colour[line.of]
    if kind is fx.ShowCopy:
        hand = hand_of(mine)
        return [k for k in game.order if k in kinds and hand.most(k)]
    zone = "discard" if kind is fx.Recover else "play"
    names = c.candidates(mine, zone)
    return [k for k in game.order if k in kinds and k in names]


def _distinct(names: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(names))


def _take_one(change: Change, line: Any, this: str, card: str) -> None:
    if card:
        change.mine = c.move(change.mine, "revealed", "hand", card)


def _keep_or_discard(change: Change, line: Any, this: str, card: str) -> None:
    if card:
        change.mine = c.draw(change.mine, "deck", "discard", 1, (card,))


def _show_copy(change: Change, line: Any, this: str, card: str) -> None:
    show(change, card)
    if change.supply.get(card):
        change.gain(card, "gained")


def _exchange(change: Change, line: Any, this: str, card: str) -> None:
    trash(change, "hand", card)
    change.push(GainToHand(line.of, change.game.cards[card].cost + line.plus), this=this)


def show(change: Change, card: str) -> None:
    """A card of the hand is shown to everyone; what everyone knows already needs no showing."""
    if not any(known.card == card and known.to is None for known in change.mine.zones["hand"].named):
        change.mine = c.reveal(change.mine, "hand", card)


def trash(change: Change, zone: str, card: str) -> None:
    """A card leaves the game (TR-TRASH-1). Nobody reads which copy: if it was not the last, all may be it."""
    change.mine = c.take(change.mine, zone, card)
    change.box = {**change.box, card: change.box.get(card, 0) + 1}
    read = [k for k, o in change.copies.items() if o == change.letter and k.rpartition("-")[0] == card]
    if read:
        gone = {} if c.owned(change.mine)[card] else dict.fromkeys(read, "box")
        change.copies = {k: o for k, o in change.copies.items() if k not in read} | gone


def _gain_to_hand(change: Change, line: Any, this: str, card: str) -> None:
    change.gain(card, "hand")


def _topdeck(change: Change, line: Any, this: str, card: str) -> None:
    change.mine = c.move(change.mine, "play", "deck", card, "top")


def _recover(change: Change, line: Any, this: str, card: str) -> None:
    change.mine = c.move(change.mine, "discard", "hand", card)


def _worth(change: Change, line: Any, this: str, card: str) -> None:
    change.gain_money(change.game.cards[card].value, "TR-PLAY-3")


def _copy(change: Change, line: Any, this: str, card: str) -> None:
    show(change, card)
    change.push(*change.game.lines[card], this=this)


PICKED: dict[type[Any], Callable[[Change, Any, str, str], None]] = {
    TakeOne: _take_one,
    KeepOrDiscard: _keep_or_discard,
    fx.ShowCopy: _show_copy,
    fx.Exchange: _exchange,
    GainToHand: _gain_to_hand,
    fx.Topdeck: _topdeck,
    fx.Recover: _recover,
    fx.Worth: _worth,
    fx.CopyAction: _copy,
}
"""What the picked card does, the task itself being done."""


def play_value(card: Card, bonus: tuple[tuple[Colour, int], ...]) -> int:
    """The money that comes with a card when it is played (TR-PLAY-2, HR-24)."""
    return card.value + sum([n for colour, n in bonus if colour == card.colour])
