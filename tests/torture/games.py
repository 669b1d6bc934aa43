"""Games that are played to be killed: a child plays whole games of Railway Boom and tells every ruling.

The record is kept by the same referee and journal as at a table. Every ruling is told with its last entry's
number and hash once `submit` has returned, which is when a screen would show it.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from assistant.actions import TABLE, Action
from assistant.game import Game, find_title
from assistant.journal import Journal, JournalError, JournalIOError, JournalUnwritable, read
from assistant.referee import CannotResume, Differs, Referee, header_for
from assistant.rulings import Accepted

PLAYERS = 2


def a_game() -> Game[Any]:
    """Railway Boom for two, with the pack that ships."""
    title = find_title("railway_boom")
    return title.open(title.load_pack(title.default_pack), PLAYERS)


def a_move(game: Game[Any], state: Any, rng: random.Random) -> Action | None:
    """Any legal action of who is asked; None when the game is over."""
    asked = game.acting(state)
    if not asked:
        return None
    seat = asked[0].seat
    if seat == TABLE:
        return game.chance(state, rng)
    offers = game.offers(state, seat)
    main = [offer for offer in offers if not offer.free] or list(offers)
    return rng.choice(main).sample(rng)


class Told:
    """The writing end of a pipe: rulings as "at NUMBER HASH", and other words."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def at(self, journal: Any) -> None:
        """A ruling is recorded."""
        self.word(f"at {journal.last_seq} {journal.head}")

    def word(self, text: str) -> None:
        """Tell something, at once."""
        os.write(self._descriptor, f"{text}\n".encode())


def play_on(path: Path, seed: int, told: Told, moves: int = 1_000_000, checkpoint: float = 0.02) -> None:
    """Begin or go on with the game of a file and play; with a checkpoint now and then, as a table makes them.

    Raises the journal's errors.
    """
    if path.exists():
        journal = Journal.open(path)
        referee: Referee[Any] = Referee.resume(journal)
    else:
        game = a_game()
        journal = Journal.create(path, header_for(game))
        referee = Referee.new(game, journal)
    told.at(journal)
    told.word("ready")
    rng = random.Random(seed)
    for _ in range(moves):
        action = a_move(referee.game, referee.state, rng)
        if action is None:
            told.word("over")
            break
        if not isinstance(referee.submit(action), Accepted):
            raise AssertionError(f"a legal action was refused: {action}")
        told.at(journal)
        if rng.random() < checkpoint:
            journal.checkpoint()
    journal.close()


class Child:
    """A child that plays, and what it told. `play` gets where to tell, and ends the child."""

    def __init__(self, play: Callable[[Told], object]) -> None:
        reading, writing = os.pipe()
        with warnings.catch_warnings():
            # The child uses nothing that another thread of this process may have held.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if not self.pid:
            code = 1
            with suppress(BaseException):
                os.close(reading)
                play(Told(writing))
                code = 0
            os._exit(code)
        os.close(writing)
        self._reading = reading
        self._rest = b""
        self.words: list[str] = []

    def listen(self, until: str = "", seconds: float = 60.0) -> None:
        """Take in words: up to one that begins so, or to the end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            got = os.read(self._reading, 65536)
            if not got:
                return
            *lines, self._rest = (self._rest + got).split(b"\n")
            self.words += [line.decode() for line in lines]
            if until and any(word.startswith(until) for word in self.words):
                return

    def kill(self) -> None:
        """SIGKILL, at once; then everything that it had told before."""
        os.kill(self.pid, signal.SIGKILL)
        self.finish()

    def finish(self) -> int:
        """Wait for its end: its exit status as of waitpid."""
        self.listen()
        os.close(self._reading)
        return os.waitpid(self.pid, 0)[1]

    @property
    def acknowledged(self) -> tuple[int, str]:
        """Number and hash of the last entry that it told; (0, "") for none."""
        for word in reversed(self.words):
            if word.startswith("at "):
                _, number, head = word.split(" ")
                return int(number), head
        return 0, ""

    def said(self, word: str) -> bool:
        """Whether it said so."""
        return any(one.startswith(word) for one in self.words)


def lost(path: Path, acknowledged: tuple[int, str], *, rules: bool = True) -> str:
    """What is wrong with a record after so much was acknowledged; "" when all of it is there.

    With `rules` the game is gone on with, which plays every action again and compares every digest.
    """
    number, head = acknowledged
    if not path.exists():
        return f"{number} acknowledged entries are gone with their file" if number else ""
    try:
        journal = read(path)
        if journal.last_seq < number:
            return f"{number - journal.last_seq} acknowledged entries are lost"
        if number and next(journal.entries(number)).hash != head:
            return f"entry {number} is not the one that was acknowledged"
        if rules:
            Referee.resume(journal)
    except (JournalError, CannotResume, Differs) as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return ""


def play_on_a_full_disk(path: Path, seed: int, told: Told, room: int) -> None:
    """Play until files may not grow beyond `room` bytes, then until they may again."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    game = a_game()
    journal = Journal.create(path, header_for(game))
    referee = Referee.new(game, journal)
    told.at(journal)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    rng = random.Random(seed)
    failed = 0
    while True:
        action = a_move(game, referee.state, rng)
        if action is None:
            break
        before = journal.last_seq
        try:
            referee.submit(action)
        except JournalUnwritable:
            told.word("unwritable")
            break
        except JournalIOError:
            told.word("refused once")
            failed += 1
            if failed > 20:
                break
            continue
        assert journal.last_seq > before
        told.at(journal)
    # What was recorded can still be read and exported, and play can go on in memory.
    assert len(list(journal.entries())) == journal.last_seq
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    if not journal.on_disk:
        journal.recover()
        referee.catch_up()
        told.word("recovered")
    for _ in range(5):
        action = a_move(game, referee.state, rng)
        if action is not None:
            referee.submit(action)
            told.at(journal)
    journal.close()
