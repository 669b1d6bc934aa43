"""A backup is whole, can be made while a game is played, and comes back without writing over anything."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.journal import Journal, MemoryJournal, export_text, import_text, read
from tests.deploy.conftest import Began, Call, entry
from ui.backup import (
    BadBackup,
    Deed,
    InUse,
    back_up,
    free_place,
    opened,
    restore,
    thin_out,
)

LOGS = ("-wal", "-shm")


def longer(path: Path) -> None:
    """The game goes on by one entry."""
    with Journal.open(path) as journal:
        journal.append([entry("later")])


def state(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def test_a_game_that_is_played_is_backed_up_as_recorded_and_goes_on(
    games: Path, began: Began, tmp_path: Path
) -> None:
    journal = began()
    at = journal.last_seq
    made = back_up(tmp_path / "b.zip", games)
    journal.append([entry("after")])
    assert (made.games, made.damaged) == (1, ())
    fresh = tmp_path / "fresh"
    assert [deed.what for deed in restore(made.place, fresh)] == ["restored"]
    assert read(fresh / "auction-0001.game").last_seq == at
    with Journal.open(fresh / "auction-0001.game") as again:
        again.append([entry("goes on")])
    assert journal.last_seq == at + 1
    journal.close()


def test_everything_comes_back_on_a_fresh_card(games: Path, began: Began, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        began(f"auction-000{number}", seed=number).close()
    (games / "kiosk-settings.json").write_text('{"version": 1}')
    for own in ("packs/own.toml", "boards/railway_boom-inland_sea-01.json"):
        (games / own).parent.mkdir()
        (games / own).write_text(own)
    config = tmp_path / "etc" / "config.toml"
    config.parent.mkdir()
    config.write_text('name = "Table 4"\n')
    (config.parent / "camera.toml").write_text("a = 1\n")
    back_up(tmp_path / "b.zip", games, config=config)
    fresh, etc = tmp_path / "fresh", tmp_path / "etc2"
    etc.mkdir()
    done = restore(tmp_path / "b.zip", fresh, config=etc / "config.toml")
    assert {deed.what for deed in done} == {"restored"}
    for number in (1, 2, 3):
        name = f"auction-000{number}.game"
        assert export_text(fresh / name) == export_text(games / name)
    assert (fresh / "kiosk-settings.json").read_bytes() == (games / "kiosk-settings.json").read_bytes()
    for own in ("packs/own.toml", "boards/railway_boom-inland_sea-01.json"):
        assert (fresh / own).read_text() == own
    assert (etc / "config.toml").read_text() == config.read_text()
    assert (etc / "camera.toml").is_file()


def test_restoring_twice_changes_nothing_more(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    back_up(tmp_path / "b.zip", games)
    began("auction-0002", seed=2).close()
    shutil.move(games / "auction-0002.game", games / "auction-0001.game")
    restore(tmp_path / "b.zip", games)
    once = state(games)
    assert [deed.what for deed in restore(tmp_path / "b.zip", games)] == ["there"]
    assert state(games) == once


def test_a_game_that_has_gone_on_stays(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    back_up(tmp_path / "b.zip", games)
    longer(games / "auction-0001.game")
    before = state(games)
    assert restore(tmp_path / "b.zip", games) == [Deed("auction-0001.game", "there", "auction-0001.game")]
    assert state(games) == before


def test_a_shorter_game_is_moved_aside(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    shutil.copytree(games, tmp_path / "older")
    longer(games / "auction-0001.game")
    back_up(tmp_path / "b.zip", games)
    (deed,) = restore(tmp_path / "b.zip", tmp_path / "older")
    assert (deed.what, deed.aside) == ("replaced", "auction-0001.game.before-1")
    new, old = (read(tmp_path / "older" / name) for name in ("auction-0001.game", deed.aside))
    assert new.last_seq == old.last_seq + 1


def test_another_game_of_the_same_name_keeps_it(games: Path, began: Began, tmp_path: Path) -> None:
    began(seed=1).close()
    back_up(tmp_path / "b.zip", games)
    other = tmp_path / "other"
    other.mkdir()
    began(seed=2, folder=other).close()
    before = export_text(other / "auction-0001.game")
    (deed,) = restore(tmp_path / "b.zip", other)
    assert (deed.what, deed.to) == ("renamed", "auction-0001-restored-1.game")
    assert export_text(other / "auction-0001.game") == before
    assert export_text(other / deed.to) == export_text(games / "auction-0001.game")
    assert [one.what for one in restore(tmp_path / "b.zip", other)] == ["there"]


def test_a_damaged_game_is_moved_aside_with_its_log(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    back_up(tmp_path / "b.zip", games)
    path = games / "auction-0001.game"
    path.write_bytes(path.read_bytes()[:5000])
    (games / "auction-0001.game-wal").write_bytes(b"rest")
    (deed,) = restore(tmp_path / "b.zip", games)
    assert (deed.what, deed.aside) == ("replaced", "auction-0001.game.before-1")
    assert (games / "auction-0001.game.before-1-wal").read_bytes() == b"rest"
    assert not (games / "auction-0001.game-wal").exists()
    assert read(path).last_seq


@pytest.mark.parametrize("left", ["-wal", "-shm", "-journal"])
def test_a_log_without_its_game_is_not_mixed_into_the_restored_one(
    left: str, games: Path, began: Began, tmp_path: Path
) -> None:
    journal = began()
    log = (games / "auction-0001.game-wal").read_bytes()
    journal.close()
    back_up(tmp_path / "b.zip", games)
    truth = export_text(games / "auction-0001.game")
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / f"auction-0001.game{left}").write_bytes(log or b"x")
    restore(tmp_path / "b.zip", fresh)
    assert export_text(fresh / "auction-0001.game") == truth
    assert (fresh / f"auction-0001.game{left}.before-1").is_file()


def killed(games: Path, journal: Journal, to: Path) -> Path:
    """The files of a game as they lie when its process is killed, and a stale index beside."""
    to.mkdir()
    for file in games.glob(f"{journal.path.name}*"):
        if file.suffix != ".lock":
            shutil.copy(file, to)
    (to / f"{journal.path.name}-shm").write_bytes(b"\xff" * 32768)
    return to / journal.path.name


def test_a_shorter_game_that_was_killed_is_moved_aside_with_all_that_lies_beside_it(
    games: Path, began: Began, tmp_path: Path
) -> None:
    journal = began()
    path = killed(games, journal, tmp_path / "card")
    at = journal.last_seq
    journal.append([entry("later")])
    journal.close()
    back_up(tmp_path / "b.zip", games)
    (deed,) = restore(tmp_path / "b.zip", path.parent)
    assert (deed.what, deed.aside) == ("replaced", "auction-0001.game.before-1")
    with Journal.open(path) as again:
        assert again.last_seq == at + 1
        again.append([entry("goes on")])
    assert not path.with_name(f"{path.name}-shm").exists()
    aside = path.with_name(deed.aside)
    assert read(aside).last_seq == at
    assert aside.with_name(f"{aside.name}-wal").stat().st_size
    assert aside.with_name(f"{aside.name}-shm").stat().st_size == 32768


def test_a_game_whose_newest_entries_are_in_its_log_alone_stays(
    games: Path, began: Began, tmp_path: Path
) -> None:
    journal = began()
    back_up(tmp_path / "b.zip", games)
    journal.append([entry("later")])
    path = killed(games, journal, tmp_path / "card")
    journal.close()
    before = state(path.parent)
    assert [deed.what for deed in restore(tmp_path / "b.zip", path.parent)] == ["there"]
    assert state(path.parent) == before
    with Journal.open(path) as again:
        assert again.last_seq == journal.last_seq


def test_a_restore_that_is_cut_off_anywhere_goes_on_when_called_again(
    games: Path, began: Began, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = began()
    killed(games, journal, tmp_path / "card")
    journal.append([entry("later")])
    journal.close()
    began("auction-0002", seed=2).close()
    truth = {file.name: export_text(file) for file in games.glob("*.game")}
    back_up(tmp_path / "b.zip", games)
    steps = 0

    class Cut(BaseException):
        pass

    def counted(call: Callable[..., object]) -> Callable[..., object]:
        def calling(*args: Any, **how: Any) -> object:
            nonlocal steps
            steps -= 1
            if steps == 0:
                raise Cut
            return call(*args, **how)

        return calling

    for cut in range(1, 40):
        card = tmp_path / f"card-{cut}"
        shutil.copytree(tmp_path / "card", card)
        steps = cut
        with monkeypatch.context() as patched:
            for name in ("rename", "replace", "fsync", "open"):
                patched.setattr(os, name, counted(getattr(os, name)))
            try:
                restore(tmp_path / "b.zip", card)
                break
            except Cut:
                pass
        restore(tmp_path / "b.zip", card)
        assert {file.name: export_text(file) for file in card.glob("*.game")} == truth
        kept = [file for file in card.glob("auction-0001.game.before-*") if not file.name.endswith(LOGS)]
        assert [read(file).last_seq for file in kept] == [journal.last_seq - 1]
    assert 5 < cut < 39


def test_a_damaged_log_is_told_where_sqlite_itself_would_give_a_shorter_game(
    games: Path, began: Began, tmp_path: Path
) -> None:
    """Why a backup is not made by SQLite's own recovery and backup interface (docs/decisions/0010)."""
    journal = began(actions=30)
    path = killed(games, journal, tmp_path / "card")
    journal.close()
    log = path.with_name(f"{path.name}-wal")
    damaged = bytearray(log.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    log.write_bytes(damaged)
    made = back_up(tmp_path / "b.zip", path.parent)
    assert (made.games, [name for name, _ in made.damaged]) == (0, [path.name])
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        source.backup(copy)
        assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (entries,) = copy.execute("SELECT count(*) FROM entry").fetchone()
        assert copy.execute("SELECT seq FROM head").fetchone() == (entries,)
    assert entries < journal.last_seq


def test_damaged_files_are_backed_up_as_they_are(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    began("auction-0002").close()
    bad = games / "auction-0002.game"
    bad.write_bytes(bad.read_bytes()[:4096])
    made = back_up(tmp_path / "b.zip", games)
    assert made.games == 1
    assert [name for name, _ in made.damaged] == ["auction-0002.game"]
    fresh = tmp_path / "fresh"
    restore(made.place, fresh)
    assert (fresh / "damaged" / "auction-0002.game").read_bytes() == bad.read_bytes()


def test_nothing_is_brought_in_while_a_kiosk_uses_the_folder(
    games: Path, began: Began, tmp_path: Path
) -> None:
    began().close()
    back_up(tmp_path / "b.zip", games)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    lock = os.open(fresh / ".kiosk.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        with pytest.raises(InUse, match="systemctl stop"):
            restore(tmp_path / "b.zip", fresh)
    finally:
        os.close(lock)
    assert state(fresh) == {}


@pytest.fixture(scope="module")
def a_backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("one")
    from assistant.game import find_title
    from assistant.referee import Referee, header_for
    from tests.deploy.conftest import NAMES

    title = find_title("auction")
    game = title.open(title.load_pack(title.default_pack), 2)
    (folder / "games").mkdir()
    with Journal.create(folder / "games" / "auction-0001.game", header_for(game, NAMES)) as journal:
        Referee.new(game, journal)
    return back_up(folder / "b.zip", folder / "games").place.read_bytes()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_backup_is_refused_or_gives_the_same_games(
    a_backup: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    """Bits flip, blocks are zeroed, the end is missing: nothing but the truth is ever placed."""
    damaged = bytearray(a_backup)
    how = data.draw(st.sampled_from(["bit", "zeros", "cut"]))
    at = data.draw(st.integers(0, len(damaged) - 1))
    if how == "bit":
        damaged[at] ^= 1 << data.draw(st.integers(0, 7))
    elif how == "zeros":
        damaged[at : at + 512] = bytes(len(damaged[at : at + 512]))
    else:
        del damaged[at:]
    (tmp_path / "damaged.zip").write_bytes(damaged)
    (tmp_path / "whole.zip").write_bytes(a_backup)
    fresh = tmp_path / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        restore(tmp_path / "damaged.zip", fresh)
    except BadBackup:
        assert not fresh.exists() or state(fresh) == {}
        return
    with zipfile.ZipFile(tmp_path / "whole.zip") as pack:
        assert (fresh / "auction-0001.game").read_bytes() == pack.read("games/auction-0001.game")


@pytest.mark.parametrize("where", ["manifest.json", "games/auction-0001.game"])
def test_a_part_that_is_packed_in_another_way_is_refused(
    where: str, games: Path, began: Began, tmp_path: Path
) -> None:
    """Found by the fuzzer: LZMA with options that it does not know was a crash."""
    began().close()
    back_up(tmp_path / "b.zip", games)
    damaged = bytearray((tmp_path / "b.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "b.zip") as pack:
        number = pack.namelist().index(where)
    at = -1
    for _ in range(number + 1):
        at = damaged.index(b"PK\x01\x02", at + 1)
    damaged[at + 10] = zipfile.ZIP_LZMA
    (tmp_path / "b.zip").write_bytes(damaged)
    with pytest.raises(BadBackup, match="packed in another way"), opened(tmp_path / "b.zip"):
        pass


@pytest.mark.parametrize(
    "name", ["games/../../x.game", "/games/x.game", "games/x.sh", "other/x", "games/.x.game"]
)
def test_no_file_gets_out_of_its_folder(name: str, games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    back_up(tmp_path / "b.zip", games)
    with zipfile.ZipFile(tmp_path / "b.zip") as pack, zipfile.ZipFile(tmp_path / "c.zip", "w") as out:
        for info in pack.infolist():
            data = pack.read(info)
            if info.filename == "manifest.json":
                data = data.replace(b"games/auction-0001.game", name.encode())
            out.writestr(info.filename.replace("games/auction-0001.game", name), data)
    with pytest.raises(BadBackup):
        restore(tmp_path / "c.zip", tmp_path / "in" / "fresh")
    assert [path.name for path in tmp_path.rglob("*x*") if path.suffix in (".game", ".sh")] == []


def test_a_full_disk_leaves_no_half_backup(
    games: Path, began: Began, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began().close()
    (tmp_path / "out").mkdir()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ui.backup.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        back_up(tmp_path / "out" / "b.zip", games)
    assert list((tmp_path / "out").iterdir()) == []


def test_only_the_newest_are_kept(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    for _ in range(12):
        back_up(free_place(tmp_path / "out"), games)
    (tmp_path / "out" / "stationmaster-backup-mine.zip").write_bytes(b"mine")
    assert len(thin_out(tmp_path / "out", 3)) == 9
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [f"stationmaster-backup-00{n}.zip" for n in (10, 11, 12)] + [
        "stationmaster-backup-mine.zip"
    ]
    assert free_place(tmp_path / "out").name == "stationmaster-backup-0013.zip"


def test_the_commands(games: Path, began: Began, call: Call, tmp_path: Path) -> None:
    began().close()
    here = ("--games-dir", games)
    code, _, err = call("backup", tmp_path / "b.zip", *here)
    assert code == 0
    assert "That is the disk of the games" in err
    assert call("backup", tmp_path / "b.zip", *here)[0] == 1
    assert call("backup", *here)[0] == 2
    assert call("backup", "--into", tmp_path / "out", "--keep", 2, *here)[0] == 0
    assert (tmp_path / "out" / "stationmaster-backup-0001.zip").is_file()
    code, _, err = call("restore", tmp_path / "b.zip", "--check")
    assert code == 0
    assert "sound: 1 games" in err
    code, _, err = call("restore", tmp_path / "b.zip", "--games-dir", tmp_path / "fresh")
    assert code == 0
    assert "auction-0001.game: restored" in err
    (tmp_path / "bad.zip").write_bytes((tmp_path / "b.zip").read_bytes()[:900])
    code, _, err = call("restore", tmp_path / "bad.zip", "--games-dir", tmp_path / "fresh2")
    assert code == 1
    assert "Nothing was changed" in err


@pytest.mark.parametrize(
    "words", [("backup", "b.zip"), ("games",), ("export", "--all", "--out", "out"), ("support", "s.zip")]
)
def test_a_folder_that_may_not_be_read_is_not_taken_for_an_empty_one(
    words: tuple[str, ...], games: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = Path.iterdir

    def forbidden(path: Path) -> Iterator[Path]:
        if path == games:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return within(path)

    monkeypatch.chdir(games)
    monkeypatch.setattr(Path, "iterdir", forbidden)
    code, _, err = call(*words, "--games-dir", games)
    assert code == 1
    assert f"{games}: this user may not read it" in err
    monkeypatch.undo()
    assert not [path for path in games.rglob("*") if path.is_file()]


def test_a_configuration_comes_back_where_its_folder_is_gone(
    games: Path, began: Began, call: Call, tmp_path: Path
) -> None:
    began().close()
    (config := tmp_path / "config.toml").write_text('name = "Four"\n')
    assert call("backup", tmp_path / "b.zip", "--config", config, "--games-dir", games)[0] == 0
    to = tmp_path / "new" / "etc" / "config.toml"
    assert call("restore", tmp_path / "b.zip", "--config", to, "--games-dir", tmp_path / "fresh")[0] == 0
    assert to.read_text() == config.read_text()


def test_all_games_are_exported_and_each_can_be_imported(
    games: Path, began: Began, call: Call, tmp_path: Path
) -> None:
    for number in (1, 2):
        began(f"auction-000{number}", seed=number).close()
    bad = games / "auction-0003.game"
    bad.write_bytes(b"")
    code, _, err = call("export", "--all", "--out", tmp_path / "all", "--games-dir", games)
    assert code == 1
    assert "2 of 3 games" in err
    for number in (1, 2):
        text = (tmp_path / "all" / f"auction-000{number}.json").read_text(encoding="utf-8")
        import_text(text, tmp_path / f"{number}.game").close()
        assert (
            read(tmp_path / f"{number}.game").last_seq == read(games / f"auction-000{number}.game").last_seq
        )
    assert call("export", "--all", "--games-dir", games)[0] == 2
    assert call("export", "--games-dir", games)[0] == 2


def test_what_a_backup_holds_is_checked_before_it_is_read(games: Path, began: Began, tmp_path: Path) -> None:
    began().close()
    back_up(tmp_path / "b.zip", games)
    with opened(tmp_path / "b.zip") as (_, manifest):
        (part,) = manifest.files.values()
    there = read(games / "auction-0001.game")
    assert isinstance(there, MemoryJournal)
    assert (part.entries, part.head) == (there.last_seq, there.head)
