"""All or nothing (TR-FX-1): each line is tested where those before it would leave the table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from assistant.game import Game, find_title
from assistant.games.trains import effects as fx
from assistant.games.trains.actions import Play

CARD = "TC-GA"
"""The card that gets the effects: value 1, no other line."""
TRAIN, WASTE = "TC-NT", "TC-WA"


def opened(effect: tuple[Any, ...], **options: str) -> Game[Any]:
    title = find_title("trains")
    pack = title.load_pack("tokyo")
    cards = tuple(replace(card, effect=effect) if card.id == CARD else card for card in pack.content.cards)
    return title.open(replace(pack, content=replace(pack.content, cards=cards)), 2, options)


def applies(game: Game[Any], hand: list[str], discard: list[str], play: list[str], rails: list[str]) -> bool:
    """Whether the card may be played with its effect."""
    position = game.to_position(game.start())
    supply = {card.id: 0 for card in game.pack.content.cards if card.role == "base"}
    position |= {"phase": "turns", "supply": supply | {"TC-ET": 20, WASTE: 60}}
    position.pop("box")
    mine = {"hand": [CARD, *hand], "discard": discard, "play": play, "deck": [], "rails": rails}
    position["seats"]["A"] |= {**mine, "rails_left": 20 - len(rails)}
    state = game.from_position(position)
    return game.refuse(state, Play("A", CARD, True)) is None


ALL, ONE = fx.ReturnWaste("all"), fx.ReturnWaste("one")


@pytest.mark.parametrize(
    ("effect", "hand", "discard", "play", "legal"),
    [
        ((ALL, fx.Discard(2)), [WASTE, WASTE, TRAIN], [], [], False),
        ((ALL, fx.Discard(2)), [WASTE, TRAIN, TRAIN], [], [], True),
        ((ALL, ONE), [WASTE, TRAIN], [], [], False),
        ((ONE, ONE), [WASTE, TRAIN], [], [], False),
        ((ONE, ONE), [WASTE, WASTE], [], [], True),
        ((fx.Topdeck("train"), fx.Topdeck("train")), [], [], [TRAIN], False),
        ((fx.Topdeck("train"), fx.Topdeck("train")), [], [], [TRAIN, TRAIN], True),
        ((fx.Recover("train"), fx.Discard(1)), [], [TRAIN], [], True),
        ((fx.Recover("train"), fx.Recover("train")), [], [TRAIN], [], False),
        ((fx.Topdeck("train"), fx.Draw(1), fx.Discard(1)), [], [], [TRAIN], True),
    ],
)
def test_a_line_counts_what_those_before_it_took(
    effect: tuple[Any, ...], hand: list[str], discard: list[str], play: list[str], legal: bool
) -> None:
    assert applies(opened(effect), hand, discard, play, []) == legal


@pytest.mark.parametrize(("money", "legal"), [(0, False), (1, True)])
def test_a_rail_laid_at_once_is_paid_by_the_money_of_its_own_card(money: int, legal: bool) -> None:
    """Both neighbours of A1 are mountains, which cost 2; the card's value is 1 (HR-1)."""
    effect = (*([fx.Money(money)] if money else []), fx.Rail(1))
    assert applies(opened(effect, rail_mode="immediate"), [], [], [], ["A1"]) == legal
