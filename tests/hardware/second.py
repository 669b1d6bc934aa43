"""A second program that wants the same pins: says what became of it, and ends."""

from __future__ import annotations

import sys
from pathlib import Path

from hardware.gpio import GpioPanel
from hardware.panel import USUAL
from tests.hardware.fake_lgpio import installed

if __name__ == "__main__":
    folder, lock = sys.argv[1:]
    with installed(Path(folder)):
        panel = GpioPanel(USUAL, model="Raspberry Pi 5 Model B Rev 1.0", lock=lock or None)
        panel.start(lambda message: print(message.text if hasattr(message, "text") else message))
        panel.close()
