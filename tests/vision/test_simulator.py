"""The simulated table looks like a table: right places, right sharpness, right noise, careless people."""

import itertools
import math

import cv2
import msgspec
import numpy as np
import pytest

from assistant.layout import Placement, Scene
from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.careless import CarelessHand, middle_of, outline, overlap
from vision.clutter import Hand, Litter, litter_picture
from vision.drawing import mat_drawing
from vision.geometry import MatGeometry
from vision.mat import locate
from vision.problems import edge_profile
from vision.simulator import MOSAIC_PX, SimulatedTable, Simulator, View

MAT = small_mat()
QUIET = msgspec.structs.replace(LOW, noise=0.0, shot=0.0)
BARE = Scene(())


def test_the_camera_is_the_camera_module_3() -> None:
    lens = View().lens
    assert (lens.width, lens.height) == (4608, 2592)
    assert lens.fx == pytest.approx(3548, abs=1)
    assert (lens.k1, lens.k2) == (-0.04, 0.01)


def test_the_same_seed_gives_the_same_bytes() -> None:
    scene = full_scene(MAT)
    hand = Hand(200, 100, 70)
    first = Simulator(MAT, LOW, 5, drawn()).render(scene, hands=[hand], frame=3)
    again = Simulator(MAT, LOW, 5, drawn())
    again.render(BARE, frame=9)
    assert np.array_equal(first, again.render(scene, hands=[hand], frame=3))
    assert not np.array_equal(first, again.render(scene, hands=[hand], frame=4))
    assert not np.array_equal(first, Simulator(MAT, LOW, 6, drawn()).render(scene, hands=[hand], frame=3))


def test_a_table_repeats_itself() -> None:
    pictures = []
    for _ in range(2):
        table = SimulatedTable(MAT, LOW, 8, drawn())
        table.lay(full_scene(MAT))
        table.picture()
        pictures.append(table.picture())
    assert np.array_equal(pictures[0], pictures[1])


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"tilt_deg": 6.0, "towards_deg": 200.0, "height_mm": 330.0},
        {"turn_deg": 3.0, "shift_mm": (8.0, -5.0)},
    ],
)
def test_the_markers_are_where_the_geometry_says(change: dict[str, float]) -> None:
    view = msgspec.convert({**msgspec.to_builtins(LOW), **change}, View)
    simulator = Simulator(MAT, view, 0, drawn())
    pose = locate(simulator.render(BARE), MatGeometry.from_mat(MAT), view.lens)
    assert pose is not None
    points = np.array([[20.0, 20.0], [340.0, 20.0], [340.0, 180.0], [20.0, 180.0], [180.0, 100.0]])
    assert np.abs(pose.to_mm(simulator.where(points)) - points).max() < 0.05
    assert pose.camera_mm[2] == pytest.approx(
        view.height_mm * math.cos(math.radians(view.tilt_deg)), rel=0.003
    )


def test_a_raised_point_is_seen_further_out() -> None:
    simulator = Simulator(MAT, LOW, 0, drawn())
    point = np.array([[300.0, 100.0]])
    flat, raised = simulator.where(point)[0], simulator.where(point, 10.0)[0]
    middle = simulator.where(np.array([[180.0, 100.0]]))[0]
    assert raised[0] - middle[0] == pytest.approx((flat[0] - middle[0]) * 300 / 290, rel=0.01)


@pytest.mark.parametrize("blur", [0.4, 0.8, 1.4])
def test_edges_are_as_soft_as_asked(blur: float) -> None:
    picture = Simulator(MAT, msgspec.structs.replace(QUIET, blur_px=blur), 0, drawn()).render(BARE)
    pose = locate(picture, MatGeometry.from_mat(MAT))
    assert pose is not None
    edges = [edge for marker in pose.markers if (edge := edge_profile(picture, marker))]
    # A pixel is a square: its own softness comes on top.
    expected = math.sqrt(blur**2 + MOSAIC_PX**2 + 1 / 12)
    assert np.median([edge[2] for edge in edges]) == pytest.approx(expected, rel=0.12)


def test_fine_print_turns_grey_and_does_not_flicker() -> None:
    rgb = mat_drawing(MAT).raster(8.0)
    printed = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(float)
    view = msgspec.structs.replace(QUIET, exposure=1.0, uneven=0.0)
    levels = []
    for shift in (0.0, 0.06, 0.12, 0.18):
        simulator = Simulator(MAT, msgspec.structs.replace(view, shift_mm=(shift, 0.0)), 0, drawn())
        picture = simulator.render(BARE)
        (x0, y0), (x1, y1) = simulator.where(np.array([[85.0, 70.0], [135.0, 100.0]]))
        levels.append(picture[round(y0) : round(y1), round(x0) : round(x1)].mean())
    expected = printed[560:800, 680:1080].mean()
    assert np.ptp(levels) < 1.5
    assert np.mean(levels) == pytest.approx(expected, rel=0.08)


def test_noise_grows_with_light() -> None:
    view = msgspec.structs.replace(LOW, noise=1.0, shot=0.15)
    simulator = Simulator(MAT, view, 0, drawn())
    frames = np.stack([simulator.render(BARE, frame=n).astype(float) for n in range(12)])
    spread, level = frames.std(axis=0), frames.mean(axis=0)
    for low, high in ((20, 60), (130, 200)):
        where = (level > low) & (level < high)
        expected = math.sqrt(1.0 + 0.15**2 * level[where].mean())
        assert spread[where].mean() == pytest.approx(expected, rel=0.15)


def test_exposure_and_unevenness_are_seen() -> None:
    paper = np.array([[150.0, 10.0], [350.0, 150.0], [45.0, 150.0]])

    def levels(**change: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        view = msgspec.convert({**msgspec.to_builtins(QUIET), **change}, View)
        simulator = Simulator(MAT, view, 1, drawn())
        picture = simulator.render(BARE)
        spots = np.round(simulator.where(paper)).astype(int)
        return np.array([picture[y - 3 : y + 4, x - 3 : x + 4].mean() for x, y in spots])

    assert levels(exposure=0.4).mean() == pytest.approx(levels(exposure=0.8).mean() / 2, rel=0.05)
    assert np.ptp(levels(uneven=0.6)) > np.ptp(levels(uneven=0.0))


def test_colour_and_grey_are_the_same_picture() -> None:
    simulator = Simulator(MAT, QUIET, 2, drawn())
    scene, hand = full_scene(MAT), [Hand(250, 90, 30)]
    grey, rgb = simulator.render(scene, hands=hand), simulator.render(scene, hands=hand, colour=True)
    assert rgb.shape == (*grey.shape, 3)
    assert np.abs(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(int) - grey).mean() < 0.8


def test_a_hand_is_darker_than_paper_and_casts_a_shadow() -> None:
    simulator = Simulator(MAT, QUIET, 0, drawn())
    bare = simulator.render(BARE).astype(int)
    covered = simulator.render(BARE, hands=[Hand(180, 100, 90)]).astype(int)
    difference = bare - covered
    palm = np.round(simulator.where(np.array([[180.0, 180.0]]), 25.0)[0]).astype(int)
    assert difference[palm[1], palm[0]] > 30
    assert 0.1 < (difference > 4).mean() < 0.6
    assert np.array_equal(simulator.render(BARE, hands=[Hand(9000, 9000)]).astype(int), bare)


def test_glare_blinds() -> None:
    view = msgspec.structs.replace(QUIET, glare=((180.0, 100.0, 15.0),))
    simulator = Simulator(MAT, view, 0, drawn())
    x, y = np.round(simulator.where(np.array([[180.0, 100.0]]))[0]).astype(int)
    assert simulator.render(BARE)[y, x] == 255


def test_a_moving_camera_smears_one_way() -> None:
    view = msgspec.structs.replace(QUIET, blur_px=0.3, motion_px=(6.0, 0.0))
    picture = Simulator(MAT, view, 0, drawn()).render(BARE).astype(float)
    still = (
        Simulator(MAT, msgspec.structs.replace(view, motion_px=(0.0, 0.0)), 0, drawn())
        .render(BARE)
        .astype(float)
    )
    assert np.abs(np.diff(picture, axis=1)).sum() < 0.75 * np.abs(np.diff(still, axis=1)).sum()
    assert np.abs(np.diff(picture, axis=0)).sum() > 0.8 * np.abs(np.diff(still, axis=0)).sum()


def test_things_at_the_edge_of_the_picture_are_cut() -> None:
    view = msgspec.structs.replace(QUIET, height_mm=120.0)
    picture = Simulator(MAT, view, 0, drawn()).render(full_scene(MAT), litter=[Litter("die", -400, -400)])
    assert picture.shape == (LOW.height, LOW.width)


@pytest.mark.parametrize("kind", ["qr", "bars", "die"])
def test_litter_has_its_size(kind: str) -> None:
    thing = msgspec.convert({"kind": kind, "x_mm": 0, "y_mm": 0, "size_mm": 20}, Litter)
    assert litter_picture(thing, 8.0).shape[1] == pytest.approx(160, abs=24)


def test_what_the_mat_does_not_have_cannot_be_laid() -> None:
    simulator = Simulator(MAT, LOW, 0, drawn())
    with pytest.raises(KeyError):
        simulator.render(Scene((Placement("NOBODY1", "h00", "A"),)))
    with pytest.raises(KeyError):
        simulator.render(Scene((Placement(MAT.pieces[0].payload, "h00", "Z"),)))


# ---- careless people


def test_pieces_lie_off_centre_and_turned() -> None:
    piece = MAT.pieces[0].payload
    lies = [
        CarelessHand(MAT, seed).lay(Scene((Placement(piece, "h11", "A"),))).placements[0]
        for seed in range(300)
    ]
    dx, dy = np.array([p.dx for p in lies]), np.array([p.dy for p in lies])
    turn = np.array([p.turn_deg for p in lies])
    assert np.std(np.concatenate([dx, dy])) == pytest.approx(1.5, rel=0.1)
    assert abs(dx.mean()) < 0.3
    assert 2 < np.median(np.abs(turn)) < 5
    assert np.abs(turn).max() > 12


def test_no_piece_lies_on_another() -> None:
    for seed in range(6):
        lies = CarelessHand(MAT, seed).lay(full_scene(MAT))
        shapes = [outline(MAT, placement) for placement in lies.placements]
        assert len(shapes) == 29
        assert not any(overlap(a, b) for a, b in itertools.combinations(shapes, 2))


def test_a_piece_that_stays_is_not_touched() -> None:
    hand = CarelessHand(MAT, 3)
    scene = full_scene(MAT)
    first = hand.lay(scene)
    fewer = hand.lay(Scene(scene.placements[5:]))
    assert fewer.placements == first.placements[5:]
    back = hand.lay(scene)
    assert back.placements[5:] == first.placements[5:]


def test_offsets_of_a_scene_are_kept() -> None:
    wanted = Placement(MAT.pieces[0].payload, "h11", "A", dx=2.0, dy=-1.0, turn_deg=90.0)
    table = SimulatedTable(MAT, LOW, 0, drawn())
    table.lay(Scene((wanted,)))
    lies = table.lies.placements[0]
    assert abs(lies.turn_deg - 90) < 50
    x, y = MAT.space_named("h11").slots[0].box.centre
    assert np.hypot(*(np.array(middle_of(MAT, lies)) - [x + 2.0, y - 1.0])) < 6


def test_a_bumped_camera_sees_the_same_table() -> None:
    table = SimulatedTable(MAT, LOW, 0, drawn())
    table.lay(full_scene(MAT))
    before = table.lies
    table.view_from(msgspec.structs.replace(LOW, shift_mm=(5.0, 3.0)))
    table.picture()
    assert table.lies == before
