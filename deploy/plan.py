"""Draw the plan of a game's mat for the documents: `plan.py GAME OUT.png`, to scale."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant.game import find_title
from vision.drawing import mat_drawing

PX_PER_MM = 2.0


def plan(game: str) -> NDArray[np.uint8]:
    """The mat of a title's own pack as printed, in RGB. LookupError for a game without one."""
    title = find_title(game)
    opened = title.open(title.load_pack(title.default_pack), title.seats[1])
    return np.asarray(mat_drawing(opened.mat()).raster(PX_PER_MM), np.uint8)


def main(game: str, out: str) -> None:
    """Write the plan. OSError when the file cannot be written."""
    picture = cv2.cvtColor(plan(game), cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    assert done
    Path(out).write_bytes(data.tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
