"""The services verify, say what they must, and name what is there."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy import safe_screen

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))


def lines(unit: str) -> list[str]:
    return (ROOT / f"deploy/systemd/{unit}.service").read_text().splitlines()


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_systemd_finds_nothing_wrong(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    # What is started is looked for where it will be installed: here something stands for it.
    text = unit.read_text()
    for there in ("current/venv/bin/stationmaster", "current/deploy/update.sh"):
        text = text.replace(f"ExecStart=/opt/stationmaster/{there}", f"ExecStart={shutil.which('true')}")
    # The safe screen beside it, so that what is named in OnFailure is found.
    for other in UNITS:
        shutil.copy(other, tmp_path / other.name)
    (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / unit.name],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    about_us = [line for line in done.stderr.splitlines() if unit.name in line]
    assert about_us == []
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("unit", "most"), [("stationmaster", 2.0), ("stationmaster-safe", 2.0)])
def test_the_services_are_hardened(unit: str, most: float) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={most * 10:.0f}", "--no-pager"]
    done = subprocess.run(
        [*command, ROOT / f"deploy/systemd/{unit}.service"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-300:]


@pytest.mark.parametrize("unit", ["stationmaster", "stationmaster-update"])
def test_the_clock_can_be_asked_and_not_set(unit: str) -> None:
    text = "\n".join(lines(unit))
    assert "ProtectClock=yes" not in lines(unit)
    assert re.search(r"^SystemCallFilter=(?!~).*\badjtimex clock_adjtime$", text, re.MULTILINE)
    (left,) = re.findall(r"^CapabilityBoundingSet=(.*)$", text, re.MULTILINE)
    assert "CAP_SYS_TIME" not in left


def test_a_wrong_configuration_is_not_started_again_and_again() -> None:
    kiosk = lines("stationmaster")
    assert "RestartPreventExitStatus=2" in kiosk
    assert "OnFailure=stationmaster-safe.service" in kiosk
    assert {"Type=notify", "WatchdogSec=30", "Restart=always"} <= set(kiosk)
    assert not any(
        "network" in line.lower() and line.startswith(("After", "Wants", "Requires")) for line in kiosk
    )


def test_the_configuration_that_is_installed_lies_where_the_services_look() -> None:
    config = tomllib.loads((ROOT / "deploy/kiosk.toml").read_text())
    assert config["games"] == "/var/lib/stationmaster"
    assert any("--config /etc/stationmaster/config.toml" in line for line in lines("stationmaster"))


def test_shell_scripts_pass_shellcheck() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not here")
    scripts = [*(ROOT / "deploy").glob("*.sh"), *(ROOT / "tests/deploy").glob("*.sh")]
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_the_cloud_init_sample_is_yaml_with_what_it_needs() -> None:
    text = (ROOT / "deploy/cloud-init/user-data").read_text()
    assert text.startswith("#cloud-config\n")
    assert "install.sh --unattended" in text
    assert "\t" not in text
    assert "passwd" not in text


# ---- the safe screen


def test_pauses_grow_and_end() -> None:
    assert [safe_screen.pause_after(n) for n in (1, 2, 3, 4, 5, 50)] == [60, 120, 240, 480, 900, 900]


def test_the_screen_says_why_and_what_to_do_on_80_columns() -> None:
    text = safe_screen.screen(
        ["a" * 200, "config.toml is not right:", "  offered: there is no game 'x'"], 120
    )
    assert "config.toml is not right" in text
    assert "2 min" in text
    assert max(map(len, text.splitlines())) <= 80 + 6
    assert len(safe_screen.screen(["x" * 300] * safe_screen.LINES, 60).splitlines()) < 60


def test_a_tap_ends_the_wait_and_a_device_that_goes_away_does_not() -> None:
    reading, writing = os.pipe()
    gone, end = os.pipe()
    os.close(end)
    os.write(writing, bytes(safe_screen.EVENT))
    assert safe_screen.wait(5.0, [reading])
    assert not safe_screen.wait(0.1, [gone])
    for one in (reading, writing, gone):
        os.close(one)


def test_failures_are_counted_and_a_bad_count_begins_anew(tmp_path: Path) -> None:
    place = tmp_path / "failures"
    assert safe_screen.failures(place) == 0
    for _ in range(3):
        safe_screen.count_up(place)
    assert safe_screen.failures(place) == 3
    place.write_text("x")
    assert safe_screen.failures(place) == 0
    safe_screen.count_up(tmp_path / "no" / "failures")


def test_being_told_to_end_is_no_failure() -> None:
    # Otherwise `systemctl stop` would bring the safe screen.
    assert "SuccessExitStatus=130" in lines("stationmaster")


def test_the_safe_screen_needs_nothing_but_the_system() -> None:
    done = subprocess.run(
        ["/usr/bin/python3", "-I", "-c", f"import runpy; runpy.run_path('{safe_screen.__file__}')"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A safe screen; as long as there is the file `activating`, systemd starts the kiosk once more."""
    for name, does in (
        ("journalctl", "echo its last words"),
        ("systemctl", f"test -e {tmp_path}/activating && echo activating || echo failed"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "activating").touch()
    with subprocess.Popen(
        [sys.executable, "-u", "-I", safe_screen.__file__],
        stdout=subprocess.PIPE,
        text=True,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    ) as screen:
        yield screen
        screen.kill()


def test_the_safe_screen_says_nothing_while_the_kiosk_is_started_again(
    shown: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert shown.stdout is not None
    assert shown.stdout.read(len(safe_screen.CLEAR)) == safe_screen.CLEAR
    assert not select.select([shown.stdout], [], [], 0.7)[0]
    (tmp_path / "activating").unlink()
    while "its last words" not in shown.stdout.readline():
        assert shown.poll() is None


def test_the_safe_screen_outlives_that_the_console_is_hung_up(
    shown: subprocess.Popen[str], tmp_path: Path
) -> None:
    (tmp_path / "activating").unlink()
    assert shown.stdout is not None
    while "its last words" not in shown.stdout.readline():
        assert shown.poll() is None
    shown.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        shown.wait(0.3)


def test_the_safe_screen_is_written_on_a_console_that_was_hung_up_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "tty1"
    monkeypatch.setattr(safe_screen, "CONSOLE", place)
    with Path(os.devnull).open() as dead:  # One that takes no words.
        monkeypatch.setattr(sys, "stdout", dead)
        safe_screen.show("its last words")
    assert place.read_text() == "its last words"
