"""The running table: messages in, rulings recorded, views out."""

from __future__ import annotations

import random
import threading
from typing import Any
from unittest import mock

import pytest

from assistant.actions import TABLE
from assistant.game import Game, find_title
from assistant.games.railway_boom.actions import Draw, PlaceStation
from assistant.journal import JournalIOError, MemoryJournal
from assistant.layout import Mat
from assistant.messages import CameraState, CameraStatus, Command, Saw, Tick, Touch
from assistant.observation import Observation, Sighting
from assistant.reading import OutOfStep, Proposal
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted, Refused
from assistant.table import Table, TableView


def opened(players: int = 2) -> Game[Any]:
    title = find_title("railway_boom")
    return title.open(title.load_pack(title.default_pack), players)


GAME = opened()
MAT: Mat = GAME.mat()
PIECES = {piece.payload: piece for piece in MAT.pieces}


def table(**more: Any) -> Table:
    return Table(Referee.new(GAME, MemoryJournal(header_for(GAME))), PIECES, clock=lambda: 7.0, **more)


def seen(*things: tuple[str, str]) -> Saw:
    """An observation of pieces (class and name, or class, seat) at spaces."""
    found = []
    for name, space in things:
        piece = next(p for p in MAT.pieces if name in (p.name, f"{p.what} {p.seat}"))
        found.append(Sighting(piece.payload, 0.0, 0.0, 0.0, 3.0, space, "1"))
    return Saw(Observation(tuple(found)))


def cards(zone: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name, f"{zone}:{place}") for place, name in enumerate(names, start=1)]


def eyes(judge: Table) -> str:
    return judge.view.eyes


def last(judge: Table) -> str:
    return judge.view.notices[-1].kind


def play_until(judge: Table, step: str, phase: str) -> None:
    """Sensible play through the referee until a step of a phase."""
    rng = random.Random(5)
    referee = judge.referee
    while True:
        position = GAME.to_position(referee.state)
        if (position["phase"], position["step"]) == (phase, step):
            return
        seat = GAME.acting(referee.state)[0].seat
        action = GAME.chance(referee.state, rng) if seat == TABLE else GAME.sensible(referee.state, seat, rng)
        assert action is not None
        assert isinstance(referee.submit(action), Accepted)


def test_cards_turned_up_are_recorded_when_all_are_read() -> None:
    judge = table()
    four = ("O01", "O02", "O03", "O04")
    judge.handle(seen(*cards("objectives", four[:3])))
    assert eyes(judge) == "waiting"
    assert judge.referee.seq == 0
    judge.handle(seen(*cards("objectives", four)))
    assert judge.referee.actions == (Draw("objectives", four),)
    assert judge.view.notices[-1].kind == "recorded"
    assert eyes(judge) == "waiting"  # now for the routes


def test_a_refused_touch_changes_nothing_and_says_why() -> None:
    judge = table()
    judge.handle(Touch("A", {"do": "bid", "space": 3}))
    (notice,) = judge.view.notices
    assert notice.kind == "refused"
    assert isinstance(notice.ruling, Refused)
    assert notice.ruling.rule == "RB-AUC-6"
    assert judge.referee.seq == 0


def test_nonsense_is_not_understood() -> None:
    judge = table()
    judge.handle(Touch("A", {"do": "fly"}))
    judge.handle(Touch("E", {"do": "confirm"}))
    judge.handle(Command("dance"))
    judge.handle(Command("accept", "A"))
    assert [notice.kind for notice in judge.view.notices] == ["not_understood"] * 4


@pytest.mark.parametrize(
    ("what", "values"),
    [
        ("overrule", {"action": {"do": "zz"}, "waived": [], "consents": []}),
        ("overrule", {}),
        ("undo", {"steps": 0}),
        ("undo", {"steps": "x"}),
        ("correct", {}),
        ("accept", {"choice": 9}),
    ],
)
def test_a_command_without_what_it_needs_stops_nothing(what: str, values: dict[str, Any]) -> None:
    judge = table()
    judge.handle(Command(what, "A", values))
    assert [notice.kind for notice in judge.view.notices] == ["not_understood"]


def test_a_touch_speaks_for_its_own_seat() -> None:
    judge = table()
    play_until(judge, "auction", "train")
    bidder = GAME.acting(judge.referee.state)[0].seat
    other = "B" if bidder == "A" else "A"
    judge.handle(Touch(other, {"do": "confirm", "seat": bidder}))
    assert judge.view.notices[-1].kind == "refused"


def test_tokens_wait_for_their_seat_to_accept() -> None:
    judge = table()
    play_until(judge, "turn", "expansion")
    state = judge.referee.state
    seat = GAME.acting(state)[0].seat
    station = next(o for o in GAME.offers(state, seat) if isinstance(o, PlaceStation))
    lying = [(p.payload, p.space) for p in GAME.laid(state, station).placements]
    look = Saw(Observation(tuple(Sighting(p, 0, 0, 0, 3, space, "1") for p, space in lying)))
    before = judge.referee.seq
    judge.handle(look)
    assert isinstance(judge.view.reading, Proposal)
    assert judge.referee.seq == before
    judge.handle(Command("accept", seat))
    assert judge.referee.actions[-1] == station
    assert eyes(judge) == "in_step"


def test_out_of_step_is_told_once_and_settled_by_an_agreement() -> None:
    judge = table()
    play_until(judge, "turn", "expansion")
    referee = judge.referee
    seat = GAME.acting(referee.state)[0].seat
    station = next(o for o in GAME.offers(referee.state, seat) if isinstance(o, PlaceStation))
    referee.submit(station)
    while "power" not in GAME.to_position(referee.state).get("turn", {}):
        asked = GAME.acting(referee.state)[0].seat
        rng = random.Random(1)
        action = (
            GAME.chance(referee.state, rng) if asked == TABLE else GAME.sensible(referee.state, asked, rng)
        )
        assert action is not None
        referee.submit(action)
    (spot,) = GAME.slips(referee.state, random.Random(2))["not_connected"]
    free = next(p for p in MAT.pieces if p.what == "rail" and p.seat == seat and p.name == "30")
    lying = [(p.payload, p.space) for p in GAME.scene(referee.state).placements] + [
        (free.payload, spot.space)
    ]
    look = Saw(Observation(tuple(Sighting(p, 0, 0, 0, 3, space, "1") for p, space in lying)))
    judge.handle(look)
    judge.handle(look)
    assert isinstance(judge.view.reading, OutOfStep)
    assert [notice.kind for notice in judge.view.notices] == ["out_of_step"]
    form = {"do": "place_rt", "seat": seat, "hex": spot.space}
    waived = [v.rule for v in GAME.violations(referee.state, GAME.codec.from_json(form))]
    judge.handle(Command("overrule", seat, {"action": form, "waived": waived, "consents": ["A"]}))
    judge.handle(Command("overrule", seat, {"action": form, "waived": waived, "consents": ["A", "B"]}))
    assert [notice.kind for notice in judge.view.notices[1:]] == ["refused", "recorded", "settled"]
    assert last(judge) == "settled"
    assert eyes(judge) == "in_step"
    judge.handle(Command("undo", seat, {"consents": ["A", "B"]}))
    assert eyes(judge) == "out_of_step"
    assert last(judge) == "out_of_step"
    judge.handle(Command("redo", seat))
    assert eyes(judge) == "in_step"


def test_a_view_says_writing_before_it_says_recorded() -> None:
    views: list[TableView] = []
    judge = table(publish=views.append)
    judge.handle(seen(*cards("objectives", ("O01", "O02", "O03", "O04"))))
    assert views[0].writing_since == 7.0
    assert views[0].seq == 0
    assert views[-1].writing_since is None
    assert views[-1].seq == 1


def test_a_record_that_cannot_be_written_is_trouble_and_not_recorded() -> None:
    judge = table()
    full = JournalIOError("the card is full", recorded=False)
    with mock.patch.object(judge.referee.journal, "append", side_effect=full):
        judge.handle(seen(*cards("objectives", ("O01", "O02", "O03", "O04"))))
    assert [notice.kind for notice in judge.view.notices] == ["trouble"]
    assert judge.view.seq == 0
    assert judge.referee.actions == ()


def test_the_state_of_the_camera_is_shown_and_touches_nothing() -> None:
    judge = table()
    assert judge.view.camera is None
    status = CameraStatus(CameraState.RESTARTING, "the camera is started again", 3.0)
    judge.handle(status)
    assert judge.view.camera == status
    assert judge.view.seq == 0


def test_the_loop_ends_after_what_is_queued() -> None:
    judge = table()
    thread = threading.Thread(target=judge.run)
    judge.post(seen(*cards("objectives", ("O01", "O02", "O03", "O04"))))
    judge.post(Tick(1.0))
    judge.stop()
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    assert judge.view.seq == 1
