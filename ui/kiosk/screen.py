"""The page widget: draws a page, keeps what did not change, and turns touches into intents."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from kivy.animation import Animation
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import TOP, Box, Placed, fitted, lay_page, prompt_height, touched
from ui.kiosk.widgets import DRAW, board, cells, plain, track
from ui.presenters import elements as e
from ui.presenters.aim import Taps, nearest
from ui.presenters.intents import Intent
from ui.presenters.metrics import Metrics

FADE_S = 0.12
LOST_S = 3.0
"""A finger that stays down so long means nothing any more: it rests there, or its lifting was lost."""


class Finger(NamedTuple):
    """A finger that came down on something: on which page, on what, what that meant then, and when."""

    page: str
    name: str
    means: Any
    since: float


class Part(Widget):  # type: ignore[misc, unused-ignore]
    """One element at its place. Drawn again only when element, place or pressed look has changed."""

    def __init__(self, high: float) -> None:
        super().__init__(size_hint=(None, None))
        self.high, self.down, self.drawn = high, False, 0
        self.placed: Placed | None = None

    def show(self, placed: Placed, m: Metrics, down: bool) -> None:
        """Draw an element at its place, where that is not what stands there already."""
        if placed == self.placed and down == self.down:
            return
        self.placed, self.down = placed, down
        self.pos = (placed.box.x, self.high - placed.box.y - placed.box.h)
        self.size = (placed.box.w, placed.box.h)
        self.canvas.clear()
        DRAW[type(placed.element)](Pen(self.canvas, self.high), placed.element, placed.box, m, down)
        self.drawn += 1


class CameraPart(Part):
    """The camera's picture: one texture, used again while the size stays."""

    def __init__(self, high: float) -> None:
        super().__init__(high)
        self.texture: Any = None
        self._rectangle: Any = None
        self._rgb = b""

    def picture(self, rgb: bytes, size: tuple[int, int], m: Metrics) -> None:
        """Show a picture of RGB bytes; the one that is there already is not drawn again."""
        if self._rectangle is not None and rgb == self._rgb:
            return
        self._rgb = rgb
        if self.texture is None or tuple(self.texture.size) != size:
            self.texture = Texture.create(size=size, colorfmt="rgb")
            self.texture.flip_vertical()
            self._rectangle = None
        self.texture.blit_buffer(rgb, colorfmt="rgb", bufferfmt="ubyte")
        assert self.placed is not None
        if self._rectangle is None:
            box = self.placed.box
            k = min(box.w / size[0], box.h / size[1])
            w, h = size[0] * k, size[1] * k
            at = Box(box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, w, h)
            self.canvas.add(Color(1, 1, 1, 1))
            self._rectangle = Rectangle(texture=self.texture, pos=(at.x, self.high - at.y - h), size=(w, h))
            self.canvas.add(self._rectangle)
            plain.camera_marks(Pen(self.canvas, self.high), self.placed.element, at, m)
        self.canvas.ask_update()

    def show(self, placed: Placed, m: Metrics, down: bool) -> None:
        """As before; the picture comes with the next `picture`."""
        if placed != self.placed or down != self.down:
            self._rectangle = None
        super().show(placed, m, down)


class PageWidget(Widget):  # type: ignore[misc, unused-ignore]
    """One page. `do` gets the intents, `explain` the reason of a grey button that was touched; `late` is
    called when what a finger was on meant something else by the time it was lifted. `clock` gives monotonic
    seconds.
    """

    def __init__(
        self,
        m: Metrics,
        do: Callable[[Intent], None],
        explain: Callable[[str], None] = lambda reason: None,
        motion: bool = False,
        *,
        late: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(size_hint=(None, None), size=(m.width, m.height))
        self.metrics, self.do, self.explain, self.motion = m, do, explain, motion
        self.late, self.clock = late, clock
        self.page: e.Page | None = None
        self.placed: list[Placed] = []
        self.parts: dict[str, Part] = {}
        self._fingers: dict[Any, Finger] = {}
        self._taps = Taps(m)
        Pen(self.canvas.before, m.height).box(0, 0, m.width, m.height, "night")
        self._alarm = Widget(size_hint=(None, None), size=(0, 0))

    def update(self, page: e.Page) -> None:
        """Show a page. On the main thread only: RuntimeError elsewhere."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the screen is changed from another thread than the main one")
        lost = self._forget_lost()
        if page is self.page or page == self.page:
            if lost:
                self._reconcile()
            return
        old, self.page = self.page, page
        self.placed = lay_page(page, self.metrics)
        self._reconcile()
        if old is None or old.alarm != page.alarm:
            self._alarm.canvas.clear()
            if page.alarm:
                y = prompt_height(self.metrics) + (self.metrics.px(TOP) if page.top is not None else 0)
                Pen(self._alarm.canvas, self.metrics.height).box(0, y - 4, self.metrics.width, 4, "stop")
        if self.motion and old is not None and old.id != page.id:
            self.opacity = 0.0
            Animation(opacity=1.0, duration=FADE_S).start(self)

    def _reconcile(self) -> None:
        here = self.page.id if self.page is not None else ""
        down = {finger.name for finger in self._fingers.values() if finger.page == here}
        order: list[Part] = []
        for one in self.placed:
            part = self.parts.get(one.path)
            if part is None or part.placed is None or type(part.placed.element) is not type(one.element):
                part = (CameraPart if isinstance(one.element, e.Camera) else Part)(self.metrics.height)
            part.show(one, self.metrics, getattr(one.element, "id", None) in down)
            order.append(part)
        if list(reversed(self.children)) != [*order, self._alarm]:
            self.clear_widgets()
            for part in [*order, self._alarm]:
                self.add_widget(part)
        self.parts = {one.path: part for one, part in zip(self.placed, order, strict=True)}

    def camera(self, rgb: bytes, size: tuple[int, int]) -> None:
        """Give the newest camera picture to whoever shows it."""
        for part in self.parts.values():
            if isinstance(part, CameraPart):
                part.picture(rgb, size, self.metrics)

    @property
    def wants_camera(self) -> bool:
        """Whether the page has a place for the camera's picture."""
        return any(isinstance(part, CameraPart) for part in self.parts.values())

    def stop_motion(self) -> None:
        """Draw the end state at once."""
        Animation.cancel_all(self)
        self.opacity = 1.0

    # ---- touches

    def _hit(self, x: float, y: float) -> tuple[str, Any] | None:
        """The topmost thing that answers at a place: its id, and an intent or the reason it has none."""
        for one in reversed(self.placed):
            el = one.element
            if isinstance(el, e.Button) and one.box.has(x, y):
                return el.id, el.intent if el.intent is not None else el.reason
            if isinstance(el, e.Panel) and el.intent is not None and touched(one, self.metrics).has(x, y):
                return el.id, el.intent
            if isinstance(el, e.Board) and el.help is not None:
                spot = board.help_box(el, one.box, self.metrics)
                if spot is not None and spot.has(x, y):
                    return f"{el.id}:?", el.help
            if isinstance(el, e.Board | e.BidTrack | e.SpotRow) and one.box.has(x, y):
                middles = _middles(el, one.box, self.metrics)
                means: dict[Any, Intent] = dict(el.intents)
                key = nearest((x, y), {k: v for k, v in middles.items() if k in means}, self.metrics)
                if key is not None:
                    return f"{el.id}:{key}", means[key]
        return None

    def _forget_lost(self) -> bool:
        """Forget fingers that have been down too long; whether there were any."""
        now = self.clock()
        kept = {uid: finger for uid, finger in self._fingers.items() if now - finger.since < LOST_S}
        lost = len(kept) < len(self._fingers)
        self._fingers = kept
        return lost

    def on_touch_down(self, touch: Any) -> bool:
        """A touch begins: it ends motion and holds what it is on, unless another finger holds that."""
        if getattr(touch, "is_mouse_scrolling", False) or self.page is None:
            return True
        self.stop_motion()
        x, y = touch.x, self.metrics.height - touch.y
        if self._taps.again(x, y, touch.time_start, touch.device):
            return True
        self._forget_lost()
        hit = self._hit(x, y)
        if hit is None or hit[0] in {finger.name for finger in self._fingers.values()}:
            return True
        name, means = hit
        if self._taps.too_soon(x, y, self.clock(), self.page.id, means):
            return True
        self._fingers[touch.uid] = Finger(self.page.id, name, means, self.clock())
        self._reconcile()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """A touch ends: it counts where it began, and means what it meant then or nothing at all."""
        self._forget_lost()
        finger = self._fingers.pop(touch.uid, None)
        if finger is None or self.page is None:
            return True
        self._reconcile()
        x, y = touch.x, self.metrics.height - touch.y
        hit = self._hit(x, y)
        if self.page.id != finger.page or (
            hit is not None and hit[0] == finger.name and hit[1] != finger.means
        ):
            self.late()
        elif hit is None or hit[0] != finger.name:
            pass  # It was slid off, which is how people change their mind.
        elif isinstance(finger.means, str):
            self.explain(finger.means)
        else:
            self._taps.did(x, y, self.clock(), finger.page)
            self.do(finger.means)
        return True


def _middles(el: e.Board | e.BidTrack | e.SpotRow, box: Box, m: Metrics) -> dict[Any, tuple[float, float]]:
    """The middle of each place of what is drawn, in pixels, by the key of the place."""
    if isinstance(el, e.Board):
        return dict(board.shown(el, box, m)[1])
    return dict(track.places(el, box, m)[1]) if isinstance(el, e.BidTrack) else cells.places(el, box, m)


def middle(widget: PageWidget, name: str) -> tuple[float, float]:
    """The middle of what has this id on the page, in pixels from the left and from the top, for fingers that
    are not of flesh. "board:KEY" is a place of the board of that id. LookupError when it is not there."""
    for one in widget.placed:
        el, box = one.element, one.box
        if isinstance(el, e.Button | e.Panel) and el.id == name:
            return box.x + box.w / 2, box.y + box.h / 2
        if isinstance(el, e.Board | e.BidTrack | e.SpotRow) and name.startswith(f"{el.id}:"):
            places = {str(key): at for key, at in _middles(el, box, widget.metrics).items()}
            return places[name.removeprefix(f"{el.id}:")]
    raise LookupError(f"{name} is not on page {widget.page.id if widget.page else ''}")


def overfull(widget: PageWidget) -> list[str]:
    """What does not fit: texts cut, children outside their parent or over a sibling, small targets."""
    out, m = [], widget.metrics
    by = {one.path: one for one in widget.placed}
    kids: dict[str, list[Placed]] = {}
    for one in widget.placed:
        el, box, up = one.element, one.box, one.path.rpartition("/")[0]
        kids.setdefault(up, []).append(one)
        if isinstance(el, e.Text) and fitted(el, m, box.w)[2]:
            out.append(f"{one.path}: cut: {el.text}")
        if isinstance(el, e.Prompt):
            lines, cut = plain.prompt_lines(el, m, plain.prompt_room(el, box, m)[1])
            if cut or lines[-1].foot > box.h:
                out.append(f"{one.path}: cut: {el.text} / {el.detail}")
        if isinstance(el, e.Button):
            room = box.w - m.px(12) - (m.px(24) + (m.px(10) if el.text else 0) if el.icon else 0)
            if lettering.width(el.text, m.type["note"], True) > room + 1:
                out.append(f"{one.path}: cut: {el.text}")
        spot = touched(one, m)
        answers = isinstance(el, e.Button) or (isinstance(el, e.Panel) and el.intent is not None)
        if answers and min(spot.w, spot.h) < m.target - 1:
            out.append(f"{one.path}: target of {spot.w:.0f}x{spot.h:.0f}, {m.target} are needed")
        outer = by[up].box if up in by and up != "prompt" else Box(0, 0, m.width, m.height)
        if (
            box.x < outer.x - 1
            or box.y < outer.y - 1
            or box.x + box.w > outer.x + outer.w + 1
            or box.y + box.h > outer.y + outer.h + 1
        ):
            out.append(f"{one.path}: reaches out of its place: {type(el).__name__} {getattr(el, 'text', '')}")
    for group in (*kids.values(), [p for p in widget.placed if p.path.startswith(("left/", "right/"))]):
        for i, a in enumerate(group):
            for b in group[i + 1 :]:
                across = min(a.box.x + a.box.w, b.box.x + b.box.w) - max(a.box.x, b.box.x)
                along = min(a.box.y + a.box.h, b.box.y + b.box.h) - max(a.box.y, b.box.y)
                if across > 1 and along > 1:
                    out.append(f"{a.path} lies over {b.path}")
    return list(dict.fromkeys(out))
