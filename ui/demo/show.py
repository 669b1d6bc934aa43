"""The demo's loop: virtual players act on a simulated table, the referee sees it through the camera.

Placements and revealed cards reach the referee only as pictures; auctions, payments and choices come
through the table's message queue, as from the touchscreen.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from assistant.actions import TABLE, Action
from assistant.dealer import Dealer
from assistant.dealing import CardGame
from assistant.events import ROUND, Told
from assistant.game import Game
from assistant.hidden import Truth
from assistant.journal import Journal
from assistant.layout import Mat, Scene
from assistant.messages import Command, Message, Saw, Touch
from assistant.observation import Observation
from assistant.reading import Proposal, Reading, Several
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted, Refused
from assistant.table import Table
from ui.demo import mistakes
from ui.demo.people import People
from ui.demo.transcript import Clock, Transcript, names_at
from ui.sentences import Sentences
from vision.cameras.simulated import SimulatedCamera
from vision.changes import Eye
from vision.geometry import CAMERA_MODULE_3, MatGeometry
from vision.simulator import SimulatedTable, Simulator, View

NAMES = {"A": "Anna", "B": "Ben", "C": "Carla", "D": "David"}
TILT_DEG = 3.0
"""The camera never hangs quite straight."""
ALBUM = (CAMERA_MODULE_3[0] // 2, CAMERA_MODULE_3[1] // 2)
"""Size of the pictures that are kept for people only, in pixels: half the camera's, a quarter of the time."""
TOUCH_S, LOOK_S = 4.0, 2.0
"""Simulated seconds that a touch and a look at the table take."""
PICTURES, MOST_PICTURES = 2, 4
"""Pictures that a look takes when the table is at rest: two have to agree; and the most it takes."""
LONGEST_GAME = 3000


class Show:
    """One demo game."""

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        out: Path,
        show: Callable[[str], None],
        mistakes_made: bool = True,
    ) -> None:
        self.game, self.out, self.rng = game, out, random.Random(f"demo:{seed}")
        self.clock = Clock()
        self.names = {letter: NAMES.get(letter, letter) for letter in game.seats}
        self.sentences = Sentences.of(game.title, names=self.names)
        self.mat: Mat = game.mat()
        self.transcript = Transcript(self.clock, self.sentences, show, names_at(game, self.mat))
        self.table = SimulatedTable(self.mat, View(tilt_deg=TILT_DEG), seed)
        album = View(*ALBUM, tilt_deg=TILT_DEG)
        self._album = Simulator(self.mat, album, seed, self.table.simulator.textures)
        self.people = People(self.mat, self.table)
        self.camera = SimulatedCamera(self.table.picture, self.clock)
        roster = [piece.payload for piece in self.mat.pieces]
        self.eye = Eye(MatGeometry.from_mat(self.mat), roster, quiet_s=LOOK_S / PICTURES)
        self.dealer = Dealer(f"demo:{seed}")
        self.truth = Truth(game, f"demo:{seed}") if isinstance(game, CardGame) else None
        """The hands of the players, where the referee must not know them."""
        journal = Journal.create(
            out / "game.game", header_for(game, self.names), secret=f"demo:{seed}", now=self.clock.note
        )
        self.referee = Referee.new(game, journal)
        pieces = {piece.payload: piece for piece in self.mat.pieces}
        self.judge = Table(self.referee, pieces, clock=self.clock)
        self.pictures = 0
        self.caught: list[str] = []
        self._agenda = mistakes.agenda(game) if mistakes_made else []
        self._told = 0
        self._cleared = False
        """Whether cards were put away since anybody looked; a camera looks all the time."""

    # The table's queue -------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        """Enqueue a message, let the table work, and tell what came of it."""
        before = self.referee.seq
        self.judge.post(message)
        self.judge.drain()
        if self.referee.seq != before:
            self.eye.accepted()
        for notice in self.judge.view.notices:
            if notice.id <= self._told:
                continue
            self._told = notice.id
            if isinstance(notice.ruling, Accepted):
                self.transcript.events(notice.ruling.events)
            elif isinstance(notice.ruling, Refused):
                self.transcript.refused(notice.ruling)
            elif notice.text:
                self.transcript.say(notice.text, "!")

    def look(self) -> Reading | None:
        """Take pictures until the table has been at rest, and put what they show before the referee."""
        self._cleared = False
        seen: Observation | None = None
        for _ in range(MOST_PICTURES):
            self.clock.tick(LOOK_S / PICTURES)
            self.pictures += 1
            seen = self.eye.see(self.camera.frame())
            if seen is not None:
                break
        # Nothing new to be seen is an answer as well.
        observation = seen or self.eye.watcher.now(self.clock())
        for problem in observation.problems:
            self.transcript.say(problem.text, "!")
        before = self.referee.seq
        self.send(Saw(observation, self.clock()))
        reading = self.judge.view.reading
        if self.referee.seq == before:
            self.transcript.reading(reading)
        return reading

    def keep_picture(self, name: str) -> None:
        """Save what the camera sees now for people to look at."""
        self.caught.append(name)
        save_picture(self.out / f"caught-{len(self.caught)}-{name}.png", self.picture())

    def picture(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """What the camera sees now, in colour."""
        table = self.table
        return self._album.render(table.lies, hands=table.hands, litter=table.litter, colour=True)

    # Playing ------------------------------------------------------------------------------------

    @property
    def rounds(self) -> int:
        """Rounds that have begun; in a game that tells none, one more than every seat has ended turns."""
        told = sum(isinstance(event, Told) and event.key == ROUND for event in self.referee.events)
        ended = sum(action.ends for action in self.referee.actions)
        return told or 1 + ended // len(self.game.seats)

    def play(self, rounds: int | None = None) -> None:
        """Play to the end, or until so many rounds are over."""
        for _ in range(LONGEST_GAME):
            asked = self.game.acting(self.referee.state)
            if not asked or (rounds is not None and self.rounds > rounds):
                break
            seat = asked[0].seat
            if seat == TABLE:
                self._turn_up()
            else:
                self._act(seat)
        for name, _ in self._agenda:
            self.transcript.say(f"not shown, there was no occasion: {name}")

    def _turn_up(self) -> None:
        """Somebody does what the table owes: cards that are laid open are for the camera, what stays hidden
        is said on the screen."""
        referee = self.referee
        if self.truth is not None:
            action = self.truth.due(referee)
        else:
            action = self.dealer.next(self.game, referee.state, referee.seq + 1)
        assert action is not None
        self._done(action, None)

    def _known(self) -> Any:
        """The state as the players know it, each the own hand."""
        if self.truth is None:
            return self.referee.state
        self.truth.follow(self.referee)
        return self.truth.state

    def _act(self, seat: str) -> None:
        state = self.referee.state
        if self._agenda and self.game.slips(state, random.Random(0)):
            _, make = self._agenda[0]
            if make(self):
                self._agenda.pop(0)
                return
        self._done(self.game.sensible(self._known(), seat, self.rng), seat)

    def _done(self, action: Action, seat: str | None) -> None:
        """Do it on the table where that can be seen, otherwise on the screen."""
        game, state = self.game, self.referee.state
        tagged = game.tagged(state, action)
        if action.kind in game.seen_kinds and game.laid(state, tagged) != game.scene(state):
            self._by_camera((tagged,) if seat is None else self._more(action, seat), seat)
            return
        if self._cleared:
            # What was put away must not be taken for what is turned up next.
            self.look()
        self.clock.tick(TOUCH_S)
        self.transcript.say(self.transcript.action(action))
        self.send(Touch(seat or TABLE, game.codec.to_json(action), self.clock()))
        if self.referee.state is state:
            raise AssertionError(f"{action} was not recorded")
        self._cleared |= self.people.arrange(game.scene(self.referee.state))

    def _more(self, first: Action, seat: str) -> tuple[Action, ...]:
        """What the player goes on to lay before anybody looks, with the tags of the pieces."""
        game, state, known = self.game, self.referee.state, self._known()
        actions = [game.tagged(state, first)]
        while True:
            state, known = game.apply(state, actions[-1])[0], game.apply(known, actions[-1])[0]
            offers = [offer for offer in game.offers(known, seat) if offer.kind == first.kind]
            if [asked.seat for asked in game.acting(state)] != [seat] or not offers:
                break
            following = game.sensible(known, seat, self.rng)
            if not game.in_one_go(first, following):
                break
            actions.append(game.tagged(state, following))
        return tuple(actions)

    def _by_camera(self, actions: tuple[Action, ...], seat: str | None) -> None:
        """Lay what the actions say; the referee has to find it out and the seat to confirm it."""
        wanted, lying = self.referee.state, Scene(())
        for action in actions:
            lying = self.game.laid(wanted, action)
            wanted, _ = self.game.apply(wanted, action)
        goal = self.game.digest(wanted)
        self.people.arrange(lying)
        self.clock.tick(TOUCH_S)
        reading = self.look()
        if isinstance(reading, Several):
            # Only the seat knows which of several it did; the demo's player does.
            choice = next(i for i, p in enumerate(reading.choices) if self._leads_to(p, goal))
            self.send(Command("accept", seat, {"choice": choice}, self.clock()))
        elif isinstance(reading, Proposal):
            self.send(Command("accept", seat, {}, self.clock()))
        else:
            for action in actions:
                self.transcript.say(f"seen and recorded: {self.transcript.action(action)}")
        if self.game.digest(self.referee.state) != goal:
            raise AssertionError(f"laid {actions}; the table was read as {reading}")
        # What the ruling moved besides (cards that leave, discs that slide) is tidied up by hand.
        self._cleared |= self.people.arrange(self.game.scene(self.referee.state))

    def _leads_to(self, proposal: Proposal, goal: str) -> bool:
        state = self.referee.state
        for action in proposal.actions:
            state, _ = self.game.apply(state, action)
        return self.game.digest(state) == goal


def save_picture(path: Path, picture: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
    """A grey or RGB picture as a PNG."""
    if not cv2.imwrite(str(path), picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)):
        raise OSError(f"{path} cannot be written")
