"""`stationmaster doctor`: what is wrong with a machine, and the fix."""

from __future__ import annotations

import errno
import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.ui.conftest import Call
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from ui.commands import doctor
from vision.cameras.files import load_picture
from vision.layout_file import to_layout_json
from vision.simulator import SimulatedTable


def test_a_sound_machine(call: Call, home: Path) -> None:
    said = call("doctor", "--json")
    checks = {check["name"]: check for check in said.json["checks"]}
    assert {"python", "packages", "libzbar", "fonts", "games", "disk", "sqlite", "clock"} <= set(checks)
    assert {"libGL.so.1", "libEGL.so.1", "libGLESv2.so.2", "libmtdev.so.1"} <= set(checks)
    assert checks["kivy"]["light"] == "green"
    assert "draws with OpenGL" in checks["kivy"]["text"]
    assert said.code == (1 if said.json["light"] == "red" else 0)
    assert checks["python"]["light"] == checks["packages"]["light"] == checks["fonts"]["light"] == "green"
    assert checks["disk"]["values"]["free_mb"] > 0
    # Looking changes nothing.
    assert not home.exists()
    assert "games" in call("doctor").out


def test_every_finding_that_is_not_green_has_a_fix() -> None:
    found = [
        doctor.python((3, 10), "CPython", True),
        doctor.python((3, 12), "PyPy", True),
        doctor.python((3, 12), "CPython", False),
        doctor.libzbar(False),
        doctor.library("libmtdev.so.1", "libmtdev1", "touches come by it", "amber", False),
        doctor.drawing(1, "", "Traceback\nImportError: libGL.so.1\n"),
        doctor.drawing(-6, "", ""),
        doctor.clock(datetime(1970, 1, 1, tzinfo=UTC), True),
        doctor.clock(datetime(2120, 1, 1, tzinfo=UTC), True),
        doctor.clock(datetime(2027, 1, 1, tzinfo=UTC), False),
    ]
    assert [one.light for one in found] == [
        *["red", "red", "red", "amber", "amber"],
        *["red", "red", "red", "red", "amber"],
    ]
    assert "ImportError: libGL.so.1" in found[5].text
    assert "code -6" in found[6].text
    assert all(one.advice for one in found)
    assert doctor.python((3, 13), "CPython", True).light == "green"
    assert doctor.clock(datetime(2027, 1, 1, tzinfo=UTC), True).light == "green"


@pytest.mark.parametrize(
    ("version", "struck"),
    [("3.6.23", False), ("3.7.0", True), ("3.40.1", True), ("3.51.2", True), ("3.51.3", False)],
)
def test_sqlite_tells_of_the_bug_that_needs_two_writers(version: str, struck: bool) -> None:
    found = doctor.sqlite(version)
    assert found.light == "green"
    assert ("WAL-reset" in found.text) is struck


def test_a_window_that_never_opens_does_not_hold_up_the_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_DRAWS", "import time; time.sleep(60)")
    monkeypatch.setattr(doctor, "DRAWING_S", 0.2)
    found = doctor._drawing()
    assert (found.light, "no answer" in found.text) == ("red", True)


def test_a_folder_that_cannot_hold_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    (tmp_path / "file").write_text("x")
    found = doctor.games_folder(tmp_path / "file")
    assert (found.light, "no folder" in found.text) == ("red", True)
    assert doctor.games_folder(tmp_path / "file" / "below").light == "red"
    assert doctor.games_folder(tmp_path / "new" / "deep").light == "green"

    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", refuse)
        said = call("doctor", "--games-dir", tmp_path)
    assert said.code == 1
    assert "Read-only file system" in said.out


def test_a_spoilt_configuration_is_told(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('name = "Four"\n')
    assert doctor.configuration(file).light == "green"
    file.write_text('nam = "Four"\nbox = 1\n')
    found = doctor.configuration(file)
    assert (found.light, "has faults (2)" in found.text) == ("amber", True)


def test_who_may_not_write_the_kiosks_games_is_not_told_to_change_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr(Path, "owner", lambda path: "kiosk")
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    found = doctor.games_folder(tmp_path)
    assert found.light == "red"
    assert found.advice == "It belongs to kiosk. Call: sudo -u kiosk stationmaster doctor"


def test_a_camera_and_its_picture(call: Call, tmp_path: Path) -> None:
    mat = small_mat()
    table = SimulatedTable(mat, LOW, 1, drawn())
    table.lay(full_scene(mat))
    image, layout = tmp_path / "table.png", tmp_path / "mat.json"
    assert cv2.imwrite(str(image), table.picture())
    layout.write_bytes(to_layout_json(mat))
    kept = tmp_path / "kept" / "board.png"
    said = call("doctor", "--camera", f"image:{image}", "--save", kept)
    assert "1536 x 864 pixels" in said.out
    assert (load_picture(kept) == load_picture(image)).all()
    assert "--game or --mat" in said.out
    answer = call("doctor", "--camera", f"image:{image}", "--mat", layout, "--json").json
    assert answer["readiness"]["light"] != "red"
    assert cv2.imwrite(str(image), np.zeros((200, 300), np.uint8))
    said = call("doctor", "--camera", f"image:{image}", "--mat", layout)
    assert said.code == 1
    assert "STOP" in said.out


def test_a_camera_that_is_not_there(call: Call, tmp_path: Path) -> None:
    said = call("doctor", "--camera", "periscope:left")
    assert said.code == 1
    assert "periscope" in said.out
    assert call("doctor", "--game", "pebbles").code == 2
    assert "--save belongs to --camera" in call("doctor", "--save", "x.png").err
    assert "has to end in .png" in call("doctor", "--camera", "image:x", "--save", "x.jpg").err
    assert call("doctor", "--camera", "image:x", "--mat", tmp_path / "none.json").code == 2


def test_a_camera_that_never_answers_does_not_hold_up_the_doctor() -> None:
    let_go = threading.Event()
    began = time.monotonic()
    assert not doctor.within(0.05, let_go.wait)
    assert time.monotonic() - began < 5
    let_go.set()
    assert doctor.within(5, lambda: None)
