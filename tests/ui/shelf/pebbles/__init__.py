"""Pebbles: a tiny game for the tests of the command line. The table draws cards, seats take pebbles."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from assistant.actions import TABLE, Action, Codec
from assistant.events import Event, Informed, Points, Told
from assistant.game import Acting, Game, PositionFaults, Switch, Title
from assistant.offers import Form, Offer
from assistant.packs import Pack, find, load
from assistant.rulings import Violation

FOLDER = Path(__file__).parent


class Rules(msgspec.Struct, frozen=True):
    pile: int


class Card(msgspec.Struct, frozen=True):
    id: str
    cap: int


class Content(msgspec.Struct, frozen=True):
    rules: Rules
    cards: tuple[Card, ...]


class Draw(Action, frozen=True):
    deck: str
    cards: tuple[str, ...]
    seat: str = TABLE


class Take(Action, frozen=True):
    seat: str
    n: int


class Give(Action, frozen=True):
    free = True
    seat: str
    to: str
    n: int = 1
    why: str | None = None


class GiveForm(Form, frozen=True):
    seat: str
    others: tuple[str, ...]
    held: int

    @property
    def kind(self) -> str:
        return "give"

    def domain(self, filled: Sequence[Any]) -> Sequence[Any] | None:
        return (self.others, range(1, self.held + 1), None)[len(filled)]

    def make(self, filled: Sequence[Any]) -> Action:
        self.check(filled)
        return Give(self.seat, *filled)


class State(msgspec.Struct, frozen=True):
    pile: int
    seats: dict[str, int]
    deck: tuple[str, ...]
    turn: str
    card: str | None = None
    over: bool = False


class Position(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    seats: dict[str, dict[str, int]]
    decks: dict[str, list[str]]
    turn: str
    pile: int | None = None
    card: str | None = None
    over: bool = False


class Pebbles(Game[State]):
    codec = Codec([Draw, Take, Give])
    waivable = frozenset({"PB-CAP", "PB-TURN"})
    derived = ("pile",)

    def __init__(
        self, title: Title, pack: Pack[Content], seats: int, options: Mapping[str, str | bool]
    ) -> None:
        self.title, self.pack, self.options = title, pack, options
        self.seats = tuple("ABC"[:seats])
        self.caps = {card.id: card.cap for card in pack.content.cards}

    def start(self) -> State:
        return State(
            self.pack.content.rules.pile, dict.fromkeys(self.seats, 0), tuple(sorted(self.caps)), "A"
        )

    def acting(self, state: State) -> tuple[Acting, ...]:
        if state.over:
            return ()
        return (Acting(TABLE, "draw"),) if state.card is None else (Acting(state.turn, "take"),)

    def offers(self, state: State, seat: str) -> list[Offer]:
        if state.over:
            return []
        if seat == TABLE:
            return [Draw("cards", (card,)) for card in state.deck] if state.card is None else []
        out: list[Offer] = []
        if state.card is not None and seat == state.turn:
            out += [Take(seat, n) for n in range(1, min(state.pile, self.caps[state.card]) + 1)]
        if state.seats[seat]:
            out.append(GiveForm(seat, tuple(s for s in self.seats if s != seat), state.seats[seat]))
        return out

    def violations(self, state: State, action: Action) -> Iterator[Violation]:
        if isinstance(action, Draw):
            if state.card is not None or len(action.cards) != 1 or action.cards[0] not in state.deck:
                yield Violation("PB-DRAW", {"cards": list(action.cards)})
        elif isinstance(action, Take):
            if action.seat != state.turn or state.over:
                yield Violation("PB-TURN", {"next": state.turn, "seat": action.seat})
            cap = self.caps.get(state.card or "", 0)
            if not 1 <= action.n <= cap:
                yield Violation("PB-CAP", {"cap": cap, "n": action.n}, ("pile",))
            if action.n > state.pile:
                yield Violation("PB-PILE", {"left": state.pile})
        elif isinstance(action, Give) and (
            action.to not in self.seats
            or action.to == action.seat
            or not 1 <= action.n <= state.seats.get(action.seat, 0)
        ):
            yield Violation("PB-GIVE")

    def apply(self, state: State, action: Action) -> tuple[State, list[Event]]:
        replace = msgspec.structs.replace
        if isinstance(action, Draw):
            (card,) = action.cards
            deck = tuple(c for c in state.deck if c != card)
            back = Told("return", values={"cards": [card]})
            return replace(state, deck=deck, card=card), [Informed(self.seats, card, (back,))]
        seats = dict(state.seats)
        if isinstance(action, Give):
            seats[action.seat] -= action.n
            seats[action.to] += action.n
            gift: list[Event] = [Points(action.seat, -action.n, "gift"), Points(action.to, action.n, "gift")]
            return replace(state, seats=seats), gift
        assert isinstance(action, Take)
        n = min(action.n, state.pile)
        seats[action.seat] += n
        turn = self.seats[(self.seats.index(action.seat) + 1) % len(self.seats)]
        after = State(state.pile - n, seats, state.deck, turn)
        events: list[Event] = [Points(action.seat, n, "pebbles", str(state.card), "PB-CAP")]
        if after.pile and after.deck:
            return after, events
        last, more = self.final(after)
        return last, [*events, Told("over"), *more]

    def final(self, state: State) -> tuple[State, list[Event]]:
        if state.over:
            return state, []
        best = max(state.seats.values())
        winners = [seat for seat, n in state.seats.items() if n == best]
        seats = {seat: n + 3 * (seat in winners) for seat, n in state.seats.items()}
        events: list[Event] = [Points(seat, 3, "most") for seat in winners]
        return msgspec.structs.replace(state, seats=seats, over=True), events

    def totals(self, state: State) -> Mapping[str, int]:
        return state.seats

    def finished(self, state: State) -> bool:
        return state.over

    def ask(self, state: State, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        if name == "display":
            return {"tens": args["amount"] // 10, "ones": args["amount"] % 10}
        return super().ask(state, name, args)

    def to_position(self, state: State) -> dict[str, Any]:
        seats = {seat: {"pebbles": n} for seat, n in state.seats.items()}
        whole = Position(seats, {"cards": list(state.deck)}, state.turn, state.pile, state.card, state.over)
        position: dict[str, Any] = msgspec.to_builtins(whole)
        return position

    def from_position(self, position: Mapping[str, Any]) -> State:
        try:
            read = msgspec.convert(dict(position), Position)
        except msgspec.ValidationError as wrong:
            raise PositionFaults([str(wrong)]) from None
        seats = {seat: held["pebbles"] for seat, held in read.seats.items()}
        pile = self.pack.content.rules.pile - sum(seats.values()) if read.pile is None else read.pile
        state = State(pile, seats, tuple(sorted(read.decks["cards"])), read.turn, read.card, read.over)
        if found := self.faults(state):
            raise PositionFaults(found, rule="PB-SUM")
        return state

    def faults(self, state: State) -> list[str]:
        known = [f"{card}: no such card" for card in state.deck if card not in self.caps]
        twice = ["a card is in two places"] if state.card in state.deck else []
        short = ["a seat has fewer than no pebbles"] if min(state.seats.values()) < 0 else []
        return known + twice + short

    def places(self, state: State) -> Sequence[tuple[str, ...]]:
        values = sorted(set(state.seats.values()), reverse=True)
        return [tuple(s for s in self.seats if state.seats[s] == value) for value in values]

    def chance(self, state: State, rng: random.Random) -> Action | None:
        if state.over or state.card is not None:
            return None
        return Draw("cards", (state.deck[int(rng.random() * len(state.deck))],))


class PebblesTitle(Title):
    id = "pebbles"
    name = "Pebbles"
    edition = "tests"
    stage = "alpha"
    seats = (2, 3)
    seats_rule = "PB-1"
    tag = "Z"
    rules_version = 1
    switches = {"pile.open": Switch.flag("PB-PILE", "whether the pile may be counted", default=True)}  # noqa: RUF012
    default_pack = "garden"

    def load_pack(self, name_or_path: str | Path) -> Pack[Content]:
        return load(find(FOLDER, name_or_path), Content, game=self.id)

    def pack_from_canonical(self, text: str) -> Pack[Content]:
        return Pack.from_canonical(text, Content)

    def bind(self, pack: Pack[Any], seats: int, options: Mapping[str, str | bool]) -> Pebbles:
        return Pebbles(self, pack, seats, options)


TITLE = PebblesTitle()
