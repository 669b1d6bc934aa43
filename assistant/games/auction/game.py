"""The rules of an auction: who is asked, what may be done, what is broken, what follows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from assistant import auction
from assistant.actions import Action, Codec
from assistant.auction import Track
from assistant.display import Display, Foresight
from assistant.events import ROUND, Event, Moved, Points, Shortfall, Told
from assistant.game import PUBLIC, Acting, Game, Title
from assistant.games.auction import display, lots
from assistant.games.auction.actions import Bid, BudgetForm, Close, LockIn, NextLot, SetBudget
from assistant.games.auction.pack import Content
from assistant.games.auction.state import State, faults
from assistant.offers import Offer
from assistant.packs import Pack
from assistant.rulings import Violation

MANY = 6
"""Lots after which virtual players close."""


class OpenAuction(Game[State]):
    """An auction bound to a pack, seats and switches."""

    state_type = State
    codec = Codec[Action]([SetBudget, NextLot, Bid, LockIn, Close])
    waivable = frozenset({"AU-BID-3", "AU-BID-6"})

    def __init__(
        self, title: Title, pack: Pack[Content], seats: int, options: Mapping[str, str | bool]
    ) -> None:
        super().__init__(title, pack, seats, options)
        self.index = {seat: index for index, seat in enumerate(self.seats)}
        self.top = int(options["top"])
        self.budget = str(options["budget"])
        self.next_rule: Literal["rearmost", "cyclic"]
        self.next_rule = "cyclic" if options["next"] == "cyclic" else "rearmost"
        self.shares = lots.shares(str(options["pays"]), pack.content.chart[str(seats)])

    def start(self) -> State:
        nothing = dict.fromkeys(self.seats, 0)
        holds = dict.fromkeys(self.seats, int(self.budget)) if self.budget.isdecimal() else {}
        return State("between", 0, self.seats, nothing, (), "", holds, nothing, nothing)

    # The track ------------------------------------------------------------------------------------

    def track(self, state: State) -> Track:
        """The discs of the lot that is open or was the last."""
        up = sum(1 << index for seat, index in self.index.items() if seat not in state.locked)
        white = tuple([self.index[seat] for seat in state.white])
        value = tuple([state.discs[seat] for seat in self.seats])
        return auction.standing(white, value, up, self.index.get(state.last, -1), self.next_rule)

    def ranks(self, track: Track) -> tuple[int, ...]:
        """Seats, the first in rank first."""
        return lots.ranks(track, str(self.options["ties"]))

    def winner(self, track: Track) -> int:
        """Who gets the lot if it ends as it stands, or -1."""
        return lots.winner(track, self.ranks(track), str(self.options["no_bids"]))

    def next_white(self, state: State) -> tuple[str, ...]:
        """The discs on white, left to right, when the next lot opens (AU-SETUP-2, AU-LOT-4)."""
        if not state.lot:
            return state.white
        track = self.track(state)
        order = lots.next_white(track, self.winner(track), str(self.options["opens"]))
        return tuple([self.seats[seat] for seat in order])

    def unstated(self, state: State) -> tuple[str, ...]:
        """Seats that have yet to state what they hold."""
        return tuple([seat for seat in self.seats if self.budget == "own" and seat not in state.holds])

    # What may be done -----------------------------------------------------------------------------

    def acting(self, state: State) -> tuple[Acting, ...]:
        if state.step == "lot":
            return (Acting(self.seats[self.track(state).next], "bid"),)
        if state.step == "over":
            return ()
        if unstated := self.unstated(state):
            return tuple([Acting(seat, "budget") for seat in unstated])
        return tuple([Acting(seat, "lot") for seat in self.next_white(state)])

    def offers(self, state: State, seat: str) -> list[Offer]:
        if seat not in self.index or state.step == "over":
            return []
        if state.step == "lot":
            index, track = self.index[seat], self.track(state)
            if track.next != index:
                return []
            most = min(self.top, state.holds.get(seat, self.top))
            spaces = [n for n in range(1, most + 1) if auction.fault(track, index, n, self.top) is None]
            return [*[Bid(seat, space) for space in spaces], LockIn(seat)]
        between: tuple[Action, ...] = (NextLot(seat), Close(seat))
        out: list[Offer] = [action for action in between if self.refuse(state, action) is None]
        if self.budget != "none":
            out.append(BudgetForm(seat, self.pack.content.most_held))
        return out

    def violations(self, state: State, action: Any) -> Iterator[Violation]:
        seat, most = action.seat, self.pack.content.most_held
        if seat not in self.index:
            yield Violation("AU-SEAT-1", {"seat": seat})
        elif state.step == "over":
            yield Violation("AU-OVER-1")
        elif isinstance(action, SetBudget):
            if self.budget == "none":
                yield Violation("AU-HOLD-1")
            if state.step == "lot":
                yield Violation("AU-HOLD-2", {"lot": state.lot})
            if not 0 <= action.amount <= most:
                yield Violation("AU-HOLD-3", {"most": most})
        elif isinstance(action, NextLot):
            if state.step == "lot":
                yield Violation("AU-LOT-1", {"lot": state.lot})
            if unstated := self.unstated(state):
                yield Violation("AU-LOT-2", {"seats": unstated})
        elif isinstance(action, Close):
            if state.step == "lot" or not state.lot:
                yield Violation("AU-LOT-3")
        elif state.step != "lot":
            yield Violation("AU-BID-1")
        elif seat in state.locked:
            yield Violation("AU-BID-2", {"seat": seat, "space": state.discs[seat]})
        else:
            yield from self._bidding(state, action)

    def _bidding(self, state: State, action: Bid | LockIn) -> Iterator[Violation]:
        """What is wrong with a move of a disc that is face up."""
        seat, index, track = action.seat, self.index[action.seat], self.track(state)
        if track.next != index:
            yield Violation("AU-BID-3", {"seat": seat, "next": self.seats[track.next]})
        if isinstance(action, LockIn):
            return
        # Whose turn it is has been said: a table that waives that still hears of the rest.
        wrong = auction.fault(replace(track, next=index), index, action.space, self.top)
        if wrong == "off_track":
            yield Violation("AU-BID-4", {"top": self.top})
        elif wrong:
            yield Violation("AU-BID-5", {"space": action.space, "have": state.discs[seat]})
        have = state.holds.get(seat, action.space)
        if action.space > have:
            yield Violation("AU-BID-6", {"seat": seat, "need": action.space, "have": have})

    # What follows ---------------------------------------------------------------------------------

    def apply(self, state: State, action: Any) -> tuple[State, list[Event]]:
        if isinstance(action, SetBudget):
            holds = {**state.holds, action.seat: action.amount}
            return replace(state, holds=holds), [Told("holds", action.seat, {"amount": action.amount})]
        if isinstance(action, NextLot):
            lot, white, discs = state.lot + 1, self.next_white(state), dict.fromkeys(self.seats, 0)
            opened = replace(state, step="lot", lot=lot, white=white, discs=discs, locked=(), last="")
            return opened, [Told(ROUND, values={"round": lot, "order": white})]
        if isinstance(action, Close):
            return replace(state, step="over"), [
                Told("account", seat, {"lots": state.won[seat], "paid": state.paid[seat]})
                for seat in self.seats
            ]
        if isinstance(action, Bid):
            discs = {**state.discs, action.seat: action.space}
            return replace(state, discs=discs, last=action.seat), []
        locked = tuple(sorted((*state.locked, action.seat)))
        state = replace(state, locked=locked, last=action.seat)
        return self._sold(state) if len(locked) == len(self.seats) else (state, [])

    def _sold(self, state: State) -> tuple[State, list[Event]]:
        """All have locked in: ranks, the lot, payments (AU-END-1)."""
        track, holds, paid, won = self.track(state), {**state.holds}, {**state.paid}, {**state.won}
        order, winner = self.ranks(track), self.winner(track)
        letters = [self.seats[seat] for seat in order]
        events: list[Event] = [Told("ranks", values={"lot": state.lot, "order": letters})]
        if winner < 0:
            events.append(Told("unsold", values={"lot": state.lot}))
        else:
            won[self.seats[winner]] += 1
            events.append(Points(self.seats[winner], 1, "lot", str(state.lot), "AU-RANK-1"))
        for seat, due in zip(letters, lots.dues(track, order, self.shares), strict=True):
            # After an overruled bid there may be less than is due (AU-PAY-3).
            takes = min(due, holds.get(seat, due))
            if seat in holds:
                holds[seat] -= takes
            paid[seat] += takes
            if takes:
                events.append(Moved(seat, "money", -takes, "AU-PAY-1"))
            if due > takes:
                events.append(Shortfall(seat, "money", due - takes, "AU-PAY-3"))
        return replace(state, step="between", holds=holds, paid=paid, won=won), events

    def totals(self, state: State) -> dict[str, int]:
        return state.won

    def final(self, state: State) -> tuple[State, list[Event]]:
        return replace(state, step="over"), []

    def faults(self, state: State) -> list[str]:
        return [*faults(state, self.seats, self.top, self.budget)]

    # For people, demonstrations and the screen ----------------------------------------------------

    def chance(self, state: State, rng: random.Random) -> Action | None:
        return None

    def distance(self, action: Action, legal: Action) -> float:
        if isinstance(action, Bid) and isinstance(legal, Bid):
            return abs(action.space - legal.space)
        return super().distance(action, legal)

    def sensible(self, state: State, seat: str, rng: random.Random) -> Action:
        """Goes up in small steps and drops out by and by; closes after some lots."""
        if state.step == "between" and seat not in self.unstated(state):
            return Close(seat) if state.lot >= MANY else NextLot(seat)
        bids = [offer for offer in self.offers(state, seat) if isinstance(offer, Bid)]
        if bids and rng.random() < 0.7:
            return bids[int(rng.random() * min(3, len(bids)))]
        return LockIn(seat) if state.step == "lot" else super().sensible(state, seat, rng)

    def display(self, state: State, viewer: str = PUBLIC) -> Display:
        return display.display(self, state)

    def foresee(self, state: State, action: Action) -> Foresight:
        return Foresight(super().foresee(state, action).changes, display.hint(self, state, action))
