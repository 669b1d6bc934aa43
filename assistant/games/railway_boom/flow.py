"""How one step follows another (RB-FLOW): the ring of phases, rounds and the end.

The functions here only move the table on; what may be done in a step is in `steps/`.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from assistant import auction
from assistant.events import FINAL, ROUND, Told
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
    change.tell(ROUND, round=number)


def begin_auction(change: Change) -> None:
    """Discs face up on white; the rear-most one begins (RB-AUC-4)."""
    change.set(step=Step.AUCTION, track=auction.opened(change.table.track.white), active=0, turn=NO_TURN)


def begin_payment(change: Change) -> None:
    """All discs are face down: pay in rank order (RB-AUC-13)."""
    change.set(step=Step.PAY, active=0)


def go_on(change: Change) -> None:
    """What follows by itself once nothing is open: payments without a choice, a redraw (HR-04)."""
    if change.table.step == Step.PAY:
        change.game.paying.settle(change)
    if change.table.step == Step.EXPANSION:
        change.game.expansion.open_turn(change)


def begin_turns(change: Change, ranks: tuple[int, ...]) -> None:
    """All have paid: slide the discs to white and start the Turn Step (RB-AUC-16)."""
    change.set(track=auction.opened(ranks[::-1]), step=TURN_STEP[change.table.phase], active=0, turn=NO_TURN)
    change.tell("discs_slide", order=[change.game.seats[seat] for seat in ranks])


def next_turn(change: Change) -> None:
    """The acting player's turn is over: the next in order, or the end of the phase."""
    table = change.table
    if table.active + 1 < len(change.seats):
        change.table = replace(table, active=table.active + 1, turn=NO_TURN)
        return
    phase = table.phase
    if phase == Phase.TRAIN:
        if table.carriages:
            change.tell("carriages_leave", cards=list(table.carriages))
        _reveal(change, Phase.EXPANSION, locomotives=(), carriages=())
    elif phase == Phase.EXPANSION:
        change.tell("indicators_back", cards=[place.card for place in table.stations])
        _reveal(change, Phase.DEVELOPMENT, stations=())
    elif phase == Phase.DEVELOPMENT:
        put_under(change, tuple([name for row in table.rows for name in row.cards]))
        income(change)
    else:
        change.set(active=0)
        end_round(change)


def _reveal(change: Change, phase: int, **fields: Any) -> None:
    change.set(active=0, turn=NO_TURN, phase=phase, step=Step.REVEAL, **fields)


def income(change: Change) -> None:
    """Phase IV: every track pays its amount; no icons (RB-INC-1). Then Operation begins."""
    amounts = change.game.amounts
    detail = f"round {change.table.round}"
    for seat, record in enumerate(change.seats):
        vp, *stock = [amounts[track][level] for track, level in enumerate(record.levels)]
        if record.done:
            change.alter(seat, done=False)
        change.points(seat, vp, "income", detail, "RB-INC-1")
        change.gain_all(seat, stock, "RB-INC-1")
    change.set(active=0, turn=NO_TURN, rows=(), phase=Phase.OPERATION, step=Step.OPERATION)


def end_operation(change: Change) -> None:
    """Everyone has finished phase V: the Objective auction (RB-OPS-11)."""
    change.set(phase=Phase.OBJECTIVE)
    begin_auction(change)


def end_round(change: Change) -> None:
    """Turn cards upright; next round, or final scoring after the last (RB-OBJ-4)."""
    for seat, record in enumerate(change.seats):
        change.alter(
            seat,
            locos=_rested(record.locos),
            carriages=_rested(record.carriages),
            devs=tuple([replace(card, turned=False) if card.turned else card for card in record.devs]),
            done=False,
        )
    if change.table.round < ROUNDS:
        begin_round(change, change.table.round + 1)
    else:
        finish(change)


def _rested(cards: tuple[TrainCard, ...]) -> tuple[TrainCard, ...]:
    """Train cards that can operate again."""
    return tuple(
        [replace(card, operated=False, free=False) if card.operated or card.free else card for card in cards]
    )


def finish(change: Change) -> None:
    """Final scoring (RB-END); the game is over."""
    change.tell(FINAL)
    scoring.final(change)
    change.set(phase=Phase.OVER, step=Step.OVER, turn=NO_TURN)
    order = scoring.places(change.game, change.state)
    change.events.append(Told("winner", order[0][0], {"order": ["".join(group) for group in order]}))
