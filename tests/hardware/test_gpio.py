"""The panel on gpiozero: on its mock pins, and on its lgpio back-end over a stand-in for the library."""

import os
import queue
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpiozero
import msgspec
import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from assistant.messages import Holding, Message, PanelState, PanelStatus, Press
from hardware.driven import PanelTrouble
from hardware.gpio import BACK_ENDS, GpioPanel, back_end, make_factory, model_of_pi
from hardware.lamps import Lamp, Sound
from hardware.panel import USUAL, PanelConfig, SeatPins
from tests.hardware.fake_lgpio import Chip, installed

PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
ROOT = Path(__file__).parents[2]
SOON_S = 5.0


class Heard:
    """What a panel posted."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.all: list[Message] = []

    def post(self, message: Message) -> None:
        self.queue.put(message)

    def press(self) -> Press:
        """The next press, waiting for it."""
        while True:
            message = self.queue.get(timeout=SOON_S)
            self.all.append(message)
            if isinstance(message, Press):
                return message

    def rest(self) -> list[Message]:
        while not self.queue.empty():
            self.all.append(self.queue.get())
        return self.all


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def pins() -> Any:
    return MockFactory(revision="c04170", pin_class=MockPWMPin)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def panel(pins: Any, heard: Heard) -> Iterator[GpioPanel]:
    with GpioPanel(USUAL, factory=pins) as made:
        made.start(heard.post)
        assert made.status.state is PanelState.RUNNING
        yield made


def press(pins: Any, pin: int, seconds: float = 0.06) -> None:
    pins.pin(pin).drive_low()
    time.sleep(seconds)
    pins.pin(pin).drive_high()


# ---- buttons


def test_each_button_comes_with_its_seat(panel: GpioPanel, pins: Any, heard: Heard) -> None:
    for button, pin in USUAL.buttons().items():
        press(pins, pin)
        came = heard.press()
        assert (came.button, came.seat, came.held) == (button.name, button.seat, False)
        assert 0 <= time.monotonic() - came.at < SOON_S
    assert len([message for message in heard.rest() if isinstance(message, Press)]) == 9


def test_a_long_press_is_shown_and_decided_at_release(panel: GpioPanel, pins: Any, heard: Heard) -> None:
    press(pins, 6, 0.9)
    assert heard.press().held
    assert [message.down for message in heard.rest() if isinstance(message, Holding)] == [True, False]


@pytest.mark.parametrize(
    ("active_low", "pull"), [(True, "up"), (True, "none"), (False, "down"), (False, "none")]
)
def test_polarity_and_pull_are_those_of_the_settings(
    active_low: bool, pull: str, pins: Any, heard: Heard
) -> None:
    table = {"kind": "gpio", "next": 23, "active_low": active_low, "pull": pull}
    if pull == "none":
        pins.pin(23).drive_high() if active_low else pins.pin(23).drive_low()
    with GpioPanel(msgspec.convert(table, PanelConfig), factory=pins) as panel:
        panel.start(heard.post)
        assert panel.status.state is PanelState.RUNNING
        assert pins.pin(23).pull == {"none": "floating"}.get(pull, pull)
        pins.pin(23).drive_low() if active_low else pins.pin(23).drive_high()
        time.sleep(0.05)
        pins.pin(23).drive_high() if active_low else pins.pin(23).drive_low()
        assert heard.press().button == "next"


def test_gpiozeros_own_debouncing_is_not_used(panel: GpioPanel, pins: Any) -> None:
    assert all(pins.pin(pin).bounce is None for pin in USUAL.buttons().values())


def test_g08_a_pin_that_is_down_at_the_start_is_left_out_and_comes_back(pins: Any, heard: Heard) -> None:
    config = PanelConfig(kind="gpio", seats={"A": SeatPins(ok=6)}, pull="none")
    pins.pin(6).drive_low()
    with GpioPanel(config, factory=pins) as panel:
        panel.start(heard.post)
        assert panel.status.left_out == ("A ok",)
        assert panel.status.text == "left out, use the screen: A ok (down since the start)"
        pins.pin(6).drive_high()
        until(lambda: panel.status.state is PanelState.RUNNING)
        press(pins, 6)
        assert heard.press().button == "ok"
    assert len([message for message in heard.rest() if isinstance(message, Press)]) == 1


def test_g09_a_slow_receiver_delays_no_reader_and_loses_no_press(pins: Any) -> None:
    got: list[Press] = []

    def slow(message: Message) -> None:
        if isinstance(message, Press):
            got.append(message)
            if len(got) == 1:
                time.sleep(2.0)

    with GpioPanel(USUAL, factory=pins) as panel:
        panel.start(slow)
        began = time.monotonic()
        pins.pin(5).drive_low()
        until(lambda: len(got) == 1)
        pins.pin(5).drive_high()
        time.sleep(0.2)
        press(pins, 19)
        # The reader was not held up by the receiver, which still sleeps.
        pressed = time.monotonic()
        assert pressed - began < 1.5
        until(lambda: len(got) == 2)
    assert [(press.button, press.seat, press.held) for press in got] == [
        ("plus", "A", False),
        ("ok", "B", False),
    ]
    assert got[1].at == pytest.approx(pressed, abs=0.5)


def test_a_receiver_that_fails_turns_the_panel_off_and_says_why(pins: Any) -> None:
    def broken(message: Message) -> None:
        if isinstance(message, Press):
            raise RuntimeError("no table")

    with GpioPanel(USUAL, factory=pins) as panel:
        panel.start(broken)
        press(pins, 6)
        until(lambda: panel.status.state is PanelState.OFF)
        assert panel.status.text == "buttons off, use the screen: RuntimeError: no table"


# ---- lamps and buzzer


def test_lamps_are_lit_as_shown(panel: GpioPanel, pins: Any) -> None:
    lamps = [pins.pin(pin) for pin in (12, 16, 21, 22)]
    panel.show({"A": Lamp.DECIDE, "B": Lamp.LOCKED, "C": Lamp.DECIDE}, held=["D"])
    until(lambda: [round(lamp.state, 2) for lamp in lamps] == [1.0, 0.15, 1.0, 1.0])
    panel.show({"A": Lamp.OFF})
    until(lambda: [lamp.state for lamp in lamps] == [0.0] * 4)
    panel.show(dict.fromkeys("ABCD", Lamp.OUT_OF_STEP))
    time.sleep(1.1)
    panel.close()
    assert [lamp.state for lamp in lamps] == [0.0] * 4
    changes = [[state.state for state in lamp.states][-3:] for lamp in lamps]
    assert all(change == changes[0] for change in changes)


def test_a_lamp_of_three_colours_has_the_seats_colour(pins: Any) -> None:
    config = PanelConfig(
        kind="gpio", seats={"A": SeatPins(lamp=(12, 16, 20), colour="#FF0080")}, lamp_active_low=True
    )
    with GpioPanel(config, factory=pins) as panel:
        panel.start(lambda message: None)
        panel.show({"A": Lamp.DECIDE})
        until(lambda: [round(1 - pins.pin(pin).state, 2) for pin in (12, 16, 20)] == [1.0, 0.0, 0.5])


def test_the_buzzer_plays_and_falls_silent(panel: GpioPanel, pins: Any) -> None:
    buzzer, heard = pins.pin(18), []

    def listening() -> bool:
        if buzzer.state and buzzer.frequency not in heard:
            heard.append(buzzer.frequency)
        return len(heard) == 2 and not buzzer.state

    panel.sound(Sound.YOUR_TURN)
    until(listening)
    assert heard == [660, 880]


def test_without_pwm_lamps_are_on_or_off(heard: Heard) -> None:
    pins = MockFactory(revision="c04170", pin_class=MockPin)
    with GpioPanel(USUAL, factory=pins) as panel:
        panel.start(heard.post)
        assert panel.status.state is PanelState.RUNNING
        panel.show({"A": Lamp.DECIDE, "B": Lamp.LOCKED})
        panel.sound(Sound.RECORDED)
        until(lambda: bool(pins.pin(12).state))
        assert not pins.pin(16).state
        press(pins, 6)
        assert heard.press().seat == "A"


# ---- back-ends


@pytest.mark.parametrize("name", ["lgpio", "rpigpio", "pigpio", "native"])
def test_g05_a_back_end_that_is_missing_turns_the_buttons_off_and_no_other_is_tried(
    name: str, monkeypatch: pytest.MonkeyPatch, heard: Heard
) -> None:
    module, _, fix = BACK_ENDS[name]
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    config = msgspec.structs.replace(USUAL, factory=name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with GpioPanel(config, model=PI_5 if name == "lgpio" else PI_4, lock=None) as panel:
            panel.start(heard.post)
            assert panel.status.state is PanelState.OFF
            assert panel.status.text.startswith("buttons off, use the screen: ")
            assert fix in panel.status.text
            assert heard.rest() == [panel.status]
            # It does nothing else, and nothing of it fails.
            panel.show({"A": Lamp.DECIDE})
            panel.sound(Sound.RECORDED)
    assert gpiozero.Device.pin_factory is None


@pytest.mark.parametrize("library", ["lgpio", "RPi", "pigpio"])
def test_g05_a_library_that_is_missing_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = {"RPi": "rpigpio"}.get(library, library)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, BACK_ENDS[name][0], raising=False)
    with pytest.raises(PanelTrouble, match=f"^{name} is missing; sudo apt install "):
        make_factory(name)


def test_g05_gpiozero_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, heard: Heard) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    panel = GpioPanel(USUAL, model=PI_5, lock=None)
    panel.start(heard.post)
    assert panel.status.text.startswith("buttons off, use the screen: gpiozero is missing; make setup")


@pytest.mark.parametrize("model", [PI_5, "Raspberry Pi Compute Module 5 Rev 1.0", "Raspberry Pi 500 Rev 1.0"])
def test_g05_on_a_pi_5_only_lgpio_is_taken(model: str) -> None:
    assert back_end("", model) == back_end("lgpio", model) == "lgpio"
    for name in ("rpigpio", "pigpio", "native"):
        with pytest.raises(PanelTrouble, match=f'{name} does not work .* Pi 5; set factory = "lgpio"'):
            back_end(name, model)


def test_g05_elsewhere_the_back_end_is_chosen_as_well(tmp_path: Path) -> None:
    assert back_end("", PI_4) == "lgpio"
    assert back_end("native", PI_4) == "native"
    with pytest.raises(PanelTrouble, match="this is no Raspberry Pi"):
        back_end("", "")
    (tmp_path / "model").write_bytes(PI_5.encode() + b"\0")
    assert model_of_pi(tmp_path / "model") == PI_5
    (tmp_path / "model").write_text("Some other board")
    assert model_of_pi(tmp_path / "model") == model_of_pi(tmp_path / "none") == ""


def test_g05_a_back_end_that_cannot_work_here_says_so(heard: Heard) -> None:
    """The pure Python back-end can be imported anywhere, and finds no Pi."""
    config = msgspec.structs.replace(USUAL, factory="native")
    panel = GpioPanel(config, model="", lock=None)
    panel.start(heard.post)
    assert panel.status.state is PanelState.OFF
    assert panel.status.text.startswith("buttons off, use the screen: native cannot work here: ")


# ---- lgpio, as far as that goes without a Pi


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[Chip]:
    with installed(tmp_path) as made:
        yield made


def test_the_panel_runs_on_gpiozeros_lgpio_back_end(chip: Chip, heard: Heard) -> None:
    with GpioPanel(USUAL, model=PI_5, lock=None) as panel:
        panel.start(heard.post)
        assert panel.status.text == "buttons on"
        assert type(panel.factory).__name__ == "LGPIOFactory"
        chip.drive(6, 0)
        time.sleep(0.05)
        chip.drive(6, 1)
        came = heard.press()
        assert (came.button, came.seat) == ("ok", "A")
        assert came.at == pytest.approx(time.monotonic(), abs=1.0)
        panel.show({"A": Lamp.LOCKED})
        until(lambda: chip.pwm.get(12) == (200, 15))
        panel.show({})
        until(lambda: chip.pwm.get(12) == (200, 0))
        panel.sound(Sound.RECORDED)
        until(lambda: chip.pwm.get(18) == (880, 50))
        until(lambda: chip.pwm.get(18) == (880, 0))
    assert (chip.claims, chip.open) == ({}, 0)
    # What it needs to be importable in a folder that cannot be written.
    assert os.environ["LG_WD"]


def test_times_of_a_foreign_clock_are_taken_as_now(chip: Chip, heard: Heard) -> None:
    with GpioPanel(USUAL, model=PI_5, lock=None) as panel:
        panel.start(heard.post)
        now = time.monotonic()
        assert panel.time_of(time.time()) == pytest.approx(now, abs=0.5)
        assert panel.time_of(now - 60) == pytest.approx(now, abs=0.5)
        assert panel.time_of(now - 0.3) == pytest.approx(now - 0.3, abs=0.1)


def second(folder: Path, lock: str) -> list[str]:
    """What a second program says that wants the same pins."""
    command = [sys.executable, "-m", "tests.hardware.second", str(folder), lock]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("locks", "said"),
    [
        (False, "another program has pin 5 (A plus); end it first"),
        (True, "another Stationmaster has the pins; end it first"),
    ],
)
def test_g07_a_second_program_says_one_line_and_disturbs_nothing(
    locks: bool, said: str, chip: Chip, heard: Heard, tmp_path: Path
) -> None:
    lock = f"stationmaster-panel-test-{os.getpid()}" if locks else ""
    with GpioPanel(USUAL, model=PI_5, lock=lock or None) as panel:
        panel.start(heard.post)
        panel.show({"A": Lamp.DECIDE})
        until(lambda: chip.pwm.get(12) == (200, 100))
        assert second(tmp_path, lock) == [f"buttons off, use the screen: {said}"]
        assert chip.pwm[12] == (200, 100)
        chip.drive(6, 0)
        time.sleep(0.05)
        chip.drive(6, 1)
        assert heard.press().seat == "A"
    # Once the first has ended the pins can be had.
    assert second(tmp_path, lock) == ["buttons on"]


def test_g07_a_second_panel_in_the_same_program_disturbs_nothing(
    panel: GpioPanel, pins: Any, heard: Heard
) -> None:
    other, said = GpioPanel(USUAL, factory=pins), Heard()
    other.start(said.post)
    (status,) = said.rest()
    assert isinstance(status, PanelStatus)
    assert status.text == "buttons off, use the screen: another program has pin 5 (A plus); end it first"
    other.close()
    press(pins, 6)
    assert heard.press().seat == "A"


def test_g07_a_pin_that_is_busy_gives_back_those_before_it(chip: Chip, tmp_path: Path, heard: Heard) -> None:
    other = Chip(tmp_path)
    other.claim(22, 2)
    panel = GpioPanel(USUAL, model=PI_5, lock=None)
    panel.start(heard.post)
    assert panel.status.text.endswith(": another program has pin 22 (lamp of D); end it first")
    assert chip.claims == {}
    other.close()
    panel = GpioPanel(USUAL, model=PI_5, lock=None)
    panel.start(heard.post)
    assert panel.status.state is PanelState.RUNNING
    panel.close()


def test_settings_that_are_wrong_turn_the_buttons_off(heard: Heard, pins: Any) -> None:
    panel = GpioPanel(PanelConfig(kind="gpio", next=5, buzzer=5), factory=pins)
    panel.start(heard.post)
    assert panel.status.text == "buttons off, use the screen: pin 5 is used 2 times: next, buzzer"
    panel.close()
    panel.close()


def test_a_back_end_that_fails_in_its_own_way_turns_the_buttons_off(
    pins: Any, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: GpioPanel, button: object) -> bool:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(GpioPanel, "_level", broken)
    panel = GpioPanel(USUAL, factory=pins)
    panel.start(heard.post)
    assert panel.status.text == "buttons off, use the screen: OSError: [Errno 5] Input/output error"
    panel.close()
