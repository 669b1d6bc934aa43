"""The screen's settings: whole or as they were, whatever the power does."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.kiosk.store import Settings, Store


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


def test_nothing_there_is_nothing_wrong(tmp_path: Path) -> None:
    assert Store(tmp_path / "s.json").load() == Store(tmp_path / "other.json").load()


def test_damaged_without_a_copy_says_so(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_bytes(b"{")
    loaded = Store(file).load()
    assert loaded.content is None
    assert "None" not in " ".join(loaded.notices)
    assert len(loaded.notices) == 3
