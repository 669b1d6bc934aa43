"""One live game: submit, undo, redo, overrule, correct, resume, replay.

The `Referee` is the only thing that changes a game. Whatever it accepts is in the journal before it says so;
whatever it refuses leaves game and journal as they were. Nothing is erased: taking back is an entry too, and
the state is always what the entries say. The entries whose effect stands are the *live line*.

Refusals of the referee itself (SM-...) are explained in `docs/rules/kernel.md`. Everything here runs on one
thread, the table's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from assistant.actions import TABLE, Action
from assistant.events import Event, Informed, Points, Shortfall, Told
from assistant.game import STAFF, Game, PositionFaults, find_title
from assistant.journal import AnyJournal, Entry, Header, Recorded, SeatInfo
from assistant.positions import at, with_value, without
from assistant.rulings import Accepted, NotUnderstood, Refused, Violation
from assistant.scores import ScoreSheet

S = TypeVar("S")

CORRECTION = "correction"
"""Source of the points that a correction of the position gives or takes."""
GIVEN = "given"
"""Source of the points that a game began with at a position in the middle."""


class CannotResume(ValueError):
    """A journal that this program cannot play on: other title, other rules version, other pack."""


class Differs(ValueError):
    """A replay that does not come out as recorded. `seq` is the first entry that differs."""

    def __init__(self, seq: int, why: str) -> None:
        self.seq = seq
        self.why = why
        super().__init__(f"entry {seq}: {why}")


class UndoTerms(msgspec.Struct, frozen=True):
    """What taking back asks for; `actions` is empty when there are not that many steps.

    `consents` are the seats that must agree, `tells` the physical steps that must be confirmed (the latest
    first), `actions` what is taken back (in the order in which it was done), `entries` their numbers.
    """

    consents: tuple[str, ...]
    tells: tuple[Told, ...]
    actions: tuple[Action, ...]
    entries: tuple[int, ...]


class Written(msgspec.Struct, frozen=True, gc=False):
    """One entry of the history. `live` says whether its effect stands."""

    seq: int
    ruling: int
    kind: str
    by: str
    live: bool
    action: Action | None = None
    events: tuple[Event, ...] = ()
    waived: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    entries: tuple[int, ...] = ()
    """Entries that this one took back, brought back or read again."""
    digest: str = ""
    """Empty for viewers who may not know everything: a digest lets hidden cards be guessed."""


class Replayed(msgspec.Struct, frozen=True, gc=False):
    """One entry of a replay. `differs` tells how it does not come out as recorded; then it is the last."""

    seq: int
    action: Action | None
    ruling: str
    rule: str | None
    digest: str
    differs: str = ""


class _Step(msgspec.Struct, gc=False):
    """One entry of the live line, with the state on both sides."""

    seq: int
    ruling: int
    kind: str
    by: str
    action: Action | None
    detail: Mapping[str, Any]
    before: Any
    after: Any
    events: tuple[Event, ...]
    clocks: Mapping[str, float]

    @property
    def informed(self) -> list[Informed]:
        return [event for event in self.events if isinstance(event, Informed)]


class _Undone(msgspec.Struct):
    """What one undo took back."""

    by: str
    steps: list[_Step]
    informed: bool


_SAID = {
    "act": "accepted",
    "overrule": "overruled",
    "undo": "undone",
    "redo": "redone",
    "correct": "corrected",
    "reread": "read again",
    "given": "given",
    "note": "noted",
}


class _Line(Generic[S]):
    """The live line and what was taken back from it: everything that entries mean, without a journal.

    The methods that plan change nothing and are followed by one that takes the plan in; the referee writes
    the journal in between.
    """

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.first: S = game.start()
        self.state: S = self.first
        self.clocks: Mapping[str, float] = {}
        self.steps: list[_Step] = []
        self.undone: list[_Undone] = []
        self.hidden: list[tuple[int, S]] = []
        """Undone revelations: the length of the line they were undone to, and the state that knew them.
        States further back must forget them as well."""

    # Doing.

    def done(
        self,
        state: S,
        action: Action,
        by: str,
        clocks: Mapping[str, float],
        kind: str,
        detail: Mapping[str, Any],
    ) -> _Step:
        """The step of a legal (or overruled) action on a state; its numbers are filled in when recorded."""
        after, events = self.game.apply(state, action)
        return _Step(0, 0, kind, by, action, detail, state, after, tuple(events), clocks)

    def extend(self, steps: Sequence[_Step]) -> None:
        """Take in steps that follow each other from the present state. What was undone is then gone."""
        self.steps.extend(steps)
        self.state = steps[-1].after
        self.clocks = steps[-1].clocks
        self.undone.clear()

    def overruled(
        self, state: S, action: Action, waived: Sequence[str]
    ) -> tuple[list[str], Violation | None]:
        """The waived rules that the action breaks, and the first other rule that it breaks."""
        broken: list[str] = []
        for violation in self.game.violations(state, action):
            if violation.rule not in waived:
                return broken, violation
            if violation.rule not in broken:
                broken.append(violation.rule)
        return broken, None

    def given(self, position: Mapping[str, Any]) -> tuple[S, tuple[Event, ...]]:
        """The state of the position a game begins at, and the points that its seats bring along."""
        state = self.game.from_position(position)
        if faults := self.game.faults(state):
            raise PositionFaults(faults)
        totals = self.game.totals(state)
        return state, tuple(Points(seat, n, GIVEN) for seat, n in totals.items() if n)

    def corrected(self, state: S, facts: Mapping[str, Any]) -> tuple[S, tuple[Event, ...]]:
        """The state with some facts of its position set, and the points that this moves.

        PositionFaults lists everything wrong with the result.
        """
        position: Any = self.game.to_position(state)
        faults: list[str] = []
        for path, value in facts.items():
            try:
                position = without(position, path) if value is None else with_value(position, path, value)
            except KeyError as missing:
                faults.append(f"{path}: there is no {missing.args[0]!r}")
        if faults:
            raise PositionFaults(faults)
        after = self.game.from_position(position)
        if faults := self.game.faults(after):
            raise PositionFaults(faults)
        old, new = self.game.totals(state), self.game.totals(after)
        moved = {seat: new[seat] - old.get(seat, 0) for seat in new}
        return after, tuple(Points(seat, n, CORRECTION) for seat, n in moved.items() if n)

    # Taking back.

    def cut(self, by: str, steps: int) -> int | None:
        """Index on the line from which the last `steps` steps are taken back; None when there are fewer.

        A step is one ruling, whoever's it is: everybody's count, not only those of `by`. What only the table
        put in (cards drawn) goes with the ruling before it, because it would be due again at once; taken back
        by the table itself (`by`) it is a step of its own.
        """
        index, left = len(self.steps), steps
        while left and index and self.steps[index - 1].kind != "given":
            ruling = self.steps[index - 1].ruling
            counted = by == TABLE
            while index and self.steps[index - 1].ruling == ruling:
                index -= 1
                counted = counted or self.steps[index].by != TABLE
            left -= counted
        return None if left else index

    def terms(self, by: str, index: int) -> UndoTerms:
        """What it takes to go back to `index`."""
        taken = self.steps[index:]
        asked: set[str] = set()
        tells: list[Told] = []
        for step in reversed(taken):
            asked.update(self.game.seats if step.kind in ("overrule", "correct") else (step.by,))
            for event in reversed(step.informed):
                # What cannot be hidden again is said as well, so that nobody takes it back unknowingly.
                known = Told("undo.known", values={"what": event.what, "seats": list(event.seats)})
                tells.extend(event.steps or (known,))
        consents = tuple(seat for seat in self.game.seats if seat in asked and seat != by)
        actions = tuple(step.action for step in taken if step.action is not None)
        return UndoTerms(consents, tuple(tells), actions, tuple(step.seq for step in taken))

    def state_at(self, index: int) -> tuple[S, bool]:
        """The state to go back to, and whether something known becomes unknown on the way."""
        target: S = self.steps[index].before
        informed = False
        for step in reversed(self.steps[index:]):
            if step.informed:
                informed = True
                target = self.game.forget(target, step.after)
        for length, known in self.hidden:
            if length > index:
                target = self.game.forget(target, known)
        return target, informed

    def take_back(self, index: int, by: str) -> None:
        """Go back to `index`."""
        state, informed = self.state_at(index)
        taken = self.steps[index:]
        self.hidden = [(min(length, index), known) for length, known in self.hidden]
        self.hidden += [(index, step.after) for step in taken if step.informed]
        self.undone.append(_Undone(by, taken, informed))
        self.clocks = self.steps[index - 1].clocks if index else {}
        del self.steps[index:]
        self.state = state

    def again(self, state: S, taken: Sequence[_Step]) -> list[_Step] | Violation:
        """The steps done again from a state, with their numbers, or the first rule that now forbids one."""
        out: list[_Step] = []
        for old in taken:
            action, detail = old.action, old.detail
            if action is not None:
                violation = self.overruled(state, action, detail.get("waived", ()))[1]
                if violation is not None:
                    return violation
                step = self.done(state, action, old.by, old.clocks, old.kind, detail)
                step.seq, step.ruling = old.seq, old.ruling
            else:
                try:
                    after, events = self.corrected(state, detail["facts"])
                except PositionFaults as wrong:
                    return Violation("SM-COR-2", {"faults": list(wrong.faults)})
                step = msgspec.structs.replace(old, before=state, after=after, events=events)
            out.append(step)
            state = step.after
        return out

    def bring_back(self, steps: Sequence[_Step]) -> None:
        """Take in the steps of the last undo, done again."""
        self.undone.pop()
        self.steps.extend(steps)
        self.state = steps[-1].after
        self.clocks = steps[-1].clocks

    def reading(self, seq: int) -> int | None:
        """Index of the table's input with that number, if it is live."""
        for index, step in enumerate(self.steps):
            if step.seq == seq and step.by == TABLE and step.action is not None:
                return index
        return None

    def read_again(self, index: int, action: Action) -> list[_Step] | Violation:
        """The line from `index` with the input there replaced, or the first rule that forbids it."""
        first = self.steps[index]
        read = msgspec.structs.replace(first, action=action)
        return self.again(first.before, [read, *self.steps[index + 1 :]])

    def replace(self, index: int, steps: Sequence[_Step]) -> None:
        """Take in what `read_again` made."""
        self.steps[index:] = steps
        self.state = steps[-1].after
        self.undone.clear()

    # Following a journal.

    def follow(self, recorded: Recorded, digests: bool) -> Replayed:
        """Do what an entry says, strictly: it must be allowed again and give the digest it gave."""
        try:
            return self._follow(recorded, digests)
        except (NotUnderstood, KeyError) as wrong:
            why = f"it cannot be understood: {wrong}"
            return Replayed(recorded.seq, None, "refused", None, "", why)

    def _follow(self, recorded: Recorded, digests: bool) -> Replayed:
        entry = recorded.entry
        body, kind = entry.body, entry.kind
        action: Action | None = None
        rule: str | None = None
        if kind == "act":
            # The most frequent kind by far, therefore without detours.
            action = self.game.codec.from_json(body["action"])
            violation = self.game.refuse(self.state, action)
            if violation is not None:
                return self._refused(recorded, action, violation)
            after, events = self.game.apply(self.state, action)
            self.steps.append(
                _Step(
                    recorded.seq,
                    recorded.ruling,
                    kind,
                    entry.by or TABLE,
                    action,
                    body,
                    self.state,
                    after,
                    tuple(events),
                    entry.clocks,
                )
            )
            self.state = after
            self.clocks = entry.clocks
            if self.undone:
                self.undone.clear()
        elif kind != "note":
            found = self._follow_other(recorded)
            if isinstance(found, Replayed):
                return found
            action, rule = found
        digest = entry.digest
        if digests and kind != "note":
            digest = self.game.digest(self.state)
            if digest != entry.digest:
                why = f"the digest is {digest}, recorded is {entry.digest}"
                return Replayed(recorded.seq, action, _SAID[kind], rule, digest, why)
        return Replayed(recorded.seq, action, _SAID[kind], rule, digest)

    def _follow_other(self, recorded: Recorded) -> tuple[Action | None, str | None] | Replayed:
        """Entries other than plain actions: the action and the waived rule, or how the entry differs."""
        entry = recorded.entry
        body, by, clocks = entry.body, entry.by or TABLE, entry.clocks

        def differs(why: str) -> Replayed:
            return Replayed(recorded.seq, None, "refused", None, "", why)

        if entry.kind == "overrule":
            action = self.game.codec.from_json(body["action"])
            broken, other = self.overruled(self.state, action, body["waived"])
            if other is not None:
                return self._refused(recorded, action, other)
            step = self.done(self.state, action, by, clocks, "overrule", body)
            if faults := self.game.faults(step.after):
                return differs("; ".join(faults))
            step.seq, step.ruling = recorded.seq, recorded.ruling
            self.extend([step])
            return action, broken[0] if broken else None
        if entry.kind in ("given", "correct"):
            try:
                if entry.kind == "given":
                    after, events = self.given(body["position"])
                else:
                    after, events = self.corrected(self.state, body["facts"])
            except PositionFaults as wrong:
                return differs(str(wrong))
            step = _Step(
                recorded.seq, recorded.ruling, entry.kind, by, None, body, self.state, after, events, clocks
            )
            self.extend([step])
            return None, None
        if entry.kind == "undo":
            index = len(self.steps) - len(body["undone"])
            if index < 0 or [step.seq for step in self.steps[index:]] != body["undone"]:
                return differs("it takes back entries that are not the last live ones")
            missing = set(self.terms(by, index).consents) - set(body["consents"])
            if missing:
                return differs(f"it lacks the consent of {', '.join(sorted(missing))}")
            self.take_back(index, by)
            self.clocks = clocks
            return None, None
        if entry.kind == "redo":
            if not self.undone or [step.seq for step in self.undone[-1].steps] != body["redone"]:
                return differs("it brings back entries that were not the last ones taken back")
            steps = self.again(self.state, self.undone[-1].steps)
            if isinstance(steps, Violation):
                return self._refused(recorded, None, steps)
            self.bring_back(steps)
            return None, None
        if entry.kind == "reread":
            place = self.reading(body["seq"])
            if place is None:
                return differs(f"entry {body['seq']} is no live input of the table")
            action = self.game.codec.from_json(body["action"])
            steps = self.read_again(place, action)
            if isinstance(steps, Violation):
                return self._refused(recorded, action, steps)
            self.replace(place, steps)
            return action, None
        return differs(f"it is of an unknown kind, {entry.kind!r}")

    def _refused(self, recorded: Recorded, action: Action | None, violation: Violation) -> Replayed:
        values = f" {violation.values}" if violation.values else ""
        why = f"it was accepted and is now refused, {violation.rule}{values}"
        return Replayed(recorded.seq, action, "refused", violation.rule, "", why)


class Referee(Generic[S]):
    """One live game on one journal. Made by `new` or `resume`."""

    def __init__(self, line: _Line[S], journal: AnyJournal, log: list[Written]) -> None:
        self._line = line
        self._log = log
        self.journal = journal
        self.game: Game[S] = line.game

    @classmethod
    def new(cls, game: Game[S], journal: AnyJournal, given: Mapping[str, Any] | None = None) -> Referee[S]:
        """Begin a game on an empty journal, from the start or from a full position.

        ValueError when the journal is not empty or its header is not this game's; PositionFaults lists what
        is wrong with `given`.
        """
        if journal.last_seq:
            raise ValueError("the journal already holds a game: resume it")
        header = journal.header
        want = header_for(game)
        for name in ("game", "edition", "rules_version", "pack_digest", "options"):
            if getattr(header, name) != getattr(want, name):
                raise ValueError(f"the journal's header is for another game: {name} differs")
        if tuple(seat.letter for seat in header.seats) != game.seats:
            raise ValueError("the journal's header is for another game: seats differ")
        referee = cls(_Line(game), journal, [])
        if given is not None:
            line = referee._line
            state, events = line.given(given)
            body = {"position": dict(given)}
            step = _Step(0, 0, "given", TABLE, None, body, line.state, state, events, {})
            referee._record([step])
            line.extend([step])
        return referee

    @classmethod
    def resume(cls, journal: AnyJournal, digests: bool = True) -> Referee[Any]:
        """The game of a journal, as it was left.

        The title is found by the header's game, the pack rebuilt from the journal's own text. CannotResume
        when that cannot be, `Differs` when an entry does not come out as recorded.
        """
        referee = cls(_Line(_game_of(journal.header)), journal, [])
        referee.catch_up(digests)
        return referee

    def catch_up(self, digests: bool = True) -> int:
        """Take in what the journal holds and this referee has not seen; gives the number of entries.

        That is so when writing failed and the ruling turned out to be recorded all the same
        (`JournalIOError.recorded`), or when somebody else wrote a note. Every method that writes does this
        first. `Differs` when an entry does not come out as recorded.
        """
        seen = len(self._log)
        for recorded in self.journal.entries(self._log[-1].seq + 1 if self._log else 1):
            done = self._line.follow(recorded, digests)
            if done.differs:
                raise Differs(done.seq, done.differs)
            self._log.append(_written(recorded, done.action, self._line.steps))
        return len(self._log) - seen

    # What stands.

    @property
    def state(self) -> S:
        """The present state."""
        return self._line.state

    @property
    def seq(self) -> int:
        """Number of the journal's last entry."""
        return self.journal.last_seq

    def _current(self) -> _Line[S]:
        """The line, once it is what the journal says."""
        if self.journal.last_seq != (self._log[-1].seq if self._log else 0):
            self.catch_up()
        return self._line

    @property
    def clocks(self) -> Mapping[str, float]:
        """The times left as the last live entry has them."""
        return self._line.clocks

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back that may be brought back as it was."""
        undone = self._line.undone
        return bool(undone) and not undone[-1].informed

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the live line, in order."""
        return tuple(event for step in self._line.steps for event in step.events)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the live line, in order."""
        return tuple(step.action for step in self._line.steps if step.action is not None)

    def sheet(self) -> ScoreSheet:
        """The score sheet of the live line: every point with its source."""
        return self.game.sheet(self._line.state, self.events)

    def history(self, viewer: str = STAFF) -> tuple[Written, ...]:
        """Every entry, also what was taken back, as far as a viewer may know it."""
        live = {step.seq for step in self._line.steps}
        everything = viewer == STAFF or not self.game.hides
        out = []
        for written in self._log:
            action = written.action
            out.append(
                msgspec.structs.replace(
                    written,
                    live=written.seq in live,
                    action=None if action is None else self.game.disclosed(action, viewer),
                    facts=written.facts if everything else dict.fromkeys(written.facts),
                    digest=written.digest if everything else "",
                )
            )
        return tuple(out)

    # Doing.

    def submit(
        self, *actions: Action, by: str | None = None, clocks: Mapping[str, float] | None = None
    ) -> Accepted | Refused:
        """Record the actions of one ruling, each legal after the one before, or none of them.

        `by` is who did it when that is not the action's seat. `clocks` are the seconds each seat has left.
        """
        if not actions:
            raise ValueError("a ruling has at least one action")
        line = self._current()
        left = line.clocks if clocks is None else dict(clocks)
        state = line.state
        steps: list[_Step] = []
        for action in actions:
            refused = self.game.ruling(state, action)
            if refused is not None:
                return msgspec.structs.replace(refused, at=len(steps)) if steps else refused
            doer = by or _seat(action)
            step = line.done(state, action, doer, left, "act", {"action": self.game.codec.to_json(action)})
            steps.append(step)
            state = step.after
        accepted = self._record(steps)
        line.extend(steps)
        return accepted

    def overrule(self, action: Action, waived: Sequence[str], consents: Sequence[str]) -> Accepted | Refused:
        """Record an illegal action that the whole table accepts: the checks of `waived` are off.

        Refused when a rule cannot be waived (SM-OVR-1), a seat has not agreed (SM-OVR-2), another rule is
        broken too (that rule), the result is impossible (SM-OVR-3) or nothing needs waiving (SM-OVR-4).
        """
        game, line = self.game, self._current()
        fixed = [rule for rule in waived if rule not in game.waivable]
        if fixed:
            return _no("SM-OVR-1", rules=fixed)
        missing = [seat for seat in game.seats if seat not in consents]
        if missing:
            return _no("SM-OVR-2", seats=missing)
        broken, other = line.overruled(line.state, action, waived)
        if other is not None:
            return Refused(other, game.nearest(line.state, action))
        if not broken:
            return _no("SM-OVR-4")
        detail = {"action": game.codec.to_json(action), "waived": broken, "consents": list(game.seats)}
        step = line.done(line.state, action, _seat(action), line.clocks, "overrule", detail)
        faults = game.faults(step.after)
        if faults:
            return _no("SM-OVR-3", faults=faults)
        accepted = self._record([step])
        line.extend([step])
        return accepted

    def correct(
        self, facts: Mapping[str, Any], consents: Sequence[str], by: str = STAFF
    ) -> Accepted | Refused:
        """Set fields of the position by path (None removes one), with every seat's consent.

        Refused when a seat has not agreed (SM-COR-1), or with everything that would be wrong (SM-COR-2), or
        when nothing would change (SM-COR-3). A change of points appears on the score sheet as a correction.
        """
        line = self._current()
        missing = [seat for seat in self.game.seats if seat not in consents]
        if missing:
            return _no("SM-COR-1", seats=missing)
        found = self._corrected(facts)
        if isinstance(found, Refused):
            return found
        after, events = found
        old = self.game.to_position(line.state)
        detail = {
            "facts": dict(facts),
            "was": {path: at(old, path) for path in facts},
            "consents": list(self.game.seats),
        }
        step = _Step(0, 0, "correct", by, None, detail, line.state, after, events, line.clocks)
        accepted = self._record([step])
        line.extend([step])
        return accepted

    def cannot_correct(self, facts: Mapping[str, Any]) -> Refused | None:
        """Why this correction would be refused if all agreed, or None; said before anybody is asked."""
        found = self._corrected(facts)
        return found if isinstance(found, Refused) else None

    def _corrected(self, facts: Mapping[str, Any]) -> tuple[S, tuple[Event, ...]] | Refused:
        """The state with facts set and the points that this moves, or why that cannot be.

        Raises TypeError for facts that are no paths with values.
        """
        if not isinstance(facts, Mapping):
            raise TypeError("facts must be paths with their values")
        line = self._current()
        try:
            after, events = line.corrected(line.state, facts)
        except PositionFaults as wrong:
            return _no("SM-COR-2", faults=list(wrong.faults))
        if self.game.to_position(line.state) == self.game.to_position(after):
            return _no("SM-COR-3")
        return after, events

    def reread(self, seq: int, action: Action) -> Accepted | Refused:
        """Put right an input of the table that was read wrongly, in place.

        Refused when entry `seq` is no live input of the table (SM-READ-1), when a seat has acted since, so
        that something depends on it (SM-READ-2), or with the rule that the new reading breaks.
        """
        line = self._current()
        index = line.reading(seq)
        if index is None or _seat(action) != TABLE:
            return _no("SM-READ-1", seq=seq)
        since = [step.by for step in line.steps[index:] if step.by != TABLE]
        if since:
            return _no("SM-READ-2", seq=seq, seat=since[0])
        steps = line.read_again(index, action)
        if isinstance(steps, Violation):
            return Refused(steps)
        body = {"seq": seq, "action": self.game.codec.to_json(action)}
        events = tuple(event for step in steps for event in step.events)
        accepted = self._note("reread", body, TABLE, steps[-1].after, line.clocks, events, action)
        line.replace(index, steps)
        return accepted

    # Taking back.

    def undo_terms(self, by: str, steps: int = 1) -> UndoTerms:
        """What taking back that many steps asks for. A step is one ruling; see `UndoTerms`."""
        line = self._current()
        index = line.cut(by, steps)
        return UndoTerms((), (), (), ()) if index is None else line.terms(by, index)

    def undo(
        self, by: str, steps: int = 1, consents: Sequence[str] = (), steps_done: bool = False
    ) -> Accepted | Refused:
        """Take back the last steps. `steps_done` confirms the physical steps of `undo_terms`.

        Refused when there are not that many (SM-UNDO-1), when a seat whose action would go has not agreed
        (SM-UNDO-2), or when the physical steps are not confirmed (SM-UNDO-3).
        """
        if steps < 1:
            raise ValueError("at least one step is taken back")
        line = self._current()
        index = line.cut(by, steps)
        if index is None:
            return _no("SM-UNDO-1", steps=steps)
        terms = line.terms(by, index)
        missing = [seat for seat in terms.consents if seat not in consents]
        if missing:
            return _no("SM-UNDO-2", seats=missing)
        if terms.tells and not steps_done:
            return _no("SM-UNDO-3", steps=[msgspec.to_builtins(told) for told in terms.tells])
        state, _ = line.state_at(index)
        clocks = line.steps[index - 1].clocks if index else {}
        body = {
            "undone": list(terms.entries),
            "consents": list(terms.consents),
            "steps": [msgspec.to_builtins(told) for told in terms.tells],
        }
        accepted = self._note("undo", body, by, state, clocks)
        line.take_back(index, by)
        return accepted

    def redo(self, by: str) -> Accepted | Refused:
        """Bring back what the last undo took back.

        Refused when there is nothing (SM-REDO-1), when another seat took it back (SM-REDO-2), or when
        something that was known has been hidden again and must be drawn anew (SM-REDO-3).
        """
        line = self._current()
        if not line.undone:
            return _no("SM-REDO-1")
        last = line.undone[-1]
        if by != last.by and by not in (TABLE, STAFF):
            return _no("SM-REDO-2", seat=last.by)
        if last.informed:
            return _no("SM-REDO-3")
        steps = line.again(line.state, last.steps)
        if isinstance(steps, Violation):
            return Refused(steps)
        body = {"redone": [step.seq for step in steps]}
        accepted = self._note("redo", body, by, steps[-1].after, steps[-1].clocks)
        line.bring_back(steps)
        return accepted

    # Writing.

    def _record(self, steps: Sequence[_Step]) -> Accepted:
        """One transaction for the steps of a ruling; only then do they have numbers."""
        digest = self.game.digest
        entries = []
        events: tuple[Event, ...] = ()
        for step in steps:
            short = [msgspec.to_builtins(event) for event in step.events if isinstance(event, Shortfall)]
            body = {**step.detail, "shortfall": short} if short else dict(step.detail)
            by = None if step.by == TABLE else step.by
            entries.append(
                Entry(kind=step.kind, body=body, digest=digest(step.after), clocks=dict(step.clocks), by=by)
            )
            events += step.events
        recorded = self.journal.append(entries)
        for step, row in zip(steps, recorded, strict=True):
            step.seq, step.ruling = row.seq, row.ruling
            self._log.append(_written(row, step.action, (step,)))
        return Accepted(recorded[-1].seq, events, entries[-1].digest)

    def _note(
        self,
        kind: str,
        body: dict[str, Any],
        by: str,
        state: S,
        clocks: Mapping[str, float],
        events: tuple[Event, ...] = (),
        action: Action | None = None,
    ) -> Accepted:
        """One transaction for an entry that changes the line itself."""
        digest = self.game.digest(state)
        doer = None if by == TABLE else by
        entry = Entry(kind=kind, body=body, digest=digest, clocks=dict(clocks), by=doer)
        (recorded,) = self.journal.append([entry])
        self._log.append(_written(recorded, action, ()))
        return Accepted(recorded.seq, events, digest)


def header_for(game: Game[Any], names: Mapping[str, str] | None = None) -> Header:
    """The header of a new journal for a game; `names` are shown for the seats instead of their letters."""
    shown = names or {}
    return Header(
        game=game.title.id,
        edition=game.title.edition,
        rules_version=str(game.title.rules_version),
        pack_id=game.pack.id,
        pack_digest=game.pack.digest,
        pack_text=game.pack.text,
        seats=tuple(SeatInfo(seat, shown.get(seat, seat)) for seat in game.seats),
        options=dict(game.options),
    )


def replay(
    source: AnyJournal | tuple[Header, Iterable[Recorded]], digests: bool = True
) -> Iterator[Replayed]:
    """Play a recorded game again, strictly, entry by entry.

    Every action must be legal again and every digest equal (`digests=False` leaves the second out). The first
    entry that does not come out as recorded says so in `differs` and is the last. CannotResume when the game
    cannot be played here at all.
    """
    if isinstance(source, tuple):
        header, entries = source
    else:
        header, entries = source.header, source.entries()
    line = _Line(_game_of(header))
    follow = line.follow
    for recorded in entries:
        done = follow(recorded, digests)
        yield done
        if done.differs:
            return


def _game_of(header: Header) -> Game[Any]:
    """The rules that a journal was played under."""
    try:
        title = find_title(header.game)
        if not header.rules_version.isdecimal():
            raise LookupError(f"there is no rules version {header.rules_version!r}")
        title = title.at_version(int(header.rules_version))
        if title.edition != header.edition:
            raise LookupError(f"it is edition {header.edition!r}; here is {title.edition!r}")
        pack = title.pack_from_canonical(header.pack_text)
        if pack.digest != header.pack_digest:
            raise LookupError(f"its pack {header.pack_id} is not the one it was begun with")
        game = title.open(pack, len(header.seats), header.options)
    except (LookupError, ValueError) as wrong:
        raise CannotResume(f"this game cannot be played on here: {wrong}") from wrong
    if tuple(seat.letter for seat in header.seats) != game.seats:
        raise CannotResume(f"this game cannot be played on here: its seats are not {', '.join(game.seats)}")
    return game


def _written(recorded: Recorded, action: Action | None, steps: Sequence[_Step]) -> Written:
    entry = recorded.entry
    body = entry.body
    events = steps[-1].events if steps and steps[-1].seq == recorded.seq else ()
    touched = body.get("undone") or body.get("redone") or ([body["seq"]] if "seq" in body else ())
    return Written(
        seq=recorded.seq,
        ruling=recorded.ruling,
        kind=entry.kind,
        by=entry.by or TABLE,
        live=True,
        action=action,
        events=events,
        waived=tuple(body.get("waived", ())),
        consents=tuple(body.get("consents", ())),
        facts=body.get("facts", {}),
        entries=tuple(touched),
        digest=entry.digest,
    )


def _seat(action: Action) -> str:
    seat: str = getattr(action, "seat", TABLE)
    return seat


def _no(rule: str, **values: Any) -> Refused:
    return Refused(Violation(rule, values))
