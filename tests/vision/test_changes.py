"""The incremental path: only what changed is read, and a bumped camera recovers by itself."""

from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from assistant.layout import Placement, Scene
from assistant.observation import Condition, Observation
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.cameras.base import Frame
from vision.changes import ChangeMap, Eye, QuickReader, low_of
from vision.clutter import Hand, Litter
from vision.geometry import MatGeometry
from vision.mat import Pose, locate
from vision.optics import Image
from vision.simulator import SimulatedTable, View

MAT = small_mat()
OURS = MatGeometry.from_mat(MAT)
NAMES = frozenset(space.id for space in MAT.spaces)


def laid(*, without: str = "", extra: tuple[Placement, ...] = ()) -> Scene:
    """The full scene without a payload, with others added."""
    kept = tuple(p for p in full_scene(MAT, without=frozenset({"h21"})).placements if p.payload != without)
    return Scene(kept + extra)


def placed(space: str, slot: str) -> Placement:
    """What lies in a slot of the full scene."""
    return next(p for p in full_scene(MAT).placements if (p.space, p.slot) == (space, slot))


MOVER = placed("h00", "A")
THERE = Placement(MOVER.payload, "h21", "A")
MOVED = laid(without=MOVER.payload, extra=(THERE,))


class Show:
    """A simulated table before a pair of eyes."""

    def __init__(self, view: View = LOW, quiet_s: float = 0.4, scene: Scene | None = None) -> None:
        self.table = SimulatedTable(MAT, view, 1, drawn())
        self.table.lay(laid() if scene is None else scene)
        self.eye = Eye(OURS, OURS.payloads, quiet_s=quiet_s)
        self.looks: list[Observation] = []
        quick = self.eye.quick
        self.at = 0.0
        look = quick.look

        def kept(frame: Frame) -> Observation:
            self.looks.append(look(frame))
            return self.looks[-1]

        quick.look = kept  # type: ignore[method-assign]

    def see(self, count: int = 1, step: float = 0.2) -> Iterator[Observation]:
        """The observations that so many pictures give."""
        for _ in range(count):
            self.at += step
            made = self.eye.see(Frame(self.table.picture(), len(self.looks) + 1, self.at, "test"))
            if made is not None:
                yield made

    def given(self, count: int, step: float = 0.2) -> list[Observation]:
        return list(self.see(count, step))


def lying(observation: Observation) -> set[tuple[str, str | None]]:
    return {(s.payload, s.space) for s in observation.sightings}


def truth(scene: Scene) -> set[tuple[str, str]]:
    return {(placement.payload, placement.space) for placement in scene.placements}


# ---- what counts as a change


def pictures(*scenes: Scene, view: View = LOW) -> tuple[Pose, list[Image]]:
    table = SimulatedTable(MAT, view, 1, drawn())
    out = []
    for scene in scenes:
        table.lay(scene)
        out.append(table.picture())
    pose = locate(out[0], OURS)
    assert pose is not None
    return pose, out


def compared(pose: Pose, before: Image, after: Image) -> frozenset[str]:
    rows, columns = before.shape
    small = low_of(before)
    changes = ChangeMap(OURS, pose, (rows, columns), (small.shape[0], small.shape[1]))
    changes.compare(small, 0.0)
    changes.settle_all()
    return changes.compare(low_of(after), 10.0).differ


def test_noise_is_no_change_and_a_moved_token_is_two() -> None:
    pose, (one, same, other) = pictures(laid(), laid(), MOVED)
    assert compared(pose, one, same) == frozenset()
    assert compared(pose, one, other) == {"h00", "h21"}


def test_another_token_in_the_same_slot_is_a_change() -> None:
    first, second = placed("h00", "A"), placed("h20", "A")
    here = Placement(first.payload, "h10", "A")
    there = msgspec.structs.replace(here, payload=second.payload)
    gone = {first.payload, second.payload, placed("h10", "A").payload}
    rest = tuple(p for p in full_scene(MAT).placements if p.payload not in gone)
    pose, (one, other) = pictures(Scene((*rest, here)), Scene((*rest, there)))
    assert compared(pose, one, other) == {"h10"}


@pytest.mark.parametrize("factor", [0.6, 0.85, 1.15])
def test_another_light_is_no_change(factor: float) -> None:
    pose, (one, other) = pictures(laid(), MOVED)
    dimmed = [np.clip(p.astype(np.float32) * factor, 0, 255).astype(np.uint8) for p in (one, other)]
    assert compared(pose, one, dimmed[0]) == frozenset()
    assert compared(pose, one, dimmed[1]) == {"h00", "h21"}


def test_a_dim_picture_shows_changes_as_well() -> None:
    pose, (one, same, other) = pictures(
        laid(), laid(), MOVED, view=msgspec.structs.replace(LOW, exposure=0.2)
    )
    assert compared(pose, one, same) == frozenset()
    assert compared(pose, one, other) == {"h00", "h21"}


def test_motion_is_told_from_change_by_pictures_that_follow_closely() -> None:
    pose, (one, other) = pictures(laid(), MOVED)
    rows, columns = one.shape
    small = low_of(one)
    changes = ChangeMap(OURS, pose, (rows, columns), (small.shape[0], small.shape[1]))
    changes.compare(small, 0.0)
    changes.settle_all()
    assert changes.compare(low_of(other), 0.1).moving == {"h00", "h21"}
    after = changes.compare(low_of(other), 0.2)
    assert after.differ == {"h00", "h21"}
    assert not after.moving
    changes.settle(["h00"])
    assert changes.compare(low_of(other), 0.3).differ == {"h21"}


def test_a_small_picture_is_made_by_a_whole_factor() -> None:
    assert low_of(np.zeros((2592, 4608), np.uint8)).shape == (648, 1152)
    assert low_of(np.zeros((30, 40), np.uint8)).shape == (30, 40)
    assert low_of(np.zeros((1, 3000), np.uint8)).shape == (1, 1000)


# ---- reading only what changed


def test_a_move_is_given_once_and_only_its_spaces_are_read() -> None:
    show = Show()
    (first,) = show.given(6)
    assert lying(first) == truth(laid())
    assert {first.condition(name) for name in NAMES} == {Condition.HOLDS, Condition.EMPTY}
    show.eye.accepted()
    before = len(show.looks)
    show.table.lay(MOVED)
    (second,) = show.given(6)
    assert lying(second) == truth(MOVED)
    assert second.order == (MOVER.payload,)
    quick = [look for look in show.looks[before:] if look.read is not None]
    assert quick[0].moving == {"h00", "h21"}
    assert quick[0].read == frozenset()
    assert {frozenset(look.read or ()) for look in quick[1:]} == {frozenset({"h00", "h21"}), frozenset()}
    # Every look is complete: what was not read is as it was.
    assert truth(laid(without=MOVER.payload)) <= lying(show.looks[-1])


def test_the_small_stream_of_a_camera_is_used() -> None:
    quick = QuickReader(OURS, OURS.payloads)
    table = SimulatedTable(MAT, LOW, 1, drawn())
    table.lay(laid())
    picture = table.picture()
    low = low_of(picture)
    for i in range(3):
        look = quick.look(Frame(picture, i + 1, 0.1 * i, "test", low))
    # Only the small picture changes: the spaces are looked at, and nothing new is found.
    changed = low.copy()
    pose = quick.pose
    assert pose is not None
    x, y = pose.to_px(np.array([MAT.space_named("h10").centre]))[0] / 2
    changed[int(y) - 8 : int(y) + 8, int(x) - 8 : int(x) + 8] = 0
    look = quick.look(Frame(picture, 9, 1.2, "test", changed))
    assert look.read == frozenset({"h10"})
    assert lying(look) == truth(laid())


def test_the_whole_picture_is_read_every_now_and_then() -> None:
    show = Show()
    show.given(20)
    whole = [look.at for look in show.looks if look.read is None]
    assert whole[:3] == pytest.approx([0.2, 0.4, 0.6])
    assert whole[3:] == pytest.approx([2.2, 3.8])


def test_a_foreign_code_is_confirmed_by_whole_pictures() -> None:
    show = Show()
    show.given(6)
    x, y = MAT.space_named("h21").centre
    show.table.litter = (Litter("qr", x, y, text="COFFEE"),)
    (look,) = show.given(6)
    assert look.foreign == ("COFFEE",)
    assert look.condition("h21") in (Condition.HIDDEN, Condition.DOUBTFUL)
    show.table.litter = ()
    assert show.given(10)[-1].foreign == ()


# ---- hands, glare, bumps


def test_a_hand_that_comes_and_goes_changes_nothing() -> None:
    show = Show()
    show.given(6)
    for x in (60, 90, 120):
        show.table.hands = (Hand(x, 95, 60),)
        assert show.given(1) == []
    (under,) = show.given(6)
    assert under.hidden
    assert lying(under) < truth(laid())
    for payload, space in truth(laid()) - lying(under):
        assert payload in under.state(space).payloads
    show.table.hands = ()
    (after,) = show.given(8)
    assert (lying(after), after.hidden) == (truth(laid()), frozenset())


def test_glare_hides_and_removes_nothing() -> None:
    show = Show()
    show.given(6)
    x, y = MAT.space_named("h11").centre
    show.table.view_from(msgspec.structs.replace(LOW, glare=((x, y, 26.0),)))
    (look,) = show.given(8)
    assert "h11" in look.hidden | look.doubtful
    lost = truth(laid()) - lying(look)
    assert all(payload in look.state(space).payloads for payload, space in lost)


def test_a_bumped_camera_recovers_by_itself_within_two_seconds() -> None:
    show = Show()
    show.given(6)
    show.table.view_from(msgspec.structs.replace(LOW, shift_mm=(12.0, -6.0), tilt_deg=2.0))
    bumped = show.at
    given = show.given(8)
    right = [
        look.at
        for look in show.looks
        if look.at > bumped and lying(look) == truth(laid()) and not look.hidden
    ]
    assert right[0] - bumped <= 2.0
    assert show.eye.quick.moves == 1
    # Nothing has happened on the table, and nothing is told of it.
    assert given == []


def test_a_covered_marker_is_no_bump() -> None:
    show = Show()
    show.given(6)
    show.table.hands = (Hand(342, 18, 0),)
    show.given(6)
    assert show.eye.quick.moves == 0
    assert lying(show.eye.watcher.now(show.at)) == truth(laid())


def test_a_camera_turned_away_and_back_is_blind_meanwhile() -> None:
    show = Show()
    show.given(6)
    show.table.view_from(msgspec.structs.replace(LOW, shift_mm=(900.0, 0.0)))
    (blind,) = show.given(8)
    assert blind.hidden == NAMES
    assert [problem.kind for problem in blind.problems] == ["no_mat"]
    assert show.eye.quick.area(Frame(np.zeros((2, 2), np.uint8), 1, 0.0, "test")) is None
    show.table.view_from(LOW)
    (again,) = show.given(8)
    assert (lying(again), again.hidden, again.problems) == (truth(laid()), frozenset(), ())


def test_the_area_is_where_the_mat_lies() -> None:
    quick = QuickReader(OURS, OURS.payloads)
    table = SimulatedTable(MAT, LOW, 1, drawn())
    frame = Frame(table.picture(), 1, 0.0, "test")
    quick.look(frame)
    x, y, w, h = quick.area(frame) or (0, 0, 0, 0)
    scale = table.simulator.lens.fx / LOW.height_mm
    assert (w, h) == pytest.approx((MAT.width_mm * scale, MAT.height_mm * scale), rel=0.02)
    assert (x + w / 2, y + h / 2) == pytest.approx((LOW.width / 2, LOW.height / 2), abs=12)


def test_the_same_pictures_give_the_same_observations() -> None:
    made = []
    for _ in range(2):
        show = Show()
        given = show.given(6)
        show.table.lay(MOVED)
        made.append(given + show.given(6))
    assert made[0] == made[1]
