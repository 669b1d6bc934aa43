"""Before the first round and after the last: the steps of setting up, and what final scoring asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assistant.game import EndFact, SetUpStep
from assistant.games.railway_boom.pack import STOCK, TRACKS
from assistant.games.railway_boom.state import ROUNDS, START_STOCK, STATIONS, TILES_OF_A_KIND, State, Step
from assistant.positions import Position

if TYPE_CHECKING:
    from assistant.games.railway_boom.game import RailwayBoom

MOST_VP, MOST_STOCK = 999, 99


def set_up(game: RailwayBoom, state: State) -> tuple[SetUpStep, ...]:
    """The steps in the rulebook's order (RB-SETUP). What is dealt is in the record once the camera has read
    it, or the machine has drawn it."""
    players = len(game.seats)
    blocked = len(next(iter(game.objectives.values())).spaces) - players if game.objectives else 0
    steps = [
        SetUpStep("colours", rule="RB-SETUP-8"),
        SetUpStep("levels", rule="RB-SETUP-10"),
        SetUpStep("stock", {"n": START_STOCK}, "RB-SETUP-11"),
        SetUpStep("pieces", {"n": STATIONS}, "RB-SETUP-12"),
        SetUpStep("points", rule="RB-SETUP-14"),
        SetUpStep("indicators", {"n": players}, "RB-SETUP-2"),
    ]
    if players < 4:
        steps.append(SetUpStep("chart", {"n": players}, "RB-SETUP-3"))
    steps += [
        SetUpStep("tiles", {"n": TILES_OF_A_KIND}, "RB-SETUP-7"),
        SetUpStep("decks", rule="RB-SETUP-6"),
    ]
    if game.options["setup.random_tiles"]:
        steps.append(SetUpStep("random_tiles", rule="RB-SETUP-15", done=bool(state.tiles)))
    steps.append(SetUpStep("objectives", {"n": ROUNDS}, "RB-SETUP-4", bool(state.objectives)))
    if blocked > 0:
        steps.append(SetUpStep("blocked", {"n": blocked}, "RB-SETUP-9"))
    steps.append(SetUpStep("routes", {"n": 4}, "RB-SETUP-5", bool(state.routes)))
    steps.append(SetUpStep("order", rule="RB-SETUP-13", done=state.step != Step.SETUP))
    return tuple(steps)


def end_facts(game: RailwayBoom, entered: Mapping[str, Any]) -> tuple[EndFact, ...]:
    """Everything that final scoring and its ties look at (RB-OFX, RB-END-1 to RB-END-4)."""
    objectives = [name for name in _names(entered, "objectives") if name in game.objectives]
    facts = [
        EndFact("objectives", "cards", "objectives", low=ROUNDS, high=ROUNDS, choices=tuple(game.objectives)),
        EndFact("white", "order", "order", choices=game.seats),
    ]
    cities = tuple(game.grid.names(game.board_for(()).regular))
    for index, seat in enumerate(game.seats):
        path = f"seats.{seat}"
        facts += [
            EndFact(f"{path}.vp", "number", "vp", seat=seat, high=MOST_VP, start=0),
            EndFact(f"{path}.rails", "spaces", "rails", seat=seat, high=30),
            EndFact(f"{path}.stations", "spaces", "stations", seat=seat, high=STATIONS, choices=cities),
        ]
        facts += [
            EndFact(f"{path}.{what}", "number", "stock", {"what": what}, seat, high=MOST_STOCK, start=0)
            for what in STOCK
        ]
        facts += [
            EndFact(
                f"{path}.levels.{track}",
                "number",
                "level",
                {"what": track},
                seat,
                low=1,
                high=game.top_level[number],
                start=1,
            )
            for number, track in enumerate(TRACKS)
        ]
        own = game.content.start_locomotives[index].id
        others = {card.id for card in game.content.start_locomotives} - {own}
        locomotives = tuple(name for name in game.locomotives if name not in others)
        facts += [
            EndFact(
                f"{path}.locomotives", "cards", "locomotives", seat=seat, choices=locomotives, start=[own]
            ),
            EndFact(f"{path}.carriages", "cards", "carriages", seat=seat, choices=tuple(game.carriages)),
            EndFact(
                f"{path}.developments", "cards", "developments", seat=seat, choices=tuple(game.developments)
            ),
        ]
        facts += [_cube(game, path, seat, name) for name in objectives]
        facts += [
            EndFact(
                f"{path}.tiles.{kind}",
                "number",
                "tiles",
                {"what": kind},
                seat,
                high=TILES_OF_A_KIND,
                start=0,
            )
            for kind in TRACKS
        ]
    return tuple(facts)


def _names(entered: Mapping[str, Any], path: str) -> Sequence[str]:
    value = entered.get(path)
    return [str(name) for name in value] if isinstance(value, list | tuple) else ()


def _cube(game: RailwayBoom, path: str, seat: str, name: str) -> EndFact:
    """Where the seat's cube stands on an objective card, by the open spaces' multipliers."""
    spaces = [
        (number, f"× {space.multiplier}")
        for number, space in enumerate(game.objectives[name].spaces, start=1)
        if space.min_players <= len(game.seats)
    ]
    return EndFact(
        f"{path}.cubes.{name}",
        "one",
        "cube",
        {"card": game.name_of(name)},
        seat,
        choices=tuple(number for number, _ in spaces),
        words=tuple(words for _, words in spaces),
    )


def end_position(entered: Mapping[str, Any]) -> Position:
    """After the last cube of the last round, with what was entered."""
    return {"round": ROUNDS, "phase": "objective", "step": "turn", **entered}
