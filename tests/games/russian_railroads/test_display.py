"""What the screen shows of Russian Railroads: numbers that agree with the rules, words for everything."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from typing import Any

import pytest

from assistant.actions import TABLE, Action
from assistant.display import Cell, Display, Gauge, Place, Row
from assistant.events import FINAL, Event, Moved, Points, Told
from assistant.game import find_title
from assistant.games.russian_railroads.actions import (
    Accept,
    Branch,
    Build,
    First,
    March,
    Pass,
    PlaceLoco,
    Step,
    Use,
)
from assistant.games.russian_railroads.game import RussianRailroads
from assistant.games.russian_railroads.state import State
from assistant.games.russian_railroads.title import TITLE
from assistant.games.russian_railroads.wording import amounts, printed
from assistant.offers import Form, Offer
from tests.games.russian_railroads.looks import at, opened
from ui.sentences import MISSING, Sentences

LANGUAGES = ("en", "de")


def rows(game: RussianRailroads, state: State, seat: str) -> dict[str, Row]:
    return {row.words: row for row in game.display(state).rows if row.seat == seat}


def after(state: State, game: RussianRailroads, *actions: Action) -> State:
    for action in actions:
        assert game.refuse(state, action) is None, action
        state, _ = game.apply(state, action)
    return state


# Random games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_shown_agrees_with_the_state_and_everything_has_words(seats: int) -> None:
    """In every state of a random game: rows add up to the next scoring, places to the offers, and every key
    that is shown, asked, offered, foretold or told has its word in both languages."""
    game, rng = opened(seats), random.Random(seats)
    spoken = [Sentences.of(TITLE, language) for language in LANGUAGES]
    state = game.start()
    told: set[str] = set()

    def said(table: str, key: str, values: dict[str, Any]) -> None:
        for sentences in spoken:
            assert sentences.has(table, key), (table, key)
            text = sentences.say(table, key, values)
            assert MISSING not in text, (table, key, text)
            assert "op." not in text, text

    while asked := game.acting(state):
        seat = asked[0].seat
        said("why", asked[0].why, {"seat": seat})
        display = game.display(state)
        _sound(game, state, display, spoken)
        if seat == TABLE:
            action = game.chance(state, rng)
        else:
            offers = game.offers(state, seat)
            _places_agree(display, offers)
            action = rng.choice(offers).sample(rng)
            told.add(_foretold(game, state, action, said))
        assert action is not None
        fields = {name: getattr(action, name) for name in action.__struct_fields__}
        said("actions", action.kind, fields)
        said("offers", action.kind, {**fields, **game.labelled(state, action)})
        state, events = game.apply(state, action)
        for event in events:
            if isinstance(event, Told):
                said("told", event.key, {"seat": event.seat, **event.values})
            elif isinstance(event, Points):
                said("sources", event.source, {})
            elif isinstance(event, Moved):
                assert spoken[1].value(event.what) != event.what
    assert told >= {"gives", "pass", "step.scores", "hire", "march"}, told


def _foretold(game: RussianRailroads, state: State, action: Action, said: Any) -> str:
    foresight = game.foresee(state, action)
    if foresight.hint is None:
        return ""
    said("hints", foresight.hint.key, {"seat": foresight.hint.seat, **foresight.hint.values})
    return foresight.hint.key


def _sound(game: RussianRailroads, state: State, display: Display, spoken: list[Sentences]) -> None:
    assert [strip.seat for strip in display.strips] == list(state.order)
    for strip in display.strips:
        player = state.players[strip.seat]
        gauges = {gauge.what: gauge.value for gauge in strip.gauges}
        assert gauges["roubles"] == player.roubles
        assert gauges["workers"] == player.free + player.black_free + player.temps
        assert strip.points == player.score
        shown = rows(game, state, strip.seat)
        medal = game.content.medal.points if player.medal else 0
        scores = sum(row.total or 0 for row in shown.values())
        assert game.screen.scoring(state, strip.seat) - scores in (0, medal)
        for name, there in player.tracks.items():
            cells = shown[name].cells
            # A piece stands where the track says, and nothing is counted beyond the locomotives' reach.
            assert [n for n, cell in enumerate(cells, 1) if cell.piece] == sorted({p for p in there if p})
            assert all(cell.value is None for cell in cells[shown[name].reach or 0 :])
        assert sum(len(cell.seats) for cell in shown["industry"].cells) == len(player.markers)
    for row in display.rows:
        assert all(s.value(f"row.{row.words}") != f"row.{row.words}" for s in spoken)
        for cell in row.cells:
            for key in (
                f"sign.{cell.tint}" if cell.tint and not cell.gap and cell.tint != "gap" else "",
                cell.above,
            ):
                assert "." not in spoken[1].value(key), key


def _places_agree(display: Display, offers: list[Offer]) -> None:
    """What can be used is free; what is taken or closed is not offered."""
    offered = {o.space for o in offers if o.kind == "use"}  # type: ignore[union-attr]
    states = {place.space: place.state for place in display.places}
    assert all(states[space] == "free" for space in offered)


def test_every_space_and_tile_of_the_pack_has_a_german_word() -> None:
    """Names in the pack are English; the catalogue says them in German."""
    german, content = Sentences.of(TITLE, "de"), opened(4).content
    names = [space.name for space in content.spaces]
    names += [tile.name for tile in (*content.tokens, *content.q_cards, *content.starting)]
    names += [card.name for card in content.end_bonus]
    assert [name for name in names if german.value(name) == name] == []


# Tracks ----------------------------------------------------------------------------------------------

BOARD: dict[str, Any] = {
    "players": {
        "A": {
            "tracks": {"TS": [7, 5, 3], "SP": [4, 2, 0], "KV": [3, 0, 0]},
            "locos": [3, 2, 2, 1],
            "doublers": 2,
            "factories": [4, 0, 0, 0, 0],
            "markers": [5],
            "tokens": ["T1", "T2", "T3", "T4", "T5", "T6", "T7"],
        }
    }
}


def test_tracks_show_colours_values_reach_and_what_they_score() -> None:
    game = opened(4)
    shown = rows(game, at(game, BOARD), "A")
    ts = shown["TS"]
    assert [(cell.tint, cell.value) for cell in ts.cells[:8]] == [
        ("brown", 4),
        ("brown", 4),
        ("brown", 2),
        ("grey", 1),
        ("grey", 1),
        ("black", None),
        ("black", None),
        ("", None),
    ]
    assert (ts.reach, ts.total) == (5, 12)
    assert ts.holds == (Gauge("locomotive", 3), Gauge("locomotive", 2))
    assert [cell.above for cell in ts.cells[:2]] == ["×2", "×2"]
    assert [n for n, cell in enumerate(ts.cells, 1) if cell.piece] == [3, 5, 7]
    assert (shown["SP"].total, shown["SP"].reach) == (2, 2)
    kiev = shown["KV"]
    # One star is reached by piece and locomotive, and only that one counts.
    assert kiev.total == 1
    assert [cell.due for cell in kiev.cells[:3]] == [True, False, False]
    assert kiev.cells[7] == Cell("8", above="8", sign="star")
    assert ts.cells[5].above == "over.brown"
    assert ts.cells[5].due


def test_the_industry_track_shows_markers_factories_and_gaps() -> None:
    game = opened(4)
    row = rows(game, at(game, BOARD), "A")["industry"]
    assert [cell.print for cell in row.cells[:6]] == ["0", "1", "2", "3", "5", "#4"]
    assert row.cells[5].seats == ("A",)
    assert [n for n, cell in enumerate(row.cells) if cell.gap] == [7, 9, 11, 13]
    assert row.cells[10].print == "?"
    assert row.total == 5
    assert row.reach is None


def test_doubling_and_revaluation_show_in_the_values() -> None:
    game = opened(4)
    facts = {
        "players": {
            "A": {
                "tracks": {"TS": [7, 5, 3], "SP": [9, 8, 7], "KV": [3, 0, 0]},
                "locos": [1, 0, 7, 0],
                "revalued": True,
                "tokens": ["T1", "T2", "T4", "T5", "T6"],
            }
        }
    }
    row = rows(game, at(game, facts), "A")["SP"]
    assert [cell.value for cell in row.cells[:7]] == [6] * 7
    assert row.total == 42
    assert row.cells[6].due


# The board -------------------------------------------------------------------------------------------


def test_places_tell_cost_owner_and_whether_they_are_open_to_the_seat_that_acts() -> None:
    game = opened(3)
    placed = [
        {"space": "LOC-1", "seat": "B", "workers": 1},
        {"space": "TRK-BOTTOM", "seat": "B", "workers": 1},
    ]
    places = {p.space: p for p in game.display(at(game, {"placed": placed})).places}
    assert places["LOC-1"] == Place(
        "LOC-1", "Locomotive or factory, 1", "loco", (Gauge("workers", 1),), "taken", "B"
    )
    assert places["TRK-COIN"].cost == (Gauge("workers", 1), Gauge("roubles", 1))
    assert (places["TRK-BOTTOM"].state, places["TRK-BOTTOM"].owner) == ("free", "")
    # First in order may not book the place it has.
    assert [places[name].state for name in ("ORD-1", "ORD-2")] == ["closed", "free"]
    assert "LAST-IND" not in places
    assert (places["ENG-PUB-1"].name, places["ENG-PUB-1"].detail) == ("Engineer 1", "#2")
    last = game.display(at(game, {"round": 6, "strip": [0] * 7}))
    assert {"LAST-IND"} == {p.space for p in last.places if p.area in ("order", "last")}


def test_own_engineers_stand_on_the_board_of_their_owner_alone() -> None:
    game = opened(3)
    state = at(game, {"players": {"A": {"engineers": [14]}}})
    own = [place for place in game.display(state).places if place.area == "own"]
    assert own == [Place("ENG-14", "own_engineer", "own", (Gauge("workers", 2),), detail="#14")]
    turned = at(game, {"players": {"A": {"engineers": [14]}}, "turn": "B"})
    assert not [place for place in game.display(turned).places if place.area == "own"]
    groups = {(cards.words, cards.seat): cards.names for cards in game.display(state).cards}
    assert groups["engineers", "A"] == ("ENG-14",)
    assert groups["engineers", None] == ("ENG-8", "ENG-9", "ENG-10", "ENG-1", "ENG-2", "ENG-3")
    assert groups["q_cards", None] == ("Q1", "Q2", "Q3", "Q4", "Q5")


def test_rounds_that_are_left_run_down() -> None:
    game = opened(4)
    counter = game.display(at(game, {"round": 3, "strip": [0, 0, 8, 9, 10, 11, 1]})).counter
    assert counter is not None
    assert (counter.what, counter.left, counter.of) == ("rounds", 5, 7)
    assert game.display(game.start()).counter is None


# Looking ahead ---------------------------------------------------------------------------------------


def test_a_step_says_where_the_piece_goes_and_what_scores_then() -> None:
    game = opened(4)
    state = after(at(game, BOARD), game, Use("A", "TRK-BLACK-1", workers=1))
    step = Step("A", "KV", "black")
    assert game.labelled(state, step) == {"row": "KV", "cell": 4}
    hint = game.foresee(state, step).hint
    assert hint == Told(
        "step.scores",
        "A",
        {"railroad": "KV", "colour": "black", "there": 4, "of": 9, "before": 20, "after": 20},
    )
    text = Sentences.of(TITLE).say("hints", hint.key, hint.values)
    assert text == "black to KV 4. The next scoring: 20 → 20."


def test_a_use_says_what_it_gives_and_what_it_takes() -> None:
    game = opened(4)
    state = at(game, {"players": {"A": {"roubles": 1}}})
    gives = game.foresee(state, Use("A", "IND-3", workers=2))
    assert gives.hint == Told("gives", "A", {"what": {"op.industry": 1, "op.black": 1}})
    assert [(change.what, change.before, change.after) for change in gives.changes] == [("workers", 5, 3)]
    hire = game.foresee(state, Use("A", "ENG-HIRE", roubles=1))
    assert hire.hint == Told("hire", "A", {"number": 3, "what": {"op.doubler": 1}})
    assert {change.what: change.after for change in hire.changes} == {"roubles": 0, "engineers": 1}
    passing = game.foresee(state, Pass("A"))
    assert passing.hint == Told("pass.workers", "A", {"points": 0, "left": 5})


def test_branches_markers_locomotives_and_factories_are_told_apart() -> None:
    game = opened(4)
    state = after(at(game, BOARD), game, Use("A", "LOC-1", workers=1))
    assert [game.labelled(state, Branch("A", n))["what"] for n in (1, 2)] == [
        {"op.loco": 1},
        {"op.factory": 1},
    ]
    holding = after(at(game, {}), game, Use("A", "LOC-1", workers=1), Branch("A", 1))
    hints = [game.foresee(holding, PlaceLoco("A", slot)).hint for slot in ("TS1", "KV")]
    assert hints == [
        Told("place_loco.instead", "A", {"number": 2, "slot": "TS1", "old": 1}),
        Told("place_loco", "A", {"number": 2, "slot": "KV", "old": 0}),
    ]
    building = at(game, {**BOARD, "returned": [6]})
    building = after(building, game, Use("A", "LOC-1", workers=1), Branch("A", 2))
    hint = game.foresee(building, Build("A", 6, 2)).hint
    assert hint is not None
    assert hint.values["what"] == {"op.roubles": 1, "op.points": 3}
    marching = at(game, {"players": {"A": {"factories": [6, 0, 0, 0, 0], "markers": [4, 0]}}})
    marching = after(marching, game, Use("A", "IND-1", workers=1))
    march = March("A", 1)
    assert game.labelled(marching, march) == {"row": "industry", "cell": 6}
    hint = game.foresee(marching, march).hint
    assert hint is not None
    assert (hint.key, hint.values["number"]) == ("march.factory", 6)


def test_a_payment_is_asked_in_words() -> None:
    game = opened(3)
    state = at(game, {"players": {"A": {"roubles": 2}}})
    form = next(
        o for o in game.offers(state, "A") if isinstance(o, Form) and getattr(o, "space", "") == "TRK-COIN"
    )
    assert form.domain(()) == (("worker", "rouble"), ("rouble", "rouble"))
    assert form.make((("worker", "rouble"),)) == Use("A", "TRK-COIN", workers=1, roubles=1)


def test_operations_add_up_to_what_an_action_gives() -> None:
    content = opened(2).content
    actions = [space.action for space in content.spaces]
    actions += [engineer.action for engineer in content.engineers]
    actions += [factory.action for factory in content.factories]
    actions += [tile.action for tile in (*content.tokens, *content.q_cards, *content.starting)]
    assert not any("op." in printed(action) for action in actions)
    second = next(tile for tile in content.tokens if tile.id == "T1")
    assert amounts(second.action) == {"op.second_marker": 1, "op.industry": 2}
    assert printed(content.engineers[13].action) == "4 of any track"


# Before and after ------------------------------------------------------------------------------------


def test_setting_up_is_done_as_far_as_the_record_knows() -> None:
    game, rng = opened(3), random.Random(1)
    state = game.start()
    steps = {step.key: step for step in game.set_up(state)}
    assert steps["remove_locos"].values == {"n": 1}
    assert not any(step.done for step in steps.values())
    assert "remove_locos" not in {step.key for step in opened(4).set_up(opened(4).start())}
    for _ in range(2):
        action = game.chance(state, rng)
        assert action is not None
        state, _ = game.apply(state, action)
    assert {step.key for step in game.set_up(state) if step.done} == {"engineers", "order"}
    for language in LANGUAGES:
        sentences = Sentences.of(TITLE, language)
        for step in steps.values():
            assert MISSING not in sentences.say("setup", step.key, step.values)


def test_a_finished_table_is_scored_from_what_was_entered() -> None:
    """As a game that was played to its end: the same final points."""
    game = opened(2)
    entered = {
        "players": {
            "A": {
                "score": 100,
                "engineers": ["ENG-15", "ENG-2"],
                "kept": ["EB-2", "EB-8", "EB-9"],
                "locos": {"TS1": 9, "TS2": 9, "SP": 9, "KV": 3},
                "tracks": {"TS": {"black": 15, "grey": 9}},
            },
            "B": {
                "score": 90,
                "engineers": ["ENG-3"],
                "factories": 3,
                "kept": ["EB-1", "EB-10"],
                "black": 1,
                # Kiev 7 has brought a worker, Trans-Siberian 3 none: the locomotive does not reach it.
                "tracks": {"KV": {"black": 7}, "TS": {"black": 6, "grey": 4, "brown": 3}},
            },
        }
    }
    state = game.from_position(game.end_position(entered))
    assert state.players["A"].special_loco == "SP"
    assert game.acting(state) == ()
    final, events = game.final(state)
    points: Counter[tuple[str, str]] = Counter()
    for event in events:
        assert isinstance(event, Points)
        points[event.seat, event.detail or event.source] += event.amount
    assert points == {
        ("A", "EB-2"): 18,
        ("A", "EB-9"): 30,
        ("A", "engineers"): 40,
        ("B", "EB-1"): 12,
        ("B", "EB-10"): 20,
        ("B", "engineers"): 20,
    }
    assert game.totals(final) == {"A": 188, "B": 142}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_end_of_a_random_game_scores_as_it_was_scored(seats: int) -> None:
    """Entering the facts of a table that was played gives the points that it was given."""
    game, rng = opened(seats), random.Random(7 * seats)
    state, final_points = game.start(), Counter[str]()
    events: list[Event] = []
    while asked := game.acting(state):
        seat = asked[0].seat
        action = game.chance(state, rng) if seat == TABLE else game.sensible(state, seat, rng)
        assert action is not None
        state, events = game.apply(state, action)
    ends = events[events.index(Told(FINAL)) :]
    for event in ends:
        if isinstance(event, Points):
            final_points[event.seat] += event.amount
    assert final_points.total() >= 40
    facts = {seat: _facts(game, state, final_points[seat], seat) for seat in game.seats}
    end = game.from_position(game.end_position({"players": facts}))
    final, _ = game.final(end)
    assert game.totals(final) == game.totals(state)
    paths = {fact.path for fact in game.end_facts({})}
    assert {f"players.{s}.{key}" for s in game.seats for key in ("kept", "factories", "black")} <= paths
    # Workers follow from the railroads: nothing that could contradict them is asked.
    assert not [path for path in paths if path.endswith(".gained")]


def _facts(game: RussianRailroads, state: State, final: int, seat: str) -> dict[str, Any]:
    player = state.players[seat]
    slots = ("TS1", "TS2", "SP", "KV")
    return {
        "score": player.score - final,
        "engineers": [f"ENG-{number}" for number in player.engineers],
        "kept": list(state.bonus[seat].names),
        "locos": dict(zip(slots, player.locos, strict=True)),
        "tracks": {
            name: dict(zip(("black", "grey", "brown", "natural", "white"), row, strict=False))
            for name, row in player.tracks.items()
        },
        "factories": sum(1 for factory in player.factories if factory),
        "doublers": player.doublers,
        "industry": int("IND" in player.fired),
        "black": int(player.black),
    }


def test_what_engineers_do_is_said_in_german_too() -> None:
    title = find_title("russian_railroads")
    game = title.open(title.load_pack(title.default_pack), 4)
    catalogue = tomllib.loads((title.folder / "locale" / "de.toml").read_text(encoding="utf-8"))
    words = game.card_words(catalogue)
    printed = {line for card in game.mat().cards for line in card.lines}
    assert printed <= set(words)
    assert words["2 black"] == "2 Schwarz"
    assert not [line for line in words.values() if "op." in line]


def test_engineers_to_come_stand_behind_all_spaces_the_next_one_first() -> None:
    game = opened(4)
    state = at(game, {"strip": [0, 9, 11, 12, 8, 5, 3]})
    places = game.display(state).places
    assert [(p.name, p.detail, p.state) for p in places if p.area == "engineer"] == [
        ("Hire", "#3", "free"),
        ("Engineer 1", "#5", "free"),
        ("Engineer 2", "#8", "free"),
    ]
    coming = [place for place in places if place.area == "strip"]
    assert places[-3:] == tuple(coming)
    assert [(p.name, p.detail, p.cost, p.state) for p in coming] == [
        ("to_come", "#12", (Gauge("roubles", 1),), "closed"),
        ("to_come", "#11", (Gauge("workers", 1),), "closed"),
        ("to_come", "#9", (Gauge("workers", 1),), "closed"),
    ]


def test_two_players_see_four_engineers_to_come_behind_their_one_public_space() -> None:
    state = at(opened(2), {"strip": [9, 11, 12, 8, 5, 3]})
    places = opened(2).display(state).places
    assert [place.detail for place in places if place.area == "engineer"] == ["#3", "#5"]
    assert [place.detail for place in places if place.area == "strip"] == ["#8", "#12", "#11", "#9"]


def test_what_is_left_of_an_action_is_told() -> None:
    game = opened(4)
    state = at(game, {"players": {"A": {"factories": [4, 0, 0, 0, 0], "markers": [4]}}})

    def left(state: State) -> list[tuple[str, Any]]:
        turn = game.display(state).turn
        return [] if turn is None else [(told.key, told.values) for told in turn.holds]

    assert left(state) == []
    state = after(state, game, Use("A", "IND-3", 2), First("A", 1))
    assert left(state) == [
        ("offered", {"what": {"op.doubler": 1}}),
        ("then", {"what": {"op.black": 1}}),
    ]
    state = after(state, game, Accept("A"))
    assert left(state) == [("left", {"what": {"op.black": 1}})]
    state = after(at(game, {}), game, Use("A", "LOC-1", 1), Branch("A", 1))
    assert left(state) == [("in_hand", {"number": 2})]


@pytest.mark.parametrize(("number", "what"), [(1, "op.loco"), (2, "op.factory")])
def test_what_was_chosen_by_its_number_is_told_afterwards(number: int, what: str) -> None:
    game = opened(4)
    state, _ = game.apply(at(game, {}), Use("A", "LOC-1", workers=1))
    _, events = game.apply(state, Branch("A", number))
    assert Told("chosen", "A", {"what": {what: 1}}) in events
