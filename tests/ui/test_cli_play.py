from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from assistant.journal import Journal
from tests.ui.conftest import Call


def test_a_new_game_says_who_is_asked(call: Call, home: Path) -> None:
    said = call("new", "first", "--game", "pebbles", "--players", 3)
    assert said.code == 0
    assert said.out.splitlines() == [
        f"{home / 'first.game'}: Pebbles, The garden, for 3",
        "Some values of this pack are invented.",
        "next: the table: to turn up a card: draw cards ?",
    ]


def test_a_new_game_as_json(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "x.game"
    said = call("new", path, "--game", "pebbles", "--players", 2, "--virtual", "--seed", "s", "--json")
    assert said.code == 0
    answer = said.json
    assert answer["file"] == str(path)
    assert answer["seats"] == ["A", "B"]
    assert answer["dealt"][0]["do"] == "draw"
    assert answer["acting"] == [{"seat": "A", "why": "take"}]


def test_the_folder_of_games_can_be_chosen(call: Call, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert call("new", "x", "--game", "pebbles", "--players", 2, "--games-dir", other).code == 0
    assert (other / "x.game").exists()
    assert call("games", "--games-dir", other).out.startswith("x  pebbles  A, B  0 entries")
    assert "No saved games" in call("games").out


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--players", "2"], 2, "--game is missing; there are: "),
        (["--game", "chess", "--players", "2"], 2, "there is no game 'chess'; there are: "),
        (["--game", "pebbles"], 2, "--players is missing; Pebbles is for 2 to 3"),
        (["--game", "pebbles", "--players", "5"], 1, "Pebbles is for 2 to 3 players, not 5 [PB-1]"),
        (["--game", "pebbles", "--players", "2", "--names", "Ann"], 2, "--names needs 2 names"),
        (
            ["--game", "pebbles", "--players", "2", "--names", "A,A"],
            2,
            "--names: two seats have the same name",
        ),
        (["--game", "pebbles", "--players", "2", "--names", "Ann,"], 2, "the name of seat B is empty"),
        (["--game", "pebbles", "--players", "2", "--names", "b,Ann"], 2, "'b', the letter of another seat"),
        (["--game", "pebbles", "--players", "2", "--names", "Ann,All"], 2, "means somebody else here"),
        (
            ["--game", "pebbles", "--players", "2", "--names", f"Ann,{'x' * 41}"],
            2,
            "41 characters; at most 40",
        ),
        (["--game", "pebbles", "--players", "2", "--names", "A\x07,Ben"], 2, "that are no text"),
        (["--game", "pebbles", "--players", "2", "--names", "A\u202e,Ben"], 2, "that are no text"),
        (["--game", "pebbles", "--players", "2", "--pack", "lawn"], 2, 'there is no pack "lawn"'),
        (["--game", "pebbles", "--players", "2", "--pack", "no.toml"], 2, "no.toml: there is no such file"),
        (["--game", "pebbles", "--players", "2", "--option", "pile"], 2, "--option 'pile': write NAME=VALUE"),
        (
            ["--game", "pebbles", "--players", "2", "--option", "pile.open=maybe"],
            2,
            "pile.open = 'maybe': the values are true, false",
        ),
        (["--game", "pebbles", "--players", "2", "--seed", "1"], 2, "--seed belongs to --virtual"),
        (["--case", "no.toml"], 2, "there is no file no.toml"),
        (["--case", "no.toml", "--players", "2"], 2, "--players does not go with --case"),
    ],
)
def test_a_game_that_cannot_begin(words: list[str], code: int, line: str, call: Call, home: Path) -> None:
    said = call("new", "g", *words)
    assert said.code == code
    assert said.err.startswith("stationmaster new: ")
    assert line in said.err
    assert said.err.count("\n") == 1
    assert not (home / "g.game").exists()


def test_a_pack_with_too_few_cards_for_the_dealer_begins_no_game(call: Call, home: Path) -> None:
    """The fixture of the conformance cases has fewer cards than are laid open at the start."""
    pack = Path(__file__).parents[1] / "fixtures" / "fx.toml"
    said = call("new", "g", "--game", "railway_boom", "--pack", pack, "--players", 2, "--virtual")
    assert (said.code, said.out) == (1, "")
    assert "[RB-DRAW-1]" in said.err
    assert "too few cards for 2 players" in said.err
    assert not list(home.glob("g.*"))


def test_a_name_is_not_used_twice_and_not_every_name_will_do(game: str, call: Call) -> None:
    said = call("new", game, "--game", "pebbles", "--players", 2)
    assert said.code == 1
    assert "g.game is there already" in said.err
    assert "is no name for a game" in call("new", "a:b", "--game", "pebbles", "--players", 2).err


def test_an_action_in_words_and_as_json(game: str, call: Call) -> None:
    said = call("act", game, "take", "A", 2)
    assert said.code == 0
    assert said.out.splitlines() == [
        "recorded 2: take A 2",
        "  Ann: +2 points, pebbles three",
        "next: the table: to turn up a card: draw cards ?",
    ]
    said = call("act", game, '{"do": "draw", "deck": "cards", "cards": ["one"]}', "--json")
    assert said.code == 0
    answer = said.json
    assert (answer["ruling"], answer["seq"], answer["acting"]) == (
        "accepted",
        3,
        [{"seat": "B", "why": "take"}],
    )
    assert len(answer["digest"]) == 32
    assert answer["events"][0]["event"] == "informed"


def test_a_list_of_actions_is_one_ruling(game: str, call: Call) -> None:
    drawn = {"do": "draw", "deck": "cards", "cards": ["one"]}
    both = [{"do": "take", "seat": "A", "n": 1}, drawn]
    three = json.dumps([*both, {"do": "take", "seat": "B", "n": 2}])
    said = call("act", game, three)
    assert said.code == 1
    assert said.err.splitlines()[1] == "  action 3: take B 2"
    answer = call("act", game, three, "--json").json
    assert (answer["at"], answer["action"]) == (3, "take B 2")
    assert (
        "action 2: take: n is missing"
        in call("act", game, '[{"do": "take", "seat": "A", "n": 1},{"do": "take", "seat": "A"}]').err
    )
    assert call("act", game, json.dumps(both), "--json").json["seq"] == 3
    for words in (["[]"], ["[3]"], ["[{]"], ["[" * 100_000], [json.dumps(both), "--overrule", "PB-CAP"]):
        assert call("act", game, *words).code == 2


def test_a_refusal_says_why_by_which_rule_where_and_what_else(game: str, call: Call) -> None:
    said = call("act", game, "take A 7")
    assert said.code == 1
    assert said.out == ""
    assert said.err.splitlines() == [
        "refused: The card allows at most 3 pebbles, not 7. [PB-CAP]",
        "  values: cap = 3, n = 7",
        "  places: pile",
        "  allowed: take A 1",
        "  allowed: take A 2",
        "  allowed: take A 3",
        "  if all agree: add --overrule PB-CAP --consent all",
    ]
    answer = call("act", game, "take A 7", "--json")
    assert answer.code == 1
    assert answer.json == {
        "ruling": "refused",
        "at": 1,
        "action": "take A 7",
        "rule": "PB-CAP",
        "sentence": "The card allows at most 3 pebbles, not 7.",
        "values": {"cap": 3, "n": 7},
        "places": ["pile"],
        "nearest": [{"do": "take", "seat": "A", "n": n} for n in (1, 2, 3)],
        "short": ["take A 1", "take A 2", "take A 3"],
    }
    assert call("history", game).out.count("\n") == 1


def test_what_is_no_action_is_a_wrong_call(game: str, call: Call) -> None:
    for words, line in (
        (["tak", "A"], "no action is called 'tak'; nearest is 'take'"),
        (["take", "A"], "n is missing; the form is: take SEAT N"),
        (["{"], "this is not JSON"),
        (["take", "A", "1", "--by", "D"], "there is no seat 'D'; there are: A (Ann), B (Ben)"),
        (["take", "Cy", "1"], "there is no seat 'Cy'; there are: A (Ann), B (Ben)"),
        (["take", "A", "1", "--consent", "A"], "--consent belongs to --overrule"),
        (["take", "A", "1", "--by", "B", "--overrule", "PB-CAP"], "--by does not go with --overrule"),
    ):
        said = call("act", game, *words)
        assert said.code == 2
        assert line in said.err
        assert said.err.count("\n") == 1


def test_many_actions_from_stdin_up_to_the_first_refusal(
    game: str, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = '# a round\ntake A 1\n\ndraw cards five\n{"do": "take", "seat": "B", "n": 6}\ntake B 1\n'
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    said = call("act", game, "-")
    assert said.code == 1
    assert "recorded 3" in said.out
    assert "PB-CAP" in said.err
    assert "  line 5: take B 6" in said.err.splitlines()
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" + lines.splitlines()[4]))
    answer = call("act", game, "-", "--json").json
    assert (answer["line"], answer["at"], answer["action"]) == (2, 1, "take B 6")
    monkeypatch.setattr("sys.stdin", io.StringIO("take B 1\nhop\n"))
    said = call("act", game, "-")
    assert said.code == 2
    assert "line 2: no action is called 'hop'" in said.err


def test_the_dealer_answers_at_once_and_goes_on_after_a_cut(call: Call, home: Path) -> None:
    call("new", "v", "--game", "pebbles", "--players", 2, "--virtual", "--seed", "7")
    said = call("act", "v", "take", "A", 1)
    assert "dealt: draw cards" in said.out
    assert said.out.splitlines()[-1] == "next: B: to take pebbles"
    # A call that ended between the ruling and the deal: the next one deals first.
    with Journal.open(home / "v.game") as journal:
        from assistant.referee import Referee

        referee = Referee.resume(journal)
        referee.submit(referee.game.codec.from_json({"do": "take", "seat": "B", "n": 1}))
    assert call("act", "v", "take", "A", 1).code == 0


def test_the_same_seed_deals_the_same(call: Call) -> None:
    dealt = []
    for name in ("x", "y"):
        said = call("new", name, "--game", "pebbles", "--players", 2, "--virtual", "--seed", "7", "--json")
        dealt.append(said.json["dealt"])
    assert dealt[0] == dealt[1]
    assert call("new", "z", "--game", "pebbles", "--players", 2, "--virtual").code == 0


def test_the_table_can_agree_to_an_illegal_action(game: str, call: Call) -> None:
    said = call("act", game, "take A 5", "--overrule", "PB-CAP")
    assert said.code == 1
    assert "[SM-OVR-2]" in said.err
    said = call("act", game, "--overrule", "PB-CAP", "--consent", "A,B", "take", "A", 5)
    assert said.code == 0
    assert "overrule; take A 5; waived: PB-CAP" in call("history", game).out


def test_undo_tells_its_terms_and_redo_brings_back(game: str, call: Call) -> None:
    call("act", game, "take", "A", 2)
    terms = call("undo", game, "--by", "B", "--terms", "--json")
    assert terms.code == 0
    assert terms.json["consents"] == ["A"]
    said = call("undo", game, "--by", "B")
    assert said.code == 1
    assert said.err.splitlines() == [
        "not yet: Taking this back needs the agreement of Ann. [SM-UNDO-2]",
        "would be taken back: take A 2",
        "must agree: A (--consent A)",
    ]
    said = call("undo", game, "--by", "B", "--consent", "A")
    assert said.code == 0
    assert said.out.splitlines()[0] == "taken back: take A 2"
    assert "Ann    Ben" not in call("score", game).out
    said = call("redo", game)
    assert said.code == 0
    assert said.out.startswith("recorded 4: take A 2")
    assert call("redo", game).code == 1


def test_undo_past_a_revealed_card_asks_for_physical_steps(game: str, call: Call) -> None:
    said = call("undo", game, "--by", "table")
    assert said.code == 1
    assert "to do first: Put three back into the deck." in said.err
    assert said.err.splitlines()[-1] == "when that is done: --steps-done"
    terms = call("undo", game, "--by", "table", "--json")
    assert terms.code == 1
    assert terms.json["steps"] == ["Put three back into the deck."]
    assert call("undo", game, "--by", "table", "--steps-done", "--json").json["ruling"] == "accepted"
    assert call("undo", game).code == 1
    assert call("undo", game, "--terms").code == 1
    assert call("undo", game, "--steps", 0).code == 2
    assert "there is no seat 'Q'" in call("undo", game, "--by", "Q").err


def test_a_correction_needs_everybody_and_a_possible_result(game: str, call: Call) -> None:
    said = call("correct", game, "pile=9", "seats.A.pebbles=3")
    assert said.code == 1
    assert "[SM-COR-1]" in said.err
    said = call("correct", game, "pile=9", "seats.A.pebbles=3", "--consent", "all")
    assert said.code == 0
    assert "Ann: +3 points, correction by the table" in said.out
    assert call("correct", game, "card=", "--consent", "all").code == 0
    assert "[SM-COR-2]" in call("correct", game, "card=nine", "sea.A=1", "--consent", "all").err
    assert "card = nothing" in call("history", game).out
    for words, line in (
        (["pile"], "'pile': write PATH=VALUE"),
        (["pile=1", "pile=2"], "pile is given twice"),
        (["pile=" + "[" * 100_000], "a value is nested too deeply"),
        (["pile=1", "--consent", "A,Z"], "there is no seat 'Z'"),
    ):
        said = call("correct", game, *words)
        assert said.code == 2
        assert line in said.err
    assert call("undo", game, "--consent", "all").out.startswith("taken back: correct")


def test_a_game_that_somebody_else_plays_is_left_alone(game: str, call: Call, home: Path) -> None:
    with Journal.open(home / "g.game"):
        said = call("act", game, "take", "A", 1)
        assert said.code == 1
        assert said.err.count("\n") == 1
        assert call("show", game).code == 0


def test_the_table_is_told_which_cards_to_turn_up(call: Call) -> None:
    said = call("new", "r", "--game", "railway_boom", "--players", 3)
    asked = "the table: to turn up 4 objective cards: draw objectives O?,O?,O?,O?"
    assert said.out.splitlines()[-1] == f"next: {asked}"
    assert call("show", "r").out.splitlines()[-1] == f"next: {asked}"
    assert call("legal", "r").out.splitlines() == [asked]
    assert call("legal", "r", "--json").json["owed"] == {"deck": "objectives", "count": 4}
    assert call("legal", "r", "--seat", "A", "--json").json["owed"] is None
    answer = call("act", "r", "draw objectives O01,O02,O03,O04", "--json").json
    assert answer["owed"] == {"deck": "routes", "count": 4}


def test_seats_are_called_by_letter_or_name(call: Call) -> None:
    call("new", "g", "--game", "pebbles", "--players", 2, "--names", "Mary Lou,Zoë")
    assert call("act", "g", "draw cards three").code == 0
    said = call("act", "g", "take", "Mary Lou", 2, "--by", "Zoë")
    assert said.code == 0
    assert call("act", "g", "draw cards one").out.splitlines()[-1] == "next: B (Zoë): to take pebbles"
    assert call("legal", "g", "--seat", "Zoë").out.startswith("B (Zoë): to take pebbles")
    said = call("undo", "g", "--by", "Mary Lou", "--consent", "Zoë", "--steps-done")
    assert said.code == 0
    assert call("redo", "g", "--by", "Bob").code == 2


def test_a_name_with_the_ending_is_the_name(
    call: Call, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("new", "g3.game", "--game", "pebbles", "--players", 2).code == 0
    assert (home / "g3.game").exists()
    assert not Path("g3.game").exists()
    assert call("show", "g3").out == call("show", "g3.game").out
    assert call("new", "./here.game", "--game", "pebbles", "--players", 2).code == 0
    said = call("show", "here.game")
    assert said.code == 2
    assert "write ./here.game" in said.err
    assert call("show", "./here.game").code == 0


@pytest.mark.parametrize("name", ["x" * 240, "é" * 130, "./" + "x" * 260 + ".game"])
def test_a_name_too_long_for_a_file(name: str, call: Call) -> None:
    said = call("new", name, "--game", "pebbles", "--players", 2)
    assert said.code in (1, 2)
    assert "too long for a file; choose a shorter one" in said.err


def test_an_exported_game_is_not_played_on(game: str, call: Call, tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    call("export", game, "--out", out)
    said = call("act", out, "take", "A", 1)
    assert said.code == 1
    assert "is an exported game: import it first" in said.err


def test_what_lies_before_the_damage_is_salvaged(game: str, call: Call, home: Path) -> None:
    for line in ("take A 1", "draw cards five", "take B 1"):
        assert call("act", game, line).code == 0
    said = call("import", "--salvage", "g.game")
    assert said.code == 1
    assert "is not damaged" in said.err
    file = home / "g.game"
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE entry SET body = replace(body, 'five', 'four') WHERE seq = 3")
        database.commit()
    said = call("show", game)
    assert said.code == 1
    assert f"stationmaster import --salvage {file} --name NEW" in said.err
    before = file.read_bytes()
    said = call("import", "--salvage", file)
    assert said.code == 0
    assert said.out.startswith(f"{home / 'g-salvaged.game'}: 2 entries")
    answer = call("import", "--salvage", "g.game", "--name", "again", "--json").json
    assert (answer["name"], answer["entries"]) == ("again", 2)
    assert answer["damage"]
    assert file.read_bytes() == before
    assert call("act", "again", "draw cards five").code == 0
    assert call("import", "--salvage", "none").code == 2
    file.write_bytes(before[:4096] + b"\xff" * 4096 + before[8192:])
    said = call("import", "--salvage", "g")
    assert said.code == 1
    assert "can be salvaged: not even its beginning" in said.err
