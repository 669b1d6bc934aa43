"""What the camera saw against what is recorded: in step, a proposal, ambiguous, or out of step.

The camera proposes, people confirm. A reading is made of one stable `Observation` and one state. A
proposal is a sequence of actions and *holes*: what only a person knows (a payment, a choice) and what has
to be settled before the rest goes on. Pieces under a hand are not missing: about hidden spaces nothing is
concluded; nor, on somebody's own board, about any piece that is not seen. Which pieces
should lie where, and which actions would explain a change, is the game's to say (`Game.explain`); this
module holds the words for the answer and what is common to all games.

Rules of the table itself, cited where no rule of the game applies: SM-SEE-1 a code that is none of ours,
SM-SEE-2 one code at two places, SM-SEE-3 a piece that is not where it is recorded, SM-SEE-4 a piece where
nothing of its kind belongs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assistant.actions import Action
from assistant.layout import Piece
from assistant.observation import Observation

if TYPE_CHECKING:
    from assistant.game import Game

Kind = Literal[
    "missing",
    "moved",
    "wrong_seat",
    "not_connected",
    "hex_full",
    "over_budget",
    "no_tokens",
    "not_a_space",
    "no_indicator",
    "unknown_tag",
    "duplicate_tag",
    "wrong_place",
    "left_over",
    "wrong_count",
    "wrong_card",
    "not_now",
]


class Difference(msgspec.Struct, frozen=True):
    """One way in which table and record differ.

    `place` is a space id, `seat` the owner of the piece if it has one, `rule` the rule that forbids what
    is seen, `n` a number where the kind needs one (over budget by n), `piece` what lies there or should.
    """

    kind: Kind
    place: str
    seat: str | None = None
    rule: str = ""
    n: int = 0
    piece: str = ""
    to: str = ""
    """For "moved": where the piece was seen instead; for "duplicate_tag": where the code was seen as well."""


class Spot(msgspec.Struct, frozen=True):
    """A kind of piece at a place: what the record knows of a token, which has no number there."""

    what: str
    seat: str | None
    space: str


class Edit(msgspec.Struct, frozen=True):
    """A change of the table that would repair it: take a piece away, add one that was not seen, or put one
    back where it is recorded."""

    what: Literal["remove", "add", "put_back"]
    place: str
    seat: str | None = None
    piece: str = ""


NO_GUESS = frozenset({"over_budget", "no_tokens", "wrong_count"})
"""Differences that say by how much it is too much: which piece has to go is the table's to say."""


def repair(wrong: Difference) -> Edit:
    """The edit that puts one difference right: what has left its place goes back, anything else goes."""
    back = wrong.kind in ("missing", "moved")
    return Edit("put_back" if back else "remove", wrong.place, wrong.seat, wrong.piece)


class Hole(msgspec.Struct, frozen=True):
    """Something only a person knows. `options` are the ways to fill it, the proposed one first.

    `kind` is a catalogue key: "payment" (how `need` is paid), "choice" (an open question of the game that
    must be answered before the rest of the proposal), "cards" (`need` more cards are awaited).
    """

    kind: Literal["payment", "choice", "cards"]
    seat: str | None
    need: int = 0
    options: tuple[tuple[Action, ...], ...] = ()
    detail: str = ""


Step = Action | Hole


class InStep(msgspec.Struct, frozen=True):
    """Table and record agree. `waiting` says what the table is still expected to show, if anything."""

    waiting: Hole | None = None
    hidden: tuple[str, ...] = ()
    """Spaces that could not be compared."""


class Proposal(msgspec.Struct, frozen=True):
    """One explanation of what changed. `sure` is False while hidden spaces could still change it."""

    steps: tuple[Step, ...]
    sure: bool = True

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions alone, payments as proposed."""
        return tuple(action for step in self.steps for action in _actions(step))

    def ready(self, payment: int = 0) -> tuple[Action, ...]:
        """The actions that can be recorded as one ruling: up to the first question.

        `payment` chooses among the ways to pay, the proposed one being 0; IndexError when there are fewer.
        """
        out: list[Action] = []
        for step in self.steps:
            if isinstance(step, Hole) and step.kind != "payment":
                break
            out += _actions(step, payment)
        return tuple(out)


def _actions(step: Step, payment: int = 0) -> tuple[Action, ...]:
    if isinstance(step, Hole):
        return step.options[payment] if step.kind == "payment" and step.options else ()
    return (step,)


class Several(msgspec.Struct, frozen=True):
    """More than one explanation is near enough to be right: the screen asks. Best first."""

    choices: tuple[Proposal, ...]


class OutOfStep(msgspec.Struct, frozen=True):
    """No legal sequence explains the table. `repairs` are the smallest sets of edits that would do."""

    differences: tuple[Difference, ...]
    repairs: tuple[tuple[Edit, ...], ...] = ()
    hidden: tuple[str, ...] = ()


Reading = InStep | Proposal | Several | OutOfStep


class Seen(msgspec.Struct, frozen=True):
    """An observation in pieces: each known piece with the space where it lies ("" outside all)."""

    pieces: tuple[tuple[Piece, str], ...]
    hidden: frozenset[str]
    differences: tuple[Difference, ...]
    """Foreign and duplicate codes."""
    order: tuple[str, ...]
    stacked: bool = False
    """Whether a piece may lie under another: then what is seen counts, and what is not seen says nothing."""


class Roster:
    """The pieces of one box by payload; made once per mat."""

    def __init__(self, pieces: Mapping[str, Piece]) -> None:
        self.pieces = pieces

    def seen(self, observation: Observation) -> Seen:
        """The observation in pieces. A code seen at two places counts at neither, and is reported; nothing
        is concluded about these places."""
        known = self.pieces
        where: dict[str, str] = {}
        twice: dict[str, str] = {}
        odd: list[Difference] = []
        for sighting in observation.sightings:
            payload, space = sighting.payload, sighting.space or ""
            if payload not in known:
                odd.append(Difference("unknown_tag", space, rule="SM-SEE-1", piece=payload))
            elif (first := where.setdefault(payload, space)) != space:
                seat = known[payload].seat
                odd.append(Difference("duplicate_tag", space, seat, "SM-SEE-2", piece=payload, to=first))
                twice[payload] = first
        odd += [Difference("unknown_tag", "", rule="SM-SEE-1", piece=text) for text in observation.foreign]
        hidden = observation.hidden | observation.doubtful
        if twice:
            spaces = {d.place for d in odd if d.kind == "duplicate_tag"} | set(twice.values())
            hidden |= spaces - {""}
        pieces = tuple([(known[p], space) for p, space in where.items() if p not in twice])
        return Seen(pieces, hidden, tuple(odd), observation.order, observation.stacked)


def read(game: Game[Any], state: Any, observation: Observation, roster: Roster) -> Reading:
    """Compare one stable observation with one state.

    While foreign or duplicate codes lie there nothing is proposed; the repairs are those of the other
    differences.
    """
    seen = roster.seen(observation)
    reading: Reading = game.explain(state, seen)
    if not seen.differences:
        return reading
    if isinstance(reading, OutOfStep):
        return msgspec.structs.replace(reading, differences=seen.differences + reading.differences)
    return OutOfStep(seen.differences, hidden=tuple(sorted(seen.hidden)))
