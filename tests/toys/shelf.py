"""The toy games, found as a stranger's games are: through STATIONMASTER_GAMES."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from assistant.game import Game, find_title

HERE = Path(__file__).parent
NAMES = ("toy_shunt", "toy_yard")
SHELF = os.pathsep.join(str(HERE / name) for name in ("shunt", "yard"))


@cache
def toy(name: str, seats: int = 2) -> Game[Any]:
    """A toy's rules with its own pack."""
    with mock.patch.dict(os.environ, STATIONMASTER_GAMES=SHELF):
        title = find_title(name)
    return title.open(title.load_pack(title.default_pack), seats)
