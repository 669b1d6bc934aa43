"""Keys in the place of buttons, and the scripted panel."""

import queue

import pytest

from assistant.messages import Holding, Message, PanelState, Press
from hardware.debounce import Edge, button
from hardware.keyboard import KEYS, KeyboardPanel
from hardware.lamps import Lamp, Sound
from hardware.panel import SEATS
from hardware.scripted import ScriptedPanel, presses


class Desk:
    """A keyboard panel on a clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 10.0
        self.got: list[Message] = []
        self.heard: list[Sound] = []
        self.panel = KeyboardPanel(clock=lambda: self.now, sounded=self.heard.append)
        assert self.panel.begin(self.got.append)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.01)):
            self.now += 0.01
            self.panel.turn(self.now)

    @property
    def pressed(self) -> list[tuple[str, str | None, bool]]:
        return [(m.button, m.seat, m.held) for m in self.got if isinstance(m, Press)]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_every_button_has_a_key(desk: Desk) -> None:
    wanted = {button(f"{seat} {name}") for seat in SEATS for name in ("plus", "ok")} | {button("next")}
    assert set(KEYS.values()) == wanted
    for key in KEYS:
        assert desk.panel.key(key, True)
        desk.wait(0.1)
        assert desk.panel.key(key, False)
        desk.wait(0.1)
    assert desk.pressed == [(button.name, button.seat, False) for button in KEYS.values()]
    assert not desk.panel.key("z", True)


def test_a_key_that_repeats_by_itself_is_one_press(desk: Desk) -> None:
    for _ in range(40):
        desk.panel.key("a", True)
        desk.wait(0.03)
    desk.panel.key("a", False)
    desk.wait(0.1)
    assert desk.pressed == [("ok", "A", True)]
    assert [message.down for message in desk.got if isinstance(message, Holding)] == [True, False]


def test_pairs_of_up_and_down_that_a_window_system_makes_are_one_press(desk: Desk) -> None:
    desk.panel.key("a", True)
    for _ in range(30):
        desk.wait(0.03)
        desk.panel.key("a", False)
        desk.panel.key("a", True)
    desk.panel.key("a", False)
    desk.wait(0.1)
    assert desk.pressed == [("ok", "A", True)]


def test_a_window_that_loses_the_keyboard_lets_go(desk: Desk) -> None:
    desk.panel.key("q", True)
    desk.wait(0.1)
    desk.panel.release()
    desk.wait(3.0)
    assert desk.pressed == [("plus", "A", False)]


def test_two_keys_of_one_button_are_one_button(desk: Desk) -> None:
    desk.panel.key("space", True)
    desk.wait(0.1)
    desk.panel.key("spacebar", True)
    desk.wait(0.1)
    desk.panel.key("space", False)
    desk.wait(0.1)
    assert desk.pressed == []
    desk.panel.key("spacebar", False)
    desk.wait(0.1)
    assert desk.pressed == [("next", None, False)]


def test_lamps_are_kept_for_the_screen_and_sounds_handed_on(desk: Desk) -> None:
    desk.panel.show({"A": Lamp.LOCKED, "B": Lamp.QUESTION}, held=["C"])
    desk.wait(0.1)
    assert desk.panel.lamps == {"A": Lamp.LOCKED, "B": Lamp.QUESTION, "C": Lamp.HELD}
    assert [desk.panel.level(seat) for seat in "ACD"] == [0.15, 1.0, 0.0]
    desk.panel.sound(Sound.REFUSED)
    assert desk.heard == [Sound.REFUSED]


def test_the_thread_of_a_keyboard_panel_posts_presses() -> None:
    got: queue.SimpleQueue[Message] = queue.SimpleQueue()
    with KeyboardPanel() as panel:
        panel.start(got.put)
        assert panel.status.state is PanelState.RUNNING
        assert got.get(timeout=5) == panel.status
        panel.key("q", True)
        press = got.get(timeout=5)
        assert isinstance(press, Press)
        assert (press.button, press.seat) == ("plus", "A")


# ---- scripted


@pytest.fixture
def got() -> list[Message]:
    return []


def test_a_script_is_played_on_its_own_clock(got: list[Message]) -> None:
    script = presses(("A plus", 1.0), ("A ok", 2.0, 1.0), ("next", 2.5))
    with ScriptedPanel(script) as panel:
        panel.start(got.append)
        panel.advance(1.5)
        assert [m.button for m in got if isinstance(m, Press)] == ["plus"]
        panel.show({"A": Lamp.DECIDE})
        panel.sound(Sound.RECORDED)
        panel.advance(4.0)
        assert [(m.button, m.held, m.at) for m in got if isinstance(m, Press)] == [
            ("plus", False, 1.0),
            ("next", False, 2.6),
            ("ok", True, 3.0),
        ]
        assert panel.shown == [(1.5, {"A": Lamp.DECIDE})]
        assert panel.sounds == [(1.5, Sound.RECORDED)]
        panel.press("B ok")
        panel.advance(5.0)
        assert [m.seat for m in got if isinstance(m, Press)][-1] == "B"


def test_a_script_may_hold_anything_that_a_contact_does(got: list[Message]) -> None:
    ok = button("A ok")
    edges = [Edge(ok, number % 2 == 0, 1 + ms / 1000) for number, ms in enumerate((0, 1, 2, 4, 5, 180))]
    with ScriptedPanel(edges) as panel:
        panel.start(got.append)
        panel.advance(3.0)
    assert len([m for m in got if isinstance(m, Press)]) == 1


def test_the_same_script_gives_the_same_messages() -> None:
    def played() -> list[Message]:
        out: list[Message] = []
        with ScriptedPanel(presses(("A plus", 0.5, 2.0), ("B ok", 1.0, 0.9))) as panel:
            panel.start(out.append)
            panel.advance(5.0)
        return out

    assert played() == played()


def test_a_script_can_be_played_live() -> None:
    got: queue.SimpleQueue[Message] = queue.SimpleQueue()
    with ScriptedPanel(presses(("A plus", 0.05))) as panel:
        panel.start(got.put, live=True)
        got.get(timeout=5)
        assert getattr(got.get(timeout=5), "button", "") == "plus"
        panel.press("next")
        assert getattr(got.get(timeout=5), "button", "") == "next"
