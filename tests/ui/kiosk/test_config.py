"""The configuration file: what it says, and everything that can be wrong with it at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.kiosk.config import ConfigFaults, load

ROOT = Path(__file__).parents[3]


def faults_of(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "kiosk.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigFaults) as caught:
        load(file)
    return list(caught.value.faults)


def test_the_file_that_ships_is_right() -> None:
    config = load(ROOT / "deploy" / "kiosk.toml")
    assert config.name == "Table 4"
    assert config.games == Path("/var/lib/stationmaster")
    assert config.panel.next == 23
    assert config.screen.size_mm == (154.0, 86.0)


def test_paths_are_seen_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "kiosk.toml"
    file.write_text(
        'games = "g"\npacks = "."\n[camera]\nname = "folder:p"\ncalibration = "c.toml"\nboards = "b"\n',
        encoding="utf-8",
    )
    config = load(file)
    assert config.packs == tmp_path
    assert (config.games, config.camera.calibration) == (tmp_path / "g", tmp_path / "c.toml")
    assert config.camera.boards == tmp_path / "b"


def test_switches_are_taken_with_dots_in_either_form(tmp_path: Path) -> None:
    file = tmp_path / "kiosk.toml"
    file.write_text('[switches.railway_boom]\nauction.next = "cyclic"\n', encoding="utf-8")
    assert load(file).switches == {"railway_boom": {"auction.next": "cyclic"}}


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    found = faults_of(
        tmp_path,
        """
nam = "Table 4"
language = "fr"
idle_minutes = 0
box = "1"
offered = ["chess"]
[screen]
size = [600, 1024]
provider = "touch"
[camera]
nam = "picamera:0"
[panel]
kind = "gpio"
[switches.railway_boom]
"auction.next" = "backwards"
""",
    )
    text = "\n".join(found)
    for words in (
        "did you mean 'name'?",
        "language = 'fr'",
        "idle_minutes = 0",
        "no game 'chess'",
        "stands upright",
        "provider = 'touch'",
        "box = '1'",
        "[camera]: there is no setting 'nam'",
        "needs pins",
        "auction.next = 'backwards'",
    ):
        assert words in text
    assert len(found) == 10


@pytest.mark.parametrize(
    "text", ["name = ", "", "name = 3\n", "screen = 1\n", "switches = 2\n", 'games = "a\\u0000"\n']
)
def test_what_is_no_configuration_is_a_fault_and_nothing_else(tmp_path: Path, text: str) -> None:
    assert faults_of(tmp_path, text)


def test_a_file_that_is_not_there_says_where_to_begin(tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults, match=r"deploy/kiosk\.toml"):
        load(tmp_path / "no.toml")
