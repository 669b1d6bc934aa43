"""What the running table publishes: views, and what they are made of. All are immutable."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assistant.actions import TABLE, Action
from assistant.choosing import Choice
from assistant.display import Display
from assistant.events import Told
from assistant.game import PUBLIC, Acting
from assistant.messages import CameraStatus, Holding, PanelStatus
from assistant.positions import Position
from assistant.reading import Reading
from assistant.referee import Referee, UndoTerms, Written
from assistant.rulings import Ruling, Violation
from assistant.scores import ScoreSheet
from assistant.settling import How

Eyes = Literal["unseen", "in_step", "waiting", "proposal", "several", "out_of_step"]


NoticeKind = Literal[
    "recorded",
    "unrecorded",
    "refused",
    "not_understood",
    "trouble",
    "out_of_step",
    "settled",
    "declined",
]
"""What a notice is about. "unrecorded" is an accepted ruling in unrecorded play. "declined" says that what
was asked is asked no longer: its seat did not agree, or (None) it was called off."""


class Notice(msgspec.Struct, frozen=True):
    """Something that happened at the table, numbered; `ruling` or `text` says what."""

    id: int
    kind: NoticeKind
    seat: str | None = None
    ruling: Ruling | None = None
    action: Action | None = None
    text: str = ""


class Asking(msgspec.Struct, frozen=True):
    """Something about the record that waits for consent: an undo, an overrule or a correction.

    `needs` are the seats that must agree, `given` those that have. `tells` are physical steps that
    somebody must confirm (`told` is then True). `undone` are the actions that would be taken back.
    """

    what: Literal["undo", "overrule", "correct"]
    by: str
    needs: tuple[str, ...]
    given: tuple[str, ...] = ()
    tells: tuple[Told, ...] = ()
    told: bool = True
    undone: tuple[Action, ...] = ()
    action: Action | None = None
    waived: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    violation: Violation | None = None
    """What the action breaks, for an overrule."""
    steps: int = 1
    """How many steps an undo takes back."""


class TableView(msgspec.Struct, frozen=True):
    """What an outlet may draw: made for the public unless said otherwise.

    `writing_since` is set (monotonic seconds) while a ruling is on its way to the disk; only a view
    without it says that everything shown is recorded.
    """

    seq: int
    acting: tuple[Acting, ...]
    position: Position
    eyes: Eyes
    reading: Reading | None
    notices: tuple[Notice, ...]
    finished: bool
    writing_since: float | None = None
    camera: CameraStatus | None = None
    """How it stands with the camera, as last told; the game goes on by touch whatever it says."""
    panel: PanelStatus | None = None
    display: Display | None = None
    choices: tuple[Choice, ...] = ()
    """What each seat can answer now, those that are asked first; a seat with nothing to answer has none."""
    asking: Asking | None = None
    undo: UndoTerms | None = None
    """What the next undo would take back, if anything, asked by `undo_by`: the seat that has just taken
    something back, else the seat of the last entry."""
    undo_by: str = ""
    redo: bool = False
    """Whether something taken back could be brought back."""
    holding: tuple[Holding, ...] = ()
    """Buttons that are held down just now."""
    history: tuple[Written, ...] = ()
    """Every entry, as the public may know it."""
    sheet: ScoreSheet | None = None
    places: tuple[tuple[str, ...], ...] = ()
    """The final order once the game is over: groups of seats that share a place."""
    owed: tuple[str, int] | None = None
    """What the table must turn up now: the deck and the number of cards."""
    clocks: dict[str, float] = {}
    """Seconds that each seat has used, when the table keeps clocks; empty otherwise."""
    paused: bool = False
    """Whether the clocks stand still because the table asked for it."""
    unrecorded: bool = False
    """The record cannot be written and staff chose to play on: nothing is "recorded" now."""
    unwritable: bool = False
    """The record cannot be written just now: staff have to write again, or to play on unrecorded."""
    lost: bool = False
    """The disk failed for the last ruling, though it is said to work again: staff may play on unrecorded."""
    settles: tuple[tuple[How, ...], ...] = ()
    """For each difference of an `OutOfStep` reading, how it can be settled."""


class Facts(msgspec.Struct, frozen=True):
    """What a view says of the record alone; `state` and `seq` are what it was made of.

    `fault` is what the game raised when it was asked for its display, which is then None.
    """

    state: Any
    seq: int
    acting: tuple[Acting, ...]
    position: Position
    finished: bool
    display: Display | None
    undo: UndoTerms | None
    undo_by: str
    redo: bool
    history: tuple[Written, ...]
    sheet: ScoreSheet
    places: tuple[tuple[str, ...], ...]
    owed: tuple[str, int] | None
    fault: Exception | None


def public_terms(referee: Referee[Any], terms: UndoTerms) -> UndoTerms:
    """The terms without what only some seats know."""
    actions = tuple(referee.game.disclosed(action, PUBLIC) for action in terms.actions)
    return msgspec.structs.replace(terms, actions=actions)


def facts(referee: Referee[Any], dealt: bool = False) -> Facts:
    """What the public may know of a record. What the machine dealt (`dealt`) is no step to be taken back."""
    game, state, history = referee.game, referee.state, referee.history(PUBLIC)
    finished, fault, display = game.finished(state), None, None
    try:
        display = game.display(state, PUBLIC)
    except Exception as wrong:  # A screen without its strips is better than a table that stands still.
        fault = wrong
    steps = [written.by for written in history if written.live and written.kind not in ("given", "note")]
    by = next((doer for doer in reversed(steps) if doer != TABLE), "" if dealt or not steps else TABLE)
    last = next((written for written in reversed(history) if written.kind != "note"), None)
    if by and last is not None and last.kind == "undo" and last.by in game.seats:
        # Whoever goes on taking back comes to what others did, and needs their consent.
        by = last.by
    terms = referee.undo_terms(by) if by else None
    if terms is not None:
        terms = public_terms(referee, terms)
    return Facts(
        state=state,
        seq=referee.seq,
        acting=game.acting(state),
        position=game.view(state, PUBLIC),
        finished=finished,
        display=display,
        undo=terms if terms is not None and terms.entries else None,
        undo_by=by if terms is not None and terms.entries else "",
        redo=referee.can_redo,
        history=history,
        sheet=referee.sheet(),
        places=tuple(game.places(state)) if finished else (),
        owed=game.owed(state),
        fault=fault,
    )
