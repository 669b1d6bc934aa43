"""The kiosk's own words in the language of the table, from Babel's catalogues.

English stands in the code; `ui/locale/LANGUAGE/LC_MESSAGES/kiosk.po` holds the other languages. Words of
rules and games are not here: `ui.sentences` reads those from the games' own folders.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

LOCALE = Path(__file__).parent.parent / "locale"
DOMAIN = "kiosk"
LANGUAGES = ("en", "de")


class Words:
    """Translates and fills in. `t("Round {n} of {of}", n=2, of=4)`, `n("{n} card", "{n} cards", 3)`."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._single, self._plural = _catalogue(language)

    def t(self, text: str, **values: Any) -> str:
        """The words for an English text, with its values in braces."""
        return self._single.get(text, text).format(**values) if values else self._single.get(text, text)

    def n(self, one: str, many: str, number: int, **values: Any) -> str:
        """The words for a number of things; `{n}` is the number."""
        forms = self._plural.get(one, (one, many))
        return forms[0 if number == 1 else 1].format(n=number, **values)


@cache
def _catalogue(language: str) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    file = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    single: dict[str, str] = {}
    plural: dict[str, tuple[str, str]] = {}
    if not file.exists():
        return single, plural
    with file.open("rb") as stream:
        for message in read_po(stream, locale=language):
            # Words that are missing are said in English; an empty button would be worse.
            if not message.id or not message.string or not all(message.string):
                continue
            if isinstance(message.id, str):
                single[message.id] = str(message.string)
            else:
                plural[message.id[0]] = (message.string[0], message.string[-1])
    return single, plural
