"""A stand-in for picamera2 with the part of its interface that we use, and its faults on demand.

Formats, shapes, padding and the names and moments of failures follow picamera2 0.3.38. Put it into
`sys.modules` as "picamera2" with `installed`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace, TracebackType
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


@dataclass
class Hardware:
    """The camera behind the stand-in: what it sees, and what goes wrong with it.

    `scene` is what the camera looks at (rows x columns x 3, blue first). `form` is the format that comes
    when YUV420 is asked for. Allocation fails from the `leaks_after`th configuration on, when more than
    `spare` buffers are asked for.
    """

    scene: Bytes
    form: str = "YUV420"
    padding: int = 0
    blurred: int = 0
    lens_steps: int = 0
    autofocus: bool = True
    focus_found: bool = True
    true_lens: float = 1.25
    lores: str = "small"
    """Asked for a second stream it gives "small", or "large" whatever was asked, or "none": it refuses."""
    busy: int = 0
    forbidden: bool = False
    heap_forbidden: bool = False
    cameras: int = 1
    leaks_after: int | None = None
    spare: int = 0
    hangs_at: int | None = None
    thread_dies_at: int | None = None
    fails_at: int | None = None
    exposure: int = 25_000
    crop: tuple[int, int, int, int] = (0, 0, 4608, 2592)

    configured: list[int] = field(default_factory=list)
    """How many buffers each configuration asked for."""
    frames: int = 0
    jobs: int = 0
    open: int = 0
    controls: dict[str, Any] = field(default_factory=dict)
    since_focus: int = 0

    def picture(self, width: int, height: int) -> Bytes:
        """What the camera sees now, blue first."""
        picture = cv2.resize(self.scene, (width, height), interpolation=cv2.INTER_AREA)
        if self.frames <= self.blurred:
            picture = cv2.GaussianBlur(picture, (0, 0), width / 60)
        return np.asarray(picture, np.uint8)


class _Thread:
    alive = True

    def is_alive(self) -> bool:
        return self.alive


class _Job:
    def __init__(self, camera: Picamera2) -> None:
        self._camera = camera
        self._hardware = camera.hardware

    def get_result(self, timeout: float | None = None) -> _Request:
        assert timeout is not None, "this would wait for ever"
        hardware = self._hardware
        coming = hardware.frames + 1
        if hardware.thread_dies_at is not None and coming >= hardware.thread_dies_at:
            self._camera._preview.thread.alive = False
        if not self._camera._preview.thread.alive or (
            hardware.hangs_at is not None and coming >= hardware.hangs_at
        ):
            time.sleep(timeout)
            raise TimeoutError
        hardware.frames = coming
        hardware.since_focus += 1
        if coming == hardware.fails_at:
            raise RuntimeError("failed to lock-sync-write dma buf")
        return _Request(self._camera)


class _Request:
    def __init__(self, camera: Picamera2) -> None:
        self.camera = camera
        self.released = False
        hardware = camera.hardware
        steps = max(hardware.lens_steps, 1)
        wanted = float(hardware.controls.get("LensPosition", 0.0))
        self._metadata: dict[str, Any] = {
            "SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 50_000_000,
            "ScalerCrop": hardware.crop,
            "ExposureTime": hardware.controls.get("ExposureTime", hardware.exposure) - 3,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.7),
        }
        if hardware.autofocus:
            scanning = hardware.controls.get("AfMode") == 1
            self._metadata["LensPosition"] = (
                hardware.true_lens
                if scanning
                else float(np.float32(wanted * min(hardware.since_focus / steps, 1.0)))
            )
            found = 2 if hardware.focus_found else 3
            self._metadata["AfState"] = (found if hardware.since_focus > 4 else 1) if scanning else 0

    def get_metadata(self) -> dict[str, Any]:
        return self._metadata

    def release(self) -> None:
        assert not self.released, "released twice"
        self.released = True


class MappedArray:
    """A stream's buffer, with the shape that picamera2 gives it; gone when it is closed."""

    def __init__(self, request: _Request, stream: str, reshape: bool = True, write: bool = True) -> None:
        assert not request.released
        config = request.camera.camera_configuration()[stream]
        width, height = config["size"]
        picture = request.camera.hardware.picture(width, height)
        self.array: Bytes | None = in_memory(picture, config["format"], config["stride"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.array is not None
        # Whoever kept a view of the buffer instead of a copy sees this.
        if self.array.flags.writeable:
            self.array[:] = 77
        self.array = None


def in_memory(picture: Bytes, form: str, stride: int) -> Bytes:
    """A picture (blue first) as picamera2 shows a buffer of that format; padding is 255."""
    height, width = picture.shape[:2]
    if form in ("RGB888", "BGR888", "XRGB8888", "XBGR8888"):
        values = 4 if form.startswith("X") else 3
        buffer = np.full((height, stride, values), 255, np.uint8)
        buffer[:, :width, :3] = picture[..., ::-1] if form in ("BGR888", "XBGR8888") else picture
        return buffer[:, :width]
    yuv = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8)
    buffer = np.full((height * 3 // 2, stride), 255, np.uint8)
    buffer[:height, :width] = yuv[:height]
    small = yuv[height:].reshape(2, height // 2, width // 2)
    if form == "NV12":
        buffer[height:, :width:2], buffer[height:, 1:width:2] = small
        return buffer[:, :width]
    halves = buffer[height:].reshape(2, height // 2, stride // 2)
    halves[:, :, : width // 2] = small
    return buffer


class Picamera2:
    """The camera. `hardware` is set by `installed`."""

    hardware: Hardware
    still_configuration = SimpleNamespace(colour_space="sYCC")
    _cm = SimpleNamespace(thread=_Thread())

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        seen = 0 if cls.hardware.forbidden else cls.hardware.cameras
        return [{"Model": "imx708", "Num": number} for number in range(seen)]

    def __init__(self, camera_num: int = 0) -> None:
        if self.hardware.busy > 0:
            self.hardware.busy -= 1
            inner = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from inner
        if self.hardware.heap_forbidden:
            raise PermissionError(13, "Permission denied", "/dev/dma_heap/vidbuf_cached")
        self.hardware.open += 1
        self.is_open = True
        self._preview = SimpleNamespace(thread=_Thread())
        self._config: dict[str, Any] = {}
        self._started = False

    @property
    def camera_properties(self) -> dict[str, Any]:
        return {"Model": "imx708"}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        controls: dict[str, tuple[Any, Any, Any]] = {
            "AeEnable": (False, True, None),
            "AwbEnable": (False, True, None),
            "ExposureTime": (1, 1_000_000, None),
            "AnalogueGain": (1.0, 16.0, None),
            "ColourGains": (0.0, 32.0, None),
        }
        if self.hardware.autofocus:
            controls |= {"AfMode": (0, 2, 0), "AfTrigger": (0, 1, 0), "LensPosition": (0.0, 32.0, 1.0)}
        return controls

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, config: dict[str, Any]) -> None:
        assert not self._started
        assert config["colour_space"] == "sYCC"
        hardware = self.hardware
        if config["lores"] is not None and hardware.lores == "none":
            raise IndexError("vector::_M_range_check")
        hardware.configured.append(config["buffer_count"])
        if (
            hardware.leaks_after is not None
            and hardware.open >= hardware.leaks_after
            and config["buffer_count"] > hardware.spare
        ):
            raise RuntimeError("failed to allocate capture buffers for stream 0")
        self._config = dict(config)
        for name in ("main", "lores"):
            if config[name] is not None:
                width, _ = config[name]["size"]
                self._config[name] = config[name] | {
                    "format": hardware.form,
                    "stride": width + hardware.padding,
                }
        if config["lores"] is not None and hardware.lores == "large":
            self._config["lores"] = dict(self._config["main"])

    def camera_configuration(self) -> dict[str, Any]:
        return self._config

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        if "LensPosition" in controls or controls.get("AfMode") == 1:
            self.hardware.since_focus = 0
        self.hardware.controls |= controls

    def start(self) -> None:
        self._started = True

    def capture_request(self, wait: bool | float | None = None, flush: object = None) -> _Job:
        assert wait is False, "this would wait for ever"
        self.hardware.jobs += 1
        return _Job(self)

    def close(self) -> None:
        if not self.is_open:
            return
        assert self._preview.thread.alive, "this would wait for ever"
        self.is_open = self._started = False


def installed(hardware: Hardware) -> ModuleType:
    """The stand-in as a module, looking at that hardware."""
    module = ModuleType("picamera2")
    kind = type("Picamera2", (Picamera2,), {"hardware": hardware})
    module.__dict__.update(Picamera2=kind, MappedArray=MappedArray)
    return module
