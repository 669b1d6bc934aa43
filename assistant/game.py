"""What a game must offer, and how games are found.

A `Title` is what stands on the shelf: facts about a game, its packs and its house-rule switches. A
`Game` is a title's rules bound to one pack, a number of seats and the switches in force. All its methods
are pure: a state is a value, `apply` returns a new one.

Titles are found under `assistant/games/`, under the entry point group ``stationmaster.games`` and in the
folders that the environment variable STATIONMASTER_GAMES names (separated as in PATH). Each such package
holds one `TITLE`. Adding a game touches no file outside its folder.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import pkgutil
import random
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from assistant.actions import TABLE, Action, Codec, in_words
from assistant.display import Display, Foresight, Strip, changes
from assistant.events import Event
from assistant.layout import SEAT_LETTERS, Mat, Scene
from assistant.offers import Form, Offer, expand
from assistant.packs import Fault, Pack, find, load
from assistant.positions import Position, digest
from assistant.reading import Reading, Seen, Spot
from assistant.rulings import NotUnderstood, Refused, Violation
from assistant.scores import ScoreSheet, Tie

S = TypeVar("S")

STAFF = "staff"
PUBLIC = "public"
"""Viewers besides the seat letters: everything, and what everyone at the table may see."""

NEAREST = 3
"""How many legal actions a refusal names at most."""


class Acting(msgspec.Struct, frozen=True):
    """One seat that is asked something, and why (a catalogue key such as "bid" or "draw")."""

    seat: str
    why: str


class Switch(msgspec.Struct, frozen=True):
    """A house rule that can be set: its values, the default first, and the ruling it belongs to."""

    values: tuple[str | bool, ...]
    ruling: str
    text: str

    @classmethod
    def flag(cls, ruling: str, text: str, *, default: bool = False) -> Switch:
        """A house rule that holds or does not."""
        return cls((default, not default), ruling, text)


class SetUpStep(msgspec.Struct, frozen=True):
    """One thing to prepare before play: a key of the catalogue table `setup` with its values, and the rule.

    `done` says that the record has it already: cards that the camera read, or that the machine dealt. What
    the record cannot know stays for people to tick.
    """

    key: str
    values: dict[str, Any] = {}
    rule: str = ""
    done: bool = False


class EndFact(msgspec.Struct, frozen=True):
    """One thing to enter about a table that is to be scored at its end.

    `path` is where it stands in the position, `seat` whose it is (None: the table's). `label` is a key of the
    catalogue table `end`, with `values`. `kind` says what is entered: "number" one from `low` to `high`;
    "spaces" places of the mat, only those in `choices` where there are any; "cards" ids of `choices` in the
    order in which they are picked; "one" one of `choices`, which people know by `words`; "order" all of
    `choices`. Of places and cards there are from `low` to `high`. `start` holds until somebody says else.
    """

    path: str
    kind: Literal["number", "spaces", "cards", "one", "order"]
    label: str
    values: dict[str, Any] = {}
    seat: str | None = None
    low: int = 0
    high: int = 999
    choices: tuple[Any, ...] = ()
    words: tuple[str, ...] = ()
    start: Any = None


class Game(ABC, Generic[S]):
    """The rules of one title bound to a pack, seats and switches. S is the game's state type.

    A game whose state reads well as it is sets `state_type` to its record and gets positions for nothing.
    """

    title: Title
    pack: Pack[Any]
    seats: tuple[str, ...]
    options: Mapping[str, str | bool]
    codec: ClassVar[Codec[Any]]
    waivable: ClassVar[frozenset[str]]
    """Rules that the table may agree to overrule; all others are structural."""
    seen_kinds: ClassVar[frozenset[str]] = frozenset()
    """Kinds of action that the camera can explain; all others are touched in."""
    slip_kinds: ClassVar[frozenset[str]] = frozenset()
    """Kinds of mistakes that `slips` can show at some time."""
    labels: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By kind of action: the values that `labelled` gives besides its fields."""
    hides: ClassVar[bool] = False
    """Whether some seats know what others must not: then views and `disclosed` differ by viewer, and a game
    that is not over may be exported for staff only."""
    derived: ClassVar[tuple[str, ...]] = ()
    """Paths of a position (`*` for any key) that `from_position` works out from the rest where they are
    absent, such as the pieces left in a supply. A case need not state them."""

    state_type: ClassVar[Any] = None
    """The record of the state, for the default positions (its JSON form; unknown keys are its matter)."""

    def __init__(self, title: Title, pack: Pack[Any], seats: int, options: Mapping[str, str | bool]) -> None:
        self.title = title
        self.pack = pack
        self.seats = tuple(SEAT_LETTERS[:seats])
        self.options = options

    @abstractmethod
    def start(self) -> S:
        """The state before the first input."""

    @abstractmethod
    def acting(self, state: S) -> tuple[Acting, ...]:
        """Who is asked something now, the first in order first. Empty when the game is over."""

    @abstractmethod
    def offers(self, state: S, seat: str) -> list[Offer]:
        """Everything `seat` may do now, free actions last."""

    @abstractmethod
    def violations(self, state: S, action: Action) -> Iterator[Violation]:
        """Broken rules in the order the rules document fixes, lazily. Nothing when legal."""

    @abstractmethod
    def apply(self, state: S, action: Action) -> tuple[S, list[Event]]:
        """The state after an action that `refuse` accepts (or that is overruled), and its events."""

    def finished(self, state: S) -> bool:
        """Whether the game is over and scored. Default: nobody is asked anything."""
        return not self.acting(state)

    def to_position(self, state: S) -> Position:
        """The documented readable form of a state. Default: the state's JSON form."""
        position: Position = msgspec.to_builtins(state)
        return position

    def from_position(self, position: Mapping[str, Any]) -> S:
        """The state of a full position. `PositionFaults` lists every fault, unknown keys included."""
        try:
            state: S = msgspec.convert(position, self.state_type)
        except msgspec.ValidationError as fault:
            raise PositionFaults([in_words(str(fault))]) from None
        if faults := self.faults(state):
            raise PositionFaults(faults)
        return state

    @abstractmethod
    def faults(self, state: S) -> list[str]:
        """What is structurally impossible about a state (a card in two places); empty when sound."""

    def places(self, state: S) -> Sequence[tuple[str, ...]]:
        """Final order: groups of seats that share a place, best first. Default: by `totals`."""
        totals = self.totals(state)
        ranks = sorted(set(totals.values()), reverse=True)
        return [tuple(seat for seat in self.seats if totals[seat] == rank) for rank in ranks]

    @abstractmethod
    def chance(self, state: S, rng: random.Random) -> Action | None:
        """The table's next input as a virtual dealer makes it, or None when none is due."""

    def view(self, state: S, viewer: str) -> Position:
        """What a viewer (a seat, PUBLIC or STAFF) may know. Default: everything is open."""
        return self.to_position(state)

    def forget(self, before: S, undone: S) -> S:
        """The state to return to when an undo crosses revealed information.

        `before` is the earlier state, `undone` the one that is taken back. The default fits games whose
        earlier state never knew what was revealed later.
        """
        return before

    def disclosed(self, action: Action, viewer: str) -> Action:
        """The action as a viewer (a seat, PUBLIC or STAFF) may know it, for histories. Default: as it is.

        Events need no such thing: an event never says what only some seats know.
        """
        return action

    def deck(self, state: S) -> str:
        """Which deck the table's next input comes from; the dealer keeps the randomness of decks apart."""
        return ""

    def owed(self, state: S) -> tuple[str, int] | None:
        """What the table must turn up now: the deck's id and the number of cards. Default: None.

        For games whose offers do not list it, because there are too many ways.
        """
        return None

    def totals(self, state: S) -> Mapping[str, int]:
        """Each seat's points as the state has them; a correction scores the difference. Empty: no points."""
        return {}

    def ties(self, state: S) -> tuple[Tie, ...]:
        """For a game that is over: what decided between seats with equal points. Default: nothing."""
        return ()

    def set_up(self, state: S) -> tuple[SetUpStep, ...]:
        """What is to be prepared before play, in order. Default: nothing."""
        return ()

    def end_facts(self, entered: Mapping[str, Any]) -> tuple[EndFact, ...]:
        """What to enter about a table to score it at its end; `entered` is what was so far, by path.
        Default: nothing, for a game that cannot be scored so."""
        return ()

    def end_position(self, entered: Mapping[str, Any]) -> Position:
        """The position that a table was entered as, with what that leaves out. Default: as it was entered."""
        return dict(entered)

    def sheet(self, state: S, events: Sequence[Event]) -> ScoreSheet:
        """The score sheet of everything that happened; the default adds up `Points`."""
        return ScoreSheet.from_events(self.seats, events)

    def final(self, state: S) -> tuple[S, list[Event]]:
        """The state scored as if the game ended now, and the events of that scoring.

        The default fits games that are already over; otherwise it raises `NotUnderstood`.
        """
        if self.finished(state):
            return state, []
        raise NotUnderstood(f"{self.title.name} cannot be scored before it is over")

    def ask(self, state: S, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a question of this game's own (a case's `ask`), as a JSON-able dict.

        `name` is "score" (then `args` has a `kind`), "display" or a name that only this game knows.
        `NotUnderstood` for a question that the game does not know; the default knows none.
        """
        raise NotUnderstood(f"{self.title.name} has no question {name!r}")

    def distance(self, action: Action, legal: Action) -> float:
        """How far a legal action is from a refused one; smaller is nearer. Default: differing fields."""
        fields = action.__struct_fields__
        return float(sum(getattr(action, name) != getattr(legal, name, None) for name in fields))

    def mat(self, copy: str = "01") -> Mat:
        """The printed mat of this game; raises LookupError for a game without one."""
        raise LookupError(f"{self.title.name} has no mat")

    def card_words(self, catalogue: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
        """What is printed on cards, in the words of this game's catalogue in another language, by what is
        printed. Default: nothing, all stays as it is printed."""
        return {}

    def scene(self, state: S) -> Scene:
        """What lies on the mat in this state, as far as pieces are tagged."""
        return Scene(())

    def laid(self, state: S, action: Action) -> Scene:
        """What lies on the mat when people have done an action and nobody has ruled on it yet.

        Default: what lies there afterwards; a game in which cards are shown and leave again says more.
        """
        return self.scene(self.apply(state, action)[0])

    def labelled(self, state: S, action: Action) -> Mapping[str, Any]:
        """What the button of an offered action may say besides its fields: values for its template in the
        table `offers`. Default: nothing.

        Two names have a meaning: `row` and `cell` are the row of the display (its catalogue word) and the
        cell, from 1, that the action leads to, so that it can be touched there.
        """
        return {}

    def in_one_go(self, first: Action, following: Action) -> bool:
        """Whether people lay what one action needs right after another, before anybody looks; for
        demonstrations. Default: never."""
        return False

    def placing(self, state: S, seat: str, what: str, place: str) -> Sequence[Action]:
        """Actions by which a seat may have laid a piece of a kind at a place, whatever the rules say of them.
        Default: none but those that seat and place alone make."""
        return ()

    def tagged(self, state: S, action: Action) -> Action:
        """The action with what the tags of the pieces say that are used for it, such as a card's number, as
        the camera would tell it. Default: as it is."""
        return action

    def explain(self, state: S, seen: Seen) -> Reading:
        """Which actions explain what the camera saw; raises LookupError for a game without a mat."""
        raise LookupError(f"{self.title.name} has no mat")

    def sensible(self, state: S, seat: str, rng: random.Random) -> Action:
        """What a virtual player does who is asked; for demonstrations. Default: an even choice."""
        offers = self.offers(state, seat)
        main = [offer for offer in offers if not offer.free] or offers
        offer = main[int(rng.random() * len(main))]
        return offer.sample(rng) if isinstance(offer, Form) else offer

    def slips(self, state: S, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
        """Mistakes that people could make on the mat now: a kind of `reading.Difference`, and the pieces
        wrongly added. For demonstrations and tests; default: none."""
        return {}

    def display(self, state: S, viewer: str = PUBLIC) -> Display:
        """What the screen shows of a state. Default: strips with the totals, and tokens as they lie."""
        totals = self.totals(state)
        return Display(tuple(Strip(seat, totals.get(seat)) for seat in self.seats), tokens=self.tokens(state))

    def tokens(self, state: S) -> tuple[Spot, ...]:
        """Tokens of seats on the spaces of the mat. Default: those of the scene."""
        placements = self.scene(state).placements
        if not placements:
            return ()
        pieces = {piece.payload: piece for piece in self.mat().pieces}
        spots = [(pieces[placement.payload], placement.space) for placement in placements]
        return tuple(Spot(piece.what, piece.seat, space) for piece, space in spots if piece.seat)

    def foresee(self, state: S, action: Action) -> Foresight:
        """What a legal action would do, said before it is done. Default: numbers of its seat that change."""
        seat = getattr(action, "seat", TABLE)
        before = next((strip for strip in self.display(state).strips if strip.seat == seat), None)
        if before is None:
            return Foresight()
        after = next(s for s in self.display(self.apply(state, action)[0]).strips if s.seat == seat)
        return Foresight(changes(before, after))

    def name_of(self, id: str) -> str:
        """The printed name of a card or tile by its id, short enough for a button. Default: the id."""
        return id

    # What every game has for nothing.

    def refuse(self, state: S, action: Action) -> Violation | None:
        """The first broken rule, or None when the action is legal."""
        return next(self.violations(state, action), None)

    def nearest(self, state: S, action: Action, limit: int = 400) -> tuple[Action, ...]:
        """Up to three legal actions most like a refused one: of its kind if there are any, else any."""
        kind = action.kind
        seat: str = getattr(action, "seat", TABLE)
        if seat != TABLE and seat not in self.seats:
            return ()
        offers = self.offers(state, seat)
        same = [o for o in offers if o.kind == kind]
        legal = list(expand(same or [o for o in offers if not isinstance(o, Form)], limit))
        legal.sort(key=lambda candidate: self.distance(action, candidate))
        return tuple(legal[:NEAREST])

    def ruling(self, state: S, action: Action) -> Refused | None:
        """A full refusal with the nearest legal actions, or None when the action is legal."""
        violation = self.refuse(state, action)
        return None if violation is None else Refused(violation, self.nearest(state, action))

    def digest(self, state: S) -> str:
        """BLAKE2b of the canonical position, 32 hex digits."""
        return digest(self.to_position(state))


class PositionFaults(ValueError):
    """A position that no state has: every fault, one line each."""

    def __init__(self, faults: Sequence[str], rule: str | None = None) -> None:
        self.faults = tuple(faults)
        self.rule = rule
        super().__init__("; ".join(faults))


class Title(ABC):
    """A game on the shelf."""

    id: ClassVar[str]
    name: ClassVar[str]
    edition: ClassVar[str]
    stage: ClassVar[Literal["alpha", "beta", "production"]]
    seats: ClassVar[tuple[int, int]]
    """Smallest and largest number of players."""
    seats_rule: ClassVar[str]
    """Rule that names the number of players."""
    tag: ClassVar[str]
    """The game's character in every tag (base 36)."""
    rules_version: ClassVar[int]
    """Names a set of switch defaults and rulings; a mended ruling adds one."""
    switches: ClassVar[Mapping[str, Switch]] = {}
    default_pack: ClassVar[str]
    content: ClassVar[type[Any]]
    """The record of a pack's content."""
    rules: ClassVar[type[Game[Any]]]
    """The rules, for the default `bind`."""

    def load_pack(self, name_or_path: str | Path) -> Pack[Any]:
        """A pack by id or by path; `assistant.packs.PackFaults` lists everything wrong with it."""
        file = find(self.folder, name_or_path)
        return load(file, self.content, self.check, game=self.id, folder=self.folder)

    def check(self, content: Any, fixture: bool, unsure: frozenset[str]) -> Iterable[Fault]:
        """What the record of a pack's content cannot say; see `assistant.packs.Check`. Default: nothing."""
        return ()

    def pack_from_canonical(self, text: str) -> Pack[Any]:
        """The pack whose canonical text a journal holds."""
        return Pack.from_canonical(text, self.content)

    def bind(self, pack: Pack[Any], seats: int, options: Mapping[str, str | bool]) -> Game[Any]:
        """The rules bound to a pack, a number of seats within range and effective switches."""
        return self.rules(self, pack, seats, options)

    def at_version(self, version: int) -> Title:
        """The title with the rulings of an earlier rules version. LookupError when it keeps none.

        A title that mends a ruling and can still play the old way overrides this.
        """
        if version == self.rules_version:
            return self
        raise LookupError(
            f"this game of {self.name} was recorded under rules version {version}; here is version "
            f"{self.rules_version}, which does not keep the old rulings"
        )

    @cached_property
    def folder(self) -> Path:
        """The folder of the game's package (packs, locale)."""
        file = sys.modules[type(self).__module__].__file__
        assert file is not None
        return Path(file).parent

    def effective(self, options: Mapping[str, str | bool]) -> dict[str, str | bool]:
        """All switches with their values. ValueError lists every unknown switch and value."""
        faults = [f"there is no switch {name!r}" for name in options if name not in self.switches]
        for name, value in options.items():
            if name in self.switches and value not in self.switches[name].values:
                allowed = ", ".join(str(v).lower() for v in self.switches[name].values)
                faults.append(f"{name} = {value!r}: the values are {allowed}")
        if faults:
            raise ValueError("; ".join(faults))
        return {name: options.get(name, switch.values[0]) for name, switch in self.switches.items()}

    def open(self, pack: Pack[Any], seats: int, options: Mapping[str, str | bool] | None = None) -> Game[Any]:
        """The rules for a table. `PositionFaults` cites the rule when the number of players is wrong."""
        low, high = self.seats
        if not low <= seats <= high:
            text = f"{self.name} is for {low} to {high} players, not {seats}"
            raise PositionFaults([text], rule=self.seats_rule)
        return self.bind(pack, seats, self.effective({**self.pack_switches(pack), **(options or {})}))

    def pack_switches(self, pack: Pack[Any]) -> Mapping[str, str | bool]:
        """Switches that a pack sets otherwise than the title; what a table chooses goes before them."""
        return {}


class NoGame(LookupError):
    """A folder that STATIONMASTER_GAMES names holds no game, or one that lacks something: all of it."""


def find_title(name: str) -> Title:
    """The title of that id. LookupError names the titles there are."""
    for title in _shelf():
        if title.id == name:
            return title
    raise LookupError(f"there is no game {name!r}; there are: {', '.join(sorted(titles()))}")


def titles() -> dict[str, Title]:
    """All titles by id, found anew at each call (a folder may have been added). `NoGame` for a folder without
    a whole one."""
    found: dict[str, Title] = {}
    for title in _shelf():
        found.setdefault(title.id, title)
    return found


def _shelf() -> Iterator[Title]:
    """Titles in the order in which they are looked for: ours, installed ones, folders. Lazily, because
    asking what is installed costs more than everything else."""
    here = importlib.import_module("assistant.games")
    for module in pkgutil.iter_modules(here.__path__):
        if module.ispkg:
            yield from _title_of(importlib.import_module(f"{here.__name__}.{module.name}"))
    for entry in importlib.metadata.entry_points(group="stationmaster.games"):
        yield from _title_of(entry.load())
    for folder in _folders():
        yield _title_at(folder)


def _folders() -> list[Path]:
    named = os.environ.get("STATIONMASTER_GAMES", "").split(os.pathsep)
    return [Path(folder).resolve() for folder in named if folder]


def place_in_a_game(wrong: BaseException) -> str | None:
    """Where a game in a folder of STATIONMASTER_GAMES failed, as "FILE, line N"; None where none did."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(wrong.__traceback__)]
    if isinstance(wrong, SyntaxError):
        places.append((wrong.filename or "", wrong.lineno))
    for file, line in reversed(places):
        if any(folder in Path(file).parents for folder in _folders()):
            return f"{file}, line {line}"
    return None


def _title_of(package: Any) -> Iterator[Title]:
    """A package's title, if it has one; an entry point may also name the title itself."""
    title = getattr(package, "TITLE", package)
    if isinstance(title, Title):
        yield title


def _title_at(folder: Path) -> Title:
    """The title in a folder. `NoGame` tells all that it lacks."""
    title = getattr(_package_at(folder), "TITLE", None)
    if not isinstance(title, Title):
        raise NoGame(f"STATIONMASTER_GAMES names {folder}, which holds no game (no TITLE that is a Title)")
    lacks = [f"{type(title).__name__}.{name}" for name in _unset(type(title), Title)]
    rules = getattr(title, "rules", None)
    if rules is not None:
        lacks += [f"{rules.__name__}.{name}" for name in _unset(rules, Game)]
    if lacks:
        raise NoGame(f"the game in {folder} lacks {', '.join(lacks)}")
    return title


_SERVES = {"content": "load_pack", "rules": "bind", "state_type": "from_position"}
"""Values that only the default of a method reads."""


def _unset(made: type[Any], base: type[Any]) -> list[str]:
    """What a class must say that derives from a base, and does not: its values, then its methods."""
    values = [name for name, kind in base.__annotations__.items() if kind.startswith("ClassVar")]
    lacks = [name for name in values if not hasattr(made, name)]
    if base is Game and made.state_type is None:
        lacks.append("state_type")
    own = {v for v, m in _SERVES.items() if getattr(made, m, None) is not getattr(base, m, None)}
    return [name for name in lacks if name not in own] + sorted(made.__abstractmethods__)


def _package_at(folder: Path) -> Any:
    """Import the package in `folder` under a name of its own."""
    # The path is part of the name: two shelves may each have a folder of that name.
    name = f"stationmaster_games_{folder.name}_{digest({'folder': str(folder)})[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None or not (folder / "__init__.py").exists():
        raise NoGame(f"STATIONMASTER_GAMES names {folder}, which holds no game (no __init__.py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        # Half of a package must not be found by whoever asks again.
        del sys.modules[name]
        raise
    return module
