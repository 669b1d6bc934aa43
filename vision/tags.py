"""What is printed in a tag: QR codes of version 1, level H, the markers, and how far the codes lie apart.

What the seven characters mean and how the check character is made stands in `assistant.layout`
(`compose_payload`, `check_character`), because the roster is made there. Here they become modules.

The mask of a code is the one the standard prefers, so that any maker of codes gives the same picture of
the same text. Any two codes differ in at least 18 of the 26 code words (Reed-Solomon, level H). Measured
over whole Railway Boom boxes (385 pieces), the two nearest codes differ in 56 modules for copy 01, and in
at least 50 for each of 80 copies tried; the median of all pairs is 118, of the 208 modules that hold data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import segno

QR_MODULES = 21
"""Modules along the side of a version 1 code."""
QUIET_MODULES = 2
"""White modules that must stay round a code."""
MARKER_DICTIONARY = "DICT_4X4_50"
MARKER_MODULES = 6
"""Modules along the side of a marker: four of data and a black edge."""
MARKER_COUNT = 50

Matrix = tuple[tuple[bool, ...], ...]


@cache
def qr_matrix(payload: str) -> Matrix:
    """The modules of a payload, rows from the top, True for dark; 21 x 21, no quiet zone.

    Raises ValueError for a text that does not fit version 1 at level H in alphanumeric mode.
    """
    try:
        code = segno.make_qr(payload, version=1, error="h", mode="alphanumeric", boost_error=False)
    except ValueError as error:
        raise ValueError(f"{payload!r} does not fit a QR code of version 1, level H: {error}") from error
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


@cache
def marker_matrix(number: int) -> Matrix:
    """The modules of a marker of `MARKER_DICTIONARY`, True for dark; 6 x 6 with its black edge.

    Raises ValueError for a number that the dictionary does not have.
    """
    if not 0 <= number < MARKER_COUNT:
        raise ValueError(f"marker {number} is not in {MARKER_DICTIONARY}: use 0 to {MARKER_COUNT - 1}")
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture = cv2.aruco.generateImageMarker(dictionary, number, MARKER_MODULES)
    return tuple(tuple(bool(value == 0) for value in row) for row in picture)


def code_distances(payloads: Sequence[str]) -> npt.NDArray[np.int_]:
    """Differing modules between every two codes: a square array, the diagonal 0."""
    signs = np.array([np.ravel(qr_matrix(payload)) for payload in payloads], dtype=np.float32) * 2 - 1
    apart: npt.NDArray[np.int_] = np.rint((QR_MODULES**2 - signs @ signs.T) / 2).astype(np.int_)
    return apart


def closest_codes(payloads: Iterable[str]) -> tuple[int, str, str]:
    """The two codes that differ in the fewest modules: that number and their payloads.

    Raises ValueError for fewer than two payloads.
    """
    listed = list(payloads)
    if len(listed) < 2:
        raise ValueError("two codes are needed to compare")
    apart = code_distances(listed)
    np.fill_diagonal(apart, QR_MODULES**2 + 1)
    first, second = np.unravel_index(int(np.argmin(apart)), apart.shape)
    return int(apart[first, second]), listed[first], listed[second]
