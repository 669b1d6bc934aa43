"""Open choices: icons, free placements, DRAW2, Locomotive Lease (RB-ICON, RB-DFX)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from assistant.actions import TABLE, Action
from assistant.game import Acting
from assistant.games.railway_boom.actions import BuyDev, Choose, Decline, PlaceRT
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import (
    free_hexes,
    held,
    leasable,
    lease,
    own_mask,
    place_rail,
    put_under,
    raisable,
    settle,
)
from assistant.games.railway_boom.pack import STOCK, TRACK_INDEX, TRACKS
from assistant.games.railway_boom.state import (
    AskBuy,
    AskFree,
    AskGain,
    AskIncome,
    AskLease,
    AwaitDraw,
    RaiseTask,
    State,
    Step,
)
from assistant.games.railway_boom.steps.base import Consequence, Part, unresolved
from assistant.hexes import pick
from assistant.offers import Offer
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

WHY = {AskGain: "gain2", AskIncome: "inc_choice", AskFree: "free_rt", AskBuy: "buy", AskLease: "lease"}


class Choices(Part):
    """What answers the top of a seat's stack, and free placements in general."""

    def __init__(self, game: RailwayBoom) -> None:
        super().__init__(game)
        self._free = [game.grid.by_index(game.free[letter]) for letter in game.seats]

    def consequences(self) -> Mapping[type[Action], Consequence]:
        return {Choose: self._answer, Decline: self._answer}

    def acting(self, state: State) -> tuple[Acting, ...]:
        """Seats whose top is open now; the table when a draw is awaited. Held tops are left out."""
        out = []
        for seat in reversed(state.track.white):
            top = state.top(seat)
            if top is None or held(self.game, state, seat):
                continue
            if isinstance(top, AwaitDraw):
                out.append(Acting(TABLE, "draw"))
            else:
                out.append(Acting(self.game.seats[seat], WHY[type(top)]))
        return tuple(out)

    def gains(self) -> tuple[str, ...]:
        """What GAIN2 may give (HR-12)."""
        return TRACKS if self.game.options["gain2.vp"] else STOCK

    def offers(self, state: State, seat: int) -> list[Offer]:
        top = state.top(seat)
        if top is None or held(self.game, state, seat):
            return []
        letter = self.game.seats[seat]
        decline: Offer = self.game.declines[letter]
        if isinstance(top, AskGain):
            return [Choose(letter, pair) for pair in combinations_with_replacement(self.gains(), 2)]
        if isinstance(top, AskIncome):
            tracks = raisable(self.game, state.seats[seat])
            return [Choose(letter, (TRACKS[track],)) for track in tracks]
        if isinstance(top, AskFree):
            return [*pick(free_hexes(self.game, state, seat), self._free[seat]), decline]
        if isinstance(top, AskBuy):
            price = self.game.development.draw_price
            cards = [n for n in top.cards if next(price(state, seat, n), None) is None]
            return [*(BuyDev(letter, name) for name in cards), decline]
        if isinstance(top, AskLease):
            names = dict.fromkeys(leasable(state, seat))
            return [*(Choose(letter, (name,)) for name in names), decline]
        return []

    def violations(self, state: State, seat: int, action: Action) -> Iterator[Violation]:
        top = state.top(seat)
        if top is not None and held(self.game, state, seat):
            yield Violation("RB-FLOW-6", {"source": top.source})
        if isinstance(action, Decline):
            if not isinstance(top, (AskFree, AskBuy, AskLease)):
                yield Violation("RB-ICON-5")
            return
        assert isinstance(action, Choose)
        chosen = action.option
        if isinstance(top, AskGain):
            if len(chosen) != 2 or any(name not in self.gains() for name in chosen):
                yield Violation("RB-ICON-6", {"resource": ", ".join(chosen)})
        elif isinstance(top, AskIncome):
            names = [TRACKS[track] for track in raisable(self.game, state.seats[seat])]
            if len(chosen) != 1 or chosen[0] not in names:
                yield Violation("RB-ICON-6", {"resource": ", ".join(chosen)})
        elif isinstance(top, AskLease):
            if len(chosen) != 1 or chosen[0] not in leasable(state, seat):
                yield Violation("RB-DFX-10", {"card": ", ".join(chosen)})
        elif top is not None:
            yield Violation("RB-ICON-4", {"source": top.source})  # it is answered in another way
        else:
            if state.step != Step.OPERATION:
                yield from unresolved(state)
            yield Violation("RB-ICON-6", {"resource": ", ".join(chosen)})

    def _answer(self, change: Change, seat: int, action: Choose | Decline) -> None:
        top = change.top(seat)
        assert top is not None
        if isinstance(top, AskBuy):
            self.close_draw(change, seat, None)
            settle(change, seat)
            return
        change.pop(seat)
        if isinstance(action, Choose):
            if isinstance(top, AskGain):
                for name in action.option:
                    change.gain(seat, TRACK_INDEX[name], 1, "icon", top.source, "RB-ICON-6")
            elif isinstance(top, AskIncome):
                change.push(seat, RaiseTask(top.source, TRACK_INDEX[action.option[0]]))
            elif isinstance(top, AskLease):
                lease(change, seat, top, action.option[0])
        settle(change, seat)

    def close_draw(self, change: Change, seat: int, bought: str | None) -> None:
        """DRAW2 is over: what was not bought goes under the deck."""
        top = change.top(seat)
        assert isinstance(top, AskBuy)
        change.pop(seat)
        rest = list(top.cards)
        if bought in rest:
            rest.remove(bought)
        put_under(change, tuple(rest))

    # Free placements (RB-EXP-11), shared with Tactical Expansion.

    def free_violations(self, state: State, seat: int, hex_name: str | None) -> Iterator[Violation]:
        """Whether an RT may be placed free on a hex, the source being there."""
        record = state.seats[seat]
        if record.rails_left <= 0:
            yield Violation("RB-STK-1", {"seat": self.game.seats[seat]})
        bit = self.game.grid.bit.get(hex_name or "", 0)
        places = (hex_name,) if hex_name else ()
        if not bit:
            yield Violation("RB-MAP-2", {"hex": hex_name or ""}, places)
            return
        if own_mask(record) & bit:
            yield Violation("RB-MAP-3", {"hex": hex_name}, places)
        elif not self.game.grid.neighbours(own_mask(record)) & bit:
            yield Violation("RB-EXP-11", {"hex": hex_name}, places)
        elif record.rails_left > 0 and not free_hexes(self.game, state, seat) & bit:
            yield Violation("RB-EXP-7", {"hex": hex_name}, places)  # HR-22, when switched

    def placement_violations(self, state: State, seat: int, action: PlaceRT) -> Iterator[Violation]:
        """Check order of a free `place_rt`: its source, then the place."""
        top = state.top(seat)
        if not isinstance(top, AskFree):
            yield Violation("RB-EXP-11", {"hex": action.hex}, (action.hex,))
        elif held(self.game, state, seat):
            yield Violation("RB-FLOW-6", {"source": top.source})
        yield from self.free_violations(state, seat, action.hex)

    def place_free(self, change: Change, seat: int, hex_name: str) -> None:
        """A free placement that an open choice offers."""
        top = change.top(seat)
        if isinstance(top, AskFree):
            change.pop(seat)
            if top.left > 1:
                change.push(seat, AskFree(top.source, top.left - 1))
        place_rail(change, seat, self.game.grid.bit[hex_name], hex_name)
        settle(change, seat)


def over(state: State) -> bool:
    """Whether the game is scored (RB-END-5)."""
    return state.step == Step.OVER
