"""Scenes: every screen in the states that matter, from games that were really played. No window is needed.

A game of Railway Boom is played by the virtual players through the running table, always the same; where
it comes to what a screen is for, its view is kept. The tour draws the scenes, and tests look at them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.dealer import Dealer
from assistant.dealing import CardGame
from assistant.events import Told
from assistant.game import Acting, Game, find_title
from assistant.hidden import Truth, wanted
from assistant.journal import MemoryJournal
from assistant.layout import Mat, Scene
from assistant.messages import (
    CameraState,
    CameraStatus,
    Command,
    Holding,
    PanelState,
    PanelStatus,
    Press,
    Saw,
)
from assistant.observation import Observation, Sighting
from assistant.reading import OutOfStep, Spot
from assistant.referee import Referee, header_for
from assistant.table import Notice, Table, TableView
from ui import health
from ui.kiosk.eyes import Readiness
from ui.kiosk.people import NAMES
from ui.names import called
from ui.presenters import present
from ui.presenters.intents import Go
from ui.presenters.metrics import Metrics
from ui.presenters.nav import Nav
from ui.presenters.shown import House, ParkedFacts, Playing, Shown, State
from ui.presenters.wording import progress_words
from ui.presenters.words import Words
from ui.sentences import Sentences
from vision.readiness import Check, Light

SEED = "tour"
PLACES = (
    ("games", "/var/lib/stationmaster"),
    ("settings", "/var/lib/stationmaster/kiosk-settings.json"),
    ("backup", "/media/usb"),
    ("config", "/etc/stationmaster/config.toml"),
)
"""Where things lie at a table in a café."""
GOOD = State("good")
WELL = (
    health.power(0),
    health.heat(52.0),
    health.disk(11_400_000_000),
    health.camera("running", rate=2.0, age=0.4),
    health.start(9.5),
    health.memory(231.0),
)
"""A machine on a good evening. The figures are for show."""
LOST = (
    "/var/lib/stationmaster/railway_boom-0007.game: the disk failed (disk I/O error), and works again. "
    "This ruling is not recorded. Everything before is safe, and play can go on."
)
"""What a journal says of a ruling that it lost."""


class Staged(msgspec.Struct, frozen=True):
    """One scene: its name (the file's), what is shown, where somebody went."""

    name: str
    shown: Shown
    nav: Nav


class Recorder:
    """A game played through a table, with what a camera would see of it."""

    def __init__(
        self,
        title: str,
        players: int,
        seed: str = SEED,
        names: dict[str, str] | None = None,
        pack: str = "",
    ) -> None:
        shelf = find_title(title)
        self.game: Game[Any] = shelf.open(shelf.load_pack(pack or shelf.default_pack), players)
        self.names = {seat: (names or NAMES)[seat] for seat in self.game.seats}
        self.header = header_for(self.game, self.names)
        self.referee: Referee[Any] = Referee.new(self.game, MemoryJournal(self.header))
        self.rng = random.Random(seed)
        try:
            self.mat: Mat | None = self.game.mat()
        except LookupError:
            self.mat = None
        pieces = {piece.payload: piece for piece in self.mat.pieces} if self.mat else {}
        self.clock = 0.0
        self.watched = False
        """Whether a camera looks on: then it sees what is recorded after each action."""
        self.truth = Truth(self.game, seed) if isinstance(self.game, CardGame) else None
        """The hands that people hold, where the game hides them."""
        dealer = None if self.truth else Dealer(seed)
        self.table = Table(self.referee, pieces, clock=self._now, dealer=dealer)

    def _now(self) -> float:
        return self.clock

    @property
    def view(self) -> TableView:
        """The newest view."""
        return self.table.view

    def send(self, what: str, seat: str | None = None, **values: Any) -> TableView:
        """A command to the table."""
        self.clock += 1.0
        self.table.handle(Command(what, seat, values, self.clock))
        return self.view

    def act(self, action: Action) -> None:
        """Somebody does something by touch. RuntimeError when it is refused: scenes are of legal games."""
        before = self.view.seq
        self.send("try", getattr(action, "seat", TABLE), action=self.game.codec.to_json(action))
        if self.view.seq == before:
            raise RuntimeError(f"{action} was not recorded: {self.view.notices[-1]}")
        if self.watched:
            self.see()

    def wanted(self) -> Action:
        """What the first who is asked wants to do; at a table with real hands by the own hand."""
        state, seat = self.referee.state, self.game.acting(self.referee.state)[0].seat
        if self.truth is None:
            return self.game.sensible(state, seat, self.rng)
        return wanted(self.truth, self.referee, self.rng)

    def step(self) -> None:
        """The first who is asked does what a virtual player does."""
        self.act(self.wanted())

    def play_until(self, there: Callable[[TableView], bool], steps: int = 3000) -> TableView:
        """Play until a view is as wanted; RuntimeError when that does not come."""
        for _ in range(steps):
            if there(self.view):
                return self.view
            if self.view.finished:
                break
            self.step()
        raise RuntimeError("the game never came to that")

    def see(self, added: tuple[Spot, ...] = (), hidden: tuple[str, ...] = ()) -> TableView:
        """The camera sees what is recorded, and these pieces besides."""
        assert self.mat is not None
        self.watched = True
        laid = self._laid(self.game.scene(self.referee.state), added)
        sightings = tuple(s for s in laid if s.space not in hidden)
        self.clock += 1.0
        self.table.handle(Saw(Observation(sightings, frozenset(hidden), at=self.clock), self.clock))
        return self.view

    def _laid(self, scene: Scene, added: tuple[Spot, ...]) -> Iterator[Sighting]:
        assert self.mat is not None
        used = set()
        for placement in scene.placements:
            used.add(placement.payload)
            yield Sighting(placement.payload, 0.0, 0.0, 0.0, 3.0, placement.space, placement.slot)
        for spot in added:
            piece = next(
                p
                for p in self.mat.pieces
                if (p.what, p.seat) == (spot.what, spot.seat) and p.payload not in used
            )
            used.add(piece.payload)
            yield Sighting(piece.payload, 0.0, 0.0, 0.0, 3.0, spot.space, spot.seat)


def asks(why: str, round_: int = 1) -> Callable[[TableView], bool]:
    """Whether somebody is asked that, from a round on."""

    def there(view: TableView) -> bool:
        at = view.display.progress.at if view.display else 0
        return at >= round_ and any(who.why == why for who in view.acting)

    return there


def house(offered: tuple[Any, ...], **more: Any) -> House:
    """A table in a café, all well."""
    base = House(
        name="Table 4",
        offered=offered,
        camera=GOOD,
        panel=GOOD,
        record=GOOD,
        names=("Mira", "Jonas", "Aiko", "Tom", "[b]Bo[/b]"),
        version="0.1.0",
        health=WELL,
    )
    return msgspec.structs.replace(base, **more)


class Stage:
    """Makes scenes for one panel and one language."""

    def __init__(self, metrics: Metrics, language: str, offered: tuple[Any, ...]) -> None:
        self.metrics = metrics
        self.words = Words(language)
        self.language = language
        self.house = house(offered)

    def still(self, name: str, screen: str, values: dict[str, Any] | None = None, **more: Any) -> Staged:
        """A scene without a game."""
        shown = Shown(msgspec.structs.replace(self.house, **more), self.metrics, self.words, None, 1000.0)
        return Staged(name, shown, Nav(screen, values or {}))

    def of(
        self,
        name: str,
        recorder: Recorder,
        view: TableView | None = None,
        screen: str = "",
        values: dict[str, Any] | None = None,
        *,
        playing: dict[str, Any] | None = None,
        house: dict[str, Any] | None = None,
    ) -> Staged:
        """A scene of a game as it stands."""
        view = view or recorder.view
        sentences = Sentences.of(recorder.game.title, self.language, called(recorder.names))
        facts = Playing(
            game=recorder.game,
            header=recorder.header,
            names=recorder.names,
            sentences=sentences,
            view=view,
            mat=recorder.mat,
            file="Table 4",
            machine_draws=recorder.truth is None,
            seconds=4980.0,
        )
        if playing:
            facts = msgspec.structs.replace(facts, **playing)
        surroundings = msgspec.structs.replace(self.house, **(house or {}))
        seen = max((notice.id for notice in view.notices), default=0)
        if view.notices and view.notices[-1].kind in ("refused", "not_understood", "trouble"):
            seen -= 1
        shown = Shown(surroundings, self.metrics, self.words, facts, recorder.clock)
        return Staged(name, shown, Nav(screen, values or {}, seen_notice=seen))


def _parked(stage: Stage) -> tuple[ParkedFacts, ...]:
    sentences = Sentences.of(find_title("railway_boom"), stage.language, NAMES)
    asked = f"{NAMES['A']}: {sentences.acting(Acting('A', 'bid'))}"
    second, last = (progress_words(stage.words, "round", at, 4) for at in (2, 4))
    won = stage.words.t("{name} wins", name=NAMES["A"])
    first = ParkedFacts("saturday", "railway_boom", "Railway Boom", NAMES, second, asked, 4800.0)
    return (
        first,
        msgspec.structs.replace(first, file="friday", progress=last, age=90000.0, finished=True, result=won),
        msgspec.structs.replace(first, file="old", age=None, fault="the record is damaged from entry 41 on"),
    )


def scenes(metrics: Metrics, language: str, offered: tuple[Any, ...]) -> Iterator[Staged]:
    """Every screen in its states, in the order of an evening."""
    stage = Stage(metrics, language, offered)
    yield from _before(stage)
    game = Recorder("railway_boom", 4)
    yield from _setup(stage, game)
    yield from _auction(stage, game)
    yield from _expansion(stage, game)
    yield from _choices(stage, game)
    yield from _records(stage, game)
    yield from _ends(stage, game)
    yield from _judged(stage)
    yield from _hands(stage)
    yield from _workers(stage)
    yield from _trouble(stage)


def _opened(name: str, from_: Staged, go: Go) -> Staged:
    """The page that a touch on another one opens."""
    return Staged(name, from_.shown, present.on(from_.nav, go, from_.shown))


def _before(stage: Stage) -> Iterator[Staged]:
    yield stage.still("attract", "attract")
    yield stage.still("attract-parked", "attract", parked=_parked(stage))
    yield stage.still("games-kept", "attract", {"parked": True}, parked=_parked(stage))
    yield stage.still("new-game", "new_game", {"title": "railway_boom"})
    yield stage.still("new-game-auction", "new_game", {"title": "auction"})
    yield stage.still("names", "names", {"title": "railway_boom", "seat": "A"})
    yield stage.still("house-rules", "house_rules", {"title": "railway_boom"})
    yield stage.still("names-table", "names", {"typed": "Table 4", "upper": False}, staff=True)
    yield from _readiness(stage)
    yield stage.still("end-position", "end_position", {"title": "railway_boom"})


def _readiness(stage: Stage) -> Iterator[Staged]:
    """The check before a game begins: without a camera, with something to mend, all well."""
    begin = {"begin": {"title": "railway_boom", "seats": NAMES}}
    yield stage.still(
        "readiness-off", "readiness", begin, camera=State("off", stage.words.t("No camera is set up."))
    )
    glare = Check("glare", Light.AMBER, "", place="h10", values={"spots": 1, "mm2": 9.0})
    well = (
        Check("sharp", Light.GREEN, "", values={"blur_px": 1.0, "module_px": 3.0}),
        Check("light", Light.GREEN, "", values={"white": 200, "black": 20}),
        Check("mat", Light.GREEN, "", values={"seen": 8, "printed": 8}),
        Check("tags", Light.GREEN, "", values={"px_per_module": 2.2, "needed": 2.0}),
        Check("pieces", Light.GREEN, "", values={"read": 22, "foreign": 0, "covered": 0}),
    )
    marks = ((0.55, 0.4, 0.2, 0.2, "glare"),)
    pressed = frozenset(f"{seat} {name}" for seat in NAMES for name in ("plus", "ok"))
    found = Readiness((*well, glare), marks)
    yield stage.still("readiness", "readiness", begin, readiness=found, pressed=pressed - {"D ok"})
    yield stage.still("readiness-good", "readiness", begin, readiness=Readiness(well), pressed=pressed)


def _setup(stage: Stage, game: Recorder) -> Iterator[Staged]:
    yield stage.of("setup", game, playing={"set_up": False})


def _auction(stage: Stage, game: Recorder) -> Iterator[Staged]:
    view = game.play_until(asks("bid", 2))
    yield stage.of("auction-opens", game, view)
    game.step()
    game.step()
    game.step()
    view = game.play_until(asks("bid", 2))
    seat = view.acting[0].seat
    game.table.handle(Press("plus", seat, at=game.clock))
    yield stage.of("auction", game)
    yield stage.of("log", game, screen="log")
    now = game.clock
    game.table.handle(Holding("ok", seat, now - 0.5, now + 0.3, at=now))
    yield stage.of("auction-holding", game)
    game.table.handle(Holding("ok", seat, now - 0.5, now + 0.3, down=False, at=now))
    game.send("try", seat, action={"do": "bid", "seat": seat, "space": 0})
    yield (refused := stage.of("refusal-bid", game))
    yield _opened("rule", refused, Go("rule", {"rule": "RB-AUC-7"}))


def _expansion(stage: Stage, game: Recorder) -> Iterator[Staged]:
    game.play_until(asks("station", 2))
    yield stage.of("station", game)
    view = game.play_until(asks("route", 2))
    yield stage.of("table", game, view)
    seat = view.acting[0].seat
    lit = _legal_rails(view, seat)
    if lit:
        choice = next(c for c in view.choices if c.seat == seat)
        index = next(i for i, o in enumerate(choice.options) if o.places == (lit[0],))
        game.send("point", seat, choice=choice.id, index=index)
        yield stage.of("table-pointed", game)
        yield stage.of("table-closer", game, values={"closer": True})
        yield stage.of("legend", game, screen="legend")
        yield stage.of("cards", game, screen="cards")
        game.send("point", seat, choice=game.view.choices[0].id, index=None)
        game.see((Spot("rail", seat, lit[0]),))
        yield stage.of("table-proposal", game)
    slips = game.game.slips(game.referee.state, random.Random(3))
    if "not_connected" in slips:
        (wrong,) = slips["not_connected"]
        game.send("try", wrong.seat, action={"do": "place_rt", "seat": wrong.seat, "hex": wrong.space})
        yield stage.of("refusal", game)
        extra = (wrong, *slips.get("wrong_seat", ()))
        free = [space.id for space in game.mat.spaces if space.hex] if game.mat else []
        game.see(extra, hidden=(free[0],))
        yield (differs := stage.of("out-of-step", game))
        yield _opened("picture", differs, Go("picture"))
        later = stage.of("out-of-step-later", game)
        differences = game.view.reading.differences if isinstance(game.view.reading, OutOfStep) else ()
        yield msgspec.structs.replace(later, nav=msgspec.structs.replace(later.nav, put_off=differences))
        game.see()
    yield stage.of("score", game, screen="score")


def _legal_rails(view: TableView, seat: str) -> list[str]:
    choice = next(c for c in view.choices if c.seat == seat)
    return [o.places[0] for o in choice.options if o.kind == "place_rt" and o.places]


def _choices(stage: Stage, game: Recorder) -> Iterator[Staged]:
    wanted = (
        "pay",
        "locomotive",
        "train",
        "set",
        "free_card",
        "buy",
        "gain2",
        "inc_choice",
        "free_rt",
        "cube",
    )
    seen: set[str] = set()
    while not game.view.finished and game.view.display and game.view.display.progress.at < 4:
        for who in game.view.acting:
            if who.why in wanted and who.why not in seen:
                seen.add(who.why)
                yield stage.of(f"choice-{who.why.replace('_', '-')}", game)
        if any(who.why == "operate" for who in game.view.acting) and "operate" not in seen:
            seen.add("operate")
            yield stage.of("choice-operate", game)
            yield from _train(stage, game)
        if "coupling" not in seen:
            for scene in _coupling(stage, game):
                seen.add("coupling")
                yield scene
        game.step()


def _train(stage: Stage, game: Recorder) -> Iterator[Staged]:
    """A form, opened and filled: the train with its coal."""
    for number in range(1, 4):
        choice = next((c for c in game.view.choices if c.why or c.kind), None)
        if choice is None:
            return
        values = [
            i for i, o in enumerate(choice.options) if o.role in ("form", "value") and o.value != "stop"
        ]
        if not values:
            return
        game.send("take", choice.seat, choice=choice.id, index=values[0])
        yield stage.of(f"choice-form-{number}", game)
    while (filled := next((c for c in game.view.choices if c.kind), None)) is not None:
        game.send("back", filled.seat, choice=filled.id)


def _coupling(stage: Stage, game: Recorder) -> Iterator[Staged]:
    """A train that is being formed, once somebody can couple two carriages and more."""
    before = next((c for c in game.view.choices if any(o.kind == "declare_train" for o in c.options)), None)
    if before is None:
        return
    now, seat = before, before.seat
    for _ in range(4):
        fits = [n for n, o in enumerate(now.options) if o.kind == "declare_train" and o.value != "stop"]
        fits = [n for n in fits if now.options[n].role in ("form", "value") and not now.options[n].action]
        if len(now.filled) == 3 or not fits:
            break
        game.send("take", seat, choice=now.id, index=fits[0])
        now = next(c for c in game.view.choices if c.seat == seat)
    if len(now.filled) == 3:
        yield stage.of("choice-coupling", game, values={"seat": seat})
    while (now := next(c for c in game.view.choices if c.seat == seat)).kind:
        game.send("back", seat, choice=now.id)


def _records(stage: Stage, game: Recorder) -> Iterator[Staged]:
    view = game.view
    game.send("ask_undo", view.acting[0].seat if view.acting else "A", steps=2)
    if game.view.asking is not None:
        yield stage.of("consent-undo", game)
        tells = (
            Told("undo.return", game.view.asking.by, {"count": 2, "pile": "developments"}),
            Told("undo.reshuffle", None, {"pile": "routes"}),
        )
        by_hand = msgspec.structs.replace(game.view.asking, tells=tells, told=False)
        yield stage.of("consent-by-hand", game, msgspec.structs.replace(game.view, asking=by_hand), values={})
        game.send("cancel")
    yield stage.of("not-recorded", game, msgspec.structs.replace(game.view, unrecorded=True))
    lost = CameraStatus(CameraState.OFF, "The camera does not answer; go on by touch.", game.clock)
    off = PanelStatus(PanelState.OFF, "buttons off, use the screen", at=game.clock)
    yield stage.of(
        "camera-lost",
        game,
        msgspec.structs.replace(game.view, camera=lost, panel=off),
        house={"camera": State("look", lost.text), "panel": State("off", off.text)},
    )
    full = {"trouble": "The storage card is full", "trouble_since": game.clock - 41.0, "retry_in": 14}
    yield stage.of("safe-playing", game, house=full)
    yield stage.of("safe-playing-staff", game, house={**full, "staff": True})
    ticking = msgspec.structs.replace(game.view, clocks=dict.fromkeys(game.names, 754.0))
    yield stage.of("clocks", game, ticking)
    yield stage.of("clocks-paused", game, msgspec.structs.replace(ticking, paused=True))
    yield from _warned(stage, game)
    yield stage.of("menu", game, screen="menu")
    yield stage.of("menu-park", game, screen="menu", values={"sure": True})
    gone = msgspec.structs.replace(game.view, unrecorded=True)
    yield stage.of("menu-unrecorded", game, gone, screen="menu")
    failed = Notice(game.view.notices[-1].id + 1, "trouble", text=LOST)
    now_lost = msgspec.structs.replace(game.view, notices=(*game.view.notices, failed))
    yield stage.of("not-recorded-now", game, now_lost)
    yield stage.of("idle", game, house={"countdown": 42.0})


def _machine(**changed: health.Reading) -> tuple[health.Reading, ...]:
    """The machine of a good evening, but for this."""
    return tuple(changed.get(one.name, one) for one in WELL)


def _warned(stage: Stage, game: Recorder) -> Iterator[Staged]:
    """What the status bar warns of while a game is played: the longest words, the camera, all at once."""
    every = {
        "power": health.power(0x50005),
        "heat": health.heat(84.0),
        "disk": health.disk(310_000_000),
        "camera": health.camera("running", rate=0.2, age=24.0),
    }
    for name in ("disk", "camera"):
        yield stage.of(f"warned-{name}", game, house={"health": _machine(**{name: every[name]})})
    gone = msgspec.structs.replace(game.view, unrecorded=True)
    yield stage.of("warned-all", game, gone, house={"health": _machine(**every)})
    yield stage.of("health", game, screen="health")
    yield stage.of("health-warned", game, screen="health", house={"health": _machine(**every)})


def _ends(stage: Stage, game: Recorder) -> Iterator[Staged]:
    view = game.play_until(lambda view: view.finished)
    yield stage.of("final", game, view)
    yield stage.of("final-hidden-scores", game, view, playing={"hidden_scores": True})
    yield stage.of("log-end", game, view, screen="log")


def _judged(stage: Stage) -> Iterator[Staged]:
    long = {"A": "[b]Bo[/b]", "B": "Maximiliana-Theodora von Hohenstein-Lang", "C": "Ay", "D": "Tom"}
    game = Recorder("auction", 4, names=long)
    game.play_until(lambda view: any(bidder.value for bidder in _bidders(view)))
    game.step()
    yield stage.of("judge", game)
    owner = next((w.seat for w in game.view.acting), "A")
    game.send("ask_undo", owner, steps=1)
    if game.view.asking is not None:
        yield stage.of("judge-undo", game)


def _hands(stage: Stage) -> Iterator[Staged]:
    """A game whose hands people hold: what is drawn and laid down, a turn on the map, cards by kind."""
    game = Recorder("trains", 4, "hands", pack="kestrel_bay")
    for why in ("stacks", "deal", "start", "leftovers"):
        yield stage.of(f"hands-{why}", game, game.play_until(asks(why, 0)))
    yield stage.of("hands-laid-down", game, screen="choice", values={"owed": True})
    yield stage.of("hands-kinds", game, game.play_until(_waste_in_hand))
    view = game.play_until(_busy)
    yield stage.of("hands-turn", game, view)
    yield stage.of("hands-cards", game, screen="cards")
    choice = next(c for c in view.choices if c.why)
    for kind in ("play", "buy"):
        values = {"seat": choice.seat, "seq": view.seq, "kind": kind}
        yield stage.of(f"hands-{kind}", game, screen="choice", values=values)
    lay = next(n for n, option in enumerate(choice.options) if option.kind == "lay")
    game.send("point", choice.seat, choice=choice.id, index=lay)
    yield stage.of("hands-pointed", game)
    yield stage.of("hands-final", game, game.play_until(lambda view: view.finished))


def _workers(stage: Stage) -> Iterator[Staged]:
    """A game on boards without a map: whose space is taken, tracks, a step, a space pointed at, cards."""
    game = Recorder("russian_railroads", 4, "workers")
    yield stage.of("workers-turn", game, game.play_until(_crowded))
    yield stage.of("workers-engineers", game, values={"spaces": 1})
    choice = next(c for c in game.view.choices if c.why)
    game.send("point", choice.seat, choice=choice.id, index=0)
    yield stage.of("workers-pointed", game)
    yield stage.of("workers-cards", game, screen="cards")
    yield stage.of("workers-step", game, game.play_until(asks("advance", 0)))
    yield stage.of("workers-final", game, game.play_until(lambda view: view.finished))


def _crowded(view: TableView) -> bool:
    """A turn in the second round in which many spaces are taken."""
    places = view.display.places if view.display else ()
    return asks("turn", 2)(view) and sum(place.state == "taken" for place in places) > 8


def _waste_in_hand(view: TableView) -> bool:
    """A turn that may begin with Waste in hand: one can play, or pass and return it."""
    kinds = {option.kind for choice in view.choices for option in choice.options}
    return {"play", "pass_return"} <= kinds


def _busy(view: TableView) -> bool:
    """A turn in which one can play, lay and buy, somewhere in the middle of a game."""
    kinds = {option.kind for choice in view.choices for option in choice.options}
    return view.seq > 200 and {"play", "lay", "buy"} <= kinds


def _bidders(view: TableView) -> tuple[Any, ...]:
    auction = view.display.auction if view.display else None
    return auction.bidders if auction else ()


def _trouble(stage: Stage) -> Iterator[Staged]:
    yield stage.still("pin", "pin")
    yield stage.still("pin-wait", "pin", pin_wrong=3, pin_wait=8.0)
    yield stage.still("pin-first", "pin", pin_set=False)
    yield stage.still("staff", "staff", staff=True, parked=_parked(stage))
    yield stage.still("staff-bad-picture", "staff", staff=True, bad_picture=True)
    for section in ("camera", "rules", "parked", "house", "about"):
        yield stage.still(
            f"staff-{section}", "staff", {"section": section}, staff=True, parked=_parked(stage)
        )
    for section in ("house", "about"):
        values = {"section": section, "page": 1}
        yield stage.still(f"staff-{section}-2", "staff", values, staff=True, places=PLACES)
    why = "The folder of games cannot be written: the card is full"
    kept = tuple(msgspec.structs.replace(game, entries=148) for game in _parked(stage))
    yield from _machine_for_staff(stage)
    yield stage.still("safe", "safe", trouble=why, trouble_since=940.0, retry_in=14, parked=kept)


def _machine_for_staff(stage: Stage) -> Iterator[Staged]:
    """The same with what staff can do about the program, and the first screen with a warning."""
    slow = _machine(
        power=health.power(0x10000),
        disk=health.disk(4_000_000),
        start=health.start(41.0),
        memory=health.memory(702.0),
        camera=health.camera("restarting", rate=0.0, age=40.0),
    )
    yield stage.still("health-staff-warned", "health", staff=True, health=slow)
    yield stage.still("health-staff-warned-2", "health", {"page": 1}, staff=True, health=slow)
    warm = _machine(heat=health.heat(72.0), disk=health.disk(310_000_000))
    yield stage.still("warned-attract", "attract", health=warm)
