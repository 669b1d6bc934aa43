"""A game with hidden hands at a terminal that others look at as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.toys.shelf import SHELF
from tests.ui.conftest import Call


@pytest.fixture
def shunt(call: Call, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("STATIONMASTER_GAMES", SHELF)
    said = call("new", "s", "--game", "toy_shunt", "--players", 2, "--virtual", "--seed", "1", "--json")
    assert said.code == 0
    assert said.json["dealt"] == [{"do": "deal", "owner": seat, "count": 3} for seat in "AB"]
    return "s"


def hand(call: Call, game: str, seat: str) -> list[str]:
    answer = call("show", game, "--viewer", seat, "--json").json
    assert "digest" not in answer
    named = answer["position"]["cards"][seat]["zones"]["hand"]["named"]
    return [known["card"] for known in named]


def test_only_its_owner_sees_a_hand(shunt: str, call: Call) -> None:
    assert len(hand(call, shunt, "A")) == 3
    for viewer in ("public", "B"):
        zones = call("show", shunt, "--viewer", viewer, "--json").json["position"]["cards"]["A"]["zones"]
        assert zones["hand"] == {"named": [], "unnamed": 3}
    for card in set(hand(call, shunt, "A")):
        assert f"deal A 3 {card}" not in call("history", shunt).out


def test_what_tells_everything_is_for_staff(shunt: str, call: Call, tmp_path: Path) -> None:
    for words in (["export"], ["show", "--case"], ["legal"], ["replay"]):
        command, *options = words
        said = call(command, shunt, *options)
        assert said.code == 1
        assert said.out == ""
        assert "staff" in said.err
    assert call("show", shunt, "--case", "--viewer", "staff").code == 0
    assert call("legal", shunt, "--staff").code == 0
    assert call("legal", shunt, "--seat", "A").code == 0
    assert call("replay", shunt, "--staff").code == 0
    assert call("export", shunt, "--staff", "--out", tmp_path / "x.json").code == 0
    assert call("replay", tmp_path / "x.json").code == 0


def test_a_ruling_tells_what_everybody_may_know(shunt: str, call: Call) -> None:
    said = call("act", shunt, "end_turn", "A", "--json")
    assert said.code == 0
    assert "digest" not in said.json
    assert all("cards" not in action for action in said.json["dealt"])
    terms = call("undo", shunt, "--by", "A", "--terms", "--json").json
    assert all("cards" not in action for action in terms["actions"] if action["do"] == "deal")
    said = call("undo", shunt, "--by", "A")
    assert said.code == 1
    assert "to do first: A puts 3 cards back on the deck." in said.err
