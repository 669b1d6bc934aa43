"""What the screen shows of a Railway Boom game: strips, phases, tokens, the auction, trains, cards.

Everything in Railway Boom lies open but the decks, so all viewers see the same; a seat that looks sees its
own train first. Nothing is taken from a deck: every face shown lies on the table or belongs to somebody.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant import auction
from assistant.auction import Track
from assistant.display import (
    Auction,
    Bidder,
    Car,
    Cards,
    Counter,
    Display,
    Gauge,
    Progress,
    Strip,
    Train,
)
from assistant.games.railway_boom import card_faces
from assistant.games.railway_boom.change import Change
from assistant.games.railway_boom.effects import (
    card_of,
    held,
    operate,
    settle,
    times_met,
    train_tiles,
)
from assistant.games.railway_boom.pack import TRACKS
from assistant.games.railway_boom.position import PHASE_NAMES
from assistant.games.railway_boom.state import (
    COAL,
    MATERIALS,
    MONEY,
    ROUNDS,
    TECH,
    TRACK_LIMIT,
    AskBuy,
    AwaitDraw,
    DevCard,
    Pending,
    Phase,
    Seat,
    State,
    Step,
    TrainCard,
)
from assistant.games.railway_boom.state import Train as Running
from assistant.hexes import pick
from assistant.layout import CardFace, CardValue
from assistant.reading import Spot

if TYPE_CHECKING:
    from assistant.games.railway_boom.effects import TrainPart
    from assistant.games.railway_boom.game import RailwayBoom

GAUGES = tuple((TRACKS[kind], kind - 1) for kind in (MONEY, MATERIALS, TECH, COAL))
"""Resources in the order of the screen, each with its index in the stock."""
PHASES = PHASE_NAMES[Phase.TRAIN : Phase.OVER]
MARKS = ("I", "II", "III", "IV", "V", "VI")
SHARES = {"full": "all", "half": "half", "empty": "nothing"}
"""Circles of the Bid Chart as catalogue words."""
MIXED = "resources"
"""What an auction is in that several resources pay for."""
TURNS = frozenset({Step.TRAIN, Step.EXPANSION, Step.DEVELOPMENT, Step.OBJECTIVE})
NAMED = frozenset({"station_card", "objective"})
"""Kinds of cards of which no two carry the same name."""
CARDS_KEPT = 1 << 8
"""How many views of a seat's cards are kept: they change seldom."""


class Screen:
    """Makes displays for one game; keeps what hardly changes."""

    def __init__(self, game: RailwayBoom) -> None:
        self.game = game
        mat = game.printed
        printed = {card.payload: card for card in mat.cards}
        self.faces: dict[str, CardFace] = {
            piece.name: printed[piece.payload] for piece in mat.pieces if piece.form == "card"
        }
        """By card id, what is printed on it."""
        self._cities = {city.id: city.name for city in game.content.cities}
        self.names = {piece.name: self._name(piece.what, piece.name) for piece in mat.pieces}
        """By card id, what people call the card."""
        self._spots = [
            [
                game.grid.by_index({bit: Spot(what, seat, name) for name, bit in game.grid.bit.items()})
                for seat in game.seats
            ]
            for what in ("rail", "station")
        ]
        self._progress: dict[tuple[int, int], Progress] = {}
        self._of_seat = lru_cache(maxsize=CARDS_KEPT)(self._seat_cards)
        self._group = lru_cache(maxsize=CARDS_KEPT)(self._open_cards)
        self._covered = lru_cache(maxsize=8)(self._tiles)
        self._stake_of = lru_cache(maxsize=CARDS_KEPT)(self._stake)
        self._running: list[tuple[Seat, Running, tuple[Pending, ...], Train] | None]
        self._running = [None] * len(game.seats)
        """By index of the seat, what its train was made of last time, and the train."""

    def display(self, state: State, viewer: str) -> Display:
        """What the screen shows of a state."""
        step = state.step
        bidding = step in (Step.AUCTION, Step.PAY)
        tints, notes = self._covered(state.tiles) if state.tiles else ({}, {})
        return Display(
            self.strips(state),
            self.progress(state),
            self.tokens(state),
            tints,
            self._open_spaces(state) if state.stations else (),
            self._counter(state) if step == Step.EXPANSION and state.turn.power >= 0 else None,
            self._auction(state) if bidding else None,
            self._train(state, viewer) if step == Step.OPERATION else None,
            self._cards(state),
            notes,
        )

    def _name(self, what: str, name: str) -> str:
        """What is printed, with the id where several cards carry the same name."""
        face = self.faces.get(name)
        if face is None:
            return name
        if what == "route":
            card, cities = self.game.route_cards[name], self._cities
            return f"{cities[card.city_a]}-{cities[card.city_b]}"
        return face.title if what in NAMED else f"{face.title} {name}"

    # Seats ---------------------------------------------------------------------------------------

    def order(self, state: State) -> tuple[int, ...]:
        """Seats in the order of play: discs from right to left as they stood on white (RB-AUC-16)."""
        return state.track.white[::-1]

    def strip(self, state: State, seat: int, status: str = "") -> Strip:
        """One seat's numbers."""
        record = state.seats[seat]
        money, coal, materials, tech = record.stock
        return Strip(
            self.game.seats[seat],
            record.vp,
            (
                Gauge("money", money),
                Gauge("materials", materials),
                Gauge("tech", tech),
                Gauge("coal", coal),
            ),
            status,
        )

    def strips(self, state: State) -> tuple[Strip, ...]:
        """All seats in the order of play, each with a word about what it does."""
        order = self.order(state)
        words = self._statuses(state, order)
        if state.stacks:
            for seat, stack in enumerate(state.stacks):
                if stack.open:
                    waits = isinstance(stack.open[-1], AwaitDraw) or held(self.game, state, seat)
                    words[seat] = "waiting" if waits else "deciding"
        return tuple([self.strip(state, seat, words[seat]) for seat in order])

    def _statuses(self, state: State, order: Sequence[int]) -> list[str]:
        """By index of the seat: its catalogue word, no open choice considered."""
        step, words = state.step, [""] * len(order)
        if step == Step.AUCTION:
            track = state.track
            for seat in order:
                words[seat] = "open" if track.up >> seat & 1 else "locked_in"
            words[track.next] = "deciding"
        elif step == Step.PAY:
            for rank, seat in enumerate(auction.ranks(state.track)):
                words[seat] = "paid" if rank < state.active else "paying" if rank == state.active else ""
        elif step in TURNS:
            self._turn_words(state, order, words)
        elif step == Step.OPERATION:
            for seat in order:
                running = state.trains[seat] is not None
                words[seat] = "done" if state.seats[seat].done else "running" if running else "forming"
        return words

    def _turn_words(self, state: State, order: Sequence[int], words: list[str]) -> None:
        active, turn, step = state.active, state.turn, state.step
        words[order[-1]] = "last"
        for place, seat in enumerate(order):
            if place < active:
                words[seat] = "done"
            elif place == active + 1:
                words[seat] = "next"
        if step == Step.TRAIN:
            word = "buying" if turn.loco else "choosing"
        elif step == Step.EXPANSION:
            word = "building" if turn.station else "choosing"
        elif step == Step.DEVELOPMENT:
            word = "buying" if turn.free_taken else "choosing"
        else:
            word = "placing"
        words[order[active]] = word

    def progress(self, state: State) -> Progress:
        """Round and phase."""
        key = state.round, state.phase
        found = self._progress.get(key)
        if found is None:
            phase = state.phase - Phase.TRAIN if Phase.TRAIN <= state.phase < Phase.OVER else -1
            found = Progress("round", state.round, ROUNDS, PHASES, MARKS, phase)
            self._progress[key] = found
        return found

    # The map --------------------------------------------------------------------------------------

    def tokens(self, state: State) -> tuple[Spot, ...]:
        """Rails and stations of all seats."""
        rails, stations = self._spots
        out: list[Spot] = []
        for seat, record in enumerate(state.seats):
            out += pick(record.rails, rails[seat])
            out += pick(record.stations, stations[seat])
        return tuple(out)

    def _open_spaces(self, state: State) -> tuple[str, ...]:
        """Cities whose Indicator is free."""
        city = self.game.station_hex
        return tuple([city[place.card] for place in state.stations if place.taken < 0])

    def _tiles(self, tiles: tuple[str, ...]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        """Tints and small prints of the spaces on which tiles lie (RB-SETUP-15)."""
        game, board = self.game, self.game.board_for(tiles)
        cities = {city.hex: city for city in game.content.cities}
        tourists = [t.hex for t in game.content.tourists] if len(tiles) > len(cities) else []
        notes: dict[str, dict[str, str]] = {}
        for name, info in board.cities.items():
            notes[name] = {
                "cost": str(board.cost[info.bit]),
                "icons": ",".join(TRACKS[kind] for kind in info.resources),
                "power": str(info.power),
                "number": str(info.city.number),
            }
        for name in tourists:
            bit = game.grid.bit[name]
            effect = card_faces.icon_text(board.tourists[bit])
            notes[name] = {"cost": str(board.cost[bit]), "effect": effect}
        return {**dict.fromkeys(cities, "city"), **dict.fromkeys(tourists, "tourist")}, notes

    def _counter(self, state: State) -> Counter:
        """Power left, of what the station and Skilled Labor brought (or of what is left, if Money made it
        more: how much power was spent is not recorded)."""
        game, turn = self.game, state.turn
        board = game.board(state)
        name = game.grid.name[turn.station.bit_length() - 1]
        brought = board.cities[name].power if name in board.cities else 0
        for own in state.seats[game.acting_seat(state)].devs:
            if own.turned:
                brought += game.developments[own.id].power
        return Counter("power", turn.power, max(brought, turn.power))

    # The auction ------------------------------------------------------------------------------------

    def bid_in(self, state: State) -> str:
        """What the auction is in: a resource, or `MIXED`."""
        kinds = self.game.bidding.payable(state)
        return TRACKS[kinds[0]] if len(kinds) == 1 else MIXED

    def standing(self, track: Track, seat: int) -> tuple[int, int, str]:
        """Rank (1 first), payment and its share if an auction ended as it stands."""
        rank = auction.ranks(track).index(seat)
        return self._at_rank(rank, track.value[seat])

    def _at_rank(self, rank: int, value: int) -> tuple[int, int, str]:
        game = self.game
        return rank + 1, game.paying.due_at(rank, value), SHARES[game.chart[rank]]

    def _auction(self, state: State) -> Auction:
        game, track = self.game, state.track
        letters, holding = game.seats, game.bidding.holding
        place = {seat: rank for rank, seat in enumerate(auction.ranks(track))}
        bidders = [
            Bidder(
                letters[seat],
                track.value[seat],
                bool(track.up >> seat & 1),
                holding(state, state.seats[seat].stock),
                *self._at_rank(place[seat], track.value[seat]),
            )
            for seat in self.order(state)
        ]
        stations = tuple([place.card for place in state.stations])
        objective = state.objectives[state.round - 1 : state.round]
        return Auction(
            TRACK_LIMIT,
            self.bid_in(state),
            tuple([letters[seat] for seat in track.white]),
            game.content.white_spaces,
            tuple(bidders),
            self._stake_of(
                state.phase,
                (*state.locomotives, *state.carriages),
                stations,
                tuple([row.cards for row in state.rows]),
                objective,
                state.tiles,
            ),
            f"stake.{PHASE_NAMES[state.phase]}",
            state.step == Step.AUCTION,
        )

    def _stake(
        self,
        phase: int,
        trains: tuple[str, ...],
        stations: tuple[str, ...],
        rows: tuple[tuple[str, ...], ...],
        objective: tuple[str, ...],
        tiles: tuple[str, ...],
    ) -> tuple[CardFace, ...]:
        """The cards that a phase's auction is about."""
        faces = self.faces
        if phase == Phase.TRAIN:
            return tuple(faces[name] for name in trains)
        if phase == Phase.EXPANSION:
            return tuple(self._station_stake(name, tiles) for name in stations)
        if phase == Phase.DEVELOPMENT:
            return tuple(faces[name] for row in rows for name in row)
        return tuple(faces[name] for name in objective)

    def _station_stake(self, name: str, tiles: tuple[str, ...]) -> CardFace:
        """A station card with what its city brings, which is what people bid for."""
        game, face = self.game, self.faces[name]
        info = game.board_for(tiles).cities[game.station_hex[name]]
        icons = tuple(CardValue(TRACKS[kind], "", TRACKS[kind]) for kind in info.resources)
        return CardFace(
            face.payload,
            face.title,
            info.city.hex,
            (),
            str(info.power),
            "power",
            icons,
            face.tint,
        )

    # Trains ---------------------------------------------------------------------------------------

    def _train(self, state: State, viewer: str) -> Train | None:
        """The running train of the viewer, else of the first in order that has one."""
        trains = state.trains
        mine = self.game.index.get(viewer, -1)
        order = self.order(state)
        for seat in (mine, *order) if mine >= 0 else order:
            train = trains[seat]
            if train is not None:
                return self._running_train(state, seat, train)
        return None

    def _running_train(self, state: State, seat: int, train: Running) -> Train:
        record, stack = state.seats[seat], state.stacks[seat].open if state.stacks else ()
        last = self._running[seat]
        # While others act, a seat's train stays as it is.
        if last is not None and last[0] is record and last[1] is train and last[2] == stack:
            return last[3]
        out = self.simulate(state, seat)[0]
        self._running[seat] = record, train, stack, out
        return out

    def simulate(self, state: State, seat: int) -> tuple[Train, State]:
        """A seat's running train card by card to its end, and the state then.

        Cards that have run are told backwards from the coal there is now. What a card asks (an income of
        choice, a free rail, cards drawn) counts as not taken; its yield has the icon's name.
        """
        running = state.trains[seat]
        assert running is not None
        game = self.game
        record = state.seats[seat]
        done = self._ran(record, running)
        change = Change(game, state, [*state.seats])
        asked = _unasked(change, seat)
        if done and asked:
            done[-1] = _with_yields(done[-1], asked)
        ahead: list[Car] = []
        short = False
        for place in range(running.next, len(running.cards)):
            name = running.cards[place]
            before = change.seats[seat]
            card, owned = card_of(game, before, name, place == 0)
            cost, coal = 0 if owned.free else card.coal, before.stock[COAL - 1]
            short = short or cost > coal
            if short:
                ahead.append(Car(self.faces[name], cost, coal, coal, (), _load(owned)))
                continue
            operate(change, seat)
            asked = _unasked(change, seat)
            after = change.seats[seat]
            yields = (*_gains(before, after, cost), *asked)
            ahead.append(Car(self.faces[name], cost, coal, after.stock[COAL - 1], yields, _load(owned)))
        train = Train(game.seats[seat], "coal", (*done, *ahead), short)
        return train, change.state

    def _ran(self, record: Seat, running: Running) -> list[Car]:
        """The cards of a train that have run, from what they are and the coal there is now."""
        game, out = self.game, []
        coal = record.stock[COAL - 1]
        tiles = train_tiles(record, running.cards)
        for place in reversed(range(running.next)):
            name = running.cards[place]
            card, owned = card_of(game, record, name, place == 0)
            cost = 0 if owned.free else card.coal
            yields = _printed_yields(card, owned, tiles)
            before = max(0, coal + cost - yields.get("coal", 0))
            gauges = tuple([Gauge(what, n) for what, n in yields.items() if n])
            out.append(Car(self.faces[name], cost, before, coal, gauges, _load(owned), True))
            coal = before
        return out[::-1]

    # Cards ----------------------------------------------------------------------------------------

    def _cards(self, state: State) -> tuple[Cards, ...]:
        out: list[Cards] = []
        group = self._group
        letters = self.game.seats
        if state.locomotives:
            out.append(group("locomotives", None, state.locomotives, frozenset()))
        if state.carriages:
            out.append(group("carriages", None, state.carriages, frozenset()))
        if state.stations:
            taken = frozenset([place.card for place in state.stations if place.taken >= 0])
            out.append(group("stations", None, tuple([place.card for place in state.stations]), taken))
        for number, row in enumerate(state.rows, start=1):
            owner = letters[row.taken] if row.taken >= 0 else None
            out.append(group(f"row.{number}", owner, row.cards, frozenset()))
        for seat, stack in enumerate(state.stacks):
            for entry in stack.open:
                if isinstance(entry, AskBuy):
                    out.append(group("drawn", letters[seat], entry.cards, frozenset()))
        if state.objectives:
            past = max(0, state.round - 1) if state.phase < Phase.OVER else len(state.objectives)
            out.append(group("objectives", None, state.objectives, frozenset(state.objectives[:past])))
        if state.routes:
            every = (1 << len(state.routes)) - 1
            for record in state.seats:
                every &= record.routes
            gone = frozenset([name for i, name in enumerate(state.routes) if every >> i & 1])
            out.append(group("routes", None, state.routes, gone))
        for seat in self.order(state):
            record = state.seats[seat]
            out += self._of_seat(
                letters[seat], record.locos, record.carriages, record.devs, record.routes, state.routes
            )
        return tuple(out)

    def _open_cards(
        self, words: str, seat: str | None, names: tuple[str, ...], spent: frozenset[str]
    ) -> Cards:
        return Cards(words, seat, tuple([self.faces[name] for name in names]), names, spent)

    def _seat_cards(
        self,
        seat: str,
        locos: tuple[TrainCard, ...],
        carriages: tuple[TrainCard, ...],
        devs: tuple[DevCard, ...],
        routes: int,
        all_routes: tuple[str, ...],
    ) -> tuple[Cards, ...]:
        groups: list[tuple[str, list[str], list[str]]] = [
            ("locomotives", [c.id for c in locos], [c.id for c in locos if c.operated]),
            ("carriages", [c.id for c in carriages], [c.id for c in carriages if c.operated]),
            ("developments", [c.id for c in devs], [c.id for c in devs if c.turned or c.down]),
            ("routes", [name for i, name in enumerate(all_routes) if routes >> i & 1], []),
        ]
        return tuple(
            self._open_cards(words, seat, tuple(names), frozenset(spent))
            for words, names, spent in groups
            if names
        )


def _unasked(change: Change, seat: int) -> tuple[Gauge, ...]:
    """Go on as if every question were declined; what was asked, by the name of its icon."""
    asked: list[str] = []
    settle(change, seat)
    while (top := change.top(seat)) is not None:
        asked.append(_ICONS.get(str(top.__struct_config__.tag), ""))
        change.pop(seat)
        settle(change, seat)
    return tuple(Gauge(what, asked.count(what)) for what in dict.fromkeys(asked) if what)


_ICONS = {"gain2": "gain2", "inc_choice": "inc_choice", "free_rt": "free_rt", "draw": "draw2", "buy": "draw2"}
"""Open questions by the icon that asks them."""


def _gains(before: Seat, after: Seat, coal: int) -> tuple[Gauge, ...]:
    """What a card gave: VP, stock and steps of income; `coal` is what it cost."""
    out: list[Gauge] = []
    if after.vp != before.vp:
        out.append(Gauge("vp", after.vp - before.vp))
    for what, index in GAUGES:
        gain = after.stock[index] - before.stock[index] + (coal if index == COAL - 1 else 0)
        if gain:
            out.append(Gauge(what, gain))
    for track, (old, new) in enumerate(zip(before.levels, after.levels, strict=True)):
        if new != old:
            out.append(Gauge(f"income:{TRACKS[track]}", new - old))
    return tuple(out)


def _with_yields(car: Car, more: tuple[Gauge, ...]) -> Car:
    return Car(car.face, car.pays, car.before, car.after, car.yields + more, car.load, car.ran)


def _load(owned: TrainCard) -> tuple[str, ...]:
    """Tiles on a card, one name each."""
    return tuple([TRACKS[kind] for kind, count in enumerate(owned.tiles) for _ in range(count)])


def _printed_yields(card: TrainPart, owned: TrainCard, tiles: tuple[int, ...]) -> dict[str, int]:
    """What a card that has run gave, by what is printed on it and the tiles on its train."""
    out: dict[str, int] = dict.fromkeys(TRACKS, 0)
    out["vp"] = getattr(card, "vp", 0)
    for kind, count in enumerate(owned.tiles):
        out[TRACKS[kind]] += count
    for effect in card.effects:
        times = times_met(effect, tiles) if effect.need else 1
        for name, amount in effect.gain.items():
            out[name] += amount * times
        for step in effect.income:
            out[f"income:{step.track}"] = out.get(f"income:{step.track}", 0) + step.steps * times
        if effect.icon is not None:
            what, n = ("vp", effect.icon.n) if effect.icon.kind == "vp" else (effect.icon.kind, 1)
            out[what] = out.get(what, 0) + n * times
    return out
