"""The page widget: every element draws, a tap counts once, changed pages cancel touches, memory is flat."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ui.kiosk.environment import prepare

prepare((1024, 600), offscreen=True)

from kivy.clock import Clock  # noqa: E402

from ui.kiosk import app  # noqa: E402
from ui.kiosk.draw import lettering  # noqa: E402
from ui.kiosk.picture import widget_of  # noqa: E402
from ui.kiosk.screen import CameraPart, PageWidget, overfull  # noqa: E402
from ui.kiosk.tree import tree  # noqa: E402
from ui.kiosk.widgets import DRAW  # noqa: E402
from ui.presenters import elements as e  # noqa: E402
from ui.presenters.aim import Taps  # noqa: E402
from ui.presenters.intents import Go, Intent, Set  # noqa: E402
from ui.presenters.metrics import metrics  # noqa: E402

M = metrics(1024, 600)
BIG = e.Row(
    children=(
        e.Board(
            hexes=(e.Hex("a1", 0, 0, "city", lit=True, cost="2"), e.Hex("a2", 1, 0, "sea")),
            intents={"a1": Go("x")},
            grow=1,
        ),
        e.Column(
            children=(
                e.Text(text="[b] it"), e.Icon(name="camera"), e.Badge(seat="A"), e.Arm(signal="stop"),
                e.Rule(), e.Space(h=4),
                e.Pips(left=2, of=5), e.Meter(share=0.4),
                e.StopLine(stops=(e.Stop("I", "Train", "now"), e.Stop("II", state="ahead"))),
            ),
            w=300,
        ),
        e.Column(
            children=(
                e.BidTrack(
                    cells=(e.Cell(0, e.Disc("A", locked=True)), e.Cell(1, legal=True)), intents={1: Go("y")}),
                e.SpotRow(spots=(
                    e.Spot("G", "1", "grey", here=True, above="2", sign="star", due=True),
                    e.Spot("", gap=True), e.Spot("3", seats=("A", "B")), e.Spot("4", lit=True, chosen=True),
                ), of=4, reach=2, intents={3: Go("z")}),
                e.Chart(labels=("1", "2"), h=120, curves=(
                    e.Curve("A", "Mira", (1, 3)), e.Curve("B", "Jonas", (2, 3)))),
                e.Camera(words="No picture", h=80),
            ),
            w=300,
        ),
    )
)  # fmt: skip


def made(page: str = "one", text: str = "Bid +1") -> e.Page:
    buttons = (
        e.Button(id="grey", text="Grey", reason="Not now"),
        e.Button(id="bid", text=text, kind="paper", intent=Go("bid")),
    )
    return e.Page(
        id=page,
        body=BIG,
        top=e.Text(text="Top"),
        prompt=e.Prompt("Mira: raise?", "Detail", "clear", "A"),
        right=buttons,
    )


class Hand:
    """A widget with what it said, and touches on it."""

    def __init__(self) -> None:
        self.said: list[Intent | str] = []
        self.now, self.lates = 0.0, 0
        self.widget = PageWidget(
            M, self.said.append, self.said.append, late=self.late, clock=lambda: self.now
        )
        self.widget.update(made())

    def late(self) -> None:
        self.lates += 1

    def tap(self, name: str, uid: int, when: float) -> None:
        self.now = when
        touch = self.touch(self.middle(name), uid, when)
        self.widget.on_touch_down(touch)
        self.widget.on_touch_up(touch)

    def middle(self, name: str) -> tuple[float, float]:
        box = next(p.box for p in self.widget.placed if getattr(p.element, "id", "") == name)
        return box.x + box.w / 2, 600 - box.y - box.h / 2

    def touch(self, at: tuple[float, float], uid: int = 1, when: float = 0.0, device: str = "mouse") -> Any:
        return SimpleNamespace(x=at[0], y=at[1], uid=uid, time_start=when, device=device)


def test_every_element_can_be_drawn() -> None:
    """The page below has one of each, and drawing it adds instructions for all that show something."""
    page = made()
    widget = widget_of(page, M)
    held = e.Page(
        id="p", body=e.Panel(child=e.Text(text="In a panel"), acting=True, id="panel", intent=Go("z"))
    )
    kinds = {type(p.element) for p in widget.placed} | {type(p.element) for p in widget_of(held, M).placed}
    assert kinds == set(DRAW)
    empty = {e.Row, e.Column, e.Space}
    assert all(
        part.canvas.length() for part in widget.parts.values() if type(part.placed.element) not in empty
    )


def test_only_what_changed_is_drawn_again() -> None:
    hand = Hand()
    parts = dict(hand.widget.parts)
    before = {path: part.drawn for path, part in parts.items()}
    hand.widget.update(made(text="Bid +2"))
    after = {path for path, part in hand.widget.parts.items() if part.drawn != before[path]}
    assert after == {"right/bid"}
    assert hand.widget.parts == parts


def test_a_tap_gives_the_intent_and_a_grey_button_its_reason() -> None:
    hand = Hand()
    for uid, name in enumerate(("bid", "grey")):
        touch = hand.touch(hand.middle(name), uid, when=uid)
        hand.widget.on_touch_down(touch)
        hand.widget.on_touch_up(touch)
    assert hand.said == [Go("bid"), "Not now"]


@pytest.mark.parametrize("later", [0.0, 0.010, 0.030])
@pytest.mark.parametrize("nested", [True, False])
def test_one_tap_that_arrives_twice_counts_once(later: float, nested: bool) -> None:
    hand = Hand()
    one, two = (hand.touch(hand.middle("bid"), i, i * later, f"device{i}") for i in (0, 1))
    steps = [(0, one), (0, two), (1, one), (1, two)] if nested else [(0, one), (1, one), (0, two), (1, two)]
    for up, touch in steps:
        (hand.widget.on_touch_up if up else hand.widget.on_touch_down)(touch)
    assert hand.said == [Go("bid")]


@pytest.mark.parametrize(("later", "count"), [(0.1, 1), (0.45, 1), (0.55, 2), (5.0, 2)])
def test_the_second_half_of_a_double_tap_does_nothing(later: float, count: int) -> None:
    hand = Hand()
    hand.tap("bid", 0, 1.0)
    # What is there now may belong to the next player.
    hand.widget.update(made(text="Bid +2"))
    hand.tap("bid", 1, 1.0 + later)
    assert len(hand.said) == count


def test_the_second_half_of_a_double_tap_does_nothing_on_the_page_that_came() -> None:
    hand = Hand()
    hand.tap("bid", 0, 1.0)
    hand.widget.update(made("two"))
    hand.tap("bid", 1, 1.2)
    assert hand.said == [Go("bid")]
    hand.tap("grey", 2, 1.3)
    assert hand.said == [Go("bid"), "Not now"], "elsewhere a touch counts at once"


def test_typing_the_same_letter_quickly_counts_each_time() -> None:
    hand = Hand()
    key = e.Button(id="key", text="A", intent=Set({"typed": "A"}))
    hand.widget.update(e.Page(id="keys", body=e.Column(children=(key,))))
    for uid in range(3):
        hand.tap("key", uid, 1.0 + uid * 0.1)
    assert len(hand.said) == 3


def test_a_touch_means_what_it_meant_when_the_finger_came_down() -> None:
    hand = Hand()
    page = e.Page(id="p", body=e.Column(children=(e.Button(id="bid", text="Bid 3", intent=Go("a bids")),)))
    after = e.Page(id="p", body=e.Column(children=(e.Button(id="bid", text="Bid 4", intent=Go("b bids")),)))
    hand.widget.update(page)
    touch = hand.touch(hand.middle("bid"))
    hand.widget.on_touch_down(touch)
    hand.widget.update(after)
    hand.widget.on_touch_up(touch)
    assert (hand.said, hand.lates) == ([], 1)


def test_a_finger_that_is_never_lifted_does_not_block_the_screen() -> None:
    hand = Hand()
    hand.widget.on_touch_down(hand.touch(hand.middle("bid"), 1))
    hand.tap("grey", 2, 0.5)
    assert hand.said == ["Not now"], "a resting hand leaves the rest of the page free"
    hand.tap("bid", 3, 1.0)
    assert hand.said == ["Not now"], "one button is held by one finger"
    hand.now = 3.5
    hand.widget.update(made())
    assert not any(part.down for part in hand.widget.parts.values())
    hand.tap("bid", 4, 3.6)
    assert hand.said == ["Not now", Go("bid")]
    lost = hand.touch(hand.middle("bid"), 1)
    hand.widget.on_touch_up(lost)
    assert hand.said == ["Not now", Go("bid")]


def test_a_touch_that_began_on_another_page_or_slid_off_is_dropped() -> None:
    hand = Hand()
    touch = hand.touch(hand.middle("bid"))
    hand.widget.on_touch_down(touch)
    hand.widget.update(made("two"))
    hand.widget.on_touch_up(touch)
    assert hand.lates == 1
    slid = hand.touch(hand.middle("bid"), 2, 1.0)
    hand.widget.on_touch_down(slid)
    slid.x, slid.y = hand.middle("grey")
    hand.widget.on_touch_up(slid)
    assert hand.said == []


def test_another_thread_may_not_change_the_screen() -> None:
    hand, faults = Hand(), []

    def change() -> None:
        try:
            hand.widget.update(made("two"))
        except RuntimeError as fault:
            faults.append(fault)

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    assert len(faults) == 1


def test_the_camera_has_one_texture_and_words_are_kept() -> None:
    hand = Hand()
    part = next(p for p in hand.widget.parts.values() if isinstance(p, CameraPart))
    hand.widget.camera(bytes(30 * 20 * 3), (30, 20))
    texture, length = part.texture, part.canvas.length()
    for i in range(2000):
        hand.widget.camera(bytes([i % 256]) * 1800, (30, 20))
        hand.widget.update(made(text=f"Bid {i}"))
    assert part.texture is texture
    assert part.canvas.length() == length
    info = lettering.texture.cache_info()
    assert info.currsize <= (info.maxsize or 0)


def test_the_tree_names_what_is_there() -> None:
    text = tree(Hand().widget)
    assert "'[b] it'" in text
    bid = next(line for line in text.splitlines() if "#bid" in line)
    assert "'Bid +1'" in bid
    assert bid.endswith("kind=paper -> go bid")
    assert "'Not now'" in next(line for line in text.splitlines() if "#grey" in line)
    assert "a1: lit cost 2 -> go x" in text
    assert tree(Hand().widget) == text


def test_too_long_a_text_and_too_small_a_target_are_told() -> None:
    small = e.Row(children=(e.Button(id="s", text="x", h=10), e.Text(text="word " * 60)))
    told = "\n".join(overfull(widget_of(e.Page(id="p", body=small), M)))
    assert "cut" in told
    assert "target" in told


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 800)])
def test_what_stands_in_the_top_bar_is_as_large_as_a_finger_and_gives_way_below_it(
    size: tuple[int, int],
) -> None:
    m = metrics(*size)
    signs = e.Panel(child=e.Icon(name="record"), pad=0, h=48, ground="none", id="signs", intent=Go("health"))
    more = e.Panel(child=e.Text(text="more"), pad=0, id="more", intent=Go("more"))
    bar, widget = e.Row(children=(e.Space(grow=1), signs), h=48), PageWidget(m, lambda intent: None)
    widget.update(e.Page(id="p", top=bar, prompt=e.Prompt("Who?"), body=e.Space()))
    assert overfull(widget) == []
    box = next(one.box for one in widget.placed if getattr(one.element, "id", "") == "signs")
    assert (box.h < m.target) is (size[0] < 1280)
    end = max(box.h, m.target)
    for y in (1.0, box.h - 1, end - 1):
        assert widget._hit(box.x + 2, y) == ("signs", Go("health")), y
    assert widget._hit(box.x + 2, end + 1) is None
    widget.update(e.Page(id="p", top=bar, prompt=e.Prompt("Who?", right=more), body=e.Space()))
    other = next(one.box for one in widget.placed if getattr(one.element, "id", "") == "more")
    assert widget._hit(other.x + other.w / 2, other.y + 1) == ("more", Go("more"))


@pytest.mark.parametrize("bold", [False, True])
def test_every_character_of_the_catalogues_is_in_the_font(bold: bool) -> None:
    from reportlab.pdfbase.ttfonts import TTFontFile

    known = TTFontFile(lettering.font(bold)).charToGlyph
    root = Path(__file__).parents[3]
    catalogues = [*root.glob("ui/locale/**/*.po*"), *root.glob("assistant/**/locale/*.toml")]
    used = {letter for file in catalogues if file.suffix != ".pot" for letter in file.read_text("utf-8")}
    assert catalogues
    assert not {letter for letter in used if ord(letter) not in known and letter not in "\n\t"}


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 800)])
def test_two_touches_are_one_by_millimetres(size: tuple[int, int]) -> None:
    """1.5 mm apart is one place on each panel, 4 mm are two."""
    panel = metrics(*size)
    a_mm = panel.width / panel.mm[0]
    for apart, same in ((1.5, True), (4.0, False)):
        taps = Taps(panel)
        assert not taps.again(100, 100, 1.0, "one")
        assert taps.again(100 + apart * a_mm, 100, 1.01, "two") is same


def test_a_touch_ends_the_fade() -> None:
    hand = Hand()
    hand.widget.motion = True
    hand.widget.update(made("two"))
    assert hand.widget.opacity < 1
    hand.widget.on_touch_down(hand.touch((5, 5)))
    assert hand.widget.opacity == 1
    Clock.tick()
    assert hand.widget.opacity == 1


class Provider:
    """A touch device whose reading thread has ended, or not."""

    device = "touch"

    def __init__(self, alive: bool, fails: bool = False) -> None:
        self.thread = SimpleNamespace(is_alive=lambda: alive)
        self.fails, self.did = fails, list[str]()

    def stop(self) -> None:
        self.did.append("stop")

    def start(self) -> None:
        if self.fails:
            raise OSError("gone")
        self.did.append("start")


def test_a_dead_touch_device_is_started_again_and_one_that_stays_dead_is_told() -> None:
    host = SimpleNamespace(said="", words=SimpleNamespace(t=lambda text: text))
    well, ended = Provider(True), Provider(False)
    app.revive(host, [well, ended, object()])
    assert (well.did, ended.did, host.said) == ([], ["stop", "start"], "")
    app.revive(host, [Provider(False, fails=True)])
    assert host.said == "Touch is off: use the buttons."


RUN = """
import sys
from types import SimpleNamespace
from ui.kiosk import app
from ui.presenters import elements as e
from ui.presenters.metrics import metrics
class Host(SimpleNamespace):
    def key(self, name, down):
        print("key", name, down)
        raise ValueError("the hand slipped")
    def page(self, now):
        return e.Page(id="p", body=e.Text(text=self.said))
host = Host(metrics=metrics(1024, 600), said="", do=print, explain=print, panel=None,
            config=SimpleNamespace(motion=False), settings=SimpleNamespace(motion=None))
turns, flips = [], []
def each(now):
    turns.append(now)
    from kivy.app import App
    from kivy.core.window import Window
    if len(turns) == 1:
        Window.bind(on_flip=flips.append)
    if len(turns) == 5:
        print("drawn", len(flips))
        Window.dispatch("on_key_down", 97, 0, "a", [])
    if len(turns) == 9:
        print("shown", App.get_running_app().view.page.body.text)
        App.get_running_app().stop()
app.show(host, size=(1024, 600), offscreen=True, each=each)
"""


def test_keys_reach_the_host_and_what_a_handler_raises_is_shown() -> None:
    run = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, timeout=60, check=False)
    assert "key a True" in run.stdout, run.stderr
    assert "shown ValueError: the hand slipped" in run.stdout
    # The first page is drawn twice, because SDL without a desktop loses the first picture.
    assert "drawn 2" in run.stdout


def rss_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_memory_is_flat_over_many_pages() -> None:
    widget = widget_of(made(), M)
    for i in range(300):
        widget.update(made(f"page{i % 2}", f"Bid {i % 7}"))
    gc.collect()
    before = rss_mb()
    for i in range(2000):
        widget.update(made(f"page{i % 2}", f"Bid {i % 7}"))
    gc.collect()
    assert rss_mb() <= before * 1.05
