"""Buttons as a state machine on timestamps: bounce, long press, stuck, chattering, down at the start.

It is fed with edges and the time, and gives messages. It knows no pin and no thread, so that whatever real
buttons did can be played again from a list. gpiozero's own debouncing is not used: on lgpio it loses edges
(gpiozero#550), and its mock ignores it.

A level counts once it has stood for `settle`; what is shorter never was. A "plus" acts when it goes down, so
that it feels direct, and repeats while it is held. "ok" and "next" act when they are let go, once, as a short
or a long press.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

import msgspec

from assistant.messages import Holding, Message, PanelState, PanelStatus, Press

PLUS, OK, NEXT = "plus", "ok", "next"
GRAIN_S = 1e-6
"""Two times nearer than this are the same: sums of floats are not exact."""


class Button(NamedTuple):
    """A button: "plus" or "ok" of a seat, or the table's "next"."""

    name: str
    seat: str | None = None

    def __str__(self) -> str:
        return self.name if self.seat is None else f"{self.seat} {self.name}"


def button(text: str) -> Button:
    """The button that is written "A plus" or "next". Raises ValueError for anything else."""
    seat, _, name = text.strip().rpartition(" ")
    if (name in (PLUS, OK) and seat) or (name == NEXT and not seat):
        return Button(name, seat or None)
    raise ValueError(f'{text!r} is no button: write "A plus", "A ok" or "next"')


class Edge(NamedTuple):
    """A button's contact closed (`down`) or opened, at a time of the monotonic clock."""

    button: Button
    down: bool
    at: float


class Timing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a level counts and what it then means, in seconds."""

    settle: float = 0.02
    """A pulse shorter than this is bounce or noise."""
    long: float = 0.8
    """A press of "ok" or "next" that lasts as long is a long one."""
    show_after: float = 0.15
    """From here on a press that may become long is shown on the screen."""
    repeat_after: float = 0.6
    repeat_every: float = 0.25
    reread: float = 0.05
    """So often the level of a button that is down is read again: an edge may have been lost."""
    stuck_after: float = 15.0
    """Nobody holds a button so long: something lies on it, or the wire touches ground."""
    chatter_count: int = 24
    """More presses and pulses than this within `chatter_window` come from no finger."""
    chatter_window: float = 2.0
    chatter_unsettled: float = 0.5
    """Nor does a level that does not stand still for so long."""
    chatter_quiet: float = 5.0
    """A button that chattered is used again after so much silence."""


class Fault(StrEnum):
    """Why a button is left out."""

    AT_START = "down since the start"
    STUCK = "stuck"
    CHATTER = "chatters"


class _Contact:
    """What is known of one button. `level` is the last edge's, `down` the one that has settled."""

    def __init__(self, down: bool, at: float) -> None:
        self.level = down
        self.level_at = at
        self.down = down
        self.since = at
        self.unsettled: float | None = None
        self.fault: Fault | None = Fault.AT_START if down else None
        self.shown = False
        self.repeat_at = 0.0
        self.read_at = at
        self.events: deque[float] = deque()


class Inputs:
    """All buttons of a panel. Feed it with `edge` and `tick`; each gives the messages that follow.

    `level` reads a button's present level, where that can be done; it is asked before each repeat and every
    `reread` while a button is down. `down` are the buttons found down at the start, at time `at`: they are
    left out until they were seen up.
    """

    def __init__(
        self,
        buttons: Iterable[Button],
        timing: Timing | None = None,
        *,
        level: Callable[[Button], bool] | None = None,
        down: Collection[Button] = (),
        at: float = 0.0,
    ) -> None:
        self.timing = timing or Timing()
        self._level = level
        self._contacts = {button: _Contact(button in down, at) for button in buttons}

    @property
    def left_out(self) -> Mapping[Button, Fault]:
        """The buttons that are not used now, and why."""
        return {
            button: contact.fault for button, contact in self._contacts.items() if contact.fault is not None
        }

    def status(self, at: float) -> PanelStatus:
        """How it stands with the buttons, in words."""
        left_out = self.left_out
        if not left_out:
            return PanelStatus(PanelState.RUNNING, "buttons on", at=at)
        names = ", ".join(f"{button} ({fault})" for button, fault in left_out.items())
        text = f"left out, use the screen: {names}"
        return PanelStatus(PanelState.FAULTY, text, tuple(str(button) for button in left_out), at)

    @property
    def next_at(self) -> float | None:
        """When `tick` has something to do next if no edge comes; None for never."""
        times = [
            time
            for button, contact in self._contacts.items()
            if (time := self._due(button, contact)) is not None
        ]
        return min(times, default=None)

    def edge(self, button: Button, down: bool, at: float) -> list[Message]:
        """A contact closed or opened. Edges of one button come in order; their times are those of the pin,
        not of arrival."""
        out = self._advance(at, live=False)
        contact = self._contacts.get(button)
        if contact is None or contact.level == down:
            return out
        self._change(contact, down, max(at, contact.level_at))
        return out

    def tick(self, at: float) -> list[Message]:
        """Time has passed, and no edge before `at` is still to come."""
        return self._advance(at, live=True)

    def _advance(self, at: float, live: bool) -> list[Message]:
        """Go on to a time. Unless it is the present (`live`) no level can be read: it may be a later one."""
        out: list[Message] = []
        before = self.left_out
        for button, contact in self._contacts.items():
            if live:
                self._reread(button, contact, at)
            self._settle(button, contact, at, out)
            self._pass(button, contact, at, live or self._level is None, out)
        out.sort(key=lambda message: message.at)
        if self.left_out != before:
            out.append(self.status(at))
        return out

    # ---- levels

    def _change(self, contact: _Contact, down: bool, at: float) -> None:
        contact.level = down
        contact.level_at = at
        if contact.unsettled is None:
            contact.unsettled = at

    def _reread(self, button: Button, contact: _Contact, at: float) -> None:
        """Look whether a button that should be down still is."""
        if self._level is None or not contact.level or at + GRAIN_S < self._read_due(button, contact):
            return
        contact.read_at = at
        if not self._level(button):
            self._change(contact, False, max(at, contact.level_at))

    def _read_due(self, button: Button, contact: _Contact) -> float:
        due = contact.read_at + self.timing.reread
        return min(due, contact.repeat_at) if self._repeats(button, contact) else due

    def _settle(self, button: Button, contact: _Contact, at: float, out: list[Message]) -> None:
        """Believe a level that has stood long enough."""
        if contact.unsettled is None or at + GRAIN_S < contact.level_at + self.timing.settle:
            return
        contact.unsettled = None
        if contact.level == contact.down:
            # It came back to where it was: a pulse with nobody there.
            contact.events.append(contact.level_at)
            return
        contact.down = contact.level
        if contact.down:
            contact.events.append(contact.level_at)
            self._pressed(button, contact, out)
        else:
            self._released(button, contact, at, out)
        contact.since = contact.level_at

    def _pressed(self, button: Button, contact: _Contact, out: list[Message]) -> None:
        contact.shown = False
        contact.read_at = contact.level_at
        contact.repeat_at = contact.level_at + self.timing.repeat_after
        if contact.fault is None and button.name == PLUS:
            out.append(Press(button.name, button.seat, at=contact.level_at))

    def _released(self, button: Button, contact: _Contact, at: float, out: list[Message]) -> None:
        if contact.fault is None and button.name != PLUS:
            held = contact.level_at - contact.since + GRAIN_S >= self.timing.long
            self._hide(button, contact, contact.level_at, out)
            out.append(Press(button.name, button.seat, held=held, at=contact.level_at))
        if contact.fault in (Fault.AT_START, Fault.STUCK):
            contact.fault = None

    # ---- time

    def _pass(self, button: Button, contact: _Contact, at: float, repeats: bool, out: list[Message]) -> None:
        timing = self.timing
        if contact.fault is not Fault.CHATTER and self._chatters(contact, at):
            self._leave_out(button, contact, Fault.CHATTER, at, out)
        if contact.fault is Fault.CHATTER:
            quiet = at + GRAIN_S >= contact.level_at + timing.chatter_quiet
            if quiet and not contact.level and contact.unsettled is None:
                contact.fault = None
                contact.events.clear()
            return
        if not contact.down or contact.fault is not None:
            return
        if at + GRAIN_S >= contact.since + timing.stuck_after and contact.level:
            self._leave_out(button, contact, Fault.STUCK, at, out)
        elif button.name == PLUS:
            if repeats and self._repeats(button, contact) and at + GRAIN_S >= contact.repeat_at:
                out.append(Press(button.name, button.seat, repeat=True, at=at))
                # Once, however late the tick comes: nobody wants the repeats of a hiccup all at once.
                contact.repeat_at += timing.repeat_every
                if contact.repeat_at <= at:
                    contact.repeat_at = at + timing.repeat_every
        elif not contact.shown and contact.level and at + GRAIN_S >= contact.since + timing.show_after:
            contact.shown = True
            out.append(Holding(button.name, button.seat, contact.since, contact.since + timing.long, at=at))

    def _chatters(self, contact: _Contact, at: float) -> bool:
        timing, events = self.timing, contact.events
        while events and events[0] <= at - timing.chatter_window:
            events.popleft()
        if len(events) > timing.chatter_count:
            return True
        # The last edge counts, not the present time: a late tick makes nothing chatter.
        return (
            contact.unsettled is not None and contact.level_at - contact.unsettled >= timing.chatter_unsettled
        )

    def _leave_out(
        self, button: Button, contact: _Contact, fault: Fault, at: float, out: list[Message]
    ) -> None:
        self._hide(button, contact, at, out)
        contact.fault = fault

    def _hide(self, button: Button, contact: _Contact, at: float, out: list[Message]) -> None:
        if contact.shown:
            until = contact.since + self.timing.long
            out.append(Holding(button.name, button.seat, contact.since, until, down=False, at=at))
        contact.shown = False

    @staticmethod
    def _repeats(button: Button, contact: _Contact) -> bool:
        return button.name == PLUS and contact.down and contact.level and contact.fault is None

    def _due(self, button: Button, contact: _Contact) -> float | None:
        timing = self.timing
        times = []
        if contact.unsettled is not None:
            times.append(contact.level_at + timing.settle)
        if contact.level and self._level is not None:
            times.append(self._read_due(button, contact))
        if contact.fault is Fault.CHATTER and not contact.level:
            times.append(contact.level_at + timing.chatter_quiet)
        if contact.down and contact.level and contact.fault is None:
            times.append(contact.since + timing.stuck_after)
            if button.name == PLUS:
                times.append(contact.repeat_at)
            elif not contact.shown:
                times.append(contact.since + timing.show_after)
        return min(times, default=None)
