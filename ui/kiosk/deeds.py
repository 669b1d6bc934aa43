"""What the screen asks the host to do (`Ask.what`): one function a deed, `DEEDS` names them.

A deed gets the host and the values of the `Ask`, and gives a sentence for people, "" for none. What it
cannot do it raises, in words for people; the host shows them.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assistant.cases import load_pack
from assistant.game import STAFF, Game, PositionFaults, find_title
from assistant.journal import Journal, JournalError, SeatInfo, export_text, read
from assistant.journal.files import discard, wal_of
from assistant.journal.records import Chain, Notes, canonical
from assistant.messages import Command
from assistant.positions import leads, with_value
from assistant.referee import Referee
from hardware.lamps import Lamp, Sound
from ui.backup import back_up, free_place
from ui.kiosk.session import Session, free_name
from ui.kiosk.shelf import title_facts
from ui.kiosk.store import LEAST_IDLE, MOST_IDLE, Pledge
from ui.names import faults
from ui.presenters import present
from ui.presenters.chart import csv_of
from ui.presenters.elements import Chart, walk
from ui.presenters.intents import Go, Set
from ui.presenters.names import fault_words
from ui.presenters.nav import BACK, Nav, step
from ui.presenters.score import series_of
from ui.presenters.words import LANGUAGES, Words
from ui.records import ENDING, locate
from ui.sentences import Sentences
from vision.kept import sync_folder, write_safely

if TYPE_CHECKING:
    from ui.kiosk.host import Host

Values = Mapping[str, Any]
Deed = Callable[["Host", Values], str]

STAFF_S = 120.0
"""Without a touch for so long, staff are logged out."""
NAMES_KEPT = 12
LAMP_S = 1.0
DOUBLE_TAP_S = 0.5
"""A tap so soon after the one that led to the check before play was not meant to skip it."""


# Games -------------------------------------------------------------------------------------------


def begin(host: Host, values: Values) -> str:
    """Begin a game: title, pack, seats (letter: name), options, machine_draws, hidden_scores, clocks."""
    if host.nav.screen == "readiness" and host.clock() - host.nav.since < DOUBLE_TAP_S:
        return ""
    if host.session is not None:
        raise ValueError(host.words.t("A game is being played here: park it first."))
    game, names = _game(host, values)
    pledge = Pledge(
        hidden_scores=bool(values.get("hidden_scores")),
        clocks=bool(values.get("clocks")),
        set_up=values.get("set_up", False) is True,
    )
    file = free_name(host.config.games, game.title.id)
    draws = bool(values.get("machine_draws")) and _facts_of(host, game).has_deck and not game.hides
    _remember(host, names)
    host.play(Session.begin(file, game, names, pledge, machine_draws=draws, **host.more()))
    return ""


def _facts_of(host: Host, game: Game[Any]) -> Any:
    return next((t for t in host.offered if t.id == game.title.id), None) or title_facts(game.title)


def _game(host: Host, values: Values) -> tuple[Game[Any], dict[str, str]]:
    title = find_title(str(values["title"]))
    seats = {str(letter): str(name).strip() for letter, name in dict(values.get("seats", {})).items()}
    pack = load_pack(title, values.get("pack") or None, Path())
    options = {**host.switches.get(title.id, {}), **dict(values.get("options", {}))}
    known = {name: value for name, value in options.items() if name in title.switches}
    game = title.open(pack, len(seats), known)
    if set(seats) != set(game.seats):
        wanted = ", ".join(game.seats)
        raise ValueError(host.words.t("With {n} players the seats are {seats}.", n=len(seats), seats=wanted))
    names = {letter: seats[letter] or letter for letter in game.seats}
    if wrong := faults(names):
        raise ValueError(" ".join(fault_words(host.words, *each) for each in wrong))
    return game, names


def _remember(host: Host, names: Mapping[str, str]) -> None:
    given = [name for letter, name in names.items() if name != letter]
    host.names = tuple(dict.fromkeys([*given, *host.names]))[:NAMES_KEPT]


def resume(host: Host, values: Values) -> str:
    """Go on with a parked game: file."""
    if host.session is not None:
        raise ValueError(host.words.t("A game is being played here: park it first."))
    file = _file(host, values)
    pledge = host.pledge(file.name)
    session = Session.resume(file, pledge, **host.more())
    if session.game.hides and session.machine_draws:
        session.close()
        raise ValueError(
            host.words.t("Its hands were dealt by the machine: this screen would show them to all.")
        )
    if not pledge.set_up and session.begun:
        session.pledge = msgspec.structs.replace(pledge, set_up=True)
    host.play(session)
    return ""


def _file(host: Host, values: Values) -> Path:
    name = str(values.get("file") or "")
    if not name and host.session is not None:
        return host.session.file
    if not name or os.sep in name:
        raise ValueError(host.words.t("There is no such game."))
    return locate(name, host.config.games)


def park(host: Host, values: Values) -> str:
    """Take the game off the screen; it waits."""
    session = host.session
    if session is None:
        return ""
    if session.view.unrecorded:
        raise ValueError(host.words.t("This game is not recorded and would be lost: export it first."))
    host.leave()
    return host.words.t("The game is parked. It waits on this screen.")


def close(host: Host, values: Values) -> str:
    """The game is over: leave it."""
    host.leave()
    return ""


def forget(host: Host, values: Values) -> str:
    """Forget the names of the group: in the list of names, and in the record of the game that is shown."""
    session = host.session
    host.names = ()
    host.nav = msgspec.structs.replace(host.nav, drafts={})
    if session is None:
        return host.words.t("The names are forgotten.")
    if session.view.unrecorded:
        session.names = {seat: seat for seat in session.names}
        return host.words.t("The names are forgotten.")
    session.close()
    try:
        without_names(session.file)
    finally:
        nav = host.nav
        host.session = None
        host.play(Session.resume(session.file, session.pledge, **host.more()))
        host.nav = nav
    return host.words.t("The names are forgotten. The record has seats only.")


def without_names(file: Path) -> None:
    """Write a record that nobody plays anew, with letters for names. A power cut leaves the old or the new
    one; when this returns, the new one is there to stay.

    Raises JournalError, and leaves the old one, when its log cannot be folded in.
    """
    # A log that stayed beside the new file would be taken for its own, and spoil it.
    Journal.open(file).close()
    log = wal_of(file)
    if log.exists() and log.stat().st_size:
        raise JournalError(
            f"{file}: its log cannot be folded in; the names are still there. Try again.", file
        )
    old = read(file)
    letters = tuple(SeatInfo(seat.letter, seat.letter) for seat in old.header.seats)
    chain = Chain(canonical(msgspec.structs.replace(old.header, seats=letters)))
    for _, group in itertools.groupby(old.entries(), key=lambda recorded: recorded.ruling):
        ruling = list(group)
        entries = [recorded.entry for recorded in ruling]
        chain.extend(chain.seal(entries, ruling[0].noted_at, ruling[0].clock_set)[1])
    beside = file.with_name(f"{file.name.removesuffix(ENDING)}.nameless")
    discard(beside)
    Journal.write(beside, chain, old.secret, Notes()).close()
    beside.replace(file)
    sync_folder(file.parent)


def set_up_done(host: Host, values: Values) -> str:
    """The set-up steps are done, or were skipped."""
    session = host.session
    if session is not None:
        session.pledge = msgspec.structs.replace(session.pledge, set_up=True)
        host.keep_pledge(session.file.name, session.pledge, session.file.name)
    return ""


def delete_parked(host: Host, values: Values) -> str:
    """Delete a parked game: file. For staff, and for a game that nobody has done anything in."""
    _staff(host)
    file = _file(host, values)
    if host.session is not None and host.session.file == file:
        raise ValueError(host.words.t("This game is being played."))
    # Whoever plays it elsewhere keeps it.
    with suppress_unreadable():
        Journal.open(file).close()
    # The file goes last: as long as it is there it can be deleted again.
    for more in ("-wal", "-shm", "-journal"):
        file.with_name(file.name + more).unlink(missing_ok=True)
    file.unlink()
    sync_folder(file.parent)
    games = {name: pledge for name, pledge in host.settings.games.items() if name != file.name}
    playing = "" if host.settings.playing == file.name else host.settings.playing
    host.keep(games=games, playing=playing)
    host.refresh()
    return host.words.t("{file} is deleted.", file=file.name.removesuffix(ENDING))


def suppress_unreadable() -> suppress:
    """What is wrong with a record that is to be deleted does not matter; that it is locked does."""
    from assistant.journal import DamagedFile, ForeignFile, NewerFile

    return suppress(DamagedFile, ForeignFile, NewerFile)


def export(host: Host, values: Values) -> str:
    """Write a game as one JSON file: file, or the game that is shown."""
    session = host.session
    file = _file(host, values)
    if session is not None and session.file == file:
        journal, over, hides = session.referee.journal, session.view.finished, session.game.hides
        text = export_text(journal, finished=over)
    else:
        referee = Referee.resume(read(file))
        over, hides = referee.game.finished(referee.state), referee.game.hides
        text = export_text(referee.journal, finished=over)
    if hides and not over:
        _staff(host)
    return _saved(host, f"{file.name.removesuffix(ENDING)}.json", text.encode())


# An end position ---------------------------------------------------------------------------------


def score_position(host: Host, values: Values) -> str:
    """Score a finished table: title, pack, seats, `position` (what was entered, by path or nested).

    It becomes a record that begins at that position, so undo and corrections are those of any game.
    """
    if host.session is not None:
        raise ValueError(host.words.t("A game is being played here: park it first."))
    game, names = _game(host, values)
    position = game.end_position(nested(values.get("position", {})))
    state = game.from_position(position)
    if found := game.faults(state):
        raise PositionFaults(found)
    over, _ = game.final(state)  # NotUnderstood for a game that cannot be scored from its position.
    file = free_name(host.config.games, game.title.id)
    pledge = Pledge(set_up=True, scoring=True)
    given = game.to_position(state)
    host.play(Session.begin(file, game, names, pledge, given=given, **host.more()))
    return _level(host, game, position, list(game.totals(over).values()))


def _level(host: Host, game: Game[Any], position: Mapping[str, Any], totals: list[int]) -> str:
    """What was left out that settles a tie; empty where all have different points, or it was entered."""
    if len(set(totals)) == len(totals):
        return ""
    sentences = Sentences.of(game.title, host.language)
    orders = [fact for fact in game.end_facts(position) if fact.kind == "order" and fact.path not in position]
    what = ", ".join(sentences.say("end", fact.label, fact.values) for fact in orders)
    if not what:
        return ""
    return host.words.t("Some are level, and what settles it was not entered: {what}.", what=what)


def nested(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as a position has them; given nested, or by path ("seats.A.vp")."""
    position: Any = {}
    for path, value in facts.items():
        if "." in path:
            *parents, _ = path.split(".")
            for depth in range(1, len(parents) + 1):
                above = ".".join(parents[:depth])
                if not leads(position, parents[:depth]):
                    position = with_value(position, above, {})
            position = with_value(position, path, value)
        else:
            position = {**position, path: value}
    return dict(position)


def read_mat(host: Host, values: Values) -> str:
    """Read a finished table: tokens that lie there by seat, put among the screen's own values as `seen`."""
    game, _ = _game(host, {**values, "seats": values.get("seats") or {"A": "", "B": ""}})
    host.watch(game.mat(host.config.box))
    eyes = host.eyes
    if eyes is None:
        raise ValueError(host.words.t("There is no camera: enter what lies there."))
    if eyes.seen is None:
        return host.words.t("The camera looks. Try again in a few seconds.")
    pieces = {piece.payload: piece for piece in eyes.mat.pieces}
    seen: dict[str, dict[str, list[str]]] = {}
    for sighting in eyes.seen.sightings:
        piece = pieces.get(sighting.payload)
        if piece is None or piece.seat is None or sighting.space is None or piece.form != "sticker":
            continue
        places = seen.setdefault(piece.seat, {}).setdefault(f"{piece.what}s", [])
        if sighting.space not in places:
            places.append(sighting.space)
    for tokens in seen.values():
        for places in tokens.values():
            places.sort()
    hidden = sorted(eyes.seen.hidden | eyes.seen.doubtful)
    found = Set({"seen": seen, "hidden": hidden})
    host.nav = present.on(host.nav, found, host.shown(host.clock()))
    count = sum(len(places) for tokens in seen.values() for places in tokens.values())
    return host.words.n("The camera reads {n} token.", "The camera reads {n} tokens.", count)


# What is saved for people ------------------------------------------------------------------------


def _saved(host: Host, name: str, data: bytes) -> str:
    folder = (
        host.backup_folder() / "exports"
        if host.backup_folder() == host.config.games
        else host.backup_folder()
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_safely(folder / name, data)
    return host.words.t("Saved as {place}", place=str(folder / name))


def save_chart(host: Host, values: Values) -> str:
    """Save the chart on the page as a picture, and the points behind it, by round and seat, as a table."""
    from ui.kiosk.chart_picture import picture

    page = host.page(host.clock())
    chart = next((element for element in walk(page) if isinstance(element, Chart)), None)
    if chart is None or host.session is None:
        raise ValueError(host.words.t("There is no chart on this page."))
    name = host.session.file.name.removesuffix(ENDING)
    table = csv_of(series_of(host.shown(host.clock())), host.session.names)
    _saved(host, f"{name}-chart.csv", table.encode())
    return _saved(host, f"{name}-chart.png", picture(chart))


def save_sheet(host: Host, values: Values) -> str:
    """Save the score sheet, every point with its source, as text."""
    from ui.commands.score import sheet_lines

    session = host.session
    if session is None or session.view.sheet is None:
        raise ValueError(host.words.t("There is no score yet."))
    if session.pledge.hidden_scores and not session.view.finished:
        raise ValueError(host.words.t("Scores are hidden until the game is over."))
    lines = sheet_lines(session.view.sheet, host.sentences_of(session))
    name = session.file.name.removesuffix(ENDING)
    return _saved(host, f"{name}-score.txt", ("\n".join(lines) + "\n").encode())


def save_picture(host: Host, values: Values) -> str:
    """Save the mat's part of the camera's last bad picture, to find out why it could not be read."""
    _staff(host)
    bad = host.eyes.bad if host.eyes is not None else None
    if bad is None:
        raise ValueError(host.words.t("There is no such picture any more."))
    data = bad.png()
    return _saved(host, f"unread-{hashlib.sha256(data).hexdigest()[:8]}.png", data)


def backup(host: Host, values: Values) -> str:
    """Everything in one file: every game, read whole and written anew, the settings and the configuration.

    Hundreds of games, or a stick that does not answer, take longer than the screen may stand still.
    """
    host.in_thread("backup", lambda: _backup(host), host.words.t("The games are being copied."))
    return ""


def _backup(host: Host) -> str:
    games = host.config.games
    place = free_place(host.backup_folder())
    try:
        made = back_up(place, games, config=host.file, program=host.version)
    except OSError as error:
        why = error.strerror or str(error)
        raise ValueError(
            host.words.t("Nothing could be copied to {place}: {why}", place=str(place.parent), why=why)
        ) from None
    said = host.words.n(
        "{n} game is copied to {place}", "{n} games are copied to {place}", made.games, place=made.place
    )
    return (
        said
        if made.apart
        else f"{said}. {host.words.t('That is the disk of the games: keep a copy elsewhere, too.')}"
    )


# Camera and panel --------------------------------------------------------------------------------


def watch(host: Host, values: Values) -> None:
    """Look at the mat of the game that is played, that is about to begin, or of a title that has one."""
    session, asked = host.session, host.nav.values.get("begin")
    if session is not None:
        if session.mat is not None:
            host.watch(session.mat)
    elif isinstance(asked, Mapping):
        host.watch(_game(host, asked)[0].mat(host.config.box))
    elif wanted := values.get("title") or _with_mat(host):
        title = find_title(str(wanted))
        game = title.open(load_pack(title, values.get("pack") or None, Path()), title.seats[1])
        host.watch(game.mat(host.config.box))


def check(host: Host, values: Values) -> str:
    """Check the table now."""
    watch(host, values)
    if host.eyes is None:
        return host.camera_words()
    host.eyes.check(host.clock)
    return ""


def _with_mat(host: Host) -> str:
    """The first title on offer that has a mat."""
    return next((title.id for title in host.offered if title.has_mat), "")


def camera(host: Host, values: Values) -> str:
    """Use the camera, or do not: on. Without a value, or when it is on already, it is tried again."""
    before = host.eyes
    if "on" in values:
        host.keep(camera=bool(values["on"]))
        if not host.camera_on:
            host.close_eyes()
            if host.session is not None:
                host.session.post(host.no_camera())
        elif host.session is not None and host.session.mat is not None:
            host.watch(host.session.mat)
    if before is not None and host.eyes is before:
        before.retry()
    return ""


def census(host: Host, values: Values) -> str:
    """Whether the box is complete, by the tags that the camera has seen; each call adds what lies there."""
    eyes = host.eyes
    if eyes is None:
        raise ValueError(host.words.t("There is no camera: count the pieces by hand."))
    host.in_thread("census", lambda: _census(host, eyes), host.words.t("The pieces are being read."))
    return ""


def _census(host: Host, eyes: Any) -> str:
    found = eyes.census()
    t = host.words.t
    if found is None:
        return t("The camera gave no picture yet.")
    if not found.missing:
        return t("All {n} pieces of the box are there.", n=found.expected)
    what = "; ".join(group.told() for group in found.missing[:3])
    counts = t("{n} of {of} pieces are there.", n=found.present, of=found.expected)
    return f"{counts} {t('Missing: {what}', what=what)}{' ...' if len(found.missing) > 3 else ''}"


def panel_test(host: Host, values: Values) -> str:
    """Light each lamp in turn and sound the buzzer."""
    seats = host.session.game.seats if host.session is not None else ("A", "B", "C", "D")

    def run() -> str:
        for seat in seats:
            host.panel.show({seat: Lamp.DECIDE})
            time.sleep(LAMP_S)
        host.panel.show({})
        host.panel.sound(Sound.YOUR_TURN)
        return host.panel.status.text

    host.testing(run)
    return host.words.t("Each lamp is lit in turn, then the buzzer sounds.")


# The house ---------------------------------------------------------------------------------------


def language(host: Host, values: Values) -> str:
    """Speak another language: language."""
    chosen = str(values["language"])
    if chosen not in LANGUAGES:
        raise ValueError(f"there is no language {chosen!r}")
    host.keep(language=chosen)
    host.speak(Words(chosen))
    return ""


def pin(host: Host, values: Values) -> str:
    """Let staff in: digits."""
    t, now = host.words.t, host.clock()
    digits = str(values.get("digits", ""))
    if not host.pin.there:
        raise ValueError(t("No PIN is set yet: choose one."))
    if (wait := host.pin.wait(now)) > 0:
        raise ValueError(t("Wait {n} s before the next try.", n=round(wait) or 1))
    if not host.pin.check(digits, now):
        host.nav = step(host.nav, Set({"digits": ""}))
        return t("This is not the PIN.")
    _let_in(host, now)
    return ""


def set_pin(host: Host, values: Values) -> str:
    """Set a PIN: digits. Staff, or anybody as long as there is none."""
    if host.pin.there:
        _staff(host)
    try:
        host.pin.set(str(values.get("digits", "")))
    except ValueError as wrong:
        # Another one is chosen from the beginning: the first of two alike would be no good either.
        host.nav = step(host.nav, Set({"digits": "", "first": ""}))
        raise ValueError(_pin_words(host, str(wrong))) from None
    _let_in(host, host.clock())
    if not host.pin_written:
        return host.words.t("The PIN could not be written: it holds until the machine is switched off.")
    return host.words.t("The PIN is set.")


def _pin_words(host: Host, wrong: str) -> str:
    if "easy" in wrong:
        return host.words.t("This PIN is too easy to guess.")
    return host.words.t("A PIN has 4 to 12 digits.")


def _let_in(host: Host, now: float) -> None:
    host.staff_until = now + STAFF_S
    # In trouble the safe screen has what staff are called for, and leads on to all else.
    host.nav = _aside(host.nav, "" if host.shown(now).house.trouble else "staff")


def leave_staff(host: Host, values: Values) -> str:
    """Staff leave."""
    host.staff_until = 0.0
    host.nav = _aside(host.nav, "")
    return ""


def _aside(nav: Nav, screen: str) -> Nav:
    """To another screen without a way back; a game that runs keeps what was answered in it."""
    return msgspec.structs.replace(step(nav, Go("")), screen=screen)


def _staff(host: Host) -> None:
    if not host.staff:
        raise PermissionError(host.words.t("This is for staff."))


def house(host: Host, values: Values) -> str:
    """Set something of the house: key, value. Sounds and motion are anybody's, the rest is staff's."""
    key, value = str(values["key"]), values.get("value")
    if not isinstance(value, str | bool | int | float):
        raise ValueError(f"the house has no {key!r} of {value!r}")
    if key in ("sounds", "motion"):
        host.keep(**{key: bool(value)})
        return ""
    _staff(host)
    if key == "name":
        text = str(value).strip()
        if not text or len(text) > 40 or not text.isprintable():
            raise ValueError(host.words.t("This is no name for a table."))
        host.keep(name=text)
        if host.nav.screen == "names":
            host.nav = step(host.nav, Go(BACK))
    elif key == "camera":
        return camera(host, {"on": bool(value)})
    elif key == "idle_minutes":
        minutes = float(value or 0)
        if not LEAST_IDLE <= minutes <= MOST_IDLE:
            raise ValueError(host.words.t("Minutes are from 1 to 1440."))
        host.keep(idle_minutes=minutes)
    elif key == "usual":
        title = find_title(str(value))
        # The configuration file may say otherwise; what is set here goes before it.
        filed = host.config.switches.get(title.id, {})
        usual = {name: title.switches[name].values[0] for name in filed if name in title.switches}
        others = {game: own for game, own in host.settings.switches.items() if game != title.id}
        host.keep(switches={**others, title.id: usual} if usual else others)
    elif key.startswith("switches."):
        _, game, switch = key.split(".", 2)
        title = find_title(game)
        chosen = value if isinstance(value, str | bool) else str(value)
        title.effective({switch: chosen})
        own = {**host.settings.switches.get(game, {}), switch: chosen}
        host.keep(switches={**host.settings.switches, game: own})
    else:
        raise ValueError(f"the house has no {key!r}")
    return ""


def here(host: Host, values: Values) -> str:
    """Somebody is still there; the touch itself has said so."""
    return ""


def retry(host: Host, values: Values) -> str:
    """Try again: to open everything, to write the record, to use the camera."""
    if host.trouble:
        if not host.open():
            return ""
        return host.words.t("It works again.")
    host.try_to_write(host.clock())
    if host.eyes is not None:
        host.eyes.retry()
    return ""


def play_unrecorded(host: Host, values: Values) -> str:
    """Go on without a record."""
    _staff(host)
    if host.session is not None:
        host.session.post(Command("play_unrecorded", STAFF, {}, host.clock()))
        host.nav = Nav(since=host.clock())
    return ""


DEEDS: dict[str, Deed] = {
    "begin": begin,
    "resume": resume,
    "park": park,
    "close": close,
    "forget": forget,
    "save_chart": save_chart,
    "save_sheet": save_sheet,
    "save_picture": save_picture,
    "check": check,
    "camera": camera,
    "panel_test": panel_test,
    "language": language,
    "pin": pin,
    "set_pin": set_pin,
    "leave_staff": leave_staff,
    "house": house,
    "backup": backup,
    "delete_parked": delete_parked,
    "export": export,
    "census": census,
    "here": here,
    "retry": retry,
    "set_up_done": set_up_done,
    "score_position": score_position,
    "read_mat": read_mat,
    "play_unrecorded": play_unrecorded,
}
"""Everything that a screen may ask for."""
