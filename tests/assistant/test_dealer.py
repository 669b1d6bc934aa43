"""The virtual dealer: outside the state, the same again for the same seed, anew after an undo."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from assistant.actions import TABLE
from assistant.dealer import Dealer
from assistant.journal import MemoryJournal
from assistant.random_play import play
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted
from tests import properties
from tests.toys.shelf import NAMES, toy

pytestmark = pytest.mark.usefixtures("toys")


def dealt(seed: str, name: str = "toy_shunt", rng: random.Random | None = None) -> Referee[object]:
    """A whole game whose players choose by `rng` and whose table is the dealer."""
    game, dealer, rng = toy(name), Dealer(seed), rng or random.Random(1)
    referee = Referee.new(game, MemoryJournal(header_for(game), secret=seed, now=lambda: "then"))
    while asked := game.acting(referee.state):
        if asked[0].seat == TABLE:
            action = dealer.next(game, referee.state, referee.seq + 1)
            assert action is not None
        else:
            action = rng.choice(
                [
                    a
                    for offer in game.offers(referee.state, asked[0].seat)
                    for a in [properties.any_of(offer, rng)]
                ]
            )
        assert isinstance(referee.submit(action), Accepted)
    return referee


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_deals_the_same_game_to_the_byte(name: str) -> None:
    one, same, other = dealt("seed", name), dealt("seed", name), dealt("other", name)
    assert one.journal.head == same.journal.head
    assert one.journal.head != other.journal.head


def test_a_resumed_game_is_dealt_as_it_would_have_been() -> None:
    game, dealer = toy("toy_shunt"), Dealer("seed")
    referee = Referee.new(game, MemoryJournal(header_for(game), secret="seed"))
    referee.submit(*dealer.inputs(game, referee.state, referee.seq + 1))
    referee.submit(game.codec.from_json({"do": "end_turn", "seat": "A"}))
    later = Referee.resume(referee.journal)
    first, second = (
        Dealer(here.journal.secret).next(here.game, here.state, here.seq + 1) for here in (referee, later)
    )
    assert first is not None
    assert second is not None
    assert game.codec.to_json(first) == later.game.codec.to_json(second)


def test_every_input_due_is_one_ruling() -> None:
    game, dealer = toy("toy_shunt", 3), Dealer("seed")
    referee = Referee.new(game, MemoryJournal(header_for(game)))
    ruling = referee.submit(*dealer.inputs(game, referee.state, referee.seq + 1))
    assert isinstance(ruling, Accepted)
    assert ruling.seq == 3
    assert dealer.next(game, referee.state, referee.seq + 1) is None
    assert [acting.seat for acting in game.acting(referee.state)] == ["A"]


def test_what_was_undone_is_dealt_anew() -> None:
    game = toy("toy_shunt")
    hands = set()
    for seed in range(8):
        dealer = Dealer(str(seed))
        referee = Referee.new(game, MemoryJournal(header_for(game)))
        first = dealer.next(game, referee.state, 1)
        assert first is not None
        referee.submit(first)
        referee.undo(TABLE, steps_done=True)
        second = dealer.next(game, referee.state, referee.seq + 1)
        hands.add(first == second)
        assert dealer.next(game, referee.state, referee.seq + 1) == second
    assert False in hands


def test_randomness_depends_on_seed_deck_and_number_alone() -> None:
    draws = {
        (seed, deck, seq): Dealer(seed).rng(deck, seq).random()
        for seed in ("a", "b")
        for deck in ("locomotives", "carriages")
        for seq in (1, 2)
    }
    assert len(set(draws.values())) == 8
    assert all(Dealer(s).rng(d, n).random() == value for (s, d, n), value in draws.items())
    # Not only on this machine: the same everywhere.
    assert Dealer("a").rng("deck", 1).randrange(10**6) == 597588


def test_a_dealer_does_not_give_itself_away() -> None:
    dealer = Dealer("secret")
    assert repr(dealer) == "Dealer(...)"
    for attempt in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="not copied or saved"):
            attempt(dealer)


def test_open_decks_are_drawn_lazily_by_the_same_dealer() -> None:
    game = toy("toy_yard")
    assert play(game, random.Random(1)).counts["roll"] == 8
    values = {Dealer("seed").next(game, game.start(), seq) for seq in range(1, 30)}
    assert len(values) == 3
