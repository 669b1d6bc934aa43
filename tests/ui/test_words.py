"""The kiosk speaks every language whole: no English word is left, and no value is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from deploy import words
from ui.presenters.words import LANGUAGES, LOCALE, Words

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_of_the_code_has_its_words(language: str) -> None:
    catalog = words.read(LOCALE / language / "LC_MESSAGES" / "kiosk.po", language)
    assert len(words.messages()) > 20
    assert list(words.faults(catalog)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalogue_is_as_make_words_writes_it(language: str) -> None:
    file = LOCALE / language / "LC_MESSAGES" / "kiosk.po"
    text = file.read_text(encoding="utf-8")
    assert text == words.written(words.merged(language))
    assert not list(file.parent.glob("*.part"))
    assert str(Path.home()) not in text
    assert "POT-Creation-Date" not in text


def test_what_is_wrong_with_a_catalogue_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[words.Text, str] = {
        "Good": "a.py",
        "Round {n}": "a.py",
        "Left": "a.py",
        "Unsure": "a.py",
        ("{n} card", "{n} cards"): "a.py",
    }
    monkeypatch.setattr(words, "messages", lambda: said)
    catalog = Catalog(locale="de")
    catalog.add("Good", "Gut")
    catalog.add("Round {n}", "Runde {m}")
    catalog.add("Unsure", "Vielleicht", flags={"fuzzy"})
    catalog.add(("{n} card", "{n} cards"), ("{n} Karte", "Karten"))
    found = "\n".join(words.faults(catalog))
    for text in ("'Left' is not translated", "'Unsure' is fuzzy", "'Runde {m}' has ['m']", "'Karten' has []"):
        assert text in found
    assert len(found.splitlines()) == 4


def test_a_number_is_said_in_the_right_form() -> None:
    t = Words("de")
    assert (
        t.n("The camera reads {n} token.", "The camera reads {n} tokens.", 1) == "Die Kamera liest 1 Stück."
    )
    assert (
        t.n("The camera reads {n} token.", "The camera reads {n} tokens.", 3) == "Die Kamera liest 3 Stücke."
    )


def test_what_is_not_translated_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    text = (
        'msgid ""\nmsgstr ""\n\nmsgid "Go"\nmsgstr ""\n\nmsgid "{n} a"\nmsgid_plural "{n} b"\nmsgstr[0] ""\n'
    )
    (folder / "kiosk.po").write_text(f'{text}msgstr[1] ""\n', encoding="utf-8")
    monkeypatch.setattr("ui.presenters.words.LOCALE", tmp_path)
    monkeypatch.setattr("ui.presenters.words.read_po", lambda stream, locale: read_po(stream))
    words = Words("xx")
    assert (words.t("Go"), words.n("{n} a", "{n} b", 2)) == ("Go", "2 b")
