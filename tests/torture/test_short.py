"""The campaign in short: every kind of fault a few times, so that a change that loses something is
noticed."""

from __future__ import annotations

import pytest

from tests.torture.campaign import TRIALS, run

SHARES = {
    "kills": 0.004,
    "blocks": 0.03,
    "malformed": 0.03,
    "disk full": 0.01,
    "power cuts": 0.02,
    "lost writes": 0.0125,
}
LONG = {"camera", "fuzz"}
"""`make soak` and `make fuzz` run these."""


@pytest.mark.parametrize("name", [name for name in TRIALS if name not in LONG])
def test_nothing_acknowledged_is_lost(name: str) -> None:
    figure = run(name, SHARES.get(name, 0.02), seed=0)
    if figure.skipped:
        pytest.skip(figure.skipped)
    assert figure.faults == ()
    assert figure.injected > 0
