"""Random legal games of Trains: nothing is lost, nothing goes below zero, nobody is stuck (I-1 to I-4)."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.actions import TABLE, Action
from assistant.events import Event, Moved, Points
from assistant.game import find_title
from assistant.games.trains import actions as act
from assistant.games.trains.game import Trains
from assistant.games.trains.state import ZONES, State
from assistant.random_play import play
from tests import properties

SHORT = Path(__file__).parent / "packs" / "short.toml"
PACKS = ("tokyo", "osaka", "kestrel_bay")
OTHERWISE: dict[str, str | bool] = {"rail_mode": "immediate", "clean_up": "private"}
GAMES = [
    (pack, players, options) for pack in PACKS for players, options in ((2, {}), (3, OTHERWISE), (4, {}))
]
games = pytest.mark.parametrize(("pack", "players", "options"), GAMES, ids=[f"{p}-{n}" for p, n, _ in GAMES])


@cache
def _opened(pack: str, players: int, otherwise: bool) -> Trains:
    title = find_title("trains")
    game = title.open(title.load_pack(pack), players, OTHERWISE if otherwise else {})
    assert isinstance(game, Trains)
    return game


def opened(pack: str, players: int, options: dict[str, str | bool]) -> Trains:
    return _opened(pack, players, bool(options))


class Ledger:
    """Counts everything from positions and events alone, and compares after every action."""

    def __init__(self, game: Trains) -> None:
        self.game = game
        self.printed = {card.id: card.count for card in game.pack.content.cards}
        self.room = {h.id: h.number for h in game.pack.content.hexes.values() if h.terrain == "city"}
        self.track: Counter[str] = Counter()
        self.events = 0

    def follow(self, before: State, action: Action, after: State, caused: list[Event]) -> None:
        self.events += 1
        position = self.game.to_position(after)
        self.cards(position)
        self.tokens(position)
        assert position["money"] >= 0
        assert position["rail_points"] >= 0
        if position["turn"] != self.game.to_position(before)["turn"] or position["phase"] != "turns":
            assert (position["money"], position["rail_points"], position["waived"]) == (0, 0, [])
        for event in caused:
            if isinstance(event, Points) and event.rule == "TR-VP-1":
                self.track[event.seat] += event.amount
        assert {s: there["track"] for s, there in position["seats"].items()} == {
            s: self.track[s] for s in self.game.seats
        }
        money = sum(e.amount for e in caused if isinstance(e, Moved) and e.what == "money")
        if self.game.to_position(before)["turn"] == position["turn"] and not ended(action, position):
            assert position["money"] == self.game.to_position(before)["money"] + money

    def cards(self, position: Any) -> None:
        """I-1: each card in one place, the printed number of each."""
        there = Counter(position["supply"]) + Counter(position["box"])
        for seat in position["seats"].values():
            there.update(seat["pool"])
            for zone in ZONES:
                there.update(entry if isinstance(entry, str) else entry["card"] for entry in seat[zone])
            assert sum(seat["pool"].values()) == sum(seat["unnamed"].values())
        assert +there == Counter(self.printed)
        assert there.total() == 500

    def tokens(self, position: Any) -> None:
        """I-2 and I-3: tokens on the map and beside it, stations within their cities, nothing at sea."""
        for seat in position["seats"].values():
            assert seat["rails_left"] + len(set(seat["rails"])) == 20
            assert seat["rails_left"] >= 0
        assert position["stations_left"] + sum(position["stations"].values()) == 30
        assert position["stations_left"] >= 0
        assert all(0 < count <= self.room[name] for name, count in position["stations"].items())


def ended(action: Action, position: Any) -> bool:
    """Whether the action may have ended a turn: money is gone then."""
    table = (act.EndTurn, act.Leftovers)
    return isinstance(action, table) or action.kind in ("deal", "shuffle") or position["phase"] == "over"


@games
def test_random_games_lose_nothing(pack: str, players: int, options: dict[str, str | bool]) -> None:
    game = opened(pack, players, options)
    ledger = Ledger(game)
    played = play(game, random.Random(f"{pack} {players}"), observe=ledger.follow)
    assert game.finished(played.state)
    assert ledger.events == len(played.actions)
    assert game.end_conditions(played.state)


@games
def test_offers_and_refusals_agree(pack: str, players: int, options: dict[str, str | bool]) -> None:
    game, rng = opened(pack, players, options), random.Random(f"{pack} forms {players}")
    for state in properties.states_of(game, rng, every=150):
        if not game.finished(state):
            properties.check_forms(game, state, rng)
        properties.check_round_trip(game, state)


def test_every_expressible_action_is_offered_or_refused() -> None:
    """On states of every kind: what can be said is offered exactly when nothing is broken."""
    game, rng = opened(str(SHORT), 2, {}), random.Random(4)
    domains = {
        "hex": ("A4", "B3", "C6", "F7", "Z1"),
        "card": ("", "TC-NT", "TC-LR", "TC-WA", "TC-ET", "TC-GA", "XX"),
        "cards": ("TC-NT", "TC-WA"),
        "count": (0, 1, 5),
        "number": (1, 2, 3),
        "copy": ("",),
        "owner": ("A", "Z"),
        "player": ("A", "Z"),
    }
    everything = properties.expressible(game, domains)
    every = [action for action in everything if getattr(action, "seat", "") in (*game.seats, TABLE)]
    for state in properties.states_of(game, rng, every=4):
        # Of 30 stacks 8 can be chosen in millions of ways; `check_forms` looks at some.
        if not game.finished(state) and state.phase != "stacks":
            properties.check_refusals(game, state, rng.sample(every, min(len(every), 400)))


@pytest.mark.parametrize("rule", sorted(Trains.waivable))
def test_after_an_overruled_action_the_game_goes_on(rule: str) -> None:
    game = opened(str(SHORT), 3, {})

    def candidates(state: State) -> list[Action]:
        seat = game.seats[state.active]
        hexes = [act.Lay(seat, name) for name in game.board.grid.bit]
        starts = [act.StartPlace(seat, name) for name in game.board.grid.bit]
        return [
            *hexes,
            *starts,
            *game.buys[seat].values(),
            *(plain for _, plain in game.plays[seat].values()),
        ]

    properties.check_waiver(game, rule, candidates)
