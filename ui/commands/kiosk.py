"""`stationmaster kiosk`: the touchscreen at the table."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ui.records import add_folder, folder
from ui.service import pausing
from ui.terminal import GOOD, NO, No, Usage, say

if TYPE_CHECKING:
    from ui.kiosk.config import Config
    from ui.kiosk.host import Host
    from ui.presenters.metrics import Metrics
    from ui.service import Service

ABOUT = (
    "Shows the kiosk on the screen of this machine. With --simulate it is the same on a desk: in a window, "
    "with a simulated table that is read by the real reader, and keys in the place of buttons. With --play "
    "virtual people play by touching it. With --tour every screen is written as a picture. Without a screen "
    "it waits for one; exit code 1 when none comes, and when another kiosk has the games folder."
)
WAIT_S = 600.0
"""Seconds that a screen may take to come."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
_TRIES = "STATIONMASTER_KIOSK_TRIES"
"""How often the window could not be opened, from one attempt to the next."""
MOST_TRIES = 8


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("kiosk", help="the touchscreen at the table", description=ABOUT)
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, like deploy/kiosk.toml")
    parser.add_argument("--simulate", action="store_true", help="a simulated table, for a desk")
    parser.add_argument("--play", type=int, metavar="SEED", help="virtual people play, on a simulated table")
    parser.add_argument(
        "--game", default="railway_boom", metavar="TITLE", help="what they play (railway_boom)"
    )
    parser.add_argument("--tour", type=Path, metavar="DIR", help="write every screen as a picture to DIR")
    parser.add_argument("--size", metavar="WxH", help="size of the screen or window in points")
    parser.add_argument("--language", metavar="LL", help="language of the screen (en, de)")
    parser.add_argument(
        "--wait", type=float, default=WAIT_S, metavar="S", help=f"wait so long for a screen ({WAIT_S:g})"
    )
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """0 when it was ended by people, 1 when there is no screen or the games are taken, 2 for a wrong call."""
    from ui.presenters.metrics import Unsuitable, metrics
    from ui.presenters.words import LANGUAGES

    if args.language is not None and args.language not in LANGUAGES:
        raise Usage(f"--language {args.language}: there are {', '.join(LANGUAGES)}")
    size = _size(args.size)
    config = settings(args)
    try:
        sizes = metrics(*(size or config.screen.size), config.screen.size_mm if size is None else None)
    except Unsuitable as wrong:
        raise Usage(str(wrong)) from None
    if args.tour is not None:
        from ui.kiosk.tour import write

        faults = write(args.tour, (sizes.width, sizes.height), config.language, say)
        for fault in faults:
            say(fault)
        say(f"the screens are in {args.tour}")
        return NO if faults else GOOD
    return _show(args, config, sizes)


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if match is None:
        raise Usage(f"--size {text!r}: write it like 1024x600")
    return int(match[1]), int(match[2])


def settings(args: argparse.Namespace) -> Config:
    """The configuration, with what the call says before it. `Usage` lists everything that is wrong; where the
    last good one stands in for it, `args.faults` does."""
    import msgspec

    from ui.kiosk.config import Config, ConfigFaults
    from ui.kiosk.last_good import load_or_last

    args.faults = ()
    if args.config is None:
        config = Config(games=folder(args))
        if not _simulated(args) and args.tour is None:
            raise Usage(
                "--config FILE is missing (deploy/kiosk.toml is one to begin with); on a desk --simulate"
            )
    else:
        try:
            config, args.faults = load_or_last(args.config)
        except ConfigFaults as wrong:
            lines = [f"{args.config} is not right:", *(f"  {fault}" for fault in wrong.faults)]
            raise Usage("\n".join(lines)) from None
        if args.games_dir is not None:
            config = msgspec.structs.replace(config, games=args.games_dir)
    if args.language is not None:
        config = msgspec.structs.replace(config, language=args.language)
    return config


def _simulated(args: argparse.Namespace) -> bool:
    return bool(args.simulate or args.play is not None)


def _show(args: argparse.Namespace, config: Config, sizes: Metrics) -> int:
    import msgspec

    from ui.health import Gauges
    from ui.kiosk.gauges import Sampler
    from ui.kiosk.host import Host, Taken

    with ExitStack() as ends:
        more: dict[str, Any] = {"file": args.config}
        if _simulated(args):
            from hardware.keyboard import KeyboardPanel
            from ui.kiosk.simulated import Desk

            aside = Path(tempfile.mkdtemp(prefix="stationmaster-"))
            ends.callback(shutil.rmtree, aside, ignore_errors=True)
            desk = Desk(aside, args.play or 0)
            if args.play is not None and args.config is None and args.games_dir is None:
                # A show leaves nothing behind among people's own games.
                config = msgspec.structs.replace(config, games=aside / "games")
            more |= {"panel": KeyboardPanel(), "camera": desk.camera, "follow": desk.follow}
            more["before_watching"] = desk.prepare
            # What is simulated is the printed mat.
            camera = msgspec.structs.replace(config.camera, boards=None)
            config = msgspec.structs.replace(config, camera=camera)
        more["gauges"] = Sampler(Gauges(config.games))
        try:
            host = Host(config, sizes, **more)
        except Taken as wrong:
            raise No(str(wrong)) from None
        ends.callback(host.close)
        _end_when_told()
        if args.language is not None and host.settings.language not in (None, args.language):
            from ui.presenters.intents import Ask

            host.do(Ask("language", {"language": args.language}))
        if args.faults:
            from ui.kiosk.last_good import notice

            host.said = f"{host.said} {notice(host.words, args.faults)}".strip()
        if host.trouble:
            say(f"stationmaster kiosk: {host.trouble}")
        service = _service()
        ends.callback(service.end)
        if not wait_for_screen(args.wait, pausing(service, time.sleep)):
            say("stationmaster kiosk: no screen came; the games are as they were")
            return NO
        return _window(args, host, config, sizes, service)


def _service() -> Service:
    """What a service manager hears of this kiosk; nothing where none listens."""
    from importlib.metadata import version

    from ui.health import PULSE
    from ui.service import Notifier, Service, process_age

    notifier = Notifier()
    return Service(
        notifier,
        began=time.monotonic() - process_age(),
        pulse=PULSE if notifier.there else None,
        version=version("stationmaster"),
    )


def _end_when_told() -> None:
    """A service manager's SIGTERM ends it as Ctrl-C does: the game is parked and the camera let go."""

    def end(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)


def screen_there() -> bool:
    """Whether a window system, or a screen that can be drawn on directly, is there."""
    if os.environ.get("SDL_VIDEODRIVER") in ("offscreen", "dummy"):
        return True
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return any(Path("/dev/dri").glob("card*")) if Path("/dev/dri").is_dir() else False


def wait_for_screen(
    seconds: float, sleep: Callable[[float], None] = time.sleep, there: Callable[[], bool] = screen_there
) -> bool:
    """Wait for a screen, with growing pauses; whether one came. The first lack is told."""
    waited, pause = 0.0, FIRST_PAUSE_S
    while not there():
        if waited >= seconds:
            return False
        if not waited:
            say(
                "stationmaster kiosk: there is no screen yet (no DISPLAY, no WAYLAND_DISPLAY, nothing in "
                f"/dev/dri); it is looked for again for {seconds:g} s. The games are as they were."
            )
        sleep(min(pause, seconds - waited))
        waited += pause
        pause = min(pause * 2, LONGEST_PAUSE_S)
    return True


def _window(args: argparse.Namespace, host: Host, config: Config, sizes: Metrics, service: Service) -> int:
    from ui.kiosk.app import NoWindow, show

    player = None
    if args.play is not None:
        from ui.kiosk.play import Player

        player = Player(host, args.play, args.game)

    def each(now: float) -> None:
        service.turn(now, host)
        host.started_s = service.started_s
        if player is not None:
            player.turn(now)

    try:
        show(
            host,
            size=(sizes.width, sizes.height),
            fullscreen=config.screen.fullscreen and not _simulated(args),
            provider=config.screen.provider,
            each=each,
        )
    except NoWindow as wrong:
        if player is not None or int(os.environ.get(_TRIES, "0")) >= MOST_TRIES:
            say(f"stationmaster kiosk: the screen cannot be used: {wrong}; the games are as they were")
            return NO
        _try_again(host, str(wrong))
    return GOOD


def _try_again(host: Host, why: str) -> NoReturn:
    """Kivy opens a window once in a process: try again in a new one of the same number, after a pause."""
    tries = int(os.environ.get(_TRIES, "0")) + 1
    pause = min(FIRST_PAUSE_S * 2**tries, LONGEST_PAUSE_S)
    say(f"stationmaster kiosk: the screen cannot be used: {why}; tried again in {pause:g} s")
    time.sleep(pause)
    host.close()
    os.environ[_TRIES] = str(tries)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "ui.cli", *sys.argv[1:]])
