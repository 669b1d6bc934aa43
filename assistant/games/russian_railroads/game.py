"""Russian Railroads bound to a pack: who acts, what may be done, what is broken, what follows."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace

from assistant import cards as c
from assistant.actions import TABLE, Action
from assistant.dealer import top
from assistant.display import Display, Foresight
from assistant.events import Event, Points
from assistant.game import PUBLIC, Acting, EndFact, Game, SetUpStep, Title
from assistant.games.russian_railroads import (
    answering,
    edges,
    feasible,
    layout,
    ops,
    questions,
    scene,
    wording,
)
from assistant.games.russian_railroads.actions import (
    CODEC,
    Engineers,
    Move,
    Order,
    Pass,
    Reveal,
    Stay,
    Step,
    TakeStart,
    Use,
)
from assistant.games.russian_railroads.display import Screen
from assistant.games.russian_railroads.explain import explain, placing
from assistant.games.russian_railroads.faults import faults
from assistant.games.russian_railroads.flow import Flow, passed
from assistant.games.russian_railroads.foresight import Foresights
from assistant.games.russian_railroads.ops import COLOURS
from assistant.games.russian_railroads.pack import RAILROADS, Content, Special, Tile
from assistant.games.russian_railroads.player import sensible, slips
from assistant.games.russian_railroads.position import DERIVED, from_position
from assistant.games.russian_railroads.resolving import NOW, Change, black_only
from assistant.games.russian_railroads.scoring import final_points
from assistant.games.russian_railroads.spaces import ORDER_SPACES, OWN, Spaces, moved, place
from assistant.games.russian_railroads.state import AskSwap, Player, State, Task
from assistant.layout import Mat, Scene
from assistant.offers import Offer
from assistant.packs import Pack
from assistant.positions import Position
from assistant.reading import Reading, Seen, Spot
from assistant.rulings import Violation
from assistant.stacks import Stack

TABLE_INPUTS = {Engineers, Order, Reveal}
TURNS = {Use, Pass, Move, Stay, TakeStart}
"""Actions of the table, and those that begin when no decision is open."""
WHY = {"starting": "starting", "actions": "turn", "moves": "move"}
"""What a player is asked when no decision is open, by phase."""


class RussianRailroads(Game[State]):
    """The rules of Russian Railroads for one table. All methods are pure."""

    state_type = State
    codec = CODEC
    derived = DERIVED
    seen_kinds = frozenset({"engineers", "order", "use", "move", "swap"})
    labels: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "step": ("row", "cell"),
        "march": ("row", "cell"),
        "first": ("what",),
        "branch": ("what",),
    }
    slip_kinds = frozenset({"wrong_seat", "hex_full", "not_now", "not_a_space", "wrong_count"})
    waivable: ClassVar[frozenset[str]] = frozenset(
        {"RR-PAY-2", "RR-ORD-2", "RR-ORD-3", "RR-SPACE-2", "RR-TURN-4"}
    )

    def __init__(
        self, title: Title, pack: Pack[Content], seats: int, options: Mapping[str, str | bool]
    ) -> None:
        super().__init__(title, pack, seats, options)
        self.content: Content = pack.content
        content = self.content
        self.setup = next(setup for setup in content.setup if setup.players == seats)
        self.defer_triggers = bool(options["defer_triggers"])
        self.chain_must_continue = bool(options["chain_must_continue"])
        self.black_bonus = bool(options["black_worker_bonus"])
        self.hard_roubles = bool(options["hard_roubles"])
        self.colours: dict[str, int] = {railroad.id: railroad.colours for railroad in content.railroads}
        self.unlocks: dict[tuple[str, int], int] = {
            (special.railroad, special.space): COLOURS.index(special.unlock)
            for special in content.specials
            if special.effect == "unlock"
        }
        """By railroad and space of black: how many colours there were before."""
        self.on_space: dict[tuple[str, int, int], list[Special]] = {}
        """One-time triggers by railroad, colour and space; those of industry as of colour 0 on "IND"."""
        for special in content.specials:
            colour = COLOURS.index(special.colour) if special.railroad != "IND" else 0
            self.on_space.setdefault((special.railroad, colour, special.space), []).append(special)
        self.with_locos = [special for special in content.specials if special.loco]
        """One-time triggers that a locomotive can set off too."""
        self.granting = [s for s in content.specials if s.effect == "token" or s.steps]
        """Spaces of the boards that let a player do something more."""
        self.doubling = [rule for rule in content.lasting if rule.kind == "double"]
        self.stars = [rule for rule in content.lasting if rule.kind == "star"]
        self.engineers = {engineer.number: engineer for engineer in content.engineers}
        self.unlettered = next(e.number for e in content.engineers if not e.letter)
        self.q_tokens: dict[str, Tile] = {tile.id: tile for tile in content.tokens}
        self.q_cards: dict[str, Tile] = {tile.id: tile for tile in content.q_cards}
        self.starting: dict[str, Tile] = {tile.id: tile for tile in content.starting}
        self.each = content.supplies.locomotives - (4 - seats)
        """Locomotives of each number, at the start."""
        self._factories = {tile.number: tile.action for tile in content.factories}
        self.grants_workers = any(ops.grants(action, ops.Worker) for action in content.actions)
        """Whether anything but the railroads brings workers of the own colour."""
        self.temp_workers = content.supplies.temp_workers
        self.special_number = content.supplies.special_loco
        self.step_actions = {
            seat: {
                (railroad, index): Step(seat, railroad, colour)
                for railroad in RAILROADS
                for index, colour in enumerate(COLOURS)
            }
            for seat in self.seats
        }
        self.known_steps: dict[tuple[Any, ...], int] = {}
        self.known_choices: dict[tuple[Any, ...], list[tuple[str, int]]] = {}
        self.known_rooms: dict[tuple[tuple[int, ...], ...], tuple[int, ...]] = {}
        self.spaces = Spaces(self)
        self.flow = Flow(self)

    # Facts ------------------------------------------------------------------------------------------

    def factory_action(self, number: int) -> tuple[Any, ...]:
        """What a factory of a number does."""
        return self._factories.get(number, ())

    def last_round(self, state: State) -> bool:
        """Whether it is the last round (RR-LAST-1)."""
        return state.round >= self.setup.rounds

    def lowest(self, state: State) -> int:
        """The lowest number of which a locomotive is left, or 0 (RR-LOCO-2)."""
        return min((int(number) for number, left in state.piles.items() if left), default=0)

    def doable(
        self, state: State, seat: str, action: Sequence[Any], own: bool, any_order: bool = False
    ) -> bool:
        """Whether an action could be begun: in full if contested, at least in part if it is an own one."""
        if not own:
            return feasible.in_full(self, state, seat, action, any_order)
        return any(feasible.possible(self, state, seat, self._least(op)) for op in action)

    @staticmethod
    def _least(op: Any) -> Any:
        """The smallest part of an operation."""
        counted = isinstance(op, ops.Advance | ops.Industry | ops.Doubler | ops.Roubles)
        return replace(op, n=1) if counted else op

    def usable_q_cards(self, state: State, seat: str) -> list[str]:
        """?-cards that are left and can be used in full (A-39, A-40)."""
        return [card for card in state.q_cards if self.doable(state, seat, self.q_cards[card].action, False)]

    def reusable(self, state: State, seat: str, *, contested: bool, source: str = "") -> list[str]:
        """Spaces that a repeat effect of `source` may repeat (A-57, A-58)."""
        spaces = self.spaces

        def useful(space: str) -> bool:
            action = spaces.action(state, space)
            return self.doable(state, seat, action, not contested, spaces.any_order(space))

        return [space for space in spaces.repeatable(state, seat) if space != source and useful(space)]

    def borrowable(self, state: State, seat: str, *, contested: bool) -> list[int]:
        """Engineers of other players whose action can be used."""
        out = []
        for other, player in state.players.items():
            for number in player.engineers if other != seat else ():
                action = self.engineers[number].action
                borrows = ops.grants(action, ops.UseOtherEngineer, ops.ReuseSpace)
                if not borrows and self.doable(state, seat, action, not contested):
                    out.append(number)
        return out

    # Looking ahead ------------------------------------------------------------------------------------

    def search(self, state: State, seat: str, action: Sequence[Any], any_order: bool = False) -> bool:
        """Whether some way through the real rules carries out all of a contested action, its operations in
        order or in the order of the player's choice (RR-FEAS-1, -2)."""
        return self._completes(self.begun(state, seat, action, any_order))

    def begun(self, state: State, seat: str, action: Sequence[Any], any_order: bool) -> State:
        """A state in which all of a contested action is open."""
        tasks = [Task(op, False, "search") for op in action]
        stack: Stack[Task] = Stack()
        if any_order:
            for task in tasks:
                stack = stack.file(NOW, task)
            stack = stack.call(NOW)
        else:
            stack = stack.push(*reversed(tasks))
        return replace(state, turn=seat, stack=stack)

    def _completes(self, state: State) -> bool:
        """Whether the contested tasks that are open can all be carried out (`feasible.MOST` positions)."""
        change = Change(self, state, probing=True)
        change.go_on()
        ways, seen = [iter(() if change.failed else (change.now,))], 0
        while ways and seen < feasible.MOST:
            here = next(ways[-1], None)
            if here is None:
                ways.pop()
                continue
            seen += 1
            duties, own = parted(here.stack)
            if not duties or feasible.assured(self, here, duties, own):
                return True
            if not feasible.hopeless(self, here, duties, own):
                ways.append(self._ways(here))
        return False

    def _ways(self, state: State) -> Iterator[State]:
        """What comes of each answer to the open decision, as long as nothing mandatory lapses."""
        for action in answering.raw(self, state):
            change = Change(self, state, probing=True)
            answering.answer(change, action)
            change.go_on()
            if not change.failed:
                yield change.now

    def kept(self, state: State) -> list[Action]:
        """The answers to the open decision that leave what is mandatory possible (RR-FEAS-3); all of them
        where none does, which only an overruled action brings about."""
        answers = answering.raw(self, state)
        if len(answers) < 2 or self._harmless(state):
            return answers
        return [answer for answer in answers if self._keeps(state, answer)] or answers

    def spoils(self, state: State, action: Action, answers: Sequence[Action]) -> bool:
        """Whether one of the answers to the open decision is not among those that are `kept`."""
        if len(answers) < 2 or self._harmless(state) or self._keeps(state, action):
            return False
        return any(self._keeps(state, other) for other in answers if other != action)

    def _harmless(self, state: State) -> bool:
        """Whether numbers show that every answer to the open decision leaves what is mandatory possible."""
        stack, top = state.stack, state.stack.top
        alone = len(stack.open) == 1 and not stack.together
        if alone and top is not None and not top.own and type(top.op) is ops.Advance:
            # What is most often open: nothing but steps. None closes another, and nothing follows the last.
            return top.op.n == 1 or feasible.possible(self, state, state.turn, top.op)
        duties, own = parted(stack)
        if not duties:
            return True
        harmless = top is None or not top.own or not feasible.spoils(self, state, top.op, duties)
        if harmless and feasible.assured(self, state, duties, own):
            return True
        # Steps never close other steps. So nothing can be spoilt where no side effect is open or needed and
        # no tile is to be taken.
        plain = not own and not feasible.wants_tiles(duties)
        return plain and all(feasible.possible(self, state, state.turn, op) for op in duties)

    def _keeps(self, state: State, action: Action) -> bool:
        change = Change(self, state, probing=True)
        answering.answer(change, action)
        change.go_on()
        return not change.failed and self._completes(change.now)

    # Set-up -----------------------------------------------------------------------------------------

    def start(self) -> State:
        content, setup, count = self.content, self.setup, len(self.seats)
        rows: dict[str, tuple[int, ...]] = {r.id: (1,) for r in content.railroads}
        tokens = tuple(tile.id for tile in content.tokens)
        player = Player(setup.workers, setup.workers, setup.reserve, setup.roubles, rows, tokens=tokens)
        piles = {str(number): self.each for number in range(1, 10)}
        piles["1"] -= count
        zones = ("removed", *self.seats)
        bonus = c.shuffle(c.of(zones, "pile", [card.id for card in content.end_bonus]), "pile")
        for _ in range(2):
            bonus = c.slip(bonus, "pile", "removed")
        return State(
            phase="engineers",
            round=0,
            order=self.seats,
            turn="",
            players=dict.fromkeys(self.seats, player),
            piles=piles,
            returned=(),
            doublers=content.supplies.doublers,
            roubles=content.supplies.roubles - setup.roubles * count,
            strip=(0,) * (setup.waiting + setup.public + 1),
            q_cards=tuple(tile.id for tile in content.q_cards),
            starting=tuple(tile.id for tile in content.starting),
            bonus=bonus,
        )

    # Who acts ---------------------------------------------------------------------------------------

    def acting(self, state: State) -> tuple[Acting, ...]:
        phase = state.phase
        if state.turn:
            why = WHY[phase] if state.stack.idle else answering.why(state)
            return (Acting(state.turn, why),)
        if phase == "over":
            return ()
        if phase == "reveal" and not any(state.bonus[seat].unnamed for seat in self.seats):
            # A table that was entered to be scored at its end: its cards are known.
            return ()
        return (Acting(TABLE, phase),)

    def finished(self, state: State) -> bool:
        return state.phase == "over"

    # What may be done -------------------------------------------------------------------------------

    def offers(self, state: State, seat: str) -> list[Offer]:
        if seat == TABLE:
            return self._table_offers(state)
        if seat != state.turn or state.phase == "over":
            return []
        if not state.stack.idle:
            return list(self.kept(state))
        if state.phase == "starting":
            return [TakeStart(seat, card) for card in state.starting]
        if state.phase == "moves":
            return [*self._moves(state, seat), Stay(seat)]
        return [*self.spaces.offers(state, seat), Pass(seat)]

    def _moves(self, state: State, seat: str) -> list[Offer]:
        found = self.spaces.for_one_worker(state, seat)
        return [Move(seat, space) for space in found if space not in ORDER_SPACES]

    def _table_offers(self, state: State) -> list[Offer]:
        from assistant.games.russian_railroads.forms import EngineersForm, OrderForm, RevealForm

        if state.phase == "engineers":
            return [EngineersForm(self._letters(), self.setup.letters_b, self.setup.letters_a)]
        if state.phase == "order":
            return [OrderForm(self.seats)]
        if state.phase == "reveal":
            owner = self._unknown(state)
            return [RevealForm(owner, state.bonus)]
        return []

    def _letters(self) -> dict[str, tuple[int, ...]]:
        return {
            letter: tuple(e.number for e in self.content.engineers if e.letter == letter)
            for letter in ("A", "B")
        }

    def _unknown(self, state: State) -> str:
        """The first seat, in order of the table, whose kept cards are not known yet."""
        return next(seat for seat in self.seats if state.bonus[seat].unnamed)

    def chance(self, state: State, rng: random.Random) -> Action | None:
        if state.phase == "engineers":
            letters = self._letters()
            b = rng.sample(letters["B"], self.setup.letters_b)
            return Engineers((*b, *rng.sample(letters["A"], self.setup.letters_a)))
        if state.phase == "order":
            return Order(tuple(rng.sample(self.seats, len(self.seats))))
        if state.phase == "reveal":
            owner = self._unknown(state)
            return Reveal(owner, tuple(sorted(top(state.bonus, owner, state.bonus[owner].size, rng))))
        return None

    # What is broken ---------------------------------------------------------------------------------

    def violations(self, state: State, action: Any) -> Iterator[Violation]:
        seat = action.seat
        if state.phase == "over":
            yield Violation("RR-END-6")
        elif type(action) in TABLE_INPUTS:
            yield from self._table_violations(state, action)
        elif seat not in self.seats or seat != state.turn:
            late = state.phase == "actions" and seat in self.seats and state.players[seat].passed
            yield Violation("RR-PASS-1" if late else "RR-TURN-1", {"next": state.turn or TABLE})
        elif not state.stack.idle:
            if type(action) in TURNS:
                yield Violation("RR-TURN-2", {"open": answering.why(state)})
            else:
                yield from answering.violations(self, state, action)
        elif state.phase == "starting":
            if not isinstance(action, TakeStart) or action.card not in state.starting:
                yield Violation("RR-SETUP-14")
        elif state.phase == "moves":
            yield from self._move_violations(state, action)
        elif isinstance(action, Use):
            yield from self.spaces.violations(state, action)
        elif not isinstance(action, Pass):
            yield Violation("RR-TURN-2", {"open": ""})

    def _table_violations(self, state: State, action: Any) -> Iterator[Violation]:
        if isinstance(action, Engineers):
            numbers, letters = action.numbers, self._letters()
            b, a = self.setup.letters_b, self.setup.letters_a
            fits = len(set(numbers)) == len(numbers) == a + b
            fits = fits and set(numbers[:b]) <= set(letters["B"]) and set(numbers[b:]) <= set(letters["A"])
            if state.phase != "engineers" or not fits:
                yield Violation("RR-SETUP-8", {"b": b, "a": a})
        elif isinstance(action, Order):
            if state.phase != "order" or sorted(action.seats) != sorted(self.seats):
                yield Violation("RR-SETUP-13")
        elif isinstance(action, Reveal):
            due = state.phase == "reveal" and action.owner == self._unknown(state)
            size = state.bonus[action.owner].size if due else 0
            ordered = tuple(sorted(action.cards)) == action.cards
            if not due or len(action.cards) != size or not ordered:
                yield Violation("RR-END-1", {"seat": action.owner})
            elif not c.may_hold(state.bonus, action.owner, action.cards):
                yield Violation("RR-EB-2", {"seat": action.owner})

    def _move_violations(self, state: State, action: Any) -> Iterator[Violation]:
        """The worker move (RR-MOVE)."""
        if isinstance(action, Stay):
            return
        if not isinstance(action, Move):
            yield Violation("RR-TURN-2", {"open": "move"})
            return
        seat, space = action.seat, action.space
        values = {"space": space}
        if space in ORDER_SPACES:
            yield Violation("RR-MOVE-3", values, (space,))
            return
        closed = next(self.spaces.closed(state, seat, space), None)
        cost = self.spaces.cost(state, space)
        if closed is not None or cost is None or not cost.one_worker:
            yield Violation("RR-MOVE-2", values, (space,))
            return
        yield from self.spaces.unfeasible(state, seat, space)

    # What follows -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Any) -> tuple[State, list[Event]]:
        change = Change(self, state)
        if action.seat == TABLE:
            self._table_did(change, action)
            return change.now, change.events
        if not state.stack.idle:
            answering.answer(change, action)
        elif isinstance(action, Use):
            self._use(change, action)
        elif isinstance(action, Pass):
            passed(change, state, action.seat)
        elif isinstance(action, TakeStart):
            change.set(starting=tuple(card for card in state.starting if card != action.card))
            change.start(self.starting[action.card].action, action.card, own=False)
        elif isinstance(action, Move):
            self._move(change, action)
        change.go_on()
        return change.now, change.events

    def _table_did(self, change: Change, action: Any) -> None:
        if isinstance(action, Engineers):
            change.set(strip=(*(0,) * self.setup.empty, *action.numbers), phase="order")
        elif isinstance(action, Order):
            change.set(order=action.seats, phase="starting")
            change.hand_over(action.seats[-1])
        else:
            bonus = change.table.bonus
            for card in action.cards:
                bonus = c.reveal(bonus, action.owner, card)
            change.set(bonus=bonus)
            self.flow.finish(change)

    def _use(self, change: Change, action: Use) -> None:
        player = change.player
        change.own(
            free=player.free - action.workers,
            black_free=player.black_free and not action.black,
            temps=player.temps - action.temps,
            roubles=player.roubles - action.roubles,
        )
        change.set(placed=place(change.table, action))
        self.begin(
            change, action.space, action.space, own=self.spaces.is_own(action.space), black=bool(action.black)
        )
        if action.space in ORDER_SPACES and not action.workers:
            change.push(Task(AskSwap(action.space), source=action.space))

    def begin(self, change: Change, space: str, source: str, *, own: bool, black: bool) -> None:
        """Resolve the action of a space, granted by `source`. `black`: the black worker paid for it, which
        adds an optional black step on spaces for black tracks alone (A-20b)."""
        printed = self.spaces.here.get(space)
        if black and self.black_bonus and printed is not None and black_only(printed):
            change.push(Task(ops.Advance(("black",), 1), True, space))
        any_order = printed is not None and printed.any_order
        change.start(self.spaces.action(change.table, space), source, own=own, any_order=any_order)

    def _move(self, change: Change, action: Move) -> None:
        change.set(placed=moved(change.table, action))
        self.begin(change, action.space, action.space, own=self.spaces.is_own(action.space), black=False)

    # Points -----------------------------------------------------------------------------------------

    def totals(self, state: State) -> Mapping[str, int]:
        return {seat: state.players[seat].score for seat in self.seats}

    def final(self, state: State) -> tuple[State, list[Event]]:
        """As if the game ended now: what is scored at the end, with the kept cards that are known."""
        if state.phase == "over":
            return state, []
        events: list[Event] = list(final_points(self, state))
        players = dict(state.players)
        for event in events:
            assert isinstance(event, Points)
            player = players[event.seat]
            players[event.seat] = replace(player, score=player.score + event.amount)
        return replace(state, phase="over", players=players, stack=Stack(), turn=""), events

    # Screen and table --------------------------------------------------------------------------------

    def card_words(self, catalogue: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
        actions = [engineer.action for engineer in self.content.engineers]
        return {wording.printed(a): wording.printed(a, catalogue.get("words", {})) for a in actions}

    @cached_property
    def printed(self) -> Mat:
        """The mat of the first box copy."""
        return self.mat()

    @cached_property
    def slots(self) -> dict[str, int]:
        """How many slots each space of the mat has."""
        return {space.id: len(space.slots) for space in self.printed.spaces}

    @cached_property
    def screen(self) -> Screen:
        """What makes displays of this game."""
        return Screen(self)

    @cached_property
    def foresights(self) -> Foresights:
        """What foresees actions of this game."""
        return Foresights(self)

    def mat(self, copy: str = "01") -> Mat:
        return layout.mat(self.pack, action_words=wording.printed, copy=copy)

    def scene(self, state: State) -> Scene:
        return scene.scene(self, state)

    def laid(self, state: State, action: Action) -> Scene:
        return scene.laid(self, state, action)

    def placing(self, state: State, seat: str, what: str, place: str) -> Sequence[Action]:
        return placing(self, state, seat, what, place)

    def explain(self, state: State, seen: Seen) -> Reading:
        return explain(self, state, seen)

    def display(self, state: State, viewer: str = PUBLIC) -> Display:
        return self.screen.display(state)

    def tokens(self, state: State) -> tuple[Spot, ...]:
        return tuple(spot for spot in scene.spots(self, state) if spot.seat is not None)

    def labelled(self, state: State, action: Action) -> Mapping[str, Any]:
        return self.foresights.labelled(state, action)

    def foresee(self, state: State, action: Action) -> Foresight:
        return self.foresights.foresee(state, action)

    def sensible(self, state: State, seat: str, rng: random.Random) -> Action:
        return sensible(self, state, seat, rng)

    def slips(self, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
        return slips(self, state, rng)

    def owed(self, state: State) -> tuple[str, int] | None:
        if state.phase != "engineers":
            return None
        return "engineers", self.setup.letters_b + self.setup.letters_a

    def set_up(self, state: State) -> tuple[SetUpStep, ...]:
        return edges.set_up(self, state)

    def end_facts(self, entered: Mapping[str, Any]) -> tuple[EndFact, ...]:
        return edges.end_facts(self)

    def end_position(self, entered: Mapping[str, Any]) -> Position:
        return edges.end_position(self, entered)

    # Positions and questions -------------------------------------------------------------------------

    def from_position(self, position: Mapping[str, Any]) -> State:
        return from_position(self, position)

    def faults(self, state: State) -> list[str]:
        return faults(self, state)

    def ask(self, state: State, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        return questions.answer(self, state, name, args)

    def name_of(self, id: str) -> str:
        for tiles in (self.q_tokens, self.q_cards, self.starting):
            if id in tiles:
                return tiles[id].name
        if id in self.spaces.all:
            return self.spaces.all[id].name
        number = id.removeprefix(OWN)
        if id.startswith(OWN) and number.isdecimal():
            tile = self.engineers.get(int(number))
            return (tile and tile.name) or f"#{number}"
        return next((card.name for card in self.content.end_bonus if card.id == id), id)


def parted(stack: Stack[Task]) -> tuple[list[Any], list[Any]]:
    """The operations of all tasks that are open or due together: the mandatory ones, the own ones."""
    tasks = stack.open
    for _, group in stack.together:
        tasks += group
    return [task.op for task in tasks if not task.own], [task.op for task in tasks if task.own]
