"""The Pi's camera on a stand-in for picamera2: what real people's cameras did, and what has to follow."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.fake_picamera2 import Hardware, in_memory, installed
from vision.calibration import Calibration, mismatch
from vision.cameras import (
    CameraBusy,
    CameraError,
    CameraForbidden,
    CameraGone,
    CameraNoMemory,
    CameraTimeout,
    open_camera,
    open_patiently,
)
from vision.cameras.formats import ColourOrder, brightness, colour_order, colours
from vision.cameras.picamera import PicameraCamera, Settings
from vision.geometry import Lens

SIZE = (384, 216)
SETTINGS = Settings(size=SIZE, low=(96, 54), settle_s=2.0)


def scene() -> NDArray[np.uint8]:
    """A red and a blue cube on a table with fine print (blue first)."""
    picture = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    picture[::4, ::2] = 230
    picture[40:120, 40:120] = (20, 20, 200)
    picture[40:120, 240:320] = (200, 20, 20)
    return picture


RED, BLUE = (80, 80), (280, 80)


@pytest.fixture
def hardware(monkeypatch: pytest.MonkeyPatch) -> Hardware:
    made = Hardware(scene())
    monkeypatch.setitem(sys.modules, "picamera2", installed(made))
    return made


def test_frames_and_what_decides_their_geometry(hardware: Hardware) -> None:
    hardware.padding = 64
    with PicameraCamera(SETTINGS) as camera:
        first, second = camera.frame(), camera.frame()
        facts = camera.facts()
    assert first.y.shape == (216, 384)
    assert first.low is not None
    assert first.low.shape == (54, 96)
    true = cv2.cvtColor(scene(), cv2.COLOR_BGR2YUV_I420)[:216]
    assert np.array_equal(first.y, true)
    assert (first.generation, second.generation) == (1, 2)
    # The time is that of the exposure, 50 ms before the picture was handed over.
    assert 0.04 < time.monotonic() - second.at < 1.0
    assert facts is not None
    assert (facts.model, facts.width, facts.height) == ("imx708", 384, 216)
    assert facts.sensor == (4608, 2592)
    assert facts.crop == (0, 0, 4608, 2592)
    assert facts.lens == 1.11


@pytest.mark.parametrize("form", ["YUV420", "NV12", "RGB888", "BGR888", "XRGB8888", "XBGR8888"])
@pytest.mark.parametrize("padding", [0, 64])
def test_c01_no_format_swaps_colours_or_is_cut_wrongly(form: str, padding: int) -> None:
    buffer = in_memory(scene(), form, SIZE[0] + padding)
    # Padding is cut off here when picamera2 has not done it.
    picture = colours(buffer, form, *SIZE)
    assert picture.shape == (216, 384, 3)
    assert picture.flags.c_contiguous
    assert colour_order(picture, RED, BLUE) is ColourOrder.RIGHT
    assert colour_order(picture[..., ::-1], RED, BLUE) is ColourOrder.SWAPPED
    assert colour_order(picture, RED, RED) is ColourOrder.UNCLEAR
    y = brightness(buffer, form, *SIZE)
    assert y.shape == (216, 384)
    # Red is brighter than blue to the eye; swapped colours would turn this round.
    assert int(y[RED[1], RED[0]]) > int(y[BLUE[1], BLUE[0]]) + 20
    buffer[:] = 0
    assert y.any()
    assert picture.any()


@pytest.mark.parametrize(
    ("form", "shape"),
    [("RGB888", (216, 384, 4)), ("XRGB8888", (216, 384, 3)), ("YUV420", (216, 384)), ("NV12", (324, 300))],
)
def test_c01_a_buffer_of_another_shape_is_refused(form: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(CameraError, match=form):
        brightness(np.zeros(shape, np.uint8), form, *SIZE)


def test_c01_an_unknown_format_is_named() -> None:
    with pytest.raises(CameraError, match="MJPEG"):
        brightness(np.zeros((216, 384), np.uint8), "MJPEG", *SIZE)


def test_c01_the_configured_format_counts_not_the_one_asked_for(hardware: Hardware) -> None:
    hardware.form = "NV12"
    with PicameraCamera(SETTINGS) as camera:
        assert colour_order(camera.colour(), RED, BLUE) is ColourOrder.RIGHT


@pytest.mark.parametrize(("blurred", "steps"), [(15, 1), (0, 9), (15, 12)])
def test_c03_the_first_picture_is_sharp(hardware: Hardware, blurred: int, steps: int) -> None:
    hardware.blurred, hardware.lens_steps = blurred, steps
    with PicameraCamera(SETTINGS) as camera:
        first = camera.frame()
    sharp = cv2.cvtColor(scene(), cv2.COLOR_BGR2YUV_I420)[:216]
    assert np.array_equal(first.y, sharp)
    assert hardware.frames > max(blurred, steps)


def test_c03_a_lens_that_never_arrives_is_said(hardware: Hardware) -> None:
    hardware.lens_steps = 10**9
    with pytest.raises(CameraError, match="lens did not come to rest"):
        PicameraCamera(msgspec.structs.replace(SETTINGS, settle_s=0.05))


def test_focus_light_and_colour_are_locked(hardware: Hardware) -> None:
    PicameraCamera(SETTINGS).close()
    controls = hardware.controls
    assert controls["AfMode"] == 0
    assert controls["LensPosition"] == 1.11
    assert (controls["AeEnable"], controls["AwbEnable"]) == (False, False)
    assert controls["ExposureTime"] == 10_000
    assert controls["AnalogueGain"] == pytest.approx(2.0 * 24_997 / 10_000)
    assert controls["ColourGains"] == (1.5, 1.7)


@pytest.mark.parametrize(("found", "lens"), [(True, 1.25), (False, 1.11)])
def test_it_can_focus_by_itself_once(hardware: Hardware, found: bool, lens: float) -> None:
    hardware.focus_found = found
    with PicameraCamera(msgspec.structs.replace(SETTINGS, lens=None)) as camera:
        camera.frame()
        facts = camera.facts()
    assert facts is not None
    assert facts.lens == lens
    assert hardware.controls["AfMode"] == 0


@pytest.mark.parametrize("second", ["none", "large"])
def test_a_camera_without_focus_and_without_a_small_plane(hardware: Hardware, second: str) -> None:
    hardware.autofocus, hardware.lores = False, second
    with PicameraCamera(SETTINGS) as camera:
        frame, facts = camera.frame(), camera.facts()
    assert frame.low is None
    assert facts is not None
    assert facts.lens is None


def test_c04_another_crop_does_not_fit_the_calibration(hardware: Hardware) -> None:
    with PicameraCamera(SETTINGS) as camera:
        camera.frame()
        facts = camera.facts()
        assert facts is not None
        calibration = Calibration(facts, Lens.camera_module_3(*SIZE))
        assert mismatch(calibration, facts) == []
        hardware.crop = (230, 130, 4148, 2332)
        camera.frame()
        now = camera.facts()
    assert now is not None
    (sentence,) = mismatch(calibration, now)
    assert "4148 x 2332" in sentence
    assert "Calibrate again" in sentence


def test_c06_a_capture_that_never_returns(hardware: Hardware) -> None:
    with PicameraCamera(SETTINGS) as camera:
        hardware.hangs_at = hardware.frames + 3
        jobs = hardware.jobs
        for _ in range(2):
            camera.frame(0.2)
        for _ in range(3):
            began = time.monotonic()
            with pytest.raises(CameraTimeout, match=r"0\.15 s"):
                camera.frame(0.15)
            assert 0.1 < time.monotonic() - began < 1.0
        # The late picture is not ordered a second time.
        assert hardware.jobs - jobs == 3
        hardware.hangs_at = None
        assert camera.frame(0.2).generation == 3


def test_c06_a_thread_of_picamera2_that_died(hardware: Hardware) -> None:
    camera = PicameraCamera(SETTINGS)
    hardware.thread_dies_at = hardware.frames + 2
    camera.frame(0.2)
    began = time.monotonic()
    with pytest.raises(CameraGone, match="thread that hands out pictures has died"):
        camera.frame(30.0)
    assert time.monotonic() - began < 1.0
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.frame()


def test_an_error_inside_a_capture_is_no_mystery(hardware: Hardware) -> None:
    with PicameraCamera(SETTINGS) as camera:
        hardware.fails_at = hardware.frames + 1
        with pytest.raises(CameraGone, match="failed to lock-sync-write dma buf"):
            camera.frame(0.2)


def test_c07_busy_three_times_then_open(hardware: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    hardware.busy = 3
    pauses: list[float] = []
    heard: list[CameraBusy] = []
    camera = open_patiently(f"picamera:0,size={SIZE[0]}x{SIZE[1]}", sleep=pauses.append, told=heard.append)
    assert camera.frame(0.2).y.shape == (216, 384)
    assert pauses == [0.25, 0.5, 1.0]
    assert len(heard) == 3
    camera.close()
    hardware.busy = 100
    with pytest.raises(CameraBusy, match="another program has the camera"):
        open_patiently("picamera", sleep=pauses.append)
    assert sum(pauses[3:]) <= 20
    assert max(pauses) == 4.0


@pytest.mark.parametrize("heap", [False, True])
def test_c07_forbidden_names_the_device_and_the_group(
    hardware: Hardware, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heap: bool
) -> None:
    hardware.forbidden, hardware.heap_forbidden = not heap, heap
    device = tmp_path / ("dma_heap/linux,cma" if heap else "media0")
    device.parent.mkdir(exist_ok=True)
    device.touch(0o660)
    # The tests may run as root, to whom nothing is closed.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr("vision.cameras.picamera._group", lambda number: "video")
    with pytest.raises(CameraForbidden) as refused:
        PicameraCamera(SETTINGS, tmp_path)
    assert str(device) in str(refused.value)
    assert "'video'" in str(refused.value)
    assert "sudo usermod -aG video" in str(refused.value)


def test_c07_forbidden_is_not_tried_again(hardware: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    hardware.heap_forbidden = True
    pauses: list[float] = []
    with pytest.raises(CameraForbidden, match="usermod"):
        open_patiently("picamera:0", sleep=pauses.append)
    assert pauses == []


def test_c08_fifty_cycles_and_one_configuration_each(hardware: Hardware) -> None:
    for cycle in range(50):
        with PicameraCamera(msgspec.structs.replace(SETTINGS, settling_frames=2)) as camera:
            for _ in range(3):
                camera.frame(0.2)
        assert hardware.configured == [3] * (cycle + 1)


def test_c08_fewer_buffers_are_tried_and_then_a_new_process(hardware: Hardware) -> None:
    settings = msgspec.structs.replace(SETTINGS, settling_frames=2)
    hardware.leaks_after, hardware.spare = 8, 1
    for _ in range(7):
        PicameraCamera(settings).close()
    with PicameraCamera(settings) as camera:
        assert camera.frame(0.2).generation == 1
    assert hardware.configured == [3] * 7 + [3, 2, 1]
    hardware.spare = 0
    with pytest.raises(CameraNoMemory, match="no memory left"):
        PicameraCamera(settings)


def test_without_picamera2_and_without_a_camera(hardware: Hardware, monkeypatch: pytest.MonkeyPatch) -> None:
    hardware.cameras = 0
    with pytest.raises(CameraError, match="there is no camera 0; push its cable in"):
        open_camera("picamera:0")
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        open_camera("picamera")


def test_a_size_that_the_camera_changes_is_refused(
    hardware: Hardware, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = sys.modules["picamera2"].Picamera2

    def smaller(self: Any) -> dict[str, Any]:
        return {"main": {"size": (320, 216), "format": "YUV420", "stride": 320}}

    monkeypatch.setattr(kind, "camera_configuration", smaller)
    with pytest.raises(CameraError, match="cannot be set to 384 x 216"):
        PicameraCamera(SETTINGS)


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", Settings()),
        ("1", Settings(number=1)),
        ("0,lens=auto", Settings(lens=None)),
        (",lens=1.5,size=2304x1296", Settings(lens=1.5, size=(2304, 1296))),
    ],
)
def test_settings_in_a_name(text: str, settings: Settings) -> None:
    assert Settings.of(text) == settings


@pytest.mark.parametrize("text", ["left", "0,lens=far", "0,zoom=2", "0,size=big"])
def test_settings_that_mean_nothing(text: str) -> None:
    with pytest.raises(CameraError, match="picamera:NUMBER"):
        Settings.of(text)
