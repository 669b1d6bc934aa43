"""Saved games by name, and files that hold a game: where they are, and how they are opened.

A game's record is `NAME.game` in the games folder, with or without the ending in the call; what has a
separator in it, or ends as an export or a case does, is a path. Whatever
cannot be opened is said in one line (`Usage` when there is no such thing, `No` when it is unusable).
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.terminal import No, Usage

if TYPE_CHECKING:
    from assistant.game import Game
    from assistant.journal import AnyJournal
    from assistant.referee import Referee

ENDING = ".game"
_LONGEST = 255 - len(f"{ENDING}.new-journal")
"""Bytes of a game's name: its file and what SQLite keeps beside it must have names of 255 at most."""


def add_folder(parser: argparse.ArgumentParser) -> None:
    """The option that every command about saved games has."""
    parser.add_argument(
        "--games-dir",
        type=Path,
        metavar="DIR",
        help="folder of saved games (default: $STATIONMASTER_HOME, else ~/.local/share/stationmaster)",
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    """The saved game that a command is about."""
    parser.add_argument("game", metavar="GAME", help="name of a saved game, or path of its file")
    add_folder(parser)


def folder(args: argparse.Namespace) -> Path:
    """The folder of saved games."""
    chosen: Path | None = args.games_dir
    if chosen is not None:
        return chosen
    if home := os.environ.get("STATIONMASTER_HOME"):
        return Path(home)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "stationmaster"


def locate(name: str, where: Path) -> Path:
    """The file of a saved game, whether it is there or not."""
    if os.sep in name or Path(name).suffix in (".json", ".toml"):
        return Path(name)
    name = name.removesuffix(ENDING)
    if len(os.fsencode(name)) > _LONGEST:
        raise Usage(f"{name[:20] + '...'!r}: this name is too long for a file; choose a shorter one")
    if not re.fullmatch(r"[\w][\w .-]*", name):
        raise Usage(f"{name!r} is no name for a game: letters, digits, blanks, '-', '_' and '.'")
    return where / f"{name}{ENDING}"


def saved(where: Path) -> list[Path]:
    """The saved games in a folder, by name; none where there is no folder. Raises OSError, also when it may
    not be read: to take that for an empty one would make an empty backup of it."""
    try:
        return sorted(path for path in where.iterdir() if path.name.endswith(ENDING))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError as error:
        why = (
            "this user may not read it; at a table call sudo -u stationmaster stationmaster ..., "
            "or sudo stationmaster ..."
        )
        raise PermissionError(error.errno, why, str(where)) from None


@contextmanager
def playing(args: argparse.Namespace) -> Iterator[Referee[Any]]:
    """The game opened for play: its file is ours until the block ends."""
    from assistant.journal import Journal, JournalError
    from assistant.referee import Referee

    path = _there(args)
    if path.is_file() and _is_json(path):
        raise No(f"{path} is an exported game: import it first (stationmaster import {path})")
    with _said():
        journal = Journal.open(path)
    try:
        with _said():
            referee = Referee.resume(journal)
        try:
            yield referee
        except JournalError as wrong:
            raise No(str(wrong)) from None
    finally:
        journal.close()


def reading(args: argparse.Namespace) -> Referee[Any]:
    """The game as it stands, from its record or from an export; nothing is written or locked."""
    return resumed(read_journal(_there(args)))


def resumed(journal: AnyJournal) -> Referee[Any]:
    """The game of a record, as it was left."""
    from assistant.referee import Referee

    with _said():
        return Referee.resume(journal)


def read_journal(path: Path) -> AnyJournal:
    """The record in a file: a saved game or an export."""
    from assistant.journal import import_memory, read

    if not path.exists():
        raise Usage(f"there is no file {path}")
    if path.is_dir():
        raise Usage(f"{path} is a folder, not a game")
    with _said():
        if _is_json(path):
            return import_memory(text_of(path))
        return read(path)


def is_record(path: Path) -> bool:
    """Whether a file is a saved game and not an export or something else that people pass around."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def keeps_secrets(referee: Referee[Any]) -> bool:
    """Whether players of this game must not see all that the record knows."""
    return referee.game.hides and not referee.game.finished(referee.state)


def text_of(path: Path) -> str:
    """The text of a file that should be UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise No(f"{path} is not UTF-8 text") from None


def _is_json(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))


def _there(args: argparse.Namespace) -> Path:
    where = folder(args)
    path = locate(args.game, where)
    if not path.exists():
        if path.parent == where:
            names = ", ".join(file.stem for file in saved(where)) or "none yet"
            here = f"; for the file in this folder write ./{args.game}" if Path(args.game).is_file() else ""
            raise Usage(f"there is no game {args.game!r} in {where}; saved games: {names}{here}")
        raise Usage(f"there is no file {path}")
    return path


@contextmanager
def _said() -> Iterator[None]:
    """Turn what can be wrong with a record into its one line."""
    from assistant.journal import JournalError
    from assistant.referee import CannotResume, Differs

    try:
        yield
    except (JournalError, CannotResume, Differs) as wrong:
        raise No(str(wrong)) from None


def position_in(path: Path, game: str | None, pack: str | None, players: int | None) -> tuple[Game[Any], Any]:
    """The rules and the state in a file: a case (its `given`), a position, an export or a saved game.

    A position is what `show --json` prints. A bare one says nothing about the game, the pack and the number
    of players; these then come from the call.
    """
    from assistant.cases import CaseFaults, opened, read
    from assistant.referee import Referee

    if not path.exists():
        raise Usage(f"there is no file {path}")
    if path.suffix == ".toml":
        try:
            case = read(path)
        except CaseFaults as wrong:
            raise No(f"{path}: {wrong}") from None
        return _opened(lambda: opened(case), path)
    if not path.is_dir() and _is_json(path):
        try:
            raw = json.loads(text_of(path))
        except ValueError as wrong:
            raise No(f"{path}: this is not JSON: {wrong}") from None
        except RecursionError:
            raise No(f"{path}: this is nested too deeply") from None
        if not (isinstance(raw, dict) and "stationmaster" in raw):
            return _position(raw, path, game, pack, players)
    with _said():
        referee = Referee.resume(read_journal(path))
    return referee.game, referee.state


def _position(
    raw: Any, path: Path, game: str | None, pack: str | None, players: int | None
) -> tuple[Game[Any], Any]:
    from assistant.cases import Case, load_pack
    from assistant.game import find_title

    if not isinstance(raw, dict):
        raise No(f"{path} holds neither a position nor an exported game")
    whole: Mapping[str, Any] = raw if "position" in raw else {"position": raw}
    head = {"game": game, "pack": pack, "players": players} | {
        key: whole[key] for key in ("game", "pack", "players") if whole.get(key) is not None
    }
    if not head["game"]:
        raise Usage(f"{path} does not say which game it is about: add --game, --pack and --players")
    for key, kind, what in (("game", str, "text"), ("pack", str, "text"), ("players", int, "a whole number")):
        if head[key] is not None and (not isinstance(head[key], kind) or isinstance(head[key], bool)):
            raise No(f"{path}: {key} must be {what}")
    options = whole.get("options", {})
    case = Case("", str(path), head["game"], head["pack"], head["players"], options, (), whole["position"])

    def opening() -> tuple[Game[Any], Any]:
        title = find_title(case.game)
        loaded = load_pack(title, case.pack, path.parent)
        seats = title.seats[0] if case.players is None else case.players
        rules = title.open(loaded, seats, case.options)
        if whole.get("pack_digest") not in (None, loaded.digest):
            raise ValueError(f"the pack {loaded.id} is not the one this position was played with")
        return rules, rules.from_position(case.given)

    return _opened(opening, path)


def _opened(opening: Any, path: Path) -> tuple[Game[Any], Any]:
    try:
        found: tuple[Game[Any], Any] = opening()
        return found
    except (LookupError, ValueError, TypeError) as wrong:
        raise No(f"{path}: {wrong}") from None
    except RecursionError:
        raise No(f"{path}: this is nested too deeply") from None


def seat_of(text: str, names: Mapping[str, str], more: Sequence[str] = ()) -> str:
    """The letter of a seat as typed, by letter or by name. `Usage` for one that is neither at the table nor
    among `more`."""
    from ui.shortform import known_seats, letter_of

    letter = text if text in more else letter_of(text, names)
    if letter is None:
        there = ", ".join([known_seats(names), *more])
        raise Usage(f"there is no seat {text!r}; there are: {there}")
    return letter


def seats_of(text: str | None, names: Mapping[str, str]) -> tuple[str, ...]:
    """Seats as typed ("A,Ben" or "all"). `Usage` for one that is not at the table."""
    if text is None:
        return ()
    if text == "all":
        return tuple(names)
    return tuple(seat_of(part.strip(), names) for part in text.split(",") if part.strip())


def names_of(journal: AnyJournal) -> dict[str, str]:
    """What the seats are called in a record."""
    return {seat.letter: seat.name for seat in journal.header.seats}
