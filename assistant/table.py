"""The running table: one queue in, one loop, views out.

Every source only enqueues messages; this loop is the only thing that touches the referee. What it knows is
published as immutable `TableView`s in one slot: the screen, the lamps and any other outlet draw the newest
one and never fall behind. Notices are in the view with numbers of their own, so that skipping a view
loses none.

The camera proposes, people confirm. Cards that the table turns up are recorded as soon as they are read
whole; tokens wait for "accept" from their seat. While table and record differ the camera's moves wait;
touch goes on.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from assistant.actions import TABLE, Action
from assistant.game import Acting
from assistant.journal import JournalError
from assistant.layout import Piece
from assistant.messages import CameraStatus, Command, Message, Press, Saw, Tick, Touch
from assistant.observation import Observation
from assistant.positions import Position
from assistant.reading import (
    InStep,
    OutOfStep,
    Proposal,
    Reading,
    Roster,
    Several,
    read,
)
from assistant.referee import Referee
from assistant.rulings import Accepted, NotUnderstood, Refused, Ruling

NOTICES_KEPT = 32

Eyes = Literal["unseen", "in_step", "waiting", "proposal", "several", "out_of_step"]


class Notice(msgspec.Struct, frozen=True):
    """Something that happened at the table, numbered; `ruling` or `text` says what."""

    id: int
    kind: Literal["recorded", "refused", "not_understood", "trouble", "out_of_step", "settled"]
    seat: str | None = None
    ruling: Ruling | None = None
    action: Action | None = None
    text: str = ""


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


class Table:
    """A referee with a queue before it and a view behind it.

    `pieces` are the tagged pieces of this box (empty without a camera). `publish` is called with every new
    view, on the thread that runs the loop.
    """

    def __init__(
        self,
        referee: Referee[Any],
        pieces: Mapping[str, Piece] | None = None,
        *,
        publish: Callable[[TableView], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.referee = referee
        self._roster = Roster(pieces or {})
        self._publish = publish
        self._clock = clock
        self._queue: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._notices: tuple[Notice, ...] = ()
        self._count = 0
        self._seen: Observation | None = None
        self._reading: Reading | None = None
        self._camera: CameraStatus | None = None
        self.view = self._make_view()

    # In -------------------------------------------------------------------------------------------

    def post(self, message: Message) -> None:
        """Enqueue a message; safe from any thread."""
        self._queue.put(message)

    def stop(self) -> None:
        """Let `run` end after what is queued."""
        self._queue.put(None)

    def run(self) -> None:
        """Handle messages until `stop`."""
        while (message := self._queue.get()) is not None:
            self.handle(message)

    def drain(self) -> None:
        """Handle what is queued now, then return (for a loop that is driven from outside)."""
        while not self._queue.empty():
            message = self._queue.get()
            if message is not None:
                self.handle(message)

    def handle(self, message: Message) -> None:
        """Handle one message on the calling thread."""
        try:
            if isinstance(message, Touch):
                self._touch(message)
            elif isinstance(message, Saw):
                self._seen = message.observation
                self._compare()
            elif isinstance(message, Command):
                self._command(message)
            elif isinstance(message, CameraStatus):
                self._camera = message
            elif isinstance(message, (Press, Tick)):
                pass  # buttons and clocks are the panel's to translate; time alone changes nothing here
        except JournalError as trouble:
            self._note("trouble", text=str(trouble))
        self._show()

    # What people do -------------------------------------------------------------------------------

    def _touch(self, touch: Touch) -> None:
        try:
            # A touch speaks for its own seat only, whatever its action says.
            action = self.referee.game.codec.from_json({**touch.action, "seat": touch.seat})
            self._submit((action,), touch.seat)
        except NotUnderstood as wrong:
            self._note("not_understood", touch.seat, text=str(wrong))

    def _submit(self, actions: tuple[Action, ...], seat: str | None) -> Ruling:
        self._show(writing=True)
        ruling = self.referee.submit(*actions)
        accepted = isinstance(ruling, Accepted)
        at = 0 if accepted or not isinstance(ruling, Refused) else ruling.at
        self._note("recorded" if accepted else "refused", seat, ruling, actions[at])
        if accepted:
            self._compare()
        return ruling

    def _command(self, command: Command) -> None:
        seat = command.seat
        if command.what == "dismiss":
            self._reading = None
            return
        try:
            if command.what == "accept":
                self._accept(command)
                return
            ruling = self._about_record(command)
        except (ValueError, KeyError, IndexError, TypeError) as wrong:
            # Whoever sends a command without what it needs must not stop the table.
            missing = f"{wrong.args[0]!r} is missing" if isinstance(wrong, KeyError) else str(wrong)
            self._note("not_understood", seat, text=f"{command.what}: {missing}")
            return
        self._note("recorded" if isinstance(ruling, Accepted) else "refused", seat, ruling)
        if isinstance(ruling, Accepted):
            self._compare()

    def _about_record(self, command: Command) -> Ruling:
        """Undo, redo, overrule, correct. ValueError and KeyError say what a command lacks."""
        referee, values, seat = self.referee, command.values, command.seat or TABLE
        if command.what == "undo":
            consents = tuple(values.get("consents", ()))
            return referee.undo(seat, int(values.get("steps", 1)), consents, bool(values.get("steps_done")))
        if command.what == "redo":
            return referee.redo(seat)
        if command.what == "overrule":
            action = referee.game.codec.from_json(values["action"])
            return referee.overrule(action, values["waived"], values["consents"])
        if command.what == "correct":
            return referee.correct(values["facts"], values["consents"])
        raise ValueError("the table knows no such command")

    def _accept(self, command: Command) -> None:
        """Confirm what the camera proposes, up to the next thing that only a person knows."""
        reading, values = self._reading, command.values
        if isinstance(reading, Several):
            reading = reading.choices[int(values.get("choice", 0))]
        if not isinstance(reading, Proposal):
            raise ValueError("the camera proposes nothing now")
        actions = reading.ready(int(values.get("payment", 0)))
        self._reading = None
        if actions:
            self._submit(actions, command.seat)

    # What the camera says ---------------------------------------------------------------------------

    def _compare(self) -> None:
        """Compare what was last seen with the record, and tell when they begin or cease to differ."""
        if self._seen is None:
            return
        before = self._reading
        self._reading = reading = read(self.referee.game, self.referee.state, self._seen, self._roster)
        if isinstance(reading, OutOfStep):
            if reading != before:
                self._note("out_of_step")
        elif isinstance(before, OutOfStep):
            self._note("settled")
        if isinstance(reading, Proposal) and reading.sure:
            drawn = tuple(a for a in reading.actions if getattr(a, "seat", None) == TABLE)
            if drawn and drawn == reading.actions:
                self._reading = None
                self._submit(drawn, None)

    # Out --------------------------------------------------------------------------------------------

    def _note(
        self,
        kind: Literal["recorded", "refused", "not_understood", "trouble", "out_of_step", "settled"],
        seat: str | None = None,
        ruling: Ruling | None = None,
        action: Action | None = None,
        text: str = "",
    ) -> None:
        self._count += 1
        notice = Notice(self._count, kind, seat, ruling, action, text)
        self._notices = (*self._notices[-NOTICES_KEPT + 1 :], notice)

    def _make_view(self, writing: bool = False) -> TableView:
        referee = self.referee
        game, state = referee.game, referee.state
        return TableView(
            referee.seq,
            game.acting(state),
            game.view(state, "public"),
            self._eyes(),
            self._reading,
            self._notices,
            game.finished(state),
            self._clock() if writing else None,
            self._camera,
        )

    def _eyes(self) -> Eyes:
        reading = self._reading
        if reading is None:
            return "unseen" if self._seen is None else "in_step"
        if isinstance(reading, InStep):
            return "waiting" if reading.waiting else "in_step"
        if isinstance(reading, Proposal):
            return "proposal"
        return "several" if isinstance(reading, Several) else "out_of_step"

    def _show(self, writing: bool = False) -> None:
        self.view = self._make_view(writing)
        if self._publish is not None:
            self._publish(self.view)
