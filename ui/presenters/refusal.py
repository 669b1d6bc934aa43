"""A refusal: what was not recorded, why, what would be legal instead. In that order, and nothing is lost."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.choosing import Option
from assistant.display import Foresight
from assistant.game import PositionFaults
from assistant.messages import Command
from assistant.rulings import Refused
from assistant.table import Notice, TableView
from ui.presenters.elements import AnyElement, Button, Column, Page, Panel, Prompt, Row, Space, Text
from ui.presenters.intents import Ask, Go, Intent, Say, Set
from ui.presenters.maps import board, hexes, map_of
from ui.presenters.nav import Nav, step
from ui.presenters.parts import explained, quiet, top
from ui.presenters.shown import Shown, playing_of
from ui.presenters.wording import foresight_words, option_label, seat_name

WRONG = frozenset({"refused", "not_understood", "trouble"})
RIGHT = frozenset({"recorded", "unrecorded"})
ROUND_A_PLACE = 2
"""Steps on the map round a place that are shown with it."""


def notice_after(view: TableView, seen: int) -> Notice | None:
    """The newest refusal or trouble that nobody has answered: neither on the screen (`seen` is the number of
    the last notice that was), nor by doing something else that was accepted."""
    for notice in reversed(view.notices):
        if notice.id <= seen or notice.kind in RIGHT:
            return None
        if notice.kind in WRONG:
            return notice
    return None


def page(shown: Shown, nav: Nav) -> Page:
    """The page."""
    t, notice = shown.words.t, notice_after(playing_of(shown).view, nav.seen_notice)
    taken = Button(
        id="understood", text=t("I take it back"), icon="undo", kind="paper", intent=Set({"understood": True})
    )
    if notice is not None and notice.kind == "trouble":
        return _lost(shown, nav, notice)
    if notice is None or not isinstance(notice.ruling, Refused):
        text = notice.text if notice is not None else ""
        return Page(
            id="refusal",
            top=top(shown),
            prompt=Prompt(t("That was not understood"), t("Nothing has changed."), "stop"),
            body=Column(children=(Panel(child=Text(text=text, lines=5)), Space(grow=1)), pad=16),
            right=(taken,),
            alarm=True,
            sound="refused",
        )
    refused = notice.ruling
    why = _why(shown, refused)
    legal = [_legal(shown, number, action) for number, action in enumerate(refused.nearest[:2])]
    if legal:
        legal.insert(0, Text(text=t("Legal instead, nearest first."), tone="text2"))
    side = Column(children=(why, *legal, Space(grow=1)), gap=10, grow=1)
    body: AnyElement = side
    drawn = _place(shown, refused)
    if drawn is not None:
        body = Row(children=(drawn, side), gap=16, pad=16)
    else:
        body = Column(children=(side,), pad=16)
    seat = notice.seat if notice.seat in playing_of(shown).game.seats else ""
    return Page(
        id="refusal",
        top=top(shown),
        prompt=explained(
            shown,
            nav,
            Prompt(
                _what(shown, notice),
                t("Nothing has changed. Take it back, or pick what is legal."),
                "stop",
                seat or "",
            ),
        ),
        body=body,
        left=(quiet(shown, "rule", t("Show the rule"), "book", Go("rule", {"rules": [refused.rule]})),),
        right=(*_agreed(shown, notice, refused), taken),
        alarm=True,
        sound="refused",
    )


def _lost(shown: Shown, nav: Nav, notice: Notice) -> Page:
    """Something failed in the referee or on its disk: what was done last is not recorded. What it was, with
    the places of files, is for staff."""
    t = shown.words.t
    kept = t("Something failed while it was recorded. Everything before is kept. Staff can see what it was.")
    said = t("Do it once more. If it fails again, call staff.")
    understood = Set({"understood": True})
    unrecorded: tuple[Button, ...] = ()
    if shown.house.staff and playing_of(shown).view.lost:
        ask = Ask("play_unrecorded")
        unrecorded = (Button(id="unrecorded", text=t("Go on without a record"), intent=ask),)
    return Page(
        id="refusal",
        top=top(shown),
        prompt=explained(shown, nav, Prompt(t("NOT recorded: what was done last"), said, "stop")),
        body=Column(
            children=(
                Panel(
                    child=Text(text=notice.text if shown.house.staff else kept, lines=5, shrink=True),
                    edge="stop",
                ),
                Space(grow=1),
            ),
            pad=16,
        ),
        left=(
            quiet(shown, "log", t("Log"), "list", Go("log")),
            quiet(shown, "staff", t("Staff"), "lock", Go("pin")),
        ),
        right=(*unrecorded, Button(id="understood", text=t("Go on"), kind="paper", intent=understood)),
        alarm=True,
        sound="refused",
    )


def on(nav: Nav, intent: Intent, shown: Shown) -> Nav | None:
    """Whatever is said or understood here answers the refusal."""
    answered = isinstance(intent, Say) or (isinstance(intent, Set) and intent.values.get("understood"))
    if not answered or shown.playing is None:
        return None
    newest = max((n.id for n in shown.playing.view.notices if n.kind in WRONG), default=nav.seen_notice)
    values = {key: value for key, value in nav.values.items() if key != "understood"}
    seen = msgspec.structs.replace(nav, values=values, seen_notice=max(newest, nav.seen_notice))
    return step(seen, Say(Command("")))


def _what(shown: Shown, notice: Notice) -> str:
    t = shown.words.t
    who = seat_name(shown, notice.seat or TABLE)
    if notice.action is None:
        return t("{who}: this is not recorded", who=who)
    option = Option("offer", notice.action.kind, notice.action, places=notice.action.spaces)
    return t("{who}: “{what}” is not recorded", who=who, what=option_label(shown, option))


def _why(shown: Shown, refused: Refused) -> Panel:
    t, playing = shown.words.t, playing_of(shown)
    head = Row(
        children=(
            Text(text=t("Why"), tone="text2"),
            Space(grow=1),
            Text(text=refused.rule, bold=True, size="note"),
        )
    )
    sentence = playing.sentences.violation(refused.violation)
    lines: list[AnyElement] = [head, Text(text=sentence, size="button", lines=4, shrink=True)]
    mat = map_of(shown)
    titles = {space.id: space.title for space in mat.spaces} if mat is not None else {}
    named = [titles.get(place) or playing.game.name_of(place) for place in refused.violation.places[:4]]
    # A small panel has no room for what the map shows already.
    if (places := ", ".join(named)) and not shown.metrics.small:
        lines.append(Text(text=t("Where: {places}", places=places), tone="text2", lines=2))
    return Panel(child=Column(children=tuple(lines), gap=6), edge="stop", pad=14)


def _legal(shown: Shown, number: int, action: Action) -> AnyElement:
    """A legal action to take at once: what it costs or changes stands on it."""
    seat = str(getattr(action, "seat", TABLE))
    form: dict[str, Any] = playing_of(shown).game.codec.to_json(action)
    option = Option("offer", action.kind, action, places=action.spaces)
    words: list[AnyElement] = [
        Text(text=option_label(shown, option), size="button", bold=True, lines=2, shrink=True)
    ]
    if told := foresight_words(shown, foreseen(shown, action)):
        words.append(Text(text=told, size="note", tone="text2", lines=2))
    return Panel(
        child=Column(children=tuple(words), gap=2),
        ground="sleeper",
        edge="rule",
        pad=10,
        id=f"legal:{number}",
        intent=Say(Command("try", seat, {"action": form})),
    )


def foreseen(shown: Shown, action: Action) -> Foresight | None:
    """What a legal action would do: as it is offered, else worked out; None where that cannot be said."""
    playing = playing_of(shown)
    for choice in playing.view.choices:
        for option in choice.options:
            if option.action == action and option.foresight is not None:
                return option.foresight
    try:
        state = playing.game.from_position(playing.view.position)
        return playing.game.foresee(state, action)
    except (PositionFaults, ValueError, TypeError, LookupError, StopIteration):
        return None


def _cost(foresight: Foresight | None) -> str:
    """The number to draw on a place; empty where nothing is paid."""
    if foresight is None:
        return ""
    cost = foresight.hint.values.get("cost") if foresight.hint is not None else None
    if isinstance(cost, int):
        return str(cost)
    return next((str(c.before - c.after) for c in foresight.changes if c.after < c.before), "")


def _agreed(shown: Shown, notice: Notice, refused: Refused) -> tuple[Button, ...]:
    """ "The table agreed", where the rule can be waived and it is known what was tried."""
    playing = playing_of(shown)
    if notice.action is None or refused.rule not in playing.game.waivable or notice.seat is None:
        return ()
    form = playing.game.codec.to_json(notice.action)
    intent = Say(Command("ask_overrule", notice.seat, {"action": form}))
    return (Button(id="agreed", text=shown.words.t("The table agreed"), icon="person", intent=intent),)


def _place(shown: Shown, refused: Refused) -> AnyElement | None:
    """The map round the places concerned, what is legal instead lit."""
    mat = map_of(shown)
    wrong = [place for place in refused.violation.places if mat is not None]
    if mat is None:
        return None
    here = {space.id: space.hex for space in mat.spaces if space.hex is not None}
    wrong = [place for place in wrong if place in here]
    if not wrong:
        return None
    legal: dict[str, str] = {}
    for action in refused.nearest:
        places = [place for place in action.spaces if place in here]
        legal |= dict.fromkeys(places, _cost(foreseen(shown, action)) if places else "")
    near = [
        space
        for space, (q, r) in here.items()
        for place in (*wrong, *legal)
        if max(abs(q - here[place][0]), abs(r - here[place][1])) <= ROUND_A_PLACE
    ]
    drawn = board(shown, hexes(shown, lit=legal, wrong=wrong), closer=tuple(dict.fromkeys(near)))
    return Column(children=(drawn,), w=440)
