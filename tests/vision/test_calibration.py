"""A calibration belongs to one way in which the camera stood, and survives a power cut."""

import os
from pathlib import Path

import msgspec
import pytest

from vision.calibration import Calibration, load, mismatch, save
from vision.cameras import CameraFacts
from vision.geometry import Lens
from vision.kept import write_safely

FULL = CameraFacts("imx708", 2304, 1296, (2304, 1296), (0, 0, 4608, 2592), 1.11)
CALIBRATION = Calibration(FULL, Lens.camera_module_3(2304, 1296), "tokyo", "by the window")


def test_the_camera_it_was_made_with_fits() -> None:
    assert mismatch(CALIBRATION, FULL) == []
    # Drivers round a crop to even numbers, and a lens position comes back as a 32-bit number.
    rounded = msgspec.structs.replace(FULL, crop=(2, 0, 4606, 2592), lens=1.1100000143)
    assert mismatch(CALIBRATION, rounded) == []


def test_c04_another_size_and_crop_are_named_one_by_one() -> None:
    cropped = CameraFacts("imx708", 1920, 1080, (1920, 1080), (230, 130, 4148, 2332), 1.11)
    found = mismatch(CALIBRATION, cropped)
    assert len(found) == 3
    assert "1920 x 1080 pixels; the calibration is for 2304 x 1296" in found[0]
    assert "The sensor runs at 1920 x 1080" in found[1]
    assert "4148 x 2332 sensor pixels from (230, 130)" in found[2]
    assert all("Calibrate again" in sentence for sentence in found)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model": "imx477"}, "The camera is imx477; the calibration is for imx708"),
        ({"lens": 1.3}, "The lens stands at 1.30 dioptres; the calibration is for 1.11 dioptres"),
        ({"lens": None}, "a position it does not name"),
        ({"crop": None}, "a part of the sensor that it does not name"),
        ({"sensor": None}, "a mode it does not name"),
    ],
)
def test_every_difference_counts(changed: dict[str, object], said: str) -> None:
    (sentence,) = mismatch(CALIBRATION, msgspec.structs.replace(FULL, **changed))
    assert said in sentence


def test_a_calibration_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    assert load(path).content is None
    assert load(path).notices == ()
    save(CALIBRATION, path)
    assert load(path).content == CALIBRATION
    assert load(path).notices == ()
    assert "lens = 1.11" in path.read_text()
    assert [p.name for p in tmp_path.iterdir()] == ["camera.toml"]
    # A person may change it.
    path.write_text(path.read_text().replace("by the window", "by the door"))
    changed = load(path).content
    assert changed is not None
    assert changed.note == "by the door"


def test_cut_off_anywhere_the_one_before_is_used_and_the_damaged_one_kept(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    newer = msgspec.structs.replace(CALIBRATION, note="after the move")
    save(CALIBRATION, path)
    save(newer, path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        found = load(path)
        assert found.content == CALIBRATION
        assert "is damaged" in found.notices[0]
        assert "The one before it is used." in found.notices
        (aside,) = tmp_path.glob("*.damaged-*")
        assert aside.read_bytes() == whole[:length]
        aside.unlink()
        # It has been put right; the next start finds nothing to complain of.
        assert load(path).notices == ()


def test_a_damaged_one_never_becomes_the_last_good_one(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    save(CALIBRATION, path)
    save(CALIBRATION, path)
    path.write_text("rubbish")
    save(msgspec.structs.replace(CALIBRATION, note="new"), path)
    path.write_text("rubbish")
    assert load(path).content == CALIBRATION


def test_without_an_earlier_one_it_has_to_be_made_again(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    for number in (1, 2):
        path.write_bytes(b"\xff\xfe\0# end\n")
        found = load(path)
        assert found.content is None
        assert found.notices[1:] == (
            f"It was kept as camera.toml.damaged-{number}.",
            "There is no earlier one: calibrate again.",
        )
    save(CALIBRATION, path)
    save(CALIBRATION, path)
    path.unlink()
    assert load(path).content == CALIBRATION
    assert "is missing" in load(path).notices[0]


@pytest.mark.parametrize("old", ["version = 1", 'mat = "tokyo"'])
def test_what_this_program_does_not_know_is_said(tmp_path: Path, old: str) -> None:
    path = tmp_path / "camera.toml"
    save(CALIBRATION, path)
    path.write_text(path.read_text().replace(old, "version = 9" if "version" in old else "colour = 1"))
    found = load(path)
    assert found.content is None
    assert "version 9" in found.notices[0] or "colour" in found.notices[0]


def test_power_may_fail_before_the_new_file_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "camera.toml"
    write_safely(path, b"old")
    steps: list[str] = []
    fsync = os.fsync

    def full(descriptor: int) -> None:
        fsync(descriptor)
        steps.append("synced" if path.read_bytes() == b"old" else "folder synced")
        if len(steps) == 1:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_safely(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["camera.toml"]
    write_safely(path, b"new")
    assert path.read_bytes() == b"new"
    assert steps == ["synced", "synced", "folder synced"]
