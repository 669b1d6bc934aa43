"""The text of a rule by its id, as the rules documents have it.

The documents lie in `docs/rules` of the checkout and, in an installed package, in `ui/rules`. A rule is a
point (`- **RB-EXP-7** ...`) or a line of a table whose first column is its id; the heading above it is the
chapter's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FOLDERS = (Path(__file__).parent.parent / "rules", Path(__file__).parents[2] / "docs" / "rules")
"""Where the documents may lie; the first folder that is there counts."""

Rule = tuple[str, tuple[str, ...]]
"""A heading and paragraphs."""

_ID = r"[A-Z]+(?:-[A-Z]+)*-[0-9]+[a-z]?"
_POINT = re.compile(rf"- \*\*({_ID})\*\*(.*)")
_ROW = re.compile(rf"\|\s*({_ID})\s*\|")
_HEADING = re.compile(r"#{1,6}\s+(?:[0-9]+\.\s+)?(.*)")
_SIGNS = re.compile(r"\*\*|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def text_of(rule: str, game: str = "") -> Rule:
    """The heading of the chapter and the paragraphs of a rule; ("", ()) for one that no document has.

    House rulings of two games may have the same id: the document of `game`, the id of a title, comes first.
    """
    documents = _all()
    own = game.replace("_", "-")
    for name in (own, *documents):
        if rule in documents.get(name, {}):
            return documents[name][rule]
    return "", ()


def known() -> tuple[str, ...]:
    """The ids of all rules there are, sorted."""
    return tuple(sorted({rule for rules in _all().values() for rule in rules}))


@cache
def _all() -> dict[str, dict[str, Rule]]:
    """Rules by the name of their document."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), None)
    found: dict[str, dict[str, Rule]] = {}
    for file in sorted(folder.glob("*.md")) if folder else ():
        for rule, text in _rules(file.read_text(encoding="utf-8").splitlines()):
            # An introduction may speak of a rule before its own place comes.
            found.setdefault(file.stem, {})[rule] = text
    return found


def _rules(lines: list[str]) -> Iterator[tuple[str, Rule]]:
    heading = ""
    columns: list[str] = []
    for number, line in enumerate(lines):
        if match := _HEADING.fullmatch(line):
            heading, columns = _plain(match[1]), []
        elif match := _POINT.match(line):
            yield match[1], (heading, _paragraphs([match[2], *_indented(lines[number + 1 :])]))
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if match := _ROW.match(line):
                yield match[1], (heading, tuple(_cells(columns, cells)))
            elif set(line) - set("|-: "):
                columns = cells


def _indented(lines: list[str]) -> Iterator[str]:
    """The lines of a point after its first one."""
    for number, line in enumerate(lines):
        if not line.strip():
            if number + 1 < len(lines) and lines[number + 1].startswith("  "):
                yield ""
                continue
            return
        if not line.startswith("  "):
            return
        yield line.strip()


def _paragraphs(lines: list[str]) -> tuple[str, ...]:
    """Lines put together; an empty line and a point of a list within begin a new paragraph."""
    out: list[list[str]] = [[]]
    for line in lines:
        if not line.strip() or line.startswith(("- ", "* ")):
            out.append([])
        out[-1].append(line.strip())
    joined = (_plain(" ".join(part)) for part in out)
    return tuple(text for text in joined if text)


def _cells(columns: list[str], cells: list[str]) -> Iterator[str]:
    """A line of a table: its first text as it stands, the others with what their column is called."""
    for number, cell in enumerate(cells[1:], start=1):
        text = _plain(cell)
        if not text:
            continue
        name = _plain(columns[number]) if number < len(columns) else ""
        yield text if number == 1 or not name else f"{name[:1].upper()}{name[1:]}: {text}"


def _plain(text: str) -> str:
    """Words without the signs that set them."""
    return " ".join(_SIGNS.sub("", _LINK.sub(r"\1", text)).split())
