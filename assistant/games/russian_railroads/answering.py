"""What an open decision may be answered with, and what each answer does (RR-DEC)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from assistant import cards as c
from assistant.actions import Action
from assistant.events import Told
from assistant.games.russian_railroads import ops
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
    PickCard,
    PickToken,
    PlaceLoco,
    Reuse,
    Step,
    Swap,
)
from assistant.games.russian_railroads.ops import COLOURS
from assistant.games.russian_railroads.pack import SLOTS
from assistant.games.russian_railroads.resolving import (
    BONUS_POINTS,
    Change,
    advance_choices,
    branch_choices,
    branch_of,
    build,
    build_choices,
    loco_choices,
    march_choices,
    march_of,
    step_of,
    swap,
    take_q_card,
    take_token,
)
from assistant.games.russian_railroads.state import (
    AskSwap,
    BonusDue,
    HoldLoco,
    Offer,
    State,
    Task,
    Token,
)
from assistant.games.russian_railroads.tracks import INDEX
from assistant.games.russian_railroads.wording import offered
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

LAPSES = (ops.Advance, ops.Industry, ops.Factory, ops.Choice, ops.ReuseSpace, ops.UseOtherEngineer, Offer)
"""Tasks of an own action that may be left (RR-TURN-5)."""

RULES: dict[type[Any], str] = {
    ops.Advance: "RR-TRACK-2",
    ops.Industry: "RR-IND-2",
    HoldLoco: "RR-LOCO-4",
    ops.Factory: "RR-FACT-2",
    ops.ReuseSpace: "A-58",
    ops.UseOtherEngineer: "A-57",
    Token: "RR-SPEC-Q",
    ops.TakeQCard: "RR-TOK-5",
    AskSwap: "RR-ORD-5",
}
"""The rule that a wrong answer breaks; RR-TURN-4 where none is named."""


def why(state: State) -> str:
    """What is asked, as a key of the catalogue."""
    if state.stack.due:
        return "first"
    task = state.stack.top
    assert task is not None
    return str(task.op.__struct_config__.tag)


def raw(game: RussianRailroads, state: State) -> list[Action]:
    """All answers, without asking whether they leave the rest of the action possible."""
    seat, stack = state.turn, state.stack
    if stack.due:
        out: list[Action] = []
        seen: list[Task] = []
        for number, due in enumerate(stack.due, 1):
            if due not in seen:
                seen.append(due)
                out.append(First(seat, number))
        return out
    task = stack.top
    assert task is not None
    op: Any = task.op
    answers = ANSWERS[type(op)](game, state, task)
    if task.own and isinstance(op, LAPSES):
        return [*answers, Decline(seat)]
    return answers


def _steps(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    found = advance_choices(game, state.players[state.turn], task)
    return [game.step_actions[state.turn][piece] for piece in found]


def _marches(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [March(state.turn, m + 1) for m in march_choices(game, state.players[state.turn])]


def _locos(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    held: Any = task.op
    slots, flips = loco_choices(game, state.players[state.turn], held)
    places: list[Action] = [PlaceLoco(state.turn, SLOTS[slot]) for slot in slots]
    return [*places, Flip(state.turn)] if flips else places


def _builds(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    found = build_choices(game, state, state.players[state.turn])
    return [Build(state.turn, number, place) for number, place in found]


def _branches(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [Branch(state.turn, number) for number in branch_choices(game, state, state.turn, task)]


def _reuses(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    found = game.reusable(state, state.turn, contested=not task.own, source=task.source)
    return [Reuse(state.turn, space) for space in found]


def _borrows(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    found = game.borrowable(state, state.turn, contested=not task.own)
    return [Borrow(state.turn, number) for number in found]


def _accept(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [Accept(state.turn)]


def _tokens(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [PickToken(state.turn, token) for token in state.players[state.turn].tokens]


def _q_cards(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [PickCard(state.turn, card) for card in game.usable_q_cards(state, state.turn)]


def _bonus(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [Bonus(state.turn, True), Bonus(state.turn, False)]


def _swaps(game: RussianRailroads, state: State, task: Task) -> list[Action]:
    return [Swap(state.turn, space) for space in game.spaces.swappable(state, state.turn)]


ANSWERS: dict[type[Any], Callable[[RussianRailroads, State, Task], list[Action]]] = {
    ops.Advance: _steps,
    ops.Industry: _marches,
    HoldLoco: _locos,
    ops.Factory: _builds,
    ops.Choice: _branches,
    ops.ReuseSpace: _reuses,
    ops.UseOtherEngineer: _borrows,
    Offer: _accept,
    Token: _tokens,
    ops.TakeQCard: _q_cards,
    BonusDue: _bonus,
    AskSwap: _swaps,
}
"""By task: its answers."""

KINDS: dict[type[Any], tuple[type[Action], ...]] = {
    ops.Advance: (Step,),
    ops.Industry: (March,),
    HoldLoco: (PlaceLoco, Flip),
    ops.Factory: (Build,),
    ops.Choice: (Branch,),
    ops.ReuseSpace: (Reuse,),
    ops.UseOtherEngineer: (Borrow,),
    Offer: (Accept,),
    Token: (PickToken,),
    ops.TakeQCard: (PickCard,),
    BonusDue: (Bonus,),
    AskSwap: (Swap,),
}
"""By task: the kinds of its answers."""


def violations(game: RussianRailroads, state: State, action: Any) -> Iterator[Violation]:
    """What is wrong with an answer to the open decision."""
    answers = raw(game, state)
    if action in answers:
        if game.spoils(state, action, answers):
            yield Violation("RR-FEAS-3")
        return
    stack = state.stack
    if stack.due:
        yield Violation("RR-TRIG-2" if isinstance(action, First) else "RR-TURN-2", {"open": "first"})
        return
    task = stack.top
    assert task is not None
    op: Any = task.op
    if isinstance(action, Decline):
        yield Violation("RR-TURN-4", {"open": why(state)})
    elif not isinstance(action, KINDS[type(op)]):
        both = isinstance(op, ops.Factory) and isinstance(action, PlaceLoco | First)
        yield Violation("RR-LOCO-11" if both else "RR-TURN-2", {"open": why(state)})
    else:
        yield Violation(_rule(game, state, task, action), {"open": why(state)})


def _rule(game: RussianRailroads, state: State, task: Task, action: Any) -> str:
    """The rule that a wrong answer of the right kind breaks."""
    op: Any = task.op
    player = state.players[state.turn]
    if isinstance(action, Step):
        index = INDEX.get(action.colour, len(COLOURS))
        row = player.tracks.get(action.railroad, ())
        if action.colour not in op.colours or action.railroad not in player.tracks:
            return "RR-TRACK-9"
        if (action.railroad, index) in task.moved:
            return "RR-TRACK-5"
        if 0 < index < len(row) and not row[index - 1]:
            return "RR-TRACK-4"
        if not index:
            return "RR-TRACK-3"
    if isinstance(action, Flip):
        return "RR-LOCO-6"
    if isinstance(action, Branch) and not 1 <= action.number <= len(op.branches):
        return "RR-TURN-2"
    if isinstance(action, Build):
        filled = sum(1 for factory in player.factories if factory)
        if filled < len(player.factories) and action.place != filled + 1:
            return "RR-FACT-3"
        if filled == len(player.factories) and action.number in player.factories:
            return "RR-FACT-4"
    return RULES.get(type(op), "RR-TURN-4")


# What each answer does -------------------------------------------------------------------------------


def answer(change: Change, action: Any) -> None:
    """Do an answer to the open decision."""
    if isinstance(action, First):
        _tell(change, change.stack.due[action.number - 1].op)
        change.stack = change.stack.first(action.number - 1)
        return
    task = change.stack.top
    assert task is not None
    if isinstance(action, Step):
        step_of(change, task, action.railroad, INDEX[action.colour])
    elif isinstance(action, March):
        march_of(change, task, action.marker - 1)
    else:
        change.pop()
        if not isinstance(action, Decline):
            DOES[type(action)](change, task, action)


def _tell(change: Change, op: Any) -> None:
    """Tell what was chosen: a number alone says nothing to whoever looks it up later."""
    if not change.probing:
        change.events.append(Told("chosen", change.seat, {"what": offered(op)}))


def _place(change: Change, task: Task, action: PlaceLoco) -> None:
    held: Any = task.op
    change.place_loco(held, SLOTS.index(action.slot))


def _flip(change: Change, task: Task, action: Flip) -> None:
    held: Any = task.op
    change.flip_loco(held)


def _build(change: Change, task: Task, action: Build) -> None:
    build(change, action.number, action.place)


def _branch(change: Change, task: Task, action: Branch) -> None:
    op: Any = task.op
    _tell(change, op.branches[action.number - 1])
    branch_of(change, task, action.number)


def _use_offer(change: Change, task: Task, action: Accept) -> None:
    op: Any = task.op
    _tell(change, op)
    if len(op.ops) > 1:
        change.start(op.ops, task.source, own=True)
    else:
        change.push(Task(op.ops[0], True, task.source))


def _pick_token(change: Change, task: Task, action: PickToken) -> None:
    take_token(change, action.token)


def _pick_card(change: Change, task: Task, action: PickCard) -> None:
    take_q_card(change, action.card)


def _bonus_chosen(change: Change, task: Task, action: Bonus) -> None:
    if action.keep:
        change.set(bonus=c.slip(change.table.bonus, "pile", change.seat))
    else:
        change.score(BONUS_POINTS, "bonus_points", "", "RR-EB-1")


def _reuse(change: Change, task: Task, action: Reuse) -> None:
    here = [p for p in change.table.placed if p.space == action.space and p.seat == change.seat]
    black = any(placed.black and not placed.swapped for placed in here)
    change.game.begin(change, action.space, task.source, own=task.own, black=black)


def _borrow(change: Change, task: Task, action: Borrow) -> None:
    change.start(change.game.engineers[action.number].action, task.source, own=task.own)


def _swap(change: Change, task: Task, action: Swap) -> None:
    op: Any = task.op
    swap(change, op.space, action.space)


DOES: dict[type[Action], Callable[[Change, Task, Any], None]] = {
    PlaceLoco: _place,
    Flip: _flip,
    Build: _build,
    Branch: _branch,
    Accept: _use_offer,
    PickToken: _pick_token,
    PickCard: _pick_card,
    Bonus: _bonus_chosen,
    Reuse: _reuse,
    Borrow: _borrow,
    Swap: _swap,
}
"""By answer: what it does, the task itself being done."""
