"""Every rule that a refusal can name has a text to be shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.game import titles
from ui.presenters import rules

CITED = re.compile(r'"((?:SM|RB|TR|HR|AU|OA)-(?:[A-Z]+-)?[0-9]+[a-z]?)"')


def _cited() -> list[str]:
    """Rules that the code of the referee and of every game cites, and the rulings of all switches."""
    folders = [Path("assistant"), *(title.folder for title in titles().values())]
    root = Path(__file__).parents[3]
    files = {file for folder in folders for file in (root / folder).rglob("*.py")}
    found = {rule for file in files for rule in CITED.findall(file.read_text(encoding="utf-8"))}
    return sorted(found | {s.ruling for title in titles().values() for s in title.switches.values()})


def test_every_cited_rule_has_a_text() -> None:
    cited = _cited()
    assert len(cited) > 60
    assert [rule for rule in cited if not rules.text_of(rule)[1]] == []


def test_a_point_a_table_line_and_what_is_not_there() -> None:
    heading, paragraphs = rules.text_of("RB-EXP-7")
    assert heading == "Phase II: Expansion"
    assert paragraphs[0].startswith("It must touch the railway that contains this turn's station")
    assert rules.text_of("SM-UNDO-1")[0] == "Taking back"
    assert rules.text_of("XX-1") == ("", ())


def test_a_house_ruling_names_its_columns() -> None:
    _, paragraphs = rules.text_of("HR-17", "railway_boom")
    assert paragraphs[0] == "Who bids after the first bidder?"
    assert paragraphs[1].startswith("Ruling: The furthest-left")
    assert paragraphs[2].startswith("Reason: ")


def test_a_ruling_is_that_of_the_game_that_is_played() -> None:
    one, other = (rules.text_of("HR-12", game) for game in ("railway_boom", "trains"))
    assert one[1] != other[1]
    assert rules.text_of("TR-LAY-8", "railway_boom") == rules.text_of("TR-LAY-8", "trains") != ("", ())


@pytest.mark.parametrize("rule", rules.known())
def test_no_sign_of_the_document_is_left(rule: str) -> None:
    heading, paragraphs = rules.text_of(rule)
    assert heading
    assert paragraphs
    for text in (heading, *paragraphs):
        assert "**" not in text
        assert "`" not in text
        assert "|" not in text


def test_a_second_paragraph_is_kept_apart() -> None:
    lines = [
        "# Title",
        "",
        "## 3. Map",
        "- **RB-X-1** One",
        "  two.",
        "  - three",
        "- **RB-X-2** Next",
        "",
        "Text",
    ]
    assert dict(rules._rules(lines)) == {
        "RB-X-1": ("Map", ("One two.", "- three")),
        "RB-X-2": ("Map", ("Next",)),
    }
