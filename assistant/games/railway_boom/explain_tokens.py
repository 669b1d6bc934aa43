"""Rails and stations that came onto the map: which actions of which seat put them there.

Each seat's additions are explained by themselves, from the state in which its next action would be done:
first its open choice, then its station, then its rails. Rails that are bought with power are explained in
closed form on hex sets: flood from this turn's railway through what was added; whatever the flood does not
reach, costs more than everything payable or belongs to another turn is a difference with its rule. Where
something interrupts (a choice, a free placement) the engine itself goes on to the next state.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from assistant.actions import Action
from assistant.games.railway_boom.actions import (
    BuyDev,
    Choose,
    PlaceStation,
)
from assistant.games.railway_boom.effects import free_hexes, held, own_mask, raisable
from assistant.games.railway_boom.explain_power import (
    MOST_OPTIONS,
    card_rail,
    cost_of,
    payable,
    payment,
    upright,
)
from assistant.games.railway_boom.pack import TRACKS
from assistant.games.railway_boom.state import AskBuy, AskFree, AskGain, AskIncome, AwaitDraw, Step
from assistant.hexes import bits
from assistant.reading import Difference, Edit, Hole, Kind
from assistant.reading import Step as Part

if TYPE_CHECKING:
    from assistant.games.railway_boom.explain import Table
    from assistant.games.railway_boom.explain_cards import Cards
    from assistant.games.railway_boom.game import RailwayBoom
    from assistant.games.railway_boom.state import Pending, Seat, State

MOST_DROPPED = 3
"""Unconnected rails that a repair may take away."""
MOST_TRIES = 24
"""Answers to open choices that are tried at most for one look."""

Token = Literal["rail", "station"]


class Way(msgspec.Struct, frozen=True):
    """One explanation: its steps, and the power that its rails take."""

    steps: tuple[Part, ...] = ()
    cost: int = 0


class Told(msgspec.Struct, frozen=True):
    """What explains some additions, cheapest first; or what is wrong with them and what would mend it."""

    ways: tuple[Way, ...] = (Way(),)
    wrong: tuple[Difference, ...] = ()
    mends: tuple[tuple[Edit, ...], ...] = ()

    def after(self, steps: Sequence[Part], cost: int = 0) -> Told:
        """The same with something done before."""
        if self.wrong:
            return self
        return Told(tuple(Way((*steps, *way.steps), cost + way.cost) for way in self.ways))


NOTHING = Told()


class Tokens:
    """One look at the map. `explain` may be called once."""

    def __init__(self, game: RailwayBoom, table: Table, cards: Cards) -> None:
        self.game = game
        self.table = table
        self.cards = cards
        self.moved = [[0, 0] for _ in game.seats]
        """Knocked rails and stations where they lie now: they are no additions."""
        self.near = 0
        """Where a piece under a hand could belong to what was added."""
        self.tries = 0
        self.tourists_first = False

    def explain(self, state: State) -> Told:
        """Explain the change of rails and stations since a state."""
        wrong: list[Difference] = []
        busy: list[int] = []
        table, hidden = self.table, self.table.hidden
        for seat, record in enumerate(state.seats):
            rails, stations = table.rails[seat], table.stations[seat]
            if rails == record.rails and stations == record.stations:
                continue
            # A rail that makes room for its own seat's station is replaced, not missing (HR-04).
            gone = (record.rails & ~rails & ~stations | record.stations & ~stations) & ~hidden
            if gone and not table.stacked:
                self._missing(seat, record, gone, wrong)
            added = self._added(state, seat)
            if added[0] | added[1]:
                busy.append(seat)
                self.near |= own_mask(record) | added[0] | added[1]
        told = [self._seat_either_way(state, seat) for seat in busy]
        for seat, part in zip(busy, told, strict=True):
            wrong += part.wrong
            if part.wrong:
                wrong += self._displaced(state.seats[seat], seat, part.wrong)
        if wrong:
            return Told((), tuple(wrong), next((part.mends for part in told if part.mends), ()))
        if len(told) < 2:
            return told[0] if told else NOTHING
        return self._together(state, busy, told)

    @property
    def sure(self) -> bool:
        """Whether no hidden space could change what was found."""
        return not self.table.hidden & self.game.grid.neighbours(self.near)

    # What is there and what is not.

    def _added(self, state: State, seat: int) -> tuple[int, int]:
        """Rails and stations of a seat that the state does not know."""
        record, table, moved = state.seats[seat], self.table, self.moved[seat]
        unknown = ~table.hidden
        return (
            table.rails[seat] & ~record.rails & unknown & ~moved[0],
            table.stations[seat] & ~record.stations & unknown & ~moved[1],
        )

    def _missing(self, seat: int, record: Seat, gone: int, out: list[Difference]) -> None:
        """Recorded pieces that are not there; one that turned up next door was knocked, not placed."""
        grid, letter, table = self.game.grid, self.game.seats[seat], self.table
        fresh = [
            table.rails[seat] & ~record.rails & ~table.hidden,
            table.stations[seat] & ~record.stations & ~table.hidden,
        ]
        for index in bits(gone):
            place = 1 << index
            which = int(bool(place & record.stations))
            what: Token = "station" if which else "rail"
            near = fresh[which] & ~self.moved[seat][which] & grid.neighbours(place)
            if near and near == near & -near:
                self.moved[seat][which] |= near
                name, to = grid.name[index], grid.names(near)[0]
                out.append(Difference("moved", name, letter, "RB-MAP-7", piece=what, to=to))
            else:
                out.append(Difference("missing", grid.name[index], letter, "RB-MAP-7", piece=what))

    def _displaced(self, record: Seat, seat: int, wrong: Sequence[Difference]) -> list[Difference]:
        """Rails that made room for a station which may not stand there: they are missing after all."""
        stations = self.game.grid.mask(d.place for d in wrong if d.piece == "station")
        return self._all("missing", seat, stations & record.rails & ~self.table.rails[seat], "RB-MAP-7")

    def _all(self, kind: Kind, seat: int, mask: int, rule: str, what: Token = "rail") -> list[Difference]:
        """The same difference for each place of a set."""
        letter = self.game.seats[seat]
        return [Difference(kind, name, letter, rule, piece=what) for name in self.game.grid.names(mask)]

    # One seat ------------------------------------------------------------------------------------

    def _seat_either_way(self, state: State, seat: int) -> Told:
        """Tourist Cities last, because they interrupt; first where only what they bring pays for the rest."""
        self.tries = MOST_TRIES
        told = self._seat(state, seat)
        over = any(difference.kind == "over_budget" for difference in told.wrong)
        if not over or self.table.rank or not self._added(state, seat)[0] & self.game.tourist_mask:
            return told
        self.tourists_first, self.tries = True, MOST_TRIES
        other = self._seat(state, seat)
        self.tourists_first = False
        return told if other.wrong else other

    def _seat(self, state: State, seat: int) -> Told:
        """Explain all that a seat added, from here on."""
        rails, stations = self._added(state, seat)
        if not rails and not stations:
            return NOTHING
        asked = self._asked(state, seat)
        if asked is not None:
            top = state.top(asked)
            assert top is not None
            if asked == seat and rails and isinstance(top, AskFree):
                return self._free(state, seat, top, rails)
            return self._choice(state, seat, asked, top)
        full = rails & state.seats[seat].stations
        wrong = self._all("hex_full", seat, full, "RB-MAP-3") if full else []
        if stations:
            wrong += self._wrong_stations(state, seat, stations)
            if not wrong:
                return self._station(state, seat, self.game.grid.names(stations)[0])
        told = self._rails(state, seat, rails & ~full)
        wrong += [difference for difference in told.wrong if difference not in wrong]
        return Told((), tuple(wrong), told.mends) if wrong else told

    def _rails(self, state: State, seat: int, rails: int) -> Told:
        if not rails:
            return NOTHING
        if state.turn.station and state.step == Step.EXPANSION and self.game.acting_seat(state) == seat:
            return self._route(state, seat, rails)
        return self._tactical(state, seat, rails)

    def _asked(self, state: State, seat: int) -> int | None:
        """The seat whose open choice is to be answered before this seat's next action, if any."""
        if not state.stacks:
            return None
        if state.top(seat) is not None:
            return None if held(self.game, state, seat) else seat
        own_turn = state.step == Step.EXPANSION and self.game.acting_seat(state) == seat
        if not own_turn and self.game.decision_point(state):
            return None
        return next((s for s in reversed(state.track.white) if state.top(s) is not None), None)

    # Open choices.

    def _choice(self, state: State, seat: int, asked: int, top: Pending) -> Told:
        """What must be settled first is a hole; the rest is explained for the answers that it can have."""
        game, letter = self.game, self.game.seats[asked]
        hole: Part = Hole("choice", letter, detail=top.source)
        if isinstance(top, AwaitDraw):
            hole = self.cards.drawn(state)
            if not isinstance(hole, Hole):
                after, _ = game.apply(state, hole)
                return self._seat(after, seat).after((hole,))
        first: Told | None = None
        for after in self._answers(state, asked, letter, top):
            told = self._seat(after, seat)
            if not told.wrong:
                return told.after((hole,))
            first = first or told
            self.tries -= 1
            if self.tries < 0:
                break
        return first or NOTHING

    def _answers(self, state: State, seat: int, letter: str, top: Pending) -> Iterator[State]:
        """The states after an open choice: one for each kind of answer that matters to the map."""
        game = self.game
        answers: list[Action]
        if isinstance(top, AwaitDraw):
            if top.deck == "developments" and (draw := game.chance(state, random.Random(0))):
                # Nobody knows yet what will be drawn: as if nothing of it were bought.
                drawn, _ = game.apply(state, draw)
                yield game.apply(drawn, game.declines[letter])[0]
            return
        if isinstance(top, AskGain):
            answers = [Choose(letter, ("money", "money"))]
        elif isinstance(top, AskIncome):
            levels = state.seats[seat].levels
            by_icon: dict[str, list[Action]] = {}
            for track in raisable(game, state.seats[seat]):
                icon = game.icons[track][levels[track] + 1]
                kind = "" if icon is None or icon.kind == "vp" else icon.kind
                by_icon.setdefault(kind, []).append(Choose(letter, (TRACKS[track],)))
            answers = [by_icon[kind][0] for kind in sorted(by_icon)]
            if len(state.stacks[seat].open) > 1 or self._added(state, seat)[0] & game.tourist_mask:
                # Another question may come, and go on from the level that this one raised.
                answers += [answer for same in by_icon.values() for answer in same[1:]]
        else:
            answers = [game.declines[letter]]
            if isinstance(top, AskBuy):
                answers += [BuyDev(letter, name) for name in top.cards]
        for answer in answers:
            if game.refuse(state, answer) is None:
                yield game.apply(state, answer)[0]

    # Stations.

    def _wrong_stations(self, state: State, seat: int, added: int) -> list[Difference]:
        """Why these stations are not one of the acting seat on a city with a free Indicator."""
        game, letter = self.game, self.game.seats[seat]
        if state.step != Step.EXPANSION or game.acting_seat(state) != seat:
            kind: Kind = "wrong_seat" if state.step == Step.EXPANSION else "not_now"
            return self._all(kind, seat, added, "RB-FLOW-3", "station")
        if state.turn.station:
            return self._all("not_now", seat, added, "RB-EXP-3", "station")
        broken = {name: game.refuse(state, PlaceStation(letter, name)) for name in game.grid.names(added)}
        out = [
            Difference(
                "hex_full" if v.rule == "RB-MAP-3" else "no_indicator", name, letter, v.rule, 0, "station"
            )
            for name, v in broken.items()
            if v is not None
        ]
        legal = [name for name, v in broken.items() if v is None]
        if len(legal) > 1:
            out += [Difference("not_now", name, letter, "RB-EXP-3", piece="station") for name in legal]
        return out

    def _station(self, state: State, seat: int, name: str) -> Told:
        """A station that may stand there; then what follows from it."""
        game = self.game
        place = PlaceStation(game.seats[seat], name)
        after, _ = game.apply(state, place)
        told = self._seat(after, seat).after((place,))
        if told.wrong and game.options["free_rt.bound_in_expansion"]:
            # The station binds free rails from then on (HR-22): a card may have been used before it.
            return self._by_card(state, seat, self._added(state, seat)[0]) or told
        return told

    # Free rails.

    def _free(self, state: State, seat: int, top: AskFree, rails: int) -> Told:
        """Rails that an open free placement allows; in a Route Construction others may be bought.

        Which of them was free is not seen. Where that makes a difference in power, all that are possible
        are put to the seat, the cheapest first.
        """
        game, record = self.game, state.seats[seat]
        spots = rails & free_hexes(game, state, seat)
        if not spots:
            told = self._choice(state, seat, seat, top)
            if not told.wrong:
                return told
            _, lost = self._settled(state, seat, own_mask(record), rails, 0, rails)
            wrong = self._all("not_connected", seat, lost, "RB-EXP-11")
            return Told((), (*(d for d in told.wrong if d.piece == "station"), *wrong))
        buying = state.turn.station and state.step == Step.EXPANSION and game.acting_seat(state) == seat
        choose = buying and rails.bit_count() > top.left
        ways: dict[int, Way] = {}
        first: Told | None = None
        for bit in self._ranked(seat, spots):
            action = game.free[game.seats[seat]][bit]
            after, _ = game.apply(state, action)
            told = self._seat(after, seat)
            first = first or told
            for way in told.ways:
                ways.setdefault(way.cost, Way((action, *way.steps), way.cost))
            self.tries -= 1
            if not choose or self.tries < 0:
                break
        if ways:
            return Told(tuple(ways[cost] for cost in sorted(ways)[:MOST_OPTIONS]))
        return first or NOTHING

    def _tactical(self, state: State, seat: int, rails: int) -> Told:
        """Rails outside a Route Construction: only a Tactical Expansion explains them (RB-DFX-02)."""
        game = self.game
        if told := self._by_card(state, seat, rails):
            return told
        _, lost = self._settled(state, seat, own_mask(state.seats[seat]), rails, 0, rails)
        if not lost:
            return NOTHING
        kind: Kind = "not_now"
        rule = "RB-EXP-11"
        if state.step == Step.EXPANSION:
            own_turn = game.acting_seat(state) == seat
            kind, rule = ("not_now", "RB-EXP-5") if own_turn else ("wrong_seat", "RB-FLOW-3")
        elif isinstance(state.top(seat), AskFree):
            rule = "RB-FLOW-6"
        return Told((), tuple(self._all(kind, seat, lost, rule)))

    def _by_card(self, state: State, seat: int, rails: int) -> Told | None:
        """What a card explains of these rails, and then the rest; None when no card can be used."""
        cards = upright(self.game, state, seat, "tactical_expansion")
        if not cards:
            return None
        first: Told | None = None
        for bit in self._ranked(seat, rails & free_hexes(self.game, state, seat)):
            for card in cards:
                if steps := card_rail(self.game, state, seat, card, bit):
                    told = self._seat(outcome(self.game, state, steps)[0], seat).after(steps)
                    first = first or told
                    self.tries -= 1
                    if not told.wrong or self.tries < 0:
                        return told
        return first

    # Route Construction --------------------------------------------------------------------------

    def _route(self, state: State, seat: int, rails: int) -> Told:
        """The acting seat's rails: connection, tokens, power (RB-EXP-6 to RB-EXP-8)."""
        game, turn, record = self.game, state.turn, state.seats[seat]
        letter, own = game.seats[seat], own_mask(record)
        order, lost = self._order(seat, turn.line, own, rails)
        if lost and self.table.hidden:
            rails, lost = self._settled(state, seat, turn.line, rails, sum(order), lost)
            if not rails:
                return NOTHING
        wrong: list[Difference] = []
        excess = rails.bit_count() - record.rails_left
        if excess > 0:
            place = game.grid.names(order[-1] if order else lost)[-1]
            wrong.append(Difference("no_tokens", place, letter, "RB-STK-1", excess, "rail"))
        cost, most = cost_of(game, state, seat, sum(order)), turn.power + payable(game, state, seat)
        if cost <= most and not lost and not wrong and (steps := self._bought(state, seat, order, cost)):
            return Told((Way(steps, cost),))
        # Otherwise only a card explains it, or what a Tourist City brings: from its question on.
        tourists = game.board(state).tourists
        asks = [k for k, bit in enumerate(order) if bit in tourists and tourists[bit].kind != "vp"]
        whole = own | sum(order)
        if lost & ~game.grid.component(whole, whole | lost):
            asks = []  # not even a free rail could lie there
        now = order[: asks[0] + 1] if asks else order
        cost = cost_of(game, state, seat, sum(now))
        if cost <= most and not wrong and asks:
            parts: list[Part] = [*payment(game, state, seat, cost)]
            parts += [game.powered[letter][bit] for bit in now]
            return self._seat(outcome(game, state, parts)[0], seat).after(parts, cost)
        if not wrong:
            told = self._by_card(state, seat, lost) if lost else self._dear_by_card(state, seat, now, most)
            if told and not told.wrong:
                return told
        if cost > most:
            place = game.grid.names(now[-1])[0]
            wrong.append(Difference("over_budget", place, letter, "RB-EXP-8", cost - most, "rail"))
        mends = self._mends(state, seat, sum(order), lost) if lost and not wrong else ()
        wrong += self._all("not_connected", seat, lost, "RB-EXP-7")
        return Told((), tuple(wrong), mends)

    def _bought(self, state: State, seat: int, order: list[int], cost: int) -> tuple[Part, ...]:
        """Rails that are paid as a whole, with what Tourist Cities ask in between.

        Nothing where it takes the engine to know what is asked.
        """
        game, letter = self.game, self.game.seats[seat]
        tourists = game.board(state).tourists
        steps: list[Part] = [*payment(game, state, seat, cost)]
        for bit in order:
            steps.append(game.powered[letter][bit])
            icon = tourists.get(bit)
            if icon is None or icon.kind == "vp" or bit == order[-1]:
                continue
            if icon.kind == "draw2":
                if self.cards.wrong:
                    return ()  # perhaps the drawn cards lie there already
                steps.append(Hole("cards", None, AwaitDraw().count, detail=AwaitDraw().deck))
            elif icon.kind == "inc_choice" and len(raisable(game, state.seats[seat])) < 2:
                return ()
            else:
                steps.append(Hole("choice", letter, detail=game.grid.names(bit)[0]))
        return tuple(steps)

    def _dear_by_card(self, state: State, seat: int, now: list[int], most: int) -> Told | None:
        """Rails that together cost too much, the dearest put down by Tactical Expansions instead."""
        game, letter = self.game, self.game.seats[seat]
        cards = upright(game, state, seat, "tactical_expansion")
        dear = sorted(now, key=lambda bit: -cost_of(game, state, seat, bit))
        for count in range(1, min(len(cards), len(now)) + 1):
            cost = cost_of(game, state, seat, sum(dear[count:]))
            if cost > most:
                continue
            steps: list[Part] = [*payment(game, state, seat, cost)]
            here, _ = outcome(game, state, steps)
            left = iter(cards)
            for bit in now:
                place = game.powered[letter][bit]
                part: Sequence[Part] = (place,) if game.refuse(here, place) is None else ()
                if bit in dear[:count]:
                    part = card_rail(game, here, seat, next(left), bit)
                if not part:
                    break
                here, _ = outcome(game, here, part)
                steps += part
            else:
                told = self._seat(here, seat)
                if not told.wrong:
                    return told.after(steps, cost)
        return None

    def _order(self, seat: int, start: int, own: int, added: int) -> tuple[list[int], int]:
        """The added hexes in an order in which each touches the railway, and those that never do.

        Order of first sighting where it is known and possible; otherwise Tourist Cities last.
        """
        grid, rank, late = self.game.grid, self.table.rank, self.game.tourist_mask
        line, left = start, added
        order: list[int] = []
        while left:
            edge = grid.neighbours(line) & left
            if not edge:
                break
            if rank:
                place = self._ranked(seat, edge)[0]
            else:
                early = self._towards(left & late, edge, left) if self.tourists_first else edge & ~late
                early = early or edge
                place = early & -early
            order.append(place)
            left ^= place
            line |= place
            if grid.neighbours(place) & own & ~line:
                line = grid.component(line, own | line)
        return order, left

    def _towards(self, goal: int, edge: int, within: int) -> int:
        """The hexes of `edge` that are nearest to a goal on the way through `within`; none without a way."""
        while goal and not goal & edge:
            grown = goal | self.game.grid.neighbours(goal) & within
            if grown == goal:
                return 0
            goal = grown
        return goal & edge

    def _ranked(self, seat: int, mask: int) -> list[int]:
        """The hexes of a set by first sighting, those of unknown order last and Tourist Cities after them."""
        rank, late = self.table.rank, self.game.tourist_mask
        spots = [1 << index for index in bits(mask)]
        spots.sort(key=lambda bit: (rank.get((seat, bit), 1 << 30), bool(bit & late)))
        return spots

    def _settled(
        self, state: State, seat: int, start: int, rails: int, reached: int, lost: int
    ) -> tuple[int, int]:
        """Rails and unconnected rails without those that a hidden piece could connect: they may be right."""
        grid, own = self.game.grid, own_mask(state.seats[seat])
        hidden = self.table.hidden
        if not hidden:
            return rails, lost
        doubtful = lost & grid.component(start, own | start | reached | lost | hidden)
        return rails & ~doubtful, lost & ~doubtful

    def _mends(self, state: State, seat: int, order: int, lost: int) -> tuple[tuple[Edit, ...], ...]:
        """The smallest edits that connect or remove what is not connected.

        Either every stray piece goes, or one unseen rail bridges the gap; the smallest sets are returned.
        """
        grid, letter = self.game.grid, self.game.seats[seat]
        own = own_mask(state.seats[seat])
        found: list[tuple[Edit, ...]] = []
        if lost.bit_count() <= MOST_DROPPED:
            found.append(tuple(Edit("remove", name, letter, "rail") for name in grid.names(lost)))
        if len(grid.components(lost)) == 1:
            line = grid.component(state.turn.line, own | order)
            budget = state.turn.power + payable(self.game, state, seat)
            whole = order | lost
            if whole.bit_count() < state.seats[seat].rails_left:
                gap = grid.neighbours(line) & grid.neighbours(lost) & ~own & ~whole
                for index in bits(gap):
                    if cost_of(self.game, state, seat, whole | 1 << index) <= budget:
                        found.append((Edit("add", grid.name[index], letter, "rail"),))
        least = min(map(len, found), default=0)
        return tuple(edits for edits in found if len(edits) == least)[:MOST_OPTIONS]

    # Several seats -------------------------------------------------------------------------------

    def _together(self, state: State, busy: list[int], told: list[Told]) -> Told:
        """The additions of several seats: by first sighting; where the order matters and is not known,
        both orders are put to the table."""
        active = self.game.acting_seat(state)
        seats = sorted(busy, key=lambda seat: (state.top(seat) is None, seat != active))
        forth = self._chain(state, seats)
        back = self._chain(state, seats[1:] + seats[:1])
        if forth is None or back is None:
            only = forth or back
            return Told((only,)) if only else told[0]
        rank = self.table.rank
        masks = [rails | stations for rails, stations in (self._added(state, seat) for seat in seats)]
        first = [
            min(rank.get((seat, 1 << index), -1) for index in bits(mask))
            for seat, mask in zip(seats, masks, strict=True)
        ]
        if min(first) >= 0:
            return Told((forth,)) if first[0] == min(first) else Told((back,))
        (end, rest), (other_end, other_rest) = (outcome(self.game, state, way.steps) for way in (forth, back))
        same = forth.cost == back.cost and (end == other_end or bool(rest or other_rest))
        return Told((forth,) if same else (forth, back))

    def _chain(self, state: State, seats: Sequence[int]) -> Way | None:
        """The seats' additions one seat after the other, if none waits for what another one laid."""
        letters = {self.game.seats[seat] for seat in seats}
        steps: tuple[Part, ...] = ()
        cost = 0
        for seat in seats:
            told = self._seat(state, seat)
            others = letters - {self.game.seats[seat]}
            if told.wrong or any(isinstance(s, Hole) and s.seat in others for s in told.ways[0].steps):
                return None
            steps += told.ways[0].steps
            cost += told.ways[0].cost
            state, _ = outcome(self.game, state, told.ways[0].steps)
        return Way(steps, cost)


def outcome(game: RailwayBoom, state: State, steps: Sequence[Part]) -> tuple[State, tuple[Part, ...]]:
    """The state after steps, payments as proposed, up to the first open choice; and what is left."""
    for number, step in enumerate(steps):
        if isinstance(step, Hole) and step.kind != "payment":
            return state, tuple(steps[number:])
        for action in step.options[0] if isinstance(step, Hole) else (step,):
            state, _ = game.apply(state, action)
    return state, ()
