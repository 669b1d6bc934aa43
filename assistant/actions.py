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

    def sample(self, rng: random.Random) -> Self:
        """Itself: an action offered as it is has nothing to be drawn (compare `Form.sample`)."""
        return self

    @property
    def kind(self) -> str:
        """The action's name in JSON, e.g. "place_station"."""
        return str(self.__struct_config__.tag)


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
        kind = form.get("do")
        if not isinstance(kind, str) or kind not in self.types:
            known = ", ".join(sorted(self.types))
            raise NotUnderstood(f"no action is called {kind!r}; there are: {known}")
        try:
            # Not the union: msgspec would take it apart anew in every call.
            action: A = msgspec.convert(form, self.types[kind], strict=True)
        except msgspec.ValidationError as fault:
            raise NotUnderstood(f"{kind}: {fault}") from None
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
