"""What an action of Trains would do, said before it is done: prices and why, what a card gives.

Numbers come from doing it where the state is enough; what a hand would prove is never tried.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.display import Change, Foresight, Gauge
from assistant.events import Told
from assistant.games.trains import effects as fx
from assistant.games.trains import texts
from assistant.games.trains.actions import (
    Branch,
    Buy,
    EndTurn,
    Lay,
    PassReturn,
    Pick,
    PlaceStation,
    Play,
    ReturnWaste,
    StartPlace,
    TrashIt,
)
from assistant.games.trains.board import CITY_POINTS
from assistant.games.trains.resolving import play_value
from assistant.games.trains.state import OTHERS, GainToHand, KeepOrDiscard, State, TakeOne

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

Said = tuple[str, dict[str, Any]]
"""A key of the table `hints` with its values."""


class Foresights:
    """Foresees actions of one game."""

    def __init__(self, game: Trains) -> None:
        self.game = game
        self._hints: dict[type[Action], Callable[[State, Any], Said | None]] = {
            StartPlace: self._start,
            Play: self._play,
            Lay: self._lay,
            Buy: self._buy,
            PassReturn: self._pass,
            EndTurn: self._end,
            PlaceStation: self._station,
            Pick: self._pick,
            ReturnWaste: self._return,
            Branch: self._branch,
            TrashIt: self._trash,
        }

    def foresee(self, state: State, action: Action) -> Foresight:
        """What a legal action would do; nothing for what the table turns up."""
        seat: str = action.seat  # type: ignore[attr-defined]
        if seat not in self.game.index:
            return Foresight()
        hint = self._hints.get(type(action))
        said = hint(state, action) if hint else None
        told = None if said is None else Told(said[0], seat, said[1])
        return Foresight(self._changes(state, action), told, price=self._price(state, action))

    def _changes(self, state: State, action: Action) -> tuple[Change, ...]:
        """Money, rails to lay, Waste, and points that would differ at once."""
        if not isinstance(action, Play | Lay | Buy | ReturnWaste):
            return ()
        screen, after = self.game.screen, self.game.apply(state, action)[0]
        seat = state.active
        pairs = zip(screen.gauges(state), screen.gauges(after), strict=True)
        # That a card leaves the hand goes without saying; what is paid stands in the sentence.
        unsaid = {"hand"} if isinstance(action, Play | ReturnWaste) else {"hand", "money", "rails"}
        out = [
            Change(old.what, old.value, new.value)
            for old, new in pairs
            if old != new and old.what not in unsaid
        ]
        old, new = screen.worth(state, seat), screen.worth(after, seat)
        return (*out, *((Change("vp", old, new),) if old != new else ()))

    # The map --------------------------------------------------------------------------------------

    def _name(self, hex_: str) -> str:
        """What is printed on a hex, else how it is called."""
        return self.game.content.names.get(hex_, hex_)

    def _start(self, state: State, action: StartPlace) -> Said:
        return "start_place", {"name": self._name(action.hex), "terrain": self._terrain(action.hex)}

    def _terrain(self, hex_: str) -> str:
        return self.game.board.hexes[hex_].terrain

    def _parts(self, state: State, hex_: str) -> tuple[int, int, int]:
        """What a rail on a hex costs the active player: for the ground, for others there, and Waste."""
        game, turn = self.game, state.turn
        board, bit, seat = game.board, game.board.grid.bit[hex_], state.active
        ground = board.terrain_cost(state, turn.waived, bit)
        others = board.cost(state, seat, turn.waived, bit) - ground
        shares = not turn.waived & OTHERS and board.others(state, seat, bit) > 0
        waste = shares and not turn.no_waste and state.supply[game.waste] > 0
        return ground, others, int(waste)

    def _price(self, state: State, action: Action) -> tuple[Gauge, ...]:
        if isinstance(action, Lay):
            ground, others, waste = self._parts(state, action.hex)
            price = Gauge("money", ground + others)
            return (price, Gauge("waste", waste)) if waste else (price,)
        if isinstance(action, Buy):
            return (Gauge("money", self.game.cards[action.card].cost),)
        return ()

    def _lay(self, state: State, action: Lay) -> Said:
        board, bit = self.game.board, self.game.board.grid.bit[action.hex]
        ground, others, waste = self._parts(state, action.hex)
        free = ground < board.terrain_cost(state, 0, bit)
        values = {
            "name": self._name(action.hex),
            "terrain": self._terrain(action.hex),
            "ground": ground,
            "others": others,
            "cost": ground + others,
            "left": max(0, state.turn.money - ground - others),
        }
        if waste and not ground + others:
            return "lay.waste.free", values
        shared = ".waste" if waste else ".shared" if others else ""
        return f"lay{shared}{'.waived' if free else ''}", values

    def _station(self, state: State, action: PlaceStation) -> Said:
        board = self.game.board
        there = board.level(state, board.grid.bit[action.hex]) + 1
        values = {
            "name": self._name(action.hex),
            "there": there,
            "room": board.hexes[action.hex].number,
            "points": CITY_POINTS[there],
        }
        return "place_station", values

    # Cards ----------------------------------------------------------------------------------------

    def _play(self, state: State, action: Play) -> Said:
        card = self.game.cards[action.card]
        money = play_value(card, state.turn.bonus)
        if not card.effect:
            return "play", {"money": money}
        key = "play.apply" if action.apply else "play.declined"
        return key, {"money": money, "effects": list(texts.effects(card.effect))}

    def _buy(self, state: State, action: Buy) -> Said:
        game = self.game
        card = game.cards[action.card]
        values: dict[str, Any] = {"cost": card.cost, "left": max(0, state.turn.money - card.cost)}
        waste = 0 if state.turn.no_waste else sum(line.n for line in card.on_buy)
        if waste := min(waste, state.supply[game.waste]):
            return "buy.waste", {**values, "waste": waste}
        if card.effect:
            return "buy.effects", {**values, "effects": list(texts.effects(card.effect))}
        return "buy", values

    def _pass(self, state: State, action: PassReturn) -> Said:
        return "pass_return", {"count": action.count}

    def _return(self, state: State, action: ReturnWaste) -> Said:
        line: Any = state.stack[-1].line
        paid = line.money * action.count
        key = "return_waste.money" if paid else "return_waste"
        return key, {"count": action.count, "money": paid}

    def _end(self, state: State, action: EndTurn) -> Said:
        game, turn = self.game, state.turn
        if met := game.end_conditions(state):
            return "end_turn.ends", {"rule": met[0]}
        values = {"cards": game.content.setup.hand, "money": turn.money, "rails": turn.rails}
        lapses = "".join(f".{what}" for what in ("money", "rails") if values[what])
        return f"end_turn{lapses}", values

    # Answers --------------------------------------------------------------------------------------

    def _branch(self, state: State, action: Branch) -> Said:
        line: Any = state.stack[-1].line
        return "branch", {"effects": [texts.effect(line.branches[action.number - 1])]}

    def _trash(self, state: State, action: TrashIt) -> Said:
        line: Any = state.stack[-1].line
        return ("trash_it.yes", {"effects": [texts.effect(line.then)]}) if action.yes else ("trash_it", {})

    def _pick(self, state: State, action: Pick) -> Said | None:
        game, line = self.game, state.stack[-1].line
        card = game.cards.get(action.card)
        if isinstance(line, KeepOrDiscard):
            return ("stay", {}) if card is None else ("away", {"card": card.id})
        if card is None:
            return "take_none", {}
        values: dict[str, Any] = {"card": card.id}
        if isinstance(line, fx.Worth):
            return "worth", {**values, "money": card.value}
        if isinstance(line, fx.Exchange):
            return "exchange", {**values, "cost": card.cost + line.plus}
        if isinstance(line, fx.ShowCopy):
            left = state.supply.get(card.id, 0)
            return ("show_copy", {**values, "left": left - 1}) if left else ("show_copy.none", values)
        if isinstance(line, fx.Topdeck):
            return "topdeck", values
        if isinstance(line, fx.CopyAction):
            return "copy_action", {"effects": list(texts.effects(card.effect))}
        assert isinstance(line, TakeOne | fx.Recover | GainToHand)
        return "take_card", values
