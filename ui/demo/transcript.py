"""What the demo tells, line by line, with the time of its simulated clock."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

from assistant.events import Event, Told
from assistant.reading import Difference, Edit, Hole, InStep, OutOfStep, Proposal, Reading, Several
from assistant.rulings import Refused
from ui.sentences import MISSING, Sentences

START = dt.datetime(2026, 1, 3, 19, 0, 0, tzinfo=dt.UTC)
"""The evening of every demo: the same seed tells and exports the same."""


NOWHERE = "somewhere on the table"
"""Stands for the place of a code that lies in none of the spaces."""


class Clock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        self.seconds += seconds

    def note(self) -> str:
        """Wall-clock text for the journal."""
        return (START + dt.timedelta(seconds=self.seconds)).isoformat()


class Transcript:
    """Collects lines, writes them to a file, and shows them as they come."""

    def __init__(self, clock: Clock, sentences: Sentences, show: Callable[[str], None]) -> None:
        self.lines: list[str] = []
        self._clock = clock
        self._sentences = sentences
        self._show = show

    def say(self, text: str, mark: str = " ") -> None:
        """One line; `mark` is a sign in the margin ("!" for what was caught)."""
        minutes, seconds = divmod(int(self._clock.seconds), 60)
        line = f"{minutes:3d}:{seconds:02d} {mark} {text}"
        self.lines.append(line)
        self._show(line)

    def events(self, events: tuple[Event, ...]) -> None:
        """What people should know of a ruling's events."""
        for event in events:
            if isinstance(event, Told):
                self.say(f"    {self._sentences.told(event)}")

    def refused(self, ruling: Refused) -> None:
        """Why not, and what would do instead."""
        self.say(f"{self._sentences.violation(ruling.violation)} [{ruling.rule}]", "!")
        for action in ruling.nearest:
            self.say(f"    legal instead: {self._sentences.action(action)}")

    def reading(self, reading: Reading | None) -> None:
        """What the camera made of the table."""
        if isinstance(reading, OutOfStep):
            count = len(reading.differences)
            self.say(f"table and record differ in {count} {'place' if count == 1 else 'places'}", "!")
            for difference in reading.differences:
                self.say(f"    {self.difference(difference)}", "!")
            for edits in reading.repairs:
                self.say(f"    would be right: {', '.join(map(self._edit, edits))}")
        elif isinstance(reading, Proposal):
            sure = "" if reading.sure else " (some places are hidden)"
            for step in reading.steps:
                self.say(f"the camera sees: {self._step(step)}{sure}")
        elif isinstance(reading, Several):
            self.say(f"the camera sees one of {len(reading.choices)} things")
        elif isinstance(reading, InStep):
            hidden = f"; hidden, nothing concluded: {', '.join(reading.hidden)}" if reading.hidden else ""
            self.say(f"table and record agree{hidden}")

    def difference(self, difference: Difference) -> str:
        """One difference with the rule it breaks and that rule's sentence."""
        values = {name: getattr(difference, name) for name in difference.__struct_fields__}
        values |= {"place": values["place"] or NOWHERE, "seat": values["seat"] or ""}
        text = self._sentences.say("differences", difference.kind, values)
        why = self._sentences.say(
            "refusals", difference.rule, {**values, "hex": difference.place, "card": difference.piece}
        )
        whole = difference.kind == "over_budget" or MISSING in why
        return f"{text} [{difference.rule}]" if whole else f"{text} [{difference.rule}] {why}"

    def _step(self, step: object) -> str:
        if isinstance(step, Hole):
            if step.kind == "payment" and step.options:
                ways = " or ".join(
                    " and ".join(self._sentences.action(a) for a in option) for option in step.options
                )
                return f"{step.need} more power is needed: {ways}?"
            return f"a choice at {step.detail} comes first"
        return self._sentences.action(step)  # type: ignore[arg-type]

    def _edit(self, edit: Edit) -> str:
        verb = {"remove": "take away", "add": "add", "put_back": "put back"}[edit.what]
        return f"{verb} {edit.place or NOWHERE}"

    def write(self, path: Path) -> None:
        """The whole transcript as a text file."""
        path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
