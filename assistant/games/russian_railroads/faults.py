"""What is impossible about a state of Russian Railroads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assistant import cards as c
from assistant.games.russian_railroads.ops import COLOURS
from assistant.games.russian_railroads.pack import MOST_DOUBLERS, SLOTS
from assistant.games.russian_railroads.scoring import fired
from assistant.games.russian_railroads.spaces import ORDER_SPACES
from assistant.games.russian_railroads.state import AskSwap, HoldLoco, Player, State, Task, Token
from assistant.stacks import Stack

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

NUMBERS = range(1, 10)
"""Numbers of locomotives."""
TABLE_PHASES = ("engineers", "order", "reveal", "over")
"""Phases in which no player acts."""


def faults(game: RussianRailroads, state: State) -> list[str]:
    """Every fault, one line each; empty when sound. A rule that is broken stands at the end."""
    return misshapen(game, state) or [
        *(f"players.{s}.{text}" for s, p in state.players.items() for text in _player(game, state, s, p)),
        *_tiles(game, state),
        *_moment(game, state),
        *(f"bonus: {text}" for text in c.faults(state.bonus)),
    ]


def misshapen(game: RussianRailroads, state: State) -> list[str]:
    """Faults with which nothing else can be asked about a state: names that mean nothing, lists of a wrong
    length."""
    if sorted(state.players) != sorted(game.seats):
        return [f"players: the seats are {', '.join(game.seats)}"]
    return [
        *_names(game, state),
        *(f"players.{s}.{text}" for s, p in state.players.items() for text in _shape(game, p)),
        *(f"stack: {text}" for text in _stack(game, state)),
    ]


def _names(game: RussianRailroads, state: State) -> Iterator[str]:
    if sorted(state.order) != sorted(game.seats):
        yield "order: every seat stands there once"
    if state.turn not in ("", *game.seats):
        yield f"turn: there is no seat {state.turn!r}"
    if len(state.strip) != len(game.start().strip):
        yield f"strip: it has {len(game.start().strip)} spaces"
    if not set(state.strip) <= {0, *(n for n, engineer in game.engineers.items() if engineer.letter)}:
        yield "strip: there is no such engineer"
    if not set(state.piles) <= {str(number) for number in NUMBERS} or not set(state.returned) <= set(NUMBERS):
        yield "piles, returned: numbers from 1 to 9"
    if not set(state.claims) <= set(ORDER_SPACES):
        yield f"claims: there are {', '.join(ORDER_SPACES)}"
    if not set(state.starting) <= set(game.starting) or not set(state.q_cards) <= set(game.q_cards):
        yield "starting, q_cards: there is no such card"
    for placed in state.placed:
        if placed.space not in game.spaces.all and not game.spaces.engineer(state, placed.space):
            yield f"placed: there is no space {placed.space!r}"
        if placed.seat not in game.seats:
            yield f"placed: there is no seat {placed.seat!r}"
    wanted = game.start().bonus
    if sorted(state.bonus.zones) != sorted(wanted.zones) or c.owned(state.bonus) != c.owned(wanted):
        yield "bonus: each end bonus card lies there once, removed, in the pile or with a seat"


def _shape(game: RussianRailroads, player: Player) -> Iterator[str]:
    content = game.content
    if sorted(player.tracks) != sorted(content.length):
        yield f"tracks: the railroads are {', '.join(content.length)}"
    elif not all(1 <= len(player.tracks[name]) <= most for name, most in game.colours.items()):
        yield "tracks: every railroad has its black track, and no more colours than it uses"
    if not 1 <= len(player.markers) <= 2:
        yield "markers: one, or two"
    for marker in player.markers:
        if not 0 <= marker < len(content.industry):
            yield f"markers: there is no cell {marker}"
    if player.special_loco not in ("", *SLOTS):
        yield f"special_loco: there is no slot {player.special_loco!r}"
    if not {*player.locos, *player.factories} <= {0, *NUMBERS}:
        yield "locos, factories: numbers from 1 to 9, 0 for none"
    for key, known in (("tokens", game.q_tokens), ("q_cards", game.q_cards), ("engineers", game.engineers)):
        there: tuple[Any, ...] = getattr(player, key)
        if not set(there) <= set(known) or len(set(there)) != len(there):
            yield f"{key}: something that does not exist, or stands there twice"


def _stack(game: RussianRailroads, state: State) -> Iterator[str]:
    heights = [height for height, _ in state.stack.together]
    if heights != sorted(heights) or not all(0 <= height <= len(state.stack.open) for height in heights):
        yield "together: groups lie on the open tasks, the lowest first"
    if state.stack.holds or not all(len(group) > 1 for _, group in state.stack.together):
        yield "together, holds: two or more are due together, and nothing is held"
    tokens = {special.id for special in game.content.specials if special.effect == "token"}
    for task in tasks(state.stack):
        op = task.op
        if isinstance(op, HoldLoco) and op.number not in NUMBERS:
            yield f"there is no locomotive {op.number}"
        if isinstance(op, Token) and op.special not in tokens:
            yield f"there is no ?-space {op.special!r}"
        if isinstance(op, AskSwap):
            there = [placed.space for placed in state.placed if placed.seat == state.turn]
            if op.space not in ORDER_SPACES or op.space not in there:
                yield "only a piece on a turn-order space is swapped (RR-ORD-5)"


def _player(game: RussianRailroads, state: State, seat: str, player: Player) -> Iterator[str]:
    yield from _tracks(game, player)
    content = game.content
    mine = [placed for placed in state.placed if placed.seat == seat]
    if player.free + sum(placed.workers for placed in mine) != player.workers:
        yield "free: workers in hand and on spaces are all workers"
    if player.workers + player.reserve != total_workers(game):
        yield "reserve: workers come from the reserve only"
    numbers = (player.free, player.reserve, player.roubles, player.temps, player.doublers, player.score)
    if min(numbers) < 0:
        yield "free, reserve, roubles, temps, doublers, score: never below 0"
    if player.black_free + sum(placed.black for placed in mine) != player.black:
        yield "black_free: the black worker is in hand or on a space"
    if player.doublers > MOST_DOUBLERS:
        yield f"doublers: there are {MOST_DOUBLERS} places (RR-DBL-1)"
    filled = [bool(factory) for factory in player.factories]
    if filled != sorted(filled, reverse=True):
        yield "factories: places fill from the left (RR-FACT-3)"
    for marker in player.markers:
        passed = [index for index, cell in enumerate(content.industry[: marker + 1]) if cell.gap]
        if not all(filled[: len(passed)]):
            yield "markers: none is beyond an empty gap (RR-IND-2)"
    if player.special_loco and player.locos[SLOTS.index(player.special_loco)] != game.special_number:
        yield f"special_loco: it is a {game.special_number}"
    yield from _triggers(game, state, seat, player)


def _triggers(game: RussianRailroads, state: State, seat: str, player: Player) -> Iterator[str]:
    """What has happened once is what holds; a locomotive in hand comes first (RR-TRIG-1, -3)."""
    opened = tasks(state.stack) if seat == state.turn else []
    now = fired(game, player)
    due = [special for special in now if special not in player.fired]
    if any(isinstance(task.op, HoldLoco) for task in opened):
        due = []
    if due or tuple(special for special in now if special in player.fired) != player.fired:
        yield f"fired: what has happened is {', '.join(now) or 'nothing'} (RR-SPEC-11)"
    spaces = sum(s.effect == "token" for s in game.content.specials if s.id in player.fired)
    asked = sum(isinstance(task.op, Token) for task in opened)
    if len(player.tokens) != len(game.q_tokens) - spaces + asked:
        yield f"tokens: {spaces - asked} of {len(game.q_tokens)} are on ?-spaces (RR-SPEC-Q)"


def _tracks(game: RussianRailroads, player: Player) -> Iterator[str]:
    unlocked = 1
    for (railroad, space), index in sorted(game.unlocks.items(), key=lambda pair: pair[1]):
        if player.tracks[railroad][0] >= space:
            unlocked = index + 1
    for railroad, row in player.tracks.items():
        wanted = min(unlocked, game.colours[railroad])
        if len(row) != wanted:
            yield f"tracks.{railroad}: {wanted} colours are unlocked (RR-TRACK-6)"
            continue
        if not 0 <= row[0] <= game.content.length[railroad]:
            yield f"tracks.{railroad}: it has {game.content.length[railroad]} spaces (RR-TRACK-3)"
        for lower, upper, colour in zip(row, row[1:], COLOURS[1:], strict=False):
            # Several colours may wait left of the row.
            if upper < 0 or (upper >= lower and upper > 0):
                yield f"tracks.{railroad}: {colour} stays behind the colour below (RR-TRACK-2)"


def _tiles(game: RussianRailroads, state: State) -> Iterator[str]:
    """Everything that was in the box lies in one place."""
    there = count_locos(state)
    if min(state.piles.values(), default=0) < 0:
        yield "piles: never below 0"
    for number in NUMBERS:
        if there[number] != game.each:
            yield f"piles.{number}: there are {game.each} locomotives of it, not {there[number]} (RR-SETUP-5)"
    players, supplies = state.players.values(), game.content.supplies
    if sum(bool(player.special_loco) for player in players) > 1:
        yield "special_loco: there is one without a factory back"
    doublers = state.doublers + sum(player.doublers for player in players)
    if doublers != supplies.doublers or state.doublers < 0:
        yield f"doublers: there are {supplies.doublers}, not {doublers} (RR-DBL-3)"
    roubles = state.roubles + sum(p.roubles for p in players) + sum(p.roubles for p in state.placed)
    if roubles != supplies.roubles or (game.hard_roubles and state.roubles < 0):
        yield f"roubles: there are {supplies.roubles}, not {roubles} (RR-SETUP-7)"
    engineers = [*(n for n in state.strip if n), *(n for p in players for n in p.engineers)]
    if len(set(engineers)) != len(engineers):
        yield "engineers: each lies in one place"
    if sum(player.black for player in players) > 1:
        yield "black: there is one black worker"
    temps = sum(p.temps for p in players) + sum(p.temps for p in state.placed)
    if temps not in (0, game.temp_workers):
        yield f"temps: there are {game.temp_workers} temporary workers, together (RR-TEMP-1)"
    if sorted([*(card for p in players for card in p.q_cards), *state.q_cards]) != sorted(game.q_cards):
        yield "q_cards: each lies in one place"
    for placed in state.placed:
        if min(placed.workers, placed.black, placed.temps, placed.roubles) < 0 or not placed.pieces:
            yield f"placed: nothing lies on {placed.space}"


def _moment(game: RussianRailroads, state: State) -> Iterator[str]:
    """Phase, round, whose turn it is and which decisions are open fit together."""
    if (state.phase in TABLE_PHASES) != (not state.turn):
        yield f"turn: in the phase {state.phase} {'no' if state.phase in TABLE_PHASES else 'a'} player acts"
        return
    first = 0 if state.phase in ("engineers", "order", "starting") else 1
    if not first <= state.round <= (game.setup.rounds if first else 0):
        yield f"round: there is no round {state.round} in the phase {state.phase} (RR-SETUP-16)"
    if state.phase == "actions" and state.players[state.turn].passed:
        yield "turn: whoever has passed is out for the round (RR-PASS-1)"
    booked = {placed.space for placed in state.placed if placed.seat == state.turn}
    if (state.phase == "moves") != bool(state.claims):
        yield "claims: in the phase moves, and only there, workers are moved (RR-MOVE-1)"
    elif state.claims and state.stack.idle and state.claims[0] not in booked:
        yield "claims: the next to move is on the space (RR-MOVE-1)"
    if not state.turn and state.stack != Stack():
        yield "stack: decisions are open only while somebody acts"


def total_workers(game: RussianRailroads) -> int:
    """Workers of a colour, in hand, on spaces and in reserve (RR-SETUP-11)."""
    return game.setup.workers + game.setup.reserve


def count_locos(state: State) -> Counter[int]:
    """Locomotives and factories by number, wherever they lie; the one without a factory back is not one of
    them."""
    there: Counter[int] = Counter({int(number): left for number, left in state.piles.items()})
    there.update(state.returned)
    for task in tasks(state.stack):
        if isinstance(task.op, HoldLoco) and not task.op.special:
            there[task.op.number] += 1
    for player in state.players.values():
        there.update(factory for factory in player.factories if factory)
        slots = zip(SLOTS, player.locos, strict=True)
        there.update(loco for slot, loco in slots if loco and slot != player.special_loco)
    return there


def tasks(stack: Stack[Task]) -> list[Task]:
    """All tasks of a stack, those that wait for a moment included."""
    waiting = [task for _, task in stack.filed]
    return [*stack.open, *(task for _, group in stack.together for task in group), *waiting]
