"""Where the mat is: to a tenth of a millimetre, whatever markers are hidden and whoever's lens it is."""

import math
from itertools import combinations
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from assistant.layout import LayoutError, Scene
from tests.vision.foreign import FX, ForeignTable, foreign_table
from tests.vision.tables import LOW, small_mat
from vision.geometry import SLOT_REACH_MM, Lens, MatGeometry, Places
from vision.markers import FoundMarker, find_markers
from vision.mat import Pose, lens_for, locate, pose_from
from vision.optics import before_lens, through_lens
from vision.simulator import Simulator


def off(pose: Pose | None, table: ForeignTable) -> float:
    """Largest error in mm over points all over the board."""
    assert pose is not None
    return float(np.linalg.norm(pose.to_mm(table.points_px) - table.points_mm, axis=1).max())


def markers(geometry: MatGeometry, pose: Pose) -> list[FoundMarker]:
    """What a perfect detector would find under a pose."""
    return [FoundMarker(p.id, pose.to_px(np.array(p.corners_mm))) for p in geometry.markers]


@pytest.mark.parametrize("seed", [1, 3])
def test_a_known_camera_places_points_to_a_few_hundredths(seed: int) -> None:
    table = foreign_table(seed, tilt_deg=10.0)
    pose = locate(table.picture, table.geometry())
    assert off(pose, table) < 0.05
    assert pose is not None
    assert pose.residual_mm < 0.05
    assert np.allclose(pose.to_px(table.points_mm), table.points_px, atol=0.2)


def test_an_unknown_camera_is_worked_out_from_the_markers() -> None:
    # Its field of view is 56 degrees, not the 66 that are assumed.
    table = foreign_table(1, tilt_deg=10.0)
    pose = locate(table.picture, table.geometry(camera=False))
    assert off(pose, table) < 0.2
    assert pose is not None
    assert pose.lens.k1 == pytest.approx(-0.04, abs=0.02)


@pytest.mark.parametrize("pair", list(combinations(range(4), 2)))
def test_any_two_markers_are_enough(pair: tuple[int, int]) -> None:
    table = foreign_table(1, tilt_deg=10.0)
    geometry = table.geometry()
    found = [m for m in find_markers(table.picture) if m.id in pair]
    assert off(pose_from(found, geometry, lens_for(table.picture, geometry)), table) < 0.7


def test_one_marker_is_not_enough() -> None:
    table = foreign_table(1, tilt_deg=10.0)
    geometry = table.geometry()
    found = find_markers(table.picture)[:1]
    assert pose_from(found, geometry, lens_for(table.picture, geometry)) is None


def perfect() -> tuple[MatGeometry, Lens, Pose, list[FoundMarker]]:
    table = foreign_table(1, tilt_deg=10.0)
    geometry = table.geometry()
    pose = locate(table.picture, geometry)
    assert pose is not None
    return geometry, pose.lens, pose, markers(geometry, pose)


def test_a_marker_that_was_moved_is_left_out() -> None:
    geometry, lens, truth, found = perfect()
    found[2] = FoundMarker(2, found[2].corners_px + [60.0, -25.0])
    pose = pose_from(found, geometry, lens)
    assert pose is not None
    assert sorted(m.id for m in pose.markers) == [0, 1, 3]
    point = np.array([[200.0, 100.0]])
    assert np.allclose(pose.to_mm(truth.to_px(point)), point, atol=0.01)


def test_a_second_copy_of_a_marker_is_left_out() -> None:
    geometry, lens, _, found = perfect()
    found.append(FoundMarker(1, found[1].corners_px - [300.0, -200.0]))
    pose = pose_from(found, geometry, lens)
    assert pose is not None
    assert pose.residual_mm < 0.01


def test_markers_of_another_mat_are_ignored() -> None:
    geometry, lens, _, found = perfect()
    strangers = [FoundMarker(m.id + 20, m.corners_px[::-1] + 100) for m in found]
    pose = pose_from([*strangers, *found], geometry, lens)
    assert pose is not None
    assert len(pose.markers) == 4
    assert pose_from(strangers, geometry, lens) is None


def test_a_wrong_focal_length_is_made_up_for() -> None:
    geometry, lens, truth, found = perfect()
    wrong = msgspec.structs.replace(lens, fx=FX * 1.3, fy=FX * 1.3)
    pose = pose_from(found, geometry, wrong)
    assert pose is not None
    grid = np.array([[x, y] for x in (60.0, 200.0, 340.0) for y in (60.0, 135.0, 210.0)])
    # The distortion belongs to a focal length, so a trace of it stays.
    assert np.abs(pose.to_mm(truth.to_px(grid)) - grid).max() < 1.0


def test_there_and_back_again() -> None:
    _, _, pose, _ = perfect()
    points = np.array([[0.0, 0.0], [400.0, 0.0], [400.0, 270.0], [0.0, 270.0], [200.0, 135.0]])
    assert np.allclose(pose.to_mm(pose.to_px(points)), points, atol=1e-6)
    assert pose.to_mm(np.zeros((0, 2))).shape == (0, 2)


def test_pixels_per_millimetre_are_those_of_the_lens() -> None:
    simulator = Simulator(small_mat(), LOW)
    pose = locate(simulator.render(Scene(())), MatGeometry.from_mat(small_mat()))
    assert pose is not None
    assert pose.px_per_mm(np.array([[180.0, 100.0]]))[0] == pytest.approx(LOW.lens.fx / 300, rel=0.003)
    assert pose.camera_mm == pytest.approx((180.0, 100.0, 300.0), abs=2)


def test_a_raised_thing_is_moved_towards_the_point_below_the_camera() -> None:
    pose = Pose(LOW.lens, np.eye(3), (100.0, 100.0, 900.0), {})
    moved = pose.raised(np.array([[500.0, 100.0], [100.0, 100.0]]), np.array([9.0, 9.0]))
    assert np.allclose(moved, [[496.0, 100.0], [100.0, 100.0]])


def test_half_the_picture_size_gives_the_same_place() -> None:
    table = foreign_table(1, tilt_deg=10.0)
    small = np.asarray(cv2.resize(table.picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    pose = locate(small.astype(np.uint8), table.geometry())
    assert pose is not None
    halved = (table.points_px + 0.5) / 2 - 0.5
    assert np.linalg.norm(pose.to_mm(halved) - table.points_mm, axis=1).max() < 0.15


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (40, 40), (1200, 3000)])
def test_a_picture_without_markers_has_none(shape: tuple[int, int]) -> None:
    assert find_markers(np.full(shape, 128, np.uint8)) == []


def test_an_unknown_dictionary_is_named() -> None:
    with pytest.raises(ValueError, match="DICT_9X9_7"):
        find_markers(np.zeros((50, 50), np.uint8), "DICT_9X9_7")


# ---- the mat file


def test_a_lens_of_no_length_is_refused() -> None:
    table = foreign_table(1, tilt_deg=10.0)
    broken: dict[str, Any] = {**table.mat, "camera": {**table.mat["camera"], "K": [[0, 0, 0]] * 3}}
    with pytest.raises(LayoutError, match="focal"):
        ForeignTable(table.picture, broken, (), table.points_mm, table.points_px).geometry()


def test_a_mat_file_that_is_missing_is_named(tmp_path: Any) -> None:
    with pytest.raises(LayoutError, match=r"nowhere\.json"):
        MatGeometry.from_file(tmp_path / "nowhere.json")
    (tmp_path / "text.json").write_text("not JSON")
    with pytest.raises(LayoutError, match=r"text\.json"):
        MatGeometry.from_file(tmp_path / "text.json")


def test_places_are_told_by_slot_then_by_hex() -> None:
    mat = small_mat()
    places = Places(MatGeometry.from_mat(mat))
    space = mat.space_named("h11")
    for slot in space.slots:
        assert places.at(*slot.box.centre) == ("h11", slot.id, (1, 1))
    x, y = space.centre
    assert places.at(x, y - 27) == ("h11", None, (1, 1))
    assert places.at(1.0, 100.0) == (None, None, None)
    box = mat.space_named("cards:2").slots[0].box
    assert places.at(box.x - 3, box.centre[1]) == ("cards:2", "1", None)
    assert places.at(box.x - 5, box.centre[1]) == (None, None, None)


def test_the_nearest_slot_within_reach_counts_and_of_equals_the_first() -> None:
    mat = MatGeometry.from_mat(small_mat())
    places = Places(mat)
    slots = [(space, slot) for space in mat.spaces for slot in space.slots]

    def plainly(x: float, y: float) -> tuple[str | None, str | None, tuple[int, int] | None]:
        """The same by looking at every slot."""
        cell = mat.hexgrid.at(x, y) if mat.hexgrid is not None else None
        near = []
        for number, (space, slot) in enumerate(slots):
            b = slot.box
            gap = math.hypot(max(b.x - x, x - b.x - b.w, 0.0), max(b.y - y, y - b.y - b.h, 0.0))
            if gap <= SLOT_REACH_MM and (cell is None or space.hex in (None, cell)):
                near.append((gap, number))
        if near:
            space, slot = slots[min(near)[1]]
            return space.id, slot.id, space.hex or cell
        return next((space.id for space in mat.spaces if cell and space.hex == cell), None), None, cell

    rng = np.random.default_rng(4)
    points = rng.uniform(-20, [mat.width_mm + 20, mat.height_mm + 20], (6000, 2))
    corners = [(slot.box.x + dx, slot.box.y + dy) for _, slot in slots for dx in (-4, 0, 2) for dy in (-4, 0)]
    for x, y in [*points.tolist(), *corners]:
        assert places.at(x, y) == plainly(x, y), (x, y)


@pytest.mark.parametrize(
    "brown",
    [
        {},
        {"k1": -0.2, "k2": 0.05, "k3": -0.01},
        {"p1": 0.002, "p2": -0.001},
        {"k1": 0.0, "k2": 0.0},
        {"k3": 0.01, "p1": -0.001},
    ],
)
def test_back_through_a_lens_comes_out_where_it_went_in(brown: dict[str, float]) -> None:
    lens = msgspec.structs.replace(Lens.camera_module_3(), **brown)
    flat = np.random.default_rng(5).uniform([-0.6, -0.35], [0.6, 0.35], (200, 2))
    seen = through_lens(flat, lens)
    expected, _ = cv2.projectPoints(
        np.column_stack([flat, np.ones(len(flat))]), np.zeros(3), np.zeros(3), lens.matrix, lens.distortion
    )
    assert seen == pytest.approx(expected.reshape(-1, 2), abs=1e-6)
    assert before_lens(seen, lens) == pytest.approx(flat, abs=1e-9)
    assert before_lens(seen[:1], lens).shape == (1, 2)
    assert before_lens(np.empty((0, 2)), lens).shape == (0, 2)


def test_a_point_beyond_a_hexs_edge_belongs_to_the_neighbour() -> None:
    grid = ((0, 0), (1, 0))
    mat = small_mat()
    places = Places(MatGeometry.from_mat(mat))
    assert mat.hexgrid is not None
    middle = np.mean([mat.hexgrid.centre(*cell) for cell in grid], axis=0)
    for side, cell in ((-0.1, grid[0]), (0.1, grid[1])):
        point: NDArray[np.float64] = middle + [side, -5.0]
        assert places.at(float(point[0]), float(point[1]))[2] == cell
