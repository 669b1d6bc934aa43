"""Everything a presenter may read, as one value: the house, the game that runs, sizes, words."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from assistant.game import Game
from assistant.journal import Header
from assistant.layout import Mat
from assistant.table import TableView
from ui.presenters.metrics import Metrics
from ui.presenters.words import Words
from ui.sentences import Sentences

Health = Literal["good", "look", "off"]


class State(msgspec.Struct, frozen=True):
    """How it stands with one part of the table (camera, panel, record), in a word and a sentence."""

    health: Health
    words: str = ""


class SwitchFacts(msgspec.Struct, frozen=True):
    """A house rule that a title has: its name, values with the default first, the rule, what it is about."""

    name: str
    values: tuple[str | bool, ...]
    ruling: str
    text: str


class PackFacts(msgspec.Struct, frozen=True):
    """A pack on the shelf; `invented` when some of its values are. `fault` says why it cannot be used."""

    id: str
    title: str
    invented: bool
    fault: str = ""


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


class ParkedFacts(msgspec.Struct, frozen=True):
    """A game that waits: its file's name, what it is, who sits where, where it stands, seconds since it was
    left (None when the clock was not set). `fault` says why it cannot be resumed."""

    file: str
    title: str
    title_name: str
    names: dict[str, str]
    progress: str
    asked: str
    age: float | None
    finished: bool = False
    fault: str = ""


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
    version: str = ""
    sounds: bool = True
    motion: bool = True
    staff: bool = False
    """Whether staff is logged in."""
    pin_wait: float = 0.0
    """Seconds until another PIN may be tried."""
    pin_wrong: int = 0
    pin_set: bool = True
    trouble: str = ""
    """Why nothing can be started at all: the safe screen says it; `trouble_since` is monotonic."""
    trouble_since: float = 0.0
    countdown: float | None = None
    """Seconds until an idle game is parked, while the question stands."""
    said: str = ""
    """What the last deed answered ("The chart is saved as ..."); shown until the next touch."""


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
    """How long it has been played."""
    set_up: bool = True
    """Whether the set-up steps are done (or were skipped)."""


class Shown(msgspec.Struct, frozen=True):
    """All that a page is made from, besides the navigation. `now` is monotonic."""

    house: House
    metrics: Metrics
    words: Words
    playing: Playing | None = None
    now: float = 0.0
