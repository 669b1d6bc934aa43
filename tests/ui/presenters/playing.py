"""Games at a real table, shown at every size and in every language, and people who touch the screen."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from assistant.choosing import Choice
from assistant.dealer import Dealer
from assistant.game import Game, find_title
from assistant.journal import MemoryJournal
from assistant.layout import Mat
from assistant.messages import Command, Saw
from assistant.observation import Observation, Sighting
from assistant.referee import Referee, header_for
from assistant.table import Table
from tests.toys.shelf import toy
from ui.presenters import elements, present
from ui.presenters.elements import Button, Page, Panel
from ui.presenters.intents import Ask, Go, Intent, Say, Set
from ui.presenters.metrics import metrics
from ui.presenters.nav import BACK, Nav
from ui.presenters.shown import House, Playing, Shown, State
from ui.presenters.words import Words
from ui.sentences import Sentences

FX = Path(__file__).parents[2] / "fixtures" / "fx.toml"
SIZES = ((800, 480), (1024, 600), (1280, 800))
NAMES = {"A": "Mira", "B": "Jonas", "C": "Aiko", "D": "Tom [b]"}
COMMANDS = frozenset(
    (
        "point",
        "take",
        "back",
        "try",
        "ask_undo",
        "agree",
        "decline",
        "told",
        "cancel",
        "pause",
        "go_on",
        "redo",
    )
)
"""What the pages of a game say to the table."""
OWN = frozenset({"table", "auction", "choice", ""})
"""Screens between which somebody who answers a choice goes."""


def game(name: str, seats: int = 3, pack: str | Path | None = None, **options: Any) -> Game[Any]:
    """A game by its title, a toy too."""
    if name.startswith("toy"):
        return toy(name, seats)
    title = find_title(name)
    return title.open(title.load_pack(pack or title.default_pack), seats, options)


def table(of: Game[Any], *, dealt: bool = True, **more: Any) -> Table:
    """A running table whose cards the machine draws, or nobody yet."""
    dealer = Dealer("seed") if dealt else None
    pieces = {piece.payload: piece for piece in mat.pieces} if (mat := mat_of(of)) is not None else None
    referee = Referee.new(of, MemoryJournal(header_for(of)))
    return Table(referee, pieces, dealer=dealer, clock=lambda: 7.0, **more)


@cache
def mat_of(of: Game[Any]) -> Mat | None:
    """The mat of a game that has one."""
    try:
        return of.mat()
    except LookupError:
        return None


def shown(
    judge: Table,
    size: tuple[int, int] = (1024, 600),
    language: str = "en",
    house: House | None = None,
    **more: Any,
) -> Shown:
    """What presenters see of a table."""
    of = judge.referee.game
    names = {seat: NAMES[seat] for seat in of.seats}
    sentences = Sentences.of(of.title, language, names)
    playing = Playing(of, header_for(of), names, sentences, judge.view, mat=mat_of(of), **more)
    good = State("good")
    home = house or House("Café", (), camera=good, panel=State("look", "A plus sticks"), record=good)
    return Shown(home, metrics(*size), Words(language), playing, now=9.0)


def every(judge: Table, nav: Nav) -> list[Page]:
    """The page at all sizes in all languages, each checked."""
    pages = []
    for size in SIZES:
        for language in ("en", "de"):
            page = present.page(shown(judge, size, language), nav)
            check(page)
            pages.append(page)
    return pages


def check(page: Page) -> None:
    """What holds of every page of a game."""
    buttons = [e for e in elements.walk(page) if isinstance(e, Button)]
    assert sum(b.kind == "paper" and b.intent is not None for b in buttons) <= 1, page.id
    for button in buttons:
        assert button.text or button.icon
        assert button.intent is not None or button.reason, (page.id, button)
        assert not (button.intent is not None and button.reason)
    ids = [e.id for e in elements.walk(page) if isinstance(e, Button | Panel) and e.id]
    assert len(ids) == len(set(ids)), ids
    for element in elements.walk(page):
        if isinstance(element, Panel) and element.intent is not None:
            assert element.id
    assert page.prompt is not None
    assert page.prompt.text
    for intent in elements.intents(page).values():
        if isinstance(intent, Say):
            assert intent.command.what in COMMANDS
        elif isinstance(intent, Go):
            assert intent.screen in (*present.SCREENS, BACK, "")
        elif isinstance(intent, Ask):
            raise AssertionError(f"{page.id} asks the host for {intent.what}")


def touch(judge: Table, nav: Nav, intent: Intent) -> Nav:
    """What a touch does: to the table, and to where the screen is."""
    after = present.on(nav, intent, shown(judge))
    if isinstance(intent, Say):
        judge.handle(intent.command)
    return after


def said(page: Page, what: str) -> list[Command]:
    """Commands of a kind that can be given on a page."""
    return [
        i.command for i in elements.intents(page).values() if isinstance(i, Say) and i.command.what == what
    ]


def reached(judge: Table, nav: Nav, choice: Choice) -> set[int]:
    """Options of a choice that can be touched, going through all pages that belong to it."""
    now = shown(judge)
    found: set[int] = set()
    been: set[tuple[str, str]] = set()
    queue = [nav]
    while queue:
        here = queue.pop()
        key = (here.screen, repr(sorted(here.values.items())))
        if key in been or len(been) > 200:
            continue
        been.add(key)
        if present.screen_for(now, here) not in OWN:
            continue
        for intent in elements.intents(present.page(now, here)).values():
            if isinstance(intent, Say):
                values = intent.command.values
                if values.get("choice") == choice.id and values.get("index") is not None:
                    found.add(values["index"])
            elif isinstance(intent, Set) or (isinstance(intent, Go) and intent.screen in OWN):
                queue.append(present.on(here, intent, now))
    return found


def wanted(choice: Choice) -> set[int]:
    """Options that must be within reach: while the camera asks, its answers come first."""
    answers = {n for n, o in enumerate(choice.options) if o.role in ("accept", "dismiss")}
    return answers or set(range(len(choice.options)))


def walk(judge: Table, rng: random.Random, steps: int, look: int = 1) -> dict[str, int]:
    """Touch what can be touched, evenly but for what goes away from the game; every `look`-th view
    is drawn at all sizes, and all options are looked for. Gives how often each screen was shown."""
    nav, counts = Nav(), dict[str, int]()
    for number in range(steps):
        now = shown(judge)
        screen = present.screen_for(now, nav)
        if screen not in (*OWN, "consent", "log"):
            nav = Nav(seen_notice=judge.view.notices[-1].id if judge.view.notices else 0)
            if judge.view.finished:
                break
            if present.screen_for(shown(judge), nav) not in (*OWN, "consent", "log"):
                break
            continue
        counts[screen] = counts.get(screen, 0) + 1
        if number % look == 0:
            every(judge, nav)
            for choice in judge.view.choices:
                if choice.why and not judge.view.asking:
                    there = Nav("", {"seat": choice.seat, "seq": judge.view.seq})
                    missing = wanted(choice) - reached(judge, there, choice)
                    assert not missing, (
                        screen,
                        choice.id,
                        choice.why,
                        [choice.options[n].kind for n in missing],
                    )
        page = present.page(now, nav)
        check(page)
        touches = [
            i
            for i in elements.intents(page).values()
            if not (isinstance(i, Go) and i.screen in ("rule", "menu"))
        ]
        takes: list[Intent] = [i for i in touches if isinstance(i, Say) and i.command.what in ("take", "try")]
        if takes and rng.random() < 0.5:
            touches = takes
        if not touches:
            break
        nav = touch(judge, nav, touches[int(rng.random() * len(touches))])
        assert not [n for n in judge.view.notices if n.kind in ("trouble", "not_understood")], (
            judge.view.notices
        )
    return counts


def play(judge: Table, rng: random.Random, actions: int) -> None:
    """Do so many sensible moves."""
    for _ in range(actions):
        referee = judge.referee
        asked = referee.game.acting(referee.state)
        seats = [a.seat for a in asked if a.seat in referee.game.seats]
        if not seats:
            return
        action = referee.game.sensible(referee.state, seats[0], rng)
        judge.handle(Command("try", seats[0], {"action": msgspec.to_builtins(action)}))


def at(judge: Table, why: str, rng: random.Random, most: int = 400) -> Choice:
    """Play on until somebody is asked this; gives the choice of who is asked."""
    for _ in range(most):
        for choice in judge.view.choices:
            if choice.why == why:
                return choice
        play(judge, rng, 1)
    raise AssertionError(f"nobody was asked {why}")


def see(judge: Table, action: Any) -> None:
    """The camera sees the table as it is once somebody has done an action."""
    of = judge.referee.game
    scene = of.laid(judge.referee.state, action)
    lying = tuple(Sighting(p.payload, 0.0, 0.0, 0.0, 3.0, p.space, p.slot) for p in scene.placements)
    judge.handle(Saw(Observation(lying)))
