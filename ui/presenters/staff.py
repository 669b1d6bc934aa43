"""Staff: camera and buttons, house rules, parked games, backup, about. Behind the PIN, and never a shell."""

from __future__ import annotations

from typing import Literal

from ui.presenters.attract import age_words
from ui.presenters.elements import AnyElement, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Intent, Set
from ui.presenters.nav import Nav
from ui.presenters.parts import leaf, pager, signs
from ui.presenters.shown import ParkedFacts, Shown

IDLE = (5, 10, 15, 20, 30, 45, 60, 90, 120, 240)
"""Minutes after which an idle game may be asked about."""
SECTIONS = ("camera", "rules", "parked", "house", "about")


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t = shown.words.t
    words = {
        "camera": t("Camera, buttons"),
        "rules": t("House rules"),
        "parked": t("Parked games"),
        "house": t("This table"),
        "about": t("About"),
    }
    section = str(nav.values.get("section", SECTIONS[0]))
    tabs = Column(
        children=tuple(
            Button(
                id=f"section:{name}",
                text=words[name],
                chosen=name == section,
                grow=1,
                kind="plain" if name == section else "quiet",
                intent=Set({"section": name, "page": 0, "sure": ""}),
            )
            for name in SECTIONS
        ),
        gap=4,
        w=240,
    )
    body = {
        "camera": _camera,
        "rules": _rules,
        "parked": _parked,
        "house": _house,
        "about": _about,
    }[section if section in SECTIONS else SECTIONS[0]](shown, nav)
    detail = nav.explain or shown.house.said or t("Closed by itself after two minutes without a touch.")
    return Page(
        id="staff",
        top=Row(
            children=(Text(text=shown.house.name, bold=True), Space(grow=1), *signs(shown)), gap=16, pad=16
        ),
        prompt=Prompt(t("Staff: {section}", section=words.get(section, section)), detail),
        body=Row(children=(tabs, Column(children=body, gap=10, grow=1)), gap=20, pad=12),
        right=(Button(id="leave", text=t("Leave"), icon="lock", kind="paper", intent=Ask("leave_staff")),),
    )


def _said(words: str, detail: str, *buttons: Button) -> Panel:
    texts = Column(
        children=(
            Text(text=words, bold=True, shrink=True, lines=2),
            Text(text=detail, size="note", tone="text2", lines=2),
        ),
        gap=2,
        grow=1,
    )
    return Panel(child=Row(children=(texts, *buttons), gap=10), pad=10)


def _camera(shown: Shown, nav: Nav) -> tuple[AnyElement, ...]:
    """The camera and the panel: on or off, and what can be tried."""
    t, state, panel = shown.words.t, shown.house.camera, shown.house.panel
    buttons = {
        "good": t("The buttons are on"),
        "look": t("Some buttons are left out"),
        "off": t("The buttons are off"),
    }
    on = state.health != "off"
    here = [Button(id="camera", text=t("Off") if on else t("On"), intent=Ask("camera", {"on": not on}))]
    bad = ""
    if shown.house.bad_picture:
        bad = t("One picture could not be read.")
        here.insert(0, Button(id="save_picture", text=t("Save it"), intent=Ask("save_picture")))
    return (
        _said(
            t("The camera is on") if on else t("The camera is off"),
            bad or state.detail or state.words,
            *here,
        ),
        _said(
            t("Check light, focus and mat"),
            t("Shows what to mend before play."),
            Button(id="check", text=t("Check"), intent=Go("readiness")),
        ),
        _said(
            t("Count the pieces of the box"),
            t("Lay them under the camera first."),
            Button(id="census", text=t("Count"), intent=Ask("census")),
        ),
        _said(
            buttons[panel.health],
            panel.detail or panel.words,
            Button(id="panel_test", text=t("Test"), intent=Ask("panel_test")),
        ),
        Space(grow=1),
    )


def _rules(shown: Shown, nav: Nav) -> tuple[AnyElement, ...]:
    t = shown.words.t
    out: list[AnyElement] = []
    for title in shown.house.offered:
        changed = shown.house.switches.get(title.id, {})
        usual = {s.name: s.values[0] for s in title.switches}
        count = sum(usual.get(name) != value for name, value in changed.items())
        out.append(
            _said(
                t(title.name),
                shown.words.n("{n} rule changed", "{n} rules changed", count),
                Button(
                    id=f"rules:{title.id}",
                    text=t("Show"),
                    intent=Go("house_rules", {"title": title.id, "house": True}),
                ),
            )
        )
    return (*out, Space(grow=1))


def _parked(shown: Shown, nav: Nav) -> tuple[AnyElement, ...]:
    """Deleting cannot be undone, so it takes a second, different touch."""
    t, games = shown.words.t, shown.house.parked
    part = leaf(len(games), 1 if shown.metrics.small else 2, nav.values.get("page"))
    out: list[AnyElement] = []
    if not games:
        out.append(Text(text=t("No game waits here."), tone="text2"))
    for game in games[part.first : part.end]:
        out.append(_parked_game(shown, game, nav.values.get("sure") == game.file))
    return (*out, Space(grow=1), *pager(shown, part))


def _parked_game(shown: Shown, game: ParkedFacts, sure: bool) -> Panel:
    t = shown.words.t
    resume: Intent | None = None if game.fault else Ask("resume", {"file": game.file})
    buttons: list[AnyElement] = [
        Button(id=f"resume:{game.file}", text=t("Resume"), intent=resume, reason=game.fault),
        Button(id=f"export:{game.file}", text=t("Save"), intent=Ask("export", {"file": game.file})),
    ]
    if sure:
        # Never where the first touch was: a double tap must not delete.
        keep = Button(id=f"keep:{game.file}", text=t("Keep"), intent=Set({"sure": ""}))
        delete = Button(
            id=f"delete:{game.file}",
            text=t("Delete for ever"),
            icon="trash",
            intent=Ask("delete_parked", {"file": game.file}),
        )
        buttons += [keep, Space(grow=1), delete]
    else:
        buttons.append(
            Button(id=f"sure:{game.file}", text=t("Delete"), icon="trash", intent=Set({"sure": game.file}))
        )
    detail = t("All moves and points of this game would be gone.") if sure else game.fault
    detail = detail or " ".join(filter(None, (game.progress and f"{game.progress}.", age_words(shown, game))))
    names = ", ".join(game.names.values())
    texts = Column(
        children=(
            Text(text=f"{shown.words.t(game.title_name)}: {names}", bold=True, shrink=True),
            Text(text=detail, size="note", tone="caution" if sure else "text2", shrink=True),
            Row(children=tuple(buttons), gap=8),
        ),
        gap=2,
    )
    return Panel(child=texts, pad=6)


def _house(shown: Shown, nav: Nav) -> tuple[AnyElement, ...]:
    """What can be set of the table, page by page."""
    rows = _settings(shown)
    part = leaf(len(rows), 3, nav.values.get("page"))
    return (*rows[part.first : part.end], Space(grow=1), *pager(shown, part))


def _settings(shown: Shown) -> tuple[Panel, ...]:
    t, house = shown.words.t, shown.house
    other = "de" if shown.words.language == "en" else "en"

    def switch(key: str, on: bool) -> Button:
        words = t("Off") if on else t("On")
        return Button(id=key, text=words, intent=Ask("house", {"key": key, "value": not on}))

    return (
        _said(
            t("Name"),
            house.name,
            Button(id="name", text=t("Rename"), intent=Go("names", {"typed": house.name, "upper": False})),
        ),
        _said(
            t("Asked whether people still play"),
            shown.words.n(
                "after {n} minute without a touch",
                "after {n} minutes without a touch",
                round(house.idle_minutes),
            ),
            _minutes(shown, "less"),
            _minutes(shown, "more"),
        ),
        _said(t("Sounds"), t("on") if house.sounds else t("off"), switch("sounds", house.sounds)),
        _said(t("Motion"), t("on") if house.motion else t("off"), switch("motion", house.motion)),
        _said(
            t("Language"),
            {"en": "English", "de": "Deutsch"}[shown.words.language],
            Button(
                id="language",
                text={"en": "English", "de": "Deutsch"}[other],
                intent=Ask("language", {"language": other}),
            ),
        ),
        _said(
            t("Backup"),
            t("All games and settings in one file."),
            Button(id="backup", text=t("Save"), intent=Ask("backup")),
        ),
    )


def _minutes(shown: Shown, way: Literal["less", "more"]) -> Button:
    """The next shorter or longer time that there is to choose from."""
    t, now = shown.words.t, shown.house.idle_minutes
    following = (
        max((n for n in IDLE if n < now), default=None)
        if way == "less"
        else min((n for n in IDLE if n > now), default=None)
    )
    return Button(
        id=f"idle:{way}",
        text="−" if way == "less" else "+",
        intent=None if following is None else Ask("house", {"key": "idle_minutes", "value": following}),
        reason="" if following is not None else t("There is no other time beyond this one."),
    )


def _about(shown: Shown, nav: Nav) -> tuple[AnyElement, ...]:
    t, house = shown.words.t, shown.house
    words = {
        "games": t("Records"),
        "settings": t("Settings of this screen"),
        "config": t("Configuration"),
        "backup": t("Backups"),
    }
    # Of a long path the end says more than the beginning; it is told in full on two lines.
    places = tuple(
        Column(
            children=(
                Text(text=words[what], size="note", tone="text2"),
                Text(text=path, size="note", bold=True, lines=2, shrink=True),
            ),
            gap=0,
        )
        for what, path in house.places
    )
    machine: tuple[Button, ...] = ()
    if house.health:
        machine = (Button(id="machine", text=t("This machine"), intent=Go("health")),)
    part = leaf(2, 1, nav.values.get("page"))
    if part.number:
        return (*places, Space(grow=1), *pager(shown, part))
    return (
        _said(
            f"Stationmaster {house.version}",
            t("The licence is MIT. DejaVu fonts, Kivy, OpenCV, ZXing-C++ and others are under their own."),
            *machine,
        ),
        _said(
            t("Names"),
            t("Names of players stay on this machine."),
            Button(id="forget", text=t("Forget names"), intent=Ask("forget")),
        ),
        Space(grow=1),
        *pager(shown, part),
    )
