"""One live game at the kiosk: its record, its table on a thread of its own, the newest view in one slot.

Everything that happens is posted to the table. A game that is scored at its end position only (`scoring`) is
a record like any other; its view shows the score that the position comes to.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from assistant.dealer import Dealer
from assistant.game import Game
from assistant.journal import Header, Journal
from assistant.layout import Mat
from assistant.messages import Message
from assistant.referee import Referee, header_for
from assistant.rulings import NotUnderstood
from assistant.table import Table
from assistant.views import TableView
from ui.kiosk.store import Pledge
from ui.records import ENDING

Listener = Callable[["Session", TableView], None]
STOP_S = 10.0
"""So long the table may take to end what it does."""


def free_name(folder: Path, title: str) -> Path:
    """A file for a new game of a title: the title and the next number. One of which only a log is left is
    taken, too."""
    taken = [file.name.partition(ENDING)[0].rpartition("-")[2] for file in folder.glob(f"{title}-*{ENDING}*")]
    number = max((int(n) for n in taken if n.isdecimal()), default=0) + 1
    return folder / f"{title}-{number:04d}{ENDING}"


class Session:
    """A game that is played. Made by `begin` and `resume`; `close` ends its thread and gives the record up.

    `listen` is called on the table's thread with every view; it must not wait for anybody.
    """

    def __init__(
        self,
        referee: Referee[Any],
        file: Path,
        pledge: Pledge,
        *,
        pieces: bool = False,
        copy: str = "01",
        clock: Callable[[], float] = time.monotonic,
        listen: Listener | None = None,
    ) -> None:
        self.referee = referee
        self.game: Game[Any] = referee.game
        self.header: Header = referee.journal.header
        self.file = file
        self.pledge = pledge
        self.names = {seat.letter: seat.name for seat in self.header.seats}
        self.machine_draws = bool(referee.journal.secret)
        self.began = clock()
        self.mat = _mat(self.game, copy)
        self._clock = clock
        self._listen = listen
        roster = {piece.payload: piece for piece in self.mat.pieces} if self.mat and pieces else {}
        self.table = Table(
            referee,
            roster,
            publish=self._published,
            clock=clock,
            clocks=pledge.clocks,
            dealer=Dealer(referee.journal.secret) if self.machine_draws else None,
        )
        self.view = self._shown(self.table.view)
        self._thread = threading.Thread(target=self.table.run, name="table", daemon=True)

    # ---- beginnings and ends

    @classmethod
    def begin(
        cls,
        file: Path,
        game: Game[Any],
        names: Mapping[str, str],
        pledge: Pledge,
        *,
        machine_draws: bool = False,
        given: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Session:
        """Begin a game in a new file. Raises JournalError, and PositionFaults for an impossible `given`."""
        seed = secrets.token_hex(16) if machine_draws else ""
        journal = Journal.create(file, header_for(game, names), secret=seed)
        try:
            return cls(Referee.new(game, journal, given), file, pledge, **more)
        except BaseException:
            # A record without its beginning is no game: leave nothing behind.
            journal.close()
            with suppress(OSError):
                file.unlink()
            raise

    @classmethod
    def resume(cls, file: Path, pledge: Pledge, **more: Any) -> Session:
        """Go on with a game. Raises JournalError, CannotResume, Differs."""
        journal = Journal.open(file)
        try:
            return cls(Referee.resume(journal), file, pledge, **more)
        except BaseException:
            journal.close()
            raise

    def start(self) -> None:
        """Let the table run."""
        self._thread.start()

    def close(self) -> None:
        """End the table after what is queued, and give the record up. Closing twice is allowed."""
        self.table.stop()
        if self._thread.ident is not None:
            self._thread.join(STOP_S)
        if not self._thread.is_alive():
            self.referee.journal.close()

    # ---- in and out

    def post(self, message: Message) -> None:
        """Enqueue something for the table; safe from any thread."""
        self.table.post(message)

    @property
    def seconds(self) -> float:
        """How long the game has been played."""
        return self.pledge.seconds + max(0.0, self._clock() - self.began)

    @property
    def begun(self) -> bool:
        """Whether any seat has done anything."""
        return any(written.by in self.game.seats for written in self.view.history)

    def _published(self, view: TableView) -> None:
        self.view = view = self._shown(view)
        if self._listen is not None:
            self._listen(self, view)

    def _shown(self, view: TableView) -> TableView:
        """The view; for a position that is only scored, with the score that it comes to."""
        if not self.pledge.scoring:
            return view
        try:
            state, events = self.game.final(self.referee.state)
            sheet = self.game.sheet(state, (*self.referee.events, *events))
            places = tuple(tuple(group) for group in self.game.places(state))
            display = self.game.display(state)
        except (NotUnderstood, ValueError):
            return view
        return msgspec.structs.replace(
            view, finished=True, acting=(), choices=(), sheet=sheet, places=places, display=display
        )


def _mat(game: Game[Any], copy: str) -> Mat | None:
    try:
        return game.mat(copy)
    except LookupError:
        return None
