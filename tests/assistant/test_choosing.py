"""Choosing: cursor, forms, numbers of choices. The game here is made up for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from assistant.actions import Action
from assistant.choosing import Choice, Chooser, Option
from assistant.display import Foresight
from assistant.game import Acting
from assistant.layout import Mat
from assistant.offers import STOP, Fill, Form, Offer


class Go(Action, frozen=True):
    seat: str
    hex: str


class Lock(Action, frozen=True):
    locks: ClassVar[bool] = True
    seat: str


class End(Action, frozen=True):
    ends: ClassVar[bool] = True
    seat: str


class Swap(Action, frozen=True):
    free: ClassVar[bool] = True
    seat: str


class Train(Action, frozen=True):
    seat: str
    cars: tuple[str, ...]


def train(seat: str, cars: tuple[str, ...], loco: tuple[str, ...] = ("L1",)) -> Fill:
    """A locomotive, then any of the cars in order until "stop"."""

    def blanks(filled: Sequence[Any]) -> Sequence[Any] | None:
        if not filled:
            return loco
        if filled[-1] == STOP:
            return None
        return [*(car for car in cars if car not in filled), STOP]

    return Fill(Train, blanks, lambda filled: Train(seat, tuple(filled[:-1])))


class Offering:
    """As much of a game as choosing asks for: a state is what each seat is offered."""

    seats = ("A", "B")

    def offers(self, state: dict[str, list[Offer]], seat: str) -> list[Offer]:
        return state.get(seat, [])

    def labelled(self, state: dict[str, list[Offer]], action: Action) -> dict[str, Any]:
        return {"left": action.hex} if isinstance(action, Go) else {}

    def mat(self) -> Mat:
        raise LookupError("no mat")


ASKED = (Acting("A", "go"),)


class Desk:
    """A chooser with a state, driven as the table does it."""

    def __init__(self, **offers: list[Offer]) -> None:
        self.told: list[Sequence[Action]] = []
        self.chooser: Chooser[Any] = Chooser(Offering(), self._foresee)  # type: ignore[arg-type]
        self.state: dict[str, list[Offer]] = offers
        self.before: dict[str, tuple[Option, ...]] = {}
        self.alone: tuple[str, ...] = ()
        self.acting = ASKED

    def _foresee(self, state: Any, actions: Sequence[Action]) -> Foresight:
        self.told.append(actions)
        return Foresight()

    def of(self, seat: str = "A") -> Choice:
        choices = self.chooser.look(self.state, self.acting, self.before, self.alone)
        return next(choice for choice in choices if choice.seat == seat)

    def take(self, index: int) -> Option | None:
        return self.chooser.take(self.of(), index)

    def plus(self) -> int | None:
        self.chooser.plus(self.of())
        return self.of().at


def values(choice: Choice) -> list[Any]:
    return [option.value for option in choice.options if option.role == "value"]


def test_offers_become_options_in_their_order() -> None:
    desk = Desk(A=[Go("A", "c3"), train("A", ("c1", "c2")), End("A"), Swap("A")], B=[Swap("B")])
    choice = desk.of()
    assert [(o.role, o.kind, o.places, o.free, o.ends) for o in choice.options] == [
        ("offer", "go", ("c3",), False, False),
        ("form", "train", (), False, False),
        ("offer", "end", (), False, True),
        ("offer", "swap", (), True, False),
    ]
    assert (choice.why, choice.at) == ("go", None)
    assert (desk.of("B").why, desk.of("B").at) == ("", None)


def test_seats_that_are_asked_come_first() -> None:
    desk = Desk(A=[Swap("A")], B=[End("B")])
    desk.acting = (Acting("B", "end"),)
    assert [c.seat for c in desk.chooser.look(desk.state, desk.acting, {})] == ["B", "A"]


@pytest.mark.parametrize(
    ("offers", "at"),
    [
        ([Go("A", "a1"), Go("A", "a2")], None),
        ([Go("A", "a1"), Swap("A")], 0),
        ([Go("A", "a1"), Go("A", "a2"), Lock("A")], 0),
        ([Lock("A"), Swap("A")], 0),
        ([Swap("A")], None),
    ],
)
def test_where_the_cursor_stands_at_first(offers: list[Offer], at: int | None) -> None:
    assert Desk(A=offers).of().at == at


def test_plus_goes_round_and_passes_by_what_locks_in() -> None:
    desk = Desk(A=[Go("A", "a1"), Lock("A"), Go("A", "a2"), Swap("A")])
    assert [desk.plus() for _ in range(4)] == [2, 3, 0, 2]


def test_plus_stops_on_what_locks_in_when_nothing_else_is_left() -> None:
    desk = Desk(A=[Lock("A"), Swap("A")])
    assert [desk.plus() for _ in range(3)] == [1, 0, 1]


def test_a_form_is_filled_blank_by_blank_and_left_backwards() -> None:
    desk = Desk(A=[Go("A", "a1"), train("A", ("c1", "c2"))])
    assert desk.take(1) is None
    opened = desk.of()
    assert (opened.kind, opened.filled, values(opened)) == ("train", ("L1",), ["c1", "c2", STOP])
    assert opened.options[-1].role == "back"
    assert opened.at is None
    assert [o.action for o in opened.options[2:3]] == [Train("A", ("L1",))]
    assert desk.take(0) is None
    second = desk.of()
    assert (second.filled, values(second)) == (("L1", "c1"), ["c2", STOP])
    # After the last car only "stop" is left, which fills itself: taking the car completes the train.
    assert second.options[0].action == Train("A", ("L1", "c1", "c2"))
    desk.chooser.back(second)
    assert desk.of().filled == ("L1",)
    assert desk.take(3) is None
    assert desk.of().kind == ""
    assert len({opened.id, second.id, desk.of().id}) == 3


def test_an_option_carries_what_the_game_says_for_its_label_and_where_its_form_lies() -> None:
    class Pay(Form, frozen=True):
        space: str

        @property
        def kind(self) -> str:
            return "pay"

        def domain(self, filled: Sequence[Any]) -> Sequence[Any] | None:
            return None if filled else (1, 2)

        def make(self, filled: Sequence[Any]) -> Go:
            return Go("A", self.space)

    desk = Desk(A=[Go("A", "a1"), Pay("mill")])
    offer, form = desk.of("A").options
    assert offer.values == {"left": "a1"}
    assert (form.role, form.places, form.values) == ("form", ("mill",), {"space": "mill"})


def test_a_form_with_one_way_to_fill_it_is_an_offer() -> None:
    desk = Desk(A=[train("A", ()), Go("A", "a1")])
    assert desk.of().options[0].action == Train("A", ("L1",))
    assert desk.of().options[0].role == "offer"


def test_the_number_stays_while_the_options_do_and_the_cursor_with_it() -> None:
    desk = Desk(A=[Go("A", "a1"), Go("A", "a2")])
    number = desk.of().id
    desk.plus()
    desk.state = {"A": [Go("A", "a1"), Go("A", "a2")]}  # another state, in which A is offered the same
    assert (desk.of().id, desk.of().at) == (number, 0)
    desk.state = {"A": [Go("A", "a1")]}
    assert desk.of().id != number


def test_the_same_options_again_have_another_number_once_one_was_taken() -> None:
    desk = Desk(A=[Go("A", "a1"), Go("A", "a2")])
    old = desk.of()
    assert desk.take(1) == old.options[1]
    assert desk.chooser.find(old.id) is None
    desk.state = {**desk.state}
    assert desk.of().options == old.options
    assert desk.of().id != old.id
    assert desk.of().at is None


def test_a_form_stays_open_while_others_act_and_closes_when_its_values_are_gone() -> None:
    desk = Desk(A=[train("A", ("c1", "c2", "c3")), Go("A", "a1")])
    desk.take(0)
    desk.of()
    desk.take(0)
    number = desk.of().id
    desk.state = {"A": [train("A", ("c1", "c2", "c3")), Go("A", "a1")]}
    assert (desk.of().id, desk.of().filled) == (number, ("L1", "c1"))
    desk.state = {"A": [train("A", ("c1", "c3", "c4")), Go("A", "a1")]}
    assert desk.of().filled == ("L1", "c1")
    assert desk.of().id != number
    desk.state = {"A": [train("A", ("c2", "c3")), Go("A", "a1")]}
    assert (desk.of().kind, desk.of().filled) == ("", ())


def test_answers_come_first_or_alone() -> None:
    desk = Desk(A=[Go("A", "a1"), train("A", ("c1", "c2"))])
    desk.before = {"A": (Option("accept"), Option("dismiss"))}
    assert [o.role for o in desk.of().options] == ["accept", "dismiss", "offer", "form"]
    assert desk.of().at == 0
    desk.take(3)
    assert [o.role for o in desk.of().options][:3] == ["accept", "dismiss", "value"]
    desk.before = {"A": (Option("agree"), Option("decline"))}
    desk.alone = ("A",)
    assert [o.role for o in desk.of().options] == ["agree", "decline"]
    assert (desk.of().at, desk.of().kind, desk.of().filled) == (0, "", ())
    desk.before, desk.alone = {}, ()
    assert desk.of().filled == ("L1",)  # the form was only covered


def test_what_is_foretold_once_and_when() -> None:
    desk = Desk(A=[Go("A", "a1"), End("A"), Swap("A")], B=[Swap("B"), Swap("B")])
    options = desk.of().options
    assert [o.foresight is not None for o in options] == [True, False, False]
    assert desk.told == [(Go("A", "a1"),)]
    desk.chooser.point(desk.of(), 1)
    assert desk.of().options[1].foresight is not None
    desk.of()
    assert desk.told == [(Go("A", "a1"),), (End("A"),)]
    # B is not asked: only what it points at.
    desk.chooser.point(desk.of("B"), 0)
    assert desk.of("B").options[0].foresight is not None
    assert len(desk.told) == 3


def test_bids_are_foretold_and_their_number_is_bounded() -> None:
    desk = Desk(A=[*(End("A") for _ in range(100)), Lock("A")])
    desk.of()
    assert len(desk.told) == 64


def test_a_form_is_closed_once_its_action_is_recorded() -> None:
    desk = Desk(A=[train("A", ("c1", "c2")), Go("A", "a1")])
    desk.take(0)
    opened = desk.of()
    stop = next(n for n, option in enumerate(opened.options) if option.value == STOP)
    assert desk.take(stop) == opened.options[stop]
    desk.chooser.done("A")
    desk.state = {**desk.state}  # the same is offered again
    assert (desk.of().kind, desk.of().filled) == ("", ())
