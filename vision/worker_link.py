"""What the parent and its camera process say to each other, and the memory they share.

One socketpair per process and one message after another on it, each behind its length. Reading never
waits: a process that is killed in the middle of a message leaves a beginning that nobody waits for. The
pictures themselves lie in memory that belongs to the parent, so that the last one outlives the process.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
import struct
from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from assistant.observation import Observation
from vision.cameras.base import CameraFacts, Frame
from vision.geometry import MatGeometry
from vision.optics import Image

Area = tuple[int, int, int, int]
"""A part of a picture: x, y, width, height in pixels."""
LONGEST_MESSAGE = 16 * 2**20
_LENGTH = struct.Struct("<I")


class LinkBroken(Exception):
    """What came over the link is no message of ours."""


# ---- messages


class Order(msgspec.Struct, frozen=True):
    """What a camera process is started for.

    `camera` is a name for `open_camera`. `eyes` names what reads the pictures as "module:function"; it is
    called with the mat and the roster and gives a `vision.worker_child.Eyes`. `modules` are imported
    first: they may bring kinds of camera. `generation` is the number of the first picture, `skip` how
    many pictures of a recording were seen before.
    """

    camera: str
    mat: MatGeometry
    roster: tuple[str, ...] | None = None
    eyes: str = "vision.worker_child:WholePictures"
    modules: tuple[str, ...] = ()
    generation: int = 1
    skip: int = 0
    frame_s: float = 2.0
    pause_s: float = 0.0
    patience_s: float = 20.0


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """The process runs and begins to open the camera."""


class Waits(msgspec.Struct, frozen=True, tag="waits"):
    """Something holds it up that may pass: `kind` "busy" or "late"."""

    kind: str
    text: str


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The camera gives pictures."""


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    """A picture lies in the shared memory and is about to be read. `facts` when they have changed."""

    generation: int
    skip: int
    facts: CameraFacts | None = None


class Read(msgspec.Struct, frozen=True, tag="read"):
    """What that picture shows. `area` is where the mat lies in it, when that was looked for."""

    generation: int
    observation: Observation
    area: Area | None = None


class Unread(msgspec.Struct, frozen=True, tag="unread"):
    """Reading that picture failed without harm to the process, which goes on with the next one."""

    generation: int
    text: str


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The process gives up by itself: `kind` "forbidden", "busy", "gone", "memory", "camera", "eyes"."""

    kind: str
    text: str


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A recording is over."""

    text: str


Word = Alive | Waits | Opened | Taken | Read | Unread | Failed | Ended

_WORDS = msgspec.msgpack.Decoder(Word)


def packed(message: Word) -> bytes:
    """A message behind its length."""
    data = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(data)) + data


class Inbox:
    """The parent's end: takes what has come, and gives the messages that are whole."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._link.setblocking(False)
        self._buffer = bytearray()
        self.closed = False

    def take(self) -> Iterator[Word]:
        """All messages that are there by now; waits for none. Raises LinkBroken."""
        while not self.closed:
            try:
                data = self._link.recv(65536)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            self.closed = not data
            self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > LONGEST_MESSAGE:
                raise LinkBroken(f"a message of {length} bytes")
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                break
            data = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            try:
                yield _WORDS.decode(data)
            except msgspec.MsgspecError as error:
                raise LinkBroken(str(error)) from error


def order_memory(order: Order) -> int:
    """A descriptor of memory that holds an order, to be handed to the child and closed.

    It does not go over the link: an order may be longer than a socket takes before the child reads.
    """
    descriptor = os.memfd_create("stationmaster-order", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(msgspec.msgpack.encode(order))
    return descriptor


def take_order(descriptor: int) -> Order:
    """The child's first act: read what it is to do, and close that memory."""
    with os.fdopen(descriptor, "rb") as file:
        file.seek(0)
        return msgspec.msgpack.decode(file.read(), type=Order)


# ---- pictures

TURNS = 2
"""Pictures take turns in so many slots."""
KEPT = 2
"""The slot after them is for a picture that could not be read while the next ones come."""
SLOTS = 3
_HEAD = 4096
"""Room before each picture, a page: its numbers."""
_NUMBERS = 6
"""Generation when writing began, rows, columns, rows and columns of the small plane, generation again."""


class SharedPictures:
    """The last pictures in memory that two processes see. The parent makes it, the child gets its number.

    `room` is the most bytes a picture and its small plane may have. The memory is taken as it is used.
    """

    def __init__(self, descriptor: int, room: int) -> None:
        self.descriptor = descriptor
        self.room = room
        self._memory = mmap.mmap(descriptor, _slot_bytes(room) * SLOTS)

    @classmethod
    def made(cls, room: int) -> SharedPictures:
        """New memory, which belongs to this process and vanishes with it."""
        descriptor = os.memfd_create("stationmaster-pictures", os.MFD_CLOEXEC)
        os.ftruncate(descriptor, _slot_bytes(room) * SLOTS)
        return cls(descriptor, room)

    def put(self, frame: Frame, generation: int) -> Frame:
        """Copy a picture in: the same frame with that generation, lying in the shared memory.

        Raises ValueError when there is not room enough.
        """
        return self._write(frame, generation, generation % TURNS)

    def keep(self, frame: Frame) -> None:
        """Copy a picture aside, where the next ones do not overwrite it."""
        self._write(frame, frame.generation, KEPT)

    def get(self, generation: int) -> tuple[Image, Image | None] | None:
        """A copy of a picture and its small plane; None when it is gone or was never finished."""
        for slot in (generation % TURNS, KEPT):
            numbers = self._numbers(slot)
            if numbers[0] == numbers[5] == generation:
                y, low = self._planes(slot)
                copies = y.copy(), None if low is None else low.copy()
                # The next picture but one may have begun to overwrite it meanwhile.
                if numbers[0] == generation:
                    return copies
        return None

    def last(self) -> int:
        """The highest generation that was begun; 0 when there was none."""
        return max(int(self._numbers(slot)[0]) for slot in range(SLOTS))

    def close(self) -> None:
        """Let go of the memory."""
        os.close(self.descriptor)
        # A picture that somebody still looks at keeps the memory; it goes when that picture goes.
        with contextlib.suppress(BufferError):
            self._memory.close()

    def _write(self, frame: Frame, generation: int, slot: int) -> Frame:
        low = frame.low
        needed = frame.y.size + (0 if low is None else low.size)
        if needed > self.room:
            raise ValueError(f"the picture needs {needed} bytes and there is room for {self.room}")
        numbers = self._numbers(slot)
        numbers[0] = generation
        numbers[1:5] = (*frame.y.shape, *((0, 0) if low is None else low.shape))
        y, small = self._planes(slot)
        np.copyto(y, frame.y)
        if small is not None and low is not None:
            np.copyto(small, low)
        numbers[5] = generation
        return Frame(y, generation, frame.at, frame.source, small)

    def _numbers(self, slot: int) -> NDArray[np.int64]:
        return np.frombuffer(self._memory, np.int64, _NUMBERS, _slot_bytes(self.room) * slot)

    def _planes(self, slot: int) -> tuple[Image, Image | None]:
        at = _slot_bytes(self.room) * slot + _HEAD
        _, rows, columns, low_rows, low_columns, _ = (int(n) for n in self._numbers(slot))
        needed = rows * columns + low_rows * low_columns
        if min(rows, columns, low_rows, low_columns) < 0 or needed > self.room:
            # Only a process that wrote wild into this memory leaves such numbers.
            rows = columns = low_rows = low_columns = 0
        y = np.frombuffer(self._memory, np.uint8, rows * columns, at).reshape(rows, columns)
        if not low_rows:
            return y, None
        low = np.frombuffer(self._memory, np.uint8, low_rows * low_columns, at + rows * columns)
        return y, low.reshape(low_rows, low_columns)


def _slot_bytes(room: int) -> int:
    """The bytes of one slot, whole pages."""
    return _HEAD + -(-room // _HEAD) * _HEAD
