"""Virtual people play at the kiosk, through its pages only."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.assistant.test_adding_a_game import write_the_game
from ui.kiosk.config import Config
from ui.kiosk.host import Host
from ui.kiosk.play import PACE_S, Player
from ui.presenters.metrics import metrics


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("title", ["railway_boom", "trains", "russian_railroads"])
def test_they_begin_a_game_and_get_on_by_touching(tmp_path: Path, title: str) -> None:
    clock = Clock()
    host = Host(Config(games=tmp_path), metrics(1024, 600), clock=clock)
    try:
        player = Player(host, 1, title)
        player.turn(clock.now)
        session = host.session
        assert session is not None
        begun = session.view.seq
        end = time.monotonic() + 20
        while session.view.seq < begun + 12:
            assert time.monotonic() < end, host.said
            clock.now += PACE_S
            player.turn(clock.now)
            time.sleep(0.01)
        touched = player.touches
        player.turn(clock.now)
        assert player.touches == touched, "two touches at once"
        assert host.said == ""
    finally:
        host.close()


def test_a_game_from_a_folder_is_played_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that `docs/adding-a-game.md` builds: the generic screens are all it has."""
    monkeypatch.setenv("STATIONMASTER_GAMES", str(write_the_game(tmp_path / "shelf")))
    clock = Clock()
    host = Host(Config(games=tmp_path / "games"), metrics(1024, 600), clock=clock)
    try:
        player = Player(host, 1, "nim", 2)
        player.turn(clock.now)
        session = host.session
        assert session is not None
        end = time.monotonic() + 20
        while not session.view.finished:
            assert time.monotonic() < end, host.said
            clock.now += PACE_S
            player.turn(clock.now)
            time.sleep(0.01)
        assert session.view.sheet is not None
        assert sum(line.amount for line in session.view.sheet.lines) == 1
        assert host.said == ""
    finally:
        host.close()
