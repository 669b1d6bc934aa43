"""What an action of Russian Railroads would do, said before it is done.

Numbers come from doing it. The sentence says what the numbers of a strip do not: what a space gives, where a
piece stands then, and what the next scoring would bring.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assistant.actions import Action
from assistant.display import Foresight, changes
from assistant.events import Told
from assistant.games.russian_railroads.actions import (
    Accept,
    Bonus,
    Borrow,
    Branch,
    Build,
    Decline,
    First,
    Flip,
    March,
    Move,
    Pass,
    PickCard,
    PickToken,
    PlaceLoco,
    Reuse,
    Stay,
    Step,
    TakeStart,
    Use,
)
from assistant.games.russian_railroads.display import INDUSTRY
from assistant.games.russian_railroads.pack import SLOTS
from assistant.games.russian_railroads.state import HoldLoco, State
from assistant.games.russian_railroads.tracks import INDEX
from assistant.games.russian_railroads.wording import amounts, offered

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

Said = tuple[str, dict[str, Any]] | None
"""A key of the table `hints` with its values."""


class Foresights:
    """Foresees actions of one game."""

    def __init__(self, game: RussianRailroads) -> None:
        self.game = game
        self._hints: dict[type[Action], Callable[[State, State, Any], Said]] = {
            TakeStart: self._start,
            Use: self._use,
            Move: self._use,
            Reuse: self._use,
            Pass: self._pass,
            Step: self._step,
            March: self._march,
            PlaceLoco: self._place,
            Flip: self._flip,
            Build: self._build,
            First: self._first,
            Branch: self._branch,
            Accept: self._accept,
            Decline: self._decline,
            PickToken: self._token,
            PickCard: self._card,
            Bonus: self._bonus,
            Borrow: self._borrow,
            Stay: self._stay,
        }

    def foresee(self, state: State, action: Any) -> Foresight:
        """What a legal action would do; nothing for what only the table can say."""
        if action.seat not in self.game.seats:
            return Foresight()
        after, _ = self.game.apply(state, action)
        screen = self.game.screen
        hint = self._hints.get(type(action))
        said = hint(state, after, action) if hint is not None else None
        told = None if said is None else Told(said[0], action.seat, said[1])
        # A round's end scores and gives workers back: that is not what the action does.
        if after.round != state.round or after.phase in ("reveal", "over"):
            return Foresight((), told)
        return Foresight(changes(screen.strip(state, action.seat), screen.strip(after, action.seat)), told)

    def labelled(self, state: State, action: Any) -> dict[str, Any]:
        """What the button of an action may say besides its fields."""
        if isinstance(action, Step):
            there = state.players[action.seat].tracks[action.railroad][INDEX[action.colour]]
            return {"row": action.railroad, "cell": there + 1}
        if isinstance(action, March):
            # The first cell is the start, so the next one has the number of the marker's cell, plus two.
            return {"row": INDUSTRY, "cell": state.players[action.seat].markers[action.marker - 1] + 2}
        if isinstance(action, First):
            return {"what": offered(state.stack.due[action.number - 1].op)}
        top = state.stack.top
        if isinstance(action, Branch) and top is not None:
            op: Any = top.op
            return {"what": offered(op.branches[action.number - 1])}
        return {}

    def _scored(self, before: State, after: State, seat: str) -> dict[str, int]:
        return {
            "before": self.game.screen.scoring(before, seat),
            "after": self.game.screen.scoring(after, seat),
        }

    def _start(self, state: State, after: State, action: TakeStart) -> Said:
        return "gives", {"what": amounts(self.game.starting[action.card].action)}

    def _use(self, state: State, after: State, action: Use | Move | Reuse) -> Said:
        what = amounts(self.game.spaces.action(state, action.space))
        if isinstance(action, Use) and what == {"op.hire": 1}:
            number = state.strip[-1]
            engineer = self.game.engineers[number]
            return "hire", {"number": number, "what": amounts(engineer.action)}
        return "gives", {"what": what}

    def _pass(self, state: State, after: State, action: Pass) -> Said:
        points = self.game.content.pass_points[state.order.index(action.seat)]
        player = state.players[action.seat]
        left = player.free + player.black_free + player.temps
        return ("pass.workers" if left else "pass"), {"points": points, "left": left}

    def _step(self, state: State, after: State, action: Step) -> Said:
        there = state.players[action.seat].tracks[action.railroad][INDEX[action.colour]] + 1
        of = self.game.content.length[action.railroad]
        values = {"railroad": action.railroad, "colour": action.colour, "there": there, "of": of}
        if after.round != state.round or after.phase in ("reveal", "over"):
            return "step", values
        return "step.scores", {**values, **self._scored(state, after, action.seat)}

    def _march(self, state: State, after: State, action: March) -> Said:
        player = state.players[action.seat]
        there = player.markers[action.marker - 1] + 1
        content = self.game.content
        if content.industry[there].gap:
            gaps = sum(1 for cell in content.industry[:there] if cell.gap)
            number = player.factories[gaps]
            return "march.factory", {"number": number, "what": amounts(self.game.factory_action(number))}
        return "march", self._scored(state, after, action.seat)

    def _place(self, state: State, after: State, action: PlaceLoco) -> Said:
        top = state.stack.top
        held = top.op if top is not None else None
        number = held.number if isinstance(held, HoldLoco) else 0
        displaced = state.players[action.seat].locos[SLOTS.index(action.slot)]
        values = {"number": number, "slot": action.slot, "old": displaced}
        return ("place_loco.instead" if displaced else "place_loco"), values

    def _flip(self, state: State, after: State, action: Flip) -> Said:
        return "flip", {}

    def _build(self, state: State, after: State, action: Build) -> Said:
        values = {
            "number": action.number,
            "place": action.place,
            "what": amounts(self.game.factory_action(action.number)),
            "old": state.players[action.seat].factories[action.place - 1],
        }
        return ("build.instead" if values["old"] else "build"), values

    def _first(self, state: State, after: State, action: First) -> Said:
        return "gives", {"what": offered(state.stack.due[action.number - 1].op)}

    def _branch(self, state: State, after: State, action: Branch) -> Said:
        top = state.stack.top
        assert top is not None
        op: Any = top.op
        return "gives", {"what": offered(op.branches[action.number - 1])}

    def _accept(self, state: State, after: State, action: Accept) -> Said:
        top = state.stack.top
        assert top is not None
        return "gives", {"what": offered(top.op)}

    def _decline(self, state: State, after: State, action: Decline) -> Said:
        return "decline", {}

    def _token(self, state: State, after: State, action: PickToken) -> Said:
        return "gives", {"what": amounts(self.game.q_tokens[action.token].action)}

    def _card(self, state: State, after: State, action: PickCard) -> Said:
        return "gives", {"what": amounts(self.game.q_cards[action.card].action)}

    def _bonus(self, state: State, after: State, action: Bonus) -> Said:
        return ("bonus.keep" if action.keep else "bonus.points"), {}

    def _borrow(self, state: State, after: State, action: Borrow) -> Said:
        return "gives", {"what": amounts(self.game.engineers[action.number].action)}

    def _stay(self, state: State, after: State, action: Stay) -> Said:
        return "stay", {}
