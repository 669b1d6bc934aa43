"""What each action of a turn does, and each answer to an open resolution (docs/rules/trains.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from assistant import cards as c
from assistant.actions import Action
from assistant.dealing import Deal, Reveal, Shuffle
from assistant.games.trains import effects as fx
from assistant.games.trains.actions import (
    Branch,
    Buy,
    Discard,
    EndTurn,
    Lay,
    Leftovers,
    Name,
    Order,
    PassReturn,
    Pick,
    PlaceStation,
    Play,
    ReturnWaste,
    TrashIt,
)
from assistant.games.trains.resolving import (
    PICKED,
    Change,
    cleared,
    play_value,
    put_back,
    returned,
    trash,
)
from assistant.games.trains.state import (
    REVEALS,
    DrawHand,
    KeepOrDiscard,
    Match,
    NextTurn,
    PutBack,
    ShowHand,
    Task,
)


def act(change: Change, action: Any) -> None:
    """Do an action that is legal or overruled, then go on as far as nobody is needed."""
    kind = type(action)
    if kind in ACT:
        ACT[kind](change, action)
    else:
        task = change.stack.pop()
        ANSWER[kind](change, task.line, task.this, action)
    change.go_on()


def _play(change: Change, action: Play) -> None:
    game = change.game
    card = game.cards[action.card]
    change.mine = c.move(change.mine, "hand", "play", action.card)
    if action.copy:
        change.copies = {**change.copies, f"{action.card}-{action.copy}": action.seat}
    turn = change.turn
    change.gain_money(play_value(card, turn.bonus), "TR-PLAY-2")
    lines = game.lines[action.card]
    if action.apply:
        change.push(*lines, this=action.card)
        change.turn = turn if turn.played else replace(turn, played=True)
    else:
        declined = (*turn.declined, action.card) if lines else turn.declined
        change.turn = replace(turn, played=True, declined=declined)


def _lay(change: Change, action: Lay) -> None:
    if change.stack:
        change.drop()
    else:
        change.turn = replace(change.turn, rails=max(0, change.turn.rails - 1))
    change.place_rail(change.game.board.grid.bit[action.hex], change.turn.waived)


def _buy(change: Change, action: Buy) -> None:
    card = change.game.cards[action.card]
    change.money -= change.pay(card.cost, "TR-BUY-1")
    change.gain(action.card, *(("deck", "top") if action.top else ("gained", "anywhere")))
    if action.copy:
        change.copies = {**change.copies, f"{action.card}-{action.copy}": action.seat}
    change.turn = change.turn if change.turn.bought else replace(change.turn, bought=True)
    for line in card.on_buy:
        change.take_waste(line.n)


def _pass_return(change: Change, action: PassReturn) -> None:
    change.return_waste(action.count, "TR-PASS-2")
    change.turn = replace(change.turn, returned=True)


def _end_turn(change: Change, action: EndTurn) -> None:
    change.push(ShowHand(), DrawHand(change.game.content.setup.hand), NextTurn())


def _leftovers(change: Change, action: Leftovers) -> None:
    hidden = Counter(action.cards)
    hidden.subtract(known.card for known in change.mine.zones["hand"].named if known.to is None)
    change.mine = c.reveal_all(change.mine, "hand", [*hidden.elements()])
    change.drop()
    cleared(change)


def _dealt(change: Change, action: Deal | Shuffle | Reveal) -> None:
    task = change.stack[-1]
    line: Any = task.line
    looks = type(line) is fx.Peek
    target = None if looks else "revealed" if type(line) in REVEALS else "hand"
    owed = change.game.debts(change.before)[action.owner]
    change.mine, informed = owed.met(action, target)
    change.events.append(informed)
    if isinstance(action, Deal):
        change.drop()
        if looks:
            change.push(KeepOrDiscard(), this=task.this)
        elif line.n > action.count:
            change.stack.append(Task(replace(line, n=line.n - action.count), task.this))


def _place_station(change: Change, line: fx.Station, this: str, action: PlaceStation) -> None:
    bit = change.game.board.grid.bit[action.hex]
    one, two, three = change.stations
    if not one & bit:
        change.stations = (one | bit, two, three)
    elif not two & bit:
        change.stations = (one, two | bit, three)
    else:
        change.stations = (one, two, three | bit)
    if line.n > 1:
        change.push(replace(line, n=line.n - 1), this=this)


def _pick(change: Change, line: Any, this: str, action: Pick) -> None:
    PICKED[type(line)](change, line, this, action.card)


def _discard(change: Change, line: fx.Discard | fx.DiscardAny, this: str, action: Discard) -> None:
    for card in action.cards:
        change.mine = c.move(change.mine, "hand", "discard", card)
    if isinstance(line, fx.DiscardAny):
        change.gain_money(line.money * len(action.cards), "TR-PLAY-3")
        if line.draw and action.cards:
            change.push(fx.Draw(line.draw * len(action.cards)), this=this)


def _return_waste(change: Change, line: fx.ReturnWaste, this: str, action: ReturnWaste) -> None:
    returned(change, line, action.count)


def _order(change: Change, line: PutBack, this: str, action: Order) -> None:
    put_back(change, action.cards)


def _branch(change: Change, line: fx.ChooseOne, this: str, action: Branch) -> None:
    change.push(line.branches[action.number - 1], this=this)


def _name(change: Change, line: fx.NameReveal, this: str, action: Name) -> None:
    change.push(Match(action.card), this=this)


def _trash_it(change: Change, line: fx.TrashSelf, this: str, action: TrashIt) -> None:
    if action.yes:
        trash(change, "play", this)
        change.push(line.then, this=this)


ACT: dict[type[Action], Callable[[Change, Any], None]] = {
    Play: _play,
    Lay: _lay,
    Buy: _buy,
    PassReturn: _pass_return,
    EndTurn: _end_turn,
    Leftovers: _leftovers,
    Deal: _dealt,
    Reveal: _dealt,
    Shuffle: _dealt,
}
"""What an action of the turn, or one of the table, does."""

ANSWER: dict[type[Action], Callable[[Change, Any, str, Any], None]] = {
    PlaceStation: _place_station,
    Pick: _pick,
    Discard: _discard,
    ReturnWaste: _return_waste,
    Order: _order,
    Branch: _branch,
    Name: _name,
    TrashIt: _trash_it,
}
"""What an answer to the top task does, the task itself being done."""
