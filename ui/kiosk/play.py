"""Virtual people at the kiosk, at a pace that can be watched: they touch what a page lets them touch."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any

from assistant.actions import TABLE, Action
from assistant.game import find_title
from assistant.hidden import Truth, wanted
from assistant.messages import Command
from ui.kiosk.host import Host
from ui.kiosk.people import NAMES, NoWay, next_touch
from ui.presenters.elements import intents
from ui.presenters.intents import Ask, Say
from ui.presenters.nav import Nav

_log = logging.getLogger(__name__)

PACE_S = 1.2
"""Seconds between two touches."""
END_S = 20.0
"""Seconds that a final score is left to be looked at."""


class Player:
    """Plays one game after the other. `turn` is called often, on the screen's thread.

    Hands that a game hides are their own: neither the record nor the screen gets to know them.

    `touch` touches what has an id on the page that is shown, at most every `pace` seconds; without it the
    host is told what such a touch means.
    """

    def __init__(
        self,
        host: Host,
        seed: int,
        title: str = "railway_boom",
        players: int = 4,
        *,
        pace: float = PACE_S,
        touch: Callable[[str], None] | None = None,
    ) -> None:
        self.host = host
        self._pace, self._touch = pace, touch or self._tell
        self.title, self.players = title, min(players, find_title(title).seats[1])
        self._rng = random.Random(f"play:{seed}")
        self._next = 0.0
        self._wanted: tuple[int, Action] | None = None
        self._truth: tuple[Any, Truth] | None = None
        self.touches = 0

    def turn(self, now: float) -> None:
        """Touch once, when it is time to."""
        if now < self._next or self.host.trouble:
            return
        self._next = now + self._pace
        self.touches += 1
        session = self.host.session
        if session is None:
            self._begin()
        elif not session.pledge.set_up:
            self.host.do(Ask("set_up_done"))
        elif session.view.finished:
            if self._wanted is not None:
                self._wanted = None
                self._next = now + END_S
            else:
                self.host.do(Ask("close"))
        else:
            self._play(session, now)

    def _begin(self) -> None:
        seats = dict(list(NAMES.items())[: self.players])
        values = {"title": self.title, "seats": seats, "machine_draws": True, "set_up": True}
        self.host.do(Ask("begin", values))

    def _tell(self, name: str) -> None:
        self.host.do(intents(self.host.page(self.host.clock()))[name])

    def _truth_of(self, session: Any) -> Truth | None:
        """The hands that the players of this game hold, where the game hides them."""
        if not session.game.hides:
            return None
        if self._truth is None or self._truth[0] is not session:
            # The same hands again for a game that is resumed.
            self._truth = (session, Truth(session.game, f"play:{session.file.name}"))
        return self._truth[1]

    def _play(self, session: Any, now: float) -> None:
        view, state = session.view, session.referee.state
        truth = self._truth_of(session)
        asked = [who for who in view.acting if who.seat != TABLE or truth is not None]
        if view.writing_since is not None or not asked or view.seq != session.referee.seq:
            return
        if view.asking is not None:
            self.host.do(Say(Command("cancel", None)))
            return
        if self._wanted is None or self._wanted[0] != view.seq:
            if truth is not None:
                self._wanted = (view.seq, wanted(truth, session.referee, self._rng))
            else:
                self._wanted = (view.seq, session.game.sensible(state, asked[0].seat, self._rng))
        action = self._wanted[1]
        shown = self.host.shown(now)
        try:
            name = next_touch(session.game, state, shown, self.host.nav, action)
            self._touch(name)
        except (NoWay, KeyError) as lost:
            # Nobody is to be stuck in front of an audience: say it to the table directly.
            _log.warning("%s", lost)
            self.host.nav = Nav(since=now)
            values = {"action": session.game.codec.to_json(action)}
            self.host.do(Say(Command("try", str(getattr(action, "seat", "")), values)))
