"""The kiosk's configuration file (TOML): which table, screen, camera, panel and games (`docs/kiosk.md`).

Everything that is wrong with it is told at once, each with what to do. A file of an older version is read as
well (`ui.kiosk.config_versions`). What staff set on the screen is kept elsewhere (`ui.kiosk.store`) and goes
before what stands here.
"""

from __future__ import annotations

import difflib
import re
import stat
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assistant.game import Title, titles
from hardware.panel import PanelConfig, PanelFaults, panel_config
from ui.kiosk.config_versions import STEPS, VERSION, Move, migrated, named
from ui.presenters.metrics import Unsuitable, metrics
from ui.presenters.words import LANGUAGES

SETTINGS = "kiosk-settings.json"
"""Name of the file beside the games in which the screen's settings are kept."""
IDLE_MINUTES, AWAY_MINUTES = 30.0, 3.0
_MOST_BYTES = 1_000_000
"""A larger file is something else: a configuration with every setting has about 2000."""


class ConfigFaults(ValueError):
    """Everything that is wrong with a configuration file, a sentence each."""

    def __init__(self, faults: Collection[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


class Screen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The screen: `size` in pixels, `size_mm` of the picture (None: by its pixels), how Kivy gets at it."""

    size: tuple[int, int] = (1024, 600)
    size_mm: tuple[float, float] | None = None
    fullscreen: bool = True
    provider: str = "mouse"


class CameraConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The camera as `vision.cameras.open_camera` names it ("" for none), its calibration, and the folder of
    own boards that `teach` wrote: a game that has one there is played on it."""

    name: str = ""
    calibration: Path | None = None
    boards: Path | None = None


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a kiosk is started with. Times are minutes; `offered` are ids of titles, empty for all; `packs` is
    the folder of the house's own content packs, `box` the number of the box that is printed in its tags.
    `version` is that of the file that it was read from."""

    version: int = VERSION
    name: str = "Stationmaster"
    language: str = "en"
    games: Path = Path("games")
    backup: Path | None = None
    offered: tuple[str, ...] = ()
    packs: Path | None = None
    box: str = "01"
    idle_minutes: float = IDLE_MINUTES
    away_minutes: float = AWAY_MINUTES
    sounds: bool = True
    motion: bool = True
    screen: Screen = Screen()
    camera: CameraConfig = CameraConfig()
    panel: PanelConfig = PanelConfig()
    switches: dict[str, dict[str, str | bool]] = {}


_SPECIAL = frozenset({"screen", "camera", "panel", "switches"})


def load(file: Path) -> Config:
    """The configuration in a file; its relative paths are seen from its folder. Raises ConfigFaults."""
    return parsed(text_of(file), file)


def faults_of(file: Path) -> tuple[str, ...]:
    """Everything that is wrong with a file."""
    try:
        load(file)
    except ConfigFaults as wrong:
        return wrong.faults
    return ()


def text_of(file: Path) -> str:
    """What stands in a file. Raises ConfigFaults, also when it is empty, as a power cut may leave it: that is
    no wish for every setting's usual value."""
    try:
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):
            raise ConfigFaults([f"{file} is a folder or a device; put a file there, like deploy/kiosk.toml"])
        if found.st_size > _MOST_BYTES:
            raise ConfigFaults(
                [f"{file} is larger than {_MOST_BYTES // 1_000_000} MB, so it is something else"]
            )
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigFaults(
            [f"{file}: there is no such file; deploy/kiosk.toml is one to begin with"]
        ) from None
    except OSError as error:
        raise ConfigFaults([f"{file}: {error.strerror or error}; check who may read it"]) from None
    except UnicodeDecodeError:
        raise ConfigFaults([f"{file} is not UTF-8 text; save it as UTF-8"]) from None
    if not text.strip():
        raise ConfigFaults([f"{file} is empty; deploy/kiosk.toml is one to begin with"])
    return text


def parsed(text: str, file: Path) -> Config:
    """The configuration that a text is, as if it stood in that file. Raises ConfigFaults."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigFaults([f"{file}: {error}; mend that line"]) from None
    except RecursionError:
        raise ConfigFaults([f"{file}: brackets in brackets, too deep to be read; mend that line"]) from None
    except ValueError as error:  # Such as a number of thousands of digits.
        raise ConfigFaults([f"{file}: {error}"]) from None
    return read(table, file.parent)


def read(table: Mapping[str, Any], folder: Path) -> Config:
    """The configuration in a table of any version that is known. Raises ConfigFaults with everything that is
    wrong; of a newer version nothing but that is said, since nobody knows what is right in it."""
    found = migrated(table)
    if found.version > VERSION:
        raise ConfigFaults(found.faults)
    faults: list[str] = []
    config = _checked(found.table, folder, faults)
    faults = [*found.faults, *(_as_written(fault, found.renamed) for fault in faults)]
    if faults:
        raise ConfigFaults(faults)
    return msgspec.structs.replace(config, version=found.version)


def _as_written(fault: str, renamed: Collection[Move]) -> str:
    """A fault with the name that the setting has in an older file."""
    for move in renamed:
        if re.search(rf"(?<!\w){move.new[-1]} = ", fault):
            return f"{fault} (in this file it is called {named(move.old)})"
    return fault


def _checked(table: Mapping[str, Any], folder: Path, faults: list[str]) -> Config:
    """The configuration in a table of the newest version, as far as it is right."""
    values = _fields(Config, table, "", faults, _SPECIAL)
    for name, kind in (("screen", Screen), ("camera", CameraConfig)):
        given = table.get(name, {})
        if isinstance(given, Mapping):
            values[name] = kind(**_fields(kind, given, name, faults))
        else:
            faults.append(f"{name} must be a table, written [{name}]")
    values["panel"] = _panel(table.get("panel", {}), faults)
    there = titles()
    values["switches"] = dict(_switches(table.get("switches", {}), there, faults))
    config = _placed(Config(**values), folder)
    faults += _faults(config, there)
    return config


def _fields(
    kind: type[Any], given: Mapping[str, Any], where: str, faults: list[str], special: Collection[str] = ()
) -> dict[str, Any]:
    """The values of a table that fit their fields; the others become faults."""
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    place = f"[{where}]: " if where else ""
    values = {}
    for name, value in given.items():
        if name not in fields:
            faults.append(f"{place}there is no setting {name!r}; {_hint(name, where, fields)}")
        elif name not in special:
            try:
                values[name] = msgspec.convert(value, fields[name], dec_hook=_path)
            except msgspec.ValidationError as error:
                said = str(error)
                said = f"{said[:1].lower()}{said[1:]}".replace("`", "").replace("array", "list")
                faults.append(f"{place}{name} = {value!r}: {said}; write {_example(name)}")
    return values


def _hint(name: str, where: str, fields: Collection[str]) -> str:
    """What else somebody may have meant: the newer name of a setting, or one that is written alike."""
    path = (*((where,) if where else ()), name)
    for version, moves in enumerate(STEPS, 2):
        for move in moves:
            if move.old == path:
                return f"since version {version} it is {named(move.new)}"
    close = difflib.get_close_matches(name, fields, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(fields)}"


def _path(kind: Any, value: Any) -> Any:
    if kind is Path and isinstance(value, str) and value and "\0" not in value:
        return Path(value)
    raise ValueError("Expected a path")


def _example(name: str) -> str:
    examples = {
        "size": "size = [1024, 600]",
        "size_mm": "size_mm = [154, 86]",
        "box": 'box = "01"',
        "offered": 'offered = ["railway_boom"]',
        "idle_minutes": "idle_minutes = 30",
        "away_minutes": "away_minutes = 3",
        "sounds": "sounds = true",
        "motion": "motion = true",
        "fullscreen": "fullscreen = true",
    }
    return examples.get(name, f'{name} = "..."')


def _panel(given: Any, faults: list[str]) -> PanelConfig:
    if not isinstance(given, Mapping):
        faults.append("panel must be a table, written [panel]; docs/panel.md tells what stands in it")
        return PanelConfig()
    try:
        return panel_config(given)
    except PanelFaults as wrong:
        faults.extend(wrong.faults)
        return PanelConfig()


def _switches(
    given: Any, there: Mapping[str, Title], faults: list[str]
) -> Iterator[tuple[str, dict[str, str | bool]]]:
    if not isinstance(given, Mapping):
        faults.append("switches must be tables, like [switches.railway_boom]")
        return
    for game, table in given.items():
        if game not in there:
            faults.append(
                f"[switches.{game}]: there is no game {game!r}; there are: {', '.join(sorted(there))}"
            )
        elif not isinstance(table, Mapping):
            faults.append(f'[switches.{game}] must be a table, like "auction.next" = "cyclic"')
        else:
            flat = dict(_flat(table))
            try:
                there[game].effective(flat)
            except ValueError as wrong:
                faults.extend(f"[switches.{game}]: {fault}" for fault in str(wrong).split("; "))
            yield game, flat


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Names with dots, however they are written: "auction.next" or auction.next."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield before + key, value


def _placed(config: Config, folder: Path) -> Config:
    """The configuration with its paths seen from its own folder."""

    def at(path: Path | None) -> Path | None:
        return None if path is None else folder / path.expanduser()

    camera = msgspec.structs.replace(
        config.camera, calibration=at(config.camera.calibration), boards=at(config.camera.boards)
    )
    games = at(config.games)
    assert games is not None
    return msgspec.structs.replace(
        config, games=games, backup=at(config.backup), packs=at(config.packs), camera=camera
    )


def _faults(config: Config, there: Mapping[str, Title]) -> Iterator[str]:
    if not config.name.strip():
        yield 'name is empty; write what the table is called, like name = "Table 4"'
    if config.language not in LANGUAGES:
        yield f"language = {config.language!r}: there are {', '.join(LANGUAGES)}"
    for name in config.offered:
        if name not in there:
            yield f"offered: there is no game {name!r}; there are: {', '.join(sorted(there))}"
    for name in ("idle_minutes", "away_minutes"):
        if not 1 <= getattr(config, name) <= 24 * 60:
            yield f"{name} = {getattr(config, name):g}: from 1 to 1440"
    screen = config.screen
    try:
        metrics(*screen.size)
    except Unsuitable as wrong:
        yield f"[screen]: {wrong}"
    if screen.size_mm is not None and not all(20 <= edge <= 3000 for edge in screen.size_mm):
        yield f"[screen]: size_mm = {list(screen.size_mm)}: measure the picture's width and height in mm"
    kind = screen.provider.partition(",")[0]
    if kind not in ("mouse", "mtdev", "hidinput"):
        yield (
            f'[screen]: provider = {screen.provider!r}: write "mouse", "mtdev,/dev/input/event4" or '
            '"hidinput,/dev/input/event4"'
        )
    if not re.fullmatch(r"[0-9A-Z]{2}", config.box):
        yield f"box = {config.box!r}: two characters out of 0-9 and A-Z, for instance 01"
