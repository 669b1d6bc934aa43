"""What the attract screen offers: titles from the shelf and games that wait, as plain facts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from assistant.actions import TABLE
from assistant.game import Game, Title, titles
from assistant.journal import JournalError, clock_is_set, read
from assistant.packs import PackFaults, available
from assistant.referee import CannotResume, Differs, Referee
from ui.kiosk.store import Pledge
from ui.presenters.parts import UNITS
from ui.presenters.shown import PackFacts, ParkedFacts, SwitchFacts, TitleFacts
from ui.presenters.words import Words
from ui.records import ENDING, saved
from ui.sentences import Sentences


def offered(wanted: Sequence[str]) -> tuple[TitleFacts, ...]:
    """The titles that a table offers, in the order wanted; all that there are without a wish."""
    there = titles()
    return tuple(_title(there[name]) for name in wanted or there if name in there)


def _title(title: Title) -> TitleFacts:
    packs = tuple(_pack(title, file) for file in available(title.folder))
    game = _any_game(title)
    return TitleFacts(
        id=title.id,
        name=title.name,
        edition=title.edition,
        stage=title.stage,
        seats=title.seats,
        packs=packs,
        default_pack=title.default_pack,
        switches=tuple(SwitchFacts(n, s.values, s.ruling, s.text) for n, s in title.switches.items()),
        has_mat=_has_mat(game),
        has_deck=_has_deck(game),
    )


def _pack(title: Title, file: Path) -> PackFacts:
    try:
        pack = title.load_pack(file)
    except (PackFaults, OSError, ValueError) as wrong:
        return PackFacts(file.stem, file.stem, False, str(wrong))
    return PackFacts(pack.id, pack.title, bool(pack.invented))


def _any_game(title: Title) -> Game[Any] | None:
    try:
        return title.open(title.load_pack(title.default_pack), title.seats[1])
    except (PackFaults, OSError, ValueError, LookupError):
        return None


def _has_mat(game: Game[Any] | None) -> bool:
    try:
        return game is not None and bool(game.mat().pieces)
    except LookupError:
        return False


def _has_deck(game: Game[Any] | None) -> bool:
    if game is None:
        return False
    state = game.start()
    return game.owed(state) is not None or any(who.seat == TABLE for who in game.acting(state))


class _Known(msgspec.Struct, frozen=True):
    """What was read of a game's file: how it stands, in no language yet."""

    title: str
    title_name: str
    names: dict[str, str]
    unit: str
    at: int
    of: int
    asked: Any
    shelf: Title | None
    finished: bool
    fault: str = ""


class Parked:
    """The games of a folder that wait. A file is read again only when it has changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int, int], _Known] = {}

    def list(
        self, folder: Path, words: Words, games: Mapping[str, Pledge], first: str = "", skip: str = ""
    ) -> tuple[ParkedFacts, ...]:
        """Facts about all saved games, `first` first, then the newest; `skip` is being played.

        Raises OSError.
        """
        believed, now = clock_is_set(), time.time()
        out: list[tuple[bool, float, ParkedFacts]] = []
        for file in saved(folder):
            if file.name == skip:
                continue
            try:
                changed = _changed(file)
                known = self._of(file)
            except FileNotFoundError:
                continue
            left = games.get(file.name, Pledge()).left or changed
            age = now - left if believed and now >= left else None
            if games.get(file.name, Pledge()).scoring:
                known = msgspec.structs.replace(known, finished=True)
            out.append((file.name != first, -changed, _facts(file, known, words, age)))
        return tuple(facts for _, _, facts in sorted(out, key=lambda one: one[:2]))

    def _of(self, file: Path) -> _Known:
        there, log = file.stat(), file.with_name(file.name + "-wal")
        size = log.stat().st_size if log.exists() else 0
        key = (file.name, there.st_mtime_ns, there.st_size, size)
        if key not in self._known:
            self._known = {k: v for k, v in self._known.items() if k[0] != file.name}
            self._known[key] = _look(file)
        return self._known[key]


def _changed(file: Path) -> float:
    log = file.with_name(file.name + "-wal")
    return max(file.stat().st_mtime, log.stat().st_mtime if log.exists() else 0.0)


def _look(file: Path) -> _Known:
    try:
        journal = read(file)
    except JournalError as wrong:
        return _Known("", file.name.removesuffix(ENDING), {}, "", 0, 0, None, None, False, str(wrong))
    header = journal.header
    names = {seat.letter: seat.name for seat in header.seats}
    try:
        referee = Referee.resume(journal)
        game, state = referee.game, referee.state
        progress = game.display(state).progress
        asked = next(iter(game.acting(state)), None)
    except (CannotResume, Differs) as wrong:
        title = titles().get(header.game)
        name = title.name if title is not None else header.game
        return _Known(header.game, name, names, "", 0, 0, None, title, False, str(wrong))
    title, over = game.title, game.finished(state)
    return _Known(title.id, title.name, names, progress.unit, progress.at, progress.of, asked, title, over)


def _facts(file: Path, known: _Known, words: Words, age: float | None) -> ParkedFacts:
    asked = ""
    if known.asked is not None and known.shelf is not None:
        sentences = Sentences.of(known.shelf, words.language, known.names)
        asked = f"{known.names.get(known.asked.seat, '')}: {sentences.acting(known.asked)}".removeprefix(": ")
    open_end, ended = UNITS.get(known.unit, ("{n}", "{n} / {of}"))
    progress = words.t(ended if known.of else open_end, n=known.at, of=known.of) if known.at else ""
    return ParkedFacts(
        file=file.name,
        title=known.title,
        title_name=known.title_name,
        names=known.names,
        progress=progress,
        asked=asked,
        age=age,
        finished=known.finished,
        fault=known.fault,
    )
