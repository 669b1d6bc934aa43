from __future__ import annotations

import pytest

from tests.toys.shelf import SHELF


@pytest.fixture(autouse=True)
def _toys_are_on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_GAMES", SHELF)
