"""Titles from the shelf and their packs, as a call names them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ui.terminal import No, Usage

if TYPE_CHECKING:
    from assistant.game import Game, Title


def shelf() -> dict[str, Title]:
    """All titles by id. `Usage` when STATIONMASTER_GAMES names what is no game."""
    from assistant.game import titles

    try:
        return titles()
    except LookupError as wrong:
        raise Usage(str(wrong)) from None


def title_of(name: str | None) -> Title:
    """The title that --game names. `Usage` tells the names there are."""
    there = shelf()
    known = ", ".join(sorted(there))
    if name is None:
        raise Usage(f"--game is missing; there are: {known}")
    if name not in there:
        raise Usage(f"there is no game {name!r}; there are: {known}")
    return there[name]


def open_title(
    title: Title, pack: str | None, players: int, options: dict[str, str | bool] | None = None
) -> Game[Any]:
    """The rules for a table. `No` for a faulty pack or a wrong number of players, `Usage` for options and for
    a pack that is not there."""
    from assistant.cases import load_pack
    from assistant.game import PositionFaults
    from assistant.packs import PackFaults

    try:
        return title.open(load_pack(title, pack, Path()), players, options or {})
    except PackFaults as wrong:
        raise (No if pack is None or _is_there(pack, title) else Usage)(str(wrong)) from None
    except PositionFaults as wrong:
        raise No(f"{wrong} [{wrong.rule}]" if wrong.rule else str(wrong)) from None
    except ValueError as wrong:
        raise Usage(str(wrong)) from None


def is_path(pack: str) -> bool:
    """Whether --pack names a file and not the id of a pack."""
    return pack.endswith(".toml") or "/" in pack or "\\" in pack


def _is_there(pack: str, title: Title) -> bool:
    from assistant.packs import available

    if is_path(pack):
        return Path(pack).exists()
    return pack.replace("-", "_") in {file.stem.replace("-", "_") for file in available(title.folder)}


def options_of(words: Sequence[str]) -> dict[str, str | bool]:
    """Switches as typed, `name=value`."""
    out: dict[str, str | bool] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise Usage(f"--option {word!r}: write NAME=VALUE")
        out[name] = {"true": True, "yes": True, "false": False, "no": False}.get(value, value)
    return out
