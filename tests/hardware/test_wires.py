"""The same tests on mock pins and on real ones: a wire from a pin that drives to the pin of a button.

For real ones connect two free pins of a Raspberry Pi and name them: STATIONMASTER_WIRE=24,25.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Iterator
from typing import Any

import gpiozero
import pytest

from assistant.messages import Message, PanelState, Press
from hardware.gpio import GpioPanel, back_end, make_factory, model_of_pi
from hardware.panel import PanelConfig, SeatPins

SOON_S = 5.0


class Wire:
    """A button whose contact is closed and opened by the other end of its wire."""

    def __init__(self, factory: Any, pin: int, driver: Any = None) -> None:
        self.factory = factory
        self.pin = pin
        self.driver = driver

    def down(self) -> None:
        if self.driver is None:
            self.factory.pin(self.pin).drive_low()
        else:
            self.driver.off()

    def up(self) -> None:
        if self.driver is None:
            self.factory.pin(self.pin).drive_high()
        else:
            self.driver.on()


@pytest.fixture(params=["mock", "wire"])
def wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    if request.param == "mock":
        yield Wire(make_factory("mock"), 25)
        return
    named = os.environ.get("STATIONMASTER_WIRE", "")
    if not named or not model_of_pi():
        pytest.skip("skipped: no wire")
    drives, read = (int(pin) for pin in named.split(","))
    factory = make_factory(back_end("", model_of_pi()))
    driver = gpiozero.DigitalOutputDevice(drives, initial_value=True, pin_factory=factory)
    yield Wire(factory, read, driver)
    driver.close()
    factory.close()


@pytest.fixture
def got() -> queue.SimpleQueue[Message]:
    return queue.SimpleQueue()


def panel_on(wire: Wire, name: str) -> GpioPanel:
    pins = SeatPins(plus=wire.pin) if name == "plus" else SeatPins(ok=wire.pin)
    return GpioPanel(PanelConfig(kind="gpio", seats={"A": pins}), factory=wire.factory)


def presses(got: queue.SimpleQueue[Message], seconds: float) -> list[Press]:
    found, end = [], time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            message = got.get(timeout=left)
        except queue.Empty:
            break
        if isinstance(message, Press):
            found.append(message)
    return found


@pytest.mark.parametrize(("seconds", "held"), [(0.1, False), (1.0, True)])
def test_a_press_is_short_or_long(
    wire: Wire, got: queue.SimpleQueue[Message], seconds: float, held: bool
) -> None:
    with panel_on(wire, "ok") as panel:
        panel.start(got.put)
        assert panel.status.state is PanelState.RUNNING
        wire.down()
        time.sleep(seconds)
        wire.up()
        assert [press.held for press in presses(got, 0.3)] == [held]


def pulses(wire: Wire, got: queue.SimpleQueue[Message]) -> None:
    """Five pulses that together are shorter than a press; again where the machine was too slow for that."""
    for _ in range(20):
        began = time.monotonic()
        for _ in range(5):
            wire.down()
            wire.up()
        if time.monotonic() - began < 0.015:
            return
        presses(got, 0.1)
    pytest.skip("this machine is too busy for short pulses")


def test_bounce_and_pulses(wire: Wire, got: queue.SimpleQueue[Message]) -> None:
    with panel_on(wire, "ok") as panel:
        panel.start(got.put)
        pulses(wire, got)
        assert presses(got, 0.1) == []
        pulses(wire, got)
        wire.down()
        time.sleep(0.18)
        wire.up()
        assert len(presses(got, 0.3)) == 1


def test_a_held_plus_repeats_and_ends_with_the_release(wire: Wire, got: queue.SimpleQueue[Message]) -> None:
    with panel_on(wire, "plus") as panel:
        panel.start(got.put)
        wire.down()
        time.sleep(0.95)
        wire.up()
        found = presses(got, 0.8)
    assert [press.repeat for press in found[:2]] == [False, True]
    assert all(press.at - found[0].at < 1.2 for press in found)


def test_a_second_panel_on_the_wire_is_off(wire: Wire, got: queue.SimpleQueue[Message]) -> None:
    with panel_on(wire, "ok") as first, panel_on(wire, "ok") as second:
        first.start(got.put)
        second.start(lambda message: None)
        assert second.status.state is PanelState.OFF
        wire.down()
        time.sleep(0.1)
        wire.up()
        assert len(presses(got, 0.3)) == 1
