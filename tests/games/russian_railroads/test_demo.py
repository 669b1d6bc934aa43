"""A round of Russian Railroads refereed from pictures: what is laid is read, and slips are caught."""

from __future__ import annotations

import json
import re
from pathlib import Path

from assistant.journal import import_memory
from assistant.referee import replay
from tests.demos import quick_demos
from ui.cli import main


def test_a_round_is_refereed_from_pictures(tmp_path: Path) -> None:
    words = ("--game", "russian_railroads", "--players", "2", "--rounds", "1", "--headless", "--quiet")
    with quick_demos():
        assert main(["demo", *words, "--out", str(tmp_path)]) == 0
    caught = [path.stem.split("-", 2)[2] for path in sorted(tmp_path.glob("caught-*.png"))]
    assert caught[:6] == ["hand", "wrong_seat", "hex_full", "not_now", "unknown_tag", "moved"]
    assert set(caught[6:]) >= {"wrong_count", "not_a_space"}
    transcript = (tmp_path / "transcript.txt").read_text(encoding="utf-8")
    assert transcript.count("settled: table and record agree again") == len(caught)
    assert "…" not in transcript
    # Places are called as on the mat, not by their ids.
    assert re.findall(r"(?<!RR-)\b(?:TRK|LOC|IND|AUX|ENG|ORD|SB)-\w+", transcript) == []
    assert "Anna uses “Hired engineers No. " in transcript
    for text in ("seen and recorded: the table lays out the engineers", "the camera sees: Anna uses"):
        assert text in transcript
    for rule in ("RR-TURN-1", "RR-SPACE-2", "RR-PAY-3", "RR-P-6"):
        assert f"[{rule}]" in transcript
    export = (tmp_path / "export.json").read_text(encoding="utf-8")
    kinds = {row["entry"]["body"]["action"]["do"] for row in json.loads(export)["entries"]}
    assert kinds >= {"engineers", "order", "take_start", "use", "step", "pass"}
    assert [entry.differs for entry in replay(import_memory(export)) if entry.differs] == []
