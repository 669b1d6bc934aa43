"""What the documents say about the command line and about cases is so."""

from __future__ import annotations

import argparse
import importlib
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.cases import run
from assistant.game import Game, find_title
from assistant.rulings import NotUnderstood
from tests.ui.conftest import Call
from ui.cli import commands

DOCS = Path(__file__).parents[2] / "docs"
CASES = (DOCS / "cases.md").read_text(encoding="utf-8")
PACKS = (DOCS / "packs.md").read_text(encoding="utf-8")
CLI = (DOCS / "cli.md").read_text(encoding="utf-8")
EXAMPLES = [block for block in re.findall(r"```toml\n(.*?)```", CASES, re.S) if block.startswith("id = ")]
OURS = (
    *("new", "act", "undo", "redo", "correct", "show", "legal", "score", "history", "games", "titles"),
    *("export", "import", "replay", "case", "bench", "sheets", "read", "pack", "demo", "kiosk"),
    *("backup", "restore", "support", "config", "selfcheck"),
)


NAMES = {"railway_boom": "Railway Boom", "trains": "Trains", "russian_railroads": "Russian Railroads"}
"""Games whose positions and actions docs/cases.md describes, by their titles in its headings."""
every_game = pytest.mark.parametrize("name", NAMES)


def opened(name: str) -> Game[Any]:
    title = find_title(name)
    return title.open(title.load_pack(title.default_pack), 3)


def chapter(name: str, what: str) -> str:
    """A chapter of docs/cases.md about one game, without its examples."""
    _, _, rest = CASES.partition(f"## {NAMES[name]}: the {what}\n")
    text, _, _ = rest.partition("\n## ")
    assert text
    return re.sub(r"```.*?```", "", text, flags=re.S)


def options(name: str) -> Iterator[str]:
    parser = argparse.ArgumentParser()
    module = importlib.import_module(commands()[name])
    module.add(parser.add_subparsers())
    made = parser._subparsers._group_actions[0].choices[name]  # type: ignore[union-attr, index]
    for action in made._actions:
        yield from (option for option in action.option_strings if option.startswith("--"))


@pytest.mark.parametrize("name", ["evenings", "kiosk", "building"])
def test_what_staff_is_told_to_touch_stands_on_the_screen(name: str) -> None:
    catalogue = (DOCS.parent / "ui/locale/de/LC_MESSAGES/kiosk.po").read_text(encoding="utf-8")
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    touched = set(re.findall(r"(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)", text))
    assert touched
    assert {words for words in touched if f'msgid "{words}"' not in catalogue} == set()


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


@every_game
def test_every_key_of_a_position_is_described(name: str) -> None:
    game = opened(name)
    position = game.to_position(game.start())
    (seats,) = {"seats", "players"} & set(position)
    keys = {*position, *position[seats]["A"]} - {seats}
    if name == "railway_boom":
        keys |= {f"market.{key}" for key in position["market"]} | {f"box.{key}" for key in position["box"]}
        keys -= {"market", "box"}
    words = set(re.findall(r"`([^`]+)`", chapter(name, "position")))
    assert {key for key in keys if key not in words} == set()


@every_game
def test_every_question_is_described(name: str) -> None:
    game = opened(name)
    with pytest.raises(NotUnderstood) as caught:
        game.ask(game.start(), "?", {})
    _, _, names = str(caught.value).partition("there are: ")
    text = chapter(name, "actions")
    assert [question for question in names.split(", ") if f'`ask = "{question}"`' not in text] == []


@every_game
def test_every_action_and_field_is_described(name: str) -> None:
    section = chapter(name, "actions")
    for tag, kind in opened(name).codec.types.items():
        (row,) = re.findall(rf"^\| `{tag}` \| (.*?) \|", section, re.M)
        described = set(re.findall(r"`(\w+)", row)) | {"seat"}
        assert set(kind.__struct_fields__) <= described, tag


def test_the_steps_to_a_pack_of_ones_own_lead_there(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Followed word by word: blocks are written to the file one after the other, commands are given."""
    _, _, rest = PACKS.partition("## Putting in the values of a real box\n")
    section, _, _ = rest.partition("\n## ")
    monkeypatch.chdir(tmp_path)
    (name,) = re.findall(r"Begin a file `(\S+)`", section)
    said = []
    for block, command in re.findall(r"```toml\n(.*?)```|\n {7}stationmaster ([^\n]*)", section, re.S):
        if command:
            said.append(call(*command.split()))
            assert said[-1].code == 0, command
        else:
            with Path(name).open("a", encoding="utf-8") as file:
                file.write(textwrap.dedent(f"   {block.strip()}") + "\n")
    shipped, ours, new, sheets = (each.out for each in said)
    # The first line names the file that the table of step 3 is copied from.
    assert Path(shipped.split(": ")[0]).is_file()
    assert "invented in factories: 1, 2, 3, 4, 5, 6, 7, 8\n" in shipped
    assert "invented in factories: 4, 7\n" in ours
    assert "Russian Railroads, our box" in new
    assert "cards" in sheets
    assert list(Path("sheets").glob("*.pdf"))
