"""`stationmaster config`, and what the installer asks a version about the configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.deploy.conftest import Call
from ui.kiosk.config import load
from ui.kiosk.config_versions import VERSION

FIRST = '# ours\nname = "Four"\n[screen]\nmm = [154, 86]\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(FIRST)
    return path


def test_it_tells_all_faults_and_changes_nothing(file: Path, call: Call) -> None:
    file.write_text("nam = 1\nlanguage = 'fr'\n")
    code, out, err = call("config", file)
    assert (code, out) == (1, "")
    assert "did you mean 'name'?" in err
    assert "language = 'fr'" in err
    code, out, _ = call("config", file, "--migrate", "--json")
    assert code == 1
    assert len(json.loads(out)["faults"]) == 2
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


def test_an_older_file_is_written_anew_beside_itself(file: Path, call: Call) -> None:
    assert "it is read as it is" in call("config", file)[2]
    code, out, _ = call("config", file, "--migrate", "--json")
    said = json.loads(out)
    written = file.with_name(f"config.version-{VERSION}.toml")
    assert (code, said["version"], said["newest"], said["written"]) == (0, 1, VERSION, str(written))
    assert file.read_text() == FIRST
    assert written.read_text().startswith("# ours\nversion = ")
    assert load(written).screen == load(file).screen
    # Once more it is the same, and what somebody has changed in it is not lost.
    assert "with its comments" in call("config", file, "--migrate")[2]
    written.write_text("else")
    code, _, err = call("config", file, "--migrate")
    assert (code, written.read_text()) == (1, "else")
    assert "move it away" in err


def test_comments_that_could_not_be_kept_are_told(file: Path, call: Call) -> None:
    file.write_text("# ours\nscreen.mm = [154, 86]\n")
    assert "without its comments" in call("config", file, "--migrate")[2]


def test_a_file_of_the_newest_version_is_left_alone(file: Path, call: Call) -> None:
    file.write_text(f"version = {VERSION}\n")
    code, out, _ = call("config", file, "--migrate", "--json")
    assert (code, json.loads(out)["written"]) == (0, None)
    assert len(list(file.parent.iterdir())) == 1


def test_a_version_that_cannot_read_the_configuration_fails_its_check(file: Path, call: Call) -> None:
    games = file.parent / "games"

    def check(*words: object) -> int:
        return call("selfcheck", "--games-only", "--games-dir", games, "--config", file, *words)[0]

    assert check() == 0
    file.write_text(f"version = {VERSION + 1}\n")
    code, out, _ = call("selfcheck", "--games-only", "--games-dir", games, "--config", file, "--json")
    assert code == 1
    assert f"reads versions 1 to {VERSION}" in json.loads(out)["config"][0]
    before = file.parent / "before.json"
    # The version in use can read it, or is too old to say.
    for said in ('{"games": {}, "config": []}', '{"games": {}}', "{}"):
        before.write_text(said)
        assert check("--before", before) == 1
    # It can neither: its kiosk goes by the last good one, and so will this one's.
    before.write_text(json.dumps({"games": {}, "config": ["name = 3"]}))
    assert check("--before", before) == 0
    for damaged in ("[]", "{", '{"games": 3}'):
        before.write_text(damaged)
        assert check("--before", before) == 1
