"""Russian Railroads calculated a second time, cell by cell, and compared with the rules.

Its figures come from a position and from the values of the 2013 pack as printed, not from the rules' own
tracks, scoring or spaces. It is written to be obviously right, not fast.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from assistant.actions import Action
from assistant.events import Event, Points
from assistant.game import find_title
from assistant.games.russian_railroads import answering
from assistant.games.russian_railroads.actions import Pass, Stay
from assistant.games.russian_railroads.feasible import in_full
from assistant.games.russian_railroads.flow import next_order
from assistant.games.russian_railroads.game import RussianRailroads, parted
from assistant.games.russian_railroads.ops import COLOURS, Advance
from assistant.games.russian_railroads.resolving import Change
from assistant.games.russian_railroads.spaces import ways
from assistant.games.russian_railroads.state import State
from assistant.games.russian_railroads.tracks import most_steps
from assistant.positions import merged
from assistant.random_play import play

Seat = Mapping[str, Any]

LENGTH = {"TS": 15, "SP": 9, "KV": 9}
WORTH = {
    False: {"": 0, "black": 0, "grey": 1, "brown": 2, "natural": 4, "white": 7},
    True: {"": 0, "black": 0, "grey": 1, "brown": 3, "natural": 6, "white": 10},
}
STARS = {1: 1, 2: 2, 3: 3, 4: 4, 8: 8}
INDUSTRY = ("0", "1", "2", "3", "5", "gap", "10", "gap", "15", "gap", "?", "gap", "20", "gap", "25", "30")
GAPS = [cell for cell, printed in enumerate(INDUSTRY) if printed == "gap"]
Q_CELL = INDUSTRY.index("?")


# Pictures of a board ------------------------------------------------------------------------------


def laid(seat: Seat, railroad: str) -> dict[int, str]:
    """What lies on each space: a piece has its track behind it, and a higher colour covers a lower one."""
    spaces = dict.fromkeys(range(1, LENGTH[railroad] + 1), "")
    for colour, position in zip(COLOURS, seat["tracks"][railroad], strict=False):
        for space in range(1, position + 1):
            spaces[space] = colour
    return spaces


def under_train(seat: Seat, railroad: str) -> set[int]:
    """The spaces that locomotives reach: each goes on where the one before it ends."""
    slots = {"TS": (0, 1), "SP": (2,), "KV": (3,)}[railroad]
    train = [car for slot in slots for car in range(seat["locos"][slot])]
    return {space for space, _ in zip(range(1, LENGTH[railroad] + 1), train, strict=False)}


def there(seat: Seat, railroad: str, colour: str, space: int, *, loco: bool = True) -> bool:
    row = dict(zip(COLOURS, seat["tracks"][railroad], strict=False))
    return row.get(colour, -1) >= space and (not loco or space in under_train(seat, railroad))


def round_score(seat: Seat) -> Counter[str]:
    """What a seat scores at the end of a round, by source."""
    out: Counter[str] = Counter()
    for railroad in LENGTH:
        tracks = laid(seat, railroad)
        for space in under_train(seat, railroad):
            times = 2 if railroad == "TS" and space <= seat["doublers"] else 1
            if railroad == "SP" and there(seat, "SP", "grey", 7):
                times *= 2
            out["railroad"] += times * WORTH[seat["revalued"]][tracks[space]]
    out["stars"] = sum(points for space, points in STARS.items() if there(seat, "KV", "black", space))
    if seat["medal"] and there(seat, "KV", "grey", 8):
        out["medal"] = 20
    for marker in seat["markers"]:
        behind = [printed for printed in INDUSTRY[: marker + 1] if printed.isdecimal()]
        out["industry"] += int(behind[-1])
    return +out


def end_score(seats: Mapping[str, Seat], kept: Mapping[str, list[str]]) -> dict[str, Counter[str]]:
    """What each seat scores at the end, by card, and for engineers."""
    out: dict[str, Counter[str]] = {}
    for name, seat in seats.items():
        engineers = len(seat["engineers"]) + ("EB-8" in kept[name])
        standing = [seat["tracks"][railroad][0] for railroad in LENGTH]
        steps = [dict(zip(COLOURS, row, strict=False)) for row in seat["tracks"].values()]
        reserve = 2 - seat["reserve"]
        doublers = seat["doublers"]
        values = {
            "EB-1": 4 * len([tile for tile in seat["factories"] if tile]),
            "EB-2": 6 * engineers,
            "EB-3": 10 * sum(at == end for at, end in zip(standing, LENGTH.values(), strict=True)),
            "EB-4": sum(row.get("grey", 0) + row.get("brown", 0) for row in steps),
            "EB-5": sum(standing),
            "EB-6": 30 if doublers > 6 else 20 if doublers > 3 else 0,
            "EB-7": 7 * (7 - len(seat["tokens"])),
            "EB-8": 0,
            "EB-9": sum(seat["locos"]),
            "EB-10": 10 * min(3, reserve + seat["black"]),
        }
        out[name] = +Counter({card: values[card] for card in kept[name]})
    rest = {
        name: (len(seat["engineers"]) + ("EB-8" in kept[name]), max([0, *seat["engineers"]]))
        for name, seat in seats.items()
    }
    for points in (40, 20):
        first = max(rest, key=lambda name: rest[name], default="")
        if first and rest[first][0]:
            out[first]["engineers"] = points
            del rest[first]
    return out


# Boards as play brings them, and others -----------------------------------------------------------


@cache
def opened(players: int) -> RussianRailroads:
    title = find_title("russian_railroads")
    game = title.open(title.load_pack("russian_railroads_2013"), players)
    assert isinstance(game, RussianRailroads)
    return game


def scored(events: list[Event], seat: str, *sources: str) -> Counter[str]:
    """Points of a seat by source; of end bonus cards by card."""
    out: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Points) and event.seat == seat and event.source in sources:
            out[event.detail if event.source == "end_bonus" else event.source] += event.amount
    return out


@pytest.mark.parametrize("players", [2, 3, 4])
def test_scores_of_random_games(players: int) -> None:
    game = opened(players)
    looked: Counter[str] = Counter()

    def look(before: State, action: Action, after: State, events: list[Event]) -> None:
        position = game.to_position(before)
        rounds = (after.round, after.phase) != (before.round, before.phase) and after.phase != "moves"
        if isinstance(action, Pass | Stay) and before.stack.idle and rounds:
            for name, seat in position["players"].items():
                found = scored(events, name, "railroad", "stars", "medal", "industry")
                assert found == round_score(seat), name
                looked["round"] += 1
        if after.phase == "over":
            last = game.to_position(after)
            zones = last["bonus"]["zones"]
            kept = {name: [known["card"] for known in zones[name]["named"]] for name in game.seats}
            for name, wanted in end_score(last["players"], kept).items():
                assert scored(events, name, "end_bonus", "engineers") == wanted, name
                looked["cards"] += len(kept[name])
            best = max(seat["score"] for seat in last["players"].values())
            winners = [name for name, seat in last["players"].items() if seat["score"] == best]
            assert list(game.places(after)[0]) == winners

    for seed in range(30):
        play(game, random.Random(seed), observe=look)
    assert looked["round"] > 200
    assert looked["cards"]


def invented(game: RussianRailroads, rng: random.Random) -> dict[str, Any]:
    """A position such as play seldom reaches: long tracks, strong locomotives, many tiles."""
    count = len(game.seats)
    pool = [number for number in range(1, 10) for _ in range(count)]
    rng.shuffle(pool)
    doublers, engineers = 20, rng.sample(range(1, 16), 12)
    black = rng.choice(game.seats)
    seats = {}
    for name in game.seats:
        seat: dict[str, Any] = {"tracks": rows(rng)}
        seat["locos"] = [pool.pop() if rng.random() < 0.8 else 0 for _ in range(4)]
        filled = rng.randrange(6)
        seat["factories"] = [pool.pop() if place < filled else 0 for place in range(5)]
        end = GAPS[filled] if filled < 5 else len(INDUSTRY)
        seat["markers"] = [rng.randrange(end)]
        seat["doublers"] = rng.randrange(min(8, doublers) + 1)
        doublers -= seat["doublers"]
        won = [there(seat, "TS", "black", 13), there(seat, "SP", "black", 4), there(seat, "SP", "black", 6)]
        left = rng.sample([f"T{n}" for n in range(1, 8)], 7 - sum(won) - (seat["markers"][0] >= Q_CELL))
        seat["tokens"] = sorted(left)
        if "T1" not in left:
            seat["markers"].append(rng.randrange(seat["markers"][0] + 1))
        seat |= {"medal": "T2" not in left, "revalued": "T3" not in left}
        seat["engineers"] = sorted(engineers.pop() for _ in range(rng.randrange(3)))
        seat["workers"] = game.setup.workers + rng.randrange(3)
        seat["black"] = name == black
        seats[name] = seat
    return {"phase": "actions", "round": 1, "turn": "A", "starting": [], "players": seats}


def rows(rng: random.Random) -> dict[str, list[int]]:
    """Track positions of a player: as many colours as black on TS has unlocked."""
    tops = {name: rng.choice((rng.randrange(1, length), length)) for name, length in LENGTH.items()}
    unlocked = 1 + sum(tops["TS"] >= space for space in (2, 6, 10, 15))
    out = {}
    for name, most in (("TS", 5), ("SP", 4), ("KV", 3)):
        row = [tops[name]]
        while len(row) < min(unlocked, most):
            row.append(rng.choice((rng.randrange(max(row[-1], 1)), max(row[-1] - 1, 0))))
        out[name] = row
    return out


def zone(*named: str, unnamed: int = 0) -> dict[str, Any]:
    """Cards in one place."""
    return {"named": [{"card": card} for card in named], "unnamed": unnamed}


def state_of(game: RussianRailroads, changes: Mapping[str, Any]) -> State:
    """A state from what differs from a fresh game: players are merged, all else is replaced."""
    position = game.to_position(game.start())
    for path in game.derived:
        head, _, key = path.partition(".*.")
        for table in position[head].values() if key else (position,):
            del table[key or head]
    return game.from_position({**position, **changes, "players": merged(position, changes)["players"]})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_scores_of_invented_boards(players: int) -> None:
    game, rng = opened(players), random.Random(players)
    used: Counter[str] = Counter()
    for _ in range(300):
        state = state_of(game, invented(game, rng))
        position = game.to_position(state)
        for name, seat in position["players"].items():
            found = game.ask(state, "points", {"seat": name})
            wanted = round_score(seat)
            parts = {key: found[key] for key in ("stars", "medal", "industry") if found[key]}
            assert parts == {key: value for key, value in wanted.items() if key != "railroad"}
            assert found["TS"] + found["SP"] + found["KV"] == wanted["railroad"], seat
            assert found["total"] == wanted.total()
            used.update(wanted.keys())
            used["white"] += len(seat["tracks"]["TS"]) == 5
            used["doubled"] += there(seat, "SP", "grey", 7)
    assert min(used[key] for key in ("railroad", "stars", "medal", "industry", "white", "doubled")) > 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_end_scores_of_invented_boards(players: int) -> None:
    game, rng = opened(players), random.Random(players + 10)
    used: Counter[str] = Counter()
    for _ in range(150):
        changes = invented(game, rng)
        cards = [f"EB-{number}" for number in range(1, 11)]
        rng.shuffle(cards)
        kept = {name: sorted(cards.pop() for _ in range(rng.randrange(3))) for name in game.seats}
        zones = {name: zone(*names) for name, names in kept.items()}
        zones |= {"removed": zone(unnamed=min(2, len(cards))), "pile": zone(unnamed=max(0, len(cards) - 2))}
        changes["bonus"] = {"zones": zones, "pool": dict.fromkeys(cards, 1)}
        state = state_of(game, changes)
        _, events = game.final(state)
        for name, wanted in end_score(game.to_position(state)["players"], kept).items():
            assert scored(events, name, "end_bonus", "engineers") == wanted, (name, kept)
            used.update(wanted.keys())
    assert set(used) == {f"EB-{number}" for number in range(1, 11)} - {"EB-8"} | {"engineers"}


# Orders, steps, payments ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_next_order_is_the_only_one_that_fits(players: int) -> None:
    order = tuple("ABCD"[:players])
    for first, second in itertools.product(("", *order), repeat=2):
        if (first and first == second) or not (first or second):
            continue
        booked = {space: seat for space, seat in (("ORD-1", first), ("ORD-2", second)) if seat}
        others = [seat for seat in order if seat not in booked.values()]
        fits = [
            new
            for new in itertools.permutations(order)
            if new[0] == (first or new[0])
            and new[1] == (second or new[1])
            and [seat for seat in new if seat in others] == others
        ]
        wanted = order if (first, second) == ("", "A") else fits[0]
        assert len(fits) == 1
        assert next_order(order, booked) == wanted


def moved(tracks: Mapping[str, list[int]], railroad: str, colour: int) -> dict[str, list[int]] | None:
    """The tracks after one step, with the colours that it unlocks; None when it is not allowed."""
    row = list(tracks[railroad])
    if colour >= len(row):
        return None
    row[colour] += 1
    if row[0] > LENGTH[railroad] or any(0 < high >= low for low, high in itertools.pairwise(row)):
        return None
    out = {**tracks, railroad: row}
    unlocked = 1 + sum(out["TS"][0] >= space for space in (2, 6, 10, 15))
    most = {"TS": 5, "SP": 4, "KV": 3}
    return {name: there + [0] * (min(unlocked, most[name]) - len(there)) for name, there in out.items()}


def lengths(tracks: Mapping[str, list[int]], op: Advance, left: int) -> Iterator[int]:
    """How many steps each way of making them has."""
    stuck = True
    for railroad, colour in itertools.product(LENGTH, op.colours):
        after = moved(tracks, railroad, COLOURS.index(colour)) if left else None
        if after is not None:
            stuck = False
            yield from (1 + more for more in lengths(after, op, left - 1))
    if stuck:
        yield 0


def test_every_way_of_making_steps_makes_as_many() -> None:
    """So it does not matter which step comes first, and what can be made in full cannot be spoilt."""
    game, rng = opened(4), random.Random(1)
    short = 0
    for _ in range(400):
        tracks = rows(rng)
        if rng.random() < 0.6:
            tracks |= {name: [LENGTH[name], *tracks[name][1:]] for name in ("SP", "KV")}
        colours = tuple(rng.sample(COLOURS, rng.randrange(1, 4)))
        op = Advance(colours, rng.randrange(1, 4))
        found = set(lengths(tracks, op, op.n))
        assert found == {most_steps(game, {name: tuple(row) for name, row in tracks.items()}, op)}
        short += max(found) < op.n
    assert 40 < short < 360


def test_payments_are_all_that_fit() -> None:
    for workers, roubles, strict in itertools.product(range(4), range(2), (False, True)):
        for have in itertools.product(range(4), range(2), range(3), range(4)):
            wanted = set()
            for pieces in itertools.product(*(range(n + 1) for n in have)):
                coins = pieces[3]
                exact = sum(pieces) == workers + roubles and coins >= roubles
                replaced = coins - roubles
                if exact and not (strict and workers and roubles and replaced):
                    wanted.add(pieces)
            found = ways(workers, roubles, strict, have)
            assert len(found) == len(set(found))
            assert set(found) == wanted


def completes(game: RussianRailroads, state: State) -> bool:
    """Whether some way of answering, none left out, carries out all that is mandatory."""
    change = Change(game, state, probing=True)
    change.go_on()
    waiting = [] if change.failed else [change.now]
    while waiting:
        here = waiting.pop()
        if not parted(here.stack)[0]:
            return True
        for answer in reversed(answering.raw(game, here)):
            change = Change(game, here, probing=True)
            answering.answer(change, answer)
            change.go_on()
            if not change.failed:
                waiting.append(change.now)
    return False


@pytest.mark.parametrize("players", [2, 4])
def test_what_can_be_done_in_full_is_found_by_trying_everything(players: int) -> None:
    """The short cut by numbers and the search through the real rules say the same of every action."""
    game, rng = opened(players), random.Random(players)
    spaces = [space for space in game.content.spaces if space.action and space.area != "order"]
    actions = [(space.action, space.any_order) for space in spaces]
    actions += [(engineer.action, False) for engineer in game.content.engineers]
    actions += [(card.action, False) for card in game.content.q_cards]
    found: Counter[bool] = Counter()
    for _ in range(40):
        state = state_of(game, invented(game, rng))
        for action in actions:
            doable = in_full(game, state, "A", *action)
            assert doable == completes(game, game.begun(state, "A", *action)), (action, state.players["A"])
            found[doable] += 1
    assert min(found[True], found[False]) > 100


def test_answers_that_are_offered_are_those_after_which_all_that_is_mandatory_can_be_done() -> None:
    game, asked = opened(4), Counter[bool]()

    def compared(before: State, action: Action, after: State, events: list[Event]) -> None:
        duties, own = parted(after.stack)
        if not duties or not own:
            return
        answers = answering.raw(game, after)
        kept = []
        for answer in answers:
            change = Change(game, after, probing=True)
            answering.answer(change, answer)
            change.go_on()
            if not change.failed and completes(game, change.now):
                kept.append(answer)
        assert game.offers(after, after.turn) == (kept or answers)
        asked[len(kept) == len(answers)] += 1

    for seed in range(30):
        play(game, random.Random(seed), observe=compared)
    assert min(asked[True], 20 * asked[False]) > 100
