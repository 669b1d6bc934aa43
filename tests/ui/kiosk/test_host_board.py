"""Somebody's own board, taught by its spaces, at the kiosk: from its picture to a move in the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from assistant.games.russian_railroads.actions import Use
from assistant.layout import Mat
from assistant.messages import Command
from assistant.reading import Proposal
from tests.games.russian_railroads.looks import at, opened
from tests.vision.zoned import ZonedTop
from ui.kiosk.config import CameraConfig, Config
from ui.kiosk.host import Host
from ui.kiosk.session import Session
from ui.kiosk.store import Pledge
from ui.presenters.metrics import metrics
from vision.simulator import View
from vision.taught import file_name
from vision.zones import teach_zones

VIEW = View(width=1920, height=1080, height_mm=372.0, tilt_deg=4.0, towards_deg=60.0)
NAMES = {"A": "Mira", "B": "Jonas", "C": "Lena"}


def until(there: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + 90
    while not there():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture
def mat() -> Mat:
    return opened(3).printed


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    folder = tmp_path / "games" / "boards"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def host(tmp_path: Path, boards: Path) -> Iterator[Host]:
    camera = CameraConfig(name=f"image:{tmp_path / 'played.png'}", boards=boards)
    host = Host(Config(games=tmp_path / "games", camera=camera), metrics(1024, 600))
    yield host
    host.close()


def test_a_worker_laid_on_ones_own_board_becomes_a_move(
    tmp_path: Path, mat: Mat, boards: Path, host: Host
) -> None:
    top = ZonedTop(mat, tuple(space.id for space in mat.spaces if not space.optional))
    empty = top.seen(VIEW)
    board = teach_zones(mat, [empty.picture], empty.zones(four=("TRK-BOTTOM",)), marker_mm=20.0)
    (boards / file_name(mat)).write_bytes(board.document)
    worker = next(piece.payload for piece in mat.pieces if (piece.what, piece.seat) == ("worker", "A"))
    played = top.seen(VIEW, [top.place(worker, "IND-1")]).picture
    assert cv2.imwrite(str(tmp_path / "played.png"), played)

    game = opened(3)
    given = game.to_position(at(game, {}))
    file = tmp_path / "games" / "evening.game"
    session = Session.begin(file, game, NAMES, Pledge(), given=given, **host.more())
    host.play(session)
    assert host.said == ""
    use = Use("A", "IND-1", workers=1)
    until(lambda: session.view.eyes == "proposal", "the worker is seen")
    # Engineers, the order and the piles are recorded, and nothing is said of their not being seen.
    assert session.view.reading == Proposal((use,))
    session.post(Command("accept", "A", {}, host.clock()))
    until(lambda: any(entry.action == use for entry in session.view.history), "the move is recorded")


def test_a_board_that_cannot_be_used_is_told(mat: Mat, boards: Path, host: Host) -> None:
    (boards / file_name(mat)).write_text("{}", encoding="utf-8")
    host.watch(mat)
    assert host.said.startswith("Your own board cannot be used, and the printed mat is looked for:")
    assert file_name(mat) in host.said
    assert host.eyes is not None
