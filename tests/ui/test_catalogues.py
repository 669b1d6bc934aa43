"""Catalogues in every language say the same things, and there are words for everything that can be done."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

import assistant
from assistant.game import Title, titles
from ui.sentences import Sentences, read_catalogue

ASSISTANT = Path(assistant.__file__).parent
FOLDERS = [ASSISTANT, *(title.folder for title in titles().values())]
LANGUAGES = ("de",)
TITLES = list(titles().values())
LONGEST_BUTTON = 24
A_NAME = "Tactical Expansion"
"""A long card name, as buttons may have to hold."""


def fields(template: str) -> list[str]:
    """Names of the values in a template."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(template) if name is not None})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_language_has_the_same_keys(folder: Path, language: str) -> None:
    english, other = (read_catalogue(folder / "locale" / f"{name}.toml") for name in ("en", language))
    assert english
    assert list(other) == list(english)
    for table, entries in english.items():
        assert list(other[table]) == list(entries), table


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_language_names_the_same_values(folder: Path, language: str) -> None:
    english, other = (read_catalogue(folder / "locale" / f"{name}.toml") for name in ("en", language))
    wrong = {
        f"{table}.{key}": (template, other[table][key])
        for table, entries in english.items()
        for key, template in entries.items()
        if fields(template) != fields(other[table][key])
    }
    assert wrong == {}


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_nothing_is_said_loudly_or_left_empty(folder: Path, language: str) -> None:
    for table, entries in read_catalogue(folder / "locale" / f"{language}.toml").items():
        for key, template in entries.items():
            assert template.strip() == template != "", f"{table}.{key}"
            assert "!" not in template, f"{table}.{key}"
            # A number with its word has both forms.
            for _, _, spec, _ in string.Formatter().parse(template):
                assert (spec or "").count("|") <= 1, f"{table}.{key}"


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_every_action_has_a_sentence_and_a_button(title: Title, language: str) -> None:
    words = Sentences.of(title, language)
    catalogue = read_catalogue(title.folder / "locale" / f"{language}.toml")
    for kind, action in title.rules.codec.types.items():
        for table in ("actions", "offers"):
            assert kind in catalogue[table], f"{table}.{kind}"
            more = title.rules.labels.get(kind, ()) if table == "offers" else ()
            known = {*action.__struct_fields__, *more}
            assert set(fields(catalogue[table][kind])) <= known, f"{table}.{kind}"
        text = words.say(
            "offers", kind, {"card": A_NAME, "hex": "g14", "space": 20, "row": 4, "option": "coal"}
        )
        assert len(text) <= LONGEST_BUTTON + 2, text
