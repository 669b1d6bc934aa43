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
    """A debounced button: "plus", "ok" or "next"; `held` tells a long press, decided at release."""

    button: str
    seat: str | None = None
    held: bool = False
    at: float = 0.0


class Saw(msgspec.Struct, frozen=True, tag="saw"):
    """A stable observation from the camera's watcher."""

    observation: Observation
    at: float = 0.0


class Command(msgspec.Struct, frozen=True, tag="command"):
    """A request about the record, not the game: "undo", "redo", "overrule", "correct",
    "accept", "dismiss"."""

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


class Tick(msgspec.Struct, frozen=True, tag="tick"):
    """The clock moved on."""

    at: float


Message = Touch | Press | Saw | CameraStatus | Command | Tick
