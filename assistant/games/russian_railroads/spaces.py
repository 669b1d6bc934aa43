"""Spaces: which are there, what they cost, how they may be paid (RR-SPACE, RR-PAY, RR-ENG, RR-ORD)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import le
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from assistant.games.russian_railroads.actions import Move, Use
from assistant.games.russian_railroads.feasible import (
    TESTS,
    in_full,
    in_gaps,
    near_industry,
    takes_tile,
)
from assistant.games.russian_railroads.ops import Advance, Doubler, Industry, ReuseSpace, Roubles, grants
from assistant.games.russian_railroads.pack import MOST_DOUBLERS, Engineer, Space
from assistant.games.russian_railroads.state import Placed, Player, State
from assistant.games.russian_railroads.tracks import INDEX, REMEMBERED, most_marches, rooms
from assistant.offers import Form, Offer
from assistant.rulings import Violation

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

HIRE = "ENG-HIRE"
ORDER_SPACES = ("ORD-1", "ORD-2")
PUBLIC = "ENG-PUB-"
OWN = "ENG-"

Pieces = tuple[int, int, int, int]
"""Own workers, black workers, temporary workers, roubles."""
PIECES = ("worker", "black", "temp", "rouble")
"""What each of them is called."""


class Cost(Struct, frozen=True, gc=False):
    """What a space costs: `workers` of any kind of piece, `roubles` that are roubles (RR-SPACE-5)."""

    workers: int
    roubles: int

    @property
    def one_worker(self) -> bool:
        """Exactly one worker and nothing else: a target of the worker move (RR-MOVE-2)."""
        return self.workers == 1 and not self.roubles


class Payment(Form, frozen=True):
    """A space with all ways to pay for it."""

    seat: str
    space: str
    ways: tuple[Pieces, ...]

    @property
    def kind(self) -> str:
        """The tag of `Use`."""
        return "use"

    def domain(self, filled: Sequence[Any]) -> Sequence[Any] | None:
        """The ways to pay: the kind of each piece, as words."""
        return None if filled else tuple([in_words(way) for way in self.ways])

    def sample(self, rng: random.Random) -> Use:
        """The space, paid in one of the ways."""
        return Use(self.seat, self.space, *self.ways[int(rng.random() * len(self.ways))])

    def make(self, filled: Sequence[Any]) -> Use:
        """The space, so paid."""
        return Use(self.seat, self.space, *[list(filled[0]).count(kind) for kind in PIECES])


@lru_cache(maxsize=4096)
def in_words(way: Pieces) -> tuple[str, ...]:
    """A payment as the kind of each piece."""
    return tuple(kind for kind, n in zip(PIECES, way, strict=True) for _ in range(n))


@lru_cache(maxsize=4096)
def ways(workers: int, roubles: int, strict: bool, have: Pieces) -> tuple[Pieces, ...]:
    """All payments of a cost from what a player has, own workers first (RR-PAY-1)."""
    own, black, temps, coins = have
    total = workers + roubles
    most_coins = roubles if strict and workers and roubles else total
    out = []
    for used in range(min(own, workers), -1, -1):
        for dark in range(min(black, workers - used), -1, -1):
            for temp in range(min(temps, workers - used - dark), -1, -1):
                rest = total - used - dark - temp
                if roubles <= rest <= min(coins, most_coins):
                    out.append((used, dark, temp, rest))
    return tuple(out)


def have(player: Player) -> Pieces:
    """What a player can pay with (RR-PAY-3)."""
    return (player.free, int(player.black_free), player.temps, player.roubles)


NEITHER = (None, ())
"""No offer and no action."""

Hangs = Literal["", "boards", "tiles", "state"]


def _hangs_on(space: Space, hard_roubles: bool) -> Hangs:
    """What it hangs on whether the action of a space can be carried out: on nothing, on the tracks and the
    industry of a player, on the tiles that are left, or on anything in the state (the engineer there)."""
    if space.area == "engineer":
        return "state"
    kinds = [type(op) for op in space.action]
    if not any(kind in TESTS for kind in kinds if kind is not Roubles or hard_roubles):
        return ""
    plain = not any(isinstance(op, Advance) and (op.distinct or op.railroads) for op in space.action)
    if plain and set(kinds) <= {Advance, Industry} and len(set(kinds)) == len(kinds):
        return "boards"
    return "tiles" if all(takes_tile(op) for op in space.action) else "state"


class Payable(Struct, frozen=True, gc=False):
    """The offers of a seat with certain pieces to pay with, as far as they follow from these pieces."""

    board: tuple[tuple[str, Any], ...]
    """Spaces of the board in order: each with its offer, or for one with an engineer by number with offer
    and action."""
    beside: dict[int, tuple[str, Offer]]
    """By number of an own engineer: its space and the offer."""


class Doubts(Struct, frozen=True, gc=False):
    """What numbers say about spaces: that an action is impossible, or that its feasibility is to be tested.
    All others can be carried out in full."""

    shut: frozenset[str]
    asked: frozenset[str]


class Spaces:
    """Every space of the board and beside it, by id."""

    def __init__(self, game: RussianRailroads) -> None:
        self.game = game
        count = len(game.seats)
        self.all = {space.id: space for space in game.content.spaces}
        self.here = {space.id: space for space in game.content.spaces if count in space.players}
        self.never_taken = {space.id for space in game.content.spaces if not space.occupies}
        self.strict = bool(game.options["coin_space_strict_worker"])
        public = [space for space in self.all if space.startswith(PUBLIC)]
        self.on_strip = {HIRE: -1, **{space: -1 - place for place, space in enumerate(public, 1)}}
        """By space for an engineer: its place on the strip, from the right."""
        self.doing = {name: (space.action, space.any_order) for name, space in self.here.items()}
        """By space of the board: what it does, and whether in any order."""
        hangs = {name: _hangs_on(space, game.hard_roubles) for name, space in self.here.items()}
        boards = [space for name, space in self.here.items() if hangs[name] == "boards"]
        granting = {special.colour for special in game.granting if special.railroad != "IND"}
        self.stepping = [
            (space.id, op.n, [INDEX[colour] for colour in op.colours], not granting.isdisjoint(op.colours))
            for space in boards
            for op in space.action
            if isinstance(op, Advance)
        ]
        """Spaces for steps: how many, of which colours, and whether these colours may win more on the way."""
        self.marching = [
            (space.id, op, len(space.action) == 1)
            for space in boards
            for op in space.action
            if isinstance(op, Industry)
        ]
        self.for_tiles = frozenset(name for name in self.here if hangs[name] == "tiles")
        self.most_tiles = max((len(self.here[name].action) for name in self.for_tiles), default=0)
        self.for_more = frozenset(name for name in self.here if hangs[name] == "state")
        """Spaces whose feasibility always has to be tested."""
        self._known_payable: dict[tuple[Any, ...], Payable] = {}
        self._known_steps: dict[tuple[Any, ...], Doubts] = {}
        self._known_marches: dict[tuple[Any, ...], Doubts] = {}
        self.beside = {f"{OWN}{number}": number for number in game.engineers}
        """The space that each engineer is once it is hired; no other spelling is one."""
        self.lasting: dict[str, Space | Engineer] = {
            **{name: space for name, space in self.here.items() if name not in public},
            **{name: game.engineers[number] for name, number in self.beside.items()},
        }
        """Spaces whose cost and action are always the same, with what tells them."""

    # What a space is --------------------------------------------------------------------------------

    def engineer(self, state: State, space: str) -> int:
        """The number of the engineer on a public space or beside a board; 0 where there is none."""
        if space in self.on_strip:
            return state.strip[self.on_strip[space]] if space != HIRE else 0
        return self.beside.get(space, 0)

    def tile(self, state: State, space: str) -> Space | Engineer | None:
        """What tells cost and action of a space now: itself, or the engineer on it. None where there is no
        such space, or no engineer on it."""
        return self.lasting.get(space) or self.game.engineers.get(self.engineer(state, space))

    def cost(self, state: State, space: str) -> Cost | None:
        """What a space costs now; None where there is no such space, or no engineer on it."""
        tile = self.tile(state, space)
        return None if tile is None else Cost(tile.workers, tile.roubles)

    def action(self, state: State, space: str) -> tuple[Any, ...]:
        """What a space does."""
        tile = self.tile(state, space)
        return () if tile is None else tile.action

    def any_order(self, space: str) -> bool:
        """Whether the halves of what a space does come in the order of the player's choice (A-59)."""
        printed = self.here.get(space)
        return printed is not None and printed.any_order

    def is_own(self, space: str) -> bool:
        """Whether a space is an engineer beside a board, whose action is an own one (RR-MODEL-7)."""
        return space in self.beside

    def names(self, state: State, seat: str) -> list[str]:
        """Spaces that a seat could think of: those of the board, then its own engineers."""
        closed = "order" if self.game.last_round(state) else "last"
        board = [name for name, space in self.here.items() if space.area != closed]
        return [*board, *(f"{OWN}{number}" for number in state.players[seat].engineers)]

    def occupied(self, state: State, space: str) -> bool:
        """Whether any piece lies there (RR-SPACE-2, -3)."""
        return space not in self.never_taken and space in [placed.space for placed in state.placed]

    # Whether it may be used -------------------------------------------------------------------------

    def closed(self, state: State, seat: str, space: str) -> Iterator[Violation]:
        """Why a space is not available to a seat, whatever it pays (RR-SPACE-1)."""
        values: dict[str, Any] = {"space": space}
        printed = self.all.get(space)
        if printed is None and not self.engineer(state, space):
            yield Violation("RR-SPACE-1", values, (space,))
            return
        if printed is not None and space not in self.here:
            yield Violation("RR-P-6", {**values, "players": len(self.game.seats)}, (space,))
            return
        if printed is not None and printed.area in ("order", "last"):
            if (printed.area == "last") != self.game.last_round(state):
                yield Violation("RR-LAST-1", values, (space,))
                return
            if printed.area == "order":
                yield from self._booking(state, seat, space)
        if space == HIRE and not state.strip[-1]:
            yield Violation("RR-ENG-2", values, (space,))
            return
        if space.startswith(PUBLIC) and not self.engineer(state, space):
            yield Violation("RR-ENG-8", values, (space,))
            return
        if self.is_own(space):
            number = self.engineer(state, space)
            if number not in state.players[seat].engineers:
                waits = number in state.strip
                yield Violation("RR-ENG-6" if waits else "RR-SPACE-4", values, (space,))
                return
            if self.occupied(state, space):
                yield Violation("RR-SPACE-4", values, (space,))
        elif self.occupied(state, space):
            yield Violation("RR-SPACE-2", values, (space,))

    def _booking(self, state: State, seat: str, space: str) -> list[Violation]:
        """Why a seat may not book a place in the next turn order (RR-ORD-2, -3)."""
        found = []
        index = ORDER_SPACES.index(space)
        other = ORDER_SPACES[1 - index]
        if [placed for placed in state.placed if placed.space == other and placed.seat == seat]:
            found.append(Violation("RR-ORD-3", {"space": space}, (space,)))
        if len(self.game.seats) > 2 and state.order[index] == seat:
            found.append(Violation("RR-ORD-2", {"space": space}, (space,)))
        return found

    def unfeasible(self, state: State, seat: str, space: str) -> Iterator[Violation]:
        """Whether a contested action could not be completed (RR-TURN-4)."""
        action = self.action(state, space)
        if self.is_own(space) or in_full(self.game, state, seat, action, self.any_order(space)):
            return
        player = state.players[seat]
        full = player.doublers >= MOST_DOUBLERS or not state.doublers
        doubler = any(isinstance(op, Doubler) for op in action)
        yield Violation("RR-DBL-3" if doubler and full else "RR-TURN-4", {"space": space}, (space,))

    def swappable(self, state: State, seat: str) -> list[str]:
        """Spaces, turn-order ones apart, on which a seat has a worker of its own colour, each once."""
        there = (p.space for p in state.placed if p.seat == seat and p.workers)
        return [other for other in dict.fromkeys(there) if other not in ORDER_SPACES]

    def offers(self, state: State, seat: str) -> list[Offer]:
        """Every space that a seat can use and pay: what `violations` lets pass."""
        return self.payable(state, seat, have(state.players[seat]))

    def for_one_worker(self, state: State, seat: str) -> list[str]:
        """Spaces that a seat could use for one worker and nothing else (RR-MOVE-2)."""
        return [offer.space for offer in self.payable(state, seat, (1, 0, 0, 0))]

    def payable(self, state: State, seat: str, holds: Pieces) -> list[Any]:
        """The spaces that a seat can use if it has these pieces to pay with, as offers.

        Asked at every turn, so it does not go through `closed`, `cost` and `action`: what hangs on pieces,
        tracks and industry alone is looked up.
        """
        game, player = self.game, state.players[seat]
        booked = swaps = False
        closed: set[str] = set()
        for placed in state.placed:
            space = placed.space
            closed.add(space)
            if placed.seat == seat:
                if space in ORDER_SPACES:
                    booked = True
                elif placed.workers:
                    swaps = True
        closed -= self.never_taken
        if booked:
            closed.update(ORDER_SPACES)
        elif len(game.seats) > 2 and (place := state.order.index(seat)) < len(ORDER_SPACES):
            closed.add(ORDER_SPACES[place])
        steps, marches = self._doubtful_steps(player), self._doubtful_marches(player)
        closed |= steps.shut
        closed |= marches.shut
        asked = steps.asked | marches.asked
        if sum(state.piles.values()) < self.most_tiles:
            asked |= self.for_tiles
        known = self._covered(seat, holds, swaps, game.last_round(state))
        out: list[Any] = []
        for space, offer in known.board:
            if space in closed:
                continue
            if space not in asked:
                out.append(offer)
            elif space in self.on_strip:
                now, action = offer.get(state.strip[self.on_strip[space]], NEITHER)
                if now is not None and in_full(game, state, seat, action):
                    out.append(now)
            elif in_full(game, state, seat, *self.doing[space]):
                out.append(offer)
        for number in player.engineers:
            if number in known.beside:
                space, offer = known.beside[number]
                if space not in closed:
                    out.append(offer)
        return out

    def _covered(self, seat: str, holds: Pieces, swaps: bool, last: bool) -> Payable:
        """What these pieces pay for; `swaps`: there is a worker to swap for what books turn order, `last`: in
        the last round."""
        key = (seat, holds, swaps, last)
        found = self._known_payable.get(key)
        if found is None:
            if len(self._known_payable) > REMEMBERED:
                self._known_payable.clear()
            shut = "order" if last else "last"
            board = (
                (n, self._paid(seat, n, s, holds, swaps)) for n, s in self.here.items() if s.area != shut
            )
            beside = ((n, f"{OWN}{n}", tile) for n, tile in self.game.engineers.items())
            found = self._known_payable[key] = Payable(
                tuple((space, offer) for space, offer in board if offer),
                {
                    n: (space, offer)
                    for n, space, tile in beside
                    if (offer := self._way(seat, space, tile, holds))
                },
            )
        return found

    def _paid(self, seat: str, space: str, printed: Space, holds: Pieces, swaps: bool) -> Any:
        """The offer of a space that these pieces can pay, if they can: for an engineer by number, with the
        action; for turn order with an own worker where there is no other one to swap (RR-ORD-5)."""
        if printed.area == "engineer":
            if space not in self.on_strip:
                return None
            costs = {n: printed if space == HIRE else tile for n, tile in self.game.engineers.items()}
            offers = {n: (self._way(seat, space, cost, holds), cost.action) for n, cost in costs.items()}
            return {n: offered for n, offered in offers.items() if offered[0]}
        if printed.area == "order" and not swaps:
            holds = (holds[0], 0, 0, 0)
        return self._way(seat, space, printed, holds)

    def _way(self, seat: str, space: str, cost: Space | Engineer, holds: Pieces) -> Offer | None:
        """A space with all payments of its cost, if these pieces can pay it."""
        payments = ways(cost.workers, cost.roubles, self.strict, holds)
        return _offer(seat, space, payments) if payments else None

    def _doubtful_steps(self, player: Player) -> Doubts:
        """Spaces for steps that the tracks of a player do not show to be possible in full, and `for_more`."""
        game, known = self.game, self._known_steps
        room = rooms(game, player.tracks)
        found = known.get(room)
        if found is None:
            if len(known) > REMEMBERED:
                known.clear()
            hopes = {
                space: wins or len(colours) > 1 or len(self.here[space].action) > 1
                for space, n, colours, wins in self.stepping
                if sum([room[colour] for colour in colours]) < n
            }
            found = known[room] = _doubts(hopes, self.for_more)
        return found

    def _doubtful_marches(self, player: Player) -> Doubts:
        """Spaces for marches that the industry of a player does not show to be possible in full."""
        game, known = self.game, self._known_marches
        industry = (player.markers, player.factories)
        found = known.get(industry)
        if found is None:
            if len(known) > REMEMBERED:
                known.clear()
            most = most_marches(game.content, player, max([op.n for _, op, _ in self.marching], default=0))
            hope = bool(in_gaps(game, player, most) or near_industry(game, player.markers, most))
            hopes = {space: not alone or hope for space, op, alone in self.marching if most < op.n}
            found = known[industry] = _doubts(hopes)
        return found

    def violations(self, state: State, action: Use) -> Iterator[Violation]:
        """What is wrong with using a space so."""
        seat, space = action.seat, action.space
        yield from self.closed(state, seat, space)
        cost = self.cost(state, space)
        if cost is None:
            return
        yield from self.unfeasible(state, seat, space)
        yield from self._payment(state, action, cost)

    def _payment(self, state: State, action: Use, cost: Cost) -> Iterator[Violation]:
        player = state.players[action.seat]
        pieces = (action.workers, action.black, action.temps, action.roubles)
        values = {"space": action.space, "workers": cost.workers, "roubles": cost.roubles}
        if action.space == HIRE and pieces != (0, 0, 0, 1):
            yield Violation("RR-ENG-2", values)
            return
        fits = min(pieces) >= 0 and all(map(le, pieces, have(player)))
        if not fits or sum(pieces) != cost.workers + cost.roubles:
            yield Violation("RR-PAY-3", values)
            return
        strict = self.strict and cost.workers and cost.roubles and action.roubles > cost.roubles
        if action.roubles < cost.roubles or strict:
            yield Violation("RR-PAY-2", values)
        foreign = action.space in ORDER_SPACES and not action.workers
        if foreign and not self.swappable(state, action.seat):
            yield Violation("RR-ORD-5", values)

    # Repeating and borrowing --------------------------------------------------------------------------

    def repeatable(self, state: State, seat: str) -> list[str]:
        """Spaces of this round that a repeat effect may repeat: own, exactly one worker, no booking, no
        repeat effect (A-58)."""
        out = []
        for placed in state.placed:
            cost = self.cost(state, placed.space)
            if placed.seat != seat or placed.space in out or cost is None or not cost.one_worker:
                continue
            action = self.action(state, placed.space)
            if placed.space in ORDER_SPACES or grants(action, ReuseSpace):
                continue
            out.append(placed.space)
        return out


def _doubts(hopes: Mapping[str, bool], besides: frozenset[str] = frozenset()) -> Doubts:
    """What is shut and what is asked, by whether there is hope for a space, and what is asked `besides`."""
    shut = frozenset(space for space, hope in hopes.items() if not hope)
    return Doubts(shut, besides.union(hopes.keys() - shut))


@lru_cache(maxsize=65536)
def _offer(seat: str, space: str, payments: tuple[Pieces, ...]) -> Offer:
    """A space with its payments; made once."""
    return Use(seat, space, *payments[0]) if len(payments) == 1 else Payment(seat, space, payments)


def place(state: State, action: Use) -> tuple[Placed, ...]:
    """The pieces on all spaces with those of a new action."""
    new = Placed(action.space, action.seat, action.workers, action.black, action.temps, action.roubles)
    return (*state.placed, new)


def moved(state: State, action: Move) -> tuple[Placed, ...]:
    """The pieces on all spaces once the worker of a turn-order space has moved (RR-MOVE)."""
    claim = state.claims[0]
    return tuple(
        replace(p, space=action.space) if p.space == claim and p.seat == action.seat else p
        for p in state.placed
    )
