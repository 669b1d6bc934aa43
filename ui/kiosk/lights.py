"""How it stands with camera, buttons and record: the three lights of the status bar, each with a sentence.

Pure: the host hands over what it knows, in the words of its language.
"""

from __future__ import annotations

from assistant.messages import CameraState, PanelState, PanelStatus
from assistant.views import TableView
from ui.kiosk.eyes import Eyes
from ui.presenters import present
from ui.presenters.shown import State
from ui.presenters.words import Words

WRITING_S = 2.0
"""A ruling that takes longer to be written is pointed out."""


def camera(words: Words, eyes: Eyes | None, *, there: bool, on: bool) -> State:
    """The camera: whether one is set up (`there`) and switched `on`, and what its eyes say once they look."""
    t = words.t
    if not there:
        return State("off", t("No camera is set up."))
    if not on:
        return State("off", t("The camera is switched off."))
    if eyes is None:
        return State("good")
    status = eyes.status
    if status is None or status.state is CameraState.STARTING:
        return State("look", t("The camera is being started."))
    if eyes.running:
        return State("good", "", status.text)
    if status.state in (CameraState.OFF, CameraState.STUCK):
        return State("off", t("The camera does not answer: go on by touch."), status.text)
    return State("look", t("The camera sends no pictures now: go on by touch."), status.text)


def panel(words: Words, status: PanelStatus) -> State:
    """The buttons."""
    t = words.t
    if status.state is PanelState.RUNNING:
        return State("good")
    if status.state is PanelState.OFF:
        return State("off", t("The buttons are off: go on by touch."), status.text)
    return State("look", t("Some buttons are left out."), status.text)


def record(words: Words, view: TableView | None, now: float) -> State:
    """The record of the game that runs; good where none does."""
    if view is None:
        return State("good")
    t = words.t
    if view.unwritable:
        troubles = [notice.text for notice in view.notices if notice.kind == "trouble"]
        return State("off", t("The record cannot be written."), troubles[-1] if troubles else "")
    if view.unrecorded:
        return State("look", t("This game is not recorded any more."))
    if present.lost(view) is not None:
        return State("look", t("What was done last is not recorded."))
    if view.writing_since is not None and now - view.writing_since > WRITING_S:
        return State("look", t("The record is being written."))
    return State("good")
