"""Power, heat and the running kiosk, as the doctor tells them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec
import pytest

from ui.health import Pulse, Reading, heat, kiosk, power, temperature, throttled, write_pulse


@pytest.mark.parametrize(
    ("flags", "light", "says"),
    [
        (0x0, "green", "never too low"),
        (0x1, "red", "voltage is too low"),
        (0x50005, "red", "voltage is too low; the processor is slowed down"),
        (0x10000, "amber", "since the start: the voltage is too low"),
        (0x80000, "amber", "close to the limit of heat"),
    ],
)
def test_power(flags: int, light: str, says: str) -> None:
    found = power(flags)
    assert found.light == light
    assert says in found.text
    assert bool(found.advice) == (light != "green")


def test_the_fix_for_a_weak_supply_is_not_that_for_heat() -> None:
    assert "supply" in power(0x1).advice
    assert "supply" not in power(0x8).advice


def test_flags_are_read_from_the_firmware_and_may_be_missing() -> None:
    assert throttled(lambda: "throttled=0x50005\n") == 0x50005

    def none() -> str:
        raise OSError("there is no vcgencmd")

    assert throttled(none) in (None, 0, 1)


@pytest.mark.parametrize(("degrees", "light"), [(45.0, "green"), (70.0, "amber"), (84.9, "red")])
def test_heat(degrees: float, light: str) -> None:
    assert heat(degrees).light == light


def test_a_machine_that_measures_nothing_tells_nothing(tmp_path: Path) -> None:
    assert temperature(tmp_path / "temp") is None
    (tmp_path / "temp").write_text("51234\n")
    assert temperature(tmp_path / "temp") == 51.234
    assert list(kiosk(tmp_path / "pulse.json")) == []


def pulse_of(folder: Path, pulse: Pulse, age: float = 0.0) -> list[Reading]:
    place = folder / "pulse.json"
    write_pulse(place, pulse)
    os.utime(place, (time.time() - age,) * 2)
    return list(kiosk(place))


def test_a_running_kiosk_is_told_with_its_camera(tmp_path: Path) -> None:
    well = Pulse(
        version="0.1.0",
        running_s=600,
        started_s=4.2,
        memory_mb=180,
        camera="running",
        picture_age_s=7,
        pictures_s=2.0,
    )
    running, camera = pulse_of(tmp_path, well)
    assert (running.light, camera.light) == ("green", "green")
    assert "first page after 4.2 s, 180 MB" in running.text
    assert "2.0 pictures a second. The newest is 7 s old" in camera.text


@pytest.mark.parametrize(
    ("change", "age", "light"),
    [
        ({"trouble": "The folder of games cannot be used"}, 0, "red"),
        ({"stuck": "table: no answer for 21 s"}, 0, "red"),
        ({}, 40, "red"),
        ({"memory_mb": 900.0}, 0, "amber"),
        ({"started_s": 55.0}, 0, "amber"),
        ({}, 0, "green"),
    ],
)
def test_what_is_wrong_with_the_kiosk(
    change: dict[str, float | str], age: float, light: str, tmp_path: Path
) -> None:
    pulse = msgspec.convert({"version": "1", **change}, Pulse)
    assert pulse_of(tmp_path, pulse, age)[0].light == light


def test_a_camera_that_restarts_is_pointed_out(tmp_path: Path) -> None:
    assert pulse_of(tmp_path, Pulse(camera="restarting", camera_text="It has died."))[1].light == "amber"


def test_a_camera_that_runs_and_gives_nothing_is_pointed_out(tmp_path: Path) -> None:
    assert pulse_of(tmp_path, Pulse(camera="running", picture_age_s=40))[1].light == "amber"


def test_a_damaged_state_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "pulse.json").write_bytes(b"{")
    assert [one.light for one in kiosk(tmp_path / "pulse.json")] == ["amber"]
