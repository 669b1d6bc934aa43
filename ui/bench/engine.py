"""Figures about the rules engine: random playouts beside other engines, single questions, and replay."""

from __future__ import annotations

import gc
import importlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.game import Game, find_title, titles
from assistant.journal import MemoryJournal
from assistant.random_play import POLICY, play
from assistant.referee import Referee, header_for, replay
from assistant.rulings import Accepted
from ui.bench import Row, cpu_seconds, percentile, row

PLAYERS = 4
AT_ONCE = 5
"""Calls that are timed together: one alone is too short for the clock."""
ENTRIES = 1000
"""What a replay is scaled to: a long evening."""


MAIN = "railway_boom"
"""The game whose playouts are set beside other engines, and whose journals are replayed."""
FLOORS = {MAIN: (400, 20)}
OTHER_FLOORS = (200, 30)
"""Least playouts a second, and the most microseconds for a seat's offers: of the main game, of any other."""


def run(*, quick: bool = False, seed: int = 1) -> list[Row]:
    """Measure the engine with four players of each game. `quick` takes fewer rounds and positions."""
    rows: list[Row] = []
    for name in [MAIN, *sorted(set(titles()) - {MAIN})]:
        title = find_title(name)
        if not title.seats[0] <= PLAYERS <= title.seats[1]:
            continue
        game = title.open(title.load_pack(title.default_pack), PLAYERS)
        rows += _playouts(game, seed, rounds=3 if quick else 15, each_s=0.15 if quick else 0.6)
        rows += _questions(game, seed, games=3 if quick else 30 if name == MAIN else 10)
        if name == MAIN:
            rows += _replays(game, seed, rounds=3 if quick else 15)
    return rows


@contextmanager
def aside() -> Iterator[None]:
    """What a bench has prepared so far is kept from the collector, which otherwise goes on as it does: a
    running table does not hold thousands of positions."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


# --- playouts ------------------------------------------------------------------------------------


def _playouts(game: Game[Any], seed: int, rounds: int, each_s: float) -> list[Row]:
    """Whole random games; those of the main game in turns with the peers that are installed."""
    counts: Counter[str] = Counter()
    games = 0

    def ours(rng: random.Random) -> int:
        nonlocal games
        played = play(game, rng)
        counts.update(played.counts)
        games += 1
        return len(played.actions)

    main = game.title.id == MAIN
    floor = FLOORS.get(game.title.id, OTHER_FLOORS)[0]
    players = {"ours": ours, **({"dominoes": _dominoes(), "chess": _chess()} if main else {})}
    there = {name: one for name, one in players.items() if one is not None}
    for one in there.values():
        one(random.Random(0))  # what is loaded or compiled at first use
    counts.clear()
    games = 0
    rates: dict[str, list[float]] = {name: [] for name in there}
    seeds = random.Random(f"bench:{seed}")
    for number in range(rounds):
        for name in list(there) if number % 2 == 0 else list(there)[::-1]:
            rng = random.Random(seeds.random())
            actions, start = 0, cpu_seconds()
            while (spent := cpu_seconds() - start) < each_s:
                actions += there[name](rng)
            rates[name].append(actions / spent)
    speed = median(rates["ours"])
    per_game = counts.total() / games
    shares = ", ".join(f"{kind} {n / counts.total():.1%}" for kind, n in counts.most_common())
    how = (
        f"{rounds} rounds of {each_s:g} s of this thread's CPU time in turns, garbage collection on; median "
        "of the rounds"
    )
    rows = [
        row(
            f"engine: four-player {game.title.name}, full rules, offers at every decision, scored",
            speed / per_game,
            "playouts/s CPU",
            goal=f">= {floor}",
            how=f"{how}. Policy: {POLICY}. {games} games of {per_game:.0f} actions on average: {shares}",
        )
    ]
    peers = {
        "dominoes": ("OpenSpiel python_team_dominoes", "open-spiel", 4),
        "chess": ("python-chess", "chess", 8),
    }
    for name, (what, package, times) in peers.items() if main else ():
        rate = median(rates[name]) if name in there else None
        figure = row(
            f"engine: actions in random playouts, beside {what}",
            speed,
            "actions/s CPU",
            peer=f"{what} {_version(package)}".strip(),
            peer_value=rate,
            more_is_better=True,
            how=f"{how}; the peer plays whole random games too"
            if rate
            else f"{how}. No ratio: {package} is not installed here (`make peers` installs it)",
        )
        met = None if figure.ratio is None else figure.ratio >= times
        rows.append(msgspec.structs.replace(figure, goal=f"ratio >= {times}", ok=met))
    return rows


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _dominoes() -> Callable[[random.Random], int] | None:
    """A random game of OpenSpiel's four-player dominoes, the nearest peer written in Python."""
    try:
        spiel: Any = importlib.import_module("pyspiel")
        importlib.import_module("open_spiel.python.games.team_dominoes")
    except ImportError:
        return None
    game = spiel.load_game("python_team_dominoes")

    def playout(rng: random.Random) -> int:
        state = game.new_initial_state()
        count = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(actions, odds)[0]
            else:
                action = rng.choice(state.legal_actions())
            state.apply_action(action)
            count += 1
        return count

    return playout


def _chess() -> Callable[[random.Random], int] | None:
    """A random game of chess."""
    try:
        chess: Any = importlib.import_module("chess")
    except ImportError:
        return None

    def playout(rng: random.Random) -> int:
        board = chess.Board()
        count = 0
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
            count += 1
        return count

    return playout


# --- single questions ----------------------------------------------------------------------------


def _questions(game: Game[Any], seed: int, games: int) -> list[Row]:
    """Checks, offers, effects and digests over the positions of random games."""
    rng = random.Random(f"bench:{seed}")
    states: list[tuple[Any, Action]] = []
    for _ in range(games):
        play(game, rng, observe=lambda before, action, after, events: states.append((before, action)))
    played = rng.sample(states, min(4000, len(states)))
    # An action of another moment is mostly illegal: another seat's, another phase's, no longer payable.
    checks = played + [(state, rng.choice(states)[1]) for state, _ in played]
    refused = sum(game.refuse(state, action) is not None for state, action in checks) / len(checks)
    asked = [(state, acting[0].seat) for state, _ in played if (acting := game.acting(state))]
    asked = [(state, seat) for state, seat in asked if seat != TABLE]
    works: Mapping[str, tuple[Callable[[Any, Any], Any], Sequence[tuple[Any, Any]], float | None, str]] = {
        "one legality check": (
            game.refuse,
            checks,
            10,
            f"the action that was played, and one of another moment, in each position: {refused:.0%} refused",
        ),
        "all offers of a seat": (
            game.offers,
            asked,
            FLOORS.get(game.title.id, OTHER_FLOORS)[1],
            "the seat asked first, free actions included",
        ),
        "the effect of an action": (game.apply, played, None, "the action that was played, with its events"),
        "a digest": (lambda state, _: game.digest(state), played[:1000], None, "of the canonical position"),
    }
    rows = []
    for what, (call, cases, goal, how) in works.items():
        with aside():
            times, clock = _each(call, cases)
        how = (
            f"{len(cases)} cases from {games} random games: {how}. Thread CPU time of {AT_ONCE} calls "
            f"together, divided, {clock:.2f} us for reading the clock taken off; garbage collection on"
        )
        for percent in (50, 99):
            rows.append(
                row(
                    f"engine: {game.title.name}: {what}, p{percent}",
                    percentile(times, percent),
                    "us CPU",
                    goal=f"<= {goal:g}" if goal and percent == 99 else "",
                    how=how if percent == 99 else "as p99",
                )
            )
    return rows


def _each(call: Callable[[Any, Any], Any], cases: Sequence[tuple[Any, Any]]) -> tuple[list[float], float]:
    """Microseconds of one call for each case, and what reading the clock once costs."""
    clock = time.thread_time_ns
    empty = []
    for _ in range(1000):
        start = clock()
        empty.append(clock() - start)
    overhead = median(empty)
    for first, second in cases[:100]:
        call(first, second)
    times = []
    for first, second in cases:
        start = clock()
        for _ in range(AT_ONCE):
            call(first, second)
        times.append((clock() - start - overhead) / AT_ONCE / 1000)
    return times, overhead / 1000


# --- replay --------------------------------------------------------------------------------------


def _replays(game: Game[Any], seed: int, rounds: int) -> list[Row]:
    """Recorded games played again, strictly."""
    journals = []
    entries = 0
    for number in range(3):
        journal = MemoryJournal(header_for(game))
        referee = Referee.new(game, journal)
        for action in play(game, random.Random(f"bench:{seed}:{number}")).actions:
            assert isinstance(referee.submit(action), Accepted)
        journals.append(journal)
        entries += journal.last_seq
    opening: list[float] = []

    def again(digests: bool) -> float:
        spent = 0.0
        for journal in journals:
            start = cpu_seconds()
            steps = replay(journal, digests)
            next(steps)
            began = cpu_seconds()
            opening.append(began - start)
            journal.verify()
            assert not any(step.differs for step in steps)
            spent += cpu_seconds() - began
        return spent

    again(True)
    opening.clear()
    times: dict[bool, list[float]] = {False: [], True: []}
    for number in range(rounds):
        for digests in (False, True) if number % 2 == 0 else (True, False):
            times[digests].append(again(digests) * ENTRIES / (entries - len(journals)))
    setting_up = median(opening)
    how = (
        f"median of {rounds} rounds in turns, CPU time: three whole random games, {entries} entries in all, "
        f"scaled to {ENTRIES}; chain of hashes recomputed, entries decoded, each action checked and applied"
    )
    once = f"{setting_up * 1000:.1f} ms of it is setting up the rules once, from the recorded pack"
    return [
        row(
            f"engine: replay of {ENTRIES} actions with hash chain and legality of each",
            (median(times[False]) + setting_up) * 1000,
            "ms CPU",
            goal="<= 15",
            how=f"{how}; {once}",
        ),
        row(
            f"engine: replay of {ENTRIES} actions, digest of each state as well",
            (median(times[True]) + setting_up) * 1000,
            "ms CPU",
            how=f"{how}, each digest worked out and compared; {once}",
        ),
    ]
