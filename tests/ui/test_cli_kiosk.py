"""`stationmaster kiosk` at the command line: one line for whatever keeps it from being shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ui.commands import kiosk
from ui.kiosk.config import Config
from ui.kiosk.host import Host
from ui.presenters.metrics import metrics

Call = Any


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(kiosk, "screen_there", lambda: False)
    monkeypatch.setattr(kiosk, "_end_when_told", lambda: None)


def test_without_settings_it_says_where_to_begin(call: Call) -> None:
    said = call("kiosk")
    assert said.code == 2
    assert "deploy/kiosk.toml" in said.err


def test_wrong_settings_are_listed(call: Call, tmp_path: Path) -> None:
    (tmp_path / "k.toml").write_text('language = "fr"\nidle_minutes = 0\n', encoding="utf-8")
    said = call("kiosk", "--config", tmp_path / "k.toml")
    assert said.code == 2
    assert len(said.err.splitlines()) == 3


@pytest.mark.parametrize(
    ("size", "words"), [("600x1024", "stands upright"), ("640x480", "at least 800x480"), ("big", "1024x600")]
)
def test_a_screen_that_will_not_do_is_told(call: Call, size: str, words: str) -> None:
    said = call("kiosk", "--simulate", "--size", size)
    assert said.code == 2
    assert words in said.err


def test_without_a_screen_it_waits_then_gives_up_and_the_games_are_there(call: Call, home: Path) -> None:
    said = call("kiosk", "--simulate", "--wait", "0")
    assert said.code == 1
    assert "no screen" in said.err
    assert home.is_dir()


def test_a_second_kiosk_gets_one_line(call: Call, home: Path) -> None:
    first = Host(Config(games=home), metrics(1024, 600))
    try:
        said = call("kiosk", "--simulate", "--wait", "0")
    finally:
        first.close()
    assert said.code == 1
    assert len(said.err.splitlines()) == 1
    assert "another kiosk" in said.err


def test_a_screen_that_comes_late_is_found_with_growing_pauses(capsys: pytest.CaptureFixture[str]) -> None:
    pauses: list[float] = []
    assert kiosk.wait_for_screen(60, pauses.append, lambda: len(pauses) == 5)
    assert pauses == [1, 2, 4, 8, 16]
    assert len(capsys.readouterr().err.splitlines()) == 1
    pauses.clear()
    assert not kiosk.wait_for_screen(10, pauses.append, lambda: False)
    assert sum(pauses) == 10
