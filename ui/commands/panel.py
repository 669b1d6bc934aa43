"""`stationmaster panel test`: whether every button, lamp and the buzzer is wired as the settings say."""

from __future__ import annotations

import argparse
import queue
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ui.terminal import GOOD, NO, Usage, print_json, say, table

if TYPE_CHECKING:
    from assistant.messages import Message
    from hardware.debounce import Button
    from hardware.gpio import GpioPanel
    from hardware.panel import PanelConfig

ABOUT = (
    "test asks for each button in turn, lights each lamp and sounds the buzzer, and tells what came. At a "
    "terminal it asks whether a lamp was lit. Without wires everything that needs one is skipped: no wire. "
    "Exit code 1 when a button did not come or the pins cannot be had."
)
WAIT_S = 15.0
"""Seconds that a button has to come."""
PRESS_S, GAP_S = 0.1, 0.05
NO_WIRE = "skipped: no wire"


class Tested(NamedTuple):
    """One part of the panel: "good", "failed", "shown" (nobody said whether it was seen) or "skipped"."""

    name: str
    result: str
    text: str = ""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register `panel test`."""
    parser = subparsers.add_parser("panel", help="try buttons, lamps and buzzer", description=ABOUT)
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    testing = actions.add_parser("test", help="try each in turn", description=ABOUT)
    testing.add_argument(
        "--config", type=Path, metavar="FILE", help="settings with a table [panel]; else the usual wiring"
    )
    testing.add_argument("--mock", action="store_true", help="on pins that are not there, pressed by itself")
    testing.add_argument(
        "--seconds", type=float, default=WAIT_S, metavar="S", help=f"wait so long for a button ({WAIT_S:g})"
    )
    testing.add_argument("--json", action="store_true", help="print JSON")
    testing.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0 when all that could be tried is good, 1 when something is not, 2 for a wrong call or settings."""
    import msgspec

    from assistant.messages import PanelState
    from hardware.gpio import GpioPanel, model_of_pi

    if not 0 < args.seconds <= 600:
        raise Usage(f"--seconds {args.seconds:g}: between 0 and 600")
    config = settings(args.config)
    if args.mock:
        config = msgspec.structs.replace(config, kind="mock")
    if config.kind not in ("gpio", "mock"):
        return _report(args, f"{NO_WIRE}; the panel is {config.kind!r}", _skipped(config))
    messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
    with GpioPanel(config) as panel:
        panel.start(messages.put)
        status = panel.status
        if status.state is PanelState.OFF:
            # Elsewhere than on a Pi nobody expects wires; on a Pi something is to be mended.
            if model_of_pi() or not status.text.endswith("no Raspberry Pi"):
                return _report(args, status.text, [Tested("panel", "failed", status.text)])
            return _report(args, status.text, _skipped(config))
        tests = list(_tests(panel, messages, args.seconds))
    return _report(args, status.text, tests)


def settings(file: Path | None) -> PanelConfig:
    """The panel's settings. `Usage` with everything that is wrong with them."""
    from hardware.panel import USUAL, PanelFaults, panel_config
    from ui.kiosk.config_versions import migrated

    if file is None:
        return USUAL
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Usage(f"{file}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(f"{file}: {error}") from error
    newest = migrated(values)
    if newest.faults:
        raise Usage("\n".join([f"{file} is not right:", *(f"  {fault}" for fault in newest.faults)]))
    found = newest.table.get("panel")
    if not isinstance(found, dict):
        raise Usage(f"{file}: there is no table [panel]; docs/panel.md tells what stands in it")
    try:
        return panel_config(found)
    except PanelFaults as faults:
        raise Usage(
            "\n".join([f"{file} is not right:", *(f"  {fault}" for fault in faults.faults)])
        ) from None


def _parts(config: PanelConfig) -> Iterator[str]:
    yield from (f"lamp of {seat}" for seat, pins in config.seats.items() if pins.lamp_pins)
    yield from (str(button) for button in config.buttons())
    if config.buzzer is not None:
        yield "buzzer"


def _skipped(config: PanelConfig) -> list[Tested]:
    return [Tested(name, "skipped", NO_WIRE) for name in _parts(config)]


def _tests(panel: GpioPanel, messages: queue.SimpleQueue[Message], seconds: float) -> Iterator[Tested]:
    from hardware.lamps import Lamp, Sound

    config = panel.config
    for seat, pins in config.seats.items():
        if pins.lamp_pins:
            panel.show({seat: Lamp.DECIDE})
            yield _seen(f"lamp of {seat}", "is it lit?", config.kind == "mock")
    panel.show({})
    if config.buzzer is not None:
        panel.sound(Sound.YOUR_TURN)
        yield _seen("buzzer", "were there two tones, the second higher?", config.kind == "mock")
    for button in config.buttons():
        lamp = {button.seat: Lamp.QUESTION} if button.seat else {}
        panel.show(lamp)
        yield _pressed(panel, button, messages, seconds)
    panel.show({})


def _seen(name: str, question: str, mock: bool) -> Tested:
    """Ask whether something was seen or heard, where there is somebody to ask."""
    if mock or not sys.stdin.isatty():
        # Long enough to be seen on a real table.
        time.sleep(0.05 if mock else 1.0)
        return Tested(name, "shown")
    say(f"{name}: {question} [Y/n]")
    answer = sys.stdin.readline().strip().lower()
    return Tested(name, "failed", "not seen") if answer.startswith("n") else Tested(name, "good")


def _pressed(
    panel: GpioPanel, button: Button, messages: queue.SimpleQueue[Message], seconds: float
) -> Tested:
    """Wait for one button, and tell what came in its place."""
    from assistant.messages import Press

    if str(button) in panel.status.left_out:
        return Tested(str(button), "failed", f"{panel.status.text}; look at active_low, pull and the wire")
    while not messages.empty():
        messages.get()
    if panel.config.kind == "mock":
        _press_mock(panel, button)
    else:
        say(f"press {button}")
    others: list[str] = []
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            message = messages.get(timeout=left)
        except queue.Empty:
            break
        if not isinstance(message, Press) or message.repeat:
            continue
        came = f"{message.seat} {message.button}" if message.seat else message.button
        if came == str(button):
            text = f"after {', '.join(others)}" if others else ""
            return Tested(str(button), "failed" if others else "good", text)
        others.append(came)
        say(f"that was {came}; press {button}")
    return Tested(str(button), "failed", f"{', '.join(others)} came" if others else "nothing came")


def _press_mock(panel: GpioPanel, button: Button) -> None:
    pin = panel.factory.pin(panel.config.buttons()[button])
    down, up = pin.drive_low, pin.drive_high
    if not panel.config.active_low:
        down, up = up, down
    steps: tuple[tuple[Callable[[], None], float], ...] = ((down, PRESS_S), (up, GAP_S))
    for step, pause in steps:
        step()
        time.sleep(pause)


def _report(args: argparse.Namespace, text: str, tests: list[Tested]) -> int:
    good = not any(test.result == "failed" for test in tests)
    if args.json:
        print_json({"panel": text, "good": good, "tests": [test._asdict() for test in tests]})
    else:
        print(text)
        for line in table([test for test in tests if test.name != "panel"]):
            print(f"  {line}")
    return GOOD if good else NO
