"""What a demo leaves behind: score sheet, export, and the final table as seen and as recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.journal import export_text
from ui.demo.show import ALBUM, Show, save_picture
from vision.simulator import Simulator, View

if TYPE_CHECKING:
    from assistant.scores import ScoreSheet

FILES = (
    "game.game",
    "transcript.txt",
    "score-sheet.txt",
    "score-sheet.json",
    "export.json",
    "table-seen.png",
    "table-recorded.png",
)
"""What `write` makes in the output folder, besides a picture of each mistake that was caught."""


def clear(out: Path) -> None:
    """Remove what an earlier demo left in the folder, and nothing else."""
    for name in (*FILES, "game.game-wal", "game.game-shm", "game.game-lock"):
        (out / name).unlink(missing_ok=True)
    for picture in out.glob("caught-*.png"):
        picture.unlink()


def write(show: Show) -> list[Path]:
    """Write everything; gives the paths."""
    out, game, referee = show.out, show.game, show.referee
    state = referee.state
    sheet = referee.sheet()
    wrong = sheet.check(dict(game.totals(state)))
    if wrong:
        raise AssertionError("; ".join(wrong))
    show.transcript.write(out / "transcript.txt")
    (out / "score-sheet.txt").write_text("\n".join(sheet_lines(show, sheet)) + "\n", encoding="utf-8")
    form = {**sheet.to_json(), "names": show.names, "order": [list(p) for p in game.places(state)]}
    (out / "score-sheet.json").write_text(json.dumps(form, indent=1) + "\n", encoding="utf-8")
    export = export_text(referee.journal, finished=game.finished(state))
    (out / "export.json").write_text(export, encoding="utf-8")
    # As the referee's camera sees it, so that it can be read again; grey takes a third of the time.
    save_picture(out / "table-seen.png", show.table.picture())
    flat = View(*ALBUM, noise=0.0, shot=0.0, uneven=0.0, blur_px=0.3)
    recorded = Simulator(show.mat, flat, textures=show.table.simulator.textures)
    save_picture(out / "table-recorded.png", recorded.render(game.scene(state), colour=True))
    referee.journal.close()
    return sorted(path for path in out.iterdir() if path.name in FILES or path.suffix == ".png")


def sheet_lines(show: Show, sheet: ScoreSheet) -> Iterator[str]:
    """The score sheet as text: places, points by source, then every single point."""
    game, names = show.game, show.names
    for place, group in enumerate(game.places(show.referee.state), start=1):
        for seat in group:
            yield f"{place}. {names[seat]} ({seat}): {sheet.total(seat)}"
    for seat in game.seats:
        yield ""
        yield f"{names[seat]} ({seat})"
        for source, amount in sheet.by_source(seat).items():
            yield f"  {amount:5d}  {show.sentences.source(source)}"
        yield f"  {sheet.total(seat):5d}  in all"
    yield ""
    yield "Every point"
    for line in sheet.lines:
        detail = f" {line.detail}" if line.detail else ""
        source = show.sentences.source(line.source)
        yield f"  {names[line.seat]:<8} {line.amount:+4d}  {source}{detail} [{line.rule}]"
