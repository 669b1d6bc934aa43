"""The cards as they really lie, beside a referee who is not told: hands, draws, what is taken back."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from assistant.dealing import Deal
from assistant.game import Game, find_title
from assistant.hidden import Truth, Untrue
from assistant.journal import MemoryJournal
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted
from tests.hands import step
from tests.toys.shelf import toy

pytestmark = pytest.mark.usefixtures("toys")

LONGEST = 4000


def trains(seats: int, **options: str) -> Game[Any]:
    title = find_title("trains")
    return title.open(title.load_pack("kestrel_bay"), seats, options)


GAMES = {
    "shunt": lambda: toy("toy_shunt", 3),
    "trains": lambda: trains(2),
    "trains, private": lambda: trains(3, clean_up="private"),
    "trains, at once": lambda: trains(2, rail_mode="immediate"),
}


def check(referee: Referee[Any], truth: Truth) -> None:
    """What the record says of the cards is true, and it names no card that only one seat has seen."""
    truth.follow(referee)
    for seat, cards in referee.state.cards.items():
        real = truth.state.cards[seat]
        for name, zone in cards.zones.items():
            assert zone.size == real[name].size
            known = Counter(k.card for k in zone.named)
            assert known <= Counter(real[name].names) + Counter(real.pool if real[name].unnamed else {})


def begun(name: str, seed: str) -> tuple[Referee[Any], Truth]:
    game = GAMES[name]()
    referee = Referee.new(game, MemoryJournal(header_for(game)))
    return referee, Truth(game, seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_game_with_real_hands_is_played_to_its_end(name: str, seed: str) -> None:
    referee, truth = begun(name, seed)
    rng, unnamed = random.Random(seed), 0
    for _ in range(LONGEST):
        if referee.game.finished(referee.state):
            break
        step(referee, truth, rng)
        check(referee, truth)
        unnamed += sum(cards["hand"].unnamed for cards in referee.state.cards.values())
    assert referee.game.finished(referee.state)
    assert referee.game.totals(referee.state) == referee.game.totals(truth.state)
    assert unnamed > 50
    draws = [action for action in referee.actions if isinstance(action, Deal)]
    assert draws
    assert not any(draw.cards for draw in draws)


@pytest.mark.parametrize("name", ["shunt", "trains"])
def test_what_is_taken_back_is_hidden_again(name: str) -> None:
    referee, truth = begun(name, "back")
    rng, taken = random.Random("back"), 0
    for _ in range(300):
        if referee.game.finished(referee.state):
            break
        step(referee, truth, rng)
        if rng.random() < 0.2:
            seat, steps = rng.choice(referee.game.seats), rng.randint(1, 3)
            terms = referee.undo_terms(seat, steps)
            if terms.entries:
                answer = referee.undo(seat, steps, consents=terms.consents, steps_done=True)
                assert isinstance(answer, Accepted)
                taken += 1
                if rng.random() < 0.5 and referee.can_redo:
                    referee.redo(seat)
        check(referee, truth)
    assert taken > 5


def test_the_same_seed_draws_the_same_hands() -> None:
    hands = []
    for seed in ("one", "one", "two"):
        referee, truth = begun("trains", seed)
        rng = random.Random(0)
        while any(not truth.state.cards[seat]["hand"].size for seat in referee.game.seats):
            step(referee, truth, rng)
            truth.follow(referee)
        hands.append([truth.holds(seat) for seat in referee.game.seats])
    assert hands[0] == hands[1] != hands[2]


def test_a_card_that_is_not_in_the_hand_is_told() -> None:
    referee, truth = begun("trains", "lie")
    rng = random.Random("lie")
    while referee.game.acting(referee.state)[0].why != "turn":
        step(referee, truth, rng)
    truth.follow(referee)
    seat = referee.game.acting(referee.state)[0].seat
    owned = referee.game.pack.content.setup.start_deck
    lacks = next(card for card, count in owned.items() if truth.holds(seat).count(card) < count)
    for _ in range(owned[lacks] - truth.holds(seat).count(lacks) + len(truth.holds(seat))):
        play = referee.game.codec.from_json({"do": "play", "seat": seat, "card": lacks})
        # The referee cannot know: the seat owns such a card. The cards on the table do.
        assert isinstance(referee.submit(play), Accepted)
        if truth.holds(seat).count(lacks) == 0:
            break
        truth.follow(referee)
    with pytest.raises(Untrue, match="TR-VIS-3"):
        truth.follow(referee)


def test_a_game_from_the_middle_deals_the_hands_that_are_not_known() -> None:
    referee, truth = begun("trains", "middle")
    rng = random.Random("middle")
    for _ in range(120):
        step(referee, truth, rng)
    game, given = referee.game, referee.game.to_position(referee.state)
    later = Truth(game, "later", given)  # type: ignore[arg-type]
    for seat in game.seats:
        assert len(later.holds(seat)) == referee.state.cards[seat]["hand"].size
    record = Referee.new(game, MemoryJournal(header_for(game)), given)
    for _ in range(60):
        step(record, later, rng)
        check(record, later)
    facts = {"seats.A.track": 7}
    assert isinstance(record.correct(facts, game.seats), Accepted)
    check(record, later)
    assert later.state.track[0] == 7
