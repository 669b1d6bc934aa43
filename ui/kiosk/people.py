"""Virtual people at the kiosk: which places of a page to touch, one after the other, to do something.

They only see pages and only touch what can be touched, so what they cannot do no person could. They play
demonstrations on a screen, and whole games in the tests.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.choosing import Choice
from assistant.game import Game
from assistant.messages import Command
from assistant.offers import Form, Value
from assistant.table import TableView
from ui.presenters.elements import Button, Page, intents, walk
from ui.presenters.intents import Go, Intent, Say, Set
from ui.presenters.nav import Nav
from ui.presenters.present import on, page
from ui.presenters.shown import Shown
from ui.presenters.turn import say

NAMES = {"A": "Mira", "B": "Jonas", "C": "Aiko", "D": "Tom"}
"""What virtual people are called, by seat."""
DEEPEST = 12
"""Touches that somebody looks around for an answer: pages of a list, another seat, "more"."""
ANSWERED_ON = frozenset({"", "back", "table", "auction", "choice", "consent"})
"""Screens on which a game is answered; nobody looks for an answer in the log or in a rule."""
WIDEST = 400
"""Pages looked at before they give up."""


class NoWay(RuntimeError):
    """An action that cannot be reached by touching: which, and from which page."""


def option_for(game: Game[Any], state: Any, choice: Choice, action: Action) -> int:
    """The option of a choice to take next, so that the action is done in the end. `NoWay` without one."""
    for index, option in enumerate(choice.options):
        if option.action == action:
            return index
    for form in game.offers(state, choice.seat):
        if not isinstance(form, Form) or form.kind != action.kind:
            continue
        filled = completing(form, action)
        if filled is None:
            continue
        if not choice.kind:
            for index, option in enumerate(choice.options):
                same = option.role == "form" and option.kind == form.kind
                # Of several forms of a kind each is about its own space.
                same = same and all(getattr(form, k, None) == v for k, v in option.values.items())
                if same and option.value == getattr(form, "card", None):
                    return index
        elif choice.kind == form.kind and filled[: len(choice.filled)] == choice.filled:
            value = filled[len(choice.filled)]
            for index, option in enumerate(choice.options):
                if option.role == "value" and option.value == value:
                    return index
    if choice.kind:
        return next(index for index, option in enumerate(choice.options) if option.role == "back")
    raise NoWay(f"{action} is in no offer of seat {choice.seat}")


def completing(form: Form, action: Action, filled: tuple[Value, ...] = ()) -> tuple[Value, ...] | None:
    """The values that complete a form to an action, None when it cannot. Values that stand in the action are
    tried first: long forms have too many ways to try them all."""
    domain = form.domain(filled)
    if domain is None:
        return filled if form.make(filled) == action else None
    named = [value for name in action.__struct_fields__ for value in _flat(getattr(action, name))]
    left = [value for value in named if value not in filled]
    order = sorted(domain, key=lambda value: left.index(value) if value in left else len(left))
    for value in order:
        found = completing(form, action, (*filled, value))
        if found is not None:
            return found
    return None


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, list | tuple):
        return [
            inner for each in value for inner in (each if isinstance(each, list | tuple | dict) else [each])
        ]
    return [value]


def touches(
    shown: Shown, nav: Nav, wanted: Sequence[Intent], sought: Callable[[Nav], bool] = lambda nav: True
) -> tuple[list[str], Intent]:
    """Where to touch, from the page that is shown now, to come to one of the wanted intents; the last touch
    is that one. Only places that are `sought` are looked at. `NoWay` when looking around does not lead
    there."""
    start = page(shown, nav)
    seen = {_key(nav)}
    queue: deque[tuple[Nav, Page, list[str]]] = deque([(nav, start, [])])
    looked = 0
    while queue and looked < WIDEST:
        here, shows, way = queue.popleft()
        looked += 1
        there = intents(shows)
        for name, intent in there.items():
            if intent in wanted:
                return [*way, name], intent
        if len(way) == DEEPEST:
            continue
        for name, intent in there.items():
            if isinstance(intent, Set) or (isinstance(intent, Go) and intent.screen in ANSWERED_ON):
                after = on(here, intent, shown)
                if _key(after) not in seen and sought(after):
                    seen.add(_key(after))
                    queue.append((after, page(shown, after), [*way, name]))
    raise NoWay(f"nothing on page {start.id} leads to {wanted[0]}; there are: {sorted(intents(start))}")


def _key(nav: Nav) -> bytes:
    return msgspec.json.encode((nav.screen, nav.values, nav.back, nav.put_off), order="sorted")


def answers(view: TableView, seat: str, index: int) -> tuple[list[Intent], list[Intent]]:
    """Intents that take an option of a seat's choice, and those that point at it first."""
    choice = next(c for c in view.choices if c.seat == seat)
    take, point = [], []
    for page_seat in (seat, None):
        values = {"choice": choice.id, "index": index}
        take.append(_said("take", page_seat, values))
        point.append(_said("point", page_seat, values))
    return take, point


def _said(what: str, seat: str | None, values: dict[str, Any]) -> Intent:
    return Say(Command(what, seat, values))


def next_touch(game: Game[Any], state: Any, shown: Shown, nav: Nav, action: Action) -> str:
    """The id to touch next so that `action` is done in the end, on the page that is shown now."""
    assert shown.playing is not None
    view = shown.playing.view
    seat = str(getattr(action, "seat", ""))
    if seat == TABLE:
        return _table_touch(game, state, shown, nav, action)
    choice = next((c for c in view.choices if c.seat == seat), None)
    if choice is None:
        raise NoWay(f"seat {seat} can answer nothing now, and {action} is wanted")
    index = option_for(game, state, choice, action)
    take, point = answers(view, seat, index)
    # A space that stands for several options names them one after the other.
    here = choice.options[index].places
    others = [n for n, option in enumerate(choice.options) if here and option.places == here]
    around = [intent for n in others for intent in answers(view, seat, n)[1]]
    if choice.at != index:
        for wanted in (take, point):
            with suppress(NoWay):
                return touches(shown, nav, wanted)[0][0]
        take = around
    return touches(shown, nav, take)[0][0]


def _table_touch(game: Game[Any], state: Any, shown: Shown, nav: Nav, action: Action) -> str:
    """The id to touch next so that the table's input is recorded: of a form, the values that make it."""
    filled: tuple[Value, ...] = ()
    for form in game.offers(state, TABLE):
        if isinstance(form, Form) and form.kind == action.kind:
            filled = completing(form, action) or filled

    def sought(after: Nav) -> bool:
        there = tuple(after.values.get("filled", ()))
        return there == filled[: len(there)]

    return touches(shown, nav, [say(shown, action)], sought)[0][0]


def unreachable(shown: Shown, nav: Nav) -> list[str]:
    """Options of seats that are asked which no touching leads to; empty when all can be done."""
    assert shown.playing is not None
    out = []
    for choice in shown.playing.view.choices:
        for index, option in enumerate(choice.options):
            take, point = answers(shown.playing.view, choice.seat, index)
            try:
                touches(shown, nav, [*take, *point])
            except NoWay:
                out.append(
                    f"{choice.seat}: {option.role} {option.kind} {option.action or option.value or ''}"
                )
    return out


def grey(shows: Page) -> list[str]:
    """Grey buttons of a page that do not say why; empty when all do."""
    return [e.id for e in walk(shows) if isinstance(e, Button) and e.intent is None and not e.reason]
