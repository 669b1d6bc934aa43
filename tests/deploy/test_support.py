"""The bundle for a helper tells what is needed, and nobody's name."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.deploy.conftest import NAMES, Began, Call
from ui.commands.support import GONE, redacted


@pytest.fixture
def bundle(games: Path, began: Began, call: Call, tmp_path: Path) -> dict[str, str]:
    began().close()
    began("Birthday of Annegret", seed=2).close()
    (games / "auction-0002.game").write_bytes(b"damaged")
    config = tmp_path / "config.toml"
    config.write_text('name = "Table of Zoltan"\nlanguage = "de"\n[camera]\nname = "picamera:0"\n')
    (games / "kiosk-settings.json").write_text(
        json.dumps(
            {"name": "Corner table", "pin": {"hash": "$argon2id$v=19$secret", "wrong": 2}, "language": "de"}
        )
    )
    log = tmp_path / "log.txt"
    log.write_text(
        "boris took 3 coal\nAnnegret's turn\nTable of Zoltan is up\n"
        "The PIN: 493817 was wrong\nAnnegretX stays\n"
    )
    words = ("--config", config, "--log", log, "--games-dir", games)
    assert call("support", tmp_path / "s.zip", *words)[0] == 0
    with zipfile.ZipFile(tmp_path / "s.zip") as pack:
        return {info.filename: pack.read(info).decode() for info in pack.infolist()}


def test_no_name_no_pin_and_no_picture_is_in_it(bundle: dict[str, str]) -> None:
    whole = "\n".join(bundle.values()).lower()
    for secret in (*NAMES.values(), "Zoltan", "Corner", "argon2id", "493817", "Birthday"):
        found = whole.replace("annegretx", "")
        # The package that hashes is listed with all others.
        assert secret.lower() not in found.replace("argon2-cffi", ""), secret
    assert {name.rpartition(".")[2] for name in bundle} <= {"json", "txt", "toml"}


def test_what_a_helper_needs_is_in_it(bundle: dict[str, str]) -> None:
    games = json.loads(bundle["games.json"])
    assert sorted(game["file"] for game in games) == ["auction-0001", "auction-0002", "game 1"]
    assert [bool(game["fault"]) for game in games if game["file"] == "auction-0002"] == [True]
    assert any(game.get("entries", 0) > 5 for game in games)
    assert json.loads(bundle["doctor.json"])["checks"]
    assert "kivy" in bundle["packages.txt"].lower()
    assert 'name = "picamera:0"' in bundle["config.toml"]
    assert json.loads(bundle["settings.json"]) == {"language": "de"}
    assert f"{GONE} took 3 coal" in bundle["log.txt"]


def test_what_is_wrong_with_the_configuration_is_in_it(games: Path, call: Call, tmp_path: Path) -> None:
    (config := tmp_path / "config.toml").write_text('version = 2\nlanguage = "de\n')
    (log := tmp_path / "log.txt").write_text("")
    (games / "auction-0001.game").write_bytes(b"damaged")
    words = ("--config", config, "--log", log, "--games-dir", games)
    code, _, said = call("support", tmp_path / "s.zip", *words)
    assert code == 0
    assert "auction-0001.game: too damaged to tell whose names to look for" in said
    with zipfile.ZipFile(tmp_path / "s.zip") as pack:
        assert "line 2" in pack.read("config-faults.txt").decode()


def test_a_pin_in_the_log_of_an_older_version_is_removed() -> None:
    line = "Ask(what='set_pin', values={'digits': '7777'}): This PIN is too easy to guess."
    assert redacted(line, []) == line.replace("7777", GONE)


def test_a_name_inside_a_word_is_no_name() -> None:
    assert redacted("Also Al", ["Al"]) == f"Also {GONE}"
