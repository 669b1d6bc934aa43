"""The table and its record: agreements, clocks, a failing journal, faults; the cases S01, S07, S08, P05."""

from __future__ import annotations

import itertools
import logging
import random
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from assistant.actions import TABLE
from assistant.choosing import Choice, Option
from assistant.dealer import Dealer
from assistant.game import Game, find_title
from assistant.games.railway_boom.actions import PlaceRT, PlaceStation
from assistant.journal import Journal, JournalIOError, JournalUnwritable, MemoryJournal
from assistant.layout import Scene
from assistant.messages import Command, PanelState, PanelStatus, Press, Saw, Tick, Touch
from assistant.observation import Observation, Sighting
from assistant.reading import Difference, OutOfStep, Proposal
from assistant.referee import Referee, header_for, replay
from assistant.table import Table
from tests.toys.shelf import toy


def opened(players: int = 2) -> Game[Any]:
    title = find_title("railway_boom")
    return title.open(title.load_pack(title.default_pack), players)


GAME = opened()
YARD = toy("toy_yard")
MAT = GAME.mat()
PIECES = {piece.payload: piece for piece in MAT.pieces}
MINT = {"do": "place", "space": "mint", "coins": 0, "goods": 0}


class Time:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def table(game: Game[Any] = GAME, **more: Any) -> Table:
    journal = more.pop("journal", None) or MemoryJournal(header_for(game), secret="s")
    more.setdefault("clock", Time())
    return Table(Referee.new(game, journal), PIECES if game is GAME else {}, **more)


def dealt(game: Game[Any] = GAME, **more: Any) -> Table:
    return table(game, dealer=Dealer("s"), **more)


def choice(judge: Table, seat: str) -> Choice:
    return next(c for c in judge.view.choices if c.seat == seat)


def take(judge: Table, seat: str, option: Option) -> Command:
    chosen = choice(judge, seat)
    return Command("take", seat, {"choice": chosen.id, "index": chosen.options.index(option)})


def play_until(judge: Table, step: str, phase: str) -> None:
    """Sensible play by touch until a step of a phase."""
    rng = random.Random(5)
    while (judge.view.position["phase"], judge.view.position["step"]) != (phase, step):
        sensible(judge, rng)


def sensible(judge: Table, rng: random.Random) -> str:
    referee, game = judge.referee, judge.referee.game
    seat = judge.view.acting[0].seat
    if seat == TABLE:
        action = game.chance(referee.state, rng)
        assert action is not None
        referee.submit(action)
        judge.handle(Tick(0.0))
    else:
        judge.handle(Touch(seat, game.codec.to_json(game.sensible(referee.state, seat, rng))))
    return seat


def look(scene: Scene, *more: tuple[str, str]) -> Saw:
    lying = [(p.payload, p.space) for p in scene.placements] + [*more]
    return Saw(Observation(tuple(Sighting(p, 0, 0, 0, 3, space, "1") for p, space in lying)))


def last(judge: Table) -> str:
    return judge.view.notices[-1].kind


# --- taps ----------------------------------------------------------------------------------------


def test_one_tap_is_one_action() -> None:
    judge = dealt(YARD)
    judge.referee.submit(YARD.codec.from_json({**MINT, "seat": "A"}))
    judge.handle(Tick(0))
    goods = judge.view.position["has"]["A"]["goods"]
    assert goods >= 2
    trade = next(o for o in choice(judge, "A").options if o.kind == "trade")
    tap = take(judge, "A", trade)
    seq = judge.view.seq
    judge.handle(tap)
    judge.handle(tap)
    assert judge.view.seq == seq + 1
    assert [notice.kind for notice in judge.view.notices] == ["recorded", "recorded"]


def test_a_choice_speaks_for_its_own_seat_and_its_own_options() -> None:
    judge = dealt(YARD)
    chosen = choice(judge, "A")
    seq = judge.view.seq
    for seat, index in (("B", 0), ("A", 99), ("A", True), ("A", "0"), ("A", -1)):
        judge.handle(Command("take", seat, {"choice": chosen.id, "index": index}))
        assert last(judge) == "not_understood"
    judge.handle(Command("take", "A", {"index": 0}))
    assert judge.view.notices[-1].text == "take: 'choice' is missing"
    assert judge.view.seq == seq


def test_point_take_and_back() -> None:
    judge = dealt(YARD)
    form = choice(judge, "A").options[0]
    assert form.role == "form"
    judge.handle(Command("point", "A", {"choice": choice(judge, "A").id, "index": 0}))
    assert choice(judge, "A").chosen == form
    judge.handle(take(judge, "A", form))
    assert choice(judge, "A").kind == "place"
    judge.handle(Command("back", None, {"choice": choice(judge, "A").id}))
    assert choice(judge, "A").kind == ""
    judge.handle(take(judge, "A", form))
    mint = next(o for o in choice(judge, "A").options if o.value == "mint")
    judge.handle(take(judge, "A", mint))
    assert judge.view.history[-1].action == YARD.codec.from_json({**MINT, "seat": "A"})
    assert choice(judge, "A").kind == ""


def test_values_that_are_spaces_of_the_mat_say_so() -> None:
    judge = dealt()
    play_until(judge, "turn", "expansion")
    seat = judge.view.acting[0].seat
    stations = [o for o in choice(judge, seat).options if o.kind == "place_station"]
    assert stations
    for option in stations:
        assert isinstance(option.action, PlaceStation)
        assert option.places == (option.action.hex,)
        assert option.foresight is not None
        assert option.foresight.hint is not None


# --- agreeing ------------------------------------------------------------------------------------


def test_an_undo_past_another_seat_waits_for_that_seat_and_goes_no_further_by_itself() -> None:
    judge = dealt(YARD)
    judge.handle(Command("try", "A", {"action": MINT}))
    before = judge.view.position
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    judge.handle(Command("try", "B", {"action": {**MINT, "space": "shed"}}))
    judge.handle(Command("ask_undo", "B", {"steps": 2}))
    asking = judge.view.asking
    assert asking is not None
    assert (asking.what, asking.by, asking.needs, asking.told) == ("undo", "B", ("A",), True)
    assert [action.kind for action in asking.undone] == ["end_turn", "roll", "place"]
    judge.handle(Command("agree", "B"))  # it is not B who is asked
    assert judge.view.asking == asking
    agree = take(judge, "A", Option("agree", "undo"))
    judge.handle(agree)
    judge.handle(agree)
    assert judge.view.asking is None
    assert judge.view.position == before
    assert judge.view.redo is False  # the roll is rolled anew
    assert [w.kind for w in judge.view.history if w.kind == "undo"] == ["undo"]
    assert judge.view.history[-1].consents == ("A",)


def test_what_was_turned_up_is_put_back_first_and_the_cards_lie_with_real_people() -> None:
    judge = table(YARD)
    judge.handle(Touch(TABLE, {"do": "roll", "value": 2}))
    assert judge.view.undo_by == TABLE
    judge.handle(Command("ask_undo", TABLE))
    assert judge.view.asking is not None
    assert (judge.view.asking.told, [t.key for t in judge.view.asking.tells]) == (False, ["roll_again"])
    judge.handle(Command("told"))
    assert judge.view.asking is None
    assert judge.view.acting[0].why == "roll"


def test_what_is_asked_is_void_once_the_record_changes() -> None:
    judge = dealt(YARD)
    judge.handle(Command("try", "A", {"action": MINT}))
    judge.handle(Command("ask_correct", "A", {"facts": {"has.A.coins": 9}}))
    assert judge.view.asking is not None
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    assert judge.view.asking is None


def test_a_correction_is_agreed_on_and_one_that_cannot_be_is_refused_before_anybody_is_asked() -> None:
    judge = dealt(YARD)
    judge.handle(Command("ask_correct", "A", {"facts": {"has.A.coins": -1}}))
    assert (judge.view.asking, last(judge)) == (None, "refused")
    judge.handle(Command("ask_correct", "A", {"facts": {"has.A.coins": 1}}))
    assert judge.view.notices[-1].ruling.rule == "SM-COR-3"  # type: ignore[union-attr]
    judge.handle(Command("ask_correct", "staff", {"facts": {"has.A.coins": 9}}))
    assert judge.view.asking is not None
    assert judge.view.asking.needs == ("A", "B")
    judge.handle(Command("agree", "A"))
    judge.handle(Command("agree", "A"))
    assert judge.view.position["has"]["A"]["coins"] != 9
    judge.handle(Command("agree", "B"))
    assert judge.view.position["has"]["A"]["coins"] == 9
    assert (judge.view.history[-1].by, judge.view.undo_by) == ("staff", "staff")


@pytest.mark.parametrize(
    ("action", "waived", "rule"),
    [
        ({**MINT, "seat": "B"}, ["TW-2"], "SM-OVR-1"),
        ({**MINT, "seat": "B"}, None, "TW-2"),
        ({**MINT, "seat": "A"}, ["TW-5"], "SM-OVR-4"),
    ],
)
def test_an_overrule_that_cannot_be_is_refused_before_anybody_is_asked(
    action: dict[str, Any], waived: list[str] | None, rule: str
) -> None:
    judge = dealt(YARD)
    judge.handle(Command("ask_overrule", "A", {"action": action, "waived": waived}))
    assert judge.view.asking is None
    assert judge.view.notices[-1].ruling.rule == rule  # type: ignore[union-attr]


def test_there_is_nothing_to_take_back_at_first() -> None:
    judge = table(YARD)
    judge.handle(Command("ask_undo", "A"))
    assert judge.view.asking is None
    assert judge.view.notices[-1].ruling.rule == "SM-UNDO-1"  # type: ignore[union-attr]
    judge.handle(Command("ask_undo", "A", {"steps": 0}))
    assert last(judge) == "not_understood"


def test_a_reading_of_the_table_is_put_right_in_place() -> None:
    judge = table(YARD)
    judge.handle(Touch(TABLE, {"do": "roll", "value": 2}))
    judge.handle(Command("reread", None, {"seq": 1, "action": {"do": "roll", "value": 3}}))
    assert last(judge) == "recorded"
    assert judge.view.position["has"]["A"]["goods"] == 4
    judge.handle(Command("reread", None, {"seq": 1, "action": {"do": "fly"}}))
    assert last(judge) == "not_understood"


# --- the camera ----------------------------------------------------------------------------------


def laid(judge: Table, what: str, space: str, seat: str) -> Saw:
    """What is recorded, and one more piece."""
    lying = GAME.scene(judge.referee.state)
    used = {placement.payload for placement in lying.placements}
    piece = next(p for p in MAT.pieces if (p.what, p.seat) == (what, seat) and p.payload not in used)
    return look(lying, (piece.payload, space))


def test_what_the_camera_proposes_is_answered_by_its_seat_before_anything_else() -> None:
    judge = dealt()
    play_until(judge, "turn", "expansion")
    seat = judge.view.acting[0].seat
    station = next(o for o in GAME.offers(judge.referee.state, seat) if isinstance(o, PlaceStation))
    saw = look(GAME.laid(judge.referee.state, station))
    judge.handle(saw)
    asked = choice(judge, seat)
    accept, dismiss = asked.options[:2]
    assert (accept.role, accept.actions, accept.places, accept.value) == (
        "accept",
        (station,),
        (station.hex,),
        0,
    )
    assert accept.foresight is not None
    assert (dismiss.role, asked.at) == ("dismiss", 0)
    judge.handle(take(judge, seat, dismiss))
    assert judge.view.reading is None
    judge.handle(saw)
    assert judge.view.reading is None  # the same again says nothing new
    judge.handle(Command("look"))
    assert isinstance(judge.view.reading, Proposal)
    judge.handle(take(judge, seat, choice(judge, seat).options[0]))
    assert judge.referee.actions[-1] == station


def building(judge: Table) -> str:
    """On to where rails are laid; the seat that lays them."""
    rng = random.Random(5)
    while judge.view.position.get("turn", {}).get("power") is None:
        sensible(judge, rng)
    return judge.view.acting[0].seat


def test_next_waits_until_what_lies_there_is_answered() -> None:
    judge = dealt()
    seat = building(judge)
    legal = next(o for o in GAME.offers(judge.referee.state, seat) if isinstance(o, PlaceRT))
    judge.handle(laid(judge, "rail", legal.hex, seat))
    assert any(option.ends for option in choice(judge, seat).options)
    seq = judge.view.seq
    judge.handle(Press("next"))
    assert judge.view.seq == seq
    judge.handle(take(judge, seat, Option("dismiss")))
    judge.handle(Press("next"))
    assert judge.view.seq > seq


def test_a_difference_that_may_be_waived_is_asked_of_all_and_settled() -> None:
    judge = dealt()
    seat = building(judge)
    (spot,) = GAME.slips(judge.referee.state, random.Random(2))["not_connected"]
    judge.handle(laid(judge, "rail", spot.space, seat))
    assert isinstance(judge.view.reading, OutOfStep)
    assert judge.view.settles == (("put_back", "agreed"),)
    judge.handle(Command("settle", seat, {"index": 0, "how": "agreed"}))
    asking = judge.view.asking
    assert asking is not None
    assert (asking.what, asking.action, asking.given) == ("overrule", PlaceRT(seat, spot.space), (seat,))
    assert "RB-EXP-7" in asking.waived
    judge.handle(Command("agree", "B" if seat == "A" else "A"))
    assert judge.view.eyes == "in_step"
    assert last(judge) == "settled"
    assert not judge.view.settles


def test_a_difference_that_no_agreement_can_waive_is_refused_with_its_rule() -> None:
    judge = dealt()
    seat = building(judge)
    other = "B" if seat == "A" else "A"
    free = GAME.slips(judge.referee.state, random.Random(2))["not_connected"][0].space
    judge.handle(laid(judge, "rail", free, other))
    assert judge.view.settles == (("put_back",),)
    judge.handle(Command("settle", seat, {"index": 0, "how": "agreed"}))
    assert (judge.view.asking, last(judge)) == (None, "refused")
    judge.handle(Command("settle", seat, {"index": 0, "how": "burn it"}))
    assert last(judge) == "not_understood"
    judge.handle(look(GAME.scene(judge.referee.state)))
    assert last(judge) == "settled"
    judge.handle(Command("settle", seat, {"index": 0, "how": "agreed"}))
    assert last(judge) == "not_understood"


def test_a_difference_that_is_legal_after_all_is_recorded() -> None:
    judge = dealt()
    seat = building(judge)
    legal = next(o for o in GAME.offers(judge.referee.state, seat) if isinstance(o, PlaceRT))
    odd = OutOfStep((Difference("not_now", legal.hex, seat, piece="rail"), Difference("missing", legal.hex)))
    with mock.patch("assistant.table.read", return_value=odd):
        judge.handle(look(GAME.scene(judge.referee.state)))
        assert judge.view.settles == (("put_back", "record"), ("put_back",))
        judge.handle(Command("settle", seat, {"index": 0, "how": "record"}))
        assert judge.referee.actions[-1] == legal
        judge.handle(Command("settle", seat, {"index": 1, "how": "record"}))
        assert last(judge) == "not_understood"


def test_s07_a_misread_piece_stops_the_camera_and_not_the_game() -> None:
    time = Time()
    judge = dealt(clocks=True, clock=time)
    seat = building(judge)
    other = "B" if seat == "A" else "A"
    free = GAME.slips(judge.referee.state, random.Random(2))["not_connected"][0].space
    judge.handle(laid(judge, "rail", free, other))
    assert judge.view.eyes == "out_of_step"
    assert not any(o.role == "accept" for c in judge.view.choices for o in c.options)
    used, seq = judge.view.clocks, judge.view.seq
    time.now += 60
    judge.handle(Tick(0))
    assert judge.view.clocks == used  # nobody's time runs while table and record differ
    digest = GAME.digest(judge.referee.state)
    judge.handle(laid(judge, "rail", free, other))
    assert (judge.view.seq, GAME.digest(judge.referee.state)) == (seq, digest)
    judge.handle(Command("try", seat, {"action": {"do": "end_turn"}}))
    assert judge.view.seq > seq
    assert judge.view.eyes == "out_of_step"


# --- clocks --------------------------------------------------------------------------------------


def test_time_runs_for_those_who_act() -> None:
    time = Time()
    judge = dealt(YARD, clocks=True, clock=time)
    assert judge.view.clocks == {"A": 0.0, "B": 0.0}
    time.now += 5
    judge.handle(Tick(0))
    assert judge.view.clocks == {"A": 5.0, "B": 0.0}
    judge.handle(Command("pause"))
    time.now += 100
    judge.handle(Command("go_on"))
    time.now += 2
    judge.handle(Command("try", "A", {"action": MINT}))
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    time.now += 1.5
    judge.handle(Tick(0))
    assert judge.view.clocks == {"A": 7.0, "B": 1.5}
    assert judge.referee.clocks == {"A": 7.0, "B": 0.0}
    again = Table(Referee.new(YARD, MemoryJournal(header_for(YARD))), clock=time)
    assert again.view.clocks == {}


def test_time_runs_for_all_who_act_at_once() -> None:
    time = Time()
    judge = dealt(opened(4), clocks=True, clock=time)
    rng = random.Random(5)
    while len({acting.seat for acting in judge.view.acting}) == 1:
        sensible(judge, rng)
    seats = {acting.seat for acting in judge.view.acting}
    before = judge.view.clocks
    time.now += 3
    judge.handle(Tick(0))
    passed = {seat for seat in before if judge.view.clocks[seat] - before[seat] == 3}
    assert passed == seats


@pytest.mark.usefixtures("toys")
def test_clocks_are_where_they_were_after_undo_and_resume() -> None:
    time = Time()
    journal = MemoryJournal(header_for(YARD), secret="s")
    judge = dealt(YARD, clocks=True, clock=time, journal=journal)
    time.now += 4
    judge.handle(Command("try", "A", {"action": MINT}))
    time.now += 30
    judge.handle(Command("try", "A", {"action": {"do": "trade"}}))
    assert judge.view.clocks["A"] == 34
    judge.handle(Command("ask_undo", "A"))
    assert judge.view.clocks["A"] == 4
    judge.handle(Command("redo", "A"))
    assert judge.view.clocks["A"] == 34
    resumed = Table(Referee.resume(journal), clocks=True, clock=Time(), dealer=Dealer("s"))
    assert resumed.view.clocks == judge.view.clocks


def test_p05_a_wall_clock_that_jumps_moves_no_timer_and_no_order() -> None:
    wall = iter(
        ["2026-11-30T11:40", "2026-11-30T11:20", "2026-12-06T11:20", "2120-01-01T00:00", "1970-01-01"]
    )
    journal = MemoryJournal(
        header_for(GAME),
        secret="s",
        now=lambda: next(wall, "2026-11-30T12:00"),
        clock_set=lambda: False,
    )
    time = Time()
    judge = dealt(clocks=True, clock=time, journal=journal)
    assert judge.view.acting[0].why == "bid"
    expected = dict.fromkeys(GAME.seats, 0.0)
    for _ in range(4):
        if judge.view.acting[0].why != "bid":
            break
        expected[judge.view.acting[0].seat] += 2.5
        time.now += 2.5
        sensible(judge, random.Random(1))
        assert judge.view.clocks == expected
    entries = list(journal.entries())
    noted = [entry.noted_at for entry in entries]
    assert noted != sorted(noted)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    assert not any(entry.clock_set for entry in entries)
    assert [w.seq for w in judge.view.history] == [entry.seq for entry in entries]


def test_a_monotonic_clock_that_stands_still_or_lies_takes_nothing_away() -> None:
    time = Time()
    judge = dealt(YARD, clocks=True, clock=time)
    time.now += 5
    judge.handle(Tick(0))
    time.now -= 1000
    judge.handle(Tick(0))
    assert judge.view.clocks["A"] == 5


# --- S01, S08 ------------------------------------------------------------------------------------


def whole(judge: Table) -> bytes:
    """Everything of a view that a position, a marker and a clock are."""
    view = judge.view
    parts = (view.position, view.acting, view.display, view.clocks, view.owed, view.sheet)
    return msgspec.json.encode((*(msgspec.to_builtins(part) for part in parts),))


@pytest.mark.parametrize("why", ["in the auction", "over its end"])
def test_s01_undo_in_an_auction_gives_back_everything(why: str) -> None:
    time = Time()
    journal = MemoryJournal(header_for(opened(4)), secret="s")
    game = opened(4)
    judge = dealt(game, clocks=True, clock=time, journal=journal)
    assert judge.view.acting[0].why == "bid"
    rng = random.Random(3)
    if why == "over its end":
        while bin(judge.referee.state.track.up).count("1") > 1:
            judge.handle(Touch(judge.view.acting[0].seat, {"do": "confirm"}))
            time.now += 1
    else:
        sensible(judge, rng)
    before = whole(judge)
    number = len(judge.view.choices)
    time.now += 7
    seat = judge.view.acting[0].seat
    action = {"do": "confirm"} if why == "over its end" else {"do": "bid", "space": 3}
    judge.handle(Touch(seat, action))
    assert last(judge) == "recorded"
    assert (judge.view.acting[0].why == "bid") is (why == "in the auction")
    assert whole(judge) != before
    judge.handle(Command("ask_undo", seat))
    assert judge.view.asking is None
    assert whole(judge) == before
    assert len(judge.view.choices) == number
    assert not any(done.differs for done in replay(journal))
    # And over one of another seat as well, with its consent.
    judge.handle(Touch(seat, action))
    following = judge.view.acting[0].seat
    if why == "in the auction":
        judge.handle(Touch(following, {"do": "confirm"}))
        judge.handle(Command("ask_undo", following, {"steps": 2}))
        judge.handle(Command("agree", seat))
        assert whole(judge) == before
        assert not any(done.differs for done in replay(journal))


@pytest.mark.parametrize("points", sorted(set(itertools.permutations((80, 80, 75)))))
def test_s08_a_tie_is_a_tie_in_every_order_of_seats(points: tuple[int, ...]) -> None:
    game = toy("toy_yard", 3)
    judge = dealt(game)
    rng = random.Random(1)
    while not judge.view.finished:
        sensible(judge, rng)
    facts = {f"has.{seat}.points": n for seat, n in zip(game.seats, points, strict=True)}
    judge.handle(Command("ask_correct", "A", {"facts": facts}))
    for seat in "BC":
        judge.handle(Command("agree", seat))
    first = tuple(seat for seat, n in zip(game.seats, points, strict=True) if n == 80)
    third = tuple(seat for seat in game.seats if seat not in first)
    assert judge.view.places == (first, third)


# --- trouble -------------------------------------------------------------------------------------


def test_an_entry_that_turned_out_to_be_written_is_taken_in() -> None:
    judge = dealt(YARD)
    real = judge.referee.journal.append

    def half(entries: Any) -> Any:
        real(entries)
        raise JournalIOError("the disk failed, the entry is in", recorded=True)

    seq = judge.view.seq
    with mock.patch.object(judge.referee.journal, "append", side_effect=half):
        judge.handle(Command("try", "A", {"action": MINT}))
    assert [notice.kind for notice in judge.view.notices[-2:]] == ["trouble", "recorded"]
    assert judge.view.seq == seq + 1
    assert judge.view.unwritable is False
    assert judge.view.history[-1].action == YARD.codec.from_json({**MINT, "seat": "A"})


def unwritable(tmp_path: Path) -> tuple[Table, Any]:
    """A table whose card is full, and what makes it so."""
    journal = Journal.create(tmp_path / "game.game", header_for(YARD), secret="s")
    judge = dealt(YARD, journal=journal)
    full = mock.patch.object(journal, "append", side_effect=JournalUnwritable("the card is full"))
    full.start()
    judge.handle(Command("try", "A", {"action": MINT}))
    return judge, full


@pytest.mark.usefixtures("toys")
def test_a_card_that_cannot_be_written_lets_staff_play_on_unrecorded(tmp_path: Path) -> None:
    judge, full = unwritable(tmp_path)
    seq, digest = judge.view.seq, YARD.digest(judge.referee.state)
    assert (judge.view.unwritable, judge.view.unrecorded, last(judge)) == (True, False, "trouble")
    judge.handle(Command("play_unrecorded", "A"))
    assert (judge.view.unwritable, last(judge)) == (True, "not_understood")
    judge.handle(Command("play_unrecorded", "staff"))
    full.stop()
    assert (judge.view.unwritable, judge.view.unrecorded) == (False, True)
    assert (judge.view.seq, YARD.digest(judge.referee.state)) == (seq, digest)
    before = judge.view.notices[-1].id
    judge.handle(Command("try", "A", {"action": MINT}))
    judge.handle(Command("try", "A", {"action": {"do": "end_turn"}}))
    judge.handle(Command("ask_undo", "A"))
    since = {notice.kind for notice in judge.view.notices if notice.id > before}
    assert since == {"unrecorded"}
    assert judge.view.seq > seq
    with Journal.open(tmp_path / "game.game") as kept:
        assert kept.last_seq == seq
    assert not any(done.differs for done in replay(judge.referee.journal))


def test_staff_can_write_again_once_there_is_room(tmp_path: Path) -> None:
    judge, full = unwritable(tmp_path)
    judge.handle(Command("try", "A", {"action": MINT}))
    assert judge.view.unwritable
    full.stop()
    judge.handle(Command("write_again", "B"))
    assert judge.view.unwritable
    judge.handle(Command("write_again", "staff"))
    assert not judge.view.unwritable
    judge.handle(Command("try", "A", {"action": MINT}))
    assert last(judge) == "recorded"
    judge.handle(Command("write_again", "staff"))
    judge.handle(Command("play_unrecorded", "staff"))
    assert [n.kind for n in judge.view.notices[-2:]] == ["not_understood"] * 2
    judge.referee.journal.close()


def test_a_fault_in_handling_a_message_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    judge = dealt(YARD)
    seq, position = judge.view.seq, judge.view.position
    with (
        mock.patch.object(YARD, "violations", side_effect=RuntimeError("a bug")),
        caplog.at_level(logging.ERROR),
    ):
        judge.handle(Command("try", "A", {"action": MINT}))
    assert last(judge) == "trouble"
    assert "a bug" in judge.view.notices[-1].text
    assert "Traceback" in caplog.text
    assert (judge.view.seq, judge.view.position, judge.view.writing_since) == (seq, position, None)
    judge.handle(Command("try", "A", {"action": MINT}))
    assert last(judge) == "recorded"


@pytest.mark.parametrize("what", ["display", "foresee", "sheet"])
def test_a_game_that_cannot_say_what_to_show_stops_nothing(what: str) -> None:
    judge = dealt(YARD)
    with mock.patch.object(YARD, what, side_effect=RuntimeError("a bug")):
        judge.handle(Command("try", "A", {"action": MINT}))
        for index in range(2):
            judge.handle(Command("point", "A", {"choice": choice(judge, "A").id, "index": index}))
        judge.handle(Tick(0))
        troubles = [notice for notice in judge.view.notices if notice.kind == "trouble"]
        texts = [notice.text for notice in troubles]
        assert texts
        assert len(texts) == len(set(texts))  # each is told once, though it comes again with every view
        assert "a bug" in texts[0]
        assert judge.referee.actions[-1].kind == "place"
        if what == "display":
            assert judge.view.display is None
            assert judge.view.seq == judge.referee.seq


def test_whoever_draws_may_fail() -> None:
    judge = dealt(YARD, publish=mock.Mock(side_effect=RuntimeError("no window")))
    judge.handle(Command("try", "A", {"action": MINT}))
    assert last(judge) == "recorded"


def test_a_touch_without_an_action_is_not_understood() -> None:
    judge = dealt(YARD)
    for values in ({}, {"action": 3}, {"action": None}):
        judge.handle(Command("try", "A", values))
        assert last(judge) == "not_understood"
    judge.handle(Command("try", None, {"action": MINT}))
    assert last(judge) == "not_understood"


def test_the_state_of_the_panel_is_shown() -> None:
    judge = dealt(YARD)
    status = PanelStatus(PanelState.FAULTY, "A plus sticks", ("A plus",), 3.0)
    judge.handle(status)
    assert judge.view.panel == status
