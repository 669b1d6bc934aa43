"""Before play: the picture with what is good, doubtful and bad, and what to do; the panel's buttons.

Kept in `nav.values`: "begin" (what begins the game that this check leads to, as for the deed of that name;
without it one goes back), "page".
"""

from __future__ import annotations

from typing import Any

from assistant.layout import SEAT_LETTERS
from ui.presenters.elements import (
    Arm,
    Button,
    Camera,
    Column,
    Page,
    Panel,
    Prompt,
    Row,
    Signal,
    Space,
    Text,
)
from ui.presenters.intents import Ask, Go
from ui.presenters.nav import BACK, Nav
from ui.presenters.parts import explained, leaf, pager, signs
from ui.presenters.shown import Health, Shown

SIGNALS: dict[str, Signal] = {"green": "clear", "amber": "caution", "red": "stop"}
HEALTH: dict[Health, Signal] = {"good": "clear", "look": "caution", "off": "stop"}
ORDER: tuple[Signal, ...] = ("stop", "caution", "none", "clear")
"""What is to be mended stands first."""
BUTTONS = {"plus": "+", "ok": "OK"}
"""The buttons of a seat, as they are labelled."""
A_PAGE = {True: 4, False: 5}
MIDDLE_GREY = 128
"""White paper darker than this lacks light; what is not right and brighter has too much."""


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, house, checks = shown.words.t, shown.house, shown.house.readiness
    rows = [row for _, row in sorted(_rows(shown, nav, checks), key=lambda one: ORDER.index(one[0]))]
    part = leaf(len(rows), A_PAGE[shown.metrics.small], nav.values.get("page"))
    marks = tuple(
        (x, y, w, h, SIGNALS.get(_light(checks, name), "none"), "")
        for x, y, w, h, name in getattr(checks, "marks", ())
        if _light(checks, name) != "green"
    )
    words = house.camera.words or t("There is no picture.")
    picture = Column(
        children=(
            Camera(words=words, marks=marks, grow=1),
            Text(text=t("Live picture. It is not stored."), size="note", tone="text2"),
        ),
        gap=8,
        w=430 if shown.metrics.small else 496,
    )
    side = Column(children=(*rows[part.first : part.end], Space(grow=1), *pager(shown, part)), gap=8, grow=1)
    prompt = _prompt(shown, nav, checks)
    return Page(
        id="readiness",
        top=Row(
            children=(Text(text=t("Check before play"), bold=True), Space(grow=1), *signs(shown)),
            gap=16,
            pad=16,
        ),
        prompt=explained(shown, nav, prompt),
        body=Row(children=(picture, side), gap=16, pad=16),
        left=(
            Button(id="back", text=t("Back"), icon="back", kind="quiet", intent=Go(BACK)),
            Button(id="check", text=t("Check again"), icon="reload", kind="quiet", intent=Ask("check")),
        ),
        right=_right(shown, nav, prompt.signal == "clear"),
    )


def _right(shown: Shown, nav: Nav, ready: bool) -> tuple[Button, ...]:
    """Go on, whatever the lights say: the table can always be played by hand."""
    t, house, begin = shown.words.t, shown.house, nav.values.get("begin")
    if begin is None:
        go = Button(id="go", text=t("Go on"), icon="arrow", kind="paper", intent=Go(BACK))
    elif ready:
        go = Button(id="go", text=t("Begin"), icon="arrow", kind="paper", intent=Ask("begin", begin))
    else:
        go = Button(id="go", text=t("Begin anyway"), icon="arrow", intent=Ask("begin", begin))
    if house.camera.health == "off":
        return (go,)
    return (Button(id="without", text=t("Without camera"), intent=Ask("camera", {"on": False})), go)


def _light(checks: Any, name: str) -> str:
    return next((str(check.light) for check in getattr(checks, "checks", ()) if check.name == name), "none")


def _prompt(shown: Shown, nav: Nav, checks: Any) -> Prompt:
    """What to do first: with the camera, then with its picture, then with the buttons."""
    t, house = shown.words.t, shown.house
    if house.said:
        return Prompt(t("Check the table before play"), house.said, "caution")
    by_hand = t("Everything can be entered by touch and buttons.")
    if house.camera.health == "off":
        return Prompt(t("No camera looks at this table"), by_hand, "stop")
    if house.camera.health == "look" and (checks is None or not checks.checks):
        return Prompt(house.camera.words or t("The camera looks at the table"), by_hand, "caution")
    if checks is None or not checks.checks:
        if checks is not None and checks.running:
            return Prompt(t("The camera looks at the table"), t("This takes a few seconds."))
        detail = getattr(checks, "fault", "") or t("Lay the mat out and take your hands away.")
        return Prompt(t("Check the table before play"), detail)
    first = checks.first
    if first is not None:
        told, advice = told_of(shown, first), advice_of(shown, first)
        return Prompt(advice or told, told if advice else "", SIGNALS[str(first.light)])
    if house.panel.health != "good":
        return Prompt(t("Look at the buttons"), house.panel.words or by_hand, HEALTH[house.panel.health])
    if any(missing(shown, nav).values()):
        return Prompt(t("Press each button once"), t("All else is ready."), "caution")
    return Prompt(t("All is ready"), "", "clear")


def _where(shown: Shown, check: Any) -> str:
    return str(check.place) or shown.words.t("the mat")


def told_of(shown: Shown, check: Any) -> str:
    """How it stands with one thing, in the table's language; what is not known here is said as it came."""
    t, n, values, good = shown.words.t, shown.words.n, check.values, str(check.light) == "green"
    where = _where(shown, check)
    if check.name == "sharp":
        return t("Focus holds") if good else t("Edges are soft")
    if check.name == "light" and "white" in values:
        if good:
            return t("Bright enough")
        return t("Too dark") if values["white"] < MIDDLE_GREY else t("Too bright")
    if check.name == "lens":
        return t("Clear") if good else t("Hazy, or a lamp shines into it")
    if check.name == "mat" and {"seen", "printed"} <= values.keys():
        return t("{seen} of {printed} marks seen", seen=values["seen"], printed=values["printed"])
    if check.name == "tags" and {"px_per_module", "needed"} <= values.keys():
        return t("{n} px a module, {needed} needed", n=values["px_per_module"], needed=values["needed"])
    if check.name == "glare" and "spots" in values:
        if good:
            return t("None")
        return n("One spot near {place}", "{n} spots near {place}", int(values["spots"]), place=where)
    if check.name == "shadow":
        return t("Even enough") if good else t("Dark near {place}", place=where)
    if check.name == "pieces" and "read" in values:
        if values.get("covered"):
            return t("{n} pieces read, {covered} places covered", n=values["read"], covered=values["covered"])
        return n("One piece read", "{n} pieces read", int(values["read"]))
    if check.name == "places" and "error_mm" in values:
        return t("Right to {n} mm", n=max(float(values["error_mm"]), 0.1))
    if check.name == "camera":
        return t("Where it was") if good else t("It was pushed")
    return str(check.text)


def advice_of(shown: Shown, check: Any) -> str:
    """What to do about one thing; empty when it is well."""
    t, values = shown.words.t, check.values
    if str(check.light) == "green":
        return ""
    if check.name == "light" and "white" in values:
        return t("Add light") if values["white"] < MIDDLE_GREY else t("Take light away")
    if check.name == "tags" and "lower_cm" in values:
        return t("Lower the camera {n} cm, or print larger tags", n=values["lower_cm"])
    if check.name == "glare":
        return t("Turn the lamp away from {place}", place=_where(shown, check))
    if check.name == "pieces":
        covered = bool(values.get("covered"))
        return t("Uncover the table") if covered else t("Take away what carries other codes")
    return {
        "sharp": t("Focus the camera, or add light"),
        "lens": t("Wipe the lens, and keep lamps out of its view"),
        "mat": t("Uncover all marks, or let the camera see the whole mat"),
        "shadow": t("Move what throws the shadow"),
        "places": t("Uncover more marks; some far apart are best"),
        "camera": t("Fix the camera's arm"),
    }.get(check.name, str(check.advice))


def _rows(shown: Shown, nav: Nav, checks: Any) -> list[tuple[Signal, Panel]]:
    """Each thing with its light."""
    t, house = shown.words.t, shown.house
    names = {
        "sharp": t("Sharp"),
        "light": t("Light"),
        "lens": t("Lens"),
        "glare": t("Glare"),
        "shadow": t("Shadow"),
        "tags": t("Tags"),
        "mat": t("Mat"),
        "pieces": t("Pieces"),
        "places": t("Places"),
        "camera": t("Camera"),
    }
    rows = [
        _check(names.get(c.name, c.name.capitalize()), told_of(shown, c), SIGNALS[str(c.light)])
        for c in getattr(checks, "checks", ())
        if c.name != "camera" or house.camera.health == "good"
    ]
    if house.camera.health != "good":
        words = house.camera.words or t("There is no picture.")
        rows.append(_check(t("Camera"), words, HEALTH[house.camera.health]))
    rows.append(_check(t("Buttons"), house.panel.words or t("they answer"), HEALTH[house.panel.health]))
    return rows + _pressed(shown, nav)


def missing(shown: Shown, nav: Nav) -> dict[str, tuple[str, ...]]:
    """Buttons that have not been pressed since this page was opened, by seat; no seats without a panel."""
    playing, begin = shown.playing, nav.values.get("begin") or {}
    if shown.house.panel.health == "off":
        return {}
    seats = playing.game.seats if playing is not None else tuple(begin.get("seats", SEAT_LETTERS))
    pressed = shown.house.pressed
    return {
        seat: tuple(words for name, words in BUTTONS.items() if f"{seat} {name}" not in pressed)
        for seat in seats
    }


def _pressed(shown: Shown, nav: Nav) -> list[tuple[Signal, Panel]]:
    """One line a seat: which of its buttons have been pressed."""
    t = shown.words.t
    rows = []
    for seat, left in missing(shown, nav).items():
        said = t("{buttons} not pressed yet", buttons=", ".join(left)) if left else t("Both pressed")
        rows.append(_check(t("Seat {seat}", seat=seat), said, "caution" if left else "clear"))
    return rows


def _check(name: str, said: str, signal: Signal) -> tuple[Signal, Panel]:
    child = Row(
        children=(
            Arm(signal=signal, side=36),
            Text(text=name, bold=True, w=112, shrink=True),
            Text(text=said, grow=1, lines=2, shrink=True),
        ),
        gap=12,
    )
    edge: Any = {"clear": None, "caution": "caution", "stop": "stop"}.get(signal)
    return signal, Panel(child=child, pad=8, edge=edge)
