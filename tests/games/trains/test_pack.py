"""Packs of Trains: numbers that no table could be played with are told when a pack is checked."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from assistant.game import find_title
from assistant.games.trains import effects as fx
from assistant.games.trains.pack import Content, check


def content() -> Content:
    title = find_title("trains")
    found: Content = title.load_pack("tokyo").content
    return found


def faults(changed: Content) -> list[tuple[str, str]]:
    return [(fault.table, fault.key) for fault in check(changed, False, frozenset()) if not fault.warning]


def with_card(**fields: Any) -> Content:
    there = content()
    cards = [replace(card, **fields) if card.id == "TC-GA" else card for card in there.cards]
    return replace(there, cards=tuple(cards))


def test_the_shipped_packs_are_sound() -> None:
    assert faults(content()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("hand", 0), ("hand", -1), ("random_stacks", -1), ("rail_tokens", 1), ("station_tokens", 0)],
)
def test_numbers_of_the_set_up_have_a_least_value(name: str, value: int) -> None:
    there = content()
    assert ("setup", name) in faults(replace(there, setup=replace(there.setup, **{name: value})))


@pytest.mark.parametrize("stacks", [0, 16])
def test_the_end_comes_with_as_many_empty_stacks_as_there_can_be(stacks: int) -> None:
    there = content()
    assert ("ends", "empty_stacks") in faults(replace(there, ends=replace(there.ends, empty_stacks=stacks)))
    assert ("vp_track", "") in faults(replace(there, vp_track=0))


@pytest.mark.parametrize(
    "effect",
    [
        (fx.ChooseOne((fx.Draw(1), fx.Money(-5))),),
        (fx.TrashSelf(fx.Money(0)),),
        (fx.DiscardAny(),),
        (fx.DiscardAny(money=-1, draw=1),),
        (fx.ReturnWaste("any", -3),),
    ],
)
def test_numbers_are_checked_wherever_they_are_printed(effect: tuple[Any, ...]) -> None:
    assert ("cards", "TC-GA.effect") in faults(with_card(effect=effect))


def test_values_and_what_buying_brings_are_never_below_0() -> None:
    assert ("cards", "TC-GA.value") in faults(with_card(value=-2))
    assert ("cards", "TC-GA.effect") in faults(with_card(on_buy=(fx.Waste(-1),)))
