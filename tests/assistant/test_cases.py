from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant.cases import CaseFaults, case_of, differences, find, from_toml, opened, read, run, run_many
from assistant.game import Game, PositionFaults, find_title
from assistant.offers import expand

SHELF = Path(__file__).parents[1] / "ui" / "shelf" / "pebbles"
HEAD = 'id = "T1"\ngame = "pebbles"\nplayers = 2\n'


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_GAMES", str(SHELF))


def why(folder: Path, text: str) -> list[str]:
    file = folder / "case.toml"
    file.write_text(text)
    return list(run(file).why)


def pebbles(players: int = 2) -> Game[Any]:
    title = find_title("pebbles")
    return title.open(title.load_pack(title.default_pack), players)


GOOD = (
    HEAD
    + """
note = "a whole round"
[given]
pile = 12
card = "three"
decks.cards = ["one", "two"]
seats.B.pebbles = 4
[[step]]
do = { do = "take", seat = "A", n = 2 }
expect = { pile = 10, seats.A.pebbles = 2, turn = "B", card = {}, acting = [{ seat = "table" }] }
[[step]]
branch = true
do = { do = "take", seat = "A", n = 2 }
[step.expect.events]
contains = [{ event = "points", seat = "A", amount = 2 }]
[[step]]
do = { do = "take", seat = "A", n = 1 }
refused = "PB-TURN"
expect = { "seats.A.pebbles" = 2 }
[[step]]
do = [{ do = "draw", deck = "cards", cards = ["two"] }, { do = "take", seat = "B", n = 3 }]
refused = "PB-CAP"
expect = { card = "two" }
[[step]]
branch = true
do = { do = "give", seat = "B", to = "A" }
expect = { seats = { A = { pebbles = 1 }, B = { pebbles = 3 } }, pile = 12, "decks.cards.count" = 2 }
[[step]]
ask = "legal"
seat = "A"
expect.count = 4
expect.contains = [{ do = "take", n = 3 }, { do = "give", to = "B", n = 1 }, { form = "give" }]
expect.lacks = [{ do = "take", n = 4 }, { seat = "B" }]
expect.acting = [{ seat = "A", why = "take" }]
[[step]]
ask = "score"
expect = { totals = { A = 1, B = 6 }, winners = ["B"], "by_source.B" = { before = 3, most = 3 } }
[[step]]
ask = "score"
seat = "B"
expect.total = 6
[[step]]
ask = "display"
amount = 21
expect = { tens = 2, ones = 1 }
[[step]]
ask = "load_pack"
pack = "garden"
expect = { invented = true, warnings = [] }
"""
)


def test_a_case_that_holds(tmp_path: Path) -> None:
    assert why(tmp_path, GOOD) == []


def test_every_difference_is_listed_with_path_wanted_and_found(tmp_path: Path) -> None:
    text = """
[given]
card = "three"
decks.cards = []
[[step]]
do = { do = "take", seat = "A", n = 2 }
expect = { pile = 9, seats.A.pebbles = 3, seats.C.pebbles = 1, turn = "B", "decks.cards.count" = 1 }
[[step]]
do = { do = "take", seat = "B", n = 9 }
"""
    assert why(tmp_path, HEAD + text) == [
        "step 1: pile: expected 9, found 10",
        "step 1: seats.A.pebbles: expected 3, found 5",
        'step 1: seats.C: expected {"pebbles":1}, found nothing',
        "step 1: decks.cards.count: expected 1, found 0",
        'step 2: expected accepted, found refused PB-TURN {"next":"B","seat":"B"}',
    ]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            'do = { do = "take", seat = "A", n = 1 }\nrefused = "PB-CAP"',
            "expected refused PB-CAP, found accepted",
        ),
        (
            'do = { do = "take", seat = "A", n = 7 }\nrefused = "PB-PILE"',
            'expected refused PB-PILE, found refused PB-CAP {"cap":3,"n":7}',
        ),
        (
            'do = { do = "tak", seat = "A" }',
            "not understood: no action is called 'tak'; there are: draw, give, take",
        ),
        ('ask = "legal"\nsaet = "A"', "the question legal has no 'saet'; it has: seat"),
        ('ask = "legal"\nseat = "D"', "there is no seat 'D'; there are: A, B, table"),
        ('ask = "riddle"', "Pebbles has no question 'riddle'"),
        ('ask = "display"', "the rules failed here: KeyError: amount (__init__.py:"),
        ('ask = "legal"\nexpect.lacks = [{ do = "take", n = 2 }]', 'lacks: expected no {"do":"take","n":2}'),
        (
            'ask = "legal"\nexpect.contains = [{ do = "take", n = 4 }]',
            'contains: expected {"do":"take","n":4} among 10, nearest {"do":"take","seat":"A","n":1}',
        ),
        ('ask = "load_pack"\npack = "no.toml"', "no.toml: there is no such file"),
        ('ask = "load_pack"\npack = 3', "load_pack: pack: expected text, found 3"),
    ],
)
def test_a_step_that_fails(step: str, said: str, tmp_path: Path) -> None:
    given = '[given]\ncard = "three"\ndecks.cards = []\nseats.A.pebbles = 1\n'
    if "contains" in step:
        given += "seats.B.pebbles = 1\n"
    (line,) = why(tmp_path, f"{HEAD}{given}[[step]]\n{step}\n")
    assert line.startswith("step 1: ")
    assert said in line


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("id = ", ["this is not TOML: Invalid value (at end of document)"]),
        ("", ["a case begins with its id", "game is missing: which game is this case about?"]),
        (HEAD + "gievn = 1", ["there is no key 'gievn' here; nearest is 'given'"]),
        (
            HEAD + "zzzz = 1",
            [
                "there is no key 'zzzz' here; there are: id, note, refused, game, pack, players, options, "
                "without, given, step"
            ],
        ),
        (HEAD + "[[step]]\nexpect.a = 1", ["step 1: a step has either do or ask"]),
        (HEAD + "[[step]]\ndo = []", ["step 1: do: the list of actions is empty"]),
        (
            HEAD + '[[step]]\ndo = "take"',
            ['step 1: do: expected an action such as { do = "bid", ... } or a list of them'],
        ),
        (
            HEAD + "[[step]]\ndo = {}\nexcept = 1",
            ["step 1: there is no key 'except' here; nearest is 'expect'"],
        ),
        (
            HEAD.replace("2", "true") + "[[step]]\ndo = {}\nbranch = 1",
            [
                "step 1: branch: expected true or false, found 1",
                "players: expected a whole number, found true",
            ],
        ),
        (HEAD + 'refused = "PB-1"\n[[step]]\ndo = {}', ["a case that is refused as given has no steps"]),
        (HEAD + "[given]\nx = 1979-05-27", ["given.x: a date or time cannot stand here"]),
        (HEAD + "[options]\nx = 3", ["options.x: expected text, true or false, found 3"]),
        (HEAD + "without = [3]", ["without: expected a list of position paths"]),
        (HEAD + "[step]", ["step: expected tables, each written under [[step]]"]),
        (HEAD.replace("pebbles", "pebble"), None),
        (HEAD.replace("2", "5"), ["given: Pebbles is for 2 to 3 players, not 5"]),
        (HEAD + "[options]\npile.open = 'no'", ["pile.open = 'no': the values are true, false"]),
        (HEAD + "[given]\nsaets = 1", ["given: Object contains unknown field `saets`"]),
        (
            HEAD + "without = ['seats.D', 'x.y']",
            [
                "given: without: a fresh game has nothing at seats.D",
                "given: without: a fresh game has nothing at x.y",
            ],
        ),
        (HEAD + 'pack = "nowhere.toml"', None),
        (
            HEAD + 'refused = "PB-2"\n[given]\ncard = "one"',
            ["given: expected refused PB-2, found faults that cite PB-SUM", "given: a card is in two places"],
        ),
        (HEAD + 'refused = "PB-2"', ["given: expected refused PB-2, found accepted"]),
    ],
)
def test_a_file_that_is_wrong_is_a_failure_not_a_traceback(
    text: str, faults: list[str] | None, tmp_path: Path
) -> None:
    found = why(tmp_path, text)
    assert found == faults if faults is not None else len(found) == 1


@pytest.mark.parametrize(
    "text",
    [
        HEAD.replace("2", "5") + 'refused = "PB-1"',
        HEAD + 'refused = "PB-SUM"\n[given]\ncard = "one"',
        HEAD + "[options]\npile.open = false",
        HEAD + '[options]\n"pile.open" = false',
        'id = "x"\ngame = "pebbles"',
    ],
)
def test_a_case_without_steps_can_hold(text: str, tmp_path: Path) -> None:
    assert why(tmp_path, text) == []


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "[given]\nx = " + "[" * 100_000,
        HEAD + "[given]\nx = " + "[" * 400 + "]" * 400,
        HEAD + "[given]\nx" + ".a" * 5000 + " = 1",
        HEAD + "[options]\nx" + ".a" * 5000 + " = 1",
        HEAD + "[[step]]\ndo = { do = 'take', seat = " + "[" * 300 + "]" * 300 + " }",
        HEAD + "[[step]]\ndo = { do = 'take', seat = 'A', n = 1" + "0" * 5000 + " }",
        HEAD + "players = 1" + "0" * 30,
        "id = 1" + "0" * 30 + HEAD.partition("\n")[2],
    ],
)
def test_one_broken_file_does_not_stop_the_others(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text)
    (tmp_path / "b.toml").write_text(HEAD.replace('id = "', 'id = "b', 1))
    broken, good = run_many([tmp_path / "a.toml", tmp_path / "b.toml"])
    assert broken.why
    assert not any("the rules failed" in line for line in broken.why)
    assert good.passed


def test_files_that_are_none(tmp_path: Path) -> None:
    assert run(tmp_path / "no.toml").why == ("there is no such file",)
    assert run(tmp_path).why == ("the file cannot be read: Is a directory",)
    (tmp_path / "latin.toml").write_bytes(b"id = '\xe9'")
    assert run(tmp_path / "latin.toml").why == ("the file is not UTF-8",)


def test_a_mark_at_the_front_of_the_file_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "marked.toml").write_text(HEAD, encoding="utf-8-sig")
    assert run(tmp_path / "marked.toml").passed


def test_a_pack_is_found_from_the_case(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    text = (SHELF / "packs" / "garden.toml").read_text()
    (tmp_path / "packs" / "own.toml").write_text(text.replace("pile = 12", "pile = 5"))
    case = HEAD + 'pack = "packs/own.toml"\n[[step]]\nask = "load_pack"\npack = "./packs/own.toml"\n'
    assert why(tmp_path, case) == []
    _, state = opened(read(tmp_path / "case.toml"))
    assert state.pile == 5
    (tmp_path / "packs" / "own.toml").write_text(text.replace("pile = 12", "pile = 'many'"))
    (line,) = why(tmp_path, HEAD + 'pack = "packs/own.toml"')
    assert "rules, pile: expected a whole number" in line


def test_folders_are_searched_and_packs_left_out(tmp_path: Path) -> None:
    for name in ("b/2.toml", "a.toml", "packs/p.toml", "b/note.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(HEAD)
    single = tmp_path / "packs" / "p.toml"
    assert find([tmp_path, single]) == [tmp_path / "a.toml", tmp_path / "b/2.toml", single]


def test_two_cases_may_not_share_an_id(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(HEAD)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "c.toml").write_text(HEAD)
    first, second, third, again = run_many([*find([tmp_path]), tmp_path / "a.toml"])
    assert first.passed
    assert third.passed
    assert again.passed
    assert second.why == (f"the id 'T1' is already that of {tmp_path / 'a.toml'}",)


@pytest.mark.parametrize(
    ("wanted", "found", "differ"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, 0),
        ({"a": True}, {"a": 1}, 1),
        ({"a": 0}, {"a": False}, 1),
        ({"a": 2.0}, {"a": 2}, 0),
        ({"a": {}}, {}, 0),
        ({"a": {}}, {"a": []}, 0),
        ({"a": {}}, {"a": 0}, 1),
        ({"a": []}, {}, 1),
        ({"a.b.1": "y"}, {"a": {"b": ["x", "y"]}}, 0),
        ({"a.b.2": "y"}, {"a": {"b": ["x", "y"]}}, 1),
        ({"a": {"b": {"1": "y", "count": 2}}}, {"a": {"b": ["x", "y"]}}, 0),
        ({"a": [1, 2]}, {"a": [2, 1]}, 1),
        ({"a": [{"x": 1}]}, {"a": [{"x": 1, "y": 2}]}, 0),
        ({"a": {"contains": [1, 3], "lacks": [2]}}, {"a": [1, 2]}, 2),
        ({"a": {"contains": 1}}, {"a": [1, 2]}, 0),
        ({"a": {"contains": [True]}}, {"a": [1]}, 1),
        ({"count": 3}, {"count": 3}, 0),
        ({"x.y": 1}, {"x.y": 1}, 0),
        ({"a": {"b": 1}}, {"a": 5}, 1),
        ({"a": "1"}, {"a": 1}, 1),
    ],
)
def test_what_counts_as_different(wanted: Mapping[str, Any], found: Any, differ: int) -> None:
    assert len(list(differences(wanted, found))) == differ


def test_a_running_game_is_written_as_a_case_and_read_back(tmp_path: Path) -> None:
    rng = random.Random(3)
    for players in (2, 3):
        game = pebbles(players)
        state = game.start()
        for number in range(8):
            file = tmp_path / f"{players}-{number}.toml"
            file.write_text(case_of(game, state, f"P{players}-{number}"))
            again, back = opened(read(file))
            assert again.digest(back) == game.digest(state)
            action = game.chance(state, rng) or next(expand(game.offers(state, state.turn)))
            state, _ = game.apply(state, action)


def test_a_written_case_is_small_and_says_what_is_gone() -> None:
    title = find_title("pebbles")
    game = title.open(title.load_pack("garden"), 2, {"pile.open": False})
    fresh = tomllib.loads(case_of(game, game.start(), "x", note="how it began"))
    assert fresh == {
        "id": "x",
        "note": "how it began",
        "game": "pebbles",
        "pack": "garden",
        "players": 2,
        "options": {"pile.open": False},
    }
    state, _ = game.apply(
        game.start(), game.codec.from_json({"do": "draw", "deck": "cards", "cards": ["six"]})
    )
    drawn = tomllib.loads(case_of(game, state, "x"))["given"]
    assert sorted(drawn) == ["card", "decks"]


def test_what_follows_from_the_rest_need_not_be_given() -> None:
    given = {"seats": {"A": {"pebbles": 5}}}
    _, state = opened(from_toml({"id": "x", "game": "pebbles", "given": given}))
    assert state.pile == 7
    game, state = opened(from_toml({"id": "x", "game": "pebbles", "given": {**given, "pile": 2}}))
    assert state.pile == 2
    assert tomllib.loads(case_of(game, state, "x"))["given"] == {**given, "pile": 2}
    _, usual = opened(from_toml({"id": "x", "game": "pebbles", "given": given}))
    assert tomllib.loads(case_of(game, usual, "x"))["given"] == given


def test_what_a_fresh_game_has_can_be_left_out() -> None:
    case = from_toml({"id": "x", "game": "pebbles", "without": ["seats.B"]})
    _, state = opened(case)
    assert state.seats == {"A": 0}
    with pytest.raises(PositionFaults):
        opened(from_toml({"id": "x", "game": "pebbles", "without": ["pile.x"]}))


def test_faults_carry_the_id() -> None:
    with pytest.raises(CaseFaults) as caught:
        from_toml({"id": "C1", "x": 1})
    assert caught.value.id == "C1"
    assert len(caught.value.faults) == 2
