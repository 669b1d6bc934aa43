"""The palette: contrasts of text and edges, and colours that stay apart for every kind of eye."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tests.ui.presenters.colour_vision import SIMULATIONS, distance, rgb, seen
from ui.presenters.theme import GROUNDS, SEATS, TERRAINS, TONES, contrast

SIGNALS = ("clear", "caution", "stop")
FLOORS = {"seats": 15.0, "signals": 10.0, "terrains": 6.0}


def colours(group: str) -> dict[str, str]:
    if group == "seats":
        return {name: look.colour for name, look in SEATS.items()}
    if group == "signals":
        return {name: TONES[name] for name in SIGNALS}
    return {look.fill: look.fill for name, look in TERRAINS.items() if name != "field"}


@pytest.mark.parametrize("kind", list(SIMULATIONS))
@pytest.mark.parametrize("group", list(FLOORS))
def test_colours_of_a_group_stay_apart(group: str, kind: str) -> None:
    seen_as = {name: seen(rgb(value), kind) for name, value in colours(group).items()}
    near = min((distance(seen_as[a], seen_as[b]), a, b) for a, b in combinations(seen_as, 2))
    assert near[0] >= FLOORS[group], near


@pytest.mark.parametrize("tone", ["text", "text2", "clear", "caution", "seen"])
@pytest.mark.parametrize("ground", list(GROUNDS))
def test_words_are_readable_on_every_ground(tone: str, ground: str) -> None:
    assert contrast(TONES[tone], GROUNDS[ground]) >= 4.5


@pytest.mark.parametrize("ground", ["night", "ballast", "sleeper"])
def test_the_stop_tone_is_readable_where_it_is_written(ground: str) -> None:
    assert contrast(TONES["stop"], GROUNDS[ground]) >= 4.5


@pytest.mark.parametrize("paper", ["paper", "lit", "clear", "caution"])
def test_ink_is_readable_on_light(paper: str) -> None:
    assert contrast(TONES["ink"], TONES[paper]) >= 4.5


@pytest.mark.parametrize("ground", list(GROUNDS))
def test_edges_can_be_seen(ground: str) -> None:
    assert contrast(TONES["rule"], GROUNDS[ground]) >= 3.0


@pytest.mark.parametrize("seat", list(SEATS))
def test_letters_are_readable_on_their_seat(seat: str) -> None:
    assert contrast(TONES["ink"], SEATS[seat].colour) >= 4.5


@pytest.mark.parametrize("seat", list(SEATS))
def test_a_piece_stands_out_on_every_terrain(seat: str) -> None:
    """By its colour or by its ink edge."""
    for name, terrain in TERRAINS.items():
        own, edge = contrast(SEATS[seat].colour, terrain.fill), contrast(TONES["ink"], terrain.fill)
        assert max(own, edge) >= 3.0, name


def test_signs_stand_out_on_their_terrain() -> None:
    for name, terrain in TERRAINS.items():
        if terrain.sign:
            sign = TONES["ink"] if terrain.dark else TONES["text"]
            assert contrast(sign, terrain.fill) >= 3.0, name


def test_seats_differ_in_shape_and_in_dash() -> None:
    assert len({look.shape for look in SEATS.values()}) == len(SEATS)
    assert len({look.dash for look in SEATS.values()}) == len(SEATS)


def test_the_distance_is_the_published_one() -> None:
    """Red and green of sRGB are 86.61 apart, by every implementation of CIEDE2000."""
    red, green = seen(rgb("#FF0000"), "normal"), seen(rgb("#00FF00"), "normal")
    assert distance(red, green) == pytest.approx(86.61, abs=0.05)
    assert distance(red, red) == pytest.approx(0.0, abs=1e-9)
    assert np.isclose(distance(red, green), distance(green, red))
