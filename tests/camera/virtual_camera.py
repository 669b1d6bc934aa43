"""The real picamera2 on libcamera's virtual camera, on a machine that has no camera hardware.

Importing this changes picamera2 in three places, so it is not quite the picamera2 of a Raspberry Pi:
its preview libraries are stubs; its buffers are plain memory, because the virtual camera needs no more
and a container has no DMA heap; and it is not asked for raw formats, which the virtual camera lacks.
As a kind of camera ("virtual:...") this opens our own picamera camera after these changes.
"""

from __future__ import annotations

import mmap
import os
import sys
from typing import Any
from unittest.mock import MagicMock

for _name in ("kms", "pykms"):
    sys.modules.setdefault(_name, MagicMock())

import libcamera  # noqa: E402
import picamera2.picamera2 as inner  # noqa: E402
from picamera2.allocators.allocator import Allocator, Sync  # noqa: E402

from vision.cameras.base import Camera, open_camera, register  # noqa: E402


class MemorySync(Sync):  # type: ignore[misc]
    """One buffer mapped while it is looked at."""

    def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
        self._buffer = buffer
        self._mapped: mmap.mmap | None = None

    def __enter__(self) -> mmap.mmap:
        planes = self._buffer.planes
        self._mapped = mmap.mmap(planes[0].fd, sum(plane.length for plane in planes))
        return self._mapped

    def __exit__(self, *_: object) -> None:
        if self._mapped is not None:
            try:
                self._mapped.close()
            except BufferError:
                # An array still looks at it; it goes with the array.
                self._mapped = None


class MemoryAllocator(Allocator):  # type: ignore[misc]
    """Buffers of plain memory."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = MemorySync
        self._buffers: dict[Any, list[Any]] = {}
        self._descriptors: list[int] = []

    def allocate(self, config: Any, use_case: object) -> None:
        self.close()
        for stream in config:
            brightness = stream.stride * stream.size.height
            made = []
            for number in range(stream.buffer_count):
                descriptor = os.memfd_create(f"buffer-{number}")
                os.ftruncate(descriptor, stream.frame_size)
                self._descriptors.append(descriptor)
                planes = []
                for offset, length in ((0, brightness), (brightness, stream.frame_size - brightness)):
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = descriptor, offset, length
                    planes.append(plane)
                made.append(libcamera.FrameBuffer(planes))
            self._buffers[stream.stream] = made

    def buffers(self, stream: Any) -> list[Any]:
        return self._buffers[stream]

    def close(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors, self._buffers = [], {}

    def __del__(self) -> None:
        self.close()


def _formats(camera: Any) -> list[dict[str, Any]]:
    role = libcamera.StreamRole.VideoRecording
    formats = camera.camera.generate_configuration([role]).at(0).formats
    return [
        {"format": str(form), "size": (size.width, size.height)}
        for form in formats.pixel_formats
        for size in formats.sizes(form)
    ]


inner.DmaAllocator = MemoryAllocator
inner.Picamera2._get_raw_modes = _formats


def _open_virtual(what: str) -> Camera:
    return open_camera(f"picamera:{what}")


register("virtual", _open_virtual)
