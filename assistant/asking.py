"""What the table has to agree on: taking back, overruling, correcting. Asked, collected, then done.

Whatever could not be done even with everybody's agreement is refused before anybody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.actions import Action
from assistant.referee import Referee
from assistant.rulings import Accepted, Refused
from assistant.views import Asking, public_terms

KNOWN = "undo.known"
"""What the referee says of information that nothing can hide again."""


def asked_undo(
    referee: Referee[Any], by: str, steps: int, dealt: bool = False, sure: bool = True
) -> Asking | Refused:
    """Taking back the last steps. Where the machine deals (`dealt`) there is nothing to put back by hand.
    Where it is not `sure` that the seat itself asked, it must agree too; the table's hands confirm.

    ValueError when `steps` is below 1.
    """
    terms = public_terms(referee, referee.undo_terms(by, steps))
    if not terms.entries:
        # Nothing is written: there is nothing to take back, which the referee says in its own words.
        return _refused(referee.undo(by, steps))
    tells = tuple(told for told in terms.tells if told.key == KNOWN) if dealt else terms.tells
    told = not tells
    needs = terms.consents
    if not sure and by in referee.game.seats:
        needs = tuple(seat for seat in referee.game.seats if seat == by or seat in terms.consents)
    elif not sure:
        told = False
    return Asking("undo", by, needs, (), tells, told, terms.actions, steps=steps)


def asked_overrule(
    referee: Referee[Any], action: Action, by: str, waived: Sequence[str] | None = None
) -> Asking | Refused:
    """Letting an illegal action stand. `waived` are the rules; None for all that it breaks and that can be.

    NotUnderstood for an action that names what this game does not have.
    """
    game = referee.game
    broken = list(game.violations(referee.state, action))
    rules = [v.rule for v in broken if v.rule in game.waivable] if waived is None else list(waived)
    other = next((violation for violation in broken if violation.rule not in rules), None)
    if other is not None:
        return Refused(other, game.nearest(referee.state, action))
    if not broken or any(rule not in game.waivable for rule in rules):
        return _refused(referee.overrule(action, rules, game.seats if not broken else ()))
    rules = list(dict.fromkeys(rules))
    given = (by,) if by in game.seats else ()
    return Asking("overrule", by, game.seats, given, action=action, waived=tuple(rules), violation=broken[0])


def asked_correction(referee: Referee[Any], facts: Mapping[str, Any], by: str) -> Asking | Refused:
    """Setting fields of the position."""
    seats = referee.game.seats
    refused = referee.cannot_correct(facts)
    if refused is not None:
        return refused
    return Asking("correct", by, seats, (by,) if by in seats else (), facts=dict(facts))


def concluded(referee: Referee[Any], asking: Asking) -> Accepted | Refused:
    """Do what all have agreed to."""
    if asking.what == "undo":
        return referee.undo(asking.by, asking.steps, asking.given, steps_done=True)
    if asking.what == "correct":
        return referee.correct(asking.facts, asking.given, asking.by)
    assert asking.action is not None
    return referee.overrule(asking.action, asking.waived, asking.given)


def _refused(ruling: Accepted | Refused) -> Refused:
    assert isinstance(ruling, Refused)
    return ruling
