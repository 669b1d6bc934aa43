"""The frames that reading is measured on, and how sure a share is."""

import numpy as np
import pytest

from ui.bench.frames import KINDS, render, roster
from ui.bench.vision import wilson
from vision.reader import Reader


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(0, 0, 0.0, 100.0), (0, 10, 0.0, 27.75), (10, 10, 72.25, 100.0), (959, 960, 99.41, 99.98)],
)
def test_the_interval_of_a_share(hits: int, count: int, low: float, high: float) -> None:
    assert wilson(hits, count) == pytest.approx((low, high), abs=0.01)


def test_a_frame_is_what_it_says() -> None:
    frame = render(KINDS["medium"], 3)
    assert frame.picture.shape == (2592, 4608)
    assert np.array_equal(frame.picture, render(KINDS["medium"], 3).picture)
    known = roster(frame.tokens, 3)
    assert len(known) == 1000
    read = {s.payload: s for s in Reader(frame.geometry(camera=False), known).read(frame.picture).sightings}
    truth = {token.payload: token for token in frame.tokens}
    assert {token.payload for token in frame.clean} <= read.keys() <= truth.keys()
    for payload, sighting in read.items():
        token = truth[payload]
        assert sighting.hex == token.cell
        assert np.hypot(sighting.x_mm - token.x_mm, sighting.y_mm - token.y_mm) < 1
