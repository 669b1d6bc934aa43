"""Long looks at the screen: whether memory grows, anything is cut, and a whole game gets to its end.

`python -m tests.ui.kiosk.soak` draws 2,000 frames of 100,000 views, which a running table publishes, and the
pages of three whole games. Then four play a whole game of Railway Boom with fingers, buttons and pieces that
are laid; every page is drawn, and all pieces are read from pictures of a simulated table. Ends with status 1
when memory has grown by more than a twentieth, or something is cut.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from assistant.messages import Saw
from assistant.reading import Spot
from assistant.table import TableView
from tests.ui.kiosk.conftest import Screen, opened
from tests.ui.kiosk.test_drawn import LONG_NAMES, cut_in_a_whole_game
from tests.ui.kiosk.test_whole_game import Evening, play
from ui.bench.ui import growth_mb, rss_mb
from ui.demo.people import People
from ui.kiosk.simulated import SIZE, TILT_DEG
from ui.kiosk.staging import Recorder
from vision.cameras.simulated import SimulatedCamera
from vision.changes import Eye
from vision.geometry import MatGeometry
from vision.simulator import SimulatedTable, View

VIEWS, FRAMES = 100_000, 2_000
SHARE = 0.05
ALL = 99
"""More rounds than a game has."""
PICTURES = 4
"""Pictures that a look takes at most until the table is found at rest."""


class Looked(Recorder):
    """A game whose table is looked at: what the camera sees is read from pictures."""

    def __init__(self, title: str, players: int, seed: str) -> None:
        super().__init__(title, players, seed)
        assert self.mat is not None
        lies = SimulatedTable(self.mat, View(*SIZE, tilt_deg=TILT_DEG))
        self.people = People(self.mat, lies)
        self.camera = SimulatedCamera(lies.picture, self._now)
        self.eye = Eye(MatGeometry.from_mat(self.mat), [p.payload for p in self.mat.pieces], quiet_s=1.0)
        self.pictures = 0
        self._recorded = self.view.seq

    def see(self, added: tuple[Spot, ...] = (), hidden: tuple[str, ...] = ()) -> TableView:
        """Lay what is recorded and these pieces besides; the camera looks until the table is at rest."""
        assert not hidden, "hands are no part of this"
        self.watched = True
        if self.view.seq != self._recorded:
            self._recorded = self.view.seq
            self.eye.accepted()
        self.people.arrange(self.game.scene(self.referee.state))
        self.people.add(added)
        for _ in range(PICTURES):
            self.clock += 1.0
            self.pictures += 1
            if self.eye.see(self.camera.frame()) is not None:
                break
        self.table.handle(Saw(self.eye.watcher.now(self.clock), self.clock))
        return self.view


def memory() -> bool:
    """Whether memory is flat over the views."""
    start, cpu = time.monotonic(), time.process_time()
    before, grown, views = growth_mb(VIEWS, FRAMES)
    print(
        f"{views} views in {FRAMES} frames: {before:.0f} MB before, {before + grown:.0f} MB after "
        f"({grown:+.1f} MB), {time.process_time() - cpu:.0f} s of CPU in {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return grown <= before * SHARE


def whole_game(screen: Any) -> None:
    """Four play to the final score. AssertionError when they get stuck or the score is a wrong one."""
    start, cpu = time.monotonic(), time.process_time()
    game = Looked("railway_boom", 4, "soak")
    evening = Evening(screen, "soak", game)
    game.see()
    before = rss_mb()
    actions = play(evening, rounds_drawn=ALL)
    final, sheet = evening.look(), game.view.sheet
    assert final.id.startswith("final"), final.id
    assert sheet is not None
    assert not sheet.check(game.game.totals(game.referee.state))
    scores = ", ".join(f"{seat} {total}" for seat, total in game.game.totals(game.referee.state).items())
    print(
        f"a whole game: {actions} actions by {evening.touches} touches, {evening.presses} presses and "
        f"{evening.seen} pieces laid; {evening.frames} frames drawn, {game.pictures} pictures read; "
        f"{scores}; {before:.0f} MB before, {rss_mb():.0f} MB after, "
        f"{time.process_time() - cpu:.0f} s of CPU in {time.monotonic() - start:.0f} s",
        flush=True,
    )


def nothing_cut() -> bool:
    """Whether everything stands whole on every page of four-player games, with long names and plain ones."""
    cut = 0
    for size, language, names in (
        ((800, 480), "de", LONG_NAMES),
        ((1024, 600), "en", None),
        ((1024, 600), "de", LONG_NAMES),
    ):
        looked, faults = cut_in_a_whole_game(size, language, 4, names)
        cut += len(faults)
        told = "".join(f"\n  {fault}" for fault in faults)
        print(
            f"{looked} pages at {size[0]}x{size[1]}, {language}: {len(faults)} things cut{told}", flush=True
        )
    return not cut


def main() -> int:
    """0 when memory is flat, nothing is cut and the game came to its end."""
    flat = memory()
    with opened(), tempfile.TemporaryDirectory(prefix="stationmaster-") as aside:
        fits = nothing_cut()
        whole_game(Screen(Path(aside)))
    return int(not (flat and fits))


if __name__ == "__main__":
    sys.exit(main())
