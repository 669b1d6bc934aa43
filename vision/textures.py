"""The drawings of a mat and its pieces as pixels, softened so that they can be sampled anywhere."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.layout import Mat
from vision.drawing import mat_drawing, piece_drawing
from vision.optics import Image

TEXTURE_PX_PER_MM = 8.0
"""Resolution of the drawings: about twice that of the picture."""
APERTURE_TEXELS = 0.7
"""Blur of the drawings before they are sampled. With bilinear sampling it makes up one pixel's square,
so that fine print turns grey instead of flickering."""
RIM_TEXELS = 8
"""Rim round a drawing while it is sampled, so that its outline can be smooth."""


class Textures:
    """Everything printed for one mat, drawn when first asked for and kept: grey, or RGB with `colour`."""

    def __init__(self, mat: Mat) -> None:
        self._mat = mat
        self._mats: dict[bool, Image] = {}
        self._faces: dict[tuple[str, bool], tuple[Image, Image]] = {}

    def mat(self, colour: bool) -> Image:
        """The mat, `TEXTURE_PX_PER_MM` pixels per millimetre."""
        if colour not in self._mats:
            rgb = mat_drawing(self._mat).raster(TEXTURE_PX_PER_MM)
            self._mats[colour] = _soft(rgb if colour else cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))
        return self._mats[colour]

    def face(self, payload: str, colour: bool) -> tuple[Image, Image]:
        """A piece and its outline (255 inside), each with a rim. KeyError for a payload the mat lacks."""
        key = (payload, colour)
        if key not in self._faces:
            rgb = piece_drawing(self._mat, payload).raster(TEXTURE_PX_PER_MM)
            outline = np.full(rgb.shape[:2], 255, np.uint8)
            if self._mat.piece_named(payload).form == "disc":
                outline[:] = 0
                radius = rgb.shape[1] / 2
                centre = (round((radius - 0.5) * 16),) * 2
                cv2.circle(outline, centre, round((radius - 1) * 16), 255, -1, cv2.LINE_AA, 4)
            self._faces[key] = prepared(rgb, outline, colour)
        return self._faces[key]


def prepared(rgb: Image, outline: Image, colour: bool) -> tuple[Image, Image]:
    """A drawing (in grey unless `colour`) and its outline with a rim, softened for sampling."""
    grey = rgb if colour else cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    rim = RIM_TEXELS
    face = cv2.copyMakeBorder(grey, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    shape = cv2.copyMakeBorder(outline, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0)
    return _soft(face), _soft(shape)


def _soft(drawing: NDArray[Any]) -> Image:
    return np.asarray(cv2.GaussianBlur(drawing, (0, 0), APERTURE_TEXELS), np.uint8)
