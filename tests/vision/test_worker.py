"""The camera process: whatever happens to it, the game hears of it and goes on."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import cv2
import msgspec
import numpy as np
import pytest

from assistant.layout import Scene
from assistant.messages import CameraState, CameraStatus, Saw
from assistant.observation import Observation
from tests.vision.tables import LOW, full_scene, small_mat
from vision.calibration import Calibration
from vision.cameras import CameraFacts, Frame
from vision.cameras.files import load_picture
from vision.cameras.simulated import TableFile
from vision.geometry import Lens, MatGeometry
from vision.worker import CameraWorker, Limits
from vision.worker_link import Alive, Inbox, LinkBroken, Opened, Order, SharedPictures, packed

STUBS = "tests.vision.worker_stubs"
MAT = MatGeometry(100.0, 50.0, ())
LIMITS = Limits(
    start_s=20.0, open_s=20.0, picture_s=10.0, read_s=10.0, end_s=2.0, first_pause_s=0.05, longest_pause_s=0.2
)
"""Long where a busy machine may be slow, short where a test waits."""


class Heard:
    """What a worker said, in order."""

    def __init__(self) -> None:
        self.queue: Queue[Saw | CameraStatus] = Queue()
        self.all: list[Saw | CameraStatus] = []
        self.threads: set[str] = set()

    def __call__(self, message: Saw | CameraStatus) -> None:
        self.threads.add(threading.current_thread().name)
        self.queue.put(message)

    def until(self, state: CameraState, timeout_s: float = 25.0) -> CameraStatus:
        """Wait for that state; the status."""
        while True:
            message = self._next(timeout_s)
            if isinstance(message, CameraStatus) and message.state is state:
                return message

    def saw(self, timeout_s: float = 25.0) -> Observation:
        """Wait for the next observation."""
        while True:
            message = self._next(timeout_s)
            if isinstance(message, Saw):
                return message.observation

    def _next(self, timeout_s: float) -> Saw | CameraStatus:
        try:
            message = self.queue.get(timeout=timeout_s)
        except Empty:
            pytest.fail(f"nothing came; before that: {self.all[-5:]}")
        self.all.append(message)
        return message

    def levels(self) -> list[int]:
        """What the stub eyes saw so far."""
        return [int(m.observation.sightings[0].payload) for m in self.all if isinstance(m, Saw)]

    def states(self) -> list[CameraState]:
        return [m.state for m in self.all if isinstance(m, CameraStatus)]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def film(tmp_path: Path) -> str:
    """Ten pictures, each a little brighter than the one before."""
    folder = tmp_path / "film"
    folder.mkdir()
    for level in range(1, 11):
        picture = np.full((20, 30), level, np.uint8)
        picture[3:7, 2:10] = 100 + level
        assert cv2.imwrite(str(folder / f"{level:02d}.png"), picture)
    return f"folder:{folder}"


def order(camera: str, *told: str) -> Order:
    return Order(camera, MAT, roster=told or None, eyes=f"{STUBS}:Levels", modules=(STUBS,))


def alive(process: int) -> bool:
    """Whether a process of that number runs (one that only waits to be collected does not)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children() -> set[int]:
    """Processes of this process that run now."""
    lists = (task / "children" for task in Path("/proc/self/task").iterdir())
    return {int(number) for file in lists for number in file.read_text().split()}


# ---- Q06: the decoder


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("segfault", "died while it read a picture (killed by SIGSEGV)"),
        ("spin", "took longer than 1.5 s to read a picture"),
        ("torn", "died while it read a picture (killed by SIGKILL)"),
        ("nonsense", "talks nonsense"),
    ],
)
def test_q06_a_decoder_that_dies_or_never_returns(heard: Heard, film: str, what: str, why: str) -> None:
    limits = msgspec.structs.replace(LIMITS, read_s=1.5 if what == "spin" else 10.0)
    with CameraWorker(order(film, what, "7"), heard, limits=limits) as worker:
        restarting = heard.until(CameraState.RESTARTING)
        heard.until(CameraState.ENDED)
        bad = worker.bad
        assert heard.levels() == [1, 2, 3, 4, 5, 6, 8, 9, 10]
    assert why in restarting.text
    assert "by hand" in restarting.text
    assert heard.states().count(CameraState.STARTING) == 2
    assert heard.threads == {"camera"}
    assert bad is not None
    assert bad.generation == 7
    assert bad.picture is not None
    # Cropped to the mat.
    assert bad.picture.shape == (4, 8)
    assert (bad.picture == 107).all()
    assert worker.bad is None


def test_a_picture_that_raises_is_left_out_without_a_new_process(
    heard: Heard, film: str, tmp_path: Path
) -> None:
    with CameraWorker(order(film, "raise", "7"), heard, limits=LIMITS) as worker:
        skipped = heard.until(CameraState.SKIPPED)
        heard.until(CameraState.ENDED)
        assert heard.levels() == [1, 2, 3, 4, 5, 6, 8, 9, 10]
        assert "ArithmeticError: these pixels do not add up" in skipped.text
        assert heard.states().count(CameraState.STARTING) == 1
        assert worker.bad is not None
        assert list(tmp_path.iterdir()) == [tmp_path / "film"]
        (tmp_path / "bad.png").write_bytes(worker.bad.png())
        assert load_picture(tmp_path / "bad.png").shape == (4, 8)
        worker.forget()
        assert worker.bad is None


def test_eyes_that_cannot_be_made_are_named(heard: Heard, film: str) -> None:
    broken = msgspec.structs.replace(order(film), eyes=f"{STUBS}:broken")
    with CameraWorker(broken, heard, limits=LIMITS):
        assert "LookupError: the glasses are missing" in heard.until(CameraState.RESTARTING).text


# ---- the camera


def test_c06_the_500th_capture_never_returns(heard: Heard) -> None:
    limits = msgspec.structs.replace(LIMITS, picture_s=1.2)
    with CameraWorker(order("faulty:hang@500:grey:"), heard, limits=limits) as worker:
        heard.until(CameraState.RUNNING)
        first = worker.process_id
        slowest, asked, threads = 0.0, time.monotonic(), threading.active_count()
        while True:
            # Whoever draws the screen asks again and again and is never held up.
            with contextlib.suppress(Empty):
                message = heard.queue.get_nowait()
                heard.all.append(message)
                if isinstance(message, CameraStatus) and message.state is CameraState.RESTARTING:
                    break
            worker.picture()
            now = time.monotonic()
            slowest, asked = max(slowest, now - asked), now
            assert threading.active_count() == threads
            assert len(children()) <= 1
            time.sleep(0.005)
        assert "took longer than 1.2 s to get a picture" in message.text
        assert "by hand" in message.text
        assert heard.levels() == [n % 256 for n in range(1, 500)]
        assert slowest < 1.0
        assert heard.saw().sightings[0].payload == "1"
        assert worker.process_id != first
        generations = [m.generation for m in heard.all if isinstance(m, CameraStatus)]
        assert generations == sorted(generations)


def test_c07_busy_three_times_then_open(heard: Heard, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.write_text("busy 3")
    with CameraWorker(order(f"grey:{told}"), heard, limits=LIMITS):
        heard.saw()
    states = heard.states()
    assert states == [CameraState.STARTING, *[CameraState.BUSY] * 3, CameraState.RUNNING]


def test_c07_busy_beyond_patience_is_tried_by_new_processes(heard: Heard, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.write_text("busy 2")
    impatient = msgspec.structs.replace(order(f"grey:{told}"), patience_s=0.0)
    with CameraWorker(impatient, heard, limits=LIMITS):
        heard.saw()
    assert heard.states().count(CameraState.STARTING) == 3
    assert CameraState.RESTARTING not in heard.states()


def test_c07_forbidden_is_tried_once_and_again_when_asked(heard: Heard) -> None:
    with CameraWorker(order("faulty:forbidden:grey:"), heard, limits=LIMITS) as worker:
        off = heard.until(CameraState.OFF)
        assert "/dev/video0" in off.text
        assert "'video'" in off.text
        # Ten pauses long nothing happens.
        time.sleep(0.5)
        assert heard.queue.empty()
        assert not children()
        worker.retry()
        heard.until(CameraState.OFF)
    assert heard.states().count(CameraState.STARTING) == 2


def test_c08_no_memory_restarts_the_camera_process_only(heard: Heard, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.write_text("memory 1")
    with CameraWorker(order(f"grey:{told}"), heard, limits=LIMITS):
        assert "No luck, 1 to go." in heard.until(CameraState.RESTARTING).text
        assert heard.saw().sightings[0].payload == "1"
    assert heard.states().count(CameraState.STARTING) == 2


def test_lost_and_frozen_pictures_and_a_driver_that_crashes(heard: Heard) -> None:
    # One lost picture is told; three in a row, or a frozen one, or a dead process are a restart.
    with CameraWorker(order("faulty:drop@3,freeze@5-,crash@40:grey:"), heard, limits=LIMITS):
        assert "no picture within" in heard.until(CameraState.LATE).text
        assert "the same picture 11 times" in heard.until(CameraState.RESTARTING).text
    again = Heard()
    with CameraWorker(order("faulty:drop@2-4,crash@9:grey:"), again, limits=LIMITS):
        again.until(CameraState.RESTARTING)
        assert again.states().count(CameraState.LATE) == 2
    crashed = Heard()
    with CameraWorker(order("faulty:crash@2:grey:"), crashed, limits=LIMITS) as worker:
        assert "outside of reading (killed by SIGSEGV)" in crashed.until(CameraState.RESTARTING).text
        assert worker.bad is None


def test_a_camera_that_is_not_there_is_looked_for_again(heard: Heard) -> None:
    with CameraWorker(order("folder:/nowhere"), heard, limits=LIMITS):
        first, second = heard.until(CameraState.RESTARTING), heard.until(CameraState.RESTARTING)
    assert "There is no folder /nowhere" in first.text
    assert "again in 0.05 s" in first.text
    assert "again in 0.1 s" in second.text


# ---- what is handed on


def test_c04_what_a_camera_sees_that_does_not_fit_its_calibration_is_not_used(
    heard: Heard, film: str
) -> None:
    lens = Lens.camera_module_3(30, 20)
    calibrated = Calibration(CameraFacts("folder", 30, 20), lens)
    cropped = order(film.replace("folder:", "faulty:crop=0.1:folder:"))
    with CameraWorker(cropped, heard, calibration=calibrated, limits=LIMITS) as worker:
        told = heard.until(CameraState.RECALIBRATE)
        assert "27 x 18" in told.text
        assert "Calibrate again" in told.text
        assert "by hand" in told.text
        heard.until(CameraState.ENDED)
        assert heard.levels() == []
        facts = worker.facts
    assert facts == CameraFacts("folder", 27, 18, (30, 20), (1, 1, 27, 18))
    again = Heard()
    endless = msgspec.structs.replace(order("faulty:crop=0.1:grey:"), pause_s=0.01)
    with CameraWorker(endless, again, calibration=calibrated, limits=LIMITS) as worker:
        again.until(CameraState.RUNNING)
        worker.calibrate(None)
        again.saw()


def test_the_watcher_decides_what_is_handed_on(heard: Heard, film: str) -> None:
    def watch(observation: Observation) -> Observation | None:
        level = int(observation.sightings[0].payload)
        if level in (4, 5):
            raise ValueError("four and five are too much")
        return observation if level % 2 else None

    with CameraWorker(order(film), heard, watch=watch, limits=LIMITS):
        heard.until(CameraState.ENDED)
    assert heard.levels() == [1, 3, 7, 9]
    assert heard.states().count(CameraState.SKIPPED) == 1


def test_a_queue_that_refuses_does_not_stop_the_camera(film: str, caplog: pytest.LogCaptureFixture) -> None:
    heard = Heard()

    def refuses(message: Saw | CameraStatus) -> None:
        heard(message)
        if isinstance(message, Saw):
            raise RuntimeError("full")

    with CameraWorker(order(film), refuses, limits=LIMITS):
        heard.until(CameraState.ENDED)
    assert len(heard.levels()) == 10
    assert "refused" in caplog.text


def test_a_real_table_is_read_and_its_pictures_can_be_looked_at(heard: Heard, tmp_path: Path) -> None:
    mat = small_mat()
    path = tmp_path / "table.json"
    TableFile(mat, full_scene(mat), LOW, 4).write(path)
    real = Order(f"simulated:{path}", MatGeometry.from_mat(mat), pause_s=0.05)
    with CameraWorker(real, heard, limits=LIMITS) as worker:
        seen = heard.saw()
        assert {s.payload for s in seen.sightings} == {p.payload for p in full_scene(mat).placements}
        picture = worker.picture()
        assert picture is not None
        assert picture[0].shape == (LOW.height, LOW.width)
        assert abs(time.monotonic() - seen.at) < 30
        # The mat of 360 x 200 mm, seen from 300 mm.
        assert worker._area is not None
        x, _, width, height = worker._area
        assert 0 < x < LOW.width - width
        assert width / height == pytest.approx(1.8, abs=0.02)
        TableFile(mat, Scene(()), LOW, 4).write(path)
        while heard.saw().sightings:
            assert len(heard.all) < 100


# ---- beginning and end


def test_closing_does_not_wait_for_a_camera_that_hangs(heard: Heard) -> None:
    worker = CameraWorker(order("faulty:hang@3:grey:"), heard, limits=LIMITS)
    worker.close()
    worker.close()
    with CameraWorker(order("faulty:hang@3:grey:"), heard, limits=LIMITS) as worker:
        heard.saw()
        process = worker.process_id
        assert process is not None
        began = time.monotonic()
    assert time.monotonic() - began < 2.0
    assert not alive(process)
    assert worker.picture() is None
    assert not children()


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process with a camera process of its own that hangs: it, and the other's number."""
    code = """
import sys, time
from tests.vision.test_worker import LIMITS, order
from vision.worker import CameraWorker
worker = CameraWorker(order("faulty:hang@1:grey:"), lambda message: None, limits=LIMITS)
worker.start()
while worker.process_id is None: time.sleep(0.01)
time.sleep(0.5)
print(worker.process_id, flush=True)
time.sleep(3600)
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    ) as p:
        assert p.stdout is not None
        yield p, int(p.stdout.readline())
        p.kill()


def test_a_camera_process_does_not_outlive_its_parent(parent: tuple[subprocess.Popen[str], int]) -> None:
    process, child = parent
    assert alive(child)
    process.send_signal(signal.SIGKILL)
    process.wait()
    until = time.monotonic() + 5
    while alive(child) and time.monotonic() < until:
        time.sleep(0.01)
    assert not alive(child)


# ---- the link and the memory


def test_a_message_is_taken_when_it_is_whole() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        inbox = Inbox(ours)
        assert list(inbox.take()) == []
        both = packed(Alive()) + packed(Opened())
        theirs.sendall(both[:3])
        assert list(inbox.take()) == []
        theirs.sendall(both[3:-1])
        assert list(inbox.take()) == [Alive()]
        theirs.close()
        assert list(inbox.take()) == []
        assert inbox.closed


@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"\x03\0\0\0abc", b"\x01\0\0\0\xc0"])
def test_nonsense_is_no_message(data: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(data)
        with pytest.raises(LinkBroken):
            list(Inbox(ours).take())


def test_pictures_in_shared_memory() -> None:
    pictures = SharedPictures.made(1000)
    other = SharedPictures(os.dup(pictures.descriptor), 1000)
    padded = np.full((20, 64), 255, np.uint8)
    padded[:, :30] = np.arange(30)
    frame = Frame(padded[:, :30], 5, 1.5, "here", np.full((5, 7), 9, np.uint8))
    put = other.put(frame, 8)
    assert (put.generation, put.at) == (8, 1.5)
    assert np.array_equal(put.y, padded[:, :30])
    assert put.y.flags.c_contiguous
    found = pictures.get(8)
    assert found is not None
    assert np.array_equal(found[0], padded[:, :30])
    assert found[1] is not None
    assert (found[1] == 9).all()
    assert pictures.get(6) is None
    assert pictures.last() == 8
    # One that could not be read stays while the next ones come.
    other.keep(put)
    other.put(frame, 10)
    assert pictures.get(8) is not None
    other.keep(Frame(padded[:3, :3], 9, 0.0, "here"))
    assert pictures.get(8) is None
    other.put(frame, 8)
    # A picture that was never finished is none.
    other._numbers(0)[0] = 12
    assert pictures.get(8) is None
    assert pictures.get(12) is None
    assert pictures.last() == 12
    # Numbers that somebody wrote wild into the memory lead nowhere outside.
    other._numbers(0)[:] = (12, 2**40, 2**40, 1, 1, 12)
    wild = pictures.get(12)
    assert wild is not None
    assert wild[0].size == 0
    with pytest.raises(ValueError, match="600 bytes"):
        SharedPictures.made(599).put(Frame(padded[:, :30], 1, 0.0, "here"), 1)
    other.close()
    pictures.close()
