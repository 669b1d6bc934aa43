"""Every screen of the tour as eyes with a colour-vision deficiency see its pixels: what is written can be
read, what is drawn stands out, and seats are told apart.

What is measured are pixels: the colour of an element's ink where it stands, and the colour that most of its
ground has. Each is then looked at as each kind of eye does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from tests.ui.presenters.colour_vision import SIMULATIONS, contrast, distance, rgb, seen
from ui.kiosk.layout import Box, Placed
from ui.kiosk.shelf import offered
from ui.kiosk.staging import scenes
from ui.presenters import elements as e
from ui.presenters.metrics import metrics
from ui.presenters.present import page
from ui.presenters.theme import ANYBODY, SEATS, TERRAINS, TONES

SIZE = (1024, 600)
WORDS, GREY, SIGNS, SEATS_APART = 4.5, 3.0, 3.0, 15.0
"""Least contrast of words, of words on a button that has no answer now, and of edges and signs; least
CIEDE2000 between seats."""
NEAR = 8
"""Pixels that differ by no more than this of 255 from a colour, in each of red, green and blue, have it."""
Pixels = npt.NDArray[np.int16]
"""Red, green and blue from 0 to 255."""
Colour = npt.NDArray[np.float64]
"""The same from 0 to 1."""


class Pair(NamedTuple):
    """Two colours (sRGB, 0 to 1) that lie on each other, and how far apart they must be."""

    where: str
    ink: Colour
    ground: Colour
    least: float


class Picture(NamedTuple):
    """What was measured on one screen: pairs on each other, and the colour of each seat there."""

    name: str
    pairs: list[Pair]
    seats: dict[str, Colour]
    lost: list[str]
    """Elements of which no pixel has their colour."""


def cut(pixels: Pixels, box: Box) -> Pixels:
    """The pixels of a box, one a row."""
    rows = pixels[max(0, round(box.y)) : round(box.y + box.h), max(0, round(box.x)) : round(box.x + box.w)]
    return rows.reshape(-1, 3)


def most(pixels: Pixels) -> Colour:
    """The colour that most of the pixels have."""
    red, green, blue = pixels.T.astype(np.int32)
    whole = red << 16 | green << 8 | blue
    values, counts = np.unique(whole, return_counts=True)
    top = int(values[counts.argmax()])
    return np.array([top >> 16, top >> 8 & 255, top & 255]) / 255


def of(pixels: Pixels, colour: str) -> Colour | None:
    """The mean of the pixels that have a colour; None when there are none."""
    near = np.ones(len(pixels), bool)
    for channel, wanted in zip(pixels.T, (rgb(colour) * 255).round().astype(int), strict=True):
        near &= (channel >= wanted - NEAR) & (channel <= wanted + NEAR)
    return pixels[near].mean(axis=0) / 255 if near.any() else None


def inked(picture: Picture, pixels: Pixels, where: str, colour: str, least: float) -> None:
    """Measure an ink on the ground round it."""
    ink = of(pixels, colour)
    if ink is None:
        picture.lost.append(where)
    else:
        picture.pairs.append(Pair(where, ink, most(pixels), least))


def edge(picture: Picture, pixels: Pixels, where: str, box: Box) -> None:
    """Measure what sets a box off: the strongest of three pixels across its left edge, on what is outside."""
    y = round(box.y + box.h / 2)
    outside = pixels[y, max(0, round(box.x) - 3)] / 255
    across = pixels[y, round(box.x) + 1 : round(box.x) + 4] / 255
    ink = max(across, key=lambda one: contrast(seen(one, "normal"), seen(outside, "normal")))
    picture.pairs.append(Pair(where, ink, outside, SIGNS))


def seat(picture: Picture, pixels: Pixels, where: str, name: str) -> None:
    """Take in the colour of a seat where it is drawn."""
    colour = of(pixels, SEATS[name].colour)
    if colour is None:
        picture.lost.append(where)
    else:
        picture.seats[name] = colour


def button(picture: Picture, pixels: Pixels, where: str, el: e.Button, box: Box) -> None:
    """The words and the edge of a button."""
    live = el.intent is not None
    kind = {"paper": "ink", "plain": "text", "quiet": "text2"}[el.kind] if live else "rule"
    inner = Box(box.x + 6, box.y + 6, box.w - 12, box.h - 12)
    least = WORDS if live and el.text else SIGNS if live else GREY
    inked(picture, cut(pixels, inner), f"{where} {el.text}", TONES[kind], least)
    if live and el.kind != "quiet":
        edge(picture, pixels, f"{where} edge", box)


def hexes(picture: Picture, pixels: Pixels, where: str, el: e.Board, box: Box) -> None:
    """The signs of terrains, and the pieces by their colour or their edge."""
    from ui.kiosk.widgets import board

    wide, at = board.shown(el, box, metrics(*SIZE))
    half = wide * 0.42
    for one in el.hexes:
        if one.space not in at or one.wrong or any(token.seen for token in one.tokens):
            continue
        x, y = at[one.space]
        inside = cut(pixels, Box(x - half, y - half, 2 * half, 2 * half))
        for token in one.tokens:
            if not token.seat:
                inked(picture, inside, f"{where} {one.space}", ANYBODY.colour, 1.0)
                continue
            seat(picture, inside, f"{where} {one.space}", token.seat)
            colour, ink = of(inside, SEATS[token.seat].colour), of(inside, TONES["ink"])
            if colour is not None and ink is not None and len(one.tokens) == 1 and not token.station:
                picture.pairs.append(Pair(f"{where} {one.space} edge", ink, colour, SIGNS))
        terrain = TERRAINS[one.terrain]
        if terrain.sign and not one.tokens and not one.lit and not one.open:
            inked(picture, inside, f"{where} {one.space}", TONES["ink" if terrain.dark else "text"], SIGNS)


def measured(name: str, placed: list[Placed], pixels: Pixels) -> Picture:
    """What there is to measure on a screen."""
    picture = Picture(name, [], {}, [])
    for path, el, box in placed:
        where = f"{name} {path} {type(el).__name__}"
        inside = cut(pixels, box)
        if isinstance(el, e.Text) and el.text.strip():
            inked(picture, inside, f"{where} {el.text}", TONES[el.tone], WORDS)
        elif isinstance(el, e.Icon):
            inked(picture, inside, f"{where} {el.name}", TONES[el.tone], SIGNS)
        elif isinstance(el, e.Prompt):
            inked(picture, inside, f"{where} {el.text}", TONES["text"], WORDS)
            if el.detail:
                inked(picture, inside, f"{where} {el.detail}", TONES["text2"], WORDS)
            if el.signal != "none":
                inked(picture, cut(pixels, Box(box.x, box.y, 80, box.h)), where, TONES[el.signal], SIGNS)
        elif isinstance(el, e.Badge):
            seat(picture, inside, where, el.seat)
            inked(picture, inside, where, SEATS[el.seat].colour, 1.0 if el.side >= 40 else SIGNS)
            letter = of(inside, TONES["ink"])
            if el.side >= 40 and letter is not None and not el.hollow:
                picture.pairs.append(Pair(f"{where} letter", letter, picture.seats[el.seat], WORDS))
        elif isinstance(el, e.Button):
            button(picture, pixels, where, el, box)
        elif isinstance(el, e.Panel) and (el.edge or el.chosen):
            edge(picture, pixels, f"{where} edge", box)
        elif isinstance(el, e.Board):
            hexes(picture, pixels, where, el, box)
        elif isinstance(el, e.BidTrack):
            for cell in el.cells:
                if cell.disc is not None and not cell.disc.faint:
                    seat(picture, inside, where, cell.disc.seat)
        elif isinstance(el, e.Chart):
            for curve in el.curves:
                seat(picture, inside, where, curve.seat)
                inked(picture, inside, f"{where} {curve.name}", SEATS[curve.seat].colour, SIGNS)
    return picture


@pytest.fixture(scope="module")
def pictures(_window: None) -> list[Picture]:
    """Every screen of the tour, drawn once and measured."""
    return list(taken())


def taken() -> Iterator[Picture]:
    from kivy.core.window import Window

    from ui.kiosk.screen import PageWidget

    sizes = metrics(*SIZE)
    if tuple(Window.size) != SIZE:
        Window.size = SIZE
    for scene in scenes(sizes, "en", offered(("railway_boom", "auction"))):
        widget = PageWidget(sizes, lambda intent: None)
        Window.add_widget(widget)
        widget.update(page(scene.shown, scene.nav))
        yield measured(scene.name, widget.placed, drawn(widget))
        Window.remove_widget(widget)


def drawn(widget: Any) -> Pixels:
    """A widget's pixels, in rows from the top."""
    texture = widget.export_as_image().texture
    raw = np.frombuffer(texture.pixels, np.uint8).reshape(texture.height, texture.width, 4)
    return raw[:, :, :3].astype(np.int16)


def test_everything_is_drawn_in_its_colour(pictures: list[Picture]) -> None:
    assert len(pictures) > 50
    assert not [where for picture in pictures for where in picture.lost]


@pytest.mark.parametrize("kind", list(SIMULATIONS))
def test_words_are_read_and_signs_are_seen(pictures: list[Picture], kind: str) -> None:
    faint = [
        f"{pair.where}: {found:.2f} < {pair.least}"
        for picture in pictures
        for pair in picture.pairs
        if (found := contrast(seen(pair.ink, kind), seen(pair.ground, kind))) < pair.least
    ]
    assert not faint


@pytest.mark.parametrize("kind", list(SIMULATIONS))
def test_seats_are_told_apart(pictures: list[Picture], kind: str) -> None:
    alike = [
        f"{picture.name}: {one} and {other}"
        for picture in pictures
        for one, other in combinations(picture.seats, 2)
        if distance(seen(picture.seats[one], kind), seen(picture.seats[other], kind)) < SEATS_APART
    ]
    assert not alike
    assert any(len(picture.seats) == len(SEATS) for picture in pictures)
