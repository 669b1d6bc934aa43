"""Sentences for what the rules say in ids and values.

Rules never make sentences: they cite a rule id and values, and the catalogues hold the words. What every
game shares lies in `assistant/locale/`, a game's own in `locale/` of its folder. A catalogue is TOML with
tables of templates: `refusals` (by rule id), `told`, `why`, `sources`, `actions`, `events`, `faces` for what
is printed on cards, and `words` for values that are spoken of (a resource, the table). A value may itself be
told: a `Told` in a value is a key of the table `effects`.

A template names values in braces. A missing value shows as "…", a missing template as its key, so that
nothing here ever fails in front of people; tests find both.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

import assistant
from assistant.actions import Action
from assistant.events import Event, Points, Told
from assistant.game import Acting, Title
from assistant.rulings import Violation
from ui.shortform import spell

MISSING = "…"
"""Stands for a value that the rules did not give."""

SEAT_VALUES = frozenset({"seat", "seats", "next", "by", "to", "order", "owner", "player"})
"""Values that are seats: letters there become names."""

_KIND_OF = re.compile(r"[a-z_]+:[a-z_]+")

Catalogue = Mapping[str, Mapping[str, str]]


class CatalogueFault(ValueError):
    """A catalogue that cannot be read: which file, and what is wrong in it."""


class Sentences:
    """The words of one title in one language. `names` are shown for seat letters."""

    def __init__(self, catalogue: Catalogue, names: Mapping[str, str] | None = None) -> None:
        self._catalogue = catalogue
        self._names = dict(names or {})

    @classmethod
    def of(
        cls, title: Title | None = None, language: str = "en", names: Mapping[str, str] | None = None
    ) -> Sentences:
        """The shared words and, with a title, that game's; what a language lacks is said in English.

        `CatalogueFault` for a catalogue that is not of the form described above.
        """
        folders = [Path(assistant.__file__).parent, *([title.folder] if title is not None else [])]
        whole: dict[str, dict[str, str]] = {}
        for spoken in dict.fromkeys(("en", language)):
            for folder in folders:
                for table, entries in read_catalogue(folder / "locale" / f"{spoken}.toml").items():
                    whole.setdefault(table, {}).update(entries)
        return cls(whole, names)

    @property
    def catalogue(self) -> Catalogue:
        """All tables."""
        return self._catalogue

    def has(self, table: str, key: str) -> bool:
        """Whether there is a template for a key."""
        return key in self._catalogue.get(table, {})

    def keys(self, table: str) -> Iterator[str]:
        """The keys of a table."""
        return iter(self._catalogue.get(table, {}))

    def say(self, table: str, key: str, values: Mapping[str, Any] | None = None) -> str:
        """The sentence for a key; the key itself when there is none."""
        template = self._catalogue.get(table, {}).get(key)
        if template is None:
            return key
        try:
            text = _Formatter(self).vformat(template, (), values or {})
        except (ValueError, TypeError, AttributeError, IndexError):
            return template
        return " ".join(text.split())

    def violation(self, violation: Violation) -> str:
        """Why something is not allowed."""
        values = {"places": list(violation.places), **violation.values}
        return self.say("refusals", violation.rule, values)

    def told(self, told: Told) -> str:
        """Something for people to know or do."""
        return self.say("told", told.key, {"seat": told.seat, **told.values})

    def source(self, key: str) -> str:
        """What points came from."""
        return self.say("sources", key)

    def acting(self, who: Acting) -> str:
        """What a seat is asked."""
        return self.say("why", who.why, {"seat": who.seat})

    def action(self, action: Action) -> str:
        """What somebody does; in the short form of the command line where the game has no words for it."""
        if not self.has("actions", action.kind):
            return spell(action)
        fields = {name: getattr(action, name) for name in action.__struct_fields__}
        return self.say("actions", self.key("actions", action), fields)

    def key(self, table: str, action: Action) -> str:
        """The key that speaks of an action: its kind, or "kind.field" for a field that is set."""
        keys = (f"{action.kind}.{name}" for name in action.__struct_fields__ if getattr(action, name))
        return next((key for key in keys if self.has(table, key)), action.kind)

    def event(self, event: Event) -> str:
        """What an action caused."""
        values: dict[str, Any] = msgspec.structs.asdict(event)
        if isinstance(event, Told):
            values["text"] = self.told(event)
        elif isinstance(event, Points):
            values["source"] = self.source(event.source)
        return self.say("events", str(event.__struct_config__.tag), values)

    def value(self, value: Any, name: str = "") -> str:
        """A value as it stands in a sentence."""
        if value is None:
            return MISSING
        if isinstance(value, bool):
            return self.say("words", "yes" if value else "no")
        if isinstance(value, Told):
            return self.say("effects", value.key, value.values)
        if isinstance(value, Mapping):
            return ", ".join(self.counted(key, inner) for key, inner in value.items())
        if isinstance(value, Sequence) and not isinstance(value, str):
            return ", ".join(self.value(item, name) for item in value) or self.say("words", "nothing")
        if isinstance(value, str):
            if name in SEAT_VALUES and value in self._names:
                return self._names[value]
            return self._word(value)
        return str(value)

    def counted(self, key: Any, amount: Any) -> str:
        """So many of a thing: "2 roubles"; of one thing the word `key.one` is said where there is one."""
        alone = f"{key}.one"
        what = alone if amount == 1 and self.has("words", alone) else key
        return f"{self.value(amount)} {self.value(what)}"

    def _word(self, key: str) -> str:
        """The word for a key; "tile:coal" without one of its own is a Coal tile."""
        words = self._catalogue.get("words", {})
        if key not in words and _KIND_OF.fullmatch(key):
            kind, _, what = key.partition(":")
            return f"{words.get(what, what)} {words.get(kind, kind)}"
        return words.get(key, key)


def renamed(value: Any, name: Callable[[str], str]) -> Any:
    """A value of an action or of something told with names instead of ids, in all its parts."""
    if isinstance(value, str):
        return name(value)
    if isinstance(value, Told):
        return msgspec.structs.replace(value, values=renamed(value.values, name))
    if isinstance(value, Mapping):
        return {key: renamed(inner, name) for key, inner in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return [renamed(inner, name) for inner in value]
    return value


class _Formatter(string.Formatter):
    """`{name}` and `{count:one|many}`; whatever is not there is "…"."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        # No look inside values: a template is data, not code.
        value = kwargs.get(field_name)
        if value is None or isinstance(value, int | float):
            return value, field_name
        return self._sentences.value(value, field_name), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:
            return MISSING
        if "|" in format_spec:
            one, _, many = format_spec.partition("|")
            return f"{value} {one if value == 1 else many}"
        if isinstance(value, bool) or (isinstance(value, str) and format_spec):
            return self._sentences.value(value)
        return format(value, format_spec)


def read_catalogue(file: Path) -> Catalogue:
    """The tables of a catalogue file; empty when there is no file. Keys with dots need no quotes.

    `CatalogueFault` names the file and what is not text in it.
    """
    try:
        now = file.stat()
    except FileNotFoundError:
        return {}
    return _as_it_is(file, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=64)
def _as_it_is(file: Path, changed_ns: int, size: int) -> Catalogue:
    """A catalogue read once for as long as its file stays as it is: pages ask for words again and again."""
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise CatalogueFault(f"{file}: {wrong}") from None
    out: dict[str, dict[str, str]] = {}
    for table, entries in raw.items():
        if not isinstance(entries, dict):
            raise CatalogueFault(f"{file}: {table} stands outside a table")
        out[table] = dict(_flat(entries, f"{file}: {table}"))
    return out


def _flat(entries: Mapping[str, Any], where: str, before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in entries.items():
        if isinstance(value, Mapping):
            yield from _flat(value, where, f"{before}{key}.")
        elif isinstance(value, str):
            yield before + key, value
        else:
            raise CatalogueFault(f"{where}.{before}{key} is not text")
