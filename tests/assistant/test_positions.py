"""Positions: paths, null and the canonical form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.positions import at, canonical, digest, merged, with_value, without

HERE: dict[str, Any] = {"round": 1, "seats": {"A": {"money": 3, "cards": ["a", {"id": "b"}]}}}


def test_a_path_leads_through_tables_and_lists() -> None:
    assert at(HERE, "seats.A.cards.1.id") == "b"
    for nowhere in ("seats.B.money", "seats.A.cards.2", "seats.A.cards.x", "round.deep", "seats.A.cards.-1"):
        assert at(HERE, nowhere) is None


def test_one_value_is_set_and_the_rest_is_untouched() -> None:
    changed = with_value(HERE, "seats.A.cards.1.id", "c")
    assert at(changed, "seats.A.cards") == ["a", {"id": "c"}]
    assert at(HERE, "seats.A.cards.1.id") == "b"
    assert with_value(HERE, "seats.B", {"money": 0})["seats"].keys() == {"A", "B"}
    for nowhere in ("places.A", "seats.A.cards.2", "round.deep"):
        with pytest.raises(KeyError):
            with_value(HERE, nowhere, 1)


def test_an_absent_key_is_null() -> None:
    assert at(without(HERE, "seats.A.money"), "seats.A") == {"cards": ["a", {"id": "b"}]}
    assert at(without(HERE, "seats.A.cards.1.id"), "seats.A.cards") == ["a", {}]
    for nowhere in ("seats.B", "seats.A.cards.0", "seats.A.cards.9.id", "round.deep", "seats.B.money"):
        with pytest.raises(KeyError):
            without(HERE, nowhere)


def test_tables_merge_and_everything_else_is_replaced() -> None:
    over = merged(HERE, {"seats": {"A": {"cards": []}, "B": {"money": 1}}, "round": 2})
    assert over == {"round": 2, "seats": {"A": {"money": 3, "cards": []}, "B": {"money": 1}}}
    assert HERE["round"] == 1


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=4), values, max_size=4), st.randoms(use_true_random=False))
def test_equal_positions_have_equal_bytes(position: dict[str, Any], rng: Any) -> None:
    keys = list(position)
    rng.shuffle(keys)
    again = {key: position[key] for key in keys}
    assert canonical(again) == canonical(position)
    assert digest(again) == digest(position)
    assert len(digest(position)) == 32


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), values, min_size=1, max_size=4), values)
def test_what_is_set_is_found_and_what_is_removed_is_not(position: dict[str, Any], value: Any) -> None:
    for key in position:
        assert at(with_value(position, key, value), key) == value
        assert at(without(position, key), key) is None
        assert with_value(without(position, key), key, position[key]) == position
