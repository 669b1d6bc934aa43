"""Yard, a toy: worker placement without hexes, with nested triggers and effects that wait for a moment.

Its rules are the sentences of locale/en.toml. Steps on two tracks pass milestones, whose effects come at
once, when the chain of steps is settled, or at the end of the turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from assistant.actions import TABLE, Action, Codec
from assistant.events import Event, Informed, Points, Shortfall, Told
from assistant.game import Acting, Game, Title
from assistant.offers import Fill, Offer
from assistant.rulings import Violation
from assistant.stacks import Stack

What = Literal["step", "gift"]
STEP: What = "step"
TRACKS, KINDS = ("red", "blue"), ("coins", "goods")


class Space(Struct, frozen=True):
    id: str
    cost: int
    gives: dict[str, int] = {}
    steps: int = 0


class Milestone(Struct, frozen=True):
    track: str
    at: int
    effect: What
    moment: str = ""


class Content(Struct, frozen=True):
    rules: dict[str, int]
    spaces: tuple[Space, ...]
    milestones: tuple[Milestone, ...]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    has: dict[str, dict[str, int]]
    stacks: dict[str, Stack[What]]
    spaces: dict[str, str]
    turn: str
    phase: Literal["roll", "place", "end", "ending"]
    left: int


class Roll(Action, frozen=True):
    value: Literal[1, 2, 3]
    seat: Literal["table"] = TABLE


class Place(Action, frozen=True):
    seat: str
    space: str
    coins: Annotated[int, Meta(ge=0)]
    goods: Annotated[int, Meta(ge=0)]


class Choose(Action, frozen=True):
    seat: str
    what: str


class Trade(Action, frozen=True):
    free: ClassVar[bool] = True
    seat: str


class EndTurn(Action, frozen=True):
    seat: str


ASKED: dict[str, Any] = {"roll": Roll, "place": Place | EndTurn, "end": Place | EndTurn}


class Yard(Game[State]):
    state_type = State
    codec = Codec[Any]([Roll, Place, Choose, Trade, EndTurn])
    waivable = frozenset({"TW-5", "TW-6", "TW-7", "TW-8"})

    def start(self) -> State:
        has = {"coins": 1, "goods": 1, "points": 0, "red": 0, "blue": 0}
        left, empty = self.pack.content.rules["turns"] * len(self.seats), Stack[What]()
        seats = dict.fromkeys(self.seats, has)
        return State(seats, dict.fromkeys(self.seats, empty), {}, self.seats[0], "roll", left)

    def acting(self, state: State) -> tuple[Acting, ...]:
        stack = state.stacks[state.turn]
        why = state.phase if stack.idle else stack.top or "order"
        return (Acting(TABLE if why == "roll" else state.turn, why),) if state.left else ()

    def offers(self, state: State, seat: str) -> list[Offer]:
        def blanks(filled: Sequence[Any]) -> list[Any] | None:
            ways = [(s.id, n, s.cost - n) for s in self.pack.content.spaces for n in range(s.cost + 1)]
            ways = [way for way in ways if [*way[: len(filled)]] == [*filled]]
            fit = [way for way in ways if self.refuse(state, Place(seat, *way)) is None]
            return list(dict.fromkeys(way[len(filled)] for way in fit)) if len(filled) < 2 else None

        form = Fill(Place, blanks, lambda f: Place(seat, f[0], f[1], self.space(f[0]).cost - f[1]))
        words = (Choose(seat, word) for word in (*TRACKS, *KINDS, "step", "gift"))
        every: list[Any] = (
            [Roll(1), Roll(2), Roll(3)] if seat == TABLE else [*words, EndTurn(seat), Trade(seat)]
        )
        legal = [action for action in every if self.refuse(state, action) is None]
        return [form, *legal] if form.domain(()) else [*legal]

    def space(self, name: str) -> Any:
        return next(space for space in self.pack.content.spaces if space.id == name)

    def choices(self, has: dict[str, int], stack: Stack[What]) -> list[str]:
        ahead = [track for track in TRACKS if has[track] < self.pack.content.rules["length"]]
        return ahead if stack.top == "step" else [*(KINDS if stack.top else stack.due)]

    def known(self, has: dict[str, int], stack: Stack[What], action: Choose | Place) -> bool:
        spaces = [space.id for space in self.pack.content.spaces]
        return (
            action.space in spaces if isinstance(action, Place) else action.what in self.choices(has, stack)
        )

    def violations(self, state: State, action: Any) -> Iterator[Violation]:
        why = {acting.seat: acting.why for acting in self.acting(state)}.get(action.seat)
        has = state.has.get(action.seat, {})
        if not state.left:
            yield Violation("TW-1")
        elif isinstance(action, Trade) and has:
            yield from [Violation("TW-8", {"seat": action.seat})] * (has["goods"] < 2)
        elif why is None:
            yield Violation("TW-2", {"seat": action.seat})
        elif not isinstance(action, ASKED.get(why, Choose)):
            yield Violation("TW-3", {"first": why})
        elif isinstance(action, Choose | Place) and not self.known(has, state.stacks[action.seat], action):
            yield Violation("TW-4")
        elif isinstance(action, Place):
            cost, there = self.space(action.space).cost, state.spaces.get(action.space)
            if there:
                yield Violation("TW-5", {"by": there, "space": action.space}, (action.space,))
            if state.phase != "place":
                yield Violation("TW-6")
            if action.coins + action.goods != cost:
                yield Violation("TW-7", {"cost": cost})
            if action.coins > has["coins"] or action.goods > has["goods"]:
                yield Violation("TW-8", {"seat": action.seat})

    def apply(self, state: State, action: Any) -> tuple[State, list[Event]]:
        name = action.seat if action.seat != TABLE else state.turn
        has, stack, phase, spaces = state.has[name], state.stacks[name], state.phase, state.spaces
        price, gains, events = dict[str, int](), dict[str, int](), list[Event]()
        if isinstance(action, Roll):
            phase, gains = "place", {"goods": action.value}
            events = [Informed(self.seats, "roll", (Told("roll_again"),))]
        elif isinstance(action, Place):
            space, phase, spaces = self.space(action.space), "end", spaces | {action.space: name}
            price, gains = {"coins": action.coins, "goods": action.goods}, space.gives
            stack = stack.push(*(STEP,) * space.steps)
        elif isinstance(action, Trade):
            price, gains = {"goods": 2}, {"coins": 1}
        elif isinstance(action, EndTurn):
            phase = "ending"
        elif stack.due:
            stack = stack.first(stack.due.index(action.what))
        else:
            stack, gains, at = stack.pop(), {action.what: 1, "points": 1}, has[action.what] + 1
            for stone in self.pack.content.milestones:
                if (stone.track, stone.at) == (action.what, at):
                    stack = stack.file(stone.moment or "now", stone.effect).call("now")
        events += [Shortfall(name, k, n - has[k], "TW-8") for k, n in price.items() if n > has[k]]
        events += [Points(name, gains["points"], action.kind)] if "points" in gains else []
        has = {k: n - min(n, price.get(k, 0)) + gains.get(k, 0) for k, n in has.items()}
        state = replace(state, has=state.has | {name: has}, spaces=spaces, phase=phase)
        return self.settled(state, name, stack), events

    def settled(self, state: State, name: str, stack: Stack[What]) -> State:
        """What goes on by itself: moments come, steps beyond the end of both tracks lapse, turns end."""
        before, ending = None, state.phase == "ending" and name == state.turn
        while stack != before:
            before = stack
            if stack.top == "step" and not self.choices(state.has[name], stack):
                stack = stack.pop()
            stack = stack if "step" in stack.open else stack.call("settled")
            stack = stack.call("end") if ending and stack.idle else stack
        state = replace(state, stacks=state.stacks | {name: stack})
        if ending and stack.idle:
            turn = self.seats[(self.seats.index(name) + 1) % len(self.seats)]
            spaces = state.spaces if turn != self.seats[0] else {}
            return replace(state, turn=turn, phase="roll", left=state.left - 1, spaces=spaces)
        return state

    def totals(self, state: State) -> dict[str, int]:
        return {seat: has["points"] for seat, has in state.has.items()}

    def faults(self, state: State) -> list[str]:
        if [*state.has] != [*self.seats] or [*state.stacks] != [*self.seats] or state.turn not in self.seats:
            return [f"the seats are {', '.join(self.seats)}"]
        limits = dict.fromkeys(TRACKS, self.pack.content.rules["length"])
        numbers = [(seat, kind, n) for seat, has in state.has.items() for kind, n in has.items()]
        return [f"has.{s}.{k}: {n} cannot be" for s, k, n in numbers if not 0 <= n <= limits.get(k, n)]

    def chance(self, state: State, rng: random.Random) -> Action | None:
        return Roll(rng.choice((1, 2, 3))) if self.acting(state) == (Acting(TABLE, "roll"),) else None


class YardTitle(Title):
    id, name, edition, tag, stage = "toy_yard", "Yard", "toy", "Y", "alpha"
    seats, seats_rule, rules_version = (2, 3), "TW-0", 1
    default_pack, content, rules = "basic", Content, Yard


TITLE = YardTitle()
