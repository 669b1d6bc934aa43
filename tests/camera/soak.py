"""Runs the camera process for a long time with one fault after another, and looks for what piles up.

`python -m tests.camera.soak SECONDS`; ends with status 1 when memory, threads, descriptors or processes
have grown, or when a fault did not show or nothing was seen with it.

A round lasts until its fault has shown and something was seen, however slow the machine is. How long is too
long is told by the processor's time that the camera processes have had: one that hangs or dies is started
anew, and a start costs time of the processor, so a camera that never sees spends its patience on a busy
machine as it does on an idle one.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from assistant.messages import CameraStatus, Saw
from tests.vision.tables import LOW, full_scene, small_mat
from vision.cameras.simulated import TableFile
from vision.geometry import MatGeometry
from vision.worker import CameraWorker, Limits
from vision.worker_link import Order

SAW = "saw"
FAULTS = {
    "hang@6": "took longer than",
    "crash@6": "has died",
    "vanish@6": "the camera is gone",
    "drop@3-": "gave no picture within",
    "freeze@2-": "it is stuck",
    "busy=2": "another program has the camera",
    "nomemory=1": "there is no memory",
    "dark=0.02@2-4": "",
    "": "",
}
"""Each fault with the words that a status has when it is there; none where the camera only sees less."""
BLIND = "nomemory=1"
"""Memory is refused once in every process anew, so nothing can be seen with that fault."""
EACH_S = 6.0
PATIENCE_CPU_S = 60.0
"""Processor's time that the camera processes of a round may use until all of it was heard."""
PATIENCE_S = 1800.0
"""The same by the clock, for a worker that starts none any more and so uses none."""
GROWTH_MB = 20.0


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _held() -> tuple[int, int]:
    """Threads and open descriptors of this process."""
    return threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))


def _camera_cpu_s(worker: CameraWorker) -> float:
    """Seconds of the processor's time that all camera processes have used, the running one too."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = ended.ru_utime + ended.ru_stime
    with suppress(OSError):  # There may be none at the moment.
        stat = Path(f"/proc/{worker.process_id}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def main(seconds: float) -> int:
    """Run so long; 0 when nothing has grown."""
    heard: Counter[str] = Counter()
    said: list[str] = []

    def enqueue(message: Saw | CameraStatus) -> None:
        heard[SAW if isinstance(message, Saw) else message.state.value] += 1
        if isinstance(message, CameraStatus):
            said.append(message.text.lower())

    # Shorter pauses than a table's; the deadlines leave a busy machine time for a picture.
    limits = Limits(picture_s=4.0, read_s=5.0, first_pause_s=0.1, longest_pause_s=1.0)
    choose = random.Random(1)
    mat = small_mat()
    begun, held, memory = time.monotonic(), _held(), 0.0
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.json"
        TableFile(mat, full_scene(mat), LOW, 1).write(table)
        rounds = 0
        while time.monotonic() - begun < seconds:
            fault = list(FAULTS)[rounds] if rounds < len(FAULTS) else choose.choice(list(FAULTS))
            before = heard[SAW]
            said.clear()
            order = Order(f"faulty:{fault}:simulated:{table}", MatGeometry.from_mat(mat), pause_s=0.05)
            with CameraWorker(order, enqueue, limits=limits) as worker:
                began, spent = time.monotonic(), _camera_cpu_s(worker)
                shown = seen = False
                while not (shown and seen and time.monotonic() - began > EACH_S):
                    worker.picture()
                    time.sleep(0.05)
                    shown = any(FAULTS[fault] in text for text in said.copy())
                    seen = fault == BLIND or heard[SAW] > before
                    lasted_s = time.monotonic() - began
                    if _camera_cpu_s(worker) - spent > PATIENCE_CPU_S or lasted_s > PATIENCE_S:
                        break
            rounds += 1
            name = fault or "no fault"
            print(f"{time.monotonic() - begun:6.0f} s  {_rss_mb():6.1f} MB  {name:14} {dict(heard)}")
            if not shown:
                print(f"soak: {name} has not shown")
                return 1
            if not seen:
                print(f"soak: with {name} nothing was seen")
                return 1
            if rounds == 3:
                memory = _rss_mb()
    growth = _rss_mb() - memory if memory else 0.0
    if _held() != held or growth > GROWTH_MB:
        print(f"soak: threads and descriptors were {held}, are {_held()}; memory grew by {growth:.1f} MB")
        return 1
    print(f"soak: {rounds} rounds, memory {growth:+.1f} MB since the third, {dict(heard)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
