"""Our picamera camera on the real picamera2 and libcamera's virtual camera (`make test-camera`).

Not part of the ordinary run: libcamera has to be built for it, see docs/camera.md. What the virtual
camera lacks (focus, exposure, small plane, raw modes) is only tried on the stand-in in tests/vision.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path
from queue import Queue

import cv2
import numpy as np
import pytest

from assistant.layout import Scene
from assistant.messages import CameraState, CameraStatus, Saw
from tests.camera import virtual_camera
from tests.vision.tables import drawn, full_scene, small_mat
from vision.cameras import CameraGone
from vision.cameras.picamera import PicameraCamera, Settings
from vision.geometry import MatGeometry
from vision.reader import Reader
from vision.simulator import SimulatedTable, View
from vision.worker import CameraWorker, Limits
from vision.worker_link import Order

# picamera2 itself uses what newer Pythons call old.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SIZE = (1536, 864)
FULL = (4608, 2592)
VIRTUAL = Path(os.environ["STATIONMASTER_VIRTUAL_CAMERA"])
"""Where libcamera looks for what its virtual camera shows; a place fixed when it was built."""


@pytest.fixture(scope="module", autouse=True)
def table(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A virtual camera that looks at a simulated table."""
    pictures = tmp_path_factory.mktemp("virtual")
    made = SimulatedTable(small_mat(), View(width=SIZE[0], height=SIZE[1], height_mm=300.0), 4, drawn())
    made.lay(full_scene(small_mat()))
    for number in range(3):
        colour = np.ascontiguousarray(made.picture(colour=True)[..., ::-1])
        assert cv2.imwrite(str(pictures / f"{number}.jpg"), colour, [cv2.IMWRITE_JPEG_QUALITY, 97])
    sizes = "".join(
        f"  - width: {width}\n    height: {height}\n    frame_rates:\n    - 30\n    - 60\n"
        for width, height in (SIZE, FULL)
    )
    VIRTUAL.write_text(
        f'"Virtual0":\n  supported_formats:\n{sizes}  frames:\n    path: "{pictures}/"\n'
        '  location: "CameraLocationFront"\n  model: "virtual table"\n'
    )
    return made


@pytest.fixture
def settings() -> Settings:
    return Settings(size=SIZE, settling_frames=3)


def payloads(scene: Scene) -> set[str]:
    return {placement.payload for placement in scene.placements}


def test_the_table_is_read_through_picamera2(settings: Settings, table: SimulatedTable) -> None:
    with PicameraCamera(settings) as camera:
        first, second = camera.frame(), camera.frame()
        facts = camera.facts()
    assert first.y.shape == (SIZE[1], SIZE[0])
    assert (first.generation, second.generation) == (1, 2)
    assert first.low is None
    assert first.y.flags.c_contiguous
    assert facts is not None
    assert (facts.width, facts.height, facts.model) == (*SIZE, "virtual table")
    seen = Reader(MatGeometry.from_mat(small_mat())).read(first.y)
    assert {sighting.payload for sighting in seen.sightings} == payloads(table.lies)


def test_the_full_size(settings: Settings) -> None:
    with PicameraCamera(Settings(size=FULL, settling_frames=3)) as camera:
        assert camera.frame().y.shape == (FULL[1], FULL[0])


def test_colours_come_blue_first(settings: Settings, table: SimulatedTable) -> None:
    with PicameraCamera(settings) as camera:
        picture = camera.colour()
    true = table.picture(colour=True)[..., ::-1]
    # JPEG uses all levels from 0 to 255 and the virtual camera hands them on, where video ends at 235.
    for channel in range(3):
        assert abs(float(picture[..., channel].mean()) - float(true[..., channel].mean())) < 10
    for colours in (picture, true):
        assert colours[..., 2].mean() - colours[..., 0].mean() > 8


def held() -> tuple[int, int]:
    """Threads and open descriptors, without what only waits to be collected."""
    gc.collect()
    return threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))


def test_opened_and_closed_again_and_again(settings: Settings) -> None:
    PicameraCamera(settings).close()
    threads, descriptors = held()
    for _ in range(8):
        with PicameraCamera(settings) as camera:
            assert camera.frame().generation == 1
    assert held()[0] == threads
    assert held()[1] <= descriptors + 4


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_thread_of_picamera2_is_noticed(settings: Settings) -> None:
    camera = PicameraCamera(settings)

    def fails(_: object) -> None:
        raise RuntimeError("a fault inside")

    def until_it_fails() -> None:
        for _ in range(5):
            camera.frame(5.0)

    camera.frame()
    camera._camera.pre_callback = fails
    began = time.monotonic()
    with pytest.raises(CameraGone, match="thread"):
        until_it_fails()
    assert time.monotonic() - began < 2.0
    camera.close()


def test_the_whole_way_through_the_camera_process(table: SimulatedTable) -> None:
    heard: Queue[Saw | CameraStatus] = Queue()
    order = Order(
        camera=f"virtual:0,size={SIZE[0]}x{SIZE[1]}",
        mat=MatGeometry.from_mat(small_mat()),
        modules=(virtual_camera.__name__,),
    )
    with CameraWorker(order, heard.put, limits=Limits(read_s=30.0, open_s=60.0)) as worker:
        while not isinstance(message := heard.get(timeout=60), Saw):
            assert message.state in (CameraState.STARTING, CameraState.RUNNING), message.text
        assert {s.payload for s in message.observation.sightings} == payloads(table.lies)
        assert worker.facts is not None
        assert worker.facts.model == "virtual table"
