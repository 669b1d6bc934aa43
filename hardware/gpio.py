"""The panel on a Raspberry Pi's pins, by way of gpiozero.

The back-end is chosen by us and never fallen back from: gpiozero tries one after the other, and what it ends
with may not work on this Pi (gpiozero#1229, #1166). Readers only put edges with their times into a queue.
This has never run on a Raspberry Pi; docs/panel.md says what has been tried.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.debounce import Button, Inputs
from hardware.driven import DrivenPanel, PanelTrouble
from hardware.panel import PanelConfig

BACK_ENDS = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory", "sudo apt install python3-lgpio"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory", "sudo apt install python3-rpi.gpio"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory", "sudo apt install python3-pigpio"),
    "native": ("gpiozero.pins.native", "NativeFactory", "make setup"),
    "mock": ("gpiozero.pins.mock", "MockFactory", "make setup"),
}
"""A back-end's module and class in gpiozero, and the command that brings what it needs."""
ON_PI_5 = ("lgpio", "mock")
"""The pins of a Pi 5 hang on a chip of its own (RP1), which the others do not know."""
PI_5 = ("Raspberry Pi 5", "Raspberry Pi Compute Module 5")
MODEL = Path("/proc/device-tree/model")
LOCK = "stationmaster-panel"
LAMP_HZ = 200
OLDEST_EDGE_S = 5.0
"""A time that lies further back is of another clock."""


def model_of_pi(path: Path = MODEL) -> str:
    """The model as the Pi itself gives it, "Raspberry Pi 5 Model B Rev 1.0"; empty on other computers."""
    try:
        model = path.read_text(encoding="utf-8", errors="replace").strip("\0 \n")
    except OSError:
        return ""
    return model if model.startswith("Raspberry Pi") else ""


def back_end(wanted: str, model: str) -> str:
    """The back-end to use: the one that is wanted, else lgpio on a Pi. Raises PanelTrouble."""
    if not wanted:
        if not model:
            raise PanelTrouble("this is no Raspberry Pi")
        return "lgpio"
    if model.startswith(PI_5) and wanted not in ON_PI_5:
        raise PanelTrouble(f'{wanted} does not work on a Raspberry Pi 5; set factory = "lgpio"')
    return wanted


def make_factory(name: str) -> Any:
    """A pin factory of gpiozero. Raises PanelTrouble when it is missing or cannot work here."""
    module, kind, fix = BACK_ENDS[name]
    if name == "lgpio":
        # It makes a pipe in the present folder, and cannot be imported where that is not allowed.
        os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        made = getattr(importlib.import_module(module), kind)
        if name == "mock":
            from gpiozero.pins.mock import MockPWMPin

            return made(revision="c04170", pin_class=MockPWMPin)
        return made()
    except ImportError as error:
        missing = "gpiozero" if (error.name or "").split(".")[0] == "gpiozero" else name
        raise PanelTrouble(f"{missing} is missing; {fix}") from error
    except Exception as error:
        raise PanelTrouble(f"{name} cannot work here: {_said(error)}") from error


class _Reader:
    """Hears of one pin. gpiozero calls it on a thread that other pins wait for, so it only enqueues."""

    def __init__(self, panel: GpioPanel, button: Button, active: int) -> None:
        self._panel = panel
        self._button = button
        self._active = active

    def changed(self, ticks: float, state: float) -> None:
        """The pin's level changed, at a time of the back-end's clock."""
        self._panel.enter(self._button, int(bool(state)) == self._active, self._panel.time_of(ticks))


class GpioPanel(DrivenPanel):
    """Buttons, lamps and buzzer at the pins that the settings name.

    `factory` is a pin factory of gpiozero to use in the place of the one that settings and `model` choose;
    it is not closed with the panel. Only one panel at a time on a machine takes real pins.
    """

    def __init__(
        self,
        config: PanelConfig,
        *,
        factory: Any = None,
        model: str | None = None,
        lock: str | None = LOCK,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock)
        self.config = config
        self.factory = factory
        self._given = factory is not None
        self._model = model_of_pi() if model is None else model
        self._lock_name = None if self._given or self._wants == "mock" else lock
        self._taken: socket.socket | None = None
        self._readers: list[_Reader] = []
        self._inputs_by: dict[Button, Any] = {}
        self._lamps_by: dict[str, tuple[Any, ...]] = {}
        self._buzzer: Any = None
        self._beat = 0.0

    @property
    def _wants(self) -> str:
        return "mock" if self.config.kind == "mock" else self.config.factory

    def time_of(self, ticks: float) -> float:
        """A time of the back-end on our clock. Back-ends count from different beginnings, and lgpio's time is
        the kernel's: an age that cannot be means that the edge is from now."""
        now = self._clock()
        try:
            age = float(self.factory.ticks_diff(self.factory.ticks(), ticks))
        except Exception:
            return now
        return now - age if 0 <= age <= OLDEST_EDGE_S else now

    def _open(self) -> Inputs:
        if faults := self.config.faults(tuple(self.config.seats)):
            raise PanelTrouble("; ".join(faults))
        try:
            import gpiozero
        except ImportError as error:
            raise PanelTrouble(f"gpiozero is missing; make setup ({error})") from error
        self._take()
        if not self._given:
            self.factory = make_factory(back_end(self._wants, self._model))
        for button, pin in self.config.buttons().items():
            self._inputs_by[button] = self._made(pin, str(button), self._input(gpiozero, button, pin))
        for seat, pins in self.config.seats.items():
            lights = [
                self._made(pin, f"lamp of {seat}", self._output(gpiozero, pin)) for pin in pins.lamp_pins
            ]
            if lights:
                self._lamps_by[seat] = tuple(lights)
        if self.config.buzzer is not None:
            pin = self.config.buzzer
            self._buzzer = self._made(pin, "buzzer", self._output(gpiozero, pin, low=False))
        buttons = tuple(self._inputs_by)
        down = [button for button in buttons if self._level(button)]
        return Inputs(buttons, self.config.timing, level=self._level, down=down, at=self._clock())

    def _take(self) -> None:
        """Be the only panel on this machine: some back-ends let two programs set the same pin."""
        if self._lock_name is None:
            return
        taken = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            # A name without a file, which goes away with its program whatever becomes of that.
            taken.bind(f"\0{self._lock_name}")
        except OSError as error:
            taken.close()
            raise PanelTrouble("another Stationmaster has the pins; end it first") from error
        self._taken = taken

    def _made(self, pin: int, what: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except PanelTrouble:
            raise
        except Exception as error:
            said = _said(error)
            if "busy" in said.lower() or "in use" in said.lower():
                raise PanelTrouble(f"another program has pin {pin} ({what}); end it first") from error
            raise PanelTrouble(f"pin {pin} ({what}): {said}") from error

    def _input(self, gpiozero: Any, button: Button, pin: int) -> Callable[[], Any]:
        def make() -> Any:
            low = self.config.active_low
            # gpiozero takes the polarity from the pull, and lets it be said only where there is none.
            pull = {"up": True, "down": False, "none": None}[self.config.pull]
            device = gpiozero.InputDevice(
                pin,
                pull_up=pull,
                active_state=None if pull is not None else not low,
                pin_factory=self.factory,
            )
            reader = _Reader(self, button, 0 if low else 1)
            self._readers.append(reader)
            try:
                device.pin.edges = "both"
                device.pin.when_changed = reader.changed
            except BaseException:
                device.close()
                raise
            return device

        return make

    def _output(self, gpiozero: Any, pin: int, low: bool | None = None) -> Callable[[], Any]:
        high = not (self.config.lamp_active_low if low is None else low)

        def make() -> Any:
            try:
                return gpiozero.PWMOutputDevice(
                    pin, active_high=high, initial_value=0, frequency=LAMP_HZ, pin_factory=self.factory
                )
            except gpiozero.PinPWMUnsupported:
                return gpiozero.DigitalOutputDevice(pin, active_high=high, pin_factory=self.factory)

        return make

    def _level(self, button: Button) -> bool:
        """Whether a button is down now, by its pin."""
        active = 0 if self.config.active_low else 1
        return int(bool(self._inputs_by[button].pin.state)) == active

    def _light(self, seat: str, value: float) -> None:
        lights = self._lamps_by.get(seat, ())
        parts = (value,) if len(lights) == 1 else tuple(value * part for part in self.config.colour(seat))
        for light, part in zip(lights, parts, strict=False):
            # Without PWM a lamp is on or off.
            light.value = part if hasattr(light, "frequency") else float(part >= 0.5)

    def _tone(self, hz: float) -> None:
        if self._buzzer is None or not hasattr(self._buzzer, "frequency"):
            return
        if hz:
            self._buzzer.frequency = hz
        self._buzzer.value = 0.5 if hz else 0.0

    def _shut(self) -> None:
        lights = [light for lamp in self._lamps_by.values() for light in lamp]
        for device in [*self._inputs_by.values(), *lights, self._buzzer]:
            if device is not None:
                # What cannot be given back any more is gone already.
                with contextlib.suppress(Exception):
                    device.close()
        self._inputs_by, self._lamps_by, self._buzzer, self._readers = {}, {}, None, []
        if self.factory is not None and not self._given:
            with contextlib.suppress(Exception):
                self.factory.close()
            self.factory = None
        if self._taken is not None:
            self._taken.close()
            self._taken = None


def _said(error: BaseException) -> str:
    return str(error).strip("'\"") or type(error).__name__
