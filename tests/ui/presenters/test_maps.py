"""The map as an element."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.ui.presenters import playing as p
from ui.presenters import maps
from ui.presenters.elements import Hex, Token


@pytest.fixture(scope="module")
def boom() -> Any:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    return judge


def test_the_map_is_labelled_by_the_names_of_its_spaces(boom: Any) -> None:
    drawn = maps.hexes(p.shown(boom), lit={"g9": "2"}, chosen="g9", seen=[("g9", Token("B", seen=True))])
    rows, columns = maps.edges(drawn)
    assert rows[0] == "a"
    assert columns[0] == "1"
    lit = next(h for h in drawn if h.space == "g9")
    assert lit.lit
    assert lit.chosen
    assert lit.cost == "2"
    assert any(token.seen for token in lit.tokens)
    assert all(h.dim for h in drawn if h.space != "g9")
    assert maps.edges((Hex("one", 0, 0, "plains"),)) == ((), ())
