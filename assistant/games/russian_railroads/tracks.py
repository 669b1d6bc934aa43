"""Tracks and industry as arithmetic: which steps there are, and how many at most (RR-TRACK, RR-IND)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from assistant.games.russian_railroads.ops import COLOURS, Advance
from assistant.games.russian_railroads.pack import Content
from assistant.games.russian_railroads.state import Player

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

Tracks = Mapping[str, tuple[int, ...]]
INDEX: dict[str, int] = {colour: index for index, colour in enumerate(COLOURS)}


def reach(player: Player, railroad: str) -> int:
    """Sum of the numbers of all locomotives on a railroad (RR-MODEL-5)."""
    locos = player.locos
    return locos[0] + locos[1] if railroad == "TS" else locos[2] if railroad == "SP" else locos[3]


def can_step(content: Content, tracks: Tracks, railroad: str, colour: int) -> bool:
    """Whether a piece of a colour (by index) may move one space on a railroad (RR-TRACK-2)."""
    row = tracks[railroad]
    if colour >= len(row):
        return False
    there = row[colour] + 1
    return there < row[colour - 1] if colour else there <= content.length[railroad]


def steps(game: RussianRailroads, tracks: Tracks, op: Advance) -> list[tuple[str, int]]:
    """Railroads and colour indices that one step of `op` may go to."""
    known = game.known_choices
    key = (op.colours, op.railroads, *tracks.values())
    found = known.get(key)
    if found is None:
        if len(known) > REMEMBERED:
            known.clear()
        colours = [INDEX[colour] for colour in op.colours]
        found = known[key] = [
            (railroad, colour)
            for railroad in tracks
            if not op.railroads or railroad in op.railroads
            for colour in colours
            if can_step(game.content, tracks, railroad, colour)
        ]
    return found


def stepped(game: RussianRailroads, tracks: Tracks, railroad: str, colour: int) -> dict[str, tuple[int, ...]]:
    """The tracks after a step, colours unlocked on the way included (RR-TRACK-6)."""
    row = list(tracks[railroad])
    row[colour] += 1
    out = {**tracks, railroad: tuple(row)}
    if colour == 0:
        unlocked = game.unlocks.get((railroad, row[0]))
        if unlocked is not None:
            for name, most in game.colours.items():
                if len(out[name]) == unlocked < most:
                    out[name] = (*out[name], 0)
    return out


def rooms(game: RussianRailroads, tracks: Tracks) -> tuple[int, ...]:
    """By colour: how many spaces its pieces have in front of them, on all railroads together (RR-TRACK-2)."""
    known, key = game.known_rooms, tuple(tracks.values())
    found = known.get(key)
    if found is None:
        if len(known) > REMEMBERED:
            known.clear()
        free = [0] * len(COLOURS)
        for railroad, row in tracks.items():
            ahead = game.content.length[railroad] + 1
            for colour, there in enumerate(row):
                free[colour] += max(0, ahead - 1 - there)
                ahead = there
        found = known[key] = tuple(free)
    return found


def all_steps(game: RussianRailroads, tracks: Tracks, op: Advance) -> bool:
    """Whether all steps of `op` can be made."""
    if not op.distinct and not op.railroads:
        room = rooms(game, tracks)
        # A piece that moves takes no room from another one, and gives none to its own colour.
        if sum([room[INDEX[colour]] for colour in op.colours]) >= op.n:
            return True
        if len(op.colours) == 1:
            return False
    return most_steps(game, tracks, op) >= op.n


def most_steps(game: RussianRailroads, tracks: Tracks, op: Advance) -> int:
    """How many of the steps of `op` can be made at most."""
    known = game.known_steps
    key = (op, *tracks.values())
    found = known.get(key)
    if found is None:
        if len(known) > REMEMBERED:
            known.clear()
        found = known[key] = _most_steps(game, tracks, op)
    return found


REMEMBERED = 50_000
"""Answers about tracks that a game keeps of each kind: a player's are asked about at every turn."""


def _most_steps(game: RussianRailroads, tracks: Tracks, op: Advance) -> int:
    """`most_steps`, worked out.

    No step ever closes another one: a lower colour that moves makes room, a higher one takes none. So going
    on with any legal step, lowest colours first, finds the most.
    """
    done = 0
    moved: set[tuple[str, int]] = set()
    colours = sorted(INDEX[colour] for colour in op.colours)
    railroads: Sequence[str] = op.railroads or tuple(tracks)
    while done < op.n:
        for colour in colours:
            railroad = next(
                (
                    r
                    for r in railroads
                    if can_step(game.content, tracks, r, colour)
                    and not (op.distinct and (r, colour) in moved)
                ),
                None,
            )
            if railroad is not None:
                tracks = stepped(game, tracks, railroad, colour)
                moved.add((railroad, colour))
                done += 1
                break
        else:
            break
    return done


def can_march(content: Content, player: Player, marker: int) -> bool:
    """Whether an industry marker, from 0, may move one cell (RR-IND-2)."""
    if marker >= len(player.markers):
        return False
    there = player.markers[marker] + 1
    cells = content.industry
    if there >= len(cells):
        return False
    return not cells[there].gap or player.factories[gap_number(content, there)] > 0


def gap_number(content: Content, cell: int) -> int:
    """Which factory place, from 0, belongs to the gap at a cell."""
    return content.gaps.index(cell)


def most_marches(content: Content, player: Player, limit: int) -> int:
    """How many industry steps can be made at most, factories built on the way left aside."""
    total = 0
    for marker in player.markers:
        there = marker
        while total < limit:
            there += 1
            if there >= len(content.industry):
                break
            if content.industry[there].gap and not player.factories[gap_number(content, there)]:
                break
            total += 1
    return total
