"""The page widget: draws a page, keeps what did not change, and turns touches into intents."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from kivy.animation import Animation
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from ui.kiosk.draw import lettering
from ui.kiosk.draw.pen import Pen
from ui.kiosk.layout import Box, Placed, fitted, lay_page, need
from ui.kiosk.widgets import DRAW, board, plain, track
from ui.presenters import elements as e
from ui.presenters.aim import Taps, nearest
from ui.presenters.intents import Intent
from ui.presenters.metrics import Metrics

FADE_S = 0.12


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

    def picture(self, rgb: bytes, size: tuple[int, int], m: Metrics) -> None:
        """Show a picture of RGB bytes."""
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
    """One page. `do` gets the intents, `explain` the reason of a grey button that was touched."""

    def __init__(
        self,
        m: Metrics,
        do: Callable[[Intent], None],
        explain: Callable[[str], None] = lambda reason: None,
        motion: bool = False,
    ) -> None:
        super().__init__(size_hint=(None, None), size=(m.width, m.height))
        self.metrics, self.do, self.explain, self.motion = m, do, explain, motion
        self.page: e.Page | None = None
        self.placed: list[Placed] = []
        self.parts: dict[str, Part] = {}
        self._touch: tuple[Any, str, str, Any] | None = None
        self._taps = Taps(m)
        Pen(self.canvas.before, m.height).box(0, 0, m.width, m.height, "night")
        self._alarm = Widget(size_hint=(None, None), size=(0, 0))

    def update(self, page: e.Page) -> None:
        """Show a page. On the main thread only: RuntimeError elsewhere."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the screen is changed from another thread than the main one")
        if page == self.page:
            return
        old, self.page = self.page, page
        if old is None or old.id != page.id:
            self._touch = None
        self.placed = lay_page(page, self.metrics)
        self._reconcile()
        if old is None or old.alarm != page.alarm:
            self._alarm.canvas.clear()
            if page.alarm:
                y = self.metrics.px(128 if page.top is not None else 80)
                Pen(self._alarm.canvas, self.metrics.height).box(0, y - 4, self.metrics.width, 4, "stop")
        if self.motion and old is not None and old.id != page.id:
            self.opacity = 0.0
            Animation(opacity=1.0, duration=FADE_S).start(self)

    def _reconcile(self) -> None:
        down = self._touch[2] if self._touch else None
        order: list[Part] = []
        for one in self.placed:
            part = self.parts.get(one.path)
            if part is None or part.placed is None or type(part.placed.element) is not type(one.element):
                part = (CameraPart if isinstance(one.element, e.Camera) else Part)(self.metrics.height)
            part.show(one, self.metrics, bool(down) and getattr(one.element, "id", None) == down)
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
            if isinstance(el, e.Panel) and el.intent is not None and one.box.has(x, y):
                return el.id, el.intent
            if isinstance(el, e.Board | e.BidTrack) and one.box.has(x, y):
                middles: dict[Any, tuple[float, float]] = (
                    dict(board.shown(el, one.box, self.metrics)[1])
                    if isinstance(el, e.Board)
                    else dict(track.places(el, one.box, self.metrics)[1])
                )
                means: dict[Any, Intent] = dict(el.intents)
                key = nearest((x, y), {k: v for k, v in middles.items() if k in means}, self.metrics)
                if key is not None:
                    return f"{el.id}:{key}", means[key]
        return None

    def on_touch_down(self, touch: Any) -> bool:
        """A touch begins: it ends motion and holds what it is on."""
        if getattr(touch, "is_mouse_scrolling", False) or self.page is None:
            return True
        self.stop_motion()
        x, y = touch.x, self.metrics.height - touch.y
        if self._taps.again(x, y, touch.time_start, touch.device) or self._touch is not None:
            return True
        hit = self._hit(x, y)
        if hit is not None:
            self._touch = (touch.uid, self.page.id, hit[0], hit[1])
            self._reconcile()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """A touch ends: it counts where it began, on the page where it began."""
        begun = self._touch
        if begun is None or touch.uid != begun[0] or self.page is None:
            return True
        self._touch = None
        self._reconcile()
        hit = self._hit(touch.x, self.metrics.height - touch.y)
        if hit is None or hit[0] != begun[2] or self.page.id != begun[1]:
            return True
        if isinstance(hit[1], str):
            self.explain(hit[1])
        else:
            self.do(hit[1])
        return True


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
            right = need(el.right, m, box.w / 3)[0] if el.right is not None else 0
            if plain.prompt_words(el, m, plain.prompt_room(el, box, m, right)[1])[3]:
                out.append(f"{one.path}: cut: {el.text} / {el.detail}")
        if isinstance(el, e.Button):
            room = box.w - m.px(12) - (m.px(24) + (m.px(10) if el.text else 0) if el.icon else 0)
            if lettering.width(el.text, m.type["note"], True) > room + 1:
                out.append(f"{one.path}: cut: {el.text}")
        touched = isinstance(el, e.Button) or (isinstance(el, e.Panel) and el.intent is not None)
        if touched and min(box.w, box.h) < m.target - 1:
            out.append(f"{one.path}: target of {box.w:.0f}x{box.h:.0f}, {m.target} are needed")
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
