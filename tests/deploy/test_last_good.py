"""A configuration that somebody has spoilt does not keep a table dark."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ui.kiosk.config import ConfigFaults
from ui.kiosk.config_versions import VERSION
from ui.kiosk.last_good import kept_name, load_or_last, notice
from ui.presenters.words import Words

FIRST = 'name = "Four"\ngames = "games"\n'
GOOD = f"version = {VERSION}\n{FIRST}"
NAME = kept_name(VERSION)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "etc").mkdir()
    (tmp_path / "state").mkdir()
    path = tmp_path / "etc" / "config.toml"
    path.write_text(GOOD)
    return path


def environment(file: Path) -> dict[str, str]:
    return {"STATE_DIRECTORY": str(file.parents[1] / "state")}


def test_a_good_file_is_kept_and_used(file: Path) -> None:
    config, faults = load_or_last(file, environment(file))
    assert (config.name, faults) == ("Four", ())
    assert (file.parents[1] / "state" / NAME).read_text() == GOOD


@pytest.mark.parametrize(
    "bad",
    [
        *("", " \n", "name =", "nme = 1\nlanguage = 'xx'\n", "version = 99\n", None),
        pytest.param(f"name = {'[' * 100_000}", id="deep"),
        pytest.param(f"idle_minutes = {'1' * 5000}", id="long"),
        pytest.param(f"{GOOD}# {'x' * 1_000_000}", id="large"),
    ],
)
def test_a_bad_one_falls_back_and_says_why(bad: str | None, file: Path) -> None:
    load_or_last(file, environment(file))
    if bad is None:
        file.unlink()
    else:
        file.write_text(bad)
    config, faults = load_or_last(file, environment(file))
    assert config.name == "Four"
    assert config.games == file.parent / "games"
    assert faults
    for language in ("en", "de"):
        assert faults[0] in notice(Words(language), faults)
    assert (file.parents[1] / "state" / NAME).read_text() == GOOD


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_not_waited_for(kind: str, file: Path) -> None:
    load_or_last(file, environment(file))
    file.unlink()
    if kind == "folder":
        file.mkdir()
    else:
        os.mkfifo(file)
    config, faults = load_or_last(file, environment(file))
    assert config.name == "Four"
    assert faults == (f"{file} is a folder or a device; put a file there, like deploy/kiosk.toml",)


def test_without_a_good_one_the_faults_are_told(file: Path) -> None:
    file.write_text("x")
    with pytest.raises(ConfigFaults):
        load_or_last(file, environment(file))
    with pytest.raises(ConfigFaults):
        load_or_last(file, {})
    (file.parents[1] / "state" / NAME).write_text("also = wrong")
    with pytest.raises(ConfigFaults):
        load_or_last(file, environment(file))


def test_a_full_disk_does_not_keep_the_kiosk_from_starting(file: Path) -> None:
    config, faults = load_or_last(file, {"STATE_DIRECTORY": str(file.parent / "no")})
    assert (config.name, faults) == ("Four", ())


def test_one_is_kept_of_each_version_for_the_way_back(file: Path) -> None:
    state = file.parents[1] / "state"
    file.write_text(FIRST)
    load_or_last(file, environment(file))
    file.write_text(GOOD)
    load_or_last(file, environment(file))
    # A program of before knows this name, and can read what it finds there.
    assert (state / "config.last-good.toml").read_text() == FIRST
    assert (state / kept_name(VERSION)).read_text() == GOOD
    file.write_text("x")
    assert load_or_last(file, environment(file))[0].version == VERSION


def test_an_older_file_that_was_put_back_is_the_last_good_one(file: Path) -> None:
    load_or_last(file, environment(file))
    file.write_text(FIRST.replace("Four", "Five"))
    load_or_last(file, environment(file))
    file.write_text("x")
    config, faults = load_or_last(file, environment(file))
    assert (config.name, config.version, bool(faults)) == ("Five", 1, True)
