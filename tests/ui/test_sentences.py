from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant
from assistant.actions import Action
from assistant.events import Informed, Moved, Points, Told
from assistant.game import Acting, titles
from assistant.rulings import Violation
from ui.sentences import CatalogueFault, Sentences, read_catalogue

RULE = re.compile(r"[A-Z]{2}-[A-Z]+-\d+[a-z]?")
ASSISTANT = Path(assistant.__file__).parent
FOLDERS = [ASSISTANT, *(title.folder for title in titles().values())]

WORDS = Sentences(
    {
        "refusals": {
            "X-1": "{hex} costs {cost} power; there is {have}.",
            "X-2": "{seats} pay {pay}; {n:card|cards} of {cards}.",
            "X-3": "broken {",
            "X-4": "{a.b} {} {n!r} {flag} {nothing}",
            "X-5": "{amount:+} {late:d}",
        },
        "told": {"put.back": "{seat} puts {cards} back."},
        "why": {"bid": "to bid"},
        "sources": {"route": "a route"},
        "events": {"points": "{seat}: {amount:+} points, {source} {detail}", "told": "{text}"},
        "actions": {"hop": "{seat} hops to {hex}"},
        "words": {
            "rouble": "roubles",
            "rouble.one": "rouble",
            "coal": "Coal",
            "yes": "yes indeed",
            "table": "the table",
        },
    },
    names={"A": "Ann", "B": "Ben"},
)


class Hop(Action, frozen=True):
    seat: str
    hex: str


class Skip(Action, frozen=True):
    seat: str


def test_values_become_words() -> None:
    assert WORDS.violation(Violation("X-1", {"hex": "c4", "cost": 4, "have": 3})) == (
        "c4 costs 4 power; there is 3."
    )
    values = {"seats": ["A", "B"], "pay": {"coal": 2, "tech": 1}, "n": 1, "cards": ["A", "D2"]}
    assert WORDS.value({"rouble": 2, "point": 1}) == "2 roubles, 1 point"
    assert WORDS.value({"rouble": 1, "point": 2}) == "1 rouble, 2 point"
    assert WORDS.violation(Violation("X-2", values)) == "Ann, Ben pay 2 Coal, 1 tech; 1 card of A, D2."
    assert WORDS.violation(Violation("X-2", {**values, "n": 2, "cards": []})).endswith("2 cards of nothing.")


def test_what_is_missing_never_fails() -> None:
    assert WORDS.violation(Violation("X-1", {"hex": "c4"})) == "c4 costs … power; there is …."
    assert WORDS.violation(Violation("X-9")) == "X-9"
    assert WORDS.violation(Violation("X-3")) == "broken {"
    assert WORDS.violation(Violation("X-4", {"n": 3, "flag": True})) == "… … 3 yes indeed …"
    assert WORDS.violation(Violation("X-5", {"amount": 3, "late": "soon"})) == "+3 soon"


def test_events_and_actions() -> None:
    assert WORDS.event(Points("A", 4, "route", "R1")) == "Ann: +4 points, a route R1"
    assert WORDS.event(Points("A", -4, "toll")) == "Ann: -4 points, toll"
    assert WORDS.event(Told("put.back", "B", {"cards": ["D2"]})) == "Ben puts D2 back."
    assert WORDS.event(Told("unknown")) == "unknown"
    assert WORDS.event(Moved("A", "coal", 1)) == "moved"
    assert WORDS.acting(Acting("A", "bid")) == "to bid"
    assert WORDS.action(Hop("A", "c4")) == "Ann hops to c4"
    assert WORDS.action(Skip("A")) == "skip A"
    assert Sentences.of().event(Informed(("A",), "L1")) == "now known to A: L1"


def test_catalogues_that_are_wrong_are_named(tmp_path: Path) -> None:
    file = tmp_path / "en.toml"
    assert read_catalogue(file) == {}
    for text, said in (
        ("x", "Expected"),
        ("x = 1", "x stands outside a table"),
        ("[a]\nb = 1", "a.b is not text"),
    ):
        file.write_text(text)
        with pytest.raises(CatalogueFault, match=said):
            read_catalogue(file)
    file.write_text('[told]\nundo.known = "a"\n"b.c" = "d"\n')
    assert read_catalogue(file) == {"told": {"undo.known": "a", "b.c": "d"}}


def test_another_language_falls_back_to_english() -> None:
    assert Sentences.of(language="xx").violation(Violation("SM-REDO-1")).startswith("Nothing was taken back")


def sources(folder: Path) -> Iterator[tuple[str, ast.AST]]:
    """The code of a folder, without games that lie below it and without what only checks packs."""
    for file in folder.rglob("*.py"):
        apart = folder == ASSISTANT and "games" in file.relative_to(folder).parts
        if not apart and file.name not in ("pack.py", "checks.py"):
            yield file.name, ast.parse(file.read_text())


TELLS = {
    "Told": (("told", "hints", "effects"), 0),
    "Acting": (("why",), 1),
    "Points": (("sources",), 2),
}
"""By record: the tables that may hold its key, and which argument that is."""


def cited(folder: Path) -> Iterator[tuple[str, str]]:
    """Every rule that a refusal in a folder's code may cite, and where.

    A violation begins with its rule; a rule that comes later in a call says where points or payments
    come from.
    """
    for name, tree in sources(folder):
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        later = {
            id(arg) for call in calls for arg in (*call.args[1:], *(word.value for word in call.keywords))
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in later:
                yield node.value, f"{name}:{node.lineno}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_rule_that_code_cites_has_a_sentence(folder: Path) -> None:
    known = {
        rule
        for place in (ASSISTANT, folder)
        for rule in read_catalogue(place / "locale" / "en.toml").get("refusals", {})
    }
    rules = {text: place for text, place in cited(folder) if RULE.fullmatch(text)}
    assert {rule: place for rule, place in rules.items() if rule not in known} == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_everything_that_code_tells_has_words(folder: Path) -> None:
    catalogue = read_catalogue(folder / "locale" / "en.toml")
    shared = read_catalogue(ASSISTANT / "locale" / "en.toml")
    missing = []
    for name, tree in sources(folder):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = TELLS.get(node.func.id)
            if place is None or len(node.args) <= place[1]:
                continue
            key = node.args[place[1]]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                tables = place[0]
                if not any(key.value in {**shared.get(t, {}), **catalogue.get(t, {})} for t in tables):
                    missing.append(f"{name}:{node.lineno}: {tables[0]} {key.value}")
    assert missing == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_template_can_be_filled(folder: Path) -> None:
    for table, entries in read_catalogue(folder / "locale" / "en.toml").items():
        for key, template in entries.items():
            for _, name, _, _ in string.Formatter().parse(template):
                assert name is None or name.isidentifier(), f"{table}.{key}"


def test_a_kind_of_thing_is_spoken_of_in_words() -> None:
    assert WORDS.value("tile:coal") == "Coal tile"
    assert WORDS.value("tile:Coal or so") == "tile:Coal or so"
    words = Sentences.of(titles()["railway_boom"])
    assert words.event(Moved("A", "tile:coal", 1, "RB-X")) == "A: +1 Coal tile"
