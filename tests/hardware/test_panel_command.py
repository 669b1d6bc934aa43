"""`stationmaster panel test`."""

import json
from pathlib import Path

import pytest

from ui.cli import main

CONFIG = """
[panel]
kind = "gpio"
next = 23
buzzer = 18
[panel.seats.A]
plus = 5
ok = 6
lamp = 12
"""


def called(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["panel", *(str(word) for word in words)])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return code, out, err


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(CONFIG, encoding="utf-8")
    return tmp_path / "table.toml"


def test_on_mock_pins_everything_comes(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capsys, "test", "--mock", "--json", "--config", config)
    assert code == 0
    answer = json.loads(out)
    assert answer["good"] is True
    assert {test["name"]: test["result"] for test in answer["tests"]} == {
        "lamp of A": "shown",
        "buzzer": "shown",
        "A plus": "good",
        "A ok": "good",
        "next": "good",
    }


def test_without_wires_it_is_skipped(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capsys, "test", "--config", config)
    assert code == 0
    assert out.splitlines()[0] == "buttons off, use the screen: this is no Raspberry Pi"
    assert out.count("skipped: no wire") == 5
    code, out, _ = called(capsys, "test", "--json")
    assert {test["result"] for test in json.loads(out)["tests"]} == {"skipped"}
    config.write_text('[panel]\nkind = "keyboard"\n')
    assert called(capsys, "test", "--config", config)[:2] == (
        0,
        "skipped: no wire; the panel is 'keyboard'\n",
    )


def test_pins_that_cannot_be_had_are_one_line(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text(CONFIG.replace("next", 'factory = "lgpio"\nnext'))
    code, out, _ = called(capsys, "test", "--config", config)
    assert code == 1
    assert out == "buttons off, use the screen: lgpio is missing; sudo apt install python3-lgpio\n"


def test_a_button_that_does_not_come_fails(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.commands import panel

    pressed = panel._press_mock

    def wrong(made: object, button: object) -> None:
        # The two buttons of the seat are wired the wrong way round, and next is not wired at all.
        if str(button) != "next":
            from hardware.debounce import button as named
            from hardware.gpio import GpioPanel

            assert isinstance(made, GpioPanel)
            pressed(made, named("A ok" if str(button) == "A plus" else "A plus"))

    monkeypatch.setattr(panel, "_press_mock", wrong)
    code, out, _ = called(capsys, "test", "--mock", "--json", "--seconds", 0.3, "--config", config)
    assert code == 1
    failed = [test for test in json.loads(out)["tests"] if test["result"] == "failed"]
    assert {test["name"]: test["text"] for test in failed} == {
        "A plus": "A ok came",
        "A ok": "A plus came",
        "next": "nothing came",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no table [panel]"),
        ("[panel", "Expected ']'"),
        ("version = 99\n" + CONFIG, "this program reads versions 1 to"),
        (CONFIG + "lmap = 3\n[panel.seats.Q]\nok = 99", "there is no pin 99; GPIO numbers go from 0 to 27"),
    ],
)
def test_settings_that_are_wrong(
    text: str, said: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(text, encoding="utf-8")
    code, out, err = called(capsys, "test", "--config", config)
    assert (code, out) == (2, "")
    assert said in err
    if "[panel.seats.Q]" in text:
        assert "there is no seat Q" in err
        assert "no setting 'lmap'; nearest is 'lamp'" in err


def test_calls_that_are_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(capsys, "test", "--config", tmp_path / "none.toml")[0] == 2
    assert called(capsys, "test", "--seconds", "-1")[0] == 2
    assert called(capsys)[0] == 2
