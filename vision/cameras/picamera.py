"""The Raspberry Pi's camera, through picamera2.

It is configured once and never again. picamera2 waits for ever when one of its own threads dies, so
nothing here waits without a deadline, and both threads are watched. Known reports behind these rules:
raspberrypi/picamera2#800 (blurred first pictures), #887 (buffers run out), #1004 (capture never returns),
#1048 (in use after a crash). This has never run on a Raspberry Pi; docs/camera.md says what has been tried.
"""

from __future__ import annotations

import atexit
import errno
import grp
import os
import pwd
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec

from vision.cameras.base import (
    Camera,
    CameraBusy,
    CameraError,
    CameraFacts,
    CameraForbidden,
    CameraGone,
    CameraNoMemory,
    CameraTimeout,
    Frame,
    register,
)
from vision.cameras.formats import brightness, colours
from vision.optics import Image

SIZE = (4608, 2592)
LOW_SIZE = (1152, 648)
BUFFERS = (3, 2, 1)
"""How many buffers are tried, in this order. One still works, at a third of the rate."""
LENS_AT_90_CM = 1.11
"""Lens position in dioptres for a camera 0.9 m over the table."""
LONGEST_EXPOSURE_US = 10_000
"""A hand moves 1 mm in such a time."""
SETTLING_FRAMES = 20
"""Pictures thrown away after the lens was told where to go: reports name up to 15 blurred ones."""
ALIKE = 0.05
"""Two pictures are equally sharp when their sharpness differs by at most this share."""
SLICE_S = 0.1
"""How often a wait looks whether picamera2's threads are alive."""
NEVER_FOR_LONG_S = 10.0


class Settings(msgspec.Struct, frozen=True):
    """How to set the camera up. `lens` is in dioptres; None lets it focus by itself once.

    `settle_s` is the longest time for focus, and again for light and sharpness to settle.
    """

    number: int = 0
    size: tuple[int, int] = SIZE
    low: tuple[int, int] | None = LOW_SIZE
    lens: float | None = LENS_AT_90_CM
    settling_frames: int = SETTLING_FRAMES
    settle_s: float = 12.0

    @classmethod
    def of(cls, text: str) -> Settings:
        """Settings written as "[NUMBER][,lens=DIOPTRES|auto][,size=WxH]". Raises CameraError."""
        number, *rest = text.split(",")
        try:
            made = cls(number=int(number) if number else 0)
            for part in rest:
                key, _, value = part.partition("=")
                if key == "lens":
                    made = msgspec.structs.replace(made, lens=None if value == "auto" else float(value))
                elif key == "size":
                    width, height = (int(side) for side in value.split("x"))
                    made = msgspec.structs.replace(made, size=(width, height))
                else:
                    raise ValueError(key)
        except ValueError as error:
            raise CameraError(
                f"the camera picamera:{text} is not written as picamera:NUMBER,lens=1.11,size=4608x2592"
            ) from error
        return made


class PicameraCamera(Camera):
    """The Pi's camera with focus, exposure and white balance locked, brightness only.

    Opening sets it up and waits until its pictures are sharp. Raises CameraBusy, CameraForbidden,
    CameraNoMemory, CameraGone, or CameraError when there is none or picamera2 is missing.
    """

    live: bool = True

    def __init__(self, settings: Settings | None = None, devices: Path = Path("/dev")) -> None:
        self.settings = settings or Settings()
        self._count = 0
        self._pending: Any = None
        self._facts: CameraFacts | None = None
        self._mapped, self._camera = _opened(self.settings.number, devices)
        try:
            self._main, self._low = self._configured(devices)
            self._start()
            self._settle()
        except BaseException:
            self.close()
            raise

    # ---- pictures

    def frame(self, timeout_s: float = 2.0) -> Frame:
        """The next picture. Raises CameraTimeout, or CameraGone when picamera2 itself has stopped."""
        request = self._request(timeout_s)
        try:
            at, metadata = time.monotonic(), request.get_metadata()
            y = self._plane(request, "main", self._main)
            low = None if self._low is None else self._plane(request, "lores", self._low)
        finally:
            request.release()
        self._count += 1
        self._learn(metadata)
        return Frame(y, self._count, at - _age_s(metadata), f"picamera {self.settings.number}", low)

    def facts(self) -> CameraFacts | None:
        """Sensor mode, crop, size and lens position as the last picture had them."""
        return self._facts

    def colour(self, timeout_s: float = 2.0) -> Image:
        """The next picture in colour (rows x columns x 3, blue first)."""
        request = self._request(timeout_s)
        try:
            with self._mapped(request, "main", write=False) as mapped:
                return colours(mapped.array, self._main["format"], *self._main["size"])
        finally:
            request.release()

    def close(self) -> None:
        """Give the camera back. When picamera2 has stopped by itself, only the process' end does that."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        if _dead_threads(camera):
            # It would hand the work to a thread that is dead, and wait for it for ever.
            atexit.unregister(camera.close)
            camera.is_open = False
            return
        camera.close()

    def _plane(self, request: Any, stream: str, config: dict[str, Any]) -> Image:
        with self._mapped(request, stream, write=False) as mapped:
            return brightness(mapped.array, config["format"], *config["size"])

    def _request(self, timeout_s: float) -> Any:
        """The next completed request, which the caller releases."""
        if self._camera is None:
            raise CameraError("the camera was closed; open it again")
        # One that came too late is still on order; a second order would queue up behind it.
        job = self._pending or self._camera.capture_request(wait=False)
        self._pending = job
        until = time.monotonic() + timeout_s
        request = None
        while request is None:
            try:
                request = job.get_result(timeout=max(0.0, min(SLICE_S, until - time.monotonic())))
            except TimeoutError:
                dead = _dead_threads(self._camera)
                if dead:
                    raise CameraGone(
                        f"picamera2 has stopped by itself ({dead}); its own message is in the journal. The "
                        "camera has to be opened by a new process"
                    ) from None
                if time.monotonic() >= until:
                    raise CameraTimeout(
                        f"the camera gave no picture within {timeout_s:g} s; if it stays so, push its cable "
                        "in at both ends"
                    ) from None
            except Exception as error:
                self._pending = None
                raise CameraGone(f"the camera failed while it took a picture: {_said(error)}") from error
        self._pending = None
        return request

    def _learn(self, metadata: dict[str, Any]) -> None:
        """Keep what the picture's own data say about the geometry."""
        crop, lens = metadata.get("ScalerCrop"), metadata.get("LensPosition")
        sensor = (self._camera.camera_configuration().get("sensor") or {}).get("output_size")
        width, height = self._main["size"]
        self._facts = CameraFacts(
            model=str(self._camera.camera_properties.get("Model", "camera")),
            width=width,
            height=height,
            sensor=None if sensor is None else (int(sensor[0]), int(sensor[1])),
            crop=None if crop is None else (int(crop[0]), int(crop[1]), int(crop[2]), int(crop[3])),
            lens=None if lens is None else round(float(lens), 3),
        )

    # ---- setting up

    def _configured(self, devices: Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Configure with as many buffers as there is memory for: what the streams became."""
        last: Exception | None = None
        for buffers in BUFFERS:
            try:
                return self._configure(buffers)
            except Exception as error:
                if _about(error, (errno.EACCES, errno.EPERM), ("permission",)):
                    raise _forbidden(devices) from error
                if not _about(error, (errno.ENOMEM,), ("alloc", "memory", "dma-buf", "dma_heap", "dmaheap")):
                    raise CameraError(
                        f"the camera cannot be set to {self.settings.size[0]} x {self.settings.size[1]}: "
                        f"{_said(error)}"
                    ) from error
                last = error
        raise CameraNoMemory(
            "there is no memory left for even one picture of the camera; if it stays so after a restart, let "
            "the line dtoverlay=vc4-kms-v3d in /boot/firmware/config.txt end in ,cma-512"
        ) from last

    def _configure(self, buffers: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
        camera, settings = self._camera, self.settings
        streams: list[tuple[int, int] | None] = [settings.low, None] if settings.low else [None]
        for low in streams:
            config = camera.create_video_configuration(
                main={"size": settings.size, "format": "YUV420"},
                lores=None if low is None else {"size": low, "format": "YUV420"},
                raw=None,
                # Still pictures use all levels from 0 to 255; video ends at 235, where paper is not yet
                # known from glare.
                colour_space=camera.still_configuration.colour_space,
                buffer_count=buffers,
                queue=False,
                display=None,
                encode=None,
                sensor={"output_size": SIZE, "bit_depth": 10},
            )
            try:
                camera.configure(config)
            except (IndexError, RuntimeError) as error:
                if low is None or _about(error, (errno.ENOMEM,), ("alloc", "memory")):
                    raise
                continue
            # A camera that makes no small pictures may answer with a second large one.
            if low is None or tuple(camera.camera_configuration()["lores"]["size"]) == low:
                break
        now = camera.camera_configuration()
        if tuple(now["main"]["size"]) != tuple(settings.size):
            raise RuntimeError(f"it made {now['main']['size']} of it")
        return now["main"], now.get("lores")

    def _start(self) -> None:
        lens = LENS_AT_90_CM if self.settings.lens is None else self.settings.lens
        self._control({"AeEnable": True, "AwbEnable": True, "AfMode": 0, "LensPosition": lens})
        try:
            self._camera.start()
        except Exception as error:
            if _about(error, (errno.ENOMEM,), ("alloc", "memory")):
                raise CameraNoMemory(f"the camera cannot start: {_said(error)}") from error
            raise CameraGone(f"the camera cannot start: {_said(error)}") from error

    def _settle(self) -> None:
        """Focus, throw away what came before the lens stood still, then lock light and colour."""
        lens = self.settings.lens
        if "LensPosition" not in self._camera.camera_controls:
            lens = None
        elif lens is None:
            lens = self._focused()
            self._control({"AfMode": 0, "LensPosition": lens})
        last = self._until_sharp(lens)
        exposure, gain = last.get("ExposureTime"), last.get("AnalogueGain")
        locked: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        if exposure and gain:
            locked["ExposureTime"] = min(int(exposure), LONGEST_EXPOSURE_US)
            most = self._camera.camera_controls.get("AnalogueGain", (1.0, 16.0, None))[1]
            # What a shorter exposure takes away the gain gives back, as far as it goes.
            locked["AnalogueGain"] = min(float(gain) * exposure / locked["ExposureTime"], float(most))
        if last.get("ColourGains"):
            locked["ColourGains"] = tuple(last["ColourGains"])
        self._control(locked)
        self._until(lambda seen: _locked(seen, locked), "its light and colour do not stay as they were set")

    def _focused(self) -> float:
        """Let the camera focus by itself once: the lens position found, or that for 0.9 m."""
        self._control({"AfMode": 1, "AfTrigger": 0})
        focused, failed = 2, 3
        state: dict[str, Any] = {}

        def over(metadata: dict[str, Any]) -> bool:
            state.update(metadata)
            return metadata.get("AfState") in (focused, failed)

        self._until(over, "it does not find a focus")
        return float(state["LensPosition"]) if state.get("AfState") == focused else LENS_AT_90_CM

    def _until_sharp(self, lens: float | None) -> dict[str, Any]:
        """Throw pictures away until the lens is where it should be and sharpness stays. Its last metadata."""
        sharp: list[float] = []
        last: dict[str, Any] = {}
        until = time.monotonic() + self.settings.settle_s
        while True:
            metadata, picture = self._look()
            there = metadata.get("LensPosition")
            if lens is None or there is None or abs(float(there) - lens) < 0.05:
                sharp.append(_sharpness(picture))
                last = metadata
            else:
                sharp = []
            steady = len(sharp) > 3 and max(sharp[-3:]) - min(sharp[-3:]) <= ALIKE * max(sharp[-3:])
            if len(sharp) > self.settings.settling_frames and steady:
                return last
            if time.monotonic() > until:
                if len(sharp) > self.settings.settling_frames:
                    # Somebody moves under the camera. The lens has long been where it belongs.
                    return last
                raise CameraError(
                    f"the camera's lens did not come to rest within {self.settings.settle_s:g} s; switch the "
                    "camera off and on, and see that it is a Camera Module 3"
                )

    def _until(self, enough: Callable[[dict[str, Any]], bool], otherwise: str) -> None:
        """Throw pictures away until their data are as wanted. Raises CameraError after `settle_s`."""
        until = time.monotonic() + self.settings.settle_s
        while not enough(self._look()[0]):
            if time.monotonic() > until:
                raise CameraError(f"the camera cannot be set up: {otherwise}; switch it off and on")

    def _look(self) -> tuple[dict[str, Any], Image]:
        """The next picture's data and its small plane, or every fourth pixel of it."""
        request = self._request(NEVER_FOR_LONG_S)
        try:
            metadata = dict(request.get_metadata())
            if self._low is not None:
                return metadata, self._plane(request, "lores", self._low)
            return metadata, self._plane(request, "main", self._main)[::4, ::4].copy()
        finally:
            request.release()

    def _control(self, wanted: dict[str, Any]) -> None:
        """Set those controls that this camera has."""
        has = self._camera.camera_controls
        fitting = {name: value for name, value in wanted.items() if name in has}
        if fitting:
            self._camera.set_controls(fitting)


def _opened(number: int, devices: Path) -> tuple[Any, Any]:
    """picamera2's MappedArray and the opened camera."""
    try:
        from picamera2 import MappedArray, Picamera2
    except ImportError as error:
        raise CameraError(
            "picamera2 is missing; on a Raspberry Pi it comes with: sudo apt install python3-picamera2 "
            f"({error})"
        ) from error
    try:
        if number >= len(Picamera2.global_camera_info()):
            if any(_closed_devices(devices)):
                raise _forbidden(devices)
            raise _no_camera(number)
        return MappedArray, Picamera2(number)
    except CameraError:
        raise
    except Exception as error:
        if _about(error, (errno.EACCES, errno.EPERM), ("permission", "not permitted")):
            raise _forbidden(devices) from error
        if _about(error, (errno.EBUSY,), ("busy", "in use")):
            raise CameraBusy("another program has the camera; end it, or wait until it lets go") from error
        if _about(error, (errno.ENOMEM,), ("alloc", "memory")):
            raise CameraNoMemory(f"the camera cannot be opened: {_said(error)}") from error
        if any(_closed_devices(devices)):
            raise _forbidden(devices) from error
        if _about(error, (errno.ENODEV,), ("no such device",)):
            raise _no_camera(number) from error
        raise CameraError(f"the camera cannot be opened: {_said(error)}") from error


def _no_camera(number: int) -> CameraError:
    return CameraError(
        f"there is no camera {number}; push its cable in at both ends and switch the Pi off and on"
    )


def _dead_threads(camera: Any) -> str:
    """Which of picamera2's threads has died, in words; empty when none has.

    They are no part of its interface, so a name that is not there counts as alive.
    """
    manager = getattr(getattr(camera, "_cm", None), "thread", None)
    if manager is not None and not manager.is_alive():
        return "its thread that listens to the camera has died"
    loop = getattr(getattr(camera, "_preview", None), "thread", None)
    if loop is not None and not loop.is_alive():
        return "its thread that hands out pictures has died"
    return ""


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _about(error: BaseException, numbers: tuple[int, ...], words: tuple[str, ...]) -> bool:
    """Whether an error, or one it came from, has one of these numbers or words."""
    return any(
        getattr(one, "errno", None) in numbers or any(word in str(one).lower() for word in words)
        for one in _chain(error)
    )


def _said(error: BaseException) -> str:
    """The first cause's own words, which picamera2 hides behind its own."""
    first = list(_chain(error))[-1]
    return str(first) or type(first).__name__


def _closed_devices(devices: Path) -> Iterator[Path]:
    """The camera's devices that this user may not open."""
    for pattern in ("media*", "video*", "v4l-subdev*", "dma_heap/*"):
        for path in sorted(devices.glob(pattern)):
            if not os.access(path, os.R_OK | os.W_OK):
                yield path


def _forbidden(devices: Path) -> CameraForbidden:
    """The refusal, naming device, group and user."""
    user = _user()
    closed = next(_closed_devices(devices), None)
    if closed is None:
        return CameraForbidden(
            f"the user {user} may not open the camera; add the user to the group 'video' with: "
            f"sudo usermod -aG video {user}, then restart"
        )
    there = closed.stat()
    group = _group(there.st_gid)
    if not there.st_mode & stat.S_IRGRP:
        return CameraForbidden(
            f"the camera's device {closed} may be opened by nobody but its owner; give it to the group "
            "'video' with a udev rule, or reinstall the system's camera packages"
        )
    return CameraForbidden(
        f"the camera's device {closed} may only be opened by the group {group!r}, and the user {user} is not "
        f"in it; add the user with: sudo usermod -aG {group} {user}, then restart"
    )


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _sharpness(picture: Image) -> float:
    """How much fine contrast a picture has (variance of its Laplacian)."""
    return float(cv2.Laplacian(picture, cv2.CV_32F).var())


def _locked(seen: dict[str, Any], locked: dict[str, Any]) -> bool:
    """Whether a picture was taken with the locked exposure. Sensors round it to whole lines."""
    wanted, there = locked.get("ExposureTime"), seen.get("ExposureTime")
    return wanted is None or there is None or abs(there - wanted) <= max(100, 0.02 * wanted)


def _age_s(metadata: dict[str, Any]) -> float:
    """How long ago the picture was taken: libcamera's stamp is on the clock that runs since boot."""
    stamp = metadata.get("SensorTimestamp")
    if stamp is None:
        return 0.0
    age = (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - int(stamp)) / 1e9
    return age if 0 <= age < NEVER_FOR_LONG_S else 0.0


def _open_picamera(what: str) -> Camera:
    return PicameraCamera(Settings.of(what))


register("picamera", _open_picamera)
