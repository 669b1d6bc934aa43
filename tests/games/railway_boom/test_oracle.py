"""Railway Boom calculated a second time, in plain sets and dicts, and compared with the rules.

Nothing in here uses the rules' own board, hexes, effects or scoring: only a position (names and numbers)
and the rows of the pack. It is written to be obviously right, not fast.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

from assistant.actions import Action
from assistant.events import Event
from assistant.game import Game, find_title
from assistant.games.railway_boom import actions as act
from assistant.games.railway_boom.effects import times_met
from assistant.games.railway_boom.pack import Content, Effect
from assistant.offers import expand
from assistant.positions import merged
from assistant.random_play import play

STOCK = ("money", "coal", "materials", "tech")
TRACKS = ("vp", *STOCK)
SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
KINDS = (
    "residential_tycoon",
    "terrain_tycoon",
    "humble_investor",
    "express_tycoon",
    "forest_tycoon",
    "material_investor",
    "cargo_mogul",
    "city_tycoon",
    "mountain_tycoon",
    "money_investor",
    "development_mogul",
    "tech_investor",
    "water_tycoon",
    "partnership_tycoon",
    "coal_investor",
    "tourism_tycoon",
    "fleet_mogul",
    "stock_investor",
)
BID_IN = {"train": ["materials"], "expansion": ["money"], "development": ["tech"]}
SELF_AND_STATIONS: dict[str, str | bool] = {"city_tycoon.owner": "self", "line.counts_stations": True}


class Oracle:
    """The rulebook's arithmetic over positions of one pack."""

    def __init__(self, content: Content, options: Mapping[str, str | bool]) -> None:
        self.content, self.options = content, options
        self.at = {place.id: (place.q, place.r) for place in content.hexes}
        self.named = {at: name for name, at in self.at.items()}
        self.terrain = {place.id: place.terrain for place in content.hexes}
        self.objectives = {card.id: card for card in content.objectives}
        self.routes = {card.id: card for card in content.routes}
        self.capacity = {c.id: c.capacity for c in (*content.start_locomotives, *content.locomotives)}
        tiles = {tile.id: tile for tile in content.city_tiles}
        self.city_hex = {city.id: city.hex for city in content.cities}
        self.cost = {place.id: place.cost for place in content.hexes}
        self.cost |= {city.hex: tiles[city.default_tile].rail_cost for city in content.cities}

    # The map.

    def beside(self, name: str) -> set[str]:
        q, r = self.at[name]
        return {self.named[q + dq, r + dr] for dq, dr in SIDES if (q + dq, r + dr) in self.named}

    def railways(self, seat: Mapping[str, Any]) -> list[set[str]]:
        """Connected groups of a seat's pieces."""
        left = {*seat["rails"], *seat["stations"]}
        out = []
        while left:
            group, edge = set(), [left.pop()]
            while edge:
                here = edge.pop()
                group.add(here)
                for name in self.beside(here) & left:
                    left.discard(name)
                    edge.append(name)
            out.append(group)
        return out

    def longest_line(self, names: set[str]) -> int:
        best = 0
        for name in names:
            for dq, dr in SIDES[:3]:
                q, r = self.at[name]
                length = 0
                while self.named.get((q, r)) in names:
                    q, r, length = q + dq, r + dr, length + 1
                best = max(best, length)
        return best

    # Objectives and the end.

    def count(self, kind: str, position: Mapping[str, Any], letter: str) -> int:
        seats = position["seats"]
        seat = seats[letter]
        rails, own = set(seat["rails"]), {*seat["rails"], *seat["stations"]}
        others = [{*s["rails"], *s["stations"]} for name, s in seats.items() if name != letter]
        on = Counter[str](self.terrain[name] for name in rails)
        if kind == "residential_tycoon":
            return len(on)
        if kind == "terrain_tycoon":
            return self.longest_line(own if self.options["line.counts_stations"] else rails)
        if kind == "humble_investor":
            return min(int(level) for level in seat["levels"].values())
        if kind == "cargo_mogul":
            return len([card for card in seat["locomotives"] if self.capacity[card["id"]] >= 4])
        if kind == "city_tycoon":
            everybody = [own] if self.options["city_tycoon.owner"] == "self" else [own, *others]
            cities = [name for name in own if self.terrain[name] == "city"]
            around = [sum(len(self.beside(city) & pieces) for pieces in everybody) for city in cities]
            return max(around, default=0)
        if kind == "development_mogul":
            return len(seat["developments"])
        if kind == "water_tycoon":
            return on["river"] + on["inlet"]
        if kind == "partnership_tycoon":
            return len([name for name in own if any(name in pieces for pieces in others)])
        if kind == "fleet_mogul":
            return len(seat["locomotives"]) + len(seat["carriages"])
        terrains = {"express": "plains", "forest": "forest", "mountain": "mountain", "tourism": "tourist"}
        tracks = {"material": "materials", "money": "money", "tech": "tech", "coal": "coal", "stock": "vp"}
        first = kind.split("_")[0]
        return on[terrains[first]] if first in terrains else int(seat["levels"][tracks[first]])

    def best_railway(self, seat: Mapping[str, Any]) -> int:
        return max((len(group & set(seat["rails"])) for group in self.railways(seat)), default=0)

    def final(self, position: Mapping[str, Any]) -> dict[str, int]:
        """VP of every seat after final scoring."""
        out = {}
        for letter, seat in position["seats"].items():
            vp = seat["vp"]
            for name in position["objectives"]:
                card = self.objectives[name]
                if name in seat["cubes"]:
                    multiplier = card.spaces[seat["cubes"][name] - 1].multiplier
                    vp += multiplier * self.count(card.kind, position, letter)
            vp += sum(seat[name] for name in STOCK) // 2
            out[letter] = vp + 2 * self.best_railway(seat)
        return out

    def order(self, position: Mapping[str, Any], totals: Mapping[str, int]) -> list[str]:
        """Seats from first to last, ties broken by rails, tiles and the auction track."""

        def tiles(seat: Mapping[str, Any]) -> int:
            cards = (*seat["locomotives"], *seat["carriages"])
            return sum(sum(some.get("tiles", {}).values()) for some in (seat, *cards))

        def rank(letter: str) -> tuple[int, int, int, int]:
            seat = position["seats"][letter]
            return totals[letter], len(seat["rails"]), tiles(seat), position["white"].index(letter)

        return sorted(totals, key=rank, reverse=True)

    # Placing.

    def others_on(self, position: Mapping[str, Any], letter: str, name: str) -> int:
        seats = position["seats"].items()
        return sum(name in (*seat["rails"], *seat["stations"]) for other, seat in seats if other != letter)

    def powered(self, position: Mapping[str, Any]) -> set[str]:
        """Where the acting seat may put a rail with power now."""
        turn = position["turn"]
        seat = position["seats"][turn["seat"]]
        if "station" not in turn or "power" not in turn or not seat["rails_left"]:
            return set()
        line = next(group for group in self.railways(seat) if turn["station"] in group)
        free = {beside for name in line for beside in self.beside(name)} - {*seat["rails"], *seat["stations"]}
        power = turn["power"]
        return {
            name for name in free if self.cost[name] + self.others_on(position, turn["seat"], name) <= power
        }

    def free(self, position: Mapping[str, Any], letter: str) -> set[str]:
        """Where a free rail of a seat may go."""
        seat = position["seats"][letter]
        own = {*seat["rails"], *seat["stations"]}
        return {beside for name in own for beside in self.beside(name)} - own if seat["rails_left"] else set()

    def connected(self, position: Mapping[str, Any], letter: str) -> set[str]:
        """Routes in play whose two cities lie on one railway of the seat."""
        groups = self.railways(position["seats"][letter])
        out = set()
        for name in position["routes"]:
            card = self.routes[name]
            ends = {self.city_hex[card.city_a], self.city_hex[card.city_b]}
            if any(ends <= group for group in groups):
                out.add(name)
        return out

    # Auctions.

    def ranked(self, position: Mapping[str, Any]) -> list[str]:
        """Seats from the right-most disc to the left."""
        discs, white = position["auction"]["discs"], position["white"]
        places = [letter for letter in white if not discs[letter]]  # white spaces, left to right
        places += sorted((letter for letter in white if discs[letter]), key=lambda letter: int(discs[letter]))
        return places[::-1]

    def due(self, position: Mapping[str, Any]) -> dict[str, int]:
        """What each seat pays when the auction ended now."""
        chart = self.content.bid_chart[str(len(position["seats"]))]
        out = {}
        for letter, circle in zip(self.ranked(position), chart, strict=True):
            value = position["auction"]["discs"][letter]
            out[letter] = {"full": value, "half": value - value // 2, "empty": 0}[circle]
        return out

    def bid_in(self, position: Mapping[str, Any]) -> list[str]:
        if position["phase"] == "objective":
            return list(self.objectives[position["objectives"][position["round"] - 1]].bid)
        return BID_IN[position["phase"]]


@cache
def opened(players: int, otherwise: bool = False) -> tuple[Game[Any], Oracle]:
    title = find_title("railway_boom")
    pack = title.load_pack("inland_sea")
    game = title.open(pack, players, SELF_AND_STATIONS if otherwise else {})
    return game, Oracle(pack.content, game.options)


def compare_scores(game: Game[Any], oracle: Oracle, state: Any) -> None:
    position = game.to_position(state)
    for kind, letter in product(KINDS, game.seats):
        found = game.ask(state, "count", {"kind": kind, "seat": letter})
        assert found == {"count": oracle.count(kind, position, letter)}, (kind, letter)
    for letter in game.seats:
        found = game.ask(state, "railways", {"seat": letter})["railways"]
        groups = [{*part["rails"], *part["stations"]} for part in found]
        assert sorted(map(sorted, groups)) == sorted(map(sorted, oracle.railways(position["seats"][letter])))
    totals = oracle.final(position)
    last, _ = game.final(state)
    assert game.totals(last) == totals
    assert [group[0] for group in game.places(last)] == oracle.order(position, totals)


# States of random games ---------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "otherwise"), [(2, False), (3, False), (4, False), (3, True)])
def test_scores_along_random_games(players: int, otherwise: bool) -> None:
    game, oracle = opened(players, otherwise)
    rng = random.Random(players)
    count = 0

    def look(before: Any, action: Action, after: Any, events: list[Event]) -> None:
        nonlocal count
        count += 1
        if count % 12 == 0 and not game.finished(after):
            compare_scores(game, oracle, after)
        if game.finished(after):
            # The game's own end must be what the oracle makes of the position before the last cube,
            # with that cube put down.
            last = game.to_position(after)
            position = game.to_position(before)
            for letter in game.seats:
                position["seats"][letter]["cubes"] = last["seats"][letter]["cubes"]
            totals = oracle.final(position)
            assert totals == game.totals(after)
            assert [group[0] for group in game.places(after)] == oracle.order(position, totals)

    for _ in range(3):
        play(game, rng, observe=look)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_placements_and_routes_along_random_games(players: int) -> None:
    game, oracle = opened(players)
    rng = random.Random(players + 7)
    looked = Counter[str]()

    def look(before: Any, action: Action, after: Any, events: list[Event]) -> None:
        if isinstance(action, act.PlaceRT | act.PlaceStation | act.UseDev):
            position = game.to_position(after)
            for letter in game.seats:
                done = set(position["seats"][letter]["routes"])
                assert done == oracle.connected(position, letter), letter
        position = game.to_position(after)
        if position["phase"] == "expansion" and position["step"] == "turn" and "pending" not in position:
            letter = position["turn"]["seat"]
            may = oracle.powered(position)
            looked["powered"] += len(may)
            offered = {
                offer.hex
                for offer in game.offers(after, letter)
                if isinstance(offer, act.PlaceRT) and not offer.free_placement
            }
            assert offered == may
            refused = {name: game.refuse(after, act.PlaceRT(letter, name)) for name in oracle.at}
            assert {name for name, violation in refused.items() if violation is None} == may
        for letter, entries in position.get("pending", {}).items():
            waits = any(acting.seat == letter for acting in game.acting(after))
            if entries[-1]["ask"] == "free_rt" and waits:
                offers = [offer for offer in game.offers(after, letter) if isinstance(offer, act.PlaceRT)]
                assert {offer.hex for offer in offers} == oracle.free(position, letter)
                looked["free"] += 1

    for _ in range(6):
        play(game, rng, observe=look)
    assert looked["powered"] > 100
    assert looked["free"] > 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_auctions_along_random_games(players: int) -> None:
    game, oracle = opened(players)
    rng = random.Random(players + 70)
    looked = Counter[str]()

    def look(before: Any, action: Action, after: Any, events: list[Event]) -> None:
        position = game.to_position(before)
        if position["step"] == "auction" and not position.get("pending"):
            discs, confirmed = position["auction"]["discs"], position["auction"]["confirmed"]
            rear = next(s for s in oracle.ranked(position)[::-1] if s not in confirmed)
            assert [acting.seat for acting in game.acting(before)] == [rear]
            have = sum(position["seats"][rear][name] for name in oracle.bid_in(position))
            may = {n for n in range(1, 21) if discs[rear] < n <= have and n not in discs.values()}
            offers = expand(game.offers(before, rear), 50)
            assert {offer.space for offer in offers if isinstance(offer, act.Bid)} == may
            looked["bids"] += 1
        if not isinstance(action, act.Confirm | act.PayWild):
            return
        if isinstance(action, act.Confirm):
            position["auction"]["confirmed"].append(action.seat)
        if len(position["auction"]["confirmed"]) < players:
            return
        due, types = oracle.due(position), oracle.bid_in(position)
        if isinstance(action, act.PayWild):
            assert sum(action.pay.values()) == due[action.seat]
            looked["wild"] += 1
        later = game.to_position(after)
        if later["step"] == "turn":
            assert later["white"] == oracle.ranked(position)[::-1]
            assert later["turn"]["seat"] == oracle.ranked(position)[0]
        if len(types) == 1:
            for letter, amount in due.items():
                seats = position["seats"][letter], later["seats"][letter]
                assert seats[0][types[0]] - seats[1][types[0]] == amount
            looked["paid"] += 1

    for _ in range(3):
        play(game, rng, observe=look)
    assert looked["bids"] > 100
    assert looked["paid"] > 20
    assert looked["wild"] > 1


# Invented boards ----------------------------------------------------------------------------------


def invented(game: Game[Any], rng: random.Random) -> dict[str, Any]:
    """A position such as play seldom reaches: crowded boards, high levels, many cards and tiles."""
    content: Content = game.pack.content
    seats = {}
    cards = {
        "locomotives": rng.sample([card.id for card in content.locomotives], 16),
        "carriages": rng.sample([card.id for card in content.carriages], 24),
        "developments": rng.sample([card.id for card in content.developments], 48),
    }
    objectives = rng.sample([card.id for card in content.objectives], 4)
    spaces = {name: rng.sample(range(1, 5), len(game.seats)) for name in objectives}
    hexes = [place.id for place in content.hexes]
    cities = rng.sample([city.hex for city in content.cities], 4 * len(game.seats))
    supply = dict.fromkeys(TRACKS, 20)
    for index, letter in enumerate(game.seats):
        stations = cities[4 * index : 4 * index + rng.randint(0, 4)]
        rails = rng.sample([name for name in hexes if name not in stations], rng.choice((0, 3, 12, 30)))
        tiles = {name: rng.randint(0, 3) for name in TRACKS}
        for name, amount in tiles.items():
            supply[name] -= amount
        seats[letter] = {
            **{name: rng.randint(0, 25) for name in STOCK},
            "vp": rng.randint(0, 3),
            "levels": {name: rng.randint(1, 8) for name in TRACKS},
            "rails": rails,
            "rails_left": 30 - len(rails),
            "stations": stations,
            "stations_left": 4 - len(stations),
            "tiles": tiles,
            "cubes": {name: spaces[name][index] for name in objectives},
            **{kind: owned[index :: len(game.seats)][: rng.randint(0, 9)] for kind, owned in cards.items()},
        }
    white = list(game.seats)
    rng.shuffle(white)
    return {"objectives": objectives, "white": white, "supply": supply, "seats": seats}


@pytest.mark.parametrize(("players", "otherwise"), [(2, False), (3, True), (4, False)])
def test_scores_of_invented_boards(players: int, otherwise: bool) -> None:
    game, oracle = opened(players, otherwise)
    rng = random.Random(players)
    start = game.to_position(game.start())
    for _ in range(60):
        compare_scores(game, oracle, game.from_position(merged(start, invented(game, rng))))


def test_ties_of_invented_boards() -> None:
    """Few different numbers, so that all tie-breakers are needed."""
    game, oracle = opened(4)
    rng = random.Random(9)
    start = game.to_position(game.start())
    used = Counter[int]()
    for _ in range(150):
        white = list(game.seats)
        rng.shuffle(white)
        seats = {}
        for letter in game.seats:
            rails = rng.sample(("f1", "f2", "f3"), rng.randint(0, 2))
            seats[letter] = {
                "vp": rng.randint(30, 31),
                "rails": rails,
                "rails_left": 30 - len(rails),
                "tiles": {"coal": rng.randint(0, 2)},
            }
        changes = {"white": white, "seats": seats, "round": 4, "phase": "over", "step": "over"}
        state = game.from_position(merged(start, {**changes, "supply": {"coal": 10}}))
        position = game.to_position(state)
        totals = dict(game.totals(state))
        order = oracle.order(position, totals)
        assert [group[0] for group in game.places(state)] == order
        first, second = order[:2]
        used[(totals[first] == totals[second]) + (first == white[-1])] += 1
    assert min(used[0], used[1], used[2]) > 5


# Conditions of train cards ------------------------------------------------------------------------


def copies(need: Mapping[str, int], tiles: Counter[str]) -> int:
    """The most disjoint copies of a condition that can be taken out of the tiles, by trying everything."""

    def ways(wanted: list[str], left: Counter[str]) -> Iterator[Counter[str]]:
        if not wanted:
            yield left
            return
        kinds = [name for name in TRACKS if left[name]] if wanted[0] == "any" else [wanted[0]]
        for kind in kinds:
            if left[kind]:
                yield from ways(wanted[1:], left - Counter([kind]))

    wanted = sorted((name for name, n in need.items() for _ in range(n)), key=lambda name: name == "any")
    return max((1 + copies(need, left) for left in ways(wanted, tiles)), default=0)


def test_a_condition_is_met_as_often_as_its_copies_fit() -> None:
    rng = random.Random(4)
    names = (*TRACKS, "any")
    for _ in range(150):
        need: dict[Any, int] = {name: rng.randint(1, 2) for name in rng.sample(names, rng.randint(1, 3))}
        tiles = Counter({name: rng.choice((0, 0, 1, 2)) for name in TRACKS})
        found = times_met(Effect(need=need), tuple(tiles[name] for name in TRACKS))
        assert found == copies(need, tiles), (need, tiles)
