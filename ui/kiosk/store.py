"""What was set at the kiosk itself, kept beside the games so that power may fail at any moment.

One file of JSON, replaced whole (`vision.calibration.write_safely`); the good one before it lies beside it
as NAME.last. A damaged file is kept aside as NAME.damaged-1, -2 ... and told once; the last good copy is
used.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from vision.calibration import write_safely

VERSION = 1


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


class Loaded(msgspec.Struct, frozen=True):
    """Settings, and sentences about what was wrong with their file."""

    settings: Settings
    notices: tuple[str, ...] = ()


class Store:
    """The settings in one file. `save` raises OSError when the disk refuses; the old file is then there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._good: bytes | None = None
        """The file's content, once it was read or written whole."""

    def load(self) -> Loaded:
        """The settings in the file, or their last good copy. Raises nothing."""
        found = _read(self.path)
        if isinstance(found, Settings):
            self._good = _encoded(found)
            return Loaded(found)
        last = _read(self._last)
        if found is None:
            if isinstance(last, Settings):
                return Loaded(last, (f"{self.path.name} is missing; the settings before are used.",))
            return Loaded(Settings())
        notices = [f"{self.path.name} is damaged ({found})."]
        aside = next(name for n in range(1, 1000) if not (name := self._aside(n)).exists())
        with contextlib.suppress(OSError):
            self.path.rename(aside)
            notices.append(f"It was kept as {aside.name}.")
        if isinstance(last, Settings):
            notices.append("The settings before are used.")
            with contextlib.suppress(OSError):
                write_safely(self.path, _encoded(last))
                self._good = _encoded(last)
            return Loaded(last, tuple(notices))
        notices.append("There are none before: settings are as the configuration file says.")
        return Loaded(Settings(), tuple(notices))

    def save(self, settings: Settings) -> None:
        """Keep settings. Raises OSError."""
        data = _encoded(settings)
        if data == self._good:
            return
        if self._good is not None:
            write_safely(self._last, self._good)
        write_safely(self.path, data)
        self._good = data

    @property
    def _last(self) -> Path:
        return self.path.with_name(f"{self.path.name}.last")

    def _aside(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.damaged-{number}")


def _encoded(settings: Settings) -> bytes:
    return msgspec.json.format(msgspec.json.encode(settings), indent=1) + b"\n"


def _read(path: Path) -> Settings | str | None:
    """The settings in a file, what is wrong with it, or None when there is no file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    if not data:
        return "it is empty"
    try:
        settings = msgspec.json.decode(data, type=Settings)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return str(error)
    if settings.version != VERSION:
        return f"it has version {settings.version}, this program reads version {VERSION}"
    return settings
