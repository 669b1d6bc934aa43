"""Actions: frozen records that turn into JSON and come back equal.

An action says what somebody did, in the words on the table: seat letters, hex names, card ids. It never
touches screen, clock or camera. Touch, button, camera and replay all end in the same record.

A game declares its actions as subclasses of `Action`; the JSON form names the class under "do", in
snake case, e.g. ``{"do": "bid", "seat": "A", "space": 3}``. Every action has a `seat`; for what only
the table can know (a card turned up) that is `TABLE`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, Self, TypeVar, Union

import msgspec

from assistant.rulings import NotUnderstood

TABLE: Final = "table"
"""The seat of inputs that no player decides: cards drawn, a roll, a scan."""

PLACES: Final = ("hex", "space", "place")
"""Fields of actions that name a space of the mat."""


def _tag(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Action(
    msgspec.Struct,
    frozen=True,
    tag_field="do",
    tag=_tag,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """Base of every game's actions. Subclasses declare `seat: str` and their own fields."""

    free: ClassVar[bool] = False
    """A free action: allowed besides what is asked, so nothing waits for it. The random tester, the bench
    and the screen weigh or place such actions apart."""
    locks: ClassVar[bool] = False
    """Locks in what stands, for good (a bid): a long press of OK does it, and buttons do not pass by it."""
    ends: ClassVar[bool] = False
    """Ends the seat's turn or its part in a phase: the "next" button does it."""

    def sample(self, rng: random.Random) -> Self:
        """Itself: an action offered as it is has nothing to be drawn (compare `Form.sample`)."""
        return self

    @property
    def kind(self) -> str:
        """The action's name in JSON, e.g. "place_station"."""
        return str(self.__struct_config__.tag)

    @property
    def spaces(self) -> tuple[str, ...]:
        """Spaces of the mat that it is about. Default: the text of a field `hex`, `space` or `place`."""
        found = (getattr(self, name, None) for name in PLACES)
        return tuple(value for value in found if isinstance(value, str))


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a JSON object",
    "null": "nothing",
}
_PLACE = re.compile(r" - at (?:`key` in )?`\$\.?(.*)`$")
_EXPECTED = re.compile(r"Expected `([\w |]+)`(, got `\w+`)?(.*)")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`")


def in_words(fault: str) -> str:
    """What msgspec says about a form, as people say it: "space must be a whole number"."""
    place = _PLACE.search(fault)
    where = place[1] if place and place[1] else "this"
    fault = fault[: place.start()] if place else fault
    if field := _FIELD.fullmatch(fault):
        name = field[2] if where == "this" else f"{where}.{field[2]}"
        return f"{name} is missing" if field[1].startswith("missing") else f"there is no field {name!r}"
    if expected := _EXPECTED.fullmatch(fault):
        kinds = " or ".join(_KINDS.get(kind, kind) for kind in expected[1].split(" | "))
        return f"{where} must be {kinds}{expected[3]}"
    if fault.startswith("Invalid enum value "):
        return f"{where} cannot be {fault.removeprefix('Invalid enum value ')}"
    return f"{where}: {fault}" if place else fault


A = TypeVar("A", bound=Action)


class Codec(Generic[A]):
    """Turns one game's actions into JSON-able dicts and back."""

    def __init__(self, types: Sequence[type[A]]) -> None:
        self.types: dict[str, type[A]] = {str(t.__struct_config__.tag): t for t in types}
        self._union: Any = Union[tuple(types)]  # noqa: UP007 - built at run time
        self._decoder = msgspec.json.Decoder(self._union)
        self._encoder = msgspec.json.Encoder()

    def to_json(self, action: A) -> dict[str, Any]:
        """The action as a JSON-able dict; fields at their default are left out."""
        form: dict[str, Any] = msgspec.to_builtins(action)
        return form

    def from_json(self, form: Mapping[str, Any]) -> A:
        """The action that `form` spells; `NotUnderstood` when it spells none."""
        if not isinstance(form, Mapping):
            raise NotUnderstood('an action is a set of names and values, with "do" for its own name')
        kind = form.get("do")
        if not isinstance(kind, str) or kind not in self.types:
            known = ", ".join(sorted(self.types))
            wrong = '"do" is missing, the name of the action' if kind is None else '"do" must be text'
            if isinstance(kind, str):
                wrong = f"no action is called {kind!r}"
            raise NotUnderstood(f"{wrong}; there are: {known}")
        try:
            # Not the union: msgspec would take it apart anew in every call.
            action: A = msgspec.convert(form, self.types[kind], strict=True)
        except msgspec.ValidationError as fault:
            raise NotUnderstood(f"{kind}: {in_words(str(fault))}") from None
        except RecursionError:
            raise NotUnderstood(f"{kind}: it is nested too deeply") from None
        return action

    def encode(self, action: A) -> bytes:
        """Canonical JSON bytes, as stored in a journal."""
        return self._encoder.encode(action)

    def decode(self, data: bytes | str) -> A:
        """The action of JSON bytes that this codec wrote; `NotUnderstood` otherwise."""
        try:
            action: A = self._decoder.decode(data)
        except (msgspec.ValidationError, msgspec.DecodeError) as fault:
            raise NotUnderstood(str(fault)) from None
        return action
