from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ui.conftest import SHELF, Call


def test_show_is_readable(game: str, call: Call) -> None:
    call("act", game, "take", "A", 2)
    assert call("show", game).out.splitlines() == [
        "Pebbles, The garden, entry 2",
        "",
        "         A Ann  B Ben",
        "pebbles  2      0",
        "",
        "decks:",
        "  cards: eight, five, four, one, seven, six, two",
        "turn: B",
        "pile: 10",
        "next: the table: to turn up a card: draw cards ?",
    ]
    assert "there is no viewer 'Z'" in call("show", game, "--viewer", "Z").err
    assert call("show", game, "--case", "--json").code == 2


def test_what_show_prints_is_read_by_legal(game: str, call: Call, tmp_path: Path) -> None:
    want = call("legal", game, "--json").json
    for name, words in (("p.json", ["--json"]), ("c.toml", ["--case"])):
        (tmp_path / name).write_text(call("show", game, *words).out)
        assert call("legal", tmp_path / name, "--json").json == want
    (tmp_path / "x.json").write_text(call("export", game).out)
    assert call("legal", tmp_path / "x.json", "--json").json == want
    bare = call("show", game, "--json").json["position"]
    (tmp_path / "bare.json").write_text(json.dumps(bare))
    said = call("legal", tmp_path / "bare.json")
    assert said.code == 2
    assert "add --game, --pack and --players" in said.err
    said = call("legal", tmp_path / "bare.json", "--game", "pebbles", "--players", 2, "--json")
    assert said.json == want


def test_a_pack_of_ones_own_is_pointed_out(call: Call, tmp_path: Path) -> None:
    text = (SHELF / "packs" / "garden.toml").read_text()
    (tmp_path / "own.toml").write_text(text.replace("pile = 12", "pile = 5"))
    call("new", "own", "--game", "pebbles", "--players", 2, "--pack", tmp_path / "own.toml")
    assert "is not the one that ships" in call("show", "own", "--case").err
    (tmp_path / "p.json").write_text(call("show", "own", "--json").out)
    said = call("legal", tmp_path / "p.json")
    assert said.code == 1
    assert "is not the one this position was played with" in said.err


def test_a_form_that_is_about_a_space_names_it(call: Call) -> None:
    call("new", "rr", "--game", "russian_railroads", "--players", 2, "--virtual", "--seed", 1)
    (second,) = (who["seat"] for who in call("legal", "rr", "--json").json["acting"])
    assert call("act", "rr", "take_start", second, "SB-1").code == 0
    said = call("legal", "rr").out
    assert " TRK-COIN [WORKERS] [BLACK] [TEMPS] [ROUBLES]   first: worker+rouble, rouble+rouble\n" in said
    offers = call("legal", "rr", "--json").json["offers"]
    assert [offer["first"] for offer in offers if offer.get("space") == "IND-1"] == [[["worker"], ["rouble"]]]


def test_legal_for_people_and_for_programs(game: str, call: Call) -> None:
    call("act", game, "take", "A", 3)
    call("act", game, "draw", "cards", "two")
    assert call("legal", game).out.splitlines() == [
        "B (Ben): to take pebbles",
        "  take B 1",
        "  take B 2",
        "  A: give SEAT TO [N] [WHY]   first: B",
    ]
    assert call("legal", game, "--expand", "--limit", 2).out.splitlines() == [
        "B (Ben): to take pebbles",
        "  take B 1",
        "  take B 2",
        "  give A B",
        "  give A B 2",
        "  ... and more; --limit says how many are written out",
    ]
    answer = call("legal", game, "--seat", "A", "--json", "--expand").json
    assert answer["acting"] == []
    assert answer["count"] == 1
    assert answer["offers"] == [{"form": "give", "seat": "A", "first": ["B"]}]
    assert len(answer["actions"]) == 3
    assert answer["cut"] is False
    assert "there is no seat 'Z'" in call("legal", game, "--seat", "Z").err
    assert call("legal", game, "--limit", 0).code == 2


@pytest.mark.parametrize(
    ("name", "text", "code", "line"),
    [
        ("x.json", "[1, 2]", 1, "holds neither a position nor an exported game"),
        ("x.json", "{", 1, "this is not JSON"),
        ("x.json", '{"game": "chess", "position": {}}', 1, "there is no game 'chess'"),
        ("x.json", '{"game": "pebbles", "position": {}}', 1, "Object missing required field"),
        ("x.json", '{"game": 3, "position": {}}', 1, "game must be text"),
        ("x.json", '{"game": "pebbles", "pack": 3, "position": {}}', 1, "pack must be text"),
        ("x.json", '{"game": "pebbles", "players": "2", "position": {}}', 1, "players must be a whole"),
        ("x.json", '{"position": ' + "[" * 100_000, 1, "this is nested too deeply"),
        ("x.toml", 'id = "x"\ngame = "pebbles"\ngiven.a = ' + "[" * 100_000, 1, "nested too deeply"),
        ("x.json", '{"stationmaster": 99}', 1, "update Stationmaster"),
        ("x.toml", "id = 3", 1, "id: expected text, found 3"),
        ("x.toml", 'id = "x"\ngame = "pebbles"\nplayers = 9', 1, "Pebbles is for 2 to 3 players, not 9"),
        ("x.game", "nothing", 1, "is not a Stationmaster journal"),
    ],
)
def test_files_that_are_no_position(
    name: str, text: str, code: int, line: str, call: Call, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    said = call("legal", tmp_path / name)
    assert said.code == code
    assert line in said.err
    assert said.out == ""


def test_names_of_nothing(call: Call, game: str, tmp_path: Path, home: Path) -> None:
    assert call("show", "no").err == (
        f"stationmaster show: there is no game 'no' in {home}; saved games: g\n"
    )
    assert call("show", tmp_path / "no.game").err == (
        f"stationmaster show: there is no file {tmp_path / 'no.game'}\n"
    )
    assert call("legal", tmp_path / "no.toml").code == 2
    assert call("replay", tmp_path / "no.json").code == 2
    assert call("show", f"{tmp_path}/").code == 2
    (tmp_path / "latin.json").write_bytes(b'{"\xe9": 1}')
    assert "is not UTF-8 text" in call("show", tmp_path / "latin.json").err


def test_score_with_every_source(game: str, call: Call) -> None:
    assert call("score", game).out.splitlines()[0] == "       Ann  Ben"
    call("act", game, "take", "A", 2)
    assert call("score", game).out.splitlines() == [
        "         Ann  Ben",
        "pebbles    2",
        "total      2    0",
        "",
        "     points  source          rule",
        "Ann       2  pebbles  three  PB-CAP",
        "The game is not over.",
    ]
    said = call("score", game, "--final")
    assert "most pebbles" in said.out
    assert said.out.splitlines()[-1] == "places: 1 Ann; 2 Ben"
    sheet = call("score", game, "--json").json
    assert sheet["totals"] == {"A": 2, "B": 0}
    assert sheet["lines"][0] == {
        "seat": "A",
        "amount": 2,
        "source": "pebbles",
        "detail": "three",
        "rule": "PB-CAP",
    }
    assert (sheet["finished"], sheet["places"]) == (False, [])


def play_to_the_end(call: Call) -> str:
    call("new", "over", "--game", "pebbles", "--players", 2, "--virtual", "--seed", "3")
    for _ in range(20):
        answer = call("legal", "over", "--json").json
        if not answer["acting"]:
            return "over"
        call("act", "over", json.dumps(answer["offers"][0]))
    raise AssertionError("the game does not end")


def test_a_game_to_its_end_exported_replayed_imported(call: Call, tmp_path: Path) -> None:
    name = play_to_the_end(call)
    assert "The game is over." in call("show", name).out
    assert "Nobody is asked anything." in call("legal", name).out
    file = tmp_path / "over.json"
    assert call("export", name, "--out", file).err == f"written to {file}\n"
    assert call("export", name).out == file.read_text()
    assert json.loads(file.read_text())["secret"]["value"] == "3"
    lines = call("replay", file, "--json").json_lines
    assert set(lines[0]) == {"seq", "action", "ruling", "rule", "digest"}
    assert [line["seq"] for line in lines[:-1]] == list(range(1, len(lines)))
    assert lines[-1]["sheet"]["finished"] is True
    assert lines[-1]["sheet"]["totals"] == call("score", name, "--json").json["totals"]
    assert lines[-1]["differs"] is None
    assert "all as recorded" in call("replay", name).out
    said = call("import", file, "--name", "again")
    assert said.code == 0
    assert call("export", "again").out == file.read_text()
    assert call("import", file, "--name", "again").code == 1
    assert call("import", tmp_path / "no.json").code == 2
    assert call("import", file, "--name", "third", "--json").json["entries"] == len(lines) - 1


def test_the_seed_stays_secret_while_the_game_is_on(call: Call) -> None:
    call("new", "v", "--game", "pebbles", "--players", 2, "--virtual", "--seed", "very-secret")
    assert "very-secret" not in call("export", "v").out


def test_an_export_that_was_changed(game: str, call: Call, tmp_path: Path) -> None:
    text = call("export", game).out
    (tmp_path / "x.json").write_text(text.replace('"three"', '"five"'))
    for words in (["replay"], ["import"], ["show"]):
        said = call(*words, tmp_path / "x.json")
        assert said.code == 1
        assert "it was changed" in said.err


def test_a_replay_that_differs_says_where(game: str, call: Call, tmp_path: Path) -> None:
    from assistant.journal import Entry, MemoryJournal, export_text, import_memory

    good = import_memory(call("export", game).out)
    journal = MemoryJournal(good.header)
    journal.append([recorded.entry for recorded in good.entries()])
    journal.append(
        [Entry(kind="act", body={"action": {"do": "take", "seat": "A", "n": 9}}, digest="", by="A")]
    )
    (tmp_path / "bad.json").write_text(export_text(journal))
    said = call("replay", tmp_path / "bad.json", "--json")
    assert said.code == 1
    assert said.json_lines[-1] == {
        "sheet": None,
        "entries": 2,
        "differs": {"seq": 2, "why": "it was accepted and is now refused, PB-CAP {'cap': 3, 'n': 9}"},
    }
    assert said.json_lines[-2]["ruling"] == "refused"
    assert "entry 2" in said.err
    assert call("import", tmp_path / "bad.json").code == 1


def test_history_as_json_and_for_people(game: str, call: Call) -> None:
    call("act", game, "take", "A", 1)
    call("undo", game)
    assert call("history", game).out.splitlines() == [
        "   1  the table: draw cards three; now known to Ann, Ben: three",
        "   2- Ann: take A 1; Ann: +1 points, pebbles three",
        "   3  Ann: undo; entries 2",
    ]
    lines = call("history", game, "--json", "--viewer", "staff").json_lines
    assert [line["live"] for line in lines[:2]] == [True, False]
    assert call("history", game, "--viewer", "Z").code == 2


def test_case_files(call: Call, tmp_path: Path) -> None:
    head = 'game = "pebbles"\nplayers = 2\n'
    (tmp_path / "good.toml").write_text('id = "good"\n' + head)
    (tmp_path / "bad.toml").write_text('id = "bad"\n' + head + "[given]\npile = 'many'\n")
    said = call("case", tmp_path / "good.toml", "--json")
    assert (said.code, said.json, said.err) == (0, {"passed": 1, "failed": []}, "")
    said = call("case", tmp_path, "--json")
    assert said.code == 1
    assert said.json == {
        "passed": 1,
        "failed": [
            {
                "id": "bad",
                "file": str(tmp_path / "bad.toml"),
                "why": ["given: Expected `int | null`, got `str` - at `$.pile`"],
            }
        ],
    }
    said = call("case", tmp_path)
    assert said.out.splitlines()[-1] == "1 passed, 1 failed"
    assert call("case", tmp_path / "no.toml").code == 2
    (tmp_path / "empty").mkdir()
    assert call("case", tmp_path / "empty").code == 2


def test_a_game_can_begin_at_a_case(call: Call, tmp_path: Path) -> None:
    case = 'id = "m"\ngame = "pebbles"\nplayers = 3\n[given]\npile = 2\ncard = "one"\ndecks.cards = ["two"]\n'
    (tmp_path / "m.toml").write_text(case)
    assert call("new", "m", "--case", tmp_path / "m.toml").code == 0
    assert "take A 1" in call("legal", "m").out
    assert call("act", "m", "take", "A", 1).code == 0


def test_titles_and_games(game: str, call: Call, home: Path) -> None:
    said = call("titles")
    assert "pebbles: Pebbles, tests, 2 to 3 players (alpha)" in said.out
    rows = {row["id"]: row for row in call("titles", "--json").json}
    assert rows["pebbles"]["options"] == {"pile.open": [True, False]}
    assert rows["pebbles"]["packs"] == ["garden"]
    (home / "torn.game").write_text("not a record")
    rows = {row["name"]: row for row in call("games", "--json").json}
    assert rows["g"]["names"] == "Ann, Ben"
    assert rows["torn"]["sound"] is False
    assert "torn" in call("games").out


def test_a_shelf_that_is_wrong_is_told(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATIONMASTER_GAMES", str(tmp_path))
    said = call("titles")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert SHELF.exists()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"markers": ' + "[" * 930 + "]" * 930 + "}"])
def test_a_mat_file_nested_too_deeply_is_no_mat(text: str, call: Call, tmp_path: Path) -> None:
    (tmp_path / "mat.json").write_text(text)
    (tmp_path / "x.png").write_bytes(b"")
    said = call("read", tmp_path / "x.png", "--mat", tmp_path / "mat.json")
    assert said.code in (1, 2)
    assert "mat.json" in said.err
