"""What comes into the table: observations, touches, presses, ticks.

Every source (camera, screen, buttons, clock) only enqueues one of these; the table's one loop reads
them. A message is data and carries the monotonic time of its source.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from assistant.observation import Observation


class Touch(msgspec.Struct, frozen=True, tag="touch"):
    """A person at the screen does something for a seat: `action` is the action's JSON form."""

    seat: str
    action: dict[str, Any]
    at: float = 0.0


class Press(msgspec.Struct, frozen=True, tag="press"):
    """A debounced button: "plus", "ok" or "next"; `held` tells a long press, decided at release.

    A "plus" that is held down repeats: each repeat is a short press of its own with `repeat` set.
    """

    button: str
    seat: str | None = None
    held: bool = False
    repeat: bool = False
    at: float = 0.0


class Holding(msgspec.Struct, frozen=True, tag="holding"):
    """A button has been down long enough for its progress to be shown: since `since`, and after `until` a
    release counts as long (monotonic seconds). `down` is False once it is up again; the `Press` says what
    became of it."""

    button: str
    seat: str | None
    since: float
    until: float
    down: bool = True
    at: float = 0.0


class Saw(msgspec.Struct, frozen=True, tag="saw"):
    """A stable observation from the camera's watcher."""

    observation: Observation
    at: float = 0.0


class Command(msgspec.Struct, frozen=True, tag="command"):
    """A request to the table that is no action of the game; `assistant.table` lists them and their values."""

    what: str
    seat: str | None = None
    values: dict[str, Any] = {}
    at: float = 0.0


class CameraState(StrEnum):
    """How it stands with the camera."""

    STARTING = "starting"
    RUNNING = "running"
    BUSY = "busy"
    """Another program has it; it is tried again."""
    LATE = "late"
    SKIPPED = "skipped"
    """One picture could not be read; the next ones are."""
    RESTARTING = "restarting"
    RECALIBRATE = "recalibrate"
    """It runs, and nothing it sees is used until it is calibrated again."""
    OFF = "off"
    """It is not tried again until somebody asks for it."""
    STUCK = "stuck"
    """Its process cannot be ended."""
    ENDED = "ended"
    """A recording is over."""


class CameraStatus(msgspec.Struct, frozen=True, tag="camera"):
    """How it stands with the camera: a stable state, a sentence for people, monotonic seconds."""

    state: CameraState
    text: str
    at: float
    generation: int = 0


class PanelState(StrEnum):
    """How it stands with the buttons and lamps."""

    RUNNING = "running"
    FAULTY = "faulty"
    """It runs without some of its buttons: these stick, chatter or were down at the start."""
    OFF = "off"
    """Nothing of it works: the screen does everything."""


class PanelStatus(msgspec.Struct, frozen=True, tag="panel"):
    """How it stands with the panel: a stable state, a sentence for people, the buttons that are left out
    ("A plus", "next"), monotonic seconds."""

    state: PanelState
    text: str
    left_out: tuple[str, ...] = ()
    at: float = 0.0


class Tick(msgspec.Struct, frozen=True, tag="tick"):
    """The clock moved on."""

    at: float


Message = Touch | Press | Holding | Saw | CameraStatus | PanelStatus | Command | Tick
