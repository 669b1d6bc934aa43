"""What the attract screen offers: titles from the shelf and games that wait, as plain facts."""

from __future__ import annotations

import time
import tomllib
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
from ui.presenters.shown import PackFacts, ParkedFacts, SwitchFacts, TitleFacts
from ui.presenters.wording import progress_words
from ui.presenters.words import Words
from ui.records import ENDING, saved
from ui.sentences import Sentences


def offered(wanted: Sequence[str], packs: Path | None = None) -> tuple[TitleFacts, ...]:
    """The titles that a table offers, in the order wanted; all that there are without a wish. `packs` is a
    folder with more packs, each of which says what game it is for."""
    there = titles()
    return tuple(title_facts(there[name], packs) for name in wanted or there if name in there)


def title_facts(title: Title, more: Path | None = None) -> TitleFacts:
    """What the screen shows of a title on the shelf, with the packs in another folder."""
    packs = tuple(_pack(title, file, file.stem) for file in available(title.folder))
    own = sorted(more.glob("*.toml")) if more is not None and more.is_dir() else []
    packs += tuple(_pack(title, file, str(file)) for file in own if _is_for(file, title))
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
        hides=title.rules.hides,
    )


def _is_for(file: Path, title: Title) -> bool:
    """Whether a pack is for a title. One that does not say so is shown with each, so that its fault is."""
    try:
        with file.open("rb") as stream:
            said = tomllib.load(stream).get("pack", {}).get("game", title.id)
    except (OSError, ValueError, AttributeError):
        return True
    return bool(said == title.id)


def _pack(title: Title, file: Path, name: str) -> PackFacts:
    """Facts about a pack; `name` is how it is asked for: by its id, or by its path."""
    try:
        pack = title.load_pack(file)
    except (PackFaults, OSError, ValueError) as wrong:
        first, *others = str(wrong).splitlines()
        return PackFacts(name, file.stem, False, f"{first} (+{len(others)})" if others else first)
    return PackFacts(name, pack.title, bool(pack.invented), fixture=pack.fixture)


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
    entries: int = 0
    first: tuple[str, ...] = ()
    """Seats on the first place, once it is over."""


class Parked:
    """The games of a folder that wait. A file is read again only when it has changed."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int, int], _Known] = {}

    def list(
        self, folder: Path, words: Words, games: Mapping[str, Pledge], first: str = "", skip: str = ""
    ) -> tuple[ParkedFacts, ...]:
        """Facts about all saved games: those that can be gone on with, `first` first, then the newest; then
        what is finished, then what cannot be read. `skip` is being played.

        Raises OSError.
        """
        believed, now = clock_is_set(), time.time()
        out: list[tuple[bool, bool, bool, float, ParkedFacts]] = []
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
            order = bool(known.fault), known.finished, file.name != first, -changed
            out.append((*order, _facts(file, known, words, age)))
        return tuple(facts for *_, facts in sorted(out, key=lambda one: one[:4]))

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
    place = (progress.unit, progress.at, progress.of)
    places = game.places(state) if over else ()
    best = tuple(places[0]) if places else ()
    return _Known(
        title.id, title.name, names, *place, asked, title, over, entries=journal.last_seq, first=best
    )


def _facts(file: Path, known: _Known, words: Words, age: float | None) -> ParkedFacts:
    asked = ""
    if known.asked is not None and known.shelf is not None:
        sentences = Sentences.of(known.shelf, words.language, known.names)
        asked = f"{known.names.get(known.asked.seat, '')}: {sentences.acting(known.asked)}".removeprefix(": ")
    return ParkedFacts(
        file=file.name,
        title=known.title,
        title_name=known.title_name,
        names=known.names,
        progress=progress_words(words, known.unit, known.at, known.of),
        asked=asked,
        age=age,
        finished=known.finished,
        result=_result(known, words),
        fault=known.fault,
        entries=known.entries,
    )


def _result(known: _Known, words: Words) -> str:
    """Who has won; empty where nobody has, or it is not known."""
    names = ", ".join(known.names.get(seat, seat) for seat in known.first)
    if len(known.first) > 1:
        return words.t("{names} share the win", names=names)
    return words.t("{name} wins", name=names) if names else ""
