"""Brings the kiosk's catalogues up to date with the words in the code: `make words`.

Every text of a call `t("...")` or `n("...", "...", number)` in `ui/presenters` and `ui/kiosk` is a message.
Fragments (`*.po.part`) beside a catalogue are taken in. A text that stands in a table instead of a call stays
in the catalogue as long as the code has it. Sorted, without dates and places, so that nothing changes by
itself.
"""

from __future__ import annotations

import ast
import io
import string
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
CODE = (ROOT / "ui" / "presenters", ROOT / "ui" / "kiosk")
LOCALE = ROOT / "ui" / "locale"
KEYWORDS: dict[str, tuple[int, ...] | None] = {"t": None, "n": (1, 2)}
HEADER = "# The kiosk's own words. `make words` brings this up to date with the code."

Text = str | tuple[str, str]


def files() -> list[Path]:
    """The code that speaks to people."""
    return sorted(file for folder in CODE for file in folder.rglob("*.py"))


def messages() -> dict[Text, str]:
    """Every message of the code, with the file in which it is said first."""
    found: dict[Text, str] = {}
    for file in files():
        with file.open("rb") as stream:
            for _, said, _, _ in extract("python", stream, KEYWORDS):
                text: Text = said if isinstance(said, str) else (str(said[0]), str(said[1]))
                found.setdefault(text, file.name)
    return found


def constants() -> set[str]:
    """Every text that stands anywhere in that code."""
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in files())
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def fields(text: str) -> set[str]:
    """The values in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def read(file: Path, language: str) -> Catalog:
    """A catalogue or a fragment; an empty one where there is none."""
    if not file.exists():
        return Catalog(locale=language)
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".part":
        text = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n' + text
    return read_po(io.BytesIO(text.encode()), locale=language)


def strings(message: Message) -> tuple[str, ...]:
    """The words of a message, one for each of its forms."""
    words = message.string or ""
    return (words,) if isinstance(words, str) else tuple(words)


def translated(message: Message) -> bool:
    """Whether a message has all its words."""
    return all(strings(message))


def faults(catalog: Catalog) -> Iterator[str]:
    """What a catalogue lacks, a line each: no words, unsure words, or other values in braces."""
    for text, file in messages().items():
        one = text if isinstance(text, str) else text[0]
        message = catalog.get(one)
        if message is None or not translated(message):
            yield f"{file}: {one!r} is not translated"
            continue
        if message.fuzzy:
            yield f"{file}: {one!r} is fuzzy"
        if isinstance(text, str) == isinstance(message.string, (list, tuple)):
            yield f"{file}: {one!r} is said with a number here and without one there"
            continue
        wanted = fields(text) if isinstance(text, str) else fields(text[0]) | fields(text[1])
        for words in strings(message):
            # A plural may leave the number out where it says "one".
            if fields(words) != wanted and not (isinstance(text, tuple) and fields(words) == fields(text[0])):
                yield f"{file}: {one!r} has {sorted(wanted)}, {words!r} has {sorted(fields(words))}"


def merged(language: str) -> Catalog:
    """The catalogue of a language with its fragments and with every message of the code."""
    folder = LOCALE / language / "LC_MESSAGES"
    sources = [
        read(folder / "kiosk.po", language),
        *(read(f, language) for f in sorted(folder.glob("*.part"))),
    ]
    there, spoken = messages(), constants()
    found: dict[str, tuple[Text, tuple[str, ...], bool]] = {}
    for text in there:
        found[text if isinstance(text, str) else text[0]] = (text, (), False)
    for source in sources:
        for message in source:
            ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            if not ids[0] or not set(ids) <= spoken or not translated(message):
                continue
            text = ids[0] if len(ids) == 1 else (ids[0], ids[1])
            if isinstance(text, str) == isinstance(found.get(ids[0], (text,))[0], str):
                found[ids[0]] = (text, strings(message), message.fuzzy)
    out = Catalog(locale=language, fuzzy=False)
    for text, said, fuzzy in found.values():
        words = (said[0] if said else "") if isinstance(text, str) else said or ("", "")
        out.add(text, words, flags={"fuzzy"} if fuzzy else ())
    return out


def written(catalog: Catalog) -> str:
    """A catalogue as text: sorted, with no more of a header than it takes to be read."""
    made = io.BytesIO()
    write_po(
        made, catalog, width=110, no_location=True, sort_output=True, omit_header=True, ignore_obsolete=True
    )
    head = (
        f'{HEADER}\nmsgid ""\nmsgstr ""\n"Language: {catalog.locale_identifier}\\n"\n'
        f'"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )
    return head + made.getvalue().decode().strip() + "\n"


def main() -> int:
    """Write all catalogues; 1 when one lacks words, each of which is listed."""
    code = 0
    for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
        catalog = merged(folder.parent.name)
        (folder / "kiosk.po").write_text(written(catalog), encoding="utf-8")
        for fault in faults(catalog):
            print(f"{folder.parent.name}: {fault}")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
