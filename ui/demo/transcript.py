"""What the demo tells, line by line, with the time of its simulated clock."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assistant.actions import Action
from assistant.events import Event, Told
from assistant.game import Game
from assistant.layout import Mat
from assistant.reading import Difference, Edit, Hole, InStep, OutOfStep, Proposal, Reading, Several
from assistant.rulings import Refused
from ui.sentences import MISSING, SEAT_VALUES, Sentences, renamed

START = dt.datetime(2026, 1, 3, 19, 0, 0, tzinfo=dt.UTC)
"""The evening of every demo: the same seed tells and exports the same."""


NOWHERE = "somewhere on the table"
"""Stands for the place of a code that lies in none of the spaces."""


def names_at(game: Game[Any], mat: Mat) -> Callable[[str], str]:
    """What people at a mat call a space, a card or a tile: places by the name printed over them, with that of
    their zone where it stands there twice."""
    printed = Counter(space.title for space in mat.spaces)
    zones = {zone.id: zone.title for zone in mat.zones}
    places = {
        space.id: space.title if printed[space.title] == 1 else f"{zones[space.zone]} {space.title}"
        for space in mat.spaces
        if space.kind == "place" and space.title
    }
    return lambda id: places.get(id) or game.name_of(id)


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

    def __init__(
        self,
        clock: Clock,
        sentences: Sentences,
        show: Callable[[str], None],
        name: Callable[[str], str] = str,
    ) -> None:
        """`name` says what people call a space, a card or a tile; without it, by its id."""
        self.lines: list[str] = []
        self._clock = clock
        self._sentences = sentences
        self._show = show
        self._name = name

    def say(self, text: str, mark: str = " ") -> None:
        """One line; `mark` is a sign in the margin ("!" for what was caught)."""
        minutes, seconds = divmod(int(self._clock.seconds), 60)
        line = f"{minutes:3d}:{seconds:02d} {mark} {text}"
        self.lines.append(line)
        self._show(line)

    def action(self, action: Action) -> str:
        """What somebody does."""
        sentences = self._sentences
        if not sentences.has("actions", action.kind):
            return sentences.action(action)
        fields = {name: getattr(action, name) for name in action.__struct_fields__}
        return sentences.say("actions", sentences.key("actions", action), self._named(fields))

    def _named(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values with names instead of ids; seats stay letters, which the sentences know."""
        return {
            key: value if key in SEAT_VALUES else renamed(value, self._name) for key, value in values.items()
        }

    def events(self, events: tuple[Event, ...]) -> None:
        """What people should know of a ruling's events."""
        for event in events:
            if isinstance(event, Told):
                told = msgspec.structs.replace(event, values=self._named(event.values))
                self.say(f"    {self._sentences.told(told)}")

    def refused(self, ruling: Refused) -> None:
        """Why not, and what would do instead."""
        broken = ruling.violation
        values = self._named({"places": list(broken.places), **broken.values})
        self.say(f"{self._sentences.say('refusals', ruling.rule, values)} [{ruling.rule}]", "!")
        for action in ruling.nearest:
            self.say(f"    legal instead: {self.action(action)}")

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
            hidden = (
                f"; hidden, nothing concluded: {', '.join(map(self._name, reading.hidden))}"
                if reading.hidden
                else ""
            )
            self.say(f"table and record agree{hidden}")

    def difference(self, difference: Difference) -> str:
        """One difference with the rule it breaks and that rule's sentence."""
        values = {name: getattr(difference, name) for name in difference.__struct_fields__}
        values |= {"place": values["place"] or NOWHERE, "seat": values["seat"] or ""}
        values |= {"hex": difference.place, "space": difference.place, "card": difference.piece}
        values["to"] = self._name(difference.to)
        text = self._sentences.say("differences", difference.kind, self._named(values))
        why = self._sentences.say("refusals", difference.rule, self._named(values))
        whole = difference.kind == "over_budget" or MISSING in why
        return f"{text} [{difference.rule}]" if whole else f"{text} [{difference.rule}] {why}"

    def _step(self, step: object) -> str:
        if isinstance(step, Hole):
            if step.kind == "payment" and step.options:
                ways = " or ".join(" and ".join(self.action(a) for a in option) for option in step.options)
                return f"{step.need} more power is needed: {ways}?"
            return f"a choice at {step.detail} comes first"
        return self.action(step)  # type: ignore[arg-type]

    def _edit(self, edit: Edit) -> str:
        verb = {"remove": "take away", "add": "add", "put_back": "put back"}[edit.what]
        name = self._name(edit.place)
        # A name of several words has to be told from the sentence.
        return f"{verb} {name if name == edit.place else f'“{name}”'}" if edit.place else f"{verb} {NOWHERE}"

    def write(self, path: Path) -> None:
        """The whole transcript as a text file."""
        path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
