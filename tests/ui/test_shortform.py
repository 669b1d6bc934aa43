from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.actions import TABLE, Action, Codec
from assistant.rulings import NotUnderstood
from ui.shortform import blank, parse, spell, usage


class Bid(Action, frozen=True):
    seat: str
    space: int


class Draw(Action, frozen=True):
    deck: str
    cards: tuple[str, ...]
    seat: str = TABLE


class PayWild(Action, frozen=True):
    seat: str
    pay: dict[str, int]


class Use(Action, frozen=True):
    seat: str
    card: str
    hex: str | None = None
    pay: dict[str, int] | None = None
    twice: bool = False
    level: Literal["low", 3] = "low"
    pair: tuple[str, int] = ("x", 1)


CODEC: Codec[Any] = Codec([Bid, Draw, PayWild, Use])


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("bid A 3", Bid("A", 3)),
        ("bid space=3 A", Bid("A", 3)),
        ("bid seat=A space=3", Bid("A", 3)),
        ('{"do": "bid", "seat": "A", "space": 3}', Bid("A", 3)),
        ("draw locomotives L01,L05,L09", Draw("locomotives", ("L01", "L05", "L09"))),
        ("draw locomotives L01 L05", Draw("locomotives", ("L01", "L05"))),
        ("draw locomotives -", Draw("locomotives", ())),
        ("draw locomotives cards=L01 L05", Draw("locomotives", ("L01", "L05"))),
        ("draw locomotives L01 seat=A", Draw("locomotives", ("L01",), "A")),
        ("draw locomotives '[\"a,b\"]'", Draw("locomotives", ("a,b",))),
        ("pay_wild B coal:3,money:1", PayWild("B", {"coal": 3, "money": 1})),
        ("pay_wild B -", PayWild("B", {})),
        ("use A D2 c4", Use("A", "D2", "c4")),
        ("use A D2 - coal:1", Use("A", "D2", None, {"coal": 1})),
        ("use A D2 twice=yes level=3", Use("A", "D2", twice=True, level=3)),
        ("use A D2 pair=y,2", Use("A", "D2", pair=("y", 2))),
        ("use A 'D 2'", Use("A", "D 2")),
    ],
)
def test_lines_that_people_type(line: str, action: Action) -> None:
    assert parse(CODEC, [line]) == action


def test_words_from_a_shell_need_no_quoting() -> None:
    assert parse(CODEC, ["bid", "A", "3"]) == Bid("A", 3)
    assert parse(CODEC, ["use", "A", "D 2"]) == Use("A", "D 2")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "an action has a name"),
        ("bit A 3", "no action is called 'bit'; nearest is 'bid'"),
        ("zzz", "no action is called 'zzz'; there are: bid, draw, pay_wild, use"),
        ("bid A", "space is missing; the form is: bid SEAT SPACE"),
        ("bid A 3 4", "'4' is one word too many; the form is: bid SEAT SPACE"),
        ("bid A space=3 space=4", "bid: space is given twice"),
        ("bid A three", "bid: space must be a whole number"),
        ("pay_wild A coal", "pay_wild: pay: 'coal' is no amount; amounts are written as coal:2,money:1"),
        ("pay_wild A [1", "pay_wild: pay: '[1' is not JSON"),
        ("{", "this is not JSON"),
        ('{"do": "bid"}', "bid: seat is missing"),
        ("use A D2 level=high", "use: level cannot be 'high'"),
        ("use A D2 twice=perhaps", "use: twice must be true or false"),
        ("use A D2 pay=coal:much", "must be a whole number"),
        ("[" * 100_000, "no action is called"),
        ('{"do": ' + "[" * 100_000, "this is nested too deeply"),
        ("pay_wild A " + "[" * 100_000, "pay_wild: pay: nested too deeply"),
        ("bid 'A 3", "cannot be split into words: No closing quotation"),
    ],
)
def test_what_cannot_be_understood_is_said(line: str, said: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        parse(CODEC, [line])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Bid("A", 3), "bid A 3"),
        (Draw("cards", ("L1",)), "draw cards L1"),
        (Draw("cards", ()), "draw cards -"),
        (Draw("cards", ("L1", "L2"), "A"), "draw cards L1,L2 seat=A"),
        (PayWild("A", {"coal": 2, "money": 1}), "pay_wild A coal:2,money:1"),
        (Use("A", "D2", "c4"), "use A D2 c4"),
        (Use("A", "D2", twice=True), "use A D2 twice=yes"),
        (Use("A", "two words"), "use A 'two words'"),
    ],
)
def test_actions_are_spelled_as_people_would(action: Action, line: str) -> None:
    assert spell(action) == line


def test_usage_shows_what_may_be_left_out() -> None:
    assert usage(CODEC, "draw") == "draw DECK CARDS"
    assert usage(CODEC, "use") == "use SEAT CARD [HEX] [PAY] [TWICE] [LEVEL] [PAIR]"


texts = st.text(max_size=5) | st.sampled_from(["-", "a=b", "seat=A", "[", "{", "a,b", "yes", "3", "c4"])
amounts = st.dictionaries(texts, st.integers(-9, 99), max_size=3)
actions = st.one_of(
    st.builds(Bid, texts, st.integers()),
    st.builds(Draw, texts, st.lists(texts, max_size=3).map(tuple), texts | st.just(TABLE)),
    st.builds(PayWild, texts, amounts),
    st.builds(
        Use,
        texts,
        texts,
        texts | st.none(),
        amounts | st.none(),
        st.booleans(),
        st.sampled_from(["low", 3]),
        st.tuples(texts, st.integers(0, 9)),
    ),
)


@given(actions)
def test_every_action_is_spelled_so_that_it_reads_back(action: Action) -> None:
    assert parse(CODEC, [spell(action)]) == action


def test_a_seat_may_be_called_by_its_name() -> None:
    names = {"A": "Ann", "B": "Mary Lou"}
    assert parse(CODEC, ["bid Ann 3"], names) == Bid("A", 3)
    assert parse(CODEC, ["bid 'Mary Lou' 3"], names) == Bid("B", 3)
    assert parse(CODEC, ["bid", "B", "3"], names) == Bid("B", 3)
    assert parse(CODEC, ["draw locomotives L01"], names) == Draw("locomotives", ("L01",))
    with pytest.raises(NotUnderstood, match=r"there is no seat 'C'; there are: A \(Ann\), B \(Mary Lou\)"):
        parse(CODEC, ["bid C 3"], names)


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        (("R1", "R22"), "draw routes R?,R?"),
        (("R1", "S2"), "draw routes ?,?"),
        (("one", "two"), "draw routes ?,?"),
    ],
)
def test_an_action_with_blanks(cards: tuple[str, ...], line: str) -> None:
    assert blank(Draw("routes", cards)) == line
