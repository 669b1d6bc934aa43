"""A simulated table through the real reader in the real camera process, at the kiosk."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from assistant.game import find_title
from assistant.layout import Placement, Scene
from ui.kiosk.config import Config
from ui.kiosk.eyes import Eyes
from ui.kiosk.host import Host
from ui.kiosk.simulated import Desk
from ui.presenters.elements import intents
from ui.presenters.intents import Ask, Go
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from vision.cameras.files import load_picture
from vision.worker import BadPicture

SEATS = {"A": "Mira", "B": "Jonas"}


def until(there: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + 90
    while not there():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def checked(eyes: Eyes) -> bool:
    return eyes.readiness is not None and not eyes.readiness.running


def test_a_table_is_read_checked_and_shown(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    host = Host(
        Config(games=tmp_path / "games"),
        metrics(1024, 600),
        camera=desk.camera,
        follow=desk.follow,
        before_watching=desk.prepare,
    )
    try:
        title = find_title("railway_boom")
        mat = title.open(title.load_pack(title.default_pack), 2).mat()
        rail = next(piece for piece in mat.pieces if (piece.what, piece.seat) == ("rail", "B"))
        space = next(space for space in mat.spaces if any(slot.id == "B" for slot in space.slots))
        desk.prepare(mat)
        desk.lay(Scene((Placement(rail.payload, space.id, "B"),)))
        values = {"title": "railway_boom", "seats": SEATS}
        host.do(Ask("read_mat", values))
        assert host.said == "The camera looks. Try again in a few seconds."
        eyes = host.eyes
        assert eyes is not None
        until(lambda: eyes.seen is not None and eyes.seen.sightings, "the token is seen")
        host.do(Ask("read_mat", values))
        assert host.nav.values["seen"] == {"B": {"rails": [space.id]}}
        assert host.said == "The camera reads 1 token."

        until(lambda: host.frame() is not None, "there is a preview")
        frame = host.frame()
        assert frame is not None
        pixels, (width, height) = frame
        assert len(pixels) == width * height * 3
        # The picture ends where the mat ends.
        assert abs(width / height - mat.width_mm / mat.height_mm) < 0.1

        # Nobody asks for the check: it is made because its page is shown.
        host.do(Go("readiness", {"begin": values}))
        until(lambda: host.page(host.clock()).id == "readiness" and checked(eyes), "the table is checked")
        found = host.shown(host.clock()).house.readiness
        assert found.fault == ""
        assert found.named("mat").light == "green"
        host.do(Ask("camera", {"on": False}))
        assert host.eyes is None
        assert host.shown(host.clock()).house.camera.health == "off"
    finally:
        host.close()


def test_staff_saves_the_mats_part_of_a_picture_that_could_not_be_read(tmp_path: Path) -> None:
    host = Host(Config(games=tmp_path / "games"), metrics(1024, 600))
    try:
        bad = BadPicture(7, "the decoder died", 0.0, np.full((4, 8), 107, np.uint8))
        eyes: Any = SimpleNamespace(
            bad=bad, status=None, running=False, alive=True, readiness=None, pictures=(1, 0.0)
        )
        eyes.close = lambda **_: None
        host.eyes = eyes
        host.do(Ask("save_picture"))
        assert host.said == "This is for staff."
        host.staff_until = host.clock() + 60
        host.nav = Nav("staff")
        page = host.page(host.clock())
        host.do(intents(page)["save_picture"])
        (file,) = (tmp_path / "games" / "exports").iterdir()
        assert host.said == f"Saved as {file}"
        assert (load_picture(file) == 107).all()
        eyes.bad = None
        assert "save_picture" not in intents(host.page(host.clock()))
        host.do(Ask("save_picture"))
        assert host.said == "There is no such picture any more."
    finally:
        host.close()
