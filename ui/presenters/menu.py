"""Beside the game: leave it to wait, look at the score, save the sheet, call staff. Nothing is lost by any.

Kept in `nav.values`: "sure" (parking was touched once and is to be confirmed).
"""

from __future__ import annotations

from ui.presenters.elements import Button, Column, Icon, Page, Panel, Prompt, Row, Space, Text, Tone
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.nav import Nav
from ui.presenters.parts import explained, top
from ui.presenters.shown import Shown, display_of, playing_of


def page(shown: Shown, nav: Nav) -> Page:
    """What can be done beside the game, or whether it is really to be parked."""
    t, playing = shown.words.t, playing_of(shown)
    if nav.values.get("sure") and not playing.view.unrecorded:
        return _sure(shown, nav)
    kept = t("It waits on the first screen with every move.")
    hidden = playing.hidden_scores
    later = t("Scores are hidden until the end.") if hidden else ""
    tiles = [
        _tile(
            "score",
            "star",
            t("Score"),
            later or t("Every point with its source"),
            _unless(hidden, Go("score")),
        ),
        _tile(
            "save_sheet",
            "record",
            t("Save the score sheet"),
            later or t("As text, every point with its rule."),
            _unless(hidden, Ask("save_sheet")),
        ),
        *_machine(shown),
        _tile("staff", "lock", t("Staff"), t("Camera, panel, house rules, parked games, backup."), Go("pin")),
    ]
    if playing.view.unrecorded:
        # Parked it would be lost, so it is saved instead.
        saved = t("It is not recorded any more and would be lost.")
        tiles.insert(0, _tile("export", "record", t("Save this game as a file"), saved, Ask("export")))
    else:
        tiles.insert(0, _tile("park", "pause", t("Park the game"), kept, Set({"sure": True})))
    if any(group.faces for group in display_of(shown).cards):
        laid = t("What lies open, with costs and effects.")
        tiles.insert(1, _tile("cards", "stack", t("Open cards"), laid, Go("cards")))
    rows = [Row(children=tuple(tiles[n : n + 2]), gap=12, grow=1) for n in range(0, len(tiles), 2)]
    return Page(
        id="menu",
        top=top(shown),
        prompt=explained(shown, nav, Prompt(t("Beside the game"), t("The game stays as it is."), "none")),
        body=Column(children=tuple(rows), gap=12, pad=16),
        right=(Button(id="leave", text=t("Play on"), icon="play", kind="paper", intent=Go("")),),
    )


def _machine(shown: Shown) -> tuple[Panel, ...]:
    """How the machine is, where somebody asks it."""
    if not shown.house.health:
        return ()
    t = shown.words.t
    return (_tile("machine", "gear", t("This machine"), t("Power, heat, disk and camera."), Go("health")),)


def _unless(hidden: bool, intent: Intent) -> Intent | None:
    return None if hidden else intent


def _tile(id: str, icon: str, words: str, detail: str, intent: Intent | None) -> Panel:
    """A large place to touch; without an intent its detail says why."""
    tone: Tone = "text" if intent is not None else "text2"
    texts = Column(
        children=(
            Text(text=words, size="button", bold=True, lines=2, tone=tone),
            Text(text=detail, size="note", tone="text2", lines=3, shrink=True),
        ),
        gap=4,
        grow=1,
    )
    return Panel(
        child=Row(children=(Icon(name=icon, side=36, tone=tone), texts), gap=16),
        ground="sleeper" if intent is not None else "ballast",
        edge="rule" if intent is not None else None,
        pad=16,
        id=id,
        intent=intent,
        grow=1,
    )


def _sure(shown: Shown, nav: Nav) -> Page:
    """Parking is asked about once more: a tap by mistake takes nobody's game off the screen."""
    t = shown.words.t
    kept = t("It waits on the first screen with every move. Leave the pieces as they lie.")
    return Page(
        id="menu-park",
        top=top(shown),
        prompt=explained(shown, nav, Prompt(t("Park this game?"), kept, "caution")),
        body=Space(grow=1),
        left=(Button(id="keep", text=t("Play on"), icon="play", intent=Go("")),),
        right=(Button(id="park", text=t("Park the game"), icon="pause", kind="paper", intent=Ask("park")),),
    )
