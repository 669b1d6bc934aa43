"""From turn to turn, from round to round, to the end (RR-ROUND, RR-ORD-6, RR-MOVE, RR-PREP, RR-END)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from assistant.events import FINAL, ROUND, Points, Told
from assistant.games.russian_railroads.resolving import Change
from assistant.games.russian_railroads.scoring import final_points, round_points
from assistant.games.russian_railroads.spaces import ORDER_SPACES
from assistant.games.russian_railroads.state import State

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads


class Flow:
    """What follows when nothing is open any more."""

    def __init__(self, game: RussianRailroads) -> None:
        self.game = game

    def turn_over(self, change: Change) -> bool:
        """The acting player has finished: who comes next. False when somebody is asked now."""
        phase = change.table.phase
        if phase == "starting":
            self._next_start(change)
        elif phase == "actions":
            self._next_turn(change)
        elif phase == "moves":
            self._next_move(change)
        return False

    def _next_start(self, change: Change) -> None:
        """Starting bonus cards go from the last player to the second (RR-SETUP-14)."""
        order = change.table.order
        place = order.index(change.seat) - 1
        if place > 0:
            change.hand_over(order[place])
        else:
            change.set(starting=())
            self.begin(change, 1)

    def begin(self, change: Change, number: int) -> None:
        """A round begins."""
        change.set(phase="actions", round=number)
        change.hand_over(change.table.order[0])
        change.events.append(Told(ROUND, values={"round": number}))

    def _next_turn(self, change: Change) -> None:
        """The next player along the order who has not passed (RR-TURN-1)."""
        order = change.table.order
        place = order.index(change.seat) + 1 - len(order)
        # Places count from the end here, so that it goes round.
        for index in range(place, place + len(order)):
            seat = order[index]
            if not change.of(seat).passed:
                change.hand_over(seat)
                return
        self._rearrange(change)

    def _rearrange(self, change: Change) -> None:
        """All have passed: the booked places are taken (RR-ORD-6, -7)."""
        state = change.table
        # Of two who were let to book one place, the first has it (RR-SPACE-2).
        booked = {p.space: p.seat for p in state.placed[::-1] if p.space in ORDER_SPACES}
        if booked and not self.game.last_round(state):
            order = next_order(state.order, booked)
            change.set(order=order, phase="moves", claims=tuple(s for s in ORDER_SPACES[::-1] if s in booked))
            change.events.append(Told("order", values={"order": order}))
            change.hand_over(booked[change.table.claims[0]])
        else:
            self.score(change)

    def _next_move(self, change: Change) -> None:
        claims = change.table.claims[1:]
        change.set(claims=claims)
        if claims:
            change.hand_over(next(p.seat for p in change.table.placed if p.space == claims[0]))
        else:
            self.score(change)

    def score(self, change: Change) -> None:
        """Every player scores (RR-SCORE-1); then the next round is prepared, or the game ends."""
        gained = {}
        for seat in change.table.order:
            scored = list(round_points(self.game, seat, change.of(seat)))
            gained[seat] = sum([points.amount for points in scored])
            change.events += scored
        self._clear(change, gained)
        if self.game.last_round(change.table):
            change.set(phase="reveal")
            change.hand_over("")
            self.finish(change)
        else:
            self._prepare(change)

    def _clear(self, change: Change, gained: Mapping[str, int]) -> None:
        """Points are added, pieces on spaces go back to where they came from (RR-PREP-1 to 3)."""
        coins = sum([placed.roubles for placed in change.table.placed])
        for seat in self.game.seats:
            player = change.of(seat)
            score = player.score + gained[seat]
            change.give(
                seat, score=score, free=player.workers, black_free=player.black, temps=0, passed=False
            )
        change.set(placed=(), roubles=change.table.roubles + coins)

    def _prepare(self, change: Change) -> None:
        """The next round (RR-PREP-4 to 6)."""
        state = change.table
        if gone := state.strip[-1]:
            change.events.append(Told("engineer_leaves", values={"number": gone}))
        change.set(strip=(0, *state.strip[:-1]))
        self.begin(change, state.round + 1)

    def finish(self, change: Change) -> None:
        """The game is over once every kept card is known (RR-END-1)."""
        if any(change.table.bonus[seat].unnamed for seat in self.game.seats):
            return
        change.events.append(Told(FINAL))
        for points in final_points(self.game, change.now):
            change.give(points.seat, score=change.of(points.seat).score + points.amount)
            change.events.append(points)
        change.set(phase="over")


def next_order(order: tuple[str, ...], booked: dict[str, str]) -> tuple[str, ...]:
    """The turn order of the next round (RR-ORD-6, and -7 where it stays)."""
    if "ORD-1" not in booked and booked.get("ORD-2") == order[0]:
        return order
    places: list[str] = [""] * len(order)
    for index, space in enumerate(ORDER_SPACES):
        # Somebody who was let to book both places has the better one (RR-ORD-3).
        if space in booked and booked[space] not in places:
            places[index] = booked[space]
    rest = iter(seat for seat in order if seat not in places)
    return tuple(seat or next(rest) for seat in places)


def passed(change: Change, state: State, seat: str) -> None:
    """A player passes and scores what the turn-order card says (RR-PASS-1, -2)."""
    points = change.game.content.pass_points[state.order.index(seat)]
    change.own(passed=True, score=change.player.score + points)
    if points:
        change.events.append(Points(seat, points, "pass", "", "RR-PASS-1"))
