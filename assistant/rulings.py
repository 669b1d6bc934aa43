"""What the referee answers: accepted, refused (and why), could mean two things.

Three kinds of wrong, three classes: `NotUnderstood` (ignored by the screen), `NotAllowed` (explained),
`CouldMeanTwo` (asked about). Rules cite ids and values; sentences are made at the edge from a catalogue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from assistant.actions import Action
    from assistant.events import Event


class Violation(msgspec.Struct, frozen=True):
    """One broken rule: its id, the values for its sentence, the places concerned."""

    rule: str
    values: dict[str, Any] = {}
    places: tuple[str, ...] = ()


class Accepted(msgspec.Struct, frozen=True):
    """The action stands. `seq` is its number in the journal, `events` what it caused."""

    seq: int
    events: tuple[Event, ...]
    digest: str


class Refused(msgspec.Struct, frozen=True):
    """The action breaks a rule; the state is untouched. `nearest` are up to three legal actions.

    `at` is the place (from 0) of the refused action among those of one ruling.
    """

    violation: Violation
    nearest: tuple[Action, ...] = ()
    at: int = 0

    @property
    def rule(self) -> str:
        """Id of the first broken rule in the order the rules document fixes."""
        return self.violation.rule


class Ambiguous(msgspec.Struct, frozen=True):
    """What was seen or said could mean several things, best first."""

    choices: tuple[tuple[Action, ...], ...]


Ruling = Accepted | Refused | Ambiguous


class Wrong(ValueError):
    """Base of the three kinds of wrong."""


class NotUnderstood(Wrong):
    """Not an action of this game at all: unknown name, missing field, wrong type."""


class NotAllowed(Wrong):
    """A well-formed action that a rule forbids now."""

    def __init__(self, refused: Refused) -> None:
        self.refused = refused
        super().__init__(f"{refused.rule} {refused.violation.values or ''}".strip())


class CouldMeanTwo(Wrong):
    """An input with more than one reading."""

    def __init__(self, ambiguous: Ambiguous) -> None:
        self.ambiguous = ambiguous
        super().__init__(f"could mean {len(ambiguous.choices)} things")
