"""Power, heat, room, camera, start and memory: from where each is pointed out, and when that is over."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from assistant.messages import CameraState, CameraStatus
from ui import health
from ui.health import (
    COOLER_C,
    ENOUGH_PICTURES_S,
    HOLD_S,
    HOT_C,
    LATE_S,
    LITTLE_ROOM,
    MORE_ROOM,
    MUCH_MB,
    NO_ROOM,
    OLD_S,
    PICTURES_S,
    SLOW_PICTURES_S,
    SLOW_START_S,
    TOO_HOT_C,
    Gauges,
    Light,
    Pictures,
    Pulse,
    Reading,
    camera,
    disk,
    free_bytes,
    heat,
    kiosk,
    memory,
    memory_mb,
    power,
    start,
    temperature,
    throttled,
    write_pulse,
)
from ui.kiosk.gauges import EVERY_S

ROOT = Path(__file__).parents[2]


def test_the_document_tells_these_limits() -> None:
    _, _, text = (ROOT / "docs" / "appliance.md").read_text(encoding="utf-8").partition("## How is it?\n")
    rows = {row.split("|")[1].split()[0]: row for row in text.splitlines() if row.startswith("| ")}
    for name, figures in {
        "power": (f"{HOLD_S:g} s after",),
        "heat": (f"| {HOT_C:g} °C", f"| {TOO_HOT_C:g} °C", f"| {COOLER_C:g} °C below"),
        "disk": (f"than {LITTLE_ROOM / 1e6:g} MB", f"than {NO_ROOM / 1e6:g} MB"),
        "camera": (f"for {LATE_S:g} s", f"than {SLOW_PICTURES_S:g} a", f"; {ENOUGH_PICTURES_S:g} a second"),
        "start-up,": (f"than {SLOW_START_S:g} s",),
        "memory": (f"than {MUCH_MB:g} MB",),
        "the": (f"for {OLD_S:g} s",),
    }.items():
        assert [figure for figure in figures if figure not in rows[name]] == [], rows[name]
    told = " ".join(text.split())
    assert f"every {EVERY_S:g} s and counts pictures every {PICTURES_S:g} s" in told


# ---- the machine


@pytest.mark.parametrize(
    ("flags", "light", "says", "state"),
    [
        (0x0, "green", "never too low", "steady"),
        (0x1, "red", "voltage is too low", "low"),
        (0x50005, "red", "voltage is too low; the processor is slowed down", "low"),
        (0x10008, "red", "close to the limit of heat", "slowed"),
        (0x10000, "amber", "since the start: the voltage is too low", "was_low"),
        (0x80000, "amber", "close to the limit of heat", "was_slowed"),
    ],
)
def test_power(flags: int, light: str, says: str, state: str) -> None:
    found = power(flags)
    assert found.light == light
    assert says in found.text
    assert found.values is not None
    assert found.values["state"] == state
    assert bool(found.advice) == (light != "green")


def test_the_fix_for_a_weak_supply_is_not_that_for_heat() -> None:
    assert "supply" in power(0x1).advice
    assert "supply" not in power(0x8).advice


def test_flags_are_read_from_the_firmware_and_may_be_missing() -> None:
    assert throttled(lambda: "throttled=0x50005\n") == 0x50005

    def none() -> str:
        raise OSError("there is no vcgencmd")

    assert throttled(none) in (None, 0, 1)


def test_without_the_firmware_the_kernels_own_flag_is_read(tmp_path: Path) -> None:
    for number, (name, alarm) in enumerate((("cpu_thermal", "1"), ("rpi_volt", "1"))):
        folder = tmp_path / f"hwmon{number}"
        folder.mkdir()
        (folder / "name").write_text(f"{name}\n")
        (folder / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert health._alarm(tmp_path) == 1
    (tmp_path / "hwmon1" / "in0_lcrit_alarm").write_text("0\n")
    assert health._alarm(tmp_path) == 0
    assert health._alarm(tmp_path / "none") is None


@pytest.mark.parametrize(
    ("degrees", "before", "light"),
    [
        (HOT_C - 0.1, "green", "green"),
        (HOT_C, "green", "amber"),
        (TOO_HOT_C - 0.1, "green", "amber"),
        (TOO_HOT_C, "green", "red"),
        (HOT_C - COOLER_C, "amber", "amber"),
        (HOT_C - COOLER_C - 0.1, "amber", "green"),
        (TOO_HOT_C - COOLER_C, "red", "red"),
        (TOO_HOT_C - COOLER_C - 0.1, "red", "amber"),
        (HOT_C - COOLER_C - 0.1, "red", "green"),
        (TOO_HOT_C - 0.1, "amber", "amber"),
    ],
)
def test_heat(degrees: float, before: Light, light: str) -> None:
    found = heat(degrees, before)
    assert found.light == light
    assert bool(found.advice) == (light != "green")


@pytest.mark.parametrize(
    ("free", "before", "light"),
    [
        (LITTLE_ROOM, "green", "green"),
        (LITTLE_ROOM - 1, "green", "amber"),
        (NO_ROOM, "green", "amber"),
        (NO_ROOM - 1, "green", "red"),
        (LITTLE_ROOM * MORE_ROOM - 1, "amber", "amber"),
        (LITTLE_ROOM * MORE_ROOM, "amber", "green"),
        (NO_ROOM * MORE_ROOM - 1, "red", "red"),
        (NO_ROOM * MORE_ROOM, "red", "amber"),
    ],
)
def test_room(free: float, before: Light, light: str) -> None:
    found = disk(int(free), before)
    assert found.light == light
    assert bool(found.advice) == (light != "green")


def test_room_is_told_in_sizes_that_people_read(tmp_path: Path) -> None:
    assert disk(11_400_000_000).text == "11.4 GB free"
    assert disk(340_000_000).text == "340 MB free"
    assert (free_bytes(tmp_path / "not" / "made" / "yet") or 0) > 0


def test_a_machine_that_measures_nothing_tells_nothing(tmp_path: Path) -> None:
    assert temperature(tmp_path / "temp") is None
    (tmp_path / "temp").write_text("51234\n")
    assert temperature(tmp_path / "temp") == 51.234
    assert list(kiosk(tmp_path / "pulse.json")) == []
    none = Gauges(tmp_path, flags=lambda: None, degrees=lambda: None, free=lambda folder: None)
    assert none.sample(0.0) == ()


class Machine:
    """A machine whose firmware and files say what a test wants."""

    def __init__(self, folder: Path) -> None:
        self.flags, self.file, self.free = 0, folder / "temp", 10 * LITTLE_ROOM
        self.gauges = Gauges(
            folder,
            flags=lambda: throttled(lambda: f"throttled={self.flags:#x}"),
            degrees=lambda: temperature(self.file),
            free=lambda folder: self.free,
        )

    def lights(self, now: float, degrees: float = 50.0) -> dict[str, str]:
        self.file.write_text(f"{degrees * 1000:.0f}\n")
        return {one.name: one.light for one in self.gauges.sample(now)}


def test_a_light_does_not_flicker_at_its_limit(tmp_path: Path) -> None:
    machine, seen = Machine(tmp_path), []
    for now, degrees in enumerate((69.9, 70.1, 69.9, 70.1, 68.0, 66.9, 69.9)):
        machine.free = LITTLE_ROOM + (-1 if degrees > 70 else 1_000_000)
        lights = machine.lights(10.0 * now, degrees)
        seen.append((lights["heat"], lights["disk"]))
    assert [heat for heat, _ in seen] == ["green", *["amber"] * 4, "green", "green"]
    assert [disk for _, disk in seen] == ["green", *["amber"] * 6]


def test_a_voltage_that_fell_for_a_moment_is_told_for_a_minute_and_remembered(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert machine.lights(0.0)["power"] == "green"
    machine.flags = 0x1
    assert machine.lights(10.0)["power"] == "red"
    # The kernel's own flag says nothing of what was.
    machine.flags = 0x0
    assert machine.lights(10.0 + HOLD_S - 0.1)["power"] == "red"
    assert machine.lights(10.0 + HOLD_S)["power"] == "amber"
    assert machine.lights(9000.0)["power"] == "amber"


# ---- the camera


@pytest.mark.parametrize(
    ("state", "rate", "age", "before", "light"),
    [
        ("running", 2.0, 0.5, "green", "green"),
        ("running", None, None, "green", "green"),
        ("skipped", 2.0, 0.5, "green", "green"),
        ("running", SLOW_PICTURES_S, 1.0, "green", "green"),
        ("running", SLOW_PICTURES_S - 0.01, 1.0, "green", "amber"),
        ("running", ENOUGH_PICTURES_S - 0.01, 1.0, "amber", "amber"),
        ("running", ENOUGH_PICTURES_S, 1.0, "amber", "green"),
        ("running", 2.0, LATE_S - 0.1, "green", "green"),
        ("running", 2.0, LATE_S, "green", "amber"),
        ("restarting", 2.0, 0.5, "green", "amber"),
        ("stuck", None, None, "green", "amber"),
        ("ended", 0.0, 900.0, "green", "green"),
    ],
)
def test_a_camera(state: str, rate: float | None, age: float | None, before: Light, light: str) -> None:
    found = camera(state, rate=rate, age=age, before=before)
    assert found.light == light
    assert bool(found.advice) == (light != "green")


def eyes(count: int, at: float | None, state: CameraState = CameraState.RUNNING) -> Any:
    return SimpleNamespace(pictures=(count, at), status=CameraStatus(state, "The camera is running.", 0.0))


def test_pictures_are_counted_every_five_seconds_over_fifteen() -> None:
    pictures, one = Pictures(), eyes(0, None)
    rates: list[float | None] = []
    for second in range(31):
        # Two a second, and none after the tenth.
        one.pictures = (min(2 * second, 20), float(min(second, 10)))
        pictures.turn(float(second), one)
        rates.append(pictures.rate)
    assert rates[0] is None
    assert rates[4] is None
    assert rates[5] == rates[10] == 2.0
    assert rates[11:16] == [2.0, 2.0, 2.0, 2.0, pytest.approx(20 / 15)]
    assert rates[25] == 0.0
    assert pictures.reading is not None
    assert pictures.reading.light == "amber"
    assert pictures.reading.values == {"state": "running", "pictures_s": 0.0, "picture_age_s": 20.0}


def test_a_camera_that_changes_its_state_is_told_at_once_and_another_one_is_counted_anew() -> None:
    pictures, one = Pictures(), eyes(0, None)
    pictures.turn(0.0, one)
    pictures.turn(PICTURES_S, one)
    one.status = CameraStatus(CameraState.RESTARTING, "It has died.", 0.0)
    pictures.turn(PICTURES_S + 0.1, one)
    assert pictures.reading is not None
    assert (pictures.reading.light, pictures.rate) == ("amber", 0.0)
    pictures.turn(PICTURES_S + 0.2, eyes(700, 5.0))
    assert (pictures.reading.light, pictures.rate) == ("green", None)
    pictures.turn(PICTURES_S + 0.3, None)
    assert pictures.reading is None
    starting = SimpleNamespace(pictures=(0, None), status=None)
    pictures.turn(PICTURES_S + 0.4, starting)
    assert pictures.reading is not None
    assert pictures.reading.values == {"state": "starting"}


# ---- the kiosk


@pytest.mark.parametrize(("of", "limit"), [(start, SLOW_START_S), (memory, MUCH_MB)], ids=["start", "memory"])
def test_start_and_memory(of: Callable[[float], Reading], limit: float) -> None:
    assert (of(limit).light, of(limit).advice) == ("green", "")
    assert of(limit + 1).light == "amber"
    assert of(limit + 1).advice


def test_memory_is_that_of_this_process(tmp_path: Path) -> None:
    assert 1 < memory_mb() < 100_000
    (tmp_path / "status").write_text("Name:\tx\nVmRSS:\t  204800 kB\n")
    assert memory_mb(tmp_path / "status") == 200.0
    assert memory_mb(tmp_path / "none") == 0.0


def pulse_of(folder: Path, pulse: Pulse, age: float = 0.0) -> dict[str, Reading]:
    place = folder / "pulse.json"
    write_pulse(place, pulse)
    os.utime(place, (time.time() - age,) * 2)
    return {one.name: one for one in kiosk(place)}


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
    found = pulse_of(tmp_path, well)
    assert {name: one.light for name, one in found.items()} == dict.fromkeys(
        ("kiosk", "start", "memory", "camera"), "green"
    )
    assert found["kiosk"].text == "0.1.0 runs for 10 min"
    assert found["start"].text == "first page after 4.2 s"
    assert found["memory"].text == "180 MB"
    assert "2.0 pictures a second. The newest is 7 s old" in found["camera"].text


@pytest.mark.parametrize(
    ("change", "age", "name", "light"),
    [
        ({"trouble": "The folder of games cannot be used"}, 0, "kiosk", "red"),
        ({"stuck": "table: no answer for 21 s"}, 0, "kiosk", "red"),
        ({}, 40, "kiosk", "red"),
        ({"memory_mb": 900.0}, 0, "memory", "amber"),
        ({"started_s": 55.0}, 0, "start", "amber"),
        ({"camera": "restarting", "camera_text": "It has died."}, 0, "camera", "amber"),
        ({"camera": "running", "picture_age_s": 40.0}, 0, "camera", "amber"),
        ({}, 0, "kiosk", "green"),
    ],
)
def test_what_is_wrong_with_the_kiosk(
    change: dict[str, float | str], age: float, name: str, light: str, tmp_path: Path
) -> None:
    found = pulse_of(tmp_path, msgspec.convert({"version": "1", **change}, Pulse), age)[name]
    assert found.light == light
    assert bool(found.advice) == (light != "green")


def test_a_damaged_state_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "pulse.json").write_bytes(b"{")
    assert [one.light for one in kiosk(tmp_path / "pulse.json")] == ["amber"]
