"""What systemd hears of the kiosk: ready, alive while all loops move on, and silence when one does not."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from assistant.messages import CameraState, CameraStatus, Tick
from ui.health import Pictures, Pulse
from ui.service import TABLE_S, WRITING_S, Loops, Notifier, Service, pausing, process_age


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.bind(str(tmp_path / "notify"))
        link.setblocking(False)
        yield link


def heard(manager: socket.socket) -> list[str]:
    found = []
    while True:
        try:
            found.append(manager.recv(4096).decode())
        except BlockingIOError:
            return found


def notifier(tmp_path: Path, seconds: float = 30) -> Notifier:
    return Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(int(seconds * 1e6))})


class Game:
    """A table that answers as long as it is `well`."""

    def __init__(self) -> None:
        self.view: Any = SimpleNamespace(writing_since=None)
        self.well = True
        self.asked = 0

    def post(self, message: Tick) -> None:
        self.asked += 1
        if self.well:
            self.view = SimpleNamespace(writing_since=None)


def kiosk(game: Game | None = None, alive: bool = True) -> Any:
    status = CameraStatus(CameraState.RUNNING, "The camera runs.", 0.0)
    eyes = SimpleNamespace(alive=alive, status=status, pictures=(9, 3.0))
    return SimpleNamespace(session=game, eyes=eyes, trouble="", pictures=Pictures())


def test_ready_is_said_once_and_only_after_a_page_was_drawn(manager: socket.socket, tmp_path: Path) -> None:
    service = Service(notifier(tmp_path), began=0.0)
    service.turn(1.0, kiosk())
    assert [word for word in heard(manager) if "READY" in word] == []
    words = []
    for at in range(2, 60):
        service.turn(float(at), kiosk())
        words += heard(manager)
    assert [word for word in words if "READY" in word] == [
        "READY=1\nSTATUS=the first page was drawn after 2.0 s"
    ]


@pytest.mark.parametrize("loop", ["table", "record", "camera", "screen", "none"])
def test_the_watchdog_is_fed_only_while_every_loop_moves_on(
    loop: str, manager: socket.socket, tmp_path: Path
) -> None:
    service, game = Service(notifier(tmp_path), began=0.0), Game()
    host = kiosk(game)
    words = []
    for half in range(20):
        service.turn(half / 2, host)
        words += heard(manager)
    assert "WATCHDOG=1" in words
    if loop == "table":
        game.well = False
    elif loop == "record":
        game.view.writing_since, game.well = 10.0, False
    elif loop == "camera":
        host.eyes.alive = False
    end = 10 + max(TABLE_S, WRITING_S) + 10
    at, signs = 10.0, 0
    while loop != "screen" and at < end + 60:
        service.turn(at, host)
        at += 0.5
        signs += "WATCHDOG=1" in heard(manager) and at > end
    if loop == "none":
        assert signs > 5
    else:
        assert signs == 0


def test_a_service_manager_that_does_not_listen_holds_nothing_up(
    manager: socket.socket, tmp_path: Path
) -> None:
    words = notifier(tmp_path)
    for _ in range(1000):
        words.send(WATCHDOG="1")
    assert len(heard(manager)) < 1000


def test_what_is_stuck_is_named(manager: socket.socket, tmp_path: Path) -> None:
    service, host = Service(notifier(tmp_path), began=0.0), kiosk(alive=False)
    words = []
    for at in range(40):
        service.turn(float(at), host)
        words += heard(manager)
    assert [word for word in words if "stuck" in word] == ["STATUS=stuck: camera: its thread has ended"]


def test_a_new_game_is_asked_anew() -> None:
    loops, old, new = Loops(), Game(), Game()
    old.well = False
    assert loops.stuck(0.0, old, None) == ""
    assert loops.stuck(TABLE_S + 1, old, None).startswith("table")
    assert loops.stuck(TABLE_S + 2, new, None) == ""
    assert loops.stuck(TABLE_S + 2, None, None) == ""


def test_without_a_service_manager_nothing_is_sent_and_nothing_fails(tmp_path: Path) -> None:
    quiet = Notifier({})
    assert not quiet.there
    assert quiet.every is None
    Service(quiet, began=0.0).turn(1.0, kiosk())
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).send(READY="1")


def test_an_abstract_socket_is_reached() -> None:
    name = f"\0stationmaster-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.bind(name)
        Notifier({"NOTIFY_SOCKET": "@" + name[1:]}).send(READY="1")
        assert link.recv(100) == b"READY=1"


@pytest.mark.parametrize(
    ("given", "every"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
    ],
)
def test_how_often_a_sign_of_life_is_due(given: dict[str, str], every: float | None) -> None:
    assert Notifier(given).every == every


def test_who_waits_for_a_screen_is_alive_and_up(manager: socket.socket, tmp_path: Path) -> None:
    service, slept = Service(notifier(tmp_path), began=0.0), list[float]()
    pausing(service, slept.append)(12.0)
    assert slept == [5.0, 5.0, 2.0]
    assert len([word for word in heard(manager) if "WATCHDOG=1" in word and "READY=1" in word]) == 3


def test_the_kiosk_writes_how_it_is(tmp_path: Path) -> None:
    place = tmp_path / "pulse.json"
    service, host = Service(Notifier({}), began=0.0, pulse=place, version="1.2.3"), kiosk(Game())
    host.pictures.turn(5.0, host.eyes)
    service.turn(5.0, host)
    pulse = msgspec.json.decode(place.read_bytes(), type=Pulse)
    assert (pulse.version, pulse.playing, pulse.camera, pulse.picture_age_s) == (
        "1.2.3",
        True,
        "running",
        2.0,
    )
    assert pulse.memory_mb > 1
    assert pulse.pictures_s is None
    assert service.started_s is None
    host.eyes.pictures = (29, 14.5)
    host.pictures.turn(15.0, host.eyes)
    service.turn(15.0, host)
    pulse = msgspec.json.decode(place.read_bytes(), type=Pulse)
    assert (pulse.pictures_s, pulse.picture_age_s) == (2.0, 0.5)
    assert service.started_s == pulse.started_s == 15.0
    Service(Notifier({}), began=0.0, pulse=tmp_path / "no" / "pulse.json").turn(5.0, kiosk())


def test_the_start_counts_from_the_start_of_the_process(tmp_path: Path) -> None:
    assert 0 < process_age() < 24 * 3600
    ticks = 100 * os.sysconf("SC_CLK_TCK")
    (tmp_path / "stat").write_text(f"1 (a ) b) S {' '.join('0' * 18)} {ticks} 0 0\n")
    (tmp_path / "uptime").write_text("130.5 1.0\n")
    assert process_age(tmp_path / "stat", tmp_path / "uptime") == 30.5
    assert process_age(tmp_path / "none", tmp_path / "uptime") == 0.0
