"""Packs of Russian Railroads: numbers that no table could be played with are told when a pack is checked."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.game import find_title
from assistant.games.russian_railroads import ops
from assistant.games.russian_railroads.checks import check
from assistant.games.russian_railroads.pack import Cell, Content, EndCard


@cache
def content() -> Content:
    title = find_title("russian_railroads")
    found: Content = title.load_pack(title.default_pack).content
    return found


def faults(changed: Content) -> list[tuple[str, str]]:
    return [(fault.table, fault.key) for fault in check(changed, False, frozenset())]


def with_row(table: str, which: Any, **fields: Any) -> Content:
    """The shipped content with other fields in the row whose id, number or players is `which`."""
    rows = getattr(content(), table)

    def named(row: Any) -> bool:
        keys = (getattr(row, key) for key in ("id", "number", "players") if hasattr(row, key))
        return bool(next(keys) == which)

    assert any(named(row) for row in rows)
    changed = tuple(replace(row, **fields) if named(row) else row for row in rows)
    return replace(content(), **{table: changed})


def test_the_shipped_pack_is_sound() -> None:
    assert faults(content()) == []


@pytest.mark.parametrize(
    ("table", "which", "fields", "key"),
    [
        ("setup", 4, {"rounds": 0}, "4.rounds"),
        ("setup", 3, {"workers": 9}, "3"),
        ("setup", 2, {"roubles": 10}, "2"),
        ("setup", 4, {"waiting": 5, "letters_b": 5}, "4"),
        ("railroads", "KV", {"length": -1}, "KV.length"),
        ("specials", "TS6", {"unlock": "black"}, ""),
        ("specials", "TS6", {"space": 10**6}, "TS6.space"),
        ("specials", "TS2", {"loco": True}, "TS2"),
        ("specials", "SP-END", {"points": -10}, "SP-END.points"),
        ("spaces", "LOC-3", {"workers": 0}, "LOC-3"),
        ("spaces", "LOC-3", {"workers": 9}, "LOC-3"),
        ("spaces", "LOC-3", {"players": (5,)}, "LOC-3.players"),
        ("spaces", "LOC-3", {"id": "ENG-3"}, "ENG-3"),
        ("spaces", "ORD-2", {"workers": 2}, "ORD-2"),
        ("spaces", "ENG-HIRE", {"roubles": 2}, "ENG-HIRE"),
        ("spaces", "ENG-PUB-2", {"id": "ENG-PUB-x"}, ""),
        ("spaces", "ENG-PUB-2", {"players": (2, 3, 4)}, ""),
        ("spaces", "LAST-IND", {"last_round": False}, "LAST-IND"),
        ("spaces", "IND-2", {"action": (ops.Industry(0),)}, "IND-2.action"),
        ("engineers", 7, {"workers": 0}, "7"),
        ("engineers", 7, {"number": 0}, "0.number"),
        ("engineers", 7, {"action": (ops.Choice((ops.Points(1),)),)}, "7.action"),
        ("engineers", 7, {"action": (ops.Choice((ops.Loco(), ops.Roubles(-1))),)}, "7.action"),
        ("factories", 1, {"action": (ops.Advance((), 1),)}, "1.action"),
        ("factories", 1, {"action": (ops.Advance(("black",), 1, railroads=("XX",)),)}, "1.action"),
        ("tokens", "T1", {"action": (ops.SecondMarker(-1),)}, "T1.action"),
        ("end_bonus", "EB-1", {"points": -4}, "EB-1.points"),
        ("end_bonus", "EB-6", {"tiers": ()}, "EB-6"),
    ],
)
def test_a_row_is_told(table: str, which: Any, fields: dict[str, Any], key: str) -> None:
    assert (table, key) in faults(with_row(table, which, **fields))


@pytest.mark.parametrize(
    ("table", "value", "key"),
    [
        ("pass_points", (0, 2), ""),
        ("base", (0, 1, 2, 4, -7), ""),
        ("industry", (Cell(),), ""),
        ("end_bonus", (EndCard("EB-1", "Factories", "per", points=4),), ""),
    ],
)
def test_a_table_is_told(table: str, value: Any, key: str) -> None:
    assert (table, key) in faults(replace(content(), **{table: value}))


@pytest.mark.parametrize(
    ("table", "field", "value"),
    [
        ("supplies", "locomotives", 3),
        ("supplies", "roubles", 10**6),
        ("supplies", "special_loco", 10),
        ("medal", "space", 10),
        ("medal", "points", -20),
    ],
)
def test_a_single_value_is_told(table: str, field: str, value: int) -> None:
    changed = replace(getattr(content(), table), **{field: value})
    assert (table, field) in faults(replace(content(), **{table: changed}))


def test_nothing_is_concluded_from_a_table_that_could_not_be_read() -> None:
    changed = with_row("spaces", "LOC-3", workers=0)
    assert list(check(changed, False, frozenset({"spaces"}))) == []
