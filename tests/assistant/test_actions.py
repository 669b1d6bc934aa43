"""Actions turn into JSON and come back equal; what spells none is not understood."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.actions import TABLE, Action, Codec
from assistant.rulings import NotUnderstood


class PlaceRail(Action, frozen=True):
    seat: str
    hex: str
    how: str = "power"


class DrawCards(Action, frozen=True):
    cards: tuple[str, ...]
    seat: str = TABLE


CODEC = Codec[Any]([PlaceRail, DrawCards])


@pytest.mark.parametrize(
    "action", [PlaceRail("A", "c4"), PlaceRail("B", "d5", "free"), DrawCards(("L1", "L2"))]
)
def test_an_action_comes_back_equal(action: Action) -> None:
    assert CODEC.from_json(CODEC.to_json(action)) == action
    assert CODEC.decode(CODEC.encode(action)) == action


def test_the_json_form_names_the_action_and_leaves_out_what_is_usual() -> None:
    assert CODEC.to_json(PlaceRail("A", "c4")) == {"do": "place_rail", "seat": "A", "hex": "c4"}
    assert CODEC.from_json({"do": "draw_cards", "cards": ["L1"]}) == DrawCards(("L1",))
    assert PlaceRail("A", "c4").kind == "place_rail"
    assert not PlaceRail.free


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({}, '"do" is missing, the name of the action; there are: draw_cards, place_rail'),
        ({"do": "fly"}, "no action is called 'fly'"),
        ({"do": ["place_rail"]}, '"do" must be text; there are: '),
        ({"do": "place_rail", "seat": "A"}, "place_rail: hex is missing$"),
        ({"do": "place_rail", "seat": "A", "hex": 4}, "place_rail: hex must be text$"),
        ({"do": "place_rail", "seat": "A", "hex": "c4", "colour": "red"}, "there is no field 'colour'$"),
        ({"do": "draw_cards", "cards": ["L1", 2]}, r"draw_cards: cards\[1\] must be text$"),
        ({"do": "draw_cards", "cards": "L1"}, "draw_cards: cards must be a list$"),
    ],
)
def test_what_spells_no_action_is_not_understood(form: dict[str, Any], says: str) -> None:
    with pytest.raises(NotUnderstood, match=says):
        CODEC.from_json(form)


@pytest.mark.parametrize("data", [b"", b"{}", b'{"do": "fly"}', b'{"do": "place_rail"}', b"[1, 2"])
def test_bytes_that_spell_no_action_are_not_understood(data: bytes) -> None:
    with pytest.raises(NotUnderstood):
        CODEC.decode(data)
