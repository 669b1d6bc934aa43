"""A configuration of an older version is read as it is and can be written anew; a newer one is refused."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hardware.debounce import Timing
from hardware.panel import PanelConfig, SeatPins
from ui.kiosk.config import CameraConfig, Config, ConfigFaults, Screen, load, parsed, read
from ui.kiosk.config_versions import REWRITTEN, STEPS, VERSION, Move, migrated, migrated_text, moved, named

ROOT = Path(__file__).parents[3]
SAMPLE = (ROOT / "deploy" / "kiosk.toml").read_text(encoding="utf-8")
KIOSK, PANEL = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("kiosk", "panel"))
FIRST = """\
# Ours since the spring.
name = "Four"  # by the window

[screen]
mm = [154, 86]  # measured

[camera]
copy = "02"  # the second box
name = "folder:p"
"""
"""A file as they were before there were versions."""


def test_a_file_of_before_there_were_versions_is_read_as_it_is(tmp_path: Path) -> None:
    config = parsed(FIRST, tmp_path / "config.toml")
    assert (config.version, config.screen.size_mm, config.box) == (1, (154.0, 86.0), "02")
    assert config.camera.name == "folder:p"


def test_it_says_the_same_in_the_newest_version_and_keeps_its_comments(tmp_path: Path) -> None:
    made = migrated_text(FIRST)
    assert made.kept
    assert (
        made.text
        == """\
# Ours since the spring.
version = 2
name = "Four"  # by the window
box = "02"  # the second box

[screen]
size_mm = [154, 86]  # measured

[camera]
name = "folder:p"
"""
    )
    old, new = (parsed(text, tmp_path / "c.toml") for text in (FIRST, made.text))
    assert msgspec.structs.replace(old, version=VERSION) == new
    assert migrated_text(made.text) == made


@pytest.mark.parametrize(
    "text",
    [
        "screen.mm = [154, 86]\n",
        "[screen]\nmm = [\n  154,\n  86,\n]\n",
        'screen = { mm = [154, 86] }\ncamera = { copy = "02" }\n',
        '[camera]\n"copy" = "02"\n',
        "version = 1\r\n[screen]\r\nmm = [154, 86]\r\n",
        '[camera]\ncopy = "02"',
        'name = """\n[camera]\ncopy = 3\n"""\n[camera]\ncopy = "02"\n',
        "",
    ],
)
def test_whatever_way_it_is_written_the_new_file_says_the_same(text: str, tmp_path: Path) -> None:
    made = migrated_text(text)
    old, new = (parsed(one, tmp_path / "c.toml") for one in (text, made.text))
    assert msgspec.structs.replace(old, version=VERSION) == new
    assert made.kept != made.text.startswith(REWRITTEN)


def test_what_cannot_be_changed_line_by_line_is_written_anew() -> None:
    assert not migrated_text("# ours\nscreen.mm = [154, 86]\n").kept


def test_a_newer_version_is_refused_with_that_alone(tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults) as caught:
        read({"version": VERSION + 1, "nonsense": 3}, tmp_path)
    (fault,) = caught.value.faults
    assert f"version = {VERSION + 1}: this program reads versions 1 to {VERSION}" in fault


@pytest.mark.parametrize("version", [0, -1, "2", 1.0, True])
def test_a_version_that_is_none_is_told_with_all_other_faults(version: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults) as caught:
        read({"version": version, "language": "fr"}, tmp_path)
    assert [fault.partition(" = ")[0] for fault in caught.value.faults] == ["version", "language"]


def test_faults_of_an_older_file_name_what_stands_in_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigFaults) as caught:
        read({"camera": {"copy": "1"}, "screen": {"mm": [1, 2]}}, tmp_path)
    text = "\n".join(caught.value.faults)
    assert "called [camera] copy" in text
    assert "called [screen] mm" in text
    assert len(caught.value.faults) == 2


def test_both_names_at_once_and_an_old_name_in_a_new_file_are_faults(tmp_path: Path) -> None:
    both = {"screen": {"mm": [154, 86], "size_mm": [154, 86]}}
    with pytest.raises(ConfigFaults, match="both are there"):
        read(both, tmp_path)
    with pytest.raises(ConfigFaults, match=r"since version 2 it is \[screen\] size_mm"):
        read({"version": 2, "screen": {"mm": [154, 86]}}, tmp_path)
    with pytest.raises(ConfigFaults, match="since version 2 it is box"):
        read({"version": 2, "camera": {"copy": "01"}}, tmp_path)


CHAIN = (*STEPS, (Move(("box",), ("box", "number")), Move(("screen", "size_mm"), ("display", "size_mm"))))
"""The steps there are and one more, which no file has needed yet."""


def test_steps_are_taken_one_after_the_other_and_change_nothing_in_what_they_are_given() -> None:
    table = tomllib.loads(FIRST)
    found = migrated(table, CHAIN)
    assert found.version == 1
    assert found.table["box"] == {"number": "02"}
    assert found.table["display"] == {"size_mm": [154, 86]}
    assert found.table["screen"] == {}
    assert table == tomllib.loads(FIRST)
    second = migrated({"version": 2, "box": "03"}, CHAIN)
    assert (second.version, second.table) == (2, {"box": {"number": "03"}})
    assert migrated({"version": 4}, CHAIN).faults
    with pytest.raises(KeyError):
        moved({}, Move(("a",), ("b",)))


def test_every_step_leads_to_a_setting_that_there_is_and_away_from_one_that_is_gone() -> None:
    there = set(settings())
    for moves in STEPS:
        for move in moves:
            assert named(move.new) in there
            assert named(move.old) not in there


# ---- the schema, the sample and the documents


def fields(kind: type[Any], where: str = "") -> Iterator[str]:
    for field in msgspec.structs.fields(kind):
        yield f"[{where}] {field.name}" if where else field.name


def settings() -> list[str]:
    """Every setting of the kiosk; those of the panel stand in a document of their own."""
    tables = {"screen": Screen, "camera": CameraConfig}
    own = [name for name in fields(Config) if name not in tables]
    return [*own, *(name for where, kind in tables.items() for name in fields(kind, where))]


def rows(text: str) -> list[str]:
    """The settings that a document's table describes."""
    found = []
    for first in re.findall(r"^\| (`[^|]*`) \|", text, re.M):
        where, *names = re.findall(r"`([^`]+)`", first)
        if where.startswith("[switches"):
            found.append("switches")
        elif where.startswith("[") and names:
            found += [f"{where} {name}" for name in names]
        else:
            found += [name.strip("[]") for name in (where, *names)]
    return found


def test_the_document_describes_every_setting_and_no_other() -> None:
    _, _, chapter = KIOSK.partition("## Settings\n")
    assert sorted(rows(chapter.partition("\n## ")[0])) == sorted(settings())


def test_the_panels_document_describes_every_setting_and_no_other() -> None:
    _, _, chapter = PANEL.partition("## Settings\n")
    told = rows(chapter.partition("\n## ")[0])
    assert sorted(told) == sorted([*fields(PanelConfig), *fields(Timing)])
    assert {name for name in fields(SeatPins) if f"`{name}`" not in chapter} == set()


def test_the_sample_shows_every_setting_and_what_is_a_comment_in_it_is_right_too(tmp_path: Path) -> None:
    whole = re.sub(r"^# (?=[\w.\"]+ = |\[)", "", SAMPLE, flags=re.M)
    table = tomllib.loads(whole)
    shown = [
        f"[{name}] {key}" if name in ("screen", "camera") else name
        for name, value in table.items()
        for key in (value if name in ("screen", "camera") else ("",))
    ]
    assert sorted(shown) == sorted(settings())
    assert table["version"] == VERSION
    parsed(whole, tmp_path / "kiosk.toml")
    assert load(ROOT / "deploy" / "kiosk.toml").version == VERSION
