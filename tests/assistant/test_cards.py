"""Knowing and not knowing: the record against a table where every card has its true place."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from assistant import cards as c
from assistant.cards import Cards, Impossible, Known, Zone
from assistant.dealer import top

DECK = ["rail", "rail", "rail", "train", "train", "waste"]
ZONES = ("hand", "play", "discard")


def fresh() -> Cards:
    return c.of(ZONES, "deck", DECK)


def named(cards: Cards, zone: str) -> list[tuple[str, int | None]]:
    return [(known.card, known.at) for known in cards[zone].named]


# --- the sentences of the kernel -----------------------------------------------------------------


def test_drawing_moves_unnamed_cards_and_they_share_one_pool() -> None:
    cards = c.draw(fresh(), "deck", "hand", 2)
    assert (cards["hand"], cards["deck"]) == (Zone(unnamed=2), Zone(unnamed=4))
    assert cards.pool == {"rail": 3, "train": 2, "waste": 1}
    assert c.candidates(cards, "hand") == ("rail", "train", "waste")
    assert c.candidates(cards, "play") == ()


def test_a_reveal_names_a_card_and_takes_it_from_the_pool() -> None:
    cards = c.reveal(c.draw(fresh(), "deck", "hand", 2), "hand", "waste")
    assert named(cards, "hand") == [("waste", None)]
    assert cards.pool == {"rail": 3, "train": 2}
    assert not c.may_hold(cards, "deck", ["waste"])
    with pytest.raises(Impossible, match="waste cannot lie in deck"):
        c.reveal(cards, "deck", "waste")


def test_when_all_unnamed_cards_lie_in_one_zone_they_are_named_there() -> None:
    cards = c.draw(fresh(), "deck", "hand", 2)
    cards = c.reveal(c.reveal(cards, "hand", "rail"), "hand", "rail")
    assert cards.pool == {}
    assert named(cards, "deck") == [("rail", None), ("train", None), ("train", None), ("waste", None)]


def test_a_shuffle_returns_names_to_the_pool() -> None:
    cards = c.draw(fresh(), "deck", "hand", 3)
    cards = c.put(c.take(cards, "hand", "train"), "deck", "train", "top")
    assert named(cards, "deck") == [("train", 0)]
    assert c.shuffle(cards, "deck").pool == {"rail": 3, "train": 2, "waste": 1}
    # With nothing unnamed elsewhere the pile's cards are known, and only their order is not.
    assert named(c.shuffle(c.gather(cards, "deck", "hand"), "deck"), "deck") == [(n, None) for n in DECK]


def test_positions_move_with_what_is_drawn_and_put() -> None:
    cards = c.draw(fresh(), "deck", "hand", 3, ["rail", "train", "waste"])
    cards = c.move(cards, "hand", "deck", "waste", "top")
    cards = c.move(cards, "hand", "deck", "train", "under")
    cards = c.move(cards, "hand", "deck", "rail", "top")
    assert [known for known in named(cards, "deck") if known[1] is not None] == [
        ("rail", 0),
        ("waste", 1),
        ("train", 5),
    ]
    assert c.may_lie_at(cards, "deck", ["rail", "waste", "train"])
    assert not c.may_lie_at(cards, "deck", ["rail", "rail"])
    cards = c.draw(cards, "deck", "hand", 2)
    assert named(cards, "hand") == [("rail", None), ("waste", None)]
    assert ("train", 3) in named(cards, "deck")


def test_drawing_from_a_pile_of_unknown_order_makes_its_cards_unnamed() -> None:
    cards = fresh()
    assert cards.pool == {}
    assert c.draw(cards, "deck", "hand", 1).pool == {"rail": 3, "train": 2, "waste": 1}
    assert named(c.draw(cards, "deck", "hand", 6), "hand") == [(name, None) for name in DECK]


def test_a_reveal_is_met_in_parts_around_a_shuffle() -> None:
    assert (c.parts(3, 5), c.parts(3, 1), c.parts(3, 0)) == ((3, 0), (1, 2), (0, 3))


def test_what_cannot_be_is_said() -> None:
    cards = c.draw(fresh(), "deck", "hand", 2)
    for wrong in (
        lambda: c.draw(cards, "deck", "hand", 5),
        lambda: c.draw(cards, "deck", "hand", 1, ["rail", "rail"]),
        lambda: c.draw(cards, "deck", "hand", 2, ["waste", "waste"]),
        lambda: c.reveal(cards, "deck", "rail", 4),
        lambda: c.take(cards, "play", "rail"),
        lambda: c.slip(cards, "play", "deck"),
        lambda: top(cards, "deck", 5, random.Random(1)),
    ):
        with pytest.raises(Impossible):
            wrong()
    assert not c.may_hold(cards, "hand", ["rail", "rail", "rail"])
    assert not c.may_hold(cards, "hand", ["waste", "waste"])
    assert c.may_hold(cards, "hand", ["rail", "waste"])
    assert not c.may_lie_at(cards, "deck", ["rail"], at=4)


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        (Cards({"deck": Zone(unnamed=2)}, {"rail": 1}), "2 unnamed cards, but the pool has 1"),
        (Cards({"deck": Zone()}, {"rail": 0}), "the pool has 0 of rail"),
        (Cards({"deck": Zone(unnamed=-1), "hand": Zone(unnamed=1)}), "deck has -1 unnamed cards"),
        (Cards({"deck": Zone((Known("a", 0), Known("b", 0)))}), "deck has two cards at one position"),
        (Cards({"deck": Zone((Known("a", 1),))}), "deck has no position 1"),
    ],
)
def test_faults_of_a_record_are_listed(cards: Cards, says: str) -> None:
    assert any(fault.startswith(says) for fault in c.faults(cards))


def test_equal_zones_are_equal_in_whatever_order_they_are_told() -> None:
    told = [Known("b"), Known("a"), Known("c", 0), Known("b", to=("A",))]
    assert Zone(tuple(told)) == Zone(tuple(reversed(told)))
    assert Zone(tuple(told)).names == ("c", "a", "b", "b")


# --- who knows what ------------------------------------------------------------------------------


def test_a_secret_draw_takes_from_the_others_what_they_could_have_told() -> None:
    cards = c.draw(fresh(), "deck", "hand", 2, ["waste", "rail"], to=("A",))
    assert named(c.seen_by(cards, "A"), "hand") == [("rail", None), ("waste", None)]
    assert named(c.seen_by(cards, "A"), "deck") == [
        ("rail", None),
        ("rail", None),
        ("train", None),
        ("train", None),
    ]
    others = c.seen_by(cards, "B")
    assert others == Cards(
        {"hand": Zone(unnamed=2), "play": Zone(), "discard": Zone(), "deck": Zone(unnamed=4)},
        {"rail": 3, "train": 2, "waste": 1},
    )


def test_a_peek_is_for_one_seat_and_laying_open_for_all() -> None:
    cards = c.reveal(c.draw(fresh(), "deck", "hand", 1), "deck", "waste", 0, to=("A",))
    assert named(c.seen_by(cards, "A"), "deck") == [("waste", 0)]
    assert named(c.seen_by(cards, "B"), "deck") == []
    both = c.reveal(cards, "deck", "waste", 0, to=("B",))
    assert both["deck"].named[0].to == ("A", "B")
    assert named(c.seen_by(c.show(cards, "deck"), "C"), "deck") == [("waste", 0)]


def test_a_card_moved_in_secret_may_be_any_of_those_seen_before() -> None:
    cards = c.draw(fresh(), "deck", "hand", 2, ["rail", "train"])
    cards = c.move(cards, "hand", "deck", "train", "top", to=("A",))
    assert named(c.seen_by(cards, "A"), "deck")[0] == ("train", 0)
    assert c.may_lie_at(c.seen_by(cards, "B"), "deck", ["rail"])
    assert c.slip(cards, "hand", "play")["play"].size == 1


class Table:
    """Where every card really lies; the top of a pile comes first."""

    def __init__(self, order: list[str]) -> None:
        self.zones: dict[str, list[str]] = {"deck": order, "hand": [], "play": [], "discard": []}


def fits(cards: Cards, table: Table) -> None:
    """What the record says is true."""
    rest: Counter[str] = Counter()
    assert not c.faults(cards)
    for zone, true in table.zones.items():
        here = cards[zone]
        assert here.size == len(true)
        assert all(true[known.at] == known.card for known in here.named if known.at is not None)
        left = Counter(true)
        left.subtract(here.names)
        assert min(left.values(), default=0) >= 0
        rest.update(left)
        assert c.may_hold(cards, zone, true)
    assert +rest == Counter(cards.pool)


VIEWERS = ("public", "A", "B")
MOVES = (
    "draw",
    "draw open",
    "draw blind",
    "peek",
    "look",
    "play",
    "shed",
    "back",
    "hide",
    "slip",
    "shuffle",
    "show",
)


def move(
    cards: Cards, table: Table, what: str, rng: random.Random
) -> tuple[Cards, dict[str, tuple[str, ...]]]:
    """One thing that happens at a table, done to both. Gives also what every viewer saw of it."""
    zones, to = table.zones, rng.choice((("A",), ("B",), ("A", "B")))
    deck, hand = zones["deck"], zones["hand"]
    count = min(len(deck), rng.randrange(1, 4))
    place = rng.randrange(len(hand)) if hand else 0
    opened: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    if what.startswith("draw"):
        names = deck[:count]
        if what == "draw blind":
            cards = c.draw(cards, "deck", "hand", count)
        elif what == "draw open":
            opened, cards = tuple(names), c.draw(cards, "deck", "hand", count, names)
        else:
            secret, cards = tuple(names), c.draw(cards, "deck", "hand", count, names, to)
        hand += names
        del deck[:count]
    elif what == "look" and deck:
        opened, cards = (deck[0],), c.reveal(cards, "deck", deck[0], 0)
    elif what == "peek" and deck:
        secret, cards = (deck[0],), c.reveal(cards, "deck", deck[0], 0, to)
    elif what in ("play", "shed", "back", "hide", "slip") and hand:
        card = hand.pop(place)
        target = {"play": "play", "shed": "discard"}.get(what, "deck")
        if what == "slip":
            cards = c.slip(cards, "hand", "deck", "top")
        elif what == "hide":
            secret, cards = (card,), c.move(cards, "hand", "deck", card, "top", to)
        else:
            opened = (card,)
            cards = c.move(cards, "hand", target, card, "under" if target == "deck" else "anywhere")
        zones[target].insert(len(deck) if what == "back" else 0, card)
    elif what == "shuffle":
        cards = c.shuffle(c.gather(cards, "deck", "discard"), "deck")
        deck += zones["discard"]
        zones["discard"] = []
        rng.shuffle(deck)
    elif what == "show" and hand:
        cards = c.show(cards, "hand")
        opened = tuple(sorted(hand))
        for name in (Counter(hand) - Counter(cards["hand"].names)).elements():
            cards = c.reveal(cards, "hand", name)
    return cards, {viewer: opened + (secret if viewer in to else ()) for viewer in VIEWERS}


def test_the_record_is_true_whatever_happens() -> None:
    for seed in range(120):
        rng = random.Random(seed)
        order = DECK.copy()
        rng.shuffle(order)
        cards, table = fresh(), Table(order)
        for _ in range(25):
            cards, _seen = move(cards, table, rng.choice(MOVES), rng)
            fits(cards, table)
            assert c.owned(cards) == Counter(DECK)
            for viewer in VIEWERS:
                fits(c.seen_by(cards, viewer), table)
            assert msgspec.json.decode(msgspec.json.encode(cards), type=Cards) == cards


@pytest.mark.parametrize("viewer", VIEWERS)
def test_two_tables_that_differ_only_in_what_a_viewer_did_not_see_look_alike_to_it(viewer: str) -> None:
    """The same happens at two tables whose cards lie otherwise; what the viewer sees is the same at both."""
    compared = differing = 0
    for seed in range(150):
        rng = random.Random(seed)
        here, there = (fresh(), Table(rng.sample(DECK, 6))), (fresh(), Table(rng.sample(DECK, 6)))
        for step in range(20):
            what = rng.choice(MOVES)
            tries = []
            for cards, table in (here, there):
                copy = Table([])
                copy.zones = {zone: list(true) for zone, true in table.zones.items()}
                after, seen = move(cards, copy, what, random.Random(f"{seed} {step}"))
                tries.append((after, copy, seen[viewer]))
            if tries[0][2] == tries[1][2]:
                here, there = tries[0][:2], tries[1][:2]
                assert c.seen_by(here[0], viewer) == c.seen_by(there[0], viewer), what
                compared += 1
                differing += here[0] != there[0]
    assert compared > 500
    assert differing > 200


def test_the_dealer_finds_every_order_equally_often() -> None:
    cards = c.reveal(c.draw(c.of(("hand",), "deck", "aabcd"), "deck", "hand", 1, ["d"]), "deck", "b", 1)
    rng = random.Random(1)
    found = Counter(top(cards, "deck", 3, rng) for _ in range(6000))
    assert set(found) == {("a", "b", "a"), ("a", "b", "c"), ("c", "b", "a")}
    assert all(1800 < count < 2200 for count in found.values())
    # Cards in a hand and in the deck are alike until somebody looks.
    blind = c.draw(c.of(("hand",), "deck", "aab"), "deck", "hand", 1)
    found = Counter(top(blind, "deck", 1, rng) for _ in range(3000))
    assert 900 < found["b",] < 1100


def test_drawing_named_cards_at_once_gives_what_card_by_card_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way through `draw` against the long one, on cards as play leaves them."""
    rng, compared = random.Random(7), 0
    short = c._drawn
    for _ in range(400):
        cards = fresh()
        for _ in range(rng.randrange(8)):
            count = rng.randint(0, cards["deck"].size)
            names = top(cards, "deck", count, rng)[: rng.choice((0, count))]
            cards = c.draw(cards, "deck", "hand", count, names, rng.choice((None, ("A",), ("B",))))
            if rng.random() < 0.5:
                cards = c.shuffle(c.gather(cards, "deck", *rng.sample(ZONES, 2)), "deck")
        count = rng.randint(0, cards["deck"].size)
        names, to = top(cards, "deck", count, rng), rng.choice((None, ("A",), ("B",)))
        compared += short(cards, "deck", "hand", names, to) is not None
        at_once = c.draw(cards, "deck", "hand", count, names, to)
        with monkeypatch.context() as long:
            long.setattr(c, "_drawn", lambda *_: None)
            assert c.draw(cards, "deck", "hand", count, names, to) == at_once
    assert compared > 100


def test_naming_cards_at_once_gives_what_card_by_card_gives() -> None:
    rng, learned = random.Random(8), 0
    for _ in range(400):
        cards = fresh()
        for _ in range(rng.randrange(1, 4)):
            count = rng.randint(0, min(2, cards["deck"].size))
            names = top(cards, "deck", count, rng)[: rng.choice((0, count))]
            cards = c.draw(cards, "deck", "hand", count, names, rng.choice((None, ("A",), ("A",), ("B",))))
        true = Counter(top(cards, "hand", cards["hand"].size, rng))
        true.subtract(known.card for known in cards["hand"].named if known.to is None)
        hidden = list(true.elements())
        hidden = rng.choice((hidden, rng.sample(hidden, len(hidden) // 2)))
        at_once, one_by_one = c.reveal_all(cards, "hand", hidden), cards
        for name in hidden:
            if any(known.to for known in one_by_one["hand"].named) or one_by_one["hand"].unnamed:
                one_by_one = c.reveal(one_by_one, "hand", name)
        assert at_once == one_by_one
        learned += len(hidden) > 1
    assert learned > 100
    with pytest.raises(Impossible, match="waste cannot lie in hand"):
        c.reveal_all(c.draw(fresh(), "deck", "hand", 3), "hand", ["waste", "waste"])
