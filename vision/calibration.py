"""What was measured at set-up and when it stops being true: the lens, and how the camera stood then.

A calibration belongs to one sensor mode, crop, picture size and lens position. With another one every
place on the mat shifts, so camera moves stop until somebody calibrates again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from vision.cameras.base import CameraFacts
from vision.geometry import Lens

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


class Loaded(msgspec.Struct, frozen=True):
    """What reading a calibration gave: it, if there is one, and sentences about what was wrong."""

    calibration: Calibration | None
    notices: tuple[str, ...] = ()


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
    """Write a calibration (TOML) so that power may fail at any moment; a good one there before is kept.

    The one before lies beside it as NAME.last. Raises OSError when the disk refuses.
    """
    kept = _read(path)
    if isinstance(kept, Calibration):
        write_safely(_last(path), path.read_bytes())
    write_safely(path, msgspec.toml.encode(calibration) + _LAST_LINE)


def load(path: Path) -> Loaded:
    """The calibration in a file, or its last good copy when the file is damaged.

    A damaged file is kept aside as NAME.damaged-1, -2 ... Raises nothing: the notices say what is wrong.
    """
    found = _read(path)
    if isinstance(found, Calibration):
        return Loaded(found)
    last = _read(_last(path))
    if found is None:
        if isinstance(last, Calibration):
            return Loaded(last, (f"The calibration {path} is missing; the one before it is used.",))
        return Loaded(None)
    notices = [f"The calibration {path} is damaged ({found})."]
    aside = _free_name(path)
    with contextlib.suppress(OSError):
        path.rename(aside)
        notices.append(f"It was kept as {aside.name}.")
    if isinstance(last, Calibration):
        notices.append("The one before it is used.")
        with contextlib.suppress(OSError):
            write_safely(path, _last(path).read_bytes())
        return Loaded(last, tuple(notices))
    notices.append("There is no earlier one: calibrate again.")
    return Loaded(None, tuple(notices))


def write_safely(path: Path, data: bytes) -> None:
    """Replace a file so that there is the old or the new one, whole, whenever power fails.

    Raises OSError when the disk refuses; the old file is then still there.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(path: Path) -> Calibration | str | None:
    """The calibration in a file, what is wrong with it, or None when there is no file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    if not data:
        return "it is empty"
    if not data.endswith(_LAST_LINE):
        return "it is cut off"
    try:
        calibration = msgspec.toml.decode(data, type=Calibration)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return str(error)
    if calibration.version != VERSION:
        return f"it has version {calibration.version}, this program reads version {VERSION}"
    return calibration


def _last(path: Path) -> Path:
    return path.with_name(path.name + ".last")


def _free_name(path: Path) -> Path:
    return next(name for name in _names(path) if not name.exists())


def _names(path: Path) -> Iterator[Path]:
    number = 0
    while True:
        number += 1
        yield path.with_name(f"{path.name}.damaged-{number}")


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
