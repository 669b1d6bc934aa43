"""The kiosk behind the screen: games begin, are parked and resumed, and nothing fails in front of people."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.game import find_title
from assistant.journal import Journal, JournalUnwritable, read
from assistant.messages import CameraState, CameraStatus, Command, Press
from assistant.referee import Referee
from hardware.lamps import Lamp
from hardware.scripted import ScriptedPanel
from ui.kiosk.config import SETTINGS, Config
from ui.kiosk.eyes import Readiness
from ui.kiosk.host import COUNTDOWN_S, LOCK, Host, Taken
from ui.kiosk.session import Session
from ui.kiosk.store import Pledge
from ui.presenters import present
from ui.presenters.elements import Text, intents, walk
from ui.presenters.intents import Ask, Go, Say
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from vision.readiness import Check, Light

SIZES = metrics(1024, 600)
SEATS = {"A": "Mira", "B": "Jonas", "C": "Aiko"}
BEGIN = Ask("begin", {"title": "railway_boom", "seats": SEATS, "machine_draws": True, "set_up": True})


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., Host]]:
    made: list[Host] = []

    def making(**more: Any) -> Host:
        config = more.pop("config", None) or Config(games=tmp_path / "games")
        host = Host(config, SIZES, clock=clock, **more)
        made.append(host)
        return host

    yield making
    for host in made:
        host.close()


def until(there: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 10
    while not there():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def bid(host: Host, space: int) -> None:
    """The seat that is asked bids by touch."""
    assert host.session is not None
    view = host.session.view
    choice = next(c for c in view.choices if c.why == "bid")
    index = next(
        i for i, o in enumerate(choice.options) if getattr(o.action, "space", None) == space and not o.free
    )
    host.do(Say(Command("take", choice.seat, {"choice": choice.id, "index": index})))
    session = host.session
    until(lambda: session.view.seq > view.seq and session.view.writing_since is None, "the bid is recorded")


def test_a_game_begins_and_touches_reach_its_table(make: Callable[..., Host]) -> None:
    host = make()
    host.do(BEGIN)
    assert host.said == ""
    assert host.session is not None
    before = host.session.view.seq
    bid(host, 3)
    shown = host.shown(host.clock())
    assert shown.playing is not None
    assert shown.playing.names == SEATS
    assert shown.playing.view.seq == before + 1
    assert shown.house.names == ("Mira", "Jonas", "Aiko")


def test_hands_that_are_hidden_are_held_by_people(make: Callable[..., Host], tmp_path: Path) -> None:
    host = make()
    seats = {"A": "Mira", "B": "Jonas"}
    host.do(Ask("begin", {"title": "trains", "seats": seats, "machine_draws": True, "set_up": True}))
    assert host.said == ""
    assert host.session is not None
    assert not host.session.machine_draws
    assert [who.why for who in host.session.view.acting] == ["stacks"]
    host.do(Ask("park"))
    # Made elsewhere, where nobody looks over a shoulder.
    title = find_title("trains")
    game = title.open(title.load_pack(title.default_pack), 2)
    file = tmp_path / "games" / "dealt.game"
    Session.begin(file, game, seats, Pledge(set_up=True), machine_draws=True).close()
    host.do(Ask("resume", {"file": "dealt"}))
    assert host.session is None
    assert "dealt by the machine" in host.said


def test_what_is_said_on_a_refusal_answers_it(make: Callable[..., Host]) -> None:
    host = make()
    host.do(Ask("begin", {"title": "auction", "seats": {"A": "", "B": ""}, "set_up": True}))
    assert host.session is not None
    host.do(Say(Command("try", "A", {"action": {"do": "bid", "space": 3}})))
    until(lambda: present.screen_for(host.shown(host.clock()), host.nav) == "refusal", "the refusal")
    host.do(Say(Command("try", "A", {"action": {"do": "next_lot"}})))
    until(lambda: present.screen_for(host.shown(host.clock()), host.nav) == "auction", "the auction")


def test_a_parked_game_waits_and_goes_on_where_it_was(make: Callable[..., Host]) -> None:
    host = make()
    host.do(BEGIN)
    bid(host, 3)
    assert host.session is not None
    seq, acting = host.session.view.seq, host.session.view.acting
    host.do(Ask("park"))
    (parked,) = host.shown(host.clock()).house.parked
    assert parked.names == SEATS
    assert parked.progress == "Round 1 of 4"
    assert not parked.finished
    host.do(Ask("resume", {"file": parked.file}))
    assert host.session is not None
    assert (host.session.view.seq, host.session.view.acting) == (seq, acting)


@pytest.mark.parametrize(
    "values",
    [
        {"title": "chess"},
        {"title": "railway_boom", "seats": {"A": "Mira"}},
        {"title": "railway_boom", "seats": {"A": "Mira", "C": "Aiko"}},
        {"title": "railway_boom", "seats": {"A": "Mira", "B": "Mira"}},
        {"title": "railway_boom", "seats": {"A": "Mira", "B": "staff"}},
        {"title": "railway_boom", "seats": SEATS, "pack": "no_such_pack"},
        {},
    ],
)
def test_what_cannot_begin_is_said_and_leaves_nothing(
    make: Callable[..., Host], values: dict[str, Any], tmp_path: Path
) -> None:
    host = make()
    host.do(Ask("begin", values))
    assert host.said
    assert host.session is None
    assert list((tmp_path / "games").glob("*.game*")) == []


def test_every_deed_without_what_it_needs_is_a_sentence(make: Callable[..., Host]) -> None:
    from ui.kiosk.deeds import DEEDS

    host = make()
    for what in (*DEEDS, "nonsense"):
        host.do(Ask(what, {}))
        host.do(Ask(what, {"file": "../x", "title": 3, "digits": None, "key": "no", "language": "xx"}))
        assert "Traceback" not in host.said
        if host.session is not None:
            host.do(Ask("close"))
    assert host.said


def test_packs_of_the_house_can_be_chosen_and_a_faulty_one_says_why(
    make: Callable[..., Host], clock: Clock, tmp_path: Path
) -> None:
    packs = tmp_path / "packs"
    packs.mkdir()
    text = (Path(__file__).parents[2] / "fixtures" / "fx.toml").read_text(encoding="utf-8")
    (packs / "fx.toml").write_text(text, encoding="utf-8")
    ships = find_title("railway_boom").folder / "packs" / "inland_sea.toml"
    ours = ships.read_text(encoding="utf-8").replace('"inland_sea"', '"ours"').replace("Inland Sea", "Ours")
    (packs / "ours.toml").write_text(ours, encoding="utf-8")
    (packs / "broken.toml").write_text(text.replace('"mountain"', '"mountin"'), encoding="utf-8")
    (packs / "other.toml").write_text(text.replace('"railway_boom"', '"auction"'), encoding="utf-8")
    (packs / "no.toml").write_text("[", encoding="utf-8")
    host = make(config=Config(games=tmp_path / "games", packs=packs))
    nav = Nav("new_game", {"title": "railway_boom", "seats": SEATS, "machine_draws": True})
    seen: dict[str, str] = {}
    for _ in range(5):
        host.nav = nav
        page = host.page(host.clock())
        assert page.prompt is not None
        there = intents(page)
        said = [e.text for e in walk(page) if isinstance(e, Text)]
        seen[said[said.index("Values") + 1]] = "" if "begin" in there else page.prompt.detail
        if "Ours" in said:
            host.do(there["begin"])
            go = intents(host.page(clock.now))["go"]
            host.do(go)
            assert host.session is None, "a double tap does not skip the check"
            clock.now += 1
            host.do(go)
            host.do(Ask("park"))
        host.nav = nav
        host.do(there["pack"])
        nav = host.nav
    assert [name for name, why in sorted(seen.items()) if not why] == ["Inland Sea", "Ours"]
    assert seen["Fixture pack FX"] == (
        "Fixture pack FX serves tests: it has too few cards to begin a game with."
    )
    assert "mountin" in seen["broken"]
    assert seen["no"]
    assert len(seen["broken"].splitlines()) == 1
    (parked,) = host.shown(host.clock()).house.parked
    assert parked.entries > 0
    host.close()
    # The record has the pack in it: the game goes on when the folder has gone.
    host = make(config=Config(games=tmp_path / "games", packs=tmp_path / "gone"))
    assert str(tmp_path / "gone") in host.said
    host.do(Ask("resume", {"file": parked.file}))
    assert host.session is not None
    assert host.session.game.pack.id == "ours"


def test_a_second_kiosk_on_the_same_games_is_told(make: Callable[..., Host]) -> None:
    make()
    with pytest.raises(Taken, match="another kiosk is using"):
        make()


def test_a_games_folder_that_cannot_be_made_is_the_safe_screen_until_it_can(
    make: Callable[..., Host], tmp_path: Path
) -> None:
    (tmp_path / "games").write_text("in the way")
    host = make()
    house = host.shown(host.clock()).house
    assert str(tmp_path / "games") in house.trouble
    host.do(BEGIN)
    assert host.said
    (tmp_path / "games").unlink()
    host.do(Ask("retry"))
    assert host.said == "It works again."
    assert host.shown(host.clock()).house.trouble == ""


def test_a_full_card_is_the_safe_screen_and_is_tried_again_by_itself(
    make: Callable[..., Host], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make()
    host.do(BEGIN)
    session = host.session
    assert session is not None
    seq, seat = session.view.seq, session.view.acting[0].seat

    def full(*_: Any) -> None:
        raise JournalUnwritable("the card is full")

    with monkeypatch.context() as broken:
        broken.setattr(Journal, "append", full)
        host.do(Say(Command("try", seat, {"action": {"do": "bid", "seat": seat, "space": 3}})))
        until(lambda: session.view.unwritable, "the record cannot be written")
        page = host.page(clock.now)
        assert page.id == "safe"
        said = [e.text for e in walk(page) if isinstance(e, Text)]
        assert f"Your game is kept up to entry {seq}" in said
        assert any("in 20 s" in text for text in said)
        clock.now += 5
        assert any("in 15 s" in e.text for e in walk(host.page(clock.now)) if isinstance(e, Text))
    clock.now += 15
    host.page(clock.now)
    until(lambda: not session.view.unwritable, "it was tried again")
    assert host.page(clock.now).id != "safe"


def test_a_card_that_went_read_only_still_tells_up_to_where_games_are_kept(
    make: Callable[..., Host], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make()
    host.do(BEGIN)
    bid(host, 3)
    assert host.session is not None
    seq = host.session.view.seq
    host.close()
    opened = os.open

    def read_only(path: Any, *rest: Any, **more: Any) -> int:
        if Path(path).name == LOCK:
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, *rest, **more)

    with monkeypatch.context() as broken:
        broken.setattr(os, "open", read_only)
        host = make()
        said = [e.text for e in walk(host.page(host.clock())) if isinstance(e, Text)]
        assert any("Read-only file system" in text for text in said)
        assert f"Railway Boom is kept up to entry {seq}" in said
    host.do(Ask("retry"))
    assert host.said == "It works again."


def test_staff_let_a_game_go_on_that_cannot_be_recorded(
    make: Callable[..., Host], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = make()
    host.do(Ask("set_pin", {"digits": "4711"}))
    host.do(Ask("leave_staff"))
    host.do(BEGIN)
    session = host.session
    assert session is not None

    def full(*_: Any) -> None:
        raise JournalUnwritable("the card is full")

    monkeypatch.setattr(Journal, "append", full)
    seat = session.view.acting[0].seat
    host.do(Say(Command("try", seat, {"action": {"do": "bid", "seat": seat, "space": 3}})))
    until(lambda: session.view.unwritable, "the record cannot be written")
    assert "unrecorded" not in intents(host.page(clock.now))
    host.do(Ask("play_unrecorded"))
    assert host.said == "This is for staff."
    host.do(intents(host.page(clock.now))["staff"])
    assert host.page(clock.now).id == "pin"
    host.do(Ask("pin", {"digits": "4711"}))
    host.do(intents(host.page(clock.now))["staff"])
    assert host.page(clock.now).id == "staff"
    host.do(Ask("pin", {"digits": "4711"}))
    host.do(intents(host.page(clock.now))["unrecorded"])
    until(lambda: session.view.unrecorded, "it goes on without a record")
    assert host.page(clock.now).id != "safe"
    bid(host, 3)


def test_a_damaged_game_is_listed_with_its_fault(make: Callable[..., Host], tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "old.game").write_bytes(b"")
    (parked,) = make().shown(0.0).house.parked
    assert "0 bytes" in parked.fault


# Idling ------------------------------------------------------------------------------------------


def test_an_idle_game_is_asked_about_then_parked_never_dropped(
    make: Callable[..., Host], clock: Clock
) -> None:
    host = make()
    host.do(BEGIN)
    clock.now += 29 * 60
    assert host.shown(clock.now).house.countdown is None
    clock.now += 61
    assert host.shown(clock.now).house.countdown == COUNTDOWN_S
    clock.now += 20
    assert host.shown(clock.now).house.countdown == COUNTDOWN_S - 20
    host.do(Ask("here"))
    assert host.shown(clock.now).house.countdown is None
    clock.now += 30 * 60
    host.shown(clock.now)
    clock.now += COUNTDOWN_S
    shown = host.shown(clock.now)
    assert shown.playing is None
    assert len(shown.house.parked) == 1


def test_a_press_is_somebody_and_thinking_is_not_idle(make: Callable[..., Host], clock: Clock) -> None:
    panel = ScriptedPanel()
    host = make(panel=panel)
    host.do(BEGIN)
    clock.now += 30 * 60
    assert host.shown(clock.now).house.countdown is not None
    host._post(Press("plus", "A"))
    assert host.shown(clock.now).house.countdown is None


# The check before play ----------------------------------------------------------------------------

DRAFT = {"title": "railway_boom", "seats": SEATS, "machine_draws": True}


def test_buttons_are_ticked_by_their_edges_and_no_game_hears_them(
    make: Callable[..., Host], clock: Clock
) -> None:
    panel = ScriptedPanel(began=clock.now)
    host = make(panel=panel)

    def said() -> list[str]:
        return [e.text for e in walk(host.page(clock.now)) if isinstance(e, Text)]

    def press(name: str) -> None:
        panel.press(name)
        clock.now += 1
        panel.advance(clock.now)

    host.do(Go("readiness", {"begin": DRAFT}))
    assert said().count("+, OK not pressed yet") == 3
    press("A plus")
    assert said().count("OK not pressed yet") == 1
    press("A ok")
    press("next")
    assert host.shown(clock.now).house.pressed == {"A plus", "A ok", "next"}
    host.do(Ask("begin", DRAFT))
    assert host.said == ""
    host.do(Go("readiness"))
    assert host.session is not None
    before = host.session.view
    for name in ("A plus", "A ok", "B plus", "B ok", "C plus", "C ok"):
        press(name)
    time.sleep(0.05)
    assert host.session.view.seq == before.seq
    assert [choice.at for choice in host.session.view.choices] == [choice.at for choice in before.choices]
    assert "Press each button once" not in said()
    host.do(Go(""))
    assert host.shown(clock.now).house.pressed == set(), "another check begins anew"
    # While the table is set up nobody sees what a button would do.
    press("B plus")
    time.sleep(0.05)
    assert host.session.view.seq == before.seq
    assert [choice.at for choice in host.session.view.choices] == [choice.at for choice in before.choices]
    host.do(Ask("set_up_done"))
    session = host.session
    asked = next(choice for choice in before.choices if choice.why)
    press(f"{asked.seat} plus")
    until(lambda: session.view.choices != before.choices, "the button is heard in the game")


def test_the_check_before_play_looks_at_the_mat_by_itself_until_all_is_well(
    make: Callable[..., Host], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    class Looking:
        """Eyes over a mat that find what they are told to find."""

        notices = ()
        seen = bad = None
        status = CameraStatus(CameraState.STARTING, "it starts", 0.0)
        readiness: Readiness | None = None

        def __init__(self, camera: str, mat: Any, hear: Any, calibration: Any, board: Any) -> None:
            self.mat, self.checks, self.running = mat, 0, False
            made.append(self)

        def check(self, clock: Any) -> None:
            self.checks += 1
            light = Light.RED if self.checks == 1 else Light.GREEN
            self.readiness = Readiness((Check("mat", light, "x", values={"seen": 3, "printed": 8}),))

        def close(self) -> None:
            return

    monkeypatch.setattr("ui.kiosk.host.Eyes", Looking)
    host = make(camera="simulated:none")
    host.do(Go("readiness", {"begin": DRAFT}))
    host.page(clock.now)
    (eyes,) = made
    assert eyes.checks == 0, "there is no picture yet"
    eyes.running = True
    for seconds, checks in ((0, 1), (1, 1), (4, 2), (8, 2)):
        clock.now += seconds
        host.page(clock.now)
        assert eyes.checks == checks
    host.do(Ask("begin", DRAFT))
    assert host.said == ""
    assert made == [eyes], "the game is watched by the same eyes"


def test_names_of_a_group_that_has_gone_are_forgotten(make: Callable[..., Host], clock: Clock) -> None:
    host = make()
    host.do(BEGIN)
    host.do(Ask("park"))
    host.nav = Nav("new_game", {"title": "railway_boom"})
    clock.now += 3 * 60
    assert host.shown(clock.now).house.names == ()
    assert host.nav.screen == ""


def test_forgetting_names_takes_them_out_of_the_record_and_keeps_the_game(
    make: Callable[..., Host], tmp_path: Path
) -> None:
    host = make()
    host.do(BEGIN)
    bid(host, 3)
    assert host.session is not None
    digest = host.session.game.digest(host.session.referee.state)
    host.do(Ask("forget"))
    shown = host.shown(host.clock())
    assert shown.playing is not None
    assert shown.playing.names == {"A": "A", "B": "B", "C": "C"}
    host.do(Ask("park"))
    (file,) = (tmp_path / "games").glob("*.game")
    assert b"Mira" not in file.read_bytes()
    referee = Referee.resume(read(file))
    assert referee.game.digest(referee.state) == digest
    assert "Mira" not in (tmp_path / "games" / SETTINGS).read_text()


# Staff -------------------------------------------------------------------------------------------


def test_staff_come_in_by_pin_and_are_out_after_two_minutes(make: Callable[..., Host], clock: Clock) -> None:
    host = make()
    assert not host.shown(clock.now).house.pin_set
    host.do(Ask("set_pin", {"digits": "1234"}))
    assert not host.staff
    host.do(Ask("set_pin", {"digits": "4711"}))
    assert host.staff
    host.do(Ask("leave_staff"))
    host.do(Ask("house", {"key": "name", "value": "Table 9"}))
    assert host.said == "This is for staff."
    host.do(Ask("pin", {"digits": "4711"}))
    host.do(Ask("house", {"key": "name", "value": "Table 9"}))
    assert host.shown(clock.now).house.name == "Table 9"
    clock.now += 121
    assert not host.shown(clock.now).house.staff


def test_the_table_is_renamed_and_house_rules_go_back_to_the_usual(
    make: Callable[..., Host], tmp_path: Path
) -> None:
    filed: dict[str, dict[str, str | bool]] = {"railway_boom": {"auction.next": "cyclic"}}
    host = make(config=Config(games=tmp_path / "games", switches=filed), file=tmp_path / "kiosk.toml")
    host.do(Ask("set_pin", {"digits": "4711"}))
    host.do(Go("names", {"typed": "Table 4"}))
    host.do(Ask("house", {"key": "name", "value": "Fensterplatz"}))
    house = host.shown(host.clock()).house
    assert (house.name, host.nav.screen) == ("Fensterplatz", "staff")
    assert dict(house.places)["config"] == str(tmp_path / "kiosk.toml")
    assert dict(house.places)["games"] == dict(house.places)["backup"] == str(tmp_path / "games")
    assert house.switches == filed
    host.do(Ask("house", {"key": "usual", "value": "railway_boom"}))
    (usual,) = host.shown(host.clock()).house.switches["railway_boom"].values()
    assert usual != "cyclic"
    host.do(Ask("leave_staff"))
    host.do(Ask("house", {"key": "usual", "value": "railway_boom"}))
    assert host.said == "This is for staff."
    host.close()
    again = make()
    assert again.shown(again.clock()).house.name == "Fensterplatz"


def test_staff_are_logged_out_also_from_where_they_went_on_to(
    make: Callable[..., Host], clock: Clock
) -> None:
    host = make()
    host.do(Ask("set_pin", {"digits": "4711"}))
    host.do(Go("house_rules", {"title": "railway_boom", "house": True}))
    clock.now += 121
    host.page(clock.now)
    assert host.nav.screen == ""


def test_settings_survive_and_a_damaged_file_costs_only_the_last_change(
    make: Callable[..., Host], tmp_path: Path
) -> None:
    host = make()
    host.do(Ask("set_pin", {"digits": "4711"}))
    host.do(Ask("house", {"key": "idle_minutes", "value": 12}))
    host.do(Ask("house", {"key": "switches.railway_boom.auction.next", "value": "cyclic"}))
    host.close()
    file = tmp_path / "games" / SETTINGS
    file.write_bytes(file.read_bytes()[:-20])
    again = make()
    assert "is damaged" in again.said
    assert again.idle_minutes == 12
    assert again.pin.there
    assert (tmp_path / "games" / f"{SETTINGS}.damaged-1").exists()


# What is saved -----------------------------------------------------------------------------------


def test_a_backup_holds_games_that_can_be_resumed(make: Callable[..., Host], tmp_path: Path) -> None:
    host = make()
    host.do(BEGIN)
    bid(host, 3)
    host.do(Ask("backup"))
    host.do(Ask("backup"))
    until(lambda: "1 game is copied" in host.said, "it is copied")
    # By two touches, to one file; and it is no help when this disk fails.
    assert "keep a copy elsewhere" in host.said
    (made,) = (tmp_path / "games").glob("*.zip")
    with zipfile.ZipFile(made) as pack:
        game = "games/railway_boom-0001.game"
        assert sorted(pack.namelist()) == [game, "manifest.json", f"settings/{SETTINGS}"]
        pack.extract(game, tmp_path / "out")
    assert host.session is not None
    assert Referee.resume(read(tmp_path / "out" / game)).seq == host.session.view.seq


def test_a_backup_holds_the_configuration(make: Callable[..., Host], tmp_path: Path) -> None:
    file = tmp_path / "etc" / "config.toml"
    file.parent.mkdir()
    file.write_text('name = "Four"\n')
    host = make(file=file)
    host.do(Ask("backup"))
    until(lambda: "copied to" in host.said, "it is copied")
    with zipfile.ZipFile(next((tmp_path / "games").glob("*.zip"))) as pack:
        assert pack.read("config/config.toml") == file.read_bytes()


def test_a_stick_that_cannot_be_written_is_told(make: Callable[..., Host], tmp_path: Path) -> None:
    # Nobody may write there, not even who may do everything.
    host = make(config=Config(games=tmp_path / "games", backup=Path("/proc/self/net")))
    host.do(Ask("backup"))
    until(lambda: "Nothing could be copied to /proc/self/net" in host.said, "the reason")


def test_no_name_and_no_pin_is_in_the_log(
    make: Callable[..., Host], caplog: pytest.LogCaptureFixture
) -> None:
    host = make()
    host.do(Ask("begin", {"title": "railway_boom", "seats": {"A": "Zebedee", "B": "Zebedee"}}))
    assert "Zebedee" in host.said
    host.do(Ask("set_pin", {"digits": "7777"}))
    host.do(Ask("pin", {"digits": "4711"}))
    assert len(caplog.records) == 3
    assert not re.search("Zebedee|7777|4711", caplog.text)


def test_a_camera_that_failed_is_tried_again_when_it_is_put_on(make: Callable[..., Host]) -> None:
    tried: list[str] = []
    host = make()
    host.eyes = SimpleNamespace(  # type: ignore[assignment]
        retry=lambda: tried.append("again"), close=lambda: None, notices=(), status=None
    )
    host.do(Ask("camera", {"on": True}))
    assert tried == ["again"]
    host.do(Ask("camera", {"on": False}))
    assert tried == ["again"]


def test_an_export_is_a_game(make: Callable[..., Host], tmp_path: Path) -> None:
    host = make()
    host.do(BEGIN)
    host.do(Ask("export"))
    document = json.loads((tmp_path / "games" / "exports" / "railway_boom-0001.json").read_text())
    assert document["header"]["game"] == "railway_boom"


def test_a_finished_table_is_scored_from_facts(make: Callable[..., Host]) -> None:
    host = make()
    position = {
        "round": 4,
        "phase": "operation",
        "step": "turn",
        "seats.A.vp": 41,
        "seats.A.money": 5,
        "seats.B.vp": 38,
    }
    host.do(Ask("score_position", {"title": "railway_boom", "seats": SEATS, "position": position}))
    assert host.said == ""
    shown = host.shown(host.clock())
    assert shown.playing is not None
    view = shown.playing.view
    assert view.finished
    assert view.sheet is not None
    # 41 points, and half of 5 + 8 + 8 + 8 resources.
    assert view.sheet.total("A") == 41 + 14
    assert view.places[0] == ("A",)
    assert host.session is not None
    host.session.post(
        Command("correct", "A", {"facts": {"seats.B.vp": 60}, "consents": list(SEATS)}, host.clock())
    )
    session = host.session
    until(lambda: session.view.places[0] == ("B",), "the correction is scored")


# Panel -------------------------------------------------------------------------------------------


def test_the_lamp_of_who_is_asked_is_lit(make: Callable[..., Host]) -> None:
    panel = ScriptedPanel()
    host = make(panel=panel)
    host.do(BEGIN)
    assert host.session is not None
    asked = host.session.view.acting[0].seat
    until(lambda: bool(panel.lamps), "lamps are shown")
    assert panel.lamps[asked] is Lamp.DECIDE
    host.do(Ask("park"))
    assert panel.lamps == {}


# Power -------------------------------------------------------------------------------------------

_CUT = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.ui.kiosk.test_host import BEGIN, SIZES, bid
from ui.kiosk.config import Config
from ui.kiosk.host import Host

host = Host(Config(games=Path(sys.argv[1])), SIZES)
host.do(BEGIN)
bid(host, 3)
bid(host, 7)
view = host.session.view
print(view.seq, view.acting[0].seat, flush=True)
time.sleep(60)
"""


def test_after_a_power_cut_in_an_auction_the_game_goes_on_at_the_same_bid(
    make: Callable[..., Host], tmp_path: Path
) -> None:
    games, root = tmp_path / "games", Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", _CUT, games, root], stdout=subprocess.PIPE, text=True, cwd=root
    ) as process:
        assert process.stdout is not None
        seq, seat = process.stdout.readline().split()
        os.kill(process.pid, signal.SIGKILL)
    assert (games / LOCK).exists()
    host = make()
    (parked,) = host.shown(host.clock()).house.parked
    assert host.settings.playing == parked.file
    host.do(Ask("resume", {"file": parked.file}))
    assert host.session is not None
    view = host.session.view
    assert (view.seq, view.acting[0].seat, view.acting[0].why) == (int(seq), seat, "bid")
    assert view.display is not None
    assert view.display.auction is not None
    assert sorted(b.value for b in view.display.auction.bidders) == [0, 3, 7]
