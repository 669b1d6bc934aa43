"""A page as a PNG, without a screen.

`ui.kiosk.environment.prepare` must have been called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ui.presenters.elements import Page
from ui.presenters.metrics import Metrics


def widget_of(page: Page, metrics: Metrics) -> Any:
    """A page's widget in the window, drawn."""
    from kivy.base import EventLoop
    from kivy.core.window import Window

    from ui.kiosk.screen import PageWidget

    EventLoop.ensure_window()
    if tuple(Window.size) != (metrics.width, metrics.height):
        Window.size = (metrics.width, metrics.height)
        EventLoop.idle()
    for child in list(Window.children):
        Window.remove_widget(child)
    widget = PageWidget(metrics, lambda intent: None)
    Window.add_widget(widget)
    widget.update(page)
    EventLoop.idle()
    return widget


def save(page: Page, metrics: Metrics, file: Path, frame: tuple[bytes, tuple[int, int]] | None = None) -> Any:
    """Draw a page into a PNG; returns its widget. OSError when the file cannot be written."""
    widget = widget_of(page, metrics)
    if frame is not None:
        widget.camera(*frame)
    file.parent.mkdir(parents=True, exist_ok=True)
    widget.export_to_png(str(file))
    return widget
