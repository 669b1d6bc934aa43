"""A stranger's game, written as the document tells, is found by its folder and is a game like any other."""

from __future__ import annotations

import random
import re
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import pytest

from assistant.cases import find, run, run_many
from assistant.display import Counter
from assistant.game import Game, NoGame, find_title, titles
from assistant.journal import Journal
from assistant.layout import is_own_payload, mat_faults
from assistant.offers import expand
from assistant.random_play import play
from assistant.referee import Referee, header_for
from assistant.rulings import Accepted
from tests import properties
from ui.cli import main

LONGEST = 150
"""Lines of Python that the page promises to be enough."""
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "adding-a-game.md"
FENCE = re.compile(r"^```(python|toml)\n(.*?)^```$", re.M | re.S)


def write_the_game(folder: Path) -> Path:
    """Put down every file that the document shows; parts of a file follow each other."""
    text = DOCUMENT.read_text()
    rules = text[: text.index("## Proving it")]
    files = {"packs/basic.toml": "", "locale/en.toml": "", "__init__.py": ""}
    for fence in FENCE.finditer(rules):
        named = re.findall(r"^`([\w/.]+)`$", rules[: fence.start()], re.M)
        # Functions shown by themselves are methods of the class before them.
        method = fence[2].startswith("def ")
        files[named[-1]] += textwrap.indent(fence[2], "    ") if method else "\n\n" + fence[2]
    for name, content in files.items():
        path = folder / "nim" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder / "nim"


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game[Any]:
    monkeypatch.setenv("STATIONMASTER_GAMES", str(write_the_game(tmp_path)))
    title = find_title("nim")
    return title.open(title.load_pack(title.default_pack), 2)


def test_it_has_the_properties_of_a_game(nim: Game[Any]) -> None:
    every = list(properties.expressible(nim, {"int": range(-1, 6)}))
    for seed in range(20):
        rng = random.Random(seed)
        played = properties.random_playout(nim, rng)
        for state in properties.states_of(nim, rng):
            properties.check_forms(nim, state, rng)
            properties.check_refusals(nim, state, every)
            properties.check_round_trip(nim, state)
        properties.check_undo(nim, played.actions, rng)
    properties.check_waiver(nim, "ND-2", lambda state: every)


def test_it_is_small_and_has_its_words(nim: Game[Any]) -> None:
    rules = (nim.title.folder / "__init__.py").read_text()
    assert len(rules.splitlines()) < LONGEST
    properties.check_words(nim, random.Random(1))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[words]", "[word]", r"no words for \['words.stones', 'words.vp'\]"),
        ('last_stone = "the last stone"', "", r"no words for \['sources.last_stone'\]"),
        ("[offers]", "[buttons]", r"no words for \['offers.take'\]"),
        ("[sources]", '[signs]\na = "b"\n[sources]', r"nothing reads the tables \['signs'\]"),
    ],
)
def test_words_that_a_game_lacks_are_found(nim: Game[Any], old: str, new: str, said: str) -> None:
    file = nim.title.folder / "locale" / "en.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(AssertionError, match=said):
        properties.check_words(nim, random.Random(1))


def test_another_language_has_the_same_keys(nim: Game[Any]) -> None:
    folder = nim.title.folder / "locale"
    words = (folder / "en.toml").read_text()
    (folder / "de.toml").write_text(words)
    properties.check_words(nim, random.Random(1), "de")
    (folder / "de.toml").write_text(words.replace("vp =", "points ="))
    with pytest.raises(AssertionError, match=r"en and de differ in .*'points'"):
        properties.check_words(nim, random.Random(1), "de")


def test_it_is_recorded_resumed_and_scored(nim: Game[Any], tmp_path: Path) -> None:
    actions = play(nim, random.Random(1)).actions
    with Journal.create(tmp_path / "evening.game", header_for(nim)) as journal:
        referee = Referee.new(nim, journal)
        assert all(isinstance(referee.submit(action), Accepted) for action in actions)
    with Journal.open(tmp_path / "evening.game") as journal:
        sheet = Referee.resume(journal).sheet()
    assert sorted(sheet.total(seat) for seat in nim.seats) == [0, 1]


def test_its_mat_and_scene_belong_together(nim: Game[Any]) -> None:
    mat = nim.mat()
    assert mat_faults(mat) == []
    assert len({piece.payload for piece in mat.pieces}) == len(mat.pieces) == 12
    assert all(is_own_payload(piece.payload) for piece in mat.pieces)
    scene = nim.scene(nim.start())
    assert [placement.space for placement in scene.placements] == [space.id for space in mat.spaces]


def test_its_screen_shows_the_heap_and_says_what_a_take_leaves(nim: Game[Any]) -> None:
    state = nim.start()
    display = nim.display(state)
    assert display.counter == Counter("stones", 12, 12)
    assert [strip.points for strip in display.strips] == [0, 0]
    assert len(display.strips) == len(nim.seats)
    hint = nim.foresee(state, next(expand(nim.offers(state, "A")))).hint
    assert hint is not None
    catalogue = tomllib.loads((nim.title.folder / "locale" / "en.toml").read_text())
    assert (hint.key in catalogue["hints"], hint.values) == (True, {"left": 11})
    assert {"why", "actions", "offers", "hints", "sources", "words"} <= set(catalogue)


def test_its_cases_run(nim: Game[Any], tmp_path: Path) -> None:
    case = tmp_path / "last-stones.toml"
    case.write_text(
        'id = "last-stones"\ngame = "nim"\ngiven = { stones = 2 }\n'
        'step = [{ do = { do = "take", seat = "A", count = 3 }, refused = "ND-3" },'
        ' { do = { do = "take", seat = "A", count = 2 }, expect = { points.A = 1, finished = true } }]\n'
    )
    assert run(case).why == ()
    # All that the folder of a game holds may be named: its pack and its words are no cases.
    (nim.title.folder / "cases").mkdir()
    case.rename(nim.title.folder / "cases" / case.name)
    assert [result.id for result in run_many(find([nim.title.folder]))] == ["last-stones"]


def test_what_is_no_game_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_GAMES", str(tmp_path))
    with pytest.raises(LookupError, match="holds no game"):
        titles()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("TITLE = NimTitle()", "", "holds no game"),
        ("TITLE = NimTitle()", "TITLE = NimTitle", "holds no game"),
        ("def faults", "def fault", "lacks Nim.faults$"),
        ("state_type = State", "", "lacks Nim.state_type$"),
        ('seats_rule = "ND-0"', "", "lacks NimTitle.seats_rule$"),
        ("waivable = frozenset", "waved = frozenset", "lacks Nim.waivable$"),
    ],
)
def test_what_a_game_lacks_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, said: str
) -> None:
    rules = write_the_game(tmp_path) / "__init__.py"
    assert old in rules.read_text()
    rules.write_text(rules.read_text().replace(old, new))
    monkeypatch.setenv("STATIONMASTER_GAMES", str(tmp_path / "nim"))
    with pytest.raises(NoGame, match=said):
        titles()


def test_a_game_that_fails_is_told_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_the_game(tmp_path)
    monkeypatch.setenv("STATIONMASTER_GAMES", str(folder))
    good = (folder / "__init__.py").read_text()
    new = ["new", "e", "--game", "nim", "--players", "2", "--games-dir", str(tmp_path / "games")]
    for old, wrong in (
        ("if not state.stones", "if not state.stone"),
        ("class NimTitle(", "class NimTitle(("),
    ):
        (folder / "__init__.py").write_text(good.replace(old, wrong))
        monkeypatch.setattr("sys.modules", {k: m for k, m in sys.modules.items() if "_nim_" not in k})
        if "Title" not in old:
            assert main(new) == 0
        assert main(["legal", "e", "--games-dir", str(tmp_path / "games")]) == 70
        line = good[: good.index(old)].count("\n") + 1
        assert f"a mistake in the game, at {folder}/__init__.py, line {line};" in capsys.readouterr().err


def test_words_that_cannot_be_read_are_said_before_there_is_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_the_game(tmp_path)
    monkeypatch.setenv("STATIONMASTER_GAMES", str(folder))
    with (folder / "locale" / "en.toml").open("a") as words:
        words.write("heap = 3\n")
    games = tmp_path / "games"
    assert main(["new", "e", "--game", "nim", "--players", "2", "--games-dir", str(games)]) == 1
    assert "en.toml: words.heap is not text" in capsys.readouterr().err
    assert not list(games.glob("*"))


def test_two_shelves_may_have_a_folder_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [write_the_game(tmp_path / shelf) for shelf in ("one", "other")]
    text = (folders[1] / "__init__.py").read_text()
    (folders[1] / "__init__.py").write_text(text.replace('id = "nim"', 'id = "mine"'))
    monkeypatch.setenv("STATIONMASTER_GAMES", ":".join(map(str, folders)))
    assert {"nim", "mine"} <= set(titles())
