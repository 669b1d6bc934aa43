"""The running table: one queue in, one loop, views out.

Every source only enqueues messages; this loop is the only thing that touches the referee. What it knows is
published as immutable `TableView`s in one slot: the screen, the lamps and any other outlet draw the newest
one and never fall behind. Notices are in the view with numbers of their own, so that skipping a view
loses none.

The camera proposes, people confirm. Cards that the table turns up are recorded as soon as they are read
whole; tokens wait for "accept" from their seat. While table and record differ the camera's moves wait;
touch goes on. What changes the record itself waits in `TableView.asking` until all whom it concerns agreed.

Commands (`messages.Command`), with their values; whatever lacks what it needs is not understood, and an
answer to a choice that is out of date is dropped without a word:

- about a `Choice`: "point" {choice, index (None: nowhere)}, "take" {choice, index}, "back" {choice, to (how
  many values stay; without it, all but the last)}
- about the game: "try" {action} (as a `Touch`; with {seq}, the number of the last entry that was shown, it is
  dropped once there is a later one, so that a second tap does nothing)
- about what the camera says: "accept" {choice, payment}, "dismiss", "look", "settle" {index, how}
- about the record, with everybody's answers collected here: "ask_undo" {steps}, "ask_overrule" {action,
  waived}, "ask_correct" {facts}; then "agree", "decline", "told", "cancel"
- about the record, with all that is needed at once: "undo" {steps, consents, steps_done}, "redo",
  "overrule" {action, waived, consents}, "correct" {facts, consents}, "reread" {seq, action}
- about the clocks: "pause", "go_on"
- of staff (seat "staff"), when the record cannot be written: "write_again", "play_unrecorded" (this one also
  after a ruling that the disk lost)
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.asking import asked_correction, asked_overrule, asked_undo, concluded
from assistant.choosing import Choice, Chooser, Option
from assistant.clocks import Clocks
from assistant.dealer import Dealer, deal
from assistant.display import Foresight, changes
from assistant.game import PUBLIC, STAFF
from assistant.journal import Journal, JournalError, JournalIOError, JournalUnwritable, MemoryJournal
from assistant.layout import Piece
from assistant.messages import (
    CameraStatus,
    Command,
    Holding,
    Message,
    PanelStatus,
    Press,
    Saw,
    Touch,
)
from assistant.observation import Observation
from assistant.proposing import answers
from assistant.reading import InStep, OutOfStep, Proposal, Reading, Roster, Several, read
from assistant.referee import Referee
from assistant.rulings import Accepted, NotUnderstood, Refused, Ruling
from assistant.settling import How, deed, ways
from assistant.views import Asking, Eyes, Facts, Notice, NoticeKind, TableView, facts

__all__ = ["NOTICES_KEPT", "Asking", "Eyes", "Notice", "NoticeKind", "Table", "TableView"]

NOTICES_KEPT = 32

_log = logging.getLogger(__name__)


class Table:
    """A referee with a queue before it and a view behind it.

    `pieces` are the tagged pieces of this box (empty without a camera). `publish` is called with every new
    view, on the thread that runs the loop. `clock` gives monotonic seconds; with `clocks` the table keeps the
    time that each seat uses. A `dealer` draws what is due where no real cards are turned up.
    """

    def __init__(
        self,
        referee: Referee[Any],
        pieces: Mapping[str, Piece] | None = None,
        *,
        publish: Callable[[TableView], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        clocks: bool = False,
        dealer: Dealer | None = None,
    ) -> None:
        self.referee = referee
        self._roster = Roster(pieces or {})
        self._publish = publish
        self._clock = clock
        self._dealer = dealer
        self._queue: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._notices: tuple[Notice, ...] = ()
        self._count = 0
        self._seen: Observation | None = None
        self._reading: Reading | None = None
        self._dismissed: Reading | None = None
        self._camera: CameraStatus | None = None
        self._panel: PanelStatus | None = None
        self._holding: tuple[Holding, ...] = ()
        self._asking: Asking | None = None
        self._paused = False
        self._unwritable = False
        self._lost = False
        self._unrecorded = False
        self._facts: Facts | None = None
        self._settles: tuple[Reading | None, Any, tuple[tuple[How, ...], ...]] = (None, None, ())
        self._said: set[str] = set()
        """Troubles that were told already and come again with every view."""
        self._chooser = Chooser(referee.game, self._foresee)
        self._clocks = Clocks(referee.game.seats, referee.clocks, clock()) if clocks else None
        self._commands: dict[str, Callable[[Command], None]] = {
            "point": self._point,
            "take": self._take,
            "back": self._back,
            "try": self._try,
            "accept": self._accept,
            "dismiss": lambda c: self._dismiss(),
            "look": lambda c: self._look(),
            "settle": self._settle,
            "ask_undo": lambda c: self._ask_undo(c.seat or TABLE, int(c.values.get("steps", 1))),
            "ask_overrule": self._ask_overrule,
            "ask_correct": self._ask_correct,
            "agree": lambda c: self._agree(_seat(c)),
            "decline": lambda c: self._decline(_seat(c)),
            "told": lambda c: self._told(),
            "cancel": lambda c: self._drop(c.seat),
            "undo": self._undo,
            "redo": self._redo,
            "overrule": self._overrule,
            "correct": self._correct,
            "reread": self._reread,
            "pause": lambda c: self._pause(True),
            "go_on": lambda c: self._pause(False),
            "write_again": self._write_again,
            "play_unrecorded": self._play_unrecorded,
        }
        self.view = self._make_view()
        if dealer is not None:
            self._guarded(self._deal)
            self.view = self._make_view()
        self._run_clocks()

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
        """Handle one message on the calling thread. Whatever goes wrong becomes a notice."""
        if self._clocks is not None:
            self._clocks.advance(self._clock())
        self._guarded(partial(self._take_in, message))
        self._run_clocks()
        self._show()

    def _take_in(self, message: Message) -> None:
        if isinstance(message, Touch):
            self._touch(message)
        elif isinstance(message, Saw):
            self._seen = message.observation
            self._compare()
        elif isinstance(message, Command):
            self._command(message)
        elif isinstance(message, Press):
            self._press(message)
        elif isinstance(message, Holding):
            self._hold(message)
        elif isinstance(message, CameraStatus):
            self._camera = message
        elif isinstance(message, PanelStatus):
            self._panel = message
        # A Tick only lets time pass.

    def _guarded(self, deed: Callable[[], None]) -> None:
        """Do something; a fault in it is told and logged, and the loop goes on."""
        try:
            deed()
        except JournalError as trouble:
            _log.error("%s", trouble)
            self._note("trouble", text=str(trouble))
            self._lost = isinstance(trouble, JournalIOError)
            self._unwritable = self._unwritable or isinstance(trouble, JournalUnwritable)
            if isinstance(trouble, JournalIOError) and trouble.recorded is not False:
                self._go_by_record()
        except Exception as fault:
            self._trouble(f"an internal fault, nothing was changed ({type(fault).__name__}: {fault})")

    def _trouble(self, text: str, *, once: bool = False) -> None:
        """Tell about a fault that is being handled, and log where it came from."""
        if once and text in self._said:
            return
        self._said.add(text)
        _log.exception("%s", text)
        self._note("trouble", text=text)

    # The record -----------------------------------------------------------------------------------

    def _go_by_record(self) -> None:
        """Take in entries that turned out to be in the journal though writing them failed."""
        before = self.referee.seq if not self._facts else self._facts.seq
        try:
            if not self.referee.catch_up():
                return
            self._note("recorded")
            for written in self.referee.history():
                if written.seq > before:
                    self._chooser.done(written.by)
            self._changed()
        except Exception as fault:
            self._trouble(f"the record cannot be followed ({type(fault).__name__}: {fault})")

    def _write_again(self, command: Command) -> None:
        """Staff made room, or put the card back: check the file and record again."""
        _staff(command)
        journal = self.referee.journal
        if not self._unwritable or not isinstance(journal, Journal):
            raise ValueError("the record can be written")
        journal.recover()
        self._unwritable = False
        self._go_by_record()
        self._look()

    def _play_unrecorded(self, command: Command) -> None:
        """Staff let the game go on without a record; what was recorded so far stays where it is."""
        _staff(command)
        if not self._unwritable and not self._lost:
            raise ValueError("the record can be written")
        old = self.referee.journal
        self.referee.journal = MemoryJournal.following(old)
        old.close()
        self._unwritable, self._lost, self._unrecorded = False, False, True
        self._look()

    def _submit(self, actions: tuple[Action, ...], seat: str | None) -> None:
        self._show_writing()
        ruling = self.referee.submit(*actions, clocks=self._used())
        at = ruling.at if isinstance(ruling, Refused) else 0
        self._came_of(ruling, seat, actions[at], actions)

    def _came_of(
        self,
        ruling: Ruling,
        seat: str | None,
        action: Action | None = None,
        actions: Sequence[Action] = (),
        *,
        back: bool = False,
    ) -> None:
        """Tell a ruling, and go on from it. `back`: the record went back, and the clocks with it."""
        if not isinstance(ruling, Accepted):
            self._note("refused", seat, ruling, action)
            return
        self._note("unrecorded" if self._unrecorded else "recorded", seat, ruling, action)
        self._unwritable = self._lost = False
        for doer in {seat or TABLE, *(getattr(one, "seat", TABLE) for one in actions)}:
            self._chooser.done(doer)
        if back and self._clocks is not None:
            self._clocks.set(self.referee.clocks)
        self._changed()

    def _changed(self) -> None:
        """The record has changed: what was asked about the old one is void."""
        self._asking = None
        self._dismissed = None
        self._deal()
        self._compare()

    def _deal(self) -> None:
        """Draw what is due, where the machine deals."""
        if self._dealer is None:
            return
        due, ruling = deal(self.referee, self._dealer, self._used())
        if ruling is not None:
            self._note("unrecorded" if self._unrecorded else "recorded", None, ruling, due[0])

    # What people do -------------------------------------------------------------------------------

    def _touch(self, touch: Touch) -> None:
        try:
            # A touch speaks for its own seat only, whatever its action says.
            action = self.referee.game.codec.from_json({**touch.action, "seat": touch.seat})
            self._submit((action,), touch.seat)
        except NotUnderstood as wrong:
            self._note("not_understood", touch.seat, text=str(wrong))

    def _command(self, command: Command) -> None:
        try:
            if command.what not in self._commands:
                raise ValueError("the table knows no such command")
            self._commands[command.what](command)
        except (ValueError, KeyError, IndexError, TypeError) as wrong:
            # Whoever sends a command without what it needs must not stop the table.
            missing = f"{wrong.args[0]!r} is missing" if isinstance(wrong, KeyError) else str(wrong)
            self._note("not_understood", command.seat, text=f"{command.what}: {missing}")

    def _choice(self, command: Command) -> Choice | None:
        """The choice that a command answers; None when it is out of date."""
        choice = self._chooser.find(command.values["choice"])
        if choice is not None and command.seat not in (None, choice.seat):
            raise ValueError(f"this is for seat {choice.seat} to answer")
        return choice

    def _try(self, command: Command) -> None:
        """Do something, unless it was meant for an earlier state."""
        if command.values.get("seq", self.referee.seq) == self.referee.seq:
            self._touch(Touch(_seat(command), command.values["action"], command.at))

    def _point(self, command: Command) -> None:
        choice, index = self._choice(command), command.values["index"]
        if choice is not None:
            self._chooser.point(choice, None if index is None else _index(index, choice.options))

    def _take(self, command: Command) -> None:
        choice, index = self._choice(command), command.values["index"]
        if choice is not None:
            self._take_option(choice, _index(index, choice.options))

    def _back(self, command: Command) -> None:
        choice, to = self._choice(command), command.values.get("to")
        if choice is not None:
            self._chooser.back(choice, None if to is None else int(to))

    def _take_option(self, choice: Choice, index: int) -> None:
        option = self._chooser.take(choice, index)
        if option is None:
            return
        if option.role == "agree":
            self._agree(choice.seat)
        elif option.role == "decline":
            self._decline(choice.seat)
        elif option.role == "told":
            self._told()
        elif option.role == "dismiss":
            self._dismiss()
        elif option.role == "accept":
            self._reading = None
            self._submit(option.actions, choice.seat)
        else:
            assert option.action is not None
            self._submit((option.action,), choice.seat)

    # Buttons --------------------------------------------------------------------------------------

    def _hold(self, holding: Holding) -> None:
        self._release(holding.button, holding.seat)
        if holding.down:
            self._holding = (*self._holding, holding)

    def _release(self, button: str, seat: str | None) -> None:
        self._holding = tuple(one for one in self._holding if (one.button, one.seat) != (button, seat))

    def _press(self, press: Press) -> None:
        self._release(press.button, press.seat)
        if press.button == "next":
            self._next(press.held)
            return
        choice = self._chooser.of(press.seat or "")
        if choice is None or (self._asking is not None and not _replies(choice)):
            return  # While something is asked of the table, nobody plays on unseen.
        if press.button == "plus":
            self._chooser.plus(choice)
        elif press.button == "ok" and not press.held:
            if choice.at is not None:
                self._take_option(choice, choice.at)
        elif press.button == "ok" and not self._must_answer(choice.seat):
            action = self._chooser.locking(choice.seat)
            if action is not None:
                self._submit((action,), choice.seat)

    def _next(self, held: bool) -> None:
        """Short: the turn of the only seat that acts ends. Held: the seat of the last step is asked whether
        it is taken back, or what is asked is not asked any more."""
        if held:
            by = self._known().undo_by
            if self._asking is not None:
                self._drop(None)
            elif by:
                self._ask_undo(by, 1, sure=False)
            return
        if self._asking is not None:
            return
        seats = {asked.seat for asked in self._known().acting}
        if len(seats) != 1 or TABLE in seats:
            return
        (seat,) = seats
        # What lies on the table and was not answered yet would be left behind.
        if self._must_answer(seat) or seat in answers(self._reading, self.referee.game, self._known().acting):
            return
        action = self._chooser.ending(seat)
        if action is not None:
            self._submit((action,), seat)

    # What the table agrees on ----------------------------------------------------------------------

    def _must_answer(self, seat: str) -> bool:
        """Whether a seat is asked to agree to something."""
        asking = self._asking
        return asking is not None and seat in asking.needs and seat not in asking.given

    def _ask(self, found: Asking | Refused, by: str, action: Action | None = None) -> None:
        """Ask whom it concerns; done at once where that is nobody else."""
        if isinstance(found, Refused):
            self._came_of(found, by, action)
            return
        self._asking = found
        self._conclude()

    def _ask_undo(self, by: str, steps: int, *, sure: bool = True) -> None:
        self._ask(asked_undo(self.referee, by, steps, dealt=self._dealer is not None, sure=sure), by)

    def _ask_overrule(self, command: Command) -> None:
        game, seat, waived = self.referee.game, command.seat, command.values.get("waived")
        action = game.codec.from_json(command.values["action"])
        self._ask(asked_overrule(self.referee, action, seat or TABLE, waived), seat or TABLE, action)

    def _ask_correct(self, command: Command) -> None:
        by = command.seat or STAFF
        self._ask(asked_correction(self.referee, command.values["facts"], by), by)

    def _agree(self, seat: str) -> None:
        if self._asking is None or not self._must_answer(seat):
            return  # answered already, or not asked any more
        self._asking = msgspec.structs.replace(self._asking, given=(*self._asking.given, seat))
        self._conclude()

    def _decline(self, seat: str) -> None:
        if self._must_answer(seat):
            self._drop(seat)

    def _told(self) -> None:
        if self._asking is not None:
            self._asking = msgspec.structs.replace(self._asking, told=True)
            self._conclude()

    def _drop(self, seat: str | None) -> None:
        """Ask no longer."""
        if self._asking is not None:
            asking, self._asking = self._asking, None
            self._note("declined", seat, action=asking.action)
            self._compare()

    def _conclude(self) -> None:
        """Do what was asked once everything is there."""
        asking = self._asking
        if asking is None or not asking.told or not set(asking.needs) <= set(asking.given):
            return
        self._asking = None
        self._show_writing()
        ruling = concluded(self.referee, asking)
        self._came_of(ruling, asking.by, asking.action, back=asking.what == "undo")

    def _undo(self, command: Command) -> None:
        values, seat = command.values, command.seat or TABLE
        consents = tuple(values.get("consents", ()))
        ruling = self.referee.undo(
            seat, int(values.get("steps", 1)), consents, bool(values.get("steps_done"))
        )
        self._came_of(ruling, command.seat, back=True)

    def _redo(self, command: Command) -> None:
        self._came_of(self.referee.redo(command.seat or TABLE), command.seat, back=True)

    def _overrule(self, command: Command) -> None:
        action = self.referee.game.codec.from_json(command.values["action"])
        ruling = self.referee.overrule(action, command.values["waived"], command.values["consents"])
        self._came_of(ruling, command.seat, action)

    def _correct(self, command: Command) -> None:
        ruling = self.referee.correct(command.values["facts"], command.values["consents"])
        self._came_of(ruling, command.seat)

    def _reread(self, command: Command) -> None:
        seq, form = command.values["seq"], command.values["action"]
        action = self.referee.game.codec.from_json(form)
        self._came_of(self.referee.reread(int(seq), action), command.seat, action)

    # What the camera says ---------------------------------------------------------------------------

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

    def _dismiss(self) -> None:
        """Forget what the camera says, until it says something else or the record changes."""
        self._dismissed, self._reading = self._reading, None

    def _look(self) -> None:
        """Compare anew, and draw what is due."""
        self._dismissed = None
        self._deal()
        self._compare()

    def _settle(self, command: Command) -> None:
        """Answer a difference: it was put right, it is legal after all, or everybody agrees to it."""
        how, reading = command.values["how"], self._reading
        if how not in ("put_back", "record", "agreed"):
            raise ValueError(f"there is no way {how!r} to settle a difference")
        if how == "put_back":
            self._look()
            return
        if not isinstance(reading, OutOfStep):
            raise ValueError("table and record do not differ")
        index = _index(command.values["index"], reading.differences)
        found = deed(self.referee.game, self.referee.state, reading.differences[index])
        if found is None:
            raise ValueError("no action puts a piece there: put it back")
        by = str(command.seat or getattr(found.action, "seat", TABLE))
        if how == "record":
            self._submit((found.action,), by)
        else:
            self._ask(asked_overrule(self.referee, found.action, by), by, found.action)

    def _compare(self) -> None:
        """Compare what was last seen with the record, and tell when they begin or cease to differ."""
        if self._seen is None:
            return
        before = self._reading
        reading: Reading | None = read(self.referee.game, self.referee.state, self._seen, self._roster)
        if isinstance(reading, (Proposal, Several)) and reading == self._dismissed:
            reading = None
        self._reading = reading
        if isinstance(reading, OutOfStep):
            if reading != before:
                self._note("out_of_step")
        elif isinstance(before, OutOfStep):
            self._note("settled")
        if isinstance(reading, Proposal) and reading.sure and self._asking is None:
            drawn = tuple(a for a in reading.actions if getattr(a, "seat", None) == TABLE)
            if drawn and drawn == reading.actions:
                self._reading = None
                self._submit(drawn, None)

    # Clocks -----------------------------------------------------------------------------------------

    def _pause(self, paused: bool) -> None:
        self._paused = paused

    def _used(self) -> dict[str, float] | None:
        """What goes into an entry; None leaves what the entry before has."""
        return None if self._clocks is None else self._clocks.used

    def _run_clocks(self) -> None:
        """Let the clocks of those run who act now: none while paused, or while table and record differ."""
        if self._clocks is None:
            return
        still = self._paused or isinstance(self._reading, OutOfStep)
        acting = () if still else self.referee.game.acting(self.referee.state)
        self._clocks.run([asked.seat for asked in acting])

    # Out --------------------------------------------------------------------------------------------

    def _note(
        self,
        kind: NoticeKind,
        seat: str | None = None,
        ruling: Ruling | None = None,
        action: Action | None = None,
        text: str = "",
    ) -> None:
        self._count += 1
        if action is not None:
            action = self.referee.game.disclosed(action, PUBLIC)
        notice = Notice(self._count, kind, seat, ruling, action, text)
        self._notices = (*self._notices[-NOTICES_KEPT + 1 :], notice)

    def _foresee(self, state: Any, actions: Sequence[Action]) -> Foresight | None:
        """What actions of one seat would do, one after the other; None where the game cannot tell."""
        game = self.referee.game
        try:
            if len(actions) == 1:
                return game.foresee(state, actions[0])
            seat, after = getattr(actions[0], "seat", TABLE), state
            for action in actions:
                after, _ = game.apply(after, action)
            before = {strip.seat: strip for strip in game.display(state).strips}
            strips = {strip.seat: strip for strip in game.display(after).strips}
            return Foresight(changes(before[seat], strips[seat])) if seat in before else Foresight()
        except Exception as fault:
            self._trouble(f"what {actions[0].kind} would do cannot be told ({fault})", once=True)
            return None

    def _known(self) -> Facts:
        """What follows from the record alone; worked out anew when it has changed."""
        referee, known = self.referee, self._facts
        if known is None or known.state is not referee.state or known.seq != referee.seq:
            self._facts = known = facts(referee, dealt=self._dealer is not None)
            if known.fault is not None:
                try:
                    raise known.fault
                except Exception as fault:
                    self._trouble(f"this position cannot be drawn ({fault})", once=True)
        return known

    def _choices(self, known: Facts) -> tuple[Choice, ...]:
        before, asking = answers(self._reading, self.referee.game, known.acting), self._asking
        alone: set[str] = set()
        if asking is not None:
            alone = {seat for seat in asking.needs if seat not in asking.given}
            replies = (Option("agree", asking.what), Option("decline", asking.what))
            before |= dict.fromkeys(alone, replies)
            if not asking.told:
                # Whoever asked put it back; what no seat asked for, everybody can have put back.
                hands = {asking.by} if asking.by in self.referee.game.seats else {*self.referee.game.seats}
                before |= dict.fromkeys(hands - alone, (Option("told", asking.what),))
                alone |= hands
        return self._chooser.look(known.state, known.acting, before, alone)

    def _ways_to_settle(self) -> tuple[tuple[How, ...], ...]:
        reading, state = self._reading, self.referee.state
        if not isinstance(reading, OutOfStep):
            return ()
        if self._settles[0] is not reading or self._settles[1] is not state:
            game = self.referee.game
            self._settles = (reading, state, tuple(ways(game, state, one) for one in reading.differences))
        return self._settles[2]

    def _make_view(self) -> TableView:
        known = self._known()
        choices = self._choices(known)
        settles = self._ways_to_settle()
        return TableView(
            seq=known.seq,
            acting=known.acting,
            position=known.position,
            eyes=self._eyes(),
            reading=self._reading,
            notices=self._notices,
            finished=known.finished,
            camera=self._camera,
            panel=self._panel,
            display=known.display,
            choices=choices,
            asking=self._asking,
            undo=known.undo,
            undo_by=known.undo_by,
            redo=known.redo,
            holding=self._holding,
            history=known.history,
            sheet=known.sheet,
            places=known.places,
            owed=known.owed,
            clocks={} if self._clocks is None else self._clocks.used,
            paused=self._paused,
            unrecorded=self._unrecorded,
            unwritable=self._unwritable,
            lost=self._lost,
            settles=settles,
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

    def _show(self) -> None:
        try:
            view = self._make_view()
        except Exception as fault:
            self._trouble(f"the view could not be made ({type(fault).__name__}: {fault})", once=True)
            view = msgspec.structs.replace(self.view, notices=self._notices, writing_since=None)
        self._put_out(view)

    def _show_writing(self) -> None:
        """A ruling is on its way to the disk: everything else is as it was."""
        since = self._clock()
        self._put_out(msgspec.structs.replace(self.view, notices=self._notices, writing_since=since))

    def _put_out(self, view: TableView) -> None:
        self.view = view
        if self._publish is None:
            return
        try:
            self._publish(view)
        except Exception:  # Whoever draws may fail; the table goes on, and the next view comes.
            _log.exception("a view could not be published")


def _replies(choice: Choice) -> bool:
    """Whether a choice answers what is asked of the table."""
    return any(option.role in ("agree", "decline", "told") for option in choice.options)


def _seat(command: Command) -> str:
    if command.seat is None:
        raise ValueError("it is said for no seat")
    return command.seat


def _staff(command: Command) -> None:
    if command.seat != STAFF:
        raise ValueError("this is for staff")


def _index(index: Any, things: Sequence[Any]) -> int:
    if not isinstance(index, int) or isinstance(index, bool):
        raise ValueError(f"{index!r} is no index")
    if not 0 <= index < len(things):
        raise IndexError(f"there is no number {index}")
    return index
