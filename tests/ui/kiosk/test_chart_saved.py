"""The chart that people keep: a picture, and the points behind it as a table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.ui.presenters.colour_vision import rgb
from ui.kiosk.chart_picture import picture
from ui.kiosk.config import Config
from ui.kiosk.host import Host
from ui.presenters.elements import Chart, Curve
from ui.presenters.intents import Ask
from ui.presenters.metrics import metrics
from ui.presenters.theme import SEATS

LONG = "Maximiliana-Theodora von Hohenstein-Lang"
NAMES = {"A": "Mira", "B": "Jonas", "C": LONG, "D": "[b]Bo[/b]"}


def seats_in(png: bytes) -> set[str]:
    """Seats whose colour is in a picture."""
    data = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert data is not None
    assert data.shape == (800, 1280, 3)
    pixels = data[:, :, ::-1].reshape(-1, 3) / 255
    return {
        seat
        for seat, look in SEATS.items()
        if (np.abs(pixels - rgb(look.colour)).max(axis=1) < 0.02).sum() > 300
    }


def test_every_seat_is_in_the_picture() -> None:
    curves = tuple(
        Curve(seat, name, (0, place, 3.0 * place))
        for place, (seat, name) in enumerate(NAMES.items(), start=1)
    )
    assert seats_in(picture(Chart(labels=("1", "2", "end"), curves=curves))) == set("ABCD")
    assert seats_in(picture(Chart(labels=("1",), curves=curves[:1]))) == {"A"}


def test_the_table_has_the_points_of_each_seat_by_round(tmp_path: Path) -> None:
    host = Host(Config(games=tmp_path / "games"), metrics(1024, 600))
    try:
        with pytest.raises(AssertionError):
            saved(host, tmp_path)
        position = {"round": 4, "phase": "operation", "step": "turn", "seats.A.vp": 41, "seats.B.vp": 38}
        host.do(Ask("score_position", {"title": "railway_boom", "seats": NAMES, "position": position}))
        table, png = saved(host, tmp_path)
        assert host.session is not None
        sheet = host.session.view.sheet
        assert sheet is not None
        points = ",".join(str(sheet.total(seat)) for seat in NAMES)
        assert table == f",Mira,Jonas,{LONG},[b]Bo[/b]\nend,{points}\n"
        assert seats_in(png) == set(NAMES)
    finally:
        host.close()


def saved(host: Host, folder: Path) -> tuple[str, bytes]:
    """The table and the picture, once they are asked for."""
    host.do(Ask("save_chart"))
    tables, pictures = ([*folder.rglob(f"*-chart.{ending}")] for ending in ("csv", "png"))
    assert (len(tables), len(pictures)) == (1, 1), host.said
    return tables[0].read_text(encoding="utf-8"), pictures[0].read_bytes()
