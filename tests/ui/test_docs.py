"""What the documents say about the command line and about cases is so."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.cases import run
from assistant.game import Game, find_title
from assistant.rulings import NotUnderstood
from ui.cli import commands

DOCS = Path(__file__).parents[2] / "docs"
CASES = (DOCS / "cases.md").read_text(encoding="utf-8")
CLI = (DOCS / "cli.md").read_text(encoding="utf-8")
EXAMPLES = [block for block in re.findall(r"```toml\n(.*?)```", CASES, re.S) if block.startswith("id = ")]
OURS = (
    *("new", "act", "undo", "redo", "correct", "show", "legal", "score", "history", "games", "titles"),
    *("export", "import", "replay", "case", "bench", "sheets", "read", "pack", "demo", "kiosk"),
)


def railway_boom() -> Game[Any]:
    title = find_title("railway_boom")
    return title.open(title.load_pack(title.default_pack), 3)


def options(name: str) -> Iterator[str]:
    parser = argparse.ArgumentParser()
    module = importlib.import_module(commands()[name])
    module.add(parser.add_subparsers())
    made = parser._subparsers._group_actions[0].choices[name]  # type: ignore[union-attr, index]
    for action in made._actions:
        yield from (option for option in action.option_strings if option.startswith("--"))


@pytest.mark.parametrize("name", OURS)
def test_every_command_and_option_is_described(name: str) -> None:
    assert re.search(rf"^\| `{name}\b", CLI, re.M), name
    common = {"--help", "--json", "--games-dir"}
    assert [option for option in options(name) if option not in common and option not in CLI] == []


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_example_of_a_case_holds(number: int, tmp_path: Path) -> None:
    (tmp_path / "example.toml").write_text(EXAMPLES[number], encoding="utf-8")
    assert run(tmp_path / "example.toml").why == ()


def test_there_is_an_example() -> None:
    assert EXAMPLES


def test_every_key_of_a_railway_boom_position_is_described() -> None:
    game = railway_boom()
    position = game.to_position(game.start())
    keys = {*position, *position["seats"]["A"], *(f"market.{key}" for key in position["market"])}
    keys |= {f"box.{key}" for key in position["box"]}
    prose = re.sub(r"```.*?```", "", CASES, flags=re.S)
    words = set(re.findall(r"`([^`]+)`", prose))
    assert {key for key in keys if key not in words and key != "seats"} - {"market", "box"} == set()


def test_every_question_of_railway_boom_is_described() -> None:
    game = railway_boom()
    with pytest.raises(NotUnderstood) as caught:
        game.ask(game.start(), "?", {})
    _, _, names = str(caught.value).partition("there are: ")
    assert [name for name in names.split(", ") if f'`ask = "{name}"`' not in CASES] == []


def test_every_railway_boom_action_and_field_is_described() -> None:
    _, _, section = CASES.partition("## Railway Boom: the actions")
    for name, kind in railway_boom().codec.types.items():
        (row,) = re.findall(rf"^\| `{name}` \| (.*?) \|", section, re.M)
        described = set(re.findall(r"`(\w+)", row)) | {"seat"}
        assert set(kind.__struct_fields__) <= described, name
