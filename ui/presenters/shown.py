"""Everything a presenter may read, as one value: the house, the game that runs, sizes, words."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assistant.display import Display, Strip
from assistant.game import Game
from assistant.journal import Header
from assistant.layout import Mat
from assistant.table import TableView
from ui.health import Reading
from ui.presenters.metrics import Metrics
from ui.presenters.words import Words
from ui.sentences import Sentences

Health = Literal["good", "look", "off"]


class State(msgspec.Struct, frozen=True):
    """How it stands with one part of the table (camera, panel, record), in a word and a sentence. `detail` is
    for staff: what the part itself says, in English."""

    health: Health
    words: str = ""
    detail: str = ""


class SwitchFacts(msgspec.Struct, frozen=True):
    """A house rule that a title has: its name, values with the default first, the rule, what it is about."""

    name: str
    values: tuple[str | bool, ...]
    ruling: str
    text: str


class PackFacts(msgspec.Struct, frozen=True):
    """A pack on the shelf; `invented` when some of its values are. `fault` says why it cannot be used, and a
    `fixture` serves tests: it need not have the cards that a game begins with."""

    id: str
    title: str
    invented: bool
    fault: str = ""
    fixture: bool = False


class TitleFacts(msgspec.Struct, frozen=True):
    """A title on the shelf. `has_mat` is False for what needs no camera (an auction)."""

    id: str
    name: str
    edition: str
    stage: str
    seats: tuple[int, int]
    packs: tuple[PackFacts, ...]
    default_pack: str
    switches: tuple[SwitchFacts, ...]
    has_mat: bool = True
    has_deck: bool = True
    """Whether the table turns up cards, which a dealer could draw."""
    hides: bool = False
    """Whether hands are hidden: then people hold them, as a screen that all see cannot."""


class ParkedFacts(msgspec.Struct, frozen=True):
    """A game that waits: its file's name, what it is, who sits where, where it stands, seconds since it was
    left (None when the clock was not set). `fault` says why it cannot be resumed, `result` how it ended."""

    file: str
    title: str
    title_name: str
    names: dict[str, str]
    progress: str
    asked: str
    age: float | None
    finished: bool = False
    result: str = ""
    fault: str = ""
    entries: int = 0
    """The number of its record's last entry; 0 for a record that cannot be read."""


class House(msgspec.Struct, frozen=True):
    """The table and its surroundings, as far as the screen shows them. Times are monotonic seconds."""

    name: str
    offered: tuple[TitleFacts, ...]
    parked: tuple[ParkedFacts, ...] = ()
    camera: State = State("off")
    panel: State = State("off")
    record: State = State("good")
    names: tuple[str, ...] = ()
    """Names that were used lately at this table, to pick from; "forget us" clears them."""
    switches: dict[str, dict[str, str | bool]] = {}
    """The house's own defaults of switches, by title."""
    readiness: Any = None
    """The camera's last check (`ui.kiosk.eyes.Readiness`), None before there is one."""
    bad_picture: bool = False
    """Whether the camera had a picture that could not be read, and it can be saved."""
    version: str = ""
    sounds: bool = True
    motion: bool = True
    staff: bool = False
    """Whether staff is logged in."""
    pin_wait: float = 0.0
    """Whole seconds until another PIN may be tried."""
    pin_wrong: int = 0
    pin_set: bool = True
    trouble: str = ""
    """Why nothing can be started, or no move be recorded: the safe screen says it; `trouble_since` is
    monotonic, `retry_in` whole seconds until it is tried again by itself."""
    trouble_since: float = 0.0
    retry_in: int = 0
    countdown: float | None = None
    """Whole seconds until an idle game is parked, while the question stands."""
    idle_minutes: float = 30.0
    """Minutes after which an idle game is asked about."""
    pressed: frozenset[str] = frozenset()
    """Buttons that were pressed since the check before play was opened, named "A plus", "A ok", "next"."""
    places: tuple[tuple[str, str], ...] = ()
    """Where things lie, for staff alone, as (what, path): "games", "settings", "backup", "config"."""
    said: str = ""
    """What the last deed answered ("The chart is saved as ..."); shown until the next touch."""
    health: tuple[Reading, ...] = ()
    """How machine, camera and program are, as far as somebody asks them."""


class Playing(msgspec.Struct, frozen=True):
    """The game that runs. `names` by seat, `sentences` in the table's language."""

    game: Game[Any]
    header: Header
    names: dict[str, str]
    sentences: Sentences
    view: TableView
    mat: Mat | None = None
    file: str = ""
    hidden_scores: bool = False
    machine_draws: bool = False
    seconds: float = 0.0
    """How long it has been played, to the minute."""
    set_up: bool = True
    """Whether the set-up steps are done (or were skipped)."""


class Shown(msgspec.Struct, frozen=True):
    """All that a page is made from, besides the navigation. `now` is monotonic."""

    house: House
    metrics: Metrics
    words: Words
    playing: Playing | None = None
    now: float = 0.0


def playing_of(shown: Shown) -> Playing:
    """The game that runs. RuntimeError where there is none: such a page is not shown then."""
    if shown.playing is None:
        raise RuntimeError("no game runs")
    return shown.playing


def display_of(shown: Shown) -> Display:
    """What the game shows; an empty one while the table has not made its first."""
    playing = playing_of(shown)
    if playing.view.display is not None:
        return playing.view.display
    return Display(tuple(Strip(seat, None) for seat in playing.game.seats))
