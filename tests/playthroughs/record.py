"""For maintainers: play the recorded games anew, after a change of rules that is meant.

    .venv/bin/python -m tests.playthroughs.record [NAME ...]

Each game is played by virtual players through the referee, with what people also do at a table: they take
back, agree to let a mistake stand, put the record right. Beside the export lies its score sheet as text.
A recorded game of an old rules version is not played anew: it shows that old games still replay.
"""

from __future__ import annotations

import datetime as dt
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from assistant.actions import TABLE, Action
from assistant.dealer import Dealer
from assistant.game import STAFF, Game, find_title
from assistant.games.railway_boom.actions import Draw
from assistant.games.railway_boom.title import TITLE
from assistant.journal import MemoryJournal, export_text
from assistant.offers import Form
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted, Refused

FOLDER = Path(__file__).parent
BEGAN = dt.datetime(2026, 2, 7, 19, 30, tzinfo=dt.UTC)
SECONDS_EACH = 900.0
"""Time on each player's clock in the game that has clocks."""

Live = Referee[Any]
Incident = Callable[[Live, random.Random], bool]
"""Something besides playing; tells whether there was an occasion."""


class Plan(msgspec.Struct, frozen=True):
    """One game to record, with the pack of that id (none: the usual one). `even` players choose evenly,
    others play plainly but sensibly. Incidents come in order, the first not before `after` entries."""

    players: int
    seed: int
    incidents: tuple[str, ...] = ()
    options: Mapping[str, str | bool] = {}
    even: bool = False
    clocks: bool = False
    pack: str = ""
    after: int = 60


RAILWAY_BOOM: Mapping[str, Plan] = {
    "two-players": Plan(2, 11, ("undo_redo",)),
    "three-players": Plan(3, 12, ("reread",), clocks=True),
    "four-players": Plan(4, 13),
    "overruled": Plan(2, 14, ("overrule",)),
    "undone-past-a-reveal": Plan(3, 15, ("undo_reveal", "undo_redo")),
    "corrected": Plan(2, 16, ("correct",)),
    "other-switches": Plan(
        3,
        17,
        options={
            name: switch.values[1] for name, switch in TITLE.switches.items() if name != "setup.random_tiles"
        },
        even=True,
    ),
    "random-tiles": Plan(4, 18, options={"setup.random_tiles": True}, even=True),
}
TRAINS: Mapping[str, Plan] = {
    f"{pack}-{players}": Plan(players, 20 + players, incidents, options, pack=pack)
    for pack in ("tokyo", "osaka", "kestrel_bay")
    for players, incidents, options in (
        (2, ("undo_redo",), {}),
        (3, (), {"rail_mode": "immediate"}),
        (4, (), {"clean_up": "private"}),
    )
}
RUSSIAN_RAILROADS: Mapping[str, Plan] = {
    "two-players": Plan(2, 31, ("undo_redo",)),
    "three-players": Plan(3, 32, options={"defer_triggers": True, "chain_must_continue": True}),
    "four-players": Plan(4, 33, clocks=True),
    "other-switches": Plan(
        4, 34, even=True, options={"black_worker_bonus": False, "coin_space_strict_worker": True}
    ),
}
SHELVES = {"railway_boom": RAILWAY_BOOM, "trains": TRAINS, "russian_railroads": RUSSIAN_RAILROADS}
PLANS = {f"{game}/{name}": plan for game, plans in SHELVES.items() for name, plan in plans.items()}


def play(name: str) -> Live:
    """Play one game to its end; the same name gives the same game."""
    plan = PLANS[name]
    title = find_title(name.partition("/")[0])
    game = title.open(title.load_pack(plan.pack or title.default_pack), plan.players, plan.options)
    rng = random.Random(f"{name.partition('/')[2]}:{plan.seed}")
    ticks = iter(range(10**6))
    journal = MemoryJournal(
        header_for(game),
        secret=f"playthrough:{plan.seed}",
        now=lambda: (BEGAN + dt.timedelta(seconds=7 * next(ticks))).isoformat(),
        clock_set=lambda: True,
    )
    referee: Live = Referee.new(game, journal)
    dealer = Dealer(journal.secret)
    clocks = dict.fromkeys(game.seats, SECONDS_EACH) if plan.clocks else {}
    left = list(plan.incidents)
    while asked := game.acting(referee.state):
        if left and referee.seq >= plan.after and INCIDENTS[left[0]](referee, rng):
            left.pop(0)
            continue
        seat = asked[0].seat
        if seat == TABLE:
            done(referee.submit(*dealer.inputs(game, referee.state, referee.seq + 1)))
            continue
        action = (
            _even(game, referee.state, seat, rng) if plan.even else game.sensible(referee.state, seat, rng)
        )
        if clocks:
            clocks[seat] = round(clocks[seat] - rng.choice((0.5, 1.5, 4.0)), 1)
        done(referee.submit(action, clocks=clocks or None))
    if left:
        raise RuntimeError(f"{name}: there was no occasion for {', '.join(left)}")
    return referee


def _sensible(game: Game[Any], state: Any, seat: str, rng: random.Random) -> Action:
    return game.sensible(state, seat, rng)


def _even(game: Game[Any], state: Any, seat: str, rng: random.Random) -> Action:
    offers = game.offers(state, seat)
    main = [offer for offer in offers if not offer.free] or offers
    offer = rng.choice(offers if rng.random() < 0.1 else main)
    return offer.sample(rng) if isinstance(offer, Form) else offer


def done(ruling: Accepted | Refused) -> Accepted:
    """A ruling that must not be a refusal."""
    if isinstance(ruling, Refused):
        raise RuntimeError(f"refused: {ruling.violation}")
    return ruling


# Incidents ---------------------------------------------------------------------------------------


def overrule(referee: Live, rng: random.Random) -> bool:
    """All agree to let an unconnected rail stand."""
    game = referee.game
    slips = game.slips(referee.state, rng)
    if "not_connected" not in slips:
        return False
    (spot,) = slips["not_connected"]
    action = game.codec.from_json({"do": "place_rt", "seat": spot.seat, "hex": spot.space})
    broken = [violation.rule for violation in game.violations(referee.state, action)]
    if not broken or any(rule not in game.waivable for rule in broken):
        return False
    done(referee.overrule(action, broken, game.seats))
    return True


def undo_reveal(referee: Live, rng: random.Random) -> bool:
    """Cards were turned up too early: they go back, and others are drawn later."""
    history = referee.history()
    if not isinstance(history[-1].action, Draw):
        return False
    terms = referee.undo_terms(STAFF)
    done(referee.undo(STAFF, consents=terms.consents, steps_done=True))
    return bool(terms.tells)


def undo_redo(referee: Live, rng: random.Random) -> bool:
    """Somebody takes two steps back and one of them is done again."""
    last = referee.history()[-2:]
    if any(step.kind != "act" or step.by == TABLE for step in last) or last[0].by != last[1].by:
        return False
    seat = last[0].by
    if referee.undo_terms(seat, 2).tells:
        return False
    done(referee.undo(seat))
    done(referee.redo(seat))
    done(referee.undo(seat, 2))
    done(referee.redo(seat))
    done(referee.undo(seat))
    return True


def reread(referee: Live, rng: random.Random) -> bool:
    """A card was read wrongly; it is put right before anybody acts on it."""
    last = referee.history()[-1]
    if not isinstance(last.action, Draw) or last.action.deck != "carriages":
        return False
    position = referee.game.to_position(referee.state)
    owned = {card["id"] for seat in position["seats"].values() for card in seat["carriages"]}
    gone = {*owned, *position["market"]["carriages"], *position["box"]["carriages"]}
    every = {card.id for card in referee.game.pack.content.carriages}
    right = msgspec.structs.replace(last.action, cards=(min(every - gone), *last.action.cards[1:]))
    done(referee.reread(last.seq, right))
    return True


def correct(referee: Live, rng: random.Random) -> bool:
    """A player had counted wrongly: resources and points are put right."""
    position = referee.game.to_position(referee.state)
    if position["step"] != "turn" or position["phase"] != "development":
        return False
    seat = position["seats"]["B"]
    facts = {"seats.B.money": seat["money"] + 2, "seats.B.vp": seat["vp"] + 1, "seats.A.coal": 5}
    done(referee.correct(facts, referee.game.seats))
    return True


INCIDENTS: Mapping[str, Incident] = {
    "overrule": overrule,
    "undo_reveal": undo_reveal,
    "undo_redo": undo_redo,
    "reread": reread,
    "correct": correct,
}


# Files -------------------------------------------------------------------------------------------


def sheet_lines(referee: Live) -> Iterator[str]:
    """The score sheet for people: places, points by source, every point."""
    game, sheet = referee.game, referee.sheet()
    for place, group in enumerate(game.places(referee.state), start=1):
        yield f"{place}. {' '.join(f'{seat} {sheet.total(seat)}' for seat in group)}"
    for seat in game.seats:
        yield ""
        yield f"{seat} {sheet.total(seat)}"
        for source, amount in sheet.by_source(seat).items():
            yield f"  {amount:+4d} {source}"
    yield ""
    for line in sheet.lines:
        yield f"{line.seat} {line.amount:+4d} {line.source} {line.detail} [{line.rule}]"


def main(names: list[str]) -> None:
    """Write the games named, or all."""
    for name in names or PLANS:
        referee = play(name)
        text = export_text(referee.journal, finished=True)
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        (FOLDER / f"{name}.txt").write_text("\n".join(sheet_lines(referee)) + "\n", encoding="utf-8")
        print(f"{name}: {referee.seq} entries, {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
