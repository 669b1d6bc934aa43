"""Random legal games of Russian Railroads: nothing is lost, nobody is stuck, offers and refusals agree."""

from __future__ import annotations

import ast
import itertools
import random
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.actions import Action
from assistant.cases import case_of, find, read
from assistant.cases import opened as opened_case
from assistant.events import Event, Points
from assistant.game import PositionFaults, find_title
from assistant.games.russian_railroads import actions as act
from assistant.games.russian_railroads.game import RussianRailroads
from assistant.games.russian_railroads.state import State
from assistant.games.russian_railroads.title import TITLE
from assistant.positions import merged
from assistant.random_play import play
from assistant.rulings import NotUnderstood
from tests import properties

ROOT = Path(__file__).parents[3]
CONFORMANCE = ROOT / "tests" / "conformance" / "russian_railroads"
OTHERWISE = {name: switch.values[1] for name, switch in TITLE.switches.items()}
"""Every switch at its second value."""
GAMES = [(2, 1, False), (3, 2, False), (4, 3, False), (2, 4, True), (4, 5, True)]


@cache
def opened(players: int, otherwise: bool = False) -> RussianRailroads:
    title = find_title("russian_railroads")
    game = title.open(title.load_pack("russian_railroads_2013"), players, OTHERWISE if otherwise else {})
    assert isinstance(game, RussianRailroads)
    return game


# What must hold of every state --------------------------------------------------------------------


class Ledger:
    """Follows a game action by action, by its positions alone, and counts every kind of piece anew."""

    def __init__(self, game: RussianRailroads) -> None:
        self.game = game
        self.points: Counter[str] = Counter()

    def follow(self, before: State, action: Action, after: State, events: list[Event]) -> None:
        position = self.game.to_position(after)
        self.pieces(position)
        self.never_back(self.game.to_position(before), position)
        for event in events:
            if isinstance(event, Points):
                self.points[event.seat] += event.amount
                assert event.rule, f"points without a rule: {event}"
        assert {seat: self.points[seat] for seat in self.game.seats} == self.game.totals(after)

    def pieces(self, position: Mapping[str, Any]) -> None:
        seats, placed = position["players"], position["placed"]
        count = len(seats)
        for name, seat in seats.items():
            mine = [p for p in placed if p["seat"] == name]
            standing = sum(p.get("workers", 0) for p in mine)
            assert seat["free"] + standing == seat["workers"]
            assert seat["workers"] + seat["reserve"] == (7 if count == 4 else 8)
            assert seat["black_free"] + sum(p.get("black", 0) for p in mine) == seat["black"]
            extra = {"KV7", "TS3"} & set(seat["fired"])
            assert seat["workers"] == (5 if count == 4 else 6) + len(extra)
            assert len(seat["tokens"]) >= 3
        assert sum("Q1" in seat["q_cards"] for seat in seats.values()) <= 1
        lying = sum(p.get("roubles", 0) for p in placed)
        assert position["roubles"] + lying + sum(seat["roubles"] for seat in seats.values()) == 18
        assert position["doublers"] + sum(seat["doublers"] for seat in seats.values()) == 20
        held = [task["op"] for task in position["stack"].get("open", ()) if task["op"]["op"] == "hold_loco"]
        tiles = Counter(op["number"] for op in held if not op.get("special"))
        tiles.update(position["returned"])
        tiles.update({int(number): left for number, left in position["piles"].items()})
        for seat in seats.values():
            tiles.update(tile for tile in (*seat["locos"], *seat["factories"]) if tile)
            tiles[9] -= bool(seat["special_loco"])
        assert tiles == Counter(dict.fromkeys(range(1, 10), count)), position
        zones = position["bonus"]["zones"].values()
        assert sum(len(zone["named"]) + zone["unnamed"] for zone in zones) == 10
        strip = [number for number in position["strip"] if number]
        engineers = [*strip, *(number for seat in seats.values() for number in seat["engineers"])]
        assert len(set(engineers)) == len(engineers)
        if position["phase"] == "actions":
            hired = any(p["space"] == "ENG-HIRE" for p in placed)
            assert len(strip) == (8 if count == 4 else 7) - position["round"] - hired

    def never_back(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """What a player has reached stays reached (RR-LOCO-9, RR-TRACK-10, RR-IND-3)."""
        for name, seat in before["players"].items():
            now = after["players"][name]
            for railroad, row in seat["tracks"].items():
                kept = now["tracks"][railroad][: len(row)]
                assert all(a <= b for a, b in zip(row, kept, strict=True))
            assert all(a <= b for a, b in zip(seat["locos"], now["locos"], strict=True))
            assert all(a <= b for a, b in zip(seat["markers"], now["markers"], strict=False))
            assert set(seat["fired"]) <= set(now["fired"])
            assert seat["score"] <= now["score"]


@pytest.mark.parametrize(("players", "seed", "otherwise"), GAMES)
def test_nothing_is_lost_in_a_random_game(players: int, seed: int, otherwise: bool) -> None:
    game = opened(players, otherwise)
    for number in range(seed, seed + 40, 10):
        ledger = Ledger(game)
        played = play(game, random.Random(number), observe=ledger.follow)
        assert game.finished(played.state)
        assert played.state.round == game.setup.rounds


def test_random_games_end_and_their_sheets_add_up() -> None:
    kinds: set[str] = set()
    for players, seed, otherwise in GAMES:
        game = opened(players, otherwise)
        for number in range(seed, seed + 120, 10):
            kinds |= set(properties.random_playout(game, random.Random(number), faults_every=2).counts)
    # Whatever can be said is said now and then; no engineer of the shipped pack borrows another one.
    assert set(opened(2).codec.types) - kinds == {"borrow"}


# Offers, refusals, positions ----------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "otherwise"), GAMES)
def test_every_offer_is_legal_and_every_position_comes_back(players: int, seed: int, otherwise: bool) -> None:
    game, rng = opened(players, otherwise), random.Random(seed)
    for number, state in enumerate(properties.states_of(game, rng)):
        if number % 4 == 0 or state.stack.together:
            properties.check_round_trip(game, state)
            properties.check_forms(game, state, rng, limit=30)
        if number % 40 == 0:
            case_of(game, state, "kept")


@pytest.mark.parametrize(("players", "seed", "otherwise"), GAMES)
def test_offers_and_refusals_agree_about_actions_like_those_seen(
    players: int, seed: int, otherwise: bool
) -> None:
    game, rng = opened(players, otherwise), random.Random(seed)
    words = properties.Vocabulary(game, play(game, rng).actions)
    found = [0, 0]
    for state in properties.states_of(game, rng, 3):
        legal, refused = properties.check_refusals(game, state, [words.sample(rng) for _ in range(30)])
        found = [found[0] + legal, found[1] + refused]
    assert found[0] > 15
    assert found[1] > 500


DOMAINS: dict[str, Any] = {
    "int": (0, 1, 2),
    "str": ("TS", "SP", "black", "grey", "TS1", "AUX-DBL", "TRK-COIN", "ORD-1", "ENG-3", "T1", "Q1", "SB-2"),
    "owner": ("A", "B", "Z"),
    "seats": ("A", "B"),
    "cards": ("EB-1", "EB-2"),
}


def test_offers_and_refusals_agree_about_everything_that_can_be_said() -> None:
    game, rng = opened(2), random.Random(9)
    met: Counter[str] = Counter()
    said = list(properties.expressible(game, DOMAINS))
    for seed in range(3):
        for state in properties.states_of(game, random.Random(seed)):
            asked = game.acting(state)
            why = asked[0].why if asked else "over"
            met[why] += 1
            if met[why] in (1, 8):
                properties.check_refusals(game, state, said[rng.randrange(5) :: 5])
    assert met.keys() >= {"engineers", "order", "starting", "turn", "move", "advance", "hold_loco", "over"}


def test_undo_goes_back_and_redo_forward() -> None:
    for players in (2, 4):
        game, rng = opened(players), random.Random(players)
        assert properties.check_undo(game, play(game, rng).actions, rng) > 3


def test_a_question_is_known_or_refused() -> None:
    game = opened(2)
    start = game.start()
    assert game.ask(start, "reach", {"seat": "A"}) == {"TS": 1, "SP": 0, "KV": 0}
    with pytest.raises(NotUnderstood, match="no question 'weather'"):
        game.ask(start, "weather", {})
    with pytest.raises(NotUnderstood, match="no argument 'railroad'"):
        game.ask(start, "points", {"seat": "A", "railroad": "TS"})
    with pytest.raises(NotUnderstood, match="no seat 'C'"):
        game.ask(start, "points", {"seat": "C"})


# Illegal, yet it happened -------------------------------------------------------------------------


def candidates(state: State) -> list[Action]:
    """Uses of every space of the board with plain payments, and decisions that are dropped."""
    pays = ((1, 0), (2, 0), (3, 0), (0, 1), (1, 1))
    spaces = ("AUX-DBL", "IND-1", "IND-2", "LAST-IND", "TRK-WHITE-1", "LOC-1", "TRK-COIN", "ORD-1", "ORD-2")
    uses = [act.Use(state.turn, s, w, roubles=r) for s, (w, r) in itertools.product(spaces, pays)]
    return [*uses, act.Decline(state.turn), act.Branch(state.turn, 2)]


@pytest.mark.parametrize("rule", sorted(RussianRailroads.waivable))
def test_after_an_overruled_action_the_game_goes_on_to_its_end(rule: str) -> None:
    assert properties.check_waiver(opened(4), rule, candidates) == 5


@pytest.mark.parametrize(
    ("case", "action"),
    [
        ("RR120", act.Use("A", "LOC-3", 3)),
        ("RR219", act.Use("A", "AUX-TEMP", 1)),
        ("RR101", act.Use("A", "LAST-IND", 1)),
    ],
)
def test_what_cannot_be_done_in_full_is_left_out_when_it_was_overruled(case: str, action: act.Use) -> None:
    game, state = opened_case(read(CONFORMANCE / f"{case}.toml"))
    assert [violation.rule for violation in game.violations(state, action)] == ["RR-TURN-4"]
    after, _ = game.apply(state, action)
    assert not game.faults(after)
    for seed in range(3):
        properties.random_playout(game, random.Random(seed), state=after)


# Positions ----------------------------------------------------------------------------------------

BEGUN: dict[str, Any] = {"phase": "actions", "round": 1, "turn": "A", "starting": []}
IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"players": {"A": {"tracks": {"TS": [5]}}}}, "2 colours are unlocked"),
    ({"players": {"A": {"tracks": {"TS": [2, 2], "SP": [1, 0], "KV": [1, 0]}}}}, "stays behind"),
    ({"players": {"A": {"tracks": {"TS": [2, 0], "SP": [10, 0], "KV": [1, 0]}}}}, "SP: it has 9 spaces"),
    ({"players": {"A": {"tracks": {"TS": []}}}}, "its black track"),
    ({"players": {"A": {"tracks": {"TX": [1]}}}}, "the railroads are"),
    ({"players": {"A": {"markers": [6]}}}, "beyond an empty gap"),
    ({"players": {"A": {"markers": [99]}}}, "no cell 99"),
    ({"players": {"A": {"markers": []}}}, "one, or two"),
    ({"players": {"A": {"factories": [0, 2, 0, 0, 0]}}}, "fill from the left"),
    ({"players": {"A": {"locos": [1, 12, 0, 0]}}}, "numbers from 1 to 9"),
    ({"players": {"A": {"special_loco": "TS1"}}}, "it is a 9"),
    ({"players": {"A": {"special_loco": "TX"}}}, "no slot 'TX'"),
    ({"players": {"A": {"free": 3}}}, "workers in hand"),
    ({"players": {"A": {"reserve": 1}}}, "from the reserve"),
    ({"players": {"A": {"workers": 9}}}, "never below 0"),
    ({"players": {"A": {"black": True}, "B": {"black": True}}}, "one black worker"),
    ({"players": {"A": {"black_free": True}}}, "black worker is in hand"),
    ({"players": {"A": {"doublers": 9}}}, "8 places"),
    ({"players": {"A": {"temps": 1}}}, "2 temporary workers"),
    ({"players": {"A": {"tokens": ["T1"]}}}, "0 of 7 are on"),
    ({"players": {"A": {"tokens": ["T1", "T1"]}}}, "tokens: something"),
    ({"players": {"A": {"engineers": [77]}}}, "engineers: something"),
    ({"players": {"A": {"engineers": [3]}, "B": {"engineers": [3]}}}, "each lies in one place"),
    ({"players": {"A": {"fired": ["SP4"]}}}, "what has happened is nothing"),
    ({"players": {"A": {"money": 3}}}, "unknown field"),
    ({"players": {"A": {"passed": True}}}, "out for the round"),
    ({"players": {"E": {}}}, "Object missing|the seats are"),
    ({"players": 3}, "Expected `object`"),
    ({"order": ["A", "A", "B"]}, "every seat stands there once"),
    ({"turn": "D"}, "no seat 'D'"),
    ({"turn": ""}, "a player acts"),
    ({"phase": "over"}, "no player acts"),
    ({"strip": [1, 2]}, "it has 7 spaces"),
    ({"strip": [15, 0, 0, 0, 0, 0, 0]}, "no such engineer"),
    ({"piles": {"10": 1}}, "numbers from 1 to 9"),
    ({"piles": {"1": -3}}, "never below 0"),
    ({"piles": {"2": 1}}, "piles.2: there are 3"),
    ({"returned": [1]}, "never below 0"),
    ({"roubles": 3}, "there are 18"),
    ({"doublers": 3}, "there are 20"),
    ({"q_cards": ["Q1"]}, "q_cards: each lies"),
    ({"q_cards": ["Q9"]}, "no such card"),
    ({"placed": [{"space": "AUX-X", "seat": "A", "workers": 1}]}, "no space 'AUX-X'"),
    ({"placed": [{"space": "AUX-DBL", "seat": "E", "workers": 1}]}, "no seat 'E'"),
    ({"placed": [{"space": "AUX-DBL", "seat": "A"}]}, "nothing lies on"),
    ({"claims": ["ORD-1"]}, "only there"),
    ({"claims": ["AUX-DBL"]}, "there are ORD-1, ORD-2"),
    ({"phase": "moves", "claims": ["ORD-1"]}, "the next to move"),
    ({"round": 7}, "no round 7"),
    ({"phase": "lunch"}, "Invalid enum value"),
    ({"bonus": {"zones": {"pile": {"unnamed": 9}}}}, "unnamed cards"),
    ({"bonus": {"pool": {"EB-1": 2}}}, "lies there once"),
    ({"stack": {"open": [{"op": {"op": "hold_loco", "number": 12}}]}}, "no locomotive 12"),
    ({"stack": {"open": [{"op": {"op": "hold_loco", "number": 2}}]}, "piles": {"2": 3}}, "piles.2"),
    ({"stack": {"open": [{"op": {"op": "token", "special": "SP5"}}]}}, "no ..space 'SP5'"),
    ({"stack": {"open": [{"op": {"op": "ask_swap", "space": "ORD-1"}}]}}, "is swapped"),
    ({"stack": {"together": [[3, []]]}}, "groups lie on"),
    ({"stack": {"holds": [[0, "x"]]}}, "nothing is held"),
    ({"phase": "over", "turn": "", "stack": {"filed": [["end", {"op": {"op": "hire"}}]]}}, "only while"),
]


def base(game: RussianRailroads) -> dict[str, Any]:
    """A fresh position at the first turn, without what follows from the rest."""
    position = merged(game.to_position(game.start()), BEGUN)
    position = {key: value for key, value in position.items() if key not in game.derived}
    for seat in position["players"].values():
        for path in game.derived:
            seat.pop(path.rpartition(".")[2], None) if path.startswith("players") else None
    return position


@pytest.mark.parametrize(("changes", "words"), IMPOSSIBLE, ids=lambda value: str(value)[:60])
def test_an_impossible_position_is_refused_with_the_reason(changes: dict[str, Any], words: str) -> None:
    game = opened(3)
    with pytest.raises(PositionFaults, match=words):
        game.from_position(merged(base(game), changes))


def test_what_follows_from_a_position_is_worked_out() -> None:
    game = opened(3)
    changes = {
        "placed": [
            {"space": "LOC-1", "seat": "A", "roubles": 1},
            {"space": "IND-1", "seat": "A", "workers": 1},
        ],
        "players": {
            "A": {"workers": 7, "doublers": 2, "black": True, "q_cards": ["Q1"], "locos": [2, 0, 3, 0]},
            "B": {"tracks": {"TS": [2, 0], "SP": [1, 0], "KV": [1, 0]}},
        },
    }
    state = game.from_position(merged(base(game), changes))
    player = state.players["A"]
    assert (player.free, player.reserve, player.black_free) == (6, 1, True)
    assert state.piles == {"1": 1, "2": 2, "3": 2} | dict.fromkeys("456789", 3)
    assert (state.doublers, state.roubles, state.q_cards) == (18, 14, ("Q2", "Q3", "Q4", "Q5"))
    assert state.players["B"].fired == ("TS2",)


# What cases, words and document cover --------------------------------------------------------------

FOLDER = ROOT / "assistant" / "games" / "russian_railroads"
CASES = [read(file) for file in find([CONFORMANCE])]
DOCUMENT = (ROOT / "docs" / "rules" / "russian-railroads.md").read_text(encoding="utf-8")
RULE = r"RR-[A-Z]+-(?:\d+|Q)|A-\d+b?"


def sentences(language: str) -> dict[str, str]:
    catalogue = tomllib.loads((FOLDER / "locale" / f"{language}.toml").read_text(encoding="utf-8"))
    found = catalogue["refusals"]
    assert isinstance(found, dict)
    return found


def test_every_refusal_has_a_case_and_every_case_a_sentence() -> None:
    refused = {step.refused for case in CASES for step in case.steps} | {case.refused for case in CASES}
    # What the camera sees differ is no refusal, and no case: `test_explain.py` has them.
    differing = {"RR-LOCO-2", "RR-ORD-6", "RR-PREP-4"}
    assert (refused - {None}) | differing == set(sentences("en"))


def test_refusals_have_sentences_in_both_languages() -> None:
    english, german = sentences("en"), sentences("de")
    assert list(english) == list(german)
    for rule, sentence in english.items():
        assert re.fullmatch(RULE, rule), rule
        assert sentence.endswith("."), rule
        assert len(sentence.split()) <= 18, rule
        assert set(re.findall(r"\{(\w*)", sentence)) == set(re.findall(r"\{(\w*)", german[rule])), rule


def test_whatever_the_rules_cite_is_a_sentence() -> None:
    lost = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Violation":
                texts = [leaf.value for leaf in ast.walk(node.args[0]) if isinstance(leaf, ast.Constant)]
                lost |= {text for text in texts if re.fullmatch(RULE, str(text))} - set(sentences("en"))
    assert lost == set()


def test_every_rule_of_the_code_stands_in_the_document() -> None:
    document = set(re.findall(RULE, DOCUMENT))
    for path in FOLDER.glob("*.py"):
        assert set(re.findall(RULE, path.read_text(encoding="utf-8"))) <= document, path.name
    assert set(sentences("en")) <= document
    for name, switch in TITLE.switches.items():
        assert f"`{name}`" in DOCUMENT
        assert re.search(rf"^\| {switch.ruling} \|", DOCUMENT, re.MULTILINE)
        assert any(case.options.get(name) == switch.values[1] for case in CASES), name
