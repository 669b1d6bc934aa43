"""A demonstration of Trains: hands that the referee is not told, cards in lanes, mistakes that are caught."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.journal import import_memory
from assistant.referee import replay
from tests.demos import quick_demos
from ui.cli import main

MISTAKES = 5
"""Of all mistakes the first so many are made: then all that concern cards are among them."""
WORDS = ("demo", "--game", "trains", "--pack", "kestrel_bay", "--players", "2", "--rounds", "3", "--headless")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two demos with the same words."""
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    with quick_demos(MISTAKES):
        for folder in (first, second):
            assert main([*WORDS, "--quiet", "--out", str(folder)]) == 0
    return first, second


def test_the_same_seed_gives_the_same_game_byte_for_byte(folders: tuple[Path, Path]) -> None:
    first, second = folders
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted(path.name for path in second.iterdir())
    for name in names:
        if not name.startswith("game.game"):
            assert (first / name).read_bytes() == (second / name).read_bytes(), name


def test_mistakes_with_rails_and_with_cards_are_caught_and_settled(folders: tuple[Path, Path]) -> None:
    first, _ = folders
    caught = sorted(path.stem.split("-", 2)[2] for path in first.glob("caught-*.png"))
    assert caught == ["hand", "not_connected", "not_now", "wrong_card", "wrong_seat"]
    transcript = (first / "transcript.txt").read_text(encoding="utf-8")
    assert transcript.count("settled: table and record agree again") == MISTAKES
    for rule in ("TR-LAY-2", "TR-TURN-1", "TR-VIS-3", "TR-TURN-2"):
        assert f"[{rule}]" in transcript


def test_the_record_came_from_the_camera_and_knows_no_drawn_card(folders: tuple[Path, Path]) -> None:
    first, _ = folders
    text = (first / "export.json").read_text(encoding="utf-8")
    journal = import_memory(text)
    assert [entry.differs for entry in replay(journal) if entry.differs] == []
    actions = [row["entry"]["body"]["action"] for row in json.loads(text)["entries"]]
    by_kind: dict[str, list[dict[str, object]]] = {}
    for action in actions:
        by_kind.setdefault(str(action["do"]), []).append(action)
    assert by_kind.keys() >= {"deal", "play", "buy", "lay", "place_station", "leftovers", "end_turn"}
    assert not any("cards" in action for action in by_kind["deal"])
    # What the camera reads has the numbers of the cards.
    assert all(action.get("copy") for action in by_kind["play"] + by_kind["buy"])
