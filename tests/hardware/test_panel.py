"""The settings of a panel: everything that is wrong with them is told."""

import tomllib
from pathlib import Path

import pytest

from assistant.messages import Message, PanelState
from hardware.debounce import Button
from hardware.gpio import GpioPanel
from hardware.keyboard import KEYS, KeyboardPanel
from hardware.lamps import Lamp, Sound
from hardware.panel import USUAL, NoPanel, PanelConfig, PanelFaults, open_panel, panel_config

DOCS = (Path(__file__).parents[2] / "docs" / "panel.md").read_text(encoding="utf-8")
GOOD = """
kind = "gpio"
next = 23
[seats.A]
plus = 5
ok = 6
lamp = [12, 16, 20]
colour = "#FF8000"
[seats.B]
plus = 13
ok = 19
[timing]
long = 1.0
"""


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(PanelFaults) as caught:
        panel_config(tomllib.loads(text))
    return caught.value.faults


def test_settings_are_read() -> None:
    config = panel_config(tomllib.loads(GOOD))
    assert config.buttons() == {
        Button("plus", "A"): 5,
        Button("ok", "A"): 6,
        Button("plus", "B"): 13,
        Button("ok", "B"): 19,
        Button("next"): 23,
    }
    assert config.seats["A"].lamp_pins == (12, 16, 20)
    assert config.colour("A") == pytest.approx((1.0, 0.502, 0.0), abs=0.001)
    assert config.colour("B") == pytest.approx((1.0, 0.827, 0.149), abs=0.001)
    assert (config.timing.long, config.timing.settle) == (1.0, 0.02)
    assert panel_config({}) == PanelConfig()


def test_all_faults_are_told_and_not_the_first() -> None:
    found = faults(
        """
        kind = "gpoi"
        activ_low = true
        next = 5
        buzzer = 44
        [seats.A]
        plus = 5
        ok = "six"
        lamp = [5, 7]
        [seats.Z]
        ok = 9
        colour = "red"
        [timing]
        long = 0.1
        settle = 0
        lang = 3
        """
    )
    text = "\n".join(found)
    assert "[panel]: kind = 'gpoi': invalid enum value 'gpoi'" in text
    assert "[panel]: there is no setting 'activ_low'; nearest is 'active_low'" in text
    assert "[panel.seats.A]: ok = 'six': expected int | null, got str" in text
    assert "[panel.seats.A]: lamp = [5, 7]: " in text
    assert "[panel.timing]: there is no setting 'lang'; nearest is 'long'" in text
    assert "[panel.seats.Z]: there is no seat Z; the seats are A, B, C, D" in text
    assert "seat Z: colour 'red' is not written like \"#EE6E66\"" in text
    assert "buzzer: there is no pin 44; GPIO numbers go from 0 to 27" in text
    assert "pin 5 is used 2 times: A plus, next" in text
    assert "[panel.timing]: settle must be more than 0" in text
    assert "[panel.timing]: show_after must be less than long" in text
    assert len(found) == len(set(found)) == 11


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('kind = "gpio"', '[panel]: kind = "gpio" needs pins, like [panel.seats.A] with plus = 5, ok = 6'),
        ("seats = 3", "[panel]: seats must be tables, like [panel.seats.A]"),
        ("seats.A = 3", "[panel.seats.A] must be a table"),
        ("timing = 3", "[panel.timing] must be a table"),
        (
            'pull = "down"\nnext = 3',
            "next: pin 3 has a resistor to 3.3 V on the board and cannot be pulled down",
        ),
        ("[seats.A]\nlamp = [1, 1, 2]", "pin 1 is used 2 times: lamp of A, lamp of A"),
        ("[seats.A]\nplus = -1", "A plus: there is no pin -1; GPIO numbers go from 0 to 27"),
    ],
)
def test_a_fault_is_told_in_a_sentence(text: str, fault: str) -> None:
    assert faults(text) == (fault,)


def test_the_usual_wiring_is_sound_and_the_one_of_the_document() -> None:
    assert USUAL.faults() == ()
    text = DOCS.split("```toml\n")[1].split("```")[0]
    assert panel_config(tomllib.loads(text)["panel"]) == USUAL


def test_every_setting_key_and_pattern_is_described() -> None:
    names = {*PanelConfig.__struct_fields__, *USUAL.seats["A"].__struct_fields__}
    names |= set(USUAL.timing.__struct_fields__)
    assert [name for name in sorted(names) if f"`{name}`" not in DOCS] == []
    assert [key for key in KEYS if f"`{key}`" not in DOCS] == []


def test_a_panel_of_each_kind() -> None:
    assert isinstance(open_panel(PanelConfig()), NoPanel)
    assert isinstance(open_panel(PanelConfig(kind="keyboard")), KeyboardPanel)
    assert isinstance(open_panel(USUAL), GpioPanel)


def test_no_panel_says_so_and_does_nothing() -> None:
    got: list[Message] = []
    with open_panel(PanelConfig()) as panel:
        panel.start(got.append)
        panel.show({"A": Lamp.DECIDE})
        panel.sound(Sound.RECORDED)
        assert got == [panel.status]
        assert panel.status.state is PanelState.OFF
