"""The document of the rules, the cases and the code of Trains speak of the same things."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from assistant.cases import Case, find, read
from assistant.game import Game, find_title
from assistant.games.trains import effects as fx
from assistant.games.trains.pack import Card, Content
from assistant.rulings import NotUnderstood

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "assistant" / "games" / "trains"
DOCUMENT = (ROOT / "docs" / "rules" / "trains.md").read_text(encoding="utf-8")
TITLE = find_title("trains")
FILES = find([ROOT / "tests" / "conformance" / "trains"])
CASES: list[Case] = [read(file) for file in FILES]
RULE = r"\bTR-[A-Z]+-\d+\b"
PRIMITIVES: dict[str, Any] = {kind.__struct_config__.tag: kind for kind in get_args(fx.Effect)}


def chapter(heading: str) -> str:
    """The text below a heading of the document, up to the next one of its level or above."""
    level = len(heading.partition(" ")[0])
    _, found, rest = DOCUMENT.partition(f"\n{heading}\n")
    assert found
    return re.split(rf"^#{{1,{level}}} ", rest, maxsplit=1, flags=re.M)[0]


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text as cells, headings and rules left out."""
    lines = re.findall(r"^\| (.*) \|$", text, re.M)
    return [line.split(" | ") for line in lines if not line.startswith("---")]


REFUSED = {case.refused for case in CASES} | {step.refused for case in CASES for step in case.steps}
"""Rules by which a case, or a step of one, is refused."""


# The document -------------------------------------------------------------------------------------


def test_every_rule_is_told_once() -> None:
    told = re.findall(rf"^- \*\*({RULE})\*\*", DOCUMENT, re.M)
    assert len(told) == len(set(told))
    assert set(re.findall(RULE, DOCUMENT)) == set(told)


def test_every_rule_that_the_code_names_is_in_the_document() -> None:
    told = set(re.findall(rf"\*\*({RULE})\*\*", DOCUMENT))
    files = [*FOLDER.rglob("*.py"), *FOLDER.rglob("*.toml")]
    named = {rule for file in files for rule in re.findall(RULE, file.read_text(encoding="utf-8"))}
    assert len(named) > 40
    assert named <= told


def test_every_refusal_has_a_sentence() -> None:
    sentences = tomllib.loads((FOLDER / "locale" / "en.toml").read_text(encoding="utf-8"))["refusals"]
    assert REFUSED - {None} <= set(sentences)


def test_house_rulings_are_numbered_through_and_name_their_switches() -> None:
    table = rows(chapter("## Part A. House rulings"))[1:]
    assert [row[0] for row in table] == [f"HR-{number}" for number in range(1, 35)]
    switches = {row[0]: row[-1] for row in table if "`" in row[-1]}
    assert switches == {
        switch.ruling: f"`{name}`: " + ", ".join(f"`{value}`" for value in switch.values)
        for name, switch in TITLE.switches.items()
    }
    named = {
        ruling for file in FOLDER.rglob("*.py") for ruling in re.findall(r"\bHR-\d+\b", file.read_text())
    }
    assert named | set(re.findall(r"\bHR-\d+\b", DOCUMENT)) == {row[0] for row in table}


def test_the_effect_language_is_described() -> None:
    table = {row[0].strip("`"): row[1] for row in rows(chapter("### Effects")) if row[0] != "`do`"}
    assert set(table) == set(PRIMITIVES)
    for tag, values in table.items():
        described = set(re.findall(r"`(\w+)`", values))
        assert set(PRIMITIVES[tag].__struct_fields__) <= described, tag


def test_the_tables_of_a_pack_are_described() -> None:
    table = {row[0].strip("`"): row[1] for row in rows(chapter("## What a pack holds"))[1:]}
    assert set(table) == set(Content.__struct_fields__)
    assert set(re.findall(r"`(\w+)`", table["cards"])) >= set(Card.__struct_fields__)


def test_the_example_of_a_pack_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
    path = tmp_path / "two_valleys.toml"
    base = FOLDER / "packs" / "tokyo.toml"
    path.write_text(example.replace('extends = "tokyo"', f'extends = "{base}"'), encoding="utf-8")
    pack = TITLE.load_pack(path)
    assert pack.content.cards == TITLE.load_pack("tokyo").content.cards
    assert pack.content.hexes["C2"].terrain == "city"


# What the cases cover -----------------------------------------------------------------------------


def test_every_rule_of_the_check_order_refuses_something_in_a_case() -> None:
    wanted = set(re.findall(RULE, chapter("## 18. Check order")))
    assert len(wanted) > 25
    assert wanted | {TITLE.seats_rule} <= REFUSED


def test_every_card_with_an_effect_is_applied_in_a_case() -> None:
    played = {
        form["card"]
        for case in CASES
        for step in case.steps
        for form in step.do
        if form["do"] == "play" and form.get("apply")
    }
    cards = TITLE.load_pack("tokyo").content.cards
    assert {card.id for card in cards if card.effect} <= played
    assert {line.__struct_config__.tag for card in cards for line in card.effect} == set(PRIMITIVES) - {
        "money"
    }


def test_every_switch_has_a_case() -> None:
    for name, switch in TITLE.switches.items():
        assert any(case.options.get(name) == switch.values[1] for case in CASES), name


# Questions ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game() -> Game[Any]:
    return TITLE.open(TITLE.load_pack("kestrel_bay"), 2)


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("value", {}, "there are: stacks, zones"),
        ("stacks", {"seat": "A"}, "has no argument 'seat'; it has none"),
        ("zones", {}, "there is no seat"),
        ("owned", {"seat": "C"}, "there is no seat 'C'; there are: A, B"),
        ("owned", {"seat": ["A"]}, "there is no seat"),
        ("cost", {"hex": "F8"}, "there is no land hex 'F8'"),
        ("cost", {"seat": "A"}, "it has: hex"),
    ],
)
def test_a_question_that_means_nothing_says_so(
    game: Game[Any], name: str, args: dict[str, Any], words: str
) -> None:
    with pytest.raises(NotUnderstood, match=re.escape(words)):
        game.ask(game.start(), name, args)
