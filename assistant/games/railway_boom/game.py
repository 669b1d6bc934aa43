"""Railway Boom bound to a pack: the ring of steps and the tables they look things up in."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from assistant import auction
from assistant.actions import TABLE, Action
from assistant.auction import Next
from assistant.display import Display, Foresight
from assistant.events import Event
from assistant.game import PUBLIC, Acting, EndFact, Game, SetUpStep, Title
from assistant.games.railway_boom import edges, flow, layout, player, position, questions, scoring
from assistant.games.railway_boom.actions import (
    CODEC,
    Bid,
    Confirm,
    Decline,
    Done,
    EndTurn,
    OperateNext,
    PlaceRT,
    Rollback,
)
from assistant.games.railway_boom.board import Board
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.display import Screen
from assistant.games.railway_boom.effects import LINE_KINDS, SPENDING_KINDS
from assistant.games.railway_boom.explain import explain
from assistant.games.railway_boom.foresight import Foresights
from assistant.games.railway_boom.pack import (
    TRACKS,
    Carriage,
    Content,
    DevelopmentKind,
    Icon,
    Locomotive,
)
from assistant.games.railway_boom.scene import laid, scene
from assistant.games.railway_boom.state import (
    NO_TURN,
    TILES_OF_A_KIND,
    TRACK_LIMIT,
    Deck,
    Phase,
    Seat,
    State,
    Step,
    TrainCard,
)
from assistant.games.railway_boom.steps.base import Consequence, Part, StepPart
from assistant.games.railway_boom.steps.bidding import Bidding, Paying
from assistant.games.railway_boom.steps.choices import Choices, over
from assistant.games.railway_boom.steps.development import DevelopmentTurn
from assistant.games.railway_boom.steps.expansion import ExpansionTurn
from assistant.games.railway_boom.steps.free import NO_DECISION, Free
from assistant.games.railway_boom.steps.objective import ObjectiveTurn
from assistant.games.railway_boom.steps.operation import Operation
from assistant.games.railway_boom.steps.table import Table
from assistant.games.railway_boom.steps.train import TrainTurn
from assistant.hexes import Grid
from assistant.layout import Mat, Scene
from assistant.offers import Offer
from assistant.packs import Pack
from assistant.positions import Position
from assistant.reading import Reading, Seen, Spot
from assistant.rulings import NotUnderstood, Violation
from assistant.scores import Tie

DEVELOPMENT_KINDS: tuple[str, ...] = DevelopmentKind.__args__  # type: ignore[attr-defined]


def _nobody(state: State) -> tuple[Acting, ...]:
    """Who is asked when the game is over."""
    return ()


def _nothing(state: State, seat: int) -> list[Offer]:
    """What a seat may do then."""
    return []


class RailwayBoom(Game[State]):
    """The rules of Railway Boom for one table. All methods are pure."""

    codec = CODEC
    derived = ("seats.*.rails_left", "seats.*.stations_left", "supply")
    slip_kinds = player.SLIPS
    seen_kinds = frozenset({"draw", "place_station", "place_rt", "take_loco", "buy_carriage"})
    waivable: ClassVar[frozenset[str]] = frozenset(
        {
            "RB-AUC-8",
            "RB-AUC-9",
            "RB-RES-1",
            "RB-RES-4",
            "RB-TRN-4",
            "RB-TRN-5",
            "RB-EXP-7",
            "RB-EXP-8",
            "RB-EXP-11",
            "RB-DEV-4",
            "RB-DEV-8",
            "RB-FLOW-6",
        }
    )

    def __init__(
        self, title: Title, pack: Pack[Content], seats: int, options: Mapping[str, str | bool]
    ) -> None:
        super().__init__(title, pack, seats, options)
        self.content: Content = pack.content
        self.index = {letter: index for index, letter in enumerate(self.seats)}
        self._index_content()
        self._index_actions()
        self.table = Table(self)
        self.bidding = Bidding(self)
        self.paying = Paying(self)
        self.train = TrainTurn(self)
        self.expansion = ExpansionTurn(self)
        self.development = DevelopmentTurn(self)
        self.operation = Operation(self)
        self.objective = ObjectiveTurn(self)
        self.choices = Choices(self)
        self.free_actions = Free(self)
        self.steps: dict[int, StepPart] = {
            Step.SETUP: self.table,
            Step.REVEAL: self.table,
            Step.AUCTION: self.bidding,
            Step.PAY: self.paying,
            Step.TRAIN: self.train,
            Step.EXPANSION: self.expansion,
            Step.DEVELOPMENT: self.development,
            Step.OPERATION: self.operation,
            Step.OBJECTIVE: self.objective,
        }
        self.turn_parts: dict[int, TrainTurn | ExpansionTurn | DevelopmentTurn] = {
            Step.TRAIN: self.train,
            Step.EXPANSION: self.expansion,
            Step.DEVELOPMENT: self.development,
        }
        self._index_parts()
        self._offer_free = self.free_actions.offer

    # Tables -----------------------------------------------------------------------------------

    def _index_parts(self) -> None:
        """Who answers: by kind of action, and by step."""
        parts: tuple[Part, ...] = (*dict.fromkeys(self.steps.values()), self.choices, self.free_actions)
        self._parts: dict[type[Action], Part] = {}
        self._consequences: dict[type[Action], Consequence] = {}
        for part in parts:
            for kind, consequence in part.consequences().items():
                self._parts[kind] = part
                self._consequences[kind] = consequence
        ring = [self.steps[step] for step in range(Step.OVER)]
        self._acting = (*[part.acting for part in ring], _nobody)
        """By step: who is asked, no pending choice being open."""
        self._offers = (*[part.offers for part in ring], _nothing)
        """By step: what a seat may do besides free actions, no pending choice being open."""
        redraws = self.options["station.on_own_rt"] == "forbid_then_redraw"
        self._goes_on = {Step.PAY, Step.EXPANSION} if redraws else {Step.PAY}
        """Steps in which something may follow by itself after an action."""

    def _index_content(self) -> None:
        content, options = self.content, self.options
        self.next_rule: Next = "cyclic" if options["auction.next"] == "cyclic" else "rearmost"
        self.unlimited_tiles = bool(options["tiles.unlimited"])
        self.chart = content.bid_chart[str(len(self.seats))]
        self.grid = Grid({place.id: (place.q, place.r) for place in content.hexes})
        self.board_for = lru_cache(maxsize=8)(lambda tiles: Board(content, self.grid, tiles, options))
        self._printed = self.board_for(())
        self.tourist_mask = self._printed.terrain.get("tourist", 0)
        """Hexes whose effect interrupts what follows."""
        starts = {card.id: card for card in content.start_locomotives}
        self.locomotives: dict[str, Locomotive] = {
            **starts,
            **{card.id: card for card in content.locomotives},
        }
        self.carriages: dict[str, Carriage] = {card.id: card for card in content.carriages}
        self.developments = {card.id: card for card in content.developments}
        self.line_cards = {c.id: c for c in content.developments if c.kind in LINE_KINDS}
        """Cards that look at every own RT placement; most owned cards are none."""
        self.spending_cards = {c.id: c for c in content.developments if c.kind in SPENDING_KINDS}
        """Cards that look at every own payment of a bid."""
        self.objectives = {card.id: card for card in content.objectives}
        self.route_cards = {card.id: card for card in content.routes}
        bit, hexes = self.grid.bit, {city.id: city.hex for city in content.cities}
        self.route_ends = {
            card.id: (bit[hexes[card.city_a]], bit[hexes[card.city_b]]) for card in content.routes
        }
        self.station_number = {card.id: card.number for card in content.stations}
        self.station_hex = {card.id: hexes[card.city] for card in content.stations}
        self.kind_rule = {
            kind: f"RB-DFX-{number:02}" for number, kind in enumerate(DEVELOPMENT_KINDS, start=1)
        }
        self.amounts = tuple((0, *(level.amount for level in content.income[track])) for track in TRACKS)
        self.icons: tuple[tuple[Icon | None, ...], ...] = tuple(
            (None, *(level.icon for level in content.income[track])) for track in TRACKS
        )
        self.top_level = tuple(len(content.income[track]) for track in TRACKS)
        self.card_order: dict[Deck, tuple[str, ...]] = {
            Deck.OBJECTIVES: tuple(self.objectives),
            Deck.ROUTES: tuple(self.route_cards),
            Deck.LOCOMOTIVES: tuple(card.id for card in content.locomotives),
            Deck.CARRIAGES: tuple(self.carriages),
            Deck.STATIONS: tuple(self.station_number),
            Deck.DEVELOPMENTS: tuple(self.developments),
        }
        self.card_bit = {
            deck: {name: 1 << index for index, name in enumerate(order)}
            for deck, order in self.card_order.items()
        }

    def _index_actions(self) -> None:
        """The actions that are offered most, made once."""
        self.bids: list[list[Offer]] = [[Bid(s, n) for n in range(1, TRACK_LIMIT + 1)] for s in self.seats]
        """By index of the seat and by space, from space 1."""
        self.confirms = [Confirm(s) for s in self.seats]
        self.end_turns: list[Offer] = [EndTurn(s) for s in self.seats]
        self.declines = {s: Decline(s) for s in self.seats}
        whys = ("bid", "pay", "convert", "locomotive", "train", "station", "route", "set", "buy")
        self.asked = {
            why: tuple((Acting(s, why),) for s in self.seats) for why in (*whys, "free_card", "cube")
        }
        """By reason and index of the seat: the one seat that is asked."""
        self.operates = {s: OperateNext(s) for s in self.seats}
        self.rollbacks = {s: Rollback(s) for s in self.seats}
        self.dones = {s: Done(s) for s in self.seats}
        spots = self.grid.bit.items()
        self.powered = {s: {bit: PlaceRT(s, name) for name, bit in spots} for s in self.seats}
        self.free = {s: {bit: PlaceRT(s, name, True) for name, bit in spots} for s in self.seats}

    def board(self, state: State) -> Board:
        """The map with the tiles that lie on it."""
        return self._printed if not state.tiles else self.board_for(state.tiles)

    def icon(self, kind: str, n: int) -> Icon:
        """An icon value by its parts."""
        return Icon(kind, n)  # type: ignore[arg-type]

    # The questions of the kernel ---------------------------------------------------------------

    def start(self) -> State:
        content = self.content
        seats = len(self.seats)
        starts = content.start_locomotives
        return State(
            seats=tuple(Seat(locos=(TrainCard(starts[seat].id),)) for seat in range(seats)),
            round=0,
            phase=Phase.SETUP,
            step=Step.SETUP,
            track=auction.opened(tuple(range(seats))),
            active=0,
            turn=NO_TURN,
            stacks=(),
            trains=(None,) * seats,
            locomotives=(),
            carriages=(),
            stations=(),
            rows=(),
            objectives=(),
            routes=(),
            decks=tuple((1 << len(self.card_order[deck])) - 1 for deck in Deck),
            under=0,
            supply=(TILES_OF_A_KIND,) * 5,
        )

    def acting_seat(self, state: State) -> int:
        """Index of the seat whose turn it is in a Turn Step (RB-FLOW-3)."""
        return state.track.white[-1 - state.active]

    def acting(self, state: State) -> tuple[Acting, ...]:
        if not state.stacks:
            return self._acting[state.step](state)
        open_choices = self.choices.acting(state)
        if state.step == Step.OPERATION:
            return open_choices + self.operation.acting(state)
        return open_choices

    def decision_point(self, state: State) -> bool:
        """Whether some player is deciding something now (RB-FREE-4)."""
        if state.step in NO_DECISION:
            return False
        return not state.stacks or any(seat.seat != TABLE for seat in self.acting(state))

    def offers(self, state: State, seat: str) -> list[Offer]:
        try:
            index = self.index[seat]
        except KeyError:
            return []
        step = state.step
        out = self._interrupted(state, index) if state.stacks else self._offers[step](state, index)
        if step not in NO_DECISION:
            self._offer_free(out, state, index)
        return out

    def _interrupted(self, state: State, index: int) -> list[Offer]:
        """What a seat may do while somebody has an open choice."""
        operation = state.step == Step.OPERATION
        if state.top(index) is None:
            return self.operation.offers(state, index) if operation else []
        choices = self.choices.offers(state, index)
        return choices + self.operation.loads(state, index) if operation else choices

    def violations(self, state: State, action: Action) -> Iterator[Violation]:
        seat: str = action.seat  # type: ignore[attr-defined]
        index = self.index.get(seat, -1)
        part = self._parts[type(action)]
        if index < 0 and (part is not self.table or seat != TABLE):
            raise NotUnderstood(f"there is no seat {seat!r}; there are: {', '.join(self.seats)}")
        return part.violations(state, index, action)

    def apply(self, state: State, action: Action) -> tuple[State, list[Event]]:
        change = Change(self, state, [*state.seats])
        index = self.index.get(action.seat, -1)  # type: ignore[attr-defined]
        self._consequences[type(action)](change, index, action)
        after = change.state if change.changed else change.table
        if after.step in self._goes_on and not after.stacks:
            flow.go_on(change)
            after = change.state
        return after, change.events

    def finished(self, state: State) -> bool:
        return over(state)

    def chance(self, state: State, rng: random.Random) -> Action | None:
        return self.table.chance(state, rng)

    def places(self, state: State) -> Sequence[tuple[str, ...]]:
        return scoring.places(self, state)

    def final(self, state: State) -> tuple[State, list[Event]]:
        """The position scored as if the game ended now (RB-END)."""
        if over(state):
            return state, []
        change = Change(self, state, list(state.seats))
        flow.finish(change)
        return change.state, change.events

    def ties(self, state: State) -> tuple[Tie, ...]:
        return scoring.ties(self, state)

    def set_up(self, state: State) -> tuple[SetUpStep, ...]:
        return edges.set_up(self, state)

    def end_facts(self, entered: Mapping[str, Any]) -> tuple[EndFact, ...]:
        return edges.end_facts(self, entered)

    def end_position(self, entered: Mapping[str, Any]) -> Position:
        return edges.end_position(entered)

    def ask(self, state: State, name: str, args: Mapping[str, Any]) -> dict[str, Any]:
        return questions.answer(self, state, name, args)

    def distance(self, action: Action, legal: Action) -> float:
        """Hexes by steps on the map, numbers by their difference, anything else by being equal."""
        total = 0.0
        for name in action.__struct_fields__:
            mine, other = getattr(action, name), getattr(legal, name, None)
            if mine == other:
                continue
            if name == "hex" and mine in self.grid.axial and other in self.grid.axial:
                (q1, r1), (q2, r2) = self.grid.axial[mine], self.grid.axial[other]
                dq, dr = q1 - q2, r1 - r2
                total += max(abs(dq), abs(dr), abs(dq + dr))
            elif isinstance(mine, int) and isinstance(other, int):
                total += abs(mine - other)
            else:
                total += 1
        return total

    def totals(self, state: State) -> Mapping[str, int]:
        return {name: state.seats[index].vp for index, name in enumerate(self.seats)}

    def deck(self, state: State) -> str:
        due = self.table.due(state)
        return due[0] if due else ""

    def owed(self, state: State) -> tuple[str, int] | None:
        return self.table.due(state)

    @cached_property
    def printed(self) -> Mat:
        """The mat of the first box copy."""
        return self.mat()

    def mat(self, copy: str = "01") -> Mat:
        return layout.mat(self.pack, copy=copy)

    def card_words(self, catalogue: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
        return layout.card_words(self.content, catalogue)

    def scene(self, state: State) -> Scene:
        return scene(self, state)

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

    def name_of(self, id: str) -> str:
        return self.screen.names.get(id, id)

    def sensible(self, state: State, seat: str, rng: random.Random) -> Action:
        return player.sensible(self, state, seat, rng)

    def slips(self, state: State, rng: random.Random) -> Mapping[str, tuple[Spot, ...]]:
        return player.slips(self, state, rng)

    def in_one_go(self, first: Action, following: Action) -> bool:
        return first.kind == following.kind == "place_rt"

    def laid(self, state: State, action: Action) -> Scene:
        return laid(self, state, action)

    def explain(self, state: State, seen: Seen) -> Reading:
        return explain(self, state, seen)

    # Positions -------------------------------------------------------------------------------

    def to_position(self, state: State) -> Position:
        return position.to_position(self, state)

    def from_position(self, position_: Mapping[str, Any]) -> State:
        return position.from_position(self, position_)

    def faults(self, state: State) -> list[str]:
        return position.faults(self, state)
