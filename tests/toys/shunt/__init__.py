"""Shunt, a toy: a hidden-hand deck-builder with shuffle, peek and all-or-nothing effects.

Its rules are the sentences of locale/en.toml. A hand is drawn at the end of the own turn, while the next seat
may already play: then the table owes cards to one seat and another seat acts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from assistant import cards as c
from assistant.actions import TABLE, Action, Codec
from assistant.dealing import CardGame, Deal, Shuffle
from assistant.events import Event, Points
from assistant.game import Acting, Title
from assistant.offers import Offer
from assistant.rulings import Violation
from assistant.stacks import Stack

What = Literal["draw", "look", "sift", "shed", "gain"]
DRAW: What = "draw"


class Card(Struct, frozen=True):
    id: str
    start: int = 0
    copies: int = 0
    points: int = 0
    effects: tuple[What, ...] = ()


class Content(Struct, frozen=True):
    rules: dict[str, int]
    cards: tuple[Card, ...]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    cards: dict[str, c.Cards]
    stacks: dict[str, Stack[What]]
    supply: dict[str, int]
    turn: str
    left: int


class Play(Action, frozen=True):
    seat: str
    card: str
    apply: bool = False


class Pick(Action, frozen=True):
    seat: str
    card: str = ""  # none: the card looked at stays where it is


class EndTurn(Action, frozen=True):
    seat: str


class Shunt(CardGame[State]):
    state_type = State
    codec = Codec[Any]([Play, Pick, EndTurn, Deal, Shuffle])
    waivable = frozenset({"TD-5", "TD-6"})

    def start(self) -> State:
        content: Content = self.pack.content
        deck = c.of(
            ("hand", "play", "discard"), "deck", [k.id for k in content.cards for _ in range(k.start)]
        )
        hand = Stack((DRAW,) * content.rules["hand"])
        supply, left = (
            {card.id: card.copies for card in content.cards},
            content.rules["turns"] * len(self.seats),
        )
        return State(dict.fromkeys(self.seats, deck), dict.fromkeys(self.seats, hand), supply, "A", left)

    def wants(self, state: State) -> dict[str, int]:
        tops = {seat: stack.run for seat, stack in state.stacks.items() if state.left}
        return {seat: count for seat, (what, count) in tops.items() if what in ("draw", "look")}

    def acting(self, state: State) -> tuple[Acting, ...]:
        asked = (Acting(state.turn, state.stacks[state.turn].top or "turn"),)
        return self.table_acting(state) + (
            asked if state.left and state.turn not in self.wants(state) else ()
        )

    def offers(self, state: State, seat: str) -> list[Offer]:
        if seat == TABLE:
            return self.table_offers(state)
        names = ["", *(card.id for card in self.pack.content.cards)]
        every: list[Action] = [Play(seat, name, apply) for name in names for apply in (False, True)]
        every += [*(Pick(seat, name) for name in names), EndTurn(seat)]
        return [action for action in every if self.refuse(state, action) is None]

    def room(self, cards: c.Cards, supply: dict[str, int], what: What | None) -> int:
        """How often an effect can be carried out."""
        pile, hand = cards["deck"].size + cards["discard"].size, cards["hand"].size
        return {"draw": pile, "look": pile, "sift": 1, "shed": hand, "gain": sum(supply.values()), None: 1}[
            what
        ]

    def fits(self, state: State, what: What, name: str) -> bool:
        if what == "gain":
            return state.supply.get(name, 0) > 0
        if what == "sift":
            return not name or c.may_lie_at(state.cards[state.turn], "deck", (name,))
        return c.may_hold(state.cards[state.turn], "hand", (name,))

    def violations(self, state: State, action: Any) -> Iterator[Violation]:
        top = state.stacks[state.turn].top
        if not state.left:
            yield Violation("TD-1")
        elif action.seat == TABLE:
            if fault := self.table_fault(state, action):
                yield Violation({"kind": "TD-3", "cards": "TD-4", "count": "TD-6"}[fault], {"first": "turn"})
        elif action.seat != state.turn:
            yield Violation("TD-2", {"turn": state.turn})
        elif state.turn in self.wants(state) or isinstance(action, Pick) != (top is not None):
            yield Violation("TD-3", {"first": top or "turn"})
        elif not isinstance(action, EndTurn) and not self.fits(state, top or "shed", action.card):
            yield Violation("TD-4", {"card": action.card})
        elif isinstance(action, Play) and action.apply and not self.feasible(state, action.card):
            yield Violation("TD-5", {"card": action.card})

    def effects(self, name: str) -> tuple[What, ...]:
        return next(card.effects for card in self.pack.content.cards if card.id == name)

    def feasible(self, state: State, name: str) -> bool:
        """All or nothing, tested on counts before anything happens; cards drawn on the way may be shed."""
        cards, effects = state.cards[state.turn], self.effects(name)
        hand, pile = cards["hand"].size - 1, self.room(cards, state.supply, "draw")
        for what in effects:
            drawn = min(pile, what == "draw")
            hand, pile = hand + drawn - (what == "shed"), pile - drawn
            if hand < 0 or not (what in ("draw", "look", "shed") or self.room(cards, state.supply, what)):
                return False
        return bool(effects)

    def apply(self, state: State, action: Any) -> tuple[State, list[Event]]:
        who = action.owner if action.seat == TABLE else action.seat
        cards, stack, supply, turn, left = (
            state.cards[who],
            state.stacks[who],
            state.supply,
            state.turn,
            state.left,
        )
        top, count = stack.run
        events: list[Event] = []
        if action.seat == TABLE:
            cards, informed = self.debts(state)[who].met(action, "hand" if top == "draw" else None)
            events.append(informed)
            if isinstance(action, Deal):
                stack = stack.pop(min(action.count, count)).push(*(("sift",) if top == "look" else ()))
        elif isinstance(action, Play):
            cards = c.move(cards, "hand", "play", action.card)
            stack = stack.push(*reversed(self.effects(action.card))) if action.apply else stack
        elif isinstance(action, Pick):
            stack = stack.pop()
            if top == "gain":
                cards, supply = (
                    c.put(cards, "discard", action.card),
                    supply | {action.card: supply[action.card] - 1},
                )
            elif top == "shed":
                cards = c.move(cards, "hand", "discard", action.card)
            elif action.card:
                cards = c.draw(cards, "deck", "discard", 1, (action.card,))
        else:
            cards = c.show(c.gather(cards, "discard", "hand", "play"), "discard")
            stack = stack.push(*(DRAW,) * self.pack.content.rules["hand"])
            turn, left = self.seats[(self.seats.index(who) + 1) % len(self.seats)], left - 1
        while not self.room(cards, supply, stack.top):
            stack = stack.pop()  # what is not there is not asked for
        state = State(state.cards | {who: cards}, state.stacks | {who: stack}, supply, turn, left)
        return state, events + [Points(seat, n, "cards") for seat, n in self.totals(state).items() if n]

    def totals(self, state: State) -> dict[str, int]:
        worth = {card.id: card.points for card in self.pack.content.cards}
        mine = {seat: c.owned(cards) for seat, cards in state.cards.items() if not state.left}
        return {seat: sum(worth[name] * n for name, n in owned.items()) for seat, owned in mine.items()}

    def faults(self, state: State) -> list[str]:
        out = super().faults(state) or [f"turn: no seat {state.turn}"] * (state.turn not in self.seats)
        for card in self.pack.content.cards if not out else ():
            there = [
                state.supply.get(card.id, 0),
                *(c.owned(cards)[card.id] for cards in state.cards.values()),
            ]
            if min(there) < 0 or sum(there) != card.copies + card.start * len(self.seats):
                out.append(f"{card.id}: {there[0]} in the supply and {there[1:]} with the seats cannot be")
        return out


class ShuntTitle(Title):
    id, name, edition, tag, stage = "toy_shunt", "Shunt", "toy", "X", "alpha"
    seats, seats_rule, rules_version = (2, 3), "TD-0", 1
    default_pack, content, rules = "basic", Content, Shunt


TITLE = ShuntTitle()
