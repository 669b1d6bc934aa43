"""Where pictures come from: one interface, and cameras by name."""

from vision.cameras.base import (
    Camera,
    CameraError,
    CameraTimeout,
    EndOfFrames,
    Frame,
    kinds,
    open_camera,
    register,
)

__all__ = [
    "Camera",
    "CameraError",
    "CameraTimeout",
    "EndOfFrames",
    "Frame",
    "kinds",
    "open_camera",
    "register",
]
