"""Whole games at the table by buttons alone, with cards from the virtual dealer."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.actions import TABLE
from assistant.choosing import Choice
from assistant.dealer import Dealer
from assistant.dealing import Deal
from assistant.game import Game, find_title
from assistant.journal import MemoryJournal
from assistant.messages import Command, Holding, Press
from assistant.referee import Referee, header_for, replay
from assistant.table import Table
from tests.toys.shelf import toy

LONGEST = 4000


def railway_boom(players: int = 2) -> Game[Any]:
    title = find_title("railway_boom")
    return title.open(title.load_pack(title.default_pack), players)


def table(game: Game[Any], seed: str = "buttons") -> Table:
    journal = MemoryJournal(header_for(game), secret=seed)
    return Table(Referee.new(game, journal), clock=lambda: 0.0, dealer=Dealer(seed))


def choice(judge: Table, seat: str) -> Choice:
    return next(c for c in judge.view.choices if c.seat == seat)


def point(judge: Table, seat: str, index: int) -> None:
    """Press plus until the cursor stands on an option."""
    for _ in range(len(choice(judge, seat).options) + 1):
        if choice(judge, seat).at == index:
            return
        judge.handle(Press("plus", seat))
    raise AssertionError(f"plus never comes to {choice(judge, seat).options[index]}")


def press(judge: Table, rng: random.Random, free: float = 0.05) -> None:
    """Somebody who is asked presses buttons for one of the options."""
    asked = rng.choice([one for one in judge.view.choices if one.why])
    some = [n for n, o in enumerate(asked.options) if not o.free and (o.role != "back" or rng.random() < 0.1)]
    if rng.random() < free or not some:
        some = list(range(len(asked.options)))
    index = rng.choice(some)
    option = asked.options[index]
    if option.locks:
        judge.handle(Press("ok", asked.seat, held=True))
    elif option.ends and len({acting.seat for acting in judge.view.acting}) == 1:
        judge.handle(Press("next"))
    else:
        point(judge, asked.seat, index)
        judge.handle(Press("ok", asked.seat))


def kinds(judge: Table) -> set[str]:
    return {notice.kind for notice in judge.view.notices}


@pytest.mark.parametrize(
    "game",
    [toy("toy_shunt"), toy("toy_yard"), toy("toy_yard", 3), railway_boom(), railway_boom(4)],
    ids=["shunt", "yard", "yard of three", "railway boom", "railway boom of four"],
)
@pytest.mark.usefixtures("toys")
def test_a_whole_game_by_buttons(game: Game[Any]) -> None:
    judge, rng = table(game), random.Random(11)
    forms: set[str] = set()
    undone = 0
    for _ in range(LONGEST):
        if judge.view.finished:
            break
        press(judge, rng)
        forms |= {c.kind for c in judge.view.choices if c.kind}
        if rng.random() < 0.05 and judge.view.undo is not None and not judge.view.undo.tells:
            by = judge.view.undo_by
            judge.handle(Press("next", held=True))
            for seat in judge.view.asking.needs if judge.view.asking is not None else ():
                judge.handle(Press("ok", seat))
            assert judge.view.history[-1].kind == "undo"
            assert judge.view.history[-1].by == by
            undone += 1
        assert kinds(judge) <= {"recorded"}
    assert judge.view.finished
    assert judge.view.places
    assert judge.view.acting == ()
    assert judge.view.sheet is not None
    if game.title.id != "toy_shunt":  # which has no forms for its seats
        assert forms
    assert undone or game.title.id == "toy_shunt"
    for done in replay(judge.referee.journal):
        assert not done.differs


def test_buttons_undo_what_others_agreed_to() -> None:
    judge = table(toy("toy_yard"))
    game = judge.referee.game
    judge.handle(Command("try", "A", {"action": {"do": "place", "space": "mint", "coins": 0, "goods": 0}}))
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    before = game.to_position(judge.referee.state)
    form = {"do": "place", "seat": "B", "space": "mint", "coins": 0, "goods": 0}
    judge.handle(Command("ask_overrule", "B", {"action": form}))
    asking = judge.view.asking
    assert asking is not None
    assert (asking.needs, asking.given, asking.waived) == (("A", "B"), ("B",), ("TW-5",))
    assert asking.violation is not None
    assert asking.violation.rule == "TW-5"
    assert [o.role for o in choice(judge, "A").options] == ["agree", "decline"]
    judge.handle(Press("ok", "A"))
    assert judge.view.history[-1].kind == "overrule"
    judge.handle(Press("next", held=True))
    assert judge.view.asking is not None
    assert judge.view.asking.needs == ("A", "B")
    judge.handle(Press("plus", "A"))
    judge.handle(Press("ok", "A"))
    assert judge.view.asking is None
    assert judge.view.notices[-1].kind == "declined"
    judge.handle(Press("next", held=True))
    judge.handle(Press("ok", "A"))
    judge.handle(Press("ok", "B"))
    assert judge.view.history[-1].kind == "undo"
    assert game.to_position(judge.referee.state) == before


def test_next_held_asks_the_seat_of_the_last_step_before_it_is_taken_back() -> None:
    judge = table(toy("toy_yard"))
    judge.handle(Command("try", "A", {"action": {"do": "place", "space": "mint", "coins": 0, "goods": 0}}))
    seq = judge.view.seq
    judge.handle(Press("next", held=True))
    assert judge.view.seq == seq
    assert judge.view.asking is not None
    assert (judge.view.asking.by, judge.view.asking.needs) == ("A", ("A",))
    judge.handle(Press("ok", "B"))
    assert judge.view.seq == seq
    judge.handle(Press("ok", "A"))
    assert (judge.view.history[-1].kind, judge.view.history[-1].by) == ("undo", "A")


def test_going_on_to_take_back_asks_the_seat_whose_step_it_is() -> None:
    judge = table(toy("toy_yard"))
    judge.handle(Command("try", "A", {"action": {"do": "place", "space": "mint", "coins": 0, "goods": 0}}))
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    seat = judge.view.acting[0].seat
    assert seat == "B"
    judge.handle(Command("try", "B", {"action": {"do": "end_turn"}}))
    judge.handle(Command("ask_undo", judge.view.undo_by, {"steps": 1}))
    assert judge.view.asking is None
    assert (judge.view.history[-1].kind, judge.view.history[-1].by) == ("undo", "B")
    assert judge.view.undo_by == "B"
    judge.handle(Command("ask_undo", judge.view.undo_by, {"steps": 1}))
    assert judge.view.asking is not None
    assert (judge.view.asking.by, judge.view.asking.needs) == ("B", ("A",))


def test_next_held_again_asks_no_longer() -> None:
    judge = table(toy("toy_yard"))
    judge.handle(Command("try", "A", {"action": {"do": "place", "space": "mint", "coins": 0, "goods": 0}}))
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    judge.handle(Command("ask_undo", "B", {"steps": 2}))
    assert judge.view.asking is not None
    judge.handle(Press("next", held=True))
    assert judge.view.asking is None


def test_ok_does_nothing_before_somebody_pointed() -> None:
    judge = table(railway_boom())
    until(judge, "locomotive")
    (asked,) = [c for c in judge.view.choices if c.why]
    assert asked.at is None
    seq = judge.view.seq
    judge.handle(Press("ok", asked.seat))
    judge.handle(Press("ok", asked.seat, held=True))
    assert judge.view.seq == seq
    judge.handle(Press("plus", asked.seat))
    assert choice(judge, asked.seat).at == 0
    judge.handle(Press("ok", asked.seat))
    assert judge.view.seq > seq


def until(judge: Table, why: str) -> None:
    rng = random.Random(5)
    while why not in {acting.why for acting in judge.view.acting}:
        press(judge, rng, free=0)


def test_ok_bids_and_only_a_long_press_locks_in() -> None:
    judge = table(railway_boom())
    until(judge, "bid")
    (asked,) = [c for c in judge.view.choices if c.why]
    assert asked.at == 0
    assert asked.options[0].kind == "bid"
    seen = set()
    for _ in asked.options:
        judge.handle(Press("plus", asked.seat))
        seen.add(choice(judge, asked.seat).chosen.kind)  # type: ignore[union-attr]
    assert "confirm" not in seen
    judge.handle(Press("ok", asked.seat))
    assert judge.view.history[-1].action.kind == "bid"  # type: ignore[union-attr]
    other = judge.view.acting[0].seat
    judge.handle(Press("ok", asked.seat, held=True))  # not its turn: it has nothing to lock in
    assert judge.view.acting[0].seat == other
    judge.handle(Press("ok", other, held=True))
    assert judge.view.history[-1].action.kind == "confirm"  # type: ignore[union-attr]


def test_next_does_not_pass_by_what_must_be_done() -> None:
    """S02: who won the auction acts, and the compulsory step cannot be ended away."""
    judge = table(railway_boom(4))
    until(judge, "bid")
    values: dict[str, int] = {}
    # The third to bid wins: it goes highest, everybody else stays where they are.
    third = [strip.seat for strip in judge.view.display.strips][2]  # type: ignore[union-attr]
    while judge.view.acting[0].why == "bid":
        seat = judge.view.acting[0].seat
        asked = choice(judge, seat)
        bids = [n for n, o in enumerate(asked.options) if o.kind == "bid"]
        if seat == third and seat not in values and bids:
            point(judge, seat, bids[-1])
            values[seat] = asked.options[bids[-1]].action.space  # type: ignore[union-attr]
            judge.handle(Press("ok", seat))
        else:
            judge.handle(Press("ok", seat, held=True))
    assert values
    assert judge.view.acting[0].seat == third
    assert judge.view.acting[0].why == "locomotive"
    seq = judge.view.seq
    judge.handle(Press("next"))
    assert judge.view.seq == seq
    assert not any(option.ends for option in choice(judge, third).options)
    point(judge, third, 0)
    judge.handle(Press("ok", third))
    judge.handle(Press("next"))
    assert judge.view.acting[0].seat != third


def test_next_does_nothing_while_several_act() -> None:
    judge, rng = table(railway_boom(4)), random.Random(5)
    while len({acting.seat for acting in judge.view.acting}) == 1:
        press(judge, rng, free=0)
    assert judge.view.acting
    seq, notices = judge.view.seq, judge.view.notices
    judge.handle(Press("next"))
    assert judge.view.seq == seq
    assert judge.view.notices == notices


def test_whoever_is_asked_to_agree_does_nothing_else_by_button() -> None:
    judge = table(railway_boom())
    until(judge, "train")
    acting = judge.view.acting[0].seat
    assert any(option.ends for option in choice(judge, acting).options)
    other = "B" if acting == "A" else "A"
    facts = {f"seats.{other}.money": 30}
    judge.handle(Command("ask_correct", other, {"facts": facts}))
    assert judge.view.asking is not None
    seq = judge.view.seq
    judge.handle(Press("next"))
    assert judge.view.seq == seq
    judge.handle(Press("next", held=True))
    until(judge, "bid")
    bidder = judge.view.acting[0].seat
    judge.handle(Command("ask_correct", "A" if bidder == "B" else "B", {"facts": facts}))
    assert judge.view.asking is not None
    seq = judge.view.seq
    judge.handle(Press("ok", bidder, held=True))
    assert judge.view.seq == seq


def test_buttons_that_are_held_are_shown() -> None:
    judge = table(toy("toy_yard"))
    down = Holding("ok", "A", 1.0, 2.0)
    judge.handle(down)
    judge.handle(Holding("ok", "B", 1.0, 2.0))
    assert [one.seat for one in judge.view.holding] == ["A", "B"]
    judge.handle(Press("ok", "B", held=True))
    judge.handle(Holding("ok", "A", 1.0, 2.0, down=False))
    assert judge.view.holding == ()


def test_what_the_dealer_draws_for_a_hidden_hand_reaches_no_view() -> None:
    judge = table(toy("toy_shunt"))
    rng = random.Random(2)
    for _ in range(8):
        press(judge, rng)
    dealt = [a for a in judge.referee.actions if isinstance(a, Deal) and a.cards]
    assert dealt
    shown = [n.action for n in judge.view.notices] + [w.action for w in judge.view.history]
    assert judge.view.undo is not None
    shown += judge.view.undo.actions
    told = [a for a in shown if isinstance(a, Deal)]
    assert told
    assert not any(action.cards for action in told)


def test_the_dealer_deals_at_once_and_after_every_ruling() -> None:
    judge = table(railway_boom())
    assert TABLE not in {acting.seat for acting in judge.view.acting}
    assert judge.view.seq > 0
    assert judge.view.undo is None  # there is nothing of anybody's to take back
