"""Labels and sentences of a running game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.choosing import Option
from assistant.display import Change, Foresight
from assistant.events import Told
from assistant.games.railway_boom.actions import PlaceRT, TakeLoco
from tests.ui.presenters import playing as p
from ui.names import called as shorter
from ui.presenters import wording
from ui.presenters.words import Words


@pytest.fixture(scope="module")
def boom() -> Any:
    judge = p.table(p.game("railway_boom"))
    p.at(judge, "route", random.Random(3))
    return judge


def test_labels_name_cards_and_places(boom: Any) -> None:
    now = p.shown(boom)
    assert wording.option_label(now, Option("offer", "place_rt", PlaceRT("A", "g9"))) == "Rail on g9"
    assert (
        wording.option_label(now, Option("offer", "take_loco", TakeLoco("A", "L05"))) == "Take Locomotive L05"
    )
    assert wording.option_label(now, Option("value", "convert", value="money")) == "Money"
    assert wording.option_label(now, Option("value", "convert", value=3)) == "3"
    german = p.shown(boom, language="de")
    assert wording.option_label(german, Option("offer", "place_rt", PlaceRT("A", "g9"))) == "Schiene auf g9"
    assert wording.action_words(now, PlaceRT("B", "g9")) == "Jonas places a rail on g9"


def test_what_would_change_is_said_in_words(boom: Any) -> None:
    now = p.shown(boom)
    told = Told("end_turn", "A", {"next": "B"})
    foresight = Foresight((Change("coal", 3, 1), Change("vp", 0, 2)), told)
    assert wording.foresight_words(now, foresight) == "Jonas is next. 3 → 1 Coal, 0 → 2 VP."
    hidden = p.shown(boom, hidden_scores=True)
    assert wording.foresight_words(hidden, foresight) == "Jonas is next. 3 → 1 Coal."


def test_progress_says_where_a_game_stands() -> None:
    assert wording.progress_words(Words("en"), "round", 2, 4) == "Round 2 of 4"
    assert wording.progress_words(Words("de"), "lot", 3, 0) == "Los 3"
    assert wording.progress_words(Words("en"), "stage", 3, 5) == "3 / 5"
    assert wording.progress_words(Words("en"), "", 0, 0) == ""


def test_cards_speak_the_language_of_the_table(boom: Any) -> None:
    german, english = p.shown(boom, language="de"), p.shown(boom)
    faces = boom.referee.game.printed.cards
    assert all(wording.printed(english, face.subtitle) == face.subtitle for face in faces)
    starts = [wording.printed(german, face.subtitle) for face in faces if face.tint == "start_locomotive"]
    assert all("Platz" in said for said in starts)
    said = {wording.printed(german, text) for face in faces for text in (face.subtitle, *face.lines)}
    assert not [text for text in said if {"seat", "carriage", "gain", "per", "once", "own"} & {*text.split()}]
    assert wording.printed(german, "Tactical Expansion") == "Tactical Expansion"


@pytest.mark.parametrize(
    ("names", "called"),
    [
        ({"A": "Jonas", "B": ""}, {"A": "Jonas", "B": ""}),
        ({"A": "Maximiliana-Theodora", "B": "Anna Maria Sofia"}, {"A": "Maximiliana", "B": "Anna"}),
        ({"A": "Anna Maria Sofia", "B": "Anna Katharina"}, {"A": "A", "B": "B"}),
        ({"A": "Anna", "B": "Anna Katharina"}, {"A": "Anna", "B": "B"}),
        ({"A": "x" * 40}, {"A": "A"}),
    ],
)
def test_long_names_are_shortened_to_what_only_one_is_called(
    names: dict[str, str], called: dict[str, str]
) -> None:
    assert shorter(names) == called
