"""Figures about reading the table: from an observation to a ruling, and what the readings are worth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from assistant.actions import Action
from assistant.game import find_title
from assistant.games.railway_boom.actions import MoneyToPower, PlaceRT
from assistant.games.railway_boom.effects import free_hexes, own_mask
from assistant.games.railway_boom.game import RailwayBoom
from assistant.games.railway_boom.state import MONEY, State, Step
from assistant.hexes import bits
from assistant.journal import MemoryJournal
from assistant.layout import Piece
from assistant.observation import Observation, Sighting
from assistant.random_play import play
from assistant.reading import Difference, OutOfStep, Proposal, Reading, Roster, Several, read
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted
from ui.bench import Row, cpu_seconds, percentile, row
from ui.bench.engine import aside

Anomaly = Literal["stray", "knocked", "wrong_seat", "over_budget"]
ANOMALIES: tuple[Anomaly, ...] = ("stray", "knocked", "wrong_seat", "over_budget")
PLAYERS = 4
RICH = 20
"""Money of the acting seat, so that so many rails can be paid at all."""
FIRST_ROUND = 2
"""Positions are taken from this round on: the middle of a game."""
PASSES = 3
BROKE = (1, 1, 0, 1)
"""Stock of the acting seat when it is to lay more than it can pay."""


class Case(msgspec.Struct, frozen=True):
    """One look at a table: the recorded state, what is seen, and what was done wrong on purpose."""

    state: State
    observation: Observation
    tokens: int
    anomalies: tuple[tuple[Anomaly, str, str], ...]
    """Kind, place and seat of each."""
    rails: tuple[int, ...]
    """All rails that lie there, by seat."""


def run(*, quick: bool = False, seed: int = 1) -> list[Row]:
    """Measure reading on random games of Railway Boom. `quick` takes a tenth of the cases."""
    title = find_title("railway_boom")
    game = title.open(title.load_pack(title.default_pack), PLAYERS)
    assert isinstance(game, RailwayBoom)
    maker = Maker(game, random.Random(f"bench:{seed}"))
    count = 200 if quick else 2000
    small = [maker.case(6, number % (len(ANOMALIES) + 1) and 1) for number in range(count)]
    large = [maker.case(8, 3) for _ in range(count)]
    roster = Roster({piece.payload: piece for piece in game.printed.pieces})
    rows: list[Row] = []
    for cases, what, goal in (
        (small, "6 tokens and one anomaly", 250.0),
        (large, "8 tokens and three anomalies", 2000.0),
    ):
        rows += _times(game, roster, cases, what, goal)
    rows.append(_recorded(game, roster, small[:: max(1, count // 250)]))
    rows += _named(game, roster, small + large)
    rows.append(_explained(game, roster, small))
    rows += [_unseen(game, roster, maker, tokens, count // 2) for tokens in (3, 6)]
    return rows


# --- times ---------------------------------------------------------------------------------------


def _times(game: RailwayBoom, roster: Roster, cases: Sequence[Case], what: str, goal: float) -> Iterator[Row]:
    for case in cases[:50]:
        _ruling(game, roster, case)
    passes: list[list[float]] = [[] for _ in range(PASSES)]
    with aside():
        for taken in passes:
            for case in cases:
                start = cpu_seconds()
                _ruling(game, roster, case)
                taken.append((cpu_seconds() - start) * 1e6)
    times = [median(one) for one in zip(*passes, strict=True)]
    tokens = sum(case.tokens for case in cases) / len(cases)
    made = Counter(kind for case in cases for kind, _, _ in case.anomalies)
    how = (
        f"{len(cases)} looks at four-player tables of random games from round {FIRST_ROUND} on, in a Route "
        f"Construction; {tokens:.1f} legal rails laid on average, up to {what} "
        f"({', '.join(f'{n} {kind}' for kind, n in sorted(made.items()))}); the whole table is seen, "
        f"{sum(len(case.observation.sightings) for case in cases) / len(cases):.0f} pieces. Thread CPU time, "
        f"for each look the median of {PASSES} passes over all looks (what else this machine does is not "
        "the look's), garbage collection on, reading the clock included (under 1 us): codes to pieces, "
        "explanation, and for a proposal the check and the effect of each action up to the first question"
    )
    for percent in (50, 99):
        yield row(
            f"reading: observation to ruling, up to {what}, p{percent}",
            percentile(times, percent),
            "us CPU",
            goal=f"<= {goal:g}" if percent == 99 else "",
            how=how if percent == 99 else "as p99",
        )


def _ruling(game: RailwayBoom, roster: Roster, case: Case) -> tuple[Reading, State]:
    """What the table makes of a look, all but writing it down."""
    reading = read(game, case.state, case.observation, roster)
    state = case.state
    first = reading.choices[0] if isinstance(reading, Several) else reading
    if isinstance(first, Proposal):
        for action in first.ready():
            if game.refuse(state, action) is not None:
                raise AssertionError(f"{action} is proposed and refused")
            state, _ = game.apply(state, action)
    return reading, state


def _recorded(game: RailwayBoom, roster: Roster, cases: Sequence[Case]) -> Row:
    """The same with events, digests and journal entries, all but the flush."""
    passes: list[list[float]] = []
    for _ in range(PASSES):
        taken: list[float] = []
        games = [
            Referee.new(game, MemoryJournal(header_for(game)), game.to_position(case.state)) for case in cases
        ]
        with aside():
            for case, referee in zip(cases, games, strict=True):
                start = cpu_seconds()
                reading = read(game, referee.state, case.observation, roster)
                first = reading.choices[0] if isinstance(reading, Several) else reading
                if isinstance(first, Proposal) and first.ready():
                    ruling = referee.submit(*first.ready())
                    assert isinstance(ruling, Accepted)
                taken.append((cpu_seconds() - start) * 1e6)
        passes.append(taken)
    times = [median(one) for one in zip(*passes, strict=True)]
    return row(
        "reading: observation to entries, up to 6 tokens and one anomaly, p99",
        percentile(times, 99),
        "us CPU",
        goal="<= 1000",
        how=f"{len(cases)} of the looks above through the referee, as above: ruling, events, a digest "
        "and a chained entry for each action, in a journal in memory; no flush",
    )


# --- worth ---------------------------------------------------------------------------------------


def _named(game: RailwayBoom, roster: Roster, cases: Sequence[Case]) -> Iterator[Row]:
    made: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for case in cases:
        reading = read(game, case.state, case.observation, roster)
        found = reading.differences if isinstance(reading, OutOfStep) else ()
        for kind, place, seat in case.anomalies:
            made[kind] += 1
            named[kind] += any(_names(difference, kind, place, seat) for difference in found)
    texts = {
        "stray": "strays (a rail that touches nothing of its seat)",
        "knocked": "knocked rails of others (pushed to the hex beside)",
        "wrong_seat": "rails of a seat that is not acting",
        "over_budget": "turns that cost more than everything payable",
    }
    for kind in ANOMALIES:
        yield row(
            f"reading: {texts[kind]} that are named",
            100 * named[kind] / made[kind] if made[kind] else None,
            "%",
            goal="== 100",
            how=f"{named[kind]} of {made[kind]} injected in the looks above: kind, place and seat are right",
        )


def _names(difference: Difference, kind: Anomaly, place: str, seat: str) -> bool:
    kinds = {"stray": {"not_connected"}, "knocked": {"moved", "missing"}}.get(kind, {kind})
    here = kind == "over_budget" or difference.place == place
    return difference.kind in kinds and difference.seat == seat and here


def _explained(game: RailwayBoom, roster: Roster, cases: Sequence[Case]) -> Row:
    legal = [case for case in cases if not case.anomalies]
    right = asking = 0
    for case in legal:
        reading, state = _ruling(game, roster, case)
        if isinstance(reading, Proposal) and reading.ready() != reading.actions:
            asking += 1
        elif isinstance(reading, Proposal):
            right += tuple(record.rails for record in state.seats) == case.rails
    whole = len(legal) - asking
    return row(
        "reading: legal turns explained to the last rail",
        100 * right / whole if whole else None,
        "%",
        goal="== 100",
        how=f"{right} of {whole} looks without an anomaly: what is proposed, applied, leaves exactly the "
        f"rails that lie there; {asking} more stop at a Tourist City's question first",
    )


def _unseen(game: RailwayBoom, roster: Roster, maker: Maker, tokens: int, count: int) -> Row:
    legal = done = 0
    for _ in range(count):
        case = maker.case(tokens, 0, exactly=True)
        seat = game.acting_seat(case.state)
        added = list(bits(case.rails[seat] & ~case.state.seats[seat].rails))
        less = list(case.rails)
        less[seat] ^= 1 << maker.rng.choice(added)
        observation = maker.observation(case.state, less)
        reading = read(game, case.state, observation, roster)
        legal += not isinstance(reading, OutOfStep)
        done += 1
    return row(
        f"reading: tables still legal with one of {tokens} laid rails unseen",
        100 * legal / done,
        "%",
        how=f"{legal} of {done}: rules alone cannot notice it, so hidden spaces make no proposal sure and a "
        "seat confirms what is proposed",
    )


# --- cases ---------------------------------------------------------------------------------------


class Maker:
    """Makes looks at tables in the middle of random games."""

    def __init__(self, game: RailwayBoom, rng: random.Random) -> None:
        self.game = game
        self.rng = rng
        self._states: list[State] = []
        self._tokens: dict[tuple[str, str | None], list[Piece]] = {}
        for piece in game.printed.pieces:
            self._tokens.setdefault((piece.what, piece.seat), []).append(piece)

    def case(self, tokens: int, anomalies: int, exactly: bool = False) -> Case:
        """A look with up to so many legal rails and so many anomalies."""
        while True:
            kinds = tuple(self.rng.choice(ANOMALIES) for _ in range(anomalies))
            case = self._case(tokens, kinds)
            if case is not None and (not exactly or case.tokens == tokens):
                return case

    def observation(self, state: State, rails: Sequence[int]) -> Observation:
        """The whole table of a state as a camera sees it, but with these rails."""
        game = self.game
        sightings = []
        for placement in game.scene(state).placements:
            sightings.append(_sighting(placement.payload, placement.space))
        tokens = {
            piece.payload for pieces in self._tokens.values() for piece in pieces if piece.what == "rail"
        }
        sightings = [sighting for sighting in sightings if sighting.payload not in tokens]
        for letter, mask in zip(game.seats, rails, strict=True):
            names = game.grid.names(mask)
            for piece, name in zip(self._tokens["rail", letter], names, strict=False):
                sightings.append(_sighting(piece.payload, name))
        return Observation(tuple(sightings))

    def _position(self) -> State:
        """A state in the middle of a Route Construction."""
        while not self._states:
            found: list[State] = []

            def keep(before: State, action: Any, after: State, events: Any, to: list[State] = found) -> None:
                ready = after.step == Step.EXPANSION and after.turn.power >= 0 and not after.stacks
                if ready and after.round >= FIRST_ROUND and action.kind == "place_station":
                    to.append(after)

            play(self.game, self.rng, observe=keep)
            self._states = found
        return self._states.pop()

    def _case(self, tokens: int, kinds: tuple[Anomaly, ...]) -> Case | None:
        game = self.game
        state = self._position()
        seat = game.acting_seat(state)
        record = state.seats[seat]
        over = "over_budget" in kinds
        stock = BROKE if over else (RICH, *record.stock[MONEY:])
        state = replace(state, seats=_with(state.seats, seat, replace(record, stock=stock)))
        # What a Tourist City brings could pay for more, so there is none in a turn that costs too much.
        laid = self._lay(state, seat, tokens, game.tourist_mask if over else 0)
        rails = [one.rails for one in laid.seats]
        made: list[tuple[Anomaly, str, str]] = []
        # Spending too much lengthens the railway, so it comes before what must not touch it.
        for kind in _ordered(kinds):
            done = self._spoil(state, seat, rails, kind, made)
            if done is None:
                return None
            made.append(done)
        count = (laid.seats[seat].rails & ~record.rails).bit_count()
        if not count and not kinds:
            return None
        return Case(state, self.observation(state, rails), count, tuple(made), tuple(rails))

    def _lay(self, state: State, seat: int, tokens: int, but: int) -> State:
        """Legal powered placements of the acting seat; questions of Tourist Cities are answered by lot."""
        game, rng, letter = self.game, self.rng, self.game.seats[seat]
        start = state.seats[seat].rails
        action: Action
        while (state.seats[seat].rails & ~start).bit_count() < tokens:
            if state.stacks:
                action = game.chance(state, rng) or game.sensible(state, letter, rng)
                if action.kind == "place_rt":
                    action = game.declines[letter]
            else:
                offers = [o for o in game.offers(state, letter) if isinstance(o, PlaceRT)]
                offers = [o for o in offers if not game.grid.bit[o.hex] & but]
                if offers and rng.random() < 0.9:
                    action = rng.choice(offers)
                elif state.seats[seat].stock[MONEY - 1]:
                    action = MoneyToPower(letter, 1)
                else:
                    break
            state, _ = game.apply(state, action)
        return state

    def _spoil(
        self,
        state: State,
        seat: int,
        rails: list[int],
        kind: Anomaly,
        made: Sequence[tuple[Anomaly, str, str]],
    ) -> tuple[Anomaly, str, str] | None:
        """Do something wrong to the rails; None when there is no occasion."""
        game, rng, grid = self.game, self.rng, self.game.grid
        others = [s for s in range(PLAYERS) if s != seat]
        rng.shuffle(others)
        if kind == "stray":
            own = own_mask(state.seats[seat]) | rails[seat]
            spots = grid.all & ~own & ~grid.neighbours(own)
            return self._put(rails, seat, spots, kind)
        if kind == "wrong_seat":
            near = grid.neighbours(own_mask(state.seats[seat]) | rails[seat])
            for other in others:
                record = state.seats[other]
                spots = near & ~own_mask(record) & ~rails[other]
                if self._has_card(state, other):
                    spots &= ~free_hexes(game, state, other)  # there a Tactical Expansion explains it
                spots &= ~grid.neighbours(record.rails & ~rails[other])
                if spots:
                    return self._put(rails, other, spots, kind)
            return None
        if kind == "knocked":
            for other in others:
                record = state.seats[other]
                if any(letter == game.seats[other] for _, _, letter in made):
                    continue
                pieces = list(bits(record.rails))
                rng.shuffle(pieces)
                for index in pieces:
                    spots = grid.neighbours(1 << index) & ~own_mask(record) & ~rails[other]
                    if spots:
                        rails[other] ^= 1 << index
                        self._put(rails, other, spots, kind)
                        return kind, grid.name[index], game.seats[other]
            return None
        return self._overspend(state, seat, rails)

    def _overspend(self, state: State, seat: int, rails: list[int]) -> tuple[Anomaly, str, str] | None:
        game, grid, record = self.game, self.game.grid, state.seats[seat]
        if self._has_card(state, seat):
            return None
        payable = state.turn.power + record.stock[0] + sum(record.stock[1:]) // 2
        payable += sum(
            game.developments[own.id].power
            for own in record.devs
            if game.developments[own.id].kind == "skilled_labor" and not own.turned
        )
        while True:
            added = rails[seat] & ~record.rails
            if sum(game.expansion.cost(state, seat, 1 << index) for index in bits(added)) > payable:
                return "over_budget", "", game.seats[seat]
            line = grid.component(state.turn.line, own_mask(record) | rails[seat])
            free = ~own_mask(record) & ~rails[seat] & ~game.tourist_mask
            edge = list(bits(grid.neighbours(line) & free))
            if not edge or added.bit_count() >= record.rails_left:
                return None
            rails[seat] |= max((1 << i for i in edge), key=lambda bit: game.expansion.cost(state, seat, bit))

    def _put(self, rails: list[int], seat: int, spots: int, kind: Anomaly) -> tuple[Anomaly, str, str] | None:
        choice = list(bits(spots))
        if not choice:
            return None
        index = self.rng.choice(choice)
        rails[seat] |= 1 << index
        return kind, self.game.grid.name[index], self.game.seats[seat]

    def _has_card(self, state: State, seat: int) -> bool:
        return any(
            self.game.developments[own.id].kind == "tactical_expansion" and not own.turned
            for own in state.seats[seat].devs
        )


def _ordered(kinds: Sequence[Anomaly]) -> list[Anomaly]:
    """Overspending first and once; a second time is a stray."""
    over = kinds.count("over_budget")
    rest: list[Anomaly] = [kind for kind in kinds if kind != "over_budget"]
    return [*(["over_budget"] if over else []), *rest, *(["stray"] * (over - 1))]  # type: ignore[list-item]


def _with(seats: tuple[Any, ...], index: int, record: Any) -> tuple[Any, ...]:
    return (*seats[:index], record, *seats[index + 1 :])


def _sighting(payload: str, space: str) -> Sighting:
    return Sighting(payload, 0.0, 0.0, 0.0, 3.0, space)
