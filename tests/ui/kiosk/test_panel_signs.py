"""What the lamps say of a view."""

from __future__ import annotations

from typing import Any

import msgspec

from assistant.choosing import Choice, Option
from assistant.dealer import Dealer
from assistant.display import Auction, Bidder
from assistant.game import Acting, find_title
from assistant.journal import MemoryJournal
from assistant.messages import Holding
from assistant.referee import Referee, header_for
from assistant.table import Table
from assistant.views import Asking, TableView
from hardware.lamps import Lamp, Sound
from ui.kiosk.panel_signs import signs, sound

SEATS = ("A", "B", "C")


def view(**more: Any) -> TableView:
    title = find_title("railway_boom")
    game = title.open(title.load_pack(title.default_pack), 3)
    referee = Referee.new(game, MemoryJournal(header_for(game)))
    made = Table(referee, dealer=Dealer("signs")).view
    return msgspec.structs.replace(made, **{"acting": (), "choices": (), "display": None, **more})


def bidder(seat: str, up: bool) -> Bidder:
    return Bidder(seat, 3, up, 8, 1, 3)


def test_who_is_asked_decides_who_must_pay_pays_the_rest_is_off() -> None:
    lit = signs(view(acting=(Acting("A", "bid"), Acting("B", "pay"))), SEATS)
    assert lit.lamps == {"A": Lamp.DECIDE, "B": Lamp.PAY, "C": Lamp.OFF}


def test_a_question_of_the_camera_or_of_the_table_pulses() -> None:
    choice = Choice(1, "A", "route", (Option("accept"), Option("dismiss")))
    asking = Asking("undo", "C", ("A", "B"), ("A",))
    assert signs(view(acting=(Acting("A", "route"),), choices=(choice,)), SEATS).lamps["A"] is Lamp.QUESTION
    lit = signs(view(acting=(Acting("C", "bid"),), asking=asking), SEATS)
    assert lit.lamps == {"A": Lamp.OFF, "B": Lamp.QUESTION, "C": Lamp.OFF}


def test_who_has_locked_in_glows_while_the_auction_is_open() -> None:
    shown = view().display
    assert shown is None
    display = msgspec.structs.replace(
        _display(), auction=Auction(20, "money", SEATS, 3, (bidder("A", False), bidder("B", True)))
    )
    lit = signs(view(acting=(Acting("B", "bid"),), display=display), SEATS)
    assert (lit.lamps["A"], lit.lamps["B"]) == (Lamp.LOCKED, Lamp.DECIDE)
    assert display.auction is not None
    over = msgspec.structs.replace(display, auction=msgspec.structs.replace(display.auction, open=False))
    assert signs(view(display=over), SEATS).lamps["A"] is Lamp.OFF


def _display() -> Any:
    from assistant.display import Display

    return Display(())


def test_out_of_step_is_all_lamps() -> None:
    lit = signs(view(eyes="out_of_step", acting=(Acting("A", "bid"),)), SEATS)
    assert set(lit.lamps.values()) == {Lamp.OUT_OF_STEP}
    assert set(lit.lamps) == set(SEATS)


def test_only_an_ok_that_is_down_is_held() -> None:
    holding = (
        Holding("ok", "A", 0.0, 0.8),
        Holding("ok", "B", 0.0, 0.8, down=False),
        Holding("next", None, 0.0, 0.8),
    )
    assert signs(view(holding=holding), SEATS).held == {"A"}


def test_nothing_is_lit_after_the_end() -> None:
    assert set(signs(view(finished=True, acting=()), SEATS).lamps.values()) == {Lamp.OFF}


def test_every_sound_of_a_page_is_a_sound() -> None:
    for name in ("recorded", "your_turn", "refused", "out_of_step"):
        assert sound(name) is Sound(name)
    assert sound("") is None
