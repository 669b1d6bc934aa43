from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.conftest import Call
from ui.cli import commands, main

HEAVY = ("cv2", "numpy", "kivy", "zxingcpp", "reportlab", "pyzbar")


def test_help_lists_every_command(call: Call) -> None:
    said = call("--help")
    assert said.code == 0
    assert said.err == ""
    for name in commands():
        assert re.search(rf"^    {name}\b", said.out, re.M)  # a long name stands on a line of its own


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_help(name: str, call: Call) -> None:
    said = call(name, "--help")
    assert said.code == 0
    assert said.out.startswith(f"usage: stationmaster {name}")


def test_a_call_without_a_command_is_wrong_and_shows_the_way(call: Call) -> None:
    said = call()
    assert said.code == 2
    assert said.out == ""
    assert "COMMAND" in said.err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["shwo"], "stationmaster: there is no command 'shwo'; nearest is 'show'"),
        (["xyzzy"], "stationmaster: there is no command 'xyzzy'; see stationmaster --help"),
        (
            ["show"],
            "stationmaster show: the following arguments are required: GAME; see stationmaster show --help",
        ),
        (
            ["new", "g", "--players", "x"],
            "stationmaster new: argument --players: invalid int value: 'x'; see stationmaster new --help",
        ),
    ],
)
def test_a_wrong_call_is_one_line(words: list[str], line: str, call: Call) -> None:
    said = call(*words)
    assert (said.code, said.out, said.err) == (2, "", line + "\n")


def test_version(call: Call) -> None:
    said = call("--version")
    assert said.code == 0
    assert said.out.startswith("stationmaster ")


def test_a_mistake_of_the_program_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("ui.commands.titles.run", broken)
    assert main(["titles"]) == 70
    assert "this is a mistake in Stationmaster" in capsys.readouterr().err


def test_stopping_and_a_closed_pipe_are_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("ui.commands.titles.run", stopped)
    assert main(["titles"]) == 130
    assert capsys.readouterr().err == "stationmaster: stopped\n"


def test_a_reader_that_has_had_enough_is_no_fault(tmp_path: Path) -> None:
    code = "import sys; from ui.cli import main; sys.exit(main(['--help']))"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        run.stdout.close()
        assert run.stderr is not None
        assert run.stderr.read() == b""
        assert run.wait() == 0


@pytest.mark.parametrize("words", [["--help"], ["titles"], ["show", "nothing"], ["case", "nothing"]])
def test_nothing_heavy_is_loaded_for_the_commands_about_records(words: list[str]) -> None:
    code = (
        "import sys, contextlib, io\n"
        "from ui.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n"
        f"    main({words!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
