"""The real kiosk under something that stands for systemd: up, alive, told to end; killed, and up again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Manager:
    """A service manager: one socket, one kiosk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.link.bind(str(folder / "notify"))
        self.link.settimeout(0.2)
        self.heard: list[str] = []
        config = folder / "config.toml"
        config.write_text(f'games = "{folder}/games"\n[screen]\nsize = [800, 480]\nfullscreen = false\n')
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "SDL_VIDEODRIVER": "offscreen",
            "KIVY_GL_BACKEND": "sdl2",
            "NOTIFY_SOCKET": str(self.folder / "notify"),
            "WATCHDOG_USEC": "1500000",
            "PYTHONPATH": str(ROOT),
        }
        environment.pop("WATCHDOG_PID", None)
        self.heard.clear()
        command = [sys.executable, "-m", "ui.cli", "kiosk", "--config", str(self.folder / "config.toml")]
        self.process = subprocess.Popen(
            command, env=environment, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        return self.process

    def wait_for(self, word: str, seconds: float = 60.0, times: int = 1) -> None:
        end = time.monotonic() + seconds
        while sum(word in one for one in self.heard) < times:
            assert time.monotonic() < end, f"{word} was not said; heard: {self.heard[-5:]}"
            try:
                self.heard.append(self.link.recv(4096).decode())
            except TimeoutError:
                process = self.process
                if process is not None and process.poll() is not None and process.stderr is not None:
                    pytest.fail(f"the kiosk has ended: {process.stderr.read()[-800:]}")

    def close(self) -> None:
        self.link.close()
        if self.process is not None:
            self.process.kill()
            self.process.communicate()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    one = Manager(tmp_path)
    yield one
    one.close()


def test_up_alive_killed_up_again_and_ended_when_told(manager: Manager) -> None:
    process = manager.start()
    manager.wait_for("READY=1")
    manager.wait_for("WATCHDOG=1", times=3)
    process.kill()
    process.communicate()
    # The lock and the settings of the killed one are in nobody's way.
    process = manager.start()
    manager.wait_for("READY=1")
    process.send_signal(signal.SIGTERM)
    manager.wait_for("STOPPING=1")
    assert process.wait(20) in (0, 130)
