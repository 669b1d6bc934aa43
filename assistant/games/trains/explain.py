"""Which actions explain what the camera saw: cards in the lanes, rails and stations on the map.

The camera sees that a card was played, not whether its effect was applied; that a card was bought; tokens;
and cards that somebody was asked to show, discard, return or trash. It sees no money and no choice. What is
new is done action by action with the rules themselves, in the order of first sighting as far as the rules
allow it. Where a card could be played with or without its effect both are tried: what lies there besides (a
rail, a Waste) often tells; otherwise the seat is asked.

In a lane cards overlap: what is not seen there is not missing. The lanes in which cards only pass by are read
while something asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from assistant.actions import Action
from assistant.dealing import Reveal
from assistant.games.trains import asking
from assistant.games.trains import effects as fx
from assistant.games.trains.actions import (
    Buy,
    Discard,
    Lay,
    Leftovers,
    PassReturn,
    Pick,
    PlaceStation,
    Play,
    ReturnWaste,
    StartPlace,
    TrashIt,
)
from assistant.games.trains.explain_seen import Changes, Item, Sort, Table, called, sorted_out
from assistant.games.trains.hands import hand_of
from assistant.games.trains.layout import DISCARD, GAINED, LEFTOVER, PLAY, RETURN, REVEAL, TRASH
from assistant.games.trains.resolving import pickable
from assistant.games.trains.state import DRAWS, REVEALS, GainToHand, LayNow, ShowHand, State
from assistant.reading import (
    NO_GUESS,
    Difference,
    Edit,
    Hole,
    InStep,
    Kind,
    OutOfStep,
    Proposal,
    Reading,
    Seen,
    Several,
    Step,
    repair,
)
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

MOST_FORKS = 24
"""Cards that are tried with and without their effect for one look."""

KINDS: dict[str, Kind] = {
    "TR-START-1": "not_now",
    "TR-START-3": "wrong_place",
    "TR-START-4": "hex_full",
    "TR-TURN-2": "not_now",
    "TR-END-4": "not_now",
    "TR-PASS-3": "not_now",
    "TR-LAY-1": "not_now",
    "TR-LAY-2": "not_connected",
    "TR-LAY-3": "not_connected",
    "TR-LAY-4": "hex_full",
    "TR-LAY-5": "over_budget",
    "TR-LAY-11": "no_tokens",
    "TR-STN-1": "wrong_place",
    "TR-STN-2": "hex_full",
    "TR-BUY-1": "over_budget",
}
"""How a broken rule is told of a piece; of a card whose rule is not here: it is the wrong one."""


class Run(Struct, frozen=True):
    """One way to explain everything: what was done, and what cannot have been."""

    state: State
    steps: tuple[Step, ...]
    wrong: tuple[Difference, ...]
    open: bool = False
    """Whether more lies there, to be explained once an open choice is made."""


def explain(game: Trains, state: State, seen: Seen) -> Reading:
    """The reading of what was seen in this state."""
    table = sorted_out(game, state, seen)
    look = Look(game, table)
    changes = look.changes
    amiss = [*table.odd, *changes.missing(state), *changes.left_over(state)]
    runs = [look.counted(run) for run in look.runs(state, changes.fresh(state, amiss), (), ())]
    least = min(len(run.wrong) for run in runs)
    best = [run for run in runs if len(run.wrong) == least]
    wrong = (*amiss, *best[0].wrong)
    hidden = tuple(sorted(seen.hidden))
    if wrong:
        return OutOfStep(wrong, _repairs(wrong), hidden)
    # Where every way leaves something for later, nothing yet tells one from another.
    ways = _parted([run.steps for run in (runs if all(run.open for run in best) else best)])
    if not any(isinstance(step, Action) for step in ways[0]):
        return InStep(look.waiting(state, ways[0]), hidden)
    sure = not look.doubtful(state)
    if len(ways) == 1:
        return Proposal(ways[0], sure)
    return Several(tuple(Proposal(way, sure) for way in ways))


def _parted(ways: Sequence[tuple[Step, ...]]) -> list[tuple[Step, ...]]:
    """The ways up to where they part: what follows is told once that is answered."""
    at = 0
    while len({way[at : at + 1] for way in ways}) == 1 and at < len(ways[0]):
        at += 1
    return list(dict.fromkeys(way[: at + 1] for way in ways))


def _repairs(wrong: tuple[Difference, ...]) -> tuple[tuple[Edit, ...], ...]:
    """The edits that put everything right; none where no guess is better than another."""
    if any(d.kind in NO_GUESS for d in wrong):
        return ()
    return (tuple(map(repair, wrong)),)


class Look:
    """One look at the table. `runs` may be gone through once."""

    def __init__(self, game: Trains, table: Table) -> None:
        self.game = game
        self.table = table
        self.changes = Changes(game, table)
        self._forks = 0

    # Explaining it.

    def runs(
        self, state: State, items: list[Item], steps: tuple[Step, ...], wrong: tuple[Difference, ...]
    ) -> Iterator[Run]:
        """Every way to go on from a state with what is left to explain."""
        while True:
            if state.stack and state.phase == "turns":
                answer, used = self._answer(state, items)
                if answer is None:
                    if any(isinstance(step, Action) for step in steps):
                        # What comes after an open choice is explained once that is made.
                        yield Run(state, (*steps, self._hole(state)), wrong, bool(items))
                        return
                    if not items:
                        yield Run(state, (self._hole(state),), wrong)
                        return
                elif self.game.refuse(state, answer) is None:
                    state, steps = self._done(state, answer), (*steps, answer)
                    items = [item for item in items if item not in used] if used else items
                    continue
            if not items:
                passing = self._passed(state)
                yield Run(state, steps if steps or not passing else (passing,), wrong)
                return
            found = next(((i, ways) for i in items if (ways := self._ways(state, i))), None)
            if found is None:
                item, items = items[0], items[1:]
                if told := self._told(state, item):
                    wrong = (*wrong, told)
                continue
            item, ways = found
            items = list(items)
            items.remove(item)
            if len(ways) > 1 and self._forks < MOST_FORKS:
                self._forks += 1
                for way in ways:
                    yield from self.runs(self._done(state, way), items, (*steps, way), wrong)
                return
            state, steps = self._done(state, ways[0]), (*steps, ways[0])

    def _passed(self, state: State) -> PassReturn | None:
        """Passing, where Waste is laid back by who has done nothing yet (TR-PASS-2)."""
        count = sum(card.id == self.game.waste for card in self.table.lanes.get(RETURN, ()))
        action = PassReturn(self.game.seats[state.active], count)
        legal = count and state.phase == "turns" and self.game.refuse(state, action) is None
        return action if legal else None

    def _done(self, state: State, action: Action) -> State:
        return self.game.apply(state, action)[0]

    def _ways(self, state: State, item: Item) -> list[Action]:
        """The legal actions that put something new there, the likeliest first."""
        return [action for action in self._actions(state, item) if self.game.refuse(state, action) is None]

    def _actions(self, state: State, item: Item) -> list[Action]:
        seat = self.game.seats[state.active]
        if item.sort == "rail":
            if state.phase == "start":
                return [StartPlace(item.mark, item.what)]
            return [Lay(item.mark, item.what)]
        if item.sort == "station":
            return [PlaceStation(seat, item.what)]
        if item.sort == "gained":
            return [Buy(seat, item.what, top, item.mark) for top in (False, True)]
        return [Play(seat, item.what, apply, item.mark) for apply in (True, False)]

    def _told(self, state: State, item: Item) -> Difference | None:
        """Why something new cannot be there; nothing while a hidden rail could connect it."""
        game = self.game
        action = self._actions(state, item)[0]
        if isinstance(action, Play):
            action = Play(action.seat, action.card, False, action.copy)
        broken: Violation | None = game.refuse(state, action)
        assert broken is not None
        grid = game.board.grid
        loose = item.sort == "rail" and broken.rule == "TR-LAY-2"
        if loose and grid.neighbours(grid.bit[item.what]) & self.table.hidden:
            return None
        token = item.sort in ("rail", "station")
        kind = KINDS.get(broken.rule, "not_now" if token else "wrong_card")
        over = kind == "over_budget" and "cost" in broken.values
        n = broken.values["cost"] - broken.values["have"] if over else 0
        if broken.rule == "TR-LAY-11":
            n = 1
        if token:
            seat = item.mark if item.sort == "rail" else None
            return Difference(kind, item.what, seat, broken.rule, n, item.sort)
        kind = "wrong_card" if kind == "over_budget" and not over else kind
        name = called(game, f"{item.what}-{item.mark}")
        return Difference(kind, item.sort, game.seats[state.active], broken.rule, n, name)

    # What an open resolution asks.

    def _answer(self, state: State, items: list[Item]) -> tuple[Action | None, list[Item]]:
        """What on the table answers the top task, if anything, and the new things that it takes."""
        game, seat = self.game, self.game.seats[state.active]
        task = state.stack[-1]
        line: Any = task.line
        sort: dict[type[Any], Sort] = {fx.Station: "station", LayNow: "rail"}
        if type(line) in sort:
            here = [item for item in items if item.sort == sort[type(line)] and self._ways(state, item)]
            return (self._ways(state, here[0])[0], here[:1]) if here else (None, [])
        if type(line) in (fx.ShowCopy, GainToHand):
            choice = pickable(game, state, line, task.this)
            here = [item for item in items if item.sort == "gained" and item.what in choice]
            return (Pick(seat, here[0].what), here[:1]) if here else (None, [])
        ids = {lane: [card.id for card in cards] for lane, cards in self.table.lanes.items()}
        return self._passing(state, seat, line, ids), []

    def _passing(self, state: State, seat: str, line: Any, lanes: dict[str, list[str]]) -> Action | None:
        """The answer that lies in a lane where cards pass by, if enough of them do."""
        game, kind = self.game, type(line)
        answer: Action | None = None
        if kind in REVEALS:
            new, due = [card.id for card in self.changes.new(state, REVEAL)], game.debts(state)[seat]
            if due.what == "reveal" and len(new) >= due.now:
                answer = Reveal(seat, tuple(new[: due.now]))
        elif kind is ShowHand:
            left, size = lanes.get(LEFTOVER, []), hand_of(state.cards[seat]).size
            if game.open_hands and len(left) == size:
                answer = Leftovers(seat, size, tuple(left))
        elif kind in (fx.Discard, fx.DiscardAny) and lanes.get(DISCARD):
            answer = Discard(seat, tuple(lanes[DISCARD]))
        elif kind is fx.ReturnWaste and lanes.get(RETURN):
            answer = ReturnWaste(seat, lanes[RETURN].count(game.waste))
        elif kind is fx.Exchange and lanes.get(TRASH):
            answer = Pick(seat, lanes[TRASH][-1])
        elif kind is fx.TrashSelf and state.stack[-1].this in lanes.get(TRASH, ()):
            answer = TrashIt(seat, True)
        return answer if answer is not None and game.refuse(state, answer) is None else None

    def _hole(self, state: State) -> Hole:
        """What has to be settled before anything else."""
        game, seat = self.game, self.game.seats[state.active]
        task = state.stack[-1]
        kind = type(task.line)
        why = asking.why(task)
        if kind is ShowHand:
            left = hand_of(state.cards[seat]).size - len(self.table.lanes.get(LEFTOVER, ()))
            return Hole("cards", seat, left, detail=why)
        if kind in DRAWS or kind in REVEALS:
            due = game.debts(state)[seat]
            lying = len(self.changes.new(state, REVEAL)) if kind in REVEALS else 0
            return Hole("cards", seat, max(1, due.count - lying), detail=why)
        return Hole("choice", seat, detail=why)

    # The rest.

    def counted(self, run: Run) -> Run:
        """A run with what the Waste in the gained lane says about it: there may not be too much."""
        state, game = run.state, self.game
        if self.changes.clearing(state) or any(isinstance(step, Hole) for step in run.steps):
            return run
        over = self.changes.waste(state)
        if over <= 0:
            return run
        seat = game.seats[state.active]
        told = Difference("wrong_count", GAINED, seat, "TR-WASTE-1", over, game.name_of(game.waste))
        return Run(state, run.steps, (*run.wrong, told))

    def waiting(self, state: State, way: tuple[Step, ...]) -> Hole | None:
        """What the table is still to show: cards that are asked for, or Waste that was gained."""
        if way and isinstance(way[0], Hole):
            return way[0] if way[0].kind == "cards" else None
        missing = -self.changes.waste(state)
        if missing <= 0 or self.changes.clearing(state) or GAINED in self.table.hidden_lanes:
            return None
        return Hole("cards", self.game.seats[state.active], missing, detail=self.game.waste)

    def doubtful(self, state: State) -> bool:
        """Whether hidden places could change what was found."""
        if self.table.hidden_lanes & {PLAY, GAINED}:
            return True
        grid = self.game.board.grid
        new = [rails & ~state.tokens[seat] for seat, rails in enumerate(self.table.rails)]
        return any(grid.neighbours(mask) & self.table.hidden for mask in new)
