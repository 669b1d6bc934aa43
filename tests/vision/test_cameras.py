"""Cameras: one interface, pictures and nothing else."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tables import LOW, drawn, full_scene, small_mat
from vision.cameras import CameraError, EndOfFrames, kinds, open_camera, register
from vision.cameras.files import FolderCamera, ImageCamera, load_picture
from vision.cameras.simulated import SimulatedCamera
from vision.simulator import SimulatedTable


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
    assert {"image", "folder"} <= set(kinds())
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
    assert list(reachable) == ["y"]
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.frame()


def test_the_simulated_camera_refuses_colour() -> None:
    camera = SimulatedCamera(lambda: np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(CameraError, match="grey"):
        camera.frame()
