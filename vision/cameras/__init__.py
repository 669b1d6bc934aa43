"""Where pictures come from: one interface, and cameras by name."""

from vision.cameras.base import (
    Camera,
    CameraBusy,
    CameraError,
    CameraFacts,
    CameraForbidden,
    CameraGone,
    CameraNoMemory,
    CameraTimeout,
    EndOfFrames,
    Frame,
    kinds,
    open_camera,
    open_patiently,
    register,
)

__all__ = [
    "Camera",
    "CameraBusy",
    "CameraError",
    "CameraFacts",
    "CameraForbidden",
    "CameraGone",
    "CameraNoMemory",
    "CameraTimeout",
    "EndOfFrames",
    "Frame",
    "kinds",
    "open_camera",
    "open_patiently",
    "register",
]
