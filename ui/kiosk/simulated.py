"""A table that is only simulated, for a desk without one: its pieces lie as the record says.

The camera named `camera` looks at it through the real reader, in the real camera process. People who touch
the screen have their pieces laid for them; virtual people may lay them first (`lay`).
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, cast

from assistant.layout import Mat, Scene
from assistant.views import TableView
from ui.demo.people import People
from ui.kiosk.session import Session
from vision.cameras.simulated import TableFile
from vision.simulator import View

SIZE = (2304, 1296)
"""Pixels of the simulated camera's pictures: enough to read the tags, a quarter of the real one's work."""
TILT_DEG = 3.0


class _Lain:
    """Where `People` lay their pieces: in the file that the camera looks at."""

    def __init__(self, mat: Mat, file: Path, seed: int) -> None:
        self._mat, self._file, self._seed = mat, file, seed

    def lay(self, scene: Scene) -> None:
        TableFile(self._mat, scene, View(*SIZE, tilt_deg=TILT_DEG), self._seed).write(self._file)


class Desk:
    """The simulated table of one kiosk; `folder` is for the file that the camera looks at."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.file = folder / "table.json"
        self._seed = seed
        self._mat: Mat | None = None
        self._people: People | None = None
        self._seen: tuple[int, int] = (0, -1)
        self._lock = threading.Lock()

    @property
    def camera(self) -> str:
        """The camera's name."""
        return f"simulated:{self.file}"

    def prepare(self, mat: Mat) -> None:
        """Put a mat on the table, with nothing on it."""
        with self._lock:
            if self._mat != mat:
                self._mat = mat
                table = _Lain(mat, self.file, self._seed)
                table.lay(Scene(()))
                self._people = People(mat, cast(Any, table))

    def follow(self, session: Session, view: TableView) -> None:
        """Lay what the record says. On the table's thread."""
        if session.mat is None or self._seen == (id(session), view.seq):
            return
        self._seen = (id(session), view.seq)
        self.prepare(session.mat)
        self.lay(session.game.scene(session.referee.state))

    def lay(self, scene: Scene) -> None:
        """Make the table look like a scene."""
        with self._lock:
            if self._people is not None:
                self._people.arrange(scene)
