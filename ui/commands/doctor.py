"""`stationmaster doctor`: what is missing or wrong on this machine, and the fix."""

from __future__ import annotations

import argparse
import ctypes.util
import importlib
import os
import platform
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui import health
from ui.commands.backup import CONFIG
from ui.health import Light, Reading
from ui.records import add_folder, folder
from ui.terminal import GOOD, NO, Usage, png_wanted, print_json, table, write_png

if TYPE_CHECKING:
    from vision.cameras.base import Frame
    from vision.readiness import Readiness

ABOUT = (
    "Looks over this machine: Python and its packages, libzbar, fonts, the libraries of the touchscreen and "
    "whether it can be drawn, a table's configuration, the games folder and its room, SQLite, the clock, and "
    "with --camera a camera and its picture. Each is green, amber (it works, but look at it) or red, with "
    "the fix. Exit code 1 when something is red."
)
SIGNS = {"green": "ok", "amber": "look", "red": "STOP"}
PYTHONS = ((3, 11), (3, 14))
"""The first Python that is supported, and the first that is not."""
WAL_RESET = ((3, 7, 0), (3, 51, 3))
"""The first SQLite with the WAL-reset bug and the first without (sqlite.org/wal.html)."""
MADE = datetime(2026, 1, 1, tzinfo=UTC)
"""No clock that is set shows an earlier date than this program has."""
LATEST = datetime(2080, 1, 1, tzinfo=UTC)
CAMERA_S = 12.0
"""Seconds that a camera has to give a first picture: libcamera takes three to five."""
DRAWING_S = 30.0
"""Seconds that a window in memory has to be opened; on a Raspberry Pi from a slow card it takes ten."""
_LIBRARIES: tuple[tuple[str, str, str, Light], ...] = (
    ("libGL.so.1", "libgl1", "the touchscreen is drawn with it", "red"),
    ("libEGL.so.1", "libegl1", "the touchscreen is drawn with it where there is no desktop", "red"),
    ("libGLESv2.so.2", "libgles2", "a Raspberry Pi without a desktop draws with it", "amber"),
    ("libmtdev.so.1", "libmtdev1", 'touches come by it when the provider is "mtdev"', "amber"),
)
"""Libraries of the kiosk: name, Debian package, what it is for, and the light without it."""
_DRAWS = """
import os
from ui.kiosk.environment import prepare
prepare((64, 64), offscreen=True)
import kivy
from kivy.core.window import Window
from kivy.graphics.opengl import GL_VERSION, glGetString
if Window is None:
    raise SystemExit("SDL opens no window")
print(f"Kivy {kivy.__version__} draws with OpenGL {glGetString(GL_VERSION).decode()}", flush=True)
os._exit(0)
"""
"""Opens a window in memory and says with what."""
_TIMESYNC = Path("/run/systemd/timesync")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("doctor", help="look over this machine", description=ABOUT)
    parser.add_argument(
        "--camera",
        metavar="NAME",
        help="also take a picture: picamera, video:FILE, folder:DIR, image:FILE ...",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--game", metavar="TITLE", help="with --camera: the mat that lies under it")
    which.add_argument("--mat", type=Path, metavar="MAT.json", help="with --camera: a file that describes it")
    parser.add_argument(
        "--save", type=Path, metavar="PNG", help="with --camera: keep the picture, for `teach` and `census`"
    )
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """0 when nothing is red, 1 when something is, 2 for a wrong call."""
    if args.camera is None and (args.game is not None or args.mat is not None):
        raise Usage("--game and --mat belong to --camera")
    if args.camera is None and args.save is not None:
        raise Usage("--save belongs to --camera")
    png_wanted("--save", args.save)
    findings = [*_machine(folder(args))]
    ready: Readiness | None = None
    if args.camera is not None:
        found, ready = _camera(args)
        findings.append(found)
    lights = {finding.light for finding in findings} | ({str(ready.light)} if ready is not None else set())
    light = next((light for light in ("red", "amber") if light in lights), "green")
    if args.json:
        _print_json(light, findings, ready)
    else:
        _print(findings, ready)
    return NO if light == "red" else GOOD


def _print(findings: list[Reading], ready: Readiness | None) -> None:
    rows = table([(SIGNS[f.light], f.name, f.text) for f in findings])
    for row, finding in zip(rows, findings, strict=True):
        print(row)
        if finding.advice:
            print(f"      {finding.advice}")
    if ready is not None:
        from ui.commands.readiness import lines

        print()
        for line in lines(ready):
            print(line)


def _print_json(light: str, findings: list[Reading], ready: Readiness | None) -> None:
    answer: dict[str, Any] = {
        "light": light,
        "checks": [{**finding._asdict(), "values": finding.values or {}} for finding in findings],
    }
    if ready is not None:
        from vision.readiness import to_json

        answer["readiness"] = to_json(ready)
    print_json(answer)


# ---- the machine


def _machine(games: Path) -> Iterator[Reading]:
    yield python(sys.version_info[:2], platform.python_implementation(), sys.maxsize > 2**32)
    yield _packages()
    yield libzbar(ctypes.util.find_library("zbar") is not None or _loads("libzbar.so.0"))
    yield _fonts()
    for name, package, what, light in _LIBRARIES:
        yield library(name, package, what, light, _loads(name))
    yield _drawing()
    if CONFIG.exists():
        yield configuration(CONFIG)
    yield games_folder(games)
    yield sqlite(sqlite3.sqlite_version)
    unset = _TIMESYNC.is_dir() and not (_TIMESYNC / "synchronized").exists()
    yield clock(datetime.now(UTC), not unset)
    yield from _parts()
    yield from health.readings(games)


def python(running: tuple[int, int], maker: str, wide: bool) -> Reading:
    """Whether this Python will do: its version, who made it, whether it has 64 bits."""
    name = f"{maker} {running[0]}.{running[1]}{'' if wide else ', 32 bits'}"
    if PYTHONS[0] <= running < PYTHONS[1] and maker == "CPython" and wide:
        return Reading("python", "green", name)
    last = f"3.{PYTHONS[1][1] - 1}"
    fix = f"Take 64-bit CPython 3.11 to {last}, for instance: make setup PYTHON=python{last}"
    return Reading("python", "red", f"{name} is not supported", fix)


def _packages() -> Reading:
    """Whether everything that has to be installed with the program is."""
    try:
        wanted = [r for r in requires("stationmaster") or () if "extra ==" not in r]
    except PackageNotFoundError:
        return Reading("packages", "red", "Stationmaster itself is not installed", "Call: make setup")
    names = [re.split(r"[^\w.-]", requirement, maxsplit=1)[0] for requirement in wanted]
    missing = []
    for name in names:
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Reading("packages", "red", f"missing: {', '.join(missing)}", "Call: make setup")
    return Reading("packages", "green", f"all {len(names)} are there", values={"count": len(names)})


def libzbar(there: bool) -> Reading:
    """The library behind the second opinion on a tag."""
    if there:
        return Reading("libzbar", "green", "it gives the second opinion on tags that are hard to read")
    text = "missing: tags that are hard to read get no second opinion"
    return Reading("libzbar", "amber", text, "sudo apt-get install libzbar0")


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def library(name: str, package: str, what: str, light: Light, there: bool) -> Reading:
    """A library of the kiosk, whether it loads, and how bad it is when it does not."""
    if there:
        return Reading(name, "green", what)
    return Reading(name, light, f"missing: {what}", f"sudo apt-get install {package}")


def _drawing() -> Reading:
    """Whether Kivy opens a window and draws: in memory, in a process of its own, which may crash or hang."""
    command = [sys.executable, "-c", _DRAWS]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=DRAWING_S, check=False)
    except subprocess.TimeoutExpired:
        return drawing(-1, "", f"no answer in {DRAWING_S:.0f} s")
    return drawing(done.returncode, done.stdout, done.stderr)


def drawing(code: int, out: str, err: str) -> Reading:
    """What opening a window came to: its exit code, what it said, what it complained of."""
    if code == 0:
        return Reading("kivy", "green", out.strip())
    lines = [line for line in err.splitlines() if line.strip()]
    why = lines[-1].strip() if lines else f"it ended with code {code}"
    fix = "Call: make setup. Then mend the libraries above, and see what the graphics driver says."
    return Reading("kivy", "red", f"the touchscreen cannot be drawn: {why}", fix)


def _fonts() -> Reading:
    """The fonts of the screen and of what is printed; they ship with the program."""
    from importlib.resources import files

    there = files("vision") / "fonts"
    names = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
    missing = [name for name in names if not (there / name).is_file()]
    if missing:
        return Reading("fonts", "red", f"missing: {', '.join(missing)}", "Install Stationmaster again.")
    return Reading("fonts", "green", "both are there")


def games_folder(where: Path) -> Reading:
    """Whether games can be saved: the folder, or the one it would be made in, can be written."""
    there = next((path for path in (where, *where.absolute().parents) if path.exists()), Path("/"))
    name = str(where) if there == where else f"{where} (not made yet)"
    if not there.is_dir():
        fix = "Move that file away, or name another folder with STATIONMASTER_HOME or --games-dir."
        return Reading("games", "red", f"{there} is no folder", fix)
    try:
        # Asking for permission is not enough: a card that turned read-only says yes.
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        fix = (
            f"Make {there} writable for this user; if the card has turned read-only, copy it and replace it."
        )
        if isinstance(error, PermissionError) and there == where and (user := _owner(there)):
            # At a table the games are the kiosk's, and must stay so.
            fix = f"It belongs to {user}. Call: sudo -u {user} stationmaster doctor"
        return Reading("games", "red", f"{name} cannot be written: {error.strerror or error}", fix)
    return Reading("games", "green", f"{name} can be written")


def configuration(file: Path) -> Reading:
    """Whether a table's configuration is right: otherwise the kiosk goes by the last good one."""
    from ui.kiosk.config import faults_of

    if faults := faults_of(file):
        text = f"{file} has faults ({len(faults)}), the last good one is used: {faults[0]}"
        return Reading("settings", "amber", text, "Mend it; stationmaster config tells all faults.")
    return Reading("settings", "green", f"{file} is right")


def _owner(path: Path) -> str:
    """Whose a folder is, "" where it is this user's own or nobody's that has a name."""
    try:
        return "" if path.stat().st_uid == os.geteuid() else path.owner()
    except (OSError, KeyError):
        return ""


def sqlite(running: str) -> Reading:
    """The library that keeps the record, and whether it has the bug that needs two writers."""
    number = tuple(int(part) for part in running.split(".")[:3])
    if WAL_RESET[0] <= number < WAL_RESET[1]:
        text = (
            f"{running} has the WAL-reset bug (3.7.0 to 3.51.2), which takes two writers at once; a game has "
            "one, kept by a lock"
        )
        return Reading("sqlite", "green", text, values={"version": running})
    return Reading("sqlite", "green", running, values={"version": running})


def clock(now: datetime, synchronised: bool) -> Reading:
    """Whether the clock can be right. Play does not need it; the dates in the record do."""
    text = f"{now:%Y-%m-%d %H:%M} UTC"
    if not MADE <= now < LATEST:
        fix = "Set it: sudo timedatectl set-ntp true, or sudo date --set '2026-12-31 18:00'"
        return Reading("clock", "red", f"it says {text}", fix)
    if not synchronised:
        fix = "Connect to a network, or check it by eye. Play goes on without it; only dates may be wrong."
        return Reading("clock", "amber", f"{text}, not set from the network since the start", fix)
    return Reading("clock", "green", text)


def _parts() -> Iterator[Reading]:
    """What the parts of a Raspberry Pi need besides: nothing is said of a part that is not there."""
    if "Raspberry Pi" not in _read(Path("/proc/device-tree/model")):
        return
    wants = (
        ("hardware.gpio", "lgpio", "buttons and lamps", "sudo apt-get install python3-lgpio"),
        ("vision.cameras.picamera", "picamera2", "the camera", "sudo apt-get install python3-picamera2"),
    )
    for part, package, what, fix in wants:
        if not _there(part):
            continue
        if _there(package):
            yield Reading(package, "green", f"{what} can be used")
        else:
            yield Reading(package, "red", f"missing: {what} cannot be used", fix)


def _there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


# ---- a camera


def _camera(args: argparse.Namespace) -> tuple[Reading, Readiness | None]:
    """Take one picture, within a deadline, and check it where the mat is known."""
    geometry = _mat(args)
    got: list[Frame] = []
    wrong: list[Exception] = []
    began = time.monotonic()

    def take() -> None:
        from vision.cameras import open_camera

        try:
            with open_camera(args.camera) as camera:
                got.append(camera.frame(CAMERA_S))
        except Exception as error:
            wrong.append(error)

    if not within(CAMERA_S, take):
        text = f"{args.camera} gave no picture in {CAMERA_S:.0f} s"
        fix = "Check its cable with the power off, and that no other program has it; then start again."
        return Reading("camera", "red", text, fix), None
    if wrong:
        return Reading("camera", "red", str(wrong[0]), "See docs/cli.md for how a camera is named."), None
    frame, seconds = got[0], time.monotonic() - began
    if args.save is not None:
        write_png(args.save, frame.y)
    height, width = frame.y.shape
    values: dict[str, float | int | str] = {
        "width": width,
        "height": height,
        "seconds": round(seconds, 2),
    }
    text = f"{args.camera} gave a picture of {width} x {height} pixels in {seconds:.1f} s"
    if geometry is None:
        fix = "Name the mat under it with --game or --mat to check the picture."
        return Reading("camera", "green", text, fix, values), None
    from vision.readiness import readiness

    mat, roster = geometry
    return Reading("camera", "green", text, values=values), readiness(frame.y, mat, roster)


def _mat(args: argparse.Namespace) -> Any:
    """The mat and its pieces, as for `read`; None when none is named."""
    if args.game is None and args.mat is None:
        return None
    module = importlib.import_module("ui.commands.read")
    options = {"pack": None, "copy": None, "roster": None, "image": Path()}
    return module.mat_and_roster(argparse.Namespace(**{**options, **vars(args)}))


def within(seconds: float, work: Callable[[], object]) -> bool:
    """Do it on a thread of its own; whether it was done in time. What hangs is left to the end of the
    program: nothing can wake a driver that sleeps."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()
