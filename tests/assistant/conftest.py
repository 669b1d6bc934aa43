from __future__ import annotations

import pytest

from tests.toys.shelf import SHELF


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy games can be found by name."""
    monkeypatch.setenv("STATIONMASTER_GAMES", SHELF)
