"""What was measured at set-up and when it stops being true: the lens, and how the camera stood then.

A calibration belongs to one sensor mode, crop, picture size and lens position. With another one every
place on the mat shifts, so camera moves stop until somebody calibrates again.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from vision.cameras.base import CameraFacts
from vision.geometry import Lens
from vision.kept import Found, Kept

VERSION = 1
LENS_TOLERANCE = 0.02
"""Dioptres. A locked lens reports what it was told; the rest is rounding."""
CROP_TOLERANCE_PX = 2
"""Sensor pixels by which drivers round a crop."""
_LAST_LINE = b"# end\n"
"""Without this line a file was cut off, even where what is left can be read."""


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A measured lens and the camera it was measured with. `mat` names the mat, `note` is for people."""

    camera: CameraFacts
    lens: Lens
    mat: str = ""
    note: str = ""
    version: int = VERSION


def mismatch(calibration: Calibration, facts: CameraFacts) -> list[str]:
    """Why a calibration does not fit a camera as it is now, in sentences; empty when it fits."""
    then = calibration.camera
    again = "Calibrate again, or put it back as it was."
    found = []
    if then.model != facts.model:
        found.append(f"The camera is {facts.model}; the calibration is for {then.model}. {again}")
    if (then.width, then.height) != (facts.width, facts.height):
        found.append(
            f"The camera's pictures are {facts.width} x {facts.height} pixels; the calibration is for "
            f"{then.width} x {then.height}. {again}"
        )
    if then.sensor != facts.sensor:
        found.append(
            f"The sensor runs at {_size(facts.sensor)}; the calibration is for {_size(then.sensor)}. {again}"
        )
    if not _same_crop(then.crop, facts.crop):
        found.append(
            f"The camera uses {_part(facts.crop)}; the calibration is for {_part(then.crop)}. {again}"
        )
    if not _same_lens(then.lens, facts.lens):
        found.append(
            f"The lens stands at {_dioptres(facts.lens)}; the calibration is for {_dioptres(then.lens)}. "
            f"{again}"
        )
    return found


def save(calibration: Calibration, path: Path) -> None:
    """Write a calibration (TOML), as `vision.kept` does. Raises OSError when the disk refuses."""
    _kept(path).save(msgspec.toml.encode(calibration) + _LAST_LINE)


def load(path: Path) -> Found[Calibration]:
    """The calibration in a file, or its last good copy when the file is damaged. Raises nothing."""
    return _kept(path).load()


def _kept(path: Path) -> Kept[Calibration]:
    without = "There is no earlier one: calibrate again."
    return Kept(path, _decoded, f"The calibration {path}", without)


def _decoded(data: bytes) -> Calibration:
    """Raises ValueError, with what is wrong."""
    if not data.endswith(_LAST_LINE):
        raise ValueError("it is cut off")
    calibration = msgspec.toml.decode(data, type=Calibration)
    if calibration.version != VERSION:
        raise ValueError(f"it has version {calibration.version}, this program reads version {VERSION}")
    return calibration


def _same_crop(one: tuple[int, ...] | None, other: tuple[int, ...] | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(abs(a - b) <= CROP_TOLERANCE_PX for a, b in zip(one, other, strict=True))


def _same_lens(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= LENS_TOLERANCE


def _size(size: tuple[int, int] | None) -> str:
    return "a mode it does not name" if size is None else f"{size[0]} x {size[1]}"


def _part(crop: tuple[int, int, int, int] | None) -> str:
    if crop is None:
        return "a part of the sensor that it does not name"
    x, y, width, height = crop
    return f"{width} x {height} sensor pixels from ({x}, {y})"


def _dioptres(lens: float | None) -> str:
    return "a position it does not name" if lens is None else f"{lens:.2f} dioptres"
