"""How one step follows another (RB-FLOW): the ring of phases, rounds and the end.

The functions here only move the table on; what may be done in a step is in `steps/`.
"""

from __future__ import annotations

from msgspec.structs import replace

from assistant import auction
from assistant.events import Told
from assistant.games.railway_boom import scoring
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import put_under
from assistant.games.railway_boom.state import NO_TURN, ROUNDS, Phase, Step, TrainCard

TURN_STEP: dict[int, int] = {
    Phase.TRAIN: Step.TRAIN,
    Phase.EXPANSION: Step.EXPANSION,
    Phase.DEVELOPMENT: Step.DEVELOPMENT,
    Phase.OBJECTIVE: Step.OBJECTIVE,
}


def begin_round(change: Change, number: int) -> None:
    """Phase I of a round: locomotives and carriages are to be revealed."""
    change.set(round=number, phase=Phase.TRAIN, step=Step.REVEAL, turn=NO_TURN)
    change.tell("round", round=number)


def begin_auction(change: Change) -> None:
    """Discs face up on white; the rear-most one begins (RB-AUC-4)."""
    change.set(step=Step.AUCTION, track=auction.opened(change.state.track.white), active=0, turn=NO_TURN)


def begin_payment(change: Change) -> None:
    """All discs are face down: pay in rank order (RB-AUC-13)."""
    change.set(step=Step.PAY, active=0)


def go_on(change: Change) -> None:
    """What follows by itself once nothing is open: payments without a choice, a redraw (HR-04)."""
    if change.state.step == Step.PAY:
        change.game.paying.settle(change)
    if change.state.step == Step.EXPANSION:
        change.game.expansion.open_turn(change)


def begin_turns(change: Change) -> None:
    """All have paid: slide the discs to white and start the Turn Step (RB-AUC-16)."""
    ranks = auction.ranks(change.state.track)
    change.set(
        track=auction.opened(tuple(reversed(ranks))),
        step=TURN_STEP[change.state.phase],
        active=0,
        turn=NO_TURN,
    )
    change.tell("discs_slide", order=[change.game.seats[seat] for seat in ranks])


def next_turn(change: Change) -> None:
    """The acting player's turn is over: the next in order, or the end of the phase."""
    state = change.state
    if state.active + 1 < len(state.seats):
        change.set(active=state.active + 1, turn=NO_TURN)
        return
    change.set(active=0, turn=NO_TURN)
    phase = state.phase
    if phase == Phase.TRAIN:
        if state.carriages:
            change.tell("carriages_leave", cards=list(state.carriages))
        change.set(locomotives=(), carriages=(), phase=Phase.EXPANSION, step=Step.REVEAL)
    elif phase == Phase.EXPANSION:
        change.tell("indicators_back", cards=[place.card for place in state.stations])
        change.set(stations=(), phase=Phase.DEVELOPMENT, step=Step.REVEAL)
    elif phase == Phase.DEVELOPMENT:
        put_under(change, tuple(name for row in state.rows for name in row.cards))
        change.set(rows=(), phase=Phase.INCOME)
        income(change)
    else:
        end_round(change)


def income(change: Change) -> None:
    """Phase IV: every track pays its amount; no icons (RB-INC-1). Then Operation begins."""
    game = change.game
    detail = f"round {change.state.round}"
    for seat, record in enumerate(change.seats):
        vp, *stock = (game.amounts[track][level] for track, level in enumerate(record.levels))
        change.alter(seat, done=False)
        change.points(seat, vp, "income", detail, "RB-INC-1")
        change.gain_all(seat, stock, "RB-INC-1")
    change.set(phase=Phase.OPERATION, step=Step.OPERATION)


def end_operation(change: Change) -> None:
    """Everyone has finished phase V: the Objective auction (RB-OPS-11)."""
    change.set(phase=Phase.OBJECTIVE)
    begin_auction(change)


def end_round(change: Change) -> None:
    """Turn cards upright; next round, or final scoring after the last (RB-OBJ-4)."""
    state = change.state
    for seat, record in enumerate(change.seats):
        change.alter(
            seat,
            locos=_rested(record.locos),
            carriages=_rested(record.carriages),
            devs=tuple(replace(card, turned=False) if card.turned else card for card in record.devs),
            done=False,
        )
    change.set(turn=NO_TURN)
    if state.round < ROUNDS:
        begin_round(change, state.round + 1)
    else:
        finish(change)


def _rested(cards: tuple[TrainCard, ...]) -> tuple[TrainCard, ...]:
    """Train cards that can operate again."""
    return tuple(
        replace(card, operated=False, free=False) if card.operated or card.free else card for card in cards
    )


def finish(change: Change) -> None:
    """Final scoring (RB-END); the game is over."""
    scoring.final(change)
    change.set(phase=Phase.OVER, step=Step.OVER, turn=NO_TURN)
    order = scoring.places(change.game, change.state)
    change.events.append(Told("winner", order[0][0], {"order": ["".join(group) for group in order]}))
