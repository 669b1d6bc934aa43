"""The kiosk behind the screen: the house, where somebody went, the game that runs, and all deeds.

`Host` is used from one thread, the screen's. A table, a camera and a panel have threads of their own and
reach it only through slots. Whatever a deed (`Ask`) cannot do becomes a sentence in `house.said`; where
nothing can be begun at all, in `house.trouble`. Nothing is raised to the screen.
"""

from __future__ import annotations

import fcntl
import logging
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import msgspec

from assistant.game import STAFF, PositionFaults
from assistant.journal import JournalError, clock_is_set
from assistant.layout import LayoutError, Mat
from assistant.messages import (
    CameraStatus,
    Command,
    Holding,
    Message,
    PanelStatus,
    Press,
    Saw,
    Tick,
)
from assistant.packs import PackFaults
from assistant.referee import CannotResume, Differs
from assistant.rulings import NotUnderstood
from assistant.views import TableView
from hardware.keyboard import KeyboardPanel
from hardware.panel import Panel, open_panel
from ui.health import Pictures, Reading, start
from ui.kiosk import lights, shelf
from ui.kiosk.config import SETTINGS, Config
from ui.kiosk.deeds import DEEDS, STAFF_S, watch
from ui.kiosk.eyes import Eyes, off
from ui.kiosk.gauges import Sampler
from ui.kiosk.panel_signs import signs, sound
from ui.kiosk.pin import Pin
from ui.kiosk.session import Session
from ui.kiosk.store import PinRecord, Pledge, Settings, Store
from ui.names import called
from ui.presenters import present
from ui.presenters.elements import Page
from ui.presenters.intents import Ask, Go, Intent, Say
from ui.presenters.metrics import Metrics
from ui.presenters.nav import Nav, step
from ui.presenters.shown import House, ParkedFacts, Playing, Shown, State, TitleFacts
from ui.presenters.words import Words
from ui.records import ENDING
from ui.sentences import Sentences
from ui.terminal import No, Usage
from vision.geometry import MatGeometry
from vision.taught import board_for

_log = logging.getLogger(__name__)

COUNTDOWN_S = 60.0
RETRY_S = 20.0
"""So often the host tries by itself to come out of trouble."""
PULSE_S = 0.25
"""How late seconds that are counted on a page may be."""
CHECK_S = 4.0
"""So often the table is checked while the check before play is shown and something is to be mended."""
TICK_S = 1.0
"""So often the table is told that time passes, while it keeps clocks."""
LOCK = ".kiosk.lock"

FAULTS = (
    JournalError,
    CannotResume,
    Differs,
    PackFaults,
    PositionFaults,
    LayoutError,
    NotUnderstood,
    LookupError,
    ValueError,
    OSError,
    No,
    Usage,
)
"""What a deed may say in its own words."""


def _called(intent: Intent) -> str:
    """What an intent is called in the log: never its values, among which are names and PINs."""
    what = intent.what if isinstance(intent, Ask) else intent.command.what if isinstance(intent, Say) else ""
    return f"{type(intent).__name__} {what}".rstrip()


class Taken(RuntimeError):
    """Another kiosk has the games folder."""


class Host:
    """One table's kiosk. `clock` gives monotonic seconds; `camera` is the camera's name, "" for none.

    For a simulated table `follow` is called on the table's thread with every session and view, and
    `before_watching` with a mat that is about to be looked at. `file` is the configuration's, to be named.
    `gauges` tell how the machine is; without them nothing is said of it.
    """

    def __init__(
        self,
        config: Config,
        metrics: Metrics,
        *,
        panel: Panel | None = None,
        camera: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        follow: Callable[[Session, TableView], None] | None = None,
        before_watching: Callable[[Mat], None] | None = None,
        notices: tuple[str, ...] = (),
        file: Path | None = None,
        gauges: Sampler | None = None,
    ) -> None:
        self.config, self.metrics = config, metrics
        self.clock = clock
        self.nav = Nav(since=clock())
        self.session: Session | None = None
        self.eyes: Eyes | None = None
        self.settings = Settings()
        self.said = " ".join(notices)
        self.trouble, self.trouble_since = "", 0.0
        self.tried = 0
        """How often it was tried to come out of the trouble."""
        self.names: tuple[str, ...] = ()
        self.panel = panel if panel is not None else open_panel(config.panel)
        self._camera = config.camera.name if camera is None else camera
        self._follow = follow
        self._before_watching = before_watching
        self._file = file
        self._gauges = gauges
        self.pictures = Pictures()
        """How many pictures the camera reads in a second."""
        self.started_s: float | None = None
        """Seconds from the start of the process to the first page, as its service tells."""
        self._running: set[str] = set()
        """What runs in a thread of its own."""
        self._store = Store(config.games / SETTINGS)
        self._parked_reader = shelf.Parked()
        self._parked: tuple[ParkedFacts, ...] = ()
        self._offered: tuple[TitleFacts, ...] = ()
        self._lock: int | None = None
        self._active = clock()
        self.staff_until = 0.0
        self._asked_since: float | None = None
        self._next_try = 0.0
        self._words = Words(config.language)
        self._spoken: tuple[tuple[Any, ...], Sentences] | None = None
        self._playing: tuple[Any, Playing | None] = (None, None)
        self._made: tuple[Shown, Nav, Page] | None = None
        """The newest page and what it was made from, with the time as in `beat`."""
        self._next_tick = 0.0
        self._house: House | None = None
        self._panel_status: PanelStatus | None = None
        self._heard_key: tuple[Any, ...] = ()
        self._testing = False
        self._pressed: frozenset[str] = frozenset()
        """Buttons that were pressed since the check before play was opened."""
        self._ready_for: Any = None
        """What the check before play looks at; None while it is not shown."""
        self._next_check = 0.0
        self._answering: set[tuple[str, str | None]] = set()
        """Buttons that went down on a page that covers the table, and are not up yet."""
        self._uncover = False
        """Whether a button has answered such a page, so that the table is to come back."""
        self.pin_written = True
        """Whether the PIN's record is on the disk."""
        self._unwritable_since: float | None = None
        self.pin = Pin(PinRecord(), self._keep_pin, clock())
        self._take_folder()
        self.open()
        self.panel.start(self._post)
        if gauges is not None:
            gauges.start()

    # ---- beginning and end

    def _take_folder(self) -> None:
        """Be the only kiosk on this folder. `Taken` when there is another one; other faults are trouble."""
        try:
            self.config.games.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.config.games / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            self._in_trouble(self._folder_fault(error))
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise Taken(
                f"another kiosk is using {self.config.games}: end it, or give this one a folder of its own"
            ) from None
        self._lock = lock

    def _folder_fault(self, error: OSError) -> str:
        why = error.strerror or str(error)
        return self.words.t(
            "The folder of games cannot be used: {folder}, {why}", folder=self.config.games, why=why
        )

    def open(self) -> bool:
        """Read everything there is; whether the kiosk can be used. Raises nothing."""
        try:
            if self._lock is None:
                self._take_folder()
                if self._lock is None:
                    return False
            probe = self.config.games / ".kiosk.probe"
            probe.write_bytes(b"")
            probe.unlink()
            loaded = self._store.load()
            self.settings = loaded.content or Settings()
            if loaded.notices:
                self.said = " ".join([self.said, *loaded.notices]).strip()
                for notice in loaded.notices:
                    _log.warning("%s", notice)
            self.pin = Pin(self.settings.pin, self._keep_pin, self.clock())
            self._words = Words(self.language)
            self._offered = shelf.offered(self.config.offered, self.config.packs)
            if self.config.packs is not None and not self.config.packs.is_dir():
                lost = self.words.t(
                    "There is no folder {folder}: its packs are left out.", folder=self.config.packs
                )
                self.said = f"{self.said} {lost}".strip()
            self.refresh()
        except Taken as wrong:
            self._in_trouble(str(wrong))
            return False
        except OSError as error:
            self._in_trouble(self._folder_fault(error))
            return False
        except Exception as fault:
            _log.exception("the kiosk cannot be opened")
            self._in_trouble(f"{type(fault).__name__}: {fault}")
            return False
        self.trouble, self.tried = "", 0
        return True

    def _in_trouble(self, what: str) -> None:
        if not self.trouble:
            self.trouble_since = self.clock()
            _log.error("%s", what)
        self.trouble = what
        self.tried += 1
        self._next_try = self.clock() + RETRY_S
        with suppress(Exception):  # What can still be read tells people up to where their game is kept.
            self.refresh()

    def close(self) -> None:
        """Park what runs, give everything back. Closing twice is allowed."""
        with suppress(Exception):
            self.leave()
        self.close_eyes(wait=True)
        self.panel.close()
        if self._gauges is not None:
            self._gauges.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # ---- what was set

    @property
    def language(self) -> str:
        """The language of the screen."""
        return self.settings.language or self.config.language

    @property
    def words(self) -> Words:
        """The kiosk's own words in it."""
        return self._words

    def keep(self, **changes: Any) -> None:
        """Change settings and write them. Raises OSError; then nothing has changed."""
        settings = msgspec.structs.replace(self.settings, **changes)
        self._store.save(settings)
        self.settings = settings

    def _keep_pin(self, record: PinRecord) -> None:
        try:
            self.keep(pin=record)
            self.pin_written = True
        except OSError as error:
            self.pin_written = False
            # A card that went read-only: staff must still get in.
            _log.error("the PIN's record cannot be written: %s", error)
            self.settings = msgspec.structs.replace(self.settings, pin=record)

    def pledge(self, file: str) -> Pledge:
        """How a game is played."""
        return self.settings.games.get(file, Pledge())

    def keep_pledge(self, file: str, pledge: Pledge, playing: str) -> None:
        with suppress(OSError):  # The game is in its record; only how it was shown would be lost.
            self.keep(games={**self.settings.games, file: pledge}, playing=playing)

    # ---- the screen's side

    def do(self, intent: Intent) -> None:
        """Do what a touch means. Raises nothing."""
        now = self.clock()
        self._touched(now)
        self.said = ""
        try:
            if isinstance(intent, Ask):
                self._ask(intent)
            else:
                # What is said answers its page, too: a refusal goes away, the chooser is left.
                self.nav = present.on(self.nav, intent, self.shown(now))
                if isinstance(intent, Say) and self.session is not None:
                    self.session.post(msgspec.structs.replace(intent.command, at=now))
        except Exception as fault:
            self._said_of(fault, _called(intent))
        self.nav = msgspec.structs.replace(self.nav, since=now)

    def _said_of(self, fault: Exception, about: str) -> None:
        if isinstance(fault, FAULTS):
            text = fault.args[0] if isinstance(fault, LookupError) and fault.args else fault
            self.said = str(text)
            # What people typed is no business of the log: a refusal may quote it.
            told = text if isinstance(fault, (JournalError, OSError)) else type(fault).__name__
            _log.warning("%s: %s", about, told)
            return
        _log.error("%s failed", about, exc_info=fault)
        what = f"{type(fault).__name__}: {fault}"
        self.said = self.words.t("This did not work: {what}", what=what)

    def _ask(self, ask: Ask) -> None:
        deed = DEEDS.get(ask.what)
        if deed is None:
            raise ValueError(self.words.t("The kiosk cannot do this: {what}", what=ask.what))
        said = deed(self, ask.values)
        if said:
            self.said = said

    def key(self, name: str, down: bool) -> bool:
        """A key went down or up; whether it is a button of the keyboard's panel."""
        return isinstance(self.panel, KeyboardPanel) and self.panel.key(name, down, self.clock())

    def explain(self, text: str) -> None:
        """Say why a button is grey, in the prompt's place, until the next touch."""
        self._touched(self.clock())
        self.nav = msgspec.structs.replace(self.nav, explain=text)

    def late(self) -> None:
        """Say that nothing was done: what was touched had changed before the finger was lifted."""
        self.explain(self.words.t("This changed while you touched it. Nothing was done."))

    def frame(self) -> tuple[bytes, tuple[int, int]] | None:
        """The newest camera picture, cut to the mat: RGB bytes and size in pixels. None without one."""
        return None if self.eyes is None else self.eyes.frame()

    def page(self, now: float) -> Page:
        """The page to draw at a time: the same one as before while nothing that it is made from has changed.

        The sound of a new page is sounded.
        """
        shown, nav = self.shown(now), self.nav
        inputs = msgspec.structs.replace(shown, now=beat(shown))
        if self._made is not None and self._made[:2] == (inputs, nav):
            return self._made[2]
        made = present.page(shown, nav)
        self._made = (inputs, nav, made)
        key = (made.id, made.sound, shown.playing.view.seq if shown.playing else 0)
        if made.sound and key != self._heard_key and self.sounds:
            self._sound(made.sound)
        self._heard_key = key
        return made

    @property
    def sounds(self) -> bool:
        """Whether sounds are on."""
        return self.config.sounds if self.settings.sounds is None else self.settings.sounds

    def _sound(self, name: str) -> None:
        if (one := sound(name)) is not None:
            self.panel.sound(one)

    # ---- time

    def _touched(self, now: float) -> None:
        self._active = now
        self._asked_since = None
        if self.staff_until:
            self.staff_until = now + STAFF_S

    @property
    def idle_minutes(self) -> float:
        """Minutes without a touch, a press or a change after which a game is asked about."""
        minutes = self.settings.idle_minutes
        return self.config.idle_minutes if minutes is None else minutes

    def turn(self, now: float) -> None:
        """Do what time brings: ask about an idle game and park it, log staff out, try again."""
        if self.staff_until and now >= self.staff_until:
            self.staff_until = 0.0
            # Also from where staff went on to: house rules, a name for the table.
            if {"staff", "pin"} & {self.nav.screen, *(screen for screen, _ in self.nav.back)}:
                self.nav = step(self.nav, Go(""))
        if self.trouble and now >= self._next_try:
            self.open()
        if self._uncover:
            self._uncover = False
            if self.nav.screen in ("staff", "pin"):
                self.staff_until = 0.0
            self.nav = present.uncovered(self.nav, self._covered())
        self._ready(now)
        self.pictures.turn(now, self.eyes)
        if self.session is not None:
            self._write_again(self.session, now)
            self._tick(self.session, now)
            self._idle_game(now)
        elif now - self._active >= self.config.away_minutes * 60 and (
            self.nav.screen or self.nav.drafts or self.names
        ):
            self._away(now)

    def _ready(self, now: float) -> None:
        """While the check before play is shown: look at its mat, again as long as something is amiss."""
        if self.nav.screen != "readiness":
            self._ready_for, self._pressed = None, frozenset()
            return
        wanted = (self.session, self.nav.values.get("begin"), self.camera_on)
        if wanted != self._ready_for:
            self._ready_for, self._next_check = wanted, now
            watch(self, {})
        eyes = self.eyes
        if eyes is None or now < self._next_check or not eyes.running:
            return
        self._next_check = now + CHECK_S
        if eyes.readiness is None or eyes.readiness.fault or eyes.readiness.first is not None:
            eyes.check(self.clock)

    def _write_again(self, session: Session, now: float) -> None:
        """Try again and again to write a record that cannot be written."""
        if not session.view.unwritable:
            self._unwritable_since = None
        elif self._unwritable_since is None:
            self._unwritable_since, self._next_try = now, now + RETRY_S
        elif now >= self._next_try:
            self.try_to_write(now)

    def try_to_write(self, now: float) -> None:
        """Have the record of the game written again, where it could not be."""
        if self.session is not None and self.session.view.unwritable:
            self._next_try = now + RETRY_S
            self.session.post(Command("write_again", STAFF, {}, now))

    def _tick(self, session: Session, now: float) -> None:
        """Let the seats' clocks go on where they run: the table counts when something comes in."""
        if session.pledge.clocks and now >= self._next_tick and not session.view.finished:
            self._next_tick = now + TICK_S
            session.post(Tick(now))

    def _idle_game(self, now: float) -> None:
        session = self.session
        assert session is not None
        if self._asked_since is not None:
            if now - self._asked_since >= COUNTDOWN_S:
                self._asked_since = None
                self.leave()
        elif now - self._active >= self.idle_minutes * 60 and not session.view.unrecorded:
            # A game that is not recorded would be lost.
            self._asked_since = now

    def _away(self, now: float) -> None:
        """The group has gone: back to the beginning, and nobody's name is kept."""
        self.nav = Nav(since=now)
        self.names = ()
        self.staff_until = 0.0
        self.close_eyes()
        self.refresh()

    # ---- what is shown

    def shown(self, now: float) -> Shown:
        """All that a page is made from."""
        try:
            self.turn(now)
        except Exception as fault:
            self._said_of(fault, "what time brings")
        return Shown(self._house_at(now), self.metrics, self.words, self._playing_now(), now)

    def _house_at(self, now: float) -> House:
        config, settings = self.config, self.settings
        countdown = None
        if self._asked_since is not None:
            countdown = max(0, math.ceil(COUNTDOWN_S - (now - self._asked_since)))
        trouble, since = self._trouble_now()
        return House(
            name=self.name,
            offered=self._offered,
            parked=self._parked,
            camera=self._camera_light(),
            panel=lights.panel(self.words, self.panel.status),
            record=self._record_light(now),
            names=self.names,
            switches=self.switches,
            readiness=self.eyes.readiness if self.eyes is not None else None,
            bad_picture=self.eyes is not None and self.eyes.bad is not None,
            version=self.version,
            sounds=self.sounds,
            motion=config.motion if settings.motion is None else settings.motion,
            staff=self.staff,
            pin_wait=math.ceil(self.pin.wait(now)),
            pin_wrong=self.pin.record.wrong,
            pin_set=self.pin.there,
            trouble=trouble,
            trouble_since=since,
            retry_in=max(0, math.ceil(self._next_try - now)) if trouble else 0,
            countdown=countdown,
            said=self.said,
            idle_minutes=self.idle_minutes,
            pressed=self._pressed,
            # Where the backups lie is looked up on the disk: not for every page.
            places=self._places() if self.staff else (),
            health=self._health(),
        )

    def _health(self) -> tuple[Reading, ...]:
        """How machine, camera and program are; nothing where nobody asks the machine."""
        gauges = self._gauges
        if gauges is None:
            return ()
        own = (
            self.pictures.reading,
            None if self.started_s is None else start(self.started_s),
            gauges.memory,
        )
        return (*gauges.readings, *(one for one in own if one is not None))

    @property
    def name(self) -> str:
        """What the table is called."""
        return self.settings.name or self.config.name

    def _trouble_now(self) -> tuple[str, float]:
        """Why nothing can go on, and since when; ("", 0) when all is well."""
        session = self.session
        if not self.trouble and session is not None and self._unwritable_since is not None:
            return self._record_light(self._unwritable_since).words, self._unwritable_since
        return self.trouble, self.trouble_since if self.trouble else 0.0

    def _places(self) -> tuple[tuple[str, str], ...]:
        """Where things lie: "games", "settings", "config" (where there is a file) and "backup"."""
        games = self.config.games.absolute()
        places = {"games": games, "settings": games / SETTINGS, "backup": self.backup_folder().absolute()}
        if self._file is not None:
            places["config"] = self._file.absolute()
        return tuple((what, str(place)) for what, place in places.items())

    @property
    def offered(self) -> tuple[TitleFacts, ...]:
        """The titles on offer."""
        return self._offered

    def speak(self, words: Words) -> None:
        """Speak another language from now on. Raises OSError."""
        self._words = words
        self.refresh()

    def backup_folder(self) -> Path:
        """Where copies for people go: the folder of the configuration where it is there, else the games'."""
        folder = self.config.backup
        return folder if folder is not None and folder.is_dir() else self.config.games

    @property
    def version(self) -> str:
        """The version that runs; "" where it is not installed."""
        return _version()

    @property
    def file(self) -> Path | None:
        """The configuration file, where there is one."""
        return self._file

    @property
    def staff(self) -> bool:
        """Whether staff is logged in."""
        return self.staff_until > 0

    @property
    def switches(self) -> dict[str, dict[str, str | bool]]:
        """The house's own switches by title: what the screen set goes before the file."""
        there = {*self.config.switches, *self.settings.switches}
        return {
            title: {**self.config.switches.get(title, {}), **self.settings.switches.get(title, {})}
            for title in sorted(there)
        }

    def _playing_now(self) -> Playing | None:
        session = self.session
        if session is None:
            return None
        view = session.view
        names = session.names
        key = (id(session), view.seq, id(view), self.language, tuple(names.values()), session.pledge)
        if self._playing[0] == key and self._playing[1] is not None:
            return msgspec.structs.replace(self._playing[1], seconds=_minutes(session))
        playing = Playing(
            game=session.game,
            header=session.header,
            names=names,
            sentences=self.sentences_of(session),
            view=view,
            mat=session.mat,
            file=session.file.name.removesuffix(ENDING),
            hidden_scores=session.pledge.hidden_scores and not view.finished,
            machine_draws=session.machine_draws,
            seconds=_minutes(session),
            set_up=session.pledge.set_up,
        )
        self._playing = (key, playing)
        return playing

    def sentences_of(self, session: Session) -> Sentences:
        key = (session.game.title.id, self.language, tuple(session.names.items()))
        spoken = self._spoken  # The panel's thread asks too: it finds a pair that belongs together.
        if spoken is None or spoken[0] != key:
            sentences = Sentences.of(session.game.title, self.language, called(session.names))
            self._spoken = spoken = key, sentences
        return spoken[1]

    def _camera_light(self) -> State:
        return lights.camera(self.words, self.eyes, there=bool(self._camera), on=self.camera_on)

    def _record_light(self, now: float) -> State:
        if self.trouble:
            return State("off", self.trouble)
        return lights.record(self.words, self.session.view if self.session is not None else None, now)

    def camera_words(self) -> str:
        """How it stands with the camera."""
        return self._camera_light().words

    def no_camera(self) -> CameraStatus:
        """What a table is told when the camera is switched off."""
        return off(self.words.t("The camera is switched off."), self.clock())

    def refresh(self) -> None:
        """Look anew which games wait. Raises OSError."""
        skip = self.session.file.name if self.session is not None else ""
        self._parked = self._parked_reader.list(
            self.config.games, self.words, self.settings.games, self.settings.playing, skip
        )

    # ---- threads' side

    def _post(self, message: Message) -> None:
        """What the panel says, on the panel's thread."""
        if isinstance(message, PanelStatus):
            self._panel_status = message
        else:
            unseen = self._only_tried(message) or self._answers_page(message)
            self._active = self.clock()
            self._asked_since = None
            if unseen:
                return
        session = self.session
        if session is not None:
            session.post(message)

    def _only_tried(self, message: Message) -> bool:
        """Whether a button is pressed to try it, or while the table is set up: no game answers that."""
        if not isinstance(message, Press) and not (isinstance(message, Holding) and message.down):
            return False
        if self.nav.screen == "readiness":
            if isinstance(message, Press):
                name = message.button if message.seat is None else f"{message.seat} {message.button}"
                self._pressed |= {name}
            return True
        return self.session is not None and not self.session.pledge.set_up

    def _covered(self) -> Shown:
        """What is shown, as far as it says which page that is; asked on the panel's thread too."""
        trouble, since = self._trouble_now()
        countdown = None if self._asked_since is None else 0.0
        house = House(
            self.name, (), staff=self.staff, trouble=trouble, trouble_since=since, countdown=countdown
        )
        return Shown(house, self.metrics, self.words, self._playing_now())

    def _answers_page(self, message: Message) -> bool:
        """Whether a button answers a page that covers the table, or has the table come back. Nobody sees what
        it would do there, so the game hears nothing of it: neither of this press nor of its end."""
        session = self.session
        if session is None or not isinstance(message, Press | Holding):
            return False
        button = message.button, message.seat
        if button in self._answering:
            if isinstance(message, Press) or not message.down:
                self._answering.discard(button)
            return True
        if isinstance(message, Holding) and not message.down:
            return False
        shown = self._covered()
        if present.plays(shown, self.nav):
            return False
        if isinstance(message, Holding):
            self._answering.add(button)
        if (
            session.view.paused
            and not shown.house.trouble
            and shown.house.countdown is None
            and not self.nav.screen
        ):
            session.post(Command("go_on", None, {}, self.clock()))
        elif shown.house.countdown is None:
            self._uncover = True
        return True

    def _hear(self, message: Saw | CameraStatus) -> None:
        """What the camera says, on the camera's thread. Only changes of the table come here."""
        session = self.session
        if isinstance(message, Saw):
            self._active = self.clock()
        if session is not None:
            session.post(message)

    def _viewed(self, session: Session, view: TableView) -> None:
        """A new view, on the table's thread."""
        if not self._testing:
            lit = signs(view, session.game.seats)
            self.panel.show(lit.lamps, lit.held)
        if self._follow is not None:
            self._follow(session, view)

    def in_thread(self, name: str, run: Callable[[], str], meanwhile: str = "") -> None:
        """Run something that takes long; what it gives is said when it is done. One of each name runs."""
        if meanwhile:
            self.said = meanwhile
        if name in self._running:
            return
        self._running.add(name)

        def running() -> None:
            try:
                self.said = run()
            except Exception as fault:
                self._said_of(fault, name)
            finally:
                self._running.discard(name)

        threading.Thread(target=running, name=name, daemon=True).start()

    def testing(self, run: Callable[[], str]) -> None:
        """Run a test of the panel; until it is over the game does not set its lamps."""
        if self._testing:
            return
        self._testing = True

        def test() -> str:
            try:
                return run()
            finally:
                self._testing = False
                if self.session is not None:
                    self._viewed(self.session, self.session.view)

        self.in_thread("panel test", test)

    # ---- sessions

    def play(self, session: Session) -> None:
        """Put a session on the screen and let it run."""
        self.session = session
        session.start()
        if session.mat is not None:
            self.watch(session.mat)
        if self._panel_status is not None:
            session.post(self._panel_status)
        if self.eyes is not None and self.eyes.status is not None:
            session.post(self.eyes.status)
        session.post(Command("look", None, {}, self.clock()))
        self.nav = Nav(since=self.clock())
        self._active = self.clock()
        self.keep_pledge(session.file.name, session.pledge, session.file.name)
        self.refresh()

    def more(self) -> dict[str, Any]:
        """What every session is made with."""
        return {
            "pieces": bool(self._camera) and self.camera_on,
            "copy": self.config.box,
            "clock": self.clock,
            "listen": self._viewed,
        }

    def leave(self) -> None:
        """Take the game off the screen. It is in its record and can be gone on with."""
        session = self.session
        if session is None:
            return
        self.session = None
        session.close()
        left = time.time() if clock_is_set() else 0.0
        pledge = msgspec.structs.replace(session.pledge, seconds=session.seconds, left=left)
        self.keep_pledge(session.file.name, pledge, "")
        self.panel.show({})
        self.close_eyes()
        self._asked_since = None
        self.nav = Nav(since=self.clock())
        self._active = self.clock()
        with suppress(OSError):
            self.refresh()

    # ---- the camera

    @property
    def camera_on(self) -> bool:
        """Whether the camera may be used."""
        return True if self.settings.camera is None else self.settings.camera

    def watch(self, mat: Mat) -> None:
        """Look at a mat, where there is a camera."""
        if not self._camera or not self.camera_on or not mat.pieces:
            return
        if self.eyes is not None:
            if self.eyes.mat == mat:
                return
            self.close_eyes()
        if self._before_watching is not None:
            self._before_watching(mat)
        board, notices = self._board(mat)
        self.eyes = Eyes(self._camera, mat, self._hear, self.config.camera.calibration, board)
        notices += self.eyes.notices
        for notice in notices:
            _log.warning("%s", notice)
        if notices:
            self.said = " ".join(notices)

    def _board(self, mat: Mat) -> tuple[MatGeometry | None, tuple[str, ...]]:
        """The house's own board for a mat, if there is one, and what is wrong with it: then the printed mat
        is looked for."""
        if self.config.camera.boards is None:
            return None, ()
        try:
            return board_for(mat, self.config.camera.boards), ()
        except LayoutError as wrong:
            why = "; ".join(wrong.faults)
            told = self.words.t(
                "Your own board cannot be used, and the printed mat is looked for: {why}", why=why
            )
            return None, (told,)

    def close_eyes(self, *, wait: bool = False) -> None:
        eyes, self.eyes = self.eyes, None
        if eyes is None:
            return
        if wait:
            eyes.close()
        else:
            # A camera process may take seconds to end; the screen does not wait for it.
            threading.Thread(target=eyes.close, name="camera end", daemon=True).start()


def beat(shown: Shown) -> float:
    """What a page shows of the time (monotonic seconds); it has to be made anew when this is another one.

    A button that is held shows its progress in each frame, and trouble and writing tell for how long they
    last. Whatever else counts seconds comes in whole ones with what is shown.
    """
    view = shown.playing.view if shown.playing is not None else None
    if view is not None and any(one.down and shown.now <= one.until for one in view.holding):
        return shown.now
    if shown.house.trouble or (view is not None and view.writing_since is not None):
        return shown.now // PULSE_S
    return 0.0


def _minutes(session: Session) -> float:
    """How long a game has been played, in seconds of whole minutes: that much is shown of it."""
    return session.seconds // 60 * 60


@cache
def _version() -> str:
    try:
        return version("stationmaster")
    except PackageNotFoundError:
        return ""
