"""Before the first turn and after the last: the steps of setting up, what final scoring asks for, ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from assistant.game import EndFact, SetUpStep
from assistant.games.trains.state import State
from assistant.positions import Position
from assistant.scores import Tie

if TYPE_CHECKING:
    from assistant.games.trains.game import Trains

MOST_POINTS = 999
STATIONS = "with_stations"
"""Where it is entered which cities have how many stations."""


def set_up(game: Trains, state: State) -> tuple[SetUpStep, ...]:
    """The steps in the rulebook's order (TR-SETUP). Stacks, the first player and drawn hands are in the
    record once somebody has said so."""
    setup, cards = game.content.setup, game.content.cards
    start = [f"{count} {game.name_of(card)}" for card, count in setup.start_deck.items()]
    base = [card.name for card in cards if card.role == "base"]
    return (
        SetUpStep("stations", {"n": setup.station_tokens}, "TR-SETUP-1"),
        SetUpStep("colours", {"n": setup.rail_tokens}, "TR-SETUP-2"),
        SetUpStep("decks", {"cards": start}, "TR-SETUP-3"),
        SetUpStep("base", {"cards": base}, "TR-SETUP-5"),
        SetUpStep("stacks", {"n": setup.random_stacks}, "TR-SETUP-6", state.phase != "stacks"),
        SetUpStep("first", {}, "TR-SETUP-8", state.phase not in ("stacks", "first")),
        SetUpStep(
            "hands",
            {"n": setup.hand},
            "TR-SETUP-9",
            all(cards["hand"].size or cards["discard"].size for cards in state.cards.values()),
        ),
    )


def end_facts(game: Trains, entered: Mapping[str, Any]) -> tuple[EndFact, ...]:
    """Everything that final scoring and its ties look at: stations, and of each seat the track, rails, cards
    that are worth points (TR-SCORE, TR-TIE)."""
    board, setup = game.board, game.content.setup
    cities = [place for place in board.hexes.values() if place.terrain == "city"]
    facts = [
        EndFact(
            f"{STATIONS}.{count}",
            "spaces",
            "stations",
            {"count": count},
            high=setup.station_tokens // count,
            choices=tuple(place.id for place in cities if place.number >= count),
        )
        for count in range(1, max((place.number for place in cities), default=0) + 1)
    ]
    for seat in game.seats:
        path = f"seats.{seat}"
        facts += [
            EndFact(f"{path}.track", "number", "track", seat=seat, high=MOST_POINTS, start=0),
            EndFact(f"{path}.rails", "spaces", "rails", seat=seat, high=setup.rail_tokens),
        ]
        facts += [
            EndFact(
                f"{path}.owned.{card}",
                "number",
                "cards",
                {"card": game.name_of(card)},
                seat,
                high=game.cards[card].count,
                start=0,
            )
            for card in game.worth
        ]
    return tuple(facts)


def end_position(game: Trains, entered: Mapping[str, Any]) -> Position:
    """After the last turn: what was entered, over a game in which nobody has bought anything. Cards that are
    worth points come out of their stacks into the discard piles; which cards else somebody owns scores
    nothing and is left as at the start."""
    start: Any = game.to_position(game.start())
    given = dict(entered)
    stations = {
        place: int(count) for count, places in sorted(given.pop(STATIONS, {}).items()) for place in places
    }
    supply = Counter(start["supply"])
    seats: dict[str, Any] = {}
    for seat in game.seats:
        facts = dict(given.get("seats", {}).get(seat, {}))
        owned = {card: int(count) for card, count in dict(facts.pop("owned", {})).items()}
        supply.subtract(owned)
        discard = [card for card, count in owned.items() for _ in range(count)]
        # What is left of tokens follows from the rest.
        own = {key: value for key, value in start["seats"][seat].items() if key != "rails_left"}
        seats[seat] = {**own, **facts, "discard": discard}
    begun = {key: value for key, value in start.items() if key not in ("box", "stations_left")}
    changes = {"phase": "turns", "supply": dict(supply), "stations": stations, "seats": seats}
    return {**begun, **given, **changes}


def ties(game: Trains, state: State) -> tuple[Tie, ...]:
    """Where rails on the map decide between neighbours with equal points (TR-TIE-2)."""
    totals = game.totals(state)
    rails = {seat: state.tokens[index].bit_count() for index, seat in enumerate(game.seats)}
    groups = game.places(state)
    return tuple(
        Tie(first, second, "rails", {"more": rails[first], "less": rails[second]}, "TR-TIE-2")
        for before, after in pairwise(groups)
        for first in before
        for second in after
        if totals[first] == totals[second]
    )
