"""The map of a game as an element: its spaces with what lies there, and the names of its rows and columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from assistant.choosing import Option
from assistant.layout import Mat
from ui.presenters.elements import Board, Hex, Token
from ui.presenters.intents import Go, Intent
from ui.presenters.shown import Shown, display_of, playing_of

STATION = "station"
"""The kind of token that is drawn with a ring."""
REMOTE = "remote"
"""The tint of a place that stands for a number of points."""
_NAME = re.compile(r"([A-Za-z])(\d+)")


def map_of(shown: Shown) -> Mat | None:
    """The mat where it has a hex map to draw."""
    mat = playing_of(shown).mat
    return mat if mat is not None and mat.hexgrid is not None else None


def is_drawn(shown: Shown, space: str) -> bool:
    """Whether a space can be touched: on the map, or among the action spaces."""
    return map_of(shown) is not None or any(place.space == space for place in display_of(shown).places)


def on_map(shown: Shown, option: Option) -> bool:
    """Whether an option is taken by touching a space."""
    here = option.places[:1]
    return bool(here) and option.role in ("offer", "form", "value") and is_drawn(shown, here[0])


def hexes(
    shown: Shown,
    *,
    lit: Mapping[str, str] | None = None,
    second: Collection[str] = (),
    chosen: str = "",
    seen: Sequence[tuple[str, Token]] = (),
    wrong: Collection[str] = (),
) -> tuple[Hex, ...]:
    """The spaces of the map with what lies there by the record. Empty for a game without a hex map.

    `lit` are legal spaces with the cost to show (empty for none), `second` those of them whose cost is in
    another resource too; `seen` are tokens that only the camera knows, as (space, token). While any space is
    lit or wrong the others are dimmed.
    """
    mat = map_of(shown)
    if mat is None:
        return ()
    display, light = display_of(shown), lit or {}
    lying: dict[str, list[Token]] = {}
    for spot in display.tokens:
        if spot.seat is not None:
            lying.setdefault(spot.space, []).append(Token(spot.seat, spot.what == STATION))
    for space, token in seen:
        lying.setdefault(space, []).append(token)
    asked = {*light, *wrong, *(space for space, _ in seen), *([chosen] if chosen else [])}
    return tuple(
        Hex(
            space.id,
            *space.hex,
            display.tints.get(space.id, space.tint),
            tuple(lying.get(space.id, ())),
            lit=space.id in light,
            cost=light.get(space.id, ""),
            second=space.id in second,
            chosen=space.id == chosen,
            open=space.id in display.open_spaces,
            wrong=space.id in wrong,
            dim=bool(asked) and space.id not in asked,
            number=display.notes.get(space.id, {}).get("number", "") if space.tint == REMOTE else "",
            room=int(display.notes.get(space.id, {}).get("room", 0)),
            built=int(display.notes.get(space.id, {}).get("built", 0)),
        )
        for space in mat.spaces
        if space.hex is not None
    )


def board(
    shown: Shown,
    drawn: tuple[Hex, ...],
    intents: dict[str, Intent] | None = None,
    closer: tuple[str, ...] = (),
    legend: tuple[tuple[Hex, str], ...] = (),
) -> Board:
    """The map as an element, with the letters of rows and numbers of columns that its names have."""
    rows, columns = edges(drawn)
    return Board(
        hexes=drawn,
        intents=intents or {},
        rows=rows,
        columns=columns,
        closer=closer,
        legend=legend,
        help=Go("legend") if legend else None,
        barriers=display_of(shown).barriers,
        grow=1,
    )


def edges(drawn: Sequence[Hex]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Letters of the rows, top to bottom, and numbers of the columns, left to right. Empty for a map whose
    spaces are not named like "g9"."""
    letters: dict[int, str] = {}
    numbers: set[int] = set()
    for hexagon in drawn:
        name = _NAME.fullmatch(hexagon.space)
        if name is None or letters.setdefault(hexagon.r, name[1]) != name[1]:
            return (), ()
        numbers.add(int(name[2]))
    if not numbers:
        return (), ()
    return (
        tuple(letters.get(r, "") for r in range(min(letters), max(letters) + 1)),
        tuple(str(n) for n in range(min(numbers), max(numbers) + 1)),
    )
