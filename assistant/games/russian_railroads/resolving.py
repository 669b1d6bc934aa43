"""What operations do, what they ask, and what goes on by itself (RR-TURN-3 to 5, RR-TRIG)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assistant.events import Event, Moved, Points, Told
from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.feasible import possible
from assistant.games.russian_railroads.pack import MOST_DOUBLERS, SLOTS, Space, Special
from assistant.games.russian_railroads.scoring import holds
from assistant.games.russian_railroads.state import (
    AskSwap,
    BonusDue,
    HoldLoco,
    Offer,
    Player,
    State,
    Task,
    Token,
)
from assistant.games.russian_railroads.tracks import (
    can_march,
    gap_number,
    stepped,
    steps,
)

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

NOW, DEFERRED, END = "now", "deferred", "end"
"""Moments: what became due together; what may wait (A-04); what comes last (RR-TRIG-4)."""

NOBODY = Player(0, 0, 0, 0, {})
"""Who acts while the table does."""

BONUS_POINTS = 10
"""Instead of an end bonus card (RR-EB-1)."""


class Change:
    """A state while one action is applied. `probing`: only whether an action can be completed is asked, so
    nothing happens once nothing is open; `failed`: a part of it had to lapse.

    The stack and the acting player change with almost everything. They are kept beside the `table`, whose own
    are behind, and `now` puts them together.
    """

    def __init__(self, game: RussianRailroads, state: State, *, probing: bool = False) -> None:
        self.game = game
        self.table = state
        self.seat = state.turn
        """Who acts."""
        self.player = state.players.get(state.turn, NOBODY)
        """What that player has."""
        self.stack = state.stack
        self.probing = probing
        self.failed = False
        self.events: list[Event] = []

    @property
    def now(self) -> State:
        """The state as it stands."""
        self.hand_over(self.seat)
        return self.table

    def hand_over(self, seat: str) -> None:
        """From now on another seat acts."""
        table, mine = self.table, self.seat
        players = table.players
        if mine and players[mine] is not self.player:
            players = {**players, mine: self.player}
        elif seat == mine and table.stack is self.stack:
            return
        self.table = replace(table, players=players, stack=self.stack, turn=seat)
        if seat != mine:
            self.seat = seat
            self.player = players.get(seat, NOBODY)

    def set(self, **fields: Any) -> None:
        """Change fields of the table."""
        self.table = replace(self.table, **fields)

    def own(self, **fields: Any) -> None:
        """Change fields of the acting player."""
        self.player = replace(self.player, **fields)

    def of(self, seat: str) -> Player:
        """What a player has."""
        return self.player if seat == self.seat else self.table.players[seat]

    def give(self, seat: str, **fields: Any) -> None:
        """Change fields of a player."""
        if seat == self.seat:
            self.own(**fields)
        else:
            players = self.table.players
            self.set(players={**players, seat: replace(players[seat], **fields)})

    def push(self, *tasks: Task) -> None:
        """Tasks for the stack; the first one given comes next."""
        self.stack = self.stack.push(*tasks[::-1])

    def pop(self) -> Task:
        """Take the top task off."""
        stack = self.stack
        self.stack = stack.pop()
        return stack.open[-1]

    def together(self, tasks: Sequence[Task]) -> None:
        """Tasks that become due together: their seat puts them in an order."""
        for task in tasks:
            self.stack = self.stack.file(NOW, task)
        self.stack = self.stack.call(NOW)

    def score(self, amount: int, source: str, detail: str, rule: str) -> None:
        """Points for the acting player, at once."""
        if amount:
            self.own(score=self.player.score + amount)
            self.events.append(Points(self.seat, amount, source, detail, rule))

    def gain_roubles(self, amount: int) -> None:
        """Roubles from the supply, substitutes where it has run out (A-29)."""
        if self.game.hard_roubles:
            amount = min(amount, self.table.roubles)
        if amount:
            self.own(roubles=self.player.roubles + amount)
            self.set(roubles=self.table.roubles - amount)
            self.events.append(Moved(self.seat, "roubles", amount, "RR-AUX-2"))

    def start(self, action: Sequence[Any], source: str, *, own: bool, any_order: bool = False) -> None:
        """Begin an action: its operations in order, or in the order of the player's choice (A-59)."""
        tasks = [Task(op, own, source) for op in action]
        if own:
            # A locomotive once taken has to be placed: whether it is taken is asked before.
            tasks = [Task(Offer((t.op,)), True, source) if isinstance(t.op, ops.Loco) else t for t in tasks]
        if any_order and len(tasks) > 1:
            self.together(tasks)
        else:
            self.push(*tasks)

    # Steps and what they trigger --------------------------------------------------------------------

    def step(self, railroad: str, colour: int) -> None:
        """One track step, then what it triggers (RR-TRIG-1)."""
        tracks = stepped(self.game, self.player.tracks, railroad, colour)
        self.own(tracks=tracks)
        if specials := self.game.on_space.get((railroad, colour, tracks[railroad][colour])):
            self.fire(specials)

    def march(self, marker: int) -> None:
        """One industry step; a filled gap triggers its factory (RR-IND-4)."""
        player, content = self.player, self.game.content
        there = player.markers[marker] + 1
        markers = (*player.markers[:marker], there, *player.markers[marker + 1 :])
        self.own(markers=markers)
        if content.industry[there].gap:
            number = player.factories[gap_number(content, there)]
            action = self.game.factory_action(number)
            if action:
                self._trigger([Task(Offer(action), True, f"factory:{number}")])
        if specials := self.game.on_space.get(("IND", 0, there)):
            self.fire(specials)

    def fire(self, specials: Sequence[Special]) -> None:
        """Those of some one-time triggers that have become true (section 12)."""
        player = self.player
        before = player.fired
        new = [special for special in specials if special.id not in before and holds(player, special)]
        if not new:
            return
        happened = {special.id for special in new}.union(before)
        self.own(fired=tuple(s.id for s in self.game.content.specials if s.id in happened))
        asked = []
        for special in new:
            if special.effect == "token":
                asked.append(Task(Token(special.id), True, special.id))
            elif special.effect == "unlock":
                self.events.append(Told("unlock", self.seat, {"colour": special.unlock}))
                if special.steps:
                    at_once = ops.Advance((special.unlock,), special.steps, railroads=(special.railroad,))
                    asked.append(Task(at_once, True, special.id))
            elif special.effect == "points":
                self.score(special.points, "end_of_line", special.railroad, "RR-SPEC-2")
            else:
                self.gain_worker(special.id)
        self._trigger(asked)

    def _trigger(self, tasks: list[Task]) -> None:
        """Decisions that have come up: at once, or at the end of the turn (A-04)."""
        if self.game.defer_triggers:
            for task in tasks:
                self.stack = self.stack.file(DEFERRED, task)
        elif len(tasks) > 1:
            self.together(tasks)
        elif tasks:
            self.push(*tasks)

    def gain_worker(self, source: str) -> None:
        """A worker from the reserve, free at once (RR-SPEC-12, A-53)."""
        player = self.player
        if player.reserve:
            self.own(reserve=player.reserve - 1, workers=player.workers + 1, free=player.free + 1)
            self.events.append(Moved(self.seat, "workers", 1, "RR-SPEC-12"))

    # Locomotives --------------------------------------------------------------------------------------

    def place_loco(self, held: HoldLoco, slot: int) -> None:
        """Put a locomotive into a slot; one that it displaces comes into hand (RR-LOCO-3, -5)."""
        player = self.player
        displaced = player.locos[slot]
        was_special = player.special_loco == SLOTS[slot]
        locos = (*player.locos[:slot], held.number, *player.locos[slot + 1 :])
        special = SLOTS[slot] if held.special else "" if was_special else player.special_loco
        self.own(locos=locos, special_loco=special)
        if displaced:
            self.push(Task(HoldLoco(displaced, special=was_special), source="chain"))
        else:
            self.fire(self.game.with_locos)

    def flip_loco(self, held: HoldLoco) -> None:
        """A locomotive becomes a returned factory, or leaves the game (RR-LOCO-6, -10)."""
        if not held.special:
            self.set(returned=tuple(sorted((*self.table.returned, held.number))))
        self.fire(self.game.with_locos)

    # Going on -----------------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Carry out what needs nobody."""
        while True:
            stack = self.stack
            if stack.together and (due := stack.due):
                if any(task != due[0] for task in due):
                    return
                self.stack = stack.first(0)
                continue
            task = stack.top
            if task is not None:
                step = STEPS.get(type(task.op))
                if step is None or not step(self, task):
                    return
                continue
            if stack.filed:
                moments = [moment for moment, _ in stack.filed]
                self.stack = stack.call(DEFERRED if DEFERRED in moments else END)
                continue
            if self.probing or not self.game.flow.turn_over(self):
                return

    def lapse(self, task: Task) -> bool:
        """What cannot be carried out is dropped: of an own action it is lost, of a contested one it should
        not have come to that, except after an overruled act."""
        self.pop()
        self.failed = self.failed or not task.own
        return True


Carry = Callable[[Change, Task], bool]
"""Goes on with the top task; False when it waits for the player."""


def _advance(change: Change, task: Task) -> bool:
    choices = advance_choices(change.game, change.player, task)
    if not choices:
        return change.lapse(task)
    if task.own or len(choices) > 1:
        return False
    step_of(change, task, *choices[0])
    return True


def advance_choices(game: RussianRailroads, player: Player, task: Task) -> list[tuple[str, int]]:
    """Steps that the top task allows."""
    op: Any = task.op
    found = steps(game, player.tracks, op)
    return [piece for piece in found if piece not in task.moved] if op.distinct else found


def step_of(change: Change, task: Task, railroad: str, colour: int) -> None:
    """Make one step of the top task."""
    op: Any = task.op
    change.pop()
    if op.n > 1:
        moved = (*task.moved, (railroad, colour)) if op.distinct else ()
        change.push(replace(task, op=replace(op, n=op.n - 1), moved=moved))
    change.step(railroad, colour)


def _industry(change: Change, task: Task) -> bool:
    choices = march_choices(change.game, change.player)
    if not choices:
        return change.lapse(task)
    if task.own or len(choices) > 1:
        return False
    march_of(change, task, choices[0])
    return True


def march_choices(game: RussianRailroads, player: Player) -> list[int]:
    """Markers, from 0, that may move; of two on one cell the first."""
    found = [marker for marker in range(len(player.markers)) if can_march(game.content, player, marker)]
    if len(found) == 2 and player.markers[0] == player.markers[1]:
        return found[:1]
    return found


def march_of(change: Change, task: Task, marker: int) -> None:
    """Make one industry step of the top task."""
    op: Any = task.op
    change.pop()
    if op.n > 1:
        change.push(replace(task, op=replace(op, n=op.n - 1)))
    change.march(marker)


def _doubler(change: Change, task: Task) -> bool:
    op: Any = task.op
    change.pop()
    player = change.player
    count = min(op.n, MOST_DOUBLERS - player.doublers, change.table.doublers)
    change.failed = change.failed or (count < op.n and not task.own)
    change.own(doublers=player.doublers + count)
    change.set(doublers=change.table.doublers - count)
    return True


def _roubles(change: Change, task: Task) -> bool:
    op: Any = task.op
    change.pop()
    change.gain_roubles(op.n)
    return True


def _temps(change: Change, task: Task) -> bool:
    if not possible(change.game, change.now, change.seat, task.op):
        return change.lapse(task)
    change.pop()
    change.own(temps=change.player.temps + change.game.temp_workers)
    return True


def _points(change: Change, task: Task) -> bool:
    op: Any = task.op
    change.pop()
    change.score(op.n, "effect", task.source, "RR-TURN-3")
    return True


def _sum_engineers(change: Change, task: Task) -> bool:
    change.pop()
    change.score(sum(change.player.engineers), "effect", task.source, "RR-TURN-3")
    return True


def _top_locos(change: Change, task: Task) -> bool:
    op: Any = task.op
    change.pop()
    best = sorted(change.player.locos, reverse=True)[: op.n]
    change.score(sum(best), "effect", task.source, "RR-TURN-3")
    return True


def _end_bonus(change: Change, task: Task) -> bool:
    change.pop()
    change.stack = change.stack.file(END, Task(BonusDue(), task.own, task.source))
    return True


def _bonus_due(change: Change, task: Task) -> bool:
    if change.table.bonus["pile"].size:
        return False
    change.pop()
    change.score(BONUS_POINTS, "bonus_points", "", "RR-EB-1")
    return True


def _take_q_card(change: Change, task: Task) -> bool:
    cards = change.game.usable_q_cards(change.now, change.seat)
    if len(cards) > 1:
        return False
    change.pop()
    if cards:
        take_q_card(change, cards[0])
    return True


def take_q_card(change: Change, card: str) -> None:
    """The pieces of a ?-card go to the player, its action is contested (RR-TOK-5)."""
    player = change.player
    change.set(q_cards=tuple(other for other in change.table.q_cards if other != card))
    change.own(q_cards=(*player.q_cards, card))
    change.start(change.game.q_cards[card].action, card, own=False)


def _worker(change: Change, task: Task) -> bool:
    change.pop()
    change.gain_worker(task.source)
    return True


def _black_worker(change: Change, task: Task) -> bool:
    change.pop()
    change.own(black=True, black_free=True)
    return True


def _loco(change: Change, task: Task) -> bool:
    number = change.game.lowest(change.table)
    if not number:
        return change.lapse(task)
    change.pop()
    left = change.table.piles[str(number)] - 1
    change.set(piles={**change.table.piles, str(number): left})
    change.push(Task(HoldLoco(number, new=True), task.own, task.source))
    return True


def _special_loco(change: Change, task: Task) -> bool:
    change.pop()
    change.push(Task(HoldLoco(change.game.special_number, new=True, special=True), task.own, task.source))
    return True


def _hold_loco(change: Change, task: Task) -> bool:
    held: Any = task.op
    slots, flips = loco_choices(change.game, change.player, held)
    if len(slots) + flips > 1:
        return False
    change.pop()
    if slots:
        change.place_loco(held, slots[0])
    else:
        change.flip_loco(held)
    return True


def loco_choices(game: RussianRailroads, player: Player, held: HoldLoco) -> tuple[list[int], bool]:
    """Slots that a locomotive in hand may go to, and whether it may be flipped (RR-LOCO-3 to 8)."""
    slots = [slot for slot, there in enumerate(player.locos) if there < held.number]
    if not slots:
        return [], True
    full = all(player.locos)
    return slots, full and not held.new and not game.chain_must_continue


def _factory(change: Change, task: Task) -> bool:
    choices = build_choices(change.game, change.table, change.player)
    if not choices:
        return change.lapse(task)
    if task.own or len(choices) > 1:
        return False
    change.pop()
    build(change, *choices[0])
    return True


def build_choices(game: RussianRailroads, state: State, player: Player) -> list[tuple[int, int]]:
    """Factories, with their place from 1, that may be built (RR-FACT-2 to 4)."""
    numbers = sorted({game.lowest(state), *state.returned} - {0})
    filled = sum(1 for factory in player.factories if factory)
    places = [filled + 1] if filled < len(player.factories) else range(1, filled + 1)
    return [(number, place) for number in numbers for place in places]


def build(change: Change, number: int, place: int) -> None:
    """A factory of a number goes to a place; the one there is returned (RR-FACT)."""
    state, player = change.table, change.player
    if number in state.returned:
        returned = list(state.returned)
        returned.remove(number)
        change.set(returned=tuple(returned))
    else:
        change.set(piles={**state.piles, str(number): state.piles[str(number)] - 1})
    old = player.factories[place - 1]
    factories = (*player.factories[: place - 1], number, *player.factories[place:])
    change.own(factories=factories)
    if old:
        change.set(returned=tuple(sorted((*change.table.returned, old))))


def _choice(change: Change, task: Task) -> bool:
    branches = branch_choices(change.game, change.now, change.seat, task)
    if not branches:
        return change.lapse(task)
    if task.own or len(branches) > 1:
        return False
    branch_of(change, change.pop(), branches[0])
    return True


def branch_choices(game: RussianRailroads, state: State, seat: str, task: Task) -> list[int]:
    """Branches, from 1, that can be carried out."""
    op: Any = task.op
    return [n for n, branch in enumerate(op.branches, 1) if game.doable(state, seat, (branch,), task.own)]


def branch_of(change: Change, task: Task, number: int) -> None:
    """Go on with a branch of a task that was taken off the stack."""
    op: Any = task.op
    change.push(replace(task, op=op.branches[number - 1]))


def _reuse(change: Change, task: Task) -> bool:
    spaces = change.game.reusable(change.now, change.seat, contested=not task.own, source=task.source)
    return change.lapse(task) if not spaces else False


def _borrow(change: Change, task: Task) -> bool:
    numbers = change.game.borrowable(change.now, change.seat, contested=not task.own)
    return change.lapse(task) if not numbers else False


def _special_engineer(change: Change, task: Task) -> bool:
    change.pop()
    change.own(engineers=tuple(sorted((*change.player.engineers, change.game.unlettered))))
    return True


def _revalue(change: Change, task: Task) -> bool:
    change.pop()
    change.own(revalued=True)
    return True


def _second_marker(change: Change, task: Task) -> bool:
    op: Any = task.op
    change.pop()
    if len(change.player.markers) == 1:
        change.own(markers=(*change.player.markers, 0))
    change.push(Task(ops.Industry(op.steps), True, task.source))
    return True


def _medal(change: Change, task: Task) -> bool:
    change.pop()
    change.own(medal=True)
    return True


def _hire(change: Change, task: Task) -> bool:
    number = change.table.strip[-1]
    if not number:
        return change.lapse(task)
    change.pop()
    change.set(strip=(*change.table.strip[:-1], 0))
    change.own(engineers=tuple(sorted((*change.player.engineers, number))))
    return True


def _turn_order(change: Change, task: Task) -> bool:
    change.pop()
    return True


def _offer(change: Change, task: Task) -> bool:
    op: Any = task.op
    if any(change.game.doable(change.now, change.seat, (one,), True) for one in op.ops):
        return False
    return change.lapse(task)


def _token(change: Change, task: Task) -> bool:
    if len(change.player.tokens) > 1:
        return False
    change.pop()
    for token in change.player.tokens:
        take_token(change, token)
    return True


def take_token(change: Change, token: str) -> None:
    """A ?-token is used up; its effect is an own action (RR-SPEC-Q)."""
    change.own(tokens=tuple(other for other in change.player.tokens if other != token))
    change.push(Task(Offer(change.game.q_tokens[token].action), True, token))


def _swap(change: Change, task: Task) -> bool:
    op: Any = task.op
    spaces = change.game.spaces.swappable(change.table, change.seat)
    if len(spaces) > 1:
        return False
    change.pop()
    if spaces:
        swap(change, op.space, spaces[0])
    return True


def swap(change: Change, order_space: str, other: str) -> None:
    """The piece on a turn-order space and an own worker elsewhere change places (RR-ORD-5)."""
    placed = list(change.table.placed)
    mine = [index for index, p in enumerate(placed) if p.seat == change.seat]
    at = next(index for index in reversed(mine) if placed[index].space == order_space)
    # The bottom space may have been used before, paid with something else.
    to = next(index for index in mine if placed[index].space == other and placed[index].workers)
    booked, there = placed[at], placed[to]
    placed[at] = replace(booked, workers=1, black=0, temps=0, roubles=0)
    placed[to] = replace(
        there,
        workers=there.workers - 1,
        black=there.black + booked.black,
        temps=there.temps + booked.temps,
        roubles=there.roubles + booked.roubles,
        swapped=True,
    )
    change.set(placed=tuple(placed))


STEPS: dict[type[Any], Carry] = {
    ops.Advance: _advance,
    ops.Loco: _loco,
    ops.Factory: _factory,
    ops.Industry: _industry,
    ops.Doubler: _doubler,
    ops.Roubles: _roubles,
    ops.TempWorkers: _temps,
    ops.Points: _points,
    ops.SumEngineers: _sum_engineers,
    ops.TopLocos: _top_locos,
    ops.EndBonus: _end_bonus,
    ops.TakeQCard: _take_q_card,
    ops.Worker: _worker,
    ops.BlackWorker: _black_worker,
    ops.SpecialLoco: _special_loco,
    ops.SpecialEngineer: _special_engineer,
    ops.Revalue: _revalue,
    ops.SecondMarker: _second_marker,
    ops.Medal: _medal,
    ops.ReuseSpace: _reuse,
    ops.UseOtherEngineer: _borrow,
    ops.TurnOrder: _turn_order,
    ops.Hire: _hire,
    ops.Choice: _choice,
    HoldLoco: _hold_loco,
    Offer: _offer,
    Token: _token,
    BonusDue: _bonus_due,
    AskSwap: _swap,
}
"""How each kind of task goes on by itself."""


def black_only(space: Space) -> bool:
    """Whether an action is about black tracks alone (A-20b)."""
    return bool(space.action) and all(
        isinstance(op, ops.Advance) and op.colours == ("black",) for op in space.action
    )
