"""Runs the camera process for a long time with one fault after another, and looks for what piles up.

`python -m tests.camera.soak SECONDS`; ends with status 1 when memory, threads, descriptors or processes
have grown, or when nothing was seen any more.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from assistant.messages import CameraStatus, Saw
from tests.vision.tables import LOW, full_scene, small_mat
from vision.cameras.simulated import TableFile
from vision.geometry import MatGeometry
from vision.worker import CameraWorker, Limits
from vision.worker_link import Order

FAULTS = (
    "hang@6",
    "crash@6",
    "vanish@6",
    "drop@3-",
    "freeze@2-",
    "busy=2",
    "nomemory=1",
    "dark=0.02@2-4",
    "",
)
EACH_S = 6.0
GROWTH_MB = 20.0


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _held() -> tuple[int, int]:
    """Threads and open descriptors of this process."""
    return threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))


def main(seconds: float) -> int:
    """Run so long; 0 when nothing has grown."""
    heard: Counter[str] = Counter()

    def enqueue(message: Saw | CameraStatus) -> None:
        heard["saw" if isinstance(message, Saw) else message.state.value] += 1

    limits = Limits(picture_s=1.5, read_s=5.0, first_pause_s=0.1, longest_pause_s=1.0)
    choose = random.Random(1)
    mat = small_mat()
    begun, held, memory = time.monotonic(), _held(), 0.0
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.json"
        TableFile(mat, full_scene(mat), LOW, 1).write(table)
        rounds = 0
        while time.monotonic() - begun < seconds:
            fault = FAULTS[rounds] if rounds < len(FAULTS) else choose.choice(FAULTS)
            before = heard["saw"]
            order = Order(f"faulty:{fault}:simulated:{table}", MatGeometry.from_mat(mat), pause_s=0.05)
            with CameraWorker(order, enqueue, limits=limits) as worker:
                until = time.monotonic() + EACH_S
                while time.monotonic() < until:
                    worker.picture()
                    time.sleep(0.05)
            rounds += 1
            name = fault or "no fault"
            print(f"{time.monotonic() - begun:6.0f} s  {_rss_mb():6.1f} MB  {name:14} {dict(heard)}")
            # Memory is refused once in every process anew, so nothing can be seen with that fault.
            if heard["saw"] == before and not fault.startswith("nomemory"):
                print(f"soak: with {name} nothing was seen")
                return 1
            if rounds == 3:
                memory = _rss_mb()
    if _held() != held or (memory and _rss_mb() - memory > GROWTH_MB):
        print(f"soak: threads and descriptors were {held}, are {_held()}; memory grew from {memory:.1f} MB")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
