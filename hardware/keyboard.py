"""The keyboard in the place of buttons: the same state machine, the lamps as data for the screen to draw."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec

from hardware.debounce import NEXT, OK, PLUS, Button, Inputs, Timing
from hardware.driven import DrivenPanel
from hardware.lamps import Lamp, Sound, level
from hardware.panel import SEATS

KEYS: Mapping[str, Button] = {
    **{key: Button(PLUS, seat) for key, seat in zip("qwer", SEATS, strict=True)},
    **{key: Button(OK, seat) for key, seat in zip("asdf", SEATS, strict=True)},
    "space": Button(NEXT),
    "spacebar": Button(NEXT),
}
"""A seat has two keys, one above the other: plus above, ok below. Kivy calls the space bar "spacebar"."""


class KeyboardPanel(DrivenPanel):
    """Buttons that are keys. The window calls `key` for whatever goes down or up, and `release` when it
    loses the keyboard. `sounded` gets the sounds, for whoever can play them."""

    def __init__(
        self,
        keys: Mapping[str, Button] = KEYS,
        *,
        timing: Timing | None = None,
        sounded: Callable[[Sound], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock)
        self.keys = dict(keys)
        self._timing = timing or Timing()
        self.sounded = sounded
        self._down: dict[str, Button] = {}

    def key(self, name: str, down: bool, at: float | None = None) -> bool:
        """A key went down or up; whether it is one of ours. A key that repeats by itself is down once."""
        button = self.keys.get(name)
        if button is None:
            return False
        if down == (name in self._down):
            return True
        if down:
            self._down[name] = button
        else:
            del self._down[name]
        # Two keys of one button are one button: it is up when both are.
        if down or button not in self._down.values():
            self.enter(button, down, self._clock() if at is None else at)
        return True

    def release(self, at: float | None = None) -> None:
        """Let go of every key: the window has lost the keyboard and will not hear of it."""
        for name in tuple(self._down):
            self.key(name, False, at)

    def level(self, seat: str, at: float | None = None) -> float:
        """How bright a seat's lamp is to be drawn, 0 to 1."""
        return level(self.lamps.get(seat, Lamp.OFF), self._clock() if at is None else at)

    def sound(self, sound: Sound) -> None:
        if self.sounded is not None:
            self.sounded(sound)

    def _open(self) -> Inputs:
        # Keys do not chatter: some window systems repeat them as pairs of up and down.
        timing = msgspec.structs.replace(self._timing, chatter_count=2**31)
        return Inputs(dict.fromkeys(self.keys.values()), timing, at=self._clock())

    def _light(self, seat: str, value: float) -> None:
        return

    def _tone(self, hz: float) -> None:
        return
