"""The screen's settings: whole or as they were, whatever the power does."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from ui.kiosk.store import PinRecord, Settings, Store


def test_what_is_saved_is_there_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.json")
    store.save(Settings(name="Table 9", idle_minutes=12))
    loaded = Store(tmp_path / "s.json").load()
    assert loaded.content == Settings(name="Table 9", idle_minutes=12)
    assert loaded.notices == ()


@pytest.mark.parametrize("keep", [0, 1, 20])
def test_a_file_cut_off_anywhere_costs_only_the_last_change(tmp_path: Path, keep: int) -> None:
    file = tmp_path / "s.json"
    store = Store(file)
    store.save(Settings(name="one"))
    store.save(Settings(name="two"))
    file.write_bytes(file.read_bytes()[:keep])
    loaded = Store(file).load()
    assert loaded.content == Settings(name="one")
    assert "is damaged" in loaded.notices[0]
    assert (tmp_path / "s.json.damaged-1").stat().st_size == keep
    # The good copy is back in its place: it is not told again.
    assert Store(file).load().notices == ()


def test_a_forgotten_pin_is_taken_away_as_the_manual_says(tmp_path: Path) -> None:
    file = tmp_path / "kiosk-settings.json"
    store = Store(file)
    store.save(Settings(name="Table 9"))
    store.save(Settings(name="Table 9", pin=PinRecord("$argon2id$v=19$m=65536,t=3,p=4$c2Fs/dA$aGF+c2g", 3)))
    manual = (Path(__file__).parents[3] / "docs" / "evenings.md").read_text()
    command = next(line for line in manual.splitlines() if line.startswith("    sudo sed -i"))
    words = shlex.split(command.replace("/var/lib/stationmaster", str(tmp_path)))
    subprocess.run(words[1:], check=True)
    loaded = Store(file).load()
    assert loaded.content is not None
    assert (loaded.notices, loaded.content.name, loaded.content.pin.hash) == ((), "Table 9", "")


def test_nothing_there_is_nothing_wrong(tmp_path: Path) -> None:
    assert Store(tmp_path / "s.json").load() == Store(tmp_path / "other.json").load()


def test_damaged_without_a_copy_says_so(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_bytes(b"{")
    loaded = Store(file).load()
    assert loaded.content is None
    assert "None" not in " ".join(loaded.notices)
    assert len(loaded.notices) == 3
