"""What a QR code of version 1, level H is made of, as bits and modules (ISO/IEC 18004).

Only what is needed to compare samples of a picture with known codes, in arrays: which modules all codes
share, which hold the data, and the bits of many payloads at once. What is printed comes from
`vision.tags`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.geometry import QR_MODULES

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]

ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
DATA_WORDS, CHECK_WORDS = 9, 17
"""Code words of version 1, level H (ISO/IEC 18004, table 9)."""
FORMAT_MASK = 0b101010000010010
LEVEL_H = 0b10


def function_modules() -> tuple[Plane, Mask]:
    """The modules that are alike in all codes of version 1 (+1 dark, -1 light), and which those are."""
    value = np.zeros((QR_MODULES, QR_MODULES), np.float32)
    known = np.zeros((QR_MODULES, QR_MODULES), np.bool_)
    finder = -np.ones((8, 8), np.float32)
    finder[:7, :7] = 1
    finder[1:6, 1:6] = -1
    finder[2:5, 2:5] = 1
    for flip, place in (
        (finder, np.s_[:8, :8]),
        (finder[:, ::-1], np.s_[:8, -8:]),
        (finder[::-1], np.s_[-8:, :8]),
    ):
        value[place] = flip
        known[place] = True
    for i in range(8, 13):
        value[6, i] = value[i, 6] = 1 - 2 * (i % 2)
        known[6, i] = known[i, 6] = True
    value[13, 8] = 1
    known[13, 8] = True
    return value, known


def format_places() -> list[tuple[int, int]]:
    """Where the 15 format bits lie, highest first, in both copies: 30 places (row, column)."""
    first = [(8, i) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    second = [(20 - i, 8) for i in range(7)] + [(8, 13 + i) for i in range(8)]
    return first + second


def data_places() -> list[tuple[int, int]]:
    """Where the 208 data bits lie, in their order: two columns at a time, up and down, from the right."""
    _, taken = function_modules()
    for row, column in format_places():
        taken[row, column] = True
    places = []
    up = True
    for right in (20, 18, 16, 14, 12, 10, 8, 5, 3, 1):
        rows = range(20, -1, -1) if up else range(21)
        places += [(r, c) for r in rows for c in (right, right - 1) if not taken[r, c]]
        up = not up
    return places


def masks() -> NDArray[np.bool_]:
    """The eight masks (8 x 21 x 21), True where a data module is turned over."""
    r, c = np.mgrid[0:QR_MODULES, 0:QR_MODULES]
    return np.array(
        [
            (r + c) % 2 == 0,
            r % 2 == 0,
            c % 3 == 0,
            (r + c) % 3 == 0,
            (r // 2 + c // 3) % 2 == 0,
            (r * c) % 2 + (r * c) % 3 == 0,
            ((r * c) % 2 + (r * c) % 3) % 2 == 0,
            ((r + c) % 2 + (r * c) % 3) % 2 == 0,
        ]
    )


def format_bits(mask: int) -> list[int]:
    """The 15 format bits of level H with a mask, highest first."""
    data = LEVEL_H << 3 | mask
    rest = data << 10
    for shift in range(4, -1, -1):
        if rest >> (shift + 10) & 1:
            rest ^= 0b10100110111 << shift
    bits = (data << 10 | rest) ^ FORMAT_MASK
    return [bits >> i & 1 for i in range(14, -1, -1)]


@cache
def _check_matrix() -> NDArray[np.uint8]:
    """From the 72 data bits to all 208 bits: Reed-Solomon is linear (72 x 208, 0 and 1)."""
    exp, log = [1] * 512, [0] * 256
    for i in range(1, 512):
        value = exp[i - 1] << 1
        exp[i] = value ^ 0x11D if value & 0x100 else value
    for i in range(255):
        log[exp[i]] = i
    generator = [1]
    for i in range(CHECK_WORDS):
        raised = [*generator, 0]
        for j, factor in enumerate(generator):
            raised[j + 1] ^= exp[log[factor] + i]
        generator = raised
    rows = np.zeros((8 * DATA_WORDS, 8 * (DATA_WORDS + CHECK_WORDS)), np.uint8)
    for bit in range(8 * DATA_WORDS):
        words = [0] * DATA_WORDS
        words[bit // 8] = 0x80 >> bit % 8
        rest = [*words, *[0] * CHECK_WORDS]
        for i in range(DATA_WORDS):
            if rest[i]:
                for j, factor in enumerate(generator[1:], 1):
                    rest[i + j] ^= exp[(log[factor] + log[rest[i]]) % 255]
                rest[i] = 0
        rows[bit] = np.unpackbits(np.array(words + rest[DATA_WORDS:], np.uint8))
    return rows


def data_bits(payload: str) -> list[list[int]]:
    """The 72 data bits of a payload as makers of codes write it: a few ways, none if it is too long.

    Digits alone may be written as digits or as letters, everything else in the shortest way.
    """
    ways: list[tuple[int, int, list[int]]] = []
    if payload and payload.isascii() and payload.isdigit():
        groups = [payload[i : i + 3] for i in range(0, len(payload), 3)]
        widths = {3: 10, 2: 7, 1: 4}
        ways.append((0b0001, 10, [b for g in groups for b in _bits(int(g), widths[len(g)])]))
    if payload and all(c in ALPHANUMERIC for c in payload):
        numbers = [ALPHANUMERIC.index(c) for c in payload]
        pairs = [numbers[i : i + 2] for i in range(0, len(numbers), 2)]
        bits = [b for p in pairs for b in (_bits(p[0] * 45 + p[1], 11) if len(p) == 2 else _bits(p[0], 6))]
        ways.append((0b0010, 9, bits))
    elif payload:
        ways.append((0b0100, 8, [b for byte in payload.encode() for b in _bits(byte, 8)]))
    written = []
    for mode, width, bits in ways:
        count = len(payload.encode()) if mode == 0b0100 else len(payload)
        stream = [*_bits(mode, 4), *_bits(count, width), *bits]
        room = 8 * DATA_WORDS
        if len(stream) > room:
            continue
        stream += [0] * min(4, room - len(stream))
        # Where the terminator ends with a code word, segno puts an empty one after it, others do not.
        spare = [-len(stream) % 8] if len(stream) % 8 or len(stream) == room else [0, 8]
        for zeros in spare:
            words = (room - len(stream) - zeros) // 8
            padding = [bit for i in range(words) for bit in _bits((0xEC, 0x11)[i % 2], 8)]
            written.append([*stream, *[0] * zeros, *padding])
    return written


def _bits(number: int, width: int) -> list[int]:
    return [number >> i & 1 for i in range(width - 1, -1, -1)]


def data_signs(payloads: Iterable[str]) -> tuple[tuple[str, ...], Plane]:
    """Payloads and the 208 data modules of their codes before masking, +1 for dark (n x 208).

    A payload that makers of codes write in two ways is there twice, one that does not fit not at all.
    """
    listed = [(payload, bits) for payload in sorted(set(payloads)) for bits in data_bits(payload)]
    data = np.array([bits for _, bits in listed], np.float32).reshape(-1, 8 * DATA_WORDS)
    whole = np.rint(data @ _check_matrix().astype(np.float32)).astype(np.int32) & 1
    return tuple(payload for payload, _ in listed), np.asarray(2 * whole - 1, np.float32)
