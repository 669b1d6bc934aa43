"""Readings over time: what counts as a move, and what only looks like one."""

from collections.abc import Sequence

import pytest

from assistant.layout import Box, Slot, Space
from assistant.observation import Condition, Observation, Problem, Sighting
from vision.geometry import MatGeometry
from vision.watcher import OUTSIDE, Watcher

STEP = 0.25
"""Seconds between two pictures."""


def strip(*names: str) -> MatGeometry:
    """A row of spaces of 50 mm with two slots each."""
    spaces = tuple(
        Space(
            name,
            "map",
            "card",
            (25.0 + 50 * i, 25.0),
            tuple(Slot(slot, Box(50.0 * i + 22 * j + 5, 15, 20, 20)) for j, slot in enumerate("AB")),
        )
        for i, name in enumerate(names)
    )
    return MatGeometry(50.0 * len(names), 50.0, (), spaces=spaces)


MAT = strip("a", "b", "c", "d")
LEFT = {name: 50.0 * i for i, name in enumerate("abcd")}


def tag(
    payload: str, space: str = OUTSIDE, slot: str | None = "A", dx: float = 0.0, dy: float = 0.0
) -> Sighting:
    x = LEFT.get(space, 300.0) + (37 if slot == "B" else 15)
    return Sighting(payload, x + dx, 25.0 + dy, 0.0, 3.0, space or None, slot if space else None)


class Film:
    """Shows readings to a watcher, one every quarter of a second, and keeps what it gives."""

    def __init__(self, mat: MatGeometry | None = MAT, quiet_s: float = 1.0, patience_s: float = 6.0) -> None:
        self.watcher = Watcher(mat, quiet_s=quiet_s, patience_s=patience_s)
        self.at = 0.0
        self.given: list[Observation] = []

    def show(
        self,
        *tags: Sighting,
        seconds: float = STEP,
        hidden: Sequence[str] = (),
        doubtful: Sequence[str] = (),
        foreign: Sequence[str] = (),
        problems: Sequence[Problem] = (),
        moving: Sequence[str] = (),
        read: Sequence[str] | None = None,
    ) -> list[Observation]:
        """The observations that this adds."""
        before = len(self.given)
        for _ in range(round(seconds / STEP)):
            look = Observation(
                tags,
                frozenset(hidden),
                frozenset(doubtful),
                tuple(foreign),
                tuple(problems),
                self.at,
                read=None if read is None else frozenset(read),
                moving=frozenset(moving),
            )
            made = self.watcher.see(look)
            if made is not None:
                self.given.append(made)
            self.at += STEP
        return self.given[before:]


def lying(observation: Observation) -> dict[str, str]:
    return {s.payload: s.space or OUTSIDE for s in observation.sightings}


# ---- one card, many pictures


def test_a_card_in_view_for_long_is_one_event() -> None:
    film = Film()
    given = film.show(tag("P", "a"), seconds=75)
    assert [lying(look) for look in given] == [{"P": "a"}]
    assert given[0].at == pytest.approx(1.0)
    assert given[0].state("a").condition is Condition.HOLDS
    assert given[0].state("b").condition is Condition.EMPTY


def test_a_card_taken_away_and_shown_again_is_two_events() -> None:
    film = Film()
    given = film.show(seconds=2) + film.show(tag("P", "a"), seconds=2)
    given += film.show(seconds=2) + film.show(tag("P", "a"), seconds=2)
    assert [lying(look) for look in given] == [{}, {"P": "a"}, {}, {"P": "a"}]


def test_the_same_tag_twice_is_two_things() -> None:
    film = Film()
    (look,) = film.show(tag("P", "a", "A"), tag("P", "a", "B"), seconds=2)
    assert [(s.payload, s.slot) for s in look.sightings] == [("P", "A"), ("P", "B")]
    (look,) = film.show(tag("P", "a", "A"), tag("P", "c", "B"), seconds=2)
    assert [s.space for s in look.sightings] == ["a", "c"]
    (look,) = film.show(tag("P", "c", "B"), seconds=2)
    assert look.state("a").payloads == ()
    assert look.state("c").payloads == ("P",)


def test_two_tags_in_one_slot_and_overlapping_in_a_lane_are_normal() -> None:
    film = Film()
    (look,) = film.show(tag("P", "a", "A"), tag("Q", "a", "A", 4), tag("R", "a", "A", 8), seconds=2)
    assert look.state("a").payloads == ("P", "Q", "R")
    (look,) = film.show(tag("P", "a", "A"), tag("R", "a", "A", 8), seconds=2)
    assert look.state("a").payloads == ("P", "R")


# ---- moves


def test_a_slide_over_three_hexes_is_one_move() -> None:
    film = Film()
    film.show(tag("P", "a"), tag("Q", "b", "B"), seconds=2)
    for space in "aabbcc":
        assert not film.show(tag("P", space, dx=8), tag("Q", "b", "B"))
    given = film.show(tag("P", "d"), tag("Q", "b", "B"), seconds=3)
    assert [lying(look) for look in given] == [{"P": "d", "Q": "b"}]


def test_a_slow_slide_within_a_space_is_not_over_before_it_rests() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    film.show(tag("P", "b", dx=-6), seconds=0.5)
    for step in range(6):
        assert not film.show(tag("P", "b", dx=4.0 * step))
    given = film.show(tag("P", "b", "B"), seconds=2)
    assert [s.slot for look in given for s in look.sightings] == ["B"]


def test_two_quick_moves_come_with_their_order() -> None:
    film = Film()
    film.show(tag("P", "a"), tag("Q", "a", "B"), seconds=2)
    film.watcher.accepted()
    film.show(tag("P", "c"), tag("Q", "a", "B"))
    (look,) = film.show(tag("P", "c"), tag("Q", "b", "B"), seconds=2)
    assert lying(look) == {"P": "c", "Q": "b"}
    assert look.order == ("P", "Q")


def test_what_came_together_has_no_order() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    film.watcher.accepted()
    film.show(tag("P", "a"), tag("Q", "b"))
    film.show(tag("P", "a"), tag("Q", "b"), tag("R", "c"), tag("S", "d"))
    (look,) = film.show(tag("P", "a"), tag("Q", "b"), tag("R", "c"), tag("S", "d"), seconds=2)
    assert look.order == ("Q",)
    film.watcher.accepted()
    (look,) = film.show(tag("P", "a"), tag("Q", "b"), tag("R", "c"), seconds=2)
    assert look.order == ()


def test_a_piece_between_the_slots_is_halfway_and_no_move() -> None:
    film = Film()
    film.show(tag("P", "a"), tag("Q", "c"), seconds=2)
    (look,) = film.show(tag("P", "b", None, -14), tag("Q", "c"), seconds=2)
    assert lying(look) == {"Q": "c"}
    assert look.doubtful == {"a", "b"}
    (look,) = film.show(tag("P", "b", "A"), tag("Q", "c"), seconds=2)
    assert (lying(look), look.doubtful) == ({"P": "b", "Q": "c"}, frozenset())
    assert film.show(tag("P", "b", None, -14), tag("Q", "c"), seconds=2)[-1].doubtful == frozenset()


# ---- hidden is not gone


def test_a_hand_hides_and_what_was_under_it_stays_known() -> None:
    film = Film()
    film.show(tag("P", "a"), tag("Q", "b"), seconds=2)
    (look,) = film.show(tag("Q", "b"), hidden=["a"], seconds=2)
    assert lying(look) == {"Q": "b"}
    state = look.state("a")
    assert (state.condition, state.payloads) == (Condition.HIDDEN, ("P",))
    assert 0.5 <= state.age <= 1.5
    assert 0 < state.confidence < 0.5 < look.state("b").confidence
    later = film.watcher.now(film.at + 60).state("a")
    assert later.age > 60
    assert later.confidence < state.confidence
    (look,) = film.show(tag("P", "a"), tag("Q", "b"), seconds=2)
    assert look.state("a").condition is Condition.HOLDS
    assert look.order == film.given[0].order


def test_what_left_under_the_hand_is_gone_only_once_it_is_seen_to_be() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    film.show(hidden=["a"], seconds=2)
    assert film.watcher.now(film.at).state("a").payloads == ("P",)
    # One clear picture does not take it away.
    film.show(seconds=STEP)
    assert film.watcher.now(film.at).state("a").payloads == ("P",)
    (look,) = film.show(seconds=2)
    assert look.state("a") == look.state("b")


def test_what_moved_on_from_under_the_hand_is_not_there_any_more() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    (look,) = film.show(tag("P", "c"), hidden=["a"], seconds=2)
    assert look.state("a").payloads == ()
    assert look.state("c").payloads == ("P",)


def test_glare_that_leaves_a_tag_unread_is_doubtful_and_removes_nothing() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    (look,) = film.show(doubtful=["a"], seconds=2)
    assert (look.state("a").condition, look.state("a").payloads) == (Condition.DOUBTFUL, ("P",))
    (look,) = film.show(tag("P", "a"), seconds=2)
    assert lying(look) == {"P": "a"}


def test_tags_that_can_be_read_beside_a_hand_are_still_seen() -> None:
    film = Film()
    film.show(tag("P", "a"), tag("Q", "a", "B"), seconds=2)
    (look,) = film.show(tag("Q", "a", "B"), hidden=["a"], seconds=2)
    assert lying(look) == {"Q": "a"}
    assert look.state("a").payloads == ("P", "Q")


def test_a_camera_that_sees_no_mat_hides_everything() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    (look,) = film.show(problems=[Problem("no_mat", "no mat")], seconds=2)
    assert look.hidden == set("abcd")
    assert look.state("a").payloads == ("P",)
    assert [problem.kind for problem in look.problems] == ["no_mat"]


# ---- votes and quiet


def test_one_wrong_reading_is_outvoted() -> None:
    film = Film()
    film.show(tag("T12", "a"), seconds=2)
    given = film.show(tag("T17", "a")) + film.show(tag("T12", "a"), seconds=3)
    given += film.show() + film.show(tag("T12", "a"), seconds=3)
    assert given == []


def test_a_new_tag_needs_two_readings() -> None:
    film = Film(quiet_s=0.0)
    film.show(seconds=1)
    assert not film.show(tag("P", "a"))
    assert [lying(look) for look in film.show(tag("P", "a"))] == [{"P": "a"}]


def test_moving_spaces_do_not_count_and_break_the_quiet() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    assert not film.show(tag("P", "b"), moving=["a", "b"], seconds=3)
    given = film.show(tag("P", "b"), seconds=2)
    assert [lying(look) for look in given] == [{"P": "b"}]


def test_a_corner_that_never_rests_does_not_hold_up_the_rest() -> None:
    film = Film(patience_s=3.0)
    film.show(tag("P", "a"), seconds=2)
    given = film.show(tag("P", "a"), tag("Q", "b"), moving=["d"], seconds=5)
    assert [(lying(look), look.hidden) for look in given] == [({"P": "a", "Q": "b"}, frozenset({"d"}))]


def test_only_the_spaces_that_were_read_are_voted_on() -> None:
    film = Film()
    film.show(tag("P", "a"), tag("Q", "b"), seconds=2)
    assert not film.show(read=[], seconds=2)
    (look,) = film.show(tag("R", "b", "B"), read=["b"], seconds=2)
    assert lying(look) == {"P": "a", "R": "b"}
    assert look.state("a").age == 0


# ---- beside the spaces


def test_codes_that_are_not_ours_are_voted_on_too() -> None:
    film = Film()
    film.show(seconds=2)
    assert not film.show(foreign=["COFFEE"])
    assert film.show(seconds=2) == []
    (look,) = film.show(foreign=["COFFEE"], seconds=2)
    assert look.foreign == ("COFFEE",)


def test_tags_outside_every_space_are_kept_as_well() -> None:
    film = Film(mat=None)
    (look,) = film.show(tag("P"), tag("Q", "a"), seconds=2)
    assert lying(look) == {"P": OUTSIDE, "Q": "a"}
    assert set(look.spaces) == {"a"}
    (look,) = film.show(tag("Q", "a"), seconds=2)
    assert lying(look) == {"Q": "a"}


def test_noise_of_a_reading_is_no_news() -> None:
    film = Film()
    film.show(tag("P", "a"), seconds=2)
    for dx in (0.6, -0.5, 0.9, 0.0, 1.2) * 4:
        assert not film.show(tag("P", "a", dx=dx))


def test_a_lasting_problem_is_news_and_a_passing_one_is_not() -> None:
    film = Film()
    film.show(seconds=2)
    dark = Problem("too_dark", "too dark")
    assert not film.show(problems=[dark])
    assert not film.show(seconds=2)
    (look,) = film.show(problems=[dark], seconds=2)
    assert look.problems == (dark,)
