"""Before the first round and after the last: the steps of setting up, and what final scoring asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from assistant import cards as c
from assistant.game import EndFact, SetUpStep
from assistant.games.russian_railroads.layout import engineer_id
from assistant.games.russian_railroads.ops import COLOURS
from assistant.games.russian_railroads.pack import MOST_DOUBLERS, PLACES, RAILROADS, SLOTS
from assistant.games.russian_railroads.scoring import fired
from assistant.games.russian_railroads.spaces import OWN
from assistant.games.russian_railroads.state import Player, State
from assistant.positions import Position

if TYPE_CHECKING:
    from assistant.games.russian_railroads.game import RussianRailroads

MOST_POINTS = 999
HIGHEST = 9
"""Number of the highest locomotive."""


def set_up(game: RussianRailroads, state: State) -> tuple[SetUpStep, ...]:
    """The steps in the order of section 1. Engineers and turn order are in the record once the camera has
    seen them or the machine has dealt them."""
    setup, supplies, players = game.setup, game.content.supplies, len(game.seats)
    steps = [
        SetUpStep("board", {"n": players}, "RR-SETUP-1"),
        SetUpStep("q_cards", {"n": len(game.q_cards)}, "RR-SETUP-3"),
        SetUpStep("end_bonus", rule="RR-SETUP-4"),
    ]
    if players < supplies.locomotives:
        steps.append(SetUpStep("remove_locos", {"n": supplies.locomotives - players}, "RR-SETUP-5"))
    steps += [
        SetUpStep("piles", {"n": players}, "RR-SETUP-5"),
        SetUpStep("supplies", {"roubles": supplies.roubles, "doublers": supplies.doublers}, "RR-SETUP-7"),
        SetUpStep(
            "engineers",
            {"b": setup.letters_b, "a": setup.letters_a},
            "RR-SETUP-8",
            state.phase != "engineers",
        ),
        SetUpStep("tracks", rule="RR-SETUP-10"),
        SetUpStep("tokens", {"n": len(game.q_tokens)}, "RR-SETUP-10"),
        SetUpStep("workers", {"n": setup.workers, "reserve": setup.reserve}, "RR-SETUP-11"),
        SetUpStep("roubles", {"n": setup.roubles}, "RR-SETUP-12"),
        SetUpStep("order", rule="RR-SETUP-13", done=state.phase not in ("engineers", "order")),
        SetUpStep("starting", {"n": len(game.starting)}, "RR-SETUP-14"),
    ]
    return tuple(steps)


def end_facts(game: RussianRailroads) -> tuple[EndFact, ...]:
    """Everything that the end of the game looks at, after the last round was scored (RR-END)."""
    facts = [EndFact("order", "order", "order", choices=game.seats)]
    for seat in game.seats:
        facts += _of_seat(game, seat)
    return tuple(facts)


def _of_seat(game: RussianRailroads, seat: str) -> Iterator[EndFact]:
    path = f"players.{seat}"

    def number(where: str, label: str, most: int, start: int = 0, **values: Any) -> EndFact:
        return EndFact(f"{path}.{where}", "number", label, values, seat, high=most, start=start)

    yield number("score", "score", MOST_POINTS)
    engineers = tuple(engineer_id(n) for n in game.engineers)
    yield EndFact(f"{path}.engineers", "cards", "engineers", seat=seat, choices=engineers)
    cards = tuple(card.id for card in game.content.end_bonus)
    yield EndFact(f"{path}.kept", "cards", "kept", seat=seat, choices=cards)
    for railroad in RAILROADS:
        for colour in COLOURS[: game.colours[railroad]]:
            most, start = game.content.length[railroad], int(colour == COLOURS[0])
            where = f"tracks.{railroad}.{colour}"
            yield number(where, "track", most, start, railroad=railroad, colour=colour)
    for slot in SLOTS:
        yield number(f"locos.{slot}", "loco", HIGHEST, int(slot == SLOTS[0]), slot=slot)
    yield number("factories", "factories", PLACES)
    yield number("doublers", "doublers", MOST_DOUBLERS)
    yield number("industry", "industry", 1)
    if game.grants_workers:
        yield number("gained", "workers", game.setup.reserve)
    yield number("black", "black", 1)


def end_position(game: RussianRailroads, entered: Mapping[str, Any]) -> Position:
    """After the last scoring, with what was entered; what final scoring does not look at is made up."""
    stated = entered.get("players", {})
    left = dict.fromkeys(range(1, HIGHEST + 1), game.each)
    players: dict[str, dict[str, Any]] = {}
    zones = ("removed", *game.seats)
    bonus = c.of(zones, "pile", [card.id for card in game.content.end_bonus])
    special = game.special_number
    nines = 0
    for seat in game.seats:
        facts = stated.get(seat, {})
        tracks = facts.get("tracks", {})
        locos = [int(facts.get("locos", {}).get(slot, int(slot == SLOTS[0]))) for slot in SLOTS]
        own = ""
        for slot, number in zip(SLOTS, locos, strict=True):
            nines += number == special
            if number == special and nines > game.each and not own:
                own = slot
            elif number:
                left[number] -= 1
        players[seat] = {
            "score": facts.get("score", 0),
            "workers": game.setup.workers,
            "roubles": 0,
            "black": bool(facts.get("black", 0)),
            "tracks": _tracks(game, tracks),
            "locos": locos,
            "special_loco": own,
            "doublers": facts.get("doublers", 0),
            "engineers": sorted(int(str(name).removeprefix(OWN)) for name in facts.get("engineers", ())),
        }
        for card in facts.get("kept", ()):
            bonus = c.move(bonus, "pile", seat, card)
    for seat in game.seats:
        facts = stated.get(seat, {})
        marker = _marker(game) if facts.get("industry") else 0
        players[seat]["markers"] = [marker]
        # Which ?-tokens are placed does not matter: as many as ?-spaces are reached (RR-SPEC-Q).
        player = msgspec.convert({**players[seat], "free": 0, "reserve": 0}, Player)
        reached = fired(game, player)
        effects = [special.effect for special in game.content.specials if special.id in reached]
        players[seat]["tokens"] = [*game.q_tokens][effects.count("token") :]
        # Workers that the railroads bring follow from them (RR-SPEC-3, -4); others are asked for.
        gained = min(effects.count("worker"), game.setup.reserve) + int(facts.get("gained", 0))
        players[seat]["workers"] += gained
        built = int(facts.get("factories", 0))
        factories = []
        for _ in range(built):
            number = max(left, key=lambda n: (left[n], -n))
            left[number] -= 1
            factories.append(number)
        players[seat]["factories"] = factories + [0] * (PLACES - built)
    return {
        "phase": "reveal",
        "round": game.setup.rounds,
        "order": list(entered.get("order") or game.seats),
        "turn": "",
        "players": players,
        "returned": [],
        "strip": [0] * len(game.start().strip),
        "starting": [],
        "bonus": msgspec.to_builtins(bonus),
    }


def _marker(game: RussianRailroads) -> int:
    """The cell of the industry track that is a ?-space."""
    return next(special.space for special in game.content.specials if special.railroad == "IND")


def _tracks(game: RussianRailroads, entered: Mapping[str, Any]) -> dict[str, list[int]]:
    """Positions by colour, as far as colours are unlocked."""
    out: dict[str, list[int]] = {}
    for railroad in RAILROADS:
        there = entered.get(railroad, {})
        out[railroad] = [
            int(there.get(colour, int(colour == COLOURS[0]))) for colour in COLOURS[: game.colours[railroad]]
        ]
    unlocked = 1
    for (railroad, space), index in sorted(game.unlocks.items(), key=lambda pair: pair[1]):
        if out[railroad][0] >= space:
            unlocked = index + 1
    return {railroad: row[:unlocked] for railroad, row in out.items()}
