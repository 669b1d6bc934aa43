"""What lamps and buzzer say: patterns as brightness over time, sounds as tones.

Lamps differ by pattern, since they may all have one colour. Nothing blinks faster than twice a second.
"""

from __future__ import annotations

import math
from enum import StrEnum

FASTEST_HZ = 2.0
LOCKED_LEVEL = 0.15
ATTENTION_HZ = 1.0
PAY_S = 1.5
"""Two blinks, then a pause: so often it begins again."""
PAY_BLINK_S = 0.28
"""A blink, and the dark between the two; a little more than 2 Hz would ask for."""


class Lamp(StrEnum):
    """What a seat's lamp says."""

    OFF = "off"
    """There is nothing to do."""
    DECIDE = "decide"
    """It is this seat's decision."""
    QUESTION = "question"
    """There is a question for this seat."""
    PAY = "pay"
    LOCKED = "locked"
    """This seat has locked in; others decide."""
    HELD = "held"
    """Its OK is held down just now."""
    OUT_OF_STEP = "out_of_step"
    """Table and record differ: all lamps together."""


class Sound(StrEnum):
    """What the buzzer says. It is never the only sign."""

    RECORDED = "recorded"
    YOUR_TURN = "your_turn"
    REFUSED = "refused"
    OUT_OF_STEP = "out_of_step"


STEADY = {Lamp.OFF: 0.0, Lamp.DECIDE: 1.0, Lamp.LOCKED: LOCKED_LEVEL, Lamp.HELD: 1.0}
"""The lamps that do not change with time."""

_LOW, _HIGH, _TICK = 660.0, 880.0, 880.0
_TONES: dict[Sound, tuple[tuple[float, float], ...]] = {
    Sound.RECORDED: ((_TICK, 0.04),),
    Sound.YOUR_TURN: ((_LOW, 0.12), (_HIGH, 0.16)),
    Sound.REFUSED: ((_HIGH, 0.12), (_LOW, 0.16)),
    Sound.OUT_OF_STEP: ((_LOW, 0.08), (0.0, 0.08), (_LOW, 0.08), (0.0, 0.08), (_LOW, 0.08)),
}


def level(lamp: Lamp, at: float) -> float:
    """How bright a lamp is at a time (monotonic seconds), 0 to 1. Lamps that say the same do so together."""
    if lamp in STEADY:
        return STEADY[lamp]
    if lamp is Lamp.QUESTION:
        return (1 - math.cos(math.tau * ATTENTION_HZ * at)) / 2
    if lamp is Lamp.PAY:
        phase = at % PAY_S
        return 1.0 if phase < PAY_BLINK_S or 2 * PAY_BLINK_S <= phase < 3 * PAY_BLINK_S else 0.0
    return 1.0 if at * ATTENTION_HZ % 1 < 0.5 else 0.0


def tones(sound: Sound) -> tuple[tuple[float, float], ...]:
    """A sound as pairs of frequency (0 for silence) and seconds."""
    return _TONES[sound]
