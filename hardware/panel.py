"""Buttons, lamps and buzzer as one panel: its settings, its interface, and how one is opened.

A panel only enqueues: whatever a button does becomes a message to `post`. A panel that cannot work says so
in its status, "buttons off, use the screen", and does nothing else: the game goes on by touch.
"""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, Self

import msgspec

from assistant.messages import Message, PanelState, PanelStatus
from hardware.debounce import NEXT, OK, PLUS, Button, Timing
from hardware.lamps import Lamp, Sound

SEATS = ("A", "B", "C", "D")
COLOURS = {"A": "#EE6E66", "B": "#FFD326", "C": "#6E97FF", "D": "#72F5D4"}
"""The seats' colours as the screen shows them, for lamps of three colours."""
PINS = range(28)
"""The GPIO numbers of a Raspberry Pi's header."""
PULLED_UP = (2, 3)
"""Pins with a resistor to 3.3 V on the board."""
Post = Callable[[Message], None]
Factory = Literal["", "lgpio", "rpigpio", "pigpio", "native", "mock"]


class PanelFaults(ValueError):
    """Everything that is wrong with a panel's settings, a sentence each."""

    def __init__(self, faults: Collection[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


class SeatPins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's pins by GPIO number; what is left out is not there. A lamp has one pin, or three for red,
    green and blue, which then show `colour`."""

    plus: int | None = None
    ok: int | None = None
    lamp: int | tuple[int, int, int] | None = None
    colour: str = ""

    @property
    def lamp_pins(self) -> tuple[int, ...]:
        """The lamp's pins: none, one or three."""
        if self.lamp is None:
            return ()
        return (self.lamp,) if isinstance(self.lamp, int) else self.lamp


class PanelConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[panel]` of the settings. `next` and `buzzer` are GPIO numbers.

    An empty `factory` is chosen by the model of the Pi. `active_low` is for buttons that connect their pin to
    ground, `lamp_active_low` for lamps that light when their pin is low.
    """

    kind: Literal["gpio", "keyboard", "none", "mock"] = "none"
    factory: Factory = ""
    seats: dict[str, SeatPins] = {}
    next: int | None = None
    buzzer: int | None = None
    active_low: bool = True
    pull: Literal["up", "down", "none"] = "up"
    lamp_active_low: bool = False
    timing: Timing = Timing()

    def buttons(self) -> dict[Button, int]:
        """Every button that has a pin."""
        found = {}
        for seat, pins in self.seats.items():
            for name, pin in ((PLUS, pins.plus), (OK, pins.ok)):
                if pin is not None:
                    found[Button(name, seat)] = pin
        if self.next is not None:
            found[Button(NEXT)] = self.next
        return found

    def colour(self, seat: str) -> tuple[float, float, float]:
        """The colour of a seat's lamp: red, green and blue, 0 to 1."""
        text = (self.seats[seat].colour if seat in self.seats else "") or COLOURS.get(seat, "#FFFFFF")
        red, green, blue = (int(text[at : at + 2], 16) / 255 for at in (1, 3, 5))
        return red, green, blue

    def faults(self, seats: Collection[str] = SEATS) -> tuple[str, ...]:
        """Everything that is wrong with these settings at a table with such seats."""
        return tuple(self._faults(seats))

    def _faults(self, seats: Collection[str]) -> Iterator[str]:
        uses: defaultdict[int, list[str]] = defaultdict(list)
        for seat, pins in self.seats.items():
            if seat not in seats:
                yield f"[panel.seats.{seat}]: there is no seat {seat}; the seats are {', '.join(seats)}"
            if pins.colour and not re.fullmatch(r"#[0-9A-Fa-f]{6}", pins.colour):
                yield f'seat {seat}: colour {pins.colour!r} is not written like "#EE6E66"'
            for pin in pins.lamp_pins:
                uses[pin].append(f"lamp of {seat}")
        for button, pin in self.buttons().items():
            uses[pin].append(str(button))
            if self.pull == "down" and pin in PULLED_UP:
                yield f"{button}: pin {pin} has a resistor to 3.3 V on the board and cannot be pulled down"
        if self.buzzer is not None:
            uses[self.buzzer].append("buzzer")
        for pin, names in uses.items():
            if pin not in PINS:
                yield f"{names[0]}: there is no pin {pin}; GPIO numbers go from 0 to {PINS[-1]}"
            if len(names) > 1:
                yield f"pin {pin} is used {len(names)} times: {', '.join(names)}"
        if self.kind in ("gpio", "mock") and not uses:
            yield f'[panel]: kind = "{self.kind}" needs pins, like [panel.seats.A] with plus = 5, ok = 6'
        yield from _timing_faults(self.timing)


USUAL = PanelConfig(
    kind="gpio",
    seats={
        "A": SeatPins(plus=5, ok=6, lamp=12),
        "B": SeatPins(plus=13, ok=19, lamp=16),
        "C": SeatPins(plus=26, ok=20, lamp=21),
        "D": SeatPins(plus=17, ok=27, lamp=22),
    },
    next=23,
    buzzer=18,
)
"""The wiring that docs/panel.md shows."""


def _timing_faults(timing: Timing) -> Iterator[str]:
    for name in timing.__struct_fields__:
        if not getattr(timing, name) > 0:
            yield f"[panel.timing]: {name} must be more than 0"
    for less, more in (
        ("settle", "show_after"),
        ("show_after", "long"),
        ("long", "stuck_after"),
        ("repeat_after", "stuck_after"),
        ("settle", "repeat_every"),
        ("settle", "chatter_unsettled"),
    ):
        if getattr(timing, less) >= getattr(timing, more):
            yield f"[panel.timing]: {less} must be less than {more}"


def panel_config(table: Mapping[str, Any], seats: Collection[str] = SEATS) -> PanelConfig:
    """The settings in a table `[panel]`. Raises PanelFaults with everything that is wrong."""
    faults: list[str] = []
    values = _fields(PanelConfig, table, "panel", faults)
    if isinstance(given := table.get("seats"), Mapping):
        read = {seat: _struct(SeatPins, pins, f"panel.seats.{seat}", faults) for seat, pins in given.items()}
        values["seats"] = {seat: pins for seat, pins in read.items() if pins is not None}
    elif given is not None:
        faults.append("[panel]: seats must be tables, like [panel.seats.A]")
    if "timing" in table:
        values["timing"] = _struct(Timing, table["timing"], "panel.timing", faults) or Timing()
    config = PanelConfig(**values)
    # Said once: a value that could not be read was left at its default.
    faults += [fault for fault in config.faults(seats) if not (faults and "needs pins" in fault)]
    if faults:
        raise PanelFaults(faults)
    return config


def _struct(kind: type[Any], given: object, where: str, faults: list[str]) -> Any:
    if isinstance(given, Mapping):
        return kind(**_fields(kind, given, where, faults))
    faults.append(f"[{where}] must be a table")
    return None


def _fields(kind: type[Any], given: Mapping[str, Any], where: str, faults: list[str]) -> dict[str, Any]:
    """The values of a table that fit their fields; the others become faults."""
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    values = {}
    for name, value in given.items():
        if name not in fields:
            close = difflib.get_close_matches(name, fields, n=1)
            hint = f"nearest is {close[0]!r}" if close else f"there are: {', '.join(fields)}"
            faults.append(f"[{where}]: there is no setting {name!r}; {hint}")
        elif name not in ("seats", "timing"):
            try:
                values[name] = msgspec.convert(value, fields[name])
            except msgspec.ValidationError as error:
                faults.append(f"[{where}]: {name} = {value!r}: {_said(error)}")
    return values


def _said(error: msgspec.ValidationError) -> str:
    said = str(error)
    return said[:1].lower() + said[1:].replace("`", "")


class Panel(ABC):
    """Buttons, lamps and buzzer. Every method may be called from any thread; none waits for a person."""

    @property
    @abstractmethod
    def status(self) -> PanelStatus:
        """How it stands with the panel."""

    @abstractmethod
    def start(self, post: Post) -> None:
        """Begin. `post` gets every press and every change of status, the first one at once. Whatever is
        wrong ends up in the status; nothing is raised."""

    @abstractmethod
    def show(self, lamps: Mapping[str, Lamp], held: Collection[str] = ()) -> None:
        """What each seat's lamp says from now on; a seat that is left out is off. The lamps of `held`, seats
        whose OK is down, are steady whatever else they would say."""

    @abstractmethod
    def sound(self, sound: Sound) -> None:
        """Sound once; it ends a sound that is still to be heard."""

    @abstractmethod
    def close(self) -> None:
        """Give everything back. Closing twice is allowed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class NoPanel(Panel):
    """A table without buttons."""

    def __init__(self) -> None:
        self._status = PanelStatus(PanelState.OFF, "no buttons, use the screen")

    @property
    def status(self) -> PanelStatus:
        return self._status

    def start(self, post: Post) -> None:
        post(self._status)

    def show(self, lamps: Mapping[str, Lamp], held: Collection[str] = ()) -> None:
        return

    def sound(self, sound: Sound) -> None:
        return

    def close(self) -> None:
        return


def off(why: str, at: float) -> PanelStatus:
    """The status of a panel that does not work."""
    return PanelStatus(PanelState.OFF, f"buttons off, use the screen: {why}", at=at)


def open_panel(config: PanelConfig) -> Panel:
    """The panel that the settings name; `start` begins it."""
    if config.kind == "none":
        return NoPanel()
    if config.kind == "keyboard":
        from hardware.keyboard import KeyboardPanel

        return KeyboardPanel(timing=config.timing)
    from hardware.gpio import GpioPanel

    return GpioPanel(config)
