"""A whole four-player game at the screen: fingers and button edges, and a camera that proposes.

Nothing is done past the kiosk: a finger goes down and up on a widget, an edge goes through the panel's state
machine, and what a camera would have seen lies on the table's queue. Round 1 is also drawn frame by frame.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.actions import TABLE, Action
from assistant.dealing import Deal
from assistant.offers import Form
from assistant.reading import Spot
from hardware.debounce import Inputs, button
from ui.kiosk.people import next_touch, option_for
from ui.kiosk.shelf import offered
from ui.kiosk.staging import Recorder, Stage
from ui.presenters.elements import Page
from ui.presenters.intents import Intent, Say
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from ui.presenters.present import on, page
from ui.presenters.shown import Shown

SIZE = (1024, 600)
SEATS = ("A", "B", "C", "D")
HOW = ("touch", "touch", "buttons", "camera")
LAID = {"place_rt": "rail", "lay": "rail", "start_place": "rail", "place_station": "station"}
"""By kind of action: the token that is laid."""
PATIENCE = 60
"""Touches or presses for one action at most: forms of many blanks take some."""


class Evening:
    """A table with a screen, a panel and people who want to do something."""

    def __init__(self, screen: Any, seed: str, game: Recorder) -> None:
        from ui.kiosk.screen import PageWidget

        self.screen = screen
        self.game = game
        self.stage = Stage(metrics(*SIZE), "en", offered((game.game.title.id,)))
        self.nav = Nav()
        self.touches = self.presses = self.seen = self.frames = 0
        self.draws = False
        self.explained = ""
        self.widget = PageWidget(self.stage.metrics, self.do, self.explain, clock=lambda: float(self.touches))
        screen.show(self.widget)
        buttons = [button(f"{seat} {name}") for seat in self.game.game.seats for name in ("plus", "ok")]
        self.inputs = Inputs([*buttons, button("next")])
        self.rng = random.Random(seed)

    # What the kiosk's host does --------------------------------------------------------------------

    def shown(self) -> Shown:
        staged = self.stage.of("now", self.game)
        self.nav = Nav(self.nav.screen, self.nav.values, self.nav.back, seen_notice=staged.nav.seen_notice)
        return staged.shown

    def do(self, intent: Intent) -> None:
        shown = self.shown()
        if isinstance(intent, Say):
            self.game.clock += 1.0
            self.game.table.handle(intent.command)
        self.nav = on(self.nav, intent, shown)

    def explain(self, reason: str) -> None:
        self.explained = reason

    def look(self) -> Page:
        made = page(self.shown(), self.nav)
        self.widget.update(made)
        self.draw()
        return made

    def draw(self) -> None:
        if self.draws:
            self.screen.frames(1)
            self.frames += 1

    # What people do ---------------------------------------------------------------------------------

    def touch(self, name: str) -> None:
        """A finger on the middle of what is called so."""
        from kivy.tests.common import UnitTestTouch

        from ui.kiosk.screen import middle

        x, y = middle(self.widget, name)
        finger = UnitTestTouch(x, SIZE[1] - y)
        finger.touch_down()
        self.draw()
        finger.touch_up()
        self.touches += 1

    def press(self, name: str, seconds: float = 0.1) -> None:
        """Two edges of a button, with a bounce at each end."""
        one, at = button(name), self.game.clock
        messages = []
        for down, t in (
            (True, 0.0),
            (False, 0.003),
            (True, 0.006),
            (False, seconds),
            (True, seconds + 0.002),
        ):
            messages += self.inputs.edge(one, down, at + t)
        messages += self.inputs.edge(one, False, at + seconds + 0.004)
        messages += self.inputs.tick(at + seconds + 0.1)
        for message in messages:
            self.game.table.handle(message)
        self.game.clock += seconds + 0.2
        self.presses += 1

    def by_touch(self, action: Action) -> None:
        before = self.game.view.seq
        for _ in range(PATIENCE):
            self.look()
            shown = self.shown()
            self.touch(next_touch(self.game.game, self.game.referee.state, shown, self.nav, action))
            if self.game.view.seq != before:
                self.nav = Nav()
                return
        raise AssertionError(f"{PATIENCE} touches did not do {action}")

    def by_buttons(self, action: Action) -> None:
        seat, before = str(getattr(action, "seat", "")), self.game.view.seq
        for _ in range(PATIENCE):
            self.look()
            choice = next(c for c in self.game.view.choices if c.seat == seat)
            index = option_for(self.game.game, self.game.referee.state, choice, action)
            option = choice.options[index]
            if option.locks:
                self.press(f"{seat} ok", 1.0)
            elif option.ends and len({who.seat for who in self.game.view.acting}) == 1:
                self.press("next")
            elif choice.at == index:
                self.press(f"{seat} ok")
            else:
                self.press(f"{seat} plus")
            if self.game.view.seq != before:
                return
        raise AssertionError(f"{PATIENCE} presses did not do {action}")

    def by_camera(self, action: Action) -> bool:
        """Lay the piece, and say yes; False where the camera cannot explain such an action."""
        what = LAID.get(action.kind)
        if what is None or getattr(action, "free_placement", False):
            return False
        before = self.game.view.seq
        mine = any(p.what == what and p.seat for p in self.game.mat.pieces)  # type: ignore[union-attr]
        self.game.see((Spot(what, action.seat if mine else None, action.hex),))  # type: ignore[attr-defined]
        if self.game.view.eyes != "proposal":
            self.game.see()
            return False
        choice = next(c for c in self.game.view.choices if c.options[0].role == "accept")
        if choice.options[0].actions != (action,):
            # It would have to be said which of several payments is meant: touch does that.
            self.game.see()
            return False
        made = self.look()
        paper = [b.id for b in made.right if b.kind == "paper"]
        self.touch(paper[0])
        assert self.game.view.seq > before, "the proposal was not recorded"
        self.seen += 1
        return True


def wanted(evening: Evening) -> Action:
    """What the first who is asked wants to do; now and then something that a form is filled for."""
    game, state = evening.game.game, evening.game.referee.state
    if evening.game.truth is not None:
        return evening.game.wanted()
    seat = game.acting(state)[0].seat
    forms = [offer for offer in game.offers(state, seat) if isinstance(offer, Form) and offer.free]
    if forms and evening.rng.random() < 0.02:
        return evening.rng.choice(forms).sample(evening.rng)
    return game.sensible(state, seat, evening.rng)


def play(evening: Evening, rounds_drawn: int) -> int:
    """Play to the end, each action in another way; gives the number of actions."""
    count = 0
    while not evening.game.view.finished:
        display = evening.game.view.display
        assert display is not None
        evening.draws = display.progress.at <= rounds_drawn
        action, how = wanted(evening), HOW[count % len(HOW)]
        if how == "camera" and evening.by_camera(action):
            pass
        elif how == "buttons" and getattr(action, "seat", TABLE) != TABLE:
            evening.by_buttons(action)
        else:
            evening.by_touch(action)
        if evening.game.watched:
            evening.game.see()
        count += 1
        assert count < 2000
    return count


def test_four_play_a_whole_game_with_fingers_buttons_and_a_camera(screen: Any) -> None:
    evening = Evening(screen, "whole", Recorder("railway_boom", 4, "whole"))
    count = play(evening, rounds_drawn=1)
    assert evening.look().id.startswith("final")
    sheet = evening.game.view.sheet
    assert sheet is not None
    assert not sheet.check(evening.game.game.totals(evening.game.referee.state))
    kinds = {written.action.kind for written in evening.game.view.history if written.action is not None}
    assert {
        "bid",
        "confirm",
        "place_station",
        "place_rt",
        "declare_train",
        "operate_next",
        "convert",
    } <= kinds
    assert count > 200
    assert evening.touches > 200
    assert evening.presses > 100
    assert evening.seen > 5


def test_two_who_hold_their_own_hands_play_a_whole_game(screen: Any) -> None:
    evening = Evening(screen, "hands", Recorder("trains", 2, "hands"))
    game, truth = evening.game, evening.game.truth
    assert truth is not None
    play(evening, rounds_drawn=-1)
    assert evening.look().id.startswith("final")
    truth.follow(game.referee)
    assert game.game.totals(game.referee.state) == game.game.totals(truth.state)
    draws = [action for action in game.referee.actions if isinstance(action, Deal)]
    assert len(draws) > 20
    # Nobody ever said what was drawn: the screen is seen by all.
    assert not any(draw.cards for draw in draws)
    kinds = {action.kind for action in game.referee.actions}
    assert {"stacks", "first", "start_place", "play", "lay", "buy", "leftovers", "shuffle"} <= kinds
    assert evening.touches > 200
    assert evening.presses > 50
    assert evening.seen > 2


@pytest.mark.parametrize("players", [2, 3])
def test_an_auction_without_a_game_is_judged_to_its_end(screen: Any, players: int) -> None:
    evening = Evening(screen, "auction", Recorder("auction", players, f"auction {players}"))
    play(evening, rounds_drawn=0)
    assert evening.game.view.finished
    assert evening.presses
    assert evening.touches
