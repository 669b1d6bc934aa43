"""What was set at the kiosk itself, kept beside the games as one file of JSON (`vision.kept`)."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ui.presenters.words import LANGUAGES
from vision.kept import Found, Kept

VERSION = 1
LEAST_IDLE, MOST_IDLE = 1, 24 * 60
"""Minutes after which an idle game may be asked about."""


class PinRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The staff's PIN: an Argon2 hash, and how often in a row a wrong one was given."""

    hash: str = ""
    wrong: int = 0


class Pledge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is played besides its record: what the screen hides, and whether seats' times are kept."""

    hidden_scores: bool = False
    clocks: bool = False
    set_up: bool = False
    scoring: bool = False
    """Whether it is an end position that is only scored."""
    seconds: float = 0.0
    left: float = 0.0
    """Wall-clock seconds since 1970 when it was left; 0 when that clock was not set."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What staff and guests set. None means: as the configuration file says.

    `games` tells how each game is played, by the name of its file; `playing` is the game that was on the
    screen and was neither parked nor closed. No names of people are kept here.
    """

    version: int = VERSION
    name: str | None = None
    language: str | None = None
    sounds: bool | None = None
    motion: bool | None = None
    camera: bool | None = None
    idle_minutes: float | None = None
    switches: dict[str, dict[str, str | bool]] = {}
    pin: PinRecord = PinRecord()
    games: dict[str, Pledge] = {}
    playing: str = ""


class Store:
    """The settings in one file. `save` raises OSError when the disk refuses; the old file is then there."""

    def __init__(self, path: Path) -> None:
        without = "There are none before: settings are as the configuration file says."
        self._kept = Kept(path, _decoded, path.name, without)

    def load(self) -> Found[Settings]:
        """The settings in the file, or their last good copy; None where there are none. Raises nothing."""
        return self._kept.load()

    def save(self, settings: Settings) -> None:
        """Keep settings. Raises OSError."""
        self._kept.save(msgspec.json.format(msgspec.json.encode(settings), indent=1) + b"\n")


def _decoded(data: bytes) -> Settings:
    """Raises ValueError, with what is wrong."""
    settings = msgspec.json.decode(data, type=Settings)
    if settings.version != VERSION:
        raise ValueError(f"it has version {settings.version}, this program reads version {VERSION}")
    if settings.language is not None and settings.language not in LANGUAGES:
        raise ValueError(f"there is no language {settings.language!r}: {', '.join(LANGUAGES)}")
    if settings.idle_minutes is not None and not LEAST_IDLE <= settings.idle_minutes <= MOST_IDLE:
        raise ValueError(f"idle_minutes is from {LEAST_IDLE} to {MOST_IDLE}, not {settings.idle_minutes}")
    if settings.pin.wrong < 0:
        raise ValueError("there are no fewer than 0 wrong PINs")
    return settings
