"""Every screen in its states, drawn: everything fits, and the widget trees are as they are kept in `trees/`.

`make trees` writes the trees anew; what has changed then shows as a difference between texts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tests.ui.presenters.colour_vision import rgb
from ui.kiosk.layout import Box, fitted, least, need, prompt_height, widths
from ui.kiosk.shelf import offered
from ui.kiosk.staging import Recorder, Stage, scenes
from ui.presenters import elements as e
from ui.presenters.intents import Go, Intent, Set
from ui.presenters.metrics import metrics
from ui.presenters.nav import Nav
from ui.presenters.present import page
from ui.presenters.shown import House, Shown
from ui.presenters.theme import GROUNDS, TONES
from ui.presenters.words import Words

TREES = Path(__file__).parent / "trees"
SIZES = ((800, 480), (1024, 600), (1280, 800))


def drawn(size: tuple[int, int], language: str) -> Any:
    from ui.kiosk.screen import PageWidget

    sizes = metrics(*size)
    for scene in scenes(sizes, language, offered(("railway_boom", "auction"))):
        widget = PageWidget(sizes, lambda intent: None)
        widget.update(page(scene.shown, scene.nav))
        yield scene.name, widget


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_everything_fits(screen: Any, size: tuple[int, int], language: str) -> None:
    from ui.kiosk.screen import overfull

    faults = [f"{name}: {fault}" for name, widget in drawn(size, language) for fault in overfull(widget)]
    assert not faults


LONG_NAMES = {
    "A": "Maximiliana-Theodora von Hohenstein-Lang",
    "B": "Bartholomaeusweinbergerschlossfuehrertyp",
    "C": "Maximilian",
    "D": "[b]Bo[/b]",
}
"""Of 40 letters with and without a place to break them, and such as need no shortening."""


def cut_in_a_whole_game(
    size: tuple[int, int], language: str, players: int, names: dict[str, str] | None
) -> tuple[int, list[str]]:
    """How many pages of a whole game were drawn, and what did not stand on them whole.

    Each question of each round and seat is looked at once, plain and with options pointed at.
    """
    from ui.kiosk.screen import PageWidget, overfull

    stage = Stage(metrics(*size), language, offered(("railway_boom",)))
    game = Recorder("railway_boom", players, "fit", names)
    widget = PageWidget(stage.metrics, lambda intent: None)
    faults: dict[str, str] = {}
    told: set[tuple[str, ...]] = set()
    looked = 0
    while not game.view.finished:
        at = game.view.display.progress.at if game.view.display else 0
        question = (str(at), *(f"{each.seat} {each.why}" for each in game.view.acting))
        choice = next((each for each in game.view.choices if each.why), None)
        if question not in told and choice is not None:
            told.add(question)
            for index in (None, 0, len(choice.options) // 2):
                game.send("point", choice.seat, choice=choice.id, index=index)
                scene = stage.of("", game)
                widget.update(page(scene.shown, scene.nav))
                looked += 1
                for fault in overfull(widget):
                    faults.setdefault(fault, f"{question}: {fault}")
        game.step()
    return looked, list(faults.values())


def test_nothing_is_cut_in_any_state_of_a_whole_game(screen: Any) -> None:
    """Whatever is asked: numbers, prices, payments, prompts and names stand there whole. The smallest screen
    and two players; `make soak` looks at four, on other screens as well."""
    names = {seat: LONG_NAMES[seat] for seat in "AB"}
    looked, faults = cut_in_a_whole_game((800, 480), "de", 2, names)
    assert looked > 50
    assert not faults, "\n".join(faults)


def test_a_number_is_never_cut_for_its_neighbours_sake() -> None:
    """Where all is too wide, words give way down to the smallest type, and numbers stay whole."""
    m = metrics(1024, 600)
    number = e.Text(text="12", bold=True)
    row = e.Row(
        children=(e.Text(text="Jonas plays", shrink=True, size="button"), number, e.Icon(name="star"))
    )
    room = least(row, m) + 1
    words, figure, _ = widths(row, m, room)
    assert figure >= need(number, m, 500)[0] - 0.01
    assert fitted(row.children[0], m, words)[1:] == (("Jonas plays",), False)  # type: ignore[arg-type]
    growing = e.Row(
        children=(e.Text(text="Jonas", grow=1), e.Text(text="thinks it over", shrink=True), number)
    )
    first, _, last = widths(growing, m, least(growing, m) + 1)
    assert first >= need(growing.children[0], m, 500)[0] - 1
    assert last >= need(number, m, 500)[0] - 0.01


@pytest.mark.parametrize("size", SIZES)
def test_a_prompt_of_three_lines_stands_in_its_bar(screen: Any, size: tuple[int, int]) -> None:
    from ui.kiosk.widgets import plain

    m = metrics(*size)
    words = "a rail here costs 2 power and brings a tile " * 2
    box = Box(0, 0, m.width, prompt_height(m))
    said = e.Prompt("Aiko: rail on d8?", words, "clear", "C", e.Space(w=m.width / m.scale * 0.3))
    lines, cut = plain.prompt_lines(said, m, plain.prompt_room(said, box, m)[1])
    assert not cut
    assert len(lines) == 3
    assert lines[-1].foot <= box.h - 2
    _, cut = plain.prompt_lines(e.Prompt(words * 5), m, 300)
    assert cut


def test_the_chosen_space_is_marked_unlike_all_others(screen: Any) -> None:
    from ui.kiosk.screen import PageWidget
    from ui.kiosk.widgets import board as drawn_board

    hexes = tuple(
        e.Hex(f"{r}-{q}", q - r // 2, r, "city", lit=True, cost="2") for r in range(4) for q in range(6)
    )
    one = msgspec.structs.replace(hexes[9], chosen=True)
    maps = [e.Board(hexes=h, grow=1) for h in (hexes, (*hexes[:9], one, *hexes[10:]))]
    pictures, widget = [], PageWidget(metrics(1024, 600), lambda intent: None)
    screen.show(widget)
    for each in maps:
        widget.update(e.Page(id="map", body=e.Row(children=(each,))))
        screen.frames()
        pictures.append(screen.picture(widget)[..., 2::-1].astype(float) / 255)
    placed = next(p for p in widget.placed if isinstance(p.element, e.Board))
    wide, at = drawn_board.shown(placed.element, placed.box, widget.metrics)
    x, y = at[one.space]
    reach = round(wide)
    spot = (slice(max(0, round(y) - reach), round(y) + reach), slice(round(x) - reach, round(x) + reach))
    green = [np.abs(picture[spot] - rgb(TONES["clear"])).max(axis=2) < 0.05 for picture in pictures]
    assert not green[0].any()
    # The ring alone is a twelfth of the space's own area.
    assert green[1].sum() > wide * wide * 0.866 / 12


@pytest.mark.parametrize("size", SIZES)
def test_the_widget_trees_are_as_kept(screen: Any, size: tuple[int, int]) -> None:
    from ui.kiosk.tree import tree

    folder = TREES / f"{size[0]}x{size[1]}"
    made = {name: tree(widget) for name, widget in drawn(size, "en")}
    if os.environ.get("STATIONMASTER_WRITE_TREES"):
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.txt"):
            file.unlink()
        for name, text in made.items():
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    kept = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}
    changed = [name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)]
    assert not changed, f"make trees, and look at the difference: {sorted(changed)}"


def island(legend: int, across: int = 6) -> e.Page:
    """A map with a legend of so many entries."""
    hexes = tuple(e.Hex(f"{r}-{q}", q - r // 2, r, "city", lit=True) for r in range(6) for q in range(across))
    signs = tuple((e.Hex("", 0, 0, "city", open=True), f"sign {n}") for n in range(legend))
    intents: dict[str, Intent] = {one.space: Set({"at": one.space}) for one in hexes}
    board = e.Board(hexes=hexes, intents=intents, legend=signs, help=Go("legend"), grow=1)
    return e.Page(id="island", body=e.Row(children=(board,)))


def marked(size: tuple[int, int], page_: e.Page) -> tuple[Any, Any, list[Intent]]:
    """The widget of a map, the place of its "?", and what is said to it."""
    from ui.kiosk.screen import PageWidget
    from ui.kiosk.widgets.board import help_box

    said: list[Intent] = []
    widget = PageWidget(metrics(*size), said.append)
    widget.update(page_)
    placed = next(one for one in widget.placed if isinstance(one.element, e.Board))
    return widget, help_box(placed.element, placed.box, widget.metrics), said


@pytest.mark.parametrize(("size", "signs"), [((800, 480), 1), ((1024, 600), 12), ((1280, 800), 12)])
def test_a_legend_that_finds_no_room_is_a_sign_to_touch(
    screen: Any, size: tuple[int, int], signs: int
) -> None:
    screen.resize(size)
    widget, spot, said = marked(size, island(signs))
    assert spot is not None
    assert min(spot.w, spot.h) >= widget.metrics.target
    screen.show(widget)
    for x, y in ((spot.x + 2, spot.y + 2), (spot.x + spot.w - 2, spot.y + spot.h - 2)):
        screen.tap(x, size[1] - y)
    assert said == [Go("legend"), Go("legend")]
    board = next(one for one in widget.placed if isinstance(one.element, e.Board)).box
    assert board.x <= spot.x < spot.x + spot.w <= board.x + board.w
    assert board.y <= spot.y < spot.y + spot.h <= board.y + board.h


def test_a_legend_that_finds_room_stands_on_the_map(screen: Any) -> None:
    _, spot, _ = marked((1024, 600), island(3, 4))
    assert spot is None
    _, spot, _ = marked((800, 480), island(0))
    assert spot is None


@pytest.mark.parametrize("size", SIZES)
def test_the_first_screen_has_a_line_with_a_stop_over_each_column(screen: Any, size: tuple[int, int]) -> None:
    from ui.kiosk.screen import PageWidget

    screen.resize(size)
    sizes = metrics(*size)
    house = House("Table 4", offered(("railway_boom", "auction")))
    widget = PageWidget(sizes, lambda intent: None)
    widget.update(page(Shown(house, sizes, Words("en")), Nav()))
    screen.show(widget)
    line = next(one for one in widget.placed if isinstance(one.element, e.Rule))
    columns = [one for one in widget.placed if one.path.startswith("body/2/") and one.path.count("/") == 2]
    assert len(columns) == line.element.stops == 2
    across = screen.picture(widget)[round(line.box.y + line.box.h / 2), :, 2::-1] / 255
    paper = np.flatnonzero(np.abs(across - rgb(TONES["paper"])).max(axis=1) < 0.05)
    for column in columns:
        middle = column.box.x + column.box.w / 2
        ring = paper[np.abs(paper - middle) <= sizes.px(11)]
        assert abs(ring.mean() - middle) <= 1
        assert np.ptp(ring) >= sizes.px(14)
        assert np.abs(across[round(middle)] - rgb(GROUNDS["night"])).max() < 0.05
    for edge in (2, size[0] - 3):
        assert np.abs(across[edge] - rgb(TONES["rule"])).max() < 0.05
