"""Final scores of Trains, and what a rail costs, calculated again from positions and rows of the pack.

Nothing in here uses the rules' own board, hexes, cards or scoring. It is written to be obviously right.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

from assistant.actions import Action
from assistant.events import Event
from assistant.game import Game, find_title
from assistant.games.trains.actions import Lay
from assistant.random_play import play

Position = dict[str, Any]


class Oracle:
    """A map as a dict of cells; touching is worked out from rows as they are printed."""

    def __init__(self, content: Any) -> None:
        self.cells: dict[tuple[str, int], str] = {
            (row.id, column): cell for row in content.rows for column, cell in enumerate(row.cells.split(), 1)
        }
        self.letters = [row.id for row in content.rows]
        self.barriers = {frozenset((edge.a, edge.b)) for edge in content.barriers}
        self.points: dict[str, int] = {card.id: card.vp for card in content.cards}

    def cell(self, name: str) -> str:
        return self.cells[name[0], int(name[1:])]

    def touching(self, name: str) -> set[str]:
        """Long rows (A, C, …): column c touches c - 1 and c of the rows beside; short: c, c + 1."""
        letter, column = name[0], int(name[1:])
        place = self.letters.index(letter)
        beside = (column - 1, column) if place % 2 == 0 else (column, column + 1)
        out = {(letter, column - 1), (letter, column + 1)}
        for other in (place - 1, place + 1):
            if 0 <= other < len(self.letters):
                out |= {(self.letters[other], c) for c in beside}
        names = {f"{row}{c}" for row, c in out if (row, c) in self.cells}
        return {there for there in names if frozenset((name, there)) not in self.barriers}

    def final(self, position: Position, seat: str) -> int:
        """TR-SCORE: track, rails in cities and at remote locations, gold cards."""
        mine = position["seats"][seat]
        total: int = mine["track"]
        for name in mine["rails"]:
            cell = self.cell(name)
            if cell.isdigit():
                total += {0: 0, 1: 2, 2: 4, 3: 8}[position["stations"].get(name, 0)]
            elif cell.startswith("*"):
                total += int(cell[1:])
        owned = Counter(mine["pool"])
        for zone in ("deck", "hand", "play", "gained", "discard", "revealed"):
            owned.update(card if isinstance(card, str) else card["card"] for card in mine[zone])
        return total + sum(self.points[card] * count for card, count in owned.items())

    def cost(self, position: Position, seat: str, name: str) -> int:
        """TR-LAY-6 and TR-LAY-10."""
        cell, waived = self.cell(name), position["waived"]
        others = sum(name in there["rails"] for other, there in position["seats"].items() if other != seat)
        if "all" in waived:
            return 0
        if "others" in waived:
            others = 0
        if cell.startswith("*"):
            return int(cell[1:]) + others
        if cell.isdigit():
            return (0 if "city" in waived else 1 + position["stations"].get(name, 0)) + others
        price = {"F": 0, "R": 0 if "river" in waived else 1, "M": 0 if "mountain" in waived else 2}
        return price[cell] + others

    def lays(self, position: Position, seat: str) -> set[str]:
        """Hexes on which a seat with a rail point could lay now."""
        rails = set(position["seats"][seat]["rails"])
        reach = {there for name in rails for there in self.touching(name)} - rails
        land = {name for name in reach if self.cell(name) != "S"}
        return {name for name in land if self.cost(position, seat, name) <= position["money"]}


@cache
def opened(pack: str, players: int) -> tuple[Game[Any], Oracle]:
    title = find_title("trains")
    game = title.open(title.load_pack(pack), players)
    return game, Oracle(game.pack.content)


@pytest.mark.parametrize("pack", ["tokyo", "osaka", "kestrel_bay"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_final_score_is_the_same_the_other_way(pack: str, players: int) -> None:
    game, oracle = opened(pack, players)
    end = play(game, random.Random(f"{pack}{players}")).state
    position = game.to_position(end)
    wanted = {seat: oracle.final(position, seat) for seat in game.seats}
    assert game.totals(end) == wanted
    ranked = {s: (wanted[s], len(position["seats"][s]["rails"])) for s in game.seats}
    best = sorted(set(ranked.values()), reverse=True)
    assert list(game.places(end)) == [tuple(s for s in game.seats if ranked[s] == rank) for rank in best]


@pytest.mark.parametrize("pack", ["tokyo", "osaka", "kestrel_bay"])
def test_rails_are_offered_where_the_printed_map_allows_them(pack: str) -> None:
    game, oracle = opened(pack, 4)
    looked = 0

    def compare(before: Any, action: Action, after: Any, caused: list[Event]) -> None:
        nonlocal looked
        position = game.to_position(after)
        if position["rail_points"] and not position["open"]:
            seat = position["turn"]
            offered = {o.hex for o in game.offers(after, seat) if isinstance(o, Lay)}
            left = position["seats"][seat]["rails_left"]
            assert offered == (oracle.lays(position, seat) if left else set())
            looked += 1

    for seed in range(2):
        play(game, random.Random(seed), observe=compare)
    assert looked > 30
