"""Camera and decoder in a process of their own, so that neither can take the game with it.

The process may crash, hang, be killed in the middle of a word or find no camera: here that is only a
status. It is started anew with growing pauses. One thread in this process listens to it, and hands on
finished observations and statuses, nothing else.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import msgspec

from assistant.messages import CameraState, CameraStatus, Saw
from assistant.observation import Observation
from vision.calibration import Calibration, mismatch
from vision.cameras.base import CameraFacts
from vision.cameras.files import as_png
from vision.optics import Image
from vision.worker_link import (
    Alive,
    Area,
    Ended,
    Failed,
    Inbox,
    LinkBroken,
    Opened,
    Order,
    Read,
    SharedPictures,
    Taken,
    Unread,
    Waits,
    Word,
    order_memory,
)

_log = logging.getLogger(__name__)

ROOM = 48 * 2**20
"""Bytes that a picture and its small plane may have. Memory is used only for what a camera gives."""
BY_HAND = "The game goes on by hand meanwhile."


class Limits(msgspec.Struct, frozen=True):
    """How long what may take (seconds), and how long to pause before another try.

    `picture_s` is for one picture to come, `read_s` for reading it, `end_s` for a process to end when it
    is killed. After `steady` pictures in a row the pauses begin at `first_pause_s` again.
    """

    start_s: float = 30.0
    open_s: float = 60.0
    picture_s: float = 5.0
    read_s: float = 5.0
    end_s: float = 2.0
    first_pause_s: float = 0.5
    longest_pause_s: float = 30.0
    steady: int = 20


class BadPicture(msgspec.Struct, frozen=True, eq=False):
    """The picture that was being read when the process died, cropped to the mat.

    `picture` is None when it was never known where the mat lies: what is beside it is nobody's business.
    """

    generation: int
    why: str
    at: float
    picture: Image | None = None

    def png(self) -> bytes:
        """A PNG file of it, for whoever asks for one. Raises ValueError when there are no pixels."""
        if self.picture is None:
            raise ValueError("no picture was kept, because the mat had not been found in any before it")
        return as_png(self.picture)


class _End(msgspec.Struct, frozen=True):
    """How one process ended. `kind` is that of a `Failed`, "ended", "stopped", "deadline" or "died"."""

    kind: str
    text: str
    reads: int = 0


class CameraWorker:
    """Keeps one camera process running and hands on what it sees.

    `enqueue` gets `Saw` and `CameraStatus` from this worker's one thread; it must only put them in a
    queue. `watch` may turn an observation into a steadier one, or None while it waits; it runs in that
    thread too. With a `calibration`, nothing seen by a camera that does not fit it is handed on.
    """

    def __init__(
        self,
        order: Order,
        enqueue: Callable[[Saw | CameraStatus], None],
        *,
        watch: Callable[[Observation], Observation | None] | None = None,
        calibration: Calibration | None = None,
        limits: Limits | None = None,
        room: int = ROOM,
    ) -> None:
        self.order = order
        self.limits = limits or Limits()
        self.bad: BadPicture | None = None
        """The last picture that could not be read; forget it when the game ends."""
        self.facts: CameraFacts | None = None
        self.read_count = 0
        """How many pictures were read since the beginning."""
        self.read_at: float | None = None
        """When the last one was, in monotonic seconds."""
        self._enqueue = enqueue
        self._watch = watch
        self._calibration = calibration
        self._pictures = SharedPictures.made(room)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._retry = threading.Event()
        self._recheck = threading.Event()
        self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._generation = order.generation - 1
        self._read_generation = 0
        self._skip = order.skip
        self._reading = False
        self._area: Area | None = None
        self._blocked: list[str] = []
        self._watch_said = ""
        self._closed = False

    # ---- for other threads

    def start(self) -> None:
        """Start the camera process and listen to it."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread that looks after the camera runs, as it must from `start` to `close`."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End the process and the thread and let go of all pictures. Closing twice is allowed."""
        if self._closed:
            return
        self._stop.set()
        self._nudge()
        if self._thread.ident is not None:
            self._thread.join()
        with self._lock:
            self._closed = True
            self._pictures.close()
        os.close(self._woken)
        os.close(self._wake)
        self.bad = None

    def __enter__(self) -> CameraWorker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def retry(self) -> None:
        """Try the camera again at once: somebody has mended something."""
        self._retry.set()
        self._nudge()

    def calibrate(self, calibration: Calibration | None) -> None:
        """Go by another calibration from now on."""
        self._calibration = calibration
        self._recheck.set()
        self._nudge()

    def forget(self) -> None:
        """Forget the bad picture: the game is over."""
        self.bad = None

    def picture(self) -> tuple[Image, Image | None] | None:
        """A copy of the last picture that was read and of its small plane, for set-up; None without one."""
        with self._lock:
            return None if self._closed else self._pictures.get(self._read_generation)

    @property
    def area(self) -> Area | None:
        """Where the mat lies in the pictures (x, y, width, height in pixels), None before it was found."""
        return self._area

    @property
    def process_id(self) -> int | None:
        """The number of the camera process that runs now."""
        process = self._process
        return None if process is None else process.pid

    # ---- the thread

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            self._retry.clear()
            try:
                end = self._incarnation()
            except Exception as error:
                # Too many open files, say: that passes, and this thread is the only one that can try again.
                _log.exception("the camera's process cannot be looked after")
                end = _End("died", f"the camera's process cannot be looked after: {error}")
            if end.kind == "stopped":
                return
            if end.reads >= self.limits.steady:
                failures = 0
            failures += 1
            if end.kind == "ended":
                self._tell(CameraState.ENDED, end.text)
                self._pause(None)
            elif end.kind == "forbidden":
                self._tell(CameraState.OFF, f"The camera is off: {end.text}. {BY_HAND}")
                self._pause(None)
            else:
                pause = min(
                    self.limits.first_pause_s * 2 ** min(failures - 1, 20), self.limits.longest_pause_s
                )
                state = CameraState.BUSY if end.kind == "busy" else CameraState.RESTARTING
                self._tell(state, f"{_sentence(end.text)} It is tried again in {pause:.3g} s. {BY_HAND}")
                self._pause(pause)

    def _incarnation(self) -> _End:
        """One camera process from its start to its end."""
        generation = max(self._generation, self._pictures.last()) + 1
        order = msgspec.structs.replace(
            self.order,
            generation=generation,
            skip=self._skip,
            frame_s=min(self.order.frame_s, self.limits.picture_s * 0.8),
        )
        self._tell(CameraState.STARTING, "The camera is being started.")
        with contextlib.ExitStack() as ours_only, contextlib.ExitStack() as handed_over:
            ours, theirs = socket.socketpair()
            ours_only.enter_context(ours)
            handed_over.enter_context(theirs)
            command = order_memory(order)
            handed_over.callback(os.close, command)
            process = self._process = _started(theirs.fileno(), command, self._pictures)
            ours_only.pop_all()
        inbox = Inbox(ours)
        self._reading = False
        end, reads = _End("stopped", ""), 0
        try:
            end, reads = self._listen(ours, inbox)
        finally:
            # Its end of the link is closed first: a child that is all right ends by itself.
            ours.close()
            gone = self._finish(process, grace_s=0.0 if end.kind == "deadline" else 0.5)
        if end.kind == "died" and gone:
            end = _End("died", f"{end.text} ({_last_words(process.returncode)})")
        if self._reading and end.kind != "stopped":
            self._keep_bad(end.text)
        return msgspec.structs.replace(end, reads=reads)

    def _listen(self, link: socket.socket, inbox: Inbox) -> tuple[_End, int]:
        """Hear a process until it ends, gives up or is silent for too long: how it ended, pictures read."""
        limits, reads = self.limits, 0
        limit, doing = limits.start_s, "to start"
        until = time.monotonic() + limit
        poll = select.poll()
        poll.register(link, select.POLLIN)
        poll.register(self._woken, select.POLLIN)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                return _End("deadline", f"the camera's process took longer than {limit:g} s {doing}"), reads
            poll.poll(left * 1000 + 1)
            self._drain()
            if self._stop.is_set():
                return _End("stopped", ""), reads
            if self._recheck.is_set():
                self._check_calibration()
            try:
                for word in inbox.take():
                    if isinstance(word, Read):
                        reads += 1
                        self.read_count, self.read_at = self.read_count + 1, time.monotonic()
                    end = self._hear(word)
                    if end is not None:
                        return end, reads
                    limit, doing = self._allowed(word)
                    until = time.monotonic() + limit
            except LinkBroken as error:
                return _End("died", f"the camera's process talks nonsense ({error})"), reads
            if inbox.closed:
                doing = "while it read a picture" if self._reading else "outside of reading"
                return _End("died", f"the camera's process has died {doing}"), reads

    def _allowed(self, word: Word) -> tuple[float, str]:
        """How long the process may be silent after a message, and what it does meanwhile."""
        if isinstance(word, Taken):
            return self.limits.read_s, "to read a picture"
        if isinstance(word, Alive) or (isinstance(word, Waits) and word.kind == "busy"):
            return self.limits.open_s, "to open the camera"
        return self.limits.picture_s + self.order.pause_s, "to get a picture"

    def _hear(self, word: Word) -> _End | None:
        """Act on one message; what ends the process, ends it here."""
        match word:
            case Waits(kind, text):
                state = CameraState.BUSY if kind == "busy" else CameraState.LATE
                self._tell(state, _sentence(text))
            case Opened():
                self._tell(CameraState.RUNNING, "The camera is running.")
            case Taken(generation, skip, facts):
                self._generation, self._skip, self._reading = generation, skip, True
                if facts is not None:
                    self._learn(facts)
            case Read(generation, observation, area):
                self._reading, self._read_generation = False, generation
                self._area = area or self._area
                self._hand_on(observation)
            case Unread(generation, text):
                self._keep_bad(text)
                self._reading = False
                self._tell(
                    CameraState.SKIPPED, f"Picture {generation} could not be read ({text}) and is left out."
                )
            case Failed(kind, text):
                return _End(kind, text)
            case Ended(text):
                return _End("ended", text)
            case _:
                pass
        return None

    def _hand_on(self, observation: Observation) -> None:
        if self._blocked:
            return
        if self._watch is not None:
            try:
                steady = self._watch(observation)
            except Exception as error:
                said = f"What the camera saw could not be used ({type(error).__name__}: {error})."
                if said != self._watch_said:
                    _log.exception("the watcher failed")
                    self._tell(CameraState.SKIPPED, said)
                self._watch_said = said
                return
            if steady is None:
                return
            observation = steady
        self._put(Saw(observation, observation.at))

    def _learn(self, facts: CameraFacts) -> None:
        before, self.facts = self.facts, facts
        if before is not None and (before.width, before.height) != (facts.width, facts.height):
            self._area = None
        self._check_calibration()

    def _check_calibration(self) -> None:
        """Block or release what the camera sees, by whether the calibration fits it."""
        self._recheck.clear()
        facts, calibration = self.facts, self._calibration
        if facts is None:
            return
        blocked = [] if calibration is None else mismatch(calibration, facts)
        before, self._blocked = self._blocked, blocked
        if blocked and blocked != before:
            self._tell(CameraState.RECALIBRATE, " ".join([*blocked, BY_HAND]))
        elif before and not blocked:
            self._tell(CameraState.RUNNING, "The camera fits its calibration again.")

    def _keep_bad(self, why: str) -> None:
        """Keep the picture that was being read, cropped to the mat, in place of the one before."""
        picture = None
        found = self._pictures.get(self._generation)
        if found is not None and self._area is not None:
            x, y, width, height = self._area
            picture = found[0][y : y + height, x : x + width].copy()
        self.bad = BadPicture(self._generation, why, time.monotonic(), picture)

    def _finish(self, process: subprocess.Popen[bytes], grace_s: float) -> bool:
        """Have a process end: by itself within `grace_s`, or killed. False when it had to be killed.

        While it cannot be ended no other is started: it may still hold the camera.
        """
        by_itself = True
        try:
            process.wait(grace_s)
        except subprocess.TimeoutExpired:
            by_itself = False
            process.kill()
        told = False
        while process.returncode is None:
            try:
                process.wait(self.limits.end_s)
            except subprocess.TimeoutExpired:
                if not told:
                    self._tell(
                        CameraState.STUCK,
                        f"The camera's process {process.pid} cannot be ended: switch the machine off and on "
                        f"when the game allows it. {BY_HAND}",
                    )
                told = True
                if self._stop.is_set():
                    break
        self._process = None
        return by_itself

    def _pause(self, seconds: float | None) -> None:
        """Wait so long (for ever with None), until told to stop or to try again."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._stop.is_set() and not self._retry.is_set():
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return
            select.select([self._woken], [], [], left)
            self._drain()

    def _nudge(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            os.write(self._wake, b"\0")

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._woken, 4096):
                pass

    def _tell(self, state: CameraState, text: str) -> None:
        self._put(CameraStatus(state, text, time.monotonic(), self._generation))

    def _put(self, message: Saw | CameraStatus) -> None:
        try:
            self._enqueue(message)
        except Exception:
            # The camera's thread outlives whatever goes wrong on the other side.
            _log.exception("a message from the camera was refused")


def _started(link: int, order: int, pictures: SharedPictures) -> subprocess.Popen[bytes]:
    """A new camera process. It starts as a program of its own: nothing of ours is copied into it."""
    # It finds what this process finds, in the same order, and nothing in the folder it is started from.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    numbers = (link, order, pictures.descriptor)
    command = [sys.executable, "-P", "-m", "vision.worker_child", *map(str, numbers), str(pictures.room)]
    return subprocess.Popen(
        [*command, str(os.getpid())], stdin=subprocess.DEVNULL, pass_fds=numbers, env=environment
    )


def _sentence(text: str) -> str:
    """A clause as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _last_words(status: int | None) -> str:
    """How a process ended, in words."""
    if status is not None and status < 0:
        with contextlib.suppress(ValueError):
            return f"killed by {signal.Signals(-status).name}"
    return f"exit status {status}"
