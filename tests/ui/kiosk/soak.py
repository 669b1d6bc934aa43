"""Draws 2,000 frames of 100,000 views of two pages by turns, and looks whether memory grows.

`python -m tests.ui.kiosk.soak`; ends with status 1 when it has grown by more than a twentieth.
"""

from __future__ import annotations

import gc
import sys

from ui.bench.ui import growth_mb

VIEWS, FRAMES = 100_000, 2_000
SHARE = 0.05


def main() -> int:
    """0 when memory is flat."""
    before, grown = growth_mb(VIEWS, FRAMES)
    gc.collect()
    print(f"{VIEWS} views in {FRAMES} frames: {before:.0f} MB before, {grown:+.1f} MB")
    return int(grown > before * SHARE)


if __name__ == "__main__":
    sys.exit(main())
