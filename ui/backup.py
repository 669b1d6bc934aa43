"""All games and settings of a table as one file, and back.

A backup is a zip: `manifest.json` with the size and SHA-256 of everything in it, and of each game its number
of entries and the last hash of its chain; `games/` with one sound, closed record each; `damaged/` with files
that are no sound record, as they were found, logs included, because they may be all that there is;
`settings/`, `config/`, `packs/` and `boards/`.

A game that is being played belongs to its table alone: SQLite's own lock keeps every other connection out,
the one of its backup interface too. A copy is therefore made as every reader reads
(`assistant.journal.read`): the file with all that is committed in its log, checked whole, and written anew.
Play does not notice.

Going back never writes over a game. What is there and says the same, or more, stays; a shorter or damaged one
is moved aside first, and another game of the same name gets its own. The backup is checked whole before
anything is written.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from assistant.journal import JournalError, MemoryJournal, clock_is_set, read, save
from ui.records import ENDING, saved
from vision.kept import sync_folder, write_safely

VERSION = 1
"""Of the form of a backup; older ones stay readable."""
SETTINGS = "kiosk-settings.json"
LOCK = ".kiosk.lock"
"""What a running kiosk holds in the games folder."""
MANIFEST = "manifest.json"
_NAME = re.compile(r"(games|damaged|settings|config|packs|boards)/[\w][\w .()+-]*")
_LOGS = ("-wal", "-shm", "-journal")
_MOST_BYTES = 4_000_000_000
"""No backup unpacks to more: a table plays a thousand games a year, at a megabyte each."""

_PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# What reading a damaged zip can bring: a wrong sum, a broken stream, an end too early, a kind of packing or
# locking that nobody knows, and lists that make no sense.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, KeyError)


class BadBackup(ValueError):
    """A backup that must not be restored. `faults` lists all that is wrong."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


class InUse(RuntimeError):
    """A kiosk is using the games folder."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One file of a backup. A game has its number of entries and the last hash of its chain."""

    size: int
    sha256: str
    entries: int | None = None
    head: str = ""
    fault: str = ""


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds. `made` is wall-clock text, and `clock_set` whether that clock could be
    believed."""

    stationmaster_backup: int
    program: str
    made: str
    clock_set: bool
    files: dict[str, Part]


class Made(msgspec.Struct, frozen=True):
    """A backup that was written: where, how many games, which files were no sound record, with why, and
    whether it lies apart, on another disk than the games."""

    place: Path
    games: int
    damaged: tuple[tuple[str, str], ...]
    apart: bool


# ---- out


def back_up(place: Path, games: Path, *, config: Path | None = None, program: str = "") -> Made:
    """Write a backup of a games folder to `place`, whole or not at all. Raises OSError.

    Games that are being played are in it as they are recorded at that moment.
    """
    parts: dict[str, Part] = {}
    damaged: list[tuple[str, str]] = []
    place.parent.mkdir(parents=True, exist_ok=True)
    made = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        with tempfile.TemporaryDirectory(prefix="stationmaster-") as aside, made.open("wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as pack:
                for file in saved(games):
                    fault = _add_game(pack, parts, file, Path(aside))
                    if fault:
                        damaged.append((file.name, fault))
                for name, source in _others(games, config):
                    _add(pack, parts, name, source.read_bytes())
                now = datetime.now(UTC).isoformat(timespec="seconds")
                manifest = Manifest(VERSION, program, now, clock_is_set(), parts)
                pack.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
            stream.flush()
            os.fsync(stream.fileno())
        made.replace(place)
        sync_folder(place.parent)
    except BaseException:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        raise
    apart = place.stat().st_dev != games.stat().st_dev
    return Made(place, sum(name.startswith("games/") for name in parts), tuple(damaged), apart)


def free_place(folder: Path) -> Path:
    """The next name for a backup in a folder."""
    numbers = [file.stem.rpartition("-")[2] for file in folder.glob("stationmaster-backup-*.zip")]
    number = max((int(n) for n in numbers if n.isdecimal()), default=0) + 1
    return folder / f"stationmaster-backup-{number:04d}.zip"


def thin_out(folder: Path, keep: int) -> list[Path]:
    """Remove all but the `keep` newest backups of a folder, by their numbers; those that were removed."""
    numbered = [
        (int(number), file)
        for file in folder.glob("stationmaster-backup-*.zip")
        if (number := file.stem.rpartition("-")[2]).isdecimal()
    ]
    old = [file for _, file in sorted(numbered)[:-keep]] if keep > 0 else []
    for file in old:
        file.unlink()
    return old


def _add(pack: zipfile.ZipFile, parts: dict[str, Part], name: str, data: bytes, **more: Any) -> None:
    pack.writestr(name, data)
    parts[name] = Part(len(data), hashlib.sha256(data).hexdigest(), **more)


def _add_game(pack: zipfile.ZipFile, parts: dict[str, Part], file: Path, aside: Path) -> str:
    """Add a game; what is wrong with it, "" for nothing."""
    copy = aside / file.name
    try:
        journal = read(file)
        save(journal, copy).close()
        _add(
            pack, parts, f"games/{file.name}", copy.read_bytes(), entries=journal.last_seq, head=journal.head
        )
        return ""
    except JournalError as wrong:
        fault = str(wrong)
    for beside in (file, *(file.with_name(file.name + log) for log in _LOGS)):
        with suppress(FileNotFoundError):
            _add(pack, parts, f"damaged/{beside.name}", beside.read_bytes(), fault=fault)
    return fault


def _others(games: Path, config: Path | None) -> Iterator[tuple[str, Path]]:
    if (games / SETTINGS).is_file():
        yield f"settings/{SETTINGS}", games / SETTINGS
    if config is not None and config.is_file():
        yield f"config/{config.name}", config
        for file in sorted(config.parent.glob("*.toml")):
            if file != config and _NAME.fullmatch(f"config/{file.name}"):
                yield f"config/{file.name}", file
    for folder, ending in (("packs", "toml"), ("boards", "json")):
        for file in sorted((games / folder).glob(f"*.{ending}")):
            if _NAME.fullmatch(f"{folder}/{file.name}"):
                yield f"{folder}/{file.name}", file


# ---- looking at one


@contextmanager
def opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """A backup with its manifest, every byte checked against it. Raises BadBackup, OSError."""
    try:
        pack = zipfile.ZipFile(file)
    except PermissionError:
        raise
    except _UNREADABLE as wrong:
        raise BadBackup([f"{file} is no backup, or was cut off: {wrong}"]) from None
    with pack:
        # Other kinds of packing fail in other ways, and no backup uses them.
        if {info.compress_type for info in pack.infolist()} - _PACKINGS:
            raise BadBackup([f"{file} is no backup, or is damaged: it is packed in another way"])
        manifest = _manifest(pack, file)
        faults = list(_faults(pack, manifest))
        if faults:
            raise BadBackup(faults)
        yield pack, manifest


def _manifest(pack: zipfile.ZipFile, file: Path) -> Manifest:
    try:
        raw = pack.read(MANIFEST)
        head = msgspec.json.decode(raw)
        version = head.get("stationmaster_backup") if isinstance(head, dict) else None
    except (*_UNREADABLE, msgspec.MsgspecError) as wrong:
        raise BadBackup([f"{file} is no backup of Stationmaster, or is damaged: {wrong}"]) from None
    if isinstance(version, int) and version > VERSION:
        raise BadBackup([f"{file} was made by a newer Stationmaster (form {version}): update this one"])
    if version != VERSION:
        raise BadBackup([f"{file} has form {version!r}, which this version does not read"])
    try:
        return msgspec.json.decode(raw, type=Manifest)
    except msgspec.MsgspecError as wrong:
        raise BadBackup([f"{file}: its list is damaged: {wrong}"]) from None


def _faults(pack: zipfile.ZipFile, manifest: Manifest) -> Iterator[str]:
    infos = {info.filename: info for info in pack.infolist() if info.filename != MANIFEST}
    if len(infos) != len(pack.infolist()) - 1:
        yield "it holds a file twice"
    for name in sorted(infos.keys() - manifest.files.keys()):
        yield f"{name}: not in its list"
    if sum(info.file_size for info in infos.values()) > _MOST_BYTES:
        yield "it unpacks to more than a table can have played"
        return
    for name, part in manifest.files.items():
        if not _NAME.fullmatch(name) or ".." in PurePosixPath(name).parts:
            yield f"{name!r}: no name for a file of a backup"
        elif name not in infos:
            yield f"{name}: missing"
        else:
            try:
                data = pack.read(name) if infos[name].file_size == part.size else b""
            except _UNREADABLE as wrong:
                yield f"{name}: it cannot be unpacked: {wrong}"
                continue
            if len(data) != part.size or hashlib.sha256(data).hexdigest() != part.sha256:
                yield f"{name}: its content has changed"


# ---- back


class Deed(msgspec.Struct, frozen=True):
    """What became of one file of a backup: "restored", "there" (the same or more is there already), "renamed"
    (another game has the name), "replaced" (a shorter or damaged one was moved aside), "kept" (not taken
    over). `to` is its name now, `aside` the name of what was moved."""

    name: str
    what: str
    to: str = ""
    aside: str = ""


def restore(
    file: Path,
    games: Path,
    *,
    config: Path | None = None,
    settings: bool = False,
    tell: Callable[[Deed], None] = lambda deed: None,
) -> list[Deed]:
    """Bring a backup into a games folder. Raises BadBackup, InUse, OSError.

    `config` is where the configuration belongs; without it, it is left alone. Settings that are there are
    kept unless `settings`. Restoring twice changes nothing more. Power may fail at any moment: restoring
    again goes on.
    """
    with opened(file) as (pack, manifest):
        games.mkdir(parents=True, exist_ok=True)
        done: list[Deed] = []
        with _sole_use(games), tempfile.TemporaryDirectory(prefix=".restore-", dir=games) as aside:
            copies = _unpacked(pack, manifest, Path(aside))
            for name, (copy, journal) in copies.items():
                done.append(_bring_game(copy, journal, games / name))
                tell(done[-1])
            for name in manifest.files:
                deed = _bring_other(pack, name, games, config, settings)
                if deed is not None:
                    done.append(deed)
                    tell(deed)
            _owned_like(games, [games / deed.to for deed in done if deed.to])
        sync_folder(games)
    return done


@contextmanager
def _sole_use(games: Path) -> Iterator[None]:
    """No kiosk may begin while games are brought in, and none may run."""
    lock = os.open(games / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse(
                f"a kiosk is using {games}: end it first (sudo systemctl stop stationmaster), "
                "start it afterwards"
            ) from None
        _owned_like(games, [games / LOCK])
        yield
    finally:
        os.close(lock)


def _unpacked(
    pack: zipfile.ZipFile, manifest: Manifest, aside: Path
) -> dict[str, tuple[Path, MemoryJournal]]:
    """All games of a backup beside their place, each read whole. Raises BadBackup before any is placed."""
    copies: dict[str, tuple[Path, MemoryJournal]] = {}
    faults: list[str] = []
    for name, part in manifest.files.items():
        folder, _, plain = name.partition("/")
        if folder != "games":
            continue
        if not plain.endswith(ENDING):
            faults.append(f"{name}: no game")
            continue
        copy = aside / plain
        copy.write_bytes(pack.read(name))
        try:
            journal = read(copy)
        except JournalError as wrong:
            faults.append(f"{name}: {wrong}")
            continue
        if (journal.last_seq, journal.head) != (part.entries, part.head):
            faults.append(f"{name}: it is not the game that was backed up")
        copies[plain] = copy, journal
    if faults:
        raise BadBackup(faults)
    return copies


def _bring_game(copy: Path, journal: MemoryJournal, to: Path) -> Deed:
    what, aside = "restored", ""
    if to.exists():
        there = _readable(to)
        if there is not None and _continues(there, journal):
            return Deed(to.name, "there", to.name)
        if there is not None and not _continues(journal, there):
            other = _other_name(to, journal)
            if other is None:
                return Deed(to.name, "there", to.name)
            _place(copy, other)
            return Deed(to.name, "renamed", other.name)
        what, aside = "replaced", _move_aside(to).name
    else:
        # A log without its game would be taken for the new file's own, and two games would be mixed.
        for log in _LOGS:
            left = to.with_name(to.name + log)
            if left.exists():
                aside = _move_aside(left).name
    _place(copy, to)
    return Deed(to.name, what, to.name, aside)


def _readable(path: Path) -> MemoryJournal | None:
    try:
        return read(path)
    except JournalError:
        return None


def _continues(longer: MemoryJournal, shorter: MemoryJournal) -> bool:
    """Whether one is the other, perhaps with more entries."""
    if longer.header != shorter.header or longer.last_seq < shorter.last_seq:
        return False
    if not shorter.last_seq:
        return True
    return next(longer.entries(shorter.last_seq)).hash == shorter.head


def _other_name(to: Path, journal: MemoryJournal) -> Path | None:
    """A free name beside; None when an earlier restore has brought this game in already."""
    stem = to.name.removesuffix(ENDING)
    number = 1
    while True:
        other = to.with_name(f"{stem}-restored-{number}{ENDING}")
        if not os.path.lexists(other):
            return other
        there = _readable(other)
        if there is not None and _continues(there, journal):
            return None
        number += 1


def _move_aside(path: Path) -> Path:
    """Give a file another name, and its logs with it."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.before-{number}")):
        number += 1
    for log in _LOGS:
        with suppress(FileNotFoundError):
            path.with_name(path.name + log).rename(aside.with_name(aside.name + log))
    path.rename(aside)
    return aside


def _place(copy: Path, to: Path) -> None:
    with copy.open("rb") as stream:
        os.fsync(stream.fileno())
    copy.rename(to)
    sync_folder(to.parent)


def _bring_other(
    pack: zipfile.ZipFile, name: str, games: Path, config: Path | None, settings: bool
) -> Deed | None:
    folder, _, plain = name.partition("/")
    if folder == "games":
        return None
    if folder == "config":
        if config is None:
            return Deed(name, "kept")
        config.parent.mkdir(parents=True, exist_ok=True)
        return _bring_text(pack.read(name), config.parent / plain, name, replace=True)
    to = (games if folder == "settings" else games / folder) / plain
    to.parent.mkdir(exist_ok=True)
    return _bring_text(pack.read(name), to, name, replace=folder == "settings" and settings)


def _bring_text(data: bytes, to: Path, name: str, *, replace: bool) -> Deed:
    aside = ""
    if to.exists():
        if to.read_bytes() == data:
            return Deed(name, "there", str(to))
        if not replace:
            return Deed(name, "kept", str(to))
        aside = _move_aside(to).name
    write_safely(to, data)
    return Deed(name, "replaced" if aside else "restored", str(to), aside)


def _owned_like(folder: Path, paths: Sequence[Path]) -> None:
    """What root brings in must belong to who plays."""
    if os.geteuid() != 0:
        return
    owner = folder.stat()
    for path in paths:
        for one in (path, path.parent):
            if folder == one or folder in one.parents:
                shutil.chown(one, owner.st_uid, owner.st_gid)
