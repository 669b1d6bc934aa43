"""Trains bound to a pack: who acts, what may be done, what is broken, what follows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace

from assistant import cards as c
from assistant.actions import TABLE, Action
from assistant.dealer import top
from assistant.dealing import CardGame, Owed
from assistant.display import Display, Foresight
from assistant.events import FINAL, Event, Points, Told
from assistant.game import PUBLIC, Acting, EndFact, SetUpStep, Title
from assistant.games.trains import asking, edges, layout, player, position, questions
from assistant.games.trains import effects as fx
from assistant.games.trains.actions import (
    CODEC,
    Buy,
    EndTurn,
    First,
    Lay,
    Leftovers,
    PassReturn,
    Play,
    Stacks,
    StartPlace,
)
from assistant.games.trains.board import Board
from assistant.games.trains.display import Screen
from assistant.games.trains.doing import act
from assistant.games.trains.explain import explain
from assistant.games.trains.feasible import DEMANDING, feasible
from assistant.games.trains.foresight import Foresights
from assistant.games.trains.forms import LeftoversForm, StacksForm
from assistant.games.trains.hands import Hand, hand_of
from assistant.games.trains.laying import Laying
from assistant.games.trains.pack import Card, Content
from assistant.games.trains.resolving import (
    Change,
    play_value,
)
from assistant.games.trains.scene import laid, scene, tagged
from assistant.games.trains.state import (
    DRAWS,
    REVEALS,
    ZONES,
    ShowHand,
    State,
)
from assistant.layout import Mat, Scene
from assistant.offers import Offer
from assistant.packs import Pack
from assistant.positions import Position
from assistant.reading import Reading, Seen, Spot
from assistant.rulings import NotUnderstood, Violation
from assistant.scores import Tie


class Trains(CardGame[State]):
    """The rules of Trains for one table. All methods are pure."""

    codec = CODEC
    derived = ("box", "stations_left", "seats.*.rails_left")
    slip_kinds = player.SLIPS
    seen_kinds = frozenset({"start_place", "play", "buy", "lay", "place_station", "reveal", "leftovers"})
    waivable: ClassVar[frozenset[str]] = frozenset(
        {"TR-START-4", "TR-LAY-1", "TR-LAY-2", "TR-LAY-3", "TR-LAY-5", "TR-BUY-1", "TR-PASS-3"}
    )

    def __init__(
        self, title: Title, pack: Pack[Content], seats: int, options: Mapping[str, str | bool]
    ) -> None:
        super().__init__(title, pack, seats, options)
        self.content: Content = pack.content
        self.index = {letter: index for index, letter in enumerate(self.seats)}
        self.immediate = options["rail_mode"] == "immediate"
        self.open_hands = options["clean_up"] == "open"
        self.board = Board(self.content)
        self.laying = Laying(self)
        self._index_cards()
        names = self.board.grid.bit.items()
        self.lays = {s: {bit: Lay(s, name) for name, bit in names} for s in self.seats}
        self.plays = {
            s: {card: (Play(s, card, True), Play(s, card)) for card in self.order} for s in self.seats
        }
        self.buys = {s: {card: Buy(s, card) for card in self.order} for s in self.seats}
        self.ends = {s: EndTurn(s) for s in self.seats}

    def _index_cards(self) -> None:
        cards = self.content.cards
        self.cards: dict[str, Card] = {card.id: card for card in cards}
        self.order = tuple(self.cards)
        self.waste = next(card.id for card in cards if card.colour == "waste")
        self.of_colour: dict[str, frozenset[str]] = {
            colour: frozenset(card.id for card in cards if card.colour == colour)
            for colour in ("train", "rail", "station", "action", "vp", "waste")
        }
        self.copied = tuple(
            card.id
            for card in cards
            if card.action and not any(isinstance(line, fx.CopyAction) for line in card.effect)
        )
        """Cards whose effect another one may copy (HR-10)."""
        self.playable = frozenset(card.id for card in cards if card.colour not in ("vp", "waste"))
        # In `immediate` mode the rail comes last on its card (HR-1).
        self.lines = {
            card.id: tuple(sorted(card.effect, key=lambda line: self.immediate and type(line) is fx.Rail))
            for card in cards
        }
        self.undemanding = frozenset(
            card
            for card, lines in self.lines.items()
            if not any(
                type(line) in DEMANDING and (self.immediate or type(line) is not fx.Rail) for line in lines
            )
        )
        """Cards whose effect can always be applied."""
        self.random = tuple(card.id for card in cards if card.role == "random")
        self.set_names = {stacks.id: stacks.name for stacks in self.content.sets}
        self.worth = {card.id: card.vp for card in cards if card.vp}

    # Numbers ----------------------------------------------------------------------------------------

    def rails_left(self, state: State, seat: int) -> int:
        """Rail tokens that a seat has not placed (I-2)."""
        return self.content.setup.rail_tokens - state.tokens[seat].bit_count()

    def stations_left(self, state: State) -> int:
        """Station tokens beside the map (I-2)."""
        return self.content.setup.station_tokens - sum([level.bit_count() for level in state.stations])

    # Set-up -----------------------------------------------------------------------------------------

    def start(self) -> State:
        seats = len(self.seats)
        deck = [card for card, count in self.content.setup.start_deck.items() for _ in range(count)]
        starting = Counter({card: count * seats for card, count in self.content.setup.start_deck.items()})
        supply = {k.id: k.count - starting[k.id] for k in self.content.cards if k.role == "base"}
        box = {
            k.id: left for k in self.content.cards if k.role != "base" and (left := k.count - starting[k.id])
        }
        cards = {seat: c.of(ZONES[1:], "deck", deck) for seat in self.seats}
        none = (0,) * seats
        return State("stacks", cards, supply, box, none, (0, 0, 0), none)

    # Who acts ---------------------------------------------------------------------------------------

    def wants(self, state: State) -> dict[str, int]:
        return {seat: owed.count for seat, owed in self.debts(state).items()}

    def debts(self, state: State) -> dict[str, Owed]:
        if state.phase == "start" and not state.tokens[state.first]:
            return {
                seat: Owed(seat, cards, self.content.setup.hand)
                for seat, cards in state.cards.items()
                if not cards.zones["hand"].size
            }
        if not state.stack:
            return {}
        line: Any = state.stack[-1].line
        kind = type(line)
        seat = self.seats[state.active]
        if kind in DRAWS:
            return {seat: Owed(seat, state.cards[seat], 1 if kind is fx.Peek else line.n)}
        if kind in REVEALS:
            cards = state.cards[seat]
            count = line.n - cards.zones["revealed"].size if kind is fx.RevealTake else 1
            return {seat: Owed(seat, cards, count, open=True)}
        return {}

    def acting(self, state: State) -> tuple[Acting, ...]:
        phase = state.phase
        if phase == "turns":
            if not state.stack:
                return (Acting(self.seats[state.active], "turn"),)
            line = state.stack[-1].line
            if type(line) in asking.ANSWERS:
                return (Acting(self.seats[state.active], asking.why(state.stack[-1])),)
            if type(line) is ShowHand:
                return (Acting(TABLE, "leftovers"),)
            return self.table_acting(state)
        if phase == "over":
            return ()
        if phase == "start":
            return self.table_acting(state) or (Acting(self.seats[state.active], "start"),)
        return (Acting(TABLE, phase),)

    def finished(self, state: State) -> bool:
        return state.phase == "over"

    # What may be done -------------------------------------------------------------------------------

    def offers(self, state: State, seat: str) -> list[Offer]:
        if seat == TABLE:
            return self._table_offers(state)
        if seat != self.seats[state.active]:
            return []
        if state.phase == "start":
            if self.debts(state):
                return []
            taken = sum(state.tokens)
            free = self.board.starts & ~taken
            return [StartPlace(seat, name) for name in self.board.grid.names(free)]
        if state.phase != "turns":
            return []
        if state.stack:
            task = state.stack[-1]
            return asking.offers(self, state, task) if type(task.line) in asking.ANSWERS else []
        return self._turn_offers(state, seat)

    def _turn_offers(self, state: State, seat: str) -> list[Offer]:
        turn, hand = state.turn, hand_of(state.cards[seat])
        out: list[Offer] = []
        if not turn.returned:
            plays, lines, playable = self.plays[seat], self.lines, self.playable
            for card in hand.kinds():
                if card in playable and (not hand.unnamed or hand.most(card)):
                    apply, plain = plays[card]
                    if lines[card] and self.may_apply(state, card, hand):
                        out.append(apply)
                    out.append(plain)
        if turn.rails:
            out += self.laying.offers(state)
        if not turn.returned:
            buys, cards = self.buys[seat], self.cards
            money = turn.money
            for card, left in state.supply.items():
                if left and 0 <= cards[card].cost <= money:
                    out.append(buys[card])
                    if turn.topdeck:
                        out.append(Buy(seat, card, True))
            if not turn.played and not turn.bought:
                least, most = hand.least(self.waste), hand.most(self.waste)
                out += [PassReturn(seat, count) for count in range(least, most + 1)]
        out.append(self.ends[seat])
        return out

    def may_apply(self, state: State, card: str, hand: Hand) -> bool:
        """Whether the effect of a card in `hand` could be applied if it were played now (TR-FX-1)."""
        if card in self.undemanding:
            return True
        money = state.turn.money + play_value(self.cards[card], state.turn.bonus)
        rest = hand.without(card)
        return feasible(self, state, state.active, self.lines[card], card, rest, money)

    def _table_offers(self, state: State) -> list[Offer]:
        if state.phase == "stacks":
            sets = {stacks.id: stacks.cards for stacks in self.content.sets}
            return [StacksForm(self.random, self.content.setup.random_stacks, sets)]
        if state.phase == "first":
            return [First(seat) for seat in self.seats]
        if state.stack and type(state.stack[-1].line) is ShowHand:
            return [self._leftovers(state)]
        return self.table_offers(state)

    def _leftovers(self, state: State) -> Offer:
        seat = self.seats[state.active]
        return LeftoversForm(seat, hand_of(state.cards[seat]), self.order, self.open_hands)

    def chance(self, state: State, rng: random.Random) -> Action | None:
        if state.phase == "stacks":
            drawn = rng.sample(self.random, self.content.setup.random_stacks)
            return Stacks(tuple(sorted(drawn, key=self.order.index)))
        if state.phase == "first":
            return First(self.seats[int(rng.random() * len(self.seats))])
        if state.stack and type(state.stack[-1].line) is ShowHand:
            return self._laid_open(state, rng)
        return super().chance(state, rng)

    def _laid_open(self, state: State, rng: random.Random) -> Action:
        """What is left in the hand, as a virtual dealer finds it."""
        seat = self.seats[state.active]
        cards = state.cards[seat]
        count = cards.zones["hand"].size
        found = top(cards, "hand", count, rng) if self.open_hands else ()
        return Leftovers(seat, count, tuple(sorted(found, key=self.order.index)))

    # What is broken ---------------------------------------------------------------------------------

    def violations(self, state: State, action: Any) -> Iterator[Violation]:
        seat = action.seat
        if seat != TABLE and seat not in self.index:
            raise NotUnderstood(f"there is no seat {seat!r}; there are: {', '.join(self.seats)}")
        if state.phase == "over":
            yield Violation("TR-END-4")
        elif seat == TABLE:
            yield from self._table_violations(state, action)
        elif isinstance(action, StartPlace):
            yield from self._start_violations(state, action)
        elif state.phase != "turns":
            yield Violation("TR-START-1")
        elif self.index[seat] != state.active:
            yield Violation("TR-TURN-1", {"next": self.seats[state.active]})
        elif state.stack:
            yield from asking.violations(self, state, state.stack[-1], action)
        elif isinstance(action, Play):
            yield from self._play_violations(state, action)
        elif isinstance(action, Lay):
            yield from self.laying.violations(state, action)
        elif isinstance(action, Buy):
            yield from self._buy_violations(state, action)
        elif isinstance(action, PassReturn):
            yield from self._pass_violations(state, action)
        elif not isinstance(action, EndTurn):
            yield Violation("TR-TURN-2", {"open": "", "card": ""})

    def _table_violations(self, state: State, action: Any) -> Iterator[Violation]:
        if isinstance(action, Stacks):
            count, chosen = self.content.setup.random_stacks, set(action.cards)
            fits = chosen <= set(self.random) and len(chosen) == len(action.cards) == count
            if state.phase != "stacks" or not fits:
                yield Violation("TR-SETUP-6", {"count": count})
        elif isinstance(action, First):
            if state.phase != "first" or action.player not in self.index:
                yield Violation("TR-SETUP-8")
        elif isinstance(action, Leftovers):
            yield from self._leftover_violations(state, action)
        elif fault := self.table_fault(state, action):
            yield Violation({"kind": "TR-DRAW-1", "cards": "TR-VIS-2", "count": "TR-SHUF-2"}[fault])

    def _leftover_violations(self, state: State, action: Leftovers) -> Iterator[Violation]:
        due = bool(state.stack) and type(state.stack[-1].line) is ShowHand
        if not due or action.owner != self.seats[state.active]:
            yield Violation("TR-CLEAN-1", {"expected": 0, "count": action.count})
            return
        hand = hand_of(state.cards[action.owner])
        wanted = hand.size if self.open_hands else 0
        if action.count != hand.size or len(action.cards) != wanted:
            count = len(action.cards) if self.open_hands else action.count
            yield Violation("TR-CLEAN-1", {"expected": hand.size, "count": count})
        elif not c.may_hold(state.cards[action.owner], "hand", action.cards):
            yield Violation("TR-VIS-2")

    def _start_violations(self, state: State, action: StartPlace) -> Iterator[Violation]:
        if state.phase != "start" or self.index[action.seat] != state.active or self.debts(state):
            yield Violation("TR-START-1", {"turn": self.seats[state.active]})
            return
        place = self.board.hexes.get(action.hex)
        if place is None or place.terrain == "sea":
            yield Violation("TR-START-2", {"hex": action.hex}, (action.hex,))
        elif place.terrain == "remote":
            yield Violation("TR-START-3", {"hex": action.hex}, (action.hex,))
        elif any(tokens & self.board.grid.bit[action.hex] for tokens in state.tokens):
            yield Violation("TR-START-4", {"hex": action.hex}, (action.hex,))

    def _play_violations(self, state: State, action: Play) -> Iterator[Violation]:
        turn, card = state.turn, action.card
        if turn.returned:
            yield Violation("TR-PASS-3")
        if card not in self.cards:
            yield Violation("TR-VIS-3", {"card": card})
            return
        name = self.name_of(card)
        mine = state.cards[action.seat]
        if not c.may_hold(mine, "hand", (card,)):
            late = action.apply and card in turn.declined
            yield Violation("TR-PLAY-3" if late else "TR-VIS-3", {"card": name})
            return
        if self._foreign(state, action.seat, card, action.copy):
            yield Violation("TR-VIS-3", {"card": f"{name} {action.copy}"})
        if card not in self.playable:
            yield Violation("TR-PLAY-4", {"card": name})
            return
        if action.apply and not (self.lines[card] and self.may_apply(state, card, hand_of(mine))):
            yield Violation("TR-FX-1", {"card": name})

    def _foreign(self, state: State, seat: str, card: str, copy: str) -> bool:
        """Whether the card of this number cannot be the seat's: it is somebody else's, or all the seat's
        copies are known by other numbers (TR-VIS-3)."""
        if not copy:
            return False
        owner = state.copies.get(f"{card}-{copy}")
        if owner is not None:
            return owner != seat
        known = sum(1 for k, o in state.copies.items() if o == seat and k.rpartition("-")[0] == card)
        return known >= c.owned(state.cards[seat])[card]

    def _buy_violations(self, state: State, action: Buy) -> Iterator[Violation]:
        turn, name = state.turn, action.card
        if turn.returned:
            yield Violation("TR-PASS-3")
        card = self.cards.get(name)
        if name == self.waste:
            yield Violation("TR-BUY-4", {"card": self.name_of(name)})
            return
        cost = 0 if card is None else card.cost
        values = {"card": self.name_of(name), "cost": cost, "have": turn.money}
        if card is None or name not in state.supply:
            starts = card is not None and card.role == "start"
            yield Violation("TR-SETUP-7" if starts else "TR-BUY-1", values)
        if card is None or not state.supply.get(name):
            yield Violation("TR-BUY-4", {"card": self.name_of(name)})
            return
        if cost > turn.money:
            yield Violation("TR-BUY-1", values)
        if action.top and not turn.topdeck:
            yield Violation("TR-BUY-6", {"card": self.name_of(name)})
        if action.copy and f"{name}-{action.copy}" in state.copies:
            yield Violation("TR-VIS-3", {"card": f"{self.name_of(name)} {action.copy}"})

    def _pass_violations(self, state: State, action: PassReturn) -> Iterator[Violation]:
        turn = state.turn
        if turn.played or turn.bought or turn.returned:
            yield Violation("TR-PASS-3")
        hand = hand_of(state.cards[action.seat])
        least, most = hand.least(self.waste), hand.most(self.waste)
        if not least <= action.count <= most:
            yield Violation("TR-PASS-2", {"count": action.count, "have": least})

    # What follows -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Any) -> tuple[State, list[Event]]:
        if action.seat == TABLE and state.phase != "turns":
            return self._set_up_after(state, action)
        if isinstance(action, StartPlace):
            return self._started(state, action)
        change = Change(self, state)
        act(change, action)
        return change.state, change.events

    def _set_up_after(self, state: State, action: Any) -> tuple[State, list[Event]]:
        if isinstance(action, Stacks):
            counts = {card: self.cards[card].count for card in action.cards}
            box = {card: left for card, left in state.box.items() if card not in counts}
            in_order = {card: counts[card] for card in self.order if card in counts}
            return replace(state, phase="first", supply={**state.supply, **in_order}, box=box), []
        if isinstance(action, First):
            first = self.index[action.player]
            return replace(state, phase="start", first=first, active=first), []
        cards, informed = self.debts(state)[action.owner].met(action)
        return replace(state, cards={**state.cards, action.owner: cards}), [informed]

    def _started(self, state: State, action: StartPlace) -> tuple[State, list[Event]]:
        tokens = list(state.tokens)
        tokens[state.active] = self.board.grid.bit[action.hex]
        active = (state.active + 1) % len(self.seats)
        after = replace(state, tokens=tuple(tokens), active=active)
        return (after if active != state.first else replace(after, phase="turns")), []

    # The end ----------------------------------------------------------------------------------------

    def end_conditions(self, state: State) -> list[str]:
        """Ids of the end conditions that are met (TR-END-1 to 3)."""
        out = []
        empty = [card for card, left in state.supply.items() if not left and card != self.waste]
        if len(empty) >= self.content.ends.empty_stacks:
            out.append("TR-END-1")
        if any(not self.rails_left(state, seat) for seat in range(len(self.seats))):
            out.append("TR-END-2")
        if not self.stations_left(state):
            out.append("TR-END-3")
        return out

    def score(self, change: Change) -> None:
        """The game is over: the final points go on top of the track (TR-SCORE)."""
        change.events.append(Told(FINAL))
        change.events += self.final_points(change.state)
        change.phase = "over"

    def final_points(self, state: State) -> list[Event]:
        """What rails and cards score, seat by seat."""
        out: list[Event] = []
        rules = {"city": "TR-SCORE-1", "remote": "TR-SCORE-2"}
        for index, seat in enumerate(self.seats):
            for source, place, points in self.board.scored(state, index):
                out.append(Points(seat, points, source, place, rules[source]))
            owned = c.owned(state.cards[seat])
            for card, worth in self.worth.items():
                if owned[card]:
                    out.append(Points(seat, worth * owned[card], "cards", card, "TR-SCORE-3"))
        return out

    def final(self, state: State) -> tuple[State, list[Event]]:
        if state.phase == "over":
            return state, []
        return replace(state, phase="over", stack=()), self.final_points(state)

    def totals(self, state: State) -> Mapping[str, int]:
        out = dict(zip(self.seats, state.track, strict=True))
        if state.phase == "over":
            for event in self.final_points(state):
                assert isinstance(event, Points)
                out[event.seat] += event.amount
        return out

    def places(self, state: State) -> Sequence[tuple[str, ...]]:
        """By points, then by rails on the map (TR-TIE)."""
        totals = self.totals(state)
        rank = {s: (totals[s], state.tokens[i].bit_count()) for i, s in enumerate(self.seats)}
        return [
            tuple(s for s in self.seats if rank[s] == r) for r in sorted(set(rank.values()), reverse=True)
        ]

    def name_of(self, id: str) -> str:
        card = self.cards.get(id)
        return self.set_names.get(id, id) if card is None else card.name

    def ties(self, state: State) -> tuple[Tie, ...]:
        return edges.ties(self, state)

    # The screen -------------------------------------------------------------------------------------

    @cached_property
    def screen(self) -> Screen:
        """What makes displays of this game."""
        return Screen(self)

    def display(self, state: State, viewer: str = PUBLIC) -> Display:
        return self.screen.display(state, viewer)

    def tokens(self, state: State) -> tuple[Spot, ...]:
        return self.screen.tokens(state)

    @cached_property
    def foresights(self) -> Foresights:
        """What foresees actions of this game."""
        return Foresights(self)

    def foresee(self, state: State, action: Action) -> Foresight:
        return self.foresights.foresee(state, action)

    def set_up(self, state: State) -> tuple[SetUpStep, ...]:
        return edges.set_up(self, state)

    def end_facts(self, entered: Mapping[str, Any]) -> tuple[EndFact, ...]:
        return edges.end_facts(self, entered)

    def end_position(self, entered: Mapping[str, Any]) -> Position:
        return edges.end_position(self, entered)

    # Questions --------------------------------------------------------------------------------------

    def ask(self, state: State, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        return questions.answer(self, state, name, args)

    # The mat ----------------------------------------------------------------------------------------

    @cached_property
    def printed(self) -> Mat:
        """The mat of the first box copy."""
        return self.mat()

    def mat(self, copy: str = "01") -> Mat:
        return layout.mat(self.pack, copy=copy)

    @cached_property
    def payloads(self) -> dict[tuple[str, str | None, str], str]:
        """Tags by class, seat and name of the piece."""
        return {(piece.what, piece.seat, piece.name): piece.payload for piece in self.printed.pieces}

    @cached_property
    def numbered(self) -> dict[str, tuple[str, ...]]:
        """The names of the pieces of each deck, `TC-LR-07`, by the id of the card."""
        return {
            card.id: tuple(f"{card.id}-{n + 1:02}" for n in range(card.count)) for card in self.content.cards
        }

    @cached_property
    def rooms(self) -> dict[str, tuple[float, ...]]:
        """Where the cards of each lane lie."""
        return {lane.id: layout.lane_room(self.printed, lane.id) for lane in layout.LANES}

    def scene(self, state: State) -> Scene:
        return scene(self, state)

    def laid(self, state: State, action: Action) -> Scene:
        return laid(self, state, action)

    def tagged(self, state: State, action: Action) -> Action:
        return tagged(self, state, action)

    def in_one_go(self, first: Action, following: Action) -> bool:
        """Cards whose effect asks nothing, rails, or purchases."""
        if isinstance(first, Play) and isinstance(following, Play):
            return not self.lines[first.card] and not self.lines[following.card]
        return first.kind == following.kind in ("lay", "buy")

    def explain(self, state: State, seen: Seen) -> Reading:
        return explain(self, state, seen)

    def sensible(self, state: State, seat: str, rng: random.Random) -> Action:
        return player.sensible(self, state, seat, rng)

    def slips(self, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
        return player.slips(self, state, rng)

    # Positions --------------------------------------------------------------------------------------

    def to_position(self, state: State) -> Position:
        return position.to_position(self, state)

    def from_position(self, position_: Mapping[str, Any]) -> State:
        return position.from_position(self, position_)

    def faults(self, state: State) -> list[str]:
        return super().faults(state) or position.faults(self, state)
