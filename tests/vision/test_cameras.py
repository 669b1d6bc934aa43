"""Cameras: one interface, pictures and nothing else."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.cameras import (
    CameraBusy,
    CameraError,
    CameraForbidden,
    CameraGone,
    CameraNoMemory,
    CameraTimeout,
    EndOfFrames,
    kinds,
    open_camera,
    open_patiently,
    register,
)
from vision.cameras.faulty import FAULTS, Fault, FaultyCamera
from vision.cameras.files import FolderCamera, ImageCamera, load_picture
from vision.cameras.simulated import SimulatedCamera, TableFile
from vision.cameras.video import VideoCamera
from vision.simulator import SimulatedTable, View


def write(path: Path, level: int, shape: tuple[int, ...] = (20, 30)) -> Path:
    assert cv2.imwrite(str(path), np.full(shape, level, np.uint8))
    return path


def test_an_image_is_given_again_and_again(tmp_path: Path) -> None:
    with ImageCamera(write(tmp_path / "a.png", 77)) as camera:
        first, second = camera.frame(), camera.frame()
    assert first.y.shape == (20, 30)
    assert (first.y == 77).all()
    assert (first.generation, second.generation) == (1, 2)
    assert second.at >= first.at


def test_a_folder_is_shown_once_in_order(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.jpg", 10), ("c.PNG", 30)):
        write(tmp_path / name, level)
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = FolderCamera(tmp_path)
    assert [int(camera.frame().y[0, 0]) for _ in range(3)] == [10, 20, 30]
    with pytest.raises(EndOfFrames, match="3 pictures"):
        camera.frame()
    again = FolderCamera(tmp_path, loop=True)
    assert [again.frame().generation for _ in range(5)] == [1, 2, 3, 4, 5]
    later = FolderCamera(tmp_path)
    assert later.facts() is None
    later.skip(2)
    assert int(later.frame().y[0, 0]) == 30
    facts = later.facts()
    assert facts is not None
    assert (facts.width, facts.height) == (30, 20)


@pytest.mark.parametrize("shape", [(9, 7), (9, 7, 3), (9, 7, 4), (1, 7)])
def test_colour_and_transparency_become_grey(tmp_path: Path, shape: tuple[int, ...]) -> None:
    picture = load_picture(write(tmp_path / "p.png", 90, shape))
    assert picture.shape == shape[:2]
    assert picture.dtype == np.uint8
    assert abs(int(picture[0, 0]) - 90) <= 1


def test_what_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "text.png").write_text("hello")
    (tmp_path / "bare").mkdir()
    for name in ("empty.jpg", "text.png", "missing.jpg", "bare"):
        with pytest.raises(CameraError, match=name):
            load_picture(tmp_path / name)
    with pytest.raises(CameraError, match="holds no picture"):
        FolderCamera(tmp_path / "bare")
    with pytest.raises(CameraError, match="no folder"):
        FolderCamera(tmp_path / "nowhere")


def test_a_camera_is_opened_by_name(tmp_path: Path) -> None:
    image = write(tmp_path / "a.png", 5)
    assert isinstance(open_camera(f"image:{image}"), ImageCamera)
    assert isinstance(open_camera(str(image)), ImageCamera)
    assert isinstance(open_camera(f"folder:{tmp_path}"), FolderCamera)
    assert isinstance(open_camera(str(tmp_path)), FolderCamera)
    with pytest.raises(CameraError, match="image"):
        open_camera("periscope:left")
    assert {"faulty", "folder", "image", "picamera", "simulated", "video"} <= set(kinds())
    with pytest.raises(ValueError, match="image"):
        register("image", lambda what: ImageCamera(Path(what)))


def test_the_simulated_camera_hands_on_nothing_but_pixels() -> None:
    table = SimulatedTable(small_mat(), LOW, 4, drawn())
    table.lay(full_scene(small_mat()))
    camera = SimulatedCamera(table.picture, clock=iter([5.0, 6.0]).__next__)
    first, second = camera.frame(), camera.frame()
    assert first.y.shape == (LOW.height, LOW.width)
    assert (first.generation, first.at, second.at) == (1, 5.0, 6.0)
    assert not np.array_equal(first.y, second.y)
    reachable = {
        name: value for name, value in vars(first).items() if not isinstance(value, int | float | str)
    }
    assert [name for name, value in reachable.items() if value is not None] == ["y"]
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.frame()


def test_the_simulated_camera_refuses_colour() -> None:
    camera = SimulatedCamera(lambda: np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(CameraError, match="grey"):
        camera.frame()


def test_a_simulated_table_in_a_file_is_looked_at_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    with pytest.raises(CameraError, match="cannot be read"):
        open_camera(f"simulated:{path}")
    path.write_text('{"mat": 1}')
    with pytest.raises(CameraError, match="no simulated table"):
        open_camera(f"simulated:{path}")
    mat, view = small_mat(), View(width=384, height=216, height_mm=300.0, noise=0.0, shot=0.0)
    TableFile(mat, view=view, seed=3).write(path)
    with open_camera(f"simulated:{path}") as camera:
        empty = camera.frame().y
        assert np.array_equal(camera.frame().y, empty)
        TableFile(mat, full_scene(mat), view, 3).write(path)
        full = camera.frame().y
        assert not np.array_equal(full, empty)
        path.unlink()
        assert np.array_equal(camera.frame().y, full)


# ---- films


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Six pictures of 64 x 48, each 30 grey levels brighter than the one before."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for number in range(6):
        writer.write(np.full((48, 64, 3), 30 * number + 30, np.uint8))
    writer.release()
    return path


def test_a_film_is_shown_once(film: Path) -> None:
    with open_camera(str(film)) as camera:
        assert isinstance(camera, VideoCamera)
        seen = [camera.frame() for _ in range(6)]
        with pytest.raises(EndOfFrames, match="over after 6 pictures"):
            camera.frame()
        facts = camera.facts()
    assert [round(float(frame.y.mean()) / 30) for frame in seen] == [1, 2, 3, 4, 5, 6]
    assert [frame.generation for frame in seen] == [1, 2, 3, 4, 5, 6]
    assert seen[0].y.shape == (48, 64)
    assert facts is not None
    assert (facts.width, facts.height) == (64, 48)
    with pytest.raises(CameraError, match="closed"):
        camera.frame()


def test_a_film_over_and_over_or_from_the_middle(film: Path) -> None:
    with VideoCamera(film, loop=True) as camera:
        seen = [camera.frame() for _ in range(8)]
    assert [round(float(frame.y.mean()) / 30) for frame in seen[5:]] == [6, 1, 2]
    assert [frame.generation for frame in seen[5:]] == [6, 7, 8]
    with open_camera(f"video:{film}") as camera:
        camera.skip(4)
        assert round(float(camera.colour().mean()) / 30) == 5


def test_what_is_no_film_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("hello")
    for name, said in (("text.mp4", "not a film"), ("missing.mp4", "no film")):
        with pytest.raises(CameraError, match=said) as refused:
            open_camera(f"video:{tmp_path / name}")
        assert name in str(refused.value)


# ---- a camera with faults


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """Noise, red on the left and blue on the right, so that every fault shows."""
    noise = np.random.default_rng(1).integers(0, 60, (40, 60, 3), np.uint8)
    noise[:, :30, 2] += 190
    noise[:, 30:, 0] += 190
    path = tmp_path / "picture.png"
    assert cv2.imwrite(str(path), noise)
    return path


def test_faults_come_and_go_as_told(picture: Path) -> None:
    plain = load_picture(picture)
    camera = open_camera(f"faulty:dark=0.5@2-3,blur=2@3-,drop@5:image:{picture}")
    assert isinstance(camera, FaultyCamera)
    assert np.array_equal(camera.frame().y, plain)
    dark = camera.frame().y
    assert float(dark.mean()) == pytest.approx(float(plain.mean()) / 2, abs=1)
    both, blurred = camera.frame().y, camera.frame().y
    assert float(both.std()) < float(dark.std())
    assert float(blurred.std()) < float(plain.std())
    with pytest.raises(CameraTimeout, match="no picture within 2 s"):
        camera.frame()
    camera.tell()
    healed = camera.frame()
    assert np.array_equal(healed.y, plain)
    assert healed.generation == 6
    camera.tell("vanish")
    with pytest.raises(CameraGone, match="cable"):
        camera.frame()
    camera.close()


def test_a_bumped_cropped_or_padded_picture(picture: Path) -> None:
    plain = load_picture(picture)
    camera = FaultyCamera(ImageCamera(picture))
    camera.tell("move=5x-3")
    assert np.array_equal(camera.frame().y[:-3, 5:], plain[3:, :-5])
    camera.tell("pad=7")
    padded = camera.frame().y
    assert np.array_equal(padded, plain)
    assert padded.strides == (67, 1)
    assert not padded.flags.c_contiguous
    camera.tell("crop=0.2")
    assert np.array_equal(camera.frame().y, plain[4:36, 6:54])
    facts = camera.facts()
    assert facts is not None
    assert (facts.width, facts.height, facts.crop) == (48, 32, (6, 4, 48, 32))
    camera.tell("late=0.05")
    assert camera.frame().at - camera.frame().at < -0.04


def test_swapped_colours_and_frozen_pictures(picture: Path, tmp_path: Path) -> None:
    camera = FaultyCamera(ImageCamera(picture))
    right = camera.colour()
    camera.tell("swap")
    assert np.array_equal(camera.colour(), right[..., ::-1])
    frozen = FaultyCamera(FolderCamera(tmp_path, loop=True), [Fault.of("freeze@2-")])
    write(tmp_path / "z.png", 3)
    assert frozen.live
    assert not camera.live
    with pytest.raises(CameraError, match="no colours"):
        SimulatedCamera(lambda: np.zeros((4, 4), np.uint8)).colour()
    first = frozen.frame()
    later = [frozen.frame() for _ in range(3)]
    assert all(np.array_equal(frame.y, first.y) for frame in later)
    assert [frame.generation for frame in later] == [2, 3, 4]


def test_opening_is_refused_as_told(picture: Path) -> None:
    pauses: list[float] = []
    camera = open_patiently(f"faulty:busy=3:image:{picture}", sleep=pauses.append)
    assert pauses == [0.25, 0.5, 1.0]
    assert camera.frame().generation == 1
    with pytest.raises(CameraBusy):
        open_camera(f"faulty:busy=1,dark:image:{picture}")
    with pytest.raises(CameraNoMemory):
        open_camera(f"faulty:nomemory=1:image:{picture}")
    with pytest.raises(CameraForbidden, match="group 'video'"):
        open_patiently(f"faulty:forbidden:image:{picture}", sleep=pauses.append)
    assert len(pauses) == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("faulty:dark", "faulty:FAULTS:CAMERA"),
        ("faulty:dim:image:x", "there is no fault 'dim'; there are: drop, freeze"),
        ("faulty:dark=much:image:x", "'dark=much' is not written as"),
        ("faulty:dark@soon:image:x", "'dark@soon' is not written as"),
    ],
)
def test_a_fault_that_is_none_is_named(name: str, said: str) -> None:
    with pytest.raises(CameraError, match=said):
        open_camera(name)


def test_every_fault_can_be_named_without_a_value() -> None:
    for name in FAULTS:
        assert Fault.of(name).at(1)
        assert not Fault.of(f"{name}@2-3").at(4)
