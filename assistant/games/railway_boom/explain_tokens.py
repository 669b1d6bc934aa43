"""Rails and stations that came onto the map: which actions of which seat put them there.

Each seat's additions are explained by themselves, from the state in which its next action would be done:
first its open choice, then its station, then its rails. Rails that are bought with power are explained in
closed form on hex sets: flood from this turn's railway through what was added; whatever the flood does not
reach, costs more than everything payable or belongs to another turn is a difference with its rule. Where
something interrupts (a choice, a free placement) the engine itself goes on to the next state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assistant.actions import Action
from assistant.games.railway_boom.actions import (
    BuyDev,
    Choose,
    Convert,
    MoneyToPower,
    PlaceStation,
    UseDev,
)
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import free_hexes, held, other_masks, own_mask, raisable, settle
from assistant.games.railway_boom.pack import STOCK, TRACKS
from assistant.games.railway_boom.state import MONEY, AskBuy, AskFree, AskGain, AskIncome, AwaitDraw, Step
from assistant.hexes import bits
from assistant.reading import Difference, Edit, Hole
from assistant.reading import Step as Part

if TYPE_CHECKING:
    from assistant.games.railway_boom.explain import Table
    from assistant.games.railway_boom.explain_cards import Cards
    from assistant.games.railway_boom.game import RailwayBoom
    from assistant.games.railway_boom.pack import Development
    from assistant.games.railway_boom.state import Pending, Seat, State

MOST_OPTIONS = 6
"""Ways to pay, repairs and explanations that are offered at most."""
MOST_DROPPED = 3
"""Unconnected rails that a repair may take away."""
MOST_TRIES = 24
"""Answers to open choices that are tried at most for one look."""

Token = Literal["rail", "station"]
Kind = Literal[
    "hex_full", "wrong_seat", "not_connected", "no_indicator", "not_now", "no_tokens", "over_budget"
]


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
        self.tries = MOST_TRIES
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
            if gone:
                self._missing(seat, record, gone, wrong)
            added = self._added(state, seat)
            if added[0] | added[1]:
                busy.append(seat)
                self.near |= own_mask(record) | added[0] | added[1]
        told = [self._seat_either_way(state, seat) for seat in busy]
        wrong += [difference for part in told for difference in part.wrong]
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

    def _all(self, kind: Kind, seat: int, mask: int, rule: str, what: Token = "rail") -> list[Difference]:
        """The same difference for each place of a set."""
        letter = self.game.seats[seat]
        return [Difference(kind, name, letter, rule, piece=what) for name in self.game.grid.names(mask)]

    # One seat ------------------------------------------------------------------------------------

    def _seat_either_way(self, state: State, seat: int) -> Told:
        """Tourist Cities last, because they interrupt; first where only what they bring pays for the rest."""
        told = self._seat(state, seat)
        over = any(difference.kind == "over_budget" for difference in told.wrong)
        if over and not self.table.rank and self._added(state, seat)[0] & self.game.tourist_mask:
            self.tourists_first, self.tries = True, MOST_TRIES
            other = self._seat(state, seat)
            self.tourists_first = False
            return told if other.wrong else other
        return told

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
        if stations:
            return self._station(state, seat, stations)
        full = rails & state.seats[seat].stations
        if full:
            wrong = self._all("hex_full", seat, full, "RB-MAP-3")
            told = self._rails(state, seat, rails & ~full)
            return Told((), (*wrong, *told.wrong), told.mends)
        return self._rails(state, seat, rails)

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
            # Nobody knows yet what will be drawn: as if nothing were bought.
            change = Change(game, state)
            change.pop(seat)
            settle(change, seat)
            yield change.state
            return
        if isinstance(top, AskGain):
            answers = [Choose(letter, ("money", "money"))]
        elif isinstance(top, AskIncome):
            levels = state.seats[seat].levels
            by_icon: dict[str, Action] = {}
            for track in raisable(game, state.seats[seat]):
                icon = game.icons[track][levels[track] + 1]
                kind = "" if icon is None or icon.kind == "vp" else icon.kind
                by_icon.setdefault(kind, Choose(letter, (TRACKS[track],)))
            answers = [by_icon[kind] for kind in sorted(by_icon)]
        else:
            answers = [game.declines[letter]]
            if isinstance(top, AskBuy):
                answers += [BuyDev(letter, name) for name in top.cards]
        for answer in answers:
            if game.refuse(state, answer) is None:
                yield game.apply(state, answer)[0]

    # Stations.

    def _station(self, state: State, seat: int, added: int) -> Told:
        """One station of the acting seat on a city with a free Indicator; then what follows from it."""
        game, letter = self.game, self.game.seats[seat]
        if state.step != Step.EXPANSION or game.acting_seat(state) != seat:
            kind: Kind = "wrong_seat" if state.step == Step.EXPANSION else "not_now"
            return Told((), tuple(self._all(kind, seat, added, "RB-FLOW-3", "station")))
        if state.turn.station:
            return Told((), tuple(self._all("not_now", seat, added, "RB-EXP-3", "station")))
        legal: list[PlaceStation] = []
        wrong: list[Difference] = []
        for name in game.grid.names(added):
            action = PlaceStation(letter, name)
            broken = game.refuse(state, action)
            if broken is None:
                legal.append(action)
                continue
            kind = "hex_full" if broken.rule == "RB-MAP-3" else "no_indicator"
            wrong.append(Difference(kind, name, letter, broken.rule, piece="station"))
        if len(legal) > 1:
            wrong += [Difference("not_now", a.hex, letter, "RB-EXP-3", piece="station") for a in legal]
        if wrong:
            return Told((), tuple(wrong))
        after, _ = game.apply(state, legal[0])
        told = self._seat(after, seat).after(legal)
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
            _, lost = self._settled(state, seat, own_mask(record), rails, 0, rails)
            return Told((), tuple(self._all("not_connected", seat, lost, "RB-EXP-11")))
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
        cards = self._upright(state, seat, "tactical_expansion")
        if not cards:
            return None
        for bit in self._ranked(seat, rails & free_hexes(self.game, state, seat)):
            for card in cards:
                if steps := self._use(state, seat, card, bit):
                    return self._seat(self.outcome(state, steps)[0], seat).after(steps)
        return None

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
        # What comes after a Tourist City that asks something is explained from its answer on.
        tourists = game.board(state).tourists
        asks = [k for k, bit in enumerate(order) if bit in tourists and tourists[bit].kind != "vp"]
        now = order[: asks[0] + 1] if asks else order
        cost = self._cost(state, seat, sum(now))
        over = cost - turn.power - self._payable(state, seat)
        if over <= 0 and not wrong and (asks or not lost):
            steps: list[Part] = [*self._payment(state, seat, cost)]
            steps += [game.powered[letter][bit] for bit in now]
            if len(now) == rails.bit_count():
                return Told((Way(tuple(steps), cost),))
            return self._seat(self.outcome(state, steps)[0], seat).after(steps, cost)
        if not wrong and (told := self._with_cards(state, seat, now, 0 if asks else lost, over)):
            return told
        if over > 0:
            place = game.grid.names(now[-1])[0]
            wrong.append(Difference("over_budget", place, letter, "RB-EXP-8", over, "rail"))
        wrong += self._all("not_connected", seat, lost, "RB-EXP-7")
        mends = self._mends(state, seat, sum(order), lost) if lost else ()
        return Told((), tuple(wrong), mends)

    def _with_cards(self, state: State, seat: int, now: list[int], lost: int, over: int) -> Told | None:
        """The same where Tactical Expansions put down what power cannot: unconnected rails, dear ones."""
        cards = self._upright(state, seat, "tactical_expansion")
        spare = len(cards) - lost.bit_count()
        if spare < 0 or not cards:
            return None
        game, letter = self.game, self.game.seats[seat]
        own = own_mask(state.seats[seat])
        behind, unreachable = self._order(seat, own | sum(now), own, lost)
        if unreachable:
            return None
        by_card, bought = lost, sum(now)
        for bit in sorted(now, key=lambda bit: -self._cost(state, seat, bit))[:spare]:
            if over <= 0:
                break
            by_card |= bit
            bought ^= bit
            over -= self._cost(state, seat, bit)
        if over > 0:
            return None
        cost = self._cost(state, seat, bought)
        steps: list[Part] = [*self._payment(state, seat, cost)]
        here, _ = self.outcome(state, steps)
        left = iter(cards)
        for bit in (*now, *behind):
            place = game.powered[letter][bit]
            part: Sequence[Part] = (place,)
            if bit & by_card:
                part = self._use(here, seat, next(left), bit)
            elif game.refuse(here, place) is not None:
                part = ()
            if not part:
                return None
            here, _ = self.outcome(here, part)
            steps += part
        told = self._seat(here, seat).after(steps, cost)
        return None if told.wrong else told

    def _use(self, state: State, seat: int, card: Development, bit: int) -> tuple[Part, ...]:
        """A Tactical Expansion on a hex, conversions before it where its price needs them; or nothing."""
        use = UseDev(self.game.seats[seat], card.id, hex=self.game.grid.names(bit)[0])
        broken = self.game.refuse(state, use)
        if broken is None:
            return (use,)
        if broken.rule != "RB-RES-1":
            return ()
        lacking = broken.values["need"] - broken.values["have"]
        ways = _conversions(use.seat, state.seats[seat].stock, lacking, broken.values["resource"], card.pay)
        if not ways:
            return ()
        here, _ = self.outcome(state, ways)
        rest = self._use(here, seat, card, bit)
        return (Hole("payment", use.seat, lacking, (ways,)), *rest) if rest else ()

    def _order(self, seat: int, start: int, own: int, added: int) -> tuple[list[int], int]:
        """The added hexes in an order in which each touches the railway, and those that never do.

        Order of first sighting where it is known and possible; otherwise Tourist Cities last.
        """
        grid, rank = self.game.grid, self.table.rank
        late = self.game.tourist_mask
        if self.tourists_first:
            late = ~late
        line, left = start, added
        order: list[int] = []
        while left:
            edge = grid.neighbours(line) & left
            if not edge:
                break
            if rank:
                place = self._ranked(seat, edge)[0]
            else:
                early = edge & ~late or edge
                place = early & -early
            order.append(place)
            left ^= place
            line |= place
            if grid.neighbours(place) & own & ~line:
                line = grid.component(line, own | line)
        return order, left

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

    # Power.

    def _cost(self, state: State, seat: int, mask: int) -> int:
        """Power for a set of placements (RB-EXP-8)."""
        total = 0
        for price, hexes in self.game.board(state).by_cost:
            total += price * (mask & hexes).bit_count()
        for other in other_masks(state, seat):
            total += (mask & other).bit_count()
        return total

    def _upright(self, state: State, seat: int, kind: str) -> list[Development]:
        """Upright cards of a kind that the seat owns."""
        cards = [self.game.developments[own.id] for own in state.seats[seat].devs if not own.turned]
        return [card for card in cards if card.kind == kind]

    def _payable(self, state: State, seat: int) -> int:
        """The most power that the seat can still find: Money, cards, and what converts into Money."""
        stock = state.seats[seat].stock
        money = stock[MONEY - 1]
        cards = sum(card.power for card in self._upright(state, seat, "skilled_labor"))
        return money + cards + (sum(stock) - money) // 2

    def _payment(self, state: State, seat: int, cost: int) -> list[Hole]:
        """The hole for what the power pool lacks: ways to find it, the cheapest first."""
        need = cost - state.turn.power
        if need <= 0:
            return []
        letter = self.game.seats[seat]
        stock = state.seats[seat].stock
        cards = self._upright(state, seat, "skilled_labor")
        ways: list[tuple[tuple[int, int], tuple[Action, ...]]] = []
        for count in range(len(cards) + 1):
            for some in combinations(cards, count):
                given = sum(card.power for card in some)
                if some and given - min(card.power for card in some) >= need:
                    continue  # one card too many
                money = max(0, need - given)
                converts = _conversions(letter, stock, money - stock[MONEY - 1], "money", {})
                if converts is None or (some and money == need):
                    continue
                uses = tuple(UseDev(letter, card.id) for card in some)
                pays = (MoneyToPower(letter, money),) if money else ()
                ways.append(((money + len(converts), count), (*uses, *converts, *pays)))
        ways.sort(key=lambda way: way[0])
        return [Hole("payment", letter, need, tuple(way for _, way in ways[:MOST_OPTIONS]))]

    def _mends(self, state: State, seat: int, order: int, lost: int) -> tuple[tuple[Edit, ...], ...]:
        """The smallest edits that connect or remove what is not connected.

        Either every stray piece goes, or one unseen rail bridges the gap; the smallest sets are returned.
        """
        grid, letter = self.game.grid, self.game.seats[seat]
        own = own_mask(state.seats[seat])
        found: list[tuple[Edit, ...]] = []
        if lost.bit_count() <= MOST_DROPPED:
            found.append(tuple(Edit("remove", name, letter) for name in grid.names(lost)))
        if len(grid.components(lost)) == 1:
            line = grid.component(state.turn.line, own | order)
            budget = state.turn.power + self._payable(state, seat)
            whole = order | lost
            if whole.bit_count() < state.seats[seat].rails_left:
                gap = grid.neighbours(line) & grid.neighbours(lost) & ~own & ~whole
                for index in bits(gap):
                    if self._cost(state, seat, whole | 1 << index) <= budget:
                        found.append((Edit("add", grid.name[index], letter),))
        least = min(map(len, found), default=0)
        return tuple(edits for edits in found if len(edits) == least)[:MOST_OPTIONS]

    # Several seats -------------------------------------------------------------------------------

    def _together(self, state: State, busy: list[int], told: list[Told]) -> Told:
        """The additions of several seats: by first sighting; where the order matters and is not known,
        both orders are put to the table."""
        active = self.game.acting_seat(state)
        seats = sorted(busy, key=lambda seat: seat != active)
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
        (end, rest), (other_end, other_rest) = (self.outcome(state, way.steps) for way in (forth, back))
        same = forth.cost == back.cost and (end == other_end or bool(rest or other_rest))
        return Told((forth,) if same else (forth, back))

    def _chain(self, state: State, seats: Sequence[int]) -> Way | None:
        """The seats' additions one seat after the other."""
        steps: tuple[Part, ...] = ()
        cost = 0
        for seat in seats:
            told = self._seat(state, seat)
            if told.wrong:
                return None
            steps += told.ways[0].steps
            cost += told.ways[0].cost
            state, _ = self.outcome(state, told.ways[0].steps)
        return Way(steps, cost)

    def outcome(self, state: State, steps: Sequence[Part]) -> tuple[State, tuple[Part, ...]]:
        """The state after steps, payments as proposed, up to the first open choice; and what is left."""
        for number, step in enumerate(steps):
            if isinstance(step, Hole) and step.kind != "payment":
                return state, tuple(steps[number:])
            for action in step.options[0] if isinstance(step, Hole) else (step,):
                state, _ = self.game.apply(state, action)
        return state, ()


def _conversions(
    letter: str, stock: Sequence[int], lacking: int, into: str, kept: Mapping[Any, int]
) -> tuple[Action, ...] | None:
    """Conversions of what there is most, besides what is `kept`; None when there is too little."""
    left = {name: n - kept.get(name, 0) for name, n in zip(STOCK, stock, strict=True) if name != into}
    out: list[Action] = []
    for _ in range(max(0, lacking)):
        give: list[str] = []
        for _ in range(2):
            most = max(left, key=lambda name: left[name])
            if left[most] <= 0:
                return None
            left[most] -= 1
            give.append(most)
        out.append(Convert(letter, (give[0], give[1]), into))
    return tuple(out)
